-- tiers: test
-- Judging a suite: the judgements are pinned in a new version, and runs use only these.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(103);

-- A judge that answers by its table of words. The score differs each time unless the test sets one.
CREATE SCHEMA pin;
CREATE TABLE pin.mood (name text PRIMARY KEY, relation text, score text);
INSERT INTO pin.mood VALUES ('entailment', 'supports', 'random'), ('answers', 'answers', 'random');
CREATE FUNCTION pin.says(args jsonb) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT jsonb_build_object('judgements', COALESCE(jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation',
	m.relation,
		'score', CASE WHEN m.score = 'random' THEN round((0.9 + random() / 10)::numeric,
		6) ELSE m.score::numeric END)), '[]'))
	FROM pin.mood AS m, jsonb_array_elements(args -> 'pairs') AS p WHERE m.name = args ->> 'kind'
$$;
CREATE FUNCTION pin.fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$;
CREATE FUNCTION pin.sleeps(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); END $$;
CREATE FUNCTION pin.register(name text, kinds jsonb, more jsonb) RETURNS void LANGUAGE sql AS $$
	SELECT answer_judge_register(name, jsonb_build_object('kinds', kinds, 'model', 'm', 'version', '1') || more) $$;
SELECT pin.register('robot', '["entailment", "answers"]', '{"handler": "pin.says"}');
SELECT pin.register('broken', '["entailment", "answers"]', '{"handler": "pin.fails"}');
CREATE ROLE pin_people;
SELECT pin.register('person', '["entailment", "answers"]', '{"role": "pin_people"}');

CREATE FUNCTION pin.docs() RETURNS jsonb LANGUAGE sql AS $$
	SELECT '[{"doc_id": "ferry", "title": "Ferry", "timestamp": "2026-03-01",
		"text": "The ferry to the island takes ninety minutes.\n\nThe ferry carries bicycles on its upper deck."},
		{"doc_id": "bus", "title": "Bus", "timestamp": "2026-03-01",
		"text": "The bus to the harbour is red."}]'::jsonb $$;
CREATE FUNCTION pin.given(id text, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT '{"query": "How long does the ferry to the island take?", "answer": "An hour and a half [1].",
		"citations": ["ferry#p0"],
		"expected_outcome": "ANSWER", "risk_level": "low"}'::jsonb || jsonb_build_object('id', id) || more $$;
CREATE FUNCTION pin.loaded(name text, VARIADIC cases jsonb[]) RETURNS int LANGUAGE sql AS $$
	SELECT (answer_suite_load(name, to_jsonb(cases), pin.docs(), '2026-04-01') ->> 'version')::int $$;
CREATE FUNCTION pin.pinned(suite text, version int, case_id text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT COALESCE(c.body -> 'judgements', '[]') FROM answer.suite_case AS c
	WHERE c.suite = pinned.suite AND c.version = pinned.version AND c.case_id = pinned.case_id $$;
CREATE FUNCTION pin.versions(name text) RETURNS int LANGUAGE sql AS $$
	SELECT count(*)::int FROM answer_suites() AS s WHERE s.suite = name $$;
-- Decision and groundedness of each case of a run.
CREATE FUNCTION pin.came(run text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', c.case_id, c.decision, c.error ->> 'sqlstate'), ', ' ORDER BY c.ordinal)
	FROM answer.run_case AS c WHERE c.run_id = run $$;
CREATE FUNCTION pin.metric(run text, name text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('/', m ->> 'n', m ->> 'of') FROM (SELECT answer_run(run) #> ARRAY['summary', 'metrics',
	name] AS m) AS r $$;
\set robot '{"judge_entailment": "robot", "judge_answers": "robot"}'

/* the usual way */

SELECT pin.loaded('pin.a', pin.given('first'), pin.given('second'), pin.given('quotes', '{"query":
	"Where does the ferry carry bicycles?"}') - '{answer,citations}'::text[], '{"id": "route", "kind": "question",
	"query":
	"How long?", "expected_refusal": "outside_evidence_coverage"}') AS version \gset
SELECT answer_suite_run('pin.a', :'robot') AS before \gset
SELECT is(pin.came(:'before'),
	'first ANSWER_WITH_CAVEATS, second ANSWER_WITH_CAVEATS, quotes ANSWER_WITH_CAVEATS, route refused',
	'a judge that is configured, and a suite that pins nothing: nobody is asked');
SELECT is((SELECT string_agg(c.case_id, ' ' ORDER BY c.ordinal) FROM answer.run_case AS c WHERE c.run_id = :'before'
	AND c.scores #>> '{groundedness,passed}' = 'false'), 'first second',
	'what a judge should have judged is not grounded');
SELECT is(pin.metric(:'before', 'unjudged_rate'), '3/3', 'and all answers are unjudged');
SELECT answer_suite_judge('pin.a', :'robot') AS pinned \gset
SELECT cmp_ok(:pinned, '>=', 8, 'a passage or a sentence is a judgement');
SELECT is(pin.versions('pin.a'), 2, 'the suite has a new version');
SELECT is((SELECT count(DISTINCT (s.documents, s.now, s.cases))::int FROM answer.suite AS s WHERE s.name = 'pin.a'),
	1,
	'of the same documents and the same clock');
SELECT is((SELECT count(DISTINCT s.digest)::int FROM answer.suite AS s WHERE s.name = 'pin.a'), 2,
	'with another digest');
SELECT is((SELECT sum(jsonb_array_length(COALESCE(c.body -> 'judgements', '[]')))::int FROM answer.suite_case AS c
	WHERE c.suite = 'pin.a' AND c.version = 2), :pinned, 'as many judgements stand in its cases as were pinned');
SELECT is((SELECT count(*)::int FROM answer.suite_case AS a JOIN answer.suite_case AS b USING (suite, ordinal)
	WHERE suite = 'pin.a' AND a.version = 1 AND b.version = 2 AND a.body = b.body - 'judgements'), 4,
	'and the cases are as they were');
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', j ->> 'judge', j ->> 'version', j ->> 'origin', j ->> 'kind'),
	', ')
	FROM jsonb_array_elements(pin.pinned('pin.a', 2, 'first')) AS j),
	'robot 1 observed answers, robot 1 observed entailment', 'who said it, and what he is, is pinned with it');
SELECT is(pin.pinned('pin.a', 2, 'second'), pin.pinned('pin.a', 2, 'first'), 'a pair is asked about once');
SELECT is(pin.pinned('pin.a', 2, 'route'), '[]', 'a question of routes needs no judge');
SELECT is((SELECT count(*)::int FROM answer.judgement), 0, 'nothing of it is stored elsewhere');
SELECT is(answer_suite_judge('pin.a', :'robot'), 0, 'again: there is nothing to pin');
SELECT is(pin.versions('pin.a'), 2, 'and no other version');
SELECT is_empty($$SELECT finding, detail FROM answer_log_audit() WHERE detail LIKE '%suite%'$$,
	'the audit finds all of it as it was signed');

/* runs ask nobody */

SELECT answer_suite_run('pin.a', :'robot') AS after \gset
SELECT is(pin.came(:'after'), 'first ANSWER, second ANSWER, quotes ANSWER, route refused',
	'a run goes by what is pinned');
SELECT is((SELECT concat_ws(' ', r.passed, r.cases) FROM answer.run AS r WHERE r.run_id = :'after'), '4 4',
	'and all pass');
SELECT is(pin.metric(:'after', 'unjudged_rate'), '0/3', 'no answer is unjudged');
SELECT is(answer_gate(:'before', '{"max_unjudged_rate": 0, "max_false_accept_rate": 1, "min_overall_pass_rate": 0}')
	-> 'failures',
	'["unjudged_rate 1.0000 > max 0"]', 'the gate tells the two apart by that');
SELECT is(answer_gate(:'after', '{"max_unjudged_rate": 0, "max_false_accept_rate": 0}') ->> 'outcome', 'pass',
	'and passes the judged one');
UPDATE pin.mood SET relation = 'contradicts' WHERE name = 'entailment';
UPDATE pin.mood SET relation = 'does_not' WHERE name = 'answers';
SELECT is(answer_run(answer_suite_run('pin.a', :'robot')) ->> 'digest',
	(SELECT digest FROM answer.run WHERE run_id = :'after'), 'a judge that has changed his mind changes no run');
SELECT pin.register('robot', '["entailment", "answers"]', '{"handler": "pin.fails", "version": "2"}');
SELECT is(answer_run(answer_suite_run('pin.a', :'robot')) ->> 'digest',
	(SELECT digest FROM answer.run WHERE run_id = :'after'), 'nor does another version');
SELECT is(answer_suite_judge('pin.a', :'robot'), 0, 'what is pinned stays pinned');
SELECT answer_judge_remove('robot') IS NOT NULL AS removed \gset
SELECT is(answer_run(answer_suite_run('pin.a', :'robot')) ->> 'digest',
	(SELECT digest FROM answer.run WHERE run_id = :'after'), 'nor one that is gone');
SELECT is(answer_verify(answer_run(:'after')) -> 'ok', 'true', 'the run verifies');
SELECT is(pin.came(answer_suite_run('pin.a', :'robot', 1)), pin.came(:'before'),
	'and an earlier version is run as before');

/* what judges say of pinned cases */

SELECT pin.register('robot', '["entailment", "answers"]', '{"handler": "pin.says", "version": "3"}');
UPDATE pin.mood SET relation = 'answers' WHERE name = 'answers';
SELECT pin.loaded('pin.b', pin.given('g')) AS version \gset
SELECT cmp_ok(answer_suite_judge('pin.b', :'robot'), '>', 0, 'a judge that contradicts');
SELECT answer_suite_run('pin.b', :'robot') AS b \gset
SELECT is(pin.came(:'b'), 'g BLOCK', 'blocks');
SELECT is(pin.metric(:'b', 'contradicted_rate') || ' ' || pin.metric(:'b', 'unsupported_rate') || ' '
	|| pin.metric(:'b', 'unjudged_rate'),
	'1/1 0/1 0/0', 'is counted, and what is not given is not unjudged');
SELECT is(answer_gate(:'b', '{"max_contradicted_rate": 0}') -> 'failures' -> 1, '"contradicted_rate 1.0000 > max 0"',
	'and can be a rule');
UPDATE pin.mood SET relation = 'neutral' WHERE name = 'entailment';
SELECT pin.loaded('pin.c', pin.given('g')) AS version \gset
SELECT answer_suite_judge('pin.c', :'robot') AS c \gset
SELECT is(pin.metric(answer_suite_run('pin.c', :'robot'), 'unsupported_rate'), '1/1',
	'what no source says is counted, too');
UPDATE pin.mood SET relation = 'supports' WHERE name = 'entailment';

/* judges that fail */

SELECT pin.loaded('pin.d', pin.given('g')) AS version \gset
SELECT is(answer_suite_judge('pin.d', '{"judge_entailment": "broken"}'), 0, 'a judge that fails says nothing');
SELECT is(pin.versions('pin.d'), 1, 'and makes no version');
SELECT is(answer_suite_judge('pin.d', '{"judge_entailment": "nobody"}'), 0, 'nor does one that is not registered');
SELECT is(answer_suite_judge('pin.d'), 0, 'nor a configuration that names none');
CREATE FUNCTION pin.judged_with(relation text, score text, suite text) RETURNS int LANGUAGE sql AS $$
	UPDATE pin.mood SET relation = judged_with.relation, score = judged_with.score WHERE name = 'entailment';
	SELECT answer_suite_judge(suite, '{"judge_entailment": "robot"}') $$;
SELECT is(pin.judged_with(relation, score, 'pin.d'), 0, concat(relation, ' ', score, ' is not pinned'))
FROM (VALUES ('supports', 'NaN'), ('supports', '1e300'), ('supports', '-0.1'), ('supports', '1.000001'),
	('supports', 'Infinity'),
	('answers', '0.9'), ('perhaps', '0.9')) AS v (relation, score);
SELECT is(pin.judged_with('supports', '0.123456789012345678901234567890', 'pin.d'), 1, 'a score of many digits is');
SELECT is((SELECT digest FROM answer.suite WHERE name = 'pin.d' AND version = 2), (SELECT answer.suite_digest(
	answer.suite_digests(jsonb_agg(c.body)), s.documents, s.now) FROM answer.suite AS s, answer.suite_case AS c
	WHERE s.name = 'pin.d' AND s.version = 2 AND c.suite = s.name AND c.version = s.version GROUP BY s.documents,
	s.now),
	'and the digest is that of what is stored');
SELECT is(answer_verify(answer_run(answer_suite_run('pin.d', '{"judge_entailment": "robot"}'))) -> 'ok', 'true',
	'and its run verifies');
UPDATE pin.mood SET score = 'random';
-- a panel of judges
SELECT pin.loaded('pin.e', pin.given('g')) AS version \gset
SELECT is(answer_suite_judge('pin.e', '{"judge_entailment": ["robot", "broken"]}'), 1,
	'of a panel those that work are pinned');
SELECT is(answer_suite_judge('pin.e', '{"judge_entailment": ["robot", "broken"]}'), 0, 'once');
SELECT is((SELECT count(*)::int FROM answer.judgement), 0, 'and still nothing is stored elsewhere');

/* judges that are people */

\set person '{"judge_entailment": "person", "judge_answers": "person"}'
SELECT pin.loaded('pin.f', pin.given('g')) AS version \gset
SELECT is(answer_suite_judge('pin.f', :'person'), 0, 'of an external judge who has said nothing, nothing is pinned');
CREATE FUNCTION pin.said(kind text, a text, b text, relation text) RETURNS int LANGUAGE sql AS $$
	SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('kind', kind, 'a', a, 'b', b, 'relation',
	relation,
		'score', 0.9, 'judge', 'person'))) $$;
GRANT pin_people TO CURRENT_USER;
SELECT is(pin.said('entailment', 'An hour and a half.', E'Ferry\nThe ferry to the island takes ninety minutes.',
	'supports'), 1,
	'a person judges the sentence');
SELECT is(answer_suite_judge('pin.f', :'person'), 1, 'which is pinned');
SELECT is(pin.pinned('pin.f', 2, 'g') #>> '{0,origin}', 'reported', 'as what somebody reported');
SELECT is(pin.came(answer_suite_run('pin.f', :'person')), 'g ANSWER_WITH_CAVEATS',
	'passages that he has not judged keep the caveat');

/* other kinds of cases */

SELECT pin.loaded('pin.g',
	'{"id": "v", "kind": "check", "request": {"checks": [{"tool": "ground.verify", "args": {"claims":
	["The ferry takes an hour and a half"], "sources": [{"uri": "a", "score": 0.9,
	"snippet": "The ferry takes ninety minutes."}]},
	"expect": {"path": "evidence.caveats", "op": "eq", "value": []}}]},
	"expected_verdict": "supported"}') AS version \gset
SELECT is(pin.came(answer_suite_run('pin.g', :'robot')), 'v contradicted',
	'a tool that a case calls asks nobody, either');
SELECT is(answer_suite_judge('pin.g', :'robot') > 0, true, 'what a tool needs judged is pinned, too');
SELECT is(jsonb_array_length(pin.pinned('pin.g', 2, 'v')), 1, 'in the case that called it');
SELECT is(answer_suite_judge('pin.g', :'robot'), 0, 'once');
SELECT pin.loaded('pin.p',
	'{"id": "plan", "kind": "plan", "expected_outcome": "answered", "plan": {"plan_id": "p", "nodes": [
	{"id": "a", "op": "call", "tool": "ground.verify", "args": {"claims": ["The ferry takes ninety minutes"],
	 "sources": [{"uri": "a", "score": 0.97, "snippet": "The ferry takes ninety minutes."}]}, "out": "ev"},
	{"id": "b", "op": "call", "tool": "synth.answer", "args": {"query": "How long?", "evidence": "$ev",
	 "style": "concise+citations"}, "out": "r"}], "edges": [["a", "b"]]}}') AS version \gset
SELECT is(pin.came(answer_suite_run('pin.p', :'robot')), 'plan blocked',
	'a plan, too, has nobody judge its evidence in a run');
SELECT is(answer_suite_judge('pin.p', :'robot'), 1, 'until it is judged');
SELECT answer_judge_remove('robot') IS NOT NULL AS removed \gset
SELECT is(pin.came(answer_suite_run('pin.g', :'robot')), 'v supported', 'where it uses it, whoever is gone');

SELECT is(pin.came(answer_suite_run('pin.p', :'robot')), 'plan answered', 'and a plan goes by what is pinned');

/* an answer that is kept in the cache for others */

SELECT pin.register('robot', '["entailment", "answers"]', '{"handler": "pin.says", "version": "4"}');
SELECT pin.loaded('pin.env',
	'{"id": "n", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"}',
	'{"id": "y", "query": "Where does the ferry carry bicycles?", "expected_outcome": "ANSWER",
	"risk_level": "low"}') AS version \gset
SELECT answer_environment_set('pinning',
	options => '{"suite": "pin.env", "rules": {}, "shadow_samples": 0, "canary_samples": 0}') IS NOT NULL AS made \gset
SET LOCAL answer_eval.environment = 'pinning';
SELECT answer_config_create('{"cache_ttl_s": 600, "judge_entailment": "robot"}', 'a test') AS config \gset
SELECT answer_config_promote('pinning', :'config') IS NOT NULL AS moved FROM generate_series(1, 3) \g /dev/null
SELECT is(answer_config() -> 'cache_ttl_s', '600', 'a configuration that keeps answers is in force');
SELECT c.body AS plan FROM answer.suite_case AS c WHERE c.suite = 'pin.p' AND c.version = 1 \gset
SELECT is((SELECT string_agg(concat_ws(' ', a.r ->> 'verdict', a.r -> 'cached'), ', ') FROM (
	SELECT answer_plan_execute(jsonb_build_object('plan', :'plan'::jsonb -> 'plan')) AS r
	FROM generate_series(1, 2)) AS a),
	'answered, answered true', 'outside of a run the judge is asked, and the answer kept');
SELECT is(pin.came(answer_suite_run('pin.p', NULL, 1)), 'plan blocked', 'which a run does not take up');
SELECT answer_judge_remove('robot') IS NOT NULL AS removed \gset
RESET answer_eval.environment;

/* cases of other tenants */

-- The error for a case that pins this.
CREATE FUNCTION pin.told(judgements text, more jsonb DEFAULT '{}') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pin.loaded('pin.h', pin.given('h') || jsonb_build_object('judgements', judgements::jsonb) || more);
	RETURN 'loaded';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT format('{"pair": "sha256:%s", "relation": "supports", "score": 0.5, "judge": "j"}', repeat('a',
	64)) AS good \gset
SELECT matches(pin.told(judgements), '^22023 cases\[0\] \(h\): ' || told, 'refused: ' || told) FROM (VALUES
	('{}', 'judgements must be an array'),
	('["x"]', 'judgements\[0\] must be an object'),
	('[' || :'good' || ', ' || :'good' || ']',
	'judgements\[1\] must be of another pair or judge than judgements\[0\]'),
	(jsonb_build_array(:'good'::jsonb || '{"score": 1e300}')::text,
	'judgements\[0\].score must be a number from 0 to 1'),
	(jsonb_build_array(:'good'::jsonb || '{"score": -1}')::text,
	'judgements\[0\].score must be a number from 0 to 1'),
	(jsonb_build_array(:'good'::jsonb || '{"score": "NaN"}')::text,
	'judgements\[0\].score must be a number from 0 to 1'),
	(jsonb_build_array(:'good'::jsonb - 'judge')::text,
	'judgements\[0\].judge must be the name of a judge, and is missing'),
	(jsonb_build_array(:'good'::jsonb || '{"pair": "x"}')::text, 'judgements\[0\].pair must be a digest'),
	(jsonb_build_array(:'good'::jsonb || '{"relation": "maybe"}')::text, 'judgements\[0\].relation must be supports'),
	(jsonb_build_array(:'good'::jsonb || '{"kind": "conflict"}')::text,
	'judgements\[0\].relation must be contradicts or neutral')
	) AS t (judgements, told);
SELECT is(pin.told(jsonb_build_array(:'good'::jsonb)::text), 'loaded',
	'a judgement of no pair of the case is allowed');
SELECT is(pin.came(answer_suite_run('pin.h', '{"judge_entailment": "j"}')), 'h ANSWER_WITH_CAVEATS', 'and left out');
-- a passage with a relation that only a sentence can have
SELECT pin.told(jsonb_build_array(j || '{"relation": "no_claim", "kind": null}'::jsonb)::text) AS told
FROM jsonb_array_elements(pin.pinned('pin.a', 2, 'first')) AS j WHERE j ->> 'kind' = 'answers' LIMIT 1 \gset
SELECT is(pin.came(answer_suite_run('pin.h', :'robot')), 'h 22023',
	'what cannot be said of a pair is an error of its case');
SELECT is(answer_run(answer_suite_run('pin.h', :'robot')) ->> 'verdict', 'fail', 'and the run goes on');

/* what is refused */

SELECT throws_ok($$SELECT answer_suite_judge('golden', '{"judge_answers": "person"}')$$, '55000', NULL,
	'the suite that ships');
SELECT throws_ok($$SELECT answer_suite_judge('pin.none')$$, 'P0002', NULL, 'one that is not there');
SELECT throws_ok($$SELECT answer_suite_judge(NULL)$$, '22004', NULL, 'none');
SELECT throws_ok($$SELECT answer_suite_judge('pin.a', '{"judge_answer": "person"}')$$, '22023', NULL,
	'an unknown key');
SELECT throws_ok($$SELECT answer_suite_judge('pin.a', '[]')$$, '22023', NULL, 'a configuration that is no object');
SELECT throws_like($$SELECT answer.gate_judge('{}', '{"max_unjudged": 0}')$$,
	'%unjudged_rate, contradicted_rate, unsupported_rate%',
	'a rule that there is not: those that there are');
SAVEPOINT reading;
SET LOCAL transaction_read_only = on;
SELECT throws_ok($$SELECT answer_suite_judge('pin.a')$$, '25006', NULL, 'in a read-only transaction');
ROLLBACK TO reading;

/* a call that fails pins nothing */

SELECT pin.register('sleepy', '["entailment"]', '{"handler": "pin.sleeps"}');
SELECT pin.register('robot', '["entailment", "answers"]', '{"handler": "pin.says"}');
SELECT pin.loaded('pin.i', pin.given('quick'), pin.given('slow',
	'{"answer": "It takes one and a half hours [1]."}')) AS version \gset
CREATE FUNCTION pin.cancelled(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'came back';
EXCEPTION WHEN query_canceled THEN
	RETURN 'cancelled';
END $$;
SET LOCAL statement_timeout = '1s';
SELECT is(pin.cancelled($$SELECT answer_suite_judge('pin.i', '{"judge_entailment": ["robot", "sleepy"]}')$$),
	'cancelled',
	'a cancel ends it, though a judge sleeps');
SET LOCAL statement_timeout = 0;
SELECT is(pin.versions('pin.i'), 1, 'and there is no new version');
SELECT is(pin.came(answer_suite_run('pin.i', '{"judge_entailment": ["robot"]}')),
	'quick ANSWER_WITH_CAVEATS, slow ANSWER_WITH_CAVEATS', 'after which a run asks nobody, as ever');
SELECT is((answer_grounded('How long does the ferry take?',
	'{"config": {"judge_answers": "robot"}}') ->> 'decision') IS NULL, false,
	'and a question is asked as before');
SELECT pin.loaded('pin.j', pin.given('a', jsonb_build_object('notes', repeat('x', 8388000)))) AS version \gset
SELECT throws_ok($$SELECT answer_suite_judge('pin.j', '{"judge_entailment": "robot", "judge_answers": "robot"}')$$,
	'54000',
	'the cases have more than 8388608 bytes with what judges say of them', 'cases that become too large');
SELECT is(pin.versions('pin.j'), 1, 'pin nothing');
SELECT pin.loaded('pin.k', pin.given('bad', '{"chunks": [1]}'), pin.given('good')) AS version \gset
SELECT cmp_ok(answer_suite_judge('pin.k', :'robot'), '>', 0,
	'a case that raises keeps none of the others from being judged');
SELECT is(pin.came(answer_suite_run('pin.k', :'robot')), 'bad 22023, good ANSWER', 'and raises in the run, too');

/* rights */

CREATE ROLE pin_nobody;
GRANT USAGE ON SCHEMA pin, tap TO pin_nobody;
SET LOCAL ROLE pin_nobody;
SELECT throws_ok($$SELECT answer_suite_judge('pin.a')$$, '42501', NULL, 'without the privilege');
SELECT throws_ok($$SELECT answer.suite_pin_put('', 'pin.a', 2, '{}')$$, '42501', NULL,
	'and nothing is written around it');
RESET ROLE;
SELECT throws_ok($$SELECT answer.suite_pin_put('', 'pin.a', 1, '{}')$$, '40001', NULL,
	'what was judged must be the newest version');
SELECT answer_tenant_create(t) FROM unnest('{pin-a,pin-b}'::text[]) AS t \g /dev/null
CREATE ROLE pin_a;
CREATE ROLE pin_b;
GRANT USAGE ON SCHEMA answer TO pin_a, pin_b;
GRANT EXECUTE ON FUNCTION answer_suite_judge, answer_suite_load, answer_suites, answer_suite_run TO pin_a, pin_b;
GRANT USAGE ON SCHEMA pin, tap TO pin_a, pin_b;
GRANT SELECT ON pin.mood TO pin_a;
SELECT answer_tenant_grant('pin-a', 'pin_a'), answer_tenant_grant('pin-b', 'pin_b') \g /dev/null
SET LOCAL ROLE pin_a;
SELECT pin.loaded('pin.l', pin.given('g')) AS version \gset
SELECT cmp_ok(answer_suite_judge('pin.l', :'robot'), '>', 0, 'a tenant has its own suite judged');
SELECT is(pin.versions('pin.l'), 2, 'which has a new version');
SELECT throws_ok($$SELECT answer_suite_judge('pin.a')$$, 'P0002', NULL, 'that of the operator is not there');
SET LOCAL ROLE pin_b;
SELECT throws_ok($$SELECT answer_suite_judge('pin.l')$$, 'P0002', NULL, 'nor that of another tenant');
RESET ROLE;
SELECT is((SELECT string_agg(concat_ws('/', s.tenant, s.version, s.loaded_by), ' ' ORDER BY s.version)
	FROM answer.suite AS s
	WHERE s.name = 'pin.l'), concat('pin-a/1/', session_user, ' pin-a/2/', session_user), 'it is the tenant''s');

/* forgetting */

SELECT answer_document_load(pin.docs()) IS NOT NULL AS loaded \gset
SELECT answer_forget('bus', 'it must go') IS NOT NULL AS forgotten \gset
SELECT throws_ok($$SELECT answer_suite_judge('pin.k', '{"judge_entailment": "robot"}')$$, '23001', NULL,
	'a suite that lost a document is not judged');

SELECT * FROM finish();
ROLLBACK;
