
/* gate: thresholds that answer the most cases of a suite and keep goals */

CREATE FUNCTION @extschema@.answer_suite_tune(suite text, goals jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_suite_tune'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_suite_tune(text, jsonb) IS
'Searches for the thresholds floor, confidence_threshold, confidence_threshold_high_risk, support_min and contradict_min that meet goals and answer the most cases of a suite. See doc/reference.md#answer_suite_tune.';
REVOKE ALL ON FUNCTION @extschema@.answer_suite_tune(text, jsonb) FROM PUBLIC;
