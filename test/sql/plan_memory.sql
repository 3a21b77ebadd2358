-- Plans: what is remembered. Tenants stay, so this file has a database of its own.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
SELECT current_database() AS regression \gset
CREATE DATABASE regress_plan_memory TEMPLATE template0;
\c regress_plan_memory
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
SET timezone = 'Asia/Tokyo';
CREATE EXTENSION answer_eval;

CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION memory(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT answer.tool_mesh_mem(args) $$;
CREATE FUNCTION recall(key text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer.tool_mesh_mem(jsonb_build_object('op', 'read', 'key', key)) $$;
CREATE FUNCTION proof(confidence numeric) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('claims', '["c"]'::jsonb, 'supports', jsonb_build_array(
		jsonb_build_object('claim', 'c', 'source', 's', 'confidence', confidence, 'snippet', 'Yes.'))) $$;
-- a row as a plan leaves it, whatever it rests on
CREATE FUNCTION put(tenant text, key text, value jsonb, life interval DEFAULT '1 day') RETURNS void LANGUAGE sql AS $$
	INSERT INTO answer.memory_entry (tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id,
		reported_by)
	VALUES (tenant, key, value, answer_digest(value), proof(0.9), 'P1D', now() - interval '1 day', now() + life,
		't_1', '{}') $$;

/* a plan writes */

-- a tool that brings what evidence the test wants
CREATE FUNCTION bring(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('evidence', args -> 'evidence') $$;
SELECT answer_tool_register('bring', 'bring(jsonb)',
	spec => '{"io": {"input": {"evidence": {}}, "output": {"evidence": "Evidence"}}}');
CREATE FUNCTION remember(key text, value jsonb, evidence jsonb DEFAULT proof(0.95), more jsonb DEFAULT '{}')
RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('; ', r ->> 'verdict', (SELECT string_agg(concat_ws(': ', e #>> '{event,step}',
		e #>> '{event,outcome}', e #>> '{event,reason}'), '; ' ORDER BY n)
		FROM jsonb_array_elements(r -> 'trace') WITH ORDINALITY AS t (e, n)))
	FROM answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('evidence', evidence, 'value', value),
		'plan', jsonb_build_object('plan_id', 'remember', 'edges', '[["prove", "keep"]]'::jsonb,
		'nodes', jsonb_build_array(
		'{"id": "prove", "op": "call", "tool": "bring", "args": {"evidence": "$INPUT.evidence"},
			"out": "proof"}'::jsonb,
		'{"id": "keep", "op": "mem.write"}'::jsonb || jsonb_build_object('args',
			'{"value": "$INPUT.value", "provenance": "$proof"}'::jsonb || jsonb_build_object('key', key) || more)))))
		AS r $$;

-- what it brings is reported: the last part of this section is about that
SELECT answer_memory_policy('', '', true);
SELECT remember('a', '{"n": 12345678901234567890, "d": 0.10}');
SELECT e.value, e.ttl, e.expires_at - e.written_at AS life, e.digest = answer_digest(e.value) AS digest,
	e.provenance - 'policy' AS provenance, e.written_at = r.evaluated_at AS by_the_plans_clock,
	r.trace_id = e.trace_id AS trace
FROM answer.memory_entry e, answer.plan_run r WHERE key = 'a';
-- the last write wins, and its life begins anew
SELECT pg_sleep(0.01);
SELECT remember('a', '{"n": 2}', more => '{"ttl": "PT1H"}');
SELECT value, ttl, expires_at - written_at AS life,
	written_at > (SELECT min(evaluated_at) FROM answer.plan_run) AS later
FROM answer.memory_entry WHERE key = 'a';
-- what does not carry a value is refused, or blocks the plan before; what was there stays
SELECT remember('a', '{"n": 3}', proof(0.85)) AS below_the_plans_threshold;
SELECT remember('a', '{"n": 3}', '{"claims": ["c"]}') AS without_support;
SELECT remember('a', '{"n": 3}', '{"claims": ["c"], "verdict": {"confidence": 1}}') AS with_a_verdict_of_its_own;
SELECT remember('a', '{"n": 3}', proof(0.95) || '{"contradicts": [{"claim": "c", "source": "t", "weight": 0.31}]}')
	AS in_conflict;
SELECT remember('a', '{"n": 3}', more => jsonb_build_object('provenance', proof(0.95))) AS written_into_the_plan;
SELECT remember('a', '{"n": 3}', more => '{"provenance": {"claims": ["$INPUT.value"]}}') AS made_up_around_a_reference;
SELECT remember('a', '{"n": 3}', proof(0.95) || '{"related": []}', '{"provenance": "$INPUT.other"}') AS of_nothing;
SELECT remember('a', jsonb_build_object('proof', proof(0.96)), more => '{"provenance": "$INPUT.value.proof"}')
	AS of_the_request;
SELECT remember('a', '{"n": 3}', more => '{"provenance": "$proof.supports"}') AS a_part_of_it;
SELECT remember('a', '"text"') AS no_object, remember('', '{}') AS no_key,
	left(remember(repeat('x', 1001), '{}'), 100) AS a_long_key;
SELECT refused($$SELECT remember('a', '{}', more => '{"ttl": "p1d"}')$$) AS no_ttl;
SELECT remember('b', '{}', more => '{"ttl": "P3650000D"}') AS the_longest_life;
SELECT recall('b') - 'provenance' AS b, extract(year FROM expires_at) > 9999 AS beyond_what_is_written
FROM answer.memory WHERE key = 'b';
SET answer_eval.memory_confidence = 0.96;
SELECT remember('a', '{"n": 4}') AS below_the_setting, remember('c', '{"n": 4}', proof(0.96)) AS at_the_setting;
RESET answer_eval.memory_confidence;
SELECT key, value FROM answer.memory_entry ORDER BY key COLLATE "C";
-- nobody lowers it for himself
CREATE ROLE regress_memory_a;
SET ROLE regress_memory_a;
SET answer_eval.memory_confidence = 0;
RESET ROLE;

-- read by a plan: the value, or null, and both are bound
CREATE FUNCTION reads(key text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('; ', r ->> 'verdict', r #> '{trace,0,outputs}', r #>> '{trace,1,outputs}')
	FROM (SELECT answer_plan_execute(jsonb_build_object('plan', jsonb_build_object('plan_id', 'reads',
		'nodes', jsonb_build_array(
		'{"id": "get", "op": "mem.read", "out": "m"}'::jsonb
			|| jsonb_build_object('args', jsonb_build_object('key', key)),
		'{"id": "there", "op": "branch", "if": "$m != null"}'::jsonb,
		'{"id": "ok", "op": "assert", "if": "$m.n >= 2"}'::jsonb),
		'edges', '[["get", "there"], {"from": "there", "to": "ok", "label": "then"}]'::jsonb)))) AS p (r) $$;
SELECT replace(reads('a'), expires, 'EXPIRES') AS a, reads('none') AS none
FROM (SELECT to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM answer.memory WHERE key = 'a')
	AS m (expires);

-- what was forgotten is not remembered again, and the plan answers all the same
SELECT answer_memory_forget('a', 'asked to') ->> 'receipts' AS receipts;
SELECT remember('a', '{"n": 2}') AS the_same_again, remember('a', '{"n": 5}') AS another_value;
SELECT remember('z', '{"n": 2}') AS under_another_key;

-- expired rows go with a later write
UPDATE answer.memory_entry SET written_at = '2020-01-01', expires_at = '2020-01-02' WHERE key <> 'b';
SELECT remember('d', '{}');
SELECT key FROM answer.memory_entry ORDER BY key COLLATE "C";
-- all or nothing is the caller's transaction
BEGIN;
SELECT remember('e', '{}');
ROLLBACK;
SELECT recall('e') AS rolled_back;
-- the other form commits each step
CALL answer_plan_run('{"vars": {"evidence": {"claims": ["c"],
		"supports": [{"claim": "c", "source": "s", "confidence": 0.95}]}},
	"plan": {"plan_id": "committed", "nodes": [
	{"id": "prove", "op": "call", "tool": "bring", "args": {"evidence": "$INPUT.evidence"}, "out": "proof"},
	{"id": "keep", "op": "mem.write", "args": {"key": "f", "value": {"form": 2}, "provenance": "$proof"}},
	{"id": "fail", "op": "assert", "if": "false"}], "edges": [["prove", "keep"], ["keep", "fail"]]}}') \gset
SELECT (:'result')::jsonb ->> 'verdict' AS verdict, recall('f') -> 'value' AS kept;
DELETE FROM answer.memory_entry;
-- what is reported is kept under keys of which the operator says so, and read as such
SELECT answer_memory_policy('', '', NULL);
SELECT remember('a', '{"n": 1}') AS reported;
SELECT answer_memory_policy('', '', true), answer_memory_policy('', 'observed.', false),
	answer_memory_policy('', 'observed.or.not', true);
SELECT remember('observed.a', '{"n": 1}') AS by_the_longer_prefix, remember('observed.or.not', '{}') AS and_the_longest;
SELECT key, reported_by, recall(key) - 'provenance' - 'expires' AS read FROM answer.memory;
SELECT answer_memory_policy('', 'observed.or.not', NULL);
SELECT remember('observed.or.not', '{}') AS no_longer;
SELECT tenant, key_prefix, reported FROM answer.memory_policy ORDER BY key_prefix COLLATE "C";
SELECT name, action, after FROM answer.change WHERE kind = 'memory_policy' ORDER BY name COLLATE "C", revision;
SELECT refused($$SELECT answer_memory_policy(NULL, '', true)$$),
	refused($$SELECT answer_memory_policy('', NULL, true)$$),
	refused($$SELECT answer_memory_policy('nobody', '', true)$$),
	refused($$SELECT answer_memory_policy('', repeat('ä', 501), true)$$);
DELETE FROM answer.memory_entry;

/* the gate: nothing is written but by a step of a plan */

SELECT memory(jsonb_build_object('op', 'write', 'key', 'k', 'value', '{}'::jsonb, 'provenance', proof(1))) AS written,
	recall('k') AS there;
SELECT answer_tool_invoke('mesh.mem', jsonb_build_object('op', 'write', 'key', 'k', 'value', '{}'::jsonb,
	'provenance', proof(1))) AS invoked, recall('k') AS there;
SELECT count(*) AS rows FROM answer.memory_entry;

/* reading */

SELECT put('', 'number', '{"n": 12345678901234567890, "d": 0.10}'), put('', 'ü', '{"a": ["ä"]}'),
	put('', 'gone', '{}', '0 s'), put('', 'short', '{"s": 1}'), put('', repeat('x', 1000), '{}');
SELECT recall('number') - 'expires' AS number, recall('ü') -> 'value' AS value, recall('gone') AS gone,
	recall('none') AS none, recall(repeat('x', 1000)) -> 'ok' AS long;
SELECT (recall('number') ->> 'expires')::timestamptz = expires_at AS expires,
	recall('number') ->> 'expires' LIKE '%Z' AS utc
FROM answer.memory WHERE key = 'number';
-- gone from the second it expires, for the view and for the tool
SELECT left(key, 9) AS key FROM answer.memory ORDER BY key COLLATE "C";
UPDATE answer.memory_entry SET expires_at = clock_timestamp() WHERE key = 'short';
SELECT recall('short') AS short, count(*) FILTER (WHERE key = 'short') AS in_the_view FROM answer.memory;
SELECT count(*) AS with_what_has_expired FROM answer.memory_entry;
SELECT answer_tool_invoke('mesh.mem', '{"op": "read", "key": "ü"}') #>> '{result,value,a,0}' AS through_the_spec;

SELECT problem, refused(format('SELECT memory(%L)', args))
FROM (VALUES ('no object', '[]'), ('no key', '{"op": "read"}'), ('key', '{"op": "read", "key": 1}'),
	('empty key', '{"op": "read", "key": ""}'), ('long key', '{"op": "read", "key": "' || repeat('ä', 501) || '"}'),
	('no op', '{"key": "k"}'), ('op', '{"op": "erase", "key": "k"}'), ('op of another type', '{"op": 1, "key": "k"}'),
	('no value', '{"op": "write", "key": "k"}'), ('ttl', '{"op": "write", "key": "k", "value": {}, "ttl": 1}'),
	('ttl of years', '{"op": "write", "key": "k", "value": {}, "ttl": "P1Y"}'),
	('no life', '{"op": "write", "key": "k", "value": {}, "ttl": "P0D"}'),
	('too long a life', '{"op": "write", "key": "k", "value": {}, "ttl": "P3650001D"}'),
	('no provenance', '{"op": "write", "key": "k", "value": {}}'),
	('provenance', '{"op": "write", "key": "k", "value": {}, "provenance": "me"}')) AS wrong (problem, args);
SELECT answer.tool_mesh_mem(NULL) IS NULL AS null_for_null;

/* rows that are none */

SELECT refused($$SELECT put('', '', '{}')$$), refused(format($$SELECT put('', %L, '{}')$$, repeat('x', 1001))),
	refused($$SELECT put('', 'k', '{}', '-1 day')$$);

/* forgetting */

SELECT put('', 'twice', '{"secret": 1}'), put('', 'again', '{"secret": 1}'), put('', 'other', '{"secret": 2}');
SELECT answer_memory_forget('twice', 'asked to') - 'forgotten_at' = jsonb_build_object('receipts', '[]'::jsonb,
	'readings', jsonb_build_array(answer_digest('{"secret": 1}'::jsonb))) AS forgotten;
SELECT recall('twice') AS twice, recall('again') AS again, recall('other') -> 'ok' AS other;
SELECT t.receipt_id IS NULL AS of_no_receipt, t.reason,
	answer_verify_ok(t.body) AS verifies
FROM answer.tombstone t WHERE t.digest = answer_digest('{"secret": 1}'::jsonb);
-- by its digest, too
SELECT jsonb_array_length(answer_forget(answer_digest('{"secret": 2}'::jsonb), 'asked to') -> 'readings') AS readings;
SELECT recall('other') AS other;
-- what has expired as well
SELECT answer_memory_forget('gone', 'x') -> 'readings' IS NOT NULL AS forgotten;
SELECT refused($$SELECT answer_memory_forget('twice', 'x')$$), refused($$SELECT answer_memory_forget('number', ' ')$$),
	refused($$SELECT answer_memory_forget(NULL, 'x')$$), refused($$SELECT answer_memory_forget('number', NULL)$$),
	refused($$SELECT answer_memory_forget(repeat('k', 2000), 'x')$$);
BEGIN READ ONLY;
SELECT answer_memory_forget('number', 'x');
ROLLBACK;
SELECT recall('number') -> 'ok' AS still_there;

/* the audit */

SELECT answer_log_seal() IS NOT NULL AS sealed;
SELECT finding, detail FROM answer_log_audit() WHERE detail LIKE '%remembered%';
UPDATE answer.memory_entry SET value = '{"a": ["b"]}' WHERE key = 'ü';
SELECT put('', 'back', '{"secret": 1}'), put('nobody', 'k', '{}');
SELECT finding, detail FROM answer_log_audit()
WHERE detail LIKE '%remembered%' OR detail LIKE '%memories%' ORDER BY detail;
DELETE FROM answer.memory_entry WHERE key IN ('ü', 'back') OR tenant = 'nobody';

/* tenants */

CREATE ROLE regress_memory_b;
CREATE ROLE regress_memory_auditor;
CREATE ROLE regress_memory_stranger;
SELECT answer_tenant_create('a'), answer_tenant_create('b'), answer_tenant_grant('a', 'regress_memory_a'),
	answer_tenant_grant('b', 'regress_memory_b'), answer_tenant_grant('*', 'regress_memory_auditor');
GRANT USAGE ON SCHEMA answer TO regress_memory_a, regress_memory_b, regress_memory_auditor, regress_memory_stranger;
GRANT EXECUTE ON FUNCTION answer.tool_mesh_mem, answer_memory_forget, answer_forget
TO regress_memory_a, regress_memory_b, regress_memory_auditor, regress_memory_stranger;
GRANT SELECT ON answer.tenant_memory TO regress_memory_a, regress_memory_b, regress_memory_auditor;
SELECT put('a', 'k', '{"of": "a"}'), put('b', 'k', '{"of": "b"}'), put('a', 'same', '{"same": 1}'),
	put('b', 'same', '{"same": 1}'), put('a', 'old', '{}', '0 s');
SET ROLE regress_memory_a;
SELECT recall('k') -> 'value' AS own, recall('number') AS operators;
SELECT tenant, key, value FROM answer.tenant_memory ORDER BY key COLLATE "C";
SELECT refused('SELECT * FROM answer.memory'), refused('SELECT * FROM answer.memory_entry');
SELECT answer_memory_forget('same', 'x') -> 'readings' IS NOT NULL AS forgotten;
SELECT recall('same') AS same;
SELECT refused($$SELECT answer_forget(answer_digest('{"of": "b"}'::jsonb), 'x')$$);
SET ROLE regress_memory_b;
SELECT recall('k') -> 'value' AS own, recall('same') -> 'value' AS same, recall('old') AS old;
SET ROLE regress_memory_auditor;
SELECT tenant, key FROM answer.tenant_memory ORDER BY tenant, length(key), key COLLATE "C" LIMIT 3;
SELECT refused($$SELECT recall('k')$$), refused($$SELECT answer_memory_forget('k', 'x')$$);
SET ROLE regress_memory_stranger;
SELECT refused($$SELECT recall('k')$$), refused($$SELECT answer_memory_forget('k', 'x')$$);
RESET ROLE;
SELECT recall('k') AS operators, (answer_memory_forget('number', 'x') -> 'tenants') IS NULL AS of_one_tenant;
SET answer_eval.tenant = 'b';
SELECT recall('k') -> 'value' AS of_b;
RESET answer_eval.tenant;
-- the second wall
GRANT SELECT, INSERT, UPDATE, DELETE ON answer.memory_entry TO regress_memory_a;
SET ROLE regress_memory_a;
SELECT tenant, key FROM answer.memory_entry ORDER BY key COLLATE "C";
SELECT refused($$SELECT put('b', 'mine', '{}')$$);
UPDATE answer.memory_entry SET value = '{}' WHERE tenant = 'b';
DELETE FROM answer.memory_entry WHERE tenant = 'b';
RESET ROLE;
SELECT key, value FROM answer.memory_entry WHERE tenant = 'b' ORDER BY key COLLATE "C";

\c :regression
DROP DATABASE regress_plan_memory WITH (FORCE);
DROP ROLE regress_memory_a, regress_memory_b, regress_memory_auditor, regress_memory_stranger;
