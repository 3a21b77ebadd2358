
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
'Adjudicates a batch of checks, or a question that answer_ask() describes: calls the tools they name with the caller''s rights, applies answer-eval/1, and returns one signed receipt (answer/v1), stored in the same transaction. Argument: {"checks": [{"id", "tool", "args", "expect", "observe", "required", "min_quality"}, ...] or "question": text, "deadline_ms" (1 to 60000 milliseconds for all tool calls together, default 6000), "evidence" (facts for tools that are not registered; never attested), "require_fresh" (default false: evidence that is not fresh will do)}. Result: the receipt. A failing tool is a verdict of its check. Errors: 22023 for a malformed request, naming the check and the field, 22004 for NULL, 55000 without a usable signing key, in a query over shards of Citus that is in no transaction block, while what a receipt is stored in is a table of Citus, or, for a question, with a broken route table, 25006 in a read-only transaction, 42501 without the privilege.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval(jsonb) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_eval_each(requests jsonb[], on_error text DEFAULT 'raise')
RETURNS TABLE (ordinal int4, receipt jsonb, error jsonb)
AS 'MODULE_PATHNAME', 'answer_eval_each'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 1000;
COMMENT ON FUNCTION @extschema@.answer_eval_each(jsonb[], text) IS
'Adjudicates many requests in one statement, each as answer_eval() does, and returns and stores a signed receipt (answer/v1) for each. All have one evaluated_at and one key; tools are looked up and stored readings are found for many at once, and the same request twice is one receipt, returned twice. Arguments: requests, an array of one dimension; on_error, raise (a request that is malformed or cannot be answered is an error, and nothing of the batch is stored) or skip (it is a row with the error, and the others are stored). The deadline of a request is for the handlers that it calls; finding stored readings has the deadlines of those that want them together. Result: a row for each request, in their order: ordinal, from 1 on; receipt, NULL after an error; error, {"sqlstate", "message", "detail"?, "hint"?}, NULL with a receipt. answer.eval_progress shows how far it is. Errors: those of answer_eval(), of a request with "request N: " before the message; 22004 for NULL, 22023 for another on_error and an array of more dimensions.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval_each(jsonb[], text) FROM PUBLIC;

CREATE FUNCTION answer.eval_progress_rows()
RETURNS TABLE (pid int4, role text, started_at timestamptz, requests int8, done int8, refused int8)
AS 'MODULE_PATHNAME', 'answer_eval_progress_rows'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;
COMMENT ON FUNCTION answer.eval_progress_rows() IS
'How far the calls of answer_eval_each() are that are under way in this database; not for direct use, answer.eval_progress shows it. Result: a row for each that the current role may know of, as answer.eval_progress has it. Errors: none.';
REVOKE ALL ON FUNCTION answer.eval_progress_rows() FROM PUBLIC;

CREATE VIEW answer.eval_progress AS
SELECT p.pid, p.role, p.started_at, p.requests, p.done, p.refused FROM answer.eval_progress_rows() p;
COMMENT ON VIEW answer.eval_progress IS 'Calls of answer_eval_each() that are under way in this database, also of other sessions: of the current role, of roles that it has the rights of, or all for pg_read_all_stats. Nothing is shown while track_activities is off.';
COMMENT ON COLUMN answer.eval_progress.pid IS 'Process of the session, as pg_stat_activity has it.';
COMMENT ON COLUMN answer.eval_progress.role IS 'Role that the session logged in as.';
COMMENT ON COLUMN answer.eval_progress.started_at IS 'When the call began.';
COMMENT ON COLUMN answer.eval_progress.requests IS 'How many requests it was given.';
COMMENT ON COLUMN answer.eval_progress.done IS 'How many of them are done, in slices; not committed yet.';
COMMENT ON COLUMN answer.eval_progress.refused IS 'How many of those were refused, with on_error => ''skip''.';
REVOKE ALL ON answer.eval_progress FROM PUBLIC;
