-- Plans attacked by people: another tenant, a role of the same tenant, a role without rights, the author of a plan, the
-- author of a tool, and somebody who changes tables and puts the guards back.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT no_plan();
CREATE SCHEMA attack;
GRANT USAGE, CREATE ON SCHEMA attack TO PUBLIC;

-- What a statement gives, or the SQLSTATE that refuses it.
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

-- every right that can be granted on a function, and none on a table; one role has not even these
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

/* somebody's plans: one that is done, one that waits */

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

/* who has all functions sees and changes nothing of another tenant's */

CREATE TABLE attack.statements (statement text, another text, none text);
INSERT INTO attack.statements VALUES
	(format('SELECT count(*) FROM answer_trace(%L)', :'done'), '0', '42501'),
	('SELECT count(*) FROM answer_trace(''attack'')', '0', '42501'),
	(format('SELECT answer_trace_verify(%L)', :'done'), 'P0002', '42501'),
	(format('SELECT answer_replay_bundle(%L)', :'done'), 'P0002', '42501'),
	(format('SELECT answer_plan_resume(%L, ''{"q": {"result": {"text": "x"}, "by": "me"}}'')', :'waits'), 'P0002',
		'42501'),
	('SELECT answer_plan_recover()', '0', '42501'),
	('SELECT answer_tool_mesh_mem(''{"op": "read", "key": "secret"}'') ->> ''ok''', 'false', '42501'),
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
	(format('SELECT answer.trace_turn(''attack-b'', %L, true)', :'waits'), '42501', NULL),
	('SELECT answer.rate_take(''attack-b'', ''attack.gives'', 1, true)', '42501', NULL),
	('SELECT answer.budget_lock(''attack-b'')', '42501', NULL),
	('SELECT answer.plan_put(''attack-b'', ''mine'', ''sha256:0'', ''{}'')', '42501', '42501'),
	('SELECT answer.plan_tools(''attack-b'', ''{"nodes": [{"tool": "attack.gives"}]}'')', '42501', '42501'),
	('SELECT count(*) FROM answer.trace_of(''{attack-b}'', ''attack'', NULL, false)', '42501', '42501'),
	(format('SELECT answer.replay_bundle_of(''{attack-b}'', %L)', :'done'), '42501', '42501'),
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
-- what is the operator's is for the roles that he lets have the functions
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

/* the same tenant: who goes on with a plan is who began it, and a tool has the rights of who registered it */

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
SELECT is(answer_tool_mesh_mem('{"op": "write", "key": "k", "value": {}, "provenance": {"claims": ["c"],
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

/* who may not read memory is not answered from it either, however small the budget */

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
ROLLBACK TO before_memory;

/* rows of others are out of reach for who may write all tables */

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
-- but not what views show, so the audit tells of it
SELECT results_eq($$SELECT detail FROM public.answer_log_audit() WHERE detail ~ 'works for a tenant'$$,
	$$SELECT format('role regress_attack_a works for a tenant and can read %s: rows of all tenants',
		string_agg(name COLLATE "default", ', ' ORDER BY name COLLATE "C")) FROM answer.of_all_tenants$$,
	'a tenant''s role that reads all data');
REVOKE pg_read_all_data, pg_write_all_data FROM regress_attack_a;

/* who changes tables and puts the guards back: the audit finds it */

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
SELECT results_eq($$SELECT * FROM attack.found('execution|^trace ')$$, ARRAY['missing the execution that document ...'
	' tells of is gone'], 'a trace that was deleted, with its execution');
ROLLBACK TO before;
ALTER TABLE answer.plan_event DISABLE TRIGGER USER;
SELECT isnt_empty($$SELECT * FROM attack.found('plan_event')$$, 'guards that are off');

SELECT * FROM finish();
ROLLBACK;
