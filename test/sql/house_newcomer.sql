-- What trips a new user: taken names, results without a value, plain questions, settings, NULLs, unknown names.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY default
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';

-- A name that is taken: nothing is lost without a word.
CREATE FUNCTION newcomer_answer(jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT ''{"n": 1}''::jsonb';
SELECT answer_source_register('newcomer', 'group', licence => 'CC0');
SELECT answer_source_register('newcomer', url => 'https://new.example/');
SELECT answer_source_register('newcomer', 'group', licence => 'CC0') AS the_same_again;
SELECT answer_tool_register('newcomer', 'newcomer_answer(jsonb)',
	options => '{"optional_args": ["a"], "source": "newcomer"}', value_path => 'n');
SELECT answer_tool_register('newcomer', value_path => 'n', options => '{"unit": "bolts"}');
SELECT answer_tool_register('newcomer', 'newcomer_answer(jsonb)',
	options => '{"optional_args": ["a"], "source": "newcomer"}', value_path => 'n') AS the_same_again;
SELECT tool, handler, optional_args, value_path, unit, source FROM answer.tool WHERE tool = 'newcomer';
SELECT source, independence_group, url, licence FROM answer.source WHERE source = 'newcomer';
SELECT answer_tool_register('newcomer', required_args => '{item}', value_path => 'n',
	options => '{"unit": "bolts"}', replace => true);
SELECT answer_tool_register('postgres_server', replace => true);
SELECT answer_source_register('postgresql', replace => true);
SELECT tool, handler, required_args, optional_args, value_path, unit, source FROM answer.tool WHERE tool = 'newcomer';
SELECT kind, name, revision, action FROM answer.change WHERE name = 'newcomer' ORDER BY kind, revision;

-- A result in which the tool finds no value.
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '{"pieces": 3, "N": 4}', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '{}', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '[1, 2]', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '3', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '{"n": null}', 'newcomer',
	'2026-01-01Z') IS NOT NULL AS null_is_a_value;
SELECT count(*) AS readings FROM answer.evidence WHERE tool = 'newcomer';

-- What is wrong, what was seen, and what is allowed.
SELECT answer_evidence_add('newcomer', '{"itm": "bolt"}', '{"n": 3}', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt", "colour": "red"}', '{"n": 3}', 'newcomer');
SELECT answer_evidence_add('newcomer', '"bolt"', '{"n": 3}', 'newcomer');
SELECT answer_evidence_add('newcomer', '{"item": "bolt"}', '{"n": 3}', 'newcommer');
SELECT answer_evidence_add('postgres_server', '{}', '1', 'newcomer');
SELECT answer_tool_register('newcomer_month', freshness => '1 month');
SELECT answer_eval('{"checks": [{"tool": "postgres_server", "expects": []}]}');
SELECT answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "gte"}}]}');
SELECT answer_grounded('tea', '{"min_chunks": 1}');
-- the planner may know that there is no document to search
VACUUM ANALYZE answer.chunk, answer.chunk_search, answer.document;
SELECT answer_grounded('tea', '{"filter": {"since": "yesterday"}}');
SELECT answer_decision_rule_register('units', 'furlong', '{"units": "furlong"}');
SELECT answer_decision_rule_register('ambiguity', 'Which one?', '{"holds": "which"}');
SELECT answer_tenant_create('a b');

SELECT answer_tool_register('newcomer', required_args => '{item}', value_path => 'n',
	options => '{"value_optional": true}',
	replace => true);
SELECT answer_evidence_add('newcomer', '{"item": "nut"}', '{"pieces": 3}', 'newcomer',
	'2026-01-01Z') IS NOT NULL AS optional;
SELECT path, answer.path_value('{"a": [{"b": null}, 2], "0": 1}', path) AS value
FROM unnest(ARRAY['a', 'a.0', 'a.0.b', 'a.1', 'a.2', 'a.-1', 'a.b', '0', 'A', 'a.0.b.c']) AS path;
SELECT answer.path_value('[]', 'a..b');

-- Removing: what others still name stays; a record says what went, and readings wait for their tool.
SELECT answer_tool_register('by_newcomer', 'newcomer_answer(jsonb)', options => '{"source": "newcomer"}');
SELECT answer_route_register('newcomer', 'newcomer {item}', 'interrogative', 'newcomer', '{"item": "{item}"}',
	examples => '{newcomer bolt}');
SELECT answer_tool_remove('newcomer');
SELECT answer_source_remove('newcomer');
SELECT answer_tool_remove('postgres_server');
SELECT answer_source_remove('postgresql');
SELECT answer_tool_remove('nothing');
SELECT answer_source_remove('nothing');
SELECT answer_ask('newcomer bolt') ->> 'receipt_id' AS receipt \gset
SELECT answer_route_remove('newcomer'), answer_tool_remove('newcomer'), answer_tool_remove('by_newcomer'),
	answer_source_remove('newcomer');
SELECT kind, name, revision, action FROM answer.change WHERE name IN ('newcomer', 'by_newcomer') AND action = 'remove'
	ORDER BY 1, 2;
SELECT f -> 'ok' AS verified, r -> 'ok' AS replayed FROM answer_verify(answer_receipt(:'receipt')) AS f,
	answer_replay(answer_receipt(:'receipt')) AS r;
SELECT a.finding, a.detail FROM answer_log_audit() AS a WHERE a.detail LIKE '%newcomer%';
SELECT answer_fact('newcomer', '{"item": "bolt"}');
SELECT answer_tool_register('newcomer', required_args => '{item}', value_path => 'n',
	options => '{"value_optional": true}');
SELECT answer_fact('newcomer', '{"item": "bolt"}') IS NULL AS without_its_source;
SELECT answer_source_register('newcomer');
SELECT answer_fact('newcomer', '{"item": "bolt"}') #>> '{provenance,source}' AS with_its_source;

-- Plain questions about the server.  None of them changes what another route answers.
SELECT q, route, r ->> 'verdict' IN ('supported', 'contradicted', 'evidenced') AS answered,
	(SELECT string_agg(concat_ws(' ', c ->> 'tool', c -> 'args'), ', ')
	FROM jsonb_array_elements(r -> 'checks') AS c) AS asked
FROM unnest(ARRAY['Is fsync on?', 'Is full_page_writes enabled?', 'Is archive_mode off?', 'what is MAX_CONNECTIONS',
	'Show work_mem.', 'What is the port?', 'What is datestyle?',
	'Is plpgsql installed?', 'How big is this database?', 'What version of Postgres is this?']) AS q,
	answer_ask(q) AS r, LATERAL (SELECT r #>> '{route,route_id}') AS x (route);
SELECT answer_route_audit() AS audit;
-- minor releases and distributions add a setting now and then; the routes with the word "setting" take those
SELECT count(*) <= 5 AS nearly_all_names_are_known FROM pg_settings s
WHERE s.name NOT LIKE '%.%' AND s.name NOT LIKE 'trace\_lo%' AND NOT (SELECT r.lists -> 'name' ? s.name
	FROM answer.route r WHERE r.route_id = 'postgres.setting.named');
SELECT name AS switch_that_is_none FROM pg_settings s WHERE vartype <> 'bool' AND NOT (vartype = 'enum'
	AND '{on,off}' <@ enumvals)
	AND (SELECT r.lists -> 'name' ? s.name FROM answer.route r WHERE r.route_id = 'postgres.setting.named.on');
-- What is no setting is refused, and the refusal names what is closest.
SELECT q, r ->> 'verdict' AS verdict, c -> 'route_id' AS route, c -> 'example' AS example
FROM unnest(ARRAY['What is love?', 'is FSYNC really on?', 'how large is this   DATABASE in megabytes',
	'xyzzy']) WITH ORDINALITY AS x (q, n), answer_ask(q) AS r
LEFT JOIN LATERAL jsonb_array_elements(r #> '{coverage,closest}') WITH ORDINALITY AS y (c, m) ON true ORDER BY n, m;
SELECT answer_summary(answer_ask('how large is this database in megabytes'));
SELECT answer_verify(r) -> 'ok' AS verified, answer_replay(r) -> 'ok' AS replayed,
	answer.route_replay(r) -> 'ok' AS routed_again FROM answer_ask('What is love?') AS r;

-- One list that cannot be read does not keep the others from being refreshed.
CREATE TABLE colour (name text);
CREATE TABLE shape (name text);
INSERT INTO colour VALUES ('red');
INSERT INTO shape VALUES ('round');
SELECT answer_route_register('shape', 'a {item:list} thing', 'interrogative', 'newcomer', '{"item": "{item}"}',
	examples => '{a round thing}', options => '{"lists": {"item": {"table": "public.shape", "column": "name"}}}');
SELECT answer_route_register('colour', 'the {item:list} one', 'interrogative', 'newcomer', '{"item": "{item}"}',
	examples => '{the red one}', options => '{"lists": {"item": {"table": "public.colour", "column": "name"}}}');
INSERT INTO colour VALUES ('blue');
DROP TABLE shape;
SELECT answer_route_refresh() AS changed;
SELECT route_id, list_values FROM answer.route WHERE list_values IS NOT NULL ORDER BY route_id;
SELECT answer_route_refresh('shape');
BEGIN;
SET LOCAL statement_timeout = '200ms';
CREATE VIEW shape AS SELECT 'round' AS name FROM pg_sleep(60);
-- a cancel is no matter of one route
SELECT answer_route_refresh();
ROLLBACK;
SELECT answer_route_remove('shape'), answer_route_remove('colour');
DROP TABLE colour;

-- Settings in a session that has called nothing yet.
\c -
\set VERBOSITY terse
SHOW answer_eval.issuer;
SELECT name, value, unit FROM answer_settings() WHERE name <> 'answer_eval.key_directory';
SHOW answer_eval.issuer;
SELECT s.name AS without_description FROM answer_settings() AS s
	WHERE s.description IS NULL OR length(s.description) < 20;
CREATE ROLE newcomer;
SET ROLE newcomer;
SELECT name FROM answer_settings();
RESET ROLE;
DROP ROLE newcomer;

SELECT answer_log_seal() IS NOT NULL AS sealed;

-- Every function with NULL for every argument, undone: NULL, 22004, or what its comment says that NULL means.
CREATE FUNCTION undone(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RAISE EXCEPTION USING errcode = 'UNDON', message = coalesce(CASE WHEN result = '' THEN 'empty' ELSE left(result,
	60) END, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN CASE sqlstate WHEN 'UNDON' THEN sqlerrm ELSE sqlstate || ': ' || left(sqlerrm, 70) END;
END
$$;
CREATE VIEW called AS SELECT p.oid, p.oid::regprocedure::text AS signature, p.proisstrict AS strict,
	format('%s(%s)', p.oid::regproc, (SELECT string_agg(
	CASE WHEN p.provariadic <> 0 AND n = p.pronargs THEN 'VARIADIC ' ELSE '' END || 'NULL::'
	|| format_type(t, NULL), ', ' ORDER BY n)
	FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a (t, n))) AS call
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
WHERE e.extname = 'answer_eval' AND p.prokind = 'f' AND p.pronargs > 0 AND p.prorettype <> 'trigger'::regtype
	AND NOT 'internal'::regtype::oid = ANY (p.proargtypes::oid[])
	-- what it finds depends on what others have left
	AND p.proname <> 'answer_log_audit';
SELECT signature AS strict_and_not_null, undone('SELECT ' || call) AS result FROM called WHERE strict
	AND undone('SELECT ' || call) NOT IN ('NULL') ORDER BY signature COLLATE "C";
SET client_min_messages = error;
SELECT signature AS null_means_something, CASE WHEN result ~ '^[0-9A-Z]{5}: ' THEN result ELSE 'a value' END AS result
	FROM called, LATERAL (SELECT undone('SELECT ' || call)) AS u (result)
WHERE NOT strict AND result <> 'NULL' AND result NOT LIKE '22004: %' ORDER BY signature COLLATE "C";
SET client_min_messages = warning;

-- Names and ids that nothing has: P0002 where it must exist, NULL from a look-up.
SELECT call, undone('SELECT ' || call) AS result FROM unnest(ARRAY[
	$$answer_receipt('ans_0000000000000000')$$, $$answer_receipt('x')$$, $$answer_dsse('ans_0000000000000000')$$,
	$$answer_log_inclusion('ans_0000000000000000')$$,
	$$answer_checkpoint(999999999)$$, $$answer_anchor_request('ans_0000000000000000')$$,
	$$answer_anchor_attach('ans_0000000000000000', '')$$,
	$$answer_forget('ans_0000000000000000', 'x')$$, $$answer_key_retire('x')$$, $$answer_key_compromise('x')$$,
	$$answer_key_compromise('x', NULL)$$,
	$$answer_fact('nothing')$$, $$answer_evidence_add('nothing', '{}', '1', 'newcomer')$$,
	$$answer_evidence_add('newcomer', '{"item": "x"}', '{"n": 1}', 'nobody')$$,
	$$answer_tool_register('x', options => '{"source": "nobody"}')$$, $$answer_tool_remove('nothing')$$,
	$$answer_source_remove('nobody')$$,
	$$answer_route_register('x', 'x', 'interrogative', 'nothing', examples => '{x}')$$,
	$$answer_route_refresh('nothing')$$, $$answer_route_enable('nothing')$$,
	$$answer_route_remove('nothing')$$, $$answer_route_audit('nothing')$$, $$answer_quality(-1)$$, $$answer_gap(-1)$$,
	$$answer_complete(-1)$$,
	$$answer_investigation_record(-1, 'grep', '', '', '{}')$$, $$answer_investigation_close(-1)$$,
	$$answer_quality_receipt(-1)$$, $$answer_investigation_open('nothing', '')$$,
	$$answer_investigation_record(answer_investigation_open('Chat', 'newcomer'), 'nothing', '', '', '{}')$$,
	$$answer.grade('nothing', '{}')$$, $$answer_quality_grader_register('x', 'nothing', NULL)$$,
	$$answer_quality_authority_register('nothing', '{}')$$,
	$$answer_quality_compatibility_register('nothing', 'Build')$$,
	$$answer_quality_intent_register('x', '{"nothing": "Weak"}')$$, $$answer_change_record('nothing', 'x')$$]) AS call;

-- Labels of our enums are lower_snake_case, but for words that go out in documents.
SELECT t.typname AS type, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) AS labels FROM pg_enum e
	JOIN pg_type t ON t.oid = e.enumtypid
JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
	WHERE e.enumlabel !~ '^[a-z][a-z0-9_]*$' GROUP BY t.typname ORDER BY 1;

-- A gateway that takes one function a name, and what is in our schema, finds nothing that only our own functions call.
SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE obj_description(p.oid, 'pg_proc') LIKE '%not for direct use%' AND n.nspname <> 'answer'
AND EXISTS (SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval'
	WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e');

-- What a user calls is little enough to be read, and no call has more arguments than one can keep in mind.
SELECT count(*) <= 170 AS few_functions, count(*) FILTER (WHERE p.pronargs > 8) AS with_many_arguments
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval' AND e.extnamespace = p.pronamespace;
-- Functions of schema answer have at most 8 arguments, too. One compares a row exactly, and so takes its columns.
SELECT p.proname AS with_many_arguments FROM pg_proc p
WHERE p.pronamespace = 'answer'::regnamespace AND p.pronargs > 8 ORDER BY p.proname;
SELECT count(*) <= 80 AS few_views FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind = 'v';

DROP VIEW called;
DROP FUNCTION undone;
SELECT answer_tool_remove('newcomer'), answer_source_remove('newcomer');
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
DROP FUNCTION newcomer_answer;
