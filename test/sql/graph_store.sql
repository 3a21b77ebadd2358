-- Nodes and edges of projects: how they are loaded, what finds them, what is around them, how they go.
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
-- a node of file "source" whose content is said by a letter
CREATE FUNCTION node(id text, source text, more jsonb DEFAULT '{}',
	content text DEFAULT 'a') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'labels', '["Code", "Function"]'::jsonb, 'name', id, 'source_path', source,
		'content_hash', 'sha256:' || repeat(content, 64), 'extraction_method', 'test') || more $$;
CREATE FUNCTION edge(a text, b text, type text DEFAULT 'CALLS') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('from', a, 'to', b, 'type', type) $$;
-- what follows from nodes and edges is as if it were counted now
CREATE FUNCTION is_sound() RETURNS boolean LANGUAGE sql AS $$
	SELECT NOT EXISTS (SELECT FROM answer.graph_search s FULL JOIN (SELECT n.*, r.*
			FROM answer.graph_node n, answer.graph_content(n.name, n.path, n.docstring, n.text) AS c,
				answer.search_items(answer.graph_scope(n.tenant, n.project), c.content, c.title) AS r) AS m
			USING (tenant, project, id)
		WHERE (s.path, s.labels, s.items, s.title_items, s.sketch) IS DISTINCT FROM
			(m.path, m.labels, m.items, m.title_items, m.sketch))
	AND NOT EXISTS (SELECT FROM answer.graph_set s
		WHERE nodes <> (SELECT count(*) FROM answer.graph_node n WHERE (n.tenant, n.project) = (s.tenant,
	s.project))
		OR edges <> (SELECT count(*) FROM answer.graph_edge e WHERE (e.tenant, e.project) = (s.tenant, s.project)))
	AND NOT EXISTS (SELECT FROM answer.graph_edge e
		WHERE NOT EXISTS (SELECT FROM answer.graph_node n WHERE (n.tenant, n.project, n.id) = (e.tenant, e.project,
	e.from_id))
		OR NOT EXISTS (SELECT FROM answer.graph_node n WHERE (n.tenant, n.project, n.id) = (e.tenant, e.project,
	e.to_id)))
	AND NOT EXISTS (SELECT FROM answer.graph_loose) $$;

/* loading */

SELECT answer_graph_load('app', '[]');
SELECT count(*) AS projects FROM answer.graph_project;
SELECT answer_graph_load('app', jsonb_build_array(
	node('parse_config', 'src/config.c', '{"start_line": 10, "end_line": 42, "docstring": "Reads the settings.",
		"last_modified": 1700000000, "text": "yaml toml", "path": "/repo/src/config.c",
	"indexed_at": "2024-05-01T10:00:00Z"}'),
	node('write_config', 'src/config.c'),
	node('main', 'src/main.c', '{"labels": ["Code"]}'),
	node('guide', 'doc/guide.md', '{"labels": ["Document"], "doc_type": "markdown", "name": "Guide"}')
		- '{source_path,content_hash,extraction_method}'::text[] || jsonb_build_object('provenance',
	jsonb_build_object(
		'source_path', 'doc/guide.md', 'content_hash', 'sha256:' || repeat('b', 64), 'extraction_method',
	'markdown'))),
	jsonb_build_array(edge('main', 'parse_config'), edge('main', 'parse_config'), edge('main', 'write_config'),
		edge('main', 'parse_config', 'DEPENDS_ON'), edge('guide', 'parse_config', 'DOCUMENTS'), edge('main',
	'main')));
SELECT id, labels, name, path, start_line, end_line, docstring, doc_type, last_modified, text, source_path,
	left(content_hash, 9) AS content_hash, extraction_method,
	indexed_at = now() AS is_now FROM answer.graph_node ORDER BY id;
SELECT from_id, to_id, type FROM answer.graph_edge ORDER BY from_id, to_id, type;
SELECT project, nodes, edges, documents, sources, extraction_methods, first_indexed_at,
	loaded_at <= clock_timestamp() AS loaded
FROM answer.graph_project;
SELECT is_sound();
-- the same again changes nothing, not even the version; what is not given is not asked
SELECT version FROM answer.graph_set WHERE project = 'app' \gset before_
SELECT answer_graph_load('app', jsonb_build_array(node('main', 'src/main.c', '{"labels": ["Code"]}')),
	jsonb_build_array(edge('main', 'main')));
SELECT version > 0 AND version = :before_version AS same FROM answer.graph_set WHERE project = 'app';
-- another property makes another node, whose edges stay
SELECT answer_graph_load('app', jsonb_build_array(node('main', 'src/main.c', '{"labels": ["Code"],
	"name": "start"}')));
-- other content: what leads from it and is not given again goes
SELECT answer_graph_load('app', jsonb_build_array(node('main', 'src/main.c', '{"labels": ["Code"]}', 'c')),
	jsonb_build_array(edge('main', 'write_config')));
SELECT from_id, to_id, type FROM answer.graph_edge ORDER BY from_id, to_id, type;
-- a source that is named has no other nodes than those that are given
SELECT answer_graph_load('app', jsonb_build_array(node('read_config', 'src/config.c'), node('parse_config',
	'src/config.c')),
	jsonb_build_array(edge('read_config', 'parse_config')));
SELECT id FROM answer.graph_node ORDER BY id;
SELECT from_id, to_id, type FROM answer.graph_edge ORDER BY from_id, to_id, type;
-- a node that moves to another source is that one's
SELECT answer_graph_load('app', jsonb_build_array(node('read_config', 'src/read.c')));
SELECT answer_graph_load('app', jsonb_build_array(node('parse_config', 'src/config.c')));
SELECT id, source_path FROM answer.graph_node ORDER BY id;
SELECT is_sound();

/* refusals: all or nothing, with the place */

SELECT n AS node, outcome(format('SELECT answer_graph_load(%L, %L)', 'app', jsonb_build_array(node('x', 'x.c'),
	node('y', 'x.c') || n)))
FROM unnest(ARRAY['{"id": ""}', '{"id": 1}', '{"id": null}', '{"name": ""}', '{"name": null}', '{"path": ""}',
	'{"labels": []}',
	'{"labels": ["a", ""]}', '{"labels": ["a", null]}', '{"labels": "Code"}', '{"labels": ["Document"]}',
	'{"labels": ["Document"], "doc_type": ""}', '{"source_path": null}', '{"content_hash": "sha256:abc"}',
	'{"content_hash": null}', '{"extraction_method": ""}', '{"indexed_at": "soon"}', '{"indexed_at": 5}',
	'{"indexed_at": "0001-01-01T00:00:00+14:00"}', '{"indexed_at": "9999-12-31T23:59:59-00:01"}',
	'{"start_line": 0}',
	'{"start_line": 1.5}', '{"start_line": 3000000000}', '{"end_line": 3}', '{"start_line": 4, "end_line": 3}',
	'{"last_modified": -1}', '{"last_modified": 1e30}', '{"last_modified": "2024-01-01"}', '{"docstring": 1}',
	'{"text": []}',
	'{"colour": "red"}', '{"provenance": []}', '{"provenance": {"colour": "red"}}', '{"provenance": {"id": "z"}}',
	'{"provenance": {"source_path": "z"}}', '{"id": "x"}']::jsonb[]) AS n;
SELECT e AS edge, outcome(format('SELECT answer_graph_load(%L, %L, %L)', 'app', '[]',
	jsonb_build_array(edge('main', 'main'), e)))
FROM unnest(ARRAY['{}', '1', '{"from": "main", "to": "main"}', '{"from": "main", "to": "main", "type": ""}',
	'{"from": "main", "to": "main", "type": 1}', '{"from": "main", "to": "main", "type": "CALLS", "weight": 1}',
	'{"from": "main", "to": "nobody", "type": "CALLS"}', '{"from": "nobody", "to": "main",
	"type": "CALLS"}']::jsonb[]) AS e;
SELECT outcome(format('SELECT answer_graph_load(%L, %L, %L)', project, nodes, edges))
FROM (VALUES (NULL, '[]', '[]'), ('app', NULL, '[]'), ('app', '[]', NULL), ('', '[]', '[]'), (repeat('p', 256),
	'[]', '[]'),
	('app', '{}', '[]'), ('app', '[1]', '[]'), ('app', '[]', 'null')) AS v (project, nodes, edges);
-- the reason comes with where it was found, and not with the statements that load
DO $$
DECLARE
	context text;
BEGIN
	PERFORM answer_graph_load('app', '[]', '[{"from": "main"}]');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS context = PG_EXCEPTION_CONTEXT;
	RAISE NOTICE '%', regexp_replace(context, 'line \d+', 'line N', 'g');
END
$$;
SELECT outcome(format('SELECT answer_graph_load(%L, %L)', 'app', jsonb_build_array(node(repeat('i', 1001),
	'x.c'))));
SELECT outcome(format('SELECT answer_graph_load(%L, %L, %L)', 'app', '[]', jsonb_build_array(edge('main', 'main',
	repeat('t', 256)))));
-- the longest keys fit
SELECT answer_graph_load(repeat('p', 255), jsonb_build_array(node(repeat('i', 1000), repeat('s', 1000))),
	jsonb_build_array(edge(repeat('i', 1000), repeat('i', 1000), repeat('t', 255)))) - 'project' AS loaded;
SELECT answer_graph_forget(repeat('p', 255)) - 'project' AS forgotten;
SELECT id FROM answer.graph_node ORDER BY id;
-- what hostile names are is no matter here: they come back as they were
SELECT answer_graph_load('hostile', jsonb_build_array(node(E'a\tb\n<script>', E'../../etc/pass\u0001wd',
	'{"name": "\u202e\"; DROP"}'),
	node('future', 'f', jsonb_build_object('last_modified', 253402300799, 'docstring', repeat('word salad ',
	100000)))),
	jsonb_build_array(edge(E'a\tb\n<script>', 'future'), edge('future', E'a\tb\n<script>')));
-- unaligned: how wide psql takes what has no width depends on its version
\pset format unaligned
SELECT to_json(id) AS id, to_json(name) AS name, to_json(path) AS path, length(docstring), last_modified
FROM answer.graph_node n WHERE project = 'hostile' ORDER BY n.id;
\pset format aligned
SELECT id, score FROM answer_graph_search('hostile', 'salad');
SELECT answer_graph_forget('hostile') AS forgotten;

/* plain SQL and COPY */

BEGIN;
COPY answer.graph_edge (project, from_id, to_id, type) FROM stdin;
copied	alpha	beta	CALLS
\.
COPY answer.graph_node (project, id, labels, name, path, source_path, content_hash, extraction_method) FROM stdin
(DELIMITER ',');
copied,alpha,{Code},Alpha,a.c,a.c,sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,copy
copied,beta,{Code},Beta,a.c,a.c,sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,copy
\.
COMMIT;
SELECT project, nodes, edges FROM answer.graph_project WHERE project = 'copied';
SELECT id, name, path, score FROM answer_graph_search('copied', 'the alpha');
COPY answer.graph_edge (project, from_id, to_id, type) FROM stdin;
copied	alpha	gamma	CALLS
\.
SELECT c AS "column",
	outcome(format('UPDATE answer.graph_node SET %s WHERE project = ''copied'' AND id = ''alpha''', c)) AS outcome
FROM unnest(ARRAY['name = ''''', 'path = ''''', 'id = ''''', 'project = ''''', 'labels = ''{}''',
	'labels = ''{a,NULL}''', 'labels = ''{Document}''',
	'start_line = 0', 'end_line = 1', 'last_modified = -1', 'content_hash = ''sha256:1''', 'source_path = NULL',
	'extraction_method = NULL',
	'content_hash = NULL', 'indexed_at = NULL', 'indexed_at = ''infinity''',
	'id = ''other''', 'indexed_at = ''-infinity''', 'indexed_at = ''0001-01-01 00:00:00+14''',
	'indexed_at = ''10000-01-01 00:00:00Z''', 'name = repeat(''n'', 1048577)', 'path = repeat(''p'', 1048577)',
	'doc_type = repeat(''d'', 1048577)', 'extraction_method = repeat(''e'', 1048577)',
	'docstring = repeat(''d'', 16777217)', 'text = repeat(''t'', 16777217)']) AS c;
-- what is at the limit is a packet still
BEGIN;
UPDATE answer.graph_node SET docstring = repeat('d', 16777216), indexed_at = '9999-12-31 23:59:59.999999Z'
WHERE project = 'copied' AND id = 'alpha';
SELECT answer_packet('copied', 'alpha', '{"limit": 1}') #>> '{code_truth,0,provenance,indexed_at}' AS indexed_at;
UPDATE answer.graph_node SET docstring = '', indexed_at = '0001-01-01 00:00:00Z'
WHERE project = 'copied' AND id = 'alpha';
SELECT answer_packet('copied', 'alpha', '{"limit": 1}') #>> '{code_truth,0,provenance,indexed_at}' AS indexed_at;
ROLLBACK;
SELECT outcome('UPDATE answer.graph_edge SET type = ''USES'' WHERE project = ''copied''');
UPDATE answer.graph_node SET docstring = 'omega' WHERE project = 'copied' AND id = 'alpha';
SELECT id, score FROM answer_graph_search('copied', 'omega');
SELECT is_sound();
DELETE FROM answer.graph_node WHERE project = 'copied' AND id = 'beta';
SELECT nodes, edges FROM answer.graph_project WHERE project = 'copied';
SELECT is_sound();
BEGIN;
TRUNCATE answer.graph_node, answer.graph_edge;
SELECT is_sound(), count(*) AS projects FROM answer.graph_project;
ROLLBACK;

/* search */

SELECT answer_graph_load('find', jsonb_agg(node(n::text, 'd' || n % 3 || '/f.c', jsonb_build_object('name',
	CASE WHEN n % 2 = 0 THEN 'kettle' ELSE 'spoon' END || n,
	'docstring', CASE WHEN n = 7 THEN 'boils water quickly' WHEN n < 20 THEN 'boils water' ELSE 'stirs' END,
	'labels', jsonb_build_array(CASE WHEN n % 2 = 0 THEN 'Class' ELSE 'Function' END))))) -> 'nodes' AS loaded
FROM generate_series(1, 40) AS n;
-- by score, then path, then id, by code point
SELECT id, path, score FROM answer_graph_search('find', 'Who boils water quickly?', 6);
SELECT count(*), min(score), max(score) FROM answer_graph_search('find', 'water', 1000);
SELECT id, labels FROM answer_graph_search('find', 'water', 3, '{Class,Nothing}') JOIN answer.graph_node USING (id,
	name, path) WHERE project = 'find';
SELECT count(*) FROM answer_graph_search('find', 'water', 1000, NULL, '{d1}');
SELECT count(*) FROM answer_graph_search('find', 'water', 1000, NULL, '{d1/f.c,d2/}');
SELECT count(*) FROM answer_graph_search('find', 'water', 1000, NULL, '{d}');
SELECT count(*) FROM answer_graph_search('find', 'water', 1000, '{}');
-- a form of a word, the last part of the path, and another part, which finds nothing
SELECT id, score FROM answer_graph_search('find', 'Boiling quick', 1);
SELECT id, score FROM answer_graph_search('find', 'f.c', 1);
SELECT id, score FROM answer_graph_search('find', 'd1', 1);
-- the score is that of every node, one by one
SELECT count(*) FILTER (WHERE h.score IS DISTINCT FROM NULLIF(s.score, 0)) AS wrong, count(h.score) > 0 AS any
FROM (SELECT n.*, answer.text_score(q, concat_ws(E'\n\n', n.docstring, n.text),
		concat_ws(E'\n\n', n.name, regexp_replace(n.path, '.*/', '')))::float8 AS score,
	q
	FROM answer.graph_node n, unnest(ARRAY['boils kettle4', 'quicker waters in d1', 'spoon9 stir',
	'c']) AS q WHERE project = 'find') AS s
LEFT JOIN LATERAL (SELECT * FROM answer_graph_search('find', s.q, 1000)) AS h USING (id);
SET gin_fuzzy_search_limit = 1;
SELECT count(*) FROM answer_graph_search('find', 'water', 1000);
RESET gin_fuzzy_search_limit;
SELECT outcome(format('SELECT count(*) FROM answer_graph_search(%s)', a))
FROM unnest(ARRAY['NULL, ''a''', '''find'', NULL', '''find'', ''a'', NULL', '''find'', ''a'', 0', '''find'', ''a'',
	1001', '''none'', ''water''',
	'''find'', ''''', '''find'', ''a'', 1, NULL, NULL, ''{1,2}''', '''find'', ''a'', 1, NULL, NULL, ''{}''']) AS a;

-- nodes that came while triggers were off are not said to be missing
BEGIN;
ALTER TABLE answer.graph_node DISABLE TRIGGER USER;
INSERT INTO answer.graph_node (project, id, labels, name, path, source_path, content_hash, extraction_method)
VALUES ('untold', 'a', '{Code}', 'a', 'a', 'a', 'sha256:' || repeat('a', 64), 'test');
ALTER TABLE answer.graph_node ENABLE TRIGGER USER;
SELECT outcome($$SELECT answer_packet('untold', 'a')$$);
SELECT outcome($$SELECT count(*) FROM answer_graph_search('untold', 'a')$$);
TRUNCATE answer.graph_node, answer.graph_edge;
SELECT answer_graph_load('untold', jsonb_build_array(node('a', 'a'))) #>> '{nodes,created}' AS created;
SELECT id FROM answer_graph_search('untold', 'a');
SELECT is_sound();
ROLLBACK;

/* embeddings */

SELECT answer_graph_embed('find', '7', '{1,0}');
SELECT count(*) AS embeddings FROM answer.graph_embedding;
SELECT outcome(format('SELECT answer_graph_embed(%s)', a))
FROM unnest(ARRAY['''find'', ''nobody'', ''{1}''', '''find'', NULL, ''{1}''', 'NULL, ''7'', ''{1}''', '''find'',
	''7'', ''{0}''', '''find'', ''7'', NULL']) AS a;
SELECT e AS embedding, outcome(format('UPDATE answer.graph_embedding SET embedding = %L', e)) AS outcome
FROM unnest(ARRAY['{}', '{{1,0}}', '{1,NULL}', '{NaN,1}', '{1,Infinity}', '{0,0}', '{1e-16,0}',
	'{1e-20,1e-20}', '{1e16,0}']) AS e;
SELECT outcome($$UPDATE answer.graph_embedding SET embedding = array_fill(1::real, '{16001}')$$);
-- it goes with what it was made of
UPDATE answer.graph_node SET last_modified = 5 WHERE project = 'find' AND id = '7';
SELECT count(*) AS embeddings FROM answer.graph_embedding;
UPDATE answer.graph_node SET docstring = 'sinks' WHERE project = 'find' AND id = '7';
SELECT count(*) AS embeddings FROM answer.graph_embedding;

/* forgetting */

-- the planner keeps no sample that forgetting would leave behind
ANALYZE answer.graph_node, answer.graph_edge, answer.graph_search, answer.graph_embedding, answer.graph_set;
SELECT tablename, attname FROM pg_stats WHERE schemaname = 'answer' AND tablename LIKE 'graph\_%'
	AND pg_stats::text ~ 'parse_config|src/|kettle' ORDER BY 1, 2;
SELECT answer_graph_forget('app', '{parse_config}');
SELECT id FROM answer.graph_node WHERE project = 'app' ORDER BY id;
SELECT from_id, to_id FROM answer.graph_edge WHERE project = 'app' ORDER BY from_id, to_id;
SELECT outcome(format('SELECT answer_graph_forget(%s)', a))
FROM unnest(ARRAY['NULL', '''none''', '''''', '''app'', ''{main,nobody}''', '''app'', ''{NULL}''', '''app'',
	''{}''']) AS a;
SELECT answer_graph_forget('find') - 'edges' AS forgotten;
SELECT is_sound(), count(*) AS found FROM answer.graph_search WHERE project = 'find';
SELECT id FROM answer_graph_search('find', 'water');

/* tenants: a project is one of each */

CREATE ROLE regress_graph_a;
CREATE ROLE regress_graph_b;
BEGIN;
SELECT answer_tenant_create('graph-a'), answer_tenant_create('graph-b');
SELECT answer_tenant_grant('graph-a', 'regress_graph_a'), answer_tenant_grant('graph-b', 'regress_graph_b');
GRANT USAGE ON SCHEMA answer TO regress_graph_a, regress_graph_b;
GRANT EXECUTE ON FUNCTION answer_graph_load, answer_graph_search, answer_graph_forget, answer_graph_embed
	TO regress_graph_a, regress_graph_b;
GRANT SELECT ON answer.tenant_graph_project, answer.tenant_graph_node, answer.tenant_graph_edge, answer.graph_node
	TO regress_graph_a, regress_graph_b;
GRANT INSERT ON answer.graph_node TO regress_graph_b;
SET ROLE regress_graph_a;
SELECT answer_graph_load('app', jsonb_build_array(node('secret', 'a.c'), node('other', 'a.c')),
	jsonb_build_array(edge('secret', 'other')))
	-> 'nodes' AS loaded;
SET ROLE regress_graph_b;
SELECT id FROM answer_graph_search('app', 'secret');
SELECT count(*) AS projects FROM answer.tenant_graph_project;
SELECT count(*) AS nodes FROM answer.tenant_graph_node;
SELECT count(*) AS nodes FROM answer.graph_node;
SELECT count(*) AS edges FROM answer.tenant_graph_edge;
SAVEPOINT s;
SELECT outcome($$SELECT answer_graph_forget('app', '{secret}')$$);
SELECT outcome($$SELECT answer_graph_embed('app', 'secret', '{1}')$$);
SELECT outcome($$INSERT INTO answer.graph_node (tenant, project, id, labels, name, path, source_path, content_hash,
	extraction_method)
	VALUES ('graph-a', 'app', 'mine', '{Code}', 'mine', 'm', 'm', 'sha256:' || repeat('a', 64), 'test')$$);
SELECT outcome($$SELECT answer_graph_load('app', '[]', '[{"from": "secret", "to": "secret", "type": "CALLS"}]')$$);
-- the same id is another node here, and no word of the others weighs
SELECT answer_graph_load('app', jsonb_build_array(node('secret', 'b.c'))) -> 'nodes' AS loaded;
SELECT id, path, score FROM answer_graph_search('app', 'secret');
RESET ROLE;
SELECT tenant, project, nodes, edges FROM answer.graph_project WHERE project = 'app' ORDER BY tenant COLLATE "C";
SELECT is_sound();
ROLLBACK;
DROP ROLE regress_graph_a, regress_graph_b;
DROP FUNCTION is_sound, edge, node, outcome;
