/* ground: what is pure: quality of retrieval, risk, ambiguity, citations */

CREATE FUNCTION answer.shipped_decision_rules() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_decision_rules'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.shipped_decision_rules() IS
'The decision rules that ship with this version, as one document; the tables of rules are filled from it; not for direct use. Result: an object of lists of words and phrases, topics, units, risk and ambiguity. A unit whose name the database''s encoding cannot write is left out. Errors: none.';
-- everybody's: a view that others are given calls it with their rights

CREATE FUNCTION answer.retrieval_quality(chunks jsonb, freshness_days int, now timestamptz) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_retrieval_quality'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.retrieval_quality(jsonb, int, timestamptz) IS
'What retrieved chunks are worth together. Arguments: chunks, an array of {chunk_id, doc_id, text, similarity (0 to 1), timestamp (optional: RFC 3339, without a zone UTC, or a date), title, uri, facts (optional)} in the order of retrieval (NULL: none); freshness_days, the age in days of 86400 seconds beyond which a chunk is stale (NULL: 90, 0: none is); now, the instant to judge at. Result: {confidence {max, mean, gap (first minus second similarity, null with fewer than two), hit_count}, freshness {oldest_timestamp, newest_timestamp, freshness_violation_count, freshness_violation, freshness_days}, top_doc_ids, top_timestamps}; the numbers are exact, rounded half-even to 4 decimals. A chunk without a timestamp, or with a text that is none, counts as stale. Errors: 22004 for a NULL now, 22023 for malformed chunks, a repeated chunk_id or negative days, 54000 for chunks of more than 134217728 bytes.';

CREATE FUNCTION answer.risk(query text, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_risk'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.risk(text, jsonb) IS
'How much hangs on a question, by the words that it holds. Arguments: query; rules, a whole document of decision rules (NULL: those that shipped). Result: {risk_level: low, medium or high; matched_keywords: the entries of the rules that decided, sorted by code point}. Errors: 22004 for a NULL query, 22023 for malformed rules, 54000 for a query of more than 16777216 bytes or rules of more than 134217728.';

CREATE FUNCTION answer.ambiguity(query text, rules jsonb DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_ambiguity'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.ambiguity(text, jsonb) IS
'What to ask back where a question leaves open what it is about. Arguments: query; rules, a whole document of decision rules (NULL: those that shipped). Result: the question of the first row of "ambiguity" that applies, or NULL where the query is clear. Errors: 22004 for a NULL query, 22023 for malformed rules, 54000 for a query of more than 16777216 bytes or rules of more than 134217728.';

CREATE FUNCTION @extschema@.answer_citations_check(citations jsonb, chunks jsonb, answer text, rules jsonb DEFAULT NULL, query text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_citations_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_citations_check(jsonb, jsonb, text, jsonb, text) IS
'Whether an answer''s citations hold, and what each of its sentences is by the texts alone. Arguments: citations, an array of chunk_ids (NULL: none); chunks, as of answer.retrieval_quality (NULL: none); answer (NULL: none, like a blank one); rules, a whole document of decision rules (NULL: those that shipped); query, the question, which an answer may quote (NULL: none). Result: {citation_valid, errors, warnings, recall (share of the answer''s sentences that have a marker or are quoted), precision (share of the cited chunks that a marker names or a sentence quotes), spans [{chunk_id, start, end, text}], sentences [{start, end, status, citations, missing {values, names}}]}. An error is a citation of what was not retrieved, a repeated one, more than 5, or none where not every sentence of the answer says that it cannot answer. Recall and precision are rounded half-even to 4 decimals, and null over nothing or after an error. A span is a text in quotation marks of at least 3 words, with its bytes in the answer in UTF-8 (end exclusive), and the first cited chunk that holds it, or null. A sentence''s status is insufficient, misquoted, quoted, contradicted or not_judged (what else it may be a judge says: answer_decide); citations are those that count for it; missing are its values and names that none of them has. Errors: 22023 for malformed citations, chunks or rules, 54000 for an answer or a query of more than 16777216 bytes or another argument of more than 134217728.';
