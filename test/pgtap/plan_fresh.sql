-- How old the sources of a plan may be, which of them newer ones supersede, which keys of the configuration apply to a
-- search, and how texts are checked that are not quotes.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
\pset fieldsep '\n'
SELECT plan(60);

CREATE TABLE fresh_hit (n int, hit jsonb);
CREATE FUNCTION fresh_find(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('hits', COALESCE(jsonb_agg(hit ORDER BY n), '[]')) FROM fresh_hit $$;
SELECT answer_tool_register('fresh.find', 'fresh_find(jsonb)', spec => answer_tool_spec('doc.search') - 'id'
	|| '{"provenance": {"observes": true, "attribution_required": true}}');
CREATE FUNCTION fresh_write(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object('text', args ->> 'query', 'citations', args -> 'cites') $$;
SELECT answer_tool_register('fresh.write', 'fresh_write(jsonb)', spec => '{"constraints": {"side_effects": false},
	"io": {"input": {"query": "string", "evidence": "Evidence", "cites": "array"},
	"output": {"text": {"type": "string", "required": true}, "citations": "array"}}}');

-- n days ago, as a timestamp
CREATE FUNCTION pg_temp.ago(days int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT to_jsonb(to_char(now() AT TIME ZONE 'UTC' - make_interval(days => days), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) $$;
-- Sources in brief: uri|score|days, or none|snippet.
CREATE FUNCTION pg_temp.found(VARIADIC sources text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM fresh_hit;
	INSERT INTO fresh_hit SELECT u.n, jsonb_strip_nulls(jsonb_build_object('uri', split_part(s, '|', 1), 'score',
		split_part(s, '|', 2)::numeric, 'stamp', pg_temp.ago(NULLIF(split_part(s, '|', 3), 'none')::int), 'snippet',
		split_part(s, '|', 4))) FROM unnest(sources) WITH ORDINALITY AS u (s, n);
	RETURN 'found';
END $$;
-- find, verify, quote
CREATE FUNCTION pg_temp.fresh(claim text, query text DEFAULT 'How long?', signals jsonb DEFAULT '{}',
	verify jsonb DEFAULT '{}', quote jsonb DEFAULT '{}', tool text DEFAULT 'synth.answer')
RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('query', query),
		'plan', jsonb_build_object(
		'plan_id', 'fresh', 'signals', signals, 'edges', '[["f", "v"], ["v", "q"]]'::jsonb, 'nodes', jsonb_build_array(
		'{"id": "f", "op": "call", "tool": "fresh.find", "args": {"q": "x"}, "out": "h"}'::jsonb,
		jsonb_build_object('id', 'v', 'op', 'verify', 'out', 'e', 'args', jsonb_build_object('claims',
			jsonb_build_array(claim), 'sources', '$h') || verify),
		jsonb_build_object('id', 'q', 'op', 'call', 'tool', tool, 'out', 'a',
			'args', jsonb_build_object('evidence', '$e')
			|| quote))))) $$;
-- the verdict with its reason, and caveats
CREATE FUNCTION pg_temp.told(r jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', r ->> 'verdict', r #>> '{reason,kind}', (SELECT string_agg(c ->> 'code', ' ')
		FROM jsonb_array_elements(r -> 'caveats') AS c), NULLIF(answer_replay(r), '{"ok": true}')::text) $$;

-- days, by risk
SELECT pg_temp.found('a|0.9|31|Puppets are lent for a week at the desk near the gate.',
	'b|0.2|91|The desk near the gate is blue.');
SELECT is(pg_temp.told(r), 'answered not_judged', 'of low risk 90 days count'),
	is(r #> '{trace,1,outputs,evidence,related}', '[]', 'what is related and stale is left out'),
	is(r #> '{trace,1,inputs,policy,freshness_days}', '90', 'the verifier is told so')
FROM pg_temp.fresh('Puppets are lent for a week') AS r;
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "medium"}')),
	'answered not_judged', 'of medium risk, too');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "high"}')),
	'blocked stale_documents', 'of high risk 30 days');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', 'What is the refund policy?')),
	'blocked stale_documents', 'the question is of high risk');
SELECT pg_temp.found('a|0.9|29|Puppets are lent for a week.');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "high"}')),
	'answered not_judged', '29 days are fresh');
SELECT pg_temp.found('a|0.9|91|Puppets are lent for a week.', 'b|0.8|2|Puppets are lent for a week.');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week')), 'answered not_judged stale_documents',
	'one stale source of several is told of');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "medium"}')),
	'blocked stale_documents', 'and blocks where something depends on it');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"regulated": true}')),
	'blocked stale_documents', 'and where it is regulated');
SELECT pg_temp.found('a|0.9|none|Puppets are lent for a week.');
SELECT is(pg_temp.told(r), 'answered not_judged stale_documents', 'without a stamp it is stale'),
	matches(answer_summary(r), ', a source is stale\)', 'and its summary says so'),
	is(r #>> '{caveats,1,text}', 'A source of the answer is more than 90 days old, or has no date.',
		'as the caveat says')
FROM pg_temp.fresh('Puppets are lent for a week') AS r;
SELECT alike(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "high"}') #>> '{reason,message}',
	'the source "a" has no date that can be read, and what is more than 30 days old is stale here',
	'as does the reason');
-- which key set the limit
SELECT alike(answer_summary(pg_temp.fresh('Puppets are lent for a week', signals => signals, verify => verify)),
	'%is stale here (' || key || ')%', 'the limit is that of ' || key)
FROM (VALUES ('{"risk": "high"}'::jsonb, '{}'::jsonb, 'freshness_days_high_risk'),
	('{"risk": "medium"}', '{}', 'freshness_days'),
	('{"risk": "medium"}', '{"policy": {"freshness_days": 7}}', 'policy.freshness_days of the step'))
	AS k (signals, verify, key);
SELECT pg_temp.found('a|0.9|-400|Puppets are lent for a week.');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', signals => '{"risk": "high"}')),
	'answered not_judged', 'what is of the future is fresh');

-- a node can be stricter, but never laxer
SELECT pg_temp.found('a|0.9|8|Puppets are lent for a week.');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', verify => '{"policy": {"freshness_days": 7}}')),
	'answered not_judged stale_documents', 'a node that asks for less');
SELECT pg_temp.found('a|0.9|91|Puppets are lent for a week.');
SELECT is(pg_temp.told(pg_temp.fresh('Puppets are lent for a week', 
	verify => format('{"policy": {"freshness_days": %s}}',
	days)::jsonb)), 'answered not_judged stale_documents', 'a node that asks for ' || days || ' days')
FROM (VALUES ('0'), ('1000'), ('"never"'), ('-1'), ('1.5')) AS d (days);

-- remembered evidence ages
SELECT pg_temp.found('a|0.9|10|Puppets are lent for a week.');
CREATE TABLE fresh_evidence AS SELECT pg_temp.fresh('Puppets are lent for a week') #> '{trace,1,outputs,evidence}' AS e;
SELECT is(pg_temp.told(answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('e', jsonb_set(e,
	'{supports,0,stamp}', pg_temp.ago(days))), 'plan', '{"plan_id": "again",
	"nodes": [{"id": "q", "op": "call", "out": "a",
	"tool": "synth.answer", "args": {"evidence": "$INPUT.e"}}]}'::jsonb))), told, days || ' days later')
FROM fresh_evidence, (VALUES (10, 'answered reported_evidence not_judged'),
	(100, 'answered reported_evidence not_judged stale_documents')) AS l (days, told);
-- evidence of another verifier is judged if it says how old it is
SELECT is(pg_temp.told(answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('e', e - 'method'
	#- '{supports,0,stamp}'), 'plan', '{"plan_id": "again", "nodes": [{"id": "q", "op": "call", "out": "a",
	"tool": "synth.answer", "args": {"evidence": "$INPUT.e"}}]}'::jsonb))), 'answered reported_evidence not_judged',
	'what tells no date, and is not of ground.verify') FROM fresh_evidence;

-- newer sources replace older ones if the question asks for the current state
SELECT pg_temp.found('a|0.9|50|The library lends its puppets for 30 days.',
	'b|0.8|5|The library lends its puppets for 45 days.');
SELECT is(pg_temp.told(r), 'blocked conflict', 'a question that does not ask for it'),
	is(r #> '{trace,1,outputs,evidence,superseded}', '[]', 'nothing is superseded')
FROM pg_temp.fresh('For how many days the library lends its puppets') AS r;
SELECT is(pg_temp.told(r), 'answered not_judged', 'one that does'),
	is(r #> '{trace,1,outputs,evidence,superseded}', '[{"source": "a", "by": "b"}]', 'it is listed'),
	is(r #>> '{response,text}', 'The library lends its puppets for 45 days. [1]', 'the newer one is quoted')
FROM pg_temp.fresh('For how many days the library lends its puppets', 'How long are puppets lent now?') AS r;
UPDATE fresh_hit SET hit = hit - 'stamp' WHERE n = 1;
SELECT is(pg_temp.told(pg_temp.fresh('For how many days the library lends its puppets', 'How long now?')),
	'blocked conflict', 'what has no date gives way to none');
UPDATE fresh_hit SET hit = jsonb_set(hit, '{stamp}', pg_temp.ago(5));
SELECT is(pg_temp.told(pg_temp.fresh('For how many days the library lends its puppets', 'How long now?')),
	'blocked conflict', 'nor what is of the same instant');
UPDATE fresh_hit SET hit = jsonb_set(hit, '{stamp}', pg_temp.ago(CASE n WHEN 1 THEN 50 ELSE -5 END));
SELECT is(pg_temp.told(pg_temp.fresh('For how many days the library lends its puppets', 'How long now?')),
	'blocked conflict', 'nor to what is of tomorrow');
-- a source given by the caller never replaces an observed one, even if it claims to be that one
UPDATE fresh_hit SET hit = jsonb_set(hit, '{stamp}', pg_temp.ago(5)) WHERE n = 2;
SELECT is(pg_temp.told(r) || ' ' || (r #>> '{trace,1,outputs,evidence,superseded}'), 'blocked conflict []',
		'forged: ' || sources),
	is(r #>> '{trace,1,inputs,supersede}', 'true', 'where it is asked for')
FROM (VALUES ('["$h[0]", {"uri": "z", "score": 0.9, "snippet": "The library lends its puppets for 60 days.",
		"stamp": "2026-01-01"}]'),
	('["$h[0]", {"uri": "b", "score": 0.9, "snippet": "The library lends its puppets for 60 days.",
		"stamp": "2026-01-01"}, {"uri": "a", "score": 0.9, "stamp": "2026-01-01",
		"snippet": "The library lends its puppets for 30 days."}]')) AS s (sources),
	LATERAL (SELECT replace(sources, '"2026-01-01"', pg_temp.ago(1)::text)) AS d (dated),
	pg_temp.fresh('The library lends its puppets for 30 days', 'How long now?',
		verify => jsonb_build_object('sources', dated::jsonb, 'supersede', true, 'reported', '[]'::jsonb)) AS r;

-- a text that quotes nothing
SELECT pg_temp.found('b|0.8|5|The library lends its puppets for 45 days. All of them are blue.');
SELECT is(pg_temp.told(r) || COALESCE(' ' || (r #>> '{response,sentences,0,status}'), ''), told, text)
FROM (VALUES ('The library lends its puppets for 45 days. [1]', 'answered reported_text not_judged'),
	('All of them are blue. [1]', 'answered reported_text not_judged quoted'),
	('The library lends its puppets for 60 days. [1]', 'blocked contradicted'),
	('The library does not lend its puppets for 45 days. [1]', 'blocked contradicted'),
	('The desk says "all of them are green and large". [1]', 'blocked misquoted'),
	('Blue puppets may be had. [1]', 'answered reported_text not_judged text_not_judged not_judged')) AS t (text, told),
	LATERAL pg_temp.fresh('The library lends its puppets for 45 days', 
		quote => jsonb_build_object('query', text, 'cites',
		'[{"uri": "b"}]'::jsonb), tool => 'fresh.write') AS r;
-- a text with one source that is listed several times is still compared with it
SELECT is(pg_temp.told(r), 'blocked contradicted', 'one source, listed ' || n || ' times')
FROM (VALUES (5), (6), (7), (50)) AS t (n), LATERAL (SELECT 'The library lends its puppets for 60 days. '
		|| string_agg('[' || i || ']', ' ' ORDER BY i) AS text, jsonb_agg('{"uri": "b"}'::jsonb) AS cites
	FROM generate_series(1, n) AS i) AS c,
	LATERAL pg_temp.fresh('The library lends its puppets for 45 days',
		quote => jsonb_build_object('query', text, 'cites', cites), tool => 'fresh.write') AS r;
-- nor is a text free to say anything if it cites many sources, or none
SELECT pg_temp.found('b|0.8|5|The library lends its puppets for 45 days.', 'c|0.1|5|Tea.', 'd|0.1|5|Milk.',
	'e|0.1|5|Juice.', 'f|0.1|5|Water.', 'g|0.1|5|Salt.', 'h|0.1|5|Bread.');
SELECT is(pg_temp.told(r) || COALESCE(' ' || (r #>> '{response,sentences,0,status}'), ''), told, text)
FROM (VALUES ('The library lends its puppets for 60 days. [1] See [2] [3] [4] [5] [6] [7].', '{b,c,d,e,f,g,h}'::text[],
		'blocked contradicted'),
	('See [1] [2] [3] [4] [5] [6]. The library lends its puppets for 60 days. [7]', '{c,d,e,f,g,h,b}',
		'blocked contradicted'),
	('The desk says "the library lends its puppets". [1] See [2] [3] [4] [5] [6] [7].', '{b,c,d,e,f,g,h}',
		'answered reported_text not_judged text_not_judged not_judged'),
	('See [1]. The desk says "the library lends its puppets". [2] See [3] [4] [5] [6] [7].', '{b,c,d,e,f,g,h}',
		'blocked misquoted'),
	('The desk says "come when you like".', '{}', 'blocked misquoted'),
	('The library lends its puppets for 60 days.', '{}',
		'answered reported_text not_judged text_not_judged not_judged'),
	('I cannot answer this.', '{}', 'answered reported_text not_judged insufficient'))
	AS t (text, uris, told),
	LATERAL pg_temp.fresh('The library lends its puppets for 45 days',
		quote => jsonb_build_object('query', text, 'cites',
		(SELECT COALESCE(jsonb_agg(jsonb_build_object('uri', u) ORDER BY n), '[]')
		FROM unnest(uris) WITH ORDINALITY AS c (u, n))), tool => 'fresh.write') AS r;
SELECT is(pg_temp.told(answer_plan_execute('{"plan": {"plan_id": "w", "nodes": [{"id": "w", "op": "call",
	"tool": "fresh.write", "args": {"query": "The desk says \"come when you like\".", "cites": []}, "out": "a"}]}}')),
	'answered reported_text text_not_judged', 'where there is no evidence, there is nothing to be quoted');

-- the search uses the configuration, which decides
SELECT answer_suite_load('fresh', '[{"id": "a", "query": "Who mends kites?", "expected_outcome": "ABSTAIN",
	"risk_level": "low"}, {"id": "b", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER",
	"risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z",
		"text": "The puppet workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z",
		"text": "Workshop: puppet makers open at nine."}]', '2026-01-02T00:00:00Z') IS NOT NULL;
SELECT answer_environment_set('fresh', options => jsonb_build_object('suite', 'fresh', 'rules',
	'{"min_overall_pass_rate": 0, "max_false_accept_rate": 1,
	"min_citation_validity_rate": 0, "no_regression_slices": []}'::jsonb,
	'shadow_samples', 0, 'canary_samples', 0, 'canary_percent', 100)) IS NOT NULL;
SELECT answer_config_promote('fresh', id) ->> 'moved' FROM answer_config_create('{"top_k": 2, "rerank": "freshness",
	"freshness_bias": 1, "freshness_days": 0, "freshness_days_high_risk": 0, "supersede": "always",
	"min_confidence": 0.96}', 'plans') AS id, generate_series(1, 3);
SET LOCAL answer_eval.environment = 'fresh';
SELECT is(r #> '{trace,0,inputs}', '{"q": "kites", "k": 2, "rerank": "freshness", "freshness_bias": 1,
	"freshness_days": 0}',
	'what a search does not say')
FROM answer_plan_execute('{"plan": {"plan_id": "s", "nodes": [{"id": "f", "op": "call", "tool": "doc.search",
	"out": "h",
	"args": {"q": "kites"}}]}}') AS r;
SELECT is(r #> '{trace,0,inputs}', '{"q": "kites", "k": 3, "rerank": "none", "freshness_bias": 0, "freshness_days": 9}',
	'what it says stays')
FROM answer_plan_execute('{"plan": {"plan_id": "s", "nodes": [{"id": "f", "op": "call", "tool": "doc.search",
	"out": "h",
	"args": {"q": "kites", "k": 3, "rerank": "none", "freshness_bias": 0, "freshness_days": 9}}]}}') AS r;
SELECT pg_temp.found('a|0.9|5000|The library lends its puppets for 30 days.',
	'b|0.8|4000|The library lends its puppets for 45 days.');
SELECT is(pg_temp.told(r) || ' ' || (r #>> '{trace,1,outputs,evidence,superseded}'), 
		'blocked confidence [{"by": "b", "source": "a"}]',
	'any age will do, older ones always give way, and 0.95 is not enough')
FROM pg_temp.fresh('For how many days the library lends its puppets') AS r;

SELECT * FROM finish();
ROLLBACK;
