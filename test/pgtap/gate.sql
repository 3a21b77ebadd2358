-- What a suite promises: it finds nothing but its own, leaves nothing behind, and says what it cannot judge.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT no_plan();

CREATE FUNCTION pg_temp.cases(VARIADIC ids text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_build_object('id', id, 'query', 'What is the refund window for custom items?',
		'expected_outcome', 'ANSWER', 'risk_level', 'high', 'required_citation_doc_ids', '["pg-refund"]'::jsonb))
	FROM unnest(ids) AS id $$;
CREATE FUNCTION pg_temp.docs(days int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('doc_id', 'pg-refund', 'title', 'Refund policy',
		'timestamp', '2024-05-20', 'text', format(E'Custom items have a refund window of %s days.\n\n'
		'The refund window for custom items begins at once.', days))) $$;
SELECT answer_suite_load('pg.own', pg_temp.cases('a'), pg_temp.docs(30), '2024-06-01') ->> 'version' AS version \gset
-- what the tenant has besides would conflict, be newer, and be found first
SELECT answer_document_load(jsonb_build_array(pg_temp.docs(14) -> 0
	|| '{"doc_id": "pg-other", "timestamp": "2024-06-01"}')) IS NOT NULL AS loaded \gset
SELECT answer_suite_run('pg.own') AS run \gset
SELECT is(c.citations, '["pg-refund#p0", "pg-refund#p1"]', 'a case finds the documents of its suite alone')
FROM answer.run_case c WHERE run_id = :'run';
SELECT is((SELECT count(*)::int FROM answer_search('refund window for custom items', 50) AS s
	WHERE s.doc_id = 'pg-refund'), 0,
	'nobody else finds them');
SELECT is((SELECT count(*)::int FROM answer_documents() WHERE doc_id = 'pg-refund'), 0, 'nor lists them');
-- the clock is the suite's
SELECT answer_suite_load('pg.later', pg_temp.cases('a'), pg_temp.docs(30), '2024-08-01') ->> 'version' AS version \gset
SELECT answer_suite_run('pg.later') AS later \gset
SELECT is(c.decision, 'ABSTAIN', 'at a later clock the same is stale')
FROM answer.run_case c WHERE run_id = :'later';
-- a run that is read in the statement that makes it
SELECT is(answer_gate(answer_suite_run('pg.own'), '{"max_false_accept_rate": 1}') ->> 'outcome', 'inconclusive',
	'a rate of nothing is inconclusive, whatever bounds it');

-- whatever order the cases have, and whatever else is loaded: the same triple, the same digest
SELECT is((SELECT count(DISTINCT d.digest)::int FROM (
	SELECT answer_run(answer_suite_run('pg.own')) ->> 'digest' AS digest
	FROM generate_series(1, 5)) AS d), 1, 'five runs have one digest');
SELECT isnt((SELECT answer_run(answer_suite_run('pg.own', '{"top_k": 1}')) ->> 'digest'),
	(SELECT digest FROM answer.run WHERE run_id = :'run'), 'another configuration has another');
SELECT answer_decision_rule_register('insufficiency', 'nobody knows') IS NULL AS added \gset
SELECT isnt((SELECT answer_run(answer_suite_run('pg.own')) ->> 'engine_digest'),
	(SELECT engine_digest FROM answer.run WHERE run_id = :'run'), 'other rules are another engine');

-- what was forgotten is an error of the case, and not of the run
SELECT answer_document_load(pg_temp.docs(30)) IS NOT NULL AS loaded \gset
SELECT answer_forget('pg-refund', 'a test') IS NOT NULL AS forgotten \gset
SELECT answer_suite_run('pg.own') AS raising \gset
SELECT is(c.error ->> 'sqlstate', '23001', 'a case that finds what was forgotten raises')
FROM answer.run_case c WHERE run_id = :'raising';
SELECT throws_ok($$SELECT answer_suite_load('pg.again', pg_temp.cases('a'), pg_temp.docs(30), '2024-06-01')$$,
	'23001', NULL,
	'and what was forgotten is not loaded again');

-- nothing is left behind by cases that write
CREATE TABLE pg_temp_wrote (n int);
CREATE FUNCTION gate_writes(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	INSERT INTO tap.pg_temp_wrote VALUES (1); SELECT '{"v": 1}'::jsonb $$;
SELECT answer_tool_register('gate.writes', 'gate_writes(jsonb)') IS NULL AS registered \gset
SELECT answer_suite_load('pg.writes', '[{"id": "w", "kind": "check", "request": {"checks": [{"tool": "gate.writes",
	"expect": {"path": "v", "op": "eq", "value": 1}}]}, "expected_verdict": "supported"}]')
	->> 'version' AS version \gset
SELECT count(*)::int AS before FROM answer.receipt WHERE schema = 'answer/v1' \gset
SELECT answer_suite_run('pg.writes') AS writes \gset
SELECT is((SELECT r.passed FROM answer.run_case r WHERE run_id = :'writes'), true,
	'a check that writes passes');
SELECT is((SELECT count(*)::int FROM pg_temp_wrote), 0, 'and what it wrote is undone');
SELECT is((SELECT count(*)::int FROM answer.receipt WHERE schema = 'answer/v1'), :before,
	'and its receipt is not there');

-- rules
SELECT throws_ok(format($$SELECT answer_gate(%L, '{"min_overall_pass_rate": "0.8x"}')$$, :'run'), '22023', NULL,
	'a rule is a number');
SELECT is(answer_gate(:'run', '{"max_false_accept_rate": 0, "min_overall_pass_rate": 0.85}') ->> 'outcome',
	answer_gate(:'run') ->> 'outcome', 'what is shipped can be said');
SELECT is(answer.gate_judge(answer.run_brief(answer_run(:'run'))) - 'run', answer_gate(:'run') - 'run',
	'a brief is judged as its run');

SELECT * FROM finish();
ROLLBACK;
