-- Packets of stored graphs: options, refusals, rights, tenants, the log, forgetting, replays of what is not ours.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
-- graphs, tenants and the log are those of this file
SELECT current_database() AS regression \gset
CREATE DATABASE regress_packet TEMPLATE template0;
\c regress_packet
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION answer_eval;
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	value text;
	detail text;
	hint text;
BEGIN
	EXECUTE statement INTO value;
	RETURN COALESCE(value, '(null)');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', SQLSTATE || ' ' || SQLERRM, NULLIF(detail, ''), NULLIF(hint, ''));
END
$$;
CREATE FUNCTION node(id text, labels text[], name text, path text, more jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', id, 'labels', labels, 'name', name, 'source_path', path, 'content_hash',
		'sha256:' || repeat('ab', 32), 'extraction_method', 'hand', 'indexed_at', '2026-01-02T03:04:05Z') || more
$$;

SELECT answer_graph_load('shop', jsonb_build_array(
	node('c:Refund', '{Class,Code}', 'RefundService', 'src/refund.py', '{"start_line": 10, "end_line": 50}'),
	node('m:pay_back', '{Function,Code}', 'pay_back', 'src/refund.py', '{"docstring": "Refund of one order."}'),
	node('d:refunds', '{Document}', 'Refund policy', 'doc/refunds.md', '{"doc_type": "markdown"}')),
	'[{"from": "c:Refund", "to": "m:pay_back", "type": "DEFINES"}, {"from": "d:refunds", "to": "c:Refund",
		"type": "DESCRIBES"}]') -> 'nodes' AS nodes;

/* a packet, whole */

SELECT jsonb_pretty(answer_packet('shop', 'refund', '{"now": "2026-03-01T00:00:00Z"}')) AS packet;
SELECT jsonb_pretty(answer_packet('shop', 'zyzzyva', '{"now": "2026-03-01T00:00:00Z"}')) AS packet;

/* what is refused */

SELECT call, outcome(format('SELECT answer_packet(%s) ->> ''status''', call)) FROM (VALUES
	('NULL, ''refund'''), ('''shop'', NULL'), ('''shop'', ''refund'', NULL'), (''''', ''refund'''),
	('''shop'', '''''), ('''shop'', repeat(''x '', 40000)'), ('''shop'', (SELECT string_agg(''w'' || i, '' '')
		FROM generate_series(1, 300) AS i)'), ('repeat(''x'', 70000), ''refund''')) AS v (call);
SELECT options, outcome(format('SELECT answer_packet(''shop'', ''refund'', %L) ->> ''status''', options)) FROM (VALUES
	('[]'), ('null'), ('"limit"'), ('{"limits": 3}'), ('{"Limit": 3}'), ('{"limit": 0}'), ('{"limit": 1001}'),
	('{"limit": 1.5}'), ('{"limit": "3"}'), ('{"limit": 1e300}'), ('{"limit": 1000}'), ('{"limit": null}'),
	('{"now": "yesterday"}'), ('{"now": "2026-01-31"}'), ('{"now": 1772323200}'), ('{"now": "infinity"}'),
	('{"now": "0001-01-01T00:00:00+14:00"}'), ('{"now": "9999-12-31T23:59:59Z"}'), ('{"now": "2026-02-30T00:00:00Z"}'),
	('{"query_id": ""}'), ('{"query_id": 7}'), ('{"query_id": "pkt_0123456789abcdef"}'), ('{"query_id": "sha256:1"}'),
	('{"query_id": "ans_0123456789abcdef"}'), ('{"query_id": "ans_"}'), ('{"labels": "Code"}'), ('{"labels": []}'),
	('{"labels": ["Code", 7]}'), ('{"labels": [""]}'), ('{"labels": ["Code"]}'), ('{"paths": [null]}'),
		('{"paths": ["src"]}'),
	('{"paths": ["../src"]}'), ('{"extended": "yes"}'), ('{"extended": true}'), ('{"log": 1}'), ('{"log": false}'),
	('{"embedding": []}'), ('{"embedding": [0, 0]}'), ('{"embedding": [1e-20, 1e-20]}'),
	('{"embedding": ["1"]}'), ('{"embedding": [1e99]}'),
	('{"embedding": 1}')) AS v (options);
SELECT outcome(format('SELECT answer_packet(''shop'', ''refund'', %L)', jsonb_build_object('query_id', repeat('q',
	201)))),
	outcome(format('SELECT answer_packet(''shop'', ''refund'', %L)', jsonb_build_object('labels',
		(SELECT jsonb_agg('L' || i) FROM generate_series(1, 101) AS i)))),
	outcome(format('SELECT answer_packet(''shop'', ''refund'', %L)', jsonb_build_object('paths',
		jsonb_build_array(repeat('p', 1001))))) \gx

/* what writes, and where it may not */

BEGIN READ ONLY;
SELECT answer_packet('shop', 'refund') ->> 'status' AS reads;
SELECT answer_packet('shop', 'refund', '{"log": true}') ->> 'status';
ROLLBACK;
BEGIN READ ONLY;
SELECT answer_packet_receipt('shop', 'refund') ->> 'schema';
ROLLBACK;
SELECT outcome($$SELECT answer_packet_receipt('shop', 'refund', '{"log": false}')$$);
SELECT count(*) AS logged FROM answer.packet_log;
BEGIN;
SELECT answer_packet('shop', 'refund', '{"log": true}') ->> 'status' AS logged;
ROLLBACK;
SELECT count(*) AS logged FROM answer.packet_log;
SELECT answer_packet('shop', 'refund', '{"log": true, "query_id": "q-1"}') ->> 'status' AS logged;
SELECT tenant, query_id, project, question, content_hash = answer_packet('shop',
	'refund') ->> 'content_hash' AS same_hash,
	status, score, at <= now() AS was_before FROM answer.packet_log;
-- the owner's hands are bound, too
SET session_replication_role = replica;
DELETE FROM answer.packet_log;
UPDATE answer.packet_log SET score = 100;
RESET session_replication_role;
INSERT INTO answer.packet_log VALUES ('', 'q-2', 'shop', 'refund', 'sha256:0', 'success', 101, now());

/* receipts: of what is committed, with the packet unchanged */

BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT answer_packet('shop', 'refund', '{"now": "2026-03-01T00:00:00Z"}') AS before \gset
SELECT answer_packet_receipt('shop', 'refund', '{"now": "2026-03-01T00:00:00Z", "query_id": "q-3"}') AS receipt \gset
COMMIT;
SELECT :'receipt'::jsonb #> '{packet,content_hash}' = :'before'::jsonb -> 'content_hash' AS same_hash,
	answer_verify(:'receipt'::jsonb) -> 'ok' AS verifies, answer_replay(:'receipt'::jsonb) AS replay;
SELECT (:'receipt'::jsonb #> '{reproduce,evaluator}') - 'engine_version' AS evaluator;
SELECT answer_summary(:'receipt'), (SELECT count(*) FROM answer_show(:'receipt'));
SELECT * FROM answer_show(:'receipt');
SELECT kind, intent, verdict, confidence, degraded FROM (SELECT substr(receipt_id, 1, 4) AS kind, * FROM answer.receipt
	WHERE schema = 'packet/v1') AS r;
-- in a transaction that has written, a receipt says so
BEGIN;
SELECT answer_graph_load('shop', jsonb_build_array(node('x', '{Code}', 'refund_x', 'x.py')),
	'[]') #> '{nodes,created}' AS created;
SELECT answer_packet_receipt('shop', 'refund') #> '{reproduce,evaluator,uncommitted}' AS uncommitted;
ROLLBACK;

/* a packet that breaks the schema is an error, and neither shown nor signed nor logged */

BEGIN;
ALTER TABLE answer.graph_node DROP CONSTRAINT graph_node_document, DROP CONSTRAINT graph_node_path;
CREATE TEMP TABLE before AS SELECT (SELECT count(*) FROM answer.receipt) AS receipts,
	(SELECT count(*) FROM answer.packet_log) AS logged;
SAVEPOINT broken;
UPDATE answer.graph_node SET doc_type = NULL WHERE id = 'd:refunds';
SELECT outcome($$SELECT answer_packet('shop', 'refund', '{"log": true}')$$);
SELECT outcome($$SELECT answer_packet_receipt('shop', 'refund')$$);
SELECT outcome($$SELECT answer_packet('shop', 'refund', '{"labels": ["Code"]}') ->> 'status'$$);
ROLLBACK TO broken;
UPDATE answer.graph_node SET path = '' WHERE id = 'm:pay_back';
SELECT outcome($$SELECT answer_packet('shop', 'refund')$$);
SELECT receipts = (SELECT count(*) FROM answer.receipt) AND
	logged = (SELECT count(*) FROM answer.packet_log) AS as_before FROM before;
ROLLBACK;

/* documents that are not ours: a replay reports, and raises nothing */

SELECT change, answer_verify(v.document) #>> '{steps,closure,reason}' AS closure,
	answer_replay(v.document) AS replay FROM (VALUES
	('packet', :'receipt'::jsonb - 'packet'), ('packet', jsonb_set(:'receipt', '{packet}', '[]')),
	('meta', :'receipt'::jsonb #- '{packet,meta}'), ('entries', jsonb_set(:'receipt', '{packet,code_truth}', '{}')),
	('entry', jsonb_set(:'receipt', '{packet,code_truth,0}', 'null')),
	('id', jsonb_set(:'receipt', '{packet,code_truth,0,id}', '""')),
	('score', jsonb_set(:'receipt', '{packet,code_truth,0,score}', '2')),
	('timestamp', jsonb_set(:'receipt', '{packet,meta,timestamp}', '"soon"')),
	('relationship', jsonb_set(:'receipt', '{packet,graph_relationships,0,to_id}', '"nowhere"')),
	('status', jsonb_set(:'receipt', '{packet,status}', '"fine"')),
	('context', jsonb_set(:'receipt', '{packet,context_veracity}', '7'))) AS v (change, document);
-- options that nobody can ask with: the packet alone is at hand
CREATE FUNCTION rehashed(packet jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_set(packet, '{content_hash}',
		to_jsonb(answer_digest((packet #- '{meta,query_id}' #- '{meta,timestamp}')
		- 'content_hash' || (SELECT jsonb_object_agg(l, (SELECT COALESCE(jsonb_agg(e #- '{provenance,indexed_at}'
			ORDER BY n), '[]')
			FROM jsonb_array_elements(packet -> l) WITH ORDINALITY AS e (e, n)))
			FROM unnest('{code_truth,doc_claims}'::text[]) AS l))))
$$;
SELECT change, answer_replay(jsonb_set(:'receipt', '{packet}', rehashed(jsonb_set(:'receipt'::jsonb -> 'packet', path,
	value)))) AS replay
FROM (VALUES ('nothing', '{meta,options}'::text[], '{}'::jsonb), ('question', '{meta,question}', '"pay"'),
	('labels', '{meta,options}', '{"labels": ["Class"]}'), ('project', '{meta,project}', '"shopp"'),
	('unknown', '{meta,options}', '{"limits": 3}'), ('limit', '{meta,options}', '{"limit": "many"}'),
	('embedding', '{meta,options}', '{"embedding": [0.25, "0.00000001234567890123456789"]}'),
	('long', '{meta,question}', (SELECT to_jsonb(string_agg('w' || i, ' ')) FROM generate_series(1,
		300) AS i))) AS v (change, path, value);

/* forgetting by query */

SELECT outcome($$SELECT answer_forget('', 'x')$$), outcome($$SELECT answer_forget('q-9', 'x')$$) \gx
SELECT answer_forget('q-3', 'test') - '{forgotten_at,receipts}'::text[] AS forgotten;
SELECT count(*) AS logged FROM answer.packet_log WHERE query_id = 'q-3';
SELECT answer_receipt(:'receipt'::jsonb ->> 'receipt_id') ->> 'schema' AS schema;
SELECT answer_forget('q-3', 'test') -> 'receipts' = jsonb_build_array(:'receipt'::jsonb -> 'receipt_id')
	AS the_same_again;
SELECT body ->> 'schema' AS schema, body -> 'packets' IS NOT NULL AS has_packets, body ->> 'reason' AS reason,
	(answer_verify(body)) -> 'ok' AS signed FROM answer.tombstone WHERE receipt_id IS NULL;
-- a document and a query of one name
SELECT answer_document_load('[{"doc_id": "both", "title": "T", "timestamp": "2026-01-01T00:00:00Z",
		"text": "Refunds."}]') ->> 'created'
	AS created, answer_packet('shop', 'refund', '{"log": true, "query_id": "both"}') ->> 'status' AS status;
SELECT jsonb_object_agg(k, jsonb_array_length(v)) AS forgotten FROM jsonb_each(answer_forget('both',
	'test') - 'forgotten_at') AS e (k, v);
SELECT jsonb_object_agg(k, jsonb_array_length(v)) AS again FROM jsonb_each(answer_forget('both',
	'test') - 'forgotten_at') AS e (k, v);

/* the audit */

SELECT answer_packet_receipt('shop', 'policy') ->> 'schema' AS schema;
SELECT answer_log_seal() IS NOT NULL AS sealed;
SELECT finding FROM answer_log_audit();

/* rights and tenants */

CREATE ROLE regress_packet_nobody;
CREATE ROLE regress_packet_reader;
CREATE ROLE regress_packet_a;
CREATE ROLE regress_packet_b;
GRANT EXECUTE ON FUNCTION answer_packet(text, text, jsonb), answer_graph_node(text, text) TO regress_packet_reader,
	regress_packet_a,
	regress_packet_b;
GRANT EXECUTE ON FUNCTION answer_packet_receipt(text, text, jsonb), answer_graph_load(text, jsonb, jsonb),
	answer_forget(text, text),
	answer.tool_graph_node(jsonb) TO regress_packet_a, regress_packet_b;
GRANT USAGE ON SCHEMA answer TO regress_packet_a, regress_packet_b;
GRANT SELECT ON answer.tenant_packet_log TO regress_packet_a, regress_packet_b;
SELECT answer_packet_receipt('shop', 'refund', '{"now": "2026-03-01T00:00:00Z"}') AS operators \gset
SET ROLE regress_packet_nobody;
SELECT answer_packet('shop', 'refund');
SELECT answer_packet_receipt('shop', 'refund');
SELECT * FROM answer_graph_node('shop', 'c:Refund');
SELECT answer.tool_graph_node('{"project": "shop", "id": "c:Refund"}');
SELECT answer_replay(:'operators'::jsonb) AS replay;
-- a function of one's own that has the name gives no right
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_packet_nobody;
SET ROLE regress_packet_nobody;
CREATE FUNCTION public.answer_packet(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';
SELECT answer_replay(:'operators'::jsonb) AS replay;
RESET ROLE;
DROP FUNCTION public.answer_packet(integer);
REVOKE CREATE ON SCHEMA public FROM regress_packet_nobody;
SET ROLE regress_packet_reader;
SELECT answer_packet('shop', 'refund') ->> 'status' AS status;
SELECT answer_packet('shop', 'refund', '{"log": true}') ->> 'status' AS status;
SELECT * FROM answer_graph_node('shop', 'c:Refund') \gx
SELECT answer_replay(:'operators'::jsonb) AS replay;
SELECT FROM answer.packet_log;
RESET ROLE;
SELECT answer_tenant_create(t) FROM unnest('{a,b}'::text[]) AS t;
SELECT answer_tenant_grant('a', 'regress_packet_a');
SELECT answer_tenant_grant('b', 'regress_packet_b');
SET ROLE regress_packet_a;
SELECT answer_packet('shop', 'refund') ->> 'status' AS of_the_operators;
SELECT count(*) AS nodes FROM answer_graph_node('shop', 'c:Refund');
SELECT answer_replay(:'operators'::jsonb) AS replay;
SELECT answer_graph_load('mine', jsonb_build_array(node('n', '{Code}', 'refund_a', 'a.py')),
	'[]') #> '{nodes,created}' AS created;
SELECT answer_packet_receipt('mine', 'refund', '{"query_id": "q-a"}') AS receipt_a \gset
SELECT :'receipt_a'::jsonb ->> 'tenant' AS tenant, :'receipt_a'::jsonb #> '{packet,code_truth,0,id}' AS id,
	answer_replay(:'receipt_a'::jsonb) AS replay;
SELECT answer.tool_graph_node('{"project": "mine", "id": "n"}') - 'content_hash' AS node;
SELECT tenant, query_id, project FROM answer.tenant_packet_log;
SET ROLE regress_packet_b;
SELECT answer_packet('mine', 'refund') ->> 'status' AS of_another;
SELECT answer_graph_load('mine', jsonb_build_array(node('n', '{Code}', 'refund_a', 'b.py')),
	'[]') #> '{nodes,created}' AS created;
SELECT answer_replay(:'receipt_a'::jsonb) AS replay;
SELECT count(*) AS logged FROM answer.tenant_packet_log;
SELECT outcome($$SELECT answer_forget('q-a', 'not mine')$$);
SET ROLE regress_packet_a;
SELECT answer_forget('q-a', 'mine') -> 'receipts' = jsonb_build_array(:'receipt_a'::jsonb -> 'receipt_id') AS forgotten;
RESET ROLE;
SELECT answer_replay(:'operators'::jsonb) AS replay;
\c :regression
DROP DATABASE regress_packet;
DROP ROLE regress_packet_nobody, regress_packet_reader, regress_packet_a, regress_packet_b;
