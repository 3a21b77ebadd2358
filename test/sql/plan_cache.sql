-- Answers of plans that are given again: for the same question and nothing else, while documents are the same.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';
-- predictions go by what tools declare here, whatever was called before
DELETE FROM answer.tool_call;
CREATE SCHEMA plan_cache;
SET search_path = plan_cache, public;

SELECT answer_document_load('[{"doc_id": "plan_cache-desk", "title": "Desk", "timestamp": "2999-01-01T00:00:00Z",
	"text": "The puppet workshop opens its doors at nine on Fridays."}]') IS NOT NULL AS loaded;
CREATE TABLE given (n serial, trace_id text, receipt_id text);
CREATE FUNCTION request_of(more jsonb, change jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('vars',
		'{"query": "The puppet workshop opens at nine on Fridays", "n": 1}'::jsonb, 'plan', '{"plan_id": "again",
		"edges": [["s", "v"], ["v", "a"]], "nodes": [
		{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "$INPUT.query"}, "out": "hits"},
		{"id": "v", "op": "verify", "args": {"claims": ["$INPUT.query"], "sources": "$hits"}, "out": "e"},
		{"id": "a", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"}, "out": "x"}]}'::jsonb || change)
		|| more $$;
-- anew, or again; each answer verifies with the word that it is given again, and without it
CREATE FUNCTION asked(more jsonb DEFAULT '{}', change jsonb DEFAULT '{}') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	d jsonb := answer_plan_execute(plan_cache.request_of(more, change));
	known boolean := EXISTS (SELECT FROM plan_cache.given g WHERE g.trace_id = d ->> 'trace_id');
BEGIN
	INSERT INTO plan_cache.given (trace_id, receipt_id) VALUES (d ->> 'trace_id', d ->> 'receipt_id');
	RETURN concat_ws(' ', d ->> 'verdict', CASE WHEN d -> 'cached' = 'true' AND known THEN 'again'
		WHEN d ? 'cached' OR known THEN 'WRONG' ELSE 'anew' END,
		CASE WHEN NOT (answer_verify_ok(d - 'cached') AND answer_verify_ok(d)) THEN 'DOES NOT VERIFY' END);
END $$;

-- a configuration that keeps answers for so many seconds comes to an environment of this file's own
SELECT answer_suite_load('plan_cache', '[
	{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER",
		"risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2999-01-01T00:00:00Z",
		"text": "The puppet workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2999-01-01T00:00:00Z",
		"text": "Workshop: puppet makers open at nine."}]',
	'2026-01-02T00:00:00Z') ->> 'version' AS suite;
SELECT answer_environment_set('plan_cache',
	options => '{"suite": "plan_cache", "rules": {}, "shadow_samples": 0, '
	'"canary_samples": 0}') ->> 'revision' AS revision;
SET answer_eval.environment = 'plan_cache';
CREATE FUNCTION keeps(seconds int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	config text := answer_config_create(jsonb_build_object('cache_ttl_s', seconds), 'plan_cache');
BEGIN
	PERFORM answer_config_promote('plan_cache', config) FROM generate_series(1, 3);
	RETURN answer_config() -> 'cache_ttl_s';
END $$;

-- the configuration that ships gives nothing again
SELECT answer_config() -> 'cache_ttl_s' AS cache_ttl_s;
SELECT asked(), asked();
SELECT keeps(3600);
SELECT asked(), asked();
-- which explaining tells before, and counts no hit for
SELECT e -> 'cached' AS cached, e -> 'predicted' AS predicted FROM answer_plan_explain(request_of('{}', '{}')) AS e
UNION ALL SELECT e -> 'cached', e -> 'predicted' FROM answer_plan_explain(request_of('{"intent": "x"}', '{}')) AS e
UNION ALL SELECT e -> 'cached', e -> 'predicted'
FROM answer_plan_explain(request_of('{"basis": "declared"}', '{}')) AS e;
SELECT hits FROM answer.decision_cache WHERE tenant = '' ORDER BY issued_at DESC LIMIT 1;
-- nothing is charged or traced for it
SELECT count(*) AS runs FROM answer.plan_run WHERE plan_id = 'again';
-- case makes no difference in the query, nor do budgets, for it costs nothing; all else does
SELECT asked('{"vars": {"query": "the PUPPET workshop opens at nine on Fridays", "n": 1}}') AS folded,
	asked('{"vars": {"query": "The puppet workshop opens at nine on Fridays", "n": 2}}') AS vars,
	asked('{"intent": "hours"}') AS intent, asked('{"intent": "hours"}') AS same_intent,
	asked('{"budgets": {"cost_cap_usd": 1}}') AS budgets, asked('{"budgets": {"latency_budget_ms": 1}}') AS small,
	asked('{}', '{"plan_id": "again2"}') AS plan,
	asked('{}', '{"signals": {"regulated": true}}') AS regulated;
-- an id of a request is answered under that id
SELECT asked('{"request_id": "plan_cache"}') AS id;
-- both forms
CREATE TABLE ran (d jsonb);
DO $$
DECLARE
	result jsonb;
	request jsonb := '{"vars": {"query": "The puppet workshop opens at nine on Fridays"}, "plan": {"plan_id": "again3",
		"edges": [["s", "v"], ["v", "a"]], "nodes": [
		{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "$INPUT.query"}, "out": "hits"},
		{"id": "v", "op": "verify", "args": {"claims": ["$INPUT.query"], "sources": "$hits"}, "out": "e"},
		{"id": "a", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"}, "out": "x"}]}}';
BEGIN
	CALL answer_plan_run(request, result);
	INSERT INTO plan_cache.ran VALUES (result);
	CALL answer_plan_run(request, result);
	INSERT INTO plan_cache.ran VALUES (result);
	INSERT INTO plan_cache.ran VALUES (answer_plan_execute(request));
END $$;
SELECT count(*), count(DISTINCT d ->> 'receipt_id') AS receipts,
	count(*) FILTER (WHERE d -> 'cached' = 'true') AS again FROM ran;
-- nothing that was made at a snapshot of the caller's
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT asked('{"intent": "old"}') AS old;
COMMIT;
SELECT asked('{"intent": "old"}') AS anew, asked('{"intent": "old"}') AS again;
-- what is no answer, and a plan that remembers: never
SELECT asked('{"vars": {"query": "The workshop never sells puppets"}}') AS blocked,
	asked('{"vars": {"query": "The workshop never sells puppets"}}') AS and_again;
SELECT asked('{}', '{"edges": [["s", "v"], ["v", "a"], ["a", "m"]], "nodes": [
	{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "$INPUT.query"}, "out": "hits"},
	{"id": "v", "op": "verify", "args": {"claims": ["$INPUT.query"], "sources": "$hits"}, "out": "e"},
	{"id": "a", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"}, "out": "x"},
	{"id": "m", "op": "mem.write", "args": {"key": "plan_cache", "value": "$x", "provenance": "$e"}}]}') AS remembers
FROM generate_series(1, 2);
SELECT asked('{"intent": "small", "budgets": {"latency_budget_ms": 400}}'::jsonb) AS degraded
FROM generate_series(1, 2);
SELECT asked('{"intent": "small", "budgets": {"latency_budget_ms": 340}}'::jsonb) AS refused
FROM generate_series(1, 2);
-- what changes an answer: documents, rules, forgetting; and time
SELECT asked() AS before;
SELECT answer_document_load('[{"doc_id": "plan_cache-other", "title": "Other", "timestamp": "2999-01-01T00:00:00Z",
	"text": "Kites are mended on Sundays."}]') IS NOT NULL AS loaded;
SELECT asked() AS loaded, asked() AS then;
SELECT answer_decision_rule_register('allow', 'plan again', '{}');
SELECT asked() AS rules, asked() AS then;
SELECT answer_decision_rule_remove('allow', 'plan again');
SELECT asked() AS rules, asked() AS then;
SELECT answer_forget((SELECT receipt_id FROM given ORDER BY n DESC LIMIT 1), 'asked to') IS NOT NULL AS forgotten;
SELECT asked() AS forgotten, asked() AS then;
SELECT keeps(1);
SELECT asked('{"intent": "short"}') AS first, asked('{"intent": "short"}') AS then;
SELECT pg_sleep(1.1);
SELECT asked('{"intent": "short"}') AS expired;
SELECT answer_config_rollback('plan_cache', 'again') ->> 'action' AS then;
SET answer_eval.cache_entries = 0;
SELECT asked() AS no_entries;
RESET answer_eval.cache_entries;
-- another role has other rights
SELECT asked() AS owner, asked() AS then;
\set ON_ERROR_ROLLBACK on
BEGIN;
CREATE ROLE regress_plan_cache;
CREATE ROLE regress_plan_cache2;
GRANT USAGE ON SCHEMA plan_cache, answer TO regress_plan_cache, regress_plan_cache2;
GRANT ALL ON given, given_n_seq TO regress_plan_cache, regress_plan_cache2;
GRANT EXECUTE ON FUNCTION answer_plan_execute, answer_document_load, answer.tool_doc_search, answer_search,
	answer.tool_ground_verify, answer.tool_synth_answer, answer_verify_ok(jsonb, jsonb)
TO regress_plan_cache, regress_plan_cache2;
GRANT SELECT ON answer.signing_key TO regress_plan_cache, regress_plan_cache2;
SELECT answer_tenant_create('plan-again');
SELECT answer_tenant_grant('plan-again', r) FROM unnest('{regress_plan_cache,regress_plan_cache2}'::text[]) AS r;
SET ROLE regress_plan_cache;
SELECT answer_document_load('[{"doc_id": "plan_cache-tenant", "title": "Desk", "timestamp": "2999-01-01T00:00:00Z",
	"text": "The puppet workshop opens its doors at nine on Fridays."}]') IS NOT NULL AS loaded;
SELECT asked() AS tenant, asked() AS then;
SET ROLE regress_plan_cache2;
SELECT asked() AS other_role, asked() AS then;
SET answer_eval.environment = 'prod';
RESET ROLE;
ROLLBACK;
\set ON_ERROR_ROLLBACK off
RESET answer_eval.environment;
SELECT asked() AS no_more;

SELECT answer_forget(d, 'done') IS NOT NULL AS forgotten FROM unnest('{plan_cache-desk,plan_cache-other}'::text[]) AS d;
DROP SCHEMA plan_cache CASCADE;
