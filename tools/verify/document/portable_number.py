"""Exact numbers and their portable form: doc/spec/document.md §4.

Numbers are not computed as floats: they keep their digits, or are fractions.
"""

import decimal
import fractions
import re

from verify.document.json_text import Num

# jsonb's limits: digits before and after the point. No receipt that the extension minted has a number beyond them. In
# any other document such a number is treated as the extension does: it has no text and compares with nothing.
NUMBER_MAX_BEFORE, NUMBER_MAX_AFTER = 131072, 16383
MAX_SAFE_INTEGER = 2 ** 53 - 1

NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")


def split_number(text):
    """Sign, digits before and after the point, and exponent; None for an exponent of seven digits or more."""
    sign, whole, frac, exp_sign, exp = NUMBER.fullmatch(text).groups()
    exp = (exp or "").lstrip("0")
    exponent = None if len(exp) > 6 else int(exp or "0") * (-1 if exp_sign == "-" else 1)
    return sign, whole, frac or "", exponent


def shift_point(whole, frac, exponent):
    """Apply an exponent to the digits."""
    if exponent >= 0:
        frac = frac.ljust(exponent, "0")
        return whole + frac[:exponent], frac[exponent:]
    whole = whole.rjust(-exponent, "0")
    return whole[:exponent], whole[exponent:] + frac


def plain(text):
    """Sign, digits before and after the point without redundant zeros; None beyond the range of numbers."""
    sign, whole, frac, exponent = split_number(text)
    if exponent is None or len(whole) + exponent > NUMBER_MAX_BEFORE or len(frac) - exponent > NUMBER_MAX_AFTER:
        return None
    whole, frac = shift_point(whole, frac, exponent)
    whole, frac = whole.lstrip("0"), frac.rstrip("0")
    return (sign if whole or frac else ""), whole, frac


def plain_text(text):
    """A number's exact plain decimal text without trailing zeros, or None beyond the range."""
    parts = plain(text)
    return None if parts is None else written(*parts)


def written(sign, whole, frac):
    """Write what plain() returned."""
    return sign + (whole or "0") + ("." + frac if frac else "")


def portable_number(text):
    """A Num that every language prints alike, or else a string; a number beyond the range stays as it is."""
    parts = plain(text)
    if parts is None:
        return Num(text)
    out = written(*parts)
    _, whole, frac = parts
    if not frac:
        return Num(out) if len(whole) <= 16 and int(whole or "0") <= MAX_SAFE_INTEGER else out
    in_range = len(whole) <= 16 and (whole or frac[:4].strip("0"))
    return Num(out) if in_range and len(out) <= 40 and repr(float(out)) == out else out


NUMERIC_STRING = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def count_of(value):
    """A non-negative integer of at most 18 digits as an int; None for anything else."""
    text = plain_text(value.text) if isinstance(value, Num) else None
    return int(text) if text and text.isdigit() and len(text) <= 18 else None


def exact(value):
    """A JSON number as a fraction, also if its portable form is a string; None for anything else."""
    if isinstance(value, str):
        if not NUMERIC_STRING.fullmatch(value) or portable_number(value) != value:
            return None
        value = Num(value)
    parts = plain(value.text) if isinstance(value, Num) else None
    # Decimal has no limit on digits, int() of a string has one
    return fractions.Fraction(decimal.Decimal(written(*parts))) if parts else None


def portable_fraction(fraction):
    """A fraction with a finite decimal form as a portable JSON value."""
    sign, ten, places = "-" if fraction < 0 else "", fractions.Fraction(10), 0
    while (fraction * ten ** places).denominator != 1:
        places += 1
    digits = str(decimal.Decimal(int(abs(fraction) * ten ** places))).rjust(places + 1, "0")
    at = len(digits) - places
    return portable_number(sign + digits[:at] + ("." + digits[at:] if places else ""))
