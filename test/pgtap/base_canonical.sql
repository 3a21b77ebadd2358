-- Properties of the canonical form, digests and portable numbers, over generated documents.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages = warning;
SELECT plan(18);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

-- Numbers of every size and length, as texts.
CREATE TEMP TABLE number AS
SELECT DISTINCT n::text AS t FROM (
	SELECT round((random() * 2 - 1)::numeric * 10::numeric ^ (i % 40 - 12), i % 25) AS n
	FROM generate_series(1, 3000) AS i
	UNION ALL SELECT (2::numeric ^ e + d) * s
	FROM generate_series(0, 70) AS e, unnest('{-1,0,1}'::int[]) AS d, unnest('{-1,1}'::int[]) AS s
	UNION ALL SELECT (10::numeric ^ e) * m FROM generate_series(-30, 30) AS e, unnest('{1,5,9.99,-1}'::numeric[]) AS m
	UNION ALL SELECT (random() * 10 ^ (i % 20 - 4))::text::numeric FROM generate_series(1, 3000) AS i) AS x;
CREATE TEMP TABLE portable AS SELECT t, answer.portable(t::jsonb) AS p FROM number;

SELECT is_empty('SELECT * FROM portable WHERE answer.portable(p)::text <> p::text',
	'portable is idempotent, to the byte');
SELECT is_empty('SELECT * FROM portable WHERE (p #>> ''{}'')::numeric <> t::numeric', 'portable keeps the exact value');
SELECT is_empty('SELECT * FROM portable WHERE p #>> ''{}'' LIKE ''%e%'' OR p #>> ''{}'' ~ '
	'''^-?0[0-9]|\.$|\.[0-9]*0$|^-0$''', 'portable writes plain decimals without needless zeros');
SELECT is_empty('SELECT * FROM portable WHERE jsonb_typeof(p) = ''number'' AND t::numeric = trunc(t::numeric) AND '
	'abs(t::numeric) > 9007199254740991', 'no integer beyond 2^53 - 1 stays a number');
SELECT is_empty('SELECT * FROM portable WHERE jsonb_typeof(p) = ''string'' AND t::numeric = trunc(t::numeric) AND '
	'abs(t::numeric) <= 9007199254740991', 'every integer up to 2^53 - 1 stays one');
SELECT is_empty('SELECT * FROM portable WHERE jsonb_typeof(p) = ''number'' AND t::numeric <> trunc(t::numeric) AND '
	'(abs(t::numeric) < 0.0001 OR abs(t::numeric) >= 1e16)', 'no fraction out of range stays a number');
SELECT is_empty('SELECT * FROM portable WHERE jsonb_typeof(p) = ''number'' AND p::text::float8::text::numeric <> '
	't::numeric', 'what stays a number reads back from the nearest double');
SELECT is_empty('SELECT * FROM portable WHERE t ~ ''^-?[0-9]+\.[0-9]+$'' AND t !~ ''0$'' AND length(translate(t, '
	'''-.'', '''')) <= 15 AND abs(t::numeric) >= 0.0001 AND jsonb_typeof(p) = ''string''',
	'a fraction of 15 digits stays a number');
SELECT is_empty('SELECT * FROM portable a JOIN portable b ON a.t::numeric = b.t::numeric WHERE a.p::text <> b.p::text',
	'equal numbers have one portable form');
SELECT is_empty('SELECT * FROM portable WHERE answer.portable((t || ''000'')::jsonb)::text <> p::text AND t LIKE '
	'''%.%''', 'trailing zeros do not matter');

-- Documents: each an object whose members come in several orders.
CREATE TEMP TABLE member AS
	SELECT d, i,
		CASE i % 4 WHEN 0 THEN 'k' || i WHEN 1 THEN chr(200 + i * 37) || i WHEN 2 THEN chr(128512 + i)
			WHEN 3 THEN repeat('x', i) END AS k,
	CASE (d + i) % 6 WHEN 0 THEN to_json(i)::text WHEN 1 THEN to_json(chr(i % 30 + 1) || '"\/' || chr(8364))::text
		WHEN 2 THEN 'null' WHEN 3 THEN '[1, {"b": 2.50, "a": [' || d || ']}]' WHEN 4 THEN 'true'
		ELSE '{"z": {}, "a": ' || d || 'e1}' END AS v
FROM generate_series(1, 60) AS d, generate_series(1, 12) AS i;
CREATE TEMP TABLE document AS
	SELECT d, o,
		'{' ||
			string_agg(to_json(k)::text || ':' || v,
				',' ORDER BY CASE o WHEN 0 THEN i WHEN 1 THEN -i ELSE hashtext(k || o) END) || '}' AS t
FROM member, generate_series(0, 4) AS o GROUP BY d, o;

SELECT is_empty('SELECT d FROM document GROUP BY d HAVING count(DISTINCT answer_digest(t)) > 1',
	'the digest does not depend on the order of keys');
SELECT is((SELECT count(DISTINCT answer_digest(t)) FROM document), 60::bigint, 'other documents have other digests');
SELECT is_empty('SELECT t FROM document WHERE answer_canonical(answer_canonical(t)) <> answer_canonical(t)',
	'canonical form is a fixed point');
SELECT is_empty('SELECT t FROM document WHERE answer_canonical(t)::jsonb <> t::jsonb',
	'canonical form is the same value');
SELECT is_empty('SELECT t FROM document WHERE answer_canonical(t) <> answer_canonical(t::json::text)',
	'text and json have one canonical form');
SELECT is_empty('SELECT t FROM document WHERE answer_canonical(t) ~ ''[^ -~]''', 'canonical form is printable ASCII');
SELECT is_empty('SELECT t FROM document WHERE answer_canonical(answer.portable(t::jsonb)) <> '
	'answer_canonical(answer.portable(t::jsonb)::text)',
	'a portable document has one canonical form as jsonb and as text');
SELECT is_empty('SELECT t FROM document WHERE answer_digest(t) <> ''sha256:'' || '
	'encode(sha256(convert_to(answer_canonical(t), ''UTF8'')), ''hex'')',
	'the digest is the SHA-256 of the canonical bytes');

SELECT * FROM finish();
ROLLBACK;
