-- One check against the facts it cites: doc/spec/answer-eval.md §1, §2 and §4.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';

-- Each row breaks one rule.  The same error comes from answer_check and from a
-- request; it names the check's id and the field.
CREATE TABLE bad_check (rule text, body text);
INSERT INTO bad_check VALUES
	('no object', '1'), ('no object', 'null'), ('no object', '"t"'), ('no object', '[]'),
	('unknown key', '{"id": "x", "tool": "t", "weight": 1}'), ('unknown key', '{"tool": "t", "Tool": "t"}'),
	('unknown key', '{"tool": "t", "": 1}'), ('unknown key', '{"tool": "t", "verdict": "supported"}'),
	('tool', '{}'), ('tool', '{"id": "x"}'), ('tool', '{"tool": ""}'), ('tool', '{"tool": null}'),
	('tool', '{"tool": 1}'), ('tool', '{"tool": ["t"]}'),
	('id', '{"id": "", "tool": "t"}'), ('id', '{"id": null, "tool": "t"}'), ('id', '{"id": 1, "tool": "t"}'),
	('id', '{"id": ["x"], "tool": "t"}'),
	('id of 201', jsonb_build_object('id', repeat('x', 201), 'tool', 't')::text),
	('id of 201 astral ones', jsonb_build_object('id', repeat('😀', 201), 'tool', 't')::text),
	('required', '{"id": "x", "tool": "t", "required": 1}'), ('required', '{"tool": "t", "required": null}'),
	('required', '{"tool": "t", "required": "true"}'),
	('observe', '{"id": "x", "tool": "t", "observe": 0}'), ('observe', '{"tool": "t", "observe": null}'),
	('observe', '{"tool": "t", "observe": "no"}'),
	('args', '{"id": "x", "tool": "t", "args": null}'), ('args', '{"tool": "t", "args": []}'),
	('args', '{"tool": "t", "args": "a"}'),
	('expect', '{"id": "x", "tool": "t", "expect": null}'), ('expect', '{"tool": "t", "expect": 1}'),
	('expect', '{"tool": "t", "expect": "eq"}'), ('expect', '{"tool": "t", "expect": true}'),
	('expect', '{"tool": "t", "expect": [1]}'), ('expect', '{"tool": "t", "expect": [null]}'),
	('expect', '{"tool": "t", "expect": [[]]}'),
	('9 expectations', '{"tool": "t", "expect": [' || repeat('{"op": "exists"}, ', 8) || '{"op": "exists"}]}'),
	('9 expectations', '{"tool": "t", "observe": true, "expect": [' || repeat('{}, ', 8) || '{}]}'),
	('unknown key', '{"tool": "t", "expect": {"op": "exists", "Op": 1}}'),
	('unknown key', '{"tool": "t", "expect": [{"op": "exists"}, {"op": "eq", "value": 1, "unit": "m"}]}'),
	('op', '{"tool": "t", "expect": {}}'), ('op', '{"tool": "t", "expect": {"value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": "EQ", "value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": "", "value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": null, "value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": 1, "value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": ["eq"], "value": 1}}'),
	('op', '{"tool": "t", "expect": {"op": "regex", "value": ".*"}}'),
	('path', '{"tool": "t", "expect": {"path": "", "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": null, "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": 0, "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": ["a"], "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": "a..b", "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": ".a", "op": "exists"}}'),
	('path', '{"tool": "t", "expect": {"path": "a.", "op": "exists"}}'),
	('9 segments', '{"tool": "t", "expect": {"path": "a.b.c.d.e.f.g.h.i", "op": "exists"}}'),
	('value', '{"tool": "t", "expect": {"op": "eq"}}'), ('value', '{"tool": "t", "expect": {"op": "lt"}}'),
	('value', '{"tool": "t", "expect": {"op": "abs_within", "tol": 1}}'),
	('value', '{"tool": "t", "expect": {"op": "fresh_within_s"}}'),
	('in', '{"tool": "t", "expect": {"op": "in", "value": 1}}'),
	('in', '{"tool": "t", "expect": {"op": "in", "value": {"0": 1}}}'),
	('between', '{"tool": "t", "expect": {"op": "between", "value": [1]}}'),
	('between', '{"tool": "t", "expect": {"op": "between", "value": [1, 2, 3]}}'),
	('between', '{"tool": "t", "expect": {"op": "between", "value": 1}}'),
	('no pair', '{"tool": "t", "expect": {"op": "abs_within", "value": 1}}'),
	('no pair', '{"tool": "t", "expect": {"op": "pct_within", "value": {"value": 1}}}'),
	('no pair', '{"tool": "t", "expect": {"op": "pct_within", "value": {"tol": 1}}}'),
	('extra key', '{"tool": "t", "expect": {"op": "abs_within", "value": {"value": 1, "tol": 1, "x": 1}}}'),
	('both spellings', '{"tool": "t", "expect": {"op": "abs_within", "value": {"value": 1, "tol": 1}, "tol": 1}}'),
	('tol', '{"tool": "t", "expect": {"op": "abs_within", "value": 1, "tol": -1}}'),
	('tol', '{"tool": "t", "expect": {"op": "abs_within", "value": 1, "tol": "-0.5"}}'),
	('tol', '{"tool": "t", "expect": {"op": "pct_within", "value": 1, "tol": "x"}}'),
	('tol', '{"tool": "t", "expect": {"op": "pct_within", "value": 1, "tol": null}}'),
	('tol', '{"tool": "t", "expect": {"op": "pct_within", "value": {"value": 1, "tol": false}}}'),
	('tol elsewhere', '{"tool": "t", "expect": {"op": "eq", "value": 1, "tol": 0}}'),
	('tol elsewhere', '{"tool": "t", "expect": {"op": "exists", "tol": null}}'),
	('tol alone', '{"tool": "t", "observe": true, "expect": {"tol": 1}}'),
	('fresh_within_s', '{"tool": "t", "expect": {"op": "fresh_within_s", "value": -1}}'),
	('fresh_within_s', '{"tool": "t", "expect": {"op": "fresh_within_s", "value": "1 day"}}'),
	('fresh_within_s', '{"tool": "t", "expect": {"op": "fresh_within_s", "value": null}}'),
	-- what is observed only is validated all the same
	('observe', '{"tool": "t", "observe": true, "expect": {"op": "nope"}}'),
	('observe', '{"tool": "t", "observe": true, "expect": {"path": ""}}'),
	('observe', '{"tool": "t", "observe": true, "expect": {"op": "eq"}}'),
	('observe', '{"tool": "t", "observe": true, "expect": null}');
SELECT rule, regexp_replace(body, '(x|😀|\{"op": "exists"\}, |\{\}, ){5,}', '…') AS body,
	regexp_replace(attempt(format('SELECT answer_check(%L, ''{}'', ''2026-01-01'')', body)),
	'(x|😀){60,}', '…') AS error
FROM bad_check;
SELECT count(*) AS rows, count(*) FILTER (WHERE attempt(format('SELECT answer_check(%L, ''{}'', ''2026-01-01'')', body))
	<> attempt(format('SELECT answer_validate(%L)', '{"checks": [' || body || ']}'))) AS told_otherwise_in_a_request,
	count(*) FILTER (WHERE attempt(format('SELECT answer_check(%L, ''{}'', ''2026-01-01'')', body)) NOT LIKE
	'22023: check "%": %') AS other_errors
FROM bad_check;
DROP TABLE bad_check;

-- The limits themselves are allowed.
SELECT attempt(format('SELECT (answer_check(%L, ''{"value": 1}'', ''2026-01-01'')).verdict',
	jsonb_build_object('id', repeat('x', 200), 'tool', 't'))) AS id_of_200,
	attempt(format('SELECT (answer_check(%L, ''{"value": 1}'', ''2026-01-01'')).verdict',
	jsonb_build_object('id', repeat('😀', 200), 'tool', 't'))) AS astral_id_of_200,
	attempt('SELECT (answer_check(''{"tool": "t", "expect": [' || repeat('{"op": "exists"}, ', 7) ||
	'{"op": "exists"}]}'', ''{"value": 1}'', ''2026-01-01'')).verdict') AS expectations_8,
	attempt('SELECT (answer_check(''{"tool": "t", "expect": {"path": "a.b.c.d.e.f.g.h", "op": "not_exists"}}'', '
	'''{"raw": 1}'', ''2026-01-01'')).verdict')
	AS segments_8;

-- NULL, empty and ill-formed arguments of answer_check.
SELECT attempt($$SELECT answer_check(NULL, '{}', now())$$) AS no_check,
	attempt($$SELECT answer_check('{"tool": "t"}', '{}', NULL)$$) AS no_instant;
SELECT evaluated_at, attempt(format('SELECT answer_check(''{"tool": "t"}'', ''{}'', %L)', evaluated_at)) AS error FROM
	(VALUES ('infinity'), ('-infinity')) AS v (evaluated_at);
SELECT evidence, attempt(format('SELECT answer_check(''{"tool": "t"}'', %L, ''2026-01-01'')', evidence)) AS error
FROM (VALUES ('1'), ('"x"'), ('null'), ('true'), ('[1]'), ('[{}, null]'), ('[[]]')) AS v (evidence);
SELECT evidence, (answer_check('{"tool": "t", "expect": {"op": "exists"}}', evidence, '2026-01-01')).* FROM
	(VALUES (NULL::jsonb), ('[]')) AS v (evidence);

-- Verdicts.  Each row: expectations, and the verdict worked out by hand.
CREATE TABLE fact AS SELECT '{"fact": "t", "value": 17.5, "timestamp": "2026-01-01T00:00:00Z",
	"verification": {"confidence": 0.8},
	"raw": {"a": {"b": [10, 20, {"c": null}]}, "": 1, "*": "star", "[0]": "bracket", "$": "dollar", "a\\": "back",
	"0": "zero", "01": "one", "é": "e", "t": 17.5, "s": "17.10", "x y": 1, "list": []}}'::jsonb AS fact;
CREATE FUNCTION verdict_of(expect text, fact jsonb, observe boolean DEFAULT false) RETURNS text LANGUAGE sql
AS
	$$ SELECT (answer_check(jsonb_build_object('tool', 't', 'observe', observe, 'expect', expect::jsonb), fact,
	'2026-01-01 00:01:00Z')).verdict::text $$;
SELECT expect, verdict_of(expect, fact) AS verdict, verdict_of(expect, fact) = want AS ok,
	verdict_of(expect, fact, true) AS observed_only
FROM fact, (VALUES ('[]', 'value'), ('{"op": "eq", "value": 17.5}', 'supported'),
	('{"op": "eq", "value": 17}', 'contradicted'), ('{"op": "lt", "value": "x"}', 'not_evaluable'),
	('[{"op": "gt", "value": 17}, {"op": "lt", "value": 18}]', 'supported'),
	('[{"op": "gt", "value": 17}, {"op": "lt", "value": 17}]', 'contradicted'),
	('[{"op": "gt", "value": 17}, {"op": "lt", "value": "x"}]', 'not_evaluable'),
	('[{"op": "lt", "value": "x"}, {"op": "eq", "value": 1}]', 'contradicted'),
	-- paths address the raw result; the primary value needs none
	('{"path": "t", "op": "eq", "value": 17.5}', 'supported'), ('{"path": "value", "op": "exists"}', 'contradicted'),
	('{"op": "exists"}', 'supported'),
	('{"path": "a.b.0", "op": "eq", "value": 10}', 'supported'),
	('{"path": "a.b.1", "op": "eq", "value": 20}', 'supported'), ('{"path": "a.b.2.c", "op": "exists"}', 'supported'),
	('{"path": "a.b.2.c", "op": "eq", "value": null}', 'supported'),
	('{"path": "a.b.2.c", "op": "lt", "value": 1}', 'not_evaluable'),
	('{"path": "a.b.2.c.d", "op": "not_exists"}', 'supported'),
	('{"path": "a.b.3", "op": "exists"}', 'contradicted'), ('{"path": "a.b.00", "op": "exists"}', 'contradicted'),
	('{"path": "a.b.01", "op": "exists"}', 'contradicted'), ('{"path": "a.b.-1", "op": "exists"}', 'contradicted'),
	('{"path": "a.b.4294967296", "op": "exists"}', 'contradicted'),
	('{"path": "a.b.18446744073709551616", "op": "exists"}', 'contradicted'),
	('{"path": "a.b.+1", "op": "exists"}', 'contradicted'), ('{"path": "a.b. 1", "op": "exists"}', 'contradicted'),
	('{"path": "a.b.1 ", "op": "exists"}', 'contradicted'),
	('{"path": "0", "op": "eq", "value": "zero"}', 'supported'),
	('{"path": "01", "op": "eq", "value": "one"}', 'supported'),
	('{"path": "list.0", "op": "not_exists"}', 'supported'),
	('{"path": "*", "op": "eq", "value": "star"}', 'supported'),
	('{"path": "[0]", "op": "eq", "value": "bracket"}', 'supported'),
	('{"path": "$", "op": "eq", "value": "dollar"}', 'supported'),
	('{"path": "a\\", "op": "eq", "value": "back"}', 'supported'),
	('{"path": "\u00e9", "op": "eq", "value": "e"}', 'supported'),
	('{"path": "x y", "op": "eq", "value": 1}', 'supported'), ('{"path": "a.*", "op": "exists"}', 'contradicted'),
	('{"path": "A", "op": "exists"}', 'contradicted'),
	('{"path": "nope", "op": "eq", "value": 1}', 'not_evaluable'),
	('{"path": "nope", "op": "ne", "value": 1}', 'not_evaluable'),
	('{"path": "nope", "op": "in", "value": []}', 'not_evaluable'),
	('{"path": "nope", "op": "not_exists"}', 'supported'),
	('{"path": "s.0", "op": "exists"}', 'contradicted'), ('{"path": "a.length", "op": "exists"}', 'contradicted'),
	('{"op": "fresh_within_s", "value": 60}', 'supported'),
	('{"op": "fresh_within_s", "value": 59.999999}', 'contradicted'),
	('{"path": "nope.nope", "op": "fresh_within_s", "value": "60"}', 'supported')) AS v (expect, want);

-- Where there is no primary value, or no raw result.
SELECT fact, expect, verdict_of(expect, fact::jsonb) AS verdict, verdict_of(expect, fact::jsonb) = want AS ok
FROM (VALUES ('{}', '{"op": "exists"}', 'contradicted'), ('{}', '{"op": "not_exists"}', 'supported'),
	('{}', '{"op": "eq", "value": 1}', 'not_evaluable'), ('{"value": null}', '{"op": "exists"}', 'supported'),
	('{"raw": {"value": 1}}', '{"op": "exists"}', 'contradicted'),
	('{}', '{"path": "a", "op": "exists"}', 'not_evaluable'),
	('{}', '{"path": "a", "op": "not_exists"}', 'not_evaluable'),
	('{"value": {"a": 1}}', '{"path": "a", "op": "exists"}', 'not_evaluable'),
	('{"raw": null}', '{"path": "a", "op": "exists"}', 'contradicted'),
	('{"raw": null}', '{"path": "a", "op": "not_exists"}', 'supported'),
	('{"raw": null}', '{"path": "a", "op": "eq", "value": null}', 'not_evaluable'),
	('{"raw": 1}', '{"path": "a", "op": "not_exists"}', 'supported'),
	('{"raw": [5]}', '{"path": "0", "op": "eq", "value": 5}', 'supported'),
	('{"raw": "abc"}', '{"path": "0", "op": "exists"}', 'contradicted'),
	('{}', '{"op": "fresh_within_s", "value": 60}', 'not_evaluable'),
	('{"timestamp": null}', '{"op": "fresh_within_s", "value": 60}', 'not_evaluable'),
	('{"timestamp": "2026-01-01T00:00:30Z"}', '{"path": "a", "op": "fresh_within_s", "value": 60}', 'supported')) AS v
	(fact, expect, want);

-- Timestamps: the evaluation is at 2026-01-01 00:00:00 UTC, and an age counts in either direction.
SELECT t AS timestamp, left(n, 20) AS seconds, c.verdict, c.observed IS NOT NULL AS observed,
	c.verdict::text = CASE want WHEN 'h' THEN 'supported' WHEN 'f' THEN 'contradicted' ELSE 'not_evaluable' END AS ok
FROM (VALUES ('"2026-01-01T00:00:00Z"', '0', 'h'), ('"2025-12-31T23:59:00Z"', '60', 'h'),
	('"2025-12-31T23:59:00Z"', '59', 'f'), ('"2026-01-01T00:01:00Z"', '60', 'h'),
	('"2026-01-01T00:01:00Z"', '"59.9"', 'f'),
	('"2026-01-01T01:00:00+01:00"', '0', 'h'), ('"2025-12-31T14:30:00-09:30"', '0', 'h'),
	('"2026-01-01T15:59:00+15:59"', '0', 'h'), ('"2026-01-01T00:00:00-00:00"', '0', 'h'),
	('"2026-01-01T00:00:00.000001Z"', '0.000001', 'h'), ('"2026-01-01T00:00:00.000001Z"', '0.0000009', 'f'),
	('"2025-12-31T23:59:59.5Z"', '0.5', 'h'), ('"2025-12-31T23:59:59.5Z"', '0.49', 'f'),
	('"2026-01-01T00:00:00.123456Z"', '0.123456', 'h'),
	('"0001-01-01T00:00:00Z"', '1e11', 'h'), ('"9999-12-31T23:59:59Z"', '1e9', 'f'),
	('"2024-02-29T00:00:00Z"', '1e9', 'h'), ('"2026-01-01T00:00:00Z"', '1e400', 'h'),
	('"2026-01-01T00:00:00Z"', '"-0"', 'h'), ('"2000-01-01T00:00:00Z"', ('1' || repeat('0', 1200)), 'h'),
	('"2026-01-01T00:00:01Z"', '1e-1200', 'f'),
	('"2026-01-01T00:00:00"', '60', 'n'), ('"2026-01-01"', '60', 'n'), ('"2026-01-01 00:00:00Z"', '60', 'n'),
	('"2026-01-01T00:00:00z"', '60', 'n'), ('"2026-01-01t00:00:00Z"', '60', 'n'), ('"2026-01-01T00:00Z"', '60', 'n'),
	('"20260101T000000Z"', '60', 'n'),
	('"2026-01-01T24:00:00Z"', '60', 'n'), ('"2026-01-01T00:60:00Z"', '60', 'n'), ('"2025-12-31T23:59:60Z"', '60', 'n'),
	('"2025-02-29T00:00:00Z"', '1e9', 'n'), ('"1900-02-29T00:00:00Z"', '1e11', 'n'),
	('"2026-13-01T00:00:00Z"', '1e9', 'n'), ('"2026-00-01T00:00:00Z"', '1e9', 'n'),
	('"2026-01-00T00:00:00Z"', '1e9', 'n'), ('"2026-04-31T00:00:00Z"', '1e9', 'n'),
	('"0000-01-01T00:00:00Z"', '1e11', 'n'),
	('"2026-01-01T00:00:00.Z"', '60', 'n'), ('"2026-01-01T00:00:00.1234567Z"', '60', 'n'),
	('"2026-01-01T00:00:00,5Z"', '60', 'n'), ('"2026-01-01T00:00:00+0100"', '1e9', 'n'),
	('"2026-01-01T00:00:00+01"', '1e9', 'n'), ('"2026-01-01T00:00:00+16:00"', '1e9', 'n'),
	('"2026-01-01T00:00:00+01:60"', '1e9', 'n'), ('"2026-01-01T00:00:00ZZ"', '60', 'n'),
	('" 2026-01-01T00:00:00Z"', '60', 'n'), ('"2026-01-01T00:00:00Z\n"', '60', 'n'),
	('"12026-01-01T00:00:00Z"', '60', 'n'), ('"-001-01-01T00:00:00Z"', '60', 'n'),
	('"\u0662026-01-01T00:00:00Z"', '60', 'n'), ('"now"', '60', 'n'), ('""', '60', 'n'), ('1767225600', '1e10', 'n'),
	('true', '60', 'n'), ('{}', '60', 'n')) AS v (t, n, want),
	answer_check(jsonb_build_object('tool', 't', 'expect',
	jsonb_build_object('op', 'fresh_within_s', 'value', n::jsonb)), jsonb_build_object('timestamp', t::jsonb),
	'2026-01-01 00:00:00Z') AS c;

-- What was observed: the operand of the first expectation, or the primary value, or the timestamp; portable.
SELECT expect, c.observed, c.verdict FROM fact, (VALUES ('[]'), ('{"op": "eq", "value": 1}'),
	('[{"path": "s", "op": "exists"}, {"path": "t", "op": "exists"}]'), ('{"path": "a", "op": "exists"}'),
	('{"path": "a.b.2.c", "op": "exists"}'),
	('{"path": "nope", "op": "exists"}'), ('{"path": "nope", "op": "fresh_within_s", "value": 1}'),
	('{"path": "", "op": "exists"}')) AS v (expect),
	LATERAL (SELECT * FROM answer_check(jsonb_build_object('tool', 't', 'expect', expect::jsonb), fact, '2026-01-01'))
	AS c WHERE expect NOT LIKE '%""%';
SELECT (answer_check('{"tool": "t"}', '{"value": [1.50, 1e20, {"a": 1.0}]}', '2026-01-01')).observed,
	(answer_check('{"tool": "t"}', '{"value": null}', '2026-01-01')).observed AS json_null,
	(answer_check('{"tool": "t"}', '{}', '2026-01-01')).observed IS NULL AS sql_null,
	(answer_check('{"tool": "t", "observe": true, "expect": {"path": "a"}}', '{"value": 1, "raw": {"a": 2}}',
	'2026-01-01')).observed AS observed_only;

-- Confidence: the least that the cited facts claim; what is no number from 0 to 1 counts as 0.
SELECT evidence, c.confidence, c.verdict, c.observed FROM
	(VALUES ('{"value": 1}'), ('{"value": 1, "verification": {"confidence": 0.8}}'),
	('{"value": 1, "verification": {"confidence": 0.123456789012345}}'),
	('[{"value": 1, "verification": {"confidence": 0.95}}, {"value": 2, "verification": {"confidence": 0.5}}, '
	'{"verification": {"confidence": 0.7}}]'),
	('[{"value": 1, "verification": {"confidence": 1}}, {"value": 1}]'),
	('{"value": 1, "verification": {"confidence": 1}}'), ('{"value": 1, "verification": {"confidence": 1.0}}'),
	('{"value": 1, "verification": {"confidence": 1.01}}'), ('{"value": 1, "verification": {"confidence": -0.1}}'),
	('{"value": 1, "verification": {"confidence": -0}}'),
	('{"value": 1, "verification": {"confidence": "0.8"}}'), ('{"value": 1, "verification": {"confidence": true}}'),
	('{"value": 1, "verification": {"confidence": null}}'),
	('{"value": 1, "verification": {"confidence": 0.12345678901234567890}}'),
	('{"value": 1, "verification": {"confidence": 0.00001}}'),
	('{"value": 1, "verification": {"confidence": 1e400}}'), ('{"value": 1, "verification": 0.8}'),
	('{"value": 1, "verification": null}'), ('{"value": 1, "verification": []}'), ('{"value": 1, "confidence": 0.8}'))
	AS v (evidence),
	answer_check('{"tool": "t", "expect": {"op": "eq", "value": 1}}', evidence::jsonb, '2026-01-01') AS c;

-- Explanations.
CREATE FUNCTION explain_of(expect text, fact jsonb, observe boolean DEFAULT false) RETURNS text LANGUAGE sql
AS
	$$ SELECT jsonb_pretty((answer_check(jsonb_build_object('tool', 't', 'observe', observe, 'expect', expect::jsonb),
	fact, '2026-01-01 00:01:00Z')).explain) $$;
\pset format unaligned
\pset tuples_only on
SELECT explain_of('[]', fact) FROM fact;
SELECT explain_of('{"op": "eq", "value": 17.50}', fact) FROM fact;
SELECT explain_of('[{"op": "gt", "value": 1}, {"path": "s", "op": "ne", "value": "17.1"}]', fact) FROM fact;
SELECT
	explain_of('[{"op": "gt", "value": 1}, {"op": "lt", "value": "x"}, {"op": "pct_within", "value": 0, "tol": 1}, '
	'{"op": "lt", "value": 2}]',
	fact) FROM fact;
SELECT
	explain_of('[{"path": "nope.x", "op": "eq", "value": 1}, {"path": "a.x", "op": "exists"}, {"path": "a.b.7.c", '
	'"op": "gt", "value": 1}, {"path": "t.x", "op": "eq", "value": 1}]',
	fact) FROM fact;
SELECT
	explain_of('[{"path": "a", "op": "exists"}, {"op": "exists"}, {"op": "eq", "value": 1}, {"op": "fresh_within_s", '
	'"value": 1}]',
	'{}');
SELECT explain_of('[{"path": "s"}, {"op": "fresh_within_s", "value": 1}, {"path": "s.x", "value": 1}]', fact, true) FROM
	fact;
SELECT explain_of('{"op": "exists"}', '[]');
\pset tuples_only off
\pset format aligned
-- of many keys the first 50 by code point, and how many more
SELECT jsonb_array_length(e -> 'keys') AS keys, e -> 'keys' -> 0 AS first, e -> 'keys' -> 49 AS last,
	e -> 'more' AS more, e -> 'resolved' AS resolved
FROM generate_series(49, 52) AS n, LATERAL (SELECT
	(answer_check('{"tool": "t", "expect": {"path": "o.nope", "op": "exists"}}',
	jsonb_build_object('raw', jsonb_build_object('o',
	(SELECT jsonb_object_agg(chr(200 + i), i) FROM generate_series(1, n) AS i))), '2026-01-01')).explain #>
	'{expectations,0}' AS e) AS x ORDER BY n;

-- A call site keeps the check it parsed: for as long as the check stays the same.
SELECT i, (answer_check(jsonb_build_object('tool', 't', 'expect',
	jsonb_build_object('op', CASE WHEN i < 4 THEN 'lt' ELSE 'gt' END, 'value', i)), jsonb_build_object('value', 1),
	'2026-01-01')).verdict
FROM generate_series(1, 6) AS i;
SELECT (answer_check('{"tool": "t", "expect": {"op": "lt", "value": 3}}', jsonb_build_object('value', i),
	'2026-01-01')).verdict, count(*) FROM generate_series(1, 1000) AS i GROUP BY 1 ORDER BY 1;

-- Large and deep evidence.
SELECT (answer_check('{"tool": "t", "expect": {"path": "s", "op": "contains", "value": "ba"}}',
	jsonb_build_object('raw', jsonb_build_object('s', repeat('ab', 500000))), '2026-01-01')).verdict AS megabyte,
	(answer_check('{"tool": "t", "expect": {"path": "99999", "op": "eq", "value": 100000}}',
	jsonb_build_object('raw', (SELECT jsonb_agg(i) FROM generate_series(1, 100000) AS i)), '2026-01-01')).verdict AS
	long_array,
	(answer_check('{"tool": "t", "expect": {"op": "eq", "value": 1}}',
	(SELECT jsonb_agg('{"value": 1, "verification": {"confidence": 0.5}}'::jsonb) FROM generate_series(1, 10000)),
	'2026-01-01')).confidence AS many_facts;
SELECT depth,
	survives(format('SELECT answer_check(''{"tool": "t", "expect": {"op": "eq", "value": 1}}'', '
	'(''{"value": '' || repeat(''['', %s) || repeat('']'', %1$s) || ''}'')::jsonb, now())',
	depth)) AS evidence,
	survives(format('SELECT answer_check((''{"tool": "t", "args": {"a": '' || repeat(''['', %s) || repeat('']'', '
	'%1$s) || ''}}'')::jsonb, ''{}'', now())',
	depth)) AS "check"
FROM (VALUES (1000), (10000), (100000)) AS v (depth);

-- What a note says: texts of different JSON types; the age that fresh_within_s saw; a fact that is not fresh.
CREATE FUNCTION note_of(expect text, fact jsonb) RETURNS text LANGUAGE sql AS
	$$ SELECT concat_ws(': ', verdict, explain #>> '{expectations,0,note}')
	FROM answer_check(jsonb_build_object('tool', 't', 'expect', expect::jsonb), fact, '2026-01-03 00:00:00.25Z') $$;
SELECT value, expect, note_of(expect, jsonb_build_object('value', value::jsonb)) AS verdict_and_note
FROM (VALUES ('"on"', '{"op": "eq", "value": true}'), ('"true"', '{"op": "eq", "value": true}'),
	('"on"', '{"op": "eq", "value": "on"}'), ('1', '{"op": "eq", "value": 1.0}'), ('"1"', '{"op": "ne", "value": 1}'),
	('null', '{"op": "eq", "value": "null"}'), ('[]', '{"op": "ne", "value": {}}'),
	('"3.10"', '{"op": "eq", "value": 3.1}'), ('"3.10"', '{"op": "eq", "value": "3.1"}'),
	('"14"', '{"op": "gte", "value": 2}'), ('"x"', '{"op": "gte", "value": 2}'),
	('1', '{"op": "in", "value": ["x", 1]}'), ('1', '{"op": "in", "value": ["1", 1]}'),
	('1', '{"op": "in", "value": ["x", 2]}'), ('1', '{"op": "in", "value": [2, 3]}'),
	('1', '{"op": "in", "value": []}'),
	('[1, "1"]', '{"op": "contains", "value": 1}'), ('[2, "1"]', '{"op": "contains", "value": 1}'),
	('"a14"', '{"op": "contains", "value": 14}'), ('"a14"', '{"op": "contains", "value": "14"}'),
	('true', '{"op": "starts_with", "value": "tr"}'), ('null', '{"op": "starts_with", "value": "tr"}'),
	('true', '{"op": "exists", "value": "x"}')) AS v (value, expect);
SELECT value, timestamp, note_of(format('{"op": "fresh_within_s", "value": %s}', value),
	jsonb_build_object('timestamp', timestamp)) AS verdict_and_note
FROM (VALUES ('60', '2026-01-03T00:00:00Z'), ('0.25', '2026-01-03T00:00:00Z'), ('0.2', '2026-01-03T00:00:00Z'),
	('"3600"', '2026-01-01T00:00:00Z'), ('60', '2026-01-03T00:00:10.25+00:00'), ('0', '2026-01-03T00:00:00.250Z'),
	(repeat('9', 50), '2026-01-01T00:00:00Z'), ('"' || repeat('0', 50) || '"', '2026-01-01T00:00:00Z'),
	('60', 'yesterday')) AS v (value, timestamp);
SELECT fact, note_of('{"op": "exists"}', jsonb_build_object('value', 1, 'verification',
	'{"signals": {"fresh": false}}'::jsonb) || fact::jsonb) AS verdict_and_note
FROM (VALUES ('{}'), ('{"timestamp": "2026-01-01T00:00:00.25Z"}'), ('{"timestamp": "2026-01-05T00:00:01Z"}'),
	('{"timestamp": "2026-01-01T00:00:00Z", "expires": "2026-01-02T22:58:57Z"}'),
	('{"timestamp": "2026-01-01T00:00:00Z", "expires": "2026-01-03T00:00:01.25Z"}'),
	('{"expires": "2026-01-02T22:58:57Z"}'),
	('{"timestamp": "2026-01-01T00:00:00.25Z", "verification": {"signals": {"fresh": false}, "freshness_s": 86400}}'),
	('{"timestamp": "2026-01-03T00:00:00Z", "verification": {"signals": {"fresh": false}, "freshness_s": "0.00001"}}'),
	('{"timestamp": "2026-01-03T00:00:00Z", "verification": {"signals": {"fresh": false}, "freshness_s": "soon"}}'),
	('{"timestamp": "2026-01-03T00:00:00Z", "verification": {"signals": {"fresh": false}, "freshness_s": -1}}'),
	('{"verification": {"signals": {"fresh": true}}}'), ('{"verification": {"signals": {"fresh": "no"}}}'),
	('{"verification": {"signals": {}}}'), ('{"verification": 1}')) AS v (fact);
-- two notes on one expectation; the freshness once; of several facts the first that is not fresh; nothing adjudicated
SELECT explain FROM answer_check('{"tool": "t", "expect": [{"op": "eq", "value": "1"}, {"op": "gt", "value": 0}]}',
	'[{"value": 1, "verification": {"signals": {"fresh": true}}},
	{"timestamp": "2026-01-01T00:00:00Z", "verification": {"signals": {"fresh": false}}},
	{"verification": {"signals": {"fresh": false}}}]', '2026-01-03Z');
SELECT verdict, explain FROM answer_check('{"tool": "t"}',
	'{"value": 1, "verification": {"signals": {"fresh": false}}}',
	'2026-01-03Z');
DROP FUNCTION note_of;

-- An error shows the value seen, and what is allowed, the closest first; its message names the check and the field.
\set VERBOSITY default
SELECT answer_check('{"id": "x", "tool": "t", "expect": {"op": ">=", "value": 1}}', '{}', '2026-01-01');
SELECT answer_check('{"id": "x", "tool": "t", "expect": {"op": "semver_gt", "value": 1}}', '{}', '2026-01-01');
SELECT answer_check('{"id": "x", "tool": "t", "expect": {"op": ["eq"], "value": 1}}', '{}', '2026-01-01');
SELECT answer_check('{"id": "x", "tool": "t", "expext": {}}', '{}', '2026-01-01');
SELECT answer_check('{"id": "x", "tool": "t", "expect": {"ops": "eq", "value": 1}}', '{}', '2026-01-01');
SELECT answer_check('{"tool": "t", "require": true}', '{}', '2026-01-01');
SELECT answer_check(jsonb_build_object('tool', 't', repeat('x', 10000), 1), '{}', '2026-01-01');
SELECT answer_check('{"tool": "t", "required": "yes"}', '{}', '2026-01-01');
SELECT answer_check(jsonb_build_object('tool', 't', 'observe', repeat('é', 100)), '{}', '2026-01-01');
SELECT answer_check('{"tool": ["t"]}', '{}', '2026-01-01');
SELECT answer_check('{"tool": "t", "expect": {"op": "between", "value": [1, 2, 3]}}', '{}', '2026-01-01');
SELECT answer_check('{"tool": "t", "expect": {"op": "abs_within", "value": 1, "tol": -0.5}}', '{}', '2026-01-01');
SELECT answer_check('{"tool": "t", "min_quality": "Good"}', '{}', '2026-01-01');
SELECT answer.operator('<>', '1', '2');
SELECT answer.operator(repeat('é', 40), '1', '2');
\set VERBOSITY terse
DROP TABLE fact;
DROP FUNCTION verdict_of, explain_of;
