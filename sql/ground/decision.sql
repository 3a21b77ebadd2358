/* ground: the decision, and what must be judged for it; doc/spec/decision.md section 7 */

CREATE FUNCTION @extschema@.answer_decide(query text, chunks jsonb, citations jsonb DEFAULT NULL, answer text DEFAULT NULL, config jsonb DEFAULT NULL,
	now timestamptz DEFAULT pg_catalog.now(), rules jsonb DEFAULT NULL, judgements jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decide'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 200;
COMMENT ON FUNCTION @extschema@.answer_decide(text, jsonb, jsonb, text, jsonb, timestamptz, jsonb, jsonb) IS
'Decides whether a question is answered from what was retrieved for it; it stores nothing and asks no judge. See doc/reference.md#answer_decide.';

CREATE FUNCTION @extschema@.answer_judge_pairs(query text, chunks jsonb, citations jsonb DEFAULT NULL, answer text DEFAULT NULL, config jsonb DEFAULT NULL,
	rules jsonb DEFAULT NULL, judgements jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_judge_pairs'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_judge_pairs(text, jsonb, jsonb, text, jsonb, jsonb, jsonb) IS
'Returns the pairs of texts that a decision over these arguments needs judged and that are not judged yet. See doc/reference.md#answer_judge_pairs.';
