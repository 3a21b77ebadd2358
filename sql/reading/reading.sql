
/* reading: words as texts are compared by */

CREATE FUNCTION answer.stem(word text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_stem'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION answer.stem(text) IS
'English stem of a word: that of Snowball 2.2, which does not change with the server. Argument: letters from a to z; a text with anything else in it is returned as it is, as is one of more than 1000. Result: text, never longer. No errors.';
