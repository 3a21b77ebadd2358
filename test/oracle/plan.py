"""Plans: conditions, binding, verdicts of evidence, markers, references, times to live, tokens, validation and
forecast, with generated cases for each.

Nothing here uses the extension. The rules are those of tools/verify; added here are the parts that only SQL has.
"""

import datetime
import functools
import json
import os
import random
import re
import sys
from fractions import Fraction

import oracle
from oracle import ABSENT, Num, Refused, tool, wrong

# a context that never rounds
getattr(sys, "set_int_max_str_digits", int)(0)


def required(value):
    """A text argument that may not be NULL."""
    if value is None:
        raise Refused("22004")
    return value


def required_json(text):
    """A jsonb argument that may not be NULL."""
    return oracle.parse_jsonb(required(text))


def json_of(text):
    """A jsonb argument; ABSENT for NULL."""
    return ABSENT if text is None else oracle.parse_jsonb(text)


def as_sql(call):
    """Run a function; malformed input is an SQL error."""
    @functools.wraps(call)
    def called(case):
        try:
            return call(case)
        except tool.Broken as e:
            raise wrong(str(e)) from None
    return called


# --------------------------------------------------------------------------
# References and binding
# --------------------------------------------------------------------------

def bindings_of(text):
    """The bindings argument."""
    bindings = json_of(text)
    if bindings is ABSENT:
        return {}
    if not isinstance(bindings, dict):
        raise wrong("bindings")
    return bindings


@as_sql
def expect_bind(case):
    """answer.bind."""
    return tool.bound(required_json(case["args"]), bindings_of(case["bindings"]))


# --------------------------------------------------------------------------
# Conditions
# --------------------------------------------------------------------------

def expect_condition(case):
    """answer.condition."""
    text = required(case["condition"])
    bindings = bindings_of(case["bindings"])
    return {True: "holds", False: "fails", None: "error"}[tool.condition_holds(text, bindings)]


# --------------------------------------------------------------------------
# Evidence, markers, references, times to live, tokens
# --------------------------------------------------------------------------

@as_sql
def expect_verdict(case):
    """answer.evidence_verdict."""
    least = Fraction("0.90") if case["least"] is None else Fraction(case["least"])
    evidence = required_json(case["evidence"])
    if not 0 <= least <= 1:
        raise wrong("min_confidence")
    verdict = tool.judge_evidence(evidence, tool.policy_in(evidence, least, case["regulated"] == "t"))
    return {**tool.shown_verdict(verdict), "blocked": bool(verdict.reasons), "reasons": verdict.reasons}


@as_sql
def expect_markers(case):
    """answer.markers_check: whether there is no problem."""
    text, needed = required(case["text"]), required(case["needed"]) == "t"
    return not tool.marker_problems(text, json_of(case["citations"]), needed)


SPACES = re.compile("[%s]+" % re.escape(tool.WHITE_SPACE))


def reference_line(number, uri, title, stamp):
    """One line of the references."""
    title = SPACES.sub(" ", title.strip(tool.WHITE_SPACE))
    title = re.sub(r"([*\[\]])", r"\\\1", title)
    uri = "".join("".join("%%%02X" % b for b in c.encode()) if c < " " or c == "\x7f" or c in tool.WHITE_SPACE else c
        for c in uri)
    day = tool.chunk_instant(stamp) if isinstance(stamp, str) else None
    updated = ""
    if day is not None and 0 <= day // (86400 * 10 ** 6) - 1 < 3652059:
        updated = " (updated %s)" % datetime.date.fromordinal(day // (86400 * 10 ** 6)).isoformat()
    return "[%d] %s%s%s." % (number, "*%s*, " % title if title else "", uri, updated)


@as_sql
def expect_references(case):
    """answer.reference_list."""
    citations = tool.read_citations(json_of(case["citations"]))
    return "\n".join(reference_line(i, *one) for i, one in enumerate(citations, 1))


def expect_expires(case):
    """answer.memory_expires, in seconds after the write."""
    seconds = tool.ttl_seconds("P90D" if case["ttl"] is None else case["ttl"])
    if seconds is None:
        raise wrong("ttl")
    return Num(str(seconds))


def expect_tokens(case):
    """answer.tokens."""
    return Num(str(len(oracle.canonical(oracle.parse_jsonb(case["value"]))) // 4))


# --------------------------------------------------------------------------
# Plans
# --------------------------------------------------------------------------

TOOLS = """{"cheap": {"io": {"input": {"q": "string", "k": {"type": "integer", "default": 8}},
  "output": {"hits": {"type": "array"}}}, "capabilities": ["find", "read"],
  "constraints": {"latency_p50_ms": 120, "cost_per_call_usd": 0.0001, "per_item_share": 0.7}},
 "dear": {"io": {"input": {"q": "string", "k": "integer"}, "output": {"a": "string", "b": "string"}},
  "constraints": {"latency_p50_ms": 30.5, "cost_per_call_usd": 0.007, "per_item_share": 1}, "capabilities": ["find"]},
 "same": {"io": {"input": {"q": "string"}, "output": {"v": "object"}},
  "constraints": {"latency_p50_ms": 120, "cost_per_call_usd": 0.0001}, "capabilities": ["read", "write"]},
 "ground.verify": {"io": {"input": {"claims": "array", "sources": "array"}, "output": {"evidence": "Evidence"}},
  "constraints": {"latency_p50_ms": 200, "cost_per_call_usd": 0.0008, "per_item_share": 0.333}},
 "mesh.mem": {"io": {"input": {"op": "string"}, "output": {"ok": "boolean", "value": "object"}},
  "constraints": {"latency_p50_ms": 60}},
 "free": {"io": {"output": {"v": "object"}}}}"""


@functools.lru_cache(maxsize=1)
def tools():
    """The tools of all cases."""
    return oracle.parse_jsonb(TOOLS)


def expect_plan(case):
    """Whether a plan is valid."""
    try:
        tool.Plan(required_json(case["plan"]), tools())
    except tool.Broken:
        return False
    return True


def order_of(plan, rank, sides):
    """The order of execution for given outcomes of some branches; the others take both sides."""
    schedule, order = tool.Schedule(plan, rank), []
    while schedule.next() is not None:
        order.append(schedule.next())
        schedule.finish(order[-1], sides.get(order[-1]))
    return order


@as_sql
def expect_outline(case):
    """answer_test.plan_outline."""
    limits = json_of(case["limits"])
    limits = {} if limits is ABSENT else limits
    plan = tool.Plan(required_json(case["plan"]), tools(), limits.get("measured", ABSENT))
    summary = limits.get("summary")
    found = tool.forecast_of(plan, json_of(case["vars"]), tool.Limits(*(
        tool.exact(limits[key]) if key in limits else None for key in ("cost_cap_usd", "latency_budget_ms")),
        summary and [tool.exact(summary[key]) for key in ("cost_usd", "latency_ms")]))
    sides = json_of(case["sides"])
    sides = {} if sides is ABSENT else {
        key: "then" if value else "else" for key, value in sides.items() if key in plan.by_id
        and plan.by_id[key].op == "branch"}
    return {"order": order_of(plan, found.rank, sides), "bindings": plan.binders,
            "degradation": [{"step": step, "k": None if k is None else Num(str(k))} for step, k in found.steps],
            "predicted": dict(zip(("cost_usd", "latency_ms"), map(tool.portable_fraction, found.predicted)))}


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

SCALARS = ("0", "1", "-1", "2.50", "0.1", "1e2", "1e20", "12345678901234567890", "0.1234567890123456789", "1e-7",
           '"12345678901234567890"', '"0.1"', '"100000000000000000000"', '"0.00001"', '"a"', '"b"', '""', '"\\u00e9"',
           "true", "false", "null")
SHAPES = ("[]", "[1, 2, 3]", "[1, 2.0, \"12345678901234567890\"]", "[0.1, 0.2, 0.3]", '["a"]', "[1, null]", "{}",
          '{"b": 1, "a": [1.0]}', '{"a": [1], "b": 1.00}', "[[1], [1.0]]", "[1e300, -1e300, 1]")
NAMES = ("a", "b", "x", "_n1", "INPUT", "item")
TEXTS = ("'a'", "\"a\"", "'12345678901234567890'", "'0.1'", "'it\\'s'", "'\"'", "\"\\u00e9\"", "'\u00e9'", "'\\n'",
    "''", "'100000000000000000000'")
NUMBERS = ("0", "1", "2.50", "0.1", "1e2", "1e20", "12345678901234567890", "0.1234567890123456789", "6", "1E-7", "007",
    "1.", "1e", "1e200000")


def some_bindings(rng):
    """{name: value} as JSON text."""
    def value(depth=0):
        if depth < 2 and rng.random() < 0.35:
            return "{%s}" % ", ".join('"%s": %s' % (k, value(depth + 1))
                for k in rng.sample(("a", "b", "0", "c-d", "\u00e9"), rng.randrange(4)))
        return rng.choice(SHAPES if rng.random() < 0.4 else SCALARS)
    return "{%s}" % ", ".join('"%s": %s' % (name, value()) for name in NAMES if rng.random() < 0.8)


def some_reference(rng):
    """A reference, perhaps a malformed one."""
    steps = (".a", ".b", ".0", "[0]", "[1]", ".c-d", ".\u00e9", "[2]", ".b", "..", "[x]", "[01]")
    weights = (9, 9, 4, 4, 4, 2, 2, 2, 2, 0.2, 0.2, 0.5)
    return "$" + rng.choice(NAMES + ("q",)) + "".join(rng.choices(steps, weights,
        k=rng.choice((0, 0, 0, 1, 1, 2, 3, 9 if rng.random() < 0.05 else 1))))


def some_prim(rng, depth):
    """An operand."""
    roll = rng.random()
    if roll < 0.3 or depth > 4:
        return some_reference(rng)
    if roll < 0.5:
        return rng.choice(NUMBERS[:10] if rng.random() < 0.95 else NUMBERS)
    if roll < 0.6:
        return rng.choice(TEXTS)
    if roll < 0.68:
        return rng.choice(("true", "false", "null"))
    if roll < 0.78:
        return "%s%s(%s)" % (rng.choice(("mean", "min", "max", "count")), rng.choice(("", "", " ")),
            some_reference(rng))
    if roll < 0.84:
        return "-" + some_prim(rng, depth + 1)
    return ("!(%s)" if rng.random() < 0.4 else "(%s)") % some_truth(rng, depth + 1)


def some_truth(rng, depth=0):
    """A condition, mostly one that parses."""
    if depth < 4 and rng.random() < 0.4:
        return rng.choice((" || ", "&&", " && ", "||\n")).join(some_truth(rng, depth + 1)
            for _ in range(rng.choice((2, 2, 3))))
    if rng.random() < 0.08:
        return some_prim(rng, depth)
    return some_prim(rng, depth) + rng.choice((" %s ", "%s")) % rng.choice((">=", "<=", "<", ">", "==", "!=",
        "==")) + some_prim(rng, depth)


def spoilt(rng, text, signs="()!-&|<>=$.[]'\"\\ 1a"):
    """A text with some characters changed."""
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice((rng.choice(signs), "")) + text[at + rng.randrange(2):]
    return text


def typed_bindings(rng):
    """Values that typed_truth knows the types of."""
    number = lambda: rng.choice(("0", "1", "2.50", "6", "0.91", "-1", "12345678901234567890", '"12345678901234567890"',
        '"0.00001"'))
    numbers = lambda: "[%s]" % ", ".join(number() for _ in range(rng.choice((1, 2, 3, 9))))
    return '{"n": {"a": %s, "b": [%s]}, "t": %s, "l": %s, "f": %s, "o": %s}' % (
        number(), number(), rng.choice(('"a"', '"b"', '"0.1"', '""')), numbers(), rng.choice(("true", "false")),
        rng.choice(SHAPES))


def typed_number(rng, depth=0):
    """An expression that is a number."""
    roll = rng.random()
    if depth < 3 and roll < 0.15:
        return "-" + typed_number(rng, depth + 1)
    if roll < 0.4:
        return rng.choice(("$n.a", "$n.b[0]", "$l.0"))
    if roll < 0.7:
        return "%s($l)" % rng.choice(("mean", "min", "max", "count"))
    return rng.choice(NUMBERS[:10])


def typed_truth(rng, depth=0):
    """A condition without an error."""
    roll = rng.random()
    if depth < 4 and roll < 0.35:
        return "(%s) %s %s" % (typed_truth(rng, depth + 1), rng.choice(("&&", "||")), typed_truth(rng, depth + 1))
    if depth < 4 and roll < 0.45:
        return "!(%s)" % typed_truth(rng, depth + 1)
    if roll < 0.5:
        return rng.choice(("$f", "true", "!$f"))
    if roll < 0.65:
        return "%s %s %s" % (rng.choice(TEXTS[:2] + TEXTS[3:6] + ("$t",)),
            rng.choice(("<", "<=", ">", ">=", "==", "!=")), rng.choice(("$t", "'a'", "''")))
    if roll < 0.8:
        return "%s %s %s" % (rng.choice(("$o", "$l", "$n", "null", "$t")), rng.choice(("==", "!=")),
            rng.choice(("$o", "$l", "null", "'a'", "1")))
    return "%s %s %s" % (typed_number(rng), rng.choice(("<", "<=", ">", ">=", "==", "!=")), typed_number(rng))


def condition_case(rng):
    """A case of answer.condition."""
    if rng.random() < 0.6:
        return {"condition": typed_truth(rng), "bindings": typed_bindings(rng)}
    return {"condition": None if rng.random() < 0.003 else spoilt(rng, some_truth(rng)),
            "bindings": None if rng.random() < 0.02 else "[]" if rng.random() < 0.003 else some_bindings(rng)}


def bind_case(rng):
    """A case of answer.bind."""
    def value(depth=0):
        roll = rng.random()
        if depth < 3 and roll < 0.3:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        if depth < 3 and roll < 0.6:
            return {rng.choice(("k", "$a", "$$a", "z")): value(depth + 1) for _ in range(rng.randrange(4))}
        if roll < 0.85:
            text = some_reference(rng) if rng.random() < 0.5 else "$" + rng.choice(NAMES[:4])
            return rng.choice((text, text, text, "$" + text, text + " ", "x" + text, "$", "$5", "$$", "", "$a b",
                "$a.b c"))
        return rng.choice((1, None, True, 0.5))
    return {"args": None if rng.random() < 0.01 else json.dumps(value()), "bindings": some_bindings(rng)}


def some_share(rng):
    """A number from 0 to 1 as JSON text, rarely another one."""
    if rng.random() < 0.02:
        return rng.choice(("1.1", "-0.1", '"a"', "null", '"0.5"', "[]"))
    return rng.choice(("0", "1", "0.93", "0.18", "0.5", "0.90", "0.950", "0.005", "0.125", "0.995",
                       "0.9000000000000000000001", '"0.9000000000000000000001"', "1e-30", '"0.00001"',
                       "%.2f" % rng.random(),
                       "%.3f" % rng.random(), repr(rng.random())))


def verdict_case(rng):
    """A case of answer.evidence_verdict."""
    claims = [rng.choice(("a", "b", "c", "")) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))]

    def entries(number, most):
        return "[%s]" % ", ".join('{"claim": %s, "%s": %s}' % (
            json.dumps(rng.choice(claims) if claims and rng.random() < 0.99 else "z"), number, some_share(rng))
            for _ in range(rng.randrange(most)))
    members = ['"claims": %s' % json.dumps(claims)] if rng.random() < 0.99 else ['"claims": [1]']
    members += ['"supports": ' + (entries("confidence", 4) if rng.random() < 0.99 else "{}")] * (rng.random() < 0.95)
    members += ['"contradicts": ' + entries("weight", 3)] * (rng.random() < 0.7)
    members += ['"policy": {"cite_if_confidence_below": %s}' % some_share(rng)] * (rng.random() < 0.2)
    members += ['"related": %s' % rng.choice(("[]", "[1]", "{}"))] * (rng.random() < 0.1)
    members += ['"verdict": {"confidence": 1}'] * (rng.random() < 0.2)
    return {"evidence": None if rng.random() < 0.005 else "{%s}" % ", ".join(members) if rng.random() < 0.99 else "[]",
            "least": rng.choice((None, None, "0.90", "0.5", "0.8", "0.85", "1", "1.5", "-1", "0.915")),
            "regulated": rng.choice(("t", "f", None))}


def some_citations(rng, count):
    """Citations as JSON text."""
    found = []
    for i in range(count):
        one = {"uri": rng.choice(("https://docs.acme.example/a#b", "u%d" % i, "a b\n[9] c", "\u00e9\u2028", "x\u0007"))}
        if rng.random() < 0.8:
            one["title"] = rng.choice(("Refund Policy \u2192 Custom Items", "a  b\n c", " *x* [1] ",
                "\u00a0\u2003t\u3000u ", "", None, "back\\slash"))
        if rng.random() < 0.8:
            one["stamp"] = rng.choice(("2025-07-18T10:15:00Z", "2025-08-02", "2025-01-01T00:30:00+02:00",
                                       "0001-01-01T00:30:00+02:00", "9999-12-31T23:30:00-02:00",
                                       "2024-02-29T12:00:00.123456", "yesterday", "",
                                       None, "2025-02-30"))
        if rng.random() < 0.02:
            one = rng.choice((1, {}, {"uri": ""}, {"uri": 5}, {"uri": "a", "title": 1}, {"uri": "a", "stamp": 1}))
        found.append(one)
    return json.dumps(found) if rng.random() < 0.99 else rng.choice(("{}", '"a"'))


def markers_case(rng):
    """A case of answer.markers_check."""
    count = rng.choice((0, 1, 2, 3, 12))
    numbers = [str(i) for i in range(1, count + 1)]
    if rng.random() < 0.4:
        numbers.insert(rng.randrange(len(numbers) + 1), rng.choice(("1", "2", "0", "01", "99999999999999999999",
            str(count + 1), "4294967297")))
    if rng.random() < 0.15 and numbers:
        numbers.pop(rng.randrange(len(numbers)))
    if rng.random() < 0.1:
        rng.shuffle(numbers)
    text = rng.choice(("", "a ")) + "".join(rng.choice(("[%s]", "x [%s]. ", "[[%s]]", "a[%s]")) % n
        for n in numbers) + rng.choice(("", " end", "[", "[]", "[x]", "[ 1]", "[\u0661]"))
    return {"text": None if rng.random() < 0.005 else text, "citations": None if rng.random() < 0.1
        else some_citations(rng, count),
            "needed": rng.choice(("t", "f", "f", None) if rng.random() < 0.02 else ("t", "f"))}


def references_case(rng):
    """A case of answer.reference_list."""
    return {"citations": None if rng.random() < 0.01 else some_citations(rng, rng.choice((0, 1, 1, 2, 3)))}


def expires_case(rng):
    """A case of answer.memory_expires."""
    count = lambda: rng.choice(("0", "1", "7", "007", "180", "3650000", "3650001", "9" * 30, "315360000000",
        str(rng.randrange(10 ** 6))))
    text = "P" + "".join((count() + "D") * (rng.random() < 0.6))
    if rng.random() < 0.5:
        text += "T" + "".join((count() + unit) * (rng.random() < 0.6) for unit in "HMS")
    return {"ttl": None if rng.random() < 0.05 else spoilt(rng, text, "PDTHMSWYpd -+.,0123")}


def tokens_case(rng):
    """A case of answer.tokens."""
    return {"value": some_bindings(rng)}


def some_nodes(rng):
    """The nodes of a plan, which are mostly valid, binding names."""
    names, nodes = [], []
    for i in range(rng.choice((1, 2, 3, 4, 5, 6, 7, 8))):
        op = rng.choice(("call", "call", "call", "map", "reduce", "assert", "mem.read", "mem.write", "verify", "retry",
            "branch", "branch", "branch"))
        read = lambda: "$" + rng.choice(names) if names and rng.random() < 0.6 else rng.choice(("$INPUT.x", "text",
            "$INPUT.list"))
        node = {"id": "n%d" % i, "op": op}
        if op in ("assert", "branch"):
            node["if"] = "%s == %s" % (read() if names else "$INPUT.x", rng.choice(("1", "'a'")))
            node["if"] = node["if"] if node["if"][0] == "$" else "1 < 2"
        else:
            node["args"] = {"q": read(), **({"k": rng.choice((1, 2, 5, 8, 9, "$INPUT.k", 2.5, 0))}
                if rng.random() < 0.4 else {})}
            if op in ("call", "map", "reduce", "retry"):
                if rng.random() < 0.2:
                    node["capability"] = rng.choice(("find", "read", "write"))
                else:
                    node["tool"] = rng.choice(("cheap", "dear", "same", "free", "cheap", "ground.verify"))
            if op == "verify" or node.get("tool") == "ground.verify":
                node["args"]["sources"] = rng.choice((read(), read(), ["a", "b"], "$INPUT.list"))
            if op in ("map", "reduce"):
                node["args"]["items"] = rng.choice((["a"], ["a", "b", "c"], [], read(), "$INPUT.list")) 
                node["args"]["items"] = node["args"]["items"] if node["args"]["items"] != "text" else ["t"]
                if op == "map" and rng.random() < 0.5:
                    node["args"]["q"] = "$item"
            if op == "mem.write":
                node["args"].update(provenance=read(), ttl=rng.choice(("P1D", "P180D", "$INPUT.ttl")))
        if op not in ("assert", "branch", "mem.write") or rng.random() < 0.05:
            node["out"] = rng.choice(names) if names and rng.random() < 0.25 else "v%d" % i
            names.append(node["out"])
        nodes.append(node)
    return nodes


def some_edges(rng, nodes):
    """Edges, to most nodes from the one before."""
    edges = set()
    for b in range(1, len(nodes)):
        for a in {b - 1} if rng.random() < 0.75 else set(rng.sample(range(b), rng.randrange(min(b, 3) + 1))):
            label = rng.choice(("then", "else")) if nodes[a]["op"] == "branch" else None
            edges.add((nodes[a]["id"], nodes[b]["id"], label))
            if label and rng.random() < 0.2:
                edges.add((nodes[a]["id"], nodes[b]["id"], "then" if label == "else" else "else"))
    edges = sorted(edges, key=str)
    rng.shuffle(edges)
    return [{"from": a, "to": b, "label": label} if label else rng.choice(([a, b], {"from": a, "to": b}))
            for a, b, label in edges]


# Valid and invalid values of members; "gone" removes the member.
PLAN_CHANGES = {
    "plan_id": ("", "x" * 200, "x" * 201, "\u00e9" * 200, 5, "gone"), "extra": (1,), "intent": ("", "faq", None),
    "signals": ({"risk": "none"}, {"cost_cap_usd": -1}, {"latency_budget_ms": 0}, {"regulated": 1}, [], {"x": 1},
                {"cost_cap_usd": "0.00001"}, {"risk": "high", "regulated": True}),
    "stop_conditions": ({"max_nodes": 3}, {"max_nodes": 0.5}, {"max_nodes": 10 ** 30}, {}, {"x": 1}),
    "nodes": ([], "gone"), "edges": (None, {}, [[]], [[1, 2]], [], "gone")}
NODE_CHANGES = {
    "id": ("n0", "", 7, "i" * 201, "\u00e9" * 200), "op": ("spawn", "Call", "call", "branch", "assert"), "tool": ("cheap", "nobody", 5, "gone"),
    "capability": ("find", "fly", None), "extra": (1,), "out": ("v0", "INPUT", "item", "1x", "", 5, "gone"),
    "args": ([], {}, {"q": "$v0..x"}, {"q": "$$v0"}, {"q": "$item"}, {"items": ["$index"]}, "gone"),
    "if": ("1 <", "$v0 > 1", "", "1 < 2", "gone")}


def spoil_plan(rng, plan):
    """Change a plan, mostly so that it is invalid."""
    node = rng.choice(plan["nodes"])
    ends = [rng.choice(plan["nodes"])["id"], rng.choice(plan["nodes"])["id"]]
    roll = rng.random()
    if roll < 0.2:
        plan["edges"].append(rng.choice((ends, [ends[0], "nobody"], {"from": ends[0], "to": ends[1], "label": "then"})))
    elif roll < 0.3:
        node.setdefault("args", {})["ttl"] = rng.choice(("P1Y", "PT1S", 5, None, "$v0"))
    else:
        where, changes = rng.choice(((plan, PLAN_CHANGES), (node, NODE_CHANGES)))
        key = rng.choice(list(changes))
        value = rng.choice(changes[key])
        if value == "gone":
            where.pop(key, None)
        else:
            where[key] = value


def some_plan(rng, wrong_share):
    """A plan as JSON text."""
    nodes = some_nodes(rng)
    plan = {"plan_id": "p", "nodes": nodes, "edges": some_edges(rng, nodes)}
    if rng.random() < wrong_share:
        spoil_plan(rng, plan)
    return json.dumps(plan)


def branching_plan(rng):
    """A plan with branches, as JSON text. Some nodes bind the same name: it is valid if no outcome executes two of them."""
    nodes = [{"id": "n%d" % i, "op": "branch", "if": "$INPUT.x == 1"} if rng.random() < 0.5 else
             {"id": "n%d" % i, "op": "call", "tool": "cheap", "out": "v%d" % i}
             for i in range(rng.choice((3, 4, 5, 6, 7)))]
    edges = set()
    for b in range(1, len(nodes)):
        for a in rng.sample(range(b), min(b, rng.choice((1, 1, 1, 2, 2, 3)))):
            label = rng.choice(("then", "else")) if nodes[a]["op"] == "branch" else None
            edges.add((nodes[a]["id"], nodes[b]["id"], label))
    calls = [node for node in nodes if node["op"] == "call"]
    for node in rng.sample(calls, min(len(calls), rng.choice((2, 2, 3)))):
        node["out"] = "v"
    rng.shuffle(nodes)
    return json.dumps({"plan_id": "p", "nodes": nodes, "edges": [
        {"from": a, "to": b, "label": label} if label else [a, b] for a, b, label in sorted(edges, key=str)]})


def plan_case(rng):
    """A case of answer_test.plan_problems."""
    return {"plan": branching_plan(rng) if rng.random() < 0.4 else some_plan(rng, 0.35)}


def outline_case(rng):
    """A case of answer_test.plan_outline."""
    limits = {}
    if rng.random() < 0.6:
        limits["cost_cap_usd"] = rng.choice((0, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.1))
    if rng.random() < 0.4:
        limits["latency_budget_ms"] = rng.choice((0, 50, 100, 200, 300, 500, 1000))
    if rng.random() < 0.3:
        limits["summary"] = {"cost_usd": rng.choice((0, 0.0012)), "latency_ms": rng.choice((0, 140))}
    if rng.random() < 0.4:
        # measured latencies, with the fractions that percentiles of whole microseconds can have
        limits["measured"] = {name: {"p50_ms": rng.choice((0, 0.019, 0.3955, 12.34505, rng.randrange(10 ** 8) / 10 ** 5)),
            "calls": rng.choice((30, 31, 1000))} for name in tools() if rng.random() < 0.6}
    return {"plan": branching_plan(rng) if rng.random() < 0.2 else some_plan(rng, 0.02),
        "limits": json.dumps(limits) if limits else None,
            "vars": rng.choice((None, '{"x": 1, "k": 6, "list": [1, 2, 3, 4]}', '{"k": "6", "list": []}')),
            "sides": rng.choice((None, json.dumps({"n%d" % i: rng.random() < 0.5 for i in range(8)
            if rng.random() < 0.8})))}


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"condition": 10, "bind": 3, "evidence_verdict": 6, "markers": 2, "references": 2, "expires": 2, "tokens": 1,
          "plan": 6, "outline": 8}
GENERATORS = {"condition": condition_case, "bind": bind_case, "evidence_verdict": verdict_case, "markers": markers_case,
              "references": references_case, "expires": expires_case, "tokens": tokens_case, "plan": plan_case,
              "outline": outline_case}
COLUMNS = {"condition": ("condition", "bindings"), "bind": ("args", "bindings"),
           "evidence_verdict": ("evidence", "least", "regulated"),
           "markers": ("text", "citations", "needed"), "references": ("citations",), "expires": ("ttl",),
           "tokens": ("value",),
           "plan": ("plan",), "outline": ("plan", "vars", "limits", "sides")}
with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib", "answer_test.sql"),
          encoding="utf-8") as file:
    TEST_FUNCTIONS = file.read()
CALLS = {
    "condition": "answer.condition(a[1], a[2]::jsonb)::text",
    "bind": "answer.bind(a[1]::jsonb, a[2]::jsonb)::text",
    "evidence_verdict": "answer.evidence_verdict(a[1]::jsonb, a[2]::numeric, a[3]::boolean)::text",
    "markers": "answer.markers_check(a[1], a[2]::jsonb, a[3]::boolean)::text",
    "references": "to_jsonb(answer.reference_list(a[1]::jsonb))::text",
    "expires": "extract(epoch FROM answer.memory_expires(a[1], '2026-03-31Z'))::bigint"
               " - extract(epoch FROM '2026-03-31Z'::timestamptz)::bigint",
    "tokens": "answer.tokens(a[1]::jsonb)::text",
    "plan": "(NOT EXISTS (SELECT FROM answer_test.plan_problems(a[1]::jsonb, $tools$%s$tools$)))::text" % TOOLS,
    "outline": "answer_test.plan_outline(a[1]::jsonb, $tools$%s$tools$, a[2]::jsonb, a[3]::jsonb, a[4]::jsonb)::text" %
               TOOLS,
}
EXPECT = {"condition": expect_condition, "bind": expect_bind, "evidence_verdict": expect_verdict,
    "markers": expect_markers,
          "references": expect_references, "expires": expect_expires, "tokens": expect_tokens, "plan": expect_plan,
          "outline": expect_outline}


def condition_agrees(want, text):
    """Compare the outcome; there must be a reason exactly if it does not hold."""
    got = oracle.parse(text)
    return set(got) == {"outcome", "reason"} and got["outcome"] == want and (got["reason"] is None) == (want == "holds")


def markers_agree(want, text):
    """Compare the outcome; there must be problems exactly if it is not right."""
    got = oracle.parse(text)
    return set(got) == {"ok", "problems"} and got["ok"] is want and (got["problems"] == []) == want


def value_agrees(want, text):
    """Compare JSON values, numbers by value."""
    return tool.canonical(oracle.parse(text), portable=True) == tool.canonical(want, portable=True)


AGREES = {**dict.fromkeys(SHARES, value_agrees), "condition": condition_agrees, "markers": markers_agree}
