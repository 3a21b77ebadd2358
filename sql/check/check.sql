
/* check: one check against one fact; doc/spec/answer-eval.md §1 and §4 */

CREATE TYPE @extschema@.answer_verdict AS ENUM
	('supported', 'contradicted', 'value', 'not_evaluable',
	 'evidence_unavailable', 'outside_evidence_coverage', 'not_checked');
COMMENT ON TYPE @extschema@.answer_verdict IS 'Verdict of one check.';

CREATE TYPE @extschema@.answer_check_result AS
(
	verdict		@extschema@.answer_verdict,
	confidence	float8,
	observed	jsonb,
	explain		jsonb
);
COMMENT ON TYPE @extschema@.answer_check_result IS
'What answer_check returns: the verdict, the least confidence among the facts cited, the operand of the first expectation (NULL if it does not resolve), and why.';
COMMENT ON COLUMN @extschema@.answer_check_result.verdict IS 'Verdict of the check.';
COMMENT ON COLUMN @extschema@.answer_check_result.confidence IS 'Least confidence among the facts that the check cites, 0 to 1.';
COMMENT ON COLUMN @extschema@.answer_check_result.observed IS 'Value that the first expectation looked at. NULL: its path finds nothing.';
COMMENT ON COLUMN @extschema@.answer_check_result.explain IS 'Why: {"summary", "expectations"}, for people.';

CREATE FUNCTION @extschema@.answer_check("check" jsonb, evidence jsonb, evaluated_at timestamptz)
RETURNS @extschema@.answer_check_result
AS 'MODULE_PATHNAME', 'answer_eval_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;

COMMENT ON FUNCTION @extschema@.answer_check(jsonb, jsonb, timestamptz) IS
'Adjudicates one check by answer-eval/1. Arguments: check, {"id", "tool", "args", "expect", "observe", "required", "min_quality"}; evidence, a fact or an array of facts, of which operators read the first (NULL or an empty array: none arrived), and whose least "quality" must reach min_quality; evaluated_at, the instant that fresh_within_s measures from. Result: verdict, confidence from 0 to 1, observed, explain {"summary", "expectations"}, where the "note" of an expectation says that values of different JSON types were compared as text, the age for fresh_within_s, and that a fact is not fresh. Errors: 22004 for a NULL check or evaluated_at, 22023 for a malformed check or evidence that is not a fact, 22008 for an infinite evaluated_at, 54000 for a check or evidence of more than 16777216 bytes.';
