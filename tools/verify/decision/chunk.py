"""Chunks and the quality of a retrieval: doc/spec/decision.md §2."""

import decimal
import fractions
import re

from verify.document.json_text import Num
from verify.document.portable_number import NUMERIC_STRING, plain, plain_text, portable_number, written
from verify.document.small_text import instant
from verify.df_verify_1.report import need
from verify.reading.tokens import Text
from verify.reading.text import TextReading
from verify.reading.text_score import four_places

DAY = 86400 * 10 ** 6


def fraction_of(value, as_portable=False):
    """A JSON number below 10 as a fraction; with as_portable also if its portable form is a string. None for anything else."""
    if as_portable and isinstance(value, str) and NUMERIC_STRING.fullmatch(value) and portable_number(value) == value:
        value = Num(value)
    parts = plain(value.text) if isinstance(value, Num) else None
    # larger numbers are never valid here, and reading thousands of digits is slow; Decimal reads any number of decimals
    return fractions.Fraction(decimal.Decimal(written(*parts))) if parts and len(parts[1]) <= 1 else None


def rounded(value):
    """A number as JSON, rounded to four decimals, half to even."""
    tenths = round(value * 10 ** 4)
    return Num(plain_text("%s%d.%04d" % ("-" if tenths < 0 else "", *divmod(abs(tenths), 10 ** 4))))


def number(count):
    """An integer as JSON."""
    return Num(str(count))


def chunk_instant(value):
    """The instant of a chunk's timestamp, UTC if it names no zone; None if it is not an instant."""
    if not isinstance(value, str):
        return None
    if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return instant(value + "T00:00:00Z")
    found = instant(value)
    return instant(value + "Z") if found is None else found


class Chunk:
    """A retrieved chunk."""

    def __init__(self, given, as_portable):
        for key in ("chunk_id", "doc_id", "text"):
            need(isinstance(given, dict) and isinstance(given.get(key), str), "retrieval.chunks is malformed")
        self.chunk_id, self.doc_id, self.written = given["chunk_id"], given["doc_id"], given["text"]
        self.similarity = fraction_of(given.get("similarity"), as_portable)
        need(self.similarity is not None and 0 <= self.similarity <= 1, "retrieval.chunks is malformed")
        self.timestamp = given.get("timestamp")
        self.instant = chunk_instant(self.timestamp)
        self.title = "" if given.get("title") is None else given["title"]
        need(isinstance(self.title, str), "retrieval.chunks is malformed")
        self.facts = [] if given.get("facts") is None else given["facts"]
        need(isinstance(self.facts, list) and all(is_fact(one) for one in self.facts), "retrieval.chunks is malformed")
        self.read, self.readings = None, None

    @property
    def score(self):
        """The similarity, rounded as it is shown."""
        return four_places(self.similarity)

    @property
    def passage(self):
        """The title and text, as a judge is shown them."""
        return self.title + "\n" + self.written if self.title else self.written

    def read_by(self, rules):
        """(reading of the text, of the title)."""
        if self.readings is None:
            self.readings = TextReading(self.written, rules), TextReading(self.title, rules)
        return self.readings

    @property
    def text(self):
        """The text with its words."""
        if self.read is None:
            self.read = Text(self.written)
        return self.read


def is_fact(one):
    """Whether a value has the form of a fact of a chunk."""
    return isinstance(one, dict) and all(isinstance(one.get(key), str) for key in ("subject", "attribute", "quote")) and \
        isinstance(one.get("value"), (str, Num, bool)) and \
        all(one.get(key) is None or isinstance(one[key], str) for key in ("unit", "scope"))


def read_chunks(value, as_portable=False):
    """The chunks of a JSON array."""
    need(isinstance(value, list), "retrieval.chunks is malformed")
    chunks = [Chunk(one, as_portable) for one in value]
    need(len({chunk.chunk_id for chunk in chunks}) == len(chunks), "retrieval.chunks is malformed")
    return chunks


def retrieval_quality(chunks, days, now):
    """The similarity and age of the chunks, as a report shows them."""
    given = [chunk.similarity for chunk in chunks]
    dated = [chunk for chunk in chunks if chunk.instant is not None]
    old = sum(1 for chunk in chunks if chunk.instant is None or chunk.instant < now - days * DAY) if days else 0
    return {
        "confidence": {"max": rounded(max(given, default=0)),
                       "mean": rounded(sum(given) / fractions.Fraction(len(given) or 1)),
                       "gap": rounded(given[0] - given[1]) if len(given) > 1 else None,
                       "hit_count": number(len(given))},
        "freshness": {"oldest_timestamp": min(dated, key=lambda c: c.instant).timestamp if dated else None,
                      "newest_timestamp": max(dated, key=lambda c: c.instant).timestamp if dated else None,
                      "freshness_violation_count": number(old), "freshness_violation": old > 0,
                      "freshness_days": number(days)},
        "top_doc_ids": [chunk.doc_id for chunk in chunks], "top_timestamps": [chunk.timestamp for chunk in chunks]}


class Passage:
    """A text to compare by the rules of conflicts, in place of a chunk."""

    def __init__(self, doc_id, text, rules):
        self.doc_id, self.read = doc_id, TextReading(text, rules.reading)
        self.text = self.read.text

    def read_by(self, _rules):
        """(reading of the text, None for the title)."""
        return self.read, None
