#!/usr/bin/python3
# tiers: check test
"""Tests of how plan.py reads plans; what they expect was worked out by hand from the contract.

That it agrees with the extension is for compare.py to show.
"""

import json
import unittest
from fractions import Fraction

import oracle
import plan
from oracle import Num, Refused

SEED = """{"plan_id": "acme.refund.v1", "signals": {"latency_budget_ms": 1500, "cost_cap_usd": 0.02, "risk": "low"},
 "nodes": [
  {"id": "n1", "op": "call", "tool": "doc.search", "args": {"q": "refund policy custom items", "k": 8}, "out": "hits1"},
  {"id": "n2", "op": "call", "tool": "ground.verify", "args": {"claims": ["Refund policy for custom items"],
   "sources": "$hits1", "min_confidence": 0.90}, "out": "ev1"},
  {"id": "n3", "op": "assert", "if": "$ev1.verdict.confidence >= 0.90"},
  {"id": "n4", "op": "call", "tool": "synth.answer", "args": {"query": "$INPUT.query", "evidence": "$ev1",
   "style": "concise+citations"}, "out": "ans"},
  {"id": "n5", "op": "mem.write", "tool": "mesh.mem", "args": {"op": "write", "key": "faq.refunds.custom",
   "value": "$ans", "provenance": "$ev1", "ttl": "P180D"}}],
 "edges": [["n1", "n2"], ["n2", "n3"], ["n3", "n4"], ["n4", "n5"]], "stop_conditions": {"max_nodes": 10}}"""
TOOLS = """{"doc.search": {"constraints": {"latency_p50_ms": 120, "cost_per_call_usd": 0.0001},
  "io": {"input": {"q": "string", "k": {"default": 8}}, "output": {"hits": "array"}}},
 "ground.verify": {"constraints": {"latency_p50_ms": 200, "cost_per_call_usd": 0.0008},
  "io": {"input": {"sources": "array"}, "output": {"evidence": "Evidence"}}},
 "synth.answer": {"constraints": {"latency_p50_ms": 140, "cost_per_call_usd": 0.0012}},
 "mesh.mem": {"constraints": {"latency_p50_ms": 60}}}"""


def condition(text, **bindings):
    """The outcome of a condition."""
    return plan.expect_condition({"condition": text, "bindings": json.dumps(bindings)})


class Conditions(unittest.TestCase):
    """Outcomes."""

    def test_outcomes(self):
        for text, want in (("$a >= 0.90", "holds"), ("$a < 0.9", "fails"), ("!$a", "error"), ("$b || true", "error"),
                           ("1 < 2 == true", "error"), ("true || false && false", "holds"), ("- -1 == 1", "holds"),
                           ("mean($l) == 2 && count($l) == 3", "holds"), ("'1' == 1", "fails"), ("", "error"),
                           ("'12345678901234567890' > 1", "holds"), ("'0.1' > 0", "error"), ("$l[0] == $l.0", "holds"),
                           ("'it\\'s' == \"it's\"", "holds"), ("007 == 7", "error"), ("$l == 1", "fails")):
            self.assertEqual(condition(text, a=0.91, l=[1, 2, 3]), want, text)

    def test_thirds(self):
        self.assertEqual(condition("mean($l) == 0.33333333333333333333", l=[1, 0, 0]), "fails")
        self.assertEqual(condition("mean($l) == mean($m)", l=[1, 0, 0], m=[2, 1, 1] + [0] * 9), "holds")


class Binding(unittest.TestCase):
    """References in arguments."""

    def test_strings(self):
        bindings = {"a": {"b": [Num("1")], "c d": "x"}}
        for text, want in (("$a.b[0]", Num("1")), ("$a.c d", "x"), ("$$a", "$a"), ("$5", "$5"), ("x $a", "x $a"),
                           ("$a ", "$a "), ("$", "$")):
            self.assertEqual(plan.bound(text, bindings), want, text)
        for text in ("$b", "$a.", "$a..b", "$a[b]", "$a.b[0]x", "$a.b[1]", "$a.1.2.3.4.5.6.7.8.9"):
            with self.assertRaises(Refused, msg=text):
                plan.bound(text, bindings)


class Evidence(unittest.TestCase):
    """ground-conf/1."""

    def test_seed(self):
        found = plan.verdict({"claims": ["c"], "supports": [{"claim": "c", "confidence": Num("0.93")}],
                              "contradicts": [{"claim": "c", "weight": Num("0.18")}]}, Fraction("0.90"), False)
        self.assertEqual(found, {"confidence": Num("0.91"), "contradictions": Num("0.18"), "needs_citation": True,
                                 "blocked": False, "reasons": []})

    def test_ends(self):
        for s, w, want in (("1", "1", "0"), ("0.5", "0.5", "0"), ("0.4", "0.5", "0"), ("1", "0.3", "1")):
            found = plan.verdict({"claims": ["c"], "supports": [{"claim": "c", "confidence": Num(s)}],
                                  "contradicts": [{"claim": "c", "weight": Num(w)}]}, Fraction("0.90"), False)
            self.assertEqual(found["confidence"], Num(want), (s, w))


class Plans(unittest.TestCase):
    """Validation and forecast of the seed's plan."""

    def setUp(self):
        self.tools = oracle.parse_jsonb(TOOLS)
        self.raw = oracle.parse_jsonb(SEED)

    def forecast(self, *limits):
        """What a plan comes to within limits of cost and latency."""
        return plan.Plan(self.raw, self.tools).forecast(oracle.ABSENT, [*map(Fraction, limits), None])

    def test_seed(self):
        sums, steps, rank = self.forecast("0.02", "1500")
        self.assertEqual((sums, steps), ([Fraction("0.0021"), 520], []))
        self.assertEqual(plan.Plan(self.raw, self.tools).run(rank, {}), ["n1", "n2", "n3", "n4", "n5"])
        self.assertEqual(self.forecast("0.0021", "520")[1], [])

    def test_degradation(self):
        self.tools["doc.search"]["constraints"]["per_item_share"] = Num("0.5")
        sums, steps, _ = self.forecast("0.02", "490")
        self.assertEqual((sums[1], steps), (490, [{"step": "k", "k": Num("4")}]))
        steps = self.forecast("0.02", "400")[1]
        self.assertEqual([step["step"] for step in steps], ["k", "k", "k", "depth", "refused"])

    def test_invalid(self):
        for change in (lambda p: p["nodes"].clear(), lambda p: p["edges"].append(["n4", "n1"]),
                       lambda p: p["nodes"][0].update(out="ev1"), lambda p: p["nodes"][0]["args"].update(q="$ans"),
                       lambda p: p["nodes"][2].update({"if": "$ev1 >"}), lambda p: p["edges"].append(["n1", "n2"]),
                       lambda p: p["nodes"][4]["args"].pop("provenance"), lambda p: p.update(x=1)):
            raw = oracle.parse_jsonb(SEED)
            change(raw)
            with self.assertRaises(plan.Invalid):
                plan.Plan(raw, self.tools)


if __name__ == "__main__":
    unittest.main()
