
/* log: rows that no document mentions, listed when the log is sealed */

-- Readings and entries of investigations come too often to sign each one, and nothing would show that a judgement was
-- deleted. A sealing therefore lists the ones that it finds and signs the list (change/v1, kind recorded). A row on a
-- list must stay, or be forgotten.

CREATE FUNCTION answer.recorded_item(kind integer, name text, bound bytea) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_recorded_item'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION answer.recorded_item(integer, text, bytea) IS
'Returns what stands for a row on a list of answer.recorded_rows; not for direct use.';

CREATE FUNCTION answer.recorded_reading(tenant text, digest text) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_recorded_reading'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3;
COMMENT ON FUNCTION answer.recorded_reading(text, text) IS
'Returns what stands for a reading, or for its tombstone, on a list of answer.recorded_rows; not for direct use.';

CREATE TABLE answer.recorded_rows
(
	number			bigint PRIMARY KEY,
	items			bytea NOT NULL CHECK (pg_catalog.length(items) OPERATOR(pg_catalog.%) 24 OPERATOR(pg_catalog.=) 0),
	sealed_at		timestamptz NOT NULL,
	next_xid		bigint NOT NULL,
	cluster			text NOT NULL,
	covered_until	timestamptz
);
ALTER TABLE answer.recorded_rows ALTER COLUMN items SET STORAGE EXTERNAL, ALTER COLUMN items SET STATISTICS 0;
COMMENT ON TABLE answer.recorded_rows IS 'Lists of the readings, judgements, entries and investigations that existed when the log was sealed, one per row. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.number IS 'Number of the list, from 1. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.items IS '24 bytes for each row (answer.recordable), in order. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.sealed_at IS 'When the sealing read the rows, by the server''s clock. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.next_xid IS 'The first transaction that had not begun by then; once all older ones have ended, no row from before sealed_at can appear. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.cluster IS 'System identifier of the cluster to which next_xid belongs. See doc/tables.md#answerrecorded_rows.';
COMMENT ON COLUMN answer.recorded_rows.covered_until IS 'The lists up to this one include all rows from before this instant; the next sealing looks at later ones. See doc/tables.md#answerrecorded_rows.';

REVOKE ALL ON answer.recorded_rows FROM PUBLIC;
REVOKE ALL ON FUNCTION answer.recorded_item(integer, text, bytea), answer.recorded_reading(text, text) FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.recorded_rows', '');
CREATE TRIGGER recorded_rows_append_only BEFORE UPDATE OR DELETE ON answer.recorded_rows
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER recorded_rows_no_truncate BEFORE TRUNCATE ON answer.recorded_rows
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
