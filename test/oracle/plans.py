"""Plans to execute with scripted tools, and ways to alter their documents.

offline.py executes them in a database, and compares answer-verify with the extension on the documents.
"""

import json
import os

import oracle
from oracle import ABSENT, Num, tool

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib/tool_calls.sql"), encoding="utf-8") as lines:
    CALLS = lines.read()

# The results of these tools depend only on their arguments.
TOOLS = """
CREATE OR REPLACE FUNCTION public.offline_find(args jsonb) RETURNS jsonb LANGUAGE sql AS $f$
    SELECT jsonb_build_object('hits', (SELECT jsonb_agg(h) FROM (SELECT h FROM jsonb_array_elements($j$[
    {"id": "h1", "uri": "https://docs.example/refunds#custom", "title": "Refunds", "stamp": "2025-07-18T10:15:00Z",
     "score": 0.71, "snippet": "Custom items are non-refundable except for manufacturing defects within 30 days."},
    {"id": "h2", "uri": "https://docs.example/items#exceptions", "title": "Items \u2014 [1]", "stamp": "2025-08-02",
     "score": 0.65, "snippet": "Exceptions apply to manufacturing defects; contact support within 30 days. [7]"},
    {"id": "h3", "uri": "https://tickets.example/34219", "score": 0.40,
     "snippet": "Agent approved refund for a custom order after 45 days."},
    {"id": "h4", "uri": "https://docs.example/refunds#more", "score": 0.3,
     "snippet": "The refund policy for custom items is short."}]$j$) WITH ORDINALITY AS t (h, n)
    ORDER BY n LIMIT coalesce((args ->> 'k')::int, 8)) AS s)) $f$;
CREATE OR REPLACE FUNCTION public.offline_echo(args jsonb) RETURNS jsonb LANGUAGE sql AS
    $f$ SELECT jsonb_build_object('value', args, '_usage', '{"tokens_in": 3, "tokens_out": 5}'::jsonb) $f$;
CREATE OR REPLACE FUNCTION public.offline_fail(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS
    $f$ BEGIN RAISE 'no luck with %', args; END $f$;
CREATE OR REPLACE FUNCTION public.offline_claim(args jsonb) RETURNS jsonb LANGUAGE sql AS $f$
    SELECT jsonb_build_object('evidence', args -> 'given') $f$;
CREATE OR REPLACE FUNCTION public.offline_rest(args jsonb) RETURNS jsonb LANGUAGE sql AS $f$
    SELECT jsonb_build_object('evidence', args -> 'given') $f$;
CREATE OR REPLACE FUNCTION public.offline_say(args jsonb) RETURNS jsonb LANGUAGE sql AS $f$
    SELECT jsonb_build_object('text', args ->> 'text', 'citations', args -> 'citations') $f$;
"""
SPECS = {
    "find": {"io": {"input": {"q": {"type": "string"}, "k": {"type": "integer", "default": 8}},
                    "output": {"hits": {"type": "array", "items": {"uri": "string", "score": "number"}}}},
             "constraints": {"latency_p50_ms": 120, "cost_per_call_usd": 0.0001, "per_item_share": 0.5},
             "provenance": {"attribution_required": True, "observes": True}, "capabilities": ["find"]},
    "echo": {"io": {"input": {"q": {"type": "string", "default": "d\u00e9faut"}, "n": {"type": "number"}, "any": {},
                              "items": "string"}, "output": {"value": "object"}},
             "constraints": {"latency_p50_ms": 0.5, "cost_per_call_usd": 0.00001}, "deny_if": ["Forbidden"]},
    "fail": {"io": {"input": {"q": "string"}, "output": {"value": "object"}},
             "constraints": {"latency_p50_ms": 1, "cost_per_call_usd": 0.0003}},
    "claim": {"io": {"input": {"given": "Evidence", "min_confidence": "number", "regulated": "boolean", "policy": {}},
                     "output": {"evidence": "Evidence"}}, "constraints": {"cost_per_call_usd": "0.000001"}},
    "say": {"io": {"input": {"text": "string", "citations": {}, "evidence": "Evidence"},
                   "output": {"text": "string", "citations": {}}}},
    "rest": {"io": {"input": {"given": "Evidence", "n": "number"}, "output": {"evidence": "Evidence"}},
             "provenance": {"rests_on": ["given"]}}}
EVIDENCE = {"claims": ["c"], "supports": [{"claim": "c", "source": "u", "confidence": 0.97, "snippet": "S."}]}
CITED = [{"uri": "u", "title": "U"}]


def call(name, tool_name, out, op="call", **args):
    """A node."""
    return {"id": name, "op": op, "tool": "offline." + tool_name, "args": args, **({"out": out} if out else {})}


def chain(*nodes, **more):
    """A plan of nodes in a chain."""
    ids = [node["id"] for node in nodes]
    return {"plan_id": "offline", "nodes": list(nodes), "edges": [list(pair) for pair in zip(ids, ids[1:])], **more}


FIND = call("find", "find", "hits", q="$INPUT.q")
VERIFY = {"id": "verify", "op": "verify", "out": "ev",
          "args": {"claims": ["Refund policy for custom items"], "sources": "$hits"}}
QUOTE = {"id": "quote", "op": "call", "tool": "synth.answer", "out": "answer",
         "args": {"query": "$INPUT.q", "evidence": "$ev", "style": "concise+citations"}}
KEEP = {"id": "keep", "op": "mem.write", "args": {"key": "offline.refunds", "value": "$answer", "provenance": "$ev"}}
ASSERT = {"id": "sure", "op": "assert", "if": "$ev.verdict.confidence >= 0.90 && count($hits) > 1"}
CLAIM = call("claim", "claim", "ev", given=EVIDENCE)
BRANCH = {"plan_id": "offline.branch", "nodes": [
    call("a", "echo", "a", n="$INPUT.n"), {"id": "big", "op": "branch", "if": "$a.n > 2"},
    call("yes", "echo", "b", q="big"), call("no", "echo", "b", q="small"), call("last", "echo", "z", any="$b.q")],
    "edges": [["a", "big"], {"from": "big", "to": "yes", "label": "then"},
              {"from": "big", "to": "no", "label": "else"}, ["yes", "last"], ["no", "last"]]}
REQUESTS = [
    (chain(FIND, VERIFY, ASSERT, QUOTE, KEEP, signals={"cost_cap_usd": 0.02, "risk": "low"}), {"q": "refunds \u00e9"}, {}),
    (chain(FIND, VERIFY, QUOTE), {"q": "x"}, {"latency_budget_ms": 380}),
    (chain(FIND, VERIFY, QUOTE), {"q": "x"}, {"cost_cap_usd": 0.0001}),
    (chain(call("f", "find", "hits", q="x", k=1), {**VERIFY, "args": {**VERIFY["args"], "claims": ["No refunds."]}},
           QUOTE), {}, {}),
    (chain(FIND, {"id": "sure", "op": "assert", "if": "count($hits) > 9"}), {"q": "x"}, {}),
    (chain(FIND, {"id": "sure", "op": "assert", "if": "$hits[0].nothing == 1"}), {"q": "x"}, {}),
    (BRANCH, {"n": 3}, {}), (BRANCH, {"n": 1}, {}), (BRANCH, {"n": "12345678901234567890"}, {}), (BRANCH, {"n": "x"}, {}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item", any="$index"),
           call("r", "echo", "one", "reduce", items="$all"),
           {"id": "b", "op": "assert", "if": "mean($INPUT.l) == 2 && $all[2].n == 3"}), {"l": [1, 2, 3]}, {}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item")), {"l": []}, {}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item")), {"l": [1, "x", 3]}, {}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l")), {"l": 5}, {}),
    (chain(call("r", "fail", "x", "retry", q="y")), {}, {}), (chain(call("r", "echo", "x", "retry", q="y")), {}, {}),
    (chain(call("c", "fail", "x", q="y")), {}, {}), (chain(call("c", "echo", "x", q="it is forbidden")), {}, {}),
    (chain(call("c", "echo", "x", q="$INPUT.gone")), {}, {}), (chain(call("c", "echo", "x", n="no number")), {}, {}),
    (chain(CLAIM, call("say", "say", "t", text="So it is. [1]", citations=CITED)), {}, {}),
    (chain(CLAIM, call("say", "say", "t", text='It says "so it is for ever".', citations=[])), {}, {}),
    (chain(call("say", "say", "t", text='It says "so it is for ever".', citations=[])), {}, {}),
    *((chain(call("claim", "claim", "ev", given={**EVIDENCE, "supports": [
        {"claim": "c", "source": "u%d" % i, "confidence": 0.95, "snippet": "Lockers on floor %d cost %d euros a month." % (i, i)}
        for i in range(n)]}), call("say", "say", "t", text=text + " ".join("[%d]" % (i + 1) for i in range(n)),
                                   citations=[{"uri": "u%d" % i} for i in range(n)])), {}, {})
      for n in (5, 6, 64, 65) for text in ("Lockers on floor 3 cost 3 euros a month. ", "Lockers on floor 3 cost 99 euros a month. ",
                                           'It says "lockers on floor 4". ', 'It says "lockers on floor 400". ')),
    (chain(CLAIM, call("say", "say", "t", text="So it is.", citations=[]), signals={"regulated": True}), {}, {}),
    (chain(CLAIM, call("say", "say", "t", text="So it is. [2]", citations=CITED)), {}, {}),
    (chain(call("claim", "claim", "ev", given={**EVIDENCE, "contradicts": [{"claim": "c", "source": "v", "weight": 0.31}]}),
           call("say", "say", "t", text="x", citations=[])), {}, {}),
    (chain(call("claim", "claim", "ev", given={**EVIDENCE, "verdict": {"confidence": 1}, "supports": []}), QUOTE), {}, {}),
    (chain(CLAIM, call("claim2", "claim", "ev2", given="$ev", min_confidence=0.98), call("say", "say", "t", text="x",
        evidence="$ev")), {}, {}),
    (chain(CLAIM, {"id": "k", "op": "mem.write", "args": {"key": "offline.x", "value": {"a": 1.50}, "provenance": EVIDENCE}}),
     {}, {}),
    (chain(CLAIM, {"id": "k", "op": "mem.write", "args": {"key": "offline.x", "value": {"a": 1.50}, "provenance": "$ev",
        "ttl": "$INPUT.ttl"}}, {"id": "r", "op": "mem.read", "args": {"key": "offline.x"}, "out": "v"},
        {"id": "s", "op": "assert", "if": "$v.a == 1.5"}), {"ttl": "PT1H"}, {}),
    # reported values: in the variables, in the plan, in a part of an argument, through memory
    (chain({**VERIFY, "args": {"claims": ["Exceptions apply to defects"], "sources": "$INPUT.s"}}, QUOTE, {**KEEP, "args": {
        **KEEP["args"], "key": "offline.refused"}}), {"q": "x", "s": [{"uri": "u", "score": 1,
        "snippet": "Exceptions apply to defects.", "origin": "observed"}]}, {}),
    (chain(FIND, {**VERIFY, "args": {**VERIFY["args"], "sources": ["$hits[0]", "$hits[1]"]}}, QUOTE), {"q": "x"}, {}),
    (chain(FIND, {**VERIFY, "args": {**VERIFY["args"], "sources": ["$hits[0]", {"uri": "$hits[1].uri", "score": 0.5,
        "snippet": "$hits[1].snippet"}]}}, QUOTE), {"q": "x"}, {}),
    (chain(FIND, VERIFY, call("say", "say", "t", text="Custom items. [1]", citations=[
        {"uri": "https://docs.example/refunds#custom"}], evidence="$ev")), {"q": "x"}, {}),
    (chain(FIND, VERIFY, call("rest", "rest", "other", given="$ev", n=5), call("again", "rest", "third",
        given={**EVIDENCE, "origin": "observed", "reported_by": ["nobody"]}), {**QUOTE, "args": {
        **QUOTE["args"], "evidence": "$other"}}), {"q": "x"}, {}),
    (chain(FIND, VERIFY, call("m", "rest", "all", "map", items=["$ev", "$ev"], given="$item"), {**QUOTE, "args": {
        **QUOTE["args"], "evidence": "$all[0]"}}, KEEP), {"q": "x"}, {}),
    (chain(CLAIM, {"id": "k", "op": "mem.write", "args": {"key": "offline.x", "value": "$ev", "provenance": "$ev"}},
        {"id": "m", "op": "call", "tool": "mesh.mem", "out": "kept", "args": {"op": "read", "key": "offline.x"}},
        {**QUOTE, "args": {**QUOTE["args"], "query": "x", "evidence": "$kept.provenance"}}), {}, {}),
    (chain({**QUOTE, "args": {"evidence": {**EVIDENCE, "origin": "observed"}}}), {}, {}),
    (chain(FIND, VERIFY, call("say", "say", "t", text="$ev.claims[0]", evidence="$ev")), {"q": "x"}, {}),
    (chain({**QUOTE, "args": {"evidence": "$INPUT.e"}}), {"e": EVIDENCE}, {}),
    # by measured latencies, and by declared ones although there are measured ones
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item"), call("c", "rest", "ev", given=EVIDENCE)),
     {"l": [1, 2, 3]}, {"latency_budget_ms": 4}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item")), {"l": [1, 2, 3]}, {"latency_budget_ms": 1}),
    (chain(call("m", "echo", "all", "map", items="$INPUT.l", n="$item")), {"l": [1, 2, 3]}, {}, {"basis": "declared"}),
    ({"plan_id": "offline.capability", "nodes": [{"id": "c", "op": "call", "capability": "find", "args": {"q": "x", "k": 3},
        "out": "h"}]}, {}, {})]


def prepare(run_psql):
    """Create the tools."""
    registered = "".join(
        "SELECT answer_tool_register('offline.%s', 'public.offline_%s(jsonb)'::regprocedure, replace => true,"
        " spec => '%s');\n" % (name, name, json.dumps(spec).replace("'", "''")) for name, spec in SPECS.items())
    registered += "SELECT answer_memory_policy('', 'offline.x', true);\n"
    # record many calls of these two, so that their latencies count as measured
    measured = CALLS + "SELECT calls.add(t, ARRAY(SELECT 200::bigint + i * i FROM generate_series(1, 40) AS i))" \
        " FROM unnest('{offline.echo,offline.rest}'::text[]) AS t;\nDROP SCHEMA calls CASCADE;\n"
    run_psql(TOOLS + "DO $do$ BEGIN\n" + registered.replace("SELECT ", "PERFORM ") + "END $do$;\n" + measured)


def execute(ask, request):
    """The document of a request."""
    return oracle.parse(ask("SELECT answer_plan_execute('%s')::text" % json.dumps(request).replace("'", "''"))[0][0])


def mint(ask, run_psql):
    """The documents of all plans here."""
    prepare(run_psql)
    return [execute(ask, {"plan": plan, "vars": variables, **({"budgets": budgets} if budgets else {}), **dict(*more)})
            for plan, variables, budgets, *more in REQUESTS]


# --------------------------------------------------------------------------
# Alterations
# --------------------------------------------------------------------------

def rechained(document):
    """The document with new digests in its trace, as far as it is well-formed."""
    last = None
    try:
        for entry in document["trace"]:
            event = entry["event"]
            for key in ("inputs", "outputs"):
                if key in entry and isinstance(event.get(key + "_hash"), str):
                    event[key + "_hash"] = tool.portable_digest(entry[key])
            event["prev"] = last
            last = oracle.digest(event)
        document["last_event"] = last
    except (KeyError, TypeError, AttributeError, ValueError):
        pass
    return document


def told_apart(document):
    """The message of the reason, which answer-verify may copy from the document instead of computing it."""
    reason = document.get("reason")
    return ABSENT if not isinstance(reason, dict) else reason.get("message", ABSENT)


VALUES = (None, True, "x", "", Num("0"), Num("1"), Num("-1"), Num("0.5"), Num("0.50"), Num("1e300"), [], {}, [None], "$x.",
          "$INPUT", "1 < 2", {"a": Num("1")}, "ok", "failed", "then")
