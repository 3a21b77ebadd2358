-- pages of documents: answer_receipt_html(); what a browser makes of them is tested in test/tap/document_page.pl
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
-- documents that do not exist
SELECT answer_receipt_html(NULL) IS NULL AS null_id, answer_receipt_html('ans_0000000000000000') IS NULL AS no_receipt,
	answer_receipt_html('x', '{}') IS NULL AS no_id;
-- a given document
SELECT answer.receipt_html(NULL, '{}', NULL, NULL);
SELECT answer.receipt_html('{}', NULL, NULL, NULL);
SELECT answer.receipt_html('[]', '{}', NULL, NULL);
SELECT answer.receipt_html('"ans_0000000000000000"', '{}', NULL, NULL);
SELECT answer.receipt_html('{}', '{}', NULL, '{NULL}');
SELECT answer.receipt_html(jsonb_build_object('x', repeat('x', 16777216)), '{}', NULL, NULL);
SELECT answer.receipt_html('{}', jsonb_build_object('x', repeat('x', 16777216)), NULL, NULL);
SELECT answer.receipt_html('{}', '{}', jsonb_build_object('x', repeat('x', 16777216)), NULL);
-- the inserted parts and their places
CREATE FUNCTION pg_temp.part(page text, id text) RETURNS text LANGUAGE sql AS
$$ SELECT substring(page FROM format('<pre id="%s">([^<]*)</pre>', id)) $$;
CREATE TEMP TABLE page AS SELECT answer.receipt_html(
	'{"receipt_id": "ans_0123456789abcdef", "b": "</pre><script>&\"''é\n", "a": [1.50, {}]}',
	'{"k": "<"}', '{"p": ">"}', '{"v+<"}') AS html;
SELECT pg_temp.part(html, 'document') AS document, pg_temp.part(html, 'keys') AS keys,
	pg_temp.part(html, 'inclusion') AS inclusion FROM page;
SELECT pg_temp.part(html, 'terms')
	LIKE '%&#34;answer/v1&#34;:{&#34;cached&#34;:false,&#34;prefix&#34;:&#34;ans_&#34;}%' AS kinds,
	substring(pg_temp.part(html, 'terms') FROM '&#34;vkeys&#34;:(.*)}') AS vkeys FROM page;
SELECT substring(html FROM '<title>.*</title>') AS title, html !~ '[^\t\n -~]' AS ascii,
	html ~ 'https?://' AS has_address FROM page;
SELECT substring(answer.receipt_html('{"receipt_id": "ans_<b>"}', '{}', NULL, NULL) FROM '<title>.*</title>') AS title;
-- the policy names the digests of the page's style and scripts
SELECT html LIKE format('%%script-src ''sha256-%s''; style-src ''sha256-%s'';%%',
	encode(sha256(convert_to(substring(html FROM '<script>(.*)</script>'), 'UTF8')), 'base64'),
	encode(sha256(convert_to(substring(html FROM '<style>(.*)</style>'), 'UTF8')), 'base64')) AS digests FROM page;
-- a stored document
CREATE TEMP TABLE asked AS SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') AS receipt;
SELECT pg_temp.part(answer_receipt_html(receipt ->> 'receipt_id'), 'document')
	= replace(answer_canonical(receipt), '"', '&#34;') AS whole,
	pg_temp.part(answer_receipt_html(receipt ->> 'receipt_id'), 'inclusion') AS inclusion
FROM asked;
SELECT (SELECT count(*) FROM regexp_matches(keys, 'public_key', 'g')) AS keys,
	strpos(keys, receipt #>> '{signature,key_id}') > 0 AS its_key,
	pg_temp.part(answer_receipt_html(receipt ->> 'receipt_id', '[]'), 'keys') AS given
FROM asked, pg_temp.part(answer_receipt_html(receipt ->> 'receipt_id'), 'keys') AS keys;
-- who may have a page
SELECT has_function_privilege('public', 'answer_receipt_html(text,jsonb)', 'EXECUTE') AS stored,
	has_function_privilege('public', 'answer.receipt_html(jsonb,jsonb,jsonb,text[])', 'EXECUTE') AS given;
