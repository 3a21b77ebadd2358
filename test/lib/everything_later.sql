-- What happens later in the database of everything.sql: what was there changes and goes, by calls of functions alone.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
SELECT answer_source_register('bank', NULL, 'Another bank.', replace => true);
SELECT answer_tool_register('rate', NULL, '{currency}', '2 days', 'rate', replace => true);
SELECT answer_evidence_add('rate', '{"currency": "EUR"}', '{"rate": 1.2}', 'bank');
SELECT answer_route_register('rate', 'what is the price of {currency}', 'interrogative', 'rate', '{"currency": "{currency}"}', NULL, '{"What is the price of EUR?"}', options => '{"replace": true}');
SELECT answer_decision_rule_remove('allow', 'might just'), answer_budget_set('', 'month', 6000), answer_budget_set('acme', 'day', NULL);
SELECT answer_plan_resume((SELECT trace_id FROM answer.plan_run WHERE status = 'pending'), '{"b": {"result": {"text": "me"}, "by": "me"}}') ->> 'verdict';
SELECT answer_plan_execute('{"plan": {"ref": "twice"}}') ->> 'verdict';
SELECT answer_grounded('kettle', jsonb_build_object('answer', 'A kettle boils one litre in three minutes.', 'citations', '["guide#p0"]'::jsonb, 'retrieval_id', retrieval_id))
FROM answer.retrieval WHERE state ->> 'intent' = 'later';
SELECT answer_grounded('What does a cup hold?', '{"config": {"min_chunks": 1, "cache_ttl_s": 86400}}');
SELECT answer_investigation_close(investigation) FROM answer.investigation WHERE closed_at IS NULL;
SELECT answer_tenant_revoke('acme', 'everything_app');
SELECT answer_environment_set('dev', options => '{"shadow_samples": 2}');
SELECT answer_key_generate();
SELECT rate('EUR');
SELECT answer_log_seal();
SELECT answer_rollup();
SELECT rate('CHF');
-- so that something is unfinished again
SELECT answer_plan_execute('{"request_id": "three", "plan": {"plan_id": "waits", "edges": [["a", "b"]], "nodes": [
	{"id": "a", "op": "call", "tool": "echo", "args": {"value": 1}, "out": "x"},
	{"id": "b", "op": "call", "tool": "ask", "args": {"q": "who?"}, "out": "y"}]}}') ->> 'verdict' AS pending;
