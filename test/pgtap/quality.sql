-- tiers: test
-- Properties of assessments, over random investigations with entries of few tools, targets and results, so that all
-- combinations occur.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL timezone = 'UTC';
SELECT plan(28);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

-- For each tool an observation of each level: the table of grading.
\ir ../lib/graded.sql
CREATE TEMP TABLE kind AS SELECT row_number() OVER (ORDER BY x.tool COLLATE "C", x.observation) - 1 AS k, x.tool,
	x.observation AS o, g.*
	FROM graded AS x, answer.grade(x.tool, x.observation) AS g;
-- A random subset of tools for each subject, so that some are alone.
CREATE TEMP TABLE goal AS SELECT i, (ARRAY['Locate', 'Navigate', 'Compare', 'Explain', 'Review', 'Diagnose', 'Status',
	'Execute', 'Modify', 'Chat'])[1 + i % 10] AS intent,
	(ARRAY['Engine', 'where is it?', '', 'what does a.c do?'])[1 + i % 4] AS question,
	(ARRAY[NULL, NULL, 'Engine', 'two words'])[1 + floor(random() * 4)::int] AS subject,
	0.1 + 0.9 * random() AS share, floor(random() * 16)::int AS size FROM generate_series(1, 1000) AS i;
CREATE TEMP TABLE tools AS SELECT i, tool FROM goal, (SELECT DISTINCT tool FROM kind) AS t WHERE random() < share;
CREATE TEMP TABLE pick AS SELECT i, n, floor(random() * (SELECT count(*) FROM kind))::int AS k,
	(ARRAY['Engine', 'two words', 'x'])[1 + floor(random() * 3)::int] AS q,
	(ARRAY['a.c', 'b.c', ''])[1 + floor(random() * 3)::int] AS t, floor(random() * 2)::int AS run FROM goal,
	generate_series(1, 15) AS n WHERE n <= size;
CREATE TEMP TABLE entry AS SELECT i, n, k.tool, q AS query, t AS target, k.class, k.quality, k.strength, k.reason,
	k.o, sha256(convert_to(concat_ws('|', k, q, t, run), 'UTF8')) AS entry
FROM pick JOIN kind AS k USING (k) JOIN tools USING (i, tool);
-- An observation about something else is at most Weak: doc/spec/quality.md §3.
CREATE FUNCTION pg_temp.is_about(e entry) RETURNS boolean LANGUAGE sql AS $$
	SELECT CASE e.class WHEN 'FileSearch' THEN g.subject IS NULL OR e.query = g.subject
		WHEN 'FileContent' THEN e.target <> '' AND (g.question LIKE '%' || e.target || '%'
			OR EXISTS (SELECT FROM pg_temp.entry AS o
			WHERE o.i = e.i AND o.quality > 'None' AND o.target = e.target AND o.tool <> e.tool))
		ELSE true END FROM pg_temp.goal g WHERE g.i = e.i $$;
CREATE INDEX ON entry (i, n);
ANALYZE entry;
CREATE TEMP TABLE judged AS SELECT e.i, e.n, e.tool, e.query, e.target, e.class, e.o, e.entry,
	CASE WHEN pg_temp.is_about(e) THEN e.quality ELSE least(e.quality, 'Weak') END AS quality FROM entry AS e;
SELECT isnt_empty($$SELECT FROM judged JOIN entry USING (i, n) WHERE judged.quality < entry.quality
	AND judged.class = 'FileSearch'$$,
	'some searches are about something else');
SELECT isnt_empty($$SELECT FROM judged JOIN entry USING (i, n) WHERE judged.quality < entry.quality
	AND judged.class = 'FileContent'$$,
	'and some readings of the wrong file');
CREATE FUNCTION pg_temp.assess(goal_i int, upto int) RETURNS answer_assessment LANGUAGE sql AS $$
	SELECT answer_assess(r.rules, g.intent, g.question, g.subject, jsonb_build_object('class', e.class, 'tool',
		e.tool, 'query', e.query, 'target', e.target, 'quality', e.quality, 'strength', e.strength, 'reason',
		e.reason, 'observation', e.o, 'entry', e.entry) ORDER BY e.n)
	FROM answer.quality_rules r, pg_temp.goal g LEFT JOIN pg_temp.entry e ON e.i = g.i AND e.n <= upto
		WHERE g.i = goal_i $$;
CREATE TEMP TABLE assessed AS SELECT i, pg_temp.assess(i, 15) AS a FROM goal;
CREATE TEMP TABLE held AS SELECT i, c.* FROM assessed, unnest((a).classes) AS c;
SELECT cmp_ok((SELECT count(*) FROM entry), '>', 3000::bigint, 'there are entries enough');
SELECT is((SELECT count(DISTINCT (class, quality)) FROM held), 35::bigint, 'every class is met at every level');
SELECT is((SELECT count(DISTINCT code) FROM held) + (SELECT count(DISTINCT next_code) FROM held), 11::bigint,
	'and every code');
SELECT is((SELECT count(DISTINCT (a).agreement) FROM assessed), 3::bigint, 'and every word for agreement');

-- More observations never give a lower quality.
CREATE TEMP TABLE growing AS SELECT g.i, s, c.class, c.quality, c.strength FROM goal g, generate_series(0, 15) AS s,
	unnest((pg_temp.assess(g.i, s)).classes) AS c WHERE g.i <= 200;
SELECT is_empty($$SELECT * FROM growing f LEFT JOIN growing t ON t.i = f.i AND t.class = f.class AND t.s = f.s + 1
	WHERE f.s < 15 AND (t.quality IS NULL OR t.quality < f.quality OR t.strength < f.strength)$$,
	'adding evidence never lowers a level');
SELECT isnt_empty($$SELECT FROM growing f JOIN growing t ON t.i = f.i AND t.class = f.class AND t.s = f.s + 1
	WHERE t.quality > f.quality$$, 'it raises some');

-- Repeating them, or another order, changes nothing.
CREATE FUNCTION pg_temp.assess_shuffled(goal_i int, copies int) RETURNS answer_assessment LANGUAGE sql AS $$
	SELECT answer_assess(r.rules, g.intent, g.question, g.subject, jsonb_build_object('class', e.class, 'tool',
		e.tool, 'query', e.query, 'target', e.target, 'quality', e.quality, 'strength', e.strength, 'reason',
		e.reason, 'observation', e.o, 'entry', e.entry) ORDER BY md5(e.n::text || copy || goal_i))
	FROM answer.quality_rules r, pg_temp.goal g LEFT JOIN pg_temp.entry e ON e.i = g.i CROSS JOIN generate_series(1,
		copies) AS copy WHERE g.i = goal_i $$;
SELECT is_empty($$SELECT i FROM assessed WHERE pg_temp.assess_shuffled(i, 1) IS DISTINCT FROM a$$,
	'order never matters, to no level, reason or sentence');
SELECT is_empty($$SELECT i FROM assessed, LATERAL (SELECT pg_temp.assess_shuffled(i, 3) AS b) AS x
	WHERE ((b).complete, (b).level, (b).quality, (b).coverage, (b).agreement, (b).explanation, (b).gap) IS DISTINCT
	FROM ((a).complete, (a).level, (a).quality, (a).coverage, (a).agreement, (a).explanation, (a).gap)$$,
	'duplicates raise nothing');
-- Strength has no influence.
CREATE FUNCTION pg_temp.assess_strength(goal_i int, fixed answer_strength_level) RETURNS answer_assessment
	LANGUAGE sql AS $$
	SELECT answer_assess(r.rules, g.intent, g.question, g.subject, jsonb_build_object('class', e.class, 'tool',
		e.tool, 'query', e.query, 'target', e.target, 'quality', e.quality, 'strength', fixed, 'reason', e.reason,
		'observation', e.o, 'entry', e.entry))
	FROM answer.quality_rules r, pg_temp.goal g LEFT JOIN pg_temp.entry e ON e.i = g.i WHERE g.i = goal_i $$;
SELECT is_empty($$SELECT i FROM assessed, unnest(enum_range(NULL::answer_strength_level)) AS s,
	LATERAL (SELECT pg_temp.assess_strength(i, s) AS b) AS x WHERE i <= 500 AND ((b).complete, (b).level, (b).quality,
	(b).coverage, (b).agreement, (b).explanation, (b).gap) IS DISTINCT FROM ((a).complete, (a).level, (a).quality,
	(a).coverage, (a).agreement, (a).explanation, (a).gap)$$, 'strength never decides');

-- Verified, pair by pair: doc/spec/quality.md §4.
CREATE TEMP VIEW pair AS SELECT a.i, a.class AS class, a.tool AS tool, b.class AS other, b.tool AS other_tool,
	a.quality AS quality, b.quality AS other_quality, a.target <> '' AND a.target = b.target AS same_target,
	a.target = b.target AS equal_target, a.o = b.o AS same_result, a.entry <> b.entry AS two FROM judged a
	JOIN judged b USING (i);
CREATE TEMP TABLE verified AS
SELECT i, class FROM pg_temp.pair WHERE class = 'FileSearch' AND quality = 'Strong' AND other = 'FileContent'
	AND other_quality >= 'Moderate' AND same_target
UNION SELECT i, class FROM pg_temp.pair WHERE class = 'FileContent' AND quality = 'Strong' AND other = 'FileSearch'
	AND other_quality = 'Strong' AND same_target
UNION SELECT i, class FROM pg_temp.pair WHERE (class, other) IN (('Build', 'Test'), ('Test', 'Build'))
	AND quality = 'Strong' AND other_quality = 'Strong'
UNION SELECT i, class FROM pg_temp.pair WHERE class = 'Discovery' AND other = 'Discovery' AND quality = 'Strong'
	AND same_result AND equal_target AND two
UNION SELECT i, class FROM pg_temp.pair WHERE class = 'FileContent' AND other = class AND tool <> other_tool
	AND quality = 'Strong' AND other_quality = 'Strong' AND same_target
UNION SELECT i, class FROM judged WHERE tool = 'git' AND o @> '{"command": "log", "question": "history"}'
	AND quality = 'Strong'
UNION SELECT i, class FROM entry WHERE tool = 'gh' AND o @> '{"command": "run view"}' AND o ->> 'conclusion' <> '';
SELECT set_eq($$SELECT i, class FROM held WHERE quality = 'Verified'$$, $$SELECT i, class FROM verified$$,
	'Verified is the relation of the rules, and nothing else is');
SELECT set_eq($$SELECT i, class, quality FROM held WHERE quality <> 'Verified' AND entries > 0$$,
	$$SELECT i, class, max(quality) FROM judged WHERE (i, class) NOT IN (SELECT i, class FROM verified) GROUP BY 1,
	2$$, 'below it, a class is as good as its best entry');
SELECT is_empty($$SELECT h.* FROM held h JOIN (SELECT i, count(DISTINCT tool) AS tools FROM entry GROUP BY i) AS t
	USING (i) WHERE h.quality = 'Verified' AND tools = 1 AND NOT (h.class IN ('GitLog', 'CIWorkflow')
	AND h.code = 'authoritative' OR h.class = 'Discovery')$$,
	'no single tool reaches Verified, save authority and equal scans');
SELECT is_empty($$SELECT * FROM held WHERE class = 'FileSearch' AND quality = 'Verified'
	AND i NOT IN (SELECT i FROM entry WHERE class = 'FileContent')$$, 'grep, find and references together never do');
SELECT is_empty($$SELECT * FROM held WHERE (quality = 'Verified') <> (code IN ('corroborated', 'authoritative'))
	OR (quality = 'Verified') <> (next IS NULL) OR (entries = 0) <> (code = 'nothing_collected')$$, 'codes say how');

-- Completion, gap and confidence follow.
CREATE TEMP TABLE need AS SELECT g.i, r.class, r.quality AS need, coalesce(h.quality, 'None') AS have,
	c.position FROM goal g JOIN answer.quality_requirement r USING (intent) JOIN answer.quality_class c USING (class)
	LEFT JOIN held h ON h.i = g.i AND h.class = r.class;
SELECT set_eq($$SELECT i, g.class, g.have, g.need, g.kind FROM assessed, unnest((a).gap) AS g$$,
	$$SELECT i, class, have, need, CASE WHEN have = 'None' THEN 'missing' WHEN have = 'Strong' THEN 'unverified'
	ELSE 'weak' END::answer_gap_kind FROM need WHERE have < need$$, 'the gap is what is required and not held');
SELECT is_empty($$SELECT FROM (SELECT i, g.kind, c.position,
	lag((g.kind, c.position)) OVER (PARTITION BY i ORDER BY g.n) AS before FROM assessed,
	unnest((a).gap) WITH ORDINALITY AS g (class, have, need, kind, tool, reason, n) JOIN answer.quality_class c
	USING (class)) AS x WHERE before >= (kind, position)$$, 'missing, weak, unverified, then table order');
SELECT is_empty($$SELECT FROM assessed WHERE (a).complete <> ((a).gap = '{}')$$, 'complete: the gap is empty');
SELECT is_empty($$SELECT FROM assessed WHERE (a).quality IS DISTINCT
	FROM (SELECT min(have) FROM need WHERE need.i = assessed.i) OR (a).level::text IS DISTINCT
	FROM (ARRAY['None', 'Low', 'Medium', 'High',
	'Complete'])[1 + array_position(enum_range(NULL::answer_quality_level), (a).quality) - 1]$$,
	'the level is that of the lowest required class');
SELECT is_empty($$SELECT FROM assessed WHERE (a).coverage <> (SELECT format('%s/%s',
	count(*) FILTER (WHERE have >= need), count(*)) FROM need WHERE need.i = assessed.i)$$,
	'coverage counts what is met');
SELECT is_empty($$SELECT (a).explanation FROM assessed WHERE (a).level IS NOT NULL
	AND (a).explanation !~ ('^confidence is ' || (a).level || ' because \w+ is (only )?' || (a).quality
	|| ': \S.*$')$$, 'the explanation is one sentence that names class and cause');
SELECT is_empty($$SELECT FROM assessed, unnest((a).gap) AS g WHERE g.class IN ('Build', 'Test')
	AND g.kind = 'unverified' AND g.tool <> CASE g.class WHEN 'Build' THEN 'ctest' ELSE 'cmake' END$$,
	'build and test close each other''s gap');

-- Stored observations give the same result.
CREATE TEMP TABLE opened AS SELECT i, answer_investigation_open(intent, question,
	coalesce(subject, '')) AS investigation FROM goal WHERE i <= 400;
SELECT lives_ok($$SELECT answer_investigation_record(o.investigation, e.tool, e.query, e.target, e.o,
	run => encode(e.entry, 'hex')) FROM opened o JOIN entry e USING (i)$$, 'they can be recorded');
SELECT is_empty($$SELECT FROM opened JOIN assessed USING (i) WHERE ((answer.assessment_of(investigation)).complete,
	(answer.assessment_of(investigation)).gap) IS DISTINCT FROM ((a).complete, (a).gap)$$,
	'recorded, they come to the same');
SELECT is_empty($$SELECT FROM opened o JOIN entry e USING (i), LATERAL answer_investigation_record(o.investigation,
	e.tool, e.query, e.target, e.o, run => encode(e.entry, 'hex')) AS r WHERE r.is_new OR r.quality <> e.quality$$,
	'again, they are not new');
CREATE TEMP TABLE closed AS SELECT i, answer_complete(investigation) AS complete,
	answer_replay(answer_quality_receipt(investigation)) -> 'ok' AS replays,
	answer_investigation_close(investigation) AS outcome FROM opened WHERE i <= 100;
SELECT is_empty($$SELECT FROM closed WHERE (outcome = 'success') <> complete$$,
	'the outcome follows from completion alone');
SELECT is_empty($$SELECT FROM closed WHERE replays <> 'true'$$, 'every receipt can be assessed again');

SELECT * FROM finish();
ROLLBACK;
