-- Handlers, graders and views that call answer_eval again, three deep, and change in the midst of it what those further
-- out are at.
-- Under AddressSanitizer and valgrind this finds what points into memory that was given back meanwhile.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET answer_eval.allow_drop = on;
SET client_min_messages = error;
SET timezone = 'UTC';

CREATE TABLE meddling (sql text);
INSERT INTO meddling VALUES (NULL);
SELECT answer_source_register('reentry'), answer_quality_class_register('Deep');

-- Minutes to answer in, for servers that run under valgrind.
CREATE FUNCTION ask(question text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_eval(jsonb_build_object('question', question, 'deadline_ms', 60000))
$$;
-- 3 asks a question, which calls 2, which evaluates a check, which calls 1, which asks for a fact, which calls 0, which
-- meddles.
CREATE FUNCTION deep(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	n int := (args ->> 'n')::int;
	receipt jsonb;
	below text;
BEGIN
	IF n = 0 THEN
		EXECUTE (SELECT sql FROM meddling);
		RETURN '{"v": "0"}';
	ELSIF n = 1 THEN
		below := coalesce(answer_fact('deep', '{"n": 0}') ->> 'value', 'nothing');
	ELSE
		receipt := CASE n WHEN 3 THEN ask('go 2')
			ELSE answer_eval('{"deadline_ms": 60000, "checks": [{"tool": "deep", "args": {"n": 1}}]}') END;
		below := concat_ws(' ', receipt #>> '{checks,0,observed}', receipt #>> '{checks,0,explain,sqlstate}',
			CASE WHEN NOT answer_verify_ok(receipt) THEN 'NOT VERIFIED' END);
	END IF;
	RETURN jsonb_build_object('v', n || ' ' || below);
EXCEPTION WHEN raise_exception THEN
	RETURN jsonb_build_object('v', n || ' caught ' || sqlerrm);
END
$$;
SELECT answer_tool_register('deep', 'deep(jsonb)', required_args => '{n}', value_path => 'v',
	options => '{"source": "reentry"}',
	freshness => '1 hour');
CREATE TABLE word (word text);
INSERT INTO word SELECT 'word' || i FROM generate_series(1, 2000) AS i;
SELECT answer_route_register('go', 'go {n:count}', 'interrogative', 'deep', '{"n": "{n}"}', examples => '{go 2}',
	options => '{"place": 1}'),
	answer_route_register('word', 'say {w:list}', 'interrogative', 'deep', '{"n": "{w}"}', examples => '{say word7}',
		options => '{"lists": {"w": {"table": "public.word", "column": "word"}}, "place": 2}');
CREATE FUNCTION after_meddling(meddle text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	receipt jsonb;
	fact jsonb;
	said text;
BEGIN
	UPDATE meddling SET sql = meddle;
	receipt := ask('go 3. go 2');
	said := concat_ws(' ', receipt ->> 'verdict', receipt #>> '{checks,0,observed}',
		receipt #>> '{checks,0,explain,sqlstate}', '|', receipt #>> '{checks,1,observed}',
		receipt #>> '{checks,1,explain,sqlstate}', receipt #>> '{checks,1,explain,message}',
		CASE WHEN NOT answer_verify_ok(receipt) THEN 'NOT VERIFIED' END,
		CASE WHEN NOT (answer_replay(receipt) -> 'ok')::boolean THEN 'NOT REPLAYED' END);
	RAISE EXCEPTION USING errcode = 'UNDO0', message = said;
EXCEPTION WHEN sqlstate 'UNDO0' THEN
	RETURN sqlerrm;	-- and all of it is undone
WHEN OTHERS THEN
	RETURN sqlstate || ': ' || sqlerrm;
END
$$;
SELECT meddle, after_meddling(meddle) FROM unnest(ARRAY['SELECT 1',
	-- the table of routes
	$$SELECT answer_route_register('new', 'new {n:count}', 'interrogative', 'deep', '{"n": "{n}"}', $$ ||
		$$examples => '{new 2}')$$, $$SELECT answer_route_remove('word')$$, 'DELETE FROM answer.route WHERE NOT seed',
	'UPDATE answer.route SET enabled = false', 'TRUNCATE answer.route', 'DELETE FROM answer.route_state',
	$$INSERT INTO word VALUES ('more'); SELECT answer_route_refresh()$$,
	$$SELECT answer_route_enable('postgres.uptime', false), answer_coverage(), answer_route_explain('say word7')$$,
	'ALTER TABLE answer.route ADD COLUMN more int; UPDATE answer.route SET more = 1',
	'ALTER TABLE answer.route_table ADD COLUMN more int DEFAULT 1', $$SELECT answer_ask('What is this?')$$,
	-- tools
	$$SELECT answer_tool_register('deep', 'deep(jsonb)', required_args => '{n}', replace => true)$$,
	$$SELECT answer_tool_register('deep', replace => true)$$, 'DELETE FROM answer.tool', 'DELETE FROM answer.source',
	'ALTER TABLE answer.tool ADD COLUMN more int',
	$$SELECT answer_tool_register('deep', 'deep(jsonb)', required_args => '{n,other}', value_path => 'a.b.c.d', $$ ||
		$$replace => true)$$,
	-- graders and rules
	$$SELECT answer_quality_class_register('Deeper'); SELECT answer_quality_authority_register('deep', '{}')$$,
	'DELETE FROM answer.quality_tool',
	-- the handler itself
	$$CREATE OR REPLACE FUNCTION public.deep(args jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT $$ ||
		$$jsonb_build_object(''v'', ''another one'')'$$, 'DROP FUNCTION public.deep',
	'ALTER FUNCTION public.deep RENAME TO deeper',
	'DROP FUNCTION public.deep; CREATE FUNCTION public.deep(args jsonb) RETURNS text LANGUAGE sql AS $_$ SELECT '
		'NULL::text $_$', 'ALTER FUNCTION public.deep OWNER TO pg_monitor',
	'ALTER FUNCTION public.deep SECURITY DEFINER SET search_path = pg_catalog',
	-- plans and types
	'DISCARD PLANS', 'DEALLOCATE ALL', 'ALTER TABLE answer.receipt ADD COLUMN more int',
	'ALTER TABLE answer.unsealed ADD COLUMN more int', 'ANALYZE answer.receipt, answer.route, answer.tool',
	$$ALTER TYPE answer_verdict ADD VALUE 'perhaps'$$,
	$$ALTER TYPE answer_composite_verdict RENAME VALUE 'evidenced' TO 'seen'$$,
	-- errors
	'SELECT 1/0', $$DO 'BEGIN RAISE EXCEPTION $_$inside$_$; END'$$,
	$$DO 'BEGIN PERFORM answer_route_remove($_$word$_$); RAISE EXCEPTION $_$undone$_$; EXCEPTION WHEN $$ ||
		$$raise_exception THEN NULL; END'$$,
	$$DO 'BEGIN PERFORM answer_eval($_${"checks": [{"tool": "postgres_server"}]}$_$), $$ ||
		$$answer_ask($_$say word7$_$); PERFORM 1/0; EXCEPTION WHEN division_by_zero THEN PERFORM $$ ||
		$$answer_route_remove($_$word$_$); END'$$,
	'SET LOCAL search_path = pg_temp; SET LOCAL statement_timeout = 0; SET LOCAL TimeZone = 7',
	'CREATE TEMP TABLE tool (tool text) ON COMMIT DROP',
	'DECLARE c CURSOR FOR SELECT 1; LISTEN reentry; SELECT pg_advisory_xact_lock(1)']) AS meddle;
-- of itself nothing has changed
SELECT after_meddling('SELECT 1'), (SELECT count(*) FROM answer.route WHERE NOT seed) AS routes;

-- The extension goes, and comes back, while it is at work: an error and nothing in the new tables, and the session goes
-- on.
-- answer_fact has six seconds, in which a busy machine may not create the extension. Then nothing is shown, and
-- nothing fails.
CREATE FUNCTION over(meddle text, call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	UPDATE meddling SET sql = meddle;
	EXECUTE call;
	RAISE EXCEPTION USING errcode = 'UNDO0', message = 'not refused';
EXCEPTION WHEN sqlstate 'XX000' THEN
	RETURN sqlstate;	-- of a function or type that is gone: the message has its number
WHEN query_canceled THEN
	IF sqlerrm NOT LIKE '%deadline of 6000 ms passed' THEN
		RAISE;
	END IF;
	RETURN CASE WHEN meddle LIKE '%CREATE%' THEN
		'55000: the extension answer_eval was dropped and created again during the call'
		ELSE '3F000: schema "answer" does not exist' END;
WHEN OTHERS THEN
	RETURN sqlstate || ': ' || regexp_replace(sqlerrm, 'ae-ed25519-\w+', 'KEY');
END
$$;
-- Each call and each way back once, for the extension takes long to create; pgtap/house_reentry has every call with
-- every way.
SELECT call, over('DROP EXTENSION answer_eval CASCADE' || back, call) AS gone
FROM (VALUES ($$SELECT answer_fact('deep', '{"n": 0}')$$, ''),
	($$SELECT answer_fact('deep', '{"n": 0}')$$, '; CREATE EXTENSION answer_eval SCHEMA public'),
	($$SELECT answer_eval('{"deadline_ms": 60000, "checks": [{"tool": "deep", "args": {"n": 0}}]}')$$,
		'; CREATE EXTENSION answer_eval SCHEMA public; SELECT answer_key_generate()'),
	($$SELECT ask('go 3')$$, '; CREATE SCHEMA "else where"; CREATE EXTENSION answer_eval SCHEMA "else where"'))
	AS way (call, back);
SELECT after_meddling('SELECT 1');

-- Graders, three deep: from answer.grade, from a fact, and from a recording.
CREATE FUNCTION judge(observation jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT (NULL, 'Weak', 'Low', '')::answer_graded
$$;
SELECT answer_quality_grader_register('judged', 'Deep', 'judge(jsonb)');
CREATE TABLE investigated AS SELECT answer_investigation_open('Chat', 'how deep?') AS i;
CREATE OR REPLACE FUNCTION judge(observation jsonb) RETURNS answer_graded LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
DECLARE
	n int := (observation ->> 'n')::int;
	below text;
BEGIN
	IF n = 0 THEN
		EXECUTE (SELECT sql FROM meddling);
		RETURN (NULL, 'Weak', 'Low', '0')::answer_graded;
	ELSIF n = 1 THEN
		below := (answer.grade('judged', jsonb_build_object('n', n - 1))).reason;
	ELSIF n = 2 THEN
		below := (answer_investigation_record((SELECT i FROM investigated), 'judged', 'q', 't', '{"n": 1}')).reason;
	ELSE
		below := (answer.grade('judged', jsonb_build_object('n', n - 1))).reason;
	END IF;
	RETURN (NULL, 'Strong', 'High', n || ' ' || below)::answer_graded;
END
$$;
CREATE FUNCTION after_grading(meddle text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	recorded answer_recorded;
BEGIN
	UPDATE meddling SET sql = meddle;
	FOR n IN 1..2 LOOP
		recorded := answer_investigation_record((SELECT i FROM investigated), 'judged', '', '', '{"n": 3}');
	END LOOP;
	RAISE EXCEPTION USING errcode = 'UNDO0',
		message = concat_ws(' ', recorded.class, recorded.quality, recorded.strength, recorded.reason, recorded.is_new,
		(SELECT count(*) FROM answer.quality_entry e JOIN investigated v ON v.i = e.investigation),
		(SELECT string_agg(q.class || q.quality, ',') FROM investigated v, answer_quality(v.i) AS q),
		answer_replay(answer_quality_receipt((SELECT i FROM investigated))) ->> 'ok');
EXCEPTION WHEN sqlstate 'UNDO0' THEN
	RETURN sqlerrm;
WHEN internal_error THEN
	RETURN sqlstate;	-- of a function or type that is gone: the message has its number
WHEN OTHERS THEN
	RETURN sqlstate || ': ' || regexp_replace(sqlerrm, 'investigation \d+', 'investigation N');
END
$$;
SELECT meddle, after_grading(meddle)
FROM unnest(ARRAY['SELECT 1', $$SELECT answer_quality_grader_register('other', 'Deep', 'judge(jsonb)')$$,
	'DELETE FROM answer.quality_tool', $$UPDATE answer.quality_tool SET class = 'Build' WHERE tool = 'judged'$$,
	'SELECT answer_investigation_close(i) FROM investigated', 'SELECT answer_quality_receipt(i) FROM investigated',
	'DELETE FROM answer.quality_compatibility',
	'CREATE OR REPLACE FUNCTION public.judge(observation jsonb) RETURNS answer_graded LANGUAGE sql AS $_$ SELECT '
		'(NULL, $q$Moderate$q$, NULL, $q$another$q$)::answer_graded $_$', 'DROP FUNCTION public.judge',
	'DROP FUNCTION public.judge; CREATE FUNCTION public.judge(observation jsonb) RETURNS TABLE (class bigint, quality '
		'text, strength text, reason bigint) LANGUAGE sql AS $_$ SELECT 4096::bigint, $q$Strong$q$, $q$Low$q$, '
		'8192::bigint $_$',
	'DROP FUNCTION public.judge; CREATE FUNCTION public.judge(observation jsonb) RETURNS answer_quality_gap LANGUAGE '
		'sql AS $_$ SELECT NULL::answer_quality_gap $_$',
	'CREATE OR REPLACE FUNCTION public.judge(observation jsonb) RETURNS answer_graded LANGUAGE sql AS $_$ SELECT '
		'NULL::answer_graded $_$',
	'ALTER TYPE answer_graded ADD ATTRIBUTE more text', 'ALTER TYPE answer_graded RENAME ATTRIBUTE reason TO why',
	$$ALTER TYPE answer_strength_level RENAME VALUE 'High' TO 'Higher'$$, 'DISCARD PLANS',
	'ALTER TABLE answer.quality_entry ADD COLUMN more int', 'ALTER TABLE answer.quality_tool ADD COLUMN more int',
	'SELECT 1/0']) AS meddle;
SELECT answer_tool_register('judged', required_args => '{n}');
SELECT answer_evidence_add('judged', jsonb_build_object('n', n), jsonb_build_object('n', n), 'reentry',
	'2026-01-01Z') IS NOT NULL AS added
FROM generate_series(1, 3) AS n;
UPDATE meddling SET sql = 'DISCARD PLANS';
SELECT f ->> 'quality' AS quality,
	(SELECT string_agg(c ->> 'observed', ' ')
		FROM answer_eval('{"checks": [{"tool": "judged", "args": {"n": 3}, "observe": true, "expect": {"path": "n"}}, '
			'{"tool": "judged", "args": {"n": 2}, "observe": true, "expect": {"path": "n"}}]}') AS r,
			jsonb_array_elements(r -> 'checks') AS c) AS observed
FROM answer_fact('judged', '{"n": 3}') AS f;

-- Lists whose view reads, registers and refreshes lists.
CREATE FUNCTION worded() RETURNS SETOF text LANGUAGE plpgsql SET search_path = public AS $$
BEGIN
	IF current_setting('reentry.depth', true) IS NULL OR current_setting('reentry.depth')::int < 3 THEN
		PERFORM set_config('reentry.depth', (coalesce(current_setting('reentry.depth', true), '0')::int + 1)::text,
			true);
		PERFORM answer_route_register('w' || current_setting('reentry.depth'),
			current_setting('reentry.depth') || ' {w:list}', 'interrogative', 'deep', '{"n": "{w}"}',
			examples => ARRAY[current_setting('reentry.depth') || ' word7'],
			options => '{"lists": {"w": {"table": "public.words", "column": "word"}}}');
		PERFORM answer.route_compile('say word7');
	ELSIF current_setting('reentry.depth')::int = 3 THEN
		PERFORM set_config('reentry.depth', '4', true);
		PERFORM answer_route_refresh();
	ELSE
		UPDATE answer.route SET description = 'seen' WHERE route_id = 'word';
	END IF;
	RETURN QUERY SELECT w.word FROM word AS w;
END
$$;
CREATE VIEW words AS SELECT w AS word FROM worded() AS w;
SELECT answer_route_register('w0', '0 {w:list}', 'interrogative', 'deep', '{"n": "{w}"}', examples => '{0 word7}',
	options => '{"lists": {"w": {"table": "public.words", "column": "word"}}}');
SELECT route_id, jsonb_array_length(list_values -> 'w') AS words FROM answer.route WHERE NOT seed ORDER BY position;
SELECT answer.route_compile('2 word1999') #>> '{route,route_id}' AS route, answer_route_audit() AS audit;
SELECT state_of('DROP VIEW words; CREATE VIEW words AS SELECT 1/(random() * 0)::int || $$x$$ AS word') AS dropped,
	state_of($$SELECT answer_route_refresh('w0')$$) AS refreshed,
	answer.route_compile('2 word1999') #>> '{route,route_id}' AS route;

-- Deadlines, three deep: the earliest ends the call that set it, and no other.
CREATE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	r jsonb;
BEGIN
	IF (args ->> 'n')::int = 0 THEN
		PERFORM pg_sleep(55);
		RETURN '"woke up"';
	END IF;
	r := answer_eval(jsonb_build_object('deadline_ms', args -> 'ms' -> ((args ->> 'n')::int - 1), 'checks',
		jsonb_build_array(jsonb_build_object('tool', 'slow', 'args',
			args || jsonb_build_object('n', (args ->> 'n')::int - 1)))));
	RETURN to_jsonb(concat_ws(' ', r #>> '{checks,0,observed}', r #>> '{checks,0,explain,message}'));
END
$$;
SELECT answer_tool_register('slow', 'slow(jsonb)', required_args => '{n,ms}');
SELECT ms, r #>> '{checks,0,observed}' AS observed, r #>> '{checks,0,explain,message}' AS message,
	answer_verify_ok(r) AS verified
FROM unnest('{"[50, 60000, 60000]","[60000, 50, 60000]","[60000, 60000, 50]"}'::jsonb[]) AS ms,
	LATERAL answer_eval(jsonb_build_object('deadline_ms', ms -> 2, 'checks',
		jsonb_build_array(jsonb_build_object('tool', 'slow', 'args', jsonb_build_object('n', 2, 'ms', ms))))) AS r;

-- Enums of an extension that was rolled back, and whose label was missing, are nobody's.
SELECT (answer_investigation_record(i, 'grep', 'a', '', '{"match": "phrase", "match_count": 99}')).strength
FROM investigated;
BEGIN;
DROP EXTENSION answer_eval CASCADE;
CREATE EXTENSION answer_eval;
ALTER TYPE answer_strength_level RENAME VALUE 'High' TO 'Higher';
ALTER TYPE answer_composite_verdict RENAME VALUE 'outside_evidence_coverage' TO 'outside';
SELECT state_of(format($$SELECT answer_investigation_record(%s, 'grep', 'b', '',
			'{"match": "phrase", "match_count": 9}')$$, answer_investigation_open('Chat', 'x'))) AS recorded,
	state_of($$SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}')$$) AS evaluated;
ROLLBACK;
SELECT answer_investigation_record(i, 'grep', 'c', '', '{"match": "phrase", "match_count": 9}') IS NOT NULL AS recorded,
	answer_eval('{"checks": [{"tool": "postgres_server", "observe": true}]}') ->> 'verdict' AS verdict
FROM investigated;
SELECT e.query, e.quality, e.strength
FROM answer.quality_entry AS e JOIN investigated AS v ON v.i = e.investigation ORDER BY e.query;
SELECT DISTINCT r.verdict
FROM answer.receipt AS r WHERE r.body @> '{"checks": [{"tool": "postgres_server", "observe": true}]}';

DELETE FROM answer.route WHERE NOT seed;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DELETE FROM answer.evidence WHERE tool = 'judged';
DELETE FROM answer.evidence_series WHERE tool = 'judged';
DELETE FROM answer.quality_entry WHERE investigation = (SELECT i FROM investigated);
DELETE FROM answer.investigation WHERE investigation = (SELECT i FROM investigated);
DELETE FROM answer.quality_tool WHERE NOT seed;
DELETE FROM answer.quality_class WHERE NOT seed;
DELETE FROM answer.quality_compatibility WHERE NOT seed;
DROP VIEW words;
DROP TABLE meddling, word, investigated;
DROP FUNCTION ask, deep, after_meddling, over, judge, after_grading, worded, slow;
