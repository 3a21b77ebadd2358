-- The roles of the manual and what each may do, for the database that psql is connected to: doc/answer_eval.md, Grant.
-- Run it as a superuser, in each database. Roles belong to the whole cluster: in the second database CREATE ROLE says that they exist,
-- which does no harm, and the GRANTs are made there, too.
-- readers: receipts, their pages and keys, and what can be asked
CREATE ROLE answer_reader;
GRANT USAGE ON SCHEMA answer TO answer_reader;
GRANT SELECT ON answer.receipt, answer.change, answer.anchor, answer.signing_key, answer.source, answer.tool, answer.route, answer.route_table
	TO answer_reader;
GRANT EXECUTE ON FUNCTION answer_receipt(text, timestamptz), answer_receipt_html(text, jsonb), answer_keys(text), answer_key_registry(),
	answer_coverage(), answer.route_compile(text), answer_route_explain(text), answer_route_table(), answer_documents, answer_search,
	answer_debug, answer_config TO answer_reader;
-- readers of investigations
GRANT SELECT ON answer.investigation, answer.quality_entry, answer.quality_rule, answer.open_investigation TO answer_reader;
GRANT EXECUTE ON FUNCTION answer.assessment_of(bigint), answer.assessment_of(bigint, text, text, text), answer_quality(bigint),
	answer.quality_reasons(bigint), answer_gap(bigint), answer.next_tool(bigint), answer_complete(bigint),
	answer.has_quality(bigint, text, answer_quality_level), answer.confidence_level(bigint) TO answer_reader;

-- writers: ask, over tools, readings, documents and investigations.  An application logs in as a member of this role.
CREATE ROLE answer_writer;
GRANT answer_reader TO answer_writer;
GRANT SELECT ON answer.evidence, answer.evidence_series TO answer_writer;
GRANT EXECUTE ON FUNCTION answer_eval(jsonb), answer_eval_each(jsonb[], text), answer_ask(text), answer_fact(text, jsonb, timestamptz), answer_dsse(text),
	answer_grounded(text, jsonb), answer_retrieve(text, jsonb), answer.tool_server(jsonb), answer.tool_setting(jsonb),
	answer.tool_setting_value(text), answer.tool_extension(jsonb), answer.tool_database(jsonb), answer.tool_relation(jsonb),
	answer.tool_replication(jsonb), answer.tool_observation(jsonb), answer.tool_assessment(jsonb) TO answer_writer;

-- recorders: store readings, for which they can name any registered source; and agents and their tools, each for its own
-- investigations.  Recording output and signing also need what readers have.
CREATE ROLE answer_recorder;
GRANT USAGE ON SCHEMA answer TO answer_recorder;
GRANT EXECUTE ON FUNCTION answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz),
	answer_investigation_open(text, text, text), answer_investigation_record(bigint, text, text, text, jsonb, text[], text),
	answer_investigation_record_output(bigint, text, text, text, text, text[], text),
	answer_investigation_close(bigint), answer_quality_receipt(bigint) TO answer_recorder;

-- administrators: sources, tools and routes; documents and the rules that decide; judges; keys
CREATE ROLE answer_administrator;
GRANT answer_writer, answer_recorder TO answer_administrator;
GRANT EXECUTE ON FUNCTION answer_source_register(text, text, text, text, text, boolean), answer_source_remove(text),
	answer_tool_register(jsonb), answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb), answer_tool_remove(text),
	answer_route_suggest(regclass), answer_route_register(text, text, answer_route_kind, text, jsonb, jsonb, text[], jsonb),
	answer_route_refresh(text), answer.route_record(), answer_route_enable(text, boolean), answer_route_remove(text),
	answer_route_audit(text) TO answer_administrator;
GRANT EXECUTE ON FUNCTION answer_document_load, answer_document_facts_add, answer_document_facts, answer.decision_rules,
	answer_decision_rule_register, answer_decision_rule_remove, answer_judge_register, answer_judge_remove, answer_judge_assess,
	answer_judges TO answer_administrator;
GRANT EXECUTE ON FUNCTION answer_quality_class_register(text, text, text, text, text, answer_quality_relevance, boolean),
	answer_quality_grader_register(text, text, regprocedure, text, text, boolean), answer_quality_intent_register(text, jsonb, text, boolean),
	answer_quality_compatibility_register(text, text, answer_quality_level, boolean, boolean),
	answer_quality_authority_register(text, jsonb) TO answer_administrator;
GRANT EXECUTE ON FUNCTION answer_key_generate(), answer_key_retire(text, timestamptz), answer_key_compromise(text, timestamptz),
	answer_key_import_public(text, answer_key_status, timestamptz, timestamptz, timestamptz) TO answer_administrator;

-- anchorers: have receipts time-stamped
CREATE ROLE answer_anchorer;
GRANT answer_reader TO answer_anchorer;
GRANT EXECUTE ON FUNCTION answer_anchor_request(text, text), answer_anchor_attach(text, bytea) TO answer_anchorer;

-- erasers: forget.  They can erase the content of any receipt, but not that it was issued.
CREATE ROLE answer_eraser;
GRANT USAGE ON SCHEMA answer TO answer_eraser;
GRANT SELECT ON answer.tombstone TO answer_eraser;
GRANT EXECUTE ON FUNCTION answer_forget(text, text) TO answer_eraser;
