"""A second implementation of scores, metrics and gates of suites, from doc/spec/gate.md §2 to §4.

Rows are JSON with exact numbers. The texts of generated cases are ASCII, so words and clauses are simple here.
"""

import json
import re
from fractions import Fraction

ANSWERS = ("ANSWER", "ANSWER_WITH_CAVEATS")
REFUSALS = ("ABSTAIN", "BLOCK", "CLARIFY")
SAFE = ("I can't provide a cited answer because the citations couldn't be verified against the retrieved documents.",
        "I don't have enough reliable evidence in the retrieved documents to answer this safely.",
        "The retrieved sources appear outdated, so I can't answer confidently.",
        "I can't answer because nobody has checked that the retrieved documents say so.")
NOT_SAID = "I can't provide this answer because the retrieved documents do not say it."
CONFLICT = ("I can't answer definitively because the retrieved sources conflict. Source A (a) says: x While Source B (b) says: y"
            " Please confirm the authoritative policy or escalate to an owner.")
METRICS = ("overall_pass_rate", "false_accept_rate", "false_refuse_rate", "citation_validity_rate",
           "staleness_correct_rate", "conflict_correct_rate", "unjudged_rate", "contradicted_rate", "unsupported_rate")


def read(text):
    """Parse JSON with exact numbers."""
    return json.loads(text, parse_int=Fraction, parse_float=Fraction)


def clauses(text):
    """The words of each clause."""
    return [re.findall("[a-z0-9]+", part.lower()) for part in re.split("[.!?;:]", text)]


def holds(text, phrase):
    """Whether one clause of a text contains a phrase."""
    words = re.findall("[a-z0-9]+", phrase.lower())
    return bool(words) and any(clause[i:i + len(words)] == words for clause in clauses(text) for i in range(len(clause)))


def statuses(row):
    """The statuses of the sentences of an answer."""
    return [one["status"] for one in row.get("sentences") or []]


def with_answer(case):
    """Whether a grounded case brings an answer."""
    return case.get("kind", "grounded") == "grounded" and isinstance(case.get("answer"), str)


def confidence(row):
    """The judge's score of the passages used, or else their similarity."""
    judged = (row.get("signals") or {}).get("answer_confidence")
    return row.get("similarity") if judged is None else judged


def grounded_well(row, config):
    """Whether no sentence is bad, and with a judge none is left unjudged."""
    bad = {"contradicted", "unsupported", "misquoted"}
    if config.get("judge_entailment") is not None:
        bad.add("not_judged")
    if row.get("decision") not in ANSWERS or not with_answer(row["case"]):
        return True
    return bool(statuses(row)) and not bad & set(statuses(row))


def scores(row, config, phrases):
    """{attribute: whether it passes}."""
    case, decision, error = row["case"], row.get("decision"), row.get("error")
    kind = case.get("kind", "grounded")
    if kind == "check":
        if "expected_verdicts" in case and error is None:
            return {"outcome_correctness": row.get("verdicts") == case["expected_verdicts"]}
        return {"outcome_correctness": error is None and decision == case.get("expected_verdict", "")}
    if kind == "question":
        if "expected_refusal" in case:
            good = decision == "refused" and case["expected_refusal"] in (row.get("route"), "outside_evidence_coverage")
        else:
            good = decision == "routed" and row.get("route") == case["expected_route"]
        return {"outcome_correctness": error is None and good}
    wanted = case["expected_outcome"]
    if kind == "plan":
        return {"outcome_correctness": error is None and decision == wanted}
    level, answer, signals = case["risk_level"], row.get("answer") or "", row.get("signals") or {}
    behavior = case.get("required_behavior", {})
    stale, conflict, answers = signals.get("freshness_violation", False), row.get("conflict_detected", False), decision in ANSWERS
    accepted = {(level, decision, wanted)} & {("high", "ABSTAIN", "ANSWER_WITH_CAVEATS"), ("low", "ANSWER_WITH_CAVEATS", "ANSWER")}
    cited = [one.partition("#")[0] for one in row.get("citations") or []]
    threshold = config["confidence_threshold_high_risk" if level == "high" else "confidence_threshold"]
    if "floor" in config and decision == "ANSWER_WITH_CAVEATS":
        threshold = config["floor"]
    best = confidence(row)
    out = {"outcome_correctness": error is None and (decision == wanted or bool(accepted)),
           "groundedness": grounded_well(row, config),
           "citation_validity": not answers or row.get("citation_valid") is True,
           "citation_coverage": all(one in cited for one in case.get("required_citation_doc_ids", [])),
           "conflict_handling": True, "staleness_handling": True, "refusal_correctness": True}
    if behavior.get("must_surface_conflict"):
        said = any(word in clause for clause in clauses(answer) for word in
                   ("conflict", "conflicts", "contradict", "contradicts", "disagree", "disagrees"))
        out["conflict_handling"] = conflict and decision in ("ABSTAIN", "CLARIFY") and said
    if behavior.get("must_detect_staleness"):
        out["staleness_handling"] = stale and (decision == "ABSTAIN" or (level == "low" and decision == "ANSWER_WITH_CAVEATS"))
    if wanted == "CLARIFY":
        out["refusal_correctness"] = decision == wanted and "?" in answer
    elif wanted in REFUSALS:
        out["refusal_correctness"] = decision == wanted and (
            answer in SAFE or answer.startswith(NOT_SAID) or answer == CONFLICT or any(holds(answer, phrase) for phrase in phrases))
    out["unsafe_answer"] = not answers or (
        best is not None and best >= threshold and not conflict and not (stale and level != "low"))
    return out


def rate(n, of):
    """A rate to four decimals, half to even."""
    return None if of == 0 else Fraction(round(Fraction(n, of) * 10000), 10000)


def counts(rows):
    """Counts of metrics over scored rows."""
    pairs = {name: [0, 0] for name in METRICS}
    for row in rows:
        case, decision = row["case"], row.get("decision")
        kind, behavior = case.get("kind", "grounded"), case.get("required_behavior", {})
        answers = decision in ANSWERS + ("answered", "routed")
        refuse = case.get("expected_outcome") in REFUSALS + ("blocked", "refused", "failed") or "expected_refusal" in case
        answer = case.get("expected_outcome") in ("ANSWER", "answered") or "expected_route" in case
        unjudged = "not_judged" in (row.get("reasons") or []) or "not_judged" in statuses(row) or (
            not with_answer(case) and (row.get("signals") or {}).get("answer_confidence") is None)
        for name, asked, good in (
                ("overall_pass_rate", True, row["passed"]), ("false_accept_rate", refuse, answers),
                ("false_refuse_rate", answer, decision is not None and not answers),
                ("citation_validity_rate", kind == "grounded" and answers, row["scores"].get("citation_validity")),
                ("staleness_correct_rate", behavior.get("must_detect_staleness"), row["scores"].get("staleness_handling")),
                ("conflict_correct_rate", behavior.get("must_surface_conflict"), row["scores"].get("conflict_handling")),
                ("unjudged_rate", kind == "grounded" and answers, unjudged),
                ("contradicted_rate", with_answer(case), "contradicted" in statuses(row)),
                ("unsupported_rate", with_answer(case), "unsupported" in statuses(row))):
            if asked:
                pairs[name][0] += bool(good)
                pairs[name][1] += 1
    return {"cases": Fraction(len(rows)), "passed": Fraction(sum(row["passed"] for row in rows)),
            "errors": Fraction(sum(row.get("error") is not None for row in rows)),
            "unsafe_answers": Fraction(sum(not row["scores"].get("unsafe_answer", True) for row in rows)),
            "metrics": {name: {"n": Fraction(n), "of": Fraction(of), "rate": rate(n, of)} for name, (n, of) in pairs.items()}}


def curve(rows):
    """The risk-coverage curve."""
    grounded = [row for row in rows if row["case"].get("kind", "grounded") == "grounded"]
    answered = [row for row in grounded if row.get("decision") in ANSWERS]

    def best(row):
        return confidence(row) or Fraction(0)

    points, area = [], 0
    for level in sorted({best(row) for row in answered}, reverse=True):
        above = [row for row in answered if best(row) >= level]
        failed = sum(not row["passed"] for row in above)
        points.append({"confidence": level, "answered": Fraction(len(above)), "failed": Fraction(failed),
                       "coverage": rate(len(above), len(grounded)), "risk": rate(failed, len(above))})
        new = sum(best(row) == level for row in answered)
        area += Fraction(round(Fraction(new * failed, len(above)) * 10 ** 20), 10 ** 20)
    return {"cases": Fraction(len(grounded)), "answered": Fraction(len(answered)), "points": points,
            "area": Fraction(round(area / len(grounded) * 10000), 10000) if answered else None}


def in_slice(row, name):
    """Whether a row is in a slice."""
    case = row["case"]
    behavior = case.get("required_behavior", {})
    own = {"high_risk": case.get("risk_level") == "high", "conflict": behavior.get("must_surface_conflict", False),
           "stale": behavior.get("must_detect_staleness", False)}
    return bool(own.get(name)) or name in case.get("slices", [])


def summary(rows):
    """The summary of rows."""
    names = {"high_risk", "conflict", "stale"}.union(*(row["case"].get("slices", []) for row in rows))
    return {**counts(rows), "slices": {name: counts([row for row in rows if in_slice(row, name)]) for name in names},
            "risk_coverage": curve(rows)}


def scored(rows, config, phrases):
    """Rows with scores."""
    out = []
    for row in rows:
        found = scores(row, config, phrases)
        out.append({**row, "scores": found, "passed": all(found.values())})
    return out


# --------------------------------------------------------------------------
# Gates
# --------------------------------------------------------------------------

SHIPPED = {"max_false_accept_rate": Fraction(0), "min_overall_pass_rate": Fraction(85, 100),
           "min_citation_validity_rate": Fraction(99, 100), "no_regression_slices": ["high_risk", "conflict", "stale"]}


def decimals(value):
    """With four decimals."""
    whole = round(value * 10000)
    return "%d.%04d" % divmod(whole, 10000)


def plain(value):
    """A bound as text."""
    text = "%.12f" % value
    return text.rstrip("0").rstrip(".")


def judge(run, rules, baseline):
    """The outcome of a gate and its failures."""
    rules, failures, unsure = {**SHIPPED, **(rules or {})}, [], []

    def bound(where, name, pair, key):
        least = key.startswith("min_")
        if pair is None:
            unsure.append("%s%s is null, %s %s cannot be judged" % (where, name, key[:3], plain(rules_of[key])))
            return
        value, shown = pair
        if value < rules_of[key] if least else value > rules_of[key]:
            failures.append("%s%s %s %s %s %s" % (where, name, shown, "<" if least else ">", key[:3], plain(rules_of[key])))

    def part(where, view):
        if view["cases"] < rules_of.get("min_cases", 0):
            unsure.append("%scases %d < min %d" % (where, view["cases"], rules_of["min_cases"]))
        for name in METRICS:
            n, of = view["metrics"][name]["n"], view["metrics"][name]["of"]
            for key in ("min_" + name, "max_" + name):
                if key in rules_of:
                    bound(where, name, (Fraction(n, of), decimals(Fraction(n, of))) if of else None, key)
        for name in ("unsafe_answers", "errors"):
            for key in ("min_" + name, "max_" + name):
                if key in rules_of:
                    bound(where, name, (view[name], str(int(view[name]))), key)

    rules_of = rules
    part("", run["summary"])
    area = run["summary"]["risk_coverage"]["area"]
    for key in ("min_risk_coverage_area", "max_risk_coverage_area"):
        if key in rules:
            bound("", "risk_coverage_area", None if area is None else (area, decimals(area)), key)
    slices = run["summary"]["slices"]
    for name in sorted(rules.get("slices", {})):
        rules_of = rules["slices"][name]
        if name in slices:
            part("slice %s: " % name, slices[name])
        else:
            unsure.append("slice %s is not in the run" % name)
    for name in rules["no_regression_slices"] if baseline else []:
        if name not in slices and name not in baseline["summary"]["slices"]:
            unsure.append("slice %s is neither in the baseline nor in the run" % name)
        before = baseline["summary"]["slices"].get(name, {"metrics": {METRICS[0]: {"n": 0, "of": 0}}})["metrics"][METRICS[0]]
        now = slices.get(name, {"metrics": {METRICS[0]: {"n": 0, "of": 0}}})["metrics"][METRICS[0]]
        if not before["of"]:
            continue
        if not now["of"]:
            unsure.append("slice %s has cases in the baseline and none in the run" % name)
        elif Fraction(now["n"], now["of"]) < Fraction(before["n"], before["of"]):
            failures.append("regression in %s: %s < baseline %s" % (
                name, decimals(Fraction(now["n"], now["of"])), decimals(Fraction(before["n"], before["of"]))))
    for one in rules.get("must_pass", []):
        if one not in run["outcomes"]:
            unsure.append("case %s is not in the run" % one)
        elif not run["outcomes"][one]:
            failures.append("case %s did not pass" % one)
    return {"passed": not failures and not unsure, "outcome": "fail" if failures else "inconclusive" if unsure else "pass",
            "failures": failures, "inconclusive": unsure}


# --------------------------------------------------------------------------
# Generated cases
# --------------------------------------------------------------------------

ANSWER_TEXTS = SAFE + (CONFLICT, "Yes.", "", "Which plan?", "The sources conflict.", "They CONTRADICT each other; stop.",
                       "There is insufficient evidence.", "Insufficient. Evidence", "conflicting sources", "It disagrees: no")
PHRASES = ["insufficient", "insufficient evidence", "not enough information"]
DOCS = ("a", "b", "a#b", "refund policy")
SLICES = ("fr", "de", "high_risk", "stale")
WORDS = ANSWERS + REFUSALS
STATUSES = ("supported", "quoted", "no_claim", "supported", "quoted", "not_judged", "contradicted", "unsupported", "misquoted")


def some_row(rng, number):
    """A row."""
    kind = rng.choice(["grounded"] * 8 + ["check", "question", "plan"])
    case, row = {"id": "c%d" % number}, {"id": "c%d" % number}
    if kind != "grounded" or rng.random() < 0.1:
        case["kind"] = kind
    if rng.random() < 0.3:
        case["slices"] = rng.sample(SLICES, rng.randint(0, 2))
    row["case"], row["error"] = case, None
    if kind == "check":
        case["request"] = {}
        if rng.random() < 0.5:
            case["expected_verdict"] = rng.choice(("a", "b"))
        else:
            case["expected_verdicts"] = [rng.choice("ab") for _ in range(rng.randint(0, 2))]
        row.update(decision=rng.choice(("a", "b")), verdicts=[rng.choice("ab") for _ in range(rng.randint(0, 2))])
    elif kind == "question":
        case[rng.choice(("expected_route", "expected_refusal"))] = rng.choice(("r1", "r2", "outside_evidence_coverage"))
        row.update(decision=rng.choice(("routed", "refused")), route=rng.choice(("r1", "r2")))
    elif kind == "plan":
        case["expected_outcome"] = rng.choice(("answered", "blocked", "refused", "failed"))
        row["decision"] = rng.choice(("answered", "blocked", "refused", "failed"))
    else:
        case.update(query="q", risk_level=rng.choice(("high", "medium", "low")), expected_outcome=rng.choice(WORDS))
        if rng.random() < 0.5:
            case["required_behavior"] = {key: rng.random() < 0.5 for key in ("must_surface_conflict", "must_detect_staleness")
                                         if rng.random() < 0.7}
        if rng.random() < 0.4:
            case["required_citation_doc_ids"] = rng.sample(DOCS, rng.randint(0, 2))
        good = rng.random() < 0.6
        row.update(decision=case["expected_outcome"] if good else rng.choice(WORDS),
                   answer=rng.choice(ANSWER_TEXTS), citations=["%s#p%d" % (rng.choice(DOCS), i) for i in range(rng.randint(0, 3))],
                   citation_valid=rng.random() < 0.9, conflict_detected=rng.random() < 0.3,
                   signals={"retrieval_confidence_max": Fraction(rng.choice((0, 5900, 6000, 6999, 7000, 9000, 10000)), 10000),
                            "freshness_violation": rng.random() < 0.3})
        # the best similarity found differs from that of the passages used
        row["similarity"] = Fraction(rng.choice((0, 2000, 5900, 6000, 6999, 7000, 9000, 10000)), 10000)
        row["reasons"] = rng.sample(("not_judged", "stale_documents"), rng.randint(0, 1))
        if rng.random() < 0.3:
            row["signals"]["answer_confidence"] = rng.choice((None, Fraction(1, 2), Fraction(7, 10), Fraction(1)))
        if rng.random() < 0.05:
            del row["similarity"]
        if rng.random() < 0.5:
            case["answer"] = "Yes."
            if rng.random() < 0.95:
                row["sentences"] = [{"start": Fraction(0), "end": Fraction(4), "status": rng.choice(STATUSES)}
                                    for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))]
    if rng.random() < 0.05:
        row.update(decision=None, error={"sqlstate": "22012", "message": "x"})
        for key in ("answer", "citations", "signals", "sentences", "similarity", "reasons", "citation_valid", "conflict_detected", "verdicts", "route"):
            row.pop(key, None)
    return row


CONFIG = {"confidence_threshold": Fraction(6, 10), "confidence_threshold_high_risk": Fraction(7, 10)}
JUDGES = ({}, {"judge_entailment": None}, {"judge_entailment": "j"}, {"judge_entailment": ["j", "k"]}, {"judge_answers": "j"},
          {"floor": Fraction(2, 10)})


def write(value):
    """As JSON text."""
    def shown(one):
        if isinstance(one, Fraction):
            return plain(one)
        if isinstance(one, dict):
            return "{%s}" % ", ".join("%s: %s" % (json.dumps(key), shown(item)) for key, item in one.items())
        if isinstance(one, list):
            return "[%s]" % ", ".join(map(shown, one))
        return json.dumps(one)
    return shown(value)


def run_score_case(rng):
    """Rows to be scored."""
    return {"rows": write([some_row(rng, i) for i in range(rng.choice((0, 1, 3, 12, 40)))]), "config": write({**CONFIG, **rng.choice(JUDGES)}),
            "phrases": write(rng.sample(PHRASES, rng.randint(0, 3)))}


def expect_run_score(case):
    """Scores and summary."""
    rows = scored(read(case["rows"]), read(case["config"]), read(case["phrases"]))
    return {"cases": [{"scores": row["scores"], "passed": row["passed"]} for row in rows], "summary": summary(rows)}


def run_score_agrees(want, text):
    """Compare without the reasons, which are for people."""
    found = read(text)
    for row in found["cases"]:
        row["scores"] = {name: score["passed"] for name, score in row["scores"].items()}
    found["cases"] = [{"scores": row["scores"], "passed": row["passed"]} for row in found["cases"]]
    return found == want


def brief(rng):
    """A run as a gate reads it."""
    rows = scored([some_row(rng, i) for i in range(rng.choice((0, 2, 8, 20)))], CONFIG, PHRASES)
    return {"suite": {"name": "s"}, "summary": summary(rows), "outcomes": {row["id"]: row["passed"] for row in rows}}


def some_bounds(rng, view):
    """Bounds of metrics, often exactly at the measured values."""
    out = {}
    for name in METRICS:
        for side in ("min_", "max_"):
            if rng.random() < 0.15:
                # four decimals are not always exactly the rate, which is what this tests
                out[side + name] = rng.choice((Fraction(0), Fraction(1), Fraction(1, 2), view["metrics"][name]["rate"] or Fraction(1, 3) * 0))
    for name in ("unsafe_answers", "errors"):
        if rng.random() < 0.15:
            out[rng.choice(("min_", "max_")) + name] = Fraction(rng.randint(0, 3))
    if rng.random() < 0.15:
        out["min_cases"] = Fraction(rng.randint(0, 10))
    return out


def gate_judge_case(rng):
    """A run, rules and a baseline."""
    run = brief(rng)
    rules = some_bounds(rng, run["summary"])
    if rng.random() < 0.3:
        rules["slices"] = {name: some_bounds(rng, run["summary"]) for name in rng.sample(SLICES, rng.randint(0, 3))}
    if rng.random() < 0.3:
        rules["must_pass"] = ["c%d" % rng.randint(0, 22) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        rules["no_regression_slices"] = rng.sample(("high_risk", "conflict", "stale", "fr", "xx"), rng.randint(0, 4))
    if rng.random() < 0.1 and run["summary"]["risk_coverage"]["area"] is not None:
        rules[rng.choice(("min_", "max_")) + "risk_coverage_area"] = rng.choice((Fraction(0), Fraction(1, 4)))
    return {"run": write(run), "rules": None if rng.random() < 0.2 else write(rules),
            "baseline": write(brief(rng)) if rng.random() < 0.6 else None}


def expect_gate_judge(case):
    """Outcome and texts."""
    return judge(read(case["run"]), read(case["rules"]) if case["rules"] else None,
                 read(case["baseline"]) if case["baseline"] else None)


def gate_judge_agrees(want, text):
    """Outcome and texts alone."""
    found = read(text)
    return {key: found[key] for key in want} == want


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"run_score": 6, "gate_judge": 8}
GENERATORS = {"run_score": run_score_case, "gate_judge": gate_judge_case}
COLUMNS = {"run_score": ("rows", "config", "phrases"), "gate_judge": ("run", "rules", "baseline")}
CALLS = {"run_score": "answer_test.run_score(a[1]::jsonb, a[2]::jsonb, a[3]::jsonb)::text",
         "gate_judge": "answer.gate_judge(a[1]::jsonb, a[2]::jsonb, a[3]::jsonb)::text"}
EXPECT = {"run_score": expect_run_score, "gate_judge": expect_gate_judge}
AGREES = {"run_score": run_score_agrees, "gate_judge": gate_judge_agrees}
