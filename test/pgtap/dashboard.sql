-- What the dashboard counts for each kind of document, in its columns and views, with documents that are minted here.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
-- several tests of one row are lines of their own
\pset fieldsep '\n'
SELECT plan(53);

CREATE FUNCTION pg_temp.says(receipt jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', verdict, array_to_string(ARRAY[CASE WHEN given THEN 'given' END,
			CASE WHEN supported THEN 'supported' END, CASE WHEN citation_required THEN 'required' END,
			CASE WHEN citation_given THEN 'cited' END, CASE WHEN contradicted THEN 'contradicted' END,
			CASE WHEN prevented THEN 'prevented' END, CASE WHEN unjudged THEN 'unjudged' END], ' '),
		coalesce(grounded || '/' || sentences, '-'), coalesce(refusal, '-'), coalesce(intent, '-'),
		coalesce(trim_scale(cost_usd)::text, '-'))
	FROM answer.receipt r WHERE r.receipt_id = receipt ->> 'receipt_id' $$;
CREATE FUNCTION public.dash_tool(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	IF args ->> 'do' = 'fail' THEN
		RAISE EXCEPTION 'it fails' USING ERRCODE = 'XX123';
	END IF;
	RETURN jsonb_build_object('v', 1);
END $$;
SELECT lives_ok($$SELECT answer_source_register('dash source'),
	answer_tool_register('dash', 'public.dash_tool(jsonb)',
		options => '{"optional_args": ["do"], "source": "dash source"}', freshness => '1 hour',
	value_path => 'v')$$, 'a tool');
CREATE TABLE dash_minted (name text PRIMARY KEY, r jsonb);
CREATE TABLE dash_before AS SELECT * FROM answer_slo('1 hour') WHERE tenant IS NULL;

-- answers
INSERT INTO dash_minted VALUES
	('supported', answer_eval('{"checks": [{"tool": "dash", "expect": {"op": "eq", "value": 1}}]}')),
	('contradicted', answer_eval('{"checks": [{"tool": "dash", "expect": {"op": "eq", "value": 2}}]}')),
	('evidenced', answer_eval('{"checks": [{"tool": "dash"}]}')),
	('failed', answer_eval('{"checks": [{"tool": "dash", "args": {"do": "fail"}}, {"tool": "dash",
	"args": {"do": "fail"}, "expect": {"op": "eq", "value": 1}}]}')),
	('unknown', answer_eval('{"checks": [{"tool": "nobody knows it"}]}')),
	('asked', answer_ask('What is the airspeed velocity of an unladen swallow?'));
SELECT is(pg_temp.says(r), 'supported given supported cited 0/0 - - -',
	'a claim that holds') FROM dash_minted WHERE name = 'supported';
SELECT is(pg_temp.says(r),
	'contradicted given supported cited 0/0 - - -',
	'a claim that does not: no contradiction within the evidence')
FROM dash_minted WHERE name = 'contradicted';
SELECT is(pg_temp.says(r), 'evidenced given supported cited 0/0 - - -',
	'a value') FROM dash_minted WHERE name = 'evidenced';
SELECT is(pg_temp.says(r),
	'insufficient_evidence  0/0 insufficient_evidence - -',
	'a tool that fails') FROM dash_minted WHERE name = 'failed';
SELECT matches(pg_temp.says(r),
	'^outside_evidence_coverage  0/0 outside_evidence_coverage ',
	'a question that no route takes') FROM dash_minted WHERE name = 'asked';

-- decisions
CREATE FUNCTION pg_temp.chunks(a text, b text, at text DEFAULT to_jsonb(now()) #>> '{}')
	RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', a, 'similarity', 0.9,
	'timestamp', at),
		jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', b, 'similarity', 0.8, 'timestamp', at)) $$;
INSERT INTO dash_minted SELECT name, answer_grounded(query, jsonb_build_object('chunks', chunks, 'intent',
	'dash intent') || more)
FROM (VALUES
	('ANSWER', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
	'{}'::jsonb),
	('BLOCK', 'How long are invoices kept by the archive team?',
	pg_temp.chunks('Invoices are kept by the archive team for seven years.', 'The archive team works in Malmö.'),
		'{"answer": "Invoices are kept for seven years.", "citations": ["z#p9"]}'),
	('ABSTAIN', 'How long are invoices kept by the archive team?', '[]', '{}'),
	('conflict', 'What is the API rate limit?', pg_temp.chunks('The API rate limit is 1000 requests per hour.',
	'The API rate limit is 300 requests per hour.'), '{}'),
	('CLARIFY', 'Can we downgrade without penalties?',
	pg_temp.chunks('Customers can downgrade at the end of a term.', 'To downgrade, write to support.'), '{}'))
	AS d (name, query, chunks, more);
SELECT is(pg_temp.says(r),
	'ANSWER given supported required cited unjudged 2/2 - dash intent -', 'an answer')
	FROM dash_minted WHERE name = 'ANSWER';
SELECT is(pg_temp.says(r),
	'BLOCK  0/0 invalid_citations dash intent -',
	'an answer whose citations do not hold') FROM dash_minted WHERE name = 'BLOCK';
SELECT is(pg_temp.says(r),
	'ABSTAIN  0/0 low_retrieval_confidence dash intent -', 'a refusal')
	FROM dash_minted WHERE name = 'ABSTAIN';
SELECT is(pg_temp.says(r),
	'ABSTAIN prevented 0/0 conflict_detected dash intent -',
	'a refusal over sources in conflict, which prevents a contradiction') FROM dash_minted WHERE name = 'conflict';
SELECT is(pg_temp.says(r), 'CLARIFY  0/0 ambiguous_query dash intent -',
	'to ask back is not to answer') FROM dash_minted WHERE name = 'CLARIFY';

-- plans
CREATE FUNCTION dash_search(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT '{"hits": [
	{"id": "h1", "uri": "https://docs.acme.example/policies/refunds.html#custom", "score": 0.71,
	"title": "Refund Policy", "stamp": "2999-01-01",
	 "snippet": "Custom items are non‑refundable except for manufacturing defects within 30 days."}]}'::jsonb $$;
SELECT answer_tool_register('dash.search', 'dash_search(jsonb)', spec => jsonb_set(answer_tool_spec('doc.search')
	- 'id', '{constraints,cost_per_call_usd}', '0.0001'));
CREATE FUNCTION dash_verify(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object('evidence', jsonb_build_object('type', 'Evidence',
	'claims', args -> 'claims', 'supports', jsonb_build_array(jsonb_build_object('claim', args #> '{claims,0}',
	'source', 'https://docs.acme.example/policies/refunds.html#custom',
		'confidence', 0.97, 'snippet',
		'Custom items are non‑refundable except for manufacturing defects within 30 days.')),
	'contradicts', jsonb_build_array(jsonb_build_object('claim', args #> '{claims,0}', 'source',
	'https://docs.acme.example/policies/refunds.html#custom', 'weight', 0.31,
		'snippet', 'Custom items are non‑refundable except for manufacturing defects within 30 days.')))) $$;
SELECT answer_tool_register('dash.verify', 'dash_verify(jsonb)', spec => answer_tool_spec('ground.verify') - 'id');
CREATE FUNCTION pg_temp.dash_plan(verify text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_plan_execute(jsonb_build_object('vars', '{"query": "refund policy custom items"}'::jsonb,
	'plan', jsonb_build_object('plan_id', 'dash.plan', 'nodes', jsonb_build_array(
		'{"id": "n1", "op": "call", "tool": "dash.search", "args": {"q": "refund policy custom items", "k": 8},
		"out": "hits"}'::jsonb,
		jsonb_build_object('id', 'n2', 'op', 'call', 'tool', verify, 'args',
		'{"claims": ["Refund policy for custom items"], "sources": "$hits", "min_confidence": 0.9}'::jsonb, 'out',
		'ev'),
		'{"id": "n3", "op": "call", "tool": "synth.answer", "args": {"query": "$INPUT.query", "evidence": "$ev"},
		"out": "ans"}'::jsonb),
		'edges', '[["n1", "n2"], ["n2", "n3"]]'::jsonb))) $$;
INSERT INTO dash_minted VALUES ('plan', pg_temp.dash_plan('ground.verify')), ('plan blocked',
	pg_temp.dash_plan('dash.verify'));
SELECT is(pg_temp.says(r), 'answered given supported required cited unjudged 1/1 - ' ||
	coalesce(r ->> 'intent', '-') || ' ' ||
	trim_scale((r #>> '{budget_used,cost_usd}')::numeric), 'a plan that answers, at its cost'),
	cmp_ok((r #>> '{budget_used,cost_usd}')::numeric, '>', 0::numeric, 'which it has')
FROM dash_minted WHERE name = 'plan';
SELECT matches(pg_temp.says(r), '^blocked prevented 0/0 conflict ',
	'one that a contradiction of 0.31 blocks') FROM dash_minted WHERE name = 'plan blocked';

-- no answers
SELECT is((SELECT string_agg(DISTINCT concat_ws(' ', schema, given, supported, citation_required, citation_given,
	contradicted, prevented, unjudged, sentences, grounded, refusal), ',') FROM answer.receipt
	WHERE schema IN ('change/v1', 'retention/v1', 'packet/v1', 'quality/v1')
	AND num_nonnulls(given, supported, sentences, refusal) > 0), NULL,
	'a change, an assessment and a packet are no answers');

-- windows show them at once, and the same after counting
CREATE FUNCTION pg_temp.now_counted() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', s.answers - b.answers, s.required - b.required, s.cited - b.cited,
	s.contradicted - b.contradicted)
	FROM answer_slo('1 hour') s, dash_before b WHERE s.tenant IS NULL $$;
-- including the one that asks back; the decision and the plan that answer require citations
SELECT is(pg_temp.now_counted(), '13 2 2 0', 'what was minted in this transaction counts');
SELECT cmp_ok(answer_rollup(), '>=', 13::bigint, 'it is counted');
SELECT is(pg_temp.now_counted(), '13 2 2 0', 'and counts as before');
SELECT is((SELECT answers FROM answer_slo('1 hour') WHERE tenant = '' AND intent = 'dash intent'), 5::bigint,
	'by intent');
SELECT results_eq($$SELECT metric, sum(value) FROM answer.dashboard_verdicts WHERE metric IN ('decision/v1 CLARIFY',
	'decision/v1 BLOCK') GROUP BY 1 ORDER BY 1$$,
	$$SELECT 'decision/v1 ' || verdict, count(*)::float8 FROM answer.receipt WHERE verdict IN ('BLOCK',
	'CLARIFY') GROUP BY 1 ORDER BY 1$$, 'verdicts over time');
SELECT cmp_ok((SELECT sum(value) FROM answer.dashboard_checks WHERE metric = 'evidence_unavailable'), '>=',
	2::float8, 'checks over time');
SELECT cmp_ok((SELECT sum(value) FROM answer.dashboard_reasons WHERE metric = 'decision/v1 invalid_citations'), '>=',
	1::float8, 'reasons over time');
SELECT cmp_ok((SELECT sum(value) FROM answer.dashboard_evidence WHERE metric = 'conflicting'), '>=', 2::float8,
	'conflicting evidence over time');
SELECT is((SELECT calls FROM answer.dashboard_tools WHERE tool = 'dash' AND outcome = 'XX123'), 2::float8,
	'failures of a tool by SQLSTATE'),
	is((SELECT calls FROM answer.dashboard_tools WHERE tool = 'dash' AND outcome = 'ok'), 3::float8, 'and what worked'),
	ok((SELECT mean_ms >= 0 FROM answer.dashboard_tools WHERE tool = 'dash.search' AND outcome = 'ok'),
	'and how long it took in plans');
SELECT ok((SELECT bool_and(mean_ms > 0) AND count(*) = 2 FROM answer.dashboard_tools WHERE tool = 'dash'),
	'and in checks, whatever became of it');
SELECT is((SELECT facts FROM answer.dashboard_sources WHERE source = 'dash source'), 3::float8, 'facts by source'),
	ok((SELECT confidence BETWEEN 0.01 AND 1 FROM answer.dashboard_sources WHERE source = 'dash source'),
	'and how sure they are');
SELECT is((SELECT count(*) FROM answer.dashboard_keys WHERE status = 'active' AND file_present AND age_days >= 0
	AND documents > 0), 1::bigint, 'the key, with its file');
SELECT is((SELECT unsealed FROM answer.dashboard_log), (SELECT count(*) FROM answer.unsealed), 'what is not sealed');
SELECT is((SELECT count(*) FROM answer.receipt_check c JOIN dash_minted m ON m.r ->> 'receipt_id' = c.receipt_id
	WHERE m.name = 'failed' AND c.sqlstate = 'XX123'), 2::bigint, 'a row a check');
SELECT is((SELECT asked FROM answer.receipt_refusal JOIN dash_minted m ON m.r ->> 'receipt_id' = receipt_id
	WHERE m.name = 'asked'),
	'What is the airspeed velocity of an unladen swallow?', 'what was asked and refused');
SELECT lives_ok($$SELECT answer_investigation_open((SELECT min(intent) FROM answer.quality_requirement),
	'Who did it?')$$, 'an investigation');
SELECT cmp_ok((SELECT count(*) FROM answer.dashboard_open WHERE NOT complete AND gaps > 0), '>=', 1::bigint,
	'which is open, with gaps');
SELECT lives_ok($$SELECT answer_budget_set('', 'day', 5)$$, 'a budget');
SELECT is((SELECT cost_cap_usd FROM answer.dashboard_budgets WHERE period = 'day' AND tenant = ''), 5::float8,
	'is shown');

-- neither forgetting nor counting everything again changes a count
SELECT lives_ok($$SELECT answer_forget((SELECT r ->> 'receipt_id' FROM dash_minted WHERE name = 'BLOCK'), 'test')$$,
	'one is forgotten');
SELECT is(pg_temp.now_counted(), '13 2 2 0', 'and counts all the same');
SELECT lives_ok('SELECT answer_rollup()', 'what came since is counted');
CREATE TABLE dash_sums AS SELECT * FROM answer.rollup;
CREATE TABLE dash_latencies AS SELECT * FROM answer.rollup_latency;
CREATE TABLE dash_words AS SELECT * FROM answer.rollup_word;
CREATE TABLE dash_refusals AS SELECT * FROM answer.rollup_refusal;
SELECT cmp_ok((SELECT count(*) FROM dash_latencies), '>=', 5::bigint, 'there are latencies');
SELECT cmp_ok(answer_rollup_rebuild(), '>=', 13::bigint, 'all is counted again');
SELECT is_empty('(TABLE dash_sums EXCEPT TABLE answer.rollup) UNION ALL (TABLE answer.rollup
	EXCEPT TABLE dash_sums)', 'to the same sums'),
	is_empty('(TABLE dash_latencies EXCEPT TABLE answer.rollup_latency) UNION ALL (TABLE answer.rollup_latency
	EXCEPT TABLE dash_latencies)', 'latencies'),
	is_empty('(TABLE dash_words EXCEPT TABLE answer.rollup_word) UNION ALL (TABLE answer.rollup_word
	EXCEPT TABLE dash_words)', 'and words');
-- from the receipts alone
DELETE FROM answer.rollup_kept;
DELETE FROM answer.rollup;
DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
DELETE FROM answer.rollup_word;
DELETE FROM answer.rollup_key;
SELECT cmp_ok(answer_rollup_rebuild(), '>=', 13::bigint, 'and once more, after somebody has emptied it');
SELECT is_empty('(TABLE dash_sums EXCEPT TABLE answer.rollup) UNION ALL (TABLE answer.rollup
	EXCEPT TABLE dash_sums)', 'to the same sums, with what was forgotten'),
	is_empty('(TABLE dash_latencies EXCEPT TABLE answer.rollup_latency) UNION ALL (TABLE answer.rollup_latency
	EXCEPT TABLE dash_latencies)', 'and how long it took'),
	is_empty('(TABLE dash_refusals EXCEPT TABLE answer.rollup_refusal) UNION ALL (TABLE answer.rollup_refusal
	EXCEPT TABLE dash_refusals)', 'and why answers were refused');
-- the reasons of forgotten documents are lost
SELECT is((SELECT sum(w.count - coalesce(n.count, 0)) FROM dash_words w LEFT JOIN answer.rollup_word n USING (tenant,
	grain, starts_at, schema, word) WHERE NOT (w.schema = 'answer/v1' AND w.word ~ '^(us|timed) ')), 2::numeric,
	'but for the reason of what was forgotten, of an hour and of a day, and for the times that no body has');
SELECT is(pg_temp.now_counted(), '13 2 2 0', 'windows too');

-- a fact whose sources contradict each other
SELECT answer_source_register('dash left'), answer_source_register('dash right'), answer_tool_register('dash readings',
	required_args => '{of}', value_path => 'v', freshness => '1 hour') IS NULL AS registered \gset
SELECT answer_evidence_add('dash readings', '{"of": "one"}', jsonb_build_object('v', v), source) FROM (VALUES
	('dash left', 1), ('dash right', 2)) AS v (source, v) \g /dev/null
SELECT answer_evidence_add('dash readings', '{"of": "two"}', '{"v": 3}', source) FROM (VALUES
	('dash left'), ('dash right')) AS v (source) \g /dev/null
SELECT is(pg_temp.says(answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool',
	'dash readings', 'args', jsonb_build_object('of', of)))))), says, 'of sources that ' || what)
FROM (VALUES ('one', 'evidenced given cited contradicted 0/0 - - -', 'contradict each other'),
	('two', 'evidenced given supported cited 0/0 - - -', 'agree')) AS v (of, says, what);
SELECT * FROM finish();
ROLLBACK;
