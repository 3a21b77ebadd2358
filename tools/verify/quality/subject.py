"""The subject of an investigation: doc/spec/quality.md §3."""

import re

from verify.document.json_text import Num
from verify.document.members import text_in
from verify.document.portable_number import plain_text
from verify.df_verify_1.report import need
from verify.reading.characters import folded_word
from verify.reading.tokens import Text
from verify.reading.names import is_plural_of_capitals, parts_of
from verify.reading.text import TextReading
from verify.quality.grade import IDENTIFIER, QUALITY_RULES

MAX_SUBJECT = 256


def same_scalar(a, b):
    """Whether two JSON values are the same scalar."""
    if isinstance(a, Num) and isinstance(b, Num):
        return plain_text(a.text) is not None and plain_text(a.text) == plain_text(b.text)
    return not isinstance(a, (Num, list, dict)) and type(a) is type(b) and a == b


ALNUM, WORD = b"0-9A-Za-z", b"0-9A-Za-z_\\x80-\\xff"
NAME = re.compile(b"[%s:./\\-~+@#$%%]+" % WORD)
AROUND_NAME = re.compile(b"^[^%s/.]+|[^%s/]+$" % (WORD, WORD))


def folded(text):
    """A text as bytes, with ASCII letters in lower case."""
    return text.encode("utf-8", "surrogatepass").lower()


def without_dot(path):
    """A path without ./ at its start."""
    while len(path) > 2 and path.startswith(b"./"):
        path = path[2:]
    return path


def has_word(text, word):
    """Whether a text has a word, not as part of another one."""
    left = b"(?<![%s])" % ALNUM if re.match(b"[%s]" % ALNUM, word) else b""
    right = b"(?![%s])" % ALNUM if re.search(b"[%s]$" % ALNUM, word[-1:]) else b""
    return re.search(left + re.escape(word) + right, text) is not None


def folded_words(text):
    """The folded words of a text: its tokens, or the parts of those that have several."""
    text = Text(text)
    for word in text.words:
        token = text.plain[word.begin:word.end]
        for part in parts_of(token) or [token]:
            yield folded_word(part[:-1] if is_plural_of_capitals(part) else part)


QUOTATION_MARKS = [tuple(map(str.encode, pair)) for pair in ('""', "''", "``", "\u201c\u201d", "\u2018\u2019", "\xab\xbb")]
SEPARATED = re.compile(b"[0-9A-Za-z]{2}(?:_+|::|[-./])[0-9A-Za-z]{2}")


def squeezed(text):
    """A text with single spaces, and none at its ends."""
    return b" ".join(text.split())


def quoted_at(text, at):
    """(phrase, place after it) of a quotation that begins at a place, or None."""
    for opens, closes in QUOTATION_MARKS:
        if not text.startswith(opens, at) or len(opens) == 1 and re.match(b"[%s]" % WORD, text[max(at - 1, 0):at]):
            continue
        begin = end = at + len(opens)
        while True:
            end = text.find(closes, end, begin + MAX_SUBJECT + len(closes))
            if end < 0:
                break
            if len(closes) > 1 or not re.match(b"[%s]" % WORD, text[end + 1:end + 2]):
                phrase = squeezed(text[begin:end])
                return (phrase, end + len(closes)) if phrase else None
            end += 1
    return None


def quoted_phrases(text):
    """The phrases that a question quotes."""
    found, at = set(), 0
    while at < len(text):
        quote = quoted_at(text, at)
        if quote:
            found.add(quote[0])
        at = quote[1] if quote else at + 1
    return found


def is_identifier_like(name):
    """Whether a word looks like a name in a program."""
    if len(name) > MAX_SUBJECT or not name.isascii() or not re.search(b"[A-Za-z]", name):
        return False
    return bool(SEPARATED.search(name)) or any(parts_of(run) for run in re.findall("[0-9A-Za-z]+", name.decode()))


def subject_items(question, rules, form):
    """The items that make the subject of a question; None if it quotes or names exactly one thing."""
    text = question.encode("utf-8", "surrogatepass")
    found = quoted_phrases(text) or {name for name in (AROUND_NAME.sub(b"", one) for one in NAME.findall(text))
                                     if is_identifier_like(name)}
    if len(found) == 1:
        return None
    items, size = [], 0
    for item in sorted(TextReading(question, rules).question_items() - form):
        length = len(item.encode("utf-8", "surrogatepass")) + (size > 0)
        if size + length <= MAX_SUBJECT:
            items.append(item)
            size += length
    return items


class Goal:
    """The goal of an investigation, by the rules quality/`number`, and the rules of reading if the document has any."""

    def __init__(self, investigation, number, reading, form):
        self.intent = text_in(investigation, "intent")
        question, subject = text_in(investigation, "question"), text_in(investigation, "subject")
        need(len(subject.encode("utf-8", "surrogatepass")) <= MAX_SUBJECT, "the subject is too long")
        self.subject, self.reading = re.sub("[ \t-\r]+", " ", subject).strip(" "), reading
        items = subject_items(question, reading, form) if reading and self.subject and number >= QUALITY_RULES else None
        self.items = items if items is not None and " ".join(items) == self.subject else None
        self.words = set(folded_words(self.subject)) if number >= QUALITY_RULES else set()
        self.written = folded(subject).split()
        self.names = {without_dot(AROUND_NAME.sub(b"", found)) for found in NAME.findall(folded(question))} - {b""}
        self.names.add(folded(subject))
        self.asks_identifier = IDENTIFIER.fullmatch(
            question if self.items is not None else subject or question) is not None

    def is_in(self, query, target):
        """Whether the query of a search, which found the target, names the subject."""
        if self.items is not None:
            in_query, in_target = self.items_in(query), self.items_in(target)
            least = min(len(self.items), 2)
            return len(in_query) >= least and len(in_query | in_target) >= max(least, len(self.items) - 1)
        if self.words:
            return self.words <= set(folded_words(query))
        text = folded(query)
        return all(has_word(text, word) for word in self.written)

    def items_in(self, text):
        """The items of the subject in a text; a long word may be the beginning of an item, or an item its beginning."""
        has = TextReading(text, self.reading).has
        long = {word for word in folded_words(text) if len(word) >= 4}
        return {item for item in self.items
                if item in has or any(item.startswith(word) or word.startswith(item) for word in long)}

    def names_path(self, path):
        """Whether the question names a path, or the end of it."""
        path = without_dot(folded(path))
        while path and path not in self.names:
            path = path.partition(b"/")[2]
        return bool(path)
