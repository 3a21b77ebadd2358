"""The reading of one sentence: its items, values, names and negations. doc/spec/reading.md §5 to §8."""

import re

from verify.reading.characters import is_digit, is_letter, is_upper
from verify.reading.names import Name, parts_of, stem_as_written

OPENS_NAME = re.compile('[:"\u201c(]')


class Sentence:
    """The reading of one sentence."""

    def __init__(self, reading, number_, places):
        self.reading, self.number, self.places, self.place = reading, number_, places, 0
        self.span = reading.text.spans[number_]
        self.text = reading.text.part(self.span.begin, self.span.end)
        self.has = {stem for i in places for stem in reading.stems[i]}
        self.items = {item for i in places for item in reading.items_at(i, reading.rules.stop)}
        self.values = [reading.values[k] for k in dict.fromkeys(
            reading.value_of[i] for i in places if i in reading.value_of)]
        self.negations = reading.negations_in.get(number_, [])
        self.negated = len(self.negations) % 2 == 1
        self.names = list(self.read_names())

    def is_title(self):
        """Whether most of its words are capitalized, as in a heading."""
        reading = self.reading
        saying = [i for i in self.places if reading.words[i].text not in reading.rules.unsaying]
        return not self.span.marked and 2 * sum(is_upper(reading.written(i)[0]) for i in saying) > len(saying)

    def read_names(self):
        """Find the names in the sentence."""
        reading, title = self.reading, self.is_title()
        for i in self.places:
            token = reading.written(i)
            if i in reading.value_of or i in reading.negating:
                continue
            kind = any(map(is_upper, token[1:])) or any(map(is_letter, token)) and any(map(is_digit, token))
            if kind or not title and is_upper(token[0]) and self.may_begin_name(i):
                yield Name(token, stem_as_written(token), frozenset(map(stem_as_written, parts_of(token))))

    def may_begin_name(self, i):
        """Whether a capital at a word means a name: not the first word, not after a marker or opening mark."""
        reading, words = self.reading, self.reading.words
        return i != self.places[0] and i not in reading.first_behind and words[i].text not in reading.rules.stop and \
            not OPENS_NAME.search(reading.plain, words[i - 1].end, words[i].begin)
