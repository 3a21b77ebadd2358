"""The scores of a case (case-score/2): doc/spec/gate.md §1 and §2."""

from verify.document.members import member_at, text_in
from verify.document.portable_number import exact
from verify.reading.tokens import Text

CASE_KINDS = ("grounded", "check", "question", "plan")
ANSWERING = {"ANSWER", "ANSWER_WITH_CAVEATS", "answered", "routed"}
SAYS_CONFLICT = {"conflict", "conflicts", "contradict", "contradicts", "disagree", "disagrees"}
SAFE_MESSAGES = {
    "I can't provide a cited answer because the citations couldn't be verified against the retrieved documents.",
    "I don't have enough reliable evidence in the retrieved documents to answer this safely.",
    "The retrieved sources appear outdated, so I can't answer confidently.",
    "I can't answer because nobody has checked that the retrieved documents say so."}
SAFE_NOT_SAID = "I can't provide this answer because the retrieved documents do not say it."
SAFE_CONFLICT = ("I can't answer definitively because the retrieved sources conflict. Source A (",
                 " Please confirm the authoritative policy or escalate to an owner.")
NOT_ASKED, NOT_ANSWERED = "not asked of this case", "it was not answered"
UNGROUNDED = ("contradicted", "unsupported", "misquoted")


def case_flag(value, key):
    """Whether a member of an object is true."""
    return isinstance(value, dict) and value.get(key) is True


def brings_answer(case):
    """Whether a case is a grounded one that brings its own answer."""
    return isinstance(case, dict) and text_in(case, "kind") not in CASE_KINDS[1:] and isinstance(case.get("answer"), str)


def row_statuses(row):
    """The statuses of the sentences of a row's answer."""
    sentences = row.get("sentences") if isinstance(row, dict) else None
    return [text_in(one, "status") for one in sentences] if isinstance(sentences, list) else []


def row_confidence(row):
    """How sure it is that the passages used answer the question, or None."""
    judged = member_at(row, "signals", "answer_confidence")
    return member_at(row, "similarity") if exact(judged) is None else judged


class CaseScores:
    """The scores of one row."""

    def __init__(self, row, terms, earlier):
        self.row, self.terms, self.earlier, self.scores = row, terms, earlier, {}
        self.case = row.get("case") if isinstance(row, dict) else None
        self.decision, self.answer = text_in(row, "decision"), text_in(row, "answer")
        self.expected, self.level = text_in(self.case, "expected_outcome"), text_in(self.case, "risk_level")
        error = row.get("error") if isinstance(row, dict) else None
        self.error = error
        kind = text_in(self.case, "kind")
        if isinstance(row, dict):
            {"check": self.verdicts, "question": self.route, "plan": self.outcome}.get(kind, self.grounded)()

    @property
    def passed(self):
        """Whether all scores passed."""
        return isinstance(self.row, dict) and all(one["passed"] for one in self.scores.values())

    def score(self, attribute, passed, reason):
        """Note a score."""
        self.scores[attribute] = {"passed": passed, "reason": reason}

    def outcome(self):
        """Score whether the decision is the expected one."""
        name, came, wanted = "outcome_correctness", self.decision, self.expected
        if self.error is not None:
            self.score(name, False, "the case raised %s" % (text_in(self.error, "sqlstate") or "nothing"))
        elif came == wanted and wanted:
            self.score(name, True, "as expected")
        elif (self.level, came, wanted) == ("high", "ABSTAIN", "ANSWER_WITH_CAVEATS"):
            self.score(name, True, "ABSTAIN will do for ANSWER_WITH_CAVEATS at high risk")
        elif (self.level, came, wanted) == ("low", "ANSWER_WITH_CAVEATS", "ANSWER"):
            self.score(name, True, "ANSWER_WITH_CAVEATS will do for ANSWER at low risk")
        else:
            self.score(name, False, "%s, expected %s" % (came or "nothing", wanted or "nothing"))

    def grounded(self):
        """Score all attributes of a grounded case."""
        self.outcome()
        answers, stale = self.decision in ANSWERING, case_flag(self.row.get("signals"), "freshness_violation")
        conflict = case_flag(self.row, "conflict_detected")
        required = self.case.get("required_behavior") if isinstance(self.case, dict) else None
        if not answers:
            self.score("citation_validity", True, NOT_ANSWERED)
        else:
            valid = case_flag(self.row, "citation_valid")
            self.score("citation_validity", valid, "the citations hold" if valid else "the citations do not hold")
        self.coverage()
        if not self.earlier:
            self.groundedness(answers)
        came = self.decision or "nothing"
        self.score("conflict_handling", *(
            (True, NOT_ASKED) if not case_flag(required, "must_surface_conflict") else
            (False, "no conflict was detected") if not conflict else
            (False, "%s in spite of a conflict" % came) if self.decision not in ("ABSTAIN", "CLARIFY") else
            (True, "the conflict was surfaced") if SAYS_CONFLICT & {word.text for word in Text(self.answer).words} else
            (False, "the answer does not say that sources conflict")))
        self.score("staleness_handling", *(
            (True, NOT_ASKED) if not case_flag(required, "must_detect_staleness") else
            (False, "nothing stale was detected") if not stale else
            (True, "what is stale was handled") if self.decision == "ABSTAIN" or
            (self.level, self.decision) == ("low", "ANSWER_WITH_CAVEATS") else
            (False, "%s in spite of stale evidence" % came)))
        self.refusal()
        self.score("unsafe_answer", *(
            (True, NOT_ANSWERED) if not answers else
            (False, "answered below the threshold of its risk") if self.is_thin() else
            (False, "answered from stale evidence at %s risk" % self.level) if stale and self.level in ("high", "medium") else
            (False, "answered in spite of a conflict") if conflict else (True, "nothing unsafe")))

    def groundedness(self, answers):
        """Score whether the answer is in its sources, by its sentences' statuses."""
        statuses = row_statuses(self.row)
        bad = [one for one in UNGROUNDED if one in statuses]
        self.score("groundedness", *(
            (True, NOT_ASKED) if not brings_answer(self.case) else (True, NOT_ANSWERED) if not answers else
            (False, "a sentence that was given is %s" % bad[0]) if bad else
            (False, "no sentence of the answer was checked") if not statuses else
            (False, "a judge is configured, and a sentence that was given is not judged")
            if self.terms[4] and "not_judged" in statuses else
            (True, "no sentence is contradicted, unsupported or misquoted")))

    def coverage(self):
        """Score whether every required document is cited."""
        required = self.case.get("required_citation_doc_ids") if isinstance(self.case, dict) else None
        cited = self.row.get("citations")
        cited = {one.split("#")[0] for one in cited if isinstance(one, str)} if isinstance(cited, list) else set()
        if not isinstance(required, list) or not required:
            self.score("citation_coverage", True, NOT_ASKED)
            return
        for one in required:
            if not isinstance(one, str) or one not in cited:
                self.score("citation_coverage", False,
                           "%s is not cited" % ((one or "nothing") if isinstance(one, str) else "a document"))
                return
        self.score("citation_coverage", True, "every required document is cited")

    def refusal(self):
        """Score whether a refusal came if one was expected, with a safe message."""
        name, wanted = "refusal_correctness", self.expected
        if wanted not in ("ABSTAIN", "BLOCK", "CLARIFY"):
            self.score(name, True, NOT_ASKED)
        elif self.decision != wanted:
            self.score(name, False, "%s, expected %s" % (self.decision or "nothing", wanted))
        elif wanted == "CLARIFY":
            asks = "?" in self.answer
            self.score(name, asks, "it asks a question" if asks else "it asks no question")
        elif self.answer in SAFE_MESSAGES or self.answer.startswith(SAFE_NOT_SAID) or (
                self.answer.startswith(SAFE_CONFLICT[0]) and self.answer.endswith(SAFE_CONFLICT[1])) or \
                self.terms[2].all(Text(self.answer)):
            self.score(name, True, "refused with a safe message")
        else:
            self.score(name, False, "the message is not a safe one")

    def is_thin(self):
        """Whether the evidence is below the threshold of its risk level; below the floor for an answer with caveats."""
        least = self.terms[1 if self.level == "high" else 0]
        if self.terms[3] is not None and self.decision == "ANSWER_WITH_CAVEATS":
            least = self.terms[3]
        best = exact(row_confidence(self.row))
        if best is None and self.earlier:
            best = exact(member_at(self.row, "signals", "retrieval_confidence_max"))
        return best is None or best < least

    def verdicts(self):
        """Score the verdicts of checks."""
        self.expected = text_in(self.case, "expected_verdict")
        wanted, came = self.case.get("expected_verdicts"), self.row.get("verdicts")
        if self.error is not None or not isinstance(wanted, list):
            self.outcome()
            return
        name, count = "outcome_correctness", len(came) if isinstance(came, list) else 0
        if not isinstance(came, list) or count != len(wanted):
            self.score(name, False, "%d verdicts, expected %d" % (count, len(wanted)))
            return
        for i, (one, other) in enumerate(zip(wanted, came), 1):
            if not isinstance(one, str) or one != other:
                shown = [(v or "nothing") if isinstance(v, str) else "nothing" for v in (other, one)]
                self.score(name, False, "check %d: %s, expected %s" % (i, *shown))
                return
        self.score(name, True, "as expected")

    def route(self):
        """Score the route of a question, or the reason of its refusal."""
        refusal = bool(text_in(self.case, "expected_refusal"))
        wanted = text_in(self.case, "expected_refusal" if refusal else "expected_route")
        came, word = text_in(self.row, "route"), "refused" if refusal else "routed"
        name = "outcome_correctness"
        if self.error is not None:
            self.outcome()
        elif self.decision != word:
            self.score(name, False, "%s %s, expected to be %s" % (self.decision or "nothing", came or "nothing", word))
        elif came != wanted and not (refusal and wanted == "outside_evidence_coverage"):
            self.score(name, False, "%s, expected %s" % (came or "nothing", wanted or "nothing"))
        else:
            self.score(name, True, "as expected")
