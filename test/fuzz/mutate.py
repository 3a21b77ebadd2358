"""Mutations of characters, and of their structure: JSON, DER, base64, lines.

A seed is parsed once, for the places where its parts begin and end. A mutation is then a splice of its text, so Python
can make tens of thousands per second. The first argument of all mutations is the random generator.
"""
import base64
import functools
import hashlib
import re

TOKENS = ['"', "\\", "\\u0000", "\\ud800", "\\ud83d\\ude00", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0",
          "1e400", "1e-400", "9007199254740993", "0." + "3" * 40, "9" * 1001, "\u00e9", "\U0001f600", "\u0085", " ", "\n",
          '"expect"', '"op"', '"value"', '"tol"', '"path"', '"raw"', '"evidence"', "a.b.0", ".", "=", "_", "-", "+", "/",
          "\n\n", "\u2014 ", "\r\n", "\t", "-----BEGIN ", "-----END ", "PRIVATE KEY", "==", "\ufeff", "\u00a0",
          "? ", ". ", "{a}", "{a:words}", "[x]", "(x|y)", "|", "\u201c", "\u202e", "\u0430", " is ", " the "]
LEAVES = ("null", "true", "false", "0", "-0", "-1", "1", "1e300", "0.1", "1e0", "9007199254740993", "9223372036854775807",
          "9223372036854775808", "18446744073709551616", '""', '"%s"' % ("x" * 300), '"3.10"', '"sha256:0"',
          '"sha256:%s"' % ("0" * 64), "[]", "{}", "[[]]", '{"value": 1, "tol": 1}', '"2026-02-30T00:00:00Z"', '"\U0001f600"',
          "0" * 1, "1" + "0" * 1200, '"answer/v1"', '"answer/tombstone/v1"', '"answer/inclusion/v1"', '"answer/consistency/v1"',
          '"\\u0000"', '"\\ud800"', "[" * 40 + "]" * 40, '"compromised"', '"AAAA"', '"%s="' % ("A" * 43), "0.0", "1.00",
          '"infinity"', '"not_checked"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:60Z"')
KEYS = ("", "extra", "raw", "value", "anchor", "signature", "d", "\u00e9", "schema", "digest", "forgotten", "checkpoint",
        "observed", "attestation", "required", "compromised_after")


def some_char(rng):
    return chr(rng.choice((rng.randrange(1, 128), rng.randrange(32, 127), rng.randrange(0x80, 0xD800))))


def characters(rng, text, others=()):
    """A few edits of characters and tokens, anywhere; sometimes with a piece of another seed."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 4, 16))):
        size = len(text)
        at = rng.randrange(size + 1)
        kind = rng.randrange(11)
        if kind == 0:
            text = text[:at] + some_char(rng) + text[at + 1:]
        elif kind == 1:
            text = text[:at] + text[at + rng.choice((1, 1, 2, 20, 200)):]
        elif kind == 2:
            text = text[:at] + rng.choice(TOKENS) + text[at:]
        elif kind == 3 and size:
            begin = rng.randrange(size)
            text = text[:at] + text[begin:begin + rng.choice((1, 4, 60, 400))] + text[at:]
        elif kind == 4:
            text = text[:at] + rng.choice("[{ \nA=-0") * rng.choice((1, 2, 50, 3000)) + text[at:]
        elif kind == 5:
            text = text[:at]
        elif kind == 6 and others:
            other = rng.choice(others)
            text = text[:at] + other[rng.randrange(len(other) + 1):]
        elif kind == 7 and at < size:
            text = text[:at] + text[at].swapcase() + text[at + 1:]
        elif kind == 8 and at < size and text[at].isascii():
            text = text[:at] + chr(ord(text[at]) ^ 1 << rng.randrange(7)) + text[at + 1:]
        elif kind == 9 and size:
            begin = rng.randrange(size)
            piece = text[begin:begin + rng.randrange(1, 60)]
            text = text[:at] + piece + text[at + len(piece):]
        elif kind == 10 and size:
            low, high = sorted((at, rng.randrange(size + 1)))
            middle = rng.randrange(low, high + 1)
            text = text[:low] + text[middle:high] + text[low:middle] + text[high:]
    return text


# --------------------------------------------------------------------------
# JSON
# --------------------------------------------------------------------------

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
ATOM = re.compile(r"[^\s,\]}]+")
SPACE = re.compile(r"\s*")


class Places:
    """The places of the values in a JSON text: (begin, end), and with a key (begin_of_member, begin, end)."""

    def __init__(self, text):
        self.text = text
        self.values = []
        self.members = []
        self.elements = []
        self.value(self.skip(0))

    def skip(self, at):
        return SPACE.match(self.text, at).end()

    def value(self, at):
        begin = at
        if self.text[at] == "{":
            at = self.items(at, "}", True)
        elif self.text[at] == "[":
            at = self.items(at, "]", False)
        else:
            at = (STRING if self.text[at] == '"' else ATOM).match(self.text, at).end()
        self.values.append((begin, at))
        return at

    def items(self, at, closing, keyed):
        at = self.skip(at + 1)
        while self.text[at] != closing:
            begin = at
            if keyed:
                at = self.skip(STRING.match(self.text, at).end())
                at = self.skip(at + 1)          # the colon
            value = at
            at = self.value(at)
            (self.members if keyed else self.elements).append((begin, value, at))
            at = self.skip(at)
            if self.text[at] == ",":
                at = self.skip(at + 1)
        return at + 1


@functools.lru_cache(maxsize=400)
def places(text):
    return Places(text)


def respelt(rng, literal):
    """The same value in another spelling, or nearly."""
    if literal[0] == '"' and len(literal) > 2:
        at = rng.randrange(1, len(literal) - 1)
        if literal[at].isalnum() and literal[at - 1] != "\\" and not re.search(r"\\u[0-9a-fA-F]{0,3}$", literal[:at]):
            return "%s\\u%04x%s" % (literal[:at], ord(literal[at]), literal[at + 1:]) if ord(literal[at]) < 65536 else literal
        return literal
    if literal[0] in "-0123456789":
        return rng.choice((literal + "e0", literal + "E+0", literal + ("0" if "." in literal else ".0"), "-" + literal,
                           literal + "0", literal + "e1", literal + "e-1"))
    return rng.choice((" ", "\n", "\t", "")) + literal + rng.choice((" ", "\r\n", ""))


def without(text, item):
    """The text without a member or element and its comma."""
    begin, _, end = item
    after = SPACE.match(text, end).end()
    if text[after] == ",":
        return text[:begin] + text[after + 1:]
    before = text[:begin].rstrip()
    return (before[:-1] if before.endswith(",") else before) + text[end:]


def json_edit(rng, text, others):
    """One edit of a JSON text, which stays JSON."""
    at = places(text)
    items = at.members + at.elements
    kind = rng.randrange(12)
    if items and kind == 0:
        return without(text, rng.choice(items))
    if items and kind == 1:
        begin, _, end = rng.choice(items)
        return text[:end] + "," + text[begin:end] + text[end:]
    if at.members and kind == 2:                # a second member of the same name, or a new one
        begin, value, end = rng.choice(at.members)
        key = text[begin:value] if rng.random() < 0.6 else '"%s":' % rng.choice(KEYS)
        return text[:begin] + key + rng.choice(LEAVES) + "," + text[begin:end] + text[end:]
    if at.members and kind == 3:
        begin, value, end = rng.choice(at.members)
        key = text[begin:value] if rng.random() < 0.6 else '"%s":' % rng.choice(KEYS)
        return text[:end] + "," + key + rng.choice(LEAVES) + text[end:]
    if at.members and kind == 4:                # another name
        begin, value, end = rng.choice(at.members)
        return text[:begin] + '"%s":' % rng.choice(KEYS) + text[value:]
    if at.members and kind == 5:                # two values change places
        a, b = sorted(rng.choices(at.values, k=2))
        if a[1] <= b[0]:
            return text[:a[0]] + text[b[0]:b[1]] + text[a[1]:b[0]] + text[a[0]:a[1]] + text[b[1]:]
    begin, end = rng.choice(at.values)
    if kind in (6, 7):
        return text[:begin] + respelt(rng, text[begin:end]) + text[end:]
    if kind == 8:                               # a value from elsewhere, of another document sometimes
        other = rng.choice(others) if others and rng.random() < 0.5 else text
        a, b = rng.choice(places(other).values) if other[:1] in "{[" else (0, 0)
        return text[:begin] + (other[a:b] or "0") + text[end:]
    if kind == 9:
        return text[:begin] + rng.choice(("[%s]", '{"a":%s}', "[%s,%s]")).replace("%s", text[begin:end]) + text[end:]
    literal = text[begin:end]
    if kind == 10 and literal[0] == '"' and len(literal) > 2:
        inner = characters(rng, literal[1:-1]).replace("\\", "").replace('"', "")
        return text[:begin] + '"' + "".join(c for c in inner if c >= " ") + '"' + text[end:]
    return text[:begin] + rng.choice(LEAVES) + text[end:]


def json(rng, text, others=()):
    try:
        # parsing a text that is not a seed takes a millisecond
        for _ in range(rng.choice((1,) * 22 + (2, 5))):
            text = json_edit(rng, text, others)
    except (IndexError, AttributeError):        # it is JSON no more, or too deep to look at
        return characters(rng, text, others)
    return text


# --------------------------------------------------------------------------
# base64 in any text
# --------------------------------------------------------------------------

RUN = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")


@functools.lru_cache(maxsize=400)
def runs(text):
    return [m.span() for m in RUN.finditer(text)]


def base64_text(rng, text, others=()):
    """Change the bytes of a run of base64, or only its spelling."""
    found = runs(text)
    if not found:
        return characters(rng, text, others)
    begin, end = rng.choice(found)
    at = text.find('"sig": "') if rng.random() < 0.2 else -1
    if at >= 0:                                 # choose the signature more often, among many digests
        begin, end = RUN.search(text, at).span() if RUN.search(text, at) else (begin, end)
    run = text[begin:end]
    kind = rng.randrange(8)
    if kind == 0:
        run = run.rstrip("=")
    elif kind == 1:
        run += rng.choice(("=", "==", "A", "AA", "AAA=", "AAAA"))
    elif kind == 2:
        run = run.translate(str.maketrans("+/-_", rng.choice(("-_+/", "+/+/", "-_-_"))))
    elif kind == 3:                             # bits that belong to no byte
        bare = run.rstrip("=")
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        last = alphabet.find(bare[-1].replace("-", "+").replace("_", "/"))
        run = bare[:-1] + alphabet[last ^ rng.randrange(1, 16)] + run[len(bare):]
    elif kind == 4:
        at = rng.randrange(len(run) + 1)
        run = run[:at] + rng.choice(("\n", " ", "\t", "=", "\\n", "\u00e9", ".")) + run[at:]
    else:
        url = "-" in run or "_" in run
        try:
            data = base64.b64decode(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
        except ValueError:
            return characters(rng, text, others)
        data = octets(rng, data) if kind < 7 else der(rng, data)
        run = (base64.urlsafe_b64encode if url else base64.b64encode)(data).decode()
    return text[:begin] + run + text[end:]


# --------------------------------------------------------------------------
# bytes and DER
# --------------------------------------------------------------------------

def octets(rng, data, others=()):
    """A few edits of bytes."""
    data = bytes(data)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(9)
        if kind in (0, 1) and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
        elif kind == 2:
            data = data[:at] + bytes([rng.choice((0, 1, 2, 3, 4, 5, 6, 0x10, 0x17, 0x18, 0x1F, 0x30, 0x31, 0x7F, 0x80, 0x81,
                                                  0x84, 0xA0, 0xA1, 0xBF, 0xFF))]) + data[at + 1:]
        elif kind == 3:
            data = data[:at] + data[at + rng.choice((1, 1, 2, 40, 400)):]
        elif kind == 4 and data:
            begin = rng.randrange(len(data))
            data = data[:at] + data[begin:begin + rng.randrange(1, 400)] + data[at:]
        elif kind == 5:
            data = data[:at] + rng.choice((b"\x30\x80", b"\x30\x84\xff\xff\xff\xff", b"\x02\x81\x80", b"\x06\x81\xff", b"\x05\x00",
                                           b"\x30\x80" * 200, b"\0" * 3000, b"\0\0", b"\x24\x80")) + data[at:]
        elif kind == 6:
            data = data[:at]
        elif kind == 7 and others:
            other = rng.choice(others)
            data = data[:at] + other[rng.randrange(len(other) + 1):]
        elif kind == 8:
            data += bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 64))))
    return data


def length_of(size):
    if size < 128:
        return bytes([size])
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


class Node:
    """A TLV: the places of its tag, its content and its end, and the node around it."""

    __slots__ = ("begin", "content", "end", "parent")

    def __init__(self, begin, content, end, parent):
        self.begin, self.content, self.end, self.parent = begin, content, end, parent


def header(data, at, end):
    """(begin of content, end of content) of the TLV at a place, or None."""
    if at + 2 > end:
        return None
    at += 1
    if data[at - 1] & 0x1F == 0x1F:
        return None
    size = data[at]
    at += 1
    if size >= 0x80:
        digits = size & 0x7F
        if digits == 0 or digits > 4 or at + digits > end:
            return None
        size = int.from_bytes(data[at:at + digits], "big")
        at += digits
    return (at, at + size) if at + size <= end else None


def nodes_between(data, begin, end, parent, found):
    """Append the nodes that fill a range; if it is not all TLVs, append nothing and return false."""
    mark = len(found)
    at = begin
    while at < end:
        place = header(data, at, end)
        if place is None:
            del found[mark:]
            return False
        node = Node(at, place[0], place[1], parent)
        found.append(node)
        # OCTET STRINGs mostly contain ASN.1, too
        if (data[at] & 0x20 or data[at] == 4) and node.end > node.content:
            nodes_between(data, node.content, node.end, node, found)
        at = node.end
    return True


@functools.lru_cache(maxsize=400)
def nodes(data):
    found = []
    nodes_between(data, 0, len(data), None, found)
    return found


def replaced(data, node, new):
    """The data with a node replaced by other bytes, and the lengths around it corrected."""
    begin, end = node.begin, node.end
    parent = node.parent
    while parent:
        content = data[parent.content:begin] + new + data[end:parent.end]
        new = data[parent.begin:parent.begin + 1] + length_of(len(content)) + content
        begin, end = parent.begin, parent.end
        parent = parent.parent
    return data[:begin] + new + data[end:]


PIECES = (b"\x05\x00", b"\x30\x00", b"\x31\x00", b"\x02\x01\x00", b"\x02\x01\x01", b"\x02\x01\xff", b"\x02\x00", b"\x01\x01\x00",
          b"\x01\x01\x01", b"\x01\x01\xff", b"\x04\x00", b"\xa0\x00", b"\xa1\x00", b"\xa1\x02\x31\x00", b"\x06\x00",
          b"\x06\x01\x2a", b"\x06\x0b" + b"\xff" * 10 + b"\x7f", b"\x18\x0f20260101000000Z", b"\x18\x1120260101000000.0Z",
          b"\x18\x0f00000000000000Z", b"\x18\x13202601010000+00:00Z", b"\x17\x0d260101000000Z",
          b"\x02\x82\x01\x00" + b"\x7f" * 256, b"\x0c\x03a\0b", b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03")


def der_edit(rng, data, others):
    """One edit of a tree of TLVs."""
    found = nodes(data)
    if not found:
        return octets(rng, data, others)
    node = rng.choice(found)
    whole = data[node.begin:node.end]
    content = data[node.content:node.end]
    tag = data[node.begin:node.begin + 1]
    kind = rng.randrange(16)
    if kind == 0:
        return replaced(data, node, b"")
    if kind == 1:
        return replaced(data, node, whole * rng.choice((2, 2, 2, 30)))
    if kind == 2:
        other = rng.choice(found)
        return replaced(data, node, data[other.begin:other.end])
    if kind == 3:
        return replaced(data, node, bytes([rng.choice((tag[0] ^ 1 << rng.randrange(8), rng.randrange(256)))]) + whole[1:])
    if kind == 4:                               # a length that is not the shortest
        size = len(content)
        return replaced(data, node, tag + rng.choice((b"\x81" + bytes([size & 0xFF]), b"\x82" + (size & 0xFFFF).to_bytes(2, "big"),
                                                      b"\x84" + size.to_bytes(4, "big"))) + content)
    if kind == 5:                               # the indefinite length
        return replaced(data, node, bytes([tag[0] | rng.choice((0, 0x20))]) + b"\x80" + content + b"\0\0")
    if kind == 6:                               # a length that is wrong
        size = rng.choice((0, len(content) - 1, len(content) + 1, 2 * len(content), 0x7FFFFFFF, 0xFFFFFFFF)) & 0xFFFFFFFF
        return data[:node.begin] + tag + length_of(size) + data[node.content:]
    if kind == 7:
        return replaced(data, node, rng.choice(PIECES))
    if kind == 8:
        return replaced(data, node, whole + rng.choice(PIECES))
    if kind == 9:
        return replaced(data, node, rng.choice(PIECES) + whole)
    if kind == 10:                              # padded in front, as no integer may be
        content = rng.choice((b"\0", b"\xff", b"\0\0")) + content
        return replaced(data, node, tag + length_of(len(content)) + content)
    if kind == 11:
        content = octets(rng, content)
        return replaced(data, node, tag + length_of(len(content)) + content)
    if kind == 12:                              # a string in pieces, as in BER
        at = rng.randrange(len(content) + 1)
        pieces = b"".join(tag + length_of(len(p)) + p for p in (content[:at], content[at:]))
        return replaced(data, node, bytes([tag[0] | 0x20]) + length_of(len(pieces)) + pieces)
    if kind == 13 and others:
        other = rng.choice(others)
        theirs = nodes(other)
        if theirs:
            their = rng.choice(theirs)
            return replaced(data, node, other[their.begin:their.end])
    if kind == 14 and node.parent:              # it goes behind its sibling
        siblings = [n for n in found if n.parent is node.parent and n.begin > node.begin]
        if siblings:
            other = rng.choice(siblings)
            between = data[node.end:other.begin]
            both = data[other.begin:other.end] + between + whole
            return replaced(data, Node(node.begin, node.content, other.end, node.parent), both)
    wrapped = bytes([rng.choice((0x30, 0x31, 0xA0, 0xA1, 0x04, 0x24))]) + length_of(len(whole)) + whole
    return replaced(data, node, wrapped)


def der(rng, data, others=()):
    data = bytes(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = der_edit(rng, data, others)
    return data


def of_hex(mutation):
    """A mutation of bytes as a mutation of their hexadecimal text."""
    def mutate(rng, text, others=()):
        theirs = tuple(bytes.fromhex(o) for o in others[:6]) if others else ()
        return mutation(rng, bytes.fromhex(text), theirs).hex()
    return mutate


# --------------------------------------------------------------------------
# archives
# --------------------------------------------------------------------------

BLOCK = 512
PATHS = ("../x", "/etc/passwd", "data/../x", "data//x", "./data/x", "data/x/", "", "data/\x01", "data/document.json\0x", "DATA/document.json",
         "data/document.json", "data/trace/000001.json", "bagit.txt", "data/" + "x" * 95, "data/keys/x.pem", "fetch.txt")
NUMBERS = (b"", b"0", b"00000000000", b"00000000001", b"77777777777", b"00000001000", b"-0000000001", b"0000000100 ", b"9999999999",
           b"\x80\0\0\0\0\0\0\0\0\0\1\0", b"\xff" * 12, b"        101")
TYPES = b"\0" b"1234567xgSLKMVN"


def members(data):
    """The parts of an archive, each a header with its blocks, as long as headers have sizes; the rest is the last part."""
    parts, at = [], 0
    while at + BLOCK <= len(data) and data[at:at + BLOCK].strip(b"\0"):
        try:
            size = int(data[at + 124:at + 135], 8)
        except ValueError:
            break
        end = at + BLOCK + size + -size % BLOCK
        if end > len(data):
            break
        parts.append(data[at:end])
        at = end
    return parts, data[at:]


def summed(part):
    """The part with a correct checksum in its header."""
    header = part[:148] + b" " * 8 + part[156:BLOCK]
    return header[:148] + b"%06o\0 " % sum(header) + header[156:] + part[BLOCK:]


def part_of(like, name, content):
    """A file with a name and content; the rest of its header is copied from another one."""
    header = name.ljust(100, b"\0")[:100] + like[100:124] + b"%011o\0" % len(content) + like[136:BLOCK]
    return summed(header + content + bytes(-len(content) % BLOCK))


def name_of(part):
    return part[:100].rstrip(b"\0")


def content_of(part):
    return part[BLOCK:BLOCK + int(part[124:135], 8)]


def bagged(parts):
    """An archive of these files with manifests that fit: a valid bag, whatever is in it."""
    top = name_of(parts[0]).split(b"/")[0]
    payload = sorted((name_of(p)[len(top) + 1:], p) for p in parts if name_of(p).startswith(top + b"/data/"))

    def listing(files):
        return b"".join(b"%s  %s\n" % (hashlib.sha256(content).hexdigest().encode(), path) for path, content in files)

    files = [(path, content_of(p)) for path, p in payload]
    tags = [(b"bag-info.txt", b"Payload-Oxum: %d.%d\n" % (sum(len(c) for _, c in files), len(files))),
            (b"bagit.txt", b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"), (b"manifest-sha256.txt", listing(files))]
    tags.append((b"tagmanifest-sha256.txt", listing(tags)))
    return b"".join(part_of(parts[0], top + b"/" + path, content) for path, content in sorted(files + tags)) + bytes(2 * BLOCK)


def of_header(rng, part):
    """Falsify a header."""
    kind = rng.randrange(4)
    if kind == 0:
        name = rng.choice(PATHS).encode("latin-1")
        name = (name_of(part).split(b"/")[0] + b"/" if rng.random() < 0.7 else b"") + name
        part = name.ljust(100, b"\0")[:100] + part[100:]
    elif kind == 1:
        at = rng.choice((100, 108, 116, 124, 136, 329, 337))
        length = 12 if at in (124, 136) else 8
        part = part[:at] + rng.choice(NUMBERS).ljust(length, b"\0")[:length] + part[at + length:]
    elif kind == 2:
        part = part[:156] + bytes([rng.choice(TYPES)]) + part[157:]
    else:
        at = rng.randrange(BLOCK)
        part = part[:at] + octets(rng, part[at:at + 1] or b"x")[:1].ljust(1, b"x") + part[at + 1:]
    return summed(part) if rng.random() < 0.8 else part


def with_content(rng, part):
    """Change the content of a file."""
    content = content_of(part)
    if name_of(part).endswith(b".json") and rng.random() < 0.7:
        content = json(rng, content.decode("utf-8", "replace")).encode("utf-8", "replace")
    else:
        content = octets(rng, content or b"x")
    return part_of(part, name_of(part), content)


def tar(rng, data, others=()):
    """An archive with a member removed, repeated, moved, with a false header or another content; its manifests may fit or
    not."""
    parts, end = members(data)
    if not parts:
        return octets(rng, data, others)
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    kind = rng.randrange(9)
    if kind == 0:
        return data[:rng.randrange(len(data) // BLOCK + 1) * BLOCK]
    if kind == 1:
        return data[:-2 * BLOCK] + bytes(rng.choice((0, 1, 3, 20)) * BLOCK)
    if kind == 2:
        del parts[i]
    elif kind == 3:
        parts.insert(j, parts[i])
    elif kind == 4:
        parts[i], parts[j] = parts[j], parts[i]
    elif kind == 5:
        parts[i] = of_header(rng, parts[i])
    elif kind == 6:
        parts[i] = part_of(parts[i], name_of(parts[i]), content_of(parts[j]))
    elif kind == 7 and others:
        parts[i] = rng.choice(members(rng.choice(others))[0] or parts)
    else:
        parts[i] = with_content(rng, parts[i])
    if parts and kind in (2, 6, 7, 8) and rng.random() < 0.8:
        return bagged(parts)
    return b"".join(parts) + end


# --------------------------------------------------------------------------
# lines
# --------------------------------------------------------------------------

SIZES = ("0", "1", "00", "01", "-1", "+1", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e1", "",
         " 1", "1 ", "0x1", "old 0", "old 1", "old 9223372036854775808")


def lines(rng, text, others=()):
    """Edits of whole lines, as of signed notes and PEM."""
    parts = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(parts))
        kind = rng.randrange(11)
        if kind == 0 and len(parts) > 1:
            del parts[at]
        elif kind == 1:
            parts[at:at] = [parts[at]] * rng.choice((1, 1, 2, 120))
        elif kind == 2:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 3:
            parts.insert(at, "")
        elif kind == 4 and others:
            parts[at] = rng.choice(rng.choice(others).split("\n"))
        elif kind == 5 and others:
            parts.insert(at, rng.choice(rng.choice(others).split("\n")))
        elif kind == 6:
            parts[at] = rng.choice(SIZES)
        elif kind == 7:
            parts[at] += rng.choice((" ", "\r", "\t", "=", "\u2028", "A", " x"))
        elif kind == 8:
            parts[at] = rng.choice((" ", "\u2014", "\u2014 ", "- ", "\u2013 ")) + parts[at]
        elif kind == 9:
            words = parts[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(words + ["", "a+b", "\u00a0", "x" * 2000])
            parts[at] = " ".join(words)
        else:
            parts[at] = parts[at].replace("\u2014", rng.choice(("-", "--", "\u2013", ""))) if rng.random() < 0.5 else \
                characters(rng, parts[at])
    return "\n".join(parts)
