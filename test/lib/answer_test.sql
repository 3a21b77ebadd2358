-- Functions of the library that only tests call: parts of rules, each computed from its arguments alone. Tests give
-- them what no call of a user would have, for example tools that nobody registered.
CREATE SCHEMA IF NOT EXISTS answer_test;
CREATE OR REPLACE FUNCTION answer_test.plan_problems(plan jsonb, tools jsonb, OUT node text, OUT problem text) RETURNS SETOF record
AS '$libdir/answer_eval', 'answer_eval_plan_problems'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100 ROWS 5;
CREATE OR REPLACE FUNCTION answer_test.plan_outline(plan jsonb, tools jsonb, vars jsonb DEFAULT NULL, limits jsonb DEFAULT NULL, sides jsonb DEFAULT NULL) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_plan_outline'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
-- What a spec makes of a call, with nothing called.
CREATE OR REPLACE FUNCTION answer_test.tool_spec_apply(name text, spec jsonb, args jsonb, result jsonb DEFAULT NULL) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_tool_spec_apply'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
-- The evidence of ground-verify/2, with judgements that are given.
CREATE OR REPLACE FUNCTION answer_test.ground_verify(args jsonb, judging jsonb DEFAULT NULL, judgements jsonb DEFAULT NULL, rules jsonb DEFAULT NULL, at timestamptz DEFAULT NULL) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_ground_verify'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
-- What a gate reads of a run.
CREATE OR REPLACE FUNCTION answer_test.run_brief(run jsonb) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_run_brief'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
-- The rows of a run with their scores, and their sums.
CREATE OR REPLACE FUNCTION answer_test.run_score(rows jsonb, config jsonb, insufficiency jsonb) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_run_score'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
