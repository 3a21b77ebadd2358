-- How long a suite of 1,000 cases runs, compared with the calls alone: `test/bench/run.sh gate`. Prints figures, asserts nothing.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

-- the shortest of some runs, which is least disturbed by other work on the machine
CREATE FUNCTION pg_temp.least_ms(statement text, runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	least float8;
BEGIN
	FOR i IN 1 .. runs LOOP
		started := clock_timestamp();
		EXECUTE statement;
		least := least(least, extract(epoch FROM clock_timestamp() - started) * 1000);
	END LOOP;
	RETURN round(least::numeric, 1);
END $$;
CREATE FUNCTION bench_tool(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT '{"v": 1}'::jsonb $$;
SELECT FROM answer_tool_register('bench.tool', 'bench_tool(jsonb)');
CREATE TEMP TABLE bench_case AS
SELECT n, format('Are refunds of item %s allowed?', n) AS query, jsonb_build_array(
	jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'similarity', 0.9, 'timestamp', '2024-05-20', 'text', format('Refunds of item %s are allowed within 30 days.', n)),
	jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'similarity', 0.8, 'timestamp', '2024-05-21', 'text', format('Item %s comes with a receipt.', n)),
	jsonb_build_object('chunk_id', 'c#p0', 'doc_id', 'c', 'similarity', 0.7, 'timestamp', '2024-05-22', 'text', 'Shipping takes three days.')) AS chunks,
	jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'bench.tool', 'expect', '{"path": "v", "op": "eq", "value": 1}'::jsonb))) AS request
FROM generate_series(1, 1000) AS n;
SELECT FROM answer_suite_load('bench.grounded', (SELECT jsonb_agg(jsonb_build_object('id', n::text, 'query', query, 'expected_outcome', 'ANSWER',
	'risk_level', 'high', 'chunks', chunks) ORDER BY n) FROM bench_case), '[]', '2024-06-01');
SELECT FROM answer_suite_load('bench.checks', (SELECT jsonb_agg(jsonb_build_object('id', n::text, 'kind', 'check', 'request', request,
	'expected_verdict', 'supported') ORDER BY n) FROM bench_case), '[]', '2024-06-01');
SELECT FROM answer_suite_load('bench.searched', (SELECT jsonb_agg(jsonb_build_object('id', n::text, 'query', query, 'expected_outcome', 'ANSWER',
	'risk_level', 'high') ORDER BY n) FROM bench_case), (SELECT jsonb_agg(jsonb_build_object('doc_id', 'd' || n, 'title', 'Refunds', 'timestamp', '2024-05-20',
		'text', format(E'Refunds of item %s are allowed within 30 days.\n\nItem %s comes with a receipt.', n, n)) ORDER BY n) FROM bench_case WHERE n <= 100), '2024-06-01');

SELECT FROM answer_document_load((SELECT jsonb_agg(jsonb_build_object('doc_id', 'd' || n, 'title', 'Refunds', 'timestamp', '2024-05-20',
	'text', format(E'Refunds of item %s are allowed within 30 days.\n\nItem %s comes with a receipt.', n, n)) ORDER BY n) FROM bench_case WHERE n <= 100));

\echo 'Milliseconds of a suite of 1,000 cases, and of the 1,000 bare calls (least of 5)'
SELECT what, suite AS suite_ms, bare AS bare_ms, round(suite / bare, 2) AS times, target FROM (VALUES
	(1, 'grounded, with their chunks, beside answer_decide',
		pg_temp.least_ms('SELECT answer_suite_run(''bench.grounded'')', 5),
		pg_temp.least_ms('SELECT count(answer_decide(query, chunks, now => ''2024-06-01'')) FROM bench_case', 5), '<= 3'),
	(2, 'checks, beside answer_eval',
		pg_temp.least_ms('SELECT answer_suite_run(''bench.checks'')', 5),
		pg_temp.least_ms('SELECT count(answer_eval(request)) FROM bench_case', 5), '<= 3'),
	(3, 'grounded, over 100 documents, beside answer_search',
		pg_temp.least_ms('SELECT answer_suite_run(''bench.searched'')', 5),
		pg_temp.least_ms('SELECT count(s) FROM bench_case, LATERAL answer_search(query) AS s', 5), '')) AS v (n, what, suite, bare, target) ORDER BY n;

\echo 'Milliseconds to judge, to read and to verify a run of 1,000 cases'
SELECT answer_suite_run('bench.grounded') AS run \gset
SELECT pg_temp.least_ms(format('SELECT answer_gate(%L)', :'run'), 5) AS gate, pg_temp.least_ms(format('SELECT answer_run(%L)', :'run'), 5) AS read,
	pg_temp.least_ms(format('SELECT answer_verify(answer_run(%L))', :'run'), 5) AS verify,
	pg_temp.least_ms(format('SELECT count(*) FROM answer.run_case WHERE run_id = %L', :'run'), 5) AS cases;
