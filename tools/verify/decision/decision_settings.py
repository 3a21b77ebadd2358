"""The configuration and the fixed messages of decisions: doc/spec/decision.md §6."""

import fractions

from verify.document.json_text import Num
from verify.document.members import is_texts
from verify.document.portable_number import count_of, plain_text
from verify.document.canonical import without
from verify.df_verify_1.report import need
from verify.decision.chunk import fraction_of

BLOCK, ABSTAIN, CLARIFY, CAVEATS, ANSWER = "BLOCK", "ABSTAIN", "CLARIFY", "ANSWER_WITH_CAVEATS", "ANSWER"
UNVERIFIED = ("I can't provide a cited answer because the citations couldn't be verified against the retrieved "
              "documents.")
CONTRADICTED = ("I can't answer definitively because the retrieved sources conflict. Source A (%s) says: %s While "
                "Source B (%s) says: %s Please confirm the authoritative policy or escalate to an owner.")
TOO_LITTLE = "I don't have enough reliable evidence in the retrieved documents to answer this safely."
OUTDATED = "The retrieved sources appear outdated, so I can't answer confidently."
NOT_SAID = "I can't provide this answer because the retrieved documents do not say it."
SOURCE_SAYS = " Source (%s) says: %s"
UNCHECKED = "I can't answer because nobody has checked that the retrieved documents say so."
UNCHECKED_CAVEAT = "Nobody has checked that the cited documents say this."
CLOSEST_CAVEAT = "These are the closest passages; they may not answer the question."
STALE_CAVEAT = "The oldest source (%s) is from %s."
WEAK_SUPPORT = "The cited documents share no words with the answer."
CONFIG_1 = {"top_k": Num("5"), "freshness_days": Num("90"), "freshness_days_high_risk": Num("30"),
            "confidence_threshold": Num("0.6"), "confidence_threshold_high_risk": Num("0.7"), "min_chunks": Num("2"),
            "conflict_min_similarity": Num("0.4"), "caveats": False, "rerank": "none", "freshness_bias": Num("0"),
            "citation_threshold": Num("0.95"), "contradiction_tolerance": Num("0.3"), "cache_ttl_s": Num("0")}
CONFIG = {**without(CONFIG_1, "conflict_min_similarity"), "min_confidence": Num("0.9"), "floor": Num("0.2"),
          "caveats": True, "unjudged_passages": "plain", "judge": "optional", "judge_entailment": None,
          "judge_answers": None, "judge_conflict": None, "judge_passages": Num("5"), "support_min": Num("0.5"),
          "contradict_min": Num("0.5"), "supersede": "asked"}
CHOICES = {"rerank": ("none", "freshness"), "unjudged_passages": ("plain", "caveat"), "judge": ("optional", "required"),
           "supersede": ("never", "asked", "always")}
JUDGED_KINDS = ("answers", "entailment", "conflict")


class Settings:
    """A checked configuration of decisions."""

    def __init__(self, config, as_portable=False):
        # the configuration of decision/1
        known = CONFIG_1 if "conflict_min_similarity" in config and set(config) == set(CONFIG_1) else CONFIG
        self.values = {**known, **config}
        self.as_portable = as_portable
        need(set(self.values) == set(known), "the config is malformed")
        self.top_k, self.min_chunks = self.count("top_k", 1, 50), self.count("min_chunks", 0, MAX_COUNT)
        self.freshness_days = self.count("freshness_days", 0, MAX_COUNT)
        self.freshness_days_high_risk = self.count("freshness_days_high_risk", 0, MAX_COUNT)
        self.cache_ttl_s = self.count("cache_ttl_s", 0, MAX_COUNT)
        self.shares = {key: self.share(key) for key, value in known.items() if isinstance(value, Num) and key not in (
            "top_k", "min_chunks", "freshness_days", "freshness_days_high_risk", "cache_ttl_s", "judge_passages")}
        need(isinstance(self.values["caveats"], bool), "the config is malformed")
        need(all(self.values[key] in words for key, words in CHOICES.items() if key in known), "the config is malformed")
        self.caveats = self.values["caveats"]
        if known is CONFIG:
            need(self.shares["min_confidence"] >= fractions.Fraction(8, 10), "the config is malformed")
            self.judge_passages = self.count("judge_passages", 1, 50)
            self.judges = {kind: self.panel("judge_" + kind) for kind in JUDGED_KINDS}

    def count(self, key, least, most):
        """An integer within bounds."""
        found = count_of(self.values[key])
        need(found is not None and least <= found <= most, "the config is malformed")
        return found

    def share(self, key):
        """A number from 0 to 1."""
        found = fraction_of(self.values[key], self.as_portable)
        need(found is not None and 0 <= found <= 1, "the config is malformed")
        return found

    def panel(self, key):
        """The names of the judges under a key."""
        found = self.values[key]
        found = [] if found is None else [found] if isinstance(found, str) else found
        need(is_texts(found) and all(found) and len(set(found)) == len(found), "the config is malformed")
        need(found or self.values[key] is None, "the config is malformed")
        return found

    def as_given(self, key):
        """A number in portable form, without rounding."""
        value = self.values[key]
        return value if isinstance(value, str) else Num(plain_text(value.text))

    def shown(self, risk_level):
        """The least confidence at a level of risk, without rounding."""
        return self.as_given("confidence_threshold_high_risk" if risk_level == "high" else "confidence_threshold")

    def thresholds(self, risk_level):
        """(least confidence, days of freshness) at a level of risk."""
        if risk_level != "high":
            return self.shares["confidence_threshold"], self.freshness_days
        days = self.freshness_days, self.freshness_days_high_risk
        return self.shares["confidence_threshold_high_risk"], min((n for n in days if n), default=0)


MAX_COUNT = 2 ** 31 - 1


def cut(text):
    """The first 150 characters of a text."""
    return text if len(text) <= 150 else text[:150] + "..."


def stale_caveat(chunks):
    """The caveat of an answer from old sources."""
    dated = [chunk for chunk in chunks if chunk.instant is not None]
    oldest = min(dated, key=lambda chunk: chunk.instant, default=None)
    if oldest is None:
        return "The oldest source (%s) has no date." % chunks[0].doc_id
    return STALE_CAVEAT % (oldest.doc_id, oldest.timestamp[:10])


def contradiction(pair, chunks):
    """The message about two sources that contradict each other."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    a, b = by_id[pair["chunk_a"]["chunk_id"]], by_id[pair["chunk_b"]["chunk_id"]]
    return CONTRADICTED % (a.doc_id, cut(a.written), b.doc_id, cut(b.written))
