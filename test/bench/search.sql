-- How fast chunks are found among many, compared with PostgreSQL's own ranked text search for the same words:
-- `test/bench/run.sh search`. Prints figures, asserts nothing. SCALE divides the number of documents: with
-- BENCH_SCALE=0.1 there are a million chunks.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
\getenv scale BENCH_SCALE
\if :{?scale}
\else
	\set scale 1
\endif

-- Words in three forms each: a few are in most texts and most are in few, as in a natural language.
CREATE FUNCTION pg_temp.word(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT (SELECT string_agg(substr('bcdfghjklmnprstv', 1 + (h >> (6 * i)) % 16, 1) || substr('aeio', 1 + (h >> (6 * i + 4)) % 4, 1), '')
			FROM generate_series(0, 1 + n / 3 % 3) AS i)
		|| substr('lmnrst', 1 + h % 6, 1) || CASE n % 3 WHEN 0 THEN 's' WHEN 1 THEN 'ing' ELSE '' END
	FROM (SELECT (n / 3 * 2654435761 % 16777216)::int) AS f (h) $$;
CREATE FUNCTION pg_temp.words(count int) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT string_agg(pg_temp.word(1 + (30000 * power(random(), 4))::int), ' ') FROM generate_series(1, count) $$;
SELECT setseed(0.5) \g /dev/null
CREATE TEMP TABLE given AS SELECT n, jsonb_build_object('doc_id', 'd' || n, 'title', pg_temp.words(4 + 0 * n), 'timestamp', '2024-01-01', 'text',
	(SELECT string_agg(pg_temp.words(40 + 0 * p), E'\n\n') FROM generate_series(1, 4 + 0 * n) AS p)) AS document
FROM generate_series(1, (25000 / :scale)::int) AS n;

CREATE PROCEDURE pg_temp.load() LANGUAGE plpgsql AS $$
DECLARE
	batch jsonb;
BEGIN
	FOR batch IN SELECT jsonb_agg(document) FROM given GROUP BY n / 1000 LOOP
		PERFORM answer_document_load(batch);
		COMMIT;
	END LOOP;
END $$;
CREATE ROLE bench_tenant;
SELECT answer_tenant_create('bench'), answer_tenant_grant('bench', 'bench_tenant') \g /dev/null
GRANT USAGE ON SCHEMA answer TO bench_tenant;
GRANT EXECUTE ON FUNCTION answer_document_load, answer_search, answer_grounded, answer_eval TO bench_tenant;
GRANT SELECT ON given TO bench_tenant;
SET ROLE bench_tenant;
\timing on
\echo 'Loading'
CALL pg_temp.load();
\timing off
RESET ROLE;
VACUUM ANALYZE answer.chunk_search, answer.chunk_item, answer.chunk, answer.document;
SELECT (SELECT chunks FROM answer.document_set WHERE tenant = 'bench') AS chunks, (SELECT count(*) FROM answer.chunk_item) AS items,
	pg_size_pretty(pg_total_relation_size('answer.chunk')) AS chunk, pg_size_pretty(pg_total_relation_size('answer.chunk_search')) AS chunk_search,
	pg_size_pretty(pg_total_relation_size('answer.chunk_item')) AS chunk_item;
CREATE TEMP TABLE plain AS SELECT chunk_id, text, to_tsvector('simple', title || ' ' || text) AS words FROM answer.chunk WHERE tenant = 'bench';
CREATE INDEX ON plain USING gin (words);
VACUUM ANALYZE plain;
GRANT SELECT ON plain TO bench_tenant;
SET ROLE bench_tenant;

-- The shortest of some runs, which is least disturbed by other work on the machine.
CREATE FUNCTION pg_temp.least_ms(call text, query text, runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	least float8;
BEGIN
	FOR i IN 1 .. runs LOOP
		started := clock_timestamp();
		EXECUTE call USING query;
		least := least(least, extract(epoch FROM clock_timestamp() - started) * 1000);
	END LOOP;
	RETURN round(least::numeric, 2);
END $$;

\echo 'Milliseconds for 5 hits (least of 7 runs); candidates: chunks with one of the words, exactly'
SELECT what, query, (SELECT count(*) FROM plain WHERE words @@ replace(query, ' ', ' | ')::tsquery) AS candidates, ours, plain,
	round(ours / plain, 2) AS ratio, to_char(best, '0.9999') AS similarity
FROM (VALUES (1, 'rare words', 20000, 23456, 27891), (2, 'one rare, two common', 25001, 3, 9), (3, 'middling words', 300, 1200, 2500), (4, 'common words', 2, 3, 5))
	AS v (n, what, a, b, c), LATERAL (SELECT concat_ws(' ', pg_temp.word(a), pg_temp.word(b), pg_temp.word(c)) AS query) AS q,
	LATERAL (SELECT pg_temp.least_ms('SELECT count(*) FROM answer_search($1)', query, 7) AS ours,
		pg_temp.least_ms($$SELECT count(*) FROM (SELECT chunk_id FROM plain WHERE words @@ replace($1, ' ', ' | ')::tsquery
			ORDER BY ts_rank(words, replace($1, ' ', ' | ')::tsquery) DESC, chunk_id LIMIT 5) AS s$$, query, 7) AS plain,
		(SELECT max(similarity) FROM answer_search(query)) AS best) AS m ORDER BY n;

-- Six words with the frequencies of the texts, asked by the role of the tenant that owns the documents; each the shortest of 4 runs.
\echo 'Six words, as a tenant''s role: milliseconds for 5 hits, of 60 questions; a million chunks: median at most 30, worst 300'
CREATE TEMP TABLE question AS SELECT n, pg_temp.words(6 + 0 * n) AS query FROM generate_series(1, 60) AS n;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS median, percentile_disc(0.9) WITHIN GROUP (ORDER BY ms) AS "9 in 10",
	max(ms) AS worst
FROM (SELECT pg_temp.least_ms('SELECT count(*) FROM answer_search($1)', query, 4) AS ms FROM question) AS m;
RESET ROLE;

\echo 'Reading a text beside to_tsvector of it, microseconds; at most 1.0 times'
SELECT round(ours, 1) AS reading, round(plain, 1) AS to_tsvector, round(ours / plain, 2) AS ratio
FROM (SELECT pg_temp.least_ms($$SELECT count((answer.search_items(tenant, text, title)).sketch) FROM (SELECT * FROM answer.chunk LIMIT 2000) AS c
		WHERE $1 IS NOT NULL$$, '', 5) / 2 AS ours,
		pg_temp.least_ms($$SELECT count(to_tsvector('english', title || ' ' || text)) FROM (SELECT * FROM answer.chunk LIMIT 2000) AS c
		WHERE $1 IS NOT NULL$$, '', 5) / 2 AS plain) AS m;

SET ROLE bench_tenant;
-- answer_grounded() writes a receipt each time; for comparison, a check of an unknown tool is only signed and stored.
\echo 'The whole way beside the search in it, one signature and one insert (least of 7 runs); at most 2 times'
SELECT query, grounded AS "answer_grounded ms", search AS "search ms", receipt AS "receipt ms",
	round(grounded / (search + receipt), 2) AS ratio
FROM (VALUES (1, 'rare words', 20000, 23456, 27891), (2, 'one rare, two common', 25001, 3, 9), (3, 'middling words', 300, 1200, 2500))
	AS v (n, what, a, b, c), LATERAL (SELECT concat_ws(' ', pg_temp.word(a), pg_temp.word(b), pg_temp.word(c)) AS query) AS q,
	LATERAL (SELECT pg_temp.least_ms('SELECT answer_grounded($1)', query, 7) AS grounded,
		pg_temp.least_ms('SELECT count(*) FROM answer_search($1)', query, 7) AS search,
		pg_temp.least_ms($$SELECT answer_eval('{"checks": [{"tool": "none"}]}') FROM (SELECT $1) AS q$$, query, 7) AS receipt) AS m
ORDER BY n;
