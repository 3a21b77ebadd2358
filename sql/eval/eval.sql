
/* eval: the whole pipeline */

CREATE FUNCTION @extschema@.answer_validate(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_validate'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_validate(jsonb) IS
'Validates a request by answer-eval/1 without calling anything. See doc/reference.md#answer_validate.';

CREATE FUNCTION @extschema@.answer_eval(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_eval(jsonb) IS
'Adjudicates a batch of checks, or a question that answer_ask() describes. See doc/reference.md#answer_eval.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval(jsonb) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_ask(question text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_ask'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_ask(text) IS
'Answers a question: compiles it to checks by the caller''s route table (answer_route_table(), route/1) and adjudicates them as answer_eval does. See doc/reference.md#answer_ask.';
REVOKE ALL ON FUNCTION @extschema@.answer_ask(text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_eval_each(requests jsonb[], on_error text DEFAULT 'raise')
RETURNS TABLE (ordinal int4, receipt jsonb, error jsonb)
AS 'MODULE_PATHNAME', 'answer_eval_each'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 1000;
COMMENT ON FUNCTION @extschema@.answer_eval_each(jsonb[], text) IS
'Adjudicates many requests in one statement, each as answer_eval() does, and returns and stores a signed receipt (answer/v1) for each. See doc/reference.md#answer_eval_each.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval_each(jsonb[], text) FROM PUBLIC;

CREATE FUNCTION answer.eval_progress_rows()
RETURNS TABLE (pid int4, role text, started_at timestamptz, requests int8, done int8, refused int8)
AS 'MODULE_PATHNAME', 'answer_eval_progress_rows'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;
COMMENT ON FUNCTION answer.eval_progress_rows() IS
'Returns the progress of the calls of answer_eval_each() that are running in this database; not for direct use, answer.eval_progress shows it.';
REVOKE ALL ON FUNCTION answer.eval_progress_rows() FROM PUBLIC;

CREATE VIEW answer.eval_progress AS
SELECT p.pid, p.role, p.started_at, p.requests, p.done, p.refused FROM answer.eval_progress_rows() p;
COMMENT ON VIEW answer.eval_progress IS 'Progress of running calls of answer_eval_each() in this database, one per row: those of the current role, of roles whose privileges it has, or all for pg_read_all_stats. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.pid IS 'Process id of the session, as in pg_stat_activity. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.role IS 'Role that the session logged in as. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.started_at IS 'When the call began. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.requests IS 'Number of requests given. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.done IS 'Number of requests done, updated in batches; not committed yet. See doc/tables.md#answereval_progress.';
COMMENT ON COLUMN answer.eval_progress.refused IS 'How many of these were refused, with on_error => ''skip''. See doc/tables.md#answereval_progress.';
REVOKE ALL ON answer.eval_progress FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_replay(receipt jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_replay_jsonb'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;

CREATE FUNCTION @extschema@.answer_replay(receipt text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_replay_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION @extschema@.answer_replay(jsonb) IS
'Recomputes a receipt given as jsonb: see answer_replay(text). See doc/reference.md#answer_replay.';
COMMENT ON FUNCTION @extschema@.answer_replay(text) IS
'Recomputes a receipt of any kind from its content. See doc/reference.md#answer_replay.';
