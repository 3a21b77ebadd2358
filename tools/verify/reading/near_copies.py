"""Whether two sentences are near copies, and where they differ: doc/spec/reading.md §10."""

from verify.reading.names import stands_in
from verify.reading.values import item_of

COPY_SENTENCES = 400

SAME, OTHER_VALUE, OTHER_SIGN = "same", "value", "negation"


def values_by_unit(values):
    """{unit: [value]} of the values that have one."""
    out = {}
    for one in values:
        if one.unit is not None:
            out.setdefault(one.unit, []).append(one)
    return out


def unlike_units(a, b):
    """The units that both sentences use, but with no value in common."""
    left, right = values_by_unit(a.values), values_by_unit(b.values)
    return sorted(unit for unit in set(left) & set(right)
                  if not {one.number for one in left[unit]} & {one.number for one in right[unit]})


def plain_items_of(sentence):
    """The items of a sentence that are not values."""
    return sentence.items - {item_of(one) for one in sentence.values}


def slot(a, b):
    """The slot of two near copies: SAME, OTHER_VALUE or OTHER_SIGN; None if they are not near copies."""
    left, right = plain_items_of(a), plain_items_of(b)
    common = len(left & right)
    if common < 3 or 100 * common < 85 * min(len(left), len(right)) or 10 * common < 6 * max(len(left), len(right)):
        return None
    if not all(stands_in(name, b.has) for name in a.names) or not all(stands_in(name, a.has) for name in b.names):
        return None
    if unlike_units(a, b):
        return OTHER_VALUE
    return OTHER_SIGN if a.items == b.items and a.negated != b.negated else SAME
