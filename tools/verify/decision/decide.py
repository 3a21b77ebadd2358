"""Makes the decision: doc/spec/decision.md §5 and §7. Names the pairs for judges: doc/spec/judgement.md §2."""

import fractions
import functools
import itertools

from verify.df_verify_1.report import need
from verify.reading.tokens import cut_out, Text
from verify.reading.text_score import best_of, Question
from verify.decision.chunk import DAY, number, retrieval_quality, rounded
from verify.decision.risk import ambiguity_of, risk_of
from verify.decision.decision_settings import (
    ABSTAIN, ANSWER, BLOCK, CAVEATS, CLARIFY, CLOSEST_CAVEAT, contradiction, cut, JUDGED_KINDS, NOT_SAID, OUTDATED,
    SOURCE_SAYS, stale_caveat, TOO_LITTLE, UNCHECKED, UNCHECKED_CAVEAT, UNVERIFIED, WEAK_SUPPORT)
from verify.judgement.judgements import Judgements, Pair, pair_digest
from verify.judgement.sentences import (
    Check, CONTRADICTED_STATUS, INSUFFICIENT, MISQUOTED, NOT_JUDGED, QUOTED, SUPPORTED, UNSUPPORTED)
from verify.decision.conflict import (
    compare_facts, compare_texts, conflicts_of, entry_by_rules, entry_of, Reading, shown_entry)

NEWEST = {"current", "currently", "latest", "newest", "now", "today"}
NEAR, NEXT_QUOTE = fractions.Fraction(70, 100), fractions.Fraction(75, 100)
MOST_QUOTES = 3
BAD_STATUSES = (MISQUOTED, CONTRADICTED_STATUS, UNSUPPORTED)


def in_order(chunks):
    """Chunks by score, then by id."""
    return sorted(chunks, key=lambda chunk: (-chunk.score, chunk.chunk_id))


class Decision:
    """Decides whether a query is answered from its chunks. Without a clock nothing is stale or in the future."""

    def __init__(self, query, chunks, citations, answer, settings, now, rules, judgements, recorded=False, keeps_order=False):
        need(rules.reading is not None, "the rules are malformed")
        self.keeps_order = keeps_order
        self.query, self.chunks, self.settings, self.now, self.rules = query, chunks, settings, now, rules
        self.text, self.question = Text(query), None
        self.judged = Judgements(judgements, settings, recorded)
        self.risk = risk_of(self.text, rules)
        self.least, self.days = settings.thresholds(self.risk["risk_level"])
        self.readings, self.pairs_of = {}, {}
        self.needed, self.passages = {}, {}
        self.check = None if citations is None and answer is None else Check(citations, chunks, answer, rules, query)
        self.failed = self.check is not None and bool(self.check.errors)
        self.removed, self.quotes, self.stale, self.used, self.entries, self.compared = {}, [], [], [], [], 0
        self.passages_judged, self.answering, self.explain = False, {}, []
        if not self.failed:
            self.judge_answer()
            while self.look():
                pass

    # what was given

    def has_answer(self):
        """Whether an answer was proposed that is not blank."""
        return self.check is not None and self.check.is_given

    def need_pair(self, kind, a, b, chunk_ids, sentence=None):
        """Note that a pair must be judged; returns its digest."""
        pair = pair_digest(kind, a, b)
        known = self.needed.get((kind, pair))
        if known:
            known.chunk_ids.extend(one for one in chunk_ids if one not in known.chunk_ids)
        else:
            self.needed[kind, pair] = Pair(kind, pair, a, b, sentence, list(chunk_ids))
        return pair

    def judge_answer(self):
        """Apply the judges' verdicts on the sentences of the answer."""
        for i, one in enumerate(self.check.sentences if self.check else ()):
            if one.status not in (NOT_JUDGED, QUOTED):
                continue
            words = len(one.sentence.places) if one.sentence else 0
            a = one.text if words >= 3 else self.query + " " + one.text
            b = "\n\n".join(chunk.passage for chunk in one.counting if chunk.passage)
            if not self.settings.judges["entailment"]:
                continue
            pair = self.pairs_of[i] = self.need_pair("entailment", a, b, [chunk.chunk_id for chunk in one.counting], i)
            self.check.take_verdict(one, self.judged.verdict("entailment", pair))

    # one pass

    def look(self):
        """Choose and compare among the chunks that are not superseded; returns whether more are superseded now."""
        rest = [chunk for chunk in self.chunks if chunk.chunk_id not in self.removed]
        self.judge_passages(rest)
        self.stale, self.quotes = [], []
        if self.check is None:
            self.quotes = self.leave_stale_out(self.choose_quotes(rest))
            self.used = self.quotes
        elif self.has_answer():
            used = {chunk.chunk_id for one in self.check.sentences for chunk in one.uses}
            self.used = [chunk for chunk in self.check.cited if chunk.chunk_id in used and chunk in rest]
        else:
            self.used = [chunk for chunk in self.check.cited if chunk in rest]
        return self.compare(rest)

    def ranked(self, rest):
        """Chunks by score, then by id; a fused search keeps its own order."""
        return list(rest) if self.keeps_order else in_order(rest)

    def judge_passages(self, rest):
        """Apply the judges' verdicts on the first passages."""
        verdicts, self.answering = [], {}
        for chunk in self.ranked(rest)[:self.settings.judge_passages]:
            if not self.settings.judges["answers"]:
                self.passages[chunk.chunk_id] = None
                continue
            pair = self.need_pair("answers", self.query, chunk.passage, [chunk.chunk_id])
            verdict = self.passages[chunk.chunk_id] = self.judged.verdict("answers", pair)
            verdicts.append(verdict)
            if verdict == "answers":
                self.answering[chunk.chunk_id] = self.judged.score("answers", pair)
        self.passages_judged = bool(verdicts) and None not in verdicts

    def choose_quotes(self, rest):
        """The chunks that are quoted."""
        if self.passages_judged:
            able = [chunk for chunk in self.ranked(rest) if self.answering.get(chunk.chunk_id, -1) >= self.least]
            return sorted(able, key=lambda chunk: -self.answering[chunk.chunk_id])[:MOST_QUOTES]
        able = self.ranked(chunk for chunk in rest if chunk.score >= self.settings.shares["floor"])
        return [chunk for chunk in able if chunk.score >= NEXT_QUOTE * able[0].score][:MOST_QUOTES]

    def is_stale(self, chunk):
        """Whether a chunk is too old."""
        return self.now is not None and self.days > 0 and (
            chunk.instant is None or chunk.instant < self.now - self.days * DAY)

    def leave_stale_out(self, quotes):
        """The quotes without the stale ones; all of them at low risk, or if none is fresh."""
        fresh = [chunk for chunk in quotes if not self.is_stale(chunk)]
        if self.risk["risk_level"] == "low" or not fresh:
            return quotes
        self.stale = [chunk.chunk_id for chunk in quotes if chunk not in fresh]
        return fresh

    def reading_of(self, chunk):
        """The Reading of a chunk."""
        if chunk.chunk_id not in self.readings:
            self.readings[chunk.chunk_id] = Reading(chunk, self.rules)
        return self.readings[chunk.chunk_id]

    def compare(self, rest):
        """Find the conflicts; returns whether they supersede chunks."""
        greatest = max((chunk.score for chunk in rest), default=0)
        near = [chunk for chunk in rest if self.used and (chunk in self.used or chunk.score >= NEAR * greatest)]
        self.entries, self.compared, gone = [], len(near), {}
        for a, b in itertools.combinations(near, 2):
            if a.doc_id == b.doc_id or a not in self.used and b not in self.used:
                continue
            found = self.entry(a, b)
            if found:
                self.entries.append(found)
                older, newer = self.superseded(a, b)
                if older:
                    gone.setdefault(older.chunk_id, newer.chunk_id)
        self.removed.update(gone)
        return bool(gone)

    def entry(self, a, b):
        """The entry for a pair of chunks in conflict, or None."""
        left, right = self.reading_of(a), self.reading_of(b)
        if not self.settings.judges["conflict"]:
            return entry_by_rules(left, right)
        found = compare_facts(left, right)
        if found:
            return shown_entry(a, b, found)
        pair = self.need_pair("conflict", *sorted((a.passage, b.passage)), [a.chunk_id, b.chunk_id])
        verdict = self.judged.verdict("conflict", pair)
        if verdict is None:
            found = compare_texts(left, right)
            return found and shown_entry(a, b, found)
        if verdict != "contradicts":
            return None
        name = self.judged.against("conflict", pair)
        return entry_of(a, b, name, "judged by " + name, "policy", cut_out(a.written, 0, 100), cut_out(b.written, 0, 100))

    def superseded(self, a, b):
        """(older, newer) of two chunks in conflict if the newer supersedes the older; else (None, None)."""
        mode = self.settings.values["supersede"]
        asked = mode == "always" or mode == "asked" and any(word.text in NEWEST for word in self.text.words)
        if not asked or None in (a.instant, b.instant) or a.instant == b.instant or \
                self.now is not None and max(a.instant, b.instant) > self.now:
            return None, None
        older, newer = (a, b) if a.instant < b.instant else (b, a)
        held = self.check is not None and any(older in one.counts for one in self.check.sentences)
        return (None, None) if held else (older, newer)

    # what comes of it

    def pending(self, with_texts=False):
        """The pairs that are still to be judged."""
        out = []
        for kind in JUDGED_KINDS:
            for one in self.needed.values():
                if one.kind == kind and self.judged.is_pending(kind, one.pair):
                    shown = {"kind": kind, "pair": one.pair, "chunk_ids": one.chunk_ids}
                    if with_texts:
                        shown.update(a=one.a, b=one.b)
                    if one.sentence is not None:
                        shown["sentence"] = number(one.sentence)
                    out.append(shown)
        return out

    def lacks_judgement(self):
        """Whether a pair that judges of the configuration should judge has no verdict."""
        return any(self.judged.verdict(*key) is None for key in self.needed)

    @functools.cached_property
    def confidence(self):
        """How sure the judges are that a used passage answers, or None."""
        if not self.passages_judged:
            return None
        return max((self.answering[chunk.chunk_id] for chunk in self.used if chunk.chunk_id in self.answering),
                   default=None)

    def quote(self, chunk):
        """The part of a chunk that is quoted."""
        reading, title = chunk.read_by(self.rules.reading)
        if len(chunk.written) <= self.rules.reading.quote_whole or not reading.sentences:
            return chunk.written
        if self.question is None:
            self.question = Question(self.query, self.rules.reading)
        _, best = best_of(self.question, reading, title)
        sentences = reading.sentences
        more = best + 1 < len(sentences) and sentences[best].text.endswith(":")
        return reading.text.part(sentences[best].span.begin, sentences[best + more].span.end)

    def result(self):
        """The result of answer_decide."""
        quality = retrieval_quality(self.chunks, self.days, 0 if self.now is None else self.now)
        decision, reasons, message = self.outcome()
        return {
            "decision": decision, "reasons": reasons, "user_message": message, "risk": self.risk,
            "retrieval_quality": quality, "conflicts": conflicts_of(self.entries, self.compared),
            "validation": None if self.check is None else self.check.result(),
            "quotes": [{"chunk_id": chunk.chunk_id, "text": self.quote(chunk)} for chunk in self.quotes],
            "superseded": [{"chunk_id": one, "by": by} for one, by in self.removed.items()],
            "stale": self.stale, "to_judge": self.pending(),
            "thresholds": {"conf_max": self.settings.shown(self.risk["risk_level"]), "freshness_days": number(self.days),
                           "min_chunks": number(self.settings.min_chunks), "floor": self.settings.as_given("floor")},
            "signals": {"retrieval_confidence_max": quality["confidence"]["max"],
                        "retrieval_hit_count": quality["confidence"]["hit_count"],
                        "freshness_violation": any(map(self.is_stale, self.used)),
                        "answer_confidence": None if self.confidence is None else rounded(self.confidence)}}

    def statuses(self):
        """The statuses of the sentences of an answer."""
        return [one.status for one in self.check.sentences] if self.check else []

    def outcome(self):
        """(decision, reasons, message) of the first rule that applies."""
        if self.failed:
            return BLOCK, ["invalid_citations"], UNVERIFIED
        statuses, risk = self.statuses(), self.risk["risk_level"]
        bad = [one for one in BAD_STATUSES if one in statuses]
        if bad:
            return BLOCK, bad, NOT_SAID + self.what_is_said()
        if self.entries:
            return ABSTAIN, ["conflict_detected", self.entries[0]["conflict_type"]], contradiction(
                self.entries[0], self.chunks)
        if statuses and set(statuses) == {INSUFFICIENT}:
            return ABSTAIN, ["answer_abstains"], TOO_LITTLE
        if self.settings.values["judge"] == "required" and (
                NOT_JUDGED in statuses or self.lacks_judgement() or
                not self.has_answer() and None in self.passages.values()):
            return ABSTAIN, ["not_judged"], UNCHECKED
        low, few = self.low_confidence(risk), self.few_hits()
        if low or few:
            return ABSTAIN, low + few, TOO_LITTLE
        if risk != "low" and any(map(self.is_stale, self.used)):
            self.explain_age()
            return ABSTAIN, ["stale_documents"], OUTDATED
        question = ambiguity_of(self.text, self.rules)
        if question is not None:
            return CLARIFY, ["ambiguous_query"], question
        caveats = list(self.caveats(statuses))
        if caveats:
            return CAVEATS, [reason for reason, _ in caveats], " ".join(text for _, text in caveats)
        return ANSWER, [], None

    def what_is_said(self):
        """The source's own words for the first sentence that it contradicts."""
        for one in self.check.sentences:
            if one.status == CONTRADICTED_STATUS:
                chunk, text = one.source
                return SOURCE_SAYS % (chunk.doc_id, cut(text))
        return ""

    @property
    def similarity(self):
        """The greatest similarity of the chunks that are used."""
        return max((chunk.score for chunk in self.used), default=0)

    def most_similar(self):
        """The similarity to report: if nothing is used, the greatest below the floor of what was found."""
        if self.used:
            return self.similarity
        most = max((chunk.score for chunk in self.chunks if chunk.chunk_id not in self.removed), default=0)
        return most if most < self.settings.shares["floor"] else self.similarity

    def measured(self, reason, value, threshold, key):
        """A reason as a list; notes the numbers behind it."""
        self.explain.append({"reason": reason, "value": value, "threshold": threshold, "key": key})
        return [reason]

    def low_confidence(self, risk):
        """The reason if the confidence is too low, as a list."""
        key = "confidence_threshold_high_risk" if risk == "high" else "confidence_threshold"
        least = self.settings.shown(risk)
        if self.passages_judged:
            if self.confidence is None:
                return self.measured("no_passage_answers", None, least, key)
            return self.measured("low_retrieval_confidence", rounded(self.confidence), least, key) \
                if self.confidence < self.least else []
        if self.similarity < self.settings.shares["floor"]:
            return self.measured("low_retrieval_confidence", rounded(self.most_similar()), self.settings.as_given("floor"), "floor")
        if risk != "high" or self.similarity >= self.least:
            return []
        return self.measured("low_retrieval_confidence", rounded(self.similarity), least, key)

    def few_hits(self):
        """The reason if too few chunks were found, as a list."""
        if len(self.chunks) >= self.settings.min_chunks or self.confidence is not None:
            return []
        return self.measured("insufficient_retrieval_hits", number(len(self.chunks)),
                             number(self.settings.min_chunks), "min_chunks")

    def explain_age(self):
        """Note the age in whole days of the oldest stale chunk that is used; null if none has a date."""
        oldest = min((chunk.instant for chunk in self.used if self.is_stale(chunk) and chunk.instant is not None), default=None)
        high = self.risk["risk_level"] == "high" and self.days == self.settings.freshness_days_high_risk
        self.measured("stale_documents", None if oldest is None else number((self.now - oldest) // DAY),
                      number(self.days), "freshness_days_high_risk" if high else "freshness_days")

    def caveats(self, statuses):
        """(reason, text) of each caveat of an answer."""
        answered = self.has_answer()
        if answered and (NOT_JUDGED in statuses or not {QUOTED, SUPPORTED} & set(statuses)) or self.lacks_judgement() or \
                self.settings.values["unjudged_passages"] == "caveat" and not any(self.passages.values()):
            yield "not_judged", UNCHECKED_CAVEAT
        if not self.passages_judged and self.similarity < self.least:
            high = self.risk["risk_level"] == "high"
            self.measured("low_retrieval_confidence", rounded(self.similarity), self.settings.shown(self.risk["risk_level"]),
                          "confidence_threshold_high_risk" if high else "confidence_threshold")
            yield "low_retrieval_confidence", CLOSEST_CAVEAT
        if self.settings.caveats:
            old = [chunk for chunk in self.used if self.is_stale(chunk)]
            if old:
                self.explain_age()
                yield "stale_documents", stale_caveat(old)
            if NOT_JUDGED in statuses and self.check.result()["warnings"]:
                yield "weak_citation_support", WEAK_SUPPORT


def decide(query, chunks, citations, answer, settings, now, rules, judgements=None, recorded=False):
    """Decide on a query and its chunks, as answer_decide does."""
    return Decision(query, chunks, citations, answer, settings, now, rules, judgements, recorded).result()


def judge_pairs(query, chunks, citations, answer, settings, rules, judgements=None):
    """The pairs that a decision still needs judged, as answer_judge_pairs returns them."""
    return Decision(query, chunks, citations, answer, settings, None, rules, judgements).pending(True)
