"""The operators of expectations: doc/spec/answer-eval.md §3."""

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import NUMERIC_STRING, plain, plain_text, split_number
from verify.document.canonical import canonical

HOLDS, FAILS, NOT_EVALUABLE = "holds", "fails", "not_evaluable"

# the Unicode property White_Space
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

DIGIT_CAP = 1000


class Malformed(Exception):
    """A check that does not have the form of doc/spec/answer-eval.md §1; the message names the member."""


def says(truth):
    """A truth value as an outcome."""
    return HOLDS if truth else FAILS


def text_of(value):
    """A value as text; None for a number beyond the range."""
    if isinstance(value, str):
        return value
    return plain_text(value.text) if isinstance(value, Num) else canonical(value, portable=True)


def compared(value):
    """The text that `eq` compares: two values are equal exactly if these texts are equal."""
    text = text_of(value)
    return None if text is None else text.strip(WHITE_SPACE)


# Stands for a number beyond the range: it is never negative, and too long to be compared.
BEYOND = ("", "9" * (DIGIT_CAP + 1), "")


def numeric(value):
    """The parts of a numeric operand, or None if it is not numeric."""
    if isinstance(value, Num):
        return plain(value.text) or BEYOND
    if isinstance(value, str) and NUMERIC_STRING.fullmatch(value):
        sign, whole, frac, _ = split_number(value)
        whole, frac = whole.lstrip("0"), frac.rstrip("0")
        return (sign if whole or frac else ""), whole, frac
    return None


def numeric_operands(*values):
    """The operands as integers multiplied by one scale, and the scale; None if one of them cannot be compared."""
    parts = [numeric(v) for v in values]
    if any(p is None or len(p[1]) > DIGIT_CAP or len(p[2]) > DIGIT_CAP for p in parts):
        return None
    scale = max(len(frac) for _, _, frac in parts)
    return [int(sign + (whole + frac.ljust(scale, "0") or "0")) for sign, whole, frac in parts], 10 ** scale


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
    a, b = compared(observed), compared(value)
    numbers = isinstance(observed, Num) and isinstance(value, Num)
    if b is None or (a is None and not numbers):
        return NOT_EVALUABLE
    return says((a == b) == (op == "eq"))


def op_in(_op, observed, value, _tol):
    """Membership of the observed in the expected list."""
    wanted = compared(observed)
    return NOT_EVALUABLE if wanted is None else says(any(compared(v) == wanted for v in value))


def has_scalar_text(value):
    """A string, number or boolean: something with a text to search in."""
    return isinstance(value, (str, Num, bool))


def op_contains(_op, observed, value, _tol):
    """List membership or substring."""
    if isinstance(observed, list):
        wanted = compared(value)
        return NOT_EVALUABLE if wanted is None else says(any(compared(v) == wanted for v in observed))
    return search(observed, value, lambda whole, part: part in whole)


def op_affix(op, observed, value, _tol):
    """Prefix and suffix."""
    return search(observed, value, str.startswith if op == "starts_with" else str.endswith)


def search(observed, value, found):
    """Apply `found` to two untrimmed texts."""
    if not (has_scalar_text(observed) and has_scalar_text(value)):
        return NOT_EVALUABLE
    whole, part = text_of(observed), text_of(value)
    return NOT_EVALUABLE if whole is None or part is None else says(found(whole, part))


def version(value):
    """A version as comparable components, or None."""
    if isinstance(value, Num):
        sign, whole, frac = plain(value.text) or ("-", "", "")
        return None if sign or frac else [component(whole)]
    if not isinstance(value, str) or not value.isascii():
        return None
    groups = value.split(".")
    return [component(g) for g in groups] if all(map(str.isdigit, groups)) else None


def component(digits):
    """A key that orders digit groups of any length as integers."""
    digits = digits.lstrip("0")
    return len(digits), digits


def op_semver(op, observed, value, _tol):
    """Version comparison."""
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
    """One operator (not fresh_within_s) on operands that operands() has passed."""
    if op in PRESENCE:
        return says((observed is ABSENT) == (op == "not_exists"))
    if observed is ABSENT:
        return NOT_EVALUABLE
    return RULES[op](op, observed, value, tol)


def not_negative(value, what):
    """Refuse anything that is not a number of zero or more."""
    parts = numeric(value) if value is not ABSENT else None
    if parts is None or parts[0]:
        raise Malformed(what)


def operands(op, value, tol):
    """Validate value and tol for op; return them, {value, tol} taken apart."""
    if op not in OPERATORS:
        raise Malformed("op")
    if op in WITHIN:
        return pair(value, tol)
    if tol is not ABSENT:
        raise Malformed("tol")
    if op in PRESENCE:
        return value, tol
    if value is ABSENT:
        raise Malformed("value")
    if op == "in" and not isinstance(value, list):
        raise Malformed("value")
    if op == "between" and not (isinstance(value, list) and len(value) == 2):
        raise Malformed("value")
    if op == "fresh_within_s":
        not_negative(value, "value")
    return value, tol


def pair(value, tol):
    """The value and tolerance of abs_within and pct_within, in either spelling."""
    if isinstance(value, dict):
        if tol is not ABSENT or set(value) != {"value", "tol"}:
            raise Malformed("value")
        value, tol = value["value"], value["tol"]
        if isinstance(value, dict):     # its normal form would be refused again
            raise Malformed("value")
    if value is ABSENT:
        raise Malformed("value")
    not_negative(tol, "tol")
    return value, tol
