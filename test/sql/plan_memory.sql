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
CREATE FUNCTION memory(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT answer_tool_mesh_mem(args) $$;
CREATE FUNCTION recall(key text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_tool_mesh_mem(jsonb_build_object('op', 'read', 'key', key)) $$;
CREATE FUNCTION proof(confidence numeric) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('claims', '["c"]'::jsonb, 'supports', jsonb_build_array(
		jsonb_build_object('claim', 'c', 'source', 's', 'confidence', confidence, 'snippet', 'Yes.'))) $$;
-- a row as a plan leaves it, whatever it rests on
CREATE FUNCTION put(tenant text, key text, value jsonb, life interval DEFAULT '1 day') RETURNS void LANGUAGE sql AS $$
	INSERT INTO answer.memory_entry (tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id)
	VALUES (tenant, key, value, answer_digest(value), proof(0.9), 'P1D', now() - interval '1 day', now() + life, 't_1') $$;

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
SELECT answer_tool_mesh_mem(NULL) IS NULL AS null_for_null;

/* rows that are none */

SELECT refused($$SELECT put('', '', '{}')$$), refused(format($$SELECT put('', %L, '{}')$$, repeat('x', 1001))),
	refused($$SELECT put('', 'k', '{}', '-1 day')$$);

/* forgetting */

SELECT put('', 'twice', '{"secret": 1}'), put('', 'again', '{"secret": 1}'), put('', 'other', '{"secret": 2}');
SELECT answer_memory_forget('twice', 'asked to') - 'forgotten_at' = jsonb_build_object('receipts', '[]'::jsonb,
	'readings', jsonb_build_array(answer_digest('{"secret": 1}'::jsonb))) AS forgotten;
SELECT recall('twice') AS twice, recall('again') AS again, recall('other') -> 'ok' AS other;
SELECT t.digest = answer_digest('{"secret": 1}'::jsonb) AS of_the_value, t.receipt_id IS NULL AS of_no_receipt, t.reason,
	answer_verify_ok(t.body) AS verifies
FROM answer.tombstone t;
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

CREATE ROLE regress_memory_a;
CREATE ROLE regress_memory_b;
CREATE ROLE regress_memory_auditor;
CREATE ROLE regress_memory_stranger;
SELECT answer_tenant_create('a'), answer_tenant_create('b'), answer_tenant_grant('a', 'regress_memory_a'),
	answer_tenant_grant('b', 'regress_memory_b'), answer_tenant_grant('*', 'regress_memory_auditor');
GRANT USAGE ON SCHEMA answer TO regress_memory_a, regress_memory_b, regress_memory_auditor;
GRANT EXECUTE ON FUNCTION answer_tool_mesh_mem, answer_memory_forget, answer_tenant_memory, answer_forget
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
