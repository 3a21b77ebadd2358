-- tiers: test
-- Compares routing with an oracle: patterns as regular expressions, which the extension itself never uses.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(42);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

CREATE FUNCTION public.tap_told(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('v', args -> 'n', 'args', args)
$$;
SELECT lives_ok($$SELECT answer_source_register('tap'),
		answer_tool_register('tap', 'public.tap_told(jsonb)',
			options => '{"optional_args": ["a", "b", "c", "d", "e", "n"], "source": "tap"}', freshness => '1 hour',
			value_path => 'v')$$, 'a tool is registered');

-- A question as the oracle reads it: lower case, one space after each word, no final punctuation.
CREATE FUNCTION pg_temp.read(question text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT regexp_replace(trim(regexp_replace(lower(question), '[.?!]+\s*$', '')), '\s+', ' ', 'g') || ' '
$$;
CREATE FUNCTION pg_temp.regex_of(pattern text, lists jsonb, capture boolean DEFAULT false) RETURNS text LANGUAGE sql AS
	$$
	SELECT '^' || string_agg(CASE t WHEN '[' THEN '(?:' WHEN ']' THEN ')?' WHEN '(' THEN '(?:'
		ELSE CASE WHEN t IN (')', '|') THEN t
		WHEN t ~ '^\{' THEN CASE WHEN capture THEN '(' ELSE '' END || CASE split_part(trim(t, '{}'), ':', 2)
			WHEN '' THEN '[a-z0-9._+@/:~#-]*[a-z0-9][a-z0-9._+@/:~#-]*'
			WHEN 'boolean' THEN '(?:true|yes|on|false|no|off)' WHEN 'number' THEN '-?[0-9]+(?:[.][0-9]+)?'
			WHEN 'count' THEN '[0-9]+' WHEN 'semver' THEN '[0-9]+(?:[.][0-9]+)*'
			WHEN 'words' THEN '[a-z0-9._-]+(?: [a-z0-9._-]+)*'
			WHEN 'list' THEN '(?:' ||
				(SELECT string_agg(lower(v), '|')
					FROM jsonb_array_elements_text(lists -> split_part(trim(t, '{}'), ':', 1)) AS v) || ')' END ||
				CASE WHEN capture THEN ') ' ELSE ' ' END ELSE lower(t) || ' ' END END, ''
	ORDER BY i) || '$'
	FROM regexp_matches(pattern, '\{[a-z_]+(?::[a-z]+)?\}|[][()|]|[^][(){}|\s]+', 'g') WITH ORDINALITY AS m (m, i),
		LATERAL (SELECT m[1]) AS x (t) $$;
CREATE TEMP TABLE route AS
	SELECT r ->> 'route_id' AS route_id, i, r, pg_temp.regex_of(r ->> 'pattern', r -> 'lists') AS regex
	FROM jsonb_array_elements(answer_route_table() -> 'routes') WITH ORDINALITY AS x (r, i);
CREATE FUNCTION pg_temp.expected(question text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce((SELECT route_id FROM route WHERE pg_temp.read(question) ~ regex ORDER BY i LIMIT 1), 'refused')
$$;
CREATE FUNCTION pg_temp.routed(question text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(answer.route_compile(question) #>> '{route,route_id}', 'refused')
$$;

-- Examples, and near misses.
CREATE TEMP TABLE example AS SELECT r ->> 'route_id' AS route_id, e AS q
FROM jsonb_array_elements(answer_coverage() -> 'routes') AS r, jsonb_array_elements_text(r -> 'examples') AS e;
SELECT is_empty($$SELECT * FROM example WHERE pg_temp.routed(q) <> route_id$$,
	'every example of the manifest is answered by its route');
SELECT is_empty($$SELECT * FROM example WHERE pg_temp.expected(q) <> route_id$$, 'the oracle thinks so, too');
SELECT is_empty($$SELECT route_id FROM route WHERE route_id NOT IN (SELECT route_id FROM example)$$,
	'and every route has one');
CREATE TEMP TABLE near AS WITH w AS (SELECT route_id, string_to_array(trim(pg_temp.read(q)), ' ') AS w FROM example)
	SELECT DISTINCT route_id, change,
		array_to_string(v, ' ') || (ARRAY['?', '.', '', '!'])[1 + length(array_to_string(v, ' ')) % 4] AS q
	FROM w, generate_subscripts(w, 1) AS i, LATERAL (VALUES ('dropped', w[:i - 1] || w[i + 1:]),
		('doubled', w[:i] || w[i:]), ('swapped', w[:i - 1] || w[i + 1:i + 1] || w[i:i] || w[i + 2:]),
		('inserted', w[:i] || '{really}'::text[] || w[i + 1:]), ('negated', w[:i] || '{not}'::text[] || w[i + 1:]),
		('misspelt', w[:i - 1] || (w[i] || 'x') || w[i + 1:]), ('number', w[:i - 1] || '{7}'::text[] || w[i + 1:]),
		('version', w[:i - 1] || '{1.2.3}'::text[] || w[i + 1:]),
		('other', w[:i - 1] || '{standby}'::text[] || w[i + 1:]), ('the', w[:i - 1] || '{the}'::text[] || w[i:]),
		('cut', w[:i]), ('tail', w[i:]), ('comma', w[:i - 1] || (w[i] || ',') || w[i + 1:]),
		('Cyrillic', w[:i - 1] || replace(w[i], 'e', U&'\0435') || w[i + 1:]),
		('split', w[:i] || (left(w[i], 1) || ' ' || substr(w[i], 2)) || w[i + 1:])) AS c (change, v)
	WHERE cardinality(v) > 0;
SELECT cmp_ok((SELECT count(*) FROM near), '>=', 1000::bigint, 'a thousand near misses');
CREATE TEMP TABLE judged AS
	SELECT *, pg_temp.routed(q) AS routed,
		CASE WHEN change = 'comma' OR q ~ '[^\x01-\x7f]' THEN 'refused' ELSE pg_temp.expected(q) END AS expected
	FROM near;
SELECT is_empty($$SELECT * FROM judged WHERE routed <> expected$$, 'each is refused, or goes where the table says');
SELECT cmp_ok((SELECT count(*) FROM judged WHERE routed = 'refused'), '>=', 800::bigint, 'most of them are refused');
SELECT is_empty($$SELECT * FROM judged
		WHERE change IN ('negated', 'inserted', 'Cyrillic', 'comma') AND q <> lower(q) AND routed <> 'refused'$$,
	'a negation is never overlooked');
SELECT is_empty($$SELECT q FROM judged WHERE change <> 'Cyrillic' AND pg_temp.routed(upper(q)) <> routed$$,
	'capitals do not matter');
SELECT is_empty($$SELECT q FROM judged WHERE pg_temp.routed(replace(q, ' ', E' \t\n ') || ' ?!') <> routed$$,
	'nor does white space, nor final punctuation');

-- Patterns at random, each with its expression, over a small alphabet.
CREATE FUNCTION pg_temp.random_pattern(depth int, slots text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	pattern text := '';
	kind float;
BEGIN
	FOR i IN 1 .. 1 + floor(random() * 3)::int LOOP
		kind := random();
		pattern := pattern || ' ' || CASE
			WHEN kind < 0.35 OR depth = 0 THEN (ARRAY['x', 'y', 'z', '1'])[1 + floor(random() * 4)::int]
			WHEN kind < 0.65 THEN format('{%s%s}', slots[1 + floor(random() * cardinality(slots))::int],
				(ARRAY['', '', ':words', ':number', ':list'])[1 + floor(random() * 5)::int])
			WHEN kind < 0.82 THEN '[' || pg_temp.random_pattern(depth - 1, slots) || ']'
			ELSE '(' || pg_temp.random_pattern(depth - 1, slots) || '|' || pg_temp.random_pattern(depth - 1, slots) ||
				')' END;
	END LOOP;
	RETURN pattern;
END $$;
CREATE TEMP TABLE random_route AS SELECT n, pattern, answer.route_problem(route) AS problem, route, lists
FROM generate_series(1, 6000) AS n, LATERAL (SELECT pg_temp.random_pattern(2, '{a,b,c,d}') WHERE n > 0) AS p (pattern),
	LATERAL (SELECT jsonb_object_agg(s, '["x y", "y", "z 1 x"]'::jsonb) FROM unnest('{a,b,c,d}'::text[]) AS s
		WHERE pattern ~ ('\{' || s || ':list\}')) AS l (lists),
	LATERAL (SELECT jsonb_build_object('route_id', 'r' || n, 'pattern', pattern, 'kind', 'interrogative', 'tool', 'tap',
			'args',
			(SELECT coalesce(jsonb_object_agg(s, '{' || s || '}'), '{}') FROM unnest('{a,b,c,d}'::text[]) AS s
				WHERE pattern ~ ('\{' || s || '[:}]'))) ||
		CASE WHEN lists IS NULL THEN '{}' ELSE jsonb_build_object('lists', lists) END) AS r (route);
SELECT ok(count(*) FILTER (WHERE problem IS NULL AND pattern ~ '\{') > 300
		AND count(*) FILTER (WHERE problem LIKE '%ambiguous%') > 100, 'enough patterns are good, and enough ambiguous')
FROM random_route;
CREATE TEMP TABLE sentence AS
	SELECT DISTINCT (SELECT string_agg((ARRAY['x', 'y', 'z', '1', 'w'])[1 + floor(random() * 5)::int], ' ')
		FROM generate_series(1, 1 + n % 6) AS i WHERE n > 0) AS s
	FROM generate_series(1, 600) AS n;
-- routed by a table with only this route; a replay accepts a given table
CREATE FUNCTION pg_temp.routed_by(route jsonb, question text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer.route_replay(jsonb_build_object('schema', 'answer/v1', 'mode', 'question', 'question', question,
			'checks', '[]'::jsonb, 'route', jsonb_build_object('router_sha256', substr(answer_digest(t), 8))), t)
	FROM (SELECT jsonb_build_object('router_version', 'route/1', 'routes', jsonb_build_array(route))) AS x (t) $$;
-- the matches of the groups of the expression, by the names of their slots
CREATE FUNCTION pg_temp.groups(pattern text, regex text, question text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT coalesce(jsonb_object_agg(s.m[1],
			CASE WHEN pattern ~ (s.m[1] || ':number') THEN to_jsonb(g::numeric)
				ELSE to_jsonb(g) END) FILTER (WHERE g IS NOT NULL), '{}')
	FROM regexp_matches(pattern, '\{([a-d])', 'g') WITH ORDINALITY AS s (m, i)
		JOIN unnest(regexp_match(pg_temp.read(question), regex)) WITH ORDINALITY AS g (g, i) USING (i) $$;
CREATE TEMP TABLE tried AS
	SELECT r.*, s.s, s.s IS NOT NULL AND pg_temp.read(s.s) ~ regex AS expected, pg_temp.routed_by(route, s.s) AS got
FROM (SELECT *, pg_temp.regex_of(pattern, lists) AS regex FROM random_route
	WHERE pattern ~ '\{' AND (problem IS NULL OR problem LIKE '%ambiguous%') ORDER BY n LIMIT 800) AS r
	JOIN sentence AS s ON abs(hashtext(s.s || r.n)) % 8 = 0;
SELECT cmp_ok((SELECT count(*) FROM tried WHERE expected), '>', 500::bigint,
	'enough random questions match a random pattern');
SELECT is_empty($$SELECT pattern, s, got FROM tried WHERE expected <> (got #>> '{route,route_id}' IS NOT NULL)$$,
	'exactly those that its expression matches');
SELECT is_empty($$SELECT pattern, s, got #> '{checks,0,args}',
			pg_temp.groups(pattern, pg_temp.regex_of(pattern, lists, true), s) FROM tried
		WHERE problem IS NULL AND expected
			AND got #> '{checks,0,args}' <> pg_temp.groups(pattern, pg_temp.regex_of(pattern, lists, true), s)$$,
	'where a pattern is not ambiguous, its slots take what the groups take, however those prefer');
SELECT is_empty($$SELECT pattern, problem FROM tried
		WHERE problem IS NOT NULL AND NOT pg_temp.read(substring(problem FROM '"(.*)"')) ~ regex$$,
	'the question that shows an ambiguity is one of the pattern''s');

-- A question is short for checks: the result is the same, apart from the members about the question.
CREATE FUNCTION pg_temp.rest(receipt jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plain text := ((receipt #- '{reproduce,evaluator}'::text[])
			- '{receipt_id,signature,mode,question,route,issued_at,evaluated_at,evidence_index}'::text[] ||
		jsonb_build_object('evidence_index',
		(SELECT coalesce(jsonb_agg(f
					- '{attestation,id,timestamp,value}'::text[]
						ORDER BY (f - '{attestation,id,timestamp,value}'::text[])::text), '[]')
			FROM jsonb_each(receipt -> 'evidence_index') AS e (d, f))))::text;
BEGIN
	-- digests differ because instants differ, and time goes on
	RETURN regexp_replace(regexp_replace(plain, 'sha256:[0-9a-f]{64}', 'digest', 'g'),
		'"(uptime_s|size_bytes|frozen_xid_age|observed)": [0-9]+', '"\1": n', 'g');
END $$;
CREATE TEMP TABLE asked AS
	SELECT q, answer_ask(q) AS asked,
		answer_eval(jsonb_build_object('checks', answer.route_compile(q) -> 'checks')) AS evaluated
FROM (SELECT q FROM example UNION SELECT q FROM judged WHERE routed <> 'refused' UNION SELECT string_agg(a.q, ' ')
	FROM (SELECT row_number() OVER (ORDER BY md5(q)) AS i, rtrim(q, '.?!') || '.' AS q FROM judged
		WHERE routed <> 'refused') AS a GROUP BY i % 25) AS x;
SELECT cmp_ok((SELECT count(*) FROM asked), '>', 150::bigint, 'enough questions to compare');
SELECT is_empty($$SELECT q, pg_temp.rest(asked), pg_temp.rest(evaluated) FROM asked
		WHERE pg_temp.rest(asked) <> pg_temp.rest(evaluated)$$, 'a question is sugar over its checks');
SELECT is_empty($$SELECT q FROM asked
		WHERE answer_verify(asked) -> 'ok' <> 'true'
			OR answer.route_replay(asked, answer_route_table()) -> 'ok' <> 'true' OR asked ->> 'mode' <> 'question'
			OR asked ->> 'question' <> q$$, 'and its receipt verifies and replays');
SELECT is_empty($$SELECT q
		FROM (SELECT q, answer_ask(q) AS r FROM judged WHERE routed = 'refused' AND length(q) % 5 = 0) AS x
		WHERE answer_verify(r) -> 'ok' <> 'true' OR r ->> 'verdict' <> 'outside_evidence_coverage'
			OR (r -> 'coverage') - '{closest,missed}'::text[] <> answer_coverage()$$,
	'what is refused is refused with the manifest');

-- All routes are matched against a sentence at once, and for an explanation one by one: both find the same one. Every
-- seventh pattern has more than 64 words, and only a slot of words can read the longest sentences.
DELETE FROM answer.route WHERE NOT seed;
UPDATE answer.route SET enabled = false;
INSERT INTO sentence
SELECT DISTINCT (SELECT string_agg(w, ' ') FROM unnest(words[1:1 + n % 4]) AS w) || repeat(' ' || words[5], n % 80) ||
	(SELECT coalesce(string_agg(' ' || w, ''), '') FROM unnest(words[6:6 + n % 3]) AS w)
FROM generate_series(1, 400) AS n, LATERAL (
	SELECT array_agg((ARRAY['x', 'y', 'z', '1', 'w', 'x y', '"x"', 'w,w'])[1 + floor(random() * 8)::int])
	FROM generate_series(1, 9) AS i WHERE n > 0) AS x (words);
CREATE TEMP TABLE compared (batch int, s text, at_once text, one_by_one text);
DO $$
BEGIN
	FOR batch IN 0 .. 39 LOOP
		DELETE FROM answer.route WHERE NOT seed;
		INSERT INTO answer.route (route_id, position, pattern, kind, tool, args, lists, examples)
		SELECT 'r' || n, abs(hashtext(n::text)) % 100000,
			CASE n % 7 WHEN 0 THEN format('(%s) [y %s {e:words} x]', pattern, repeat('w ', 70)) ELSE pattern END,
			'interrogative', 'tap',
			(route -> 'args') || CASE n % 7 WHEN 0 THEN '{"e": "{e}"}' ELSE '{}' END::jsonb,
			coalesce(lists, '{}'), '{x}'
		FROM random_route WHERE n % 40 = batch AND (problem IS NULL OR problem LIKE '%ambiguous%')
		ORDER BY abs(hashtext(n::text)) LIMIT 5 + batch;
		INSERT INTO compared
		SELECT batch, s, answer.route_compile(s) #>> '{route,route_id}',
			(SELECT t.tried ->> 'route_id'
				FROM jsonb_array_elements(answer_route_explain(s) #> '{sentences,0,tried}') AS t (tried)
				WHERE (t.tried -> 'matched')::boolean)
		FROM sentence WHERE abs(hashtext(s)) % 10 = batch % 10;
	END LOOP;
END $$;
SELECT cmp_ok(count(*) FILTER (WHERE at_once IS NOT NULL AND length(s) > 40), '>', 100::bigint,
	'enough long sentences have a route') FROM compared;
SELECT cmp_ok(count(*) FILTER (WHERE at_once IS NULL), '>', 100::bigint, 'and enough have none') FROM compared;
SELECT is_empty($$SELECT * FROM compared WHERE at_once IS DISTINCT FROM one_by_one$$,
	'at once or one by one, the same route has a sentence');

-- Plurals of listed values, and why a sentence has no route.
SELECT answer_tool_register('tap_kept', required_args => '{thing,n}');
SELECT answer_route_register('tap.kept', 'where are {n:count} {thing:list} kept', 'interrogative', 'tap_kept',
	'{"thing": "{thing}", "n": "{n}"}', examples => '{Where are 3 bolt kept?}',
	options => jsonb_build_object('lists',
		'{"thing": ["bolt", "wing nut", "box", "boxe", "berry", "day", "Glass", "glasses", "node.js", "café",
		"мост", "x"]}'::jsonb));
CREATE FUNCTION pg_temp.thing(said text) RETURNS text LANGUAGE sql AS $$
	SELECT answer.route_compile('Where are 3 ' || said || ' kept?') #>> '{checks,0,args,thing}'
$$;
SELECT is(pg_temp.thing(w.said), w.thing, format('%s: %s', w.said, coalesce(w.thing, 'nothing that is listed')))
FROM (VALUES ('bolt', 'bolt'), ('BOLTS', 'bolt'), ('wing nuts', 'wing nut'), ('wings nut', NULL), ('berries', 'berry'),
	('berrys', NULL), ('days', 'day'), ('glasses', 'glasses'), ('glass', 'Glass'), ('boxes', NULL), ('node.jss', NULL),
	('cafés', 'café'), ('мостs', NULL), ('xes', NULL)) AS w (said, thing);
SELECT is(r.route ->> 'plurals', 'true', 'the table says so') FROM (SELECT (SELECT r FROM
	jsonb_array_elements(answer_route_table() -> 'routes') AS r WHERE r ->> 'route_id' = 'tap.kept')) AS r (route);
-- a table without a member for plurals is from before there were plurals
SELECT is(answer.route_replay(answer_ask('Where are 3 bolts kept?'), jsonb_set(answer_route_table(), '{routes}',
	(SELECT jsonb_agg(r - 'plurals') FROM jsonb_array_elements(answer_route_table() -> 'routes') AS r)))
	->> 'ok', 'false',
	'without it, there is no route for a plural');
SELECT is(answer.route_problem('{"route_id": "r", "pattern": "{a:list} {b:list}", "kind": "interrogative", "tool": "t",
	"args": {"a": "{a}", "b": "{b}"}, "lists": {"a": ["nut", "nuts mill"], "b": ["x", "mill x"]}, "plurals": true}')
	LIKE '%ambiguous%', true, 'a plural that makes a pattern ambiguous is found');
SELECT is(answer_ask('Where are 3 spanners kept?') #> '{coverage,missed}', '{"route_id": "tap.kept", "slot": "thing",
	"text": "spanners", "reason": "spanners is not in the list thing"}', 'a refusal says which slot failed');
SELECT is(answer_ask('Where are many bolts kept?') #>> '{coverage,missed,reason}',
	'many is not of the type count, which the slot n takes', 'of other types, too');
SELECT matches(answer_summary(answer_ask('Where are 3 left spanners kept?')),
	'; left spanners is not in the list thing; closest: ', 'the summary has it');

SELECT * FROM finish();
ROLLBACK;
