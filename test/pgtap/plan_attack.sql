-- Attacks on plans: by another tenant, a role of the same tenant, a role without rights, the author of a plan, the
-- author of a tool, and somebody who changes tables and restores the guards.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(230);
CREATE SCHEMA attack;
GRANT USAGE, CREATE ON SCHEMA attack TO PUBLIC;

-- The result of a statement, or the SQLSTATE of its error.
CREATE FUNCTION attack.tried(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN COALESCE(result, 'nothing');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE FUNCTION attack.gives(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args -> 'give' $$;
CREATE FUNCTION attack.who(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object('who', current_user) $$;
CREATE FUNCTION attack.does(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'sql';
	RETURN '{"ok": true}';
END $$;

-- EXECUTE on every function, and no right on a table; one role has no rights at all
CREATE ROLE regress_attack_a;
CREATE ROLE regress_attack_a2;
CREATE ROLE regress_attack_b;
CREATE ROLE regress_attack_none;
CREATE ROLE regress_attack_bare;
SELECT answer_tenant_create('attack-a'), answer_tenant_create('attack-b'), answer_tenant_grant('attack-a',
	'regress_attack_a'),
	answer_tenant_grant('attack-a', 'regress_attack_a2'), answer_tenant_grant('attack-b', 'regress_attack_b'),
	answer_tenant_grant('attack-a', 'regress_attack_bare');
GRANT USAGE ON SCHEMA answer, tap TO PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA attack TO PUBLIC;
DO $$
BEGIN
	EXECUTE (SELECT string_agg(format('GRANT EXECUTE ON ROUTINE %s TO regress_attack_a, regress_attack_a2,'
		' regress_attack_b,'
		' regress_attack_none', d.objid::regprocedure), '; ') FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
		WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND e.extname = 'answer_eval');
END $$;

/* plans of a user: one that is done, one that waits */

-- the results of a tenant's own tool are reported
SELECT answer_memory_policy('attack-b', 'secret', true);

SET ROLE regress_attack_b;
SELECT answer_tool_register('attack.gives', 'attack.gives(jsonb)', spec => '{"io": {"input": {"give": "object"},
	"output": {"evidence": "Evidence"}}, "constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}}');
SELECT answer_tool_register('attack.ask', NULL, spec => '{"external": true, "io": {"output": {"text": "string"}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}}');
SELECT is(answer_plan_execute('{"request_id": "mine", "plan": {"plan_id": "attack", "nodes": [{"id": "v", "op": "call",
	"tool": "attack.gives", "out": "e", "args": {"give": {"evidence": {"claims": ["c"], "supports": [{"claim": "c",
	"source": "s", "confidence": 0.95, "snippet": "x"}]}}}}, {"id": "w", "op": "mem.write", "args": {"key": "secret",
	"value": {"v": "b"}, "provenance": "$e"}}], "edges": [["v", "w"]]}}') ->> 'verdict', 'answered', 'b has a plan');
SELECT answer_plan_register('{"plan_id": "attack.b", "nodes": [{"id": "a", "op": "assert", "if": "true"}]}') IS NOT
	NULL;
SELECT answer_plan_execute('{"plan": {"plan_id": "attack.waits", "nodes": [{"id": "q", "op": "call",
	"tool": "attack.ask",
	"out": "x"}]}}') ->> 'trace_id' AS waits \gset
RESET ROLE;
SELECT trace_id AS done FROM answer.plan_run WHERE plan_id = 'attack' \gset
SELECT answer_budget_set('attack-b', 'day', 5), answer_budget_set('attack-a', 'day', 5);
CREATE TABLE attack.before AS SELECT (SELECT json_agg(b ORDER BY tenant) FROM answer.budget b)::text AS budget,
	(SELECT json_agg(m ORDER BY tenant) FROM answer.memory_entry m)::text AS memory,
	(SELECT json_agg(r ORDER BY trace_id) FROM answer.plan_run r WHERE tenant = 'attack-b')::text AS runs;

/* a role with all functions sees and changes nothing of another tenant */

CREATE TABLE attack.statements (statement text, another text, none text);
INSERT INTO attack.statements VALUES
	(format('SELECT count(*) FROM answer_trace(%L)', :'done'), '0', '42501'),
	('SELECT count(*) FROM answer_trace(''attack'')', '0', '42501'),
	(format('SELECT answer_trace_verify(%L)', :'done'), 'P0002', '42501'),
	(format('SELECT answer_replay_bundle(%L)', :'done'), 'P0002', '42501'),
	(format('SELECT answer_plan_resume(%L, ''{"q": {"result": {"text": "x"}, "by": "me"}}'')', :'waits'), 'P0002',
		'42501'),
	('SELECT answer_plan_recover()', '0', '42501'),
	('SELECT answer.tool_mesh_mem(''{"op": "read", "key": "secret"}'') ->> ''ok''', 'false', '42501'),
	('SELECT answer_memory_forget(''secret'', ''x'')', 'P0002', '42501'),
	('SELECT answer_plan_execute(''{"tenant": "attack-b", "plan": {"ref": "attack.b"}}'')', '42501', '42501'),
	('SELECT answer_plan_execute(''{"plan": {"ref": "attack.b"}}'')', 'P0002', '42501'),
	('SELECT answer_plan_execute(''{"plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "call",'
		' "tool": "attack.gives",'
		' "out": "v"}]}}'')', '22023', '42501'),
	('SELECT answer_plan_explain(''{"tenant": "attack-b", "plan": {"ref": "attack.b"}}'')', '42501', '42501'),
	('SELECT answer_tool_spec(''attack.gives'')', 'P0002', '42501'),
	('SELECT answer_tool_invoke(''attack.gives'', ''{}'')', 'P0002', '42501'),
	('SELECT set_config(''answer_eval.tenant'', ''attack-b'', true) || answer_plan_execute(''{"plan":'
		' {"ref": "attack.b"}}'')',
		'42501', '42501'),
	('SELECT answer_budget_set(''attack-a'', ''day'', 1000)', '42501', NULL),
	('SELECT answer.budget_set_put(''attack-a'', ''day'', 1000)', '42501', '42501'),
	(format('SELECT answer.budget_operate(''attack-b'', %L, ''settle'')', :'waits'), '42501', NULL),
	(format('SELECT answer.budget_recover(''attack-b'', %L, ''infinity'')', :'waits'), '42501', NULL),
	(format('SELECT answer.trace_lock(''attack-b'', %L, true)', :'waits'), '42501', NULL),
	('SELECT answer.rate_take(''attack-b'', ''attack.gives'', 1, true)', '42501', NULL),
	('SELECT answer.budget_lock(''attack-b'')', '42501', NULL),
	('SELECT answer.plan_put(''attack-b'', ''mine'', ''sha256:0'', ''{}'', ''x'')', '42501', '42501'),
	('SELECT answer.plan_tools(''attack-b'', ''{"nodes": [{"tool": "attack.gives"}]}'')', '42501', '42501'),
	('SELECT count(*) FROM answer.trace_of(''{attack-b}'', 0::oid, ''attack'', NULL, false)', '42501', '42501'),
	(format('SELECT answer.replay_bundle_of(''{attack-b}'', 0::oid, %L)', :'done'), '42501', '42501'),
	('SELECT count(*) FROM answer.plan_run', '42501', '42501'), ('SELECT count(*) FROM answer.plan_event', '42501',
		'42501'),
	('SELECT count(*) FROM answer.plan_step', '42501', '42501'), ('SELECT count(*) FROM answer.budget', '42501',
		'42501'),
	('SELECT count(*) FROM answer.memory', '42501', '42501'), ('SELECT count(*) FROM answer.memory_entry', '42501',
		'42501'),
	('INSERT INTO answer.plan_event VALUES (''attack-a'', ''t_0'', 1, ''x'', ''x'', now(), ''{}'') RETURNING 1',
		'42501', '42501');
GRANT SELECT ON attack.statements TO PUBLIC;
SET ROLE regress_attack_a;
SELECT is(attack.tried(statement), another, 'another tenant: ' || statement) FROM attack.statements;
SELECT is(attack.tried('SELECT answer_plan_execute(''{"request_id": "mine", "plan": {"plan_id": "x",
	"nodes": [{"id": "a",
	"op": "assert", "if": "true"}]}}'') ->> ''verdict'''), 'answered', 'another tenant has request ids of its own');
SET ROLE regress_attack_none;
-- plans of the operator are for the roles to which the operator grants the functions
SELECT is(attack.tried(statement), none, 'no tenant: ' || statement) FROM attack.statements WHERE none IS NOT NULL;
SET ROLE regress_attack_bare;
SELECT is(attack.tried(statement), '42501', 'no right: ' || statement) FROM attack.statements WHERE statement !~
	'set_config';
RESET ROLE;
SELECT is((SELECT json_agg(b ORDER BY tenant) FROM answer.budget b)::text, budget, 'no budget has changed')
FROM attack.before;
SELECT is((SELECT json_agg(m ORDER BY tenant) FROM answer.memory_entry m)::text, memory, 'nor what is remembered')
FROM attack.before;
SELECT is((SELECT json_agg(r ORDER BY trace_id) FROM answer.plan_run r WHERE tenant = 'attack-b')::text, runs,
	'nor its plans') FROM attack.before;

/* the same tenant: only who began a plan continues it; a tool has the rights of the role that registered it */

SET ROLE regress_attack_a;
SELECT answer_tool_register('attack.who', 'attack.who(jsonb)', spec => '{"constraints": {"latency_p50_ms": 10000}}');
SELECT answer_tool_register('attack.mine', NULL, spec => '{"external": true, "io": {"output": {"text": "string"}}}');
SELECT answer_plan_execute('{"plan": {"plan_id": "attack.mine", "nodes": [{"id": "q", "op": "call",
	"tool": "attack.mine",
	"out": "x"}]}}') ->> 'trace_id' AS mine \gset
SET ROLE regress_attack_a2;
SELECT is(attack.tried(format('SELECT answer_plan_resume(%L, ''{"q": {"result": {"text": "x"}, "by": "me"}}'')',
	:'mine')),
	'42501', 'another role of the tenant cannot answer');
SELECT is(answer_plan_execute('{"plan": {"plan_id": "attack.who", "nodes": [{"id": "q", "op": "call",
	"tool": "attack.who",
	"out": "x"}]}}') #>> '{trace,0,outputs,who}', 'regress_attack_a', 'a tenant''s tool is its author, whoever calls');
RESET ROLE;
SELECT answer_tool_register('attack.shared', 'attack.who(jsonb)', spec => '{"constraints": {"latency_p50_ms": 10000}}');
SET ROLE regress_attack_a2;
SELECT is(answer_plan_execute('{"plan": {"plan_id": "attack.who", "nodes": [{"id": "q", "op": "call",
	"tool": "attack.shared", "out": "x"}]}}') #>> '{trace,0,outputs,who}', 'regress_attack_a2',
	'a shared one is the caller');

/* the author of a tool, and of a plan: no verdict, no memory, no acts beside the plan */

SET ROLE regress_attack_a;
SELECT answer_tool_register('attack.acts', 'attack.does(jsonb)', spec => '{"io": {"input": {"sql": "string"},
	"output": {"ok": "boolean"}}, "constraints": {"latency_p50_ms": 10000, "side_effects": true}}');
SELECT answer_tool_register('attack.calm', 'attack.does(jsonb)', spec => '{"io": {"input": {"sql": "string"},
	"output": {"ok": "boolean"}}, "constraints": {"latency_p50_ms": 10000}}');
CREATE FUNCTION attack.verdict(tool text, sql text) RETURNS text LANGUAGE sql AS $$
	SELECT public.answer_plan_execute(jsonb_build_object('plan', jsonb_build_object('plan_id', 'attack.acts', 'nodes',
		jsonb_build_array(jsonb_build_object('id', 'a', 'op', 'call', 'tool', tool, 'out', 'x',
		'args', jsonb_build_object('sql', sql)))))) ->> 'verdict' $$;
SELECT is(attack.verdict(tool, sql), 'failed', tool || ': ' || sql)
FROM (VALUES ('attack.acts', $$SELECT public.answer_budget_set('attack-a', 'day', 1000)$$),
	('attack.acts', $$SELECT public.answer_tool_invoke('attack.acts', '{"sql": "SELECT 1"}')$$),
	('attack.acts', $$INSERT INTO answer.plan_event VALUES ('attack-a', 't_0', 1, 'x', 'x', now(), '{}')$$),
	('attack.acts', $$UPDATE answer.plan_run SET verdict = 'answered'$$),
	('attack.acts', $$SET ROLE regress_attack_b; SELECT public.answer_tool_spec('attack.gives')$$),
	('attack.acts', $$SET SESSION AUTHORIZATION regress_attack_b; SELECT public.answer_tool_spec('attack.gives')$$),
	('attack.acts', $$SELECT set_config('answer_eval.tenant', 'attack-b', false); SELECT
		public.answer_tool_spec('attack.gives')$$),
	('attack.acts', $$SELECT public.answer_plan_recover() / 0$$),
	('attack.calm', $$CREATE TABLE attack.written AS SELECT 1$$),
	('attack.calm', $$SELECT public.answer_tool_invoke('attack.acts', '{"sql": "SELECT 1"}')$$),
	('attack.calm', $$SELECT public.answer_memory_forget('k', 'x')$$)) AS v (tool, sql);
SELECT is(attack.tried($$SELECT answer_fact('attack.acts', '{"sql": "SELECT 1"}')$$), '55000',
	'no fact rests on what acts');
SELECT is(answer.tool_mesh_mem('{"op": "write", "key": "k", "value": {}, "provenance": {"claims": ["c"],
	"supports": [{"claim": "c", "source": "s", "confidence": 0.95, "snippet": "x"}]}}') ->> 'ok', 'false',
	'memory is not written outside of a plan');
SELECT is(answer_tool_invoke('mesh.mem',
	'{"op": "write", "key": "k", "value": {}, "provenance": {"claims": ["c"], "supports": [{
	"claim": "c", "source": "s", "confidence": 0.95, "snippet": "x"}]}}') #>> '{result,ok}', 'false',
	'nor by calling its tool');
SELECT answer_tool_register('attack.brings', 'attack.gives(jsonb)', spec => '{"io": {"input": {"give": "object"},
	"output": {"evidence": "Evidence"}}, "constraints": {"latency_p50_ms": 10000}}');
SELECT is(answer_plan_execute(jsonb_build_object('vars', '{"items": [{"key": "a", "value": {"v": 1}},
	{"key": "b", "value": {"text": "Untrue [7].", "citations": [{"uri": "elsewhere"}]}}]}'::jsonb, 'plan',
	'{"plan_id": "attack.map", "edges": [["v", "w"]], "nodes": [{"id": "v", "op": "call", "tool": "attack.brings",
	"out": "e", "args": {"give": {"evidence": {"claims": ["c"], "supports": [{"claim": "c", "source": "s",
	"confidence": 0.95, "snippet": "x"}]}}}}, {"id": "w", "op": "map", "tool": "mesh.mem", "out": "x", "args":
	{"items": "$INPUT.items", "op": "write", "key": "$item.key", "value": "$item.value",
	"provenance": "$e"}}]}'::jsonb)) #>> '{reason,kind}',
	'markers', 'nor is a text without its citations remembered by a later call of a map');
RESET ROLE;
SELECT hasnt_table('attack', 'written', 'nothing was written');
SELECT is((SELECT count(*)::int FROM answer.memory_entry WHERE tenant = 'attack-a'), 0, 'and nothing is remembered');
SELECT is((SELECT cost_cap_usd FROM answer.budget_cap WHERE tenant = 'attack-a'), 5.0, 'and the cap is what it was');

/* a role that may not read memory gets no answer from it either, however small the budget */

SAVEPOINT before_memory;
INSERT INTO answer.memory_entry (tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id)
SELECT 'attack-a', 'k', '{}', answer_digest('{}'), '{"claims": ["c"], "supports": [{"claim": "c", "source": "s",
	"confidence": 0.95, "snippet": "Remembered."}]}', 'P1D', now(), now() + interval '1 day', 't_1';
GRANT EXECUTE ON FUNCTION answer_plan_execute(jsonb) TO regress_attack_bare;
CREATE FUNCTION attack.summary() RETURNS text LANGUAGE sql AS $$
	SELECT public.answer_plan_execute('{"budgets": {"latency_budget_ms": 60}, "plan": {"plan_id": "attack.summary",
		"nodes": [{"id": "a", "op": "mem.read", "out": "x", "args": {"key": "k"}}, {"id": "b", "op": "mem.read",
		"out": "y", "args": {"key": "k"}}]}}') ->> 'verdict' $$;
GRANT EXECUTE ON FUNCTION attack.summary() TO PUBLIC;
SET ROLE regress_attack_bare;
SELECT is(attack.summary(), 'refused', 'no summary without the right to read memory');
SET ROLE regress_attack_a;
SELECT is(attack.summary(), 'answered', 'and one with it');
RESET ROLE;
-- nor does a small budget bypass the checks of the plan on its evidence
CREATE FUNCTION attack.instead(nodes jsonb, edges jsonb DEFAULT '[]') RETURNS text LANGUAGE sql AS $$
	SELECT public.answer_plan_execute(jsonb_build_object('budgets', '{"latency_budget_ms": 60}'::jsonb,
		'basis', 'declared', 'vars', '{"x": 1}'::jsonb, 'plan', jsonb_build_object('plan_id', 'attack.instead',
		'edges', edges, 'nodes', '[{"id": "a", "op": "mem.read", "out": "m", "args": {"key": "k"}}, {"id": "b",
			"op": "mem.read", "out": "y", "args": {"key": "k"}}]'::jsonb || nodes))) ->> 'verdict' $$;
SELECT set_config('answer_eval.tenant', 'attack-a', true);
SELECT is(attack.instead(nodes, edges), verdict, what) FROM (VALUES
	('[]'::jsonb, '[]'::jsonb, 'answered', 'what is remembered stands for a plan that asks nothing'),
	('[{"id": "c", "op": "assert", "if": "1 > 2"}]', '[]', 'refused', 'not for one whose condition does not hold'),
	('[{"id": "c", "op": "assert", "if": "$INPUT.x == 1"}]', '[]', 'answered', 'but for one whose condition holds'),
	('[{"id": "c", "op": "assert", "if": "$y == 1"}]', '[["b", "c"]]', 'refused', 'not where that is not known'),
	('[{"id": "c", "op": "branch", "if": "$INPUT.x == 1"}]', '[]', 'refused', 'nor where a side is taken'),
	('[{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["c"], "sources": []}}, {"id": "s", "op": "assert",
		"if": "$e.supports[0].confidence >= 0.95"}]', '[["v", "s"]]', 'answered', 'it is held against the same claims'),
	('[{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["c"], "sources": []}}, {"id": "s", "op": "assert",
		"if": "$e.supports[0].confidence > 0.95"}]', '[["v", "s"]]', 'refused', 'and the same conditions'),
	('[{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["d"], "sources": []}}]', '[]', 'refused',
		'it does not stand for other claims'),
	('[{"id": "v", "op": "verify", "out": "e", "args": {"claims": "$y", "sources": []}}]', '[["b", "v"]]', 'refused',
		'nor for claims that are not known'),
	('[{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["c"], "sources": [], "min_confidence": 0.99}}]',
		'[]', 'refused', 'nor where it is not sure enough')) AS t (nodes, edges, verdict, what);
ROLLBACK TO before_memory;

/* invented evidence counts as reported, however it comes in: a signed answer says so, and memory does not keep it */

SAVEPOINT before_origins;
CREATE FUNCTION attack.chain(nodes text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'attack.origin', 'nodes', n, 'edges', COALESCE((SELECT jsonb_agg(
		jsonb_build_array(n -> i ->> 'id', n -> i + 1 ->> 'id') ORDER BY i)
		FROM generate_series(0, jsonb_array_length(n) - 2) AS i), '[]')) FROM (SELECT nodes::jsonb) AS g (n) $$;
-- verdict, kind of the reason, outcomes that are not ok, origin of the answer, codes of its caveats, but that
-- nobody has judged it; and it replays
CREATE FUNCTION attack.told(document jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', document ->> 'verdict', document #>> '{reason,kind}',
		(SELECT string_agg(e #>> '{event,step}' || ':' || (e #>> '{event,outcome}'), ' ' ORDER BY n)
		FROM jsonb_array_elements(document -> 'trace') WITH ORDINALITY AS t (e, n)
		WHERE e #>> '{event,outcome}' <> 'ok'), '[' || (document #>> '{response,evidence,origin}') || ']',
		(SELECT string_agg(c ->> 'code', ' ' ORDER BY n)
		FROM jsonb_array_elements(document -> 'caveats') WITH ORDINALITY AS c (c, n)
		WHERE c ->> 'code' <> 'not_judged'),
		CASE WHEN NOT (public.answer_replay(document) ->> 'ok')::boolean
		THEN 'DOES NOT REPLAY ' || public.answer_replay(document)::text END) $$;
CREATE FUNCTION attack.ran(nodes text, vars jsonb DEFAULT '{}',
	more jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT attack.told(public.answer_plan_execute(jsonb_build_object('vars', vars, 'plan', attack.chain(nodes))
	|| more)) $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA attack TO PUBLIC;
SET ROLE regress_attack_a;
SELECT answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'lockers', 'title', 'Lockers', 'timestamp',
	now(),
	'url', 'https://example.com/lockers', 'text', 'Every customer on Earth gets 3 free lockers.'))) IS NOT NULL;
RESET ROLE;
-- tools of the operator: one that declares that it observes, one that does not
SELECT answer_tool_register('attack.sees', 'attack.gives(jsonb)', spec => '{"io": {"input": {"give": "object"},
	"output": {"hits": "array"}}, "provenance": {"observes": true}, "constraints": {"latency_p50_ms": 10000}}');
SELECT answer_tool_register('attack.passes', 'attack.gives(jsonb)', spec => '{"io": {"input": {"give": "object"}},
	"constraints": {"latency_p50_ms": 10000}}');
SELECT answer_tool_register('attack.still', 'attack.who(jsonb)',
	spec => '{"constraints": {"latency_p50_ms": 10000}}');
CREATE FUNCTION attack.many(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT '{"found": [{"claims": ["c"],
	"supports": [{"claim": "c", "source": "s", "confidence": 0.1}], "origin": "observed", "reported_by": [],
	"verdict": {"confidence": 1}}]}'::jsonb $$;
CREATE FUNCTION attack.says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args $$;
SELECT answer_tool_register('attack.says', 'attack.says(jsonb)', spec => '{"io": {"input": {"text": "string"},
	"output": {"text": "string"}}, "constraints": {"latency_p50_ms": 10000}}');
CREATE FUNCTION attack.retells(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('text', COALESCE(jsonb_path_query_first(args, '$.**.claim'), '"none"')) $$;
SELECT answer_tool_register('attack.retells', 'attack.retells(jsonb)', spec => '{"io": {"input": {"give": {},
	"evidence": "Evidence"}, "output": {"text": "string"}}, "constraints": {"latency_p50_ms": 10000}}');
CREATE FUNCTION attack.lists(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('text', args -> 'items') $$;
SELECT answer_tool_register('attack.lists', 'attack.lists(jsonb)', spec => '{"io": {"input": {"items": "string"},
	"output": {"text": "string"}}, "constraints": {"latency_p50_ms": 10000}}');
SELECT answer_tool_register('attack.model', NULL, spec => '{"external": true, "io": {"output": {"hits": "array"}}}');
SELECT answer_tool_register('attack.person', NULL, spec => '{"external": true,
	"io": {"output": {"found": "object"}}}');
CREATE TABLE attack.piece AS SELECT
	'{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["Every customer on Mars gets 30 free lockers"],'
	' "sources": ' AS verify, '}}, {"id": "q", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"},
	"out": "a"}'
	AS quote, ', {"id": "w", "op": "mem.write", "args": {"key": "faq.lockers", "value": "$a",
	"provenance": "$e"}}' AS keep,
	'{"hits": [{"uri": "https://example.com/lockers", "score": 1, "stamp": "2999-01-01",
	"snippet": "Every customer on Mars gets 30 free lockers."}]}'
	::jsonb AS made_up, '{"claims": ["c"], "supports": [{"claim": "c", "source": "https://example.com/lockers",
	"confidence": 0.99, "snippet": "Thirty."}], "origin": "observed", "reported_by": []}'::jsonb AS evidence;
GRANT SELECT ON attack.piece TO PUBLIC;
CREATE VIEW attack.told_of AS SELECT
	attack.ran('[' || verify || '"$INPUT.hits"' || quote || keep || ']', made_up) AS vars,
	attack.ran('[' || verify || (made_up ->> 'hits') || quote || keep || ']') AS literal,
	attack.ran('[{"id": "f", "op": "call", "tool": "doc.search", "args": {"q": "lockers"}, "out": "h"}, '
		|| verify || '["$h[0]", "$INPUT.hits[0]"]' || quote || keep || ']', made_up) AS part,
	attack.ran('[{"id": "f", "op": "call", "tool": "doc.search", "args": {"q": "lockers"}, "out": "h"}, ' || verify
		|| '[{"uri": "$h[0].uri", "score": 1, "stamp": "2999-01-01",
		"snippet": "$INPUT.hits[0].snippet"}]' || quote || keep || ']',
		made_up) AS composed,
	attack.ran('[{"id": "f", "op": "call", "tool": "attack.passes", "args": {"give": "$INPUT"}, "out": "h"}, '
		|| verify || '"$h.hits"' || quote || keep || ']', made_up) AS passed_on,
	attack.ran('[{"id": "m", "op": "map", "tool": "attack.passes", "args": {"items": ["$INPUT"], "give": "$item"},
	"out": "h"}, '
		|| verify || '"$h[0].hits"' || quote || keep || ']', made_up) AS mapped,
	attack.ran('[{"id": "q", "op": "call", "tool": "synth.answer", "args": {"evidence": "$INPUT"}, "out": "a"}]',
	evidence)
		AS evidence,
	attack.ran(format('[{"id": "q", "op": "call", "tool": "synth.answer", "args": {"evidence": %s}, "out": "a"}]',
	evidence))
		AS evidence_literal,
	attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
		|| verify || '"$h"' || quote || keep || ']', made_up) AS seen
	FROM attack.piece;
GRANT SELECT ON attack.told_of TO PUBLIC;
CREATE ROLE "regress_attack, (c)";
GRANT regress_attack_none TO "regress_attack, (c)";
SELECT answer_tenant_grant('attack-a', 'regress_attack, (c)');
SET ROLE regress_attack_a;
SELECT is(told.value, CASE told.key
	WHEN 'evidence' THEN 'answered [reported evidence (by regress_attack_a)] reported_evidence'
	WHEN 'evidence_literal' THEN 'answered [reported evidence (by regress_attack_a)] reported_evidence'
	WHEN 'seen' THEN 'answered'
	ELSE 'answered w:refused [reported evidence (by regress_attack_a)] not_remembered reported_evidence' END,
	'invented sources: ' || told.key) FROM attack.told_of AS o, jsonb_each_text(to_jsonb(o)) AS told;
SELECT matches(answer_summary(answer_plan_execute(jsonb_build_object('vars', made_up, 'plan', attack.chain('['
	|| verify
	|| '"$INPUT.hits"' || quote || ']')))), ', reported evidence \(by regress_attack_a\), not judged\): "Every',
	'the sentence for people says it') FROM attack.piece;
-- a name that could look like the end of the sentence is quoted
SET ROLE "regress_attack, (c)";
SELECT is(vars, 'answered w:refused [reported evidence (by "regress_attack, (c)")] not_remembered reported_evidence',
	'a role of another name') FROM attack.told_of;
SET ROLE regress_attack_a;
-- answers of the application, whatever type its result is declared to have
SELECT is(attack.told(answer_plan_resume(p ->> 'trace_id', jsonb_build_object('f', jsonb_build_object('by',
	'the operator',
	'result', given)))), 'answered [reported evidence (by regress_attack_a)] reported_evidence', 'an answer to '
	|| tool)
FROM attack.piece, LATERAL (VALUES ('attack.model', '"$h"', made_up), ('attack.person', '"$h.hits"',
	jsonb_build_object('found', made_up))) AS c (tool, sources, given), LATERAL (SELECT answer_plan_execute(
	jsonb_build_object('plan', attack.chain(format('[{"id": "f", "op": "call", "tool": "%s", "out": "h"}, ', tool)
	|| verify || sources || quote || ']')))) AS r (p);
-- results of a tenant's own tool are statements of its author, whatever its spec says
SELECT answer_tool_register('attack.own', 'attack.gives(jsonb)', spec => '{"io": {"input": {"give": "object"},
	"output": {"hits": "array"}}, "provenance": {"observes": true}, "constraints": {"latency_p50_ms": 10000}}');
SET ROLE regress_attack_a2;
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.own", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify
	|| '"$h"' || quote || ']', made_up),
	'answered [reported evidence (by regress_attack_a, regress_attack_a2)] reported_evidence',
	'all who reported are named')
FROM attack.piece;
-- literals of a registered plan are statements of the role that registered it
SET ROLE regress_attack_a;
SELECT answer_plan_register(attack.chain('[' || verify || (made_up ->> 'hits') || quote
	|| ']')) IS NOT NULL FROM attack.piece;
SET ROLE regress_attack_a2;
SELECT is(attack.told(answer_plan_execute('{"plan": {"ref": "attack.origin"}}')),
	'answered [reported evidence (by regress_attack_a)] reported_evidence',
	'who executes a plan is not who wrote it');
-- observed evidence contains no invented text
RESET ROLE;
SET ROLE regress_attack_a;
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify
	|| '"$h"}}, {"id": "w", "op": "mem.write", "args": {"key": "faq.lockers", "value": {"text": "Lockers cost 30."},'
	' "provenance": "$e"}}, {"id": "x", "op": "mem.write", "args": {"key": "faq.lockers", "value": "$INPUT.hits[0]",'
	' "provenance": "$e"}}]', made_up), 'answered w:refused x:refused not_remembered not_remembered',
	'a value of the request''s is not remembered') FROM attack.piece;
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify
	|| '"$h"}}, {"id": "t", "op": "call", "tool": "attack.passes", "args": {"give": {"text": "Lockers cost 30."}},
	"out": "a"}]',
	made_up), 'answered reported_text text_not_judged',
	'a text of the request''s says that it is one') FROM attack.piece;
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify || '"$h"}}, {"id": "t", "op": "call", "tool": "attack.says", "args": {"text": "$e.claims[0]"},
	"out": "a"}]',
	made_up), 'answered reported_text text_not_judged', 'nor is a claim an observation') FROM attack.piece;
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify || '"$h"}}, ' || step, made_up), told, 'nor what holds one: ' || step)
FROM attack.piece, (VALUES
	('{"id": "t", "op": "call", "tool": "attack.retells", "args": {"give": "$e.supports[0]"}, "out": "a"}]', NULL),
	('{"id": "t", "op": "call", "tool": "attack.retells", "args": {"give": "$e.supports"}, "out": "a"}]', NULL),
	('{"id": "t", "op": "call", "tool": "attack.retells", "args": {"give": ["$e"]}, "out": "a"}]', NULL),
	('{"id": "t", "op": "call", "tool": "attack.retells", "args": {"evidence": "$e"}, "out": "a"}]', NULL),
	('{"id": "m", "op": "map", "tool": "attack.retells", "args": {"items": "$e.supports", "give": "$item"}, "out": "r"},
	{"id": "t", "op": "call", "tool": "attack.says", "args": {"text": "$r[0]"}, "out": "a"}]', NULL),
	('{"id": "m", "op": "reduce", "tool": "attack.lists", "args": {"items": "$e.supports"}, "out": "r"},
	{"id": "t", "op": "call", "tool": "attack.says", "args": {"text": "$r"}, "out": "a"}]',
		-- JSON puts its strings in quotation marks, so they are not citations
		'blocked misquoted')) AS s (step, otherwise),
	LATERAL (SELECT COALESCE(otherwise, 'answered reported_text text_not_judged')) AS t (told);
SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.sees", "args": {"give": "$INPUT"}, "out": "h"}, '
	|| verify || '"$h"}}, {"id": "w", "op": "mem.write", "args": {"key": "faq.lockers", "value": "$e.supports[0]",
	"provenance": "$e"}}, {"id": "x", "op": "mem.write", "args": {"key": "faq.lockers",
	"value": {"told": "$e.claims[0]"},
	"provenance": "$e"}}]', made_up), 'answered w:refused x:refused not_remembered not_remembered',
	'nor is it remembered') FROM attack.piece;

SELECT is(attack.ran('[{"id": "f", "op": "call", "tool": "attack.still", "out": "h"}, {"id": "t", "op": "call",
	"tool": "attack.passes", "args": {"give": "$h"}, "out": "a"}]'), 'answered', 'there is no text without one');
RESET ROLE;
SELECT is_empty($$SELECT key FROM answer.memory_entry WHERE tenant = 'attack-a'
	AND reported_by IS DISTINCT FROM '{}'$$, 'memory has nothing that was reported');
-- if the operator allows it for a key, reported values are read with their reporter, also those of another role
SET ROLE regress_attack_a2;
SELECT is(attack.tried($$SELECT answer_memory_policy('attack-a', '', true)$$), '42501',
	'nobody opens memory for himself');
RESET ROLE;
SELECT answer_memory_policy('attack-a', 'shared.', true);
SET ROLE regress_attack_a;
SELECT is(attack.ran(replace('[' || verify || '"$INPUT.hits"' || quote || keep || ']', 'faq.', 'shared.'), made_up),
	'answered [reported evidence (by regress_attack_a)] reported_evidence', 'a key that takes it') FROM attack.piece;
SET ROLE regress_attack_a2;
SELECT is(attack.ran('[{"id": "r", "op": "mem.read", "args": {"key": "shared.lockers"}, "out": "m"}, {"id": "d",
	"op": "call",
	"tool": "attack.shared", "out": "x"}]', '{}', '{"budgets": {"latency_budget_ms": 60}}'),
	'answered [reported evidence (by regress_attack_a)] summary reported_evidence',
	'degraded to memory, and says whose word it is');
SELECT is(attack.ran('[{"id": "r", "op": "call", "tool": "mesh.mem", "args": {"op": "read", "key": "shared.lockers"},
	"out": "m"}, {"id": "q", "op": "call", "tool": "synth.answer", "args": {"evidence": "$m.provenance"}, "out": "a"},
	{"id": "w", "op": "mem.write", "args": {"key": "faq.lockers", "value": "$a", "provenance": "$m.provenance"}}]'),
	'answered w:refused [reported evidence (by regress_attack_a)] not_remembered reported_evidence',
	'it does not become observed by being read');
SELECT is(attack.ran('[{"id": "r", "op": "map", "tool": "mesh.mem", "args": {"items": ["shared.lockers"],
	"op": "read",
	"key": "$item"}, "out": "m"}, {"id": "q", "op": "call", "tool": "synth.answer",
	"args": {"evidence": "$m[0].provenance"},
	"out": "a"}]'), 'answered [reported evidence (by regress_attack_a)] reported_evidence', 'nor by a map');
RESET ROLE;
SELECT is(reported_by::text, '{regress_attack_a}', 'the row has who reported it')
FROM answer.memory_entry WHERE key = 'shared.lockers';
-- a tool that is called alone says it too, and overwrites stated values
SELECT is(answer_tool_invoke('attack.passes', '{"give": {}}') -> 'result', '{}', 'a result without evidence');
SET ROLE regress_attack_a2;
SELECT is(concat_ws(': ', v #>> '{result,evidence,origin}', v #>> '{result,evidence,verdict,origin}'),
	'reported: reported evidence (by regress_attack_a2)', 'evidence of a call')
FROM attack.piece, LATERAL answer_tool_invoke('ground.verify', jsonb_build_object('claims', '["x"]'::jsonb,
	'sources', made_up -> 'hits')) AS v;
RESET ROLE;
-- at any depth, and all stated members of a verdict
SELECT answer_tool_register('attack.many', 'attack.many(jsonb)', spec => '{"io": {"output": {"found": {"type": "array",
	"items": "Evidence"}}}}');
SELECT is(answer_tool_invoke('attack.many', '{}') #>> '{result,found,0,origin}' || ' '
	|| (answer_tool_invoke('attack.many', '{}') #>> '{result,found,0,verdict,confidence}'), 'reported 0.1',
	'an evidence in an array, and its confidence');
-- no dictionary of the caller influences a verdict
SET ROLE regress_attack_a;
CREATE TEXT SEARCH CONFIGURATION pg_temp.mine (PARSER = "default");
ALTER TEXT SEARCH CONFIGURATION pg_temp.mine ADD MAPPING FOR int, uint WITH simple;
SET LOCAL default_text_search_config = 'pg_temp.mine';
SELECT is(attack.ran(format('[{"id": "f", "op": "call", "tool": "doc.search", "args": {"q": "lockers"}, "out": "h"},
	{"id": "v", "op": "verify", "out": "e", "args": {"claims": ["Every customer on Mars gets 30 free lockers"],
	"sources": [{"uri": "u", "score": 1, "snippet": "30"}]%s}}, {"id": "q", "op": "call", "tool": "synth.answer",
	"args": {"evidence": "$e"}, "out": "a"}]', config)), told, 'a dictionary of the requester''s:' || config)
FROM (VALUES (', "ts_config": "pg_temp.mine"', 'failed arguments v:invalid'), ('', 'blocked confidence q:blocked'))
	AS c (config, told);
RESET ROLE;
ROLLBACK TO before_origins;

/* a role that may write all tables cannot reach rows of others */

GRANT pg_read_all_data, pg_write_all_data TO regress_attack_a;
SET ROLE regress_attack_a;
SELECT is(attack.tried(statement), expected, statement) FROM (VALUES
	('SELECT count(*) FROM answer.plan_run WHERE tenant <> ''attack-a''', '0'),
	('SELECT count(*) FROM answer.plan_event WHERE tenant <> ''attack-a''', '0'),
	('SELECT count(*) FROM answer.memory_entry WHERE tenant <> ''attack-a''', '0'),
	('SELECT count(*) FROM answer.budget_reservation WHERE tenant <> ''attack-a''', '0'),
	('WITH x AS (UPDATE answer.plan_run SET verdict = verdict WHERE tenant <> ''attack-a'' RETURNING 1)
		SELECT count(*) FROM x', '0'),
	('WITH x AS (UPDATE answer.budget_cap SET cost_cap_usd = 0 WHERE tenant <> ''attack-a'' RETURNING 1)
		SELECT count(*) FROM x', '0'),
	('INSERT INTO answer.plan_event VALUES (''attack-b'', ''t_0'', 1, ''x'', ''x'', now(), ''{}'') RETURNING 1',
		'42501'),
	('DELETE FROM answer.plan_event RETURNING 1', '23001')) AS v (statement, expected);
RESET ROLE;
-- but not what views show, so the audit reports it
SELECT results_eq($$SELECT detail FROM public.answer_log_audit() WHERE detail ~ 'works for a tenant'$$,
	$$SELECT format('role regress_attack_a works for a tenant and can read %s: rows of all tenants',
		string_agg(name COLLATE "default", ', ' ORDER BY name COLLATE "C")) FROM answer.of_all_tenants$$,
	'a tenant''s role that reads all data');
REVOKE pg_read_all_data, pg_write_all_data FROM regress_attack_a;

/* changes of tables with guards removed and restored: the audit finds them */

CREATE FUNCTION attack.found(pattern text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT finding || ' ' || regexp_replace(detail, '(t|pln)_[0-9a-f]+', '...') FROM public.answer_log_audit()
	WHERE detail ~ pattern $$;
SELECT is_empty($$SELECT * FROM attack.found('execution|trace |what plans of|works for')$$, 'nothing is amiss');
SAVEPOINT before;
GRANT SELECT ON answer.memory TO regress_attack_b;
SELECT results_eq($$SELECT * FROM attack.found('works for')$$, ARRAY['configuration role regress_attack_b works for a'
	' tenant and can read answer.memory: rows of all tenants'], 'a view that shows what is not the tenant''s');
ROLLBACK TO before;
-- what is remembered: each column of it
SELECT is(count(*)::int, 1, 'something is remembered') FROM answer.memory_entry WHERE tenant = 'attack-b';
CREATE FUNCTION attack.remembered(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('UPDATE answer.memory_entry SET %s WHERE tenant = ''attack-b''', change);
	SELECT string_agg(f, ', ') INTO result FROM attack.found('remembered') AS f;
	RAISE EXCEPTION USING MESSAGE = result, ERRCODE = 'ZZ000';
EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
	RETURN SQLERRM;
END $$;
SELECT is(attack.remembered(change), format('changed what is remembered under "%s" is not what a step of trace %s has'
	' written', key, trace), change) FROM (VALUES
	('other', '...', $$key = 'other'$$),
	('secret', 'other', $$trace_id = 'other'$$),
	('secret', '...', $$value = '{"v": "c"}', digest = public.answer_digest('{"v": "c"}')$$),
	('secret', '...', $$provenance = jsonb_set(provenance, '{supports,0,source}', '"elsewhere"')$$),
	('secret', '...', $$expires_at = expires_at + interval '1 day'$$)) AS c (key, trace, change);
SELECT is(attack.remembered($$value = '{}'$$), 'changed what is remembered under "secret" is not what was written',
	'a value without its digest');
UPDATE answer.plan_run SET verdict = 'blocked' WHERE trace_id = :'done';
SELECT results_eq($$SELECT * FROM attack.found('execution|trace ')$$, ARRAY['changed the execution of trace ...,'
	' or what it was charged, is not what its document tells'], 'a verdict that was changed');
ROLLBACK TO before;
-- with the sums, so that they agree
UPDATE answer.budget_reservation SET charged_usd = 0 WHERE trace_id = :'done';
UPDATE answer.budget_period SET spent_usd = spent_usd - 0.01 WHERE tenant = 'attack-b';
SELECT results_eq($$SELECT * FROM attack.found('execution|trace |what plans of')$$, ARRAY['changed the execution of'
	' trace ..., or what it was charged, is not what its document tells'], 'money that was given back');
ROLLBACK TO before;
ALTER TABLE answer.plan_event DISABLE TRIGGER USER;
DELETE FROM answer.plan_event WHERE trace_id = :'done';
DELETE FROM answer.plan_run WHERE trace_id = :'done';
ALTER TABLE answer.plan_event ENABLE ALWAYS TRIGGER plan_event_append_only;
ALTER TABLE answer.plan_event ENABLE ALWAYS TRIGGER plan_event_no_truncate;
SELECT results_eq($$SELECT * FROM attack.found('execution|^trace ')$$, ARRAY['extra trace ...: something is'
	' reserved for it, and there is no execution', 'missing the execution that document ... tells of is gone'],
	'a trace that was deleted, with its execution');
ROLLBACK TO before;
ALTER TABLE answer.plan_event DISABLE TRIGGER USER;
SELECT isnt_empty($$SELECT * FROM attack.found('plan_event')$$, 'guards that are off');

/* numbers that a producer states: each has bounds, and what is not a number is refused */

SELECT answer_tool_register('attack.states', NULL,
	spec => '{"external": true, "io": {"output": {"evidence": "Evidence"}}}');
CREATE FUNCTION attack.stated(stated jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	waits jsonb := answer_plan_execute('{"plan": {"plan_id": "attack.states", "nodes": [{"id": "a", "op": "call",
		"tool": "attack.states", "args": {}, "out": "e"}]}}');
	d jsonb;
BEGIN
	d := answer_plan_resume(waits ->> 'trace_id', jsonb_build_object('a', '{"by": "a model", "result": {"evidence":
		{"claims": ["c"], "supports": [{"claim": "c", "source": "s", "confidence": 0.95}]}}}'::jsonb || stated));
	RETURN concat_ws(' ', d ->> 'verdict', d #>> '{reason,kind}', d #>> '{budget_used,latency_ms}');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE FUNCTION attack.supported(confidence text, weight text, tokens text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('result', jsonb_build_object('evidence', jsonb_build_object('claims', jsonb '["c"]',
		'supports', jsonb_build_array(jsonb_build_object('claim', 'c', 'source', 's', 'confidence', confidence::jsonb)),
		'contradicts', jsonb_build_array(jsonb_build_object('claim', 'c', 'source', 's', 'weight', weight::jsonb))),
		'_usage', jsonb_build_object('tokens_in', tokens::jsonb, 'tokens_out', tokens::jsonb))) $$;
SELECT is(attack.stated(jsonb_build_object('latency_ms', n::jsonb)), outcome, 'a latency of ' || n) FROM (VALUES
	('0', 'answered 0'), ('86400000', 'answered 86400000'), ('0.30000000000000004', 'answered 0.3'),
	('1e-300', 'answered 0'),
	('86400001', '22023'), ('1e300', '22023'), ('-1', '22023'), ('"NaN"', '22023'), ('"Infinity"', '22023'),
	('"1e300"', '22023'), ('"12345678901234567890"', '22023'), ('null', '22023'), ('true', '22023')) AS v (n, outcome);
SELECT is(attack.stated(attack.supported('0.95', '0', '1')), 'answered 0', 'what is within the bounds is taken');
SELECT is(attack.stated(attack.supported(n, '0', '1')), 'failed tool 0', 'a confidence of ' || n)
FROM unnest(ARRAY['1e300', '-0.1', '1.0000000000000000000000001', '"NaN"', '"Infinity"', '"0.5"', 'null', 'true']) AS n;
SELECT is(attack.stated(attack.supported('0.95', n, '1')), 'failed tool 0', 'a weight of ' || n)
FROM unnest(ARRAY['1e300', '-0.1', '1.1', '"NaN"', '"-Infinity"', 'null']) AS n;
SELECT is(attack.stated(attack.supported('0.95', '0', n)), 'failed tool 0', 'tokens of ' || n)
FROM unnest(ARRAY['1e300', '-1', '1.5', '"NaN"', '"Infinity"', '9007199254740992']) AS n;
SELECT is(attack.tried(format(
	'SELECT answer_baseline_load(''stated'', ''[{"question": "a?", "answered": true, "cited": true,'
	' "contradictory": false, "latency_ms": %s, "cost_usd": %s}]'') IS NOT NULL', latency, cost)), outcome,
	format('a baseline of %s ms and %s USD', latency, cost)) FROM (VALUES ('1', '0', 'true'),
	('86400000', '1000000', 'true'),
	('1e300', '0', '22023'), ('1', '1e300', '22023'), ('-1', '0', '22023'), ('"NaN"', '0', '22023'))
	AS v (latency, cost, outcome);

SELECT * FROM finish();
ROLLBACK;
