-- No byte of a receipt can be changed: any text that verifies is the same document.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(13);

CREATE FUNCTION pg_temp.value_of(document text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN document::jsonb;
EXCEPTION WHEN OTHERS THEN
	RETURN NULL;
END $$;
CREATE FUNCTION pg_temp.accepted(document text, keys jsonb) RETURNS boolean LANGUAGE sql AS $$
	SELECT (public.answer_verify(document, keys) -> 'ok')::boolean
$$;

-- A small receipt with an attested fact, in two layouts. The key is made first, so that the statement sees it.
DO $$ BEGIN PERFORM public.answer_key_generate(); END $$;
CREATE TEMP TABLE receipt AS
	SELECT answer_eval('{"checks": [{"id": "a", "tool": "postgres_server", "expect": {"path": "in_recovery", '
		'"op": "exists"}}]}') AS r, answer_keys() AS keys, answer_key_registry() AS registry;
CREATE TEMP TABLE layout AS SELECT 'canonical' AS name, answer_canonical(r) AS t, r, keys
FROM receipt UNION ALL SELECT 'spaced', regexp_replace(answer_canonical(r), '([,:])("|\[|\{)', E'\\1 \\2', 'g'), r, keys
FROM receipt;
SELECT is_empty('SELECT name FROM layout WHERE NOT pg_temp.accepted(t, keys)', 'both layouts verify');

-- Every byte, replaced by three or four others: a neighbour, a space, a digit, a quote.  Of the
-- spaced layout only the bytes about a space are tried.
CREATE TEMP TABLE tampered AS SELECT name, n, overlay(t PLACING with_ FROM n FOR 1) AS t, r, keys
FROM layout
		JOIN LATERAL generate_series(1, length(t)) AS n ON name = 'canonical' OR substr(t, n, 1) = ' '
			OR substr(t, n - 1, 1) = ' ',
	LATERAL (SELECT DISTINCT w
		FROM unnest(ARRAY[chr(CASE WHEN ascii(substr(t, n, 1)) # 1 BETWEEN 32 AND 126 THEN ascii(substr(t, n, 1)) # 1
				ELSE 33 END), ' ', '0', '"']) AS w WHERE w <> substr(t, n, 1)) AS x (with_);
SELECT is_empty('SELECT name, n FROM tampered GROUP BY 1, 2 HAVING count(*) < 3',
	'every byte is replaced at least thrice');
SELECT cmp_ok((SELECT count(*) FROM tampered), '>', 6000::bigint, 'that is many documents');
SELECT lives_ok('CREATE TEMP TABLE judged AS SELECT name, n, pg_temp.accepted(t, keys) AS accepted, '
	'pg_temp.value_of(t) = r AS same FROM tampered', 'none of them is an error');
SELECT is_empty('SELECT * FROM judged WHERE accepted AND same IS NOT TRUE', 'none that is accepted has another value');
SELECT is_empty('SELECT * FROM judged WHERE accepted IS NULL', 'and each has a verdict');
SELECT is_empty('SELECT name, n FROM tampered WHERE public.answer_verify_ok(t, keys) IS DISTINCT FROM '
	'pg_temp.accepted(t, keys)', 'which answer_verify_ok gives as well');
SELECT is_empty($$SELECT name, n FROM tampered
		WHERE (public.answer_replay(t) -> 'ok')::boolean
			IS DISTINCT FROM coalesce(public.answer_verify(t, keys) #> '{steps,replay,ok}', 'false')::boolean$$,
	'and answer_replay says what its step says');
SELECT is_empty($$SELECT * FROM judged WHERE accepted AND name = 'canonical'$$,
	'of the canonical layout not one byte can be changed');

-- A byte more, a byte less, two bytes exchanged.
SELECT is_empty($$SELECT n, what
	FROM layout, generate_series(1, length(t)) AS n, LATERAL (VALUES ('less', overlay(t PLACING '' FROM n FOR 1)),
		('twice', overlay(t PLACING repeat(substr(t, n, 1), 2) FROM n FOR 1)),
		('turned', overlay(t PLACING reverse(substr(t, n, 2)) FROM n FOR 2))) AS v (what, u)
	WHERE name = 'canonical' AND pg_temp.accepted(u, keys) AND pg_temp.value_of(u) IS DISTINCT FROM r
			AND NOT (what = 'less' AND pg_temp.value_of(u) #>> '{signature,sig}' || '=' = r #>> '{signature,sig}')$$,
		'nor with a byte lost, doubled or exchanged');
SELECT is_empty($$SELECT n FROM layout, generate_series(1, length(t) - 1) AS n
		WHERE name = 'canonical' AND pg_temp.accepted(left(t, n), keys)$$, 'no beginning of a receipt is one');

-- Leaving out a member of a document, at any depth, is detected.
CREATE TEMP TABLE path AS WITH RECURSIVE p (path, v) AS (SELECT ARRAY[k], v FROM receipt, jsonb_each(r) AS e (k, v)
	UNION ALL
	SELECT path || k, c
	FROM p,
		LATERAL (SELECT k, c FROM jsonb_each(CASE jsonb_typeof(p.v) WHEN 'object' THEN p.v ELSE '{}' END) AS e (k, c)
			UNION ALL SELECT (n - 1)::text, c
			FROM jsonb_array_elements(CASE jsonb_typeof(p.v) WHEN 'array' THEN p.v
				ELSE '[]' END) WITH ORDINALITY AS a (c, n)) AS x)
	SELECT path, v FROM p;
SELECT is_empty('SELECT path FROM path, receipt WHERE (answer_verify(r #- path, keys) -> ''ok'')::boolean',
	'no member can be left out');
SELECT is_empty($$SELECT path, w FROM path, receipt, (VALUES ('null'::jsonb), ('0'), ('""'), ('[]'), ('{}')) AS v (w)
		WHERE path.v <> w AND (answer_verify(jsonb_set(r, path, w), registry) -> 'ok')::boolean$$, 'nor emptied');

SELECT * FROM finish();
ROLLBACK;
