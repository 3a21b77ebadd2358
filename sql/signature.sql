
/* signature: keys and their registry */

CREATE TYPE @extschema@.answer_key_status AS ENUM ('active', 'retired', 'compromised');
COMMENT ON TYPE @extschema@.answer_key_status IS 'Life of a signing key.';

CREATE TABLE answer.signing_key
(
	key_id				text PRIMARY KEY,
	public_key			bytea NOT NULL CHECK (pg_catalog.length(public_key) OPERATOR(pg_catalog.=) 32),
	status				@extschema@.answer_key_status NOT NULL,
	active_from			timestamptz NOT NULL CHECK (pg_catalog.isfinite(active_from)),
	retired_at			timestamptz CHECK (pg_catalog.isfinite(retired_at)),
	compromised_after	timestamptz CHECK (pg_catalog.isfinite(compromised_after))
);
COMMENT ON TABLE answer.signing_key IS 'Public halves of the Ed25519 keys that sign, or signed. Private halves are PEM files outside the database.';
REVOKE ALL ON answer.signing_key FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.signing_key', '');

CREATE FUNCTION @extschema@.answer_key_generate() RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_generate'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_generate() IS
'Makes an Ed25519 key (RFC 8032), writes its private half as a PEM file of mode 0600 into the directory answer_eval.key_directory, registers its public half and makes it the one active signing key; the one before it is retired at the same instant. A rollback removes the file. Result: the key id. Errors: 42501 without the privilege, 25006 in a read-only transaction, 58xxx if the file cannot be written, 0A000 if OpenSSL has no Ed25519.';

CREATE FUNCTION @extschema@.answer_keys() RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE(pg_catalog.jsonb_object_agg(k.key_id,
		pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_')), '{}')
	FROM answer.signing_key k;
END;
ALTER FUNCTION @extschema@.answer_keys() STABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_keys() IS
'Public keys of this database''s registry, as answer_verify and DF-VERIFY/1 clients take them. Result: {key_id: padded base64url of 32 bytes}. Errors: 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_key_registry() RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'key_id', k.key_id,
		'public_key', pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_'),
		'status', k.status,
		'active_from', pg_catalog.to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'retired_at', pg_catalog.to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'compromised_after', pg_catalog.to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
	)) ORDER BY k.active_from, k.key_id), '[]')
	FROM answer.signing_key k;
END;
ALTER FUNCTION @extschema@.answer_key_registry() STABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_key_registry() IS
'Public keys of this database''s registry with their life: an array of {key_id, public_key, status, active_from, retired_at, compromised_after}, instants in UTC, which answer_verify enforces. Errors: 42501 without the privilege.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_key_generate(),
	@extschema@.answer_keys(),
	@extschema@.answer_key_registry()
FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_ed25519_verify(public_key bytea, message bytea, signature bytea) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_ed25519_verify'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_ed25519_verify(bytea, bytea, bytea) IS
'Verifies a detached Ed25519 signature (RFC 8032). Arguments: public_key, 32 bytes; message; signature, 64 bytes. Result: true or false, never NULL: a NULL or a wrong length is false. Errors: none.';
