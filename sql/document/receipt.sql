
/* receipt: store and verify */

-- Partitioned by time, so that a year can be taken out; a default partition takes what no other does. receipt_equip()
-- makes a table a partition of receipts.
CREATE TABLE answer.receipt
(
	receipt_id	text NOT NULL,
	schema		text NOT NULL,
	tenant		text NOT NULL DEFAULT '',
	issued_at	timestamptz NOT NULL,
	verdict		text NOT NULL,
	confidence	float8,
	degraded	boolean,
	key_id		text NOT NULL,
	intent		text,
	took		interval,
	cost_usd	numeric,
	body		jsonb NOT NULL,
	given				boolean,
	supported			boolean,
	citation_required	boolean,
	citation_given		boolean,
	contradicted		boolean,
	prevented			boolean,
	unjudged			boolean,
	sentences			integer,
	grounded			integer,
	refusal				text
) PARTITION BY RANGE (issued_at);
COMMENT ON TABLE answer.receipt IS 'Signed documents of every kind, one per row, append-only. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.receipt_id IS 'The prefix of its kind and 16 hex digits derived from the content, such as "ans_0123456789abcdef". See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.schema IS 'Its kind, such as answer/v1 (section 5.2 of doc/spec/document.md lists all); it stays when the document is forgotten. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.issued_at IS 'When it was signed, by the server''s clock. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.verdict IS 'The result of a document of its kind: the composite verdict of an answer, the outcome of an assessment, the action of a change, "detached" for a retention. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.confidence IS 'From 0 to 1. For an answer, its confidence; for a decision with judged passages, how sure the judges are that one answers; for another decision, the similarity of the most similar passage, which says nothing about its truth; NULL: the kind has none. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.degraded IS 'Whether something in an answer is missing or unsure; NULL: the kind has no such value. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.key_id IS 'The key that signed it (answer.signing_key). See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.intent IS 'What it was asked for: the route''s id for an answer to a question, the option for a decision, the plan''s own intent for a plan, the investigation''s for an assessment; NULL: none. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.took IS 'Duration of the call until the document was stored, not signed; NULL: not measured. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.cost_usd IS 'Cost in US dollars, not signed; for a plan, what its steps were charged; NULL: not known. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.given IS 'Whether it answers, rather than refuses, blocks or asks back. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.supported IS 'Whether it answers, cites where it must, is not contradicted, and all its sentences are quoted, supported, or claim nothing. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.citation_required IS 'Whether it gives a text that needs citations. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.citation_given IS 'Whether it answers and cites evidence. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.contradicted IS 'Whether it answers although its own evidence contradicts it. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.prevented IS 'Whether it refuses because of a contradiction, a misquotation or a conflict. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.unjudged IS 'Whether it answers although no judge said that the documents support it. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.sentences IS 'Number of sentences or quotes that it gives; 0 if it refuses. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.grounded IS 'How many of these sentences are quoted, supported, or claim nothing. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.refusal IS 'The reason why it does not answer. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.body IS 'The document as it was signed, or its tombstone (answer/tombstone/v1). See doc/tables.md#answerreceipt.';
REVOKE ALL ON answer.receipt FROM PUBLIC;
-- receipts are repetitive text: lz4, where the server has it, takes a tenth of the time
DO $$
BEGIN
	ALTER TABLE answer.receipt ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
	NULL;
END
$$;

CREATE TABLE answer.receipt_default PARTITION OF answer.receipt DEFAULT;
COMMENT ON TABLE answer.receipt_default IS 'Receipts that belong to no other partition of answer.receipt. See doc/tables.md#answerreceipt_default.';
-- A dump takes rows from the partitions that hold them. Partitions made by answer_receipt_partition() are not members
-- of the extension, so a dump includes the tables themselves as well.
SELECT pg_catalog.pg_extension_config_dump('answer.receipt', '');
SELECT pg_catalog.pg_extension_config_dump('answer.receipt_default', '');

-- No index and no key: every receipt is first inserted here, and sealing reads all rows.
CREATE TABLE answer.unsealed
(
	receipt_id	text NOT NULL,
	issued_at	timestamptz NOT NULL,
	digest		bytea NOT NULL
);
COMMENT ON TABLE answer.unsealed IS 'Receipts that the log has not sequenced yet, one per row; sealing empties it. See doc/tables.md#answerunsealed.';
COMMENT ON COLUMN answer.unsealed.digest IS 'SHA-256 of the canonical receipt with its signature and without an anchor, which becomes the leaf. See doc/tables.md#answerunsealed.';
COMMENT ON COLUMN answer.unsealed.receipt_id IS 'Id of the receipt. See doc/tables.md#answerunsealed.';
COMMENT ON COLUMN answer.unsealed.issued_at IS 'When it was issued. See doc/tables.md#answerunsealed.';
REVOKE ALL ON answer.unsealed FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.unsealed', '');

-- What minting leaves for the roll-up to count (sql/dashboard/rollup.sql).
CREATE TABLE answer.rollup_new
(
	tenant		text NOT NULL DEFAULT '',
	issued_at	timestamptz NOT NULL,
	schema		text NOT NULL,
	verdict		text NOT NULL,
	intent		text,
	key_id		text NOT NULL,
	took		interval,
	cost_usd	numeric,
	confidence	float8,
	given				boolean,
	supported			boolean,
	citation_required	boolean,
	citation_given		boolean,
	contradicted		boolean,
	prevented			boolean,
	unjudged			boolean,
	sentences			integer,
	grounded			integer,
	refusal		text,
	words		jsonb,
	receipt_id	text,
	pairs		text[],
	corrects	smallint
);
COMMENT ON TABLE answer.rollup_new IS 'Documents that were signed and that answer_rollup() has not counted yet, one per row, and corrections for documents that judges have contradicted since. See doc/tables.md#answerrollup_new.';

CREATE FUNCTION answer.append_only() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_append_only'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.append_only() IS
'Trigger, not for direct use, that refuses every change, even by the owner.';
REVOKE ALL ON FUNCTION answer.append_only() FROM PUBLIC;

-- The server copies this trigger to every partition, but not the other one.
CREATE TRIGGER receipt_append_only BEFORE UPDATE OR DELETE ON answer.receipt
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON answer.receipt
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION answer.receipt_equip(partition regclass) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	grantee	oid;
	col		record;
	pol		record;
BEGIN
	-- Not on the parent: otherwise a partition would get indexes as soon as a dump's copy is attached, and these
	-- would be in the way of the dump's own.
	EXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (tenant, receipt_id)', partition);
	EXECUTE format('CREATE INDEX ON %s (issued_at)', partition);
	-- the latest receipts of a tenant that has few among many others
	EXECUTE format('CREATE INDEX ON %s (tenant, issued_at)', partition);
	EXECUTE format('CREATE INDEX ON %s (issued_at) WHERE schema = ''retention/v1''', partition);
	EXECUTE format('CREATE INDEX ON %s (tenant, (body ->> ''kind''), (body ->> ''name''), ((body ->> ''revision'')::int4))'
		' WHERE schema = ''change/v1''', partition);
	-- what a version of a suite was when it was run
	EXECUTE format('CREATE INDEX ON %s (tenant, (body #>> ''{suite,name}''), ((body #>> ''{suite,version}'')::int4), (body #>> ''{suite,digest}''))'
		' WHERE schema = ''run/v1''', partition);
	-- what judges may still be asked about, newest first: answer_judge_pending()
	EXECUTE format('CREATE INDEX ON %s (tenant, issued_at) WHERE schema = ''decision/v1'' AND body -> ''to_judge'' <> ''[]'''
		' OR schema = ''plan/v1'' AND body @? ''$.trace[*].outputs.evidence.to_judge[*]''', partition);
	EXECUTE format('CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s',
		partition, 'answer.append_only()'::regprocedure);
	EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER receipt_no_truncate', partition);
	-- The bodies are in TOAST, so the few pages of the main table do not show how much work a scan is. The table
	-- therefore asks for as many workers as a query may have; max_parallel_workers_per_gather limits them.
	EXECUTE format('ALTER TABLE %s SET (parallel_workers = 64)', partition);
	-- No query plan depends on the content of bodies, and forgotten content must not survive in the planner's
	-- statistics.
	EXECUTE format('ALTER TABLE %s ALTER COLUMN body SET STATISTICS 0', partition);
	FOR col IN
		SELECT attname, col_description(attrelid, attnum) AS comment FROM pg_attribute
		WHERE attrelid = 'answer.receipt'::regclass AND attnum > 0 AND NOT attisdropped
	LOOP
		EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', partition, col.attname, col.comment);
	END LOOP;
	-- the parent's policies apply to queries of the parent, these to queries of the partition itself
	FOR pol IN
		SELECT p.*, (SELECT string_agg(quote_ident(r), ', ') FROM unnest(p.roles) AS r) AS who
		FROM pg_policies p WHERE p.schemaname = 'answer' AND p.tablename = 'receipt'
	LOOP
		EXECUTE format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', pol.policyname, partition, pol.permissive, pol.cmd, pol.who,
			' USING (' || pol.qual || ')', ' WITH CHECK (' || pol.with_check || ')');
	END LOOP;
	IF (SELECT relrowsecurity FROM pg_class WHERE oid = 'answer.receipt'::regclass) THEN
		EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);
	END IF;
	-- privileges are those of the parent; default privileges would add others
	FOR grantee IN
		SELECT DISTINCT a.grantee FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = partition AND a.grantee <> c.relowner
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM %s', partition,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END);
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.receipt_equip(regclass) IS
'Gives a partition of answer.receipt what it does not inherit from the parent: key, indexes, guard against TRUNCATE, planner settings, comments, and the policies of the parent; not for direct use.';
REVOKE ALL ON FUNCTION answer.receipt_equip(regclass) FROM PUBLIC;

ALTER TABLE answer.receipt ALTER COLUMN body SET STATISTICS 0;
SELECT answer.receipt_equip('answer.receipt_default');

CREATE FUNCTION answer.receipt_partition_put(from_instant timestamptz, to_instant timestamptz) RETURNS regclass
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE
	-- bounds at midnight, the usual case, make short names
	pattern		text := CASE WHEN date_trunc('day', from_instant) = from_instant AND date_trunc('day', to_instant) = to_instant
		THEN 'YYYYMMDD' ELSE 'YYYYMMDD"t"HH24MISSUS' END;
	partition	text := format('answer.%I', concat_ws('_', 'receipt', to_char(from_instant, pattern), to_char(to_instant, pattern)));
	moved		bigint;
BEGIN
	IF from_instant IS NULL OR to_instant IS NULL THEN
		RAISE EXCEPTION 'from_instant and to_instant must not be null' USING ERRCODE = '22004';
	END IF;
	IF NOT isfinite(from_instant) OR NOT isfinite(to_instant) OR from_instant >= to_instant OR from_instant < '0001-01-01' THEN
		RAISE EXCEPTION 'a partition cannot have the bounds % and %', from_instant, to_instant
			USING ERRCODE = '22023',
				DETAIL = 'A partition takes the receipts from the first instant up to the second one, but not at the second one.',
				HINT = 'Give two instants of the year 1 or later, the earlier one first.';
	END IF;
	-- the parent first, as sessions that store a receipt do, so that nobody deadlocks
	PERFORM answer.lock_tables('answer.receipt', 'ACCESS EXCLUSIVE', current_setting('lock_timeout'));
	EXECUTE format('CREATE TABLE %s (LIKE answer.receipt INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING GENERATED'
		' INCLUDING STORAGE INCLUDING COMPRESSION)', partition);
	-- The rows for it that are in the DEFAULT partition move along unchanged; otherwise a partition that was made too
	-- late could never be added. No other session sees the guard removed.
	EXECUTE format('INSERT INTO %s SELECT * FROM answer.receipt_default WHERE issued_at >= $1 AND issued_at < $2', partition)
		USING from_instant, to_instant;
	GET DIAGNOSTICS moved = ROW_COUNT;
	IF moved > 0 THEN
		ALTER TABLE answer.receipt_default DISABLE TRIGGER receipt_append_only;
		DELETE FROM answer.receipt_default WHERE issued_at >= from_instant AND issued_at < to_instant;
		ALTER TABLE answer.receipt_default ENABLE ALWAYS TRIGGER receipt_append_only;
		RAISE NOTICE '% receipts moved from the DEFAULT partition to %', moved, partition;
	END IF;
	EXECUTE format('ALTER TABLE answer.receipt ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', partition, from_instant, to_instant);
	PERFORM answer.receipt_equip(partition::regclass);
	RETURN partition::regclass;
END
$$;
COMMENT ON FUNCTION answer.receipt_partition_put(timestamptz, timestamptz) IS
'Creates a partition for answer_receipt_partition(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_receipt_partition(from_instant timestamptz, to_instant timestamptz) RETURNS regclass
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_receipt_partition(timestamptz, timestamptz) IS
'Creates a partition of answer.receipt for receipts issued from the first instant (inclusive) to the second (exclusive), with its key, indexes, guards, and the policies of the table, but no grants of its own. See doc/reference.md#answer_receipt_partition.';
REVOKE ALL ON FUNCTION answer.receipt_partition_put(timestamptz, timestamptz), @extschema@.answer_receipt_partition(timestamptz, timestamptz) FROM PUBLIC;

CREATE TABLE answer.tombstone
(
	digest			text NOT NULL,
	receipt_id		text,
	forgotten_at	timestamptz NOT NULL,
	forgotten_by	text NOT NULL,
	reason			text NOT NULL,
	body			jsonb NOT NULL,
	tenant			text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, digest)
);
COMMENT ON TABLE answer.tombstone IS 'Forgotten receipts and evidence, one per row, by digest. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.digest IS 'Digest of the receipt as it was issued, or of the evidence. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.receipt_id IS 'The forgotten receipt; NULL: it was evidence. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.body IS 'The signed tombstone (answer/tombstone/v1); for a receipt, the same as its present body. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.forgotten_at IS 'When it was forgotten, by the server''s clock. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.forgotten_by IS 'Name of the session''s role that called answer_forget(). See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.reason IS 'The reason that was given. See doc/tables.md#answertombstone.';
REVOKE ALL ON answer.tombstone FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.tombstone', '');
CREATE TRIGGER tombstone_append_only BEFORE UPDATE OR DELETE ON answer.tombstone
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tombstone_no_truncate BEFORE TRUNCATE ON answer.tombstone
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION @extschema@.answer_forget(target text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_forget'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_forget(text, text) IS
'Erases a receipt''s body, or evidence with every receipt that carries it, or a document with all its versions and chunks and every receipt that quotes it, and leaves signed tombstones. See doc/reference.md#answer_forget.';

CREATE FUNCTION @extschema@.answer_tombstone_add(digest text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tombstone_add'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_tombstone_add(text, text) IS
'Forgets evidence as answer_forget() does, and leaves a signed tombstone. See doc/reference.md#answer_tombstone_add.';

CREATE FUNCTION answer.refuse_forgotten(tenant text, digest text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_refuse_forgotten'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.refuse_forgotten(text, text) IS
'For functions that store evidence: prevents the tenant from forgetting what has this digest until the transaction ends. See doc/reference.md#answerrefuse_forgotten.';

CREATE FUNCTION answer.keep_unforgotten(tenant text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_keep_unforgotten'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10;
COMMENT ON FUNCTION answer.keep_unforgotten(text) IS
'Prevents anything of a tenant from being forgotten until the transaction ends; not for direct use.';
REVOKE ALL ON FUNCTION @extschema@.answer_forget(text, text), @extschema@.answer_tombstone_add(text, text),
	answer.refuse_forgotten(text, text), answer.keep_unforgotten(text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_dsse(receipt_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_dsse'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 2000;
COMMENT ON FUNCTION @extschema@.answer_dsse(text) IS
'Returns a stored receipt as a DSSE envelope. See doc/reference.md#answer_dsse.';
REVOKE ALL ON FUNCTION @extschema@.answer_dsse(text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_verify(receipt jsonb, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_jsonb'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

CREATE FUNCTION @extschema@.answer_verify(receipt text, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION @extschema@.answer_verify(jsonb, jsonb) IS
'Verifies a receipt given as jsonb: see answer_verify(text, jsonb). See doc/reference.md#answer_verify.';
COMMENT ON FUNCTION @extschema@.answer_verify(text, jsonb) IS
'Verifies a receipt of any kind. See doc/reference.md#answer_verify.';

CREATE FUNCTION @extschema@.answer_verify_ok(receipt jsonb, keys jsonb DEFAULT NULL) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_verify_ok_jsonb'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

CREATE FUNCTION @extschema@.answer_verify_ok(receipt text, keys jsonb DEFAULT NULL) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_verify_ok_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION @extschema@.answer_verify_ok(jsonb, jsonb) IS
'Returns whether a receipt given as jsonb verifies: see answer_verify_ok(text, jsonb). See doc/reference.md#answer_verify_ok.';
COMMENT ON FUNCTION @extschema@.answer_verify_ok(text, jsonb) IS
'Returns whether a receipt verifies: the "ok" of answer_verify(text, jsonb), without the report; it stops at the first step that fails. See doc/reference.md#answer_verify_ok.';

CREATE VIEW answer.change AS
SELECT r.body OPERATOR(pg_catalog.->>) 'kind' AS kind, r.body OPERATOR(pg_catalog.->>) 'name' AS name,
	(r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 AS revision, r.body OPERATOR(pg_catalog.->>) 'action' AS action,
	r.issued_at, r.receipt_id, r.body OPERATOR(pg_catalog.->>) 'before' AS before_digest,
	NULLIF(r.body OPERATOR(pg_catalog.->) 'after', 'null') AS after,
	@extschema@.answer_digest(NULLIF(r.body OPERATOR(pg_catalog.->) 'after', 'null')) AS after_digest, r.tenant
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1';
COMMENT ON VIEW answer.change IS 'Records (change/v1) of changes to keys and configuration, one per row. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.kind IS 'Kind of thing that changed, as in answer.change_state. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.name IS 'Name of the thing that changed, as in answer.change_state. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.revision IS 'Number of the record among those of this name, from 1; the highest is the newest. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.action IS 'add, change or remove; for a key, generate, import, retire or compromise. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.issued_at IS 'When the record was signed. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.receipt_id IS 'Id of the record, "chg_...", for answer_receipt(). See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.before_digest IS 'Digest of the state before; NULL: there was none, or it had been removed. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.after IS 'The state after the change; NULL: removed. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.after_digest IS 'answer_digest(after). See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.tenant IS 'Owner of the thing that changed: a tenant, or empty for the operator, whose things all tenants share. See doc/tables.md#answerchange.';
