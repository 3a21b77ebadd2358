-- Names that are stored and used later: with the rights of who stored them, and only for what they meant then.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';

CREATE ROLE names_admin;
CREATE ROLE names_other;
CREATE ROLE names_asker;
CREATE ROLE names_wrapper;
CREATE ROLE names_deputy IN ROLE names_admin;
CREATE SCHEMA names_own AUTHORIZATION names_admin;
CREATE SCHEMA names_place;
GRANT USAGE, CREATE ON SCHEMA names_place TO names_admin, names_other, names_wrapper;
GRANT USAGE ON SCHEMA names_own, names_place, answer TO names_asker;
GRANT EXECUTE ON FUNCTION answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb),
	answer_quality_grader_register, answer_quality_class_register,
	answer_route_register, answer_route_refresh TO names_admin, names_other, names_wrapper;
GRANT EXECUTE ON FUNCTION answer_route_refresh TO names_asker, names_deputy;
GRANT EXECUTE ON FUNCTION answer_eval, answer_fact, answer.grade TO names_asker;
SELECT answer_source_register('names'), answer_tool_register('named', required_args => '{a}'),
	answer_quality_class_register('Named');
CREATE FUNCTION listed(name text) RETURNS text LANGUAGE sql AS $$
	SELECT r.list_values::text FROM answer.route AS r WHERE r.route_id = name
$$;
CREATE FUNCTION list_of(place text, col text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('p', jsonb_build_object('table', place, 'column', col))
$$;

-- An administrator of routes does not become a superuser by having one refresh them.
SET ROLE names_admin;
CREATE FUNCTION names_own.climb() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'ALTER ROLE names_admin SUPERUSER';
	RETURN 'climbed';
EXCEPTION WHEN insufficient_privilege THEN
	RETURN 'stayed';
END
$$;
CREATE VIEW names_own.words AS SELECT names_own.climb() AS word UNION ALL SELECT 'bolt';
GRANT SELECT ON names_own.words TO names_other;
SELECT answer_route_register('climb', 'climb {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{climb bolt}', options => jsonb_build_object('lists', list_of('names_own.words', 'word')));
RESET ROLE;
SELECT attempt('SELECT answer_route_refresh()') IS NOT NULL AS by_a_superuser;
SELECT rolsuper FROM pg_roles WHERE rolname = 'names_admin';
SELECT listed('climb') AS listed, registered_by, list_owners FROM answer.route WHERE route_id = 'climb';
-- nor where a superuser registers a route that reads the administrator's view
SELECT attempt($$SELECT answer_route_register('climb', 'climb {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{climb bolt}', options => jsonb_build_object('lists', list_of('names_own.words',
		'word')))$$) AS registered;
SELECT rolsuper FROM pg_roles WHERE rolname = 'names_admin';
SELECT attempt('SELECT answer_route_refresh()') AS refreshed;
SELECT rolsuper FROM pg_roles WHERE rolname = 'names_admin';
ALTER ROLE names_admin NOSUPERUSER;
-- nor with a policy, or a cast that an enum brings along
SET ROLE names_admin;
CREATE TABLE names_own.guarded (word text);
INSERT INTO names_own.guarded VALUES ('bolt');
ALTER TABLE names_own.guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY climbing ON names_own.guarded USING (names_own.climb() IS NOT NULL);
CREATE TYPE names_own.colour AS ENUM ('bolt', 'red');
CREATE FUNCTION names_own.paint(names_own.colour) RETURNS text LANGUAGE sql AS $$ SELECT names_own.climb() $$;
CREATE CAST (names_own.colour AS text) WITH FUNCTION names_own.paint(names_own.colour);
CREATE TABLE names_own.painted (word names_own.colour);
INSERT INTO names_own.painted VALUES ('bolt'), ('red');
SELECT answer_route_register('climb', 'climb {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{climb bolt}', options => jsonb_build_object('lists', list_of('names_own.guarded', 'word'),
		'replace', true));
SELECT answer_route_register('paint', 'paint {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{paint bolt}', options => jsonb_build_object('lists', list_of('names_own.painted', 'word')));
RESET ROLE;
SELECT attempt('SELECT answer_route_refresh()') IS NOT NULL AS by_a_superuser;
SELECT listed('climb') AS guarded, listed('paint') AS painted,
	(SELECT rolsuper FROM pg_roles WHERE rolname = 'names_admin');
ALTER ROLE names_admin NOSUPERUSER;

-- What is read runs restricted, as what REFRESH MATERIALIZED VIEW reads does.
CREATE FUNCTION names_own.escape() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	tried text;
	said text := '';
BEGIN
	FOREACH tried IN ARRAY ARRAY['SET LOCAL ROLE names_other', 'SET LOCAL SESSION AUTHORIZATION names_other',
		'RESET ROLE', 'CREATE TEMP TABLE left_behind ()', 'DECLARE c CURSOR WITH HOLD FOR SELECT 1'] LOOP
		said := said || public.state_of(tried) || ' ';
	END LOOP;
	RETURN said || current_user || ' ' || current_setting('search_path');
END
$$;
CREATE VIEW names_own.escaping AS SELECT names_own.escape() AS word UNION ALL SELECT 'bolt';
ALTER VIEW names_own.escaping OWNER TO names_admin;
SET ROLE names_admin;
SELECT answer_route_register('escape', 'escape {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{escape bolt}', options => jsonb_build_object('lists', list_of('names_own.escaping', 'word')));
RESET ROLE;
SELECT listed('escape') AS by_its_owner;
SELECT answer_route_refresh('escape') AS changed, listed('escape') AS by_a_superuser;
SELECT current_user = session_user AS same_user, current_setting('search_path') AS search_path;
SELECT answer_route_remove(r) FROM unnest('{climb,paint,escape}'::text[]) AS r;

-- Who may not read a table does not have its values copied, by nobody.
CREATE TABLE names_place.secret (word text);
INSERT INTO names_place.secret VALUES ('swordfish');
REVOKE ALL ON names_place.secret FROM PUBLIC;
SET ROLE names_admin;
CREATE VIEW names_own.peep WITH (security_invoker) AS SELECT word FROM names_place.secret UNION ALL SELECT 'bolt';
SELECT state_of(format($$SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
			examples => '{peep bolt}', options => jsonb_build_object('lists', list_of(%L, 'word')))$$, t)) AS state,
			t AS "table"
FROM unnest('{names_place.secret,names_own.peep}'::text[]) AS t;
-- first a harmless view, then another one in its place
CREATE OR REPLACE VIEW names_own.peep WITH (security_invoker) AS SELECT 'bolt'::text AS word;
SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{peep bolt}', options => jsonb_build_object('lists', list_of('names_own.peep', 'word')));
CREATE OR REPLACE VIEW names_own.peep WITH (security_invoker) AS SELECT word
FROM names_place.secret UNION ALL SELECT 'bolt';
RESET ROLE;
SELECT state_of($$SELECT answer_route_refresh('peep')$$) AS by_a_superuser, listed('peep') AS listed;
-- a superuser who registers such a view has it read as its owner
SELECT state_of($$SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
		examples => '{peep bolt}', options => jsonb_build_object('lists', list_of('names_own.peep',
			'word')))$$) AS registered_by_a_superuser,
	listed('peep') AS listed;
-- the function that writes is nobody's to call with values of his own
SET ROLE names_admin;
SELECT p.oid::regprocedure::text AS refused, has_function_privilege(p.oid, 'EXECUTE') AS may, p.prosecdef AS definer
FROM pg_proc p WHERE p.proname IN ('route_put', 'route_fill', 'tool_put', 'quality_grader_put') ORDER BY p.proname;
-- and a right that was lost is lost
RESET ROLE;
CREATE TABLE names_place.lent (word text);
INSERT INTO names_place.lent VALUES ('bolt');
GRANT SELECT ON names_place.lent TO names_admin;
SET ROLE names_admin;
SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{peep bolt}', options => jsonb_build_object('lists', list_of('names_place.lent', 'word'), 'replace',
		true));
RESET ROLE;
INSERT INTO names_place.lent VALUES ('nut');
SELECT answer_route_refresh() AS changed, listed('peep');
REVOKE SELECT ON names_place.lent FROM names_admin;
INSERT INTO names_place.lent VALUES ('screw');
SELECT state_of($$SELECT answer_route_refresh('peep')$$) AS revoked, listed('peep');
GRANT SELECT ON names_place.lent TO names_admin;

-- Who has not the rights of who registered may not refresh.
SET ROLE names_other;
SELECT attempt('SELECT answer_route_refresh()') AS all_of_them, attempt($$SELECT answer_route_refresh('peep')$$) AS one;
SET ROLE names_asker;
SELECT state_of('SELECT answer_route_refresh()') AS asker;
SET ROLE names_deputy;
SELECT answer_route_refresh('peep') AS changed_by_a_member;
RESET ROLE;
SELECT listed('peep');

-- A wrapper registers as its owner.
SET ROLE names_wrapper;
CREATE FUNCTION names_place.register() RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
	SELECT public.answer_route_register('wrapped', 'wrapped {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
		examples => '{wrapped bolt}', options => '{"lists": {"p": {"table": "names_place.lent", "column": "word"}}}')
$$;
SET ROLE names_admin;
SELECT state_of('SELECT names_place.register()') AS its_owner_may_not_read;
RESET ROLE;
GRANT SELECT ON names_place.lent TO names_wrapper;
SET ROLE names_admin;
SELECT names_place.register();
RESET ROLE;
SELECT route_id, registered_by, list_owners ->> 'p' = current_user AS of_my_tables
FROM answer.route WHERE route_id IN ('peep', 'wrapped') ORDER BY route_id;
SELECT answer_route_remove('wrapped');
DROP FUNCTION names_place.register;

-- A table that somebody else has made since is not what was registered.
SET ROLE names_admin;
CREATE TABLE names_place.borrowed (word text);
INSERT INTO names_place.borrowed VALUES ('bolt');
SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
	examples => '{peep bolt}', options => jsonb_build_object('lists', list_of('names_place.borrowed', 'word'),
		'replace', true));
DROP TABLE names_place.borrowed;
SELECT attempt($$SELECT answer_route_refresh('peep')$$) AS gone;
RESET ROLE;
SET ROLE names_other;
CREATE FUNCTION names_place.steal() RETURNS text LANGUAGE sql AS $$ SELECT 'stolen as ' || current_user $$;
CREATE VIEW names_place.borrowed AS SELECT names_place.steal() AS word UNION ALL SELECT 'bolt';
GRANT SELECT ON names_place.borrowed TO PUBLIC;
RESET ROLE;
SELECT attempt($$SELECT answer_route_refresh('peep')$$) AS by_another_owner, listed('peep') AS listed;
SET ROLE names_admin;
SELECT attempt($$SELECT answer_route_refresh('peep')$$) AS by_who_registered;
RESET ROLE;
DROP VIEW names_place.borrowed;
-- its owner may make it anew
SET ROLE names_admin;
CREATE TABLE names_place.borrowed (word text);
INSERT INTO names_place.borrowed VALUES ('bolt'), ('bow');
SELECT answer_route_refresh() AS changed;
RESET ROLE;
SELECT listed('peep');
-- temporary tables are another in each session
CREATE TEMP TABLE fleeting (word text);
INSERT INTO fleeting VALUES ('bolt');
SELECT attempt(format($$SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
		examples => '{peep bolt}', options => jsonb_build_object('lists', list_of(%L, 'word')))$$, t)) AS temporary
FROM unnest('{pg_temp.fleeting,fleeting}'::text[]) AS t;
SELECT state_of(format($$SELECT answer_route_register('peep', 'peep {p:list}', 'interrogative', 'named', '{"a": "{p}"}',
		examples => '{peep bolt}', options => jsonb_build_object('lists', list_of(%L, 'word')))$$,
	(SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'fleeting') || '.fleeting')) AS temporary;
DROP TABLE fleeting;
-- a role that is gone, or that has another name, registered nothing
ALTER ROLE names_admin RENAME TO names_renamed;
SELECT attempt($$SELECT answer_route_refresh('peep')$$) AS renamed;
ALTER ROLE names_renamed RENAME TO names_admin;
-- edited by hand: nobody registered that
UPDATE answer.route SET registered_by = NULL WHERE route_id = 'peep';
SELECT attempt($$SELECT answer_route_refresh('peep')$$) AS by_hand;
SELECT answer_route_remove('peep');

-- A handler: the function that was registered, or none.
CREATE SCHEMA names_gone AUTHORIZATION names_admin;
SET ROLE names_admin;
CREATE FUNCTION names_gone.tell(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '"what was registered"'::jsonb $$;
CREATE FUNCTION names_gone.judge(observation jsonb) RETURNS public.answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
	$$
	SELECT (NULL, 'Weak', 'Low', 'what was registered')::public.answer_graded
$$;
GRANT USAGE ON SCHEMA names_gone TO PUBLIC;
SELECT answer_tool_register('teller', 'names_gone.tell(jsonb)', value_path => 'x'),
	answer_quality_grader_register('judged', 'Named', 'names_gone.judge(jsonb)');
RESET ROLE;
SELECT tool, handler, handler_owner, registered_by FROM answer.tool WHERE tool = 'teller';
SELECT tool, grader, grader_owner, registered_by FROM answer.quality_tool WHERE tool = 'judged';
CREATE FUNCTION told(tool text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', c ->> 'verdict', c #>> '{explain,sqlstate}', c #>> '{explain,message}',
		(SELECT string_agg(e.value ->> 'raw', ',') FROM jsonb_each(r -> 'evidence_index') AS e))
	FROM answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', tool)))) AS r,
		jsonb_array_elements(r -> 'checks') AS c
$$;
SET ROLE names_asker;
SELECT told('teller'), attempt($$SELECT answer.grade('judged', '{}')$$) AS graded;
-- its owner replaces it
SET ROLE names_admin;
CREATE OR REPLACE FUNCTION names_gone.tell(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '"replaced"'::jsonb $$;
SET ROLE names_asker;
SELECT told('teller');
-- dropped, its schema made again by another role, who waits for somebody to ask
SET ROLE names_admin;
DROP FUNCTION names_gone.tell, names_gone.judge;
RESET ROLE;
DROP SCHEMA names_gone;
SET ROLE names_asker;
SELECT told('teller'), attempt($$SELECT answer.grade('judged', '{}')$$) AS graded;
RESET ROLE;
CREATE SCHEMA names_gone AUTHORIZATION names_other;
GRANT USAGE ON SCHEMA names_gone TO PUBLIC;
SET ROLE names_other;
CREATE FUNCTION names_gone.tell(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	ALTER ROLE names_other SUPERUSER;
	RETURN '"stolen"';
END $$;
CREATE FUNCTION names_gone.judge(observation jsonb) RETURNS public.answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
	$$
	SELECT (NULL, 'Strong', 'High', 'stolen')::public.answer_graded
$$;
RESET ROLE;
SELECT told('teller'), attempt($$SELECT answer.grade('judged', '{}')$$) AS graded,
	attempt($$SELECT answer_fact('teller')$$) AS fact;
SELECT rolsuper FROM pg_roles WHERE rolname = 'names_other';
ALTER ROLE names_other NOSUPERUSER;
-- a grader of a tool of facts, likewise: the fact has no quality that nobody gave
SELECT answer_tool_register('judged') AS registered;
SELECT answer_evidence_add('judged', '{}', '{"x": 1}', 'names', '2026-01-01Z') IS NOT NULL AS added;
SELECT answer_fact('judged') ->> 'quality' AS quality;
-- registered again it is another's on purpose
SELECT answer_tool_register('teller', 'names_gone.tell(jsonb)', value_path => 'x');
SELECT handler_owner, registered_by = current_user AS by_me FROM answer.tool WHERE tool = 'teller';
DROP FUNCTION names_gone.tell;
-- a function that is given to another role is another's
CREATE FUNCTION names_gone.tell(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT answer_tool_register('teller', 'names_gone.tell(jsonb)', value_path => 'x');
ALTER FUNCTION names_gone.tell OWNER TO names_other;
SELECT told('teller') AS given_away;
-- another type, a set, a procedure, other overloads, a temporary function
DROP FUNCTION names_gone.tell;
CREATE FUNCTION names_gone.tell(args jsonb) RETURNS text LANGUAGE sql AS $$ SELECT '1' $$;
SELECT told('teller') AS another_type;
DROP FUNCTION names_gone.tell;
CREATE FUNCTION names_gone.tell(args jsonb) RETURNS SETOF jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT told('teller') AS a_set;
DROP FUNCTION names_gone.tell;
CREATE PROCEDURE names_gone.tell(args jsonb) LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT told('teller') AS a_procedure;
DROP PROCEDURE names_gone.tell;
CREATE FUNCTION names_gone.tell(args anyelement) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
CREATE FUNCTION names_gone.tell(args json) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT told('teller') AS an_overload;
DROP FUNCTION names_gone.tell(anyelement), names_gone.tell(json);
UPDATE answer.tool SET handler = 'pg_temp.tell' WHERE tool = 'teller';
CREATE FUNCTION pg_temp.tell(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT told('teller') AS temporary;
-- what stands there is a name, and never a piece of SQL
UPDATE answer.tool SET handler = '$$1$$::jsonb AS x, public.now' WHERE tool = 'teller';
SELECT told('teller') AS a_piece_of_sql;
UPDATE answer.tool SET handler = 'tell' WHERE tool = 'teller';
SELECT told('teller') AS without_a_schema;
SELECT state_of($$INSERT INTO answer.tool (tool, handler) VALUES ('by hand', 'public.tell')$$) AS without_an_owner;
DROP FUNCTION pg_temp.tell;

-- A handler that changes who it is changes nothing of what follows.
CREATE FUNCTION names_gone.become(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'how';
	IF args ? 'fail' THEN
		RAISE EXCEPTION 'failed';
	END IF;
	RETURN to_jsonb(current_user || ' ' || session_user);
END $$;
CREATE FUNCTION names_gone.who(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT to_jsonb(current_user || ' ' || session_user)
$$;
SELECT answer_tool_register('become', 'names_gone.become(jsonb)', required_args => '{how}',
	options => '{"optional_args": ["fail"]}'),
	answer_tool_register('who', 'names_gone.who(jsonb)', options => '{"optional_args": ["n"]}');
GRANT EXECUTE ON FUNCTION answer_eval TO names_admin;
CREATE FUNCTION became(how text, fail boolean) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(coalesce(replace(c ->> 'observed', (SELECT session_user::text), 'session_user'),
			c #>> '{explain,sqlstate}'), ' then ' ORDER BY i)
	FROM answer_eval(jsonb_build_object('checks',
			jsonb_build_array(jsonb_build_object('tool', 'who', 'observe', true),
				jsonb_build_object('tool', 'become', 'observe', true, 'args',
					jsonb_build_object('how', how) || CASE WHEN fail THEN '{"fail": true}' ELSE '{}' END::jsonb),
				jsonb_build_object('tool', 'who', 'observe', true, 'args', '{"n": 1}'::jsonb)))) AS r,
		jsonb_array_elements(r -> 'checks') WITH ORDINALITY AS x (c, i)
$$;
GRANT EXECUTE ON FUNCTION answer_eval TO names_deputy;
GRANT USAGE ON SCHEMA names_gone TO names_deputy;
SET ROLE names_deputy;
SELECT how, became(how, false) AS returned, became(how, true) AS failed, current_user AS now
FROM unnest(ARRAY['SET ROLE names_admin', 'SET LOCAL ROLE names_admin', 'SET ROLE NONE', 'RESET ROLE']) AS how;
SELECT how, became(how, false) AS returned FROM unnest(ARRAY['SET SESSION AUTHORIZATION names_other']) AS how;
RESET ROLE;
RESET SESSION AUTHORIZATION;

DELETE FROM answer.route WHERE NOT seed;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DELETE FROM answer.quality_tool WHERE NOT seed;
DELETE FROM answer.quality_class WHERE NOT seed;
DELETE FROM answer.quality_compatibility WHERE NOT seed;
DROP FUNCTION listed, list_of, told, became;
DROP SCHEMA names_own, names_place, names_gone CASCADE;
DROP OWNED BY names_admin, names_other, names_asker, names_wrapper, names_deputy;
DROP ROLE names_admin, names_other, names_asker, names_wrapper, names_deputy;
