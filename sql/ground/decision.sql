/* ground: the decision */

CREATE FUNCTION @extschema@.answer_decide(query text, chunks jsonb, citations jsonb DEFAULT NULL, answer text DEFAULT NULL, config jsonb DEFAULT NULL,
	now timestamptz DEFAULT pg_catalog.now(), rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decide'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 200;
COMMENT ON FUNCTION @extschema@.answer_decide(text, jsonb, jsonb, text, jsonb, timestamptz, jsonb) IS
'Whether a question is answered from what was retrieved for it; nothing is stored. Arguments: query; chunks, as of answer_retrieval_quality (NULL: none); citations and answer, which are checked where either is given; config, an object with keys of a configuration (NULL: the one in force); now, the instant to judge freshness at; rules, a whole document of decision rules (NULL: those in force). Result: {decision: ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN or BLOCK; reasons; user_message (null for ANSWER); thresholds {conf_max, freshness_days, min_chunks}; signals {retrieval_confidence_max, retrieval_hit_count, freshness_violation}; risk, retrieval_quality, conflicts; validation (null where neither citations nor an answer were given)}. Errors: 22004 for a NULL query or now, 22023 for malformed chunks, citations or rules, for an unknown key of the config or a value that it cannot have, 54000 for a query or an answer of more than 16777216 bytes or another argument of more than 134217728 bytes, or conflicts that take more.';
