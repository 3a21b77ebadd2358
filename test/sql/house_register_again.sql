-- Registering again what is registered: the same changes nothing, another registration is refused, and nothing is lost
-- without a word; with replace, what is given is all of it. Tools and sources are in evidence.sql.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
BEGIN;
CREATE FUNCTION again(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
	hint text;
	records bigint := (SELECT count(*) FROM answer.change);
BEGIN
	EXECUTE 'SELECT ' || statement;
	RETURN format('done, %s signed', (SELECT count(*) FROM answer.change) - records);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', SQLSTATE, message, NULLIF(detail, ''), NULLIF(hint, ''));
END
$$;
CREATE FUNCTION again_grade(observation jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (NULL, 'Weak', 'Low', '')::answer_graded $$;
CREATE FUNCTION again_other(observation jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT (NULL, 'Weak', 'Low', '')::answer_graded $$;
CREATE TABLE again_word (word text);
INSERT INTO again_word VALUES ('a'), ('b');
SELECT again('answer_tool_register(''again'', required_args => ''{a}'')');
SELECT call, again(call) FROM (VALUES
	(1, $$answer_quality_class_register('Again', 'find', relevance => 'query', description => 'Once.')$$),
	(2, $$answer_quality_class_register('Again', 'find', relevance => 'query', description => 'Once.')$$),
	(3, $$answer_quality_class_register('Again')$$),
	(4, $$answer_quality_class_register('Again', replace => true)$$),
	(5, $$answer_quality_class_register('Again', replace => NULL)$$),
	(6, $$answer_quality_class_register('Again', 'read', replace => NULL)$$),
	(7, $$answer_quality_class_register('FileSearch', replace => true)$$),
	(10, $$answer_quality_grader_register('again', 'Again', 'again_grade(jsonb)', 'many', 'Once.')$$),
	(11, $$answer_quality_grader_register('again', 'Again', 'again_grade(jsonb)', 'many', 'Once.')$$),
	(12, $$answer_quality_grader_register('again', 'Again', 'again_grade(jsonb)')$$),
	(13, $$answer_quality_grader_register('again', 'Again', 'again_other(jsonb)', 'many', 'Once.')$$),
	(14, $$answer_quality_grader_register('again', 'Again', 'again_other(jsonb)', replace => true)$$),
	(15, $$answer_quality_grader_register('grep', 'Again', 'again_grade(jsonb)', replace => true)$$),
	(20, $$answer_quality_intent_register('Again', '{"Again": "Strong", "Build": "Weak"}', 'Once.')$$),
	(21, $$answer_quality_intent_register('Again', '{"Build": "Weak", "Again": "Strong"}', 'Once.')$$),
	(22, $$answer_quality_intent_register('Again', '{"Again": "Strong"}', 'Once.')$$),
	(23, $$answer_quality_intent_register('Again', '{"Again": "Strong", "Build": "Weak"}')$$),
	(24, $$answer_quality_intent_register('Again', '{}', replace => true)$$),
	(25, $$answer_quality_intent_register('Again', '{}')$$),
	(26, $$answer_quality_intent_register('Locate', '{"FileSearch": "Weak"}', replace => true)$$),
	(30, $$answer_quality_compatibility_register('Again', 'Build', 'Moderate', false)$$),
	(31, $$answer_quality_compatibility_register('Again', 'Build', 'Moderate', false)$$),
	(32, $$answer_quality_compatibility_register('Again', 'Build')$$),
	(33, $$answer_quality_compatibility_register('Again', 'Build', replace => true)$$),
	(34, $$answer_quality_compatibility_register('FileSearch', 'FileSearch', 'Moderate', replace => true)$$),
	(40, $$answer_route_register('again', 'again {a:list}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}',
		options => '{"lists": {"a": {"table": "public.again_word", "column": "word"}}, "description": "Once.", '
			'"place": 900}')$$),
	-- where it is need not be said again
	(41, $$answer_route_register('again', 'again {a:list}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}',
		options => '{"lists": {"a": {"table": "public.again_word", "column": "word"}}, "description": "Once."}')$$),
	(42, $$answer_route_register('again', 'again {a}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}')$$),
	(43, $$answer_route_register('again', 'again {a:list}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}',
		options => '{"lists": {"a": {"table": "public.again_word", "column": "word"}}, "description": "Once.", '
			'"place": 901}')$$),
	(44, $$answer_route_enable('again', false)$$),
	-- that it is disabled, and what its lists hold, is no part of what was said
	(45, $$answer_route_register('again', 'again {a:list}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}',
		options => '{"lists": {"a": {"table": "public.again_word", "column": "word"}}, "description": "Once."}')$$),
	(46, $$answer_route_register('again', 'again {a}', 'interrogative', 'again', '{"a": "{a}"}',
		examples => '{again a}', options => '{"replace": true}')$$),
	(47, $$answer_route_register('postgres.uptime', 'again', 'interrogative', 'again', '{"a": 1}',
		examples => '{again}', options => '{"replace": true}')$$))
	AS c (n, call) ORDER BY n;
SELECT tool, relevance, description FROM answer.quality_class WHERE class = 'Again';
SELECT family, grader, description FROM answer.quality_tool WHERE tool = 'again';
SELECT i.description, (SELECT count(*) FROM answer.quality_requirement r WHERE r.intent = i.intent) AS requirements
FROM answer.quality_intent i WHERE intent = 'Again';
SELECT with_class, with_quality, same_target FROM answer.quality_compatibility WHERE class = 'Again'
	ORDER BY with_class;
SELECT position, pattern, lists, list_values, description, enabled FROM answer.route WHERE route_id = 'again';
ROLLBACK;
