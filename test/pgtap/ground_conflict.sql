-- Properties of conflicts, over random texts made of labelled paragraphs and of phrases that the rules know: the result
-- for two texts never depends on their order, and texts that say the same never conflict.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(14);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT diag('seed ' || :seed);
SELECT setseed((:seed * 37 + 11) % 100 / 100.0);
\ir ../lib/conflict_pairs.sql

-- Texts: a paragraph, or sentences of phrases.
CREATE TEMP TABLE phrase AS SELECT row_number() OVER (ORDER BY p COLLATE "C") AS i, p FROM unnest(ARRAY[
	'SSNs', 'customer data', 'refunds', 'the refund', 'purchases', 'promotional', 'API rate', 'rate limits',
	'encryption', 'encrypted', 'plaintext', 'plain text', 'not plaintext', 'unencrypted', 'access', 'passwords',
	'the price', 'retained', 'legal hold', 'backup', 'may', 'May', 'may not', 'can', 'can''t', 'cannot', 'allowed',
	'not allowed', 'permitted', 'must not', 'forbidden', 'refundable', 'non-refundable', 'no refunds', 'are allowed',
	'not', 'no', 'never', 'without', 'nobody', 'isn''t', 'not only', 'no longer', 'optional', 'not required',
	'except', 'unless', '.', '.', ';', ':', ',', E'\n', E'\n\n', '5', '15', '$5', '$1,000', '1000 USD', '5%',
	'7 percent', '30 days', '1.5 days', '300 req/hr', '1,000 requests per hour', 'tickets', 'tickets', 'contractors',
	'logs', 'vault', 'bread', 'drivers', 'of', 'the', 'and', 'it']) AS p;
CREATE TEMP TABLE text_of AS SELECT row_number() OVER (ORDER BY md5(t)) AS i, t FROM (
	SELECT a AS t FROM labelled UNION SELECT b FROM labelled UNION
	SELECT string_agg(p, ' ' ORDER BY n) FROM (SELECT t, n,
			1 + floor(random() * (SELECT count(*) FROM phrase))::int AS i
		FROM generate_series(1, 2500) AS t, generate_series(1, 14) AS n) AS x JOIN phrase USING (i) GROUP BY x.t) AS y;

-- Pairs, with the findings in both orders.
CREATE TEMP TABLE chosen AS SELECT p.n, x.t AS a, y.t AS b FROM (SELECT n,
	1 + floor(random() * (SELECT count(*) FROM text_of))::int AS i,
	1 + floor(random() * (SELECT count(*) FROM text_of))::int AS j FROM generate_series(1, 6000) AS n) AS p
	JOIN text_of AS x ON x.i = p.i JOIN text_of AS y ON y.i = p.j
	UNION ALL SELECT 1000000 + row_number() OVER (ORDER BY id COLLATE "C"), a, b FROM labelled;
CREATE TEMP TABLE found AS SELECT n, a, b, answer_conflicts(pg_temp.two_chunks(a, b)) AS ab,
	answer_conflicts(pg_temp.two_chunks(b, a)) AS ba FROM chosen;
CREATE TEMP TABLE entry AS SELECT n, a, b, ab#>'{pairs,0}' AS ab, ba#>'{pairs,0}' AS ba FROM found
	WHERE (ab->'conflict_detected')::boolean OR (ba->'conflict_detected')::boolean;
SELECT cmp_ok(min(c), '>', 20::bigint, 'conflicts of every kind are among them') FROM (SELECT count(e.n) AS c
	FROM unnest(ARRAY['encryption', 'refund', 'policy', 'numeric']) AS k LEFT JOIN entry AS e ON e.ab->>'kind' = k
	GROUP BY k) AS x;
SELECT cmp_ok(count(*), '>', 2000::bigint, 'and many pairs that do not conflict') FROM found
	WHERE NOT (ab->'conflict_detected')::boolean;

-- Swapping the two texts.
SELECT is_empty($$SELECT n, a, b, ab, ba FROM found WHERE ab - 'pairs' <> ba - 'pairs'$$,
	'the same is found in both orders');
SELECT is_empty($$SELECT * FROM entry WHERE ab->'kind' <> ba->'kind'
	OR ab->'conflict_type' <> ba->'conflict_type'$$, 'of the same kind');
SELECT is_empty($$SELECT * FROM entry WHERE (ab->'evidence_snippets') <> jsonb_build_object(
	'a', ba#>'{evidence_snippets,b}', 'b', ba#>'{evidence_snippets,a}')$$, 'with the snippets swapped');
SELECT is_empty($$SELECT * FROM entry WHERE ab->>'reason' <> CASE ab->>'kind'
	WHEN 'numeric' THEN regexp_replace(ba->>'reason', '^(numeric conflict:) (\S+) vs (\S+) ', '\1 \3 vs \2 ')
	WHEN 'copy' THEN regexp_replace(ba->>'reason', '^(same statement, another value:) (.+) vs (.+)$', '\1 \3 vs \2')
	ELSE ba->>'reason' END$$, 'and the numbers too, and nothing else');

-- Two texts that say the same.
SELECT is_empty($$SELECT t FROM text_of WHERE
	(answer_conflicts(pg_temp.two_chunks(t, t))->'conflict_detected')::boolean$$,
	'no text conflicts with itself');
SELECT is_empty($$SELECT t FROM text_of WHERE (answer_conflicts(pg_temp.two_chunks(t, replace(upper(t), 'MAY', 'may')))
	->'conflict_detected')::boolean AND t !~ 'May'$$, 'nor with itself in capitals');
SELECT is_empty($$SELECT t FROM text_of WHERE (answer_conflicts(pg_temp.two_chunks(t, t || ' ' || t))
	->'conflict_detected')::boolean AND t !~ '[\n;:,]\s*$' AND t ~ '[.]$'$$, 'nor with itself said twice');
SELECT is_empty($$SELECT t FROM text_of WHERE (answer_conflicts(pg_temp.two_chunks(t,
	replace(replace(t, '1,000', '1000.0'), '$5', '$ 5.00')))->'conflict_detected')::boolean$$,
	'nor where its numbers are written otherwise');
SELECT is_empty($$SELECT t FROM text_of WHERE (answer_conflicts(pg_temp.two_chunks(t,
	replace(t, 'must not', 'may not')))->'conflict_detected')::boolean$$, 'nor where it says may not for must not');

-- Both texts of one document, or without a subject.
SELECT is_empty($$SELECT n FROM entry WHERE (answer_conflicts(jsonb_set(pg_temp.two_chunks(a, b), '{1,doc_id}', '"a"'))
	->'conflict_detected')::boolean$$, 'nothing conflicts within a document');
SELECT is_empty($$SELECT n, a, b FROM entry WHERE
	strpos(a, regexp_replace(ab#>>'{evidence_snippets,a}', '^[.]{3}|[.]{3}$', '', 'g')) = 0 OR
	strpos(b, regexp_replace(ab#>>'{evidence_snippets,b}', '^[.]{3}|[.]{3}$', '', 'g')) = 0$$,
	'snippets stand in their texts');
-- Several chunks: all pairs of two, in order.
SELECT is_empty($$WITH many AS (SELECT g, jsonb_agg(jsonb_build_object('chunk_id', 'c' || i, 'doc_id', 'd' || i,
		'text', t, 'similarity', 1) ORDER BY i) AS c
		FROM (SELECT i % 100 AS g, i, t FROM text_of WHERE i <= 800) AS x GROUP BY g)
	SELECT g FROM many WHERE answer_conflicts(c)->'pairs' <> (SELECT coalesce(jsonb_agg(p ORDER BY i, j), '[]')
		FROM generate_series(0, jsonb_array_length(c) - 2) AS i, generate_series(i + 1, jsonb_array_length(c) - 1) AS j,
		jsonb_array_elements(answer_conflicts(jsonb_build_array(c->i, c->j))->'pairs') AS p)$$,
	'many chunks have the conflicts of each two, in order');
SELECT * FROM finish();
ROLLBACK;
