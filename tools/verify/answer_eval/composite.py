"""The composite verdict (answer-conf/1) and the confidence of a fact (fact-conf/1).

doc/spec/answer-eval.md §5, §7.2 and §7.3.
"""

from verify.answer_eval.operators import Malformed

VERDICTS = ("supported", "contradicted", "value", "not_evaluable",
            "evidence_unavailable", "outside_evidence_coverage", "not_checked")
LOST = {"evidence_unavailable", "outside_evidence_coverage", "not_checked"}


def composite_verdict(verdicts):
    """The verdict over the required checks."""
    if "contradicted" in verdicts:
        return "contradicted"
    if verdicts & (LOST | {"not_evaluable"}):
        return "insufficient_evidence"
    return "supported" if "supported" in verdicts else "evidenced"


def composite(rows):
    """Verdict, confidence and degraded over rows of (verdict, confidence, required)."""
    needed = [(v, c) for v, c, required in rows if required]
    verdict = composite_verdict({v for v, _ in needed})
    if not needed or verdict == "insufficient_evidence":
        confidence = 0.0
    elif verdict == "contradicted":
        confidence = max(c for v, c in needed if v == "contradicted")
    else:
        confidence = min(c for _, c in needed)
    return {"verdict": verdict, "confidence": round(confidence, 2),
            "degraded": any(v in LOST for v, _, _ in rows), "checks": len(rows)}


WEIGHTS = {"source_present": 30, "signed": 20, "fresh": 30, "corroborated": 15, "conflict": 0}
BASIS_CAP = {"forecast": 70, "computed": 70, "inferred": 50}


def fact_confidence(verification):
    """fact-conf/1, from the signals and the basis alone."""
    if not isinstance(verification, dict):
        raise Malformed("verification must be an object")
    signals = verification.get("signals", {})
    if not isinstance(signals, dict):
        raise Malformed("signals must be an object")
    if any(not isinstance(signals.get(s, False), bool) for s in WEIGHTS):
        raise Malformed("every signal must be true or false")
    score = sum(weight for s, weight in WEIGHTS.items() if signals.get(s))
    if signals.get("conflict"):
        score = min(score, 40)
    basis = verification.get("basis")
    return min(score, BASIS_CAP.get(basis, 100) if isinstance(basis, str) else 100) / 100
