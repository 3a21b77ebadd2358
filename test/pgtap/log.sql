-- tiers: long
-- Compares every tree, node and proof of the log with RFC 6962, section 2.1, computed in SQL from its definitions.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL jit = off;
SELECT plan(29);

-- The key is made first, and its record is not one of the leaves.
DO $$ BEGIN PERFORM answer_key_generate(); END $$;
DO $$
BEGIN
	ALTER TABLE answer.receipt DISABLE TRIGGER USER;
	DELETE FROM answer.receipt;
	DELETE FROM answer.unsealed;
	ALTER TABLE answer.receipt ENABLE ALWAYS TRIGGER receipt_append_only, ENABLE ALWAYS TRIGGER receipt_no_truncate;
END $$;

-- Leaves are digests of receipts; these stand in for them. The log needs only the id and instant of a receipt.
CREATE TEMP TABLE leaf AS
	SELECT i, 'ans_' || left(md5(i::text), 16) AS receipt_id,
		'2026-01-01Z'::timestamptz + i * interval '1 us' AS issued_at, sha256(int4send(i)) AS digest
	FROM generate_series(0, 32799) AS i;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, body)
	SELECT receipt_id, 'answer/v1', issued_at, 'supported', 1, false, 'none', '{}' FROM leaf;
-- the record of the first key is a receipt too, and would be one of these leaves
DO $$ BEGIN PERFORM public.answer_key_generate(); DELETE FROM answer.unsealed; END $$;

-- The definition: MTH of one leaf and of a range that splits at the greatest power of two below its length.
-- Complete subtrees are looked up, to save time.
CREATE TEMP TABLE node (height int, position int, hash bytea, PRIMARY KEY (height, position));
INSERT INTO node SELECT 0, i, sha256('\x00'::bytea || digest) FROM leaf;
DO $$
BEGIN
	FOR h IN 1 .. 15 LOOP
		INSERT INTO node SELECT h, l.position / 2, sha256('\x01'::bytea || l.hash || r.hash)
		FROM node l JOIN node r ON r.height = h - 1 AND r.position = l.position + 1
		WHERE l.height = h - 1 AND l.position % 2 = 0;
		ANALYZE node;
	END LOOP;
END $$;
CREATE FUNCTION pg_temp.split(n int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN n > 1 THEN
		1 << width_bucket(n - 1, '{2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536}'::int[]) END
$$;
CREATE FUNCTION pg_temp.mth(b int, e int) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	k int := pg_temp.split(e - b);
	h bytea;
BEGIN
	IF e = b THEN
		RETURN sha256('');
	END IF;
	SELECT n.hash INTO h
	FROM node n
	WHERE 1 << n.height = e - b AND n.position * (e - b) = b
		AND n.height = (SELECT g FROM generate_series(0, 15) AS g WHERE 1 << g = e - b) AND n.position = b / (e - b);
	RETURN coalesce(h, sha256('\x01'::bytea || pg_temp.mth(b, b + k) || pg_temp.mth(b + k, e)));
END $$;
-- 2.1.1: PATH(m, D[b:e])
CREATE FUNCTION pg_temp.path(m int, b int, e int) RETURNS bytea[] LANGUAGE plpgsql AS $$
DECLARE
	k int := pg_temp.split(e - b);
BEGIN
	RETURN CASE WHEN e - b = 1 THEN '{}' WHEN m < b + k THEN pg_temp.path(m, b, b + k) || pg_temp.mth(b + k, e)
		ELSE pg_temp.path(m, b + k, e) || pg_temp.mth(b, b + k) END;
END $$;
-- 2.1.2: SUBPROOF(m, D[b:e], known)
CREATE FUNCTION pg_temp.subproof(m int, b int, e int, known boolean) RETURNS bytea[] LANGUAGE plpgsql AS $$
DECLARE
	k int := pg_temp.split(e - b);
BEGIN
	RETURN CASE WHEN m = e - b AND known THEN '{}' WHEN m = e - b THEN ARRAY[pg_temp.mth(b, e)]
		WHEN m <= k THEN pg_temp.subproof(m, b, b + k, known) || pg_temp.mth(b + k, e)
		ELSE pg_temp.subproof(m - k, b + k, e, false) || pg_temp.mth(b, b + k) END;
END $$;
CREATE FUNCTION pg_temp.hashes(proof jsonb) RETURNS bytea[] LANGUAGE sql AS $$
	SELECT coalesce(array_agg(decode(h, 'base64') ORDER BY n), '{}')
	FROM jsonb_array_elements_text(proof -> 'hashes') WITH ORDINALITY AS x (h, n)
$$;
CREATE FUNCTION pg_temp.b64(text) RETURNS bytea LANGUAGE sql AS $$ SELECT decode($1, 'base64') $$;
-- check of the test itself: the tree of RFC 9162, 2.1.5, has seven leaves, hashed here as the RFC draws them
SELECT is(pg_temp.mth(0, 7),
	(SELECT sha256('\x01'::bytea ||
		sha256('\x01'::bytea || sha256('\x01'::bytea || a || b) || sha256('\x01'::bytea || c || d)) ||
		sha256('\x01'::bytea || sha256('\x01'::bytea || e || f) || j))
	FROM (SELECT h[1] AS a, h[2] AS b, h[3] AS c, h[4] AS d, h[5] AS e, h[6] AS f, h[7] AS j
			FROM (SELECT array_agg(hash ORDER BY position) AS h FROM node WHERE height = 0 AND position < 7) q) r),
		'the definition gives the tree of the RFC''s figure');
SELECT is((SELECT array_agg(array_length(pg_temp.path(m, 0, 7), 1) ORDER BY m) FROM unnest('{0,3,4,6}'::int[]) AS m),
	'{3,3,3,2}', 'and the audit paths of its examples have their lengths');
SELECT is((SELECT array_agg(coalesce(array_length(pg_temp.subproof(m, 0, 7, true), 1), 0) ORDER BY m)
		FROM unnest('{3,4,6,7}'::int[]) AS m), '{4,1,3,0}', 'the consistency proofs too');

CREATE FUNCTION pg_temp.grow(size int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	done int := (SELECT coalesce(max(tree_size), 0) FROM answer.checkpoint);
BEGIN
	-- in any order: sealing sorts them
	INSERT INTO answer.unsealed SELECT receipt_id, issued_at, digest
	FROM leaf WHERE i >= done AND i < size ORDER BY digest;
	PERFORM answer_log_seal();
END $$;

-- Sealed one by one up to 130, then in steps across the borders of tiles.
CREATE TEMP TABLE border (size int PRIMARY KEY);
INSERT INTO border SELECT unnest('{160,1022,1023,1024,1025,1055,1056,1057,2048,32736,32767,32768,32769,32800}'::int[]);
SELECT lives_ok('SELECT pg_temp.grow(n) FROM generate_series(0, 130) AS n', 'sealed leaf by leaf');
SELECT lives_ok('SELECT pg_temp.grow(size) FROM border ORDER BY size', 'and in leaps');
SELECT is((SELECT count(*) FROM answer.checkpoint), 145::bigint, 'each has a checkpoint');
SELECT is_empty('SELECT l.i FROM leaf l FULL JOIN answer.log_leaf g ON g.leaf_index = l.i WHERE (g.receipt_id, '
	'g.issued_at, g.digest) IS DISTINCT FROM (l.receipt_id, l.issued_at, l.digest)', 'the leaves are in order');
SELECT is_empty('SELECT tree_size FROM answer.checkpoint WHERE root_hash <> pg_temp.mth(0, tree_size::int)',
	'every root is the definition''s');
SELECT is_empty($$SELECT tree_size FROM answer.checkpoint
		WHERE convert_from(note, 'UTF8')
			NOT LIKE origin || E'\n' || tree_size || E'\n' || encode(root_hash, 'base64') || E'\n\n%'$$,
	'and what is signed');
SELECT is_empty($$SELECT c.tree_size
		FROM answer.checkpoint c,
			LATERAL (SELECT coalesce(string_agg(n.hash, ''::bytea ORDER BY n.height, n.position), '') AS edge
				FROM generate_series(0, 3) AS l
					JOIN node n ON n.height = 5 * l AND n.position >= (c.tree_size >> (5 * l)) / 32 * 32
						AND n.position < c.tree_size >> (5 * l)) AS e WHERE c.edge <> e.edge$$,
	'every edge is what no complete tile has');
SELECT results_eq('SELECT level::int, count(*), min(tile), max(tile) FROM answer.log_tile GROUP BY 1 ORDER BY 1',
	'VALUES (0, 1025::bigint, 0::bigint, 1024::bigint), (1, 32, 0, 31), (2, 1, 0, 0)', 'every complete tile is there');
SELECT is_empty($$SELECT level, tile
		FROM answer.log_tile t
			LEFT JOIN (SELECT height / 5 AS level, position / 32 AS tile,
					string_agg(hash, ''::bytea ORDER BY position) AS hashes
				FROM node WHERE height % 5 = 0 GROUP BY 1, 2) AS e USING (level, tile)
		WHERE t.hashes IS DISTINCT FROM e.hashes$$,
	'and has the definition''s hashes');

CREATE TEMP TABLE root AS SELECT DISTINCT size, pg_temp.mth(0, size) AS hash
FROM (SELECT generate_series(0, 131) UNION SELECT size FROM border
	UNION SELECT unnest('{1000,4096,16384,16385,32000}'::int[])) AS s (size);
CREATE UNIQUE INDEX ON root (size);
CREATE FUNCTION pg_temp.root(n int) RETURNS bytea LANGUAGE sql STABLE AS $$ SELECT hash FROM root WHERE size = n $$;

-- Inclusion: every leaf in every tree up to 130; at the borders, leaves near them.
CREATE TEMP TABLE inclusion AS SELECT i, size, answer_log_inclusion(receipt_id, size) AS p
FROM leaf, generate_series(i + 1, 130) AS size WHERE i < 130
	UNION ALL SELECT i, size, answer_log_inclusion(receipt_id, size)
	FROM border, leaf
	WHERE i < size
		AND (i IN (0, 1, 30, 31, 32, 33, 1023, 1024, 1025, 32735, 32767, 32768) OR i >= size - 2 OR i = size / 2);
SELECT cmp_ok((SELECT count(*) FROM inclusion), '>', 8600::bigint, 'many inclusion proofs');
SELECT is_empty($$SELECT i, size FROM inclusion WHERE pg_temp.hashes(p) <> pg_temp.path(i, 0, size)$$,
	'each is the definition''s path');
SELECT is_empty($$SELECT i, size FROM inclusion JOIN node ON height = 0 AND position = i
		WHERE (p ->> 'leaf_index')::int <> i OR (p ->> 'tree_size')::int <> size
			OR pg_temp.b64(p ->> 'leaf_hash') <> hash OR pg_temp.b64(p ->> 'root_hash') <> pg_temp.root(size)$$,
	'to the right root');
SELECT is_empty($$SELECT i, size FROM inclusion
		WHERE NOT answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
			pg_temp.hashes(p))$$, 'and is accepted');
SELECT is_empty($$SELECT i, size FROM inclusion WHERE (answer_log_verify(p) -> 'ok')::bool IS NOT TRUE$$,
	'with its checkpoint, too');
SELECT is_empty($$SELECT i, size, n FROM inclusion, generate_series(1, cardinality(pg_temp.hashes(p))) AS n
		WHERE size % 7 = i % 7
			AND answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
				(SELECT array_agg(CASE WHEN m = n THEN set_byte(h, n, get_byte(h, n) # 4) ELSE h END ORDER BY m)
					FROM unnest(pg_temp.hashes(p)) WITH ORDINALITY AS x (h, m)))$$, 'no hash of it can be changed');
SELECT is_empty($$SELECT i, size FROM inclusion, LATERAL (SELECT pg_temp.hashes(p) AS h) AS x
		WHERE size > 1
			AND (answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'), h[2:])
				OR answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
					h[:cardinality(h) - 1])
				OR answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
					h || sha256('x'))
				OR answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
					sha256('x') || h))$$, 'none left out or put in');
SELECT is_empty($$SELECT i, size, other FROM inclusion, generate_series(0, 140) AS other
		WHERE size IN (1, 2, 3, 31, 32, 33, 64, 65, 127, 128, 129, 130) AND other <> i
			AND answer.merkle_inclusion(other, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.b64(p ->> 'root_hash'),
				pg_temp.hashes(p))$$, 'nor does it prove another place');
SELECT is_empty($$SELECT i, size FROM inclusion
		WHERE size <= 130
			AND answer.merkle_inclusion(i, size, pg_temp.b64(p ->> 'leaf_hash'), pg_temp.root(size + 1),
				pg_temp.hashes(p))$$, 'or another tree');

-- Consistency: every pair up to 130, and pairs of borders.
CREATE TEMP TABLE consistency AS SELECT a, b, answer_log_consistency(a, b) AS p
FROM generate_series(1, 130) AS b, generate_series(1, b) AS a
	UNION ALL SELECT a, b, answer_log_consistency(a, b)
	FROM (SELECT size AS b FROM border) AS x,
		(SELECT size AS a FROM border
			UNION SELECT unnest('{1,2,3,31,32,33,63,64,100,130,1000,4096,16384,16385,32000}'::int[])) AS y
	WHERE a <= b;
SELECT cmp_ok((SELECT count(*) FROM consistency), '>', 8700::bigint, 'many consistency proofs');
SELECT is_empty($$SELECT a, b FROM consistency WHERE pg_temp.hashes(p) <> pg_temp.subproof(a, 0, b, true)$$,
	'each is the definition''s');
SELECT is_empty($$SELECT a, b FROM consistency
		WHERE (p ->> 'from_size')::int <> a OR (p ->> 'to_size')::int <> b
			OR pg_temp.b64(p ->> 'from_root') <> pg_temp.root(a) OR pg_temp.b64(p ->> 'to_root') <> pg_temp.root(b)$$,
	'between the right roots');
SELECT is_empty($$SELECT a, b FROM consistency
		WHERE NOT answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), pg_temp.b64(p ->> 'to_root'),
			pg_temp.hashes(p)) OR (answer_log_verify(p) -> 'ok')::bool IS NOT TRUE$$, 'and is accepted');
SELECT is_empty($$SELECT a, b, n FROM consistency, generate_series(1, cardinality(pg_temp.hashes(p))) AS n
		WHERE a % 5 = b % 5
			AND answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), pg_temp.b64(p ->> 'to_root'),
				(SELECT array_agg(CASE WHEN m = n THEN set_byte(h, n, get_byte(h, n) # 4) ELSE h END ORDER BY m)
					FROM unnest(pg_temp.hashes(p)) WITH ORDINALITY AS x (h, m)))$$, 'no hash of it can be changed');
SELECT is_empty($$SELECT a, b FROM consistency, LATERAL (SELECT pg_temp.hashes(p) AS h) AS x
		WHERE answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), pg_temp.b64(p ->> 'to_root'),
			h || sha256('x'))
			OR answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), pg_temp.b64(p ->> 'to_root'),
				sha256('x') || h)
			OR (a < b
				AND answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), pg_temp.b64(p ->> 'to_root'),
					h[2:]))$$, 'none left out or put in');
SELECT is_empty($$SELECT a, b FROM consistency
		WHERE a < b
			AND (answer.merkle_consistency(b, a, pg_temp.b64(p ->> 'to_root'), pg_temp.b64(p ->> 'from_root'),
					pg_temp.hashes(p))
				OR answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'to_root'), pg_temp.b64(p ->> 'from_root'),
					pg_temp.hashes(p))
				OR answer.merkle_consistency(a, b, sha256('x'), pg_temp.b64(p ->> 'to_root'), pg_temp.hashes(p))
				OR answer.merkle_consistency(a, b, pg_temp.b64(p ->> 'from_root'), sha256('x'), pg_temp.hashes(p)))$$,
	'nor turned round, nor does it prove another root');

-- The audit computes the same tree: it reports only the missing receipts, which do not exist.
SELECT results_eq('SELECT finding::text, detail, count(*) FROM answer_log_audit() WHERE coalesce(receipt_id, $$ans$$) '
	'LIKE $$ans%$$ AND detail NOT LIKE $$the roll-up %$$ GROUP BY 1, 2',
	$$VALUES ('changed', 'the receipt is not what was sealed', 32800::bigint)$$,
	'an audit of all this finds tiles and checkpoints good');

SELECT * FROM finish();
ROLLBACK;
