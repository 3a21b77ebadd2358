
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
	PRIMARY KEY (tenant, key),
	-- keys must fit into an index
	CONSTRAINT memory_entry_key CHECK (pg_catalog.octet_length(key) BETWEEN 1 AND 1000),
	CONSTRAINT memory_entry_life CHECK (expires_at OPERATOR(pg_catalog.>) written_at)
);
COMMENT ON TABLE answer.memory_entry IS 'What plans remember, each key with its last value, and what the value rests on. What has expired stays here until the tenant writes again; answer.memory does not show it.';
COMMENT ON COLUMN answer.memory_entry.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.memory_entry.key IS 'The key: 1 to 1000 bytes.';
COMMENT ON COLUMN answer.memory_entry.value IS 'The value, in portable form.';
COMMENT ON COLUMN answer.memory_entry.digest IS 'answer_digest(value), by which answer_forget() finds it.';
COMMENT ON COLUMN answer.memory_entry.provenance IS 'The evidence that it rests on, with the verdict that let it pass.';
COMMENT ON COLUMN answer.memory_entry.ttl IS 'Its time to live, as it was given.';
COMMENT ON COLUMN answer.memory_entry.written_at IS 'When its life began: evaluated_at of the plan that wrote it.';
COMMENT ON COLUMN answer.memory_entry.expires_at IS 'The instant from which it is gone.';
COMMENT ON COLUMN answer.memory_entry.trace_id IS 'The trace of the plan that wrote it.';
-- what is forgotten must not live on in the planner's samples
ALTER TABLE answer.memory_entry ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN provenance SET STATISTICS 0;
CREATE INDEX memory_entry_expires ON answer.memory_entry (tenant, expires_at);
CREATE INDEX memory_entry_digest ON answer.memory_entry (tenant, digest);
CREATE INDEX memory_entry_trace ON answer.memory_entry (tenant, trace_id);
SELECT pg_catalog.pg_extension_config_dump('answer.memory_entry', '');

CREATE VIEW answer.memory AS
SELECT m.tenant, m.key, m.value, m.digest, m.provenance, m.ttl, m.written_at, m.expires_at, m.trace_id
FROM answer.memory_entry m
WHERE m.expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp();
COMMENT ON VIEW answer.memory IS 'What plans remember, without what has expired when the statement begins.';
COMMENT ON COLUMN answer.memory.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.memory.key IS 'The key.';
COMMENT ON COLUMN answer.memory.value IS 'The value, in portable form.';
COMMENT ON COLUMN answer.memory.digest IS 'answer_digest(value), by which answer_forget() finds it.';
COMMENT ON COLUMN answer.memory.provenance IS 'The evidence that it rests on, with the verdict that let it pass.';
COMMENT ON COLUMN answer.memory.ttl IS 'Its time to live, as it was given.';
COMMENT ON COLUMN answer.memory.written_at IS 'When its life began: evaluated_at of the plan that wrote it.';
COMMENT ON COLUMN answer.memory.expires_at IS 'The instant from which it is gone.';
COMMENT ON COLUMN answer.memory.trace_id IS 'The trace of the plan that wrote it.';

REVOKE ALL ON answer.memory_entry, answer.memory FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_memory_forget(key text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_memory_forget'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_memory_forget(text, text) IS
'Erases what the caller''s tenant remembers under a key, whether it has expired or not, and leaves a signed tombstone (answer/tombstone/v1) of its digest in answer.tombstone: the same value is not remembered again. The same value under other keys goes as well, and so does every receipt that carries it as evidence; documents of plans stay, and answer_forget() erases them by their ids, with their traces. Arguments: the key; reason, 1 to 1000 characters, which everybody can read who sees the tombstone. Result: {"forgotten_at", "receipts": [ids], "readings": [the digest of the value]}. Errors: 22004 for NULL, 22023 for a malformed reason, P0002 if nothing is stored under the key, 55000 without a usable signing key, 25006 in a read-only transaction, 42501 without the privilege or without a tenant (answer_tenant()). Reads every receipt, and keeps receipts, readings and documents from being stored from the end of that search until the transaction ends.';
REVOKE ALL ON FUNCTION @extschema@.answer_memory_forget(text, text) FROM PUBLIC;

-- what answer_forget() takes along, where plans have found, quoted or remembered it

CREATE FUNCTION answer.quotes_document(content jsonb, doc_id text, urls text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT EXISTS (SELECT FROM jsonb_path_query(content, 'strict $.** ? (exists (@.uri) || exists (@.source) || exists (@.snippet))') AS o (v),
		unnest(ARRAY[v ->> 'id', v ->> 'uri', v ->> 'source']) AS n (name)
		WHERE starts_with(n.name, doc_id || '#') OR n.name = ANY (urls) OR split_part(n.name, '#', 1) = ANY (urls));
END;
COMMENT ON FUNCTION answer.quotes_document(jsonb, text, text[]) IS
'Whether hits, evidence or citations name a document, for answer_forget(); not for direct use. Arguments: content, the document of a plan or what is remembered; doc_id; urls, those of its versions (NULL: none). Result: whether an object in it that has a uri, a source or a snippet has an id, a uri or a source that is a chunk of it, or is one of the urls, with or without an anchor. Errors: none.';

CREATE FUNCTION answer.memory_erase(tenant text, doc_id text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	keys text[];
BEGIN
	WITH gone AS (
		DELETE FROM answer.memory_entry m WHERE m.tenant = memory_erase.tenant
		AND answer.quotes_document(jsonb_build_array(m.value, m.provenance), memory_erase.doc_id,
			(SELECT array_agg(d.url) FROM answer.document d WHERE d.tenant = memory_erase.tenant AND d.doc_id = memory_erase.doc_id))
		RETURNING m.key
	)
	SELECT array_agg(g.key ORDER BY g.key) INTO keys FROM gone g;
	PERFORM answer.memory_recorded(tenant, keys);
END
$$;
COMMENT ON FUNCTION answer.memory_erase(text, text) IS
'Deletes what is remembered of a document, for answer_forget(); not for direct use. Arguments: the tenant; the document, which is still there. Result: none. Errors: none.';

CREATE FUNCTION answer.memory_erase_value(tenant text, digest text) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	keys text[];
BEGIN
	WITH gone AS (
		DELETE FROM answer.memory_entry m WHERE m.tenant = memory_erase_value.tenant AND m.digest = memory_erase_value.digest
		RETURNING m.key
	)
	SELECT array_agg(g.key ORDER BY g.key) INTO keys FROM gone g;
	PERFORM answer.memory_recorded(tenant, keys);
	RETURN keys IS NOT NULL;
END
$$;
COMMENT ON FUNCTION answer.memory_erase_value(text, text) IS
'Deletes a value that is remembered, under whatever keys, for answer_forget(); not for direct use. Arguments: the tenant; the digest of the value. Result: whether there was one. Errors: none.';
REVOKE ALL ON FUNCTION answer.quotes_document(jsonb, text, text[]), answer.memory_erase(text, text), answer.memory_erase_value(text, text) FROM PUBLIC;
