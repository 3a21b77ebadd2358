-- From a question to a signed answer: rules as rows, judges, the two halves, the cache, looks; and who may.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
-- documents, rules and what is counted of them are those of this file
SELECT current_database() AS regression \gset
CREATE DATABASE regress_ground TEMPLATE template0;
\c regress_ground
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION answer_eval;
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	value text;
BEGIN
	EXECUTE statement INTO value;
	RETURN COALESCE(value, '(null)');
EXCEPTION WHEN OTHERS THEN
	RETURN format('%s %s', SQLSTATE, SQLERRM);
END
$$;

/* rules: as shipped, extended, without one, and back */

SELECT answer.decision_rules() = answer.shipped_decision_rules() AS as_shipped,
	answer_digest(answer.decision_rules()) = answer_digest(answer.shipped_decision_rules()) AS same_digest;
SELECT list, count(*) FROM answer.decision_rule WHERE seed GROUP BY list ORDER BY list COLLATE "C";
SELECT answer.risk('Who gets a severance?', answer.decision_rules()) ->> 'risk_level' AS before;
SELECT answer_decision_rule_register('risk.high', 'severance');
SELECT answer_decision_rule_register('risk.high', 'severance');	-- the same again changes nothing
SELECT answer.risk('Who gets a severance?', answer.decision_rules()) ->> 'risk_level' AS after,
	answer_decide('Who gets a severance?', '[]') #>> '{risk,risk_level}' AS decided_by,
	answer_digest(answer.decision_rules()) = answer_digest(answer.shipped_decision_rules()) AS same_digest;
SELECT answer_decision_rule_register('topics', 'parental leave', '{"family": "leave"}');
SELECT answer_decision_rule_register('topics', 'parental leave', '{"family": "absence"}');
SELECT answer_decision_rule_register('topics', 'parental leave', '{"family": "absence"}', replace => true);
SELECT answer_decision_rule_register('units', 'sprints', '{"unit": "sprints"}');
SELECT answer_decision_rule_register('ambiguity', 'Which office?', '{"holds": ["parking"], "unless": ["berlin"]}');
SELECT answer.decision_rules() #> '{topics,-1}' AS topic, answer.decision_rules() #> '{units,sprints}' AS unit,
	answer.decision_rules() #> '{ambiguity,-1}' AS ambiguity, answer.ambiguity('How do I get parking?',
		answer.decision_rules()) AS asks;
-- a shipped one goes and comes back
SELECT answer_decision_rule_remove('risk.high', 'access');
SELECT answer_decision_rule_remove('risk.high', 'access');
SELECT answer.decision_rules() #> '{risk,high}' ? 'access' AS there;
SELECT answer_decision_rule_register('risk.high', 'access');
SELECT answer.decision_rules() #> '{risk,high}' ? 'access' AS there;
SELECT answer_decision_rule_register('topics', 'refund', '{"family": "money back"}');
SELECT answer_decision_rule_register('topics', 'refund', '{"family": "money back"}', true);
SELECT count(*) AS refunds FROM jsonb_array_elements(answer.decision_rules() -> 'topics') AS t
	WHERE t ->> 'entry' = 'refund';
SELECT answer_decision_rule_register('topics', 'refund', '{"family": "refund"}', true);
-- what is refused
SELECT call, outcome(format('SELECT answer_decision_rule_%s', call)) FROM (VALUES
	('register(NULL, ''x'')'), ('register(''allow'', NULL)'), ('register(''allow'', ''x'', NULL)'),
		('register(''nothing'', ''x'')'),
	('register(''allow'', '''')'), ('register(''allow'', ''!?'')'), ('register(''allow'', ''x'', ''{"a": 1}'')'),
		('register(''allow'', ''x'', ''[]'')'),
	('register(''topics'', ''x'')'), ('register(''topics'', ''x'', ''{"family": 1}'')'),
		('register(''topics'', ''x'', ''{"family": "f", "kind": "odd"}'')'),
	('register(''topics'', ''x'', ''{"family": "f", "other": 1}'')'), ('register(''units'', ''x'', ''{}'')'),
	('register(''ambiguity'', ''Why?'', ''{"holds": 1}'')'),
		('register(''ambiguity'', ''Why?'', ''{"question": "x"}'')'),
	('register(''ambiguity'', ''Why?'', ''{"holds": ["x"], "or_after_opens_of": 99}'')'),
	('remove(NULL, ''x'')'), ('remove(''allow'', ''nowhere'')'), ('remove(''nothing'', ''x'')'),
	('remove(''ambiguity'', ''Could you clarify which plan type, region, or timeframe you''''re asking '
		'about?'')')) AS c (call);
SELECT answer_decision_rule_remove('risk.high', 'severance'), answer_decision_rule_remove('topics', 'parental leave'),
	answer_decision_rule_remove('units', 'sprints'), answer_decision_rule_remove('ambiguity', 'Which office?');
SELECT answer.decision_rules() = answer.shipped_decision_rules() AS as_shipped, (SELECT count(*)
	FROM answer.decision_rule WHERE NOT seed) AS own;
-- what is compiled is never that of another moment, within a transaction and after one that was rolled back
BEGIN;
SELECT answer_decision_rule_register('risk.high', 'zig');
SELECT answer_decide('zig', '[]') #>> '{risk,risk_level}' AS zig;
SELECT answer_decision_rule_remove('risk.high', 'zig');
SELECT answer_decision_rule_register('risk.high', 'zag');
SELECT answer_decide('zig', '[]') #>> '{risk,risk_level}' AS zig, answer_decide('zag',
	'[]') #>> '{risk,risk_level}' AS zag;
ROLLBACK;
SELECT answer_decide('zag', '[]') #>> '{risk,risk_level}' AS zag;
-- each change is one signed record
SELECT kind, name, revision, action FROM answer.change WHERE kind = 'decision_rule' ORDER BY issued_at,
	name COLLATE "C";

/* documents, and a question with each decision */

SELECT answer_document_load(jsonb_build_array(
	jsonb_build_object('doc_id', 'leave', 'title', 'Parental leave', 'timestamp', now() - interval '5 days',
		'text', E'Parents take sixteen weeks of parental leave.\n\nParental leave is announced three months ahead.'),
	jsonb_build_object('doc_id', 'old', 'title', 'Keys', 'timestamp', now() - interval '3 years', 'url',
		'https://x.example/keys',
		'text', E'The office keys are at the reception desk.\n\nReturn the office keys to the reception desk.'),
	jsonb_build_object('doc_id', 'sixty', 'title', 'Badges', 'timestamp', now() - interval '60 days',
		'text', E'Badges for visitors are printed by security.\n\nSecurity collects badges of visitors at '
			'night.'))) - 'documents' AS loaded;
CREATE FUNCTION shown(r jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT format('%s %s cites %s: %s', r ->> 'decision', r -> 'reasons', r -> 'citations', r ->> 'answer')
$$;
SELECT shown(answer_grounded('How long is parental leave?'));
SELECT shown(answer_grounded('Where are the office keys?'));	-- old, and of low risk
SELECT shown(r), regexp_replace(r ->> 'user_message', '\d{4}-\d\d-\d\d', 'DATE') AS caveat
FROM answer_grounded('Where are the office keys?', '{"config": {"caveats": true}}') AS r;
SELECT shown(r), r -> 'thresholds' AS thresholds, answer.decision_config_of(r) -> 'freshness_days' AS days
FROM answer_grounded('Which security prints badges of visitors?') AS r;
-- of high risk the option 0 changes nothing; both keys of the configuration switch the check off
SELECT o AS options, r -> 'reasons' AS reasons, r #> '{thresholds,freshness_days}' AS judged_by,
	answer.decision_config_of(r) -> 'freshness_days' AS days
FROM unnest(ARRAY['{}', '{"freshness_days": 0}', '{"freshness_days": 10}', '{"freshness_days": 400}',
		'{"config": {"freshness_days_high_risk": 0}}',
		'{"config": {"freshness_days": 0, "freshness_days_high_risk": 0}, "freshness_days": 0}',
			'{"config": {"freshness_days_high_risk": 0}, "freshness_days": 0}']) AS o,
	answer_grounded('Which security prints badges of visitors?', o::jsonb) AS r;
SELECT o AS options, r -> 'reasons' AS reasons, r #> '{thresholds,freshness_days}' AS judged_by
FROM (VALUES ('{"caveats": true}'::jsonb), ('{"caveats": true, "freshness_days": 0}')) AS v (o),
	answer_grounded('Where are the office keys?', jsonb_build_object('config', o)) AS r;
-- an answer of the caller's is checked before anything is decided
SELECT shown(answer_grounded('How long is parental leave?', o)) FROM (VALUES
	('{"answer": "Sixteen weeks of leave.", "citations": ["leave#p0"]}'::jsonb),
		('{"answer": "Sixteen weeks.", "citations": ["leave#p7"]}'),
	('{"answer": "Sixteen weeks."}'), ('{"answer": "The documents do not say."}'), ('{"answer": "", "citations": []}'),
	('{"answer": "Ask a lawyer.", "citations": ["leave#p0"], "config": {"caveats": true}}')) AS v (o);
SELECT r -> 'proposed' AS proposed, r -> 'citations' AS citations, answer_verify(r) -> 'ok' AS ok
FROM answer_grounded('How long is parental leave?', '{"answer": "Sixteen weeks.", "citations": ["leave#p7"]}') AS r;

/* options and configuration */

SELECT o AS options, outcome(format('SELECT answer_grounded(''How long is parental leave?'', %L) ->> ''decision''',
	o)) FROM unnest(ARRAY[
	'[]', '1', '{"top": 1}', '{"top_k": 0}', '{"top_k": 51}', '{"top_k": 1.5}', '{"top_k": "5"}', '{"top_k": null}',
		'{"freshness_days": -1}',
	'{"freshness_days": 1e9}', '{"filter": []}', '{"filter": {"since": "soon"}}', '{"filter": {"x": 1}}',
		'{"embedding": "x"}', '{"embedding": ["x"]}',
	'{"chunks": {}}', '{"chunks": [{}]}', '{"chunks": [], "top_k": 5}', '{"chunks": [], "filter": {}}',
		'{"answer": 1}', '{"citations": []}',
	'{"answer": "x", "citations": "y"}', '{"answer": "x", "citations": [1]}', '{"config": []}',
		'{"config": {"colour": 1}}', '{"config": {"top_k": 51}}',
	'{"config": {"rerank": "best"}}', '{"config": {"freshness_bias": 2}}', '{"config": {"cache_ttl_s": -1}}',
		'{"intent": ""}', '{"intent": 5}', '{"embedding": [1, 1e39]}', '{"embedding": [1e-400]}',
	'{"deadline_ms": 0}', '{"deadline_ms": 60001}', '{"retrieval_id": 1}', '{"retrieval_id": "rtr_x", "top_k": 1}',
	'{"retrieval_id": "rtr_x", "deadline_ms": 1}', '{"retrieval_id": "rtr_x"}']) AS o;
SELECT outcome('SELECT answer_grounded(NULL)'), outcome('SELECT answer_grounded(''x'', NULL)'),
	outcome('SELECT answer_retrieve(NULL)'),
	left(outcome(format('SELECT answer_grounded(%L)', repeat('x', 70000))), 60);
SELECT key, value FROM jsonb_each(answer_config()) ORDER BY key;

/* chunks of the caller's */

CREATE TABLE brought AS SELECT '[{"chunk_id": "a#1", "doc_id": "a", "text": "Lunch is served at noon. Dinner? Nobody '
	'knows.", "similarity": 0.9, "timestamp": "2000-01-01", "content_hash": "sha256:00", "version": 7, "secret": '
	'true}, {"chunk_id": "b#1", "doc_id": "b", "text": "Lunch costs nothing for guests of the house.", "similarity": '
	'0.00001, "title": "B", "uri": "u"}]'::jsonb AS chunks;
SELECT shown(r), r -> 'retrieval' AS retrieval, r #> '{reproduce,evaluator,rules}' AS rules, answer_verify(r)
	-> 'ok' AS ok
FROM brought, answer_grounded('When is lunch served?', jsonb_build_object('chunks', chunks)) AS r;
SELECT shown(r), answer_verify(r) -> 'ok' AS ok FROM answer_grounded('When is lunch served?', '{"chunks": []}') AS r;
SELECT shown(r), answer_verify(r) -> 'ok' AS ok FROM answer_grounded('What?', '{"config": {"min_chunks": 1}, "chunks":
	[{"chunk_id": "a#1", "doc_id": "a", "text": "!!!", "similarity": 1}]}') AS r;
-- a number that portable form writes as a text is one again for whoever verifies
SELECT r #> '{config,confidence_threshold}' AS configured, r -> 'thresholds' AS thresholds,
	answer_verify(r) -> 'ok' AS ok
FROM brought, answer_grounded('When is lunch served?', jsonb_build_object('chunks', chunks,
	'config', '{"confidence_threshold": 0.00001, "floor": 0.000001}'::jsonb)) AS r;
-- ranked by freshness: exactly, with ties by similarity, then by id; the similarity stays
SELECT o ->> 'freshness_bias' AS bias, (SELECT jsonb_agg(k -> 'chunk_id' ORDER BY n)
	FROM jsonb_array_elements(r #> '{retrieval,chunks}') WITH ORDINALITY AS c (k, n)) AS ranked,
	answer_verify(r) -> 'ok' AS ok
FROM (VALUES ('{"rerank": "none"}'::jsonb), ('{"rerank": "freshness"}'),
	('{"rerank": "freshness", "freshness_bias": 0.5}'),
		('{"rerank": "freshness", "freshness_bias": 1}'),
			('{"rerank": "freshness", "freshness_bias": 0.5, "freshness_days": 0}')) AS v (o),
	answer_grounded('lunch', jsonb_build_object('config', o, 'chunks', jsonb_build_array(
		jsonb_build_object('chunk_id', 'old', 'doc_id', 'a', 'text', 'lunch', 'similarity', 0.9, 'timestamp',
			now() - interval '900 days'),
		jsonb_build_object('chunk_id', 'half', 'doc_id', 'b', 'text', 'lunch', 'similarity', 0.8, 'timestamp',
			now() - interval '45 days'),
		jsonb_build_object('chunk_id', 'new', 'doc_id', 'c', 'text', 'lunch', 'similarity', 0.5, 'timestamp',
			now() + interval '1 day'),
		jsonb_build_object('chunk_id', 'none', 'doc_id', 'd', 'text', 'lunch', 'similarity', 0.9)))) AS r;
-- and by a limit of more microseconds than 64 bits hold
SELECT days, (SELECT jsonb_agg(k -> 'chunk_id' ORDER BY n)
	FROM jsonb_array_elements(r #> '{retrieval,chunks}') WITH ORDINALITY AS c (k, n)) AS ranked
FROM unnest(ARRAY[106751991, 106751992, 150000000, 320000000, 2147483647]) AS days,
	answer_grounded('lunch', jsonb_build_object('config', jsonb_build_object('rerank', 'freshness',
		'freshness_bias', 0.5, 'freshness_days', days), 'chunks', '[
	{"chunk_id": "old", "doc_id": "a", "text": "lunch", "similarity": 0.5, "timestamp": "0001-01-01"},
	{"chunk_id": "late", "doc_id": "b", "text": "lunch", "similarity": 0.5, "timestamp": "9999-12-31"},
	{"chunk_id": "like", "doc_id": "c", "text": "lunch", "similarity": 0.9, "timestamp": "2000-01-01"},
	{"chunk_id": "none", "doc_id": "d", "text": "lunch", "similarity": 0.9}]'::jsonb)) AS r;
-- a short chunk is quoted whole; of a long one a sentence, with what closes it, and so the units of its numbers
SELECT length(said || more) > 400 AS is_long, (SELECT jsonb_agg(q ->> 'text') FROM jsonb_array_elements(r -> 'quotes')
	AS q) AS quotes, r #>> '{proposed,answer}' AS answer, answer_verify(r) -> 'ok' AS ok
FROM unnest(ARRAY['Guests get a lunch discount of 5 %. Others get none.',
	'Nobody eats. $ 5 is what lunch costs guests.', E'Guests pay for lunch 7 \u20ac  \nand more.\n\nNobody else.',
	E'- Lunch for guests is 7 \u20ac\t\n- Nobody else.',
	'Lunch for guests costs (5) ... Nobody knows.', 'Lunch for guests is free  ',
	'Lunch for guests is this: It is "soup" [2].',
	E'Lunch for guests is this:\n\nSoup and bread. Others get none.']) WITH ORDINALITY AS s (said, n),
	unnest(ARRAY['', E'\n\n' || repeat('Nobody says more than that. ', 20)]) AS more,
	answer_grounded('lunch for guests', jsonb_build_object('config', '{"min_chunks": 1}'::jsonb, 'chunks',
		jsonb_build_array(jsonb_build_object('chunk_id', 'a', 'doc_id', 'a', 'text', said || more, 'similarity', 1,
		'timestamp', now())))) AS r ORDER BY is_long, n;

/* the two halves */

SELECT answer_retrieve('How long is parental leave?', '{"intent": "hr", "top_k": 2}') AS half \gset
SELECT :'half'::jsonb -> 'decision' AS decision, :'half'::jsonb -> 'query' AS query,
	:'half'::jsonb #> '{retrieval,top_k}' AS top_k,
	:'half'::jsonb ->> 'retrieval_id' ~ '^rtr_[0-9a-f]{32}$' AS has_id,
	(:'half'::jsonb ->> 'expires_at')::timestamptz BETWEEN now() + interval '59 minutes'
		AND now() + interval '61 minutes' AS expires_in_an_hour,
	(SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(:'half'::jsonb) AS k) AS members;
SELECT :'half'::jsonb ->> 'retrieval_id' AS id \gset
CREATE TABLE half AS SELECT jsonb_build_object('retrieval_id', :'id') AS id;
-- another query is refused and uses nothing up
SELECT outcome(format('SELECT answer_grounded(''How long is leave?'', %L)', id
	|| '{"answer": "x", "citations": []}')) FROM half;
-- what is loaded meanwhile makes no difference: the chunks are those of the first half
SELECT answer_document_load('[{"doc_id": "leave", "title": "Parental leave", "timestamp": "2026-01-01", "text": '
	'"Parents take ten weeks of parental leave."}]') ->> 'replaced' AS replaced;
SELECT shown(r), r ->> 'intent' AS intent, r ->> 'retrieval_id' = id ->> 'retrieval_id' AS same_id,
	(r ->> 'retrieved_at')::timestamptz < (r ->> 'issued_at')::timestamptz AS before,
	r #> '{retrieval,chunks,0,version}' AS version, answer_verify(r) -> 'ok' AS ok, answer_replay(r) -> 'ok' AS replayed
FROM half, answer_grounded('How long is parental leave?', id
	|| '{"answer": "Sixteen weeks.", "citations": ["leave#p0"]}') AS r;
-- once
SELECT replace(outcome(format('SELECT answer_grounded(''How long is parental leave?'', %L)', id
	|| '{"answer": "x"}')), id ->> 'retrieval_id', 'ID') FROM half;
-- a call that is rolled back gives it back
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Where are the office keys?')
	-> 'retrieval_id');
BEGIN;
SELECT answer_grounded('Where are the office keys?', id) ->> 'decision' FROM half;
ROLLBACK;
SELECT answer_grounded('Where are the office keys?', id) ->> 'decision' AS again FROM half;
-- a refusal has a first half as well, and is signed by the second; an answer that fails uses the id up
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Is zeugma a xylophone?') -> 'retrieval_id');
SELECT shown(answer_grounded('Is zeugma a xylophone?', id)) FROM half;
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Where are the office keys?')
	-> 'retrieval_id');
SELECT answer_grounded('Where are the office keys?', id
	|| '{"answer": "Here.", "citations": ["x"]}') ->> 'decision' FROM half;
SELECT left(outcome(format('SELECT answer_grounded(''Where are the office keys?'', %L)', id)), 30) FROM half;
-- what somebody else has written decides nothing
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Where are the office keys?')
	-> 'retrieval_id');
BEGIN;
UPDATE answer.retrieval SET state = jsonb_set(state, '{config,min_chunks}', '0')
WHERE retrieval_id = (SELECT id ->> 'retrieval_id' FROM half);
SELECT replace(outcome(format('SELECT answer_grounded(''Where are the office keys?'', %L)', id)),
	id ->> 'retrieval_id', 'ID') FROM half;
ROLLBACK;
BEGIN;
UPDATE answer.retrieval SET expires_at = 'infinity'
WHERE retrieval_id = (SELECT id ->> 'retrieval_id' FROM half);
SELECT replace(outcome(format('SELECT answer_grounded(''Where are the office keys?'', %L)', id)),
	id ->> 'retrieval_id', 'ID') FROM half;
ROLLBACK;
SELECT answer_grounded('Where are the office keys?', id) ->> 'decision' AS decision FROM half;
-- it expires, and goes when somebody retrieves afterwards
SET answer_eval.retrieval_lifetime = 1;
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Where are the office keys?')
	-> 'retrieval_id');
SELECT pg_sleep(1.2);
SELECT left(outcome(format('SELECT answer_grounded(''Where are the office keys?'', %L)', id)), 30) FROM half;
RESET answer_eval.retrieval_lifetime;
SELECT answer_retrieve('Where are the office keys?') ->> 'decision' AS decision;
SELECT count(*) AS expired FROM answer.retrieval WHERE expires_at < now();
SELECT outcome('SELECT answer_retrieve(''x'', ''{"answer": "x"}'')'),
	outcome('SELECT answer_retrieve(''x'', ''{"retrieval_id": "x"}'')');

/* judges */

CREATE SCHEMA nli;
CREATE FUNCTION nli.says(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.9, 'relation',
		CASE WHEN concat(p -> 'a', p -> 'b') ~ 'noon.*midnight|midnight.*noon' THEN 'contradicts' ELSE 'neutral' END)))
	FROM jsonb_array_elements(args -> 'pairs') AS p
$$;
CREATE FUNCTION lunch(options jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_grounded('When is lunch?',
		'{"chunks": [{"chunk_id": "a#1", "doc_id": "a", "text": "Lunch is at noon.", "similarity": 0.9},
		{"chunk_id": "b#1", "doc_id": "b", "text": "Lunch is at midnight.", "similarity": 0.9},
		{"chunk_id": "c#1", "doc_id": "c", "text": "Lunch at noon, noon and midnight.", "similarity": 0.3}],
		"config": {"judge_conflict": "nli"}}' || options)
$$;
SELECT answer_judge_register('nli', '{"kinds": ["conflict"], "model": "nli", "version": "1", "handler": "nli.says"}');
SELECT shown(r), r -> 'conflicts' AS conflicts, r -> 'judges' AS judges, r -> 'degraded' AS degraded,
	jsonb_array_length(r -> 'judgements') AS judgements, answer_verify(r) -> 'ok' AS ok FROM lunch() AS r;
-- what it has said once is said again, and asked no more: the third chunk is not similar enough to be asked about
SELECT kind, relation, score, judge, version, origin, by = current_user AS own FROM answer.judgement;
-- one that comes back with nothing, or not at all; the reason says so, and the rest decides
CREATE FUNCTION nli.fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN RAISE EXCEPTION 'the model is out' USING errcode = 'AE001'; END $$;
CREATE FUNCTION nli.sleeps(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN PERFORM pg_sleep(60); RETURN '{"judgements": []}'; END $$;
CREATE FUNCTION nli.odd(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT '{"judgements": [{"id": "x", "relation": "contradicts", "score": 1}]}'::jsonb $$;
CREATE FUNCTION nli.too_sure(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_set(nli.says(args), '{judgements,0,score}', '1.5') $$;
CREATE FUNCTION nli.of_another_kind(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_set(nli.says(args), '{judgements,0,relation}', '"supports"') $$;
CREATE FUNCTION nli.bare(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT nli.says(args) -> 'judgements' $$;
CREATE FUNCTION nli.nothing(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$;
CREATE FUNCTION nli.silent(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '{"judgements": []}'::jsonb $$;
CREATE TABLE nli.seen (args jsonb);
CREATE FUNCTION nli.writes(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN INSERT INTO nli.seen VALUES (args); RETURN nli.says(args); END $$;
CREATE FUNCTION nli.calls_back(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN PERFORM public.answer_grounded('When is dinner?'); RETURN nli.says(args); END $$;
CREATE FUNCTION registered(judge text, handler text, version text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	PERFORM answer_judge_register(judge, jsonb_build_object('kinds', '["conflict"]'::jsonb, 'model', 'nli',
		'version', version, 'handler', handler));
	RETURN true;
END $$;
SELECT name, shown(r), r #> '{judges,0,version}' AS version, r -> 'degraded' AS degraded,
	jsonb_array_length(r -> 'to_judge') AS to_judge, answer_verify(r) -> 'ok' AS ok,
	answer_replay(r) -> 'ok' AS replayed
FROM unnest(ARRAY['fails', 'sleeps', 'odd', 'too_sure', 'of_another_kind', 'bare', 'nothing', 'silent', 'writes',
	'calls_back']) WITH ORDINALITY AS v (name, n), LATERAL (SELECT registered('nli', 'nli.' || name, name)) AS g (done),
	LATERAL lunch(jsonb_build_object('intent', 'judged_' || name, 'deadline_ms',
		CASE WHEN g.done AND name = 'sleeps' THEN 100 ELSE 10000 END)) AS r
ORDER BY n;
SELECT count(*) AS written FROM nli.seen;
SELECT count(*) AS kept FROM answer.judgement WHERE version <> '1';
-- two of them: as soon as one contradicts; one that fails takes nothing from the other
SELECT registered('nli', 'nli.says', '2'), registered('again', 'nli.fails', '1');
CREATE FUNCTION fresh(place text, judges jsonb DEFAULT '"nli"') RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_grounded('When is lunch?', jsonb_build_object('config', jsonb_build_object('judge_conflict', judges),
		'chunks', jsonb_build_array(
			jsonb_build_object('chunk_id', 'a#1', 'doc_id', 'a', 'text', format('Lunch in %s is at noon.', place),
				'similarity', 0.9, 'timestamp', now()),
			jsonb_build_object('chunk_id', 'b#1', 'doc_id', 'b', 'text', 'Lunch is at midnight.', 'similarity', 0.9,
				'timestamp', now()))))
$$;
SELECT n, o AS judges, r ->> 'decision' AS decision, r -> 'reasons' AS reasons, r -> 'degraded' AS degraded,
	jsonb_path_query_array(r, '$.judges[*].name') AS named, jsonb_array_length(r -> 'to_judge') AS to_judge,
	jsonb_path_query_array(r, '$.judgements[*].judge') AS judged, answer_verify(r) -> 'ok' AS ok
FROM unnest(ARRAY['["again", "nli"]', '["nli", "again"]', '"again"', '["nli"]', '"nobody"', 'null']::jsonb[])
	WITH ORDINALITY AS v (o, n), LATERAL fresh('town ' || n, o) AS r ORDER BY n;
SELECT answer_summary(fresh('a city', '"nobody"')) AS of_nobody;
-- between the halves it is asked once
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('When is lunch?',
	'{"config": {"judge_conflict": "nli"}, "chunks": [
	{"chunk_id": "a#1", "doc_id": "a", "text": "Lunch is at noon sharp.", "similarity": 0.9},
	{"chunk_id": "b#1", "doc_id": "b", "text": "Lunch is at midnight.", "similarity": 0.9}]}') -> 'retrieval_id');
SELECT lunch() ->> 'decision' AS stored;
CREATE OR REPLACE FUNCTION nli.says(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
	BEGIN RAISE EXCEPTION 'asked again'; END $$;
SELECT r ->> 'decision' AS decision, r -> 'reasons' AS reasons, r -> 'degraded' AS degraded,
	answer_verify(r) -> 'ok' AS ok FROM half, answer_grounded('When is lunch?', id) AS r;
-- what is stored needs no handler; one that is another by now, is dropped, or belongs to somebody else
SELECT r -> 'reasons' AS stored, r -> 'degraded' AS degraded FROM lunch() AS r;
SELECT r -> 'reasons' AS asked, r -> 'degraded' AS degraded FROM fresh('another place') AS r;
DROP FUNCTION nli.says;
SELECT r -> 'reasons' AS stored, r -> 'degraded' AS degraded FROM lunch() AS r;
SELECT r -> 'reasons' AS dropped, r -> 'degraded' AS degraded FROM fresh('another place') AS r;
CREATE ROLE regress_other;
CREATE FUNCTION nli.says(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.9, 'relation',
		CASE WHEN concat(p -> 'a', p -> 'b') ~ 'noon.*midnight|midnight.*noon' THEN 'contradicts' ELSE 'neutral' END)))
	FROM jsonb_array_elements(args -> 'pairs') AS p
$$;
ALTER FUNCTION nli.says(jsonb) OWNER TO regress_other;
SELECT r -> 'reasons' AS of_another, r -> 'degraded' AS degraded FROM fresh('another place') AS r;
ALTER FUNCTION nli.says(jsonb) OWNER TO CURRENT_USER;
DROP ROLE regress_other;
SELECT answer_judge_remove('again'), registered('nli', 'nli.says', '3');

/* the cache */

CREATE FUNCTION cached(query text, options jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT format('%s %s', COALESCE(r ->> 'cached', 'new'), answer_verify(r) -> 'ok')
	FROM answer_grounded(query, jsonb_build_object('config', '{"cache_ttl_s": 60}'::jsonb || COALESCE(options
		-> 'config', '{}')) || (options - 'config')) AS r
$$;
SELECT cached('How long is parental leave?') AS first, cached('HOW long is Parental leave?') AS second,
	cached('How long is parental leave!') AS other,
	cached('How long is parental leave?', '{"top_k": 3}') AS options, cached('How long is parental leave?',
		'{"config": {"min_chunks": 1}}') AS config;
-- a configuration may keep it as long as its greatest number says
SELECT cached(query, options) AS first, cached(query, options) AS second
FROM (VALUES ('How long is lunch?', '{"config": {"cache_ttl_s": 2147483647}}'::jsonb)) AS v (query, options);
SELECT r ->> 'cached' AS cached, r - 'cached' = answer_receipt(r ->> 'receipt_id') AS is_the_stored_one,
	answer_verify(r || '{"cached": false}') -> 'ok' AS untrue,
	answer_verify(r || '{"cached": "true"}') -> 'ok' AS no_boolean, answer_digest(r - 'cached') IS NOT NULL AS digest
FROM answer_grounded('How long is parental leave?', '{"config": {"cache_ttl_s": 60}}') AS r;
SELECT answer_verify(r || '{"cached": true}') -> 'ok' AS no_kind_that_is_cached
	FROM answer_eval('{"checks": [{"tool": "postgres_server"}]}') AS r;
-- whatever changes starts anew
SELECT answer_decision_rule_register('risk.medium', 'hubbub');
SELECT cached('How long is parental leave?') AS rules, cached('How long is parental leave?') AS again;
SELECT answer_decision_rule_remove('risk.medium', 'hubbub');
SELECT cached('How long is parental leave?') AS as_before;
SELECT answer_document_load('[{"doc_id": "nothing", "title": "Nothing", "timestamp": "2026-01-01", "text": "Nothing '
	'to see."}]') ->> 'created' AS created;
SELECT cached('How long is parental leave?') AS documents, cached('How long is parental leave?') AS again;
SELECT registered('again', 'nli.fails', '2');
SELECT cached('When is lunch?', o) AS degraded, cached('When is lunch?', o) AS never_kept
FROM (SELECT jsonb_build_object('config', '{"judge_conflict": "again"}'::jsonb, 'chunks', chunks) FROM
	(SELECT lunch() #> '{retrieval,chunks}') AS l (chunks)) AS v (o);
SELECT answer_judge_remove('again');
SELECT count(*) AS judged FROM answer_judges() WHERE name = 'again';
-- nobody gets another question's answer, nor one for longer than it was kept for
SELECT cached('How long is parental leave?'), cached('Where are the office keys?');
BEGIN;
UPDATE answer.decision_cache c
SET (receipt_id, issued_at, sig, expires_at) = (o.receipt_id, o.issued_at, o.sig, 'infinity')
FROM answer.decision_cache o WHERE (o.tenant, o.key) <> (c.tenant, c.key) AND NOT EXISTS (
	SELECT FROM answer.decision_cache l WHERE (l.tenant, l.issued_at) > (o.tenant, o.issued_at) AND l.key <> c.key);
SELECT cached('How long is parental leave?'), cached('Where are the office keys?');
SELECT cached('How long is parental leave?') AS again;
ROLLBACK;
BEGIN;
UPDATE answer.decision_cache SET expires_at = 'infinity';
SELECT cached('How long is parental leave?');
ROLLBACK;
SELECT cached('How long is parental leave?') AS as_before;
-- a life of a second
SELECT cached('Where are the office keys?', '{"config": {"cache_ttl_s": 1}}'), pg_sleep(1.1);
SELECT cached('Where are the office keys?', '{"config": {"cache_ttl_s": 1}}');
-- who is asked least goes first
TRUNCATE answer.decision_cache;
SET answer_eval.cache_entries = 3;
SELECT cached('one'), cached('two'), cached('three');
SELECT cached('two'), cached('three'), cached('three');
SELECT cached('four');
SELECT cached('one') AS was_evicted;
SELECT hits FROM answer.decision_cache ORDER BY hits;
UPDATE answer.decision_cache SET last_hit_at = last_hit_at - interval '10 hours' WHERE hits = 2;	-- 2 / 11 < 1
SELECT cached('five'), cached('five'), cached('six');
SELECT hits FROM answer.decision_cache ORDER BY hits;
SET answer_eval.cache_entries = 0;
SELECT cached('seven'), cached('seven') AS never;
RESET answer_eval.cache_entries;
-- what was forgotten is not given again
SELECT cached('How long is parental leave?') AS kept;
SELECT jsonb_array_length(answer_forget('leave', 'a test') -> 'documents') AS versions;
SELECT cached('How long is parental leave?') AS anew;
SELECT count(*) AS with_it FROM answer.receipt WHERE body::text ~ 'weeks of parental leave';
SELECT count(*) AS waiting_with_it FROM answer.retrieval WHERE state::text ~ 'weeks of parental leave';

/* people, dashboards, envelopes */

SELECT "check", verdict, confidence, left(observed, 40) AS observed, reason
	FROM answer_show(lunch('{"answer": "At noon.", "citations": ["a#1", "a#1"]}'));
SELECT "check", verdict, confidence, observed, reason FROM answer_show(lunch());
SELECT answer_summary(lunch());
SELECT answer_show(r - 'retrieval' - 'citations' - 'conflicts' - 'validation' - 'reasons'),
	answer_summary(r - 'query' - 'decision' - 'signals' - 'answer') FROM lunch() AS r;
SELECT verdict, reason, risk_level, degraded, confidence, took > '0', tenant FROM answer.decision_reason
	WHERE intent IN ('hr', 'judged_fails') ORDER BY intent, reason;
SELECT r.schema, r.verdict, r.confidence, r.degraded, r.intent, left(r.receipt_id, 4) AS prefix
	FROM answer.receipt r WHERE intent = 'hr';
SELECT answer_dsse(lunch() ->> 'receipt_id') -> 'payloadType' AS type;
SELECT answer_log_seal() ->> 'tree_size' IS NOT NULL AS sealed;
SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'forgotten';
SELECT answer_verify(jsonb_set(r, '{answer}', '"At noon."')) #>> '{steps,closure,reason}' AS another_answer,
	answer_verify(jsonb_set(r, '{citations}', '["a#1"]')) #>> '{steps,closure,reason}' AS other_citations,
	answer_verify(r - 'proposed') #>> '{steps,closure,reason}' AS without_a_member,
	answer_replay(jsonb_set(r, '{risk,risk_level}', '"high"')) -> 'differences' AS another_risk,
	answer_replay(r - 'config') -> 'reason' AS no_config, answer_replay(jsonb_set(r, '{config,colour}', '1'))
		-> 'reason' AS odd_config,
	answer_replay(jsonb_set(r, '{rules}', '{"allow": 1}')) -> 'reason' AS odd_rules, answer_replay(jsonb_set(r,
		'{evaluated_at}', '"now"')) -> 'reason' AS no_clock,
	answer_replay(jsonb_set(r, '{retrieval,chunks,0,similarity}', '2')) -> 'reason' AS odd_chunk,
		answer_replay(jsonb_set(r, '{proposed}', '{}')) -> 'reason' AS odd_proposal,
	answer_replay(jsonb_set(r, '{conflicts}', '[]')) -> 'reason' AS odd_conflicts, answer_replay(jsonb_set(r,
		'{judgements}', '[{}]')) -> 'reason' AS odd_judgements
FROM lunch() AS r;
-- many judgements of many judges cost time that grows with their number; pgtap/house_size has ten times as many
CREATE FUNCTION judged(judgements int, judges int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT r || jsonb_build_object('judgements', (SELECT jsonb_agg(r #> '{judgements,0}' || jsonb_build_object('pair',
		'sha256:' || lpad(i::text, 64, '0'))) FROM generate_series(1, judgements) AS i),
		'judges', (SELECT jsonb_agg(r #> '{judges,0}' || jsonb_build_object('name',
			CASE i WHEN 1 THEN 'nli' ELSE 'd' || i END))
		FROM generate_series(1, judges) AS i))
	FROM lunch() AS r
$$;
SET statement_timeout = '30s';
SELECT answer_verify(judged(9, 1)) #> '{steps,closure}' AS closure,
	answer_verify(judged(9, 2)) #>> '{steps,closure,reason}' AS another_judge,
	answer_verify(judged(3000, 1)) #> '{steps,closure}' AS many,
	jsonb_path_query_array(answer_replay(judged(3000, 1)), '$.differences[*].field') AS not_needed,
	answer_verify(judged(1, 4000)) #>> '{steps,closure,reason}' AS many_judges;
-- many documents that conflict: those that are used with all others
SELECT outcome(format('SELECT answer_grounded(''Who may?'', %L) ->> ''decision''',
	jsonb_build_object('chunks', m.chunks))),
	answer_replay(jsonb_set(r, '{retrieval,chunks}', m.chunks)) -> 'ok' AS replay
FROM lunch() AS r, LATERAL (SELECT jsonb_agg(jsonb_build_object('chunk_id', 'c' || i, 'doc_id', 'd' || i,
	'similarity', 1, 'text', CASE i % 2 WHEN 0 THEN 'Tickets are refundable.' ELSE 'Tickets are non-refundable.' END))
	AS chunks FROM generate_series(1, 2000) AS i) AS m;
RESET statement_timeout;

/* who may */

CREATE ROLE regress_asker;
CREATE ROLE regress_admin;
GRANT EXECUTE ON FUNCTION answer_grounded(text, jsonb), answer_retrieve(text, jsonb), answer_debug TO regress_asker;
SET ROLE regress_asker;
SELECT outcome('SELECT answer_grounded(''Where are the office keys?'') ->> ''decision''');
SELECT outcome('SELECT answer_decision_rule_register(''allow'', ''x'')'),
	outcome('SELECT answer_document_facts_add(''x'', ''[]'')');
SELECT outcome('SELECT count(*) FROM answer.retrieval'), outcome('SELECT count(*) FROM answer.decision_cache'),
	outcome('SELECT count(*) FROM answer.decision_rule');
SELECT outcome('SELECT answer.decision_cache_get('''', '''', now())'),
	outcome('SELECT answer.retrieval_put('''', '''', '''', ''{}'', now(), now(), ''{}'')');
-- an id is for the role that made it
RESET ROLE;
UPDATE half SET id = jsonb_build_object('retrieval_id', answer_retrieve('Where are the office keys?')
	-> 'retrieval_id');
GRANT SELECT ON half TO regress_asker;
SET ROLE regress_asker;
SELECT left(outcome(format('SELECT answer_grounded(''Where are the office keys?'', %L)', id)), 30) FROM half;
RESET ROLE;
-- a receipt in the cache is for the role that asked
SELECT cached('Where are the office keys?'), cached('Where are the office keys?');
GRANT EXECUTE ON FUNCTION cached(text, jsonb) TO regress_asker;
SET ROLE regress_asker;
SELECT outcome('SELECT cached(''Where are the office keys?'')') AS of_another;
RESET ROLE;
-- nothing is written in a transaction that may not
BEGIN READ ONLY;
SELECT outcome('SELECT answer_grounded(''x'')');
SELECT outcome('SELECT answer_retrieve(''x'')');
SELECT answer_debug('decision', 'Where are the office keys?') #>> '{decision_result,decision}' AS look;
ROLLBACK;
-- what is committed counts, whatever snapshot the caller has
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT cached('Where are the office keys?') AS in_a_snapshot, cached('nowhere to be found') AS kept,
	cached('nowhere to be found') AS again;
COMMIT;
-- what is found does not depend on a setting of the caller's
SELECT answer_document_load((SELECT jsonb_agg(jsonb_build_object('doc_id', 'g' || i, 'title', 'G',
	'timestamp', '2026-01-01', 'text', 'A gadget numbered ' || i || '.')) FROM generate_series(1,
		1000) AS i)) ->> 'created' AS created;
SET gin_fuzzy_search_limit = 1;
SET enable_seqscan = off;
SELECT jsonb_path_query_array(answer_grounded('gadget', '{"top_k": 3}'), '$.retrieval.chunks[*].chunk_id') AS grounded,
	ARRAY(SELECT chunk_id FROM answer_search('gadget', 3)) AS searched, (SELECT count(*) FROM answer_search('gadget',
		1000)) AS found;
RESET gin_fuzzy_search_limit;
RESET enable_seqscan;
\c :regression
SET client_min_messages = warning;
DROP DATABASE regress_ground WITH (FORCE);
DROP ROLE regress_asker; DROP ROLE regress_admin;
