"""Conflicts between chunks: doc/spec/decision.md §4."""

import collections
import itertools
import re

from verify.document.json_text import Num
from verify.document.portable_number import plain_text, written
from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import folded_letter
from verify.reading.tokens import CURRENCY, cut_out, Figure, PERCENT, Text
from verify.reading.phrases import Found
from verify.reading.values import are_equal, shown_value
from verify.reading.text import is_number_title, TextReading
from verify.reading.near_copies import COPY_SENTENCES, OTHER_SIGN, SAME, slot, unlike_units, values_by_unit
from verify.decision.decision_rules import GROUPS
from verify.decision.chunk import Chunk, number, Passage

PLAINTEXT_OR_NOT = "store in plaintext vs must be encrypted / not plaintext"
# Words that turn an encrypt word after them into its opposite; `t` is that of n't.
TURNERS = {"not", "no", "without", "never", "t"}
BUILT_IN = ("encryption", "refund", "policy", "numeric", "copy", "fact")


class Reading:
    """What the rules of conflicts find in a chunk."""

    def __init__(self, chunk, rules):
        self.chunk, self.rules = chunk, rules
        self.read = chunk.read_by(rules.reading)[0] if rules.reading and isinstance(chunk, (Chunk, Passage)) else None
        self.text = text = self.read.text if self.read else chunk.text
        topics = rules.topics.all(text)
        self.families = {one.label[0] for one in topics}
        self.qualifiers = {one.label[0] for one in topics if one.label[1] == "qualifier"}
        self.topics_in = {}
        for one in topics:
            self.topics_in.setdefault(text.words[one.first].sentence, set()).add(one.label[0])
        self.policy, self.refund, self.encryption = (rules.groups[group].competing(text) for group in GROUPS)
        self.policy = [one for one in self.policy if not any(
            rules.is_month_may(text, i) for i in range(one.first, one.last))]
        spared = {i for one in rules.alone["not_negating"].competing(text) for i in range(one.first, one.last)}
        self.negations = [one for one in rules.alone["negators"].competing(text) if one.first not in spared
                          and not (self.read and is_number_title(text, one.first, rules.reading))]
        self.negations += [Found("negators", "n't", i, i + 1) for i in range(len(text.words)) if text.is_contraction(i)]
        self.forbidding = set(map(self.clause, (one for one in self.policy if one.label == "prohibit")))
        self.first_negation = {}
        for one in self.negations:
            self.first_negation[self.clause(one)] = min(one.first, self.first_negation.get(self.clause(one), one.first))
        waivers = rules.alone["encryption_waived"].competing(text)
        self.waiving = set(map(self.clause, waivers))
        self.turning, self.turners = self.read_turning(waivers)
        self.turned = {}  # {first word: what is_turned() returned for it}
        self.excepted = {text.words[one.first].sentence for one in rules.alone["exceptions"].competing(text)}
        self.figures = self.read_figures()

    def read_turning(self, waivers):
        """(count of turning words by clause, the single words that must come directly before an encrypt word)."""
        wholes = [*waivers, *(one for one in self.policy if one.label == "prohibit")]
        covered = {i for one in wholes for i in range(one.first, one.last)}
        count = collections.Counter(map(self.clause, wholes))
        count.update(self.clause(one) for one in self.negations if one.last - 1 not in covered)
        return count, {one.first for one in self.negations
                       if one.last - one.first == 1 and self.text.words[one.first].text in TURNERS}

    def read_figures(self):
        """The numbers that have a unit."""
        text, plain, out = self.text, self.text.plain, []
        for found, first, last in text.numbers:
            begin, end, unit = *found.span(), None
            before, after = CURRENCY.search(plain[max(begin - 2, 0):begin]), PERCENT.match(plain, end)
            if before:
                unit, begin = before[0][0], begin - len(before[0])
            elif after:
                unit, end = "%", end + len(after[0])
            elif last < len(text.words) and text.words[last].clause == text.words[first].clause:
                row = next(self.rules.units.at(text, last), None)
                if row:
                    unit, end = row.label, text.words[row.last - 1].end
            if unit is not None:
                whole, _, frac = found[0].replace(",", "").partition(".")
                out.append(Figure((whole.lstrip("0"), frac.rstrip("0")), unit, begin, end, first))
        return out

    def sentences_on(self, families):
        """The sentences with one of the topics."""
        return {sentence for sentence, held in self.topics_in.items() if held & families}

    def further_keywords(self, sentences):
        """The keywords of the sentences that are in no list of the rules."""
        return self.rules.further_keywords(
            self.text.words[i] for sentence in sentences for i in self.text.sentences[sentence])

    def sentence(self, found):
        """The sentence of a match."""
        return self.text.words[found.first].sentence

    def clause(self, found):
        """The clause of a match."""
        return self.text.words[found.first].clause

    def negated_before(self, found):
        """Whether there is a negation before a match in its clause."""
        return self.first_negation.get(self.clause(found), found.first) < found.first

    def snippet(self, places):
        """The text around several matches."""
        words = self.text.words
        return self.text.snippet(min(words[one.first].begin for one in places),
                                 max(words[one.last - 1].end for one in places))

    # rule 1

    def is_turned(self, found):
        """Whether exactly one word of its clause turns an encrypt word."""
        words, clause, i = self.text.words, self.clause(found), found.first - 1
        if self.turning[clause] != 1 or clause in self.waiving:
            return self.turning[clause] == 1
        while i >= 0 and words[i].clause == clause and i not in self.turners and self.rules.is_filler(words[i]):
            if i in self.turned:  # the words before were looked at already
                turned = self.turned[i]
                break
            i -= 1
        else:
            turned = i in self.turners and words[i].clause == clause
        self.turned[found.first] = turned
        return turned

    def forbids(self, found):
        """Whether the clause of a plaintext word forbids or negates it."""
        clause = self.clause(found)
        return clause in self.first_negation or clause in self.forbidding

    def encryption_stance(self, sentences):
        """("plaintext" or "encrypt", or None if the sentences do not agree, the words that say so)."""
        places = [one for one in self.encryption if self.sentence(one) in sentences]
        stances = {("encrypt" if self.forbids(one) else "plaintext") if one.label == "plaintext" else
                   ("plaintext" if self.is_turned(one) else "encrypt") for one in places}
        return stances.pop() if len(stances) == 1 else None, places

    # rules 2 and 3

    def refund_stance(self):
        """(whether refunds are allowed or refused, or None, the words that say so)."""
        places = [one for one in self.refund if self.sentence(one) not in self.excepted]
        stances = {one.label for one in places}
        return stances.pop() if len(stances) == 1 else None, places

    def policy_stance(self, sentences):
        """("allow" or "prohibit", or None if the sentences do not agree, the words that say so)."""
        places = [one for one in self.policy if self.sentence(one) in sentences - self.excepted]
        stances = {"prohibit" if one.label == "prohibit" or self.negated_before(one) else "allow" for one in places}
        return stances.pop() if len(stances) == 1 else None, places

    # rule 4

    def values(self, sentences):
        """{unit: numbers} of the sentences."""
        out = {}
        for one in self.figures:
            if self.text.words[one.first].sentence in sentences:
                out.setdefault(one.unit, []).append(one)
        return out


def share_keywords(a, b):
    """Whether two sets of keywords share at least half of the smaller one."""
    return bool(a & b) and 2 * len(a & b) >= min(len(a), len(b))


def size_of_value(figure):
    """A sort key for numbers that are kept as digits."""
    whole, frac = figure.value
    return len(whole), whole, frac


def compare_stances(a, b):
    """(kind, reason, snippet of a, snippet of b) of a contradiction by rules 1 to 4, or None."""
    shared = a.families & b.families
    if a.chunk.doc_id == b.chunk.doc_id or not shared or a.qualifiers != b.qualifiers:
        return None
    own, others = a.sentences_on(shared), b.sentences_on(shared)
    like = share_keywords(a.further_keywords(own), b.further_keywords(others))
    if like or shared != {"encryption"}:
        (one, places), (other, more) = a.encryption_stance(own), b.encryption_stance(others)
        if {one, other} == {"encrypt", "plaintext"}:
            return "encryption", PLAINTEXT_OR_NOT, a.snippet(places), b.snippet(more)
    (one, places), (other, more) = a.refund_stance(), b.refund_stance()
    if {one, other} == {"refund_allowed", "refund_refused"}:
        return "refund", "refundable vs non-refundable", a.snippet(places), b.snippet(more)
    (one, places), (other, more) = a.policy_stance(own), b.policy_stance(others)
    if like and {one, other} == {"allow", "prohibit"}:
        return "policy", "must_not vs may / allowed vs prohibited", a.snippet(places), b.snippet(more)
    return compare_values(a, b, own, others) if like or shared & a.rules.quantities else None


def compare_values(a, b, own, others):
    """A contradiction by rule 4, as compare_stances() returns it, or None."""
    values, more = a.values(own), b.values(others)
    for unit in sorted(set(values) & set(more)):
        if {one.value for one in values[unit]} & {one.value for one in more[unit]}:
            continue
        first, second = (min(found[unit], key=size_of_value) for found in (values, more))
        reason = "numeric conflict: %s vs %s %s" % (written("", *first.value), written("", *second.value), unit)
        return "numeric", reason, a.text.snippet(first.begin, first.end), b.text.snippet(second.begin, second.end)
    return None


def entry_of(a, b, kind, reason, conflict_type, left, right):
    """A conflict of two chunks as a report shows it."""
    return {"chunk_a": {"doc_id": a.doc_id, "chunk_id": a.chunk_id},
            "chunk_b": {"doc_id": b.doc_id, "chunk_id": b.chunk_id}, "reason": reason, "conflict_type": conflict_type,
            "kind": kind, "evidence_snippets": {"a": left, "b": right}}


COPIES = "same statement, another value: %s vs %s"
ONE_NEGATED = "same statement, one negated"


def compare_copies(a, b):
    """A contradiction by rule 5, two sentences that differ only in a value or a negation; or None."""
    left, right = (one.read.sentences[:COPY_SENTENCES] for one in (a, b))
    slots = {(i, k): found for i, one in enumerate(left) for k, other in enumerate(right)
             for found in [slot(one, other)] if found}
    same = [{key[side] for key, found in slots.items() if found == SAME} for side in (0, 1)]
    for i, k in sorted(slots):
        if i in same[0] or k in same[1]:
            continue
        one, other = left[i], right[k]
        if slots[i, k] == OTHER_SIGN:
            return "copy", ONE_NEGATED, negation_snippet(one), negation_snippet(other), "policy"
        unit = unlike_units(one, other)[0]
        values = [min(values_by_unit(each.values)[unit], key=lambda value: value.number) for each in (one, other)]
        return "copy", COPIES % tuple(map(shown_value, values)), *(
            each.text.snippet(value.begin, value.end) for each, value in zip((a, b), values)), "numeric"
    return None


def negation_snippet(sentence):
    """The text around the first negator of a sentence, or around the sentence if it has none."""
    text, words = sentence.reading.text, sentence.reading.words
    if not sentence.negations:
        return text.snippet(sentence.span.begin, sentence.span.end)
    first, last = sentence.negations[0]
    return text.snippet(words[first - text.is_contraction(first)].begin, words[last - 1].end)


def folded_text(text):
    """A text, folded, with single spaces."""
    text = " ".join(re.split("[%s]+" % WHITE_SPACE, text.strip(WHITE_SPACE)))
    return "".join(one.lower() if one.isascii() else folded_letter(one) for one in text)


def fact_text(fact):
    """The value of a fact as a text."""
    value = fact["value"]
    return value if isinstance(value, str) else plain_text(value.text) if isinstance(value, Num) else \
        "true" if value else "false"


def fact_value(fact, rules):
    """The value of a fact as a number with its unit, or None."""
    unit = fact.get("unit")
    for text, more in ((fact_text(fact) + " " + unit, None), (fact_text(fact), folded_text(unit))) if unit else (
            (fact_text(fact), None),):
        reading = TextReading(text, rules)
        if len(reading.values) == 1:
            found, words = reading.values[0], reading.words
            if found.begin <= words[0].begin and words[-1].end <= found.end:
                return found._replace(unit=found.unit or more)
    return None


def is_same_fact(a, b, reading):
    """Whether two facts of one thing have the same value."""
    left, right = fact_value(a, reading), fact_value(b, reading)
    return are_equal(left, right) if left and right else folded_text(fact_text(a)) == folded_text(fact_text(b))


def is_about_same(a, b):
    """Whether two facts are about one thing."""
    return all(folded_text(a.get(key) or "") == folded_text(b.get(key) or "") for key in ("subject", "attribute", "scope"))


def compare_facts(a, b):
    """A contradiction by rule 6, facts about one thing without a common value; or None."""
    reading = a.rules.reading
    for one in a.chunk.facts:
        ours = [fact for fact in a.chunk.facts if is_about_same(one, fact)]
        others = [fact for fact in b.chunk.facts if is_about_same(one, fact)]
        if not others or any(is_same_fact(left, right, reading) for left in ours for right in others):
            continue
        other = others[0]
        # the same words whichever side is first
        named = tuple(min(one[key], other[key]) for key in ("subject", "attribute"))
        kind = "numeric" if fact_value(one, reading) and fact_value(other, reading) else "policy"
        return ("fact", "%s, %s: %s vs %s" % (*named, fact_text(one), fact_text(other)),
                fact_snippet(a, one), fact_snippet(b, other), kind)
    return None


def fact_snippet(reading, fact):
    """The text around the quote of a fact."""
    words, run = reading.text.words, [word.text for word in Text(fact["quote"]).words]
    texts = [word.text for word in words]
    for i in range(len(texts) - len(run) + 1) if run else ():
        if texts[i:i + len(run)] == run:
            return reading.text.snippet(words[i].begin, words[i + len(run) - 1].end)
    return cut_out(reading.chunk.written, 0, 100)


def compare_texts(a, b):
    """A contradiction of two texts by rules 1 to 5, or None."""
    found = compare_stances(a, b)
    if found:
        return *found, "numeric" if found[0] == "numeric" else "policy"
    return compare_copies(a, b) if a.qualifiers == b.qualifiers else None


def entry_by_rules(a, b):
    """The entry for two readings that contradict each other by rules 1 to 6, or None."""
    found = None if a.chunk.doc_id == b.chunk.doc_id else compare_texts(a, b) or compare_facts(a, b)
    return found and shown_entry(a.chunk, b.chunk, found)


def shown_entry(a, b, found):
    """The entry for a contradiction that was found."""
    kind, reason, left, right, conflict_type = found
    return entry_of(a, b, kind, reason, conflict_type, left, right)


def conflicts_of(pairs, compared):
    """The conflicts as a report shows them."""
    kind = pairs[0]["conflict_type"] if pairs else None
    if pairs:
        summary = "%s conflict detected: %d conflicting pair(s) found" % (
            "Numeric" if kind == "numeric" else "Policy", len(pairs))
    else:
        summary = "No conflicts detected" + (" (insufficient chunks for comparison)" if compared < 2 else "")
    return {"conflict_detected": bool(pairs), "conflict_type": kind, "pairs": pairs, "compared": number(compared),
            "summary": summary}


def find_conflicts(chunks, rules):
    """The conflicts among chunks, as answer_conflicts returns them."""
    readings = [Reading(chunk, rules) for chunk in chunks]
    found = (entry_by_rules(a, b) for a, b in itertools.combinations(readings, 2))
    return conflicts_of([one for one in found if one], len(chunks))
