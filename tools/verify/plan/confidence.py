"""The confidence of evidence (ground-conf/1): doc/spec/plan.md §3 and §10."""

import collections
import decimal
import fractions

from verify.document.json_text import ABSENT
from verify.document.members import is_texts
from verify.document.portable_number import exact, portable_fraction
from verify.df_verify_1.report import need

CITE_BELOW, BLOCK_OVER = fractions.Fraction(95, 100), fractions.Fraction(30, 100)
LEAST_CONFIDENCE, CONFIDENCE_FLOOR = fractions.Fraction(90, 100), fractions.Fraction(80, 100)

Policy = collections.namedtuple("Policy", "least cite block regulated requires_judge freshness", defaults=(False, None))
Verdict = collections.namedtuple("Verdict", "confidence contradictions needs_citation reasons supports unjudged policy stale_days",
                                 defaults=(None, None))
# the keys of the configuration for the age of sources and for searches; of_call is the limit of days that a call names
Freshness = collections.namedtuple("Freshness", "days days_high_risk supersede top_k rerank bias rules of_call", defaults=(0,))


def share_of(value, what):
    """A number from 0 to 1."""
    found = exact(value)
    need(found is not None and 0 <= found <= 1, "%s is no number from 0 to 1" % what)
    return found


def list_of(evidence, key, needed=False):
    """An array in evidence; [] if it is absent and not needed."""
    found = evidence.get(key, ABSENT)
    need(isinstance(found, list) or found is ABSENT and not needed, "the evidence's %s is no array" % key)
    return [] if found is ABSENT else found


def weights_of(evidence, key, number_key, claims):
    """(claim, number) of each support or contradiction."""
    found = []
    for entry in list_of(evidence, key):
        need(isinstance(entry, dict) and isinstance(entry.get("claim"), str) and entry["claim"] in claims,
             "an entry of %s names no claim of the evidence" % key)
        found.append((entry["claim"], share_of(entry.get(number_key, ABSENT), number_key)))
    return found


def hundredths(fraction):
    """The double nearest to a fraction, rounded to two decimals like answer-conf/1."""
    return fractions.Fraction(decimal.Decimal(repr(round(fraction.numerator / fraction.denominator, 2))))


def confidence_of(claim, supports, against):
    """The confidence of one claim."""
    best = max((n for one, n in supports if one == claim), default=None)
    worst = max((n for one, n in against if one == claim), default=fractions.Fraction(0))
    if best is None or worst == 1:
        return fractions.Fraction(0)
    return max(1 - (1 - best) / (1 - worst), fractions.Fraction(0))


def policy_in(evidence, least=LEAST_CONFIDENCE, regulated=False):
    """The thresholds that evidence names itself, with defaults for the others."""
    need(isinstance(evidence, dict), "the evidence is no object")
    given = evidence.get("policy", {})
    need(isinstance(given, dict), "the evidence's policy is no object")
    return Policy(least, *(share_of(given[key], key) if key in given else default for key, default in (
        ("cite_if_confidence_below", CITE_BELOW), ("block_if_conflict_over", BLOCK_OVER))), regulated)


def is_unjudged(evidence):
    """Whether evidence says that nobody has judged it."""
    caveats = evidence.get("caveats")
    return isinstance(caveats, list) and any(isinstance(one, dict) and one.get("code") == NOT_JUDGED_CODE for one in caveats)


def judge_evidence(evidence, policy, scale=None):
    """The verdict of ground-conf/1 on evidence; with a scale, also on the age of its supports."""
    need(isinstance(evidence, dict), "the evidence is no object")
    claims = list_of(evidence, "claims", True)
    need(is_texts(claims), "a claim of the evidence is no text")
    supports = weights_of(evidence, "supports", "confidence", set(claims))
    against = weights_of(evidence, "contradicts", "weight", set(claims))
    list_of(evidence, "related")
    confidence = hundredths(min((confidence_of(claim, supports, against) for claim in claims),
                                default=fractions.Fraction(0)))
    worst = max((n for _, n in against), default=fractions.Fraction(0))
    reasons = ["conflict"] * (worst > policy.block)
    reasons += ["confidence"] * (confidence < max(policy.least, CONFIDENCE_FLOOR))
    unjudged, stale_days = is_unjudged(evidence), None
    if scale is not None:
        stale_days, blocks = scale.judge(evidence, policy)
        reasons += [STALE_CODE] * blocks
    reasons += [NOT_JUDGED_CODE] * (unjudged and policy.requires_judge)
    return Verdict(confidence, worst, bool(policy.regulated) or confidence < policy.cite, reasons, len(supports), unjudged, policy,
                   stale_days)


def shown_verdict(verdict):
    """A verdict as evidence has it."""
    return {"confidence": portable_fraction(verdict.confidence),
            "contradictions": portable_fraction(verdict.contradictions), "needs_citation": verdict.needs_citation}


NOT_JUDGED_CODE = "not_judged"
NOT_JUDGED_TEXT = "Nobody has checked that the cited documents say this."
STALE_CODE = "stale_documents"
