-- What an unfinished plan goes on by: signed, so that whoever can write tables cannot make it go on otherwise.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';
CREATE SCHEMA plan_kept;
SET search_path = plan_kept, public;

CREATE FUNCTION does(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'sql';
	RETURN '{"value": 7}';
END $$;
SELECT answer_tool_register('pk.does', 'plan_kept.does(jsonb)', spec => '{"io": {"input": {"sql": "string"},
	"output": {"value": {}}}, "constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01,
	"side_effects": true}}');
SELECT answer_tool_register('pk.asks', NULL, spec => '{"external": true, "io": {"input": {"value": {}},
	"output": {"text": "string"}}, "constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}}');
CREATE FUNCTION request(sql text, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT more || jsonb_build_object('plan', jsonb_build_object('plan_id', 'pk', 'edges', '[["a", "m"]]'::jsonb,
		'nodes', jsonb_build_array(jsonb_build_object('id', 'a', 'op', 'call', 'tool', 'pk.does', 'out', 'x', 'args',
		jsonb_build_object('sql', sql)), '{"id": "m", "op": "call", "tool": "pk.asks", "args": {"value": "$x"},
		"out": "y"}'::jsonb))) $$;
CREATE FUNCTION told() RETURNS text LANGUAGE sql AS $$
	SELECT COALESCE(string_agg(format('%s %s %s', verdict, body #>> '{reason,kind}', body #>> '{budget_used,cost_usd}'),
		', ' ORDER BY body #>> '{budget_used,cost_usd}'), 'nothing')
	FROM answer.receipt WHERE schema = 'plan/v1' AND body ->> 'plan_id' = 'pk' $$;

/* what is changed before a plan is resumed is refused, and nobody is told that it ended */

SELECT answer_plan_execute(request('SELECT 1')) ->> 'trace_id' AS other \gset
SELECT answer_plan_execute(request('SELECT 1', '{"request_id": "pk"}')) ->> 'trace_id' AS trace_id \gset
SELECT p.trace_id = :'trace_id' AS this, state ?& '{sig,kept_at,events,last_event}' AS is_signed,
	state -> 'events' AS events,
	state ->> 'last_event' = answer_digest(e.event) AS last
FROM answer.plan_run p JOIN answer.plan_event e USING (tenant, trace_id)
WHERE p.plan_id = 'pk' ORDER BY 1;
-- makes a change, goes on, and takes all of it back
CREATE FUNCTION after(change text, trace_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE change USING trace_id;
	PERFORM answer_plan_resume(trace_id, '{"m": {"result": {"text": "so"}, "by": "me"}}');
	RAISE EXCEPTION USING MESSAGE = 'went on', ERRCODE = 'ZZ000';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || regexp_replace(SQLERRM, '\mt_[0-9a-f]{32}\M', 't_...', 'g');
END $$;
BEGIN;
-- the guard of events is no wall to their owner
ALTER TABLE answer.plan_event DISABLE TRIGGER USER;
SELECT what, after(format(CASE WHEN change ~ '^[a-z]' THEN 'UPDATE answer.plan_run SET %s WHERE trace_id = $1'
	ELSE '%s' END, change), :'trace_id') AS after
FROM (VALUES
	('nothing', 'verdict = NULL'),
	('limits', $$state = jsonb_set(state, '{limits,cost_usd}', '100')$$),
	('policy', $$state = jsonb_set(state, '{policy,min_confidence}', '0.8')$$),
	('plan', $$state = jsonb_set(state, '{plan,nodes,1,args,value}', '"other"')$$),
	('tools', $$state = jsonb_set(state, '{tools,pk.asks,constraints,cost_per_call_usd}', '0')$$),
	('vars', $$state = jsonb_set(state, '{vars}', '{"a": 1}')$$),
	('intent', $$state = jsonb_set(state, '{intent}', '"other"')$$),
	('pending', $$state = jsonb_set(state, '{pending_since}', '"2020-01-01T00:00:00.000000Z"')$$),
	('a member more', $$state = state || '{"more": 1}'$$),
	('a member named run', $$state = state || '{"run": {}}'$$),
	('no signature', $$state = state - 'sig'$$),
	('no object', $$state = '[]'$$),
	('no state', $$state = NULL$$),
	('the state of another', format($$state = (SELECT state FROM answer.plan_run WHERE trace_id = '%s')$$, :'other')),
	('an unknown key', $$state = jsonb_set(state, '{sig,key_id}', '"ae-ed25519-000000000000"')$$),
	('plan_id', $$plan_id = 'other'$$),
	('request_id', $$request_id = 'other'$$),
	('request_digest', $$request_digest = 'sha256:' || repeat('0', 64)$$),
	('evaluated_at', $$evaluated_at = evaluated_at - interval '1 day'$$),
	('started_at', $$started_at = '-infinity'$$),
	('expires_at', $$expires_at = expires_at + interval '1 day'$$),
	('inputs', $$UPDATE answer.plan_step SET inputs = '{"sql": "SELECT 2"}' WHERE trace_id = $1$$),
	('outputs', $$UPDATE answer.plan_step SET outputs = '{"value": 8}' WHERE trace_id = $1$$),
	('no outputs', $$UPDATE answer.plan_step SET outputs = NULL WHERE trace_id = $1$$),
	('no step', $$DELETE FROM answer.plan_step WHERE trace_id = $1$$),
	('an event', $$UPDATE answer.plan_event SET event = jsonb_set(event, '{cost_usd}', '0') WHERE trace_id = $1$$),
	('a signature', $$UPDATE answer.plan_event SET event = jsonb_set(event, '{sig,sig}', to_jsonb(translate(
		event #>> '{sig,sig}', 'abcdef', 'fedcba'))) WHERE trace_id = $1$$),
	('no event', $$DELETE FROM answer.plan_event WHERE trace_id = $1$$),
	('the event of another', format($$UPDATE answer.plan_event e SET event = o.event FROM answer.plan_event o
		WHERE e.trace_id = $1 AND o.trace_id = '%s'$$, :'other')),
	('an event twice', $$INSERT INTO answer.plan_event SELECT tenant, trace_id, 2, plan_id, step, ts_end,
		jsonb_set(event, '{seq}', '2') FROM answer.plan_event WHERE trace_id = $1$$)) AS c (what, change);
ROLLBACK;
-- who waits for an answer keeps the same role: another name is another role
SELECT after($$UPDATE answer.plan_run SET role = 'nobody' WHERE trace_id = $1$$, :'trace_id');

/* what ends abandoned plans warns of it, and goes on */

SET answer_eval.pending_expiry = '1s';
SELECT answer_plan_execute(request('SELECT 1')) ->> 'trace_id' AS expired \gset
RESET answer_eval.pending_expiry;
DO $$
BEGIN
	WHILE EXISTS (SELECT FROM answer.plan_run WHERE plan_id = 'pk' AND expires_at BETWEEN clock_timestamp()
		AND clock_timestamp() + interval '10 s') LOOP
		PERFORM pg_sleep(0.1);
	END LOOP;
END $$;
\set VERBOSITY sqlstate
BEGIN;
UPDATE answer.plan_run SET expires_at = '-infinity' WHERE trace_id = :'other';
SELECT answer_plan_recover(), told();
ROLLBACK;
\set VERBOSITY terse

/* the execution of a plan is not lost while it is executed */

\set VERBOSITY sqlstate
SELECT answer_plan_execute(request('DELETE FROM answer.plan_run WHERE request_id = ''pk2''', '{"request_id": "pk2"}'));
SELECT request('SELECT 1') #- '{plan,nodes,1}' #- '{plan,edges}' AS request \gset
SELECT jsonb_set(:'request', '{plan,nodes,0,args,sql}', '"DELETE FROM answer.plan_run WHERE status = ''running''"')
	AS request \gset
CALL answer_plan_run(:'request', NULL);
-- not even where the step is committed before the plan is over: its reservation is settled
SELECT jsonb_set(jsonb_set(:'request', '{plan,nodes,1}', '{"id": "b", "op": "assert", "if": "$x == 7"}'),
	'{plan,edges}', '[["a", "b"]]') AS request \gset
CALL answer_plan_run(:'request', NULL);
\set VERBOSITY terse
SELECT answer_plan_recover();
SELECT count(*) AS reserved FROM answer.budget_reservation r LEFT JOIN answer.plan_run p USING (tenant, trace_id)
WHERE r.settled_at IS NULL AND p.trace_id IS NULL;
-- its events tell of it
SELECT regexp_replace(detail, 't_[0-9a-f]+', '...') AS detail FROM answer_log_audit() WHERE finding = 'extra'
AND detail LIKE 'trace %';
BEGIN;
ALTER TABLE answer.plan_event DISABLE TRIGGER USER;
DELETE FROM answer.plan_event e WHERE NOT EXISTS (SELECT FROM answer.plan_run p
	WHERE p.tenant = e.tenant AND p.trace_id = e.trace_id);
ALTER TABLE answer.plan_event ENABLE ALWAYS TRIGGER plan_event_append_only;
ALTER TABLE answer.plan_event ENABLE ALWAYS TRIGGER plan_event_no_truncate;
COMMIT;
SELECT status, count(*), told() FROM answer.plan_run WHERE plan_id = 'pk' GROUP BY 1;

/* a plan that was left is ended, with a reservation or without one */

SET statement_timeout = '500ms';
CALL answer_plan_run(request('SELECT pg_sleep(60)'), NULL);
CALL answer_plan_run(request('SELECT pg_sleep(60)'), NULL);
RESET statement_timeout;
SELECT min(trace_id) AS left, max(trace_id) AS settled FROM answer.plan_run
WHERE status = 'running' AND plan_id = 'pk' \gset
DELETE FROM answer.budget_reservation WHERE trace_id = :'left';
SELECT answer.budget_recover('', :'settled', 'infinity');
SELECT answer_plan_recover(), told();
SELECT answer_plan_recover(), told();
-- OFFSET keeps the server from verifying the documents of others first
SELECT count(*) AS amiss FROM (SELECT r.body FROM answer.plan_run p JOIN answer.receipt r USING (receipt_id)
	WHERE p.plan_id = 'pk' OFFSET 0) AS d
WHERE NOT (answer_verify_ok(d.body) AND answer_replay(d.body) -> 'ok' = 'true');

/* it goes on */

SELECT answer_plan_resume(:'trace_id', '{"m": {"result": {"text": "so"}, "by": "me"}}') ->> 'verdict' AS verdict;
CALL answer_plan_resume(:'other', '{"m": {"result": {"text": "so"}, "by": "me"}}', NULL) \gset
SELECT :'result'::jsonb ->> 'verdict' AS verdict;
