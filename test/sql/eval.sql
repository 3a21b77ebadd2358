-- The whole pipeline: requests, tools, deadlines, supplied facts, receipts.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';

-- Each row breaks one rule of a request.  answer_eval says what answer_validate says, and stores nothing.
CREATE TABLE before AS SELECT count(*) AS receipts FROM answer.receipt;
CREATE TABLE bad_request (rule text, body text);
INSERT INTO bad_request VALUES
	('no object', '1'), ('no object', 'null'), ('no object', '[]'), ('no object', '"x"'),
	('no object', '[{"tool": "t"}]'), ('unknown key', '{"checks": [{"tool": "t"}], "Checks": []}'),
	('unknown key', '{"checks": [{"tool": "t"}], "deadline": 1}'), ('unknown key', '{"": 1}'),
	('no check', '{}'), ('no check', '{"deadline_ms": 1}'), ('no check', '{"checks": []}'),
	('checks', '{"checks": null}'), ('checks', '{"checks": {}}'), ('checks', '{"checks": {"tool": "t"}}'),
	('checks', '{"checks": "t"}'),
	('1,001 checks', jsonb_build_object('checks', (SELECT jsonb_agg('{"tool": "t"}'::jsonb) FROM
	generate_series(1, 1001)))::text), ('both', '{"checks": [{"tool": "t"}], "question": "why?"}'),
	('both', '{"checks": [{"tool": "t"}], "question": null}'),
	('no object', '{"checks": [{"tool": "t"}, 1]}'),
	('same id', '{"checks": [{"id": "x", "tool": "t"}, {"id": "x", "tool": "t"}]}'),
	('same id by default', '{"checks": [{"id": "c2", "tool": "t"}, {"tool": "t"}]}'),
	('same id by default', '{"checks": [{"tool": "t"}, {"id": "c1", "tool": "t"}]}'),
	('default id', '{"checks": [{"tool": "t"}, {"tool": ""}]}'),
	('named id', '{"checks": [{"tool": "t"}, {"id": "B 2", "tool": "t", "expect": {"op": "eq"}}]}'),
	('the 21st', jsonb_build_object('checks', (SELECT jsonb_agg('{"tool": "t"}'::jsonb) FROM generate_series(1, 20)) ||
	'[{"tool": "t", "required": 1}]')::text), ('the 21st',
	jsonb_build_object('checks', (SELECT jsonb_agg('{"tool": "t"}'::jsonb) FROM generate_series(1, 20)) ||
	'[{"id": "c3", "tool": "t"}]')::text),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": 0}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": -1}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": 60001}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": 1.5}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": "6000"}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": null}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": true}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": 1e400}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": 4294967297}'),
	('deadline_ms', '{"checks": [{"tool": "t"}], "deadline_ms": [1]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": null}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": {}}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [1]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{}]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{"fact": ""}]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{"fact": 1}]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "args": []}]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "args": null}]}'),
	('evidence', '{"checks": [{"tool": "t"}], "evidence": [{"fact": "t"}, null]}');
SELECT rule, regexp_replace(body, '(\{"tool": "t"\}, ){4,}', '…') AS body,
	attempt(format('SELECT answer_validate(%L)', body)) AS error FROM bad_request;
SELECT count(*) AS rows, count(*) FILTER (WHERE attempt(format('SELECT answer_eval(%L)', body)) <>
	attempt(format('SELECT answer_validate(%L)', body))) AS told_otherwise_by_eval,
	count(*) FILTER (WHERE state_of(format('SELECT answer_validate(%L)', body)) <> '22023') AS other_states FROM
	bad_request;
SELECT attempt('SELECT answer_validate(NULL)') AS validate_null, attempt('SELECT answer_eval(NULL)') AS eval_null;
-- a fact for a registered tool: only answer_eval knows
SELECT
	attempt($$SELECT answer_validate('{"checks": [{"tool": "t"}], "evidence": [{"fact": "postgres_server"}]}') IS NOT
	NULL$$)
	AS validate,
	attempt($$SELECT answer_eval('{"checks": [{"tool": "t"}],
	"evidence": [{"fact": "t"}, {"fact": "postgres_server"}]}')$$)
	AS eval;
SELECT count(*) - (SELECT receipts FROM before) AS stored FROM answer.receipt;
DROP TABLE bad_request;

-- The limits themselves are allowed.
SELECT deadline, answer_validate(jsonb_build_object('checks', '[{"tool": "t"}]'::jsonb, 'deadline_ms', deadline::jsonb))
	-> 'deadline_ms' AS deadline_ms FROM unnest('{1,60000,6e3,1.0,60000.000}'::text[]) AS deadline;
SELECT n AS checks, jsonb_array_length(answer_validate(jsonb_build_object('checks',
	(SELECT jsonb_agg('{"tool": "t"}'::jsonb) FROM generate_series(1, n)))) -> 'checks') AS validated FROM
	unnest('{1,20,21,1000}'::int[]) AS n;

-- The normal form: defaults filled in, tolerances beside their values, numbers portable.  It validates to itself.
CREATE TABLE good_request (body jsonb);
INSERT INTO good_request VALUES ('{"checks": [{"tool": "t"}]}'),
	('{"checks": [{"tool": "t", "expect": {"op": "exists"}}, {"tool": "t", "expect": []}], "deadline_ms": 1}'),
	('{"checks": [{"id": "é", "tool": "t", "args": {"a": 1.0, "b": 1e20}, "observe": true, "required": false, '
	'"expect": [{}, {"path": "a.b"}, {"value": 1.50}, {"op": "abs_within", "value": {"value": 1.0, "tol": 2.50}}, '
	'{"op": "pct_within", "value": "3", "tol": "0.10"}, {"op": "fresh_within_s", "value": 60.0}, {"op": "not_exists", '
	'"value": {"x": null}}]}]}'),
	('{"checks": [{"tool": "t"}], "evidence": []}'),
	('{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "args": {}, "value": 1.0, "provenance": null}]}');
SELECT answer_validate(body) AS normal_form FROM good_request;
SELECT bool_and(answer_validate(answer_validate(body)) = answer_validate(body)) AS idempotent FROM good_request;
DROP TABLE good_request;
SELECT depth,
	survives(format('SELECT answer_validate((''{"checks": [{"tool": "t", "args": {"a": '' || repeat(''['', '
	'%s) || repeat('']'', %1$s) || ''}}]}'')::jsonb)',
	depth)) AS validate,
	survives(format('SELECT answer_eval((''{"checks": [{"tool": "t", "expect": {"op": "eq", '
	'"value": '' || repeat(''['', %s) || repeat('']'', %1$s) || ''}}]}'')::jsonb)',
	depth)) AS eval,
	survives(format('SELECT answer_eval((''{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", '
	'"value": '' || repeat(''['', %s) || repeat('']'', %1$s) || ''}]}'')::jsonb)',
	depth)) AS evidence
FROM (VALUES (1000), (10000), (100000)) AS v (depth);

-- Tools that go wrong in every way.
CREATE TABLE written (n int);
CREATE FUNCTION tool_ok(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT coalesce(args, '{}') || '{"v": 7, "list": [1, 2]}' $$;
CREATE FUNCTION tool_echo(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT args -> 'x' $$;
CREATE FUNCTION tool_null(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$;
CREATE FUNCTION tool_raise(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
	$$ BEGIN RAISE EXCEPTION USING errcode = 'XX999', message = 'the tool is broken', detail = 'not to be shown',
	hint = 'nor this'; END $$;
CREATE FUNCTION tool_write(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO written VALUES (1); RETURN '{"v": 1}'; END $$;
CREATE FUNCTION tool_write_fail(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO written VALUES (2); RETURN to_jsonb(1 / 0); END $$;
CREATE FUNCTION tool_sleep(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO written VALUES (3); PERFORM pg_sleep(2); RETURN '{"v": 1}'; END $$;
CREATE FUNCTION tool_stubborn(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
	$$ BEGIN FOR i IN 1 .. 3 LOOP BEGIN PERFORM pg_sleep(2); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP;
	RETURN '{"v": 1}'; END $$;
CREATE FUNCTION tool_deep(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT (repeat('[', 100000) || repeat(']', 100000))::jsonb $$;
CREATE FUNCTION tool_gone(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
CREATE FUNCTION tool_nested(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT answer_eval('{"checks": [{"tool": "ok"}, {"tool": "raise"}]}') -> 'checks' $$;
CREATE FUNCTION tool_commit(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN COMMIT; RETURN '1'; END $$;
SELECT answer_source_register('the test');
SELECT count(answer_tool_register(t, ('tool_' || t || '(jsonb)')::regprocedure, freshness => '1 hour',
	value_path => 'v', options => '{"source": "the test"}')::text) AS registered FROM
	unnest('{"null",raise,write,write_fail,sleep,stubborn,deep,gone,nested,commit}'::text[]) AS t;
SELECT answer_tool_register('ok', 'tool_ok(jsonb)', freshness => '1 hour', value_path => 'v',
	options => '{"source": "the test", "optional_args": ["a", "b"]}');
SELECT answer_tool_register('needs', 'tool_ok(jsonb)', freshness => '1 hour', value_path => 'v',
	options => '{"source": "the test", "optional_args": ["b"]}',
	required_args => '{a}');
SELECT answer_tool_register('echo', 'tool_echo(jsonb)', freshness => '1 hour', options => '{"source": "the test"}',
	required_args => '{x}');
SELECT answer_tool_register('stored', freshness => '1 day', value_path => 'v', options => '{"optional_args": ["k"]}');
DROP FUNCTION tool_gone;

-- the words about an age depend on the clock
CREATE FUNCTION ageless(words text) RETURNS text LANGUAGE sql AS
	$$ SELECT regexp_replace(words, '(\d+ (day|hour|minute|second)s? )+old', '… old', 'g') $$;
CREATE FUNCTION checks_of(receipt jsonb) RETURNS TABLE
	(id text, verdict text, confidence text, observed jsonb, cites bigint, explain text) LANGUAGE sql AS $$
	SELECT c ->> 'id', c ->> 'verdict', c ->> 'confidence', c -> 'observed', jsonb_array_length(c -> 'evidence'),
		concat_ws('; ', ageless(c #>> '{explain,summary}'), 'argument ' || (c #>> '{explain,argument}'),
		'sqlstate ' || (c #>> '{explain,sqlstate}'), c #>> '{explain,message}')
	FROM jsonb_array_elements(receipt -> 'checks') AS c
$$;
CREATE FUNCTION head_of(receipt jsonb) RETURNS TABLE
	(verdict text, confidence text, degraded text, verified boolean, calls bigint, facts bigint) LANGUAGE sql AS $$
	SELECT receipt ->> 'verdict', receipt ->> 'confidence', receipt ->> 'degraded',
	(answer_verify(receipt) -> 'ok')::boolean, jsonb_array_length(receipt #> '{reproduce,calls}'),
	(SELECT count(*) FROM jsonb_object_keys(receipt -> 'evidence_index'))
$$;

CREATE TEMP TABLE t AS SELECT answer_eval('{"checks": [
	{"id": "ok", "tool": "ok", "expect": {"op": "eq", "value": 7}},
	{"id": "path", "tool": "ok", "expect": {"path": "list.1", "op": "eq", "value": 2}},
	{"id": "false", "tool": "ok", "expect": {"op": "gt", "value": 7}}, {"id": "value", "tool": "ok"},
	{"id": "observe", "tool": "ok", "observe": true, "expect": {"path": "list"}},
	{"id": "unresolved", "tool": "ok", "expect": {"path": "nope", "op": "eq", "value": 1}},
	{"id": "unknown", "tool": "nope", "expect": {"op": "exists"}}, {"id": "case", "tool": "OK"},
	{"id": "null", "tool": "null"}, {"id": "raise", "tool": "raise"}, {"id": "write", "tool": "write"},
	{"id": "write and fail", "tool": "write_fail"}, {"id": "gone", "tool": "gone"}, {"id": "commit", "tool": "commit"},
	{"id": "missing", "tool": "needs"}, {"id": "null argument", "tool": "needs", "args": {"a": null}},
	{"id": "undeclared", "tool": "needs", "args": {"a": 1, "z": 1}},
	{"id": "args", "tool": "needs", "args": {"a": 1.0, "b": null}, "expect": {"path": "a", "op": "eq", "value": 1}},
	{"id": "no reading", "tool": "stored"}, {"id": "undeclared to stored", "tool": "stored", "args": {"é": 1}}]}') AS r;
SELECT h.* FROM t, head_of(r) AS h;
SELECT c.* FROM t, checks_of(r) AS c;
SELECT n AS written FROM written ORDER BY n;
-- nothing of the detail and the hint is told
SELECT r::text LIKE '%not to be shown%' OR r::text LIKE '%nor this%' AS leaks FROM t;
-- each call is made once, in order, and listed; the wrong ones are not made
SELECT jsonb_path_query_array(r, '$.reproduce.calls[*].tool') AS calls FROM t;

-- The receipt as a whole.
SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") AS members FROM t, jsonb_object_keys(r) AS k;
SELECT r ->> 'schema' AS schema, r ->> 'receipt_id' ~ '^ans_[0-9a-f]{16}$' AS receipt_id,
	r ->> 'issuer' = format('postgresql:%s/%s', (SELECT system_identifier FROM pg_control_system()), current_database())
	AS issuer, r ->> 'issued_at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$' AS issued_at,
	r -> 'issued_at' = r -> 'evaluated_at' AS one_clock,
	r ->> 'mode' AS mode, r #> '{reproduce,evaluator,rules}' AS rules,
	r #>> '{reproduce,evaluator,engine_version}' = (SELECT extversion FROM pg_extension WHERE extname = 'answer_eval')
	AS engine_version, length(r ->> 'disclaimer') > 0 AS disclaimer FROM t;
SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") AS members_of_signature FROM t,
	jsonb_object_keys(r -> 'signature') AS k;
SELECT DISTINCT string_agg(k, ' ' ORDER BY k COLLATE "C") AS members_of_a_check FROM t,
	jsonb_array_elements(r -> 'checks') AS c, jsonb_object_keys(c) AS k GROUP BY c -> 'id' ORDER BY 1;
SELECT r = answer.portable(r) AS portable, bool_and(f.key = answer_digest(f.value - 'attestation' - 'raw')) AS
	by_digest, bool_and(f.value ? 'raw') AS keeps_raw,
	bool_and(f.value ->> 'timestamp' = r ->> 'evaluated_at') AS dated FROM t,
	jsonb_each(r -> 'evidence_index') AS f GROUP BY r;
SET answer_eval.issuer = 'Prüfstelle "1"';
SELECT r -> 'issuer' AS issuer, answer_verify(r) -> 'ok' AS ok FROM answer_eval('{"checks": [{"tool": "ok"}]}') AS r;
RESET answer_eval.issuer;

-- Composite verdicts, end to end.
SELECT checks, h.verdict, h.confidence, h.degraded, h.verified
FROM (VALUES ('[{"tool": "ok", "expect": {"op": "eq", "value": 7}}]'), ('[{"tool": "ok"}]'),
	('[{"tool": "ok", "expect": {"op": "eq", "value": 8}}, {"tool": "nope"}]'),
	('[{"tool": "ok", "expect": {"op": "eq", "value": 7}}, {"tool": "nope"}]'),
	('[{"tool": "ok", "expect": {"op": "eq", "value": 7}}, {"tool": "nope", "required": false}]'),
	('[{"tool": "ok", "expect": {"op": "eq", "value": 7}}, {"tool": "needs", "required": false}]'),
	('[{"tool": "ok", "required": false}]'), ('[{"tool": "nope", "required": false}]'),
	('[{"tool": "ok", "expect": {"op": "eq", "value": 8}, "required": false}, {"tool": "ok"}]')) AS v (checks),
	head_of(answer_eval(jsonb_build_object('checks', checks::jsonb))) AS h;

-- 20 checks are evaluated, the 21st is not.
SELECT n AS checks, h.*, (SELECT string_agg(format('%s %s', c.n, c.verdict), ', ' ORDER BY c.verdict COLLATE "C") FROM
	(SELECT c.verdict, count(*) AS n FROM checks_of(r) AS c GROUP BY 1) AS c) AS verdicts
FROM unnest('{20,21,1000}'::int[]) AS n, LATERAL (SELECT
	answer_eval(jsonb_build_object('checks', (SELECT
	jsonb_agg(jsonb_build_object('tool', 'echo', 'args', jsonb_build_object('x', i))) FROM generate_series(1, n) AS i)))
	AS r) AS x, head_of(r) AS h;
SELECT c.id, c.verdict, c.explain FROM checks_of(answer_eval(jsonb_build_object('checks',
	(SELECT jsonb_agg('{"tool": "ok", "required": false, "expect": {"op": "eq", "value": 7}}'::jsonb) FROM
	generate_series(1, 21))))) AS c OFFSET 19;

-- A tool's result is portable, whatever it is; a scalar is its own value.
SELECT x, c.verdict, c.observed, c.explain FROM (VALUES ('1e20'), ('1.50'), ('"text"'), ('false'), ('[1.0]'), ('{}')) AS
	v (x), checks_of(answer_eval(jsonb_build_object('checks',
	jsonb_build_array(jsonb_build_object('tool', 'echo', 'args', jsonb_build_object('x', x::jsonb), 'expect',
	jsonb_build_object('op', 'eq', 'value', x::jsonb)))))) AS c;
-- a JSON null is a result where it is returned, but not as a required argument
SELECT c.verdict, c.observed, c.explain FROM
	checks_of(answer_eval('{"checks": [{"tool": "echo", "args": {"x": null}}, {"tool": "ok", "args": {"a": null}, '
	'"expect": {"path": "a", "op": "eq", "value": null}}]}'))
	AS c;
-- 1e400, deep and long results and requests
SELECT c.verdict, c.confidence, length(c.observed::text) AS observed FROM
	checks_of(answer_eval('{"checks": [{"tool": "echo", "args": {"x": 1e400}, "expect": {"op": "gt", '
	'"value": 1e399}}]}'))
	AS c;
-- undone, for all that reads documents here later would read 11 MB more
BEGIN;
SELECT h.verified, c.verdict, length(c.observed::text) AS observed FROM
	answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'echo', 'args',
	jsonb_build_object('x', repeat('ab', 500000)), 'expect', '{"op": "contains", "value": "ba"}'::jsonb)))) AS r,
	head_of(r) AS h, checks_of(r) AS c;
SELECT c.id, c.verdict, CASE WHEN c.explain ~ 'sqlstate 54' THEN 'too deep' ELSE c.explain END AS explain FROM
	checks_of(answer_eval('{"checks": [{"id": "deep", "tool": "deep"}, {"id": "after", "tool": "ok"}]}')) AS c;
SELECT
	survives($$SELECT answer_eval(jsonb_build_object('checks',
	jsonb_build_array(jsonb_build_object('tool', repeat('x', 1000000)))))$$)
	AS long_tool,
	attempt($$SELECT length(answer_eval(jsonb_build_object('checks',
	jsonb_build_array(jsonb_build_object('tool', 'ok', 'expect',
	jsonb_build_object('path', repeat('x', 1000000), 'op', 'exists')))))::text) > 1000000$$)
	AS long_path;
ROLLBACK;
-- a receipt has 512 levels at most, five of which are its own here
SELECT n AS levels, attempt(format($$SELECT answer_verify_ok(answer_eval(jsonb_build_object('checks',
	jsonb_build_array(jsonb_build_object('tool', 'ok', 'expect',
	jsonb_build_object('op', 'eq', 'value', (repeat('[', %1$s) || repeat(']', %1$s))::jsonb))))))$$, n)) AS attempt
	FROM unnest('{507,508}'::int[]) AS n;

-- A tool that asks in turn.
SELECT c.verdict, jsonb_path_query_array(r, '$.evidence_index.*.raw[*].verdict') AS nested FROM
	answer_eval('{"checks": [{"tool": "nested"}]}') AS r, checks_of(r) AS c;

-- Deadlines: the slow tool is stopped and what it wrote undone; what came before lives, what comes after has no time
-- left.
TRUNCATE written;
CREATE TEMP TABLE slow AS SELECT clock_timestamp() AS began,
	answer_eval('{"deadline_ms": 400, "checks": [{"id": "before", "tool": "write", "expect": {"op": "eq", '
	'"value": 1}}, {"id": "slow", "tool": "sleep"}, {"id": "after", "tool": "ok"}, {"id": "unknown", "tool": "nope"}, '
	'{"id": "argument", "tool": "needs"}, {"id": "known already", "tool": "write"}]}')
	AS r;
SELECT clock_timestamp() - began < interval '1500 milliseconds' AS in_time FROM slow;
SELECT h.* FROM slow, head_of(r) AS h;
SELECT c.* FROM slow, checks_of(r) AS c;
SELECT n AS written FROM written ORDER BY n;
-- one that swallows the cancellation has missed its deadline all the same
SELECT c.* FROM
	checks_of(answer_eval('{"deadline_ms": 100, "checks": [{"id": "stubborn", "tool": "stubborn"}, {"id": "after", '
	'"tool": "ok"}]}'))
	AS c;
-- the next statement is not hit by it
SELECT pg_sleep(0.15) IS NOT NULL AS slept, c.verdict FROM checks_of(answer_eval('{"checks": [{"tool": "ok"}]}')) AS c;
-- a statement timeout is not the tool's deadline: it ends the statement
SET statement_timeout = 100;
\set VERBOSITY sqlstate
SELECT answer_eval('{"deadline_ms": 5000, "checks": [{"tool": "sleep"}]}');
\set VERBOSITY terse
RESET statement_timeout;

-- Stored readings: known as of the evaluation.
SELECT answer_evidence_add('stored', '{"k": 1}', '{"v": 5}', 'the test', clock_timestamp() - interval '1 hour') IS NOT
	NULL AS past, answer_evidence_add('stored', '{"k": 1}', '{"v": 6}', 'the test',
	clock_timestamp() + interval '1 hour') IS NOT NULL AS future,
	answer_evidence_add('stored', '{"k": 2}', '{"v": 5}', 'the test', clock_timestamp() - interval '2 days') IS NOT NULL
	AS stale;
SELECT c.id, c.verdict, c.confidence, c.cites, c.explain FROM
	checks_of(answer_eval('{"checks": [{"id": "newest known", "tool": "stored", "args": {"k": 1}, '
	'"expect": [{"op": "eq", "value": 5}, {"op": "fresh_within_s", "value": 3700}]}, {"id": "same args", '
	'"tool": "stored", "args": {"k": 1.0}, "expect": {"op": "fresh_within_s", "value": 3500}}, {"id": "stale", '
	'"tool": "stored", "args": {"k": 2}}, {"id": "other args", "tool": "stored", "args": {"k": "1"}}]}'))
	AS c;

-- Supplied facts: never signed, their verification computed here, their attestation left out.
CREATE TEMP TABLE supplied AS SELECT answer_eval('{"checks": [{"id": "one", "tool": "price", "args": {"of": "tea"},
	"expect": {"op": "lte", "value": 4}}, {"id": "other args", "tool": "price", "args": {"of": "milk"}},
	{"id": "no args", "tool": "price"}, {"id": "other tool", "tool": "Price", "args": {"of": "tea"}},
	{"id": "raw", "tool": "price", "args": {"of": "tea"}, "expect": {"path": "unit", "op": "eq", "value": "EUR"}},
	{"id": "not fresh", "tool": "stale"}],
	"evidence": [{"fact": "price", "args": {"of": "tea"}, "value": 3.50, "timestamp": "2026-01-01T00:00:00Z",
	"expires": "2999-01-01T00:00:00Z", "provenance": {"source": "a shop"}, "raw": {"unit": "EUR"}, "unit": "EUR",
	"own": [1.0], "attestation": {"sig": "forged"},
	"verification": {"confidence": 1, "verified": true, "signals": {"signed": true, "corroborated": true},
	"vantage": "notary"}},
		{"fact": "stale", "value": 1, "timestamp": "2026-01-01T00:00:00Z", "provenance": {"source": "a shop"}},
		{"fact": "unread", "value": 1}]}') AS r;
SELECT h.* FROM supplied, head_of(r) AS h;
SELECT c.* FROM supplied, checks_of(r) AS c;
SELECT jsonb_pretty(f.value) AS fact FROM supplied,
	jsonb_each(r -> 'evidence_index') AS f WHERE f.value ->> 'fact' = 'price';
-- several are cited in the order given, the first is read, the least confidence counts; duplicates are cited once
CREATE TEMP TABLE several AS SELECT n, answer_eval(jsonb_build_object('checks',
	'[{"tool": "price", "expect": {"op": "eq", "value": 3}}]'::jsonb, 'evidence', facts::jsonb)) AS r
FROM (VALUES (1,
	'[{"fact": "price", "value": 3, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", '
	'"provenance": {"source": "a"}}, {"fact": "price", "args": {}, "value": 4, "timestamp": "2026-01-01T00:00:00Z", '
	'"provenance": {"source": "b"}}, {"fact": "price", "value": 5}]'),
	(2,
	'[{"fact": "price", "value": 3.0, "x": {"a": 1, "b": 2}}, {"x": {"b": 2.0, "a": 1}, "value": 3, "fact": "price"}]'),
	(3,
	'[{"fact": "price", "value": 3, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", '
	'"provenance": {"source": "a"}}, {"fact": "price", "value": 3.0, "timestamp": "2026-01-02T00:00:00Z", '
	'"expires": "2999-01-01T00:00:00Z", "provenance": {"source": "b"}}]'),
	(4,
	'[{"fact": "price", "value": 3, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", '
	'"provenance": {"source": "a"}}, {"fact": "price", "value": 4, "timestamp": "2026-01-02T00:00:00Z", '
	'"expires": "2999-01-01T00:00:00Z", "provenance": {"source": "b"}}]'),
	(5,
	'[{"fact": "price", "value": 3, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", '
	'"provenance": {"source": "a"}}, {"fact": "price", "value": 3, "timestamp": "2026-01-02T00:00:00Z", '
	'"expires": "2999-01-01T00:00:00Z", "provenance": {"source": "a"}}]'),
	(6, '[{"fact": "price", "timestamp": "when?", "expires": 7, "provenance": {"source": 7}}]')) AS v (n, facts);
SELECT n, h.verdict, h.confidence, h.verified, h.facts, jsonb_path_query_array(r, '$.checks[*].observed') AS observed,
	(SELECT string_agg((r -> 'evidence_index' -> d ->> 'value') || ': ' ||
	(r -> 'evidence_index' -> d #>> '{verification,confidence}'), ', ' ORDER BY i) FROM
	jsonb_array_elements_text(r #> '{checks,0,evidence}') WITH ORDINALITY AS e (d, i)) AS cited,
	(SELECT string_agg(DISTINCT concat_ws(' ', 'sources ' || (f.value #>> '{verification,sources}'),
	CASE WHEN (f.value #> '{verification,signals,corroborated}')::boolean THEN 'corroborated' END,
	CASE WHEN (f.value #> '{verification,signals,conflict}')::boolean THEN 'conflict' END,
	CASE WHEN (f.value #> '{verification,signals,signed}')::boolean THEN 'signed' END,
	CASE WHEN (f.value #> '{verification,verified}')::boolean THEN 'verified' END), '; ') FROM
	jsonb_each(r -> 'evidence_index') AS f) AS signals
FROM several, head_of(r) AS h ORDER BY n;
-- sources of one group corroborate no more here than elsewhere
SELECT answer_source_register('a', 'group'), answer_source_register('b', 'group');
SELECT DISTINCT f.value #> '{verification,signals,corroborated}' AS corroborated,
	f.value #> '{verification,sources}' AS sources FROM
	answer_eval('{"checks": [{"tool": "price"}], "evidence": [{"fact": "price", "value": 3, '
	'"timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", "provenance": {"source": "a"}}, '
	'{"fact": "price", "value": 3, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z", '
	'"provenance": {"source": "b"}}]}')
	AS r, jsonb_each(r -> 'evidence_index') AS f;

-- One transaction: what is rolled back never was; what is read-only issues nothing.
UPDATE before SET receipts = (SELECT count(*) FROM answer.receipt);
BEGIN;
SELECT answer_eval('{"checks": [{"tool": "ok"}]}') IS NOT NULL AS minted;
SELECT count(*) - (SELECT receipts FROM before) AS seen_inside FROM answer.receipt;
ROLLBACK;
SELECT attempt($$SELECT 1 / (answer_eval('{"checks": [{"tool": "ok"}]}') IS NULL)::int$$) AS failed_statement;
SELECT count(*) - (SELECT receipts FROM before) AS stored FROM answer.receipt;
\set VERBOSITY sqlstate
BEGIN READ ONLY;
SELECT answer_eval('{"checks": [{"tool": "ok"}]}');
ROLLBACK;
\set VERBOSITY terse
BEGIN READ ONLY;
SELECT answer_verify(r, answer_keys()) -> 'ok' AS verifying_writes_nothing,
	(answer_check('{"tool": "t"}', '{"value": 1}', now())).verdict FROM t;
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT c.verdict FROM checks_of(answer_eval('{"checks": [{"tool": "ok"}, {"tool": "raise"}]}')) AS c;
COMMIT;
-- in a function, in a loop, in a subtransaction
DO $$
BEGIN
	FOR i IN 1 .. 3 LOOP
		BEGIN
			PERFORM answer_eval('{"checks": [{"tool": "write_fail"}, {"tool": "ok"}]}');
			IF i = 2 THEN RAISE EXCEPTION 'undo'; END IF;
		EXCEPTION WHEN raise_exception THEN NULL;
		END;
	END LOOP;
END $$;
SELECT count(*) - (SELECT receipts FROM before) AS stored FROM answer.receipt;
-- with a cursor, once a row
SELECT count(*) AS rows, count(DISTINCT r ->> 'receipt_id') AS receipts FROM
	(SELECT answer_eval('{"checks": [{"tool": "ok"}]}') AS r FROM generate_series(1, 5)) AS x;

-- A request may require fresh evidence: a check whose evidence is not fresh is then not evaluable, observed or not.
SELECT attempt('SELECT answer_validate(''{"checks": [{"tool": "t"}], "require_fresh": ' || v || '}'')') AS validated
FROM unnest('{true,false,"null",1,"\"yes\""}'::text[]) AS v;
CREATE TEMP TABLE fresh AS SELECT required, answer_eval(jsonb_build_object('checks', '[
	{"id": "called", "tool": "ok", "expect": {"op": "eq", "value": 7}},
	{"id": "stale", "tool": "stored", "args": {"k": 2}, "expect": {"op": "eq", "value": 5}},
	{"id": "observed", "tool": "stored", "args": {"k": 2}, "observe": true, "required": false},
	{"id": "says nothing", "tool": "nope", "required": false},
	{"id": "supplied", "tool": "price", "expect": {"op": "gt", "value": 1}}]'::jsonb,
	'evidence', '[{"fact": "price", "value": 2, "timestamp": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z"},
	{"fact": "price", "value": 3}]'::jsonb) || required::jsonb) AS r
FROM (VALUES ('{}'), ('{"require_fresh": false}'), ('{"require_fresh": true}')) AS v (required);
SELECT required, r -> 'require_fresh' AS in_receipt, h.verdict, h.confidence, h.verified,
	(answer_replay(r) -> 'ok')::boolean AS replayed FROM fresh, head_of(r) AS h;
SELECT f.required, c.id, c.verdict, c.observed, c.explain,
	ageless(answer_canonical(f.e -> 'expectations')) AS expectations
FROM (SELECT required, r, n, e -> 'explain' AS e FROM fresh,
	jsonb_array_elements(r -> 'checks') WITH ORDINALITY AS x (e, n)) AS f,
	LATERAL (SELECT c.* FROM checks_of(f.r) WITH ORDINALITY AS c (id, verdict, confidence, observed, cites, explain, n)
	WHERE c.n = f.n) AS c
WHERE f.required <> '{"require_fresh": false}' ORDER BY f.required, f.n;
-- with another demand than the one signed, the replay says so; a demand of no sense is no receipt
SELECT v, answer_replay(jsonb_set(r, '{require_fresh}', v::jsonb)) #- '{checks}' #- '{evaluated_at}' AS replay
FROM fresh, unnest('{true,false,"null","\"yes\""}'::text[]) AS v WHERE required = '{"require_fresh": true}';
SELECT answer_replay(r - 'require_fresh') -> 'ok' AS ok FROM fresh WHERE required = '{"require_fresh": true}';
-- a question has its demand like checks
-- whatever the server's setting is
SELECT r -> 'require_fresh' AS require_fresh, r ->> 'verdict' IN ('supported', 'contradicted') AS judged,
	answer_verify(r) -> 'ok' AS ok
FROM answer_eval('{"question": "Is the setting fsync on?", "require_fresh": true}') AS r;
DROP TABLE fresh;

-- What a built-in tool takes for granted is written out: in the check, which says so, in the call and in the fact.
CREATE TEMP TABLE defaulted AS SELECT asked, answer_eval(asked::jsonb) AS r
FROM (VALUES ('{"checks": [{"tool": "postgres_database"}]}'),
	('{"checks": [{"tool": "postgres_database", "args": {}}]}'),
	('{"checks": [{"tool": "postgres_database", "args": {"name": null}}]}'),
	('{"checks": [{"tool": "postgres_database", "args": {"nome": "x"}}]}'),
	('{"checks": [{"tool": "postgres_database", "args": {"name": "template1"}}]}'),
	('{"checks": [{"tool": "ok"}, {"tool": "postgres_server"}]}'), ('{"question": "How big is this database?"}')) AS v
	(asked);
SELECT asked, replace((c -> 'args')::text, current_database(), 'this one') AS args, c -> 'defaulted' AS defaulted,
	c -> 'args' = f.value -> 'args' AS of_fact, c -> 'args' = r #> '{reproduce,calls,0,args}' AS of_call,
	answer_verify(r) -> 'ok' AS verified, answer_replay(r) -> 'ok' AS replayed
FROM defaulted, LATERAL (SELECT r #> '{checks,0}') AS x (c)
	LEFT JOIN LATERAL jsonb_each(r -> 'evidence_index') AS f ON f.key = c #>> '{evidence,0}';
-- asked with the name and without, it is one call
SELECT jsonb_array_length(r #> '{reproduce,calls}') AS calls,
	jsonb_path_query_array(r, '$.checks[*].defaulted') AS defaulted
FROM answer_eval(jsonb_build_object('checks', jsonb_build_array('{"tool": "postgres_database"}'::jsonb,
	jsonb_build_object('tool', 'postgres_database', 'args', jsonb_build_object('name', current_database()))))) AS r;
SELECT answer_fact('postgres_database') #>> '{args,name}' = current_database() AS fact_says_which;
-- the routing of a question replays only if what it is said to have left out was left out
SELECT what, answer_replay(t.r) #> '{routing,ok}' AS routing FROM defaulted AS d, LATERAL (VALUES ('as it is', d.r),
	('not said to be a default', d.r #- '{checks,0,defaulted}'),
	('another name', jsonb_set(d.r, '{checks,0,defaulted}', '["nome"]')),
	('no names', jsonb_set(d.r, '{checks,0,defaulted}', '{"name": 1}'))) AS t (what, r) WHERE asked LIKE '{"question%';
DROP TABLE defaulted;

-- The rules that took part are named.
SELECT asked, r #>> '{reproduce,evaluator,rules}' AS rules, (SELECT string_agg(k, ' ')
	FROM jsonb_object_keys(r #> '{reproduce,evaluator,digests}') AS k) AS digests
FROM (VALUES ('{"checks": [{"tool": "ok"}]}'), ('{"checks": [{"tool": "ok", "min_quality": "Weak"}]}'),
	('{"checks": [{"tool": "grep"}], "evidence": [{"fact": "grep", "raw": {"matches": []}}]}'),
	('{"question": "Is the setting fsync on?"}')) AS v (asked), answer_eval(asked::jsonb) AS r;

-- A tool that nobody registered: the closest ones of those that the caller may read.
CREATE ROLE regress_eval_narrow;
GRANT USAGE ON SCHEMA answer TO regress_eval_narrow;
GRANT EXECUTE ON FUNCTION answer_eval(jsonb), answer_fact(text, jsonb, timestamptz) TO regress_eval_narrow;
SELECT t AS tool, jsonb_path_query_array(answer_eval(jsonb_build_object('checks',
	jsonb_build_array(jsonb_build_object('tool', t)))), '$.checks[0].explain.*') AS explain
FROM unnest('{postgres_seting,postgres_databas,Ok,nope,x,"",postgres_setting_of_somebody}'::text[]) AS t WHERE t <> '';
\set VERBOSITY default
SELECT answer_fact('postgres_seting', '{"name": "fsync"}');
SELECT answer_fact('nothing_like_it');
SELECT answer_fact(repeat('é', 100));
SET ROLE regress_eval_narrow;
SELECT answer_fact('postgres_seting', '{"name": "fsync"}');
\set VERBOSITY terse
SELECT answer_eval('{"checks": [{"tool": "postgres_seting"}]}') #> '{checks,0,explain}' AS may_not_read;
RESET ROLE;
GRANT SELECT ON answer.tool TO regress_eval_narrow;
ALTER TABLE answer.tool ENABLE ROW LEVEL SECURITY;
CREATE POLICY some_tools ON answer.tool TO regress_eval_narrow USING (tool <> 'postgres_setting');
SET ROLE regress_eval_narrow;
SELECT answer_eval('{"checks": [{"tool": "postgres_seting"}, {"tool": "postgres_servar"}]}') #> '{checks}' @?
	'$[*].explain.closest[*] ? (@ == "postgres_setting")' AS sees_hidden_tool,
	answer_eval('{"checks": [{"tool": "postgres_servar"}]}') #> '{checks,0,explain,closest}' AS sees_its_own;
RESET ROLE;
-- a policy that fails does not fail the request
ALTER POLICY some_tools ON answer.tool USING (1 / (length(tool) - length(tool)) > 0);
SET ROLE regress_eval_narrow;
SELECT answer_eval('{"checks": [{"tool": "postgres_seting"}]}') #> '{checks,0,explain}' AS with_a_broken_policy;
RESET ROLE;
DROP POLICY some_tools ON answer.tool;
ALTER TABLE answer.tool DISABLE ROW LEVEL SECURITY;
DROP OWNED BY regress_eval_narrow;
DROP ROLE regress_eval_narrow;

-- What a request as a whole has wrong; a request beyond the cap is a warning.
\set VERBOSITY default
SELECT answer_validate('{"check": [{"tool": "t"}]}');
SELECT answer_validate('{"checks": [{"tool": "t"}], "deadline": 1}');
SELECT answer_validate('{"checks": [{"tool": "t"}], "deadline_ms": 0.5}');
SELECT answer_validate('{"checks": {"tool": "t"}}');
SELECT answer_validate('{"checks": [{"tool": "t"}, {"id": "B 2", "tool": "t", "expect": {"op": "=="}}]}');
SELECT jsonb_array_length(answer_validate(jsonb_build_object('checks',
	(SELECT jsonb_agg('{"tool": "t"}'::jsonb) FROM generate_series(1, 25)))) -> 'checks') AS checks;
\set VERBOSITY terse
-- also from a worker of a parallel query
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_leader_participation = off;
CREATE TABLE many_checks AS SELECT jsonb_build_object('checks', jsonb_agg('{"tool": "t"}'::jsonb)) AS request
FROM generate_series(1, 25);
ALTER TABLE many_checks SET (parallel_workers = 1);
SELECT count(*) FROM many_checks WHERE answer_validate(request) ? 'checks';
ROLLBACK;

-- All receipts there are verify.
SELECT count(*) > 20 AS many, count(*) FILTER (WHERE NOT (answer_verify(body) -> 'ok')::boolean) AS refused FROM
	answer.receipt;

DROP TABLE t, slow, supplied, several, before, written;
DROP FUNCTION checks_of, head_of, ageless, tool_ok, tool_echo, tool_null, tool_raise, tool_write, tool_write_fail,
	tool_sleep,
	tool_stubborn, tool_deep, tool_nested, tool_commit;
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
