-- the page of the dashboard: what it takes and who may have it; test/tap/053_dashboard_page.pl has the browser
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS answer_eval;
RESET client_min_messages;
-- what is no option
SELECT answer_dashboard_html(NULL);
SELECT answer_dashboard_html('[]');
SELECT answer_dashboard_html('7');
SELECT answer_dashboard_html('{"colour": "blue"}');
SELECT answer_dashboard_html('{"title": ""}');
SELECT answer_dashboard_html('{"title": 7}');
SELECT answer_dashboard_html(jsonb_build_object('title', repeat('x', 201)));
SELECT answer_dashboard_html('{"days": 0}');
SELECT answer_dashboard_html('{"days": 32}');
SELECT answer_dashboard_html('{"days": 1.5}');
SELECT answer_dashboard_html('{"days": "7"}');
SELECT answer_dashboard_html('{"days": null}');
SELECT answer_dashboard_html('{"receipts": -1}');
SELECT answer_dashboard_html('{"receipts": 101}');
SELECT answer_dashboard_html('{"receipts": 99999999999999999999}');
SELECT answer_dashboard_html('{"tenant": 7}');
SELECT answer_dashboard_html('{"tenant": "nobody at all"}');
SELECT * FROM answer_dashboard_receipts(NULL);
SELECT * FROM answer_dashboard_receipts(0);
SELECT * FROM answer_dashboard_receipts(101);
SELECT * FROM answer_dashboard_gates(NULL);
SELECT * FROM answer_dashboard_gates(-1);
-- a page
SELECT answer_dashboard_html() ~ '^<!DOCTYPE html>' AS page, answer_dashboard_html() !~ '[^\t\n -~]' AS ascii,
	answer_dashboard_html() !~* '<script|javascript:|https?:|url\(| on[a-z]+=| style=' AS no_script;
SELECT substring(answer_dashboard_html('{"title": "<b>\u00e9\u202e\"</b>"}') FROM '<h1>.*</h1>') AS title;
SELECT answer_dashboard_html('{"days": 1, "receipts": 0, "tenant": ""}') LIKE '%Verdicts of 1 days%' AS one_day,
	answer_dashboard_html('{"receipts": 0}') LIKE '%>Latest receipts</h2><p class="quiet">Nothing yet.</p>%' AS none;
SELECT html LIKE format('%%style-src ''sha256-%s'';%%',
	encode(sha256(convert_to(substring(html FROM '<style>(.*)</style>'), 'UTF8')), 'base64')) AS digest
FROM answer_dashboard_html() AS html;
-- parts
SELECT v, answer.dashboard_number(v, '%') AS share, answer.dashboard_number(v, 'ms') AS ms,
	answer.dashboard_number(v, '') AS count, answer.dashboard_number(v, '2') AS decimal,
	answer.dashboard_number(v, 'usd') AS usd, answer.dashboard_number(v, 'x') AS times
FROM unnest('{NULL,NaN,Infinity,-1,0,0.5,123456789,999999999999,1e300}'::float8[]) AS v;
SELECT word, answer.dashboard_chip(word) FROM unnest('{ok,breach,"<i>",""}'::text[]) AS word;
SELECT answer.receipt_columns('{}') IS NULL AS nothing, answer.receipt_columns('7') IS NULL AS no_object;
-- the states of receipts
SELECT count(answer_eval('{"checks": [{"tool": "postgres_server"}]}')) AS asked;
SELECT state, count(*) FROM answer_dashboard_receipts(1) GROUP BY 1;
-- who may
CREATE ROLE page_viewer;
GRANT USAGE ON SCHEMA answer TO page_viewer;
SET ROLE page_viewer;
SELECT length(answer_dashboard_html());
SELECT * FROM answer_dashboard_receipts(1);
SELECT answer.dashboard_page_of('{""}', '{}');
RESET ROLE;
SELECT answer_dashboard_grant('page_viewer');
SET ROLE page_viewer;
SELECT length(answer_dashboard_html()) > 5000 AS page;
SELECT count(*) FROM answer_dashboard_receipts(1);
SELECT count(*) FROM answer.receipt;
RESET ROLE;
SELECT answer_dashboard_revoke('page_viewer');
SET ROLE page_viewer;
SELECT length(answer_dashboard_html());
RESET ROLE;
DROP OWNED BY page_viewer;
DROP ROLE page_viewer;
