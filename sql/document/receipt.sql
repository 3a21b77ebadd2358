
/* receipt: store and verify */

-- By time, so that a year can be taken away; with one partition that takes what no
-- other one does.  What makes a table a partition of receipts is done to it by
-- receipt_equip().
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
COMMENT ON TABLE answer.receipt IS 'Every document that was signed, of whatever kind, append-only. See doc/tables.md#answerreceipt.';
COMMENT ON COLUMN answer.receipt.receipt_id IS 'The prefix of its kind and 16 hex digits that follow from the content, such as "ans_0123456789abcdef".';
COMMENT ON COLUMN answer.receipt.schema IS 'Its kind, such as answer/v1 (doc/spec/document.md has all of them, in section 5.2); it stays when the document is forgotten.';
COMMENT ON COLUMN answer.receipt.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.receipt.issued_at IS 'When it was signed, by the clock of the server.';
COMMENT ON COLUMN answer.receipt.verdict IS 'The word that its kind comes to: the composite verdict of an answer, the outcome of an assessment, the action of a change, "detached" of a retention.';
COMMENT ON COLUMN answer.receipt.confidence IS 'Of an answer, from 0 to 1; of a decision whose passages were judged how sure the judges are that one answers, of another how similar the most similar passage is, which says nothing of its truth; NULL: the kind has none.';
COMMENT ON COLUMN answer.receipt.degraded IS 'Of an answer, whether something of it is missing or unsure; NULL: the kind has none.';
COMMENT ON COLUMN answer.receipt.key_id IS 'The key that signed it: answer.signing_key.';
COMMENT ON COLUMN answer.receipt.intent IS 'What it was asked for: of an answer to a question, the id of its route; of a decision, the option; of a plan, its own; of an assessment, that of its investigation; NULL: none.';
COMMENT ON COLUMN answer.receipt.took IS 'How long the call took up to storing it, not signed; NULL: not measured.';
COMMENT ON COLUMN answer.receipt.cost_usd IS 'What it cost in US dollars, not signed: of a plan, what its steps were charged; NULL: not known.';
COMMENT ON COLUMN answer.receipt.given IS 'Does it answer, rather than refuse, block or ask back?';
COMMENT ON COLUMN answer.receipt.supported IS 'Does it answer, cite where it must, is not contradicted, and has no sentence but such as are quoted, supported, or claim nothing?';
COMMENT ON COLUMN answer.receipt.citation_required IS 'Does it give a text that needs citations?';
COMMENT ON COLUMN answer.receipt.citation_given IS 'Does it answer and cite evidence?';
COMMENT ON COLUMN answer.receipt.contradicted IS 'Does it answer although its own evidence contradicts it?';
COMMENT ON COLUMN answer.receipt.prevented IS 'Does it refuse because of a contradiction, a misquotation or a conflict?';
COMMENT ON COLUMN answer.receipt.unjudged IS 'Does it answer without a judge having said that the documents say so?';
COMMENT ON COLUMN answer.receipt.sentences IS 'How many sentences or quotes it gives; 0 where it refuses.';
COMMENT ON COLUMN answer.receipt.grounded IS 'How many of these are quoted, supported, or claim nothing.';
COMMENT ON COLUMN answer.receipt.refusal IS 'The reason that decided that it does not answer.';
COMMENT ON COLUMN answer.receipt.body IS 'The document as it was signed, or its tombstone (answer/tombstone/v1).';
REVOKE ALL ON answer.receipt FROM PUBLIC;
-- receipts are repetitive text: lz4 takes a tenth of the time, where the server has it
DO $$
BEGIN
	ALTER TABLE answer.receipt ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
	NULL;
END
$$;

CREATE TABLE answer.receipt_default PARTITION OF answer.receipt DEFAULT;
COMMENT ON TABLE answer.receipt_default IS 'The receipts that no other partition of answer.receipt takes. See doc/tables.md#answerreceipt_default.';
-- A dump takes rows from the partitions that have them.  The ones that
-- answer_receipt_partition() makes are no members of the extension, so that a dump
-- has the tables themselves as well.
SELECT pg_catalog.pg_extension_config_dump('answer.receipt', '');
SELECT pg_catalog.pg_extension_config_dump('answer.receipt_default', '');

-- Without an index and without a key: every receipt puts a row here on its way,
-- and sealing takes all rows there are.
CREATE TABLE answer.unsealed
(
	receipt_id	text NOT NULL,
	issued_at	timestamptz NOT NULL,
	digest		bytea NOT NULL
);
COMMENT ON TABLE answer.unsealed IS 'Receipts that the log has not sequenced yet; sealing empties it. See doc/tables.md#answerunsealed.';
COMMENT ON COLUMN answer.unsealed.digest IS 'SHA-256 of the canonical receipt with its signature and without an anchor: what becomes the leaf.';
COMMENT ON COLUMN answer.unsealed.receipt_id IS 'Id of the receipt.';
COMMENT ON COLUMN answer.unsealed.issued_at IS 'When it was issued.';
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
COMMENT ON TABLE answer.rollup_new IS 'Documents that were minted and that answer_rollup() has not counted yet, a row each, and corrections of documents that judges have contradicted since. See doc/tables.md#answerrollup_new.';

CREATE FUNCTION answer.append_only() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_append_only'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.append_only() IS
'Trigger, not for direct use, that refuses every change, also by the owner.';
REVOKE ALL ON FUNCTION answer.append_only() FROM PUBLIC;

-- The server copies this one to every partition; the other one it does not.
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
	-- Not on the parent: that would give a partition indexes as soon as a dump's copy
	-- is attached, and then the dump's own would be in their way.
	EXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (tenant, receipt_id)', partition);
	EXECUTE format('CREATE INDEX ON %s (issued_at)', partition);
	-- the latest of a tenant that has few, among many of others
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
	-- The bodies lie in TOAST, so the few pages of the table itself say nothing of the
	-- work that reading it is.  As many workers as a query may have, then:
	-- max_parallel_workers_per_gather is what limits them.
	EXECUTE format('ALTER TABLE %s SET (parallel_workers = 64)', partition);
	-- No query is planned by what bodies hold, and what is forgotten must not live on
	-- in the planner's samples.
	EXECUTE format('ALTER TABLE %s ALTER COLUMN body SET STATISTICS 0', partition);
	FOR col IN
		SELECT attname, col_description(attrelid, attnum) AS comment FROM pg_attribute
		WHERE attrelid = 'answer.receipt'::regclass AND attnum > 0 AND NOT attisdropped
	LOOP
		EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', partition, col.attname, col.comment);
	END LOOP;
	-- the parent's count for whoever goes through it; these for whoever does not
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
	-- rights are those of the parent: default privileges would give some of its own
	FOR grantee IN
		SELECT DISTINCT a.grantee FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = partition AND a.grantee <> c.relowner
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM %s', partition,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END);
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.receipt_equip(regclass) IS
'Gives a partition of answer.receipt what the parent cannot hand down: its key and indexes, its guard against TRUNCATE, what the planner is told, comments, and policies as the parent has them; not for direct use.';
REVOKE ALL ON FUNCTION answer.receipt_equip(regclass) FROM PUBLIC;

ALTER TABLE answer.receipt ALTER COLUMN body SET STATISTICS 0;
SELECT answer.receipt_equip('answer.receipt_default');

CREATE FUNCTION answer.receipt_partition_put(from_instant timestamptz, to_instant timestamptz) RETURNS regclass
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET datestyle = 'ISO, YMD'
AS $$
DECLARE
	-- midnights, as nearly all bounds are, make short names
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
				DETAIL = 'It takes the receipts from the first instant on, up to the second one and without it.',
				HINT = 'Give two instants of years from 1 on, the earlier one first.';
	END IF;
	-- the parent first, as those who store a receipt do: nobody waits in a circle
	PERFORM answer.lock_tables('answer.receipt', 'ACCESS EXCLUSIVE', current_setting('lock_timeout'));
	EXECUTE format('CREATE TABLE %s (LIKE answer.receipt INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING GENERATED'
		' INCLUDING STORAGE INCLUDING COMPRESSION)', partition);
	-- What the DEFAULT partition has of it moves along, byte for byte: else a partition
	-- that was made too late could never be made.  Nobody else sees the guard away.
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
'Makes a partition for answer_receipt_partition(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_receipt_partition(from_instant timestamptz, to_instant timestamptz) RETURNS regclass
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_receipt_partition(timestamptz, timestamptz) IS
'Makes a partition of answer.receipt for the receipts that are issued from the first instant on and before the second one, with its key, its indexes, its guards, policies as the table has them, and no grants of its own. See doc/reference.md#answer_receipt_partition.';
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
COMMENT ON TABLE answer.tombstone IS 'Keeps what was forgotten: receipts and evidence, by digest. See doc/tables.md#answertombstone.';
COMMENT ON COLUMN answer.tombstone.digest IS 'Of the receipt as it was issued, or of the evidence.';
COMMENT ON COLUMN answer.tombstone.receipt_id IS 'The receipt that was; NULL: evidence.';
COMMENT ON COLUMN answer.tombstone.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.tombstone.body IS 'The signed tombstone (answer/tombstone/v1); of a receipt, the same as its body now.';
COMMENT ON COLUMN answer.tombstone.forgotten_at IS 'When it was forgotten, by the server''s clock.';
COMMENT ON COLUMN answer.tombstone.forgotten_by IS 'Name of the session''s role that called answer_forget().';
COMMENT ON COLUMN answer.tombstone.reason IS 'The reason that was given.';
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
'Erases a receipt''s body, or evidence with every receipt that carries it, or a document, in all its versions and with its chunks, with every receipt that quotes it, and leaves signed tombstones. See doc/reference.md#answer_forget.';

CREATE FUNCTION @extschema@.answer_tombstone_add(digest text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tombstone_add'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_tombstone_add(text, text) IS
'Forgets evidence as answer_forget() does, and leaves a signed tombstone. See doc/reference.md#answer_tombstone_add.';

CREATE FUNCTION answer.refuse_forgotten(tenant text, digest text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_refuse_forgotten'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.refuse_forgotten(text, text) IS
'For functions that store evidence: keeps what has this digest from being forgotten by the tenant until the transaction ends. See doc/reference.md#answerrefuse_forgotten.';

CREATE FUNCTION answer.keep_unforgotten(tenant text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_keep_unforgotten'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10;
COMMENT ON FUNCTION answer.keep_unforgotten(text) IS
'Keeps anything of a tenant''s from being forgotten until the transaction ends; not for direct use.';
REVOKE ALL ON FUNCTION @extschema@.answer_forget(text, text), @extschema@.answer_tombstone_add(text, text),
	answer.refuse_forgotten(text, text), answer.keep_unforgotten(text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_dsse(receipt_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_dsse'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 2000;
COMMENT ON FUNCTION @extschema@.answer_dsse(text) IS
'A stored receipt as a DSSE envelope. See doc/reference.md#answer_dsse.';
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
'Tells whether a receipt given as jsonb verifies: see answer_verify_ok(text, jsonb). See doc/reference.md#answer_verify_ok.';
COMMENT ON FUNCTION @extschema@.answer_verify_ok(text, jsonb) IS
'Tells whether a receipt verifies: "ok" of answer_verify(text, jsonb), without the report, and stopping at the first step that fails. See doc/reference.md#answer_verify_ok.';

CREATE VIEW answer.change AS
SELECT r.body OPERATOR(pg_catalog.->>) 'kind' AS kind, r.body OPERATOR(pg_catalog.->>) 'name' AS name,
	(r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 AS revision, r.body OPERATOR(pg_catalog.->>) 'action' AS action,
	r.issued_at, r.receipt_id, r.body OPERATOR(pg_catalog.->>) 'before' AS before_digest,
	NULLIF(r.body OPERATOR(pg_catalog.->) 'after', 'null') AS after,
	@extschema@.answer_digest(NULLIF(r.body OPERATOR(pg_catalog.->) 'after', 'null')) AS after_digest, r.tenant
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1';
COMMENT ON VIEW answer.change IS 'The records (change/v1) of what changed in keys and configuration, one in each row. See doc/tables.md#answerchange.';
COMMENT ON COLUMN answer.change.kind IS 'What kind of thing changed, as in answer.change_state.';
COMMENT ON COLUMN answer.change.name IS 'Which one, as in answer.change_state.';
COMMENT ON COLUMN answer.change.revision IS 'The number of the record among those of this name, from 1 on; the highest is the newest.';
COMMENT ON COLUMN answer.change.action IS 'add, change or remove; of a key generate, import, retire or compromise.';
COMMENT ON COLUMN answer.change.issued_at IS 'When the record was signed.';
COMMENT ON COLUMN answer.change.receipt_id IS 'Id of the record, "chg_...", for answer_receipt().';
COMMENT ON COLUMN answer.change.before_digest IS 'Digest of the state that the record before has; NULL: there was none, or it was removed.';
COMMENT ON COLUMN answer.change.after IS 'The state that came out; NULL: removed.';
COMMENT ON COLUMN answer.change.after_digest IS 'answer_digest(after).';
COMMENT ON COLUMN answer.change.tenant IS 'Whose thing changed; empty: the operator''s, and shared.';
