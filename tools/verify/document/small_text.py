"""Small texts in documents: instants (doc/spec/document.md §6), base64, digests, and text that is safe to print."""

import base64
import datetime
import json
import re

STAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
                   r"(?:\.([0-9]{1,6}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))")
UNIX_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()


def instant(text):
    """An instant in microseconds, with 0001-01-01 as day 1; None if the text is not a timestamp."""
    match = STAMP.fullmatch(text) if isinstance(text, str) and len(text) <= 32 else None
    if not match:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    frac, sign, off_h, off_m = match.groups()[6:]
    off_h, off_m = int(off_h or 0), int(off_m or 0)
    if hour > 23 or minute > 59 or second > 59 or off_h > 15 or off_m > 59:
        return None
    try:
        days = datetime.date(year, month, day).toordinal()
    except ValueError:
        return None
    offset = (off_h * 60 + off_m) * (-60 if sign == "-" else 60)
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
    return seconds * 10 ** 6 + int((frac or "").ljust(6, "0"))


def unix_time(moment):
    """An instant in whole seconds since 1970, rounded down."""
    return moment // 10 ** 6 - UNIX_EPOCH_DAY * 86400


def decode64(text, altchars, limit):
    """Decode base64, padded or not; None unless it is spelt exactly and has at most `limit` bytes."""
    if not isinstance(text, str) or not text.isascii() or len(text) > (limit + 2) // 3 * 4:
        return None
    bare = text.rstrip("=")
    if len(bare) % 4 == 1 or (bare != text and (len(text) % 4 or len(text) - len(bare) > 2)):
        return None
    padded = bare + "=" * (-len(bare) % 4)
    try:
        data = base64.b64decode(padded, altchars, validate=True)
    except ValueError:
        return None
    # accept one spelling only: no digits of the other alphabet, no bits that belong to no byte
    return data if base64.b64encode(data, altchars).decode() == padded and len(data) <= limit else None


def base64url(text, limit=64):
    """Decode base64url, padded or not; None unless it is spelt exactly."""
    return decode64(text, b"-_", limit)


def base64std(text, limit):
    """Decode standard base64 with its padding; None unless it is spelt exactly."""
    return decode64(text, b"+/", limit) if isinstance(text, str) and len(text) % 4 == 0 else None


def encode64(data):
    """Standard base64."""
    return base64.b64encode(data).decode("ascii")


DIGEST = re.compile("sha256:([0-9a-f]{64})")


def digest_bytes(text):
    """The 32 bytes of a digest's text, or None."""
    match = DIGEST.fullmatch(text) if isinstance(text, str) else None
    return bytes.fromhex(match[1]) if match else None


def printable(text):
    """Untrusted text, made safe to print on a terminal."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
