-- The labelled pairs of test/ground/pairs.json, and what answer_conflicts makes of each. The labels were written by
-- reading, before there was anything to run. Rules may be tuned on the half "tune"; the half "held" is only counted.
\set pairs_json `cat "$PG_ABS_SRCDIR/ground/pairs.json" 2>/dev/null || cat ../ground/pairs.json`
CREATE TEMP TABLE labelled AS SELECT p->>'id' AS id, (p->>'conflict')::boolean AS conflict, p->>'kind' AS kind,
	p->>'half' AS half, p->>'a' AS a, p->>'b' AS b
	FROM jsonb_array_elements(:'pairs_json') AS p;
CREATE FUNCTION pg_temp.two_chunks(a text, b text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', a, 'similarity', 0.9),
		jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', b, 'similarity', 0.8)) $$;
CREATE TEMP TABLE judged AS SELECT l.*, found->'pairs'->0->>'kind' AS found_kind, found->'pairs'->0->>'reason' AS reason
	FROM labelled AS l, LATERAL (SELECT public.answer_conflicts(pg_temp.two_chunks(a, b))) AS f (found);
CREATE TEMP VIEW judgement AS SELECT half, count(*) FILTER (WHERE NOT conflict) AS agreeing,
	count(*) FILTER (WHERE NOT conflict AND found_kind IS NOT NULL) AS falsely,
	count(*) FILTER (WHERE conflict) AS conflicting, count(*) FILTER (WHERE conflict AND found_kind IS NULL) AS missed,
	count(*) FILTER (WHERE conflict AND found_kind <> kind) AS other_kind
	FROM judged GROUP BY half;
