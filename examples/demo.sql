-- The main job, end to end: see demo.sh.

\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
\pset null -
\pset linestyle unicode

\echo
\echo '== Evidence: this machine''s packages, loaded from dpkg'
\ir debian.sql

\echo
\echo '== Claims (examples/claims.json), adjudicated by SELECT answer_eval(…)'
\set claims `cat "$DEMO_CLAIMS"`
SELECT answer_eval(:'claims') AS receipt \gset

SELECT c ->> 'id' AS check, c ->> 'verdict' AS verdict, c ->> 'confidence' AS confidence,
	c -> 'observed' AS observed, c #>> '{explain,summary}' AS because
FROM jsonb_array_elements(:'receipt'::jsonb -> 'checks') AS c;

\echo
\echo '== The receipt: one signed document, stored in the same transaction'
SELECT r ->> 'receipt_id' AS receipt_id, r ->> 'verdict' AS verdict, r ->> 'confidence' AS confidence,
	r ->> 'degraded' AS degraded, r #>> '{signature,key_id}' AS signed_with
FROM (VALUES (:'receipt'::jsonb)) AS v (r);
\echo 'One of the facts it cites:'
SELECT jsonb_pretty(fact - 'raw')
FROM jsonb_each(:'receipt'::jsonb -> 'evidence_index') AS i (digest, fact)
WHERE fact ->> 'entity' = 'bash' \g (tuples_only=on format=unaligned)

\echo
\echo '== Verification, from the receipt and the public key alone'
SELECT s.key AS step, s.value ->> 'ok' AS ok
FROM jsonb_each(answer_verify(:'receipt', answer_keys()) -> 'steps') AS s ORDER BY s.key;

\echo
\echo '== A tampered copy: the contradicted claim now says supported'
SELECT s.key AS step, s.value ->> 'ok' AS ok, s.value ->> 'reason' AS reason
FROM jsonb_each(answer_verify(replace(:'receipt', '"contradicted"', '"supported"'), answer_keys()) -> 'steps') AS s
ORDER BY s.key;

\echo
\echo '== Questions, compiled to checks by a table that anybody can read, or refused'
CREATE TEMP TABLE answered AS
SELECT n, q AS question, answer_ask(q) AS r FROM (VALUES
	(1, 'Which version of bash is installed?'), (2, 'The installed version of bash is at least 5.'),
	(3, 'Is the installed version of bash 4?'), (4, 'How many packages need libc6? Is this server in recovery?'),
	(5, 'Who will win the next election?')) AS v (n, q);
SELECT question, r ->> 'verdict' AS verdict, r #>> '{route,route_id}' AS route,
	jsonb_path_query_array(r, '$.checks[*].observed') AS observed, answer_verify(r, answer_keys()) ->> 'ok' AS verifies
FROM answered ORDER BY n;
\echo 'The refusal says what is covered; a part of that:'
SELECT c ->> 'route_id' AS route, c #>> '{examples,0}' AS example
FROM answered, jsonb_array_elements(r #> '{coverage,routes}') AS c WHERE n = 5 LIMIT 6;

\echo
\echo '== Grounded answers: documents, questions, and a receipt for each (examples/ground)'
\set ground_corpus `cat "$DEMO_DOCUMENTS"`
\ir ground/ground.sql
\echo 'A tampered copy of the refusal, whose legacy policy now says the same as the new one:'
SELECT s.key AS step, s.value ->> 'ok' AS ok, s.value ->> 'reason' AS reason
FROM grounded, jsonb_each(answer_verify(replace(r::text, 'SSNs may be stored', 'SSNs must not be stored'), answer_keys()) -> 'steps') AS s
WHERE n = 2 ORDER BY s.key;

\echo
\echo '== Evidence packets: this very source as a graph, and what it says to questions (examples/graph)'
\! "$DEMO_LOAD" -q --project answer_eval "$DEMO_CHECKOUT"
\ir graph/graph.sql

\echo
\echo '== Plans: search, verify, assert, quote, remember, each step signed (examples/plan)'
\set plan_hits `cat "$DEMO_PLAN/hits.json"`
\set plan_json `cat "$DEMO_PLAN/plan.json"`
\ir plan/acme.sql

-- The demo fails if a result is not the expected one.
SELECT count(*) = 7
	AND (SELECT array_agg(r ->> 'verdict' ORDER BY n) = '{evidenced,supported,contradicted,contradicted,outside_evidence_coverage}'
		AND bool_and((answer_verify(r, answer_keys()) ->> 'ok')::boolean)
		AND bool_and((answer.route_replay(r) ->> 'ok')::boolean) FROM answered)
	AND (SELECT array_agg(r ->> 'decision' ORDER BY n) = '{ANSWER,ABSTAIN,ABSTAIN,BLOCK,ABSTAIN,CLARIFY,ABSTAIN}'
		AND bool_and((answer_verify(r, answer_keys()) ->> 'ok')::boolean)
		AND NOT bool_or((answer_verify(replace(r::text, 'SSNs may be stored', 'SSNs must not be stored'), answer_keys()) ->> 'ok')::boolean)
			FILTER (WHERE n = 2) FROM grounded)
	AND (SELECT array_agg(w.r ->> 'decision' ORDER BY judge NULLS FIRST, a COLLATE "C") = '{ANSWER_WITH_CAVEATS,ANSWER_WITH_CAVEATS,ANSWER,BLOCK}'
		AND bool_and((answer_verify(w.r, answer_keys()) ->> 'ok')::boolean) FROM written AS w)
	AND (SELECT array_agg(a.r #>> '{packet,status}' ORDER BY n) = '{success,success,insufficient_evidence}'
		AND bool_and((answer_verify(a.r, answer_keys()) ->> 'ok')::boolean)
		AND bool_and(NOT EXISTS (SELECT FROM answer.packet_validate(a.r -> 'packet')))
		AND bool_or(a.r #> '{packet,code_truth}' @> '[{"path": "sql/log/log.sql", "name": "merkle_inclusion"}]')
		FROM asked a)
	AND (SELECT r ->> 'verdict' = 'answered' AND r #> '{response,evidence}' = '{"confidence": 0.91, "contradictions": 0.18, "needs_citation": true}'
		AND r #>> '{budget_used,cost_usd}' = '0' AND r #>> '{response,text}' LIKE '%30 days. [1] %30 days. [2]'
		AND (answer_verify(r, answer_keys()) ->> 'ok')::boolean AND (answer_trace_verify(r ->> 'trace_id') ->> 'ok')::boolean FROM planned)
	AND bool_and(c ->> 'verdict' = v.verdict)
	AND bool_and((answer_verify(r.receipt, answer_keys()) ->> 'ok')::boolean)
	AND NOT bool_or((answer_verify(replace(r.receipt, '"contradicted"', '"supported"'), answer_keys()) ->> 'ok')::boolean)
	AND bool_and(answer_receipt(r.receipt::jsonb ->> 'receipt_id') = r.receipt::jsonb) AS as_expected
FROM (VALUES (:'receipt')) AS r (receipt),
	jsonb_array_elements(r.receipt::jsonb -> 'checks') AS c
	JOIN (VALUES ('libc-is-recent', 'supported'), ('libc-is-needed', 'supported'),
		('bash-is-version-4', 'contradicted'), ('release-date', 'not_evaluable'),
		('weather', 'outside_evidence_coverage'), ('which-product', 'not_evaluable'),
		('this-server', 'supported')) AS v (id, verdict) ON v.id = c ->> 'id' \gset
\if :as_expected
	\echo
	\echo 'Every verdict, decision and packet is as expected, the receipts verify, and the tampered copies are refused.'
\else
	\echo 'The demo did not come out as expected.'
	DO $$ BEGIN RAISE EXCEPTION 'demo failed'; END $$;
\endif
