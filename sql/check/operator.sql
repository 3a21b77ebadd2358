
/* operator: the closed operator set; doc/spec/answer-eval.md section 3 */

CREATE TYPE @extschema@.answer_outcome AS ENUM ('holds', 'fails', 'not_evaluable');
COMMENT ON TYPE @extschema@.answer_outcome IS 'Outcome of an operator on an observed value.';

CREATE FUNCTION answer.operator(op text, observed jsonb, value jsonb, tol jsonb DEFAULT NULL)
RETURNS @extschema@.answer_outcome
AS 'MODULE_PATHNAME', 'answer_eval_operator'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;

COMMENT ON FUNCTION answer.operator(text, jsonb, jsonb, jsonb) IS
'Applies one operator of answer-eval/1 to an observed value. See doc/reference.md#answeroperator.';
