-- Stored readings and the facts made from them, over generated histories.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL timezone = 'UTC';
SELECT plan(40);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

-- Seven sources: two groups, and three on their own; forty histories.
SELECT lives_ok($$SELECT answer_source_register('s' || i, CASE WHEN i <= 2 THEN 'one' WHEN i <= 4 THEN 'two' END)
		FROM generate_series(1, 7) AS i$$, 'sources are registered');
SELECT lives_ok($$SELECT answer_tool_register('history', required_args => '{n}', freshness => '10 hours',
		value_path => 'v')$$, 'so is a tool');
CREATE TEMP TABLE reading AS
	SELECT DISTINCT ON (h, s, t) h, 's' || s AS source,
		'2026-01-01 00:00Z'::timestamptz + make_interval(hours => t) AS at,
		(ARRAY['1', '1.0', '"1 "', '2', '"2"', 'null']::jsonb[])[1
			+ floor(random() * CASE WHEN h % 2 = 0 THEN 3 ELSE 6 END)::int] AS v,
		CASE WHEN i % 4 = 0 THEN '2026-01-01 00:00Z'::timestamptz + make_interval(hours => t + 5) END AS expires
FROM (SELECT h, i, 1 + floor(random() * 7)::int AS s, floor(random() * 24)::int AS t
	FROM generate_series(1, 40) AS h, generate_series(1, 20) AS i WHERE i <= h % 12 + 1) AS x
ORDER BY h, s, t, i;
CREATE TEMP TABLE added AS
	SELECT r.*,
		answer_evidence_add('history', jsonb_build_object('n', h), jsonb_build_object('v', v), source, at,
			expires) AS digest
	FROM (SELECT * FROM reading ORDER BY h, at, source) AS r;
SELECT is((SELECT count(*) FROM answer.evidence WHERE tool = 'history'), (SELECT count(*) FROM reading),
	'each reading is a row');
SELECT is_empty($$SELECT * FROM added a
		WHERE digest <> answer_evidence_add('history', jsonb_build_object('n', h), jsonb_build_object('v', v), source,
			at, expires)$$, 'the same reading has the same digest');
SELECT is((SELECT count(*) FROM answer.evidence WHERE tool = 'history'), (SELECT count(*) FROM reading),
	'and makes no second row');
CREATE TEMP TABLE fact AS SELECT h, t, answer_fact('history', jsonb_build_object('n', h), t) AS f
FROM generate_series(1, 40) AS h, generate_series(0, 40, 4) AS k,
	LATERAL (SELECT '2026-01-01 00:00Z'::timestamptz + make_interval(hours => k)) AS t (t);

DELETE FROM answer.evidence WHERE tool = 'history';
SELECT lives_ok($$SELECT answer_evidence_add('history', jsonb_build_object('n', h), jsonb_build_object('v', v), source,
			at, expires) FROM (SELECT * FROM reading ORDER BY h, at DESC, source DESC) AS r$$,
	'they can come in any order');
SELECT is_empty($$SELECT * FROM fact WHERE f IS DISTINCT FROM answer_fact('history', jsonb_build_object('n', h), t)$$,
	'the order in which readings arrived does not matter, to the signature');
SELECT is_empty($$SELECT * FROM fact
		WHERE (f IS NULL) <> NOT EXISTS (SELECT FROM reading r WHERE r.h = fact.h AND r.at <= fact.t)$$,
	'there is a fact as soon as there is a reading');
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f ->> 'timestamp')::timestamptz
				<> (SELECT max(at) FROM reading r WHERE r.h = fact.h AND r.at <= fact.t)$$,
	'it is the newest that is known');
SELECT is_empty($$SELECT * FROM fact
		WHERE answer.fact_confidence(f -> 'verification') <> (f #>> '{verification,confidence}')::float8$$,
	'its confidence follows from its signals');
SELECT is_empty($$SELECT *
		FROM fact
			JOIN reading r ON r.h = fact.h AND r.at = (f ->> 'timestamp')::timestamptz
				AND r.source = f #>> '{provenance,source}'
		WHERE (f #> '{verification,signals,fresh}')::boolean
			<> CASE WHEN r.expires IS NOT NULL THEN fact.t <= r.expires ELSE fact.t <= r.at + interval '10 hours' END$$,
	'it is fresh up to its expiry, or through the window');

-- Corroboration and conflict, pair by pair, by doc/spec/answer-eval.md §7.4.
CREATE TEMP TABLE newest AS
	SELECT DISTINCT ON (f.h, f.t, r.source) f.h, f.t, r.source, coalesce(s.independence_group, '/' || r.source) AS grp,
		r.v, CASE WHEN r.expires IS NOT NULL THEN f.t <= r.expires ELSE f.t <= r.at + interval '10 hours' END AS fresh
FROM fact f JOIN reading r ON r.h = f.h AND r.at <= f.t JOIN answer.source s ON s.source = r.source
ORDER BY f.h, f.t, r.source, r.at DESC;
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f #> '{verification,signals,corroborated}')::boolean <> EXISTS (SELECT
				FROM newest a JOIN newest b USING (h, t)
				WHERE (a.h, a.t) = (fact.h, fact.t) AND a.source = f #>> '{provenance,source}' AND a.grp <> b.grp
					AND a.fresh AND b.fresh AND answer.operator('eq', a.v, b.v) = 'holds')$$,
	'corroborated: a fresh source of another group says what the fact says');
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f #> '{verification,signals,conflict}')::boolean <> EXISTS (SELECT
				FROM newest a JOIN newest b USING (h, t)
				WHERE (a.h, a.t) = (fact.h, fact.t) AND a.grp < b.grp AND a.fresh AND b.fresh
					AND answer.operator('eq', a.v, b.v) = 'fails')$$, 'conflict: two are not');
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f #>> '{verification,sources}')::int
				<> (SELECT count(DISTINCT grp) FROM newest n WHERE (n.h, n.t) = (fact.h, fact.t))$$,
	'sources counts the independent ones');
SELECT is_empty($$SELECT * FROM fact
		WHERE (f #> '{verification,verified}')::boolean <> ((f #> '{verification,signals,corroborated}')::boolean
			AND (f #> '{verification,signals,fresh}')::boolean
			AND NOT (f #> '{verification,signals,conflict}')::boolean)$$,
	'verified: corroborated, fresh, without conflict');
SELECT is_empty($$SELECT * FROM fact JOIN answer.signing_key k ON k.key_id = f #>> '{attestation,key_id}'
		WHERE NOT answer.ed25519_verify(k.public_key, convert_to(answer_digest(f - 'attestation' - 'raw'), 'UTF8'),
			decode(translate(f #>> '{attestation,sig}', '-_', '+/'), 'base64'))$$,
	'every attestation signs the digest of its fact');

-- The path of a check decides: the same holds for the values there, for every path that checks use.
SELECT lives_ok($$SELECT answer_tool_register('places', required_args => '{n}', freshness => '36500 days',
		value_path => 'v', options => '{"value_optional": true}')$$, 'a tool with more than one value');
CREATE TEMP TABLE place (at int, path text, keys text[]);
INSERT INTO place VALUES (0, NULL, '{v}'), (1, 'v', '{v}'), (2, 'x', '{x}'), (3, 'deep.y.0', '{deep,y,0}');
CREATE FUNCTION pg_temp.pick() RETURNS jsonb LANGUAGE sql VOLATILE
AS $$SELECT (ARRAY['1', '1.0', '"1 "', '2', 'null', '{"a": [1]}']::jsonb[])[1 + floor(random() * 6)::int]$$;
CREATE TEMP TABLE told AS
	SELECT h, 's' || i AS source, '2026-01-01 00:00Z'::timestamptz + make_interval(mins => (i * h) % 11) AS at,
		CASE WHEN random() < 0.2 THEN '2026-01-02 00:00Z'::timestamptz END AS expires,
		CASE WHEN random() < 0.9 THEN jsonb_build_object('v', pg_temp.pick()) ELSE '{}' END ||
		CASE WHEN random() < 0.8 THEN jsonb_build_object('x', pg_temp.pick()) ELSE '{}' END ||
		jsonb_build_object('deep', jsonb_build_object('y', jsonb_build_array(pg_temp.pick()))) AS raw
	FROM generate_series(1, 40) AS h, generate_series(1, 7) AS i WHERE (h * 3 + i * 5) % 7 < 1 + h % 4;
SELECT lives_ok($$SELECT answer_evidence_add('places', jsonb_build_object('n', h), raw, source, at, expires)
		FROM told$$, 'its readings');
CREATE TEMP TABLE asked AS SELECT h, jsonb_build_object('checks', jsonb_build_array(
		jsonb_build_object('tool', 'places', 'args', jsonb_build_object('n', h), 'id', '{0}'),
		jsonb_build_object('tool', 'places', 'args', jsonb_build_object('n', h), 'id', '{1}',
			'expect', '{"path": "v", "op": "exists"}'::jsonb),
		jsonb_build_object('tool', 'places', 'args', jsonb_build_object('n', h), 'id', '{2}', 'observe', true,
			'expect', '{"path": "x"}'::jsonb),
		jsonb_build_object('tool', 'places', 'args', jsonb_build_object('n', h), 'id', '{0,3,2}',
			'expect', '[{"path": "v", "op": "fresh_within_s", "value": 1}, {"op": "exists"}, {"path": "deep.y.0",
			"op": "exists"}, {"path": "x", "op": "not_exists"}, {"path": "deep.y.0", "op": "eq", "value": 1}]'::jsonb)))
	AS request FROM generate_series(1, 40) AS h;
CREATE TEMP TABLE answered AS SELECT h, answer_eval(request) AS r FROM asked;
CREATE TEMP TABLE cited AS SELECT h, c ->> 'id' AS id, (c ->> 'confidence')::float8 AS confidence, n, p.path,
		(r -> 'evidence_index' -> d) AS f, p.keys
	FROM answered, jsonb_array_elements(r -> 'checks') AS c,
		ROWS FROM (jsonb_array_elements_text(c -> 'evidence'), unnest((c ->> 'id')::int[]))
			WITH ORDINALITY AS e (d, at, n)
		LEFT JOIN place p USING (at);
SELECT is((SELECT count(*) FROM cited), (SELECT 6 * count(DISTINCT h) FROM told),
	'each check cites a fact for each place');
SELECT is_empty($$SELECT * FROM cited WHERE f #>> '{verification,path}' IS DISTINCT FROM path$$,
	'in the order of its expectations, named by their paths');
SELECT is_empty($$SELECT * FROM cited WHERE confidence <> (SELECT min((o.f #>> '{verification,confidence}')::float8)
		FROM cited o WHERE (o.h, o.id) = (cited.h, cited.id))$$, 'the least sure of them counts');
CREATE TEMP TABLE there AS SELECT t.h, t.source, p.path, t.raw #> p.keys AS v, t.expires IS NULL AS fresh,
	coalesce(s.independence_group, '/' || t.source) AS grp
	FROM told t JOIN answer.source s USING (source), place p WHERE t.raw #> p.keys IS NOT NULL;
SELECT is_empty($$SELECT * FROM cited
		WHERE (f #> '{verification,signals,corroborated}')::boolean <> EXISTS (SELECT
			FROM there a JOIN there b ON a.h = b.h AND a.path IS NOT DISTINCT FROM b.path
			WHERE a.h = cited.h AND a.path IS NOT DISTINCT FROM cited.path AND a.source = f #>> '{provenance,source}'
				AND a.grp <> b.grp AND a.fresh AND b.fresh AND answer.operator('eq', a.v, b.v) = 'holds')$$,
	'corroborated: what stands at that place');
SELECT is_empty($$SELECT * FROM cited
		WHERE (f #> '{verification,signals,conflict}')::boolean <> EXISTS (SELECT
			FROM there a JOIN there b ON a.h = b.h AND a.path IS NOT DISTINCT FROM b.path
			WHERE a.h = cited.h AND a.path IS NOT DISTINCT FROM cited.path
				AND a.grp <> b.grp AND a.fresh AND b.fresh AND answer.operator('eq', a.v, b.v) = 'fails')$$,
	'conflict: of what stands there');
SELECT is((SELECT array_agg(DISTINCT (corroborated, conflict)::text ORDER BY (corroborated, conflict)::text) FROM
	(SELECT f #>> '{verification,signals,corroborated}', f #>> '{verification,signals,conflict}' FROM cited
		WHERE path = 'x') AS s (corroborated, conflict)),
	'{"(false,false)","(false,true)","(true,false)","(true,true)"}',
	'of all kinds');
SELECT is_empty($$SELECT * FROM answered WHERE NOT (answer_verify_ok(r) AND (answer_replay(r) ->> 'ok')::boolean)$$,
	'all verify and replay');
-- a remembered result belongs to one path; a batch computes it once for all checks with that path
SELECT is_empty($$SELECT * FROM asked a JOIN answered b USING (h)
		WHERE answer_eval(a.request) -> 'evidence_index' <> b.r -> 'evidence_index'$$,
	'asked again, the facts are the same');
SELECT set_eq($$SELECT h, c #>> '{checks,0,id}' AS id, c #> '{checks,0,evidence}' AS evidence
		FROM (SELECT receipt, ordinal FROM answer_eval_each((SELECT
			array_agg(jsonb_build_object('checks', jsonb_build_array(c)) ORDER BY h, n)
			FROM asked, jsonb_array_elements(request -> 'checks') WITH ORDINALITY AS c (c, n)))) AS e (c, n),
		LATERAL (SELECT (c #>> '{checks,0,args,n}')::int) AS x (h)$$,
	$$SELECT h, c ->> 'id' AS id, c -> 'evidence' AS evidence FROM answered, jsonb_array_elements(r -> 'checks') AS c$$,
	'and so in a batch');
-- each supplied fact is corroborated by itself
CREATE TEMP TABLE supplied AS SELECT h, c AS path, answer_eval(jsonb_build_object('checks', jsonb_build_array(
		jsonb_build_object('tool', 'given', 'expect', jsonb_build_object('path', c, 'op', 'exists'))), 'evidence',
		(SELECT jsonb_agg(jsonb_build_object('fact', 'given', 'raw', raw, 'timestamp', '2026-01-01T00:00:00Z',
			'expires',
			CASE WHEN expires IS NULL THEN '2999-01-01T00:00:00Z' ELSE '2026-01-02T00:00:00Z' END, 'provenance',
			jsonb_build_object('source', source)) ORDER BY source) FROM told t WHERE t.h = asked.h))) AS r
	FROM asked, unnest('{x,deep.y.0}'::text[]) AS c WHERE EXISTS (SELECT FROM told WHERE told.h = asked.h);
SELECT is_empty($$SELECT * FROM supplied s, jsonb_each(r -> 'evidence_index') AS f
		WHERE (f.value #> '{verification,signals,corroborated}')::boolean <> EXISTS (SELECT
			FROM there a JOIN there b ON (a.h, a.path) = (b.h, b.path)
			WHERE (a.h, a.path) = (s.h, s.path) AND a.source = f.value #>> '{provenance,source}'
				AND a.grp <> b.grp AND a.fresh AND b.fresh AND answer.operator('eq', a.v, b.v) = 'holds')
			OR f.value #>> '{verification,path}' <> s.path OR NOT answer_verify_ok(r)$$,
	'a supplied fact is corroborated where another group says what it says');

-- functions that take a document in place of many arguments name unknown members
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => '{"sorce": "s"}')$$, '22023',
	'unknown option "sorce"', 'an option that a tool has not');
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => '{"unit": 1}')$$, '22023',
	'option "unit" must be of type string', 'one of another type');
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => '{"optional_args": ["a", null]}')$$, '22023',
	'option "optional_args" must be an array of strings', 'one with a hole');
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => '[]')$$, '22023', NULL, 'no object');
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => NULL)$$, '22004', NULL, 'nothing');
SELECT throws_ok($$SELECT answer_tool_register('optioned', options => '{"basis": null}')$$, '22004', NULL,
	'no basis');
SELECT throws_ok($$SELECT answer_route_register('optioned', 'x', 'interrogative', 'postgres_server',
	examples => '{x}', options => '{"position": 1}')$$, '22023', 'unknown option "position"',
	'an option that a route has not');
SELECT throws_ok($$SELECT answer_route_register('optioned', 'x', 'interrogative', 'postgres_server',
	examples => '{x}', options => '{"place": 1.5}')$$, '22023', 'option "place" must be an integer',
	'a place between two');
SELECT throws_ok($$SELECT answer_environment_set('dev', '{"sample": 1}')$$, '22023', 'unknown option "sample"',
	'a term that an environment has not');
SELECT throws_ok($$SELECT answer_assess(rules, 'Chat', '', NULL, '{"class": "Build", "tools": "cmake"}')
	FROM answer.quality_rules$$, '22023', 'unknown member "tools" of an entry', 'a member that an entry has not');
SELECT throws_ok($$SELECT answer_assess(rules, 'Chat', '', NULL,
	'{"class": "Build", "tool": "cmake", "quality": "Good"}') FROM answer.quality_rules$$, '22023', NULL,
	'a level that there is not');
SELECT throws_ok($$SELECT answer_debug('all', 'x')$$, '22023',
	'what must be "retrieval", "conflicts" or "decision", and is "all"',
	'a part of the way that there is not');

SELECT * FROM finish();
ROLLBACK;
