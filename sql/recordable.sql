
/* recordable: the rows of all directories that a sealing lists (log/recorded.sql) */

-- The single definition for sealing and audit. An item is on no list twice. The opening of an investigation is listed
-- separately from its end, which comes later. The input of "mac" is the table and the digest of the columns that were
-- given when C code stored the row (record.c, investigation.c); it is returned beside it. Judgements are signed
-- instead.
CREATE VIEW answer.recordable AS
SELECT answer.recorded_reading(e.tenant, e.digest) AS item, e.recorded_at, 'evidence'::pg_catalog.text AS of_table,
	answer.row_digest('evidence', o) AS digest, e.mac, pg_catalog.concat('reading ', e.digest) AS name
FROM answer.evidence e, LATERAL (SELECT e.digest, NULL::pg_catalog.text AS tool, NULL::pg_catalog.jsonb AS args,
	NULL::pg_catalog.text AS args_digest, NULL::pg_catalog.jsonb AS raw, NULL::pg_catalog.text AS source,
	NULL::pg_catalog.timestamptz AS observed_at, NULL::pg_catalog.timestamptz AS expires, e.recorded_at, e.tenant) AS o
UNION ALL SELECT answer.recorded_item(2, g.pair, answer.row_digest('judgement', g)), g.judged_at, NULL, NULL, NULL, NULL
FROM answer.judgement g
UNION ALL SELECT answer.recorded_item(3, q.investigation::pg_catalog.text, answer.row_digest('quality_entry', q)), q.recorded_at,
	'quality_entry', answer.row_digest('quality_entry', q), q.mac,
	pg_catalog.concat('entry ', q.digest, ' of investigation ', q.investigation)
FROM answer.quality_entry q
UNION ALL SELECT answer.recorded_item(4, i.investigation::pg_catalog.text, answer.row_digest('investigation', o)), i.opened_at,
	'investigation', answer.row_digest('investigation', o), i.mac, pg_catalog.concat('investigation ', i.investigation)
FROM answer.investigation i, LATERAL (SELECT i.investigation, i.tenant, i.intent, i.question, i.subject, i.opened_at, i.opened_by,
	NULL::pg_catalog.timestamptz AS closed_at, NULL::pg_catalog.text AS outcome) AS o
UNION ALL SELECT answer.recorded_item(5, i.investigation::pg_catalog.text, answer.row_digest('investigation', i)), i.closed_at,
	'investigation', answer.row_digest('investigation', o), i.closed_mac, pg_catalog.concat('the end of investigation ', i.investigation)
FROM answer.investigation i, LATERAL (SELECT i.investigation, i.tenant, NULL::pg_catalog.text AS intent,
	NULL::pg_catalog.text AS question, NULL::pg_catalog.text AS subject, NULL::pg_catalog.timestamptz AS opened_at,
	NULL::pg_catalog.text AS opened_by, i.closed_at, i.outcome) AS o
WHERE i.closed_at IS NOT NULL;
COMMENT ON VIEW answer.recordable IS 'Rows that a sealing lists (answer.recorded_rows): readings, judgements, and rows of investigations. See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.item IS 'What stands for the row on a list (answer.recorded_item()). See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.recorded_at IS 'When the row was stored, by the server''s clock. See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.of_table IS 'The table whose code (mac) shows that our functions stored the row; NULL: a judgement, which is signed. See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.digest IS 'Digest that the code covers. See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.mac IS 'The code, as stored in the row. See doc/tables.md#answerrecordable.';
COMMENT ON COLUMN answer.recordable.name IS 'The audit''s name for the row. See doc/tables.md#answerrecordable.';

REVOKE ALL ON answer.recordable FROM PUBLIC;

-- Recent rows are found by their instant. These indexes cost next to nothing per row.
CREATE INDEX evidence_recorded ON answer.evidence USING brin (recorded_at);
CREATE INDEX judgement_recorded ON answer.judgement USING brin (judged_at);
CREATE INDEX quality_entry_recorded ON answer.quality_entry USING brin (recorded_at);
