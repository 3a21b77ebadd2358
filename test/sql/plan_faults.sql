-- Plans under attack: hostile plans, sizes that no document holds, tools that misbehave, in both forms.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';
CREATE SCHEMA plan_faults;
SET search_path = plan_faults, public;

/* tools that do as they are told; what came of a plan as one line, and whether its document and trace hold */

CREATE TABLE wrote (what text);
CREATE FUNCTION does(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'sql';
	RETURN '{"ok": true}';
END $$;
CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object('value', args -> 'value') $$;
CREATE FUNCTION says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object('text', repeat(args ->> 'word', (args ->> 'n')::int)) $$;
CREATE FUNCTION cites(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('hits', jsonb_agg(jsonb_build_object('uri', i || repeat('u', 3000))))
	FROM generate_series(1, 100) AS i $$;
-- no call of these takes ten seconds, so what is charged is known
SELECT answer_tool_register(t.tool, t.handler::regprocedure, spec => jsonb_build_object('io', t.io::jsonb,
	'constraints', '{"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}'::jsonb || t.more::jsonb)) IS NOT NULL
FROM (VALUES
	('pf.does', 'plan_faults.does(jsonb)', '{"input": {"sql": "string"}, "output": {"ok": "boolean"}}',
		'{"side_effects": true}'),
	('pf.reads', 'plan_faults.does(jsonb)', '{"input": {"sql": "string"}, "output": {"ok": "boolean"}}', '{}'),
	('pf.echo', 'plan_faults.echo(jsonb)', '{"input": {"value": {}}, "output": {"value": {}}}', '{}'),
	('pf.says', 'plan_faults.says(jsonb)', '{"input": {"word": "string", "n": "integer"},
		"output": {"text": "string"}}', '{}'),
	('pf.cites', 'plan_faults.cites(jsonb)', '{"output": {"hits": "array"}}', '{}')) AS t (tool, handler, io, more);
SELECT answer_tool_register('pf.asks', NULL, spec => '{"external": true, "io": {"output": {"text": "string"}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}}');

CREATE FUNCTION story(d jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', d ->> 'verdict', d #>> '{reason,kind}',
		left(replace(d #>> '{reason,message}', E'\n', '\n'), 120), d #>> '{budget_used,cost_usd}',
		answer_replay(d) ->> 'incomplete',
		CASE WHEN NOT answer_verify_ok(d) THEN 'DOES NOT VERIFY ' || answer_verify(d)::text END,
		CASE WHEN answer_replay(d) ->> 'ok' <> 'true' THEN 'REPLAY ' || answer_replay(d)::text END,
		CASE WHEN answer_trace_verify(d ->> 'trace_id') ->> 'ok' <> 'true' THEN 'TRACE' END)
$$;
CREATE FUNCTION ran(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN plan_faults.story(answer_plan_execute(request));
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || left(regexp_replace(SQLERRM, '\mt_[0-9a-f]{32}\M', 't_...'), 160);
END $$;
-- nodes one after the other, out of a template
CREATE FUNCTION chain(n int, node jsonb, first jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'pf', 'nodes', jsonb_agg(replace(replace((node || '{"id": "n#"}' ||
			CASE WHEN i = 1 THEN first ELSE '{}' END)::text, '#', i::text), '@', (i - 1)::text)::jsonb ORDER BY i),
		'edges', COALESCE(jsonb_agg(jsonb_build_array('n' || i - 1, 'n' || i) ORDER BY i) FILTER (WHERE i > 1), '[]'))
	FROM generate_series(1, n) AS i
$$;
CREATE FUNCTION one(node jsonb) RETURNS jsonb LANGUAGE sql AS
$$ SELECT jsonb_build_object('plan', plan_faults.chain(1, node)) $$;

/* hostile plans: an error before anything is called or stored, or a result */

SELECT what, ran(request) FROM (VALUES
	('10,000 nodes', jsonb_build_object('plan', chain(10000, '{"op": "assert", "if": "true"}'))),
	('1,000 nodes', jsonb_build_object('plan', chain(1000, '{"op": "call", "tool": "pf.echo", "args": {"value": "$v@"},
		"out": "v#"}', '{"args": {"value": 1}}'))),
	('a circle', jsonb_set(jsonb_build_object('plan', chain(100, '{"op": "assert", "if": "true"}')),
		'{plan,edges,99}', '["n100", "n1"]')),
	('an edge to itself', jsonb_set(jsonb_build_object('plan', chain(2, '{"op": "assert", "if": "true"}')),
		'{plan,edges,0}', '["n1", "n1"]')),
	('values that double', jsonb_build_object('plan', chain(40, '{"op": "call", "tool": "pf.echo",
		"args": {"value": ["$v@", "$v@"]}, "out": "v#"}', jsonb_build_object('args',
		jsonb_build_object('value', repeat('x', 1000)))))),
	('5,000 levels of vars', jsonb_set(one('{"op": "assert", "if": "true"}'), '{vars}',
		('{"a": ' || repeat('[', 5000) || repeat(']', 5000) || '}')::jsonb)),
	('5,000 levels of arguments', one(('{"op": "call", "tool": "pf.echo", "out": "v", "args": {"value": '
		|| repeat('[', 5000) || repeat(']', 5000) || '}}')::jsonb)),
	('a condition of 200,000 levels', one(jsonb_build_object('op', 'assert', 'if', repeat('(', 200000) || 'true'
		|| repeat(')', 200000)))),
	('a condition of 100 kB', one(jsonb_build_object('op', 'assert', 'if', 'true' || repeat(' && true', 12500)))),
	('a long id', one('{"op": "assert", "if": "true"}') || jsonb_build_object('plan', jsonb_build_object('plan_id', 'x',
		'nodes', jsonb_build_array(jsonb_build_object('id', repeat('i', 201), 'op', 'assert', 'if', 'true'))))),
	('an id of control characters', '{"plan": {"plan_id": "\u0001", "nodes": [{"id": "\n\t\"]", "op": "assert",
		"if": "1 > 2"}]}}'),
	('a reference to nothing', one('{"op": "assert", "if": "$nothing.at.all"}')),
	('to what comes later', jsonb_build_object('plan', chain(2, '{"op": "call", "tool": "pf.echo", "out": "v#",
		"args": {"value": "$v2"}}'))),
	('to a node''s id', jsonb_build_object('plan', chain(2, '{"op": "call", "tool": "pf.echo", "out": "v#",
		"args": {"value": "$n1"}}'))),
	('INPUT as a name', one('{"op": "call", "tool": "pf.echo", "out": "INPUT"}')),
	('a name with a dot', one('{"op": "call", "tool": "pf.echo", "out": "a.b"}')),
	('130,000 digits', jsonb_set(one('{"op": "assert", "if": "$INPUT.a > $INPUT.b"}'), '{vars}',
		('{"a": 1' || repeat('0', 130000) || ', "b": 1e-16000}')::jsonb)),
	('a cap of 130,000 digits', one('{"op": "call", "tool": "pf.echo", "args": {"value": 1}, "out": "v"}')
		|| '{"budgets": {"cost_cap_usd": 1e130000, "latency_budget_ms": 1e130000}}'),
	('next to nothing', one('{"op": "call", "tool": "pf.echo", "args": {"value": 1}, "out": "v"}')
		|| '{"basis": "declared", "budgets": {"cost_cap_usd": 1e-16000}}'),
	('negative money', one('{"op": "assert", "if": "true"}') || '{"budgets": {"cost_cap_usd": -0.01}}'),
	('no number', one('{"op": "assert", "if": "true"}') || '{"budgets": {"cost_cap_usd": "NaN"}}'),
	('without end', one('{"op": "assert", "if": "true"}') || '{"budgets": {"latency_budget_ms": "Infinity"}}'),
	('a life of 10,000 years', one('{"op": "mem.write", "args": {"key": "k", "value": 1, "provenance": {},
		"ttl": "P9999999D"}}')),
	('a life of nothing', one('{"op": "mem.write", "args": {"key": "k", "value": 1, "provenance": {},
		"ttl": "P0D"}}')),
	('10,001 items', jsonb_set(one('{"op": "map", "tool": "pf.echo", "args": {"items": "$INPUT.l", "value": "$item"},
		"out": "v"}'), '{vars}', jsonb_build_object('l', (SELECT jsonb_agg(i) FROM generate_series(1, 10001) AS i)))),
	('a plan that begins a plan', one('{"op": "spawn", "tool": "pf.echo"}')))
	AS p (what, request);
SELECT count(*) AS unfinished FROM answer.plan_run WHERE plan_id = 'pf' AND status <> 'done';

/* sizes: whatever a plan tells, there is a document, and memory is bounded */

-- the arguments and results of a step, and of the plan
SELECT ran(jsonb_set(one('{"op": "map", "tool": "pf.echo", "args": {"items": "$INPUT.l", "value": "$INPUT.b"},
	"out": "v"}'), '{vars}', jsonb_build_object('b', repeat('x', 1000000),
	'l', (SELECT jsonb_agg(i) FROM generate_series(1, 10000) AS i))));
-- inputs and outputs that are too much together are left out, and the others are not: undone, for all that reads
-- documents here later would read 16 MB more; in pgtap/house_size it stays, and with it the form that commits
BEGIN;
CREATE TABLE large AS
SELECT answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('b', repeat('x', 60000)), 'plan',
	chain(200, '{"op": "call", "tool": "pf.echo", "args": {"value": "$INPUT.b"}, "out": "v#"}'))) AS d;
SELECT story(d), (SELECT count(*) FILTER (WHERE e ? 'outputs') BETWEEN 100 AND 150 AND count(*) = 200
	FROM jsonb_array_elements(d -> 'trace') AS e) AS some, length(d::text) BETWEEN 15000000 AND 17000000 AS size
FROM large;
ROLLBACK;
-- an answer that no document holds
SELECT ran(one('{"op": "call", "tool": "pf.says", "args": {"word": "\u0001", "n": 3000000}, "out": "v"}')),
	ran(one('{"op": "call", "tool": "pf.says", "args": {"word": "x", "n": 3000000}, "out": "v"}'));
-- a plan that no document holds, nor what was answered by somebody with a long name
SELECT ran(jsonb_set(one('{"op": "assert", "if": "true"}'), '{vars}',
	jsonb_build_object('b', repeat('x', 9000000))));
SELECT answer_plan_execute(one('{"op": "call", "tool": "pf.asks", "out": "v"}')) ->> 'trace_id' AS trace_id \gset
DO $$
BEGIN
	PERFORM answer_plan_resume(trace_id, jsonb_build_object('n1', jsonb_build_object('result', '{"text": "x"}'::jsonb,
		'by', repeat('x', 1001)))) FROM answer.plan_run WHERE plan_id = 'pf' AND status = 'pending';
EXCEPTION WHEN OTHERS THEN
	RAISE WARNING '% %', SQLSTATE, SQLERRM;
END $$;
SELECT story(answer_plan_resume(:'trace_id', '{"n1": {"result": {"text": "x"}, "by": "me"}}'));
-- an event lists citations of so many bytes
SELECT jsonb_array_length(d #> '{trace,0,event,citations}') AS citations
FROM answer_plan_execute(one('{"op": "call", "tool": "pf.cites", "out": "v"}')) AS d;
-- an answer that no document holds, in the form that commits: nothing is left for anybody to end
SELECT one('{"op": "call", "tool": "pf.says", "args": {"word": "\u0001", "n": 3000000}, "out": "v"}') AS request \gset
CALL answer_plan_run(:'request', NULL) \gset
SELECT story(:'result'), answer_plan_recover() AS recovered;

/* what a tool does: it is its failure, or it is undone, and plan and session are as before */

CREATE ROLE regress_plan_faults;
CREATE FUNCTION told(tool text, sql text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan', jsonb_build_object('plan_id', 'pf', 'nodes', jsonb_build_array(
		jsonb_build_object('id', 'a', 'op', 'call', 'tool', tool, 'args', jsonb_build_object('sql', sql), 'out', 'x'),
		'{"id": "b", "op": "assert", "if": "$x == true"}'::jsonb), 'edges', '[["a", "b"]]'::jsonb)) $$;
CREATE VIEW session AS SELECT concat_ws(' ', current_user, session_user = current_user,
	current_setting('search_path'), current_setting('transaction_read_only'), current_setting('statement_timeout'),
	current_setting('answer_eval.tenant') = '') AS now;
SELECT now AS before FROM session \gset
CREATE TABLE acts (n int, tool text, sql text);
INSERT INTO acts SELECT row_number() OVER (), tool, sql FROM unnest('{pf.does,pf.reads}'::text[]) AS tool,
	unnest(ARRAY['SET search_path = nowhere', 'SET ROLE regress_plan_faults',
	'SET SESSION AUTHORIZATION regress_plan_faults', $$SELECT set_config('answer_eval.tenant', 'other', false)$$,
	'SET transaction_read_only = on', 'SET transaction_read_only = off', 'SET statement_timeout = 1',
	-- from 16 on the server itself refuses the first half
	$$DO 'BEGIN RESET transaction_read_only; EXCEPTION WHEN feature_not_supported THEN NULL; END';
	INSERT INTO plan_faults.wrote VALUES ('reset')$$,
	'INSERT INTO plan_faults.wrote VALUES (''plain'')', 'COMMIT', 'ROLLBACK', 'SAVEPOINT x',
	'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'DISCARD ALL', 'SELECT pg_advisory_unlock_all()',
	'DEALLOCATE ALL', 'DISCARD PLANS', 'SELECT 1 / 0', 'SELECT repeat(''x'', 1100000000)',
	$$DO 'BEGIN RAISE EXCEPTION USING errcode = ''57014'', message = ''no cancel''; END'$$,
	$$DO 'BEGIN RAISE EXCEPTION USING errcode = ''40001'', message = ''no conflict''; END'$$,
	$$DO 'BEGIN RAISE EXCEPTION USING errcode = ''XX000'', message = ''no bug''; END'$$,
	$$SELECT public.answer_plan_execute('{"plan": {"plan_id": "x", "nodes": []}}')$$,
	$$CALL public.answer_plan_run('{"plan": {"plan_id": "x", "nodes": []}}', NULL)$$,
	$$SELECT public.answer_plan_resume('t_0', '{}')$$, 'SELECT public.answer_plan_recover()',
	$$SELECT public.answer_tool_invoke('pf.does', '{"sql": "SELECT 1"}')$$,
	$$SELECT public.answer_tool_invoke('pf.asks', '{}')$$,
	$$UPDATE answer.plan_event SET event = '{}'$$, $$DELETE FROM answer.plan_event$$,
	$$SELECT public.answer_tool_register('pf.does', 'plan_faults.echo(jsonb)', replace => true, spec => '{}')$$,
	'DROP FUNCTION plan_faults.does(jsonb)']) AS sql;
CREATE PROCEDURE acted(act int) LANGUAGE plpgsql AS $$
DECLARE
	request jsonb := (SELECT plan_faults.told(a.tool, a.sql) FROM plan_faults.acts a WHERE a.n = act);
	result jsonb;
BEGIN
	CALL public.answer_plan_run(request, result);
	INSERT INTO plan_faults.ends SELECT act, plan_faults.story(result), now FROM plan_faults.session;
END $$;
CREATE TABLE ends (n int, story text, now text);
-- each act in both forms; where the second one comes to something else, or the session is another one, it shows
CREATE FUNCTION in_transaction(act acts) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	result := plan_faults.ran(plan_faults.told(act.tool, act.sql));
	RAISE EXCEPTION USING errcode = 'PF000', message = result;
EXCEPTION WHEN SQLSTATE 'PF000' THEN
	RETURN SQLERRM;
END $$;
SELECT a.tool, left(translate(a.sql, E'\n\t', ' '), 80) AS sql, CASE WHEN a.sql LIKE '%reset%'
	THEN replace(in_transaction(a),
	'cannot execute INSERT in a read-only transaction', 'the tool wrote, and its spec says that it has no side effects')
	ELSE in_transaction(a) END, NULLIF((SELECT now FROM session), :'before') AS otherwise
FROM acts a ORDER BY n;
-- what is dropped is dropped for good here, so that comes last
SELECT format('CALL acted(%s)', n) FROM acts WHERE sql !~ 'tool_register|DROP' ORDER BY n
\set ECHO none
\gexec
\set ECHO all
SELECT a.tool, a.sql, e.story AS committed FROM ends e JOIN acts a USING (n)
WHERE e.story <> in_transaction(a) ORDER BY n;
SELECT DISTINCT now = :'before' AS same FROM ends;
SELECT count(*) FROM ends;
SELECT * FROM wrote ORDER BY what;
SELECT answer_plan_recover() AS recovered,
	(SELECT count(*) FROM answer.budget_reservation r JOIN answer.plan_run p USING (tenant, trace_id)
		WHERE p.plan_id = 'pf' AND r.settled_at IS NULL) AS reserved;
TRUNCATE ends;
SELECT n FROM acts WHERE tool = 'pf.does' AND sql ~ 'DROP FUNCTION' \gset
CALL acted(:n);
SELECT n FROM acts WHERE tool = 'pf.does' AND sql = 'SELECT 1 / 0' \gset
CALL acted(:n);
SELECT sql, story FROM ends JOIN acts USING (n) ORDER BY n DESC;
SELECT count(*) AS locks FROM pg_locks WHERE locktype IN ('advisory', 'userlock') AND pid = pg_backend_pid();

/* calls that hang: the latency budget is the tool's failure, a timeout of the session ends the plan, not the trace */

CREATE FUNCTION does(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_sleep(600);
	RETURN '{"ok": true}';
END $$;
SELECT answer_tool_register('pf.does', 'plan_faults.does(jsonb)', replace => true, spec => jsonb_set(
	answer_tool_spec('pf.does') - 'id', '{constraints,latency_p50_ms}', '100')) IS NOT NULL;
SELECT ran(told('pf.does', '') || '{"budgets": {"latency_budget_ms": 200}}');
SET statement_timeout = '500ms';
SELECT answer_plan_execute(told('pf.does', ''));
SELECT told('pf.does', '') AS request \gset
CALL answer_plan_run(:'request', NULL);
RESET statement_timeout;
SELECT trace_id, status FROM answer.plan_run WHERE plan_id = 'pf' AND status <> 'done' \gset
SELECT :'status' AS status, answer_plan_recover() AS recovered;
SELECT story(answer_receipt(receipt_id)) FROM answer.plan_run WHERE trace_id = :'trace_id';
SELECT answer_plan_recover() AS recovered,
	(SELECT count(*) FROM answer.budget_reservation r JOIN answer.plan_run p USING (tenant, trace_id)
		WHERE p.plan_id = 'pf' AND r.settled_at IS NULL) AS reserved;

/* what somebody changed keeps nobody from ending the rest */

SET answer_eval.pending_expiry = '1s';
SELECT answer_plan_execute(one('{"op": "call", "tool": "pf.asks", "out": "v"}')) ->> 'trace_id' AS bad,
	answer_plan_execute(one('{"op": "call", "tool": "pf.asks", "out": "v"}')) ->> 'trace_id' AS good \gset
RESET answer_eval.pending_expiry;
UPDATE answer.plan_run SET expires_at = '-infinity', state = '{}' WHERE trace_id = :'bad';
SELECT max(pg_sleep(extract(epoch FROM expires_at - clock_timestamp()))::text) FROM answer.plan_run
WHERE trace_id = :'good';
\set VERBOSITY sqlstate
SELECT answer_plan_recover();
\set VERBOSITY terse
SELECT trace_id = :'good' AS good, status, verdict FROM answer.plan_run WHERE trace_id IN (:'bad', :'good') ORDER BY 1;
DELETE FROM answer.plan_run WHERE trace_id = :'bad';
DELETE FROM answer.budget_reservation WHERE trace_id = :'bad';

/* what is checked at a commit fails the call, and not the commit: the plan has its document */

CREATE TABLE parent (i int PRIMARY KEY);
CREATE TABLE child (i int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
CREATE OR REPLACE FUNCTION does(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'sql';
	RETURN '{"ok": true}';
END $$;
SELECT jsonb_set(told('pf.does', 'INSERT INTO plan_faults.child VALUES (7)'), '{plan,plan_id}',
	'"pf.deferred"') AS request \gset
\o /dev/null
CALL answer_plan_run(:'request', NULL);
\o
SELECT p.status, story(answer_receipt(p.receipt_id)) FROM answer.plan_run p WHERE p.plan_id = 'pf.deferred';
SELECT count(*) AS children FROM child;

/* a plan goes on with the specs that it was begun with, or not at all */

SELECT answer_plan_execute(one('{"op": "call", "tool": "pf.asks", "out": "v"}')) ->> 'trace_id' AS waits \gset
SELECT answer_tool_spec('pf.asks') AS spec \gset
SELECT answer_tool_register('pf.asks', NULL, replace => true, spec => jsonb_set(:'spec', '{io,input}',
	'{"d": {"type": "string", "default": "x"}}')) IS NOT NULL;
SELECT answer_plan_resume(:'waits', '{"n1": {"result": {"text": "yes"}, "by": "me"}}');
-- nor with the tool of somebody else
CREATE ROLE regress_pf_other SUPERUSER;
SET ROLE regress_pf_other;
SELECT answer_tool_register('pf.asks', NULL, replace => true, spec => :'spec') IS NOT NULL;
RESET ROLE;
SELECT answer_plan_resume(:'waits', '{"n1": {"result": {"text": "yes"}, "by": "me"}}');
SELECT answer_tool_register('pf.asks', NULL, replace => true, spec => :'spec') IS NOT NULL;
DROP ROLE regress_pf_other;
SELECT story(answer_plan_resume(:'waits', '{"n1": {"result": {"text": "yes"}, "by": "me"}}'));

/* what is too deep for a document is refused before anything is done, or fails its step: all can be ended */

CREATE FUNCTION deep(n int, inner_text text DEFAULT '1') RETURNS jsonb LANGUAGE sql AS
$$ SELECT (repeat('{"a": ', n) || inner_text || repeat('}', n))::jsonb $$;
SELECT one('{"op": "assert", "if": "true"}') || jsonb_build_object('vars', deep(600)) AS request \gset
SELECT ran(:'request');
CALL answer_plan_run(:'request', NULL);
SELECT jsonb_build_object('vars', deep(300), 'plan', chain(1, jsonb_build_object('op', 'call', 'tool', 'pf.echo',
	'out', 'v', 'args', jsonb_build_object('value', deep(300, '"$INPUT.a"'))))) AS request \gset
SELECT ran(:'request');
\o /dev/null
CALL answer_plan_run(:'request', NULL);
\o
SELECT answer_plan_execute(one('{"op": "call", "tool": "pf.asks", "out": "v"}')) ->> 'trace_id' AS waits \gset
SELECT jsonb_build_object('n1', jsonb_build_object('by', 'me', 'result', deep(600))) AS results \gset
SELECT story(answer_plan_resume(:'waits', :'results'));
SELECT answer_plan_recover() AS recovered, (SELECT count(*) FROM answer.plan_run
	WHERE plan_id ~ '^pf' AND status <> 'done') AS unfinished;

DROP ROLE regress_plan_faults;
