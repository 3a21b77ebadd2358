-- tiers: test
-- From a configuration that was made worse in one knob, evolution finds one that passes the gate. Every knob in the
-- catalog has a case here; a knob on which no decision depends is not proposed.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(46);
CREATE SCHEMA back;

-- a plan with given evidence, and an answer with or without citations
CREATE FUNCTION back.gives(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT args -> 'give' $$;
SELECT answer_tool_register('back.gives', 'back.gives(jsonb)', spec => '{"io": {"input": {"give": "object"},
	"output": {"evidence": "Evidence"}}, "constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0}}');
SELECT answer_tool_register('back.says', 'back.gives(jsonb)', spec => '{"io": {"input": {"give": "object",
	"evidence": "Evidence"}, "output": {"text": "string", "citations": "array"}},
	"provenance": {"rests_on": ["evidence"]}, "constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0}}');
CREATE FUNCTION back.plan(id text, tool text, confidence numeric, weight numeric, expected text) RETURNS jsonb
LANGUAGE sql AS $$
SELECT jsonb_build_object('id', id, 'kind', 'plan', 'expected_outcome', expected, 'vars', '{"query": "c"}'::jsonb,
	'plan', jsonb_build_object('plan_id', 'back', 'edges', '[["v", "a"]]'::jsonb, 'nodes', jsonb_build_array(
		jsonb_build_object('id', 'v', 'op', 'call', 'tool', 'back.gives', 'out', 'e', 'args', jsonb_build_object('give',
			jsonb_build_object('evidence', jsonb_build_object('claims', '["c"]'::jsonb,
			'supports', jsonb_build_array(jsonb_build_object('claim', 'c', 'source', 's', 'confidence', confidence,
				'snippet', 'x')),
			'contradicts', CASE WHEN weight IS NULL THEN '[]' ELSE jsonb_build_array(jsonb_build_object('claim', 'c',
				'source', 't', 'weight', weight, 'snippet', 'y')) END)))),
		jsonb_build_object('id', 'a', 'op', 'call', 'tool', tool, 'out', 'answer', 'args',
			CASE tool WHEN 'synth.answer' THEN '{"query": "$INPUT.query", "evidence": "$e"}'::jsonb
			ELSE '{"give": {"text": "Lanterns are hired out.", "citations": []}, "evidence": "$e"}' END)))) $$;
CREATE FUNCTION back.asks(id text, query text, expected text, level text DEFAULT 'low') RETURNS jsonb LANGUAGE sql AS $$
SELECT jsonb_build_object('id', id, 'query', query, 'expected_outcome', expected, 'risk_level', level) $$;

-- for each setting: how it is made worse, the cases that show it, and whether anything depends on it
CREATE TABLE back.worse (knob text PRIMARY KEY, config jsonb, cases jsonb, tells boolean);
INSERT INTO back.worse VALUES
	('top_k', '{"top_k": 1}', '[]', true),
	('floor', '{"floor": 0}', jsonb_build_array(
		back.asks('far-1', 'Who paints the hull of a lantern ship on stormy winter nights at sea?', 'ABSTAIN'),
		back.asks('far-2', 'Did a lantern show ghosts of drowned sailors to monks in stone towers?', 'ABSTAIN'),
		back.asks('far-3', 'Can owls fly around a lantern in thick fog over marshes near castles?', 'ABSTAIN')), true),
	('confidence_threshold', '{"confidence_threshold": 0}', jsonb_build_array(
		back.asks('near-1', 'Are lanterns hired out by children from school?', 'ANSWER_WITH_CAVEATS'),
		back.asks('near-2', 'Do lanterns for three nights need lamp oil?', 'ANSWER_WITH_CAVEATS'),
		back.asks('near-3', 'Must a lost lantern be told to the harbour master?', 'ANSWER_WITH_CAVEATS'),
		back.asks('near-4', 'Do rowing boats need new oars each spring?', 'ANSWER_WITH_CAVEATS'),
		back.asks('near-5', 'Is the deposit for a lantern paid in advance by card?', 'ANSWER_WITH_CAVEATS')), true),
	('confidence_threshold_high_risk', '{"confidence_threshold_high_risk": 0}', jsonb_build_array(
		back.asks('high-1', 'Is personal data of visitors encrypted by the harbour police overnight?', 'ABSTAIN',
			'high'),
		back.asks('high-2', 'Does the GDPR let visitors see letters about personal data held abroad?', 'ABSTAIN',
			'high'),
		back.asks('high-3', 'Which GDPR article keeps letters of visitors out of court?', 'ABSTAIN', 'high')), true),
	('citation_threshold', '{"citation_threshold": 0.5}', jsonb_build_array(
		back.plan('uncited-1', 'back.says', 0.92, NULL, 'blocked'),
		back.plan('uncited-2', 'back.says', 0.91, NULL, 'blocked'),
		back.plan('uncited-3', 'back.says', 0.93, NULL, 'blocked'),
		back.plan('sure', 'back.says', 0.97, NULL, 'answered')), true),
	('contradiction_tolerance', '{"contradiction_tolerance": 0.9}', jsonb_build_array(
		back.plan('against-1', 'synth.answer', 0.99, 0.4, 'blocked'),
		back.plan('against-2', 'synth.answer', 0.99, 0.5, 'blocked'),
		back.plan('against-3', 'synth.answer', 0.98, 0.4, 'blocked'),
		back.plan('little', 'synth.answer', 0.99, 0.2, 'answered')), true),
	('rerank', '{"rerank": "freshness", "freshness_bias": 1}', '[]', false),
	('freshness_bias', '{"freshness_bias": 1}', '[]', false),
	('cache_ttl_s', '{"cache_ttl_s": 86400}', '[]', false);
SELECT bag_eq('SELECT knob FROM answer.evolve_knobs()', 'SELECT knob FROM back.worse',
	'every knob of the catalog has a case, and no other');
SELECT is_empty($$SELECT knob FROM answer.evolve_knobs() AS k
	WHERE answer.shipped_config() -> k.knob IS DISTINCT FROM k.shipped$$,
	'what a knob ships as is what the configuration ships');

-- a suite and an environment for each; the worse configuration becomes active, and then the gate is closed
SELECT answer_suite_load('back-' || knob, jsonb_build_array(
	back.asks('coins', 'How many coins is the deposit for a lantern?', 'ANSWER'),
	back.asks('days', 'For how many days are lanterns hired out?', 'ANSWER'),
	back.asks('four', 'Which rowing boat carries four people?', 'ANSWER'),
	back.asks('dusk', 'When do rowing boats come back?', 'ANSWER'), back.asks('unknown', 'Zork blorb quux?', 'ABSTAIN'),
	-- with given chunks, so that something is answered even if little is found
	back.asks('given', 'What opens the boat house?', 'ANSWER') || '{"answer": "A brass key opens the boat house.",
		"citations": ["k#p0"], "chunks": [{"chunk_id": "k#p0", "doc_id": "k",
		"text": "A brass key opens the boat house.", "similarity": 0.9, "timestamp": "2025-05-30"},
		{"chunk_id": "l#p0", "doc_id": "l", "text": "A brass key is heavy.",
		"similarity": 0.8, "timestamp": "2025-05-30"}]}') || cases, '[
	{"doc_id": "lanterns", "title": "Lantern hire", "timestamp": "2025-05-20", "text": "Lanterns are hired out for '
	'three days.\n\nThe deposit for a lantern is twenty coins.\n\nA lost lantern is charged at its full price."},
	{"doc_id": "boats", "title": "Rowing boats", "timestamp": "2025-05-20",
	 "text": "Rowing boats come back before dusk.\n\nA rowing boat carries four people and one dog."},
	{"doc_id": "archive", "title": "Archive", "timestamp": "2025-05-30", "text": "Personal data of visitors is deleted '
	'after two years.\n\nThe archive keeps letters of the harbour master."}]', '2025-06-01Z')
FROM back.worse;
CREATE FUNCTION back.environment(knob text) RETURNS text LANGUAGE sql AS
$$ SELECT 'back-' || translate(knob, '_', '-') $$;
CREATE FUNCTION back.close(knob text, rules jsonb) RETURNS jsonb LANGUAGE sql AS $$
SELECT answer_environment_set(back.environment(knob), options => jsonb_build_object('suite', 'back-' || knob, 'rules',
	rules, 'shadow_samples', 0, 'canary_samples', 0, 'canary_percent', 100, 'most_different_percent', 100)) $$;
CREATE FUNCTION back.promoted(environment text, config text) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(answer_config_promote(environment, config) ->> 'stage', ' ' ORDER BY n)
FROM generate_series(1, 3) AS n $$;
SELECT back.close(knob, '{"min_overall_pass_rate": 0, "max_false_accept_rate": 1, "min_citation_validity_rate": 0,
	"no_regression_slices": []}') FROM back.worse;
CREATE TABLE back.base AS
SELECT w.knob, answer_config_create(w.config, 'worse in ' || w.knob,
	(SELECT config_id FROM answer.config WHERE seed)) AS id
FROM back.worse AS w;
SELECT is(back.promoted(back.environment(knob), id), 'shadow canary active',
	knob || ': a worse configuration is active')
FROM back.base ORDER BY knob COLLATE "C";
SELECT back.close(knob, '{"min_overall_pass_rate": 1, "min_citation_validity_rate": 1,
	"no_regression_slices": []}') FROM back.worse;
CREATE FUNCTION back.passes(knob text) RETURNS boolean LANGUAGE sql AS $$
SELECT (r #>> '{summary,passed}')::int = (r #>> '{summary,cases}')::int
FROM answer_run(answer_suite_run('back-' || knob, answer_config(back.environment(knob)))) AS r $$;
SELECT is(back.passes(knob), NOT tells,
	knob || CASE WHEN tells THEN ': its suite tells' ELSE ': no decision depends on it' END)
FROM back.worse ORDER BY knob COLLATE "C";

-- without a breach nothing is proposed, however bad the result of a suite is
SELECT is(answer_evolve_propose('back-top-k'), '[]', 'no breach, no proposal');

-- a breach of the last day: answers that were refused for their citations, and answers over a chunk that contradicts
SELECT answer_grounded('What is the refund window?', '{"answer": "Gold.", "citations": ["nope#p0"], "chunks": [
	{"chunk_id": "x#p0", "doc_id": "x", "text": "The refund window is 30 days.", "similarity": 0.9,
	"timestamp": "2025-05-30"}]}'),
	answer_grounded('Are custom items refundable?', '{"config": {"freshness_days": 0, "freshness_days_high_risk": 0},
	"chunks": [{"chunk_id": "x#p0", "doc_id": "x", "text": "Custom items are refundable.", "similarity": 0.9,
	"timestamp": "2025-05-30"},
	{"chunk_id": "y#p0", "doc_id": "y", "text": "Custom items are non-refundable.", "similarity": 0.3,
	"timestamp": "2025-05-30"}]}');
SELECT is(state, 'breach', 'the answers of the last day are in breach')
FROM answer_slo('24 hours') WHERE tenant = '' AND intent IS NULL;

-- the proposals, and their results
CREATE TABLE back.proposal AS
SELECT w.knob, p.value, p.n FROM back.worse AS w,
	LATERAL jsonb_array_elements(answer_evolve_propose(back.environment(w.knob))) WITH ORDINALITY AS p (value, n);
SELECT is_empty('SELECT p.knob, p.value -> ''change'' FROM back.proposal AS p JOIN back.worse USING (knob)
	WHERE NOT tells AND value -> ''change'' ? p.knob', 'a change that changes no case is not proposed');
SELECT ok(EXISTS (SELECT FROM back.proposal AS p WHERE p.knob = w.knob AND p.n = 1 AND p.value -> 'change' ? w.knob),
	w.knob || ': what was made worse is proposed first')
FROM back.worse AS w WHERE tells ORDER BY w.knob COLLATE "C";
CREATE FUNCTION back.evolve(knob text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	proposed	jsonb;
	judged		jsonb;
	said		text := '';
BEGIN
	FOR proposed IN SELECT p.value FROM back.proposal AS p WHERE p.knob = evolve.knob ORDER BY p.n LOOP
		judged := answer_evolve_validate(proposed ->> 'proposal');
		said := concat_ws('; ', NULLIF(said, ''), concat(proposed -> 'change', ' ', judged ->> 'state', ' ',
			judged #> '{validation,failures}', ' ', judged #> '{validation,promotion,failures}'));
		CONTINUE WHEN judged ->> 'state' <> 'applied';
		PERFORM answer_config_promote(back.environment(knob), judged #>> '{validation,config}')
		FROM generate_series(1, 2);
		RETURN 'applied';
	END LOOP;
	RETURN said;
END $$;
SELECT is(back.evolve(knob), 'applied', knob || ': a proposal applies by itself')
FROM back.worse WHERE tells ORDER BY knob COLLATE "C";
SELECT is(back.passes(knob), true, knob || ': and every case passes')
FROM back.worse WHERE tells ORDER BY knob COLLATE "C";

-- a setting without effect until another is changed: with one chunk nothing is answered, whatever the floor is
SELECT answer_environment_set('back-both', options => jsonb_build_object('suite', 'back-floor', 'rules',
	'{"min_overall_pass_rate": 0, "max_false_accept_rate": 1,
	"min_citation_validity_rate": 0, "no_regression_slices": []}'::jsonb,
	'shadow_samples', 0, 'canary_samples', 0, 'canary_percent', 100,
	'most_different_percent', 100));
SELECT is(back.promoted('back-both', answer_config_create('{"top_k": 1, "floor": 0}', 'worse in both',
	(SELECT config_id FROM answer.config WHERE seed))), 'shadow canary active', 'both: a worse one is active');
SELECT answer_environment_set('back-both',
	options => jsonb_build_object('rules', '{"min_overall_pass_rate": 1, "min_citation_validity_rate": 1,
	"no_regression_slices": []}'::jsonb));
CREATE TABLE back.both AS SELECT p.value, p.n FROM jsonb_array_elements(answer_evolve_propose('back-both'))
	WITH ORDINALITY AS p (value, n);
SELECT is(value -> 'change', '{"floor": 0.2, "top_k": 5}', 'both: what is proposed first turns both')
FROM back.both WHERE n = 1;
SELECT is(answer_evolve_validate(value ->> 'proposal') ->> 'state', 'applied', 'both: and applies by itself')
FROM back.both WHERE n = 1;

-- a suite without cases shows nothing
SELECT answer_suite_load('back-none', '[]', '[]', '2025-06-01Z');
SELECT answer_environment_set('back-none',
	options => '{"suite": "back-none", "rules": {}, "shadow_samples": 0, "canary_samples": 0, "canary_percent": 100, '
	'"most_different_percent": 100}');
SELECT is(answer_evolve_propose('back-none'), '[]', 'a suite without cases: nothing is proposed');
-- a looser threshold is measured under the one in force
SELECT is(answer_evolve_validate(answer_evolve_propose('back-none', '{"confidence_threshold_high_risk": 0}',
	'looser') #>> '{0,proposal}') ->> 'state', 'rejected', 'a looser threshold does not pass by asking for less');
SELECT * FROM finish();
ROLLBACK;
