-- tiers: test
-- answer_suite_tune(): it proposes the best threshold for the half of the cases that chooses, its figures are those of
-- runs, it says which demands cannot be met, and it writes nothing.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
-- several tests in one row become separate lines
\pset fieldsep '\n'
SELECT plan(77);
CREATE SCHEMA tune;

-- A case whose two chunks have a known similarity.
CREATE FUNCTION tune.one(n integer, similarity numeric, expected text, level text DEFAULT 'low') RETURNS jsonb
LANGUAGE sql AS $$
SELECT jsonb_build_object('id', level || '-' || n, 'expected_outcome', expected, 'risk_level', level,
	'query', format(CASE level WHEN 'high' THEN 'Does the GDPR cover parcel %s?'
		ELSE 'Which shelf holds parcel %s?' END, n),
	'chunks', jsonb_build_array(
		jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', format('Parcel %s stands on the oak shelf.', n),
			'similarity', similarity, 'timestamp', '2025-05-30'),
		jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', format('The oak shelf holds parcel %s.', n),
			'similarity', similarity, 'timestamp', '2025-05-30'))) $$;
-- Similar ones are answered, distant ones are not; in between some are the other way round.
CREATE TABLE tune.suite (name text PRIMARY KEY, cases jsonb);
INSERT INTO tune.suite
SELECT 'mixed', jsonb_agg(tune.one(n, n * 0.04, CASE WHEN n > 8 AND n <> 11 OR n = 6 THEN 'ANSWER' ELSE 'ABSTAIN' END))
	|| jsonb_agg(tune.one(n, n * 0.04, CASE WHEN n > 14 THEN 'ANSWER' ELSE 'ABSTAIN' END, 'high'))
FROM generate_series(1, 24) AS n;
INSERT INTO tune.suite
SELECT 'far', jsonb_agg(tune.one(n, 0, 'ABSTAIN')) FROM generate_series(1, 6) AS n
UNION ALL SELECT 'alike', jsonb_agg(tune.one(n, 0.9, 'ANSWER')) FROM generate_series(1, 6) AS n
UNION ALL SELECT 'alone', jsonb_agg(tune.one(1, 0.9, 'ANSWER'))
UNION ALL SELECT 'opposed', jsonb_agg(tune.one(n, 0.5, CASE WHEN n % 2 = 0 THEN 'ANSWER' ELSE 'ABSTAIN' END))
	FROM generate_series(1, 12) AS n
UNION ALL SELECT 'none', '[]'
UNION ALL SELECT 'questions', '[{"id": "q", "kind": "question", "query": "Is PostgreSQL nicer than a spreadsheet?",
	"expected_refusal": "no route matches"}]';
SELECT answer_suite_load('tune-' || name, cases, '[]', '2025-06-01Z') FROM tune.suite;

/* compared with all thresholds, one by one */

CREATE TABLE tune.ran AS SELECT f AS floor, h AS high, answer_run(answer_suite_run('tune-mixed',
	jsonb_build_object('floor', f, 'confidence_threshold_high_risk', h))) AS run
FROM generate_series(0, 1, 0.1) AS f, generate_series(0, 1, 0.1) AS h;
INSERT INTO tune.ran SELECT f, h, answer_run(answer_suite_run('tune-mixed',
	jsonb_build_object('floor', f, 'confidence_threshold_high_risk', h)))
FROM unnest('{0.03,0.06,0.22,0.26,0.34,0.38,0.42,0.46}'::numeric[]) AS f,
	unnest('{0.54,0.58,0.62,0.66}'::numeric[]) AS h;
-- the half that chooses has the lower digests
CREATE TABLE tune.half AS
SELECT c ->> 'id' AS id, ntile(2) OVER (ORDER BY c ->> 'digest' COLLATE "C") = 1 AS tunes
FROM (SELECT run FROM tune.ran LIMIT 1) AS r, jsonb_array_elements(r.run -> 'cases') AS c;
CREATE TABLE tune.counted AS
SELECT r.floor, r.high, h.tunes, count(*) AS cases, count(*) FILTER (WHERE (c -> 'passed')::boolean) AS passed,
	count(*) FILTER (WHERE c ->> 'decision' LIKE 'ANSWER%') AS answered,
	count(*) FILTER (WHERE c ->> 'decision' LIKE 'ANSWER%' AND c #>> '{case,expected_outcome}' = 'ABSTAIN')
		AS false_accepts
FROM tune.ran AS r, jsonb_array_elements(r.run -> 'cases') AS c JOIN tune.half AS h ON h.id = c ->> 'id'
GROUP BY 1, 2, 3;
SELECT count(*) AS receipts FROM answer.receipt \gset
CREATE TABLE tune.tuned (goals text PRIMARY KEY, v jsonb);
INSERT INTO tune.tuned SELECT g, answer_suite_tune('tune-mixed', g::jsonb) FROM unnest(ARRAY['{}',
	'{"max_false_accept_rate": 0.2, "min_overall_pass_rate": 0.5}',
	'{"max_false_accept_rate": 1, "min_overall_pass_rate": 0}',
	'{"max_wrong_rate": 0.1, "max_false_accept_rate": null, "min_overall_pass_rate": null}']) AS g;
SELECT is(count(*), :receipts::bigint, 'nothing is signed') FROM answer.receipt;
SELECT is(v ->> 'cases', '48', goals || ': all cases are tried'),
	is(v #>> '{tunes,now,cases}', '24', goals || ': one half of them chooses'),
	is(v #> '{tunes,met}', 'true', goals || ': what is proposed keeps the goals there'),
	is_empty(format($$SELECT c.floor, c.high, c.answered, c.passed FROM tune.counted AS c
		WHERE c.tunes AND c.false_accepts <= %s AND c.passed >= %s AND (c.answered, c.passed) > (%s, %s)$$,
		floor((v #>>
			'{goals,max_false_accept_rate}')::numeric * (v #>> '{tunes,proposed,false_accept_rate,of}')::numeric),
		ceil((v #>> '{goals,min_overall_pass_rate}')::numeric * 24),
		v #>> '{tunes,proposed,answered}', v #>> '{tunes,proposed,overall_pass_rate,n}'),
		goals || ': no thresholds of the grid answer more there and keep them')
FROM tune.tuned WHERE goals NOT LIKE '%wrong%' ORDER BY goals COLLATE "C";

/* its figures are the same as those of runs */

CREATE TABLE tune.told AS
SELECT t.goals, k.which, t.v, answer_run(answer_suite_run('tune-mixed', t.v -> k.which)) AS run
FROM tune.tuned AS t, unnest('{now,proposed}'::text[]) AS k (which);
SELECT is((v #>> ARRAY['tunes', which, m.told, m.n])::int + (v #>> ARRAY['judges', which, m.told, m.n])::int,
	(run #>> ARRAY['summary', 'metrics', m.told, m.n])::int, concat_ws(' ', which, m.told, m.n, goals))
FROM tune.told, (VALUES ('false_accept_rate', 'n'), ('overall_pass_rate', 'n'), ('false_refuse_rate', 'of'))
	AS m (told, n)
ORDER BY goals COLLATE "C", which, m.told;
SELECT is_empty($$SELECT goals FROM tune.told
	WHERE which = 'now' AND v -> 'curve' <> run #> '{summary,risk_coverage}'$$,
	'the curve is that of a run with the thresholds as they are');
SELECT is_empty($$SELECT goals FROM tune.tuned WHERE v -> 'now' || (v -> 'change') <> v -> 'proposed'$$,
	'the change is what differs');
SELECT is(answer_suite_tune('tune-mixed') - 'trials', v - 'trials', 'the same again is the same') FROM tune.tuned
WHERE goals = '{}';
SELECT is(answer_suite_tune('tune-mixed', jsonb_build_object('config', v -> 'proposed')) -> 'change', '{}',
	'what was proposed has nothing to change') FROM tune.tuned WHERE goals = '{}';

/* what cannot be met */

SELECT is(v -> 'proposed', 'null', name || ' ' || goals || ': nothing is proposed'),
	matches(v ->> 'reason', '^' || reason, name || ' ' || goals || ': and why')
FROM (VALUES
	(1, 'far', '{}', 'min_citation_validity_rate 0.99 cannot be met: citation_validity_rate is over no case'),
	(2, 'alike', '{}', 'max_false_accept_rate 0 cannot be met: false_accept_rate is over no case that tunes'),
	(3, 'opposed', '{"min_coverage": 0.6}',
		'each goal can be met, but no thresholds meet all of them together'),
	(4, 'opposed', '{}', 'min_overall_pass_rate 0.85 cannot be met: the greatest overall_pass_rate is 0\.'),
	(5, 'none', '{}', 'the suite has no case that asks a question'),
	(6, 'questions', '{}', 'the suite has no case that asks a question')) AS c (n, name, goals, reason),
	LATERAL answer_suite_tune('tune-' || c.name, c.goals::jsonb || CASE c.n WHEN 3 THEN '{"min_overall_pass_rate": 0,
		"min_citation_validity_rate": 0}'::jsonb ELSE '{}' END) AS v
ORDER BY n;
SELECT is(v #> '{tunes,met}', 'true', 'a goal that is null asks for nothing'),
	is(v -> 'change', '{}', 'and nothing changes')
FROM answer_suite_tune('tune-alike', '{"max_false_accept_rate": null}') AS v;
SELECT is(v #> '{judges,met}', 'null', 'one case leaves nobody to judge'), is(v #> '{tunes,met}', 'true', 'but tunes')
FROM answer_suite_tune('tune-alone', '{"max_false_accept_rate": null}') AS v;
SELECT is(answer_suite_tune('tune-alike', NULL) -> 'goals', answer_suite_tune('tune-alike') -> 'goals',
	'NULL goals are those of the gate');

/* judges: the scores of judgements are thresholds, too */

CREATE FUNCTION tune.judged(n integer, relation text, score numeric, expected text) RETURNS jsonb LANGUAGE sql AS $$
SELECT jsonb_build_object('id', 'judged-' || n, 'expected_outcome', expected, 'risk_level', 'low', 'query', q.query,
	'chunks', jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', q.a, 'similarity', 0.9,
		'timestamp', '2025-05-30')),
	'answer', q.answer, 'citations', '["a#p0"]'::jsonb, 'judgements', jsonb_build_array(jsonb_build_object('kind',
		'entailment', 'pair', answer_digest(jsonb_build_object('kind', 'entailment', 'a', q.answer, 'b', q.a)),
		'relation', relation, 'score', score, 'judge', 'tuned')))
FROM (SELECT format('Which shelf holds parcel %s?', n) AS query, format('Parcel %s stands on the oak shelf.', n) AS a,
	format('The shelf of oak carries parcel %s.', n) AS answer) AS q $$;
SELECT answer_suite_load('tune-judged', jsonb_agg(tune.judged(n, 'supports', n * 0.02,
	-- cases of which the judge is hardly sure must not be answered
	CASE WHEN n * 0.02 >= 0.7 THEN 'ANSWER' ELSE 'BLOCK' END)), '[]', '2025-06-01Z')
FROM generate_series(11, 49) AS n;
CREATE TABLE tune.of_judge AS SELECT answer_suite_tune('tune-judged', '{"min_overall_pass_rate": 1,
	"config": {"judge_entailment": "tuned", "min_chunks": 1, "support_min": 0.2}}') AS v;
SELECT is((v -> 'change') - 'support_min', '{}', 'what the scores depend on changes alone'),
	ok((v #>> '{change,support_min}')::numeric > 0.6 AND (v #>> '{change,support_min}')::numeric <= 0.75,
		'to where the judge is right'),
	is(v #> '{tunes,met}', 'true', 'on the half that chooses') FROM tune.of_judge;

/* what is refused */

CREATE FUNCTION tune.refused(suite text, goals text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM answer_suite_tune(suite, goals::jsonb);
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	RETURN concat(SQLSTATE, ' ', SQLERRM);
END $$;
SELECT matches(tune.refused(suite, goals), '^' || refused, coalesce(suite, 'NULL') || ' ' || goals)
FROM (VALUES (NULL, '{}', '22004'), ('tune-nowhere', '{}', 'P0002'), ('tune-alike', '{"version": 2}', 'P0002'),
	('tune-alike', '{"version": 0}', '22023 version must be an integer from 1 on, and is 0'),
	('tune-alike', '[]', '22023 goals must be an object, and is an array of length 0'),
	('tune-alike', '{"max_false_acept_rate": 0}', '22023 there is no goal "max_false_acept_rate"'),
	('tune-alike', '{"min_coverage": "0.5"}', '22023 goal "min_coverage" must be a number from 0 to 1, and is "0.5"'),
	('tune-alike', '{"min_coverage": 1.01}', '22023 goal "min_coverage"'),
	('tune-alike', '{"min_coverage": -0.01}', '22023 goal "min_coverage"'),
	('tune-alike', '{"config": 7}', '22023 config must be an object'),
	('tune-alike', '{"config": {"no_such_key": 1}}', '22023'),
	('tune-alike', '{"config": {"floor": 2}}', '22023')) AS r (suite, goals, refused);
CREATE ROLE regress_tune_plain;
GRANT USAGE ON SCHEMA tune TO regress_tune_plain;
SET LOCAL ROLE regress_tune_plain;
SELECT tune.refused('golden', '{}') AS without \gset
RESET ROLE;
-- with the right to tune, but not to make or promote a configuration
GRANT EXECUTE ON FUNCTION answer_suite_tune(text, jsonb) TO regress_tune_plain;
SET LOCAL ROLE regress_tune_plain;
SELECT tune.refused('golden', '{"min_coverage": 2}') AS wrong, tune.refused('golden', '{}') AS granted \gset
RESET ROLE;
SELECT matches(:'without'::text, '^42501', 'a role without the privilege is refused'),
	matches(:'wrong'::text, '^22023', 'a role with it is told what is wrong with its goals'),
	is(:'granted'::text, 'nothing'::text, 'and needs no other right');
SET TRANSACTION READ ONLY;
SELECT is(tune.refused('golden', '{}'), 'nothing', 'a read-only transaction can tune');
SELECT * FROM finish();
ROLLBACK;
