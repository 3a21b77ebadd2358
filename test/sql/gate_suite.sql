-- Suites: what is loaded and refused, what a run makes of it, and gates.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';
CREATE FUNCTION pg_temp.load(cases text, name text DEFAULT 'gate.bad') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN answer_suite_load(name, cases::jsonb)::text;
EXCEPTION WHEN OTHERS THEN
	RETURN concat(SQLSTATE, ': ', SQLERRM);
END $$;
-- what is refused
CREATE TABLE gate_bad (n serial, cases text);
INSERT INTO gate_bad (cases) VALUES
	(NULL), ('{}'), ('[1]'), ('[{}]'), ('[{"id": ""}]'), ('[{"id": "a", "kind": "song"}]'),
	('[{"id": "a", "more": 1}]'),
	('[{"id": "a", "query": "q"}]'), ('[{"id": "a", "query": "q", "expected_outcome": "answer"}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER"}]'),
	('[{"id": "a", "query": 1, "expected_outcome": "ANSWER", "risk_level": "low"}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER", "risk_level": "low", "citations": []}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER", "risk_level": "low",'
	 ' "required_behavior": {"must": true}}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER", "risk_level": "low", "slices": ["", "b"]}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER", "risk_level": "low"},'
	 ' {"id": "a", "query": "r", "expected_outcome": "ANSWER", "risk_level": "low"}]'),
	('[{"id": "a", "kind": "check", "request": {}}]'),
	('[{"id": "a", "kind": "check", "request": {}, "expected_verdict": "x", "expected_verdicts": []}]'),
	('[{"id": "a", "kind": "question", "question": "q", "query": "q", "expected_route": "r"}]'),
	('[{"id": "a", "kind": "plan", "plan": {}, "expected_outcome": "ANSWER"}]'),
	('[{"id": "a", "query": "q", "expected_outcome": "ANSWER", "risk_level": "low", "judgements": [{"pair": "x"}]}]'),
	('[{"id": "a", "kind": "question", "query": "q", "expected_route": "r", "judgements": []}]'),
	('[{"id": "a", "kind": "check", "request": {}, "expected_verdict": "x", "judgements": [{"pair":'
	 ' "sha256:0000000000000000000000000000000000000000000000000000000000000000", "relation": "supports",'
	 ' "score": 1, "judge": "j"}]}]');
SELECT n, pg_temp.load(cases) FROM gate_bad ORDER BY n;
SELECT pg_temp.load('[]', name) FROM (VALUES (NULL), (''), ('a b'), ('#a')) AS v (name);
SELECT answer_suite_load('gate.bad', '[]', '[{"doc_id": "d"}]');
SELECT answer_suite_load('gate.bad', '[]', '[]', 'infinity');
SELECT count(*) FROM answer.suite WHERE name = 'gate.bad';
-- one of each kind; clock and documents are its own
SELECT answer_suite_load('gate.each', '[
	{"id": "answered", "query": "What is the refund window for custom items?", "expected_outcome": "ANSWER",
	 "risk_level": "high", "required_citation_doc_ids": ["gate-refund"], "slices": ["refunds"]},
	{"id": "unknown", "query": "Zork blorb quux?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "blocked", "query": "Are refunds allowed?", "expected_outcome": "BLOCK", "risk_level": "high",
	 "answer": "Yes.", "citations": ["nope#p0"],
	 "chunks": [{"chunk_id": "x#p0", "doc_id": "x", "text": "Refunds are allowed.", "similarity": 0.9}]},
	{"id": "check", "kind": "check", "request": {"checks": [{"tool": "gate.none"}]},
	 "expected_verdicts": ["outside_evidence_coverage"]},
	{"id": "question", "kind": "question", "query": "Is the moon made of cheese?",
	 "expected_refusal": "outside_evidence_coverage"},
	{"id": "raises", "kind": "plan", "plan": {"ref": "gate.none"}, "expected_outcome": "answered"}]',
	'[{"doc_id": "gate-refund", "title": "Refund policy", "timestamp": "2024-05-20",
	   "text": "Custom items have a refund window of 30 days.\n\nThe refund window for custom items begins at once."}]',
	'2024-06-01T00:00:00Z') - 'digest' AS loaded;
-- the same again is the same version, also without a clock; another clock is another
SELECT answer_suite_load('gate.same', '[]', '[]', '2024-06-01') ->> 'version' AS first,
	answer_suite_load('gate.same', '[]') ->> 'version' AS same,
	answer_suite_load('gate.same', '[]', '[]', '2024-06-02') ->> 'version' AS other;
-- nothing of a suite is found by anybody else
SELECT count(*) FROM answer_documents() WHERE doc_id LIKE 'gate-%';
SELECT count(*) FROM answer_search('refund window for custom items') WHERE doc_id LIKE 'gate-%';
-- a run leaves its document, and nothing else
CREATE TABLE gate_before AS SELECT (SELECT count(*) FROM answer.receipt
	WHERE schema <> 'change/v1') AS receipts, (SELECT count(*) FROM answer.plan_run) AS plans;
SELECT answer_suite_run('gate.each') AS run \gset
SELECT (SELECT count(*) FROM answer.receipt WHERE schema <> 'change/v1') - receipts AS receipts,
	(SELECT count(*) FROM answer.plan_run) - plans AS plans FROM gate_before;
SELECT ordinal, case_id, kind, passed, decision, error FROM answer.run_case WHERE run_id = :'run' ORDER BY ordinal;
SELECT s.key, s.value ->> 'reason' AS reason FROM answer.run_case, jsonb_each(scores) AS s
WHERE run_id = :'run' AND case_id = 'answered' ORDER BY s.key COLLATE "C";
SELECT m.key, m.value FROM jsonb_each(answer_run(:'run') #> '{summary,metrics}') AS m ORDER BY m.key COLLATE "C";
SELECT answer_run(:'run') #> '{summary,risk_coverage}' AS curve;
SELECT answer_run(:'run') #> '{summary,slices,refunds,cases}' AS refunds;
SELECT answer_verify_ok(answer_run(:'run')) AS ok,
	answer_replay(answer_run(:'run')) ->> 'ok' AS replayed;
-- the same three give the same content; another configuration does not
SELECT answer_suite_run('gate.each') AS again \gset
SELECT answer_run_diff(:'run', :'again') - 'a' - 'b' AS diff;
SELECT answer_suite_run('gate.each', '{"min_chunks": 3}') AS strict \gset
SELECT d - 'a' - 'b' - 'cases' AS diff, d #> '{cases,0,fields,decision}' AS decision
FROM answer_run_diff(:'run', :'strict') AS d;
SELECT answer_suite_run('gate.none');
SELECT answer_suite_run('gate.each', NULL, 7);
SELECT answer_suite_run(NULL);
SELECT answer_suite_run('gate.each', '{"nothing": 1}');
SELECT answer_suite_run('gate.each', '{"min_chunks": -1}');
-- what a run forges is not verified
SELECT answer_verify_ok(jsonb_set(answer_run(:'run'), '{cases,5,passed}', 'true')) AS forged,
	answer_verify(jsonb_set(answer_run(:'run'), '{cases,5,passed}', 'true')) #>> '{steps,replay,ok}' AS replay;
-- gates
SELECT g ->> 'outcome' AS outcome, g -> 'failures' AS failures, g -> 'inconclusive' AS inconclusive
FROM answer_gate(:'run', '{"min_overall_pass_rate": 0.8}') AS g;
SELECT r.rules, g ->> 'passed' AS passed, g ->> 'outcome' AS outcome, g -> 'failures' AS failures,
	g -> 'inconclusive' AS inconclusive
FROM (VALUES (1, '{"max_errors": 0}'), (2, '{"min_staleness_correct_rate": 0}'), (3, '{"min_cases": 7}'),
	(4, '{"must_pass": ["raises", "gone", "check"]}'),
	(5, '{"slices": {"refunds": {"min_overall_pass_rate": 1}, "none": {}}}'),
	(6, '{"max_risk_coverage_area": 0, "max_unsafe_answers": 0}')) AS r (n, rules),
	LATERAL answer_gate(:'run', r.rules::jsonb || '{"min_overall_pass_rate": 0}') AS g ORDER BY r.n;
SELECT g ->> 'outcome' AS outcome, g -> 'failures' AS failures
FROM answer_gate(:'strict', '{"min_overall_pass_rate": 0, "min_citation_validity_rate": 0}', :'run') AS g;
SELECT answer_gate(:'run', '[]');
SELECT answer_gate(:'run', '{"min_speed": 1}');
SELECT answer_gate(:'run', '{"min_overall_pass_rate": 1.1}');
SELECT answer_gate(:'run', '{"min_overall_pass_rate": null}');
SELECT answer_gate(:'run', '{"must_pass": [1]}');
SELECT answer_gate('run_0123456789abcdef');
SELECT answer_gate(NULL);
SELECT answer_gate(:'run', NULL, answer_suite_run('gate.same'));
\set VERBOSITY default
SELECT regexp_replace(detail, E'\n', ' / ', 'g') AS detail FROM (SELECT 1) AS x, LATERAL (
	SELECT string_agg(f, E'\n') AS detail
	FROM jsonb_array_elements_text(answer_gate(:'strict') -> 'failures') AS f) AS d;
\set VERBOSITY terse
DO $$
DECLARE run text := answer_suite_run('gate.each'); told text; detail text;
BEGIN
	PERFORM answer_gate_assert(run);
EXCEPTION WHEN raise_exception THEN
	GET STACKED DIAGNOSTICS told = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RAISE NOTICE '%: %', regexp_replace(told, 'run_[0-9a-f]{16}', 'run_...'), detail;
END $$;
SELECT answer_gate_assert(:'run', '{"min_overall_pass_rate": 0.8}');
-- an empty suite is inconclusive, and a metric of nothing is null
SELECT g ->> 'outcome' AS outcome, g -> 'inconclusive' AS inconclusive
FROM answer_gate(answer_suite_run('gate.same')) AS g;
-- a suite whose rows were changed behind its back is not run
BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE answer.suite_case SET body = body || '{"expected_outcome": "BLOCK"}'
WHERE suite = 'gate.each' AND ordinal = 1;
ROLLBACK;
BEGIN;
ALTER TABLE answer.suite_case DISABLE TRIGGER suite_case_append_only;
UPDATE answer.suite_case SET body = body || '{"expected_outcome": "BLOCK"}'
WHERE suite = 'gate.each' AND ordinal = 1;
SELECT answer_suite_run('gate.each');
ROLLBACK;
-- rows of runs are nobody's to write
INSERT INTO answer.run SELECT r.* FROM answer.run r LIMIT 1;
UPDATE answer.run_timing SET took = '{}';
UPDATE answer.run SET passed = cases;
DELETE FROM answer.run;
-- forgetting
SELECT jsonb_array_length(answer_forget(:'strict', 'a test') -> 'receipts') AS forgotten;
CREATE FUNCTION pg_temp.state(run text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN answer_run(run);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT pg_temp.state(:'strict');
SELECT count(*) FROM answer.run_case WHERE run_id = :'strict';
-- exports
SELECT (xpath('count(//testcase)', x))[1] AS cases, (xpath('count(//failure)', x))[1] AS failures,
	(xpath('//error/@type', x))[1] AS error
FROM answer_run_junit(:'run') AS x;
SELECT s ->> 'predicateType' AS type, s #>> '{predicate,result}' AS result, s #> '{predicate,failedTests}' AS failed
FROM convert_from(decode(answer_run_intoto(:'run') ->> 'payload', 'base64'), 'UTF8') AS t,
	LATERAL CAST(t AS jsonb) AS s;
-- runs that commit
BEGIN;
CALL answer_suite_run_resume('gate.each');
ROLLBACK;
CALL answer_suite_run_resume('gate.each', batch => 0);
CREATE TEMP TABLE gate_runs AS SELECT run_id FROM answer.run;
\pset tuples_only on
\o /dev/null
CALL answer_suite_run_resume('gate.each', batch => 2);
\o
\pset tuples_only off
SELECT count(*) AS new, bool_and(r.digest = (SELECT digest FROM answer.run WHERE run_id = :'run')) AS same
FROM answer.run r WHERE run_id NOT IN (SELECT run_id FROM gate_runs);
SELECT count(*) FROM answer.run_progress;
DROP TABLE gate_bad, gate_before;
