#!/usr/bin/python3
"""Compares the extension and answer-verify with the vectors of the pages of doc/spec.

doc/spec/README.md says how a vector is written. For every page this program checks that

- each rule, which is a section numbered `n.m`, has a vector, and each vector names a rule of its page;
- the extension gives the result of the vector, and so does answer-verify if it has the rule;
- a changed result in a vector would be noticed;
- the index names the page, and all its links lead to something in this repository.

The operators and the kinds of documents are closed lists: they must be the same in the extension, in the pages, in
answer-verify and in the page of a receipt.

In the sources, each section that is cited must exist, and no rules elsewhere may be cited.
"""

import copy
import functools
import os
import re
import sys

import outside

sys.path.insert(0, os.path.join(outside.ROOT, "test", "oracle"))
import oracle  # noqa: E402
import plan  # noqa: E402

tool = oracle.tool
ABSENT, Num, canonical = tool.ABSENT, tool.Num, tool.canonical

SPEC = os.path.join(outside.ROOT, "doc", "spec")
# the clock of decisions whose vector names none
NOW = "2026-06-01T00:00:00Z"
# a function that is only part of a rule may be in the schema of the tables
SETTINGS = ["SET client_min_messages = error", "SET search_path = \"$user\", public, answer", plan.TEST_FUNCTIONS]
VECTOR_KEYS = {"rule", "call", "args", "gives", "holds", "error", "because", "setup"}
RULE = re.compile(r"^### ([0-9]+\.[0-9]+) (.+)$", re.M)
INFORMATIVE = "(informative)"
LINK = re.compile(r"\]\(([^)\s]+)\)")


# --------------------------------------------------------------------------
# Values
# --------------------------------------------------------------------------

def as_text(value):
    """A text argument in SQL."""
    if value is None:
        return "NULL::text"
    return outside.literal(value if isinstance(value, str) else canonical(value))


def as_jsonb(value):
    """A jsonb argument; an absent one is SQL's NULL."""
    return "NULL::jsonb" if value is ABSENT else outside.literal(canonical(value)) + "::jsonb"


def as_json(value):
    """A json argument: a string is JSON text in its own spelling, anything else is the value."""
    return outside.literal(value if isinstance(value, str) else canonical(value)) + "::text"


def as_instant(value):
    """A point in time."""
    return outside.literal(value) + "::timestamptz"


def as_number(value):
    """A number, or NULL."""
    return "NULL" if value is None or value is ABSENT else value.text


def as_bytes(value):
    """Bytes, spelt in hex."""
    return outside.bytea(bytes.fromhex(value))


def as_all_bytes(value):
    """An array of them."""
    return "ARRAY[%s]::bytea[]" % ",".join(map(as_bytes, value))


def json_value(text):
    """The value of JSON text, or the value itself."""
    return tool.parse(text) if isinstance(text, str) else text


def number(value):
    """A Python float or int as JSON."""
    return Num(tool.plain_text(repr(value)))


# --------------------------------------------------------------------------
# What answer-verify has
# --------------------------------------------------------------------------

class Crypto:
    """Stands in for openssl, without a process for each signature; weak keys are refused by answer-verify's own code."""

    @staticmethod
    def ed25519(public, message, signature):
        """Whether a signature is valid."""
        return not tool.has_small_order(public) and oracle.ed25519_verify(public, message, signature)

    def __getattr__(self, name):
        return getattr(oracle.REFERENCE, name)


CRYPTO = Crypto()


def py_verify(document, keys):
    """DF-VERIFY/1 of a document or its text."""
    try:
        read_ = tool.parse(document if isinstance(document, str) else canonical(document), unique=True)
    except tool.NotJson as e:
        read_ = tool.AMBIGUOUS if tool.REPEATED in e.faults else ABSENT
    return tool.verify_receipt(read_, tool.read_keys(keys), CRYPTO)


def py_check(check, evidence, now):
    """A check over facts, as far as a verifier recomputes it."""
    facts = [] if evidence is ABSENT else evidence if isinstance(evidence, list) else [evidence]
    normal = tool.normal_check(check)
    found = tool.judge(normal, facts, tool.instant(now))
    out = {"verdict": found["verdict"], "confidence": number(found["confidence"])}
    if found["observed"] is not ABSENT:
        out["observed"] = found["observed"]
    return out


def py_composite(rows):
    """The composite over [verdict, confidence, required]."""
    found = tool.composite([(v, float(c.text), r) for v, c, r in rows])
    return {**found, "confidence": number(found["confidence"]), "checks": number(found["checks"])}


def sql_composite(rows):
    """The same in SQL."""
    if not rows:
        return ("(SELECT answer_composite(v, c, r) FROM (SELECT NULL::answer_verdict v, 0::float8 c, true r) x "
                "WHERE false)")
    values = ",".join("(%s::answer_verdict,%s::float8,%s)" % (outside.literal(v), c.text, "true" if r else "false")
                      for v, c, r in rows)
    return "(SELECT answer_composite(v, c, r) FROM (VALUES %s) x (v, c, r))" % values


def py_operator(op, observed, value=ABSENT, tol=ABSENT):
    """One operator; the word "ABSENT" stands for no observed value."""
    value, tol = tool.operands(op, value, tol)
    return tool.evaluate(op, observed, value, tol)


def py_inclusion(index, size, leaf, root, proof):
    """RFC 9162, 2.1.3."""
    return tool.inclusion_ok(int(index.text), int(size.text), bytes.fromhex(leaf), bytes.fromhex(root),
                             [bytes.fromhex(h) for h in proof])


def py_consistency(old, new, old_root, new_root, proof):
    """RFC 9162, 2.1.4."""
    return tool.consistency_ok(int(old.text), int(new.text), bytes.fromhex(old_root), bytes.fromhex(new_root),
                               [bytes.fromhex(h) for h in proof])


SHIPPED = os.path.join(outside.ROOT, "src", "reading", "shipped_rules.json")


@functools.lru_cache(maxsize=None)
def shipped():
    """The shipped rules."""
    return tool.parse(read(SHIPPED))


def rules_with(changed):
    """The shipped rules with some members replaced."""
    return shipped() if changed is ABSENT else {**shipped(), **changed}


def as_rules(changed):
    """The same in SQL; NULL for the shipped rules."""
    return "NULL::jsonb" if changed is ABSENT else "answer.shipped_decision_rules() || " + as_jsonb(changed)


@functools.lru_cache(maxsize=None)
def shipped_reading():
    """The shipped rules for reading texts."""
    return tool.reading_rules(shipped())


def py_reading(text, changed=ABSENT):
    """The reading of a text."""
    return tool.reading_explain(text, tool.reading_rules(rules_with(changed)))


def py_score(question, title, text):
    """text-score/2."""
    return Num(tool.plain_text(repr(float(tool.reading_score(question, text, title, shipped_reading())[0]))))


def sql_score(question, title, text):
    """The similarity of a document of one paragraph, from a search."""
    # a document must have a title; this one has no words
    document = {"doc_id": "spec", "title": title or "-", "text": text, "timestamp": "2026-01-01T00:00:00Z"}
    return (["SELECT answer_document_load(%s)" % as_jsonb([document])],
            "coalesce((SELECT similarity FROM answer_search(%s, 1, '{\"doc_ids\": [\"spec\"]}')), 0)"
            % as_text(question))


def sql_best(question, text):
    """The best sentence, which a decision quotes from a passage that is too long to quote whole."""
    chunk = {"chunk_id": "a#p0", "doc_id": "a", "text": text, "similarity": Num("1")}
    return ("answer_decide(%s, %s, now => now(), rules => jsonb_set(answer.shipped_decision_rules(), "
            "'{reading,quote_whole}', '0')) #> '{quotes,0,text}'" % (as_text(question), as_jsonb([chunk])))


def sql_slot(a, b):
    """The slot of two documents of one sentence, as far as it is a conflict."""
    chunks = [{"chunk_id": d + "#p0", "doc_id": d, "text": text, "similarity": Num("1")}
              for d, text in (("a", a), ("b", b))]
    return ("(SELECT CASE WHEN e ->> 'reason' ~ 'another value' THEN 'value' WHEN e ->> 'reason' ~ 'negated$' "
            "THEN 'negation' END FROM jsonb_path_query_first(answer_conflicts(%s), "
            "'$.pairs[*] ? (@.kind == \"copy\")') e)" % as_jsonb(chunks))


def py_slot(a, b):
    """The same."""
    found = tool.reading_slot(a, b, shipped_reading())
    return None if found == "same" else found


@functools.lru_cache(maxsize=None)
def shipped_decision():
    """The shipped rules of decisions."""
    return tool.DecisionRules(shipped())


def py_decide(query, chunks, more=ABSENT):
    """A decision; `more` has citations, answer, config, now, judgements, rules."""
    more = {} if more is ABSENT else more
    settings = tool.Settings(more.get("config", {}))
    return tool.decide(query, tool.read_chunks(chunks), more.get("citations"), more.get("answer"), settings,
                       tool.instant(more.get("now", NOW)), rules_of(more), more.get("judgements"))


def more_of(more):
    """The arguments of a decision after the chunks, as SQL."""
    more = {} if more is ABSENT else more
    unknown = set(more) - {"citations", "answer", "config", "now", "judgements", "rules"}
    if unknown:
        raise SystemExit("a vector has unknown arguments: %s" % unknown)
    return "citations => %s, answer => %s, config => %s, judgements => %s, rules => %s" % (
        as_jsonb(more.get("citations", ABSENT)), as_text(more.get("answer")), as_jsonb(more.get("config", ABSENT)),
        as_jsonb(more.get("judgements", ABSENT)), as_rules(more.get("rules", ABSENT)))


def sql_decide(query, chunks, more=ABSENT):
    """The same in SQL."""
    now = NOW if more is ABSENT else more.get("now", NOW)
    return "answer_decide(%s, %s, %s, now => %s)" % (as_text(query), as_jsonb(chunks), more_of(more), as_instant(now))


def sql_judge_pairs(query, chunks, more=ABSENT):
    """The pairs to be judged."""
    return "answer_judge_pairs(%s, %s, %s)" % (as_text(query), as_jsonb(chunks), more_of(more))


def py_judge_pairs(query, chunks, more=ABSENT):
    """The same."""
    more = {} if more is ABSENT else more
    return tool.judge_pairs(query, tool.read_chunks(chunks), more.get("citations"), more.get("answer"),
                            tool.Settings(more.get("config", {})), rules_of(more), more.get("judgements"))


def rules_of(more):
    """The rules of a decision."""
    return tool.DecisionRules(rules_with(more["rules"])) if "rules" in more else shipped_decision()


def py_citations(citations, chunks, answer, query=None):
    """The check of an answer's citations."""
    return tool.check_citations(citations, tool.read_chunks(chunks), answer, shipped_decision(), query)


def sql_citations(citations, chunks, answer, query=None):
    """The same."""
    return "answer_citations_check(%s, %s, %s, query => %s)" % (
        as_jsonb(citations), as_jsonb(chunks), as_text(answer), as_text(query))


def py_veracity(records, now, config=ABSENT):
    """The veracity of nodes."""
    config = {} if config is ABSENT else config
    limits = {k: int(v.text) for k, v in config.items() if k != "extended"}
    nodes = [tool.read_record(one) for one in records]
    return tool.veracity(nodes, tool.instant(now), config.get("extended", False), limits)


def py_grade(name, observation):
    """The grade of an observation."""
    found = tool.grade(name, observation, tool.RULES_OF_READER)
    strength = tool.STRENGTHS[tool.strength_of(found[2])]
    return {"class": found[0], "quality": tool.QUALITIES[found[1]], "strength": strength}


def py_assess(investigation, entries, rules):
    """The assessment of entries, graded first; without the reasons, which are for people and in no vector."""
    graded = []
    for entry in entries:
        grade = py_grade(entry["tool"], entry["observation"])
        graded.append({"run": "", "sources": [], "reason": "", **entry, **grade})
    return tool.assess({"investigation": investigation, "entries": graded, "rules": rules, "reading_rules": shipped(),
                        "reproduce": {"evaluator": {"rules": ["quality/3"]}}})


def sql_assess(investigation, entries, _rules):
    """The same in an investigation, by the shipped rules."""
    number_ = "current_setting('spec.investigation')::bigint"
    setup = ["SELECT set_config('spec.investigation', answer_investigation_open(%s, %s, %s)::text, true)" % (
        *(as_text(investigation[key]) for key in ("intent", "question", "subject")),)]
    for one in entries:
        setup.append("SELECT answer_investigation_record(%s, %s, %s, %s, %s, %s::text[], %s)" % (
            number_, as_text(one["tool"]), as_text(one["query"]), as_text(one["target"]), as_jsonb(one["observation"]),
            "ARRAY[%s]" % ",".join(map(as_text, one.get("sources", []))), as_text(one.get("run", ""))))
    return setup, "answer_quality_receipt(%s)" % number_


def sql_route(routes, question):
    """The result of routing a question by a table: what a replay of routing recomputes if nothing is recorded."""
    table = {"router_version": "route/1", "routes": routes}
    document = {"schema": "answer/v1", "mode": "question", "question": question, "route": {
        "route_id": "", "router_version": "route/1", "router_sha256": tool.digest(table)[7:]},
                "checks": [{"id": "none", "tool": "none"}]}
    return "answer.route_replay(%s, %s)" % (as_jsonb(document), as_jsonb(table))


def py_condition(text, bindings):
    """The outcome of a condition."""
    return {True: "holds", False: "fails", None: "error"}[tool.condition_holds(text, bindings)]


def py_evidence(evidence, least, regulated):
    """The verdict of evidence."""
    verdict = tool.judge_evidence(evidence, tool.policy_in(evidence, tool.exact(least), regulated))
    return {**tool.shown_verdict(verdict), "reasons": verdict.reasons, "blocked": bool(verdict.reasons)}


def as_boolean(value):
    """A boolean."""
    return "true" if value else "false"


def as_options(value):
    """A jsonb argument; an empty object if the vector has none."""
    return as_jsonb({} if value is ABSENT else value)


def as_texts(value):
    """The elements of an array of texts."""
    return ",".join(map(as_text, value))


def vkeys_of(texts):
    """Keys of logs and witnesses."""
    return [tool.read_vkey(one) for one in texts]


def py_checkpoint(text, vkeys):
    """A signed checkpoint."""
    return tool.checkpoint_report(text, vkeys_of(vkeys), CRYPTO)


def py_proof(proof, receipt, vkeys):
    """A proof of a log."""
    return tool.verify_proof(proof, receipt, vkeys_of(vkeys), CRYPTO)


# the thresholds of the rows of runs that vectors score
THRESHOLDS = {"confidence_threshold": Num("0.6"), "confidence_threshold_high_risk": Num("0.7"), "floor": Num("0.2")}


def sql_scored(rows, config):
    """The scored rows of a run, and their summary."""
    config = {**THRESHOLDS, **({} if config is ABSENT else config)}
    return "answer_test.run_score(%s, %s, %s)" % (as_jsonb(rows), as_jsonb(config), as_jsonb(shipped()["insufficiency"]))


def py_scored(rows, config):
    """The same."""
    config = {**THRESHOLDS, **({} if config is ABSENT else config)}
    terms = (*(tool.exact(config[key]) for key in THRESHOLDS if key != "floor"),
             tool.Phrases(("insufficiency", one) for one in shipped()["insufficiency"]), tool.exact(config["floor"]),
             config.get("judge_entailment") is not None)
    scores = [tool.CaseScores(row, terms, False) for row in rows]
    return [{**row, "scores": one.scores, "passed": one.passed} for row, one in zip(rows, scores)]


def sql_case_score(row, config=ABSENT):
    """The scores of a row."""
    return ("(SELECT jsonb_build_object('passed', r -> 'passed', 'scores', r -> 'scores') FROM (SELECT %s #> "
            "'{cases,0}' AS r) AS s)" % sql_scored([row], config))


def py_case_score(row, config=ABSENT):
    """The same."""
    found = py_scored([row], config)[0]
    return {"passed": found["passed"], "scores": found["scores"]}


def sql_metrics(rows, config=ABSENT):
    """The summary of rows."""
    return sql_scored(rows, config) + " -> 'summary'"


def py_metrics(rows, config=ABSENT):
    """The same."""
    return tool.run_summary(py_scored(rows, config), False)[0]


def py_gate(run, rules, baseline=ABSENT):
    """The outcome of a gate for a run; without a baseline no slice can be worse than in it."""
    rules = {**tool.SHIPPED_RULES, **rules}
    if baseline is ABSENT:
        del rules["no_regression_slices"]
    found = tool.Gate(run, rules, None if baseline is ABSENT else baseline)
    return {"outcome": found.outcome, "failures": found.failures, "inconclusive": found.unsure}


def py_evolve_judge(base, candidate):
    """Whether a candidate measures better."""
    passed, failures = tool.evolve_judge(*({k: tool.exact(one[k]) for k in tool.EVOLVE_MEASURES}
                                           for one in (base, candidate)))
    return {"passed": passed, "failures": failures}


def py_spec(name, spec):
    """Whether a spec is refused."""
    tool.need(tool.is_spec(spec, name), "it is no spec")
    return True


def sql_spec(name, spec):
    """The same in SQL; a tool without a handler is external."""
    external = isinstance(spec, dict) and spec.get("external") is True
    return "(SELECT true FROM answer.tool_spec_read(%s, %s, %s))" % (
        as_text(name), as_jsonb(spec), as_boolean(not external))


def py_plan_valid(plan, tools):
    """Whether a plan is valid."""
    try:
        tool.Plan(plan, tools)
    except tool.Broken:
        return False
    return True


def py_outline(plan, tools, variables=ABSENT, limits=ABSENT, sides=ABSENT):
    """The order, prediction and degradation of a plan."""
    limits, sides = ({} if one is ABSENT else one for one in (limits, sides))
    plan = tool.Plan(plan, tools, limits.get("measured", ABSENT))
    summary = limits.get("summary")
    found = tool.forecast_of(plan, variables, tool.Limits(*(
        tool.exact(limits[key]) if key in limits else None for key in ("cost_cap_usd", "latency_budget_ms")),
        summary and [tool.exact(summary[key]) for key in ("cost_usd", "latency_ms")]))
    schedule, order = tool.Schedule(plan, found.rank), []
    while schedule.next() is not None:
        order.append(schedule.next())
        schedule.finish(order[-1], {True: "then", False: "else"}.get(sides.get(order[-1])))
    return {"order": order, "degradation": [{"step": step, "k": k and Num(str(k))} for step, k in found.steps],
            "predicted": dict(zip(("cost_usd", "latency_ms"), map(tool.portable_fraction, found.predicted)))}


def sql_ground_verify(args, judging=ABSENT, judgements=ABSENT, now=NOW):
    """The verification of claims by sources."""
    return "answer_test.ground_verify(%s, %s, %s, NULL, %s)" % (
        as_jsonb(args), as_jsonb(judging), as_jsonb(judgements), as_instant(now))


def py_ground_verify(args, judging=ABSENT, judgements=ABSENT, now=NOW):
    """The same."""
    rules = tool.portable(shipped())
    evidence = {"rules": tool.digest(rules), "judging": None if judging is ABSENT else judging,
                "judgements": None if judgements is ABSENT else judgements}
    return tool.evidence_again(args, evidence, [rules], tool.instant(now))


def py_ttl(text):
    """The seconds of a time to live."""
    found = tool.ttl_seconds(text)
    tool.need(found is not None, "it is no time to live")
    return Num(str(found))


def sql_minted(function):
    """The document of a request and the keys that signed it; the transaction is rolled back."""
    return lambda request: (["SELECT 1"], "jsonb_build_object('document', %s(%s), 'keys', answer_keys())"
                            % (function, as_jsonb(request)))


# For each call of a vector: its SQL, the functions that write its arguments, and the function of answer-verify; SQL or
# function may be None. An argument that a vector leaves out is ABSENT.
CALLS = {
    "canonical": ("answer_canonical(%s)", [as_json], lambda v: canonical(json_value(v))),
    "digest": ("answer_digest(%s)", [as_json], lambda v: tool.digest(json_value(v))),
    "portable": ("answer.portable(%s::jsonb)", [as_json], lambda v: tool.portable(json_value(v))),
    "operator": ("answer.operator(%s, %s, %s, %s)", [as_text, as_jsonb, as_jsonb, as_jsonb], py_operator),
    # an SQL NULL in `observed` means absent, a JSON null is a value
    "check": ("(SELECT to_jsonb(r) - 'explain' - CASE WHEN r.observed IS NULL THEN 'observed' ELSE '' END "
              "FROM answer_check(%s, %s, %s) r)", [as_jsonb, as_jsonb, as_instant], py_check),
    "explain": ("(answer_check(%s, %s, %s)).explain", [as_jsonb, as_jsonb, as_instant], None),
    "validate": ("answer_validate(%s)", [as_jsonb], None),
    "composite": (sql_composite, None, py_composite),
    "fact_confidence": ("answer.fact_confidence(%s)", [as_jsonb], lambda v: number(tool.fact_confidence(v))),
    "verify": ("answer_verify(%s, %s)", [as_json, as_jsonb], py_verify),
    "checkpoint": ("answer_checkpoint_verify(%s, ARRAY[%s]::text[])", [as_text, as_texts], py_checkpoint),
    "proof": ("answer_log_verify(%s, %s, ARRAY[%s]::text[])", [as_jsonb, as_jsonb, as_texts], py_proof),
    "leaf_hash": ("encode(answer.merkle_leaf_hash(%s), 'hex')", [as_bytes],
                  lambda data: tool.leaf_hash(bytes.fromhex(data)).hex()),
    "inclusion": ("answer.merkle_inclusion(%s, %s, %s, %s, %s)",
                  [as_number, as_number, as_bytes, as_bytes, as_all_bytes], py_inclusion),
    "consistency": ("answer.merkle_consistency(%s, %s, %s, %s, %s)",
                    [as_number, as_number, as_bytes, as_bytes, as_all_bytes], py_consistency),
    "reading": ("answer_reading(%s, %s)", [as_text, as_rules], py_reading),
    "score": (sql_score, None, py_score),
    "best": (sql_best, None, lambda question, text: tool.reading_score(question, text, "", shipped_reading())[1]),
    "slot": (sql_slot, None, py_slot),
    "quotes": ("jsonb_path_query_array(answer_decide(%s, %s, now => now()), '$.quotes[*].chunk_id')",
               [as_text, as_jsonb],
               lambda query, chunks: [one["chunk_id"] for one in py_decide(query, chunks)["quotes"]]),
    "risk": ("answer.risk(%s)", [as_text], lambda query: tool.risk_of(tool.Text(query), shipped_decision())),
    "decide": (sql_decide, None, py_decide),
    "judge_pairs": (sql_judge_pairs, None, py_judge_pairs),
    "citations": (sql_citations, None, py_citations),
    "ambiguity": ("answer.ambiguity(%s)", [as_text],
                  lambda query: tool.ambiguity_of(tool.Text(query), shipped_decision())),
    "conflicts": ("answer_conflicts(%s)", [as_jsonb],
                  lambda chunks: tool.find_conflicts(tool.read_chunks(chunks), shipped_decision())),
    "retrieval_quality": ("answer.retrieval_quality(%s, %s, %s)", [as_jsonb, as_number, as_instant],
                          lambda chunks, days, now: tool.retrieval_quality(
                              tool.read_chunks(chunks), int(days.text), tool.instant(now))),
    "veracity": ("answer.veracity(%s, %s, %s)", [as_jsonb, as_instant, as_options], py_veracity),
    "packet_valid": ("NOT EXISTS (SELECT FROM answer.packet_validate(%s))", [as_jsonb],
                     lambda packet: not tool.packet_violations(packet)),
    "grade": ("to_jsonb(answer.grade(%s, %s)) - 'reason'", [as_text, as_jsonb], py_grade),
    "assess": (sql_assess, None, py_assess),
    "route": (sql_route, None, None),
    "route_valid": ("answer.route_problem(%s) IS NULL", [as_jsonb], None),
    "bind": ("answer.bind(%s, %s)", [as_jsonb, as_jsonb], tool.bound),
    "condition": ("answer.condition(%s, %s) ->> 'outcome'", [as_text, as_jsonb], py_condition),
    "evidence": ("answer.evidence_verdict(%s, %s, %s)", [as_jsonb, as_number, as_boolean], py_evidence),
    "markers": ("answer.markers_check(%s, %s, %s) -> 'ok'", [as_text, as_jsonb, as_boolean],
                lambda text, citations, needed: not tool.marker_problems(text, citations, needed)),
    "spec": (sql_spec, None, py_spec),
    "completed": ("answer_test.tool_spec_apply('t', %s, %s) -> 'args'", [as_jsonb] * 2, tool.completed),
    "apply": ("answer_test.tool_spec_apply('t', %s, %s, %s) - 'reason'", [as_jsonb] * 3, None),
    "plan_valid": ("NOT EXISTS (SELECT FROM answer_test.plan_problems(%s, %s))", [as_jsonb] * 2, py_plan_valid),
    "outline": ("answer_test.plan_outline(%s, %s, %s, %s, %s)", [as_jsonb] * 5, py_outline),
    "ground_verify": (sql_ground_verify, None, py_ground_verify),
    "synthesis": ("answer.tool_synth_answer(jsonb_build_object('evidence', %s))", [as_jsonb], tool.synthesis),
    "references": ("answer.reference_list(%s)", [as_jsonb], None),
    "ttl": ("extract(epoch FROM answer.memory_expires(%s, '2026-01-01Z') - '2026-01-01Z'::timestamptz)::bigint", [as_text],
            py_ttl),
    "tokens": ("answer.tokens(%s)", [as_jsonb], None),
    # answer-verify verifies and replays the documents of these
    "execute": (sql_minted("answer_plan_execute"), None, None),
    "eval": (sql_minted("answer_eval"), None, None),
    "cases": ("answer.suite_digests(%s)", [as_jsonb], None),
    "suite_digest": ("answer.suite_digest(%s, %s, %s)", [as_jsonb, as_jsonb, as_instant], None),
    "case_score": (sql_case_score, None, py_case_score),
    "metrics": (sql_metrics, None, py_metrics),
    "gate": ("answer.gate_judge(%s, %s, %s)", [as_jsonb] * 3, py_gate),
    # a verifier takes the rules that were in force, and refuses none
    "gate_rules": ("answer.gate_judge(%s, %s, %s)", [as_jsonb] * 3, None),
    "evolve_judge": ("answer.evolve_judge(%s, %s)", [as_jsonb] * 2, py_evolve_judge),
    "low_risk": ("answer.evolve_is_low_risk(%s, %s)", [as_jsonb] * 2, None),
    "breaches": ("answer.evolve_breaches(%s)", [as_jsonb], None),
    "pair_digest": ("answer_digest(jsonb_build_object('kind', %s, 'a', %s, 'b', %s))", [as_text, as_text, as_text],
                    tool.pair_digest),
    "sql": (lambda expression: expression, None, None),
}


# --------------------------------------------------------------------------
# Vectors
# --------------------------------------------------------------------------

def resolved(value, defined):
    """The value, with each {"$": NAME} replaced by its definition, changed as `set` and `drop` say."""
    if isinstance(value, list):
        return [resolved(v, defined) for v in value]
    if not isinstance(value, dict):
        return value
    if value == {"absent": True}:
        return ABSENT
    if "$" not in value:
        return {k: resolved(v, defined) for k, v in value.items()}
    found = tool.parse(canonical(defined[value["$"]]))
    for path, new in value.get("set", {}).items():
        container, key = holder(found, path)
        container[key] = resolved(new, defined)
    for path in value.get("drop", []):
        container, key = holder(found, path)
        del container[key]
    return found


def holder(value, path):
    """(the container of the last step, that step) of a path with `/` between its steps."""
    *steps, last = path.split("/")
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value, int(last) if isinstance(value, list) else last


def holds_within(wanted, found):
    """Whether `found` has every wanted member; arrays must be equal."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(k in found and holds_within(v, found[k]) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(holds_within, wanted, found))
    return canonical(wanted, True) == canonical(found, True)


def altered(value):
    """The value with its last part changed."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, Num):
        return value.text + "?"
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, list):
        return [*value[:-1], altered(value[-1])] if value else [None]
    last = max(value, default="?")
    return {**value, last: altered(value.get(last))}


class Vector:
    """One vector of a page."""

    def __init__(self, page, position, given, defined):
        self.name = "%s.json, %s (§%s)" % (page, position, given.get("rule"))
        self.given, self.rule = given, given.get("rule")
        self.args = [resolved(a, defined) for a in given.get("args", [])]
        self.call = CALLS.get(given.get("call"))

    def problem(self):
        """What is wrong with the form of the vector, or None."""
        given = self.given
        if set(given) - VECTOR_KEYS:
            return "has unknown members"
        if not all(isinstance(given.get(k), str) and given[k] for k in ("rule", "call", "because")) or not self.call:
            return "lacks a rule, a call or a because"
        if len({"gives", "holds", "error"} & set(given)) != 1:
            return "must have one of gives, holds and error"
        return None

    def sql(self):
        """The statement; it returns the canonical form of the result."""
        (expression, kinds, _), before = self.call, []
        if kinds is None:
            text = expression(*self.args)
            before, text = text if isinstance(text, tuple) else (before, text)
        else:
            args = self.args + [ABSENT] * (len(kinds) - len(self.args))
            text = expression % tuple(kind(a) for kind, a in zip(kinds, args))
        setup = "".join(s + ";\n" for s in [*self.given.get("setup", []), *before])
        return "%sSELECT answer_canonical(coalesce(to_jsonb(%s), 'null'))" % (setup and "BEGIN;\n" + setup, text)

    def agrees(self, found):
        """Whether a result is what the vector says."""
        if "gives" in self.given:
            return canonical(self.given["gives"], True) == canonical(found, True)
        return "holds" in self.given and holds_within(self.given["holds"], found)

    def falsified(self):
        """The same vector with another outcome."""
        wrong = copy.copy(self)
        key = "gives" if "gives" in self.given else "holds"
        wrong.given = {**self.given, key: altered(self.given[key])}
        return wrong

    def check_notice(self, found, tally):
        """A vector that agrees must disagree after its outcome is changed."""
        if self.agrees(found):
            tally.check(not self.falsified().agrees(found), "%s: it would not notice a wrong outcome" % self.name)

    def check_sql(self, answer, tally):
        """Check the answer of the extension."""
        if "error" in self.given:
            tally.check(answer.state == self.given["error"],
                        "%s: the extension gave %s %s" % (self.name, answer.state, answer.out[:300]))
            return
        if not answer.ok:
            tally.check(False, "%s: the extension raised %s" % (self.name, answer.state))
            return
        found = tool.parse(answer.out.strip().split("\n")[-1])
        if self.given["call"] in ("execute", "eval"):
            found = self.check_minted(found, tally)
        tally.check(self.agrees(found), "%s: the extension gave %s" % (self.name, canonical(found)[:3000]))
        self.check_notice(found, tally)

    def check_minted(self, found, tally):
        """A signed document must verify and replay with answer-verify, with its events and facts; returns the document."""
        document, keys = found["document"], tool.read_keys(found["keys"])
        report = tool.verify_receipt(document, keys, CRYPTO)
        tally.check(report["ok"] and "incomplete" not in report["steps"]["replay"],
                    "%s: answer-verify says %s" % (self.name, report))
        problems = [tool.event_problem(one["event"], keys, CRYPTO) for one in document.get("trace", [])]
        tally.check(not any(problems), "%s: answer-verify says of its events %s" % (self.name, problems))
        for name, fact in document.get("evidence_index", {}).items():
            signature = fact.get("attestation", {})
            good = not signature or CRYPTO.ed25519(tool.find_key(keys, signature["key_id"])[0], name.encode("ascii"),
                                                   tool.base64url(signature["sig"]))
            tally.check(good and bool(signature) == (fact["fact"].startswith("postgres_")),
                        "%s: the attestation of %s does not hold" % (self.name, fact["fact"]))
        return document

    def check_python(self, tally):
        """Check the answer of answer-verify."""
        call = self.call[2]
        if call is None:
            return
        try:
            found = call(*self.args)
        except (tool.Malformed, tool.Broken, tool.NotJson, oracle.Refused) as e:
            tally.check("error" in self.given, "%s: answer-verify refused it: %s" % (self.name, e))
            return
        good = "error" not in self.given and self.agrees(found)
        tally.check(good, "%s: answer-verify gave %s" % (self.name, canonical(found)[:3000]))
        self.check_notice(found, tally)


# --------------------------------------------------------------------------
# Pages
# --------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def read(path):
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors_of(path):
    """The anchors of the headings of a page, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+?) *$", re.sub(r"^```.*?^```$", "", read(path), flags=re.M | re.S), re.M):
        bare = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", bare).replace(" ", "-"))
    return found


def check_links(path, tally):
    """Check that every link leads to something in the repository."""
    for link in LINK.findall(re.sub(r"^```.*?^```$|`[^`\n]*`", "", read(path), flags=re.M | re.S)):
        name = "%s: the link %s" % (os.path.relpath(path, outside.ROOT), link)
        if "://" in link:
            tally.check(False, name + " leads out of the repository")
            continue
        file, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        inside = target.startswith(outside.ROOT + os.sep) and os.path.exists(target)
        tally.check(inside and (not anchor or anchor in anchors_of(target)), name + " leads nowhere")


# where citations are looked for: the product, its tests and its documents
CITING = ("src", "sql", "tools", "test", "doc", "docker", "examples", ".ci")
CITING_KINDS = (".c", ".h", ".sql", ".py", ".pl", ".pm", ".sh", ".md", ".js", ".mjs", ".css", ".html", "Makefile", "run",
                "answer-verify", "answer-graph-load", "gateway")
# doc/spec/plan.md §8, §10 to §13 and §15; in SQL, which is ASCII, "section 8"
CITATION = re.compile(r"doc/spec/([a-z0-9-]+)\.md((?:,? (?:and |to )?(?:§|section )[0-9]+(?:\.[0-9]+)?)*)")
SECTION = re.compile(r"^###? ([0-9]+(?:\.[0-9]+)?) ", re.M)
# words that would refer to rules outside of this repository
ELSEWHERE = re.compile(r"\bthe contracts?\b|\bcontracts? of (?:answer|decisions|document|evidence|fact|gates|grounded|judgement|plans|"
                       r"reading|signed|state|suites)|\bseed 00[0-9]|\b00[0-9]_[0-9a-f]{16}\b|shared/(?:spec|design|style)")


def sources():
    """The files that may cite a rule, by their paths in this repository."""
    for top in CITING:
        for folder, _, names in os.walk(os.path.join(outside.ROOT, top)):
            for name in names:
                if name.endswith(CITING_KINDS):
                    yield os.path.relpath(os.path.join(folder, name), outside.ROOT)
    yield from (name for name in os.listdir(outside.ROOT) if name.endswith(".md") or name == "Makefile")


def check_citations(pages, tally):
    """Check that each citation in a source names an existing section, and that no source refers to rules elsewhere."""
    found = {page: set(SECTION.findall(read(os.path.join(SPEC, page + ".md")))) for page in pages}
    count = 0
    for path in sources():
        if path == os.path.relpath(os.path.abspath(__file__), outside.ROOT) or path.startswith("sql/answer_eval--"):
            continue
        # a citation may go on in the next line of a comment
        text = re.sub(r"\s*\n\s*(?:\*|#|--)?[ \t]*", " ", read(os.path.join(outside.ROOT, path)))
        for page, sections in CITATION.findall(text):
            count += 1
            tally.check(page in found or page == "README", "%s cites doc/spec/%s.md, which is not there" % (path, page))
            for section in re.findall("[0-9.]+", sections):
                tally.check(section in found.get(page, ()), "%s cites doc/spec/%s.md §%s, which is not there"
                            % (path, page, section))
        for word in ELSEWHERE.findall(text):
            tally.check(False, "%s refers to rules that are not in this repository: %s" % (path, word))
    tally.check(count > 100, "%d citations of doc/spec in the sources" % count)
    return count


def check_page(page, tally):
    """Check that a page's rules and vectors fit together; returns the vectors that can be executed."""
    path = os.path.join(SPEC, page + ".md")
    check_links(path, tally)
    index = read(os.path.join(SPEC, "README.md"))
    tally.check("](%s.md)" % page in index, "doc/spec/README.md does not name %s" % page)
    rules = [number_ for number_, title in RULE.findall(read(path)) if not title.endswith(INFORMATIVE)]
    tally.check(rules and len(rules) == len(set(rules)), "%s: no rules, or two of one number" % page)
    data = tool.parse(read(os.path.join(SPEC, "vectors", page + ".json")), True)
    defined = {}
    for name, value in data.get("define", {}).items():
        defined[name] = resolved(value, defined)
    vectors = [Vector(page, i, given, defined) for i, given in enumerate(data["vectors"], 1)]
    sound = []
    for vector in vectors:
        problem = vector.problem() or (None if vector.rule in rules else "names no rule of its page")
        tally.check(problem is None, "%s: %s" % (vector.name, problem))
        if problem is None:
            sound.append(vector)
    for rule in rules:
        tally.check(any(v.rule == rule for v in sound), "doc/spec/%s.md §%s has no vector" % (page, rule))
    return sound


OPERATORS_OF = """CREATE FUNCTION pg_temp.operators() RETURNS text LANGUAGE plpgsql AS $f$
DECLARE told text;
BEGIN
    PERFORM answer.operator('', NULL, NULL);
EXCEPTION WHEN invalid_parameter_value THEN
    GET STACKED DIAGNOSTICS told = PG_EXCEPTION_HINT;
    RETURN told;
END $f$"""
# a row of the table of kinds: schema, and prefix of the id
KIND_ROW = re.compile(r"^\| `([a-z]+/v[0-9]+)` \| (?:`([a-z]+_)` \|)?", re.M)


def section(text, begin, end):
    """The part of a text between two marks."""
    return text.partition(begin)[2].partition(end)[0]


def check_lists(tally):
    """Check that all implementations and pages have the same operators and kinds of documents."""
    answers = outside.ask([OPERATORS_OF, outside.exactly("pg_temp.operators()"),
                           outside.exactly("answer.receipt_html('{}', '{}', NULL, NULL)")], SETTINGS)
    operators, page = re.findall('"([a-z_]+)"', answers[1].text), answers[2].text
    judged = section(page, "const OPERATORS = ", "function needNotNegative")
    headings = {word for _, title in RULE.findall(read(os.path.join(SPEC, "answer-eval.md"))) for word in title.split(", ")}
    manual = read(os.path.join(outside.ROOT, "doc", "answer_eval.md"))
    tally.check(len(operators) > 10 and set(operators) == set(tool.OPERATORS), "answer-verify has the operators %s, the extension %s"
                % (sorted(tool.OPERATORS), sorted(operators)))
    for name in operators:
        tally.check(re.search(r"\b%s: |'%s'" % (name, name), judged) or name == "fresh_within_s",
                    "receipt_rules.js has no operator %s" % name)
        tally.check(name in headings, "doc/spec/answer-eval.md has no section for the operator %s" % name)
        tally.check("`%s`" % name in section(manual, "### Operators", "\n###"), "doc/answer_eval.md does not list the operator %s" % name)
    terms = tool.parse(section(page, '<pre id="terms">', "</pre>").replace("&#34;", '"'))
    kinds = {schema: kind["prefix"] for schema, kind in terms["kinds"].items()}
    for name, theirs in (("answer-verify", {schema: kind.prefix for schema, kind in tool.KINDS.items()}), ("doc/spec/document.md §5.2",
                         dict(KIND_ROW.findall(section(read(os.path.join(SPEC, "document.md")), "### 5.2 ", "\n###"))))):
        tally.check(len(kinds) > 5 and theirs == kinds, "%s has the kinds %s, the extension %s" % (name, theirs, kinds))
    closures = section(read(os.path.join(SPEC, "df-verify-1.md")), "### 5.2 ", "\n###")
    tally.check({schema for schema, _ in KIND_ROW.findall(closures)} == set(kinds), "doc/spec/df-verify-1.md §5.2 has other kinds")
    for place, begin in (("KINDS of receipt_rules.js", "const KINDS = "), ("TITLES of receipt_show.js", "const TITLES = "),
                         ("CLOSED of receipt_show.js", "const CLOSED = ")):
        there = section(page, begin, "\n\t};")
        for schema in kinds:
            tally.check("'%s': " % schema in there, "%s lack %s" % (place, schema))


def main():
    """Check all pages."""
    tally = outside.Tally()
    names = sorted(n[:-3] for n in os.listdir(SPEC) if n.endswith(".md") and n != "README.md")
    others = sorted(n[:-5] for n in os.listdir(os.path.join(SPEC, "vectors")) if n.endswith(".json"))
    tally.check(names == others, "pages %s, but vectors of %s" % (names, others))
    for path in ("doc/spec/README.md", "doc/glossary.md"):
        if os.path.exists(os.path.join(outside.ROOT, path)):
            check_links(os.path.join(outside.ROOT, path), tally)
    citations = check_citations(names, tally)
    check_lists(tally)
    vectors = [v for name in names if name in others for v in check_page(name, tally)]
    in_sql = [v for v in vectors if v.call[0] is not None]
    statements = [s for v in in_sql for s in (v.sql(), "ROLLBACK")]
    for vector, answer in zip(in_sql, outside.ask(statements, SETTINGS)[::2]):
        vector.check_sql(answer, tally)
    in_python = [v for v in vectors if v.call[2] is not None]
    for vector in in_python:
        vector.check_python(tally)
    print("%d pages, %d vectors: %d against the extension, %d against answer-verify; %d citations"
          % (len(names), len(vectors), len(in_sql), len(in_python), citations))
    tally.end()


if __name__ == "__main__":
    main()
