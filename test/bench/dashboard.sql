-- How fast the dashboard reads 10,000,000 answers of 30 days, and what it costs minting: `test/bench/run.sh dashboard`.
-- The answers are rows of the roll-up's queue, as minting writes them, counted by answer_rollup(). Each view should take at most
-- 100 ms, the pages 300 ms, and the queue's row at most 10 % of minting. Then the same with two tenants of 1,000,000 answers each
-- in addition, as the operator, who reads all, and as a tenant's role. Prints figures, asserts nothing. SCALE divides the number
-- of answers. Beside the time it shows the CPU time of the server's process (Linux), which depends less on a busy machine.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;
\getenv scale BENCH_SCALE
\if :{?scale}
\else
	\set scale 1
\endif
SELECT count(answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "semver_gte", "value": "15"}}, {"tool": "postgres_setting", "args": {"name": "fsync"}}]}'))
FROM generate_series(1, 30) \g /dev/null
SELECT answer_log_seal() \g /dev/null
SELECT receipt_id AS receipt FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1 \gset
SELECT setseed(0.5) \g /dev/null

-- Ten intents, six kinds of verdicts, latencies from milliseconds to seconds; inserted day by day, in order of time.
CREATE PROCEDURE pg_temp.mint(whose text, answers bigint) LANGUAGE plpgsql AS $$
DECLARE
	until timestamptz := clock_timestamp();
BEGIN
	FOR day IN 0 .. 29 LOOP
		INSERT INTO answer.rollup_new (tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported,
			citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words)
		SELECT whose, until - (30 - day - i / (answers / 30.0)) * interval '1 day', v.schema, v.verdict, 'intent ' || i % 10,
			(SELECT key_id FROM answer.signing_key), make_interval(secs => 0.002 + exp(random() * 4) / 100),
			CASE WHEN v.schema = 'plan/v1' THEN 0.001 END, round(random()::numeric, 2), v.supported, v.supported AND l.cited AND NOT l.wrong,
			v.supported AND v.required, v.supported AND l.cited, v.supported AND l.wrong, l.refusal = 'conflict_detected', v.supported AND i % 4 = 0,
			CASE WHEN v.supported THEN 3 ELSE 0 END, CASE WHEN v.supported THEN 2 + l.cited::int4 ELSE 0 END, l.refusal, v.words
		FROM generate_series(1, answers / 30) AS i
		JOIN (VALUES (0, 'answer/v1', 'supported', true, true, '{"check supported": 2, "call postgres_server ok": 2, "source postgres": 2, "confidence postgres": 180}'::jsonb, NULL),
			(1, 'answer/v1', 'insufficient_evidence', false, false, '{"check evidence_unavailable": 1, "call weather 57014": 1}', 'insufficient_evidence'),
			(2, 'decision/v1', 'ANSWER', true, true, NULL, NULL), (3, 'decision/v1', 'ABSTAIN', false, false, '{"reason stale_documents": 1}', 'many'),
			(4, 'decision/v1', 'BLOCK', false, true, '{"reason invalid_citations": 1}', 'invalid_citations'),
			(5, 'plan/v1', 'answered', true, true, '{"call doc.search ok": 1, "ms doc.search ok": 120, "timed doc.search ok": 1}', NULL))
			AS v (n, schema, verdict, supported, required, words, refusal) ON v.n = i % 6
		CROSS JOIN LATERAL (SELECT random() > 0.05 AS cited, random() < 0.02 AS wrong, CASE v.refusal WHEN 'many'
			THEN (ARRAY['stale_documents', 'conflict_detected', 'low_retrieval_confidence'])[1 + i / 6 % 3] ELSE v.refusal END AS refusal OFFSET 0) AS l;
		COMMIT;
		PERFORM answer_rollup();
		COMMIT;
	END LOOP;
END $$;
\timing on
\echo 'Queueing and counting'
CALL pg_temp.mint('', 10000000 / :scale);
\timing off
VACUUM ANALYZE answer.rollup, answer.rollup_latency, answer.rollup_kept, answer.rollup_new, answer.rollup_word;
SELECT (SELECT count(*) FROM answer.rollup_kept) AS answers, (SELECT count(*) FROM answer.rollup) AS sums,
	(SELECT pg_size_pretty(sum(pg_total_relation_size(t.relid))) FROM pg_partition_tree('answer.rollup') AS t) AS sums_size,
	pg_size_pretty(pg_total_relation_size('answer.rollup_latency')) AS latencies_size, pg_size_pretty(pg_total_relation_size('answer.rollup_kept')) AS answers_size;

CREATE FUNCTION pg_temp.worked_ms() RETURNS float8 LANGUAGE sql SECURITY DEFINER AS $$
	SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 200, true), ' ', 1)::float8 / 1000000
$$;
CREATE FUNCTION pg_temp.medians(call text, runs int, OUT ms numeric, OUT worked_ms numeric) LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	worked float8;
	taken float8[];
	works float8[];
BEGIN
	FOR i IN 0 .. runs LOOP
		started := clock_timestamp();
		worked := pg_temp.worked_ms();
		EXECUTE call;
		-- the first reads from the disk
		IF i > 0 THEN
			taken := taken || extract(epoch FROM clock_timestamp() - started)::float8 * 1000;
			works := works || pg_temp.worked_ms() - worked;
		END IF;
	END LOOP;
	SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.taken)::numeric, 1), round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.worked)::numeric, 1)
	INTO ms, worked_ms FROM unnest(taken, works) AS t (taken, worked);
END $$;
CREATE VIEW pg_temp.look WITH (security_invoker = on) AS
SELECT v.name AS view, m.ms, m.worked_ms, v.target
FROM (SELECT c.relname::text AS name, format('SELECT count(v.*) FROM answer.%I AS v', c.relname) AS call, 100 AS target
	FROM pg_class c
	WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'v' AND c.relname ~ '^(slo|dashboard)_'
	UNION ALL SELECT 'answer_dashboard_page()', 'SELECT answer_dashboard_page()', 300
	UNION ALL SELECT 'answer_receipt_html(id)', format('SELECT answer_receipt_html(%L)', :'receipt'), 300 WHERE current_user = session_user) AS v
CROSS JOIN LATERAL pg_temp.medians(v.call, 5) AS m
ORDER BY 3 DESC;
GRANT SELECT ON pg_temp.look TO PUBLIC;
SELECT * FROM pg_temp.look;

\echo 'The same, an hour after answer_rollup() ran last'
INSERT INTO answer.rollup_new
SELECT * FROM answer.rollup_kept WHERE issued_at > (SELECT max(issued_at) - interval '1 hour' FROM answer.rollup_kept);
SELECT * FROM pg_temp.look WHERE ms > 20;
SELECT answer_rollup() \g /dev/null

-- The cost for minting: the row in a statement of its own, which is more than within another one; and its words.
CREATE FUNCTION pg_temp.row_us(runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz := clock_timestamp();
BEGIN
	FOR i IN 1 .. runs LOOP
		INSERT INTO answer.rollup_new (issued_at, schema, verdict, key_id, took, confidence, given, supported, citation_required, citation_given,
			contradicted, prevented, unjudged, sentences, grounded, words)
		VALUES (started, 'answer/v1', 'supported', 'ae-ed25519-000000000000', '1 ms', 0.9, true, true, false, true, false, false, false, 0, 0, '{"check supported": 2}');
	END LOOP;
	RETURN round(extract(epoch FROM clock_timestamp() - started) * 1000000 / runs, 1);
END $$;
CREATE FUNCTION pg_temp.words_us(runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	body	jsonb := (SELECT r.body FROM answer.receipt r WHERE r.schema = 'answer/v1' ORDER BY r.issued_at LIMIT 1);
	started timestamptz := clock_timestamp();
BEGIN
	FOR i IN 1 .. runs LOOP
		PERFORM answer.receipt_words(body);
	END LOOP;
	RETURN round(extract(epoch FROM clock_timestamp() - started) * 1000000 / runs, 1);
END $$;
CREATE FUNCTION pg_temp.mint_us(runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz := clock_timestamp();
BEGIN
	FOR i IN 1 .. runs LOOP
		PERFORM answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "exists"}}]}');
	END LOOP;
	RETURN round(extract(epoch FROM clock_timestamp() - started) * 1000000 / runs, 1);
END $$;
BEGIN;
SELECT pg_temp.mint_us(200), pg_temp.row_us(200) \g /dev/null
SELECT mint AS mint_us, queue AS row_us, words AS words_us, round(100 * (queue + words) / mint, 1) AS percent, 10 AS target
FROM (SELECT pg_temp.mint_us(3000) AS mint, pg_temp.row_us(3000) AS queue, pg_temp.words_us(3000) AS words) AS t;
ROLLBACK;

CALL pg_temp.mint('acme', 1000000 / :scale);
CALL pg_temp.mint('globex', 1000000 / :scale);
SELECT answer_tenant_create('acme'), answer_tenant_create('globex') \g /dev/null
CREATE ROLE bench_acme;
SELECT answer_tenant_grant('acme', 'bench_acme'), answer_dashboard_grant('bench_acme') \g /dev/null
GRANT EXECUTE ON FUNCTION answer_eval(jsonb) TO bench_acme;
-- a row in the last page would keep VACUUM from truncating the queue
SELECT answer_rollup() \g /dev/null
VACUUM ANALYZE answer.rollup, answer.rollup_latency, answer.rollup_kept, answer.rollup_new, answer.rollup_word;
\echo 'As the operator, who reads two tenants beside its own'
SELECT * FROM pg_temp.look;
\echo 'As the role of a tenant'
SET ROLE bench_acme;
SELECT count(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) FROM generate_series(1, 30) \g /dev/null
SELECT * FROM pg_temp.look;
RESET ROLE;
SET client_min_messages = error;
DROP OWNED BY bench_acme;
DROP ROLE bench_acme;

-- At the end, because it fills some hours with many times the answers of others.
\echo 'Counting, each in proportion to the rows'
CREATE FUNCTION pg_temp.counted(most bigint, OUT documents bigint, OUT worked_ms numeric, OUT us_a_document numeric) LANGUAGE plpgsql AS $$
DECLARE
	worked float8;
BEGIN
	INSERT INTO answer.rollup_new
	SELECT * FROM answer.rollup_kept WHERE issued_at > (SELECT max(issued_at) - interval '10 hours' FROM answer.rollup_kept) LIMIT most;
	worked := pg_temp.worked_ms();
	documents := answer_rollup();
	worked := pg_temp.worked_ms() - worked;
	worked_ms := round(worked::numeric, 1);
	us_a_document := round((worked * 1000 / documents)::numeric, 2);
END $$;
SELECT c.* FROM unnest('{1000,10000,50000,100000,200000}'::bigint[]) AS n, LATERAL pg_temp.counted(n) AS c;
