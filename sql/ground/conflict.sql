/* ground: contradictions between chunks; doc/spec/decision.md section 4 */

CREATE FUNCTION @extschema@.answer_conflicts(chunks jsonb, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_conflicts'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_conflicts(jsonb, jsonb) IS
'Finds chunks of different documents that contradict each other, pair by pair. See doc/reference.md#answer_conflicts.';
