-- Canonical form, digest and portable numbers: doc/spec/document.md §1 to §4.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse

-- Each row: a document, and its canonical form worked out by hand.  json and
-- text take the document as written; jsonb has parsed it before.
CREATE TABLE form (document text, want text);
INSERT INTO form VALUES
	('null', 'null'), (' true ', 'true'), ('false', 'false'), ('""', '""'), ('[]', '[]'), ('{}', '{}'),
	(E' [ 1 ,\n\t2 ] ', '[1,2]'),
	('{"b": {"d": 1, "c": [{"f": 2, "e": 3}]}, "a": null}', '{"a":null,"b":{"c":[{"e":3,"f":2}],"d":1}}'),
	('[3, 1, 2]', '[3,1,2]'),
	-- keys by code point: upper case first, a prefix before what it begins, the empty key before all
	('{"a": 1, "B": 2, "ab": 3, "": 4, "a ": 5, "_": 6}', '{"":4,"B":2,"_":6,"a":1,"a ":5,"ab":3}'),
	-- by code point, not by UTF-16 unit: U+FF61 is before U+1F600, whose pair begins with d83d
	('{"\ud83d\ude00": 1, "\uff61": 2, "\u00e9": 3, "z": 4}', '{"z":4,"\u00e9":3,"\uff61":2,"\ud83d\ude00":1}'),
	-- a duplicate keeps its last value; keys are compared after unescaping
	('{"a": 1, "a": 2}', '{"a":2}'), ('{"a": 1, "\u0061": 2, "b": 3, "a": {"c": 4}}', '{"a":{"c":4},"b":3}'),
	-- escapes: the short ones, every other control character, and all from U+007F up
	('"\"\\\b\f\n\r\t"', '"\"\\\b\f\n\r\t"'), ('"\/"', '"/"'),
	('"\u0001\u001f\u0020\u007e\u007f\u0080"', '"\u0001\u001f ~\u007f\u0080"'),
	('"\u0008\u000A\u0022\u005C"', '"\b\n\"\\"'),
	('"\u00E9\uFFFF\uD834\uDD1E\udbff\udfff"', '"\u00e9\uffff\ud834\udd1e\udbff\udfff"'),
	('"é €"', '"\u00e9 \u20ac"'), ('"😀"', '"\ud83d\ude00"'), ('{"é": "ß"}', '{"\u00e9":"\u00df"}');
SELECT document, answer_canonical(document) AS canonical,
	(answer_canonical(document) = want AND answer_canonical(document::json::text) = want
		AND answer_canonical(document::jsonb) = want) AS ok
FROM form ORDER BY document COLLATE "C";

-- Numbers stay as they are written: in json as in the source, in jsonb as jsonb prints them.
SELECT n AS number, answer_canonical(n::json::text) AS json, answer_canonical(n) AS text,
	answer_canonical(n::jsonb) AS jsonb
FROM (VALUES ('0'), ('-0'), ('-0.0'), ('1.0'), ('1.50'), ('1e2'), ('1E+2'), ('1e-5'), ('12345678901234567890.10'),
	('-1.5e+3')) AS v (n);

-- A document digests as its canonical bytes do.
SELECT answer_digest('{}'), answer_digest('{}'::json::text) = answer_digest('{}'::jsonb) AS alike;
SELECT count(*), count(DISTINCT answer_digest(document)),
	bool_and(answer_digest(document)
		= 'sha256:' || encode(sha256(convert_to(answer_canonical(document), 'UTF8')), 'hex')) AS of_the_bytes,
	bool_and(answer_digest(document) = answer_digest(document::json::text)
		AND answer_digest(document) = answer_digest(document::jsonb)) AS alike,
	bool_and(answer_digest(document) ~ '^sha256:[0-9a-f]{64}$') AS shaped
FROM form;

-- Canonical form is a fixed point, and the same value.
SELECT bool_and(answer_canonical(answer_canonical(document)) = answer_canonical(document)) AS fixed,
	bool_and(answer_canonical(document)::jsonb = document::jsonb) AS same_value
FROM form;
DROP TABLE form;

-- NULL in, NULL out.
SELECT answer_canonical(NULL::text) IS NULL, answer_canonical(NULL::jsonb) IS NULL,
	answer_canonical(NULL::text) IS NULL,
	answer_digest(NULL::text) IS NULL, answer_digest(NULL::jsonb) IS NULL, answer_digest(NULL::text) IS NULL,
	answer.portable(NULL) IS NULL;

-- What is no JSON, or cannot be written.  Our own parser speaks for text, the
-- server's for the types; both refuse.
SELECT document, left(attempt(format('SELECT answer_canonical(%L::text)', document)), 5) AS text,
	left(attempt(format('SELECT answer_digest(%L::text)', document)), 5) AS digest,
	left(attempt(format('SELECT answer_canonical(%L::json::text)', document)), 5) AS json,
	state_of(format('SELECT answer_canonical(%L::jsonb)', document)) AS jsonb
FROM (VALUES (''), (' '), ('tru'), ('nul'), ('{'), ('}'), ('[1,]'), ('[1 2]'), ('{"a"}'), ('{"a":}'), ('{"a":1,}'),
	('{a:1}'), ('{1:1}'),
	('''a'''), ('"a'), ('"\x"'), ('"\u12g4"'), ('"\u12"'), (E'"\t"'), (E'"\n"'), ('01'), ('+1'), ('.5'), ('1.'), ('1e'),
	('0x1'), ('-'),
	('NaN'), ('Infinity'), ('1 1'), ('[] x'), ('/* */ 1'),
	-- half a surrogate pair, anywhere; also under a duplicate that is discarded, and in a key
	('"\ud800"'), ('"\udc00"'), ('"\ud800\ud800"'), ('"\ud800x"'), ('"\ud800\u0041"'), ('"\ude00\ud83d"'),
	('{"a": "\ud800", "a": 1}'), ('{"\udc00": 1}'), ('[[["\ud83d"]]]'),
	-- the character that text cannot hold
	('"\u0000"'), ('"a\u0000b"'), ('{"\u0000": 1}'), ('{"a": "\u0000", "a": 1}')) AS v (document);

-- Portable numbers.  Each row: a number, and its portable form worked out by hand.
CREATE TABLE number (n text, want text);
INSERT INTO number VALUES
	('0', '0'), ('-0', '0'), ('-0.000', '0'), ('0e10', '0'), ('0.0e-400', '0'),
	('14', '14'), ('14.0', '14'), ('-14.000', '-14'), ('1e2', '100'), ('1.50e1', '15'), ('0.001e3', '1'),
	-- integers: up to 2^53 - 1
	('9007199254740991', '9007199254740991'), ('9007199254740991.0', '9007199254740991'),
	('-9007199254740991', '-9007199254740991'),
	('9007199254740992', '"9007199254740992"'), ('-9007199254740992', '"-9007199254740992"'),
	('9007199254740993', '"9007199254740993"'),
	('1e15', '1000000000000000'), ('1e16', '"10000000000000000"'), ('12345678901234567890', '"12345678901234567890"'),
	('1e22', '"10000000000000000000000"'),
	-- fractions: from 1e-4 up, as short as the double's own text
	('0.8', '0.8'), ('0.80', '0.8'), ('8e-1', '0.8'), ('-0.5', '-0.5'), ('1.10', '1.1'), ('3.14159', '3.14159'),
	('0.0001', '0.0001'), ('1e-4', '0.0001'), ('0.00010', '0.0001'), ('0.00009', '"0.00009"'),
	('0.0000999999', '"0.0000999999"'),
	('1e-5', '"0.00001"'), ('-1e-5', '"-0.00001"'),
	-- 15, 16, 17, 18 digits
	('0.123456789012345', '0.123456789012345'), ('0.1234567890123456', '0.1234567890123456'),
	('0.12345678901234568', '0.12345678901234568'), ('0.12345678901234567', '"0.12345678901234567"'),
	('0.1234567890123456789', '"0.1234567890123456789"'),
	('1.00000000000000022', '"1.00000000000000022"'), ('1.0000000000000002', '1.0000000000000002'),
	('1.0000000000000001', '"1.0000000000000001"'),
	('0.30000000000000004', '0.30000000000000004'), ('0.3', '0.3'),
	('0.1000000000000000055511151231257827', '"0.1000000000000000055511151231257827"'),
	-- from 2^52 up doubles are one apart, so that no fraction is left
	('4503599627370495.5', '4503599627370495.5'), ('4503599627370496.5', '"4503599627370496.5"'),
	('9007199254740991.5', '"9007199254740991.5"'),
	('9999999999999998.5', '"9999999999999998.5"'), ('123456789012.345', '123456789012.345'),
	('9007199254740992.5', '"9007199254740992.5"');
SELECT n AS number, answer.portable(n::jsonb) AS portable, answer.portable(n::jsonb)::text = want AS ok
FROM number ORDER BY n COLLATE "C";
-- far from any double, digits are all there is
SELECT n AS number, jsonb_typeof(answer.portable(n::jsonb)) AS type,
	length(answer.portable(n::jsonb) #>> '{}') AS length,
	(answer.portable(n::jsonb) #>> '{}')::numeric = n::numeric AS exact
FROM (VALUES ('1e400'), ('-1e400'), ('1e-400'), ('1.5e400'), ('2.2250738585072014e-308'), ('5e-324'),
	('1.7976931348623157e308'), ('1e131071'), ('1e-16383')) AS v (n);
SELECT n AS number, state_of(format('SELECT answer.portable(%L)', n)) AS beyond_jsonb
FROM (VALUES ('1e131072'), ('1e-16384'), ('1e2147483648')) AS v (n);

-- It reaches every number, leaves all else, and does nothing twice.
SELECT answer.portable('{"a": [1.0, {"b": 1e20, "c": "1.0"}], "1.0": true, "d": null, "e": [[0.00001]], "f": {}, '
	'"g": []}');
SELECT bool_and(answer.portable(answer.portable(n::jsonb)) = answer.portable(n::jsonb)
	AND answer.portable(answer.portable(n::jsonb))::text = answer.portable(n::jsonb)::text) AS idempotent,
	-- and the text that a JSON client prints for the double is the text that stands there
	bool_and(jsonb_typeof(answer.portable(n::jsonb)) = 'string'
		OR answer.portable(n::jsonb)::text::float8::text::numeric = n::numeric) AS reads_back
FROM number;
DROP TABLE number;

-- Large and deep.
SELECT length(answer_canonical(to_jsonb(repeat('x', 1000000)))) AS ascii,
	length(answer_canonical(to_jsonb(repeat('é', 1000000)))) AS escaped,
	length(answer_canonical('[' || repeat('1, ', 99999) || '1]')) AS array,
	length(answer_canonical((SELECT json_object_agg(i, i)::text FROM generate_series(1, 10000) AS i))) AS object;
SELECT depth,
	survives(format('SELECT answer_canonical(repeat(''['', %s) || repeat('']'', %1$s))', depth)) AS canonical_array,
	survives(format('SELECT answer_canonical(repeat(''{"a":'', %s) || ''1'' || repeat(''}'', %1$s))',
		depth)) AS canonical_object,
	survives(format('SELECT answer_canonical((repeat(''['', %s) || repeat('']'', %1$s))::json::text)', depth)) AS json,
	survives(format('SELECT answer_digest((repeat(''['', %s) || repeat('']'', %1$s))::jsonb)', depth)) AS jsonb,
	survives(format('SELECT answer.portable((repeat(''['', %s) || repeat('']'', %1$s))::jsonb)', depth)) AS portable
FROM (VALUES (1000), (10000), (100000)) AS v (depth);
-- a document that is not closed is refused for that, or for its depth
SELECT left(attempt('SELECT answer_canonical(repeat(''['', 1000000))'), 2) IN ('22', '54') AS refused;

-- No larger than it may be, and refused before it is read: 16 MB as text, whatever the type.
SELECT state_of($$SELECT answer_canonical('"' || repeat('x', 16777214) || '"')$$) AS canonical,
	state_of($$SELECT answer_canonical('"' || repeat('x', 16777215) || '"')$$) AS one_more,
	state_of($$SELECT answer_digest(repeat(' ', 16777215) || '1')$$) AS digest,
	state_of($$SELECT answer_digest(repeat(' ', 16777216) || '1')$$) AS one_more,
	state_of($$SELECT answer_digest(to_json(repeat('x', 16777215))::text)$$) AS json,
	state_of($$SELECT answer_canonical(to_json(repeat('x', 16777215))::text)$$) AS canonical_json;
SELECT attempt($$SELECT answer_digest(repeat(' ', 16777216) || '1')$$);
-- a few bytes of jsonb that print as very many
SELECT state_of($$SELECT answer_canonical(('[' || repeat('1e131000,', 1100) || '1]')::jsonb)$$) AS canonical,
	state_of($$SELECT answer.portable(('[' || repeat('1e131000,', 1100) || '1]')::jsonb)$$) AS portable,
	length(answer_canonical(('[' || repeat('1e131000,', 10) || '1]')::jsonb)) AS fewer;
SELECT state_of($$SELECT answer.portable(to_jsonb(repeat('x', 16777200)))$$) AS portable,
	state_of($$SELECT answer.portable(to_jsonb(repeat('x', 16777216)))$$) AS larger,
	state_of($$SELECT answer.operator('eq', to_jsonb(repeat('x', 16777216)), '1')$$) AS operator,
	state_of($$SELECT answer_check(jsonb_build_object('tool', repeat('x', 16777216)), '{}', now())$$) AS "check",
	state_of($$SELECT answer_validate(to_jsonb(repeat('x', 16777216)))$$) AS validate,
	state_of($$SELECT answer.fact_confidence(to_jsonb(repeat('x', 16777216)))$$) AS confidence,
	state_of($$SELECT answer.evidence_digest('t', '{}', to_jsonb(repeat('x', 16777216)), 's', now(),
		NULL)$$) AS reading, state_of($$SELECT answer.grade('grep', to_jsonb(repeat('x', 16777216)))$$) AS grade,
	state_of($$SELECT answer.route_problem(to_jsonb(repeat('x', 16777216)))$$) AS route;
