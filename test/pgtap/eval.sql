-- Random requests: each receipt verifies and follows from its parts.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(18);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

CREATE FUNCTION public.tap_tool(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	CASE (args ->> 'do')
		WHEN 'fail' THEN RAISE EXCEPTION 'it fails';
		WHEN 'nothing' THEN RETURN NULL;
		ELSE RETURN jsonb_build_object('v', args -> 'v', 'list', jsonb_build_array(1.50, args), 'big', 1e30);
	END CASE;
END $$;
SELECT
	lives_ok($$SELECT answer_source_register('tap'),
	answer_tool_register('tap', 'public.tap_tool(jsonb)',
		options => '{"optional_args": ["v", "do"], "source": "tap"}', freshness => '1 hour',
	value_path => 'v'), answer_tool_register('aged', 'public.tap_tool(jsonb)',
	options => '{"optional_args": ["v", "do"]}', value_path => 'v')$$,
	'tools are registered');

CREATE TEMP TABLE batch AS SELECT b, jsonb_build_object('checks',
	jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', CASE WHEN r < 0.5 THEN 'check ' || i END, 'tool', tool, 'args',
	args, 'required', CASE WHEN r < 0.3 THEN false WHEN r < 0.6 THEN true END, 'observe',
	CASE WHEN r > 0.9 THEN true END) || jsonb_build_object('expect', expect)) ORDER BY i),
		'evidence', jsonb_build_array(jsonb_build_object('fact', 'given', 'value', b % 3, 'timestamp',
		'2026-01-01T00:00:00Z', 'expires', '2999-01-01T00:00:00Z', 'provenance', '{"source": "x"}'::jsonb, 'raw',
		jsonb_build_object('v', b)), jsonb_build_object('fact', 'given', 'value', 0, 'n', b / 7.0))) AS request
FROM (SELECT b, i, random() AS r, (ARRAY['tap', 'tap', 'tap', 'aged', 'given', 'unknown', 'postgres_server'])[1 +
	floor(random() * CASE WHEN b % 2 = 0 THEN 3 ELSE 7 END)::int] AS tool,
	(ARRAY['{"v": 1}', '{"v": 2.50}', '{"v": "x"}', '{"v": null}', '{"do": "fail"}', '{"do": "nothing"}',
	'{"undeclared": 1}', '{}']::jsonb[])[1 + floor(random() * CASE WHEN b % 2 = 0 THEN 3 ELSE 8 END)::int] AS args,
		(ARRAY['[]', '{"op": "exists"}', '{"op": "eq", "value": 1}', '{"op": "gte", "value": "2.5"}',
		'{"path": "list.0", "op": "eq", "value": 1.5}', '{"path": "big", "op": "gt", "value": 1e29}',
		'{"path": "nope", "op": "eq", "value": 1}', '[{"op": "ne", "value": 7}, {"op": "fresh_within_s", "value": 60}]',
		'[{"path": "v", "op": "abs_within", "value": {"value": 1, "tol": 0.5}}]']::jsonb[])[1 +
		floor(random() * 9)::int] AS expect
	FROM generate_series(1, 60) AS b, generate_series(1, 24) AS i WHERE i <= 1 + (b * 7) % 24) AS x
GROUP BY b;
CREATE TEMP TABLE receipt AS SELECT b, request, answer_eval(request) AS r FROM batch;
CREATE TEMP TABLE checked AS SELECT b, i, c, c ->> 'verdict' AS verdict FROM receipt,
	jsonb_array_elements(r -> 'checks') WITH ORDINALITY AS x (c, i);

SELECT cmp_ok((SELECT count(DISTINCT verdict) FROM checked), '=', 7::bigint, 'the sample has all verdicts of checks');
SELECT cmp_ok((SELECT count(DISTINCT r -> 'verdict') FROM receipt), '>=', 3::bigint, 'and most of batches');
SELECT is_empty($$SELECT b, answer_verify(r) FROM receipt WHERE NOT (answer_verify(r) -> 'ok')::boolean$$,
	'every receipt verifies with the registry');
SELECT
	is_empty($$SELECT b FROM receipt WHERE NOT (answer_verify(r::text, answer_key_registry()) -> 'ok')::boolean OR NOT
	(answer_verify(r::text, answer_keys()) -> 'ok')::boolean OR NOT
	(answer_verify(answer_canonical(r), answer_keys()) -> 'ok')::boolean$$,
	'and with given keys, as text and json');
SELECT is_empty($$SELECT b FROM receipt WHERE answer.portable(r)::text <> r::text$$, 'every receipt is portable');
SELECT is_empty($$SELECT b FROM receipt WHERE answer_receipt(r ->> 'receipt_id')::text IS DISTINCT FROM r::text$$,
	'every receipt is stored as returned');
SELECT is((SELECT count(DISTINCT r ->> 'receipt_id') FROM receipt), 60::bigint, 'receipt ids differ');
SELECT
	is_empty($$SELECT b FROM receipt WHERE r ->> 'receipt_id' <> 'ans_' ||
	substr(answer_digest(r - 'receipt_id' - 'signature'), 8, 16)$$,
	'and follow from the body');
SELECT
	is_empty($$SELECT b FROM receipt WHERE (r - 'x') #> '{checks}' IS DISTINCT FROM
	(SELECT jsonb_agg(c ORDER BY i) FROM checked k WHERE k.b = receipt.b) OR EXISTS
	(SELECT FROM checked k WHERE k.b = receipt.b AND NOT c @>
	(answer_validate(request) #> ARRAY['checks', (i - 1)::text]))$$,
	'each check is recorded in its normal form');
SELECT
	is_empty($$SELECT r.b FROM receipt r JOIN (SELECT b,
	answer_composite(verdict::answer_verdict, (c ->> 'confidence')::float8, (c -> 'required')::boolean) AS v FROM
	checked GROUP BY b) AS x USING (b) WHERE (r ->> 'verdict', (r ->> 'confidence')::float8, (r -> 'degraded')::boolean)
	<> ((v).verdict::text, (v).confidence, (v).degraded)$$,
	'the composite is that of the aggregate');
SELECT is_empty($$SELECT * FROM checked k JOIN receipt USING (b),
	LATERAL answer_check(c - '{verdict,confidence,observed,explain,evidence}'::text[],
	(SELECT jsonb_agg(r -> 'evidence_index' -> d ORDER BY n) FROM jsonb_array_elements_text(c -> 'evidence') WITH
	ORDINALITY AS e (d, n)), (r ->> 'evaluated_at')::timestamptz) AS a
	WHERE jsonb_array_length(c -> 'evidence') > 0 AND (a.verdict::text, a.confidence, a.observed, a.explain) IS DISTINCT
	FROM (c ->> 'verdict', (c ->> 'confidence')::float8, c -> 'observed', c -> 'explain')$$,
	'each check is that of answer_check on what it cites');
SELECT is_empty($$SELECT * FROM checked WHERE (verdict = 'not_checked') <> (i > 20)$$,
	'past the 20th, and only there, checks are not checked');
SELECT
	is_empty($$SELECT * FROM checked WHERE i <= 20 AND (verdict = 'outside_evidence_coverage') <>
	(c ->> 'tool' = 'unknown' OR c ->> 'tool' = 'given' AND c -> 'args' <> '{}')$$,
	'unknown tools are outside of coverage');
SELECT
	is_empty($$SELECT * FROM checked WHERE i <= 20 AND c ->> 'tool' IN ('tap', 'aged') AND c -> 'args' ? 'do' AND
	verdict <> 'evidence_unavailable'$$,
	'tools that fail or return nothing are unavailable');
SELECT
	is_empty($$SELECT b FROM receipt, jsonb_each(r -> 'evidence_index') AS f WHERE f.key <>
	answer_digest(f.value - 'attestation' - 'raw') OR answer.fact_confidence(f.value -> 'verification') <>
	(f.value #>> '{verification,confidence}')::float8$$,
	'facts hash to their digests, confidence follows from signals');
SELECT
	is_empty($$SELECT b FROM receipt, jsonb_each(r -> 'evidence_index') AS f WHERE
	(f.value #> '{verification,signals,signed}')::boolean <> (f.value ? 'attestation') OR (f.value ->> 'fact' = 'given')
	= (f.value ? 'attestation')$$,
	'called tools are attested, supplied facts are not');
SELECT throws_ok($$SELECT answer_eval('{"checks": [{"tool": "tap", "expect": {"op": "eq"}}]}')$$, '22023',
	'check "c1": value is missing, and this operator needs one', 'a wrong request is an error');

SELECT * FROM finish();
ROLLBACK;
