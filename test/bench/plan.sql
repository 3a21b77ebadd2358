-- How fast the pure functions of plans are: `test/bench/run.sh plan`. Prints figures, asserts nothing.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;
\ir ../lib/answer_test.sql

CREATE FUNCTION pg_temp.tools() RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
	SELECT '{"quick": {"io": {"input": {"q": "string"}, "output": {"hits": "array"}}, "constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0.0001}}}'::jsonb $$;
-- each node reads the name that the one before it binds
CREATE FUNCTION pg_temp.chain(nodes int, edges int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'p', 'nodes', (SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'call', 'tool', 'quick', 'out', 'v' || i,
			'args', jsonb_build_object('q', CASE WHEN i > 1 THEN '$v' || i - 1 ELSE 'x' END)) ORDER BY i) FROM generate_series(1, nodes) AS i),
		'edges', (SELECT jsonb_agg(jsonb_build_array('n' || i, 'n' || i + d) ORDER BY d, i)
			FROM (SELECT * FROM generate_series(1, 20) AS d, generate_series(1, nodes - d) AS i ORDER BY d, i LIMIT edges) AS e)) $$;
-- if, else if, ...: one name that is bound on every side
CREATE FUNCTION pg_temp.choices(count int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'p', 'nodes', (SELECT jsonb_agg(n) FROM generate_series(1, count) AS i, LATERAL (VALUES
			(jsonb_build_object('id', 'b' || i, 'op', 'branch', 'if', '$INPUT.x == ' || i)),
			(jsonb_build_object('id', 'n' || i, 'op', 'call', 'tool', 'quick', 'out', 'v'))) AS v (n)),
		'edges', (SELECT jsonb_agg(e) FROM generate_series(1, count) AS i, LATERAL (VALUES
			(jsonb_build_object('from', 'b' || i, 'to', 'n' || i, 'label', 'then')),
			(CASE WHEN i < count THEN jsonb_build_object('from', 'b' || i, 'to', 'b' || i + 1, 'label', 'else') END)) AS v (e) WHERE e IS NOT NULL)) $$;
-- The shortest of some runs, which is least disturbed by other work on the machine.
CREATE FUNCTION pg_temp.least_ms(call text, given jsonb, runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	least float8;
BEGIN
	FOR i IN 1 .. runs LOOP
		started := clock_timestamp();
		EXECUTE 'SELECT ' || call USING given;
		least := least(least, extract(epoch FROM clock_timestamp() - started) * 1000);
	END LOOP;
	RETURN round(least::numeric, 3);
END $$;

\echo 'Milliseconds to validate a plan, and to validate, forecast and order it (least of many runs)'
SELECT what, nodes, edges, pg_temp.least_ms('count(*) FROM answer_test.plan_problems($1, pg_temp.tools())', plan, 50) AS validated, target,
	pg_temp.least_ms('answer_test.plan_outline($1, pg_temp.tools())', plan, 50) AS outlined
FROM (VALUES (1, 'chain', pg_temp.chain(250, 249), ''), (2, 'chain', pg_temp.chain(500, 499), ''), (3, 'chain', pg_temp.chain(1000, 999), '<= 20 ms'),
	(4, 'edges', pg_temp.chain(1000, 5000), ''), (5, 'edges', pg_temp.chain(1000, 10000), ''), (6, 'branches', pg_temp.choices(250), ''),
	(7, 'branches', pg_temp.choices(500), '')) AS v (n, what, plan, target),
	LATERAL (SELECT jsonb_array_length(plan -> 'nodes') AS nodes, jsonb_array_length(plan -> 'edges') AS edges) AS l ORDER BY n;

\echo 'Milliseconds of a condition'
SELECT what, pg_temp.least_ms(call, given, runs) AS ms FROM (VALUES
	(1, 'one, a thousand times', 'count(answer.condition(''$ev1.verdict.confidence >= 0.90'', $1 || jsonb_build_object(''i'', i))) FROM generate_series(1, 1000) AS i',
		'{"ev1": {"verdict": {"confidence": 0.91}}}'::jsonb, 20),
	(2, 'the same in SQL', 'count((($1 || jsonb_build_object(''i'', i)) #>> ''{ev1,verdict,confidence}'')::numeric >= 0.90) FROM generate_series(1, 1000) AS i',
		'{"ev1": {"verdict": {"confidence": 0.91}}}', 20),
	(3, '100 kB', 'answer.condition(''true'' || repeat('' && $a.b < 3'', 8300), $1)', '{"a": {"b": 2}}', 20),
	(4, '200,000 levels', 'answer.condition(repeat(''('', 200000) || ''true'' || repeat('')'', 200000), $1)', '{}', 20),
	(5, 'a million numbers, a thousand times', 'answer.condition(''true'' || repeat('' && mean($a) < 3'', 1000), $1)',
		(SELECT jsonb_build_object('a', jsonb_agg(1)) FROM generate_series(1, 1000000)), 3)) AS v (n, what, call, given, runs) ORDER BY n;

\echo 'Milliseconds of a verdict of 1,000 claims with 2 supports and a contradiction each'
SELECT pg_temp.least_ms('answer.evidence_verdict($1)', (SELECT jsonb_build_object('claims', jsonb_agg('c' || i),
	'supports', jsonb_agg(jsonb_build_object('claim', 'c' || i, 'confidence', 0.93)) || jsonb_agg(jsonb_build_object('claim', 'c' || i, 'confidence', 0.91)),
	'contradicts', jsonb_agg(jsonb_build_object('claim', 'c' || i, 'weight', 0.18))) FROM generate_series(1, 1000) AS i), 20) AS ms;
