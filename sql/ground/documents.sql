
/* documents: what is retrieved, in versions and chunks; and what finds it */

-- No foreign keys, for the reason given in evidence.sql.

CREATE TABLE answer.document_set
(
	tenant	text NOT NULL PRIMARY KEY,
	version	bigint NOT NULL,
	chunks	bigint NOT NULL,
	sum		bytea NOT NULL DEFAULT ''
);
-- compression would not help
ALTER TABLE answer.document_set ALTER COLUMN sum SET STORAGE EXTERNAL;
COMMENT ON TABLE answer.document_set IS 'The set of documents of each tenant, one row per tenant. See doc/tables.md#answerdocument_set.';
COMMENT ON COLUMN answer.document_set.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerdocument_set.';
COMMENT ON COLUMN answer.document_set.version IS 'Number of calls that changed a document; as long as it and the rules are the same, a search finds the same. See doc/tables.md#answerdocument_set.';
COMMENT ON COLUMN answer.document_set.chunks IS 'Number of searchable chunks: those of the newest version of each document. See doc/tables.md#answerdocument_set.';
COMMENT ON COLUMN answer.document_set.sum IS 'answer.row_sum() of the rows of answer.document and answer.chunk_embedding, which signed records (change/v1) of kind documents contain. See doc/tables.md#answerdocument_set.';

CREATE TABLE answer.document
(
	tenant			text NOT NULL,
	doc_id			text NOT NULL CHECK (doc_id OPERATOR(pg_catalog.<>) ''),
	version			integer NOT NULL CHECK (version OPERATOR(pg_catalog.>) 0),
	title			text NOT NULL,
	url				text,
	"timestamp"		timestamptz NOT NULL CHECK (pg_catalog.isfinite("timestamp")),
	chunks			integer NOT NULL CHECK (chunks OPERATOR(pg_catalog.>) 0),
	content_hash	text NOT NULL,
	loaded_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	loaded_by		text NOT NULL,
	PRIMARY KEY (tenant, doc_id, version)
);
COMMENT ON TABLE answer.document IS 'Versions of documents, one per row. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.doc_id IS 'Id of the document, as given. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.version IS 'From 1; every load that changes the document adds a version. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.title IS 'Its title. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.url IS 'Where people find it; the uri of its chunks begins with it. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document."timestamp" IS 'The instant to which it applies, as given. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.chunks IS 'Number of its chunks. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.content_hash IS 'Digest of its id, title, url, timestamp and chunks: "sha256:" and 64 hex digits. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.loaded_at IS 'When this version was loaded, by the server''s clock. See doc/tables.md#answerdocument.';
COMMENT ON COLUMN answer.document.loaded_by IS 'Name of the session''s role that loaded it. See doc/tables.md#answerdocument.';

CREATE TABLE answer.chunk
(
	tenant			text NOT NULL,
	doc_id			text NOT NULL,
	version			integer NOT NULL,
	ordinal			integer NOT NULL,
	chunk_id		text NOT NULL,
	anchor			text,
	section			text,
	uri				text,
	title			text NOT NULL,
	text			text NOT NULL,
	content_hash	text NOT NULL,
	PRIMARY KEY (tenant, doc_id, version, ordinal)
);
COMMENT ON TABLE answer.chunk IS 'Chunks (paragraphs) of documents, of all versions, one per row. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.doc_id IS 'Document that it is part of. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.version IS 'Version of the document. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.ordinal IS 'Its position in the document, from 0, across all sections. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.chunk_id IS 'Id of the chunk: doc_id, "#p" and ordinal. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.anchor IS 'Anchor of the section. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.section IS 'Title of the section. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.uri IS 'The document''s url, with "#" and the anchor if there is one. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.title IS 'The document''s title, followed by an arrow and the section''s title if there is a section. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.text IS 'The paragraph, without leading or trailing white space. See doc/tables.md#answerchunk.';
COMMENT ON COLUMN answer.chunk.content_hash IS '"sha256:" and the SHA-256 of the text in UTF-8, in hex. See doc/tables.md#answerchunk.';

-- Terms are bytea: text would depend on the server's encoding, which may lack a folded letter, and on a collation.
-- Each term begins with the tenant's name and a blank, and so do the keys of the index.
CREATE TABLE answer.chunk_search
(
	tenant		text NOT NULL,
	chunk_id	text COLLATE "C" NOT NULL,
	doc_id		text NOT NULL,
	version		integer NOT NULL,
	ordinal		integer NOT NULL,
	"timestamp"	timestamptz NOT NULL,
	-- before the wide columns: for many rows only this is read
	sketch		bytea NOT NULL,
	items		bytea[] NOT NULL,
	title_items	bytea[] NOT NULL,
	PRIMARY KEY (tenant, chunk_id)
);
COMMENT ON TABLE answer.chunk_search IS 'Search data of the chunks in the newest version of each document, one chunk per row. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.chunk_id IS 'Id of the chunk. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.doc_id IS 'Document that it is part of. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.version IS 'Version of the document. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.ordinal IS 'Its place in the document. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search."timestamp" IS 'The document''s timestamp. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.items IS 'Distinct items (reading/1) of all tokens of the text and the title, under the rules in force; each after the tenant and a blank, in UTF-8. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.title_items IS 'Items of the title only. See doc/tables.md#answerchunk_search.';
COMMENT ON COLUMN answer.chunk_search.sketch IS 'The items of the title and of each sentence, in two bytes each, which give an upper bound for the similarity to a question. See doc/tables.md#answerchunk_search.';
-- no samples for the planner: what answer_forget deletes must not remain there
ALTER TABLE answer.document ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN url SET STATISTICS 0;
ALTER TABLE answer.chunk ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN uri SET STATISTICS 0,
	ALTER COLUMN section SET STATISTICS 0, ALTER COLUMN anchor SET STATISTICS 0;
ALTER TABLE answer.chunk_search ALTER COLUMN items SET STATISTICS 0, ALTER COLUMN title_items SET STATISTICS 0,
	ALTER COLUMN sketch SET STATISTICS 0;
-- what is read for many chunks stays in the row, uncompressed
ALTER TABLE answer.chunk_search ALTER COLUMN sketch SET STORAGE EXTERNAL;
CREATE INDEX chunk_search_document ON answer.chunk_search (tenant, doc_id);
CREATE INDEX chunk_search_items ON answer.chunk_search USING gin (items, title_items);

CREATE TABLE answer.chunk_item
(
	tenant	text NOT NULL,
	item	bytea NOT NULL,
	chunks	bigint NOT NULL,
	PRIMARY KEY (tenant, item)
)
-- room for the next count on the same page
WITH (fillfactor = 45);
COMMENT ON TABLE answer.chunk_item IS 'Items of the searchable chunks, with the number of chunks that have them, one per row; they decide which item of a question is looked up first. See doc/tables.md#answerchunk_item.';
COMMENT ON COLUMN answer.chunk_item.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerchunk_item.';
COMMENT ON COLUMN answer.chunk_item.item IS 'The item, in UTF-8. See doc/tables.md#answerchunk_item.';
COMMENT ON COLUMN answer.chunk_item.chunks IS 'Number of chunks that have it in their text or title. See doc/tables.md#answerchunk_item.';
ALTER TABLE answer.chunk_item ALTER COLUMN item SET STATISTICS 0;

CREATE TABLE answer.chunk_embedding
(
	tenant			text NOT NULL,
	chunk_id		text COLLATE "C" NOT NULL,
	content_hash	text NOT NULL,
	embedding		real[] NOT NULL,
	PRIMARY KEY (tenant, chunk_id)
);
COMMENT ON TABLE answer.chunk_embedding IS 'Embeddings that users gave for chunks, one per row; without pgvector nothing reads them. See doc/tables.md#answerchunk_embedding.';
COMMENT ON COLUMN answer.chunk_embedding.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerchunk_embedding.';
COMMENT ON COLUMN answer.chunk_embedding.chunk_id IS 'The chunk, of the newest version of its document. See doc/tables.md#answerchunk_embedding.';
COMMENT ON COLUMN answer.chunk_embedding.content_hash IS 'content_hash of the chunk for which it was given. See doc/tables.md#answerchunk_embedding.';
COMMENT ON COLUMN answer.chunk_embedding.embedding IS 'The embedding, made by the user''s model. See doc/tables.md#answerchunk_embedding.';
ALTER TABLE answer.chunk_embedding ALTER COLUMN embedding SET STATISTICS 0;

REVOKE ALL ON answer.document_set, answer.document, answer.chunk, answer.chunk_search, answer.chunk_item, answer.chunk_embedding FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.document_set', '');
SELECT pg_catalog.pg_extension_config_dump('answer.document', '');
SELECT pg_catalog.pg_extension_config_dump('answer.chunk', '');
SELECT pg_catalog.pg_extension_config_dump('answer.chunk_search', '');
SELECT pg_catalog.pg_extension_config_dump('answer.chunk_item', '');
SELECT pg_catalog.pg_extension_config_dump('answer.chunk_embedding', '');

-- Loaded content never changes, except that forgetting deletes it.
CREATE TRIGGER document_append_only BEFORE UPDATE ON answer.document
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER document_no_truncate BEFORE TRUNCATE ON answer.document
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER chunk_append_only BEFORE UPDATE ON answer.chunk
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER chunk_no_truncate BEFORE TRUNCATE ON answer.chunk
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION answer.document_read(docs jsonb)
RETURNS TABLE (doc_id text, title text, url text, "timestamp" timestamptz, content_hash text, chunks integer, ordinal integer, chunk_id text,
	anchor text, section text, uri text, chunk_title text, text text, chunk_hash text)
AS 'MODULE_PATHNAME', 'answer_eval_document_read'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 100;
COMMENT ON FUNCTION answer.document_read(jsonb) IS
'Cuts documents into chunks; not for direct use.';

CREATE FUNCTION answer.document_filter(tenant text, filter jsonb, OUT doc_ids text[], OUT since timestamptz, OUT until timestamptz, OUT title_items bytea[])
AS 'MODULE_PATHNAME', 'answer_eval_document_filter'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.document_filter(text, jsonb) IS
'Reads a filter; not for direct use.';

CREATE FUNCTION answer.search_items(scope text, text text, title text, OUT items bytea[], OUT title_items bytea[], OUT sketch bytea)
AS 'MODULE_PATHNAME', 'answer_eval_search_items'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.search_items(text, text, text) IS
'Returns the search terms for a text with a title, as in answer.chunk_search and answer.graph_search, under the rules in force; not for direct use.';

CREATE FUNCTION answer.document_set_version(tenant text) RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT COALESCE((SELECT s.version FROM answer.document_set s WHERE s.tenant = document_set_version.tenant), 0);
END;
COMMENT ON FUNCTION answer.document_set_version(text) IS
'Returns a number that stays the same while the tenant''s documents do, for the cache of answers; not for direct use.';

-- A transaction that loads documents one by one has statistics from before it, mostly of empty tables. Based on
-- these, a plan would read all rows of the tenant for each document. Therefore each document and each item is looked
-- up by its whole key (OFFSET 0 prevents other joins), and the rows found are changed by ctid; nobody else changes
-- them meanwhile (document_set_lock).
CREATE FUNCTION answer.chunk_unindex(tenant text, doc_ids text[]) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
-- the planner overestimates the cost: compiling would take longer than the work
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
	removed bigint;
	unused bytea[];
BEGIN
	WITH gone AS (
		DELETE FROM answer.chunk_search s
		WHERE s.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(doc_ids) AS d (doc_id) CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_search o
			WHERE o.tenant = chunk_unindex.tenant AND o.doc_id = d.doc_id OFFSET 0) AS n))
		RETURNING s.items
	), lost AS (
		SELECT substring(t.term FROM octet_length(tenant) + 2) AS item, count(*) AS chunks
		FROM gone g, LATERAL unnest(g.items) AS t (term) GROUP BY t.term
	), counted AS (
		UPDATE answer.chunk_item i SET chunks = i.chunks - p.chunks
		FROM (SELECT n.ctid AS place, l.chunks FROM lost l CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_item o
			WHERE o.tenant = chunk_unindex.tenant AND o.item = l.item OFFSET 0) AS n) AS p
		WHERE i.ctid = p.place
		RETURNING i.item, i.chunks
	)
	SELECT (SELECT count(*) FROM gone), ARRAY(SELECT c.item FROM counted c WHERE c.chunks = 0) INTO removed, unused;
	DELETE FROM answer.chunk_item i
	WHERE i.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(unused) AS u (item) CROSS JOIN LATERAL (SELECT o.ctid FROM answer.chunk_item o
		WHERE o.tenant = chunk_unindex.tenant AND o.item = u.item OFFSET 0) AS n));
	UPDATE answer.document_set s SET chunks = s.chunks - removed WHERE s.tenant = chunk_unindex.tenant;
END
$$;
COMMENT ON FUNCTION answer.chunk_unindex(text, text[]) IS
'Removes documents from search, and their items from the counts; not for direct use.';

CREATE FUNCTION answer.chunk_index(tenant text, doc_ids text[]) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
	added bigint;
BEGIN
	WITH found AS (
		INSERT INTO answer.chunk_search (tenant, chunk_id, doc_id, version, ordinal, "timestamp", items, title_items, sketch)
		SELECT c.tenant, c.chunk_id, c.doc_id, c.version, c.ordinal, d."timestamp", r.items, r.title_items, r.sketch
		FROM unnest(doc_ids) AS g (doc_id)
		CROSS JOIN LATERAL (SELECT o.version, o."timestamp" FROM answer.document o
			WHERE o.tenant = chunk_index.tenant AND o.doc_id = g.doc_id ORDER BY o.version DESC LIMIT 1) AS d
		CROSS JOIN LATERAL (SELECT o.* FROM answer.chunk o
			WHERE o.tenant = chunk_index.tenant AND o.doc_id = g.doc_id AND o.version = d.version OFFSET 0) AS c
		CROSS JOIN LATERAL answer.search_items(c.tenant, c.text, c.title) AS r
		RETURNING items
	), gained AS (
		SELECT substring(t.term FROM octet_length(tenant) + 2) AS item, count(*) AS chunks
		FROM found f, LATERAL unnest(f.items) AS t (term) GROUP BY t.term
	), counted AS (
		INSERT INTO answer.chunk_item AS i (tenant, item, chunks) SELECT tenant, g.item, g.chunks FROM gained g
		ON CONFLICT ON CONSTRAINT chunk_item_pkey DO UPDATE SET chunks = i.chunks + excluded.chunks
	)
	SELECT count(*) INTO added FROM found;
	UPDATE answer.document_set s SET chunks = s.chunks + added WHERE s.tenant = chunk_index.tenant;
	-- flush the pending list of the index at once, because every search would read through it
	PERFORM gin_clean_pending_list(i) FROM to_regclass('answer.chunk_search_items') AS i WHERE i IS NOT NULL;
END
$$;
COMMENT ON FUNCTION answer.chunk_index(text, text[]) IS
'Adds the newest versions of documents to search, and their items to the counts; not for direct use.';

-- Updates in place, and only what reads differently now: a restore may load the rules before the chunks, or after
-- them.
CREATE FUNCTION answer.chunk_reread() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tenants text[];
BEGIN
	IF NOT EXISTS (SELECT FROM changed c WHERE c.list IN ('units', 'negators', 'not_negating')) THEN
		RETURN NULL;
	END IF;
	PERFORM FROM answer.document_set s ORDER BY s.tenant COLLATE "C" FOR UPDATE;
	WITH made AS MATERIALIZED (
		SELECT s.tenant, s.chunk_id, s.items AS former, r.items, r.title_items, r.sketch
		FROM answer.chunk_search s
		JOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal,
		LATERAL answer.search_items(c.tenant, c.text, c.title) AS r
		WHERE (s.items, s.title_items, s.sketch) IS DISTINCT FROM (r.items, r.title_items, r.sketch)
	), put AS (
		UPDATE answer.chunk_search s SET items = m.items, title_items = m.title_items, sketch = m.sketch
		FROM made m WHERE s.tenant = m.tenant AND s.chunk_id = m.chunk_id
	), other AS MATERIALIZED (
		SELECT t.tenant, substring(t.term FROM octet_length(t.tenant) + 2) AS item, sum(t.n)::bigint AS n
		FROM (SELECT m.tenant, unnest(m.items) AS term, 1 AS n FROM made m
			UNION ALL SELECT m.tenant, unnest(m.former), -1 FROM made m) AS t
		GROUP BY t.tenant, t.term HAVING sum(t.n) <> 0
	), more AS (
		INSERT INTO answer.chunk_item AS i (tenant, item, chunks) SELECT o.tenant, o.item, o.n FROM other o WHERE o.n > 0
		ON CONFLICT ON CONSTRAINT chunk_item_pkey DO UPDATE SET chunks = i.chunks + excluded.chunks
	), fewer AS (
		UPDATE answer.chunk_item i SET chunks = i.chunks + o.n FROM other o WHERE o.n < 0 AND i.tenant = o.tenant AND i.item = o.item
	)
	SELECT array_agg(DISTINCT m.tenant) INTO tenants FROM made m;
	IF tenants IS NOT NULL THEN
		DELETE FROM answer.chunk_item i WHERE i.tenant = ANY (tenants) AND i.chunks = 0;
		PERFORM gin_clean_pending_list(i) FROM to_regclass('answer.chunk_search_items') AS i WHERE i IS NOT NULL;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.chunk_reread() IS
'Trigger, not for direct use, that reads the chunks of all tenants again when the rules of reading change.';

CREATE TRIGGER decision_rule_chunk_added AFTER INSERT ON answer.decision_rule
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread();
CREATE TRIGGER decision_rule_chunk_changed AFTER UPDATE ON answer.decision_rule
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread();
CREATE TRIGGER decision_rule_chunk_removed AFTER DELETE ON answer.decision_rule
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.chunk_reread();

CREATE FUNCTION answer.document_set_lock(tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	INSERT INTO answer.document_set (tenant, version, chunks) VALUES (tenant, 0, 0) ON CONFLICT DO NOTHING;
	PERFORM FROM answer.document_set s WHERE s.tenant = document_set_lock.tenant FOR UPDATE;
END
$$;
COMMENT ON FUNCTION answer.document_set_lock(text) IS
'Prevents others from changing the documents of a tenant until the transaction ends; not for direct use.';

CREATE FUNCTION answer.document_newest(tenant text, doc_id text, OUT version integer, OUT content_hash text)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
-- as in chunk_index()
SET enable_seqscan = off
SET jit = off
AS $$
#variable_conflict use_variable
BEGIN
	SELECT o.version, o.content_hash INTO version, content_hash FROM answer.document o
	WHERE o.tenant = document_newest.tenant AND o.doc_id = document_newest.doc_id ORDER BY o.version DESC LIMIT 1;
END
$$;
COMMENT ON FUNCTION answer.document_newest(text, text) IS
'Returns the newest version of a document; not for direct use.';

CREATE FUNCTION answer.document_load_put(tenant text, docs jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	result jsonb;
	stored text[];
	added bytea[];
	removed bytea[];
	before bytea;
BEGIN
	IF tenant IS NULL OR docs IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'docs must not be null';
	END IF;
	-- refuses malformed input in a statement of its own: an error shows the statement that raised it, and this one is
	-- short
	PERFORM FROM answer.document_read(docs);
	-- forgetting takes this lock first and then the rows, so that nobody deadlocks
	PERFORM answer.keep_unforgotten(tenant);
	-- if the rules changed meanwhile, other chunks would be read again, but not these
	PERFORM answer.rules_stay();
	-- the lock would leave a row that no record mentions
	IF docs = '[]' AND NOT EXISTS (SELECT FROM answer.document_set s WHERE s.tenant = document_load_put.tenant) THEN
		RETURN '{"created": 0, "replaced": 0, "unchanged": 0, "chunks": 0, "documents": []}';
	END IF;
	PERFORM answer.document_set_lock(tenant);
	PERFORM answer.content_settle();
	SELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = document_load_put.tenant;
	WITH given AS MATERIALIZED (
		SELECT r.* FROM answer.document_read(docs) AS r
	), judged AS MATERIALIZED (
		SELECT g.*, COALESCE(d.version, 0) AS last_version, d.content_hash IS DISTINCT FROM g.content_hash AS is_new
		FROM given g CROSS JOIN LATERAL answer.document_newest(tenant, g.doc_id) AS d
		WHERE g.ordinal = 0
	), put AS (
		INSERT INTO answer.document AS n (tenant, doc_id, version, title, url, "timestamp", chunks, content_hash, loaded_by)
		SELECT tenant, j.doc_id, j.last_version + 1, j.title, j.url, j."timestamp", j.chunks, j.content_hash, session_user
		FROM judged j WHERE j.is_new
		RETURNING answer.row_digest('document', n) AS digest
	), cut AS (
		INSERT INTO answer.chunk (tenant, doc_id, version, ordinal, chunk_id, anchor, section, uri, title, text, content_hash)
		SELECT tenant, g.doc_id, j.last_version + 1, g.ordinal, g.chunk_id, g.anchor, g.section, g.uri, g.chunk_title, g.text, g.chunk_hash
		FROM given g JOIN judged j ON j.doc_id = g.doc_id AND j.is_new
	)
	SELECT jsonb_build_object('created', count(*) FILTER (WHERE j.last_version = 0),
			'replaced', count(*) FILTER (WHERE j.last_version > 0 AND j.is_new), 'unchanged', count(*) FILTER (WHERE NOT j.is_new),
			'chunks', COALESCE(sum(j.chunks) FILTER (WHERE j.is_new), 0), 'documents', COALESCE(jsonb_agg(jsonb_build_object('doc_id', j.doc_id,
				'version', j.last_version + j.is_new::int, 'chunks', j.chunks, 'content_hash', j.content_hash, 'state',
				CASE WHEN NOT j.is_new THEN 'unchanged' WHEN j.last_version = 0 THEN 'created' ELSE 'replaced' END)
				ORDER BY j.doc_id COLLATE "C"), '[]')),
		array_agg(j.doc_id) FILTER (WHERE j.is_new), ARRAY(SELECT p.digest FROM put p)
	INTO result, stored, added
	FROM judged j;
	IF stored IS NULL THEN
		RETURN result;
	END IF;
	PERFORM answer.refuse_forgotten(tenant, d ->> 'content_hash')
	FROM jsonb_array_elements(result -> 'documents') AS d WHERE d ->> 'state' <> 'unchanged';
	PERFORM answer.chunk_unindex(tenant, stored);
	PERFORM answer.chunk_index(tenant, stored);
	WITH gone AS (
		DELETE FROM answer.chunk_embedding e
		WHERE e.ctid = ANY (ARRAY(SELECT n.ctid FROM unnest(stored) AS d (doc_id)
			CROSS JOIN LATERAL (SELECT DISTINCT o.chunk_id FROM answer.chunk o
				WHERE o.tenant = document_load_put.tenant AND o.doc_id = d.doc_id OFFSET 0) AS k
			CROSS JOIN LATERAL (SELECT o.ctid, o.content_hash FROM answer.chunk_embedding o
				WHERE o.tenant = document_load_put.tenant AND o.chunk_id = k.chunk_id OFFSET 0) AS n
			WHERE NOT EXISTS (SELECT FROM answer.chunk_search s
				JOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal
				WHERE s.tenant = document_load_put.tenant AND s.chunk_id = k.chunk_id AND c.content_hash = n.content_hash)))
		RETURNING answer.row_digest('chunk_embedding', e) AS digest
	)
	SELECT array_agg(g.digest) INTO removed FROM gone g;
	UPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), added)
	WHERE s.tenant = document_load_put.tenant;
	PERFORM answer.content_record_put(tenant, 'documents', 'documents', before);
	PERFORM answer.content_settle();
	RETURN result;
END
$$;
COMMENT ON FUNCTION answer.document_load_put(text, jsonb) IS
'Stores documents for answer_document_load(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_document_load(docs jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_document_load(jsonb) IS
'Loads documents, all or none, each split into chunks at blank lines. See doc/reference.md#answer_document_load.';

CREATE FUNCTION answer.documents_of(tenant text, filter jsonb)
RETURNS TABLE (doc_id text, title text, "timestamp" timestamptz, url text, version integer, chunks integer, content_hash text, loaded_at timestamptz)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE ROWS 100
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT d.doc_id, d.title, d."timestamp", d.url, d.version, d.chunks, d.content_hash, d.loaded_at
	FROM answer.document d, answer.document_filter(documents_of.tenant, documents_of.filter) AS f
	WHERE d.tenant = documents_of.tenant
	AND NOT EXISTS (SELECT FROM answer.document n WHERE n.tenant = d.tenant AND n.doc_id = d.doc_id AND n.version > d.version)
	AND (f.doc_ids IS NULL OR d.doc_id = ANY (f.doc_ids))
	AND (f.since IS NULL OR d."timestamp" >= f.since)
	AND (f.until IS NULL OR d."timestamp" <= f.until)
	AND (f.title_items IS NULL OR (answer.search_items(d.tenant, '', d.title)).title_items @> f.title_items)
	ORDER BY d.doc_id COLLATE "C";
END;
COMMENT ON FUNCTION answer.documents_of(text, jsonb) IS
'Lists documents for answer_documents(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_documents(filter jsonb DEFAULT NULL)
RETURNS TABLE (doc_id text, title text, "timestamp" timestamptz, url text, version integer, chunks integer, content_hash text, loaded_at timestamptz)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 100;
COMMENT ON FUNCTION @extschema@.answer_documents(jsonb) IS
'Returns the documents of the caller''s tenant, each in its newest version. See doc/reference.md#answer_documents.';

CREATE FUNCTION answer.document_judged(tenant text, doc_id text) RETURNS text[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
-- with the caller's setting, some judgements would be left at random
SET gin_fuzzy_search_limit = 0
BEGIN ATOMIC
	SELECT array_agg(DISTINCT j.pair) FROM answer.judgement j
	WHERE j.tenant = document_judged.tenant AND j.passages && (
		-- with its title and without; the part of a title before a blank line is a passage of its own
		SELECT array_agg(sha256(convert_to(split_part(p.passage, E'\n\n', -1), 'UTF8')))
		FROM answer.chunk c, LATERAL unnest(ARRAY[concat(c.title, E'\n', c.text), c.text]) AS p (passage)
		WHERE c.tenant = document_judged.tenant AND c.doc_id = document_judged.doc_id);
END;
COMMENT ON FUNCTION answer.document_judged(text, text) IS
'Returns the digests of judged pairs that contain a chunk of the document, for answer_forget(); not for direct use.';

CREATE FUNCTION answer.document_erase(tenant text, doc_id text, digests text[], copies text[]) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	place	text;
	removed	bytea[];
	before	bytea;
BEGIN
	-- the tenant's own document, and copies of the same content
	FOR place IN SELECT p.key FROM (SELECT tenant AS key UNION SELECT unnest(copies)) AS p ORDER BY p.key COLLATE "C"
	LOOP
		PERFORM answer.document_set_lock(place);
		PERFORM answer.content_settle();
		SELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = place;
		PERFORM answer.chunk_unindex(place, ARRAY[doc_id]);
		DELETE FROM answer.chunk c WHERE c.tenant = place AND c.doc_id = document_erase.doc_id;
		WITH embedding AS (
			DELETE FROM answer.chunk_embedding e WHERE e.tenant = place AND split_part(e.chunk_id, '#', 1) = doc_id
			RETURNING answer.row_digest('chunk_embedding', e) AS digest
		), fact AS (
			DELETE FROM answer.document_fact f WHERE f.tenant = place AND f.doc_id = document_erase.doc_id
			RETURNING answer.row_digest('document_fact', f) AS digest
		), document AS (
			DELETE FROM answer.document d WHERE d.tenant = place AND d.doc_id = document_erase.doc_id
			RETURNING answer.row_digest('document', d) AS digest
		)
		SELECT array_agg(g.digest) INTO removed FROM (SELECT e.digest FROM embedding e UNION ALL SELECT f.digest FROM fact f UNION ALL SELECT d.digest FROM document d) AS g;
		UPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), '{}')
		WHERE s.tenant = place AND digests <> '{}';
		PERFORM answer.content_record_put(place, 'documents', 'documents', before);
		PERFORM answer.content_settle();
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.document_erase(text, text, text[], text[]) IS
'Deletes a document in all versions, whose digests are given, with the copies of the same content in the given sets of documents, for answer_forget(); not for direct use.';

CREATE FUNCTION answer.search_text(tenant text, query text, k integer, filter jsonb)
RETURNS TABLE (chunk_id text, doc_id text, version integer, ordinal integer, similarity float8)
AS 'MODULE_PATHNAME', 'answer_eval_search_text'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 10000 ROWS 5;
COMMENT ON FUNCTION answer.search_text(text, text, integer, jsonb) IS
'Returns the chunks of a tenant that are most similar to a query by text-score/2, as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.vector_schema() RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name text;
BEGIN
	SELECT quote_ident(n.nspname) INTO name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '55000', message = 'embeddings need the extension vector, which is not installed',
			hint = 'CREATE EXTENSION vector (pgvector), or search without an embedding.';
	END IF;
	RETURN name;
END
$$;
COMMENT ON FUNCTION answer.vector_schema() IS
'Returns the schema of pgvector, quoted; not for direct use.';

CREATE FUNCTION answer.embedding_check(embedding real[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF embedding IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'embedding must not be null';
	END IF;
	IF array_ndims(embedding) IS DISTINCT FROM 1 OR cardinality(embedding) > 16000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'embedding must be a list of 1 to 16000 numbers',
			detail = format('It has %s dimensions and %s numbers.', COALESCE(array_ndims(embedding), 0), cardinality(embedding));
	END IF;
	IF EXISTS (SELECT FROM unnest(embedding) AS u (x) WHERE x IS NULL OR x IN ('NaN', 'Infinity', '-Infinity')) THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'embedding must hold finite numbers only';
	END IF;
	IF 0 = ALL (embedding) THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'embedding must not be zero',
			detail = 'A vector without a direction has no cosine.';
	END IF;
	-- pgvector squares in type real: a vector whose square is 0 there would have cosine 1 with everything
	IF (SELECT sum(u.x::float8 * u.x) FROM unnest(embedding) AS u (x)) NOT BETWEEN 1e-30 AND 1e30 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'embedding must have a length from 1e-15 to 1e15',
			hint = 'Scale it: that changes no cosine.';
	END IF;
END
$$;
COMMENT ON FUNCTION answer.embedding_check(real[]) IS
'Refuses anything that is not a usable embedding; not for direct use.';

CREATE FUNCTION answer.chunk_embed_put(tenant text, chunk_id text, embedding real[], content_hash text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	digest text;
	removed bytea[];
	added bytea;
BEGIN
	IF chunk_id IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'chunk_id must not be null';
	END IF;
	PERFORM answer.embedding_check(embedding);
	-- as for a load: a record is signed at the end
	LOCK TABLE answer.tombstone IN ROW EXCLUSIVE MODE;
	PERFORM answer.document_set_lock(tenant);
	SELECT c.content_hash INTO digest FROM answer.chunk_search s
	JOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal
	WHERE s.tenant = chunk_embed_put.tenant AND s.chunk_id = chunk_embed_put.chunk_id;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no chunk "%s"', chunk_id),
			hint = 'Chunks have the ids DOCUMENT#p0, DOCUMENT#p1 and so on; answer_documents() lists the documents.';
	END IF;
	IF content_hash <> digest THEN
		RAISE EXCEPTION USING errcode = '55000', message = format('the text of chunk "%s" is not the text that was embedded', chunk_id),
			hint = 'answer_embedding_pending() lists the chunks that lack an embedding, each with its text and content_hash.';
	END IF;
	SELECT array_agg(answer.row_digest('chunk_embedding', e)) INTO removed FROM answer.chunk_embedding e
	WHERE e.tenant = chunk_embed_put.tenant AND e.chunk_id = chunk_embed_put.chunk_id;
	INSERT INTO answer.chunk_embedding AS e (tenant, chunk_id, content_hash, embedding) VALUES (tenant, chunk_id, digest, embedding)
	ON CONFLICT ON CONSTRAINT chunk_embedding_pkey DO UPDATE SET content_hash = excluded.content_hash, embedding = excluded.embedding
	RETURNING answer.row_digest('chunk_embedding', e) INTO added;
	-- at the end of the transaction, one record of all its embeddings is signed
	UPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, COALESCE(removed, '{}'), ARRAY[added])
	WHERE s.tenant = chunk_embed_put.tenant;
END
$$;
COMMENT ON FUNCTION answer.chunk_embed_put(text, text, real[], text) IS
'Stores an embedding for answer_chunk_embed(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_chunk_embed(chunk_id text, embedding real[], content_hash text DEFAULT NULL) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_chunk_embed(text, real[], text) IS
'Stores the embedding of a chunk, made by the user''s model, and replaces an existing one; pgvector is not needed for that. See doc/reference.md#answer_chunk_embed.';

CREATE FUNCTION answer.embedding_pending_of(tenant text, dimensions integer, n integer)
RETURNS TABLE (chunk_id text, title text, text text, content_hash text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	IF dimensions IS NULL OR n IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'dimensions and n must not be null';
	END IF;
	IF dimensions NOT BETWEEN 1 AND 16000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'dimensions must be from 1 to 16000', detail = format('It is %s.', dimensions);
	END IF;
	IF n NOT BETWEEN 1 AND 1000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'n must be from 1 to 1000', detail = format('It is %s.', n);
	END IF;
	RETURN QUERY SELECT s.chunk_id::text, c.title, c.text, c.content_hash::text
	FROM answer.chunk_search s
	JOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal
	WHERE s.tenant = embedding_pending_of.tenant AND NOT EXISTS (SELECT FROM answer.chunk_embedding e
		WHERE e.tenant = s.tenant AND e.chunk_id = s.chunk_id AND cardinality(e.embedding) = dimensions)
	ORDER BY s.chunk_id COLLATE "C" LIMIT n;
END
$$;
COMMENT ON FUNCTION answer.embedding_pending_of(text, integer, integer) IS
'Lists chunks for answer_embedding_pending(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_embedding_pending(dimensions integer, n integer)
RETURNS TABLE (chunk_id text, title text, text text, content_hash text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 10000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_embedding_pending(integer, integer) IS
'Returns the chunks in the newest versions of the caller''s tenant''s documents that have no embedding of the given dimension, so that a worker can catch up. See doc/reference.md#answer_embedding_pending.';

CREATE FUNCTION answer.embedding_index_put(dimensions integer) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF dimensions IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'dimensions must not be null';
	END IF;
	IF dimensions NOT BETWEEN 1 AND 2000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('dimensions is %s', dimensions),
			detail = 'It must be from 1 to 2000, because an HNSW index takes no more.';
	END IF;
	EXECUTE format('CREATE INDEX IF NOT EXISTS chunk_embedding_hnsw_%1$s ON answer.chunk_embedding'
		' USING hnsw ((embedding::%2$s.vector(%1$s)) %2$s.vector_cosine_ops) WHERE cardinality(embedding) = %1$s', dimensions, answer.vector_schema());
END
$$;
COMMENT ON FUNCTION answer.embedding_index_put(integer) IS
'Creates an index for answer_embedding_index(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_embedding_index(dimensions integer) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_embedding_index(integer) IS
'Creates an HNSW index (pgvector) on all tenants'' embeddings of that dimension; searches use it if it helps. See doc/reference.md#answer_embedding_index.';

CREATE FUNCTION answer.search_vector(tenant text, embedding real[], k integer, filter jsonb, exactly boolean, only_ids text[])
RETURNS TABLE (chunk_id text, similarity float8)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	query text;
BEGIN
	PERFORM answer.embedding_check(embedding);
	-- An index returns the nearest embeddings of all tenants first; a query that must be exact hides the distance
	-- from it.
	query := format('SELECT e.chunk_id::text, e.embedding::%1$s.vector(%2$s) OPERATOR(%1$s.<=>) $2::%1$s.vector(%2$s) AS distance'
		' FROM answer.chunk_embedding e JOIN answer.chunk_search s ON s.tenant = e.tenant AND s.chunk_id = e.chunk_id,'
		' answer.document_filter($1, $3) f'
		' WHERE e.tenant = $1 AND cardinality(e.embedding) = %2$s'
		' AND (f.doc_ids IS NULL OR s.doc_id = ANY (f.doc_ids)) AND (f.since IS NULL OR s."timestamp" >= f.since)'
		' AND (f.until IS NULL OR s."timestamp" <= f.until) AND (f.title_items IS NULL OR s.title_items @> f.title_items)'
		' AND ($4 IS NULL OR e.chunk_id = ANY ($4))', answer.vector_schema(), cardinality(embedding));
	query := format(CASE WHEN exactly THEN 'WITH n AS MATERIALIZED (%s) SELECT * FROM n ORDER BY distance, chunk_id COLLATE "C" LIMIT $5'
		ELSE '%s ORDER BY distance LIMIT $5' END, query);
	RETURN QUERY EXECUTE format('SELECT n.chunk_id, greatest(0, least(1, round((1 - n.distance) * 10000) / 10000)) FROM (%s) AS n (chunk_id, distance)'
		' ORDER BY 2 DESC, n.chunk_id COLLATE "C"', query)
	USING tenant, embedding, filter, only_ids, k;
END
$$;
COMMENT ON FUNCTION answer.search_vector(text, real[], integer, jsonb, boolean, text[]) IS
'Returns the chunks of a tenant whose embeddings are nearest to a given one; not for direct use.';

CREATE FUNCTION answer.search_by_embedding(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean)
RETURNS TABLE (chunk_id text, similarity float8, place bigint)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	-- how much of each list is fused
	fused CONSTANT integer := 100;
	-- more than requested, so that ties are not cut in two
	depth integer := greatest(4 * k, fused);
	near text[];
	by_text text[];
	by_text_similarity float8[];
BEGIN
	near := ARRAY(SELECT v.chunk_id FROM answer.search_vector(tenant, embedding, depth, filter, false, NULL) AS v);
	-- an approximate index does not know tenants and filters: it may have returned others
	IF cardinality(near) < depth THEN
		near := ARRAY(SELECT v.chunk_id FROM answer.search_vector(tenant, embedding, depth, filter, true, NULL) AS v);
	END IF;
	IF fuse THEN
		near := near[1:fused];
		SELECT array_agg(t.chunk_id ORDER BY t.place), array_agg(t.similarity ORDER BY t.place) INTO by_text, by_text_similarity
		FROM answer.search_text(tenant, query, fused, filter) WITH ORDINALITY AS t (chunk_id, doc_id, version, ordinal, similarity, place);
	END IF;
	-- Reciprocal rank fusion with the usual constant 60; rounded, so that equal sums compare as equal. A chunk
	-- without an embedding of this dimension has no cosine: it is ranked by text alone, with its text similarity.
	RETURN QUERY
	WITH near_hit AS (
		SELECT h.chunk_id, h.similarity FROM answer.search_vector(tenant, embedding, 2 * depth, filter, true, near || by_text) AS h
	), hit AS (
		SELECT h.chunk_id, h.similarity, array_position(near, h.chunk_id) AS near_rank, array_position(by_text, h.chunk_id) AS text_rank
		FROM (SELECT n.* FROM near_hit n
			UNION ALL SELECT t.chunk_id, t.similarity FROM unnest(by_text, by_text_similarity) AS t (chunk_id, similarity)
			WHERE NOT EXISTS (SELECT FROM near_hit n WHERE n.chunk_id = t.chunk_id)) AS h
		WHERE h.similarity > 0
	), ranked AS (
		SELECT t.chunk_id, t.similarity,
			round(COALESCE(1 / (60 + t.near_rank)::numeric, 0) + COALESCE(1 / (60 + t.text_rank)::numeric, 0), 15) AS rank FROM hit t
	)
	SELECT r.chunk_id, r.similarity, row_number() OVER (ORDER BY CASE WHEN fuse THEN r.rank ELSE r.similarity::numeric END DESC,
		r.chunk_id COLLATE "C") AS place
	FROM ranked r
	ORDER BY place LIMIT k;
END
$$;
COMMENT ON FUNCTION answer.search_by_embedding(text, text, integer, jsonb, real[], boolean) IS
'Searches by embedding for answer_search(); not for direct use.';

CREATE FUNCTION answer.search_of(tenant text, query text, k integer, filter jsonb, embedding real[], fuse boolean)
RETURNS TABLE (chunk_id text, doc_id text, "timestamp" timestamptz, similarity float8, text text, uri text, title text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 5
SET search_path = pg_catalog, pg_temp
-- with the caller's setting, some hits would be left out at random
SET gin_fuzzy_search_limit = 0
AS $$
#variable_conflict use_column
BEGIN
	-- checks the arguments in a statement of its own: an error shows the statement that raised it, and this one is
	-- short
	PERFORM FROM answer.search_text('', CASE WHEN query IS NOT NULL THEN '' END, k, filter);
	IF embedding IS NULL THEN
		RETURN QUERY
		SELECT c.chunk_id, c.doc_id, d."timestamp", h.similarity, c.text, c.uri, c.title
		FROM answer.search_text(search_of.tenant, search_of.query, search_of.k, search_of.filter) AS h
		JOIN answer.chunk c ON c.tenant = search_of.tenant AND c.doc_id = h.doc_id AND c.version = h.version AND c.ordinal = h.ordinal
		JOIN answer.document d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version
		ORDER BY h.similarity DESC, c.chunk_id COLLATE "C";
		RETURN;
	END IF;
	PERFORM answer.embedding_check(embedding);
	PERFORM answer.vector_schema();
	RETURN QUERY
	SELECT c.chunk_id, c.doc_id, d."timestamp", h.similarity, c.text, c.uri, c.title
	FROM answer.search_by_embedding(search_of.tenant, search_of.query, search_of.k, search_of.filter, search_of.embedding, COALESCE(search_of.fuse, true)) AS h
	JOIN answer.chunk_search s ON s.tenant = search_of.tenant AND s.chunk_id = h.chunk_id
	JOIN answer.chunk c ON c.tenant = s.tenant AND c.doc_id = s.doc_id AND c.version = s.version AND c.ordinal = s.ordinal
	JOIN answer.document d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version
	ORDER BY h.place;
END
$$;
COMMENT ON FUNCTION answer.search_of(text, text, integer, jsonb, real[], boolean) IS
'Searches for answer_search(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_search(query text, k integer DEFAULT 5, filter jsonb DEFAULT NULL, embedding real[] DEFAULT NULL, fuse boolean DEFAULT true)
RETURNS TABLE (chunk_id text, doc_id text, "timestamp" timestamptz, similarity float8, text text, uri text, title text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 20000 ROWS 5;
COMMENT ON FUNCTION @extschema@.answer_search(text, integer, jsonb, real[], boolean) IS
'Returns the chunks of the caller''s tenant that are most similar to a query. See doc/reference.md#answer_search.';

CREATE FUNCTION answer.text_score(query text, text text, title text DEFAULT NULL, rules jsonb DEFAULT NULL) RETURNS numeric
AS 'MODULE_PATHNAME', 'answer_eval_text_score'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.text_score(text, text, text, jsonb) IS
'Returns the similarity of a text to a query by text-score/2 (doc/ground.md), as answer_search() computes it for a chunk. See doc/reference.md#answertext_score.';

REVOKE ALL ON FUNCTION
	answer.document_read(jsonb),
	answer.document_filter(text, jsonb),
	answer.search_items(text, text, text),
	answer.document_set_version(text),
	answer.chunk_unindex(text, text[]),
	answer.chunk_index(text, text[]),
	answer.chunk_reread(),
	answer.document_set_lock(text),
	answer.document_newest(text, text),
	answer.document_load_put(text, jsonb),
	@extschema@.answer_document_load(jsonb),
	answer.documents_of(text, jsonb),
	@extschema@.answer_documents(jsonb),
	answer.document_judged(text, text),
	answer.document_erase(text, text, text[], text[]),
	answer.search_text(text, text, integer, jsonb),
	answer.vector_schema(),
	answer.embedding_check(real[]),
	answer.chunk_embed_put(text, text, real[], text),
	@extschema@.answer_chunk_embed(text, real[], text),
	answer.embedding_pending_of(text, integer, integer),
	@extschema@.answer_embedding_pending(integer, integer),
	answer.embedding_index_put(integer),
	@extschema@.answer_embedding_index(integer),
	answer.search_vector(text, real[], integer, jsonb, boolean, text[]),
	answer.search_by_embedding(text, text, integer, jsonb, real[], boolean),
	answer.search_of(text, text, integer, jsonb, real[], boolean),
	@extschema@.answer_search(text, integer, jsonb, real[], boolean)
FROM PUBLIC;
