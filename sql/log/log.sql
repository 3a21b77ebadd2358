
/* log: the transparency log over receipts */

-- Nothing below is ever changed or deleted: see answer.append_only().

CREATE TABLE answer.log_leaf
(
	leaf_index	bigint PRIMARY KEY CHECK (leaf_index OPERATOR(pg_catalog.>=) 0),
	issued_at	timestamptz NOT NULL,
	receipt_id	text NOT NULL,
	digest		bytea NOT NULL CHECK (pg_catalog.length(digest) OPERATOR(pg_catalog.=) 32),
	-- An id is a hash, so every sealing would write all over an index on it alone. With the instant in front, sealing
	-- only adds to the end of the index.
	UNIQUE (issued_at, receipt_id)
);
COMMENT ON TABLE answer.log_leaf IS 'Receipts in the order of the log, one leaf per row. See doc/tables.md#answerlog_leaf.';
COMMENT ON COLUMN answer.log_leaf.digest IS 'SHA-256 of the canonical receipt without its anchor: the data of the leaf. See doc/tables.md#answerlog_leaf.';
COMMENT ON COLUMN answer.log_leaf.leaf_index IS 'Position in the log, from 0. See doc/tables.md#answerlog_leaf.';
COMMENT ON COLUMN answer.log_leaf.issued_at IS 'When the receipt was issued. See doc/tables.md#answerlog_leaf.';
COMMENT ON COLUMN answer.log_leaf.receipt_id IS 'Id of the receipt. See doc/tables.md#answerlog_leaf.';

CREATE TABLE answer.log_tile
(
	level	smallint NOT NULL,
	tile	bigint NOT NULL,
	hashes	bytea NOT NULL CHECK (pg_catalog.length(hashes) OPERATOR(pg_catalog.=) 1024),
	PRIMARY KEY (level, tile)
);
COMMENT ON TABLE answer.log_tile IS 'Complete groups of 32 node hashes of the Merkle tree, one tile per row, 5 tree levels apart: level 0 has leaf hashes, level 1 the roots of 32 leaves each. See doc/tables.md#answerlog_tile.';
COMMENT ON COLUMN answer.log_tile.level IS 'Level of the tile; 0 has leaf hashes. See doc/tables.md#answerlog_tile.';
COMMENT ON COLUMN answer.log_tile.tile IS 'Number of the tile on its level, from 0. See doc/tables.md#answerlog_tile.';
COMMENT ON COLUMN answer.log_tile.hashes IS '32 hashes of 32 bytes, concatenated. See doc/tables.md#answerlog_tile.';

CREATE TABLE answer.checkpoint
(
	tree_size		bigint PRIMARY KEY CHECK (tree_size OPERATOR(pg_catalog.>=) 0),
	previous_size	bigint CHECK (previous_size OPERATOR(pg_catalog.<) tree_size),
	origin			text NOT NULL,
	root_hash		bytea NOT NULL CHECK (pg_catalog.length(root_hash) OPERATOR(pg_catalog.=) 32),
	edge			bytea NOT NULL,
	key_id			text NOT NULL,
	sealed_at		timestamptz NOT NULL,
	note			bytea NOT NULL
);
-- which keys have signed here
CREATE INDEX checkpoint_key_id ON answer.checkpoint (key_id);
COMMENT ON TABLE answer.checkpoint IS 'Signed states of the log, one per sealing. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.previous_size IS 'Size of the previous checkpoint; NULL: this is the first. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.edge IS 'Node hashes that are in no complete tile, level by level: (tree_size >> 5 * level) mod 32 of each. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.note IS 'The signed note (C2SP tlog-checkpoint), in UTF-8 whatever the encoding of the database. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.tree_size IS 'Number of leaves. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.origin IS 'Name of the log. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.root_hash IS 'Root hash of the tree, 32 bytes. See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.key_id IS 'The key that signed it (answer.signing_key). See doc/tables.md#answercheckpoint.';
COMMENT ON COLUMN answer.checkpoint.sealed_at IS 'When the log was sealed, by the server''s clock. See doc/tables.md#answercheckpoint.';

CREATE TABLE answer.cosignature
(
	tree_size	bigint NOT NULL,
	line		bytea NOT NULL,
	vkey		text NOT NULL,
	added_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	PRIMARY KEY (tree_size, line)
);
COMMENT ON TABLE answer.cosignature IS 'Signature lines by witnesses for our checkpoints, one per row. See doc/tables.md#answercosignature.';
COMMENT ON COLUMN answer.cosignature.tree_size IS 'The checkpoint that was cosigned. See doc/tables.md#answercosignature.';
COMMENT ON COLUMN answer.cosignature.line IS 'Signature line of the witness, in UTF-8, without the newline. See doc/tables.md#answercosignature.';
COMMENT ON COLUMN answer.cosignature.vkey IS 'Verifier key of the witness. See doc/tables.md#answercosignature.';
COMMENT ON COLUMN answer.cosignature.added_at IS 'When the line was added here. See doc/tables.md#answercosignature.';

CREATE TABLE answer.witness_key
(
	vkey		text PRIMARY KEY,
	origin		text NOT NULL,
	trusted_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE answer.witness_key IS 'Verifier keys of other logs whose checkpoints this database witnesses, one per row. See doc/tables.md#answerwitness_key.';
COMMENT ON COLUMN answer.witness_key.vkey IS 'Verifier key of the other log. See doc/tables.md#answerwitness_key.';
COMMENT ON COLUMN answer.witness_key.origin IS 'Name of the other log. See doc/tables.md#answerwitness_key.';
COMMENT ON COLUMN answer.witness_key.trusted_at IS 'When answer_witness_trust() was called. See doc/tables.md#answerwitness_key.';

CREATE TABLE answer.witness_checkpoint
(
	origin			text NOT NULL,
	tree_size		bigint NOT NULL,
	root_hash		bytea NOT NULL CHECK (pg_catalog.length(root_hash) OPERATOR(pg_catalog.=) 32),
	note			bytea NOT NULL,
	witnessed_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	PRIMARY KEY (origin, tree_size)
);
COMMENT ON TABLE answer.witness_checkpoint IS 'Checkpoints of other logs that this database has cosigned, one per row. See doc/tables.md#answerwitness_checkpoint.';
COMMENT ON COLUMN answer.witness_checkpoint.origin IS 'Name of the other log. See doc/tables.md#answerwitness_checkpoint.';
COMMENT ON COLUMN answer.witness_checkpoint.tree_size IS 'Number of its leaves. See doc/tables.md#answerwitness_checkpoint.';
COMMENT ON COLUMN answer.witness_checkpoint.root_hash IS 'Root hash of its tree, 32 bytes. See doc/tables.md#answerwitness_checkpoint.';
COMMENT ON COLUMN answer.witness_checkpoint.note IS 'Its signed note as received, in UTF-8 whatever the encoding of the database. See doc/tables.md#answerwitness_checkpoint.';
COMMENT ON COLUMN answer.witness_checkpoint.witnessed_at IS 'When this database cosigned it. See doc/tables.md#answerwitness_checkpoint.';

CREATE TABLE answer.log_audit
(
	audited_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	from_size	bigint NOT NULL,
	to_size		bigint NOT NULL,
	root_hash	bytea NOT NULL,
	defects		bigint NOT NULL
);
COMMENT ON TABLE answer.log_audit IS 'Finished audits, one per row; an incremental audit continues where the last clean one ended. See doc/tables.md#answerlog_audit.';
COMMENT ON COLUMN answer.log_audit.from_size IS 'Leaf at which the audit began. See doc/tables.md#answerlog_audit.';
COMMENT ON COLUMN answer.log_audit.to_size IS 'Number of leaves at which the audit ended. See doc/tables.md#answerlog_audit.';
COMMENT ON COLUMN answer.log_audit.root_hash IS 'Root hash of the log at that size, 32 bytes. See doc/tables.md#answerlog_audit.';
COMMENT ON COLUMN answer.log_audit.defects IS 'Number of findings that are defects; 0 is a clean audit. See doc/tables.md#answerlog_audit.';
COMMENT ON COLUMN answer.log_audit.audited_at IS 'When the audit ended, by the server''s clock. See doc/tables.md#answerlog_audit.';
CREATE INDEX log_audit_clean ON answer.log_audit (to_size) WHERE defects OPERATOR(pg_catalog.=) 0;

-- Hashes do not compress, so trying is a waste of time.
ALTER TABLE answer.log_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;
ALTER TABLE answer.checkpoint ALTER COLUMN edge SET STORAGE EXTERNAL;

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['log_leaf', 'log_tile', 'checkpoint', 'cosignature', 'witness_checkpoint', 'log_audit', 'witness_key'] LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON answer.%I FROM PUBLIC', name);
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), '');
		-- trust in others can change
		CONTINUE WHEN name OPERATOR(pg_catalog.=) 'witness_key';
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_append_only BEFORE UPDATE OR DELETE ON answer.%1$s'
			' FOR EACH ROW EXECUTE FUNCTION answer.append_only()', name);
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_no_truncate BEFORE TRUNCATE ON answer.%1$s'
			' FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only()', name);
	END LOOP;
END
$$;

/* the log */

CREATE FUNCTION @extschema@.answer_log_seal() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_log_seal'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_log_seal() IS
'Adds every committed receipt that is not in the log yet to the Merkle tree (RFC 6962), in the order of issued_at and receipt id, and signs a checkpoint of the tree. See doc/reference.md#answer_log_seal.';

CREATE FUNCTION @extschema@.answer_checkpoint(tree_size bigint DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_checkpoint'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_checkpoint(bigint) IS
'Returns a checkpoint, by default the newest: a signed note (C2SP tlog-checkpoint) with the origin, the number of leaves, the root hash, our Ed25519 signature and the cosignatures added later. See doc/reference.md#answer_checkpoint.';

CREATE FUNCTION @extschema@.answer_log_inclusion(receipt_id text, tree_size bigint DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_log_inclusion'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_log_inclusion(text, bigint) IS
'Returns a proof that a receipt is in the log (RFC 9162, 2.1.3). See doc/reference.md#answer_log_inclusion.';

CREATE FUNCTION @extschema@.answer_log_consistency(from_size bigint, to_size bigint DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_log_consistency'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_log_consistency(bigint, bigint) IS
'Returns a proof that the tree of to_size leaves begins with the tree of from_size leaves (RFC 9162, 2.1.4). See doc/reference.md#answer_log_consistency.';

CREATE FUNCTION @extschema@.answer_checkpoint_request(old_size bigint) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_checkpoint_request'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_checkpoint_request(bigint) IS
'Returns what a witness needs to cosign the newest checkpoint. See doc/reference.md#answer_checkpoint_request.';

CREATE FUNCTION @extschema@.answer_log_vkey(key_id text DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_log_vkey'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_log_vkey(text) IS
'Returns the verifier key of this log, "name+hash+key" (C2SP signed-note), with which anybody can verify its checkpoints. See doc/reference.md#answer_log_vkey.';

CREATE FUNCTION @extschema@.answer_witness_vkey(key_id text DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_witness_vkey'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_witness_vkey(text) IS
'Returns the verifier key of this database as a witness (C2SP tlog-cosignature); like answer_log_vkey, but for cosignatures. See doc/reference.md#answer_witness_vkey.';

CREATE FUNCTION @extschema@.answer_witness_trust(vkey text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_witness_trust'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_witness_trust(text) IS
'Makes this database a witness that cosigns the checkpoints of another log: it trusts a verifier key for the origin that the key names. See doc/reference.md#answer_witness_trust.';

CREATE FUNCTION @extschema@.answer_checkpoint_cosign(request text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_checkpoint_cosign'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_checkpoint_cosign(text) IS
'Cosigns a checkpoint of another log as a witness (C2SP tlog-witness, tlog-cosignature), if that log has only grown since the last checkpoint cosigned here. See doc/reference.md#answer_checkpoint_cosign.';

CREATE FUNCTION @extschema@.answer_cosignature_add(tree_size bigint, cosignature text, vkey text) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_cosignature_add'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_cosignature_add(bigint, text, text) IS
'Adds a witness''s signature line to our checkpoint of that size. See doc/reference.md#answer_cosignature_add.';

CREATE FUNCTION @extschema@.answer_log_compare(checkpoint text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_log_compare'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_log_compare(text) IS
'Compares a checkpoint that somebody kept with this log. See doc/reference.md#answer_log_compare.';

CREATE TYPE @extschema@.answer_log_finding AS ENUM ('changed', 'missing', 'reordered', 'extra', 'key', 'catalog', 'configuration', 'forgotten', 'detached');
COMMENT ON TYPE @extschema@.answer_log_finding IS 'Kind of finding of an audit of the log; all but the last two are defects.';

CREATE FUNCTION @extschema@.answer_log_audit(from_size bigint DEFAULT 0, to_size bigint DEFAULT NULL, incremental boolean DEFAULT false,
	OUT leaf_index bigint, OUT receipt_id text, OUT finding @extschema@.answer_log_finding, OUT detail text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'answer_eval_log_audit'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000 ROWS 10;
COMMENT ON FUNCTION @extschema@.answer_log_audit(bigint, bigint, boolean) IS
'Audits everything that a verdict can rest on, from the beginning unless arguments say otherwise. See doc/reference.md#answer_log_audit.';

CREATE FUNCTION answer.catalog(OUT object text, OUT state text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'answer_eval_catalog'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100000 ROWS 700;
COMMENT ON FUNCTION answer.catalog() IS
'Returns the extension''s own objects from the catalog of this database, in the form in which answer_log_audit compares them with what was shipped. See doc/reference.md#answercatalog.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_log_seal(),
	@extschema@.answer_checkpoint(bigint),
	@extschema@.answer_log_inclusion(text, bigint),
	@extschema@.answer_log_consistency(bigint, bigint),
	@extschema@.answer_checkpoint_request(bigint),
	@extschema@.answer_log_vkey(text),
	@extschema@.answer_witness_vkey(text),
	@extschema@.answer_witness_trust(text),
	@extschema@.answer_checkpoint_cosign(text),
	@extschema@.answer_cosignature_add(bigint, text, text),
	@extschema@.answer_log_compare(text),
	@extschema@.answer_log_audit(bigint, bigint, boolean),
	answer.catalog()
FROM PUBLIC;

/* verifying, using only what is given */

CREATE FUNCTION @extschema@.answer_log_verify(proof jsonb, receipt jsonb DEFAULT NULL, vkeys text[] DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_log_verify'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_log_verify(jsonb, jsonb, text[]) IS
'Verifies a proof of answer_log_inclusion or answer_log_consistency (RFC 9162), and the checkpoint in it. See doc/reference.md#answer_log_verify.';

CREATE FUNCTION @extschema@.answer_checkpoint_verify(checkpoint text, vkeys text[] DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_checkpoint_verify'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_checkpoint_verify(text, text[]) IS
'Verifies a checkpoint (C2SP tlog-checkpoint, signed-note, tlog-cosignature). See doc/reference.md#answer_checkpoint_verify.';

CREATE FUNCTION answer.merkle_leaf_hash(data bytea) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_merkle_leaf_hash'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.merkle_leaf_hash(bytea) IS
'Returns the hash of a leaf: SHA-256 over a zero byte and the data (RFC 6962, 2.1). See doc/reference.md#answermerkle_leaf_hash.';

CREATE FUNCTION @extschema@.answer_verify(receipt jsonb, keys jsonb, inclusion jsonb, vkeys text[] DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_final_jsonb'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;

CREATE FUNCTION @extschema@.answer_verify(receipt text, keys jsonb, inclusion jsonb, vkeys text[] DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_final_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION @extschema@.answer_verify(jsonb, jsonb, jsonb, text[]) IS
'Verifies a receipt given as jsonb and requires an inclusion proof: see answer_verify(text, jsonb, jsonb, text[]). See doc/reference.md#answer_verify.';
COMMENT ON FUNCTION @extschema@.answer_verify(text, jsonb, jsonb, text[]) IS
'Verifies a receipt as answer_verify(text, jsonb) does, and requires a proof that it is in the log; without that proof, a receipt can still be rolled back. See doc/reference.md#answer_verify.';

CREATE FUNCTION answer.merkle_inclusion(leaf_index bigint, tree_size bigint, leaf_hash bytea, root_hash bytea, proof bytea[]) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_merkle_inclusion'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.merkle_inclusion(bigint, bigint, bytea, bytea, bytea[]) IS
'Verifies an inclusion proof (RFC 9162, 2.1.3.2). See doc/reference.md#answermerkle_inclusion.';

CREATE FUNCTION answer.merkle_consistency(from_size bigint, to_size bigint, from_root bytea, to_root bytea, proof bytea[]) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_merkle_consistency'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.merkle_consistency(bigint, bigint, bytea, bytea, bytea[]) IS
'Verifies a consistency proof (RFC 9162, 2.1.4.2). See doc/reference.md#answermerkle_consistency.';

CREATE FUNCTION @extschema@.answer_receipt_detach(partition regclass) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_receipt_detach'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_receipt_detach(regclass) IS
'Takes a partition out of answer.receipt, and signs a document (retention/v1) that names the leaves of its receipts in the log, which the audit then reports as detached and not as missing. See doc/reference.md#answer_receipt_detach.';
REVOKE ALL ON FUNCTION @extschema@.answer_receipt_detach(regclass) FROM PUBLIC;
