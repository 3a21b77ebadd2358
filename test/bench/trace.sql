-- How fast a trace and the dashboard's views of plans are read among one million events: `test/bench/run.sh trace`. The events are
-- copies of those of one plan, with other traces, so they are read but not verified; each plan has its run, its reservation and its
-- row in the roll-up, each event its call of a tool. answer_trace() for one plan, by its trace and by its plan_id, also for a plan
-- with half of all traces, should take at most 2 ms, and each view of plans at most 100 ms. Prints figures, asserts nothing.
-- BENCH_SCALE divides the number of events. Beside the time it shows the CPU time of the server's process (Linux), which depends
-- less on a busy machine, and decides.
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
SELECT e.tenant, 't_' || md5(i::text), e.seq, CASE WHEN i % 2 = 0 THEN 'bench.often' ELSE 'bench.' || i % 1000 END, e.step, e.ts_end, e.event
FROM generate_series(1, 200000 / :scale) AS i, answer.plan_event e WHERE e.trace_id = :'trace';
INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_digest, role, status, evaluated_at, started_at, finished_at, verdict, receipt_id, issued_at)
SELECT r.tenant, 't_' || md5(i::text), CASE WHEN i % 2 = 0 THEN 'bench.often' ELSE 'bench.' || i % 1000 END, r.request_digest, r.role, r.status, r.evaluated_at + i * interval '1 ms',
	r.started_at + i * interval '1 ms', r.finished_at, r.verdict, r.receipt_id, r.issued_at
FROM generate_series(1, 200000 / :scale) AS i, answer.plan_run r WHERE r.trace_id = :'trace';
INSERT INTO answer.budget_reservation (tenant, trace_id, day, reserved_usd, reserved_ms, charged_usd, charged_ms, step_usd, step_ms, pid,
	backend_start, settled_at)
SELECT b.tenant, 't_' || md5(i::text), b.day, b.reserved_usd, b.reserved_ms, b.charged_usd, b.charged_ms, 0, 0, b.pid, b.backend_start, b.settled_at
FROM generate_series(1, 200000 / :scale) AS i, answer.budget_reservation b WHERE b.trace_id = :'trace';
SELECT answer_budget_set('', p, 1000) FROM unnest('{day,month}'::text[]) AS p \g /dev/null
-- over thirty days, as minting adds them
INSERT INTO answer.rollup_new (issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required,
	citation_given, contradicted, prevented, unjudged, sentences, grounded, words)
SELECT clock_timestamp() - i * interval '30 days' / (200000 / :scale), 'plan/v1', 'answered', 'intent ' || i % 10, r.key_id,
	make_interval(secs => 0.005), 0.001, 0.9, true, true, false, true, false, false, false, 1, 1,
	jsonb_build_object('call bench.step ok', 5, 'us bench.step ok', 500, 'timed bench.step ok', 5)
FROM generate_series(1, 200000 / :scale) AS i, answer.receipt r WHERE r.schema = 'plan/v1';
SELECT answer_rollup() \g /dev/null
-- Ten tools, each with one call per second. The next answer_rollup() would delete most of these calls; here it was not called for long.
\ir ../lib/tool_calls.sql
SELECT calls.add('bench.' || t, ARRAY(SELECT (50 + random() * 100)::bigint FROM generate_series(1, 100000 / :scale)), clock_timestamp())
FROM generate_series(0, 9) AS t \g /dev/null
VACUUM ANALYZE answer.plan_event, answer.plan_run, answer.budget_reservation, answer.rollup, answer.rollup_latency, answer.rollup_kept,
	answer.rollup_new, answer.rollup_word, answer.tool_call;

CREATE FUNCTION pg_temp.worked_ms() RETURNS float8 LANGUAGE sql AS $$
	SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 200, true), ' ', 1)::float8 / 1000000
$$;
-- CPU time is the mean, because Linux counts it in steps of some milliseconds.
CREATE FUNCTION pg_temp.medians(call text, runs int, OUT rows_read bigint, OUT ms numeric, OUT least_ms numeric, OUT worked_ms numeric) LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	worked float8;
	took float8[] := '{}';
BEGIN
	FOR i IN 0 .. runs LOOP
		-- the first one plans
		IF i = 1 THEN
			worked := pg_temp.worked_ms();
		END IF;
		started := clock_timestamp();
		EXECUTE format('SELECT count(v.*) FROM %s AS v', call) INTO rows_read;
		took := took || extract(epoch FROM clock_timestamp() - started)::float8 * 1000;
	END LOOP;
	worked_ms := round(((pg_temp.worked_ms() - worked) / runs)::numeric, 3);
	SELECT round((percentile_cont(0.5) WITHIN GROUP (ORDER BY t))::numeric, 3), round(min(t)::numeric, 3) INTO ms, least_ms
	FROM unnest(took[2:]) AS t;
END $$;
SELECT count(*) AS of_events FROM answer.plan_event \gset
\echo
\echo 'Milliseconds to read a trace of' :of_events 'events, and a view of what plans came to (median and least, and processor time)'
SELECT v.what, m.*, '<= ' || v.target AS target, CASE WHEN m.worked_ms <= v.target THEN 'yes' ELSE 'no' END AS met
FROM (SELECT 1, 'by its trace', format('answer_trace(%L)', :'trace'), 200, 2
	UNION ALL SELECT 2, 'another one', format('answer_trace(%L)', 't_' || md5('77')), 200, 2
	UNION ALL SELECT 3, 'the newest of a plan', $$answer_trace('bench.77')$$, 200, 2
	UNION ALL SELECT 4, 'the newest of a plan that was executed most', $$answer_trace('bench.often')$$, 200, 2
	UNION ALL SELECT 5, 'answer.' || c.relname, 'answer.' || c.relname, 10, 100
		FROM pg_class c WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'v'
			AND c.relname ~ '^(tool_latency|budget|slo_.*|dashboard_(budgets|tools|verdicts|reasons|latency|slo|intents))$') AS v (n, what, call, runs, target),
	LATERAL pg_temp.medians(v.call, v.runs) AS m ORDER BY v.n, m.worked_ms DESC, v.what;
