
/* eval: the whole pipeline */

CREATE FUNCTION @extschema@.answer_validate(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_validate'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_validate(jsonb) IS
'Validates a request by answer-eval/1 without calling anything. Argument: {"checks": [...], "deadline_ms", "evidence", "require_fresh"}. Result: the request with defaults filled in and numbers portable. Warns if there are more than 20 checks, of which the first 20 are evaluated. Errors: 22023 naming the check and the field, 22004 for NULL, 54000 for more than 16777216 bytes.';

CREATE FUNCTION @extschema@.answer_eval(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_eval(jsonb) IS
'Adjudicates a batch of checks, or a question that answer_ask() describes: calls the tools they name with the caller''s rights, applies answer-eval/1, and returns one signed receipt (answer/v1), stored in the same transaction. Argument: {"checks": [{"id", "tool", "args", "expect", "observe", "required", "min_quality"}, ...] or "question": text, "deadline_ms" (1 to 60000 milliseconds for all tool calls together, default 6000), "evidence" (facts for tools that are not registered; never attested), "require_fresh" (default false: evidence that is not fresh will do)}. Result: the receipt. A failing tool is a verdict of its check. Errors: 22023 for a malformed request, naming the check and the field, 22004 for NULL, 55000 without a usable signing key, in a query over shards of Citus that is in no transaction block, or, for a question, with a broken route table, 25006 in a read-only transaction, 42501 without the privilege.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval(jsonb) FROM PUBLIC;
