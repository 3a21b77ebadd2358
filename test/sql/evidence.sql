-- Sources, tools, readings, and the facts they become: doc/spec/answer-eval.md §7.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET intervalstyle = postgres;

-- fact-conf/1.  Each row: signals (f: fresh, s: signed, p: source present, c: corroborated, x: conflict), a basis, and
-- the score by hand.
CREATE FUNCTION verification_of(signals text, basis text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('basis', basis, 'signals',
		jsonb_build_object('fresh', strpos(signals, 'f') > 0, 'signed', strpos(signals, 's') > 0,
		'source_present', strpos(signals, 'p') > 0, 'corroborated', strpos(signals, 'c') > 0, 'conflict',
		strpos(signals, 'x') > 0))
$$;
SELECT signals, basis, answer.fact_confidence(verification_of(signals, basis)) AS confidence,
	answer.fact_confidence(verification_of(signals, basis)) = want AS ok
FROM (VALUES ('', 'live-source', 0), ('p', 'live-source', 0.3), ('s', 'live-source', 0.2), ('f', 'live-source', 0.3),
	('c', 'live-source', 0.15), ('x', 'live-source', 0),
	('ps', 'live-source', 0.5), ('pf', 'live-source', 0.6), ('pc', 'live-source', 0.45), ('sf', 'live-source', 0.5),
	('fc', 'live-source', 0.45), ('psf', 'live-source', 0.8), ('pfc', 'live-source', 0.75),
	('psfc', 'live-source', 0.95),
	('psfcx', 'live-source', 0.4), ('psx', 'live-source', 0.4), ('px', 'live-source', 0.3),
	('psfc', 'forecast', 0.7), ('psfc', 'computed', 0.7), ('pf', 'computed', 0.6), ('psfc', 'inferred', 0.5),
	('ps', 'inferred', 0.5), ('psfx', 'inferred', 0.4), ('p', 'forecast', 0.3),
	('psfc', 'partner-attested', 0.95), ('psfc', 'vendor-doc', 0.95), ('psfc', 'producer-reported', 0.95),
	('psfc', 'Inferred', 0.95), ('psfc', '', 0.95), ('psfc', NULL, 0.95)) AS v (signals, basis, want);
-- what is missing is false; what is not boolean is an error
SELECT verification, attempt(format('SELECT answer.fact_confidence(%L)', verification)) AS confidence
FROM (VALUES (NULL), ('{}'), ('{"signals": {}}'), ('{"signals": {"fresh": true}}'),
	('{"signals": {"fresh": true, "other": 1}, "confidence": 1}'), ('{"signals": {"fresh": 1}}'),
	('{"signals": {"signed": null}}'), ('{"signals": {"source_present": "true"}}'),
	('{"signals": {"corroborated": []}}'), ('{"signals": {"conflict": {}}}'), ('{"signals": []}'),
	('{"signals": null}'), ('{"basis": 1, "signals": {"fresh": true}}'), ('[]'), ('null'), ('1'),
	('""')) AS v (verification);
DROP FUNCTION verification_of;

-- Sources.
SELECT answer_source_register('Alpha', url => 'https://alpha.example', licence => 'CC0', description => 'first');
SELECT answer_source_register('Beta');
SELECT answer_source_register('Twin 1', 'twins');
SELECT answer_source_register('Twin 2', 'twins');
SELECT answer_source_register('twins', '');
SELECT answer_source_register('Beta', url => 'https://beta.example', replace => true);
SELECT source, independence_group, url, licence, description, seed FROM answer.source ORDER BY source COLLATE "C";
SELECT attempt('SELECT answer_source_register(NULL)') AS no_name,
	attempt('SELECT answer_source_register('''')') AS empty_name,
	attempt('SELECT answer_source_register(''postgresql'', ''mine'')') AS built_in;

-- Tools.  The registration checks what it can.
SET client_min_messages = warning;
CREATE SCHEMA "hand lers";
CREATE FUNCTION "hand lers"."An Answer"(jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION "hand lers".returns_text(jsonb) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
CREATE FUNCTION "hand lers".takes_text(text) RETURNS jsonb LANGUAGE sql AS 'SELECT NULL::jsonb';
CREATE FUNCTION "hand lers".takes_two(jsonb, jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS 'SELECT NULL::jsonb';
CREATE FUNCTION "hand lers".takes_none() RETURNS jsonb LANGUAGE sql AS 'SELECT NULL::jsonb';
CREATE FUNCTION "hand lers".returns_set(jsonb) RETURNS SETOF jsonb LANGUAGE sql AS 'SELECT NULL::jsonb';
CREATE PROCEDURE "hand lers".is_procedure(jsonb) LANGUAGE sql AS 'SELECT 1';
CREATE AGGREGATE "hand lers".is_aggregate(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb);
CREATE FUNCTION pg_temp.is_temporary(jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT $1 $$;
SELECT arguments, attempt('SELECT answer_tool_register(' || arguments || ')') AS error
FROM (VALUES ($$NULL$$), ($$''$$), ($$'postgres_server'$$), ($$'t', '"hand lers".returns_text(jsonb)'$$),
	($$'t', '"hand lers".takes_text(text)'$$), ($$'t', '"hand lers".takes_two(jsonb, jsonb)'$$),
	($$'t', '"hand lers".takes_none()'$$), ($$'t', '"hand lers".returns_set(jsonb)'$$),
	($$'t', '"hand lers".is_procedure(jsonb)'$$), ($$'t', '"hand lers".is_aggregate(jsonb)'$$),
	($$'t', value_path => ''$$), ($$'t', value_path => 'a..b'$$), ($$'t', options => '{"entity_path": "."}'$$),
	($$'t', options => '{"timestamp_path": "a."}'$$), ($$'t', options => '{"source_path": "1.2.3.4.5.6.7.8.9"}'$$),
	($$'t', freshness => '1 month'$$), ($$'t', freshness => '1 year'$$), ($$'t', freshness => '-1 second'$$),
	($$'t', options => '{"source": "Nobody"}'$$), ($$'t', options => '{"basis": "guess"}'$$), ($$'t',
		options => '{"basis": null}'$$),
	($$'t', options => '{"basis": ""}'$$)) AS v (arguments);
-- a temporary function's name is the next session's to take, and an argument without a name could never be given, and
-- would make an error of every check that names the tool
SELECT arguments, state_of('SELECT answer_tool_register(' || arguments || ')') AS state
FROM (VALUES ($$'t', 'pg_temp.is_temporary(jsonb)'$$), ($$'t', required_args => ARRAY[NULL]$$),
	($$'t', options => '{"optional_args": ["a", null]}'$$)) AS v (arguments);
\set VERBOSITY sqlstate
SELECT answer_tool_register('t', 'no_such_function(jsonb)');
SELECT answer_tool_register('t', 'answer.tool_server');
\set VERBOSITY terse
SELECT count(*) AS none_of_them FROM answer.tool WHERE NOT seed;
SELECT answer_tool_register('count', required_args => '{of}',
	options => '{"optional_args": ["in"], "unit": "things", "entity_path": "of", "category": "test", "country": "NL", '
	'"description": "A number of things.", "value_optional": true}', freshness => '1 day',
	value_path => 'n');
SELECT answer_tool_register('Quoted "Tool" é', '"hand lers"."An Answer"(jsonb)',
	options => '{"optional_args": ["a"], "source": "Alpha"}');
SELECT answer_tool_register('scalar', options => '{"optional_args": ["k"]}');
SELECT answer_tool_register('forecast', options => '{"optional_args": ["k"], "basis": "forecast"}',
	freshness => '1 hour', value_path => 'n');
SELECT answer_tool_register('inferred', options => '{"optional_args": ["k"], "basis": "inferred"}',
	freshness => '1 hour', value_path => 'n');
SELECT answer_tool_register('told', options => '{"optional_args": ["k"], "timestamp_path": "at", '
	'"source_path": "by.name", "description": "first", "value_optional": true}', freshness => '1 hour',
	value_path => 'v', required_args => NULL);
SELECT answer_tool_register('told', options => '{"optional_args": ["k"], "timestamp_path": "at", '
	'"source_path": "by.name", "description": "second", "value_optional": true}', freshness => '1 hour',
	value_path => 'v', replace => true);
SELECT tool, handler, required_args, optional_args, freshness, value_path, timestamp_path, source_path, source, basis,
	description
FROM answer.tool WHERE NOT seed ORDER BY tool COLLATE "C";

-- A registration as one document. The first two repeat registrations from above, so they change nothing.
SELECT answer_tool_register('{"name": "count", "required_args": ["of"], "optional_args": ["in"], "unit": "things",
	"entity_path": "of", "category": "test", "country": "NL", "description": "A number of things.", "spec": null,
	"value_optional": true, "freshness": "1 day", "value_path": "n"}'::jsonb),
	answer_tool_register('{"name": "Quoted \"Tool\" é", "handler": "\"hand lers\".\"An Answer\"(jsonb)",
		"optional_args": ["a"], "source": "Alpha"}'::jsonb),
	answer_tool_register('{"name": "Quoted \"Tool\" é", "handler": "\"hand lers\".\"An Answer\"",
		"optional_args": ["a"], "source": "Alpha", "replace": true}'::jsonb);
SELECT document, attempt('SELECT answer_tool_register(' || document || ')') AS error
FROM (VALUES ('NULL::jsonb'), ($$'[]'::jsonb$$), ($$'null'::jsonb$$), ($$'{}'::jsonb$$), ($$'{"name": null}'::jsonb$$),
	($$'{"name": 1}'::jsonb$$), ($$'{"name": ""}'::jsonb$$), ($$'{"tool": "x"}'::jsonb$$),
	($$'{"name": "x", "options": {}}'::jsonb$$), ($$'{"name": "x", "handler": 1}'::jsonb$$),
	($$'{"name": "x", "handler": "gone"}'::jsonb$$), ($$'{"name": "x", "handler": "gone(jsonb)"}'::jsonb$$),
	($$'{"name": "x", "handler": "answer.path_problem(text)"}'::jsonb$$),
	($$'{"name": "x", "required_args": ["a", null]}'::jsonb$$), ($$'{"name": "x", "required_args": [["a"]]}'::jsonb$$),
	($$'{"name": "x", "freshness": "one day"}'::jsonb$$), ($$'{"name": "x", "basis": null}'::jsonb$$),
	($$'{"name": "x", "replace": "yes"}'::jsonb$$), ($$'{"name": "count"}'::jsonb$$),
	-- a literal without a type is text
	($$'{"name": "x"}'$$), ($$' {"name": "x"}', replace => true$$), ($$'x', options => '{"handler": "f"}'$$),
	($$'x', required_args => '{{a,b}}'$$), ($$E'\n{"name": "x"}'$$),
	('NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL')) AS v (document);
\set VERBOSITY default
\set SHOW_CONTEXT never
SELECT answer_tool_register('{"name": "x", "handlers": "f"}'::jsonb);
\set VERBOSITY terse
-- literals without types are arguments of the first form
SELECT attempt($$SELECT answer_tool_register('two', '"hand lers"."An Answer"(jsonb)')$$) AS two,
	attempt($$SELECT answer_tool_register('three', '"hand lers"."An Answer"(jsonb)', '{a}')$$) AS three,
	attempt($$SELECT answer_tool_remove('two')$$) AS not_two,
	attempt($$SELECT answer_tool_remove('three')$$) AS nor_three;

SELECT tool, handler, required_args, optional_args, freshness, value_path, unit, source
FROM answer.tool WHERE seed ORDER BY tool COLLATE "C";

-- Readings.
SELECT arguments, attempt('SELECT answer_evidence_add(' || arguments || ')') AS error
FROM (VALUES ($$NULL, '{"of": "x"}', '1', 'Alpha'$$), ($$'count', '{"of": "x"}', NULL, 'Alpha'$$),
	($$'count', '{"of": "x"}', '1', NULL$$), ($$'count', '{"of": "x"}', '1', 'Alpha', NULL$$),
	($$'nope', '{}', '1', 'Alpha'$$), ($$'count', '{"of": "x"}', '1', 'Nobody'$$),
	($$'count', '{"of": "x"}', '1', ''$$), ($$'count', '[]', '1', 'Alpha'$$), ($$'count', 'null', '1', 'Alpha'$$),
	($$'count', NULL, '1', 'Alpha'$$), ($$'count', '{}', '1', 'Alpha'$$), ($$'count', '{"of": null}', '1', 'Alpha'$$),
	($$'count', '{"of": "x", "and": 1}', '1', 'Alpha'$$), ($$'count', '{"Of": "x"}', '1', 'Alpha'$$),
	($$'postgres_server', '{}', '1', 'postgresql'$$), ($$'Quoted "Tool" é', '{}', '1', 'Alpha'$$),
	($$'count', '{"of": "x"}', '1', 'Alpha', 'infinity'$$),
	($$'count', '{"of": "x"}', '1', 'Alpha', '2026-01-01', '-infinity'$$),
	($$'count', '{"of": "x"}', '1', 'Alpha', '10000-01-01'$$),
	($$'count', '{"of": "x"}', '1', 'Alpha', '0001-01-01 BC'$$)) AS v (arguments);
SELECT count(*) AS evidence, (SELECT count(*) FROM answer.evidence_series) AS series FROM answer.evidence;
-- the same reading twice is one row, however its numbers and keys are spelt
SELECT answer_evidence_add('count', '{"of": "cats"}', '{"n": 3, "of": "cats"}', 'Alpha', '2026-01-01 00:00Z') AS digest;
SELECT answer_evidence_add('count', '{"of": "cats"}', '{"of": "cats", "n": 3.0}', 'Alpha',
	'2026-01-01 01:00+01') AS digest;
SELECT answer_evidence_add('count', '{"of": "cats", "in": 1e0}', '{"n": 1e20}', 'Alpha', '2026-01-01 00:00Z',
	'2027-01-01Z') AS digest;
SELECT tool, args, raw, source, observed_at, expires, recorded_at <= clock_timestamp() AS recorded
FROM answer.evidence ORDER BY args::text COLLATE "C";
SELECT count(*) AS series FROM answer.evidence_series;
SELECT bool_and(digest = answer.evidence_digest(tool, args, raw, source, observed_at, expires)) AS addressed_by_content,
	bool_and(digest
		= answer_digest(jsonb_build_object('tool', tool, 'args', args, 'raw', raw, 'source', source, 'observed_at',
			to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'expires',
			to_char(expires, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))) AS of_this_object,
	bool_and(args_digest = answer_digest(args)) AS args_digest FROM answer.evidence;
-- each part of it counts
SELECT count(DISTINCT d) AS digests
FROM (VALUES (answer.evidence_digest('t', '{}', '1', 's', '2026-01-01', NULL)),
	(answer.evidence_digest('u', '{}', '1', 's', '2026-01-01', NULL)),
	(answer.evidence_digest('t', '{"a": 1}', '1', 's', '2026-01-01', NULL)),
	(answer.evidence_digest('t', '{}', '2', 's', '2026-01-01', NULL)),
	(answer.evidence_digest('t', '{}', '1', 'r', '2026-01-01', NULL)),
	(answer.evidence_digest('t', '{}', '1', 's', '2026-01-02', NULL)),
	(answer.evidence_digest('t', '{}', '1', 's', '2026-01-01', '2026-01-01'))) AS v (d);
SELECT arguments, left(attempt('SELECT answer.evidence_digest(' || arguments || ')'), 5) AS state
FROM (VALUES ($$NULL, '{}', '1', 's', '2026-01-01', NULL$$), ($$'t', NULL, '1', 's', '2026-01-01', NULL$$),
	($$'t', '{}', NULL, 's', '2026-01-01', NULL$$), ($$'t', '{}', '1', NULL, '2026-01-01', NULL$$),
	($$'t', '{}', '1', 's', NULL, NULL$$),
	($$'t', '{}', '1', 's', 'infinity', NULL$$), ($$'t', '{}', '1', 's', '2026-01-01', '-infinity'$$),
	($$'t', '{}', '1', 's', '10000-01-01', NULL$$), ($$'t', '{}', '1', 's', '0001-12-31 BC', NULL$$),
	($$'t', '{}', '1', 's', '9999-12-31 23:59:59Z', NULL$$)) AS v (arguments);

-- A fact, but for its attestation, which depends on the key.
\pset format unaligned
\pset tuples_only on
SELECT jsonb_pretty(answer_fact('count', '{"of": "cats"}', '2026-01-01 12:00Z') - 'attestation');
\pset tuples_only off
\pset format aligned
SELECT f -> 'attestation' ->> 'alg' AS alg, f -> 'attestation' ->> 'canonicalization' AS canonicalization,
	f -> 'attestation' ->> 'key_id'
		= (SELECT key_id FROM answer.signing_key WHERE status = 'active') AS by_the_active_key,
	(SELECT array_agg(k COLLATE "C" ORDER BY k COLLATE "C") FROM jsonb_object_keys(f -> 'attestation') AS k) AS members,
	answer.ed25519_verify((SELECT public_key FROM answer.signing_key WHERE status = 'active'),
		convert_to(answer_digest(f - 'attestation' - 'raw'), 'UTF8'),
		decode(translate(f -> 'attestation' ->> 'sig', '-_', '+/'), 'base64')) AS signs_the_digest,
	f -> 'id' = answer_fact('count', '{"of": "cats"}', '2026-01-01 13:00Z') -> 'id' AS same_reading_same_id
FROM answer_fact('count', '{"of": "cats"}', '2026-01-01 12:00Z') AS f;
SELECT arguments, attempt('SELECT answer_fact(' || arguments || ')') AS result
FROM (VALUES ($$NULL$$), ($$'count', NULL$$), ($$'count', '{"of": "cats"}', NULL$$), ($$'nope'$$), ($$''$$),
	($$'Count', '{"of": "cats"}'$$), ($$'count'$$), ($$'count', '{"of": null}'$$),
	($$'count', '{"of": "cats", "by": 1}'$$), ($$'count', '[]'$$), ($$'count', '1'$$),
	($$'count', '{"of": "dogs"}'$$), ($$'count', '{"of": "cats"}', '2025-12-31Z'$$)) AS v (arguments);

-- What is known when: the newest reading up to the evaluation, and its freshness.
SELECT answer_evidence_add('count', '{"of": "ants"}', jsonb_build_object('n', n), 'Alpha', at, expires)
	LIKE 'sha256:%' AS added
FROM (VALUES (1, '2026-01-01 00:00Z'::timestamptz, NULL::timestamptz), (2, '2026-01-02 00:00Z', NULL),
	(3, '2026-01-03 00:00Z', '2026-01-03 01:00Z'), (4, '2026-01-04 00:00Z', '2026-01-03 00:00Z')) AS v (n, at, expires);
SELECT at AS evaluated_at, f -> 'value' AS value, f ->> 'timestamp' AS timestamp,
	f #> '{verification,signals,fresh}' AS fresh, f #> '{verification,confidence}' AS confidence
FROM (VALUES ('2025-12-31 23:59:59.999999Z'::timestamptz), ('2026-01-01 00:00Z'), ('2026-01-01 23:59:59.999999Z'),
		('2026-01-02 00:00Z'), ('2026-01-02 00:00:00.000001Z'), ('2026-01-03 00:00Z'), ('2026-01-03 01:00Z'),
		('2026-01-03 01:00:00.000001Z'), ('2026-01-04 00:00Z'), ('2026-01-09Z')) AS v (at),
	answer_fact('count', '{"of": "ants"}', at) AS f
ORDER BY at;
-- the window alone: its end is fresh, a microsecond later is not
SELECT answer_evidence_add('count', '{"of": "bees"}', '{"n": 1}', 'Alpha', '2026-01-01 00:00Z')
	LIKE 'sha256:%' AS added;
SELECT at AS evaluated_at, f #> '{verification,signals,fresh}' AS fresh, f #> '{verification,confidence}' AS confidence
FROM (VALUES ('2026-01-02 00:00Z'::timestamptz), ('2026-01-02 00:00:00.000001Z')) AS v (at),
	answer_fact('count', '{"of": "bees"}', at) AS f
ORDER BY at;
-- neither window nor expiry: not fresh
SELECT answer_evidence_add('scalar', '{}', '7', 'Alpha', '2026-01-01 00:00Z') LIKE 'sha256:%' AS added;
SELECT f -> 'value' AS value, f -> 'raw' AS raw, f #> '{verification,signals}' AS signals,
	f #> '{verification,confidence}' AS confidence
FROM answer_fact('scalar', '{}', '2026-01-01 00:00Z') AS f;
-- a result without the primary value: the fact has no key for it
SELECT answer_evidence_add('count', '{"of": "none"}', '{"m": 1}', 'Alpha', '2026-01-01 00:00Z')
	LIKE 'sha256:%' AS added;
SELECT f ? 'value' AS has_value, f -> 'entity' AS entity
FROM answer_fact('count', '{"of": "none"}', '2026-01-01 00:00Z') AS f;

-- Corroboration and conflict among what the newest readings of all sources say.
-- Each row: source, value and hour of a reading; evaluated at 12:00, fresh for a day.
CREATE FUNCTION signals_of(name text, readings text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	fact jsonb;
BEGIN
	PERFORM answer_evidence_add('count', jsonb_build_object('of', name),
		jsonb_build_object('n', split_part(r, '=', 2)::jsonb), split_part(r, '=', 1),
		'2026-01-01 00:00Z'::timestamptz + split_part(r, '=', 3)::interval)
	FROM unnest(string_to_array(readings, '; ')) AS r;
	fact := answer_fact('count', jsonb_build_object('of', name), '2026-01-01 12:00Z');
	RETURN format('%s from %s: %s%s%s%s', fact -> 'value', fact #>> '{provenance,source}',
		fact #> '{verification,confidence}',
		CASE WHEN (fact #> '{verification,signals,corroborated}')::boolean THEN ', corroborated' END,
		CASE WHEN (fact #> '{verification,signals,conflict}')::boolean THEN ', conflict' END,
		CASE WHEN (fact #> '{verification,verified}')::boolean THEN ', verified' END) || ', sources ' ||
			(fact #>> '{verification,sources}');
END
$$;
SELECT name, readings, signals_of(name, readings) AS fact
FROM (VALUES ('one', 'Alpha=5=1 h'), ('two alike', 'Alpha=5=1 h; Beta=5=2 h'),
	('alike as eq', 'Alpha=5.0=1 h; Beta="5"=2 h'), ('alike when trimmed', 'Alpha="x "=1 h; Beta="x"=2 h'),
	('two apart', 'Alpha=5=1 h; Beta=6=2 h'), ('case counts', 'Alpha="x"=1 h; Beta="X"=2 h'),
	('one group', 'Twin 1=5=1 h; Twin 2=5=2 h'), ('one group apart', 'Twin 1=5=1 h; Twin 2=6=2 h'),
	('group and other', 'Twin 1=5=1 h; Twin 2=5=2 h; Beta=5=3 h'),
	('divided group, agreed with', 'Twin 1=5=1 h; Twin 2=6=2 h; Beta=5=3 h'),
	('named as a group', 'Twin 1=5=1 h; twins=5=2 h'), ('two against one', 'Alpha=5=1 h; Beta=5=2 h; Twin 1=6=3 h'),
	('newest per source', 'Alpha=4=1 h; Alpha=5=3 h; Beta=5=2 h'),
	('changed its mind', 'Alpha=5=1 h; Alpha=6=3 h; Beta=5=2 h'),
	('stale one agrees', 'Alpha=5=11 h; Beta=5=-13 h'), ('stale one differs', 'Alpha=5=11 h; Beta=6=-13 h'),
	('both stale', 'Alpha=5=-13 h; Beta=5=-14 h'), ('both stale and apart', 'Alpha=5=-13 h; Beta=6=-14 h'),
	('later than asked', 'Alpha=5=1 h; Beta=6=13 h'),
	('same instant', 'Alpha=5=1 h; Beta=5=1 h'), ('nulls', 'Alpha=null=1 h; Beta=null=2 h'),
	('containers', 'Alpha={"a": 1, "b": 2}=1 h; Beta={"b": 2.0, "a": 1}=2 h')) AS v (name, readings);
DROP FUNCTION signals_of;
-- one that is silent about the value neither supports nor contradicts
SELECT answer_evidence_add('count', '{"of": "silence"}', '{"n": 1}', 'Alpha', '2026-01-01 02:00Z') IS NOT NULL,
	answer_evidence_add('count', '{"of": "silence"}', '{}', 'Beta', '2026-01-01 01:00Z') IS NOT NULL;
SELECT answer_fact('count', '{"of": "silence"}', '2026-01-01 12:00Z') -> 'verification' AS verification;
-- a basis caps
SELECT answer_evidence_add(t, '{}', '{"n": 1}', s, '2026-01-01 00:00Z') IS NOT NULL
FROM unnest('{forecast,inferred}'::text[]) AS t, unnest('{Alpha,Beta}'::text[]) AS s;
SELECT t AS tool, answer_fact(t, '{}', '2026-01-01 00:30Z') -> 'verification' AS verification
FROM unnest('{forecast,inferred}'::text[]) AS t;
-- a result may name its own source and its own instant, which may be no instant
SELECT answer_evidence_add('told', jsonb_build_object('k', k), raw::jsonb, 'Alpha', '2026-01-01 00:00Z')
	IS NOT NULL AS added
FROM (VALUES (1, '{"v": 1, "at": "2025-12-31T23:30:00Z", "by": {"name": "Gamma"}}'),
	(2, '{"v": 1, "at": "yesterday", "by": {"name": 7}}'), (3, '{"v": 1, "by": {"name": ""}}'),
	(4, '{"v": 1, "at": "2026-01-01T01:00:00+01:00"}')) AS v (k, raw);
-- (the address and the licence of another source are not its own)
SELECT k, f -> 'timestamp' AS timestamp, f #> '{provenance,source}' AS source,
	f #> '{provenance,source_url}' <> 'null' AS has_url, f #> '{provenance,licence}' <> 'null' AS has_licence,
	f #> '{verification,signals}' AS signals, f #> '{verification,confidence}' AS confidence
FROM generate_series(1, 4) AS k, answer_fact('told', jsonb_build_object('k', k), '2026-01-01 00:30Z') AS f;

-- A handler is called with the arguments; what it returns is made portable.
-- It is dated by the clock, whatever instant it is judged at.
SELECT f -> 'value' AS value, f -> 'raw' AS raw,
	abs(extract(epoch FROM clock_timestamp() - (f ->> 'timestamp')::timestamptz)) < 60 AS dated_now,
	f -> 'provenance' AS provenance, f -> 'verification' AS verification
FROM answer_fact('Quoted "Tool" é', '{"a": [1.50, 1e20]}', '2026-01-01 00:00Z') AS f;
SELECT t AS tool, f ->> 'fact' AS fact, f #>> '{provenance,source}' AS source, f ? 'value' AS has_value,
	f -> 'entity' AS entity, f #> '{verification,confidence}' AS confidence,
	(SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") FROM jsonb_object_keys(f -> 'raw') AS k) AS keys
FROM (VALUES ('postgres_server', '{}'), ('postgres_setting', '{"name": "Server_Encoding"}'),
		('postgres_extension', '{"name": "answer_eval"}'), ('postgres_relation', '{"relation": "answer.receipt"}'),
		('postgres_replication', '{}')) AS v (t, args), answer_fact(t, args::jsonb) AS f;
SELECT f -> 'value' = to_jsonb(split_part(current_setting('server_version'), ' ', 1)) AS version,
	f #> '{raw,version_num}' = to_jsonb(current_setting('server_version_num')::int) AS version_num
FROM answer_fact('postgres_server') AS f;
SELECT f ->> 'entity' = current_database() AS this_database, (f ->> 'value')::bigint > 0 AS size
FROM answer_fact('postgres_database') AS f;
SELECT name, jsonb_typeof(f -> 'value') AS type
FROM unnest('{fsync,block_size,server_encoding}'::text[]) AS name,
	answer_fact('postgres_setting', jsonb_build_object('name', name)) AS f;
SELECT t AS tool, answer_fact(t, args::jsonb) IS NULL AS nothing
FROM (VALUES ('postgres_setting', '{"name": "no.such"}'), ('postgres_extension', '{"name": "no such"}'),
	('postgres_database', '{"name": "no such"}'), ('postgres_relation', '{"relation": "no_such"}')) AS v (t, args);

-- Only an instant that somebody chose is named in the fact; the default is none.
SELECT answer_fact('postgres_server') #> '{verification,note}' AS by_default,
	answer_fact('postgres_server', '{}', '2026-01-01 00:00Z') #> '{verification,note}' AS chosen;

-- Instants that no document can hold.
SELECT at AS evaluated_at,
	left(attempt(format('SELECT answer_fact(''postgres_server'', ''{}'', %L)', at)), 5) AS of_a_handler,
	attempt(format('SELECT answer_fact(''count'', ''{"of": "cats"}'', %L) #> ''{verification,signals,fresh}''',
		at)) AS of_a_reading
FROM unnest('{infinity,-infinity,0001-12-31 BC,10000-01-01}'::text[]) AS at;

-- Names and texts of a megabyte.
SELECT left(attempt(format('SELECT answer_fact(%L)', repeat('x', 1000000))), 30) AS long_name,
	answer_evidence_add('scalar', '{"k": 1}', to_jsonb(repeat('x', 1000000)), 'Alpha', '2026-01-01Z')
		IS NOT NULL AS long_reading;
SELECT length(answer_fact('scalar', '{"k": 1}', '2026-01-01Z') ->> 'value') AS read_back;
SELECT depth,
	survives(format('SELECT answer_evidence_add(''scalar'', ''{"k": 2}'', (repeat(''['', %s) || repeat('']'', '
		'%1$s))::jsonb, ''Alpha'')', depth)) AS stored,
	survives(format('SELECT answer.fact_confidence((''{"note":'' || repeat(''['', %s) || repeat('']'', '
		'%1$s) || ''}'')::jsonb)', depth)) AS confidence
FROM (VALUES (1000), (10000), (100000)) AS v (depth);

-- For the tests that follow, nothing of this stays.
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DROP SCHEMA "hand lers" CASCADE;
