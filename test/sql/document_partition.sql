-- Partitions of answer.receipt: making one, detaching it, what is said of receipts that went; nothing drops them.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';
SET client_min_messages = warning;
-- a log of its own, whose leaves are counted
SET answer_eval.allow_drop = on;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
RESET answer_eval.allow_drop;
CREATE FUNCTION raised(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE call;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN regexp_replace(concat_ws(' | ', sqlstate, sqlerrm, nullif(hint, '')), '(ans|ret|chg)_[0-9a-f]{16}',
		'\1_...', 'g');
END
$$;
CREATE FUNCTION mint() RETURNS text LANGUAGE sql AS $$
	SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id' $$;
-- this month, in UTC, and the next one
SELECT date_trunc('month', now()) AS "begin", date_trunc('month', now()) + interval '1 month' AS "end",
	format('receipt_%s_%s', to_char(now(), 'YYYYMM01'), to_char(now() + interval '1 month', 'YYYYMM01')) AS month \gset

-- One partition takes all receipts until there is another; receipts of the new one's time move to it.
SELECT relname, relkind FROM pg_partition_tree('answer.receipt') p JOIN pg_class c ON c.oid = p.relid ORDER BY level;
SELECT mint() AS first \gset
SELECT answer_receipt(:'first') AS body \gset
SET client_min_messages = notice;
SELECT answer_receipt_partition('2001-01-01', '2002-01-01');
SET client_min_messages = warning;
SELECT answer_receipt_partition(:'begin', :'end') = ('answer.' || :'month')::regclass AS made;
SELECT count(*) AS left_in_default FROM answer.receipt_default;
SELECT tableoid = ('answer.' || :'month')::regclass AS moved, body = :'body' AS unchanged FROM answer.receipt
	WHERE receipt_id = :'first';
SELECT mint() AS second \gset
SELECT tableoid = ('answer.' || :'month')::regclass AS there FROM answer.receipt WHERE receipt_id = :'second';
SELECT answer_receipt(:'second', issued_at) = body AS by_instant, answer_receipt(:'second',
	issued_at + interval '1 us') IS NULL AS another,
	answer_receipt(:'second', '2001-06-01') IS NULL AS elsewhere, answer_receipt(:'second', NULL) = body AS unknown
FROM answer.receipt WHERE receipt_id = :'second';
-- a query for an instant does not read the other partitions
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text; BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP RETURN NEXT line; END LOOP;
END $$;
SET plan_cache_mode = force_generic_plan;
PREPARE look(text, timestamptz) AS SELECT body FROM answer.receipt WHERE receipt_id = $1
	AND issued_at >= COALESCE($2, '-infinity') AND issued_at <= COALESCE($2, 'infinity');
SELECT count(*) FILTER (WHERE p ~ 'Scan using') AS scans, bool_or(p ~ 'Subplans Removed: 2') AS removed
FROM plan_of($$EXECUTE look('x', '2001-06-01')$$) AS p;
SELECT count(*) FILTER (WHERE p ~ 'Scan using .*_pkey') AS probes FROM plan_of($$EXECUTE look('x', NULL)$$) AS p;
DEALLOCATE look;
RESET plan_cache_mode;

-- It has the same properties as the others, and no grants of its own.
CREATE ROLE regress_part_default;
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO regress_part_default, PUBLIC;
SELECT answer_receipt_partition('2002-01-01 00:00:00.5', '2003-01-01') AS odd;
ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM regress_part_default, PUBLIC;
SELECT replace(c.relname, :'month', 'MONTH') AS partition, r.relowner = c.relowner AS owner, (SELECT count(*)
	FROM aclexplode(c.relacl) WHERE grantee <> c.relowner) AS grants, c.reloptions,
	(SELECT string_agg(concat(t.tgname, ' ', t.tgenabled), ', ' ORDER BY t.tgname) FROM pg_trigger t
		WHERE t.tgrelid = c.oid) AS guards,
	(SELECT string_agg(a.attname, ', ' ORDER BY a.attnum DESC) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid
		AND a.attnum = ANY (i.indkey)
		WHERE i.indrelid = c.oid AND i.indisunique) AS key,
	a.attstattarget AS samples, a.attcompression = ra.attcompression AS compressed
FROM pg_class r JOIN pg_partition_tree('answer.receipt') p ON r.oid = 'answer.receipt'::regclass AND p.level > 0
JOIN pg_class c ON c.oid = p.relid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'body'
JOIN pg_attribute ra ON ra.attrelid = r.oid AND ra.attname = 'body' ORDER BY c.relname COLLATE "C";
DROP ROLE regress_part_default;
SELECT how, replace(raised(format(how, :'month')), :'month', 'MONTH')
	FROM unnest(ARRAY['UPDATE answer.%I SET verdict = NULL', 'DELETE FROM answer.%I',
	'TRUNCATE answer.%I', 'TRUNCATE answer.receipt']) AS how;

-- and the policies of the table
BEGIN;
CREATE ROLE "regress Part";
CREATE POLICY own ON answer.receipt
	AS RESTRICTIVE FOR UPDATE TO "regress Part" USING (schema = 'answer/v1') WITH CHECK (verdict <> 'x');
CREATE POLICY every ON answer.receipt USING (true);
ALTER TABLE answer.receipt ENABLE ROW LEVEL SECURITY;
SELECT answer_receipt_partition('2003-01-01', '2004-01-01');
SELECT policyname, permissive, roles, cmd, qual, with_check FROM pg_policies
	WHERE tablename = 'receipt_20030101_20040101' ORDER BY 1;
SELECT relrowsecurity FROM pg_class WHERE oid = 'answer.receipt_20030101_20040101'::regclass;
ROLLBACK;

-- Tables that are no partition are refused.
SELECT call, raised('SELECT ' || call) FROM unnest(ARRAY[$$answer_receipt_partition(NULL, '2004-01-01')$$,
	$$answer_receipt_partition('2004-01-01', NULL)$$,
	$$answer_receipt_partition('2004-01-01', '2004-01-01')$$, $$answer_receipt_partition('2004-01-01', '2003-06-01')$$,
	$$answer_receipt_partition('-infinity', '2004-01-01')$$, $$answer_receipt_partition('2004-01-01', 'infinity')$$,
	$$answer_receipt_partition('2000-01-01 BC', '2000-01-01')$$,
	$$answer_receipt_partition('2001-06-01', '2001-07-01')$$,
	$$answer_receipt_partition('2001-01-01', '2002-01-01')$$,
	'answer_receipt_detach(NULL)', 'answer_receipt_detach(0)', $$answer_receipt_detach('answer.receipt')$$,
		$$answer_receipt_detach('answer.receipt_default')$$,
	$$answer_receipt_detach('answer.tombstone')$$, $$answer_receipt_detach('pg_class')$$, 'answer.drop_guard()',
		$$answer.refuse_detached(NULL)$$]) AS call;
BEGIN READ ONLY;
SELECT answer_receipt_detach('answer.receipt_20010101_20020101');
ROLLBACK;

-- Receipts that the log does not have, or that differ from what was sealed, are not detached.
SELECT regexp_replace(raised(format('SELECT answer_receipt_detach(''answer.%I'')', :'month')), 'receipt_\d+_\d+',
	'MONTH', 'g') AS unsealed;
SELECT answer_forget(:'first', 'x') -> 'receipts' = jsonb_build_array(:'first') AS forgotten;
SELECT answer_anchor_request(:'second') IS NOT NULL AS asked;
SELECT answer_log_seal() ->> 'sealed' AS sealed;
SELECT answer_log_inclusion(:'second') AS proof \gset
CREATE TABLE kept AS SELECT receipt_id, body FROM answer.receipt;
CREATE PROCEDURE tamper(change text) LANGUAGE plpgsql AS $$ BEGIN
	ALTER TABLE answer.receipt DISABLE TRIGGER receipt_append_only;
	ALTER TABLE answer.tombstone DISABLE TRIGGER tombstone_append_only;
	EXECUTE change;
	ALTER TABLE answer.receipt ENABLE ALWAYS TRIGGER receipt_append_only;
	ALTER TABLE answer.tombstone ENABLE ALWAYS TRIGGER tombstone_append_only;
END $$;
CREATE FUNCTION tampered(change text, part regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	said text;
BEGIN
	CALL tamper(change);
	said := raised(format('SELECT answer_receipt_detach(%L)', part));
	RAISE EXCEPTION USING errcode = 'UNDO0';
EXCEPTION WHEN sqlstate 'UNDO0' THEN
	RETURN regexp_replace(said, 'receipt_\d+_\d+', 'MONTH', 'g');
END $$;
SELECT what, tampered(format(change, :'first', :'second'), ('answer.' || :'month')::regclass) FROM (VALUES
	('a body', $$UPDATE answer.receipt SET body = body || '{"verdict": "contradicted"}' WHERE receipt_id = '%2$s'$$),
	('a receipt', $$DELETE FROM answer.receipt WHERE receipt_id = '%1$s'$$),
	('a tombstone', $$UPDATE answer.receipt SET body = body || '{"reason": "y"}' WHERE receipt_id = '%1$s'$$),
	('its row', $$DELETE FROM answer.tombstone WHERE receipt_id = '%1$s'$$),
	('an instant', $$UPDATE answer.receipt SET issued_at = issued_at + interval '1 us' WHERE receipt_id = '%2$s'$$),
	('one more', $$INSERT INTO answer.receipt SELECT 'ans_0000000000000000', schema, tenant, issued_at, verdict,
		confidence, degraded, key_id, intent, took, cost_usd, body
		FROM answer.receipt WHERE receipt_id = '%2$s'$$)) AS c (what, change);

-- Detached: what went, what stays, and what is said of it.
SELECT answer_receipt_detach(('answer.' || :'month')::regclass) AS document \gset
SELECT :'document'::jsonb ->> 'receipt_id' AS ret \gset
SELECT jsonb_object_keys(d), replace(jsonb_typeof(d -> jsonb_object_keys(d)), 'null', 'NULL')
	FROM (SELECT :'document'::jsonb - '{signature,issuer,issued_at,receipt_id}'::text[] AS d) AS x;
SELECT d ->> 'receipts' AS receipts, d -> 'leaves' AS leaves, d #> '{log,tree_size}' AS tree_size,
	d ->> 'kept_in' = 'answer_archive.' || :'month' AS kept_in,
	d ->> 'partition' = 'answer.' || :'month' AS partition, d #> '{reproduce,evaluator,rules}' AS rules,
	answer_verify_ok(d) AS verifies, answer_replay(d) AS replay, answer_receipt(:'ret') = d AS stored
		FROM (SELECT :'document'::jsonb AS d) AS x;
SELECT schema, verdict, tableoid::regclass FROM answer.receipt ORDER BY schema;
SELECT receipts, kept_in = 'answer_archive.' || :'month' AS kept_in, receipt_id = :'ret' AS document, leaves
	FROM answer.retention;
SELECT count(*) AS rows, bool_and(a.body = k.body) AS unchanged,
	bool_and(answer_verify_ok(a.body)) FILTER (WHERE a.receipt_id = :'second') AS verifies
FROM kept k LEFT JOIN answer_archive.:"month" a USING (receipt_id);
SELECT count(*) AS guards FROM pg_trigger WHERE tgrelid = ('answer_archive.' || :'month')::regclass;
SELECT id = :'first' AS first, call, replace(raised(format('SELECT ' || call, id)), :'month', 'MONTH')
	FROM unnest(ARRAY[:'first', :'second']) AS id,
	unnest(ARRAY['answer_receipt(%L)', 'answer_receipt(%L, now())', 'answer_dsse(%L)', 'answer_forget(%L, ''x'')',
		'answer_anchor_request(%L)'
		]) AS call ORDER BY 1 DESC, call COLLATE "C";
SELECT answer_receipt('ans_0000000000000000') IS NULL AS unknown, answer_receipt('x') IS NULL AS no_id,
	answer_receipt(:'second', '2001-06-01') IS NULL AS another_time;
-- also with parallel workers
ALTER TABLE kept SET (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT bool_or(p ~ 'Parallel Seq Scan on kept') AS parallel
	FROM plan_of('SELECT count(answer_receipt(overlay(receipt_id PLACING ''0000'' FROM 17))) FROM kept') AS p;
SELECT count(answer_receipt(overlay(receipt_id PLACING '0000' FROM 17))) AS unknown FROM kept;
SELECT regexp_replace(raised('SELECT count(answer_receipt(receipt_id)) FROM kept WHERE receipt_id LIKE ''ans%'''),
	'receipt_\d+_\d+', 'MONTH') AS detached;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
SELECT answer_log_inclusion(:'second') = :'proof'::jsonb AS same_proof,
	answer_log_verify(answer_log_inclusion(:'second'), body) -> 'ok' AS proved FROM kept WHERE receipt_id = :'second';
SELECT raised(format('SELECT answer_forget(%L, ''x'')', :'ret')) AS forget, answer_dsse(:'ret') ? 'payload' AS dsse;
SELECT answer_anchor_request(:'ret') IS NOT NULL AS anchor;
SET client_min_messages = notice;
DO $$ BEGIN PERFORM answer_forget('sha256:' || repeat('0', 64), 'x');
	EXCEPTION WHEN no_data_found THEN RAISE NOTICE 'no such evidence'; END $$;
SET client_min_messages = warning;
-- new receipts of that time, and a partition for them again
SELECT mint() AS third \gset
SELECT answer_receipt(:'third') ->> 'receipt_id' = :'third' AS minted;
SELECT answer_log_seal() ->> 'sealed' AS sealed;
CREATE FUNCTION audit() RETURNS TABLE (leaf_index bigint, document boolean, finding answer_log_finding,
	detail text) LANGUAGE sql AS $$
	SELECT a.leaf_index, a.receipt_id LIKE 'ret%', a.finding, regexp_replace(regexp_replace(a.detail,
		'receipt_\d+_\d+', 'MONTH', 'g'), '[0-9a-f]{64}', 'DIGEST') FROM answer_log_audit() a $$;
SELECT * FROM audit();
SELECT answer_receipt_partition(:'begin', :'end') IS NOT NULL AS again;
SELECT * FROM audit();
SELECT replace(raised(format('SELECT answer_receipt_detach(''answer.%I'')', :'month')), :'month', 'MONTH')
	AS name_is_taken;
ALTER TABLE answer_archive.:"month" SET SCHEMA public;
ALTER TABLE :"month" RENAME TO first_part;
SELECT r ->> 'receipts' AS receipts, jsonb_array_length(r -> 'leaves') AS ranges
	FROM answer_receipt_detach(('answer.' || :'month')::regclass) AS r;
SELECT receipts, jsonb_array_length(leaves) AS ranges, leaves FROM answer.retention ORDER BY issued_at;
SELECT answer_receipt_detach('answer.receipt_20010101_20020101') #>> '{receipts}' AS of_an_empty_one;
SELECT answer_log_seal() ->> 'sealed' AS sealed;
SELECT * FROM audit();
-- a receipt that is put back by hand is in the log again
BEGIN;
INSERT INTO answer.receipt SELECT * FROM first_part WHERE receipt_id = :'second';
SELECT answer_receipt(:'second') = body AS back FROM kept WHERE receipt_id = :'second';
SELECT * FROM audit();
ROLLBACK;

-- The audit believes a document only if it is ours, of this log, and unchanged.
CREATE FUNCTION found_after(change text) RETURNS TABLE (leaf_index bigint, document boolean,
	finding answer_log_finding, detail text) LANGUAGE plpgsql AS $$ BEGIN
	CALL tamper(change);
	RETURN QUERY SELECT * FROM audit();
END $$;
BEGIN;
SELECT * FROM found_after($$UPDATE answer.receipt SET body = jsonb_set(body, '{leaves,1,first}', '1')
	WHERE schema = 'retention/v1' AND body ->> 'receipts' = '2'$$);
ROLLBACK;
BEGIN;
SELECT * FROM found_after($$DELETE FROM answer.receipt WHERE schema = 'retention/v1' AND body ->> 'receipts' = '2'$$);
ROLLBACK;
BEGIN;
SELECT *
FROM found_after($$INSERT INTO answer.receipt SELECT receipt_id, schema, tenant, '2002-06-01', verdict, confidence,
	degraded, key_id, intent, took, cost_usd, body
	FROM answer.receipt WHERE schema = 'retention/v1' AND body ->> 'receipts' = '2'$$);
ROLLBACK;
BEGIN;
SELECT * FROM found_after($$DELETE FROM answer.receipt WHERE receipt_id IN (SELECT receipt_id FROM answer.receipt
	WHERE schema = 'change/v1')$$) WHERE finding = 'missing';
ROLLBACK;

-- A table that pretends to be a partition, and partitions that are not as they should be.
CREATE FUNCTION named_after(VARIADIC changes text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	change text;
BEGIN
	FOREACH change IN ARRAY changes LOOP EXECUTE change; END LOOP;
	RETURN QUERY SELECT concat_ws(' ', f.finding, f.detail) FROM audit() f WHERE f.finding = 'catalog'
		AND f.detail !~ '^(column|what goes|dump|constraint.*not null)' ORDER BY f.finding, f.detail COLLATE "C";
END $$;
BEGIN; SELECT named_after('CREATE TABLE answer.receipt_1 (LIKE answer.receipt)'); ROLLBACK;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt DETACH PARTITION
	answer."receipt_20020101t000000500000_20030101t000000000000"') AS detached_by_hand; ROLLBACK;
BEGIN; SELECT named_after('CREATE TABLE answer.mine PARTITION OF answer.receipt
	FOR VALUES FROM (''2005-01-01'') TO (''2006-01-01'')') AS by_hand; ROLLBACK;
BEGIN; SELECT named_after('CREATE TABLE public.mine PARTITION OF answer.receipt
	FOR VALUES FROM (''2005-01-01'') TO (''2006-01-01'')',
	'SELECT answer.receipt_equip(''public.mine'')') AS elsewhere; ROLLBACK;
BEGIN; SELECT named_after('CREATE UNLOGGED TABLE public.mine PARTITION OF answer.receipt
	FOR VALUES FROM (''2005-01-01'') TO (''2006-01-01'')',
	'SELECT answer.receipt_equip(''public.mine'')') AS unlogged; ROLLBACK;
ALTER TABLE answer."receipt_20020101t000000500000_20030101t000000000000" RENAME TO receipt_2002;
CREATE FUNCTION mine(text) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
CREATE ROLE regress_part_owner;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt_2002 DISABLE TRIGGER receipt_append_only',
	'ALTER TABLE answer.receipt_2002 ENABLE TRIGGER receipt_no_truncate'); ROLLBACK;
BEGIN; SELECT named_after('DROP TRIGGER receipt_no_truncate ON answer.receipt_2002'); ROLLBACK;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt_2002
	DROP CONSTRAINT "receipt_20020101t000000500000_20030101t000000000000_pkey"'); ROLLBACK;
BEGIN; SELECT named_after('CREATE INDEX mine ON answer.receipt_2002 (mine(verdict))'); ROLLBACK;
BEGIN; SELECT named_after('CREATE STATISTICS mine ON verdict, key_id FROM answer.receipt_2002'); ROLLBACK;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt_2002 ADD CHECK (mine(verdict) = 1) NOT VALID'); ROLLBACK;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt_2002 ALTER COLUMN body SET STATISTICS 100'); ROLLBACK;
BEGIN; SELECT named_after('GRANT INSERT ON answer.receipt_2002 TO regress_part_owner',
	'GRANT SELECT ON answer.receipt_2002 TO regress_part_owner'); ROLLBACK;
BEGIN; SELECT named_after('ALTER TABLE answer.receipt_2002 OWNER TO regress_part_owner'); ROLLBACK;
BEGIN; SELECT named_after('CREATE RULE mine AS ON INSERT TO answer.receipt_2002 DO INSTEAD NOTHING'); ROLLBACK;
BEGIN; SELECT named_after('ALTER EXTENSION answer_eval ADD TABLE answer.receipt_2002') LIMIT 3; ROLLBACK;
BEGIN; SELECT starts_with(named_after('ALTER EVENT TRIGGER answer_drop_guard DISABLE'),
	'catalog event trigger answer_drop_guard is not what the extension ships: it is "') AS disabled; ROLLBACK;
DROP FUNCTION mine(text);
SELECT * FROM audit() WHERE finding <> 'detached';

-- Nothing drops receipts, whoever asks and however.
SELECT command, raised(command) AS refused FROM unnest(ARRAY['DROP EXTENSION answer_eval',
	'DROP EXTENSION answer_eval CASCADE', 'DROP SCHEMA public CASCADE',
	'DROP TABLE answer.receipt', 'DROP TABLE answer.receipt CASCADE']) AS command;
SELECT mint() IS NOT NULL AS minted, answer_receipt_partition(:'begin', :'end') IS NOT NULL AS made;
SELECT replace(raised('DROP TABLE answer.' || :'month'), :'month', 'MONTH') AS with_receipts,
	raised('DROP TABLE answer.receipt_2002') AS without;
SET ROLE regress_part_owner;
SELECT raised('SET answer_eval.allow_drop = on') AS allowed_by_anybody,
	raised('SELECT answer_receipt_partition(''2007-01-01'', ''2008-01-01'')') AS partition,
	raised('SELECT answer_receipt_detach(NULL)') AS detach, raised('SELECT answer_receipt(''x'')') AS receipt,
	raised('SELECT answer.refuse_detached(''ans_0000000000000000'')') AS asked;
RESET ROLE;
DROP ROLE regress_part_owner;
SET answer_eval.allow_drop = on;
SELECT answer_receipt_partition('1990-01-01', '1991-01-01') AS one_more;
DROP FUNCTION audit, found_after;
-- a detached partition is not part of the extension, and stays
DROP EXTENSION answer_eval;
DROP SCHEMA answer_archive CASCADE;
DROP TABLE first_part, answer_archive.:"month", answer_archive.receipt_20010101_20020101;
DROP EXTENSION answer_eval;
SELECT to_regnamespace('answer') AS tables, to_regnamespace('answer_archive') AS archive, count(*) AS event_triggers
	FROM pg_event_trigger;
RESET answer_eval.allow_drop;
-- and without receipts everything can be dropped
CREATE EXTENSION answer_eval;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
DROP TABLE kept;
DROP FUNCTION raised, mint, plan_of, tampered, named_after;
DROP PROCEDURE tamper;
