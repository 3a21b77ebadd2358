
/* composite: the verdict of a batch and its confidence; doc/spec/answer-eval.md section 5 */

CREATE TYPE @extschema@.answer_composite_verdict AS ENUM
	('supported', 'contradicted', 'insufficient_evidence', 'evidenced',
	 'outside_evidence_coverage');
COMMENT ON TYPE @extschema@.answer_composite_verdict IS 'Verdict of a batch of checks.';

CREATE TYPE @extschema@.answer_composite_result AS
(
	verdict		@extschema@.answer_composite_verdict,
	confidence	float8,
	degraded	boolean,
	checks		bigint
);
COMMENT ON TYPE @extschema@.answer_composite_result IS
'Result of answer_composite: the verdict over the required checks, its confidence from 0 to 1 in hundredths, whether any check lost its evidence, and the number of checks.';
COMMENT ON COLUMN @extschema@.answer_composite_result.verdict IS 'Verdict over the required checks.';
COMMENT ON COLUMN @extschema@.answer_composite_result.confidence IS 'Confidence in the verdict, 0 to 1, in hundredths.';
COMMENT ON COLUMN @extschema@.answer_composite_result.degraded IS 'Whether any check, required or not, lost its evidence.';
COMMENT ON COLUMN @extschema@.answer_composite_result.checks IS 'Number of checks.';

-- The state is a bigint on purpose: exact, passed by value, and known to every node of a cluster. See
-- src/check/composite.c for its bits.
CREATE FUNCTION answer.composite_add(state bigint, verdict @extschema@.answer_verdict, confidence float8, required boolean)
RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_composite_add'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.composite_add(bigint, @extschema@.answer_verdict, float8, boolean) IS
'Transition function of the aggregate answer_composite; not for direct use.';

CREATE FUNCTION answer.composite_combine(state bigint, other bigint)
RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_composite_combine'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.composite_combine(bigint, bigint) IS
'Combine function of the aggregate answer_composite; not for direct use.';

CREATE FUNCTION answer.composite_final(state bigint)
RETURNS @extschema@.answer_composite_result
AS 'MODULE_PATHNAME', 'answer_eval_composite_final'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.composite_final(bigint) IS
'Final function of the aggregate answer_composite; not for direct use.';

CREATE AGGREGATE @extschema@.answer_composite(verdict @extschema@.answer_verdict, confidence float8, required boolean)
(
	SFUNC = answer.composite_add,
	STYPE = bigint,
	COMBINEFUNC = answer.composite_combine,
	FINALFUNC = answer.composite_final,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.answer_composite(@extschema@.answer_verdict, float8, boolean) IS
'Returns the composite verdict and confidence of a set of checks by answer-conf/1. See doc/reference.md#answer_composite.';
