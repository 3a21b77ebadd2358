-- Replay bundles: who gets one, and what is none. test/tap/plan_bundle.pl checks them with the tools of others.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE SCHEMA plan_bundle;
SET search_path = plan_bundle, public;
CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	-- ids of traces are random
	RETURN SQLSTATE || ' ' || regexp_replace(SQLERRM, '\mt_[0-9a-f]{32}\M', 't_...');
END $$;
SELECT answer_tool_register('bundle.outside', spec => '{"external": true, "io": {"output": {"v": "string"}}}');
CREATE TABLE waits AS SELECT answer_plan_execute('{"plan": {"plan_id": "bundle.waits",
	"nodes": [{"id": "n", "op": "call", "tool": "bundle.outside", "out": "v"}]}}') AS d;
CREATE TABLE made AS SELECT answer_plan_execute('{"plan": {"plan_id": "bundle", "nodes": [
	{"id": "read", "op": "mem.read", "args": {"key": "bundle.none"}, "out": "v"},
	{"id": "none", "op": "assert", "if": "$v == null"}], "edges": [["read", "none"]]}}') AS d;
SELECT d ->> 'verdict' AS verdict FROM made;
CREATE TABLE bundle AS SELECT answer_replay_bundle(d ->> 'trace_id') AS b FROM made;

SELECT answer.replay_verify(b) - '{receipt_id,trace_id}'::text[] AS verified,
	answer.replay_verify(b) ->> 'receipt_id' = d ->> 'receipt_id' AS named FROM bundle, made;
-- what is none has diverged and is no error
SELECT answer.replay_verify(given) FROM (VALUES (1, ''::bytea), (2, '\x00'), (3, decode(repeat('00', 1024), 'hex')),
	(4, decode(repeat('41', 1536), 'hex'))) AS g (n, given) ORDER BY n;
SELECT answer.replay_verify(b, '[]') - '{receipt_id,trace_id}'::text[] AS no_keys,
	answer.replay_verify(b, 'null') ->> 'result' AS none FROM bundle;
SELECT answer.replay_verify(b || b) ->> 'field' AS twice,
	answer.replay_verify(b || '\x00') ->> 'field' AS more FROM bundle;

SELECT refused($$SELECT answer_replay_bundle(NULL)$$);
SELECT refused($$SELECT answer_replay_bundle('t_00000000000000000000000000000000')$$);
SELECT refused($$SELECT answer_replay_bundle(d ->> 'trace_id') FROM plan_bundle.waits$$);
SELECT refused($$SELECT answer.replay_verify(NULL)$$);
SELECT refused($$SELECT answer.replay_bundle_write('{}', '{}')$$);
SELECT refused($$SELECT answer.replay_bundle_write(d, '{}') FROM plan_bundle.made$$) LIKE '22023 no bundle%' AS no_key;

CREATE ROLE regress_bundle;
GRANT USAGE ON SCHEMA plan_bundle, answer TO regress_bundle;
GRANT SELECT ON bundle, made TO regress_bundle;
SET ROLE regress_bundle;
SELECT refused($$SELECT answer_replay_bundle('x')$$);
SELECT refused($$SELECT answer.replay_bundle_write('{}', '{}')$$);
SELECT answer.replay_verify(b, '[]') ->> 'result' AS everybody FROM bundle;
RESET ROLE;
SELECT answer_forget(d ->> 'receipt_id', 'test') IS NOT NULL AS forgotten FROM made;
SELECT left(refused(format('SELECT answer_replay_bundle(%L)', d ->> 'trace_id')), 6) AS gone FROM made;
SELECT answer.replay_verify(b) ->> 'result' AS kept_outside FROM bundle;
SET client_min_messages = error;
DROP SCHEMA plan_bundle CASCADE;
SELECT answer_tool_remove('bundle.outside');
DROP OWNED BY regress_bundle;
DROP ROLE regress_bundle;
