
/* kept: what sessions cache of the registry */

CREATE FUNCTION answer.tells_of_changes() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_tells_of_changes'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.tells_of_changes() IS
'Trigger before each row, not for direct use, that invalidates what all sessions cache of a table, at commit, as a change of its definition does.';
REVOKE ALL ON FUNCTION answer.tells_of_changes() FROM PUBLIC;

/* locks: only one session loads a thing at a time */

CREATE FUNCTION answer.load_lock(tenant text, kind text, name text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_load_lock'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10;
COMMENT ON FUNCTION answer.load_lock(text, text, text) IS
'Waits until no other session is loading this thing, and keeps others from loading it until the transaction ends; not for direct use.';
REVOKE ALL ON FUNCTION answer.load_lock(text, text, text) FROM PUBLIC;
