-- A question about the refund policy of Acme Tools, an invented company, for custom items.  There are three sources, one of which contradicts.
-- A plan of five steps gives an answer with quotes and citations.  It leaves a signed document, a trace, and a value in memory.
-- `make demo` runs it.  By itself, in a database that has the extension:
--     cd examples/plan && psql -v plan_hits="$(cat hits.json)" -v plan_json="$(cat plan.json)" -f acme.sql

-- The hits of the search are given here, so that the numbers are always the same; doc.search would find them in loaded documents.
-- They are a few weeks old: refunds are of high risk, so sources of more than 30 days would block the answer.
CREATE TABLE acme_hits AS SELECT jsonb_set(f.found, '{hits}', (SELECT jsonb_agg(h.hit || jsonb_build_object('stamp',
	to_char(now() AT TIME ZONE 'UTC' - make_interval(days => 25 - 5 * h.n::integer), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY h.n)
	FROM jsonb_array_elements(f.found -> 'hits') WITH ORDINALITY AS h (hit, n))) AS hits
FROM (SELECT :'plan_hits'::jsonb) AS f (found);
CREATE FUNCTION acme_search(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT hits FROM public.acme_hits $$;
SELECT answer_tool_register('acme.search', 'acme_search(jsonb)', spec => answer_tool_spec('doc.search') - 'id');
SELECT answer_plan_register(:'plan_json'::jsonb) AS plan;

\set request '{"plan": {"ref": "acme.refund.v1"}, "vars": {"query": "refund policy custom items"}, "budgets": {"latency_budget_ms": 1500, "cost_cap_usd": 0.02}}'
\echo 'Before anything is called:'
SELECT e -> 'order' AS "order", e -> 'predicted' AS predicted FROM answer_plan_explain(:'request') AS e;
CREATE TEMP TABLE planned AS SELECT answer_plan_execute(:'request') AS r;
SELECT r #>> '{response,text}' AS answer FROM planned \g (tuples_only=on format=unaligned)
SELECT answer.reference_list(r #> '{response,citations}') AS "references" FROM planned \g (tuples_only=on format=unaligned)
SELECT r ->> 'verdict' AS verdict, r #>> '{response,evidence,confidence}' AS confidence, r #>> '{response,evidence,contradictions}' AS contradictions,
	r #>> '{budget_used,latency_ms}' AS latency_ms, r #>> '{budget_used,basis}' AS basis, r #>> '{caveats,0,text}' AS caveat, answer_verify(r, answer_keys()) ->> 'ok' AS verifies
FROM planned;
\echo 'The trace, each event signed and chained to the one before:'
SELECT e ->> 'seq' AS seq, e ->> 'step' AS step, e ->> 'op' AS op, e ->> 'tool' AS tool, e ->> 'outcome' AS outcome, e ->> 'latency_ms' AS latency_ms,
	left(e ->> 'outputs_hash', 19) || '...' AS outputs_hash
FROM planned, answer_trace(r ->> 'trace_id') AS e;
SELECT answer_trace_verify(r ->> 'trace_id') ->> 'ok' AS "the trace verifies" FROM planned;
\echo 'Remembered, with the evidence that it rests on:'
SELECT key, ttl, expires_at - written_at AS life, provenance -> 'verdict' AS verdict FROM answer.memory WHERE key = 'faq.refunds.custom';
