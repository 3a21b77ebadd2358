-- Forgetting plans: their documents by id, and with a document that they found; what was remembered, traces, replays.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';
CREATE SCHEMA plan_forget;
SET search_path = plan_forget, public;

CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN 'not refused: ' || left(result, 60);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || regexp_replace(SQLERRM, '\m(t_[0-9a-f]{32}|pln_[0-9a-f]{16})\M', '...', 'g');
END $$;
-- a plan that searches, verifies, answers and remembers
CREATE FUNCTION asked(key text, claim text, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('key', key, 'claim', claim), 'plan',
	'{"plan_id": "desk", "edges": [["s", "v"], ["v", "a"], ["a", "m"]], "nodes": [
	{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "$INPUT.claim"}, "out": "hits"},
	{"id": "v", "op": "verify", "args": {"claims": ["$INPUT.claim"], "sources": "$hits"}, "out": "e"},
	{"id": "a", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"}, "out": "x"},
	{"id": "m", "op": "mem.write", "args": {"key": "$INPUT.key", "value": "$x", "provenance": "$e"}}]}'::jsonb)
	|| more) $$;
CREATE FUNCTION of_trace(trace text) RETURNS text LANGUAGE sql AS $$
	SELECT format('events %s, remembered %s, steps %s, verified %s, bundle %s',
		(SELECT count(*) FROM answer.plan_event e WHERE e.trace_id = trace),
		(SELECT count(*) FROM answer.memory_entry m WHERE m.trace_id = trace),
		(SELECT count(*) FROM answer.plan_step s WHERE s.trace_id = trace),
		refused(format('SELECT answer_trace_verify(%L) ->> ''ok''', trace)),
		refused(format('SELECT answer.replay_verify(answer_replay_bundle(%L)) ->> ''result''', trace))) $$;

SELECT answer_document_load('[{"doc_id": "plan_forget-desk", "url": "https://desk.example/hours",
	"title": "Desk", "timestamp": "2026-01-01T00:00:00Z",
	"text": "Undine Secret keeps the lost property desk open until seven on Mondays."},
	{"doc_id": "plan_forget-bikes", "title": "Bikes", "timestamp": "2026-01-01T00:00:00Z",
	"text": "Rental bikes carry a violet number plate below the saddle."}]') IS NOT NULL AS loaded;
CREATE TABLE d AS
SELECT 'desk' AS name, asked('plan_forget.desk', 'The lost property desk is open until seven on Mondays',
	'{"request_id": "plan_forget"}') AS d
UNION ALL SELECT 'again', asked('plan_forget.again', 'The lost property desk is open until seven on Mondays')
UNION ALL SELECT 'bikes', asked('plan_forget.bikes', 'Rental bikes carry a violet number plate below the saddle');
SELECT name, d ->> 'verdict' AS verdict, d #>> '{response,citations,0,uri}' AS cited,
	answer_replay(d) AS replayed, of_trace(d ->> 'trace_id') FROM d ORDER BY name COLLATE "C";
-- a later plan reads what was remembered, and remembers it under another key
INSERT INTO d SELECT 'read', answer_plan_execute('{"plan": {"plan_id": "read", "edges": [["r", "a"]], "nodes": [
	{"id": "r", "op": "call", "tool": "mesh.mem", "args": {"op": "read", "key": "plan_forget.again"}, "out": "m"},
	{"id": "a", "op": "call", "tool": "synth.answer", "args": {"evidence": "$m.provenance"}, "out": "x"}]}}');
SELECT d ->> 'verdict' AS verdict, d #>> '{response,citations,0,uri}' AS cited FROM d WHERE name = 'read';

/* by its id: its body, its trace, what it has remembered; nothing else */

SELECT answer_forget(d ->> 'receipt_id', 'asked to') -> 'receipts' = jsonb_build_array(d ->> 'receipt_id') AS "as said"
FROM d WHERE name = 'desk';
SELECT answer_receipt(d ->> 'receipt_id') ->> 'schema' AS schema,
	answer_verify_ok(answer_receipt(d ->> 'receipt_id')) AS tombstone, answer_verify_ok(d) AS "whoever holds it",
	answer_replay(d) AS replayed
FROM d WHERE name = 'desk';
SELECT name, of_trace(d ->> 'trace_id') FROM d ORDER BY name COLLATE "C";
SELECT count(*) AS told FROM d, answer_trace(d ->> 'trace_id') WHERE name = 'desk';
-- whoever asks with its id is not answered anew
SELECT refused($$SELECT asked('plan_forget.desk', 'The lost property desk is open until seven on Mondays',
	'{"request_id": "plan_forget"}')$$);
-- once more: it was forgotten
SELECT answer_forget(d ->> 'receipt_id', 'again') -> 'receipts' = jsonb_build_array(d ->> 'receipt_id') AS same
FROM d WHERE name = 'desk';

-- and the log knows that it is gone
SELECT detail FROM answer_log_audit() WHERE finding = 'configuration' AND detail ~ '^memory ';

/* with a document: every plan that found it, by its id or its url; what is remembered of it */

SELECT (SELECT array_agg(name ORDER BY name COLLATE "C") FROM d
	WHERE f -> 'receipts' ? (d ->> 'receipt_id')) AS forgotten,
	jsonb_array_length(f -> 'documents') AS versions FROM answer_forget('plan_forget-desk', 'asked to') AS f;
SELECT name, of_trace(d ->> 'trace_id') FROM d ORDER BY name COLLATE "C";
SELECT count(*) AS remembered FROM answer.memory_entry WHERE value::text || provenance::text ~ 'Undine';
SELECT count(*) AS events FROM answer.plan_event WHERE event::text ~ 'desk.example';
SELECT count(*) AS receipts FROM answer.receipt WHERE body::text ~ 'Undine';
SELECT count(*) AS remembered FROM answer.memory_entry WHERE key = 'plan_forget.bikes';

/* nobody else erases events; what comes back is told */

SELECT refused(format('DELETE FROM answer.plan_event WHERE trace_id = %L', d ->> 'trace_id')) FROM d
WHERE name = 'bikes';
BEGIN;
INSERT INTO answer.plan_event (tenant, trace_id, seq, plan_id, step, ts_end, event)
	SELECT '', d ->> 'trace_id', 1, 'desk', 's', now(), d #> '{trace,0,event}' FROM d WHERE name = 'desk';
SELECT finding, regexp_replace(detail, '\mt_[0-9a-f]{32}\M', 't_...') AS detail FROM answer_log_audit()
WHERE detail ~ 'come back' ORDER BY detail COLLATE "C";
ROLLBACK;

SELECT answer_forget('plan_forget-bikes', 'asked to') -> 'receipts' = jsonb_build_array(d ->> 'receipt_id') AS forgotten
FROM d WHERE name = 'bikes';

/* a plan that waits does not sign what was forgotten meanwhile: it is ended without */

SELECT answer_document_load('[{"doc_id": "plan_forget-ferry", "title": "Ferry", "timestamp": "2026-01-01T00:00:00Z",
	"text": "The ferry of Undine Secret leaves at eight."}]') IS NOT NULL AS loaded;
SELECT answer_tool_register('plan_forget.ask', NULL,
	spec => '{"external": true, "io": {"output": {"text": "string"}}}');
CREATE FUNCTION ferry() RETURNS text LANGUAGE sql
RETURN answer_plan_execute('{"plan": {"plan_id": "ferry", "edges": [["s", "q"]], "nodes": [
	{"id": "s", "op": "call", "tool": "doc.search", "args": {"q": "ferry"}, "out": "hits"},
	{"id": "q", "op": "call", "tool": "plan_forget.ask", "out": "x"}]}}') ->> 'trace_id';
SELECT ferry() AS held \gset
SET answer_eval.pending_expiry = '1s';
SELECT ferry() AS waits \gset
RESET answer_eval.pending_expiry;
SELECT answer_forget('plan_forget-ferry', 'asked to') IS NOT NULL AS forgotten;
SELECT refused(format('SELECT answer_plan_resume(%L, ''{"q": {"result": {"text": "yes"}, "by": "me"}}'')', :'held'));
DO $$
BEGIN
	WHILE EXISTS (SELECT FROM answer.plan_run WHERE plan_id = 'ferry' AND expires_at BETWEEN clock_timestamp()
		AND clock_timestamp() + interval '10 s') LOOP
		PERFORM pg_sleep(0.1);
	END LOOP;
END $$;
SELECT answer_plan_recover() AS recovered;
SELECT of_trace(:'waits');
SELECT count(*) AS told FROM answer.receipt WHERE body::text ~ 'ferry of Undine';
SELECT answer_tool_remove('plan_forget.ask') IS NOT NULL AS removed;

/* what was judged over what a plan found goes with the document; what was judged of other texts stays */

SELECT answer_suite_load('plan_forget', '[
	{"id": "none", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "some", "query": "When does the puppet workshop open?", "expected_outcome": "ANSWER",
		"risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z",
		"text": "The puppet workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z",
		"text": "Workshop: puppet makers open at nine."}]',
	'2026-01-02T00:00:00Z') ->> 'version' AS suite;
SELECT answer_environment_set('plan_forget',
	options => '{"suite": "plan_forget", "rules": {}, "shadow_samples": 0, '
	'"canary_samples": 0}') ->> 'revision' AS revision;
SELECT answer_judge_register('plan_forget.people', jsonb_build_object('kinds', '["entailment"]'::jsonb,
	'model', 'people', 'version', '1', 'role', current_user));
SELECT count(answer_config_promote('plan_forget', c)) AS promoted
FROM answer_config_create('{"judge_entailment": "plan_forget.people"}', 'plan_forget') AS c, generate_series(1, 3);
SET answer_eval.environment = 'plan_forget';
SELECT answer_document_load('[{"doc_id": "plan_forget-mill", "title": "Mill", "timestamp": "2026-01-01T00:00:00Z",
	"text": "The mill grinds rye before noon on weekdays."}]') IS NOT NULL AS loaded;
SELECT asked('plan_forget.mill', 'The mill grinds rye before noon on weekdays') ->> 'verdict' AS verdict;
SELECT count(*) AS pending, answer_judgement_add(jsonb_agg(jsonb_build_object('pair', pair, 'relation', 'supports',
	'score', 0.9, 'judge', 'plan_forget.people')) || '[{"kind": "entailment", "a": "x", "b": "y",
	"relation": "supports", "score": 0.9, "judge": "plan_forget.people"}]') AS added
FROM answer_judge_pending('plan_forget.people', 10);
SELECT asked('plan_forget.mill', 'The mill grinds rye before noon on weekdays') ->> 'verdict' AS verdict;
SELECT count(*) AS judged FROM answer.judgement WHERE judge = 'plan_forget.people';
SELECT answer_forget('plan_forget-mill', 'asked to') IS NOT NULL AS forgotten;
SELECT count(*) AS judged FROM answer.judgement WHERE judge = 'plan_forget.people';
RESET answer_eval.environment;
SELECT answer_judge_remove('plan_forget.people');

DROP SCHEMA plan_forget CASCADE;
