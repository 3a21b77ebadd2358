-- Evidence quality: what is sought, what is about it, and who agrees.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';

-- What a question seeks: its one quoted phrase, else its one word that looks like a name in a program, else its items.
SELECT left(q, 34) AS question, left(answer.question_subject(q), 34) AS subject FROM unnest(ARRAY[
	'what about "evidence gating"?', 'where is `startup  model selection`', E'what is ''provider\n credentials'' for?',
	'where is “the lens” kept?', 'where is «the lens» kept?', 'where is ExecutionEngine?',
		'what does std::vector<int> do?',
	'what is in src/session.c, please?', 'who calls main()?', 'what is keeper_of_light (in C)?',
		'what sets --log_file=x?',
	-- a phrase outweighs names, and two of a kind are ambiguous
	'where does a.c say "the lamp"?', 'is "one" or "two"?', 'a.c or b.c?', 'a.c, or a.c?', '"one", "one"',
	-- no names: acronyms, abbreviations, numbers, apostrophes, other scripts, nothing
	'why does CI fail for these PRs?', 'which tests, e.g. slow ones?', 'is 3.14 more than 2?',
		'what''s the engine''s state?',
	'où est naïve_bayes ?', 'ExecutionEngineはどこですか', '""', '', '" "', 'a "phrase that never ends',
	'X-Ray', 'HTTPServer', 'is v1.2 out?', repeat('x', 256) || '_', '"' || repeat('x', 257) || '"',
		'"' || repeat('x', 256) || '"'
	]) AS q ORDER BY length(q), q COLLATE "C";
SELECT q AS question, answer.question_subject(q) AS subject FROM unnest(ARRAY[
	'where are provider credentials configured?', 'where is the code?', 'which file handles password resets?',
	'where is read-only mode handled?', 'what does JWTVerifier do?', 'JWTVerifier or src/session.c?', 'foo__bar', 'x_y',
	'a b', 'where does the limit of 30 MB or thirty MB come from?', 'why is it not retried?', 'and/or', '2024-11-05?'
	]) AS q;
SELECT length(answer.question_subject(string_agg('item' || i || 'x', ' '))) AS as_many_as_fit
	FROM generate_series(1, 100) AS i;
SELECT answer.question_subject(NULL) IS NULL AS of_null;
-- The words that only say what kind of thing is sought are rows; rows of one's own are followed at once, by everybody.
SELECT string_agg(word, ' ' ORDER BY word COLLATE "C") AS shipped FROM answer.quality_question_form WHERE seed;
INSERT INTO answer.quality_question_form VALUES ('Configured'), ('naïve'), ('two words');
CREATE ROLE subject_nobody;
GRANT USAGE ON SCHEMA answer TO subject_nobody;
SET ROLE subject_nobody;
SELECT answer.question_subject('where are provider credentials configured?') AS one,
	answer.question_subject('what is a NAÏVE guess in two words?') AS other;
SELECT state_of('SELECT FROM answer.quality_question_form') AS not_to_be_read;
RESET ROLE;
REVOKE USAGE ON SCHEMA answer FROM subject_nobody;
DROP ROLE subject_nobody;
SELECT name, state FROM answer.change_state WHERE kind = 'quality_question_form' ORDER BY name COLLATE "C";
SELECT answer_investigation_open('Locate', 'where are provider credentials configured?') AS i \gset
SELECT subject AS by_the_rows FROM answer.investigation WHERE investigation = :i;
SELECT answer_quality_receipt(:i) AS r \gset
SELECT r -> 'rules' = q.rules AS rules, r -> 'rules' -> 'question_form' @> '["Configured", "naïve", "where"]' AS words,
	r #> '{reproduce,evaluator,digests}' ? 'reading_rules' AS of_items, answer_replay(r) -> 'ok' AS replayed
FROM (SELECT :'r'::jsonb) AS v (r), answer.quality_rules AS q;
DELETE FROM answer.quality_question_form WHERE NOT seed;
SELECT answer.question_subject('where are provider credentials configured?') AS again,
	answer_replay(:'r'::jsonb) -> 'ok' AS still_replayed,
	state_of($$INSERT INTO answer.quality_question_form VALUES ('')$$) AS empty;
-- linear time; pgtap/house_size has ten times as much
SELECT answer.question_subject(repeat('" ''a ', 17000)) AS marks,
	answer.question_subject(repeat('a_', 50000)) AS long;

-- It is kept when an investigation is opened; the caller knows better, also that nothing is sought.
CREATE FUNCTION subject_of(investigation bigint) RETURNS text LANGUAGE sql AS $$
	SELECT subject FROM answer.investigation i WHERE i.investigation = subject_of.investigation $$;
SELECT subject_of(answer_investigation_open('Locate', 'where is "the lamp"?')) AS derived,
	subject_of(answer_investigation_open('Locate', 'where is "the lamp"?', E' the\tlens ')) AS given,
	subject_of(answer_investigation_open('Locate', 'where is "the lamp"?', ' ')) AS nothing,
	subject_of(answer_investigation_open('Locate', 'where is it?')) AS none;
SELECT attempt($$SELECT answer_investigation_open('Locate', 'x', repeat('é', 129))$$) AS too_long,
	length(subject_of(answer_investigation_open('Locate', 'x', repeat('é', 128)))) AS as_long_as_can_be,
	state_of($$INSERT INTO answer.investigation (intent, question, subject) VALUES ('Chat', '', '')$$) AS empty;

-- Helpers: entries are tool|query|target|observation|source,source.
CREATE FUNCTION sought(intent text, question text, subject text, VARIADIC entries text[]) RETURNS answer_assessment
LANGUAGE sql AS $$
	SELECT answer_assess(r.rules, intent, question, subject, jsonb_build_object('class', (g).class, 'tool', p[1],
		'query', p[2], 'target', p[3], 'sources', string_to_array(p[5], ','), 'quality', (g).quality, 'strength',
		(g).strength, 'reason', (g).reason, 'observation', p[4]::jsonb))
	FROM answer.quality_rules r, (SELECT string_to_array(e, '|') AS p,
		answer.grade(split_part(e, '|', 1), split_part(e, '|', 4)::jsonb) AS g
			FROM unnest(entries) AS e OFFSET 0) AS x $$;
CREATE FUNCTION said(a answer_assessment) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT format('%s %s: %s', class, quality, reason) FROM unnest(a.classes) $$;
CREATE FUNCTION recorded(i bigint, VARIADIC entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	p text[];
	e text;
BEGIN
	FOREACH e IN ARRAY entries LOOP
		p := string_to_array(e, '|');
		PERFORM answer_investigation_record(i, p[1], p[2], p[3], p[4]::jsonb,
			COALESCE(string_to_array(p[5], ','), '{}'));
	END LOOP;
	RETURN i;
END $$;

-- The six false positives of the benchmark.  Something is found each time, and all of it is about something else: the
-- words apart, or one of them alone, which then is a phrase or an identifier of its own.
CREATE TABLE false_positive (name text, question text, entries text[]);
INSERT INTO false_positive VALUES
	('evidence gating', 'how does "evidence gating" work?', ARRAY[
		'grep|evidence gating||{"match": null, "match_count": 0}',
		'grep|evidence|src/evidence.c|{"match": "phrase", "match_count": 120}',
		'read|src/evidence.c|src/evidence.c|{"selection": "highest_confidence", "files_read": 1}']),
	('startup model selection', 'where is "startup model selection"?', ARRAY[
		'find|startup model selection|src/startup.cpp|{"match": "token", "match_count": 1}',
		'find|startup.cpp|src/startup.cpp|{"match": "exact", "match_count": 1}',
		'read|src/startup.cpp|src/startup.cpp|{"selection": "highest_confidence", "files_read": 1}']),
	('provider credentials configured', 'where are provider credentials configured?', ARRAY[
		'grep|provider credentials configured|provider_auth.h|{"match": "token", "match_count": 30}',
		'read|provider_auth.h|provider_auth.h|{"selection": "first_of_grep", "files_read": 1}']),
	('xqkz_2024_nonexistent_class', 'search for xqkz_2024_nonexistent_class', ARRAY[
		'grep|class|src/session.h|{"match": "identifier", "match_count": 9}',
		'references|class|src/session.h|{"match_count": 9}',
		'read|src/session.h|src/session.h|{"selection": "highest_confidence", "files_read": 1}',
		'reader|src/session.h|src/session.h|{"agrees": true, "passages": 3}']),
	('retry backoff policy', 'what is the `retry backoff policy`?', ARRAY[
		'grep|retry|src/retry.c|{"match": "phrase", "match_count": 4}',
			'grep|policy|src/retry.c|{"match": "phrase", "match_count": 2}',
		'read|src/retry.c|src/retry.c|{"selection": "highest_confidence", "files_read": 1}']),
	('xqkz_2024_missing_function', 'search for xqkz_2024_missing_function', ARRAY[
		'grep|xqkz_2024_missing_function|src/a.c|{"match": "token", "match_count": 60}',
		'grep|function|src/a.c|{"match": "phrase", "match_count": 60}',
			'find|a.c|src/a.c|{"match": "exact", "match_count": 1}',
		'read|src/a.c|src/a.c|{"selection": "highest_confidence", "files_read": 1}']);
CREATE TABLE asked AS SELECT name, intent, entries, answer_investigation_open(intent, question) AS i
	FROM false_positive, unnest('{Locate,Navigate,Compare}'::text[]) AS intent;
SELECT count(recorded(i, VARIADIC entries)) AS investigations FROM asked;
SELECT name, subject_of(i) AS subject, c.quality, c.reason FROM asked, answer_quality(i) AS c
	WHERE intent = 'Locate' AND class = 'FileSearch' ORDER BY name;
-- the search that was meant would have been good enough
SELECT name, (sought('Locate', question, answer.question_subject(question), VARIADIC entries
	|| format('grep|%s|%s|{"match": "phrase", "match_count": 1}', name, split_part(entries[1], '|', 3)))).complete
	FROM false_positive ORDER BY name;
SELECT name, intent, answer_complete(i) AS complete, answer_investigation_close(i) AS outcome FROM asked
	ORDER BY name, intent;

-- A search must name all of what is sought: every word, in any order and case, and not inside another word.
SELECT subject, query, (SELECT quality FROM unnest((sought('Chat', '', subject,
	format('grep|%s|a.c|{"match": "phrase", "match_count": 1}', query))).classes)) AS quality FROM (VALUES
	('evidence gating', 'evidence gating'), ('evidence gating', 'Gating of EVIDENCE'),
	('evidence gating', 'evidence_gating.c'),
	('evidence gating', 'evidence'), ('evidence gating', 'gating'), ('evidence gating', 'evidencegating'),
	('class', 'subclass'),
	('a_b', 'a_b'), ('a_b', 'A_B()'), ('a_b', 'a b'), ('a_b', 'xa_b'), ('std::vector', 'vector'),
	('std::vector', 'std::vector<int>'),
	('operator==', 'operator'), ('été', 'un été'), ('été', 'ete'), ('lens', 'lens_2'), ('lens', 'lens2'),
	('::', 'a::b'), ('::', 'a:b'),
	('', 'anything'), (NULL, 'anything'), (' ', '')) AS v (subject, query);
-- Of items all but one will do, two at least, with the help of the target.
SELECT query, target, (SELECT quality FROM unnest((sought('Chat', question, answer.question_subject(question),
	format('grep|%s|%s|{"match": "phrase", "match_count": 1}', query, target))).classes)) AS quality
	FROM (VALUES ('where are provider credentials configured?', 'provider credentials', 'a.c'),
	('where are provider credentials configured?', 'provider', 'a.c'),
	('where are provider credentials configured?', 'provider', 'src/credentials.c'),
	('where are provider credentials configured?', 'ProviderConfig', 'a.c'),
	('where are provider credentials configured?', 'prov config', 'a.c'),
	('where are provider credentials configured?', 'pro con', 'provider/credentials'),
	('where is the retry backoff policy of uploads?', 'retry backoff', 'a.c'),
	('where is the retry backoff policy of uploads?', 'retry backoff', 'src/upload.c'),
	('where is the retry backoff policy of uploads?', 'retry', 'src/upload_backoff_policy.c'),
	('where is the lamp?', 'lamp', 'a.c'), ('where is the lamp?', 'lens', 'lamp.c'), ('', 'x', 'a.c'))
	AS v (question, query, target);
-- a subject that is given is none of items, unless it is what the question gives
SELECT subject, (SELECT quality FROM unnest((sought('Chat', 'where are the lamp and the wick and the oil?', subject,
	'grep|lamp oil|a.c|{"match": "phrase", "match_count": 1}')).classes)) AS quality
	FROM unnest(ARRAY['lamp oil wick', 'oil wick lamp', ' lamp  oil wick ']) AS subject;
-- strong, moderate and weak searches alike; what found nothing says only that
SELECT said(sought('Chat', '', 'evidence gating', format('grep|evidence|a.c|{"match": "%s", "match_count": 3}', m)))
	FROM unnest('{identifier,substring,token,null}'::text[]) AS m WHERE m <> 'null'
	UNION ALL SELECT said(sought('Chat', '', 'evidence gating', 'grep|evidence|a.c|{"match": null}'));
-- a tool that does not search is not asked for it, and the tool that is next is that for what is sought
SELECT said(sought('Chat', '', 'Engine', 'git|log||{"command": "log", "question": "history", "output_lines": 1}',
	'discovery|scan|.|{"type": "c"}', 'cmake|all||{"ok": true}'));
SELECT g.tool FROM (VALUES ('evidence gating', 'evidence'), ('Engine', 'two words'), ('Engine', 'Motor'),
	(NULL, 'Motor')) AS v (s, q),
	unnest((sought('Locate', 'where is it?', s, format('grep|%s|a.c|{"match": "token", "match_count": 1}', q))).gap)
		AS g
	WHERE class = 'FileSearch';

-- A reading is of the right file: another tool found it, or the question names it.
CREATE TABLE reading (case_ text, question text, entries text[]);
INSERT INTO reading VALUES
	('nobody found it', 'where is it?', '{}'),
	('found as a target', 'where is it?', ARRAY['grep|x|a.c|{"match": "token", "match_count": 1}']),
	('found as a source', 'where is it?', ARRAY['grep|x||{"match": "token", "match_count": 1}|b.c,./a.c']),
	('another was found', 'where is it?', ARRAY['grep|x|src/a.c|{"match": "phrase", "match_count": 1}|b.c']),
	('looked at in vain', 'where is it?', ARRAY['grep|x|a.c|{"match": null, "match_count": 0}|a.c']),
	('read again', 'where is it?', ARRAY['read|again|a.c|{"selection": "highest_confidence", "files_read": 1}|a.c']),
	('a commit touched it', 'where is it?', ARRAY['git|log||{"command": "log", "output_lines": 1}|a.c']),
	('an unknown tool', 'where is it?', ARRAY['grep|x|a.c|{"match": "phrase", "match_count": 1}']),
	('named', 'what does A.C do?', '{}'), ('named with its folder', 'what does (src/a.c) do?', '{}'),
	('named in full', 'in ./a.c?', '{}'),
	('another is named', 'what does b.c do?', '{}'), ('a part is named', 'what does a do?', '{}');
SELECT case_ AS "case", said(CASE case_ WHEN 'an unknown tool'
	THEN (SELECT answer_assess(r.rules, 'Chat', question, NULL, jsonb_build_object('class', (g).class, 'tool',
		CASE p[1] WHEN 'grep' THEN 'gone' ELSE p[1] END, 'query', p[2], 'target', p[3], 'quality', (g).quality,
		'strength', (g).strength, 'reason', (g).reason, 'observation', p[4]::jsonb))
		FROM answer.quality_rules r, unnest(entries || one) AS e, string_to_array(e, '|') AS p,
			answer.grade(p[1], p[4]::jsonb) AS g)
	ELSE sought('Chat', question, NULL, VARIADIC entries || one) END) AS said
	FROM reading, format('read|%s|%1$s|{"selection": "ranked", "files_read": 1}',
		CASE case_ WHEN 'named with its folder' THEN '/work/src/a.c' ELSE 'a.c' END) AS one;
SELECT said(sought('Chat', 'what?', NULL, 'read|x||{"selection": "ranked", "files_read": 1}')) AS no_target;
-- what is found later counts as well, also for an aggregate that goes on
SELECT n, (SELECT quality FROM unnest(classes) WHERE class = 'FileContent') AS quality FROM (
	SELECT n, (answer_assess(r.rules, 'Chat', '', NULL, jsonb_build_object('class', (g).class, 'tool', p[1], 'query',
		p[2], 'target', p[3], 'quality', (g).quality, 'strength', (g).strength, 'reason', (g).reason, 'observation',
		p[4]::jsonb)) OVER (ORDER BY n)).classes
	FROM answer.quality_rules r, unnest(ARRAY['read|a.c|a.c|{"selection": "highest_confidence", "files_read": 1}',
		'find|b.c|b.c|{"match": "exact", "match_count": 1}', 'find|a.c|a.c|{"match": "partial", "match_count": 1}'])
		WITH ORDINALITY AS e (e, n), string_to_array(e, '|') AS p, answer.grade(p[1], p[4]::jsonb) AS g) AS x;

-- A reader agrees: that verifies a Strong reading of the same target, and nothing less.
SELECT v.case_ AS "case", said(a) AS said, a.agreement FROM (VALUES
	('agrees', 'highest_confidence', '{"agrees": true, "passages": 2}', 'a.c'),
	('ranked', 'ranked', '{"agrees": true, "passages": 2}', 'a.c'),
	('about nothing', 'highest_confidence', '{"agrees": true}', 'a.c'),
	('another file', 'highest_confidence', '{"agrees": true, "passages": 2}', 'b.c'),
	('does not agree', 'highest_confidence', '{"agrees": false, "passages": 2}', 'a.c'),
	('does not say', 'highest_confidence', '{"passages": 2}', 'a.c')) AS v (case_, selection, observation, target),
	sought('Chat', 'in a.c and b.c?', NULL, format('read|a.c|a.c|{"selection": "%s", "files_read": 1}', selection),
		format('reader|x|%s|%s', target, observation)) AS a;
SELECT tool, class, family FROM answer.quality_tool WHERE class = 'FileContent' AND seed ORDER BY tool;

-- Authority is that of a Strong entry.
SELECT said(sought('Chat', '', NULL, o)) FROM unnest(ARRAY[
	'git|log||{"command": "log", "question": "history", "output_lines": 1}',
	'git|log||{"command": "log", "question": "history", "output_lines": 1, "has_query_terms": true,
		"matching_commits": 1}',
	'gh|run view||{"command": "run view"}', 'gh|run view||{"command": "run view", "conclusion": "failure"}']) AS o;
SELECT state_of($$INSERT INTO answer.quality_authority VALUES ('git', 'GitLog', '{}', 'Moderate')$$) AS moderate,
	(SELECT count(*) FROM answer.quality_authority WHERE quality <> 'Strong') AS others;

-- One requirement.
SELECT answer_investigation_open('Locate', 'where is "the lamp"?') AS i \gset
SELECT recorded(:i, 'grep|the lamp|lamp.c|{"match": "phrase", "match_count": 3, "exact_match_count": 2}',
	'read|lamp.c|lamp.c|{"selection": "ranked", "files_read": 1}') IS NOT NULL AS recorded;
SELECT class, string_agg(q || ' ' || answer.has_quality(:i, class, q), ', ' ORDER BY q) AS has
	FROM unnest('{FileSearch,FileContent,Build}'::text[]) AS class, unnest(enum_range(NULL::answer_quality_level)) AS q
	GROUP BY class ORDER BY class;
SELECT attempt(q) FROM unnest(ARRAY[format($$SELECT answer.has_quality(%s, 'Nothing', 'Weak')$$, :i),
	format($$SELECT answer.has_quality(%s, NULL, 'Weak')$$, :i),
		format($$SELECT answer.has_quality(%s, 'Build', NULL)$$, :i),
	format($$SELECT answer.has_quality(%s, 'Build', 'Good')$$, :i),
		$$SELECT answer.has_quality(NULL, 'Build', 'Weak')$$,
	$$SELECT answer.has_quality(-1, 'Build', 'Weak')$$]) AS q;
-- exact matches are a count of their own
SELECT tool, match_count, exact_match_count, phrase_match FROM answer.quality_entry WHERE investigation = :i
	ORDER BY tool;
SELECT state_of(format($$UPDATE answer.quality_entry SET exact_match_count = 4 WHERE investigation = %s$$,
	:i)) AS more_than_all;
SELECT r -> 'observation' AS observation, r ->> 'reason' AS reason FROM answer.grade_text('grep', 'lamp',
	E'a.c:1:lamp\na.c:2:lamps\na.c:3:the lamp\na.c:4:Lamp') AS r;

-- A receipt says what was sought, and is assessed by that.
SELECT answer_quality_receipt(:i) AS r \gset
SELECT :'r'::jsonb -> 'investigation' -> 'subject' AS subject, :'r'::jsonb #> '{reproduce,evaluator,rules}' AS rules,
	answer_verify(:'r'::jsonb) -> 'ok' AS verify,
		(SELECT string_agg(concat_ws(' ', c ->> 'class', c ->> 'relevance'), ', ')
	FROM jsonb_array_elements(:'r'::jsonb -> 'rules' -> 'classes') AS c) AS classes;
SELECT what, answer_replay(r) ->> 'ok' AS ok, answer_replay(r) ->> 'reason' AS reason FROM (VALUES
	('as it is', :'r'::jsonb), ('another subject', jsonb_set(:'r', '{investigation,subject}', '"the lens"')),
	('no subject', :'r'::jsonb #- '{investigation,subject}'),
	('no text', jsonb_set(:'r', '{investigation,subject}', '7')),
	('too long', jsonb_set(:'r', '{investigation,subject}', to_jsonb(repeat('x', 257)))),
	('another relevance', jsonb_set(:'r', '{rules,classes,0,relevance}', '"target"')),
	('a relevance of no sense', jsonb_set(:'r', '{rules,classes,0,relevance}', '"name"')),
	('none at all', jsonb_set(:'r', '{rules,classes,0,relevance}', 'null')),
	('sources of no sense', jsonb_set(:'r', '{entries,0,sources}', '[7, {}]'))) AS v (what, r);
-- one of items has the rules of reading, and is replayed by them; those before quality/3 took words as they are written
SELECT recorded(answer_investigation_open('Locate', 'where are provider credentials configured?'),
	'grep|provider credentials|a.c|{"match": "phrase", "match_count": 3}') AS i \gset
SELECT answer_quality_receipt(:i) AS items \gset
SELECT answer_verify(:'items'::jsonb) -> 'ok' AS verify, :'items'::jsonb #>> '{classes,0,quality}' AS quality,
	:'items'::jsonb #>> '{reproduce,evaluator,digests,reading_rules}'
		= answer_digest(answer.shipped_decision_rules()) AS digest, :'items'::jsonb ? 'reading_rules' AS inside;
SELECT what, answer_replay(r) ->> 'ok' AS ok, COALESCE(answer_replay(r) ->> 'reason', answer_verify(r) ->> 'incomplete')
	AS reason FROM (VALUES
	('as it is', :'items'::jsonb), ('without rules', :'items'::jsonb #- '{reproduce,evaluator,digests,reading_rules}'),
	('with rules inside', jsonb_set(:'items', '{reading_rules}', answer.shipped_decision_rules())),
	('rules that nobody knows', jsonb_set(:'items', '{reproduce,evaluator,digests,reading_rules}',
		to_jsonb('sha256:' || repeat('7', 64)))),
	('rules of no sense', jsonb_set(:'items', '{reading_rules}', '7')),
	('of before the words were rows', :'items'::jsonb #- '{rules,question_form}'),
	('one word more', jsonb_insert(:'items', '{rules,question_form,0}', '"credentials"')),
	('no words', jsonb_set(:'items', '{rules,question_form}', '[]')),
	('words of no sense', jsonb_set(:'items', '{rules,question_form}', '"where"')),
	('a word of no sense', jsonb_set(:'items', '{rules,question_form,0}', '7')),
	('another question', jsonb_set(:'items', '{investigation,question}', '"where?"')),
	('by quality/2', jsonb_set(:'items', '{reproduce,evaluator,rules,0}', '"quality/2"'))) AS v (what, r);
SELECT rules, answer_replay(jsonb_set(jsonb_set(:'items'::jsonb - 'reading_rules', '{investigation,subject}', '"a_b"'),
	'{entries,0,query}', '"a b"') || jsonb_build_object('reproduce', jsonb_build_object('evaluator',
	jsonb_build_object('rules', jsonb_build_array(rules))))) ->> 'ok' AS ok
	FROM unnest('{quality/2,quality/3}'::text[]) AS rules;
-- by the first rules reader was a name for anybody's tool, and null a member
SELECT rules, answer_replay(jsonb_build_object('schema', 'quality/v1', 'investigation', '{"intent": "Chat"}'::jsonb,
		'rules', '{"classes": [], "tools": [], "authorities": [], "compatibilities": [],
			"intents": [{"intent": "Chat", "requires": []}]}'::jsonb,
		'reproduce', jsonb_build_object('evaluator', jsonb_build_object('rules', jsonb_build_array(rules))),
			'entries', entries,
		'outcome', 'success', 'complete', true, 'classes', '[]'::jsonb, 'gap', '[]'::jsonb, 'confidence',
			jsonb_build_object('level', NULL,
			'quality', NULL, 'coverage', '0/0', 'agreement', 'alone', 'explanation',
				'confidence is not rated because Chat requires no evidence')))
	FROM unnest('{quality/1,quality/2,quality/3}'::text[]) AS rules,
		(SELECT jsonb_agg(jsonb_build_object('class', class, 'tool', tool, 'quality', 'Weak',
			'strength', 'None', 'match_count', 0, 'exact_match_count', 0, 'phrase_match', false, 'digest',
				answer_digest(o), 'observation', o)) AS entries
		FROM (VALUES ('Discovery', 'discovery', '{"type": null}'::jsonb),
			('Mine', 'reader', '{"agrees": "yes"}')) AS v (class, tool, o)) AS x;

-- A class of a user demands the same, if he says so.
CREATE FUNCTION always_strong(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE
	LANGUAGE sql AS $$ SELECT (NULL, 'Strong', 'Low', 'it is there')::answer_graded $$;
SELECT answer_quality_class_register('Wiki', 'search', relevance => 'query'),
	answer_quality_class_register('Page', 'open', relevance => 'target'),
	answer_quality_grader_register('search', 'Wiki', 'always_strong(jsonb)'),
		answer_quality_grader_register('open', 'Page', 'always_strong(jsonb)');
SELECT said(sought('Chat', '', 'the lamp', 'search|the lamp|Lamp|{}', 'search|lens|Lens|{}', 'open|Lamp|Lamp|{}'));
SELECT said(sought('Chat', '', 'the lamp', 'search|lens|Lens|{}', 'open|Lamp|Lamp|{}'));
SELECT state_of($$SELECT answer_quality_class_register('Other', relevance => 'name')$$) AS another_word;

-- answer.grade reads what users registered, so it is not immutable; what is, reads no table.
SELECT provolatile, proparallel FROM pg_proc WHERE proname = 'grade';
CREATE TABLE observed (tool text, observation jsonb);
SELECT state_of($$CREATE INDEX ON observed ((answer.grade(tool, observation)))$$) AS index,
	state_of($$CREATE INDEX ON observed (answer.grade_text(tool, '', '{}'))$$) AS index_of_text;

DROP TABLE observed, false_positive, asked, reading;
DROP FUNCTION subject_of, sought, said, recorded, always_strong;
DELETE FROM answer.quality_entry;
DELETE FROM answer.investigation;
DELETE FROM answer.quality_tool WHERE NOT seed;
DELETE FROM answer.quality_compatibility WHERE NOT seed;
DELETE FROM answer.quality_class WHERE NOT seed;
