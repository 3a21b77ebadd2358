/* ground: where chunks contradict each other */

CREATE FUNCTION @extschema@.answer_conflicts(chunks jsonb, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_conflicts'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_conflicts(jsonb, jsonb) IS
'Finds chunks of different documents that contradict each other, pair by pair: on encryption, on refunds, on what is allowed, in numbers with units, in sentences that say the same but for a value or a negation, and in facts that were read out of them. Arguments: chunks, an array of {chunk_id, doc_id, text, similarity, timestamp?, title?, facts? [{subject, attribute, value, unit?, scope?, quote}]} (NULL: none); rules, a document as answer.decision_rules() gives it (NULL: the rules that shipped). Result: {conflict_detected, conflict_type (policy, numeric or null: of the first pair), pairs, compared (chunks), summary}; a pair is {chunk_a, chunk_b, reason, conflict_type, kind (encryption, refund, policy, numeric, copy or fact), evidence_snippets {a, b}}, in the order of the chunks, and at most one for two chunks. Errors: 22023 for malformed chunks or rules, naming the place; 54000 for an argument of more than 134217728 bytes, or conflicts that take more.';
