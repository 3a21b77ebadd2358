/* reading: what was read in a text; doc/spec/reading.md */

CREATE FUNCTION @extschema@.answer_reading(text text, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_reading'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_reading(text, jsonb) IS
'Returns what was read in a text: the sentences, items, values, names and negations by which all functions compare texts. See doc/reference.md#answer_reading.';
