"""Closure and replay of answers (answer/v1): doc/spec/df-verify-1.md §5.3, §6.1 and §6.2."""

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import plain_text
from verify.document.canonical import digest, without
from verify.document.small_text import instant
from verify.df_verify_1.report import Broken, Differences, is_ascii, member_of, need
from verify.answer_eval.operators import Malformed
from verify.answer_eval.check import CHECK_CAP, judge, normal_check
from verify.answer_eval.composite import composite, fact_confidence

UNCITED_VERDICTS = ("evidence_unavailable", "outside_evidence_coverage", "not_evaluable")


def cited_by(check):
    """The evidence that a check cites."""
    cited = check.get("evidence") if isinstance(check, dict) else None
    need(isinstance(cited, list), "a check does not say which evidence it cites")
    return cited


def answer_closure(receipt):
    """Citations and index match; facts hash to their digests, and their confidence follows from their signals."""
    for name in ("checks", "evidence_index"):
        need(name in receipt, "%s is missing" % name)
    checks = member_of(receipt, "checks", list)
    index = member_of(receipt, "evidence_index", dict)
    cited = set()
    for check in checks:
        digests = cited_by(check)
        need(all(isinstance(d, str) for d in digests), "a check does not say which evidence it cites")
        cited.update(digests)
    need(all(d in index and is_ascii(d) for d in cited), "a check cites evidence that is not in the index")
    need(len(cited) == len(index), "the index holds evidence that nothing cites")
    for name, fact in sorted(index.items()):
        need(isinstance(fact, dict), "the evidence index holds something that is no fact")
        need(digest(without(fact, "attestation", "raw")) == name, "a fact does not hash to its digest")
        need(confidence_follows(fact), "a fact's confidence does not follow from its signals")


def confidence_follows(fact):
    """Whether the confidence of a fact is exactly fact-conf/1 of its signals."""
    verification = fact.get("verification")
    try:
        score = fact_confidence(verification)
    except Malformed:
        return False
    claimed = verification.get("confidence")
    return isinstance(claimed, Num) and plain_text(claimed.text) == plain_text(repr(score))


def replay_check(check, position, receipt, now, differences):
    """Recompute one check and compare; returns its row for the composite."""
    try:
        normal = normal_check(check, position)
    except Malformed:
        raise Broken("a check is malformed") from None
    cited, verdict, index = cited_by(check), check.get("verdict", ABSENT), receipt["evidence_index"]
    found = {"confidence": 0.0, "observed": ABSENT}
    if position > CHECK_CAP:
        found["verdict"] = "not_checked"
    elif cited:
        need(all(is_ascii(d) and isinstance(index.get(d), dict) for d in cited),
             "a check cites evidence that is not in the index")
        found = judge(normal, [index[d] for d in cited], now, receipt.get("require_fresh", False))
    else:
        found["verdict"] = verdict if isinstance(verdict, str) and verdict in UNCITED_VERDICTS else UNCITED_VERDICTS[0]
    ident = normal["id"]
    differences.label(ident, "verdict", verdict, found["verdict"])
    differences.confidence(ident, check.get("confidence", ABSENT), found["confidence"])
    differences.observed(ident, check.get("observed", ABSENT), found["observed"])
    return found["verdict"], found["confidence"], normal["required"]


def answer_replay(receipt, _terms=None):
    """Recomputing every check and the composite gives what is recorded."""
    checks = member_of(receipt, "checks", list)
    member_of(receipt, "evidence_index", dict)
    now = instant(receipt.get("evaluated_at"))
    need(now is not None, "evaluated_at is missing or no instant")
    need(isinstance(receipt.get("require_fresh", False), bool), "require_fresh is not true or false")
    differences = Differences()
    total = composite([replay_check(c, i, receipt, now, differences) for i, c in enumerate(checks, 1)])
    if not checks and receipt.get("mode") == "question":    # the signed refusal
        total["verdict"] = "outside_evidence_coverage"
    differences.label(ABSENT, "verdict", receipt.get("verdict", ABSENT), total["verdict"])
    differences.confidence(ABSENT, receipt.get("confidence", ABSENT), total["confidence"])
    if receipt.get("degraded", ABSENT) is not total["degraded"]:
        differences.note(ABSENT, "degraded", receipt.get("degraded", ABSENT), total["degraded"])
    if differences:
        raise Broken("recomputing gives something else", differences=list(differences))
