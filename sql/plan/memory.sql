
/* plan: what is remembered */

CREATE TABLE answer.memory_entry
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	key			text COLLATE "C" NOT NULL,
	value		jsonb NOT NULL,
	digest		text COLLATE "C" NOT NULL,
	provenance	jsonb NOT NULL,
	ttl			text COLLATE "C" NOT NULL,
	written_at	timestamptz NOT NULL,
	expires_at	timestamptz NOT NULL,
	trace_id	text COLLATE "C" NOT NULL,
	reported_by	text[] COLLATE "C",
	PRIMARY KEY (tenant, key),
	-- keys must fit into an index
	CONSTRAINT memory_entry_key CHECK (pg_catalog.octet_length(key) BETWEEN 1 AND 1000),
	CONSTRAINT memory_entry_life CHECK (expires_at OPERATOR(pg_catalog.>) written_at)
);
COMMENT ON TABLE answer.memory_entry IS 'Memory of plans, one key per row, with its last value and what the value rests on. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.key IS 'The key: 1 to 1000 bytes. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.value IS 'The value, in portable form. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.digest IS 'answer_digest(value), by which answer_forget() finds the row. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.provenance IS 'The evidence that it rests on, with the verdict that allowed it. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.ttl IS 'Its time to live, as given. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.written_at IS 'Beginning of its life: evaluated_at of the plan that wrote it. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.expires_at IS 'When it expires. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.trace_id IS 'The trace of the plan that wrote it. See doc/tables.md#answermemory_entry.';
COMMENT ON COLUMN answer.memory_entry.reported_by IS 'The roles that reported the value, or what it rests on; empty: all of it was observed. See doc/tables.md#answermemory_entry.';
-- forgotten content must not survive in the planner's statistics
ALTER TABLE answer.memory_entry ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN provenance SET STATISTICS 0;
CREATE INDEX memory_entry_expires ON answer.memory_entry (tenant, expires_at);
CREATE INDEX memory_entry_digest ON answer.memory_entry (tenant, digest);
CREATE INDEX memory_entry_trace ON answer.memory_entry (tenant, trace_id);
SELECT pg_catalog.pg_extension_config_dump('answer.memory_entry', '');

CREATE VIEW answer.memory AS
SELECT m.tenant, m.key, m.value, m.digest, m.provenance, m.ttl, m.written_at, m.expires_at, m.trace_id, m.reported_by
FROM answer.memory_entry m
WHERE m.expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp();
COMMENT ON VIEW answer.memory IS 'Memory of plans, one key per row, without what had expired when the statement began. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.key IS 'The key. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.value IS 'The value, in portable form. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.digest IS 'answer_digest(value), by which answer_forget() finds the row. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.provenance IS 'The evidence that it rests on, with the verdict that allowed it. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.ttl IS 'Its time to live, as given. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.written_at IS 'Beginning of its life: evaluated_at of the plan that wrote it. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.expires_at IS 'When it expires. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.trace_id IS 'The trace of the plan that wrote it. See doc/tables.md#answermemory.';
COMMENT ON COLUMN answer.memory.reported_by IS 'The roles that reported the value, or what it rests on; empty: all of it was observed. See doc/tables.md#answermemory.';

CREATE TABLE answer.memory_policy
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	key_prefix	text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(key_prefix) OPERATOR(pg_catalog.<=) 1000),
	reported	boolean NOT NULL,
	PRIMARY KEY (tenant, key_prefix)
);
COMMENT ON TABLE answer.memory_policy IS 'Policies that say which keys of memory accept reported values (answer_memory_policy()), one key prefix per row. See doc/tables.md#answermemory_policy.';
COMMENT ON COLUMN answer.memory_policy.tenant IS 'Owner of the keys: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answermemory_policy.';
COMMENT ON COLUMN answer.memory_policy.key_prefix IS 'Prefix of the keys; empty: all keys. See doc/tables.md#answermemory_policy.';
COMMENT ON COLUMN answer.memory_policy.reported IS 'Whether they accept reported values. See doc/tables.md#answermemory_policy.';
SELECT pg_catalog.pg_extension_config_dump('answer.memory_policy', '');

REVOKE ALL ON answer.memory_entry, answer.memory, answer.memory_policy FROM PUBLIC;

CREATE FUNCTION answer.memory_policy_put(tenant text, key_prefix text, reported boolean) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF tenant IS NULL OR key_prefix IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tenant and key_prefix must not be null';
	END IF;
	IF octet_length(convert_to(key_prefix, 'UTF8')) > 1000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('key_prefix must have at most 1000 bytes in UTF-8, and has %s',
			octet_length(convert_to(key_prefix, 'UTF8')));
	END IF;
	IF tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = memory_policy_put.tenant) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant "%s"', tenant),
			hint = 'Tenants are created with answer_tenant_create(); the empty text is the operator.';
	END IF;
	IF reported IS NULL THEN
		DELETE FROM answer.memory_policy p WHERE p.tenant = memory_policy_put.tenant AND p.key_prefix = memory_policy_put.key_prefix;
	ELSE
		INSERT INTO answer.memory_policy (tenant, key_prefix, reported) VALUES (tenant, key_prefix, reported)
		ON CONFLICT ON CONSTRAINT memory_policy_pkey DO UPDATE SET reported = excluded.reported;
	END IF;
	PERFORM answer.change_record_put(tenant, 'memory_policy', key_prefix);
END
$$;
COMMENT ON FUNCTION answer.memory_policy_put(text, text, boolean) IS
'Stores a policy for answer_memory_policy(), as the owner of the tables; not for direct use.';
REVOKE ALL ON FUNCTION answer.memory_policy_put(text, text, boolean) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_memory_policy(tenant text, key_prefix text, reported boolean) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_memory_policy(text, text, boolean) IS
'Sets whether keys of a tenant''s memory accept reported values: a value or evidence that a request, a plan or the application provided, and that no tool observed. See doc/reference.md#answer_memory_policy.';
REVOKE ALL ON FUNCTION @extschema@.answer_memory_policy(text, text, boolean) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_memory_forget(key text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_memory_forget'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_memory_forget(text, text) IS
'Erases what the caller''s tenant remembers under a key, expired or not, and leaves a signed tombstone (answer/tombstone/v1) of its digest in answer.tombstone, so that the same value is not remembered again. See doc/reference.md#answer_memory_forget.';
REVOKE ALL ON FUNCTION @extschema@.answer_memory_forget(text, text) FROM PUBLIC;

-- what answer_forget() also erases if plans have found, quoted or remembered it

CREATE FUNCTION answer.quotes_document(content jsonb, doc_id text, urls text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT EXISTS (SELECT FROM jsonb_path_query(content, 'strict $.** ? (exists (@.uri) || exists (@.source) || exists (@.snippet))') AS o (v),
		unnest(ARRAY[v ->> 'id', v ->> 'uri', v ->> 'source']) AS n (name)
		WHERE starts_with(n.name, doc_id || '#') OR n.name = ANY (urls) OR split_part(n.name, '#', 1) = ANY (urls));
END;
COMMENT ON FUNCTION answer.quotes_document(jsonb, text, text[]) IS
'Returns whether hits, evidence or citations name a document, for answer_forget(); not for direct use.';

REVOKE ALL ON FUNCTION answer.quotes_document(jsonb, text, text[]) FROM PUBLIC;
