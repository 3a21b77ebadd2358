-- tiers: test
-- What a case of a suite calls: it decides by the case's configuration while the case is tried, and by nothing of it
-- afterwards; and it does what the role that runs the suite may do.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(28);
CREATE SCHEMA called;

-- the highest threshold of confidence, as returned by our functions when a tool calls them
CREATE FUNCTION called.threshold(how text) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE how
		WHEN 'decides' THEN public.answer_decide('When?', '[]') #> '{thresholds,conf_max}'
		WHEN 'answers' THEN public.answer_grounded('When?') #> '{thresholds,conf_max}'
		WHEN 'retrieves' THEN public.answer_retrieve('When?') #> '{thresholds,conf_max}'
		ELSE public.answer_debug('decision', 'When?') #> '{decision_result,thresholds,conf_max}' END;
END $$;
CREATE FUNCTION called.asks(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN jsonb_build_object('v', called.threshold(args ->> 'how'));
END $$;
CREATE FUNCTION called.raises(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'out of order, threshold %', called.threshold('decides');
END $$;
-- a real cancel, like pg_cancel_backend() from another session
CREATE FUNCTION called.cancels(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_cancel_backend(pg_backend_pid()), pg_sleep(600);
END $$;
SELECT answer_tool_register('called.' || name, ('called.' || name || '(jsonb)')::regprocedure, '{how}')
FROM unnest('{asks,raises,cancels}'::text[]) AS name \g /dev/null
SELECT answer_tool_register('called.plans', 'called.asks(jsonb)', spec => '{"io": {"input": {"how": "string"},
	"output": {"v": "number"}}, "constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0}}') \g /dev/null

CREATE FUNCTION called.checked(id text, tool text, how text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'kind', 'check', 'expected_verdict', 'supported', 'request',
		jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', tool, 'args',
			jsonb_build_object('how', how), 'expect', '{"path": "v", "op": "eq", "value": 0.55}'::jsonb)))) $$;
CREATE FUNCTION called.came(run text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', c.case_id, c.decision, c.error ->> 'sqlstate', c.error ->> 'message'), ', '
		ORDER BY c.ordinal) FROM answer.run_case AS c WHERE c.run_id = run $$;
CREATE FUNCTION called.loaded(name text, VARIADIC cases jsonb[]) RETURNS text LANGUAGE sql AS $$
	SELECT answer_suite_load(name, to_jsonb(cases)) ->> 'version' $$;
SELECT called.threshold('decides') AS outside \gset
SELECT isnt(:outside, 0.55, 'the configuration in force has another threshold than the runs below');

/* while a case is tried */

SELECT called.loaded('called.asks', called.checked('d', 'called.asks', 'decides'),
	called.checked('g', 'called.asks', 'answers'), called.checked('r', 'called.asks', 'retrieves'),
	called.checked('l', 'called.asks', 'looks')) \g /dev/null
SELECT count(*) AS decisions FROM answer.receipt WHERE schema = 'decision/v1' \gset
SELECT is(called.came(answer_suite_run('called.asks', '{"confidence_threshold": 0.55}')),
	'd supported, g supported, r supported, l supported', 'what a tool asks is decided by the run''s configuration');
SELECT is((SELECT count(*)::int FROM answer.receipt WHERE schema = 'decision/v1'), :decisions, 'and leaves no receipt');
SELECT is((SELECT count(*)::int FROM answer.retrieval), 0, 'nor what waits for an answer');
SELECT is(called.threshold(how), :outside, 'afterwards the one in force decides: ' || how)
FROM unnest('{decides,answers,retrieves,looks}'::text[]) AS how;

/* a case that raises, and a run that is cancelled */

SELECT called.loaded('called.raises', called.checked('e', 'called.raises', 'x'), called.checked('d', 'called.asks',
	'decides')) \g /dev/null
SELECT is(called.came(answer_suite_run('called.raises', '{"confidence_threshold": 0.55}')),
	'e insufficient_evidence, d supported', 'a tool that raises, and the next case');
SELECT is(called.threshold('decides'), :outside, 'afterwards the one in force decides');
SELECT called.loaded('called.refused', '{"id": "e", "kind": "check", "request": {"checks": [{"tool": "no.tool",
	"expect": {"path": "v", "op": "eq", "value": 1}}], "no_such_key": 1}, "expected_verdict": "supported"}',
	called.checked('d', 'called.asks', 'decides')) \g /dev/null
SELECT matches(called.came(answer_suite_run('called.refused', '{"confidence_threshold": 0.55}')),
	'^e 22023 .*, d supported$', 'a case that raises, and the next one');
SELECT is(called.threshold('decides'), :outside, 'afterwards the one in force decides');
SELECT called.loaded('called.cancels', called.checked('c', 'called.cancels', 'x')) \g /dev/null
CREATE FUNCTION called.cancelled(suite text) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
	PERFORM answer_suite_run(suite, '{"confidence_threshold": 0.55}');
	RETURN -1;
EXCEPTION WHEN query_canceled THEN
	RETURN called.threshold('decides');
END $$;
SELECT is(called.cancelled('called.cancels'), :outside, 'after a cancel, too');
SELECT is(answer_decide('When?', '[]') #> '{thresholds,conf_max}', to_jsonb(:outside::numeric),
	'in the next statement as well');

/* a run made by a tool of a run: settings that it does not get are those of the case */

CREATE FUNCTION called.runs(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	inner_run text := public.answer_suite_run('called.inner', '{"top_k": 3}');
BEGIN
	RETURN jsonb_build_object('v', (SELECT body #> '{config,confidence_threshold}' FROM answer.receipt
		WHERE receipt_id = inner_run));
END $$;
SELECT answer_tool_register('called.runs', 'called.runs(jsonb)', '{how}') \g /dev/null
SELECT called.loaded('called.inner', called.checked('d', 'called.asks', 'decides')) \g /dev/null
SELECT called.loaded('called.runs', called.checked('n', 'called.runs', 'x'), called.checked('d', 'called.asks',
	'decides')) \g /dev/null
SELECT is(called.came(answer_suite_run('called.runs', '{"confidence_threshold": 0.55}')), 'n supported, d supported',
	'a run within a case goes by its configuration, and gives it back');

/* rights: a case may do no more than the role that runs the suite */

SELECT called.loaded('called.check', called.checked('c', 'called.asks', 'decides')) \g /dev/null
SELECT called.loaded('called.plan', '{"id": "p", "kind": "plan", "expected_outcome": "failed", "plan": {"plan_id": "p",
	"nodes": [{"id": "a", "op": "call", "tool": "called.plans", "args": {"how": "decides"}, "out": "r"}],
	"edges": []}}') \g /dev/null
SELECT called.loaded('called.question',
	'{"id": "q", "kind": "question", "query": "Zork blorb?", "expected_refusal": "outside_evidence_coverage"}')
	\g /dev/null
CREATE ROLE regress_called;
GRANT USAGE ON SCHEMA called, tap TO regress_called;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tap, called TO regress_called;
GRANT EXECUTE ON FUNCTION answer_suite_run, answer_decide TO regress_called;
-- The result of a suite run by the role.
CREATE FUNCTION called.by_role(suite text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	run text;
BEGIN
	SET LOCAL ROLE regress_called;
	run := answer_suite_run(suite);
	RESET ROLE;
	RETURN called.came(run);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(called.by_role('called.check'), 'c 42501 permission denied for function answer_eval', 'answer_eval()');
SELECT is(called.by_role('called.plan'), 'p 42501 permission denied for function answer_plan_execute',
	'answer_plan_execute()');
SELECT is(called.by_role('called.question'), '42501 permission denied for function answer_route_table',
	'answer_route_table()');
GRANT EXECUTE ON FUNCTION answer_route_table TO regress_called;
SELECT is(called.by_role('called.question'), 'q 42501 permission denied for schema answer', 'the schema answer');
GRANT USAGE ON SCHEMA answer TO regress_called;
SELECT is(called.by_role('called.question'), 'q 42501 permission denied for function route_compile',
	'answer.route_compile()');
GRANT EXECUTE ON FUNCTION answer.route_compile, answer_eval, answer_plan_execute TO regress_called;
SELECT matches(called.by_role('called.' || suite), came, 'with the right: ' || suite) FROM (VALUES
	('check', '^c (contradicted|insufficient_evidence)$'), 
	('plan', '^p (failed|answered|blocked)$'), ('question', '^q refused$')) AS s (suite, came);
REVOKE EXECUTE ON FUNCTION answer_digest(jsonb) FROM PUBLIC;
SELECT is(called.by_role('called.question'), '42501 permission denied for function answer_digest', 'answer_digest()');

-- and so does a proposal
SELECT answer_suite_load('called.gate', '[{"id": "a", "query": "What is the refund window for custom items?",
	"expected_outcome": "ANSWER", "risk_level": "low"}, {"id": "b", "query": 
	"When does the refund window for custom items begin?", "expected_outcome": "ANSWER", "risk_level": "low"},
	{"id": "c", "query": "Zork blorb quux?",
	"expected_outcome": "ABSTAIN", "risk_level": "low"}, {"id": "d", "query": "Are refunds paid in cash?",
	"expected_outcome": "ANSWER", "risk_level": "low", "answer": "Refunds are paid in cash.", "citations": ["x#p0"],
	"chunks": [{"chunk_id": "x#p0", "doc_id": "x", "text": "Refunds are paid in cash.", "similarity": 0.9,
	"timestamp": "2024-05-30"}, {"chunk_id": "y#p0", "doc_id": "y", "text": "Refunds are paid in cash.",
	"similarity": 0.9, "timestamp": "2024-05-30"}]}]', '[{"doc_id": "called-refund", "title": "Refund policy",
	"timestamp": "2024-05-20", "text": "Custom items have a refund window of 30 days.\n\nThe refund window for '
	'custom items begins with delivery."}]', '2024-06-01Z') \g /dev/null
SELECT answer_environment_set('called', options => '{"suite": "called.gate", "rules": {"min_overall_pass_rate": 0,
	"min_citation_validity_rate": 0, "no_regression_slices": []}, "shadow_samples": 0, "canary_samples": 0}')
	\g /dev/null
SELECT answer_config_create('{"top_k": 1, "min_chunks": 2}', 'answers little') AS base \gset
SELECT answer_config_promote('called', :'base') FROM generate_series(1, 3) \g /dev/null
SELECT answer_evolve_propose('called', '{"top_k": 5}', 'a test') #>> '{0,proposal}' AS proposal \gset
SELECT set_config('called.proposal', :'proposal', true) \g /dev/null
GRANT EXECUTE ON FUNCTION answer_evolve_validate TO regress_called;
CREATE FUNCTION called.validated() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	validated jsonb;
BEGIN
	SET LOCAL ROLE regress_called;
	validated := answer_evolve_validate(current_setting('called.proposal'));
	RESET ROLE;
	RETURN validated ->> 'state';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(called.validated(), '42501 permission denied for function answer_config_create', 'answer_config_create()');
GRANT EXECUTE ON FUNCTION answer_config_create TO regress_called;
SELECT is(called.validated(), '42501 permission denied for function answer_config_promote',
	'answer_config_promote()');
SELECT is((SELECT count(*)::int FROM answer.config WHERE reason = 'proposal ' || :'proposal'), 0,
	'which leaves no version');
GRANT EXECUTE ON FUNCTION answer_config_promote TO regress_called;
SELECT is(called.validated(), 'applied', 'with both');

SELECT * FROM finish();
ROLLBACK;
