"""Fuzzes everything that reads untrusted bytes, through SQL.

Valid artefacts are made on the server under test (artefacts.py), altered (mutate.py) and given to it by the hundred.
Whatever the input, a call must answer, or raise an error that its COMMENT names (if it names any); agree with related
functions; and accept nothing that was altered in a part that the rules protect (setup.sql, judge.py). The backend must
survive, not grow, and end each batch within a time that only a hang exceeds. An input that breaks this is shortened,
printed, and kept as a case. Every `make test` tries the cases of test/fuzz/cases again.

    fuzz.py [--target T] [--seconds N | --rounds N] [--seed S] [--keep DIR] [--cases-only]     connection: PG* variables

T is receipts, tokens, checkpoints, proofs, pem, questions, quality, packets, core (operators, checks, canonical form),
plans, runs (plans that are executed), bundles, or all.
"""
import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time

import artefacts
import judge
import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
EMPTY_ROOT = hashlib.sha256(b"").digest()
BATCH_BYTES = 2000000
SWEEP_WIDTH = 64
TIMEOUT_MS = 120000                             # more is a hang, also on a slow machine with a sanitizer
MEMORY_GROWTH = 32 * 1024 * 1024                # of the backend; caches need some
OPERATORS = "eq ne lt between abs_within in contains starts_with semver_eq semver_prefix exists".split()


class Check:
    """One way to call: the SQL, the errors it may raise, the mutations of its input, the judge of what it accepts.

    calm: it raises no errors, so a batch runs without an exception handler around each call."""

    def __init__(self, target, sql, errors=(), mutations=(), verdict=None, sweep=None, weight=2):
        self.target, self.sql, self.errors = target, sql, errors
        self.calm = not errors
        self.mutations, self.verdict, self.sweep, self.weight = mutations, verdict, sweep, weight


DOCUMENT = (mutate.characters, mutate.json, mutate.json, mutate.base64_text)
JSON_ONLY = (mutate.json, mutate.json, mutate.base64_text)
BYTES = (mutate.of_hex(mutate.octets), mutate.of_hex(mutate.der), mutate.of_hex(mutate.der))
NOTE = (mutate.characters, mutate.lines, mutate.base64_text)
PEM = (mutate.characters, mutate.lines, mutate.base64_text, mutate.base64_text)
CAST = ("22P02", "22P05", "22003", "54001", "22021")    # what input::jsonb may raise before our code is called

CHECKS = {
    "receipt": Check("receipts", "fuzz.receipt(input, x.keys)", (), DOCUMENT, judge.receipt, "text", 8),
    "receipt_jsonb": Check("receipts", "fuzz.receipt_jsonb(input::jsonb, x.registry)", CAST, JSON_ONLY,
                           judge.receipt_jsonb, None, 4),
    "replay": Check("receipts", "fuzz.replay(input)", (), DOCUMENT, judge.replay, None, 2),
    "keys": Check("receipts", "fuzz.report(answer_verify(b.receipt, input::jsonb), true)", CAST, JSON_ONLY, judge.keys, None, 2),
    "forget": Check("receipts", "'ok ' || answer_forget(input, 'fuzz')::text", ("22023", "P0002"), (mutate.characters,),
                    judge.identified, None, 1),
    "reason": Check("receipts", "'ok ' || answer_forget(b.receipt_id, input)::text", ("22023",), (mutate.characters,), None, None, 1),
    "dsse": Check("receipts", "coalesce('ok ' || answer_dsse(input)::text, '.')", ("55000",), (mutate.characters,), judge.identified,
                  None, 1),
    "token": Check("tokens", "fuzz.token(decode(input, 'hex'), b, b.vkey)", (), BYTES, judge.token, "hex", 6),
    "anchor": Check("tokens", "fuzz.receipt(input, x.keys)", (), DOCUMENT, judge.receipt, None, 2),
    "response": Check("tokens", "'ok ' || answer_anchor_attach(b.receipt_id, decode(input, 'hex'))::text", ("22023", "54000"), BYTES,
                      judge.response, None, 2),
    "nonce": Check("tokens", "coalesce(answer_anchor_verify('{}'::text, nonce => input) ->> 'outcome', '!')", ("22023",),
                   (mutate.characters,), None, None, 1),
    "policy": Check("tokens", "coalesce(answer_anchor_verify('{}'::text, policy => input) ->> 'outcome', '!')", ("22023",),
                    (mutate.characters,), None, None, 1),
    "checkpoint": Check("checkpoints", "fuzz.checkpoint(input, x.vkeys)", (), NOTE, judge.checkpoint, "text", 6),
    "compare": Check("checkpoints", "fuzz.compare(input)", (), NOTE, judge.checkpoint, None, 2),
    "vkey": Check("checkpoints", "fuzz.report(answer_checkpoint_verify(b.note, ARRAY[input]), false)", ("22023",), NOTE,
                  judge.same_vkey, None, 1),
    "trust": Check("checkpoints", "'ok ' || answer_witness_trust(input)", ("22023",), NOTE, judge.vkey, None, 1),
    "cosign": Check("checkpoints", "'ok ' || answer_checkpoint_cosign(input)", ("22023", "55000", "23000"), NOTE, judge.cosign,
                    None, 3),
    "cosignature": Check("checkpoints", "'ok ' || answer_cosignature_add(b.tree_size, input, b.vkey)", ("22023",), NOTE,
                         judge.cosignature, None, 1),
    "proof": Check("proofs", "fuzz.proof(input::jsonb, b.receipt, x.vkeys)", CAST, JSON_ONLY, judge.proof, None, 6),
    "merkle": Check("proofs", "fuzz.merkle(input::jsonb)", (), (), None, None, 4),
    "public_key": Check("pem", "'ok ' || answer_key_import_public(input)", ("22023", "23505"), PEM + DOCUMENT, judge.public_key,
                        None, 4),
    "roots": Check("pem", "fuzz.roots(input, b)", (), PEM, judge.roots, "text", 2),
    "key_file": Check("pem", "'ok ' || answer_verify_ok(answer_eval('{\"checks\": [{\"tool\": \"none\"}]}'), x.keys)", ("55000",), PEM,
                      None, None, 1),
    "question": Check("questions", "coalesce(answer.route_compile(input) #>> '{route,route_id}', '-') || length(answer_route_explain(input)::text)",
                      ("22",), (mutate.characters,)),
    "ask": Check("questions", "fuzz.report(answer_verify(answer_ask(input), x.keys), true)", ("22",), (mutate.characters,)),
    "pattern": Check("questions", "coalesce(answer.route_problem(jsonb_build_object('route_id', 'r', 'pattern', input, 'kind',"
                     " 'interrogative', 'tool', 't', 'args', '{}'::jsonb)), '.')", ("22",), (mutate.characters,)),
    "route": Check("questions", "coalesce(answer.route_problem(input::jsonb), '.')", ("22", "54"), JSON_ONLY),
    # a receipt's question, routed by an untrusted table
    "table": Check("questions", "coalesce(answer.route_replay(jsonb_build_object('schema', 'answer/v1', 'mode', 'question', 'question',"
                   " 'What is setting 3.10 \"x\" in 2026-01-31? On.', 'checks', '[]'::jsonb, 'route', jsonb_build_object("
                   "'router_sha256', substr(answer_digest(input::jsonb), 8))), input::jsonb) ->> 'ok', '!')", ("22", "54"), JSON_ONLY),
    "canonical": Check("core", "length(answer_canonical(input))::text", ("22", "54"), DOCUMENT),
    "digest": Check("core", "answer_digest(input)", ("22", "54"), DOCUMENT),
    "portable": Check("core", "length(answer.portable(input::jsonb)::text)::text", ("22", "54"), JSON_ONLY),
    "check": Check("core", "(answer_check(input::jsonb, x.fact, '2026-01-01Z')).verdict::text", ("22", "54"), JSON_ONLY),
    "fact": Check("core", "(answer_check(x.checks, input::jsonb, '2026-01-01Z')).verdict::text", ("22", "54"), JSON_ONLY),
    "validate": Check("core", "length(answer_validate(input::jsonb)::text)::text", ("22", "54"), JSON_ONLY),
    "confidence": Check("core", "coalesce(answer.fact_confidence(input::jsonb)::text, '.')", ("22", "54"), JSON_ONLY),
    "path": Check("core", "coalesce(answer.path_problem(input), '.')", (), (mutate.characters,)),
    "operator": Check("core", "(SELECT string_agg(coalesce(fuzz.operator(o, input::jsonb)::text, '.'), ',') FROM unnest('{%s}'::text[]) o)"
                      % ",".join(OPERATORS), ("22", "54"), JSON_ONLY),
    # the output of tools may be anything; the rules and entries of a receipt are untrusted
    "output": Check("quality", "fuzz.graded(input, 'Engine x', 'what is the last commit?')", (), (mutate.characters, mutate.lines)),
    "query": Check("quality", "fuzz.graded(E'a.c:1:Engine x\\nBuilt target x\\n0 tests failed out of 2\\n', input, input)", (),
                   (mutate.characters,)),
    "subject": Check("quality", "coalesce(answer.question_subject(input), '.')", (), (mutate.characters,)),
    "observation": Check("quality", "(answer.grade((ARRAY['grep', 'git', 'ctest', 'discovery', 'gh', 'read', 'reader'])"
                         "[1 + length(input) % 7], input::jsonb)).reason", ("22", "54"), JSON_ONLY),
    "assessment": Check("quality", "answer_replay(input::jsonb) ->> 'ok'", CAST, JSON_ONLY, None, None, 6),
    "rules": Check("quality", "fuzz.assessed(input::jsonb)", ("22", "54"), JSON_ONLY),
    # names and texts of a graph may be anything; a packet and its receipt are untrusted
    "records": Check("packets", "fuzz.judged(input::jsonb)", ("22", "54"), JSON_ONLY, judge.records),
    "packet": Check("packets", "fuzz.packet(input::jsonb)", CAST, JSON_ONLY, judge.packet, None, 4),
    "packet_replay": Check("packets", "fuzz.packet_replay(input::jsonb)", CAST, JSON_ONLY, judge.packet_replay, None, 4),
    "nodes": Check("packets", "fuzz.graph(input::jsonb, '[]', 'lamp', '{}')", ("22", "54"), JSON_ONLY, None, None, 4),
    "edges": Check("packets", "fuzz.graph('[]', input::jsonb, 'lamp', '{}')", ("22", "54"), JSON_ONLY),
    "packet_question": Check("packets", "fuzz.graph('[]', '[]', input, '{\"extended\": true}')", ("22", "54"),
                             (mutate.characters,)),
    "packet_options": Check("packets", "fuzz.graph('[]', '[]', 'lamp', input::jsonb)", ("22", "54", "55000"), JSON_ONLY),
    "brief": Check("packets", "fuzz.brief(b.receipt -> 'packet', input)", ("22", "54"), (mutate.characters, mutate.lines)),
    # the parts of a plan are untrusted
    "condition": Check("plans", "fuzz.condition(input, x.bindings)", (), (mutate.characters,), None, None, 6),
    "bindings": Check("plans", "fuzz.condition('mean($a.0) >= $b.c || count($list) == $n && $a == $b', input::jsonb)", ("22", "54"), JSON_ONLY),
    "args": Check("plans", "length(answer.bind(input::jsonb, x.bindings)::text)::text", ("22", "54"), JSON_ONLY),
    "evidence": Check("plans", "answer.evidence_verdict(input::jsonb) ->> 'confidence'", ("22", "54"), JSON_ONLY),
    "markers": Check("plans", "answer.markers_check(input, '[{\"uri\": \"a\"}, {\"uri\": \"b\"}]', true) ->> 'ok'", (), (mutate.characters,)),
    "citations": Check("plans", "fuzz.listed(input::jsonb)", ("22", "54"), JSON_ONLY),
    "ttl": Check("plans", "(answer.memory_expires(input, '2026-01-01Z') > '2026-01-01Z')::text", ("22023",), (mutate.characters,)),
    "plan": Check("plans", "fuzz.plan(input::jsonb, x.tools)", ("22", "54"), JSON_ONLY, None, None, 6),
    "tools": Check("plans", "fuzz.plan(x.plan, input::jsonb)", ("22", "54"), JSON_ONLY),
    # whatever is executed is signed; and untrusted proofs of it are read
    "request": Check("runs", "fuzz.executed(input::jsonb)", ("22", "54", "42501", "55000", "P0002"), JSON_ONLY, None, None, 4),
    "results": Check("runs", "fuzz.resumed(input::jsonb)", ("22", "54", "55000"), JSON_ONLY),
    "spec": Check("runs", "fuzz.spec(input::jsonb, x.request)", ("22", "54", "55000"), JSON_ONLY),
    "spec_args": Check("runs", "fuzz.applied(input::jsonb, NULL)", ("22", "54"), JSON_ONLY),
    "spec_result": Check("runs", "fuzz.applied('{\"q\": \"oil\"}', input::jsonb)", ("22", "54"), JSON_ONLY),
    "bundle": Check("bundles", "'ok ' || answer.replay_verify(decode(input, 'hex'), x.keys)::text", (),
                    tuple(mutate.of_hex(m) for m in (mutate.octets, mutate.tar, mutate.tar, mutate.tar)), judge.bundle, None, 6),
}
ANSWERED = ("public_key", "token", "response", "records", "bundle")   # their judges look at the answer, too
TARGETS = ("receipts", "tokens", "checkpoints", "proofs", "pem", "questions", "quality", "packets", "core", "plans", "runs", "bundles")

with open(os.path.join(os.path.dirname(HERE), "lib", "answer_test.sql"), encoding="utf-8") as file:
    TEST_FUNCTIONS = file.read()
EXTRA = TEST_FUNCTIONS + r"""
CREATE FUNCTION fuzz.operator(op text, input jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN answer.operator(op, input, input)::text;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
	RETURN '.';
END $$;
-- Whatever is asked: the document verifies, and is replayed to the same.
CREATE FUNCTION fuzz.document(d jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF d ? 'pending' THEN
		RETURN '.';
	END IF;
	IF NOT answer_verify_ok(d) OR (answer_replay(d) ->> 'ok') <> 'true' THEN
		RETURN '!a document that does not hold: ' || answer_verify(d)::text;
	END IF;
	IF d ->> 'verdict' NOT IN ('answered', 'blocked', 'refused', 'failed') OR (d #>> '{budget_used,cost_usd}')::numeric < 0 THEN
		RETURN '!' || d::text;
	END IF;
	RETURN '.';
END $$;
CREATE FUNCTION fuzz.executed(request jsonb) RETURNS text LANGUAGE sql AS $$ SELECT fuzz.document(answer_plan_execute(request)) $$;
CREATE FUNCTION fuzz.resumed(results jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	pending jsonb := answer_plan_execute('{"plan": {"plan_id": "asks", "nodes": [{"id": "q", "op": "call", "tool": "fuzz.ask",
		"args": {"q": "x"}, "out": "x"}]}}');
BEGIN
	RETURN fuzz.document(answer_plan_resume(pending ->> 'trace_id', results));
END $$;
-- what is registered can be called
CREATE FUNCTION fuzz.spec(spec jsonb, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM answer_tool_register('fuzz.hits', 'fuzz.hits(jsonb)', spec => spec, replace => true);
	RETURN CASE WHEN EXISTS (SELECT FROM answer_plan_validate(request -> 'plan') AS p) THEN '.' ELSE fuzz.executed(request) END;
END $$;
CREATE FUNCTION fuzz.applied(args jsonb, result jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	told jsonb := answer_test.tool_spec_apply('fuzz.hits', answer_tool_spec('fuzz.hits') - 'id', args, result);
BEGIN
	RETURN CASE WHEN told ->> 'outcome' IN ('ok', 'invalid', 'denied', 'failed') THEN '.' ELSE '!' || told::text END;
END $$;
CREATE FUNCTION fuzz.graded(output text, query text, question text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(answer.grade_text(t, query, output, question) ->> 'quality', ',')
	FROM unnest('{grep,find,git,cmake,ctest,gh}'::text[]) t
$$;
CREATE FUNCTION fuzz.assessed(rules jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT (answer_assess(rules, 'Modify', '', 'engine x', jsonb_build_object('class', e.class, 'tool', e.tool, 'query', e.query, 'target', e.target, 'sources', e.sources, 'quality', e.quality, 'strength', e.strength, 'reason', e.reason, 'observation', e.observation, 'entry', e.entry))).explanation FROM answer.quality_entry e
$$;
CREATE FUNCTION fuzz.judged(records jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT 'ok ' || answer.veracity(records, '2026-03-31 12:00Z', '{"extended": true}')::text
$$;
-- What is found sound can be shown, and no name becomes a tag.
CREATE FUNCTION fuzz.shown(packet jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	page text := answer_packet_html(packet);
BEGIN
	IF page ~* '<(script|img|b|u)\M' OR page ~* '<[a-z][^>]*\son[a-z]+\s*=' OR page ~ '[^\x01-\x7f]' THEN
		RETURN '!the page has markup of a node: ' || left(page, 2000);
	END IF;
	RETURN 'ok';
END $$;
CREATE FUNCTION fuzz.packet(packet jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM answer.packet_validate(packet) AS v) THEN
		RETURN '.';
	END IF;
	RETURN fuzz.shown(packet);
END $$;
CREATE FUNCTION fuzz.packet_replay(receipt jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_replay(receipt);
	result text := fuzz.report(report, false);
BEGIN
	IF receipt ->> 'schema' = 'packet/v1' AND (report ->> 'ok')::boolean <> (report ? 'graph') THEN
		RETURN '!a replay says of the graph: ' || report::text;
	END IF;
	RETURN result;
END $$;
-- Whatever is loaded and asked: what comes out is sound, and is shown.
CREATE FUNCTION fuzz.graph(nodes jsonb, edges jsonb, question text, options jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	packet jsonb;
	problem text;
BEGIN
	PERFORM answer_graph_load('fuzz', nodes, edges);
	packet := answer_packet('fuzz', question, options);
	SELECT v INTO problem FROM answer.packet_validate(packet) AS v LIMIT 1;
	IF problem IS NOT NULL THEN
		RETURN '!' || problem || ': ' || packet::text;
	END IF;
	RETURN fuzz.shown(packet);
END $$;
CREATE FUNCTION fuzz.brief(packet jsonb, brief text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
	problem text;
BEGIN
	SET LOCAL answer_eval.evidence_only = off;
	result := answer.packet_synthesis(packet, brief, ARRAY(SELECT e ->> 'id' FROM jsonb_array_elements(packet -> 'code_truth') AS e));
	SELECT v INTO problem FROM answer.packet_validate(result) AS v LIMIT 1;
	RETURN coalesce('!' || problem || ': ' || result, fuzz.shown(result));
END $$;
CREATE FUNCTION fuzz.condition(said text, bindings jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r jsonb := answer.condition(said, bindings);
BEGIN
	IF r ->> 'outcome' IS NULL OR r ->> 'outcome' NOT IN ('holds', 'fails', 'error') OR (r -> 'reason' = 'null') <> (r ->> 'outcome' = 'holds')
		OR r ->> 'reason' ~ '[^ -~]' THEN
		RETURN '!it says ' || r::text;
	END IF;
	RETURN r ->> 'outcome';
END $$;
CREATE FUNCTION fuzz.listed(citations jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	list text := answer.reference_list(citations);
BEGIN
	IF cardinality(string_to_array(nullif(list, ''), E'\n')) IS DISTINCT FROM nullif(jsonb_array_length(citations), 0) THEN
		RETURN '!not a line each: ' || list;
	END IF;
	RETURN length(list);
END $$;
-- what is valid can be outlined, and nothing else
CREATE FUNCTION fuzz.plan(plan jsonb, tools jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	outline jsonb;
	problems text[] := ARRAY(SELECT problem FROM answer_test.plan_problems(plan, tools));
BEGIN
	IF EXISTS (SELECT FROM unnest(problems) AS p WHERE p ~ '[^ -~]') THEN
		RETURN '!not ASCII: ' || problems::text;
	END IF;
	BEGIN
		outline := answer_test.plan_outline(plan, tools, '{"k": 3, "list": [1, 2]}', '{"cost_cap_usd": 0.001, "latency_budget_ms": 300}');
	EXCEPTION WHEN invalid_parameter_value THEN
		RETURN CASE WHEN cardinality(problems) = 0 THEN '!' || SQLERRM ELSE '.' END;
	END;
	IF cardinality(problems) > 0 OR jsonb_array_length(outline -> 'order') <> jsonb_array_length(plan -> 'nodes') THEN
		RETURN '!it has ' || coalesce(problems[1], 'no problem') || ' and the outline ' || outline::text;
	END IF;
	RETURN 'ok';
END $$;
"""


def functions():
    """SQL that creates two functions for each check: fuzz.fast_NAME only calls it, fuzz.safe_NAME catches errors and rolls
    back."""
    out = [EXTRA]
    for name, check in CHECKS.items():
        head = "(input text, b fuzz.base, x fuzz.context) RETURNS text LANGUAGE plpgsql AS $f$\n"
        allowed = " OR ".join("SQLSTATE LIKE '%s%%'" % e for e in check.errors) or "false"
        out.append("CREATE FUNCTION fuzz.fast_%s%sBEGIN RETURN %s; END $f$;" % (name, head, check.sql))
        out.append("CREATE FUNCTION fuzz.safe_%s%sBEGIN RETURN fuzz.undo(%s);\nEXCEPTION WHEN others THEN\n"
                   "  RETURN CASE WHEN SQLSTATE = 'F0F0F' THEN SQLERRM WHEN %s THEN '.' ELSE '!' || SQLSTATE || ' ' || SQLERRM END;\n"
                   "END $f$;" % (name, head, check.sql, allowed))
    return "\n".join(out)


# --------------------------------------------------------------------------
# the server
# --------------------------------------------------------------------------

class Died(Exception):
    """The backend is gone."""


class Failed(Exception):
    """A statement raised; its SQLSTATE."""


class Session:
    """A psql that stays open, with one backend."""

    def __init__(self):
        self.psql = None
        self.pid = None

    def start(self):
        for _ in range(240):                    # after a crash, recovery
            self.psql = subprocess.Popen(["psql", "-X", "-q", "-A", "-t"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL)
            try:
                self.pid = int(self.run("SET statement_timeout = %d; SET jit = off; SET client_min_messages = error; SELECT pg_backend_pid();"
                                        % TIMEOUT_MS)[0])
                return
            except (Died, Failed, IndexError):
                self.stop()
                time.sleep(0.5)
        raise Died("the server does not come back")

    def stop(self):
        if self.psql:
            self.psql.kill()
            self.psql.communicate()
        self.psql = None

    def run(self, script):
        """Run statements; returns the lines that they print."""
        if self.psql is None:
            self.start()
        data = script.encode("utf-8", "replace") + b"\n\\echo @@ :ERROR :LAST_ERROR_SQLSTATE\n"
        lines = []
        try:
            self.psql.stdin.write(data)
            self.psql.stdin.flush()
        except BrokenPipeError:
            pass
        while True:
            line = self.psql.stdout.readline()
            if not line:
                self.stop()
                raise Died()
            if line.startswith(b"@@ "):
                _, error, state = line.decode().split()
                if error == "true":
                    raise Failed(state)
                return lines
            lines.append(line.decode("utf-8", "replace").rstrip("\n"))

    def memory(self):
        """The backend's own memory in bytes, or 0 if unknown."""
        try:
            with open("/proc/%d/statm" % self.pid, encoding="ascii") as file:
                _, resident, shared = file.read().split()[:3]
            return (int(resident) - int(shared)) * 4096
        except (OSError, TypeError):
            return 0


def copied(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


CALL = "fuzz.%s_%s(%s, b, x)"


class Fuzzer:
    """Runs rows and sweeps, and counts."""

    def __init__(self, art, rng, keep, size):
        self.art, self.rng, self.keep, self.size = art, rng, keep, size
        self.session = Session()
        self.count = {t: 0 for t in TARGETS}
        self.accepted = {t: 0 for t in TARGETS}
        self.spent = {t: 0.0 for t in TARGETS}
        self.findings = {t: 0 for t in TARGETS}
        self.seen = set()
        self.cursor = {}
        self.first_memory = self.last_memory = 0
        self.batches = 0

    # running

    def ask(self, name, rows, safe):
        data = "".join("%d\t%d\t%s\n" % (i, n, copied(text)) for i, (n, text) in enumerate(rows))
        out = self.session.run(
            "TRUNCATE fuzz.c;\nCOPY fuzz.c FROM STDIN;\n" + data + "\\.\n"
            "SELECT i || E'\\t' || translate(left(r, 100000), E'\\n', ' ') FROM (SELECT i, coalesce(%s, '!null') AS r"
            " FROM fuzz.c CROSS JOIN fuzz.context x LEFT JOIN fuzz.base b USING (n) OFFSET 0) s WHERE r <> '.' ORDER BY i;"
            % (CALL % ("safe" if safe else "fast", name, "input")))
        return {int(i): r for i, r in (line.split("\t", 1) for line in out)}

    def results(self, name, rows):
        """{row: its result, if it must be looked at}; finds the row that breaks a batch."""
        for safe in ([False, True] if CHECKS[name].calm else [True]):
            try:
                return self.ask(name, rows, safe)
            except Failed as failed:
                state = str(failed)
            except Died:
                state = "the backend died"
                break
        if len(rows) == 1:
            return {0: "!" + state}
        middle = len(rows) // 2
        found = dict(self.results(name, rows[:middle]))
        found.update({i + middle: r for i, r in self.results(name, rows[middle:]).items()})
        return found

    def complaint(self, name, n, text, result):
        """What is wrong about a result, or None."""
        check = CHECKS[name]
        if result.startswith("!"):
            return result
        if check.verdict is None or not result.startswith("ok"):
            return None
        try:
            problem = check.verdict(self.art, n, text, *([result] if name in ANSWERED else []))
        except Exception as error:              # the judge cannot read what the server accepted
            problem = "accepted, and not readable: %r" % error
        return problem and "!" + problem

    def look(self, name, rows, found):
        target = CHECKS[name].target
        self.count[target] += len(rows)
        for i, result in found.items():
            n, text = rows[i]
            self.accepted[target] += result.startswith("ok")
            problem = self.complaint(name, n, text, result)
            if problem:
                self.report(name, n, text, problem)

    def once(self, name, n, text):
        result = self.results(name, [(n, text)]).get(0, ".")
        return self.complaint(name, n, text, result)

    def report(self, name, n, text, problem):
        """Report and keep a finding, unless a similar one is known."""
        kind = (name, problem[:40])
        self.findings[CHECKS[name].target] += 1
        if kind in self.seen:
            return
        self.seen.add(kind)
        small = self.shrink(name, n, text, problem)
        path = os.path.join(self.keep, "finding-%s-%d.json" % (name, len(self.seen)))
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump({"check": name, "base": n, "input": small, "result": problem,
                       "seed": dict(self.art.seeds.get(name, [])).get(n)}, file)
        print("FOUND %s (base %s): %s\n  %.600s\n  kept in %s" % (name, n, problem[:1000], small, path), flush=True)

    def shrink(self, name, n, text, problem):
        """Shorten an input as long as the complaint stays the same."""
        if text == "":
            return text
        unit = 2 if CHECKS[name].sweep == "hex" or name == "response" else 1
        size = len(text) // 2 // unit * unit
        tries = 300
        while size >= unit and tries:
            at = 0
            while at < len(text) and tries:
                tries -= 1
                less = text[:at] + text[at + size:]
                if (self.once(name, n, less) or "")[:24] == problem[:24]:
                    text = less
                else:
                    at += size
            size = size // 2 // unit * unit
        return text

    # what to run

    def mutants(self, name):
        check = CHECKS[name]
        seeds = self.art.seeds[name]
        others = tuple(text for _, text in seeds)
        rows, size = [], 0
        while len(rows) < self.size and size < BATCH_BYTES:
            n, text = self.rng.choice(seeds)
            text = self.rng.choice(check.mutations)(self.rng, text, others).replace("\0", "")
            if not check.sweep == "hex" and any("\ud800" <= c <= "\udfff" for c in text):
                continue
            rows.append((n, text))
            size += len(text)
        return rows

    def merkle_rows(self):
        """Arguments of valid proofs, and of nearly valid ones."""
        rng, rows = self.rng, []
        while len(rows) < self.size:
            rows.append((0, json.dumps(merkle_case(rng))))
        return rows

    def sweep(self, name):
        """Replace each character of a seed by a few others; the server makes the inputs itself."""
        check = CHECKS[name]
        seeds = self.art.seeds[name]
        which, at = self.cursor.get(name, (0, 1))
        n, text = seeds[which]
        chars, lengths = "0123456789abcdef", (1,)
        if check.sweep == "text":
            chars = "".join(self.rng.sample([chr(c) for c in range(33, 127)], 5)) + self.rng.choice(" \n\u00e9")
            lengths = (0, 1, 2)
        end = min(at + SWEEP_WIDTH - 1, len(text))
        self.cursor[name] = (which, end + 1) if end < len(text) else ((which + 1) % len(seeds), 1)
        edits = [(p, l, c) for p in range(at, end + 1) for l in lengths for c in chars if text[p - 1:p - 1 + l] != c]
        try:
            out = self.session.run(
                "SELECT p || ' ' || l || ' ' || ascii(ch) || E'\\t' || translate(left(r, 100000), E'\\n', ' ') FROM ("
                "SELECT p, l, ch, coalesce(%s, '!null') AS r FROM fuzz.seed s CROSS JOIN fuzz.context x"
                " LEFT JOIN fuzz.base b USING (n), generate_series(%d, %d) p, unnest(string_to_array(%s, NULL)) ch,"
                " unnest('{%s}'::int[]) l WHERE s.check_name = '%s' AND s.seed = %d AND substr(s.input, p, l) <> ch OFFSET 0) q"
                " WHERE r <> '.';"
                % (CALL % ("fast", name, "overlay(s.input placing ch from p for l)"), at, end, artefacts.literal(chars),
                   ",".join(map(str, lengths)), name, which))
        except (Failed, Died):                  # find the input that caused it
            rows = [(n, text[:p - 1] + c + text[p - 1 + l:]) for p, l, c in edits]
            self.look(name, rows, self.results(name, rows))
            return
        self.count[check.target] += len(edits)
        for line in out:
            place, result = line.split("\t", 1)
            p, length, char = map(int, place.split())
            altered = text[:p - 1] + chr(char) + text[p - 1 + length:]
            self.accepted[check.target] += result.startswith("ok")
            problem = self.complaint(name, n, altered, result)
            if problem:
                self.report(name, n, altered, problem)

    def key_files(self, rows):
        """Replace the file of the private key, and restore it at the end."""
        n, original = self.art.seeds["key_file"][0]
        path = os.path.join(self.art.key_directory, self.art.key_id + ".pem")
        stat = os.stat(path)
        try:
            for text in [r[1] for r in rows]:
                self.put(path, text, stat)
                self.look("key_file", [(n, text)], self.results("key_file", [(n, text)]))
        finally:
            self.put(path, original, stat)

    def put(self, path, text, stat):
        """Write a file with a new time, so that the server does not take it for a known one."""
        with open(path + ".new", "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.chown(path + ".new", stat.st_uid, stat.st_gid)
        os.chmod(path + ".new", 0o600)
        self.batches += 1
        os.utime(path + ".new", (self.batches, self.batches))
        os.rename(path + ".new", path)

    def round(self, name):
        """Run one batch."""
        begin = time.monotonic()
        check = CHECKS[name]
        if check.sweep and self.rng.random() < 0.4:
            self.sweep(name)
        elif name == "merkle":
            self.merkle_round()
        elif name == "key_file":
            self.key_files(self.mutants(name)[:self.size // 10])
        else:
            rows = self.mutants(name)
            self.look(name, rows, self.results(name, rows))
        self.spent[check.target] += time.monotonic() - begin
        self.watch_memory(name)

    def merkle_round(self):
        rows = self.merkle_rows()
        found = self.results("merkle", rows)
        self.count["proofs"] += len(rows)
        for i, (n, text) in enumerate(rows):
            expected = judge.merkle(json.loads(text))
            result = found.get(i, ".")
            if result not in ("ok true", "ok false") or (expected is not None and result != "ok " + str(expected).lower()):
                self.report("merkle", n, text, "!%s where %s is right" % (result, expected))
            self.accepted["proofs"] += result == "ok true"

    def watch_memory(self, name):
        self.batches += 1
        self.last_memory = self.session.memory()
        if self.batches == 60 or self.first_memory == 0:
            self.first_memory = self.last_memory
        if self.last_memory - self.first_memory > MEMORY_GROWTH and not os.environ.get("FUZZ_ANY_MEMORY"):
            self.report(name, 0, "", "!the backend has grown from %d to %d MB, lastly by this check" % (
                self.first_memory >> 20, self.last_memory >> 20))
            self.first_memory = self.last_memory


def merkle_case(rng):
    """Arguments of the pure functions: a valid proof, mostly changed a little."""
    size = rng.choice((0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33))
    leaves = [bytes([i]) * 32 for i in range(size)]

    def root(part):
        if not part:
            return EMPTY_ROOT
        if len(part) == 1:
            return part[0]
        k = 1 << ((len(part) - 1).bit_length() - 1)
        return judge.node_hash(root(part[:k]), root(part[k:]))

    def path(m, part):
        if len(part) <= 1:
            return []
        k = 1 << ((len(part) - 1).bit_length() - 1)
        return path(m, part[:k]) + [root(part[k:])] if m < k else path(m - k, part[k:]) + [root(part[:k])]

    def subproof(m, part, known):
        if m == len(part):
            return [] if known else [root(part)]
        k = 1 << ((len(part) - 1).bit_length() - 1)
        if m <= k:
            return subproof(m, part[:k], known) + [root(part[k:])]
        return subproof(m - k, part[k:], False) + [root(part[:k])]

    case = {}
    if rng.random() < 0.5:
        m = rng.randrange(size) if size else 0
        case.update(a=m, b=size, x=leaves[m].hex() if size else "00" * 32, y=root(leaves).hex(),
                    proof=[h.hex() for h in path(m, leaves)])
    else:
        m = rng.randrange(1, size + 1) if size else 0
        case.update(consistency=1, a=m, b=size, x=root(leaves[:m]).hex(), y=root(leaves).hex(),
                    proof=[h.hex() for h in (subproof(m, leaves, True) if 0 < m < size else [])])
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        kind = rng.randrange(10)
        if kind < 2:
            case[rng.choice("ab")] = rng.choice((None, 0, 1, -1, 2, case["b"], 2 ** 63 - 1, -2 ** 63, 2 ** 62, rng.randrange(40)))
        elif kind < 4:
            case[rng.choice("xy")] = rng.choice((None, "", "00", case["x"], case["y"], "00" * 31, "00" * 33, EMPTY_ROOT.hex()))
        elif kind == 4:
            case["proof"] = rng.choice((None, [], (case["proof"] or []) + ["00" * 32], (case["proof"] or [])[1:],
                                        (case["proof"] or []) * 40, (case["proof"] or []) + [None], (case["proof"] or []) + [""]))
        elif kind == 5:
            case["square"] = 1
        elif case["proof"]:
            at = rng.randrange(len(case["proof"]))
            case["proof"] = list(case["proof"])
            if kind == 6:
                del case["proof"][at]
            elif kind == 7:
                case["proof"].insert(at, case["proof"][at])
            elif case["proof"][at]:
                case["proof"][at] = mutate.octets(rng, bytes.fromhex(case["proof"][at])).hex()
        if "proof" in case and case["proof"] and len(case["proof"]) > 400:
            case["proof"] = case["proof"][:400]
    return case


# --------------------------------------------------------------------------
# cases, and the whole
# --------------------------------------------------------------------------

def case_files(targets):
    for target in targets:
        folder = os.path.join(HERE, "cases", target)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                yield target, name, json.load(file)


def replay_cases(fuzzer, targets):
    """Try the kept cases. A case is {"why", "sql", "expect"}: one expression over the extension and the schema fuzz (b: a
    base, by default 0; x: the context), and its expected result, a text or "error SQLSTATE"; "known" is the reason why the
    result may still differ."""
    good = bad = known = 0
    for target, name, case in case_files(targets):
        sql = case["sql"] if isinstance(case["sql"], str) else "".join(case["sql"])
        try:
            out = fuzzer.session.run("SELECT coalesce((%s)::text, 'NULL') FROM fuzz.context x CROSS JOIN fuzz.base b WHERE b.n = %d;"
                                     % (sql, case.get("base", 0)))
            answer = "\n".join(out)
        except Failed as failed:
            answer = "error " + str(failed)
        except Died:
            answer = "the backend died"
        fuzzer.count[target] += 1
        if answer == case["expect"]:
            good += 1
        elif "known" in case:
            known += 1
            print("known: %s/%s: %s" % (target, name, case["known"]))
        else:
            bad += 1
            print("FOUND case %s/%s: %s, not %s (%s)" % (target, name, answer[:1000], case["expect"], case["why"]), flush=True)
    print("cases: %d passed, %d failed, %d skipped" % (good, bad, known), flush=True)
    return bad


def schedule(rng, names, options):
    """The checks to run, until the time is over or each had its rounds."""
    if options.rounds:
        for _ in range(options.rounds):
            yield from names
        return
    weighted = [n for n in names for _ in range(CHECKS[n].weight)]
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        yield rng.choice(weighted)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="all", choices=TARGETS + ("all",))
    parser.add_argument("--check", help="one check of the target alone")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("FUZZ_SECONDS", "60")))
    parser.add_argument("--rounds", type=int, default=0, help="so many batches of each check, instead of seconds")
    parser.add_argument("--rows", type=int, default=400, help="inputs in a batch")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    parser.add_argument("--keep", default=".", help="where to write an input that found something")
    parser.add_argument("--cases-only", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    rng = random.Random(options.seed)
    targets = TARGETS if options.target == "all" else (options.target,)
    print("seed", options.seed, flush=True)
    art = artefacts.setup(functions())
    names = [n for n, c in CHECKS.items() if c.target in targets and (n in art.seeds or n == "merkle")
             and options.check in (None, n)]
    fuzzer = Fuzzer(art, rng, options.keep, options.rows)
    # unaltered seeds must be accepted, or the rest would prove nothing
    for name in names:
        if CHECKS[name].verdict and name not in ("public_key", "trust", "vkey", "cosign", "roots", "forget", "dsse", "compare", "response"):
            rows = art.seeds[name]
            found = fuzzer.results(name, rows)
            for i, (n, text) in enumerate(rows):
                if not found.get(i, ".").startswith("ok"):
                    fuzzer.report(name, n, text, "!a seed is not accepted: " + found.get(i, "."))
                elif fuzzer.complaint(name, n, text, found[i]):
                    fuzzer.report(name, n, text, "!a seed is: " + fuzzer.complaint(name, n, text, found[i]))
    bad_cases = replay_cases(fuzzer, targets)
    told = time.monotonic()
    for name in schedule(rng, names, options) if not options.cases_only else ():
        fuzzer.round(name)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print("  %s; backend %d MB" % (fuzzer.count, fuzzer.last_memory >> 20), flush=True)
    for target in targets if not options.cases_only else ():
        spent = max(fuzzer.spent[target], 0.001)
        print("%s: %d inputs, %d findings (%d accepted, %.0f s, %d a second)" % (
            target, fuzzer.count[target], fuzzer.findings[target], fuzzer.accepted[target], spent, fuzzer.count[target] / spent))
    findings = bad_cases + sum(fuzzer.findings.values())
    print("backend: %d MB at first, %d MB at the end" % (fuzzer.first_memory >> 20, fuzzer.last_memory >> 20))
    print("%d inputs, %d findings" % (sum(fuzzer.count.values()), findings))
    fuzzer.session.stop()
    artefacts.script("SET client_min_messages = error; DROP SCHEMA fuzz CASCADE;")
    artefacts.script('DROP DATABASE "%s";' % art.other)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
