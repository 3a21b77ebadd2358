/* answer_eval: the update script, made from sql/upgrade/ and the marked parts of sql/ (CONTRIBUTING.md) */

-- complain if the script is sourced in psql rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION answer_eval UPDATE TO '0.2.0'" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;

-- Whoever is signing ends first, in the order in which he takes his locks: from
-- here on no receipt is stored that the last part of this script does not see.
-- Nothing below takes a privilege away or grants one on what 0.1.0 had: that
-- would make the owner's own grants the extension's, and dumps leave those out.
LOCK TABLE answer.signing_key IN ACCESS EXCLUSIVE MODE;
LOCK TABLE answer.receipt IN SHARE ROW EXCLUSIVE MODE;

DO $$
BEGIN
	IF pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.<>) ALL (ARRAY['read committed', 'read uncommitted']) THEN
		RAISE EXCEPTION USING errcode = 'invalid_transaction_state',
			message = 'answer_eval is updated in a transaction of isolation level READ COMMITTED only',
			detail = 'Another might not see the receipts that were stored last.';
	END IF;
END
$$;

-- What the owner may have written into the registry by hand, as answer_verify
-- judged it: nothing signed after these instants was accepted.
UPDATE answer.signing_key
SET status = CASE WHEN compromised_after IS NULL THEN 'retired' ELSE 'compromised' END::@extschema@.answer_key_status
WHERE status OPERATOR(pg_catalog.<>) 'compromised' AND compromised_after IS NOT NULL
	OR status OPERATOR(pg_catalog.=) 'active' AND retired_at IS NOT NULL;

-- CREATE EXTENSION made a key, and restoring a dump brought another one.  The one
-- that signed stays; the life of another covers all that it has signed.
UPDATE answer.signing_key k
SET status = 'retired',
	retired_at = GREATEST(newest.active_from,
		(SELECT pg_catalog.max(r.issued_at) FROM answer.receipt r WHERE r.key_id OPERATOR(pg_catalog.=) k.key_id))
FROM (SELECT s.key_id, s.active_from FROM answer.signing_key s
	WHERE s.status OPERATOR(pg_catalog.=) 'active'
	ORDER BY s.active_from DESC, s.key_id LIMIT 1) newest
WHERE k.status OPERATOR(pg_catalog.=) 'active' AND k.key_id OPERATOR(pg_catalog.<>) newest.key_id;

ALTER TABLE answer.signing_key
	ALTER COLUMN active_from DROP NOT NULL,
	ADD COLUMN fingerprint text GENERATED ALWAYS AS (pg_catalog.encode(pg_catalog.sha256(public_key), 'hex')) STORED,
	ADD CONSTRAINT signing_key_id_follows CHECK (key_id OPERATOR(pg_catalog.=)
		('ae-ed25519-' OPERATOR(pg_catalog.||)
			pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(public_key), 'hex'), 12))),
	ADD CONSTRAINT signing_key_active CHECK (status OPERATOR(pg_catalog.<>) 'active'
		OR active_from IS NOT NULL AND retired_at IS NULL),
	ADD CONSTRAINT signing_key_retired CHECK (retired_at OPERATOR(pg_catalog.>=) active_from),
	ADD CONSTRAINT signing_key_compromised CHECK (compromised_after IS NULL
		OR status OPERATOR(pg_catalog.=) 'compromised');

-- The owner may have partitioned the receipts: a setting of storage is for the
-- partitions then, and pg_partition_tree knows partitioned tables only.
DO $$
DECLARE
	part	pg_catalog.regclass;
BEGIN
	FOR part IN SELECT c.oid FROM pg_catalog.pg_class c
		WHERE c.relkind OPERATOR(pg_catalog.=) 'r' AND (c.oid OPERATOR(pg_catalog.=) 'answer.receipt'::pg_catalog.regclass
			OR c.oid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT p.relid FROM pg_catalog.pg_partition_tree('answer.receipt') p))) LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s SET (parallel_workers = 64)', part);
	END LOOP;
END
$$;
ALTER TABLE answer.receipt ALTER COLUMN body SET STATISTICS 0;

-- The planner's samples outlive the wish to have none.
DELETE FROM pg_catalog.pg_statistic s USING pg_catalog.pg_attribute a
WHERE a.attrelid OPERATOR(pg_catalog.=) s.starelid AND a.attnum OPERATOR(pg_catalog.=) s.staattnum
AND (s.starelid OPERATOR(pg_catalog.=) 'answer.evidence'::pg_catalog.regclass
		AND a.attname OPERATOR(pg_catalog.=) ANY (ARRAY['args', 'raw'])
	OR a.attname OPERATOR(pg_catalog.=) 'body' AND (s.starelid OPERATOR(pg_catalog.=) 'answer.receipt'::pg_catalog.regclass
		OR s.starelid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT p.relid FROM pg_catalog.pg_partition_tree('answer.receipt') p))));
