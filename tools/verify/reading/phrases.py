"""Phrases of some lists in a text: doc/spec/reading.md §2.5."""

import collections

from verify.reading.tokens import Text

Found = collections.namedtuple("Found", "label entry first last")


def words_of(entry):
    """The words of an entry of a list."""
    return tuple(word.text for word in Text(entry).words)


class Phrases:
    """Phrases of some lists, each with a label."""

    def __init__(self, pairs):
        self.by_first = {}
        for label, entry in pairs:
            words = words_of(entry)
            if words:
                self.by_first.setdefault(words[0], []).append((words, label, entry))
        for same in self.by_first.values():
            same.sort(key=lambda one: -len(one[0]))

    def at(self, text, i):
        """The phrases that begin at a word and end in its clause, the longest first."""
        words = text.words
        for phrase, label, entry in self.by_first.get(words[i].text, ()):
            last = i + len(phrase)
            if last <= len(words) and words[last - 1].clause == words[i].clause and \
                    all(words[i + k].text == phrase[k] for k in range(1, len(phrase))):
                yield Found(label, entry, i, last)

    def competing(self, text):
        """The phrases found from left to right: the longest at a word wins and consumes its words."""
        i, out = 0, []
        while i < len(text.words):
            found = next(self.at(text, i), None)
            if found:
                out.append(found)
            i = found.last if found else i + 1
        return out

    def all(self, text):
        """All phrases found, also overlapping ones."""
        return [found for i in range(len(text.words)) for found in self.at(text, i)]
