-- The scenario of Acme Tools: its plan, its hits, and every number and field of the result; then with the words of its
-- authors, from scripted tools; then what must not pass.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
-- several tests in one row become separate lines
\pset fieldsep '\n'
SELECT plan(56);

-- Documents published in 2025 get dates of a few days ago; otherwise they would be stale.
CREATE FUNCTION pg_temp.fresh(t text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT replace(replace(t, '2025-07-18', to_char(now() AT TIME ZONE 'UTC' - interval '10 days', 'YYYY-MM-DD')),
		'2025-08-02', to_char(now() AT TIME ZONE 'UTC' - interval '5 days', 'YYYY-MM-DD'))::jsonb $$;
CREATE TABLE acme_hits AS SELECT '{"hits": [
	{"id": "h1", "uri": "https://docs.acme.example/policies/refunds.html#custom", "score": 0.71,
	 "title": "Refund Policy → Custom Items", "stamp": "2025-07-18T10:15:00Z",
	 "snippet": "Custom items are non‑refundable except for manufacturing defects within 30 days."},
	{"id": "h2", "uri": "https://docs.acme.example/policies/custom-items.pdf#exceptions", "score": 0.65,
	 "title": "Custom Items Exceptions", "stamp": "2025-08-02T09:00:00Z",
	 "snippet": "Exceptions apply to manufacturing defects; contact support within 30 days."},
	{"id": "h3", "uri": "https://support.acme.example/tickets/34219", "score": 0.40,
	 "snippet": "Agent approved refund for a custom order after 45 days."}]}'::jsonb AS hits;
CREATE FUNCTION acme_search(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT hits FROM acme_hits $$;
SELECT answer_tool_register('acme.search', 'acme_search(jsonb)', spec => answer_tool_spec('doc.search') - 'id');

-- the plan as it was published, except for the tool that searches
CREATE FUNCTION pg_temp.acme_plan(claim text DEFAULT 'Refund policy for custom items') RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_set('{
  "plan_id": "acme.refund.v1",
  "signals": {"latency_budget_ms": 1500, "cost_cap_usd": 0.02, "risk": "low"},
  "nodes": [
    {"id":"n1","op":"call","tool":"acme.search","args":{"q":"refund policy custom items","k":8},"out":"hits1"},
    {"id":"n2","op":"call","tool":"ground.verify","args":{"claims":["Refund policy for custom items"],
     "sources":"$hits1","min_confidence":0.90},"out":"ev1"},
    {"id":"n3","op":"assert","if":"$ev1.verdict.confidence >= 0.90"},
    {"id":"n4","op":"call","tool":"synth.answer","args":{"query":"$INPUT.query","evidence":"$ev1",
     "style":"concise+citations"},"out":"ans"},
    {"id":"n5","op":"mem.write","tool":"mesh.mem","args":{"op":"write","key":"faq.refunds.custom","value":"$ans",
     "provenance":"$ev1","ttl":"P180D"}}
  ],
  "edges": [["n1","n2"],["n2","n3"],["n3","n4"],["n4","n5"]],
  "stop_conditions": {"max_nodes": 10}
}'::jsonb, '{nodes,1,args,claims,0}', to_jsonb(claim)) $$;
CREATE FUNCTION pg_temp.request(plan jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('plan', plan, 'vars', '{"query": "refund policy custom items"}'::jsonb,
		'budgets', '{"latency_budget_ms": 1500, "cost_cap_usd": 0.02}'::jsonb) $$;

SELECT is_empty($$SELECT * FROM answer_plan_validate(pg_temp.acme_plan())$$, 'the plan is valid');
SELECT is_empty($$SELECT * FROM answer_plan_validate(replace(pg_temp.acme_plan()::text, 'acme.search',
	'doc.search')::jsonb)$$, 'and so it is with the tool that ships');
SELECT matches(answer_plan_register(pg_temp.acme_plan()), '^sha256:[0-9a-f]{64}$', 'it is registered by its digest');
SELECT is(answer_plan_explain(pg_temp.request('{"ref": "acme.refund.v1"}')),
	'{"order": ["n1", "n2", "n3", "n4", "n5"], "predicted": {"cost_usd": 0, "latency_ms": 520}, "basis": "declared",
	"measured": {}, "degradation": [], "bindings": {"hits1": ["n1"], "ev1": ["n2"], "ans": ["n4"]},
	"limits": {"latency_ms": 1500, "cost_usd": 0.02}, "conditions": {"n3": {"if": "$ev1.verdict.confidence >= 0.90"}}}',
	'predicted: 520 ms, which are declared, and nothing in dollars');

-- as it was published, executed today: the text about refunds is too old
SELECT is(r ->> 'verdict', 'blocked', 'with what was published in 2025 it is blocked'),
	is(r #>> '{reason,kind}', 'stale_documents', 'for that is stale'),
	alike(r #>> '{reason,message}', '%is from "2025-07-18T10:15:00Z", and what is more than 30 days old is stale here',
		'which names the date and the limit'),
	is(r -> 'response', 'null', 'nothing is answered'), is(r #> '{trace,1,inputs,policy,freshness_days}', '30',
		'a refund policy is of high risk, whatever the plan says'),
	is((SELECT count(*) FROM answer.memory_entry), 0::bigint, 'nor remembered'),
	is(answer_replay(r), '{"ok": true}', 'and it replays')
FROM answer_plan_execute(pg_temp.request('{"ref": "acme.refund.v1"}')) AS r;
UPDATE acme_hits SET hits = pg_temp.fresh(hits::text);
CREATE TABLE acme AS SELECT answer_plan_execute(pg_temp.request('{"ref": "acme.refund.v1"}')) AS r;
SELECT is(r ->> 'verdict', 'answered', 'it answers'), is(r ->> 'schema', 'plan/v1', 'the answer is a document')
FROM acme;
SELECT ok((answer_verify(r, answer_keys()) ->> 'ok')::boolean, 'which verifies'),
	is(answer_replay(r), '{"ok": true}', 'and replays'),
	is(jsonb_path_query_array(r, '$.caveats[*].code'), '["contradicted", "not_judged"]', 'nobody has judged it')
FROM acme;

-- the evidence
SELECT is(e -> 'supports', pg_temp.fresh('[{"claim": "Refund policy for custom items", "confidence": 0.93,
	"source": "https://docs.acme.example/policies/refunds.html#custom", "title": "Refund Policy → Custom Items",
	"stamp": "2025-07-18T10:15:00Z",
	"snippet": "Custom items are non‑refundable except for manufacturing defects within 30 days."}]'),
	'supports 0.93'),
	is(e -> 'contradicts', '[{"claim": "Refund policy for custom items", "weight": 0.18,
	"source": "https://support.acme.example/tickets/34219",
	"snippet": "Agent approved refund for a custom order after 45 days."}]', 'contradicts 0.18'),
	is(e -> 'verdict', '{"confidence": 0.91, "contradictions": 0.18, "needs_citation": true}', 'verdict 0.91'),
	is(e -> 'policy', '{"cite_if_confidence_below": 0.95, "block_if_conflict_over": 0.3}', 'the policy'),
	is(e ->> 'type', 'Evidence', 'the type'), is(e -> 'claims', '["Refund policy for custom items"]', 'the claims'),
	is(jsonb_path_query_array(e, '$.related[*].source'),
		'["https://docs.acme.example/policies/custom-items.pdf#exceptions"]', 'the exceptions are related')
FROM acme, LATERAL (SELECT r #> '{trace,1,outputs,evidence}') AS v (e);

-- the response
SELECT is(p ->> 'text', 'Custom items are non‑refundable except for manufacturing defects within 30 days. [1] '
		'Exceptions apply to manufacturing defects; contact support within 30 days. [2]',
	'the text with its two markers'),
	is(p -> 'citations', pg_temp.fresh('[{"uri": "https://docs.acme.example/policies/refunds.html#custom",
		"title": "Refund Policy → Custom Items", "stamp": "2025-07-18T10:15:00Z"},
		{"uri": "https://docs.acme.example/policies/custom-items.pdf#exceptions",
		"title": "Custom Items Exceptions", "stamp": "2025-08-02T09:00:00Z"}]'), 'the citations'),
	is(to_jsonb(answer.reference_list(p -> 'citations')), pg_temp.fresh(to_json(E'[1] *Refund Policy → Custom Items*, '
		'https://docs.acme.example/policies/refunds.html#custom (updated 2025-07-18).\n[2] *Custom Items Exceptions*, '
		'https://docs.acme.example/policies/custom-items.pdf#exceptions (updated 2025-08-02).'::text)::text),
		'the references'),
	is(p -> 'evidence', '{"confidence": 0.91, "contradictions": 0.18, "needs_citation": true}', 'what it rests on'),
	is(p #> '{budget_used,cost_usd}', '0', 'the cost: what ships costs nothing'),
	cmp_ok((p #>> '{budget_used,latency_ms}')::numeric, '>=', 520::numeric, 'the latency, at least as predicted'),
	is(p ->> 'trace_id', r ->> 'trace_id', 'the trace'), is(r -> 'budget_used', p -> 'budget_used', 'told twice'),
	is((SELECT array_agg(k ORDER BY k COLLATE "C") FROM jsonb_object_keys(p) AS k),
		'{budget_used,citations,evidence,text,trace_id}', 'and nothing else')
FROM acme, LATERAL (SELECT r -> 'response') AS v (p);

-- the trace
CREATE TABLE acme_trace AS SELECT (e ->> 'seq')::integer AS seq, e FROM acme, answer_trace(r ->> 'trace_id') AS e;
SELECT results_eq($$SELECT seq, e ->> 'step', e ->> 'tool', (e ->> 'cost_usd')::numeric,
		(e ->> 'latency_ms')::numeric >= p50
	FROM acme_trace JOIN (VALUES (1, 120), (2, 200), (3, 0), (4, 140), (5, 60)) AS p (seq, p50) USING (seq)
	ORDER BY seq$$,
	$$VALUES (1, 'n1', 'acme.search', 0::numeric, true), (2, 'n2', 'ground.verify', 0, true), (3, 'n3', NULL, 0, true),
		(4, 'n4', 'synth.answer', 0, true), (5, 'n5', 'mesh.mem', 0, true)$$, 'five events, each with its time');
SELECT ok(bool_and(e ->> 'plan_id' = 'acme.refund.v1'
		AND (e ->> 'ts_start')::timestamptz <= (e ->> 'ts_end')::timestamptz
		AND e ->> 'inputs_hash' ~ '^sha256:[0-9a-f]{64}$' AND e ->> 'outputs_hash' ~ '^sha256:[0-9a-f]{64}$'
		AND (e ->> 'tokens_in')::bigint >= 0 AND (e ->> 'tokens_out')::bigint >= 0
		AND e -> 'sig' ->> 'key_id' IS NOT NULL),
	'every field of the trace') FROM acme_trace;
SELECT is(e -> 'citations', '["https://docs.acme.example/policies/refunds.html#custom",
	"https://docs.acme.example/policies/custom-items.pdf#exceptions"]', 'what the answer cites')
FROM acme_trace WHERE seq = 4;
SELECT is(e ->> 'inputs_hash', answer_digest(r #> '{trace,1,inputs}'), 'hashes of what went in'),
	is(e ->> 'outputs_hash', answer_digest(r #> '{trace,1,outputs}'), 'and came out')
FROM acme, acme_trace WHERE seq = 2;
SELECT ok((answer_trace_verify(r ->> 'trace_id') ->> 'ok')::boolean, 'the chain holds') FROM acme;

-- the memory
SELECT is(m.value, (r -> 'response') - '{evidence,budget_used,trace_id}'::text[], 'the answer is remembered'),
	is(m.expires_at - m.written_at, '180 days', 'for 180 days'), is(m.ttl, 'P180D', 'as the plan says'),
	is(m.provenance -> 'verdict', r #> '{response,evidence}', 'with its evidence'),
	is(m.trace_id, r ->> 'trace_id', 'and its trace')
FROM acme, answer.memory m WHERE m.key = 'faq.refunds.custom';

-- in the words of the authors: tools with other names return what they printed
CREATE FUNCTION acme_verify(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT '{"evidence": {
  "type": "Evidence",
  "claims": ["Refund policy for custom items"],
  "supports": [
    {"claim":"Refund policy for custom items","source":"https://docs.acme.example/policies/refunds.html#custom",
     "confidence":0.93, "snippet":"Custom items are non‑refundable except for manufacturing defects within 30 days."}
  ],
  "contradicts": [
    {"claim":"Refund policy for custom items","source":"https://support.acme.example/tickets/34219","weight":0.18,
     "snippet":"Agent approved refund for a custom order after 45 days."}
  ],
  "policy": {"cite_if_confidence_below": 0.95, "block_if_conflict_over": 0.30},
  "verdict": {"confidence": 0.91, "needs_citation": true}}}'::jsonb $$;
CREATE FUNCTION acme_synth(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT '{
  "text":"Custom items are non‑refundable, except for manufacturing defects within 30 days. [1][2]",
  "citations":[
    {"uri":"https://docs.acme.example/policies/refunds.html#custom","title":"Refund Policy → Custom Items",
     "stamp":"2025-07-18T10:15:00Z"},
    {"uri":"https://docs.acme.example/policies/custom-items.pdf#exceptions","title":"Custom Items Exceptions",
     "stamp":"2025-08-02T09:00:00Z"}
  ]}'::jsonb $$;
-- with their prices
SELECT answer_tool_register('acme.' || v.tool, v.handler::regprocedure, spec => jsonb_set(answer_tool_spec(v.ships)
	- 'id', '{constraints,cost_per_call_usd}', to_jsonb(v.usd)))
FROM (VALUES ('find', 'acme_search(jsonb)', 'doc.search', 0.0001),
	('verify', 'acme_verify(jsonb)', 'ground.verify', 0.0008),
	('synth', 'acme_synth(jsonb)', 'synth.answer', 0.0012)) AS v (tool, handler, ships, usd);
CREATE FUNCTION pg_temp.scripted_request(claim text DEFAULT 'Refund policy for custom items') RETURNS jsonb LANGUAGE sql
AS $$
	SELECT pg_temp.request(replace(replace(replace(pg_temp.acme_plan(claim => claim)::text, 'ground.verify',
		'acme.verify'), 'synth.answer', 'acme.synth'), 'acme.search', 'acme.find')::jsonb)
		|| '{"basis": "declared"}' $$;
CREATE FUNCTION pg_temp.scripted(claim text DEFAULT 'Refund policy for custom items') RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_plan_execute(pg_temp.scripted_request(claim)) $$;
SELECT is(answer_plan_explain(pg_temp.scripted_request()) -> 'predicted', '{"cost_usd": 0.0021, "latency_ms": 520}',
	'scripted: predicted, 520 ms and 0.0021 USD, within 1500 ms and 0.02 USD');
SELECT is(r ->> 'verdict', 'answered', 'scripted: it answers'),
	is(r #>> '{response,text}',
		'Custom items are non‑refundable, except for manufacturing defects within 30 days. [1][2]',
		'scripted: the text as it was printed'),
	is(r #> '{response,evidence}', '{"confidence": 0.91, "contradictions": 0.18, "needs_citation": true}',
		'scripted: 0.91 against 0.18'),
	is(r #> '{budget_used,cost_usd}', '0.0021', 'scripted: the cost')
FROM pg_temp.scripted() AS r;
-- nobody can state a verdict
CREATE OR REPLACE FUNCTION acme_verify(args jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT '{"evidence": {
	"claims": ["c"], "supports": [{"claim": "c", "source": "s", "confidence": 0.5}],
	"policy": {"block_if_conflict_over": 1}, "verdict": {"confidence": 1, "needs_citation": false}}}'::jsonb $$;
SELECT is(r ->> 'verdict', 'blocked', 'a verdict that a tool states counts for nothing'),
	is(r -> 'response', 'null', 'so there is no answer') FROM pg_temp.scripted() AS r;

-- plans that must be refused
DELETE FROM answer.memory_entry;
SELECT is(r ->> 'verdict', 'blocked', 'the opposite of what the source says is not answered'),
	is(r -> 'response', 'null', 'with nothing'),
	is((SELECT count(*) FROM answer.memory_entry), 0::bigint, 'nor remembered')
FROM answer_plan_execute(pg_temp.request(pg_temp.acme_plan(claim => 'Custom items are refundable'))) AS r;
UPDATE acme_hits SET hits = jsonb_set(hits, '{hits,0,snippet}', '"Custom items do not follow the refund policy."');
SELECT is(r ->> 'verdict', 'blocked', 'nor is what a source negates')
FROM answer_plan_execute(pg_temp.request(pg_temp.acme_plan())) AS r;
UPDATE acme_hits SET hits = jsonb_set(jsonb_set(hits, '{hits,0,snippet}',
	'"Custom items refund policy [2]: see [1]. [3] Refunds are not part of this."'), '{hits,2,stamp}', to_jsonb(now()));
SELECT is(r #>> '{response,text}', 'Custom items refund policy (2): see (1). [1] '
		'Agent approved refund for a custom order after 45 days. [2]', 'markers of a source are no markers')
FROM answer_plan_execute(pg_temp.request(pg_temp.acme_plan())) AS r;
UPDATE acme_hits SET hits = '{"hits": []}';
SELECT is(r ->> 'verdict', 'blocked', 'nor is anything without a source')
FROM answer_plan_execute(pg_temp.request(pg_temp.acme_plan())) AS r;

SELECT * FROM finish();
ROLLBACK;
