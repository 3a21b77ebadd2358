-- Stored readings and the facts they become, over generated histories.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL timezone = 'UTC';
SELECT plan(16);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

-- Seven sources, two groups and three of their own; forty histories.
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
		WHERE answer_fact_confidence(f -> 'verification') <> (f #>> '{verification,confidence}')::float8$$,
	'its confidence follows from its signals');
SELECT is_empty($$SELECT *
		FROM fact
			JOIN reading r ON r.h = fact.h AND r.at = (f ->> 'timestamp')::timestamptz
				AND r.source = f #>> '{provenance,source}'
		WHERE (f #> '{verification,signals,fresh}')::boolean
			<> CASE WHEN r.expires IS NOT NULL THEN fact.t <= r.expires ELSE fact.t <= r.at + interval '10 hours' END$$,
	'it is fresh up to its expiry, or through the window');

-- Corroboration and conflict, pair by pair, as the contract words them.
CREATE TEMP TABLE newest AS
	SELECT DISTINCT ON (f.h, f.t, r.source) f.h, f.t, r.source, coalesce(s.independence_group, '/' || r.source) AS grp,
		r.v, CASE WHEN r.expires IS NOT NULL THEN f.t <= r.expires ELSE f.t <= r.at + interval '10 hours' END AS fresh
FROM fact f JOIN reading r ON r.h = f.h AND r.at <= f.t JOIN answer.source s ON s.source = r.source
ORDER BY f.h, f.t, r.source, r.at DESC;
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f #> '{verification,signals,corroborated}')::boolean <> EXISTS (SELECT
				FROM newest a JOIN newest b USING (h, t)
				WHERE (a.h, a.t) = (fact.h, fact.t) AND a.grp < b.grp AND a.fresh AND b.fresh
					AND answer_operator('eq', a.v, b.v) = 'holds')$$,
	'corroborated: two independent fresh sources are eq');
SELECT is_empty($$SELECT * FROM fact
		WHERE f IS NOT NULL
			AND (f #> '{verification,signals,conflict}')::boolean <> EXISTS (SELECT
				FROM newest a JOIN newest b USING (h, t)
				WHERE (a.h, a.t) = (fact.h, fact.t) AND a.grp < b.grp AND a.fresh AND b.fresh
					AND answer_operator('eq', a.v, b.v) = 'fails')$$, 'conflict: two are not');
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
		WHERE NOT answer_ed25519_verify(k.public_key, convert_to(answer_digest(f - 'attestation' - 'raw'), 'UTF8'),
			decode(translate(f #>> '{attestation,sig}', '-_', '+/'), 'base64'))$$,
	'every attestation signs the digest of its fact');

SELECT * FROM finish();
ROLLBACK;
