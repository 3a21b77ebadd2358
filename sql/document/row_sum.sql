
/* digests of rows, and sums of digests, which stand for the content of a table */

CREATE FUNCTION answer.row_digest(of_table text, of_row record) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_row_digest'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.row_digest(text, record) IS
'Returns the digest of a table row over all stored columns that are not NULL, by name; not for direct use.';

CREATE FUNCTION answer.row_sum(sum bytea, removed bytea[], added bytea[]) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_row_sum'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.row_sum(bytea, bytea[], bytea[]) IS
'Removes rows from a sum of rows (LtHash) and adds others; not for direct use.';

REVOKE ALL ON FUNCTION answer.row_digest(text, record), answer.row_sum(bytea, bytea[], bytea[]) FROM PUBLIC;
