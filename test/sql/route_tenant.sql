-- Routes of tenants: who has which, what their questions come to, and that nothing of one comes out to another.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
-- There is no way back from the first tenant, so this file has a database of its own.
SELECT current_database() AS regression \gset
CREATE DATABASE regress_route_tenant TEMPLATE template0;
\c regress_route_tenant
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
SET timezone = 'UTC';
CREATE EXTENSION answer_eval;
CREATE ROLE regress_red;
CREATE ROLE regress_red_more;
CREATE ROLE regress_blue;
CREATE ROLE regress_pool;
CREATE ROLE regress_watch;
CREATE ROLE regress_none;
SELECT answer_source_register('gauge');
SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days');
SELECT answer_route_register('tide', 'how high is the tide in {port}', 'interrogative', 'tide', '{"port": "{port}"}',
	examples => '{How high is the tide in Ystad?}', options => '{"place": 10}');
-- a receipt from before there are tenants, and its table
CREATE TABLE kept (key text PRIMARY KEY, value jsonb);
GRANT ALL ON kept TO PUBLIC;
INSERT INTO kept SELECT 'before', answer_ask('How high is the tide in Ystad?');
SELECT answer_tenant_create('red'), answer_tenant_create('blue');
SELECT answer_tenant_grant('red', r) FROM unnest('{regress_red,regress_red_more,regress_pool}'::text[]) AS r;
SELECT answer_tenant_grant('blue', r) FROM unnest('{regress_blue,regress_pool}'::text[]) AS r;
SELECT answer_tenant_grant('*', 'regress_watch');
GRANT USAGE ON SCHEMA answer TO regress_red, regress_red_more, regress_blue, regress_pool, regress_watch, regress_none;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer
TO regress_red, regress_red_more, regress_blue, regress_pool, regress_watch, regress_none;
GRANT SELECT ON answer.tenant_route, answer.tenant_route_table, answer.tenant_tool, answer.tenant_receipt,
	answer.tenant_evidence, answer.signing_key
TO regress_red, regress_red_more, regress_blue, regress_pool, regress_watch, regress_none;

CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	message text;
	detail text;
	hint text;
	state text;
BEGIN
	EXECUTE statement INTO result;
	RETURN COALESCE(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', state, message, NULLIF(detail, ''), NULLIF(hint, ''));
END
$$;
CREATE FUNCTION compiled(question text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', c #>> '{route,route_id}', c #>> '{route,reason}', c #> '{checks,0,tool}')
	FROM answer.route_compile(question) AS c $$;
CREATE FUNCTION routes() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(r ->> 'route_id', ' ') FROM jsonb_array_elements(answer_coverage() -> 'routes') AS r
	WHERE r ->> 'route_id' NOT LIKE 'postgres.%' AND r ->> 'route_id' NOT LIKE 'answer.%'
		AND r ->> 'route_id' NOT LIKE 'quality.%' $$;

/* a tenant's own */

SELECT answer_route_table() AS before \gset
SET ROLE regress_red;
SELECT answer_tool_register('pump', required_args => '{deck}', value_path => 'bar', freshness => '36500 days');
SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative', 'pump',
	'{"deck": "{deck}"}',
	examples => '{What is the pressure on deck 3?}', options => '{"description": "Of RED."}');
-- it may name a shared tool, too
SELECT answer_route_register('tide.high', 'is the tide in {port} high', 'declarative', 'tide', '{"port": "{port}"}',
	'{"op": "gte", "value": 5}', '{Is the tide in Ystad high?}');
SELECT answer_evidence_add('pump', '{"deck": 3}', '{"bar": 7}', 'gauge', '2026-01-01Z') IS NOT NULL AS added;
INSERT INTO kept SELECT 'red', answer_ask('What is the pressure on deck 3?');
SELECT value ->> 'tenant' AS tenant, value #>> '{route,route_id}' AS route, value ->> 'verdict' AS verdict,
	value #> '{checks,0,observed}' AS observed, answer_verify(value) -> 'ok' AS verified,
		answer_replay(value) -> 'ok' AS replays,
	answer_replay(value) #> '{routing,route_table}' AS by, answer.route_replay(value) AS routing FROM kept
		WHERE key = 'red';
SELECT routes(), (SELECT string_agg(r.route_id, ' ' ORDER BY r.route_id) FROM answer.tenant_route r WHERE NOT r.seed)
	AS listed;
SELECT tenant, count(*) FROM answer.tenant_route GROUP BY tenant ORDER BY tenant;
SELECT tenant, sha256 = (SELECT value #>> '{route,router_sha256}' FROM kept WHERE key = 'red') AS routed_red
FROM answer.tenant_route_table ORDER BY tenant;
-- the digest in the receipt is that of the table that it is told of
SELECT 'sha256:' || (SELECT value #>> '{route,router_sha256}' FROM kept
	WHERE key = 'red') = answer_digest(answer_route_table()) AS same,
	answer_coverage() ->> 'router_sha256' = (SELECT value #>> '{route,router_sha256}' FROM kept WHERE key = 'red')
		AS covered,
	answer_route_audit() AS audit;
SET ROLE regress_blue;
SELECT routes(), compiled('What is the pressure on deck 3?') AS compiled,
	answer_route_table() -> 'routes' <@ (:'before'::jsonb -> 'routes') AS shared_ones;
INSERT INTO kept SELECT 'blue', answer_ask('What is the pressure on deck 3?');
SELECT value ->> 'verdict' AS verdict, value::text ~* 'pump|of red|pressure on deck \{' AS tells,
	value #> '{coverage,closest}' AS closest
FROM kept WHERE key = 'blue';
INSERT INTO kept SELECT 'blue.tide', answer_ask('How high is the tide in Ystad?');
SELECT answer_replay(value) #>> '{routing,route_table}' AS by FROM kept WHERE key = 'blue.tide';
-- what comes with the extension answers the operator alone, and no tenant is told of it
SELECT compiled('Is the setting fsync on?') AS compiled, compiled('How many rows are in the table answer.tombstone?')
	AS rows_of_a_table, a #> '{coverage,closest}' AS closest,
	a -> 'coverage' -> 'routes' @? '$[*] ? (@.route_id starts with "postgres.")' AS covers,
	answer_coverage() -> 'routes' @? '$[*] ? (@.route_id starts with "postgres.")' AS coverage,
	answer_route_explain('Is the setting fsync on?')::text ~ 'postgres\.' AS explained
FROM answer_ask('How many rows are in the table answer.tombstone?') AS a;
SELECT outcome('SET answer_eval.tenant_builtin_routes = on') AS may_not_allow_it;
RESET ROLE;
-- unless a superuser allows it; a receipt replays by what routed it, whatever is set
SET answer_eval.tenant_builtin_routes = on;
SET ROLE regress_blue;
SELECT compiled('Is the setting fsync on?') AS compiled;
INSERT INTO kept SELECT 'blue.allowed', answer_ask('Is the setting fsync on?');
SELECT answer_replay(value) -> 'ok' AS replays, answer.route_replay(value) -> 'ok' AS routes_again,
	'sha256:' || (value #>> '{route,router_sha256}') = answer_digest(answer_route_table()) AS digest
FROM kept WHERE key = 'blue.allowed';
RESET ROLE;
SET answer_eval.tenant_builtin_routes = off;
SELECT compiled('Is the setting fsync on?') AS of_the_operator;
SET ROLE regress_blue;
SELECT compiled('Is the setting fsync on?') AS compiled;
SELECT answer_replay(value) -> 'ok' AS replays, answer.route_replay(value) -> 'ok' AS routes_again,
	'sha256:' || (value #>> '{route,router_sha256}') = answer_digest(answer_route_table()) AS digest
FROM kept WHERE key = 'blue.allowed';
-- the same id for two, of one question
SELECT answer_tool_register('pump', required_args => '{deck}');
SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative', 'pump',
	'{"deck": "{deck}"}',
	examples => '{What is the pressure on deck 3?}', options => '{"place": 20}');
SELECT value #>> '{checks,0,verdict}' AS no_reading_here FROM answer_ask('What is the pressure on deck 3?') AS value;
RESET ROLE;
SELECT routes() AS of_the_operator, compiled('What is the pressure on deck 3?') AS compiled,
	answer_route_table() = :'before' AS unchanged;
SELECT string_agg(concat_ws(':', tenant, route_id, position, registered_by), ' ' ORDER BY tenant,
	route_id) AS rows FROM answer.route WHERE NOT seed;
SELECT kind, name, revision, action, tenant FROM answer.change WHERE kind = 'route' AND tenant <> '' ORDER BY tenant,
	name;
-- a session of several, by turns, with the plans and tables of the first
SET ROLE regress_pool;
SET answer_eval.tenant = 'red';
SELECT compiled('Is the tide in Ystad high?') AS red;
SET answer_eval.tenant = 'blue';
SELECT compiled('Is the tide in Ystad high?') AS blue;
SET answer_eval.tenant = 'red';
SELECT compiled('Is the tide in Ystad high?') AS red;
RESET answer_eval.tenant;
SELECT compiled('Is the tide in Ystad high?') AS without_one, outcome('SELECT answer_ask(''x'')') AS asks;
SET ROLE regress_watch;
SELECT routes(), compiled('Is the tide in Ystad high?') AS compiled;
-- an auditor reads all, and replays all
SELECT key, answer_replay(value) #>> '{routing,route_table}' AS by FROM kept ORDER BY key;
SELECT tenant, count(*) FROM answer.tenant_route WHERE NOT seed GROUP BY tenant ORDER BY tenant;
RESET ROLE;

/* what is refused, and that it tells nothing */

SET ROLE regress_red;
SELECT statement, outcome(CASE statement WHEN 'record()' THEN 'SELECT answer.route_' ELSE 'SELECT answer_route_' END
	|| statement) FROM unnest(ARRAY[
	$$register('tide', 'x', 'interrogative', 'pump', '{"deck": 1}', examples => '{x}')$$,
	$$register('tide', 'x', 'interrogative', 'pump', '{"deck": 1}', examples => '{x}',
		options => '{"replace": true}')$$,
	$$register('postgres.version', 'x', 'interrogative', 'pump', '{"deck": 1}', examples => '{x}')$$,
	$$register('x', 'how high is the tide in {port}', 'interrogative', 'tide', '{"port": "{port}"}',
		examples => '{How high is the tide in Ystad?}', options => '{"place": 1}')$$,
	$$register('x', 'how high is the tide in {port}', 'interrogative', 'tide', '{"port": "{port}"}',
		examples => '{How high is the tide in Ystad?}')$$,
	$$register('x', 'x', 'interrogative', 'nobodys', examples => '{x}')$$,
	$$register('x', 'x', 'interrogative', 'tide', '{"port": 1}', examples => '{x}', options => '{"place": 10}')$$,
	$$register('y', 'y', 'interrogative', 'tide', '{"port": 1}', examples => '{y}', options => '{"place": 10}')$$,
	$$remove('x')$$, $$enable('tide', false)$$, $$enable('postgres.version', false)$$, $$remove('tide')$$,
		$$remove('postgres.version')$$,
	$$refresh('tide')$$, $$refresh('nothing')$$, $$audit('nothing')$$, $$record()$$,
		$$remove(NULL)$$]) WITH ORDINALITY AS s (statement, n) ORDER BY n;
SELECT outcome('SELECT answer_tool_remove(''pump'')') AS tool;
RESET ROLE;
-- the shared tool that a tenant's route asks is not removed, and the operator is told where the route is
SELECT answer_route_remove('tide');
SELECT outcome('SELECT answer_tool_remove(''tide'')') AS tool;
SELECT answer_route_register('tide', 'how high is the tide in {port}', 'interrogative', 'tide', '{"port": "{port}"}',
	examples => '{How high is the tide in Ystad?}', options => '{"place": 10}');
-- who is of no tenant, of several, an auditor, or the operator with a tenant set
SET ROLE regress_none;
SELECT outcome($$SELECT answer_route_register('n', 'n', 'interrogative', 'tide', '{"port": 1}', examples => '{n}')$$),
	compiled('How high is the tide in Ystad?'),
		outcome('SELECT answer.route_replay(value) FROM kept WHERE key = ''before''') AS replay;
SET ROLE regress_pool;
SELECT outcome($$SELECT answer_route_register('n', 'n', 'interrogative', 'tide', '{"port": 1}', examples => '{n}')$$),
	outcome('SELECT answer_route_refresh()') AS refresh;
SET ROLE regress_watch;
SELECT outcome($$SELECT answer_route_register('n', 'n', 'interrogative', 'tide', '{"port": 1}', examples => '{n}')$$),
	outcome('SELECT answer_route_remove(''pump'')') AS remove;
RESET ROLE;
SET answer_eval.tenant = 'red';
SELECT outcome($$SELECT answer_route_register('n', 'n', 'interrogative', 'tide', '{"port": 1}', examples => '{n}')$$),
	compiled('Is the tide in Ystad high?');
SELECT answer_route_enable('tide.high', false);
SELECT compiled('Is the tide in Ystad high?') AS disabled;
RESET answer_eval.tenant;
SELECT outcome('SELECT answer_route_enable(''tide.high'')') AS of_a_tenant_without_it_set;
SET ROLE regress_red;
SELECT answer_route_enable('tide.high');
SELECT compiled('Is the tide in Ystad high?') AS enabled;

/* registering again loses nothing without a word */

SELECT outcome($$SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative',
	'pump',
	'{"deck": "{deck}"}', examples => '{What is the pressure on deck 3?}')$$) AS without_its_description;
SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative', 'pump',
	'{"deck": "{deck}"}',
	examples => '{What is the pressure on deck 3?}', options => '{"description": "Of RED."}');
SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative', 'pump',
	'{"deck": "{deck}"}',
	examples => '{What is the pressure on deck 3?}', options => '{"description": "Still of RED.", "replace": true}');
SELECT route_id, position, description FROM answer.tenant_route WHERE route_id = 'pump';
RESET ROLE;

/* positions are each tenant's own: of one, the shared route is tried first */

SELECT answer_route_register('one', 'say {a:words}', 'interrogative', 'tide', '{"port": "{a}"}',
	examples => '{say a}', options => '{"place": 500}');
SET ROLE regress_blue;
SELECT answer_route_register('two', 'say {a:words} please', 'interrogative', 'tide', '{"port": "{a}"}',
	examples => '{say a please}', options => '{"place": 499}');
SELECT compiled('say a') AS shared, compiled('say a please') AS own;
SELECT outcome($$SELECT answer_route_register('two', 'say {a:words} please', 'interrogative', 'tide', '{"port": "{a}"}',
	examples => '{say a please}', options => '{"place": 500, "replace": true}')$$) AS behind_the_shared_one;
SELECT compiled('say a please') AS as_before;
RESET ROLE;
-- the operator's edits do not look at tenants' routes: should a shared one come to have the id of an own one, it counts
SELECT answer_route_register('pump', 'how is the pump', 'interrogative', 'tide', '{"port": "pump"}',
	examples => '{How is the pump?}', options => '{"place": 30}');
SET ROLE regress_red;
SELECT compiled('What is the pressure on deck 3?') AS hidden, compiled('How is the pump?') AS shared;
SELECT answer_route_remove('pump');
SELECT outcome('SELECT answer_route_remove(''pump'')') AS the_shared_one_stays;
RESET ROLE;
SELECT answer_route_remove('pump'), answer_route_remove('one');
SET ROLE regress_red;
SELECT answer_route_register('pump', 'what is the pressure on deck {deck:integer}', 'interrogative', 'pump',
	'{"deck": "{deck}"}',
	examples => '{What is the pressure on deck 3?}', options => '{"description": "Of RED."}');
RESET ROLE;

/* lists are read as the role that registers, for the tenant */

CREATE SCHEMA red AUTHORIZATION regress_red;
CREATE TABLE secret (word text);
INSERT INTO secret VALUES ('operators');
SET ROLE regress_red;
CREATE TABLE red.deck (name text);
INSERT INTO red.deck VALUES ('upper'), ('lower');
-- what a view runs
CREATE FUNCTION red.seen(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	-- which cannot choose another
	BEGIN
		PERFORM set_config('answer_eval.tenant', 'blue', false);
	EXCEPTION WHEN insufficient_privilege THEN
		NULL;
	END;
	RETURN concat_ws(' ', name, current_user, current_setting('answer_eval.tenant'), public.answer_tenant());
END
$$;
CREATE VIEW red.decks AS SELECT red.seen(name) AS name FROM red.deck;
SELECT outcome($$SELECT answer_route_register('deck', 'which {d:list}', 'interrogative', 'pump', '{"deck": "{d}"}',
	examples => '{which x}', options => '{"lists": {"d": {"table": "public.secret", '
		'"column": "word"}}}')$$) AS of_others;
SELECT outcome($$SELECT answer_route_register('deck', 'which {d:list}', 'interrogative', 'pump', '{"deck": "{d}"}',
	examples => '{which x}', options => '{"lists": {"d": {"table": "answer.receipt", '
		'"column": "receipt_id"}}}')$$) AS of_ours;
SELECT answer_route_register('deck', 'which {d:list}', 'interrogative', 'pump', '{"deck": "{d}"}',
	examples => '{which upper regress_red red red}',
		options => '{"lists": {"d": {"table": "red.decks", "column": "name"}}}');
SELECT list_values, list_owners, registered_by FROM answer.tenant_route WHERE route_id = 'deck';
INSERT INTO red.deck VALUES ('middle');
-- another role of the tenant has not that role's rights
SET ROLE regress_red_more;
SELECT outcome('SELECT answer_route_refresh(''deck'')') AS refreshed;
SET ROLE regress_blue;
SELECT outcome('SELECT answer_route_refresh(''deck'')') AS refreshed, answer_route_refresh() AS of_mine;
RESET ROLE;
-- the operator refreshes what is shared; of a tenant, once that is set, still with the rights of that role
SELECT answer_route_refresh() AS shared;
SET answer_eval.tenant = 'red';
SELECT answer_route_refresh('deck') AS refreshed;
RESET answer_eval.tenant;
SET ROLE regress_red;
SELECT list_values -> 'd' ? 'middle regress_red red red' AS read FROM answer.tenant_route WHERE route_id = 'deck';
SELECT answer_route_refresh() AS again;
RESET ROLE;
-- the role has lost the tenant
SELECT answer_tenant_revoke('red', 'regress_red');
INSERT INTO red.deck VALUES ('another');
SET answer_eval.tenant = 'red';
SELECT outcome('SELECT answer_route_refresh(''deck'')') AS refreshed;
RESET answer_eval.tenant;
SELECT answer_tenant_grant('red', 'regress_red');

/* the attack: ids and digests of red's, tried by blue */

SET ROLE regress_red;
INSERT INTO kept SELECT 'deck', answer_ask('which upper regress_red red red');
SET ROLE regress_blue;
SELECT key, answer_replay(value) -> 'routing' AS routing, answer.route_replay(value) AS replay FROM kept
	WHERE key IN ('red', 'deck') ORDER BY key;
SELECT count(*) AS others FROM answer.tenant_route WHERE tenant NOT IN ('', 'blue');
SELECT count(*) AS others FROM answer.tenant_route_table WHERE tenant NOT IN ('', 'blue');
SELECT count(*) AS tells FROM unnest(ARRAY[answer_coverage(), answer_route_table(), answer_route_audit(),
	answer_route_explain('which upper'),
	answer_route_explain('What is the pressure on deck 3?'), answer_ask('which upper') -> 'coverage']) AS a
		WHERE a::text ~* 'regress_red|of red|"deck"\]?\}?, "route_id": "deck';
SELECT outcome('SELECT answer_route_audit(''deck'')') AS by_id, outcome('SELECT answer_route_audit(''never'')')
	AS never;
SELECT outcome('SELECT answer_route_explain(''which upper'') #>> ''{sentences,0,nearest}''') AS nearest;
SELECT statement, outcome('SELECT answer.' || statement) FROM unnest(ARRAY[
	$$route_findings('red', 'deck')$$, $$route_accept('red', 'deck')$$, $$route_require('red', 'deck')$$,
		$$route_lock('red')$$,
	$$route_remove_put('red', 'deck')$$, $$route_enable_put('red', 'deck', false)$$,
	$$route_fill('regress_red', 'red', 'deck', NULL, NULL)$$]) AS statement;
SELECT relname, outcome(format('SELECT count(*) FROM answer.%I',
	relname)) FROM unnest('{route,route_state,route_table}'::text[]) AS relname;
RESET ROLE;
-- the second wall, where somebody granted the tables all the same
GRANT SELECT, INSERT, UPDATE, DELETE ON answer.route, answer.route_table, answer.route_state TO regress_blue;
SET ROLE regress_blue;
SELECT DISTINCT tenant FROM answer.route ORDER BY 1;
SELECT DISTINCT tenant FROM answer.route_table ORDER BY 1;
SELECT DISTINCT tenant FROM answer.route_state ORDER BY 1;
SELECT outcome($$UPDATE answer.route SET description = 'mine' WHERE tenant <> 'blue' RETURNING route_id$$) AS updated,
	outcome($$DELETE FROM answer.route WHERE tenant <> 'blue' RETURNING route_id$$) AS deleted,
	outcome($$INSERT INTO answer.route (tenant, route_id, position, pattern, kind, tool, examples)
	VALUES ('red', 'mine', 7, 'a', 'interrogative', 'tide', '{a}')$$) AS for_another,
	outcome($$INSERT INTO answer.route (route_id, position, pattern, kind, tool, examples)
	VALUES ('mine', 7, 'a', 'interrogative', 'tide', '{a}')$$) AS for_all;
RESET ROLE;
REVOKE ALL ON answer.route, answer.route_table, answer.route_state FROM regress_blue;

/* a broken route of one tenant is nobody else's, and each edit is noticed by those whom it concerns */

SELECT token AS shared FROM answer.route_state WHERE tenant = '' \gset
SELECT token AS blue FROM answer.route_state WHERE tenant = 'blue' \gset
INSERT INTO answer.route (tenant, route_id, position, pattern, kind, tool, examples) VALUES ('red', 'broken', 1, '(',
	'interrogative', 'tide', '{x}');
SET ROLE regress_red;
SELECT outcome('SELECT compiled(''say a please'')') AS red;
SET ROLE regress_blue;
SELECT compiled('say a please') AS blue;
RESET ROLE;
DELETE FROM answer.route WHERE route_id = 'broken';
SELECT count(*) AS unchanged FROM answer.route_state WHERE token IN (:'shared', :'blue');
UPDATE answer.route SET description = 'by hand' WHERE tenant <> '';
SELECT string_agg(tenant, ',' ORDER BY tenant) AS changed FROM answer.route_state WHERE token NOT IN (:'shared',
	:'blue');
SELECT finding, detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten') ORDER BY detail COLLATE "C";
SELECT answer.route_record() AS recorded;
SELECT finding, detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten') ORDER BY detail COLLATE "C";
-- tokens that a restore without triggers has left out: the table is read, and not kept
DELETE FROM answer.route_state WHERE tenant = 'red';
SET ROLE regress_red;
SELECT compiled('Is the tide in Ystad high?') AS read;
RESET ROLE;
-- TRUNCATE renews every token
SELECT token AS blue FROM answer.route_state WHERE tenant = 'blue' \gset
BEGIN;
TRUNCATE answer.route;
SELECT count(*) AS kept FROM answer.route_state WHERE token = :'blue';
ROLLBACK;
-- a receipt whose table is gone
BEGIN;
ALTER TABLE answer.route_table DISABLE TRIGGER route_table_append_only;
UPDATE answer.route_table SET tenant = 'blue' WHERE tenant = 'red';
ALTER TABLE answer.route_table ENABLE TRIGGER route_table_append_only;
SELECT finding, left(detail, 70) AS detail FROM answer_log_audit() WHERE detail ~ 'route table'
	ORDER BY detail COLLATE "C" LIMIT 1;
ROLLBACK;

/* grants and tenants leave signed records */

CREATE FUNCTION granted(relation text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('GRANT SELECT ON %s TO regress_reader', relation::regclass);
	PERFORM answer_tenant_grant('blue', 'regress_reader');
	RAISE EXCEPTION 'granted';
END
$$;

SELECT name, revision, action, after FROM answer.change WHERE kind = 'tenant' ORDER BY name, revision;
SELECT answer_tenant_grant('red', 'regress_red');
SELECT count(*) AS granted_again_says_nothing FROM answer.change WHERE kind = 'tenant' AND name = 'red'
	AND revision > 6;
SELECT answer_tenant_revoke('*', 'regress_watch');
SELECT name, action, after FROM answer.change WHERE kind = 'tenant' AND name = '*' ORDER BY revision DESC LIMIT 1;
SELECT bool_and((answer_verify(r.body) -> 'ok')::boolean AND (answer_replay(r.body) -> 'ok')::boolean)
	AS verify_and_replay
FROM answer.receipt r WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'tenant';
-- what has the ids of all receipts, or counts them, is not for a tenant's role
CREATE ROLE regress_reader;
CREATE TABLE answer_archive.receipt_of_old (body jsonb);
GRANT USAGE ON SCHEMA answer_archive TO PUBLIC;
SELECT relation, outcome(format('SELECT granted(%L)', relation))
FROM unnest(ARRAY['answer.retention', 'answer.log_leaf', 'answer.unsealed', 'answer.change',
	'answer_archive.receipt_of_old', 'answer.log_tile']) AS relation;
DROP TABLE answer_archive.receipt_of_old;
DROP ROLE regress_reader;
INSERT INTO answer.tenant_role (tenant, role) VALUES ('blue', 'regress_none');
SELECT finding, detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten') ORDER BY detail COLLATE "C";
SELECT answer_change_record('tenant', 'blue') AS recorded;
SELECT finding, detail FROM answer_log_audit() WHERE finding NOT IN ('forgotten') ORDER BY detail COLLATE "C";
SET ROLE regress_blue;
SELECT count(*) AS to_a_tenant FROM answer.tenant_receipt WHERE body ->> 'kind' = 'tenant';
RESET ROLE;

/* what a tenant is told of receipts that were detached: whom to ask */

SELECT answer_receipt_partition(now() - interval '1 hour', now() + interval '1 day') AS partition \gset
SET ROLE regress_red;
SELECT answer_ask('What is the pressure on deck 3?') ->> 'verdict' AS verdict;
RESET ROLE;
SELECT answer_log_seal() ->> 'tree_size' IS NOT NULL AS sealed;
SELECT answer_receipt_detach(:'partition') ->> 'schema' AS detached;
\set VERBOSITY default
SET client_min_messages = warning;
SET ROLE regress_red;
SELECT jsonb_array_length(answer_forget(digest, 'no longer') -> 'readings') AS readings FROM answer.tenant_evidence;
RESET ROLE;
\set VERBOSITY terse

\c :regression
SET client_min_messages = error;
DROP DATABASE regress_route_tenant WITH (FORCE);
DROP ROLE regress_red, regress_red_more, regress_blue, regress_pool, regress_watch, regress_none;
