-- Service levels reward the truth: a wrong answer is a breach, at once or as soon as somebody judges it; a refusal
-- because of a contradiction is not. Counting everything again, from documents and judgements, gives the same.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages = warning;
\pset fieldsep '\n'
SELECT plan(63);

CREATE ROLE slo_judges;
CREATE ROLE slo_others;
GRANT slo_judges, slo_others TO CURRENT_USER;
SELECT lives_ok($$SELECT answer_judge_register(name, jsonb_build_object('kinds', '["entailment", "conflict"]'::jsonb,
	'model', 'people', 'version', '1', 'role', role))
	FROM (VALUES ('slo.nli', 'slo_judges'), ('slo.second', 'slo_judges'), ('slo.other', 'slo_others'))
	AS j (name, role)$$, 'three judges');

CREATE TABLE slo_minted (name text PRIMARY KEY, r jsonb);
CREATE FUNCTION pg_temp.says(wanted text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', verdict, array_to_string(ARRAY[CASE WHEN given THEN 'given' END,
			CASE WHEN supported THEN 'supported' END, CASE WHEN contradicted THEN 'contradicted' END,
			CASE WHEN prevented THEN 'prevented' END, CASE WHEN unjudged THEN 'unjudged' END], ' '),
		coalesce(grounded || '/' || sentences, '-'), coalesce(refusal, '-'))
	FROM answer.receipt x JOIN slo_minted m ON m.r ->> 'receipt_id' = x.receipt_id WHERE m.name = wanted $$;
-- totals of all answers of one intent within an hour
CREATE FUNCTION pg_temp.level(wanted text) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', answers || '/' || given, 'contradicted', contradicted, 'prevented', prevented, 'unsupported',
		unsupported, 'gqs', round(gqs::numeric, 2), state)
	FROM answer_slo('1 hour') WHERE tenant = '' AND intent = wanted $$;
CREATE FUNCTION pg_temp.chunks(a text, b text, b_similarity float8 DEFAULT 0.8, b_at timestamptz DEFAULT now() -
	interval '1 day') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', a, 'similarity', 0.9,
		'timestamp', now() - interval '1 day'),
		jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', b, 'similarity', b_similarity,
		'timestamp', b_at)) $$;
CREATE FUNCTION pg_temp.mint(name text, query text, chunks jsonb, more jsonb) RETURNS void LANGUAGE sql AS $$
	INSERT INTO slo_minted SELECT name, answer_grounded(query, jsonb_build_object('chunks', chunks) || more) $$;

-- answers that contradict themselves: a chunk that was found but not compared contradicts the quoted one
SELECT pg_temp.mint('found ' || i, 'What is the API rate limit?',
	pg_temp.chunks('The API rate limit is 1000 requests per hour.',
	'The API rate limit is 300 requests per hour.', 0.5),
	'{"intent": "slo wrong", "config": {"min_chunks": 1}}')
FROM generate_series(1, 3) AS i;
SELECT is(pg_temp.says('found 1'), 'ANSWER given contradicted unjudged 1/1 -',
	'a chunk that was found and not compared');
SELECT is(pg_temp.level('slo wrong'), '3/3 contradicted 3 prevented 0 unsupported 3 gqs 0.00 breach',
	'answers that contradict themselves are in breach at once, and no quality');
SELECT pg_temp.mint('agrees', 'What is the API rate limit?',
	pg_temp.chunks('The API rate limit is 1000 requests per hour.',
	'The API rate limit is 1000 requests per hour.', 0.5),
	'{"intent": "slo right", "config": {"min_chunks": 1}}');
SELECT is(pg_temp.says('agrees'), 'ANSWER given supported unjudged 1/1 -', 'one that says the same is none');
-- text superseded by a newer document is no contradiction
SELECT pg_temp.mint('older', 'What is the API rate limit?',
	pg_temp.chunks('The API rate limit is 1000 requests per hour.', 'The API rate limit is 300 requests per hour.', 0.8,
	now() - interval '40 days'),
	'{"intent": "slo right", "config": {"min_chunks": 1, "supersede": "always"}}');
SELECT is(pg_temp.says('older'), 'ANSWER given supported unjudged 1/1 -', 'what gave way is no contradiction'),
	is((SELECT r -> 'superseded' FROM slo_minted WHERE name = 'older'),
		'[{"by": "a#p0", "chunk_id": "b#p0"}]', 'and it did give way');

-- refusals over real conflicts
SELECT pg_temp.mint('conflict ' || i, 'What is the API rate limit?',
	pg_temp.chunks('The API rate limit is 1000 requests per hour.', 'The API rate limit is 300 requests per hour.'),
	'{"intent": "slo refuses"}') FROM generate_series(1, 4) AS i;
SELECT is(pg_temp.says('conflict 1'), 'ABSTAIN prevented 0/0 conflict_detected', 'a refusal over a conflict');
SELECT is(pg_temp.level('slo refuses'), '4/0 contradicted 0 prevented 4 unsupported 0 gqs 0.00 ok',
	'who refuses over conflicts is not in breach');
SELECT is((SELECT concat_ws('|', contradiction_rate, citation_rate, unsupported_rate, groundedness, prevented_rate,
	refusal_rate) FROM answer_slo('1 hour') WHERE tenant = '' AND intent = 'slo refuses'), '1|1',
	'where nothing is given, there is no rate of it');
-- a misquotation, and a sentence that the documents contradict
SELECT pg_temp.mint('misquoted', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	'{"intent": "slo text", "answer": "\"Invoices are kept by the archive team for nine years.\" [1]",
	"citations": ["a#p0"]}');
SELECT is(pg_temp.says('misquoted'), 'BLOCK prevented 0/0 misquoted', 'a misquotation is prevented');
SELECT pg_temp.mint('contradicted', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	'{"intent": "slo text", "answer": "Invoices are kept by the archive team for nine years. [1]",
	"citations": ["a#p0"]}');
SELECT is(pg_temp.says('contradicted'), 'BLOCK prevented 0/0 contradicted',
	'a sentence that documents contradict, too');
SELECT pg_temp.mint('uncited', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	'{"intent": "slo text", "answer": "Invoices are kept for seven years. [1]", "citations": ["z#p9"]}');
SELECT is(pg_temp.says('uncited'), 'BLOCK  0/0 invalid_citations',
	'a citation that does not hold is no contradiction');
SELECT results_eq($$SELECT reason,
	refused FROM answer_slo_refusals('1 hour') WHERE tenant = '' AND intent = 'slo text'$$,
	$$VALUES ('contradicted', 1::bigint), ('invalid_citations', 1), ('misquoted', 1)$$, 'why answers were refused');

-- the same in a model's words: nobody judged it, so it is neither supported nor called wrong
SELECT pg_temp.mint('text ' || i, 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	jsonb_build_object('intent', 'slo judged',
		'answer', format('They keep paper %s for ever [1]. They are in Malmö [2].', i),
		'citations', '["a#p0", "b#p0"]'::jsonb,
		'config', '{"judge_entailment": ["slo.nli", "slo.second"], "contradict_min": 0.6}'::jsonb))
FROM generate_series(1, 3) AS i;
SELECT is(pg_temp.says('text 1'), 'ANSWER_WITH_CAVEATS given unjudged 0/2 -', 'a text that nobody has judged');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 0 prevented 0 unsupported 3 gqs 0.00 ok',
	'nobody says it is wrong');
CREATE TABLE slo_pair AS
	SELECT m.name, n.place, n.need ->> 'pair' AS pair FROM slo_minted m
	CROSS JOIN LATERAL jsonb_array_elements(m.r -> 'to_judge') WITH ORDINALITY AS n (need, place)
	WHERE m.name ~ '^text';
SELECT is((SELECT count(*) FROM slo_pair), 6::bigint, 'each sentence is a pair to be judged');
SELECT is((SELECT count(*) FROM answer.rollup_new WHERE intent = 'slo judged' AND cardinality(pairs) = 2), 3::bigint,
	'and the roll-up knows by which pairs a judge can contradict it');
CREATE FUNCTION pg_temp.judge(wanted text, nth int, relation text, score numeric, judge text DEFAULT 'slo.nli')
RETURNS integer LANGUAGE sql AS $$
	SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('pair', pair, 'relation', relation, 'score', score,
		'judge', judge))) FROM slo_pair WHERE name = wanted AND place = nth $$;
-- judgements that do not contradict it
SELECT is(pg_temp.judge('text 1', 1, 'contradicts', 0.59), 1, 'a judge that is less sure than contradict_min');
SELECT is(pg_temp.judge('text 1', 1, 'contradicts', 0.99, 'slo.other'), 1, 'one that the configuration does not name');
SELECT is(pg_temp.judge('text 1', 1, 'neutral', 1, 'slo.second'), 1, 'one that does not say so');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 0 prevented 0 unsupported 3 gqs 0.00 ok',
	'contradict nothing');
-- judgements that do: of an answer in the queue, of a counted one, and of the same one twice
SELECT is(pg_temp.judge('text 1', 1, 'contradicts', 0.6), 1, 'a judge that is sure enough');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 1 prevented 0 unsupported 3 gqs 0.00 breach',
	'answers that are wrong are in breach as soon as somebody judges them');
SELECT is((SELECT concat_ws(' ', c.contradicted, c.judge, p.name, p.place) FROM answer.rollup_correction c
	JOIN slo_pair p ON p.pair = c.pair), 't slo.nli text 1 1', 'which answer, which judge, which sentence');
SELECT cmp_ok(answer_rollup(), '>=', 3::bigint, 'counted');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 1 prevented 0 unsupported 3 gqs 0.00 breach',
	'to the same');
SELECT is(pg_temp.judge('text 2', 2, 'contradicts', 0.9, 'slo.second'), 1, 'another answer, which is counted');
SELECT is(pg_temp.judge('text 1', 2, 'contradicts', 0.9, 'slo.second'), 1, 'the same sentence of the first, too');
-- the second sentence is the same text in all of them
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 3 prevented 0 unsupported 3 gqs 0.00 breach',
	'each document counts once, and all that have the pair do');
SELECT is((SELECT sum(value) FROM answer.dashboard_slo WHERE tenant = '' AND metric = 'contradicted'), 6::float8,
	'series over time have it');
-- a judge takes it back: for each pair and judge the newest judgement counts
SELECT is(pg_temp.judge('text 2', 2, 'supports', 0.9, 'slo.second'), 1, 'one takes it back');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 1 prevented 0 unsupported 3 gqs 0.00 breach',
	'where nobody contradicts any more, it is as it was; where another pair is contradicted, it stays');
SELECT is((SELECT count(*) FROM answer.rollup_correction WHERE contradicted), 1::bigint, 'and the table says so');

-- quality falls when judges contradict a supported answer
SELECT pg_temp.mint('quoted', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	'{"intent": "slo quoted", "answer": "Invoices are kept by the archive team for seven years. [1]",
	"citations": ["a#p0"], "config": {"judge_entailment": "slo.nli"}}');
SELECT is(pg_temp.says('quoted'), 'ANSWER_WITH_CAVEATS given supported unjudged 1/1 -', 'a quotation is supported');
SELECT is(pg_temp.level('slo quoted'), '1/1 contradicted 0 prevented 0 unsupported 0 gqs 0.90 ok', 'and counts');
INSERT INTO slo_pair SELECT m.name, 1, m.r #>> '{to_judge,0,pair}' FROM slo_minted m WHERE m.name = 'quoted';
SELECT is(pg_temp.judge('quoted', 1, 'contradicts', 0.9), 1, 'what stands around it takes it back');
SELECT is(pg_temp.level('slo quoted'), '1/1 contradicted 1 prevented 0 unsupported 1 gqs 0.00 breach', 'so it is not');
SELECT is((SELECT supported AND NOT contradicted FROM answer.receipt x JOIN slo_minted m
	ON m.r ->> 'receipt_id' = x.receipt_id WHERE m.name = 'quoted'), true,
	'the row of the document stays as it was minted');

-- counting again gives the same sums, from documents and judgements alone
CREATE FUNCTION pg_temp.all_levels() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(to_jsonb(s)::text, E'\n' ORDER BY s.tenant, s.intent) FROM answer_slo('1 hour') s
	WHERE s.intent ~ '^slo ' $$;
CREATE FUNCTION pg_temp.all_sums() RETURNS text LANGUAGE sql AS $$
	SELECT md5(string_agg(s::text, E'\n' ORDER BY s::text COLLATE "C")) FROM (SELECT s::text FROM answer.rollup s
		UNION ALL SELECT s::text FROM answer.rollup_refusal s
		UNION ALL SELECT s::text FROM answer.rollup_correction s WHERE contradicted) AS s (s) $$;
SELECT cmp_ok(answer_rollup(), '>=', 1::bigint, 'all is counted');
CREATE TABLE slo_before AS SELECT pg_temp.all_levels() AS levels, pg_temp.all_sums() AS sums;
SELECT cmp_ok(answer_rollup_rebuild(), '>=', 10::bigint, 'counted again');
SELECT is(pg_temp.all_levels(), levels, 'to the same levels'), is(pg_temp.all_sums(), sums, 'and sums') FROM slo_before;
DELETE FROM answer.rollup_kept;
DELETE FROM answer.rollup;
DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
DELETE FROM answer.rollup_correction;
DELETE FROM answer.rollup_word;
DELETE FROM answer.rollup_key;
SELECT cmp_ok(answer_rollup_rebuild(), '>=', 10::bigint, 'and once more, after somebody has emptied it');
SELECT is(pg_temp.all_levels(), levels, 'to the same levels, by documents and judgements alone'),
	is(pg_temp.all_sums(), sums, 'and sums') FROM slo_before;
-- later judgements count as before
SELECT is(pg_temp.judge('quoted', 1, 'supports', 0.9), 1, 'a judge takes it back');
SELECT is(pg_temp.level('slo quoted'), '1/1 contradicted 0 prevented 0 unsupported 0 gqs 0.90 ok',
	'and it is as before');

-- an audit finds every edit of judgements
CREATE FUNCTION pg_temp.found() RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(DISTINCT finding::text, ' '), '-') FROM answer_log_audit()
	WHERE finding NOT IN ('forgotten', 'detached') AND detail ~ 'roll-up' $$;
SELECT is(pg_temp.found(), '-', 'the audit finds nothing');
SAVEPOINT edits;
UPDATE answer.rollup_correction SET contradicted = false, pair = NULL, judge = NULL;
SELECT isnt(pg_temp.found(), '-', 'a correction that is hidden');
ROLLBACK TO edits;
DELETE FROM answer.rollup_correction;
SELECT isnt(pg_temp.found(), '-', 'one that is gone');
ROLLBACK TO edits;
UPDATE answer.rollup_kept SET corrects = -1 WHERE corrects = 1;
SELECT isnt(pg_temp.found(), '-', 'one that is turned round');
ROLLBACK TO edits;
DELETE FROM answer.rollup_kept WHERE corrects IS NOT NULL;
DELETE FROM answer.rollup_correction;
DELETE FROM answer.rollup_new WHERE corrects IS NOT NULL;
UPDATE answer.rollup SET contradicted = 0;
SELECT isnt(pg_temp.found(), '-', 'all that says so, together with the sums');
ROLLBACK TO edits;
UPDATE answer.rollup SET unjudged = 0;
SELECT isnt(pg_temp.found(), '-', 'sums that are edited');
ROLLBACK TO edits;
UPDATE answer.rollup_refusal SET reason = 'budget' WHERE reason = 'conflict_detected';
SELECT isnt(pg_temp.found(), '-', 'reasons that are edited');
ROLLBACK TO edits;

-- forgotten answers stay counted as they were
SELECT lives_ok($$SELECT answer_forget((SELECT r ->> 'receipt_id' FROM slo_minted WHERE name = 'text 1'), 'test')$$,
	'the contradicted one is forgotten');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 1 prevented 0 unsupported 3 gqs 0.00 breach',
	'and counts all the same');
SELECT cmp_ok(answer_rollup_rebuild(), '>=', 10::bigint, 'counted again');
SELECT is(pg_temp.level('slo judged'), '3/3 contradicted 1 prevented 0 unsupported 3 gqs 0.00 breach',
	'too');
SELECT is(pg_temp.found(), '-', 'and the audit finds nothing');

-- an answer without text by a tool counts as answered, but nothing in it is supported
CREATE FUNCTION slo_write(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object('text', args -> 'text', 'citations', '[]'::jsonb) $$;
SELECT answer_tool_register('slo.write', 'slo_write(jsonb)', spec => '{"io": {"input": {"text": "string"},
	"output": {"text": "string", "citations": "array"}}}') IS NOT NULL;
INSERT INTO slo_minted SELECT name, answer_plan_execute(jsonb_build_object('vars', jsonb_build_object('t', text),
	'plan',
	'{"plan_id": "slo", "intent": "slo empty", "nodes": [{"id": "w", "op": "call", "tool": "slo.write",
		"args": {"text": "$INPUT.t"}, "out": "a"}]}'::jsonb))
FROM (VALUES ('plan nothing', ''), ('plan blanks', E' \n '), ('plan words', 'We are open.')) AS t (name, text);
SELECT is(pg_temp.says(name), told, name)
FROM (VALUES ('plan nothing', 'answered given unjudged 0/1 -'),
	('plan blanks', 'answered given unjudged 0/1 -'),
	('plan words', 'answered given unjudged 0/1 -')) AS t (name, told);
SELECT is(pg_temp.level('slo empty'), '3/3 contradicted 0 prevented 0 unsupported 3 gqs 0.00 ok',
	'an answer that says nothing is no quality');

SELECT * FROM finish();
ROLLBACK;
