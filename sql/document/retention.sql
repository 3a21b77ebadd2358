
/* retention: partitions that were detached */

-- Each detaching signs a document that names the leaves of the log whose receipts
-- went.  Its row stays here, as do those of changes, which the audit needs.
CREATE SCHEMA answer_archive;
COMMENT ON SCHEMA answer_archive IS 'Partitions of answer.receipt that answer_receipt_detach() took out: yours to keep, to move or to drop.';

CREATE VIEW answer.retention AS
SELECT r.receipt_id, r.issued_at, r.body OPERATOR(pg_catalog.->>) 'partition' AS partition,
	r.body OPERATOR(pg_catalog.->>) 'kept_in' AS kept_in, (r.body OPERATOR(pg_catalog.->>) 'receipts')::pg_catalog.int8 AS receipts,
	r.body OPERATOR(pg_catalog.->>) 'first_issued_at' AS first_issued_at,
	r.body OPERATOR(pg_catalog.->>) 'last_issued_at' AS last_issued_at,
	r.body OPERATOR(pg_catalog.->) 'leaves' AS leaves
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'retention/v1';
COMMENT ON VIEW answer.retention IS 'The partitions that were detached, one signed document (retention/v1) in each row.';
COMMENT ON COLUMN answer.retention.receipt_id IS 'Id of the document, "ret_...", for answer_receipt().';
COMMENT ON COLUMN answer.retention.issued_at IS 'When the partition was detached.';
COMMENT ON COLUMN answer.retention.partition IS 'What it was called, with its schema.';
COMMENT ON COLUMN answer.retention.kept_in IS 'The table that it became. Nobody follows it if it is moved or dropped.';
COMMENT ON COLUMN answer.retention.receipts IS 'How many receipts went.';
COMMENT ON COLUMN answer.retention.first_issued_at IS 'When the earliest of them was issued, RFC 3339; NULL: none went.';
COMMENT ON COLUMN answer.retention.last_issued_at IS 'When the latest of them was issued, RFC 3339; NULL: none went.';
COMMENT ON COLUMN answer.retention.leaves IS 'Their leaves in the log, as an array of ranges {first, last}.';
REVOKE ALL ON answer.retention FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_receipt_detach(partition regclass) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_receipt_detach'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_receipt_detach(regclass) IS
'Takes a partition out of answer.receipt, and signs a document (retention/v1) that names the leaves of the log whose receipts went; from then on the audit reports these as detached and not as missing. Each receipt is held against its leaf first. The partition becomes an ordinary table in schema answer_archive, without guards. Receipts of kinds that the audit needs (change/v1, retention/v1) are copied to the DEFAULT partition and stay. Argument: the partition. Result: the document. Errors: 22023 for a table that is no partition of answer.receipt, for its DEFAULT partition and for one with partitions of its own, 22004 for NULL, 55000 if a receipt of it is not sealed (call answer_log_seal() first), if one came meanwhile, or without a usable signing key, XX001 if a receipt is gone or is not what was sealed, 42P07 if answer_archive has a table or an index of such a name (move the older table to another schema), 55006 if the same session reads answer.receipt meanwhile, 54000 if there are too many ranges of leaves for one document, 25006 in a read-only transaction, 42501 without the privilege, and for a tenant.';

CREATE FUNCTION answer.refuse_detached(receipt_id text, issued_at timestamptz DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_refuse_detached'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.refuse_detached(text, timestamptz) IS
'Raises if the partition of a receipt was detached; asked where answer.receipt does not have it. Not for direct use. Documents of what was detached are read with the caller''s rights; once there are tenants, answer.tenant_reads() decides, and a tenant is told nothing, for the log does not say whose a receipt was. Arguments: as of answer_receipt. Result: NULL. Errors: 55000 for such a receipt, 42501 without the privilege, for which SELECT on answer.receipt is needed. Callable by everybody.';

CREATE FUNCTION answer.drop_guard() RETURNS event_trigger
AS 'MODULE_PATHNAME', 'answer_eval_drop_guard'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.drop_guard() IS
'Event trigger, not for direct use, that has the library loaded before anything is dropped: what refuses is in the library, see answer_eval.allow_drop. Errors: 39P03 if no event trigger calls it.';

REVOKE ALL ON FUNCTION @extschema@.answer_receipt_detach(regclass), answer.drop_guard() FROM PUBLIC;

-- Whatever can drop the extension, or a partition, by itself or by CASCADE.  A
-- command that is not listed is refused as well where the session has the library.
CREATE EVENT TRIGGER answer_drop_guard ON ddl_command_start
WHEN TAG IN ('DROP EXTENSION', 'DROP SCHEMA', 'DROP OWNED', 'DROP TABLE', 'DROP FUNCTION', 'DROP ROUTINE', 'DROP PROCEDURE',
	'DROP AGGREGATE', 'DROP TYPE', 'DROP DOMAIN', 'DROP VIEW', 'DROP MATERIALIZED VIEW', 'DROP FOREIGN TABLE', 'DROP SEQUENCE',
	'DROP INDEX', 'DROP LANGUAGE', 'DROP OPERATOR', 'DROP OPERATOR CLASS', 'DROP OPERATOR FAMILY', 'DROP COLLATION',
	'DROP CONVERSION', 'DROP CAST', 'DROP TRANSFORM', 'DROP ACCESS METHOD', 'DROP FOREIGN DATA WRAPPER', 'DROP SERVER',
	'DROP TEXT SEARCH CONFIGURATION', 'DROP TEXT SEARCH DICTIONARY', 'DROP TEXT SEARCH PARSER', 'DROP TEXT SEARCH TEMPLATE')
EXECUTE FUNCTION answer.drop_guard();
ALTER EVENT TRIGGER answer_drop_guard ENABLE ALWAYS;
-- PostgreSQL lets nobody own one who is no superuser.  The bootstrap superuser stays one: so the extension can be given
-- to another role (REASSIGN OWNED), also when its owner is no superuser any more.
DO $$
BEGIN
	EXECUTE pg_catalog.format('ALTER EVENT TRIGGER answer_drop_guard OWNER TO %I', pg_catalog.pg_get_userbyid(10));
END
$$;
COMMENT ON EVENT TRIGGER answer_drop_guard IS 'Has the library loaded before anything is dropped, so that it can refuse to drop receipts.';
