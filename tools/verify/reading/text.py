"""The reading of a text: doc/spec/reading.md §5 to §8."""

import bisect
import decimal
import re

from verify.document.portable_number import count_of
from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import all_closers, APOSTROPHES, folded_word, is_letter
from verify.reading.segments import is_numbered, NUMBERED
from verify.reading.tokens import CURRENCY, DECIMAL_NUMBER, PERCENT, Text
from verify.reading.phrases import words_of
from verify.reading.stem import stem_of
from verify.reading.names import folded_as_written, parts_of, stands_in, stem_as_written
from verify.reading.values import CLOCK, CLOCK_TIME, decimal_of, EXACT, half_day, is_hour, item_of, Value
from verify.reading.sentence import Sentence

CLITICS = {"s", "d", "m", "re", "ve", "ll"}


# A number word may mean a million, and a text be quoted whole that is as long as any.
NUMBER_WORD_MOST, QUOTE_WHOLE_MOST = 10 ** 12, 2 ** 31 - 1


def is_count_to(value, most):
    """Whether a value is a whole number from 0 to the greatest."""
    found = count_of(value)
    return found is not None and found <= most


def lone_word(entry):
    """The word of an entry; an entry of several is never found, for a text is held against these lists word by word."""
    words = words_of(entry)
    return words if len(words) == 1 else ()


class ReadingRules:
    """The rules for reading texts."""

    def __init__(self, document, rules):
        good = rules.good
        names = {"stop", "form", "abbreviations", "titles"}
        good(isinstance(document, dict) and set(document) == {*names, "number_words", "quote_whole"})
        for name in names:
            setattr(self, name, {word for entry in rules.texts(document[name]) for word in lone_word(entry)})
        numbers = document["number_words"]
        good(isinstance(numbers, dict) and all(is_count_to(value, NUMBER_WORD_MOST) for value in numbers.values()))
        self.numbers = {word: count_of(value) for entry, value in numbers.items() for word in lone_word(entry)}
        good(is_count_to(document["quote_whole"], QUOTE_WHOLE_MOST))
        self.quote_whole = count_of(document["quote_whole"])
        self.units, self.negators, self.spared = rules.units, rules.alone["negators"], rules.alone["not_negating"]
        negating = {word for same in self.negators.by_first.values() for phrase, *_ in same for word in phrase}
        self.unsaying = {*self.stop, *self.form, *self.abbreviations, *self.titles, *self.numbers, *negating}


class TextReading:
    """The reading of a text, as a whole and by sentence."""

    def __init__(self, text, rules):
        self.rules, self.text = rules, text if isinstance(text, Text) else Text(text, rules)
        self.words, self.plain = self.text.words, self.text.plain
        self.contracted = {i - k for i in range(len(self.words)) if self.text.is_contraction(i) for k in (0, 1)}
        self.negations = self.read_negations()
        self.negating = {i for first, last in self.negations for i in range(first, last)} | self.contracted
        self.negations_in = {}
        for one in self.negations:
            self.negations_in.setdefault(self.words[one[0]].sentence, []).append(one)
        self.value_of, self.joined, self.values = {}, {}, []
        self.read_values()
        self.stems = [self.stems_at(i) for i in range(len(self.words))]
        self.first_behind = self.first_behind_markers()
        self.sentences = [Sentence(self, number, places) for number, places in self.text.sentences.items()]
        for place, one in enumerate(self.sentences):
            one.place = place
        self.has = {stem for stems in self.stems for stem in stems}
        self.items = {item for one in self.sentences for item in one.items}
        self.names = [name for one in self.sentences for name in one.names]
        self.units_of = {}
        for one in self.values:
            self.units_of.setdefault(one.number, set()).add(one.unit)

    def written(self, i):
        """A token as it is written in the text."""
        return self.plain[self.words[i].begin:self.words[i].end]

    # negation

    def read_negations(self):
        """(first word, word after the last) of each negator."""
        spared = {i for one in self.rules.spared.competing(self.text) for i in range(one.first, one.last)}
        found = [(one.first, one.last) for one in self.rules.negators.competing(self.text)
                 if one.first not in spared and not self.is_no_negator(one.first)]
        taken = {i for first, last in found for i in range(first, last)}
        found += [(i, i + 1) for i in range(len(self.words)) if self.text.is_contraction(i)
                  or self.words[i].text == "cannot" and i not in taken]
        return sorted(found)

    def is_no_negator(self, i):
        """Whether a `no` does not negate: it means "number", or is an answer by itself."""
        word = self.words[i]
        if is_number_title(self.text, i, self.rules):
            return True
        behind = self.plain[word.end:word.end + 1]
        return word.text == "no" and (i == 0 or self.words[i - 1].sentence != word.sentence) and \
            bool(behind) and behind in all_closers()

    # values

    def read_values(self):
        """Find the numbers with their units."""
        # of several numbers in one token, keep the first
        self.plain_numbers = {first: (found, last) for found, first, last in reversed(self.text.numbers)}
        i = 0
        while i < len(self.words):
            found = self.clock_at(i) or self.joined_at(i) or self.number_at(i) or self.words_at(i)
            if found is None:
                i += 1
                continue
            for k in range(found.first, found.last):
                self.value_of[k] = len(self.values)
            self.values.append(found)
            i = max(found.last, i + 1)

    def stands_alone(self, begin):
        """Whether a number may begin at a token, that is, does not continue one."""
        return not re.fullmatch("[0-9][.,:]", self.plain[max(begin - 2, 0):begin])

    def clock_at(self, i):
        """A time of day as h:mm."""
        begin = self.words[i].begin
        found = CLOCK_TIME.match(self.plain, begin)
        if not found or int(found[1]) > 24 or not self.stands_alone(begin) or i + 1 >= len(self.words):
            return None
        end, last = found.end(), self.words[i + 1]
        if re.match("[.,:][0-9]", self.plain[end:end + 2]):
            return None
        hour, minutes, rest = int(found[1]), int(found[2]), folded_word(self.plain[end:last.end])
        half, behind, end = (self.joined_half(i + 1, rest) if rest else self.half_behind(i + 2)) if 1 <= hour <= 12 \
            else (None, i + 2, end)
        if rest and not half:
            return None
        if half:
            return self.value(half_day(hour, half) * 60 + minutes, CLOCK, i, behind, end)
        return self.value(hour * 60 + minutes, CLOCK, i, i + 2, found.end())

    def value(self, number, unit, first, last, end, begin=None):
        """A Value over some words."""
        return Value(decimal.Decimal(number), unit, self.words[first].begin if begin is None else begin, end, first, last)

    def half_behind(self, i):
        """("a" or "p", next word, end) if am or pm follows the word before, after white space; else (None, …)."""
        words, plain, none = self.words, self.plain, (None, i, self.words[i - 1].end)
        if i >= len(words) or words[i].clause != words[i - 1].clause or \
                not re.fullmatch("[%s]+" % WHITE_SPACE, plain[words[i - 1].end:words[i].begin]):
            return none
        if words[i].text in ("am", "pm"):
            return words[i].text[0], i + 1, words[i].end
        if words[i].text in ("a", "p") and i + 1 < len(words) and words[i + 1].text == "m" and \
                plain[words[i].end:words[i + 1].begin] == "." and plain[words[i + 1].end:words[i + 1].end + 1] == ".":
            return words[i].text, i + 2, words[i + 1].end + 1
        return none

    def joined_half(self, i, rest):
        """("a" or "p", next word, end) if the letters at the end of a word are am or pm, also dotted; else (None, …)."""
        words, plain = self.words, self.plain
        if rest in ("am", "pm"):
            return rest[0], i + 1, words[i].end
        if rest in ("a", "p") and i + 1 < len(words) and words[i + 1].text == "m" and \
                plain[words[i].end:words[i + 1].begin] == "." and plain[words[i + 1].end:words[i + 1].end + 1] == ".":
            return rest, i + 2, words[i + 1].end + 1
        return None, i + 1, words[i].end

    def joined_at(self, i):
        """Digits that are joined to a unit, to am or pm, or to an s."""
        begin, plain, words = self.words[i].begin, self.plain, self.words
        found = DECIMAL_NUMBER.match(plain, begin)
        if not found or not self.stands_alone(begin):
            return None
        last = i
        while words[last].end < found.end():
            last += 1
        written = plain[found.end():words[last].end]
        if not written or not all(map(is_letter, written)):
            return None
        rest, number_, end = folded_word(written), decimal_of(found[0]), words[last].end
        half, behind, stop = self.joined_half(last, rest)
        if half:
            return self.value(half_day(int(number_), half) * 60, CLOCK, i, behind, stop) if is_hour(number_) else None
        if rest == "s":
            return self.value(number_, None, i, last + 1, end)
        row, behind = self.unit_row(rest, last)
        if row is None:
            return None
        self.joined[last] = rest
        begin, unit = self.currency(begin, row)
        return self.value(number_, unit, i, last + 1, words[behind - 1].end, begin)

    def unit_row(self, rest, last):
        """(unit, next word) of the longest entry of the units that begins with the letters joined to a word."""
        words = self.words
        for phrase, label, _ in self.rules.units.by_first.get(rest, ()):
            behind = last + len(phrase)
            if behind <= len(words) and words[behind - 1].clause == words[last].clause and \
                    all(words[last + k].text == phrase[k] for k in range(1, len(phrase))):
                return label, behind
        return None, None

    def currency(self, begin, unit):
        """(begin, unit) of a number, which a currency sign before it changes."""
        before = CURRENCY.search(self.plain[max(begin - 2, 0):begin])
        return (begin - len(before[0]), before[0][0]) if before else (begin, unit)

    def number_at(self, i):
        """A number in digits that is a word of its own."""
        if i not in self.plain_numbers:
            return None
        found, last = self.plain_numbers[i]
        return self.finished(decimal_of(found[0]), i, last, found.start(), found.end())

    def words_at(self, i):
        """A number in words."""
        word = self.words[i].text
        if word not in self.rules.numbers:
            return None
        number_, last = self.rules.numbers[word], i + 1
        if number_ in range(20, 100, 10) and self.is_linked(last) and \
                1 <= self.rules.numbers.get(self.words[last].text, 0) <= 9:
            number_, last = number_ + self.rules.numbers[self.words[last].text], last + 1
        found = self.finished(number_, i, last, self.words[i].begin, self.words[last - 1].end)
        return None if word == "one" and found.unit is None and found.last == i + 1 else found

    def is_linked(self, i):
        """Whether only white space or a hyphen is before a word."""
        words = self.words
        return 0 < i < len(words) and words[i].clause == words[i - 1].clause and bool(
            re.fullmatch("[%s]+|-" % WHITE_SPACE, self.plain[words[i - 1].end:words[i].begin]))

    def finished(self, number_, first, last, begin, end):
        """A number, multiplied by the number words that follow, with its unit."""
        words, numbers, plain = self.words, self.rules.numbers, self.plain
        while self.is_linked(last) and numbers.get(words[last].text, 0) >= 100:
            number_ = EXACT.multiply(decimal.Decimal(number_), decimal.Decimal(numbers[words[last].text]))
            end, last = words[last].end, last + 1
        sign, unit = self.currency(begin, None)
        if unit:
            return self.value(number_, unit, first, last, end, sign)
        percent = PERCENT.match(plain, end)
        if percent:
            return self.value(number_, "%", first, last, percent.end(), begin)
        if is_hour(number_):
            half, behind, stop = self.half_behind(last)
            if half:
                return self.value(half_day(int(number_), half) * 60, CLOCK, first, behind, stop, begin)
        row = next(self.rules.units.at(self.text, last), None) if last < len(words) and \
            words[last].clause == words[first].clause else None
        return self.value(number_, row.label if row else None, first, last, words[row.last - 1].end if row else end, begin)

    # stems, items, names

    def stems_at(self, i):
        """The stems of a word."""
        if i in self.value_of:
            stems = {item_of(self.values[self.value_of[i]])}
            return stems | {stem_of(self.joined[i])} if i in self.joined else stems
        token = self.written(i)
        return {stem_as_written(token), *map(stem_as_written, parts_of(token))}

    def items_at(self, i, left_out):
        """The items of a word; none for a word that is in `left_out` or negates."""
        if i in self.value_of:
            return self.stems[i]
        word = self.words[i]
        if i in self.negating or word.text in left_out or word.text in CLITICS and word.begin and \
                self.plain[word.begin - 1] in APOSTROPHES:
            return set()
        token = self.written(i)
        return {stem_as_written(token), *(stem_as_written(one) for one in parts_of(token)
                                          if folded_as_written(one) not in left_out)}

    def question_items(self):
        """The items of the text as a question."""
        every = range(len(self.words))
        for left_out in (self.rules.stop | self.rules.form, self.rules.stop):
            found = {item for i in every for item in self.items_at(i, left_out)}
            if found:
                return found
        return set(self.has)

    def first_behind_markers(self):
        """The first words after list markers."""
        begins = [word.begin for word in self.words]
        return {bisect.bisect_left(begins, line.marker) for line in self.text.lines.values() if line.marker is not None}

    def has_name(self, name):
        """Whether the text has a name."""
        return stands_in(name, self.has)

    def has_value(self, value):
        """Whether the text has an equal value."""
        units = self.units_of.get(value.number, ())
        return bool(units) and (value.unit is None or value.unit in units or None in units)


def is_number_title(text, i, rules):
    """Whether a word is the `No.` before a number."""
    word = text.words[i]
    return word.text in NUMBERED and word.text in rules.titles and text.plain[word.end:word.end + 1] == "." and \
        is_numbered(text.plain, word.end + 1)
