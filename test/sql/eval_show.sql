-- Receipts for people: rows, one sentence, one name for verifying.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;

-- Stored readings, so that what is shown does not depend on this server.
SELECT answer_source_register('shown_warehouse');
SELECT answer_tool_register('shown_stock', required_args => '{item}', value_path => 'pieces',
	freshness => '36500 days');
SELECT count(answer_evidence_add('shown_stock', jsonb_build_object('item', item), raw, 'shown_warehouse',
	'2026-01-31 08:00Z'))
FROM (VALUES ('bolt', '{"pieces": 1200, "place": "A 7", "version": "3.1"}'::jsonb),
	('nut', '{"pieces": "many"}')) AS v (item, raw);
CREATE FUNCTION shown_broken(args jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS
$$ BEGIN RAISE EXCEPTION USING errcode = '22012', message = E'no \x1b[31mluck'; END $$;
SELECT answer_tool_register('shown_broken', 'shown_broken(jsonb)');

CREATE TABLE shown (n int GENERATED ALWAYS AS IDENTITY, what text, receipt jsonb);
INSERT INTO shown (what, receipt) SELECT what, answer_eval(request) FROM (VALUES
	(1, 'one check holds',
		'{"checks": [{"id": "enough", "tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "gte", '
			'"value": 1000}}]}'::jsonb),
	(2, 'one check fails',
		'{"checks": [{"id": "enough", "tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "gte", '
			'"value": 2000}}]}'),
	(3, 'several expectations',
		'{"checks": [{"id": "both", "tool": "shown_stock", "args": {"item": "bolt"}, "expect":
		[{"op": "pct_within", "value": 1000, "tol": 25}, {"path": "place", "op": "starts_with", "value": "B"}, '
		'{"path": "row", "op": "exists"}, {"path": "version", "op": "eq", "value": "3.10"}]}]}'),
	(4, 'a value', '{"checks": [{"id": "pieces", "tool": "shown_stock", "args": {"item": "bolt"}}]}'),
	(5, 'every verdict',
		'{"checks": [{"id": "a", "tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "gte", '
		'"value": 1000}},
		{"id": "b", "tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "eq", "value": 7}, '
		'"required": false},
		{"id": "c", "tool": "shown_stock", "args": {"item": "nut"}, "expect": {"op": "gte", "value": 7}}, {"id": "d", '
		'"tool": "shown_stock"},
		{"id": "e", "tool": "nothing"}, {"id": "f", "tool": "shown_broken"}, {"id": "g", "tool": "shown_stock", '
		'"args": {"item": "bolt"}}]}'),
	(6, 'optional checks only',
		'{"checks": [{"id": "a", "tool": "nothing", "required": false}, {"id": "b", "tool": "shown_stock", '
		'"args": {"item": "bolt"},
		"expect": {"op": "eq", "value": 7}, "required": false}]}'),
	(7, 'all hold',
		'{"checks": [{"tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "gt", "value": 1}},
		{"tool": "shown_stock", "args": {"item": "bolt"}, "expect": {"op": "lt", "value": 9999}}, '
		'{"tool": "shown_stock", "args": {"item": "bolt"}}]}'),
	(8, 'a fact of the caller',
		'{"checks": [{"id": "theirs\u001b]0;x\u0007", "tool": "t", "expect": {"op": "eq", "value": "safe\u202eexe"}}],
		"evidence": [{"fact": "t", "args": {}, "value": "line\nbreak\u009b31m"}]}'))
	AS v (i, what, request) ORDER BY i;
INSERT INTO shown (what, receipt)
	SELECT 'more than 20 checks',
		answer_eval(jsonb_build_object('checks', jsonb_agg(jsonb_build_object('tool', 'shown_stock',
	'args', '{"item": "bolt"}'::jsonb, 'expect', '{"op": "gt", "value": 1}'::jsonb)))) FROM generate_series(1, 23);
INSERT INTO shown (what, receipt) SELECT 'a question', answer_ask('Is the setting server_encoding on?');
INSERT INTO shown (what, receipt) SELECT 'a refusal', answer_ask('Who am I?');
SELECT answer_investigation_open('Locate', 'Where is the engine?') AS i \gset
SELECT (answer_investigation_record(:i, 'grep', 'engine', 'src/engine.c',
	'{"match": "phrase", "match_count": 3}')).quality;
INSERT INTO shown (what, receipt) SELECT 'an investigation', answer_quality_receipt(:i);
SELECT (answer_investigation_record(:i, 'read', 'engine', 'src/engine.c',
	'{"selection": "ranked", "files_read": 1}')).quality;
INSERT INTO shown (what, receipt) SELECT 'a complete investigation', answer_quality_receipt(:i);
SELECT answer_investigation_open('Chat', 'Hello?') AS i \gset
INSERT INTO shown (what, receipt) SELECT 'nothing was required', answer_quality_receipt(:i);

SELECT what, s.*
FROM shown, answer_show(receipt) WITH ORDINALITY AS s WHERE what <> 'more than 20 checks' ORDER BY n, s.ordinality;
SELECT verdict, count(*), min(reason) AS reason
FROM shown, answer_show(receipt) WHERE what = 'more than 20 checks' GROUP BY 1 ORDER BY 2;
SELECT what, answer_summary(receipt) FROM shown ORDER BY n;

-- What was forgotten: a receipt, and evidence.
SELECT answer_forget(receipt ->> 'receipt_id', E'erasure\trequest') IS NOT NULL AS forgotten
FROM shown WHERE what = 'one check fails';
SELECT answer_forget(digest, 'moved out') IS NOT NULL AS forgotten FROM answer.evidence WHERE args = '{"item": "nut"}';
SELECT s.*,
	regexp_replace(regexp_replace(answer_summary(body), '20[-0-9T:.]+Z', '<instant>'), '(ans_|sha256:)[0-9a-f]+',
		'\1<hex>') AS summary
FROM answer.tombstone AS t, answer_show(body) AS s
WHERE t.reason IN (E'erasure\trequest', 'moved out') ORDER BY t.forgotten_at;

-- Kinds that nothing here knows, and receipts that are not whole.
SELECT answer_summary(d), answer_show(d) FROM (VALUES
	('{"schema": "change/v1", "receipt_id": "chg_0123456789abcdef", "issued_at": "2026-01-31T08:00:00Z", '
		'"issuer": "here", "verdict": "promoted", "confidence": 1}'::jsonb),
	('{"schema": "other/v9"}'), ('{"schema": "answer/tombstone/v1"}'), ('{"schema": "quality/v1", "classes": []}'),
	('{"schema": "answer/v1", "checks": []}'), ('{"schema": "answer/v1", "checks": [{}]}'),
	('{"schema": "answer/v1", "checks": [{"explain": 7, "expect": {}, "confidence": "0.8", "observed": null, '
		'"required": 0}, {"verdict": ["x"]}]}'),
	('{"schema": "answer/v1", "checks": [{"verdict": "supported", "confidence": 1e-400, "expect": [3, {"op": "eq"}, '
		'{}], "explain": {"expectations": [1], "summary": {"a": "\u001b"}}}], "confidence": 1e400, '
		'"verdict": "supported"}'),
	('{"schema": "answer/v1", "checks": [{"confidence": -0.1}, {"confidence": 1.1}, '
		'{"confidence": 0.999999999999999999}], "verdict": "insufficient_evidence"}'))
	AS v (d);

-- What is no document is refused, and the error says what it is.
\set VERBOSITY default
SELECT answer_show(NULL);
SELECT answer_show('[1, 2]');
SELECT answer_show('"ans_0123456789abcdef"');
SELECT answer_show('null');
SELECT answer_show('{"a": "\u001b[2J", "schema": 4}');
SELECT answer_show('{}');
SELECT answer_show('{"schema": "answer/v1"}');
SELECT answer_show('{"schema": "quality/v1", "classes": {}}');
SELECT answer_show('{"schema": "answer/v1", "checks": [{}, "two"]}');
SELECT answer_summary(NULL);
SELECT answer_summary('[]');
\set SHOW_CONTEXT errors
SELECT answer_summary(NULL);
\set SHOW_CONTEXT never
\set VERBOSITY sqlstate
SELECT answer_show(NULL);
SELECT answer_summary('7');
\set VERBOSITY terse

-- Any member of any document, exchanged for any other value or left out: shown, or refused as said.
CREATE FUNCTION shown_state(d jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE WHEN (SELECT count(*) FROM answer_show(d)) > 0 AND length(answer_summary(d)) > 10 THEN 'shown'
		ELSE 'nothing' END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
WITH RECURSIVE document AS (
	SELECT receipt - '{rules,entries,coverage,evidence_index,reproduce,signature}'::text[] AS d FROM shown
	WHERE what IN ('several expectations', 'a refusal', 'an investigation')
	UNION ALL SELECT body FROM answer.tombstone WHERE reason = 'moved out'
), place (d, path, value) AS (
	SELECT d, '{}'::text[], d FROM document
	UNION ALL SELECT p.d, p.path || c.k, c.v FROM place AS p, LATERAL (
		SELECT k, v FROM jsonb_each(CASE jsonb_typeof(p.value) WHEN 'object' THEN p.value ELSE '{}' END) AS e (k, v)
		UNION ALL SELECT (i - 1)::text, v
		FROM jsonb_array_elements(CASE jsonb_typeof(p.value) WHEN 'array' THEN p.value
			ELSE '[]' END) WITH ORDINALITY AS e (v, i)) AS c
), changed AS (
	SELECT jsonb_set(d, path, v) AS d
	FROM place, unnest('{"null",-1e400,1e-400,"\"\"","[[]]","{}"}'::jsonb[]) AS v WHERE path <> '{}'
	UNION ALL SELECT d #- path FROM place
)
SELECT shown_state(d) AS state, count(*) > 100 AS many FROM changed GROUP BY 1 ORDER BY 1;
DROP FUNCTION shown_state(jsonb);

-- A terminal gets no control character, and nothing that hides or turns text.
SELECT answer_readable('"plain, é, 日本"'), answer_readable('true'), answer_readable('null'),
	answer_readable(NULL) IS NULL AS null_is_null,
	answer_readable('{"a": "b\n"}'), answer_readable('"\\"'), answer_readable('""') = '' AS empty;
SELECT count(*) AS characters,
	count(*) FILTER (WHERE answer_readable(to_jsonb(chr(c)))
		~ '^"(\\u[0-9a-f]{4}|\\u[0-9a-f]{4}\\u[0-9a-f]{4}|\\[bfnrt])"$') AS escaped,
	count(*) FILTER (WHERE answer_readable(to_jsonb(chr(c))) = chr(c)) AS as_it_is
FROM (SELECT generate_series(1, 31) UNION SELECT generate_series(127, 159)
	UNION SELECT generate_series(x'200b'::int, x'200f'::int) UNION SELECT generate_series(x'2028'::int, x'202e'::int)
	UNION SELECT generate_series(x'2060'::int, x'206f'::int)
	UNION SELECT unnest(ARRAY[x'61c'::int, x'180e'::int, x'feff'::int, x'e0001'::int, x'e007f'::int])) AS v (c);
SELECT count(*) AS characters
FROM generate_series(32, 9000) AS c
WHERE c NOT BETWEEN 127 AND 159 AND c NOT BETWEEN 8203 AND 8303 AND c NOT IN (1564, 6158)
	AND answer_readable(to_jsonb(chr(c))) IS DISTINCT FROM chr(c);
SELECT length(answer_readable(to_jsonb(repeat('x', n)))) AS length,
	right(answer_readable(to_jsonb(repeat('x', n))), 4) AS "end"
FROM unnest('{199, 200, 201, 1000000}'::int[]) AS n;
SELECT length(answer_readable(to_jsonb(repeat(E'\u202e', 1000)))) AS length;
-- put into every text of every document that was shown, one comes out nowhere
CREATE FUNCTION poisoned(value jsonb, bad text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT CASE jsonb_typeof(value)
		WHEN 'string' THEN to_jsonb(CASE value #>> '{}' WHEN 'answer/v1' THEN 'answer/v1'
			WHEN 'quality/v1' THEN 'quality/v1' ELSE value #>> '{}' || bad END)
		WHEN 'array' THEN (SELECT coalesce(jsonb_agg(poisoned(e, bad)), '[]') FROM jsonb_array_elements(value) AS e)
		WHEN 'object' THEN (SELECT coalesce(jsonb_object_agg(k, poisoned(e, bad)), '{}')
			FROM jsonb_each(value) AS x (k, e)) ELSE value END $$;
SELECT count(*) > 100 AS many,
	count(*) FILTER (WHERE line ~ E'[\u0001-\u001f\u007f-\u009f\u202e\u200b]') AS with_a_control
FROM (SELECT receipt FROM shown UNION ALL SELECT body FROM answer.tombstone) AS d (receipt),
	unnest(ARRAY[E'\u001b[2J', E'\u009b', E'\u202e', E'\n\u200b']) AS bad,
	LATERAL (SELECT poisoned(receipt, bad)) AS p (receipt),
	LATERAL (SELECT answer_summary(p.receipt) UNION ALL SELECT concat_ws('|', "check", verdict, observed, reason)
		FROM answer_show(p.receipt)) AS l (line);

-- Settings change nothing, and nothing depends on where names are looked up.
CREATE TABLE before AS SELECT n, answer_summary(receipt), (SELECT jsonb_agg(s) FROM answer_show(receipt) AS s) AS show
FROM shown;
CREATE SCHEMA trap;
CREATE FUNCTION trap.format(text, VARIADIC text[]) RETURNS text LANGUAGE sql AS $$ SELECT 'trap' $$;
CREATE FUNCTION trap.answer_readable(jsonb) RETURNS text LANGUAGE sql AS $$ SELECT 'trap' $$;
CREATE FUNCTION unlike() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM public.before b JOIN public.shown s USING (n)
	WHERE b.answer_summary IS DISTINCT FROM public.answer_summary(s.receipt)
		OR b.show IS DISTINCT FROM (SELECT jsonb_agg(r) FROM public.answer_show(s.receipt) AS r) $$;
\c -
SET client_min_messages = error;
SET standard_conforming_strings = off;
SET backslash_quote = off;
SET transform_null_equals = on;
SET quote_all_identifiers = on;
SET extra_float_digits = -15;
SET array_nulls = off;
SET search_path = trap, pg_catalog, public;
SET plpgsql.variable_conflict = use_column;
SET plpgsql.extra_errors = 'all';
SET DateStyle = 'German';
SET lc_numeric = 'C';
SET jit = off;
SELECT public.unlike();
\c -
SET client_min_messages = error;
SET plpgsql.variable_conflict = use_variable;
SET plpgsql.extra_errors = 'shadowed_variables';
SET escape_string_warning = on;
SET backslash_quote = on;
SELECT unlike();
RESET ALL;
\set VERBOSITY terse
\set SHOW_CONTEXT never
-- and everybody may, in parallel
ALTER TABLE shown SET (parallel_workers = 2);
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(answer_summary(receipt)) FROM shown;
SELECT count(answer_summary(receipt)) FROM shown;
RESET ALL;
CREATE ROLE regress_reader_of_shown;
GRANT SELECT ON shown TO regress_reader_of_shown;
SET ROLE regress_reader_of_shown;
SELECT count(answer_summary(receipt)), count(answer_readable(receipt)) FROM shown;
RESET ROLE;

-- A large document costs in proportion.
CREATE TABLE large AS
	SELECT jsonb_build_object('schema', 'answer/v1', 'verdict', 'supported', 'checks',
		jsonb_agg(jsonb_build_object('id', i, 'verdict', 'supported', 'observed', repeat('x', 50)))) AS d
	FROM generate_series(1, 5000) AS i;
SELECT count(*) FROM large, answer_show(d);
SELECT answer_summary(d) FROM large;

-- A plan: its verdict, its caveats, its steps, why there is no answer.  Nothing that a document lacks, or has in
-- another type, stops it.
CREATE TABLE plans (n int, d jsonb);
INSERT INTO plans VALUES
	(1, '{"schema": "plan/v1", "verdict": "answered", "reason": null, "caveats": ["hedged", 7],
		"plan": {"plan_id": "a\"b"}, "budget_used": {"cost_usd": 0.0021},
		"response": {"text": "x\u001b[1m [1]", "evidence": {"confidence": 0.91}},
		"trace": [{"event": {"step": "find", "outcome": "ok", "reason": null}},
			{"event": {"step": "keep", "outcome": "refused", "reason": "the gate\u0007"}}]}'),
	(2, '{"schema": "plan/v1", "verdict": "blocked", "response": null, "plan": {"plan_id": "p"},
		"budget_used": {"cost_usd": 0}, "caveats": [],
		"reason": {"kind": "condition", "message": "the condition is \"false\""},
		"trace": [{"event": {"step": "n", "outcome": "blocked", "reason": "the condition"}}]}'),
	(3, '{"schema": "plan/v1", "verdict": "answered", "budget_used": {"cost_usd": 1}, "plan": {"plan_id": "p"},
		"response": {"text": "t", "evidence": null, "degraded": true}}'),
	(4, '{"schema": "plan/v1"}'),
	(5, '{"schema": "plan/v1", "verdict": 7, "reason": "x", "response": [], "caveats": {},
		"trace": "x", "plan": [], "budget_used": 1}'),
	(6, '{"schema": "plan/v1", "response": {"evidence": {"confidence": 1e300}}, "trace": [7, {"event": []}]}');
SELECT n, answer_summary(d) FROM plans ORDER BY n;
SELECT n, s.* FROM plans, answer_show(d) WITH ORDINALITY AS s ("check", verdict, confidence, observed, reason, line)
ORDER BY n, line;

-- One name for verifying.
SELECT what, answer_verify_document(receipt) = answer_verify(receipt) AS same,
	answer_verify_document(receipt, answer_keys()) ->> 'ok' AS ok,
	answer_verify_document(receipt, '{}') ->> 'ok' AS without_keys
FROM shown ORDER BY n;
SELECT answer_verify_document(NULL) = answer_verify(NULL::jsonb) AS of_null,
	answer_verify_document('7', '{}') ->> 'ok' AS of_nonsense;
SET ROLE regress_reader_of_shown;
SELECT count(*) AS verified_by_anybody FROM shown WHERE answer_verify_document(receipt, '{}') IS NOT NULL;
\set VERBOSITY sqlstate
SELECT answer_verify_document('{"schema": "x", "signature": {"alg": "Ed25519", "key_id": "ae-ed25519-000000000000", '
	'"canonicalization": "json-sorted-compact", "sig": ""}}');
RESET ROLE;
REVOKE ALL ON shown FROM regress_reader_of_shown;
DROP ROLE regress_reader_of_shown;
DROP FUNCTION unlike(), poisoned(jsonb, text);
DROP TABLE shown, before, large, plans;
DROP SCHEMA trap CASCADE;

-- A refusal says the number, what it needs and the key; what a document does not state is not told.
SELECT n, (answer_show(d)).reason FROM (VALUES
	(1, '{"schema": "decision/v1", "decision": "ABSTAIN", "reasons": ["low_retrieval_confidence",
		"insufficient_retrieval_hits"], "user_message": "No.", "risk": {"risk_level": "high"},
		"signals": {"retrieval_confidence_max": 0.6996, "retrieval_hit_count": 1},
		"thresholds": {"conf_max": 0.70, "min_chunks": 2, "freshness_days": 30}}'::jsonb),
	(2, '{"schema": "decision/v1", "decision": "ABSTAIN", "reasons": ["stale_documents"], "user_message": "Old.",
		"risk": {"risk_level": "medium"}, "config": {"freshness_days": 90}, "thresholds": {"freshness_days": 90},
		"retrieval_quality": {"freshness": {"oldest_timestamp": "2025-01-01"}}}'),
	(3, '{"schema": "decision/v1", "decision": "ABSTAIN", "reasons": ["stale_documents"],
		"risk": {"risk_level": "high"}, "config": {"freshness_days": 90}, "thresholds": {"freshness_days": 30},
		"retrieval_quality": {"freshness": {"oldest_timestamp": null}}}'),
	(4, '{"schema": "decision/v1", "decision": "ABSTAIN", "thresholds": "none",
		"reasons": ["low_retrieval_confidence", "conflict_detected", 7]}'),
	(5, '{"schema": "plan/v1", "verdict": "blocked",
		"policy": {"min_confidence": 0.9, "block_if_conflict_over": 0.3},
		"reason": {"kind": "confidence", "node": "q", "message": "the confidence of the evidence is 0.89"}}'),
	(6, '{"schema": "plan/v1", "verdict": "blocked",
		"policy": {"min_confidence": 0.9, "block_if_conflict_over": 0.3},
		"reason": {"kind": "conflict", "node": "q", "message": "the evidence is contradicted with a weight of 0.25"},
		"trace": [{"event": {"step": "q", "outcome": "blocked"},
			"inputs": {"policy": {"block_if_conflict_over": 0.2}}}]}'),
	(7, '{"schema": "plan/v1", "verdict": "blocked",
		"reason": {"kind": "confidence", "node": "q", "message": "the confidence of the evidence is 0.89"}}'),
	(8, '{"schema": "plan/v1", "verdict": "refused", "limits": {"cost_usd": 0.01, "latency_ms": null},
		"reason": {"kind": "budget", "message": "it is predicted to cost 0.02 USD, which is over the budget"}}'),
	(9, '{"schema": "plan/v1", "verdict": "refused", "limits": {"cost_usd": 0.01, "latency_ms": 10},
		"reason": {"kind": "budget", "message": "it costs 0.02 USD, and the budget is 0.01 USD (cost_cap_usd)"}}'),
	(10, '{"schema": "decision/v1", "decision": "ABSTAIN", "reasons": ["no_passage_answers", "stale_documents"],
		"explain": [{"reason": "no_passage_answers", "value": null, "threshold": 0.7, "key": "confidence_threshold"},
			{"reason": "stale_documents", "value": null, "threshold": 30, "key": "freshness_days_high_risk"}]}'),
	(11, '{"schema": "decision/v1", "decision": "ABSTAIN", "reasons": ["not_judged"], "user_message": "No.",
		"explain": []}'),
	(12, '{"schema": "decision/v1", "decision": "ANSWER", "reasons": ["not_judged"], "explain": []}'),
	(13, '{"schema": "quality/v1", "investigation": {"intent": "Locate"}, "classes": [{"class": "FileSearch",
		"quality": "Weak", "reason": "grep matched words"}], "gap": [{"class": "FileSearch", "need": "Strong"}]}'),
	(14, '{"schema": "packet/v1", "packet": {"status": "insufficient_evidence", "meta": {"project": "p",
		"options": {"min_score": 0.35}}}}'),
	(15, '{"schema": "packet/v1", "reproduce": {"evaluator": {"rules": ["text-score/2"]}},
		"packet": {"status": "insufficient_evidence", "meta": {"project": "p"}}}'),
	(16, '{"schema": "packet/v1", "packet": {"status": "success", "meta": {"project": "p"}}}'),
	(17, '{"schema": "plan/v1", "verdict": "blocked", "policy": {"freshness_days": 90},
		"reason": {"kind": "not_judged", "message": "nobody has judged the evidence"}}')
) AS v (n, d) ORDER BY n;
SELECT answer_summary(d) FROM (VALUES
	(1, '{"schema": "quality/v1", "investigation": {"intent": "Locate", "question": "Where?"}, "complete": false,
		"classes": [], "confidence": {"explanation": "confidence is Low because FileSearch is only Weak"},
		"gap": [{"class": "FileSearch", "have": "Weak", "need": "Strong"}, 7]}'::jsonb),
	-- when packets were found by text-score/1, no score was needed
	(2, '{"schema": "packet/v1", "reproduce": {"evaluator": {"rules": ["text-score/1"]}},
		"packet": {"status": "insufficient_evidence", "meta": {"question": "Where?"}}}'),
	(3, '{"schema": "packet/v1", "reproduce": {"evaluator": {"rules": ["text-score/2"]}},
		"packet": {"status": "insufficient_evidence", "meta": {"question": "Where?"}}}'))
	AS v (n, d) ORDER BY n;

-- At high risk, and by the arguments of a step, another limit of days counts than freshness_days.
SELECT days, (answer_show(jsonb_build_object('schema', 'plan/v1', 'verdict', 'blocked',
	'policy', '{"freshness_days": 90, "freshness_days_high_risk": 30}'::jsonb, 'reason', jsonb_build_object(
		'kind', 'stale_documents', 'message', format('it is old, and what is more than %s days old is stale here',
		days))))).reason
FROM unnest(ARRAY[90, 30, 7]) AS days;

-- Where sources say different things, the row tells how many said which: that is why the confidence is low.
SELECT answer_source_register('shown_' || s) IS NULL AS registered FROM unnest('{a,b,c}'::text[]) AS s;
SELECT answer_tool_register('shown_bolts', required_args => '{item}', value_path => 'n', freshness => '1 day');
SELECT count(answer_evidence_add('shown_bolts', '{"item": "bolt"}', raw::jsonb, 'shown_' || source, now() - age))
FROM (VALUES ('a', '3 minutes'::interval, '{"n": 1, "x": 5}'), ('b', '2 minutes', '{"n": 1, "x": 5}'),
	('c', '1 minute', '{"n": 9, "x": 5}')) AS v (source, age, raw);
SELECT s.* FROM answer_show(answer_eval('{"checks": [
	{"id": "newest", "tool": "shown_bolts", "args": {"item": "bolt"}, "expect": {"op": "eq", "value": 9}},
	{"id": "agreed", "tool": "shown_bolts", "args": {"item": "bolt"}, "expect": {"path": "x", "op": "eq", "value": 5}},
	{"id": "both", "tool": "shown_bolts", "args": {"item": "bolt"}, "expect": [{"op": "eq", "value": 1},
		{"path": "x", "op": "eq", "value": 5}]},
	{"id": "below", "tool": "shown_bolts", "args": {"item": "bolt"}, "min_quality": "Weak"}]}')) AS s;

-- A sentence against which a judge's word decided says from when on that word counts.
SELECT s."check", s.verdict, s.reason FROM answer_show('{"schema": "decision/v1", "decision": "BLOCK",
	"config": {"support_min": 0.5, "contradict_min": 0.6}, "proposed": {"answer": "One. Two. Three."},
	"validation": {"sentences": [{"status": "unsupported", "start": 0, "end": 4},
		{"status": "contradicted", "start": 5, "end": 9},
		{"status": "contradicted", "reason": "a number is another", "start": 10, "end": 16}]}}') AS s;
SELECT s."check", s.verdict, s.reason FROM answer_show('{"schema": "decision/v1", "decision": "BLOCK",
	"validation": {"sentences": [{"status": "unsupported"}, {"status": "contradicted"}]}}') AS s;
