-- Data of the benchmark `budget` (budget.sh): 32 tenants with a cap, one without, and a plan of five steps.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

CREATE FUNCTION bench_step(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT jsonb_build_object('n', (args ->> 'n')::int + 1) $$;
SELECT answer_tool_register('bench.step', 'bench_step(jsonb)', spec => '{"io": {"input": {"n": {"type": "integer", "required": true}},
	"output": {"n": "integer"}}, "constraints": {"cost_per_call_usd": 0.001, "latency_p50_ms": 1}}');
SELECT answer_plan_register(jsonb_build_object('plan_id', 'bench', 'edges', '[["n1","n2"],["n2","n3"],["n3","n4"],["n4","n5"]]'::jsonb, 'nodes',
	(SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'call', 'tool', 'bench.step', 'out', 'v' || i,
		'args', jsonb_build_object('n', CASE WHEN i > 1 THEN to_jsonb('$v' || i - 1) ELSE '0' END)) ORDER BY i) FROM generate_series(1, 5) AS i)));
SELECT count(answer_tenant_create('t' || i)) FROM generate_series(0, 31) AS i;
SELECT answer_tenant_create('free');
SELECT count(answer_budget_set('t' || i, p, 1e6)) FROM generate_series(0, 31) AS i, unnest('{day,month}'::text[]) AS p;
