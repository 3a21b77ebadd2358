"""Reads JSON text: doc/spec/document.md §1.

A value is None, bool, str, list, dict or Num. A missing member is the object ABSENT; a document that two readers
could read differently is AMBIGUOUS. Text that is not JSON, or that PostgreSQL's jsonb refuses, raises NotJson.
"""

import json
import re

# How deep containers may be nested: as deep as the extension accepts with PostgreSQL's default settings. What it mints
# is never deeper than RECEIPT_MAX_DEPTH.
MAX_DEPTH = 4096
RECEIPT_MAX_DEPTH = 512


class Absent:
    """The type of ABSENT."""

    def __repr__(self):
        return "ABSENT"


ABSENT = Absent()
AMBIGUOUS = Absent()


class Num:
    """A JSON number, kept exactly as it is spelt; equal only to one that is spelt the same."""

    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return isinstance(other, Num) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return "Num(%s)" % self.text


SYNTAX, SURROGATE, NUL, DEPTH, REPEATED = "syntax", "surrogate", "nul", "depth", "member twice"


class NotJson(Exception):
    """The text is not JSON, or not accepted here; `faults` says why."""

    def __init__(self, *faults):
        super().__init__("no JSON: " + ", ".join(faults))
        self.faults = frozenset(faults)


def no_constant(name):
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(name)


def unique_object(pairs):
    """An object in which no member occurs twice, however it is spelt."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotJson(REPEATED)
    return members


DECODER = json.JSONDecoder(parse_int=Num, parse_float=Num, parse_constant=no_constant)
UNIQUE_DECODER = json.JSONDecoder(parse_int=Num, parse_float=Num, parse_constant=no_constant,
                                  object_pairs_hook=unique_object)
JSON_SPACE = " \t\r\n"


def parse(text, unique=False):
    """Read JSON text. If members repeat a name the last counts, but the strings of all are checked.

    Signed text must be read with `unique`, which refuses repeated names: readers differ on which of them counts.
    """
    try:
        value = (UNIQUE_DECODER if unique else DECODER).decode(text.strip(JSON_SPACE))
    except RecursionError:
        value = parse_deep(text, unique)
    except ValueError:
        raise NotJson(SYNTAX) from None
    faults = escape_faults(text)
    if faults:
        raise NotJson(*faults)
    return value


ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\.", re.S)


def escape_faults(text):
    """Find half surrogates and U+0000 in JSON text. They can only occur as escapes."""
    faults = set()
    low_due_at = -1
    for match in ESCAPE.finditer(text) if "\\u" in text else ():
        unit = int(match[1], 16) if match[1] else -1
        if low_due_at >= 0 and not (match.start() == low_due_at and 0xDC00 <= unit <= 0xDFFF):
            faults.add(SURROGATE)
            low_due_at = -1
        if unit == 0:
            faults.add(NUL)
        elif 0xD800 <= unit <= 0xDBFF:
            low_due_at = match.end()
        elif 0xDC00 <= unit <= 0xDFFF:
            if low_due_at < 0:
                faults.add(SURROGATE)
            low_due_at = -1
    return faults | {SURROGATE} if low_due_at >= 0 else faults


TOKEN = re.compile(r"""[ \t\n\r]*(?:([\[\]{},:"])|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
                   |(true|false|null)|(\Z))""", re.X)
WORDS = {"true": True, "false": False, "null": None}


def next_token(text, at):
    """(kind, value, end): kind is a bracket, comma or colon, "value" for a scalar, or "" at the end."""
    match = TOKEN.match(text, at)
    if not match:
        raise NotJson(SYNTAX)
    mark, number, word, _ = match.groups()
    if mark == '"':
        try:
            return ("value", *json.decoder.scanstring(text, match.end(), True))
        except ValueError:
            raise NotJson(SYNTAX) from None
    if mark:
        return mark, None, match.end()
    if number:
        return "value", Num(number), match.end()
    return ("value", WORDS[word], match.end()) if word else ("", None, match.end())


def parse_deep(text, unique=False):
    """Read JSON text without recursion, for text that is nested beyond Python's own limit."""
    outer, stack = [], []
    container, key = outer, None
    kind, value, at = next_token(text, 0)
    while True:
        # a value begins here
        if kind in ("[", "{"):
            value = [] if kind == "[" else {}
        elif kind != "value":
            raise NotJson(SYNTAX)
        if isinstance(container, dict):
            if unique and key in container:
                raise NotJson(REPEATED)
            container[key] = value
        else:
            container.append(value)
        opened = kind != "value"
        if opened:
            stack.append(container)
            container = value
            if len(stack) > MAX_DEPTH + 1:
                raise NotJson(DEPTH)
        kind, value, at = next_token(text, at)
        while kind in ("]", "}") and stack:
            if (kind == "}") != isinstance(container, dict):
                raise NotJson(SYNTAX)
            container, opened = stack.pop(), False
            kind, value, at = next_token(text, at)
        if not stack:
            if kind:
                raise NotJson(SYNTAX)
            return outer[0]
        if not opened:
            if kind != ",":
                raise NotJson(SYNTAX)
            kind, value, at = next_token(text, at)
        if isinstance(container, dict):
            colon, _, at = next_token(text, at)
            if kind != "value" or not isinstance(value, str) or colon != ":":
                raise NotJson(SYNTAX)
            key = value
            kind, value, at = next_token(text, at)


def parse_bytes(data):
    """Read JSON from bytes, which must be UTF-8; no object may have a member twice."""
    try:
        return parse(data.decode("utf-8"), unique=True)
    except UnicodeDecodeError:
        raise NotJson(SYNTAX) from None


def is_deeper(value, levels):
    """Whether containers are nested more than `levels` deep."""
    layer = [value]
    for _ in range(levels):
        layer = [v for c in layer if isinstance(c, (dict, list)) for v in (c.values() if isinstance(c, dict) else c)]
        if not layer:
            return False
    return any(isinstance(v, (dict, list)) for v in layer)
