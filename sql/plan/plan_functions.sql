/* plan: pure functions: conditions, binding, verdicts of evidence, markers, references, times to live, tokens;
   doc/spec/plan.md section 1 to section 4, section 7, section 9 and section 14 */

CREATE FUNCTION answer.condition(condition text, bindings jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_condition'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.condition(text, jsonb) IS
'Evaluates a condition of a plan. See doc/reference.md#answercondition.';

CREATE FUNCTION answer.bind(args jsonb, bindings jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_bind'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.bind(jsonb, jsonb) IS
'Returns the arguments of a step with their references resolved. See doc/reference.md#answerbind.';

CREATE FUNCTION answer.evidence_verdict(evidence jsonb, min_confidence numeric DEFAULT NULL, regulated boolean DEFAULT false) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_evidence_verdict'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.evidence_verdict(jsonb, numeric, boolean) IS
'Returns the verdict of evidence by ground-conf/1. See doc/reference.md#answerevidence_verdict.';

CREATE FUNCTION answer.markers_check(text text, citations jsonb, needs_citation boolean) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_markers_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.markers_check(text, jsonb, boolean) IS
'Returns whether the markers [1], [2], ... of a text and its citations belong together. See doc/reference.md#answermarkers_check.';

CREATE FUNCTION answer.reference_list(citations jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_references'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.reference_list(jsonb) IS
'Returns the list of references below an answer. See doc/reference.md#answerreference_list.';

CREATE FUNCTION answer.memory_expires(ttl text, written_at timestamptz) RETURNS timestamptz
AS 'MODULE_PATHNAME', 'answer_eval_memory_expires'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.memory_expires(text, timestamptz) IS
'Returns the instant at which a remembered value expires. See doc/reference.md#answermemory_expires.';

CREATE FUNCTION answer.tokens(value jsonb) RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_tokens'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.tokens(jsonb) IS
'Returns the estimated number of tokens of a value: a fourth of the characters of its canonical form, rounded down. See doc/reference.md#answertokens.';
