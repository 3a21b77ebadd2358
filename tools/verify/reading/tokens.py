"""The words of a text, by clause and sentence: doc/spec/reading.md §2.3 and §2.4."""

import bisect
import collections
import functools
import re

from verify.document.json_text import Num
from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import (
    APOSTROPHES, CLAUSE_MARKS, folded_word, is_format_character, is_letter, reader, token_character)
from verify.reading.segments import Segments, Word

# A line end followed by this begins a new clause.
NEW_CLAUSE = re.compile(r"[%s]*(?:\n|#|(?:[-*+\u2022]|[0-9]+[.)])[%s])" % (WHITE_SPACE.replace("\n", ""), WHITE_SPACE))
DECIMAL_NUMBER = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?")
CURRENCY, PERCENT = re.compile("[$\u20ac\xa3] ?\\Z"), re.compile(" ?%")

Figure = collections.namedtuple("Figure", "value unit begin end first")


class Text:
    """A text without its format characters, and its words. Rules tell which marks do not close a sentence."""

    def __init__(self, text, rules=None):
        self.original, self.at = text, None
        self.plain = text
        if not text.isascii() and any(map(is_format_character, text)):
            self.at = [i for i, c in enumerate(text) if not is_format_character(c)]
            self.plain = "".join(text[i] for i in self.at)
            self.at.append(len(text))
        self.spans, self.lines = [], {}
        self.words = self.read() if rules is None else Segments(self, rules).words
        self.sentences = {}
        for i, word in enumerate(self.words):
            self.sentences.setdefault(word.sentence, []).append(i)

    def read(self):
        """Find the words, each in its clause and sentence."""
        text, words, clause, sentence = self.plain, [], 0, 0
        token = token_character()
        for found in reader().finditer(text):
            kind, begin, end = found.lastgroup, *found.span()
            if kind == "token":
                words.append(Word(folded_word(found[0]), begin, end, clause, sentence))
                continue
            if kind == "mark" and begin and token.match(text, begin - 1) and token.match(text, end):
                continue
            if kind == "line" and not NEW_CLAUSE.match(text, end):
                continue
            clause += 1
            sentence += kind != "clause" and found[0] not in CLAUSE_MARKS
        return words

    def origin(self, begin, end):
        """The place of a part in the original text."""
        return (begin, end) if self.at is None else (self.at[begin], self.at[end - 1] + 1 if end > begin else self.at[begin])

    def byte_places(self, span):
        """The begin and end of a sentence in the original text, in bytes of UTF-8."""
        begin, end = self.origin(span.begin, span.end)
        first = len(self.original[:begin].encode())
        return {"start": Num(str(first)), "end": Num(str(first + len(self.original[begin:end].encode())))}

    def part(self, begin, end):
        """A part of the original text."""
        first, last = self.origin(begin, end)
        return self.original[first:last]

    def place(self, at):
        """The place in the text without format characters of a place in the original."""
        return bisect.bisect_left(self.at, at) if self.at else at

    def is_contraction(self, i):
        """Whether a word is the `t` of n't."""
        word = self.words[i]
        return word.text == "t" and i > 0 and self.words[i - 1].text.endswith("n") and \
            self.words[i - 1].end + 1 == word.begin and self.plain[word.begin - 1] in APOSTROPHES

    def snippet(self, begin, end):
        """The original text around a place."""
        if self.at:
            begin, end = self.at[begin], self.at[end - 1] + 1
        return cut_out(self.original, begin - 50, end + 50)

    @functools.cached_property
    def numbers(self):
        """The numbers that are words of their own: (match, first word, word after it)."""
        text, begins, out = self.plain, [word.begin for word in self.words], []
        for found in DECIMAL_NUMBER.finditer(text):
            begin, end = found.span()
            before, after = text[max(begin - 2, 0):begin], text[end:end + 2]
            if before and is_letter(before[-1]) or re.fullmatch("[0-9][.,]", before) or \
                    after and is_letter(after[0]) or re.match("[.,][0-9]", after):
                continue
            out.append((found, bisect.bisect_right(begins, begin) - 1, bisect.bisect_left(begins, end)))
        return out


def cut_out(text, first, last):
    """A part of a text, trimmed, with "..." where it is cut."""
    shown = text[max(first, 0):last].strip(WHITE_SPACE)
    return ("..." if first > 0 else "") + shown + ("..." if last < len(text) else "")
