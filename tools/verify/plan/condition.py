"""References and conditions of plans: doc/spec/plan.md §1 and §2."""

import fractions
import re

from verify.document.json_text import ABSENT, NotJson, Num, parse, WORDS
from verify.document.portable_number import exact
from verify.document.canonical import canonical
from verify.df_verify_1.report import need
from verify.answer_eval.check import step_into

BINDING_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
REFERENCE = re.compile(r"\$(" + BINDING_NAME + r")(?=[.\[]|\Z)", re.S)
STEP = re.compile(r"\.([^.\[]*)|\[([0-9]+)\]", re.S)
STEP_IN_CONDITION = re.compile(r"\.([^.\[\] \t\r\n()<>=!&|'\"]*)|\[([0-9]+)\]")
MAX_STEPS = 8


def read_steps(text, at, step):
    """(segments, end) of the path at a place; None if it is malformed."""
    steps = []
    while at < len(text) and text[at] in ".[":
        match = step.match(text, at)
        if not match:
            return None
        steps.append(match[1] if match[1] is not None else match[2])
        at = match.end()
    return (steps, at) if all(steps) and len(steps) <= MAX_STEPS else None


def read_argument(text):
    """(kind, name, rest) of a string argument: ("text", None, the text), ("value", name, segments) or ("malformed", …)."""
    match = REFERENCE.match(text)
    if not match:
        return "text", None, text[1:] if text.startswith("$$") else text
    found = read_steps(text, match.end(), STEP)
    if found is None or found[1] < len(text):
        return "malformed", None, None
    return "value", match[1], found[0]


def resolve(name, steps, bindings):
    """The value of a reference, or ABSENT."""
    value = bindings.get(name, ABSENT)
    for step in steps:
        value = step_into(value, step)
    return value


def bound(value, bindings):
    """Arguments with their references resolved."""
    return settled(binding(value, bindings))


def binding(value, bindings):
    """A generator for settled() that resolves the references in arguments of any depth."""
    if isinstance(value, list):
        out = []
        for one in value:
            out.append((yield binding(one, bindings)))
        return out
    if isinstance(value, dict):
        out = {}
        for key, one in value.items():
            out[key] = yield binding(one, bindings)
        return out
    if not isinstance(value, str):
        return value
    kind, name, rest = read_argument(value)
    if kind == "text":
        return rest
    found = resolve(name, rest, bindings) if kind == "value" else ABSENT
    need(found is not ABSENT, "a reference does not resolve")
    return found


def settled(routine):
    """Run a generator that yields other generators and is sent what they return. Nesting takes no stack."""
    waiting, value = [routine], None
    while waiting:
        try:
            waiting.append(waiting[-1].send(value))
            value = None
        except StopIteration as done:
            waiting.pop()
            value = done.value
    return value


class Erring(Exception):
    """A condition is malformed or cannot be evaluated."""


CONDITION_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<end>\Z)|(?P<op>\|\||&&|[<>=!]=|[<>!()-])"
    r"|(?P<number>[0-9][0-9A-Za-z_.]*(?:(?<=[eE])[+-][0-9A-Za-z_.]*)*)|(?P<word>" + BINDING_NAME + r")"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|(?P<name>\$" + BINDING_NAME + "))", re.S)
JSON_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
LITERAL_ESCAPE = re.compile(r"\\(.)|\"", re.S)
COMPARED = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


class Condition:
    """Parses a condition and evaluates it on the way. Parsing goes on after an error of evaluation.

    look_up(text, name, segments) returns the value of a reference, or ABSENT.
    """

    def __init__(self, text, look_up):
        self.text, self.look_up, self.at = text, look_up, 0
        self.is_faulty, self.is_read = False, False

    def evaluate(self):
        """Whether the condition holds; raises Erring."""
        self.next()
        value = settled(self.either())
        self.is_read = self.kind == "end"
        if not self.is_read or self.is_faulty or not isinstance(value, bool):
            raise Erring("result")
        return value

    def next(self):
        """Read a token."""
        match = CONDITION_TOKEN.match(self.text, self.at)
        if not match:
            raise Erring("token")
        self.kind, self.value, self.at = match.lastgroup, match[match.lastgroup], match.end()

    def take(self, *values):
        """Take the operator if it is one of these; returns it or None."""
        if self.kind != "op" or self.value not in values:
            return None
        value = self.value
        self.next()
        return value

    def fail(self):
        """Note an error of evaluation; parsing goes on."""
        self.is_faulty = True
        return ABSENT

    def chain(self, operator, part, join):
        """Operands joined by one logical operator."""
        value = yield part()
        while self.take(operator):
            other = yield part()
            known = isinstance(value, bool) and isinstance(other, bool)
            value = join(value, other) if known else self.fail()
        return value

    def either(self):
        """The grammar's rule `or`."""
        return self.chain("||", self.both, lambda a, b: a or b)

    def both(self):
        """The grammar's rule `and`."""
        return self.chain("&&", self.comparison, lambda a, b: a and b)

    def comparison(self):
        """The grammar's rule `cmp`."""
        left = yield self.primary()
        operator = self.take("<=", ">=", "<", ">", "==", "!=")
        if not operator:
            return left
        right = yield self.primary()
        if left is ABSENT or right is ABSENT:
            return self.fail()
        if operator in ("==", "!="):
            return same_value(left, right) == (operator == "==")
        if any(isinstance(left, kind) and isinstance(right, kind) for kind in (fractions.Fraction, str)):
            return COMPARED[operator](left, right)
        return self.fail()

    def primary(self):
        """The grammar's rule `prim`."""
        kind, value = self.kind, self.value
        if self.take("-"):
            inner = yield self.primary()
            return -inner if isinstance(inner, fractions.Fraction) else self.fail()
        if self.take("!"):
            inner = yield self.primary()
            return not inner if isinstance(inner, bool) else self.fail()
        if self.take("("):
            inner = yield self.either()
            return self.closed(inner)
        if kind == "word":
            found = yield self.word(value)
            return found
        readers = {"number": self.number, "text": self.literal, "name": self.reference}
        if kind not in readers:
            raise Erring("value")
        return readers[kind](value)

    def closed(self, value):
        """The value, if a closing parenthesis follows."""
        if not self.take(")"):
            raise Erring("parenthesis")
        return value

    def number(self, text):
        """A JSON number."""
        found = exact(Num(text)) if JSON_NUMBER.fullmatch(text) else None
        if found is None:
            raise Erring("number")
        self.next()
        return found

    def literal(self, text):
        """A text in quotation marks."""
        body = LITERAL_ESCAPE.sub(lambda m: '\\"' if m[0] == '"' else "'" if m[1] == "'" else m[0], text[1:-1])
        try:
            value = parse('"%s"' % body)
        except NotJson:
            raise Erring("text") from None
        self.next()
        return as_operand(value)

    def reference(self, text):
        """The value of $name and its path, which ends before an operator."""
        found = read_steps(self.text, self.at, STEP_IN_CONDITION)
        if found is None:
            raise Erring("path")
        begin, self.at = self.at - len(text), found[1]
        value = self.look_up(self.text[begin:self.at], text[1:], found[0])
        self.next()
        return self.fail() if value is ABSENT else as_operand(value)

    def word(self, word):
        """A fixed value or an aggregate."""
        self.next()
        if word in WORDS:
            return WORDS[word]
        if word not in ("mean", "min", "max", "count") or not self.take("("):
            raise Erring("word")
        inner = yield self.either()
        value = self.closed(inner)
        if not isinstance(value, list):
            return self.fail()
        if word == "count":
            return fractions.Fraction(len(value))
        numbers = [exact(one) for one in value]
        if not numbers or None in numbers:
            return self.fail()
        return {"mean": lambda n: sum(n) / len(n), "min": min, "max": max}[word](numbers)


def as_operand(value):
    """A JSON value as a condition sees it."""
    found = exact(value)
    return value if found is None else found


def same_value(a, b):
    """Whether two operands are equal."""
    if isinstance(a, fractions.Fraction) or isinstance(b, fractions.Fraction):
        return isinstance(a, fractions.Fraction) and isinstance(b, fractions.Fraction) and a == b
    return canonical(a, portable=True) == canonical(b, portable=True)


def condition_holds(text, bindings, by_reference=False):
    """True, False, or None for an error. The bindings are by name, or by the text of references (by_reference)."""
    def look_up(whole, name, steps):
        return bindings.get(whole, ABSENT) if by_reference else resolve(name, steps, bindings)
    try:
        return Condition(text, look_up).evaluate()
    except Erring:
        return None
