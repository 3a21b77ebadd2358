
/* signature: keys and their registry */

CREATE TYPE @extschema@.answer_key_status AS ENUM ('active', 'retired', 'compromised');
COMMENT ON TYPE @extschema@.answer_key_status IS 'State of a signing key.';

-- A key that signed here has active_from, and also retired_at once it is retired. An imported key may lack either: an
-- unknown bound is no bound.
CREATE TABLE answer.signing_key
(
	key_id				text PRIMARY KEY,
	public_key			bytea NOT NULL CHECK (pg_catalog.length(public_key) OPERATOR(pg_catalog.=) 32),
	status				@extschema@.answer_key_status NOT NULL,
	active_from			timestamptz CHECK (pg_catalog.isfinite(active_from)),
	retired_at			timestamptz CHECK (pg_catalog.isfinite(retired_at)),
	compromised_after	timestamptz CHECK (pg_catalog.isfinite(compromised_after)),
	fingerprint			text GENERATED ALWAYS AS (pg_catalog.encode(pg_catalog.sha256(public_key), 'hex')) STORED,
	folder				uuid,
	CONSTRAINT signing_key_id_follows CHECK (key_id OPERATOR(pg_catalog.=)
		('ae-ed25519-' OPERATOR(pg_catalog.||)
			pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(public_key), 'hex'), 12))),
	CONSTRAINT signing_key_active CHECK (status OPERATOR(pg_catalog.<>) 'active'
		OR active_from IS NOT NULL AND retired_at IS NULL AND folder IS NOT NULL),
	CONSTRAINT signing_key_retired CHECK (retired_at OPERATOR(pg_catalog.>=) active_from),
	CONSTRAINT signing_key_compromised CHECK (compromised_after IS NULL
		OR status OPERATOR(pg_catalog.=) 'compromised')
);
COMMENT ON TABLE answer.signing_key IS 'Public halves of the Ed25519 keys that sign, or signed, here or elsewhere, one per row. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.key_id IS '"ae-ed25519-" and the first 12 digits of the fingerprint. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.public_key IS 'The 32 bytes of RFC 8032. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.status IS 'active: signs here; retired: no longer signs, or never signed here; compromised: what it signed is refused. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.active_from IS 'Receipts issued before this instant are refused. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.retired_at IS 'Receipts issued after this instant are refused. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.compromised_after IS 'For a compromised key: receipts issued after this instant are refused. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.fingerprint IS 'SHA-256 of the public key, 64 lower-case hex digits. See doc/tables.md#answersigning_key.';
COMMENT ON COLUMN answer.signing_key.folder IS 'Folder below answer_eval.key_directory that holds the private half of a key made here, or of one that came with a copy of the database. See doc/tables.md#answersigning_key.';
CREATE UNIQUE INDEX signing_key_one_active ON answer.signing_key (status) WHERE status OPERATOR(pg_catalog.=) 'active';
REVOKE ALL ON answer.signing_key FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.signing_key', '');

CREATE FUNCTION answer.key_guard() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	rule text;
BEGIN
	IF TG_OP <> 'UPDATE' THEN
		RAISE EXCEPTION USING errcode = 'restrict_violation',
			message = 'keys are not removed from the registry',
			detail = format('%s was refused: receipts that the key signed could not be verified.', TG_OP),
			hint = 'Use answer_key_retire() or answer_key_compromise().';
	END IF;
	rule := CASE
		WHEN NEW.key_id <> OLD.key_id OR NEW.public_key <> OLD.public_key
			OR NEW.active_from IS DISTINCT FROM OLD.active_from
			OR NEW.folder IS DISTINCT FROM OLD.folder
			THEN 'key_id, public_key, active_from and folder do not change'
		WHEN NEW.status < OLD.status
			THEN 'a status goes from active to retired to compromised, and not back'
		WHEN OLD.status = 'active' AND NEW.status = 'retired' AND NEW.retired_at IS NULL
			THEN 'an active key retires at an instant'
		WHEN OLD.retired_at IS NOT NULL AND (NEW.retired_at IS NULL OR NEW.retired_at > OLD.retired_at)
			THEN 'retired_at is neither taken back nor put off'
		WHEN OLD.status = 'compromised' AND NEW.compromised_after IS NOT NULL
			AND (OLD.compromised_after IS NULL OR NEW.compromised_after > OLD.compromised_after)
			THEN 'compromised_after is not put off'
	END;
	IF rule IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = 'restrict_violation',
			message = format('the life of key "%s" can only be shortened', OLD.key_id),
			detail = format('The rule is: %s.', rule);
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION answer.key_guard() IS
'Trigger, not for direct use, that prevents deleting keys and making a key''s life longer, even by the owner.';

CREATE TRIGGER signing_key_guard BEFORE UPDATE OR DELETE ON answer.signing_key
FOR EACH ROW EXECUTE FUNCTION answer.key_guard();
CREATE TRIGGER signing_key_no_truncate BEFORE TRUNCATE ON answer.signing_key
FOR EACH STATEMENT EXECUTE FUNCTION answer.key_guard();

CREATE FUNCTION @extschema@.answer_key_generate() RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_generate'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_generate() IS
'Makes an Ed25519 key. See doc/reference.md#answer_key_generate.';

CREATE FUNCTION @extschema@.answer_key_adopt() RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_adopt'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_adopt() IS
'Assigns the folder of the active key to this database, if this database replaces the one that had it: after a restore from a dump or pg_upgrade, for example. See doc/reference.md#answer_key_adopt.';

CREATE FUNCTION @extschema@.answer_key_retire(key_id text, retired_at timestamptz DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_retire'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_retire(text, timestamptz) IS
'Retires the active signing key without a successor: nothing is signed until answer_key_generate(). See doc/reference.md#answer_key_retire.';

CREATE FUNCTION @extschema@.answer_key_compromise(key_id text, compromised_after timestamptz DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_compromise'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_compromise(text, timestamptz) IS
'Declares a key compromised: from now on, everything that it signed is refused, or everything after an instant. See doc/reference.md#answer_key_compromise.';

CREATE FUNCTION @extschema@.answer_key_import_public(public_key text, status @extschema@.answer_key_status DEFAULT 'retired',
	active_from timestamptz DEFAULT NULL, retired_at timestamptz DEFAULT NULL, compromised_after timestamptz DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_import_public'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_import_public(text, @extschema@.answer_key_status, timestamptz, timestamptz, timestamptz) IS
'Registers the public half of a key that signs, or signed, elsewhere, so that answer_verify recognizes it. See doc/reference.md#answer_key_import_public.';

CREATE FUNCTION @extschema@.answer_key_registry() RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'key_id', k.key_id,
		'public_key', pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_'),
		'fingerprint', k.fingerprint,
		'status', k.status,
		'active_from', pg_catalog.to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'retired_at', pg_catalog.to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'compromised_after', pg_catalog.to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
	)) ORDER BY k.active_from NULLS FIRST, k.key_id), '[]')
	FROM answer.signing_key k;
END;
ALTER FUNCTION @extschema@.answer_key_registry() STABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_key_registry() IS
'Returns the public keys of this database''s registry with their life. See doc/reference.md#answer_key_registry.';

CREATE FUNCTION @extschema@.answer_keys(format text DEFAULT 'map') RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE COST 50
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	CASE answer_keys.format
	WHEN 'map' THEN
		RETURN (SELECT COALESCE(jsonb_object_agg(k.key_id, translate(encode(k.public_key, 'base64'), '+/', '-_')), '{}')
			FROM answer.signing_key k);
	WHEN 'jwk' THEN
		RETURN (SELECT jsonb_build_object('keys', COALESCE(jsonb_agg(jsonb_build_object(
				'kty', 'OKP', 'crv', 'Ed25519', 'use', 'sig', 'alg', 'EdDSA',
				'kid', k -> 'key_id', 'x', rtrim(k ->> 'public_key', '='))
				|| (k - '{key_id,public_key,fingerprint}'::text[]) ORDER BY i), '[]'))
			FROM jsonb_array_elements(@extschema@.answer_key_registry()) WITH ORDINALITY AS r (k, i));
	WHEN 'pem' THEN
		-- the key is preceded by the SubjectPublicKeyInfo header of any Ed25519 key (RFC 8410)
		RETURN (SELECT jsonb_build_object('keys', COALESCE(jsonb_object_agg(k.key_id,
				E'-----BEGIN PUBLIC KEY-----\n' || encode(decode('302a300506032b6570032100', 'hex') || k.public_key, 'base64')
				|| E'\n-----END PUBLIC KEY-----\n'), '{}'))
			FROM answer.signing_key k);
	ELSE
		RAISE EXCEPTION USING errcode = 'invalid_parameter_value',
			message = format('unknown format of keys "%s"', answer_keys.format),
			hint = 'It is "map", "jwk" or "pem".';
	END CASE;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_keys(text) IS
'Returns the public keys of this database''s registry in a given format. See doc/reference.md#answer_keys.';

REVOKE ALL ON FUNCTION
	answer.key_guard(),
	@extschema@.answer_key_retire(text, timestamptz),
	@extschema@.answer_key_compromise(text, timestamptz),
	@extschema@.answer_key_import_public(text, @extschema@.answer_key_status, timestamptz, timestamptz, timestamptz),
	@extschema@.answer_keys(text)
FROM PUBLIC;
REVOKE ALL ON FUNCTION
	@extschema@.answer_key_generate(),
	@extschema@.answer_key_adopt(),
	@extschema@.answer_key_registry()
FROM PUBLIC;

CREATE FUNCTION answer.ed25519_verify(public_key bytea, message bytea, signature bytea) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_ed25519_verify'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.ed25519_verify(bytea, bytea, bytea) IS
'Verifies a detached Ed25519 signature (RFC 8032). See doc/reference.md#answered25519_verify.';
