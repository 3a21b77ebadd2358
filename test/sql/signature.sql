-- Keys, their life, and detached signatures.
\set VERBOSITY terse
SET timezone = 'UTC';

-- RFC 8032, section 7.1, tests 1, 2, 3 and SHA(abc).
CREATE TABLE vector (name text, public_key bytea, message bytea, signature bytea);
INSERT INTO vector VALUES
	('1', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '', '\xe5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b'),
	('2', '\x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', '\x72', '\x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00'),
	('3', '\xfc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', '\xaf82', '\x6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a'),
	('SHA(abc)', '\xec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf', sha512('abc'), '\xdc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704');
SELECT name, answer_ed25519_verify(public_key, message, signature) AS verifies, answer_ed25519_verify(public_key, message || '\x00', signature) AS longer_message, answer_ed25519_verify(public_key, '\x73', signature) AS other_message,
	answer_ed25519_verify(set_bit(public_key, 3, 1 - get_bit(public_key, 3)), message, signature) AS other_key, answer_ed25519_verify(public_key, message, signature || '\x00') AS longer, answer_ed25519_verify(public_key, message, substr(signature, 1, 63)) AS shorter,
	(SELECT bool_or(answer_ed25519_verify(public_key, message, set_bit(signature, i, 1 - get_bit(signature, i)))) FROM generate_series(0, 511) AS i) AS any_bit_turned
FROM vector ORDER BY name COLLATE "C";
-- S must be below the order of the group: S + L would verify, were it taken
SELECT answer_ed25519_verify(public_key, message, '\xe5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872aa064e049dbb3013fbf29380d25bf5f0595bbe24655141438e7a101b') AS malleated FROM vector WHERE name = '1';
-- never NULL, never an error
SELECT answer_ed25519_verify(NULL, message, signature) AS no_key, answer_ed25519_verify(public_key, NULL, signature) AS no_message, answer_ed25519_verify(public_key, message, NULL) AS no_signature, answer_ed25519_verify(NULL, NULL, NULL) AS nothing,
	answer_ed25519_verify('', message, signature) AS empty_key, answer_ed25519_verify(public_key || '\x00', message, signature) AS long_key, answer_ed25519_verify(public_key, message, '') AS empty_signature,
	answer_ed25519_verify(decode(repeat('ff', 32), 'hex'), message, signature) AS no_point, answer_ed25519_verify(public_key, message, decode(repeat('ff', 64), 'hex')) AS no_signature, answer_ed25519_verify(public_key, convert_to(repeat('x', 1000000), 'UTF8'), signature) AS megabyte
FROM vector WHERE name = '1';
DROP TABLE vector;

-- The registry.  The extension has made a first key.
CREATE FUNCTION registry() RETURNS TABLE (status text, keys bigint, without_end bigint, well_formed boolean) LANGUAGE sql AS $$
	SELECT k.status::text, count(*), count(*) FILTER (WHERE retired_at IS NULL), bool_and(length(public_key) = 32 AND key_id = 'ae-ed25519-' || left(encode(sha256(public_key), 'hex'), 12) AND active_from <= coalesce(retired_at, clock_timestamp()) AND compromised_after IS NULL)
	FROM answer.signing_key k GROUP BY 1 ORDER BY 1
$$;
SELECT * FROM registry();
SELECT answer_keys() = jsonb_object_agg(key_id, translate(encode(public_key, 'base64'), '+/', '-_')) AS keys FROM answer.signing_key;
SELECT (SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") FROM jsonb_object_keys(e) AS k) AS members, e ->> 'status' AS status, (e ->> 'public_key') ~ '^[A-Za-z0-9_-]{43}=$' AS base64url, (e ->> 'active_from') ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$' AS instant FROM jsonb_array_elements(answer_key_registry()) AS e;
CREATE VIEW key_file AS SELECT count(*) AS files FROM pg_ls_dir(current_setting('data_directory') || '/' || current_setting('answer_eval.key_directory')) AS f WHERE f LIKE '%.pem';
CREATE TABLE kept AS SELECT files FROM key_file;
CREATE TABLE receipt AS SELECT 0 AS n, answer_eval('{"checks": [{"tool": "postgres_server"}]}') AS r;

-- A rotation: one active key, the one before it retired at that instant.
SELECT answer_key_generate() ~ '^ae-ed25519-[0-9a-f]{12}$' AS key_id;
SELECT * FROM registry();
SELECT (SELECT retired_at FROM answer.signing_key WHERE status = 'retired') = (SELECT active_from FROM answer.signing_key WHERE status = 'active') AS same_instant, (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
INSERT INTO receipt SELECT 1, answer_eval('{"checks": [{"tool": "postgres_server"}]}');
SELECT answer_key_generate() <> answer_key_generate() AS two_more;
INSERT INTO receipt SELECT 2, answer_eval('{"checks": [{"tool": "postgres_server"}]}');
SELECT * FROM registry();
SELECT count(DISTINCT r #>> '{signature,key_id}') AS signing_keys, bool_and((answer_verify(r) -> 'ok')::boolean) AS registry_verifies, bool_and((answer_verify(r, answer_keys()) -> 'ok')::boolean) AS map_verifies, bool_and((answer_verify(r, answer_key_registry()) -> 'ok')::boolean) AS array_verifies,
	bool_and(r #>> '{signature,key_id}' = (SELECT x -> 'attestation' ->> 'key_id' FROM jsonb_path_query(r, '$.evidence_index.*') AS x)) AS one_key_a_receipt FROM receipt;
SELECT r #>> '{signature,key_id}' = (SELECT key_id FROM answer.signing_key WHERE status = 'active') AS newest_signs FROM receipt WHERE n = 2;

-- A rotation that is rolled back, in whole or to a savepoint, leaves neither key nor file.
UPDATE kept SET files = (SELECT files FROM key_file);
CREATE TABLE active AS SELECT key_id FROM answer.signing_key WHERE status = 'active';
BEGIN;
SELECT answer_key_generate() <> (SELECT key_id FROM active) AS rotated;
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') #>> '{signature,key_id}' <> (SELECT key_id FROM active) AS new_key_signs;
ROLLBACK;
SELECT (SELECT key_id FROM answer.signing_key WHERE status = 'active') = (SELECT key_id FROM active) AS as_before, (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS still_signs;
BEGIN;
SAVEPOINT a;
SELECT answer_key_generate() IS NOT NULL AS rotated;
ROLLBACK TO a;
SELECT answer_key_generate() IS NOT NULL AS rotated_again;
COMMIT;
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files, (SELECT count(*) FROM answer.signing_key WHERE status = 'active') AS active;
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS signs;

-- Where nothing may be written, nothing is made.
UPDATE kept SET files = (SELECT files FROM key_file);
BEGIN READ ONLY;
\set VERBOSITY sqlstate
SELECT answer_key_generate();
ROLLBACK;
\set VERBOSITY terse
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;

-- No usable key: an error with a hint, never an unsigned receipt.
BEGIN;
UPDATE answer.signing_key SET status = 'retired', retired_at = now() WHERE status = 'active';
\set VERBOSITY default
\set SHOW_CONTEXT never
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
BEGIN;
UPDATE answer.signing_key SET status = 'retired' WHERE status = 'active';
INSERT INTO answer.signing_key VALUES ('ae-ed25519-000000000000', decode(repeat('00', 32), 'hex'), 'active', now());
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
BEGIN;
UPDATE answer.signing_key SET status = 'retired' WHERE status = 'active';
INSERT INTO answer.signing_key VALUES ('../../postgresql', decode(repeat('00', 32), 'hex'), 'active', now());
\set VERBOSITY sqlstate
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
SET answer_eval.key_directory = 'no/such/directory';
SELECT answer_fact('postgres_server');
SELECT answer_key_generate();
RESET answer_eval.key_directory;
\set VERBOSITY terse
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS signs_again;

-- What the table itself refuses.
\set VERBOSITY sqlstate
INSERT INTO answer.signing_key VALUES ('short', '\x00', 'active', now());
INSERT INTO answer.signing_key SELECT key_id, public_key, 'active', now() FROM answer.signing_key LIMIT 1;
\set VERBOSITY terse
-- private halves are nowhere in it
SELECT count(*) AS private_columns FROM pg_attribute WHERE attrelid = 'answer.signing_key'::regclass AND attnum > 0 AND attname LIKE '%private%';
DROP TABLE receipt, kept, active;
DROP VIEW key_file;
DROP FUNCTION registry;
