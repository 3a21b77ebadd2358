-- Documents in chunks and versions, what finds them, and how they are forgotten.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';
SET datestyle = 'ISO';

CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN format('%s: %s', SQLSTATE, SQLERRM);
END
$$;

/* loading */

SELECT answer_document_load('[]');
SELECT jsonb_pretty(answer_document_load('[
	{"doc_id": "guide", "title": "Guide", "timestamp": "2024-03-01T10:00:00", "url": "https://example.com/guide",
	 "sections": [{"anchor": "start", "title": "Start", "text": "Plug the kettle in.\n\nFill it with water.\r\n \t\r\n'
	'Switch it on.\n"},
		{"anchor": "stop", "title": "Stop", "text": "Switch the kettle off."}, {"anchor": "void", "title": "Void", '
	'"text": " \n "}]},
	{"doc_id": "note", "title": "Note", "timestamp": "2024-03-02", "text": "\n\n  The kettle holds\ntwo litres.  \n\n\n'
	'\nIt is red.\u2003"}]')
	#- '{documents,0,content_hash}' #- '{documents,1,content_hash}');
SELECT chunk_id, version, anchor, section, uri, title, to_json(text) AS text
FROM answer.chunk WHERE tenant = '' ORDER BY chunk_id COLLATE "C";
SELECT bool_and(content_hash = 'sha256:' || encode(sha256(convert_to(text, 'UTF8')), 'hex')) AS hashes_are_of_the_text
FROM answer.chunk WHERE tenant = '';
SELECT doc_id, title, "timestamp", url, version, chunks, loaded_at <= clock_timestamp() AS loaded
FROM answer_documents();
SELECT loaded_by = session_user AS who FROM answer.document WHERE tenant = '' LIMIT 1;
SELECT version, chunks FROM answer.document_set WHERE tenant = '';
-- the same again, also written otherwise, changes nothing
SELECT answer_document_load('[{"doc_id": "note", "title": "Note", "timestamp": "2024-03-02T01:00:00+01:00", "url": null,
	"text": "The kettle holds\ntwo litres.\n\nIt is red."}]') - 'documents' AS unchanged;
SELECT version, chunks FROM answer.document_set WHERE tenant = '';
-- what a document says makes its version: each part of it
SELECT (answer_document_load(jsonb_build_array('{"doc_id": "note", "title": "Note", "timestamp": "2024-03-02", '
	'"text": "It is red."}'::jsonb || d))
	#> '{documents,0}') - 'content_hash' AS state
FROM unnest(ARRAY['{}', '{"title": "Other"}', '{"timestamp": "2024-03-03"}', '{"url": "https://example.com/"}',
	'{"text": "It is blue."}', '{}']::jsonb[]) AS d;
SELECT version, title, "timestamp", url, chunks FROM answer.document WHERE doc_id = 'note' ORDER BY version;
SELECT chunk_id, version FROM answer.chunk_search WHERE tenant = '' ORDER BY chunk_id;
SELECT version, chunks FROM answer.document_set WHERE tenant = '';
-- a load that failed leaves nothing, and one that changed nothing leaves the version
SELECT answer_document_load('[{"doc_id": "new", "title": "New", "timestamp": "2024-01-01", "text": "New."}, '
	'{"doc_id": "bad"}]');
SELECT count(*) AS documents FROM answer_documents();
SELECT version, chunks FROM answer.document_set WHERE tenant = '';

/* refusals */

SELECT d AS docs, outcome(format('SELECT answer_document_load(%L)', d)) AS outcome
FROM unnest(ARRAY['{}', 'null', '[1]', '[{}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": "A", "extra": 1}]',
	'[{"doc_id": "", "title": "A", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": 7, "title": "A", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "a#b", "title": "A", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "ans_0123456789abcdef", "title": "A", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "sha256:ab", "title": "A", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "a", "title": "", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "a", "timestamp": "2024-01-01", "text": "A"}]',
	'[{"doc_id": "a", "title": "A", "text": "A"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "yesterday", "text": "A"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-02-30", "text": "A"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": 20240101, "text": "A"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": "A", "sections": []}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": " \n\n\t"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": null}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "sections": []}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "sections": "A"}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "sections": ["A"]}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "sections": [{"anchor": "a", "text": "A"}]}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "sections": [{"anchor": "a", "title": "A", "text": "A", '
		'"url": "x"}]}]', '[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": "A", "url": ""}]',
	'[{"doc_id": "a", "title": "A", "timestamp": "2024-01-01", "text": "A"}, {"doc_id": "b", "title": "B", '
		'"timestamp": "2024-01-01", "text": "B"},
	  {"doc_id": "a", "title": "C", "timestamp": "2024-01-01", "text": "C"}]']) AS d;
SELECT outcome(format('SELECT answer_document_load(%L)',
	jsonb_build_array(jsonb_build_object('doc_id', repeat('x', 256), 'title', 'A',
	'timestamp', '2024-01-01', 'text', 'A')))) AS too_long;
SELECT answer_document_load(NULL);
-- what is malformed is refused in a short statement: the error does not show how documents are stored and found
CREATE FUNCTION pg_temp.context_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	context text;
BEGIN
	EXECUTE 'SELECT ' || call;
	RETURN NULL;
EXCEPTION WHEN invalid_parameter_value THEN
	GET STACKED DIAGNOSTICS context = PG_EXCEPTION_CONTEXT;
	RETURN context;
END
$$;
SELECT call, length(c.context) BETWEEN 1 AND 600 AS short, c.context ~ 'JOIN' AS shows_the_query
FROM unnest(ARRAY['answer_document_load(''[{"docid": "a"}]'')', 'answer_search(''tea'', 0)',
	'answer_search(''tea'', 5, ''{"doc_id": "a"}'')']) AS call, pg_temp.context_of(call) AS c (context);
SELECT count(*) AS documents FROM answer_documents();

/* what was loaded stays */

UPDATE answer.document SET title = 'Forged';
UPDATE answer.chunk SET text = 'Forged';
TRUNCATE answer.document;
TRUNCATE answer.chunk;

/* searching */

SELECT answer_document_load('[
	{"doc_id": "b", "title": "Tea", "timestamp": "2024-01-02", "text": "Green tea is brewed at 80 degrees.\n\n'
	'Black tea is brewed with boiling water."},
	{"doc_id": "a", "title": "Coffee", "timestamp": "2024-01-01", "text": "Coffee is ground before it is brewed.\n\n'
	'A grinder needs cleaning.", "url": "https://example.com/coffee"},
	{"doc_id": "B", "title": "Tea times", "timestamp": "2024-01-03", "text": "Tea is served at four.\n\n'
	'Straße und Maß: ein Kännchen Tee."}]') - 'documents' AS loaded;
SELECT * FROM answer_search('how is tea brewed?');
-- equal similarities are in the order of ids by code point, at every k
SELECT k, array_agg(s.chunk_id) AS hits
FROM generate_series(1, 4) AS k, LATERAL answer_search('tea', k) AS s GROUP BY k ORDER BY k;
-- a form of a word counts, one of the title alone less, and none is no hit
SELECT q AS query, (SELECT jsonb_object_agg(s.chunk_id, s.similarity) FROM answer_search(q) AS s) AS hits
FROM unnest(ARRAY['cleaning', 'cleanings', 'coffee', 'coffees', 'Kettle', 'STRASSE', 'straße', 'Masse',
	'wholly unknown', 'is', 'the', '', ' ?! ', '80']) AS q;
SELECT count(*) AS hits FROM answer_search(repeat('x', 65));
-- old versions are not found
SELECT chunk_id, similarity FROM answer_search('note red blue');
-- filters
SELECT f AS filter, (SELECT array_agg(s.chunk_id) FROM answer_search('tea coffee kettle', 10, f) AS s) AS hits,
	(SELECT array_agg(d.doc_id) FROM answer_documents(f) AS d) AS documents
FROM unnest(ARRAY['{}', 'null', '{"doc_ids": ["a", "b", "none"]}', '{"doc_ids": []}', '{"since": "2024-01-02"}',
	'{"until": "2024-01-02T00:00:00Z"}', '{"since": "2024-01-02", "until": "2024-01-02"}', '{"title": "TEA"}',
	'{"title": "times tea"}', '{"title": "start"}', '{"title": ""}',
	'{"title": "tea", "doc_ids": ["a"]}']::jsonb[]) AS f;
SELECT c AS call, outcome('SELECT count(*) FROM ' || c) AS outcome
FROM unnest(ARRAY['answer_search(NULL)', 'answer_search(''tea'', NULL)', 'answer_search(''tea'', 0)',
	'answer_search(''tea'', 1001)', 'answer_search(''tea'', -1)', 'answer_search(''tea'', 5, ''[]'')',
	'answer_search(''tea'', 5, ''{"doc_id": "a"}'')', 'answer_search(''tea'', 5, ''{"doc_ids": "a"}'')',
	'answer_search(''tea'', 5, ''{"doc_ids": [1]}'')', 'answer_search(''tea'', 5, ''{"since": "soon"}'')',
	'answer_search(''tea'', 5, ''{"until": 7}'')', 'answer_search(''tea'', 5, ''{"title": ["a"]}'')',
	'answer_documents(''{"titel": "a"}'')',
	'answer_search((SELECT string_agg(''w'' || n, '' '') FROM generate_series(1, 257) AS n))',
	'answer_search(repeat(''x'', 1048577))']) AS c;
-- the formula, by itself: the same numbers
SELECT count(*) AS compared, count(*) FILTER (WHERE s.similarity <> answer.text_score(q, c.text, c.title)) AS differ
FROM unnest(ARRAY['how is tea brewed', 'coffees cleaning', 'kettle red', 'boil water degrees']) AS q,
	LATERAL answer_search(q, 100) AS s JOIN answer.chunk c ON c.tenant = '' AND c.chunk_id = s.chunk_id
	AND NOT EXISTS (SELECT FROM answer.chunk n WHERE n.tenant = '' AND n.doc_id = c.doc_id AND n.version > c.version);
SELECT q AS query, t AS text, h AS title, answer.text_score(q, t, h) AS score
FROM (VALUES ('refund policy', 'The refund policy.', ''), ('refund policy', 'Refunds.', NULL),
	('refund policy', 'Nothing.', 'Refund policy'), ('refund policy', 'policies', 'refunds'), ('a an', 'an', ''),
	('', 'x', ''), ('x', '', ''), ('x', '', 'x'), ('?', '?', ''), ('Is it 30 days?', 'It takes thirty days.', ''),
	('ſtop', 'stop', ''), ('stop', 'ＳＴＯＰ', '')) AS c (q, t, h);
SELECT answer.text_score('one parsec', 'A parsec.'),
	answer.text_score('one parsec', 'A parsec.', NULL,
		jsonb_set(answer.decision_rules(), '{units,parsec}', '["parsec"]')) AS of_units;
SELECT r AS rules, outcome(format('SELECT answer.text_score(''red'', ''red'', '''', %L)', r)) AS outcome
FROM unnest(ARRAY['[]', '{}', '{"units": 7}']) AS r;
SELECT answer.text_score(NULL, 'x');
SELECT answer.text_score('x', NULL);

/* items are counted in and out */

CREATE FUNCTION miscounted() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM answer.chunk_item AS i
	FULL JOIN (SELECT s.tenant, substring(t.term FROM octet_length(s.tenant) + 2) AS item, count(*) AS chunks
		FROM answer.chunk_search s, unnest(s.items) AS t (term) GROUP BY 1, 2) AS c USING (tenant, item)
	WHERE i.chunks IS DISTINCT FROM c.chunks
$$;
SELECT miscounted(),
	(SELECT chunks FROM answer.document_set WHERE tenant = '') =
		(SELECT count(*) FROM answer.chunk_search WHERE tenant = '') AS chunks_counted;

/* forgetting */

SELECT jsonb_array_length(f -> 'documents') AS versions, f - 'forgotten_at' - 'documents' AS with
FROM answer_forget('note', 'asked for') AS f;
SELECT (SELECT count(*) FROM answer.document WHERE doc_id = 'note') AS versions,
	(SELECT count(*) FROM answer.chunk WHERE doc_id = 'note') AS chunks,
	(SELECT count(*) FROM answer.chunk_search WHERE doc_id = 'note') AS found, miscounted(),
	(SELECT count(*) FROM answer.chunk_item WHERE tenant = '' AND item IN ('note', 'red', 'blue')) AS items;
SELECT count(*) AS tombstones, bool_and(body ->> 'schema' = 'answer/tombstone/v1' AND answer_verify_ok(body)) AS signed,
	bool_or((body - 'signature')::text ~ 'note|red') AS told FROM answer.tombstone WHERE body ? 'documents';
SELECT answer_forget('note', 'again') - 'forgotten_at' - 'documents' AS the_same_as_then;
SELECT left(outcome($$SELECT answer_document_load('[{"doc_id": "note", "title": "Note", "timestamp": "2024-03-02", '
	'"text": "It is red."}]')$$), 20) AS again;
SELECT answer_document_load('[{"doc_id": "note", "title": "Note", '
	'"timestamp": "2024-03-02", "text": "It is green."}]') - 'documents' AS otherwise;
SELECT answer_forget('nothing', 'why');
SELECT answer_forget('', 'why');
SELECT answer_forget('NOTE', 'why');
SELECT version, chunks FROM answer.document_set WHERE tenant = '';

/* embeddings need pgvector to be searched, and nothing to be stored */

SELECT answer_chunk_embed('a#p0', '{1,0,0}'), answer_chunk_embed('a#p1', '{0,1,0}');
SELECT answer_chunk_embed('a#p0', '{1,0.5,0}');
SELECT chunk_id, embedding FROM answer.chunk_embedding ORDER BY chunk_id;
SELECT c AS call, outcome('SELECT ' || c) AS outcome
FROM unnest(ARRAY['answer_chunk_embed(''a#p2'', ''{1}'')', 'answer_chunk_embed(NULL, ''{1}'')',
	'answer_chunk_embed(''a#p0'', NULL)', 'answer_chunk_embed(''a#p0'', ''{}'')',
	'answer_chunk_embed(''a#p0'', ''{{1}}'')', 'answer_chunk_embed(''a#p0'', ''{1,NULL}'')',
	'answer_chunk_embed(''a#p0'', ''{1,Infinity}'')', 'answer_chunk_embed(''a#p0'', ''{0,0}'')']) AS c;
-- a paragraph that stays keeps its embedding, one that changes loses it
SELECT answer_document_load('[{"doc_id": "a", "title": "Coffee", "timestamp": "2024-02-01", '
	'"text": "Coffee is ground before it is brewed.\n\nNo grinder needs cleaning."}]') - 'documents' AS loaded;
SELECT chunk_id, embedding FROM answer.chunk_embedding ORDER BY chunk_id;
SELECT answer_forget('a', 'why') -> 'readings' AS readings;
SELECT count(*) AS embeddings FROM answer.chunk_embedding;

/* who may */

CREATE ROLE regress_reader;
SET ROLE regress_reader;
SELECT outcome('SELECT * FROM answer_search(''tea'')') AS search, outcome('SELECT * FROM answer_documents()') AS list,
	outcome('SELECT answer_document_load(''[]'')') AS load,
	outcome('SELECT answer_chunk_embed(''b#p0'', ''{1}'')') AS embed;
RESET ROLE;
GRANT EXECUTE ON FUNCTION answer_search TO regress_reader;
SET ROLE regress_reader;
SELECT chunk_id FROM answer_search('tea', 1);
SELECT outcome('SELECT FROM answer.chunk') AS table,
	outcome('SELECT * FROM answer.search_text('''', ''tea'', 1, NULL)') AS inner;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION answer_search FROM regress_reader;
DROP ROLE regress_reader;

SELECT answer_forget(doc_id, 'the end of this test') IS NOT NULL AS forgotten FROM answer_documents();
SELECT (SELECT count(*) FROM answer.chunk WHERE tenant = '') AS chunks,
	(SELECT count(*) FROM answer.chunk_item WHERE tenant = '') AS items, chunks AS found
FROM answer.document_set WHERE tenant = '';
DROP FUNCTION miscounted(), outcome(text);
