
/* check: one check against one fact; doc/spec/answer-eval.md section 1 and section 4 */

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
'Result of answer_check: the verdict, the least confidence among the cited facts, the operand of the first expectation (NULL if it does not resolve), and why.';
COMMENT ON COLUMN @extschema@.answer_check_result.verdict IS 'Verdict of the check.';
COMMENT ON COLUMN @extschema@.answer_check_result.confidence IS 'Least confidence among the facts that the check cites, 0 to 1.';
COMMENT ON COLUMN @extschema@.answer_check_result.observed IS 'Value that the first expectation looked at. NULL: its path found nothing.';
COMMENT ON COLUMN @extschema@.answer_check_result.explain IS 'Reason for the verdict, for people: {"summary", "expectations"}.';

CREATE FUNCTION @extschema@.answer_check("check" jsonb, evidence jsonb, evaluated_at timestamptz)
RETURNS @extschema@.answer_check_result
AS 'MODULE_PATHNAME', 'answer_eval_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;

COMMENT ON FUNCTION @extschema@.answer_check(jsonb, jsonb, timestamptz) IS
'Adjudicates one check by answer-eval/1. See doc/reference.md#answer_check.';
