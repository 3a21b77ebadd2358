"""The rules of evidence quality in a document: doc/spec/quality.md §4 and §5."""

import collections

from verify.df_verify_1.report import need
from verify.answer_eval.check import QUALITIES
from verify.reading.characters import folded_word
from verify.reading.tokens import Text
from verify.reading.stem import stem_of

# Words of a question that only say what kind of thing is sought; for rules without `question_form`.
QUESTION_FORM = """where find file function class code defined implemented located used called handled work works test tests line
module search explain show describe codebase repository project"""


class Rules:
    """The rules of evidence quality in a document, parsed."""

    def __init__(self, document):
        self.classes = self.array(document, "classes")
        self.number = {}
        for i, one in enumerate(self.classes):
            self.number.setdefault(self.text(one, "class"), i)
            self.bad("relevance" not in one or one["relevance"] in ("query", "target"), "relevance")
        self.family = {}
        for one in self.array(document, "tools"):
            name = self.text(one, "tool")
            self.family.setdefault(name, self.text(one, "family"))
        self.authorities = []
        for one in self.array(document, "authorities"):
            rule = self.text(one, "tool"), self.class_of(one, "class"), self.quality(one, "quality")
            self.bad(isinstance(one.get("observation"), dict), "observation")
            self.authorities.append((*rule, one["observation"]))
        self.compatibilities = []
        for one in self.array(document, "compatibilities") if self.classes else []:
            self.compatibilities.append(Compatibility(
                self.class_of(one, "class"), self.class_of(one, "with"), self.quality(one, "quality"),
                self.quality(one, "with_quality"), self.flag(one, "same_target"), self.flag(one, "same_tool")))
        self.intents = {}
        for one in self.array(document, "intents"):
            name, needs = self.text(one, "intent"), {}
            for want in self.array(one, "requires"):
                needs[self.class_of(want, "class")] = self.quality(want, "quality")
            self.intents.setdefault(name, needs)
        words = self.array(document, "question_form") if "question_form" in document else QUESTION_FORM.split()
        self.bad(all(isinstance(word, str) for word in words), "question_form")
        self.question_form = stems_of_form(words)

    @staticmethod
    def bad(good, key):
        """Refuse the rules over a member unless it is `good`."""
        need(good, "the rules are malformed: %s" % key)

    def text(self, one, key):
        """A name."""
        self.bad(isinstance(one, dict) and isinstance(one.get(key), str), key)
        return one[key]

    def array(self, one, key):
        """An array."""
        self.bad(isinstance(one, dict) and isinstance(one.get(key), list), key)
        return one[key]

    def flag(self, one, key):
        """A boolean."""
        self.bad(isinstance(one, dict) and isinstance(one.get(key), bool), key)
        return one[key]

    def quality(self, one, key):
        """The index of a quality."""
        word = self.text(one, key)
        self.bad(word in QUALITIES, key)
        return QUALITIES.index(word)

    def class_of(self, one, key):
        """The number of a class."""
        name = self.text(one, key)
        self.bad(name in self.number, key)
        return self.number[name]

    def relevance(self, cls):
        """What an entry of a class must name to be more than Weak ("query" or "target"), or None."""
        return self.classes[cls].get("relevance") if cls >= 0 else None

    def tool(self, cls, key):
        """The tool under a key of a class, or ""."""
        value = self.classes[cls].get(key)
        return value if isinstance(value, str) else ""


Compatibility = collections.namedtuple("Compatibility", "cls with_cls quality with_quality same_target same_tool")


def stems_of_form(words):
    """The stems of the words of `question_form`."""
    return {stem_of(folded_word(Text(word).plain)) for word in words}
