
/* timestamp: RFC 3161 anchors */

CREATE TABLE answer.anchor_request
(
	receipt_id		text NOT NULL,
	nonce			text NOT NULL,
	policy			text,
	requested_at	timestamptz NOT NULL,
	tenant			text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, receipt_id, nonce)
);
COMMENT ON TABLE answer.anchor_request IS 'Requests for time-stamps, one per row, append-only; a token for a receipt with requests must answer one of them. See doc/tables.md#answeranchor_request.';
COMMENT ON COLUMN answer.anchor_request.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answeranchor_request.';
COMMENT ON COLUMN answer.anchor_request.nonce IS 'Nonce, as 0x and hex digits, the form that answer_anchor_verify reports and takes. See doc/tables.md#answeranchor_request.';
COMMENT ON COLUMN answer.anchor_request.policy IS 'The requested policy, a dotted object identifier; NULL: the authority''s own. See doc/tables.md#answeranchor_request.';
COMMENT ON COLUMN answer.anchor_request.receipt_id IS 'The receipt. See doc/tables.md#answeranchor_request.';
COMMENT ON COLUMN answer.anchor_request.requested_at IS 'When answer_anchor_request() was called. See doc/tables.md#answeranchor_request.';

CREATE TABLE answer.anchor
(
	receipt_id		text NOT NULL,
	token_digest	text NOT NULL,
	token			bytea NOT NULL,
	imprint			bytea NOT NULL CHECK (pg_catalog.length(imprint) OPERATOR(pg_catalog.=) 32),
	attached_at		timestamptz NOT NULL CHECK (pg_catalog.isfinite(attached_at)),
	tenant			text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, receipt_id, token_digest)
);
COMMENT ON TABLE answer.anchor IS 'Time-stamp tokens (RFC 3161) over receipts, one per row, append-only. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.token_digest IS 'Identity of the token: a SHA-256 over the SHA-256 of the signer''s public key and that of the signed TSTInfo, so that the same token is one row, whatever its unsigned bytes. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.imprint IS 'SHA-256 of the canonical receipt with its signature and without an anchor. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.receipt_id IS 'The receipt. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.token IS 'The TimeStampToken, in DER. See doc/tables.md#answeranchor.';
COMMENT ON COLUMN answer.anchor.attached_at IS 'When it was attached, by the server''s clock. See doc/tables.md#answeranchor.';

REVOKE ALL ON answer.anchor_request, answer.anchor FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.anchor_request', '');
SELECT pg_catalog.pg_extension_config_dump('answer.anchor', '');

CREATE TRIGGER anchor_request_append_only BEFORE UPDATE OR DELETE ON answer.anchor_request
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER anchor_request_no_truncate BEFORE TRUNCATE ON answer.anchor_request
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER anchor_append_only BEFORE UPDATE OR DELETE ON answer.anchor
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER anchor_no_truncate BEFORE TRUNCATE ON answer.anchor
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION @extschema@.answer_anchor_request(receipt_id text, policy text DEFAULT NULL) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_anchor_request'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_anchor_request(text, text) IS
'Makes a request for a time-stamp over a stored receipt. See doc/reference.md#answer_anchor_request.';

CREATE FUNCTION @extschema@.answer_anchor_attach(receipt_id text, token bytea) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_anchor_attach'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_anchor_attach(text, bytea) IS
'Attaches a time-stamp to a stored receipt, after checking everything that can be checked without trusted roots. See doc/reference.md#answer_anchor_attach.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_anchor_request(text, text),
	@extschema@.answer_anchor_attach(text, bytea)
FROM PUBLIC;

CREATE FUNCTION answer.anchor(token bytea, imprint bytea, attached_at timestamptz) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_anchor'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.anchor(bytea, bytea, timestamptz) IS
'Returns the anchor of a receipt, made of the columns of answer.anchor; checks nothing. See doc/reference.md#answeranchor.';

CREATE FUNCTION answer.receipt_of(tenants text[], receipt_id text, issued_at timestamptz) RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE((
		SELECT r.body OPERATOR(pg_catalog.||) COALESCE((
			SELECT pg_catalog.jsonb_build_object('anchor', answer.anchor(a.token, a.imprint, a.attached_at))
			FROM answer.anchor a
			WHERE a.tenant OPERATOR(pg_catalog.=) r.tenant AND a.receipt_id OPERATOR(pg_catalog.=) r.receipt_id
			-- a tombstone's signature covers everything in it
			AND r.body OPERATOR(pg_catalog.->>) 'schema' OPERATOR(pg_catalog.=) r.schema
			ORDER BY a.attached_at DESC, a.token_digest LIMIT 1), '{}')
		FROM answer.receipt r
		WHERE r.tenant OPERATOR(pg_catalog.=) ANY (receipt_of.tenants)
		AND r.receipt_id OPERATOR(pg_catalog.=) receipt_of.receipt_id
		-- written so that the server prunes the partitions that cannot have it
		AND r.issued_at OPERATOR(pg_catalog.>=) COALESCE(receipt_of.issued_at, '-infinity')
		AND r.issued_at OPERATOR(pg_catalog.<=) COALESCE(receipt_of.issued_at, 'infinity')
		LIMIT 1),
		-- the log does not say who owned a missing receipt, so only roles that read all tenants are told
		CASE WHEN '' OPERATOR(pg_catalog.=) ANY (receipt_of.tenants)
		THEN answer.refuse_detached(receipt_of.receipt_id, receipt_of.issued_at) END);
END;
ALTER FUNCTION answer.receipt_of(text[], text, timestamptz) STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.receipt_of(text[], text, timestamptz) IS
'Reads a receipt for answer_receipt(), with the caller''s privileges as it determined them; not for direct use.';
REVOKE ALL ON FUNCTION answer.receipt_of(text[], text, timestamptz) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_receipt(receipt_id text, issued_at timestamptz DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_receipt(text, timestamptz) IS
'Returns a stored receipt, with the anchor that was attached last, if any. See doc/reference.md#answer_receipt.';
REVOKE ALL ON FUNCTION @extschema@.answer_receipt(text, timestamptz) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_anchor_verify(receipt jsonb, roots text DEFAULT NULL, at timestamptz DEFAULT NULL, nonce text DEFAULT NULL, policy text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_anchor_verify_jsonb'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;

CREATE FUNCTION @extschema@.answer_anchor_verify(receipt text, roots text DEFAULT NULL, at timestamptz DEFAULT NULL, nonce text DEFAULT NULL, policy text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_anchor_verify_json'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION @extschema@.answer_anchor_verify(jsonb, text, timestamptz, text, text) IS
'Verifies the anchor of a receipt given as jsonb: see answer_anchor_verify(text, text, timestamptz, text, text). See doc/reference.md#answer_anchor_verify.';
COMMENT ON FUNCTION @extschema@.answer_anchor_verify(text, text, timestamptz, text, text) IS
'Verifies the anchor of a receipt (RFC 3161 with RFC 5816) from these two alone; to verify the receipt itself, see answer_verify. See doc/reference.md#answer_anchor_verify.';
