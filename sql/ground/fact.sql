
/* ground: facts that somebody read out of documents */

CREATE TABLE answer.document_fact
(
	tenant		text COLLATE "C" NOT NULL,
	doc_id		text COLLATE "C" NOT NULL,
	version		integer NOT NULL,
	chunk_id	text COLLATE "C" NOT NULL,
	key			text COLLATE "C" NOT NULL,
	subject		text NOT NULL,
	attribute	text NOT NULL,
	scope		text,
	value		text NOT NULL,
	unit		text,
	quote		text NOT NULL,
	by			text,
	role		text NOT NULL,
	added_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	digest		text COLLATE "C" NOT NULL,
	PRIMARY KEY (tenant, doc_id, version, digest)
);
COMMENT ON TABLE answer.document_fact IS 'Facts that a person or a model read out of documents, one per row, each with the quoted words. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.doc_id IS 'Document from which it was read. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.version IS 'Version of the document; facts of older versions are retired. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.chunk_id IS 'Chunk that contains the quote. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.key IS 'Digest of subject, attribute and scope, folded and with white space collapsed; facts with the same key are about the same thing. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.subject IS 'Subject of the fact, as given. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.attribute IS 'Attribute of the subject, as given. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.scope IS 'Where or when it holds. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.value IS 'The value, as JSON text: a string, a number, true or false. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.unit IS 'Its unit. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.quote IS 'The words of the chunk that state it. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.by IS 'Who read it, according to the caller. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.role IS 'Name of the session''s role that added it. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.added_at IS 'When it was added, by the server''s clock. See doc/tables.md#answerdocument_fact.';
COMMENT ON COLUMN answer.document_fact.digest IS 'Digest of everything that was given, so that the same fact twice is one row. See doc/tables.md#answerdocument_fact.';
-- no samples for the planner: what answer_forget deletes must not remain there
ALTER TABLE answer.document_fact ALTER COLUMN subject SET STATISTICS 0, ALTER COLUMN attribute SET STATISTICS 0, ALTER COLUMN scope SET STATISTICS 0,
	ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN quote SET STATISTICS 0;
CREATE INDEX document_fact_key ON answer.document_fact (tenant, key);
REVOKE ALL ON answer.document_fact FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.document_fact', '');

CREATE FUNCTION answer.document_fact_key(subject text, attribute text, scope text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_document_fact_key'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.document_fact_key(text, text, text) IS
'Returns the key that facts about the same thing share; not for direct use.';

CREATE FUNCTION answer.document_facts_read(facts jsonb, chunks jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_document_facts_read'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.document_facts_read(jsonb, jsonb) IS
'Reads facts, and finds their quoted words, by the rules in force; not for direct use.';

CREATE FUNCTION answer.freshness_days_of(tenant text) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_freshness_days_of'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.freshness_days_of(text) IS
'Returns freshness_days of the configuration in force for a tenant; not for direct use.';

CREATE FUNCTION answer.document_facts_add_put(tenant text, doc_id text, facts jsonb, options jsonb) RETURNS integer
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	newest answer.document;
	read_out jsonb;
	added bytea[];
	before bytea;
	unknown text;
BEGIN
	IF doc_id IS NULL OR facts IS NULL OR options IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'doc_id, facts and options must not be null';
	END IF;
	IF jsonb_typeof(options) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('options must be an object, and is a JSON %s', jsonb_typeof(options));
	END IF;
	SELECT k INTO unknown FROM jsonb_object_keys(options) AS k WHERE k <> 'by' ORDER BY k COLLATE "C" LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('option "%s" is unknown', unknown), hint = 'The only option is "by", which says who read the facts.';
	END IF;
	IF COALESCE(jsonb_typeof(options -> 'by'), 'null') NOT IN ('null', 'string') OR options ->> 'by' ~ '^[[:space:]]*$' OR length(options ->> 'by') > 200 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'option "by" must be a text of 1 to 200 characters that is not blank';
	END IF;
	-- as for a load: forgetting takes this lock first
	PERFORM answer.keep_unforgotten(tenant);
	PERFORM answer.document_set_lock(tenant);
	SELECT d.* INTO newest FROM answer.document d WHERE d.tenant = document_facts_add_put.tenant AND d.doc_id = document_facts_add_put.doc_id
	ORDER BY d.version DESC LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no document "%s"', doc_id),
			hint = 'answer_documents() lists them; answer_document_load() loads one.';
	END IF;
	read_out := answer.document_facts_read(facts, (SELECT jsonb_agg(jsonb_build_object('chunk_id', c.chunk_id, 'text', c.text) ORDER BY c.ordinal)
		FROM answer.chunk c WHERE c.tenant = newest.tenant AND c.doc_id = newest.doc_id AND c.version = newest.version));
	PERFORM answer.content_settle();
	SELECT s.sum INTO before FROM answer.document_set s WHERE s.tenant = document_facts_add_put.tenant;
	WITH put AS (
		INSERT INTO answer.document_fact AS f (tenant, doc_id, version, chunk_id, key, subject, attribute, scope, value, unit, quote, by, role, digest)
		SELECT newest.tenant, newest.doc_id, newest.version, r.fact ->> 'chunk_id', r.fact ->> 'key', r.fact ->> 'subject', r.fact ->> 'attribute',
			r.fact ->> 'scope', (r.fact -> 'value')::text, r.fact ->> 'unit', r.fact ->> 'quote', options ->> 'by', session_user, r.fact ->> 'digest'
		FROM jsonb_array_elements(read_out) AS r (fact)
		ON CONFLICT DO NOTHING
		RETURNING answer.row_digest('document_fact', f) AS digest
	)
	SELECT array_agg(p.digest) INTO added FROM put p;
	IF added IS NULL THEN
		RETURN 0;
	END IF;
	UPDATE answer.document_set s SET version = s.version + 1, sum = answer.row_sum(s.sum, '{}', added)
	WHERE s.tenant = document_facts_add_put.tenant;
	PERFORM answer.content_record_put(tenant, 'documents', 'documents', before);
	PERFORM answer.content_settle();
	RETURN cardinality(added);
END
$$;
COMMENT ON FUNCTION answer.document_facts_add_put(text, text, jsonb, jsonb) IS
'Stores facts for answer_document_facts_add(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_document_facts_add(doc_id text, facts jsonb, options jsonb DEFAULT '{}') RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_document_facts_add(text, jsonb, jsonb) IS
'Adds facts that a person or a model read out of a document, all or none. See doc/reference.md#answer_document_facts_add.';

CREATE FUNCTION answer.document_facts_of(tenant text, filter jsonb)
RETURNS TABLE (doc_id text, version integer, chunk_id text, subject text, attribute text, scope text, value jsonb, unit text, quote text, by text, role text,
	added_at timestamptz)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE ROWS 100
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT f.doc_id, f.version, f.chunk_id, f.subject, f.attribute, f.scope, f.value::jsonb, f.unit, f.quote, f.by, f.role, f.added_at
	FROM answer.documents_of(document_facts_of.tenant, document_facts_of.filter) AS d
	JOIN answer.document_fact f ON f.tenant = document_facts_of.tenant AND f.doc_id = d.doc_id AND f.version = d.version
	ORDER BY f.doc_id COLLATE "C", f.chunk_id COLLATE "C", f.subject COLLATE "C", f.attribute COLLATE "C", f.scope COLLATE "C" NULLS FIRST, f.digest;
END;
COMMENT ON FUNCTION answer.document_facts_of(text, jsonb) IS
'Lists facts for answer_document_facts(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_document_facts(filter jsonb DEFAULT NULL)
RETURNS TABLE (doc_id text, version integer, chunk_id text, subject text, attribute text, scope text, value jsonb, unit text, quote text, by text, role text,
	added_at timestamptz)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 100;
COMMENT ON FUNCTION @extschema@.answer_document_facts(jsonb) IS
'Returns the facts that were read out of the newest versions of the caller''s tenant''s documents. See doc/reference.md#answer_document_facts.';

CREATE FUNCTION answer.document_fact_readings(tenant text, args jsonb, evaluated_at timestamptz)
RETURNS TABLE (raw jsonb, source text, url text, observed_at timestamptz, expires timestamptz, digest text)
LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 100 ROWS 2
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT r.raw, f.doc_id, f.url, f."timestamp", f.expires, answer.evidence_digest('doc.fact', args, r.raw, f.doc_id, f."timestamp", f.expires)
	FROM (SELECT DISTINCT ON (s.doc_id) s.*, d.url, d."timestamp", CASE n.days WHEN 0 THEN '9999-12-31 00:00:00+00'
			ELSE least(d."timestamp" + make_interval(days => n.days), '9999-12-31 00:00:00+00') END AS expires
		FROM answer.document_fact s
		JOIN answer.document d ON d.tenant = s.tenant AND d.doc_id = s.doc_id AND d.version = s.version
		CROSS JOIN (SELECT answer.freshness_days_of(document_fact_readings.tenant) AS days) AS n
		WHERE s.tenant = document_fact_readings.tenant
		AND s.key = answer.document_fact_key(args ->> 'subject', args ->> 'attribute', args ->> 'scope')
		AND d."timestamp" <= evaluated_at
		AND NOT EXISTS (SELECT FROM answer.document l WHERE l.tenant = d.tenant AND l.doc_id = d.doc_id AND l.version > d.version)
		ORDER BY s.doc_id, s.chunk_id, s.digest) AS f
	CROSS JOIN LATERAL (SELECT answer.portable(jsonb_strip_nulls(jsonb_build_object('value', f.value::jsonb, 'unit', f.unit, 'doc_id', f.doc_id,
		'version', f.version, 'chunk_id', f.chunk_id, 'quote', f.quote, 'by', f.by, 'role', f.role)))) AS r (raw)
$$;
COMMENT ON FUNCTION answer.document_fact_readings(text, jsonb, timestamptz) IS
'Returns what documents say about a subject, as readings of the tool doc.fact, one per document; not for direct use.';

REVOKE ALL ON FUNCTION
	answer.document_fact_key(text, text, text),
	answer.document_facts_read(jsonb, jsonb),
	answer.freshness_days_of(text),
	answer.document_facts_add_put(text, text, jsonb, jsonb),
	@extschema@.answer_document_facts_add(text, jsonb, jsonb),
	answer.document_facts_of(text, jsonb),
	@extschema@.answer_document_facts(jsonb),
	answer.document_fact_readings(text, jsonb, timestamptz)
FROM PUBLIC;

INSERT INTO answer.source (source, independence_group, description, seed)
VALUES ('documents', NULL, 'Documents that were loaded; a fact that was read out of one names the document as its source.', true);

INSERT INTO answer.tool (tool, handler, required_args, optional_args, value_path, entity_path, basis, category, description, seed)
VALUES ('doc.fact', NULL, '{subject,attribute}', '{scope}', 'value', 'doc_id', 'reported', 'documents',
	'A fact that a person or a model read out of loaded documents (answer_document_facts_add): its value, unit, quote and chunk.', true);
