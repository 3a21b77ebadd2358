"""The metrics of a run (run-metrics/2); closure and replay of runs (run/v1): doc/spec/gate.md §3 and §5."""

import fractions
import itertools

from verify.document.json_text import ABSENT, Num
from verify.document.members import member_at, text_in
from verify.document.portable_number import exact
from verify.document.canonical import canonical, digest, same_as, without
from verify.df_verify_1.report import Broken, need
from verify.reading.phrases import Phrases
from verify.decision.chunk import number, rounded
from verify.decision.decision_settings import CONFIG, CONFIG_1, Settings
from verify.gate.gate import GATE_METRICS
from verify.gate.case_score import ANSWERING, brings_answer, case_flag, CASE_KINDS, CaseScores, row_confidence, row_statuses

MUST_REFUSE = {"ABSTAIN", "BLOCK", "CLARIFY", "blocked", "refused", "failed"}
MUST_ANSWER = {"ANSWER", "answered"}

# Rules of older runs, which had no groundedness and used the best confidence of what was found, not of what was used.
EARLIER_SCORES, EARLIER_METRICS = "case-score/1", "run-metrics/1"

MAX_SLICES = 100
RUN_MEMBERS = ("suite", "config", "config_digest", "engine_digest", "insufficiency", "cases", "summary", "verdict",
               "digest", "reproduce")
TERM_SCALE = 10 ** 20


def rate(n, of):
    """A rate to four decimals; None if it is over nothing."""
    return rounded(fractions.Fraction(n, of)) if of else None


class Tally:
    """Counts over some cases."""

    EARLIER = 6

    def __init__(self):
        self.cases = self.errors = self.unsafe = 0
        self.n, self.of = [0] * len(GATE_METRICS), [0] * len(GATE_METRICS)

    @staticmethod
    def unjudged(row, case):
        """Whether a sentence or a passage of the answer was judged by nobody."""
        reasons = row.get("reasons")
        return isinstance(reasons, list) and "not_judged" in reasons or "not_judged" in row_statuses(row) or \
            not brings_answer(case) and member_at(row, "signals", "answer_confidence") is None

    def add(self, row, case, grounded):
        """Count a row."""
        scores, decision = row.get("scores"), text_in(row, "decision")
        behavior = case.get("required_behavior") if isinstance(case, dict) else None
        answers, outcome = decision in ANSWERING, text_in(case, "expected_outcome")
        brings, statuses = brings_answer(case), row_statuses(row)

        def passed(attribute):
            return case_flag(scores.get(attribute) if isinstance(scores, dict) else None, "passed")

        self.cases += 1
        self.errors += row.get("error") is not None
        self.unsafe += grounded and not passed("unsafe_answer")
        for i, (asked, counts) in enumerate((
                (True, case_flag(row, "passed")),
                (outcome in MUST_REFUSE or bool(text_in(case, "expected_refusal")), answers),
                (outcome in MUST_ANSWER or bool(text_in(case, "expected_route")), not answers and bool(decision)),
                (grounded and answers, passed("citation_validity")),
                (case_flag(behavior, "must_detect_staleness"), passed("staleness_handling")),
                (case_flag(behavior, "must_surface_conflict"), passed("conflict_handling")),
                (grounded and answers, self.unjudged(row, case)),
                (brings, "contradicted" in statuses),
                (brings, "unsupported" in statuses))):
            self.of[i] += asked
            self.n[i] += asked and counts

    def view(self, earlier):
        """The counts as a document has them."""
        names = GATE_METRICS[:self.EARLIER] if earlier else GATE_METRICS
        return {"cases": number(self.cases), "passed": number(self.n[0]), "errors": number(self.errors),
                "unsafe_answers": number(self.unsafe),
                "metrics": {name: {"n": number(n), "of": number(of), "rate": rate(n, of)}
                            for name, n, of in zip(names, self.n, self.of)}}


def risk_coverage(rows, earlier):
    """The curve of selective answering, and its area."""
    grounded, answered = 0, []
    for row in rows:
        case = row.get("case") if isinstance(row, dict) else None
        if not isinstance(case, dict) or text_in(case, "kind") in CASE_KINDS[1:]:
            continue
        grounded += 1
        if text_in(row, "decision") in ANSWERING:
            best = member_at(row, "signals", "retrieval_confidence_max") if earlier else row_confidence(row)
            if exact(best) is None:
                best = number(0)
            answered.append((exact(best), best, case_flag(row, "passed")))
    answered.sort(key=lambda one: -one[0])
    points, area, failed, seen = [], 0, 0, 0
    for value, same in itertools.groupby(answered, key=lambda one: one[0]):
        same = list(same)
        failed += sum(not one[2] for one in same)
        seen += len(same)
        points.append({"confidence": same[0][1], "answered": number(seen), "failed": number(failed),
                       "coverage": rate(seen, grounded), "risk": rate(failed, seen)})
        area += round(fractions.Fraction(len(same) * failed * TERM_SCALE, seen))
    return {"cases": number(grounded), "answered": number(seen), "points": points,
            "area": rounded(fractions.Fraction(area, grounded * TERM_SCALE)) if seen else None}


def run_summary(rows, earlier):
    """The summary of the rows of a run, and the tally of all of them."""
    whole, slices = Tally(), {name: Tally() for name in ("high_risk", "conflict", "stale")}
    for row in rows:
        if not isinstance(row, dict):
            continue
        case = row.get("case")
        case = case if isinstance(case, dict) else None
        grounded = case is not None and text_in(case, "kind") not in CASE_KINDS[1:]
        behavior = (case or {}).get("required_behavior")
        named = (case or {}).get("slices")
        names = [name for name, is_in in (("high_risk", text_in(case, "risk_level") == "high"),
                                          ("conflict", case_flag(behavior, "must_surface_conflict")),
                                          ("stale", case_flag(behavior, "must_detect_staleness"))) if is_in]
        names += [name for name in (named if isinstance(named, list) else []) if isinstance(name, str)]
        whole.add(row, case, grounded)
        for name in dict.fromkeys(names):
            if name not in slices and len(slices) < MAX_SLICES:
                slices[name] = Tally()
            if name in slices:
                slices[name].add(row, case, grounded)
    return {**whole.view(earlier), "slices": {name: tally.view(earlier) for name, tally in slices.items()},
            "risk_coverage": risk_coverage(rows, earlier)}, whole


def shipped_gate(tally):
    """The outcome of a gate with the shipped rules."""
    bounds = ((1, 0, False), (0, fractions.Fraction(85, 100), True), (3, fractions.Fraction(99, 100), True))
    if any(tally.of[i] and (tally.n[i] < bound * tally.of[i] if least else tally.n[i] > bound * tally.of[i])
           for i, bound, least in bounds):
        return "fail"
    return "inconclusive" if any(not tally.of[i] for i, _, _ in bounds) else "pass"


def engine_digest(evaluator):
    """The digest of the evaluator without its configuration."""
    digests = evaluator.get("digests")
    if isinstance(digests, dict):
        evaluator = {**evaluator, "digests": without(digests, "decision_config")}
    return digest(evaluator)


def run_closure(document):
    """The rows are the cases of the suite, and each digest is that of what it names."""
    for key in RUN_MEMBERS:
        need(key in document, "%s is missing" % key)
    rows = document["cases"]
    need(isinstance(rows, list), "cases is no array")
    ids = set()
    for i, row in enumerate(rows, 1):
        case = row.get("case") if isinstance(row, dict) else None
        need(isinstance(case, dict), "a row has no case")
        need(text_in(row, "id") and text_in(row, "id") == text_in(case, "id"), "a row has another id than its case")
        need(isinstance(row.get("ordinal"), Num) and canonical(row["ordinal"]) == str(i), "the rows are not in their order")
        need(row.get("digest") == digest(case), "a case does not hash to its digest")
        ids.add(row["id"])
    need(len(ids) == len(rows), "a case stands twice")
    suite, config = document["suite"], document["config"]
    need(isinstance(suite, dict) and isinstance(suite.get("documents"), list) and "now" in suite, "suite is malformed")
    need(suite.get("digest") == digest({"cases": [row["digest"] for row in rows], "documents": suite["documents"],
                                        "now": suite["now"]}), "the cases are not those of the suite")
    need(isinstance(config, dict), "config is no object")
    try:
        need(set(config) in (set(CONFIG), set(CONFIG_1)), "config is not a whole configuration")
        Settings(config, True)
    except Broken:
        raise Broken("config is not a whole configuration") from None
    need(document["config_digest"] == digest(config), "config does not hash to config_digest")
    evaluator = member_at(document, "reproduce", "evaluator")
    need(isinstance(evaluator, dict), "reproduce has no evaluator")
    need(document["engine_digest"] == engine_digest(evaluator), "the evaluator does not hash to engine_digest")
    need(document["digest"] == digest({"suite": suite["digest"], "config": document["config_digest"],
                                       "engine": document["engine_digest"], "cases": rows,
                                       "summary": document["summary"]}), "the content does not hash to digest")


def run_replay(document, _terms=None):
    """Recomputing gives the recorded scores of every row, the metrics and the verdict."""
    rows, config, phrases = document.get("cases"), document.get("config"), document.get("insufficiency")
    thresholds = [exact(member_at(config, key)) for key in ("confidence_threshold", "confidence_threshold_high_risk")]
    need(isinstance(rows, list) and isinstance(phrases, list) and None not in thresholds and "suite" in document,
         "cases, config or insufficiency are malformed")
    floor = exact(config.get("floor"))
    need("floor" not in config or floor is not None, "cases, config or insufficiency are malformed")
    terms = (*thresholds, Phrases(("insufficiency", one) for one in phrases if isinstance(one, str)), floor,
             config.get("judge_entailment") is not None)
    rules = member_at(document, "reproduce", "evaluator", "rules")
    rules = rules if isinstance(rules, list) else []
    differences = []
    for row in rows:
        again = CaseScores(row, terms, EARLIER_SCORES in rules)
        if not isinstance(row, dict) or not same_as(row.get("scores", ABSENT), again.scores) or \
                row.get("passed") is not again.passed:
            differences.append("cases")
            break
    summary, whole = run_summary(rows, EARLIER_METRICS in rules)
    if not same_as(document.get("summary", ABSENT), summary):
        differences.append("summary")
    elif document.get("verdict") != shipped_gate(whole):
        differences.append("verdict")
    if differences:
        raise Broken("recomputing gives something else", differences=[
            {"field": field, "reason": "recomputing gives something else"} for field in differences])
