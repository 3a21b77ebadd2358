"""Reads as much DER as time-stamp tokens need: doc/spec/df-verify-1.md §3.4.

Only the structure is checked here. OpenSSL verifies signatures.
"""

import collections
import re

INTEGER, OCTETS, OID, SEQUENCE, SET, TIME, BOOLEAN = 0x02, 0x04, 0x06, 0x30, 0x31, 0x18, 0x01


class NotDer(Exception):
    """The bytes do not have the expected structure."""


Element = collections.namedtuple("Element", "tag body raw")


def der_element(data, at):
    """(the element at a position, the position of the next)."""
    if at + 2 > len(data) or data[at] & 0x1F == 0x1F or data[at + 1] == 0x80:
        raise NotDer
    begin, length = at + 2, data[at + 1]
    if length & 0x80:
        begin += length & 0x7F
        length = int.from_bytes(data[at + 2:begin], "big")
    end = begin + length
    if end > len(data):
        raise NotDer
    return Element(data[at], data[begin:end], data[at:end]), end


def der_elements(data):
    """All elements in some bytes."""
    out, at = [], 0
    while at < len(data):
        element, at = der_element(data, at)
        out.append(element)
    return out


class Fields:
    """Takes the members of a SEQUENCE or SET one by one."""

    def __init__(self, element, tag=SEQUENCE):
        if element.tag != tag:
            raise NotDer
        self.left = der_elements(element.body)

    def optional(self, *tags):
        """The next member if its tag is one of these, else None."""
        return self.left.pop(0) if self.left and self.left[0].tag in tags else None

    def next(self, *tags):
        """The next member; if tags are named it must have one of them."""
        if not self.left or (tags and self.left[0].tag not in tags):
            raise NotDer
        return self.left.pop(0)

    def end(self):
        """Fail if there are more members."""
        if self.left:
            raise NotDer


def only_element(data):
    """The element in some bytes, which must be the only one."""
    element, end = der_element(data, 0)
    if end != len(data):
        raise NotDer
    return element


def number_of(element):
    """The value of an INTEGER, whatever its tag."""
    if not element.body:
        raise NotDer
    return int.from_bytes(element.body, "big", signed=True)


def oid(dotted):
    """The contents of an OBJECT IDENTIFIER."""
    first, second, *rest = map(int, dotted.split("."))
    out = bytearray()
    for number in (first * 40 + second, *rest):
        digits = [number & 0x7F]
        while number > 0x7F:
            number >>= 7
            digits.append(number & 0x7F | 0x80)
        out += bytes(reversed(digits))
    return bytes(out)


def algorithm_of(element):
    """(object identifier, whether its parameters are missing or NULL)."""
    fields = Fields(element)
    name = fields.next(OID).body
    parameters = fields.left.pop(0) if fields.left else None
    fields.end()
    return name, parameters is None or parameters.raw == b"\x05\x00"


# String types and how to decode them. Names are compared across types, as X.509 and OpenSSL do.
STRINGS = {0x0C: "utf-8", 0x13: "latin-1", 0x14: "latin-1", 0x16: "latin-1", 0x1A: "latin-1", 0x1C: "utf-32-be",
           0x1E: "utf-16-be"}


def name_key(element):
    """A key for comparing Names: case and redundant spaces do not count."""
    key = []
    for part in Fields(element).left:
        values = []
        for pair_ in Fields(part, SET).left:
            fields = Fields(pair_)
            kind, value = fields.next(OID).body, fields.next()
            if value.tag in STRINGS:
                try:
                    text = value.body.decode(STRINGS[value.tag])
                except UnicodeDecodeError:
                    raise NotDer from None
                # fold ASCII only
                text = " ".join(re.split("[ \t\n\v\f\r]+", text.strip(" \t\n\v\f\r")))
                value = "".join(c.lower() if c.isascii() else c for c in text)
            else:
                value = value.raw
            values.append((kind, value))
        key.append(tuple(sorted(values, key=repr)))
    return tuple(key)
