"""The assessment of an investigation; closure and replay of assessments (quality/v1).

doc/spec/quality.md §4 to §6.
"""

import itertools

from verify.document.json_text import Num
from verify.document.members import member_at, text_in
from verify.document.canonical import canonical, digest
from verify.df_verify_1.report import Broken, MAX_DIFFERENCES, need
from verify.answer_eval.check import QUALITIES
from verify.decision.pinned_rules import LacksRules, names_rules
from verify.decision.decision_rules import DecisionRules
from verify.decision.shipped_rules import known_rules
from verify.quality.grade import IDENTIFIER, NONE, quality_rules_of, regrade, STRENGTHS, STRONG, VERIFIED, WEAK
from verify.quality.quality_rules import Rules
from verify.quality.subject import Goal, same_scalar, without_dot

LEVELS = ("None", "Low", "Medium", "High", "Complete")
GAPS = ("missing", "weak", "unverified")
MAX_QUOTED = 100

# Reasons why Strong is not Verified; the first that applies is reported.
MISSES = ("partner_weak", "same_family", "other_target", "no_target", "no_partner")


class Entry:
    """An entry of an assessment."""

    def __init__(self, rules, goal, given):
        self.cls = rules.number.get(text_in(given, "class"), -1)
        self.tool, self.target = text_in(given, "tool"), text_in(given, "target")
        sources = given.get("sources")
        self.sources = [one for one in sources if isinstance(one, str)] if isinstance(sources, list) else []
        self.family = rules.family.get(self.tool)
        self.reason = text_in(given, "reason")
        self.quality, self.strength = QUALITIES.index(given["quality"]), STRENGTHS.index(given["strength"])
        self.identifier = IDENTIFIER.fullmatch(text_in(given, "query")) is not None
        observation = given["observation"]
        self.address = digest({**{k: text_in(given, k) for k in ("tool", "query", "target", "run")},
                               "observation": observation})
        self.result = digest(observation)
        self.authority = min((max(quality, WEAK) for tool, cls, quality, condition in rules.authorities
                              if self.family is not None and tool == self.tool and cls == self.cls
                              and isinstance(observation, dict)
                              and all(k in observation and same_scalar(observation[k], v)
                                      for k, v in condition.items())),
                             default=VERIFIED)
        if rules.relevance(self.cls) == "query" and not goal.is_in(
                text_in(given, "query"), self.target):
            self.discount("the query does not name \"%s\"" % quoted(goal.subject))
            self.identifier = goal.asks_identifier

    @property
    def order(self):
        """A sort key, the best entry first."""
        return (-self.quality, not self.identifier, self.target == "", self.tool, self.target, self.reason)

    @property
    def authoritative(self):
        """Whether the entry needs no corroboration."""
        return self.quality >= self.authority

    def discount(self, why):
        """Make the entry Weak, because it may not be about the subject."""
        if self.quality > NONE:
            self.quality, self.reason = WEAK, "%s, but %s" % (self.reason, why)

    def independent(self, other):
        """Whether two entries may corroborate each other."""
        return self.family is not None and other.family is not None and self.family != other.family


def judge_targets(rules, goal, entries):
    """Discount entries whose target no other family found and the question does not name."""
    found = {}
    for e in entries:
        for place in [e.target, *e.sources] if e.quality > NONE and e.family is not None else ():
            found.setdefault(without_dot(place.encode("utf-8", "surrogatepass")), set()).add(e.family)
    for e in entries:
        if rules.relevance(e.cls) != "target" or goal.names_path(e.target):
            continue
        place = without_dot(e.target.encode("utf-8", "surrogatepass"))
        if not place:
            e.discount("it names no target")
        elif not found.get(place, set()) - {e.family}:
            e.discount("nothing else found " + quoted(e.target))


def read_entry(view, rules, goal):
    """An entry of a document."""
    need(isinstance(view, dict), "an entry is no object")
    levels = view.get("quality"), view.get("strength")
    need(all(isinstance(w, str) for w in levels) and levels[0] in QUALITIES and levels[1] in STRENGTHS,
         "an entry has no quality or no strength")
    need(levels[0] != "Verified", "an entry says it is Verified")
    need("observation" in view, "an entry has no observation")
    return Entry(rules, goal, view)


class Corroboration:
    """The result for one class: the two entries that agree, or why none do."""

    def __init__(self):
        self.rule = self.entry = self.partner = self.missed = self.missed_need = None
        self.miss = "no_partner"

    def agree(self, rule, entry, partner):
        """Note two entries that agree; the first two are kept."""
        if self.rule is None:
            self.rule, self.entry, self.partner = rule, entry, partner

    def note_miss(self, code, partner, wanted):
        """Note why a partner does not count, if the reason ranks higher in MISSES."""
        if MISSES.index(code) < MISSES.index(self.miss):
            self.miss, self.missed, self.missed_need = code, partner, wanted


def find_partner(entry, entries, cls, quality):
    """The first entry of a class that is independent and good enough, or None."""
    return next((e for e in entries if e.cls == cls and e.quality >= quality and entry.independent(e)), None)


class Search:
    """Looks for entries that agree."""

    def __init__(self, rules, entries):
        self.rules, self.found = rules, [Corroboration() for _ in rules.classes]
        self.agree = self.disagree = False
        for rule in rules.compatibilities:
            if rule.same_tool:
                self.apply_result(rule, sorted(entries, key=lambda e: (e.cls, e.tool, e.target, e.result, e.address)))
        by_target = sorted(entries, key=lambda e: (e.target, e.cls, e.tool, e.order))
        for target, same in itertools.groupby(by_target, key=lambda e: e.target):
            if target:
                self.apply_rules(True, heads(same))
        best = heads(sorted(entries, key=lambda e: (e.cls, e.tool, e.order)))
        self.apply_rules(False, best)
        self.tell_distant(best)

    def apply_result(self, rule, entries):
        """Apply a rule of same_tool: two runs of one tool about one target gave equal results."""
        found, last, differ = self.found[rule.cls], None, False
        for e in entries:
            if e.cls != rule.cls or e.quality < rule.quality or e.family is None:
                continue
            if last and last.tool == e.tool and last.target == e.target:
                if last.result != e.result:
                    differ = True
                elif last.address != e.address:
                    found.agree(rule, last, e)
            last = e
        if found.rule:
            self.agree = True
        elif differ:
            self.disagree = True

    def apply_rules(self, same_target, entries):
        """Apply the rules with this same_target to the best entries of each tool."""
        for rule in self.rules.compatibilities if len(entries) > 1 else ():
            if rule.same_target == same_target and not rule.same_tool:
                self.apply(rule, entries)

    def apply(self, rule, entries):
        """Apply one rule to the best entry, and to the best one of a second family."""
        found, first = self.found[rule.cls], None
        for e in entries:
            if e.cls != rule.cls or e.quality < rule.quality or e.family is None or first and first.family == e.family:
                continue
            if any(o.cls == rule.with_cls and o.quality == NONE and e.independent(o) for o in entries):
                self.disagree = True
            partner = find_partner(e, entries, rule.with_cls, rule.with_quality)
            if partner:
                self.agree = True
                found.agree(rule, e, partner)
            else:
                self.tell_near(found, rule, e, entries)
            if first:
                break
            first = e

    @staticmethod
    def tell_near(found, rule, entry, entries):
        """Note why none of the entries is a partner of this one."""
        for o in entries:
            if o.cls != rule.with_cls or o is entry:
                continue
            if entry.independent(o):
                found.note_miss("partner_weak", o, rule.with_quality)
            elif o.quality >= rule.with_quality:
                found.note_miss("same_family", o, rule.with_quality)

    def tell_distant(self, entries):
        """Note partners that do not count because their targets differ or are missing."""
        for rule in self.rules.compatibilities:
            if not rule.same_target or rule.same_tool:
                continue
            entry = next((e for e in entries if e.cls == rule.cls and e.quality >= rule.quality), None)
            partner = entry and find_partner(entry, entries, rule.with_cls, rule.with_quality)
            if partner:
                self.found[rule.cls].note_miss("other_target" if entry.target else "no_target", partner, rule.with_quality)


def heads(entries):
    """The first entry of each class and tool."""
    return [next(same) for _, same in itertools.groupby(entries, key=lambda e: (e.cls, e.tool))]


def quoted(text):
    """A text, cut to MAX_QUOTED bytes."""
    raw = text.encode("utf-8", "surrogatepass")
    cut = raw[:MAX_QUOTED].decode("utf-8", "ignore") if len(raw) > MAX_QUOTED else text
    return cut + ("..." if cut != text else "")


class Held:
    """The level of a class, and why."""

    def __init__(self, rules, cls, wanted, own, found, asks):
        self.name, self.need, self.count, self.found = rules.classes[cls]["class"], wanted, len(own), found
        self.strength = max((e.strength for e in own), default=0)
        self.best = min(own, key=lambda e: e.order, default=None)
        self.authority = min((e for e in own if e.authoritative), key=lambda e: e.order, default=None)
        self.quality = self.best.quality if self.best else NONE
        if found.rule or self.authority:
            self.quality, self.code = VERIFIED, "corroborated" if found.rule else "authoritative"
        elif self.best is None:
            self.code = "nothing_collected"
        else:
            self.code = "one_producer" if self.quality else "nothing_found"
        self.kind = "missing" if not self.quality else "unverified" if self.quality == STRONG else "weak"
        self.next_code = "no_better_entry" if self.quality < STRONG else found.miss
        self.tool = rules.tool(cls, "tool")
        if (self.best.identifier if self.best else asks) and rules.tool(cls, "identifier_tool"):
            self.tool = rules.tool(cls, "identifier_tool")
        if self.kind == "unverified" and rules.tool(cls, "verify_tool"):
            self.tool = rules.tool(cls, "verify_tool")

    def reason(self):
        """Why the class has its level."""
        found = self.found
        if self.code == "nothing_collected":
            return "nothing was collected"
        if self.code == "corroborated":
            if found.rule.same_tool:
                return "two runs of %s gave the same result" % found.entry.tool
            pair = "%s and %s agree" % (found.entry.tool, found.partner.tool)
            return pair + (" on " + quoted(found.entry.target) if found.rule.same_target else "")
        if self.code == "authoritative":
            return "%s is authoritative, and %s" % (self.authority.tool, self.authority.reason)
        return self.best.reason

    def next_reason(self):
        """Why the class does not have the next level."""
        missed = self.found.missed
        if self.next_code == "partner_weak":
            return "%s holds %s evidence, and %s is needed to corroborate" % (
                missed.tool, QUALITIES[missed.quality], QUALITIES[self.found.missed_need])
        return {"same_family": "%s shares its signal with %s and does not corroborate it" % (
                    missed.tool if missed else "", self.best.tool if self.best else ""),
                "other_target": "%s is about another target" % (missed.tool if missed else ""),
                "no_target": "the evidence names no target on which another tool could agree",
                "no_better_entry": "nothing better was recorded; %s can give it" % self.tool if self.tool
                else "nothing better was recorded"}.get(self.next_code, "no independent tool has corroborated it")

    def view(self):
        """The class as a document has it."""
        view = {"class": self.name, "quality": QUALITIES[self.quality], "strength": STRENGTHS[self.strength],
                "entries": Num(str(self.count)), "code": self.code, "reason": self.reason()}
        if self.need is not None:
            view["need"] = QUALITIES[self.need]
        if self.quality < VERIFIED:
            view.update(next=QUALITIES[self.quality + 1], next_code=self.next_code, next_reason=self.next_reason())
        return view

    def gap(self):
        """The gap as a document has it."""
        return {"class": self.name, "have": QUALITIES[self.quality], "need": QUALITIES[self.need], "kind": self.kind,
                "tool": self.tool or None, "reason": self.next_reason() if self.kind == "unverified" else self.reason()}


def reading_rules_of(document, given):
    """The rules for reading the texts of a document: those in it, or those it names by digest; None if neither."""
    if "reading_rules" in document:
        return document["reading_rules"]
    named = member_at(document, "reproduce", "evaluator", "digests", "reading_rules")
    if not names_rules(named):
        return None
    found = next((one for one in known_rules(given) if digest(one) == named), None)
    if found is None:
        raise LacksRules("rules " + named)
    return found


def assess(document, given=()):
    """Assess the entries of a document by the rules that it has or names."""
    need(all(k in document for k in ("rules", "investigation", "entries")) and isinstance(document["entries"], list),
         "rules, investigation or entries are missing")
    rules = Rules(document["rules"])
    texts = reading_rules_of(document, given)
    reading = DecisionRules(texts).reading if texts is not None or "reading_rules" in document else None
    need(reading or texts is None and "reading_rules" not in document, "the rules are malformed")
    goal = Goal(document["investigation"], quality_rules_of(document), reading, rules.question_form)
    intent = goal.intent
    need(intent in rules.intents, "the rules do not know the intent")
    needs = rules.intents[intent]
    entries = [e for e in [read_entry(v, rules, goal) for v in document["entries"]] if e.cls >= 0]
    judge_targets(rules, goal, entries)
    search = Search(rules, entries)
    own = {}
    for e in entries:
        own.setdefault(e.cls, []).append(e)
    held = [Held(rules, i, needs.get(i), own.get(i, []), search.found[i], goal.asks_identifier)
            for i in range(len(rules.classes))]
    gaps = sorted((h for h in held if h.need is not None and h.quality < h.need), key=lambda h: GAPS.index(h.kind))
    lowest = min((h for h in held if h.need is not None), key=lambda h: h.quality, default=None)
    level = LEVELS[lowest.quality] if lowest else None
    explanation = "confidence is not rated because %s requires no evidence" % intent if lowest is None else \
        "confidence is %s because %s is %s%s: %s" % (level, lowest.name, "only " if NONE < lowest.quality < lowest.need else "",
                                                     QUALITIES[lowest.quality], lowest.reason())
    return {"outcome": "InsufficientEvidence" if gaps else "success", "complete": not gaps,
            "confidence": {"level": level, "quality": QUALITIES[lowest.quality] if lowest else None,
                           "coverage": "%d/%d" % (len(needs) - len(gaps), len(needs)),
                           "agreement": "disagree" if search.disagree else "agree" if search.agree else "alone",
                           "explanation": explanation},
            "classes": [h.view() for h in held if h.need is not None or h.count], "gap": [h.gap() for h in gaps]}


def quality_closure(document):
    """Every entry has an observation that hashes to its digest."""
    for key in ("investigation", "rules", "entries", "outcome"):
        need(key in document, "%s is missing" % key)
    need(isinstance(document["entries"], list), "entries is no array")
    for entry in document["entries"]:
        need(isinstance(entry, dict) and "observation" in entry, "an entry has no observation")
        need(entry.get("digest") == digest(entry["observation"]), "an observation does not hash to its digest")


def quality_replay(document, terms=None):
    """Grading and assessing again gives what is recorded."""
    try:
        again = assess(document, terms.rules if terms else ())
    except LacksRules as e:
        return {"incomplete": str(e)}
    differences = []

    def note(field, reason, entry=None):
        if len(differences) < MAX_DIFFERENCES:
            differences.append({"field": field, **({} if entry is None else {"entry": Num(str(entry))}), "reason": reason})

    regrade(document, note)
    for field in ("outcome", "complete", "confidence", "classes", "gap"):
        if field not in document or canonical(document[field]) != canonical(again[field]):
            note(field, "recomputing gives something else")
    if differences:
        raise Broken("recomputing gives something else", differences=differences)
    return None
