/* ground: pure functions: quality of retrieval, risk, ambiguity, citations; doc/spec/decision.md section 1 to section 3 */

CREATE FUNCTION answer.shipped_decision_rules() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_decision_rules'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.shipped_decision_rules() IS
'Returns the decision rules that ship with this version, as one document, from which the tables of rules are filled; not for direct use.';
-- callable by everybody: a view that is granted to others calls it with their privileges

CREATE FUNCTION answer.decision_rules_of(receipt jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decision_rules_of'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION answer.decision_rules_of(jsonb) IS
'Returns the rules that a decision was made by, as one document. See doc/reference.md#answerdecision_rules_of.';

CREATE FUNCTION answer.decision_config_of(receipt jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decision_config_of'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.decision_config_of(jsonb) IS
'Returns the configuration that a decision was made by, with all its keys. See doc/reference.md#answerdecision_config_of.';

CREATE FUNCTION answer.retrieval_quality(chunks jsonb, freshness_days int, now timestamptz) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_retrieval_quality'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.retrieval_quality(jsonb, int, timestamptz) IS
'Returns quality measures of the retrieved chunks as a set. See doc/reference.md#answerretrieval_quality.';

CREATE FUNCTION answer.risk(query text, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_risk'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.risk(text, jsonb) IS
'Returns how much depends on the answer to a question, by the words in it. See doc/reference.md#answerrisk.';

CREATE FUNCTION answer.ambiguity(query text, rules jsonb DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_ambiguity'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.ambiguity(text, jsonb) IS
'Returns the clarifying question for a question that leaves open what it is about. See doc/reference.md#answerambiguity.';

CREATE FUNCTION @extschema@.answer_citations_check(citations jsonb, chunks jsonb, answer text, rules jsonb DEFAULT NULL, query text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_citations_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_citations_check(jsonb, jsonb, text, jsonb, text) IS
'Returns whether an answer''s citations hold, and the status of each of its sentences by the texts alone. See doc/reference.md#answer_citations_check.';
