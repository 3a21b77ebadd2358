-- tiers: test
-- The golden set with a judge: the judgements are pinned, so a run asks nobody; and the gate distinguishes a
-- configuration that names the judge from one that does not.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
\pset fieldsep '\n'
SELECT plan(19);
\set documents `cat ../../examples/golden/documents.json`
\set judged `cat ../../examples/golden/judged.json`
CREATE TEMP TABLE file AS SELECT :'documents'::jsonb AS documents, :'judged'::jsonb AS judged;
SELECT lives_ok($$SELECT answer_suite_load('golden-judged', judged -> 'cases', documents -> 'documents',
	(documents ->> 'now')::timestamptz) FROM file$$, 'cases with judgements are loaded');
CREATE TEMP TABLE run AS SELECT answer_suite_run('golden-judged', judged -> 'config') AS judged,
	answer_suite_run('golden-judged') AS unjudged FROM file;
CREATE TEMP TABLE came AS SELECT c ->> 'id' AS id, c ->> 'decision' AS decision, (c -> 'passed')::boolean AS passed,
	c #>> '{case,expected_outcome}' AS expected, k.judged
FROM run, LATERAL (VALUES (run.judged, true), (run.unjudged, false)) AS k (run_id, judged),
	jsonb_array_elements(answer_run(k.run_id) -> 'cases') AS c;

SELECT is_empty('SELECT id, decision FROM came WHERE judged AND NOT passed', 'judged, every case passes');
SELECT is(answer_gate(judged) ->> 'outcome', 'pass', 'and the gate') FROM run;
SELECT bag_eq('SELECT DISTINCT decision FROM came WHERE judged',
	ARRAY['ANSWER', 'ANSWER_WITH_CAVEATS', 'ABSTAIN', 'BLOCK'], 'a judge comes to all that a judge can');
SELECT bag_eq($$SELECT id FROM came WHERE judged AND decision = 'ANSWER_WITH_CAVEATS'$$,
	ARRAY['judged-given-unjudged'], 'what the judge has not judged keeps its caveat');
SELECT is(answer_gate(unjudged) ->> 'outcome', 'fail', 'without the judge the gate fails') FROM run;
SELECT ok(answer_gate(unjudged, '{}', judged) -> 'failures' @> '["false_accept_rate 1.0000 > max 0"]',
	'for it answers all that must be refused') FROM run;
-- the rates that only a judge can improve
SELECT is(answer_gate(judged, '{"max_unjudged_rate": 0.2, "min_overall_pass_rate": 1}') ->> 'outcome', 'pass',
	'judged, few answers are unjudged') FROM run;
SELECT is(answer_gate(unjudged, '{"max_unjudged_rate": 0.2, "max_false_accept_rate": 1, "min_overall_pass_rate": 0}')
	-> 'failures', '["unjudged_rate 0.9231 > max 0.2"]', 'unjudged, all are but a quotation: it fails for that')
FROM run;
SELECT is(answer_gate(answer_suite_run('golden'), '{"max_unjudged_rate": 0.2}') -> 'failures',
	'["unjudged_rate 1.0000 > max 0.2"]', 'as it does for the set that ships, which passes otherwise');
SELECT is(answer_gate(judged, '{"max_contradicted_rate": 0.1, "max_unsupported_rate": 0.1}') -> 'failures',
	'["contradicted_rate 0.1667 > max 0.1", "unsupported_rate 0.1667 > max 0.1"]', 'what a judge refuses is counted')
FROM run;
SELECT is(answer_run(judged) #> '{summary,slices,high_risk,metrics,unjudged_rate,n}', '0', 'in slices, too') FROM run;
SELECT answer_suite_load('refusals', '[{"id": "a", "query": "Who won?", "expected_outcome": "ABSTAIN",
	"risk_level": "low"}]') ->> 'version' AS version \gset
SELECT is(answer_gate(answer_suite_run('refusals'), '{"max_unjudged_rate": 0, "min_citation_validity_rate": 0}')
	-> 'inconclusive', '["citation_validity_rate is null, min 0 cannot be judged",
	"unjudged_rate is null, max 0 cannot be judged"]', 'nothing answered, nothing judged');
SELECT is_empty($$SELECT id, decision FROM came WHERE NOT judged AND expected IN ('ABSTAIN', 'BLOCK')
	AND decision <> 'ANSWER_WITH_CAVEATS'$$, 'but none of it without a caveat');
SELECT is(answer_verify(answer_run(k.run_id)) -> 'ok', 'true', k.name || ': the run verifies'),
	is(answer_replay(answer_run(k.run_id)) -> 'ok', 'true', k.name || ': and replays')
FROM run, LATERAL (VALUES (judged, 'judged'), (unjudged, 'unjudged')) AS k (run_id, name);
SELECT throws_like($$SELECT answer_suite_load('bad', '[{"id": "a", "query": "x", "expected_outcome": "ANSWER",
	"risk_level": "low", "judgements": 1}]', '[]', now())$$, '%judgements must be an array%',
	'judgements of a case are an array');

SELECT * FROM finish();
ROLLBACK;
