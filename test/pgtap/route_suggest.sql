-- Suggested routes for a user's own table: each can be registered unchanged, and is answered from the table. No names,
-- values, rights or policies break a statement or leak anything.
BEGIN;
SET LOCAL search_path TO public, tap, pg_catalog;
SET LOCAL client_min_messages = warning;
SELECT plan(51);

CREATE FUNCTION pg_temp.register(relation text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	done bigint := 0;
	one text;
BEGIN
	FOR one IN SELECT statement FROM answer_route_suggest(relation::regclass) LOOP
		EXECUTE one;
		done := done + 1;
	END LOOP;
	RETURN done;
END $$;
-- a summary without the question that it begins with
CREATE FUNCTION pg_temp.says(question text) RETURNS text LANGUAGE sql AS
	$$SELECT replace(answer_summary(answer_ask(question)), '"' || question || '": ', '')$$;
CREATE FUNCTION pg_temp.ids(relation text) RETURNS text LANGUAGE sql AS
	$$SELECT string_agg(route_id, ' ') FROM answer_route_suggest(relation::regclass)$$;

--
-- from a table to an answer
--
CREATE TYPE level AS ENUM ('gold', 'silver');
CREATE TABLE customers (id int PRIMARY KEY, email text UNIQUE, country text, level level, credit numeric,
	joined date, active boolean);
INSERT INTO customers VALUES (1, 'a@x', 'Germany', 'gold', 3, '2026-01-01', true),
	(2, 'b@x', 'the Netherlands', 'silver', 4.5, '2026-02-01', false),
	(3, 'c@x', 'Germany', 'silver', 1, '2026-03-01', true);
SELECT is(pg_temp.ids('customers'),
	'customers.count customers.count.country customers.count.level customers.count.active customers.sum.credit'
	|| ' customers.sum.credit.country customers.sum.credit.level customers.latest.joined'
	|| ' customers.latest.joined.country customers.latest.joined.level',
	'how many, which total and when last, of all and by values of columns; no column that tells rows apart');
SELECT is(pg_temp.register('customers'), 10::bigint, 'each statement registers what it suggests');
SELECT is(pg_temp.says('How many customers are in Germany?'), '2 (evidenced, confidence 0.8).',
	'a question is answered by a number');
SELECT is(pg_temp.says('What is the total credit of customers?'), '8.5 (evidenced, confidence 0.8).',
	'and by a total');
SELECT is(pg_temp.says('When was the last customer with the level silver?'),
	'2026-03-01 (evidenced, confidence 0.8).', 'and by a date');
SELECT is(pg_temp.says('How many customers are there? How many customers are active?'),
	'3; 2 (evidenced, confidence 0.8).', 'two questions at once, two numbers');
SELECT matches(pg_temp.says('How many customers are in France?'),
	'refused: no route matches; France is not in the list country; closest: ',
	'a value that the column does not have is refused by its name, and no 0');
SELECT is_empty($$SELECT question, a FROM answer_route_suggest('customers'),
	LATERAL (SELECT answer_ask(question)) AS x (a)
	WHERE a #>> '{route,route_id}' <> route_id OR a ->> 'verdict' <> 'evidenced'$$,
		'every example is answered, by its own route');
SELECT is(answer_route_audit(), '[]', 'and the table of routes is in order');
INSERT INTO customers VALUES (4, 'd@x', 'Germany', 'gold', 0, '2026-03-02', true);
SELECT is((SELECT string_agg(pg_temp.says(q), ' ') FROM unnest('{How many customers are from Germany?,'
	'How many customers from Germany are there?,How many customers have the country Germany?,'
	'how many customers in germany do we have}'::text[]) AS q),
	'3 (evidenced, confidence 0.8). 3 (evidenced, confidence 0.8). 3 (evidenced, confidence 0.8). '
	'3 (evidenced, confidence 0.8).', 'the table as it is, in some more words');

--
-- routes and tools of the user are not replaced
--
SELECT is((SELECT count(*) FROM answer_route_suggest('customers') WHERE statement ~ 'CREATE'), 0::bigint,
	'what is there already is not made again');
SELECT is(pg_temp.register('customers'), 10::bigint, 'and registering again changes nothing');
CREATE TABLE visits (place text);
INSERT INTO visits VALUES ('harbour');
CREATE FUNCTION visits_count(args jsonb) RETURNS jsonb LANGUAGE sql AS $$SELECT '"mine"'::jsonb$$;
SELECT is(pg_temp.register('visits'), 2::bigint, 'a function of the user''s has the name');
SELECT is(visits_count('{}') || visits_count_2('{}'), '["mine", 1]', 'and keeps it');
CREATE TABLE a (b_c numeric, c text);
CREATE TABLE a_b (c text, b_c numeric);
INSERT INTO a VALUES (1, 'x'); INSERT INTO a_b VALUES ('x', 2);
SELECT is(pg_temp.register('a') + pg_temp.register('a_b'), 8::bigint, 'two suggestions never share a function');

--
-- names and values of every kind
--
CREATE SCHEMA "Odd.Schema";
CREATE TABLE "Odd.Schema"."it's $sql$ ""orders"" {x} [y] \ |" ("args" text, "a'b" text,
	"$sql$; DROP TABLE customers; --" text, "Ünit price" float8, "{value}" date, "?!" text);
INSERT INTO "Odd.Schema"."it's $sql$ ""orders"" {x} [y] \ |" VALUES
	('$sql$', '''); DROP TABLE customers; --', 'x{y}[z](w|v)\', 2.5, '2026-01-01', 'never named'), ('plain',
		'in the shop', 'shop', 4, '2026-02-01', 'nor this');
SELECT is(pg_temp.register('"Odd.Schema"."it''s $sql$ ""orders"" {x} [y] \ |"'), 12::bigint,
	'odd names: what can be named is registered');
SELECT is((SELECT count(*) FROM customers), 4::bigint, 'and nothing else happened');
SELECT is_empty($$SELECT question, a FROM answer_route_suggest('"Odd.Schema"."it''s $sql$ ""orders"" {x} [y] \ |"'),
	LATERAL (SELECT answer_ask(question)) AS x (a)
	WHERE a #>> '{route,route_id}' <> route_id OR a ->> 'verdict' <> 'evidenced' OR a #>> '{checks,0,observed}' =
		'0'$$, 'each is answered, and not by 0');
CREATE TABLE "顧客" ("Straße" text, "città" numeric);
INSERT INTO "顧客" VALUES ('Große Gasse', 7);
SELECT is(pg_temp.register('"顧客"'), 4::bigint, 'names of other scripts');
SELECT is(pg_temp.says('How many 顧客 have the Straße große gasse?'), '1 (evidenced, confidence 0.8).',
	'are words like others');
CREATE TABLE tickets (state text, phase text);
INSERT INTO tickets VALUES ('in progress', 'progress'), ('progress', 'in progress'), ('open', 'open');
SELECT is(pg_temp.register('tickets'), 3::bigint,
	'values that begin with words of the pattern, and that two columns have');
SELECT is(answer_route_audit(), '[]', 'fit into the table of routes');
SELECT is(pg_temp.says('How many tickets have the phase open?'), '1 (evidenced, confidence 0.8).',
	'the column''s name tells them apart');
CREATE TABLE mixed (c char(8), v varchar(8), n name, only_one text, hidden text);
INSERT INTO mixed VALUES ('ab', 'x', 'y', E'z\n', 'ends here.');
SELECT is(pg_temp.register('mixed'), 5::bigint, 'texts of other types; what no question can name is left out');
SELECT is(pg_temp.says('How many mixeds have the c ab?'), '1 (evidenced, confidence 0.8).',
	'padding does not matter');
CREATE TABLE wide AS SELECT 'name ' || n AS name, n % 500 || ' or' AS kind FROM generate_series(0, 999) AS n;
SELECT is(pg_temp.ids('wide'), 'wide.count wide.count.kind', 'a column of more than 500 values is no kind');
CREATE TABLE types (i int, b bigint, f real, m money, o oid, t time, ts timestamp, tz timestamptz, j jsonb, u uuid,
	parent_id int, s serial);
SELECT is(pg_temp.ids('types'),
	'types.count types.sum.i types.sum.b types.sum.f types.sum.s types.latest.ts types.latest.tz',
	'only numbers are added up, and only instants are the latest');
SELECT is((SELECT string_agg(question, ' ' ORDER BY question) FROM answer_route_suggest('types') WHERE route_id ~
	'latest'),
	'What is the latest ts of types? What is the latest tz of types?', 'of two instants each is named');
SELECT is(pg_temp.register('types'), 7::bigint, 'a table without rows');
SELECT is(pg_temp.says('How many types are there?') || pg_temp.says('What is the total i of types?'),
	'0 (evidenced, confidence 0.8).0 (evidenced, confidence 0.8).', 'has none, and they come to 0');
SELECT matches(pg_temp.says('What is the latest tz of types?'), '^Insufficient evidence ',
	'and there is no latest of them');

--
-- tables, views and everything else that can be read
--
CREATE VIEW german AS SELECT country, credit FROM customers WHERE country = 'Germany';
CREATE MATERIALIZED VIEW summary AS SELECT country, count(*) AS customers FROM customers GROUP BY country;
CREATE TABLE parted (place text, weight int) PARTITION BY LIST (place);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN ('Rome');
INSERT INTO parted VALUES ('Rome', 5);
CREATE FOREIGN DATA WRAPPER tap_nothing;
CREATE SERVER tap_nothing FOREIGN DATA WRAPPER tap_nothing;
CREATE FOREIGN TABLE distant (weight int) SERVER tap_nothing;
SELECT is(pg_temp.register('german') + pg_temp.register('summary') + pg_temp.register('parted') +
	pg_temp.register('distant'), 14::bigint,
	'views, materialized views, partitioned and foreign tables');
SELECT is(pg_temp.says('How many parteds are in Rome?'), '1 (evidenced, confidence 0.8).',
	'a partitioned table is asked as a whole');

--
-- rights and policies
--
CREATE ROLE tap_suggested;
GRANT USAGE ON SCHEMA answer, public, tap TO tap_suggested;
GRANT CREATE ON SCHEMA public TO tap_suggested;
GRANT EXECUTE ON FUNCTION answer_route_suggest TO tap_suggested;
CREATE TABLE secret (city text, word text, weight int);
INSERT INTO secret VALUES ('Rome', 'sesame', 1), ('Oslo', 'poppy', 2);
SET ROLE tap_suggested;
SELECT throws_ok($$SELECT * FROM answer_route_suggest('secret')$$, '42501',
	'permission denied for table public.secret', 'nothing of a table that the caller may not read');
RESET ROLE;
GRANT SELECT (city, weight) ON secret TO tap_suggested;
SET ROLE tap_suggested;
SELECT is((SELECT string_agg(route_id, ' ') FROM answer_route_suggest('secret')),
	'secret.count secret.count.city secret.sum.weight secret.sum.weight.city',
		'of columns that the caller may read, those');
SELECT isnt((SELECT string_agg(statement, ' ') FROM answer_route_suggest('secret')), NULL, 'with their statements');
RESET ROLE;
CREATE POLICY own ON secret FOR SELECT TO tap_suggested USING (city = 'Rome');
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
SELECT is((SELECT count(*) FROM answer_route_suggest('secret') AS s WHERE to_jsonb(s)::text ~
	'Rome|Oslo|sesame|poppy|"lists"'), 0::bigint,
	'where policies say who sees which row, no value goes into a route');
SELECT is(pg_temp.register('secret'), 6::bigint, 'the values are then words of the question');
SELECT is(pg_temp.says('How many secrets have the city oslo?'), '1 (evidenced, confidence 0.8).',
	'who owns the table sees all rows');
GRANT EXECUTE ON FUNCTION answer_ask(text) TO tap_suggested;
SET ROLE tap_suggested;
SELECT is(pg_temp.says('How many secrets have the city oslo?'), '0 (evidenced, confidence 0.8).',
	'who asks sees what the policies show');
RESET ROLE;

--
-- a tenant
--
CREATE ROLE tap_acme;
SELECT lives_ok($$SELECT answer_tenant_create('acme'), answer_tenant_grant('acme', 'tap_acme')$$, 'a tenant');
GRANT USAGE ON SCHEMA answer, tap TO tap_acme;
GRANT EXECUTE ON FUNCTION answer_route_suggest,
	answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb),
	answer_route_register, answer_ask TO tap_acme;
CREATE SCHEMA acme AUTHORIZATION tap_acme;
SET ROLE tap_acme;
CREATE TABLE acme.crates (city text);
INSERT INTO acme.crates VALUES ('Oslo'), ('Oslo');
SELECT is((SELECT count(*) FROM answer_route_suggest('acme.crates') WHERE statement ~ 'answer_source_register'),
	0::bigint, 'no source, which only the operator registers');
SELECT is(pg_temp.register('acme.crates'), 2::bigint, 'the rest is the tenant''s own');
SELECT is(pg_temp.says('How many crates are in Oslo?'), '2 (evidenced, confidence 0.5).', 'and answers the tenant');
RESET ROLE;

--
-- objects that are refused
--
CREATE TEMP TABLE passing (x int);
CREATE SEQUENCE counter;
CREATE TABLE "!!!" (x int);
SELECT throws_ok($$SELECT * FROM answer_route_suggest(NULL)$$, '22004', 'relation must not be null', 'NULL');
SELECT throws_ok(format('SELECT * FROM answer_route_suggest(%L)', r), '22023', NULL,
	r || ' is refused') FROM unnest('{passing,counter,pg_class,answer.receipt,customers_pkey,"\"!!!\""}'::text[]) AS
	r;

SELECT * FROM finish();
ROLLBACK;
