"""The canonical form of a value, and its digest: doc/spec/document.md §2 and §3."""

import hashlib
import json

from verify.document.json_text import ABSENT, Num, parse
from verify.document.portable_number import portable_number


class Literal(str):
    """Text that is copied into the canonical form as it is."""


def canonical(value, portable=False):
    """The canonical text (json-sorted-compact of DF-VERIFY/1); numbers as spelt, or portable if asked for."""
    out, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, Literal):
            out.append(item)
        elif isinstance(item, str):
            out.append(json.dumps(item))
        elif isinstance(item, Num):
            number = portable_number(item.text) if portable else item
            out.append(number.text if isinstance(number, Num) else json.dumps(number))
        elif isinstance(item, dict):
            stack.append(Literal("}"))
            for key in sorted(item, reverse=True):
                stack += item[key], Literal("," + json.dumps(key) + ":")
            out.append("{")
            if item:
                stack[-1] = Literal(stack[-1][1:])
        elif isinstance(item, list):
            stack.append(Literal("]"))
            for element in reversed(item):
                stack += element, Literal(",")
            out.append("[")
            if item:
                stack.pop()
        else:
            out.append("null" if item is None else "true" if item else "false")
    return "".join(out)


def sha256(text):
    """Hex SHA-256 of ASCII text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def digest(value):
    """The digest of a JSON value."""
    return "sha256:" + sha256(canonical(value))


def without(members, *keys):
    """The object minus some members."""
    return {k: v for k, v in members.items() if k not in keys}


def portable(value):
    """The value with every number in it portable."""
    if value is ABSENT:
        return value
    return parse(canonical(value, portable=True))


def same_as(stated, again):
    """Whether the recorded value equals the portable form of the recomputed one. Both may be ABSENT."""
    if stated is ABSENT or again is ABSENT:
        return stated is again
    return canonical(stated) == canonical(again, portable=True)
