"""Where the sentences of a text begin and end, and which of them ask: doc/spec/reading.md §3."""

import bisect
import collections
import functools
import itertools
import re

from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import (
    characters, CLAUSE_MARKS, folded_word, is_digit, is_letter, is_lower, is_upper, reader, token_character, token_class)

Word = collections.namedtuple("Word", "text begin end clause sentence")

# The closers of sentences that mark a question.
QUESTION_MARKS = "?" + characters("37E 61F 1367 1945 203D 2047-2049 2CFA-2CFB 2E2E 2E54 A60F A6F7 FE16 FE56 FF1F 11143")
INLINE_SPACE = WHITE_SPACE.replace("\n", "")

# A sentence: begin and end, whether a mark closed it, whether that asks, and whether it is in a heading or in a list entry.
Span = collections.namedtuple("Span", "begin end marked asks heading entry")


@functools.lru_cache(maxsize=None)
def marker():
    """The pattern of a list marker with white space after it."""
    return re.compile("[%s]*(?:[0-9]+[.)]|[^%s%s]|[%s]{1,4}\\))(?=[%s])" % (
        INLINE_SPACE, token_class(), WHITE_SPACE, token_class(), WHITE_SPACE))


def marker_end(text, line):
    """The end of the list marker at the start of a line, or None."""
    found = marker().match(text, line)
    if found and found[0].endswith(")") and not all(
            is_letter(c) or is_digit(c) for c in found[0].strip(WHITE_SPACE)[:-1]):
        return None
    return found and found.end()


# A line: whether it is a heading, in a list entry, blank; and where its list marker ends, or None.
Line = collections.namedtuple("Line", "heading entry blank marker")


def lines_of(text):
    """{begin: Line} of a text."""
    found, begin, entry = {}, 0, False
    for line in text.split("\n"):
        rest = line.lstrip(WHITE_SPACE)
        heading = rest.startswith("#")
        end = None if heading or not rest else marker_end(text, begin)
        entry = end is not None or entry and bool(rest)
        found[begin] = Line(heading, entry, not rest, end)
        begin += len(line) + 1
    return found


class Segments:
    """Finds the sentences and the words of a text (doc/spec/reading.md §3)."""

    def __init__(self, text, rules):
        self.text, self.rules, self.words, self.spans, self.foreign = text.plain, rules, [], text.spans, False
        self.clause, self.begin, self.close, self.held, self.line, self.behind = 0, 0, None, False, 0, 0
        text.lines = self.lines = lines_of(self.text)
        self.begins = list(self.lines)
        self.read()

    def read(self):
        """Find all words and sentences, in one pass."""
        token = token_character()
        for found in reader().finditer(self.text):
            kind, begin, end = found.lastgroup, *found.span()
            if kind == "token":
                if self.close is not None and (self.foreign or self.white_behind(begin) < begin):
                    self.settle(begin)
                if self.words and self.words[-1].sentence != len(self.spans) and self.words[-1].clause == self.clause:
                    self.clause += 1
                self.held = True
                self.words.append(Word(folded_word(found[0]), begin, end, self.clause, len(self.spans)))
            elif kind == "line":
                before, self.line = self.lines[self.line], end
                here = self.lines[end]
                if before.heading or here.heading or here.blank or here.marker is not None:
                    self.clause += 1
                    self.settle(begin)
                    self.finish(begin, None)
            elif kind == "clause" or found[0] in CLAUSE_MARKS:
                both = begin and token.match(self.text, begin - 1) and token.match(self.text, end)
                self.clause += kind == "clause" or not both
            elif kind == "sentence" or self.closes(found[0], begin, end):
                self.clause += 1
                if self.close is not None and self.white_behind(begin) < begin:
                    self.settle(begin)
                if self.close is None:
                    self.close = self.behind = begin
                self.foreign |= kind == "sentence"
        self.settle(len(self.text))
        self.finish(len(self.text), None)

    def closes(self, mark, begin, end):
        """Whether a mark closes a sentence at its place."""
        text, before = self.text, self.words[-1] if self.words and self.words[-1].end == begin else None
        if token_character().match(text, end):
            return mark == "\u2026" and before is None
        if mark != ".":
            return True
        if before is not None and re.fullmatch("[0-9]+", text[before.begin:before.end]) and \
                not text[self.line:before.begin].strip(INLINE_SPACE) and self.line <= before.begin:
            return False
        if before is None:
            return True
        written, rules = text[before.begin:before.end], self.rules
        if before.text in rules.titles and (before.text not in NUMBERED or is_numbered(text, end)) or \
                len(written) == 1 and is_upper(written):
            return False
        if before.text in rules.abbreviations or len(written) == 1 and is_lower(written):
            rest = behind_blanks(text, end)
            return not rest or is_upper(rest)
        return True

    def white_behind(self, limit):
        """The first white space at or after the mark that closed, up to a limit."""
        while self.behind < limit and self.text[self.behind] not in WHITE_SPACE:
            self.behind += 1
        return self.behind

    def settle(self, limit):
        """End a sentence that a mark has closed, at the latest at `limit`."""
        if self.close is not None:
            self.finish(self.white_behind(limit), self.close)

    def finish(self, end, close):
        """End the sentence; without a word it does not count."""
        text, begin, last = self.text, self.begin, end
        while begin < end and text[begin] in WHITE_SPACE:
            begin += 1
        while last > begin and text[last - 1] in WHITE_SPACE:
            last -= 1
        if self.held:
            asks = close is not None and any(one in QUESTION_MARKS for one in itertools.takewhile(
                lambda c: not token_character().match(c), text[close:last]))
            line = self.lines[self.begins[bisect.bisect_right(self.begins, begin) - 1]]
            self.spans.append(Span(begin, last, close is not None, asks, line.heading, line.entry))
        self.begin, self.close, self.held, self.foreign = end, None, False, False


# These are titles only before a number.
NUMBERED = ("no", "nos")


BLANKS_BEHIND = re.compile("[%s]*" % WHITE_SPACE)


def behind_blanks(text, place):
    """The first character after white space, or an empty text."""
    place = BLANKS_BEHIND.match(text, place).end()
    return text[place:place + 1]


def is_numbered(text, end):
    """Whether a digit follows, after white space."""
    rest = behind_blanks(text, end)
    return bool(rest) and is_digit(rest)
