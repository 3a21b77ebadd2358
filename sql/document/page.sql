
/* a page for a person */

CREATE FUNCTION answer.receipt_html(document jsonb, keys jsonb, inclusion jsonb, vkeys text[]) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_receipt_page'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.receipt_html(jsonb, jsonb, jsonb, text[]) IS
'A signed document as one page of HTML that verifies itself in a browser, of what is given alone: see answer_receipt_html(text, jsonb). Arguments: the document, of any kind, or a tombstone; keys, {key_id: base64url} or an array as of answer_key_registry(), all of which the page has; inclusion, a proof of answer_log_inclusion(), NULL if there is none; vkeys of the log and of witnesses, as of answer_log_vkey(), NULL for none, so that no checkpoint is believed. Nothing is verified here: the page of a forged document says that it is forged. Result: the page, plain ASCII; the same arguments give the same bytes. Errors: 22004 for a NULL document or NULL keys, 22023 for a document that is no object or a NULL among the vkeys, 54000 for a document, keys or a proof whose canonical form has more than 16777216 bytes, or vkeys that have. Callable by everybody: it reads no table.';
