-- The data of the gateway's tests: roles with the least rights, two tenants, documents, a slow tool, plans.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT answer_key_generate() IS NOT NULL AS made \gset
CREATE ROLE help_desk;
CREATE ROLE acme_desk;
CREATE ROLE globex_desk;
CREATE ROLE gateway_login LOGIN;
GRANT help_desk, acme_desk, globex_desk TO gateway_login;
SELECT answer_tenant_create('acme'), answer_tenant_create('globex') \gset
SELECT answer_tenant_grant('acme', 'acme_desk'), answer_tenant_grant('globex', 'globex_desk') \gset
SELECT answer_tenant_create('desk'), answer_tenant_grant('desk', 'help_desk') \gset
GRANT USAGE ON SCHEMA answer TO help_desk, acme_desk, globex_desk;
GRANT EXECUTE ON FUNCTION answer_eval, answer_ask, answer_coverage, answer_receipt, answer_documents, answer_document_load,
	answer_grounded, answer_retrieve, answer_debug,
	answer_trace, answer_trace_verify, answer_replay_bundle, answer_plan_explain, answer_plan_execute
TO help_desk, acme_desk, globex_desk;
-- pages, and bundles of a replay
GRANT EXECUTE ON FUNCTION answer_receipt_html(text, jsonb), answer_log_inclusion, answer_keys, answer.receipt_of(text[], text, timestamptz),
	answer.replay_bundle_write(jsonb, jsonb)
TO help_desk, acme_desk, globex_desk;
GRANT EXECUTE ON PROCEDURE answer_plan_run, answer_plan_resume TO help_desk;
GRANT SELECT ON answer.signing_key, answer.checkpoint, answer.tenant_receipt, answer.tenant_tool TO help_desk, acme_desk, globex_desk;
-- the public keys are for everybody: the gateway reads them in its own role
GRANT EXECUTE ON FUNCTION answer_keys TO gateway_login;
GRANT USAGE ON SCHEMA answer TO gateway_login;
GRANT SELECT ON answer.signing_key TO gateway_login;
CREATE FUNCTION slow(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"value": 1}'::jsonb FROM pg_sleep((args ->> 's')::float8) $$;
SELECT answer_tool_register('slow', 'slow(jsonb)', value_path => 'value',
	spec => '{"io": {"input": {"s": {"type": "number", "required": true}}, "output": {"value": "number"}}}') IS NULL AS made \gset
SELECT answer_tool_register('model', spec => '{"external": true, "io": {"input": {"q": "string"}, "output": {"text": "string"}}}') IS NULL AS made \gset
-- external judges and a model of embeddings: each has a role, of which no caller is a member
CREATE ROLE answer_nli;
CREATE ROLE answer_llm;
CREATE ROLE answer_embedder;
GRANT answer_nli, answer_llm, answer_embedder TO gateway_login;
SELECT count(answer_tenant_grant(t, r)) FROM unnest('{desk,acme}'::text[]) AS t, unnest('{answer_nli,answer_llm,answer_embedder}'::text[]) AS r \gset
GRANT USAGE ON SCHEMA answer TO answer_nli, answer_llm, answer_embedder;
GRANT EXECUTE ON FUNCTION answer_judges, answer_judge_pending, answer_judgement_add TO answer_nli, answer_llm;
GRANT EXECUTE ON FUNCTION answer_embedding_pending, answer_chunk_embed TO answer_embedder;
SELECT answer_judge_register('nli', '{"kinds": ["entailment", "conflict"], "model": "scripted", "version": "1", "role": "answer_nli", "max_pairs": 2, "max_chars": 2000}') IS NULL AS made \gset
SELECT answer_judge_register('llm', '{"kinds": ["entailment", "answers", "conflict"], "model": "scripted", "version": "1", "role": "answer_llm", "max_pairs": 4}') IS NULL AS made \gset
SELECT answer_judge_register('unserved', '{"kinds": ["entailment"], "model": "people", "version": "1", "role": "answer_llm"}') IS NULL AS made \gset
