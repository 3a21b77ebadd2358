"""Seeded case generators, aimed at the edges of the rules.

Every generator takes a random.Random and returns a dict of named SQL arguments,
each a str, or None for SQL NULL (composite cases carry their rows instead).
"""

import json
import math

from oracle import EQUALITY, OPERATORS, ORDER, QUALITIES, SEMVER, VERDICTS, WITHIN, Num, canonical

ABSENT = object()

# --------------------------------------------------------------------------
# Strings
# --------------------------------------------------------------------------

SPACES = ("\t\n\x0b\f\r \x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000")
NOT_SPACES = "\x1c\x1d\x1e\x1f\u180e\u200b\u200c\u2060\ufeff\x08\x7f"
ODD = ("\x01\x07\b\x1f\x7f\x80\x9f\xe9\xff\u0130\u0131\u07ff\u0800\ud7ff\ue000\ufffd\uffff"
       "\U00010000\U0001f600\U0010ffff\"\\/'<>&%")
WORDS = ["", "a", "abc", "ABC", "python", "null", "true", "false", "0", "1", "-1", "3.10",
         "3.1", "é", "e\u0301", "ß", "SS", "[1]", "{}", "[]", '{"a":1}', "\\", "\\u0041", "%", "_"]


def characters(rng, n):
    """A few characters from the awkward sets."""
    return "".join(rng.choice(rng.choice((SPACES, NOT_SPACES, ODD, "abc01.", "abc01.")))
                   for _ in range(n))


def string(rng):
    """Any string."""
    if rng.random() < 0.5:
        return rng.choice(WORDS)
    return characters(rng, rng.choice((1, 1, 2, 3, 5, 12)))


def padded(rng, text):
    """The text with white space, or look-alikes, around it."""
    left = "".join(rng.choice(SPACES) for _ in range(rng.randrange(3)))
    right = "".join(rng.choice(SPACES) for _ in range(rng.randrange(3)))
    if rng.random() < 0.25:
        right += rng.choice(NOT_SPACES)
    return left + text + right


# --------------------------------------------------------------------------
# Numbers
# --------------------------------------------------------------------------

def digits(rng, n):
    """n digits, the first not zero."""
    first = rng.choice("123456789")
    return first + "".join(rng.choices("0123456789", k=n - 1)) if n else ""


def near_limit(rng):
    """Around 2^53, 1e16 and the like."""
    base = rng.choice((2 ** 53, 2 ** 53 - 1, 2 ** 53 - 2, 10 ** 15, 10 ** 16, 2 ** 63, 2 ** 64,
                       2 ** 31, 2 ** 52))
    text = str(base + rng.randrange(-3, 4))
    return text + rng.choice(("", "", ".0", ".5", ".25", ".000", "e0", "0e-1", "E+0"))


def near_small(rng):
    """Around 1e-4."""
    return rng.choice(("0.0001", "0.00010", "1e-4", "0.00009999999999999999", "9.9e-5",
                       "0.000100000000000000005", "0.00010000000000000002", "1.0e-04",
                       "0.0000999", "1e-5", "1E-05", "10e-5", "0.00009", "5e-324", "1e-400"))


def double(rng):
    """A double as Python prints it, perhaps with one digit spoilt."""
    kind = rng.randrange(4)
    if kind == 0:
        x = math.ldexp(1 + rng.randrange(2) * rng.random(), rng.randrange(-14, 54))
    elif kind == 1:
        x = rng.uniform(0, 1) * 10 ** rng.randrange(-5, 18)
    elif kind == 2:
        x = math.nextafter(2.0 ** rng.randrange(-13, 53), rng.choice((0, math.inf)))
    else:
        x = rng.randrange(10 ** 4) / 100
    text = repr(x)
    return spoilt(rng, text) if rng.random() < 0.3 else text


def spoilt(rng, text):
    """Change or add a digit at the end of the mantissa."""
    mantissa, mark, exponent = text.partition("e")
    if rng.random() < 0.5 and mantissa[-1] in "0123456789":
        mantissa = mantissa[:-1] + rng.choice("0123456789")
    else:
        mantissa += rng.choice("0123456789") if "." in mantissa else ".0" + rng.choice("019")
    return mantissa + mark + exponent


def powers(rng):
    """Exact binary fractions and halfway points, all digits written out."""
    k = rng.randrange(1, 60)
    top = rng.choice((1, 3, 2 ** 53 - 1, 2 ** 53 + 1, rng.randrange(1, 2 ** 54)))
    whole, rest = divmod(top * 5 ** k, 10 ** k)
    return "%d.%s" % (whole, str(rest).rjust(k, "0"))


def long_number(rng):
    """A number with about a thousand digits on one side of the point, or both."""
    n = rng.choice((998, 999, 1000, 1001, 1002))
    shape = rng.randrange(5)
    if shape == 0:
        return digits(rng, n)
    if shape == 1:
        return "0." + digits(rng, n - 1) + rng.choice("123456789")
    if shape == 2:
        return digits(rng, n) + "." + digits(rng, rng.choice((1, 1000, 1001)))
    if shape == 3:
        return rng.choice(("1", "25", "0.5")) + "e" + str(rng.choice((1, -1)) * n)
    return digits(rng, rng.choice((1, 1000))) + "." + digits(rng, 3) + "0" * n


def respelt(rng, text):
    """The same value, spelt another way."""
    if "e" in text or "E" in text or len(text) > 60:
        return text
    kind = rng.randrange(4)
    if kind == 0:
        return text + ("0" if "." in text else ".0") * 1
    if kind == 1:
        return text + rng.choice(("e0", "E0", "e+0", "e-0", "E+00"))
    if kind == 2 and "." not in text and text.lstrip("-") != "0":
        return text + "0" * 3 + "e-3"
    return text


SMALL = ["0", "-0", "0.0", "-0.0", "0e5", "0e-5", "-0.00e1", "1", "-1", "2", "3.10", "3.1", "3.0",
         "10", "1e2", "14.0", "1.50e1", "0.1", "0.10", "0.5", "0.125", "2.675", "100", "1e1",
         "123.456", "0.3", "0.30", "1E+2", "99.99", "1e400", "1.5e300", "-1e20"]


def number(rng):
    """A JSON number literal."""
    kind = rng.randrange(100)
    if kind < 30:
        text = rng.choice(SMALL)
    elif kind < 45:
        text = near_limit(rng)
    elif kind < 55:
        text = near_small(rng)
    elif kind < 72:
        text = double(rng)
    elif kind < 80:
        text = powers(rng)
    elif kind < 90:
        text = digits(rng, rng.choice((15, 16, 17)))
        point = rng.randrange(len(text) + 1)
        text = (text[:point] or "0") + ("." + text[point:] if point < len(text) else "")
    elif kind < 98:
        text = digits(rng, rng.randrange(1, 6)) + rng.choice(("", ".0", ".10", ".25", "e3", "e-3"))
    else:
        text = long_number(rng)
    if rng.random() < 0.2:
        text = respelt(rng, text)
    return "-" + text if text[0] != "-" and rng.random() < 0.2 else text


NUMERIC_LIKE = ["", "-", ".", "1.", ".5", "+1", "1e5", " 1", "1 ", "1\n", "\u0661", "1.2.3", "--1",
                "-0", "-0.0", "007", "007.500", "-007", "00", "0.", "1_0", "0x1", "\uff11", "1,5",
                "NaN", "Infinity", "1\u00a0", "-.5", "1.-5"]


def numeric_string(rng):
    """A string that is a number, or nearly."""
    kind = rng.randrange(10)
    if kind < 3:
        return rng.choice(NUMERIC_LIKE)
    if kind < 6:
        return number(rng)
    text = number(rng)
    text = text if "e" not in text.lower() else "12.50"
    sign, text = ("-", text[1:]) if text[0] == "-" else ("", text)
    if kind == 6:
        return sign + "0" * rng.choice((1, 5, 999, 1001)) + text
    if kind == 7 and "." in text:
        return sign + text + "0" * rng.choice((1, 5, 999, 1001))
    return sign + text


# --------------------------------------------------------------------------
# Values
# --------------------------------------------------------------------------

KEYS = ["a", "b", "aa", "B", "", "0", "1", "00", "01", "-1", "*", "[0]", "$", "\\", "é", "\uffff",
        "\U00010000", "\ue000", "results", "latest_version", "x y", "null", "value", "tol", "length"]


def scalar(rng):
    """Any scalar."""
    kind = rng.randrange(10)
    if kind < 4:
        return Num(number(rng))
    if kind < 8:
        return string(rng) if kind < 7 else numeric_string(rng)
    return rng.choice((None, True, False))


def value(rng, depth=3):
    """Any JSON value."""
    kind = rng.randrange(10)
    if depth == 0 or kind < 6:
        return scalar(rng)
    if kind < 8:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): value(rng, depth - 1) for _ in range(rng.randrange(5))}


def spell_string(rng, text):
    """A JSON spelling of a string, with escapes chosen at random."""
    out = []
    for c in text:
        if rng.random() < 0.3:
            pair = json.dumps(c)[1:-1]
            out.append(pair if rng.random() < 0.5 or ord(c) > 0xFFFF else
                       "\\u%04X" % ord(c) if rng.random() < 0.5 else "\\u%04x" % ord(c))
        elif c == "/" and rng.random() < 0.5:
            out.append("\\/")
        else:
            out.append(json.dumps(c, ensure_ascii=False)[1:-1])
    return '"' + "".join(out) + '"'


def spell(rng, v):
    """A JSON spelling of a value: white space, escapes, duplicate keys."""
    def gap():
        return rng.choice(("", "", "", "", " ", "\n", "\t", "\r", "  "))
    if isinstance(v, str):
        return spell_string(rng, v)
    if isinstance(v, list):
        return "[" + gap() + ("," + gap()).join(spell(rng, x) for x in v) + gap() + "]"
    if isinstance(v, dict):
        pairs = [(k, x) for k, x in v.items()]
        if pairs and rng.random() < 0.2:
            pairs.insert(0, (rng.choice(pairs)[0], scalar(rng)))
        return "{" + ",".join("%s%s%s:%s%s" % (gap(), spell_string(rng, k), gap(), gap(),
                                               spell(rng, x)) for k, x in pairs) + gap() + "}"
    return canonical(v)


def compact(v):
    """Plain JSON text of a value; ABSENT becomes SQL NULL."""
    return None if v is ABSENT else canonical(v)


# --------------------------------------------------------------------------
# canonical, digest, portable
# --------------------------------------------------------------------------

BROKEN = ['{"a":1', "[1,]", "01", "1.", ".5", "+1", "NaN", "'a'", '"\t"', '"\\x"', "{1:2}", "",
          " ", "[1 2]", "nul", "-", "1e", '{"a" 1}', '{"a":1,}', '"a', "\ufeff1", "tru e",
          '"\\u12"', '"\\uZZZZ"', "\x0b1", "\u00a01", "[1]]", "-01", "0x10", "1.e5", "Infinity"]
SPOILERS = ['"\\ud83d"', '"\\ude00"', '"a\\ud83d\\u0041"', '"\\ude00\\ud83d"', '"\\u0000"',
            '"a\\u0000b"', '"\\ud83d\\ud83d\\ude00"', '"\\uDBFF\\uDFFF"', '"\\\\u0000"',
            '"\\ud83d\\n"', '"\\\\ud83d"']


def spoil(rng, text):
    """Wrap JSON text so that a doubtful string appears somewhere in it."""
    bad = rng.choice(SPOILERS)
    return rng.choice(('{"a":%s,"a":%s}', '[%s,%s]', '{"b":[{"c":%s}],"d":%s}')) % (
        (bad, text) if rng.random() < 0.7 else (text, bad)) if rng.random() < 0.8 else (
        '{%s:1,"z":%s}' % (bad, text))


def json_text(rng):
    """JSON text, now and then broken, deep, or holding a bad string."""
    kind = rng.randrange(100)
    if kind < 3:
        return rng.choice(BROKEN)
    if kind < 4:
        depth = rng.randrange(1, 300)
        return "[" * depth + number(rng) + "]" * depth
    if kind < 5:
        return rng.choice(("1e200000", "1e-16383", "1e-16384", "[1e131071]", "1e131072",
                           "0e-16383", "0e-16384", "0e99999"))
    if kind < 6:
        return "{%s}" % ",".join('"k%d":%d' % (rng.randrange(300), i) for i in range(200))
    text = spell(rng, value(rng, rng.choice((0, 1, 2, 4))))
    return spoil(rng, text) if kind < 16 else text


def canonical_case(rng):
    """A case for answer_canonical or answer_digest."""
    return {"kind": rng.choice(("json", "jsonb", "jsonb", "text")), "doc": json_text(rng)}


def portable_case(rng):
    """A case for answer.portable."""
    doc = number(rng) if rng.random() < 0.6 else spell(rng, value(rng))
    return {"doc": doc}


# --------------------------------------------------------------------------
# Operators
# --------------------------------------------------------------------------

def nudged(rng, text):
    """A number literal near another one, as exact text."""
    if "e" in text.lower() or len(text) > 40:
        return text
    frac = len(text.partition(".")[2])
    scaled = int(text.replace(".", "") or "0") + rng.choice((-1, 0, 0, 1))
    if not frac:
        return str(scaled)
    sign, body = ("-", str(-scaled)) if scaled < 0 else ("", str(scaled))
    body = body.rjust(frac + 1, "0")
    return sign + body[:-frac] + "." + body[-frac:]


def relative(rng, v):
    """A value that has something to do with v."""
    kind = rng.randrange(10)
    if kind == 0:
        return value(rng, 2)
    if isinstance(v, Num):
        return relative_number(rng, v.text, kind)
    if isinstance(v, str):
        if kind < 4:
            return padded(rng, v)
        if kind < 6 and v:
            i = rng.randrange(len(v))
            return v[i:] if rng.random() < 0.3 else v[:i] if rng.random() < 0.5 else v[i:i + 2]
        return v.swapcase() if kind == 6 else v
    if isinstance(v, list) and v and kind < 7:
        return relative(rng, rng.choice(v))
    if kind < 3:
        return padded(rng, canonical(v))
    return v


def relative_number(rng, text, kind):
    """A number or string related to a number."""
    if kind < 4:
        return Num(respelt(rng, text))
    if kind < 6:
        return Num(nudged(rng, text))
    if kind == 6:
        return padded(rng, text)
    return text if kind == 7 else Num(text)


def ordinary_pair(rng):
    """Observed and value for the text operators."""
    observed = value(rng, 2)
    return observed, relative(rng, observed)


def quantity(rng):
    """An operand for the numeric operators."""
    kind = rng.randrange(10)
    if kind < 6:
        return Num(number(rng))
    return numeric_string(rng) if kind < 9 else scalar(rng)


def near_quantity(rng, q):
    """Another operand, often close."""
    if rng.random() < 0.4:
        return quantity(rng)
    if isinstance(q, Num):
        text = nudged(rng, respelt(rng, q.text))
        return text if rng.random() < 0.2 else Num(text)
    return q


TOLERANCES = ["0", "-0", "0.0", "0.1", "0.10", "1", "10", "1e-5", "0.5", "100", "1e-20", "1e20", "33.3"]
BAD_TOLERANCES = [Num("-1"), Num("-0.0000001"), None, True, "", "abc", "-1", " 1", [], {}, [Num("1")],
                  "-0.0", "1e5", "+1"]


def tolerance(rng):
    """A tolerance, mostly valid."""
    kind = rng.randrange(20)
    if kind == 0:
        return rng.choice(BAD_TOLERANCES)
    if kind == 1:
        return Num(long_number(rng))
    text = rng.choice(TOLERANCES)
    return text if "e" not in text and kind < 5 else Num(text)


def difference(rng):
    """Operands whose distance is exactly at the limit, or just beside it."""
    scale = rng.choice((1, 10, 1000, 10 ** 12))
    base = rng.randrange(1, 500) * scale
    percent = rng.choice((1, 5, 10, 12.5, 33))
    off = int(base * percent / 100) + rng.choice((-1, 0, 0, 1))
    shift = rng.choice((0, 0, 3, 15))
    observed = base + rng.choice((-1, 1)) * off
    texts = ["%de-%d" % (n, shift) if shift else str(n) for n in (observed, base, off)]
    return Num(texts[0]), Num(texts[1]), Num(texts[2]), Num(repr(percent))


def within_operands(rng, op):
    """Observed, value, tol for a tolerance operator, in either spelling."""
    if rng.random() < 0.5:
        observed, v, t, percent = difference(rng)
        t = t if op == "abs_within" else percent
    else:
        observed = quantity(rng)
        v, t = near_quantity(rng, observed), tolerance(rng)
        v = Num(rng.choice(("0", "0.0", "-0"))) if rng.random() < 0.1 else v
    kind = rng.randrange(20)
    if kind < 9:
        return observed, v, t
    if kind < 18:
        return observed, {"value": v, "tol": t}, ABSENT
    return observed, rng.choice(({"value": v}, {"tol": t}, {}, {"value": v, "tol": t, "x": None},
                                 {"value": v, "tol": t}, v, [v, t], {"a": v})), rng.choice((t, ABSENT))


COMPONENTS = ["0", "00", "1", "01", "3", "10", "13", "010", "9", "99999999999999999999",
              "100000000000000000000", "0000000000000000000001", "2147483648", "18446744073709551616"]
BAD_VERSIONS = ["", ".", "1.", ".1", "1..2", "v1", "1.2-rc1", " 1.2", "1.2 ", "1.2\n", "\u0661.2",
                "-1", "+1", "1.x", "1,2", "1.2.", "1e3"]


def version_operand(rng):
    """A version, or something that is nearly one."""
    kind = rng.randrange(20)
    if kind < 13:
        parts = [rng.choice(COMPONENTS) for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 7)))]
        if rng.random() < 0.03:
            parts.append("1" * rng.choice((400, 5000)))
        return ".".join(parts)
    if kind < 15:
        return rng.choice(BAD_VERSIONS)
    if kind < 19:
        return Num(rng.choice(("3", "3.0", "3.10", "-3", "0", "-0", "1e2", "1e20", "-1e20", "3e0",
                               "12345678901234567890", "12345678901234567890.5", "1.5e1", "13")))
    return scalar(rng)


def near_version(rng, v):
    """A version related to v."""
    if not isinstance(v, str) or not v or rng.random() < 0.3:
        return version_operand(rng)
    parts = v.split(".")
    kind = rng.randrange(5)
    if kind == 0:
        parts.append(rng.choice(("0", "00", "1")))
    elif kind == 1 and len(parts) > 1:
        parts.pop()
    elif kind == 2:
        i = rng.randrange(len(parts))
        parts[i] = "0" + parts[i]
    elif kind == 3:
        parts[-1] = rng.choice(COMPONENTS)
    return ".".join(parts)


def contains_operands(rng):
    """Observed and value for contains and in-like tests."""
    if rng.random() < 0.4:
        observed = [value(rng, 1) for _ in range(rng.randrange(4))]
    else:
        observed = value(rng, 1)
    return observed, relative(rng, observed), ABSENT


def operator_operands(rng, op):
    """(observed, value, tol) fit for op."""
    if op in ORDER:
        observed = quantity(rng)
        return observed, near_quantity(rng, observed), ABSENT
    if op == "between":
        q = quantity(rng)
        bounds = [near_quantity(rng, q), near_quantity(rng, q)]
        return q, (bounds if rng.random() < 0.93 else
                   rng.choice((bounds[:1], bounds * 2, [], bounds[0], {"lo": bounds[0]}))), ABSENT
    if op in WITHIN:
        return within_operands(rng, op)
    if op in SEMVER:
        v = version_operand(rng)
        return v, near_version(rng, v), ABSENT
    if op == "in":
        v = value(rng, 1)
        choices = [relative(rng, v) for _ in range(rng.randrange(4))]
        return v, (choices if rng.random() < 0.93 else value(rng, 1)), ABSENT
    if op == "contains":
        return contains_operands(rng)
    if op == "fresh_within_s":
        return value(rng, 1), fresh_limit(rng), ABSENT
    return *ordinary_pair(rng), ABSENT


def fresh_limit(rng):
    """A limit in seconds, mostly valid."""
    return rng.choice((Num("0"), Num("60"), Num("0.5"), Num("1e-6"), Num("0.0000005"), Num("1e20"), "60",
                       Num("3600"), Num("86400"), Num("1.5"), "0.000001", Num("60.000000"),
                       *((Num("-1"), None, "abc", True) if rng.random() < 0.15 else ())))


def operator_case(rng):
    """A case for answer.operator."""
    op = rng.choice(OPERATORS)
    observed, v, tol = operator_operands(rng, op)
    kind = rng.randrange(60)
    if kind < 3:
        observed = ABSENT
    elif kind == 3:
        v = ABSENT
    elif kind == 4:
        tol = rng.choice((None, Num("1"), "x"))
    elif kind == 5:
        op = rng.choice((None, "", "EQ", "regex", "eq ", "=", "semver", "\u00e9"))
    elif kind == 6:
        observed = None
    elif kind == 7:
        v = None
    return {"op": op, "observed": compact(observed), "value": compact(v), "tol": compact(tol)}


# --------------------------------------------------------------------------
# Checks and facts
# --------------------------------------------------------------------------

GOOD_STAMPS = ["2026-06-09T04:40:24Z", "2026-06-09T04:40:24.5Z", "2026-06-09T04:40:24.000001Z",
               "2026-06-09T06:40:24+02:00", "2026-06-08T23:10:24-05:30", "2026-06-09T04:39:24.123456Z",
               "2024-02-29T23:59:59Z", "2000-02-29T00:00:00+15:59", "0001-01-01T00:00:00+15:00",
               "9999-12-31T23:59:59.999999-15:59", "2026-06-09T04:40:24-00:00", "1969-12-31T23:59:59Z"]
BAD_STAMPS = ["2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
              "0000-01-01T00:00:00Z", "2026-06-09T24:00:00Z", "2026-06-09T23:59:60Z",
              "2026-06-09T04:40:24.1234567Z", "2026-06-09T04:40:24.Z", "2026-06-09T04:40Z",
              "2026-06-09 04:40:24Z", "2026-06-09t04:40:24Z", "2026-06-09T04:40:24z",
              "2026-06-09T04:40:24", "2026-06-09T04:40:24+16:00", "2026-06-09T04:40:24+0200",
              "2026-06-09T04:40:24+02:60", "2026-06-09T04:60:24Z", "2026-13-09T04:40:24Z",
              "2026-00-09T04:40:24Z", "2026-06-00T04:40:24Z", "2026-06-31T04:40:24Z",
              "2026-06-09T04:40:24,5Z", " 2026-06-09T04:40:24Z", "2026-06-09T04:40:24Z ",
              "2026-06-09T04:40:24Z\n", "20260609T044024Z", "now", "", "+2026-06-09T04:40:24Z",
              "\u0662026-06-09T04:40:24Z", "12026-06-09T04:40:24Z", "2026-6-9T04:40:24Z",
              "2026-06-09T04:40:24+02", "2026-06-09T04:40:24\u22122:00", "infinity"]
NOWS = ["2026-06-09T04:40:24Z", "2026-06-09T04:41:24Z", "2026-06-09T04:40:24.000001Z",
        "2026-06-09T04:40:24.5Z", "2026-06-09T05:40:24Z", "2024-02-29T23:59:59.999999Z",
        "1970-01-01T00:00:00Z", "2026-06-09T04:39:24.123456Z"]
CONFIDENCES = ["0.8", "0.95", "0.5", "0", "1", "0.125", "1.0", "0.80", "0.1234567890123456", "0.0001"]
ODD_CONFIDENCES = [Num("1.0000000000000002"), Num("-0.1"), Num("2"), Num("0.12345678901234567890"),
                   Num("0.00001"), Num("-0"), Num("1e-400"), "0.5", None, True, [], {}, Num("1e20")]


def stamp(rng):
    """A timestamp member."""
    kind = rng.randrange(20)
    if kind < 12:
        return rng.choice(GOOD_STAMPS)
    return rng.choice(BAD_STAMPS) if kind < 18 else rng.choice((None, Num("0"), [], True))


WINDOWS = (Num("0"), Num("1"), Num("59"), Num("60"), Num("86400"), Num("90061"), Num("0.5"), Num("1e3"), Num("-1"),
           Num("9007199254740991"), Num("9007199254740992"), Num("1e50"), "60", "0.00001", "1.", ".5", "x", "", None, [],
           True, "\u0661")


def verification(rng):
    """A verification member, mostly with a usable confidence."""
    kind = rng.randrange(10)
    if kind < 4:
        return {"confidence": Num(rng.choice(CONFIDENCES)), "sources": Num("1")}
    if kind < 7:
        out = {"confidence": Num(rng.choice(CONFIDENCES)),
               "signals": rng.choice(({"fresh": False}, {"fresh": False}, {"fresh": True}, {"fresh": None}, {}, None))}
        if rng.random() < 0.7:
            out["freshness_s"] = rng.choice(WINDOWS)
        return out
    if kind < 9:
        return {"confidence": rng.choice(ODD_CONFIDENCES)}
    return rng.choice(({}, None, "x", Num("1"), [Num("1")]))


def raw_result(rng):
    """A tool result with something in it to address."""
    kind = rng.randrange(12)
    if kind == 0:
        return None
    if kind == 1:
        return scalar(rng)
    if kind == 2:
        return {"k%03d" % i: Num(str(i)) for i in range(rng.choice((49, 50, 51, 60)))}
    if kind == 3:
        return [value(rng, 2) for _ in range(rng.choice((0, 1, 10, 12)))]
    if kind == 4:
        return deep(rng)
    return {rng.choice(KEYS): value(rng, 3) for _ in range(rng.randrange(6))}


def deep(rng):
    """A value of eight or more levels."""
    v = scalar(rng)
    for _ in range(rng.choice((7, 8, 8, 9))):
        v = [v] if rng.random() < 0.4 else {"a": v, "0": None} if rng.random() < 0.3 else {"a": v}
    return v


def fact(rng):
    """One fact, often lacking something."""
    out = {"id": "f1", "fact": "t", "args": {}, "value": value(rng, 2), "raw": raw_result(rng),
           "timestamp": stamp(rng), "verification": verification(rng), "unit": None}
    if rng.random() < 0.2:
        out["expires"] = stamp(rng)
    if rng.random() < 0.6:
        out["quality"] = rng.choice((*QUALITIES, "Strong", "Verified", "strong", "", None, Num("0.84"), ["Strong"]))
    for key in ("value", "raw", "timestamp", "verification"):
        if rng.random() < 0.1:
            del out[key]
    return out


def true_path(rng, raw):
    """A path that resolves, as far as dots allow."""
    out, limit = [], rng.choice((1, 2, 8, 8))
    while isinstance(raw, (dict, list)) and raw and len(out) < limit:
        key = rng.choice(sorted(raw)) if isinstance(raw, dict) else rng.randrange(len(raw))
        if key == "" or (isinstance(key, str) and "." in key):
            break
        out.append(str(key))
        raw = raw[key]
    return out


def path(rng, raw):
    """A path: true, broken off, with odd segments, or too long."""
    segments = true_path(rng, raw) or [rng.choice(KEYS[:4])]
    kind = rng.randrange(12)
    odd = rng.choice(("0", "00", "01", "-1", "+0", "*", "[0]", "$", "a", " 0", "99999999999999999999",
                      "1", "nope", "\u0660", "é", "a b", "4294967296", "10", "2147483648"))
    if kind < 3:
        segments[rng.randrange(len(segments))] = odd
    elif kind < 5:
        segments.append(odd)
    return ".".join(s for s in segments[:8] if s) or "a"


def expectation(rng, the_fact):
    """A valid (mostly) expectation with something to say about the fact."""
    out = {}
    if rng.random() < 0.6:
        out["path"] = path(rng, the_fact.get("raw"))
    op = rng.choice(OPERATORS)
    seen = the_fact.get("value")
    if "path" in out and rng.random() < 0.8:
        seen = follow(the_fact.get("raw"), out["path"])
    _, v, tol = operator_operands(rng, op)
    if op in (*EQUALITY, "contains", "starts_with", "ends_with") or rng.random() < 0.1:
        v = relative(rng, seen)
    elif op == "in" and rng.random() < 0.7:
        v = [relative(rng, seen), scalar(rng)]
    out["op"] = op
    if op not in ("exists", "not_exists") or rng.random() < 0.1:
        out["value"] = v
    if tol is not ABSENT:
        out["tol"] = tol
    return {k: v for k, v in out.items() if v is not ABSENT}


def follow(raw, dotted):
    """Best effort look-up, only to find related values."""
    for segment in dotted.split("."):
        if isinstance(raw, dict):
            raw = raw.get(segment)
        elif isinstance(raw, list) and segment.isascii() and segment.isdigit():
            raw = raw[int(segment)] if int(segment) < len(raw) else None
        else:
            return None
    return raw


def settable(rng, the_fact, op_pool):
    """Give the fact a value that suits the operator of its first expectation."""
    op = rng.choice(op_pool)
    observed, v, tol = operator_operands(rng, op)
    the_fact["value"] = observed
    out = {"op": op, "value": v, "tol": tol}
    return {k: x for k, x in out.items() if x is not ABSENT}


def check(rng, the_fact):
    """A check about the fact, valid unless an operand happens not to be."""
    n = rng.choice((0, 1, 1, 1, 1, 1, 2, 2, 3, 8))
    expect = [expectation(rng, the_fact) for _ in range(n)]
    if expect and rng.random() < 0.4:
        expect[0] = settable(rng, the_fact, OPERATORS)
    out = {"tool": "t"}
    if rng.random() < 0.7:
        out["id"] = string(rng) or "x"
    if rng.random() < 0.3:
        out["args"] = {rng.choice(KEYS): value(rng, 1)}
    if n or rng.random() < 0.5:
        out["expect"] = expect[0] if n == 1 and rng.random() < 0.7 else expect
    if rng.random() < 0.1:
        out["observe"] = rng.random() < 0.6
    if rng.random() < 0.2:
        out["required"] = rng.random() < 0.5
    if rng.random() < 0.15:
        out["min_quality"] = rng.choice(QUALITIES)
    return out


def evidence(rng, the_fact):
    """The evidence argument around the fact."""
    kind = rng.randrange(40)
    if kind < 26:
        return the_fact
    if kind < 36:
        return [the_fact] + [fact(rng) for _ in range(rng.choice((0, 1, 2, 4)))]
    if kind == 36:
        return []
    if kind == 37:
        return ABSENT
    return rng.choice((None, Num("1"), "x", True, [None], [the_fact, Num("1")], [[the_fact]]))


def check_case(rng):
    """A case for answer_check."""
    the_fact = fact(rng)
    the_check = check(rng, the_fact)
    facts, now = evidence(rng, the_fact), rng.choice(NOWS)
    kind = rng.randrange(40)
    if kind < 4:
        the_check = break_check(rng, the_check)
    elif kind == 4:
        the_check = {**the_check, "observe": True, "expect": observe_only(rng, the_fact)}
    elif kind == 5 and rng.random() < 0.2:
        the_check = ABSENT
    elif kind == 6 and rng.random() < 0.2:
        the_check, now = {"tool": "t"}, None
    return {"check": compact(the_check), "evidence": compact(facts), "now": now}


def observe_only(rng, the_fact):
    """Expectations that lack parts, which `observe` allows for some and not for others."""
    out = []
    for _ in range(rng.choice((0, 1, 2))):
        e = expectation(rng, the_fact)
        for key in rng.choice((("op", "tol"), ("op", "value", "tol"), ("op",), ("value",), ())):
            e.pop(key, None)
        out.append(e)
    return out


# --------------------------------------------------------------------------
# Wrong requests
# --------------------------------------------------------------------------

NOT_STRINGS = [None, True, Num("1"), [], {}, ["a"]]
NOT_BOOLEANS = [None, Num("0"), Num("1"), "true", "", [], {}]
GOOD_EXPECTATION = {"op": "eq", "value": Num("1")}


def with_expectation(check_, **members):
    """The check with one expectation made of these members (ABSENT drops)."""
    e = {k: v for k, v in {**GOOD_EXPECTATION, **members}.items() if v is not ABSENT}
    return {**check_, "expect": e}


def break_tool(rng, c):
    """tool missing or bad."""
    if rng.random() < 0.3:
        return {k: v for k, v in c.items() if k != "tool"}
    return {**c, "tool": rng.choice(NOT_STRINGS + [""])}


def break_id(rng, c):
    """id bad, or just right at its limits."""
    return {**c, "id": rng.choice(NOT_STRINGS + ["", "x" * 201, "x" * 200, "\U0001f600" * 200, "é" * 201,
                                                 " ", "\U0001f600" * 201])}


def break_flag(rng, c):
    """required or observe not boolean."""
    return {**c, rng.choice(("required", "observe")): rng.choice(NOT_BOOLEANS)}


def break_args(rng, c):
    """args not an object."""
    return {**c, "args": rng.choice([None, True, Num("1"), "x", [], [{}]])}


def break_expect(rng, c):
    """expect of the wrong shape or size."""
    return {**c, "expect": rng.choice([
        None, True, Num("1"), "eq", [None], [Num("1")], [[]], [[GOOD_EXPECTATION]],
        [GOOD_EXPECTATION] * 8, [GOOD_EXPECTATION] * 9, [GOOD_EXPECTATION, "x"], [], {}, [{}]])}


def break_op(rng, c):
    """op missing or unknown."""
    return with_expectation(c, op=rng.choice((ABSENT, None, "", "Eq", "regex", "eq ", Num("1"), [], "matches")))


def break_path(rng, c):
    """path of the wrong type or form."""
    return with_expectation(c, path=rng.choice(NOT_STRINGS + [
        "", ".", "a.", ".a", "a..b", "..", "a.b.c.d.e.f.g.h", "a.b.c.d.e.f.g.h.i", " ", "*", "$", "[0]",
        "a.b.c.d.e.f.g.h.", "\\.", "\u3002"]))


def break_value(rng, c):
    """value missing or of the wrong shape."""
    op = rng.choice(OPERATORS)
    v = rng.choice((ABSENT, None, Num("1"), [], [Num("1")], [Num("1"), Num("2")], [Num("1")] * 3, {}, "x",
                    {"value": Num("1"), "tol": Num("1")}, Num("-1"), "-1", {"value": Num("1")},
                    {"value": Num("1"), "tol": Num("1"), "x": None}, {"tol": Num("1")}))
    return with_expectation(c, op=op, value=v)


def break_tol(rng, c):
    """tol where it must not be, negative, doubled or no number."""
    op = rng.choice((*WITHIN, *WITHIN, *OPERATORS, ABSENT))
    v = rng.choice((Num("1"), {"value": Num("1"), "tol": Num("1")}, ABSENT, [Num("1"), Num("2")], "x", None))
    t = rng.choice((*BAD_TOLERANCES, Num("1"), Num("0"), ABSENT, "1", Num("1e-7"), Num("-1e-7")))
    return with_expectation(c, op=op, value=v, tol=t)


def break_keys(rng, c):
    """An unknown key in the check or an expectation."""
    key = rng.choice(("x", "Tool", "expects", "", "verdict", "ID", "evidence", "tol", "path", "op", "value"))
    if rng.random() < 0.5:
        return {**c, key: Num("1")}
    return with_expectation(c, **{rng.choice(("x", "Op", "tool", "", "outcome")): None})


def break_all(rng, c):
    """No object at all."""
    return rng.choice((None, True, Num("1"), "x", [], [c]))


def break_quality(rng, c):
    """min_quality bad."""
    return {**c, "min_quality": rng.choice(NOT_STRINGS + ["", "strong", "Strong ", "Best", "0.61", ["Strong"]])}


BREAKERS = [break_quality, break_tool, break_id, break_flag, break_args, break_expect, break_op, break_path,
            break_value, break_value, break_tol, break_tol, break_keys]


def break_check(rng, c):
    """Break one rule, sometimes two or three."""
    if rng.random() < 0.04:
        return break_all(rng, c)
    for breaker in rng.sample(BREAKERS, rng.choice((1, 1, 1, 1, 2, 3))):
        c = breaker(rng, c)
    return c


def several_checks(rng):
    """The checks of a request."""
    kind = rng.randrange(60)
    if kind == 0:
        return [{"tool": "t"}] * rng.choice((999, 1000, 1001))
    if kind == 1:
        return [{"tool": "t", "id": "c%d" % i} for i in rng.choice(((1, 2, 1), (2, 3), (3, 2, 1), (1, 2)))]
    if kind == 2:
        return [{"tool": "t", "id": "c2"}, {"tool": "t"}]
    out = [check(rng, fact(rng)) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    if kind == 3:
        out = [{"tool": "t"}] * 20 + out
    for c in out:
        if "id" in c and rng.random() < 0.8:
            c["id"] = "%s%d" % (c["id"][:3], rng.randrange(10 ** 6))
    if rng.random() < 0.5:
        i = rng.randrange(len(out))
        out[i] = break_check(rng, out[i])
    return out


def plain_fact(rng):
    """A supplied fact without members that would be recomputed."""
    return {"fact": "t", "args": {"a": value(rng, 1)}, "value": value(rng, 2)}


def validate_case(rng):
    """A case for answer_validate."""
    request = {"checks": several_checks(rng)}
    if rng.random() < 0.3:
        request["deadline_ms"] = rng.choice((
            Num("1"), Num("60000"), Num("6000"), Num("0"), Num("60001"), Num("-1"), Num("1.5"), "6000",
            Num("6e3"), Num("6000.0"), None, True, Num("1e20"), [], Num("0.5"), Num("1e5")))
    if rng.random() < 0.15:
        request["evidence"] = [plain_fact(rng) for _ in range(rng.randrange(3))]
    if rng.random() < 0.15:
        request["require_fresh"] = rng.choice((True, False, True, False, *NOT_BOOLEANS))
    kind = rng.randrange(40)
    if kind == 0:
        request = rng.choice((None, True, Num("1"), "x", [], [request], {}, {"checks": []}, {"deadline_ms": Num("5")}))
    elif kind == 1:
        request[rng.choice(("x", "Checks", "", "check", "id"))] = None
    elif kind == 2:
        request["checks"] = rng.choice((None, {}, {"tool": "t"}, "x", Num("1"), [], [[]], [None]))
    elif kind == 3:
        request["evidence"] = rng.choice((None, {}, "x", Num("1"), [None], [Num("1")], [[]], True))
    elif kind == 4:
        request["question"] = rng.choice(("What?", None, ""))
    return {"request": compact(request)}


# --------------------------------------------------------------------------
# Fact confidence and composite
# --------------------------------------------------------------------------

def fact_confidence_case(rng):
    """A case for answer.fact_confidence."""
    names = ("signed", "source_present", "fresh", "corroborated", "conflict")
    signals = {n: rng.random() < 0.6 for n in names if rng.random() < 0.9}
    out = {"signals": signals, "confidence": Num("0.99")}
    kind = rng.randrange(20)
    if kind < 2:
        signals[rng.choice(names)] = rng.choice(NOT_BOOLEANS)
    elif kind == 2:
        signals["other"] = rng.choice((True, None, "x"))
    elif kind == 3:
        out = {"sources": Num("1")}
    if rng.random() < 0.7:
        out["basis"] = rng.choice(("observed", "forecast", "computed", "inferred", "Forecast", "", "measured"))
    return {"verification": compact(out)}


def probability(rng):
    """A confidence whose rounding is worth checking."""
    kind = rng.randrange(10)
    if kind < 3:
        x = rng.randrange(1, 1000, 2) / 200 / 5 + rng.choice((0, 0.005))
        x = min(x, 1.0)
    elif kind < 5:
        x = (rng.randrange(100) + 0.5) / 100
    elif kind < 6:
        x = math.nextafter((rng.randrange(100) + 0.5) / 100, rng.choice((0, 1)))
    elif kind < 7:
        x = rng.choice((0.125, 0.375, 0.625, 0.875, 0.0, 1.0, 5e-324, 0.9999999999999999, 0.995, 0.005))
    elif kind < 9:
        x = rng.random()
    else:
        return None
    return repr(x)


def composite_case(rng):
    """Rows for answer_composite: [verdict, confidence, required]."""
    pool = rng.choice((VERDICTS, ("supported", "value"), ("value",), ("supported",),
                       ("supported", "value", "contradicted"), ("not_evaluable", "supported"),
                       ("contradicted", "not_checked", "supported")))
    size = rng.choice((0, 1, 1, 2, 3, 5, 8, 20))
    likely = rng.choice((1.0, 0.8, 0.5, 0.0))
    rows = [[rng.choice(pool), probability(rng), "t" if rng.random() < likely else "f"] for _ in range(size)]
    if rows and rng.random() < 0.08:
        row, kind = rng.choice(rows), rng.randrange(2)
        if kind == 0:
            row[rng.choice((0, 2))] = None
        else:
            row[1] = rng.choice(("-0.1", "1.0000000000000002", "NaN", "Infinity", "-5e-324", "-Infinity", "2"))
    return {"rows": rows}


GENERATORS = {"canonical": canonical_case, "digest": canonical_case, "portable": portable_case,
              "operator": operator_case, "check": check_case, "composite": composite_case,
              "validate": validate_case, "fact_confidence": fact_confidence_case}
