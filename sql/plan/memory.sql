
/* plan: what is remembered */

CREATE TABLE answer.memory_entry
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	key			text COLLATE "C" NOT NULL,
	value		jsonb NOT NULL,
	provenance	jsonb NOT NULL,
	ttl			text COLLATE "C" NOT NULL,
	written_at	timestamptz NOT NULL,
	expires_at	timestamptz NOT NULL,
	trace_id	text COLLATE "C" NOT NULL,
	PRIMARY KEY (tenant, key),
	-- keys must fit into an index
	CONSTRAINT memory_entry_key CHECK (pg_catalog.octet_length(key) BETWEEN 1 AND 1000),
	CONSTRAINT memory_entry_life CHECK (expires_at OPERATOR(pg_catalog.>) written_at)
);
COMMENT ON TABLE answer.memory_entry IS 'What plans remember, each key with its last value, and what the value rests on. What has expired stays here until the tenant writes again; answer.memory does not show it.';
COMMENT ON COLUMN answer.memory_entry.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.memory_entry.key IS 'The key: 1 to 1000 bytes.';
COMMENT ON COLUMN answer.memory_entry.value IS 'The value, in portable form.';
COMMENT ON COLUMN answer.memory_entry.provenance IS 'The evidence that it rests on, with the verdict that let it pass.';
COMMENT ON COLUMN answer.memory_entry.ttl IS 'Its time to live, as it was given.';
COMMENT ON COLUMN answer.memory_entry.written_at IS 'When its life began: evaluated_at of the plan that wrote it.';
COMMENT ON COLUMN answer.memory_entry.expires_at IS 'From when on it is gone.';
COMMENT ON COLUMN answer.memory_entry.trace_id IS 'The trace of the plan that wrote it.';
-- what is forgotten must not live on in the planner's samples
ALTER TABLE answer.memory_entry ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN provenance SET STATISTICS 0;
CREATE INDEX memory_entry_expires ON answer.memory_entry (tenant, expires_at);
SELECT pg_catalog.pg_extension_config_dump('answer.memory_entry', '');

CREATE VIEW answer.memory AS
SELECT m.tenant, m.key, m.value, m.provenance, m.ttl, m.written_at, m.expires_at, m.trace_id
FROM answer.memory_entry m
WHERE m.expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp();
COMMENT ON VIEW answer.memory IS 'What plans remember and has not expired when the statement begins.';
COMMENT ON COLUMN answer.memory.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.memory.key IS 'The key.';
COMMENT ON COLUMN answer.memory.value IS 'The value, in portable form.';
COMMENT ON COLUMN answer.memory.provenance IS 'The evidence that it rests on, with the verdict that let it pass.';
COMMENT ON COLUMN answer.memory.ttl IS 'Its time to live, as it was given.';
COMMENT ON COLUMN answer.memory.written_at IS 'When its life began: evaluated_at of the plan that wrote it.';
COMMENT ON COLUMN answer.memory.expires_at IS 'From when on it is gone.';
COMMENT ON COLUMN answer.memory.trace_id IS 'The trace of the plan that wrote it.';

REVOKE ALL ON answer.memory_entry, answer.memory FROM PUBLIC;
