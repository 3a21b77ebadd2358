-- How fast a trace is read where there are one million events: `test/bench/run.sh trace`. The events are copies of those of one plan,
-- under other traces, so they are read and not verified. answer_trace() of one plan, by its trace and by its plan_id, is to take at
-- most 2 ms. Prints figures, asserts nothing. BENCH_SCALE divides the number of events.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;
\getenv scale BENCH_SCALE
\if :{?scale}
\else
	\set scale 1
\endif

CREATE FUNCTION bench_step(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT jsonb_build_object('n', (args ->> 'n')::int + 1) $$;
SELECT answer_tool_register('bench.step', 'bench_step(jsonb)', spec => '{"io": {"input": {"n": {"type": "integer", "required": true}},
	"output": {"n": "integer"}}, "constraints": {"latency_p50_ms": 1}}') \g /dev/null
SELECT answer_plan_execute(jsonb_build_object('plan', jsonb_build_object('plan_id', 'bench.trace', 'edges',
	'[["n1","n2"],["n2","n3"],["n3","n4"],["n4","n5"]]'::jsonb, 'nodes', (SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'call',
	'tool', 'bench.step', 'out', 'v' || i, 'args', jsonb_build_object('n', i)) ORDER BY i) FROM generate_series(1, 5) AS i)))) ->> 'trace_id' AS trace \gset
INSERT INTO answer.plan_event (tenant, trace_id, seq, plan_id, step, ts_end, event)
SELECT e.tenant, 't_' || md5(i::text), e.seq, 'bench.' || i % 1000, e.step, e.ts_end, e.event
FROM generate_series(1, 200000 / :scale) AS i, answer.plan_event e WHERE e.trace_id = :'trace';
INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_digest, role, status, evaluated_at, started_at, finished_at, verdict, receipt_id, issued_at)
SELECT r.tenant, 't_' || md5(i::text), 'bench.' || i % 1000, r.request_digest, r.role, r.status, r.evaluated_at + i * interval '1 ms',
	r.started_at + i * interval '1 ms', r.finished_at, r.verdict, r.receipt_id, r.issued_at
FROM generate_series(1, 200000 / :scale) AS i, answer.plan_run r WHERE r.trace_id = :'trace';
VACUUM ANALYZE answer.plan_event, answer.plan_run;

CREATE FUNCTION pg_temp.medians(call text, runs int, OUT events bigint, OUT ms numeric, OUT least_ms numeric) LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	took float8[] := '{}';
BEGIN
	FOR i IN 0 .. runs LOOP
		started := clock_timestamp();
		EXECUTE 'SELECT count(*) FROM ' || call INTO events;
		took := took || extract(epoch FROM clock_timestamp() - started)::float8 * 1000;
	END LOOP;
	-- the first one plans
	SELECT round((percentile_cont(0.5) WITHIN GROUP (ORDER BY t))::numeric, 3), round(min(t)::numeric, 3) INTO ms, least_ms
	FROM unnest(took[2:]) AS t;
END $$;
\echo
\echo 'Milliseconds to read a trace (median and least of 50)'
SELECT (SELECT count(*) FROM answer.plan_event) AS of_events, v.what, m.events, m.ms, m.least_ms, '<= 2' AS target,
	CASE WHEN m.ms <= 2 THEN 'yes' ELSE 'no' END AS met
FROM (VALUES (1, 'by its trace', format('answer_trace(%L)', :'trace')), (2, 'another one', format('answer_trace(%L)', 't_' || md5('77'))),
	(3, 'the newest of a plan', $$answer_trace('bench.77')$$)) AS v (n, what, call), LATERAL pg_temp.medians(v.call, 50) AS m ORDER BY n;
