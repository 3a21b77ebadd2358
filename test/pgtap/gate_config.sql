-- The active configuration, attacked by the owner and superuser, by a tenant, and by a role without rights: only a
-- promotion changes it, and what somebody writes beside the records is ignored and reported.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(65);
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
-- how long answers are kept in an environment; the attacks try to change this
CREATE FUNCTION attack.ttl(environment text DEFAULT 'attacked') RETURNS text LANGUAGE sql AS
$$ SELECT answer_config(environment) ->> 'cache_ttl_s' $$;
CREATE FUNCTION attack.defects() RETURNS text LANGUAGE sql AS
$$ SELECT string_agg(a.detail, '; ' ORDER BY a.detail COLLATE "C") FROM answer_log_audit() a
	WHERE a.finding = 'configuration' $$;

SELECT answer_suite_load('attack', '[
	{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER",
		"risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z",
		"text": "The puppet workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z",
		"text": "Workshop: puppet makers open at nine."}]',
	'2026-01-02T00:00:00Z') IS NOT NULL;
SELECT answer_environment_set('attacked',
	options => '{"suite": "attack", "rules": {}, "shadow_samples": 0, "canary_samples": 0, '
	'"canary_percent": 100}') IS NOT NULL;
CREATE TABLE attack.made (name text, id text);
INSERT INTO attack.made VALUES ('good', answer_config_create('{"cache_ttl_s": 60}', 'good')),
	('evil', answer_config_create('{"cache_ttl_s": 666}', 'evil'));
SELECT answer_config_promote('attacked', id) ->> 'moved' FROM attack.made, generate_series(1, 3) WHERE name = 'good';
SELECT is(attack.ttl(), '60', 'a configuration came through its stages');

-- back through the history as far as it goes, forth, and back again
SELECT answer_environment_set('back', options => '{"suite": "attack", "rules": {}, "shadow_samples": 0, '
	'"canary_samples": 0}') IS NOT NULL;
CREATE FUNCTION attack.forth(n int) RETURNS text LANGUAGE sql AS $$
	SELECT p.moved FROM (SELECT answer_config_create(jsonb_build_object('cache_ttl_s', n), 'a step')) AS c (id),
	LATERAL (SELECT string_agg(answer_config_promote('back', c.id) ->> 'stage', ' ' ORDER BY i)
		FROM generate_series(1, 3) AS i) AS p (moved) $$;
CREATE FUNCTION attack.back() RETURNS text LANGUAGE sql AS $$
	SELECT answer_config_rollback('back', 'a step back'); SELECT attack.ttl('back') $$;
SELECT is(attack.forth(n), 'shadow canary active', format('version %s comes into force', n))
FROM generate_series(1, 4) AS n;
SELECT is(attack.back(), n::text, format('a step back, to version %s', n)) FROM unnest(ARRAY[3, 2, 1]) AS n;
SELECT is(attack.forth(5), 'shadow canary active', 'and forth, from there');
SELECT is(attack.back(), n::text, format('and back again, to version %s', n)) FROM unnest(ARRAY[1, 0]) AS n;
SELECT is(attack.tried('SELECT answer_config_rollback(''back'', ''x'')'), '55000', 'and no further');
SELECT is((SELECT string_agg(action, ' ' ORDER BY revision)
	FROM answer.config_step, LATERAL (SELECT answer_receipt(receipt_id) AS r OFFSET 0) AS d
	WHERE environment = 'back' AND answer_verify_ok(r) AND (answer_replay(r) ->> 'ok')::boolean),
	'set' || repeat(' promote', 12) || repeat(' rollback', 3) || repeat(' promote', 3) || repeat(' rollback', 2),
	'every step is signed, and made again');

-- the owner, by hand
SELECT is(attack.tried(s), c, s) FROM (VALUES
	('UPDATE answer.environment SET active = ''x''', '55000'),
	('DELETE FROM answer.environment', '55000'),
	('INSERT INTO answer.environment (name) VALUES (''x'')', '55000'),
	('INSERT INTO answer.config_step (environment) VALUES (''x'')', '55000'),
	('UPDATE answer.config SET config = ''{}''', '55000'),
	('INSERT INTO answer.environment_head VALUES ('''', ''prod'', 1)', '23001'),
	('UPDATE answer.environment_head SET revision = revision + 1', '23001'),
	('DELETE FROM answer.environment_head', '23001'),
	('TRUNCATE answer.environment_head', '23001'),
	('INSERT INTO answer.config_sample VALUES ('''', ''attacked'', 1, '''', ''dec_0000000000000000'', now())', '23001'),
	('TRUNCATE answer.config_sample', '23001'),
	('UPDATE answer.receipt SET body = ''{}'' WHERE schema = ''change/v1''', '23001'),
	('DELETE FROM answer.receipt WHERE schema = ''change/v1''', '23001'),
	('SELECT answer_change_record(''environment'')', '0'),
	('SELECT answer_change_record(''environment'', ''attacked'')', '0'),
	('SELECT answer.change_record_put('''', ''environment'', ''attacked'')', 'false'),
	('SELECT answer.change_record_put('''', ''config'', ''cfg_0000000000000000'')', 'false')) AS v (s, c);
-- with settings that turn off guards of other tables
SET LOCAL row_security = off;
SET LOCAL session_replication_role = replica;
SELECT is(attack.tried('UPDATE answer.environment_head SET revision = 99'), '23001', 'not as a replica either');
SELECT is(attack.tried('INSERT INTO answer.config_sample'
	' VALUES ('''', ''attacked'', 1, '''', ''dec_0'', now())'), '23001',
	'nor a sample');
SELECT is(attack.ttl(), '60', 'nothing moved');
SET LOCAL session_replication_role = origin;
SET LOCAL row_security = on;

-- forged records: without a signature, with another record's signature, and with the right one over changed content
SAVEPOINT forged;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body)
SELECT 'chg_' || substr(md5(concat(r.receipt_id, n)), 1, 16), schema, issued_at, verdict, key_id,
	jsonb_set(jsonb_set(jsonb_set(jsonb_set(body, '{revision}', to_jsonb((body ->> 'revision')::int + n)),
		'{after,active}', to_jsonb(e.id)), '{configs}', jsonb_build_object(e.id, c.config)),
		'{receipt_id}', to_jsonb('chg_' || substr(md5(concat(r.receipt_id, n)), 1, 16)))
FROM answer.receipt r, attack.made e JOIN answer.config c ON c.config_id = e.id, generate_series(0, 3) n
WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'environment' AND r.body ->> 'name' = 'attacked'
	AND e.name = 'evil';
SELECT is(attack.ttl(), '60', 'records that were made by hand are passed over');
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body)
SELECT r.receipt_id || 'x', schema, issued_at, verdict, key_id, jsonb_set(body, '{name}', '"prod"')
FROM answer.receipt r WHERE r.schema = 'change/v1' AND r.body ->> 'name' = 'attacked'
	AND r.body ->> 'action' = 'promote';
SELECT is(attack.ttl('prod'), '0', 'and those of another environment');
SELECT matches(attack.defects(), 'environment attacked', 'the audit reports them');
SELECT is(answer_config_promote('attacked', (SELECT id FROM attack.made WHERE name = 'evil')) ->> 'stage', 'shadow',
	'steps go on from what was signed');
SELECT is(attack.ttl(), '60', 'which is in force');
ROLLBACK TO forged;

-- guards are removed and restored: the last move is known, so missing rows are noticed
SAVEPOINT rewound;
SELECT answer_config_promote('attacked', id) ->> 'moved' FROM attack.made, generate_series(1, 3) WHERE name = 'evil';
SELECT is(attack.ttl(), '666', 'promoted by the gate, the other one is in force');
ALTER TABLE answer.receipt_default DISABLE TRIGGER receipt_append_only;
DELETE FROM answer.receipt r WHERE r.schema = 'change/v1' AND r.body ->> 'name' = 'attacked'
	AND (r.body ->> 'revision')::int > 4;
ALTER TABLE answer.receipt_default ENABLE ALWAYS TRIGGER receipt_append_only;
ALTER TABLE answer.environment_head DISABLE TRIGGER ALL;
UPDATE answer.environment_head SET revision = revision WHERE environment = 'attacked';
ALTER TABLE answer.environment_head ENABLE ALWAYS TRIGGER environment_head_guard;
ALTER TABLE answer.environment_head ENABLE ALWAYS TRIGGER environment_head_no_truncate;
SELECT is(attack.tried('SELECT answer_config(''attacked'')'), 'XX001',
	'without the records of the last move nothing is decided');
SELECT is(attack.tried('SELECT answer_config_rollback(''attacked'', ''x'')'), 'XX001', 'nor moved');
SELECT matches(attack.defects(), 'its last move was revision 7, and its newest record is 4', 'the audit says so');
SELECT is(answer_environment_set('attacked') ->> 'revision', '8', 'the operator signs anew what is left');
SELECT is(attack.ttl(), '60', 'which is what the newest good record says');
ROLLBACK TO rewound;

-- the guard's own table as bait: a foreign trigger gains nothing while a row is written
SAVEPOINT bait;
CREATE FUNCTION attack.more() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_trigger_depth() = 1 THEN
		INSERT INTO answer.environment_head VALUES ('', 'other', 1);
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER a_more BEFORE INSERT OR UPDATE ON answer.environment_head FOR EACH ROW EXECUTE FUNCTION attack.more();
SELECT is(attack.tried('SELECT answer_config_rollback(''attacked'', ''x'')'), '23001', 'a row more is refused');
ROLLBACK TO bait;

-- tenants: their own environments start with the operator's configuration
CREATE ROLE regress_config_a;
CREATE ROLE regress_config_b;
CREATE ROLE regress_config_none;
SELECT answer_tenant_create('config-a'), answer_tenant_create('config-b'), answer_tenant_grant('config-a',
	'regress_config_a'),
	answer_tenant_grant('config-b', 'regress_config_b');
GRANT USAGE ON SCHEMA answer, tap TO PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA attack, tap TO PUBLIC;
GRANT ALL ON attack.made TO PUBLIC;
GRANT EXECUTE ON FUNCTION answer_config, answer_config_create, answer_config_promote, answer_config_rollback,
	answer_environment_set, answer_suite_run, answer_suite_load, answer_decide TO regress_config_a, regress_config_b;
GRANT SELECT ON answer.tenant_config, answer.tenant_environment, answer.tenant_config_step TO regress_config_a,
	regress_config_b;
SET LOCAL ROLE regress_config_none;
SELECT is(attack.tried(s), '42501', s) FROM unnest(ARRAY['SELECT answer_config()',
	'SELECT answer_config_create(''{}'', ''x'')',
	'SELECT answer_config_promote(''attacked'', ''x'')', 'SELECT answer_config_rollback(''attacked'', ''x'')',
	'SELECT answer_environment_set(''attacked'')', 'SELECT * FROM answer.environment',
		'SELECT * FROM answer.config_sample',
	'SET answer_eval.environment = ''dev''']) AS s;
SET LOCAL ROLE regress_config_a;
SELECT is(attack.ttl(), '60', 'a tenant has the operator''s environment');
SELECT is(attack.tried('SET answer_eval.environment = ''dev'''), '42501', 'and does not choose another');
SELECT is(attack.tried('SELECT answer_environment_set(''attacked'','
	' options => ''{"rules": {"min_overall_pass_rate": 0}}'')'), '42501',
	'nor the terms');
SELECT is(attack.tried('SELECT answer_config_rollback(''attacked'', ''x'')'), '55000',
	'nor rolls the operator''s back');
INSERT INTO attack.made VALUES ('own', answer_config_create('{"cache_ttl_s": 7}', 'own'));
-- the gate uses the operator's suite, whatever the tenant loads under its name
SELECT answer_suite_load('attack',
	'[{"id": "easy", "query": "Who?", "expected_outcome": "ABSTAIN", "risk_level": "low"}]') IS NOT NULL;
SELECT is(attack.tried($$SELECT answer_config_promote('attacked', id) FROM attack.made WHERE name = 'own'$$), '55000',
	'a suite of its own does not gate');
SELECT is((SELECT count(*)::int FROM answer.tenant_environment WHERE tenant <> '' AND tenant <> 'config-a'), 0,
	'nothing of others is listed');
SET LOCAL ROLE regress_config_b;
SELECT is(attack.tried($$SELECT answer_config_promote('attacked', id) FROM attack.made WHERE name = 'own'$$), 'P0002',
	'another tenant''s version is none');
SELECT is(attack.ttl(), '60', 'and its environment is as it was');
RESET ROLE;

/* an environment of all tenants: the questions of one tenant alone do not promote a candidate */

SELECT answer_environment_set('shared', options => '{"suite": "attack", "rules": {}, "shadow_samples": 4, '
	'"canary_samples": 0}') IS NOT NULL;
SET LOCAL answer_eval.environment = 'shared';
GRANT EXECUTE ON FUNCTION answer_grounded TO regress_config_a, regress_config_b;
CREATE FUNCTION attack.counted() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', d #>> '{samples,counted}', d #>> '{failures,0}', d ->> 'moved')
	FROM attack.made m, answer_config_promote('shared', m.id) AS d WHERE name = 'evil' $$;
-- asks n different questions
CREATE FUNCTION attack.asks(who text, questions int) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(answer_grounded(format('Who mends kites of %s, number %s?', who, n)))
		FROM generate_series(1, questions) AS n $$;
SELECT is(attack.counted(), '0 true', 'a candidate comes to shadow');
SET LOCAL ROLE regress_config_a;
SELECT attack.asks('a', 7);
RESET ROLE;
SELECT is(attack.counted(), '2 samples 2 < min 4 false', 'seven questions of one tenant are half of four samples');
SET LOCAL ROLE regress_config_b;
SELECT attack.asks('b', 1);
RESET ROLE;
SELECT is(attack.counted(), '3 samples 3 < min 4 false', 'another tenant''s count beside them');
SELECT attack.asks('the operator', 1);
SELECT is(attack.counted(), '4 true', 'and so do the operator''s');

SELECT * FROM finish();
ROLLBACK;
