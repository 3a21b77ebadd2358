-- Latencies of tools: measured ones replace declared ones, what is predicted and charged by them, and who sees them.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
-- several tests of one row are lines of their own
\pset fieldsep '\n'
SELECT plan(83);
\ir ../lib/tool_calls.sql

CREATE FUNCTION pm_echo(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT jsonb_build_object('v', args) $$;
CREATE FUNCTION pm_slow(args jsonb) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT jsonb_build_object('v', args) FROM pg_sleep(0.01) $$;
CREATE FUNCTION pm_fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
SELECT answer_tool_register('pm.' || t, 'pm_echo(jsonb)', spec => jsonb_build_object('io', jsonb_build_object(
	'input', '{"k": {"type": "integer", "default": 8}, "n": {}}'::jsonb, 'output', '{"v": {}}'::jsonb), 'constraints',
	'{"latency_p50_ms": 300, "cost_per_call_usd": 0.01, "per_item_share": 0.5}'::jsonb)) IS NOT NULL
FROM unnest('{a,b,c,many,own,week}'::text[]) AS t;
SELECT answer_tool_register('pm.slow', 'pm_slow(jsonb)', spec => '{"io": {"output": {"v": {}}},
	"constraints": {"latency_p50_ms": 1}}');
SELECT answer_tool_register('pm.fails', 'pm_fails(jsonb)', spec => '{"constraints": {"latency_p50_ms": 7000}}');
SELECT answer_tool_register('pm.asks', spec => '{"external": true, "io": {"output": {"v": {}}},
	"constraints": {"latency_p50_ms": 50}}');

-- nodes of these tools, one after the other
CREATE FUNCTION pm_plan(VARIADIC tools text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'pm', 'nodes', jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'call',
		'tool', t, 'args', CASE WHEN t IN ('pm.a', 'pm.b', 'pm.c') THEN '{"k": 8}'::jsonb ELSE '{}' END,
		'out', 'v' || i) ORDER BY i), 'edges', (SELECT jsonb_agg(jsonb_build_array('n' || i, 'n' || i + 1))
		FROM generate_series(1, cardinality(tools) - 1) AS i))
	FROM unnest(tools) WITH ORDINALITY AS u (t, i) $$;
CREATE FUNCTION pm_request(plan jsonb, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan', jsonb_strip_nulls(plan)) || more $$;
CREATE FUNCTION pm_called(tool text, us bigint[], at timestamptz DEFAULT now() - interval '1 minute',
	tenant text DEFAULT '') RETURNS bigint LANGUAGE sql AS $$
	SELECT calls.add(tool, us, at, tenant) $$;

-- before 30 calls: declared
CREATE TEMPORARY TABLE pm AS SELECT answer_plan_execute(pm_request(pm_plan('pm.a', 'pm.b'))) AS r;
SELECT is(r ->> 'verdict', 'answered', 'it answers'), is(r -> 'measured', '{}', 'nothing is measured yet'),
	is(r -> 'budget_used', '{"basis": "declared", "cost_usd": 0.02, "latency_ms": 600}', 'what is declared is charged'),
	is(r #> '{trace,0,event,basis}', '"declared"', 'and its event says so'),
	is(answer_replay(r), '{"ok": true}', 'it replays') FROM pm;
SELECT is((SELECT array_agg(tool || ' ' || (microseconds BETWEEN 0 AND 1000000)::text ORDER BY tool)
	FROM answer.tool_call WHERE tool LIKE 'pm.%'), '{"pm.a true","pm.b true"}', 'each call leaves what it took');
SELECT is(pm_called('pm.a', ARRAY(SELECT 1000 + 10 * i FROM generate_series(1, 28) AS i)), 28::bigint, '28 more');
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.a'))) - '{order,bindings,limits,conditions}'::text[],
	'{"basis": "declared",
	"measured": {}, "predicted": {"cost_usd": 0.01, "latency_ms": 300}, "degradation": []}', '29 calls are not enough');

-- from 30 on: the median
DELETE FROM answer.tool_call;
SELECT is(pm_called('pm.a', ARRAY(SELECT 1000 + 10 * i FROM generate_series(1, 30) AS i)), 30::bigint, '30 calls');
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.a'))) - '{order,bindings,limits,conditions}'::text[],
	'{"basis": "measured",
	"measured": {"pm.a": {"calls": 30, "p50_ms": 1.155}}, "predicted": {"cost_usd": 0.01, "latency_ms": 1.155},
	"degradation": []}', '30 are');
SELECT is((SELECT jsonb_build_array(basis, calls, p50_ms, p95_ms) FROM answer.tool_latency WHERE tool = 'pm.a'),
	'["measured", 30, 1.155, 1.2855]', 'the view shows them');
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.a', 'pm.b')))
	- '{order,bindings,limits,conditions,degradation}'::text[],
	'{"basis": "declared", "measured": {"pm.a": {"calls": 30, "p50_ms": 1.155}},
	"predicted": {"cost_usd": 0.02, "latency_ms": 301.155}}', 'a plan is measured if each of its tools is');
TRUNCATE pm;
INSERT INTO pm SELECT answer_plan_execute(pm_request(pm_plan('pm.a', 'pm.b')));
SELECT is(r -> 'measured', '{"pm.a": {"calls": 30, "p50_ms": 1.155}}', 'the document has what it went by'),
	is(r -> 'predicted', '{"cost_usd": 0.02, "latency_ms": 301.155}', 'and what follows'),
	is(r #>> '{budget_used,basis}', 'declared', 'it goes by what is declared as well'),
	is(jsonb_path_query_array(r, '$.trace[*].event.basis'), '["measured", "declared"]', 'each event has its own basis'),
	is(r #> '{trace,1,event,latency_ms}', '300', 'declared: what is declared is charged at least'),
	cmp_ok((r #>> '{trace,0,event,latency_ms}')::numeric, '<=', 1000 * extract(epoch FROM
		(r #>> '{trace,0,event,ts_end}')::timestamptz - (r #>> '{trace,0,event,ts_start}')::timestamptz)::numeric + 1,
		'measured: what is charged lies within its own instants'),
	is((r #>> '{budget_used,latency_ms}')::numeric, (r #>> '{trace,0,event,latency_ms}')::numeric + 300, 'the sum'),
	is(answer_replay(r), '{"ok": true}', 'it replays'),
	is(answer_verify(r, answer_keys()) ->> 'ok', 'true', 'it verifies') FROM pm;
SELECT is(x.said, answer_replay(x.r) ->> 'ok', x.said || ' ' || x.what) FROM pm, LATERAL (VALUES
	('false', 'another median', jsonb_set(r, '{measured,pm.a,p50_ms}', '1.5')),
	('false', 'nothing measured', jsonb_set(r, '{measured}', '{}')), ('false', 'no word of it', r - 'measured'),
	('false', 'a tool more', jsonb_set(r, '{measured,pm.b}', '{"p50_ms": 300, "calls": 30}')),
	('false', 'no number', jsonb_set(r, '{measured,pm.a,p50_ms}', '"fast"')),
	('false', 'too few calls', jsonb_set(r, '{measured,pm.a,calls}', '29')),
	('false', 'below zero', jsonb_set(r, '{measured,pm.a,p50_ms}', '-1.155')),
	('false', 'another basis', jsonb_set(r, '{budget_used,basis}', '"measured"')),
	('false', 'a request for what is declared', jsonb_set(r, '{request,basis}', '"declared"')),
	('true', 'more calls', jsonb_set(r, '{measured,pm.a,calls}', '31'))) AS x (said, what, r);

-- all calls measured; and a request that rejects measured times
SELECT pm_called('pm.b', ARRAY(SELECT 2000 FROM generate_series(1, 30))) IS NULL;
TRUNCATE pm;
INSERT INTO pm SELECT answer_plan_execute(pm_request(pm_plan('pm.a', 'pm.b'), more)) FROM (VALUES ('{}'::jsonb),
	('{"basis": "declared"}')) AS v (more);
SELECT is((SELECT array_agg(concat_ws(' ', r #>> '{budget_used,basis}', r #>> '{response,budget_used,basis}',
	r #>> '{request,basis}', trunc((r #>> '{budget_used,latency_ms}')::numeric, -2), r ->> 'measured')
	ORDER BY r #>> '{budget_used,basis}') FROM pm), ARRAY['declared declared 600 {}',
	'measured 0 {"pm.a": {"calls": 31, "p50_ms": 1.15}, "pm.b": {"calls": 31, "p50_ms": 2}}'],
	'measured, unless the request wants what is declared');
SELECT ok(bool_and((answer_replay(r) ->> 'ok')::boolean), 'both replay') FROM pm;
SELECT throws_ok(format('SELECT answer_plan_explain(%L)', pm_request(pm_plan('pm.a'), jsonb_build_object('basis', b))),
	'22023', NULL, 'no basis: ' || b::text) FROM (VALUES ('"measured"'::jsonb), ('1')) AS v (b);

-- calls that do not count: after the instant, more than 7 days ago, and all but the newest 10000
DELETE FROM answer.tool_call;
SELECT pm_called('pm.a', ARRAY(SELECT 500 FROM generate_series(1, 29)), now() + interval '1 hour'),
	pm_called('pm.a', ARRAY(SELECT 500 FROM generate_series(1, 100)), now() - interval '168 hours'),
	pm_called('pm.a', ARRAY(SELECT 500 FROM generate_series(1, 29)));
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.a'))) -> 'measured', '{}', 'of another time: they do not count');
SELECT pm_called('pm.many', ARRAY(SELECT CASE WHEN i <= 10000 THEN 4000 + i ELSE 9000000 END
	FROM generate_series(1, 25000) AS i)) > 0;
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.many'))) -> 'measured',
	'{"pm.many": {"calls": 10000, "p50_ms": 9.0005}}',
	'the newest 10000 count');
SELECT answer_rollup() IS NULL;
SELECT is((SELECT array_agg(tool || ' ' || n ORDER BY tool) FROM (SELECT tool, count(*) AS n FROM answer.tool_call
	GROUP BY 1) AS c), '{"pm.a 58","pm.many 10000"}', 'answer_rollup() deletes the others');
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.many'))) -> 'measured',
	'{"pm.many": {"calls": 10000, "p50_ms": 9.0005}}',
	'which changes nothing');
SELECT pm_called('pm.many', '{1,1,1}') = 3, answer_plan_recover() = 0;
SELECT is(count(*), 10000::bigint, 'so does answer_plan_recover()') FROM answer.tool_call WHERE tool = 'pm.many';

-- a bad hour does not outweigh the week; otherwise refused plans would make no calls that show the end of the bad hour
DELETE FROM answer.tool_call;
SELECT pm_called('pm.week', ARRAY(SELECT 900000 FROM generate_series(1, 1000))),
	pm_called('pm.week', ARRAY(SELECT 2000 FROM generate_series(1, 1100)), now() - interval '1 day');
SELECT is(r -> 'measured' || jsonb_build_object('verdict', r -> 'verdict'),
	'{"verdict": "answered", "pm.week": {"calls": 2100, "p50_ms": 2}}', 'a thousand slow calls in an hour')
FROM answer_plan_execute(pm_request(pm_plan('pm.week'), '{"budgets": {"latency_budget_ms": 100}}')) AS r;

-- a tool called alone
DELETE FROM answer.tool_call;
SELECT is(answer_tool_invoke('pm.slow', '{}') -> 'outcome', '"ok"', 'a call of it alone');
SELECT cmp_ok((SELECT microseconds FROM answer.tool_call WHERE tool = 'pm.slow'), '>=', 10000::bigint,
	'is measured, too');
SELECT is(answer_tool_invoke('pm.a', '{}') -> 'latency_ms', '300', 'declared: at least that');
SELECT pm_called('pm.a', ARRAY(SELECT 1000 FROM generate_series(1, 30))) IS NULL;
SELECT cmp_ok((answer_tool_invoke('pm.a', '{}') ->> 'latency_ms')::numeric, '<', 300::numeric,
	'measured: what it took');
SELECT is(answer_tool_invoke('pm.fails', '{}') -> 'outcome', '"failed"', 'a call that fails');
SELECT is(count(*), 1::bigint, '... took its time as well') FROM answer.tool_call WHERE tool = 'pm.fails';
SELECT answer_tool_invoke('pm.a', '{"x": 1}') ->> 'outcome' = 'invalid';
SELECT is(count(*), 32::bigint, 'one that was not made did not') FROM answer.tool_call WHERE tool = 'pm.a';
SAVEPOINT lost;
SELECT answer_tool_invoke('pm.b', '{}') IS NULL, answer_plan_execute(pm_request(pm_plan('pm.b'))) IS NULL;
ROLLBACK TO SAVEPOINT lost;
SELECT is(count(*), 0::bigint, 'what is rolled back has left nothing') FROM answer.tool_call WHERE tool = 'pm.b';
SAVEPOINT reads;
SET TRANSACTION READ ONLY;
SELECT is(answer_tool_invoke('pm.b', '{}') -> 'outcome', '"ok"', 'a transaction that reads calls tools'),
	isnt(answer_plan_explain(pm_request(pm_plan('pm.a'))), NULL, 'and explains plans');
ROLLBACK TO SAVEPOINT reads;
SELECT is(answer_eval('{"checks": [{"tool": "pm.b", "args": {}}]}') IS NOT NULL, true, 'a check asks a tool');
SELECT is(count(*), 0::bigint, 'and that is not measured') FROM answer.tool_call WHERE tool = 'pm.b';

-- Rows that the owner of the tables writes by hand do not count, and the audit names them.
-- No plan is refused or shortened because of them.
DELETE FROM answer.tool_call;
SELECT pm_called('pm.a', ARRAY(SELECT 1000 FROM generate_series(1, 60)));
CREATE FUNCTION pm_tried(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	counted	text;
	found	text;
BEGIN
	BEGIN
		EXECUTE statement;
		SELECT concat_ws(' ', e #>> '{measured,pm.a,calls}', e #>> '{measured,pm.a,p50_ms}') INTO counted
		FROM answer_plan_explain(pm_request(pm_plan('pm.a'), '{"budgets": {"latency_budget_ms": 100}}')) AS e;
		SELECT concat_ws(' ', count(*), min(finding), min(substring(detail FROM 'the call of (.*) at'))) INTO found
		FROM answer_log_audit() WHERE detail LIKE 'answer.tool_call%';
		RAISE EXCEPTION USING errcode = 'PM001', message = concat_ws(', ', counted, found);
	EXCEPTION WHEN SQLSTATE 'PM001' THEN
		RETURN SQLERRM;
	END;
END $$;
SELECT is(pm_tried(x.statement), x.result, x.what) FROM (VALUES
	('as they were stored', 'SELECT', '60 1, 0'),
	('forty without a code', $$INSERT INTO answer.tool_call (tool, called_at, microseconds, call)
		SELECT 'pm.a', now() - i * interval '1 s', 900000000, i FROM generate_series(1, 40) AS i$$,
		'60 1, 40 extra pm.a'),
	('forty with codes of others', $$INSERT INTO answer.tool_call
		SELECT tenant, tool, called_at, 900000000, call + 1, mac FROM answer.tool_call LIMIT 40$$,
		'60 1, 40 changed pm.a'),
	('copies', $$INSERT INTO answer.tool_call
		SELECT tenant, tool, called_at, microseconds, call + 1, mac FROM answer.tool_call LIMIT 40$$,
		'60 1, 40 changed pm.a'),
	('copies later', $$INSERT INTO answer.tool_call
		SELECT tenant, tool, called_at + interval '1 s', microseconds, call, mac FROM answer.tool_call LIMIT 1$$,
		'60 1, 1 changed pm.a'),
	('another time taken', $$UPDATE answer.tool_call SET microseconds = 900000000
		WHERE ctid = (SELECT max(ctid) FROM answer.tool_call)$$, '59 1, 1 changed pm.a'),
	('of another tool', $$UPDATE answer.tool_call SET tool = 'pm.b'
		WHERE ctid = (SELECT max(ctid) FROM answer.tool_call)$$, '59 1, 1 changed pm.b'),
	('of another tenant', $$UPDATE answer.tool_call SET tenant = 'x'
		WHERE ctid = (SELECT max(ctid) FROM answer.tool_call)$$, '59 1, 1 changed pm.a'),
	('what counts no more is deleted', 'SELECT answer_rollup()', '60 1, 0'),
	-- other keys are not loaded for this
	('after a change of the key', 'SELECT answer_key_generate()', ', 0')) AS x (what, statement, result);

-- a step that the application answers is never measured
SELECT pm_called('pm.asks', ARRAY(SELECT 1000 FROM generate_series(1, 30))) IS NULL;
TRUNCATE pm;
INSERT INTO pm SELECT answer_plan_execute(pm_request(pm_plan('pm.a', 'pm.asks')));
SELECT pm_called('pm.a', ARRAY(SELECT 900000 FROM generate_series(1, 300)), now()) IS NULL;
INSERT INTO pm SELECT answer_plan_resume(r ->> 'trace_id', '{"n2": {"result": {"v": 1}, "by": "m", "latency_ms": 2}}')
FROM pm;
SELECT is(jsonb_path_query_array(r, '$.trace[*].event.basis'), '["measured", "declared"]',
		'it goes by what is declared'),
	is(r #> '{trace,1,event,latency_ms}', '50', 'at least'),
	is(r #> '{measured,pm.a,p50_ms}', '1', 'who goes on goes by what was measured at the start'),
	is(answer_replay(r), '{"ok": true}', 'and that replays') FROM pm WHERE r ? 'schema';

-- explain predicts what execution does, and a plan that fits by measured times is not refused
DELETE FROM answer.tool_call;
-- enough calls that those executed here do not move the median
SELECT pm_called('pm.' || t, ARRAY(SELECT us FROM generate_series(1, 1000)), now())
FROM (VALUES ('a', 400000), ('b', 250500), ('c', 33)) AS v (t, us);
CREATE TEMPORARY TABLE pm_budget AS
SELECT ms, answer_plan_explain(q) AS e, answer_plan_execute(q) AS r
FROM (SELECT ms, pm_request(pm_plan('pm.a', 'pm.b', 'pm.c'), jsonb_build_object('budgets',
	jsonb_build_object('latency_budget_ms', ms))) AS q
	-- in steps, and at and near the limit for each k
	FROM (SELECT i::numeric FROM generate_series(1, 2000, 37) AS i UNION ALL SELECT b.ms + d.ms
	FROM unnest('{0,1,2000}'::numeric[] ||
		ARRAY(SELECT 650.533 * (0.5 + 0.5 * k / 8) FROM unnest('{1,2,4,8}'::int[]) AS k))
		AS b (ms), unnest('{-0.0000001,0,0.0000001}'::numeric[]) AS d (ms)) AS m (ms) WHERE ms >= 0 OFFSET 0) AS v;
SELECT is(count(*) FILTER (WHERE e -> 'degradation' IS DISTINCT FROM r -> 'degradation'
		OR e -> 'predicted' IS DISTINCT FROM r -> 'predicted'
		OR jsonb_path_query_array(e, '$.measured.*.p50_ms')
			IS DISTINCT FROM jsonb_path_query_array(r, '$.measured.*.p50_ms')
		OR (e #>> '{degradation,-1,step}' IS NOT DISTINCT FROM 'refused') <> (r ->> 'verdict' = 'refused')), 0::bigint,
		'what is explained is what is executed'),
	is(count(*) FILTER (WHERE NOT (answer_replay(r) ->> 'ok')::boolean), 0::bigint, 'all replay'),
	cmp_ok(count(*), '>=', 70::bigint, 'under many budgets'),
	is(array_agg(DISTINCT jsonb_array_length(e -> 'degradation')), '{0,1,2,3,4}', 'with every degradation there is')
FROM pm_budget;
SELECT is(count(*) FILTER (WHERE (r ->> 'verdict' = 'answered') <> (ms >= 365.924812500000)), 0::bigint,
		'what fits is answered, and nothing else'),
	is(count(*) FILTER (WHERE ms >= 650.533 AND e -> 'degradation' <> '[]'), 0::bigint, 'in full, where that fits'),
	is(count(*) FILTER (WHERE (e #>> '{predicted,latency_ms}')::numeric > ms AND r ->> 'verdict' = 'answered'),
		0::bigint, 'no prediction is over its budget') FROM pm_budget;

-- each tenant has its own figures
CREATE ROLE pm_acme LOGIN;
SELECT answer_tenant_create('pm-a'), answer_tenant_create('pm-b'), answer_tenant_grant('pm-a', 'pm_acme');
GRANT USAGE ON SCHEMA answer, tap TO pm_acme;
GRANT EXECUTE ON FUNCTION answer_plan_explain(jsonb), answer_tool_invoke(text, jsonb), pm_request(jsonb, jsonb),
	pm_plan(text[]), answer.tenant_reads(), pm_echo(jsonb) TO pm_acme;
GRANT SELECT ON answer.tenant_tool_latency TO pm_acme;
GRANT SELECT, INSERT, UPDATE, DELETE ON answer.tool_call TO pm_acme;
DELETE FROM answer.tool_call;
SELECT pm_called('pm.own', ARRAY(SELECT 1000 FROM generate_series(1, 30)), tenant => t)
FROM unnest('{"",pm-b}'::text[]) AS t;
SET LOCAL SESSION AUTHORIZATION pm_acme;
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.own'))) -> 'measured', '{}',
		'the calls of others say nothing to a tenant'),
	is_empty('SELECT * FROM answer.tenant_tool_latency', 'nor does he see them'),
	is_empty('SELECT * FROM answer.tool_call', 'not even in the table');
SELECT throws_ok($$INSERT INTO answer.tool_call VALUES ('pm-b', 'pm.own', now(), 1, 1)$$, '42501', NULL,
	'or adds to them');
SELECT answer_tool_invoke('pm.own', '{}') IS NULL;
SELECT is((SELECT array_agg(concat_ws(' ', tenant, tool, basis, calls)) FROM answer.tenant_tool_latency),
	'{pm-a pm.own declared 1}', 'his own are his');
RESET SESSION AUTHORIZATION;
SELECT is(answer_plan_explain(pm_request(pm_plan('pm.own'))) #> '{measured,pm.own,calls}', '30', 'and nobody else''s');

-- The view goes from one tenant and tool to the next; its figures agree with those from all rows together.
DELETE FROM answer.tool_call;
SELECT setseed(0.32);
SELECT pm_called(t, ARRAY(SELECT (random() * 1e6)::bigint FROM generate_series(1, c)), now() - age, w)
FROM (VALUES ('', 'a', 1, interval '0'), ('', 'a2', 29, '0'), ('', 'a3', 30, '0'), ('', 'b', 10000, '0'),
	('', 'b ', 10001, '0'), ('', 'b.c', 10800, '0'), ('pm-b', 'Ä', 40, '0'), ('pm-b', 'a b', 41, '0'),
	('pm-z', '', 31, '0'),
	-- the last rows of the first tool are too old, and all rows of the second
	('pm-a', 'a', 100, '167:59:00'), ('pm-a', 'c', 3, '169 hours'))
	AS v (w, t, c, age);
CREATE TEMPORARY TABLE pm_expected AS
SELECT tenant, tool, CASE WHEN count(*) >= 30 THEN 'measured' ELSE 'declared' END AS basis, count(*) AS calls,
	trim_scale(round((percentile_cont(0.5) WITHIN GROUP (ORDER BY microseconds) / 1000)::numeric, 5)) AS p50_ms,
	trim_scale(round((percentile_cont(0.95) WITHIN GROUP (ORDER BY microseconds) / 1000)::numeric, 5)) AS p95_ms
FROM (SELECT c.*, row_number() OVER (PARTITION BY tenant, tool ORDER BY called_at DESC) AS place
	FROM answer.tool_call c WHERE called_at >= now() - interval '168 hours') AS c
WHERE place <= 10000 GROUP BY tenant, tool;
SELECT bag_eq('SELECT * FROM answer.tool_latency', 'SELECT * FROM pm_expected',
		'each tenant''s tools have their newest calls'),
	is((SELECT array_agg(calls ORDER BY tenant, tool) FROM pm_expected), '{1,29,30,10000,10000,10000,60,41,40,31}',
		'at most 10,000, of 7 days');
GRANT SELECT ON pm_expected TO pm_acme;
SET LOCAL SESSION AUTHORIZATION pm_acme;
SELECT bag_eq('SELECT * FROM answer.tenant_tool_latency', $$SELECT * FROM pm_expected WHERE tenant = 'pm-a'$$,
	'and a tenant sees its own');
RESET SESSION AUTHORIZATION;
SELECT * FROM finish();
ROLLBACK;
