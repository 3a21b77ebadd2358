
/* graph: packets of loaded graphs, signed packets, their log, and nodes as evidence */

CREATE TABLE answer.packet_log
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	query_id		text COLLATE "C" NOT NULL CHECK (query_id OPERATOR(pg_catalog.<>) ''),
	project			text COLLATE "C" NOT NULL,
	question		text NOT NULL,
	content_hash	text COLLATE "C" NOT NULL,
	status			text COLLATE "C" NOT NULL,
	score			integer NOT NULL CHECK (score BETWEEN 0 AND 100),
	at				timestamptz NOT NULL
);
COMMENT ON TABLE answer.packet_log IS 'Packets that were signed, or built with the option log, one per row, append-only, so that a packet can be compared with what was returned. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.query_id IS 'meta.query_id of the packet. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.project IS 'The project that was asked. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.question IS 'The question. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.content_hash IS 'content_hash of the packet. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.status IS 'success or insufficient_evidence. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.score IS 'context_veracity.confidence_score of the packet, 0 to 100. See doc/tables.md#answerpacket_log.';
COMMENT ON COLUMN answer.packet_log.at IS 'When it was returned, by the server''s clock; for a receipt, its issued_at. See doc/tables.md#answerpacket_log.';
-- forgotten content must not survive in the planner's statistics
ALTER TABLE answer.packet_log ALTER COLUMN question SET STATISTICS 0, ALTER COLUMN query_id SET STATISTICS 0;
CREATE INDEX packet_log_query ON answer.packet_log (tenant, query_id);
REVOKE ALL ON answer.packet_log FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.packet_log', '');
CREATE TRIGGER packet_log_append_only BEFORE UPDATE OR DELETE ON answer.packet_log
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER packet_log_no_truncate BEFORE TRUNCATE ON answer.packet_log
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

-- Parallel unsafe, because it writes with the option log; stable, because otherwise the planner could at worst add an
-- extra row to the log.
CREATE FUNCTION @extschema@.answer_packet(project text, question text, options jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_packet'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 20000;
COMMENT ON FUNCTION @extschema@.answer_packet(text, text, jsonb) IS
'Returns what the graph of a project says about a question, and nothing else, as an evidence packet of schema 1.0. See doc/reference.md#answer_packet.';

CREATE FUNCTION @extschema@.answer_packet_receipt(project text, question text, options jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_packet_receipt'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 30000;
COMMENT ON FUNCTION @extschema@.answer_packet_receipt(text, text, jsonb) IS
'Builds a packet from committed data, signs it, stores it in answer.receipt and logs it in answer.packet_log. See doc/reference.md#answer_packet_receipt.';

/* nodes as evidence */

CREATE FUNCTION answer.graph_node_of(tenant text, project text, id text)
RETURNS TABLE (id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text, last_modified bigint,
	neighbor_count bigint, source_path text, content_hash text, extraction_method text, indexed_at timestamptz)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 1
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT n.id, n.labels, n.name, n.path, n.start_line, n.end_line, n.docstring, n.doc_type, n.last_modified,
		(SELECT count(*) FROM answer.graph_edge e WHERE e.tenant = n.tenant AND e.project = n.project AND e.from_id = n.id)
		+ (SELECT count(*) FROM answer.graph_edge e
			WHERE answer.graph_key(e.tenant, e.project, e.to_id) = answer.graph_key(n.tenant, n.project, n.id) AND e.from_id <> n.id),
		n.source_path, n.content_hash, n.extraction_method, n.indexed_at
	FROM answer.graph_node n
	WHERE n.tenant = graph_node_of.tenant AND n.project = graph_node_of.project AND n.id = graph_node_of.id;
END;
COMMENT ON FUNCTION answer.graph_node_of(text, text, text) IS
'Returns a node for answer_graph_node(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_graph_node(project text, id text)
RETURNS TABLE (id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text, last_modified bigint,
	neighbor_count bigint, source_path text, content_hash text, extraction_method text, indexed_at timestamptz)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 1;
COMMENT ON FUNCTION @extschema@.answer_graph_node(text, text) IS
'Returns the node that a packet cites, from the caller''s tenant''s graph, to check a citation. See doc/reference.md#answer_graph_node.';

CREATE FUNCTION answer.grade_graph_node(observation jsonb) RETURNS @extschema@.answer_graded
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT ROW('FileContent', g.quality, CASE WHEN g.quality = 'None' THEN 'None' ELSE 'Low' END, g.reason)::@extschema@.answer_graded
	FROM (SELECT CASE WHEN o.id IS NULL OR o.id <> 'string' OR o.hash IS NULL OR o.hash <> 'string' THEN 'None'
			WHEN o.neighbors < 2 THEN 'Weak' WHEN o.line IS NULL OR o.line <> 'number' THEN 'Moderate' ELSE 'Strong' END,
		CASE WHEN o.id IS NULL OR o.id <> 'string' OR o.hash IS NULL OR o.hash <> 'string' THEN 'the graph has no such node'
			WHEN o.neighbors < 2 THEN 'the node has fewer than 2 neighbours'
			WHEN o.line IS NULL OR o.line <> 'number' THEN 'the node names its source, and no lines of it'
			ELSE 'the node names its source and the lines' END
		FROM (SELECT jsonb_typeof(observation -> 'id'), jsonb_typeof(observation -> 'content_hash'), jsonb_typeof(observation -> 'start_line'),
			CASE WHEN jsonb_typeof(observation -> 'neighbor_count') = 'number' THEN (observation -> 'neighbor_count')::numeric ELSE 0 END)
			AS o (id, hash, line, neighbors)) AS g (quality, reason)
$$;
COMMENT ON FUNCTION answer.grade_graph_node(jsonb) IS
'Grades a node, for the built-in tool graph_node: how precisely a node of a graph shows what it is cited for. See doc/reference.md#answergrade_graph_node.';

CREATE FUNCTION answer.tool_graph_node(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 1000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT o.observation OPERATOR(pg_catalog.||)
		pg_catalog.jsonb_build_object('quality', (answer.grade_graph_node(o.observation)).quality)
	FROM (SELECT pg_catalog.to_jsonb(n) OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object(
			'project', args OPERATOR(pg_catalog.->) 'project',
			'indexed_at', pg_catalog.to_char(n.indexed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS observation
		FROM @extschema@.answer_graph_node(args OPERATOR(pg_catalog.->>) 'project', args OPERATOR(pg_catalog.->>) 'id') AS n) AS o;
END;
COMMENT ON FUNCTION answer.tool_graph_node(jsonb) IS
'Handler of the built-in tool graph_node. See doc/reference.md#answertool_graph_node.';

INSERT INTO answer.source (source, url, licence, description, seed)
VALUES ('graph', NULL, NULL, 'The graphs that were loaded into answer.graph_node, as their loaders read their sources.', true);

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, entity_path, source, category, description, seed)
VALUES ('graph_node', 'answer.tool_graph_node', '{project,id}', '{}', '1 minute', 'name', 'id', 'graph', 'graph',
	'A node of a project''s graph, as packets cite it: its name (the value), labels, path, lines, docstring, neighbours and provenance.', true);

REVOKE ALL ON FUNCTION
	@extschema@.answer_packet(text, text, jsonb),
	@extschema@.answer_packet_receipt(text, text, jsonb),
	answer.graph_node_of(text, text, text),
	@extschema@.answer_graph_node(text, text),
	answer.tool_graph_node(jsonb)
FROM PUBLIC;
