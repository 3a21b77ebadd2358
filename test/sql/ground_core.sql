-- Grounded answers: words and clauses, rules, chunks, risk, ambiguity, citations, the decision.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';

-- Helpers. Each question below has its expected answer beside it; only what differs is shown, and how many there were.
CREATE FUNCTION ground_rules(patch jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer.shipped_decision_rules() || patch $$;
CREATE FUNCTION ground_chunk(id text, said text, similarity numeric DEFAULT 0.9, stamp text DEFAULT '2024-03-15')
RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('chunk_id', id, 'doc_id', split_part(id, '#', 1), 'text', said,
		'similarity', similarity, 'timestamp', stamp) $$;
CREATE FUNCTION ground_refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- The rules that ship are the file that they were made from, and the header is made from that file.
SELECT count(*) AS members, sum(jsonb_array_length(value)) FILTER (WHERE jsonb_typeof(value) = 'array') AS entries,
	(SELECT count(*) FROM jsonb_object_keys(answer.shipped_decision_rules()->'units')) AS units
	FROM jsonb_each(answer.shipped_decision_rules());
SELECT answer.risk('Our refund policy?', answer.shipped_decision_rules()) = answer.risk('Our refund policy?') AS same;

-- Words. "entry" stands in "said", or does not.
CREATE FUNCTION ground_stands(entry text, said text) RETURNS boolean LANGUAGE sql AS $$
	SELECT answer.risk(said, ground_rules(jsonb_build_object('risk',
		jsonb_build_object('high', jsonb_build_array(entry), 'medium', '[]'::jsonb))))->>'risk_level' = 'high' $$;
CREATE TABLE ground_words (n serial, entry text, said text, stands boolean);
INSERT INTO ground_words (entry, said, stands) VALUES
	-- tokens: letters, marks, decimal digits; folded; nothing but whole ones
	('limit', 'LIMIT', true), ('limit', 'limits', false), ('limit', 'limit2', false), ('limit', 'limit_2', true),
	('non refundable', 'Non-Refundable', true), ('can t', 'can''t', true), ('can''t', 'can’t', true),
	('req/hr', 'req / hr', true), ('soc 2', 'SOC-2', true), ('soc2', 'SOC 2', false), ('a', 'ª', false),
	('straße', 'STRAßE', true), ('straße', 'STRASSE', false), ('Ünal', 'üNAL', true), ('σας', 'ΣΑΣ', true),
	(U&'e\0301t', U&'E\0301T', true), (U&'e\0301t', U&'\00C9T', false), ('x²', 'x', true), ('½', 'a', false),
	('٣', '٣ x', true), ('Ⅷ', 'viii', false), ('日本', '日本', true), ('日', '日本', false),
	-- nothing outside ASCII folds into it: the Kelvin sign, the long s, the dotless i
	('kelvin', U&'\212Aelvin', false), ('s', U&'\017F', false), ('i', U&'\0131', false), ('i', U&'\0130', false),
	-- format characters are not there: soft hyphen, zero width space and joiners, byte order mark
	('refund', U&'re\00ADfund', true), ('refund', U&'\FEFFre\200Bfu\200C\200Dnd\2060', true),
	('a b', U&'a\200B b', true), ('ab', U&'a\200Bb', true), (U&'re\00ADfund', 'refund', true),
	-- a clause: closed by these, unless before a token character or behind an initial
	('a b', 'a b', true), ('aa b', 'aa. b', false), ('a b', 'a.b', true), ('a b', 'a! b', false), ('a b', 'a!b', true),
	('a b', 'a ?b', true), ('a b', 'a; b', false), ('a b', 'a;b', true), ('a b', 'a: b', false), ('a b', 'a:b', true),
	('a b', 'a… b', false), ('a b', 'a…b', true), ('aa b', 'aa..b', false), ('aa b', 'aa.)b', false),
	('a b', U&'a.\00ADb', true), ('a b', U&'a\200B.\200Bb', true), ('aa b', U&'aa.\00AD b', false),
	('a b', 'a, b', true), ('a b', 'a - b', true), ('a b', 'a "b"', true), ('a b', 'a (b)', true),
	('a b', 'a · b', true), ('a b', 'a. b', true), ('a b', 'a. B', false),
	-- by their like in other scripts always
	('a b', 'a。b', false), ('a b', 'a！b', false), ('a b', 'a？b', false), ('a b', 'a；b', false), ('a b', 'a：b', false),
	('a b', 'a؟b', false), ('a b', 'a؛b', false), ('a b', 'a۔b', false), ('a b', 'a।b', false), ('a b', 'a՞b', true),
	('a b', U&'a\037Eb', false), ('a b', 'a‽b', false), ('a b', 'a、b', true), ('a b', 'a，b', true),
	('a b', 'a።b', false),
	-- by a blank line, and by a line end before a list marker or a heading; another line end is a space
	('a b', E'a\nb', true), ('a b', E'a\r\nb', true), ('a b', E'a\n\nb', false), ('a b', E'a\r\n\r\nb', false),
	('a b', E'a\n \t \nb', false), ('a b', E'a\n\u00a0\nb', false), ('a b', E'a\n- b', false), ('a b', E'a\n-b', true),
	('a b', E'a\n* b', false), ('a b', E'a\n+ b', false), ('a b', E'a\n• b', false), ('a b', E'a\n  - b', false),
	('a b', E'a\n# b', false), ('a b', E'a\n##b', false), ('a b', 'a # b', true), ('a b', 'a - b', true),
	('a 1', E'a\n1. b', false), ('a 1', E'a\n1) b', false), ('a 1', E'a\n1.b', true), ('a 1', E'a\n1 b', true),
	('a 12', E'a\n12) b', false), ('a 1', E'a\n1 ) b', true), ('a b', E'a\n-\tb', false), ('a b', E'a\n-- b', true),
	('a b', E'- a\nb', true), ('a b', E'a\n-\u200B b', false), ('a b', E'a\n\u00AD-\u200Bb', true),
	('a 1', E'a\n1\u00AD.\u200B b', false);
SELECT * FROM ground_words WHERE ground_stands(entry, said) IS DISTINCT FROM stands ORDER BY n;
SELECT count(*) AS judged FROM ground_words;

-- A sentence is closed by the same without semicolons and colons: here each must say that it does not know.
SELECT said FROM (VALUES ('unclear. unclear', true), ('unclear. but', false), ('unclear; but', true),
	('unclear: but', true), ('unclear؛ but', true), ('unclear：but', true), ('but! unclear', false), ('unclear？but',
	false), (E'unclear\n- but', false), (E'unclear\n\nbut', false), (E'unclear\nbut', true), ('unclear.but', true),
	('...', false), ('', false), ('It is not. Clear', false), ('not enough information', true),
	('not enough. information', false), ('I don’t have enough of it', true),
	('No relevant information was found.', true), ('The documents don''t say.', true),
	('I could not find this in the sources.', true), ('This handbook doesn’t mention lockers!', true),
	('We couldn''t find a word about it. The contract doesn''t say who pays', true),
	('They don’t contain the fee; the fee is 3 dollars', true), ('They don’t contain the fee. It is 3 dollars', false),
	('Information was found', false), ('Say it, and don''t wait', false)) AS s (said, is_insufficient)
	WHERE (answer_citations_check(NULL, NULL, said)->>'citation_valid')::boolean IS DISTINCT FROM is_insufficient;

-- Lists of one group compete: the longest that begins earliest wins, and takes its words.
-- (terminals do not agree on the width of a soft hyphen)
SELECT replace(said, U&'\00AD', '(shy)') AS said, answer.risk(said)
FROM unnest(ARRAY['What is the API rate limit?', 'rate limits and limits', 'limits',
	'policy policies POLICY policy', 'soc 2, SOC2 and sla', 'social security', 'api keys', 'api key', 'quota, SLA',
	'hello', '', '...', U&'po\00ADlicy', 'rate. limits', 'rate limits limits', 'rate rate limits']) AS said;
SELECT said, answer.risk(said, ground_rules('{"risk": {"high": ["b c", "d", "B-C"], "medium": ["a b", "d", "c d e"]}}'))
	FROM unnest(ARRAY['a b c', 'b c', 'a b b c', 'd', 'c d', 'c d e', 'b c d e', 'a b c d e']) AS said;
SELECT answer.risk('x y', ground_rules('{"risk": {"high": ["", "...", "x"], "medium": []}}')) AS entry_without_word;

-- Ambiguity.
CREATE TABLE ground_queries (n serial, said text, row_no int);
INSERT INTO ground_queries (said, row_no) VALUES
	-- 1: an opening, a verb of change, no scope, no topic
	('Can we downgrade without penalties?', 1), ('May I cancel?', 1), ('So can we downgrade?', 3),
	('Can we downgrade the team plan?', NULL), ('Can we downgrade our enterprise?', NULL),
	('Can we store SSNs in plaintext?', NULL), ('Can we go?', NULL), ('Is it allowed to switch?', 1),
	('Is allowed: renew', 1), ('Can. we cancel', 3), ('Can we cancel the policy?', 1),
	-- 2: a word of time, and nothing beside it that says something
	('What is the latest?', 2), ('What is it now?', 2), ('And today?', 2), ('What is our current refund policy?', NULL),
	('What is the latest version?', NULL), ('What is it now in Q3?', NULL), ('What is it now in q5?', 2),
	('And when is it now?', NULL), ('What was the latest in 2024?', NULL), ('What may it be now?', 2),
	('now in May 5', NULL), ('now 5 May', NULL), ('now in may 5', 2), ('now June', NULL), ('current SLA', NULL),
	-- 3: a verb of change, and nothing behind it that says something
	('How do I change?', 3), ('How do I change it?', 3), ('How do I change my password?', NULL),
	('How do I change my mind?', NULL), ('Upgrade to it', 3), ('Upgrade the plan', NULL), ('Change and then cancel', 3),
	('May we change our region?', 3), ('May we upgrade the account?', 3), ('Cancel the SLA', NULL),
	('', NULL), ('hello', NULL), ('...', NULL);
SELECT q.*, answer.ambiguity(said) FROM ground_queries AS q WHERE answer.ambiguity(said)
	IS DISTINCT FROM answer.shipped_decision_rules()->'ambiguity'->(row_no - 1)->>'question' ORDER BY n;
SELECT count(*) AS judged FROM ground_queries;
-- years from 2000 to 2099 and months make a question of time clear
SELECT said,
	answer.ambiguity(said,
		ground_rules('{"ambiguity": [{"holds": ["current"], "question": "when?",
	"unless_month_or_year": true}]}'))
FROM unnest(ARRAY['current', 'current 1999', 'current 2000', 'current 2099', 'current 2100', 'current 02024',
	'current ٢٠٢٤', 'current may 5', 'current May 5', 'current May. 5', 'current 5 MAY', 'current May',
	'current May 5th', 'current june']) AS said;
SELECT answer.ambiguity('a b', ground_rules('{"ambiguity": []}')) IS NULL AS no_rows;

-- A rules document has exactly the members of the one that ships, each of its type.
SELECT ground_refused(format('SELECT answer.risk(%L, %L)', 'x', rules)) FROM (VALUES (1, '[]'::jsonb), (2, '"x"'),
	(3, 'null'), (4, '{}'), (5, answer.shipped_decision_rules() - 'allow'), (6, ground_rules('{"more": []}')),
	(7, ground_rules('{"allow": {}}')), (8, ground_rules('{"allow": ["a", 1]}')), (9, ground_rules('{"topics": [1]}')),
	(10, ground_rules('{"topics": [{"entry": "a"}]}')), (11,
	ground_rules('{"topics": [{"entry": "a", "family": null}]}')),
	(12, ground_rules('{"topics": [{"entry": "a", "family": "b", "kind": "c"}]}')),
	(13, ground_rules('{"topics": [{"entry": "a", "family": "b", "king": "c"}]}')),
	(14, ground_rules('{"units": []}')), (15, ground_rules('{"units": {"€": "a"}}')), (16,
	ground_rules('{"units": {"h": [null]}}')),
	(17, ground_rules('{"risk": []}')), (18, ground_rules('{"risk": {"high": []}}')),
	(19, ground_rules('{"risk": {"high": [], "medium": [], "low": []}}')), (20, ground_rules('{"stop_words": [true]}')),
	(21, ground_rules('{"ambiguity": [{"holds": []}]}')), (22, ground_rules('{"ambiguity": [{"question": ""}]}')),
	(23, ground_rules('{"ambiguity": [{"holds": [], "question": "", "unless_topic": 1}]}')),
	(24, ground_rules('{"ambiguity": [{"holds": [], "question": "", "or_after_opens_of": 1}]}')),
	(25, ground_rules('{"ambiguity": [{"holds": [], "question": "", "or_after_opens_of": 0.5}]}')),
	(26, ground_rules('{"ambiguity": [{"holds": [], "question": "", "or_after_opens_of": -1}]}')),
	(27, ground_rules('{"ambiguity": [{"holds": [], "question": "", "or_after_opens_of": 1e99}]}')),
	(28, ground_rules('{"ambiguity": [{"holds": [], "question": "", "opens": null}]}')),
	(29, ground_rules('{"ambiguity": [[]]}')),
	(30, ground_rules('{"months": [], "topics": [], "units": {}, "stop_words": [], "ambiguity": []}'))) AS r (n, rules)
	ORDER BY n;
-- compiled rules are kept as long as they are the same, and no longer
SELECT n, answer.risk('alpha beta', ground_rules(jsonb_build_object('risk', jsonb_build_object('high',
	jsonb_build_array(CASE WHEN n % 3 = 0 THEN 'alpha' ELSE 'beta' END), 'medium', '[]'::jsonb))))->'matched_keywords'
	FROM generate_series(1, 6) AS n;

-- Quality of retrieval.
SELECT answer.retrieval_quality(NULL, NULL, '2024-04-01Z') = answer.retrieval_quality('[]', 90, '2024-04-01Z') AS empty,
	answer.retrieval_quality(NULL, NULL, '2024-04-01Z') AS quality;
SELECT answer.retrieval_quality(jsonb_build_array(ground_chunk('a#p0', 'x', 0.85, '2024-03-01T10:00:00Z'),
	ground_chunk('b#p1', 'y', 0.90, '2024-03-01T11:30:00+02:00'), ground_chunk('a#p2', 'z', 0.1, 'soon')), 30,
	'2024-04-01Z');
-- exact, half to even, to four decimals
SELECT similarities, answer.retrieval_quality(c, 0, now())->'confidence' AS confidence FROM (VALUES
	('{0.12345}'::numeric[]), ('{0.12335}'),
	('{0.123450000000000000000000001}'), ('{0.5,0.49995}'), ('{0.49995,0.5}'), ('{0.5,0.50015}'), ('{0,0,1}'),
	('{0.0001,0.0002}'), ('{1e-30}'), ('{0.99995}'), ('{1,1,1}'), ('{0.7,0.6,0.5,0.4,0.3,0.2,0.1}'))
	AS s (similarities), LATERAL (SELECT jsonb_agg(ground_chunk(n::text, '', similarity) ORDER BY n) AS c
		FROM unnest(similarities) WITH ORDINALITY AS u (similarity, n)) AS x;
-- what is a timestamp, to the microsecond: stale if older than 30 days before the instant
SELECT stamp, answer.retrieval_quality(jsonb_build_array(ground_chunk('a', 'x') || jsonb_build_object('timestamp',
	stamp)), 30, '2024-03-31 00:00Z')->'freshness' @> '{"freshness_violation": true}' AS is_stale
	FROM jsonb_array_elements('["2024-03-01", "2024-02-29", "2024-03-01T00:00:00Z", "2024-02-29T23:59:59.999999Z",
	"2024-03-01T00:00:00", "2024-02-29T23:59:59", "2024-03-01T00:00:00.000000", "2024-02-29T23:59:59.999999",
	"2024-03-01T08:59:59+09:00", "2024-03-01T09:00:00+09:00", "2024-02-29T23:00:00-01:00", "2999-01-01", "2024-02-30",
	"2024-03-01 00:00:00", "2024-03-01T00:00", "2024-03-01T24:00:00", "2024-03-01T00:00:00z", "2024-03-01Z",
	" 2024-03-01", "2024-03-01T00:00:00.1234567", "2024-03-01T00:00:00+16:00", "", "now", null, 5, {"a": 1},
	"0001-01-01", "9999-12-31"]' ) AS stamp;
SELECT days, answer.retrieval_quality(jsonb_build_array(ground_chunk('a', 'x', 1, '2024-01-01'),
	ground_chunk('b', 'x', 1, '2024-01-02')), days, now)->'freshness'->'freshness_violation_count' AS stale FROM (VALUES
	(1, '2024-01-02Z'::timestamptz), (1, '2024-01-02 00:00:00.000001Z'), (0, '9999-01-01Z'), (2147483647, 'infinity'),
	(1, '-infinity'), (2147483647, '9999-01-01Z'), (1, '4713-01-01 BC'), (NULL, '2024-03-31Z'),
	(NULL, '2024-03-31 00:00:01Z')) AS d (days, now);
SELECT ground_refused(format('SELECT answer.retrieval_quality(%L, 1, now())', c)) FROM (VALUES
	(1, 'null'), (2, '{}'), (3, '[1]'), (4, '[{}]'), (5, '[{"chunk_id": 1}]'),
	(6, '[{"chunk_id": "a", "doc_id": null}]'), (7, '[{"chunk_id": "a", "doc_id": "a", "text": ["x"]}]'),
	(8, '[{"chunk_id": "a", "doc_id": "a", "text": "x"}]'),
	(9, '[{"chunk_id": "a", "doc_id": "a", "text": "x", "similarity": "0.5"}]'),
	(10, '[{"chunk_id": "a", "doc_id": "a", "text": "x", "similarity": 1.0000001}]'),
	(11, '[{"chunk_id": "a", "doc_id": "a", "text": "x", "similarity": -1e-9}]'),
	(12,
		jsonb_build_array(ground_chunk('a', 'x', 1) || '{"more": 1}', ground_chunk('b', 'x', 0), ground_chunk('b', 'y'),
		ground_chunk('a', 'x', 1))::text),
	(13, jsonb_build_array(ground_chunk('a', 'x', 0), ground_chunk('b', 'x', 'NaN'))::text),
	(14, '{"chunk_id"')) AS t (n, c) ORDER BY n;
SELECT ground_refused('SELECT answer.retrieval_quality(NULL, -1, now())'),
	ground_refused('SELECT answer.retrieval_quality(NULL, 1, NULL)');

-- Citations. The first rule that fails ends the check.
CREATE FUNCTION ground_checked(citations jsonb, answer text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_citations_check(citations, (SELECT jsonb_agg(ground_chunk('d#p' || n, 'Refunds are issued within '
		|| n || ' days. Boilerplate “quoted again”: gift cards') ORDER BY n) FROM generate_series(0, 8) AS n),
		answer) $$;
SELECT citations, ground_checked(citations, 'Refunds') - ARRAY['recall', 'precision', 'spans'] AS checked FROM (VALUES
	('["x", "d#p0", "X", "x"]'::jsonb), ('["d#p1", "d#p0", "d#p1", "d#p0", "d#p1"]'),
	('["d#p0", "d#p0", "d#p1", "d#p2", "d#p3", "d#p4"]'),
	('["d#p0", "d#p1", "d#p2", "d#p3", "d#p4", "d#p5"]'), ('["d#p0", "d#p1", "d#p2", "d#p3", "d#p4"]'), ('[]'), (NULL),
	('["d#p0 "]'), ('["D#p0"]'), ('[""]')) AS c (citations);
SELECT said, ground_checked('[]', said)->'errors' = '[]' AS is_valid
FROM unnest(ARRAY[NULL, '', ' ', 'It is unclear.', 'It is unclear. Refunds are issued.',
	E'unclear\n- not sure\n- cannot find it', 'The documents do not say.']) AS said;
SELECT ground_checked('["d#p0"]', NULL) AS no_answer, ground_checked(NULL, 'unclear') AS insufficient;
SELECT ground_checked('["x"]', '"one two three" [1]') AS after_an_error;
-- an item in common: a stem, or a value, of no stop word
SELECT said, ground_checked('["d#p0"]', said)->'warnings' <> '[]' AS is_weak FROM unnest(ARRAY['REFUNDS!',
	'refund', 'are', 'No', 'gift', 'within days', 'are 0', 'are zero', 'are 1', 'so', '', ' ', U&'\2003', '...',
	'It is unclear.',
	'It is unclear. Whatever.', 'unclear']) AS said;
-- support: markers, and what is quoted, by sentence; words in common are none
SELECT said, c->'recall' AS recall, c->'precision' AS precision FROM unnest(ARRAY['Yes [1].', 'Yes [1]. No [2].',
	'Yes. [2] No.', 'Yes. [3]', 'Yes [d#p1]. No. Maybe. So', 'Yes [d#p0', 'Refunds. Whatever; refunds.', 'Zzz.', '',
	'[01]', '[ 1 ]', 'Yes. [', '[1][2]', 'Sure. Never. Refunds',
	'Sure. Refunds are issued within 1 days. Never.', 'Refunds are issued within 2 days.',
	'Refunds are issued within 0 days. [1] Refunds are issued within 1 days. [2]', '*** [1]']) AS said,
	ground_checked('["d#p0", "d#p1"]', said) AS c;
SELECT answer_citations_check('["2", "[", "#"]', (SELECT jsonb_agg(ground_chunk(id,
	'x')) FROM unnest('{2,[,#}'::text[]) AS id), said)
	- ARRAY['errors', 'warnings', 'spans'] AS ids_like_markers FROM unnest(ARRAY['Yes [2].', 'Yes [[].',
	'Yes [#].', '[#]', '[[2]]']) AS said;
-- quotes: where they stand, and in which cited chunk
SELECT said, ground_checked('["d#p3", "d#p0", "d#p1"]',
	said)->'spans' AS spans FROM unnest(ARRAY['It says "Refunds are issued".',
	'“within 0 days” and “within 1 days. Boil” and “within 7 days”', '"issued within" "issued 3 days"',
	'é “Refunds are issued within”',
	'"Refunds are issued', '”Refunds are issued“ “Refunds are issued', '“Refunds "are" issued”',
	'"“quoted again”: gift"', '"a b c" "a b c"',
	'""" a b c "', '"refunds are issued"']) AS said;
SELECT ground_refused(format('SELECT answer_citations_check(%L, NULL, NULL)', c)) FROM unnest(ARRAY['null', '{}',
	'"d#p0"', '["a", 1]', '[null]', '[["a"]]']) AS c;
SELECT ground_refused('SELECT answer_citations_check(NULL, ''[1]'', NULL)'),
	ground_refused('SELECT answer_citations_check(NULL, NULL, NULL, ''{}'')');

-- The decision. Two chunks that say the same, and what is changed about them.
CREATE FUNCTION ground_decided(query text, patch jsonb DEFAULT '{}', config jsonb DEFAULT '{}',
	citations jsonb DEFAULT NULL,
	answer text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_decide(query, jsonb_build_array(ground_chunk('a#p0', 'Teams meet on Mondays.') || patch,
		ground_chunk('b#p0', 'Teams meet on Mondays.') || patch), citations, answer, config, '2024-04-01Z', NULL) $$;
SELECT jsonb_pretty(ground_decided('When do teams meet?', citations => '["a#p0"]',
	answer => 'Teams meet on Mondays [1].'));
-- in this order
SELECT what, d->>'decision' AS decision, d->'reasons' AS reasons, left(d->>'user_message', 66) AS message FROM (VALUES
	(1, 'answer', ground_decided('When do teams meet?')), (2, 'block', ground_decided('Can we cancel?',
	'{"similarity": 0, "timestamp": null}', citations => '["c"]')), (3, 'block: no citations',
	ground_decided('When do teams meet?', answer => 'Mondays')), (4, 'block: empty citations',
	ground_decided('When do teams meet?', citations => '[]')), (5, 'insufficient answer',
	ground_decided('When do teams meet?', answer => 'It is unclear.')), (6, 'low before unclear',
	ground_decided('Can we cancel?', '{"similarity": 0.20009, "timestamp": null}', '{"floor": 0.2002}')), (7,
	'equality passes', ground_decided('When do teams meet?', '{"similarity": 0.6}')), (8, 'compared as shown',
	ground_decided('When do teams meet?',
	'{"similarity": 0.59995}')), (9, 'half to even', ground_decided('When do teams meet?',
	'{"similarity": 0.599949999}')), (10, 'high risk', ground_decided('What is the policy?', '{"similarity": 0.69}')),
	(11, 'few', ground_decided('When do teams meet?', config => '{"min_chunks": 3}')), (12, 'low and few',
	ground_decided('When?', '{"similarity": 0}', config => '{"min_chunks": 3}')), (13, 'stale, low risk',
	ground_decided('When do teams meet?', '{"timestamp": null}')), (14, 'stale, medium risk',
	ground_decided('What is the quota?', '{"timestamp": "2023-01-01"}')), (15, 'fresh for medium, not for high',
	ground_decided('What is the quota?', '{"timestamp": "2024-02-01"}')), (16, 'stale, high risk',
	ground_decided('What is the policy?', '{"timestamp": "2024-02-01"}')), (17, 'stale before unclear',
	ground_decided('What is the policy, now? Can we cancel', '{"timestamp": "2024-02-01"}')), (18, 'unclear',
	ground_decided('Can we cancel?', '{"timestamp": null}', '{"caveats": true}')), (19, 'caveat: stale',
	ground_decided('When do teams meet?', '{"timestamp": "2023-01-01"}', '{"caveats": true}')), (20,
	'caveat: no date', ground_decided('When do teams meet?', '{"timestamp": null}', '{"caveats": true}')), (21,
	'caveat: weak', ground_decided('What is the policy?', '{}', '{"caveats": true}', '["a#p0"]', 'Whatever.')), (22,
	'caveats: all, in order', ground_decided('When?', '{"similarity": 0.3, "timestamp": null}', '{"caveats": true}',
	'["a#p0"]', 'Whatever.')), (23, 'weak, caveats off', ground_decided('When?', '{}', '{"caveats": false}',
	'["a#p0"]', 'Whatever.')), (24, 'stale, caveats off', ground_decided('When do teams meet?',
	'{"timestamp": null}', '{"caveats": false}')), (25, 'low, caveats off', ground_decided('When do teams meet?',
	'{"similarity": 0.59, "timestamp": null}', '{"caveats": false}')), (26, 'low, unclear',
	ground_decided('Can we cancel?', '{"similarity": 0.59, "timestamp": null}')), (27, 'the floor passes',
	ground_decided('When do teams meet?', '{"similarity": 0.2}')), (28, 'below the floor',
	ground_decided('When do teams meet?', '{"similarity": 0.1999}')), (29, 'quoted, words of its own',
	ground_decided('When do teams meet?', '{}', '{}', '["a#p0"]', 'Teams meet on Mondays [1]. As everybody knows.')),
	(30, 'misquoted', ground_decided('When do teams meet?', '{}', '{}', '["a#p0"]',
	'It says "teams meet on Fridays" [1].')), (31, 'contradicted before thin', ground_decided('When do teams meet?',
	'{"text": "All teams of the house meet within 5 days."}', '{"min_chunks": 9}', '["a#p0"]',
	'All teams of the house meet within 6 days.')), (32, 'both, in order', ground_decided('When do teams meet?',
	'{"text": "All teams of the house meet within 5 days."}', '{}', '["a#p0"]',
	'It says "teams never meet" [1]. All teams of the house meet within 6 days.')), (33, 'invalid before contradicted',
	ground_decided('When do teams meet?', '{"text": "All teams of the house meet within 5 days."}', '{}', '["c"]',
	'All teams of the house meet within 6 days.')), (34, 'a judge is required', ground_decided('When do teams meet?',
	'{}', '{"judge": "required"}')), (35, 'who is not asked of what is quoted', ground_decided('When do teams meet?',
	'{}', '{"judge": "required"}', '["a#p0"]', 'Teams meet on Mondays.')), (36, 'configured, and has not judged',
	ground_decided('When do teams meet?', '{}', '{"judge_answers": "somebody"}')), (37, 'nobody has judged passages',
	ground_decided('When do teams meet?', '{}', '{"unjudged_passages": "caveat"}')) ) AS t (n, what, d) ORDER BY n;
SELECT ground_decided('When do teams meet?', '{"timestamp": "2023-01-01"}',
	'{"caveats": true}')->>'user_message' AS caveat;
SELECT jsonb_pretty(answer_decide('x', NULL, config => '{}', now => '2024-04-01Z')) AS no_chunks;
-- thresholds: for a high risk the stricter number of days, where 0 is none at all
SELECT config, ground_decided('What is the policy?', '{}', config)->'thresholds' AS high,
	ground_decided('When?', '{}', config)->'thresholds' AS low FROM unnest(ARRAY['{}', '{"freshness_days": 7}',
	'{"freshness_days": 0}', '{"freshness_days_high_risk": 0}', '{"freshness_days_high_risk": 120}',
	'{"freshness_days": 0, "freshness_days_high_risk": 0}', '{"confidence_threshold": 0.9, "min_chunks": 0}',
	'{"confidence_threshold_high_risk": 0.50}']::jsonb[]) AS config;
-- sources that conflict: what is used with what has 0.70 of the greatest similarity, before what is thin, and cut to
-- 150 characters
CREATE FUNCTION ground_dated(query text, stamp text, config jsonb DEFAULT '{}', citations jsonb DEFAULT NULL,
	answer text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_decide(query, jsonb_build_array(
		ground_chunk('a#p0', 'Parcels to the islands arrive within 5 days by ferry.', 0.9, '2024-03-15'),
		ground_chunk('b#p0', 'Parcels to the islands arrive within 9 days by ferry.', 0.9, stamp)), citations,
		answer, config, '2024-04-01Z', NULL) $$;
CREATE FUNCTION ground_opposed(similarity numeric, config jsonb, tail text DEFAULT '', citations jsonb DEFAULT NULL)
RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_decide('Can we store SSNs in plaintext?', jsonb_build_array(
		ground_chunk('a#p0', 'SSNs must not be stored in plaintext.' || tail, similarity),
		ground_chunk('b#p0', 'SSNs may be stored in plaintext.' || tail)), citations, config => config,
		now => '2024-04-01Z') $$;
SELECT ground_opposed(0.63, '{}')->>'user_message' AS at_the_limit,
	ground_opposed(0.62995, '{}')->'reasons' AS as_shown, ground_opposed(0.6299, '{}')->'reasons' AS below,
	ground_opposed(0.63, '{}')->'conflicts'->'compared' AS compared,
	ground_opposed(0.6299, '{}')->'conflicts'->'compared' AS compared_below,
	ground_opposed(0.63, '{"min_chunks": 9}')->'reasons' AS before_few;
-- and what is cited is compared whatever its similarity; what is not used with what is not used never
SELECT d->'reasons' AS reasons, d#>>'{conflicts,pairs,0,chunk_a,chunk_id}' AS a FROM (VALUES
	(1, ground_opposed(0.1, '{}', citations => '["a#p0", "b#p0"]')), (2, ground_opposed(0.1, '{}',
	citations => '["b#p0"]')), (3, ground_opposed(0.1, '{}', citations => '["a#p0"]'))) AS t (n, d) ORDER BY n;
-- the older gives way where the question asks for what is current, or always, or never; unless it has no date
SELECT n, d->>'decision' AS decision, d->'reasons' AS reasons, d->'superseded' AS superseded, d->'quotes' AS quotes
FROM (VALUES
	(1, ground_dated('When do current parcels arrive?', '2024-03-16')), (2,
	ground_dated('When do parcels arrive?', '2024-03-16')), (3, ground_dated('When do parcels arrive?', '2024-03-16',
	'{"supersede": "always"}')), (4, ground_dated('When do current parcels arrive?', '2024-03-16',
	'{"supersede": "never"}')), (5, ground_dated('When do current parcels arrive?', '2024-03-14')), (6,
	ground_dated('When do current parcels arrive?', '2024-03-15')), (7, ground_dated('When do current parcels arrive?',
	'2024-04-02')), (8, ground_dated('When do current parcels arrive?', 'soon')), (9,
	ground_dated('When do current parcels arrive?', '2024-03-16', '{}', '["a#p0"]', 'Parcels arrive soon [1].')), (10,
	ground_dated('When do currently parcels arrive?', '2024-03-15T00:00:00.000001Z'))) AS t (n, d) ORDER BY n;
-- at high and medium risk what is stale is left out while something fresh is quoted
SELECT query, d->>'decision' AS decision, d->'reasons' AS reasons, d->'stale' AS stale,
	d->'signals'->'freshness_violation' AS violation, d#>'{retrieval_quality,freshness,freshness_violation}' AS of_all
FROM unnest(ARRAY['What is the meeting policy?', 'What is the meeting quota?', 'When is the meeting?']) AS query,
	LATERAL (SELECT answer_decide(query, jsonb_build_array(ground_chunk('a#p0', 'The meeting is here.', 0.9,
		'2023-01-01'), ground_chunk('b#p0', 'The meeting is here.')), config => '{}', now => '2024-04-01Z')) AS x (d);
SELECT ground_opposed(1, '{}', repeat(' é', 60))->>'user_message' AS cut;
SELECT n, ground_opposed(1, '{}', repeat('é', n))->>'user_message' ~ 'é[.]{3} While' AS a_is_cut,
	ground_opposed(1, '{}', repeat('é', n))->>'user_message' ~ 'é[.]{3} Please' AS b_is_cut
	FROM unnest(ARRAY[113, 114, 118, 119]) AS n;
-- what may be in a configuration
SELECT ground_refused(format('SELECT answer_decide(%L, NULL, config => %L)', 'x', config)) FROM unnest(ARRAY[
	'[]', 'null', '{"top-k": 5}', '{"top_k": 0}', '{"top_k": 51}', '{"top_k": 2.5}', '{"freshness_days": -1}',
	'{"freshness_days": null}', '{"freshness_days_high_risk": 2147483648}', '{"confidence_threshold": 1.1}',
	'{"confidence_threshold_high_risk": "1"}', '{"min_chunks": 1e99}', '{"conflict_min_similarity": 0.4}',
	'{"floor": -0.1}', '{"floor": 1.1}', '{"min_confidence": 0.79}', '{"unjudged_passages": "block"}',
	'{"judge": true}', '{"judge": "always"}', '{"judge_answers": 1}', '{"judge_entailment": ""}',
	'{"judge_conflict": []}', '{"judge_answers": ["a", "a"]}', '{"judge_answers": ["a", null]}',
	'{"judge_passages": 0}', '{"judge_passages": 51}', '{"support_min": 2}', '{"contradict_min": "0.5"}',
	'{"supersede": "newest"}', '{"supersede": null}',
	'{"caveats": 1}', '{"rerank": "similarity"}', '{"freshness_bias": 2}', '{"citation_threshold": []}',
	'{"contradiction_tolerance": 9}', '{"cache_ttl_s": -1}', '{"é": 1}',
	'{"top_k": 50, "freshness_days": 0, "freshness_days_high_risk": 0, "confidence_threshold": 0, "min_chunks": 0,
		"confidence_threshold_high_risk": 1, "min_confidence": 0.80, "floor": 1, "caveats": true, "judge": "required",
		"unjudged_passages": "caveat", "judge_answers": "a", "judge_entailment": ["a", "b"], "judge_conflict": null,
		"judge_passages": 5, "support_min": 0, "contradict_min": 1, "supersede": "never", "rerank": "freshness",
		"freshness_bias": 1.0, "citation_threshold": 0, "contradiction_tolerance": 0, "cache_ttl_s": 2147483647}'
	]) AS config;

-- NULL where a value is needed; the clock is the statement's where it is not given
SELECT ground_refused('SELECT answer.risk(NULL)'), ground_refused('SELECT answer.ambiguity(NULL)'),
	ground_refused('SELECT answer_decide(NULL, NULL)'),
	ground_refused('SELECT answer_decide(''x'', NULL, now => NULL)');
-- what is larger than it may be
SELECT ground_refused('SELECT answer.risk(repeat(''x'', 16777217))'),
	ground_refused('SELECT answer_citations_check(NULL, NULL, repeat(''x'', 16777217))');
SELECT answer.risk(repeat('x', 16777216))->'risk_level' AS as_large_as_it_may_be;
SELECT answer_decide('x', NULL) = answer_decide('x', NULL, NULL, NULL, NULL, now(), NULL) AS defaults;
SELECT proname, provolatile, proparallel, proisstrict FROM pg_proc WHERE proname IN ('ambiguity',
	'answer_citations_check', 'answer_decide', 'retrieval_quality', 'risk', 'shipped_decision_rules')
	ORDER BY proname COLLATE "C";

-- What is long or hostile takes time in proportion to its length, and gets the same answers; pgtap/house_size has ten
-- times as much.
CREATE TABLE ground_long AS SELECT repeat('refunds are allowed. ', 5000) AS said;
SELECT ground_checked('["d#p0"]', said)->'recall' AS recall,
	answer_citations_check('["a"]', jsonb_build_array(ground_chunk('a', said)), said)->'recall' AS quoted
FROM ground_long;
SELECT jsonb_array_length(answer_citations_check('["a"]', jsonb_build_array(ground_chunk('a', said)),
	repeat('"refunds are allowed" ', 4000) || repeat('“', 10000))->'spans') AS spans FROM ground_long;
SELECT answer_citations_check(jsonb_build_array(repeat('[', 1000)),
	jsonb_build_array(ground_chunk(repeat('[', 1000), 'x')), repeat('[', 1000000) || ']')->'precision' AS brackets;
SELECT answer.risk(repeat(x, 100000))->'matched_keywords' AS keywords FROM unnest(ARRAY['a.', E'\n',
	U&'\00AD', '.', 'rate limit ', 'no ', E'\n- ', '1']) AS x;
SELECT answer.ambiguity(repeat('now change ', 100000)) AS many_words;
SELECT answer.risk((SELECT string_agg('w' || n, ' ') FROM generate_series(1, 200000) AS n) || ' policy')
	->'matched_keywords' AS distinct_words;
SELECT answer_decide('When?', (SELECT jsonb_agg(ground_chunk('d' || n || '#p0', 'Teams meet on Mondays, chunk ' || n))
	FROM generate_series(1, 1000) AS n), config => '{}', now => '2024-04-01Z')->'decision' AS thousand_chunks;
SELECT answer.risk('x', ground_rules(jsonb_build_object('allow',
	(SELECT jsonb_agg('w' || n || ' v') FROM generate_series(1, 20000) AS n))))
	->'risk_level' AS long_rules;

DROP TABLE ground_words, ground_queries, ground_long;
DROP FUNCTION ground_rules, ground_chunk, ground_refused, ground_stands, ground_checked, ground_decided, ground_dated,
	ground_opposed;
