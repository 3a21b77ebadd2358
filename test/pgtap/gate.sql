-- The promises of a suite: it finds only its own documents, leaves nothing behind, and says what it cannot judge.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(64);
\ir ../lib/answer_test.sql

CREATE FUNCTION pg_temp.cases(VARIADIC ids text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_build_object('id', id, 'query', 'What is the refund window for custom items?',
		'expected_outcome', 'ANSWER', 'risk_level', 'high', 'required_citation_doc_ids', '["pg-refund"]'::jsonb))
	FROM unnest(ids) AS id $$;
CREATE FUNCTION pg_temp.docs(days int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('doc_id', 'pg-refund', 'title', 'Refund policy',
		'timestamp', '2024-05-20', 'text', format(E'Custom items have a refund window of %s days.\n\n'
		'The refund window for custom items begins at once.', days))) $$;
SELECT answer_suite_load('pg.own', pg_temp.cases('a'), pg_temp.docs(30), '2024-06-01') ->> 'version' AS version \gset
-- other documents of the tenant would conflict, be newer, and be found first
SELECT answer_document_load(jsonb_build_array(pg_temp.docs(14) -> 0
	|| '{"doc_id": "pg-other", "timestamp": "2024-06-01"}')) IS NOT NULL AS loaded \gset
SELECT answer_suite_run('pg.own') AS run \gset
SELECT is(c.citations, '["pg-refund#p0", "pg-refund#p1"]', 'a case finds the documents of its suite alone')
FROM answer.run_case c WHERE run_id = :'run';
SELECT is((SELECT count(*)::int FROM answer_search('refund window for custom items', 50) AS s
	WHERE s.doc_id = 'pg-refund'), 0,
	'nobody else finds them');
SELECT is((SELECT count(*)::int FROM answer_documents() WHERE doc_id = 'pg-refund'), 0, 'nor lists them');
-- the suite sets the clock
SELECT answer_suite_load('pg.later', pg_temp.cases('a'), pg_temp.docs(30), '2024-08-01') ->> 'version' AS version \gset
SELECT answer_suite_run('pg.later') AS later \gset
SELECT is(c.decision, 'ABSTAIN', 'at a later clock the same is stale')
FROM answer.run_case c WHERE run_id = :'later';
-- a run that is read by the statement that makes it
SELECT is(answer_gate(answer_suite_run('pg.own'), '{"max_false_accept_rate": 1}') ->> 'outcome', 'inconclusive',
	'a rate of nothing is inconclusive, whatever bounds it');

-- the order of cases and other loaded content do not matter: the same triple gives the same digest
SELECT is((SELECT count(DISTINCT d.digest)::int FROM (
	SELECT answer_run(answer_suite_run('pg.own')) ->> 'digest' AS digest
	FROM generate_series(1, 5)) AS d), 1, 'five runs have one digest');
SELECT isnt((SELECT answer_run(answer_suite_run('pg.own', '{"top_k": 1}')) ->> 'digest'),
	(SELECT digest FROM answer.run WHERE run_id = :'run'), 'another configuration has another');
SELECT answer_decision_rule_register('insufficiency', 'nobody knows') IS NULL AS added \gset
SELECT isnt((SELECT answer_run(answer_suite_run('pg.own')) ->> 'engine_digest'),
	(SELECT engine_digest FROM answer.run WHERE run_id = :'run'), 'other rules are another engine');

-- cases that write leave nothing behind
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
SELECT is(answer.gate_judge(answer_test.run_brief(answer_run(:'run'))) - 'run', answer_gate(:'run') - 'run',
	'a brief is judged as its run');

-- forgetting a document also removes copies of the same content in suites, and the runs that cite it
SELECT answer_suite_load('pg.other', pg_temp.cases('a'), '[{"doc_id": "pg-other", "title": "T",
	"timestamp": "2024-05-20", "text": "Nothing of the kind."}]', '2024-06-01') ->> 'version' AS version \gset
SELECT answer_suite_load('pg.longer', pg_temp.cases('a'), pg_temp.docs(45), '2024-06-01') ->> 'version' AS version \gset
SELECT answer.suite_load_put('acme', 'pg.own', pg_temp.cases('a'), pg_temp.docs(30), '2024-06-01') ->> 'version'
	AS version \gset
SELECT answer_suite_run('pg.other') AS other, answer_suite_run('pg.longer') AS longer \gset
SELECT content_hash AS hash FROM answer.document WHERE doc_id = 'pg-refund' AND tenant IN (
	SELECT document_set FROM answer.suite WHERE name = 'pg.own' AND tenant = '') \gset
CREATE TEMP TABLE of_seed AS SELECT s.document_set, count(*) AS documents
FROM answer.suite s JOIN answer.document d ON d.tenant = s.document_set WHERE s.seed GROUP BY 1;
SELECT throws_ok($$SELECT answer_forget('pg-refund', 'a test')$$, 'P0002', NULL,
	'what the tenant has in suites alone is not named by its id');
SELECT answer_document_load(pg_temp.docs(30)) IS NOT NULL AS loaded \gset
SELECT answer_forget('pg-refund', 'a test') AS forgotten \gset
SELECT is(:'forgotten'::jsonb -> 'documents', jsonb_build_array(:'hash'), 'one digest is buried');
SELECT is_empty(format($$SELECT FROM answer.document d JOIN answer.suite s ON s.document_set = d.tenant
	WHERE s.tenant = '' AND d.content_hash = %L$$, :'hash'), 'what is forgotten is in no suite of the tenant');
SELECT is_empty($$SELECT FROM answer.chunk c JOIN answer.suite s ON s.document_set = c.tenant AND s.tenant = ''
	WHERE c.doc_id = 'pg-refund' AND c.text LIKE '%30 days%'$$, 'nor is its text');
SELECT is_empty($$SELECT FROM answer.chunk_search c JOIN answer.suite s ON s.document_set = c.tenant
	WHERE c.doc_id = 'pg-refund' AND s.tenant = '' AND s.name = 'pg.own'$$, 'nor is it found');
SELECT ok(:'forgotten'::jsonb -> 'receipts' ? :'run', 'a run that cites it goes with it');
SELECT throws_ok(format('SELECT answer_run(%L)', :'run'), '23001', NULL, 'and is not read any more');
SELECT throws_ok($$SELECT answer_suite_run('pg.own')$$, '23001',
	format('document "%s" of suite "pg.own" of version 1 was forgotten', :'hash'),
	'a suite that has lost a document does not run, and says so');
SELECT is(answer_run(:'other') ->> 'schema', 'run/v1', 'a run of other documents stays');
SELECT is(answer_run(:'longer') ->> 'schema', 'run/v1', 'and so does one of another content under the same id');
SELECT is((SELECT answer_run(answer_suite_run('pg.longer')) ->> 'digest'), answer_run(:'longer') ->> 'digest',
	'which is run again with the same result');
SELECT is((SELECT count(*)::int FROM answer.document d JOIN answer.suite s ON s.document_set = d.tenant
	WHERE s.tenant = 'acme' AND d.content_hash = :'hash'), 1, 'another tenant keeps the same content');
SELECT is_empty('SELECT * FROM of_seed EXCEPT SELECT tenant, count(*) FROM answer.document GROUP BY 1',
	'what ships keeps its documents');
SELECT throws_ok($$SELECT answer_suite_load('pg.again', pg_temp.cases('a'), pg_temp.docs(30), '2024-06-01')$$,
	'23001', NULL,
	'and what was forgotten is not loaded again');

-- a version never names two contents, whatever happened to the rows
CREATE FUNCTION pg_temp.version_of(VARIADIC ids text[]) RETURNS int LANGUAGE sql AS $$
	SELECT (answer_suite_load('pg.version', pg_temp.cases(VARIADIC ids), '[]', '2024-06-01') ->> 'version')::int $$;
SELECT is(pg_temp.version_of('a'), 1, 'the first version');
SELECT answer_suite_run('pg.version') IS NOT NULL AS ran \gset
SELECT is(pg_temp.version_of('a', 'b'), 2, 'the second');
SELECT answer_suite_run('pg.version') IS NOT NULL AS ran \gset
ALTER TABLE answer.suite DISABLE TRIGGER suite_append_only;
ALTER TABLE answer.suite_case DISABLE TRIGGER suite_case_append_only;
DELETE FROM answer.suite WHERE name = 'pg.version';
DELETE FROM answer.suite_case WHERE suite = 'pg.version';
SELECT is(pg_temp.version_of('a', 'b'), 2, 'a suite that was lost gets the number that its runs have');
SELECT isnt(answer_suite_run('pg.version'), NULL, 'and is run as that');
SELECT is(pg_temp.version_of('a'), 3, 'what was older is newer now, and has a number of its own');
DELETE FROM answer.suite WHERE name = 'pg.version';
DELETE FROM answer.suite_case WHERE suite = 'pg.version';
SELECT is(pg_temp.version_of('c'), 3, 'another content gets a number that no run has');
SELECT is((SELECT answer_suite_load('pg.version', pg_temp.cases('c'), '[]', '2024-06-01') ->> 'version'), '3',
	'and keeps it when it is loaded again');
SELECT throws_ok($$SELECT answer.suite_store('', 'golden', '[]', '[]', now(), 1)$$, '55000', NULL,
	'a release that changes what ships needs a greater number');

-- rows that the owner changes, with and without the digest
SELECT answer_environment_set('tampered',
	options => '{"suite": "pg.longer", "rules": {}, "shadow_samples": 0, "canary_samples": 0}') IS NOT NULL AS made,
	answer_config_create('{"top_k": 7}', 'a test') AS config \gset
UPDATE answer.suite_case SET body = body || '{"expected_outcome": "ABSTAIN"}' WHERE suite = 'pg.longer';
SELECT throws_ok($$SELECT answer_suite_run('pg.longer')$$, 'XX001',
	'suite "pg.longer" of version 1 is not what was loaded', 'a case that was changed is noticed by the next run');
SELECT throws_ok(format($$SELECT answer_config_promote('tampered', %L)$$, :'config'), 'XX001',
	'suite "pg.longer" of version 1 is not what was loaded', 'and by the next promotion');
UPDATE answer.suite SET digest = answer.suite_digest((SELECT jsonb_agg(r.digest ORDER BY r.ordinal)
	FROM answer.suite_read((SELECT jsonb_agg(c.body ORDER BY c.ordinal) FROM answer.suite_case c
		WHERE c.suite = 'pg.longer' AND c.tenant = '')) AS r), documents, now) WHERE name = 'pg.longer';
SELECT throws_ok($$SELECT answer_suite_run('pg.longer')$$, 'XX001',
	'suite "pg.longer" of version 1 is not what was loaded', 'with its digest it is not what was signed before');
SELECT throws_ok(format($$SELECT answer_config_promote('tampered', %L)$$, :'config'), 'XX001', NULL,
	'nor does it gate');
SELECT is(answer_suite_load('pg.longer', pg_temp.cases('a'), pg_temp.docs(45), '2024-06-01') ->> 'version', '2',
	'what it was comes again as another version');
SELECT is((SELECT answer_run(answer_suite_run('pg.longer')) #>> '{suite,digest}'),
	answer_run(:'longer') #>> '{suite,digest}', 'with the digest that it had');

-- a case that runs a suite itself: the settings of the first run are unchanged afterwards
CREATE FUNCTION gate_nests(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM public.answer_suite_run('pg.version');
	RETURN jsonb_build_object('v', public.answer_decide('When?', '[]') #> '{thresholds,conf_max}');
END $$;
SELECT answer_tool_register('gate.nests', 'gate_nests(jsonb)') IS NULL AS registered \gset
SELECT answer_suite_load('pg.nests', '[{"id": "n", "kind": "check", "request": {"checks": [{"tool": "gate.nests",
	"expect": {"path": "v", "op": "eq", "value": 0.5}}]}, "expected_verdict": "supported"}]')
	->> 'version' AS version \gset
SELECT answer_suite_run('pg.nests', '{"confidence_threshold": 0.5}') AS nests \gset
SELECT is((SELECT r.decision FROM answer.run_case r WHERE run_id = :'nests'), 'supported',
	'after a run within a case, the case goes by the configuration of its own run');

-- one process tries the cases; their queries have workers if the planner gives some
CREATE TABLE tap.gate_many WITH (parallel_workers = 2) AS SELECT n FROM generate_series(1, 200000) AS n;
ANALYZE tap.gate_many;
CREATE FUNCTION gate_workers(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	line text;
	workers int := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS off) SELECT count(*) FROM tap.gate_many WHERE n > 3' LOOP
		workers := workers + coalesce(substring(line FROM 'Workers Planned: (\d+)')::int, 0);
	END LOOP;
	RETURN jsonb_build_object('v', workers > 0);
END $$;
SELECT answer_tool_register('gate.workers', 'gate_workers(jsonb)') IS NULL AS registered \gset
SELECT answer_suite_load('pg.workers', '[{"id": "w", "kind": "check", "request": {"checks": [{"tool": "gate.workers",
	"expect": {"path": "v", "op": "eq", "value": true}}]}, "expected_verdict": "supported"}]')
	->> 'version' AS version \gset
SELECT answer_suite_run('pg.workers') AS workers \gset
SELECT is((SELECT r.decision FROM answer.run_case r WHERE run_id = :'workers'), 'supported',
	'the query of a case has parallel workers');

-- a slice without cases guards nothing
SELECT is(answer_gate(:'other', '{"no_regression_slices": ["hihg_risk"], "max_false_accept_rate": 1}', :'other')
	-> 'inconclusive' ->> -1, 'slice hihg_risk is neither in the baseline nor in the run',
	'a slice that neither run has is inconclusive');
SELECT is_empty(format($$SELECT FROM jsonb_array_elements_text(answer_gate(%L, NULL, %1$L) -> 'inconclusive') AS i
	WHERE i LIKE 'slice %%'$$, :'other'), 'one that ships and has no cases is not judged');

-- exports of characters that XML does not allow
SELECT answer_suite_load('pg.xml', jsonb_build_array(jsonb_build_object('id', U&'\FFFE<"&\0001\0085\FFFF',
	'query', 'Who?', 'expected_outcome', 'ANSWER', 'risk_level', 'low'))) ->> 'version' AS version \gset
SELECT is((SELECT (xpath('//testcase/@name', answer_run_junit(answer_suite_run('pg.xml'))))[1]::text),
	U&'?&lt;"&amp;?\0085?', 'a report is XML, whatever a case is called');

-- the rules of a promotion's record are those of its environment and the shipped ones, no others
SELECT answer_environment_set('ruled', options => '{"suite": "pg.version", "rules": {"max_false_accept_rate": 1}, '
	'"shadow_samples": 0, "canary_samples": 0}') IS NOT NULL AS made,
	answer_config_promote('ruled', answer_config_create('{"top_k": 8}', 'a test')) ->> 'receipt_id' AS refused \gset
SELECT is(answer_verify(jsonb_set(answer_receipt(:'refused'), '{step,gate,rules,min_cases}', '0'))
	#>> '{steps,replay,reason}', 'the rules of the gate are not those of the environment', 'a rule more is noticed');

-- a role of CI: the right to read receipts decides; no function of the schema answer is granted
CREATE ROLE regress_gate_ci;
GRANT USAGE ON SCHEMA answer, tap TO regress_gate_ci;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tap TO regress_gate_ci;
GRANT EXECUTE ON FUNCTION answer_suite_run, answer_run, answer_run_diff, answer_gate, answer_gate_assert,
	answer_run_junit, answer_run_intoto TO regress_gate_ci;
CREATE TEMP TABLE ci_call AS SELECT format(s, :'other') AS s FROM unnest(ARRAY['SELECT answer_run(%L)',
	'SELECT answer_run_diff(%L, %1$L)', 'SELECT answer_gate(%L, NULL, %1$L)', 'SELECT answer_run_junit(%L)',
	'SELECT answer_run_intoto(%L)',
	'SELECT answer_gate_assert(%L, ''{"min_overall_pass_rate": 0, "max_false_accept_rate": 1}'')']) AS s;
GRANT SELECT ON ci_call TO regress_gate_ci;
SET LOCAL ROLE regress_gate_ci;
SELECT throws_ok(s, '42501', 'permission denied for table receipt', s) FROM ci_call;
RESET ROLE;
GRANT SELECT ON answer.receipt TO regress_gate_ci;
SET LOCAL ROLE regress_gate_ci;
SELECT CASE WHEN s LIKE '%assert%' THEN throws_like(s, 'gate of run%inconclusive', s) ELSE lives_ok(s, s) END
FROM ci_call;
SELECT matches(answer_suite_run('pg.other'), '^run_', 'and it runs suites');
RESET ROLE;

-- a report compares with the run that its evidence names
SELECT answer_baseline_load('pg.bot', '[{"question": "q", "answered": true, "cited": true, "contradictory": false,
	"latency_ms": 100, "cost_usd": 0.01}]') IS NOT NULL AS loaded \gset
SELECT isnt(answer_audit_report('2020-01-01', '2020-01-02', 'pg.bot', :'other'), NULL,
	'a report of a baseline and a run');
INSERT INTO answer.baseline_row VALUES ('', 'pg.bot', 1, 'slow', true, true, false, 1000000, 1);
SELECT throws_ok($$SELECT answer_audit_report('2020-01-01', '2020-01-02', 'pg.bot')$$, 'XX001',
	'baseline "pg.bot" of version 1 is not what was loaded', 'a row that the owner adds to a baseline is noticed');
ALTER TABLE answer.receipt_default DISABLE TRIGGER receipt_append_only;
UPDATE answer.receipt SET body = jsonb_set(body, '{cases,0,decision}', '"ANSWER"') WHERE receipt_id = :'other';
SELECT throws_ok(format($$SELECT answer_audit_report('2020-01-01', '2020-01-02', NULL, %L)$$, :'other'), 'XX001',
	format('run "%s" does not verify', :'other'), 'and a run that was changed');

SELECT * FROM finish();
ROLLBACK;
