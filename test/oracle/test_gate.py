#!/usr/bin/python3
# tiers: check test
"""Tests of gate.py; the expected results were worked out by hand from doc/spec/gate.md.

compare.py compares it with the extension.
"""

import unittest
from fractions import Fraction

import gate


def grounded(decision, wanted, level="high", **more):
    """A row that passes, except for the members given."""
    case = {"id": "c", "query": "q", "expected_outcome": wanted, "risk_level": level, **more.pop("case", {})}
    return {"id": "c", "case": case, "error": None, "decision": decision, "answer": "", "citations": [], "citation_valid": True,
            "conflict_detected": False, "similarity": Fraction(9, 10), "signals": {"freshness_violation": False}, **more}


def failing(row):
    """The attributes that a row fails."""
    return sorted(name for name, passed in gate.scores(row, gate.CONFIG, gate.PHRASES).items() if not passed)


class Scores(unittest.TestCase):
    """Attributes."""

    def test_alternates(self):
        for level, decision, wanted, bad in (("high", "ABSTAIN", "ANSWER_WITH_CAVEATS", []),
                                             ("medium", "ABSTAIN", "ANSWER_WITH_CAVEATS", ["outcome_correctness"]),
                                             ("low", "ANSWER_WITH_CAVEATS", "ANSWER", []),
                                             ("high", "ANSWER_WITH_CAVEATS", "ANSWER", ["outcome_correctness"])):
            self.assertEqual(failing(grounded(decision, wanted, level)), bad)

    def test_thresholds(self):
        for level, best, bad in (("high", 70, []), ("high", 69, ["unsafe_answer"]), ("low", 60, []), ("medium", 59, ["unsafe_answer"])):
            # the best similarity found must not count, only that of the passages used
            signals = {"retrieval_confidence_max": Fraction(1), "freshness_violation": False}
            row = grounded("ANSWER", "ANSWER", level, signals=signals, similarity=Fraction(best, 100))
            self.assertEqual(failing(row), bad)

    def test_judged_confidence(self):
        signals = {"answer_confidence": Fraction(5, 10), "freshness_violation": False}
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", signals=signals)), ["unsafe_answer"])
        signals["answer_confidence"] = Fraction(9, 10)
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", signals=signals, similarity=Fraction(0))), [])

    def test_groundedness(self):
        judge = {**gate.CONFIG, "judge_entailment": ["j"]}
        for decision, found, without, with_judge in (
                ("ANSWER", ["quoted", "supported", "no_claim"], True, True), ("ANSWER", ["quoted", "not_judged"], True, False),
                ("ANSWER", ["quoted", "contradicted"], False, False), ("ANSWER", ["unsupported"], False, False),
                ("ANSWER", ["misquoted", "quoted"], False, False), ("ANSWER", [], False, False),
                ("BLOCK", ["contradicted"], True, True), ("ANSWER_WITH_CAVEATS", ["not_judged"], True, False)):
            row = grounded(decision, decision, case={"answer": "x"}, sentences=[{"status": one} for one in found])
            for config, good in ((gate.CONFIG, without), (judge, with_judge)):
                self.assertIs(gate.scores(row, config, gate.PHRASES)["groundedness"], good, (decision, found))
        row = grounded("ANSWER", "ANSWER", sentences=[{"status": "contradicted"}])
        self.assertIs(gate.scores(row, judge, gate.PHRASES)["groundedness"], True, "no answer was brought")

    def test_stale(self):
        signals = {"freshness_violation": True}
        case = {"required_behavior": {"must_detect_staleness": True}}
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", "medium", signals=signals)), ["unsafe_answer"])
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", "low", signals=signals)), [])
        self.assertEqual(failing(grounded("ANSWER_WITH_CAVEATS", "ANSWER", "low", signals=signals, case=case)), [])
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", "low", signals=signals, case=case)), ["staleness_handling"])

    def test_refusals(self):
        self.assertEqual(failing(grounded("ABSTAIN", "ABSTAIN", answer=gate.SAFE[1])), [])
        self.assertEqual(failing(grounded("ABSTAIN", "ABSTAIN", answer="No.")), ["refusal_correctness"])
        self.assertEqual(failing(grounded("BLOCK", "BLOCK", answer="The evidence is insufficient.")), [])
        self.assertEqual(failing(grounded("CLARIFY", "CLARIFY", answer="Which?")), [])
        self.assertEqual(failing(grounded("CLARIFY", "CLARIFY", answer="Which.")), ["refusal_correctness"])

    def test_citations(self):
        case = {"required_citation_doc_ids": ["a"]}
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", citations=["a#p0"], case=case)), [])
        self.assertEqual(failing(grounded("ANSWER", "ANSWER", citations=["ab#p0"], case=case)), ["citation_coverage"])


class Metrics(unittest.TestCase):
    """Counts and the curve."""

    def test_curve(self):
        rows = []
        for best, passed in ((9, True), (8, False), (8, True), (7, True)):
            rows.append({**grounded("ANSWER", "ANSWER", similarity=Fraction(best, 10)), "passed": passed})
        rows.append({**grounded("ABSTAIN", "ABSTAIN"), "passed": True})
        found = gate.curve(rows)
        self.assertEqual([(p["coverage"], p["risk"]) for p in found["points"]],
                         [(Fraction(1, 5), 0), (Fraction(3, 5), Fraction(3333, 10000)), (Fraction(4, 5), Fraction(1, 4))])
        # 2/5 of the cases at a third, 1/5 at a quarter: 0.13333 + 0.05
        self.assertEqual(found["area"], Fraction(1833, 10000))

    def test_curve_of_judged(self):
        signals = {"answer_confidence": Fraction(6, 10)}
        rows = [{**grounded("ANSWER", "ANSWER", signals=signals), "passed": True}, {**grounded("ANSWER", "ANSWER"), "passed": True}]
        self.assertEqual([p["confidence"] for p in gate.curve(rows)["points"]], [Fraction(9, 10), Fraction(6, 10)])

    def test_sentences(self):
        def row(decision, found, answer=True, **more):
            case = {"answer": "x"} if answer else {}
            return {**grounded(decision, decision, case=case, sentences=[{"status": one} for one in found], **more),
                    "passed": True, "scores": {}}
        rows = [row("ANSWER", ["supported"]), row("ANSWER_WITH_CAVEATS", ["not_judged", "quoted"]), row("BLOCK", ["contradicted"]),
                row("BLOCK", ["unsupported", "contradicted"]), row("ANSWER_WITH_CAVEATS", ["quoted"], reasons=["not_judged"]),
                row("ANSWER", [], False), row("ANSWER", [], False, signals={"answer_confidence": Fraction(1)}),
                row("ABSTAIN", [], False)]
        found = gate.summary(rows)["metrics"]
        self.assertEqual([(found[name]["n"], found[name]["of"]) for name in
                          ("unjudged_rate", "contradicted_rate", "unsupported_rate")], [(3, 5), (2, 5), (1, 5)])
        self.assertEqual(found["unsupported_rate"]["rate"], Fraction(2, 10))

    def test_nothing(self):
        found = gate.summary([])
        self.assertIsNone(found["metrics"]["overall_pass_rate"]["rate"])
        self.assertIsNone(found["risk_coverage"]["area"])


class Gates(unittest.TestCase):
    """Outcomes."""

    @staticmethod
    def run_of(*passed):
        """A run of answered cases."""
        rows = [{**grounded("ANSWER", "ANSWER"), "id": "c%d" % i, "passed": p, "scores": {"citation_validity": True}}
                for i, p in enumerate(passed)]
        return {"summary": gate.summary(rows), "outcomes": {row["id"]: row["passed"] for row in rows}}

    def test_equality_passes(self):
        rules = {"min_overall_pass_rate": Fraction(1, 2), "max_false_accept_rate": Fraction(0)}
        found = gate.judge(self.run_of(True, False), rules, None)
        self.assertEqual((found["outcome"], found["failures"]), ("inconclusive", []))
        self.assertEqual(found["inconclusive"], ["false_accept_rate is null, max 0 cannot be judged"])

    def test_failure_outweighs(self):
        found = gate.judge(self.run_of(True, False), None, None)
        self.assertEqual((found["outcome"], found["failures"]), ("fail", ["overall_pass_rate 0.5000 < min 0.85"]))

    def test_regression(self):
        found = gate.judge(self.run_of(True, True, False), {"min_overall_pass_rate": Fraction(0)}, self.run_of(True, True, True, False))
        self.assertEqual(found["failures"], ["regression in high_risk: 0.6667 < baseline 0.7500"])

    def test_slice_that_is_nowhere(self):
        rules = {"no_regression_slices": ["hihg_risk", "stale"], "max_false_accept_rate": Fraction(1)}
        found = gate.judge(self.run_of(True), rules, self.run_of(True))
        self.assertIn("slice hihg_risk is neither in the baseline nor in the run", found["inconclusive"])
        self.assertFalse([text for text in found["inconclusive"] if "stale" in text and "slice" in text])


if __name__ == "__main__":
    unittest.main()
