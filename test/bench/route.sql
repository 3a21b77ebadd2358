-- How the time to route a question grows with its length and with the table: `test/bench/run.sh route`. Prints times and ratios, asserts nothing.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

CREATE FUNCTION told(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT args $$;
SELECT answer_tool_register('told', 'told(jsonb)', options => '{"optional_args": ["a"]}') \g /dev/null
CREATE TABLE measured (shape text, routes int, bytes int, ms float8);

-- Shapes of tables.  "usual": routes differ in their first words.  "alive": every route reads to the last word.  "busy":
-- in addition each word is a word of every route, which is the worst case without lists.
CREATE PROCEDURE fill(shape text, routes int) LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM answer.route WHERE NOT seed;
	UPDATE answer.route SET enabled = false;
	INSERT INTO answer.route (route_id, position, pattern, kind, tool, args, examples)
	SELECT format('r%s', i), i, format(CASE shape WHEN 'usual' THEN 'what is [the] topic%s of {a} [in {b}]' WHEN 'alive' THEN '{a:words} word%s'
			ELSE '{a:words} is (big|small|of size|in the year|red|green|blue) word%s' END, i),
		'interrogative', 'told', '{"a": "{a}"}', '{x}'
	FROM generate_series(1, routes) AS i;
END $$;

-- The shortest of some runs, which is least disturbed by other work on the machine, after one that loads the table.
CREATE FUNCTION time_of(shape text, bytes int, runs int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	question text := left(CASE shape WHEN 'usual' THEN repeat('what is the topic of words ', bytes / 20 + 1) WHEN 'alive' THEN repeat('words of some length ', bytes / 20 + 1)
		ELSE (SELECT string_agg((ARRAY['is', 'big', 'red', 'of', 'size', 'in', 'the', 'year'])[1 + (hashint4(i) & 7)], ' ') FROM generate_series(1, bytes / 3 + 1) AS i) END, bytes);
	started timestamptz;
	took float8[];
BEGIN
	PERFORM answer.route_compile('x');
	FOR i IN 1 .. runs LOOP
		started := clock_timestamp();
		PERFORM answer.route_compile(question);
		took := took || extract(epoch FROM clock_timestamp() - started) * 1000;
	END LOOP;
	RETURN (SELECT min(t) FROM unnest(took) AS t);
END $$;

DO $$
DECLARE
	s text;
	r int;
	b int;
BEGIN
	FOREACH s IN ARRAY '{usual,alive,busy}'::text[] LOOP
		FOREACH r IN ARRAY '{10,100,1000,10000}'::int[] LOOP
			CALL fill(s, r);
			FOREACH b IN ARRAY '{1024,10240,102400,1048576}'::int[] LOOP
				INSERT INTO measured VALUES (s, r, b, time_of(s, b, CASE WHEN s = 'busy' AND r::bigint * b > 500000000 THEN 2 ELSE 7 END));
			END LOOP;
		END LOOP;
	END LOOP;
END $$;

\echo 'Routing a question that is refused at the very end, or at once: milliseconds (least of 7 runs, of 2 for the largest)'
SELECT shape, routes, max(round(ms::numeric, 3)) FILTER (WHERE bytes = 1024) AS "1 KB", max(round(ms::numeric, 3)) FILTER (WHERE bytes = 10240) AS "10 KB",
	max(round(ms::numeric, 2)) FILTER (WHERE bytes = 102400) AS "100 KB", max(round(ms::numeric, 1)) FILTER (WHERE bytes = 1048576) AS "1 MB"
FROM measured GROUP BY shape, routes ORDER BY shape DESC, routes;
\echo 'Ten times the question, or the table, takes so many times as long (linear: at most 10)'
SELECT shape, routes, bytes, round((ms / lag(ms) OVER (PARTITION BY shape, routes ORDER BY bytes))::numeric, 1) AS "for 10 times the bytes", round((ms / lag(ms) OVER (PARTITION BY shape, bytes ORDER BY routes))::numeric, 1) AS "for 10 times the routes"
FROM measured ORDER BY shape DESC, routes, bytes;
\echo 'The worst case at 1 MB and 10,000 routes: seconds, and the target for routes that stay alive'
SELECT shape, round((ms / 1000)::numeric, 2) AS seconds, CASE shape WHEN 'alive' THEN 2 END AS "at most" FROM measured WHERE routes = 10000 AND bytes = 1048576 AND shape <> 'usual' ORDER BY shape;
\echo 'Nanoseconds for a word and a route, where every word is one of every route'
SELECT round(min(ms * 1e6 / routes / (bytes / 4.1))::numeric, 1) AS least, round(max(ms * 1e6 / routes / (bytes / 4.1))::numeric, 1) AS most FROM measured WHERE shape = 'busy' AND routes >= 100;

\echo 'A table of 10,000 routes, asked for the last of them: milliseconds'
CALL fill('usual', 10000);
DO $$
DECLARE
	started timestamptz := clock_timestamp();
	first float8;
	later float8[];
BEGIN
	PERFORM answer.route_compile('what is topic10000 of x');
	first := extract(epoch FROM clock_timestamp() - started) * 1000;
	FOR i IN 1 .. 200 LOOP
		started := clock_timestamp();
		PERFORM answer.route_compile('what is topic10000 of x');
		later := later || extract(epoch FROM clock_timestamp() - started) * 1000;
	END LOOP;
	CREATE TABLE load AS SELECT first, (SELECT min(t) FROM unnest(later) AS t) AS later;
END $$;
SELECT round(first::numeric, 1) AS "first question after a change", round(later::numeric, 3) AS "every other (least)", pg_size_pretty((SELECT used_bytes FROM pg_backend_memory_contexts WHERE name = 'answer_eval route table')) AS memory, pg_size_pretty(pg_column_size(answer_route_table())::bigint) AS content FROM load;

\echo 'A short question over the built-in routes: microseconds (least of 2000, in turns), and what it costs beside its checks'
DELETE FROM answer.route WHERE NOT seed;
UPDATE answer.route SET enabled = true;
DO $$
DECLARE
	queries text[] := ARRAY['SELECT answer_ask(''Is the setting fsync on?'')', 'SELECT answer_eval(''{"checks": [{"tool": "postgres_setting", "args": {"name": "fsync"}, "expect": {"op": "eq", "value": true}}]}'')',
		'SELECT answer.route_compile(''Is the setting fsync on?'')', 'SELECT answer_ask(''Who am I?'')'];
	started timestamptz;
BEGIN
	CREATE TABLE turn (query int, us float8);
	FOR i IN 1 .. 2000 LOOP
		FOR q IN 1 .. 4 LOOP
			started := clock_timestamp();
			EXECUTE queries[q];
			INSERT INTO turn VALUES (q, extract(epoch FROM clock_timestamp() - started) * 1e6);
		END LOOP;
	END LOOP;
END $$;
SELECT ask, eval, round(ask / eval, 2) AS "ask / eval", compile, refusal FROM (SELECT min(us) FILTER (WHERE query = 1)::numeric AS ask, min(us) FILTER (WHERE query = 2)::numeric AS eval, min(us) FILTER (WHERE query = 3)::numeric AS compile, min(us) FILTER (WHERE query = 4)::numeric AS refusal FROM turn) AS x;
