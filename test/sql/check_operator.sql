-- The closed operator set: doc/spec/answer-eval.md §3.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse

-- Each row: operands, and the outcome worked out by hand (h: holds, f: fails,
-- n: not evaluable).  NULL observed: absent.
CREATE TABLE sample (op text, observed jsonb, value jsonb, tol jsonb, want "char");
INSERT INTO sample VALUES
	-- eq: numbers as numbers, all else as trimmed text; ne is its negation, which is tested for every row below
	('eq', '1', '1', NULL, 'h'), ('eq', '1.0', '1', NULL, 'h'), ('eq', '1e2', '100', NULL, 'h'),
	('eq', '-0', '0', NULL, 'h'),
	('eq', '0.1', '0.10', NULL, 'h'), ('eq', '9007199254740993', '9007199254740992', NULL, 'f'),
	('eq', '0.1', '0.1000000000000000055511151231257827', NULL, 'f'), ('eq', '1e400', '1e400', NULL, 'h'),
	('eq', '1e400', '1e401', NULL, 'f'),
	('eq', '"1"', '1', NULL, 'h'), ('eq', '"1.0"', '1', NULL, 'f'), ('eq', '"1.0"', '1.0', NULL, 'f'),
	('eq', '"1"', '1.0', NULL, 'h'),
	('eq', '"100"', '1e2', NULL, 'h'), ('eq', '"1e2"', '100', NULL, 'f'), ('eq', '"0.00001"', '1e-5', NULL, 'h'),
	('eq', '"-0"', '0', NULL, 'f'),
	('eq', '"12345678901234567890"', '12345678901234567890', NULL, 'h'),
	('eq', '"a"', '"a"', NULL, 'h'), ('eq', '"a"', '"A"', NULL, 'f'), ('eq', '" a\t\n"', '"a"', NULL, 'h'),
	('eq', '"a b"', '"ab"', NULL, 'f'),
	('eq', '"a"', '"\u3000a\u00a0\u2028\u0085\u2009\u1680\u202f\u205f"', NULL, 'h'),
	-- no white space: zero-width space, byte order mark, word joiner, Mongolian vowel separator, unit separator
	('eq', '"a"', '"a\u200b"', NULL, 'f'), ('eq', '"a"', '"\ufeffa"', NULL, 'f'), ('eq', '"a"', '"a\u2060"', NULL, 'f'),
	('eq', '"a"', '"a\u180e"', NULL, 'f'), ('eq', '"a"', '"a\u001f"', NULL, 'f'),
	('eq', '"a\u000b\u000c"', '"a"', NULL, 'h'),
	('eq', '""', '" \t "', NULL, 'h'), ('eq', '""', '""', NULL, 'h'), ('eq', '""', 'null', NULL, 'f'),
	-- composed and decomposed are two texts
	('eq', '"\u00e9"', '"e\u0301"', NULL, 'f'), ('eq', '"\u00e9"', '"é"', NULL, 'h'),
	('eq', 'true', 'true', NULL, 'h'), ('eq', 'true', '"true"', NULL, 'h'), ('eq', 'true', '1', NULL, 'f'),
	('eq', 'false', '0', NULL, 'f'),
	('eq', 'null', 'null', NULL, 'h'), ('eq', 'null', '"null"', NULL, 'h'), ('eq', 'null', 'false', NULL, 'f'),
	('eq', '[1, 2]', '[1,2]', NULL, 'h'), ('eq', '[1, 2]', '[2, 1]', NULL, 'f'), ('eq', '[1, 2]', '"[1,2]"', NULL, 'h'),
	('eq', '[1, 2]', '"[1, 2]"', NULL, 'f'),
	('eq', '{"a": 1, "b": 2.0}', '{"b": 2, "a": 1.00}', NULL, 'h'), ('eq', '{"a": 1}', '{"a": "1"}', NULL, 'f'),
	('eq', '{}', '[]', NULL, 'f'),
	('eq', '{"a": 1e20}', '{"a": "100000000000000000000"}', NULL, 'h'),
	('eq', NULL, '1', NULL, 'n'), ('eq', NULL, 'null', NULL, 'n'), ('ne', NULL, '1', NULL, 'n'),
	-- lt, lte, gt, gte
	('lt', '1', '2', NULL, 'h'), ('lt', '2', '2', NULL, 'f'), ('lt', '3', '2', NULL, 'f'),
	('lt', '"1"', '2', NULL, 'h'), ('lt', '1', '"2"', NULL, 'h'),
	('lt', '"9"', '"10"', NULL, 'h'), ('lt', '-1', '"-0.5"', NULL, 'h'),
	('lt', '9007199254740992', '9007199254740993', NULL, 'h'),
	('lt', '0.1', '0.1000000000000000055511151231257827', NULL, 'h'), ('lt', '1e-400', '1e-399', NULL, 'h'),
	('lte', '2', '2.0', NULL, 'h'), ('lte', '2', '"2.000"', NULL, 'h'), ('lte', '3', '2', NULL, 'f'),
	('lte', '"-0"', '0', NULL, 'h'), ('lte', '"007"', '7', NULL, 'h'),
	('gt', '3', '2', NULL, 'h'), ('gt', '2', '2', NULL, 'f'), ('gte', '2', '2', NULL, 'h'),
	('gte', '1.999999999999999999999', '2', NULL, 'f'),
	('gte', '-2', '-3', NULL, 'h'), ('gte', '"00012.50"', '12.5', NULL, 'h'),
	('lt', '""', '2', NULL, 'n'), ('lt', '" 1"', '2', NULL, 'n'), ('lt', '"1 "', '2', NULL, 'n'),
	('lt', '"+1"', '2', NULL, 'n'), ('lt', '"1e1"', '2', NULL, 'n'),
	('lt', '".5"', '2', NULL, 'n'), ('lt', '"5."', '2', NULL, 'n'), ('lt', '"-"', '2', NULL, 'n'),
	('lt', '"--1"', '2', NULL, 'n'), ('lt', '"1.2.3"', '2', NULL, 'n'),
	('lt', '"1,000"', '2', NULL, 'n'), ('lt', '"0x1"', '2', NULL, 'n'), ('lt', '"NaN"', '2', NULL, 'n'),
	('lt', '"Infinity"', '2', NULL, 'n'), ('lt', '"1_0"', '2', NULL, 'n'),
	('lt', '"\u0661"', '2', NULL, 'n'), ('lt', '"\uff11"', '2', NULL, 'n'), ('lt', '"1\n"', '2', NULL, 'n'),
	('lt', '"\u22121"', '2', NULL, 'n'),
	('lt', 'true', '2', NULL, 'n'), ('lt', 'null', '2', NULL, 'n'), ('lt', '[1]', '2', NULL, 'n'),
	('lt', '{}', '2', NULL, 'n'), ('lt', NULL, '2', NULL, 'n'),
	('lt', '1', 'true', NULL, 'n'), ('lt', '1', 'null', NULL, 'n'), ('lt', '1', '"x"', NULL, 'n'),
	('lt', '1', '[2]', NULL, 'n'), ('lt', '1', '{}', NULL, 'n'),
	-- between
	('between', '1', '[1, 3]', NULL, 'h'), ('between', '3', '[1, 3]', NULL, 'h'),
	('between', '2', '["1", "3.0"]', NULL, 'h'), ('between', '0.999', '[1, 3]', NULL, 'f'),
	('between', '3.001', '[1, 3]', NULL, 'f'), ('between', '2', '[3, 1]', NULL, 'f'),
	('between', '"x"', '[1, 3]', NULL, 'n'), ('between', '2', '[1, "x"]', NULL, 'n'),
	('between', '0', '[1, "x"]', NULL, 'n'), ('between', '2', '[null, 3]', NULL, 'n'),
	('between', NULL, '[1, 3]', NULL, 'n'), ('between', '2', '[[1], 3]', NULL, 'n'),
	-- abs_within, in both spellings
	('abs_within', '10.5', '10', '0.5', 'h'), ('abs_within', '9.5', '{"value": 10, "tol": 0.5}', NULL, 'h'),
	('abs_within', '10.51', '10', '0.5', 'f'),
	('abs_within', '10', '10', '0', 'h'), ('abs_within', '10.0000000000000000001', '10', '0', 'f'),
	('abs_within', '0.3', '0.1', '0.2', 'h'),
	('abs_within', '"10"', '"10"', '"0"', 'h'), ('abs_within', '10', '10', '-0', 'h'),
	('abs_within', '10', '10', '"-0.0"', 'h'),
	('abs_within', '-10', '10', '20', 'h'), ('abs_within', '-10', '10', '19.99', 'f'),
	('abs_within', '"x"', '10', '1', 'n'), ('abs_within', '1', '"x"', '1', 'n'), ('abs_within', 'null', '10', '1', 'n'),
	('abs_within', '1', 'null', '1', 'n'),
	('abs_within', '1', '{"value": null, "tol": 1}', NULL, 'n'), ('abs_within', NULL, '10', '1', 'n'),
	('abs_within', '1', '[1]', '1', 'n'), ('abs_within', '0', '0', '0', 'h'),
	-- pct_within: the tolerance is of the expected value
	('pct_within', '110', '100', '10', 'h'), ('pct_within', '90', '100', '10', 'h'),
	('pct_within', '110.0000001', '100', '10', 'f'), ('pct_within', '-110', '-100', '10', 'h'),
	('pct_within', '100', '110', '10', 'h'), ('pct_within', '90', '110', '18.18', 'f'),
	('pct_within', '1.1', '{"value": 1, "tol": "10"}', NULL, 'h'),
	('pct_within', '5', '5', '0', 'h'), ('pct_within', '0', '0', '10', 'n'), ('pct_within', '1', '0.000', '10', 'n'),
	('pct_within', '1', '"0"', '10', 'n'),
	('pct_within', '0', '5', '100', 'h'), ('pct_within', '0', '5', '99.999999', 'f'),
	('pct_within', '"x"', '5', '1', 'n'), ('pct_within', NULL, '5', '1', 'n'), ('pct_within', '"x"', '0', '1', 'n'),
	-- in
	('in', '1', '[3, 2, 1]', NULL, 'h'), ('in', '1.0', '["1"]', NULL, 'h'), ('in', '" a "', '["a"]', NULL, 'h'),
	('in', '"A"', '["a"]', NULL, 'f'), ('in', '1', '[]', NULL, 'f'),
	('in', 'null', '[null]', NULL, 'h'), ('in', 'null', '["null"]', NULL, 'h'), ('in', '[1]', '[[1], 2]', NULL, 'h'),
	('in', '[1]', '[1]', NULL, 'f'),
	('in', '{"a": 1}', '[{"a": 1.0}]', NULL, 'h'), ('in', NULL, '[1]', NULL, 'n'), ('in', NULL, '[]', NULL, 'n'),
	-- contains
	('contains', '[1, 2]', '2.0', NULL, 'h'), ('contains', '["a "]', '"a"', NULL, 'h'),
	('contains', '["ab"]', '"a"', NULL, 'f'), ('contains', '[]', '""', NULL, 'f'),
	('contains', '[null]', 'null', NULL, 'h'), ('contains', '[[1, 2]]', '[1, 2]', NULL, 'h'),
	('contains', '[1, 2]', '[1]', NULL, 'f'), ('contains', '[{"a": 1}]', '{"a": 1}', NULL, 'h'),
	('contains', '"abc"', '"bc"', NULL, 'h'), ('contains', '"abc"', '"BC"', NULL, 'f'),
	('contains', '"abc"', '""', NULL, 'h'), ('contains', '"a c"', '" "', NULL, 'h'),
	('contains', '"abc"', '" bc"', NULL, 'f'), ('contains', '""', '""', NULL, 'h'),
	('contains', '1234', '23', NULL, 'h'), ('contains', '1.50', '"50"', NULL, 'f'),
	('contains', '1.50', '".5"', NULL, 'h'),
	('contains', 'true', '"ru"', NULL, 'h'), ('contains', '"is true"', 'true', NULL, 'h'),
	('contains', '1e20', '"000"', NULL, 'h'), ('contains', '1e20', '"e"', NULL, 'f'),
	('contains', '"caf\u00e9"', '"\u00e9"', NULL, 'h'),
	('contains', 'null', '"n"', NULL, 'n'), ('contains', '{"a": 1}', '"a"', NULL, 'n'),
	('contains', '"null"', 'null', NULL, 'n'), ('contains', '"a"', '["a"]', NULL, 'n'),
	('contains', '"a"', '{}', NULL, 'n'), ('contains', NULL, '"a"', NULL, 'n'), ('contains', '1', 'null', NULL, 'n'),
	-- starts_with, ends_with
	('starts_with', '"abc"', '"ab"', NULL, 'h'), ('starts_with', '"abc"', '"bc"', NULL, 'f'),
	('starts_with', '"abc"', '""', NULL, 'h'), ('starts_with', '"abc"', '"abcd"', NULL, 'f'),
	('starts_with', '" abc"', '"ab"', NULL, 'f'), ('starts_with', '123', '12', NULL, 'h'),
	('starts_with', '-1.50', '"-1.5"', NULL, 'h'), ('starts_with', 'true', '"t"', NULL, 'h'),
	('starts_with', 'null', '"n"', NULL, 'n'), ('starts_with', '"a"', 'null', NULL, 'n'),
	('starts_with', '["a"]', '"a"', NULL, 'n'), ('starts_with', '"a"', '["a"]', NULL, 'n'),
	('starts_with', NULL, '"a"', NULL, 'n'), ('starts_with', '{}', '"{"', NULL, 'n'),
	('ends_with', '"abc"', '"bc"', NULL, 'h'), ('ends_with', '"abc"', '"ab"', NULL, 'f'),
	('ends_with', '"abc "', '"c"', NULL, 'f'), ('ends_with', '1.50', '"5"', NULL, 'h'),
	('ends_with', 'false', '"e"', NULL, 'h'), ('ends_with', '""', '""', NULL, 'h'),
	('ends_with', 'null', '"l"', NULL, 'n'), ('ends_with', '"a"', '{}', NULL, 'n'),
	('ends_with', NULL, '"a"', NULL, 'n'),
	-- versions
	('semver_eq', '"3.13"', '"3.13.0"', NULL, 'h'), ('semver_eq', '"3.13.0.0"', '"3.13"', NULL, 'h'),
	('semver_eq', '"3.13"', '"3.13.1"', NULL, 'f'), ('semver_eq', '"03.013"', '"3.13"', NULL, 'h'),
	('semver_eq', '3', '"3.0"', NULL, 'h'), ('semver_eq', '3', '3', NULL, 'h'),
	('semver_eq', '0', '"0.0.0"', NULL, 'h'), ('semver_eq', '"3.1"', '"3.10"', NULL, 'f'),
	('semver_eq', '"99999999999999999999999999.1"', '"99999999999999999999999999.1.0"', NULL, 'h'),
	('semver_eq', '1e400', '1e400', NULL, 'h'),
	('semver_gte', '"3.10"', '"3.9"', NULL, 'h'), ('semver_gte', '"3.9"', '"3.10"', NULL, 'f'),
	('semver_gte', '"3.9"', '"3.9.0"', NULL, 'h'), ('semver_gte', '"3.9"', '"3.9.0.1"', NULL, 'f'),
	('semver_gte', '17', '"16.9"', NULL, 'h'),
	('semver_gte', '"100000000000000000000"', '"99999999999999999999"', NULL, 'h'),
	('semver_lt', '"3.9"', '"3.10"', NULL, 'h'), ('semver_lt', '"3.10"', '"3.9"', NULL, 'f'),
	('semver_lt', '"3.9"', '"3.9"', NULL, 'f'), ('semver_lt', '"2"', '3', NULL, 'h'),
	('semver_prefix', '"3.13.1"', '"3.13"', NULL, 'h'), ('semver_prefix', '"3.13"', '"3.13"', NULL, 'h'),
	('semver_prefix', '"3.13"', '"3.1"', NULL, 'f'), ('semver_prefix', '"3.13"', '"3.13.0"', NULL, 'f'),
	('semver_prefix', '"3.013.1"', '"3.13"', NULL, 'h'), ('semver_prefix', '"3.13.1"', '3', NULL, 'h'),
	('semver_prefix', '3', '"3.0"', NULL, 'f'),
	('semver_eq', '"3.13-rc1"', '"3.13"', NULL, 'n'), ('semver_eq', '"v3"', '"3"', NULL, 'n'),
	('semver_eq', '"3."', '"3"', NULL, 'n'), ('semver_eq', '".3"', '"3"', NULL, 'n'),
	('semver_eq', '"3..1"', '"3"', NULL, 'n'),
	('semver_eq', '""', '"3"', NULL, 'n'), ('semver_eq', '" 3"', '"3"', NULL, 'n'),
	('semver_eq', '"-3"', '"3"', NULL, 'n'), ('semver_eq', '-3', '"3"', NULL, 'n'),
	('semver_eq', '"\u0663"', '"3"', NULL, 'n'),
	('semver_eq', '3.10', '"3.1"', NULL, 'n'), ('semver_eq', '"3.1"', '3.1', NULL, 'n'),
	('semver_gte', '1.00000000000000000001', '"1"', NULL, 'n'), ('semver_lt', '0.5', '1', NULL, 'n'),
	('semver_prefix', 'true', '"1"', NULL, 'n'), ('semver_prefix', 'null', '"1"', NULL, 'n'),
	('semver_prefix', '"1"', 'null', NULL, 'n'), ('semver_prefix', '["1"]', '"1"', NULL, 'n'),
	('semver_prefix', NULL, '"1"', NULL, 'n'),
	-- presence
	('exists', '1', NULL, NULL, 'h'), ('exists', 'null', NULL, NULL, 'h'), ('exists', 'false', '"ignored"', NULL, 'h'),
	('exists', NULL, NULL, NULL, 'f'), ('exists', '""', NULL, NULL, 'h'), ('exists', '[]', NULL, NULL, 'h'),
	('not_exists', '1', NULL, NULL, 'f'), ('not_exists', 'null', NULL, NULL, 'f'),
	('not_exists', NULL, NULL, NULL, 'h'), ('not_exists', NULL, '{"ignored": 1}', NULL, 'h'),
	-- fresh_within_s needs a fact
	('fresh_within_s', '1', '60', NULL, 'n'), ('fresh_within_s', NULL, '60', NULL, 'n'),
	('fresh_within_s', '"2026-01-01T00:00:00Z"', '1e9', NULL, 'n'),
	-- the limit of the numeric operators: 1,000 digits on either side of the point, without leading and trailing zeros
	('lt', '1', to_jsonb(repeat('9', 1000)::numeric), NULL, 'h'),
	('lt', '1', to_jsonb(repeat('9', 1001)::numeric), NULL, 'n'), ('lt', '1', '1e999', NULL, 'h'),
	('lt', '1', '1e1000', NULL, 'n'), ('gt', '1', '-1e999', NULL, 'h'), ('gt', '1', '-1e1000', NULL, 'n'),
	('lt', '1e-1000', '1', NULL, 'h'), ('lt', '1e-1001', '1', NULL, 'n'),
	('lt', '0', ('1.' || repeat('0', 999) || '1')::jsonb, NULL, 'h'),
	('lt', '0', ('1.' || repeat('0', 1000) || '1')::jsonb, NULL, 'n'),
	('lt', '0', ('1.5' || repeat('0', 2000))::jsonb, NULL, 'h'),
	('lt', '0', to_jsonb('1.5' || repeat('0', 2000)), NULL, 'h'),
	('lt', '0', to_jsonb(repeat('0', 2000) || '7'), NULL, 'h'),
	('lt', '0', to_jsonb(repeat('9', 1000)), NULL, 'h'), ('lt', '0', to_jsonb(repeat('9', 1001)), NULL, 'n'),
	('lt', '0', to_jsonb('-' || repeat('9', 1001)), NULL, 'n'),
	('lt', to_jsonb('0.' || repeat('9', 1000)), '1', NULL, 'h'),
	('lt', to_jsonb('0.' || repeat('9', 1001)), '1', NULL, 'n'), ('lt', to_jsonb(repeat('9', 1000000)), '1', NULL, 'n'),
	('lt', to_jsonb(repeat('9', 1000000) || 'x'), '1', NULL, 'n'),
	('between', '1', '[0, 1e1000]', NULL, 'n'), ('between', '1', '[1e1000, 0]', NULL, 'n'),
	('abs_within', '1', '1', '1e1000', 'n'), ('abs_within', '1', '1', '1e999', 'h'),
	('abs_within', '1e1000', '1', '1', 'n'),
	('pct_within', '1', '1e1000', '1', 'n'), ('pct_within', '1e999', '1e999', '1e999', 'h'),
	('pct_within', '1', '1', to_jsonb(repeat('9', 1001)), 'n'),
	-- which does not touch the others
	('eq', to_jsonb(repeat('9', 1001)), to_jsonb(repeat('9', 1001)::numeric), NULL, 'h'),
	('in', '1e1000', '[1, 1e1000]', NULL, 'h'), ('semver_gte', to_jsonb(repeat('9', 1001)), '1', NULL, 'h'),
	('contains', to_jsonb(repeat('ab', 500000)), '"ba"', NULL, 'h'),
	('ends_with', to_jsonb(repeat('ab', 500000)), '"ba"', NULL, 'f'),
	('eq', to_jsonb(repeat(' ', 1000000)), '""', NULL, 'h');

SELECT op, count(*) AS rows, count(*) FILTER (WHERE want = 'h') AS hold, count(*) FILTER (WHERE want = 'f') AS fail,
	count(*) FILTER (WHERE want = 'n') AS not_evaluable,
	count(*) FILTER (WHERE left(answer.operator(op, observed, value, tol)::text, 1) <> want::text) AS wrong
FROM sample GROUP BY op ORDER BY op COLLATE "C";
SELECT op, left(observed::text, 40) AS observed, left(value::text, 40) AS value, left(tol::text, 40) AS tol,
	answer.operator(op, observed, value, tol) AS outcome, want
FROM sample WHERE left(answer.operator(op, observed, value, tol)::text, 1) <> want::text;

-- ne is the negation of eq, wherever that is evaluable; in is eq to some element.
SELECT count(*) AS negated, count(*) FILTER (WHERE answer.operator('ne', observed, value) <>
	CASE want WHEN 'h' THEN 'fails' WHEN 'f' THEN 'holds' ELSE 'not_evaluable' END::answer_outcome) AS wrong,
	count(*) FILTER (WHERE answer.operator('in', observed, jsonb_build_array('"~"'::jsonb, value)) <>
	answer.operator('eq', observed, value)) AS wrong_in,
	count(*) FILTER (WHERE observed IS NOT NULL AND
	answer.operator('contains', jsonb_build_array('"~"'::jsonb, observed), value) <>
	answer.operator('eq', observed, value)) AS wrong_contains
FROM sample WHERE op = 'eq';

-- The operands' portable forms give the same answer, but for the versions: a
-- number written with a fraction stays refused there, whatever its size.
SELECT op, left(observed::text, 30) AS observed, left(value::text, 30) AS value,
	answer.operator(op, observed, value, tol) AS outcome
FROM sample WHERE answer.operator(op, answer.portable(observed), answer.portable(value), answer.portable(tol)) <>
	answer.operator(op, observed, value, tol)
ORDER BY 1, 2, 3;
DROP TABLE sample;

-- What an operator cannot take is an error that names operator and operand.
SELECT op, value, tol, attempt(format('SELECT answer.operator(%L, ''1'', %L, %L)', op, value, tol)) AS error
FROM (VALUES (NULL, '1', NULL), ('', '1', NULL), ('EQ', '1', NULL), ('eq ', '1', NULL), ('regex', '".*"', NULL),
	('=', '1', NULL),
	('eq', NULL, NULL), ('ne', NULL, NULL), ('lt', NULL, NULL), ('contains', NULL, NULL), ('in', NULL, NULL),
	('between', NULL, NULL), ('semver_eq', NULL, NULL), ('fresh_within_s', NULL, NULL), ('abs_within', NULL, '1'),
	('abs_within', NULL, NULL),
	('in', '1', NULL), ('in', 'null', NULL), ('in', '{}', NULL), ('in', '"[1]"', NULL),
	('between', '1', NULL), ('between', '[1]', NULL), ('between', '[1, 2, 3]', NULL), ('between', '[]', NULL),
	('between', '{"lo": 1, "hi": 2}', NULL), ('between', 'null', NULL),
	('abs_within', '1', NULL), ('pct_within', 'null', NULL), ('abs_within', '{"value": 1}', NULL),
	('abs_within', '{"tol": 1}', NULL), ('abs_within', '{}', NULL),
	('abs_within', '{"value": 1, "tol": 1, "unit": "m"}', NULL), ('abs_within', '{"value": 1, "tol": 1}', '1'),
	('abs_within', '{"value": 1}', '1'), ('pct_within', '[1, 2]', NULL),
	('abs_within', '{"value": {"value": 1, "tol": 2}, "tol": 1}', NULL),
	('abs_within', '1', '-1'), ('abs_within', '1', '"-0.1"'), ('abs_within', '1', 'null'), ('abs_within', '1', 'true'),
	('abs_within', '1', '"x"'), ('abs_within', '1', '""'), ('abs_within', '1', '[1]'), ('abs_within', '1', '-1e1000'),
	('pct_within', '{"value": 1, "tol": -1}', NULL), ('pct_within', '{"value": 1, "tol": null}', NULL),
	('eq', '1', '1'), ('lt', '1', '0'), ('between', '[1, 2]', '1'), ('exists', NULL, '1'),
	('fresh_within_s', '60', '1'), ('in', '[1]', 'null'),
	('fresh_within_s', '-1', NULL), ('fresh_within_s', '"-1"', NULL), ('fresh_within_s', '"x"', NULL),
	('fresh_within_s', 'null', NULL), ('fresh_within_s', 'true', NULL), ('fresh_within_s', '[60]', NULL),
	('fresh_within_s', '-1e1000', NULL)
	) AS v (op, value, tol);
SELECT attempt(format('SELECT answer.operator(%L, ''1'', ''1'')', repeat('x', 1000000))) LIKE
	'22023: unknown operator "x%' AS a_long_name;

-- The pieces are not parsed once too often: a new row, a new operator.
SELECT string_agg(answer.operator(op, to_jsonb(i), '5')::text, ' ' ORDER BY i, op) FROM generate_series(4, 6) AS i,
	unnest('{eq,lt}'::text[]) AS op;

-- Deep operands.
SELECT depth,
	survives(format('SELECT answer.operator(''eq'', (repeat(''['', %s) || repeat('']'', %1$s))::jsonb, ''1'')', depth))
	AS observed,
	survives(format('SELECT answer.operator(''in'', ''1'', (repeat(''['', %s) || repeat('']'', %1$s))::jsonb)', depth))
	AS value
FROM (VALUES (1000), (10000), (100000)) AS v (depth);

-- What is wrong with a path; NULL: nothing.
SELECT path, answer.path_problem(path) AS problem
FROM (VALUES ('a'), ('a.b'), ('0'), ('a.0.b'), ('*'), ('$'), ('[0]'), ('a\'), (' '), ('a b. c'), ('é.ß'),
	('1.2.3.4.5.6.7.8'), ('1.2.3.4.5.6.7.8.9'), ('1.2.3.4.5.6.7.'),
	(''), ('.'), ('a.'), ('.a'), ('a..b'), ('..'), (NULL)) AS v (path);
SELECT answer.path_problem(repeat('x', 1000000)) AS long_segment,
	answer.path_problem(repeat('x.', 500000)) AS long_path;
