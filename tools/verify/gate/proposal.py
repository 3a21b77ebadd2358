"""Replay of proposals: doc/spec/gate.md §7."""

import fractions
import math
import re

from verify.document.json_text import ABSENT, Num
from verify.document.members import within
from verify.document.portable_number import plain_text
from verify.document.canonical import digest
from verify.df_verify_1.report import need
from verify.gate.gate import alike

EVOLVE_KNOBS = {"top_k": 0, "rerank": 0, "citation_threshold": 1, "contradiction_tolerance": -1, "cache_ttl_s": 0, "freshness_bias": 0,
                "floor": 1, "confidence_threshold": 1, "confidence_threshold_high_risk": 1}
EVOLVE_LATER_KNOBS = {"floor", "confidence_threshold", "confidence_threshold_high_risk"}
MEASURE = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,40})?")
EVOLVE_STATES = {"propose": "proposed", "apply": "applied", "wait": "waiting", "reject": "rejected"}
EVOLVE_MEASURES = ("answers", "given", "required", "cited", "contradictory", "confidence_sum", "p95_ms", "cost_usd")


def measure_of(value):
    """A non-negative number as a fraction, also if it is a string because it is long; None for anything else."""
    text = plain_text(value.text) if isinstance(value, Num) else value
    return fractions.Fraction(text) if isinstance(text, str) and MEASURE.fullmatch(text) else None


def evolve_shown(value, digits):
    """A number as failures show it, halves rounded up; "null" if there is none."""
    if value is None:
        return "null"
    whole, part = divmod(math.floor(value * 10 ** digits + fractions.Fraction(1, 2)), 10 ** digits)
    return "%d.%0*d" % (whole, digits, part)


def evolve_judge(base, candidate):
    """(whether a candidate passes, what speaks against it). Rates are compared by multiplying counts; a rate over nothing fails."""
    def per(value, count):
        return None if value is None or not count else fractions.Fraction(value) / count

    def gqs(m):
        if not m["given"]:
            return per(0, m["answers"])
        return per(m["confidence_sum"] * (m["given"] - m["contradictory"]), m["answers"] * m["given"])
    was, now = gqs(base), gqs(candidate)
    better = was is not None and now is not None and now >= was + fractions.Fraction("0.08")
    few = min(base["answers"], candidate["answers"]) < 20
    faster = (None not in (base["p95_ms"], candidate["p95_ms"]) and not few and
              candidate["p95_ms"] <= fractions.Fraction("0.65") * base["p95_ms"])
    costs = (base["cost_usd"], candidate["cost_usd"])
    rules = (
        (better, "gqs %s < base %s + 0.08" % (evolve_shown(now, 4), evolve_shown(was, 4))),
        (faster, "p95_ms is of fewer than 20 answers, and does not count" if few else
         "p95_ms %s > 0.65 x base %s" % (evolve_shown(candidate["p95_ms"], 3), evolve_shown(base["p95_ms"], 3))),
        (costs == (None, None) or (None not in costs and
                                   costs[1] * base["answers"] <= fractions.Fraction("1.10") * costs[0] * candidate["answers"]),
         "cost of an answer %s > 1.10 x base %s" % tuple(
             evolve_shown(per(m["cost_usd"], m["answers"]), 6) for m in (candidate, base))),
        (candidate["required"] > 0 and candidate["cited"] >= fractions.Fraction("0.90") * candidate["required"],
         "citation_rate %s < 0.90" % evolve_shown(per(candidate["cited"], candidate["required"]), 4)),
        (candidate["given"] > 0 and candidate["contradictory"] <= fractions.Fraction("0.03") * candidate["given"],
         "contradiction_rate %s > 0.03" % evolve_shown(per(candidate["contradictory"], candidate["given"]), 4)))
    against = [text for i, (ok, text) in enumerate(rules) if not ok and (i > 1 or not (better or faster))]
    return not against, against


def proposal_replay(document):
    """The action and the failures follow from the measures."""
    name, action, after = (document.get(key) for key in ("name", "action", "after"))
    need(isinstance(name, str) and isinstance(action, str) and isinstance(after, dict) and
         all(isinstance(after.get(k), str) for k in ("environment", "base")) and isinstance(after.get("change"), dict),
         "the proposal is malformed")
    need(name == "prp_" + digest([after["environment"], after["base"], after["change"]])[7:23],
         "the name does not follow from the proposal")
    need(action in EVOLVE_STATES and after.get("state") == EVOLVE_STATES[action], "the state does not follow from the action")
    change, origin, validation = after["change"], after.get("from"), after.get("validation", ABSENT)
    need(isinstance(origin, dict) and all(measure_of(v.get(k)) is not None for k, way in EVOLVE_KNOBS.items() if way and k in change
                                          for v in (change, origin)), "the change is malformed")
    if action == "propose":
        need(validation is None, "a proposal that is new was validated")
        return
    sides = [within(validation, side) for side in ("base", "candidate")]
    # older proposals did not count `given`: all answers count as given, and EVOLVE_LATER_KNOBS needed an administrator
    earlier = all(isinstance(s, dict) and "given" not in s for s in sides)
    if earlier:
        sides = [{**s, "given": s.get("answers")} for s in sides]
    need(all(isinstance(s, dict) for s in sides) and
         all(measure_of(s.get(k)) is not None or (k in ("p95_ms", "cost_usd") and s.get(k, ABSENT) is None)
             for s in sides for k in EVOLVE_MEASURES), "the measures are malformed")
    passed, against = evolve_judge(*({k: measure_of(s[k]) for k in EVOLVE_MEASURES} for s in sides))
    need(validation.get("passed") is passed and alike(validation.get("failures", ABSENT), against), "the measures are judged otherwise")
    low_risk = bool(change) and not (earlier and set(change) & EVOLVE_LATER_KNOBS) and all(k in EVOLVE_KNOBS and (not EVOLVE_KNOBS[k] or
                                    EVOLVE_KNOBS[k] * (measure_of(change[k]) - measure_of(origin[k])) > 0) for k in change)
    promotion = validation.get("promotion")
    moved = isinstance(promotion, dict) and promotion.get("moved") is True
    expected = "reject" if not passed else "wait" if not low_risk else "apply" if moved else "reject"
    need(action == expected, "what was done does not follow from the measures")
    need(expected == "apply" or not moved, "what was not to be applied was")
