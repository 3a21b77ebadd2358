-- Properties of a single check, over generated expectations and facts.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(17);

CREATE TEMP TABLE expectation AS SELECT row_number() OVER () AS n,
	e FROM unnest(ARRAY['{"op": "eq", "value": 5}', '{"op": "gt", "value": 9}', '{"op": "lt", "value": "x"}',
	'{"path": "a.b", "op": "exists"}', '{"path": "a.c", "op": "exists"}', '{"path": "a.c", "op": "eq", "value": 1}',
	'{"path": "a.b", "op": "in", "value": [1, 5]}',
	'{"op": "abs_within", "value": 4, "tol": 1}', '{"op": "fresh_within_s", "value": 60}',
	'{"op": "semver_gte", "value": "4.9"}', '{"path": "list.1", "op": "not_exists"}',
	'{"path": "list", "op": "contains", "value": "y"}']::jsonb[]) AS e;
CREATE TEMP TABLE fact AS SELECT row_number() OVER () AS n,
	f FROM unnest(ARRAY['{}', '{"value": 5}',
	'{"value": 5, "raw": {"a": {"b": 5}, "list": ["x"]}, "timestamp": "2026-01-01T00:00:00Z"}',
	'{"value": "10", "raw": {"a": {"c": 1}, "list": ["x", "y"]}, "timestamp": "2025-01-01T00:00:00Z"}',
	'{"value": null, "raw": null}', '{"value": [5], "raw": [1]}']::jsonb[]) AS f;
CREATE FUNCTION pg_temp.verdict(expect jsonb, fact jsonb) RETURNS text LANGUAGE sql AS
	$$ SELECT (public.answer_check(pg_catalog.jsonb_build_object('tool', 't', 'expect', expect), fact,
	'2026-01-01 00:00:30Z')).verdict::text $$;
CREATE TEMP TABLE single AS SELECT e.n AS e, f.n AS f, expectation.e AS expect, fact.f AS fact,
	pg_temp.verdict(expectation.e, fact.f) AS v FROM expectation JOIN expectation e USING (n) CROSS JOIN fact JOIN fact
	f ON f.n = fact.n;

SELECT is((SELECT count(DISTINCT v) FROM single), 3::bigint, 'the sample has all three adjudicated verdicts');
SELECT is_empty($$SELECT * FROM single WHERE v NOT IN ('supported', 'contradicted', 'not_evaluable')$$,
	'an expectation is adjudicated');
SELECT is_empty($$SELECT * FROM single WHERE pg_temp.verdict(jsonb_build_array(expect), fact) <> v$$,
	'an array of one is the one');
SELECT is_empty($$SELECT * FROM single a JOIN single b USING (f) WHERE
	pg_temp.verdict(jsonb_build_array(a.expect, b.expect), a.fact)
	<> CASE WHEN 'contradicted' IN (a.v, b.v) THEN 'contradicted' WHEN 'not_evaluable' IN (a.v, b.v) THEN
	'not_evaluable' ELSE 'supported' END$$, 'all must hold, and one that fails decides');
SELECT
	is_empty($$SELECT * FROM single a JOIN single b USING (f) WHERE
	pg_temp.verdict(jsonb_build_array(a.expect, b.expect), a.fact) <>
	pg_temp.verdict(jsonb_build_array(b.expect, a.expect), a.fact)$$,
	'their order does not matter');
SELECT
	is_empty($$SELECT * FROM single WHERE pg_temp.verdict(jsonb_build_array(expect, expect, expect, expect, expect,
	expect, expect, expect), fact) <> v$$,
	'eight times the same is the same');
SELECT
	is_empty($$SELECT * FROM single WHERE (answer_check(jsonb_build_object('tool', 't', 'observe', true, 'expect',
	expect), fact, '2026-01-01Z')).verdict <> 'value'$$,
	'observing never adjudicates');
SELECT
	is_empty($$SELECT * FROM single WHERE (answer_check(jsonb_build_object('tool', 't', 'observe', true, 'expect',
	expect), fact, '2026-01-01Z')).observed IS DISTINCT FROM
	(answer_check(jsonb_build_object('tool', 't', 'expect', expect), fact, '2026-01-01Z')).observed$$,
	'but observes the same');
SELECT is_empty($$SELECT * FROM single, LATERAL answer_check(jsonb_build_object('tool', 't', 'expect', expect), fact,
	'2026-01-01 00:00:30Z') AS c WHERE c.explain #>> '{expectations,0,outcome}' <> CASE v WHEN 'supported' THEN 'holds'
	WHEN 'contradicted' THEN 'fails' ELSE v END
	OR jsonb_array_length(c.explain -> 'expectations') <> 1 OR c.explain ->> 'summary' = '' OR (v = 'not_evaluable') <>
	(c.explain #> '{expectations,0}' ? 'reason')$$,
	'the explanation tells the outcome, and the reason where there is none');
SELECT
	is_empty($$SELECT * FROM single, LATERAL answer_check(jsonb_build_object('tool', 't', 'expect', expect), fact,
	'2026-01-01 00:00:30Z') AS c WHERE c.explain #> '{expectations,0,observed}' IS DISTINCT FROM c.observed$$,
	'and what was observed');
SELECT
	is_empty($$SELECT * FROM single WHERE pg_temp.verdict(expect, jsonb_build_array(fact, '{"value": "other"}'::jsonb))
	<> v$$,
	'operators read the first fact');
SELECT
	is_empty($$SELECT * FROM generate_series(0, 100, 7) AS a,
	generate_series(0, 100, 9) AS b WHERE (answer_check('{"tool": "t"}',
	jsonb_build_array(jsonb_build_object('verification', jsonb_build_object('confidence', a / 100.0)),
	jsonb_build_object('verification', jsonb_build_object('confidence', b / 100.0))), '2026-01-01Z')).confidence <>
	least(a, b) / 100.0::float8$$,
	'confidence is the least of the cited facts''');
SELECT
	is_empty($$SELECT * FROM generate_series(-200, 200, 3) AS s,
	(VALUES (0), (60), (61.5), (200)) AS w (w) WHERE
	((answer_check(jsonb_build_object('tool', 't', 'expect', jsonb_build_object('op', 'fresh_within_s', 'value', w)),
	'{"timestamp": "2026-01-01T00:00:00Z"}', '2026-01-01Z'::timestamptz + make_interval(secs => s / 2.0))).verdict =
	'supported') <> (abs(s / 2.0) <= w)$$,
	'freshness is a distance in time');
SELECT is_empty($$SELECT * FROM generate_series(0, 3000) AS i,
	LATERAL (SELECT '0001-01-01Z'::timestamptz + make_interval(days => i * 1211, secs => i * 977.000001)) AS t (t),
	LATERAL (SELECT to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS x (x)
	WHERE (answer_check('{"tool": "t", "expect": {"op": "fresh_within_s", "value": 0}}',
	jsonb_build_object('timestamp', x), t)).verdict <> 'supported' AND x < '9999'$$,
	'timestamps are read to the microsecond, from year 1 to 9999');

-- A constant check keeps its last rows and patches them; a check that differs in its id from row to row cannot.
CREATE TEMP TABLE stream AS SELECT i, jsonb_build_object('value', v, 'raw',
	jsonb_build_object('a', jsonb_build_array(v)), 'verification', jsonb_build_object('confidence', (i % 21) / 20.0)) -
	CASE WHEN i % 17 = 0 THEN 'value' ELSE '' END AS fact
FROM generate_series(1, 6000) AS i, LATERAL (SELECT CASE i % 12 WHEN 0 THEN to_jsonb(i) WHEN 1 THEN to_jsonb(i / 8.0)
	WHEN 2 THEN to_jsonb(-i * 1000) WHEN 3 THEN to_jsonb((i % 7)::numeric(10, 4)) WHEN 4 THEN to_jsonb(i * 100000000000)
	WHEN 5 THEN to_jsonb(i / 7.0)
	WHEN 6 THEN to_jsonb(i::text) WHEN 7 THEN 'null'::jsonb WHEN 8 THEN to_jsonb(1e-9 * i) WHEN 9 THEN
	to_jsonb(i % 2 = 0) WHEN 10 THEN to_jsonb(round(i / 3.0, 6)) ELSE to_jsonb(0.00) END) AS w (v);
SELECT
	is_empty(format($$SELECT * FROM (SELECT i, answer_check(%1$L, fact, '2026-01-01Z')::text AS kept,
	answer_check(jsonb_set(%1$L, '{id}', to_jsonb('x' || i)), fact, '2026-01-01Z')::text AS anew FROM stream) AS s WHERE
	kept <> anew$$,
	c), 'a kept row reads like one built anew: ' || c)
FROM (VALUES ('{"tool": "t", "expect": {"op": "gte", "value": 300}}'),
	('{"tool": "t", "expect": {"path": "a.0", "op": "between", "value": [0, 500.5]}}'),
	('{"tool": "t", "expect": {"path": "a.0", "op": "eq", "value": "3.10"}}')) AS v (c);

SELECT * FROM finish();
ROLLBACK;
