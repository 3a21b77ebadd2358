"""Checks: their normal form, what they look at in a fact, and their verdict.

doc/spec/answer-eval.md §1, §2, §4 and §7.5 to §7.6.
"""

import collections
import re

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import plain, portable_number
from verify.document.small_text import instant
from verify.answer_eval.operators import BEYOND, evaluate, FAILS, Malformed, NOT_EVALUABLE, numeric, operands, says

CHECK_KEYS = ("id", "tool", "args", "expect", "observe", "required", "min_quality")
QUALITIES = ("None", "Weak", "Moderate", "Strong", "Verified")
EXPECTATION_KEYS = {"path", "op", "value", "tol"}
CHECK_CAP = 20


def check_path(path):
    """Refuse anything that is not a path."""
    if not isinstance(path, str) or not path:
        raise Malformed("path")
    if path.count(".") > 7 or "" in path.split("."):
        raise Malformed("path")


def normal_expectation(raw, observe):
    """{path?, op?, value?, tol?}; numbers keep their spelling."""
    if not isinstance(raw, dict) or set(raw) - EXPECTATION_KEYS:
        raise Malformed("expect")
    out = dict(raw)
    if "path" in raw:
        check_path(raw["path"])
    if "op" not in raw:
        if not observe or "tol" in raw:
            raise Malformed("op")
        return out
    if not isinstance(raw["op"], str):
        raise Malformed("op")
    value, tol = operands(raw["op"], raw.get("value", ABSENT), raw.get("tol", ABSENT))
    for key, found in (("value", value), ("tol", tol)):
        if found is not ABSENT:
            out[key] = found
    return out


def normal_expectations(check, observe):
    """The expectations of a check as a list."""
    raw = check.get("expect", [])
    if isinstance(raw, dict):
        raw = [raw]
    if not isinstance(raw, list) or len(raw) > 8:
        raise Malformed("expect")
    return [normal_expectation(e, observe) for e in raw]


def flag(check, key, default):
    """A boolean member with a default."""
    value = check.get(key, default)
    if not isinstance(value, bool):
        raise Malformed(key)
    return value


def normal_check(check, position=1):
    """A check with its defaults filled in and unknown members left out; numbers keep their spelling."""
    if not isinstance(check, dict):
        raise Malformed("check")
    ident = check.get("id", "c%d" % position)
    if not isinstance(ident, str) or not 1 <= len(ident) <= 200:
        raise Malformed("id")
    tool = check.get("tool")
    if not isinstance(tool, str) or not tool:
        raise Malformed("tool")
    args = check.get("args", {})
    if not isinstance(args, dict):
        raise Malformed("args")
    observe = flag(check, "observe", False)
    normal = {"id": ident, "tool": tool, "args": args, "observe": observe,
              "required": flag(check, "required", True),
              "expect": normal_expectations(check, observe)}
    if "min_quality" in check:
        if check["min_quality"] not in QUALITIES:
            raise Malformed("min_quality")
        normal["min_quality"] = check["min_quality"]
    return normal


INDEX = re.compile(r"0|[1-9][0-9]{0,9}")


def step_into(container, segment):
    """Follow one path segment into a container; ABSENT if it leads nowhere."""
    if isinstance(container, dict):
        return container.get(segment, ABSENT)
    if isinstance(container, list) and INDEX.fullmatch(segment) and int(segment) < len(container):
        return container[int(segment)]
    return ABSENT


# What an expectation looks at. observed: the operand, or ABSENT; no_raw: there is a path, but the fact has no raw result;
# stop: for a path that does not resolve, (the segments that did, the value they led to), else None.
Operand = collections.namedtuple("Operand", "observed no_raw stop", defaults=(False, None))
# How an expectation came out, and what it looked at.
Outcome = collections.namedtuple("Outcome", "outcome operand")


def walk(raw, path):
    """Follow a dotted path."""
    done = []
    for segment in path.split("."):
        found = step_into(raw, segment)
        if found is ABSENT:
            return Operand(ABSENT, stop=(done, raw))
        raw = found
        done.append(segment)
    return Operand(raw)


def operand(fact, expectation):
    """What one expectation looks at in a fact."""
    if expectation.get("op") == "fresh_within_s":
        stamp = fact.get("timestamp")
        return Operand(ABSENT if instant(stamp) is None else stamp)
    if "path" not in expectation:
        return Operand(fact.get("value", ABSENT))
    return walk(fact["raw"], expectation["path"]) if "raw" in fact else Operand(ABSENT, no_raw=True)


def fresh(fact, value, now):
    """fresh_within_s, in exact microseconds."""
    then, parts = instant(fact.get("timestamp")), numeric(value)
    if then is None or parts is BEYOND:
        return NOT_EVALUABLE
    _, whole, frac = parts
    # a limit of so many digits exceeds any age
    return says(len(whole) > 20 or abs(now - then) <= int((whole or "0") + frac[:6].ljust(6, "0")))


def expectation_outcome(fact, expectation, now):
    """The outcome of one expectation."""
    found = operand(fact, expectation)
    op, value = expectation["op"], expectation.get("value", ABSENT)
    if op == "fresh_within_s":
        outcome = fresh(fact, value, now)
    elif found.no_raw:
        outcome = NOT_EVALUABLE
    else:
        outcome = evaluate(op, found.observed, value, expectation.get("tol", ABSENT))
    return Outcome(outcome, found)


def fact_score(fact):
    """The confidence a fact contributes to a check: 0 unless it claims a portable number from 0 to 1."""
    verification = fact.get("verification")
    score = verification.get("confidence") if isinstance(verification, dict) else None
    score = portable_number(score.text) if isinstance(score, Num) and plain(score.text) else None
    return float(score.text) if isinstance(score, Num) and 0 <= float(score.text) <= 1 else 0.0


def quality_gap(normal, facts):
    """What keeps the evidence below the quality that a check demands, or None. An unknown quality counts as "None"."""
    need = QUALITIES.index(normal.get("min_quality", "None"))
    said = [fact.get("quality") for fact in facts]
    have = min(QUALITIES.index(quality) if quality in QUALITIES else 0 for quality in said)
    if have >= need:
        return None
    kind = "missing" if have == 0 else "unverified" if have == 3 else "weak"
    return {"have": QUALITIES[have], "need": QUALITIES[need], "kind": kind}


def freshness(fact):
    """The signal `fresh` of a fact, or None."""
    verification = fact.get("verification")
    signals = verification.get("signals") if isinstance(verification, dict) else None
    fresh_ = signals.get("fresh") if isinstance(signals, dict) else None
    return fresh_ if isinstance(fresh_, bool) else None


def judge(normal, facts, now, require_fresh=False):
    """Verdict, confidence, observed value (not portable yet) and outcomes of a normal check; `now` as instant() gives it."""
    if not facts:
        return {"verdict": "evidence_unavailable", "confidence": 0.0, "observed": ABSENT, "outcomes": None}
    first = operand(facts[0], normal["expect"][0] if normal["expect"] else {})
    found = {"confidence": min(map(fact_score, facts)), "observed": first.observed, "outcomes": None,
             "verdict": "value", "gap": quality_gap(normal, facts)}
    if found["gap"]:
        found["verdict"] = "not_evaluable"
        return found
    if require_fresh and not all(map(freshness, facts)):
        found["verdict"] = "not_evaluable"
        return found
    if normal["observe"] or not normal["expect"]:
        return found
    found["outcomes"] = [expectation_outcome(facts[0], e, now) for e in normal["expect"]]
    outcomes = {o.outcome for o in found["outcomes"]}
    found["verdict"] = ("contradicted" if FAILS in outcomes else
                        "not_evaluable" if NOT_EVALUABLE in outcomes else "supported")
    return found
