
/* graph: search, embeddings, forgetting */

CREATE FUNCTION answer.graph_search_vector(tenant text, project text, embedding real[], k integer, labels text[], paths text[])
RETURNS TABLE (place bigint, id text, score integer)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.embedding_check(embedding);
	-- every embedding is read: an index would make the choice of results depend on itself
	RETURN QUERY EXECUTE format('SELECT row_number() OVER (ORDER BY s.score DESC, convert_to(s.path, ''UTF8''), convert_to(s.id, ''UTF8'')), s.id::text, s.score'
		' FROM (SELECT n.id, n.path, round(least(1, 1 - (e.embedding::%1$s.vector(%2$s) OPERATOR(%1$s.<=>) $3::%1$s.vector(%2$s))) * 10000)::int AS score'
		' FROM answer.graph_embedding e, LATERAL (SELECT g.* FROM answer.graph_node g'
		' WHERE g.tenant = e.tenant AND g.project = e.project AND g.id = e.id OFFSET 0) AS n'
		' WHERE e.tenant = $1 AND e.project = $2 AND cardinality(e.embedding) = %2$s AND ($5 IS NULL OR n.labels && $5)'
		' AND ($6 IS NULL OR EXISTS (SELECT FROM unnest($6) AS p (path) WHERE n.path = p.path OR starts_with(n.path, rtrim(p.path, ''/'') || ''/'')))) AS s'
		' WHERE s.score > 0 ORDER BY 1 LIMIT $4', answer.vector_schema(), cardinality(embedding))
	USING tenant, project, embedding, k, labels, paths;
END
$$;
COMMENT ON FUNCTION answer.graph_search_vector(text, text, real[], integer, text[], text[]) IS
'Returns the nodes of a project whose embeddings are nearest to a given one; not for direct use.';

CREATE FUNCTION answer.graph_search_of(tenant text, project text, question text, k integer, labels text[], paths text[], embedding real[])
RETURNS TABLE (id text, name text, path text, score float8)
AS 'MODULE_PATHNAME', 'answer_eval_graph_search'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 10000 ROWS 20;
COMMENT ON FUNCTION answer.graph_search_of(text, text, text, integer, text[], text[], real[]) IS
'Searches for answer_graph_search(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_graph_search(project text, question text, k integer DEFAULT 20, labels text[] DEFAULT NULL, paths text[] DEFAULT NULL,
	embedding real[] DEFAULT NULL)
RETURNS TABLE (id text, name text, path text, score float8)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 20000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_graph_search(text, text, integer, text[], text[], real[]) IS
'Returns the nodes of a project that a question is about, found as for a packet, but whatever their score. See doc/reference.md#answer_graph_search.';

CREATE FUNCTION answer.graph_embed_put(tenant text, project text, id text, embedding real[]) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	PERFORM answer.graph_project_check(project);
	IF id IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'id must not be null';
	END IF;
	PERFORM answer.embedding_check(embedding);
	PERFORM answer.graph_lock(tenant, project);
	PERFORM FROM answer.graph_node n WHERE n.tenant = graph_embed_put.tenant AND n.project = graph_embed_put.project AND n.id = graph_embed_put.id;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no node "%s" in project "%s"', id, project),
			hint = 'answer.graph_node lists the nodes.';
	END IF;
	INSERT INTO answer.graph_embedding AS e (tenant, project, id, embedding) VALUES (tenant, project, id, embedding)
	ON CONFLICT ON CONSTRAINT graph_embedding_pkey DO UPDATE SET embedding = excluded.embedding;
	-- at the end of the transaction this would look like a restore, and nothing would be recorded: see
	-- answer.content_changed()
	IF NOT current_setting('check_function_bodies')::boolean THEN
		PERFORM answer.content_settle();
	END IF;
END
$$;
COMMENT ON FUNCTION answer.graph_embed_put(text, text, text, real[]) IS
'Stores an embedding for answer_graph_embed(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_graph_embed(project text, id text, embedding real[]) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_graph_embed(text, text, real[]) IS
'Stores the embedding of a node, made by the user''s model, and replaces an existing one; pgvector is not needed for that. See doc/reference.md#answer_graph_embed.';

CREATE FUNCTION answer.graph_forget_put(tenant text, project text, ids text[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	before answer.graph_set;
	after answer.graph_set;
	unknown text;
BEGIN
	PERFORM answer.graph_project_check(project);
	PERFORM answer.content_settle();
	PERFORM answer.graph_lock(tenant, project);
	SELECT * INTO before FROM answer.graph_set s WHERE s.tenant = graph_forget_put.tenant AND s.project = graph_forget_put.project;
	IF before.nodes = 0 THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('no graph is loaded for project "%s"', project),
			hint = 'answer.graph_project lists the projects.';
	END IF;
	IF ids IS NULL THEN
		DELETE FROM answer.graph_edge e WHERE e.tenant = graph_forget_put.tenant AND e.project = graph_forget_put.project;
		DELETE FROM answer.graph_node n WHERE n.tenant = graph_forget_put.tenant AND n.project = graph_forget_put.project;
	ELSE
		SELECT i.id INTO unknown FROM unnest(ids) WITH ORDINALITY AS i (id, place) WHERE NOT EXISTS (SELECT FROM answer.graph_node n
			WHERE n.tenant = graph_forget_put.tenant AND n.project = graph_forget_put.project AND n.id = i.id OFFSET 0)
		ORDER BY i.place LIMIT 1;
		IF FOUND THEN
			RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no node "%s" in project "%s"', COALESCE(unknown, 'NULL'), project),
				hint = 'answer.graph_node lists the nodes.';
		END IF;
		DELETE FROM answer.graph_node g WHERE g.ctid = ANY (ARRAY(
			SELECT n.ctid FROM unnest(ids) AS i (id), LATERAL (SELECT o.ctid FROM answer.graph_node o
				WHERE o.tenant = graph_forget_put.tenant AND o.project = graph_forget_put.project AND o.id = i.id OFFSET 0) AS n));
	END IF;
	SELECT * INTO after FROM answer.graph_set s WHERE s.tenant = graph_forget_put.tenant AND s.project = graph_forget_put.project;
	PERFORM answer.content_record_put(tenant, 'graph', project, before.sum);
	PERFORM answer.content_settle();
	RETURN jsonb_build_object('project', project, 'nodes', before.nodes - after.nodes, 'edges', before.edges - after.edges);
END
$$;
COMMENT ON FUNCTION answer.graph_forget_put(text, text, text[]) IS
'Deletes nodes for answer_graph_forget(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_graph_forget(project text, ids text[] DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_graph_forget(text, text[]) IS
'Deletes nodes of a project, with their edges, embeddings and search data, all or none. See doc/reference.md#answer_graph_forget.';

REVOKE ALL ON FUNCTION
	answer.graph_search_vector(text, text, real[], integer, text[], text[]),
	answer.graph_search_of(text, text, text, integer, text[], text[], real[]),
	@extschema@.answer_graph_search(text, text, integer, text[], text[], real[]),
	answer.graph_embed_put(text, text, text, real[]),
	@extschema@.answer_graph_embed(text, text, real[]),
	answer.graph_forget_put(text, text, text[]),
	@extschema@.answer_graph_forget(text, text[])
FROM PUBLIC;
