-- Evidence quality: grading, derived verification, gaps, completion, confidence, receipts.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';

-- The table of doc/spec/quality.md §2, which test/pgtap/quality.sql includes as well.
\getenv srcdir PG_ABS_SRCDIR
\set graded :srcdir '/lib/graded.sql'
\set ECHO none
\i :graded
\set ECHO all
SELECT count(*) AS rows, count(DISTINCT tool) AS tools FROM graded;
SELECT g.tool, g.observation, g.quality, g.strength, a.* FROM graded g, answer.grade(g.tool, g.observation) AS a
	WHERE (a.quality::text, a.strength::text) IS DISTINCT FROM (g.quality, g.strength);
SELECT tool, class FROM graded, answer.grade(tool, observation) GROUP BY 1, 2 ORDER BY tool COLLATE "C";
SELECT a.reason FROM graded g, answer.grade(g.tool, g.observation) AS a GROUP BY a.reason ORDER BY a.reason COLLATE "C";
-- an observation is wrong, or a tool is none
SELECT tool, observation, attempt(format('SELECT answer.grade(%L, %L)', tool, observation)) AS error FROM (VALUES
	(NULL, '{}'), ('', '{}'), ('Grep', '{}'), ('awk', '{}'), ('grep', NULL), ('grep', '1'), ('grep', '[]'),
	('grep', 'null'), ('grep', '"phrase"'), ('grep', '{"match": "fuzzy", "match_count": 1}'),
	('grep', '{"match": "Phrase", "match_count": 1}'), ('grep', '{"match": "exact", "match_count": 1}'),
	('grep', '{"match": 1}'), ('grep', '{"match": "phrase", "match_count": -1}'),
	('grep', '{"match": "phrase", "match_count": 1.5}'), ('grep', '{"match": "phrase", "match_count": "1"}'),
	('grep', '{"match": "phrase", "match_count": 9007199254740992}'),
	('grep', '{"match": "phrase", "match_count": 1e400}'), ('grep', '{"match": "phrase", "matches": 1}'),
	('grep', '{"quality": "Strong"}'), ('grep', '{"match": "phrase", "match_count": 1, "exact_match_count": 2}'),
	('find', '{"match": "exact", "exact_match_count": 1}'),
	('references', '{"match_count": 1, "exact_match_count": 1}'), ('reader', '{"agrees": "yes"}'),
	('reader', '{"agrees": true, "passages": [1]}'), ('find', '{"match": "phrase", "match_count": 1}'),
	('references', '{"match": "exact"}'),
	('read', '{"selection": "best", "files_read": 1}'), ('read', '{"selection": "ranked", "files_read": true}'),
	('git', '{"command": "log --oneline", "output_lines": 1}'), ('git', '{"command": 1, "output_lines": 1}'),
	('git', '{"command": "log", "question": "why", "output_lines": 1}'), ('git', '{"failed": "no"}'),
	('cmake', '{"ok": 1}'), ('ctest', '{"run": "1"}'),
	('discovery', '{"type": 1}'), ('discovery', '{"type": "cmake", "has_tests": 0}'),
	('discovery', '{"type": "cmake", "source_count": "many"}'), ('gh', '{"command": "run list --json x"}'),
	('gh', '{"command": "run  list"}'), ('gh', '{"command": "run list", "runs": []}'),
	('gh', '{"command": "run view", "conclusion": true}')) AS v (tool, observation);

-- and the error says what it can be
CREATE FUNCTION advice_of(query text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE d text; h text; BEGIN EXECUTE query;
	RETURN NULL; EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT;
	RETURN concat_ws(' ', nullif(d, ''), nullif(h, '')); END $$;
SELECT call, advice_of('SELECT ' || call) AS advice
	FROM unnest(ARRAY[$$answer.grade('grep', '{"matches": 1}')$$, $$answer.grade('grep', '{"match": "full"}')$$,
	$$answer.grade('references', '{"match_count": 1, "x": 1}')$$, $$answer.grade('git', '{"question": "why"}')$$,
	$$answer.grade('grep', '{"match": "phrase", "match_count": -1}')$$,
	$$answer_investigation_open('locate', 'x')$$]) AS call;
-- What tools print.  A match is judged against the whole query.
CREATE TABLE printed (tool text, query text, output text);
INSERT INTO printed VALUES
	('grep', 'evidence gating', E'src/a.c:1:the evidence gating rule\n'),
	('grep', 'evidence gating', E'src/a.c:1:the evidence\n\tsrc/b.c:2:gating\n'),
	('grep', 'evidence gating', E'src/a.c:1:evidence   gating\n'),
	('grep', 'evidence gating', E'src/a.c:1:evidence gatings\n'),
	('grep', 'evidence gating', E'src/a.c:1:Evidence Gating\n'),
	('grep', 'Engine', E'a.c:1:Engine\na.c:2:MyEngine\na.c:3:engine\n'),
	('grep', 'Engine', E'a.c:2:MyEngine\na.c:3:engine\n'), ('grep', 'Engine', E'a.c:3:myengine\n'),
	('grep', 'evidence gating', ''), ('grep', 'evidence gating', E'no matches\n'),
	('grep', 'evidence gating', E'grep: src: Is a directory\n'),
	('grep', 'evidence gating', 'grep: a.o: binary file matches'),
	('grep', 'Engine', E'src/a.c:1:struct Engine {\nsrc/b.c:7:Engine *e;\n'),
	('grep', 'Engine', E'src/a.c:1:struct MyEngine {\n'),
	('grep', 'Engine', E'src/Engine.c:1:nothing of it here\n'), ('grep', 'Engine', E'src/Engine.c\nsrc/b.c\n'),
	('grep', 'Engine', E'src/a.c:struct Engine: a\n'), ('grep', 'Engine', E'struct Engine {\r\n'),
	('grep', 'Engine', E'a.c:0\nb.c:0\n'), ('grep', 'Engine', E'a.c-1-x\n--\na.c:2:Engine\n'),
	('grep', '', 'a.c:1:x'), ('grep', NULL, 'a.c:1:x'), ('grep', 'é', 'a.c:1:caféine'),
	('grep', 'café', 'a.c:1:un café, merci'),
	('find', 'engine.c', E'./src/engine.c\n'), ('find', 'engine.c', E'./src/old_engine.c\n'),
	('find', 'engine', E'./src/engine.c\n'), ('find', 'startup model selection', E'./src/startup.cpp\n'),
	('find', 'startup model', E'./src/startup_model.cpp\n'),
	('find', 'src/engine.c', E'./src/engine.c\n./lib/src/engine.c\n./xsrc/engine.c\n'),
	('find', '*engine*', E'./src/engine.c\n'), ('find', 'engine', ''),
	('find', 'engine', E'find: ‘x’: Permission denied\n'), ('find', 'src', E'./src/\n'),
	('git', 'log --oneline -10', E'1a2b3c4 Fix the parser\n5d6e7f8 Begin\n'),
	('git', 'git log --grep=parser', E'commit 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d\nAuthor: A\n\n    Fix the '
		'parser\n'), ('git', 'git status', E'On branch main\nnothing to commit, working tree clean\n'),
	('git', 'what is the last commit', E'On branch main\nnothing to commit, working tree clean\n'),
	('git', 'what is the last commit', E'1a2b3c4 Fix the parser\n'),
	('git', 'who fixed the parser', E'1a2b3c4 who fixed the parser\n'),
	('git', 'which files are modified', E' M src/a.c\n?? x\n'), ('git', 'log', 'fatal: not a git repository'),
	('git', 'log', ''), ('git', 'branch -a', '* main'), ('git', 'colour of the sky', 'blue'),
	('git', 'LOG', '1a2b3c4 LOG'),
	('cmake', '--build build --target engine',
		E'[ 50%] Building C object CMakeFiles/engine.dir/src/engine.c.o\n[100%] Linking C executable engine\n[100%] '
		'Built target engine\n'), ('cmake', '--build build --target engine', E'[100%] Built target engine\n'),
	('cmake', '--build build --target engine',
		E'[ 50%] Building C object CMakeFiles/other.dir/src/engine.c.o\n[ 50%] Built target other\n[100%] Built '
		'target engine\n'), ('cmake', '--build build',
		E'[ 50%] Building C object CMakeFiles/engine.dir/src/engine.c.o\n[100%] Built target engine\n'),
	('cmake', 'engine', E'ninja: no work to do.\n'),
	('cmake', 'engine', E'[1/2] Building C object CMakeFiles/engine.dir/error.c.o\n[2/2] Linking C static '
		'library libengine.a\n'),
	('cmake', 'engine', E'FAILED: CMakeFiles/engine.dir/engine.c.o\nengine.c:1:1: error: unknown type name\nninja: '
		'build stopped: subcommand failed.\n'), ('cmake', 'engine', E'gmake: *** [Makefile:101: all] Error 2\n'),
	('cmake', 'engine', E'-- Configuring done\n-- Generating done\n'), ('cmake', 'engine', ''),
	('cmake', 'engine', E'Error: could not load cache\n'),
	('ctest', '', E'100% tests passed, 0 tests failed out of 12\n'),
	('ctest', '', E'92% tests passed, 1 tests failed out of 12\n'), ('ctest', '', E'No tests were found!!!\n'),
	('ctest', '', E'1/2 Test #1: a ....   Passed    0.00 sec\n2/2 Test #2: b ....***Skipped   0.00 sec\n\n100% '
		'tests passed, 0 tests failed out of 2\n'),
	('ctest', '', E'1/2 Test #1: a ....   Passed    0.00 sec\n2/2 Test #2: b ....***Failed    0.00 sec\n'),
	('ctest', '', ''), ('ctest', '', E'0% tests passed, 99999999999999999999 tests failed out of 12\n'),
	('gh', 'run list', '[]'), ('gh', 'gh run list --json conclusion',
		'[{"conclusion": "success", "workflowName": "CI"}]'),
	('gh', 'run list -w CI', E'completed\tsuccess\tFix\tCI\tmain\tpush\t9\t1m\t2026-01-01T00:00:00Z\n'),
	('gh', 'run list', E'completed\tsuccess\tFix\tCI\tmain\tpush\t9\t1m\t2026-01-01T00:00:00Z\n'),
	('gh', 'nightly', '[{"conclusion": "success", "workflowName": "CI"}, {"name": "Nightly"}]'),
	('gh', 'run list', E'no runs found\n'),
	('gh', 'run view 9', E'X main CI · 9\nTriggered via push about 1 day ago\n'),
	('gh', 'run view 9', E'* main CI · 9\n'), ('gh', 'run view 9 --json conclusion', '{"conclusion": "failure"}'),
	('gh', 'run view 9 --json conclusion', '{"conclusion": ""}'),
	('gh', 'run view 9 --log', E'build\tmake\t2026-01-01T00:00:00Z ##[error]Process completed with exit code 2.\n'),
	('gh', 'run view 9 --log', E'build\tmake\t2026-01-01T00:00:00Z cc -c a.c\nbuild\tend\t2026-01-01T00:00:01Z Job '
		'succeeded\n'), ('gh', 'run view 9 --log',
		E'build\tmake\t2026-01-01T00:00:00Z conclusion: failure\nbuild\tend\t2026-01-01T00:00:01Z success\n'),
	('gh', 'run view 9 --log', E'build\tmake\t2026-01-01T00:00:00Z 0 tests '
		'failed\nbuild\tend\t2026-01-01T00:00:01Z run this step on failure\nbuild\tend\tSuccessfully installed '
		'everything that was asked for\n'), ('gh', 'run view 9 --log', E'success\n'),
	('gh', 'run view 9 --log-failed', E'build\tmake\t2026-01-01T00:00:00Z cc -c a.c\n'),
	('gh', 'run view 9 --log-failed', E'\n'), ('gh', 'run view 9', E'build\tend\t2026-01-01T00:00:01Z success\n'),
	('gh', 'pr list', E'7\tFix\tbranch\tOPEN\n'), ('gh', 'run list', 'HTTP 404: Not Found'), ('gh', 'run list', ''),
	('gh', 'run list', '[1, {}'), ('gh', 'issues?', 'anything');
SELECT tool, query, left(replace(output, E'\n', '|'), 60) AS output, r ->> 'quality' AS quality,
	r -> 'observation' AS observation FROM printed, answer.grade_text(tool, query, output) AS r;
-- every observation made of output is one that the tool's grader takes
SELECT tool, r FROM printed, answer.grade_text(tool, query, output) AS r
	WHERE (answer.grade(tool, r -> 'observation')).quality::text <> r ->> 'quality'
	OR r - '{observation,class,quality,strength,reason}'::text[] <> '{}';
-- What a path, a notice or a failure says is none of the content; what cannot be told apart counts for less.
SELECT tool, query, output, r ->> 'quality' AS quality, r -> 'observation' AS observation FROM (VALUES
	('grep', 'evidence gating', 'src/evidence gating.md:the evidence'),
	('grep', 'evidence gating', 'src/evidence gating.md'), ('grep', 'Engine', 'Engine.c'),
	('grep', 'x.c', 'a:x.c:12:struct Engine'), ('grep', 'Engine', 'C:\src\Engine.c:12:nothing'),
	('grep', 'Engine', 'src/Engine.c-12-struct foo {'), ('grep', 'Engine', '// Engine: runs'),
	('grep', 'Engine', 'src/a b.c:12:struct Engine'), ('grep', 'Engine', '12:struct Engine'),
	('grep', 'matches', 'grep: a.o: binary file matches'), ('grep', 'binary file', 'Binary file a.o matches'),
	('grep', 'Engine', '0'), ('grep', '0', '0'),
	('git', 'log', E'warning: x\nfatal: bad revision'),
	('git', 'log --oneline', 'bash: line 1: git: command not found'),
	('git', 'log --oneline', 'sh: 1: git: not found'),
	('git', 'log --oneline', 'Permission denied, please try again.'),
	('git', 'log --format=%s', 'Fix the parser'), ('git', 'log --graph', E'* commit 1a2b3c4\n| Author: A'),
	('git', 'log --oneline', '1a2b3c4 git: command not found'),
	('git', 'show the last commit', '1a2b3c4 Fix the parser'), ('git', 'show HEAD', '1a2b3c4 Fix the parser'),
	('cmake', 'engine', 'ninja: fatal: chdir to x - No such file or directory'),
	('cmake', 'engine', 'bash: cmake: command not found'), ('cmake', 'engine', 'x.c(12): error C2065: y'),
	('cmake', 'engine', 'LINK : fatal error LNK1104: z'),
	('cmake', 'engine', E'Building C object CMakeFiles/engine.dir/x.c.o\nx.c:1:1: warning: error code\nLinking C '
		'executable engine\n'), ('cmake', 'engine',
		E'[1/2] /usr/bin/cc -o CMakeFiles/engine.dir/x.c.o -c ../x.c\n[2/2] : && /usr/bin/cc '
		'CMakeFiles/engine.dir/x.c.o -o engine && :\n'),
	('cmake', 'engine', E'[0/1] Re-running CMake...\nninja: no work to do.\n'),
	('cmake', 'engine', E'[1/3] Building C object CMakeFiles/engine.dir/x.c.o\n'),
	('cmake', 'engine', E'[1/2] Building C object CMakeFiles/engine.dir/x.c.o\n[2/2] Building C object '
		'CMakeFiles/engine.dir/y.c.o\n'),
	('ctest', '', '50% tests passed, 1 tests failed'), ('ctest', '', '100% tests passed, 0 tests failed'),
	('ctest', '', repeat(E'0% tests passed, 999999999999999 tests failed out of 999999999999999\n', 3)),
	('gh', 'last ci run', '[]'), ('gh', 'last ci run', '[{"conclusion": "success"}]'),
	('gh', 'open pull requests', '[{"number": 1, "title": "x"}]'), ('gh', 'gh pr list', '[]'),
	('gh', 'run list', '{"message": "Not Found"}'), ('gh', 'run list', '[1, "x", null, []]'),
	('gh', 'run list', 'unknown flag: --jsn'), ('gh', 'run view 9', 'bash: gh: command not found')) AS v (tool,
		query, output), answer.grade_text(tool, query, output) AS r;
-- the question tells git what is asked
SELECT q AS question, answer.grade_text('git', 'status --short', ' M a.c', q) ->> 'quality' AS status,
	answer.grade_text('git', 'log --oneline', '1a2b3c4 x', q) ->> 'quality' AS log
	FROM unnest(ARRAY['what is the last commit?', 'is the working tree clean?', 'which files are modified?',
	'who wrote the parser?', 'what is a parser?', '']) AS q;
SELECT attempt($$SELECT answer.grade_text(NULL, 'x', 'y')$$) AS no_tool,
	attempt($$SELECT answer.grade_text('read', 'x', 'y')$$) AS no_reader,
	attempt($$SELECT answer.grade_text('grep', 'x', NULL)$$) AS no_output;
-- linear time: a query that nearly matches everywhere
SELECT answer.grade_text('grep', repeat('a', 20000) || 'b', repeat('a', 2000000)) -> 'observation' AS nearly;

-- Verified, a number and a sixth word are refused wherever they are tried.
SELECT answer_investigation_open('Locate', 'where is the engine?') AS i \gset
SELECT state_of($$SELECT '0.61'::answer_quality_level$$) AS number,
	state_of($$SELECT 'Excellent'::answer_quality_level$$) AS sixth,
	state_of($$SELECT 'strong'::answer_quality_level$$) AS "case",
	state_of($$SELECT 'Verified'::answer_strength_level$$) AS strength,
	state_of($$SELECT 'missed'::answer_gap_kind$$) AS kind;
CREATE FUNCTION entry_sql(quality text) RETURNS text LANGUAGE sql AS $$
	SELECT format('INSERT INTO answer.quality_entry (investigation, entry, class, tool, query, target, quality,
		strength, reason, digest, observation) VALUES (%s, sha256(''x''), ''FileSearch'', ''grep'', '''', '''', %L,
		''Low'', '''', '''', ''{}'')', (SELECT max(investigation) FROM answer.investigation), quality) $$;
SELECT q AS quality, state_of(entry_sql(q)) AS inserted
	FROM unnest('{Strong,Verified,0.84,5,Perfect,verified}'::text[]) AS q;
UPDATE answer.quality_entry SET quality = 'Verified';
UPDATE answer.quality_entry SET strength = 'Enormous';
COPY answer.quality_entry (investigation, entry, class, tool, query, target, quality, strength, reason, digest,
	observation) FROM stdin (DELIMITER ',');
1,\\x0000000000000000000000000000000000000000000000000000000000000000,FileSearch,grep,,,Verified,Low,,,{}
\.
COPY answer.quality_entry (investigation, entry, class, tool, query, target, quality, strength, reason, digest,
	observation) FROM stdin (DELIMITER ',');
1,\\x0000000000000000000000000000000000000000000000000000000000000000,FileSearch,grep,,,0.61,Low,,,{}
\.
DELETE FROM answer.quality_entry;
SELECT attempt($$SELECT answer_assess(rules, 'Locate', '', NULL, jsonb_build_object('class', 'FileSearch', 'tool',
	'grep', 'query', '', 'target', '', 'quality', 'Verified', 'strength', 'Low', 'reason', '', 'observation',
	'{}'::jsonb)) FROM answer.quality_rules$$) AS aggregate,
	attempt($$SELECT
		answer_validate('{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "quality": "Verified"}]}')$$) AS fact,
		attempt($$SELECT
		answer_validate('{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "quality": 0.61}]}')$$) AS number,
		attempt($$SELECT
		answer_validate('{"checks": [{"tool": "t"}], "evidence": [{"fact": "t", "quality": "Good"}]}')$$) AS sixth,
	attempt($$SELECT answer_quality_intent_register('X', '{"Build": "None"}')$$) AS no_requirement,
		attempt($$SELECT answer_quality_intent_register('X', '{"Build": 4}')$$) AS numeric_requirement,
		state_of($$INSERT INTO answer.quality_requirement VALUES ('X', 'Build', 'None')$$) AS stored,
		state_of($$INSERT INTO answer.quality_authority VALUES ('grep', 'FileSearch', '{}', 'Verified')$$) AS authority;

-- An investigation, step by step.
SELECT * FROM answer_gap(:i);
SELECT * FROM answer.confidence_level(:i);
SELECT class, quality, strength, reason, is_new FROM answer_investigation_record(:i, 'grep', 'Engine', 'src/engine.c',
	'{"match": "substring", "match_count": 7}');
SELECT * FROM answer.next_tool(:i);
SELECT class, quality, is_new FROM answer_investigation_record(:i, 'read', 'src/engine.c', 'src/engine.c',
	'{"selection": "highest_confidence", "files_read": 1}', '{src/engine.c}');
SELECT level, quality, coverage, agreement, explanation, answer_complete(:i) AS complete
	FROM answer.confidence_level(:i);
-- the same again, other spellings of its numbers included, is one entry
SELECT digest = answer_digest('{"match": "substring", "match_count": 7}'::jsonb) AS digest,
	is_new FROM answer_investigation_record(:i, 'grep', 'Engine', 'src/engine.c',
	'{"match_count": 7.0, "match": "substring"}');
SELECT is_new FROM answer_investigation_record(:i, 'grep', 'Engine', 'src/engine.c',
	'{"match": "substring", "match_count": 7}', '{somewhere}');
SELECT class, tool, query, target, quality, strength, sources, match_count, exact_match_count, phrase_match, reason,
	observation FROM answer.quality_entry WHERE investigation = :i ORDER BY class COLLATE "C";
-- find and grep share their signal; the read makes it Verified
SELECT quality FROM answer_investigation_record(:i, 'grep', 'Engine', 'src/other.c',
	'{"match": "identifier", "match_count": 3}');
SELECT class, quality, code, reason, next_code, next_reason FROM answer_quality(:i);
SELECT quality FROM answer_investigation_record(:i, 'find', 'engine.c', 'src/engine.c',
	'{"match": "exact", "match_count": 1}');
SELECT class, quality, strength, need, entries, code, reason, next, next_code FROM answer_quality(:i);
SELECT * FROM answer.quality_reasons(:i);
SELECT * FROM answer_gap(:i);
SELECT level, quality, coverage, agreement, explanation, answer_complete(:i) AS complete
	FROM answer.confidence_level(:i);
-- more, weaker, and contrary evidence lowers nothing
SELECT quality FROM answer_investigation_record(:i, 'grep', 'motor', 'src/engine.c',
	'{"match": null, "match_count": 0}');
SELECT class, quality FROM answer_quality(:i);
SELECT answer_investigation_close(:i) AS closed, answer_investigation_close(:i) AS again;
SELECT outcome, closed_at IS NOT NULL AS closed FROM answer.investigation WHERE investigation = :i;
SELECT state_of(format($$SELECT answer_investigation_record(%s, 'grep', '', '', '{}')$$, :i)) AS record_closed,
	attempt(format($$SELECT answer_investigation_record(%s, 'grep', '', '', '{}')$$,
	(SELECT max(investigation) + 1 FROM answer.investigation))) LIKE 'P0002: unknown investigation %' AS unknown;
SELECT f AS call, attempt(format('SELECT %s', replace(f, '?', 'NULL'))) AS of_null,
	attempt(format('SELECT %s', replace(f, '?', '-1'))) AS of_an_unknown
	FROM unnest(ARRAY['answer_gap(?)', 'answer.next_tool(?)', 'answer_complete(?)', 'answer.confidence_level(?)',
	'answer_quality(?)', 'answer.quality_reasons(?)', 'answer.assessment_of(?)', 'answer_investigation_close(?)',
	'answer_quality_receipt(?)']) AS f;
SELECT attempt($$SELECT answer_investigation_open('Guess', 'x')$$) AS intent,
	attempt($$SELECT answer_investigation_open(NULL, 'x')$$) AS null_intent,
	attempt($$SELECT answer_investigation_open('Locate', NULL)$$) AS null_question,
	attempt($$SELECT answer_investigation_record(NULL, 'grep', '', '', '{}')$$) AS null_investigation,
	attempt($$SELECT answer_investigation_record(1, 'grep', '', '', NULL)$$) AS null_observation,
	attempt($$SELECT answer_investigation_record(1, NULL, '', '', '{}')$$) AS null_tool,
	attempt($$SELECT answer_investigation_record(1, 'awk', '', '', '{}')$$) AS tool;

-- Requirements by intent, each from nothing; order of gaps, and the tool for each.
CREATE FUNCTION opened(intent text, question text DEFAULT 'what?') RETURNS bigint
	LANGUAGE sql AS $$ SELECT answer_investigation_open(intent, question) $$;
CREATE TEMP TABLE fresh AS SELECT intent, opened(intent) AS i FROM answer.quality_intent WHERE seed;
SELECT intent, string_agg(format('%s %s (%s) by %s', class, need, kind, tool), ', ' ORDER BY n) AS gap,
	answer_complete(i) AS complete, (answer.confidence_level(i)).* FROM fresh AS x LEFT JOIN
	LATERAL answer_gap(i) WITH ORDINALITY AS g (class, have, need, kind, tool, reason, n) ON true GROUP BY intent,
	i ORDER BY intent COLLATE "C";
CREATE TEMP TABLE asked AS SELECT q, opened('Locate', q) AS i
	FROM unnest('{ExecutionEngine,"Execution engine",_x9,9x,a.b,xqkz_2024_nonexistent_class,"Engine ","",é}'::text[])
	AS q;
SELECT q AS question, (SELECT tool FROM answer.next_tool(i)) AS tool FROM asked ORDER BY i;
-- a helper: what entries come to, without a table
CREATE FUNCTION assess(intent text, VARIADIC entries text[]) RETURNS answer_assessment LANGUAGE sql AS $$
	SELECT answer_assess(r.rules, intent, '', NULL, jsonb_build_object('class', (g).class, 'tool', part[1], 'query',
		part[2],
		'target', part[3], 'sources', string_to_array(part[5], ','), 'quality', (g).quality, 'strength', (g).strength,
		'reason', (g).reason, 'observation', part[4]::jsonb))
	FROM answer.quality_rules r, (SELECT string_to_array(e, '|') AS part,
		answer.grade(split_part(e, '|', 1), split_part(e, '|', 4)::jsonb) AS g
		FROM unnest(entries) AS e OFFSET 0) AS x $$;
CREATE FUNCTION derived(VARIADIC entries text[]) RETURNS text
	LANGUAGE sql AS $$ SELECT string_agg(format('%s %s%s', c.class, c.quality, CASE WHEN c.code
	IN ('corroborated', 'authoritative') THEN ' (' || c.reason || ')' ELSE ' [' || c.next_code || ']' END),
	', ') || '; ' || min(a.agreement::text) FROM assess('Chat', VARIADIC entries) AS a, unnest(a.classes) AS c $$;
-- Verified: what corroborates what
CREATE TABLE relation (case_ text, entries text[]);
INSERT INTO relation VALUES
	('search alone', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}']),
	('grep and find', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'find|a.c|a.c|{"match": "exact", "match_count": 1}']),
	('grep, find and references', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'find|a.c|a.c|{"match": "exact", "match_count": 1}', 'references|e|a.c|{"match_count": 9}']),
	('search and ranked read', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'read|a.c|a.c|{"selection": "ranked", "files_read": 1}']),
	('search and best read', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'read|a.c|a.c|{"selection": "highest_confidence", "files_read": 1}']),
	('search and weak read', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'read|a.c|a.c|{"selection": "first_of_grep", "files_read": 1}']),
	('moderate search and best read', ARRAY['grep|e|a.c|{"match": "substring", "match_count": 9}',
		'read|a.c|a.c|{"selection": "highest_confidence", "files_read": 1}']),
	('another target', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}|b.c',
		'read|b.c|b.c|{"selection": "highest_confidence", "files_read": 1}']),
	('no target', ARRAY['grep|e||{"match": "phrase", "match_count": 9}|b.c',
		'read|b.c|b.c|{"selection": "highest_confidence", "files_read": 1}']),
	('log for history', ARRAY['git|log||{"command": "log", "question": "history", "output_lines": 1}']),
	('log with terms', ARRAY['git|log||{"command": "log", "question": "history", "has_query_terms": true, '
		'"matching_commits": 1, "output_lines": 1}']),
	('empty log', ARRAY['git|log||{"command": "log", "question": "history", "output_lines": 0}']),
	('status for history', ARRAY['git|status||{"command": "status", "question": "history", "output_lines": 1}']),
	('status for the tree', ARRAY['git|status||{"command": "status", "question": "working_tree", '
		'"output_lines": 1}']), ('run view', ARRAY['gh|run view||{"command": "run view", "conclusion": "failure"}']),
	('run view without', ARRAY['gh|run view||{"command": "run view"}']),
	('run list', ARRAY['gh|run list||{"command": "run list", "runs": 3, "matching_workflow": true}']),
	('build and test', ARRAY['cmake|all||{"ok": true, "target_built": true}', 'ctest|||{"run": 1, "passed": 1}']),
	('build and failing test', ARRAY['cmake|all||{"ok": true, "target_built": true}',
		'ctest|||{"run": 1, "failed": 1}']), ('partial build and test',
		ARRAY['cmake|all||{"ok": true}', 'ctest|||{"run": 1, "passed": 1}']),
	('a test that failed and then passed', ARRAY['cmake|all||{"ok": true, "target_built": true}',
		'ctest|||{"run": 1, "failed": 1}', 'ctest|||{"run": 1, "passed": 1}']),
	('one scan', ARRAY['discovery|scan|.|{"type": "c", "source_count": 1, "has_tests": true}']),
	('two scans alike', ARRAY['discovery|scan|.|{"type": "c", "source_count": 1, "has_tests": true}',
		'discovery|scan again|.|{"has_tests": true, "source_count": 1, "type": "c"}']),
	('two scans unlike', ARRAY['discovery|scan|.|{"type": "c", "source_count": 1, "has_tests": true}',
		'discovery|scan|.|{"type": "c", "source_count": 2, "has_tests": true}']),
	('two moderate scans alike', ARRAY['discovery|scan|.|{"type": "c"}', 'discovery|scan again|.|{"type": "c"}']),
	('two scans of two targets', ARRAY['discovery|scan|a|{"type": "c", "source_count": 1, "has_tests": true}',
		'discovery|scan|b|{"type": "c", "source_count": 1, "has_tests": true}']),
	('search and read disagree', ARRAY['grep|e|a.c|{"match": "phrase", "match_count": 9}',
		'read|a.c|a.c|{"selection": null}']);
SELECT case_ AS "case", derived(VARIADIC entries) FROM relation;
-- order never matters, and what is derived is what the stored rows give
SELECT case_ FROM relation WHERE assess('Modify', VARIADIC entries) IS DISTINCT
	FROM assess('Modify', VARIADIC ARRAY(SELECT e FROM unnest(entries) WITH ORDINALITY AS x (e, n) ORDER BY n DESC));
CREATE FUNCTION stored(intent text, entries text[]) RETURNS answer_assessment
	LANGUAGE plpgsql AS $$ DECLARE i bigint := answer_investigation_open(intent, ''); e text; n int := 0;
	BEGIN FOREACH e IN ARRAY entries LOOP n := n + 1;
	PERFORM answer_investigation_record(i, split_part(e, '|', 1), split_part(e, '|', 2), split_part(e, '|', 3),
	split_part(e, '|', 4)::jsonb, string_to_array(split_part(e, '|', 5), ','), n::text); END LOOP;
	RETURN answer.assessment_of(i); END $$;
SELECT case_ FROM relation WHERE assess('Diagnose', VARIADIC entries) IS DISTINCT FROM stored('Diagnose', entries);
-- gaps: missing, weak, unverified, then table order; the other of build and test
SELECT g.* FROM assess('Modify', 'cmake|all||{"ok": true, "target_built": true}',
	'grep|two words|a.c|{"match": "token", "match_count": 99}',
	'read|a.c|a.c|{"selection": "ranked", "files_read": 1}') AS a, unnest(a.gap) AS g;
SELECT g.* FROM assess('Modify', 'ctest|all||{"run": 3, "passed": 3}', 'cmake|all||{"ok": true}',
	'grep|word|a.c|{"match": "token", "match_count": 99}', 'discovery|||{"type": "c"}') AS a, unnest(a.gap) AS g;
-- what can give the next level is the tool that the gap names
SELECT class, g.tool, c.next_reason FROM unnest(ARRAY['references|word|a.c|{"match_count": 3}',
	'references|word||{"match_count": 0}', 'find|two words||{"match_count": 0}']) AS e, assess('Locate', e) AS a,
	unnest(a.gap) AS g JOIN unnest(a.classes) AS c USING (class) WHERE class = 'FileSearch';
SELECT a.complete, a.level, a.quality, a.coverage,
	a.explanation FROM assess('Modify', 'cmake|all||{"ok": true, "target_built": true}',
	'ctest|||{"run": 1, "passed": 1}', 'grep|e|a.c|{"match": "phrase", "match_count": 1}',
	'read|a.c|a.c|{"selection": "highest_confidence", "files_read": 1}', 'discovery|||{"type": "c"}') AS a;
SELECT a.level, a.explanation FROM unnest(ARRAY['grep|e|a.c|{"match": "token", "match_count": 99}|b.c',
	'grep|e|a.c|{"match": "substring", "match_count": 7}|b.c',
	'grep|e|a.c|{"match": "phrase", "match_count": 7}|b.c']) AS e,
	assess('Locate', e, 'read|a.c|b.c|{"selection": "highest_confidence", "files_read": 1}') AS a;
SELECT a.level, a.explanation FROM assess('Execute', 'cmake|all||{"ok": true, "target_built": true}',
	'ctest|||{"run": 1, "passed": 1}') AS a;
-- the aggregate itself
SELECT answer_assess(rules, 'Chat', '', NULL, NULL)
	FROM answer.quality_rules;
SELECT answer_assess(rules, 'Chat', '', NULL, NULL) IS NULL AS over_no_rows FROM answer.quality_rules WHERE false;
SELECT attempt(q) FROM unnest(ARRAY[$$SELECT answer_assess(NULL, 'Chat', '', NULL, NULL)$$,
	$$SELECT answer_assess('{}', 'Chat', '', NULL, NULL)$$, $$SELECT answer_assess(rules, NULL, '', NULL,
	NULL) FROM answer.quality_rules$$,
	$$SELECT answer_assess(rules, 'Guess', '', NULL, NULL)
	FROM answer.quality_rules$$,
	$$SELECT answer_assess(rules, 'Chat', '', NULL, jsonb_build_object('class', 'Build', 'quality', 'Weak'))
		FROM answer.quality_rules$$, $$SELECT answer_assess(rules, 'Chat', '', NULL, jsonb_build_object('class',
			'Build', 'tool', 'cmake')) FROM answer.quality_rules$$,
		$$SELECT (answer_assess(rules, 'Chat', '', NULL, jsonb_build_object('class', 'No class', 'tool', 'cmake',
			'quality', 'Weak'))).classes FROM answer.quality_rules$$,
	$$SELECT answer_assess(rules || '{"classes": [{"class": 1}]}', 'Chat', '', NULL, NULL) FROM answer.quality_rules$$,
		$$SELECT answer_assess(rules || '{"classes": []}', 'Chat', '', NULL, NULL) FROM answer.quality_rules$$,
		$$SELECT
		answer_assess(rules
		|| '{"intents": [{"intent": "Chat", "requires": [{"class": "Build", "quality": "Good"}]}]}', 'Chat', '', NULL,
			NULL) FROM answer.quality_rules$$]) AS q;

-- All open investigations at once.
SELECT count(*) FILTER (WHERE o.complete IS DISTINCT FROM answer_complete(o.investigation)) AS complete,
	count(*) FILTER (WHERE (o.level, o.quality, o.coverage, o.agreement, o.explanation) IS DISTINCT
	FROM (SELECT c FROM answer.confidence_level(o.investigation) AS c)) AS confidence,
	count(*) = (SELECT count(*) FROM answer.investigation WHERE closed_at IS NULL) AS "all"
	FROM answer.open_investigation o;
(SELECT o.investigation, g.* FROM answer.open_investigation o,
	unnest(o.gap) WITH ORDINALITY AS g (class, have, need, kind, tool, reason, place) EXCEPT ALL
	SELECT i.investigation, g.* FROM answer.investigation i, LATERAL answer_gap(i.investigation) WITH ORDINALITY AS g
	WHERE i.closed_at IS NULL)
UNION ALL (SELECT i.investigation, g.* FROM answer.investigation i,
	LATERAL answer_gap(i.investigation) WITH ORDINALITY AS g WHERE i.closed_at IS NULL EXCEPT ALL
	SELECT o.investigation, g.* FROM answer.open_investigation o, unnest(o.gap) WITH ORDINALITY AS g);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- how many are open is guessed otherwise
ANALYZE answer.investigation;
-- a plan's shape differs between versions; that workers assess does not
CREATE FUNCTION plan_of(query text) RETURNS SETOF text
	LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
SELECT min(n) FILTER (WHERE line LIKE '%Gather%') < min(n) FILTER
	(WHERE line LIKE '%assessment_of%') AS assessed_by_workers
	FROM plan_of('SELECT kind, count(*) FROM answer.open_investigation, unnest(gap) GROUP BY kind')
		WITH ORDINALITY AS p (line, n);
CREATE TABLE parallel_gap AS SELECT kind, count(*) FROM answer.open_investigation, unnest(gap) GROUP BY kind;
SET max_parallel_workers_per_gather = 0;
SELECT count(*) AS kinds, count(*) FILTER (WHERE p.count <> s.count) AS unlike FROM parallel_gap p FULL
	JOIN (SELECT kind, count(*) FROM answer.open_investigation, unnest(gap) GROUP BY kind) AS s USING (kind);
RESET ALL;
SET timezone = 'UTC';

-- What users add: a class, a tool with a grader, an intent, an authority.
CREATE FUNCTION lint_grader(observation jsonb) RETURNS answer_graded
	LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (NULL, observation ->> 'q', 'Low',
	'lint found ' || (observation ->> 'n'))::answer_graded $$;
CREATE FUNCTION lint_bad(observation jsonb) RETURNS answer_graded
	LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ('Build', 'Weak', 'Low', '')::answer_graded $$;
CREATE FUNCTION lint_null(observation jsonb) RETURNS answer_graded
	LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT NULL::answer_graded $$;
CREATE FUNCTION lint_volatile(observation jsonb) RETURNS answer_graded
	LANGUAGE sql PARALLEL SAFE AS $$ SELECT NULL::answer_graded $$;
SELECT answer_quality_class_register('Lint', 'lint', verify_tool => 'review'),
	answer_quality_grader_register('lint', 'Lint', 'lint_grader(jsonb)'), answer_quality_grader_register('review',
	'Lint', 'lint_grader(jsonb)', 'people'), answer_quality_grader_register('lint2', 'Lint', 'lint_grader(jsonb)',
	'lint'), answer_quality_grader_register('bad', 'Lint', 'lint_bad(jsonb)'),
	answer_quality_grader_register('null', 'Lint', 'lint_null(jsonb)'), answer_quality_intent_register('Polish',
	'{"Lint": "Verified", "Build": "Weak"}'), answer_quality_authority_register('review', '{"chief": true, "n": 0}');
SELECT tool, attempt(format('SELECT answer.grade(%L, %L)', tool, o)) AS graded
	FROM (VALUES ('lint', '{"q": "Strong", "n": 3}'), ('lint', '{"q": "Verified", "n": 3}'),
	('lint', '{"q": "Great", "n": 3}'), ('lint', '{"q": "0.61"}'), ('lint', '{}'), ('bad', '{}'),
	('null', '{}')) AS v (tool, o);
SELECT opened('Polish') AS p \gset
SELECT * FROM answer_gap(:p);
SELECT quality, strength, reason FROM answer_investigation_record(:p, 'lint', '', 'a.c',
	'{"q": "Strong", "n": 3, "match_count": 12}');
SELECT match_count FROM answer.quality_entry WHERE investigation = :p;
SELECT state_of(format($$SELECT answer_investigation_record(%s, 'lint', '', 'a.c', '{"q": "Verified", "n": 3}')$$,
	:p)) AS verified;
SELECT is_new FROM answer_investigation_record(:p, 'lint2', '', 'a.c', '{"q": "Strong", "n": 4}');
SELECT class, have, need, kind, tool, reason FROM answer_gap(:p);
SELECT is_new FROM answer_investigation_record(:p, 'review', '', 'a.c', '{"q": "Strong", "n": 5}');
SELECT class, quality, code, reason FROM answer_quality(:p);
SELECT c.quality, c.code, c.reason FROM stored('Polish',
	ARRAY['review|||{"q": "Strong", "n": 0, "chief": true}']) AS a, unnest(a.classes) AS c WHERE c.class = 'Lint';
SELECT c.quality, c.code FROM stored('Polish', ARRAY['review|||{"q": "Moderate", "n": 0, "chief": true}',
	'review|||{"q": "Strong", "n": 1, "chief": true}']) AS a, unnest(a.classes) AS c WHERE c.class = 'Lint';
-- a tool that is no longer registered keeps its level and corroborates nothing
DELETE FROM answer.quality_tool WHERE tool = 'review';
SELECT class, quality, code FROM answer_quality(:p);
SELECT attempt(q) FROM unnest(ARRAY[$$SELECT answer_quality_class_register('')$$,
	$$SELECT answer_quality_class_register('Build')$$,
	$$SELECT answer_quality_grader_register('', 'Lint', 'lint_grader(jsonb)')$$,
	$$SELECT answer_quality_grader_register('grep', 'Lint', 'lint_grader(jsonb)')$$,
	$$SELECT answer_quality_grader_register('x', 'None such', 'lint_grader(jsonb)')$$,
	$$SELECT answer_quality_grader_register('x', 'Lint', 'lint_volatile(jsonb)')$$,
	$$SELECT answer_quality_grader_register('x', 'Lint', 'lower(text)')$$,
	$$SELECT answer_quality_grader_register('x', 'Lint', NULL)$$,
	$$SELECT answer_quality_intent_register('', '{}')$$, $$SELECT answer_quality_intent_register('Locate', '{}')$$,
		$$SELECT answer_quality_intent_register('x', '[]')$$, $$SELECT answer_quality_intent_register('x', NULL)$$,
		$$SELECT answer_quality_intent_register('x', '{"None such": "Weak"}')$$,
		$$SELECT answer_quality_compatibility_register('Lint', 'None such')$$,
		$$SELECT answer_quality_compatibility_register('Build', 'Test')$$,
		$$SELECT answer_quality_compatibility_register('Lint', 'Build', 'Weak')$$,
		$$SELECT answer_quality_compatibility_register('Lint', 'Build', 'Verified')$$,
		$$SELECT answer_quality_compatibility_register('Lint', 'Build', 'Moderate', false)$$,
	$$SELECT answer_quality_authority_register('grep', '{}')$$,
		$$SELECT answer_quality_authority_register('none', '{}')$$,
		$$SELECT answer_quality_authority_register('lint', '[]')$$,
		$$SELECT answer_quality_authority_register('lint', '{"a": {}}')$$,
		$$SELECT answer_quality_authority_register('lint', NULL)$$]) AS q;
SELECT c.quality, c.reason FROM stored('Polish', ARRAY['lint||a.c|{"q": "Strong", "n": 0}',
	'cmake|||{"ok": true}']) AS a, unnest(a.classes) AS c WHERE c.class = 'Lint';
-- a grader that was replaced by a function of another type, or dropped, after it was registered
CREATE FUNCTION lint_shifty(observation jsonb) RETURNS answer_graded
	LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (NULL, 'Strong', 'Low', '')::answer_graded $$;
SELECT answer_quality_grader_register('shifty', 'Lint', 'lint_shifty(jsonb)');
DROP FUNCTION lint_shifty;
CREATE FUNCTION lint_shifty(observation jsonb) RETURNS TABLE (class bigint, quality text, strength text,
	reason bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 4096::bigint, 'Strong', 'Low', 8192::bigint $$;
SELECT attempt($$SELECT answer.grade('shifty', '{}')$$) AS another_type;
DROP FUNCTION lint_shifty;
SELECT state_of($$SELECT answer.grade('shifty', '{}')$$) AS dropped;
-- a temporary one's name is any session's to take
CREATE FUNCTION pg_temp.lint_brief(observation jsonb) RETURNS answer_graded
	LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (NULL, 'Strong', 'Low', '')::public.answer_graded $$;
SELECT state_of($$SELECT answer_quality_grader_register('brief', 'Lint', 'pg_temp.lint_brief(jsonb)')$$) AS temporary;
DROP FUNCTION pg_temp.lint_brief;
-- rules that change in a transaction, and are taken back, count at once for every function
SELECT answer_quality_intent_register('Turn', '{"Lint": "Weak"}'), opened('Turn') AS t \gset
SELECT is_new FROM answer_investigation_record(:t, 'lint', '', 'a.c', '{"q": "Weak", "n": 3}');
BEGIN;
SELECT answer_complete(:t), (answer.confidence_level(:t)).coverage, (SELECT count(*) FROM answer_gap(:t)) AS gaps;
SAVEPOINT a;
SELECT answer_quality_intent_register('Turn', '{"Lint": "Strong", "Build": "Strong"}', replace => true);
SELECT answer_complete(:t), (answer.confidence_level(:t)).coverage, (SELECT count(*) FROM answer_gap(:t)) AS gaps;
ROLLBACK TO a;
SELECT answer_complete(:t), (answer.confidence_level(:t)).coverage, (SELECT count(*) FROM answer_gap(:t)) AS gaps;
COMMIT;

-- Raw output, with the investigation's own question.
SELECT opened('Status', 'what is the last commit?') AS s \gset
SELECT quality FROM answer_investigation_record_output(:s, 'git', 'status', '', E'On branch main\nnothing to commit\n');
SELECT answer_complete(:s) AS by_status;
SELECT quality FROM answer_investigation_record_output(:s, 'git', 'log --oneline -10', '', E'1a2b3c4 Fix the parser\n');
SELECT class, quality, reason, answer_complete(:s) AS by_log FROM answer_quality(:s);

-- A signed receipt, and its replay.
SELECT answer_quality_receipt(:i) AS r \gset
SELECT answer_verify(:'r'::jsonb) -> 'ok' AS verify, answer_replay(:'r'::jsonb) AS replay,
	:'r'::jsonb ->> 'schema' AS schema, :'r'::jsonb ->> 'receipt_id' = 'qua_'
	|| left(encode(sha256(convert_to(answer_canonical(:'r'::jsonb - 'receipt_id' - 'signature'), 'UTF8')), 'hex'),
	16) AS id, :'r'::jsonb ->> 'outcome' AS outcome, :'r'::jsonb -> 'confidence' AS confidence;
SELECT string_agg(k, ' ' ORDER BY k COLLATE "C") AS members FROM jsonb_object_keys(:'r'::jsonb) AS k;
SELECT rules = :'r'::jsonb -> 'rules' AS same_rules FROM answer.quality_rules;
-- also where a requirement is of no intent, and a rule has numbers and nulls
BEGIN;
INSERT INTO answer.quality_requirement VALUES ('Explaining', 'Build', 'Strong'), ('', 'Build', 'Strong'),
	('zzz', 'Build', 'Strong');
INSERT INTO answer.quality_authority VALUES ('lint', 'Lint', '{"b": null, "a": 1.50, "c": true}'),
	('lint', 'Lint', '{}');
INSERT INTO answer.quality_class (class, position) VALUES ('Ärger "', 0);
SELECT answer.portable(rules) = answer_quality_receipt(:i) -> 'rules' AS same_rules FROM answer.quality_rules;
ROLLBACK;
SELECT key, value FROM jsonb_each(:'r'::jsonb -> 'entries' -> 0) WHERE key NOT IN ('recorded_at')
	ORDER BY key COLLATE "C";
SELECT count(*) AS stored, bool_and(body = :'r'::jsonb) AS same FROM answer.receipt WHERE schema = 'quality/v1';
SELECT what, answer_verify(r) -> 'ok' AS verify, answer_replay(r) AS replay FROM (VALUES ('as it is', :'r'::jsonb),
	('another quality', jsonb_set(:'r', '{entries,0,quality}', '"Weak"')),
	('a Verified entry', jsonb_set(:'r', '{entries,0,quality}', '"Verified"')),
	('more matches', jsonb_set(:'r', '{entries,0,match_count}', '2000')),
	('exact matches', jsonb_set(:'r', '{entries,0,exact_match_count}', '2000')),
	('a phrase', jsonb_set(:'r', '{entries,0,phrase_match}',
	to_jsonb(NOT (:'r'::jsonb #>> '{entries,0,phrase_match}')::boolean))),
	('no count', :'r'::jsonb #- '{entries,0,match_count}'),
	('another observation', jsonb_set(:'r', '{entries,0,observation}', '{"selection": null}')),
	('another outcome', jsonb_set(:'r', '{outcome}', '"InsufficientEvidence"')),
	('another level', jsonb_set(:'r', '{confidence,level}', '"Low"')),
	('an entry less', :'r'::jsonb #- '{entries,0}'), ('no rules', :'r'::jsonb - 'rules'),
	('rules of no sense', jsonb_set(:'r', '{rules,classes}', '[{}]')),
	('an intent of no sense', jsonb_set(:'r', '{investigation,intent}', '"Guess"')),
	('entries of no sense', jsonb_set(:'r', '{entries,0}', '7')),
	('another schema', jsonb_set(:'r', '{schema}', '"answer/v1"')), ('no object', '7'), ('nothing', NULL)) AS v (what,
	r);
-- rules as long as somebody likes: no more than n log n; pgtap/house_size has ten times as many
SELECT what, answer_replay(r) -> 'ok' AS ok FROM (VALUES ('tools',
	jsonb_set(:'r', '{rules,tools}', (:'r'::jsonb #> '{rules,tools}') || (SELECT jsonb_agg(jsonb_build_object('tool',
	't' || n, 'class', 'Build', 'family', 'f' || n)) FROM generate_series(1, 6000) AS n))),
	('classes', jsonb_set(jsonb_set(:'r', '{rules,classes}',
	(:'r'::jsonb #> '{rules,classes}') || (SELECT jsonb_agg(jsonb_build_object('class', 'c' || n))
	FROM generate_series(1, 6000) AS n)), '{rules,intents}',
	(:'r'::jsonb #> '{rules,intents}') || jsonb_build_object('intent', 'Long', 'requires',
	(SELECT jsonb_agg(jsonb_build_object('class', 'c' || n, 'quality', 'Weak')) FROM generate_series(1,
	6000) AS n))))) AS v (what, r);
UPDATE answer.receipt SET intent = NULL;
DELETE FROM answer.receipt;
TRUNCATE answer.receipt;
-- the one erasure: a tombstone, once; what is not as it was issued is reported
SELECT answer_quality_receipt(:i) AS gone, :'r'::jsonb ->> 'receipt_id' AS kept \gset
SELECT :'gone'::jsonb ->> 'receipt_id' AS gone_id \gset
SELECT answer_forget(:'gone_id', 'asked to') AS said \gset
SELECT :'said'::jsonb -> 'receipts' = jsonb_build_array(:'gone_id') AS forgotten,
	answer_forget(:'gone_id', 'asked again') = :'said'::jsonb AS again,
	state_of($$SELECT answer_forget('qua_0123456789abcdef', 'x')$$) AS unknown;
SELECT q.body ->> 'schema' AS schema, q.body ->> 'digest' = answer_digest(:'gone'::jsonb) AS digest,
	q.body = t.body AS tombstone, answer_verify(q.body) -> 'ok' AS verify, answer_replay(q.body) AS replay,
	q.intent AS intent FROM answer.receipt q JOIN answer.tombstone t USING (receipt_id) WHERE receipt_id = :'gone_id';
SELECT body = :'r'::jsonb AS the_other_stays, state_of($$UPDATE answer.receipt SET body = '{}'$$) AS append_only
	FROM answer.receipt WHERE receipt_id = :'kept';
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER receipt_append_only;
UPDATE answer.receipt SET body = jsonb_set(body, '{outcome}', '"InsufficientEvidence"') WHERE receipt_id = :'kept';
SELECT state_of(format('SELECT answer_forget(%L, %L)', :'kept', 'x')) AS changed;
UPDATE answer.receipt SET body = :'r', intent = 'Chat' WHERE receipt_id = :'kept';
SELECT state_of(format('SELECT answer_forget(%L, %L)', :'kept', 'x')) AS column_changed;
ROLLBACK;
BEGIN READ ONLY;
SELECT answer_quality_receipt(1);
ROLLBACK;
BEGIN READ ONLY;
SELECT answer_investigation_record(1, 'grep', '', '', '{}');
ROLLBACK;

-- min_quality in a check.
SELECT q AS min_quality, attempt(format('SELECT answer_validate(%L) #> ''{checks,0}''',
	jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 't', 'min_quality', q))))) AS validated
	FROM unnest(ARRAY['"None"', '"Weak"', '"Moderate"', '"Strong"', '"Verified"', '"strong"', '"Best"', '4', 'null',
	'true', '["Strong"]', '{}']::jsonb[]) AS q;
SELECT m AS needs, string_agg(format('%s: %s', coalesce(q, '-'),
	(answer_check(jsonb_build_object('tool', 't', 'min_quality', m, 'expect', '{"op": "eq", "value": 1}'::jsonb),
	jsonb_strip_nulls(jsonb_build_object('value', 1, 'quality', q)), '2026-01-01 00:00Z')).verdict),
	', ' ORDER BY n) AS verdicts FROM unnest('{None,Weak,Moderate,Strong,Verified}'::text[]) AS m,
	unnest(ARRAY[NULL, 'None', 'Weak', 'Moderate', 'Strong', 'Verified', 'Great', '0.61']) WITH ORDINALITY AS x (q, n)
	GROUP BY m ORDER BY array_position('{None,Weak,Moderate,Strong,Verified}', m);
-- below it nothing is adjudicated, not even a contradiction; the least of what is cited counts; what was observed stays
SELECT c.* FROM answer_check('{"tool": "t", "min_quality": "Strong", "expect": [{"op": "eq", "value": 2}, '
	'{"path": "a", "op": "exists"}]}', '[{"value": 1, "raw": {}, "quality": "Strong", '
	'"verification": {"confidence": 0.8}}, {"value": 1, "quality": "Weak", "verification": {"confidence": 0.5}}]',
	'2026-01-01 00:00Z') AS c;
SELECT verdict, explain FROM answer_check('{"tool": "t", "min_quality": "Verified"}',
	'{"value": 1, "quality": "Strong"}', '2026-01-01 00:00Z') UNION ALL SELECT verdict,
	explain FROM answer_check('{"tool": "t", "min_quality": "Weak", "observe": true}', '{"value": 1}',
	'2026-01-01 00:00Z') UNION ALL SELECT verdict,
	explain FROM answer_check('{"tool": "t", "min_quality": "None", "observe": true}', '{"value": 1}',
	'2026-01-01 00:00Z') UNION ALL SELECT verdict, explain FROM answer_check('{"tool": "t", "min_quality": "Weak"}',
	'[]', '2026-01-01 00:00Z');
-- one call site, facts in turn: rows are not patched over the gap
SELECT (answer_check('{"tool": "t", "min_quality": "Strong", "expect": {"op": "gte", "value": 1}}',
	jsonb_build_object('value', n, 'quality', CASE WHEN n % 2 = 0 THEN 'Strong' ELSE 'Weak' END),
	'2026-01-01 00:00Z')).* FROM generate_series(1, 4) AS n;
-- a fact's quality: graded from its raw result, or said by its producer, or derived by us
SELECT answer_tool_register('grep', required_args => '{query}', freshness => '1 day'),
	answer_tool_register('lint', required_args => '{file}'), answer_source_register('searcher');
SELECT answer_evidence_add('grep', '{"query": "engine"}', '{"match": "phrase", "match_count": 3}',
	'searcher') IS NOT NULL AND answer_evidence_add('grep', '{"query": "motor"}',
	'{"match": "token", "match_count": 3}', 'searcher') IS NOT NULL AND answer_evidence_add('grep',
	'{"query": "wrong"}', '{"hits": 3}', 'searcher') IS NOT NULL AND answer_evidence_add('lint', '{"file": "a.c"}',
	'{"q": "Moderate", "n": 1}', 'searcher') IS NOT NULL AND answer_evidence_add('lint', '{"file": "b.c"}',
	'{"q": "Verified", "n": 1}', 'searcher') IS NOT NULL AS added;
SELECT answer_eval(format('{"checks": [{"id": "strong", "tool": "grep", "args": {"query": "engine"}, '
	'"min_quality": "Strong", "expect": {"path": "match_count", "op": "gte", "value": 1}}, {"id": "weak", '
	'"tool": "grep", "args": {"query": "motor"}, "min_quality": "Moderate", "expect": {"path": "match_count", '
	'"op": "gte", "value": 1}}, {"id": "no observation", "tool": "grep", "args": {"query": "wrong"}, '
	'"min_quality": "Weak"},
	{"id": "registered", "tool": "lint", "args": {"file": "a.c"}, "min_quality": "Moderate"}, '
		'{"id": "it says Verified", "tool": "lint", "args": {"file": "b.c"}, "min_quality": "Weak"}, {"id": "said", '
		'"tool": "mine", "min_quality": "Strong"}, {"id": "said too little", "tool": "mine", "args": {"n": 2}, '
		'"min_quality": "Strong"}, {"id": "not said", "tool": "mine", "args": {"n": 3}, "min_quality": "Weak"}, '
		'{"id": "graded here", "tool": "find", "min_quality": "Strong"}, {"id": "not what it says", "tool": "find", '
		'"args": {"n": 2}, "min_quality": "Weak"},
	{"id": "recorded", "tool": "answer_observation", "args": {"investigation": %1$s, "digest": "%2$s"}, '
		'"min_quality": "Strong", "expect": {"path": "observation.match", "op": "eq", "value": "exact"}}, '
		'{"id": "derived", "tool": "answer_assessment", "args": {"investigation": %1$s, "class": "FileSearch"}, '
		'"min_quality": "Verified"}, {"id": "not ours", "tool": "postgres_server", "min_quality": "Weak"}, '
		'{"id": "nothing recorded", "tool": "answer_observation", "args": {"investigation": %1$s, "digest": "x"}, '
		'"min_quality": "Weak"}],
	"evidence": [{"fact": "mine", "value": 1, "quality": "Strong"}, {"fact": "mine", "args": {"n": 2}, "value": 1, '
		'"quality": "Moderate"}, {"fact": "mine", "args": {"n": 3}, "value": 1}, {"fact": "find", "quality": "Weak", '
		'"raw": {"match": "exact", "match_count": 1}}, {"fact": "find", "args": {"n": 2}, "quality": "Strong", '
		'"raw": {"match": "exact"}}]}', :i, answer_digest('{"match": "exact", "match_count": 1}'::jsonb))::jsonb)
		AS e \gset
SELECT c ->> 'id' AS id, c ->> 'verdict' AS verdict, c -> 'min_quality' AS min_quality, c #> '{explain,gap}' AS gap,
	c #>> '{explain,sqlstate}' AS sqlstate, :'e'::jsonb -> 'evidence_index' -> (c #>>
	'{evidence,0}') -> 'quality' AS quality FROM jsonb_array_elements(:'e'::jsonb -> 'checks') AS c;
SELECT :'e'::jsonb ->> 'verdict' AS verdict, answer_verify(:'e'::jsonb) -> 'ok' AS verify;
-- one observation of several tools: unless one is named, the least it is worth counts
SELECT opened('Locate') AS o \gset
SELECT string_agg(quality::text, ' ' ORDER BY tool) AS recorded FROM unnest('{find,grep,references}'::text[]) AS tool,
	answer_investigation_record(:o, tool, 'e', 't', '{"match_count": 6}');
SELECT answer.tool_observation(a) ->> 'quality' AS least,
	answer.tool_observation(a || '{"tool": "references"}') ->> 'quality' AS named
	FROM jsonb_build_object('investigation', :o, 'digest', answer_digest('{"match_count": 6}'::jsonb)) AS a;
-- the quality is under the fact's digest, and replay needs nothing else
SELECT what, answer_verify(v.r) #> '{steps,closure,ok}' AS closure,
	answer_verify(v.r) #> '{steps,replay,ok}' AS replay FROM (SELECT :'e'::jsonb AS r,
	(SELECT key FROM jsonb_each(:'e'::jsonb -> 'evidence_index') WHERE value ->> 'fact' = 'grep'
	AND value ->> 'quality' = 'Weak') AS weak) AS x,
	LATERAL (VALUES ('as it is', x.r), ('better than it was', jsonb_set(x.r, ARRAY['evidence_index', weak, 'quality'],
	'"Strong"')), ('less is demanded', jsonb_set(x.r, '{checks,1,min_quality}', '"Weak"')),
	('nothing is demanded', x.r #- '{checks,1,min_quality}'),
	('a sixth word is demanded', jsonb_set(x.r, '{checks,1,min_quality}', '"Good"'))) AS v (what, r);

DROP FUNCTION assess, derived, stored, opened, entry_sql, plan_of;
DROP TABLE graded, printed, relation, parallel_gap, fresh, asked;
DELETE FROM answer.evidence WHERE tool IN ('grep', 'lint');
DELETE FROM answer.evidence_series WHERE tool IN ('grep', 'lint');
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DELETE FROM answer.quality_entry;
DELETE FROM answer.investigation;
DELETE FROM answer.quality_tool WHERE NOT seed;
DELETE FROM answer.quality_class WHERE NOT seed;
DELETE FROM answer.quality_intent WHERE NOT seed;
DELETE FROM answer.quality_requirement WHERE NOT seed;
DELETE FROM answer.quality_compatibility WHERE NOT seed;
DELETE FROM answer.quality_authority WHERE NOT seed;
DROP FUNCTION lint_grader, lint_bad, lint_null, lint_volatile;

-- An investigation belongs to the role that opened it.
CREATE ROLE regress_opener;
CREATE ROLE regress_member IN ROLE regress_opener;
CREATE ROLE regress_outsider;
GRANT USAGE ON SCHEMA answer TO regress_opener, regress_outsider;
GRANT SELECT ON answer.investigation, answer.quality_entry, answer.quality_rule TO regress_opener, regress_outsider;
GRANT EXECUTE ON FUNCTION answer_investigation_open(text, text, text), answer_investigation_record(bigint, text, text,
	text, jsonb, text[], text), answer_investigation_record_output(bigint, text, text, text, text, text[], text),
	answer_investigation_close(bigint), answer_quality_receipt(bigint), answer_complete(bigint),
	answer.assessment_of(bigint) TO regress_opener, regress_outsider;
SET ROLE regress_opener;
SELECT answer_investigation_open('Status', 'whose?') AS w \gset
RESET ROLE;
SELECT opened_by FROM answer.investigation WHERE investigation = :w;
CREATE FUNCTION calls(w bigint, OUT record text, OUT output text) LANGUAGE sql AS $$
	SELECT format('answer_investigation_record(%s, ''git'', ''log'', '''', %L)', w,
		'{"command": "log", "question": "history"}'),
		format('answer_investigation_record_output(%s, ''git'', ''log --oneline'', '''', ''1a2b3c4 x'',
		''{}'', ''b'')', w) $$;
SELECT record, output FROM calls(:w) \gset
SET ROLE regress_outsider;
SELECT regexp_replace(attempt('SELECT ' || :'record'), '\d+ belongs', 'n belongs') AS record,
	state_of('SELECT ' || :'output') AS output, state_of('SELECT answer_quality_receipt(' || :w || ')') AS receipt,
	state_of('SELECT answer_investigation_close(' || :w || ')') AS close, answer_complete(:w) AS complete;
RESET ROLE;
-- a function with its owner's rights counts as its owner, whoever calls it
CREATE FUNCTION recorder(call text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$ DECLARE r text;
	BEGIN EXECUTE 'SELECT ' || call INTO r; RETURN r; END $$;
GRANT CREATE ON SCHEMA public TO regress_outsider, regress_opener;
ALTER FUNCTION recorder(text) OWNER TO regress_outsider;
SET ROLE regress_opener;
SELECT state_of(format('SELECT recorder(%L)', :'record')) AS by_the_others_function;
RESET ROLE;
ALTER FUNCTION recorder(text) OWNER TO regress_opener;
SET ROLE regress_outsider;
SELECT recorder(:'record') IS NOT NULL AS by_the_openers;
RESET ROLE;
DROP FUNCTION recorder;
-- a member with the role's rights, and the owner of the extension
SET ROLE regress_member;
SELECT (answer_investigation_record_output(:w, 'git', 'log --oneline', '', '1a2b3c4 x', '{}', 'm')).is_new;
RESET ROLE;
SELECT answer_quality_receipt(:w) ->> 'schema' AS owner;
-- of a role that is gone only the owner is left
SET ROLE regress_opener;
SELECT answer_investigation_close(:w) IS NOT NULL AS closed;
SELECT answer_investigation_open('Status', 'gone?') AS w \gset
RESET ROLE;
DROP OWNED BY regress_opener, regress_member;
DROP ROLE regress_opener, regress_member;
SET ROLE regress_outsider;
SELECT state_of('SELECT answer_investigation_close(' || :w || ')') AS of_a_role_that_is_gone;
RESET ROLE;
SELECT answer_investigation_close(:w) AS by_the_owner;
UPDATE answer.investigation SET opened_by = 'regress_outsider' WHERE investigation = :w;
SET ROLE regress_outsider;
SELECT answer_investigation_close(:w) AS given_to_another;
RESET ROLE;
DROP OWNED BY regress_outsider;
DROP ROLE regress_outsider;
-- what is recorded has a size
SELECT state_of($$SELECT answer_investigation_open('Status', repeat('x', 1048576))$$) AS question,
	state_of($$SELECT answer_investigation_open('Status', repeat('x', 1048577))$$) AS longer;
SELECT answer_investigation_open('Status', 'sizes') AS w \gset
SELECT argument, state_of(format('SELECT answer_investigation_record(%s, tool => %s, query => %s, target => %s, '
	'observation => %s, sources => %s, run => %s)', :w, CASE argument WHEN 'tool' THEN long ELSE $$'git'$$ END,
	CASE argument WHEN 'query' THEN long ELSE $$'log'$$ END, CASE argument WHEN 'target' THEN long ELSE $$''$$ END,
	CASE argument WHEN 'observation' THEN format('to_jsonb(%s)', long) ELSE $$'{"command": "log"}'$$ END,
	CASE argument WHEN 'sources' THEN format('ARRAY[%s]', long) ELSE $$'{}'$$ END, CASE argument WHEN 'run' THEN long
	ELSE $$''$$ END)) AS state FROM unnest('{none,tool,query,target,observation,sources,run}'::text[]) AS argument,
	(VALUES ($$repeat('x', 1048577)$$)) AS l (long);
DROP FUNCTION calls;
DELETE FROM answer.quality_entry;
DELETE FROM answer.investigation;
