"""Verifies claims against sources without a model (ground-verify/2): doc/spec/plan.md §11."""

import collections
import copy
import fractions
import itertools

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import exact, portable_fraction
from verify.df_verify_1.report import need
from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.tokens import Text
from verify.reading.phrases import Phrases
from verify.reading.names import stands_in
from verify.reading.values import are_equal
from verify.reading.text import TextReading
from verify.reading.near_copies import OTHER_SIGN, OTHER_VALUE, SAME, slot
from verify.reading.text_score import ZERO_SHARE
from verify.decision.chunk import chunk_instant, DAY, Passage
from verify.decision.risk import risk_of
from verify.decision.decision_settings import CONFIG, Settings
from verify.judgement.judgements import Judgements, pair_digest
from verify.decision.conflict import compare_values, Reading, share_keywords
from verify.decision.decide import NEWEST
from verify.plan.confidence import hundredths, NOT_JUDGED_CODE, NOT_JUDGED_TEXT, share_of, STALE_CODE

HALF, ENOUGH = fractions.Fraction(1, 2), fractions.Fraction(3, 4)
SUPPORT_MOST, SUPPORT_MOST_OF_HALF = fractions.Fraction(95, 100), fractions.Fraction(89, 100)
RELATED_ITEMS, JUDGED_SHARE = 2, fractions.Fraction(70, 100)
VERIFY_METHOD, EARLIER_VERIFY = "ground-verify/2", "ground-verify/1"

RISKS = ("low", "medium", "high")


def stricter(*limits):
    """The strictest of some limits; 0 means no limit."""
    return min((one for one in limits if one), default=0)


def is_stale(stamp, days, now):
    """Whether a stamp is older than so many days, or is not an instant; without a clock nothing is stale."""
    found = chunk_instant(stamp)
    return days > 0 and now is not None and (found is None or found < now - days * DAY)


def stale_text(days):
    """The caveat about stale sources."""
    return "A source of the answer is more than %d day%s old, or has no date." % (days, "" if days == 1 else "s")


class Scale:
    """How old the sources of a plan may be by its clock, and whether newer ones supersede older ones."""

    def __init__(self, freshness, plan_risk, variables, now, rules):
        self.rules, self.now, self.risk = rules, now, RISKS.index(plan_risk) if plan_risk in RISKS else 0
        self.supersedes = freshness.supersede == "always"
        query = variables.get("query") if isinstance(variables, dict) else None
        if isinstance(query, str):
            text = Text(query)
            self.risk = max(self.risk, RISKS.index(risk_of(text, rules)["risk_level"]))
            self.supersedes = self.supersedes or \
                freshness.supersede == "asked" and any(word.text in NEWEST for word in text.words)

    def risk_of_claims(self, claims):
        """The greatest risk among the plan, its question and the claims."""
        claims = claims if isinstance(claims, list) else []
        return max([self.risk, *(RISKS.index(risk_of(Text(one), self.rules)["risk_level"])
                                 for one in claims if isinstance(one, str))])

    def days(self, freshness, claims):
        """How many days old the sources of claims may be; 0 for any age."""
        is_high = self.risk_of_claims(claims) == RISKS.index("high")
        return stricter(freshness.days, freshness.days_high_risk * is_high, freshness.of_call)

    def judge(self, evidence, policy):
        """(the limit of days that a support exceeds, or None; whether that blocks)."""
        supports = evidence.get("supports")
        if not isinstance(supports, list) or evidence.get("method") != VERIFY_METHOD and not any(
                isinstance(one, dict) and "stamp" in one for one in supports):
            return None, False
        days = self.days(policy.freshness, evidence.get("claims"))
        if not any(is_stale(one.get("stamp") if isinstance(one, dict) else None, days, self.now) for one in supports):
            return None, False
        return days, self.risk_of_claims(evidence.get("claims")) > 0 or bool(policy.regulated)


class Whole:
    """A text as one sentence."""

    def __init__(self, text, rules):
        read = TextReading(text, rules.reading)
        self.items, self.has, self.values, self.names = read.items, read.has, read.values, read.names
        self.negators = sum(len(one.negations) for one in read.sentences)
        self.negated = self.negators % 2 == 1


class Said:
    """A claim or a sentence of a source, with its Reading by the rules of conflicts."""

    def __init__(self, doc_id, text, rules, read, source=None):
        self.text, self.read, self.source = text, read, source
        self.reading = Reading(Passage(doc_id, text, rules), rules)
        self.negators = read.negators if source is None else len(read.negations)
        self.around = [self]


class Source:
    """A source and its sentences, without questions."""

    def __init__(self, index, given, rules):
        need(isinstance(given, dict) and isinstance(given.get("uri"), str) and given["uri"]
             and isinstance(given.get("snippet"), str) and all(
                 given.get(key) is None or isinstance(given[key], str) for key in ("title", "stamp")),
             "a source is malformed")
        self.index, self.uri, self.snippet = index, given["uri"], given["snippet"].strip(WHITE_SPACE)
        self.named = {"source": self.uri, **{key: given[key] for key in ("title", "stamp") if given.get(key) is not None}}
        self.passage = given["title"] + "\n" + given["snippet"] if given.get("title") else given["snippet"]
        self.score = share_of(given.get("score", ABSENT), "a source's score")
        self.document = self.uri.partition("#")[0]
        self.stamp, self.instant, self.is_reported = given.get("stamp"), chunk_instant(given.get("stamp")), False
        self.read, self.title = TextReading(self.snippet, rules.reading), TextReading(given.get("title") or "", rules.reading)
        self.sentences, before = [], None
        for one in self.read.sentences:
            said = None
            if not one.span.asks:
                said = Said(self.document, one.text, rules, one, self)
                if before:
                    said.around.append(before)
                    before.around.append(said)
                self.sentences.append(said)
            before = said
        self.has = {stem for one in self.sentences for stem in one.read.has}


def opposed(one, other, families, half, like):
    """Whether two texts contradict each other, in their sentences on these families; None for all sentences.

    `half` and `like` tell whether they share enough keywords for rule 1, and for rules 3 and 4.
    """
    a, b = one.reading, other.reading
    own, others = (set(side.text.sentences) if families is None else side.sentences_on(families) for side in (a, b))
    if half or families != {"encryption"}:
        if {a.encryption_stance(own)[0], b.encryption_stance(others)[0]} == {"encrypt", "plaintext"}:
            return True
    if {a.refund_stance()[0], b.refund_stance()[0]} == {"refund_allowed", "refund_refused"}:
        return True
    if like and {a.policy_stance(own)[0], b.policy_stance(others)[0]} == {"allow", "prohibit"}:
        return True
    return bool((like or families & a.rules.quantities) and compare_values(a, b, own, others))


Weighed = collections.namedtuple("Weighed", "kind value near said against", defaults=(None,))
Panel = collections.namedtuple("Panel", "judgements names judging")


class Verification:
    """Verifies claims by sources, with or without a panel of judges."""

    def __init__(self, claims, sources, rules, panel=None, ages=None):
        # here a sentence with an exception keeps its stance
        rules = without_exceptions(rules)
        self.claims = [Said(None, claim, rules, Whole(claim, rules))
                       for i, claim in enumerate(claims) if claim not in claims[:i]]
        self.sources = [Source(i, one, rules) for i, one in enumerate(sources)]
        self.panel, self.opposite, self.ages = panel, set(), ages or Ages()
        self.removed, self.first_pairs = {}, {}
        need(all(number < len(self.sources) for number in self.ages.reported), "reported is malformed")
        for i in self.ages.reported:
            self.sources[i].is_reported = True

    @property
    def left(self):
        """The sources that are not superseded."""
        return [one for one in self.sources if one not in self.removed]

    def contradicts_claim(self, sentence, claim):
        """Whether a sentence contradicts the claim: as a near copy, or by rules 1 to 4, which need no shared topic here."""
        if slot(claim.read, sentence.read) in (OTHER_VALUE, OTHER_SIGN) and \
                all(slot(claim.read, one.read) != SAME for one in sentence.source.sentences):
            return True
        return sentence.reading.qualifiers == claim.reading.qualifiers and opposed(sentence, claim, None, True, True)

    def contradicts_sentence(self, sentence, other):
        """Whether two sentences contradict each other; in rules 3 and 4 one keyword in common is enough."""
        if slot(sentence.read, other.read) in (OTHER_VALUE, OTHER_SIGN):
            return True
        a, b = sentence.reading, other.reading
        shared = a.families & b.families
        if not shared or a.qualifiers != b.qualifiers:
            return False
        words = [side.further_keywords(side.sentences_on(shared)) for side in (a, b)]
        return opposed(sentence, other, shared, share_keywords(*words), bool(words[0] & words[1]))

    def judge(self, claim):
        """({source: its entry or None}, {source: its entry if it contradicts the claim itself}, the best support or None)."""
        nears = {one: cover(claim, one) for source in self.left for one in source.sentences}
        near = [one for one in nears if nears[one] >= HALF]
        wides = {one: cover(claim, *one.around) for one in near}
        against = {one: nears[one] * one.source.score for one in near if self.contradicts_claim(one, claim)}
        outright, held = dict(against), {}
        able = sorted((one for one in near if one not in against and one.negators == claim.negators
                       and has_what_is_named(claim, one)), key=lambda one: (-wides[one], -nears[one], -one.source.score))
        best, supports = (able or [None])[0], {}
        # sentences of the best one's own document are compared with the best of another document that agrees with it
        other = next((one for one in able if one.source.document != best.source.document
                      and not self.contradicts_sentence(one, best)), None)
        for one in near:
            if one in against:
                continue
            holder = other if best and one.source.document == best.source.document else best
            if one is not best and holder and self.contradicts_sentence(one, holder):
                against[one], held[one] = nears[one] * ratio(one, holder), holder.source
            elif one in able:
                supports[one] = confidence_by(wides[one], nears[one], one.source)
        self.opposite |= {one.source for one in near if one not in against and one not in supports}
        self.opposite |= {source for source in self.sources if differs_in_negation(source, claim)}
        chosen = {source: choose(source, nears, against, supports, held) for source in self.sources}
        return chosen, {source: choose(source, nears, outright, {}) for source in self.sources}, best

    def pairs(self, claim, chosen):
        """The sources that are to be judged on a claim."""
        least = max((one.score for one in self.sources), default=ZERO_SHARE) * JUDGED_SHARE
        # what judges are asked must not depend on which sources are superseded
        if self.panel is not None and claim in self.first_pairs:
            return [one for one in self.first_pairs[claim] if one not in self.removed]
        self.first_pairs[claim] = [one for one in self.sources if claim.read.items & (one.read.has | one.title.has)
                and one not in self.removed and (one.score >= least or chosen[one])]
        return self.first_pairs[claim]

    def superseded(self, entries):
        """{older source: newer one} of sources that contradict each other about a claim."""
        gone = {}
        for claim in self.claims:
            own = [one for one in entries if one[0] is claim]
            for (_, one, kind, against), (_, other, kind_of_other, _) in itertools.product(own, own):
                if kind != "contradicts" or kind_of_other != "supports" or against not in (None, other) or \
                        one.document == other.document or None in (one.instant, other.instant) or \
                        one.instant == other.instant or \
                        self.ages.now is not None and max(one.instant, other.instant) > self.ages.now:
                    continue
                older, newer = (one, other) if one.instant < other.instant else (other, one)
                if older.is_reported or not newer.is_reported:
                    gone.setdefault(older, newer)
        return gone

    def judged(self, claim, source, chosen, outright):
        """(entry or None, whether judges are still missing) of a claim and a source under a panel."""
        panel, pair = self.panel.judgements, pair_digest("entailment", claim.text, source.passage)
        verdict = panel.verdict("entailment", pair)
        if verdict == "supports":
            return Weighed("supports", min(panel.score("entailment", pair), SUPPORT_MOST), None, None), False
        if verdict == "contradicts":
            return Weighed("contradicts", max(one[2] for one in panel.of("entailment", pair)
                                            if one and one[1] == "contradicts"), None, None), False
        if verdict == "no_claim":
            return chosen[source], False
        if verdict is None and not outright[source] and chosen[source] and chosen[source].kind == "contradicts":
            self.opposite.add(source)
        return outright[source] if verdict is None else None, verdict is None

    def evidence(self):
        """supports, contradicts, related and caveats of the evidence, and the pairs for judges."""
        while True:
            found, entries = self.weigh()
            gone = self.superseded(entries) if self.ages.supersede else {}
            if not gone:
                break
            self.removed.update(gone)
            self.opposite = set()
        if any(is_stale(source.stamp, self.ages.days, self.ages.now) for _, source, kind, _ in entries if kind == "supports"):
            found["caveats"].append({"code": STALE_CODE, "text": stale_text(self.ages.days)})
        if self.ages.supersede is not None:
            found["superseded"] = [{"source": one.uri, "by": self.removed[one].uri} for one in self.sources
                                   if one in self.removed]
        return found

    def weigh(self):
        """The evidence of the sources that are left, before the members about age; and (claim, source, kind, the source that
        it contradicts) of each entry."""
        entries = []
        found = {"supports": [], "contradicts": [], "related": []}
        cited, related, unjudged, used = set(), set(), {}, {}
        for claim in self.claims:
            chosen, outright, best = self.judge(claim)
            pairs, sure = self.pairs(claim, chosen), {}
            for source in pairs:
                pair = pair_digest("entailment", claim.text, source.passage)
                one, is_open = (chosen[source], True) if self.panel is None else \
                    self.judged(claim, source, chosen, outright)
                used[pair] = True
                if is_open:
                    unjudged.setdefault(pair, {"kind": "entailment", "pair": pair, "a": claim.text, "b": source.passage,
                                               "source": source.uri})
                if one is None:
                    continue
                if one.kind == "supports" and one.said is None:
                    sure[source] = self.panel.judgements.score("entailment", pair)
                cited.add(source)
                entries.append((claim, source, one.kind, one.against))
                found[one.kind].append({"claim": claim.text, **source.named, "confidence" if one.kind == "supports" else
                                        "weight": portable_fraction(hundredths(one.value)),
                                        "snippet": source.snippet if one.said is None else one.said.text})
            items, document = (best.read.items, best.source.document) if best else (set(), None)
            if self.panel is not None:
                best = max(sure, key=lambda one: (sure[one], -one.index), default=None)
                items, document = (best.read.items, best.document) if best else (set(), None)
            related |= {one for one in self.sources
                        if one.document != document and len(one.read.has & items) >= RELATED_ITEMS}
        found["related"] = [{**source.named, "snippet": source.snippet} for source in self.sources
                            if source in related - cited - self.opposite and source not in self.removed
                            and not is_stale(source.stamp, self.ages.days, self.ages.now)]
        found["caveats"] = [{"code": NOT_JUDGED_CODE, "text": NOT_JUDGED_TEXT}] if unjudged else []
        if self.panel is None:
            return found, entries
        given = {(one["pair"], one["judge"]): one for one in self.panel.judging["judgements"]}
        return {**found, "judging": self.panel.judging["judging"], "to_judge": list(unjudged.values()), "judgements": [
            given[pair, name] for pair in used for name in self.panel.names if (pair, name) in given]}, entries


Ages = collections.namedtuple("Ages", "days supersede reported now", defaults=(0, None, (), None))


def whole_of(value):
    """A non-negative integer, also as the string of its portable form."""
    found = exact(value)
    need(found is not None and found >= 0 and found.denominator == 1, "a whole number is malformed")
    return min(int(found), 2 ** 31 - 1)


def ages_of(args, now):
    """The Ages in the arguments of ground.verify."""
    policy, supersede, reported = args.get("policy"), args.get("supersede", ABSENT), args.get("reported", [])
    need(supersede in (ABSENT, True, False) and not isinstance(supersede, Num), "supersede is malformed")
    need(isinstance(reported, list), "reported is malformed")
    days = policy.get("freshness_days", ABSENT) if isinstance(policy, dict) else ABSENT
    return Ages(0 if days is ABSENT else whole_of(days), None if supersede is ABSENT else supersede,
                tuple(map(whole_of, reported)), now)


def panel_of(judging, judgements):
    """The Panel of the judges that the database asks, with their judgements; None if it asks nobody."""
    if judging is None:
        need(not judgements, "judgements is malformed")
        return None
    need(isinstance(judging, dict) and set(judging) <= set(CONFIG), "judging is malformed")
    settings = Settings(judging, True)
    names = settings.judges["entailment"]
    return Panel(Judgements(judgements, settings, True, True), names, {
        "judging": judging, "judgements": judgements or []}) if names else None


def has_what_is_named(claim, sentence):
    """Whether a sentence, those beside it or the title have every value and name of a claim."""
    title, around = sentence.source.title, [one.read for one in sentence.around]
    stems = title.has.union(*(one.has for one in around))
    return all(stands_in(name, stems) for name in claim.read.names) and all(
        title.has_value(value) or any(are_equal(value, other) for one in around for other in one.values)
        for value in claim.read.values)


def differs_in_negation(source, claim):
    """Whether a source has half of a claim's items, and a sentence with another number of negators."""
    return bool(claim.read.items) and 2 * len(claim.read.items & source.has) >= len(claim.read.items) and \
        any(one.negators != claim.negators for one in source.sentences)


def without_exceptions(rules):
    """The rules with an empty list of exceptions."""
    found = copy.copy(rules)
    found.alone = {**rules.alone, "exceptions": Phrases(())}
    return found


def cover(claim, *sentences):
    """The share of a claim's items that sentences have."""
    items = claim.read.items
    return fractions.Fraction(len(items & set().union(*(one.read.has for one in sentences))), len(items)) if items else \
        ZERO_SHARE


def confidence_by(wide, near, source):
    """The confidence of a support, by the share of the claim in its sentence (near) and with those beside it (wide)."""
    return min(1 - (1 - wide) * (1 - source.score), SUPPORT_MOST if ENOUGH <= wide <= near else SUPPORT_MOST_OF_HALF)


def ratio(sentence, other):
    """The weight of a sentence's score beside another's."""
    total = sentence.source.score + other.source.score
    return sentence.source.score / total if total else HALF


def choose(source, nears, against, supports, held=None):
    """The one entry of a claim and a source, or None; a contradiction wins over a support."""
    for kind, found in (("contradicts", against), ("supports", supports)):
        own = [one for one in source.sentences if one in found]
        if own:
            one = max(own, key=lambda said: (found[said], nears[said]))
            return Weighed(kind, found[one], nears[one], one, (held or {}).get(one) if kind == "contradicts" else None)
    return None
