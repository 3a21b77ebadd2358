-- Plans: conditions, binding, verdicts of evidence, markers, references, times to live, tokens, validation, forecast.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
\set answer_test :srcdir '/lib/answer_test.sql'
\i :answer_test
SET timezone = 'Asia/Tokyo';

CREATE FUNCTION plan_refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Conditions. Each has its expected outcome beside it; only what differs is shown, and how many there were.
CREATE TABLE plan_condition (n serial, condition text, outcome text);
INSERT INTO plan_condition (condition, outcome) VALUES
	('$ev1.verdict.confidence >= 0.90', 'holds'), ('$ev1.verdict.confidence>0.91', 'fails'), ('true', 'holds'),
	('!true', 'fails'), ('!!true', 'holds'), ('- -1 == 1', 'holds'), ('1 < 2 && 2 < 3 || false', 'holds'),
	-- && binds more tightly than ||, ! more tightly than a comparison
	('true || false && false', 'holds'), ('(true || false) && false', 'fails'), ('!$no == $no', 'fails'),
	('!$yes != $yes', 'holds'), ('!$n == 1', 'error'), ('!($n == 1)', 'holds'), ('-$n < 0', 'holds'),
	('1 < 2 == true', 'error'), ('(1 < 2) == true', 'holds'), ('1 < 2 < 3', 'error'),
	-- values: numbers by value, everything else by type and canonical form
	('1.0 == 1', 'holds'), ('1e2 == 100', 'holds'), ('''1'' == 1', 'fails'), ('''1'' != 1', 'holds'),
	('null == null', 'holds'), ('null == false', 'fails'), ('$null == null', 'holds'), ('$one == $one.0', 'fails'),
	('$one == $same', 'holds'), ('$o == $p', 'holds'), ('$o == $one', 'fails'), ('$one.0 == $same[0]', 'holds'),
	-- what portable form writes as a text is that number everywhere, and no other text is
	('$long == 12345678901234567890', 'holds'), ('$long > 1', 'holds'), ('$long < 1', 'fails'), ('-$long < 0',
	'holds'),
	('''12345678901234567890'' == $number', 'holds'), ('$small < 0.001', 'holds'), ('max($longs) == $long', 'holds'),
	('$decimal > 0', 'error'), ('$decimal == 0.1', 'fails'), ('$decimal == ''0.1''', 'holds'), ('''007'' > 1',
	'error'),
	('''-12345678901234567890'' < 0', 'holds'), ('''12345678901234567890.0'' > 0', 'error'), ('$longs == $longs2',
	'holds'),
	-- order: two numbers, or two texts by code point
	('''a'' < ''b''', 'holds'), ('''Z'' < ''a''', 'holds'), ('''z'' < ''ä''', 'holds'), (U&'''\FF5E'' < ''\+01F600''',
	'holds'),
	('''a'' < 1', 'error'), ('true < false', 'error'), ('null < 1', 'error'), ('$one < $one', 'error'),
	-- aggregates
	('mean($list) == 2', 'holds'), ('min($list) == 1 && max($list) == 3', 'holds'), ('count($list) == 3', 'holds'),
	('mean($thirds) == 0.33333333333333333333', 'fails'), ('mean($thirds) > 0.33333333333333333333', 'holds'),
	('mean($thirds) == mean($thirds)', 'holds'), ('-mean($thirds) < 0', 'holds'), ('mean($huge) == 0.25', 'holds'),
	('count($mixed) == 2', 'holds'), ('count($empty) == 0', 'holds'), ('mean($empty) == 0', 'error'),
	('min($mixed) == 1', 'error'), ('mean($o) == 0', 'error'), ('count($o) == 2', 'error'), ('count(1) == 1',
	'error'),
	('count($list) == $n + 1', 'error'), ('mean(($list)) == 2', 'holds'), ('mean ( $list ) == 2', 'holds'),
	('mean $list == 2', 'error'), ('$mean(1)', 'error'), ('sum($list) == 6', 'error'), ('count($list.0)', 'error'),
	-- errors are not short-circuited away, and a result must be boolean
	('true || $nothing', 'error'), ('false && $n < ''a''', 'error'), ('true || 1', 'error'), ('1', 'error'),
	('''true''', 'error'),
	('null', 'error'), ('$list', 'error'), ('$yes', 'holds'), ('$no', 'fails'), ('!1', 'error'), ('-true == 1',
	'error'),
	-- references
	('$list[0] == 1', 'holds'), ('$list.0 == 1', 'holds'), ('$list[3] == 1', 'error'), ('$list[01] == 1', 'error'),
	('$list.x == 1', 'error'), ('$ev1["verdict"] == 1', 'error'), ('$ev1.verdict. == 1', 'error'), ('$ == 1',
	'error'),
	('$ev1..verdict == 1', 'error'), ('$key.a-b == 1', 'holds'), ('$key.ä == 2', 'holds'), ('$INPUT.query == ''q''',
	'holds'),
	('$ev1.verdict.confidence.x == 1', 'error'), ('$a.1.2.3.4.5.6.7.8.9 == 1', 'error'), ('$item == 5 && $index == 0',
	'holds'),
	-- texts
	('$quote == ''it\''s "so"''', 'holds'), ('$quote == "it''s \"so\""', 'holds'), ('"\u00e4" == ''ä''', 'holds'),
	('''\n'' == $line', 'holds'), (E'''\n'' == $line', 'error'), ('''\x'' == ''x''', 'error'), ('''a', 'error'),
	('''\u0000'' == ''a''', 'error'), ('''\ud800'' == ''a''', 'error'), ('''\ud83d\ude00'' == ''😀''', 'holds'),
	('''a\'' == ''a''', 'error'), ('""==''''', 'holds'),
	-- numbers
	('007 == 7', 'error'), ('.5 == 0.5', 'error'), ('5. == 5', 'error'), ('1e == 1', 'error'), ('1E+2 == 100',
	'holds'),
	('1e-2 == 0.01', 'holds'), ('0x10 == 16', 'error'), ('1e200000 > 1', 'error'), ('1e131000 > 1', 'holds'),
	('+1 == 1', 'error'),
	('0.1 == 0.1000000000000000000000000000000001', 'fails'), ('-0 == 0', 'holds'), ('NaN == NaN', 'error'),
	-- syntax
	('', 'error'), (' ', 'error'), ('1 <', 'error'), ('< 1', 'error'), ('(1 < 2', 'error'), ('1 < 2)', 'error'),
	('()', 'error'),
	('1 = 1', 'error'), ('1 <> 2', 'error'), ('true and true', 'error'), ('true & true', 'error'), ('true true',
	'error'),
	('1 == 1 ;', 'error'), ('True', 'error'), ('not true', 'error'), ('1 <= = 2', 'error'), (E'true\t&&\r\n true',
	'holds'),
	(E'true\u00a0', 'error'), ('mean()', 'error'), ('(mean)($list)', 'error'), ('true(1)', 'error'), ('1-1 == 0',
	'error');
SELECT '{"ev1": {"verdict": {"confidence": 0.91}}, "n": 2, "yes": true, "no": false, "null": null, "one": [1.0],
	"same": [1],
	"o": {"a": 1, "b": [2]}, "p": {"b": [2.00], "a": 1e0}, "long": "12345678901234567890",
	"number": 12345678901234567890,
	"small": "0.00001", "decimal": "0.1", "longs": [1, "12345678901234567890"], "longs2": [1.0, 12345678901234567890],
	"list": [1, 2, 3], "thirds": [1, 0, 0], "huge": [1e100, -1e100, 1, 0], "mixed": [1, "a"], "empty": [],
	"key": {"a-b": 1, "ä": 2}, "INPUT": {"query": "q"}, "quote": "it''s \"so\"", "line": "\n", "item": 5,
	"index": 0}' AS bindings \gset
SELECT n, condition, outcome, got FROM plan_condition, answer.condition(condition, :'bindings') AS got
WHERE got ->> 'outcome' IS DISTINCT FROM outcome OR (got -> 'reason' = 'null') <> (outcome = 'holds') ORDER BY n;
SELECT count(*), count(*) FILTER (WHERE outcome = 'error') AS errors FROM plan_condition;

-- Why.
SELECT condition, answer.condition(condition, :'bindings') ->> 'reason' AS reason FROM unnest(ARRAY[
	'$ev1.verdict.confidence >= 0.95', 'true && $nothing', '$list[7] == 1', '$list.a.b', '$n.x == 1', '1 < ''a''',
	'mean($mixed) > 1',
	'mean($empty) > 1', 'count($n) > 1', '!$n', '-$o == 1', '$n', '$yes && 5', '1 <', '1 < 2 < 3', '(true', 'true)',
	'and', '$ev1..x', '$ev1[x]',
	'mean', '''ä'' ? 1', '007 == 7', '1e200000 > 1', '''a', '''\x'' == 1',
	'$n == 1 && $one == 2 && $no && $yes && $o == 1 && $null == 1',
	'$list == 1', '$decimal == "a"']) WITH ORDINALITY AS c (condition, n) ORDER BY n;
-- Whatever the size and the nesting: no recursion, and linear.
SELECT answer.condition(repeat('(', 200000) || 'true' || repeat(')', 200000)) ->> 'outcome' AS parentheses,
	answer.condition(repeat('!', 200001) || 'false') ->> 'outcome' AS nots, answer.condition(repeat('-',
	200000) || '1 == 1') ->> 'outcome' AS signs,
	answer.condition(repeat('mean(', 200000) || '$a' || repeat(')', 200000), '{"a": [1]}') ->> 'outcome' AS means,
	answer.condition(repeat('(', 200000)) ->> 'reason' AS open, answer.condition('true' || repeat(' && true',
	12500)) ->> 'outcome' AS ands,
	answer.condition('true' || repeat(' && $a.x == $b.x', 6000), '{"a": {"x": [1]},
	"b": {"x": [1.0]}}') ->> 'outcome' AS references;
SELECT answer.condition('true' || repeat(' && mean($a) < 2 && $a == $b', 3000), jsonb_build_object('a', x, 'b',
	x)) ->> 'outcome' AS large_arrays
FROM (SELECT jsonb_agg(1) AS x FROM generate_series(1, 100000)) AS a;
SELECT answer.condition('mean($a) > 1', jsonb_build_object('a', x)) ->> 'outcome' AS long_numbers
FROM (SELECT jsonb_agg(CASE WHEN i = 1 THEN 1e131000 ELSE 1 END) AS x FROM generate_series(1, 50000) AS i) AS a;
SELECT left(answer.condition('1 == 1' || repeat(' ', 1048576)) ->> 'reason', 80) AS too_long;
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer.condition(NULL)', 'SELECT answer.condition(''true'', ''[]'')',
	'SELECT answer.condition(repeat('' '', 16777217))']) AS s;
SELECT answer.condition('true'), answer.condition('$a', NULL);

-- Binding.
SELECT answer.bind('{"whole": "$a", "path": "$a.b[0].c", "list": ["$b", ["$b"]], "embedded": "x $b", "$b": "key",
	"money": "$5", "alone": "$",
	"blank": "$b ", "escaped": "$$b", "twice": "$$$b", "null": "$n", "spaces": "$a.d e", "index": "$a.b.0.c",
	"number": 7}',
	'{"a": {"b": [{"c": 1.50}], "d e": "$b"}, "b": [true], "n": null}');
SELECT plan_refused(format('SELECT answer.bind(%L, %L)', args, '{"a": {"b": [1]}, "b": "x"}')) FROM unnest(ARRAY[
	'"$c"', '{"x": [{"y": "$a.c"}]}', '"$a.b[1]"', '"$b.x"', '"$a."', '"$a..b"', '"$a[b]"', '"$a.b[0]x"', '"$a.b[]"',
	'"$a[0"', '"$a.1.2.3.4.5.6.7.8.9"',
	'"$item"', '"$a.b.ä"']) AS args;
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer.bind(NULL)', 'SELECT answer.bind(''1'', ''[]'')']) AS s;
SELECT answer.bind('"$a"', '{"a": 1}'), answer.bind('null'), answer.bind('["x"]', NULL);
-- what is shared is written once only: a thousand times 10 MB is too much
SELECT plan_refused($$SELECT answer.bind((SELECT jsonb_agg('$a'::text) FROM generate_series(1, 1000)),
	jsonb_build_object('a', repeat('x', 10000000)))$$);

-- The verdict of evidence.
CREATE FUNCTION plan_evidence(supports numeric[], contradictions numeric[] DEFAULT '{}',
	more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('claims', '["a"]'::jsonb,
		'supports', (SELECT coalesce(jsonb_agg(jsonb_build_object('claim', 'a', 'source', 's', 'confidence', n)),
		'[]') FROM unnest(supports) AS n),
		'contradicts', (SELECT coalesce(jsonb_agg(jsonb_build_object('claim', 'a', 'source', 's', 'weight', n)), '[]')
		FROM unnest(contradictions) AS n)) || more $$;
SELECT n, answer.evidence_verdict(plan_evidence(supports, contradictions)) - 'reasons' AS verdict FROM (VALUES
	(1, '{0.93}'::numeric[], '{0.18}'::numeric[]), (2, '{0.93}', '{}'), (3, '{}', '{}'), (4, '{1}', '{1}'), (5, '{1}',
	'{0.3}'), (6, '{1}', '{0.31}'),
	(7, '{1}', '{0.300000000000000000000001}'), (8, '{0.2, 0.95, 0.5}', '{0.1, 0.05}'), (9, '{0.1}', '{0.2}'), (10,
	'{0.895}', '{}'), (11, '{0.905}', '{}'),
	(12, '{0.90500000000000000000000000000000001}', '{}'), (13, '{0.125}', '{}'), (14, '{1}', '{1e-30}'), (15, '{0}',
	'{}')) AS v (n, supports, contradictions) ORDER BY n;
-- the nearest double decides, as answer-conf/1 has it: the same as with answer_composite
SELECT n FROM generate_series(0, 1000) AS n
WHERE (answer.evidence_verdict(plan_evidence(ARRAY[n / 1000.0])) ->> 'confidence')::numeric <>
	(SELECT (c).confidence::numeric FROM (SELECT answer_composite('supported', x.n / 1000.0::float8, true) AS c
		FROM (VALUES (n)) AS x (n)) AS y);
SELECT answer.evidence_verdict('{"claims": ["a", "b", "a"], "supports": [{"claim": "a", "confidence": 1},
	{"claim": "b", "confidence": 0.85}]}') AS least,
	answer.evidence_verdict('{"claims": ["a", "b"], "supports": [{"claim": "a", "confidence": 1}]}') AS one_without,
	answer.evidence_verdict('{"claims": []}') AS none;
-- what a verdict says of itself is not read; a long number may be a text
SELECT answer.evidence_verdict(plan_evidence('{0.5}', '{}', '{"verdict": {"confidence": 1,
	"needs_citation": false}}')) AS stated,
	answer.evidence_verdict('{"claims": ["a"], "supports": [{"claim": "a",
	"confidence": "0.12345678901234567890123"}]}') AS text;
SELECT least, regulated, answer.evidence_verdict(plan_evidence('{0.96}'), least,
	regulated) ->> 'needs_citation' AS cite,
	answer.evidence_verdict(plan_evidence('{0.84}'), least, regulated) -> 'reasons' AS reasons
FROM (VALUES (1, NULL::numeric, false), (2, 0.80, true), (3, 0.5, NULL), (4, 0.85, false), (5, 0, false), (6, 1,
	false)) AS v (n, least, regulated) ORDER BY n;
SELECT answer.evidence_verdict(plan_evidence('{0.79}'), 0.1) -> 'reasons' AS never_below_80,
	answer.evidence_verdict(plan_evidence('{0.97}', '{0.05}', '{"policy": {"cite_if_confidence_below": 0.5,
	"block_if_conflict_over": 0.04}}')) AS policy;
SELECT plan_refused(format('SELECT answer.evidence_verdict(%L)', e)) FROM unnest(ARRAY['[]', '{}', '{"claims": "a"}',
	'{"claims": [1]}',
	'{"claims": ["a"], "supports": {}}', '{"claims": ["a"], "supports": [1]}', '{"claims": ["a"],
	"supports": [{"confidence": 1}]}',
	'{"claims": ["a"], "supports": [{"claim": "b", "confidence": 1}]}', '{"claims": ["a"],
	"supports": [{"claim": "a"}]}',
	'{"claims": ["a"], "supports": [{"claim": "a", "confidence": 1.01}]}', '{"claims": ["a"],
	"supports": [{"claim": "a", "confidence": "0.5"}]}',
	'{"claims": ["a"], "supports": [{"claim": "a", "confidence": 0}, {"claim": "a", "confidence": -0.1}]}',
	'{"claims": ["a"], "contradicts": [{"claim": "ä", "weight": 1}]}',
	'{"claims": ["a"], "contradicts": [{"claim": "a", "weight": null}]}', '{"claims": ["a"], "related": {}}',
	'{"claims": ["a"], "policy": []}',
	'{"claims": ["a"], "policy": {"block_if_conflict_over": 2}}']) AS e;
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer.evidence_verdict(NULL)',
	'SELECT answer.evidence_verdict(''{"claims": []}'', 1.1)',
	'SELECT answer.evidence_verdict(''{"claims": []}'', ''NaN'')']) AS s;

-- Markers.
SELECT said, many, answer.markers_check(said, (SELECT jsonb_agg(jsonb_build_object('uri', i)) FROM (SELECT 'u' AS i
	FROM generate_series(1, many)) AS x), needed) AS checked
FROM (VALUES (1, 'a [1] b [2] c [1].', 2, true), (2, 'a [2] b [1]', 2, true), (3, 'a [1]', 2, false), (4,
	'a [1] [3] [3]', 2, false), (5, 'a', 0, false), (6, 'a', 0, true),
	(7, '[0]', 0, false), (8, '[01] [1]', 1, false), (9, '[1] [99999999999999999999999]', 1, false), (10,
	'[[1]] [] [x] [ 2] [2', 1, true), (11, '', 0, false)) AS v (n, said, many, needed) ORDER BY n;
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer.markers_check(NULL, NULL, false)',
	'SELECT answer.markers_check(''a'', NULL, NULL)',
	'SELECT answer.markers_check(''a'', ''{}'', false)', 'SELECT answer.markers_check(''a'', ''[1]'', false)',
	'SELECT answer.markers_check(''a'', ''[{"uri": ""}]'', false)',
	'SELECT answer.markers_check(''a'', ''[{"uri": "u", "title": 5}]'', false)',
	'SELECT answer.markers_check(''a'', ''[{"uri": "u", "stamp": {}}]'', false)']) AS s;

-- References: some, and what would look like another one.
SELECT answer.reference_list('[{"uri": "docs.acme.example/policies/refunds.html#custom",
	"title": "Refund Policy → Custom Items", "stamp": "2025-07-18T10:15:00Z"},
	{"uri": "docs.acme.example/policies/custom-items.pdf", "title": "Custom Items Exceptions",
	"stamp": "2025-08-02T09:00:00Z"}]');
SELECT answer.reference_list('[{"uri": "a b\n[9] *x*, c", "title": " a\u00a0\n\t*b* [2] c\\ "}, {"uri": "u",
	"title": null, "stamp": null}, {"uri": "u", "title": " ", "stamp": "soon"},
	{"uri": "u", "stamp": "2025-01-01T00:30:00+02:00"}, {"uri": "u", "stamp": "2025-01-01"}, {"uri": "u",
	"stamp": "0001-01-01T00:00:00+01:00"}]');
SELECT answer.reference_list('[]') = '' AS empty, answer.reference_list(NULL) = '' AS none,
	plan_refused('SELECT answer.reference_list(''[{"title": "t"}]'')') AS refused;

-- Times to live.
SELECT ttl, answer.memory_expires(ttl, '2026-03-01 00:00:00Z') AT TIME ZONE 'UTC' AS expires
FROM unnest('{P1D,P180D,PT1S,PT24H,P1DT1H1M1S,P0DT1S,P007D,PT90M,P3650000D,NULL}'::text[]) WITH ORDINALITY AS t (ttl,
	n) ORDER BY n;
SELECT ttl, plan_refused(format('SELECT answer.memory_expires(%L, now())', ttl)) AS refused
	FROM unnest('{"",P,PT,P1DT,1D,p1d,P1Y,P1M,P1W,PT1D,P1H,P-1D,P+1D,P1.5D,"P1,5D",PT0.5S," P1D","P1D ",
	P0D,PT0S,P0DT0H,P3650001D,P3650000DT1S,P99999999999999999999D,PT1S1M,P1D1D,PT1HT1M,P१D}'::text[])
	WITH ORDINALITY AS t (ttl,
	n) ORDER BY n;
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer.memory_expires(''P1D'', NULL)',
	'SELECT answer.memory_expires(''P1D'', ''infinity'')',
	'SELECT answer.memory_expires(''P3650000D'', ''294000-01-01'')']) AS s;

-- Tokens: characters of the canonical form.
SELECT v, answer.tokens(v::jsonb) FROM unnest(ARRAY['null', '""', '{"a": "bc"}', '{"a": "bcd"}', '"ä"', '"😀"', '[1, 2,
	3]', '14.0']) AS v;
SELECT answer.tokens(NULL) IS NULL AS null;

-- Plans. The tools of a small one.
SELECT '{"doc.search": {"io": {"input": {"q": {"type": "string"}, "k": {"type": "integer", "default": 8},
	"filters": {"type": "object"}},
		"output": {"hits": {"type": "array", "items": {"id": "string", "uri": "string", "score": "number",
		"snippet": "string", "stamp": "string"}}}},
		"constraints": {"input_tokens_max": 512, "latency_p50_ms": 120, "cost_per_call_usd": 0.0001},
		"capabilities": ["search"]},
	"ground.verify": {"io": {"input": {"claims": {"type": "array", "items": "string"}, "sources": {"type": "array",
	"items": "Hit"}}, "output": {"evidence": "Evidence"}},
		"constraints": {"latency_p50_ms": 200, "cost_per_call_usd": 0.0008, "per_item_share": 0.5}},
	"synth.answer": {"io": {"input": {"query": "string", "evidence": "Evidence"}, "output": {"text": "string",
	"citations": {"type": "array"}}},
		"constraints": {"latency_p50_ms": 140, "cost_per_call_usd": 0.0012}},
	"mesh.mem": {"io": {"input": {"op": "string"}, "output": {"ok": "boolean", "value": "object"}},
	"constraints": {"latency_p50_ms": 60, "side_effects": true}},
	"quick": {"io": {"input": {"q": "string", "k": "integer"}, "output": {"hits": "array"}},
	"constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0.0001, "per_item_share": 1},
		"capabilities": ["search"]},
	"dear": {"io": {"input": {"q": "string"}, "output": {"v": "object"}}, "constraints": {"latency_p50_ms": 1000,
	"cost_per_call_usd": 1}}}' AS tools \gset
SELECT '{"plan_id": "acme.refund.v1", "signals": {"latency_budget_ms": 1500, "cost_cap_usd": 0.02, "risk": "low"},
	"nodes": [
	{"id": "n1", "op": "call", "tool": "doc.search", "args": {"q": "refund policy custom items", "k": 8},
	"out": "hits1"},
	{"id": "n2", "op": "call", "tool": "ground.verify", "args": {"claims": ["Refund policy for custom items"],
	"sources": "$hits1", "min_confidence": 0.90}, "out": "ev1"},
	{"id": "n3", "op": "assert", "if": "$ev1.verdict.confidence >= 0.90"},
	{"id": "n4", "op": "call", "tool": "synth.answer", "args": {"query": "$INPUT.query", "evidence": "$ev1",
	"style": "concise+citations"}, "out": "ans"},
	{"id": "n5", "op": "mem.write", "tool": "mesh.mem", "args": {"op": "write", "key": "faq.refunds.custom",
	"value": "$ans", "provenance": "$ev1", "ttl": "P180D"}}],
	"edges": [["n1", "n2"], ["n2", "n3"], ["n3", "n4"], ["n4", "n5"]],
	"stop_conditions": {"max_nodes": 10}}' AS seed \gset
SELECT * FROM answer_test.plan_problems(:'seed', :'tools');
SELECT answer_test.plan_outline(:'seed', :'tools');
-- Every change makes it invalid, and says so.
CREATE TABLE plan_change (n serial, change text[], value jsonb);
INSERT INTO plan_change (change, value) VALUES
	('{plan_id}', '""'), ('{plan_id}', '5'), ('{plan_id}', to_jsonb(repeat('ä', 201))), ('{intent}', '""'), ('{x}',
	'1'), ('{signals}', '1'), ('{signals,cost_cap_usd}', '-0.01'),
	('{signals,latency_budget_ms}', '"1"'), ('{signals,risk}', '"none"'), ('{signals,regulated}', '"yes"'),
	('{signals,x}', '1'), ('{stop_conditions,max_nodes}', '4'),
	('{stop_conditions,max_nodes}', '4.5'), ('{stop_conditions,max}', '4'), ('{nodes}', '[]'), ('{nodes}', '{}'),
	('{nodes,0}', '1'), ('{nodes,0,id}', '"n2"'), ('{nodes,0,id}', '""'), ('{nodes,0,x}', '1'),
	('{nodes,0,op}', '"spawn"'), ('{nodes,0,op}', '"Call"'), ('{nodes,0,tool}', '"none"'), ('{nodes,0,tool}', '1'),
	('{nodes,0,capability}', '"search"'), ('{nodes,0,args}', '[]'), ('{nodes,0,out}', '"INPUT"'),
	('{nodes,0,out}', '"1a"'), ('{nodes,0,out}', '"ev1"'), ('{nodes,0,out}', 'null'), ('{nodes,0,if}', '"true"'),
	('{nodes,0,args,q}', '"$ans"'), ('{nodes,0,args,q}', '"$nothing.x"'), ('{nodes,0,args,q}', '"$item"'),
	('{nodes,0,args,q}', '"$INPUT..x"'), ('{nodes,2,if}', '"$ev1 >="'), ('{nodes,2,if}', '"$hits2 == 1"'),
	('{nodes,2,if}', '1'), ('{nodes,2,tool}', '"doc.search"'), ('{nodes,2,args}', '{"x": 1}'),
	('{nodes,2,op}', '"branch"'), ('{nodes,4,args,provenance}', 'null'), ('{nodes,4,args,ttl}', '"P1Y"'),
	('{nodes,4,args,ttl}', '5'), ('{edges}', '{}'), ('{edges,0}', '["n1"]'), ('{edges,0}', '["n1", "n9"]'),
	('{edges,0}', '[1, 2]'), ('{edges,0}', '["n1", "n1"]'), ('{edges,4}', '["n1", "n2"]'), ('{edges,4}', '["n4",
	"n1"]'), ('{edges,4}', '{"from": "n1", "to": "n5", "label": "then"}'),
	('{edges,4}', '{"from": "n1", "to": "n5", "x": 1}'), ('{edges,0}', '["n3", "n5"]'), ('{nodes,0,op}', '"map"'),
	('{nodes,0}', '{"id": "n1", "op": "map", "tool": "quick", "args": {"items": 5}, "out": "hits1"}'),
	('{nodes,0}', '{"id": "n1", "op": "map", "tool": "quick", "args": {"items": "$item"}, "out": "hits1"}'),
	('{nodes,0}', '{"id": "n1", "op": "retry", "args": {}, "out": "hits1"}'),
	('{nodes,0}', '{"id": "n1", "op": "call", "capability": "fly", "out": "hits1"}');
SELECT n, change, coalesce((SELECT string_agg(coalesce(node, '-') || ': ' || problem, '; ' ORDER BY i)
	FROM answer_test.plan_problems(jsonb_set(:'seed', change, value), :'tools') WITH ORDINALITY AS p (node, problem,
		i)),
	'VALID') AS problems FROM plan_change ORDER BY n;
SELECT plan_refused(format('SELECT answer_test.plan_outline(%L, %L)', p, :'tools')) FROM unnest(ARRAY['[]', '{}',
	'{"plan_id": "p", "nodes": [{"id": "ä", "op": "call", "out": "a"}]}']) AS p;
-- and these leave it valid
SELECT change, value FROM (VALUES ('{plan_id}'::text[], to_jsonb(repeat('ä', 200))), ('{intent}', '"faq"'),
	('{signals,cost_cap_usd}', '"0.00001"'), ('{signals}', '{}'),
	('{stop_conditions,max_nodes}', '5'), ('{stop_conditions}', '{}'), ('{edges,0}', '{"from": "n1", "to": "n2"}'),
	('{nodes,4,args,ttl}', '"$INPUT.ttl"'), ('{nodes,4,out}', '"done"'),
	('{nodes,0,args,q}', '"$$nothing"'), ('{nodes,0,args,q}', '"$5 or $x"'), ('{nodes,2,out}', '"fine"'),
	('{nodes,3,op}', '"retry"'), ('{nodes,1,op}', '"verify"')) AS v (change, value)
WHERE EXISTS (SELECT FROM answer_test.plan_problems(jsonb_set(:'seed', change, value), :'tools'));

-- Sides of branches: n1 chooses; n2 and n3 exclude each other, also where a second branch leads to n2 as well.
CREATE FUNCTION plan_of(edges text, VARIADIC nodes text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'p', 'nodes', (SELECT jsonb_agg(n::jsonb ORDER BY i)
	FROM unnest(nodes) WITH ORDINALITY AS u (n, i)),
		'edges', (SELECT coalesce(jsonb_agg(CASE WHEN e[3] IS NULL THEN jsonb_build_array(e[1],
		e[2]) ELSE jsonb_build_object('from', e[1], 'to', e[2], 'label', e[3]) END), '[]')
			FROM (SELECT string_to_array(x, '-') FROM unnest(string_to_array(edges, ' ')) AS x) AS y (e))) $$;
SELECT '{"id": "a", "op": "branch", "if": "$INPUT.x == 1"}' AS a, '{"id": "b", "op": "branch",
	"if": "$INPUT.x == 2"}' AS b,
	'{"id": "p", "op": "call", "tool": "quick", "out": "v"}' AS p, '{"id": "q", "op": "call", "tool": "dear",
	"out": "v"}' AS q,
	'{"id": "z", "op": "call", "tool": "doc.search", "args": {"q": "$v"}, "out": "w"}' AS z \gset
SELECT said, (SELECT string_agg(coalesce(node, '-') || ': ' || problem, '; ') FROM answer_test.plan_problems(plan,
	:'tools')) AS problems FROM (VALUES
	(1, 'either side', plan_of('a-p-then a-q-else', :'a', :'p', :'q')), (2, 'joined again',
	plan_of('a-p-then a-q-else p-z q-z', :'a', :'p', :'q', :'z')),
	(3, 'one side', plan_of('a-p-then a-q-then', :'a', :'p', :'q')), (4, 'no branch', plan_of('p-q', :'p', :'q')), (5,
	'two branches', plan_of('a-p-then b-q-else', :'a', :'b', :'p', :'q')),
	(6, 'else if, else', plan_of('a-p-then a-b-else b-p-then b-q-else p-z q-z', :'a', :'b', :'p', :'q', :'z')), (7,
	'both sides', plan_of('a-p-then a-p-else a-q-else', :'a', :'p', :'q')),
	(8, 'not from above', plan_of('a-p-then a-z-else', :'a', :'p', :'z'))) AS v (n, said, plan) ORDER BY n;
-- what is skipped, and the price: of a branch the dearer side
SELECT said, sides, answer_test.plan_outline(plan, :'tools', NULL, NULL, sides) -> 'order' AS executed,
	answer_test.plan_outline(plan, :'tools') -> 'predicted' AS predicted FROM (VALUES
	(1, 'joined again', plan_of('a-p-then a-q-else p-z q-z', :'a', :'p', :'q', :'z'), '{"a": true}'::jsonb), (2,
	'joined again', plan_of('a-p-then a-q-else p-z q-z', :'a', :'p', :'q', :'z'), '{"a": false}'),
	(3, 'a side missing', plan_of('a-p-then p-z', :'a', :'p', :'z'), '{"a": false}'), (4, 'nested',
	plan_of('a-b-then b-p-then b-q-else', :'a', :'b', :'p', :'q'), '{"a": true, "b": false}'),
	(5, 'nested', plan_of('a-b-then b-p-then b-q-else', :'a', :'b', :'p', :'q'), '{"a": false, "b": false}'), (6,
	'both', plan_of('a-p-then a-q-else', :'a', :'p', :'q'), NULL)) AS v (n, said, plan, sides) ORDER BY n;
-- the cheapest, then the fastest, then the first in the plan
SELECT answer_test.plan_outline(plan_of('d-e', '{"id": "x", "op": "call", "tool": "dear", "out": "x"}', '{"id": "s",
	"op": "call", "tool": "doc.search", "out": "s"}', '{"id": "f", "op": "call", "tool": "quick", "out": "f"}',
	'{"id": "g", "op": "call", "capability": "search", "out": "g"}', '{"id": "m", "op": "map", "tool": "quick",
	"args": {"items": [1, 2]}, "out": "m"}', '{"id": "d", "op": "call", "tool": "dear", "out": "d"}',
	'{"id": "e", "op": "assert", "if": "1 == 1"}'), :'tools') -> 'order' AS "order";

-- Degradation, in order until it fits; what equals the budget fits.
SELECT limits, o -> 'predicted' AS predicted, o -> 'degradation' AS degradation
	FROM unnest(ARRAY['{"latency_budget_ms": 520}', '{"latency_budget_ms": 519}', '{"latency_budget_ms": 445}',
	'{"latency_budget_ms": 432.5}',
	'{"latency_budget_ms": 432}', '{"cost_cap_usd": 0.0021}', '{"cost_cap_usd": 0.002}', '{"cost_cap_usd": 0.0001,
	"summary": {"cost_usd": 0.0001, "latency_ms": 5}}',
	'{"cost_cap_usd": 0.0001, "summary": {"cost_usd": 0.0002, "latency_ms": 5}}',
	'{"cost_cap_usd": 0}']) WITH ORDINALITY AS l (limits, n),
	answer_test.plan_outline(:'seed', :'tools', NULL, limits::jsonb) AS o ORDER BY n;
-- a k that is known: given, or from the variables; scaled prices are rounded up, and a share of 1 scales all of it
SELECT args, vars, o -> 'predicted' AS predicted, o -> 'degradation' AS degradation FROM (VALUES (1, '{"k": 7}',
	NULL::jsonb), (2, '{"k": "$INPUT.k"}', '{"k": 3}'), (3, '{"k": "$INPUT.k"}', NULL), (4, '{}', NULL), (5,
	'{"k": 2.5}', NULL)) AS v (n, args, vars),
	answer_test.plan_outline(plan_of('', format('{"id": "x", "op": "call", "tool": "quick", "args": %s, "out": "x"}',
	args)), :'tools', vars, '{"cost_cap_usd": 0.00002}') AS o ORDER BY n;
SELECT vars, answer_test.plan_outline(plan_of('', '{"id": "x", "op": "map", "tool": "dear",
	"args": {"items": "$INPUT.list", "q": "$item"}, "out": "x"}'), :'tools', vars) -> 'predicted' AS predicted
FROM (VALUES (NULL::jsonb), ('{"list": [1, 2, 3]}'), ('{"list": []}'), ('{"list": 5}')) AS v (vars);

-- Limits: 1,000 nodes, 10,000 edges and items.
CREATE FUNCTION plan_chain(nodes int, edges int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan_id', 'p', 'nodes', (SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op',
	'call', 'tool', 'quick', 'out', 'v' || i,
			'args', jsonb_build_object('q', CASE WHEN i > 1 THEN '$v' || i - 1 ELSE 'x' END)) ORDER BY i)
			FROM generate_series(1, nodes) AS i),
		'edges', (SELECT jsonb_agg(jsonb_build_array('n' || i, 'n' || i + d) ORDER BY d, i) FROM (SELECT *
		FROM generate_series(1, 20) AS d, generate_series(1, nodes - d) AS i ORDER BY d, i LIMIT edges) AS e)) $$;
SELECT count(*) FROM answer_test.plan_problems(plan_chain(1000, 10000), :'tools');
SELECT problem FROM answer_test.plan_problems(plan_chain(1001, 1), :'tools');
SELECT problem FROM answer_test.plan_problems(plan_chain(1000, 10001), :'tools');
SELECT problem FROM answer_test.plan_problems(jsonb_set(plan_of('', '{"id": "x", "op": "reduce", "tool": "quick",
	"args": {}, "out": "x"}'), '{nodes,0,args,items}',
	(SELECT jsonb_agg(1) FROM generate_series(1, 10001))), :'tools');
SELECT jsonb_array_length(answer_test.plan_outline(plan_chain(1000, 10000), :'tools') -> 'order');
-- no more problems than can be told, and none that is no ASCII
SELECT count(*), count(*) FILTER (WHERE problem ~ '[^ -~]') AS not_ascii
	FROM answer_test.plan_problems((SELECT jsonb_object_agg('ä' || i, i) FROM generate_series(1, 5000) AS i), :'tools');
SELECT plan_refused(s) FROM unnest(ARRAY['SELECT answer_test.plan_problems(NULL, ''{}'')',
	'SELECT answer_test.plan_problems(''{}'', NULL)', 'SELECT answer_test.plan_outline(NULL, ''{}'')',
	format('SELECT answer_test.plan_outline(%L, %L, ''1'')', :'seed', :'tools'),
	format('SELECT answer_test.plan_outline(%L, %L, NULL, ''{"cost_cap_usd": "a"}'')', :'seed', :'tools')]) AS s;

DROP TABLE plan_condition, plan_change;
DROP FUNCTION plan_refused, plan_evidence, plan_of, plan_chain;
