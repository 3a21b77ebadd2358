#!/usr/bin/python3
# tiers: check test
"""Tests of plan.py; the expected results were worked out by hand from doc/spec/plan.md.

compare.py compares it with the extension.
"""

import copy
import itertools
import json
import random
import unittest
from fractions import Fraction

import decision
import oracle
import plan
from oracle import Num, tool

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
            self.assertEqual(tool.bound(text, bindings), want, text)
        for text in ("$b", "$a.", "$a..b", "$a[b]", "$a.b[0]x", "$a.b[1]", "$a.1.2.3.4.5.6.7.8.9"):
            with self.assertRaises(tool.Broken, msg=text):
                tool.bound(text, bindings)


class Evidence(unittest.TestCase):
    """ground-conf/1."""

    @staticmethod
    def of(confidence, weight):
        """The verdict on one support and one contradiction."""
        evidence = {"claims": ["c"], "supports": [{"claim": "c", "confidence": Num(confidence)}],
                    "contradicts": [{"claim": "c", "weight": Num(weight)}]}
        return tool.judge_evidence(evidence, tool.policy_in(evidence))

    def test_seed(self):
        found = self.of("0.93", "0.18")
        self.assertEqual(tool.shown_verdict(found), {"confidence": Num("0.91"), "contradictions": Num("0.18"),
                                                     "needs_citation": True})
        self.assertEqual((found.reasons, found.supports), ([], 1))

    def test_ends(self):
        for s, w, want in (("1", "1", "0"), ("0.5", "0.5", "0"), ("0.4", "0.5", "0"), ("1", "0.3", "1")):
            self.assertEqual(self.of(s, w).confidence, Fraction(want), (s, w))


HITS = """[{"uri": "https://docs.acme.example/policies/refunds.html#custom", "score": 0.71, "title": "Refund Policy",
  "stamp": "2025-07-18T10:15:00Z",
  "snippet": "Custom items are non\u2011refundable except for manufacturing defects within 30 days."},
 {"uri": "https://docs.acme.example/policies/custom-items.pdf#exceptions", "score": 0.65, "title": "Exceptions",
  "stamp": "2025-08-02T09:00:00Z",
  "snippet": "Exceptions apply to manufacturing defects; contact support within 30 days."},
 {"uri": "https://support.acme.example/tickets/34219", "score": 0.40,
  "snippet": "Agent approved refund for a custom order after 45 days."}]"""
CLAIM = "Refund policy for custom items"


def verified(claims, hits, judging=None, judgements=()):
    """ground-verify/2."""
    return tool.Verification(claims, hits, decision.rules_of(None), tool.panel_of(judging, list(judgements)))


def brief(entries, key):
    """(source's number or name, confidence or weight) of entries."""
    return [(one["source"].rpartition("/")[2], one[key].text) for one in entries]


class Verifying(unittest.TestCase):
    """ground-verify/2."""

    def setUp(self):
        self.hits = oracle.parse_jsonb(HITS)

    def test_seed(self):
        found = verified([CLAIM], self.hits).evidence()
        self.assertEqual(brief(found["supports"], "confidence"), [("refunds.html#custom", "0.93")])
        self.assertEqual(brief(found["contradicts"], "weight"), [("34219", "0.18")])
        self.assertEqual([one["source"] for one in found["related"]], [self.hits[1]["uri"]])
        answer = tool.synthesis({"claims": [CLAIM], **found})
        self.assertEqual(answer["text"],
            "Custom items are non\u2011refundable except for manufacturing defects within 30 days. [1] Exceptions apply "
            "to manufacturing defects; contact support within 30 days. [2]")
        self.assertEqual([one["title"] for one in answer["citations"]], ["Refund Policy", "Exceptions"])

    def test_opposite_never_supports(self):
        for snippet in ("There is no refund policy for custom items.", "The refund policy isn't for custom items."):
            self.hits[0]["snippet"] = snippet
            found = verified([CLAIM], self.hits[:2]).evidence()
            self.assertEqual((found["supports"], found["related"]), ([], []), snippet)

    def test_opposite_is_related_to_no_claim(self):
        hits = [{"uri": uri, "score": Num("0.9"), "snippet": snippet} for uri, snippet in (
            ("a", "Custom items never shipped late."), ("b", "The refund policy for order 45 is free."), ("c", "Custom items shipped late; free order."))]
        claims = ["Custom items never shipped late", "Refund policy for order 45"]
        self.assertEqual(verified(claims, hits).evidence()["related"], [])

    def test_judged(self):
        hit, judging = self.hits[0], {"judge_entailment": ["nli"], "support_min": Num("0.5"), "contradict_min": Num("0.5")}
        passage = hit["title"] + "\n" + hit["snippet"] if hit.get("title") else hit["snippet"]
        for relation, supports, contradicts in (("supports", [("refunds.html#custom", "0.95")], []),
                                                ("contradicts", [], [("refunds.html#custom", "0.97")]), ("neutral", [], [])):
            said = {"pair": tool.pair_digest("entailment", CLAIM, passage), "judge": "nli", "relation": relation,
                    "score": Num("0.97")}
            found = verified([CLAIM], [hit], judging, [said]).evidence()
            self.assertEqual((brief(found["supports"], "confidence"), brief(found["contradicts"], "weight")),
                             (supports, contradicts))
            self.assertEqual((found["caveats"], found["to_judge"], found["judgements"]), ([], [], [said]))
        found = verified([CLAIM], [hit], judging).evidence()
        self.assertEqual((found["supports"], [one["source"] for one in found["to_judge"]]), ([], [hit["uri"]]))
        self.assertEqual(found["caveats"][0]["code"], "not_judged")

    def test_older_gives_way(self):
        hits = [{"uri": uri, "score": Num(score), "snippet": "The library lends its puppets for %d days." % days, "stamp": stamp}
                for uri, score, days, stamp in (("a", "0.9", 30, "2024-01-01"), ("b", "0.8", 45, "2025-01-01"))]
        claim, now = "For how many days the library lends its puppets", tool.instant("2026-01-01T00:00:00Z")
        for supersede, reported, want in ((True, (), [{"source": "a", "by": "b"}]), (False, (), []), (True, (1,), []),
                                          (True, (0, 1), [{"source": "a", "by": "b"}])):
            found = tool.Verification([claim], copy.deepcopy(hits), decision.rules_of(None), None,
                                      tool.Ages(30, supersede, reported, now)).evidence()
            self.assertEqual(found["superseded"], want)
            self.assertEqual([one["source"] for one in found["contradicts"]], [] if want else ["b"])
            self.assertEqual([one["code"] for one in found["caveats"]], ["not_judged", "stale_documents"])
        found = tool.Verification([claim], hits, decision.rules_of(None), None,
                                  tool.Ages(30, True, (), tool.instant("2024-06-01T00:00:00Z"))).evidence()
        self.assertEqual(found["superseded"], [], "what is of after now")

    def test_ages(self):
        now = tool.instant("2026-01-31T00:00:00Z")
        for stamp, days, want in (("2026-01-01", 30, False), ("2025-12-31T23:59:59.999999Z", 30, True), (None, 30, True),
                                  (None, 0, False), ("2027-01-01", 1, False), ("soon", 1, True)):
            self.assertEqual(tool.is_stale(stamp, days, now), want, (stamp, days))
        self.assertEqual((tool.stricter(0, 90, 30), tool.stricter(0, 0), tool.stricter(7, 0)), (30, 0, 7))

    def test_half_carries_no_answer(self):
        for score, want in (("1", "0.89"), ("0.5", "0.75"), ("0", "0.5")):
            hit = {"uri": "u", "score": Num(score), "snippet": "Custom items are shipped late."}
            found = verified([CLAIM], [hit]).evidence()
            self.assertEqual(brief(found["supports"], "confidence"), [("u", want)])

    def test_claims(self):
        self.assertEqual(verified([""], self.hits).evidence(), {"supports": [], "contradicts": [], "related": [], "caveats": []})
        found = verified(["Custom items are refundable."], self.hits[:1]).evidence()
        self.assertEqual(brief(found["contradicts"], "weight"), [("refunds.html#custom", "0.71")])

    def test_brackets(self):
        evidence = {"claims": ["c"], "supports": [{"claim": "c", "confidence": Num("1"), "source": "u",
                                                   "snippet": "As [1] and [02] say [x]."}] * 2}
        self.assertEqual(tool.synthesis(evidence)["text"], "As (1) and (02) say [x]. [1]")


class Plans(unittest.TestCase):
    """Validation and forecast of a plan of five steps."""

    def setUp(self):
        self.tools = oracle.parse_jsonb(TOOLS)
        self.raw = oracle.parse_jsonb(SEED)

    def forecast(self, *limits):
        """The forecast of a plan within limits of cost and latency."""
        return tool.forecast_of(tool.Plan(self.raw, self.tools), oracle.ABSENT,
                                tool.Limits(*map(Fraction, limits), None))

    def test_seed(self):
        found = self.forecast("0.02", "1500")
        self.assertEqual((found.predicted, found.steps), ((Fraction("0.0021"), 520), []))
        self.assertEqual(plan.order_of(tool.Plan(self.raw, self.tools), found.rank, {}), ["n1", "n2", "n3", "n4", "n5"])
        self.assertEqual(self.forecast("0.0021", "520").steps, [])

    def test_degradation(self):
        self.tools["doc.search"]["constraints"]["per_item_share"] = Num("0.5")
        found = self.forecast("0.02", "490")
        self.assertEqual((found.predicted[1], found.steps), (490, [("k", 4)]))
        self.assertEqual(self.forecast("0.02", "400").steps,
                         [("k", 4), ("k", 2), ("k", 1), ("depth", 1), ("refused", None)])

    def test_invalid(self):
        for change in (lambda p: p["nodes"].clear(), lambda p: p["edges"].append(["n4", "n1"]),
                       lambda p: p["nodes"][0].update(out="ev1"), lambda p: p["nodes"][0]["args"].update(q="$ans"),
                       lambda p: p["nodes"][2].update({"if": "$ev1 >"}), lambda p: p["edges"].append(["n1", "n2"]),
                       lambda p: p["nodes"][4]["args"].pop("provenance"), lambda p: p.update(x=1)):
            raw = oracle.parse_jsonb(SEED)
            change(raw)
            with self.assertRaises(tool.Broken):
                tool.Plan(raw, self.tools)


class Branches(unittest.TestCase):
    """Branches, compared with trying every combination of outcomes."""

    @staticmethod
    def executed(found, sides):
        """The nodes that are executed under an outcome."""
        done = set()
        for one in found.order:
            coming = found.coming[one]
            if not coming or any(a in done and (a not in sides or sides[a] == label) for a, label in coming):
                done.add(one)
        return done

    def test_every_outcome(self):
        rng = random.Random(1)
        for _ in range(300):
            raw = oracle.parse_jsonb(plan.branching_plan(rng))
            for i, node in enumerate(raw["nodes"]):
                node.update({"out": "v%d" % i} if node["op"] == "call" else {})
            found = tool.Plan(raw, plan.tools())
            branches = [node.id for node in found.nodes if node.op == "branch"]
            outcomes = [dict(zip(branches, sides)) for sides in itertools.product(tool.SIDES, repeat=len(branches))]
            runs = [(sides, self.executed(found, sides)) for sides in outcomes]
            for sides, done in runs:
                schedule, order = tool.Schedule(found, {node.id: (node.index,) for node in found.nodes}), []
                while schedule.next() is not None:
                    order.append(schedule.next())
                    schedule.finish(order[-1], sides.get(order[-1]))
                self.assertEqual(set(order), done)
            for a, b in itertools.combinations(found.order, 2):
                self.assertEqual(found.are_together(a, b), any({a, b} <= done for _, done in runs), (raw, a, b))
            for one in found.order:
                self.assertEqual(found.lies[one], {(b, side) for b in branches for side in tool.SIDES if all(
                    one not in done for sides, done in runs if sides[b] != side)}, (raw, one))


if __name__ == "__main__":
    unittest.main()
