
/* plan: the tools that plans are made of; doc/spec/plan.md section 11 and section 12 */

CREATE FUNCTION answer.plan_instant() RETURNS timestamptz
AS 'MODULE_PATHNAME', 'answer_eval_plan_instant'
LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION answer.plan_instant() IS
'Returns the instant by which tools decide: evaluated_at of the plan while one of its steps calls them, otherwise the start of the statement. See doc/reference.md#answerplan_instant.';

CREATE FUNCTION answer.tool_doc_search(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 20000
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('hits', COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', s.chunk_id,
		-- a document without a url is named by its id, the part before "#" of a chunk's id
		'uri', COALESCE(NULLIF(s.uri, ''), s.chunk_id), 'title', s.title, 'score', round(s.similarity::numeric, 4), 'snippet', s.text,
		'stamp', to_char(s."timestamp" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) ORDER BY r.rank DESC, s.n), '[]'))
	FROM @extschema@.answer_search(args ->> 'q', COALESCE((args ->> 'k')::numeric, 8)::integer, args -> 'filters')
		WITH ORDINALITY AS s (chunk_id, doc_id, "timestamp", similarity, text, uri, title, n)
	-- among equal ones the more similar first: similarity * (1 - bias * min(age / limit, 1))
	CROSS JOIN LATERAL (SELECT CASE WHEN args ->> 'rerank' = 'freshness' THEN round(s.similarity::numeric, 4) * (1 -
		COALESCE((args ->> 'freshness_bias')::numeric, 0) * CASE WHEN COALESCE((args ->> 'freshness_days')::numeric, 0) > 0
			THEN COALESCE(least(greatest(extract(epoch FROM answer.plan_instant() - s."timestamp"), 0)
				/ (86400 * (args ->> 'freshness_days')::numeric), 1), 1) ELSE 1 END) ELSE 0 END) AS r (rank)
$$;
COMMENT ON FUNCTION answer.tool_doc_search(jsonb) IS
'Handler of the tool doc.search: answer_search() as a step of a plan. See doc/reference.md#answertool_doc_search.';

CREATE FUNCTION answer.tool_ground_verify(args jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_ground_verify'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION answer.tool_ground_verify(jsonb) IS
'Handler of the tool ground.verify: what sources say for and against claims, by ground-verify/2 (doc/plan.md) and by the judge of kind entailment that the active configuration names. See doc/reference.md#answertool_ground_verify.';

CREATE FUNCTION answer.tool_synth_answer(args jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_synth_answer'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.tool_synth_answer(jsonb) IS
'Handler of the tool synth.answer: an answer that only quotes evidence, without words of its own. See doc/reference.md#answertool_synth_answer.';

CREATE FUNCTION answer.tool_mesh_mem(args jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_mesh_mem'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.tool_mesh_mem(jsonb) IS
'Handler of the tool mesh.mem: reads and writes the memory of the caller''s tenant. See doc/reference.md#answertool_mesh_mem.';

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, category, description, seed, spec)
SELECT v.tool, v.handler, v.required_args::pg_catalog.text[], v.optional_args::pg_catalog.text[], '1 minute',
	v.value_path, 'plan', v.description, true, v.spec::pg_catalog.jsonb
FROM (VALUES
	('doc.search', 'answer.tool_doc_search', '{q}', '{k,filters,rerank,freshness_bias,freshness_days}', 'hits',
	 'The parts of the tenant''s documents that are most similar to a query.',
	 '{"type": "ToolSpec", "id": "doc.search",
	   "io": {"input": {"q": {"type": "string", "required": true}, "k": {"type": "integer", "default": 8}, "filters": "object",
	                    "rerank": {"type": "string", "enum": ["none", "freshness"]}, "freshness_bias": "number", "freshness_days": "integer"},
	          "output": {"hits": {"type": "array", "required": true,
	                              "items": {"id": "string", "uri": "string", "title": "string", "score": "number", "snippet": "string", "stamp": "string"}}}},
	   "constraints": {"input_tokens_max": 512, "latency_p50_ms": 120, "cost_per_call_usd": 0, "per_item_share": 0.25, "rate_limit_qps": 50, "side_effects": false},
	   "provenance": {"attribution_required": true, "observes": true}}'),
	('ground.verify', 'answer.tool_ground_verify', '{claims,sources}', '{min_confidence,policy,regulated,judgements,supersede,reported}', 'evidence.verdict.confidence',
	 'What sources say for and against claims, by ground-verify/2.',
	 '{"type": "ToolSpec", "id": "ground.verify",
	   "io": {"input": {"claims": {"type": "array", "items": "string", "required": true}, "sources": {"type": "array", "items": "Hit", "required": true},
	                    "min_confidence": {"type": "number", "default": 0.90}, "policy": "object", "regulated": "boolean", "judgements": "array",
	                    "supersede": "boolean", "reported": {"type": "array", "items": "integer"}},
	          "output": {"evidence": {"type": "Evidence", "required": true}}},
	   "constraints": {"latency_p50_ms": 200, "cost_per_call_usd": 0, "per_item_share": 0.5, "side_effects": false},
	   "provenance": {"rests_on": ["sources"]}}'),
	('synth.answer', 'answer.tool_synth_answer', '{evidence}', '{query,style}', 'text',
	 'An answer that quotes evidence, with a marker for each citation.',
	 '{"type": "ToolSpec", "id": "synth.answer",
	   "io": {"input": {"query": "string", "evidence": {"type": "Evidence", "required": true}, "style": {"type": "string", "enum": ["concise+citations"]}},
	          "output": {"text": {"type": "string", "required": true},
	                     "citations": {"type": "array", "required": true, "items": {"uri": "string", "title": "string", "stamp": "string"}}}},
	   "constraints": {"latency_p50_ms": 140, "cost_per_call_usd": 0, "per_item_share": 0, "side_effects": false},
	   "provenance": {"rests_on": ["evidence"]}}'),
	('mesh.mem', 'answer.tool_mesh_mem', '{op,key}', '{value,provenance,ttl}', NULL,
	 'What the tenant remembers: values by key, each with the evidence that it rests on.',
	 '{"type": "ToolSpec", "id": "mesh.mem",
	   "io": {"input": {"op": {"type": "string", "enum": ["read", "write"], "required": true}, "key": {"type": "string", "required": true},
	                    "value": "object", "provenance": "Evidence", "ttl": "string"},
	          "output": {"ok": {"type": "boolean", "required": true}, "value": "object", "provenance": "Evidence", "expires": "string",
	                     "reported_by": {"type": "array", "items": "string"}, "reason": "string"}},
	   "constraints": {"latency_p50_ms": 60, "cost_per_call_usd": 0, "per_item_share": 0, "side_effects": true}}')
) AS v (tool, handler, required_args, optional_args, value_path, description, spec);

REVOKE ALL ON FUNCTION
	answer.tool_doc_search(jsonb),
	answer.tool_ground_verify(jsonb),
	answer.tool_synth_answer(jsonb),
	answer.tool_mesh_mem(jsonb)
FROM PUBLIC;
