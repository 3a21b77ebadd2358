"""The score of a passage for a question: doc/spec/reading.md §5.3, §5.4 and §9."""

import fractions

from verify.reading.names import stands_in
from verify.reading.values import plain_decimal, shown_number
from verify.reading.text import TextReading
from verify.reading.near_copies import slot

ZERO_SHARE, WHOLE_SHARE = fractions.Fraction(0), fractions.Fraction(1)


def weight_of(items):
    """The weight of items."""
    return sum(2 if len(item) > 4 else 1 for item in items)


class Question:
    """A question; scores how much of it a text has."""

    def __init__(self, text, rules):
        self.reading = TextReading(text, rules)
        self.items = self.reading.question_items()
        self.weight = weight_of(self.items)
        self.names = list({name.stem: name for name in self.reading.names}.values())
        self.values = list({(one.number, one.unit): one for one in self.reading.values}.values())

    def cover(self, *stems):
        """The share of the question's items, by weight, among these stems."""
        return fractions.Fraction(weight_of(self.items & set().union(*stems)), self.weight) if self.weight else ZERO_SHARE

    def need(self, *readings):
        """The share of the question's names and values in these texts."""
        stems = set().union(*(one.has for one in readings))
        found = sum(stands_in(name, stems) for name in self.names) + sum(
            any(one.has_value(value) for one in readings) for value in self.values)
        every = len(self.names) + len(self.values)
        return fractions.Fraction(found, every) if every else WHOLE_SHARE

    def scores(self, reading, title):
        """The score of every sentence of a text."""
        whole, need_ = self.cover(reading.has, title.has), self.need(reading, title)
        before, out = set(), []
        for one in reading.sentences:
            mean = (whole + self.cover(before, one.has, title.has) + self.cover(one.has)) / 3
            out.append(four_places(mean * (1 + need_) / 2))
            before = one.has
        return out


def four_places(value):
    """Round to four decimals, half to even."""
    return fractions.Fraction(round(value * 10 ** 4), 10 ** 4)


def read_passage(text, title, rules):
    """(reading of the text, of the title); the title replaces a text without a sentence."""
    head, body = TextReading(title or "", rules), TextReading(text, rules)
    return (body, head) if body.sentences else (head, head)


def best_of(question, reading, title):
    """(score, index of the best sentence or None) of a passage for a question."""
    scores = question.scores(reading, title)
    if not scores:
        return ZERO_SHARE, None
    score = max(scores)
    able = [i for i, one in enumerate(reading.sentences)
            if not one.span.asks and 100 * scores[i] >= 85 * score]
    return score, max(able or range(len(scores)), key=lambda i: (scores[i], -i))


def reading_score(question, text, title, rules):
    """(score, best sentence or None) of a passage for a question (text-score/2)."""
    question = question if isinstance(question, Question) else Question(question, rules)
    reading, head = read_passage(text, title, rules)
    score, best = best_of(question, reading, head)
    return score, None if best is None else reading.sentences[best].text


def reading_explain(text, rules):
    """The reading of a text, as answer_reading shows it."""
    reading = TextReading(text, rules)
    return {"sentences": [{
        "text": one.text, **reading.text.byte_places(one.span), "asks": one.span.asks, "items": sorted(one.items),
        "values": [{"value": shown_number(plain_decimal(value.number)), "unit": value.unit} for value in one.values],
        "names": [name.text for name in one.names], "negated": one.negated} for one in reading.sentences]}


def reading_slot(a, b, rules):
    """The slot of the first sentences of two texts."""
    left, right = (TextReading(one, rules).sentences for one in (a, b))
    return slot(left[0], right[0]) if left and right else None
