
/* a page for people */

CREATE FUNCTION answer.receipt_html(document jsonb, keys jsonb, inclusion jsonb, vkeys text[]) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_receipt_page'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.receipt_html(jsonb, jsonb, jsonb, text[]) IS
'Returns a signed document as one page of HTML that verifies itself in a browser, made only of what is given: see answer_receipt_html(text, jsonb). See doc/reference.md#answerreceipt_html.';
