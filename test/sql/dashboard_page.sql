-- the page of the dashboard: what it takes and who may have it; test/tap/dashboard_page.pl has the browser
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
-- invalid options
SELECT answer_dashboard_page(NULL);
SELECT answer_dashboard_page('[]');
SELECT answer_dashboard_page('7');
SELECT answer_dashboard_page('{"colour": "blue"}');
SELECT answer_dashboard_page('{"title": ""}');
SELECT answer_dashboard_page('{"title": 7}');
SELECT answer_dashboard_page(jsonb_build_object('title', repeat('x', 201)));
SELECT answer_dashboard_page('{"days": 0}');
SELECT answer_dashboard_page('{"days": 32}');
SELECT answer_dashboard_page('{"days": 1.5}');
SELECT answer_dashboard_page('{"days": "7"}');
SELECT answer_dashboard_page('{"days": null}');
SELECT answer_dashboard_page('{"receipts": -1}');
SELECT answer_dashboard_page('{"receipts": 101}');
SELECT answer_dashboard_page('{"receipts": 99999999999999999999}');
SELECT answer_dashboard_page('{"tenant": 7}');
SELECT answer_dashboard_page('{"tenant": "nobody at all"}');
SELECT * FROM answer.dashboard_receipts(NULL);
SELECT * FROM answer.dashboard_receipts(0);
SELECT * FROM answer.dashboard_receipts(101);
-- a page
SELECT answer_dashboard_page() ~ '^<!DOCTYPE html>' AS page, answer_dashboard_page() !~ '[^\t\n -~]' AS ascii,
	answer_dashboard_page() !~* '<script|javascript:|https?:|url\(| on[a-z]+=| style=' AS no_script;
SELECT substring(answer_dashboard_page('{"title": "<b>\u00e9\u202e\"</b>"}') FROM '<h1>.*</h1>') AS title;
SELECT answer_dashboard_page('{"days": 1, "receipts": 0, "tenant": ""}') LIKE '%Answers, 1 day<%' AS one_day,
	answer_dashboard_page('{"receipts": 0}') LIKE '%>Latest receipts</h2><p class="quiet">Nothing yet.</p>%' AS none;
SELECT html LIKE format('%%style-src ''sha256-%s'';%%',
	encode(sha256(convert_to(substring(html FROM '<style>(.*)</style>'), 'UTF8')), 'base64')) AS digest
FROM answer_dashboard_page() AS html;
-- parts
SELECT v, answer.dashboard_number(v, '%') AS share, answer.dashboard_number(v, 'ms') AS ms,
	answer.dashboard_number(v, '') AS count, answer.dashboard_number(v, '2') AS decimal,
	answer.dashboard_number(v, 'usd') AS usd, answer.dashboard_number(v, 'x') AS times
FROM unnest('{NULL,NaN,Infinity,-1,0,0.5,123456789,999999999999,1e300}'::float8[]) AS v;
SELECT word, answer.dashboard_chip(word) FROM unnest('{ok,breach,"<i>",""}'::text[]) AS word;
SELECT answer.dashboard_section('a', 'A', NULL) AS section,
	answer.dashboard_tiles('{{B,1,of 2},{C,NULL,never},{D,0,NULL}}') AS tiles;
SELECT answer.dashboard_table('a', 'All', '{row:R,:S,n:N,row id:I,id:J,long:L}',
	'{{1,2,3,4,5,NULL},{6,7,8,9,10,11}}') AS a_table;
SELECT answer.dashboard_table('a', NULL, '{:S}', '{{1}}') AS no_caption,
	answer.dashboard_table('a', 'All', '{:S}', NULL) IS NULL AS no_rows;
SELECT answer.dashboard_chart('L', '9', '{from,to}', '<g/>', '{1:one,2:two}') AS chart,
	answer.dashboard_chart('L', '9', '{from,to}', NULL, '{1:one}') IS NULL AS no_marks;
SELECT answer.receipt_columns('{}') IS NULL AS nothing, answer.receipt_columns('7') IS NULL AS no_object;
-- the states of receipts: a column that is NULL counts, for each kind and with any settings of the session
BEGIN;
SET LOCAL extra_float_digits = -15;
CREATE FUNCTION pg_temp.state_of(id text) RETURNS text LANGUAGE sql AS $$
	SELECT state FROM answer.dashboard_receipts(100) WHERE receipt_id = id $$;
CREATE TEMP TABLE made AS
SELECT 1 AS n, answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id' AS id
UNION ALL SELECT 2, answer_ask('Who won?') ->> 'receipt_id'
UNION ALL SELECT 3, answer_grounded('How long are invoices kept?', '{"chunks": []}') ->> 'receipt_id'
UNION ALL SELECT 4, answer_grounded('How long are invoices kept by the archive team?', jsonb_build_object('chunks',
	jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'similarity', 0.1234567890123456,
	'timestamp', now(), 'text', 'Invoices are kept by the archive team for seven years.')))) ->> 'receipt_id';
SELECT n, pg_temp.state_of(id), schema, confidence IS NULL AS no_confidence FROM made
JOIN answer.receipt r ON r.receipt_id = id ORDER BY n;
SELECT receipt_id, schema FROM answer.dashboard_receipts(100) WHERE state = 'altered';
ALTER TABLE answer.receipt DISABLE TRIGGER USER;
UPDATE answer.receipt SET confidence = NULL WHERE receipt_id = (SELECT id FROM made WHERE n = 1);
UPDATE answer.receipt SET confidence = 'NaN' WHERE receipt_id = (SELECT id FROM made WHERE n = 2);
UPDATE answer.receipt SET confidence = coalesce(confidence, 0) + 1e-16
WHERE receipt_id = (SELECT id FROM made WHERE n = 3);
UPDATE answer.receipt SET confidence = confidence + 1e-16 WHERE receipt_id = (SELECT id FROM made WHERE n = 4);
SELECT n, pg_temp.state_of(id) FROM made ORDER BY n;
ROLLBACK;
-- the states of receipts: a document that is large before it is compressed is not judged
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER USER;
INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, key_id, body)
SELECT 'ans_' || n, 'answer/v1', now() + interval '1 hour', 'supported', 'k', jsonb_build_object('x', repeat('x', n))
FROM unnest('{262100,262150,3000000}'::int[]) AS n;
SELECT r.receipt_id, d.state, answer.document_size(r.body) AS size, pg_column_size(r.body) < 262144 AS compressed
FROM answer.receipt r JOIN answer.dashboard_receipts(100) d USING (receipt_id) WHERE r.key_id = 'k' ORDER BY 3;
ROLLBACK;
SELECT count(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS asked;
SELECT state, count(*) FROM answer.dashboard_receipts(1) GROUP BY 1;
-- who may have the page
CREATE ROLE page_viewer;
GRANT USAGE ON SCHEMA answer TO page_viewer;
SET ROLE page_viewer;
SELECT length(answer_dashboard_page());
SELECT * FROM answer.dashboard_receipts(1);
SELECT answer.dashboard_page_of('{""}', 0, '{}');
RESET ROLE;
SELECT answer_dashboard_grant('page_viewer');
SET ROLE page_viewer;
SELECT length(answer_dashboard_page()) > 5000 AS page;
SELECT count(*) FROM answer.dashboard_receipts(1);
SELECT count(*) FROM answer.receipt;
RESET ROLE;
SELECT answer_dashboard_revoke('page_viewer');
SET ROLE page_viewer;
SELECT length(answer_dashboard_page());
RESET ROLE;
DROP OWNED BY page_viewer;
DROP ROLE page_viewer;
