-- Properties of keys over many rotations: one signs at a time, none is lost, and each is valid for its own time.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(26);

-- Six keys, and a receipt by each. All instants are the transaction's, so the last five keys begin when the first ends.
SELECT lives_ok('SELECT answer_key_generate()', 'a first key');
CREATE TEMP TABLE made (n int, receipt jsonb);
DO $$
BEGIN
	FOR i IN 1 .. 6 LOOP
		INSERT INTO made
			SELECT i, answer_eval(format('{"checks": [{"id": "n%s", "tool": "postgres_server"}]}', i)::jsonb);
		IF i < 6 THEN
			PERFORM answer_key_generate();
		END IF;
	END LOOP;
END $$;
CREATE TEMP TABLE registry AS SELECT *
FROM jsonb_to_recordset(answer_key_registry()) AS r (key_id text, public_key text, status text, active_from timestamptz,
	retired_at timestamptz, compromised_after timestamptz);
CREATE FUNCTION pg_temp.ok(r jsonb, keys jsonb) RETURNS boolean LANGUAGE sql AS $$
	SELECT (answer_verify(r, keys) -> 'ok')::boolean
$$;
CREATE FUNCTION pg_temp.decoded(text) RETURNS bytea LANGUAGE sql AS $$
	SELECT decode(translate($1, '-_', '+/'), 'base64')
$$;

SELECT is((SELECT count(DISTINCT receipt #>> '{signature,key_id}') FROM made), 6::bigint,
	'each receipt has a key of its own');
SELECT is((SELECT count(*) FROM answer.signing_key WHERE status = 'active'), 1::bigint, 'one key is active');
SELECT is((SELECT key_id FROM answer.signing_key WHERE status = 'active'),
	(SELECT receipt #>> '{signature,key_id}' FROM made WHERE n = 6), 'the newest, and it signed last');
SELECT is_empty($$SELECT receipt #>> '{signature,key_id}' FROM made EXCEPT SELECT key_id FROM registry$$,
	'the registry has every key that signed');
SELECT set_eq('SELECT key_id, public_key FROM registry', 'SELECT key, value FROM jsonb_each_text(answer_keys())',
	'the map and the registry say the same');
SELECT is_empty($$SELECT key_id FROM registry
		WHERE key_id <> 'ae-ed25519-' || left(encode(sha256(pg_temp.decoded(public_key)), 'hex'), 12)$$,
	'a key''s id is its fingerprint');
SELECT is_empty('SELECT key_id FROM registry WHERE length(pg_temp.decoded(public_key)) <> 32',
	'a public key has 32 bytes');
SELECT is_empty($$SELECT key_id FROM registry WHERE (status = 'active') <> (retired_at IS NULL)$$,
	'whoever is not active has an end');
SELECT is_empty('SELECT key_id FROM registry WHERE retired_at < active_from', 'and none ends before it begins');

-- Which keys verify which receipts.
SELECT is_empty('SELECT n FROM made WHERE NOT pg_temp.ok(receipt, answer_keys())',
	'each receipt verifies under the map');
SELECT is_empty('SELECT n FROM made WHERE NOT pg_temp.ok(receipt, answer_key_registry())', 'and under the registry');
SELECT is_empty($$SELECT m.n, r.key_id FROM made AS m, registry AS r
	WHERE pg_temp.ok(m.receipt, jsonb_build_object(r.key_id, r.public_key))
			<> (r.key_id = m.receipt #>> '{signature,key_id}')$$, 'under one key alone just its own do');
SELECT is_empty($$SELECT m.n FROM made AS m, registry AS r WHERE r.key_id <> m.receipt #>> '{signature,key_id}'
	AND pg_temp.ok(m.receipt, jsonb_build_object(m.receipt #>> '{signature,key_id}', r.public_key))$$,
		'another key under the same name verifies nothing');
SELECT is_empty($$SELECT a.n, b.n FROM made AS a, made AS b
		WHERE a.n <> b.n AND pg_temp.ok(jsonb_set(a.receipt, '{signature}', b.receipt -> 'signature'), answer_keys())$$,
	'signatures cannot be exchanged');
SELECT is_empty($$SELECT n, m
	FROM made,
		unnest('{verdict,confidence,issued_at,evaluated_at,mode,issuer,receipt_id,disclaimer,checks,evidence_index,'
			'reproduce}'::text[]) AS m
	WHERE pg_temp.ok(jsonb_set(receipt, ARRAY[m], '"other"'), answer_keys())
			OR pg_temp.ok(receipt - m, answer_keys())$$, 'and no member can be changed or left out');

-- What a signature covers, tested with the signature function itself.
CREATE TEMP TABLE bare AS
	SELECT n, pg_temp.decoded(r.public_key) AS key,
		convert_to(answer_canonical(receipt - '{signature,anchor}'::text[]), 'UTF8') AS message,
		pg_temp.decoded(receipt #>> '{signature,sig}') AS sig
	FROM made JOIN registry AS r ON r.key_id = receipt #>> '{signature,key_id}';
SELECT is((SELECT count(*) FROM bare WHERE answer.ed25519_verify(key, message, sig)), 6::bigint,
	'a signature is over the canonical form without itself');
SELECT is_empty('SELECT n, bit FROM bare, generate_series(0, 511, 7) AS bit WHERE answer.ed25519_verify(key, message, '
	'set_bit(sig, bit, 1 - get_bit(sig, bit)))', 'no bit of it can turn');
SELECT is_empty('SELECT n, byte FROM bare, generate_series(0, length(message) - 1, 97) AS byte WHERE '
	'answer.ed25519_verify(key, set_byte(message, byte, get_byte(message, byte) # 1), sig)',
	'nor a bit of the message');

-- Retired, compromised.
CREATE TEMP TABLE chosen AS
	SELECT receipt #>> '{signature,key_id}' AS key_id, receipt, (receipt ->> 'issued_at')::timestamptz AS at
	FROM made WHERE n = 3;
SELECT throws_matching($$SELECT answer_key_compromise('ae-ed25519-000000000000', now())$$, 'ae-ed25519-000000000000',
	'a key that is not there cannot be compromised, and the error names it');
SELECT lives_ok('SELECT answer_key_compromise(key_id, clock_timestamp()) FROM chosen',
	'compromised after its last receipt');
SELECT ok((SELECT pg_temp.ok(receipt, answer_key_registry()) FROM chosen), 'that receipt still verifies');
SELECT lives_ok('SELECT answer_key_compromise(key_id, at - interval ''1 day'') FROM chosen', 'compromised before it');
SELECT is((SELECT array_agg(n ORDER BY n) FROM made WHERE NOT pg_temp.ok(receipt, answer_key_registry())), '{3}',
	'it does not, and no other is touched');

-- The index that finds the active key may be missing, or replaced by one of other keys.
DROP INDEX answer.signing_key_one_active;
SELECT is(answer_eval('{"checks": [{"id": "no index", "tool": "postgres_server"}]}') #>> '{signature,key_id}',
	(SELECT key_id FROM answer.signing_key WHERE status = 'active'), 'without its index the active key signs');
CREATE INDEX signing_key_one_active ON answer.signing_key (status) WHERE status <> 'active';
SELECT is(answer_eval('{"checks": [{"id": "other index", "tool": "postgres_server"}]}') #>> '{signature,key_id}',
	(SELECT key_id FROM answer.signing_key WHERE status = 'active'), 'with an index of other keys too');
SELECT * FROM finish();
ROLLBACK;
