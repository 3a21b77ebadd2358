
/* graph: loading, and what is derived from nodes and edges */

CREATE FUNCTION answer.graph_scope(tenant text, project text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_graph_scope'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.graph_scope(text, text) IS
'Returns the prefix of a project''s items in an index: tenant, slash, project; not for direct use.';

CREATE FUNCTION answer.graph_read_nodes(nodes jsonb)
RETURNS TABLE (place integer, id text, labels text[], name text, path text, start_line integer, end_line integer, docstring text, doc_type text,
	last_modified bigint, text text, source_path text, content_hash text, extraction_method text, indexed_at timestamptz)
AS 'MODULE_PATHNAME', 'answer_eval_graph_read_nodes'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 1000;
COMMENT ON FUNCTION answer.graph_read_nodes(jsonb) IS
'Reads nodes; not for direct use.';

CREATE FUNCTION answer.graph_read_edges(edges jsonb) RETURNS TABLE (place integer, from_id text, to_id text, type text)
AS 'MODULE_PATHNAME', 'answer_eval_graph_read_edges'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 10000;
COMMENT ON FUNCTION answer.graph_read_edges(jsonb) IS
'Reads edges; not for direct use.';

-- The plans of the following functions are cached, and may have been made when the tables were empty. OFFSET 0 turns
-- each lookup into one index probe per row, whatever the sizes.

CREATE FUNCTION answer.graph_lock(tenant text, project text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	INSERT INTO answer.graph_set (tenant, project, version, nodes, edges) VALUES (tenant, project, 0, 0, 0) ON CONFLICT DO NOTHING;
	PERFORM FROM answer.graph_set s WHERE s.tenant = graph_lock.tenant AND s.project = graph_lock.project FOR UPDATE;
END
$$;
COMMENT ON FUNCTION answer.graph_lock(text, text) IS
'Prevents others from changing the graph of a project until the transaction ends; not for direct use.';

CREATE FUNCTION answer.graph_count(tenant text, project text, nodes bigint, edges bigint, removed bytea[], added bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	UPDATE answer.graph_set s SET version = s.version + 1, nodes = s.nodes + graph_count.nodes, edges = s.edges + graph_count.edges,
		sum = answer.row_sum(s.sum, removed, added)
	WHERE s.tenant = graph_count.tenant AND s.project = graph_count.project;
	IF NOT FOUND THEN
		INSERT INTO answer.graph_set AS s (tenant, project, version, nodes, edges, sum)
		VALUES (tenant, project, 1, nodes, edges, answer.row_sum('', removed, added))
		ON CONFLICT ON CONSTRAINT graph_set_pkey
		DO UPDATE SET version = s.version + 1, nodes = s.nodes + excluded.nodes, edges = s.edges + excluded.edges,
			sum = answer.row_sum(s.sum, removed, added);
	END IF;
END
$$;
COMMENT ON FUNCTION answer.graph_count(text, text, bigint, bigint, bytea[], bytea[]) IS
'Counts nodes and edges of a project, and a change; not for direct use.';

CREATE FUNCTION answer.graph_node_added() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.graph_count(c.tenant, c.project, c.nodes, 0, '{}', c.digests)
	FROM (SELECT a.tenant, a.project, count(*) AS nodes, array_agg(answer.row_digest('graph_node', a)) AS digests FROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;
	-- if the rules changed meanwhile, other nodes would be read again, but not these
	PERFORM answer.rules_stay();
	INSERT INTO answer.graph_search (tenant, project, id, path, labels, items, title_items, sketch)
	SELECT a.tenant, a.project, a.id, a.path, a.labels, r.items, r.title_items, r.sketch
	FROM added a, LATERAL answer.graph_content(a.name, a.path, a.docstring, a.text) AS c,
		LATERAL answer.search_items(answer.graph_scope(a.tenant, a.project), c.content, c.title) AS r;
	-- flush the pending list of the index at once, because every search would read through it
	PERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;
	-- edges that came before their nodes are checked at the end of this transaction
	WITH first AS (
		DELETE FROM answer.graph_loose g WHERE g.ctid = ANY (ARRAY(
			SELECT l.ctid FROM (SELECT DISTINCT a.tenant, a.project FROM added a) AS p, LATERAL (SELECT o.ctid FROM answer.graph_loose o
				WHERE o.tenant = p.tenant AND o.project = p.project LIMIT 1) AS l))
		RETURNING g.*
	)
	INSERT INTO answer.graph_loose SELECT f.* FROM first f;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_node_added() IS
'Trigger, not for direct use, that counts added nodes and makes them searchable.';

CREATE FUNCTION answer.graph_node_removed() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM removed) THEN
		RETURN NULL;
	END IF;
	PERFORM answer.graph_count(c.tenant, c.project, -c.nodes, 0, c.digests, '{}')
	FROM (SELECT r.tenant, r.project, count(*) AS nodes, array_agg(answer.row_digest('graph_node', r)) AS digests FROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;
	DELETE FROM answer.graph_search g WHERE g.ctid = ANY (ARRAY(
		SELECT s.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_search o
			WHERE o.tenant = r.tenant AND o.project = r.project AND o.id = r.id OFFSET 0) AS s));
	DELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(
		SELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_edge o
			WHERE o.tenant = r.tenant AND o.project = r.project AND o.from_id = r.id OFFSET 0) AS e));
	DELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(
		SELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_edge o
			WHERE answer.graph_key(o.tenant, o.project, o.to_id) = answer.graph_key(r.tenant, r.project, r.id) OFFSET 0) AS e));
	DELETE FROM answer.graph_embedding g WHERE g.ctid = ANY (ARRAY(
		SELECT e.ctid FROM removed r, LATERAL (SELECT o.ctid FROM answer.graph_embedding o
			WHERE o.tenant = r.tenant AND o.project = r.project AND o.id = r.id OFFSET 0) AS e));
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_node_removed() IS
'Trigger, not for direct use, that deletes the edges and embeddings of deleted nodes, and subtracts the nodes from the counts.';

CREATE FUNCTION answer.graph_node_changed() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM removed) THEN
		RETURN NULL;
	END IF;
	IF EXISTS (SELECT r.tenant, r.project, r.id FROM removed r EXCEPT SELECT a.tenant, a.project, a.id FROM added a) THEN
		RAISE EXCEPTION USING errcode = '55000', message = 'a node keeps its tenant, project and id',
			hint = 'Delete the node and insert another one.';
	END IF;
	PERFORM answer.graph_count(c.tenant, c.project, 0, 0, c.removed, c.added)
	FROM (SELECT n.tenant, n.project, array_remove(array_agg(n.removed), NULL) AS removed, array_remove(array_agg(n.added), NULL) AS added
		FROM (SELECT r.tenant, r.project, answer.row_digest('graph_node', r) AS removed, NULL::bytea AS added FROM removed r
			UNION ALL SELECT a.tenant, a.project, NULL, answer.row_digest('graph_node', a) FROM added a) AS n
		GROUP BY n.tenant, n.project ORDER BY n.tenant, n.project) AS c;
	PERFORM answer.rules_stay();
	UPDATE answer.graph_search g SET path = n.path, labels = n.labels, items = n.items, title_items = n.title_items, sketch = n.sketch
	FROM (SELECT s.ctid AS place, a.path, a.labels, r.items, r.title_items, r.sketch
		FROM (SELECT o.tenant, o.project, o.id, o.name, o.path, o.docstring, o.text, o.labels FROM added o
			EXCEPT SELECT o.tenant, o.project, o.id, o.name, o.path, o.docstring, o.text, o.labels FROM removed o) AS a,
			LATERAL answer.graph_content(a.name, a.path, a.docstring, a.text) AS c,
			LATERAL answer.search_items(answer.graph_scope(a.tenant, a.project), c.content, c.title) AS r,
			LATERAL (SELECT o.ctid FROM answer.graph_search o
				WHERE o.tenant = a.tenant AND o.project = a.project AND o.id = a.id OFFSET 0) AS s OFFSET 0) AS n
	WHERE g.ctid = n.place;
	PERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;
	DELETE FROM answer.graph_embedding g WHERE g.ctid = ANY (ARRAY(
		SELECT e.ctid FROM (SELECT r.tenant, r.project, r.id, r.name, r.path, r.docstring, r.text FROM removed r
			EXCEPT SELECT a.tenant, a.project, a.id, a.name, a.path, a.docstring, a.text FROM added a) AS n,
			LATERAL (SELECT o.ctid FROM answer.graph_embedding o
				WHERE o.tenant = n.tenant AND o.project = n.project AND o.id = n.id OFFSET 0) AS e));
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_node_changed() IS
'Trigger, not for direct use, that reads changed nodes again.';

CREATE FUNCTION answer.graph_reread() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM changed c WHERE c.list IN ('units', 'negators', 'not_negating')) THEN
		RETURN NULL;
	END IF;
	PERFORM FROM answer.graph_set s ORDER BY s.tenant, s.project FOR UPDATE;
	WITH made AS MATERIALIZED (
		SELECT s.tenant, s.project, s.id, r.items, r.title_items, r.sketch
		FROM answer.graph_search s
		JOIN answer.graph_node n ON n.tenant = s.tenant AND n.project = s.project AND n.id = s.id,
		LATERAL answer.graph_content(n.name, n.path, n.docstring, n.text) AS c,
		LATERAL answer.search_items(answer.graph_scope(n.tenant, n.project), c.content, c.title) AS r
		WHERE (s.items, s.title_items, s.sketch) IS DISTINCT FROM (r.items, r.title_items, r.sketch)
	), put AS (
		UPDATE answer.graph_search s SET items = m.items, title_items = m.title_items, sketch = m.sketch
		FROM made m WHERE s.tenant = m.tenant AND s.project = m.project AND s.id = m.id
	)
	UPDATE answer.graph_set s SET version = s.version + 1
	WHERE EXISTS (SELECT FROM made m WHERE m.tenant = s.tenant AND m.project = s.project);
	PERFORM gin_clean_pending_list(i) FROM to_regclass('answer.graph_search_items') AS i WHERE i IS NOT NULL;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_reread() IS
'Trigger, not for direct use, that reads the nodes of all projects again when the rules of reading change.';

CREATE TRIGGER decision_rule_graph_added AFTER INSERT ON answer.decision_rule
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread();
CREATE TRIGGER decision_rule_graph_changed AFTER UPDATE ON answer.decision_rule
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread();
CREATE TRIGGER decision_rule_graph_removed AFTER DELETE ON answer.decision_rule
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_reread();

-- An edge may be inserted before its nodes in the same transaction: edges without both nodes are noted here and
-- checked later. A parallel restore loads edges and nodes in two transactions in either order: edges of a project
-- without any nodes wait for the transaction that inserts some. Both update answer.graph_set, so one follows the
-- other.
CREATE TABLE answer.graph_loose
(
	tenant	text COLLATE "C" NOT NULL,
	project	text COLLATE "C" NOT NULL,
	from_id	text COLLATE "C" NOT NULL,
	to_id	text COLLATE "C" NOT NULL,
	type	text COLLATE "C" NOT NULL
);
COMMENT ON TABLE answer.graph_loose IS 'Edges without both nodes, one per row, until the end of the transaction that inserted them, or of the one that inserts the first nodes of their project. See doc/tables.md#answergraph_loose.';
COMMENT ON COLUMN answer.graph_loose.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answergraph_loose.';
COMMENT ON COLUMN answer.graph_loose.project IS 'The project. See doc/tables.md#answergraph_loose.';
COMMENT ON COLUMN answer.graph_loose.from_id IS 'Id of the node from which the edge leads. See doc/tables.md#answergraph_loose.';
COMMENT ON COLUMN answer.graph_loose.to_id IS 'Id of the node to which it leads. See doc/tables.md#answergraph_loose.';
COMMENT ON COLUMN answer.graph_loose.type IS 'Its type. See doc/tables.md#answergraph_loose.';
CREATE INDEX graph_loose_project ON answer.graph_loose (tenant, project);
REVOKE ALL ON answer.graph_loose FROM PUBLIC;

CREATE FUNCTION answer.graph_tie(tenant text, project text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	loose record;
BEGIN
	SELECT e.from_id, e.to_id, e.type, f.id IS NULL AS without_from, t.id IS NULL AS without_to INTO loose
	FROM answer.graph_loose l
	CROSS JOIN LATERAL (SELECT o.from_id, o.to_id, o.type FROM answer.graph_edge o WHERE o.tenant = l.tenant AND o.project = l.project
		AND o.from_id = l.from_id AND o.to_id = l.to_id AND o.type = l.type OFFSET 0) AS e
	LEFT JOIN LATERAL (SELECT n.id FROM answer.graph_node n
		WHERE n.tenant = l.tenant AND n.project = l.project AND n.id = l.from_id OFFSET 0) AS f ON true
	LEFT JOIN LATERAL (SELECT n.id FROM answer.graph_node n
		WHERE n.tenant = l.tenant AND n.project = l.project AND n.id = l.to_id OFFSET 0) AS t ON true
	WHERE l.tenant = graph_tie.tenant AND l.project = graph_tie.project AND (f.id IS NULL OR t.id IS NULL)
	ORDER BY e.from_id, e.to_id, e.type LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('there is no node "%s" in project "%s"', CASE WHEN loose.without_from THEN loose.from_id ELSE loose.to_id END, project),
			detail = format('An edge of type "%s" leads from "%s" to "%s".', loose.type, loose.from_id, loose.to_id),
			hint = 'Load both nodes of an edge before it, or with it.';
	END IF;
	DELETE FROM answer.graph_loose l WHERE l.tenant = graph_tie.tenant AND l.project = graph_tie.project;
END
$$;
COMMENT ON FUNCTION answer.graph_tie(text, text) IS
'Refuses edges without both nodes; not for direct use.';

CREATE FUNCTION answer.graph_loose_end() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- the first row of a project is checked for all of them
	IF EXISTS (SELECT FROM answer.graph_loose l WHERE l.tenant = NEW.tenant AND l.project = NEW.project)
		AND EXISTS (SELECT FROM answer.graph_set s WHERE s.tenant = NEW.tenant AND s.project = NEW.project AND s.nodes > 0)
	THEN
		PERFORM answer.graph_tie(NEW.tenant, NEW.project);
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_loose_end() IS
'Trigger, not for direct use, that refuses edges without both nodes at the end of the transaction, in a project that has nodes.';

CREATE FUNCTION answer.graph_edge_added() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.graph_count(c.tenant, c.project, 0, c.edges, '{}', c.digests)
	FROM (SELECT a.tenant, a.project, count(*) AS edges, array_agg(answer.row_digest('graph_edge', a)) AS digests
		FROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;
	IF EXISTS (
		SELECT FROM (SELECT a.tenant, a.project, a.from_id AS id FROM added a UNION SELECT a.tenant, a.project, a.to_id FROM added a) AS e
		WHERE NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = e.tenant AND n.project = e.project AND n.id = e.id OFFSET 0))
	THEN
		INSERT INTO answer.graph_loose (tenant, project, from_id, to_id, type)
		SELECT a.tenant, a.project, a.from_id, a.to_id, a.type FROM added a
		WHERE NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = a.tenant AND n.project = a.project AND n.id = a.from_id OFFSET 0)
		OR NOT EXISTS (SELECT FROM answer.graph_node n WHERE n.tenant = a.tenant AND n.project = a.project AND n.id = a.to_id OFFSET 0);
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_edge_added() IS
'Trigger, not for direct use, that counts edges that were added or changed, and notes those without both nodes.';

CREATE FUNCTION answer.graph_edge_removed() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.graph_count(c.tenant, c.project, 0, -c.edges, c.digests, '{}')
	FROM (SELECT r.tenant, r.project, count(*) AS edges, array_agg(answer.row_digest('graph_edge', r)) AS digests FROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_edge_removed() IS
'Trigger, not for direct use, that subtracts deleted edges from the counts.';

CREATE FUNCTION answer.graph_edge_moved() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RAISE EXCEPTION USING errcode = '55000', message = 'an edge keeps its tenant, project, nodes and type',
		hint = 'Delete the edge and insert another one.';
END
$$;
COMMENT ON FUNCTION answer.graph_edge_moved() IS
'Trigger, not for direct use, that refuses to change an edge, because all its columns are its key.';

CREATE FUNCTION answer.graph_embedding_counted() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- each operation has its own transition tables
	IF TG_OP = 'TRUNCATE' THEN
		UPDATE answer.graph_set s SET version = version + 1, sum = answer.row_sum('', '{}', ARRAY(
			SELECT answer.row_digest('graph_node', n) FROM answer.graph_node n WHERE n.tenant = s.tenant AND n.project = s.project
			UNION ALL SELECT answer.row_digest('graph_edge', e) FROM answer.graph_edge e WHERE e.tenant = s.tenant AND e.project = s.project));
		RETURN NULL;
	END IF;
	IF TG_OP <> 'INSERT' THEN
		PERFORM answer.graph_count(c.tenant, c.project, 0, 0, c.digests, '{}')
		FROM (SELECT r.tenant, r.project, array_agg(answer.row_digest('graph_embedding', r)) AS digests
			FROM removed r GROUP BY r.tenant, r.project ORDER BY r.tenant, r.project) AS c;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM answer.graph_count(c.tenant, c.project, 0, 0, '{}', c.digests)
		FROM (SELECT a.tenant, a.project, array_agg(answer.row_digest('graph_embedding', a)) AS digests
			FROM added a GROUP BY a.tenant, a.project ORDER BY a.tenant, a.project) AS c;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_embedding_counted() IS
'Trigger, not for direct use, that counts a change of embeddings.';

CREATE FUNCTION answer.graph_truncated() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF TG_RELID = 'answer.graph_edge'::regclass THEN
		-- the nodes and their embeddings are left
		UPDATE answer.graph_set s SET edges = 0, version = version + 1, sum = answer.row_sum('', '{}', ARRAY(
			SELECT answer.row_digest('graph_node', n) FROM answer.graph_node n WHERE n.tenant = s.tenant AND n.project = s.project
			UNION ALL SELECT answer.row_digest('graph_embedding', e) FROM answer.graph_embedding e WHERE e.tenant = s.tenant AND e.project = s.project));
	ELSE
		DELETE FROM answer.graph_edge;
		DELETE FROM answer.graph_loose;
		DELETE FROM answer.graph_embedding;
		DELETE FROM answer.graph_search;
		UPDATE answer.graph_set SET nodes = 0, version = version + 1, sum = '';
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.graph_truncated() IS
'Trigger, not for direct use, that empties everything derived from nodes or edges when these are truncated.';

-- Foreign keys tell a dump in which order to restore dependent tables, and tell people what holds. The triggers below
-- enforce them per statement instead of per row, and delete an edge with its node; the triggers of the foreign keys
-- are disabled.
ALTER TABLE answer.graph_edge
	ADD CONSTRAINT graph_edge_from_node FOREIGN KEY (tenant, project, from_id) REFERENCES answer.graph_node DEFERRABLE INITIALLY DEFERRED,
	ADD CONSTRAINT graph_edge_to_node FOREIGN KEY (tenant, project, to_id) REFERENCES answer.graph_node DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE answer.graph_edge DISABLE TRIGGER ALL;
ALTER TABLE answer.graph_node DISABLE TRIGGER ALL;
CREATE TRIGGER graph_node_added AFTER INSERT ON answer.graph_node
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_added();
CREATE TRIGGER graph_node_changed AFTER UPDATE ON answer.graph_node
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_changed();
CREATE TRIGGER graph_node_removed AFTER DELETE ON answer.graph_node
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_node_removed();
CREATE TRIGGER graph_node_truncated AFTER TRUNCATE ON answer.graph_node
FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_truncated();
CREATE TRIGGER graph_edge_added AFTER INSERT ON answer.graph_edge
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_edge_added();
CREATE TRIGGER graph_edge_moved BEFORE UPDATE ON answer.graph_edge
FOR EACH ROW EXECUTE FUNCTION answer.graph_edge_moved();
CREATE TRIGGER graph_edge_removed AFTER DELETE ON answer.graph_edge
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_edge_removed();
CREATE TRIGGER graph_edge_truncated AFTER TRUNCATE ON answer.graph_edge
FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_truncated();
CREATE TRIGGER graph_embedding_added AFTER INSERT ON answer.graph_embedding
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted();
CREATE TRIGGER graph_embedding_changed AFTER UPDATE ON answer.graph_embedding
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted();
CREATE TRIGGER graph_embedding_removed AFTER DELETE ON answer.graph_embedding
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted();
CREATE TRIGGER graph_embedding_truncated AFTER TRUNCATE ON answer.graph_embedding
FOR EACH STATEMENT EXECUTE FUNCTION answer.graph_embedding_counted();
CREATE CONSTRAINT TRIGGER graph_loose_end AFTER INSERT ON answer.graph_loose
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.graph_loose_end();

CREATE FUNCTION answer.graph_project_check(project text) RETURNS void
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF project IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'project must not be null';
	END IF;
	IF octet_length(project) NOT BETWEEN 1 AND 255 THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('project has %s bytes', octet_length(project)),
			detail = 'It must have from 1 to 255.';
	END IF;
END
$$;
COMMENT ON FUNCTION answer.graph_project_check(text) IS
'Refuses an invalid name of a project; not for direct use.';

CREATE FUNCTION answer.graph_load_put(tenant text, project text, nodes jsonb, edges jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	about_nodes jsonb;
	about_edges jsonb;
	reread text[];
	before answer.graph_set;
	after answer.graph_set;
BEGIN
	PERFORM answer.graph_project_check(project);
	-- malformed input is refused here: an error in the statements below would show all of their text
	PERFORM FROM answer.graph_read_nodes(nodes);
	PERFORM FROM answer.graph_read_edges(edges);
	PERFORM answer.content_settle();
	-- before the graph's own lock, as in a change of rules, so that nobody deadlocks
	PERFORM answer.rules_stay();
	PERFORM answer.graph_lock(tenant, project);
	SELECT * INTO before FROM answer.graph_set s WHERE s.tenant = graph_load_put.tenant AND s.project = graph_load_put.project;
	WITH given AS MATERIALIZED (
		SELECT r.* FROM answer.graph_read_nodes(nodes) AS r
	), judged AS MATERIALIZED (
		SELECT g.*, o.place_now, o.place_now IS NULL AS is_new, o.content_hash <> g.content_hash AS is_reread,
			(o.labels, o.name, o.path, o.start_line, o.end_line, o.docstring, o.doc_type, o.last_modified, o.text, o.source_path,
				o.content_hash, o.extraction_method, o.indexed_at)
			IS DISTINCT FROM (g.labels, g.name, g.path, g.start_line, g.end_line, g.docstring, g.doc_type, g.last_modified, g.text, g.source_path,
				g.content_hash, g.extraction_method, COALESCE(g.indexed_at, o.indexed_at)) AS is_other
		FROM given g LEFT JOIN LATERAL (SELECT n.ctid AS place_now, n.* FROM answer.graph_node n
			WHERE n.tenant = graph_load_put.tenant AND n.project = graph_load_put.project AND n.id = g.id OFFSET 0) AS o ON true
	), stale AS MATERIALIZED (
		SELECT n.ctid FROM (SELECT DISTINCT g.source_path FROM given g) AS s, LATERAL (SELECT o.ctid FROM answer.graph_node o
			WHERE answer.graph_key(o.tenant, o.project, o.source_path) = answer.graph_key(tenant, project, s.source_path) OFFSET 0) AS n
		EXCEPT SELECT j.place_now FROM judged j
	), removed AS (
		DELETE FROM answer.graph_node n WHERE n.ctid = ANY (ARRAY(SELECT s.ctid FROM stale s))
	), changed AS (
		UPDATE answer.graph_node n SET labels = j.labels, name = j.name, path = j.path, start_line = j.start_line, end_line = j.end_line,
			docstring = j.docstring, doc_type = j.doc_type, last_modified = j.last_modified, text = j.text, source_path = j.source_path,
			content_hash = j.content_hash, extraction_method = j.extraction_method, indexed_at = COALESCE(j.indexed_at, now()), loaded_at = now()
		FROM judged j
		WHERE j.is_other AND n.ctid = j.place_now
	), added AS (
		INSERT INTO answer.graph_node (tenant, project, id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text,
			source_path, content_hash, extraction_method, indexed_at)
		SELECT tenant, project, j.id, j.labels, j.name, j.path, j.start_line, j.end_line, j.docstring, j.doc_type, j.last_modified, j.text,
			j.source_path, j.content_hash, j.extraction_method, COALESCE(j.indexed_at, now())
		FROM judged j WHERE j.is_new
	)
	SELECT jsonb_build_object('created', count(*) FILTER (WHERE j.is_new), 'replaced', count(*) FILTER (WHERE j.is_other AND NOT j.is_new),
			'unchanged', count(*) FILTER (WHERE NOT j.is_other), 'removed', (SELECT count(*) FROM stale)),
		array_agg(j.id) FILTER (WHERE j.is_reread)
	INTO about_nodes, reread
	FROM judged j;

	WITH given AS MATERIALIZED (
		SELECT DISTINCT r.from_id, r.to_id, r.type FROM answer.graph_read_edges(edges) AS r
	), stale AS MATERIALIZED (
		SELECT e.from_id, e.to_id, e.type FROM unnest(reread) AS r (id), LATERAL (SELECT o.from_id, o.to_id, o.type FROM answer.graph_edge o
			WHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project AND o.from_id = r.id OFFSET 0) AS e
		EXCEPT SELECT g.from_id, g.to_id, g.type FROM given g
	), removed AS (
		DELETE FROM answer.graph_edge g WHERE g.ctid = ANY (ARRAY(
			SELECT e.ctid FROM stale s, LATERAL (SELECT o.ctid FROM answer.graph_edge o
				WHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project
				AND o.from_id = s.from_id AND o.to_id = s.to_id AND o.type = s.type OFFSET 0) AS e))
	), added AS (
		INSERT INTO answer.graph_edge (tenant, project, from_id, to_id, type)
		SELECT tenant, project, g.from_id, g.to_id, g.type FROM given g
		WHERE NOT EXISTS (SELECT FROM answer.graph_edge o WHERE o.tenant = graph_load_put.tenant AND o.project = graph_load_put.project
			AND o.from_id = g.from_id AND o.to_id = g.to_id AND o.type = g.type OFFSET 0)
		ORDER BY g.from_id COLLATE "C", g.to_id COLLATE "C", g.type COLLATE "C"
		RETURNING 1
	)
	SELECT jsonb_build_object('created', a.count, 'unchanged', g.count - a.count)
	INTO about_edges
	FROM (SELECT count(*) FROM given) AS g, (SELECT count(*) FROM added) AS a;
	PERFORM answer.graph_tie(tenant, project);

	SELECT * INTO after FROM answer.graph_set s WHERE s.tenant = graph_load_put.tenant AND s.project = graph_load_put.project;
	PERFORM answer.content_record_put(tenant, 'graph', project, before.sum);
	PERFORM answer.content_settle();
	RETURN jsonb_build_object('project', project, 'nodes', about_nodes, 'edges', about_edges
		|| jsonb_build_object('removed', before.edges + (about_edges ->> 'created')::bigint - after.edges));
END
$$;
COMMENT ON FUNCTION answer.graph_load_put(text, text, jsonb, jsonb) IS
'Stores a graph for answer_graph_load(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_graph_load(project text, nodes jsonb, edges jsonb DEFAULT '[]') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_graph_load(text, jsonb, jsonb) IS
'Loads nodes and edges into the graph of a project, all or none. See doc/reference.md#answer_graph_load.';

REVOKE ALL ON FUNCTION
	answer.graph_content(text, text, text, text),
	answer.graph_key(text, text, text),
	answer.graph_scope(text, text),
	answer.graph_read_nodes(jsonb),
	answer.graph_read_edges(jsonb),
	answer.graph_lock(text, text),
	answer.graph_count(text, text, bigint, bigint, bytea[], bytea[]),
	answer.graph_reread(),
	answer.graph_node_added(),
	answer.graph_node_removed(),
	answer.graph_node_changed(),
	answer.graph_tie(text, text),
	answer.graph_loose_end(),
	answer.graph_edge_added(),
	answer.graph_edge_removed(),
	answer.graph_edge_moved(),
	answer.graph_truncated(),
	answer.graph_embedding_counted(),
	answer.graph_project_check(text),
	answer.graph_load_put(text, text, jsonb, jsonb),
	@extschema@.answer_graph_load(text, jsonb, jsonb)
FROM PUBLIC;
