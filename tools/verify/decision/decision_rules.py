"""The rules document, with all lists for decisions: doc/spec/decision.md §1."""

from verify.document.portable_number import count_of
from verify.df_verify_1.report import need
from verify.reading.phrases import Phrases, words_of
from verify.reading.text import ReadingRules

GROUPS = (("allow", "prohibit"), ("refund_allowed", "refund_refused"), ("encrypt", "plaintext"))
LISTS = ("allow", "prohibit", "refund_allowed", "refund_refused", "encrypt", "plaintext", "negators", "not_negating",
         "encryption_waived", "exceptions", "stop_words", "insufficiency", "months")
ROW_PHRASES = ("opens", "holds", "unless")
ROW_FLAGS = ("unless_topic", "unless_risk", "unless_month_or_year", "nothing_but_stop_words_beside",
             "nothing_but_stop_words_follow")
KEYWORD_LENGTH = 3


class DecisionRules:
    """A parsed rules document."""

    def __init__(self, document):
        self.good = lambda truth: need(truth, "the rules are malformed")
        names = {*LISTS, "topics", "units", "risk", "ambiguity"}
        # the rules of decision/1 have no member `reading`
        self.good(isinstance(document, dict) and set(document) - {"reading"} == names)
        self.lists = {name: self.texts(document[name]) for name in LISTS}
        self.topics = Phrases((self.topic(one), one["entry"]) for one in self.array(document["topics"]))
        self.quantities = {one["family"] for one in document["topics"] if one.get("kind") == "quantity"}
        units = document["units"]
        self.good(isinstance(units, dict))
        self.units = Phrases((unit, row) for unit in sorted(units) for row in self.texts(units[unit]))
        risk = document["risk"]
        self.good(isinstance(risk, dict) and set(risk) == {"high", "medium"})
        self.risk = Phrases((level, entry) for level in ("high", "medium") for entry in self.texts(risk[level]))
        self.rows = [self.row(one, document["ambiguity"]) for one in self.array(document["ambiguity"])]
        self.groups = {group: Phrases((name, entry) for name in group for entry in self.lists[name])
                       for group in GROUPS}
        self.alone = {name: Phrases((name, entry) for entry in self.lists[name]) for name in LISTS}
        self.stop_words = {word for words in map(words_of, self.lists["stop_words"]) for word in words}
        self.listed = {word for phrases in (*self.alone.values(), self.topics, self.units, self.risk, *(
            row[key] for row in self.rows for key in ROW_PHRASES if key in row))
            for same in phrases.by_first.values() for phrase, *_ in same for word in phrase}
        self.reading = ReadingRules(document["reading"], self) if "reading" in document else None

    def array(self, value):
        """An array of objects."""
        self.good(isinstance(value, list) and all(isinstance(one, dict) for one in value))
        return value

    def texts(self, value):
        """An array of texts."""
        self.good(isinstance(value, list) and all(isinstance(one, str) for one in value))
        return value

    def topic(self, one):
        """(family, kind or None) of a topic."""
        self.good({"entry", "family"} <= set(one) <= {"entry", "family", "kind"})
        self.good(all(isinstance(value, str) for value in one.values()))
        self.good(one.get("kind", "quantity") in ("quantity", "qualifier"))
        return one["family"], one.get("kind")

    def row(self, one, rows):
        """A row of the list `ambiguity`."""
        self.good({"question", "holds"} <= set(one) <= {"question", "or_after_opens_of", *ROW_PHRASES, *ROW_FLAGS})
        self.good(isinstance(one["question"], str) and all(isinstance(one[k], bool) for k in ROW_FLAGS if k in one))
        row = {**one, **{key: Phrases((key, entry) for entry in self.texts(one[key]))
                         for key in ROW_PHRASES if key in one}}
        if "or_after_opens_of" in one:
            index = count_of(one["or_after_opens_of"])
            self.good(index is not None and index < len(rows))
            row["or_after_opens_of"] = index
        return row

    def is_filler(self, word):
        """Whether a word carries no meaning in a query."""
        return word.text in self.stop_words or len(word.text) < KEYWORD_LENGTH

    def keywords(self, words):
        """The keywords of a text, which its sources should share."""
        return {word.text for word in words if len(word.text) >= KEYWORD_LENGTH and word.text not in self.stop_words}

    def further_keywords(self, words):
        """The keywords that are in no list of the rules."""
        return {word.text for word in words if len(word.text) >= KEYWORD_LENGTH and word.text not in self.listed
                and not word.text.isdecimal()}

    @staticmethod
    def is_month_may(text, i):
        """Whether a word is the month of May: capitalized and next to a number."""
        word = text.words[i]
        return word.text == "may" and text.plain[word.begin] == "M" and any(
            one.clause == word.clause and one.text.isdecimal() for one in (
                *text.words[max(i - 1, 0):i], *text.words[i + 1:i + 2]))


def reading_rules(document):
    """The rules for reading texts in a rules document."""
    rules = DecisionRules(document)
    rules.good(rules.reading is not None)
    return rules.reading
