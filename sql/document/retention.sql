
/* retention: detached partitions */

-- Each detaching signs a document that names the leaves of the receipts that left. That document stays here; so do
-- changes, which the audit needs.
CREATE SCHEMA answer_archive;
COMMENT ON SCHEMA answer_archive IS 'Partitions of answer.receipt that answer_receipt_detach() took out; you may keep, move or drop them.';

CREATE VIEW answer.retention AS
SELECT r.receipt_id, r.issued_at, r.body OPERATOR(pg_catalog.->>) 'partition' AS partition,
	r.body OPERATOR(pg_catalog.->>) 'kept_in' AS kept_in, (r.body OPERATOR(pg_catalog.->>) 'receipts')::pg_catalog.int8 AS receipts,
	r.body OPERATOR(pg_catalog.->>) 'first_issued_at' AS first_issued_at,
	r.body OPERATOR(pg_catalog.->>) 'last_issued_at' AS last_issued_at,
	r.body OPERATOR(pg_catalog.->) 'leaves' AS leaves
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'retention/v1';
COMMENT ON VIEW answer.retention IS 'Detached partitions, one signed document (retention/v1) per row. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.receipt_id IS 'Id of the document, "ret_...", for answer_receipt(). See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.issued_at IS 'When the partition was detached. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.partition IS 'Its former name, with the schema. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.kept_in IS 'The table that it became. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.receipts IS 'Number of receipts in it. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.first_issued_at IS 'When the earliest of them was issued, RFC 3339; NULL: it held no receipts. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.last_issued_at IS 'When the latest of them was issued, RFC 3339; NULL: it held no receipts. See doc/tables.md#answerretention.';
COMMENT ON COLUMN answer.retention.leaves IS 'Their leaves in the log, as an array of ranges {first, last}. See doc/tables.md#answerretention.';
REVOKE ALL ON answer.retention FROM PUBLIC;

CREATE FUNCTION answer.refuse_detached(receipt_id text, issued_at timestamptz DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_refuse_detached'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.refuse_detached(text, timestamptz) IS
'Raises an error if the partition of a receipt was detached; called if answer.receipt does not have the receipt. See doc/reference.md#answerrefuse_detached.';

CREATE FUNCTION answer.drop_guard() RETURNS event_trigger
AS 'MODULE_PATHNAME', 'answer_eval_drop_guard'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.drop_guard() IS
'Event trigger, not for direct use, that loads the library before anything is dropped; the library refuses to drop receipts (see answer_eval.allow_drop).';

REVOKE ALL ON FUNCTION answer.drop_guard() FROM PUBLIC;

-- Every command that can drop the extension or a partition, itself or by CASCADE. In a session that has loaded the
-- library, a command that is not listed is refused as well.
CREATE EVENT TRIGGER answer_drop_guard ON ddl_command_start
WHEN TAG IN ('DROP EXTENSION', 'DROP SCHEMA', 'DROP OWNED', 'DROP TABLE', 'DROP FUNCTION', 'DROP ROUTINE', 'DROP PROCEDURE',
	'DROP AGGREGATE', 'DROP TYPE', 'DROP DOMAIN', 'DROP VIEW', 'DROP MATERIALIZED VIEW', 'DROP FOREIGN TABLE', 'DROP SEQUENCE',
	'DROP INDEX', 'DROP LANGUAGE', 'DROP OPERATOR', 'DROP OPERATOR CLASS', 'DROP OPERATOR FAMILY', 'DROP COLLATION',
	'DROP CONVERSION', 'DROP CAST', 'DROP TRANSFORM', 'DROP ACCESS METHOD', 'DROP FOREIGN DATA WRAPPER', 'DROP SERVER',
	'DROP TEXT SEARCH CONFIGURATION', 'DROP TEXT SEARCH DICTIONARY', 'DROP TEXT SEARCH PARSER', 'DROP TEXT SEARCH TEMPLATE')
EXECUTE FUNCTION answer.drop_guard();
ALTER EVENT TRIGGER answer_drop_guard ENABLE ALWAYS;
-- PostgreSQL allows only superusers to own an event trigger. The bootstrap superuser stays one, so the extension can
-- be given to another role (REASSIGN OWNED), even when its owner is no longer a superuser.
DO $$
BEGIN
	EXECUTE pg_catalog.format('ALTER EVENT TRIGGER answer_drop_guard OWNER TO %I', pg_catalog.pg_get_userbyid(10));
END
$$;
COMMENT ON EVENT TRIGGER answer_drop_guard IS 'Loads the library before anything is dropped, so that it can refuse to drop receipts.';
