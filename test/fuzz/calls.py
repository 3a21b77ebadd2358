#!/usr/bin/python3
"""Calls every function of the extension with arguments that fit its types and names, and with arguments that do not.

    calls.py [--calls N | --seconds N] [--seed S] [--log SERVER_LOG] [--only FUNCTION] [--show]    connection: PG* variables

The functions, aggregates, trigger functions, views, tables and types are read from the catalog. Arguments come from
pools by type and by the argument's name: identifiers and documents of this database, altered documents (mutate.py),
values at the limits of their types, NULL. A call is made as a superuser, as an administrator who may call everything, or
as a role without rights; with random settings; plain, prepared, through a cursor, in a read-only or repeatable-read
transaction, in a subtransaction, in PL/pgSQL, or with a timeout of milliseconds.

Each call must answer, or raise an error that has a text and is not internal (class XX). Anything else is a finding. So
are a lost connection, a hang, a growing backend, and at the end a log or a receipt that no longer verifies, because only
functions have changed them. A finding prints the statements that lead to it; all choices follow from the seed.
"""
# tiers: check test long
import argparse
import json
import os
import random
import re
import select
import subprocess
import sys
import tempfile
import time

import mutate

sys.setrecursionlimit(20000)                    # for documents as deep as those below
HANG_S = 120                                    # a call that takes longer hangs; on a busy machine calls take a second
MEMORY_GROWTH = 96 << 20
SESSION_CALLS = 150                             # then another role, a new backend
SHOWN = 40

SETUP = r"""
SET client_min_messages = error;
CREATE ROLE calls_admin; CREATE ROLE calls_nobody;
GRANT USAGE ON SCHEMA answer TO calls_admin;
GRANT ALL ON ALL TABLES IN SCHEMA answer TO calls_admin;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO calls_admin;
CREATE SCHEMA calls;
GRANT ALL ON SCHEMA calls TO calls_admin, calls_nobody;
CREATE FUNCTION calls.fine(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('v', 1, 'args', args) $$;
CREATE FUNCTION calls.nothing(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$;
CREATE FUNCTION calls.raises(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no: %', args; END $$;
CREATE FUNCTION calls.silent(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING MESSAGE = '', ERRCODE = 'AE001'; END $$;
CREATE FUNCTION calls.loud(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', repeat('x', 3000000); END $$;
CREATE FUNCTION calls.slow(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN '1'; END $$;
CREATE FUNCTION calls.large(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(repeat('x', 3000000)) $$;
CREATE FUNCTION calls.deep(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT (repeat('[', 3000) || repeat(']', 3000))::jsonb $$;
CREATE FUNCTION calls.nested(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT public.answer_eval('{"checks": [{"tool": "fine"}, {"tool": "postgres_server"}]}') $$;
CREATE FUNCTION calls.endless(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT public.answer_eval('{"deadline_ms": 200, "checks": [{"tool": "endless"}]}') $$;
CREATE FUNCTION calls.rotates(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(public.answer_key_generate()) $$;
CREATE FUNCTION calls.seals(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT public.answer_log_seal() $$;
CREATE FUNCTION calls.settles(args jsonb) RETURNS jsonb LANGUAGE sql AS
	$$ SELECT to_jsonb(set_config('search_path', '', false) || set_config('TimeZone', 'Asia/Kathmandu', false)) $$;
CREATE FUNCTION calls.registers(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
	PERFORM public.answer_tool_register('registers', 'calls.registers(jsonb)');
	PERFORM public.answer_route_enable('postgres.uptime', random() < 0.5); RETURN '2'; END $$;
CREATE FUNCTION calls.replaces(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE 'CREATE OR REPLACE FUNCTION calls.replaces(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS ' || quote_literal((SELECT prosrc
		FROM pg_catalog.pg_proc WHERE oid = 'calls.replaces'::regproc)); RETURN '3'; END $$;
CREATE FUNCTION calls.judges(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object(
	'id', p -> 'id', 'relation', CASE args ->> 'kind' WHEN 'answers' THEN 'answers' WHEN 'conflict' THEN 'neutral' ELSE 'supports' END, 'score', 0.9)))
	FROM jsonb_array_elements(args -> 'pairs') AS p $$;
CREATE FUNCTION calls.grades(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
	$$ SELECT (NULL, 'Strong', 'Low', '')::public.answer_graded $$;
CREATE FUNCTION calls.grades_badly(observation jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
	$$ SELECT (repeat('x', 100000), NULL, NULL, repeat('y', 100000))::public.answer_graded $$;
CREATE TABLE calls.list (value text); INSERT INTO calls.list VALUES ('on'), ('fsync'), (''), (NULL), ('{x}'), (repeat('l', 5000));
GRANT SELECT ON calls.list TO PUBLIC;
SELECT answer_key_generate();
SELECT answer_source_register('s');
SELECT answer_tool_register(p.proname, p.oid::regprocedure, options => jsonb_build_object('source', 's', 'optional_args', '{a,b}'::text[])) FROM pg_catalog.pg_proc AS p
	WHERE p.pronamespace = 'calls'::regnamespace AND proargnames = '{args}' ORDER BY p.proname COLLATE "C";
SELECT answer_tool_register('plan.' || p.proname, p.oid::regprocedure, options => jsonb_build_object('optional_args', '{a,b,checks,name}'::text[]), spec => jsonb_build_object(
	'constraints', jsonb_build_object('side_effects', length(p.proname) % 2 = 0, 'rate_limit_qps', 1000), 'deny_if', '["fsync"]'::jsonb,
	'capabilities', '["any"]'::jsonb, 'provenance', '{"attribution_required": true}'::jsonb)) FROM pg_catalog.pg_proc AS p
	WHERE p.pronamespace = 'calls'::regnamespace AND proargnames = '{args}' ORDER BY p.proname COLLATE "C";
SELECT answer_plan_register('{"plan_id": "p", "nodes": [{"id": "a", "op": "call", "tool": "plan.fine", "args": {"a": "$INPUT.x"}, "out": "v"}]}');
SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'h', freshness => '1 day');
SELECT answer_evidence_add('tide', jsonb_build_object('port', i), jsonb_build_object('h', i), 's', '2026-01-01Z') FROM generate_series(1, 5) AS i;
SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('tool', 'tide', 'args',
	jsonb_build_object('port', i), 'expect', '{"op": "gt", "value": 2}'::jsonb)))) FROM generate_series(1, 5) AS i;
SELECT answer_ask('Is the setting fsync on?'), answer_ask('Who am I?');
SELECT answer_investigation_open('Locate', 'where is the lamp?'), answer_investigation_open('Modify', 'change x');
SELECT answer_investigation_record(1, 'grep', 'the lamp', 'lamp.c', '{"match": "phrase", "match_count": 2}');
SELECT answer_quality_receipt(1);
SELECT answer_document_load('[{"doc_id": "d", "title": "Limits", "timestamp": "2026-01-01", "text": "Refunds are allowed.\n\nThe rate limit is 5 requests per hour."},
	{"doc_id": "e", "title": "Limits", "timestamp": "2026-01-01", "text": "Refunds are not allowed.\n\nThe rate limit is 6 requests per hour."}]');
SELECT answer_graph_load('p', '[{"id": "a", "name": "a", "labels": ["Function"], "source_path": "a.c", "extraction_method": "m",
	"content_hash": "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4f72b9807785afee48bb", "start_line": 1, "docstring": "The lamp."},
	{"id": "d", "name": "lamp", "labels": ["Document"], "doc_type": "text", "source_path": "d.md", "extraction_method": "m",
	"content_hash": "sha256:18ac3e7343f016890c510e93f935261169d9e3f565436429830faf0934f4f8e4", "last_modified": 1}]',
	'[{"from": "d", "to": "a", "type": "DEFINES"}, {"from": "a", "to": "a", "type": "CALLS"}]');
SELECT answer_packet_receipt('p', 'lamp'), answer_packet_receipt('p', 'nothing');
SELECT answer_document_facts_add('d', '[{"subject": "rate", "attribute": "limit", "value": 5, "unit": "requests per hour", "quote": "5 requests per hour"}]');
SELECT answer_judge_register(name, jsonb_build_object('kinds', '["entailment", "answers", "conflict"]'::jsonb, 'model', 'm', 'version', '1') || more)
	FROM (VALUES ('judges', '{"handler": "calls.judges"}'::jsonb), ('raises', '{"handler": "calls.raises"}'), ('deep', '{"handler": "calls.deep", "max_pairs": 1}'),
	('slow', '{"handler": "calls.slow", "deadline_ms": 10}'), ('rotates', '{"handler": "calls.rotates"}'), ('people', '{"role": "calls_admin"}')) AS j (name, more);
SELECT answer_judge_assess('judges', '[{"kind": "entailment", "a": "x", "b": "y", "truth": "supports"}]');
SELECT answer_grounded('Are refunds allowed?', jsonb_build_object('answer', 'Refunds are allowed now. [1]', 'citations', '["d#p0"]'::jsonb, 'config',
	jsonb_build_object('judge_entailment', judge, 'judge_answers', judge, 'judge_conflict', judge))) FROM unnest('{judges,people,raises}'::text[]) AS judge;
-- prose is refused where it is on, whatever else is wrong
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET answer_eval.evidence_only = off', current_database()); END $$;
SELECT answer_grounded('Are refunds allowed?'), answer_grounded('What is the rate limit?', '{"config": {"cache_ttl_s": 100}}');
SELECT answer_log_seal();
"""

# The pools filled from the database, one query for each; refreshed from time to time.
POOLS = {
    "receipt_id": "SELECT receipt_id FROM answer.receipt ORDER BY issued_at DESC, receipt_id COLLATE \"C\" LIMIT 30",
    "receipt": "SELECT body::text FROM answer.receipt WHERE length(body::text) < 60000 ORDER BY issued_at DESC, receipt_id COLLATE \"C\" LIMIT 12",
    "quality_receipt": "SELECT answer_quality_receipt(1)::text",
    "key_id": "SELECT key_id FROM answer.signing_key ORDER BY key_id COLLATE \"C\" LIMIT 20",
    "keys": "SELECT answer_keys()::text UNION ALL SELECT answer_key_registry()::text",
    "pem": "SELECT answer_keys('pem') #>> '{}'",
    "digest": "SELECT digest FROM answer.evidence ORDER BY digest COLLATE \"C\" LIMIT 10",
    "tool": "SELECT tool FROM answer.tool ORDER BY tool COLLATE \"C\"",
    "source": "SELECT source FROM answer.source ORDER BY source COLLATE \"C\"",
    "route_id": "SELECT route_id FROM answer.route ORDER BY route_id COLLATE \"C\"",
    "pattern": "SELECT pattern FROM answer.route ORDER BY route_id COLLATE \"C\"",
    "note": "SELECT convert_from(note, 'UTF8') FROM answer.checkpoint ORDER BY tree_size DESC LIMIT 4",
    "request": "SELECT answer_checkpoint_request()",
    "vkey": "SELECT answer_log_vkey() UNION ALL SELECT answer_witness_vkey('w.example/w')",
    "proof": "SELECT answer_log_inclusion(receipt_id)::text FROM (SELECT receipt_id FROM answer.log_leaf ORDER BY leaf_index LIMIT 4) AS l"
             " UNION ALL SELECT answer_log_consistency(1)::text",
    "class": "SELECT class FROM answer.quality_class ORDER BY class COLLATE \"C\"",
    "intent": "SELECT intent FROM answer.quality_intent ORDER BY intent COLLATE \"C\"",
    "quality_tool": "SELECT tool FROM answer.quality_tool ORDER BY tool COLLATE \"C\"",
    "quality_rules": "SELECT rules::text FROM answer.quality_rules",
    "table": "SELECT answer_route_table()::text",
    "query": "SELECT q FROM unnest('{Are refunds allowed?,What is the rate limit?,Can we change it?,May,limit}'::text[]) AS q ORDER BY 1",
    "options": "SELECT o FROM unnest(ARRAY['{}', '{\"top_k\": 2}', '{\"config\": {\"cache_ttl_s\": 100}}', '{\"deadline_ms\": 50}',"
               " '{\"answer\": \"Refunds are allowed [1].\", \"citations\": [\"d#p0\"]}', '{\"filter\": {\"doc_ids\": [\"d\"]}}',"
               " '{\"config\": {\"rerank\": \"freshness\", \"freshness_bias\": 1, \"caveats\": true}}', '{\"limit\": 1, \"extended\": true, \"query_id\": \"q\"}',"
               " '{\"labels\": [\"Document\"], \"log\": true}', '{\"embedding\": [0.5, -1]}']) AS o"
               " UNION ALL SELECT jsonb_build_object('answer', 'Refunds are allowed now [1]. Others are not.', 'citations', '[\"d#p0\"]'::jsonb, 'config',"
            " jsonb_build_object('judge_entailment', j, 'judge_answers', j, 'judge_conflict', j, 'supersede', 'always'))::text"
            " FROM (SELECT to_jsonb(name) FROM answer.judge UNION ALL VALUES ('[\"judges\", \"people\"]'::jsonb)) AS w (j)"
            " UNION ALL SELECT jsonb_build_object('kinds', kinds, 'model', model, 'version', version, 'handler', handler)::text FROM answer.judge"
            " UNION ALL SELECT jsonb_build_object('retrieval_id', retrieval_id)::text FROM (SELECT * FROM answer.retrieval ORDER BY retrieved_at LIMIT 3) AS w"
               " UNION ALL SELECT jsonb_build_object('chunks', body #> '{retrieval,chunks}')::text FROM (SELECT * FROM answer.receipt"
               "  WHERE schema = 'decision/v1' ORDER BY issued_at, receipt_id COLLATE \"C\" LIMIT 2) AS w",
    "chunks": "SELECT body #>> '{retrieval,chunks}' FROM (SELECT * FROM answer.receipt WHERE schema = 'decision/v1'"
              " ORDER BY issued_at, receipt_id COLLATE \"C\" LIMIT 4) AS w",
    "config": "SELECT answer_config()::text UNION ALL SELECT jsonb_build_object('judge_entailment', j, 'judge_answers', j, 'judge_conflict', j)::text"
              " FROM unnest('{judges,people}'::text[]) AS j",
    "judge": "SELECT name FROM answer.judge ORDER BY name COLLATE \"C\"",
    "judgements": "SELECT jsonb_agg(jsonb_build_object('kind', kind, 'pair', pair, 'relation', CASE kind WHEN 'answers' THEN 'does_not' ELSE 'neutral' END,"
                  " 'score', 0.5, 'judge', 'people'))::text FROM (SELECT DISTINCT kind, pair FROM answer.judgement ORDER BY 1, 2) AS w GROUP BY kind"
                  " UNION ALL SELECT '[{\"kind\": \"entailment\", \"a\": \"x\", \"b\": \"y\", \"relation\": \"supports\", \"score\": 1, \"judge\": \"people\"}]'"
                  " UNION ALL (SELECT body ->> 'judgements' FROM answer.receipt WHERE body -> 'judgements' <> '[]' ORDER BY issued_at, receipt_id COLLATE \"C\" LIMIT 3)",
    "pairs": "SELECT p FROM unnest(ARRAY['[{\"kind\": \"entailment\", \"a\": \"x\", \"b\": \"y\", \"truth\": \"supports\"}]',"
             " '[{\"kind\": \"answers\", \"a\": \"q\", \"b\": \"p\", \"truth\": \"does_not\", \"relation\": \"answers\", \"score\": 0.5}]',"
             " '[{\"kind\": \"conflict\", \"a\": \"b\", \"b\": \"a\", \"truth\": \"neutral\"}]']) AS p",
    "facts": "SELECT f FROM unnest(ARRAY['[{\"subject\": \"rate\", \"attribute\": \"limit\", \"value\": 5, \"quote\": \"5 requests per hour\"}]',"
             " '[{\"subject\": \"refunds\", \"attribute\": \"are\", \"value\": \"allowed\", \"scope\": \"eu\", \"quote\": \"are allowed\", \"chunk_id\": \"d#p0\"}]']) AS f",
    "doc_id": "SELECT DISTINCT doc_id FROM answer.document ORDER BY 1",
    "chunk_id": "SELECT DISTINCT chunk_id FROM answer.chunk ORDER BY 1",
    "reply": "SELECT t FROM unnest('{Refunds are allowed. [1],The documents do not say.,- It is 5.}'::text[]) AS t",
    "decision_rules": "SELECT answer.decision_rules()::text",
    "condition": "SELECT c FROM unnest(ARRAY['$a.b >= 1 && !($c == null)', 'mean($a) < 2', 'true', '((']) AS c ORDER BY 1",
    "plan": "SELECT jsonb_build_object('plan_id', 'p', 'nodes', jsonb_build_array(jsonb_build_object('id', 'n', 'op', o, 'tool', 't', 'out', 'v')))::text"
            " FROM unnest('{call,map,verify}'::text[]) AS o ORDER BY 1",
    "plan_request": "SELECT r FROM unnest(ARRAY['{\"plan\": {\"ref\": \"p\"}}', '{\"plan\": {\"ref\": \"p\"}, \"vars\": {\"x\": 1}, \"budgets\":"
                    " {\"cost_cap_usd\": 0.1}}']) AS r UNION ALL SELECT jsonb_build_object('plan', plan)::text FROM answer.plan ORDER BY 1",
    "spec": "SELECT s FROM unnest(ARRAY['{}', '{\"io\": {\"input\": {\"a\": {\"type\": \"array\", \"items\": {\"uri\": \"string\"}, \"default\": []},"
            " \"b\": {\"enum\": [1, \"x\"]}}, \"output\": {\"v\": \"Evidence\"}}}', '{\"deny_if\": [\"x\"], \"constraints\": {\"input_tokens_max\": 3}}']) AS s",
    "tools": "SELECT '{\"t\": {\"constraints\": {\"cost_per_call_usd\": 0.1}}, \"ground.verify\": {}}'",
    "evidence": "SELECT '{\"claims\": [\"a\"], \"supports\": [{\"claim\": \"a\", \"confidence\": 0.9}]}'",
    "citations": "SELECT '[\"d#p0\"]' UNION ALL SELECT '[\"d#p1\", \"e#p1\"]' UNION ALL SELECT '[{\"uri\": \"u\", \"title\": \"t\", \"stamp\": \"2026-01-01\"}]'",
    "ttl": "SELECT t FROM unnest('{P1D,PT1S,P3650000D}'::text[]) AS t ORDER BY 1",
    "list": "SELECT DISTINCT list FROM answer.decision_rule ORDER BY 1",
    "entry": "SELECT entry FROM (SELECT DISTINCT entry FROM answer.decision_rule ORDER BY 1 LIMIT 40) AS w",
    "project": "SELECT project FROM answer.graph_project ORDER BY 1",
    "nodes": "SELECT jsonb_agg(to_jsonb(n) - '{tenant,project,loaded_at}'::text[])::text"
             " FROM (SELECT * FROM answer.graph_node ORDER BY project, id LIMIT 5) AS n",
    "edges": "SELECT jsonb_agg(jsonb_build_object('from', from_id, 'to', to_id, 'type', type))::text FROM"
             " (SELECT * FROM answer.graph_edge ORDER BY project, from_id, to_id, type LIMIT 5) AS e",
    "node": "SELECT id FROM answer.graph_node ORDER BY project, id LIMIT 10",
    "records": "SELECT r FROM unnest(ARRAY['[]', '[{\"id\": \"a\", \"name\": \"a\", \"labels\": [\"Document\"], \"last_modified\": 1}]']) AS r",
    "packet": "SELECT (body -> 'packet')::text FROM (SELECT * FROM answer.receipt WHERE schema = 'packet/v1'"
              " ORDER BY issued_at, receipt_id COLLATE \"C\" LIMIT 4) AS w",
    "regprocedure": "SELECT p.oid::regprocedure::text FROM pg_catalog.pg_proc AS p WHERE p.pronamespace = 'calls'::regnamespace ORDER BY 1",
}
# The pools for names of arguments.
NAMES = {
    "receipt_id": "receipt_id digest", "receipt": "receipt quality_receipt", "document": "receipt proof", "keys": "keys", "key_id": "key_id", "pem": "pem",
    "public_key": "pem", "digest": "digest receipt_id", "id": "receipt_id digest", "tool": "tool quality_tool", "source": "source",
    "project": "project", "nodes": "nodes", "edges": "edges", "ids": "node", "records": "records", "packet": "packet",
    "question": "query node", "brief": "query node",
    "route_id": "route_id", "pattern": "pattern", "note": "note", "checkpoint": "note", "request": "note request plan_request", "spec": "spec", "vkey": "vkey",
    "vkeys": "vkey", "proof": "proof", "class": "class", "intent": "intent", "rules": "quality_rules decision_rules",
    "query": "query", "options": "options", "chunks": "chunks", "config": "config", "list": "list", "entry": "entry", "name": "judge tool", "route_table": "table", "handler": "regprocedure",
    "grader": "regprocedure", "cosignature": "note", "needed": "class", "satisfied_by": "class",
    "condition": "condition", "plan": "plan", "tools": "tools", "evidence": "evidence", "citations": "citations node", "ttl": "ttl",
    "judge": "judge", "judgements": "judgements", "pairs": "pairs", "facts": "facts", "doc_id": "doc_id", "chunk_id": "chunk_id", "answer": "reply", "text": "reply query",
}
TEXTS = ["", " ", "x", "a.b.0", "\u00e9\U0001f600", "\u202e\ufeff", "'", "\\", "\"", "$1", "%s%n", "{}", "[]", "null", "NaN", "-1", "infinity",
         "a" * 64, "sha256:" + "0" * 64, "ans_" + "0" * 16, "x" * 100000, "\n", "a\nb\r\n", "\x01\x7f", "/../../etc/passwd",
         "Is the setting fsync on?", "Is the setting x on? And y? What is the version of this server!", "what " * 5000, "((((", "[" * 5000,
         "{name} is {value:number}", "postgres.version", "eq", "contains", "semver_gte", "fresh_within_s", "grep", "find", "git", "ctest", "gh",
         "a.c:1:Engine x", "1.2.3.4.6.8", "9" * 400, "pg_catalog.pg_class", "calls.list", "calls.list.value", "answer.receipt", "jwk", "pem",
         "b4\u0301", "2026-01-01T00:00:00Z", "24:00", "\ud7ff", "\uffff"]
DOCUMENTS = ["null", "1", "\"\"", "[]", "{}", "[[]]", "true", "1e-400", "1e400", "-0.0", "{\"a\": {\"b\": [1, {\"c\": null}]}}", "[" * 900 + "]" * 900,
             "{\"checks\": []}", "{\"checks\": [{\"tool\": \"fine\"}]}", "{\"checks\": [{\"tool\": \"nested\"}, {\"tool\": \"rotates\"}, {\"tool\": \"fine\"}]}",
             "{\"checks\": [{\"tool\": \"tide\", \"args\": {\"port\": 1}, \"expect\": {\"op\": \"eq\", \"value\": 1}}]}",
             "{\"deadline_ms\": 20, \"checks\": [{\"tool\": \"slow\"}, {\"tool\": \"slow\", \"args\": {\"a\": 1}}]}",
             "{\"checks\": [{\"tool\": \"raises\"}, {\"tool\": \"silent\"}, {\"tool\": \"nothing\"}, {\"tool\": \"large\"}, {\"tool\": \"deep\"}, {\"tool\": \"settles\"}]}",
             "{\"checks\": [{\"tool\": \"loud\"}]}", "{\"checks\": [{\"tool\": \"registers\"}, {\"tool\": \"replaces\"}, {\"tool\": \"seals\"}]}",
             "{\"deadline_ms\": 300, \"checks\": [{\"tool\": \"endless\"}]}", "{\"question\": \"Who am I?\", \"checks\": []}",
             "{\"checks\": [{\"tool\": \"m\", \"observe\": true}], \"evidence\": [{\"fact\": \"m\", \"value\": 1, \"quality\": \"Strong\"}]}",
             "{\"checks\": [%s]}" % ",".join(["{\"tool\": \"fine\"}"] * 30), "{\"port\": 1}", "{\"h\": 0.5}", "{\"name\": \"fsync\"}",
             "{\"tool\": \"fine\", \"expect\": [{\"path\": \"v\", \"op\": \"gte\", \"value\": \"0.5\"}]}", "{\"name\": \"no.such\"}",
             "{\"value\": 1, \"timestamp\": \"2026-01-01T00:00:00Z\", \"verification\": {\"confidence\": 0.5}}", "{\"relation\": \"answer.tool\"}",
             "{\"relation\": \"\\\"\"}", "{\"match\": \"phrase\", \"match_count\": 3}", "{\"run\": 1, \"passed\": 1}", "{\"selection\": \"only\", \"files_read\": 1}",
             "{\"investigation\": 1, \"class\": \"FileSearch\"}", "{\"investigation\": 1e40, \"digest\": 7}", "[{\"class\": \"Build\", \"quality\": \"Strong\"}]",
             "{\"slot\": [\"a\", \"b\"]}", "{\"name\": {\"table\": \"calls.list\", \"column\": \"value\"}}", "{\"x\": \"%s\"}" % ("y" * 200000)]
BY_TYPE = {
    "bigint": ["0", "1", "2", "3", "-1", "9223372036854775807", "-9223372036854775808", "4611686018427387904", "2147483648", "7", "100"],
    "integer": ["0", "1", "-1", "2147483647", "-2147483648", "100"],
    "double precision": ["0", "1", "0.5", "-0", "NaN", "Infinity", "-Infinity", "1e308", "1e-320", "1.0000000000000002"],
    "boolean": ["true", "false"],
    "interval": ["0", "1 day", "-1 day", "178000000 years", "1 month -30 days", "1 us", "24:00:00", "-178000000 years"],
    "timestamp with time zone": ["infinity", "-infinity", "4713-11-24 00:00:00+00 BC", "294276-12-31 23:59:59.999999+00", "2026-01-01Z", "1970-01-01Z",
                                 "9999-12-31 23:59:59.999999Z", "0001-01-01Z", "2026-06-09T04:40:24.123456Z", "2000-02-29Z", "10000-01-01Z"],
    "regprocedure": ["0", "4294967295", "pg_catalog.now()", "pg_catalog.jsonb_typeof(jsonb)", "public.answer_eval(jsonb)", "answer.append_only()",
                     "pg_catalog.pg_sleep(double precision)", "public.answer_log_seal()", "pg_catalog.jsonb_strip_nulls(jsonb)"],
    "oid": ["0", "1", "4294967295"], "internal": ["0"], "name": ["", "x"],
}
SETTINGS = {
    "answer_eval.evidence_only": "on off",
    "standard_conforming_strings": "on off", "backslash_quote": "on off", "bytea_output": "hex escape", "DateStyle": "ISO,DMY German SQL,MDY Postgres",
    "IntervalStyle": "postgres sql_standard iso_8601 postgres_verbose", "TimeZone": "UTC Asia/Kathmandu America/St_Johns posixrules -13:59",
    "extra_float_digits": "-15 0 1 3", "search_path": "pg_catalog public,answer answer,pg_temp,public calls", "jit": "off", "work_mem": "64kB 4MB",
    "plan_cache_mode": "auto force_generic_plan force_custom_plan", "enable_seqscan": "on off", "enable_indexscan": "on off", "enable_sort": "on off",
    "enable_hashagg": "on off", "default_transaction_isolation": "serializable repeatable\\ read read\\ committed", "lock_timeout": "0 20ms",
    "check_function_bodies": "on off", "row_security": "on off", "transform_null_equals": "on off", "synchronous_commit": "on off local",
    "default_text_search_config": "pg_catalog.simple pg_catalog.german", "force_parallel_mode": "off on regress", "debug_parallel_query": "off on regress",
    "max_parallel_workers_per_gather": "0 2", "parallel_setup_cost": "0 1000", "default_toast_compression": "pglz", "lc_messages": "C", "constraint_exclusion": "on off",
    "gin_fuzzy_search_limit": "0 1", "xmloption": "content document", "quote_all_identifiers": "on off", "array_nulls": "on off", "client_min_messages": "error debug1",
    "temp_buffers": "100", "max_stack_depth": "100kB 2MB", "default_transaction_deferrable": "on off",
}
# (SQLSTATE, regular expression of the error, why): known and not fixed yet. If one occurs it is reported as skipped.
KNOWN = []


class Psql:
    """A psql that stays open; errors go to a file, so that none is lost."""

    def __init__(self, role):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(["psql", "-X", "-q", "-A", "-t", "-v", "VERBOSITY=verbose"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, bufsize=0)
        self.buffer, self.mark, self.pid = b"", 0, None
        self.pid = int(self.run("SET statement_timeout = '%ds'; SELECT pg_backend_pid();" % HANG_S)[1].split()[-1])
        if role:
            self.run("SET ROLE %s;" % role)

    def run(self, sql):
        """(SQLSTATE, output, errors); None for a SQLSTATE if the backend is gone, "hang" if it does not answer."""
        self.mark += 1
        end = b"@@%d " % self.mark
        self.errors.seek(0, 2)
        at = self.errors.tell()
        try:
            self.process.stdin.write(sql.encode("utf-8", "replace") + b"\n;\n\\echo\n\\echo @@%d :LAST_ERROR_SQLSTATE :SQLSTATE @@\n" % self.mark)
        except BrokenPipeError:
            pass
        begin = time.monotonic()
        while True:
            line = re.search(rb"^%s(\S*) (\S*) @@$" % end, self.buffer, re.M)
            if line:
                break
            ready, _, _ = select.select([self.process.stdout], [], [], 5)
            data = os.read(self.process.stdout.fileno(), 1 << 20) if ready else b" "
            if not data:
                self.process.wait()
                return None, self.buffer.decode("utf-8", "replace"), self.said(at)
            if ready:
                self.buffer += data
            elif time.monotonic() - begin > 3 * HANG_S:
                said = self.said(at)
                self.close()
                return "hang", "", said
        out, self.buffer = self.buffer[:line.start()], self.buffer[line.end():]
        # psql 17 and later reports a failed COPY only in LAST_ERROR_SQLSTATE
        return (line.group(2) or line.group(1)).decode(), out.decode("utf-8", "replace"), self.said(at)

    def said(self, at):
        self.errors.seek(at)
        return self.errors.read().decode("utf-8", "replace")

    def memory(self):
        try:
            with open("/proc/%d/status" % self.pid, encoding="ascii", errors="replace") as file:
                found = re.search(r"^RssAnon:\s*(\d+)", file.read(), re.M)
            return int(found.group(1)) << 10 if found else 0
        except OSError:
            return 0

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.errors.close()


def literal(text):
    """A literal that means the same under every setting."""
    tag = "q"
    while "$%s$" % tag in text or text.endswith("$" + tag):
        tag += "q"
    return "$%s$%s$%s$" % (tag, text.replace("\0", ""), tag)


class Fuzzer:
    """Makes calls, checks their results, and counts."""

    def __init__(self, options):
        self.options, self.rng = options, random.Random(options.seed)
        self.admin = Psql(None)
        self.calls, self.states, self.findings, self.seen, self.ok, self.number = 0, {}, 0, set(), {}, 0
        self.known = set()
        for statement in re.split(r";\n(?=\S)", SETUP):
            state, out, err = self.admin.run(statement)
            if state != "00000":
                raise SystemExit("setting up failed: %s %s\n%s" % (state, err, statement))
        # Without volatile functions that only our own functions call: their writes would be findings of the audit.
        self.functions = self.rows("""SELECT n.nspname, p.proname, p.prokind, p.proretset, p.pronargdefaults, array_to_json(p.proargnames[1:p.pronargs]),
            (SELECT json_agg(format_type(t, NULL) ORDER BY i) FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, i)), p.oid::regprocedure
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
            AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'answer_eval')
            WHERE ('internal'::regtype <> ALL (p.proargtypes) OR p.prokind = 'a')
            AND NOT (n.nspname = 'answer' AND p.provolatile = 'v') ORDER BY p.oid::regprocedure::text COLLATE "C\"""")
        self.enums = {}
        for name, label in self.rows("""SELECT t.oid::regtype, enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = enumtypid
            ORDER BY t.typname COLLATE "C", enumsortorder"""):
            self.enums.setdefault(name, []).append(label)
        self.relations = [r for r, in self.rows("SELECT oid::regclass FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind IN"
                                                " ('r', 'v', 'p') ORDER BY relname COLLATE \"C\"")]
        self.types = [t for t, in self.rows("""SELECT t.oid::regtype FROM pg_type t JOIN pg_depend d ON d.objid = t.oid AND d.classid = 'pg_type'::regclass
            AND d.deptype = 'e' WHERE t.typtype IN ('c', 'e', 'd') ORDER BY t.typname COLLATE "C\"""")]
        if options.only:
            self.functions = [f for f in self.functions if f[1] == options.only]
        self.settings = [s for s, in self.rows("SELECT name FROM pg_settings ORDER BY name COLLATE \"C\"")]
        self.refresh()

    def rows(self, query):
        """Rows of a query as lists of Python values."""
        state, out, err = self.admin.run("SELECT row_to_json(r)::text FROM (%s) AS r" % query)
        if state != "00000":
            raise RuntimeError("%s in %s" % (err, query))
        return [json.loads(line, object_pairs_hook=lambda pairs: [v for _, v in pairs]) for line in out.splitlines() if line]

    def refresh(self):
        self.pools = getattr(self, "pools", {})
        for name, query in POOLS.items():
            try:
                values = [v for v, in self.rows("SELECT v::text AS v FROM (%s) AS p (v)" % query) if v is not None]
            except (RuntimeError, ValueError):
                values = []
            if values:
                self.pools[name] = values

    # arguments

    def text(self, name):
        rng = self.rng
        pools = [p for p in NAMES.get(name or "", "").split() if p in self.pools]
        if pools and rng.random() < 0.75:
            value = rng.choice(self.pools[rng.choice(pools)])
            return value if rng.random() < 0.6 else rng.choice((mutate.characters, mutate.lines, mutate.base64_text))(rng, value)
        kind = rng.random()
        if kind < 0.15:
            return rng.choice(self.pools[rng.choice(sorted(self.pools))])
        value = rng.choice(TEXTS)
        return value if kind < 0.7 else mutate.characters(rng, value)

    def document(self, name):
        rng = self.rng
        pools = [p for p in NAMES.get(name or "", "").split() if p in self.pools] or ["receipt", "proof", "quality_receipt", "table", "rules", "keys"]
        pools = [p for p in pools if p in self.pools]
        value = rng.choice(self.pools[rng.choice(pools)]) if pools and rng.random() < 0.5 else rng.choice(DOCUMENTS)
        return value if rng.random() < 0.5 or len(value) > 100000 else mutate.json(rng, value)

    def value(self, kind, name):
        """SQL for one argument."""
        rng = self.rng
        if rng.random() < 0.07:
            return "NULL::" + kind
        if kind.endswith("[]"):
            size = rng.choice((0, 1, 1, 2, 3, 40))
            if kind == "text[]" and rng.random() < 0.1:
                return "'{{a,b},{c,d}}'::text[]"
            return "ARRAY[%s]::%s" % (", ".join(self.value(kind[:-2], name) for _ in range(size)), kind)
        if kind in self.enums:
            return "%s::%s" % (literal(rng.choice(self.enums[kind]) if rng.random() < 0.95 else "nonsense"), kind)
        if kind in ("text", "character varying", "name"):
            return literal(self.text(name)) + "::" + kind
        if kind in ("jsonb", "json"):
            return literal(self.document(name)) + "::" + kind
        if kind == "bytea":
            size = rng.choice((0, 1, 31, 32, 32, 33, 64, 64, 65, 1000, 100000))
            data = rng.randbytes(size) if rng.random() < 0.6 else bytes(size)
            if rng.random() < 0.2:
                data = mutate.der(rng, bytes.fromhex("3014020101300c060a2b0601040182370301020101"))
            return "decode('%s', 'hex')" % data.hex()
        if kind == "regprocedure" and rng.random() < 0.7:
            return literal(rng.choice(self.pools["regprocedure"])) + "::regprocedure"
        return literal(rng.choice(BY_TYPE.get(kind, ["0", "x"]))) + "::" + kind

    # statements

    def call(self):
        """(the name of what is called, a query)."""
        rng, pick = self.rng, self.rng.random()
        if pick < 0.02:
            relation = rng.choice(self.relations)
            return relation, "SELECT * FROM %s %s LIMIT 5" % (relation, rng.choice(("", "ORDER BY 1", "TABLESAMPLE BERNOULLI (50)", "FOR UPDATE")))
        if pick < 0.04:
            kind = rng.choice(self.types)
            return kind, rng.choice(("SELECT %s::%s", "SELECT (ROW(%s)::%s)::text", "SELECT to_jsonb(%s::text::%s)")) % (literal(rng.choice(
                TEXTS + ["(,,)", "(" + "," * 12 + ")", "(supported,1,f)", "(a,Strong,Low,b)"])), kind)
        schema, name, kind, returns_set, defaults, names, types, what = rng.choice(self.functions)
        types = [t for t in types or []]
        names = names or [None] * len(types)
        used = len(types) - (rng.randrange(defaults + 1) if rng.random() < 0.5 else 0)
        if kind == "a":
            return what, self.aggregate(schema, name, types)
        arguments = [self.value(t, n) for t, n in zip(types[:used], names)]
        if names[:1] != [None] and all(names) and rng.random() < 0.1:
            arguments = ["%s => %s" % (n, a) for n, a in zip(names, arguments)]
        made = "%s.%s(%s)" % (schema, name, ", ".join(arguments))
        if returns_set and name == "answer_log_audit" or rng.random() < 0.2:
            return what, "SELECT * FROM %s AS f LIMIT 20" % made
        if rng.random() < 0.1:
            return what, "SELECT (%s)::text, g FROM generate_series(1, 3) AS g" % made
        return what, "SELECT (%s)::text" % made

    def aggregate(self, schema, name, types):
        rng = self.rng
        rows = ", ".join("(%s)" % ", ".join(self.value(t, None) for t in types) for _ in range(rng.choice((1, 2, 5))))
        columns = ", ".join("c%d" % i for i in range(len(types)))
        made = "%s.%s(%s%s)" % (schema, name, rng.choice(("", "", "DISTINCT ")), columns)
        made += rng.choice(("", "", " OVER ()", " OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", " FILTER (WHERE c0 IS NOT NULL)"))
        return "SELECT (%s)::text FROM (VALUES %s) AS v (%s)%s" % (made, rows, columns, rng.choice(("", " WHERE false") if "OVER" not in made else ("",)))

    def statements(self, query):
        """The query in some kind of transaction, as a list of statements to send."""
        rng = self.rng
        shape = rng.randrange(16)
        if shape < 5:
            return [query]
        if shape == 5:
            return ["BEGIN READ ONLY", query, "COMMIT"]
        if shape == 6:
            return ["BEGIN ISOLATION LEVEL " + rng.choice(("REPEATABLE READ", "SERIALIZABLE", "SERIALIZABLE READ ONLY DEFERRABLE")),
                    "SELECT count(*) FROM answer.receipt", query, query, rng.choice(("COMMIT", "ROLLBACK"))]
        if shape == 7:
            return ["BEGIN", "SAVEPOINT a", query, rng.choice(("ROLLBACK TO a", "RELEASE a")), query, rng.choice(("COMMIT", "ROLLBACK"))]
        if shape == 8:
            return ["BEGIN", "DECLARE c %sCURSOR %sFOR %s" % (rng.choice(("", "SCROLL ")), rng.choice(("", "WITH HOLD ")), query), "FETCH 1 FROM c",
                    rng.choice(("FETCH ALL FROM c", "CLOSE c", "FETCH BACKWARD 1 FROM c")), rng.choice(("COMMIT", "ROLLBACK")), "CLOSE ALL"]
        if shape == 9:
            return ["PREPARE p AS " + query] + ["EXECUTE p"] * 2 + ["DEALLOCATE ALL"]
        if shape == 10:
            body = "DECLARE r record; BEGIN FOR i IN 1 .. 2 LOOP BEGIN FOR r IN %s LOOP NULL; END LOOP; EXCEPTION WHEN others THEN" \
                   " IF SQLSTATE LIKE 'XX%%' OR SQLERRM = '' THEN RAISE; END IF; END; END LOOP; END" % query
            return ["DO " + literal(body)]
        if shape == 11:
            # SET LOCAL, because a statement that resets it could time out, too
            return ["BEGIN", "SET LOCAL statement_timeout = '%dms'" % rng.choice((1, 2, 5, 20, 50)), query, rng.choice(("COMMIT", "ROLLBACK"))]
        if shape == 12:
            return ["EXPLAIN (ANALYZE, VERBOSE, TIMING OFF) " + query]
        if shape == 13:
            return ["BEGIN", query, "SELECT answer_log_seal() IS NULL", query, rng.choice(("COMMIT", "ROLLBACK", "PREPARE TRANSACTION 'calls'")),
                    "ROLLBACK PREPARED 'calls'"]
        if shape == 14:
            return ["CREATE TEMP TABLE made AS SELECT * FROM (%s) AS q (a)" % query, "DROP TABLE IF EXISTS made"]
        return ["COPY (%s) TO STDOUT" % query]

    def settle(self):
        """A statement that changes a setting."""
        name = self.rng.choice(sorted(SETTINGS))
        if name not in self.settings:
            return "SELECT 1"
        value = self.rng.choice([v.replace("\\", " ") for v in re.split(r"(?<!\\) ", SETTINGS[name])])
        return "SET %s = %s" % (name, value if name == "search_path" else "'%s'" % re.sub(r" +", " ", value))

    # the run

    def find(self, what, problem, history):
        """Report a finding, once for each kind."""
        self.findings += 1
        kind = (what.split("(")[0], re.sub(r"\d+|\"[^\"]*\"|'[^']*'", "", problem[:160]))
        if kind in self.seen or len(self.seen) >= SHOWN:
            return
        self.seen.add(kind)
        print("FOUND %s: %s" % (what, problem[:1500]))
        for statement in history[-6:-1]:
            print("    %s;" % (statement if len(statement) < 400 else statement[:400] + "..."))
        for statement in history[-1:]:
            print("    %s;" % statement[:20000])
        print("    (seed %d, session %d; --show prints every statement)" % (self.options.seed, self.number))
        sys.stdout.flush()

    def judge(self, what, state, err, history):
        if state is None:
            self.find(what, "the connection is lost: " + err[-800:], history)
        elif state == "hang":
            self.find(what, "no answer after %d s" % (3 * HANG_S), history)
        elif state == "57014" and not any("ms'" in h for h in history[-4:]) and "statement timeout" in err:
            self.find(what, "takes more than %d s" % HANG_S, history)
        elif state.startswith("XX"):
            known = [why for s, r, why in KNOWN if state == s and re.search(r, err, re.S)]
            self.known.update(known)
            if not known:
                self.find(what, err[-1200:], history)
        elif state != "00000" and re.search(
                r"^(?:psql:.*?: )?(?:ERROR|FATAL):  %s: *\n(?:LINE|DETAIL|HINT|QUERY|CONTEXT|LOCATION|\Z)" % state, err, re.M) and "calls." not in err:
            self.find(what, "an error without a text: " + err[:800], history)

    def session(self, number, until):
        """Calls of one backend."""
        rng, self.number = self.rng, number
        rng.seed("%d %d" % (self.options.seed, number))
        role = rng.choice((None, "calls_admin", "calls_admin", "calls_nobody"))
        psql, history = Psql(role), ["SET ROLE %s" % (role or "postgres")]
        first = 0
        for n in range(SESSION_CALLS):
            if until():
                break
            # The number of random draws depends on ids and digests of this run. It must not change the next call.
            rng.seed("%d %d %d" % (self.options.seed, number, n))
            if rng.random() < 0.15:
                history.append(self.settle())
                psql.run(history[-1])
            what, query = self.call()
            self.calls += 1
            state = "00000"
            for statement in self.statements(query):
                if self.options.show:
                    print("%d %s;" % (number, statement))
                history.append(statement)
                state, _, err = psql.run(statement)
                self.states[state] = self.states.get(state, 0) + 1
                self.judge(what, state, err, history)
                if state is None or state == "hang":
                    return
            self.ok[what] = self.ok.get(what, 0) + (state == "00000")
            psql.run("ROLLBACK")
            if psql.memory() > MEMORY_GROWTH + max(first, 1) and not os.environ.get("FUZZ_ANY_MEMORY"):
                if first:
                    self.find(what, "the backend has grown to %d MB" % (psql.memory() >> 20), history)
                first = psql.memory()
            if n == 20:
                first = max(first, psql.memory())
        psql.close()

    def end(self):
        """Check that everything verifies: only functions have changed the tables."""
        self.admin.run("RESET ALL")
        # the audit reports rights to write without the functions
        self.admin.run("REVOKE INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER ON ALL TABLES IN SCHEMA answer FROM calls_admin")
        if self.options.log:
            # errors that a handler's exception block has caught are only in the log
            with open(self.options.log, encoding="utf-8", errors="replace") as file:
                for line in file:
                    # XX001 was checked when it was raised; its line here has no detail
                    if re.search(r"(ERROR|WARNING|LOG|FATAL|PANIC):  XX\d\d[02-9]: ", line):
                        self.find("the server's log", line[:600], [])
        for what, query in (
                ("receipts that do not verify", "SELECT receipt_id FROM answer.receipt WHERE NOT (answer_verify(body) ->> 'ok')::boolean AND NOT EXISTS (SELECT FROM"
                 " answer.signing_key AS k WHERE k.key_id = body #>> '{signature,key_id}' AND (k.status = 'compromised' OR k.retired_at IS NOT NULL))"),
                ("the audit of the log", "SELECT DISTINCT f.finding::text, f.detail FROM answer_log_audit(0) AS f WHERE f.finding::text NOT IN ('unverified', 'key', 'forgotten')"
                 " AND f.detail !~ ': issued after the key was compromised$'")):
            try:
                found = self.rows(query)
            except RuntimeError as error:
                found = [str(error)]
            if found:
                self.find(what, repr(found[:5]), [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    parser.add_argument("--log", help="the server's log: crashes are looked for there")
    parser.add_argument("--only", help="one function")
    parser.add_argument("--show", action="store_true", help="print every statement")
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    fuzzer = Fuzzer(options)
    end = time.monotonic() + (options.seconds or 0)
    until = (lambda: time.monotonic() >= end) if options.seconds else (lambda: fuzzer.calls >= options.calls)
    number = 0
    while not until():
        number += 1
        try:
            fuzzer.session(number, until)
            if number % 5 == 0:
                fuzzer.refresh()
        except (RuntimeError, ValueError, IndexError) as error:
            if fuzzer.admin.run("SELECT 1")[0] == "00000":
                raise
            # a crash ends every connection: wait for recovery
            fuzzer.find("session %d" % number, "the server went down: %r" % error, [])
            for _ in range(240):
                try:
                    fuzzer.admin = Psql(None)
                    break
                except (IndexError, ValueError):
                    time.sleep(0.5)
    fuzzer.end()
    silent = sorted(what for what, count in fuzzer.ok.items() if not count)
    print("SQLSTATEs: " + ", ".join("%s %d" % (s, n) for s, n in sorted(fuzzer.states.items(), key=lambda i: -i[1])))
    print("never answered without an error: " + (", ".join(silent) or "none"))
    print("%d calls of %d things in %d sessions, %d findings" % (fuzzer.calls, len(fuzzer.ok), number, fuzzer.findings))
    for why in sorted(fuzzer.known):
        print("skipped: known: " + why)
    tested = max(1, len(fuzzer.ok))
    print("%d passed, %d failed" % (tested - min(len(fuzzer.seen), tested), len(fuzzer.seen)))
    return 1 if fuzzer.findings else 0


if __name__ == "__main__":
    sys.exit(main())
