/* quality: only pure functions are callable by everybody */

REVOKE ALL ON answer.quality_class, answer.quality_tool, answer.quality_authority, answer.quality_compatibility,
	answer.quality_intent, answer.quality_requirement, answer.quality_question_form, answer.quality_rule, answer.quality_rules, answer.investigation,
	answer.quality_entry, answer.open_investigation FROM PUBLIC;
REVOKE ALL ON SEQUENCE answer.investigation_investigation_seq FROM PUBLIC;

REVOKE ALL ON FUNCTION
	answer.assessment_of(bigint),
	answer.assessment_of(bigint, text, text, text),
	@extschema@.answer_quality(bigint),
	answer.quality_reasons(bigint),
	@extschema@.answer_gap(bigint),
	answer.next_tool(bigint),
	@extschema@.answer_complete(bigint),
	answer.has_quality(bigint, text, @extschema@.answer_quality_level),
	answer.confidence_level(bigint),
	@extschema@.answer_investigation_open(text, text, text),
	@extschema@.answer_investigation_record(bigint, text, text, text, jsonb, text[], text),
	@extschema@.answer_investigation_record_output(bigint, text, text, text, text, text[], text),
	@extschema@.answer_investigation_close(bigint),
	@extschema@.answer_quality_receipt(bigint),
	answer.quality_class_register_put(text, text, text, text, text, @extschema@.answer_quality_relevance, boolean),
	@extschema@.answer_quality_class_register(text, text, text, text, text, @extschema@.answer_quality_relevance, boolean),
	answer.quality_grader_put(text, text, jsonb, regprocedure),
	@extschema@.answer_quality_grader_register(text, text, regprocedure, text, text, boolean),
	answer.quality_intent_register_put(text, jsonb, text, boolean),
	@extschema@.answer_quality_intent_register(text, jsonb, text, boolean),
	answer.quality_compatibility_register_put(text, text, @extschema@.answer_quality_level, boolean, boolean),
	@extschema@.answer_quality_compatibility_register(text, text, @extschema@.answer_quality_level, boolean, boolean),
	answer.quality_authority_register_put(text, jsonb),
	@extschema@.answer_quality_authority_register(text, jsonb),
	answer.tool_observation_of(text[], jsonb),
	answer.tool_observation(jsonb),
	answer.tool_assessment(jsonb)
FROM PUBLIC;
