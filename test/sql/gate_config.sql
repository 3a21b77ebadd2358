-- Versions of the configuration, and environments that they come to: what each function takes, gives and refuses.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY default
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';
CREATE SCHEMA gate_config;
SET search_path = gate_config, public;

-- what ships
SELECT name, revision, active = (SELECT config_id FROM answer.config WHERE seed) AS shipped, shadow, canary,
	canary_share,
	history, suite, rules, shadow_samples, canary_samples, most_different_percent, seed
FROM answer.environment WHERE tenant = '' AND name IN ('dev', 'staging', 'prod') ORDER BY name;
SHOW answer_eval.environment;
SELECT answer_config() = answer_config('dev') AND answer_config() = answer_config('staging') AS same;
SELECT answer_config('none');
SELECT answer_config('No name');
SET answer_eval.environment = 'none';
SELECT answer_decide('What now?', '[]');
SELECT answer_grounded('What now?');
SET answer_eval.environment = '';
SELECT answer_config();
RESET answer_eval.environment;

-- versions: whole, immutable, named by their content
CREATE TABLE made (name text PRIMARY KEY, id text);
INSERT INTO made VALUES ('keeps', answer_config_create('{"cache_ttl_s": 60}', 'keep answers for a minute'));
INSERT INTO made VALUES ('longer', answer_config_create('{"cache_ttl_s": 120.0}', 'longer', (SELECT id FROM made)));
INSERT INTO made VALUES ('again', answer_config_create('{"cache_ttl_s": 120}', 'another reason'));
INSERT INTO made VALUES ('lax', answer_config_create('{"confidence_threshold_high_risk": 0.0, "min_chunks": 1,
	"floor": 0.0}', 'answer more'));
SELECT m.name, c.parent = (SELECT id FROM made WHERE name = 'keeps') AS of_keeps, c.reason,
	c.author = current_user AS own,
	c.config ->> 'cache_ttl_s' AS ttl, c.config_id = 'cfg_' || substr(answer_digest(c.config), 8, 16)
	AND c.digest = answer_digest(c.config) AS named, answer_verify_ok(answer_receipt(c.receipt_id)) AS signed
FROM answer.config c JOIN made m ON m.id = c.config_id ORDER BY m.name COLLATE "C";
SELECT count(*) FROM answer.config WHERE seed AND config_id = answer_config_create(answer_config(), 'what ships');
SELECT answer_config_create('{"nope": 1}', 'x');
SELECT answer_config_create('{"top_k": 51}', 'x');
SELECT answer_config_create('[]', 'x');
SELECT answer_config_create(NULL, 'x');
SELECT answer_config_create('{}', NULL);
SELECT answer_config_create('{}', '');
SELECT answer_config_create('{}', 'x', 'cfg_0000000000000000');
SELECT answer_config_create('{}', repeat('x', 1001));

-- terms
SELECT answer_suite_load('gate_config', '[
	{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "half", "query": "Which fee is due for puppets?", "expected_outcome": "ABSTAIN", "risk_level": "high"},
	{"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER",
		"risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z",
		"text": "The puppet workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z",
		"text": "Workshop: puppet makers open at nine."}]',
	'2026-01-02T00:00:00Z') ->> 'version' AS suite;
SELECT answer_environment_set('gate_config',
	options => '{"suite": "gate_config", "rules": {"min_cases": 3}, "shadow_samples": 2, "canary_samples": 2, '
	'"canary_percent": 100, "most_different_percent": 100}', reason => 'a place for a test')
	- 'receipt_id' - 'active' AS made;
SELECT revision, suite, rules, shadow_samples, canary_samples, canary_share, most_different_percent
FROM answer.environment WHERE name = 'gate_config';
SELECT answer_environment_set(NULL);
SELECT answer_environment_set('Prod');
SELECT answer_environment_set('gate_config', options => '{"rules": {"nope": 1}}');
SELECT answer_environment_set('gate_config', options => '{"canary_percent": 101}');
SELECT answer_environment_set('gate_config', options => '{"shadow_samples": -1}');
SELECT answer_environment_set('gate_config', options => '{"suite": ""}');
SELECT answer_environment_set('gate_config', options => '{"suite": "gate_config_unknown"}');
SELECT answer_environment_set('gate_config', tenant => 'nobody');
SELECT answer_environment_set('gate_config', tenant => NULL);

-- promotion: one stage at a time, by samples and the gate
CREATE FUNCTION promote(wanted text, stage text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
	SELECT p - '{receipt_id,active,gate,shadow,canary,config}'::text[]
	FROM answer_config_promote('gate_config', (SELECT id FROM gate_config.made WHERE name = wanted), stage) AS p $$;
CREATE FUNCTION stands() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', (SELECT 'active ' || coalesce((SELECT m.name FROM gate_config.made m WHERE m.id = e.active
		AND m.name <> 'again'), 'shipped')),
		(SELECT 'shadow ' || m.name FROM gate_config.made m WHERE m.id = e.shadow AND m.name <> 'again'),
		(SELECT 'canary ' || m.name FROM gate_config.made m WHERE m.id = e.canary AND m.name <> 'again'),
		'behind it', cardinality(e.history))
	FROM answer.environment e WHERE e.name = 'gate_config' AND e.tenant = '' $$;
SELECT promote('keeps', 'active');
SELECT promote('keeps', 'nowhere');
SELECT answer_config_promote('none', (SELECT id FROM made WHERE name = 'keeps'));
SELECT answer_config_promote('gate_config', 'cfg_0000000000000000');
SELECT answer_config_promote('gate_config', NULL);
SELECT promote('lax') AS fails;
SELECT stands();
SELECT promote('keeps', 'shadow');
SELECT stands();
SELECT promote('lax');
SELECT promote('keeps') AS too_few;
SET answer_eval.environment = 'gate_config';
SELECT answer_grounded(q) ->> 'decision' AS decision, answer_config() ->> 'cache_ttl_s' AS ttl
FROM unnest('{Who is there?,who IS there?,Where is everybody?}'::text[]) AS q;
-- an answer that had a configuration of its own is none
SELECT answer_grounded('What else?', '{"config": {"top_k": 3}}') ->> 'decision' AS decision;
SELECT count(*) FROM answer.config_sample WHERE environment = 'gate_config';
SELECT promote('keeps', 'canary');
SELECT stands();
SELECT promote('keeps', 'active');
SELECT answer_grounded(q) #>> '{config,cache_ttl_s}' AS ttl
	FROM unnest('{Who is there?,Where is everybody?}'::text[]) AS q;
SELECT promote('keeps', 'active');
SELECT stands(), answer_config() ->> 'cache_ttl_s' AS ttl;
SELECT promote('keeps');
RESET answer_eval.environment;

-- rollback: the candidate first, then further back each time
SELECT answer_environment_set('gate_config',
	options => '{"shadow_samples": 0, "canary_samples": 0}') ->> 'action' AS action;
SELECT promote('longer') ->> 'moved' AS shadow, promote('longer') ->> 'moved' AS canary,
	promote('longer') ->> 'moved' AS active;
SELECT stands();
SELECT promote('keeps') ->> 'stage' AS stage;
SELECT answer_config_rollback('gate_config', 'the candidate') ->> 'action' AS action, stands();
SELECT stands();
SELECT answer_config_rollback('gate_config', 'one') ->> 'action' AS action;
SELECT stands();
SELECT answer_config_rollback('gate_config', 'two') ->> 'action' AS action;
SELECT stands();
SELECT answer_config_rollback('gate_config', 'three');
SELECT answer_config_rollback('gate_config', NULL);
SELECT answer_config_rollback('gate_config', '');
SELECT answer_config_rollback('none', 'x');
SELECT answer_config_rollback('staging', 'nothing was ever moved');
-- after a rollback, what comes next stands before what is left of the history
SELECT promote('longer') ->> 'moved' AS shadow, promote('longer') ->> 'moved' AS canary,
	promote('longer') ->> 'moved' AS active;
SELECT stands();

-- the history: signed, in its order, and made again from what the records hold
SELECT s.revision, s.action, m.name, s.stage, s.outcome, s.failures, s.samples ->> 'counted' AS samples, s.reason,
	answer_verify_ok(d.r) AS verifies, answer_replay(d.r) AS replay
FROM answer.config_step s LEFT JOIN made m ON m.id = s.config_id AND m.name <> 'again',
	LATERAL (SELECT answer_receipt(s.receipt_id) AS r OFFSET 0) AS d
WHERE s.environment = 'gate_config' ORDER BY s.revision;
-- signed by the same key, a record says what its parts do not: the replay tells
SELECT answer_replay(jsonb_set(r, path, value)) AS replay
FROM answer.config_step s, answer_receipt(s.receipt_id) AS r, (VALUES
	('{after,active}'::text[], '"cfg_0000000000000000"'::jsonb), ('{step,outcome}', '"fail"'), ('{action}',
		'"rollback"'),
	('{step,gate,outcome}', '"fail"'), ('{step,gate,runs,candidate,outcomes}', '[]'),
	('{step,gate,runs,candidate,summary,metrics,overall_pass_rate,n}', '0'), ('{step,samples,required}', '1'),
	('{step,stage}', '"active"'), ('{configs}', '{}'), ('{step,from,suite}', '"other"'),
		('{step,gate,rules,min_cases}', '0')
	) AS v (path, value)
WHERE s.environment = 'gate_config' AND s.revision = 3;
-- judges that could not judge: a misspelled name is told, not refused, for a judge may come later
\set VERBOSITY terse
SELECT answer_judge_register('gate_config.reads', '{"kinds": ["entailment"], "model": "people", "version": "1",
	"role": "pg_monitor"}');
SELECT answer_config_create('{"judge_entailment": ["gate_config.reads", "gate_config.raeds"], "judge_answers":
	"gate_config.reads"}', 'judged') IS NOT NULL AS made;
SELECT answer_config_create('{"judge_entailment": "gate_config.reads"}', 'judged') IS NOT NULL AS made;
SELECT answer_judge_remove('gate_config.reads');
\set VERBOSITY default
DROP SCHEMA gate_config CASCADE;
