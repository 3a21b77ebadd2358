-- English stems of generated words: they are those of the server's own stemmer, if it has the same version, and they
-- never change.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages = warning;
SELECT plan(9);

-- The server's stemmer without its stop words.
CREATE TEXT SEARCH DICTIONARY no_stop_words (TEMPLATE = pg_catalog.snowball, Language = english);

CREATE TEMP TABLE suffix AS SELECT unnest(string_to_array(
	'sses ied ies s us ss eed eedly ed edly ing ingly y e l ll at bl iz ational tional ization ation ator '
	'enci anci izer alism aliti iviti biliti fulness ousness iveness abli bli entli alli ousli fulli lessli '
	'ogi logi li alize icate iciti ical ful ness ative ement ment ent ant al ance ence er ic able ible ism '
	'ate iti ous ive ize ion sion tion ly ably ency ancy ality ivity ability lessly fully logy', ' ')) AS s;
CREATE TEMP TABLE special AS SELECT unnest(string_to_array(
	'skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes '
	'inning outing canning herring earring proceed exceed succeed gener commun arsen', ' ')) AS w;
CREATE TEMP TABLE letter AS SELECT chr(97 + i) AS c FROM generate_series(0, 25) AS i;
-- A vowel, y, a consonant, one that ends no short syllable, two that are doubled or precede -ion and -li.
CREATE TEMP TABLE kind AS SELECT unnest('{a,y,b,w,t,l}'::text[]) AS c;
CREATE TEMP TABLE beginning AS
SELECT '' AS b UNION SELECT c FROM letter
UNION SELECT x.c || y.c FROM kind AS x, kind AS y
UNION SELECT x.c || y.c || z.c FROM kind AS x, kind AS y, kind AS z
UNION SELECT w FROM special
UNION SELECT unnest('{hop,relat,condit,tabul,radic,consist,enjoy,controll,vietnam,xyl,operat}'::text[]);

CREATE TEMP TABLE word AS
-- every word of up to three letters, and every pattern of vowels, y and consonants of up to seven
SELECT c AS w FROM letter
UNION SELECT x.c || y.c FROM letter AS x, letter AS y
UNION SELECT x.c || y.c || z.c FROM letter AS x, letter AS y, letter AS z
UNION SELECT translate(lpad(pattern, n, '0'), '0123', 'aybs') FROM generate_series(4, 7) AS n,
	LATERAL (SELECT string_agg((i / (4 ^ p)::int % 4)::text, '' ORDER BY p) AS pattern
		FROM generate_series(0, (4 ^ n)::int - 1) AS i, generate_series(0, n - 1) AS p GROUP BY i) AS x
-- every suffix, after another suffix, and after a doubled letter
UNION SELECT b || s FROM beginning, suffix
UNION SELECT b || x.s || y.s FROM unnest('{b,ab,gener,tabul,ratat,ay}'::text[]) AS b, suffix AS x, suffix AS y
UNION SELECT b || c || c || s FROM beginning, letter, unnest('{"",ed,ing,ingly,edly,s,e}'::text[]) AS s
-- words that are exceptions, and their neighbours
UNION SELECT w FROM special
UNION SELECT w || c FROM special, letter
UNION SELECT c || w FROM special, letter
UNION SELECT left(w, -1) || c FROM special, letter
-- long ones, up to those that are not stemmed
UNION SELECT left(repeat('bab', 400), n) || s
FROM generate_series(950, 1001) AS n, unnest('{ed,ing,ational}'::text[]) AS s;

-- Each word is a sentence, and its stem is the item. Words that give no item, or a value, are left out.
CREATE TEMP TABLE stemmed AS SELECT s ->> 'text' AS w, s #>> '{items,0}' AS stem
FROM jsonb_array_elements(answer_reading((SELECT string_agg(w, E'\n\n') FROM word)) -> 'sentences') AS s
WHERE s -> 'values' = '[]' AND jsonb_array_length(s -> 'items') = 1;

SELECT cmp_ok((SELECT count(*) FROM stemmed), '>=', 50000::bigint, 'enough words');
SELECT cmp_ok((SELECT count(*) FROM stemmed WHERE stem <> w), '>=', 25000::bigint, 'many of which are not their stems');
-- Servers from 18 on have a later state of the stemmer.
SELECT CASE WHEN current_setting('server_version_num')::int < 180000
	THEN is_empty('SELECT w, stem, ts_lexize(''no_stop_words'', w) FROM stemmed '
		'WHERE stem IS DISTINCT FROM (ts_lexize(''no_stop_words'', w))[1]', 'the server''s stemmer agrees')
	ELSE skip('a later state of the stemmer', 1) END;
-- Receipts depend on stems, so they never change.
SELECT is((SELECT encode(sha256(string_agg(w || ' ' || stem, ';' ORDER BY w COLLATE "C")::bytea), 'hex')
	FROM stemmed),
	'9f3bb6c8d28840e702da7be7c8363c65f667eee6d272f24f331bcb57c010ece7', 'stems are what they have always been');
SELECT is_empty('SELECT w, stem FROM stemmed WHERE length(stem) > length(w) OR stem !~ ''^[a-z]+$''',
	'no stem is longer than its word, or empty');
SELECT is((SELECT string_agg(s #>> '{items,0}', ' ' ORDER BY n) FROM jsonb_array_elements(
	answer_reading(E'b2ing\n\ncaf' || chr(233) || 's') -> 'sentences') WITH ORDINALITY AS x (s, n)),
	'b2ing caf' || chr(233) || 's', 'what is not a word of a to z stays as it is');
SELECT is(answer_reading(repeat('ab', 498) || 'ing') #>> '{sentences,0,items,0}', repeat('ab', 498),
	'a long word has a stem');
SELECT is(answer_reading(repeat('ab', 500) || 'ing') #>> '{sentences,0,items,0}', repeat('ab', 500) || 'ing',
	'one that is too long has none');
SELECT is((SELECT string_agg(s #>> '{items,0}', ' ' ORDER BY n) FROM jsonb_array_elements(answer_reading(
	replace('invoices relational hoping hopping skies dying generously news agreed feed', ' ', E'\n\n')) -> 'sentences')
	WITH ORDINALITY AS x (s, n)),
	'invoic relat hope hop sky die generous news agre feed', 'a few that people can check');

SELECT * FROM finish();
ROLLBACK;
