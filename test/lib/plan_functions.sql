-- What is wrong with a plan, and how it would be executed, given the tools as a document: answer_plan_validate and
-- answer_plan_explain ask the same C code about registered tools. Tests give it tools that nobody registered.
CREATE SCHEMA IF NOT EXISTS plan_test;
CREATE OR REPLACE FUNCTION plan_test.plan_problems(plan jsonb, tools jsonb, OUT node text, OUT problem text) RETURNS SETOF record
AS '$libdir/answer_eval', 'answer_eval_plan_problems'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100 ROWS 5;
CREATE OR REPLACE FUNCTION plan_test.plan_outline(plan jsonb, tools jsonb, vars jsonb DEFAULT NULL, limits jsonb DEFAULT NULL, sides jsonb DEFAULT NULL) RETURNS jsonb
AS '$libdir/answer_eval', 'answer_eval_plan_outline'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
