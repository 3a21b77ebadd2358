/* reading: what was read in a text; doc/spec/reading.md */

CREATE FUNCTION @extschema@.answer_reading(text text, rules jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_reading'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_reading(text, jsonb) IS
'What was read in a text: the sentences, items, values, names and negations by which texts are compared everywhere. Arguments: text; rules, a whole document of decision rules (NULL: those that shipped). Result: {sentences [{text; start and end, its bytes in the text in UTF-8 (end exclusive); items, the stems and values that it is about, sorted by code point; values [{value, a number (a string where it has more than 1000 characters), of a time of day its minutes; unit, or null; a sign that the database''s encoding does not have as \u and four hex digits}]; names, as they are written; negated; asks}]}. Errors: 22004 for a NULL text, 22023 for malformed rules, 54000 for a text of more than 16777216 bytes or rules of more than 134217728.';
