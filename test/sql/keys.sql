-- Keys, their life, and detached signatures.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';

-- RFC 8032, section 7.1, tests 1, 2, 3 and SHA(abc).
CREATE TABLE vector (name text, public_key bytea, message bytea, signature bytea);
INSERT INTO vector VALUES
	('1', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '',
		'\xe5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595b'
			'be24655141438e7a100b'),
	('2', '\x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', '\x72',
		'\x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb430'
			'2aeeb00d291612bb0c00'),
	('3', '\xfc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', '\xaf82',
		'\x6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716e'
			'd28dc027beceea1ec40a'),
	('SHA(abc)', '\xec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf', sha512('abc'),
		'\xdc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138a'
			'c17ad9bef1177331a704');
SELECT name, answer.ed25519_verify(public_key, message, signature) AS verifies,
	answer.ed25519_verify(public_key, message || '\x00', signature) AS longer_message,
	answer.ed25519_verify(public_key, '\x73', signature) AS other_message,
	answer.ed25519_verify(set_bit(public_key, 3, 1 - get_bit(public_key, 3)), message, signature) AS other_key,
	answer.ed25519_verify(public_key, message, signature || '\x00') AS longer,
	answer.ed25519_verify(public_key, message, substr(signature, 1, 63)) AS shorter,
	(SELECT bool_or(answer.ed25519_verify(public_key, message, set_bit(signature, i, 1 - get_bit(signature, i))))
		FROM generate_series(0, 511) AS i) AS any_bit_turned
FROM vector ORDER BY name COLLATE "C";
-- S must be below the order of the group: S + L would verify, were it taken
SELECT answer.ed25519_verify(public_key, message,
	'\xe5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872aa064e049dbb3013fbf29380d25bf5f0595bbe24'
		'655141438e7a101b') AS malleated
FROM vector WHERE name = '1';
-- never NULL, never an error
SELECT answer.ed25519_verify(NULL, message, signature) AS no_key,
	answer.ed25519_verify(public_key, NULL, signature) AS no_message,
	answer.ed25519_verify(public_key, message, NULL) AS no_signature,
	answer.ed25519_verify(NULL, NULL, NULL) AS nothing,
	answer.ed25519_verify('', message, signature) AS empty_key,
	answer.ed25519_verify(public_key || '\x00', message, signature) AS long_key,
	answer.ed25519_verify(public_key, message, '') AS empty_signature,
	answer.ed25519_verify(decode(repeat('ff', 32), 'hex'), message, signature) AS no_point,
	answer.ed25519_verify(public_key, message, decode(repeat('ff', 64), 'hex')) AS no_signature,
	answer.ed25519_verify(public_key, convert_to(repeat('x', 1000000), 'UTF8'), signature) AS megabyte
FROM vector WHERE name = '1';
DROP TABLE vector;

-- The registry.  A test before this one has asked for the first key.
CREATE FUNCTION registry() RETURNS TABLE (status text, keys bigint, without_end bigint, well_formed boolean)
	LANGUAGE sql AS $$
	SELECT k.status::text, count(*), count(*) FILTER (WHERE retired_at IS NULL),
		bool_and(length(public_key) = 32 AND key_id = 'ae-ed25519-' || left(encode(sha256(public_key), 'hex'), 12)
			AND active_from <= coalesce(retired_at, clock_timestamp()) AND compromised_after IS NULL)
	FROM answer.signing_key k GROUP BY 1 ORDER BY 1
$$;
SELECT * FROM registry();
SELECT answer_keys() = jsonb_object_agg(key_id, translate(encode(public_key, 'base64'), '+/', '-_')) AS keys
FROM answer.signing_key;
SELECT (SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") FROM jsonb_object_keys(e) AS k) AS members,
	e ->> 'status' AS status, (e ->> 'public_key') ~ '^[A-Za-z0-9_-]{43}=$' AS base64url,
	(e ->> 'active_from') ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$' AS instant
FROM jsonb_array_elements(answer_key_registry()) AS e;
CREATE VIEW key_file AS SELECT count(*) AS files
FROM (SELECT current_setting('data_directory') || '/' || current_setting('answer_eval.key_directory') AS d
		OFFSET 0) AS x, pg_ls_dir(d) AS folder, pg_ls_dir(d || '/' || folder) AS f
WHERE f LIKE '%.pem';
CREATE TABLE kept AS SELECT files FROM key_file;
CREATE TABLE receipt AS SELECT 0 AS n, answer_eval('{"checks": [{"tool": "postgres_server"}]}') AS r;

-- A rotation: one active key, the one before it retired at that instant.
SELECT answer_key_generate() ~ '^ae-ed25519-[0-9a-f]{12}$' AS key_id;
SELECT * FROM registry();
SELECT (SELECT retired_at FROM answer.signing_key WHERE status = 'retired')
		= (SELECT active_from FROM answer.signing_key WHERE status = 'active') AS same_instant,
	(SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
INSERT INTO receipt SELECT 1, answer_eval('{"checks": [{"tool": "postgres_server"}]}');
SELECT answer_key_generate() <> answer_key_generate() AS two_more;
INSERT INTO receipt SELECT 2, answer_eval('{"checks": [{"tool": "postgres_server"}]}');
SELECT * FROM registry();
SELECT count(DISTINCT r #>> '{signature,key_id}') AS signing_keys,
	bool_and((answer_verify(r) -> 'ok')::boolean) AS registry_verifies,
	bool_and((answer_verify(r, answer_keys()) -> 'ok')::boolean) AS map_verifies,
	bool_and((answer_verify(r, answer_key_registry()) -> 'ok')::boolean) AS array_verifies,
	bool_and(r #>> '{signature,key_id}'
		= (SELECT x -> 'attestation' ->> 'key_id'
			FROM jsonb_path_query(r, '$.evidence_index.*') AS x)) AS one_key_a_receipt
FROM receipt;
SELECT r #>> '{signature,key_id}' = (SELECT key_id FROM answer.signing_key WHERE status = 'active') AS newest_signs
FROM receipt WHERE n = 2;

-- A rotation that is rolled back, in whole or to a savepoint, leaves neither key nor file.
UPDATE kept SET files = (SELECT files FROM key_file);
CREATE TABLE active AS SELECT key_id FROM answer.signing_key WHERE status = 'active';
BEGIN;
SELECT answer_key_generate() <> (SELECT key_id FROM active) AS rotated;
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') #>> '{signature,key_id}'
	<> (SELECT key_id FROM active) AS new_key_signs;
ROLLBACK;
SELECT (SELECT key_id FROM answer.signing_key WHERE status = 'active') = (SELECT key_id FROM active) AS as_before,
	(SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS still_signs;
BEGIN;
SAVEPOINT a;
SELECT answer_key_generate() IS NOT NULL AS rotated;
ROLLBACK TO a;
SELECT answer_key_generate() IS NOT NULL AS rotated_again;
COMMIT;
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files,
	(SELECT count(*) FROM answer.signing_key WHERE status = 'active') AS active;
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
UPDATE answer.signing_key SET status = 'retired', retired_at = now() WHERE status = 'active';
-- a row without a folder is no key, nor is one whose folder is not ours or has no such file
SELECT folder FROM answer.signing_key WHERE status = 'retired' ORDER BY active_from LIMIT 1 \gset
SAVEPOINT a;
\set VERBOSITY terse
INSERT INTO answer.signing_key VALUES ('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now());
ROLLBACK TO a;
\set VERBOSITY default
INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder) VALUES
	('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now(),
		'00000000-0000-4000-8000-000000000000');
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK TO a;
INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder) VALUES
	('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now(), :'folder');
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
BEGIN;
UPDATE answer.signing_key SET status = 'retired', retired_at = now() WHERE status = 'active';
ALTER TABLE answer.signing_key DROP CONSTRAINT signing_key_id_follows;
INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder) VALUES
	('../../postgresql', decode(repeat('00', 32), 'hex'), 'active', now(), :'folder');
\set VERBOSITY sqlstate
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
SET answer_eval.key_directory = 'no/such/directory';
SELECT answer_fact('postgres_server');
SELECT answer_key_generate();
RESET answer_eval.key_directory;
\set VERBOSITY terse
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS signs_again;

-- The first key is made when one is needed and there was never any.
UPDATE kept SET files = (SELECT files FROM key_file);
CREATE FUNCTION empty_registry() RETURNS void LANGUAGE sql AS $$
	ALTER TABLE answer.signing_key DISABLE TRIGGER USER;
	DELETE FROM answer.signing_key;
	ALTER TABLE answer.signing_key ENABLE TRIGGER USER;
$$;
BEGIN;
SELECT empty_registry();
SELECT answer_keys() AS keys, answer_key_registry() AS registry;
SELECT answer_eval('{"checks": []}');
ROLLBACK;
BEGIN;
SELECT empty_registry();
-- a statement can use it at once, and verify with it; and it makes one only
SELECT count(*) AS receipts,
	bool_and((answer_verify(answer_eval(format('{"checks": [{"tool": "postgres_server", "id": "%s"}]}', i)::jsonb))
		-> 'ok')::boolean) AS verify
FROM generate_series(1, 3) AS i;
SELECT * FROM registry();
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
ROLLBACK;
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT empty_registry();
SAVEPOINT a;
SELECT answer_fact('postgres_server') IS NOT NULL AS fact;
SELECT status, files - (SELECT files FROM kept) AS new_files FROM registry(), key_file;
ROLLBACK TO a;
SELECT count(*) AS keys, (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files FROM answer.signing_key;
SELECT answer_verify(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) -> 'ok' AS another;
-- with keys but no active one, nothing is made
SELECT answer_key_retire(key_id) = key_id AS retired FROM answer.signing_key;
SELECT answer_fact('postgres_server');
ROLLBACK;
BEGIN;
SELECT empty_registry();
SET TRANSACTION READ ONLY;
SAVEPOINT a;
SELECT answer_fact('postgres_server');
ROLLBACK TO a;
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK TO a;
SELECT answer_verify(r -> 'r') #>> '{steps,signature,reason}' AS verifies_nothing
FROM (SELECT to_jsonb(x) AS r FROM receipt x LIMIT 1) AS x;
ROLLBACK;
BEGIN;
SELECT empty_registry();
SET LOCAL answer_eval.key_directory = 'no/such/directory';
\set VERBOSITY sqlstate
SELECT answer_fact('postgres_server');
\set VERBOSITY terse
ROLLBACK;
SELECT (SELECT files FROM key_file) - (SELECT files FROM kept) AS new_files;

-- Retirement.
CREATE FUNCTION life(id text) RETURNS text LANGUAGE sql AS $$
	SELECT k ->> 'status' || CASE WHEN k ? 'active_from' THEN ', from' ELSE '' END ||
		CASE WHEN k ? 'retired_at' THEN ', retired' ELSE '' END ||
		CASE WHEN k ? 'compromised_after' THEN ', compromised after' ELSE '' END
	FROM jsonb_array_elements(answer_key_registry()) AS k WHERE k ->> 'key_id' = id
$$;
CREATE FUNCTION verifies(receipt jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(coalesce(s ->> 'reason', 'ok'), ' / ' ORDER BY i)
	FROM unnest(ARRAY[answer_verify(receipt) #> '{steps,signature}',
		answer_verify(receipt, answer_key_registry()) #> '{steps,signature}',
		answer_verify(receipt, answer_keys()) #> '{steps,signature}']) WITH ORDINALITY AS x (s, i)
$$;
COMMENT ON FUNCTION verifies(jsonb)
	IS 'What is wrong with a signature by the registry, by the array and by the map of keys.';
SELECT key_id AS id, active_from FROM answer.signing_key WHERE status = 'active' \gset
INSERT INTO receipt SELECT 3, answer_eval('{"checks": [{"tool": "postgres_server"}]}');
SELECT r ->> 'issued_at' AS issued_at FROM receipt WHERE n = 3 \gset
SELECT state, attempt(call) AS retire
FROM (VALUES ('no key', $$SELECT answer_key_retire(NULL)$$),
	('unknown', $$SELECT answer_key_retire('ae-ed25519-000000000000')$$),
	('empty', $$SELECT answer_key_retire('')$$)) AS v (state, call);
SELECT replace(attempt(format('SELECT answer_key_retire(%L, %L)', :'id', at)), :'id', '<id>') AS retire
FROM unnest(ARRAY['infinity', '-infinity', '20000-01-01Z', '0001-01-01Z BC', '9999-01-01Z', '0001-01-01Z',
	:'active_from'::timestamptz - interval '1 microsecond', :'active_from',
	:'issued_at'::timestamptz - interval '1 microsecond']::timestamptz[]) WITH ORDINALITY AS x (at, i)
ORDER BY i;
BEGIN READ ONLY;
SELECT answer_key_retire(:'id');
ROLLBACK;
BEGIN;
SELECT answer_key_retire(:'id', :'issued_at') = :'id' AS at_the_newest_receipt;
SELECT verifies(r) AS verifies, life(:'id') FROM receipt WHERE n = 3;
\set VERBOSITY default
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
\set VERBOSITY terse
ROLLBACK;
BEGIN;
SELECT answer_key_retire(:'id') = :'id' AS now;
SELECT verifies(r) AS verifies, life(:'id') FROM receipt WHERE n = 3;
SELECT retired_at > active_from AND retired_at <= clock_timestamp() AS between
FROM answer.signing_key WHERE key_id = :'id';
SELECT attempt(format('SELECT answer_key_retire(%L)', :'id'))
	= format('55000: key "%s" is not active', :'id') AS once_more;
-- a new key goes on
SELECT answer_key_generate() <> :'id' AS generated;
SELECT verifies(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS verifies;
SELECT (SELECT retired_at FROM answer.signing_key WHERE key_id = :'id')
	< (SELECT active_from FROM answer.signing_key WHERE status = 'active') AS with_a_gap;
ROLLBACK;
SELECT life(:'id') AS as_before;

-- A clock that was set back: a key's life includes its newest receipt, and begins before it ends.
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER USER;
UPDATE answer.receipt SET issued_at = now() + interval '1 hour'
WHERE receipt_id = (SELECT r ->> 'receipt_id' FROM receipt WHERE n = 3);
ALTER TABLE answer.receipt ENABLE TRIGGER USER;
SAVEPOINT a;
SELECT answer_key_generate() IS NOT NULL AS rotated;
SELECT retired_at - now() = interval '1 hour' AS at_the_newest_receipt FROM answer.signing_key WHERE key_id = :'id';
ROLLBACK TO a;
SELECT answer_key_retire(:'id', now() + interval '1 hour') IS NOT NULL AS retired;
ROLLBACK TO a;
SELECT answer_key_compromise(:'id') IS NOT NULL AS compromised;
SELECT retired_at - now() = interval '1 hour' AS at_the_newest_receipt FROM answer.signing_key WHERE key_id = :'id';
ROLLBACK;
BEGIN;
ALTER TABLE answer.signing_key DISABLE TRIGGER USER;
UPDATE answer.signing_key SET active_from = now() + interval '1 hour' WHERE key_id = :'id';
ALTER TABLE answer.signing_key ENABLE TRIGGER USER;
SELECT verifies(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS verifies;
SELECT answer_key_generate() IS NOT NULL AS rotated;
SELECT retired_at = active_from AS at_once FROM answer.signing_key WHERE key_id = :'id';
SELECT verifies(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS verifies;
ROLLBACK;

-- Compromise.
SELECT state, attempt(call) AS compromise
FROM (VALUES ('no key', $$SELECT answer_key_compromise(NULL)$$),
	('unknown', $$SELECT answer_key_compromise('ae-ed25519-000000000000')$$)) AS v (state, call);
SELECT attempt(format('SELECT answer_key_compromise(%L, %L)', :'id', at)) AS compromise
FROM unnest(ARRAY['infinity', '-infinity',
	clock_timestamp() + interval '1 minute']::timestamptz[]) WITH ORDINALITY AS x (at, i)
ORDER BY i;
BEGIN READ ONLY;
SELECT answer_key_compromise(:'id');
ROLLBACK;
BEGIN;
SELECT answer_key_compromise(:'id', :'issued_at') = :'id' AS compromised;
SELECT verifies(r) AS that_instant, life(:'id') FROM receipt WHERE n = 3;
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;
BEGIN;
SELECT answer_key_compromise(:'id', :'issued_at'::timestamptz - interval '1 microsecond') = :'id' AS compromised;
SELECT verifies(r) AS verifies, life(:'id') FROM receipt WHERE n = 3;
SELECT n, verifies(r) AS others FROM receipt WHERE n < 3 ORDER BY n;
-- only stricter: not later, the same or earlier, and in the end all
SELECT replace(attempt(format('SELECT answer_key_compromise(%L, %L)', :'id', :'issued_at')), :'id', '<id>') AS later;
SELECT answer_key_compromise(:'id', :'issued_at'::timestamptz - interval '1 microsecond') = :'id' AS same,
	answer_key_compromise(:'id', :'issued_at'::timestamptz - interval '2 microseconds') = :'id' AS earlier;
SELECT replace(attempt(format('SELECT answer_key_compromise(%L, %L)', :'id',
		:'issued_at'::timestamptz - interval '1 microsecond')), :'id', '<id>') AS later;
SELECT answer_key_compromise(:'id') = :'id' AS all;
SELECT verifies(r) AS verifies, life(:'id') FROM receipt WHERE n = 3;
SELECT answer_key_compromise(:'id') = :'id' AS same;
SELECT replace(attempt(format('SELECT answer_key_compromise(%L, %L)', :'id',
		:'issued_at'::timestamptz - interval '1 day')), :'id', '<id>') AS some;
SELECT replace(attempt(format('SELECT answer_key_retire(%L)', :'id')), :'id', '<id>') AS retire;
SELECT answer_key_generate() IS NOT NULL AS generated;
SELECT verifies(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS and_on;
ROLLBACK;
-- of a retired key
BEGIN;
SELECT answer_key_generate() IS NOT NULL AS rotated;
SELECT answer_key_compromise(:'id') = :'id' AS compromised;
SELECT life(:'id'), verifies(r) AS verifies,
	verifies(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS the_active_one
FROM receipt WHERE n = 3;
ROLLBACK;

-- What the table itself refuses.
CREATE FUNCTION refusal(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name text;
	detail text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS name = CONSTRAINT_NAME, detail = PG_EXCEPTION_DETAIL;
	RETURN sqlstate || ': ' || CASE WHEN name <> '' THEN name ELSE detail END;
END $$;
SELECT statement,
	refusal('INSERT INTO answer.signing_key (key_id, public_key, status, active_from, retired_at, compromised_after) '
		'VALUES ' || statement) AS refusal
FROM (VALUES ($$('short', '\x00', 'retired', now(), NULL, NULL)$$),
	($$('ae-ed25519-66687aadf863', decode(repeat('00', 32), 'hex'), 'retired', now(), now(), NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 31), 'hex'), 'retired', now(), now(), NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now(), NULL, NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', NULL, NULL, NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now(), now(), NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'retired', now(), $$ ||
		$$now() - interval '1 microsecond', NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'retired', now(), now(), now())$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'retired', 'infinity', NULL, NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'retired', NULL, 'infinity', NULL)$$),
	($$('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'compromised', NULL, NULL, '-infinity')$$),
	($$('ae-ed25519-66687aadf862', NULL, 'retired', NULL, NULL, NULL)$$)) AS v (statement);
-- nor does it let a superuser lengthen a life
BEGIN;
INSERT INTO answer.signing_key VALUES
	('ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'compromised', '2026-01-01Z', '2026-02-01Z',
		'2026-01-15Z');
INSERT INTO answer.signing_key VALUES
	('ae-ed25519-21fe31dfa154', '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'retired',
		'2026-01-01Z', '2026-02-01Z');
\set VERBOSITY default
SAVEPOINT a;
DELETE FROM answer.signing_key;
ROLLBACK TO a;
TRUNCATE answer.signing_key;
ROLLBACK TO a;
UPDATE answer.signing_key SET public_key = decode(repeat('01', 32), 'hex') WHERE key_id = 'ae-ed25519-66687aadf862';
ROLLBACK TO a;
\set VERBOSITY terse
SELECT id, change,
	refusal(format('UPDATE answer.signing_key SET %s WHERE key_id = %L', change, 'ae-ed25519-' || id)) AS refusal
FROM (VALUES ('66687aadf862', $$key_id = 'x'$$), ('66687aadf862', $$active_from = NULL$$),
	('66687aadf862', $$active_from = '2025-01-01Z'$$), ('66687aadf862', $$active_from = '2026-01-02Z'$$),
	('66687aadf862', $$fingerprint = 'x'$$),
	('66687aadf862', $$status = 'retired', compromised_after = NULL$$),
	('66687aadf862', $$status = 'active', compromised_after = NULL, retired_at = NULL$$),
	('66687aadf862', $$compromised_after = '2026-01-16Z'$$), ('66687aadf862', $$retired_at = NULL$$),
	('66687aadf862', $$retired_at = '2026-02-02Z'$$),
	('66687aadf862', $$compromised_after = '2026-01-14Z'$$), ('66687aadf862', $$compromised_after = NULL$$),
	('66687aadf862', $$compromised_after = '2026-01-13Z'$$), ('66687aadf862', $$retired_at = '2026-01-31Z'$$),
	('21fe31dfa154', $$status = 'active', retired_at = NULL$$), ('21fe31dfa154', $$retired_at = NULL$$),
	('21fe31dfa154', $$compromised_after = '2026-01-14Z'$$), ('21fe31dfa154', $$status = status$$),
	('21fe31dfa154', $$status = 'compromised'$$)) AS v (id, change);
SELECT refusal(format($$UPDATE answer.signing_key SET status = 'retired' WHERE key_id = %L$$, :'id')) AS no_instant;
-- behind the trigger the constraints are left: no key is swapped under its id
ALTER TABLE answer.signing_key DISABLE TRIGGER USER;
SELECT change, refusal('UPDATE answer.signing_key SET ' || change) AS refusal
FROM (VALUES ($$public_key = decode(repeat('01', 32), 'hex')$$), ($$key_id = 'ae-ed25519-000000000000'$$),
	($$status = 'active', retired_at = NULL, compromised_after = NULL$$), ($$status = 'retired'$$)) AS v (change);
ALTER TABLE answer.signing_key ENABLE TRIGGER USER;
SELECT replace(refusal(format($$INSERT INTO answer.signing_key SELECT key_id, public_key, 'retired'
			FROM answer.signing_key WHERE key_id = %L ON CONFLICT (key_id) DO UPDATE SET active_from = NULL$$, :'id')),
	:'id', '<id>') AS upsert;
ROLLBACK;

-- A public key from elsewhere: the one of RFC 8037, in each of its forms, is one row.
CREATE TABLE form (name text, key text);
INSERT INTO form VALUES
	('pem',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n'),
	('pem, CRLF',
		E'-----BEGIN PUBLIC KEY-----\r\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\r\n'
			'-----END PUBLIC KEY-----\r\n'),
	('pem, short lines',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7T\nyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----'),
	('pem, white space',
		E' \t\r\n-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n\n\n  '),
	('jwk', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('jwk, more',
		' {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "use": "sig", '
			'"alg": "EdDSA", "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", "key_ops": ["verify"], '
			'"é": ["PRIVATE", {"d": 1}], "status": "active"}'),
	('jwk, RFC 9864',
		'{"kty":"OKP","alg":"Ed25519","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('base64url', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
	('base64url, padded', E'11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n');
BEGIN;
SELECT name, answer_key_import_public(key) AS key_id, life('ae-ed25519-21fe31dfa154')
FROM form ORDER BY name COLLATE "C";
SELECT status, public_key, fingerprint, active_from, retired_at
FROM answer.signing_key WHERE key_id = 'ae-ed25519-21fe31dfa154';
SELECT count(*) AS keys
FROM answer.signing_key WHERE public_key = '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
-- with another life it is refused, whichever way
SELECT arguments, attempt(format('SELECT answer_key_import_public(%L, %s)', key, arguments)) AS import
FROM form, (VALUES ($$'compromised'$$), ($$active_from => '2026-01-01Z'$$), ($$retired_at => '2026-01-01Z'$$),
	($$'retired'$$)) AS v (arguments)
WHERE name = 'pem';
-- it signs nothing, and what it signed verifies here
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') #>> '{signature,key_id}' = :'id' AS own_key_signs;
SELECT answer_verify('{"n": 1, "anchor": {"x": 1}, "signature": {"alg": "Ed25519", '
	'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
	'"sig": "-WdfvQwHFE9PrUDtjaQ3v1F6kH7SjjF_3ZYrbRl5_gFNJkKe-kFnM3VlCCpuKU3'
	'DF6tyiZg5lXm65kJSpIjvDw=="}}') #>> '{steps,signature,reason}' AS reason;
SELECT answer_key_compromise('ae-ed25519-21fe31dfa154') IS NOT NULL AS compromised;
ROLLBACK;
SELECT name,
	attempt(format('SELECT answer_key_import_public(key, %s) FROM form WHERE name = %L', arguments, 'pem')) AS import
FROM (VALUES ('active', $$'active'$$), ('no status', $$NULL$$),
	('backwards', $$active_from => '2026-01-02Z', retired_at => '2026-01-01Z'$$),
	('not compromised', $$compromised_after => '2026-01-01Z'$$),
	('not yet', $$'compromised', compromised_after => clock_timestamp() + interval '1 minute'$$),
	('infinity', $$active_from => '-infinity'$$), ('infinity', $$retired_at => 'infinity'$$),
	('infinity', $$'compromised', compromised_after => 'infinity'$$),
	('far', $$retired_at => '10000-01-01Z'$$)) AS v (name, arguments);
SELECT attempt('SELECT answer_key_import_public(NULL)') AS no_key;
BEGIN;
SELECT answer_key_import_public(key, 'compromised', '2026-01-01Z', '2026-02-01Z', '2026-01-15Z') AS key_id,
	answer_key_import_public(key, 'compromised', '2026-01-01Z', '2026-02-01Z', '2026-01-15Z') AS again
FROM form WHERE name = 'jwk';
SELECT k - 'public_key' AS entry
FROM jsonb_array_elements(answer_key_registry()) AS k WHERE k ->> 'key_id' = 'ae-ed25519-21fe31dfa154';
SET TRANSACTION READ ONLY;
SELECT answer_key_import_public(key) FROM form WHERE name = 'jwk';
ROLLBACK;
-- our own is there already, as what it is
SELECT attempt(format('SELECT answer_key_import_public(%L)', answer_keys() ->> :'id'))
	= format('23505: key "%s" is in the registry already, with another life', :'id') AS own_key;
-- an import alone is a registry with keys and no active one
BEGIN;
SELECT empty_registry();
SELECT answer_key_import_public(key) AS key_id FROM form WHERE name = 'jwk';
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}');
ROLLBACK;

-- Each reason of a life, by the registry, by the array and by the map, which knows of none.
CREATE FUNCTION under(status answer_key_status, active_from timestamptz, retired_at timestamptz,
		compromised_after timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	document jsonb := (SELECT r FROM receipt WHERE n = 3);
	public text := answer_keys() ->> (document #>> '{signature,key_id}');
	result text;
BEGIN
	PERFORM empty_registry();
	PERFORM answer_key_import_public(public, status, active_from, retired_at, compromised_after);
	result := verifies(document);
	RAISE EXCEPTION USING errcode = 'ZZ000', message = result;
EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
	RETURN sqlerrm;
END $$;
SELECT what,
	under(status::answer_key_status, :'issued_at'::timestamptz + f * interval '1 microsecond',
		:'issued_at'::timestamptz + r * interval '1 microsecond',
		:'issued_at'::timestamptz + c * interval '1 microsecond') AS verifies
FROM (VALUES (1, 'no bound', 'retired', NULL, NULL, NULL), (2, 'active from then', 'retired', 0, NULL, NULL),
	(3, 'active from later', 'retired', 1, NULL, NULL), (4, 'retired then', 'retired', NULL, 0, NULL),
	(5, 'retired before', 'retired', NULL, -1, NULL), (6, 'that instant', 'retired', 0, 0, NULL),
	(7, 'compromised', 'compromised', NULL, NULL, NULL), (8, 'compromised after then', 'compromised', NULL, NULL, 0),
	(9, 'compromised before', 'compromised', NULL, NULL, -1),
	(10, 'both ends, compromised before', 'compromised', -1, 1, -1),
	(11, 'compromised, all of it', 'compromised', 0, 0, NULL)) AS v (i, what, status, f, r, c)
ORDER BY i;

-- What is no public key.  Nothing of what was given is in the message, and a private key is told apart.
CREATE TABLE hostile (name text, key text);
INSERT INTO hostile VALUES ('empty', ''), ('white space', E' \n\t'), ('text', 'hello'), ('NULL as text', 'null'),
	('jsonb string', '"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"'),
	('31 bytes', left(translate(encode(decode(repeat('07', 31), 'hex'), 'base64'), '+/=', '-_'), 43)),
	('33 bytes', translate(encode(decode(repeat('07', 33), 'hex'), 'base64'), '+/=', '-_')),
	('standard alphabet', '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='),
	('another spelling', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp'),
	('inner white space', E'11qYAYKxCrfVS_7TyWQHOg7\nhcvPapiMlrwIaaPcHURo'),
	('not ASCII', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURé'),
	('hex', 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
	('megabyte', repeat('A', 1000000)), ('megabyte of spaces', repeat(' ', 1000000)),
	('megabyte of JSON', repeat('{', 1000000)),
	('megabyte of PEM', E'-----BEGIN PUBLIC KEY-----\n' || repeat(E'MCow\n', 200000)),
	('4097 bytes', repeat('A', 4097)), ('deep', '{"kty":' || repeat('[', 4000)),
	('two keys',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\n'
			'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n'),
	('text before',
		E'my key:\n-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n'),
	('text after',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n# mine\n'),
	('other label',
		E'-----BEGIN ED25519 KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END ED25519 KEY-----\n'),
	('certificate',
		E'-----BEGIN CERTIFICATE-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END CERTIFICATE-----\n'),
	('labels differ',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END CERTIFICATE-----\n'),
	('first block is none',
		E'-----BEGIN PUBLIC KEY----\n-----BEGIN PUBLIC KEY-----\n'
			'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n'),
	('PEM header',
		E'-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00000000000000000000000000000000\n'
			'\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n'),
	('no body', E'-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n'),
	('no base64', E'-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----\n'),
	('long line', E'-----BEGIN PUBLIC KEY-----\n' || repeat('A', 3000) || E'\n-----END PUBLIC KEY-----\n'),
	('only its name', '-----BEGIN PUBLIC KEY-----'),
	('SSH', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea'),
	('DER, one byte less',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f70751',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, one byte more',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a00',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, 31 byte key',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x3029300506032b6570032000d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f70751',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, 33 byte key',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x302b300506032b6570032200d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a00',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, unused bits',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x302a300506032b6570032101d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, huge length',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x3084ffffffff300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, long length',
		E'-----BEGIN PUBLIC KEY-----\n' ||
			encode('\x30812a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
				'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, no key', E'-----BEGIN PUBLIC KEY-----\n' || encode('\x3000', 'base64') || E'\n-----END PUBLIC KEY-----\n'),
	('DER, zeros',
		E'-----BEGIN PUBLIC KEY-----\n' || encode(decode(repeat('00', 44), 'hex'), 'base64') ||
			E'\n-----END PUBLIC KEY-----\n'),
	('X25519',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAJrJSQSyvmiI3Ebjoqr3CnnNJIBpYletDECyqn5bkYgo=\n'
			'-----END PUBLIC KEY-----\n'),
	('Ed448',
		E'-----BEGIN PUBLIC KEY-----\nMEMwBQYDK2VxAzoAazcvbcXQmf8WZ3+bwsW37v5CqsnGx1t5VYKaPbzK/d8txO4/\n'
			'GOmBUKUnXPVHlEPLoYSeAbEbAaYA\n-----END PUBLIC KEY-----\n'),
	('EC',
		E'-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6b9bkI6lxQOyfbLEZKV6gOvO+M6X\n'
			'/Z+j+1pOFSEMiFDf5rPcLJy5aQ7yGiEAQEYUSf5W4JSWq8/aEN/wgmebGQ==\n-----END PUBLIC KEY-----\n'),
	('RSA',
		E'-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCj/jNcXGNYvulMobDv0hpLX3Qk\n'
			'JaTVGNlUwFcSGNkKIVjYd4/niDQFcm/zMPMp4UizeTY+bXImFmP59BdBtGDn+YWY\n'
			'EKDmPAzBTx0rFl0egSxoh1jtUq42SAl0aM2AVxxvTaxZMWhdwb/V8W0tUtUA92EF\nBWVfZ0QSX/s9I3/D1wIDAQAB\n'
			'-----END PUBLIC KEY-----\n'),
	('jwk, empty', '{}'),
	('jwk, unclosed', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"'),
	('jwk, text after', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"} x'),
	('jwk, NUL', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\u0000"}'),
	('jwk, EC',
		'{"kty":"EC","crv":"P-256","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",'
			'"y":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('jwk, X25519', '{"kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('jwk, kty no string', '{"kty":["OKP"],"crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('jwk, no x', '{"kty":"OKP","crv":"Ed25519"}'), ('jwk, x is a number', '{"kty":"OKP","crv":"Ed25519","x":1e400}'),
	('jwk, x padded', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}'),
	('jwk, x too short', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ"}'),
	('jwk, encryption', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","use":"enc"}'),
	('jwk, other alg', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","alg":"ES256"}'),
	('jwk, alg null', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","alg":null}'),
	('jwk set', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'),
	('private jwk',
		'{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",'
			'"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'), ('private jwk, no x', '{"d":null}'),
	('private jwk of EC', '{"kty":"EC","crv":"P-256","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}'),
	('private PEM',
		E'-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n'
			'-----END PRIVATE KEY-----\n'), ('private PEM, damaged', E'-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw'),
	('encrypted PEM', E'-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n-----END ENCRYPTED PRIVATE KEY-----'),
	('OpenSSH', E'-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----'),
	('public, then private',
		E'-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n'
			'-----END PUBLIC KEY-----\n-----BEGIN PRIVATE KEY-----\n'
			'MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n'),
	('private DER in base64', 'MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC');
INSERT INTO hostile SELECT 'small order ' || i, translate(encode(y::bytea, 'base64'), '+/', '-_')
FROM unnest(ARRAY['\x0000000000000000000000000000000000000000000000000000000000000000',
	'\x0100000000000000000000000000000000000000000000000000000000000000',
	'\x26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
	'\xc7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	'\xecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'\xedffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'\xeeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'\x0000000000000000000000000000000000000000000000000000000000000080',
	'\xecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
	'\xc7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa']) WITH ORDINALITY AS x (y, i);
CREATE FUNCTION import(key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	RETURN answer_key_import_public(key);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN sqlstate || ': ' || sqlerrm || ' / ' || detail;
END $$;
BEGIN;
SELECT name, import(key) FROM hostile ORDER BY name COLLATE "C";
\set VERBOSITY default
SAVEPOINT a;
SELECT answer_key_import_public(key) FROM hostile WHERE name = 'private PEM';
ROLLBACK TO a;
\set VERBOSITY terse
-- cut anywhere, only the white space at its end can go; damaged anywhere, it is refused or another key
SELECT left(import(left(key, n)), 16) AS import, min(length(key) - n), max(length(key) - n)
FROM form, generate_series(0, length(key)) AS n WHERE name = 'pem' GROUP BY 1 ORDER BY 1;
SELECT left(import(left(key, n)), 16) AS import, min(length(key) - n), max(length(key) - n)
FROM form, generate_series(0, length(key)) AS n WHERE name = 'jwk' GROUP BY 1 ORDER BY 1;
SELECT count(*) FILTER (WHERE i ~ '^ae-ed25519-[0-9a-f]{12}$') AS keys,
	count(*) FILTER (WHERE i LIKE '22023:%') AS refused,
	count(*) - count(*) FILTER (WHERE i ~ '^ae-ed25519-[0-9a-f]{12}$|^22023:') AS others
FROM (SELECT import(E'-----BEGIN PUBLIC KEY-----\n' || encode(set_bit(der, n, 1 - get_bit(der, n)), 'base64') ||
		E'\n-----END PUBLIC KEY-----\n') AS i
	FROM (VALUES ('\x302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021'
		'a68f707511a'::bytea)) AS v (der), generate_series(0, 44 * 8 - 1) AS n) AS x;
-- what came in that way is another key, and never the one that it was
SELECT count(*) AS that_key
FROM answer.signing_key
WHERE key_id = 'ae-ed25519-21fe31dfa154'
	AND public_key <> '\xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
ROLLBACK;
SELECT count(*) AS imported FROM answer.signing_key WHERE key_id = 'ae-ed25519-21fe31dfa154';

-- A key that is not there is looked for once more, but not where a snapshot cannot be taken: in a parallel query.
CREATE TABLE document AS
	SELECT '{"signature": {"alg": "Ed25519", "key_id": "ae-ed25519-000000000000", '
		'"canonicalization": "json-sorted-compact", "sig": "-WdfvQwHFE9PrUDtjaQ3v1F6kH7SjjF_3ZYrbRl5_gFNJkKe-kFnM3VlCCp'
		'uKU3DF6tyiZg5lXm65kJSpIjvDw=="}}'::text AS d
	FROM generate_series(1, 20000);
ANALYZE document;
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*)
FROM document WHERE answer_verify(d) #>> '{steps,signature,reason}' = 'the key is not among the keys given';
SELECT count(*)
FROM document WHERE answer_verify(d) #>> '{steps,signature,reason}' = 'the key is not among the keys given';
ROLLBACK;
DROP TABLE document;

-- Formats that others read.
SELECT answer_keys('map') = answer_keys() AS map, answer_keys(NULL) IS NULL AS of_null;
SELECT jsonb_object_keys(answer_keys('jwk')) AS jwk, jsonb_object_keys(answer_keys('pem')) AS pem;
BEGIN;
SELECT empty_registry();
SELECT answer_keys('map') AS map, answer_keys('jwk') AS jwk, answer_keys('pem') AS pem;
SELECT answer_key_import_public(key, 'compromised', '2026-01-01 12:00Z', '2026-02-01Z', '2026-01-15Z') AS key_id
FROM form WHERE name = 'jwk';
SELECT answer_key_import_public('GVa3EZSgAf-dFUbr5oNsUCsbHKGTVZ1PfXsXr5Kl3eE') AS key_id;
SELECT k.value AS jwk FROM jsonb_array_elements(answer_keys('jwk') -> 'keys') AS k;
SELECT answer_keys('pem') #>> '{keys,ae-ed25519-21fe31dfa154}' AS pem;
SELECT answer_keys('pem') #>> '{keys,ae-ed25519-21fe31dfa154}' = key AS same_pem FROM form WHERE name = 'pem';
ROLLBACK;
-- what goes out comes in again
CREATE TABLE sent AS
	SELECT key_id,
		(SELECT k::text FROM jsonb_array_elements(answer_keys('jwk') -> 'keys') AS k WHERE k ->> 'kid' = key_id) AS jwk,
		answer_keys('pem') -> 'keys' ->> key_id AS pem, answer_keys() ->> key_id AS base64url
	FROM answer.signing_key;
BEGIN;
SELECT empty_registry();
SELECT count(*) > 3 AS several,
	bool_and(answer_key_import_public(jwk) = key_id AND answer_key_import_public(pem) = key_id
		AND answer_key_import_public(base64url) = key_id) AS same
FROM sent;
ROLLBACK;
SELECT attempt(format('SELECT answer_keys(%L)', f)) AS unknown FROM unnest('{JWK,jwks,"",der}'::text[]) AS f;

-- Under a key of small order anybody can sign anything: R is the point 0, 1 and S is 0.  No such key is one, however it
-- is given.
CREATE TABLE small_order AS SELECT decode(k, 'hex') AS key FROM unnest(ARRAY[
	repeat('00', 32), repeat('00', 31) || '80', '01' || repeat('00', 31), '01' || repeat('00', 30) || '80',
	'ec' || repeat('ff', 30) || '7f', 'ec' || repeat('ff', 31), 'ed' || repeat('ff', 30) || '7f',
	'ed' || repeat('ff', 31), 'ee' || repeat('ff', 30) || '7f', 'ee' || repeat('ff', 31),
	'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
	'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
	'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa']) AS k;
SELECT count(*) AS keys,
	count(*) FILTER (WHERE answer.ed25519_verify(key, convert_to(m::text, 'UTF8'),
		decode('01' || repeat('00', 63), 'hex'))) AS verified
FROM small_order, generate_series(1, 50) AS m;
SELECT DISTINCT attempt(format('SELECT answer_key_import_public(%L)',
	translate(rtrim(encode(key, 'base64'), '='), '+/', '-_'))) AS import
FROM small_order;
-- a receipt whose signature is made so, and which ids and digests of its own fit, verifies with no such key given
SELECT DISTINCT answer_verify_ok(r ||
	jsonb_build_object('signature',
		r -> 'signature' ||
			'{"sig": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="}'),
	jsonb_build_object(r #>> '{signature,key_id}', translate(encode(key, 'base64'), '+/', '-_'))) AS verified
FROM receipt, small_order
WHERE n < 2;
DROP TABLE small_order;

-- What a function of ours means does not hang on the settings of whoever calls it first.
SELECT answer_keys('pem') AS pem, answer_keys('jwk') AS jwk \gset
\c -
\set VERBOSITY terse
SET client_min_messages = warning;
SET standard_conforming_strings = off;
SET escape_string_warning = on;
SET transform_null_equals = on;
SET plpgsql.variable_conflict = use_column;
SET plpgsql.extra_errors = 'all';
SET check_function_bodies = off;
SET array_nulls = off;
SET bytea_output = escape;
SET quote_all_identifiers = on;
SET xmloption = document;
SELECT answer_keys('pem') = :'pem'::jsonb AS pem, answer_keys('jwk') = :'jwk'::jsonb AS jwk;
-- no body of plpgsql or SQL in a string has a backslash in a plain one, which would be read in another way
SELECT p.proname, l AS line
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval',
		unnest(string_to_array(p.prosrc, chr(10))) AS l
WHERE p.prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('sql', 'plpgsql')) AND p.prosqlbody IS NULL
	AND strpos(regexp_replace(l, E'\\mE\'[^\']*\'', '', 'g'), chr(92)) > 0;
\c -
\set VERBOSITY terse
SET client_min_messages = warning;
SET timezone = 'UTC';

-- One registry, whatever the isolation: a second active key is no row.
\set VERBOSITY sqlstate
INSERT INTO answer.signing_key (key_id, public_key, status, active_from, folder)
	SELECT 'ae-ed25519-66687aadf862', decode(repeat('00', 32), 'hex'), 'active', now(), folder
	FROM answer.signing_key WHERE folder IS NOT NULL LIMIT 1;
\set VERBOSITY terse
SELECT status, keys, without_end FROM registry();
-- private halves are nowhere in it
SELECT count(*) AS private_columns
FROM pg_attribute WHERE attrelid = 'answer.signing_key'::regclass AND attnum > 0 AND attname LIKE '%private%';
DROP TABLE receipt, kept, active, form, hostile, sent;
DROP VIEW key_file;
DROP FUNCTION registry, empty_registry, life, verifies, refusal, under, import;
