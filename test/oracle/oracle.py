"""An independent reading of the answer-eval/1 contract, in plain Python.

Nothing here shares code with the extension.  JSON values are None, bool, str,
list, dict and Num (a number literal, kept exactly as it was spelt).  Absence,
which SQL spells NULL, is the object ABSENT.
"""

import base64
import hashlib
import json
import re
import sys
from datetime import date

sys.setrecursionlimit(20000)
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


class Absent:
    """The type of ABSENT: no value at all, as opposed to a JSON null."""

    def __repr__(self):
        return "ABSENT"


ABSENT = Absent()


class Num:
    """A JSON number, equal to another one only when spelt the same."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return isinstance(other, Num) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return "Num(%s)" % self.text


class Refused(Exception):
    """An SQL error; `code` is its SQLSTATE, or a prefix any of which will do."""

    def __init__(self, code, why=""):
        super().__init__("%s %s" % (code, why))
        self.code = code


def wrong(why):
    """The error of a wrong request."""
    return Refused("22023", why)


# --------------------------------------------------------------------------
# JSON in
# --------------------------------------------------------------------------

class Pairs(list):
    """The members of an object in source order, duplicates included."""


def no_constant(name):
    """NaN and Infinity are no JSON."""
    raise ValueError(name)


DECODER = json.JSONDecoder(object_pairs_hook=Pairs, parse_int=Num,
                           parse_float=Num, parse_constant=no_constant)
SURROGATE = re.compile("[\ud800-\udfff]")
JSON_SPACE = " \t\r\n"


def parse(text):
    """Read JSON text; every string is checked, even one a duplicate discards."""
    try:
        raw = DECODER.decode(text.strip(JSON_SPACE)) if text else no_constant("")
    except ValueError:
        raise Refused("22P02", "not JSON") from None
    faults = set()
    value = settle(raw, faults)
    if faults:
        raise Refused(faults.pop() if len(faults) == 1 else "22", "bad escape")
    return value


def settle(raw, faults):
    """Turn Pairs into dicts (last duplicate wins), noting unusable strings."""
    if isinstance(raw, str):
        return settle_string(raw, faults)
    if isinstance(raw, Pairs):
        return {settle_string(k, faults): settle(v, faults) for k, v in raw}
    if isinstance(raw, list):
        return [settle(v, faults) for v in raw]
    return raw


def settle_string(text, faults):
    """Note lone surrogates (any class 22) and U+0000 (22P05)."""
    if SURROGATE.search(text):
        faults.add("22")
    if "\0" in text:
        faults.add("22P05")
    return text


NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def shifted(text):
    """Sign, integer digits, fraction digits and scale after the exponent."""
    sign, whole, frac, exp = NUMBER.fullmatch(text).groups()
    frac, exp = frac or "", int(exp or 0)
    scale = max(0, len(frac) - exp)
    if not (whole + frac).strip("0"):
        return "", "", "0" * scale if scale < 50000 else "0", scale
    if abs(exp) > 400000:
        raise Refused("22", "exponent")
    if exp >= 0:
        frac += "0" * (exp - len(frac))
        whole, frac = whole + frac[:exp], frac[exp:]
    else:
        whole = "0" * (-exp - len(whole)) + whole
        whole, frac = whole[:len(whole) + exp], whole[len(whole) + exp:] + frac
    return sign, whole.lstrip("0"), frac, scale


def jsonb_number(text):
    """The number as PostgreSQL's jsonb would print it."""
    sign, whole, frac, scale = shifted(text)
    if scale > 16383 or len(whole) > 131072:
        raise Refused("22", "overflow")
    return sign + (whole or "0") + ("." + frac if frac else "")


def as_jsonb(value):
    """What a JSON value looks like once it has been stored as jsonb."""
    if isinstance(value, Num):
        return Num(jsonb_number(value.text))
    if isinstance(value, list):
        return [as_jsonb(v) for v in value]
    if isinstance(value, dict):
        return {k: as_jsonb(v) for k, v in value.items()}
    return value


def parse_jsonb(text):
    """Read JSON text through the eyes of jsonb."""
    return as_jsonb(parse(text))


# --------------------------------------------------------------------------
# Canonical form, digest, portable numbers
# --------------------------------------------------------------------------

def canonical(value):
    """Sorted, compact, pure ASCII; numbers as they are spelt."""
    if isinstance(value, Num):
        return value.text
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        members = (json.dumps(k) + ":" + canonical(value[k]) for k in sorted(value))
        return "{" + ",".join(members) + "}"
    return json.dumps(value)


def sha256(text):
    """Hex SHA-256 of ASCII text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def digest(value):
    """The digest of a JSON value."""
    return "sha256:" + sha256(canonical(value))


def plain(text):
    """Sign, integer digits and fraction digits with no idle zeros."""
    sign, whole, frac, _ = shifted(text)
    whole, frac = whole.lstrip("0"), frac.rstrip("0")
    return (sign if whole or frac else ""), whole, frac


def plain_text(sign, whole, frac):
    """Write what `plain` returned."""
    return sign + (whole or "0") + ("." + frac if frac else "")


def portable_number(text):
    """A number every language prints alike, or else a string."""
    sign, whole, frac = plain(text)
    out = plain_text(sign, whole, frac)
    if not frac:
        small = len(whole) <= 16 and int(whole or "0") <= 2 ** 53 - 1
        return Num(out) if small else out
    in_range = len(whole) <= 16 and (whole or frac[:4].strip("0"))
    if in_range and len(out) <= 40 and repr(float(out)) == out:
        return Num(out)
    return out


def portable(value):
    """Make every number in a value portable; keys are left alone."""
    if isinstance(value, Num):
        return portable_number(value.text)
    if isinstance(value, list):
        return [portable(v) for v in value]
    if isinstance(value, dict):
        return {k: portable(v) for k, v in value.items()}
    return value


# --------------------------------------------------------------------------
# Operators
# --------------------------------------------------------------------------

HOLDS, FAILS, NOT_EVALUABLE = "holds", "fails", "not_evaluable"

WHITE_SPACE = "".join(map(chr, [
    *range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
    0x2028, 0x2029, 0x202F, 0x205F, 0x3000]))

EQUALITY = ("eq", "ne")
ORDER = ("lt", "lte", "gt", "gte")
WITHIN = ("abs_within", "pct_within")
AFFIX = ("starts_with", "ends_with")
SEMVER = ("semver_eq", "semver_gte", "semver_lt", "semver_prefix")
PRESENCE = ("exists", "not_exists")
OPERATORS = (*EQUALITY, *ORDER, "between", *WITHIN, "in", "contains", *AFFIX,
             *SEMVER, *PRESENCE, "fresh_within_s")

NUMERIC_STRING = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+)*")
DIGIT_CAP = 1000


def says(truth):
    """A truth value as an outcome."""
    return HOLDS if truth else FAILS


def text_of(value):
    """How a portable value reads as text."""
    return value if isinstance(value, str) else canonical(value)


def same(a, b):
    """`eq` on two portable values."""
    if isinstance(a, Num) and isinstance(b, Num):
        return a.text == b.text
    return text_of(a).strip(WHITE_SPACE) == text_of(b).strip(WHITE_SPACE)


def numeric(value):
    """The parts of a numeric operand, or None; `value` is portable."""
    if isinstance(value, Num):
        return plain(value.text)
    if isinstance(value, str) and NUMERIC_STRING.fullmatch(value):
        return plain(value)
    return None


def capped(parts):
    """Whether a numeric operand is short enough for the numeric operators."""
    return (parts is not None and len(parts[1]) <= DIGIT_CAP
            and len(parts[2]) <= DIGIT_CAP)


def scaled(*operands):
    """Exact integers on one common scale, and that scale."""
    scale = max(len(frac) for _, _, frac in operands)
    ints = [int(sign + (whole + frac.ljust(scale, "0") or "0"))
            for sign, whole, frac in operands]
    return ints, 10 ** scale


def numeric_operands(*values):
    """Scaled integers of all operands, or None when one does not qualify."""
    parts = [numeric(v) for v in values]
    return scaled(*parts) if all(map(capped, parts)) else None


def op_order(op, observed, value, _tol):
    """lt, lte, gt, gte."""
    found = numeric_operands(observed, value)
    if not found:
        return NOT_EVALUABLE
    (a, b), _ = found
    return says({"lt": a < b, "lte": a <= b, "gt": a > b, "gte": a >= b}[op])


def op_between(_op, observed, value, _tol):
    """Inclusive range."""
    found = numeric_operands(value[0], observed, value[1])
    if not found:
        return NOT_EVALUABLE
    (low, x, high), _ = found
    return says(low <= x <= high)


def op_within(op, observed, value, tol):
    """Absolute or percentage distance."""
    found = numeric_operands(observed, value, tol)
    if not found:
        return NOT_EVALUABLE
    (a, b, t), unit = found
    if op == "abs_within":
        return says(abs(a - b) <= t)
    if b == 0:
        return NOT_EVALUABLE
    return says(abs(a - b) * 100 * unit <= t * abs(b))


def op_equality(op, observed, value, _tol):
    """eq and ne."""
    return says(same(observed, value) == (op == "eq"))


def op_in(_op, observed, value, _tol):
    """Membership of the observed in the expected list."""
    return says(any(same(v, observed) for v in value))


def is_scalar_text(value):
    """A string, number or boolean: something with a text to search in."""
    return isinstance(value, (str, Num, bool))


def op_contains(_op, observed, value, _tol):
    """List membership or substring."""
    if isinstance(observed, list):
        return says(any(same(v, value) for v in observed))
    if not (is_scalar_text(observed) and is_scalar_text(value)):
        return NOT_EVALUABLE
    return says(text_of(value) in text_of(observed))


def op_affix(op, observed, value, _tol):
    """Prefix and suffix."""
    if not (is_scalar_text(observed) and is_scalar_text(value)):
        return NOT_EVALUABLE
    a, b = text_of(observed), text_of(value)
    return says(a.startswith(b) if op == "starts_with" else a.endswith(b))


def version(value):
    """A version as comparable components, or None; `value` is as written."""
    if isinstance(value, Num):
        sign, whole, frac = plain(value.text)
        return None if sign or frac else [component(whole)]
    if isinstance(value, str) and DOTTED.fullmatch(value):
        return [component(c) for c in value.split(".")]
    return None


def component(digits):
    """A key that orders digit groups of any length as integers."""
    digits = digits.lstrip("0")
    return len(digits), digits


def op_semver(op, observed, value, _tol):
    """Version comparison; takes the operands as written, not as portable."""
    a, b = version(observed), version(value)
    if a is None or b is None:
        return NOT_EVALUABLE
    if op == "semver_prefix":
        return says(a[:len(b)] == b)
    width = max(len(a), len(b))
    a, b = ([*v, *[component("0")] * (width - len(v))] for v in (a, b))
    return says({"semver_eq": a == b, "semver_gte": a >= b, "semver_lt": a < b}[op])


RULES = {"between": op_between, "in": op_in, "contains": op_contains}
for _ops, _rule in ((EQUALITY, op_equality), (ORDER, op_order), (WITHIN, op_within),
                    (AFFIX, op_affix), (SEMVER, op_semver)):
    RULES.update(dict.fromkeys(_ops, _rule))


def evaluate(op, observed, value, tol):
    """One operator (not fresh_within_s) on validated operands."""
    if op in PRESENCE:
        return says((observed is ABSENT) == (op == "not_exists"))
    if observed is ABSENT:
        return NOT_EVALUABLE
    if op not in SEMVER:
        observed, value, tol = portable(observed), portable(value), portable(tol)
    return RULES[op](op, observed, value, tol)


def operator(op, observed, value, tol=ABSENT):
    """answer_operator: ABSENT stands for SQL NULL; op None is SQL NULL too."""
    if op is None:
        raise Refused("22004", "op")
    value, tol = operands(op, value, tol)
    if op == "fresh_within_s":
        return NOT_EVALUABLE
    return evaluate(op, observed, value, tol)


# --------------------------------------------------------------------------
# Requests and checks
# --------------------------------------------------------------------------

CHECK_KEYS = {"id", "tool", "args", "expect", "observe", "required", "min_quality"}
QUALITIES = ("None", "Weak", "Moderate", "Strong", "Verified")
EXPECTATION_KEYS = {"path", "op", "value", "tol"}
REQUEST_KEYS = {"checks", "question", "deadline_ms", "evidence"}
CHECK_CAP = 20


def not_negative(value, what):
    """Refuse what is no number of zero or more."""
    parts = numeric(portable(value)) if value is not ABSENT else None
    if parts is None or parts[0]:
        raise wrong(what)


def operands(op, value, tol):
    """Validate value and tol for op; return them with the pair taken apart."""
    if op not in OPERATORS:
        raise wrong("op")
    if op in WITHIN:
        return pair(value, tol)
    if tol is not ABSENT:
        raise wrong("tol")
    if op in PRESENCE:
        return value, tol
    if value is ABSENT:
        raise wrong("value")
    if op == "in" and not isinstance(value, list):
        raise wrong("value")
    if op == "between" and not (isinstance(value, list) and len(value) == 2):
        raise wrong("value")
    if op == "fresh_within_s":
        not_negative(value, "value")
    return value, tol


def pair(value, tol):
    """The value and tolerance of abs_within and pct_within, either spelling."""
    if isinstance(value, dict):
        if tol is not ABSENT or set(value) != {"value", "tol"}:
            raise wrong("value")
        value, tol = value["value"], value["tol"]
        if isinstance(value, dict):     # its normal form would be refused again
            raise wrong("value")
    if value is ABSENT:
        raise wrong("value")
    not_negative(tol, "tol")
    return value, tol


def check_path(path):
    """Refuse what is no path."""
    if not isinstance(path, str) or not path:
        raise wrong("path")
    segments = path.split(".")
    if "" in segments or len(segments) > 8:
        raise wrong("path")


def normal_expectation(raw, observe):
    """{path?, op?, value?, tol?}, numbers still as written."""
    if not isinstance(raw, dict) or set(raw) - EXPECTATION_KEYS:
        raise wrong("expect")
    out = dict(raw)
    if "path" in raw:
        check_path(raw["path"])
    if "op" not in raw:
        if not observe or "tol" in raw:
            raise wrong("op")
        return out
    if not isinstance(raw["op"], str):
        raise wrong("op")
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
        raise wrong("expect")
    return [normal_expectation(e, observe) for e in raw]


def flag(check, key, default):
    """A boolean member with a default."""
    value = check.get(key, default)
    if not isinstance(value, bool):
        raise wrong(key)
    return value


def normal_check(check, position=1):
    """A check with its defaults filled in, numbers still as written."""
    if not isinstance(check, dict) or set(check) - CHECK_KEYS:
        raise wrong("check")
    ident = check.get("id", "c%d" % position)
    if not isinstance(ident, str) or not 1 <= len(ident) <= 200:
        raise wrong("id")
    tool = check.get("tool")
    if not isinstance(tool, str) or not tool:
        raise wrong("tool")
    args = check.get("args", {})
    if not isinstance(args, dict):
        raise wrong("args")
    observe = flag(check, "observe", False)
    out = {"id": ident, "tool": tool, "args": args, "observe": observe,
           "required": flag(check, "required", True),
           "expect": normal_expectations(check, observe)}
    if "min_quality" in check:
        if check["min_quality"] not in QUALITIES:
            raise wrong("min_quality")
        out["min_quality"] = check["min_quality"]
    return out


def normal_checks(checks):
    """All checks of a request, with unique ids."""
    if not isinstance(checks, list) or not 1 <= len(checks) <= 1000:
        raise wrong("checks")
    out = [normal_check(c, i) for i, c in enumerate(checks, 1)]
    if len({c["id"] for c in out}) != len(out):
        raise wrong("id")
    return out


def deadline(request):
    """deadline_ms, checked."""
    value = portable(request.get("deadline_ms", Num("6000")))
    if not isinstance(value, Num) or not re.fullmatch("[0-9]{1,5}", value.text):
        raise wrong("deadline_ms")
    if not 1 <= int(value.text) <= 60000:
        raise wrong("deadline_ms")
    return value


def validate(request):
    """answer_validate in checks mode: the normal form, portable."""
    if not isinstance(request, dict) or set(request) - REQUEST_KEYS:
        raise wrong("request")
    if "question" in request:
        if "checks" in request:
            raise wrong("question")
        raise NotImplementedError("question mode")
    out = {"checks": normal_checks(request.get("checks")), "deadline_ms": deadline(request)}
    if "evidence" in request:
        facts = request["evidence"]
        if not isinstance(facts, list) or not all(isinstance(f, dict) for f in facts):
            raise wrong("evidence")
        out["evidence"] = facts
    return portable(out)


# --------------------------------------------------------------------------
# Checking evidence
# --------------------------------------------------------------------------

INDEX = re.compile(r"0|[1-9][0-9]*")
STAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
                   r"(?:\.([0-9]{1,6}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))")


def instant(text):
    """Microseconds since year 1, or None when the text is no timestamp."""
    match = STAMP.fullmatch(text) if isinstance(text, str) else None
    if not match:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    frac, sign, off_h, off_m = match.groups()[6:]
    offset = int(off_h or 0) * 60 + int(off_m or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    if int(off_h or 0) > 15 or int(off_m or 0) > 59:
        return None
    try:
        days = date(year, month, day).toordinal()
    except ValueError:
        return None
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    seconds -= -offset * 60 if sign == "-" else offset * 60
    return seconds * 10 ** 6 + int((frac or "").ljust(6, "0"))


def step(container, segment):
    """One path segment into a container; ABSENT when it leads nowhere."""
    if isinstance(container, dict):
        return container.get(segment, ABSENT)
    if isinstance(container, list) and INDEX.fullmatch(segment):
        if len(segment) < 10 and int(segment) < len(container):
            return container[int(segment)]
    return ABSENT


def walk(raw, path):
    """Follow a path: (value, {}) or (ABSENT, where it stopped)."""
    done = []
    for segment in path.split("."):
        found = step(raw, segment)
        if found is ABSENT:
            return ABSENT, stopped(raw, done)
        raw = found
        done.append(segment)
    return raw, {}


def stopped(container, done):
    """Describe the last container a path reached."""
    out = {"resolved": ".".join(done)}
    if isinstance(container, dict):
        keys = sorted(container)
        out["keys"] = keys[:50]
        if len(keys) > 50:
            out["more"] = Num(str(len(keys) - 50))
    elif isinstance(container, list):
        out["length"] = Num(str(len(container)))
    return out


def operand(fact, expectation):
    """(value or ABSENT, explain details, whether a path lacked its raw)."""
    if expectation.get("op") == "fresh_within_s":
        stamp = fact.get("timestamp")
        return (ABSENT if instant(stamp) is None else stamp), {}, False
    if "path" not in expectation:
        return fact.get("value", ABSENT), {}, False
    if "raw" not in fact:
        return ABSENT, {}, True
    return *walk(fact["raw"], expectation["path"]), False


def fresh(fact, value, now):
    """fresh_within_s, in exact microseconds."""
    then = instant(fact.get("timestamp"))
    if then is None:
        return NOT_EVALUABLE
    (limit,), unit = scaled(numeric(portable(value)))
    return says(abs(now - then) * unit <= limit * 10 ** 6)


def expectation_outcome(fact, expectation, now):
    """One expectation: its explain entry (free text left out) and no_raw."""
    observed, details, no_raw = operand(fact, expectation)
    op, value = expectation["op"], expectation.get("value", ABSENT)
    if op == "fresh_within_s":
        outcome = fresh(fact, value, now)
    elif no_raw:
        outcome = NOT_EVALUABLE
    else:
        outcome = evaluate(op, observed, value, expectation.get("tol", ABSENT))
    entry = {"op": op, "outcome": outcome, **details}
    if "path" in expectation:
        entry["path"] = expectation["path"]
    if observed is not ABSENT:
        entry["observed"] = portable(observed)
    return entry, no_raw


def fact_score(fact):
    """The confidence a fact contributes to a check."""
    verification = fact.get("verification")
    score = verification.get("confidence") if isinstance(verification, dict) else None
    score = portable(score)
    if not isinstance(score, Num) or not 0 <= float(score.text) <= 1:
        return 0.0
    return float(score.text)


def quality_gap(normal, facts):
    """What keeps the evidence from the quality demanded, or None."""
    need = QUALITIES.index(normal.get("min_quality", "None"))
    said = [fact.get("quality") for fact in facts]
    have = min(QUALITIES.index(q) if q in QUALITIES else 0 for q in said)
    if have >= need:
        return None
    kind = {0: "missing", 3: "unverified"}.get(have, "weak")
    return {"have": QUALITIES[have], "need": QUALITIES[need], "kind": kind}


def unjudged(expectation):
    """The explain entry of an expectation that was not looked at."""
    entry = {k: expectation[k] for k in ("op", "path") if k in expectation}
    return {**entry, "outcome": NOT_EVALUABLE}


def facts_of(evidence):
    """The evidence argument as a list of facts."""
    if evidence is ABSENT:
        return []
    facts = evidence if isinstance(evidence, list) else [evidence]
    if not all(isinstance(f, dict) for f in facts):
        raise wrong("evidence")
    return facts


def check(raw_check, evidence, now):
    """answer_check; `now` in microseconds, None or ABSENT for SQL NULLs."""
    if raw_check is ABSENT or now is None:
        raise Refused("22004", "NULL")
    return judge(normal_check(raw_check), facts_of(evidence), now)


def judge(normal, facts, now):
    """Verdict, confidence, observed and explain entries of a normal check."""
    if not facts:
        return {"verdict": "evidence_unavailable", "confidence": 0.0,
                "observed": ABSENT, "entries": None}
    first = operand(facts[0], normal["expect"][0] if normal["expect"] else {})[0]
    out = {"confidence": min(map(fact_score, facts)), "observed": portable(first),
           "entries": None, "verdict": "value", "gap": quality_gap(normal, facts)}
    if out["gap"]:
        out["verdict"] = "not_evaluable"
        out["entries"] = [unjudged(e) for e in normal["expect"]]
        out["no_raw"] = [False] * len(out["entries"])
        return out
    if normal["observe"] or not normal["expect"]:
        return out
    found = [expectation_outcome(facts[0], e, now) for e in normal["expect"]]
    outcomes = [entry["outcome"] for entry, _ in found]
    out["entries"] = [entry for entry, _ in found]
    out["no_raw"] = [no_raw for _, no_raw in found]
    if FAILS in outcomes:
        out["verdict"] = "contradicted"
    else:
        out["verdict"] = "not_evaluable" if NOT_EVALUABLE in outcomes else "supported"
    return out


# --------------------------------------------------------------------------
# Composite and fact confidence
# --------------------------------------------------------------------------

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
    """answer_composite over (verdict, confidence or None, required)."""
    for verdict, confidence, required in rows:
        if verdict is None or required is None:
            raise Refused("22004", "NULL")
        if confidence is not None and not 0 <= confidence <= 1:
            raise wrong("confidence")
    needed = [(v, c or 0.0) for v, c, required in rows if required]
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
        raise wrong("verification")
    signals = verification.get("signals", {})
    if not isinstance(signals, dict):
        raise wrong("signals")
    if any(not isinstance(signals.get(s, False), bool) for s in WEIGHTS):
        raise wrong("signal")
    score = sum(weight for s, weight in WEIGHTS.items() if signals.get(s))
    if signals.get("conflict"):
        score = min(score, 40)
    basis = verification.get("basis")
    return min(score, BASIS_CAP.get(basis, 100) if isinstance(basis, str) else 100) / 100


# --------------------------------------------------------------------------
# Ed25519 (RFC 8032), slow and simple
# --------------------------------------------------------------------------

P = 2 ** 255 - 19
ORDER_L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, odd):
    """The x of a curve point, or None."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if odd else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != odd else x


def decode_point(data):
    """A point in extended coordinates, or None."""
    y = int.from_bytes(data, "little")
    x = recover_x(y & (2 ** 255 - 1), y >> 255)
    y &= 2 ** 255 - 1
    return None if x is None else (x, y, 1, x * y % P)


def encode_point(point):
    """The 32 bytes of a point."""
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def add(p, q):
    """Sum of two points."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    """Scalar multiple of a point."""
    out = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            out = add(out, point)
        point = add(point, point)
        scalar >>= 1
    return out


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def hash_int(*parts):
    """SHA-512 of the parts, as a scalar."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER_L


def ed25519_verify(public, message, signature):
    """Whether the signature is good: s in range, R compared as bytes."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, s = decode_point(public), int.from_bytes(signature[32:], "little")
    if key is None or s >= ORDER_L:
        return False
    minus = (P - key[0], key[1], 1, P - key[3])
    k = hash_int(signature[:32], public, message)
    return encode_point(add(times(s, BASE), times(k, minus))) == signature[:32]


def secret_parts(seed):
    """The clamped scalar and the prefix of a 32 byte secret."""
    hashed = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(hashed[:32], "little")
    return scalar & (2 ** 254 - 8) | 2 ** 254, hashed[32:]


def ed25519_public(seed):
    """The public key of a secret."""
    return encode_point(times(secret_parts(seed)[0], BASE))


def ed25519_sign(seed, message):
    """A signature; only tests and re-signed mutations need one."""
    scalar, prefix = secret_parts(seed)
    r, public = hash_int(prefix, message), ed25519_public(seed)
    start = encode_point(times(r, BASE))
    s = (r + hash_int(start, public, message) * scalar) % ORDER_L
    return start + s.to_bytes(32, "little")


def key_id(public):
    """The name of a key this extension made."""
    return "ae-ed25519-" + hashlib.sha256(public).hexdigest()[:12]


def base64url(text):
    """Decode base64url, padded or not; None unless it is spelt exactly."""
    if not isinstance(text, str) or not re.fullmatch("[A-Za-z0-9_-]*={0,2}", text):
        return None
    bare = text.rstrip("=")
    if len(bare) % 4 == 1 or (bare != text and len(text) % 4):
        return None
    data = base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    exact = base64.urlsafe_b64encode(data).decode().rstrip("=") == bare
    return data if exact else None


# --------------------------------------------------------------------------
# Receipts
# --------------------------------------------------------------------------

UNCITED_VERDICTS = {"evidence_unavailable", "outside_evidence_coverage", "not_evaluable"}


class Broken(Exception):
    """A verification step that does not hold, and why."""


def need(truth, why):
    """Fail the current step unless `truth`."""
    if not truth:
        raise Broken(why)


def without(receipt, *keys):
    """The object minus some members."""
    return {k: v for k, v in receipt.items() if k not in keys}


def verify_id(receipt, _keys):
    """The receipt id follows from the body."""
    body = canonical(without(receipt, "receipt_id", "signature", "anchor"))
    need(receipt.get("receipt_id") == "ans_" + sha256(body)[:16], "receipt_id differs")


def find_key(keys, name):
    """The key entry of that name: a string or a registry object."""
    if isinstance(keys, dict):
        need(name in keys, "unknown key")
        return keys[name]
    need(isinstance(keys, list), "keys are no object or array")
    found = [k for k in keys if isinstance(k, dict) and k.get("key_id") == name]
    need(found, "unknown key")
    need(len(found) == 1, "key given more than once")
    return found[0]


def optional_instant(entry, name):
    """An instant of a key entry, None when it is not given."""
    if entry.get(name) is None:
        return None
    found = instant(entry[name])
    need(found is not None, "malformed key: " + name)
    return found


def check_lifecycle(entry, issued_at):
    """The key must have been good when the receipt was issued."""
    need(entry.get("status") in ("active", "retired", "compromised"), "malformed key: status")
    start = optional_instant(entry, "active_from")
    ends = [optional_instant(entry, n) for n in ("retired_at", "compromised_after")]
    issued = instant(issued_at)
    need(issued is not None, "no issued_at")
    need(start is None or start <= issued, "key was not active yet")
    need(all(end is None or issued <= end for end in ends), "key was out of use")
    need(entry["status"] != "compromised" or ends[1] is not None, "key compromised")


def verify_signature(receipt, keys):
    """Algorithm, key, lifecycle, and the signature itself."""
    signature = receipt.get("signature")
    need(isinstance(signature, dict), "no signature")
    need(signature.get("alg") == "Ed25519", "alg")
    need(signature.get("canonicalization") == "json-sorted-compact", "canonicalization")
    name = signature.get("key_id")
    need(isinstance(name, str), "no key_id")
    entry = find_key(keys, name)
    public = entry.get("public_key") if isinstance(entry, dict) else entry
    public, sig = base64url(public), base64url(signature.get("sig"))
    need(public is not None and len(public) == 32, "malformed key")
    need(sig is not None and len(sig) == 64, "malformed sig")
    if isinstance(keys, list):
        check_lifecycle(entry, receipt.get("issued_at"))
    ours = receipt.get("schema") == "answer/v1"
    # nothing protects a further member of the signature, so a receipt must not have one
    need(not ours or set(signature) == {"alg", "key_id", "canonicalization", "sig"}, "signature has another member")
    signed = without(receipt, "signature", *(["anchor"] if ours else []))
    need(ed25519_verify(public, canonical(signed).encode(), sig), "signature is bad")


def members(receipt):
    """The checks of a receipt, each an object citing a list of digests."""
    checks = receipt.get("checks")
    need(isinstance(checks, list), "checks")
    for member in checks:
        need(isinstance(member, dict), "check")
        cited = member.get("evidence")
        need(isinstance(cited, list), "evidence")
        need(all(isinstance(d, str) for d in cited), "evidence")
    return checks


def evidence_index(receipt):
    """The evidence index, all of its members objects."""
    index = receipt.get("evidence_index")
    need(isinstance(index, dict), "evidence_index")
    need(all(isinstance(f, dict) for f in index.values()), "fact")
    return index


def verify_closure(receipt, _keys):
    """Citations and index match; facts hash and score as they claim."""
    index = evidence_index(receipt)
    cited = {d for member in members(receipt) for d in member["evidence"]}
    need(cited <= set(index), "cited but not indexed")
    need(set(index) <= cited, "indexed but not cited")
    for name, fact in index.items():
        need(digest(without(fact, "attestation", "raw")) == name, "digest differs")
        check_fact_score(fact)


def check_fact_score(fact):
    """The stated confidence is fact-conf/1 of the stated signals."""
    verification = fact.get("verification")
    try:
        score = fact_confidence(verification)
    except Refused as e:
        raise Broken(str(e)) from None
    need(same_number(verification.get("confidence"), score), "fact confidence differs")


def same_number(stated, expected):
    """Whether a JSON number is exactly the portable text of a float."""
    if not isinstance(stated, Num):
        return False
    return plain(stated.text) == plain(repr(expected))


def replay_member(member, position, index, now):
    """Recompute one check; returns its composite row."""
    try:
        normal = normal_check({k: member[k] for k in CHECK_KEYS & set(member)}, position)
    except Refused as e:
        raise Broken("check is malformed: %s" % e) from None
    cited, stated = member["evidence"], member.get("verdict")
    need(all(d in index for d in cited), "cites what is not indexed")
    if not cited:
        allowed = {"not_checked"} if position > CHECK_CAP else UNCITED_VERDICTS
        need(isinstance(stated, str) and stated in allowed, "verdict without evidence")
        found = {"verdict": stated, "confidence": 0.0, "observed": ABSENT}
    else:
        need(position <= CHECK_CAP, "a check past the cap cites evidence")
        found = judge(normal, [index[d] for d in cited], now)
    need(found["verdict"] == stated, "verdict differs")
    need(same_number(member.get("confidence"), found["confidence"]), "confidence differs")
    observed = member.get("observed", ABSENT)
    need(observed == found["observed"] and type(observed) is type(found["observed"]),
         "observed differs")
    return found["verdict"], found["confidence"], normal["required"]


def verify_replay(receipt, _keys):
    """Everything adjudicated must come out again."""
    index, checks = evidence_index(receipt), members(receipt)
    now = instant(receipt.get("evaluated_at"))
    need(now is not None, "evaluated_at")
    rows = [replay_member(m, i, index, now) for i, m in enumerate(checks, 1)]
    total = composite(rows)
    if (not rows and receipt.get("mode") == "question"
            and receipt.get("verdict") == "outside_evidence_coverage"):
        total["verdict"] = "outside_evidence_coverage"
    need(receipt.get("verdict") == total["verdict"], "composite verdict differs")
    need(same_number(receipt.get("confidence"), total["confidence"]),
         "composite confidence differs")
    need(receipt.get("degraded") is total["degraded"], "degraded differs")


def verify_anchor(receipt, _keys):
    """The imprint only; the token's inside is not read here."""
    anchor = receipt.get("anchor")
    need(isinstance(anchor, dict), "anchor is no object")
    need(anchor.get("hash_alg") == "sha256", "hash_alg")
    need(anchor.get("imprint") == sha256(canonical(without(receipt, "anchor"))),
         "imprint differs")


STEPS = {"receipt_id": verify_id, "signature": verify_signature,
         "closure": verify_closure, "replay": verify_replay, "anchor": verify_anchor}


def run_step(name, receipt, keys):
    """One verification step as {ok, …}."""
    if name == "anchor" and "anchor" not in receipt:
        return {"ok": True, "state": "absent"}
    try:
        STEPS[name](receipt, keys)
    except Broken as e:
        return {"ok": False, "reason": str(e)}
    return {"ok": True}


def verify_receipt(receipt, keys):
    """Offline verification of a parsed receipt with parsed keys."""
    if not isinstance(receipt, dict):
        steps = {name: {"ok": False, "reason": "not an object"} for name in STEPS}
    else:
        names = STEPS if receipt.get("schema") == "answer/v1" else ["signature"]
        steps = {name: run_step(name, receipt, keys) for name in names}
    return {"ok": all(s["ok"] for s in steps.values()), "steps": steps}


def verify_text(text, keys, jsonb=False):
    """Verification of receipt text, read as json or as jsonb."""
    try:
        receipt = parse_jsonb(text) if jsonb else parse(text)
    except Refused:
        return verify_receipt(None, keys)
    return verify_receipt(receipt, keys)
