SELECT plan(24);
-- The search of chunks finds what scoring every chunk finds: texts of all that the reading tells apart, and questions of them.
SET client_min_messages = warning;

CREATE FUNCTION pg_temp.any_of(things text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT things[1 + floor(random() * cardinality(things))::int] $$;
-- a word: of the language, of its form, a name, a value, one with parts, one in another script, one that is long
CREATE FUNCTION pg_temp.word() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN random() < 0.7 THEN pg_temp.any_of('{refund,refunds,policy,order,orders,ship,shipping,return,returned,store,key,api,limit,
			request,day,days,hour,plan,support,Kettle,battery,warranty,invoice,account,delete,export}')
		WHEN random() < 0.3 THEN pg_temp.any_of('{the,a,not,no,never,is,do,how,what,in,for,one,my,"can''t",without,what''s}')
		WHEN random() < 0.4 THEN pg_temp.any_of('{30 days,thirty,a hundred,25MB,10am,9:30,9:30 p.m.,5 p.m.,540,1.5,2024,$40,7%,one day,"1,000 requests"}')
		WHEN random() < 0.6 THEN pg_temp.any_of('{SSNs,HTTPServer,max_retries,X200,Berlin,EU,getUserName,Dr. Ada,re-use,e.g.,iPhone15}')
		ELSE pg_temp.any_of(ARRAY['straße', 'Ü', 'ключ', '日本', repeat('long', 90), repeat('long', 90) || 'er']) END $$;
CREATE FUNCTION pg_temp.words(most int) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT string_agg(pg_temp.word(), ' ') FROM generate_series(1, 1 + floor(random() * most)::int) $$;
CREATE FUNCTION pg_temp.paragraph() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN random() < 0.03 THEN '---' ELSE string_agg(pg_temp.words(9) || pg_temp.any_of('{.,?,!,:,;,"",.}'), pg_temp.any_of(ARRAY[' ', E'\n', E'\n- ']))
		END FROM generate_series(1, 1 + floor(random() * 4)::int) $$;
CREATE FUNCTION pg_temp.document(id text) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
	SELECT jsonb_build_object('doc_id', id, 'title', initcap(pg_temp.words(3)), 'timestamp', format('2024-01-%s', 10 + floor(random() * 20)::int),
		'text', (SELECT string_agg(pg_temp.paragraph(), E'\n\n') FROM generate_series(1, 1 + floor(random() * 6)::int))) $$;
-- what differs between a search and scoring every chunk, in its place
CREATE FUNCTION pg_temp.differences(questions text[], k int, filter jsonb DEFAULT NULL, wanted text DEFAULT 'true') RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format($q$WITH every AS MATERIALIZED (SELECT q, s.chunk_id, answer_text_score(q, c.text, c.title, answer_decision_rules())::float8 AS similarity
			FROM unnest($1) AS q, answer.chunk_search s JOIN answer.chunk c USING (tenant, doc_id, version, ordinal)
			JOIN answer.document d USING (tenant, doc_id, version) WHERE tenant = answer_tenant() AND (%s)),
		best AS (SELECT q, chunk_id, similarity, row_number() OVER (PARTITION BY q ORDER BY similarity DESC, chunk_id COLLATE "C") AS place FROM every WHERE similarity > 0),
		found AS (SELECT q, s.chunk_id, s.similarity, s.place FROM unnest($1) AS q,
			LATERAL (SELECT h.chunk_id, h.similarity, row_number() OVER () AS place FROM answer_search(q, $2, $3) AS h) AS s)
		SELECT count(*) FROM ((SELECT * FROM best WHERE place <= $2 EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT SELECT * FROM best)) AS d$q$, wanted)
	INTO n USING questions, k, filter;
	RETURN n;
END $$;
CREATE FUNCTION pg_temp.questions(n int) RETURNS text[] LANGUAGE sql VOLATILE AS $$
	SELECT array_agg(initcap(left(w, 1)) || substr(w, 2) || pg_temp.any_of('{?,"",?}')) FROM generate_series(1, n), LATERAL (SELECT pg_temp.words(7 + 0 * generate_series) AS w) AS x $$;

SELECT setseed(0.25);
SELECT ok((answer_document_load((SELECT jsonb_agg(pg_temp.document('d' || n)) FROM generate_series(1, 150) AS n)) ->> 'created')::int = 150, 'documents');
CREATE TEMP TABLE asked AS SELECT pg_temp.questions(25) || '{refund,the,how,"not never","9:30 a.m.?","Is 540 one?",SSN,"server HTTP",ключ,日本}'::text[] AS questions;
SELECT is(pg_temp.differences(questions, k), 0::bigint, format('k = %s: what scoring every chunk finds', k)) FROM asked, unnest('{1,5,40,1000}'::int[]) AS k;
SELECT is(pg_temp.differences(questions, 7, '{"doc_ids": ["d3", "d7", "d9", "none"]}', $$d.doc_id IN ('d3', 'd7', 'd9')$$), 0::bigint, 'of few documents') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"since": "2024-01-15", "until": "2024-01-18"}', $$d."timestamp" BETWEEN '2024-01-15Z' AND '2024-01-18Z'$$), 0::bigint, 'of some days') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"title": "REFUNDS"}', $$(answer.search_items('', '', c.title)).title_items @> (answer.search_items('', '', 'refund')).title_items$$),
	0::bigint, 'of a title') FROM asked;
SELECT is(pg_temp.differences(questions, 7, '{"title": ""}'), 0::bigint, 'of any title') FROM asked;
