-- Tools with a spec: what is registered, what is called and how, who can reach them; plans that are registered.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';
-- predictions go by what tools declare here, whatever was called before
DELETE FROM answer.tool_call;
CREATE SCHEMA plan_tools;
SET search_path = plan_tools, public;

CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- a call as one line: the outcome, then the result or why there is none
CREATE FUNCTION invoked(tool text, args jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', i ->> 'outcome', i ->> 'sqlstate', COALESCE(i ->> 'reason', i ->> 'result'))
	FROM answer_tool_invoke(tool, args) AS i $$;
CREATE TABLE given (value jsonb);
CREATE TABLE called (args jsonb);
CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args $$;
CREATE FUNCTION gives(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT value FROM plan_tools.given $$;
CREATE FUNCTION writes(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO plan_tools.called VALUES (args);
	RETURN '{"ok": true}';
END $$;

/* registration */

SELECT answer_tool_register('pt.echo', 'plan_tools.echo(jsonb)', spec => '{"type": "ToolSpec", "id": "pt.echo",
	"io": {"input": {"q": {"type": "string", "required": true}, "k": {"type": "integer", "default": 8},
		"style": {"type": "string", "enum": ["short", "long"]}, "more": {}},
		"output": {"q": "string", "k": "integer", "style": "string", "more": {}}},
	"constraints": {"input_tokens_max": 40, "latency_p50_ms": 120, "cost_per_call_usd": 0.0001, "per_item_share": 0.5,
		"rate_limit_qps": 1000, "side_effects": false, "external_cost": false},
	"provenance": {"attribution_required": false}, "capabilities": ["echo"], "deny_if": ["Password", "ÄRGER"]}');
SELECT tool, handler, required_args, optional_args FROM answer.tool WHERE tool = 'pt.echo';
SELECT answer_tool_spec('pt.echo') = (SELECT spec FROM answer.tool WHERE tool = 'pt.echo') AS as_registered,
	answer_tool_spec('postgres_server') IS NULL AS has_none, answer_tool_spec(NULL) IS NULL AS strict;
SELECT answer_tool_spec('pt.ech');
-- the same again changes nothing, another spec is another registration
SELECT answer_tool_register('pt.echo', 'plan_tools.echo(jsonb)', spec => spec, required_args => '{q}',
	options => '{"optional_args": ["more", "style", "k"]}') FROM answer.tool WHERE tool = 'pt.echo';
SELECT answer_tool_register('pt.echo', 'plan_tools.echo(jsonb)', spec => '{}');
SELECT answer_tool_register('pt.echo', 'plan_tools.echo(jsonb)', required_args => '{q}',
	options => '{"optional_args": ["k", "more"]}',
	spec => (SELECT spec FROM answer.tool WHERE tool = 'pt.echo'), replace => true);
-- without io the registration says which arguments there are, and results are as they are
SELECT answer_tool_register('pt.gives', 'plan_tools.gives(jsonb)', required_args => '{a}',
	options => '{"optional_args": ["b"]}',
	spec => '{}');
SELECT required_args, optional_args, spec FROM answer.tool WHERE tool = 'pt.gives';
SELECT action, after -> 'spec' AS spec FROM answer.change WHERE kind = 'tool' AND name = 'pt.gives';

-- what is no spec
CREATE TABLE bad (n serial, spec jsonb);
INSERT INTO bad (spec) VALUES ('[]'), ('null'), ('"x"'), ('{"kind": 1}'), ('{"type": "Tool"}'), ('{"id": "other"}'),
	('{"id": 1}'), ('{"external": "yes"}'), ('{"external": true}'), ('{"io": []}'), ('{"io": {"in": {}}}'),
	('{"io": {"input": []}}'), ('{"io": {"output": "string"}}'), ('{"io": {"input": {"a": 1}}}'),
	('{"io": {"input": {"a": ""}}}'), ('{"io": {"input": {"": "string"}}}'),
	('{"io": {"output": {"_usage": "object"}}}'), ('{"io": {"input": {"a": {"type": 1}}}}'),
	('{"io": {"input": {"a": {"type": "string", "minimum": 1}}}}'),
	('{"io": {"input": {"a": {"required": 1}}}}'), ('{"io": {"input": {"a": {"enum": []}}}}'),
	('{"io": {"input": {"a": {"description": 1}}}}'), ('{"io": {"input": {"a": {"type": "string", "default": 1}}}}'),
	('{"io": {"input": {"a": {"type": "string", "enum": ["x"], "default": "y"}}}}'),
	('{"io": {"input": {"a": {"type": "string", "items": "string"}}}}'),
	('{"io": {"input": {"a": {"type": "array", "items": 1}}}}'),
	('{"io": {"input": {"a": {"type": "array", "items": {"b": {"c": 1}}}}}}'),
	('{"io": {"input": {"a": {"type": "array", "items": {"type": "array", "items": {"x": []}}}}}}'),
	('{"constraints": 1}'), ('{"constraints": {"cost": 1}}'), ('{"constraints": {"input_tokens_max": -1}}'),
	('{"constraints": {"input_tokens_max": 1.5}}'), ('{"constraints": {"latency_p50_ms": -1}}'),
	('{"constraints": {"latency_p50_ms": "soon"}}'), ('{"constraints": {"cost_per_call_usd": -0.01}}'),
	('{"constraints": {"cost_per_call_usd": 1e300}}'), ('{"constraints": {"cost_per_call_usd": 1e-13}}'),
	('{"constraints": {"per_item_share": 1.01}}'), ('{"constraints": {"rate_limit_qps": 0}}'),
	('{"constraints": {"side_effects": 1}}'), ('{"constraints": {"external_cost": null}}'), ('{"provenance": true}'),
	('{"provenance": {"attribution_required": 1}}'), ('{"provenance": {"source": "x"}}'), ('{"capabilities": "a"}'),
	('{"capabilities": [""]}'), ('{"capabilities": [1]}'), ('{"deny_if": ["a", " "]}'),
	(jsonb_build_object('deny_if', jsonb_build_array(U&'\200B'))),
	(jsonb_build_object('deny_if', to_jsonb(array_fill('x'::text, ARRAY[1001])))),
	(jsonb_build_object('io', jsonb_build_object('input', jsonb_build_object('a',
		(repeat('{"type": "array", "items": ', 40) || '"string"' || repeat('}', 40))::jsonb))));
SELECT n, outcome(format('SELECT answer_tool_register(%L, ''plan_tools.echo(jsonb)'', spec => %L)', 'pt.bad', spec))
FROM bad ORDER BY n;
SELECT outcome($$SELECT answer_tool_register('pt.bad', spec => '{}')$$);
SELECT outcome($$SELECT answer_tool_register('pt.bad', 'plan_tools.echo(jsonb)',
	spec => jsonb_build_object('id', repeat('x', 1100000)))$$);
SELECT count(*) AS registered FROM answer.tool WHERE tool = 'pt.bad';

/* arguments */

SELECT answer_tool_invoke('pt.echo', '{"q": "x"}');
SELECT answer_tool_invoke('pt.echo', '{}');
SELECT v.args, invoked('pt.echo', v.args::jsonb) FROM (VALUES ('{"q": "x", "k": 3.0, "style": "long"}'),
	('{"q": null}'), ('{"q": "x", "z": 1}'), ('{"q": "x", "style": "broad"}'), ('{"q": "x", "k": "3"}'),
	('{"q": "x", "k": 2.5}'),
	('{"q": 1}'), ('{"q": "x", "k": null}'), ('{"q": "x", "more": null}'),
	('{"q": "12345678901234567890", "k": "12345678901234567890"}')) AS v (args);
SELECT outcome($$SELECT answer_tool_invoke('pt.echo', '[]')$$), outcome($$SELECT answer_tool_invoke('pt.echo', '1')$$),
	answer_tool_invoke('pt.echo', NULL) IS NULL AS strict;
SELECT invoked('pt.gives', '{"a": 1}'), invoked('pt.gives', '{"b": 1}'), invoked('pt.gives', '{"a": 1, "c": 1}');

-- each type and each value; only what is not as it should be is shown, and how many there were
SELECT answer_tool_register('pt.typed', 'plan_tools.echo(jsonb)', spec => '{"io": {"input": {
	"string": "string", "integer": "integer", "number": {"type": "number"}, "boolean": "boolean", "array": "array",
	"object": "object", "named": "Policy", "any": {}, "hit": "Hit", "evidence": "Evidence",
	"strings": {"type": "array", "items": "string"}, "hits": {"type": "array", "items": {"type": "Hit"}},
	"members": {"type": "array", "items": {"id": {"type": "string", "required": true}, "n": "number"}},
	"either": {"enum": [1, "a", null, {"x": [1.0]}]}}}}');
CREATE TABLE typed (property text, fits boolean, value jsonb);
INSERT INTO typed VALUES ('string', true, '""'), ('string', false, '1'), ('string', false, 'null'),
	('integer', true, '-3'), ('integer', true, '1e3'), ('integer', false, '0.5'), ('integer', false, 'null'),
	('integer', true, '"98765432109876543210"'), ('integer', false, '"1"'), ('integer', false, 'true'),
	('number', true, '0.5'), ('number', true, '"0.12345678901234567890123"'), ('number', false, '"NaN"'),
	('number', false, 'null'), ('number', false, '[1]'),
	('boolean', true, 'false'), ('boolean', false, 'null'), ('boolean', false, '0'), ('boolean', false, '"true"'),
	('array', true, '[]'), ('array', true, '[1, "a", null]'), ('array', false, '{}'), ('array', false, 'null'),
	('object', true, '{}'), ('object', true, '{"a": {"b": 1}}'), ('object', false, '[]'), ('object', false, 'null'),
	('named', true, '{"a": 1}'), ('named', false, '"a"'), ('named', false, 'null'),
	('any', true, 'null'), ('any', true, '[]'), ('any', true, '1'),
	('hit', true, '{"uri": "u", "snippet": "s", "score": 0.5}'),
	('hit', true, '{"uri": "u", "snippet": "s", "score": 1, "title": "t", "stamp": "2026", "id": "h", "rank": 1}'),
	('hit', false, '{"uri": "u", "snippet": "s"}'), ('hit', false, '{"uri": 1, "snippet": "s", "score": 1}'),
	('hit', false, '{"uri": "u", "snippet": null, "score": 1}'), ('hit', false, '[]'),
	('hit', false, '{"uri": "u", "snippet": "s", "score": "high"}'),
	('hit', false, '{"uri": "u", "snippet": "s", "score": 1, "title": null}'),
	('evidence', true, '{"claims": []}'), ('evidence', true, '{"claims": ["a"], "supports": [{"claim": "a",
		"source": "s", "confidence": 0.9}], "contradicts": [], "related": [], "caveats": []}'),
	('evidence', false, '{"claims": ["a"], "supports": [{"claim": "b", "source": "s", "confidence": 0.9}]}'),
	('evidence', false, '{"claims": ["a"], "contradicts": [{"claim": "a", "source": "s", "weight": 1.1}]}'),
	('evidence', false, '{}'), ('evidence', false, '{"claims": [1]}'), ('evidence', false, '"e"'),
	('evidence', false, '{"claims": [], "policy": {"block_if_conflict_over": 2}}'),
	('strings', true, '[]'), ('strings', true, '["a", ""]'), ('strings', false, '["a", 1]'),
	('hits', true, '[{"uri": "u", "snippet": "s", "score": 0}]'), ('hits', false, '[{"uri": "u"}]'),
	('members', true, '[{"id": "a", "n": 1}, {"id": "b", "other": true}]'), ('members', false, '[{"n": 1}]'),
	('members', false, '[{"id": "a", "n": "x"}]'), ('members', false, '["a"]'), ('members', true, '[]'),
	('either', true, '1.00'), ('either', true, '"a"'), ('either', true, 'null'), ('either', true, '{"x": [1.0]}'),
	('either', false, '"b"'), ('either', false, '"1"'), ('either', false, '{"x": [2]}');
SELECT t.*, i FROM typed t, invoked('pt.typed', jsonb_build_object(t.property, t.value)) AS i
WHERE t.fits <> (split_part(i, ' ', 1) = 'ok') OR NOT t.fits AND NOT starts_with(i, 'invalid 22023 argument "');
SELECT count(*), count(*) FILTER (WHERE fits) AS fit FROM typed;
-- the message names the place
SELECT invoked('pt.typed', v::jsonb) FROM unnest(ARRAY['{"members": [{"id": "a"}, {"id": 1}]}',
	'{"hits": [{"uri": "u", "snippet": "s", "score": "x"}]}', '{"strings": ["a", null]}', '{"either": 2}',
	'{"evidence": {"claims": ["a"], "supports": [{"claim": "a", "source": "s", "confidence": 2}]}}']) AS v;

-- input_tokens_max counts the completed arguments: {"k":8,"q":""} has 14 characters
SELECT length(q) AS letters, invoked('pt.echo', jsonb_build_object('q', q)) NOT LIKE 'invalid%' AS is_called
FROM (VALUES (repeat('x', 149)), (repeat('x', 150))) AS v (q);
SELECT invoked('pt.echo', jsonb_build_object('q', repeat('x', 150)));

-- deny_if: in values, keys and the canonical text, folded, as a part of a word too
-- unaligned: how wide psql takes what has no width depends on its version
\pset format unaligned
SELECT v.args, invoked('pt.echo', v.args::jsonb) FROM (VALUES ('{"q": "my PASSWORD"}'), ('{"q": "passwords"}'),
	('{"q": "x", "more": {"a": [{"PassWord": 1}]}}'), ('{"q": "großer Ärger"}'), ('{"q": "pass word"}'),
	(U&'{"q": "pass\200Bword"}'), (U&'{"q": "pass\00ADword"}')) AS v (args);
\pset format aligned
SELECT answer_tool_register('pt.denies', 'plan_tools.writes(jsonb)', options => '{"optional_args": ["a", "b"]}',
	spec => '{"constraints": {"side_effects": true}, "deny_if": ["\"b\":7", "line\nfeed", "say \"no\"", "0.5"]}');
SELECT v.args, invoked('pt.denies', v.args::jsonb) FROM (VALUES ('{"a": 1, "b": 7}'), ('{"a": {"b": 7}}'),
	('{"a": "line\nfeed"}'), ('{"a": "they SAY \"NO\""}'), ('{"a": [0.5]}'), ('{"b": "7"}')) AS v (args);
SELECT args FROM called;
-- of several the first of the list, and no cost
SELECT answer_tool_invoke('pt.denies', '{"a": "0.5", "b": 7}');
TRUNCATE called;

/* results */

SELECT answer_tool_register('pt.result', 'plan_tools.gives(jsonb)', spec => '{"io": {"input": {},
	"output": {"text": {"type": "string", "required": true}, "n": "integer",
	"hits": {"type": "array", "items": {"uri": "string"}}}}, "provenance": {"attribution_required": true},
	"constraints": {"latency_p50_ms": 5, "cost_per_call_usd": 0.25}}');
CREATE FUNCTION result_of(value jsonb, tool text DEFAULT 'pt.result') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM given;
	INSERT INTO given VALUES (value);
	RETURN invoked(tool);
END $$;
SELECT result_of(v::jsonb) FROM unnest(ARRAY['{"text": "a"}', '{"text": "a", "n": 1.0}', '{}', '{"text": null}',
	'{"text": "a", "n": "1"}', '{"text": "a", "more": 1}', '[]', '"a"', 'null', NULL,
	'{"text": "a", "hits": []}', '{"text": "a", "hits": [{"uri": "u", "rank": 1}]}',
	'{"text": "a", "hits": [{"uri": "u"}, {"uri": ""}]}', '{"text": "a", "hits": [{"uri": "u"}, {"title": "t"}]}',
	'{"text": "a", "hits": [{"uri": " "}]}', '{"text": "a", "hits": ["u"]}',
	'{"text": "a", "_usage": {"tokens_in": 3, "tokens_out": 0}}', '{"text": "a", "_usage": {}}',
	'{"text": "a", "_usage": {"tokens_in": -1}}', '{"text": "a", "_usage": {"tokens_out": 1.5}}',
	'{"text": "a", "_usage": {"cost": 1}}', '{"text": "a", "_usage": 5}']) AS v;
-- attribution where nothing else is declared: of all arrays of objects, and of a result that is one
SELECT answer_tool_register('pt.attributed', 'plan_tools.gives(jsonb)',
	spec => '{"provenance": {"attribution_required": true}}');
SELECT result_of(v::jsonb, 'pt.attributed') FROM unnest(ARRAY['[]', '[{"uri": "u"}]', '[{"uri": "u"}, {}]', '[1, 2]',
	'{"a": [1], "b": [{"uri": "u"}], "c": {"d": [{}]}}', '{"a": [{"uri": "u"}, 1]}', '5']) AS v;
-- numbers stay what the tool gave
SELECT result_of('{"text": "a", "n": 123456789012345678901234567890}');
-- a failed call is charged as declared, and at least for as long as declared
UPDATE given SET value = '{}';
SELECT i - 'latency_ms' AS call, (i ->> 'latency_ms')::numeric >= 5 AS is_charged
FROM answer_tool_invoke('pt.result') AS i;

/* what a call may do */

SELECT answer_tool_register('pt.acts', 'plan_tools.writes(jsonb)', options => '{"optional_args": ["a"]}',
	spec => '{"constraints": {"side_effects": true, "cost_per_call_usd": 1}}');
SELECT answer_tool_register('pt.writes', 'plan_tools.writes(jsonb)', spec => '{}');
SELECT invoked('pt.acts', '{"a": 1}');
SELECT invoked('pt.writes');
-- who switches the setting off writes nothing either
CREATE FUNCTION sneaks(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE args ->> 'first';
	INSERT INTO plan_tools.called VALUES (args);
	SET transaction_read_only = on;
	RETURN '{}';
END $$;
SELECT answer_tool_register('pt.sneaks', 'plan_tools.sneaks(jsonb)', required_args => '{first}', spec => '{}');
-- from 16 on the server itself refuses to reset it (0A000)
SELECT v, replace(split_part(invoked('pt.sneaks', jsonb_build_object('first', v)), ' ', 2),
	'0A000', '25006') AS sqlstate
FROM unnest(ARRAY['RESET transaction_read_only', 'SET transaction_read_only = off',
	'SELECT set_config(''transaction_read_only'', ''off'', true)', 'SET LOCAL transaction_read_only TO DEFAULT']) AS v;
SELECT args FROM called;
SELECT current_setting('transaction_read_only') AS read_only;
TRUNCATE called;
-- what raises, commits, gives something else than when it was registered
CREATE FUNCTION raises(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO plan_tools.called VALUES (args);
	EXECUTE args ->> 'a';
	RETURN '{}';
END $$;
SELECT answer_tool_register('pt.raises', 'plan_tools.raises(jsonb)', required_args => '{a}',
	spec => '{"constraints": {"side_effects": true}}');
SELECT invoked('pt.raises', jsonb_build_object('a', v)) FROM unnest(ARRAY['SELECT 1 / 0', 'COMMIT',
	'DO $d$ BEGIN COMMIT; END $d$', 'DO $d$ BEGIN ROLLBACK; END $d$', 'DO $d$ BEGIN RAISE EXCEPTION ''mine''; END $d$',
	'SET plan_tools.x = 1', 'SELECT answer_eval()']) AS v;
SELECT count(*) AS kept, current_setting('plan_tools.x', true) AS setting FROM called;
ALTER FUNCTION raises(jsonb) RENAME TO raised;
SELECT invoked('pt.raises', '{"a": "SELECT 1"}');
ALTER FUNCTION raised(jsonb) RENAME TO raises;
TRUNCATE called;

/* what has side effects, or is external, is reached by no check, no question, no fact */

SELECT answer_tool_register('pt.external', spec => '{"external": true, "io": {"input": {"q": "string"},
	"output": {"text": "string"}}}');
SELECT jsonb_path_query_array(r, '$.checks[*].verdict') AS verdicts,
	jsonb_path_query_array(r, '$.checks[*].explain.summary') AS summaries, answer_verify(r) -> 'ok' AS verified,
	answer_replay(r) -> 'ok' AS replayed
FROM answer_eval('{"checks": [{"tool": "pt.acts", "args": {"a": 1}},
	{"tool": "pt.external", "args": {"q": "x"}}]}') AS r;
SELECT outcome($$SELECT answer_fact('pt.acts')$$);
SELECT outcome($$SELECT answer_fact('pt.external', '{"q": "x"}')$$);
SELECT outcome($$SELECT answer_eval('{"checks": [{"tool": "pt.acts"}],
	"evidence": [{"fact": "pt.acts", "value": 1}]}')$$);
SELECT outcome($$SELECT answer_route_register('pt.route', 'pt act now', 'interrogative', 'pt.acts', '{}',
	examples => '{pt act now}')$$);
SELECT outcome($$SELECT answer_route_register('pt.route', 'pt act now', 'interrogative', 'pt.external', '{}',
	examples => '{pt act now}')$$);
SELECT outcome($$SELECT answer_evidence_add('pt.external', '{"q": "x"}', '{}', 'postgresql')$$);
SELECT string_agg(t ->> 'tool', ' ' ORDER BY t ->> 'tool' COLLATE "C") AS coverage_lists
FROM jsonb_array_elements(answer_coverage() -> 'tools') AS t WHERE starts_with(t ->> 'tool', 'pt.');
-- nor does it become so behind a route
SELECT answer_route_register('pt.route', 'pt echo now', 'interrogative', 'pt.echo', '{"q": "x"}',
	examples => '{pt echo now}');
SELECT outcome($$SELECT answer_tool_register('pt.echo', 'plan_tools.echo(jsonb)', replace => true,
	spec => '{"io": {"input": {"q": "string"}}, "constraints": {"side_effects": true}}')$$);
SELECT outcome($$SELECT answer_tool_register('pt.echo', replace => true, spec => '{"external": true}')$$);
SELECT answer_route_remove('pt.route');
-- nor through a tool that calls it
CREATE FUNCTION passes(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT public.answer_tool_invoke('pt.acts', '{}') $$;
SELECT answer_tool_register('pt.passes', 'plan_tools.passes(jsonb)');
SELECT outcome($$SELECT answer_fact('pt.passes')$$);
CREATE FUNCTION asks(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT public.answer_tool_invoke('pt.echo', args) -> 'result' $$;
SELECT answer_tool_register('pt.asks', 'plan_tools.asks(jsonb)', required_args => '{q}');
SELECT answer_fact('pt.asks', '{"q": "x"}') -> 'raw' AS may_call_others;
-- nor through a grader, whose word a fact asks for
CREATE FUNCTION grades(observation jsonb) RETURNS answer_graded LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
	PERFORM public.answer_tool_invoke('pt.acts', '{}');
	RETURN ROW(NULL, 'Strong', 'High', 'it acted')::public.answer_graded;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
	RETURN ROW(NULL, 'Weak', 'Low', SQLERRM)::public.answer_graded;
END $$;
BEGIN;
SELECT answer_quality_grader_register('pt.asks', 'FileSearch', 'plan_tools.grades(jsonb)');
SELECT answer_fact('pt.asks', '{"q": "x"}') -> 'quality' AS quality;
SELECT count(*) AS written FROM called;
ROLLBACK;
SELECT outcome($$SELECT answer_tool_invoke('pt.external', '{"q": "x"}')$$),
	outcome($$SELECT answer_tool_invoke('postgres_server')$$), outcome($$SELECT answer_tool_invoke('pt.acst')$$);

-- a check, a question or a fact that rests on a tool with a spec has to keep to the spec too
SELECT outcome(format('SELECT answer_fact(''pt.echo'', %L) -> ''raw''', v)) FROM unnest(ARRAY['{"q": "x"}',
	'{"q": "password"}', '{"q": 1}', '{"q": "x", "k": 1.5}', jsonb_build_object('q', repeat('x', 150))::text]) AS v;
SELECT outcome($$SELECT answer_fact('pt.writes')$$);
DELETE FROM given;
INSERT INTO given VALUES ('{"text": 5}');
SELECT outcome($$SELECT answer_fact('pt.result') -> 'raw'$$);
UPDATE given SET value = '{"text": "a", "_usage": {"tokens_out": 1}}';
SELECT outcome($$SELECT answer_fact('pt.result') -> 'raw'$$);
SELECT c -> 'verdict' AS verdict, c #> '{explain,sqlstate}' AS sqlstate, c #> '{explain,message}' AS message
FROM answer_eval('{"checks": [{"tool": "pt.echo", "args": {"q": "password"}}]}') AS r,
	jsonb_array_elements(r -> 'checks') AS c;
-- a spec that somebody changed by hand
UPDATE answer.tool SET spec = '{"constraints": {"cost_per_call_usd": -1}}' WHERE tool = 'pt.gives';
SELECT outcome($$SELECT answer_tool_invoke('pt.gives', '{"a": 1}')$$);
UPDATE answer.tool SET spec = '{}' WHERE tool = 'pt.gives';

/* plans */

CREATE TABLE plan (name text PRIMARY KEY, plan jsonb);
INSERT INTO plan VALUES ('good', '{"plan_id": "pt.plan", "signals": {"latency_budget_ms": 1000}, "nodes": [
	{"id": "a", "op": "call", "tool": "pt.echo", "args": {"q": "$INPUT.q", "k": 4}, "out": "one"},
	{"id": "b", "op": "call", "capability": "echo", "args": {"q": "$one.q"}, "out": "two"},
	{"id": "c", "op": "call", "tool": "pt.acts", "args": {"a": "$two"}, "out": "three"}],
	"edges": [["a", "b"], ["b", "c"]]}'),
	('bad', '{"plan_id": "pt.plan", "nodes": [{"id": "a", "op": "call", "tool": "pt.nothing", "out": "x"},
	{"id": "b", "op": "call", "tool": "postgres_server", "out": "y"}, {"id": "c", "op": "call", "capability": "none",
	"out": "z"}, {"id": "d", "op": "spawn"}]}');
SELECT * FROM answer_plan_validate((SELECT plan FROM plan WHERE name = 'good'));
SELECT * FROM answer_plan_validate((SELECT plan FROM plan WHERE name = 'bad'));
SELECT * FROM answer_plan_validate('[]');
SELECT * FROM answer_plan_validate('{"plan_id": "p", "nodes": 5}');
SELECT * FROM answer_plan_validate('{"plan_id": "p", "nodes": [5, [1], {"id": "a"}]}');
SELECT * FROM answer_plan_validate(NULL);
-- the cheapest of those that have a capability
SELECT answer.plan_tools('', plan) ?& '{pt.echo,pt.acts}' AS has_them,
	answer.plan_tools('', plan) ? 'pt.gives' AS has_others FROM plan WHERE name = 'good';
SELECT answer_tool_register('pt.' || n, 'plan_tools.echo(jsonb)', options => '{"optional_args": ["q"]}', spec => format(
	'{"capabilities": ["cheap", "x"], "constraints": {"cost_per_call_usd": %s, "latency_p50_ms": %s}}', c, l)::jsonb)
FROM (VALUES ('z', 1, 1), ('y', 0.5, 3), ('x', 0.5, 2), ('w', 0.5, 2)) AS v (n, c, l);
SELECT answer_plan_explain('{"plan": {"plan_id": "p", "nodes": [{"id": "a", "op": "call", "capability": "cheap",
	"out": "x"}]}}') -> 'predicted' AS cheapest_then_fastest;

SELECT answer_plan_register(plan) = answer_digest(plan) AS by_digest FROM plan WHERE name = 'good';
SELECT answer_plan_register(plan) = answer_digest(plan) AS again FROM plan WHERE name = 'good';
SELECT answer_plan_register(plan || '{"intent": "pt"}') = answer_digest(plan || '{"intent": "pt"}') AS another
FROM plan WHERE name = 'good';
SELECT answer_plan_register(plan) = answer_digest(plan) AS the_first_again FROM plan WHERE name = 'good';
SELECT p.plan_id, p.version, p.digest = answer_digest(p.plan) AS named_by_digest, p.plan ->> 'intent' AS intent
FROM answer.plan p WHERE p.plan_id = 'pt.plan' ORDER BY p.version;
SELECT name, revision, action, after -> 'version' AS version,
	after ->> 'digest' = answer_digest(after -> 'plan') AS told
FROM answer.change WHERE kind = 'plan' AND name = 'pt.plan' ORDER BY revision;
SELECT outcome(format('SELECT answer_plan_register(%L)', plan)) FROM plan WHERE name = 'bad';
SELECT outcome('SELECT answer_plan_register(NULL)');
SELECT outcome(format('SELECT answer_plan_register(%L)',
	jsonb_set(plan, '{nodes,0,args,q}', to_jsonb(repeat('x', 4200000)))))
FROM plan WHERE name = 'good';
SELECT count(*) AS versions FROM answer.plan WHERE plan_id = 'pt.plan';
UPDATE answer.plan SET version = 9;
DELETE FROM answer.plan;
TRUNCATE answer.plan;
-- what was changed behind the functions
SET session_replication_role = replica;
UPDATE answer.plan SET version = 9;
RESET session_replication_role;

SELECT answer_plan_explain('{"plan": {"ref": "pt.plan"}}');
SELECT answer_plan_explain(jsonb_build_object('plan', plan))
	= answer_plan_explain('{"plan": {"ref": "pt.plan"}}') AS alike,
	answer_plan_explain(jsonb_build_object('plan', jsonb_build_object('ref', answer_digest(plan))))
	= answer_plan_explain('{"plan": {"ref": "pt.plan"}}') AS by_digest
FROM plan WHERE name = 'good';
-- degradation: k of 4 and 8, each call scaled by the half of its price that the share says
SELECT answer_plan_explain(jsonb_build_object('plan', '{"ref": "pt.plan"}'::jsonb, 'budgets', b::jsonb))
	- '{order,bindings}'::text[] AS forecast
FROM unnest(ARRAY['{"cost_cap_usd": 2}', '{"cost_cap_usd": 1.0002}', '{"latency_budget_ms": 200}',
	'{"latency_budget_ms": 160}', '{"cost_cap_usd": 0.5}']) AS b;
-- the plan's own limit holds beside the request's
SELECT answer_plan_explain(jsonb_build_object('plan', jsonb_set(plan, '{signals,latency_budget_ms}', '200'),
	'budgets', '{"latency_budget_ms": 5000}'::jsonb)) -> 'degradation' AS degradation FROM plan WHERE name = 'good';
SELECT outcome(format('SELECT answer_plan_explain(%L)', v)) FROM unnest(ARRAY['5', '{}', '{"plan": "pt.plan"}',
	'{"plan": {"ref": 1}}', '{"plan": {"ref": ""}}', '{"plan": {"ref": "pt.plan", "nodes": []}}',
	'{"plan": {"ref": "pt.none"}}', '{"plan": {"ref": "pt.plan"}, "more": 1}',
	'{"plan": {"ref": "pt.plan"}, "vars": 1}',
	'{"plan": {"ref": "pt.plan"}, "vars": null}', '{"plan": {"ref": "pt.plan"}, "budgets": []}',
	'{"plan": {"ref": "pt.plan"}, "budgets": {"cost_cap_usd": -1}}',
	'{"plan": {"ref": "pt.plan"}, "budgets": {"cost": 1}}', '{"plan": {"ref": "pt.plan"}, "intent": ""}',
	'{"plan": {"ref": "pt.plan"}, "tenant": "acme"}', '{"plan": {"ref": "pt.plan"}, "request_id": 5}',
	'{"plan": {"nodes": []}}']) AS v;
SELECT outcome(format('SELECT answer_plan_explain(%L)',
	jsonb_build_object('plan', '{"ref": "pt.plan"}'::jsonb, 'request_id', repeat('ä', n)))) LIKE '{%' AS is_taken
FROM unnest(ARRAY[200, 201]) AS n;
SELECT answer_plan_explain(NULL) IS NULL AS strict;
SHOW answer_eval.tenant;
-- a plan cannot take another's place by its name
SELECT answer_plan_register(jsonb_build_object('plan_id', answer_digest(plan), 'nodes', plan #> '{nodes,0}' || '[]'))
	IS NOT NULL AS registered FROM plan WHERE name = 'good';
SELECT answer_plan_explain(jsonb_build_object('plan', jsonb_build_object('ref', answer_digest(plan))))
	= answer_plan_explain('{"plan": {"ref": "pt.plan"}}') AS is_the_one_meant FROM plan WHERE name = 'good';

-- a tool that plans name can go: the plan is not valid then
SELECT answer_tool_remove('pt.acts');
SELECT outcome($$SELECT answer_plan_explain('{"plan": {"ref": "pt.plan"}}')$$);
SELECT kind, name, action FROM answer.change WHERE kind = 'tool' AND name = 'pt.acts' ORDER BY revision;

SELECT answer_tool_remove(tool) FROM answer.tool WHERE starts_with(tool, 'pt.') ORDER BY tool COLLATE "C";
DROP SCHEMA plan_tools CASCADE;
