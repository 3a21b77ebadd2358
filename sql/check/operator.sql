
/* operator: the closed operator set */

CREATE TYPE @extschema@.answer_outcome AS ENUM ('holds', 'fails', 'not_evaluable');
COMMENT ON TYPE @extschema@.answer_outcome IS 'What an operator answers about an observed value.';

CREATE FUNCTION answer.operator(op text, observed jsonb, value jsonb, tol jsonb DEFAULT NULL)
RETURNS @extschema@.answer_outcome
AS 'MODULE_PATHNAME', 'answer_eval_operator'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;

COMMENT ON FUNCTION answer.operator(text, jsonb, jsonb, jsonb) IS
'Applies one operator of answer-eval/1 to an observed value. Arguments: op, one of eq, ne, lt, lte, gt, gte, between, abs_within, pct_within, in, contains, starts_with, ends_with, semver_eq, semver_gte, semver_lt, semver_prefix, exists, not_exists, fresh_within_s (never evaluable here, for it needs a fact); observed, SQL NULL meaning absent; value, what is expected; tol, the tolerance of abs_within and pct_within (in the value''s unit, or per cent). Result: holds, fails or not_evaluable. Errors: 22004 for a NULL op, 22023 for an unknown op or operands that the operator cannot take, 54000 for an argument of more than 16777216 bytes.';
