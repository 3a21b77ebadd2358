-- tiers: long
-- The extension is dropped, and created again in several ways, during each of several calls: the call raises an error
-- or answers without it, and the session goes on. sql/house_reentry has each call and each way once.
SET client_min_messages = error;
SET search_path TO tap, public, pg_catalog;
SELECT plan(13);

SET answer_eval.allow_drop = on;
SELECT answer_key_generate() IS NOT NULL AS key \gset
CREATE TABLE public.meddling (sql text);
INSERT INTO meddling VALUES (NULL);
-- 3 asks a question, which calls 2, which evaluates a check, which calls 1, which asks for a fact, which calls 0, which
-- meddles.
CREATE FUNCTION public.deep(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	n int := (args ->> 'n')::int;
	receipt jsonb;
	below text;
BEGIN
	IF n = 0 THEN
		EXECUTE (SELECT sql FROM public.meddling);
		RETURN '{"v": "0"}';
	ELSIF n = 1 THEN
		below := coalesce(public.answer_fact('deep', '{"n": 0}') ->> 'value', 'nothing');
	ELSE
		receipt := public.answer_eval(CASE n WHEN 3 THEN '{"deadline_ms": 60000, "question": "go 2"}'::jsonb
			ELSE '{"deadline_ms": 60000, "checks": [{"tool": "deep", "args": {"n": 1}}]}' END);
		below := concat_ws(' ', receipt #>> '{checks,0,observed}', receipt #>> '{checks,0,explain,sqlstate}',
			CASE WHEN NOT public.answer_verify_ok(receipt) THEN 'NOT VERIFIED' END);
	END IF;
	RETURN jsonb_build_object('v', n || ' ' || below);
END
$$;
SELECT answer_source_register('reentry'), answer_tool_register('deep', 'deep(jsonb)', required_args => '{n}',
	value_path => 'v', options => '{"source": "reentry"}', freshness => '1 hour'),
	answer_route_register('go', 'go {n:count}', 'interrogative', 'deep', '{"n": "{n}"}', examples => '{go 2}',
		options => '{"place": 1}') \gset
-- answer_fact has six seconds. A busy machine may not create the extension in that time; then the test tries again.
CREATE FUNCTION public.over(meddle text, call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	FOR try IN 1..10 LOOP
		BEGIN
			UPDATE public.meddling SET sql = meddle;
			EXECUTE call;
			RAISE EXCEPTION USING errcode = 'UNDO0', message = 'not refused';
		EXCEPTION WHEN query_canceled THEN
			IF sqlerrm NOT LIKE '%deadline of 6000 ms passed' THEN
				RAISE;
			END IF;
		WHEN OTHERS THEN
			RETURN sqlstate || ': ' || sqlerrm;
		END;
	END LOOP;
	RETURN 'never in time';
END
$$;
SELECT is(over('DROP EXTENSION answer_eval CASCADE' || back, call), coalesce(come, told), format('%s%s', call, back))
FROM (VALUES ($$SELECT answer_fact('deep', '{"n": 0}')$$, NULL),
	($$SELECT answer_eval('{"deadline_ms": 60000, "checks": [{"tool": "deep", "args": {"n": 0}}]}')$$, NULL),
	($$SELECT answer_eval('{"deadline_ms": 60000, "question": "go 3"}')$$, 'UNDO0: not refused')) AS c (call, come),
	(VALUES ('', '3F000: schema "answer" does not exist'),
	('; CREATE EXTENSION answer_eval SCHEMA public',
		'55000: the extension answer_eval was dropped and created again during the call'),
	('; CREATE SCHEMA "else where"; CREATE EXTENSION answer_eval SCHEMA "else where"',
		'55000: the extension answer_eval was dropped and created again during the call'),
	('; CREATE EXTENSION answer_eval SCHEMA public; SELECT public.answer_key_generate()',
		'55000: the extension answer_eval was dropped and created again during the call')) AS w (back, told);
UPDATE meddling SET sql = 'SELECT 1';
SELECT is(answer_eval('{"deadline_ms": 60000, "question": "go 3"}') #>> '{checks,0,observed}', '3 2 1 0',
	'and the session goes on');
SELECT * FROM finish();
