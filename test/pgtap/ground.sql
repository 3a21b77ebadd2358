-- Examples over the shipped corpus, end to end, and each step from a question to its receipt.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
-- several tests of one row are lines of their own
\pset fieldsep '\n'
SELECT plan(130);
\set corpus `cat ../../examples/ground/documents.json`

-- The corpus assumes its own clock: loading moves the dates of all its documents by the same interval, to our clock.
CREATE TEMP TABLE corpus AS
SELECT (:'corpus'::jsonb ->> 'now')::timestamptz AS pinned, :'corpus'::jsonb -> 'documents' AS documents;
CREATE FUNCTION pg_temp.moved(documents jsonb, by interval) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_set(d.doc, '{timestamp}', to_jsonb((d.doc ->> 'timestamp')::timestamptz + by)) ORDER BY d.n)
	FROM jsonb_array_elements(documents) WITH ORDINALITY AS d (doc, n)
$$;
SELECT is((SELECT answer_document_load(pg_temp.moved(documents, now() - pinned)) ->> 'created' FROM corpus),
	(SELECT jsonb_array_length(documents)::text FROM corpus), 'the corpus is loaded');

CREATE TEMP TABLE asked (name text PRIMARY KEY, receipt jsonb);
INSERT INTO asked VALUES
	('1', answer_grounded('What is the data retention policy?', '{"top_k": 5}')),
	('2', answer_grounded('Can we store SSNs in plaintext?', '{"top_k": 5}')),
	('3', answer_grounded('What is the API rate limit?', '{"top_k": 5}')),
	('4', answer_grounded('What is the data retention policy?')),
	('8', answer_grounded('xyzabc random query that wont match', '{"top_k": 5}')),
	('9', answer_grounded('Can we downgrade without penalties?', '{"top_k": 5}')),
	('10', answer_grounded('What is our refund policy?', '{"top_k": 5, "freshness_days": 30}'));

-- 1 A normal answer with valid citations and no conflicts
SELECT is(receipt ->> 'decision', 'ANSWER', 'example 1: ANSWER') FROM asked WHERE name = '1';
SELECT is(receipt #> '{conflicts,conflict_detected}', 'false', 'example 1: no conflict') FROM asked WHERE name = '1';
SELECT ok(jsonb_array_length(receipt -> 'citations') > 0, 'example 1: it cites') FROM asked WHERE name = '1';
SELECT is(receipt -> 'validation' ->> 'citation_valid', 'true', 'example 1: validly') FROM asked WHERE name = '1';
SELECT is(receipt -> 'reasons', '[]', 'example 1: no reasons') FROM asked WHERE name = '1';
SELECT ok((receipt #>> '{retrieval_quality,confidence,max}')::numeric >= 0.70,
	'example 1: surely enough for high risk') FROM asked WHERE name = '1';

-- 2 A conflict of policies
SELECT is(receipt ->> 'decision', 'ABSTAIN', 'example 2: ABSTAIN') FROM asked WHERE name = '2';
SELECT is(receipt #>> '{conflicts,conflict_type}', 'policy', 'example 2: a conflict of policies') FROM asked
	WHERE name = '2';
SELECT is(receipt -> 'reasons', '["conflict_detected", "policy"]', 'example 2: and says so') FROM asked
	WHERE name = '2';
SELECT set_eq(format($$SELECT jsonb_array_elements_text(%L)$$, receipt -> 'citations'),
	ARRAY['security-policy-v2.1#p1', 'security-policy-legacy-v1.0#p0'], 'example 2: both sides are cited')
		FROM asked WHERE name = '2';
SELECT is(receipt #>> '{conflicts,pairs,0,reason}', 'store in plaintext vs must be encrypted / not plaintext',
	'example 2: the reason')
FROM asked WHERE name = '2';
SELECT matches(receipt ->> 'answer',
	'^I can''t answer definitively because the retrieved sources conflict\. Source A \(security-policy-',
	'example 2: the message names the sources') FROM asked WHERE name = '2';
SELECT is(receipt #>> '{validation,citation_valid}', 'true', 'example 2: what it cites is valid') FROM asked
	WHERE name = '2';

-- 3 A conflict of numbers
SELECT is(receipt ->> 'decision', 'ABSTAIN', 'example 3: ABSTAIN') FROM asked WHERE name = '3';
SELECT is(receipt #>> '{conflicts,conflict_type}', 'numeric', 'example 3: a conflict of numbers') FROM asked
	WHERE name = '3';
SELECT is(receipt #>> '{risk,risk_level}', 'medium', 'example 3: of medium risk') FROM asked WHERE name = '3';
SELECT matches(receipt #>> '{conflicts,pairs,0,reason}', '^numeric conflict: (1000 vs 300|300 vs 1000) req/hr$',
	'example 3: the numbers')
FROM asked WHERE name = '3';

-- 4 Without a model
SELECT ok((SELECT bool_and(EXISTS (SELECT FROM jsonb_array_elements(receipt #> '{retrieval,chunks}') AS k WHERE k
	-> 'chunk_id' = c))
	FROM jsonb_array_elements(receipt -> 'citations') AS c), 'example 4: every citation is a retrieved chunk')
		FROM asked WHERE name = '4';
SELECT is(receipt ->> 'answer', receipt #>> '{proposed,answer}', 'example 4: the answer is what was checked')
	FROM asked WHERE name = '4';
SELECT ok((SELECT bool_and(EXISTS (SELECT FROM jsonb_array_elements(receipt #> '{retrieval,chunks}') AS k
		WHERE k -> 'chunk_id' = receipt -> 'citations' -> (q.n - 1)::integer AND k -> 'chunk_id' = q.quote -> 'chunk_id'
		AND position(q.quote ->> 'text' IN k ->> 'text') > 0))
	FROM jsonb_array_elements(receipt -> 'quotes') WITH ORDINALITY AS q (quote, n)),
	'example 4: every sentence of it stands in the chunk that it cites') FROM asked WHERE name = '4';

-- 5 An invalid citation
SELECT is(answer_citations_check('["fake-doc#p0"]', '[{"doc_id": "real-doc", "chunk_id": "real-doc#p0",
		"timestamp": "2024-01-01T00:00:00Z", "similarity": 0.9, "text": "Real content"}]',
			'This is a test answer') -> 'errors',
	'["Citation ''fake-doc#p0'' does not match any retrieved chunk"]', 'example 5: an invalid citation');
INSERT INTO asked VALUES ('5', answer_grounded('What is the data retention policy?',
	'{"answer": "Records are kept for ever.", "citations": ["fake-doc#p0"]}'));
SELECT is(receipt ->> 'decision', 'BLOCK', 'example 5: an answer with it is blocked') FROM asked WHERE name = '5';
SELECT is(receipt -> 'citations', '[]', 'example 5: and cites nothing') FROM asked WHERE name = '5';
SELECT is(receipt ->> 'answer',
	'I can''t provide a cited answer because the citations couldn''t be verified against the retrieved documents.',
	'example 5: the message') FROM asked WHERE name = '5';
SELECT is(receipt #>> '{proposed,answer}', 'Records are kept for ever.',
	'example 5: what was blocked is in the receipt') FROM asked WHERE name = '5';

-- 6 A look at what is retrieved
CREATE TEMP TABLE debug AS SELECT answer_debug('retrieval', 'Are refunds allowed?', 5) AS result;
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(result) AS k),
	'{query,retrieval,retrieval_quality}', 'example 6: the shape') FROM debug;
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(result -> 'retrieval_quality') AS k),
	'{confidence,freshness,top_doc_ids,top_timestamps}', 'example 6: the signals') FROM debug;
SELECT is(result #> '{retrieval,top_k}', '5', 'example 6: top_k') FROM debug;

-- 7 A look at conflicts
DELETE FROM debug; INSERT INTO debug SELECT answer_debug('conflicts', 'Can we store SSNs in plaintext?', 5);
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(result) AS k),
	'{conflicts,query,retrieval,retrieval_quality}',
	'example 7: the shape') FROM debug;
SELECT is(result #>> '{conflicts,conflict_type}', 'policy', 'example 7: the conflict') FROM debug;

-- 8 No match
SELECT is(receipt ->> 'decision', 'ABSTAIN', 'example 8: ABSTAIN') FROM asked WHERE name = '8';
SELECT ok(receipt -> 'reasons' ?| '{low_retrieval_confidence,insufficient_retrieval_hits}',
	'example 8: for want of evidence') FROM asked WHERE name = '8';
SELECT is(receipt ->> 'answer',
	'I don''t have enough reliable evidence in the retrieved documents to answer this safely.',
	'example 8: the message') FROM asked WHERE name = '8';
SELECT is(receipt -> 'proposed', 'null', 'example 8: nothing was made up') FROM asked WHERE name = '8';

-- 9 A question that is asked back
SELECT is(receipt ->> 'decision', 'CLARIFY', 'example 9: CLARIFY') FROM asked WHERE name = '9';
SELECT is(receipt ->> 'answer', 'Could you clarify which plan type, region, or timeframe you''re asking about?',
	'example 9: the question')
FROM asked WHERE name = '9';

-- 10 Sources that are too old
SELECT is(receipt ->> 'decision', 'ABSTAIN', 'example 10: ABSTAIN') FROM asked WHERE name = '10';
SELECT is(receipt -> 'reasons', '["stale_documents"]', 'example 10: old sources') FROM asked WHERE name = '10';
SELECT is(receipt #> '{retrieval_quality,freshness,freshness_days}', '30', 'example 10: by 30 days') FROM asked
	WHERE name = '10';

-- 11 A look at the decision
DELETE FROM debug; INSERT INTO debug SELECT answer_debug('decision', 'What is our refund policy?', 5);
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(result) AS k),
	'{conflicts,decision_result,query,retrieval_quality,risk,validation}', 'example 11: the shape') FROM debug;
SELECT is(result -> 'validation', 'null', 'example 11: no answer was checked') FROM debug;
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(result -> 'decision_result') AS k),
	'{decision,reasons,risk,signals,thresholds,user_message}', 'example 11: the decision') FROM debug;
SELECT is(result -> 'risk', '{"risk_level": "high", "matched_keywords": ["policy", "refund"]}',
	'example 11: the risk') FROM debug;
SELECT is(result #> '{decision_result,thresholds}',
	'{"conf_max": 0.70, "freshness_days": 30, "min_chunks": 2, "floor": 0.20}',
	'example 11: its thresholds') FROM debug;

-- The pure functions, with the clock as an argument, give the same.
SELECT is(answer_decide(receipt ->> 'query', receipt #> '{retrieval,chunks}',
		CASE receipt #>> '{proposed,by}' WHEN 'caller' THEN receipt #> '{proposed,citations}' END,
		CASE receipt #>> '{proposed,by}' WHEN 'caller' THEN receipt #>> '{proposed,answer}' END,
		receipt -> 'config', (receipt ->> 'evaluated_at')::timestamptz,
		answer.decision_rules_of(receipt)) -> 'decision',
	receipt -> 'decision', format('example %s: answer_decide says the same', name))
FROM asked WHERE jsonb_typeof(receipt -> 'proposed') = 'object' ORDER BY name;

-- Every receipt verifies, replays, is stored and fails when it is changed.
SELECT is(answer_verify(receipt) -> 'ok', 'true', format('example %s: the receipt verifies', name))
	FROM asked ORDER BY name;
SELECT is(answer_replay(receipt) -> 'ok', 'true', format('example %s: and replays', name)) FROM asked ORDER BY name;
SELECT is(answer_receipt(receipt ->> 'receipt_id'), receipt, format('example %s: and is stored', name))
	FROM asked ORDER BY name;
SELECT is(answer_verify(jsonb_set(receipt, '{retrieval,chunks,0,text}', '"Everything is allowed."')) -> 'ok', 'false',
	format('example %s: another text in a chunk is found', name)) FROM asked
		WHERE receipt #> '{retrieval,chunks,0}' IS NOT NULL ORDER BY name;
SELECT is(answer_replay(jsonb_set(receipt, '{decision}', '"ANSWER"')) #>> '{differences,0,field}', 'decision',
	format('example %s: a replay names the decision that was changed', name)) FROM asked
		WHERE receipt ->> 'decision' <> 'ANSWER' ORDER BY name;
SELECT is(answer_verify(jsonb_set(receipt, '{config,min_chunks}', '0')) #> '{steps,closure,ok}', 'false',
	format('example %s: another configuration does not hash to its digest', name)) FROM asked ORDER BY name;
SELECT is(answer_verify(receipt || jsonb_build_object('rules',
		jsonb_set(answer.decision_rules(), '{risk,high}', '[]'))) #>> '{steps,closure,reason}',
	'the rules do not hash to their digest',
	format('example %s: nor do other rules', name)) FROM asked ORDER BY name;

-- Example 1 with a sentence in a model's own words: plain with a judge, with a caveat without one.
CREATE FUNCTION public.agrees(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'relation', 'supports',
		'score', 0.9))) FROM jsonb_array_elements(args -> 'pairs') AS p $$;
SELECT lives_ok($$SELECT answer_judge_register('agrees',
	'{"kinds": ["entailment"], "model": "scripted", "version": "1", "handler": "public.agrees"}')$$, 'a judge');
CREATE TEMP TABLE written AS SELECT judge, answer_grounded('What is the data retention policy?', jsonb_build_object(
	'answer', 'We keep what customers give us for two years [1].', 'citations', '["data-retention-policy#p0"]'::jsonb,
	'config', jsonb_build_object('judge_entailment', judge))) AS receipt
FROM (VALUES (NULL), ('agrees')) AS j (judge);
SELECT is(receipt ->> 'decision', 'ANSWER_WITH_CAVEATS', 'example 1: a model''s sentence without a judge: a caveat'),
	is(receipt -> 'reasons', '["not_judged"]', 'which says that nobody has judged it') FROM written WHERE judge IS NULL;
SELECT is(receipt ->> 'decision', 'ANSWER', 'example 1: a model''s sentence with a judge: ANSWER'),
	is(receipt -> 'reasons', '[]', 'without reasons') FROM written WHERE judge = 'agrees';

-- A document that is replaced changes no receipt; a question afterwards sees the new one.
SELECT is(answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'api-rate-limits-2021', 'title',
	'API rate limits',
	'timestamp', now(), 'text', E'The API rate limit is 300 requests per hour for each API key.\n\nClients that go '
		'over it wait.')))
	->> 'replaced', '1', 'the old limit is replaced');
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'the receipt of before verifies') FROM asked WHERE name = '3';
SELECT is(answer_grounded('What is the API rate limit?') ->> 'decision', 'ANSWER',
	'and the question has an answer now');

/* each kind of response, over given chunks */

SELECT answer_judge_register('response.reader', jsonb_build_object('kinds', '["entailment"]'::jsonb,
	'model', 'a person', 'version', '1', 'role', current_user));
CREATE FUNCTION pg_temp.shown(receipt jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('decision', receipt -> 'decision', 'reasons', receipt -> 'reasons', 'citations',
		receipt -> 'citations', 'valid', receipt #> '{validation,citation_valid}')
$$;
-- "days" old, with the given similarity
CREATE FUNCTION pg_temp.passages(days integer, similarities numeric[], texts text[], doc_ids text[]) RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_build_object('chunk_id', d || '#p' || n - 1, 'doc_id', d, 'text', t, 'similarity', s,
		'timestamp', now() - make_interval(days => days)) ORDER BY n)
	FROM unnest(similarities, texts, doc_ids) WITH ORDINALITY AS x (s, t, d, n)
$$;
CREATE TEMP TABLE response AS SELECT
	pg_temp.passages(3, '{0.85, 0.7, 0.6}', ARRAY['SSNs must not be stored in plaintext in any system.',
		'Keys are rotated each quarter.', 'Access is logged.'], '{rules,keys,logs}') AS one_side,
	pg_temp.passages(3, '{0.85, 0.84}', ARRAY['SSNs must not be stored in plaintext.',
		'SSNs may be stored in plaintext.'],
		'{security-policy-v2.1,security-policy-legacy-v1.0}') AS two_sides,
	pg_temp.passages(3, '{0.45, 0.35}', ARRAY['Refunds are a topic.', 'A refund is one, too.'], '{a,b}') AS unlike,
	pg_temp.passages(60, '{0.85, 0.8, 0.8}', ARRAY['Refunds are paid within 14 days.', 'Refunds go to the card.',
		'Refunds are rounded.'], '{a,b,c}') AS old,
	pg_temp.passages(3, '{0.85, 0.8}', ARRAY['A downgrade has no penalty.', 'Plans can be changed.'], '{a,b}') AS plans,
	'{"answer": "No, nobody may keep SSNs in plaintext [1].", "citations": ["rules#p0"]}'::jsonb AS given;
INSERT INTO asked SELECT 'valid citations', answer_grounded('Can we store SSNs in plaintext?', given ||
		jsonb_build_object('chunks', one_side, 'config', '{"judge_entailment": "response.reader"}'::jsonb,
		'judgements', (SELECT jsonb_agg(
		jsonb_build_object('pair', p -> 'pair', 'relation', 'supports', 'score', 0.9, 'judge', 'response.reader'))
		FROM jsonb_array_elements(answer_judge_pairs('Can we store SSNs in plaintext?', one_side, given -> 'citations',
			given ->> 'answer', '{"judge_entailment": "response.reader"}')) AS p))) FROM response
UNION ALL SELECT 'valid citations, nobody judged', answer_grounded('Can we store SSNs in plaintext?',
	given || jsonb_build_object('chunks', one_side)) FROM response
UNION ALL SELECT 'conflict', answer_grounded('Can we store SSNs in plaintext?', jsonb_build_object('chunks', two_sides))
	FROM response
UNION ALL SELECT 'invalid citations', answer_grounded('Can we store SSNs in plaintext?', jsonb_build_object('chunks',
	one_side) || '{"answer": "No.", "citations": ["invalid-chunk-id"]}') FROM response
UNION ALL SELECT 'low confidence', answer_grounded('What is our refund policy?', jsonb_build_object('chunks', unlike))
	FROM response
UNION ALL SELECT 'stale', answer_grounded('What is our refund policy?', jsonb_build_object('chunks', old)) FROM response
UNION ALL SELECT 'ambiguous', answer_grounded('Can we downgrade without penalties?', jsonb_build_object('chunks',
	plans)) FROM response;
SELECT is(pg_temp.shown(receipt), want::jsonb, 'response: ' || name) FROM asked JOIN (VALUES
	('valid citations', '{"decision": "ANSWER", "reasons": [], "citations": ["rules#p0"], "valid": true}'),
	-- a deliberate difference: a model's sentence that nobody judged is no plain answer
	('valid citations, nobody judged', '{"decision": "ANSWER_WITH_CAVEATS", "reasons": ["not_judged"],
		"citations": ["rules#p0"], "valid": true}'),
	('conflict', '{"decision": "ABSTAIN", "reasons": ["conflict_detected", "policy"], "citations":
		["security-policy-v2.1#p0", "security-policy-legacy-v1.0#p1"], "valid": true}'),
	('invalid citations', '{"decision": "BLOCK", "reasons": ["invalid_citations"], "citations": [], "valid": false}'),
	('low confidence', '{"decision": "ABSTAIN", "reasons": ["low_retrieval_confidence"], "citations": [],
		"valid": true}'),
	('stale', '{"decision": "ABSTAIN", "reasons": ["stale_documents"], "citations": [], "valid": true}'),
	('ambiguous', '{"decision": "CLARIFY", "reasons": ["ambiguous_query"], "citations": [], "valid": true}')
	) AS w (name, want) USING (name);
SELECT is(receipt ->> 'answer', want, 'response: ' || name || ', in its words') FROM asked JOIN (VALUES
	('invalid citations', 'I can''t provide a cited answer because the citations couldn''t be verified against the '
		'retrieved documents.'),
	('low confidence', 'I don''t have enough reliable evidence in the retrieved documents to answer this safely.'),
	('stale', 'The retrieved sources appear outdated, so I can''t answer confidently.'),
	('ambiguous', 'Could you clarify which plan type, region, or timeframe you''re asking about?')
	) AS w (name, want) USING (name);
SELECT is(receipt #> path::text[], want::jsonb, 'response: ' || name || ', ' || path) FROM asked JOIN (VALUES
	('valid citations', '{conflicts,summary}', '"No conflicts detected"'),
	('valid citations', '{signals,retrieval_confidence_max}', '0.85'),
	('valid citations', '{signals,retrieval_hit_count}', '3'),
	('valid citations', '{signals,freshness_violation}', 'false'),
	('conflict', '{conflicts,summary}', '"Policy conflict detected: 1 conflicting pair(s) found"'),
	('conflict', '{conflicts,pairs,0,reason}', '"store in plaintext vs must be encrypted / not plaintext"'),
	('invalid citations', '{validation,errors}',
		'["Citation ''invalid-chunk-id'' does not match any retrieved chunk"]'),
	('low confidence', '{retrieval_quality,confidence}', '{"max": 0.45, "mean": 0.4, "gap": 0.1, "hit_count": 2}'),
	('stale', '{retrieval_quality,freshness,freshness_violation_count}', '3'),
	('stale', '{retrieval_quality,freshness,freshness_days}', '30')
	) AS w (name, path, want) USING (name);
SELECT * FROM finish();
ROLLBACK;
