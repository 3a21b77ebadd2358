-- Grounded answers with judges: who is asked, the decisions, what documents show, and what replays find.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO error;
SELECT plan(122);

CREATE SCHEMA grounding;
GRANT USAGE, CREATE ON SCHEMA grounding TO PUBLIC;
-- The result of a statement, or the SQLSTATE of its error.
CREATE FUNCTION grounding.tried(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN COALESCE(result, 'nothing');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
-- Scripted judges. For answers and conflicts they decide by words in capitals; a passage with "kiln" answers.
CREATE FUNCTION grounding.says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', COALESCE(jsonb_agg(jsonb_build_object('id', p -> 'id',
		'relation', CASE args ->> 'kind'
			WHEN 'answers' THEN CASE WHEN p ->> 'b' ~ 'kiln' THEN 'answers' ELSE 'does_not' END
			WHEN 'conflict' THEN CASE WHEN p ->> 'a' ~ 'AGAINST' OR p ->> 'b' ~ 'AGAINST' THEN 'contradicts' ELSE
				'neutral' END
			ELSE CASE WHEN p ->> 'a' ~ 'WRONG' THEN 'contradicts' WHEN p ->> 'a' ~ 'EXTRA' THEN 'neutral'
				WHEN p ->> 'a' ~ 'HELLO' THEN 'no_claim' ELSE 'supports' END END,
		'score', 0.9)), '[]'))
	FROM jsonb_array_elements(args -> 'pairs') AS p
$$;
CREATE FUNCTION grounding.agrees(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', COALESCE(jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.8,
		'relation', CASE args ->> 'kind' WHEN 'answers' THEN 'answers' WHEN 'conflict' THEN 'neutral' ELSE
			'supports' END)), '[]'))
	FROM jsonb_array_elements(args -> 'pairs') AS p
$$;
CREATE FUNCTION grounding.fails(args jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
	RAISE EXCEPTION 'out of order';
END $$;
CREATE ROLE regress_ground_people;
CREATE ROLE regress_ground_person IN ROLE regress_ground_people;
CREATE ROLE regress_ground_other;
GRANT USAGE ON SCHEMA tap TO regress_ground_person, regress_ground_other;
GRANT EXECUTE ON FUNCTION answer_grounded(text, jsonb), answer_retrieve(text, jsonb) TO regress_ground_person,
	regress_ground_other;
GRANT ALL ON ALL TABLES IN SCHEMA answer TO regress_ground_person, regress_ground_other;
SELECT answer_judge_register('says', '{"kinds": ["answers", "entailment", "conflict"], "model": "script",
	"version": "1", "handler": "grounding.says(jsonb)"}');
SELECT answer_judge_register('agrees', '{"kinds": ["answers", "entailment", "conflict"], "model": "script",
	"version": "7", "handler": "grounding.agrees(jsonb)"}');
SELECT answer_judge_register('fails', '{"kinds": ["answers", "entailment", "conflict"], "model": "script",
	"version": "1", "handler": "grounding.fails(jsonb)"}');
SELECT answer_judge_register('people', '{"kinds": ["answers", "entailment", "conflict"], "model": "people",
	"version": "1", "role": "regress_ground_people"}');

SELECT answer_document_load(jsonb_build_array(
	jsonb_build_object('doc_id', 'kiln', 'title', 'Glazing', 'timestamp', now() - interval '3 days', 'text',
		'The small kiln reaches its glazing heat after two hours of firing.' || E'\n\n' ||
			'The small oven warms plates before the market opens.'),
	jsonb_build_object('doc_id', 'yard', 'title', 'Yard', 'timestamp', now() - interval '2 days', 'text',
		'The small kiln in the yard is fired with beech wood on market days.')));
\set question 'When does the small kiln reach its glazing heat?'
CREATE FUNCTION grounding.asked(options jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_grounded('When does the small kiln reach its glazing heat?', options)
$$;
-- An answer of one sentence over the first chunk.
CREATE FUNCTION grounding.answered(answer text, config jsonb, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql
	AS $$
	SELECT grounding.asked(jsonb_build_object('answer', answer, 'citations', '["kiln#p0"]'::jsonb, 'config',
		config) || more)
$$;
-- The statuses of its sentences, in order.
CREATE FUNCTION grounding.statuses(receipt jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(s ->> 'status', ' ' ORDER BY n) FROM jsonb_array_elements(receipt #>
		'{validation,sentences}') WITH ORDINALITY AS x (s, n)
$$;
CREATE FUNCTION grounding.good(receipt jsonb) RETURNS boolean LANGUAGE sql AS $$
	SELECT (answer_verify(receipt) ->> 'ok')::boolean AND (answer_replay(receipt) ->> 'ok')::boolean
$$;

/* without a judge */

CREATE TEMP TABLE r AS SELECT grounding.asked('{}') AS plain,
	grounding.answered('It takes two hours of firing, more or less.', '{}') AS given;
SELECT is(plain ->> 'decision', 'ANSWER', 'an extract is an answer without a judge') FROM r;
SELECT is(plain -> 'proposed', jsonb_build_object('by', 'extract', 'answer', plain ->> 'answer', 'citations',
	plain -> 'citations'),
	'what was proposed is the extract') FROM r;
SELECT is(plain ->> 'answer', (SELECT string_agg(format('"%s" [%s]', q ->> 'text', n), ' ' ORDER BY n)
	FROM jsonb_array_elements(plain -> 'quotes') WITH ORDINALITY AS x (q, n)), 'which is the quotes') FROM r;
SELECT is(jsonb_build_array(plain -> 'judges', plain -> 'judgements', plain -> 'to_judge', plain ->
	'config_changed', plain -> 'degraded'),
	'[[], [], [], [], false]', 'nobody judged, nothing was changed') FROM r;
SELECT is(plain #> '{reproduce,evaluator,rules}', '["decision/2", "reading/1", "judgement/1"]',
	'the rules are named') FROM r;
SELECT ok(grounding.good(plain), 'it verifies and replays') FROM r;
SELECT is(given ->> 'decision', 'ANSWER_WITH_CAVEATS', 'what a caller says is not judged') FROM r;
SELECT is(given -> 'reasons', '["not_judged"]', 'and the document says so') FROM r;
SELECT is(grounding.statuses(given), 'not_judged', 'so does the sentence') FROM r;
SELECT ok(grounding.good(given), 'that verifies and replays, too') FROM r;
SELECT matches(answer_summary(given), 'not judged; sentence 1 not judged', 'the summary tells') FROM r;

/* judges that are functions */

TRUNCATE r;
ALTER TABLE r DROP COLUMN plain, DROP COLUMN given, ADD COLUMN name text, ADD COLUMN body jsonb;
INSERT INTO r SELECT name, grounding.answered(answer, '{"judge_entailment": "says"}') FROM (VALUES
	('supported', 'Two hours of firing bring the small kiln to its heat.'),
	('wrong', 'WRONG, it takes ten days.'),
	('extra', 'EXTRA words about the moon.'),
	('both', 'Two hours of firing bring the small kiln to its heat. EXTRA words about the moon.'),
	('hello', 'HELLO there. Two hours of firing bring the small kiln to its heat.')) AS v (name, answer);
SELECT is((SELECT jsonb_object_agg(name, jsonb_build_array(body ->> 'decision', body -> 'reasons',
	grounding.statuses(body))) FROM r),
	'{"supported": ["ANSWER", [], "supported"], "wrong": ["BLOCK", ["contradicted"], "contradicted"],
	"extra": ["BLOCK", ["unsupported"], "unsupported"], "both": ["BLOCK", ["unsupported"], "supported unsupported"],
	"hello": ["ANSWER", [], "no_claim supported"]}', 'a judge decides what each sentence is');
SELECT is((SELECT count(*) FROM r WHERE grounding.good(body)), 5::bigint, 'all of that verifies and replays');
SELECT is(body #> '{judges,0}', '{"name": "says", "model": "script", "version": "1", "assessed": null}',
	'the judge is named')
	FROM r WHERE name = 'supported';
SELECT is((SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(body #> '{judgements,0}') AS k),
	'{by,judge,judged_at,kind,origin,pair,relation,score,version}', 'a judgement has all that it must') FROM r
		WHERE name = 'supported';
SELECT is(body #>> '{judgements,0,origin}', 'observed', 'what the database asked is observed') FROM r WHERE name =
	'supported';
SELECT is(body -> 'citations', '[]', 'a block cites nothing') FROM r WHERE name = 'wrong';
SELECT matches(answer_summary(body), 'judged by says \(script, 1\), never measured, asked by the database',
	'the summary says who judged')
	FROM r WHERE name = 'supported';
SELECT is((SELECT verdict || ': ' || reason FROM answer_show(body) WHERE "check" = 'sentence 1'),
	'supported: judged by says (script, 1), never measured, asked by the database; over ["kiln#p0"]',
		'so does answer_show')
	FROM r WHERE name = 'supported';
SELECT is((SELECT confidence FROM answer_show(body) WHERE "check" = 'decision'), NULL,
	'how similar a text is is no confidence')
	FROM r WHERE name = 'supported';

-- passages and conflicts
INSERT INTO r SELECT 'passages', grounding.asked('{"config": {"judge_answers": "says",
	"confidence_threshold": 0.6}}');
SELECT is(jsonb_build_array(body ->> 'decision', body #> '{signals,answer_confidence}'), '["ANSWER", 0.9]',
	'passages are judged')
	FROM r WHERE name = 'passages';
SELECT ok(grounding.good(body), 'which verifies and replays') FROM r WHERE name = 'passages';
INSERT INTO r SELECT 'conflict', grounding.asked(jsonb_build_object('config',
	'{"judge_conflict": "says", "supersede": "never"}'::jsonb, 'chunks',
	'[{"chunk_id": "a#p0", "doc_id": "a", "text": "The small kiln reaches its glazing heat after two hours.",
		"similarity": 0.9},
	{"chunk_id": "b#p0", "doc_id": "b",
		"text": "AGAINST all that: it is the small kiln that never reaches glazing heat.",
		"similarity": 0.9}]'::jsonb));
SELECT is(jsonb_build_array(body ->> 'decision', body -> 'reasons', body -> 'citations', body #>
	'{conflicts,pairs,0,kind}'),
	'["ABSTAIN", ["conflict_detected", "policy"], ["a#p0", "b#p0"], "says"]', 'a judge finds conflicts') FROM r
		WHERE name = 'conflict';
SELECT ok(grounding.good(body), 'which verifies and replays, too') FROM r WHERE name = 'conflict';

-- panels
INSERT INTO r SELECT 'panel', grounding.answered('Two hours of firing bring the small kiln to its heat.',
	'{"judge_entailment": ["says", "agrees"]}');
SELECT is(jsonb_build_array(body ->> 'decision', jsonb_array_length(body -> 'judges'), jsonb_array_length(body ->
	'judgements')),
	'["ANSWER", 2, 2]', 'a panel supports when all do') FROM r WHERE name = 'panel';
INSERT INTO r SELECT 'panel against', grounding.answered('WRONG, it takes ten days.',
	'{"judge_entailment": ["agrees", "says"]}');
SELECT is(body -> 'reasons', '["contradicted"]', 'and contradicts as soon as one does') FROM r WHERE name =
	'panel against';
SELECT is((SELECT count(*) FROM r WHERE name ~ 'panel' AND grounding.good(body)), 2::bigint,
	'both verify and replay');

-- a judge that fails
INSERT INTO r SELECT 'failed', grounding.answered('Two hours of firing bring the small kiln to its heat.',
	'{"judge_entailment": "fails"}');
SELECT is(jsonb_build_array(body ->> 'decision', body -> 'reasons', body -> 'degraded', grounding.statuses(body)),
	'["ANSWER_WITH_CAVEATS", ["not_judged", "judge_failed: fails"], true, "not_judged"]',
		'a judge that fails judges nothing, and is named')
	FROM r WHERE name = 'failed';
SELECT is(body #> '{judges,0,name}', '"fails"', 'it was to judge') FROM r WHERE name = 'failed';
SELECT is(jsonb_array_length(body -> 'to_judge'), 1, 'what it did not judge is listed') FROM r WHERE name = 'failed';
SELECT ok(NOT (body #> '{to_judge,0}') ?| '{a,b}' AND (body #> '{to_judge,0}') ?&
	'{kind,pair,sentence,chunk_ids}', 'without the texts')
	FROM r WHERE name = 'failed';
SELECT ok(grounding.good(body), 'that verifies and replays') FROM r WHERE name = 'failed';
INSERT INTO r SELECT 'required', grounding.answered('Two hours of firing bring the small kiln to its heat.',
	'{"judge_entailment": "fails", "judge": "required"}');
SELECT is(jsonb_build_array(body ->> 'decision', body #> '{reasons,0}'), '["ABSTAIN", "not_judged"]',
	'where a judge is required nothing goes without')
	FROM r WHERE name = 'required';

/* judgements handed in, and stored */

INSERT INTO r SELECT 'waits', grounding.answered('Two hours of firing heat it.', '{"judge_entailment": "people"}');
SELECT is(jsonb_build_array(body -> 'reasons', body -> 'degraded'), '[["not_judged"], false]',
	'an external judge is waited for by nobody')
	FROM r WHERE name = 'waits';
SELECT set_config('ground.pair', body #>> '{to_judge,0,pair}', true) FROM r WHERE name = 'waits';
CREATE FUNCTION grounding.handed_in(relation text, judge text DEFAULT 'people', score numeric DEFAULT 0.8) RETURNS
	jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('judgements', jsonb_build_array(jsonb_build_object('pair',
		current_setting('ground.pair'),
		'relation', relation, 'score', score, 'judge', judge)))
$$;
CREATE FUNCTION grounding.with_judgement(relation text, judge text DEFAULT 'people', score numeric DEFAULT 0.8)
	RETURNS jsonb LANGUAGE sql AS $$
	SELECT grounding.answered('Two hours of firing heat it.', '{"judge_entailment": "people"}',
		grounding.handed_in(relation, judge, score))
$$;
GRANT ALL ON ALL FUNCTIONS IN SCHEMA grounding TO PUBLIC;
SET LOCAL ROLE regress_ground_other;
SELECT is(grounding.tried($$SELECT grounding.with_judgement('supports')$$), '42501',
	'who is no member speaks for nobody');
SET LOCAL ROLE regress_ground_person;
SELECT is(grounding.tried($$SELECT grounding.with_judgement('supports', 'says')$$), '42501',
	'nobody speaks for a function');
SELECT is(grounding.tried($$SELECT grounding.with_judgement('supports', 'nobody')$$), '22023',
	'nor for a judge that is not there');
SELECT is(grounding.tried($$SELECT grounding.with_judgement('answers')$$), '22023', 'a relation of another kind');
SELECT is(grounding.tried($$SELECT grounding.with_judgement('supports', 'people', 1.1)$$), '22023',
	'a score of no share');
SELECT is(grounding.tried($$SELECT grounding.answered('x', '{}', '{"judgements": 7}')$$), '22023',
	'judgements that are none');
CREATE TEMP TABLE p AS SELECT grounding.with_judgement('supports') AS body,
	grounding.with_judgement('contradicts') AS against;
SELECT is(jsonb_build_array(body ->> 'decision', body #> '{judgements,0,origin}', body #> '{judgements,0,by}',
	body #> '{judgements,0,version}'),
	'["ANSWER", "reported", "regress_ground_person", "1"]', 'a member of the role judges with the call') FROM p;
SELECT is(against -> 'reasons', '["contradicted"]', 'and his word counts') FROM p;
RESET ROLE;
SELECT is((SELECT grounding.good(body) AND grounding.good(against) FROM p), true, 'all of that verifies and replays');
SELECT matches((SELECT answer_summary(body) FROM p),
	'judged by people \(people, 1\), never measured, reported by regress_ground_person',
	'and says who reported');
SELECT is(grounding.statuses(grounding.answered('Two hours of firing heat it.',
	'{"judge_entailment": "people"}')), 'not_judged',
	'what was handed in is not kept');
GRANT EXECUTE ON FUNCTION answer_judgement_add(jsonb) TO regress_ground_person;
SET LOCAL ROLE regress_ground_person;
SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('kind', 'entailment', 'pair',
	current_setting('ground.pair'),
	'relation', 'supports', 'score', 0.7, 'judge', 'people')));
RESET ROLE;
SELECT is(grounding.statuses(grounding.answered('Two hours of firing heat it.',
	'{"judge_entailment": "people"}')), 'supported',
	'what is stored is found');

/* the two halves */

CREATE TEMP TABLE h AS SELECT answer_retrieve(:'question', '{"config": {"judge_answers": "people",
	"judge_entailment": "says"}}') AS body;
SELECT is(jsonb_build_array(body -> 'decision', body #> '{to_judge,0,kind}'), '[null, "answers"]',
	'what is missing decides nothing yet') FROM h;
SELECT ok((body #> '{to_judge,0}') ?& '{a,b,pair,chunk_ids}', 'its texts are shown to whoever judges') FROM h;
SELECT is(answer_retrieve(:'question', '{"config": {"judge_answers": "people", "judge": "required",
	"confidence_threshold": 1, "min_chunks": 9}}') -> 'decision', 'null', 'nor where a judge is required');
SELECT is(answer_retrieve(:'question', '{"config": {"min_chunks": 9}}') ->> 'decision', 'ABSTAIN',
	'what needs no judge is decided');
SELECT set_config('ground.judged', (SELECT jsonb_agg(jsonb_build_object('pair', t -> 'pair', 'relation',
	'answers', 'score', 0.9, 'judge', 'people'))
	FROM h, jsonb_array_elements(body -> 'to_judge') AS t)::text, true);
SELECT set_config('ground.retrieval', (SELECT body ->> 'retrieval_id' FROM h), true);
INSERT INTO r SELECT 'halves', answer_grounded(:'question', jsonb_build_object('retrieval_id',
	current_setting('ground.retrieval'),
	'answer', 'Two hours of firing bring the small kiln to its heat [1].', 'citations', '["kiln#p0"]'::jsonb,
	'judgements', current_setting('ground.judged')::jsonb));
SELECT is(jsonb_build_array(body ->> 'decision', grounding.statuses(body), jsonb_array_length(body -> 'judges'),
	body #> '{config_changed,0,key}'),
	'["ANSWER", "supported", 2, "judge_answers"]', 'the second half judges the answer') FROM r WHERE name = 'halves';
SELECT ok(grounding.good(body), 'and the document covers both') FROM r WHERE name = 'halves';
SELECT is(grounding.tried(format($$SELECT answer_grounded(%L, %L)$$, :'question', jsonb_build_object('retrieval_id',
	current_setting('ground.retrieval'), 'answer', 'x'))), 'P0002', 'once');

/* settings of a request */

INSERT INTO r SELECT 'changed', grounding.asked('{"config": {"confidence_threshold": 0.10}}');
SELECT is(body -> 'config_changed', '[{"key": "confidence_threshold", "old": 0.6, "new": 0.1}]',
	'what a request changes is told')
	FROM r WHERE name = 'changed';
SELECT matches(answer_summary(body), 'the request changed confidence_threshold from 0.6 to 0.1',
	'also in the summary') FROM r WHERE name = 'changed';
SET LOCAL answer_eval.request_config = 'stricter';
SELECT is(grounding.tried(format('SELECT (grounding.asked(%L) ->> ''decision'') IS NOT NULL',
	jsonb_build_object('config', config))), outcome, why)
	FROM (VALUES ('{"confidence_threshold": 0.10}'::jsonb, '42501', 'nothing may be loosened'),
	('{"confidence_threshold": 0.65}', 'true', 'a stricter threshold may be asked for'),
	('{"freshness_days": 0}', '42501', 'no limit is the loosest'),
	('{"freshness_days": 10}', 'true', 'fewer days are stricter'),
	('{"judge_entailment": "says"}', '42501', 'a judge more could stand in place of a check'),
	('{"supersede": "always"}', '42501', 'a conflict may not be hidden'),
	('{"judge_passages": 6}', '42501', 'of more passages one more could answer'),
	('{"judge_passages": 4}', '42501', 'and of fewer all are judged sooner'),
	('{"judge_passages": 5}', 'true', 'what is so is no change'),
	('{"top_k": 7}', 'true', 'how many chunks is neither')) AS v (config, outcome, why);
RESET answer_eval.request_config;

/* changed documents: their signatures are wrong anyway, so this tests what a replay finds */

CREATE FUNCTION grounding.differs(body jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT COALESCE((SELECT string_agg(d #>> '{}', ' ') FROM jsonb_array_elements(a -> 'differences') AS d), a ->>
		'reason', 'nothing')
	FROM answer_replay(body) AS a
$$;
SELECT is(grounding.differs(body), 'nothing', 'what is as it was issued replays') FROM r WHERE name = 'supported';
SELECT matches(grounding.differs(body #- '{judgements,0}'), 'validation', 'a judgement that is missing is found')
	FROM r WHERE name = 'supported';
SELECT matches(grounding.differs(jsonb_set(body, '{judgements,0,relation}', '"contradicts"')), 'validation',
	'and one that says otherwise')
	FROM r WHERE name = 'supported';
SELECT matches(grounding.differs(jsonb_set(body, '{validation,sentences,0,status}', '"quoted"')), 'validation',
	'a status that was changed')
	FROM r WHERE name = 'supported';
SELECT matches(grounding.differs(jsonb_set(body, '{judgements}', (body -> 'judgements') || jsonb_set(body #>
	'{judgements,0}', '{pair}',
	to_jsonb(answer_digest('"x"'))))), 'judgements', 'a judgement that was not needed') FROM r WHERE name =
		'supported';
SELECT matches(grounding.differs(jsonb_set(body, '{quotes,0,text}', '"kiln"')), 'quotes', 'a quote that was cut')
	FROM r WHERE name = 'passages';
SELECT matches(grounding.differs(jsonb_set(body, '{decision}', '"ANSWER"')), 'decision',
	'a decision that was changed') FROM r WHERE name = 'failed';
SELECT is(answer_verify(jsonb_set(body, '{judgements,0,relation}', '"neutral"')) ->> 'ok', 'false',
	'and no such document verifies')
	FROM r WHERE name = 'supported';
SELECT is((answer_verify(jsonb_set(body, '{judges,0,name}', '"other"')) #>> '{steps,closure,ok}'), 'false',
	'judges are those of the configuration')
	FROM r WHERE name = 'supported';

-- the owner of a key could sign anything again: a label must not exempt a document from its replay
SELECT matches(grounding.differs(jsonb_set(jsonb_set(body, '{reproduce,evaluator,rules}', '["decision/1"]'),
	'{decision}', '"ANSWER"')), 'decision', 'a label of earlier rules hides no decision that was changed')
	FROM r WHERE name = 'failed';
SELECT is((answer_verify(jsonb_set(body, '{config_changed}', (body -> 'config_changed') || (body #>
	'{config_changed,0}'))) #>> '{steps,closure,ok}'), 'false', 'what was changed is told once')
	FROM r WHERE name = 'supported';
SELECT is((answer_verify(jsonb_set(body, '{judges,0,assessed}', '"perfect"')) #>> '{steps,closure,ok}'), 'false',
	'an assessment is one')
	FROM r WHERE name = 'supported';
INSERT INTO r SELECT 'gone', grounding.answered('Two hours of firing bring it there.', '{"judge_entailment": "gone"}');
SELECT is(body #> '{judges,0}', '{"name": "gone", "model": null, "version": null, "assessed": null}',
	'a judge that is not there is shown') FROM r WHERE name = 'gone';
SELECT ok(grounding.good(body), 'and the document is a good one') FROM r WHERE name = 'gone';

/* the cache */

\set cached '{"config": {"cache_ttl_s": 60, "judge_answers": "says"}}'
SELECT answer_grounded(:'question', :'cached');
SELECT is(answer_grounded(:'question', :'cached') -> 'cached', 'true', 'what was judged is given again');
SELECT answer_judge_register('says', '{"kinds": ["answers", "entailment", "conflict"], "model": "script",
	"version": "2", "handler": "grounding.says(jsonb)"}');
SELECT is(answer_grounded(:'question', :'cached') -> 'cached', NULL, 'but not by another version of the judge');
-- a judge that changes a judgement ends a cached answer, through any call, before or after the receipt
CREATE FUNCTION grounding.answers_now(relation text, passage text, judge text DEFAULT 'people') RETURNS integer
LANGUAGE sql VOLATILE AS $$
	SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('kind', 'answers', 'a',
		'When does the small kiln reach its glazing heat?', 'b', passage, 'relation', relation, 'score', 0.9,
		'judge', judge)))
$$;
CREATE FUNCTION grounding.again(judges jsonb) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT concat_ws(' ', r ->> 'decision', r ->> 'cached') FROM answer_grounded(
		'When does the small kiln reach its glazing heat?', jsonb_build_object('chunks',
			'[{"chunk_id": "k", "doc_id": "k", "similarity": 0.9,
			 "text": "The small kiln reaches its glazing heat at noon."}]'::jsonb,
			'config', jsonb_build_object('cache_ttl_s', 60, 'caveats', false, 'judge_answers', judges))) AS r
$$;
SELECT grounding.answers_now('answers', 'The small kiln reaches its glazing heat at noon.');
SELECT is(ARRAY[grounding.again('"people"'), grounding.again('"people"')], '{ANSWER,ANSWER true}',
	'kept while it is so');
SELECT grounding.answers_now('answers', 'Another passage.');
SELECT is(grounding.again('"people"'), 'ANSWER true', 'a judgement of another pair ends nothing');
SELECT grounding.answers_now('answers', 'The small kiln reaches its glazing heat at noon.');
SELECT is(grounding.again('"people"'), 'ANSWER true', 'nor one that says the same again');
SELECT grounding.answers_now('does_not', 'The small kiln reaches its glazing heat at noon.');
SELECT is(ARRAY[grounding.again('"people"'), grounding.again('"people"')], '{ABSTAIN,"ABSTAIN true"}',
	'one that says otherwise is gone by at once');
SELECT is(ARRAY[grounding.again('["people", "crowd"]'), grounding.again('["people", "crowd"]')],
	'{ABSTAIN,"ABSTAIN true"}', 'a panel needs no second one who says no');
SELECT answer_judge_register('crowd', '{"kinds": ["answers"], "model": "people", "version": "1",
	"role": "regress_ground_people"}');
SELECT grounding.again('["people", "crowd"]');
SELECT grounding.answers_now('answers', 'The small kiln reaches its glazing heat at noon.', 'crowd');
SELECT is(grounding.again('["people", "crowd"]'), 'ABSTAIN',
	'but what another of its judges says is in the next receipt');
SELECT is(grounding.again('["people", "crowd"]'), 'ABSTAIN true', 'which is kept');
\set waiting '{"config": {"cache_ttl_s": 60, "judge_answers": "people"}}'
SELECT answer_grounded(:'question', :'waiting');
SELECT is(answer_grounded(:'question', :'waiting') -> 'cached', NULL, 'what nobody has judged is not kept');

/* facts in documents */

SELECT is(answer_document_facts_add('kiln', '[{"subject": "small kiln", "attribute": "heating time", "value": 2,
	"unit": "hours",
	"quote": "after two hours of firing"}]', '{"by": "reader"}'), 1, 'a fact is added');
SELECT is(answer_document_facts_add('kiln', '[{"subject": "small kiln", "attribute": "heating time", "value": 2,
	"unit": "hours",
	"quote": "after two hours of firing"}]', '{"by": "reader"}'), 0, 'once');
SELECT is(grounding.tried(format('SELECT answer_document_facts_add(''kiln'', jsonb_build_array(%L::jsonb))',
	fact)), '22023', why) FROM (VALUES
	('{"subject": "k", "attribute": "h", "value": 3, "unit": "hours", "quote": "after two hours of firing"}',
		'another value than that of the quote'),
	('{"subject": "k", "attribute": "h", "value": 2, "unit": "hours", "quote": "after two long hours"}',
		'words that do not stand there'),
	('{"subject": "k", "attribute": "h", "value": 2, "quote": "two hours", "chunk_id": "kiln#p1"}', 'another chunk'),
	('{"subject": "k", "attribute": "h", "quote": "two hours"}', 'no value'),
	('{"subject": " ", "attribute": "h", "value": 2, "quote": "two hours"}', 'a blank subject'),
	('{"subject": "k", "attribute": "h", "value": 2, "quote": "two hours", "who": "me"}', 'an unknown member'),
	('7', 'no object')) AS v (fact, why);
SELECT is((SELECT array_agg((f.chunk_id, f.value, f.unit, f.by)::text) FROM answer_document_facts() AS f),
	'{"(kiln#p0,2,hours,reader)"}', 'it is listed');
SELECT is(jsonb_build_array(f -> 'value', f #> '{verification,basis}', f #> '{verification,signals,fresh}',
	f #> '{provenance,source}', f #> '{provenance,chunk_id}', f -> 'unit'),
	'[2, "reported", true, "kiln", "kiln#p0", "hours"]', 'and evidence of doc.fact') FROM answer_fact('doc.fact',
		'{"subject": "Small  Kiln", "attribute": "heating time"}') AS f;
SELECT answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'shed', 'title', 'Shed', 'timestamp',
	now() - interval '1 day', 'text',
	'In the shed the small kiln needs five hours to its glazing heat.')));
SELECT answer_document_facts_add('shed', '[{"subject": "small kiln", "attribute": "heating time", "value": 5,
	"unit": "hours", "quote": "needs five hours"}]');
SELECT is(f #> '{verification,signals,conflict}', 'true', 'documents that differ conflict')
	FROM answer_fact('doc.fact', '{"subject": "small kiln", "attribute": "heating time"}') AS f;
SELECT is(jsonb_build_array(b ->> 'decision', b #> '{conflicts,pairs,0,kind}'), '["ABSTAIN", "fact"]',
	'also in a decision')
	FROM grounding.asked('{"config": {"supersede": "never"}}') AS b;
SELECT answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'shed', 'title', 'Shed', 'timestamp',
	now(), 'text', 'The shed is empty.')));
SELECT is((SELECT count(*) FROM answer_document_facts() WHERE doc_id = 'shed'), 0::bigint,
	'a new version retires them');
INSERT INTO r SELECT 'later', grounding.answered('Some hours of firing do it.', '{"judge_entailment": "people"}');
SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object('pair', body #> '{to_judge,0,pair}', 'judge', 'people',
	'relation', 'supports', 'score', 1))) FROM r WHERE name = 'later';
SELECT answer_forget('kiln', 'no longer fired');
SELECT is((SELECT count(*) FROM answer.document_fact WHERE doc_id = 'kiln'), 0::bigint,
	'and forgetting takes them along');
SELECT is((SELECT count(*) FROM answer.judgement AS j JOIN r ON body -> 'judgements' @> jsonb_build_array(
	jsonb_build_object('pair', j.pair)) WHERE r.name = 'supported'), 0::bigint, 'with what was judged over it');
SELECT is((SELECT count(*) FROM answer.judgement AS j JOIN r ON body #>> '{to_judge,0,pair}' = j.pair
	WHERE r.name = 'later'), 0::bigint, 'also later');
-- an answer without content is no answer
CREATE TEMP TABLE bell AS SELECT '[{"chunk_id": "e", "doc_id": "e", "similarity": 1,
	"text": "The noon bell rings when the sun is highest."}]'::jsonb AS chunks;
SELECT throws_ok(format('SELECT answer_grounded(''When?'', %L)',
		jsonb_build_object('answer', a, 'citations', '["e"]'::jsonb, 'chunks', chunks)), '22023',
	format('option "answer" says nothing: it is "%s"', a), 'no word: ' || n)
FROM bell, unnest('{"",[1],"  "}'::text[]) WITH ORDINALITY AS x (a, n);
SELECT matches(answer_summary(answer_grounded('When does the noon bell ring?', jsonb_build_object('chunks', chunks,
		'answer', 'The bell rings at noon.', 'citations', '["e"]'::jsonb, 'config', '{"min_chunks": 1}'::jsonb))),
	'; caveat: "Nobody has checked', 'a summary tells the caveat') FROM bell;
-- the confidence of a receipt is that of the judges if they have judged, otherwise a similarity
SELECT is((SELECT array_agg(s.confidence::numeric ORDER BY w.name) FROM r AS w JOIN answer.receipt AS s
	ON s.receipt_id = w.body ->> 'receipt_id' WHERE w.name IN ('changed', 'passages')),
	(SELECT array_agg((w.body #>> CASE w.name WHEN 'passages' THEN '{signals,answer_confidence}'
	ELSE '{signals,retrieval_confidence_max}' END::text[])::numeric ORDER BY w.name) FROM r AS w
	WHERE w.name IN ('changed', 'passages')), 'the confidence beside a receipt');
SELECT isnt(body #>> '{signals,answer_confidence}', body #>> '{signals,retrieval_confidence_max}',
	'which are two things') FROM r WHERE name = 'passages';
-- if all passages are too dissimilar, the refusal says how similar they were
CREATE FUNCTION grounding.explained(similarities numeric[], config jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN grounding.good(r) THEN jsonb_path_query_array(r -> 'explain', '$[*] ? (@.key == "floor")') END
	FROM answer_grounded('When?', jsonb_build_object('config', config, 'chunks', (SELECT jsonb_agg(jsonb_build_object(
		'chunk_id', n::text, 'doc_id', n::text, 'similarity', s, 'text', 'Bells ring.'))
		FROM unnest(similarities) WITH ORDINALITY AS x (s, n)))) AS r
$$;
SELECT is(grounding.explained('{0.05, 0.17, 0.1}'), '[{"reason": "low_retrieval_confidence", "value": 0.17,
	"threshold": 0.2, "key": "floor"}]', 'where nothing reaches the floor, explain says what came nearest to it');
SELECT is(grounding.explained('{0.55, 0.1}', '{"floor": 0.6}') #> '{0,value}', '0.55', 'whatever the floor is');
SELECT is(grounding.explained('{0, 0}') #> '{0,value}', '0', 'and 0 where that is so');
SELECT is(grounding.explained('{0.2, 0.1}'), '[]', 'what equals the floor reaches it');
-- a refusal names the limit and its key, also without a value: no passage answers, no source has a date
SELECT alike(answer_summary(answer_grounded(question, jsonb_build_object('config', config, 'chunks', '[
	{"chunk_id": "1", "doc_id": "1", "similarity": 0.9, "text": "Bells of the security policy ring."},
	{"chunk_id": "2", "doc_id": "2", "similarity": 0.9, "text": "The security policy."}]'::jsonb))), told, told)
FROM (VALUES ('When do bells ring?', '{"judge_answers": "says"}'::jsonb,
		'%no_passage_answers (none, needs 0.6, confidence_threshold): %'),
	('When do bells ring?', '{"judge": "required"}', '%: "not_judged (judge: required): %'),
	('What is the security policy?', '{}',
		'%stale_documents (the oldest source has no date, at most 30 days are allowed, freshness_days_high_risk): %'))
	AS k (question, config, told);
-- phrases in which a model says that it does not know can be registered
SELECT answer_decision_rule_register('insufficiency', 'say nothing about');
SELECT is(r -> 'reasons', reasons, said)
FROM (VALUES ('The books say nothing about bells.', '["answer_abstains"]'::jsonb),
	('The books are silent.', '["invalid_citations"]')) AS v (said, reasons),
	LATERAL answer_grounded('When do bells ring?', jsonb_build_object('answer', said, 'chunks',
		'[{"chunk_id": "1", "doc_id": "1", "similarity": 0.9, "text": "Bells ring."}]'::jsonb)) AS r;
-- a version of the configuration keeps its judges
CREATE TEMP TABLE version AS SELECT n, answer_config_create(jsonb_build_object('judge_answers', j), 'a test') AS id
FROM unnest('{"\"one\"","[\"one\", \"two\"]"}'::jsonb[]) WITH ORDINALITY AS x (j, n);
SELECT is((SELECT jsonb_agg(c.config -> 'judge_answers' ORDER BY n) FROM version v
	JOIN answer.config c ON c.config_id = v.id), '["one", ["one", "two"]]', 'judges are a part of a configuration');

SELECT * FROM finish();
ROLLBACK;
