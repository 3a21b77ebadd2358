-- What programs outside of the database need: judges that they ask and that fail, the pairs for judges, chunks that
-- lack an embedding, and plans that wait for an answer.
BEGIN;
SELECT plan(35);
SET LOCAL client_min_messages = warning;
SELECT answer_key_generate() IS NOT NULL AS made \gset
CREATE ROLE ground_outside_judges;
SELECT answer_judge_register('outside',
	'{"kinds": ["entailment"], "model": "m", "version": "1", "role": "ground_outside_judges"}') \gset
CREATE FUNCTION ground_outside_says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT NULL::jsonb $$;
SELECT answer_judge_register('inside',
	'{"kinds": ["entailment"], "model": "m", "version": "1", "handler": "ground_outside_says"}') \gset
CREATE FUNCTION pg_temp.load(dogs text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'rent', 'title', 'Rent',
		'timestamp', '2026-09-01', 'text', E'The rent is 45 euros.\n\n' || dogs)))
$$;
SELECT pg_temp.load('Dogs stay on a lead.') IS NOT NULL AS made \gset

CREATE FUNCTION pg_temp.decided(judge jsonb, failed jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_grounded('How much is the rent?', jsonb_build_object('answer', 'The rent is fair.',
		'citations', '["rent#p0"]'::jsonb, 'freshness_days', 0, 'judges_failed', failed,
		'config', jsonb_build_object('min_chunks', 1, 'judge_entailment', judge)))
$$;

-- judges that were asked outside the database, and failed
SELECT is(pg_temp.decided('"outside"', NULL) -> 'degraded', 'false', 'a judge that was not asked has not failed');
CREATE TEMPORARY TABLE failed AS
SELECT pg_temp.decided('["outside", "inside"]', '["outside", "outside", "other", "inside"]') AS d;
SELECT is(d -> 'degraded', 'true', 'one that was, and failed, degrades the document') FROM failed;
SELECT is(d -> 'reasons', '["not_judged", "judge_failed: outside"]',
	'the reason names it, once, and no function, and nobody who was not to be asked') FROM failed;
SELECT is(d #>> '{validation,sentences,0,status}', 'not_judged', 'and it decides nothing') FROM failed;
SELECT is(answer_verify(d) -> 'ok', 'true', 'the document verifies') FROM failed;
SELECT is(answer_replay(d) -> 'ok', 'true', 'and replays') FROM failed;
SELECT is(pg_temp.decided('"outside"', '["inside"]') -> 'degraded', 'false',
	'of a judge that the configuration does not name nothing is said');
SELECT throws_ok(format('SELECT pg_temp.decided(''"outside"'', %L)', o), '22023', NULL, 'judges_failed: ' || o)
FROM unnest('{"{}",[1],"\"outside\"","[null]"}'::text[]) AS o;
SELECT throws_ok($$SELECT pg_temp.decided('"outside"', (SELECT jsonb_agg('j'::text) FROM generate_series(1, 101)))$$,
	'22023', NULL, 'judges_failed has an end');
SELECT is(answer_retrieve('How much is the rent?', '{"judges_failed": ["outside"],
	"config": {"judge_entailment": "outside"}}') -> 'degraded', 'true', 'the first half says it, too');

-- pairs for judges: those that the decision needed; its judgements and its clock influence which
SELECT answer_judge_register('reader',
	'{"kinds": ["answers", "conflict"], "model": "m", "version": "1", "role": "ground_outside_judges"}') \gset
CREATE TEMPORARY TABLE passage AS SELECT d || '#p0' AS chunk_id, said, jsonb_build_object('chunk_id', d || '#p0',
	'doc_id', d, 'text', said, 'similarity', s, 'timestamp', '2026-09-01') AS chunk
FROM (VALUES ('fee', 'The fee is for the boat house.', 0.9), ('house', 'The boat house has a roof.', 0.8),
	('lease', 'You pay 45 euros each month.', 0.3)) AS v (d, said, s);
SELECT answer_judgement_add(jsonb_agg(jsonb_build_object('kind', 'answers', 'a', 'What is the fee?',
	'b', said, 'relation', CASE chunk_id WHEN 'lease#p0' THEN 'answers' ELSE 'does_not' END,
	'score', 0.9, 'judge', 'reader'))) AS added FROM passage \gset
CREATE TEMPORARY TABLE needs AS SELECT answer_grounded('What is the fee?', jsonb_build_object('freshness_days', 0,
	'chunks', (SELECT jsonb_agg(chunk) FROM passage),
	'config', '{"judge_answers": "reader", "judge_conflict": "reader"}'::jsonb)) AS d;
SELECT is(d -> 'to_judge' #> '{0,chunk_ids}', '["fee#p0", "lease#p0"]',
	'where the passage that answers is the least similar, the others are compared with it') FROM needs;
-- a row that the owner added by hand does not count as a decision
INSERT INTO answer.receipt SELECT (jsonb_populate_record(r, jsonb_build_object('receipt_id', 'dec_0000000000000000',
	'issued_at', issued_at + interval '1 hour', 'body', jsonb_set(body, '{to_judge}', '"by hand"')))).*
	FROM answer.receipt r WHERE schema = 'decision/v1' AND body -> 'to_judge' <> '[]' LIMIT 1;
SELECT results_eq('SELECT pair, a, b FROM answer_judge_pending(''reader'', 10)',
	$$SELECT n ->> 'pair', least(x.said, y.said), greatest(x.said, y.said)
		FROM needs, jsonb_array_elements(d -> 'to_judge') WITH ORDINALITY AS j (n, place)
		JOIN passage x ON x.chunk_id = n #>> '{chunk_ids,0}' JOIN passage y ON y.chunk_id = n #>> '{chunk_ids,1}'
		ORDER BY place$$, 'that is pending, with its texts');
SELECT is(answer_judgement_add(jsonb_agg(jsonb_build_object('pair', pair, 'relation', 'neutral', 'score', 0.9,
	'judge', 'reader'))), 2, 'and can be judged by its digest') FROM answer_judge_pending('reader', 10);
SELECT is_empty($$SELECT FROM answer.judgement g, passage WHERE g.kind = 'conflict' AND chunk_id = 'lease#p0'
	AND sha256(convert_to(said, 'UTF8')) <> ALL (g.passages)$$, 'its texts are known, so it is forgotten with them');

-- chunks that lack an embedding
SELECT results_eq('SELECT chunk_id, title, text FROM answer_embedding_pending(3, 10)',
	$$VALUES ('rent#p0', 'Rent', 'The rent is 45 euros.'), ('rent#p1', 'Rent', 'Dogs stay on a lead.')$$,
	'chunks without an embedding are listed');
SELECT is((SELECT count(*) FROM answer_embedding_pending(3, 1)), 1::bigint, 'at most so many');
SELECT lives_ok($$SELECT answer_chunk_embed(chunk_id, '{1,2,3}', content_hash) FROM answer_embedding_pending(3, 1)$$,
	'what is listed can be embedded');
SELECT results_eq('SELECT chunk_id FROM answer_embedding_pending(3, 10)', $$VALUES ('rent#p1')$$,
	'and is listed no more');
SELECT is((SELECT count(*) FROM answer_embedding_pending(4, 10)), 2::bigint, 'unless one of another length is wanted');
CREATE TEMPORARY TABLE before AS SELECT * FROM answer_embedding_pending(3, 10);
SELECT pg_temp.load('Dogs are welcome.') IS NOT NULL AS made \gset
SELECT throws_ok($$SELECT answer_chunk_embed(chunk_id, '{1,2,3}', content_hash) FROM before$$, '55000', NULL,
	'a text that has changed is not embedded as it was');
SELECT results_eq('SELECT text FROM answer_embedding_pending(3, 10)', $$VALUES ('Dogs are welcome.')$$,
	'it is listed as it is');
SELECT throws_ok(format('SELECT answer_embedding_pending(%s)', a), s, NULL, a)
FROM (VALUES ('0, 1', '22023'), ('16001, 1', '22023'), ('3, 0', '22023'), ('3, 1001', '22023'), ('NULL, 1', '22004'),
	('3, NULL', '22004')) AS v (a, s);

-- a plan that waits says so
SELECT answer_tool_register('ground_outside_model', spec => '{"external": true,
	"io": {"input": {"q": "string"}, "output": {"text": "string"}}}') IS NULL AS made \gset
CREATE TEMPORARY TABLE waits AS SELECT answer_plan_execute('{"plan": {"plan_id": "waits", "nodes": [
	{"id": "ask", "op": "call", "tool": "ground_outside_model", "args": {"q": "a secret"}, "out": "said"}]}}') AS w;
SELECT is(answer_trace_verify(w ->> 'trace_id') -> 'pending', '[{"node": "ask", "tool": "ground_outside_model"}]',
	'the trace of a plan that waits says for what, and not what was asked') FROM waits;
SELECT is(answer_trace_verify(w ->> 'trace_id') -> 'expires_at', w -> 'expires_at', 'and until when') FROM waits;
-- edits of the stored plan do not stop answer_trace_verify
CREATE TEMPORARY TABLE kept AS SELECT p.trace_id, p.state, p.expires_at FROM answer.plan_run p, waits
WHERE p.trace_id = w ->> 'trace_id';
UPDATE answer.plan_run p SET state = jsonb_set(p.state, '{pending}', '[]'), expires_at = 'infinity' FROM kept k
WHERE p.trace_id = k.trace_id;
SELECT is(answer_trace_verify(trace_id) -> 'pending', '[]', 'nothing to wait for is told as nothing') FROM kept;
SELECT is(answer_trace_verify(trace_id) -> 'expires_at', 'null', 'an instant that cannot be written is told as none')
FROM kept;
UPDATE answer.plan_run p SET state = k.state, expires_at = k.expires_at FROM kept k
WHERE p.trace_id = k.trace_id;
SELECT answer_plan_resume(w ->> 'trace_id', '{"ask": {"result": {"text": "Yes."}, "by": "me"}}') IS NOT NULL AS made
FROM waits \gset
SELECT is(answer_trace_verify(w ->> 'trace_id') ? 'pending', false, 'one that is done does not') FROM waits;

SELECT * FROM finish();
ROLLBACK;
