-- Self-evolution: what is proposed against a breach, how it is judged, what comes of it, and the audit of that.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
-- What others have asked would be asked again, so this file has a database of its own.
SELECT current_database() AS regression \gset
CREATE DATABASE regress_evolve TEMPLATE template0;
\c regress_evolve
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
SET timezone = 'UTC';
CREATE EXTENSION answer_eval;

/* the judge */

CREATE FUNCTION pg_temp.judge(base text, candidate text) RETURNS jsonb LANGUAGE sql AS $$
SELECT answer.evolve_judge('{"answers": 100, "given": 100, "required": 100, "cited": 95, "contradictory": 0,
	"confidence_sum": 50, "p95_ms": 100, "cost_usd": null}'::jsonb
	|| base::jsonb, '{"answers": 100, "given": 100, "required": 100, "cited": 95, "contradictory": 0,
	"confidence_sum": 50, "p95_ms": 100, "cost_usd": null}'::jsonb || candidate::jsonb) $$;
SELECT what, pg_temp.judge(base, candidate) AS judged FROM (VALUES
	(1, 'nothing is better', '{}', '{}'),
	(2, 'gqs + 0.08 is enough', '{}', '{"confidence_sum": 58}'),
	(3, 'and less is not', '{}', '{"confidence_sum": 57.999999}'),
	(4, 'contradictions lower gqs', '{"contradictory": 20}', '{"confidence_sum": 48}'),
	(5, 'and by how much', '{"contradictory": 20}', '{"confidence_sum": 47.9}'),
	(6, 'p95 of 0.65', '{}', '{"p95_ms": 65}'),
	(7, 'and more is not', '{}', '{"p95_ms": 65.001}'),
	(7, 'p95 of 19 answers', '{}', '{"p95_ms": 1, "answers": 19, "given": 19, "required": 19, "cited": 19,
		"confidence_sum": 9}'),
	(8, 'citation rate of 0.90', '{}', '{"p95_ms": 1, "cited": 90}'),
	(9, 'and less is not', '{}', '{"p95_ms": 1, "cited": 89}'),
	(10, 'contradiction rate of 0.03', '{}', '{"p95_ms": 1, "contradictory": 3}'),
	(11, 'and more is not', '{}', '{"p95_ms": 1, "contradictory": 4}'),
	(12, 'cost of 1.10', '{"cost_usd": 1}', '{"p95_ms": 1, "cost_usd": 1.1}'),
	(13, 'and more is not', '{"cost_usd": 1}', '{"p95_ms": 1, "cost_usd": 1.100001}'),
	(14, 'a cost beside none', '{}', '{"p95_ms": 1, "cost_usd": 0.1}'),
	(15, 'a rate over nothing', '{}', '{"p95_ms": 1, "required": 0, "cited": 0}'),
	(16, 'no answers', '{}', '{"answers": 0, "given": 0, "required": 0, "cited": 0, "confidence_sum": 0,
		"p95_ms": null}'),
	(17, 'no base', '{"answers": 0, "given": 0, "required": 0, "cited": 0, "confidence_sum": 0, "p95_ms": null}', '{}'),
	(18, 'a cost missing of the candidate', '{"cost_usd": 1}', '{"p95_ms": 1}'),
	(19, 'nothing given beside what was', '{}', '{"given": 0, "required": 0, "cited": 0, "confidence_sum": 0}'),
	(20, 'a base that gave nothing', '{"given": 0, "required": 0, "cited": 0, "confidence_sum": 0}',
		'{"given": 10, "required": 10, "cited": 10, "confidence_sum": 8}'),
	(21, 'and less than 0.08 over that', '{"given": 0, "required": 0, "cited": 0, "confidence_sum": 0}',
		'{"given": 10, "required": 10, "cited": 10, "confidence_sum": 7.999999}'),
	(22, 'contradictions are of what is given', '{"confidence_sum": 20}',
		'{"given": 50, "contradictory": 1, "confidence_sum": 40}'),
	(23, 'so one more is too many', '{"confidence_sum": 20}',
		'{"given": 50, "contradictory": 2, "confidence_sum": 40}')) AS
	v (n, what, base, candidate)
ORDER BY n;

/* what is counted */

CREATE TABLE measured AS SELECT '[
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": false, "risk_level": "low",
	 "signals": {"retrieval_confidence_max": 0.75}},
	{"kind": "grounded", "decision": "ANSWER_WITH_CAVEATS", "citations": [], "conflict_detected": false,
	 "risk_level": "low", "signals": {"retrieval_confidence_max": 0.5}},
	{"kind": "grounded", "decision": "ANSWER_WITH_CAVEATS", "citations": ["a"], "conflict_detected": false,
	 "risk_level": "low", "signals": {"retrieval_confidence_max": 0.25}},
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": false, "risk_level": "low",
	 "signals": {"retrieval_confidence_max": 0.25, "answer_confidence": 0.9}},
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": true, "risk_level": "low",
	 "signals": {"retrieval_confidence_max": 1}},
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": false, "risk_level": "low",
	 "signals": {"retrieval_confidence_max": 1}, "case": {"expected_outcome": "ABSTAIN"}},
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": false, "risk_level": "high",
	 "signals": {"retrieval_confidence_max": 0.65}},
	{"kind": "grounded", "decision": "ANSWER", "citations": ["a"], "conflict_detected": false, "risk_level": "low",
	 "signals": {"retrieval_confidence_max": 1}, "scores": {"outcome_correctness": {"passed": false}}},
	{"kind": "grounded", "decision": "BLOCK", "citations": [], "signals": {"retrieval_confidence_max": 1}},
	{"kind": "grounded", "decision": "ABSTAIN", "citations": ["a", "b"], "conflict_detected": true},
	{"kind": "grounded", "decision": "CLARIFY", "citations": []},
	{"kind": "grounded", "decision": null, "error": {"sqlstate": "22023", "message": "x"}},
	{"kind": "plan", "decision": "answered", "citations": [{"uri": "u"}], "conflict_detected": false,
	 "confidence": 0.95},
	{"kind": "plan", "decision": "answered", "citations": [], "conflict_detected": true, "confidence": 0.95},
	{"kind": "plan", "decision": "blocked"}, {"kind": "plan", "decision": "failed"},
	{"kind": "check", "decision": "supported"}]'::jsonb AS rows, ARRAY[1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000,
	9000, 10000, 11000, 12000, 13000, 14000, 15000, 900000, 900000]::bigint[] AS took;
SELECT answer.evolve_measure(rows, took, answer.shipped_config()) AS measures FROM measured;
-- under other thresholds, other answers are thin
SELECT answer.evolve_measure(rows, took, answer.shipped_config() || o::jsonb) -> 'supported' AS supported,
	o AS thresholds
FROM measured, unnest(ARRAY['{}', '{"confidence_threshold": 0.8}', '{"floor": 0.3}',
	'{"confidence_threshold_high_risk": 0.6}', '{"confidence_threshold": 0.95}']) WITH ORDINALITY AS t (o, n)
ORDER BY n;
SELECT answer.evolve_measure('[]', '{}', answer.shipped_config()) AS measures;

/* what is tried, and what applies by itself */

SELECT knob, change, reason FROM answer.evolve_changes(answer.shipped_config());
-- of each knob what ships is tried first; thresholds become stricter alone
SELECT knob, jsonb_agg(change) AS changes FROM answer.evolve_changes(answer.shipped_config() || '{"top_k": 50,
	"citation_threshold": 1, "contradiction_tolerance": 0, "rerank": "freshness", "freshness_bias": 0.95, "floor": 0.1,
	"confidence_threshold": 0.7, "confidence_threshold_high_risk": 0.2, "cache_ttl_s": 60}') GROUP BY 1 ORDER BY 1;
SELECT slo, answer.evolve_breaches(slo::jsonb) AS breaches FROM (VALUES
	('{"cited": 9, "required": 10, "contradicted": 3, "given": 100}'),
	('{"cited": 8, "required": 9, "contradicted": 4, "given": 100}'),
	('{"cited": 0, "required": 0, "contradictory": 0, "answers": 0}')) AS v (slo);
SELECT v."from", v.change, answer.evolve_is_low_risk(v."from"::jsonb, v.change::jsonb) AS by_itself FROM (VALUES
	('{"top_k": 5}', '{"top_k": 3}'), ('{"rerank": "none"}', '{"rerank": "freshness"}'),
	('{"citation_threshold": 0.9}', '{"citation_threshold": 0.91}'), ('{"citation_threshold": 0.9}',
	'{"citation_threshold": 0.89}'),
	('{"contradiction_tolerance": 0.3}', '{"contradiction_tolerance": 0.2}'),
	('{"contradiction_tolerance": 0.3}', '{"contradiction_tolerance": 0.4}'),
	('{"floor": 0.1}', '{"floor": 0.2}'), ('{"confidence_threshold": 0.6}', '{"confidence_threshold": 0.5}'),
	('{"min_chunks": 1}', '{"min_chunks": 2}'), ('{"top_k": 5, "min_chunks": 1}',
	'{"top_k": 3, "min_chunks": 2}'), ('{}', '{}')) AS v ("from", change);

/* proposing */

SELECT answer_evolve_propose('dev', '{"top_k": 3}');
SELECT answer_evolve_propose('dev', '{"top_k": 3}', '');
SELECT answer_evolve_propose('dev', '[]', 'why');
SELECT answer_evolve_propose('dev', '{"no_such_key": 3}', 'why');
SELECT answer_evolve_propose('dev', '{"top_k": -1}', 'why');
SELECT answer_evolve_propose('dev', '{"top_k": 5}', 'as it is');
SELECT answer_evolve_propose('Dev', '{"top_k": 3}', 'why');
SELECT answer_evolve_propose('nowhere', '{"top_k": 3}', 'why');
SELECT answer_evolve_validate(NULL);
SELECT answer_evolve_validate('prp_0123456789abcdef');
SELECT answer_evolve_validate('prp_0123456789abcdeX');


/* an environment whose configuration answers little: it asks for two chunks and retrieves one */

SELECT answer_suite_load('evolve', '[
	{"id": "window", "query": "What is the refund window for custom items?", "expected_outcome": "ANSWER",
	"risk_level": "low"},
	{"id": "begins", "query": "When does the refund window for custom items begin?", "expected_outcome":
	"ANSWER", "risk_level": "low"},
	{"id": "given", "query": "Are refunds paid in cash?", "expected_outcome": "ANSWER", "risk_level": "low",
	 "answer": "Refunds are paid in cash.", "citations": ["x#p0"], "chunks": [
	 {"chunk_id": "x#p0", "doc_id": "x", "text": "Refunds are paid in cash.", "similarity": 0.9, "timestamp":
	"2024-05-30"},
	 {"chunk_id": "y#p0", "doc_id": "y", "text": "Refunds are paid in cash.", "similarity": 0.9, "timestamp":
	"2024-05-30"}]},
	{"id": "unknown", "query": "Zork blorb quux?", "expected_outcome": "ABSTAIN", "risk_level": "low"}]',
	'[{"doc_id": "evolve-refund", "title": "Refund policy", "timestamp": "2024-05-20",
	   "text": "Custom items have a refund window of 30 days.\n\nThe refund window for custom items begins with '
	'delivery."}]',
	'2024-06-01T00:00:00Z') ->> 'cases' AS cases;
SELECT answer_environment_set('evolve', options => '{"suite": "evolve", "rules": {"min_overall_pass_rate": 0, '
	'"min_citation_validity_rate": 0, "no_regression_slices": []}, "shadow_samples": 0, "canary_samples": 0, '
	'"canary_percent": 50, "most_different_percent": 100}') ->> 'action' AS action;
SET answer_eval.environment = 'evolve';
SELECT answer_config_create('{"top_k": 1, "min_chunks": 2}', 'answers little') AS base \gset
SELECT p ->> 'stage' AS stage, p ->> 'outcome' AS outcome, p -> 'failures' AS failures FROM
	answer_config_promote('evolve', :'base') AS p;
SELECT p ->> 'stage' AS stage, p ->> 'outcome' AS outcome, p -> 'failures' AS failures FROM
	answer_config_promote('evolve', :'base') AS p;
SELECT p ->> 'stage' AS stage, p ->> 'outcome' AS outcome, p -> 'failures' AS failures FROM
	answer_config_promote('evolve', :'base') AS p;
SELECT clock_timestamp() AS began \gset

/* a breach: answers whose citations do not hold */

SELECT answer_evolve_propose();
SELECT answer_document_load('[{"doc_id": "refund", "title": "Refund policy", "timestamp": "2024-05-20",
	"text": "Custom items have a refund window of 30 days.\n\nThe refund window for custom items begins with '
	'delivery."}]') - 'documents' AS loaded;
SELECT answer_grounded(q, '{"answer": "Refunds are paid in gold.", "citations": ["nope#p0"],
	"config": {"min_chunks": 1}}') ->> 'decision' AS decision
FROM unnest(ARRAY['What is the refund window for custom items?', 'When does the refund window for custom items begin?',
	'When does the refund window for custom items begin?']) AS q;
-- and one over a chunk that is not compared, and contradicts
SELECT answer_grounded('Are custom items refundable?', '{"config": {"freshness_days": 0, "freshness_days_high_risk": 0},
	"chunks": [{"chunk_id": "x#p0", "doc_id": "x", "text": "Custom items are refundable.", "similarity": 0.9,
	"timestamp": "2025-05-30"}, {"chunk_id": "y#p0", "doc_id": "y", "text": "Custom items are non-refundable.",
	"similarity": 0.3, "timestamp": "2025-05-30"}]}') ->> 'decision' AS decision;
SELECT state FROM answer_slo('24 hours') WHERE tenant = '' AND intent IS NULL;
SELECT p ->> 'is_new' AS is_new, p -> 'from' AS "from", p -> 'change' AS change, p ->> 'reason' AS reason, p ->>
	'state' AS state,
	p #>> '{slo,state}' AS slo, p ->> 'base' = :'base' AS of_base FROM
	jsonb_array_elements(answer_evolve_propose()) AS p;
-- a suite without cases tells of no knob that it helps
SELECT answer_suite_load('evolve-none', '[]', '[]', '2024-06-01Z') ->> 'cases' AS cases;
SELECT answer_environment_set('evolve-none', options => '{"suite": "evolve-none"}') ->> 'action' AS action;
SET client_min_messages = notice;
SELECT answer_evolve_propose('evolve-none');
SET client_min_messages = error;
-- the same again is the same
SELECT count(*) AS proposals, bool_or((p ->> 'is_new')::boolean) AS any_new FROM
	jsonb_array_elements(answer_evolve_propose('evolve')) AS p;
SELECT count(*), max(revision) FROM answer.evolve_proposal;
SELECT answer_evolve_propose('evolve', '{"confidence_threshold": 0.4, "top_k": 3}', 'mine') #>> '{0,proposal}'
	AS mine \gset
SELECT answer_evolve_propose('evolve', '{"top_k": 3, "confidence_threshold": 0.40}', 'again') #>> '{0,proposal}'
	= :'mine' AS same,
	answer_evolve_propose('dev', '{"top_k": 3, "confidence_threshold": 0.40}', 'again') #>> '{0,proposal}' =
	:'mine' AS of_another_environment;

/* validation */

CREATE FUNCTION pg_temp.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	-- ids follow from digests, which another release has otherwise
	RETURN regexp_replace(concat(SQLSTATE, ': ', SQLERRM), '(cfg|prp)_[0-9a-f]+', '\1_...', 'g');
END $$;

CREATE FUNCTION pg_temp.shown(v jsonb) RETURNS jsonb LANGUAGE sql AS $$
SELECT jsonb_build_object('state', v -> 'state', 'asked', v #> '{validation,asked}', 'passed', v #>
	'{validation,passed}',
	'base', (v #> '{validation,base}') - '{p50_ms,p95_ms}'::text[], 'candidate', (v #> '{validation,candidate}')
	- '{p50_ms,p95_ms}'::text[],
	'stage', v #> '{validation,promotion,stage}', 'outcome', v #> '{validation,promotion,outcome}') $$;
SELECT answer_evolve_propose('evolve', '{"min_chunks": 20}', 'answers nothing') #>> '{0,proposal}' AS fails \gset
SELECT answer_evolve_propose('evolve', '{"top_k": 2}', 'for the gate') #>> '{0,proposal}' AS refused \gset
SELECT proposal AS passes FROM answer.evolve_proposal WHERE change = '{"top_k": 5}' \gset
CREATE TABLE before AS SELECT count(*) AS decisions FROM answer.receipt WHERE schema = 'decision/v1';
-- a rate over nothing fails, whatever the clock says
SELECT pg_temp.shown(answer_evolve_validate(:'fails')) AS shown;
SELECT state, validation -> 'failures' ? 'citation_rate null < 0.90' AS why FROM answer.evolve_proposal WHERE
	proposal = :'fails';
SELECT pg_temp.outcome(format('SELECT answer_evolve_validate(%L)', :'fails')) AS outcome;
-- a refusal of the gate is a rejection
SELECT answer_environment_set('evolve', options => '{"rules": {"max_overall_pass_rate": 0.1, '
	'"min_citation_validity_rate": 0, "no_regression_slices": []}}') ->> 'action'
	AS action;
SELECT pg_temp.shown(answer_evolve_validate(:'refused')) AS shown;
SELECT answer_environment_set('evolve', options => '{"rules": {"min_overall_pass_rate": 0, '
	'"min_citation_validity_rate": 0, "no_regression_slices": []}}') ->> 'action' AS
	action;
SELECT shadow FROM answer.environment WHERE name = 'evolve';
-- other keys than knobs wait, and become a version
SELECT pg_temp.shown(answer_evolve_validate(:'mine')) AS shown;
SELECT c.reason = 'proposal ' || :'mine' AS is_version, c.parent = :'base' AS of_base, p.state
FROM answer.evolve_proposal AS p JOIN answer.config AS c USING (config_id) WHERE p.proposal = :'mine';
-- it is open while it waits
SELECT answer_evolve_propose('evolve', '{"top_k": 3, "confidence_threshold": 0.40}', 'again') #> '{0,state}' AS state;
SELECT pg_temp.shown(answer_evolve_validate(:'passes')) AS shown;
SELECT e.shadow = p.config_id AS in_shadow, p.state FROM answer.environment AS e, answer.evolve_proposal AS p
	WHERE e.name = 'evolve' AND p.proposal = :'passes';
SELECT left(outcome, 5) AS again FROM pg_temp.outcome(format('SELECT answer_evolve_validate(%L)', :'passes')) AS
	outcome;
-- nothing that was asked again is left behind
SELECT count(*) - (SELECT decisions FROM before) AS more FROM answer.receipt WHERE schema = 'decision/v1';
-- no second candidate while one is on its way
SELECT answer_evolve_propose('evolve', '{"top_k": 6}', 'second') #>> '{0,proposal}' AS second \gset
SELECT left(outcome, 5) AS outcome FROM pg_temp.outcome(format('SELECT answer_evolve_validate(%L)', :'second'))
	AS outcome;
SELECT state FROM answer.evolve_proposal WHERE proposal = :'second';
-- nor one whose base is gone
SELECT answer_config_promote('evolve', config_id) ->> 'stage' AS stage FROM answer.evolve_proposal WHERE
	proposal = :'passes';
SELECT answer_config_promote('evolve', config_id) ->> 'stage' AS stage FROM answer.evolve_proposal WHERE
	proposal = :'passes';
SELECT pg_temp.outcome(format('SELECT answer_evolve_validate(%L)', :'second')) AS outcome;

/* the records verify, and say what follows */

SELECT r.body ->> 'action' AS action, count(*) AS records, bool_and(answer_verify_ok(r.body)) AS verify,
	bool_and((answer_replay(r.body) -> 'ok')::boolean) AS replay
FROM answer.receipt AS r WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'proposal' AND r.body ->> 'action'
	IN ('propose', 'wait')
GROUP BY 1 ORDER BY 1;
SELECT bool_and(answer_verify_ok(r.body)) AS all_verify FROM answer.receipt AS r WHERE r.schema = 'change/v1'
	AND r.body ->> 'kind' = 'proposal';
SELECT w.path, answer_replay(jsonb_set(r.body, w.path::text[], w.value::jsonb)) -> 'reason' AS reason
FROM answer.evolve_proposal AS p JOIN answer.receipt AS r USING (receipt_id), (VALUES
	(1, '{action}', '"apply"'), (2, '{after,state}', '"applied"'), (3, '{after,change,top_k}', '4'), (4,
	'{after,validation,passed}', 'false'),
	(5, '{after,validation,candidate,cited}', '0'), (6, '{after,validation,candidate}', '7'), (7,
	'{after,validation,base,answers}', '"x"'),
	(8, '{after,validation,promotion}', '{"moved": true}'), (9, '{after,validation}', 'null'), (10, '{after}',
	'null'), (11, '{name}', '"prp_0000000000000000"')) AS w (n, path, value)
WHERE p.proposal = :'mine' ORDER BY w.n;
SELECT answer_log_seal() IS NOT NULL AS sealed;
-- no finding is of a proposal
SELECT finding, detail FROM answer_log_audit() WHERE detail !~ 'documents of tenant "#';
-- nobody has one signed by asking for a record
SELECT answer_change_record('proposal');

/* the audit */

SELECT answer_audit_report(NULL, now());
SELECT answer_audit_report('2026-01-02', '2026-01-02');
SELECT answer_audit_report('-infinity', '2026-01-02');
SELECT answer_audit_report('2026-01-01', '2026-01-02', 'nobody');
SELECT answer_audit_report('2026-01-01', '2026-01-02', NULL, 'run_0123456789abcdef');
-- where nothing was measured, nothing is said
SELECT answer_audit_report('2001-01-01', '2001-01-02');
SELECT answer_baseline_load('bot', '[
	{"question": "a?", "answered": true, "cited": true, "contradictory": false, "latency_ms": 80000000,
	"cost_usd": 0.01},
	{"question": "b?", "answered": true, "cited": false, "contradictory": true, "latency_ms": 80000000,
	"cost_usd": 0.01}]') ->> 'version' AS version;
SELECT answer_suite_run('evolve', '{"top_k": 5, "min_chunks": 1}') AS run \gset
SELECT answer_audit_report(:'began', clock_timestamp(), 'bot', :'run') AS report \gset
SELECT m ->> 'metric' AS metric, CASE WHEN m ->> 'metric' IN ('p50_ms', 'p95_ms') THEN to_jsonb(m -> 'now' <>
	'null') ELSE m -> 'now' END AS now,
	m -> 'baseline' AS baseline, m ->> 'target' AS target, m -> 'passed' AS passed
FROM jsonb_array_elements(:'report'::jsonb -> 'metrics') AS m;
SELECT :'report'::jsonb -> 'acceptance' AS acceptance, :'report'::jsonb -> 'answers' AS answers;
SELECT s ->> 'action' AS action, s ->> 'stage' AS stage FROM jsonb_array_elements(:'report'::jsonb -> 'steps')
	AS s WHERE s ->> 'action' = 'set';
SELECT count(*) FILTER (WHERE s ->> 'action' = 'propose') AS proposed, count(*) FILTER (WHERE s ->> 'action' =
	'wait') AS waiting
FROM jsonb_array_elements(:'report'::jsonb -> 'proposals') AS s;
SELECT :'report'::jsonb #> '{evidence,baseline,digest}' = to_jsonb(b.digest) AS baseline, :'report'::jsonb #>
	'{evidence,run,digest}' = to_jsonb(r.digest) AS run,
	jsonb_array_length(:'report'::jsonb #> '{evidence,changes}') = jsonb_array_length(:'report'::jsonb ->
	'steps') + jsonb_array_length(:'report'::jsonb -> 'proposals') AS changes
FROM answer.baseline AS b, answer.run AS r WHERE r.run_id = :'run';

-- nobody has a right to it by himself
CREATE ROLE regress_evolve_plain;
SET ROLE regress_evolve_plain;
SELECT answer_evolve_propose();
SELECT answer_evolve_validate('x');
SELECT answer_audit_report(now(), now());
SELECT * FROM answer.evolve_proposal;
RESET ROLE;
DROP ROLE regress_evolve_plain;
\c :regression
SET client_min_messages = error;
DROP DATABASE regress_evolve WITH (FORCE);
