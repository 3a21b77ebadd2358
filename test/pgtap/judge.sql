-- Judges: who may be one, who may record in whose name, what a hostile handler can do, and how judges are assessed.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(132);

CREATE SCHEMA judging;
GRANT USAGE, CREATE ON SCHEMA judging TO PUBLIC;
-- The result of a statement, or the SQLSTATE of its error.
CREATE FUNCTION judging.tried(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN COALESCE(result, 'nothing');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE FUNCTION judging.registered(name text, options jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT judging.tried(format('SELECT answer_judge_register(%L, %L)', name, options))
$$;
-- The text a contains what the judge says, for example "supports 0.9"; for a text without a blank it says nothing.
CREATE FUNCTION judging.says(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', COALESCE(jsonb_agg(jsonb_build_object('id', p -> 'id',
		'relation', split_part(p ->> 'a', ' ', 1), 'score', split_part(p ->> 'a', ' ', 2)::numeric)), '[]'))
	FROM jsonb_array_elements(args -> 'pairs') AS p WHERE p ->> 'a' LIKE '% %'
$$;
-- One or more pairs of entailment with the same true relation.
CREATE FUNCTION judging.pairs(truth text, VARIADIC says text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(jsonb_build_object('kind', 'entailment', 'a', s, 'b', concat(truth, ' ', place), 'truth', truth))
	FROM unnest(says) WITH ORDINALITY AS o (s, place)
$$;
CREATE FUNCTION judging.base(kinds text DEFAULT '["entailment"]') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('kinds', kinds::jsonb, 'model', 'm', 'version', '1')
$$;
CREATE ROLE regress_people;
CREATE ROLE regress_person;
CREATE ROLE regress_other;
GRANT regress_people TO regress_person;

/* registering */

SELECT is(judging.registered(name, judging.base() || options), refused, why) FROM (VALUES
	('Big', '{"handler": "judging.says"}'::jsonb, '22023', 'a name with a capital'),
	('policy', '{"handler": "judging.says"}', '22023', 'the name of a rule'),
	('fact', '{"handler": "judging.says"}', '22023', 'the name of another rule'),
	('j', '{"handler": "judging.says", "kinds": []}', '22023', 'no kinds'),
	('j', '{"handler": "judging.says", "kinds": ["entailment", "entailment"]}', '22023', 'a kind twice'),
	('j', '{"handler": "judging.says", "kinds": ["truth"]}', '22023', 'an unknown kind'),
	('j', '{"handler": "judging.says", "kinds": "entailment"}', '22023', 'kinds that are no array'),
	('j', '{"handler": "judging.says", "model": null}', '22023', 'no model'),
	('j', '{"handler": "judging.says", "version": " "}', '22023', 'a blank version'),
	('j', '{"handler": "judging.says", "version": 1}', '22023', 'a version that is no text'),
	('j', '{}', '22023', 'neither handler nor role'),
	('j', '{"handler": "judging.says", "role": "regress_people"}', '22023', 'handler and role'),
	('j', '{"role": "regress_nobody"}', '42704', 'a role that does not exist'),
	('j', '{"handler": "judging.nothing"}', '42883', 'a function that does not exist'),
	('j', '{"handler": 7}', '22023', 'a handler that is no name'),
	('j', '{"handler": "judging.base(text)"}', '22023', 'a function of another argument'),
	('j', '{"handler": "judging.says", "max_pairs": 0}', '22023', 'no pairs at once'),
	('j', '{"handler": "judging.says", "max_chars": 1.5}', '22023', 'half a character'),
	('j', '{"handler": "judging.says", "deadline_ms": 1e300}', '22023', 'an endless deadline'),
	('j', '{"handler": "judging.says", "weights_digest": ""}', '22023', 'empty weights'),
	('j', '{"handler": "judging.says", "temperature": 0}', '22023', 'an unknown option')
	) AS t (name, options, refused, why);
SELECT is(judging.tried($$SELECT answer_judge_register(NULL, '{}')$$), '22004', 'no name');
SELECT is(judging.tried($$SELECT answer_judge_register('j', NULL)$$), '22004', 'no options');
SELECT is(judging.tried($$SELECT answer_judge_register('j', '[]')$$), '22023', 'options that are no object');

SELECT answer_judge_register('says', judging.base('["answers", "entailment", "conflict"]')
	|| '{"handler": "judging.says(jsonb)", "max_pairs": 2, "max_chars": 100}');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]') || '{"role": "regress_people"}');
SELECT is((SELECT (kinds, model, version, external, shared, assessed, max_pairs)::text FROM answer_judges()
	WHERE name = 'says'),
	'("{entailment,answers,conflict}",m,1,f,t,,2)', 'a judge is listed, its kinds in one order');
SELECT ok((SELECT external AND max_pairs = 64 AND max_chars = 8000 FROM answer_judges() WHERE name = 'people'),
	'and an external one, with the defaults');

/* versions */

CREATE FUNCTION judging.revision(judge text) RETURNS integer LANGUAGE sql AS
$$ SELECT j.revision FROM answer.judge AS j WHERE j.name = revision.judge AND j.tenant = '' $$;
SELECT answer_judge_register('says', judging.base('["answers", "entailment", "conflict"]')
	|| '{"handler": "judging.says", "max_pairs": 3, "max_chars": 100}');
SELECT is(judging.revision('says'), 1, 'what changes no version starts none');
SELECT is((SELECT max_pairs FROM answer.judge WHERE name = 'says'), 3, 'and is changed');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]')
	|| '{"role": "regress_people", "version": "2"}');
SELECT is(judging.revision('people'), 2, 'another version is one');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]')
	|| '{"role": "regress_people", "version": "2", "model": "n"}');
SELECT is(judging.revision('people'), 3, 'another model, too');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]')
	|| '{"role": "regress_people", "version": "2", "model": "n", "weights_digest": "sha256:0"}');
SELECT is(judging.revision('people'), 4, 'and other weights');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]') || '{"role": "regress_people"}');
SELECT is(judging.revision('people'), 5, 'what it was once is a new one');
SELECT is((SELECT string_agg(concat(revision, ' ', model, ' ', version), ', ' ORDER BY revision)
	FROM answer.judge_version
	WHERE name = 'people'), '1 m 1, 2 m 2, 3 n 2, 4 n 2, 5 m 1', 'all are kept');
SELECT throws_ok('UPDATE answer.judge_version SET model = ''x''', '23001', NULL, 'and not changed');
SELECT throws_ok('DELETE FROM answer.judge_version', '23001', NULL, 'nor deleted');
SELECT is((SELECT string_agg(DISTINCT action, ', ') FROM answer.change WHERE kind = 'judge' AND name = 'people'),
	'add, change',
	'changes are recorded');

CREATE FUNCTION judging.grows(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT judging.says(args) $$;
SELECT answer_judge_register('grows', judging.base() || '{"handler": "judging.grows"}');
CREATE FUNCTION judging.assessed(judge text, pairs jsonb, kind text DEFAULT 'entailment') RETURNS jsonb LANGUAGE sql AS
$$ SELECT answer_judge_assess(judge, pairs) -> kind $$;
SELECT is(judging.assessed('grows', judging.pairs('supports', 'supports 1')) ->> 'n', '1', 'a handler is asked');
CREATE OR REPLACE FUNCTION judging.grows(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT judging.says(args)
	|| '{}' $$;
SELECT is(judging.assessed('grows', judging.pairs('supports', 'supports 1')) #>> '{failures,0,sqlstate}', '55000',
	'one whose source changed is not');
SELECT answer_judge_register('grows', judging.base() || '{"handler": "judging.grows"}');
SELECT is(judging.revision('grows'), 2, 'registered again, it is another version');
SELECT is((SELECT assessed FROM answer_judges() WHERE name = 'grows'), NULL, 'which nobody has assessed');
SELECT is(judging.assessed('grows', judging.pairs('supports', 'supports 1')) ->> 'n', '1', 'and is asked again');
ALTER FUNCTION judging.grows(jsonb) OWNER TO regress_other;
SELECT is(judging.assessed('grows', judging.pairs('supports', 'supports 1')) #>> '{failures,0,sqlstate}', '55000',
	'but not what is another role''s by now');

/* figures by hand: 3 of 4 supported ones are recognised, 2 of 3 contradicted ones, and none of 2 neutral ones */

CREATE TEMP TABLE figures AS SELECT answer_judge_assess('says',
	judging.pairs('supports', 'supports 0.9', 'supports 0.6', 'supports 0.95', 'neutral 0.5')
	|| judging.pairs('contradicts', 'contradicts 0.9', 'contradicts 0.4', 'supports 0.6')
	|| judging.pairs('neutral', 'supports 0.55', 'no_claim 1')
	|| judging.pairs('no_claim', 'silent')) AS figures;
CREATE FUNCTION judging.figure(VARIADIC path text[]) RETURNS text LANGUAGE sql AS
$$ SELECT figures #>> ('{entailment}'::text[] || path) FROM figures $$;
SELECT is(judging.figure('n'), '9', 'n');
SELECT is(judging.figure('not_judged'), '1', 'what it said nothing of');
SELECT is(judging.figure('confusion')::jsonb,
	'{"supports": {"supports": 3, "neutral": 1}, "contradicts": {"contradicts": 2,
	"supports": 1}, "neutral": {"supports": 1, "no_claim": 1}}'::jsonb, 'confusion');
-- (3/4 + 2/3 + 0) / 3 = 17/36
SELECT is(judging.figure('balanced_accuracy'), '0.4722', 'balanced accuracy');
-- 5 of 9 are accepted, 2 of them wrongly; from 0.6 on 4, 1 wrongly; from 0.9 on 2; from 0.95 on 1
SELECT is((SELECT string_agg(concat(e ->> 'score', ': ', e ->> 'coverage', ' ', e ->> 'risk'),
	', ' ORDER BY (e ->> 'score')::numeric)
	FROM jsonb_array_elements(judging.figure('accepts_at')::jsonb) AS e),
	'0: 0.5556 0.4, 0.5: 0.5556 0.4, 0.6: 0.4444 0.25, 0.7: 0.2222 0, 0.8: 0.2222 0, 0.9: 0.2222 0, '
	'0.95: 0.1111 0, 0.99: 0 ',
	'what it accepts');
SELECT is(judging.figure('failures'), NULL, 'nothing failed');
SELECT is((SELECT assessed #>> '{entailment,balanced_accuracy}' FROM answer_judges() WHERE name = 'says'), '0.4722',
	'it is shown');
SELECT is((SELECT (version, n, balanced_accuracy)::text FROM answer.judge_assessment WHERE judge = 'says'),
	'(1,9,0.4722)', 'and stored');
SELECT throws_ok('UPDATE answer.judge_assessment SET n = 100', '23001', NULL, 'for good');
SELECT is(answer_judge_assess('says', '[{"kind": "answers", "a": "answers 1", "b": "x", "truth": "answers"},
	{"kind": "conflict", "a": "zz", "b": "neutral 0.5",
		"truth": "neutral"}]') #>> '{answers,balanced_accuracy}', '1', 'each kind for itself');
SELECT is((SELECT assessed #>> '{conflict,accepts_at,0}' FROM answer_judges() WHERE name = 'says')::jsonb,
	'{"score": 0, "coverage": 1, "risk": 0}'::jsonb, 'of a conflict the lesser text is a, and neutral is accepted');
SELECT is((SELECT jsonb_object_agg(kind, pairs) FROM answer.judge_assessment WHERE judge = 'grows'
	AND revision = 2) IS NOT NULL,
	true, 'digests of the pairs are there');
SELECT is(judging.assessed('says', judging.pairs('supports', 'supports ' || repeat('0', 92),
	'supports 1') ) ->> 'not_judged', '1',
	'a text that is too long is not asked');

SELECT is(judging.tried(format('SELECT answer_judge_assess(%L, %L)', judge, pairs)), refused, why) FROM (VALUES
	('says', '[]', '22023', 'no pairs'), ('says', '{}', '22023', 'pairs that are no array'),
	('says', '[{"kind": "entailment", "a": "x", "b": "y"}]', '22023', 'no truth'),
	('says', '[{"kind": "entailment", "a": "x", "b": "y", "truth": "answers"}]', '22023', 'a truth of another kind'),
	('says', '[{"kind": "entailment", "a": "x", "b": 1, "truth": "neutral"}]', '22023', 'a text that is none'),
	('says', '[{"kind": "conflict", "a": "x", "b": "y", "truth": "neutral"}, {"kind": "conflict", "a": "y", "b": "x",
		"truth": "neutral"}]', '22023', 'a pair twice'),
	('says', '[{"kind": "conflict", "a": "x", "b": "y", "truth": "neutral", "relation": "neutral", "score": 1}]',
		'22023',
		'what a function is said to have said'),
	('people', '[{"kind": "answers", "a": "x", "b": "y", "truth": "answers"}]', '22023',
		'a kind that it does not judge'),
	('people', '[{"kind": "conflict", "a": "x", "b": "y", "truth": "neutral", "relation": "neutral", "score": 1.1}]',
		'22023',
		'a score above 1'),
	('nobody', '[{"kind": "conflict", "a": "x", "b": "y", "truth": "neutral"}]', '22023', 'an unknown judge')
	) AS t (judge, pairs, refused, why);

/* hostile handlers: each judges nothing, and says why */

CREATE TABLE judging.written (x int);
CREATE FUNCTION judging.writes(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO judging.written VALUES (1);
	RETURN judging.says(args);
END $$;
CREATE FUNCTION judging.sleeps(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_sleep(20);
	RETURN judging.says(args);
END $$;
CREATE FUNCTION judging.again(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN answer_judge_assess('says', judging.pairs('supports', 'supports 1'));
END $$;
CREATE FUNCTION judging.returns(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT CASE what WHEN 'null' THEN NULL WHEN 'many' THEN jsonb_build_object('judgements',
		(SELECT jsonb_agg(jsonb_build_object('id', i::text, 'relation', 'supports', 'score', 1))
			FROM generate_series(1, 10000) AS i))
		WHEN 'scalar' THEN '7' WHEN 'array' THEN '[]' WHEN 'deep' THEN ('{"judgements": ' || repeat('[', 600)
			|| repeat(']', 600) || '}')::jsonb
		WHEN 'large' THEN jsonb_build_object('judgements', '[]'::jsonb, 'x', repeat('x', 5000000))
		ELSE jsonb_build_object('judgements', jsonb_build_array(jsonb_build_object('id', '1', 'relation', 'supports',
			'score', 1)
			|| what::jsonb)) END
	FROM (SELECT args #>> '{pairs,0,a}') AS p (what)
$$;
SELECT answer_judge_register(h, judging.base() || jsonb_build_object('handler', 'judging.' || h, 'deadline_ms',
	-- a busy machine may be slow
	CASE h WHEN 'sleeps' THEN 300 ELSE 60000 END))
FROM unnest('{writes,sleeps,again,returns}'::text[]) AS h;
SELECT is(judging.assessed('writes', judging.pairs('supports', 'supports 1')) #>> '{failures,0,sqlstate}', '25006',
	'one that writes');
SELECT is((SELECT count(*) FROM judging.written), 0::bigint, 'nothing is written');
SELECT is(judging.assessed('sleeps', judging.pairs('supports', 'supports 1')) #>> '{failures,0,sqlstate}', '57014',
	'one that sleeps');
SELECT is(judging.assessed('again', judging.pairs('supports', 'supports 1')) ->> 'n', '0', 'one that asks another');
SELECT is(judging.assessed('returns', judging.pairs('supports', what)) #> '{failures,0,sqlstate}' #>> '{}', refused,
	concat('one that returns ', what))
FROM (VALUES ('many', '22023'), ('scalar', '22023'), ('array', '22023'), ('deep', '54001'), ('large', '54000'),
	('{"id": "2"}', '22023'), ('{"id": 1}', '22023'), ('{"id": "01"}', '22023'), ('{"id": "99999999999"}', '22023'),
	('{"relation": "answers"}', '22023'), ('{"relation": null}', '22023'), ('{"score": "NaN"}', '22023'),
		('{"score": 1e300}', '22023'),
	('{"score": -0.1}', '22023'), ('{"score": null}', '22023'), ('null', NULL)) AS t (what, refused);

SELECT is(judging.assessed('returns', judging.pairs('supports', format('{"score": 0.%s}', repeat('3', 1000))))
	#>> '{failures,0,sqlstate}', '22023', 'one that returns a score that no document could be read with');
SELECT is(judging.assessed('returns', judging.pairs('supports', format('{"score": 0.5%s}', repeat('0', 2000)))) ->> 'n',
	'1', 'zeros make none longer');

/* handing in */

GRANT EXECUTE ON FUNCTION answer_judgement_add, answer_judge_pending, answer_judge_assess,
	answer_judges TO regress_person, regress_other;
GRANT USAGE ON SCHEMA tap TO PUBLIC;
CREATE FUNCTION judging.added(entry jsonb, VARIADIC more jsonb[] DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
	SELECT judging.tried(format('SELECT answer_judgement_add(%L)', to_jsonb(ARRAY[entry] || more)))
$$;
CREATE FUNCTION judging.entry(more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT '{"kind": "conflict", "a": "b", "b": "a", "relation": "contradicts", "score": 0.70,
		"judge": "people"}'::jsonb || more
$$;
SET ROLE regress_person;
SELECT is(judging.added(judging.entry()), '1', 'a member of the role records');
SELECT is(judging.added(judging.entry('{"relation": "neutral"}')), '1', 'and thinks better of it');
SELECT is(judging.added(judging.entry(more)), refused, why) FROM (VALUES
	('{"judge": "says"}'::jsonb, '42501', 'in the name of a function'), ('{"judge": "nobody"}', '22023',
		'in that of nobody'),
	('{"score": 1e300}', '22023', 'a score that is none'), ('{"score": "NaN"}', '22023', 'a score that is no number'),
	(format('{"score": 0.%s}', repeat('3', 1000))::jsonb, '22023', 'a score that is too long'),
	('{"relation": "supports"}', '22023', 'a relation of another kind'), ('{"kind": "answers", "relation": "answers"}',
		'22023',
		'a kind that it does not judge'), ('{"version": "2"}', '22023', 'another version'), ('{"version": "1"}', '1',
			'the present version'),
	('{"pair": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}', '22023',
		'a pair of other texts'),
	('{"a": 1}', '22023', 'no text')) AS t (more, refused, why);
SELECT is(judging.added(judging.entry(), judging.entry('{"a": "a", "b": "b"}')), '22023',
	'the same twice, whichever way it comes');
SELECT is(judging.added(judging.entry() - '{a,b,kind}'::text[]
	|| '{"pair": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}'), '0',
	'a pair alone that nothing needs is left out');
SELECT is(judging.tried('SELECT answer_judgement_add(NULL)'), '22004', 'NULL');
SELECT is(judging.tried('SELECT answer_judge_assess(''people'', ''[{"kind": "conflict", "a": "a", "b": "b",
	"truth": "neutral"}]'')'), '42501',
	'who judges does not assess');
SELECT is(judging.tried('SELECT count(*) FROM answer_judge_pending(''people'', 5)'), '0',
	'who judges is shown what is to be judged');
RESET ROLE;
SET ROLE regress_other;
SELECT is(judging.added(judging.entry()), '42501', 'another role does not record');
SELECT is(judging.tried('SELECT count(*) FROM answer_judge_pending(''people'', 5)'), '42501', 'and is shown nothing');
RESET ROLE;
SELECT is((SELECT array_agg((pair = answer_digest('{"kind": "conflict", "a": "a", "b": "b"}'::jsonb), relation, score,
	origin, by)::text
	ORDER BY judged_at) FROM answer.judgement),
	'{"(t,contradicts,0.7,reported,regress_person)","(t,neutral,0.7,reported,regress_person)",'
	'"(t,contradicts,0.7,reported,regress_person)"}',
	'what was said is kept, by whom, and without texts');
SELECT throws_ok('UPDATE answer.judgement SET score = 1', '23001', NULL, 'and not changed');
SELECT is(answer_judge_assess('people', '[{"kind": "conflict", "a": "a", "b": "b", "truth": "contradicts"},
	{"kind": "conflict",
	"a": "c", "b": "b", "truth": "contradicts"}, {"kind": "conflict", "a": "a", "b": "c", "truth": "neutral",
		"relation": "neutral",
	"score": 1}]') #> '{conflict,confusion}', '{"contradicts": {"contradicts": 1}, "neutral": {"neutral": 1}}'::jsonb,
	'of an external judge counts what is stored, the newest, and what is handed in');
SELECT is(judging.tried('SELECT count(*) FROM answer_judge_pending(''people'', 0)'), '22023', 'n from 1 on');
SELECT is(judging.tried('SELECT count(*) FROM answer_judge_pending(''nobody'', 1)'), '22023', 'of a judge');

/* tenants */

CREATE ROLE regress_judge_a;
CREATE ROLE regress_judge_b;
GRANT regress_people TO regress_judge_a, regress_judge_b;
SELECT answer_tenant_create('judge-a'), answer_tenant_create('judge-b'), answer_tenant_grant('judge-a',
	'regress_judge_a'),
	answer_tenant_grant('judge-b', 'regress_judge_b');
GRANT EXECUTE ON FUNCTION answer_judge_register, answer_judge_remove, answer_judges, answer_judgement_add,
	answer_judge_assess
	TO regress_judge_a, regress_judge_b;
GRANT USAGE ON SCHEMA answer TO PUBLIC;
GRANT SELECT ON answer.tenant_judgement, answer.tenant_judge, answer.tenant_judge_assessment TO regress_judge_a,
	regress_judge_b;
CREATE FUNCTION judging.who(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'as %', current_user;
END $$;
SET ROLE regress_judge_a;
SELECT is(judging.registered('people', judging.base() || '{"role": "regress_people"}'), '23505',
	'a shared judge''s name is taken');
SELECT is(judging.tried('SELECT answer_judge_remove(''people'')'), '42501', 'and it is not a tenant''s to remove');
SELECT answer_judge_register('own', judging.base() || '{"handler": "judging.who"}');
SELECT is(judging.assessed('own', judging.pairs('supports', 'x')) #>> '{failures,0,message}', 'as regress_judge_a',
	'a tenant''s runs as who registered it');
SELECT is(judging.added(judging.entry()), '1', 'a shared judge judges for a tenant');
SELECT is((SELECT count(*) FROM answer.tenant_judgement), 1::bigint, 'which reads its own judgements');
RESET ROLE;
SET ROLE regress_judge_b;
SELECT is((SELECT string_agg(name, ', ' ORDER BY name) FROM answer_judges() WHERE NOT shared), NULL,
	'another does not see it');
SELECT is(judging.tried(format('SELECT answer_judge_assess(''own'', %L)', judging.pairs('supports', 'x'))), '22023',
	'nor ask it');
SELECT is((SELECT count(*) FROM answer.tenant_judgement), 0::bigint, 'nor read what was judged for the other');
SELECT is(judging.registered('own', judging.base() || '{"role": "regress_people"}'), '', 'and has its own of the name');
RESET ROLE;

/* removing */

SELECT is(judging.tried('SELECT answer_judge_remove(NULL)'), '22004', 'nothing is removed by NULL');
SELECT is(judging.tried('SELECT answer_judge_remove(''own'')'), '22023',
	'nor a tenant''s by the operator: an unknown judge, as everywhere');
SELECT answer_judge_remove('people');
SELECT is((SELECT count(*) FROM answer.judgement), 4::bigint, 'what a judge said stays');
SELECT is(judging.added(judging.entry()), '22023', 'and nothing is added');
SELECT answer_judge_register('people', judging.base('["entailment", "conflict"]') || '{"role": "regress_people"}');
SELECT is(judging.revision('people'), 6, 'a judge of the name is another version');
SELECT is((SELECT action FROM answer.change WHERE kind = 'judge' AND name = 'people' ORDER BY revision DESC LIMIT 1),
	'add', 'all is recorded');

/* forgetting a document: judgements over its texts are removed, whether a decision needed them or not */

SELECT answer_document_load(jsonb_agg(jsonb_build_object('doc_id', d, 'title', d, 'timestamp', now(), 'text', t)))
	FROM (VALUES ('attic', E'Boxes are kept in the attic.\n\nThe ladder is blue.'),
		('cellar', 'Wine is kept in the cellar.')) AS v (d, t);
CREATE TEMP TABLE judged_over AS SELECT * FROM (VALUES
	('one passage', 'entailment', 'Boxes are upstairs.', E'attic\nBoxes are kept in the attic.', true),
	('among others', 'entailment', 'The wine is down there.', E'cellar\nWine is kept in the cellar.\n\n'
		'attic\nThe ladder is blue.', true),
	('without its title', 'entailment', 'The ladder has a colour.', 'The ladder is blue.', true),
	('a side of a conflict', 'conflict', E'attic\nThe ladder is blue.', E'ladders\nAll ladders are red.', true),
	('the other side', 'conflict', E'an old list\nNo ladder is blue.', E'attic\nThe ladder is blue.', true),
	('another document', 'entailment', 'Wine is kept.', E'cellar\nWine is kept in the cellar.', false),
	('a text of nobody', 'entailment', 'The ladder is blue.', 'The ladder is green.', false))
	AS v (name, kind, a, b, goes);
SELECT is(answer_judgement_add((SELECT jsonb_agg(jsonb_build_object('kind', kind, 'a', a, 'b', b, 'judge', 'people',
	'relation', 'contradicts', 'score', 1)) FROM judged_over)), 7, 'judged without a decision');
SELECT answer_log_seal() IS NOT NULL AS sealed \gset
SELECT answer_forget('attic', 'cleared') -> 'documents' IS NOT NULL AS forgotten \gset
SELECT is((SELECT string_agg(name, ', ' ORDER BY name) FROM judged_over WHERE EXISTS (SELECT FROM answer.judgement
	WHERE pair = answer_digest(jsonb_build_object('kind', kind, 'a', a, 'b', b)))),
	(SELECT string_agg(name, ', ' ORDER BY name) FROM judged_over WHERE NOT goes),
	'what was judged over a document goes with it');
SELECT is((SELECT count(*) FROM answer.judgement AS j, unnest(j.passages) AS p
	WHERE p = sha256('The ladder is blue.') OR p = sha256(E'attic\nThe ladder is blue.')), 0::bigint,
	'and with it the digest of its text');
SELECT is((SELECT min(jsonb_array_length(body -> 'judgements')) FROM answer.tombstone WHERE body ? 'documents'), 5,
	'its tombstones tell what a sealing has listed');
SELECT is((SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE detail LIKE '%judgement of pair%'), NULL,
	'so the audit misses nothing');
SELECT * FROM finish();
ROLLBACK;
