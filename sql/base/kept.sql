
/* kept: what sessions keep of the registry */

CREATE FUNCTION answer.tells_of_changes() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_tells_of_changes'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.tells_of_changes() IS
'Trigger before each row, not for direct use, by which all sessions learn that what they keep of a table is no longer what it holds: at the commit, as of a change of its definition.';
REVOKE ALL ON FUNCTION answer.tells_of_changes() FROM PUBLIC;

/* locks: one who loads a thing at a time */

CREATE FUNCTION answer.load_lock(tenant text, kind text, name text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_load_lock'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10;
COMMENT ON FUNCTION answer.load_lock(text, text, text) IS
'Waits until nobody else loads this thing, and keeps others from it to the end of the transaction; not for direct use.';
REVOKE ALL ON FUNCTION answer.load_lock(text, text, text) FROM PUBLIC;
