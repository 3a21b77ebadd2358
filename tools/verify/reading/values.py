"""Values in a text, with their units: doc/spec/reading.md §6."""

import collections
import decimal
import re

from verify.document.json_text import Num
from verify.document.portable_number import written

CLOCK = "clock"
CLOCK_TIME = re.compile("([0-9]{1,2}):([0-5][0-9])(?![0-9])")

# A number and its unit, or None; its place in the text (begin, end) and its words (first, one after the last).
Value = collections.namedtuple("Value", "number unit begin end first last")


def half_day(hour, half):
    """The hour of the day of an hour with am or pm."""
    return hour % 12 + 12 * (half == "p")


# A context that never rounds.
EXACT = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


def decimal_of(written_):
    """The number that digits with commas stand for."""
    return decimal.Decimal(written_.replace(",", ""))


def is_hour(value):
    """Whether a number can be an hour with am or pm."""
    return 1 <= value <= 12 and value == int(value)


def plain_decimal(value):
    """A number as a plain decimal."""
    whole, _, frac = format(value, "f").partition(".")
    return written("", whole.lstrip("0"), frac.rstrip("0"))


def item_of(value):
    """A value as an item."""
    return ("clock " if value.unit == CLOCK else "") + plain_decimal(value.number)


def shown_value(value):
    """A value as text for a message."""
    if value.unit == CLOCK:
        return "%d:%02d" % divmod(int(value.number), 60)
    return plain_decimal(value.number) + (" " + value.unit if value.unit else "")


def are_equal(a, b):
    """Whether two values are equal; a missing unit equals any."""
    return a.number == b.number and (a.unit == b.unit or a.unit is None or b.unit is None)


def shown_number(decimal_):
    """A plain decimal as a JSON number; over 1000 characters, as a string."""
    return Num(decimal_) if len(decimal_) <= 1000 else decimal_
