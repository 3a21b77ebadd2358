-- Roles with the least rights, and the shipped documents, for examples/gateway.sh.
SET client_min_messages = warning;
CREATE EXTENSION answer_eval;
SELECT answer_key_generate() \gset
-- move the documents to the present date, with their original age
SELECT answer_document_load(jsonb_agg(d || jsonb_build_object('timestamp', (d ->> 'timestamp')::timestamptz
	+ (now() - (f ->> 'now')::timestamptz)))) FROM (SELECT :'documents'::jsonb) AS file (f), jsonb_array_elements(f -> 'documents') AS d \gset
CREATE ROLE answer_public;
CREATE ROLE answer_gateway LOGIN;
GRANT answer_public TO answer_gateway;
GRANT USAGE ON SCHEMA answer TO answer_public, answer_gateway;
-- facts, receipts and their pages
GRANT EXECUTE ON FUNCTION answer_eval, answer_ask, answer_coverage, answer_receipt, answer_receipt_html(text, jsonb), answer_log_inclusion,
	answer.tool_server TO answer_public;
GRANT SELECT ON answer.receipt, answer.anchor, answer.signing_key, answer.log_leaf, answer.log_tile, answer.checkpoint, answer.cosignature
TO answer_public;
-- answers from documents
GRANT EXECUTE ON FUNCTION answer_grounded, answer_retrieve, answer_documents, answer_debug
TO answer_public;
-- the keys, which the gateway gives to everybody
GRANT EXECUTE ON FUNCTION answer_keys TO answer_gateway;
GRANT SELECT ON answer.signing_key TO answer_gateway;
