-- tiers: long
-- Long inputs that take seconds: each gets the same answer as a shorter one in test/sql, which is named, and the time
-- grows in proportion to the length.
SET client_min_messages = error;
SET search_path TO tap, public, pg_catalog;
SELECT plan(31);

-- an hour is far above the minute that all take together, and far below what quadratic time would take
SET statement_timeout = '1h';
SELECT answer_key_generate() IS NOT NULL AS key \gset

-- sql/document_receipt, sql/route: more than jsonb can hold is refused like any other size
SELECT is(answer_replay(jsonb_build_object('a', repeat(E'\x01', 134217728))) ->> 'reason',
	'the document is larger than 134217728 bytes', 'a document of 128 MB');
SELECT throws_ok($$SELECT answer_ask(repeat('x', 268435456))$$, '22023',
	'invalid request: question must have at most 2097152 bytes', 'a question of 256 MB');

-- sql/ground_core
CREATE FUNCTION pg_temp.chunk(id text, said text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('chunk_id', id, 'doc_id', split_part(id, '#', 1), 'text', said, 'similarity', 0.9,
		'timestamp', '2024-03-15') $$;
CREATE TEMP TABLE long AS SELECT repeat('refunds are allowed. ', 50000) AS said;
SELECT is(answer_citations_check('["a"]', jsonb_build_array(pg_temp.chunk('a', said)), said) -> 'recall', '1',
	'50,000 sentences are all found') FROM long;
SELECT is(jsonb_array_length(answer_citations_check('["a"]', jsonb_build_array(pg_temp.chunk('a', said)),
	repeat('"refunds are allowed" ', 40000) || repeat('“', 100000)) -> 'spans'), 40000,
	'40,000 quotations, and 100,000 marks that none closes') FROM long;
SELECT is(answer.risk(repeat(x, 1000000)) -> 'matched_keywords', found::jsonb, format('a million times %s', to_json(x)))
FROM (VALUES ('a.', '[]'), (E'\n', '[]'), (U&'\00AD', '[]'), ('.', '[]'), ('rate limit ', '["rate limit"]'),
	('no ', '[]'), (E'\n- ', '[]'), ('1', '[]')) AS t (x, found);

-- sql/ground_edge
CREATE SCHEMA nli;
CREATE FUNCTION nli.says(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.9,
		'relation', 'contradicts')))
	FROM jsonb_array_elements(args -> 'pairs') AS p
$$;
SELECT answer_judge_register('nli', '{"kinds": ["conflict"], "model": "nli", "version": "1",
	"handler": "nli.says"}') IS NOT NULL AS judge \gset
CREATE TEMP TABLE lunch AS SELECT answer_grounded('When is lunch?',
	'{"chunks": [{"chunk_id": "a#1", "doc_id": "a", "text": "Lunch is at noon.", "similarity": 0.9},
	{"chunk_id": "b#1", "doc_id": "b", "text": "Lunch is at midnight.", "similarity": 0.9}],
	"config": {"judge_conflict": "nli"}}') AS r;
CREATE FUNCTION pg_temp.judged(judgements int, judges int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT r || jsonb_build_object('judgements', (SELECT jsonb_agg(r #> '{judgements,0}' || jsonb_build_object('pair',
		'sha256:' || lpad(i::text, 64, '0'))) FROM generate_series(1, judgements) AS i),
		'judges', (SELECT jsonb_agg(r #> '{judges,0}' || jsonb_build_object('name',
			CASE i WHEN 1 THEN 'nli' ELSE 'd' || i END))
		FROM generate_series(1, judges) AS i))
	FROM lunch
$$;
SELECT is(jsonb_array_length(r -> 'judgements'), 1, 'a judgement') FROM lunch;
SELECT is(answer_verify(pg_temp.judged(30000, 1)) #> '{steps,closure}', '{"ok": true}', '30,000 judgements');
SELECT ok(answer_replay(pg_temp.judged(30000, 1)) -> 'ok' = 'false', 'that nobody needed');
SELECT is(answer_verify(pg_temp.judged(1, 40000)) #>> '{steps,closure,reason}', 'judges are not those of the config',
	'40,000 judges');

-- sql/ground_conflict: a word of two letters does not end the search for a negation
CREATE FUNCTION pg_temp.found(a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(p ->> 'kind' || ': ' || (p ->> 'reason'), '; ')
	FROM answer.shipped_decision_rules() AS r, jsonb_path_query(answer_conflicts(jsonb_build_array(pg_temp.chunk('a#p0',
		a), pg_temp.chunk('b#p0', b)), jsonb_set(r, '{encrypt}', r -> 'encrypt' || '"xx"')), '$.pairs[*]') AS p
$$;
SELECT is(pg_temp.found('ssn no ' || repeat('xx ', 500000), 'SSNs must be encrypted.'),
	'encryption: store in plaintext vs must be encrypted / not plaintext', '500,000 words, all turned');
SELECT is(pg_temp.found('ssn no key ' || repeat('xx ', 500000), 'SSNs must be encrypted.'), NULL, 'and none');

-- sql/quality_subject, sql/quality
SELECT is(answer.question_subject(repeat('" ''a ', 170000)), '''a', '170,000 quotation marks');
SELECT is(answer.question_subject(repeat('a_', 500000)), 'a', 'a name of 500,000 parts');
CREATE TEMP TABLE assessed AS SELECT answer_investigation_open('Locate', 'where is the engine?') AS i;
SELECT answer_investigation_record(i, 'grep', 'engine', '', '{"match": "phrase", "match_count": 1}') IS NOT NULL AS done
FROM assessed \gset
CREATE TEMP TABLE quality AS SELECT answer_quality_receipt(i) AS r FROM assessed;
SELECT is(answer_replay(r) -> 'ok', 'true', 'an assessment') FROM quality;
SELECT is(answer_replay(jsonb_set(r, '{rules,tools}', (r #> '{rules,tools}') || (SELECT jsonb_agg(jsonb_build_object(
	'tool', 't' || n, 'class', 'Build', 'family', 'f' || n)) FROM generate_series(1, 60000) AS n))) -> 'ok', 'true',
	'with 60,000 tools') FROM quality;
SELECT is(answer_replay(jsonb_set(jsonb_set(r, '{rules,classes}', (r #> '{rules,classes}') || (SELECT jsonb_agg(
	jsonb_build_object('class', 'c' || n)) FROM generate_series(1, 60000) AS n)), '{rules,intents}',
	(r #> '{rules,intents}') || jsonb_build_object('intent', 'Long', 'requires', (SELECT jsonb_agg(jsonb_build_object(
		'class', 'c' || n, 'quality', 'Weak')) FROM generate_series(1, 60000) AS n)))) -> 'ok', 'true',
	'and with 60,000 classes') FROM quality;

-- sql/plan_verify: many claims and sources, compared with long ones
SELECT throws_ok($$SELECT answer.tool_ground_verify(jsonb_build_object('claims', (SELECT jsonb_agg('Parcel '
	|| translate(n::text, '0123456789', 'abcdefghij')) FROM generate_series(1, 3000) AS n),
	'sources', (SELECT jsonb_agg(jsonb_build_object('uri', 'a', 'score', 0.5, 'snippet', 'Parcel ' || n))
	FROM generate_series(1, 100) AS n)))$$, '54000', 'evidence is too large', '3,000 claims and 100 sources');

-- sql/graph_store: 8 million words at the limit, compared with one
SELECT answer_graph_load('large', jsonb_build_array(jsonb_build_object('id', 'alpha', 'labels', '["Code"]'::jsonb,
	'name', 'Alpha', 'path', 'a.c', 'docstring', repeat('d ', 8388608), 'provenance', jsonb_build_object(
	'source_path', 'a.c', 'content_hash', 'sha256:' || repeat('a', 64), 'extraction_method', 'test'))))
	IS NOT NULL AS loaded \gset
SELECT is(jsonb_array_length(answer_packet('large', 'alpha', '{"limit": 1}') -> 'code_truth'), 1,
	'a node of 8 million words is in a packet');

-- sql/plan_faults: a document at its limit stays, in both forms, and an audit reads it
CREATE FUNCTION public.echo(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object('value', args -> 'value') $$;
SELECT answer_tool_register('pf.echo', 'echo(jsonb)', spec => '{"io": {"input": {"value": {}}, "output": {"value": {}}},
	"constraints": {"latency_p50_ms": 10000, "cost_per_call_usd": 0.01}}') IS NOT NULL AS echo \gset
SELECT jsonb_build_object('vars', jsonb_build_object('b', repeat('x', 60000)), 'plan', jsonb_build_object(
	'plan_id', 'pf', 'nodes', jsonb_agg(jsonb_build_object('op', 'call', 'tool', 'pf.echo',
		'id', 'n' || i, 'out', 'v' || i,
		'args', '{"value": "$INPUT.b"}'::jsonb) ORDER BY i),
	'edges', jsonb_agg(jsonb_build_array('n' || i - 1, 'n' || i)) FILTER (WHERE i > 1))) AS request
FROM generate_series(1, 200) AS i \gset
CREATE TEMP TABLE plan AS SELECT 'in a transaction' AS form, answer_plan_execute(:'request') AS d;
CALL answer_plan_run(:'request', NULL) \gset
INSERT INTO plan VALUES ('that commits', :'result');
SELECT ok(answer_verify_ok(d) AND answer_replay(d) -> 'ok' = 'true'
	AND answer_trace_verify(d ->> 'trace_id') -> 'ok' = 'true'
	AND length(d::text) BETWEEN 15000000 AND 17000000, format('200 steps of 60 kB, %s', form)) FROM plan;
SELECT is((SELECT count(*) FILTER (WHERE e ? 'outputs') BETWEEN 100 AND 150 AND count(*) = 200
	FROM jsonb_array_elements(d -> 'trace') AS e), true, format('some have what came out, %s', form)) FROM plan;
SELECT is((SELECT count(*) FROM answer.plan_run WHERE status <> 'done'), 0::bigint, 'nothing is left to end');
SELECT is_empty('SELECT finding, detail FROM answer_log_audit()', 'and an audit has nothing to say of them');

SELECT * FROM finish();
