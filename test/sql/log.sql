-- The transparency log: sealing, checkpoints, proofs, witnesses, and what is refused.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';
SET client_min_messages = warning;

-- A log of its own, whose name needs escapes.
SET answer_eval.allow_drop = on;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
SET answer_eval.issuer = 'log.example/a b+100%é';
-- what differs from run to run is hidden
CREATE FUNCTION hide(t text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(t, '[A-Za-z0-9+/]{90,}=*',
				'<signature>', 'g'), '\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}', '+<hash>+<key>', 'g'), '[A-Za-z0-9+/]{43}=',
		'<hash>', 'g'),
		'(ans|chg)_[0-9a-f]{16}', '<receipt>', 'g'), 'sha256:[0-9a-f]{64}', '<digest>', 'g')
$$;
-- what a call raises: SQLSTATE, message, detail and hint
CREATE FUNCTION raises(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN hide(concat_ws(' | ', sqlstate, sqlerrm, nullif(detail, ''), nullif(hint, '')));
END $$;
CREATE FUNCTION mint(n int) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(answer_eval(jsonb_build_object('checks',
		jsonb_build_array(jsonb_build_object('tool', 'postgres_server', 'expect',
			jsonb_build_object('path', 'version', 'op', 'eq', 'value', i))))))
	FROM generate_series(1, n) AS i
$$;
CREATE FUNCTION id(n bigint) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT receipt_id FROM answer.log_leaf WHERE leaf_index = n
$$;

-- Before the first sealing there is nothing to show.
SELECT call, raises(call)
FROM unnest(ARRAY['answer_checkpoint()', 'answer_checkpoint(0)', 'answer_checkpoint(NULL)',
	$$answer_log_inclusion('x')$$, 'answer_log_inclusion(NULL)', 'answer_log_consistency(1)',
	'answer_log_consistency(NULL)', 'answer_checkpoint_request(0)', 'answer_checkpoint_request(NULL)',
	'answer_log_vkey()', $$answer_log_vkey('x')$$, 'answer_witness_vkey()',
	'answer_log_audit()', 'answer_log_audit(0, 0)', 'answer_log_audit(0, 1)', 'answer_log_audit(1)',
	'answer_log_audit(-1)', $$answer_log_compare('')$$, $$answer_checkpoint_verify('')$$,
	$$answer_log_verify('{}')$$]) AS call;
SELECT answer_checkpoint(0) IS NULL AS checkpoint, answer_log_inclusion(NULL) IS NULL AS inclusion,
	answer_log_compare('') AS compare, answer_log_compare(NULL) IS NULL AS compare_null,
	(SELECT count(*) FROM answer_log_audit()) AS defects;

-- An empty log is sealed once; its root is the hash of nothing. The key is made for it, and its record waits.
SELECT answer_log_seal();
SELECT left(receipt_id, 4) AS unsealed FROM answer.unsealed;
SELECT count(*) AS checkpoints FROM answer.checkpoint;
SELECT tree_size, previous_size, origin, root_hash = sha256('') AS root, length(edge) AS edge,
	key_id = active AS active_key, sealed_at BETWEEN now() AND clock_timestamp() AS now,
	hide(convert_from(note, 'UTF8')) AS note
FROM answer.checkpoint, (SELECT key_id AS active FROM answer.signing_key WHERE status = 'active') AS k;
SELECT answer_checkpoint() = answer_checkpoint(0) AS same, answer_checkpoint(1) IS NULL AS none,
	answer_checkpoint(-1) IS NULL AS negative;
SELECT hide(answer_log_vkey()) AS vkey, hide(answer_witness_vkey()) AS witness_vkey;
SELECT call, raises(call)
FROM unnest(ARRAY['answer_log_consistency(0)', 'answer_log_consistency(1)', 'answer_log_consistency(0, 0)',
	'answer_checkpoint_request(1)', $$answer_log_inclusion('x')$$, $$answer_log_inclusion('x', 0)$$]) AS call;
SELECT hide(answer_checkpoint_request(0)) AS request;
SELECT answer_log_compare(answer_checkpoint()) - 'root_hash' AS compare;

-- The name is what it was at the first sealing.
SET answer_eval.issuer = 'another.example';
SELECT mint(1);
SELECT answer_log_seal() ->> 'sealed' AS sealed;
SELECT tree_size, previous_size, hide(convert_from(note, 'UTF8')) AS note FROM answer.checkpoint ORDER BY 1;
SELECT mint(1);
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT mint(4);

-- A leaf is a receipt's digest, in the order of issued_at and id; nothing waits twice.
SELECT count(*) AS leaves, bool_and(l.digest = decode(substr(answer_digest(r.body - 'anchor'), 8), 'hex')) AS digest,
	bool_and(l.issued_at = r.issued_at) AS issued_at,
	(SELECT array_agg(receipt_id ORDER BY leaf_index) = array_agg(receipt_id ORDER BY issued_at, receipt_id COLLATE "C")
		FROM answer.log_leaf) AS in_order
FROM answer.log_leaf AS l JOIN answer.receipt AS r USING (receipt_id);
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT count(*) AS unsealed FROM answer.unsealed;

-- Shapes.
SELECT jsonb_pretty(hide(answer_log_inclusion(id(2))::text)::jsonb) AS inclusion;
SELECT jsonb_pretty(hide(answer_log_consistency(3)::text)::jsonb) AS consistency;
SELECT hide(answer_checkpoint_request(3)) AS request;
SELECT jsonb_pretty(hide(answer_checkpoint_verify(answer_checkpoint())::text)::jsonb
	#- '{signatures,0,key_hash}') AS verified;
SELECT jsonb_pretty(hide(answer_log_verify(answer_log_inclusion(id(2)), answer_receipt(id(2)))::text)::jsonb
	#- '{steps,checkpoint,signatures,0,key_hash}') AS verified;
SELECT jsonb_pretty(hide(answer_log_verify(answer_log_consistency(3))::text)::jsonb
	#- '{steps,checkpoint,signatures,0,key_hash}') AS verified;
SELECT jsonb_pretty(hide(answer_log_compare(answer_checkpoint(3))::text)::jsonb) AS compare;
SELECT hide(answer_log_seal()::text) AS nothing_new;
-- a size that was never sealed has no checkpoint, but a tree
SELECT answer_log_inclusion(id(2), 4) ? 'checkpoint' AS checkpoint,
	answer_log_verify(answer_log_inclusion(id(2), 4), answer_receipt(id(2))) AS verified;
SELECT answer_log_consistency(1, 5) ? 'checkpoint' AS checkpoint,
	answer_log_verify(answer_log_consistency(1, 5)) AS verified;
-- a proof of nothing
SELECT answer_log_consistency(7, 7) -> 'hashes' AS hashes,
	answer_log_verify(answer_log_consistency(7, 7)) -> 'ok' AS ok,
	answer_log_inclusion(id(0), 1) -> 'hashes' AS one_leaf,
	answer_log_verify(answer_log_inclusion(id(0), 1)) -> 'ok' AS ok;

-- Every leaf in every tree, every tree in every later one.
SELECT count(*),
	bool_and((answer_log_verify(answer_log_inclusion(receipt_id, size), answer_receipt(receipt_id))
		-> 'ok')::bool) AS ok,
	count(*) FILTER (WHERE answer_log_inclusion(receipt_id, size) ? 'checkpoint') AS with_checkpoint
FROM answer.log_leaf, generate_series(leaf_index + 1, 7) AS size;
SELECT count(*), bool_and((answer_log_verify(answer_log_consistency(a, b)) -> 'ok')::bool) AS ok
FROM generate_series(1, 7) AS a, generate_series(a, 7) AS b;

-- Sizes and names that there are not.
SELECT call, raises(call)
FROM unnest(ARRAY['answer_log_inclusion(id(2), 2)', 'answer_log_inclusion(id(2), 0)', 'answer_log_inclusion(id(2), -1)',
	'answer_log_inclusion(id(2), 8)', 'answer_log_inclusion(id(2), 9223372036854775807)',
	'answer_log_inclusion(id(2), -9223372036854775808)', $$answer_log_inclusion('ans_0000000000000000')$$,
	$$answer_log_inclusion('')$$, $$answer_log_inclusion(repeat('x', 100))$$, 'answer_log_consistency(0)',
	'answer_log_consistency(8)', 'answer_log_consistency(-1)', 'answer_log_consistency(3, 2)',
	'answer_log_consistency(3, 0)', 'answer_log_consistency(3, 8)', 'answer_log_consistency(3, -1)',
	'answer_log_consistency(9223372036854775807)', 'answer_log_consistency(1, 9223372036854775807)',
	'answer_log_consistency(NULL, 3)',
	'answer_checkpoint_request(-1)', 'answer_checkpoint_request(8)', $$answer_log_vkey('')$$,
	$$answer_witness_vkey('ae-ed25519-000000000000')$$, 'answer_log_audit(0, 8)', 'answer_log_audit(5, 3)',
	'answer_log_audit(-1)']) AS call;
-- a receipt that waits
SELECT mint(1);
SELECT raises(format('answer_log_inclusion(%L)', receipt_id)) FROM answer.unsealed;

-- Sealing is one transaction: what is rolled back has not been.
BEGIN;
SELECT answer_log_seal() ->> 'tree_size' AS tree_size, (SELECT count(*) FROM answer.unsealed) AS unsealed;
SELECT (answer_log_verify(answer_log_inclusion(id(7)), answer_receipt(id(7))) -> 'ok')::bool AS ok;
ROLLBACK;
SELECT (SELECT count(*) FROM answer.unsealed) AS unsealed, (SELECT max(tree_size) FROM answer.checkpoint) AS tree_size,
	(SELECT count(*) FROM answer.log_leaf) AS leaves;
BEGIN;
SAVEPOINT s;
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
ROLLBACK TO s;
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
COMMIT;
SELECT (SELECT count(*) FROM answer.unsealed) AS unsealed, (SELECT max(tree_size) FROM answer.checkpoint) AS tree_size;

-- A read-only transaction proves and audits, but writes nothing.
BEGIN READ ONLY;
SELECT (answer_log_verify(answer_log_inclusion(id(3)), answer_receipt(id(3))) -> 'ok')::bool AS inclusion,
	(answer_log_verify(answer_log_consistency(3)) -> 'ok')::bool AS consistency,
	answer_checkpoint() IS NOT NULL AS checkpoint, (SELECT count(*) FROM answer_log_audit(0)) AS defects,
	answer_log_compare(answer_checkpoint(3)) ->> 'state' AS compare;
SELECT call, raises(call)
FROM unnest(ARRAY['answer_log_seal()', $$answer_witness_trust('x')$$, $$answer_checkpoint_cosign('x')$$,
	$$answer_cosignature_add(1, 'x', 'x')$$]) AS call;
ROLLBACK;
SELECT count(*) AS audits FROM answer.log_audit;

-- A receipt can be required to be in the log: with the proof, by the log's own key or those given.
CREATE FUNCTION final(r jsonb, k jsonb, p jsonb, vkeys text[] DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT (v ->> 'ok') || coalesce('; ' ||
			string_agg(s.key || ': ' || coalesce((s.value ->> 'state') || ' ', '') ||
					coalesce(s.value ->> 'reason', ''), '; ' ORDER BY s.key COLLATE "C"), '')
	FROM answer_verify(r, k, p, vkeys) AS v
		LEFT JOIN LATERAL jsonb_each(v -> 'steps') AS s ON NOT (s.value -> 'ok')::boolean
	GROUP BY v
$$;
SELECT final(r, NULL, p) AS own, final(r, answer_keys(), p, ARRAY[answer_log_vkey()]) AS given,
	final(r, NULL, NULL) AS absent, final(r, NULL, p, '{}') AS no_key, final(r, NULL, p - 'checkpoint') AS unsigned,
	final(r, '{}', p) AS no_signature, final(r || '{"verdict": "supported", "disclaimer": ""}', NULL, p) AS changed,
	final(answer_receipt(id(3)), NULL, p) AS another
FROM (SELECT answer_log_inclusion(id(2)) AS p, answer_receipt(id(2)) AS r) AS x;
SELECT p, final(answer_receipt(id(2)), NULL, p::jsonb)
FROM unnest(ARRAY['{}', '[]', 'null', '1', 'true', '{"schema": "answer/inclusion/v1"}',
	'{"schema": "answer/consistency/v1"}']) AS p
UNION ALL SELECT 'a consistency proof', final(answer_receipt(id(2)), NULL, answer_log_consistency(3));
SELECT answer_verify('x'::text, NULL, '{}') -> 'ok' AS no_json,
	answer_verify(NULL::text, NULL, NULL) #> '{steps,inclusion}' AS nothing,
	answer_verify(answer_receipt(id(2))::json::text, NULL, answer_log_inclusion(id(2))) -> 'ok' AS json,
	answer_verify(answer_receipt(id(2))::text, NULL, answer_log_inclusion(id(2))) -> 'ok' AS text,
	answer_verify(answer_receipt(id(2)), NULL) -> 'steps' ? 'inclusion' AS not_asked,
	raises($$answer_verify('{}'::jsonb, NULL, '{}', '{x}')$$) AS bad_vkey;

-- Malformed proofs: never an error.
CREATE TABLE proof AS SELECT 'inclusion' AS kind, answer_log_inclusion(id(2)) AS p, answer_receipt(id(2)) AS r
UNION ALL SELECT 'consistency', answer_log_consistency(3), NULL;
CREATE FUNCTION failing(p jsonb, r jsonb DEFAULT NULL, vkeys text[] DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(s.key || ': ' || (s.value ->> 'reason') ||
				coalesce(' (' || (s.value ->> 'state') || ')', ''), '; ' ORDER BY s.key COLLATE "C"),
		CASE WHEN (v -> 'ok')::boolean THEN 'ok' END)
	FROM answer_log_verify(p, r, vkeys) AS v
		LEFT JOIN LATERAL jsonb_each(v -> 'steps') AS s ON NOT (s.value -> 'ok')::boolean
	GROUP BY v
$$;
SELECT p, answer_log_verify(p::jsonb)
FROM unnest(ARRAY[NULL, '{}', '[]', 'null', '1', '"x"', 'true', '[{"schema": "answer/inclusion/v1"}]',
	'{"schema": "answer/inclusion/v2"}', '{"schema": ["answer/inclusion/v1"]}', '{"schema": "answer/inclusion/v1"}',
	'{"schema": "answer/consistency/v1"}']) AS p;
-- every member left out, emptied or of another type
SELECT kind, key,
	string_agg(DISTINCT failing(CASE WHEN v IS NULL THEN p - key ELSE jsonb_set(p, ARRAY[key], v) END, r),
		' / ') AS fails
FROM proof, jsonb_object_keys(p) AS key,
	unnest(ARRAY[NULL, 'null', '""', '0', '-1', '1.5', '1e400', '[]', '{}', 'true', '"x"', '[null]', '[""]',
		'{"a": []}']::jsonb[]) AS v
WHERE key <> 'schema' GROUP BY kind, key ORDER BY kind, key COLLATE "C";
-- numbers: only what is one; a size beyond 63 bits is none.  The hashes of a leaf well inside fit
-- several sizes, as RFC 9162 has it: it is the checkpoint that tells which one it was
SELECT v, failing(jsonb_set(p, '{tree_size}', v::jsonb) - 'checkpoint', r)
FROM proof,
	unnest(ARRAY['8', '8.0', '80e-1', '"8"', '7', '9', '9223372036854775807', '9223372036854775808',
		'18446744073709551624', '8.5', '-8']) AS v
WHERE kind = 'inclusion';
SELECT v, failing(jsonb_set(p, '{leaf_index}', v::jsonb) - 'checkpoint', r)
FROM proof, unnest(ARRAY['2', '2.0', '3', '-2', '8', '18446744073709551618', '9223372036854775807']) AS v
WHERE kind = 'inclusion';
-- hashes: one more, one less, exchanged, of another length, in another spelling, too many
SELECT v.what, failing(jsonb_set(p, '{hashes}', v.h) - 'checkpoint', r)
FROM proof, LATERAL (VALUES ('as it is', p -> 'hashes'),
	('one more', (p -> 'hashes') || jsonb_build_array(encode(sha256('x'), 'base64'))),
	('one less', (p -> 'hashes') - -1), ('first gone', (p -> 'hashes') - 0),
	('exchanged', jsonb_build_array(p #> '{hashes,1}', p #> '{hashes,0}', p #> '{hashes,2}')),
	('twice', (p -> 'hashes') || (p -> 'hashes')),
	('31 bytes', jsonb_build_array(encode(substr(sha256('x'), 2), 'base64'))),
	('33 bytes', jsonb_build_array(encode(sha256('x') || '\x00', 'base64'))),
	('base64url', jsonb_set(p -> 'hashes', '{0}', to_jsonb(repeat('-', 43) || '='))),
	('no padding', jsonb_set(p -> 'hashes', '{0}', to_jsonb(rtrim(p #>> '{hashes,0}', '=')))),
	('stray bits',
		jsonb_set(p -> 'hashes', '{0}',
			to_jsonb(left(p #>> '{hashes,0}', 42) || chr(ascii(substr(p #>> '{hashes,0}', 43, 1)) + 1) || '='))),
	('a newline', jsonb_set(p -> 'hashes', '{0}', to_jsonb((p #>> '{hashes,0}') || E'\n'))),
	('64', (SELECT jsonb_agg(encode(sha256('x'), 'base64')) FROM generate_series(1, 64))),
	('65', (SELECT jsonb_agg(encode(sha256('x'), 'base64')) FROM generate_series(1, 65))),
	('an object', '{"0": "x"}')) AS v (what, h)
WHERE kind = 'inclusion';
-- of another receipt, of a document that is none, of a tombstone
SELECT failing(p, answer_receipt(id(3))) AS another, failing(p, r || '{"anchor": 1}') AS anchored,
	failing(p, r - 'signature') AS unsigned, failing(p, '{}') AS empty, failing(p, '[]') AS an_array,
	failing(p, 'null') AS "null", failing(p, (repeat('[', 600) || repeat(']', 600))::jsonb) AS deep,
	failing(p, jsonb_build_object('x', (repeat('[', 600) || repeat(']', 600))::jsonb)) AS deep_object,
	failing(p, jsonb_build_object('schema', 'answer/tombstone/v1', 'digest', p -> 'digest')) AS tombstone,
	failing(p, '{"schema": "answer/tombstone/v1", "digest": "sha256:00"}') AS bad_tombstone,
	failing(p, jsonb_build_object('schema', 'answer/tombstone/v1', 'digest', upper(p ->> 'digest'))) AS upper_case
FROM proof
WHERE kind = 'inclusion';
-- a receipt where none is proved
SELECT failing(p, '{}') FROM proof WHERE kind = 'consistency';
-- the checkpoint that it carries
SELECT v.what, failing(jsonb_set(p, '{checkpoint}', to_jsonb(v.c)), r)
FROM proof, LATERAL (VALUES ('of another size', answer_checkpoint(3)),
	('with another root', replace(p ->> 'checkpoint', p ->> 'root_hash', encode(sha256('x'), 'base64'))),
	('of another origin', replace(p ->> 'checkpoint', 'log.example', 'dog.example')),
	('signed for another', replace(p ->> 'checkpoint', E'\u2014 log.example', E'\u2014 dog.example')),
	('unsigned', left(p ->> 'checkpoint', position(E'\u2014' IN p ->> 'checkpoint') - 1)),
	('torn', left(p ->> 'checkpoint', -1)), ('none', '')) AS v (what, c)
WHERE kind = 'inclusion';
SELECT failing(p || '{"origin": "elsewhere"}', r) AS origin,
	failing(p || '{"root_hash": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}', r) AS root_hash,
	failing(p - 'checkpoint' || '{"origin": "elsewhere"}', r) AS origin_without_checkpoint
FROM proof WHERE kind = 'inclusion';

-- Keys given.
SELECT what, failing(p, r, vkeys)
FROM proof, LATERAL (VALUES ('ours', ARRAY[answer_log_vkey()]), ('none', '{}'),
	('a witness''s', ARRAY[answer_witness_vkey()]),
	('another''s', '{PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW}'),
	('both', ARRAY['PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', answer_log_vkey()]),
	('ours twice', ARRAY[answer_log_vkey(), answer_log_vkey()]),
	('two dimensions',
		ARRAY[[answer_log_vkey()],
			['PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW']])) AS v (what, vkeys)
WHERE kind = 'inclusion';
SELECT raises(format('answer_checkpoint_verify(answer_checkpoint(), %L::text[])', v)) AS verify,
	raises(format('answer_log_verify(%L, NULL, %L::text[])', '{}', v)) AS log_verify,
	raises(format('answer_witness_trust(%L)', v[1])) AS trust
FROM (VALUES ('{NULL}'::text[]), ('{""}'), ('{x}'),
	('{PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TX}'),
	('{PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW}'),
	('{PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW}'),
	('{+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW}'),
	('{"Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"}'), ('{PeterNeumann+c74f20a3+}'),
	('{PeterNeumann+c74f20a3}'), ('{PeterNeumann+}'), ('{+++}'),
	('{PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T}'),
	('{PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWAAAA}'),
	('{"PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW "}'),
	('{PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW}')) AS v (v);
SELECT answer_checkpoint_verify(NULL), answer_checkpoint_verify(NULL, NULL) -> 'ok' AS both,
	answer_checkpoint_verify(NULL, '{}') ->> 'reason' AS reason;

-- The bare rules: never NULL, never an error.
SELECT answer.merkle_leaf_hash('')
		= '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' AS rfc_6962_empty_leaf,
	answer.merkle_leaf_hash('\x00') = sha256('\x0000') AS zero,
	answer.merkle_leaf_hash(decode(repeat('ab', 100000), 'hex'))
		= sha256('\x00'::bytea || decode(repeat('ab', 100000), 'hex')) AS long,
	answer.merkle_leaf_hash(NULL) IS NULL AS "null";
SELECT answer.merkle_inclusion(0, 1, sha256('a'), sha256('a'), '{}') AS one,
	answer.merkle_inclusion(0, 1, sha256('a'), sha256('a'), NULL) AS no_proof,
	answer.merkle_inclusion(NULL, 1, sha256('a'), sha256('a'), '{}') AS index,
	answer.merkle_inclusion(0, NULL, sha256('a'), sha256('a'), '{}') AS size,
	answer.merkle_inclusion(0, 1, NULL, sha256('a'), '{}') AS leaf,
	answer.merkle_inclusion(0, 1, sha256('a'), NULL, '{}') AS root,
	answer.merkle_inclusion(0, 1, sha256('a'), sha256('a'), '{NULL}') AS a_null_hash,
	answer.merkle_inclusion(0, 0, sha256('a'), sha256('a'), '{}') AS size_0,
	answer.merkle_inclusion(1, 1, sha256('a'), sha256('a'), '{}') AS beyond,
	answer.merkle_inclusion(-1, 1, sha256('a'), sha256('a'), '{}') AS negative,
	answer.merkle_inclusion(0, -1, sha256('a'), sha256('a'), '{}') AS negative_size,
	answer.merkle_inclusion(0, 1, '', '', '{}') AS empty,
	answer.merkle_inclusion(9223372036854775806, 9223372036854775807, sha256('a'), sha256('a'),
		array_fill(sha256('b'), ARRAY[63])) AS huge,
	answer.merkle_inclusion(0, 2, sha256('a'), sha256('\x01'::bytea || sha256('a') || sha256('b')),
		ARRAY[sha256('b')]) AS two,
	answer.merkle_inclusion(0, 2, sha256('a'), sha256('\x01'::bytea || sha256('a') || sha256('b')),
		ARRAY[[sha256('b')]]) AS two_dimensions,
	answer.merkle_inclusion(0, 1, sha256('a'), sha256('a'), array_fill(sha256('b'), ARRAY[65])) AS sixty_five,
	answer.merkle_inclusion(0, 1, sha256('a'), sha256('a'), array_fill(sha256('b'), ARRAY[100000])) AS many;
SELECT answer.merkle_consistency(1, 1, sha256('a'), sha256('a'), '{}') AS same,
	answer.merkle_consistency(1, 1, sha256('a'), sha256('b'), '{}') AS other,
	answer.merkle_consistency(0, 0, sha256(''), sha256(''), NULL) AS nothing,
	answer.merkle_consistency(0, 0, sha256('a'), sha256('a'), NULL) AS no_empty_root,
	answer.merkle_consistency(0, 1, sha256(''), sha256('a'), '{}') AS from_nothing,
	answer.merkle_consistency(2, 1, sha256('a'), sha256('a'), '{}') AS shrunk,
	answer.merkle_consistency(-1, -1, sha256('a'), sha256('a'), '{}') AS negative,
	answer.merkle_consistency(1, 2, sha256('a'), sha256('\x01'::bytea || sha256('a') || sha256('b')),
		ARRAY[sha256('b')]) AS grown,
	answer.merkle_consistency(1, 2, sha256('a'), sha256('\x01'::bytea || sha256('a') || sha256('b')), NULL) AS no_proof,
	answer.merkle_consistency(NULL, 2, sha256('a'), sha256('a'), '{}') AS nulls,
	answer.merkle_consistency(9223372036854775806, 9223372036854775807, sha256('a'), sha256('b'),
		array_fill(sha256('b'), ARRAY[64])) AS huge;

-- Keys change between sealings; old checkpoints verify with the old key.
SELECT answer_log_vkey() AS old_vkey, answer_witness_vkey() AS old_witness_vkey, key_id AS old_key
FROM answer.signing_key WHERE status = 'active' \gset
SELECT raises(format('answer_key_retire(%L, %L)', key_id,
	(SELECT max(sealed_at) - interval '1 microsecond' FROM answer.checkpoint))) AS before_the_newest_checkpoint
FROM answer.signing_key WHERE status = 'active';
SELECT answer_key_generate() AS new_key \gset
SELECT answer_log_vkey() <> :'old_vkey' AS other, answer_log_vkey(:'old_key') = :'old_vkey' AS same,
	answer_log_vkey(:'new_key') = answer_log_vkey() AS new;
-- the end of the one and the beginning of the other wait to be sealed
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT tree_size, answer_checkpoint_verify(answer_checkpoint(tree_size)) -> 'ok' AS own,
	answer_checkpoint_verify(answer_checkpoint(tree_size), ARRAY[:'old_vkey']) -> 'ok' AS old,
	answer_checkpoint_verify(answer_checkpoint(tree_size), ARRAY[answer_log_vkey()]) -> 'ok' AS new,
	answer_log_compare(answer_checkpoint(tree_size)) ->> 'state' AS compare
FROM answer.checkpoint ORDER BY 1;
SELECT bool_and((answer_log_verify(answer_log_inclusion(receipt_id), answer_receipt(receipt_id)) -> 'ok')::bool) AS ok,
	(SELECT count(*) FROM answer_log_audit(0)) AS defects
FROM answer.log_leaf;
-- what a compromised key signed proves nothing, for it has no date
BEGIN;
SELECT answer_key_compromise(:'old_key') IS NOT NULL AS compromised;
SELECT tree_size, answer_checkpoint_verify(answer_checkpoint(tree_size)) ->> 'reason' AS own,
	answer_checkpoint_verify(answer_checkpoint(tree_size), ARRAY[:'old_vkey']) -> 'ok' AS given,
	answer_log_compare(answer_checkpoint(tree_size)) ->> 'state' AS compare
FROM answer.checkpoint ORDER BY 1;
SELECT finding, detail, count(*) FROM answer_log_audit(0) GROUP BY 1, 2 ORDER BY 3, detail COLLATE "C";
SELECT answer_key_compromise(:'new_key') IS NOT NULL AS compromised;
SELECT raises('answer_log_seal()') AS not_without_a_key;
SELECT call, raises(call) FROM unnest('{answer_log_vkey(),answer_witness_vkey()}'::text[]) AS call;
ROLLBACK;

-- Until the end of the transaction: a role that replicates is held by the guards as well.
CREATE PROCEDURE guards(state "char", action text) LANGUAGE plpgsql AS $$
DECLARE
	guard record;
BEGIN
	FOR guard IN SELECT tgrelid::regclass AS relation, tgname AS name FROM pg_trigger
	WHERE tgenabled = state AND tgrelid::regclass::text LIKE 'answer.%' LOOP
		EXECUTE format('ALTER TABLE %s %s TRIGGER %I', guard.relation, action, guard.name);
	END LOOP;
END $$;
-- How a checkpoint that was kept relates to the log.
SELECT answer_checkpoint() AS kept \gset
SELECT answer_log_compare(:'kept') - 'root_hash' AS consistent;
BEGIN;
CALL guards('A', 'DISABLE');
DELETE FROM answer.checkpoint WHERE tree_size > 3;
DELETE FROM answer.log_leaf WHERE leaf_index > 2;
SELECT answer_log_compare(:'kept') - 'root_hash' AS shrunk;
-- sealing on, it is another log
SELECT split_part(raises('answer_log_seal()'), ' |', 1) AS refused_by_the_file;
COPY (SELECT) TO PROGRAM 'cat > /dev/null; find . -name "witness-*" -exec rm {} +';
SELECT mint(7);
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT answer_log_compare(:'kept') - 'root_hash' AS fork,
	answer_log_compare(answer_checkpoint(3)) ->> 'state' AS before;
SELECT answer_checkpoint_request(0) AS fork_request \gset
SELECT mint(3);
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT answer_log_compare(:'kept') - 'root_hash' AS fork;
SELECT answer_checkpoint_request(10) AS fork_request_10 \gset
ROLLBACK;
SELECT answer_log_compare(replace(:'kept', 'log.example', 'dog.example')) - 'root_hash' AS foreign,
	answer_log_compare(replace(:'kept', E'\n10\n', E'\n11\n')) ->> 'reason' AS edited,
	answer_log_compare('x') AS malformed;
SELECT answer_log_compare(E'log2025-1.rekor.sigstore.dev\n34356369\ndA9mMr0smTXgo7nGsE01Zdc5KOOqTs2/zYfdSqxO+ks=\n\n'
	'\u2014 log2025-1.rekor.sigstore.dev zxGZFQZgTebN28s0D7vKP5gX8R+CsXCved700HCQAHgDHbdkaH3tfx7+DMPkccNhzsnSy7LijLzWMa'
	'+evZduylLs0wc=\n') AS another_log;

-- A witness: another database, which trusts a key for an origin.
SELECT answer_checkpoint_request(0) AS request, answer_checkpoint() AS checkpoint, answer_log_vkey() AS vkey \gset
SELECT current_database() AS home \gset
CREATE DATABASE regress_witness;
\c regress_witness
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION answer_eval;
SET answer_eval.issuer = 'witness.example';
CREATE FUNCTION raises(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', sqlstate, sqlerrm, nullif(detail, ''), nullif(hint, ''));
END $$;
CREATE FUNCTION cosigning(request text) RETURNS text LANGUAGE sql AS $$
	SELECT raises(format('answer_checkpoint_cosign(%L)', request))
$$;
SELECT cosigning(:'request') AS untrusted;
SELECT answer_witness_trust('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
SELECT cosigning(:'request') AS another_trusted;
SELECT answer_witness_trust(:'old_vkey'), answer_witness_trust(:'old_vkey') AS again,
	answer_witness_trust(NULL) IS NULL AS "null";
SELECT cosigning(:'request') AS signed_by_another_key;
SELECT raises(format('answer_witness_trust(%L)', :'old_witness_vkey')) AS a_cosigner;
SELECT answer_witness_trust(:'vkey');
SELECT count(*) AS trusted, count(DISTINCT origin) AS origins FROM answer.witness_key;
-- malformed requests
SELECT what, cosigning(request)
FROM (VALUES ('empty', ''), ('x', 'x'), ('no old size', replace(:'request', E'old 0\n', E'old\n')),
	('old of letters', replace(:'request', 'old 0', 'old x')), ('old of zeros', replace(:'request', 'old 0', 'old 00')),
	('old beyond', replace(:'request', 'old 0', 'old 9223372036854775808')),
	('negative old', replace(:'request', 'old 0', 'old -1')),
	('old with a blank', replace(:'request', 'old 0', 'old 0 ')),
	('CRLF', replace(:'request', E'old 0\n', E'old 0\r\n')),
	('no empty line', replace(:'request', E'old 0\n\n', E'old 0\n')),
	('a hash of 31 bytes',
		replace(:'request', E'old 0\n\n', E'old 0\n' || encode(substr(sha256('x'), 2), 'base64') || E'\n\n')),
	('65 hashes',
		replace(:'request', E'old 0\n\n', E'old 0\n' || repeat(encode(sha256('x'), 'base64') || E'\n', 65) || E'\n')),
	('nothing after', E'old 0\n\n'), ('nothing at all after', 'old 0'),
	('an edited size', replace(:'request', E'\n10\n', E'\n11\n')),
	('a torn checkpoint', left(:'request', -1))) AS v (what, request);
SELECT count(*) AS witnessed FROM answer.witness_checkpoint;
-- a rollback takes the row back, but not the word that was given, by a key that stays
SELECT answer_key_generate() IS NOT NULL AS key;
BEGIN;
SELECT answer_checkpoint_cosign(:'request') IS NOT NULL AS cosigned;
ROLLBACK;
SELECT count(*) AS witnessed, cosigning(:'fork_request') AS fork FROM answer.witness_checkpoint;
-- the first is taken on trust; the same again is cosigned again; a bare checkpoint will do
SELECT answer_checkpoint_cosign(:'request') AS line \gset
SELECT origin, tree_size, convert_from(note, 'UTF8') = :'checkpoint' AS note, witnessed_at <= clock_timestamp() AS now
FROM answer.witness_checkpoint;
SELECT regexp_replace(:'line', '[A-Za-z0-9+/]{90,}=*', '<signature>') AS line,
	length(decode(split_part(rtrim(:'line', E'\n'), ' ', 3), 'base64')) AS bytes;
SELECT cosigning(:'request') AS again, cosigning(:'checkpoint') AS bare,
	cosigning(replace(:'request', 'old 0', 'old 5')) AS old_size_of_another;
SELECT count(*) AS witnessed FROM answer.witness_checkpoint;
SELECT answer_checkpoint_verify(:'checkpoint' || :'line', ARRAY[:'vkey', answer_witness_vkey()])
	#- '{signatures,0,key_hash}' #- '{signatures,1,key_hash}' #- '{signatures,1,time}' #- '{root_hash}' AS verified,
	answer_checkpoint_verify(:'checkpoint' || :'line', ARRAY[answer_witness_vkey()])
		->> 'reason' AS by_the_witness_alone,
	(answer_checkpoint_verify(:'checkpoint' || :'line', ARRAY[:'vkey', answer_witness_vkey()])
		#>> '{signatures,1,time}')::bigint BETWEEN extract(epoch FROM now()
			- interval '1 hour') AND extract(epoch FROM clock_timestamp()) AS time;
SELECT answer_witness_vkey() AS witness_vkey, answer_log_vkey() AS witness_log_vkey \gset
-- a fork of the size seen, and one beyond
SELECT cosigning(:'fork_request') AS fork, cosigning(:'fork_request_10') AS fork_with_its_own_proof;
\c :home
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';
SELECT answer_cosignature_add(10, :'line', :'witness_vkey') AS added,
	answer_cosignature_add(10, :'line', :'witness_vkey') AS again;
SELECT answer_cosignature_add(NULL, :'line', :'witness_vkey') IS NULL AS "null",
	hide(answer_checkpoint()) AS checkpoint;
SELECT what, raises(call)
FROM (VALUES ('no such size', format('answer_cosignature_add(11, %L, %L)', :'line', :'witness_vkey')),
	('a negative size', format('answer_cosignature_add(-1, %L, %L)', :'line', :'witness_vkey')),
	('another checkpoint', format('answer_cosignature_add(3, %L, %L)', :'line', :'witness_vkey')),
	('another key', format('answer_cosignature_add(10, %L, %L)', :'line', answer_witness_vkey())),
	('the key of its log', format('answer_cosignature_add(10, %L, %L)', :'line', :'witness_log_vkey')),
	('malformed key', format('answer_cosignature_add(10, %L, %L)', :'line', 'x')),
	('no line', format('answer_cosignature_add(10, %L, %L)', '', :'witness_vkey')),
	('no newline', format('answer_cosignature_add(10, %L, %L)', rtrim(:'line', E'\n'), :'witness_vkey')),
	('two lines', format('answer_cosignature_add(10, %L, %L)', :'line' || :'line', :'witness_vkey')),
	('a newline before', format('answer_cosignature_add(10, %L, %L)', E'\n' || :'line', :'witness_vkey')),
	('our own signature',
		format('answer_cosignature_add(10, %L, %L)', substr(:'checkpoint', position(E'\u2014' IN :'checkpoint')),
			:'vkey')),
	('edited',
		format('answer_cosignature_add(10, %L, %L)', overlay(:'line' PLACING 'AAAA' FROM 60),
			:'witness_vkey'))) AS v (what, call);
SELECT bool_and((answer_log_verify(answer_log_inclusion(receipt_id), answer_receipt(receipt_id)) -> 'ok')::bool) AS ok
FROM answer.log_leaf;
SELECT jsonb_agg(s -> 'state') AS states
FROM jsonb_array_elements(answer_checkpoint_verify(answer_checkpoint(), ARRAY[answer_log_vkey(), :'witness_vkey'])
	-> 'signatures') AS s;
-- growth
SELECT mint(30);
SELECT answer_log_seal() ->> 'tree_size' AS tree_size;
SELECT answer_checkpoint_request(10) AS grown, answer_checkpoint_request(3) AS grown_from_3,
	answer_checkpoint_request(0) AS grown_from_0, answer_checkpoint() AS grown_bare,
	answer_checkpoint(3) AS earlier \gset
\c regress_witness
\set VERBOSITY terse
SELECT cosigning(:'grown_bare') AS without_proof, cosigning(:'grown_from_0') AS from_nothing,
	cosigning(:'grown_from_3') AS from_another_size, cosigning(replace(:'grown', 'old 10', 'old 9')) AS wrong_old_size,
	cosigning(regexp_replace(:'grown', E'^(old 10\n)[^\n]+\n', E'\\1')) AS a_hash_less,
	cosigning(regexp_replace(:'grown', E'^(old 10\n)',
		E'\\1' || encode(sha256('x'), 'base64') || E'\n')) AS a_hash_more;
SELECT cosigning(:'grown') AS grown, cosigning(:'grown') AS again, cosigning(:'grown_bare') AS bare,
	cosigning(:'request') AS shrunk, cosigning(:'earlier') AS shrunk_further;
SELECT tree_size FROM answer.witness_checkpoint ORDER BY 1;
-- who trusts no key any more cosigns no more
BEGIN;
DELETE FROM answer.witness_key WHERE vkey = :'vkey';
SELECT cosigning(:'grown') AS not_trusted;
ROLLBACK;
-- nor does one whose key is gone, and nothing is stored
BEGIN;
DELETE FROM answer.witness_checkpoint;
ROLLBACK;
SELECT answer_key_retire(key_id) IS NOT NULL AS retired FROM answer.signing_key WHERE status = 'active';
SELECT cosigning(:'grown') AS no_key;
\c :home
DROP DATABASE regress_witness;
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';

-- Who may do what: nobody anything but verifying; with EXECUTE, writing; with SELECT, proving.
CREATE ROLE regress_log;
SET ROLE regress_log;
SELECT call, state_of('SELECT ' || call) AS state
FROM unnest(ARRAY['answer_log_seal()', 'answer_checkpoint()', 'answer_checkpoint(1)', $$answer_log_inclusion('x')$$,
	'answer_log_consistency(1)', 'answer_checkpoint_request(0)', 'answer_log_vkey()', 'answer_witness_vkey()',
	$$answer_witness_trust('x')$$, $$answer_checkpoint_cosign('x')$$, $$answer_cosignature_add(1, 'x', 'x')$$,
	$$answer_log_compare('x')$$, 'answer_log_audit()', $$answer_log_verify('{}')$$, $$answer_checkpoint_verify('x')$$,
	$$answer_log_verify('{}', NULL, '{}')$$, $$answer_checkpoint_verify('x', '{}')$$, $$answer.merkle_leaf_hash('x')$$,
	$$answer.merkle_inclusion(0, 1, 'x', 'x', '{}')$$, $$answer.merkle_consistency(0, 1, 'x', 'x', '{}')$$,
	'* FROM answer.log_leaf', '* FROM answer.checkpoint', '* FROM answer.log_audit']) AS call;
RESET ROLE;
SELECT answer_log_inclusion(id(2)) AS proof, answer_receipt(id(2)) AS receipt \gset
GRANT EXECUTE ON FUNCTION answer_log_seal, answer_log_audit, answer_checkpoint, answer_log_inclusion,
	answer_witness_trust, answer_log_compare TO regress_log;
SELECT mint(1);
SET ROLE regress_log;
SELECT answer_log_verify(:'proof', :'receipt', ARRAY[:'old_vkey', :'vkey']) -> 'ok' AS verify;
SELECT answer_log_seal() ->> 'tree_size' AS tree_size, state_of('SELECT answer_checkpoint()') AS checkpoint,
	state_of($$SELECT answer_log_inclusion('x')$$) AS inclusion, state_of('SELECT * FROM answer_log_audit()') AS audit,
	state_of($$SELECT answer_log_compare('x')$$) AS compare;
SELECT answer_witness_trust('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
RESET ROLE;
GRANT USAGE ON SCHEMA answer TO regress_log;
GRANT SELECT ON ALL TABLES IN SCHEMA answer TO regress_log;
SET ROLE regress_log;
SELECT answer_checkpoint() IS NOT NULL AS checkpoint, (SELECT count(*) FROM answer_log_audit(0)) AS audit,
	answer_log_compare(answer_checkpoint()) ->> 'state' AS compare,
	state_of($$INSERT INTO answer.log_leaf VALUES (1000, now(), 'x', sha256('x'))$$) AS insert,
	state_of('DELETE FROM answer.unsealed') AS delete;
RESET ROLE;
SELECT from_size, to_size, defects FROM answer.log_audit ORDER BY audited_at DESC LIMIT 1;
DROP OWNED BY regress_log;
DROP ROLE regress_log;

-- What stands in the way of a sealing.
BEGIN;
INSERT INTO answer.log_leaf SELECT 41, now(), 'x', sha256('x');
SELECT raises('answer_log_seal()') AS a_leaf_too_many;
ROLLBACK;
BEGIN;
CALL guards('A', 'DISABLE');
UPDATE answer.checkpoint SET edge = edge || sha256('x') WHERE tree_size = 41;
SELECT call, raises(call)
FROM unnest(ARRAY['answer_log_seal()', 'answer_checkpoint()', 'answer_log_inclusion(id(2))',
	'answer_log_consistency(3)', 'answer_log_compare(answer_checkpoint(3))']) AS call;
ROLLBACK;
BEGIN;
CALL guards('A', 'DISABLE');
UPDATE answer.checkpoint SET edge = set_byte(edge, 5, get_byte(edge, 5) # 1) WHERE tree_size = 41;
SELECT raises('answer_log_seal()') AS edge_that_leads_elsewhere;
ROLLBACK;
BEGIN;
CALL guards('A', 'DISABLE');
DELETE FROM answer.log_tile;
SELECT call, raises(call)
FROM unnest(ARRAY['answer_log_inclusion(id(2))', 'answer_log_inclusion(id(40))', 'answer_log_consistency(3)',
	'answer_log_compare(answer_checkpoint(3))', 'answer_log_seal()']) AS call;
ROLLBACK;
BEGIN;
SELECT mint(1);
INSERT INTO answer.unsealed SELECT * FROM answer.unsealed;
SELECT split_part(raises('answer_log_seal()'), ' |', 1) AS one_that_waits_twice;
ROLLBACK;

-- the record of the key that is trusted now
SELECT answer_log_seal() ->> 'sealed' AS sealed;

-- Append-only, for the owner and the superuser too.
SELECT c.relname AS "table",
	(SELECT string_agg(DISTINCT state, ' ')
		FROM unnest(ARRAY[format('DELETE FROM answer.%I', c.relname), format('TRUNCATE answer.%I', c.relname),
				format('UPDATE answer.%I SET %I = %2$I', c.relname,
					(SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = 1))]) AS s (q),
			state_of(q) AS state) AS states,
	(SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgenabled = 'A') AS triggers
FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace
	AND c.relname IN ('log_leaf', 'log_tile', 'checkpoint', 'cosignature', 'witness_checkpoint', 'witness_key',
		'log_audit', 'unsealed')
ORDER BY c.relname COLLATE "C";
\set VERBOSITY default
DELETE FROM answer.log_leaf WHERE leaf_index = 0;
UPDATE answer.checkpoint SET root_hash = sha256('x') WHERE tree_size = 3;
TRUNCATE answer.log_tile;
\set VERBOSITY terse
SELECT answer.append_only();
-- what constraints refuse
SELECT state_of(q), q
FROM unnest(ARRAY[$$INSERT INTO answer.log_leaf VALUES (-1, now(), 'x', sha256('x'))$$,
	$$INSERT INTO answer.log_leaf VALUES (100, now(), 'x', 'x')$$,
	$$INSERT INTO answer.log_leaf SELECT 100, issued_at, receipt_id, digest FROM answer.log_leaf LIMIT 1$$,
	$$INSERT INTO answer.log_leaf VALUES (0, now(), 'x', sha256('x'))$$,
	$$INSERT INTO answer.log_tile VALUES (0, 0, 'x')$$,
	$$INSERT INTO answer.checkpoint SELECT 100, 100, origin, root_hash, edge, key_id, sealed_at, $$ ||
		$$note FROM answer.checkpoint LIMIT 1$$,
	$$INSERT INTO answer.checkpoint SELECT -1, NULL, origin, root_hash, edge, key_id, sealed_at, $$ ||
		$$note FROM answer.checkpoint LIMIT 1$$,
	$$INSERT INTO answer.witness_checkpoint VALUES ('x', 1, 'x', 'x')$$]) AS q;

-- What was forgotten, before it was sealed or after, keeps its leaf; audits and proofs pass, and name it.
CREATE TABLE erased AS SELECT receipt_id, answer_receipt(receipt_id) AS body FROM answer.log_leaf WHERE leaf_index = 3;
SELECT mint(1);
INSERT INTO erased SELECT receipt_id, answer_receipt(receipt_id) FROM answer.unsealed WHERE receipt_id LIKE 'ans%';
SELECT count(answer_forget(receipt_id, 'asked "of" us')) AS forgotten FROM erased;
SELECT answer_log_seal() ->> 'sealed' AS sealed;
SELECT l.receipt_id IS NOT NULL AS leaf, finding, detail
FROM answer_log_audit(0) LEFT JOIN answer.log_leaf AS l USING (leaf_index, receipt_id) ORDER BY leaf_index;
SELECT p -> 'forgotten' = answer_receipt(receipt_id) AS named, answer_log_verify(p) -> 'ok' AS alone,
	answer_log_verify(p, answer_receipt(receipt_id)) -> 'ok' AS tombstone,
	answer_log_verify(p, body) -> 'ok' AS as_issued,
	answer_log_verify(p, body || '{"verdict": "x"}') -> 'ok' AS another,
	answer_verify_ok(answer_receipt(receipt_id)) AS is_receipt, answer_verify_ok(body) AS was
FROM erased, LATERAL answer_log_inclusion(receipt_id) AS p;
-- and whoever changes what tells of it is found
CREATE FUNCTION after(tampering text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	CALL guards('A', 'DISABLE');
	EXECUTE tampering;
	CALL guards('D', 'ENABLE ALWAYS');
	RETURN QUERY SELECT format('%s: %s', finding,
		regexp_replace(detail, 'sha256:[0-9a-f]{64}', 'sha256:...')) FROM answer_log_audit()
	ORDER BY 1;
END $$;
\set tampered 'BEGIN; SELECT after(:\'q\'); ROLLBACK;'
\set q 'DELETE FROM answer.tombstone WHERE receipt_id = (SELECT min(receipt_id) FROM erased)'
:tampered
\set q 'UPDATE answer.tombstone SET reason = $$another$$'
:tampered
\set q 'UPDATE answer.tombstone SET body = body - $$signature$$'
:tampered
\set q 'UPDATE answer.receipt AS r SET body = e.body FROM erased AS e WHERE e.receipt_id = r.receipt_id'
:tampered
\set q 'UPDATE answer.receipt AS r SET body = t.body FROM answer.tombstone AS t '
\set q :q 'WHERE r.receipt_id IN (SELECT receipt_id FROM erased) AND t.receipt_id <> r.receipt_id'
:tampered
DROP TABLE erased;
DROP FUNCTION after;
DROP PROCEDURE guards;

-- An imported key verifies receipts, and does not speak for this log.
SELECT answer_checkpoint() AS kept, substr(x.note, 1, strpos(x.note, E'\n') - 1) AS origin
FROM answer_checkpoint() AS x (note) \gset
SELECT k ->> 'public_key' AS former_key
FROM jsonb_array_elements(answer_key_registry()) AS k WHERE k ->> 'status' = 'active' \gset
SET answer_eval.allow_drop = on;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
SET answer_eval.issuer = 'log.example/a b+100%é';
SELECT mint(3);
-- what was sealed last is remembered beside the keys of the log that went with the extension, and this one has its own
SELECT answer_log_seal() ->> 'tree_size' AS tree_size, answer_key_import_public(:'former_key') IS NOT NULL AS imported;
SELECT split_part(answer_checkpoint(), E'\n', 1) = :'origin' AS same_name,
	answer_checkpoint_verify(answer_checkpoint()) -> 'ok' AS own;
SELECT v -> 'ok' AS ok, v ->> 'reason' AS reason, answer_log_compare(:'kept') ->> 'state' AS compare
FROM answer_checkpoint_verify(:'kept') AS v;

DROP TABLE proof;
DROP FUNCTION hide, raises, mint, id, failing;
