#!/usr/bin/python3
# tiers: test long
"""Compares tools/answer-verify with the extension: both must give the same answers on good and on tampered documents.

    offline.py [--cases N] [--seed S] [--only area,...] [--quick] [--share N]

Receipts come from answer_eval and from the oracle, which can sign tampered ones. The tool runs as a command on files of
many documents; the extension gets the same texts and keys. They must agree on `ok`, on the `ok` of each step and on the
differences of a replay; for proofs and checkpoints, on each step and each signature.

Most of the time goes to starting the tool and, for each signature, the openssl command. With --quick most areas run the
tool in a fork of this process, and most of these use the oracle's Ed25519. With --share, only one in N cases of a large
area is tried; the seed chooses which.

psql is found through PATH or $PSQL and connects as the PG* variables say, to a database in which the extension exists.
A few receipts are stored there and sealed.
"""

import argparse
import base64
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback

import authority
import decision
import generate
import graph
import oracle
import plans
import verify_receipts
from compare import clip, copy_in, run_psql, uncopy
from oracle import ABSENT, Num, canonical, tool

RULES = os.path.join(decision.ROOT, "src", "reading", "shipped_rules.json")
SHOWN = 10
# how many cases --share leaves to an area at least
FEW = 15
NOW = verify_receipts.NOW


# --------------------------------------------------------------------------
# Receipts to begin with
# --------------------------------------------------------------------------

BATCHES = [
    [{"tool": "postgres_server", "expect": {"op": "semver_gte", "value": "15"}},
     {"tool": "postgres_setting", "args": {"name": "fsync"}, "expect": {"op": "exists"}}],
    [{"tool": "postgres_server", "expect": [{"path": "uptime_s", "op": "lt", "value": 0},
                                            {"path": "version", "op": "contains", "value": "."}]}],
    [{"tool": "postgres_database", "observe": True}, {"tool": "none"}, {"tool": "postgres_setting"},
     {"tool": "supplied", "required": False, "expect": {"op": "contains", "value": "é"}}],
    [{"tool": "postgres_server", "expect": {"path": "no.where", "op": "eq", "value": 1}}] * 23,
    [{"tool": "supplied", "expect": [{"op": "fresh_within_s", "value": 1e9},
                                     {"path": "list.1", "op": "abs_within", "value": {"value": 1, "tol": "0.5"}}]}],
]
EVIDENCE = [{"fact": "supplied", "value": "café \U0001f600", "timestamp": "2026-01-01T00:00:00Z",
             "expires": "9999-01-01T00:00:00Z", "provenance": {"source": "somebody"},
             "raw": {"list": [None, 1.25, 1e-7, 12345678901234567890], "": {"é": []}}}]


KEPT = []


def ask(query):
    """The rows of a query, as text. All queries use one psql, because starting it takes longer than most queries."""
    if not KEPT:
        KEPT.append(subprocess.Popen([os.environ.get("PSQL", "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-"],
                                     env={**os.environ, "PGCLIENTENCODING": "UTF8"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    KEPT[0].stdin.write(("COPY (%s) TO STDOUT;\n\\echo @@end\n" % query).encode())
    KEPT[0].stdin.flush()
    rows = []
    for line in KEPT[0].stdout:
        if line == b"@@end\n":
            return rows
        rows.append(tuple(map(uncopy, line.decode().removesuffix("\n").split("\t"))))
    raise RuntimeError("psql failed, as it says above, in: " + query[:3000])


def mint():
    """Receipts of this database."""
    receipts = []
    for checks in BATCHES:
        uses = any(c["tool"] == "supplied" for c in checks)
        request = json.dumps({"checks": checks, **({"evidence": EVIDENCE} if uses else {})}).replace("'", "''")
        receipts.append(ask("SELECT answer_eval('%s')::text" % request)[0][0])
    return [oracle.parse(r) for r in receipts]


QUESTIONS = ["Is the setting fsync on?", "What is the setting work_mem? This server is at least version 15! How big is this database?",
             "Is the setting no_such_setting on? How many rows does the table no.such have?", "Who am I?",
             "Is the setting fsync on? Who am I?", "?", "What is the setting fsync? " * 22,
             "What quality of FileSearch does investigation %(n)s hold? The FileSearch of investigation %(n)s is weak."]
DEMANDS = [{"tool": "answer_assessment", "args": {"investigation": Num("%(n)s"), "class": "FileSearch"}, "min_quality": word,
            "expect": {"op": "eq", "value": "Strong"}} for word in ("Moderate", "Strong", "Verified")] + [
    {"tool": "said", "min_quality": word, **more} for word in ("None", "Moderate", "Strong", "Verified")
    for more in ({"observe": True}, {"expect": {"op": "gte", "value": Num("3")}, "required": False})] + [
    {"tool": "postgres_server", "min_quality": "None"}, {"tool": "postgres_server", "min_quality": "Weak"},
    {"tool": "silent", "min_quality": "Weak"}]
SAID = [{"fact": "said", "value": Num("1"), "quality": "Strong"}, {"fact": "said", "value": Num("4"), "quality": "Moderate"},
        {"fact": "silent", "value": None}]


def mint_asked():
    """Receipts of questions, of checks with min_quality, and of an investigation, in this database."""
    (n,), = ask("SELECT answer_investigation_open('Locate', 'where is the lamp?')")
    asked = [ask("SELECT answer_quality_receipt(%s)::text" % n)]
    for row in ("'grep', 'the lamp', 'lamp.c', '{\"match\": \"phrase\", \"match_count\": 2}'",
                "'read', 'lamp.c', 'lamp.c', '{\"selection\": \"first_of_grep\", \"files_read\": 1}'"):
        ask("SELECT answer_investigation_record(%s, %s)::text" % (n, row))
    asked.append(ask("SELECT answer_quality_receipt(%s)::text" % n))
    (m,), = ask("SELECT answer_investigation_open('Explain', 'what does \"the lamp\" do in src/lamp.c?')")
    for row in ("'grep', 'lamp', 'src/lens.c', '{\"match\": \"phrase\", \"match_count\": 12, \"exact_match_count\": 3}',"
                " '{./a.c,src/lens.c}'",
                "'find', 'Lamp, the', 'a.c', '{\"match\": \"partial\", \"match_count\": 2}'",
                "'read', 'a.c', './a.c', '{\"selection\": \"highest_confidence\", \"files_read\": 1}'",
                "'reader', 'a.c', './a.c', '{\"agrees\": true, \"passages\": 2}'",
                "'read', 'b.c', 'b.c', '{\"selection\": \"ranked\", \"files_read\": 1}'",
                "'read', 'lamp.c', 'Lamp.c', '{\"selection\": \"ranked\", \"files_read\": null}'",
                "'discovery', 'scan', '', '{\"type\": null}'",
                "'git', 'log', '', '{\"command\": \"log\", \"question\": \"history\", \"output_lines\": 2}'"):
        ask("SELECT answer_investigation_record(%s, %s)::text" % (m, row))
    asked.append(ask("SELECT answer_quality_receipt(%s)::text" % m))
    for demand in ({}, {"require_fresh": True}):
        request = canonical({"checks": DEMANDS, "evidence": SAID, **demand}).replace("%(n)s", n)
        asked.append(ask("SELECT answer_eval('%s')::text" % request))
    asked += [ask("SELECT answer_ask('%s')::text" % question.replace("%(n)s", n)) for question in QUESTIONS]
    return [oracle.parse(rows[0][0]) for rows in asked]


CHANGES = ["answer_source_register('offline')", "answer_source_register('offline', description => 'another é', replace => true)",
           "answer_tool_register('offline', required_args => '{x}', freshness => '1.5 s')",
           "answer_route_register('offline', 'what is offline {x:word}', 'interrogative', 'offline', '{\"x\": \"{x}\"}',"
           " examples => '{what is offline now}')",
           "answer_route_enable('postgres.version', false)", "answer_route_enable('postgres.version', true)",
           "answer_route_remove('offline')", "answer_tool_remove('offline')", "answer_source_remove('offline')"]


def mint_changes():
    """Records of every action except `retire`, in this database."""
    # a key of its own for each run
    (number,), = ask("SELECT count(*) FROM answer.signing_key")
    public = base64.urlsafe_b64encode(oracle.ed25519_public(("offline %s" % number).encode().ljust(32))).decode()
    (key_id,), = ask("SELECT answer_key_import_public('%s')" % public)
    for call in CHANGES + ["answer_key_compromise('%s', '%s')" % (key_id, NOW)]:
        ask("SELECT (%s)::text" % call)
    rows = ask("SELECT body::text FROM answer.receipt WHERE schema = 'change/v1' ORDER BY body ->> 'kind', body ->> 'name',"
               " (body ->> 'revision')::integer")
    return [oracle.parse(text) for text, in rows]


DOCUMENTS = [
    {"doc_id": "keys", "title": "Keys", "timestamp": "2026-03-01", "text":
     "The lamp of the keyroom is checked every 30 days.\n\nSSNs must be encrypted at rest; \"no exceptions\" apply."},
    {"doc_id": "keys-old", "title": "Keys \u2014 old", "timestamp": "2020-01-01T00:00:00+02:00", "text":
     "SSNs may be stored in plaintext \u2026 caf\u00e9 \U0001f600.\n\nThe lamp of the keyroom is checked in 90 days."},
    {"doc_id": "tea", "title": "Tea", "timestamp": "2026-02-01T10:00:00", "url": "https://example.org/tea", "sections": [
        {"anchor": "green", "title": "Green tea", "text": "Green tea is brewed hot.\n\nGreen tea needs 3 minutes."},
        {"anchor": "black", "title": "Black tea", "text": "Black tea is brewed with boiling water."}]}]
CHUNKS = [
    {"chunk_id": "a", "doc_id": "a", "text": "Green tea is brewed at 80 degrees.", "similarity": Num("0.9")},
    {"chunk_id": "b", "doc_id": "b", "text": "Green tea is brewed slowly.", "similarity": Num("0.00001"),
     "timestamp": "2026-01-01"}]
TEA = "How is green tea brewed?"
GROUNDED = [
    (TEA, {}), ("Can we store SSNs in plaintext?", {}), ("What is sought in vain?", {}), ("How?", {"chunks": []}),
    (TEA, {"config": {"cache_ttl_s": Num("600"), "rerank": "freshness", "freshness_bias": Num("0.5")}}),
    (TEA, {"config": {"cache_ttl_s": Num("600"), "rerank": "freshness", "freshness_bias": Num("0.5")}}),
    *((query, {"chunks": CHUNKS, **options}) for query, options in (
        ("How do I cancel?", {"config": {"confidence_threshold": Num("0.5")}}),
        ("Which refund policy?", {"config": {"confidence_threshold_high_risk": Num("0.00001")}}),
        ("Which refund policy?", {"freshness_days": Num("0"), "config": {"freshness_days_high_risk": Num("0")}}),
        (TEA, {"intent": "tea", "config": {"caveats": True}}), (TEA, {"answer": "It is unclear."}),
        (TEA, {"freshness_days": Num("0"), "answer": "At \"80 degrees\" [1].", "citations": ["a"]}),
        (TEA, {"answer": "With care.", "citations": ["b"], "config": {"caveats": True}}),
        (TEA, {"answer": "With care.", "citations": ["c", "c"]})))]


JUDGES = """CREATE OR REPLACE FUNCTION public.offline_labels(asked jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $f$
    SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p->'id', 'score', 0.95, 'relation',
        CASE asked->>'kind' WHEN 'answers' THEN 'answers' WHEN 'conflict' THEN 'neutral' ELSE 'supports' END)))
    FROM jsonb_array_elements(asked->'pairs') AS p $f$;
CREATE OR REPLACE FUNCTION public.offline_failure(asked jsonb) RETURNS jsonb LANGUAGE sql STABLE AS 'SELECT to_jsonb(1 / 0)';
"""


def mint_judged(options):
    """Decisions with judges, one of which fails."""
    run_psql(JUDGES)
    found = []
    for name in ("labels", "failure"):
        ask("SELECT answer_judge_register('offline-%s', %s)::text" % (name, quoted(
            {"kinds": ["entailment", "answers", "conflict"], "model": "m", "version": "1",
             "handler": "public.offline_%s(jsonb)" % name})))
    for judges in ("offline-labels", "offline-failure", ["offline-labels", "offline-failure"]):
        config = {"judge_" + kind: judges for kind in ("entailment", "answers", "conflict")}
        found += [grounded(TEA, {**options, "config": config}),
                  grounded(TEA, {**options, "config": config, "answer": "It is made hot. Green tea is brewed slowly. [2]",
                                 "citations": ["a", "b"]})]
    for name in ("labels", "failure"):
        ask("SELECT answer_judge_remove('offline-%s')::text" % name)
    return found


def grounded(query, options):
    """What answer_grounded returns."""
    texts = (text.replace("'", "''") for text in (query, canonical(options)))
    return oracle.parse(ask("SELECT answer_grounded('%s', '%s')::text" % tuple(texts))[0][0])


JUDGE = """
CREATE OR REPLACE FUNCTION offline_judge(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $f$
    SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p->'id', 'score', 0.875,
        'relation', CASE args->>'kind'
        WHEN 'answers' THEN CASE WHEN p->>'b' ~ 'slowly' THEN 'does_not' ELSE 'answers' END WHEN 'conflict' THEN 'neutral'
        ELSE CASE WHEN p->>'a' ~ 'WRONG' THEN 'contradicts' WHEN p->>'a' ~ 'EXTRA' THEN 'neutral'
            WHEN p->>'a' ~ 'Hello' THEN 'no_claim' ELSE 'supports' END END)))
    FROM jsonb_array_elements(args->'pairs') AS p WHERE p->>'a' !~ 'MUTE' $f$;
CREATE OR REPLACE FUNCTION offline_second(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $f$
    SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p->'id', 'relation', 'supports', 'score', 0.5)))
    FROM jsonb_array_elements(args->'pairs') AS p WHERE length(p->>'a') % 2 = 0 $f$;
CREATE OR REPLACE FUNCTION offline_broken(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS 'SELECT to_jsonb(1 / 0)';
SELECT answer_judge_register('offline-judge', '{"kinds": ["entailment", "answers", "conflict"], "model": "words \u00e9",
        "version": "1", "handler": "offline_judge"}'),
    answer_judge_register('offline-second', '{"kinds": ["entailment"], "model": "words", "version": "2",
        "handler": "offline_second"}'),
    answer_judge_register('offline-broken', '{"kinds": ["answers"], "model": "none", "version": "0",
        "handler": "offline_broken"}');
SELECT answer_judge_assess('offline-judge', '[{"kind": "entailment", "a": "a", "b": "b", "truth": "neutral"},
    {"kind": "entailment", "a": "b", "b": "b", "truth": "supports"}]');
"""
ALONE, BOTH, EVERY = ({"judge_entailment": one} for one in ("offline-judge", ["offline-second", "offline-judge"], "offline-judge"))
EVERY.update(judge_answers="offline-judge", judge_conflict="offline-judge")
TITLED = [{**CHUNKS[0], "title": "Tea \u2014 green"}, CHUNKS[1]]
# Answers with every status, and with markers in all places.
JUDGED_ANSWERS = [
    "Hello there. The water has some 80 degrees [1]. It takes a while [2].",
    "Hello! [1] Caf\u00e9 \U0001f600 is WRONG here [b]\n\n[2]. EXTRA cups  [1] , too.",
    "Green tea is brewed at 80 degrees. [1] Green tea is brewed slowly [2].",
    "Hot. [1]", "\u2026 [a]", "Green tea is brewed at 90 degrees [1].",
    "- First it is heated [1]\n- Then MUTE it is [1] [2]",
    "A\u00a0cup \u201cbrewed at 80 degrees\u201d is said [1][2]. \"no such words here\" is not.",
    "The documents do not say how long. It is warm [1].", "It is unclear.", "[1] Some water is heated. The rest is not [9]. Nor [b] is that [1]"]


def mint_judged_decisions():
    """Decisions with judges: on proposed answers, on quotes, with judges that fail."""
    run_psql(JUDGE)
    given = {"chunks": TITLED, "citations": ["a", "b"]}
    found = [grounded(TEA, {**given, "answer": answer, "config": config}) for answer in JUDGED_ANSWERS for config in (ALONE, BOTH)]
    found.append(grounded(TEA, {**given, "answer": JUDGED_ANSWERS[0], "config": {**EVERY, "support_min": Num("0.9")}}))
    found += [grounded(TEA, {"chunks": TITLED, "config": {**config, "min_chunks": Num("1")}}) for config in (
        EVERY, {"judge_answers": "offline-broken"}, {"judge": "required", **ALONE})]
    return found


def mint_decisions():
    """Decisions of every kind: over loaded documents, over given chunks, over a retrieval that was kept, with judges."""
    ask("SELECT answer_document_load('%s')::text" % canonical(DOCUMENTS).replace("'", "''"))
    found = [grounded(*one) for one in GROUNDED]
    options = {"chunks": [{**one, "similarity": Num("0.75")} for one in CHUNKS]}
    (half,), = ask("SELECT answer_retrieve('%s', '%s')->>'retrieval_id'" % (TEA, canonical(options)))
    found.append(grounded(TEA, {"retrieval_id": half, "answer": "At 80 degrees [1].", "citations": ["a"]}))
    return found + mint_judged(options)


GRAPH_NODES = [
    {"id": "lamp.c", "name": "lamp.c", "labels": ["File", "Code"], "docstring": "The lamp of the keyroom.",
     "last_modified": 1774000000},
    {"id": "lamp.c#light", "name": "light", "labels": ["Function", "Code"], "path": "src/lamp.c", "start_line": 3,
     "end_line": 9, "docstring": "Lights the lamp \u2014 <b>caf\u00e9</b> \U0001f600.", "last_modified": 1774000000},
    {"id": "doc/lamp.md", "name": "The lamp", "labels": ["Document"], "doc_type": "markdown", "last_modified": 1704067200,
     "text": "How to light the lamp."},
    {"id": "doc/oil.md", "name": "Oil", "labels": ["Document", "Code"], "doc_type": "markdown",
     "text": "The lamp needs oil."},
    {"id": "oil", "name": "oil", "labels": ["Component"]}]
GRAPH_EDGES = [("lamp.c", "lamp.c#light", "DEFINES"), ("doc/lamp.md", "lamp.c#light", "DEPENDS_ON"),
               ("doc/lamp.md", "oil", "DEPENDS_ON"), ("lamp.c#light", "lamp.c#light", "CALLS"),
               ("oil", "doc/oil.md", "HAS_ASSET")]
PACKETS = [("lamp", {}), ("How is the lamp lit?", {"extended": True}), ("lamp", {"now": NOW, "query_id": "q1"}),
           ("light oil lamp", {"limit": Num("2"), "now": NOW, "extended": True}), ("zebra", {}), ("lamp", {
               "labels": ["Document"], "paths": ["doc"]}), ("light oil lamp", {"min_score": Num("0.35"), "now": NOW}),
           ("lamp", {"min_score": Num("0.00000000000000000001")})]


def mint_packets():
    """Receipts of packets, of a graph made for them."""
    nodes = [{**node, "source_path": node["id"].split("#")[0], "content_hash": tool.text_digest(node["id"]),
              "extraction_method": "hand", "indexed_at": NOW} for node in GRAPH_NODES]
    edges = [dict(zip(("from", "to", "type"), edge)) for edge in GRAPH_EDGES]
    ask("SELECT answer_graph_load('offline', %s, %s)::text" % (quoted(nodes), quoted(edges)))
    return [oracle.parse(ask("SELECT answer_packet_receipt('offline', '%s', %s)::text" % (
        question, quoted(options)))[0][0]) for question, options in PACKETS]


def quoted(value):
    """A value as an SQL literal."""
    return "'%s'" % json.dumps(value, default=lambda number: json.loads(number.text)).replace("'", "''")


ARCHIVE = "answer_archive.receipt_19990101_19990201"


def mint_retention():
    """The document of a partition that was detached. It is of a time without receipts, so that none is lost."""
    ask("SELECT answer_log_seal()::text")
    run_psql("DROP TABLE IF EXISTS %s;\n" % ARCHIVE)
    ask("SELECT answer_receipt_partition('1999-01-01 00:00Z', '1999-02-01 00:00Z')::text")
    (text,), = ask("SELECT answer_receipt_detach('answer.receipt_19990101_19990201')::text")
    return oracle.parse(text)


def signed_with(receipt, **signature):
    """The receipt signed with the sample key, its signature then edited."""
    made = verify_receipts.signed(receipt)
    made["signature"].update(signature)
    return made


def respelt(rng, value):
    """JSON text of a value on one line, spelt at random."""
    text = generate.spell(rng, verify_receipts.reordered(rng, value))
    return text.replace("\n", " ").replace("\r", " ")


# --------------------------------------------------------------------------
# Cases: (area, text, keys text); a text is one line
# --------------------------------------------------------------------------

class Dice(random.Random):
    """A generator whose choices depend only on the seed, the area and the number of the case.

    Receipts differ from run to run, in instants, sizes and keys, and so does the number of draws that altering one takes.
    That must not change any other case.
    """

    def begin(self, seed, area):
        """Begin an area."""
        self.area, self.turn = "%d %s" % (seed, area), 0
        self.seed(self.area)

    def deal(self):
        """Begin a case."""
        self.turn += 1
        self.seed("%s %d" % (self.area, self.turn))


class World:
    """The documents and keys of which cases are made."""

    def __init__(self, seed):
        self.rng = Dice()
        self.rng.begin(seed, "samples")
        self.minted = mint()
        self.asked = mint_asked()
        self.changes = mint_changes()
        self.retention = mint_retention()
        self.decisions = mint_decisions() if has_function("answer_grounded") else []
        self.judged = mint_judged_decisions() if has_function("answer_judge_register") else []
        self.decisions += self.judged
        self.packets = mint_packets() if has_function("answer_packet_receipt") else []
        self.plans = plans.mint(ask, run_psql) if has_function("answer_plan_execute") else []
        self.keys = ask("SELECT answer_keys()::text")[0][0]
        self.registry = ask("SELECT answer_key_registry()::text")[0][0]
        self.sample_keys = json.dumps(verify_receipts.sample_keys())
        self.entry = {"key_id": verify_receipts.SAMPLE_KEY_ID,
                      "public_key": verify_receipts.sample_keys()[verify_receipts.SAMPLE_KEY_ID],
                      "status": "active", "active_from": NOW}
        self.samples = [verify_receipts.sample_receipt(self.rng) for _ in range(40)]
        # all keys in one document, so that fewer commands run
        self.all_keys = json.dumps({**json.loads(self.keys), **verify_receipts.sample_keys()})
        self.small = next(s for s in self.samples if len(s["checks"]) <= 2 and s["evidence_index"])


def authentic(world, _count):
    """Receipts as issued, in canonical and other spellings, with every form of keys."""
    for receipt in world.minted:
        for keys in (world.keys, world.registry):
            yield canonical(receipt), keys
        yield respelt(world.rng, receipt), world.keys
    for receipt in world.samples:
        yield canonical(receipt), world.all_keys


def fields(world, _count):
    """Two receipts with each value and member changed, removed or renamed, with and without a new signature."""
    for receipt in (world.small, world.minted[2]):
        for i in range(len(verify_receipts.places(receipt, []))):
            for tamper in (change_place, remove_place, rename_place):
                made = copy.deepcopy(receipt)
                world.rng.deal()
                tamper(world.rng, *verify_receipts.places(made, [])[i])
                yield canonical(made), world.all_keys
                if isinstance(made, dict) and world.rng.random() < 0.5:
                    yield canonical(verify_receipts.signed(verify_receipts.rekeyed(made))), world.all_keys


def change_place(rng, container, key):
    """Change a value."""
    container[key] = verify_receipts.other_scalar(rng, container[key])


def remove_place(_rng, container, key):
    """Remove a value."""
    del container[key]


def rename_place(_rng, container, key):
    """Rename a value, or store it twice."""
    if isinstance(container, dict):
        container[key + "_"] = container.pop(key)
    else:
        container.insert(key, copy.deepcopy(container[key]))


def mutations(world, count):
    """The mutations of verify_receipts.py, signed again or not."""
    for _ in range(count):
        world.rng.deal()
        receipt = world.rng.choice(world.samples if world.rng.random() < 0.7 else world.minted)
        yield verify_receipts.mutated(world.rng, receipt, True)[1], world.all_keys


BEFORE, AFTER = "2026-06-09T04:40:23.999999Z", "2026-06-09T04:40:24.000001Z"
INSTANTS = [ABSENT, None, NOW, "2026-06-09T06:40:24+02:00", BEFORE, AFTER]
ODD_INSTANTS = ["soon", Num("0"), [], "infinity", "", "2026-06-09 04:40:24Z"]


def lifecycles(world, count):
    """One registry with a key for every combination of status and instants, some of them malformed or missing."""
    lives = [(status, begin, end, after) for status in ("active", "retired", "compromised") for begin in INSTANTS
             for end in INSTANTS for after in INSTANTS]
    for _ in range(count // 4):
        lives.append((world.rng.choice(("active", "retired", "compromised", "Active", None, Num("1"), ABSENT)),
                      *(world.rng.choice((INSTANTS, ODD_INSTANTS))[world.rng.randrange(6)] for _ in range(3))))
    registry = [{k: v for k, v in {
        **world.entry, "key_id": "key %d" % i, "status": status, "active_from": begin, "retired_at": end,
        "compromised_after": after}.items() if v is not ABSENT} for i, (status, begin, end, after) in enumerate(lives)]
    keys = canonical(registry)
    for i in range(len(lives)):
        # key_id is not signed
        yield canonical(signed_with(world.small, key_id="key %d" % i)), keys
    for issued in (*INSTANTS, *ODD_INSTANTS):
        made = oracle.without({**world.small, "issued_at": issued}, *(["issued_at"] if issued is ABSENT else []))
        for i in (0, 100, 200, 300, len(lives) - 1):
            yield canonical(signed_with(made, key_id="key %d" % i)), keys


def key_documents(world, _count):
    """Keys that are wrong, repeated, malformed, or not keys at all."""
    name, public = world.entry["key_id"], world.entry["public_key"]
    other = base64.urlsafe_b64encode(oracle.ed25519_public(b"x" * 32)).decode()
    spellings = [public.rstrip("="), public + "=", public[:-1] + "A=", public.replace("_", "/").replace("-", "+"),
                 public[:-2] + "==", " " + public, public + "\n", "", other, None, Num("1"), [], {}, True,
                 base64.urlsafe_b64encode(b"\0" * 32).decode(), base64.urlsafe_b64encode(b"\xff" * 32).decode(),
                 base64.urlsafe_b64encode(b"\1" * 31).decode(), base64.urlsafe_b64encode(b"\1" * 33).decode()]
    documents = [{}, [], None, "x", Num("1"), True, {"other": public}, [world.entry] * 2, [[world.entry]],
                 [None, Num("1"), "x", world.entry], [{**world.entry, "key_id": "other"}], [{"key_id": name}],
                 [{**world.entry, "x": []}], [{**world.entry, "key_id": None}], {name + "x": public, "": public},
                 [{**world.entry, "public_key": "x"}, world.entry], {name: {"public_key": public}}]
    documents += [{name: s} for s in spellings] + [[{**world.entry, "public_key": s}] for s in spellings]
    for document in documents:
        yield canonical(world.small), canonical(document)
    # under a key of small order: R is the neutral point and S is 0
    forged = signed_with(world.small, sig=base64.urlsafe_b64encode(bytes([1]) + bytes(63)).decode())
    for y in (0, 1, tool.FIELD_PRIME - 1, tool.FIELD_PRIME, tool.FIELD_PRIME + 1, tool.SMALL_ORDER_8):
        for sign in (0, 1 << 255):
            yield canonical(forged), canonical({name: base64.urlsafe_b64encode((y | sign).to_bytes(32, "little")).decode()})
    for key_id in ("\u00e9", "", "\U0001f600", " "):
        made = signed_with(world.small, key_id=key_id)
        yield canonical(made), canonical({key_id: public})
        yield canonical(made), canonical([{**world.entry, "key_id": key_id}])


def spellings(world, _count):
    """The text of one receipt: cut, surrounded, with duplicates, with bad escapes, too deep."""
    text = canonical(world.small)
    for i in range(0, len(text), 41):
        yield text[:i], world.all_keys
    for made in (" " + text + "\t\r ", text + text, text + "x", "[%s]" % text, "\ufeff" + text, text[:-1] + ",}",
                 text.replace('"', "'"), "", " ", "{}", "null", '"x"', "nul", text[:-1] + ',"x":NaN}'):
        yield made, world.all_keys
    for extra in ('"schema":"answer/v2"', '"schema":"answer/v1"', '"verdict":"supported"', '"signature":{}', '"x":1',
                  '"x":"\\ud800"', '"x":"\\u0000"', '"x":"\\ud83d\\ude00"', '"\\ude00":1', '"x":"\\ud83d\\ud83d\\ude00"',
                  '"x":"\\\\u0000"', '"anchor":null', '"check\\u0073":[]', '"x":01', '"x":1.', '"x":+1', '"x":"\t"'):
        yield text[:-1] + "," + extra + "}", world.all_keys
        yield "{" + extra + "," + text[1:], world.all_keys
    for depth in (100, 1000, 4094, 4095, 4096, 20000, 300000):
        deep = "[" * depth + "]" * depth
        yield text[:-1] + ',"x":%s}' % deep, world.all_keys
        yield deep, world.all_keys
    deep = '{"a":' * 1500 + "1" + "}" * 1500
    made = copy.deepcopy(world.small)
    for fact in made["evidence_index"].values():
        fact["raw"] = oracle.parse(deep)
    yield canonical(verify_receipts.signed(verify_receipts.rekeyed(made))), world.all_keys
    yield canonical({**made, "x" * 5000000: "y" * 5000000}), world.all_keys


def signatures(world, _count):
    """Changed members of the signature object, and other spellings of sig."""
    good = verify_receipts.signed(world.small)
    sig = good["signature"]["sig"]
    raw = base64.urlsafe_b64decode(sig)
    order = oracle.ORDER_L
    greater = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
    values = [sig.rstrip("="), sig + "=", sig[:-1], sig[:-2] + "A=", sig[:-3] + "A==", sig.replace("-", "+").replace("_", "/"),
              sig + "AAAA", " " + sig, sig + " ", "", "=", "====", "A" * 86, "A" * 88, None, Num("1"), [sig], {},
              base64.urlsafe_b64encode(greater).decode(), base64.b64encode(raw).decode(), sig[:40] + "\u00e9" + sig[41:],
              sig[:40] + "\x00"[1:] + sig[40:-1] + "A"]
    made = [signed_with(world.small, sig=v) for v in values]
    for key in ("alg", "key_id", "canonicalization", "sig"):
        made += [signed_with(world.small, **{key: v}) for v in (None, "", "x", Num("0"), [], "ed25519", "Ed25519 ")]
        lacking = signed_with(world.small)
        del lacking["signature"][key]
        made.append(lacking)
    made += [signed_with(world.small, x=None), signed_with(world.small, Sig=sig), {**good, "signature": None},
             {**good, "signature": []}, {**good, "signature": sig}, {**good, "signature": {}}]
    for receipt in made:
        yield canonical(receipt), world.all_keys
        yield canonical({**receipt, "schema": "other"}), world.all_keys


def numbers(world, _count):
    """Numbers of every spelling and size in signed members, above all in those that are compared."""
    spelt = ["0", "-0", "0.0", "-0.00", "0e5", "1", "1.0", "1e0", "10e-1", "0.8", "0.80", "8e-1", "0.8e0", "1e5",
             "12345678901234567890", "1e-7", "0.30000000000000004", "1e131071", "1e131072", "1e999999", "1e9999999",
             "-1e999999", "1e-16383", "1e-16384", "1e-999999", "0e999999", "9" * 1000, "9" * 1001, "1e00000000000000001",
             "0.80000000000000000001", "0.8" + "0" * 2000, "1e" + "9" * 5000, "9" * 200000, "1e+2", "1E2"]
    name, fact = next(iter(world.small["evidence_index"].items()))
    ops = ("eq", "ne", "lt", "gte", "between", "abs_within", "pct_within", "in", "contains", "starts_with", "semver_eq",
           "fresh_within_s", "exists")
    for text in spelt:
        number = Num(text)
        for key in ("confidence", "verdict"):
            yield canonical(verify_receipts.signed({**world.small, key: number})), world.all_keys
        for op in world.rng.sample(ops, 3):
            for seen, wanted in ((number, Num("5")), (Num("5"), number), (number, number), (number, "5"), ("5", number),
                                 ([number], number), (number, [number, number]), ({"a": number}, "x")):
                yield replayed(world, name, fact, seen, op, wanted), world.all_keys
        made = copy.deepcopy(world.small)
        made["evidence_index"][name]["verification"]["confidence"] = number
        yield canonical(verify_receipts.signed(verify_receipts.rekeyed(made))), world.all_keys


def replayed(world, _name, fact, seen, op, wanted):
    """A receipt of one check, with the oracle's verdict or another one."""
    fact = {**fact, "value": seen, "timestamp": NOW}
    expect = {"op": op, "value": wanted}
    if op in oracle.WITHIN:
        expect["tol"] = world.rng.choice((Num("1"), Num("-1e999999"), "0.5", Num("1e999999")))
    if op == "between":
        expect["value"] = [wanted, wanted]
    if op == "in" and not isinstance(wanted, list):
        expect["value"] = [wanted]
    check = {"id": "c1", "tool": "t", "args": {}, "expect": [expect], "observe": False, "required": True}
    digest = oracle.digest(oracle.without(fact, "attestation", "raw"))
    try:
        found = tool.judge(tool.normal_check(check), [fact], oracle.instant(NOW))
    except tool.Malformed:
        found = {"verdict": "not_evaluable", "confidence": 0.0, "observed": seen}
    member = {**check, "verdict": found["verdict"], "confidence": verify_receipts.number(found["confidence"]),
              "evidence": [digest], "observed": oracle.portable(found["observed"])}
    if found["observed"] is ABSENT:
        del member["observed"]
    if world.rng.random() < 0.3:
        member["verdict"] = world.rng.choice(("supported", "contradicted", "not_evaluable"))
    total = oracle.composite([(member["verdict"], found["confidence"], True)])
    return canonical(verify_receipts.signed({
        **world.small, "checks": [member], "evidence_index": {digest: fact}, "verdict": total["verdict"],
        "confidence": verify_receipts.number(total["confidence"]), "degraded": total["degraded"]}))


def capped(world, _count):
    """Receipts with about as many checks as the cap allows, and checks of odd shapes."""
    name, fact = next(iter(world.small["evidence_index"].items()))
    plain = {"tool": "t", "args": {}, "expect": [], "observe": True, "required": False, "evidence": [name]}
    good = {**plain, "verdict": "value", "confidence": Num("0"), "observed": Num("0")}
    found = tool.judge(tool.normal_check(plain), [fact], oracle.instant(NOW))
    good.update(confidence=verify_receipts.number(found["confidence"]), observed=oracle.portable(found["observed"]))
    if found["observed"] is ABSENT:
        del good["observed"]
    unchecked = {**oracle.without(plain, "evidence"), "evidence": [], "verdict": "not_checked", "confidence": Num("0")}
    tails = [unchecked, {**unchecked, "evidence": [name]}, {**unchecked, "evidence": ["x"]}, {**unchecked, "observed": None},
             {**unchecked, "evidence": [Num("1")]}, {**unchecked, "evidence": None}, {**unchecked, "verdict": "value"},
             good, {**good, "verdict": "not_checked"}, {**unchecked, "required": True}, None, Num("1"), {},
             {**unchecked, "expect": [{"op": "nope"}]}, {**unchecked, "id": ""}, {**unchecked, "tool": ""}]
    for count in (0, 1, 19, 20, 21):
        for tail in tails:
            for extra in ([], [unchecked]):
                checks = [good] * count + [tail] + extra
                rows = [(c.get("verdict"), 0.0, c.get("required", True)) for c in checks if isinstance(c, dict)
                        and c.get("verdict") in oracle.VERDICTS and isinstance(c.get("required", True), bool)]
                total = oracle.composite(rows)
                yield canonical(verify_receipts.signed({
                    **world.small, "checks": checks, "evidence_index": {name: fact}, "verdict": total["verdict"],
                    "confidence": Num("0"), "degraded": total["degraded"]})), world.all_keys
    for mode in ("question", "checks", None):
        for verdict in ("outside_evidence_coverage", "evidenced", "insufficient_evidence", "supported"):
            yield canonical(verify_receipts.signed({
                **world.small, "mode": mode, "checks": [], "evidence_index": {}, "verdict": verdict, "confidence": Num("0"),
                "degraded": False})), world.all_keys


def questions(world, count):
    """Receipts of questions, refusals, checks with min_quality and investigations: as issued, and with each member changed."""
    for receipt in world.asked:
        yield canonical(receipt), world.keys
        found = verify_receipts.places(receipt, [])
        world.rng.deal()
        chosen = set(world.rng.sample(range(len(found)), min(len(found), count // 20)))
        chosen.update(i for i, (box, _) in enumerate(found) if box is receipt or box is receipt.get("route"))
        for i in sorted(chosen):
            for tamper in (change_place, remove_place, rename_place):
                made = copy.deepcopy(receipt)
                world.rng.deal()
                tamper(world.rng, *verify_receipts.places(made, [])[i])
                yield canonical(made), world.all_keys
                yield canonical(verify_receipts.signed(verify_receipts.rekeyed(made))), world.all_keys
        for made in (*demanding(receipt), *seeking(receipt)):
            yield canonical(verify_receipts.signed(verify_receipts.rekeyed(made))), world.all_keys


def changes(world, count):
    """Records of changes: as issued, and with members changed, signed again or not."""
    for document in world.changes:
        yield canonical(document), world.keys
        yield canonical(document), world.registry
        found = verify_receipts.places(document, [])
        world.rng.deal()
        chosen = set(world.rng.sample(range(len(found)), min(len(found), count // 20)))
        chosen.update(i for i, (box, _) in enumerate(found) if box is document)
        for i in sorted(chosen):
            for tamper in (change_place, remove_place, rename_place):
                made = copy.deepcopy(document)
                world.rng.deal()
                tamper(world.rng, *verify_receipts.places(made, [])[i])
                yield canonical(made), world.all_keys
                yield canonical(verify_receipts.signed(made)), world.all_keys
        for key, values in (("revision", (Num("0"), Num("1"), Num("1.0"), Num("-1"), Num("2e0"), Num("9" * 30), "1", None)),
                            ("action", ("add", "change", "remove", "generate", "import", "retire", "compromise", "", None)),
                            ("before", (None, "", "x", Num("1"), "sha256:" + "0" * 64)), ("after", (None, {}, [], "x", {"shipped": True})),
                            ("kind", ("key", "source", "", "Key", None)), ("name", ("", None, Num("1")))):
            for value in values:
                yield canonical(verify_receipts.signed({**document, key: value})), world.all_keys


def redigested(document):
    """A decision with the digests of its rules and configuration made to fit again, after filling in what it leaves out."""
    if isinstance(document.get("reproduce"), dict) and isinstance(document["reproduce"].get("evaluator"), dict):
        whole = {"rules": document.get("rules", ABSENT), "config": tool.config_of(document)}
        digests = {"decision_" + key: tool.digest(whole[key]) for key in ("rules", "config") if key in document}
        rules = document.get("rules", {"base": None})
        if isinstance(rules, dict) and "base" in rules:
            digests["decision_rules"] = tool.digest(tool.rules_with(
                oracle.parse(decision.SHIPPED_TEXT), *(rules.get(key, ABSENT) for key in ("removed", "added"))))
        document["reproduce"]["evaluator"]["digests"] = digests
    return document


def place_in_decision(rng, document):
    """A random place, mostly outside the rules, although these may have most places."""
    rules = document.pop("rules", None)
    found = verify_receipts.places(rules if rules is not None and rng.random() < (0.4 if "base" in rules else 0.1) else document, [])
    if rules is not None:
        document["rules"] = rules
    return rng.choice(found)


def decisions(world, count):
    """Decisions: as issued, valid samples, with the member `cached`, and with members changed, signed again or not, some with
    new digests."""
    for document in world.decisions:
        yield canonical(document), world.keys
        yield canonical(document), world.registry
    for n in range(max(count // 3, 10)):
        world.rng.deal()
        document = verify_receipts.signed(decision.sample_document(world.rng))
        yield canonical(document), world.all_keys
        if world.decisions and n % 2:
            document = world.rng.choice(world.decisions)
        if n % 10 == 0:
            for value in (True, False, None, "true"):
                yield canonical({**document, "cached": value}), world.all_keys
            yield canonical(verify_receipts.signed({**document, "cached": True})), world.all_keys
        for _ in range(6):
            world.rng.deal()
            made = copy.deepcopy(document)
            tamper = world.rng.choice((change_place, change_place, remove_place, rename_place))
            tamper(world.rng, *place_in_decision(world.rng, made))
            yield canonical(made), world.all_keys
            yield canonical(verify_receipts.signed(made)), world.all_keys
            yield canonical(verify_receipts.signed(redigested(made))), world.all_keys


STATUSES = ["supported", "no_claim", "unsupported", "contradicted", "not_judged", "quoted", "misquoted", "insufficient", "sure"]


def judged_places(document):
    """(container, key, other values) of the members about judgements and their results."""
    for one in document["judgements"]:
        yield from ((one, "relation", ["supports", "contradicts", "neutral", "no_claim", "answers", "does_not"]),
                    (one, "score", [Num("0"), Num("1"), Num("0.87505")]), (one, "pair", ["sha256:" + "0" * 64]),
                    (one, "judge", ["offline-second", "offline-judge", "nobody"]), (one, "version", ["2", None]),
                    (one, "origin", ["reported", ABSENT]), (one, "by", [ABSENT]), (one, "judged_at", ["soon"]),
                    (one, "kind", ["conflict", "answers", ABSENT]))
    for one in document["judges"]:
        yield from ((one, "version", ["3"]), (one, "name", ["nobody"]), (one, "assessed", [ABSENT, None]),
                    (one, "model", [ABSENT]))
    for one in document["validation"]["sentences"]:
        yield from ((one, "status", STATUSES), (one, "start", [Num("1"), Num("-1"), "0"]), (one, "end", [Num("4"), Num("400")]))
    yield from ((document, "judgements", [[], None, ABSENT]), (document, "judges", [[], ABSENT]),
                (document["proposed"], "citations", [["b", "a"], ["a"]]) if document["proposed"] else (document, "proposed", [{}]))
    for one in document["retrieval"]["chunks"]:
        yield from ((one, "text", ["Green tea."]), (one, "title", ["Coffee", ABSENT]))
    for name in ("judgements", "judges"):
        for i, one in enumerate(document[name]):
            yield document, name, [document[name][:i] + document[name][i + 1:], document[name] + [one]]


def judgements(world, count):
    """Decisions with judges: as issued, and with each judgement, judge and status changed and signed again."""
    for document in world.judged:
        yield canonical(document), world.keys
    changed = [(n, i, k) for n, document in enumerate(world.judged) for i, place in enumerate(judged_places(document))
               for k in range(len(place[2]))]
    for n, i, k in changed if len(changed) <= 2 * count else world.rng.sample(changed, 2 * count):
        world.rng.deal()
        made = copy.deepcopy(world.judged[n])
        container, key, others = list(judged_places(made))[i]
        if others[k] is ABSENT:
            container.pop(key, None)
        else:
            container[key] = others[k]
        yield canonical(verify_receipts.signed(made)), world.all_keys


def packets(world, count):
    """Packets: as issued, valid samples, and with members changed, signed again or not, some with a new hash."""
    for document in world.packets:
        yield canonical(document), world.keys
        yield canonical(document), world.registry
    for n in range(max(count // 2, 10)):
        world.rng.deal()
        document = graph.document_of(graph.sample_packet(world.rng))
        if n % 5 == 0:
            # an older packet, found by another score
            document["reproduce"]["evaluator"]["rules"][-1] = "text-score/1"
        document = verify_receipts.signed(document)
        yield canonical(document), world.all_keys
        if world.packets and n % 2:
            document = world.rng.choice(world.packets)
        for _ in range(8):
            world.rng.deal()
            made = copy.deepcopy(document)
            tamper = world.rng.choice((change_place, change_place, remove_place, rename_place, graph.swap_places))
            tamper(world.rng, *world.rng.choice(verify_receipts.places(made["packet"], [])))
            if world.rng.random() < 0.2:
                yield canonical(made), world.all_keys
            yield canonical(verify_receipts.signed(graph.rehashed(made))), world.all_keys


def executed(world, count):
    """Plans: as issued, and with members changed and signed again, with or without new digests of the trace."""
    for document in world.plans:
        yield canonical(document), world.keys
        yield canonical(document), world.registry
    for _ in range(count * 3 if world.plans else 0):
        world.rng.deal()
        document = copy.deepcopy(world.rng.choice(world.plans))
        container, key = world.rng.choice(verify_receipts.places(document, []))
        tamper = world.rng.choice((change_place, remove_place, rename_place, graph.swap_places, other_value))
        tamper(world.rng, container, key)
        if world.rng.random() < 0.1:
            yield canonical(document), world.all_keys
        if world.rng.random() < 0.7:
            plans.rechained(document)
        yield canonical(verify_receipts.signed(document)), world.all_keys


def other_value(rng, container, key):
    """A value of another type."""
    container[key] = rng.choice(plans.VALUES)


def leaves_of(*bounds):
    """Ranges of leaves, of numbers as strings or of anything else."""
    return [{key: Num(value) if isinstance(value, str) else value for key, value in zip(("first", "last"), pair)}
            for pair in bounds]


def retentions(world, count):
    """Documents of detached partitions: as issued, with leaves, and with members changed, signed again or not."""
    yield canonical(world.retention), world.keys
    log = world.retention["log"]
    some = {**world.retention, "receipts": Num("7"), "leaves": leaves_of(("0", "3"), ("5", "5"), ("8", "9")),
            "log": {**log, "tree_size": Num("10")}, "first_issued_at": NOW, "last_issued_at": NOW}
    for document in (world.retention, some):
        yield canonical(verify_receipts.signed(document)), world.all_keys
        found = verify_receipts.places(document, [])
        for i in range(len(found)):
            for tamper in (change_place, remove_place, rename_place):
                made = copy.deepcopy(document)
                world.rng.deal()
                tamper(world.rng, *verify_receipts.places(made, [])[i])
                yield canonical(made), world.all_keys
                yield canonical(verify_receipts.signed(made)), world.all_keys
    long = "9" * 18
    for key, values in (
            ("receipts", (Num("0"), Num("6"), Num("8"), Num("-7"), Num("7.0"), Num("7e0"), Num("0.7e1"), Num("7.5"), "7", None, Num("1" + long))),
            ("leaves", ([], {}, None, "x", [None], [[]], [{}], leaves_of(("0", "6")), leaves_of(("0", "2"), ("3", "6")),
                        leaves_of(("0", "3"), ("3", "5")), leaves_of(("4", "6"), ("0", "3")), leaves_of(("3", "0")), leaves_of(("4", "10")),
                        leaves_of(("0.0", "6")), leaves_of(("-1", "5")), leaves_of(("0", None)), leaves_of((True, "6")),
                        leaves_of(("0", "3"), ("2", "1")), leaves_of(("0", long)), leaves_of(("0", "1" + long)), leaves_of(("0", "6"), (None, "8")))),
            ("log", (None, {}, [], "x", {"tree_size": "10"}, {"tree_size": Num("9")}, {"tree_size": Num("-1")}, {"tree_size": Num(long)})),
            ("first_issued_at", (None, "", "x", Num("1"), "2999-01-01T00:00:00Z", "1999-01-01T00:00:00+01:00")),
            ("last_issued_at", (None, "", "x", Num("1"), "2999-01-01T00:00:00Z", "1999-01-01T00:00:00+01:00")),
            ("partition", ("", None, Num("1"))), ("kept_in", ("", None, []))):
        for value in values:
            yield canonical(verify_receipts.signed({**some, key: value})), world.all_keys
            yield canonical(verify_receipts.signed({**world.retention, key: value})), world.all_keys


def demanding(receipt):
    """The receipt with other min_quality, quality, mode or require_fresh, and without checks."""
    for word in (*tool.QUALITIES, ABSENT, None, "", "strong", "Strong ", Num("3"), ["Strong"], {"Strong": True}, True):
        for kind, key in (("checks", "min_quality"), ("evidence_index", "quality")):
            made = copy.deepcopy(receipt)
            boxes = made.get(kind, [])
            for box in boxes.values() if isinstance(boxes, dict) else boxes:
                box.pop(key, None)
                if word is not ABSENT:
                    box[key] = word
            yield made
        yield {**receipt, "mode": word}
    for demand in (True, False, None, "true", Num("1"), {}):
        yield {**receipt, "require_fresh": demand}
    for members in ({"checks": []}, {"checks": [], "evidence_index": {}},
                    {"checks": [], "evidence_index": {}, "verdict": "outside_evidence_coverage", "confidence": Num("0")}):
        for mode in ("question", "checks"):
            yield {**receipt, **members, "mode": mode}


def seeking(receipt):
    """The assessment with another subject, question, relevance or sources, or by older rules."""
    if receipt.get("schema") != "quality/v1":
        return
    for subject in ("", " The\tLAMP ", "lens", "a.c", "the lamp oil", "é" * 128, "x" * 257, Num("7"), None,
                    ["x"], ABSENT):
        made = copy.deepcopy(receipt)
        made["investigation"].pop("subject", None)
        if subject is not ABSENT:
            made["investigation"]["subject"] = subject
        yield made
    for question in ("", "what is in ./B.C?", "src/lens.c, or (a.c)", "b.c " * 1000):
        yield {**receipt, "investigation": {**receipt["investigation"], "question": question}}
    for relevance in ("query", "target", "name", None, Num("1"), ABSENT):
        for i in range(len(receipt["rules"]["classes"])):
            made = copy.deepcopy(receipt)
            made["rules"]["classes"][i].pop("relevance", None)
            if relevance is not ABSENT:
                made["rules"]["classes"][i]["relevance"] = relevance
            yield made
    for names in (["quality/1"], ["quality/2"], ["x", "quality/1"], [], "quality/1", None, [["quality/1"]]):
        made = copy.deepcopy(receipt)
        made["reproduce"]["evaluator"]["rules"] = names
        yield made
    for sources in ([], ["a.c", "./b.c", Num("1"), None], "a.c", {}, ABSENT):
        made = copy.deepcopy(receipt)
        for entry in made["entries"]:
            entry.pop("sources", None)
            if sources is not ABSENT:
                entry["sources"] = sources
        yield made


def foreign(world, _count):
    """Documents of other schemas, where everything except the signature is signed."""
    for schema in ("answer/v2", "awareness/v1", "", None, Num("1"), [], ABSENT, "Answer/v1", "answer/v1 "):
        body = {"schema": schema, "text": "é\U0001f600\x7f/", "n": Num("1.50e1"), "anchor": {"x": None}, "a": {"b": [[], {}]}}
        if schema is ABSENT:
            del body["schema"]
        sig = oracle.ed25519_sign(verify_receipts.SAMPLE_SECRET, canonical(body).encode())
        made = {**body, "signature": {"alg": "Ed25519", "key_id": verify_receipts.SAMPLE_KEY_ID, "x": "more",
                                      "canonicalization": "json-sorted-compact",
                                      "sig": base64.urlsafe_b64encode(sig).decode()}}
        yield respelt(world.rng, made), world.all_keys
        yield canonical(oracle.without(made, "anchor")), world.all_keys
        yield canonical({**made, "n": Num("15")}), world.all_keys
        yield canonical(made), canonical([world.entry])
        yield canonical({**made, "issued_at": NOW}), canonical([world.entry])
    folder = os.environ.get("ANSWER_EVAL_VECTORS")
    if folder and os.path.isdir(os.path.join(folder, "df-verify")):
        with open(os.path.join(folder, "df-verify", "tests", "vectors", "signed-awareness.json"), encoding="utf-8") as f:
            data = json.load(f)
        for name in ("authentic", "tampered"):
            yield data[name]["envelope_text"].replace("\n", " "), json.dumps(data["public_keys"])


# --------------------------------------------------------------------------
# Anchors
# --------------------------------------------------------------------------

def anchored(receipt, stamp, **members):
    """The receipt with an anchor around a token."""
    imprint = tool.receipt_digest(receipt)
    return {**receipt, "anchor": {"token": base64.b64encode(stamp).decode(), "imprint": imprint.hex(),
                                  "hash_alg": "sha256", "attached_at": NOW, **members}}


def malformed_anchors(world, _count):
    """Malformed anchors of all kinds."""
    good = anchored(world.small, b"\x30\x00")
    anchors = [None, [], "x", Num("1"), {}, {**good["anchor"], "x": 1 == 1}]
    for key in ("token", "imprint", "hash_alg", "attached_at"):
        anchors.append(oracle.without(good["anchor"], key))
        anchors += [{**good["anchor"], key: v} for v in (None, "", "x", Num("1"), [], {}, "SHA256", "=", "MAA", "MAA=\n",
                                                         "sha256:" + good["anchor"]["imprint"], "MAA-", "A" * 90000)]
    anchors.append({**good["anchor"], "imprint": good["anchor"]["imprint"].upper()})
    anchors += [{**good["anchor"], "token": base64.b64encode(t).decode()} for t in (
        b"", b"\0", b"\x30", b"\x30\x80", b"\x30\x80" * 3000, b"\x30\x84\xff\xff\xff\xff", b"\x30\x00\x00",
        bytes(65536), bytes(65537), b"\x1f" * 100, b"\x30\x82\x01\x00" * 64)]
    for anchor in anchors:
        yield canonical({**world.small, "anchor": anchor}), world.all_keys


def tokens(world, count):
    """Time-stamps of an authority, good and damaged; without roots, as answer_verify checks them."""
    with tempfile.TemporaryDirectory() as folder:
        local = authority.Authority(folder)
        stamped = list(local.catalogue(tool.receipt_digest(world.small).hex()))
        for _, token, _ in stamped:
            yield canonical(anchored(world.small, token)), world.all_keys
            yield canonical(anchored(world.samples[0], token)), world.all_keys
        for _, token, _ in stamped[:2]:
            for members in ({"x": None}, {"attached_at": "now"}, {"hash_alg": "SHA256"}, {"imprint": "0" * 64},
                            {"token": base64.urlsafe_b64encode(token).decode()},
                            {"token": base64.b64encode(token).decode() + "\n"}):
                yield canonical(anchored(world.small, token, **members)), world.all_keys
            for _ in range(count):
                world.rng.deal()
                yield canonical(anchored(world.small, damaged(world.rng, token))), world.all_keys


def damaged(rng, token):
    """A token with a bit flipped, a byte replaced, or its end cut or extended."""
    token, kind = bytearray(token), rng.randrange(12)
    place = rng.randrange(len(token))
    if kind == 0:
        return bytes(token[:place])
    if kind == 1:
        return bytes(token) + rng.choice((b"\0", b"\0\0", bytes(token)))
    if kind == 2:
        token[place] = rng.randrange(256)
    else:
        token[place] ^= 1 << rng.randrange(8)
    return bytes(token)


# --------------------------------------------------------------------------
# Asking both
# --------------------------------------------------------------------------

VERIFY = """
CREATE TEMP TABLE keys (k int, document jsonb);
CREATE TEMP TABLE cases (n int, document text, k int);
%s
COPY (SELECT n, answer_verify(c.document, k.document)::text FROM cases c JOIN keys k USING (k)) TO STDOUT;
"""


def ask_extension(cases):
    """The reports of answer_verify."""
    keys = {text: str(i) for i, text in enumerate({k for _, k in cases})}
    rows = copy_in("keys", ((i, text) for text, i in keys.items()))
    rows += copy_in("cases", ((str(i), text, keys[k]) for i, (text, k) in enumerate(cases)))
    return {int(n): json.loads(report, parse_int=str) for n, report in run_psql(VERIFY % rows)}


TO_JSONB = """CREATE FUNCTION pg_temp.as_jsonb(document text) RETURNS jsonb LANGUAGE plpgsql AS $f$
BEGIN
    RETURN document::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN NULL;
END $f$;
"""
AS_JSONB = TO_JSONB + """
CREATE TEMP TABLE keys (document jsonb);
CREATE TEMP TABLE cases (n int, document text);
%s
COPY (SELECT n, j::text, answer_verify(j, k.document)::text FROM keys k, cases c, pg_temp.as_jsonb(c.document) j
    WHERE j IS NOT NULL) TO STDOUT;
"""


class Command:
    """The tool, run on files in a folder."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def file(self, name, text):
        """Write a file; its path."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        return path

    def run(self, *arguments):
        """The reports, one per line; the exit status must fit them."""
        status, output, errors = self.start([*arguments, "--json"])
        reports = [json.loads(line) for line in output.decode("ascii").splitlines()]
        good, lacking = all(r["ok"] for r in reports), any(tool.left_undone(r) is not None and r["ok"] for r in reports)
        if errors or status != (1 if not good else 4 if lacking else 0) or not reports:
            raise SystemExit("the tool failed with %d: %s" % (status, errors.decode()[-2000:]))
        return reports

    def start(self, arguments):
        """(status, output, errors)."""
        done = subprocess.run([*self.command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout, done.stderr


class Copy(Command):
    """The tool in a fork of this process, which has it loaded already."""

    def __init__(self, folder, openssl):
        super().__init__(None, folder)
        self.openssl = openssl
        # compile the patterns once for all forks
        tool.reader()
        tool.token_character()

    def start(self, arguments):
        """Status, output, errors."""
        sys.stdout.flush()
        sys.stderr.flush()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            child = os.fork()
            if not child:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                os._exit(self.work(arguments))  # pylint: disable=protected-access
            _, status = os.waitpid(child, 0)
            output.seek(0)
            errors.seek(0)
            return os.waitstatus_to_exitcode(status), output.read(), errors.read()

    def work(self, arguments):
        """The exit status of the tool, whatever happens."""
        status = 70
        try:
            sys.modules[tool.cryptography.__module__].OpenSSL = self.openssl
            status = tool.main(arguments)
        except SystemExit as e:
            status = e.code
        except BaseException:   # pylint: disable=broad-exception-caught
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        return status


class OwnEd25519(tool.OpenSSL):
    """The openssl command, but with the oracle's Ed25519."""

    def ed25519(self, public, message, signature):
        """Whether a signature is good."""
        return not tool.has_small_order(public) and oracle.ed25519_verify(public, message, signature)


def ask_tool(command, cases):
    """The reports of the command, which runs once for each document of keys."""
    by_keys = {}
    for i, (text, keys) in enumerate(cases):
        by_keys.setdefault(keys, []).append((i, text))
    reports = {}
    for keys, entries in by_keys.items():
        lines = command.file("receipts", "".join(text + "\n" for _, text in entries))
        found = command.run("receipt", lines, "--keys", command.file("keys", keys), "--lines", "--rules", RULES)
        if len(found) != len(entries):
            raise SystemExit("%d reports for %d documents" % (len(found), len(entries)))
        reports.update(zip((i for i, _ in entries), found))
    return reports


def outcome(report):
    """The parts of a receipt's report that must agree."""
    steps = report["steps"]
    replay = steps.get("replay", {})
    differences = [(d.get("check"), d["field"]) for d in replay.get("differences", ())]
    # what neither can recompute must have the same words, at the top and in the step
    undone = report.get("incomplete"), replay.get("incomplete")
    return report["ok"], {name: step["ok"] for name, step in steps.items()}, sorted(differences, key=repr), undone


class Tally:
    """Chooses cases and counts them, and prints the first disagreements of each area."""

    def __init__(self, seed=1, share=1):
        self.cases = self.disagreements = 0
        self.seed, self.share = seed, share

    def chosen(self, cases):
        """One in `share` cases, spread over the area; at least FEW remain."""
        share = max(1, min(self.share, len(cases) // FEW))
        rng = random.Random(self.seed)
        return [rng.choice(cases[i:i + share]) for i in range(0, len(cases), share)] if share > 1 else cases

    def area(self, name, compared, good):
        """Judge an area: (what, here, there) of each case."""
        bad = 0
        for what, here, there in compared:
            if here != there:
                bad += 1
                if bad <= SHOWN:
                    print("%s\n  extension %s\n  tool      %s\n  %s" % (name, clip(repr(here)), clip(repr(there)), clip(what)))
        print("%s: %d cases, %d disagreements (%d verify)" % (name, len(compared), bad, good))
        self.cases += len(compared)
        self.disagreements += bad


def compare_receipts(tally, command, name, cases):
    """One area of receipts."""
    cases = tally.chosen([(t, k) for t, k in cases if "\n" not in t and (tally.share == 1 or len(t) < 1 << 20)])
    theirs, ours = ask_extension(cases), ask_tool(command, cases)
    compared = [("keys %s\n  %s" % (k[:300], t), outcome(theirs[i]), outcome(ours[i])) for i, (t, k) in enumerate(cases)]
    failed = [i for i, r in ours.items() if "verifier" in r["steps"]]
    for i in failed:
        print("the verifier failed on %s" % clip(cases[i][0]))
    tally.disagreements += len(failed)
    tally.area(name, compared, sum(r["ok"] for r in ours.values()))


def compare_issued(tally, command, world):
    """All that this database issued verifies, in the extension and in the tool."""
    issued = [*world.minted, *world.asked, *world.changes, world.retention, *world.decisions, *world.packets, *world.plans]
    cases = [(canonical(document), world.keys) for document in issued]
    theirs, ours = ask_extension(cases), ask_tool(command, cases)
    good = {"here": True, "there": True}
    compared = [(text, {"here": theirs[i]["ok"], "there": ours[i]["ok"]}, good) for i, (text, _) in enumerate(cases)]
    tally.area("issued", compared, sum(report["ok"] for report in ours.values()))


def compare_jsonb(tally, command, world, count):
    """Receipts as jsonb; the tool gets them as jsonb prints them."""
    texts = [t for area in (authentic, mutations) for t, _ in area(world, count)]
    rows = run_psql(AS_JSONB % (copy_in("keys", [[world.all_keys]])
                                + copy_in("cases", ((str(i), t) for i, t in enumerate(texts)))))
    ours = ask_tool(command, [(text, world.all_keys) for _, text, _ in rows])
    compared = [(text, outcome(json.loads(report)), outcome(ours[i])) for i, (_, text, report) in enumerate(rows)]
    tally.area("as jsonb", compared, sum(r["ok"] for r in ours.values()))


REPLAYS = TO_JSONB + """
CREATE FUNCTION pg_temp.compiled(question jsonb) RETURNS text LANGUAGE plpgsql AS $f$
BEGIN
    RETURN CASE jsonb_typeof(question) WHEN 'string' THEN answer.route_compile(question #>> '{}')::text ELSE 'null' END;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN 'null';
END $f$;
CREATE TEMP TABLE cases (n int, document text);
%s
COPY (SELECT n, answer_verify(j, '{}')::text, answer_replay(j)::text, answer.route_replay(j)::text,
    answer.route_replay(j, answer_route_table())::text, pg_temp.compiled(j -> 'question')
    FROM cases, pg_temp.as_jsonb(document) AS j WHERE j IS NOT NULL) TO STDOUT;
"""


def replay_rows(world, count):
    """(authentic, tampered) receipts, mostly changed where a replay looks."""
    for receipt in (*world.asked, *world.decisions[:3], *world.packets[:3]):
        found = verify_receipts.places(receipt, [])
        world.rng.deal()
        for i in {*range(min(len(found), 60)), *world.rng.sample(range(len(found)), min(len(found), count // 20))}:
            for tamper in (change_place, remove_place, rename_place):
                made = copy.deepcopy(receipt)
                world.rng.deal()
                tamper(world.rng, *verify_receipts.places(made, [])[i])
                yield receipt, made
        yield receipt, receipt
        yield from ((receipt, made) for made in demanding(receipt))


def asked(check):
    """The arguments of a check that the question gave, without the defaults of the tool."""
    filled = check.get("defaulted")
    filled = [name for name in filled if isinstance(name, str)] if isinstance(filled, list) else []
    return oracle.without(check.get("args", {}), *filled)


def routed(receipt):
    """The result of routing a question, with defaults filled in; None if the receipt has none."""
    checks = receipt.get("checks")
    if receipt.get("schema") != "answer/v1" or receipt.get("mode") != "question" or not isinstance(checks, list):
        return None
    try:
        checks = [{**tool.normal_check(c, i), "args": asked(c), "expect": c.get("expect", [])}
                  for i, c in enumerate(checks, 1)]
    except tool.Malformed:
        return None
    checks = [{**c, "expect": [c["expect"]] if isinstance(c["expect"], dict) else c["expect"]} for c in checks]
    return canonical({"question": receipt.get("question"), "route": receipt.get("route"), "checks": checks}, portable=True)


def reroutes(made, issued, compiled):
    """Whether routing the question again gives what the receipt says, by the issued receipt.

    A changed question may give the same, above all if it is refused for the same reason ("Who am I?", "Wh0o am I?").
    Then the result of compiling it counts, and nothing else may differ.
    """
    if made.get("question") != issued.get("question"):
        if compiled is None:
            return False
        issued = {**issued, **{key: compiled[key] for key in ("question", "route", "checks")}}
    return routed(made) is not None and routed(made) == routed(issued)


def compare_replays(tally, world, count):
    """Compare answer_replay with answer_verify, and the replays of routing with what was changed."""
    cases, compared = tally.chosen(list(replay_rows(world, count))), []
    rows = run_psql(REPLAYS % copy_in("cases", ((str(i), canonical(made)) for i, (_, made) in enumerate(cases))))
    for n, *reports in rows:
        (issued, made), compiled, reports = cases[int(n)], oracle.parse(reports[-1]), [json.loads(r) for r in reports[:-1]]
        verified, replayed, kept, given = reports
        step = verified["steps"].get("replay", {"ok": False})
        routing = replayed.get("routing", {"ok": True})
        same = reroutes(made, issued, compiled)
        # a table of routes that is not here proves nothing
        here = routing.get("state") != "absent"
        asks = made.get("schema") == "answer/v1" and made.get("mode") == "question"
        wanted = (step["ok"] and (same or not asks or not here), same, same,
                  [(d.get("check"), d["field"]) for d in step.get("differences", ())])
        got = (replayed["ok"], kept["ok"], given["ok"], [(d.get("check"), d["field"]) for d in replayed.get("differences", ())])
        compared.append((canonical(made), wanted, got))
    tally.area("replays", compared, sum(json.loads(r[2])["ok"] for r in rows))


# --------------------------------------------------------------------------
# Anchors under roots
# --------------------------------------------------------------------------

ANCHORS = """
CREATE TEMP TABLE cases (n int, document text, roots text, moment text);
%s
COPY (SELECT n, answer_anchor_verify(document, roots, moment::timestamptz) ->> 'outcome' FROM cases) TO STDOUT;
"""


def compare_roots(tally, command, world, count):
    """Time-stamps under trusted roots: the state must agree."""
    compared, states = [], []
    with tempfile.TemporaryDirectory() as folder:
        local = authority.Authority(folder)
        stamped = list(local.catalogue(tool.receipt_digest(world.small).hex()))
        stamped += [(n, damaged(world.rng, t), r) for n, t, r in stamped[:2] for _ in range(count)]
        combined, places = [], set()
        for name, token, roots in stamped:
            for at in (None, *(["2001-01-01T00:00:00Z", "2100-01-01T00:00:00.5Z"] if len(places) < 40 else [])):
                for pem in dict.fromkeys((roots, local.roots)):
                    places.add((pem, at))
                    combined.append((pem, at, name, canonical(anchored(world.small, token))))
        groups = {}
        for pem, at, name, text in tally.chosen(combined):
            groups.setdefault((pem, at), []).append((name, text))
        cases = [(text, pem, at, name) for (pem, at), entries in groups.items() for name, text in entries]
        rows = copy_in("cases", ((str(i), t, pem, at) for i, (t, pem, at, _) in enumerate(cases)))
        theirs = {int(n): found for n, found in run_psql(ANCHORS % rows)}
        for (pem, at), entries in groups.items():
            lines = command.file("receipts", "".join(text + "\n" for _, text in entries))
            found = command.run("receipt", lines, "--keys", command.file("keys", world.all_keys), "--lines", "--roots",
                                command.file("roots", pem), *(["--at", at] if at else []))
            states += [r["steps"]["anchor"]["state"] for r in found]
    for i, (text, _, at, name) in enumerate(cases):
        compared.append(("%s at %s: %s" % (name, at, text), theirs[i], states[i]))
    tally.area("anchors under roots", compared, states.count("verified"))


# --------------------------------------------------------------------------
# The log
# --------------------------------------------------------------------------

PROOFS = """
CREATE TEMP TABLE cases (n int, proof text, receipt text);
%s
COPY (SELECT n, answer_log_verify(proof::jsonb, receipt::jsonb, '{%s}')::text FROM cases) TO STDOUT;
"""
CHECKPOINTS = """
CREATE TEMP TABLE cases (n int, note text);
%s
COPY (SELECT n, answer_checkpoint_verify(note, '{%s}')::text FROM cases) TO STDOUT;
"""
WITNESS_SECRET = b"answer_eval witness of tests    "


def vkey_text(name, alg, public):
    """A vkey."""
    return "%s+%s+%s" % (name, tool.key_hash(name, alg, public).hex(), base64.b64encode(bytes([alg]) + public).decode())


def cosigned(note, moment):
    """A note with a cosignature by the test witness."""
    text = note[:note.rindex("\n\n") + 1]
    public = oracle.ed25519_public(WITNESS_SECRET)
    message = b"cosignature/v1\ntime %d\n" % moment + text.encode()
    data = (tool.key_hash("witness.example/w", 4, public) + moment.to_bytes(8, "big")
            + oracle.ed25519_sign(WITNESS_SECRET, message))
    return note + "\u2014 witness.example/w %s\n" % base64.b64encode(data).decode()


def tampered_proofs(rng, proofs, count):
    """(proof, receipt or None): unchanged, and with anything in them changed."""
    for proof, receipt in proofs:
        yield proof, receipt
        yield proof, None
        yield oracle.without(proof, "checkpoint"), receipt
    for _ in range(count):
        rng.deal()
        proof, receipt = copy.deepcopy(rng.choice(proofs))
        kind = rng.randrange(8)
        if kind == 0:
            receipt = rng.choice((None, [], "x", {}, rng.choice(proofs)[1], verify_receipts.NOW))
        elif kind == 1 and isinstance(receipt, dict):
            verify_receipts.edit_leaf(rng, receipt)
        elif kind == 2:
            proof["hashes"] = rng.choice((proof["hashes"][::-1], proof["hashes"][:-1], proof["hashes"] * 2, None, [],
                                          proof["hashes"] + [proof["hashes"][0] if proof["hashes"] else "x"]))
        elif kind == 3:
            key = rng.choice(("leaf_index", "tree_size", "from_size", "to_size"))
            proof[key] = rng.choice((Num("0"), Num("1"), Num("2"), Num("3.0"), Num("1e1"), Num("-1"), "1", None, Num("1.5"),
                                     Num("9223372036854775807"), Num("9223372036854775808"), Num("-0")))
        elif kind == 4:
            proof["checkpoint"] = tampered_note(rng, proof.get("checkpoint", "x"))
        else:
            container, key = verify_receipts.any_place(rng, proof)
            rng.choice((change_place, change_place, remove_place))(rng, container, key)
        yield proof, receipt


def tampered_note(rng, note):
    """A note with something in it changed."""
    if not isinstance(note, str) or not note:
        return note
    kind, place = rng.randrange(9), rng.randrange(len(note))
    lines = note.split("\n")
    if kind == 0:
        return note[:place] + rng.choice("A\n +-\u2014\u00a0\x01\t\r\x7f0") + note[place + rng.randrange(2):]
    if kind == 1:
        return note[:place]
    if kind == 2:
        return note + rng.choice((lines[-2] + "\n", "\n", "x", "\u2014 a b\n", "\u2014 a AAAAAAAA\n", lines[-2]))
    if kind == 3:
        return note.replace("\n\n", rng.choice(("\nextension\n\n", "\n\n\n", "\n", "\nextension\n\nmore\n\n")), 1)
    if kind == 4:
        rng.shuffle(lines)
        return "\n".join(lines)
    if kind == 5:
        return note + (lines[-2] + "\n") * rng.choice((1, 15, 97, 98, 99, 100))
    if kind == 6:
        return cosigned(note, rng.choice((0, 1700000000, 2 ** 63 - 1))) if "\n\n" in note else note
    if kind == 7:
        return note.replace(rng.choice(lines), rng.choice(lines), 1)
    return note


def compare_log(tally, command, world, count):
    """Compare proofs, checkpoints and the plain functions of the Merkle tree."""
    compare_merkle(tally, world, count)
    ids = [r["receipt_id"] for r in world.minted]
    ask("SELECT answer_log_seal()::text")
    vkeys = [ask("SELECT answer_log_vkey()")[0][0],
             vkey_text("witness.example/w", 4, oracle.ed25519_public(WITNESS_SECRET))]
    inclusions = [(oracle.parse(ask("SELECT answer_log_inclusion('%s')::text" % i)[0][0]), r)
                  for i, r in zip(ids, world.minted)]
    inclusions += forgotten(tally, command, world)
    last = ask("SELECT max(tree_size)::text FROM answer.checkpoint")[0][0]
    consistencies = [(oracle.parse(p), None) for p, in ask(
        "SELECT answer_log_consistency(f, %s)::text FROM generate_series(greatest(1, %s - %d), %s) f" % (last, last, 2 * count, last))]
    note = inclusions[0][0]["checkpoint"]
    compare_proofs(tally, command, "inclusion", list(tampered_proofs(world.rng, inclusions, count)), vkeys)
    compare_proofs(tally, command, "consistency", [(p, None) for p, _ in tampered_proofs(world.rng, consistencies, count)],
                   vkeys)
    notes = [note, cosigned(note, 1700000000)]
    for _ in range(count):
        world.rng.deal()
        notes.append(tampered_note(world.rng, cosigned(note, 1)))
    compare_checkpoints(tally, command, notes, vkeys)


def forgotten(tally, command, world):
    """Proofs of a forgotten receipt, with its tombstone and with the receipt; tombstones are signed documents, too."""
    if not has_function("answer_forget"):
        return []
    receipt = world.minted[-1]
    ask("SELECT answer_forget('%s', 'a test')::text" % receipt["receipt_id"])
    (body, proof), = ask("SELECT body::text, answer_log_inclusion(receipt_id)::text FROM answer.tombstone"
                         " WHERE receipt_id = '%s'" % receipt["receipt_id"])
    tombstone, proof = oracle.parse(body), oracle.parse(proof)
    made = [tombstone]
    for i in range(len(verify_receipts.places(tombstone, []))):
        made.append(copy.deepcopy(tombstone))
        world.rng.deal()
        change_place(world.rng, *verify_receipts.places(made[-1], [])[i])
    keys = ask("SELECT answer_key_registry()::text")[0][0]
    compare_receipts(tally, command, "tombstones", [(canonical(m), keys) for m in made])
    return [(proof, tombstone), (proof, receipt)]


def compare_formats(tally, command, world):
    """The database's keys in the formats that only the tool reads, compared with the registry and the map."""
    texts = [canonical(r) for r in world.minted] + [canonical({**r, "issuer": "x"}) for r in world.minted]
    compared, good = [], 0
    for kind, like in (("jwk", "answer_key_registry()"), ("pem", "answer_keys()")):
        keys, (formatted,) = ask("SELECT %s::text" % like)[0][0], ask("SELECT answer_keys('%s')::text" % kind)[0]
        theirs = ask_extension([(t, keys) for t in texts])
        ours = ask_tool(command, [(t, formatted) for t in texts])
        compared += [(formatted, outcome(theirs[i]), outcome(ours[i])) for i in range(len(texts))]
        good += sum(r["ok"] for r in ours.values())
    tally.area("formats of keys", compared, good)


def compare_proofs(tally, command, kind, cases, vkeys):
    """Compare proof documents of one kind; changed documents of another kind are left out."""
    cases = [(p, r) for p, r in cases if p.get("schema") == "answer/%s/v1" % kind]
    rows = copy_in("cases", ((str(i), canonical(p), None if r is None else canonical(r)) for i, (p, r) in enumerate(cases)))
    theirs = {int(n): json.loads(report) for n, report in run_psql(PROOFS % (rows, ",".join(vkeys)))}
    options = [o for v in vkeys for o in ("--vkey", v)]
    ours = {}
    for with_receipt in (True, False):
        numbers_ = [i for i, (_, r) in enumerate(cases) if (r is not None) == with_receipt]
        if not numbers_:
            continue
        more = ["--receipt", command.file("more", "".join(canonical(cases[i][1]) + "\n" for i in numbers_))]
        file = command.file("proofs", "".join(canonical(cases[i][0]) + "\n" for i in numbers_))
        ours.update(zip(numbers_, command.run(kind, file, "--lines", *(more if with_receipt else []), *options)))
    compared = [(canonical(p), log_outcome(theirs[i]), log_outcome(ours[i])) for i, (p, _) in enumerate(cases)]
    tally.area(kind + " proofs", compared, sum(r["ok"] for r in ours.values()))


def log_outcome(report):
    """The parts of a proof's report that must agree."""
    return report["ok"], {name: {k: v for k, v in step.items() if k != "reason"} for name, step in report["steps"].items()}


def compare_checkpoints(tally, command, notes, vkeys):
    """Signed notes."""
    # an extra newline at the end of a file does not belong to the note
    notes = [n[:-1] if n.endswith("\n\n") else n for n in notes if "\0" not in n]
    rows = copy_in("cases", ((str(i), n) for i, n in enumerate(notes)))
    theirs = {int(n): json.loads(report) for n, report in run_psql(CHECKPOINTS % (rows, ",".join(vkeys)))}
    files = [command.file("note%d" % i, n + ("\n" if n.endswith("\n") and i % 2 else "")) for i, n in enumerate(notes)]
    ours = command.run("checkpoint", *files, *(o for v in vkeys for o in ("--vkey", v)))
    compared = [(repr(n), oracle.without(theirs[i], "reason"), oracle.without(ours[i], "reason", "document"))
                for i, n in enumerate(notes)]
    tally.area("checkpoints", compared, sum(r["ok"] for r in ours))


def tree_root(leaves):
    """RFC 6962, 2.1, as it is written there."""
    if not leaves:
        return tool.EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return tool.node_hash(tree_root(leaves[:k]), tree_root(leaves[k:]))


def inclusion_path(m, leaves):
    """RFC 6962, 2.1.1."""
    if len(leaves) <= 1:
        return []
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m < k:
        return inclusion_path(m, leaves[:k]) + [tree_root(leaves[k:])]
    return inclusion_path(m - k, leaves[k:]) + [tree_root(leaves[:k])]


def consistency_path(m, leaves, whole=True):
    """RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [tree_root(leaves)]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m <= k:
        return consistency_path(m, leaves[:k], whole) + [tree_root(leaves[k:])]
    return consistency_path(m - k, leaves[k:], False) + [tree_root(leaves[:k])]


MERKLE = """
CREATE TEMP TABLE cases (n int, kind text, a bigint, b bigint, x bytea, y bytea, proof bytea[]);
%s
COPY (SELECT n, CASE kind WHEN 'i' THEN answer.merkle_inclusion(a, b, x, y, proof)
    ELSE answer.merkle_consistency(a, b, x, y, proof) END FROM cases) TO STDOUT;
"""


def compare_merkle(tally, world, count):
    """Compare the plain functions on small trees, with valid and invalid proofs."""
    rng, cases = world.rng, []
    leaves = [tool.leaf_hash(bytes([i])) for i in range(70)]
    for _ in range(4 * count):
        size = rng.randrange(1, len(leaves) + 1)
        m = rng.randrange(size)
        if rng.random() < 0.5:
            case = ["i", m, size, leaves[m], tree_root(leaves[:size]), inclusion_path(m, leaves[:size])]
        else:
            case = ["c", m, size, tree_root(leaves[:m]), tree_root(leaves[:size]),
                    consistency_path(m, leaves[:size]) if m else []]
        kind = rng.randrange(8)
        if kind < 2:
            case[1 + kind] = max(0, case[1 + kind] + rng.choice((-1, 1, 2, 2 ** 62)))
        elif kind == 2:
            rng.shuffle(case[5])
        elif kind == 3:
            case[5] = rng.choice((case[5][:-1], case[5] + [leaves[0]], case[5][1:], [leaves[0]] * 65))
        elif kind == 4:
            case[3], case[4] = case[4], case[3]
        cases.append(case)
    rows = ((str(i), k, str(a), str(b), "\\x" + x.hex(), "\\x" + y.hex(), "{%s}" % ",".join('"\\\\x%s"' % h.hex() for h in p))
            for i, (k, a, b, x, y, p) in enumerate(cases))
    theirs = {int(n): found == "t" for n, found in run_psql(MERKLE % copy_in("cases", rows))}
    ours = [(tool.inclusion_ok if c[0] == "i" else tool.consistency_ok)(*c[1:]) for c in cases]
    tally.area("merkle", [(repr(c), theirs[i], ours[i]) for i, c in enumerate(cases)], sum(ours))


# --------------------------------------------------------------------------
# The run
# --------------------------------------------------------------------------

RECEIPTS = {"authentic": authentic, "fields": fields, "mutations": mutations, "lifecycles": lifecycles,
            "key documents": key_documents, "spellings": spellings, "signatures": signatures, "numbers": numbers,
            "capped": capped, "questions": questions, "changes": changes, "decisions": decisions,
            "judgements": judgements, "packets": packets, "plans": executed,
            "retentions": retentions, "foreign": foreign, "malformed anchors": malformed_anchors, "tokens": tokens}
# Areas that run as a command also with --quick: one for each subcommand, and those about signatures. The area of keys
# starts the tool for each document, so it runs in forks, but with the command's Ed25519.
BY_COMMAND = {"issued", "authentic", "mutations", "signatures", "foreign", "tokens", "formats", "roots", "log"}
BY_COPY = {"key documents"}
# divisors of --cases for slow areas
SHARES = {"tokens": 8}


def has_function(name):
    """Whether the extension has a function of that name."""
    return ask("SELECT count(*) FROM pg_catalog.pg_proc WHERE proname = '%s'" % name)[0][0] != "0"


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=int(os.environ.get("OFFLINE_CASES", "600")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    parser.add_argument("--only", type=lambda s: s.split(","),
                        default=["issued", *RECEIPTS, "jsonb", "replays", "formats", "roots", "log"])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    return parser.parse_args()


def main():
    """Generate, ask both, compare."""
    start, options = time.time(), arguments()
    tally = Tally(options.seed, options.share)
    print("seed %d" % options.seed)
    world = World(options.seed)
    reads_tokens = has_function("answer_anchor_verify")
    unknown = {name for name, here in (("tokens", reads_tokens), ("decisions", world.decisions), ("judgements", world.judged),
                                         ("packets", world.packets), ("plans", world.plans))
               if not here}
    with tempfile.TemporaryDirectory() as folder:
        # compiled once, and run without the packages of the machine
        compiled = oracle.compile_tool(folder)
        for name in options.only:
            command = Command([sys.executable, "-S", compiled], folder)
            if options.quick and name not in BY_COMMAND:
                command = Copy(folder, tool.OpenSSL if name in BY_COPY else OwnEd25519)
            world.rng.begin(options.seed, name)
            if name in RECEIPTS and name not in unknown:
                count = options.cases // SHARES.get(name, 1)
                compare_receipts(tally, command, name, list(RECEIPTS[name](world, count)))
            elif name == "issued":
                compare_issued(tally, command, world)
            elif name == "jsonb":
                compare_jsonb(tally, command, world, options.cases // 2)
            elif name == "replays":
                compare_replays(tally, world, options.cases)
            elif name == "formats" and has_function("answer_key_import_public"):
                compare_formats(tally, command, world)
            elif name == "log" and has_function("answer_log_verify"):
                compare_log(tally, command, world, options.cases // 4)
            elif name == "roots" and reads_tokens:
                compare_roots(tally, command, world, options.cases // 8)
            else:
                print("skipped: this extension cannot be asked about %s" % name)
    print("%.1f s" % (time.time() - start))
    print("%d cases, %d disagreements" % (tally.cases, tally.disagreements))
    sys.exit(1 if tally.disagreements else 0)


if __name__ == "__main__":
    main()
