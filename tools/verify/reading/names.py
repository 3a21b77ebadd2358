"""Names, and the parts of words in several cases: doc/spec/reading.md §5.1 and §7."""

import collections

from verify.reading.characters import folded_word, is_lower, is_upper
from verify.reading.stem import stem_of

# A name as it is written, its stem, and the stems of its parts.
Name = collections.namedtuple("Name", "text stem parts")


def parts_of(token):
    """The parts of a token in several cases; [] if it has only one."""
    out = []
    for piece in split_where(token, lambda a, b, c: is_lower(a) and is_upper(b)):
        out += [piece] if is_plural_of_capitals(piece) else split_where(
            piece, lambda a, b, c: is_upper(a) and is_upper(b) and c != "" and is_lower(c))
    return out if len(out) > 1 else []


def split_where(token, parts):
    """Cut a token before each character where parts(previous, this, next) is true."""
    out, begin = [], 0
    for i in range(1, len(token)):
        if parts(token[i - 1], token[i], token[i + 1:i + 2]):
            out.append(token[begin:i])
            begin = i
    return [*out, token[begin:]]


def is_plural_of_capitals(token):
    """Whether a token is two or more capitals and an s."""
    return len(token) > 2 and token[-1] == "s" and all(map(is_upper, token[:-1]))


def folded_as_written(token):
    """A token, folded; a plural of capitals loses its s."""
    return folded_word(token[:-1] if is_plural_of_capitals(token) else token)


def stem_as_written(token):
    """The stem of a token as it is written."""
    return stem_of(folded_as_written(token))


def stands_in(name, stems):
    """Whether a text with these stems has a name, whole or in all its parts."""
    return name.stem in stems or bool(name.parts) and stems.issuperset(name.parts)
