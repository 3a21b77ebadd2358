-- Evidence packets: veracity, the schema and what breaks it, prose that cites, a page for a person.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';

CREATE FUNCTION graph_refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''));
END $$;

-- Veracity. Of each case the score and the faults; only what differs is shown, and how many there were.
CREATE FUNCTION graph_record(id text, labels text[], neighbors text[] DEFAULT '{x,y}', modified numeric DEFAULT NULL,
	name text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'name', coalesce(name, upper(id)), 'labels', to_jsonb(labels),
		'neighbors', to_jsonb(neighbors), 'last_modified', modified) $$;
CREATE TABLE graph_case (n serial, records jsonb, config jsonb DEFAULT '{}', score int, stale boolean, faults text);
-- The clock of the cases is 2024-06-30 12:00 UTC, which is 1719748800.
INSERT INTO graph_case (records, score, stale, faults) VALUES
	('[]', 100, false, ''),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800)), 100, false, ''),
	-- 90 days are not more than 90 days; a microsecond beyond is
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 90 * 86400)), 100, false, ''),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 90 * 86400 - 0.000001)), 85, true,
		'STALE_DOC ''A'' is 90 days old (threshold: 90)'),
	-- more than six decimals are rounded down
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 90 * 86400 - 0.0000001)), 85, true,
		'STALE_DOC ''A'' is 90 days old (threshold: 90)'),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 90 * 86400 + 0.0000001)), 100, false,
		''),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 91 * 86400 + 1)), 85, true,
		'STALE_DOC ''A'' is 90 days old (threshold: 90)'),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 1719748800 - 91 * 86400)), 85, true,
		'STALE_DOC ''A'' is 91 days old (threshold: 90)'),
	-- an age that is not known is not guessed; one from before 1970 is known, and the future is not stale
	(jsonb_build_array(graph_record('a', '{Document}', modified => 0), graph_record('b', '{Document}'),
		graph_record('c', '{Document}') - 'last_modified', graph_record('d', '{Document}', modified => 0.0)), 100,
		false, ''),
	(jsonb_build_array(graph_record('a', '{Document}', modified => -1)), 85, true,
		'STALE_DOC ''A'' is 19904 days old (threshold: 90)'),
	(jsonb_build_array(graph_record('a', '{Document}', modified => -0.5)), 85, true,
		'STALE_DOC ''A'' is 19904 days old (threshold: 90)'),
	(jsonb_build_array(graph_record('a', '{Document}', modified => 9223371331199)), 100, false, ''),
	(jsonb_build_array(graph_record('a', '{Document}', modified => -210866803200)), 85, true,
		'STALE_DOC ''A'' is 2460492 days old (threshold: 90)'),
	-- a Document is what has exactly that label, beside others too
	(jsonb_build_array(graph_record('a', '{document}', modified => 1), graph_record('b', '{Documents}',
		modified => 1),
		graph_record('c', '{Code}', modified => 1), graph_record('d', '{}', modified => 1),
		graph_record('e', NULL, modified => 1)), 100, false, ''),
	(jsonb_build_array(graph_record('a', '{Code,Document}', modified => 1)), 85, true,
		'STALE_DOC ''A'' is 19904 days old (threshold: 90)'),
	-- neighbours: none where there is no list; twice counts twice, and so does the node itself
	(jsonb_build_array(graph_record('a', '{Code}', '{}'), graph_record('b', '{Code}') - 'neighbors',
		graph_record('c', '{Code}', NULL), graph_record('d', '{Code}', '{x}')), 80, false,
		'ORPHANED_NODE ''A'' has only 0 connection(s) (threshold: 2); ORPHANED_NODE ''B'' has only 0 connection(s)'
		' (threshold: 2); ORPHANED_NODE ''C'' has only 0 connection(s) (threshold: 2); ORPHANED_NODE ''D'' has only 1'
		' connection(s) (threshold: 2)'),
	(jsonb_build_array(graph_record('a', '{Code}', '{x,x}'), graph_record('b', '{Code}', '{B,B}')), 100, false, ''),
	-- stale before orphans, whatever the order of the records; a member that nobody knows does not count
	(jsonb_build_array(graph_record('a', '{Code}', '{}'), graph_record('b', '{Document}', '{}', 1)
		|| '{"neighbor_count": 9}'),
		75, true, 'STALE_DOC ''B'' is 19904 days old (threshold: 90); ORPHANED_NODE ''A'' has only 0 connection(s)'
		' (threshold: 2); ORPHANED_NODE ''B'' has only 0 connection(s) (threshold: 2)');
-- the extended faults need to be asked for
INSERT INTO graph_case (records, config, score, stale, faults)
SELECT jsonb_build_array(graph_record('a', '{Document}', '{B,B}', 1719748800),
	graph_record('b', '{Code}', modified => 1719748800 + 31 * 86400)), c.config, c.score, false, c.faults
FROM (VALUES
	('{}'::jsonb, 100, ''), ('{"extended": false}', 100, ''),
	('{"extended": true}', 50,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 31 days newer; CONTRADICTION'
		' ''A'' may be outdated: linked code ''B'' is 31 days newer; LOW_COVERAGE'
		' Only 2 result(s) found (recommended: 5+)'),
	('{"extended": true, "min_results": 2, "contradiction_days": 31}', 100, ''),
	('{"extended": true, "min_results": 3, "contradiction_days": 31, "orphan_threshold": 3}', 80,
		'ORPHANED_NODE ''A'' has only 2 connection(s) (threshold: 3); ORPHANED_NODE ''B'' has only 2 connection(s)'
		' (threshold: 3); LOW_COVERAGE Only 2 result(s) found (recommended: 3+)')
) AS c(config, score, faults);
-- a contradiction: by name, with code that is no Document, both ages known, and strictly more than the days
INSERT INTO graph_case (records, config, score, stale, faults)
SELECT jsonb_build_array(graph_record('a', '{Document}', '{B,z}', c.document)) || c.code,
	'{"extended": true, "min_results": 0}', c.score, false, c.faults
FROM (VALUES
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1719748800 + 30 * 86400)), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1719748800 + 30 * 86400 + 0.000001)), 80,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 30 days newer'),
	(1719748800, jsonb_build_array(graph_record('b', '{Function}', modified => 1719748800 + 40 * 86400 - 1)), 80,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 39 days newer'),
	(1719748800, jsonb_build_array(graph_record('b', '{Class}', modified => 1819748800)), 80,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 1157 days newer'),
	(1719748800, jsonb_build_array(graph_record('b', '{File}', modified => 1819748800)), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code,Document}', modified => 1819748800)), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1819748800, name => 'b')), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 0)), 100, ''),
	(0, jsonb_build_array(graph_record('b', '{Code}', modified => 1819748800)), 100, ''),
	-- older code is none
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1)), 100, ''),
	-- of equal names the last record of code counts, also where its age is not known
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1719748800),
		graph_record('c', '{Code}', modified => 1719748800 + 32 * 86400, name => 'B')), 80,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 32 days newer'),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1819748800),
		graph_record('c', '{Code}', modified => 1719748800, name => 'B')), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1819748800),
		graph_record('c', '{Code}', name => 'B')), 100, ''),
	(1719748800, jsonb_build_array(graph_record('b', '{Code}', modified => 1819748800),
		graph_record('c', '{Document}', modified => 1719748800, name => 'B')), 80,
		'CONTRADICTION ''A'' may be outdated: linked code ''B'' is 1157 days newer')
) AS c(document, code, score, faults);
-- thresholds of 0, and a score that would be below 0
INSERT INTO graph_case (records, config, score, stale, faults) VALUES
	(jsonb_build_array(graph_record('a', '{Document}', '{}', 1719748799)),
		'{"staleness_days": 0, "orphan_threshold": 0}',
		85, true, 'STALE_DOC ''A'' is 0 days old (threshold: 0)'),
	(jsonb_build_array(graph_record('a', '{Document}', '{}', 1719748800)),
		'{"staleness_days": 0, "orphan_threshold": 0}',
		100, false, ''),
	('[]', '{"extended": true}', 90, false, 'LOW_COVERAGE Only 0 result(s) found (recommended: 5+)'),
	('[]', '{"extended": true, "min_results": 0}', 100, false, '');
SELECT c.n, v.* FROM graph_case c, LATERAL (SELECT c.score AS expected, c.faults AS expected_faults,
		(r->>'confidence_score')::int AS score, (r->>'is_stale')::boolean AS stale,
		coalesce((SELECT string_agg(f->>'type' || ' ' || (f->>'message'), '; ' ORDER BY at)
			FROM jsonb_array_elements(r->'faults') WITH ORDINALITY AS e(f, at)), '') AS faults
	FROM answer.veracity(c.records, '2024-06-30 12:00Z', c.config) AS r) AS v
WHERE (v.score, v.stale, v.faults) IS DISTINCT FROM (c.score, c.stale, c.faults) ORDER BY c.n;
SELECT count(*) FROM graph_case;
-- The whole result, and the evidence of each fault.
SELECT jsonb_pretty(answer.veracity(jsonb_build_array(graph_record('a', '{Document}', '{B}', 1),
	graph_record('b', '{Code}', modified => 1819748800)), '2024-06-30 12:00Z', '{"extended": true}'));
-- 7 Documents that are stale cost more than there is, and so do 30 orphans.
SELECT v->'confidence_score' AS score, v->'is_stale' AS stale, jsonb_array_length(v->'faults') AS faults
FROM (SELECT answer.veracity(jsonb_agg(graph_record('a' || i, CASE WHEN i <= 7 THEN '{Document}'
	ELSE '{Code}' END::text[],
	'{}', 1)), '2024-06-30Z') AS v FROM generate_series(1, 30) AS i) AS s;
-- Names are taken as they are: what they hold is text and no format, quotes or not.
SELECT answer.veracity(jsonb_build_array(graph_record(E'%s\\', '{Code}', name => U&'''%d"\000A<b>\+01F600',
	neighbors => '{}')),
	'2024-06-30Z')->'faults'->0;
-- Malformed.
SELECT graph_refused(format('SELECT answer.veracity(%L, %L, %L)', records, now, config)) FROM (VALUES
	(1, NULL, '2024-06-30', '{}'), (2, '[]', NULL, '{}'), (3, '[]', 'infinity', '{}'), (4, '[]', '-infinity', '{}'),
	(5, '{}', '2024-06-30', '{}'), (6, 'null', '2024-06-30', '{}'), (7, '[1]', '2024-06-30', '{}'),
	(8, '[{}]', '2024-06-30', '{}'), (9, '[{"id": 1, "name": "a"}]', '2024-06-30', '{}'),
	(10, '[{"id": "a"}]', '2024-06-30', '{}'), (11, '[{"id": "a", "name": null}]', '2024-06-30', '{}'),
	(12, '[{"id": "a", "name": "a", "labels": "Document"}]', '2024-06-30', '{}'),
	(13, '[{"id": "a", "name": "a", "labels": ["Document", null]}]', '2024-06-30', '{}'),
	(14, '[{"id": "a", "name": "a", "neighbors": [[]]}]', '2024-06-30', '{}'),
	(15, '[{"id": "a", "name": "a", "neighbors": 2}]', '2024-06-30', '{}'),
	(16, '[{"id": "a", "name": "a", "last_modified": "1"}]', '2024-06-30', '{}'),
	(17, '[{"id": "a", "name": "a", "last_modified": 9224318016000}]', '2024-06-30', '{}'),
	(18, '[{"id": "a", "name": "a", "last_modified": 1e100}]', '2024-06-30', '{}'),
	(19, '[{"id": "a", "name": "a", "last_modified": -210866803201}]', '2024-06-30', '{}'),
	(20, '[{"id": "a", "name": "a", "last_modified": -1e1000}]', '2024-06-30', '{}'),
	(21, '[]', '2024-06-30', '[]'), (22, '[]', '2024-06-30', '{"stale_days": 1}'),
	(23, '[]', '2024-06-30', '{"staleness_days": -1}'), (24, '[]', '2024-06-30', '{"staleness_days": 1.5}'),
	(25, '[]', '2024-06-30', '{"staleness_days": 3650001}'), (26, '[]', '2024-06-30', '{"orphan_threshold": "2"}'),
	(27, '[]', '2024-06-30', '{"min_results": 2147483648}'), (28, '[]', '2024-06-30', '{"extended": 1}'),
	(29, '[]', '2024-06-30', '{"contradiction_days": null}')
) AS c(n, records, now, config) ORDER BY n;
SELECT answer.veracity('[]', '2024-06-30', NULL) AS defaults, answer.veracity('[]', '2024-06-30',
	'{"staleness_days": 3.0}');

-- A packet that is put together here, by other means than the product's own.
CREATE FUNCTION graph_entry(id text, labels text[], score numeric, path text DEFAULT 'src/a.c',
	modified bigint DEFAULT 0,
	neighbors text[] DEFAULT '{x,y}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'name', upper(id), 'type', to_jsonb(labels), 'path', path, 'score', score,
			'neighbors', to_jsonb(neighbors), 'neighbor_count', cardinality(neighbors), 'provenance',
			jsonb_build_object('source_path', path, 'content_hash', 'sha256:' || repeat('0', 64),
				'extraction_method', 'test', 'indexed_at', '2024-06-01T00:00:00Z'))
		|| CASE WHEN 'Document' = ANY (labels) THEN jsonb_build_object('last_modified', modified, 'doc_type',
			'markdown')
			WHEN modified <> 0 THEN jsonb_build_object('last_modified', modified) ELSE '{}' END $$;
CREATE FUNCTION graph_relation(from_id text, to_id text, type text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('from_id', from_id, 'to_id', to_id, 'from', upper(from_id), 'to', upper(to_id),
		'type', type) $$;
-- The hash that a packet must have, by the digest of SQL.
CREATE FUNCTION graph_hash(packet jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT answer_digest((packet - '{content_hash,signature}'::text[]) #- '{meta,query_id}' #- '{meta,timestamp}'
		|| jsonb_build_object(
			'code_truth', (SELECT coalesce(jsonb_agg(e #- '{provenance,indexed_at}' ORDER BY at), '[]')
				FROM jsonb_array_elements(packet->'code_truth') WITH ORDINALITY AS c(e, at)),
			'doc_claims', (SELECT coalesce(jsonb_agg(e #- '{provenance,indexed_at}' ORDER BY at), '[]')
				FROM jsonb_array_elements(packet->'doc_claims') WITH ORDINALITY AS c(e, at)))) $$;
CREATE FUNCTION graph_packet(entries jsonb, relations jsonb DEFAULT '[]', options jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE sql AS $$
	WITH entry AS (
		SELECT e, row_number() OVER (ORDER BY (e->>'score')::numeric DESC, e->>'path' COLLATE "C",
			e->>'id' COLLATE "C")
			AS at, e->'type' ? 'Document' AS is_doc FROM jsonb_array_elements(entries) AS e
	), packet AS (
		SELECT jsonb_build_object(
			'meta', jsonb_build_object('schema_version', '1.0', 'query_id', 'q', 'timestamp', '2024-06-30T12:00:00Z',
				'project', 'test project', 'question', 'Where is it?', 'mode', 'evidence-only', 'options', options),
			'context_veracity', CASE WHEN count(*) > 0 THEN
				answer.veracity(jsonb_agg(e || jsonb_build_object('labels', e->'type') ORDER BY at),
					'2024-06-30 12:00Z',
					CASE WHEN options ? 'extended' THEN jsonb_build_object('extended', options->'extended')
						ELSE '{}' END)
				ELSE '{"confidence_score": 0, "is_stale": false, "faults": [{"type": "NO_MATCH", "evidence": {},
					"message": "No relevant context found in knowledge graph."}]}' END,
			'code_truth', coalesce(jsonb_agg(e ORDER BY at) FILTER (WHERE NOT is_doc), '[]'),
			'doc_claims', coalesce(jsonb_agg(e ORDER BY at) FILTER (WHERE is_doc), '[]'),
			'graph_relationships', (SELECT coalesce(jsonb_agg(r ORDER BY r->>'from_id' COLLATE "C",
				r->>'to_id' COLLATE "C",
				r->>'type' COLLATE "C"), '[]') FROM jsonb_array_elements(relations) AS r),
			'suggested_actions', CASE WHEN count(*) > 0 THEN '[]'::jsonb
				ELSE '["Load the project with answer_graph_load().",
				"Check that the project name is spelled as in answer.graph_project.",
				"Ask more specifically: name a file, class, function or document."]' END,
			'status', CASE WHEN count(*) > 0 THEN 'success' ELSE 'insufficient_evidence' END) AS p FROM entry
	)
	SELECT p || jsonb_build_object('content_hash', graph_hash(p)) FROM packet $$;
CREATE TABLE graph_packets (name text PRIMARY KEY, packet jsonb);
INSERT INTO graph_packets VALUES
	('sound', graph_packet(jsonb_build_array(
		graph_entry('a', '{Function,Code}', 0.9) || '{"start_line": 3, "end_line": 9, "docstring": ""}',
		graph_entry('B', '{Code}', 0.9), graph_entry('é', '{Code}', 0.9), graph_entry('z', '{Code}', 0.9),
		graph_entry('c', '{Class}', 0.9, 'Src/a.c', 1700000000, '{}'), graph_entry('d', '{File}', 0.9, 'src/a.C'),
		graph_entry('e', '{Code,Document}', 1, 'doc/a.md', 1700000000, '{C,x}'), graph_entry('f', '{Document}',
			0.0001, 'a'),
		graph_entry('g', '{Document}', 0.9, 'src/a.c', 1, '{x}')),
		jsonb_build_array(graph_relation('a', 'B', 'CALLS'), graph_relation('B', 'a', 'CALLS'), graph_relation('e',
			'é', 'DEFINES'),
			graph_relation('a', 'a', 'CALLS'), graph_relation('a', 'B', 'Calls')))),
	('extended', graph_packet(jsonb_build_array(graph_entry('a', '{Code}', 0.5, modified => 1719748800,
		neighbors => '{}'),
		graph_entry('d', '{Document}', 0.25, 'doc', 1, '{A,A}')), options => '{"extended": true, "limit": 2}')),
	('nothing', graph_packet('[]'));
SELECT name, v FROM graph_packets, answer.packet_validate(packet) AS v ORDER BY name COLLATE "C", v COLLATE "C";
SELECT name, packet->'context_veracity'->'confidence_score' AS score, packet->>'status' AS status,
	jsonb_array_length(packet->'code_truth') AS code, jsonb_array_length(packet->'doc_claims') AS documents,
	jsonb_array_length(packet->'context_veracity'->'faults') AS faults FROM graph_packets ORDER BY name COLLATE "C";

-- Each violation of the form, by what is changed in a sound packet: a path, and its new value or none.
CREATE FUNCTION graph_violations(packet jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(v, '; ' ORDER BY at), 'none')
	FROM answer.packet_validate(packet) WITH ORDINALITY AS s(v, at) $$;
SELECT path, value, graph_violations(CASE WHEN value IS NULL THEN packet #- path
	ELSE jsonb_set(packet, path, value) END) AS violations
FROM graph_packets, (VALUES
	(1, '{meta}'::text[], NULL::jsonb), (2, '{meta}', '[]'), (3, '{meta,schema_version}', NULL),
	(4, '{meta,schema_version}', '"1.1"'), (5, '{meta,schema_version}', '1.0'), (6, '{meta,query_id}', NULL),
	(7, '{meta,query_id}', '""'), (8, '{meta,timestamp}', '"yesterday"'), (9, '{meta,timestamp}', '""'),
	(10, '{meta,project}', '""'), (11, '{meta,question}', 'null'), (12, '{meta,mode}', '"brief"'),
	(13, '{meta,mode}', NULL), (14, '{meta,options}', NULL), (15, '{meta,options}', '{"top_k": 1}'),
	(16, '{meta,model}', '"x"'), (17, '{context_veracity}', NULL), (18, '{context_veracity,confidence_score}', NULL),
	(19, '{context_veracity,confidence_score}', '101'), (20, '{context_veracity,confidence_score}', '-1'),
	(21, '{context_veracity,is_stale}', NULL), (22, '{context_veracity,is_stale}', '"no"'),
	(23, '{context_veracity,faults}', NULL), (24, '{context_veracity,faults}', '{}'),
	(25, '{context_veracity,faults,0,type}', NULL), (26, '{context_veracity,faults,0,message}', '""'),
	(27, '{context_veracity,faults,0,evidence}', '[]'), (28, '{code_truth}', NULL), (29, '{code_truth}', '{}'),
	(30, '{code_truth,0}', '7'), (31, '{code_truth,0,id}', NULL), (32, '{code_truth,0,id}', '""'),
	(33, '{code_truth,1,name}', NULL), (34, '{code_truth,1,path}', NULL), (35, '{code_truth,1,score}', NULL),
	(36, '{code_truth,1,score}', '1.0001'), (37, '{code_truth,1,score}', '0.12345'), (38, '{code_truth,1,score}',
		'-0.5'),
	(39, '{code_truth,1,score}', '"0.5"'), (40, '{code_truth,1,type}', NULL), (41, '{code_truth,1,type}', '[]'),
	(42, '{code_truth,1,type}', '"Code"'), (43, '{code_truth,1,type}', '["Code", ""]'), (44,
		'{code_truth,1,start_line}', '0'),
	(45, '{code_truth,1,end_line}', '1.5'), (46, '{code_truth,1,docstring}', '[]'), (47, '{code_truth,1,neighbors}',
		NULL),
	(48, '{code_truth,1,neighbors}', '["y", "x"]'), (49, '{code_truth,1,neighbors}', '["x"]'),
	(50, '{code_truth,1,neighbor_count}', '-1'), (51, '{code_truth,1,neighbor_count}', '51'),
	(52, '{code_truth,1,provenance}', NULL), (53, '{code_truth,1,provenance,content_hash}', '"sha256:0"'),
	(54, '{code_truth,1,provenance,source_path}', NULL), (55, '{code_truth,1,provenance,indexed_at}', '"2024"'),
	(56, '{code_truth,1,provenance,extraction_method}', '""'), (57, '{code_truth,1,doc_type}', '"x"'),
	(58, '{code_truth,1,summary}', '"It calls."'), (59, '{doc_claims,0,last_modified}', NULL),
	(60, '{doc_claims,0,last_modified}', '-1'), (61, '{doc_claims,0,doc_type}', NULL), (62, '{doc_claims,0,doc_type}',
		'""'),
	(63, '{doc_claims,0,docstring}', '"x"'), (64, '{doc_claims,0,type}', NULL), (65, '{graph_relationships}', NULL),
	(66, '{graph_relationships,0,from}', NULL), (67, '{graph_relationships,0,from_id}', '1'),
	(68, '{graph_relationships,0,weight}', '1'), (69, '{suggested_actions}', NULL), (70, '{suggested_actions}',
		'[1]'),
	(71, '{status}', NULL), (72, '{status}', '"ok"'), (73, '{status}', '""'), (74, '{content_hash}', NULL),
	(75, '{content_hash}', '"sha256:x"'), (76, '{technical_brief}', '"A calls B."'), (77, '{summary}', '""'),
	(78, '{brief}', 'null'), (79, '{explanation}', '{}'), (80, E'{"<b>\001"}', '1'), (81, '{signature}', '"x"'),
	(82, '{meta,summary}', '"x"'), (83, '{meta,mode}', '"synthesis"'), (84, '{meta,options}', '{"limit": 0}'),
	(85, '{meta,options}', '{"limit": "9"}'), (86, '{meta,options}', '{"limit": 1001}'),
	(87, '{meta,options}', '{"limit": 8}'), (88, '{meta,options}', '{"limit": null}'),
	(89, '{meta,options}', '{"labels": "It calls.", "paths": [], "extended": 1, "log": "no"}'),
	(90, '{meta,options}', '{"embedding": ["It calls."]}'), (91, '{meta,options}', '{"embedding": []}'),
	(92, '{meta,options}', '{"labels": [["x"]], "summary": "It calls."}'),
	(93, '{signature}', '{"sig": "", "summary": "It calls."}')
) AS c(n, path, value) WHERE name = 'sound' ORDER BY n;
SELECT graph_violations(packet) FROM (VALUES (1, '1'::jsonb), (2, '[]'), (3, '{}'), (4, 'null')) AS c(n, packet)
	ORDER BY n;
SELECT graph_refused('SELECT * FROM answer.packet_validate(NULL)');

-- What does not follow from a packet's own entries, with a hash that does: nobody forges one part alone.
CREATE FUNCTION graph_forged(packet jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT graph_violations(packet || jsonb_build_object('content_hash', graph_hash(packet))) $$;
SELECT 'as it is' AS change, graph_forged(packet) AS violations FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'signed', graph_forged(packet || '{"signature": {"sig": "x"}}') FROM graph_packets
	WHERE name = 'sound'
UNION ALL SELECT 'as many as were asked for', graph_forged(jsonb_set(packet, '{meta,options}', '{"limit": 9}'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'found by an embedding', graph_forged(jsonb_set(packet, '{meta,options}',
	'{"embedding": [1, "0.1000000014901161193847656", 1e-3], "labels": ["Code"], "paths": ["src"], "log": false}'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'asked at another second', graph_violations(jsonb_set(packet, '{meta,timestamp}',
	'"2024-06-30T12:00:01Z"'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'indexed at another time',
	graph_violations(jsonb_set(packet, '{code_truth,0,provenance,indexed_at}', '"2023-01-01T00:00:00Z"'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'numbers written otherwise', graph_forged(jsonb_set(packet, '{code_truth,0,score}', '0.9000'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'a higher score', graph_forged(jsonb_set(packet, '{context_veracity,confidence_score}', '100'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'no faults', graph_forged(jsonb_set(packet, '{context_veracity,faults}', '[]'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'the other order', graph_forged(jsonb_set(packet, '{code_truth}', (SELECT jsonb_agg(e
	ORDER BY at DESC)
	FROM jsonb_array_elements(packet->'code_truth') WITH ORDINALITY AS c(e, at)))) FROM graph_packets
		WHERE name = 'sound'
UNION ALL SELECT 'an entry twice', graph_forged(jsonb_set(packet, '{code_truth,0}', packet->'code_truth'->1))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'a Document as code', graph_forged(jsonb_set(packet, '{code_truth,0,type}', '["Document"]'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'code as a Document', graph_forged(jsonb_set(packet, '{doc_claims,1,type}', '["Code"]'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'an edge to nowhere', graph_forged(jsonb_set(packet, '{graph_relationships,0,to_id}', '"nowhere"'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'an edge of another name', graph_forged(jsonb_set(packet, '{graph_relationships,0,to}', '"AA"'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'an edge twice', graph_forged(jsonb_set(packet, '{graph_relationships,0}',
	packet->'graph_relationships'->1))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'an action', graph_forged(jsonb_set(packet, '{suggested_actions}', '["Delete it."]'))
	FROM graph_packets WHERE name = 'sound'
UNION ALL SELECT 'another action', graph_forged(jsonb_set(packet, '{suggested_actions,0}', '"Delete it."'))
	FROM graph_packets WHERE name = 'nothing'
UNION ALL SELECT 'success of nothing', graph_forged(jsonb_set(packet, '{status}', '"success"'))
	FROM graph_packets WHERE name = 'nothing'
UNION ALL SELECT 'not extended', graph_forged(jsonb_set(packet, '{meta,options}', '{}'))
	FROM graph_packets WHERE name = 'extended'
UNION ALL SELECT 'another question', graph_violations(jsonb_set(packet, '{meta,question}', '"Who?"'))
	FROM graph_packets WHERE name = 'nothing';

-- Only so many neighbours and relationships are listed; a node of more has the first.
SELECT n, graph_violations(graph_packet(jsonb_build_array(graph_entry('a', '{Code}', 0.5) || jsonb_build_object(
	'neighbors', (SELECT jsonb_agg('n'::text) FROM generate_series(1, n) AS i), 'neighbor_count', 70)))) AS violations
FROM (VALUES (49), (50), (51)) AS c(n);
SELECT n, graph_violations(graph_packet(jsonb_build_array(graph_entry('a', '{Code}', 0.5)),
	(SELECT jsonb_agg(graph_relation('a', 'a', 't' || i)) FROM generate_series(1, n) AS i))) AS violations
FROM (VALUES (500), (501)) AS c(n);

-- As many entries as were asked for, which are 20 where nothing is said, and no more.
SELECT n, options, graph_violations(graph_packet((SELECT jsonb_agg(graph_entry('e' || i,
	CASE WHEN i % 2 = 0 THEN '{Code}'::text[] ELSE '{Document}' END, 0.5, modified => 1))
	FROM generate_series(1, n) AS i), options => options)) AS violations
FROM (VALUES (20, '{}'::jsonb), (21, '{}'), (21, '{"limit": 21.0}'), (21, '{"limit": 20}')) AS c(n, options);

-- Prose is refused unless it is allowed, cites in each sentence, and cites entries only.
CREATE FUNCTION graph_synthesis(brief text, citations text[], packet jsonb DEFAULT NULL) RETURNS text LANGUAGE plpgsql
	AS $$
DECLARE
	made jsonb;
	given jsonb := coalesce(packet, (SELECT p.packet FROM graph_packets p WHERE name = 'sound'));
BEGIN
	made := answer.packet_synthesis(given, brief, citations);
	RETURN concat_ws(' | ', made->'meta'->>'mode', made->>'technical_brief', graph_violations(made),
		CASE WHEN made->>'content_hash' = graph_hash(made) AND made->>'content_hash' <> given->>'content_hash'
			THEN 'new hash' END,
		CASE WHEN made - '{meta,technical_brief,content_hash}'::text[] = given - '{meta,content_hash}'::text[] AND
			(made->'meta') - 'mode' = (given->'meta') - 'mode' THEN 'the rest as it was' END);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS brief = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', SQLSTATE || ' ' || SQLERRM, nullif(brief, ''));
END $$;
SHOW answer_eval.evidence_only;
SELECT graph_synthesis('A calls B [a].', '{a}');
SELECT graph_synthesis(NULL, NULL);
SET answer_eval.evidence_only = off;
SELECT graph_synthesis(brief, citations) FROM (VALUES
	(1, 'A calls B [a].', '{a}'::text[]), (2, 'A calls B. [a]', '{a}'), (3, 'A calls B [a]. B calls A [B]!', '{a,B}'),
	(4, 'A calls B [a]. B calls A. [B]', '{a,B,a}'), (5, 'A calls B [a][B]', '{B,a}'), (6, '[a] A calls B [a].',
		'{a}'),
	(7, U&'\00C9 is there [\00E9].', U&'{\00E9}'),
	-- no citation in the sentence, only before it, only as a word, in part, or of what is not among the citations
	(20, 'A calls B.', '{a}'), (21, 'A calls B.', '{}'), (22, 'A calls B [a]. B calls A.', '{a}'),
	(23, 'A calls B [a]. B calls A; so it does. [a]', '{a}'), (24, '[a] A calls B.', '{a}'), (25, 'A calls a.',
		'{a}'),
	(26, 'A calls B [a', '{a}'), (27, 'A calls B [B].', '{a}'), (28, 'A calls B [A].', '{a}'), (29,
		E'A calls B [a]\n\nB too', '{a}'),
	(30, repeat('word ', 100) || '.', '{a}'),
	-- what looks like a citation is one, or is refused; empty brackets and those that do not close are none
	(31, 'A calls B [a][nowhere].', '{a}'), (32, 'A calls B [a]. [nowhere]', '{a}'), (33, 'A[0] calls B [a].', '{a}'),
	(34, 'A [see [q]] calls B [a].', '{a}'), (35, 'A calls B [a] [ ] [] ] [q', '{a}'),
	(36, 'A (see [B]) calls B [a].', '{a,B}'),
	-- no entry, nothing, no word
	(40, 'A calls B [q].', '{q}'), (41, 'A calls B [a].', '{a,A}'), (42, 'A calls B [a].', '{a,NULL}'), (43, '',
		'{a}'),
	(44, '[a]', '{a}'), (45, '... !', '{a}'), (46, NULL, '{a}'), (47, 'A calls B [a].', NULL), (48, 'A []', '{""}')
) AS c(n, brief, citations) ORDER BY n;
-- The packet must be sound, have no brief, and cannot be cited where it holds nothing.
SELECT graph_synthesis('A calls B [a].', '{a}', jsonb_set(packet, '{context_veracity,confidence_score}', '100'))
	FROM graph_packets WHERE name = 'sound';
SELECT graph_synthesis('A calls B [a].', '{a}', answer.packet_synthesis(packet, 'A calls B [a].', '{a}'))
	FROM graph_packets WHERE name = 'sound';
SELECT graph_synthesis('A calls B [a].', '{a}', packet) FROM graph_packets WHERE name = 'nothing';
SELECT graph_synthesis('A calls B [a].', '{a}', '{}');
SELECT graph_refused('SELECT answer.packet_synthesis(NULL, ''a'', ''{}'')');
-- Ids may hold brackets, so that citations overlap; none of their words is one of a sentence.
SELECT graph_synthesis(brief, '{"a","a][a","[a. B"}', graph_packet(jsonb_build_array(graph_entry('a', '{Code}', 0.5),
	graph_entry('a][a', '{Code}', 0.5), graph_entry('[a. B', '{Code}', 0.5)))) FROM (VALUES
	(1, 'A calls B [a][a].'), (2, 'A calls B [[a. B].'), (3, 'A calls B [a][a. B calls A.'), (4, '[a][a] [[a. B]')
) AS c(n, brief) ORDER BY n;
-- With prose a packet says so, in one mode and in no other member.
SELECT graph_violations(answer.packet_synthesis(packet, 'A [a].', '{a}') || change) FROM graph_packets, (VALUES
	(1, '{"technical_brief": ""}'::jsonb), (2, '{"technical_brief": ["A"]}'), (3, '{"summary": "A"}'),
	(4, '{"technical_brief": "B [a]."}')) AS c(n, change) WHERE name = 'sound' ORDER BY n;
SELECT graph_violations(answer.packet_synthesis(packet, 'A [a].', '{a}') - 'technical_brief') FROM graph_packets
	WHERE name = 'sound';
RESET answer_eval.evidence_only;

-- A page: ASCII, without a script, and with nothing of a value outside its element.
SELECT answer_packet_html(packet) FROM graph_packets WHERE name = 'nothing';
CREATE TABLE graph_hostile (n serial, name text);
INSERT INTO graph_hostile (name) VALUES ('<script>alert(1)</script>'), ('"><img src=x onerror=alert(1)>'),
	('</bdi></h3>'),
	('&lt;b&gt;&#60;'), (''' onclick=''x'), (E'tab\tline\nend\rbell\x07'), (U&'\202Eevil\2066\200B\00AD'),
		(U&'\0085\009F\00A0'),
	(U&'\+01F600 \65E5\672C e\0301'), (U&'\2028\2029\FEFF\FFFF'), (U&'\115F\3164\FE0F\2800\034F\+0E0100\180E'),
	('javascript:alert(1)'), ('{{7*7}} ${7*7} `x`');
CREATE VIEW graph_pages AS SELECT n, name, answer_packet_html(graph_packet(jsonb_build_array(
	graph_entry('a', '{Code}', 0.5) || jsonb_build_object('name', name, 'path', name, 'docstring', name, 'type',
		jsonb_build_array(name)),
	graph_entry('b', '{Document}', 0.4, neighbors => '{}') || jsonb_build_object('name', name, 'doc_type', name)),
	jsonb_build_array(graph_relation('a', 'b', name) || jsonb_build_object('from', name, 'to', name)))) AS page
		FROM graph_hostile;
SELECT n, substring(page FROM '<h3>(.*?)</h3>') AS shown FROM graph_pages ORDER BY n;
-- Every page has the same elements, whatever its values are.
SELECT count(DISTINCT regexp_replace(regexp_replace(page, '<i>U\+[0-9A-F]{4,6}</i>', '', 'g'), '>[^<]*<', '><', 'g'))
	AS skeletons,
	bool_and(page ~ '^[\n\t -~]*$') AS ascii, bool_or(page ~* '<(script|img|iframe|object|link|form|a )') AS active
FROM graph_pages;
SELECT graph_refused(format('SELECT answer_packet_html(%L)', packet)) FROM (VALUES (1, NULL), (2, '{}'), (3, '[]'))
	AS c(n, packet) ORDER BY n;
SELECT graph_refused(format('SELECT answer_packet_html(%L)', jsonb_set(packet, '{meta,question}', '"Who?"')))
	FROM graph_packets WHERE name = 'sound';
SET answer_eval.evidence_only = off;
SELECT substring(answer_packet_html(answer.packet_synthesis(packet, '<b>A</b> calls B [a].', '{a}'))
	FROM '<h2>Brief.*?</p>')
	FROM graph_packets WHERE name = 'sound';
RESET answer_eval.evidence_only;

-- Where the caller may read any node of the project, the graph must have what a packet cites.
BEGIN;
SELECT answer_graph_load('test project', (SELECT jsonb_agg(jsonb_build_object('id', id, 'name', upper(id),
	'labels', jsonb_build_array('Code'), 'source_path', 'src/a.c', 'content_hash', 'sha256:' || repeat('0', 64),
	'extraction_method', 'test')) FROM unnest('{a,B,c,e,g}'::text[]) AS id), '[]')->'nodes'->'created' AS loaded;
SELECT name, graph_violations(packet) FROM graph_packets ORDER BY name COLLATE "C";
SELECT graph_violations(jsonb_set(packet, '{meta,project}', '"another"')) FROM graph_packets WHERE name = 'sound';
-- It is asked of every id, whatever else is wrong.
SELECT v FROM answer.packet_validate('{"meta": {"project": "test project"}, "code_truth": [{"id": "\u0001<b>"},
	{"id": "a"}, 1], "doc_claims": [{"id": "\u00fc"}, {"id": 1}]}') AS v WHERE v LIKE '%in the graph';
-- A project of another tenant is not at hand.
SELECT answer_tenant_create('graph_other');
SET LOCAL answer_eval.tenant = 'graph_other';
SELECT graph_violations(packet) FROM graph_packets WHERE name = 'extended';
SELECT answer_graph_load('test project', (SELECT jsonb_agg(jsonb_build_object('id', id, 'name', upper(id),
	'labels', jsonb_build_array('Code'), 'source_path', 'src/a.c', 'content_hash', 'sha256:' || repeat('0', 64),
	'extraction_method', 'test')) FROM unnest('{d}'::text[]) AS id), '[]')->'nodes'->'created' AS loaded;
SELECT graph_violations(packet) FROM graph_packets WHERE name = 'extended';
ROLLBACK;
SELECT graph_violations(packet) FROM graph_packets WHERE name = 'sound';
