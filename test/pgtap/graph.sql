-- Evidence packets: the seven criteria of the evidence-only mode, with its verification commands in SQL; every text in
-- a packet is from the graph, for any names; packets are signed, replayed, logged and forgotten; nodes as evidence.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(127);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

CREATE FUNCTION pg_temp.node(id text, labels text[], name text, path text, more jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'labels', labels, 'name', name, 'path', path, 'source_path', path,
		'content_hash',
		'sha256:' || encode(sha256(convert_to(path, 'UTF8')), 'hex'), 'extraction_method', 'hand',
		'indexed_at', '2026-01-02T03:04:05Z') || more
$$;
CREATE FUNCTION pg_temp.edge(from_id text, type text, to_id text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('from', from_id, 'to', to_id, 'type', type)
$$;
-- every value of a document that is a string
CREATE FUNCTION pg_temp.strings(document jsonb) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT v #>> '{}' FROM jsonb_path_query(document, 'strict $.**') AS v WHERE jsonb_typeof(v) = 'string'
$$;
CREATE FUNCTION pg_temp.entries(packet jsonb) RETURNS TABLE (entry jsonb, list text) LANGUAGE sql AS $$
	SELECT e, 'code_truth' FROM jsonb_array_elements(packet -> 'code_truth') AS e
	UNION ALL SELECT e, 'doc_claims' FROM jsonb_array_elements(packet -> 'doc_claims') AS e
$$;

-- 2026-03-01 is 1772323200; 91 days before it 1764460800
SELECT is(answer_graph_load('shop', jsonb_build_array(
		pg_temp.node('f:src/refund.py', '{File,Code}', 'refund.py', 'src/refund.py', '{"last_modified": 1772000000}'),
		pg_temp.node('c:Refund', '{Class,Code}', 'RefundService', 'src/refund.py',
			'{"start_line": 10, "end_line": 50, "docstring": "Pays an order back.", "last_modified": 1772000000}'),
		pg_temp.node('m:pay_back', '{Function,Code}', 'pay_back', 'src/refund.py',
			'{"start_line": 20, "end_line": 40, "docstring": "Refund of one order.", "last_modified": 1772000000}'),
		pg_temp.node('x:lonely', '{Function,Code}', 'refund_report', 'src/report.py', '{"start_line": 1}'),
		pg_temp.node('d:refunds', '{Document}', 'Refund policy', 'doc/refunds.md',
			'{"doc_type": "markdown", "last_modified": 1764460799, "text": "When and how a refund is paid."}'),
		pg_temp.node('d:young', '{Document}', 'Refund checklist', 'doc/checklist.md',
			'{"doc_type": "markdown", "last_modified": 1772000000}'),
		pg_temp.node('d:unknown', '{Document,Code}', 'Refund notes', 'doc/notes.md', '{"doc_type": "notes"}'),
		pg_temp.node('o:other', '{Function,Code}', 'ship', 'src/shipping.py')),
	jsonb_build_array(
		pg_temp.edge('f:src/refund.py', 'DEFINES', 'c:Refund'), pg_temp.edge('c:Refund', 'DEFINES', 'm:pay_back'),
		pg_temp.edge('m:pay_back', 'CALLS', 'o:other'), pg_temp.edge('d:refunds', 'DESCRIBES', 'c:Refund'),
		pg_temp.edge('d:refunds', 'DESCRIBES', 'm:pay_back'), pg_temp.edge('d:young', 'DESCRIBES', 'c:Refund'),
		pg_temp.edge('d:young', 'DESCRIBES', 'm:pay_back'), pg_temp.edge('d:unknown', 'DESCRIBES', 'c:Refund'),
		pg_temp.edge('d:unknown', 'DESCRIBES', 'f:src/refund.py'), pg_temp.edge('m:pay_back', 'CALLS', 'm:pay_back'))
	) #> '{nodes,created}', '8', 'a graph is loaded');
SELECT set_config('graph.now', '{"now": "2026-03-01T00:00:00Z"}', true) IS NOT NULL AS pinned \gset
CREATE TEMP TABLE asked AS
SELECT answer_packet('shop', 'refund', current_setting('graph.now')::jsonb) AS packet;
SELECT cmp_ok((SELECT count(*)::integer FROM asked, pg_temp.entries(packet)), '>=', 6, 'a question finds nodes');

-- TC-EO-001: no synthesis.  `grep -n "ollama.chat"`: no answering function calls one that writes prose, or calls out.
SELECT is(packet #>> '{meta,mode}', 'evidence-only', 'TC-EO-001: the mode is evidence-only') FROM asked;
SELECT is((SELECT count(*)::integer FROM jsonb_path_query(packet,
		'strict $.** ? (@.type() == "object").keyvalue() ? (@.key == "technical_brief" || @.key == "summary" || '
		'@.key == "brief" || @.key == "explanation")')), 0, 'TC-EO-001: there is no technical_brief, nor other prose')
			FROM asked;
SELECT is(current_setting('answer_eval.evidence_only'), 'on',
	'TC-EO-001: the flag is on, unless somebody says otherwise');
SELECT throws_ok(format('SELECT answer.packet_synthesis(%L, %L, %L)', packet, 'Refunds are paid [c:Refund].',
	'{c:Refund}'),
	'55000', NULL, 'TC-EO-001: while it is on, a brief is refused') FROM asked;
SELECT is((SELECT p.provolatile FROM pg_proc p WHERE p.oid = 'answer_packet(text, text, jsonb)'::regprocedure), 's',
	'TC-EO-001: a packet is read, and nothing is written');

SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p
		JOIN pg_depend d ON (d.classid, d.objid) = ('pg_proc'::regclass, p.oid)
		JOIN pg_extension e ON d.deptype = 'e' AND d.refobjid = e.oid AND e.extname = 'answer_eval'
	WHERE concat(p.prosrc, pg_get_function_sqlbody(p.oid)) ~ 'packet_synthesis'
	AND p.proname <> 'packet_synthesis'$$,
	'TC-EO-001: no function calls it, so that none can get around the flag');

-- TC-EO-002: graph-derived content only.  `jq '.code_truth[].id'` gives ids of nodes, and nothing else.
SELECT set_eq(format($$SELECT jsonb_path_query(%L, '$.code_truth[*].id') #>> '{}'$$, packet),
	$$SELECT id FROM answer.graph_node WHERE project = 'shop' AND id <> 'o:other' AND 'Document' <> ALL (labels)$$,
	'TC-EO-002: code_truth holds nodes of the graph') FROM asked;
SELECT set_eq(format($$SELECT jsonb_path_query(%L, '$.doc_claims[*].id') #>> '{}'$$, packet),
	$$SELECT id FROM answer.graph_node WHERE project = 'shop' AND 'Document' = ANY (labels)$$,
	'TC-EO-002: doc_claims holds its documents') FROM asked;
SELECT set_eq(format($$SELECT r ->> 'from_id' AS a, r ->> 'type' AS b, r ->> 'to_id' AS c, r ->> 'from' AS d,
	r ->> 'to' AS e
		FROM jsonb_array_elements(%L::jsonb -> 'graph_relationships') AS r$$, packet),
	$$SELECT e.from_id, e.type, e.to_id, f.name AS d, t.name AS e FROM answer.graph_edge e
		JOIN answer.graph_node f ON f.project = e.project AND f.id = e.from_id
		JOIN answer.graph_node t ON t.project = e.project AND t.id = e.to_id
		WHERE e.project = 'shop' AND 'o:other' NOT IN (e.from_id, e.to_id)$$,
	'TC-EO-002: graph_relationships are the edges among the nodes of the packet') FROM asked;
SELECT is((SELECT count(*)::integer FROM pg_temp.entries(packet) AS e, answer.graph_node n
		WHERE n.project = 'shop' AND n.id = e.entry ->> 'id' AND n.name = e.entry ->> 'name'
			AND n.path = e.entry ->> 'path'
		AND to_jsonb(n.labels) = e.entry -> 'type' AND n.content_hash = e.entry #>> '{provenance,content_hash}'
		AND n.source_path = e.entry #>> '{provenance,source_path}'),
	(SELECT count(*)::integer FROM pg_temp.entries(packet)), 'TC-EO-002: every entry says what its node says')
		FROM asked;

-- TC-EO-003: explicit citations.  `jq '.code_truth[] | select(.path == null or .id == null)'` is empty.
SELECT is_empty(format($$SELECT e.entry FROM pg_temp.entries(%L::jsonb) AS e
	WHERE e.entry ->> 'path' IS NULL OR e.entry ->> 'id' IS NULL OR '' IN (e.entry ->> 'path', e.entry ->> 'id')$$,
		packet),
	'TC-EO-003: no entry is without path and id') FROM asked;
SELECT is_empty(format($$SELECT e FROM jsonb_array_elements(%L::jsonb -> 'code_truth') AS e
	WHERE jsonb_typeof(e -> 'type') IS DISTINCT FROM 'array' OR e -> 'type' = '[]'$$, packet),
	'TC-EO-003: no code is without labels') FROM asked;
SELECT is_empty(format($$SELECT e FROM jsonb_array_elements(%L::jsonb -> 'doc_claims') AS e
	WHERE jsonb_typeof(e -> 'last_modified') IS DISTINCT FROM 'number' OR e ->> 'doc_type' IS NULL$$, packet),
	'TC-EO-003: no document is without last_modified and doc_type') FROM asked;
SELECT is_empty(format($$SELECT e FROM jsonb_array_elements(%L::jsonb -> 'code_truth') AS e
	JOIN answer.graph_node n ON n.project = 'shop' AND n.id = e ->> 'id'
	WHERE (n.start_line, n.end_line) IS DISTINCT FROM ((e ->> 'start_line')::integer, (e ->> 'end_line')::integer)$$,
		packet),
	'TC-EO-003: lines are there where they are known') FROM asked;
SELECT is((SELECT count(*)::integer FROM pg_temp.entries(packet) AS e, answer_graph_node('shop', e.entry ->> 'id') AS n
		WHERE n.path = e.entry ->> 'path' AND n.neighbor_count = (e.entry -> 'neighbor_count')::bigint),
	(SELECT count(*)::integer FROM pg_temp.entries(packet)), 'TC-EO-003: the graph can be asked for every citation')
		FROM asked;

-- TC-EO-004: the score is computed from fixed values.
SELECT is((packet #> '{context_veracity,confidence_score}')::integer, 100 - 15 - 5,
	'TC-EO-004: one stale document costs 15, one orphan 5') FROM asked;
SELECT is(packet #> '{context_veracity,faults,0}', '{"type": "STALE_DOC", "message": "''Refund policy'' is 91 days old '
	'(threshold: 90)", "evidence": {"node_id": "d:refunds", "days_old": 91, "threshold_days": 90}}',
	'TC-EO-004: the document that is stale') FROM asked;
SELECT is(packet #> '{context_veracity,faults,1}', '{"type": "ORPHANED_NODE", "message": "''refund_report'' has only 0 '
	'connection(s) (threshold: 2)", "evidence": {"node_id": "x:lonely", "neighbor_count": 0, "threshold": 2}}',
	'TC-EO-004: the node that is an orphan') FROM asked;
SELECT is(jsonb_array_length(packet #> '{context_veracity,faults}'), 2, 'TC-EO-004: and no other fault') FROM asked;
SELECT is(answer_packet('shop', 'refund', '{"now": "2026-02-28T23:59:59Z"}') #> '{context_veracity,is_stale}', 'true',
	'TC-EO-004: staleness is judged at the instant that was given');
SELECT is(answer_packet('shop', 'refund', '{"now": "2026-02-27T23:59:59Z"}') #> '{context_veracity}',
	'{"confidence_score": 95, "is_stale": false, "faults": [{"type": "ORPHANED_NODE", "message": '
	'"''refund_report'' has only '
	'0 connection(s) (threshold: 2)", "evidence": {"node_id": "x:lonely", "neighbor_count": 0, "threshold": 2}}]}',
	'TC-EO-004: exactly 90 days are not stale');

-- TC-EO-005: HASH1 and HASH2 of the whole output are the same.
SELECT is(answer_digest(answer_packet('shop', 'refund', current_setting('graph.now')::jsonb)), answer_digest(packet),
	'TC-EO-005: PASS: Deterministic') FROM asked;
SELECT is(array_agg(e.id ORDER BY e.n), array_agg(e.id ORDER BY e.score DESC, e.path COLLATE "C", e.id COLLATE "C"),
	format('TC-EO-005: %s is sorted by score, path and id', list))
FROM (SELECT list, (entry ->> 'score')::numeric AS score, entry ->> 'path' AS path, entry ->> 'id' AS id,
	row_number() OVER () AS n
	FROM asked, pg_temp.entries(packet)) AS e GROUP BY list ORDER BY list COLLATE "C";
SELECT is(answer_packet('shop', 'refund', '{"now": "2026-03-01T00:00:00Z", "query_id": "mine"}') ->> 'content_hash',
	packet ->> 'content_hash', 'TC-EO-005: an id that is given changes no hash') FROM asked;
SELECT is(answer_packet('shop', 'refund', '{"now": "2026-03-01T00:00:00.5Z"}') ->> 'content_hash',
	packet ->> 'content_hash', 'TC-EO-005: nor does an instant at which nothing else is stale') FROM asked;
SELECT isnt(answer_packet('shop', 'refund', '{"now": "2026-02-27T23:59:59Z"}') ->> 'content_hash',
	packet ->> 'content_hash', 'TC-EO-005: one at which something is other does') FROM asked;
SELECT is(answer_digest(jsonb_set((packet #- '{meta,query_id}' #- '{meta,timestamp}') - 'content_hash',
		'{code_truth}', (SELECT jsonb_agg(e #- '{provenance,indexed_at}' ORDER BY n)
			FROM jsonb_array_elements(packet -> 'code_truth') WITH ORDINALITY AS e (e, n)))
		|| jsonb_build_object('doc_claims', (SELECT jsonb_agg(e #- '{provenance,indexed_at}' ORDER BY n)
			FROM jsonb_array_elements(packet -> 'doc_claims') WITH ORDINALITY AS e (e, n)))),
	packet ->> 'content_hash', 'TC-EO-005: the hash is the digest of what is left without id, instants and hash')
		FROM asked;

-- TC-EO-006: structured output.  `json.load(sys.stdin)` takes it, and the schema holds.
SELECT is(packet::text::json::jsonb, packet, 'TC-EO-006: it is JSON') FROM asked;
SELECT is_empty(format('SELECT answer.packet_validate(%L)', packet), 'TC-EO-006: no violation of the schema')
	FROM asked;
SELECT is(packet #>> '{meta,schema_version}', '1.0', 'TC-EO-006: the version is stated') FROM asked;
SELECT set_eq(format('SELECT jsonb_object_keys(%L)', packet),
	'{meta,context_veracity,code_truth,doc_claims,graph_relationships,'
	'suggested_actions,status,content_hash}'::text[], 'TC-EO-006: the members are those of the schema') FROM asked;
SELECT isnt_empty(format('SELECT answer.packet_validate(%L)', jsonb_set(packet, '{summary}', '"Refunds are fine."')),
	'TC-EO-006: prose is a violation') FROM asked;

-- TC-EO-007: nothing found.
CREATE TEMP TABLE nothing AS
SELECT w.what, answer_packet(w.project, w.question, w.options) AS packet
FROM (VALUES ('no such word', 'shop', 'zyzzyva', '{}'::jsonb), ('no such project', 'shopp', 'refund', '{}'),
	('no word at all', 'shop', '?!', '{}'), ('no such label', 'shop', 'refund', '{"labels": ["Capability"]}'),
	('no such path', 'shop', 'refund', '{"paths": ["lib"]}')) AS w (what, project, question, options);
SELECT is(packet ->> 'status', 'insufficient_evidence', format('TC-EO-007: %s: the status', what)) FROM nothing;
SELECT is(packet -> 'context_veracity',
	'{"confidence_score": 0, "is_stale": false, "faults": [{"type": "NO_MATCH", "message": '
	'"No relevant context found in knowledge graph.", "evidence": {}}]}', format('TC-EO-007: %s: the fault',
		what)) FROM nothing;
SELECT is(packet -> 'suggested_actions',
	'["Load the project with answer_graph_load().", "Check that the project name is spelled '
	'as in answer.graph_project.", "Ask more specifically: name a file, class, function or document."]',
	format('TC-EO-007: %s: what to do', what)) FROM nothing;
SELECT is_empty(format('SELECT answer.packet_validate(%L)', packet), format('TC-EO-007: %s: the schema',
	what)) FROM nothing;

-- options
SELECT is((SELECT count(*)::integer FROM pg_temp.entries(answer_packet('shop', 'refund', '{"limit": 3}'))), 3, 'limit');
SELECT is((SELECT array_agg(entry ->> 'id' ORDER BY (entry ->> 'score')::numeric DESC, entry ->> 'path' COLLATE "C",
			entry ->> 'id' COLLATE "C") FROM pg_temp.entries(answer_packet('shop', 'refund', '{"limit": 3}'))),
	(SELECT (array_agg(entry ->> 'id' ORDER BY (entry ->> 'score')::numeric DESC, entry ->> 'path' COLLATE "C",
		entry ->> 'id' COLLATE "C"))[1:3] FROM asked, pg_temp.entries(packet)), 'the first ones are left');
SELECT set_eq($$SELECT entry ->> 'id' FROM pg_temp.entries(answer_packet('shop', 'refund',
	'{"labels": ["Class", "Document"]}'))$$,
	'{c:Refund,d:refunds,d:young,d:unknown}'::text[], 'labels: one of them will do');
SELECT set_eq($$SELECT entry ->> 'id' FROM pg_temp.entries(answer_packet('shop', 'refund', '{"paths": ["doc"]}'))$$,
	'{d:refunds,d:young,d:unknown}'::text[], 'paths: what lies beneath');
SELECT is(answer_packet('shop', 'refund',
	'{"limit": 7, "now": "2026-03-01T00:00:00Z", "query_id": "mine", "extended": null}')
	#> '{meta,options}', '{"limit": 7}', 'meta has the options that decide what is in it');
SELECT is(answer_packet('shop', 'refund', '{"query_id": "mine", "now": "2026-03-01T01:00:00+01:00"}') -> 'meta',
	'{"schema_version": "1.0", "query_id": "mine", "timestamp": "2026-03-01T00:00:00Z", "project": "shop", '
	'"question": "refund", '
	'"mode": "evidence-only", "options": {}}', 'the rest of it');
SELECT ok((answer_packet('shop', 'refund', '{"extended": true, "limit": 2, "now": "2026-03-01T00:00:00Z"}')
	#> '{context_veracity,faults}') @> '[{"type": "LOW_COVERAGE"}]', 'extended: more faults');

-- Every text of a packet is a property of a node or an edge, a part of the request, or a fixed word, whatever the names
-- are.
CREATE TEMP TABLE hostile (name text);
INSERT INTO hostile VALUES ('refund'), ('O''Reilly "refund"'), ('<script>alert("refund")</script>'),
	(E'refund\nline\ttwo'),
	(E'refund \x01\x1f\x7f'), ('technical_brief'), ('refund %s %d \(x) \\u0041 {{x}}'), ('null'), ('STALE_DOC'),
	('../../../etc/refund'), (repeat('refund ', 130)), (U&'refund \202E\200F\FEFF'), ('返金 refund'),
		(U&'refund \+01F4B8'),
	('''; DROP TABLE answer.graph_node; --refund'), ('$.code_truth[*]'), ('insufficient_evidence'), ('0'),
		(' refund '), ('Refund');
CREATE FUNCTION pg_temp.hostile() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT name FROM hostile ORDER BY random() LIMIT 1
$$;
CREATE FUNCTION pg_temp.hostile_graph(project text, size integer) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	nodes jsonb := '[]';
	edges jsonb := '[]';
	is_document boolean;
BEGIN
	FOR i IN 1..size LOOP
		is_document := random() < 0.4;
		nodes := nodes || pg_temp.node(i || pg_temp.hostile(), CASE WHEN is_document THEN ARRAY['Document',
			pg_temp.hostile()]
				ELSE ARRAY['Code', pg_temp.hostile()] END, pg_temp.hostile(), pg_temp.hostile(),
			jsonb_build_object('last_modified',
				CASE WHEN random() < 0.2 THEN 0 ELSE 1772323200 - floor(random() * 20000000)::bigint END,
				'extraction_method', pg_temp.hostile())
			|| CASE WHEN is_document THEN jsonb_build_object('doc_type', pg_temp.hostile()) ELSE '{}' END
			|| CASE WHEN random() < 0.5 THEN jsonb_build_object('docstring', pg_temp.hostile(), 'start_line',
				i) ELSE '{}' END
			|| CASE WHEN random() < 0.5 THEN '{"text": "secret words that nobody sees"}'::jsonb ELSE '{}' END);
	END LOOP;
	FOR i IN 1..2 * size LOOP
		edges := edges || pg_temp.edge(nodes -> floor(random() * size)::integer ->> 'id', left(pg_temp.hostile(), 60),
			nodes -> floor(random() * size)::integer ->> 'id');
	END LOOP;
	RETURN answer_graph_load(project, nodes, edges);
END
$$;
SELECT is(pg_temp.hostile_graph('hostile' || g, 25) #> '{nodes,created}', '25', format('hostile graph %s is loaded', g))
FROM generate_series(1, 6) AS g;
CREATE TEMP TABLE hostile_packet AS
SELECT 'hostile' || g AS project, q.name AS question, answer_packet('hostile' || g, q.name,
	jsonb_build_object('extended', g % 2 = 0,
	'limit', 5 * g, 'now', '2026-03-01T00:00:00Z')) AS packet
FROM generate_series(1, 6) AS g, hostile AS q;
SELECT cmp_ok(count(*)::integer, '>', 50, 'hostile questions find something')
FROM hostile_packet WHERE packet ->> 'status' = 'success';
-- what a packet of a project says, apart from errors
CREATE TEMP TABLE sayable AS
SELECT n.project, p.property FROM answer.graph_node n, LATERAL (
	SELECT unnest(ARRAY[n.id, n.name, n.path, n.docstring, n.doc_type, n.source_path, n.content_hash,
		n.extraction_method,
		'2026-01-02T03:04:05Z'] || n.labels)) AS p (property) WHERE n.project LIKE 'hostile%'
UNION SELECT e.project, e.type FROM answer.graph_edge e WHERE e.project LIKE 'hostile%';
CREATE FUNCTION pg_temp.fault_message(fault jsonb, packet jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT CASE fault ->> 'type'
		WHEN 'STALE_DOC' THEN format('''%s'' is %s days old (threshold: %s)', n.name, e ->> 'days_old',
			e ->> 'threshold_days')
		WHEN 'ORPHANED_NODE' THEN format('''%s'' has only %s connection(s) (threshold: %s)', n.name,
			e ->> 'neighbor_count',
			e ->> 'threshold')
		WHEN 'CONTRADICTION' THEN format('''%s'' may be outdated: linked code ''%s'' is %s days newer',
			e ->> 'doc_name',
			e ->> 'code_name', e ->> 'days_difference')
		WHEN 'LOW_COVERAGE' THEN format('Only %s result(s) found (recommended: %s+)', e ->> 'result_count',
			e ->> 'min_results')
		WHEN 'NO_MATCH' THEN 'No relevant context found in knowledge graph.' END
	FROM (SELECT fault -> 'evidence') AS f (e)
	LEFT JOIN LATERAL (SELECT x.entry ->> 'name' AS name FROM pg_temp.entries(packet) AS x
		WHERE x.entry -> 'id' = e -> 'node_id') AS n
		ON true
$$;
SELECT is_empty($$
	SELECT h.project, h.question, s.string FROM hostile_packet h,
		pg_temp.strings(h.packet - '{meta,context_veracity,content_hash,status,suggested_actions}'::text[])
			AS s (string)
	WHERE NOT EXISTS (SELECT FROM sayable y WHERE y.project = h.project AND y.property = s.string)$$,
	'every text of entries and relationships is a property of the graph');
SELECT is_empty($$SELECT h.packet #> '{context_veracity,faults}' FROM hostile_packet h,
		jsonb_array_elements(h.packet #> '{context_veracity,faults}') AS f
	WHERE f ->> 'message' IS DISTINCT FROM pg_temp.fault_message(f, h.packet)$$,
		'every fault is a fixed sentence about a node');
SELECT is_empty($$SELECT h.packet FROM hostile_packet h, jsonb_array_elements(h.packet #> '{context_veracity,faults}')
	AS f,
		pg_temp.strings(f -> 'evidence') AS s (string)
	WHERE NOT EXISTS (SELECT FROM sayable y WHERE y.project = h.project AND y.property = s.string)$$,
	'and its evidence is of the graph');
SELECT is_empty($$SELECT h.packet FROM hostile_packet h WHERE h.packet -> 'meta' IS DISTINCT
	FROM jsonb_build_object('schema_version',
		'1.0', 'mode', 'evidence-only', 'project', h.project, 'question', h.question, 'timestamp',
			'2026-03-01T00:00:00Z',
		'query_id', h.packet #> '{meta,query_id}', 'options', h.packet #> '{meta,options}')
	OR h.packet ->> 'status' NOT IN ('success', 'insufficient_evidence')
	OR h.packet ->> 'content_hash' !~ '^sha256:[0-9a-f]{64}$'
	OR h.packet #>> '{meta,query_id}' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'$$,
	'meta, status and hash are what they are');
SELECT is_empty($$SELECT h.project, v FROM hostile_packet h, answer.packet_validate(h.packet) AS v$$,
	'no hostile graph makes a packet that breaks the schema');
SELECT is_empty($$SELECT h.packet FROM hostile_packet h WHERE h.packet::text LIKE '%secret words%'$$,
	'the text by which a node is found is not shown');
SELECT is_empty($$SELECT h.packet FROM hostile_packet h, pg_temp.entries(h.packet) AS e
	WHERE (e.entry -> 'neighbor_count')::bigint IS DISTINCT FROM
		(SELECT n.neighbor_count FROM answer_graph_node(h.project, e.entry ->> 'id') AS n)
	OR jsonb_array_length(e.entry -> 'neighbors') <> least((e.entry -> 'neighbor_count')::bigint, 50)$$,
	'neighbours are counted as the graph has them');

-- signed
CREATE TEMP TABLE signed AS
SELECT 'found' AS what, answer_packet_receipt('shop', 'refund', current_setting('graph.now')::jsonb) AS receipt
UNION ALL SELECT 'nothing', answer_packet_receipt('shop', 'zyzzyva', current_setting('graph.now')::jsonb)
UNION ALL SELECT 'hostile', answer_packet_receipt('hostile6', E'refund\nline\ttwo',
	'{"now": "2026-03-01T00:00:00Z", "extended": true}');
SELECT is(receipt -> 'packet', packet, 'the packet inside is the one that is not signed') FROM signed,
	asked WHERE what = 'found';
SELECT is(receipt ->> 'schema', 'packet/v1', format('%s: the schema', what)) FROM signed;
SELECT matches(receipt ->> 'receipt_id', '^pkt_[0-9a-f]{16}$', format('%s: the id', what)) FROM signed;
SELECT is(answer_verify(receipt) -> 'ok', 'true', format('%s: it verifies', what)) FROM signed;
SELECT is(answer_replay(receipt), '{"ok": true, "graph": {"state": "same"}}',
	format('%s: it replays, against the graph too', what))
FROM signed;
SELECT is(answer_receipt(receipt ->> 'receipt_id'), receipt, format('%s: it is stored', what)) FROM signed;
SELECT results_eq(format('SELECT schema, verdict, confidence, degraded FROM answer.receipt WHERE receipt_id = %L',
	receipt ->> 'receipt_id'),
	format('SELECT %L::text, %L::text, %L::float8, NULL::boolean', 'packet/v1', receipt #>> '{packet,status}',
		(receipt #>> '{packet,context_veracity,confidence_score}')::float8 / 100), format('%s: the columns',
			what)) FROM signed;
SELECT is(answer_verify(jsonb_set(receipt, '{packet,context_veracity,confidence_score}',
	'99')) #>> '{steps,replay,differences,0,field}',
	'context_veracity', format('%s: another score is found', what)) FROM signed;
SELECT is(answer_verify(jsonb_set(receipt, '{packet,meta,question}',
	'"Something else?"')) #> '{steps,replay,differences}',
	'[{"field": "content_hash", "reason": "recomputing gives something else"}]',
		format('%s: another question is found', what))
FROM signed;
SELECT is(answer_verify(jsonb_set(receipt, '{packet,code_truth,0,docstring}',
	'"Nothing to see."')) #> '{steps,replay,ok}', 'false',
	'another docstring is found') FROM signed WHERE what = 'found';
SELECT is(answer_verify(jsonb_set(receipt, '{packet,code_truth}', (SELECT jsonb_agg(e ORDER BY n DESC)
		FROM jsonb_array_elements(receipt #> '{packet,code_truth}') WITH ORDINALITY AS e (e,
			n)))) #>> '{steps,replay,differences,0,field}',
	'code_truth', 'another order is found') FROM signed WHERE what = 'found';
SELECT is(answer_verify(receipt #- '{packet,doc_claims,0,doc_type}') #> '{steps,closure,ok}', 'false',
	'an entry that lacks something is found')
FROM signed WHERE what = 'found';
SELECT is(answer_verify(jsonb_set(receipt, '{packet,technical_brief}', '"All is well."')) #> '{steps,closure,ok}',
	'false', 'prose is found')
FROM signed WHERE what = 'found';
SELECT is(answer_verify(jsonb_set(receipt, '{packet,meta,mode}', '"synthesis"')) -> 'ok', 'false',
	'another mode is found')
FROM signed WHERE what = 'found';

-- the log
SELECT is((SELECT jsonb_agg(to_jsonb(l) - 'at' ORDER BY l.content_hash, l.query_id) FROM answer.packet_log l),
	(SELECT jsonb_agg(jsonb_build_object('tenant', '', 'query_id', p #> '{meta,query_id}', 'project',
		p #> '{meta,project}',
		'question', p #> '{meta,question}', 'content_hash', p -> 'content_hash', 'status', p -> 'status',
		'score', p #> '{context_veracity,confidence_score}') ORDER BY p ->> 'content_hash' COLLATE "C")
	FROM (SELECT receipt -> 'packet' AS p FROM signed) AS s),
	'what was signed is in the log, and nothing else is');
SELECT is(answer_packet('shop', 'pay', '{"log": true, "query_id": "mine"}') -> 'content_hash',
	answer_packet('shop', 'pay', '{"log": false}') -> 'content_hash', 'a packet that is logged is no other');
SELECT is((SELECT count(*)::integer FROM answer.packet_log WHERE query_id = 'mine'), 1, 'it is in the log, once');
SELECT throws_ok($$UPDATE answer.packet_log SET question = 'other'$$, '23001', NULL,
	'rows of the log stay as they are');
SELECT throws_ok('DELETE FROM answer.packet_log', '23001', NULL, 'and stay');
SELECT throws_ok('TRUNCATE answer.packet_log', '23001', NULL, 'all of them');
SELECT is(answer_forget('mine', 'test') - 'forgotten_at', jsonb_build_object('receipts', '[]'::jsonb, 'readings',
	'[]'::jsonb, 'packets',
	jsonb_build_array(answer_packet('shop', 'pay') -> 'content_hash')), 'a query is forgotten, by its id');
SELECT is_empty($$SELECT FROM answer.packet_log WHERE query_id = 'mine'$$, 'and gone');
SELECT is(answer_forget('mine', 'test') -> 'packets', jsonb_build_array(answer_packet('shop', 'pay') -> 'content_hash'),
	'forgetting it again says the same');
SELECT is(answer_forget(receipt #>> '{packet,meta,query_id}', 'test') -> 'receipts',
	jsonb_build_array(receipt -> 'receipt_id'),
	'the receipts of a query go with it') FROM signed WHERE what = 'nothing';
SELECT is(answer_receipt(receipt ->> 'receipt_id') ->> 'schema', 'answer/tombstone/v1', 'a tombstone is in its place')
FROM signed WHERE what = 'nothing';
SELECT throws_ok($$SELECT answer_forget('no-such-query', 'test')$$, 'P0002', NULL,
	'what never was cannot be forgotten');

-- a graph that changes
SELECT is(answer_graph_load('shop', jsonb_build_array(pg_temp.node('x:lonely', '{Function,Code}', 'refund_summary',
	'src/report.py',
	'{"start_line": 1}')), '[]') #> '{nodes,replaced}', '1', 'a node is replaced');
SELECT is(answer_replay(receipt), '{"ok": true, "graph": {"state": "changed", "ids": ["x:lonely"]}}',
	'a replay names it, and holds')
FROM signed WHERE what = 'found';
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'the receipt verifies') FROM signed WHERE what = 'found';
SELECT is(answer_graph_load('shop', '[]', jsonb_build_array(pg_temp.edge('x:lonely', 'CALLS', 'm:pay_back')))
	#> '{edges,created}', '1', 'an edge is added');
SELECT is(answer_replay(receipt) -> 'graph', '{"state": "changed", "ids": ["m:pay_back", "x:lonely"]}',
	'both its nodes are named')
FROM signed WHERE what = 'found';
SELECT is(answer_replay(answer_packet_receipt('shopp', 'refund')) -> 'graph',
	'{"state": "absent", "reason": "the project is not loaded"}',
	'a graph that is not at hand is absent');
SELECT is(answer_replay(jsonb_set(receipt, '{reproduce,evaluator,rules,2}', '"text-score/1"')),
	'{"ok": true, "graph": {"state": "absent", "reason": "it was found by the rules text-score/1"}}',
	'what an earlier score found is not asked again, and holds')
FROM signed WHERE what = 'found';

-- a node is evidence
CREATE TEMP TABLE checked AS
SELECT answer_eval('{"checks": [
	{"id": "is", "tool": "graph_node", "args": {"project": "shop", "id": "c:Refund"}, "expect": {"op": "eq",
		"value": "RefundService"},
		"min_quality": "Strong"},
	{"id": "weak", "tool": "graph_node", "args": {"project": "shop", "id": "x:lonely"}, "expect": {"op": "eq",
		"value": "refund_summary"},
		"min_quality": "Moderate"},
	{"id": "none", "tool": "graph_node", "args": {"project": "shop", "id": "nowhere"}, "expect": {"op": "eq",
		"value": "x"}}]}') AS receipt;
SELECT is((SELECT array_agg(c ->> 'verdict' ORDER BY n) FROM jsonb_array_elements(receipt -> 'checks') WITH ORDINALITY
	AS c (c, n)),
	'{supported,not_evaluable,evidence_unavailable}', 'checks cite nodes, of a quality') FROM checked;
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'and their receipt verifies') FROM checked;

SELECT * FROM finish();
ROLLBACK;
