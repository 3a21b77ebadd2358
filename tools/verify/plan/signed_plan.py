"""Closure and replay of plans (plan/v1): doc/spec/plan.md §5 and §16."""

from verify.document.json_text import ABSENT
from verify.document.members import is_texts, member_at
from verify.document.portable_number import exact, portable_fraction
from verify.document.canonical import digest, same_as, without
from verify.document.small_text import instant
from verify.df_verify_1.report import Broken, member_of, need, reportable
from verify.decision.decision_rules import DecisionRules
from verify.decision.pinned_rules import LacksRules, names_rules, whole_rules
from verify.decision.shipped_rules import known_rules
from verify.decision.chunk import number
from verify.plan.confidence import CONFIDENCE_FLOOR, Freshness, Policy, share_of
from verify.plan.ground_verify import ages_of, EARLIER_VERIFY, panel_of, Scale, Verification, VERIFY_METHOD, whole_of
from verify.plan.synthesis import synthesis
from verify.plan.plan import amount, Limits, Plan, ZERO
from verify.plan.origin import origin_terms_of
from verify.plan.cited_text import TEXT_RULE
from verify.plan.course import Course, declares_evidence, Differs, EarlierRule, LeftOut, makes_text, UNKNOWN

PLAN_MEMBERS = ("plan_id", "trace_id", "evaluated_at", "plan", "vars", "request", "tools", "limits", "predicted",
                "degradation", "policy", "trace", "last_event", "verdict", "reason", "response", "caveats",
                "budget_used", "reproduce")
OUTSIDE_REASONS = {"budget": "refused", "budget_busy": "refused", "recovered": "failed", "expired": "failed",
                   "size": "failed"}
LEFT_OUT = "inputs or outputs were left out of the document for their size"


def events_of(document):
    """The events of a document."""
    trace = member_of(document, "trace", list)
    return [one.get("event") if isinstance(one, dict) else None for one in trace]


def chain_last(events):
    """The digest of the last event of a chain, which must be valid; None if it is empty."""
    last = None
    for i, event in enumerate(events, 1):
        need(isinstance(event, dict), "event %d is no object" % i)
        need(same_as(event.get("seq", ABSENT), number(i)), "event %d has another seq" % i)
        for key in ("plan_id", "trace_id", "tenant"):
            need(same_as(event.get(key, ABSENT), events[0].get(key, ABSENT)),
                 "event %d has another %s than the first one" % (i, key))
        begin, end = (instant(event.get(key)) for key in ("ts_start", "ts_end"))
        need(begin is not None and end is not None and begin <= end, "event %d ends before it starts" % i)
        need("prev" in event and event["prev"] == last,
             "prev of event %d is not the digest of the event before it" % i)
        last = digest(event)
    return last


def plan_closure(document):
    """The trace is a chain of this plan's events, and no member is missing."""
    for key in PLAN_MEMBERS:
        need(key in document, "%s is missing" % key)
    check_trace(document)


def check_trace(document):
    """The trace is a chain of this plan's events."""
    events = events_of(document)
    need(isinstance(document.get("plan"), dict), "plan is missing or no object")
    last = chain_last(events)
    for key in ("plan_id", "trace_id", "tenant") if events else ():
        need(same_as(document.get(key, ABSENT), events[0].get(key, ABSENT)), "the trace has another %s" % key)
    need(same_as(document.get("last_event", ABSENT), last), "last_event is not the digest of the last event")
    need(same_as(document.get("plan_id", ABSENT), document["plan"].get("plan_id", ABSENT)), "plan_id is not that of the plan")


def limit_of(view, key):
    """A limit; None if there is none."""
    need(isinstance(view, dict) and key in view, "limits are missing or malformed")
    return None if view[key] is None else amount(view[key])


def limits_of(view):
    """The limits of a document."""
    limits = [limit_of(view, key) for key in ("cost_usd", "latency_ms")]
    summary = [limit_of(view["summary"], key) for key in ("cost_usd", "latency_ms")] if "summary" in view else None
    need(summary is None or None not in summary, "limits are missing or malformed")
    return Limits(*limits, summary)


def freshness_of(view):
    """The Freshness in a document's policy; None in older documents."""
    if "freshness_days" not in view:
        return None
    search = view.get("search")
    need(isinstance(search, dict) and view.get("supersede") in ("never", "asked", "always")
         and search.get("rerank") in ("none", "freshness") and isinstance(view.get("rules"), str), "policy is missing or malformed")
    return Freshness(whole_of(view["freshness_days"]), whole_of(view.get("freshness_days_high_risk", ABSENT)), view["supersede"],
                     whole_of(search.get("top_k", ABSENT)), search["rerank"],
                     share_of(search.get("freshness_bias", ABSENT), "freshness_bias"), view["rules"])


def take_clock(course, document, rules):
    """Set the clock and rules of a course. Raises LacksRules if its texts or evidence need rules that are not known here."""
    freshness, now = course.policy.freshness, instant(document.get("evaluated_at"))
    need(now is not None, "evaluated_at is missing or no instant")
    if freshness is None:
        return
    found = next((one for one in rules if isinstance(one, dict) and digest(one) == freshness.rules), None)
    if found is not None:
        found = DecisionRules(found)
        need(found.reading is not None, "the rules are malformed")
        course.scale = Scale(freshness, course.plan.risk, course.variables, now, found)
    elif any(makes_text(spec) or declares_evidence(spec, "input") or declares_evidence(spec, "output")
             for spec in (course.specs[node.tool] for node in course.plan.nodes if node.tool)):
        raise LacksRules(lacking(freshness.rules))


def lacking(named):
    """The message about rules that are not known here."""
    return "rules " + (named if names_rules(named) else "without a digest")


def rules_of_plan(document, given):
    """The rules that a document's plan may have used: those in it, and all known ones."""
    known = known_rules(given)
    return (whole_rules(document.get("rules", ABSENT), {digest(one): one for one in known}), *known)


def begin_course(document):
    """The course of a document's plan, before its first step."""
    view = document.get("policy")
    need(isinstance(view, dict) and isinstance(view.get("regulated"), bool), "policy is missing or malformed")
    stated = Policy(*(amount(view.get(key, ABSENT)) for key in (
        "min_confidence", "cite_if_confidence_below", "block_if_conflict_over")), view["regulated"], "judge" in view, freshness_of(view))
    need(view.get("judge", "required") == "required", "policy is missing or malformed")
    limits = limits_of(document.get("limits"))
    tools = document.get("tools")
    need(isinstance(tools, dict), "tools is missing or no object")
    request, measured = document.get("request"), document.get("measured", ABSENT)
    plan = Plan(document.get("plan"), tools, measured)
    need(not measured or not (isinstance(request, dict) and "basis" in request), "measured is malformed")
    need(stated.least >= CONFIDENCE_FLOOR and (stated.regulated or not plan.is_regulated),
         "the policy is laxer than the plan")
    course = Course(plan, document.get("vars"), stated, limits, origin_terms_of(document))
    rules = member_at(document, "reproduce", "evaluator", "rules")
    course.texts_of_few = not isinstance(rules, list) or TEXT_RULE not in rules
    if isinstance(request, dict) and isinstance(request.get("judgements"), list):
        course.judgements = request["judgements"]
    return course


SET_APART = ("type", "policy", "verdict", "producer_reported", "origin", "reported_by", "rules", "judges")


def remade(tool, args, result, rules, now):
    """The right result of a shipped tool if the recorded one differs, else None. Raises LacksRules if its rules are not known."""
    evidence = result.get("evidence") if isinstance(result, dict) else None
    try:
        if tool == "ground.verify" and isinstance(evidence, dict) and evidence.get("method") == VERIFY_METHOD:
            again, result = evidence_again(args, evidence, rules, now), without(evidence, *SET_APART)
        elif tool == "ground.verify" and isinstance(evidence, dict) and evidence.get("method") == EARLIER_VERIFY:
            raise EarlierRule()
        elif tool == "synth.answer" and isinstance(args, dict) and "evidence" in args:
            again = synthesis(args["evidence"])
        else:
            return None
    except Broken:
        return ABSENT
    return None if same_as(result, again) else again


def evidence_again(args, evidence, rules, now):
    """The result of ground.verify for its arguments and the recorded judgements."""
    found = next((one for one in rules if isinstance(one, dict) and digest(one) == evidence.get("rules")), None)
    if found is None:
        raise LacksRules(lacking(evidence.get("rules")))
    need(isinstance(args, dict) and is_texts(args.get("claims")) and isinstance(args.get("sources"), list),
         "the arguments are malformed")
    rules = DecisionRules(found)
    need(rules.reading is not None, "the rules are malformed")
    panel = panel_of(evidence.get("judging"), evidence.get("judgements"))
    return {"method": VERIFY_METHOD, "claims": args["claims"],
            **Verification(args["claims"], args["sources"], rules, panel, ages_of(args, now)).evidence()}


class PlanReplay:
    """Follows a document's trace and collects the differences."""

    def __init__(self, document, rules):
        self.document, self.course, self.rules = document, begin_course(document), rules
        self.used, self.degraded, self.differences = [ZERO, ZERO], 0, []
        self.is_incomplete, self.lacking, self.is_earlier = False, None, False

    def charges(self, event):
        """The charges of an event: (cost, latency), None for one that is not an amount."""
        found = (exact(event.get(key, ABSENT)) for key in ("cost_usd", "latency_ms"))
        return [None if one is None or one < 0 else one for one in found]

    def follow(self, i, entry):
        """Follow one event; returns whether the next can be followed."""
        need(isinstance(entry, dict) and isinstance(entry.get("event"), dict), "event %d is no object" % (i + 1))
        event, inputs, outputs = entry["event"], entry.get("inputs", ABSENT), entry.get("outputs", ABSENT)
        charged = self.charges(event)
        self.used = [have + (more or ZERO) for have, more in zip(self.used, charged)]
        if event.get("type") == "recovered":
            return True
        try:
            if event.get("type") == "degradation":
                self.follow_degradation(event)
            else:
                step = self.course.follow(event, inputs, outputs)
                if not self.charge_holds(step, event, charged, self.course.plan.basis(step.node)):
                    self.differ_in_charge(step, event)
                again = self.remade(event, inputs, outputs) if event.get("outcome") == "ok" else None
                if again is not None:
                    self.differ("trace[%d].outputs" % i, again, outputs)
                    return False
        except LeftOut:
            self.is_incomplete = True
            return False
        except Differs as e:
            self.differ("trace[%d].event.%s" % (i, e.field), e.expected, e.found)
            return False
        return True

    def follow_degradation(self, event):
        """Compare a step of degradation with the forecast."""
        steps = self.course.forecast.steps
        step, k = steps[self.degraded] if self.degraded < len(steps) else (None, None)
        self.degraded += 1
        if step is None or event.get("step") != step:
            raise Differs("step", step, event.get("step", ABSENT))
        if not same_as(event.get("k", ABSENT), None if k is None else number(k)):
            raise Differs("k", None if k is None else number(k), event.get("k", ABSENT))

    @staticmethod
    def differ_in_charge(step, event):
        """Raise Differs about the charges of a step."""
        calls = 0 if step.was_decided else len(step.calls)
        cost, latency = (portable_fraction(calls * one) for one in step.price)
        found = event.get("cost_usd", ABSENT)
        if same_as(found, cost):
            raise Differs("latency_ms", latency, event.get("latency_ms", ABSENT))
        raise Differs("cost_usd", cost, found)

    @staticmethod
    def charge_holds(step, event, charged, basis):
        """Whether the charges of a step are those of its calls.

        The cost is exact if the step succeeded, else at most that. The latency is at least that of its calls, if it succeeded
        and was not measured.
        """
        cost, latency = charged
        if cost is None or latency is None:
            return False
        calls = 0 if step.was_decided else len(step.calls)
        if event.get("outcome") == "ok":
            return cost == calls * step.price[0] and (basis == "measured" or latency >= calls * step.price[1])
        return cost <= calls * step.price[0]

    def remade(self, event, inputs, outputs):
        """The right result of an event's tool if the recorded one differs, else None, also if its rules are not known."""
        tool, pairs = event.get("tool"), [(inputs, outputs)]
        if event.get("op") == "map":
            pairs = zip(inputs, outputs) if isinstance(inputs, list) and isinstance(outputs, list) else ()
        for args, result in pairs:
            try:
                again = remade(tool, args, result, self.rules, instant(self.document.get("evaluated_at")))
            except LacksRules as e:
                self.lacking = self.lacking or str(e)
                return None
            except EarlierRule:
                self.is_earlier = True
                return None
            if again is not None:
                return again
        return None

    def differ(self, field, expected=ABSENT, found=ABSENT):
        """Add a difference: what was recomputed, and what the document has."""
        self.differences.append({
            "field": field, "reason": "recomputing gives something else",
            **({} if expected is ABSENT else {"expected": reportable(expected, True)}),
            **({} if found is ABSENT else {"found": reportable(found)})})

    def run(self):
        """Replay the whole document."""
        course = self.course
        try:
            take_clock(course, self.document, self.rules)
        except LacksRules as e:
            self.lacking = str(e)
            return
        for i, entry in enumerate(self.document["trace"]):
            if not self.follow(i, entry):
                return
        course.leave_depth()
        self.summarize()
        if not course.is_over and not self.take_outside_reason():
            if course.next() is not None:
                self.differences.append({"field": "trace", "reason": "the plan goes on after it"})
            course.end()
        again = self.recomputed()
        reason, stated = again["reason"], self.document.get("reason")
        if reason and reason["message"] is UNKNOWN:
            reason["message"] = stated.get("message") if isinstance(stated, dict) else None
        for key, value in again.items():
            if not same_as(self.document.get(key, ABSENT), value):
                self.differ(key, value, self.document.get(key, ABSENT))

    def summarize(self):
        """Take a summary in place of the execution, if there is one."""
        if not self.course.is_summary() or self.course.is_over:
            return
        try:
            self.course.summarize(self.document.get("summary"))
        except Broken:
            self.differences.append({"field": "summary", "reason": "is missing, or no evidence to answer from"})
        self.used = list(self.course.forecast.predicted)

    def take_outside_reason(self):
        """Accept a reason that does not follow from the document, such as a shared budget or the end of a session."""
        reason = self.document.get("reason")
        kind = reason.get("kind") if isinstance(reason, dict) else None
        if not isinstance(kind, str) or kind not in OUTSIDE_REASONS:
            return False
        node, message = reason.get("node"), reason.get("message")
        self.course.stop(OUTSIDE_REASONS[kind], kind, message if isinstance(message, str) else None,
                         node if isinstance(node, str) and node in self.course.plan.by_id else None)
        return True

    def recomputed(self):
        """The members that follow from the rest of the document."""
        course, price = self.course, lambda pair: dict(zip(("cost_usd", "latency_ms"), map(portable_fraction, pair)))
        used = {**price(self.used), **({} if course.plan.measured is None else {"basis": course.plan.whole_basis()})}
        response = course.response and {**course.response, "budget_used": used,
                                        "trace_id": self.document.get("trace_id")}
        return {"predicted": price(course.forecast.predicted), "degradation": [
            {"step": step, "k": None if k is None else number(k)} for step, k in course.forecast.steps],
            "verdict": course.verdict, "reason": course.reason, "response": response, "caveats": course.caveats,
            "budget_used": used}


def plan_replay(document, terms):
    """Order, arguments, conditions, verdicts of evidence, charges and answer follow from the rest of the document."""
    try:
        check_trace(document)
        replay = PlanReplay(document, rules_of_plan(document, terms.rules))
    except Broken as e:
        raise Broken("nothing can be made again: %s" % e) from None
    replay.run()
    if replay.differences:
        raise Broken("recomputing gives something else", differences=replay.differences)
    if not (replay.is_incomplete or replay.is_earlier or replay.lacking):
        return None
    return {"incomplete": LEFT_OUT if replay.is_incomplete else "rules " + EARLIER_VERIFY if replay.is_earlier else
            replay.lacking}
