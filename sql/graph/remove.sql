
/* graph: sources that are gone */

CREATE FUNCTION answer.graph_remove_put(tenant text, project text, source_paths text[]) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
	removed bigint;
	edges_before bigint;
	edges_after bigint;
BEGIN
	PERFORM answer.graph_project_check(project);
	IF source_paths IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'source_paths must not be null';
	END IF;
	PERFORM answer.graph_lock(tenant, project);
	SELECT s.edges INTO edges_before FROM answer.graph_set s WHERE s.tenant = graph_remove_put.tenant AND s.project = graph_remove_put.project;
	DELETE FROM answer.graph_node n
	WHERE n.tenant = graph_remove_put.tenant AND n.project = graph_remove_put.project AND n.source_path = ANY (source_paths);
	GET DIAGNOSTICS removed = ROW_COUNT;
	SELECT s.edges INTO edges_after FROM answer.graph_set s WHERE s.tenant = graph_remove_put.tenant AND s.project = graph_remove_put.project;
	RETURN jsonb_build_object('project', project, 'nodes', removed, 'edges', edges_before - edges_after);
END
$$;
COMMENT ON FUNCTION answer.graph_remove_put(text, text, text[]) IS
'Removes nodes for answer_graph_remove(), as the owner of the tables; not for direct use. Arguments: the tenant, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_graph_remove(project text, source_paths text[]) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_graph_remove(text, text[]) IS
'Removes the nodes of sources that are gone from the graph of a project, and the edges that lead from or to them. Nothing is forgotten: packets that were handed out stay as they are, and what comes again is loaded again; to erase, call answer_graph_forget(). Arguments: the project, 1 to 255 bytes; the source_paths, of which one that no node has is passed over. Result: {"project", "nodes", "edges"}, how many of each went. Errors: 22004 for a NULL, 22023 for an empty or too long project, 42501 without the privilege or without a tenant (answer_tenant()).';

REVOKE ALL ON FUNCTION
	answer.graph_remove_put(text, text, text[]),
	@extschema@.answer_graph_remove(text, text[])
FROM PUBLIC;
