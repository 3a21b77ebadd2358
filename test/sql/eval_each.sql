-- answer_eval_each: many requests in one statement.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';

SELECT answer_source_register('each_a', 'north'), answer_source_register('each_b', 'south');
SELECT answer_tool_register('each', required_args => '{n}', freshness => '36500 days', value_path => 'v');
SELECT count(answer_evidence_add('each', jsonb_build_object('n', n), jsonb_build_object('v', n), source,
	'2026-01-01Z'))
FROM generate_series(1, 20) AS n, unnest(ARRAY['each_a', 'each_b']) AS source;
CREATE FUNCTION each_double(args jsonb) RETURNS jsonb LANGUAGE sql STABLE
AS $$SELECT jsonb_build_object('v', 2 * (args ->> 'n')::int)$$;
SELECT answer_tool_register('each_double', 'each_double(jsonb)', required_args => '{n}', value_path => 'v');
CREATE FUNCTION each_request(n int, tool text DEFAULT 'each') RETURNS jsonb LANGUAGE sql IMMUTABLE
AS $$SELECT jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('id', 'c' || n, 'tool', tool,
	'args', jsonb_build_object('n', n), 'expect', jsonb_build_object('op', 'gte', 'value', 10))))$$;

-- A row for each request, in their order; each receipt is stored and verifies, and they have one instant.
CREATE TABLE each_result AS
SELECT * FROM answer_eval_each(ARRAY[each_request(9), each_request(10), each_request(3, 'each_double'),
	each_request(7, 'each_double'), each_request(21), each_request(1, 'nothing')]);
SELECT e.ordinal, e.receipt ->> 'verdict' AS verdict, e.error, answer_verify_ok(e.receipt) AS verifies,
	answer_replay(e.receipt) ->> 'ok' AS replays, r.body = e.receipt AS stored, u.digest IS NOT NULL AS unsealed
FROM each_result e LEFT JOIN answer.receipt r ON r.receipt_id = e.receipt ->> 'receipt_id'
LEFT JOIN answer.unsealed u ON u.receipt_id = r.receipt_id AND u.issued_at = r.issued_at ORDER BY e.ordinal;
SELECT count(DISTINCT receipt ->> 'evaluated_at') AS instants, count(DISTINCT receipt ->> 'receipt_id') AS receipts,
	array_agg(ordinal ORDER BY ordinal) = array_agg(n ORDER BY n) AS in_order
FROM (SELECT *, row_number() OVER ()::int AS n FROM answer_eval_each(
	(SELECT array_agg(jsonb_set(each_request(1 + i % 20), '{checks,0,id}', to_jsonb('i' || i)))
	FROM generate_series(0, 299) AS i))) AS e;

-- What a receipt says is what answer_eval says, but for what follows from the instant.
CREATE FUNCTION each_plain(receipt jsonb) RETURNS text LANGUAGE sql IMMUTABLE
AS $$SELECT regexp_replace(
	(receipt - '{receipt_id,signature,issued_at,evaluated_at,evidence_index}'::text[]
		#- '{reproduce,evaluator,uncommitted}')::text ||
	(SELECT coalesce(string_agg(f.value::text, '' ORDER BY f.value -> 'args'), '')
	FROM jsonb_each(receipt -> 'evidence_index') AS f),
	'"(sig|id|timestamp)": "[^"]*"|sha256:[0-9a-f]{64}| in a transaction that had written', '', 'g')$$;
CREATE TABLE each_case (n int PRIMARY KEY, request jsonb NOT NULL);
INSERT INTO each_case VALUES (1, each_request(1)), (2, each_request(12)), (3, each_request(5, 'each_double')),
	(4, '{"checks": [{"tool": "each", "args": {}}, {"tool": "each", "args": {"n": 3}},
		{"tool": "each", "args": {"n": 3}, "expect": {"op": "eq", "value": 3}, "required": false}]}'),
	(5, '{"checks": [{"tool": "mine", "expect": {"op": "eq", "value": 1}}], "require_fresh": true,
		"evidence": [{"fact": "mine", "value": 1, "provenance": {"source": "each_a"}}]}'),
	(6, '{"checks": [{"tool": "each", "args": {"n": 1000}}]}'), (7, '{"question": "nobody routes this"}');
INSERT INTO each_case SELECT 8, jsonb_build_object('checks', jsonb_agg(each_request(n) #> '{checks,0}'))
FROM generate_series(1, 22) AS n;
SELECT c.n, each_plain(e.receipt) IS NOT DISTINCT FROM each_plain(answer_eval(c.request)) AS same,
	e.receipt ->> 'verdict' AS verdict
FROM answer_eval_each((SELECT array_agg(request ORDER BY n) FROM each_case)) AS e
JOIN each_case c ON c.n = e.ordinal ORDER BY c.n;

-- The same request twice is one receipt, returned twice.
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each(array_fill(each_request(4), ARRAY[130]));
SELECT count(*) AS rows, count(DISTINCT e.receipt) AS receipts,
	(SELECT count(*) FROM answer.receipt r WHERE r.receipt_id = min(e.receipt ->> 'receipt_id')) AS stored,
	(SELECT count(*) FROM answer.unsealed u WHERE u.receipt_id = min(e.receipt ->> 'receipt_id')) AS leaves
FROM each_result AS e;

-- So it is where a tool is a function and nothing but receipts is written.
SELECT count(DISTINCT receipt ->> 'receipt_id') AS receipts,
	count(receipt #> '{reproduce,evaluator,uncommitted}') AS uncommitted
FROM answer_eval_each(array_fill('{"checks": [{"tool": "postgres_setting", "args": {"name": "port"}}]}'::jsonb,
	ARRAY[6]));

-- Equal requests are one receipt however far apart they are, and it is stored as the column says.
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each(
	(SELECT array_agg(each_request(1 + n % 3) ORDER BY n) FROM generate_series(1, 600) AS n));
SELECT e.receipt #>> '{checks,0,id}' AS id, count(*) AS rows, count(DISTINCT e.receipt) AS receipts,
	count(DISTINCT r.ctid) AS stored, bool_and(r.body = e.receipt) AS same, count(DISTINCT u.ctid) AS leaves,
	min(pg_column_compression(r.body)) IS NOT NULL AS compressed
FROM each_result AS e LEFT JOIN answer.receipt AS r ON r.receipt_id = e.receipt ->> 'receipt_id'
LEFT JOIN answer.unsealed AS u ON u.receipt_id = r.receipt_id GROUP BY 1 ORDER BY 1;
ALTER TABLE answer.receipt_default ALTER COLUMN body SET STORAGE EXTERNAL;
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each(ARRAY[each_request(1), each_request(2)]);
SELECT count(*) AS stored, bool_and(r.body = e.receipt) AS same, min(pg_column_compression(r.body)) IS NULL AS plain
FROM each_result AS e JOIN answer.receipt AS r ON r.receipt_id = e.receipt ->> 'receipt_id';
ALTER TABLE answer.receipt_default ALTER COLUMN body SET STORAGE EXTENDED;
ALTER TABLE answer.receipt_default SET (toast_tuple_target = 8160);
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each(ARRAY[each_request(1), each_request(2)]);
SELECT count(*) AS stored, bool_and(r.body = e.receipt) AS same, min(pg_column_compression(r.body)) IS NULL AS plain,
	min(pg_column_size(r.body)) > 2040 AS large
FROM each_result AS e JOIN answer.receipt AS r ON r.receipt_id = e.receipt ->> 'receipt_id';
ALTER TABLE answer.receipt_default RESET (toast_tuple_target);

-- No requests: no rows.
SELECT count(*) FROM answer_eval_each('{}');

-- Refused arguments.
SELECT * FROM answer_eval_each(NULL);
SELECT * FROM answer_eval_each(ARRAY[each_request(1)], NULL);
SELECT * FROM answer_eval_each(ARRAY[each_request(1)], 'ignore');
SELECT * FROM answer_eval_each(ARRAY[ARRAY[each_request(1)], ARRAY[each_request(2)]]);

-- A wrong request ends the batch, names itself, and nothing is stored; bounds do not count.
SELECT count(*) AS before FROM answer.receipt \gset
SELECT count(*) AS before_unsealed FROM answer.unsealed \gset
SELECT * FROM answer_eval_each(ARRAY[each_request(1), each_request(2), '{"checks": 3}']::jsonb[]);
SELECT * FROM answer_eval_each(ARRAY[each_request(1), NULL]);
SELECT * FROM answer_eval_each('[5:6]={"{\"checks\": [{\"tool\": \"each\", \"args\": {\"n\": 1}}]}",3}'::jsonb[]);
SELECT * FROM answer_eval_each((SELECT array_agg(CASE n WHEN 290 THEN '{}' ELSE each_request(n) END ORDER BY n)
	FROM generate_series(1, 300) AS n));
SELECT * FROM answer_eval_each(ARRAY[each_request(1), '{"checks": [{"tool": "each", "args": {"n": 1}}],
	"evidence": [{"fact": "each", "value": 1}]}']::jsonb[]);
SELECT count(*) = :before AS none_stored, (SELECT count(*) FROM answer.unsealed) = :before_unsealed AS none_unsealed
FROM answer.receipt;

-- Skipped, it is a row that says why, and the others are stored.
SELECT ordinal, receipt ->> 'verdict' AS verdict, error FROM answer_eval_each(ARRAY[each_request(11), NULL, '3', '{}',
	'{"checks": 3}', '{"checks": [{"tool": "each", "args": {"n": 1}, "expect": {"op": "near", "value": 1}}]}',
	'{"checks": [{"tool": "each", "args": {"n": 1}}], "evidence": [{"fact": "each", "value": 1}]}', '{"question": 7}',
	each_request(12)]::jsonb[], 'skip');
SELECT count(*) FILTER (WHERE error IS NULL) AS receipts,
	count(*) FILTER (WHERE error ->> 'sqlstate' = '22023') AS errors,
	bool_and((error IS NULL) <> (receipt IS NULL)) AS either
FROM answer_eval_each((SELECT array_agg(CASE WHEN n % 7 = 0 THEN '[]' ELSE each_request(n) END)
	FROM generate_series(1, 700) AS n), 'skip');

-- What was forgotten is not signed again; what the others rest on is not touched by that.
SELECT answer_forget(answer.evidence_digest('each', '{"n": 20}', '{"v": 20}', source, '2026-01-01Z', NULL),
	'a test') ? 'receipts' AS forgotten
FROM unnest(ARRAY['each_a', 'each_b']) AS source;
SELECT ordinal, receipt ->> 'verdict' AS verdict, error
FROM answer_eval_each(ARRAY[each_request(19), each_request(20)], 'skip');
-- Behind the functions it comes back, as evidence that must not be stored again.
INSERT INTO answer.evidence (digest, tool, args, args_digest, raw, source, observed_at)
SELECT answer.evidence_digest('each', '{"n": 20}', '{"v": 20}', 'each_a', '2026-01-01Z', NULL), 'each', '{"n": 20}',
	answer_digest('{"n": 20}'), '{"v": 20}', 'each_a', '2026-01-01Z';
INSERT INTO answer.evidence_series (tool, args_digest, source) VALUES ('each', answer_digest('{"n": 20}'), 'each_a');
SELECT ordinal, receipt ->> 'verdict' AS verdict, error ->> 'sqlstate' AS sqlstate
FROM answer_eval_each(ARRAY[each_request(19), each_request(20), each_request(18)], 'skip');
SELECT count(*) FROM answer_eval_each(ARRAY[each_request(19), each_request(20), each_request(18)]);
DELETE FROM answer.evidence WHERE tool = 'each' AND args = '{"n": 20}';

-- A handler that fails, or has nothing, is a verdict, as it is alone; what it wrote is told.
CREATE FUNCTION each_fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql
AS $$BEGIN IF (args ->> 'n')::int % 2 = 0 THEN RAISE 'even'; END IF; RETURN '{"v": 11}'; END$$;
SELECT answer_tool_register('each_fails', 'each_fails(jsonb)', required_args => '{n}', value_path => 'v');
SELECT ordinal, receipt ->> 'verdict' AS verdict, receipt #>> '{checks,0,explain,message}' AS message
FROM answer_eval_each((SELECT array_agg(each_request(n, 'each_fails') ORDER BY n) FROM generate_series(1, 4) AS n));

-- A trigger of a user's on the receipts fires for each, and what it refuses can be skipped.
CREATE FUNCTION each_guard() RETURNS trigger LANGUAGE plpgsql
AS $$BEGIN
	IF NEW.body @> '{"checks": [{"id": "c13"}]}' THEN RAISE 'unlucky' USING ERRCODE = '23514'; END IF;
	RETURN NEW;
END$$;
CREATE TRIGGER each_guard BEFORE INSERT ON answer.receipt FOR EACH ROW EXECUTE FUNCTION each_guard();
SELECT count(*) FROM answer_eval_each(ARRAY[each_request(12), each_request(13), each_request(14)]);
TRUNCATE each_result;
INSERT INTO each_result
SELECT * FROM answer_eval_each(ARRAY[each_request(12), each_request(13), each_request(14)], 'skip');
SELECT ordinal, receipt ->> 'verdict' AS verdict, error,
	(SELECT count(*) FROM answer.receipt r WHERE r.receipt_id = e.receipt ->> 'receipt_id') AS stored
FROM each_result AS e ORDER BY ordinal;
SELECT answer_eval(each_request(13));
DROP TRIGGER each_guard ON answer.receipt;

-- So can what an index of a user's refuses, where rows go in together: the others are stored then.
CREATE FUNCTION each_indexed(body jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE
AS $$BEGIN
	IF body @> '{"checks": [{"id": "unlucky"}]}' THEN RAISE 'not to be indexed' USING ERRCODE = '22023'; END IF;
	RETURN body ->> 'verdict';
END$$;
CREATE INDEX each_indexed ON answer.receipt (each_indexed(body));
SELECT count(*) FROM answer_eval_each(ARRAY[each_request(12),
	jsonb_set(each_request(13), '{checks,0,id}', '"unlucky"'), each_request(14)]);
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each(ARRAY[each_request(12),
	jsonb_set(each_request(13), '{checks,0,id}', '"unlucky"'), each_request(14), each_request(12), '{}',
	each_request(3, 'each_double')], 'skip');
SELECT ordinal, receipt ->> 'verdict' AS verdict, error,
	(SELECT count(*) FROM answer.receipt r
		WHERE r.receipt_id = e.receipt ->> 'receipt_id' AND r.body = e.receipt) AS stored,
	(SELECT count(*) FROM answer.unsealed u WHERE u.receipt_id = e.receipt ->> 'receipt_id') AS unsealed
FROM each_result AS e ORDER BY ordinal;
-- Only the slice with the refused row is stored one by one, also where the next one has a request of it again.
TRUNCATE each_result;
INSERT INTO each_result SELECT * FROM answer_eval_each((SELECT array_agg(jsonb_set(each_request(9), '{checks,0,id}',
	CASE n WHEN 10 THEN '"unlucky"' WHEN 20 THEN '"n19"' WHEN 300 THEN '"n100"' ELSE to_jsonb('n' || n) END) ORDER BY n)
	FROM generate_series(1, 512) AS n), 'skip');
SELECT e.ordinal > 256 AS next, count(*) AS rows, count(DISTINCT r.ctid) AS stored,
	count(DISTINCT r.xmin::text) AS subtransactions
FROM each_result AS e JOIN answer.receipt AS r ON r.receipt_id = e.receipt ->> 'receipt_id' AND r.body = e.receipt
WHERE e.ordinal <> 300 GROUP BY 1 ORDER BY 1;
DROP INDEX answer.each_indexed;
DROP FUNCTION each_indexed;

-- What the handlers of a batch wrote goes with it.
CREATE TABLE each_written (n int);
CREATE FUNCTION each_writes(args jsonb) RETURNS jsonb LANGUAGE sql
AS $$INSERT INTO each_written VALUES ((args ->> 'n')::int) RETURNING jsonb_build_object('v', n)$$;
SELECT answer_tool_register('each_writes', 'each_writes(jsonb)', required_args => '{n}', value_path => 'v');
SELECT count(*) FROM answer_eval_each(ARRAY[each_request(1, 'each_writes'), '{}']);
SELECT count(*) FROM each_written;
SELECT ordinal, receipt ->> 'verdict' AS verdict, receipt #> '{reproduce,evaluator,uncommitted}' AS uncommitted,
	error ->> 'sqlstate' AS sqlstate
FROM answer_eval_each(ARRAY[each_request(1, 'each_writes'), '{}', each_request(2, 'each_writes')], 'skip');
SELECT count(*) FROM each_written;
DROP TABLE each_written;

-- Of a request that is skipped nothing stays in the transaction's memory.
BEGIN;
SELECT count(error) FROM answer_eval_each(array_fill('{"question": 7}'::jsonb, ARRAY[300]), 'skip');
SELECT sum(used_bytes) AS before FROM pg_backend_memory_contexts WHERE name = 'TopTransactionContext' \gset
SELECT count(error) FROM answer_eval_each(array_fill('{"question": 7}'::jsonb, ARRAY[3000]), 'skip');
SELECT sum(used_bytes) - :before < 32768 AS bounded FROM pg_backend_memory_contexts
WHERE name = 'TopTransactionContext';
ROLLBACK;

-- While the clock is set back, a handler signs at the batch's instant: what both ask is one receipt.
CREATE FUNCTION each_asks(args jsonb) RETURNS jsonb LANGUAGE sql
AS $$SELECT '{"v": 1}'::jsonb FROM answer_eval(each_request(7))$$;
SELECT answer_tool_register('each_asks', 'each_asks(jsonb)', required_args => '{n}', value_path => 'v');
BEGIN;
ALTER TABLE answer.signing_key DISABLE TRIGGER USER;
UPDATE answer.signing_key SET active_from = now() + interval '1 hour' WHERE status = 'active';
ALTER TABLE answer.signing_key ENABLE TRIGGER USER;
SELECT count(receipt) FROM answer_eval_each((SELECT array_agg(CASE n WHEN 300 THEN each_request(1, 'each_asks')
	WHEN 301 THEN each_request(7) ELSE jsonb_set(each_request(7), '{checks,0,id}', to_jsonb('i' || n)) END ORDER BY n)
	FROM generate_series(1, 301) AS n));
SELECT count(*) FROM answer.receipt WHERE body @> '{"checks": [{"id": "c7"}]}' AND issued_at > clock_timestamp();
ROLLBACK;

-- A column of a user's, with a default and without, a check, and a rule.
ALTER TABLE answer.receipt ADD COLUMN each_note text, ADD COLUMN each_mark text DEFAULT 'marked';
SELECT receipt ->> 'receipt_id' AS id FROM answer_eval_each(ARRAY[each_request(1)]) \gset
SELECT each_note, each_mark FROM answer.receipt WHERE receipt_id = :'id';
ALTER TABLE answer.receipt DROP COLUMN each_mark;
ALTER TABLE answer.receipt ADD CONSTRAINT each_check CHECK (verdict <> 'evidenced') NOT VALID;
SELECT ordinal, receipt ->> 'verdict' AS verdict, error ->> 'sqlstate' AS sqlstate
FROM answer_eval_each(ARRAY['{"checks": [{"tool": "each", "args": {"n": 1}}]}', each_request(1)]::jsonb[], 'skip');
ALTER TABLE answer.receipt DROP CONSTRAINT each_check, DROP COLUMN each_note;
SELECT receipt ->> 'receipt_id' AS id FROM answer_eval_each(ARRAY[each_request(2)]) \gset
SELECT count(*) FROM answer.receipt WHERE receipt_id = :'id';

-- Not in a read-only transaction; nobody may who was not given the right.
BEGIN READ ONLY;
SELECT * FROM answer_eval_each(ARRAY[each_request(1)]);
ROLLBACK;
CREATE ROLE regress_each;
SET ROLE regress_each;
SELECT * FROM answer_eval_each('{}');
RESET ROLE;
DROP ROLE regress_each;

-- Nothing is under way that others could see, after all these errors.
SELECT count(*) FROM answer.eval_progress;
-- A batch that a handler sees from within.
CREATE FUNCTION each_progress(args jsonb) RETURNS jsonb LANGUAGE sql STABLE
AS $$SELECT jsonb_build_object('v', jsonb_build_array(p.requests, p.done, p.refused, p.pid = pg_backend_pid()))
	FROM answer.eval_progress p$$;
SELECT answer_tool_register('each_progress', 'each_progress(jsonb)', value_path => 'v');
SELECT ordinal, receipt #> '{checks,0,observed}' AS observed FROM answer_eval_each(
	array_fill('{"checks": [{"tool": "each_progress"}]}'::jsonb, ARRAY[2]));

-- A million requests in a table go through it in slices, here of ten.
CREATE TABLE each_claim AS SELECT n, each_request(n) AS request FROM generate_series(1, 95) AS n;
SELECT count(*) AS receipts, count(DISTINCT e.receipt ->> 'receipt_id') AS ids,
	bool_and(e.receipt #>> '{checks,0,id}' = 'c' || s.ns[e.ordinal]) AS match
FROM (SELECT array_agg(n ORDER BY n) AS ns, array_agg(request ORDER BY n) AS requests
	FROM each_claim GROUP BY n / 10) AS s, LATERAL answer_eval_each(s.requests) AS e;

DROP TABLE each_case, each_claim, each_result;
SELECT answer_tool_remove(tool)
FROM unnest('{each,each_asks,each_double,each_fails,each_progress,each_writes}'::text[]) AS tool;
SELECT answer_source_remove('each_a'), answer_source_remove('each_b');
DROP FUNCTION each_request, each_asks, each_plain, each_double, each_fails, each_guard, each_progress, each_writes;
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
