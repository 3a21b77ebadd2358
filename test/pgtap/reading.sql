-- The reading of texts, rule by rule of doc/spec/reading.md, with answer_reading().
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(130);

-- What was read: sentences are separated by " | ", their items by ", ".
CREATE FUNCTION pg_temp.sentences(t text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(s->>'text', ' | ' ORDER BY n), '')
	FROM jsonb_array_elements(answer_reading(t)->'sentences') WITH ORDINALITY AS x(s, n)
$$;
CREATE FUNCTION pg_temp.listed(t text, what text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg((SELECT coalesce(string_agg(e, ', ' ORDER BY i), '')
		FROM jsonb_array_elements_text(s->what) WITH ORDINALITY AS y(e, i)), ' | ' ORDER BY n)
	FROM jsonb_array_elements(answer_reading(t)->'sentences') WITH ORDINALITY AS x(s, n)
$$;
CREATE FUNCTION pg_temp.read_values(t text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(concat_ws(' ', v->>'value', v->>'unit'), ', ' ORDER BY n, i), '')
	FROM jsonb_array_elements(answer_reading(t)->'sentences') WITH ORDINALITY AS x(s, n),
		jsonb_array_elements(s->'values') WITH ORDINALITY AS y(v, i)
$$;
CREATE FUNCTION pg_temp.said(t text, what text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(CASE WHEN (s->what)::boolean THEN 't' ELSE 'f' END, '' ORDER BY n)
	FROM jsonb_array_elements(answer_reading(t)->'sentences') WITH ORDINALITY AS x(s, n)
$$;

-- 1 Sentences
SELECT is(pg_temp.sentences(t), want, 'sentences of ' || quote_literal(t)) FROM (VALUES
	(1, '', ''),
	(2, ' ,; -- ', ''),
	(3, '  Go.  Stop!  ', 'Go. | Stop!'),
	(4, 'The file is .env here. Then stop.', 'The file is .env here. | Then stop.'),
	(5, 'Call it with ?id=3 now. Done.', 'Call it with ?id=3 now. | Done.'),
	(6, '1. Open it. 2 of them.', '1. Open it. | 2 of them.'),
	(7, E'# Refunds\nThey take 5 days.', '# Refunds | They take 5 days.'),
	(8, E'one line\nand the next', E'one line\nand the next'),
	(9, E'one line\n\nand the next', 'one line | and the next'),
	(10, E'Bring:\n- a ticket\n- a bag\n\nThen go.', 'Bring: | - a ticket | - a bag | Then go.'),
	(11, E'- a ticket\nthat is valid\n- a bag', E'- a ticket\nthat is valid | - a bag'),
	(12, E'Steps\na) open it\niv) close it', 'Steps | a) open it | iv) close it'),
	(13, E'Steps\nabcde) open it', E'Steps\nabcde) open it'),
	(14, E'Steps\n– open it\n– close it', 'Steps | – open it | – close it'),
	(15, E'Steps\n–open it', E'Steps\n–open it'),
	(16, 'Ask Dr. Brown. He knows.', 'Ask Dr. Brown. | He knows.'),
	(17, 'See no. 5 today.', 'See no. 5 today.'),
	(18, 'He said no. Then he left.', 'He said no. | Then he left.'),
	(19, 'Ask J. Brown. He knows.', 'Ask J. Brown. | He knows.'),
	(20, 'Bring pens, etc. and paper.', 'Bring pens, etc. and paper.'),
	(21, 'Bring pens, etc. Then go.', 'Bring pens, etc. | Then go.'),
	(22, 'It opens at 9 a.m. on Monday.', 'It opens at 9 a.m. on Monday.'),
	(23, 'It opens at 9 a.m. Then we go.', 'It opens at 9 a.m. | Then we go.'),
	(24, 'He said "Stop." Then he left.', 'He said "Stop." | Then he left.'),
	(25, 'It costs 3.5 or 4; that is: little.', 'It costs 3.5 or 4; that is: little.'),
	(26, 'It is free.[1] Take two.', 'It is free.[1] | Take two.'),
	(27, 'It is (free.)really free. Go.', 'It is (free.)really | free. | Go.'),
	(28, U&'\4F60\597D\3002\4E16\754C\3002', U&'\4F60\597D\3002 | \4E16\754C\3002')) AS x(n, t, want) ORDER BY n;
SELECT is(pg_temp.said(t, 'asks'), want, 'what asks in ' || quote_literal(t)) FROM (VALUES
	(1, 'May I? Yes.', 'tf'),
	(2, 'Really?! No!', 'tf'),
	(3, U&'May I\FF1F Yes\3002', 'tf'),
	(4, 'Call it with ?id=3 now.', 'f')) AS x(n, t, want) ORDER BY n;
SELECT is(answer_reading(U&'\00DCb. Go on. ')->'sentences'->-1->>'start', '5', 'places are bytes');
SELECT is(answer_reading(U&'\00DC! Go on. ')->'sentences'->-1->>'end', '10', 'and the end is exclusive');

-- 2 Items
SELECT is(pg_temp.listed(t, 'items'), want, 'items of ' || quote_literal(t)) FROM (VALUES
	(1, 'refunds refunding refunded', 'refund'),
	(2, 'Purchases are refundable within 30 days.', '30, day, purchas, refund'),
	(3, 'How long is it?', 'long'),
	(4, U&'Die Pr\00FCfung l\00E4uft', U&'die, l\00E4uft, pr\00FCfung'),
	(5, 'No refunds were not given', 'given, refund'),
	(6, 'It can''t be returned.', 'return'),
	(7, 'It doesn' || U&'\2019' || 't work.', 'work'),
	(8, 'It cannot be returned.', 'return'),
	(9, 'John''s bag', 'bag, john'),
	(10, 'We''ll pay', 'pay'),
	(11, 'plan d', 'd, plan'),
	(12, 'max_retries', 'max, retri'),
	(13, 'non-refundable', 'non, refund'),
	(14, 'their SSNs', 'ssn'),
	(15, 'thirty or 30', '30'),
	(16, '25MB', '25, mb'),
	(17, 'at 9 am', 'clock 540'),
	(18, '12 a.m.', 'clock 0'),
	(19, '1,000.50 dollars', '1000.5, dollar'),
	(20, 'a hundred cats', '100, cat'),
	(21, 'It is.', '')) AS x(n, t, want) ORDER BY n;

-- 3 Values
SELECT is(pg_temp.read_values(t), want, 'values of ' || quote_literal(t)) FROM (VALUES
	(1, 'within 30 days', '30 days'),
	(2, 'thirty-five minutes', '35 minutes'),
	(3, 'twenty five users', '25 users'),
	(4, 'twenty, five users', '20, 5 users'),
	(5, 'a hundred days', '100 days'),
	(6, 'two hundred days', '200 days'),
	(7, 'two hundred and five users', '200, 5 users'),
	(8, '3 million users', '3000000 users'),
	(9, 'one day', '1 days'),
	(10, 'one of them', ''),
	(11, '1,000.50 dollars', '1000.5 $'),
	(12, '$5 or 5 %', '5 $, 5 %'),
	(13, '25MB and 2.5GB', '25 MB, 2.5 GB'),
	(14, '10am', '600 clock'),
	(15, 'one pm', '780 clock'),
	(16, '12 a.m.', '0 clock'),
	(17, '12 pm', '720 clock'),
	(18, '9:30', '570 clock'),
	(19, '9:30 p.m.', '1290 clock'),
	(20, '12:15 am', '15 clock'),
	(21, '24:00', '1440 clock'),
	(22, '25:00', '25, 0'),
	(23, '10:20:30', '10, 20, 30'),
	(24, '13 pm', '13'),
	(25, 'the 1990s', '1990'),
	(26, 'version v2', ''),
	(27, '007 days', '7 days'),
	(28, '-5 days', '5 days'),
	(29, '300 requests per hour', '300 req/hr'),
	(30, 'from 10a.m. to 9:30p.m. daily', '600 clock, 1290 clock'),
	(31, '0.05 thousand or 2.5 million million days', '50, 2500000000000 days')) AS x(n, t, want) ORDER BY n;
SELECT is(length(answer_reading('5' || repeat(' million', 30000))->'sentences'->0->'values'->0->>'value'), 180001,
	'a number has any length');

-- 4 Names
SELECT is(pg_temp.listed(t, 'names'), want, 'names of ' || quote_literal(t)) FROM (VALUES
	(1, 'We use iPhone and PostgreSQL.', 'iPhone, PostgreSQL'),
	(2, 'PostgreSQL is used.', 'PostgreSQL'),
	(3, 'the covid19 rule.', 'covid19'),
	(4, 'ask Brown in London.', 'Brown, London'),
	(5, 'Brown asks.', ''),
	(6, 'note: Brown asks for it.', ''),
	(7, 'He said "Stop now" to Ann.', 'Ann'),
	(8, 'we saw (Brown went) all of it.', ''),
	(9, '1. Brown asks for it.', ''),
	(10, 'this is The end.', ''),
	(11, 'So I went.', ''),
	(12, 'It is NOT open.', ''),
	(13, 'at most 25MB for it.', ''),
	(14, 'it took Twenty days.', ''),
	(15, 'Refund Policy For Members', ''),
	(16, 'Refund Policy For Members.', 'Policy, Members'),
	(17, 'Refund Policy Of PostgreSQL', 'PostgreSQL'),
	(18, 'please ask Brown about money', 'Brown'),
	(19, 'ask Brown', 'Brown'),
	(20, 'store their SSNs.', 'SSNs')) AS x(n, t, want) ORDER BY n;

-- 5 Negation
SELECT is(pg_temp.said(t, 'negated'), want, 'what is negated in ' || quote_literal(t)) FROM (VALUES
	(1, 'Refunds are given. Refunds are not given.', 'ft'),
	(2, 'It is not true that nobody came.', 'f'),
	(3, 'It can''t be opened.', 't'),
	(4, 'It cannot be opened.', 't'),
	(5, 'It won''t ever open without a key.', 'f'),
	(6, 'Not only members may enter.', 'f'),
	(7, 'It opens no later than nine.', 'f'),
	(8, 'No, opened software can''t be returned.', 't'),
	(9, 'No, opened software is returned.', 'f'),
	(10, 'No.', 'f'),
	(11, 'No pets.', 't'),
	(12, 'See no. 5 today.', 'f'),
	(13, 'It is non-refundable.', 'f'),
	(14, 'He said no. It is never open.', 'tt'),
	(15, 'It is never, never open.', 'f')) AS x(n, t, want) ORDER BY n;

-- The rules are an argument.
SELECT is(answer_reading('Nobody came.',
		jsonb_set(answer.shipped_decision_rules(), '{negators}', '["not"]'))#>>'{sentences,0,negated}',
	'false', 'negators are those of the rules');
SELECT is(answer_reading('Nobody came.',
		jsonb_set(answer.shipped_decision_rules(), '{reading,stop}', '["came"]'))#>'{sentences,0,items}',
	'[]', 'and so are stop words');
SELECT is(answer_reading('Go to it.', NULL), answer_reading('Go to it.'), 'without rules those that shipped are taken');
SELECT is(answer_reading('Go to it.'), '{"sentences": [{"text": "Go to it.", "start": 0, "end": 9, "items": ["go"],
	"values": [], "names": [], "negated": false, "asks": false}]}', 'all that is told of a sentence');
SELECT is(answer_reading(''), '{"sentences": []}', 'and of a text without one');
SELECT throws_ok($$SELECT answer_reading(NULL)$$, '22004', NULL, 'a text is needed');
SELECT throws_ok($$SELECT answer_reading('x', '{}')$$, '22023', NULL, 'rules are a whole document');
SELECT is((SELECT (provolatile, proparallel)::text FROM pg_proc WHERE proname = 'answer_reading'), '(i,s)',
	'what is read depends on nothing else');

SELECT * FROM finish();
ROLLBACK;
