
/* kept: what sessions keep of the registry */

CREATE FUNCTION answer.tells_of_changes() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_tells_of_changes'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.tells_of_changes() IS
'Trigger before each row, not for direct use, by which all sessions learn that what they keep of a table is no longer what it holds: at the commit, as of a change of its definition. Until then its transaction holds a lock, and nothing that is kept is given out. Without the trigger, or where it can be off, nothing is kept. Errors: 39P01 if no trigger before each row calls it.';
REVOKE ALL ON FUNCTION answer.tells_of_changes() FROM PUBLIC;
