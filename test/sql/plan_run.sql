-- Plans that are executed: ops over scripted tools, evidence, budgets, traces, documents, both forms, pending steps.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';
-- predictions go by what tools declare here, whatever was called before
DELETE FROM answer.tool_call;
CREATE SCHEMA plan_run;
SET search_path = plan_run, public;
-- what other files left
SELECT (SELECT count(*) FROM answer.plan_run WHERE status <> 'done') AS unfinished,
	(SELECT count(*) FROM answer.budget_reservation WHERE settled_at IS NULL) AS reserved \gset

CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN 'not refused: ' || left(result, 60);
EXCEPTION WHEN OTHERS THEN
	-- ids of traces are random
	RETURN SQLSTATE || ' ' || regexp_replace(SQLERRM, '\mt_[0-9a-f]{32}\M', 't_...');
END $$;

/* scripted tools */

CREATE TABLE called (n serial, what text);
-- what it is given comes out
CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object('value', args -> 'value') $$;
-- notes its call, then fails the first times
CREATE FUNCTION noted(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO plan_run.called (what) VALUES (args ->> 'what');
	IF args ->> 'fail' = 'yes' OR (args ->> 'fail' = 'twice'
		AND (SELECT last_value FROM plan_run.called_n_seq) % 3 > 0) THEN
		RAISE EXCEPTION 'it fails as it was told';
	END IF;
	RETURN jsonb_build_object('ok', true);
END $$;
-- evidence, or an answer, as it is told
CREATE FUNCTION gives(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args -> 'give' $$;
CREATE FUNCTION quotes(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('text', args ->> 'say', 'citations', COALESCE(args -> 'cite', '[]')) $$;

-- no call of these takes ten seconds, so what is charged is known
SELECT answer_tool_register('pr.echo', 'plan_run.echo(jsonb)', spec => '{"io": {"input": {"value": {}, "k":
	{"type": "integer", "default": 8}}, "output": {"value": {}}}, "capabilities": ["repeat"], "deny_if": ["forbidden"],
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01, "per_item_share": 0.5}}');
SELECT answer_tool_register('pr.dear', 'plan_run.echo(jsonb)', spec => '{"io": {"input": {"value": {}},
	"output": {"value": {}}}, "capabilities": ["repeat"],
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 1}}');
SELECT answer_tool_register('pr.noted', 'plan_run.noted(jsonb)', spec => '{"io": {"input": {"what": "string",
	"fail": "string", "items": "string"}, "output": {"ok": "boolean"}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.1, "side_effects": true}}');
SELECT answer_tool_register('pr.verify', 'plan_run.gives(jsonb)', spec => '{"io": {"input": {"give": "object",
	"min_confidence": "number", "policy": "object", "regulated": "boolean"}, "output": {"evidence": "Evidence"}},
	"provenance": {"observes": true}, "constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.001}}');
SELECT answer_tool_register('pr.quote', 'plan_run.quotes(jsonb)', spec => '{"io": {"input": {"say": "string",
	"cite": "array", "evidence": "Evidence"}, "output": {"text": "string", "citations": "array"}},
	"provenance": {"observes": true}, "constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.002}}');
-- what plans write here are literals of theirs
SELECT answer_memory_policy('', 'plan_run', true);
SELECT answer_tool_register('pr.seldom', 'plan_run.echo(jsonb)', spec => '{"io": {"input": {"value": {}},
	"output": {"value": {}}}, "constraints": {"latency_p50_ms": 10000, "rate_limit_qps": 0.001}}');
SELECT answer_tool_register('pr.paid', 'plan_run.echo(jsonb)', spec => '{"io": {"input": {"value": {}},
	"output": {"value": {}}},
	"constraints": {"latency_p50_ms": 10000, "external_cost": true, "cost_per_call_usd": 0.5}}');
SELECT answer_tool_register('pr.ask', NULL, spec => '{"external": true, "io": {"input": {"q": {"type": "string",
	"required": true}, "n": {"type": "integer", "default": 3}}, "output": {"text": "string", "citations": "array",
	"evidence": "Evidence"}}, "deny_if": ["forbidden"],
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.03}}');

/* a plan of nodes that follow each other, and what came of it as one line */

CREATE FUNCTION chain(nodes jsonb, signals jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'pr', 'signals', signals, 'nodes', nodes, 'edges', COALESCE((
		SELECT jsonb_agg(jsonb_build_array(a.id, b.id) ORDER BY a.o)
		FROM (SELECT n ->> 'id', o FROM jsonb_array_elements(nodes) WITH ORDINALITY AS x (n, o)) AS a (id, o)
		JOIN (SELECT n ->> 'id', o FROM jsonb_array_elements(nodes) WITH ORDINALITY AS x (n, o)) AS b (id, o)
		ON b.o = a.o + 1), '[]'))
$$;
CREATE FUNCTION story(d jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', d ->> 'verdict', d #>> '{reason,kind}', d #>> '{reason,message}', '[' || (
			SELECT string_agg(concat_ws(':', e #>> '{event,step}', NULLIF(e #>> '{event,attempt}', '1'),
				NULLIF(e #>> '{event,outcome}', 'ok')), ' ' ORDER BY o)
			FROM jsonb_array_elements(d -> 'trace') WITH ORDINALITY AS x (e, o)) || ']',
		d #>> '{budget_used,cost_usd}', d #>> '{response,text}',
		(SELECT string_agg(concat_ws(' ', '(' || (c ->> 'code') || ')', c ->> 'text'), ' ' ORDER BY n)
		FROM jsonb_array_elements(d -> 'caveats') WITH ORDINALITY AS a (c, n)),
		-- each document verifies, and is replayed to the same
		CASE WHEN NOT answer_verify_ok(d) THEN 'DOES NOT VERIFY ' || answer_verify(d)::text END,
		CASE WHEN answer_replay(d) <> '{"ok": true}' THEN 'REPLAY ' || answer_replay(d)::text END,
		CASE WHEN answer_trace_verify(d ->> 'trace_id') ->> 'ok' <> 'true' THEN 'TRACE' END)
$$;
CREATE FUNCTION ran(nodes jsonb, vars jsonb DEFAULT '{}', more jsonb DEFAULT '{}', signals jsonb DEFAULT '{}')
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN plan_run.story(answer_plan_execute(
		jsonb_build_object('plan', plan_run.chain(nodes, signals), 'vars', vars) || more));
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

/* ops */

SELECT ran('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": {"x": [1, "$$", "$INPUT.q"]}}, "out": "v"},
	{"id": "b", "op": "assert", "if": "$v.x[2] == ''why'' && $v.x[1] == ''$'' && count($v.x) == 3"}]',
	'{"q": "why"}');
-- what it takes is the longer of what was declared and what it took
SELECT d -> 'budget_used' AS used, d -> 'predicted' AS predicted FROM answer_plan_execute(jsonb_build_object('plan',
	chain('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": 1}, "out": "v"}]'))) AS d;
-- the cheapest tool of a capability
SELECT answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "a", "op": "call", "capability": "repeat",
	"args": {"value": 1}, "out": "v"}]'))) #>> '{trace,0,event,tool}';
-- map: one event, results in order; items and index are bound, keys and embedded dollars are not
SELECT e -> 'inputs' AS inputs, e -> 'outputs' AS outputs, e #> '{event,cost_usd}' AS cost
FROM answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "m", "op": "map", "tool": "pr.echo",
	"args": {"items": "$INPUT.l", "value": ["$item.n", "$index", {"$item": "a $item"}]}, "out": "v"}]'),
	'vars', '{"l": [{"n": "$INPUT"}, {"n": 2.50}]}'::jsonb)) AS d, jsonb_array_elements(d -> 'trace') AS e;
SELECT ran('[{"id": "m", "op": "map", "tool": "pr.echo", "args": {"items": "$INPUT.l", "value": "$item"}, "out": "v"},
	{"id": "c", "op": "assert", "if": "count($v) == $INPUT.n"}]', vars)
FROM (VALUES ('{"l": [3, 1, 2], "n": 3}'::jsonb), ('{"l": [], "n": 0}'), ('{"l": 5, "n": 0}'),
	('{"l": [1, "forbidden", 2], "n": 3}')) AS v (vars);
-- items that are known only when they are there
SELECT ran('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": [1, 2, 3]}, "out": "l"},
	{"id": "m", "op": "map", "tool": "pr.echo", "args": {"items": "$l", "value": "$item"}, "out": "v"}]', '{}', budgets)
FROM (VALUES ('{}'::jsonb), ('{"budgets": {"cost_cap_usd": 0.04}}'),
	('{"budgets": {"cost_cap_usd": 0.035}}')) AS b (budgets);
-- of the caps of a tenant the message says that it is they that leave no more
BEGIN;
SELECT answer_budget_set('', 'request', cap), ran('[{"id": "a", "op": "call", "tool": "pr.echo",
	"args": {"value": [1, 2, 3]}, "out": "l"},
	{"id": "m", "op": "map", "tool": "pr.echo", "args": {"items": "$l", "value": "$item"}, "out": "v"}]', '{}',
	'{"budgets": {"cost_cap_usd": 0.5}}') FROM unnest(ARRAY[0.035, 0.015]) AS cap;
ROLLBACK;
-- reduce: one canonical JSON a line
SELECT answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "r", "op": "reduce", "tool": "pr.noted",
	"args": {"items": "$INPUT.l", "what": "reduce"}, "out": "v"}]'),
	'vars', '{"l": [{"b": 1, "a": "$x"}, "two", 3.50, null]}'::jsonb)) #>> '{trace,0,inputs,items}';
-- retry: three attempts at most, each charged, each an event; what a failing one wrote is undone
SELECT ran('[{"id": "r", "op": "retry", "tool": "pr.noted", "args": {"what": "retry", "fail": "yes"}, "out": "v"}]');
SELECT setval('called_n_seq', 3);
SELECT ran('[{"id": "r", "op": "retry", "tool": "pr.noted", "args": {"what": "retry", "fail": "twice"}, "out": "v"}]');
SELECT ran('[{"id": "r", "op": "retry", "tool": "pr.noted", "args": {"what": "retry", "fail": "yes"}, "out": "v"}]',
	'{}', '{"budgets": {"cost_cap_usd": 0.2}}');
SELECT what, count(*) FROM called GROUP BY what ORDER BY what COLLATE "C";
-- branch: one side, or the other; what is skipped is null, and a name may be bound on either side
SELECT s.side, story(answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('x', s.side),
	'plan', '{"plan_id": "branch", "nodes": [{"id": "b", "op": "branch", "if": "$INPUT.x > 0"},
		{"id": "t", "op": "call", "tool": "pr.echo", "args": {"value": "then"}, "out": "v"},
		{"id": "u", "op": "call", "tool": "pr.echo", "args": {"value": "more"}, "out": "w"},
		{"id": "e", "op": "call", "tool": "pr.dear", "args": {"value": "else"}, "out": "v"},
		{"id": "j", "op": "assert", "if": "($v == ''then'' && $w == ''more'') || ($v == ''else'' && $w == null)"}],
	"edges": [{"from": "b", "to": "t", "label": "then"}, {"from": "b", "to": "e", "label": "else"}, ["t", "u"],
		["u", "j"], ["e", "j"]]}'::jsonb)))
FROM (VALUES ('1'::jsonb), ('0'), ('"x"')) AS s (side);

/* what ends a plan */

SELECT ran(nodes) FROM (VALUES
	('[{"id": "a", "op": "assert", "if": "1 > 2"}]'::jsonb), ('[{"id": "a", "op": "assert", "if": "$INPUT.x == 1"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": "$INPUT.no.such"}, "out": "v"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": "$INPUT"}, "out": "v"},
		{"id": "b", "op": "call", "tool": "pr.echo", "args": {"value": "$v.x"}, "out": "w"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": ["so FORBIDDEN, that"]}, "out": "v"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"more": 1}, "out": "v"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.seldom", "args": {"value": 1}, "out": "v"},
		{"id": "b", "op": "call", "tool": "pr.seldom", "args": {"value": 1}, "out": "w"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.verify", "args": {"give": {}}, "out": "e"}]'),
	('[{"id": "a", "op": "call", "tool": "pr.paid", "args": {"value": 1}, "out": "v"}]'),
	('[{"id": "a", "op": "spawn", "tool": "pr.echo"}]')) AS p (nodes);
-- what a finished step wrote stays when a later one fails
TRUNCATE called;
SELECT ran('[{"id": "a", "op": "call", "tool": "pr.noted", "args": {"what": "stays"}, "out": "v"},
	{"id": "b", "op": "call", "tool": "pr.noted", "args": {"what": "goes", "fail": "yes"}, "out": "w"},
	{"id": "c", "op": "call", "tool": "pr.noted", "args": {"what": "never"}, "out": "x"}]');
SELECT what FROM called;
-- a tool that starts a plan
CREATE FUNCTION nests(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT public.answer_plan_execute('{"plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "assert",
		"if": "true"}]}}') $$;
SELECT answer_tool_register('pr.nests', 'plan_run.nests(jsonb)',
	spec => '{"constraints": {"side_effects": true, "latency_p50_ms": 10000}}');
SELECT ran('[{"id": "a", "op": "call", "tool": "pr.nests", "out": "v"}]');

/* requests */

SELECT refused(format('SELECT answer_plan_execute(%L)', request)) FROM (VALUES (NULL), ('[]'), ('{}'), ('{"plan": {}}'),
	('{"plan": {"ref": "no.such.plan"}}'), ('{"plan": {"plan_id": "x", "nodes": []}, "more": 1}'),
	('{"plan": {"plan_id": "x", "nodes": [{"id": "a", "op": "assert", "if": "true"}]}, "tenant": "nobody"}'))
	AS r (request);
SELECT count(*) - :unfinished AS count FROM answer.plan_run WHERE status <> 'done';
-- a plan by its name, or the digest of a version
SELECT answer_plan_register(chain('[{"id": "a", "op": "assert", "if": "$INPUT.x == 1"}]')) IS NOT NULL AS registered;
SELECT d ->> 'verdict' AS verdict, d #> '{request,ref}' AS ref,
	d #>> '{request,plan_digest}' = answer_digest(d -> 'plan') AS digest
FROM answer_plan_execute('{"plan": {"ref": "pr"}, "vars": {"x": 1}}') AS d;
-- the same request is answered once, and its id is for no other
SELECT answer_plan_execute(r) = answer_plan_execute(r) AS same, answer_plan_execute(r) ->> 'verdict' AS verdict
FROM (SELECT '{"plan": {"ref": "pr"}, "vars": {"x": 1}, "request_id": "one"}'::jsonb) AS q (r);
SELECT count(*) FROM answer.plan_run WHERE request_id = 'one';
SELECT answer_plan_execute('{"plan": {"ref": "pr"}, "vars": {"x": 2}, "request_id": "one"}');

/* evidence: nobody states a verdict */

CREATE FUNCTION evidence(confidence numeric, weight numeric DEFAULT NULL, more jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_build_object('evidence', jsonb_build_object('claims', '["c"]'::jsonb, 'supports', jsonb_build_array(
			jsonb_build_object('claim', 'c', 'source', 'https://a', 'confidence', confidence, 'snippet', 's')),
		'contradicts', CASE WHEN weight IS NULL THEN '[]' ELSE jsonb_build_array(jsonb_build_object('claim', 'c',
			'source', 'https://b', 'weight', weight, 'snippet', 's')) END) || more)
$$;
CREATE FUNCTION judged(give jsonb, nodes jsonb, more jsonb DEFAULT '{}', signals jsonb DEFAULT '{}',
	args jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT plan_run.ran(jsonb_build_array(jsonb_build_object('id', 'v', 'op', 'call', 'tool', 'pr.verify', 'out', 'e',
		'args', jsonb_build_object('give', give) || args)) || nodes, '{}', more, signals)
$$;
SELECT '[{"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is. [1]", "cite": [{"uri": "https://a"}],
	"evidence": "$e"}, "out": "x"}]' AS quote,
	'[{"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is.", "evidence": "$e"}, "out": "x"}]'
	AS bare,
	'[{"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is. [1]", "cite": "$INPUT.cites",
	"evidence": "$e"}, "out": "x"}]' AS cites,
	'[{"id": "w", "op": "mem.write", "args": {"key": "plan_run", "value": {"v": 1}, "provenance": "$e", "ttl": "P1D"}}]'
	AS keep \gset
SELECT judged(evidence(0.95), :'quote'), judged(evidence(0.95), :'bare');
-- below 0.95 citations are needed; below 0.90, or contradicted, nothing is answered
SELECT judged(evidence(0.94), :'quote'), judged(evidence(0.94), :'bare');
SELECT judged(evidence(0.89), :'quote'), judged(evidence(0.99, 0.31), :'quote');
-- 0.93 against 0.18 is 0.91
SELECT judged(evidence(0.93, 0.18), :'quote');
-- what a tool says of itself is overwritten, and a node cannot be laxer than the plan
SELECT judged(evidence(0.5, NULL, '{"verdict": {"confidence": 1, "needs_citation": false},
	"policy": {"block_if_conflict_over": 1}}'), :'quote');
SELECT judged(evidence(0.85), :'quote', '{}', '{}',
	'{"min_confidence": 0.5, "policy": {"cite_if_confidence_below": 0}}'),
	judged(evidence(0.96), :'quote', '{}', '{}', '{"min_confidence": 0.97}');
-- so is an evidence that the plan itself brings
SELECT ran('[{"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is. [1]",
	"cite": [{"uri": "https://a"}], "evidence": {"claims": ["c"], "supports": [], "contradicts": [],
	"verdict": {"confidence": 1}}}, "out": "x"}]');
-- the newest evidence counts where the node names none
SELECT judged(evidence(0.5),
	'[{"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is."}, "out": "x"}]');
-- regulated: by the plan, by the intent of the request, by that of the plan
SELECT judged(evidence(0.99), :'bare', '{}', '{"regulated": true}'),
	judged(evidence(0.99), :'bare', '{"intent": "legal"}');
SET answer_eval.regulated_intents = 'tax, legal';
SELECT judged(evidence(0.99), :'bare', '{"intent": "legal"}'),
	judged(evidence(0.99), :'quote', '{"intent": "legal"}'), judged(evidence(0.99), :'bare', '{"intent": "leg"}');
RESET answer_eval.regulated_intents;
-- markers and citations belong together
SELECT ran(jsonb_build_array(jsonb_build_object('id', 'q', 'op', 'call', 'tool', 'pr.quote', 'out', 'x',
	'args', a.args)))
FROM (VALUES ('{"say": "none"}'::jsonb), ('{"say": "one [1]"}'), ('{"say": "none", "cite": [{"uri": "https://a"}]}'),
	('{"say": "two [2]", "cite": [{"uri": "https://a"}, {"uri": "https://b"}]}'),
	('{"say": "odd [1]", "cite": [1]}')) AS a (args);
-- nobody cites what the evidence does not hold: the sources that it names, and those that it was made of
SELECT judged(evidence(0.95), :'cites', '{"vars": {"cites": [{"uri": "https://elsewhere"}]}}'),
	judged(evidence(0.95), :'cites', '{"vars": {"cites": [{"uri": "https://b"}]}}'),
	judged(evidence(0.95, 0.1), :'cites', '{"vars": {"cites": [{"uri": "https://b"}]}}');
SELECT ran(jsonb_build_array('{"id": "v", "op": "verify", "args": {"claims": ["The desk closes at six."], "sources":
	"$INPUT.hits"}, "out": "e"}'::jsonb) || :'cites', jsonb_build_object('cites',
	jsonb_build_array(jsonb_build_object('uri', cite)), 'hits', '[{"uri": "https://a#1",
	"score": 0.9, "snippet": "The desk closes at six."},
	{"uri": "https://c", "score": 0.2, "snippet": "Parcels."}]'::jsonb))
FROM (VALUES ('https://a#1'), ('https://c'), ('https://a')) AS c (cite);
SELECT ran(jsonb_build_array(jsonb_build_object('id', 'q', 'op', 'call', 'tool', 'pr.quote', 'out', 'x', 'args',
	jsonb_build_object('say', 'so it is. [1]', 'cite', jsonb_build_array(jsonb_build_object('uri', cite)))
	|| evidence(0.95)))) FROM (VALUES ('https://a'), ('https://elsewhere')) AS c (cite);
SELECT judged(evidence(0.95), '[{"id": "w", "op": "mem.write", "args": {"key": "plan_run.other", "value":
	{"text": "so [1]", "citations": [{"uri": "https://elsewhere"}]}, "provenance": "$e"}}]');
-- memory: what rests on blocked evidence, on none of this trace, on too little
SELECT judged(evidence(0.95), :'keep'), judged(evidence(0.8), :'keep');
SELECT ran('[{"id": "w", "op": "mem.write", "args": {"key": "plan_run.other", "value": {}, "provenance": "$INPUT.e"}}]',
	jsonb_build_object('e', evidence(0.99) -> 'evidence'));
SELECT ran('[{"id": "w", "op": "call", "tool": "mesh.mem", "args": {"op": "write", "key": "plan_run.other", "value": {},
	"provenance": "$INPUT.e"}, "out": "x"}]', jsonb_build_object('e', evidence(0.99) -> 'evidence'));
-- a text with markers that are not those of its citations
SELECT judged(evidence(0.91), '[{"id": "w", "op": "mem.write", "args": {"key": "plan_run.other",
	"value": {"text": "so [2]"}, "provenance": "$e"}}]');
SELECT key, value, ttl FROM answer.memory WHERE key LIKE 'plan_run%' ORDER BY key COLLATE "C";
SELECT ran('[{"id": "r", "op": "mem.read", "args": {"key": "plan_run"}, "out": "m"}, {"id": "n", "op": "mem.read",
	"args": {"key": "plan_run.other"}, "out": "o"}, {"id": "a", "op": "assert", "if": "$m.v == 1 && $o == null"}]');

/* budgets */

SELECT ran('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": 1, "k": 8}, "out": "v"}]', '{}', budgets)
FROM (VALUES ('{"budgets": {"cost_cap_usd": 0.01}}'::jsonb), ('{"budgets": {"cost_cap_usd": 0.0075}}'),
	('{"budgets": {"latency_budget_ms": 5625}}'), ('{"budgets": {"latency_budget_ms": 5624}}')) AS b (budgets);
SELECT d -> 'degradation' AS degradation, d #> '{trace,2,inputs,k}' AS k, d #> '{trace,0,event,k}' AS event
FROM answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "a", "op": "call", "tool": "pr.echo",
	"args": {"value": 1}, "out": "v"}]'), 'budgets', '{"cost_cap_usd": 0.0063}'::jsonb)) AS d;
-- the verifier goes breadth first: the best hit of each document, then, with what is left, into those that supported
CREATE FUNCTION looks(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('evidence', jsonb_build_object('claims', '["c"]'::jsonb, 'supports',
		jsonb_agg(jsonb_build_object('claim', 'c', 'source', s -> 'uri', 'confidence', 0.97, 'snippet', 's') ORDER BY o)
		FILTER (WHERE s ->> 'uri' LIKE 'https://a%')))
	FROM jsonb_array_elements(args -> 'sources') WITH ORDINALITY AS x (s, o) $$;
SELECT answer_tool_register('pr.looks', 'plan_run.looks(jsonb)', spec => '{"io": {"input": {"sources": "array"},
	"output": {"evidence": "Evidence"}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.1, "per_item_share": 0.8}}');
SELECT budget, story(d), jsonb_path_query_array(d, '$.trace[*].inputs.sources[*].uri') AS looked_at
FROM (VALUES (0.1), (0.09), (0.07), (0.035), (0.03)) AS b (budget),
	LATERAL answer_plan_execute(jsonb_build_object('budgets', jsonb_build_object('cost_cap_usd', budget), 'plan',
		chain('[{"id": "v", "op": "verify", "tool": "pr.looks", "out": "e", "args": {"sources": [
			{"uri": "https://a#1", "score": 0.2}, {"uri": "https://b", "score": 0.9},
			{"uri": "https://a#2", "score": 0.5}, {"uri": "https://b#2", "score": 0.1},
			{"uri": "https://a#3", "score": 0.3}]}}]'))) AS d;
-- what is remembered takes the place of a plan that is too dear
SELECT judged(evidence(0.93), '[{"id": "w", "op": "mem.write", "args": {"key": "plan_run.kept", "value": {},
	"provenance": "$e"}}]');
SELECT story(d), d -> 'degradation' AS degradation, d #> '{response,degraded}' AS degraded, d #> '{summary,key}' AS key
FROM answer_plan_execute(jsonb_build_object('budgets', '{"cost_cap_usd": 0.001}'::jsonb, 'plan', chain('[
	{"id": "m", "op": "mem.read", "args": {"key": "plan_run.kept"}, "out": "m"},
	{"id": "a", "op": "call", "tool": "pr.dear", "args": {"value": 1}, "out": "v"}]'))) AS d;
-- nothing is left reserved
SELECT count(*) - :reserved AS count FROM answer.budget_reservation WHERE settled_at IS NULL;

/* traces */

CREATE TABLE done AS SELECT answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "a", "op": "call",
	"tool": "pr.echo", "args": {"value": 1}, "out": "v"}, {"id": "b", "op": "assert", "if": "$v == 1"}]')
	|| '{"plan_id": "pr.traced"}')) AS d;
SELECT e ->> 'seq' AS seq, e ->> 'step' AS step, e ->> 'type' AS type, e ->> 'op' AS op, e ->> 'tool' AS tool,
	e -> 'tokens_in' AS "in", e -> 'tokens_out' AS out, e ->> 'inputs_hash' = answer_digest(t -> 'inputs') AS inputs,
	e ->> 'outputs_hash' = answer_digest(t -> 'outputs') AS outputs,
	e = t -> 'event' AS same, (e ->> 'ts_start')::timestamptz <= (e ->> 'ts_end')::timestamptz AS times,
	e ->> 'prev' IS NOT DISTINCT FROM answer_digest(lag(e) OVER (ORDER BY (e ->> 'seq')::int)) AS chained
FROM done, answer_trace(d ->> 'trace_id') AS e, jsonb_array_elements(d -> 'trace') AS t
WHERE t #>> '{event,seq}' = e ->> 'seq';
SELECT count(*) AS after_one, (SELECT count(*) FROM answer_trace('pr.traced')) AS by_plan,
	(SELECT count(*) FROM answer_trace('no such')) AS nothing
FROM done, answer_trace(d ->> 'trace_id', 1);
SELECT answer_digest((SELECT e FROM answer_trace(d ->> 'trace_id', 1) AS e)) = d ->> 'last_event' AS last FROM done;
SELECT left(answer_trace(d ->> 'trace_id', NULL, true) ->> 'sig', 8) AS sig FROM done LIMIT 1;
UPDATE answer.plan_event SET event = '{}';
DELETE FROM answer.plan_event;
TRUNCATE answer.plan_event;
SELECT answer_trace_verify('t_0');

/* documents: what follows from the rest is made again */

SELECT field, r ->> 'field' AS in, left(r ->> 'expected', 36) AS expected, left(r ->> 'found', 20) AS found,
	answer_verify_ok(changed) AS verifies
FROM done, LATERAL (VALUES ('verdict', jsonb_set(d, '{verdict}', '"blocked"')),
	('response', jsonb_set(d, '{response}', '{"text": "x"}')), ('budget', jsonb_set(d, '{budget_used,cost_usd}', '0')),
	('condition', jsonb_set(d, '{plan,nodes,1,if}', '"$v == 2"')),
	('argument', jsonb_set(d, '{plan,nodes,0,args,value}', '2')),
	('price', jsonb_set(d, '{tools,pr.echo,constraints,cost_per_call_usd}', '0.02')),
	('output', jsonb_set(d, '{trace,0,outputs,value}', '2')),
	('predicted', jsonb_set(d, '{predicted,cost_usd}', '7'))) AS c (field, changed),
	LATERAL (SELECT answer_replay(changed) #> '{differences,0}') AS a (r);
SELECT answer_replay(d #- '{trace,1}') ->> 'reason' AS shorter,
	answer_replay(jsonb_set(d, '{trace,1,event,ts_end}', '"2000-01-01T00:00:00Z"')) ->> 'reason' AS earlier,
	answer_replay(d #- '{trace,0,outputs}') AS left_out FROM done;
SET answer_eval.plan_io_limit = 0;
SELECT answer_replay(d), answer_verify_ok(d), d #> '{trace,0,inputs}' AS inputs
FROM answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "a", "op": "call", "tool": "pr.echo",
	"args": {"value": 1}, "out": "v"}]'))) AS d;
RESET answer_eval.plan_io_limit;
SELECT schema, verdict, degraded, confidence, intent FROM answer.receipt
WHERE receipt_id = (SELECT d ->> 'receipt_id' FROM done);

/* the form that commits: the same, and nowhere but at the top */

SELECT jsonb_build_object('plan', chain('[{"id": "v", "op": "call", "tool": "pr.verify", "args": {"give": {"evidence":
	{"claims": ["c"], "supports": [{"claim": "c", "source": "https://a", "confidence": 0.93, "snippet": "s"}]}}},
	"out": "e"}, {"id": "q", "op": "call", "tool": "pr.quote", "args": {"say": "so it is. [1]",
	"cite": [{"uri": "https://a"}], "evidence": "$e"}, "out": "x"}, {"id": "n", "op": "call", "tool": "pr.noted",
	"args": {"what": "run"}, "out": "y"}]')) AS request \gset
CALL answer_plan_run(:'request', NULL) \gset
SELECT story(:'result');
CREATE FUNCTION told(d jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(d -> 'verdict', d #> '{response,text}', d #> '{response,evidence}',
		d #> '{budget_used,cost_usd}', jsonb_path_query_array(d, '$.trace[*].event.inputs_hash'),
		jsonb_path_query_array(d, '$.trace[*].event.outputs_hash')) $$;
SELECT told(:'result') = told(answer_plan_execute(:'request')) AS same;
BEGIN;
CALL answer_plan_run(:'request', NULL);
ROLLBACK;
CREATE PROCEDURE within(request jsonb) LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	CALL answer_plan_run(request, result);
	RAISE WARNING '%', result ->> 'verdict';
END $$;
CALL within(:'request');
CREATE FUNCTION within_function(request jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	CALL answer_plan_run(request, result);
END $$;
SELECT refused(format('SELECT plan_run.within_function(%L)', :'request'));
-- a tool with a price outside is for this form
CALL answer_plan_run(jsonb_build_object('plan', chain('[{"id": "a", "op": "call", "tool": "pr.paid",
	"args": {"value": 1}, "out": "v"}]')), NULL) \gset
SELECT story(:'result');
CALL answer_plan_run('{"plan": {"plan_id": "x", "nodes": []}}', NULL);
CALL answer_plan_run(NULL, NULL);

/* pending steps */

SELECT jsonb_build_object('plan', chain('[{"id": "a", "op": "call", "tool": "pr.echo", "args": {"value": "why"},
	"out": "v"}, {"id": "m", "op": "call", "tool": "pr.ask", "args": {"q": "$v"}, "out": "x"}, {"id": "n", "op": "call",
	"tool": "pr.noted", "args": {"what": "pending"}, "out": "y"}]'), 'request_id', 'two') AS request \gset
SELECT p - 'trace_id' - 'expires_at' AS pending, (p ->> 'expires_at')::timestamptz > now() AS expires,
	p ->> 'trace_id' AS trace_id
FROM answer_plan_execute(:'request') AS p \gset
SELECT :'pending' AS pending, :'expires' AS expires;
SELECT answer_plan_execute(:'request') ->> 'trace_id' = :'trace_id' AS same, status FROM answer.plan_run
WHERE trace_id = :'trace_id';
SELECT answer_plan_recover();
CREATE FUNCTION resumed(trace_id text, results text) RETURNS text LANGUAGE sql AS $$
	SELECT plan_run.refused(format('SELECT answer_plan_resume(%L, %L)', trace_id, results)) $$;
SELECT resumed('t_0', '{"m": {}}');
SELECT resumed(:'trace_id', results) FROM (VALUES (NULL), ('{}'), ('[]'), ('{"m": 1}'), ('{"m": {"result": {}}}'),
	('{"m": {"by": "me"}}'), ('{"m": {"result": {}, "by": "me", "latency_ms": -1}}'),
	('{"m": {"result": {}, "by": "me", "cost": 0}}'), ('{"z": {"result": {}, "by": "me"}}'),
	('{"a": {"result": {}, "by": "me"}}')) AS r (results);
SELECT story(d) AS resumed, d #> '{trace,1,event,by}' AS by, d #> '{trace,1,inputs}' AS inputs
FROM answer_plan_resume(:'trace_id', jsonb_build_object('m', jsonb_build_object('by', 'a model', 'latency_ms', 12000,
	'result', '{"text": "because. [1]", "citations": [{"uri": "https://a"}]}'::jsonb || evidence(0.93)))) AS d;
SELECT resumed(:'trace_id', '{"m": {"result": {}, "by": "me"}}');
SELECT answer_plan_execute(:'request') ->> 'verdict' AS verdict;
-- an answer is checked as a tool's result is, and so is what is asked
SELECT answer_plan_execute(:'request'::jsonb - 'request_id') ->> 'trace_id' AS trace_id \gset
SELECT story(answer_plan_resume(:'trace_id', '{"m": {"result": {"text": 7}, "by": "me"}}'));
SELECT ran('[{"id": "m", "op": "call", "tool": "pr.ask", "args": {"q": "forbidden"}, "out": "x"}]'),
	ran('[{"id": "m", "op": "call", "tool": "pr.ask", "args": {"n": 1}, "out": "x"}]');
-- a map waits for all of its calls at once, a retry for each attempt
SELECT p ->> 'trace_id' AS trace_id, p #> '{pending,0,args}' AS args
FROM answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "m", "op": "map", "tool": "pr.ask",
	"args": {"items": ["a", "b"], "q": "$item"}, "out": "x"}]'))) AS p \gset
SELECT :'args' AS args;
SELECT resumed(:'trace_id', '{"m": {"result": [{}], "by": "me"}}');
SELECT story(answer_plan_resume(:'trace_id', '{"m": {"result": [{"text": "1"}, {"text": "2"}], "by": "me"}}'));
SELECT answer_plan_execute(jsonb_build_object('plan', chain('[{"id": "m", "op": "retry", "tool": "pr.ask",
	"args": {"q": "x"}, "out": "x"}]'))) ->> 'trace_id' AS trace_id \gset
SELECT answer_plan_resume(:'trace_id', '{"m": {"result": 1, "by": "me"}}') #>> '{pending,0,node}' AS again;
SELECT story(answer_plan_resume(:'trace_id', '{"m": {"result": {"text": "at last"}, "by": "me"}}'));
-- the other form goes on, with what this one began
SELECT answer_plan_execute(:'request'::jsonb - 'request_id') ->> 'trace_id' AS trace_id \gset
CALL answer_plan_resume(:'trace_id', '{"m": {"result": {"text": "because"}, "by": "me"}}', NULL) \gset
SELECT story(:'result');
-- another role cannot
CREATE ROLE regress_plan_run;
GRANT EXECUTE ON FUNCTION answer_plan_execute(jsonb), answer_plan_resume(text, jsonb), answer_plan_recover(),
	answer_trace(text, integer, boolean) TO regress_plan_run;
GRANT USAGE ON SCHEMA plan_run TO regress_plan_run;
SELECT answer_plan_execute(:'request'::jsonb - 'request_id') ->> 'trace_id' AS trace_id \gset
SET ROLE regress_plan_run;
SELECT resumed(:'trace_id', '{"m": {"result": {"text": "because"}, "by": "me"}}');
SELECT count(*) FROM answer_trace(:'trace_id');
SELECT * FROM answer.plan_event;
SELECT answer_trace_verify(:'trace_id');
RESET ROLE;
-- what waits too long is settled as after a crash: the step that it waits for is charged
SET answer_eval.pending_expiry = '1s';
SELECT answer_plan_execute(jsonb_set(:'request'::jsonb - 'request_id', '{plan,plan_id}', '"pr.expires"')) ->> 'trace_id'
	AS trace_id \gset
RESET answer_eval.pending_expiry;
DO $$
BEGIN
	WHILE (SELECT expires_at > clock_timestamp() FROM answer.plan_run WHERE plan_id = 'pr.expires') LOOP
		PERFORM pg_sleep(0.1);
	END LOOP;
END $$;
SELECT resumed(:'trace_id', '{"m": {"result": {"text": "because"}, "by": "me"}}');
SELECT answer_plan_recover(), answer_plan_recover();
SELECT story(answer_receipt(receipt_id)) FROM answer.plan_run WHERE trace_id = :'trace_id';
-- left waiting
SELECT count(*) - :reserved AS count FROM answer.budget_reservation WHERE settled_at IS NULL;
/* events of a plan in one transaction are stored some at a time: each of them, whatever their number */

CREATE FUNCTION asserts(count int, more jsonb DEFAULT '[]') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan', chain((
		SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'assert', 'if', 'true') ORDER BY i)
		FROM generate_series(1, count) AS i) || more)) $$;
CREATE TABLE long AS SELECT n, answer_plan_execute(asserts(n)) AS body FROM unnest('{1,63,64,65,128,129}'::int[]) AS n;
SELECT n, body ->> 'verdict' AS verdict, jsonb_array_length(body -> 'trace') AS told, t.count, t.last = n AS in_order,
	answer_trace_verify(body ->> 'trace_id') -> 'ok' AS ok, answer_verify(body) -> 'ok' AS verifies
FROM long, LATERAL (SELECT count(*), (array_agg((e ->> 'seq')::int ORDER BY ordinality))[count(*)] AS last
	FROM answer_trace(body ->> 'trace_id') WITH ORDINALITY AS a (e)) AS t ORDER BY n;
-- so are those before a step that waits
SELECT answer_plan_execute(asserts(70, '[{"id": "a", "op": "call", "tool": "pr.ask", "args": {"q": "x"}, "out": "x"}]'))
	->> 'trace_id' AS trace_id \gset
SELECT count(*), max((e ->> 'seq')::int) FROM answer_trace(:'trace_id') AS e;
SELECT status, state IS NOT NULL AS has_state FROM answer.plan_run WHERE trace_id = :'trace_id';
SELECT answer_plan_resume(:'trace_id', '{"a": {"result": {"text": "yes"}, "by": "me"}}') ->> 'verdict' AS verdict;
SELECT count(*), answer_trace_verify(:'trace_id') -> 'ok' AS ok FROM answer_trace(:'trace_id');
-- a savepoint takes a plan back as a whole
BEGIN;
SAVEPOINT before;
SELECT answer_plan_execute(asserts(3)) ->> 'trace_id' AS trace_id \gset
ROLLBACK TO before;
COMMIT;
SELECT (SELECT count(*) FROM answer.plan_run WHERE trace_id = :'trace_id') AS runs,
	(SELECT count(*) FROM answer.plan_event WHERE trace_id = :'trace_id') AS events;
/* the caller says under which id it will follow */

\set mine t_0123456789abcdef0123456789abcdef
SELECT answer_plan_execute(asserts(2) || '{"trace_id": "t_0123456789abcdef0123456789abcdef"}')
	->> 'trace_id' = :'mine' AS is_mine;
SELECT count(*) FROM answer_trace(:'mine');
-- once, in either form, and whatever came of the first
SELECT answer_plan_execute(asserts(3) || '{"trace_id": "t_0123456789abcdef0123456789abcdef"}');
CALL answer_plan_run(asserts(2) || '{"trace_id": "t_0123456789abcdef0123456789abcdef"}');
CALL answer_plan_run(asserts(2) || '{"trace_id": "t_0123456789abcdef0123456789abcdef", "request_id": "pr.other"}');
BEGIN;
SELECT answer_plan_execute(asserts(2) || '{"trace_id": "t_00000000000000000000000000000001"}') ->> 'verdict' AS verdict;
SELECT answer_plan_execute(asserts(2) || '{"trace_id": "t_00000000000000000000000000000001"}');
ROLLBACK;
-- what was refused keeps no lock
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory';
-- with a request_id the stored answer comes again
SELECT count(DISTINCT answer_plan_execute(asserts(2)
	|| '{"trace_id": "t_00000000000000000000000000000002", "request_id": "pr.mine"}') ->> 'receipt_id')
FROM generate_series(1, 2);
SELECT answer_plan_execute(asserts(2) || jsonb_build_object('trace_id', id))
FROM (VALUES (to_jsonb('t_0123456789ABCDEF0123456789abcdef'::text))) AS v (id);
SELECT answer_plan_execute(asserts(2) || '{"trace_id": "t_1"}');
SELECT answer_plan_execute(asserts(2) || '{"trace_id": 1}');
SELECT answer_plan_explain(asserts(1) || '{"trace_id": "t_00000000000000000000000000000003"}') -> 'order' AS "order";

DROP OWNED BY regress_plan_run;
DROP ROLE regress_plan_run;
