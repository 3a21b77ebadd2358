-- A database that has something of everything: rows in every table of schema answer that is filled by calls of functions.
-- Anchors, cosignatures and what a database has witnessed come from elsewhere: test/tap/066_every_column.pl adds them.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;

/* tools, sources, readings */
SELECT answer_source_register('bank', 'group a', 'A bank.'), answer_source_register('ministry', 'group b');
SELECT answer_tool_register('rate', NULL, '{currency}', '1 day', 'rate');
SELECT answer_evidence_add('rate', '{"currency": "EUR"}', '{"rate": 1.1}', s) FROM unnest('{bank,ministry}'::text[]) AS s;
SELECT answer_evidence_add('rate', '{"currency": "CHF"}', '{"rate": 0.9}', 'bank', expires => '9000-01-01Z');
SELECT answer_evidence_add('rate', '{"currency": "USD"}', '{"rate": 2.2}', 'bank');
CREATE FUNCTION rate(currency text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'rate', 'args',
		jsonb_build_object('currency', currency), 'expect', '{"path": "rate", "op": "gt", "value": 1}'::jsonb)))) $$;

/* routes */
SELECT answer_route_register('rate', 'what is the rate of {currency}', 'interrogative', 'rate',
	'{"currency": "{currency}"}', NULL, '{"What is the rate of EUR?"}');

/* receipts: some of them go with their partition */
SELECT rate('EUR'), answer_ask('What is the rate of EUR?'), answer_ask('No such thing?');
SELECT answer_log_seal();
SELECT answer_rollup();
SELECT pg_sleep(0.002);
SELECT answer_receipt_partition('2000-01-01Z', now()) AS partition \gset
SELECT answer_receipt_detach(:'partition');
SELECT rate('EUR'), rate('CHF'), rate('USD'), answer_ask('What is the rate of EUR?'), answer_ask('No such thing?');
SELECT count(answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'postgres_setting',
	'args', '{"name": "port"}'::jsonb, 'expect', jsonb_build_object('path', 'setting', 'op', 'eq', 'value', i))))))
FROM generate_series(1, 35) AS i;

/* rules of quality, investigations */
CREATE FUNCTION heard(jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (NULL, 'Weak', 'Low', 'heard')::answer_graded $$;
SELECT answer_quality_class_register('Rumour', 'hearsay'), answer_quality_grader_register('hearsay', 'Rumour', 'heard(jsonb)'),
	answer_quality_intent_register('Bless', '{"Rumour": "Weak"}'), answer_quality_authority_register('hearsay', '{"chief": true}'),
	answer_quality_compatibility_register('Rumour', 'Rumour');
SELECT answer_investigation_open('Status', 'what happened?') AS status,
	answer_investigation_open('Locate', 'where is main?', 'main') AS locate \gset
SELECT answer_investigation_record(:status, 'ctest', 'run', 'all', '{"run": 7, "passed": 7, "failed": 0}'),
	answer_investigation_record(:locate, 'ctest', 'run', 'all', '{"run": 7, "passed": 6, "failed": 1}');
SELECT answer_quality_receipt(:status);
SELECT answer_investigation_close(:locate);

/* documents, rules and facts */
SELECT answer_document_load('[{"doc_id": "guide", "title": "Kettle guide", "timestamp": "2024-01-01", "url": "https://a.example/guide",
	"text": "A kettle boils one litre in three minutes.\n\nA cup holds 250 ml."}]');
SELECT answer_decision_rule_register('allow', 'might just');
SELECT answer_grounded('How long does a kettle take to boil a litre?', '{"config": {"min_chunks": 1}}');
SELECT answer_document_facts_add('guide', '[{"subject": "kettle", "attribute": "time for a litre", "value": 3, "unit": "minutes", "quote": "in three minutes"}]');
CREATE FUNCTION judges(jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation', 'supports', 'score', 0.75)))
	FROM jsonb_array_elements($1 -> 'pairs') AS p
$$;
SELECT answer_judge_register('judges', '{"kinds": ["entailment"], "model": "yes", "version": "1", "handler": "judges", "weights_digest": "none"}'),
	answer_judge_register('people', '{"kinds": ["conflict"], "model": "people", "version": "1", "role": "pg_monitor", "deadline_ms": 1000}');
SELECT answer_judge_assess('judges', '[{"kind": "entailment", "a": "x", "b": "y", "truth": "supports"}]') ? 'entailment' AS assessed,
	answer_judgement_add('[{"kind": "conflict", "a": "x", "b": "y", "relation": "neutral", "score": 0.5, "judge": "people"}]') AS added;
-- an answer that a judge contradicts afterwards
SELECT answer_grounded('How long does a kettle take?', '{"config": {"judge_conflict": "people"}, "chunks": [
	{"chunk_id": "k1#p0", "doc_id": "k1", "text": "A kettle takes three minutes.", "similarity": 0.9, "timestamp": "2026-01-01T00:00:00Z"},
	{"chunk_id": "k2#p0", "doc_id": "k2", "text": "Kettles boil slowly.", "similarity": 0.8, "timestamp": "2026-01-01T00:00:00Z"}]}') #>> '{to_judge,0,pair}' AS pair \gset
SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('pair', :'pair', 'relation', 'contradicts', 'score', 0.9, 'judge', 'people'))) AS contradicted;

/* a graph and packets of it */
SELECT answer_graph_load('shop', jsonb_agg(jsonb_build_object('id', id, 'labels', '["Code"]'::jsonb, 'name', name, 'source_path', 'shop/' || name,
	'content_hash', 'sha256:' || repeat('a', 64), 'extraction_method', 'test', 'text', text)),
	'[{"from": "n1", "to": "n2", "type": "CALLS"}]')
FROM (VALUES ('n1', 'pay_order', 'An order is paid by card.'), ('n2', 'ship_order', 'An order is shipped in a box.')) AS n (id, name, text);
SELECT answer_packet_receipt('shop', 'How is an order paid?', '{"log": true, "query_id": "everything"}');
SELECT answer_retrieve('kettle') IS NOT NULL AS retrieved, answer_retrieve('kettle', '{"intent": "later"}') IS NOT NULL AS to_be_used;
SELECT answer_chunk_embed('guide#p0', '{1,2,3}'), answer_graph_embed('shop', 'n1', '{1,2,3}');

/* plans */
CREATE FUNCTION echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT jsonb_build_object('value', args -> 'value') $$;
SELECT answer_tool_register('echo', 'echo(jsonb)', spec => '{"io": {"input": {"value": {}}, "output": {"value": {}}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01, "rate_limit_qps": 1000}}');
SELECT answer_tool_register('ask', NULL, spec => '{"external": true, "io": {"input": {"q": "string"}, "output": {"text": "string"}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.03}}');
CREATE FUNCTION bring(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('evidence', args -> 'evidence') $$;
SELECT answer_tool_register('bring', 'bring(jsonb)', spec => '{"io": {"input": {"evidence": {}}, "output": {"evidence": "Evidence"}}}');
SELECT answer_budget_set('', 'day', 1000), answer_budget_set('', 'month', 5000);
SELECT answer_plan_register('{"plan_id": "twice", "nodes": [{"id": "a", "op": "call", "tool": "echo", "args": {"value": 1}, "out": "x"}]}');
SELECT answer_plan_register('{"plan_id": "twice", "nodes": [{"id": "a", "op": "call", "tool": "echo", "args": {"value": 2}, "out": "x"}]}');
SELECT answer_plan_execute('{"plan": {"ref": "twice"}, "request_id": "one"}') ->> 'verdict' AS answered;
SELECT answer_plan_execute('{"plan": {"ref": "twice"}, "budgets": {"cost_cap_usd": 0.001, "latency_budget_ms": 1}}') ->> 'verdict' AS refused;
SELECT answer_plan_execute(jsonb_build_object('request_id', 'two', 'plan', '{"plan_id": "waits", "edges": [["a", "b"]], "nodes": [
	{"id": "a", "op": "call", "tool": "echo", "args": {"value": 1}, "out": "x"},
	{"id": "b", "op": "call", "tool": "ask", "args": {"q": "who?"}, "out": "y"}]}'::jsonb)) ->> 'verdict' AS pending;
SELECT answer_memory_policy('', 'k', true);
SELECT answer_plan_execute('{"vars": {"evidence": {"claims": ["c"], "supports": [{"claim": "c", "source": "s", "confidence": 0.95, "snippet": "Yes."}]}},
	"plan": {"plan_id": "remember", "edges": [["prove", "keep"]], "nodes": [
	{"id": "prove", "op": "call", "tool": "bring", "args": {"evidence": "$INPUT.evidence"}, "out": "proof"},
	{"id": "keep", "op": "mem.write", "args": {"key": "k", "value": {"n": 1}, "provenance": "$proof"}}]}}') ->> 'verdict' AS remembers;

/* suites, runs and baselines */
-- answers that are given again
SELECT answer_grounded(q, '{"config": {"min_chunks": 1, "cache_ttl_s": 86400}}') FROM unnest('{How long does a kettle take to boil a litre?,What does a cup hold?}'::text[]) AS q;
SELECT answer_suite_load('mine', '[{"id": "one", "query": "How many books may I borrow?", "expected_outcome": "ANSWER", "risk_level": "low"},
	{"id": "two", "query": "When does it close?", "expected_outcome": "ABSTAIN", "risk_level": "low"}]',
	'[{"doc_id": "library", "title": "Library", "text": "A member may borrow three books.", "timestamp": "2026-01-01"}]', '2026-02-01Z');
SELECT answer_suite_load('mine', '[{"id": "one", "query": "How many books may I borrow?", "expected_outcome": "ANSWER", "risk_level": "low"}]',
	'[{"doc_id": "library", "title": "Library", "text": "A member may borrow three books.", "timestamp": "2026-01-01"}]', '2026-02-01Z');
SELECT answer_suite_run('mine', version => 1), answer_suite_run('mine');
-- a run that is cancelled after its first batch
CREATE FUNCTION stops(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN PERFORM pg_cancel_backend(pg_backend_pid()); PERFORM pg_sleep(600); RETURN NULL; END $$;
SELECT answer_tool_register('stops', 'stops(jsonb)');
SELECT answer_suite_load('stopped', '[{"id": "one", "query": "How many books may I borrow?", "expected_outcome": "ANSWER", "risk_level": "low"},
	{"id": "two", "kind": "check", "request": {"checks": [{"tool": "stops"}]}, "expected_verdict": "supported"}]');
\set ON_ERROR_STOP 0
CALL answer_suite_run_resume('stopped', batch => 1);
\set ON_ERROR_STOP 1
SELECT answer_baseline_load('old bot', '[{"question": "a", "answered": true, "cited": true, "contradictory": false, "latency_ms": 120, "cost_usd": 0.01},
	{"question": "b", "answered": true, "cited": false, "contradictory": true, "latency_ms": 80, "cost_usd": 0.02}]');
SELECT answer_baseline_load('old bot', '[{"question": "a", "answered": true, "cited": true, "contradictory": false, "latency_ms": 100, "cost_usd": 0.01}]');

/* configurations, an environment with a candidate in shadow, and a proposal */
SELECT answer_environment_set('dev', options => jsonb_build_object('suite', 'golden', 'rules', '{"min_overall_pass_rate": 0, "min_citation_validity_rate": 0,
	"max_false_accept_rate": 1, "no_regression_slices": []}'::jsonb, 'shadow_samples', 1, 'canary_samples', 1, 'canary_percent', 50, 'most_different_percent', 100));
SELECT answer_config_create('{"top_k": 4, "min_chunks": 1}', 'a test') AS config \gset
SELECT answer_config_promote('dev', :'config');
SET answer_eval.environment = 'dev';
SELECT answer_grounded('How long does a kettle take to boil a litre?'), answer_grounded('What does a cup hold?');
SELECT answer_evolve_propose(NULL, '{"top_k": 3}', 'fewer chunks');
RESET answer_eval.environment;

/* tenants */
CREATE ROLE everything_app;
CREATE ROLE everything_auditor;
SELECT answer_tenant_create('acme'), answer_tenant_create('globex');
SELECT answer_tenant_grant('acme', 'everything_app'), answer_tenant_grant('*', 'everything_auditor');
SELECT answer_budget_set('acme', 'day', 10);
SET answer_eval.tenant = 'acme';
SELECT answer_evidence_add('rate', '{"currency": "SEK"}', '{"rate": 11}', 'bank');
SELECT rate('SEK');
SELECT answer_document_load('[{"doc_id": "tea", "title": "Tea", "timestamp": "2024-05-20", "text": "Tea is made with boiling water."}]');
SELECT answer_grounded('What is tea made with?', '{"config": {"min_chunks": 1}}');
SELECT answer_plan_execute('{"plan": {"ref": "twice"}}') ->> 'verdict' AS answered;
SELECT answer_baseline_load('their bot', '[{"question": "a", "answered": false, "cited": false, "contradictory": false, "latency_ms": 1, "cost_usd": 0}]');
RESET answer_eval.tenant;

/* what was forgotten, sealed, counted */
SELECT answer_forget(receipt_id, 'asked for') FROM answer.receipt WHERE body #>> '{checks,0,args,currency}' = 'USD' LIMIT 1;
SELECT answer_forget((SELECT digest FROM answer.evidence WHERE args ->> 'currency' = 'USD'), 'asked for');
SELECT answer_log_seal();
SELECT answer_rollup();
SELECT rate('EUR'), answer_plan_execute('{"plan": {"ref": "twice"}}') ->> 'verdict';
SELECT answer_log_seal();
SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') FROM generate_series(1, 3);
