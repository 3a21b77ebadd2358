
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
