"""The canonical form of a value, and its digest: doc/spec/document.md §2 and §3."""

import hashlib
import json

from verify.document.json_text import ABSENT, Num, parse
from verify.document.portable_number import portable_number


class Literal(str):
    """Text that stands in the canonical form as it is."""


def canonical(value, portable=False):
    """Sorted, compact, pure ASCII (DF-VERIFY/1 json-sorted-compact); numbers as spelt, or else portable."""
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
    """The value with every number in it portable; keys are left alone."""
    if value is ABSENT:
        return value
    return parse(canonical(value, portable=True))


def same_as(stated, again):
    """Whether what is recorded, if anything is, is what comes out again, which gets its portable form."""
    if stated is ABSENT or again is ABSENT:
        return stated is again
    return canonical(stated) == canonical(again, portable=True)
