
/* canonical: canonical JSON, portable numbers, digest */

CREATE FUNCTION @extschema@.answer_canonical(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_canonical(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_canonical(jsonb) IS
'Canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact). Argument: jsonb; numbers are written as jsonb prints them. Result: ASCII text. Errors: 22021 for bytes that are not UTF-8 in a SQL_ASCII database, 54000 for more than 134217728 bytes, given or to be written, 54001 when nested too deeply.';
COMMENT ON FUNCTION @extschema@.answer_canonical(text) IS
'Canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact): keys in code-point order, no white space, everything outside printable ASCII escaped, numbers verbatim. Argument: text, which is parsed as json; number literals are kept as written. Result: ASCII text. Errors: 22P02 for text that is not JSON and for half a surrogate pair, 22P05 for \u0000, 22021 for bytes that are not UTF-8 in a SQL_ASCII database, 54000 for more than 16777216 bytes, 54001 when nested too deeply. A member twice in one object keeps its last value.';

CREATE FUNCTION @extschema@.answer_digest(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_digest(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_digest(jsonb) IS
'Digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(jsonb). Argument: jsonb. Result: text of 71 characters. Errors: as answer_canonical(jsonb).';
COMMENT ON FUNCTION @extschema@.answer_digest(text) IS
'Digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(text). Argument: text, which is parsed as json. Result: text of 71 characters. Errors: as answer_canonical(text).';

CREATE FUNCTION answer.portable(document jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_portable'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION answer.portable(jsonb) IS
'Rewrites the numbers of a document so that every language prints them alike: integers of magnitude up to 2^53-1 plainly, other numbers as their plain decimal text if that is the shortest that reads back as the nearest double and 1e-4 <= |x| < 1e16, all others as a string with their exact decimal text. Argument: jsonb. Result: jsonb; idempotent. Errors: 54000 for more than 16777216 bytes, or numbers that become strings of more than 134217728 bytes in all, 54001 when nested too deeply.';
