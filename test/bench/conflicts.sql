-- How well conflicts between chunks are found, and how fast: `test/bench/run.sh conflicts`. Prints figures, asserts
-- nothing.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

\ir ../lib/conflict_pairs.sql
\echo 'Labelled pairs: reported falsely, and missed'
SELECT half, agreeing, falsely, round(100.0 * falsely / agreeing, 1) AS "% (<= 3)", conflicting, missed,
	round(100.0 * missed / conflicting, 1) AS "% (<= 10)" FROM judgement ORDER BY half COLLATE "C" DESC;
\echo 'Every two of the paragraphs that agree with their own counterpart: hardly any are about the same thing'
SELECT count(*) AS paragraphs, count(*) * (count(*) - 1) / 2 AS pairs,
	jsonb_array_length(answer_conflicts(jsonb_agg(pg_temp.two_chunks(t, t)->0
		|| jsonb_build_object('chunk_id', n, 'doc_id', n)))->'pairs') AS reported
	FROM (SELECT t, row_number() OVER (ORDER BY md5(t))::text AS n FROM (SELECT a AS t FROM labelled WHERE NOT conflict
		UNION SELECT b FROM labelled WHERE NOT conflict) AS x) AS y;

-- Chunks made of the labelled paragraphs, each in a document of its own.
CREATE TEMP TABLE paragraph AS SELECT row_number() OVER (ORDER BY md5(t)) AS n, t
	FROM (SELECT a AS t FROM labelled UNION SELECT b FROM labelled) AS x;
CREATE FUNCTION pg_temp.chunks(count int, characters int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_build_object('chunk_id', 'd' || i || '#p0', 'doc_id', 'd' || i, 'similarity', 0.75,
		'timestamp', '2026-03-01T00:00:00Z', 'text', (SELECT left(string_agg(t, ' ' ORDER BY n), characters)
			FROM pg_temp.paragraph WHERE n BETWEEN i * 7 % 800 + 1 AND i * 7 % 800 + 8)))
		FROM generate_series(1, count) AS i $$;
-- The shortest of some runs, which is least disturbed by other work on the machine.
CREATE FUNCTION pg_temp.least_ms(call text, chunks jsonb, runs int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	least float8;
BEGIN
	FOR i IN 1 .. runs LOOP
		started := clock_timestamp();
		EXECUTE 'SELECT ' || call USING chunks;
		least := least(least, extract(epoch FROM clock_timestamp() - started) * 1000);
	END LOOP;
	RETURN round(least::numeric, 3);
END $$;

\echo 'Milliseconds (least of many runs)'
SELECT what, chunks, characters, pg_temp.least_ms(call, pg_temp.chunks(chunks, characters), runs) AS ms, target,
	jsonb_array_length(answer_conflicts(pg_temp.chunks(chunks, characters))->'pairs') AS conflicts
FROM (VALUES (1, 'conflicts', 'answer_conflicts($1)', 20, 400, 200, ''),
	(2, 'conflicts', 'answer_conflicts($1)', 50, 400, 200, '<= 5 ms'),
	(3, 'conflicts', 'answer_conflicts($1)', 200, 400, 20, ''),
	(4, 'conflicts', 'answer_conflicts($1)', 1000, 400, 3, ''))
	AS v (n, what, call, chunks, characters, runs, target) ORDER BY n;

-- For comparison, plain SQL over the same texts: a ranking and a comparison of trigrams.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
\echo 'A decision beside to_tsvector of each text, and beside one ts_rank and one trigram comparison of each (least of 200 runs); at most 1.5 times either'
SELECT chunks, characters, decision AS "decision ms", tsvector AS "to_tsvector ms", round(decision / tsvector, 2) AS "ratio to it",
	sql AS "SQL ms", round(decision / sql, 2) AS ratio
FROM (VALUES (20, 400)) AS v (chunks, characters),
	LATERAL (SELECT pg_temp.least_ms($$answer_decide('What is the fee for access?', $1, config => '{}', now => '2026-03-02Z')$$,
			pg_temp.chunks(chunks, characters), 200) AS decision,
		pg_temp.least_ms($$sum(length(to_tsvector('english', c ->> 'text'))) FROM jsonb_array_elements($1) AS c$$,
			pg_temp.chunks(chunks, characters), 200) AS tsvector,
		pg_temp.least_ms($$sum(ts_rank(to_tsvector('english', c ->> 'text'), plainto_tsquery('english', 'What is the fee for access?'))
			+ similarity(c ->> 'text', 'What is the fee for access?')) FROM jsonb_array_elements($1) AS c$$,
			pg_temp.chunks(chunks, characters), 200) AS sql) AS m;
