-- tiers: test
-- The search of chunks finds the same as scoring every chunk, over texts and questions with everything that a reading
-- distinguishes.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(32);
SET LOCAL client_min_messages = warning;

CREATE FUNCTION pg_temp.any_of(things text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT things[1 + floor(random() * cardinality(things))::int] $$;
-- words of all kinds: ordinary ones, function words, values, names, other scripts, long ones
CREATE FUNCTION pg_temp.word() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN random() < 0.7 THEN pg_temp.any_of('{refund,refunds,policy,order,orders,ship,shipping,return,
			returned,store,key,api,limit,request,day,days,hour,plan,support,Kettle,battery,warranty,invoice,account,
			delete,export}')
		WHEN random() < 0.3 THEN pg_temp.any_of('{the,a,not,no,never,is,do,how,what,in,for,one,my,"can''t",without,
			what''s}')
		WHEN random() < 0.4 THEN pg_temp.any_of('{30 days,thirty,a hundred,25MB,10am,9:30,9:30 p.m.,5 p.m.,540,1.5,
			2024,$40,7%,one day,"1,000 requests"}')
		WHEN random() < 0.6 THEN pg_temp.any_of('{SSNs,HTTPServer,max_retries,X200,Berlin,EU,getUserName,Dr. Ada,
			re-use,e.g.,iPhone15}')
		ELSE pg_temp.any_of(ARRAY['straße', 'Ü', 'ключ', '日本', repeat('long', 90), repeat('long', 90) || 'er']) END $$;
CREATE FUNCTION pg_temp.words(most int) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT string_agg(pg_temp.word(), ' ') FROM generate_series(1, 1 + floor(random() * most)::int) $$;
CREATE FUNCTION pg_temp.paragraph() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN random() < 0.03 THEN '---' ELSE string_agg(pg_temp.words(9)
		|| pg_temp.any_of('{.,?,!,:,;,"",.}'), pg_temp.any_of(ARRAY[' ', E'\n', E'\n- '])) END
	FROM generate_series(1, 1 + floor(random() * 4)::int) $$;
CREATE FUNCTION pg_temp.document(id text) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT jsonb_build_object('doc_id', id, 'title', initcap(pg_temp.words(3)),
		'timestamp', format('2024-01-%s', 10 + floor(random() * 20)::int), 'text',
		(SELECT string_agg(pg_temp.paragraph(), E'\n\n') FROM generate_series(1, 1 + floor(random() * 6)::int))) $$;
CREATE FUNCTION pg_temp.questions(n int) RETURNS text[] LANGUAGE sql VOLATILE AS $$
	SELECT array_agg(initcap(left(w, 1)) || substr(w, 2) || pg_temp.any_of('{?,"",?}'))
	FROM generate_series(1, n) AS i, LATERAL (SELECT pg_temp.words(7 + 0 * i) AS w) AS x $$;
-- differences between a search and scoring every chunk, including the order
CREATE FUNCTION pg_temp.differences(questions text[], k int, filter jsonb DEFAULT NULL, wanted text DEFAULT 'true')
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format($q$WITH every AS MATERIALIZED (
			SELECT q, s.chunk_id, answer.text_score(q, c.text, c.title, r.rules)::float8 AS similarity
			FROM answer.decision_rules() AS r (rules), unnest($1) AS q, answer.chunk_search s
			JOIN answer.chunk c USING (tenant, doc_id, version, ordinal)
			JOIN answer.document d USING (tenant, doc_id, version) WHERE tenant = answer_tenant() AND (%s)),
		best AS (SELECT q, chunk_id, similarity,
			row_number() OVER (PARTITION BY q ORDER BY similarity DESC, chunk_id COLLATE "C") AS place
			FROM every WHERE similarity > 0),
		found AS (SELECT q, s.chunk_id, s.similarity, s.place FROM unnest($1) AS q, LATERAL (
			SELECT h.chunk_id, h.similarity, row_number() OVER () AS place FROM answer_search(q, $2, $3) AS h) AS s)
		SELECT count(*) FROM ((SELECT * FROM best WHERE place <= $2 EXCEPT TABLE found)
			UNION ALL (TABLE found EXCEPT SELECT * FROM best)) AS d$q$, wanted)
	INTO n USING questions, k, filter;
	RETURN n;
END $$;

SELECT setseed(0.25);
SELECT ok((answer_document_load((SELECT jsonb_agg(pg_temp.document('d' || n)) FROM generate_series(1, 150) AS n))
	->> 'created')::int = 150, 'documents');
CREATE TEMP TABLE asked AS SELECT pg_temp.questions(25)
	|| '{refund,the,how,"not never","9:30 a.m.?","Is 540 one?",SSN,"server HTTP",ключ,日本}'::text[] AS questions;
SELECT is(pg_temp.differences(questions, k), 0::bigint, format('k = %s: what scoring every chunk finds', k))
FROM asked, unnest('{1,5,40,1000}'::int[]) AS k;
SELECT is(pg_temp.differences(questions, 7, '{"doc_ids": ["d3", "d7", "d9", "none"]}',
	$$d.doc_id IN ('d3', 'd7', 'd9')$$), 0::bigint, 'of few documents') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"since": "2024-01-15", "until": "2024-01-18"}',
	$$d."timestamp" BETWEEN '2024-01-15Z' AND '2024-01-18Z'$$), 0::bigint, 'of some days') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"title": "REFUNDS"}', $$(answer.search_items('', '', c.title)).title_items
	@> (answer.search_items('', '', 'refund')).title_items$$), 0::bigint, 'of a title') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"title": ""}'), 0::bigint, 'of any title') FROM asked;

/* documents that are changed and removed */

SELECT ok(answer_document_load((SELECT jsonb_agg(pg_temp.document('d' || n)) FROM generate_series(1, 150, 7) AS n))
	IS NOT NULL, 'documents change');
SELECT is((SELECT count(answer_forget(doc_id, 'a test')) FROM answer_documents() WHERE doc_id LIKE 'd1%3'), 6::bigint,
	'some go');
SELECT is(pg_temp.differences(questions, 6), 0::bigint, 'still what scoring every chunk finds') FROM asked;
CREATE FUNCTION pg_temp.miscounted() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM answer.chunk_item AS i FULL JOIN (
		SELECT tenant, substring(t.term FROM octet_length(tenant) + 2) AS item, count(*) AS chunks
		FROM answer.chunk_search, unnest(items) AS t (term) GROUP BY 1, 2) AS c USING (tenant, item)
	WHERE i.chunks IS DISTINCT FROM c.chunks $$;
SELECT is(pg_temp.miscounted(), 0::bigint, 'items are counted in and out');

/* a query finds the same without the index */

UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'answer.chunk_search_items'::regclass;
SELECT is(pg_temp.differences(questions[1:12], 4), 0::bigint, 'without the index') FROM asked;
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'answer.chunk_search_items'::regclass;
SET LOCAL work_mem = '64kB';
SET LOCAL gin_fuzzy_search_limit = 3;
SELECT is(pg_temp.differences(questions[1:12], 4), 0::bigint, 'whatever the caller has set') FROM asked;
RESET gin_fuzzy_search_limit;
RESET work_mem;

/* documents of others are not found, and change nothing */

CREATE ROLE "search-one";
CREATE ROLE "search-two";
SELECT answer_tenant_create(r), answer_tenant_grant(r, r)
FROM unnest('{search-one,search-two}'::text[]) AS r \g /dev/null
CREATE FUNCTION pg_temp.as_role(name text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('role', name, true);
	EXECUTE statement INTO result;
	PERFORM set_config('role', 'none', true);
	RETURN result;
END $$;
GRANT EXECUTE ON FUNCTION answer_document_load, answer_search TO "search-one", "search-two";
SELECT is(pg_temp.as_role('search-one', $$SELECT answer_document_load('[{"doc_id": "d1", "title": "Kettle",
	"timestamp": "2024-01-01", "text": "A refund of 30 days."}]') ->> 'chunks'$$), '1', 'a tenant loads');
SELECT is(pg_temp.as_role('search-one', $$SELECT string_agg(chunk_id || ' ' || similarity, ', ')
	FROM answer_search('refund of 30 days')$$), 'd1#p0 1', 'it finds its own alone');
SELECT is(pg_temp.as_role('search-two', $$SELECT count(*)::text FROM answer_search('refund of 30 days')$$), '0',
	'another one finds nothing');
SELECT is(pg_temp.differences(questions, 6), 0::bigint, 'and the operator finds as before') FROM asked;

/* loading one by one, in a transaction without statistics */

CREATE FUNCTION pg_temp.rows_read(first integer, last integer, what text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint;
	after bigint;
	counted CONSTANT text := $q$SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_all_tables
		WHERE schemaname = 'answer' AND relname IN ('document', 'chunk', 'chunk_search', 'chunk_item')$q$;
BEGIN
	EXECUTE counted INTO before;
	FOR i IN first .. last LOOP
		PERFORM answer_document_load(jsonb_build_array(jsonb_build_object('doc_id', 'one' || i, 'title', 'One of many',
			'timestamp', '2024-01-01', 'text', format(E'The %s is number %s.\n\nThere are others.', what, i))));
	END LOOP;
	EXECUTE counted INTO after;
	RETURN after - before;
END $$;
SELECT pg_temp.rows_read(1, 10, 'boat');
CREATE TEMP TABLE loads AS SELECT pg_temp.rows_read(11, 30, 'boat') AS early,
	pg_temp.rows_read(31, 180, 'boat') AS rest, pg_temp.rows_read(181, 200, 'boat') AS late;
SELECT cmp_ok(late, '<=', early + 20, 'a document is loaded by as few rows, however many were loaded before')
	FROM loads;
CREATE TEMP TABLE again AS SELECT pg_temp.rows_read(1, 20, 'ship') AS early, pg_temp.rows_read(21, 180, 'ship') AS rest,
	pg_temp.rows_read(181, 200, 'ship') AS late;
SELECT cmp_ok(late, '<=', early + 60, 'and so is its next version') FROM again;

/* rules for reading texts */

SELECT is(answer_document_load('[{"doc_id": "far", "title": "Far", "timestamp": "2024-01-01",
	"text": "It is one parsec away.\n\nHardly a place."}]') ->> 'chunks', '2', 'a unit that nobody knows');
CREATE FUNCTION pg_temp.stale() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM answer.chunk_search s JOIN answer.chunk c USING (tenant, doc_id, version, ordinal),
		answer.search_items(c.tenant, c.text, c.title) AS r
	WHERE (s.items, s.title_items, s.sketch) IS DISTINCT FROM (r.items, r.title_items, r.sketch) $$;
SELECT is(pg_temp.stale(), 0::bigint, 'all is read by the rules in force');
CREATE TEMP TABLE was AS SELECT items FROM answer.chunk_search WHERE chunk_id = 'far#p0';
SELECT is((SELECT similarity FROM answer_search('Is it 1 parsec?', 1000) WHERE chunk_id = 'far#p0'), 0.3333::float8,
	'not a value yet');
SELECT lives_ok($$SELECT answer_decision_rule_register('units', 'parsec', '{"unit": "parsec"}')$$, 'it becomes a unit');
SELECT is((SELECT similarity FROM answer_search('Is it 1 parsec?') WHERE chunk_id = 'far#p0'), 1::float8,
	'one is a number before it, in chunks that were there');
SELECT ok((SELECT s.items <> w.items FROM answer.chunk_search s, was w WHERE chunk_id = 'far#p0'),
	'which were read again');
SELECT is(ARRAY[pg_temp.stale(), pg_temp.miscounted()], '{0,0}', 'and so was all else');
SELECT lives_ok($$SELECT answer_decision_rule_register('negators', 'hardly'),
	answer_decision_rule_remove('units', 'parsec')$$, 'rules change again');
SELECT is(ARRAY[pg_temp.stale(), pg_temp.miscounted(), pg_temp.differences((SELECT questions FROM asked), 5)],
	'{0,0,0}', 'and chunks with them');
SELECT ok((SELECT s.items = w.items FROM answer.chunk_search s, was w WHERE chunk_id = 'far#p0'), 'as it was before');
SELECT is((SELECT string_agg(detail, '; ') FROM answer_log_audit() WHERE finding <> 'forgotten'), NULL,
	'the audit finds nothing');
SELECT * FROM finish();
ROLLBACK;
