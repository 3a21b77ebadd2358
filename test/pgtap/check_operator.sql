-- Properties of the operators, over all pairs of many values.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(25);

CREATE TEMP TABLE operand AS SELECT DISTINCT v FROM
	unnest(ARRAY['0', '-0', '1', '1.0', '-1', '1e2', '100', '100.00', '0.1', '0.10', '1e-5', '0.00001',
	'9007199254740992', '9007199254740993', '1e20', '1e400', '-1e400', '"0"', '"-0"', '"1"', '"1.0"', '"01"', '" 1"',
	'"100"', '"1e2"', '"0.00001"',
	'"a"', '"A"', '" a "', '"\ta\u00a0"', '"ab"', '""', '" "', '"true"', 'true', 'false', 'null', '"null"', '[]', '{}',
	'[1]', '[1.0]', '"[1]"', '{"a": 1, "b": [2]}', '{"b": [2.0], "a": 1}', '"{\"a\":1}"', '"3.13"', '"3.13.0"', '"3.9"',
	'"3.10"', '"3"', '3', '"é"', '"e\u0301"']::jsonb[]) AS v;
CREATE TEMP TABLE pair AS SELECT a.v AS a, b.v AS b FROM operand a, operand b;
CREATE FUNCTION pg_temp.op(op text, a jsonb, b jsonb) RETURNS text LANGUAGE sql AS
	'SELECT answer.operator(op, a, b)::text';
CREATE FUNCTION pg_temp.negated(outcome text) RETURNS text LANGUAGE sql AS
	$$ SELECT CASE outcome WHEN 'holds' THEN 'fails' WHEN 'fails' THEN 'holds' ELSE outcome END $$;

SELECT cmp_ok((SELECT count(*) FROM pair), '>', 2000::bigint, 'there are many pairs');
SELECT is_empty($$SELECT v FROM operand WHERE pg_temp.op('eq', v, v) <> 'holds'$$, 'eq is reflexive');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('eq', a, b) <> pg_temp.op('eq', b, a)$$, 'eq is symmetric');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('ne', a, b) <> pg_temp.negated(pg_temp.op('eq', a, b))$$,
	'ne is the negation of eq');
SELECT
	is_empty($$SELECT * FROM pair p JOIN operand c ON pg_temp.op('eq', p.b, c.v) = 'holds' WHERE
	pg_temp.op('eq', p.a, p.b) = 'holds' AND pg_temp.op('eq', p.a, c.v) <> 'holds'$$,
	'eq is transitive');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('eq', a, b) = 'not_evaluable'$$,
	'eq can be evaluated on whatever is there');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('lt', a, b) <> pg_temp.op('gt', b, a)$$, 'lt is gt turned round');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('lte', a, b) <> pg_temp.op('gte', b, a)$$,
	'lte is gte turned round');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('gte', a, b) <> pg_temp.negated(pg_temp.op('lt', a, b))$$,
	'gte is the negation of lt');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('gt', a, b) <> pg_temp.negated(pg_temp.op('lte', a, b))$$,
	'gt is the negation of lte');
SELECT
	is_empty($$SELECT * FROM pair WHERE jsonb_typeof(a) = 'number' AND jsonb_typeof(b) = 'number' AND
	(pg_temp.op('eq', a, b) = 'holds') <> (pg_temp.op('lte', a, b) = 'holds' AND pg_temp.op('gte', a, b) = 'holds')$$,
	'among numbers within the limit eq is neither more nor less');
SELECT
	is_empty($$SELECT * FROM pair WHERE jsonb_typeof(a) = 'number' AND jsonb_typeof(b) = 'number' AND
	(pg_temp.op('lt', a, b) = 'holds') <> (a::text::numeric < b::text::numeric)$$,
	'lt among numbers is that of numeric');
SELECT
	is_empty($$SELECT * FROM pair p, (VALUES ('0'::jsonb), ('"1"'), ('100'), ('"x"')) AS c (c) WHERE
	pg_temp.op('between', p.a, jsonb_build_array(p.b, c.c)) <> CASE WHEN 'not_evaluable' IN
	(pg_temp.op('gte', p.a, p.b), pg_temp.op('lte', p.a, c.c)) THEN 'not_evaluable' WHEN pg_temp.op('gte', p.a, p.b) =
	'holds' AND pg_temp.op('lte', p.a, c.c) = 'holds' THEN 'holds' ELSE 'fails' END$$,
	'between is gte and lte');
SELECT is_empty($$SELECT * FROM pair WHERE pg_temp.op('in', a, jsonb_build_array(b)) <> pg_temp.op('eq', a, b)$$,
	'in of one is eq');
SELECT
	is_empty($$SELECT * FROM pair WHERE pg_temp.op('in', a, jsonb_build_array('"~~"'::jsonb, b)) <>
	pg_temp.op('in', a, jsonb_build_array(b, '"~~"'::jsonb))$$,
	'in does not depend on the order');
SELECT
	is_empty($$SELECT * FROM pair WHERE pg_temp.op('contains', jsonb_build_array('"~~"'::jsonb, a), b) <>
	pg_temp.op('eq', a, b)$$,
	'an array contains what is eq to an element');
SELECT
	is_empty($$SELECT * FROM pair WHERE 'holds' IN (pg_temp.op('starts_with', a, b), pg_temp.op('ends_with', a, b)) AND
	pg_temp.op('contains', a, b) <> 'holds'$$,
	'what starts or ends with a text contains it');
SELECT
	is_empty($$SELECT * FROM pair WHERE jsonb_typeof(a) = 'string' AND jsonb_typeof(b) = 'string' AND
	(pg_temp.op('contains', a, b) = 'holds') <> (strpos(a #>> '{}', b #>> '{}') > 0)$$,
	'contains among strings is that of the server');
SELECT
	is_empty($$SELECT * FROM pair WHERE pg_temp.op('semver_gte', a, b) <>
	pg_temp.negated(pg_temp.op('semver_lt', a, b))$$,
	'semver_gte is the negation of semver_lt');
SELECT
	is_empty($$SELECT * FROM pair WHERE (pg_temp.op('semver_eq', a, b) = 'holds') <>
	(pg_temp.op('semver_gte', a, b) = 'holds' AND pg_temp.op('semver_gte', b, a) = 'holds')$$,
	'semver_eq is semver_gte both ways');
SELECT
	is_empty($$SELECT * FROM pair WHERE pg_temp.op('semver_prefix', a, b) = 'holds' AND pg_temp.op('semver_gte', a, b)
	<> 'holds'$$,
	'a version is not less than its prefix');
SELECT
	is_empty($$SELECT * FROM pair WHERE CASE WHEN jsonb_typeof(b) <> 'object' THEN
	answer.operator('abs_within', a, b, '0') END <> CASE WHEN pg_temp.op('lte', a, b) = 'not_evaluable' THEN
	'not_evaluable' WHEN pg_temp.op('lte', a, b) = 'holds' AND pg_temp.op('gte', a, b) = 'holds' THEN 'holds' ELSE
	'fails' END::answer_outcome$$,
	'abs_within 0 is equality of numbers');
SELECT
	is_empty($$SELECT * FROM pair, (VALUES ('0'::jsonb), ('1'), ('"99.9"'), ('1e400')) AS t (t) WHERE CASE WHEN 'object'
	NOT IN (jsonb_typeof(a), jsonb_typeof(b)) THEN answer.operator('abs_within', a, b, t) <>
	answer.operator('abs_within', b, a, t) END$$,
	'abs_within is symmetric');
SELECT
	is_empty($$SELECT * FROM pair, (VALUES ('0'::jsonb), ('1'), ('"99.9"'), ('1e400')) AS t (t),
	unnest('{abs_within,pct_within}'::text[]) AS op WHERE CASE WHEN jsonb_typeof(b) <> 'object' THEN
	answer.operator(op, a, b, t) <> answer.operator(op, a, jsonb_build_object('value', b, 'tol', t)) END$$,
	'the two spellings of a tolerance are one');
SELECT
	is_empty($$SELECT * FROM pair, unnest('{eq,ne,lt,lte,gt,gte,contains,starts_with,ends_with}'::text[]) AS op WHERE
	pg_temp.op(op, a, b) <> pg_temp.op(op, answer.portable(a), answer.portable(b))$$,
	'portable operands give the same outcome');

SELECT * FROM finish();
ROLLBACK;
