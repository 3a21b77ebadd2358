-- In a read-only transaction each function that stores something raises an error with its name and what to do.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages = warning;
SELECT plan(5);

CREATE FUNCTION ro_answer(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS 'SELECT args';
CREATE FUNCTION pg_temp.told(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	hint text;
BEGIN
	EXECUTE 'SELECT ' || statement;
	RETURN 'nothing was raised';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' ', SQLSTATE, message, NULLIF(hint, ''));
END
$$;
SELECT lives_ok($$SELECT answer_key_generate()$$, 'there is a key');
SELECT lives_ok($$SELECT answer_tool_register('ro.limited', 'ro_answer(jsonb)', spec => '{"constraints":
	{"rate_limit_qps": 1}}'), answer_tool_register('ro.free', 'ro_answer(jsonb)', spec => '{}')$$, 'there are tools');

SAVEPOINT writable;
SET TRANSACTION READ ONLY;
SELECT is((SELECT string_agg(statement || ': ' || told, E'\n') FROM (SELECT statement, pg_temp.told(statement) AS told
	FROM unnest(ARRAY['answer_tenant_create($$a$$)', 'answer_tenant_grant($$a$$, $$a$$)',
	'answer_tenant_revoke($$a$$, $$a$$)', 'answer_key_generate()', 'answer_receipt_partition(now(), now())',
	'answer_forget($$x$$, $$x$$)', 'answer_source_register($$s$$)', 'answer_source_remove($$local$$)',
	'answer_tool_register($$x$$, $$ro_answer(jsonb)$$)', 'answer_tool_remove($$ro.free$$)',
	'answer_evidence_add($$x$$, $${}$$, $${}$$, $$s$$)', 'answer_ask($$x$$)', 'answer.route_record()',
	'answer_route_enable($$x$$, true)', 'answer_route_remove($$x$$)',
	'answer_quality_class_register($$x$$, $$x$$, $$x$$, $$x$$, $$x$$)', 'answer_eval($${"checks": []}$$)',
	'answer_eval_each($${}$$)', 'answer_judge_register($$j$$, $${}$$)', 'answer_judge_remove($$j$$)',
	'answer_judge_assess($$j$$, $$[]$$)', 'answer_judgement_add($$[]$$)',
	'answer_decision_rule_register($$stop$$, $$x$$, $${}$$)', 'answer_decision_rule_remove($$stop$$, $$x$$)',
	'answer_document_load($$[]$$)', 'answer_chunk_embed($$x$$, $${1}$$)',
	'answer_document_facts_add($$x$$, $$[]$$, $$[]$$)', 'answer_grounded($$x$$)', 'answer_retrieve($$x$$)',
	'answer_graph_load($$p$$, $$[]$$)', 'answer_graph_embed($$p$$, $$x$$, $${1}$$)',
	'answer_graph_forget($$p$$, $${x}$$)', 'answer_packet_receipt($$p$$, $$x$$)', 'answer_plan_register($${}$$)',
	'answer_budget_set($$$$, $$day$$, 1)', 'answer_memory_policy($$$$, $$x$$, true)', 'answer_plan_recover()',
	'answer_suite_load($$s$$, $$[]$$)', 'answer_suite_judge($$s$$)', 'answer_suite_run($$s$$)',
	'answer_suite_run_prune(now())', 'answer_config_create($${}$$, $$x$$)', 'answer_environment_set($$e$$, $${}$$)',
	'answer_config_promote($$prod$$, $$x$$)', 'answer_config_rollback($$prod$$, $$x$$)',
	'answer_baseline_load($$b$$, $$[]$$)', 'answer_rollup()', 'answer_rollup_rebuild()', 'answer_rollup_prune(now())',
	'answer_dashboard_grant($$x$$)', 'answer_dashboard_revoke($$x$$)', 'answer_change_record()', 'answer_log_seal()',
	'answer_witness_trust($$x$$)', 'answer_investigation_open($$Locate$$, $$x$$, $$x$$)']) AS s (statement)) AS t
	WHERE told NOT LIKE format('25006 cannot execute %s() in a read-only transaction Begin the transaction with BEGIN '
		'READ WRITE%%', split_part(statement, '(', 1))), NULL, 'by their names');
SELECT is((SELECT string_agg(told, E'\n') FROM unnest(ARRAY['answer_plan_execute($${}$$)',
	'answer_tool_invoke($$ro.limited$$)']) AS s (statement), pg_temp.told(statement) AS t (told)
	WHERE told !~ ('^25006 cannot execute a (plan|call of a tool that has a rate limit) in a read-only transaction '
		'Begin')),
	NULL, 'plans, and calls that take a token');
SELECT is((SELECT string_agg(told, E'\n') FROM unnest(ARRAY['answer_plan_explain($${"plan": {"plan_id": "p", "nodes":
	[{"id": "a", "op": "assert", "if": "true"}]}}$$)', 'answer_tool_invoke($$ro.free$$)', 'answer_search($$x$$)',
	'answer_fact($$postgres_server$$, $${}$$)', 'answer_decide($$x$$, $$[]$$)', 'answer_log_audit()',
	'answer_audit_report(now() - interval $$1 day$$, now())'])
	AS s (statement), pg_temp.told(statement) AS t (told) WHERE told <> 'nothing was raised'), NULL,
	'what reads alone is done there');
RELEASE SAVEPOINT writable;

SELECT * FROM finish();
ROLLBACK;
