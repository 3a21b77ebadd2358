
/* graph: nodes and edges by project, and their search data */

-- Triggers (load.sql) maintain the search data and everything else derived from nodes and edges. COPY, INSERT and
-- answer_graph_load() therefore have the same effect, and a restore rebuilds it.

CREATE FUNCTION answer.graph_content(name text, path text, docstring text, text text, OUT content text, OUT title text)
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT concat_ws(E'\n\n', graph_content.docstring, graph_content.text),
		concat_ws(E'\n\n', graph_content.name, regexp_replace(rtrim(graph_content.path, '/'), '^.*/', ''));
END;
COMMENT ON FUNCTION answer.graph_content(text, text, text, text) IS
'Returns the text by which a node is found; not for direct use.';

-- Whatever the planner knows about the tables, only one index fits each query, because no other has these first
-- columns.
CREATE FUNCTION answer.graph_key(tenant text, project text, name text) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_graph_key'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.graph_key(text, text, text) IS
'Returns a name in a project as one value for an index that begins with the tenant; not for direct use.';

CREATE TABLE answer.graph_node
(
	tenant				text COLLATE "C" NOT NULL DEFAULT '',
	project				text COLLATE "C" NOT NULL,
	id					text COLLATE "C" NOT NULL,
	labels				text[] COLLATE "C" NOT NULL,
	name				text COLLATE "C" NOT NULL,
	path				text COLLATE "C" NOT NULL,
	start_line			integer,
	end_line			integer,
	docstring			text,
	doc_type			text COLLATE "C",
	last_modified		bigint NOT NULL DEFAULT 0,
	text				text,
	source_path			text COLLATE "C" NOT NULL,
	content_hash		text COLLATE "C" NOT NULL,
	extraction_method	text COLLATE "C" NOT NULL,
	indexed_at			timestamptz NOT NULL DEFAULT pg_catalog.now(),
	loaded_at			timestamptz NOT NULL DEFAULT pg_catalog.now(),
	PRIMARY KEY (tenant, project, id),
	-- keys must fit into an index: two ids, a project and a type in one
	CONSTRAINT graph_node_project CHECK (pg_catalog.octet_length(project) BETWEEN 1 AND 255),
	CONSTRAINT graph_node_id CHECK (pg_catalog.octet_length(id) BETWEEN 1 AND 1000),
	CONSTRAINT graph_node_labels CHECK (COALESCE(pg_catalog.array_ndims(labels) OPERATOR(pg_catalog.=) 1, false)
		AND pg_catalog.array_position(labels, NULL) IS NULL AND '' OPERATOR(pg_catalog.<>) ALL (labels)),
	CONSTRAINT graph_node_name CHECK (pg_catalog.octet_length(name) BETWEEN 1 AND 1048576),
	CONSTRAINT graph_node_path CHECK (pg_catalog.octet_length(path) BETWEEN 1 AND 1048576),
	CONSTRAINT graph_node_start_line CHECK (start_line OPERATOR(pg_catalog.>) 0),
	CONSTRAINT graph_node_end_line CHECK (end_line IS NULL OR (start_line IS NOT NULL AND end_line OPERATOR(pg_catalog.>=) start_line)),
	CONSTRAINT graph_node_docstring CHECK (pg_catalog.octet_length(docstring) BETWEEN 0 AND 16777216),
	CONSTRAINT graph_node_text CHECK (pg_catalog.octet_length(text) BETWEEN 0 AND 16777216),
	CONSTRAINT graph_node_doc_type CHECK (pg_catalog.octet_length(doc_type) BETWEEN 1 AND 1048576),
	CONSTRAINT graph_node_document CHECK (doc_type IS NOT NULL OR 'Document' OPERATOR(pg_catalog.<>) ALL (labels)),
	CONSTRAINT graph_node_last_modified CHECK (last_modified BETWEEN 0 AND 253402300799),
	CONSTRAINT graph_node_source_path CHECK (pg_catalog.octet_length(source_path) BETWEEN 1 AND 1000),
	CONSTRAINT graph_node_content_hash CHECK (content_hash OPERATOR(pg_catalog.~) '^sha256:[0-9a-f]{64}$'),
	CONSTRAINT graph_node_extraction_method CHECK (pg_catalog.octet_length(extraction_method) BETWEEN 1 AND 1048576),
	-- the years that a packet can represent
	CONSTRAINT graph_node_indexed_at CHECK (indexed_at OPERATOR(pg_catalog.>=) '0001-01-01 00:00:00+00'
		AND indexed_at OPERATOR(pg_catalog.<) '10000-01-01 00:00:00+00')
);
COMMENT ON TABLE answer.graph_node IS 'Nodes of property graphs, by project, one per row; packets are made of them. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.project IS 'The project: 1 to 255 bytes. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.id IS 'Id of the node in its project: 1 to 1000 bytes. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.labels IS 'Its labels, at least one: Document, Code, File, Class, Function and so on. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.name IS 'Its name. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.path IS 'Where people find it. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.start_line IS 'Its first line, from 1. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.end_line IS 'Its last line. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.docstring IS 'Its description by its author. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.doc_type IS 'Type of the document; required for a Document. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.last_modified IS 'When its source was last changed, in seconds since 1970; 0: unknown, which is never stale. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.text IS 'Further text that is searched, but is shown in no packet. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.source_path IS 'Provenance: the source from which it was extracted, 1 to 1000 bytes; a load that names the source replaces all its nodes. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.content_hash IS 'Provenance: "sha256:" and the SHA-256 of the source''s content, in hex. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.extraction_method IS 'Provenance: the method or program that extracted it. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.indexed_at IS 'Provenance: when it was extracted, as the loader says, in the years 1 to 9999. See doc/tables.md#answergraph_node.';
COMMENT ON COLUMN answer.graph_node.loaded_at IS 'When the node got its present content, by the server''s clock. See doc/tables.md#answergraph_node.';

CREATE TABLE answer.graph_edge
(
	tenant	text COLLATE "C" NOT NULL DEFAULT '',
	project	text COLLATE "C" NOT NULL,
	from_id	text COLLATE "C" NOT NULL,
	to_id	text COLLATE "C" NOT NULL,
	type	text COLLATE "C" NOT NULL,
	PRIMARY KEY (tenant, project, from_id, to_id, type),
	CONSTRAINT graph_edge_type CHECK (pg_catalog.octet_length(type) BETWEEN 1 AND 255)
);
COMMENT ON TABLE answer.graph_edge IS 'Edges of property graphs, one per row. See doc/tables.md#answergraph_edge.';
COMMENT ON COLUMN answer.graph_edge.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_edge.';
COMMENT ON COLUMN answer.graph_edge.project IS 'The project. See doc/tables.md#answergraph_edge.';
COMMENT ON COLUMN answer.graph_edge.from_id IS 'Id of the node from which it leads. See doc/tables.md#answergraph_edge.';
COMMENT ON COLUMN answer.graph_edge.to_id IS 'Id of the node to which it leads; it may be the same. See doc/tables.md#answergraph_edge.';
COMMENT ON COLUMN answer.graph_edge.type IS 'Its type: DEFINES, CALLS, DEPENDS_ON and so on; 1 to 255 bytes. See doc/tables.md#answergraph_edge.';

CREATE TABLE answer.graph_set
(
	tenant	text COLLATE "C" NOT NULL,
	project	text COLLATE "C" NOT NULL,
	version	bigint NOT NULL,
	nodes	bigint NOT NULL,
	edges	bigint NOT NULL,
	sum		bytea NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, project)
);
-- compression would not help
ALTER TABLE answer.graph_set ALTER COLUMN sum SET STORAGE EXTERNAL;
COMMENT ON TABLE answer.graph_set IS 'The graph of each project as a whole, one row per project, maintained by triggers. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.project IS 'The project. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.version IS 'Number of statements that changed the graph; as long as it stays the same, a search finds the same. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.nodes IS 'Number of its nodes. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.edges IS 'Number of its edges. See doc/tables.md#answergraph_set.';
COMMENT ON COLUMN answer.graph_set.sum IS 'answer.row_sum() of its nodes, edges and embeddings, which signed records (change/v1) of kind graph contain. See doc/tables.md#answergraph_set.';

CREATE TABLE answer.graph_search
(
	tenant		text COLLATE "C" NOT NULL,
	project		text COLLATE "C" NOT NULL,
	id			text COLLATE "C" NOT NULL,
	path		text COLLATE "C" NOT NULL,
	labels		text[] COLLATE "C" NOT NULL,
	sketch		bytea NOT NULL,
	items		bytea[] NOT NULL,
	title_items	bytea[] NOT NULL,
	PRIMARY KEY (tenant, project, id)
);
COMMENT ON TABLE answer.graph_search IS 'Search data of nodes, one node per row, maintained by triggers. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.project IS 'The project. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.id IS 'The node. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.path IS 'Its path. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.labels IS 'Its labels. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.items IS 'Distinct items (reading/1) of all tokens of docstring, text, name and the last part of the path, under the rules in force; each after tenant, project and a blank, in UTF-8. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.title_items IS 'Items of name and path only. See doc/tables.md#answergraph_search.';
COMMENT ON COLUMN answer.graph_search.sketch IS 'The items of the title and of each sentence, in two bytes each, which give an upper bound for the similarity to a question. See doc/tables.md#answergraph_search.';

CREATE TABLE answer.graph_embedding
(
	tenant		text COLLATE "C" NOT NULL,
	project		text COLLATE "C" NOT NULL,
	id			text COLLATE "C" NOT NULL,
	embedding	real[] NOT NULL,
	PRIMARY KEY (tenant, project, id),
	CONSTRAINT graph_embedding_embedding CHECK (answer.embedding_check(embedding) IS NOT NULL)
);
COMMENT ON TABLE answer.graph_embedding IS 'Embeddings that users gave for nodes, one per row; without pgvector nothing reads them. See doc/tables.md#answergraph_embedding.';
COMMENT ON COLUMN answer.graph_embedding.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_embedding.';
COMMENT ON COLUMN answer.graph_embedding.project IS 'The project. See doc/tables.md#answergraph_embedding.';
COMMENT ON COLUMN answer.graph_embedding.id IS 'The node. See doc/tables.md#answergraph_embedding.';
COMMENT ON COLUMN answer.graph_embedding.embedding IS 'The embedding, made by the user''s model. See doc/tables.md#answergraph_embedding.';

CREATE INDEX graph_node_source ON answer.graph_node (answer.graph_key(tenant, project, source_path));
CREATE INDEX graph_edge_to ON answer.graph_edge (answer.graph_key(tenant, project, to_id));
CREATE INDEX graph_search_items ON answer.graph_search USING gin (items, title_items);

-- what is read for many nodes stays in the row, uncompressed
ALTER TABLE answer.graph_search ALTER COLUMN sketch SET STORAGE EXTERNAL;
-- no samples for the planner: forgotten content must not remain there
ALTER TABLE answer.graph_node ALTER COLUMN id SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN path SET STATISTICS 0,
	ALTER COLUMN docstring SET STATISTICS 0, ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN source_path SET STATISTICS 0,
	ALTER COLUMN content_hash SET STATISTICS 0;
ALTER TABLE answer.graph_edge ALTER COLUMN from_id SET STATISTICS 0, ALTER COLUMN to_id SET STATISTICS 0;
ALTER TABLE answer.graph_search ALTER COLUMN id SET STATISTICS 0, ALTER COLUMN path SET STATISTICS 0, ALTER COLUMN labels SET STATISTICS 0,
	ALTER COLUMN items SET STATISTICS 0, ALTER COLUMN title_items SET STATISTICS 0, ALTER COLUMN sketch SET STATISTICS 0;
ALTER TABLE answer.graph_embedding ALTER COLUMN id SET STATISTICS 0, ALTER COLUMN embedding SET STATISTICS 0;
ALTER INDEX answer.graph_node_source ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX answer.graph_edge_to ALTER COLUMN 1 SET STATISTICS 0;

CREATE VIEW answer.graph_project AS
SELECT s.tenant, s.project, s.nodes, s.edges, n.documents, n.sources, n.extraction_methods, n.first_indexed_at, n.last_indexed_at, n.loaded_at, s.version
FROM answer.graph_set s,
LATERAL (
	SELECT pg_catalog.count(*) FILTER (WHERE 'Document' OPERATOR(pg_catalog.=) ANY (g.labels)) AS documents,
		pg_catalog.count(DISTINCT g.source_path) AS sources,
		pg_catalog.array_agg(DISTINCT g.extraction_method) AS extraction_methods,
		pg_catalog.min(g.indexed_at) AS first_indexed_at, pg_catalog.max(g.indexed_at) AS last_indexed_at, pg_catalog.max(g.loaded_at) AS loaded_at
	FROM answer.graph_node g WHERE g.tenant OPERATOR(pg_catalog.=) s.tenant AND g.project OPERATOR(pg_catalog.=) s.project
) AS n
WHERE s.nodes OPERATOR(pg_catalog.>) 0;
COMMENT ON VIEW answer.graph_project IS 'Projects with a loaded graph, one per row: its size, its sources, and when it was loaded. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.project IS 'Name of the project. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.nodes IS 'Number of its nodes. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.edges IS 'Number of its edges. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.documents IS 'Number of nodes that are a Document. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.sources IS 'Number of sources from which the nodes were extracted. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.extraction_methods IS 'The distinct methods that extracted them. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.first_indexed_at IS 'Earliest indexed_at of its nodes, as the loader says. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.last_indexed_at IS 'Latest indexed_at of its nodes. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.loaded_at IS 'When the last node got its present content, by the server''s clock. See doc/tables.md#answergraph_project.';
COMMENT ON COLUMN answer.graph_project.version IS 'Number of statements that changed the graph since it was loaded or restored. See doc/tables.md#answergraph_project.';

REVOKE ALL ON answer.graph_node, answer.graph_edge, answer.graph_set, answer.graph_search, answer.graph_embedding, answer.graph_project FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.graph_node', '');
SELECT pg_catalog.pg_extension_config_dump('answer.graph_edge', '');
SELECT pg_catalog.pg_extension_config_dump('answer.graph_embedding', '');
