"""Judgements and panels (judgement/1): doc/spec/judgement.md §1, §3 and §4."""

import collections

from verify.document.canonical import digest
from verify.document.small_text import digest_bytes
from verify.df_verify_1.report import need
from verify.reading.text_score import four_places
from verify.decision.chunk import fraction_of

RELATIONS = {"entailment": ("supports", "contradicts", "neutral", "no_claim"), "answers": ("answers", "does_not"),
             "conflict": ("contradicts", "neutral")}
AGAINST = ("contradicts", "does_not")

# A pair that a decision needs judged.
Pair = collections.namedtuple("Pair", "kind pair a b sentence chunk_ids")


def pair_digest(kind, a, b):
    """The digest that identifies a pair."""
    return digest({"kind": kind, "a": a, "b": b})


class Judgements:
    """The judgements of a configuration's judges."""

    def __init__(self, value, settings, recorded=False, is_exact=False):
        self.settings, self.said, self.kinds = settings, {}, {}
        value = [] if value is None else value
        need(isinstance(value, list), "judgements is malformed")
        names = {name for panel in settings.judges.values() for name in panel}
        for one in value:
            need(isinstance(one, dict) and {"pair", "relation", "score", "judge"} <= set(one), "judgements is malformed")
            score, key = fraction_of(one["score"], recorded), (one["pair"], one["judge"])
            need(isinstance(one["pair"], str) and digest_bytes(one["pair"]) is not None and isinstance(one["judge"], str)
                 and score is not None and 0 <= score <= 1, "judgements is malformed")
            kinds = [kind for kind, words in RELATIONS.items() if one["relation"] in words]
            need(kinds and (one.get("kind") is None or one["kind"] in kinds), "judgements is malformed")
            need(one["judge"] in names and key not in self.said, "judgements is malformed")
            self.said[key] = one["relation"], score if is_exact else four_places(score)
            self.kinds[one["pair"]] = one.get("kind")

    def of(self, kind, pair):
        """[(name, relation, score) or None], one for each judge of the panel of a kind."""
        out = []
        for name in self.settings.judges[kind]:
            found = self.said.get((pair, name))
            need(found is None or found[0] in RELATIONS[kind], "judgements is malformed")
            out.append(found and (name, *found))
        return out

    def against(self, kind, pair):
        """The first judge that says no, or None."""
        least = self.settings.shares["contradict_min"]
        return next((one[0] for one in self.of(kind, pair) if one and one[1] in AGAINST and one[2] >= least), None)

    def is_pending(self, kind, pair):
        """Whether a judge still has to be asked."""
        return self.against(kind, pair) is None and None in self.of(kind, pair)

    def verdict(self, kind, pair):
        """The verdict of the panel; None if a judge is missing, or if they split between support and no claim."""
        said = self.of(kind, pair)
        if self.against(kind, pair) is not None:
            return "does_not" if kind == "answers" else "contradicts"
        if not said or None in said:
            return None
        for_it = [one[1] in ("supports", "answers") and one[2] >= self.settings.shares["support_min"] for one in said]
        if kind == "answers":
            return "answers" if all(for_it) else "does_not"
        silent = [one[1] == "no_claim" for one in said]
        if all(for_it) or all(silent):
            return "supports" if all(for_it) else "no_claim"
        return None if all(map(max, zip(for_it, silent))) else "neutral"

    def score(self, kind, pair):
        """How sure the panel is: the lowest score of its judges."""
        return min(one[2] for one in self.of(kind, pair))
