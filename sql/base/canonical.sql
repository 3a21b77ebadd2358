
/* canonical: canonical JSON, portable numbers, digest; doc/spec/document.md section 2 to section 4 */

CREATE FUNCTION @extschema@.answer_canonical(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_canonical(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_canonical(jsonb) IS
'Returns the canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact). See doc/reference.md#answer_canonical.';
COMMENT ON FUNCTION @extschema@.answer_canonical(text) IS
'Returns the canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact): keys in code-point order, no white space, everything outside printable ASCII escaped, numbers verbatim. See doc/reference.md#answer_canonical.';

CREATE FUNCTION @extschema@.answer_digest(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_digest(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_digest(jsonb) IS
'Returns the digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(jsonb). See doc/reference.md#answer_digest.';
COMMENT ON FUNCTION @extschema@.answer_digest(text) IS
'Returns the digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(text). See doc/reference.md#answer_digest.';

CREATE FUNCTION answer.portable(document jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_portable'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION answer.portable(jsonb) IS
'Rewrites the numbers of a document so that every language prints them alike. See doc/reference.md#answerportable.';

-- The content of a document is not trusted. Control characters could steer a terminal, and invisible ones could
-- deceive a reader, so a text with any of them is shown in canonical form, where they are escaped. Code points are
-- those of the server's encoding; even where 0x80 to 0x9f are letters, they are escaped.
CREATE FUNCTION @extschema@.answer_readable(value jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 20
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- compute only what is shown
	line text := left(COALESCE(value #>> '{}', 'null'), 201);
BEGIN
	IF line COLLATE "C" ~ E'[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e007f]' THEN
		line := @extschema@.answer_canonical(to_jsonb(line));
	END IF;
	RETURN CASE WHEN length(line) > 200 THEN left(line, 197) || '...' ELSE line END;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_readable(jsonb) IS
'Returns a JSON value as a line that a person can read and a terminal can safely print. See doc/reference.md#answer_readable.';
