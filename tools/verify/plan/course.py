"""The course of a plan: the arguments of each step, and what follows from its result.
doc/spec/plan.md §8, §10, §12, §13 and §15.
"""

import collections

from verify.document.json_text import ABSENT, Absent, Num
from verify.document.portable_number import exact, portable_fraction
from verify.document.canonical import canonical, sha256, without
from verify.df_verify_1.report import Broken, need
from verify.decision.chunk import number
from verify.judgement.sentences import NOT_JUDGED
from verify.decision.decide import BAD_STATUSES
from verify.plan.condition import bound, Condition, Erring, read_argument, resolve
from verify.plan.confidence import judge_evidence, NOT_JUDGED_CODE, NOT_JUDGED_TEXT, Policy, shown_verdict, STALE_CODE
from verify.plan.ground_verify import stale_text, whole_of
from verify.plan.synthesis import synthesis
from verify.plan.marker import malformed_citations, marker_problems, read_citations, stray_citation
from verify.plan.plan import (
    DEFAULT_TOOLS, forecast_of, is_reference, MAX_ATTEMPTS, MAX_ITEMS, properties_of, Schedule, SEARCH_TOOL, SIDES,
    type_name, ZERO)
from verify.plan.tool_spec import completed, is_spec
from verify.plan.origin import (
    holds_claims, OBSERVED, OF_CLAIMS, origin_of_judgements, origin_of_roles, origin_text, UNKNOWN_ROLE)
from verify.plan.cited_text import (
    asked_of_text, cited_chunks, CitedText, MOST_CITED, MOST_CITED_BEFORE, TEXT_NOT_JUDGED_CODE, TEXT_NOT_JUDGED_TEXT)

Settled = collections.namedtuple("Settled", "view digest verdict sources origin", defaults=(frozenset(),))

# Stands for a sentence that this implementation does not reproduce.
UNKNOWN = Absent()


class Differs(Exception):
    """An event differs from the course in the member `field`: what was expected, and what was found."""

    def __init__(self, field, expected=ABSENT, found=ABSENT):
        super().__init__(field)
        self.field, self.expected, self.found = field, expected, found


class EarlierRule(Exception):
    """A result was made by an older rule that is not implemented here."""


class LeftOut(Exception):
    """The inputs or outputs of a step are not in the document."""


class Step:
    """One execution of a node."""

    def __init__(self, node, attempt):
        self.node, self.attempt = node, attempt
        self.outcome = None         # set if it is decided before any call
        self.reason, self.kind, self.verdict = None, None, None
        self.inputs, self.outputs, self.taken, self.calls = ABSENT, ABSENT, None, []
        self.price, self.left_out, self.was_decided = None, None, True
        self.written = OBSERVED     # origin of what a memory write would keep

    def decide(self, outcome, reason=None, kind=None, verdict=None):
        """End the step before any call."""
        self.outcome, self.reason, self.kind, self.verdict = outcome, reason, kind, verdict


def portable_digest(value):
    """The digest of a value in portable form."""
    return "sha256:" + sha256(canonical(value, portable=True))


def block_kind(verdict):
    """Why evidence is blocked, or None."""
    return verdict.reasons[0] if verdict.reasons else None


def block_message(verdict):
    """Why evidence is blocked, as a sentence."""
    tells = verdict.policy is not None and verdict.policy.freshness is not None
    if verdict.reasons[0] == "conflict":
        return "the evidence is contradicted with a weight of %s" % decimal_text(verdict.contradictions) + (
            ", and at most %s is allowed" % decimal_text(verdict.policy.block) if tells else "")
    if verdict.reasons[0] == STALE_CODE:
        return UNKNOWN
    if verdict.reasons[0] == NOT_JUDGED_CODE:
        return "nobody has judged the evidence, and a judge is required"
    return "the confidence of the evidence is %s" % ("%.2f" % float(verdict.confidence)) + (
        ", and at least %s is required" % decimal_text(verdict.policy.least) if tells else "")


def decimal_text(fraction):
    """A fraction as a plain decimal; it must have a finite one."""
    found = portable_fraction(fraction)
    return found.text if isinstance(found, Num) else found


JUDGED_BY = ("judging", "judges", "judgements", "to_judge")


def settle(evidence, policy, verdict, origin, has_judgements=False):
    """Evidence with type, policy, verdict and origin overwritten; no origin in older documents."""
    settled = {**(evidence if has_judgements else without(evidence, *JUDGED_BY)), "type": "Evidence", "verdict": origin_verdict(verdict, origin or OBSERVED),
               "policy": {"cite_if_confidence_below": portable_fraction(policy.cite),
                          "block_if_conflict_over": portable_fraction(policy.block)}}
    if origin is None:
        return settled
    settled = {**without(settled, "origin", "reported_by"), "origin": "reported" if origin else "observed"}
    return {**settled, "reported_by": sorted(origin)} if origin else settled


def origin_verdict(verdict, origin):
    """A verdict, with its origin if it was reported."""
    return {**shown_verdict(verdict), **({"origin": origin_text(origin, "evidence")} if origin else {})}


def makes_text(spec):
    """Whether a tool declares a text as output, which can be the response."""
    return type_name((properties_of(spec, "output") or {}).get("text")) == "string"


def is_array_of_evidence(declared):
    """Whether a property is an array of Evidence."""
    return isinstance(declared, dict) and type_name(declared) == "array" and \
        type_name(declared.get("items")) == "Evidence"


def declares_evidence(spec, direction):
    """Whether a tool declares Evidence in its input or output."""
    return any(type_name(one) == "Evidence" or is_array_of_evidence(one)
               for one in (properties_of(spec, direction) or {}).values())


def makes_evidence(spec):
    """Whether a tool declares Evidence as output."""
    return declares_evidence(spec, "output")


def bound_value(spec, result):
    """The value that a result binds: the declared output property if there is only one, else all of it."""
    out = list(properties_of(spec, "output") or ())
    return result.get(out[0]) if len(out) == 1 and isinstance(result, dict) else result


def document_of(source, key):
    """The document of a source: its uri before "#"."""
    uri = source.get(key) if isinstance(source, dict) else None
    return uri.partition("#")[0] if isinstance(uri, str) else ""


def score_of(source):
    """The score of a source; 0 if it has none."""
    found = exact(source.get("score", ABSENT)) if isinstance(source, dict) else None
    return ZERO if found is None else found


def best_of_each(sources):
    """(the best source of each document, the others), both in the given order."""
    best = {}
    for i, source in enumerate(sources):
        one = document_of(source, "uri")
        if one not in best or score_of(source) > score_of(sources[best[one]]):
            best[one] = i
    chosen = set(best.values())
    return [one for i, one in enumerate(sources) if i in chosen], \
        [one for i, one in enumerate(sources) if i not in chosen]


def depth_of(evidence, left_out):
    """The sources for a second verification, the best first: those left out of documents that gave support."""
    supports = evidence.get("supports")
    documents = {document_of(one, "source") for one in supports} if isinstance(supports, list) else set()
    return sorted((one for one in left_out if document_of(one, "uri") in documents),
                  key=lambda one: -score_of(one))


class Course:
    """Goes through a plan: gives the arguments of each step, and takes its result."""

    def __init__(self, plan, variables, policy, limits, terms=None):
        self.plan, self.policy, self.terms, self.scale = plan, policy, terms, None
        self.texts_of_few = False       # are texts read by the rule before TEXT_RULE?
        plan.top_k = None if policy.freshness is None else policy.freshness.top_k
        self.variables = variables if isinstance(variables, dict) else {}
        # an invalid spec counts as empty
        self.specs = {name: spec if is_spec(spec, name) else {} for name, spec in plan.tools.items()}
        self.forecast = forecast_of(plan, self.variables, limits)
        self.schedule = Schedule(plan, self.forecast.rank)
        self.values, self.origins, self.evidences, self.caveats = {}, {}, [], []
        self.given, self.items = {}, {}     # origins: of what calls of a node give, and of the items of a map
        self.text_result, self.text_verdict, self.text_view, self.text_sources = None, None, None, None
        self.text_origin, self.text_evidence_origin = OBSERVED, OBSERVED
        self.attempts, self.judgements = 0, ABSENT  # judgements are those of the request
        self.breadth, self.depth = None, None   # the arguments of a verifier's first call, and the sources for a second
        self.is_over, self.verdict, self.reason, self.response, self.unjudged_text = False, None, None, None, False

    def stop(self, verdict, kind, message, node=None):
        """End the plan with a reason."""
        self.is_over, self.verdict, self.response = True, verdict, None
        self.reason = {"kind": kind, "message": message, **({} if node is None else {"node": node})}

    def caveat(self, code, text):
        """Add a caveat; older documents have only its text."""
        self.caveats.append(text if self.terms is None else {"code": code, "text": text})

    # origins

    def origin_of_name(self, node, name, steps, as_evidence, is_item=False):
        """The origin of a reference; for the item of a map, that of its items."""
        if name == "item" and node.op == "map" and not is_item:
            if (node.id, as_evidence) not in self.items:
                self.items[node.id, as_evidence] = self.origin_of(node, node.args.get("items", ABSENT), as_evidence, True)
            return self.items[node.id, as_evidence]
        found, value = OBSERVED, ABSENT
        for one in self.plan.binders.get(name, ()):
            if one in self.plan.above[node.id] and one in self.values:
                found, value = self.origins.get(one, OBSERVED), self.values[one]
        if not as_evidence and holds_claims(resolve(name, steps, {name: value})):
            found |= self.terms.plan | self.terms.request
        return found

    def origin_of(self, node, value, as_evidence=False, is_item=False):
        """The origin of a part of a node's arguments in the plan; as_evidence: it is passed on whole, as Evidence."""
        found, waiting = OBSERVED, [] if value is ABSENT else [(value, as_evidence)]
        while waiting:
            one, whole = waiting.pop()
            if is_reference(one):
                _, name, steps = read_argument(one)
                found |= self.terms.request if name == "INPUT" else self.origin_of_name(node, name, steps, whole, is_item)
                if name != "INPUT" and not OF_CLAIMS.isdisjoint(steps):
                    found |= self.terms.plan | self.terms.request
                continue
            if not isinstance(one, list) or not one:
                found |= self.terms.plan
            waiting += [(part, whole) for part in one] if isinstance(one, list) else \
                [(part, False) for part in one.values()] if isinstance(one, dict) else ()
        return found

    def origin_of_call(self, node, result):
        """The origin of the result of a call; memory reports it for each entry. None in older documents."""
        if self.terms is None:
            return None
        if node.tool == DEFAULT_TOOLS["mem.write"]:
            roles = result.get("reported_by", []) if isinstance(result, dict) else []
            return origin_of_roles(roles)
        if node.id not in self.given:
            self.given[node.id] = self.origin_of_tool(node)
        return self.given[node.id] | (origin_of_judgements(result) if node.tool == "ground.verify" else OBSERVED)

    def origin_of_tool(self, node):
        """The origin of a tool's results, from its registration and its arguments."""
        spec, entry = self.specs[node.tool], self.terms.tools.get(node.tool)
        entry = entry if isinstance(entry, dict) else {}
        is_shared, role = entry.get("shared") is True, entry.get("registered_by")
        registrar = frozenset({role}) if isinstance(role, str) else UNKNOWN_ROLE
        if spec.get("external") is True:
            return self.terms.request
        provenance = spec.get("provenance", {})
        if is_shared and provenance.get("observes") is True:
            return OBSERVED
        rests_on = provenance.get("rests_on") if is_shared else None
        declared = properties_of(spec, "input") or {} if rests_on else {}
        rest = [(value, type_name(declared.get(key)) == "Evidence" or is_array_of_evidence(declared.get(key)))
                for key, value in node.args.items() if (key in rests_on if rests_on else node.op != "map" or key != "items")]
        found = OBSERVED.union(*(self.origin_of(node, *one) for one in rest))
        return found if rest and is_shared else found | registrar

    def origin_of_step(self, step):
        """The origin of the result of a step; for a map, of all its calls together."""
        if step.node.tool is None or self.terms is None:
            return OBSERVED
        results = step.outputs if step.node.op == "map" and isinstance(step.outputs, list) and step.outputs \
            else [step.outputs]
        return OBSERVED.union(*(self.origin_of_call(step.node, one) for one in results))

    # evidence

    def find(self, value):
        """The Evidence of this trace that equals a value, or None."""
        if not isinstance(value, dict) or not self.evidences:
            return None
        own = portable_digest(value)
        return next((one for one in reversed(self.evidences) if one.digest == own), None)

    def policy_of(self, args):
        """The thresholds of the plan, or those of a call if they are stricter."""
        least, cite, block, regulated, requires_judge, freshness = self.policy
        if not isinstance(args, dict):
            return self.policy
        given = args.get("policy")
        given = given if isinstance(given, dict) else {}
        if freshness is not None and "freshness_days" in given:
            try:
                freshness = freshness._replace(of_call=whole_of(given["freshness_days"]))
            except Broken:
                pass
        pick = lambda chosen, own, value: own if exact(value) is None else chosen(own, exact(value))
        return Policy(pick(max, least, args.get("min_confidence", ABSENT)),
                      pick(max, cite, given.get("cite_if_confidence_below", ABSENT)),
                      pick(min, block, given.get("block_if_conflict_over", ABSENT)),
                      regulated or args.get("regulated") is True, requires_judge, freshness)

    def evidence_of_text(self, args):
        """(verdict, view, sources, origin) of the Evidence for a text: its argument, else the newest one.

        None if there is no Evidence; the origin is None if the Evidence is not of this trace.
        """
        given = args.get("evidence") if isinstance(args, dict) else None
        if not isinstance(given, dict):
            newest = self.evidences[-1] if self.evidences else None
            return (newest.verdict, newest.view, newest.sources, newest.origin) if newest else (None, None, None, OBSERVED)
        known = self.find(given)
        if known:
            return known.verdict, known.view, known.sources, known.origin
        try:
            return judge_evidence(given, self.policy, self.scale), given, None, None
        except Broken:
            return None, None, None, OBSERVED

    # arguments

    def bindings(self, node, item=ABSENT, index=0):
        """The values of the names that a node reads; null if the node that binds a name was skipped."""
        found = {name: None for name in node.names}
        for name in node.names:
            for one in self.plan.binders.get(name, ()):
                if one in self.plan.above[node.id] and one in self.values:
                    found[name] = self.values[one]
        found["INPUT"] = self.variables
        if item is not ABSENT:
            found.update(item=item, index=number(index))
        return found

    def goes_by_depth(self, node):
        """Whether a node's verifier starts with the best source of each document."""
        return self.forecast.by_depth and self.plan.verifies(node)

    def call_arguments(self, node, args, step):
        """The final arguments of a call of a node's tool."""
        spec, forecast = self.specs[node.tool], self.forecast
        declared = properties_of(spec, "input") or {}
        k, full = forecast.ks[node.id], forecast.declared_ks[node.id]
        args = dict(args)
        if full and k < full:
            args["k"] = number(k)
        step.left_out = None
        if self.goes_by_depth(node) and isinstance(args.get("sources"), list):
            args["sources"], step.left_out = best_of_each(args["sources"])
        if node.op in ("mem.read", "mem.write") and "op" in declared:
            args["op"] = node.op[len("mem."):]
        for key, one in declared.items():
            if type_name(one) == "Evidence" and key in args and not self.find(args[key]):
                try:
                    origin = None if self.terms is None else self.origin_of(node, node.args.get(key, ABSENT), True)
                    args[key] = settle(args[key], self.policy, judge_evidence(args[key], self.policy, self.scale), origin)
                except Broken:
                    pass    # not Evidence: the check of arguments will refuse it
        self.fill_search(node, declared, args)
        if makes_evidence(spec):
            policy = self.policy_of(args)
            filled = {"min_confidence": portable_fraction(policy.least), "regulated": policy.regulated,
                      "policy": {"cite_if_confidence_below": portable_fraction(policy.cite),
                                 "block_if_conflict_over": portable_fraction(policy.block)}}
            days = self.scale.days(policy.freshness, args.get("claims")) if self.scale else 0
            if days:
                filled["policy"]["freshness_days"] = number(days)
            if self.judgements is not ABSENT:
                filled["judgements"] = self.judgements
            if self.policy.freshness is not None and "supersede" in declared:
                reported = self.reported_sources(node) if self.scale and self.scale.supersedes else None
                filled["supersede"] = reported is not None
                args.pop("reported", None) if "reported" in declared else None
                if reported:
                    filled["reported"] = [number(i) for i in reported]
            args.update((key, value) for key, value in filled.items() if key in declared)
        return args

    def fill_search(self, node, declared, args):
        """Fill in arguments of a search from the configuration."""
        freshness = self.policy.freshness
        if freshness is None or node.tool != SEARCH_TOOL:
            return
        filled = {"k": number(freshness.top_k)}
        if freshness.rerank == "freshness":
            filled.update(rerank="freshness", freshness_bias=portable_fraction(freshness.bias),
                          freshness_days=number(freshness.days))
        for key, value in filled.items():
            if key in declared:
                args.setdefault(key, value)

    def reported_sources(self, node):
        """The indexes of the sources that were reported, if others were not; None if that cannot be told."""
        sources = node.args.get("sources")
        if not isinstance(sources, list) or self.terms is None:
            return []
        found = [i for i, one in enumerate(sources) if self.origin_of(node, one)]
        found = [] if len(found) == len(sources) else found
        return None if found and self.goes_by_depth(node) else found

    def bind(self, step, args, bindings):
        """Arguments with their references resolved; None, and the step ends, if that fails."""
        try:
            return bound(args, bindings)
        except Broken:
            step.decide("invalid", None, "reference", "failed")
            return None

    def items_of(self, step):
        """The items of a map or reduce; None, and the step ends, if they are not a valid array."""
        node = step.node
        items = self.bind(step, node.args["items"], self.bindings(node))
        if step.outcome is None and not (isinstance(items, list) and len(items) <= MAX_ITEMS):
            step.decide("invalid", None, "items", "failed")
        return items if step.outcome is None else None

    def resolve_condition(self, step):
        """Evaluate the condition of an assert or a branch."""
        node, bindings, seen = step.node, self.bindings(step.node), {}

        def look_up(whole, name, steps):
            value = resolve(name, steps, bindings)
            if value is not ABSENT:
                seen[whole] = value
            return value
        try:
            outcome = Condition(node.condition, look_up).evaluate()
        except Erring:
            outcome = None
        step.inputs = {"if": node.condition, "bindings": seen}
        step.outputs = ABSENT if outcome is None else outcome
        step.taken = SIDES[0] if outcome else SIDES[1]
        if outcome is None or not outcome and node.op == "assert":
            step.decide("blocked", None, "condition", "blocked")
        else:
            step.decide("ok")

    def resolve_map(self, step):
        """Prepare the calls of a map, one per item."""
        node, items = step.node, self.items_of(step)
        if items is None:
            return
        args = without(node.args, "items")
        for i, item in enumerate(items):
            found = self.bind(step, args, self.bindings(node, item, i))
            if found is None:
                return
            step.calls.append(self.call_arguments(node, found, step))
        step.inputs = step.calls
        if not items:
            step.outputs = []
            step.decide("ok")

    def resolve_call(self, step):
        """Prepare the one call of any other node."""
        node, args = step.node, step.node.args
        if node.op == "reduce":
            items = self.items_of(step)
            if items is None:
                return
            args = without(args, "items")
        found = self.bind(step, args, self.bindings(node))
        if found is None:
            return
        if node.op == "reduce":
            found["items"] = "\n".join(canonical(one, portable=True) for one in items)
        step.calls = [self.call_arguments(node, found, step)]
        step.inputs = step.calls[0]

    def writes_memory(self, node, args):
        """Whether a call writes memory."""
        return node.op == "mem.write" or node.tool == DEFAULT_TOOLS["mem.write"] and node.op != "mem.read" and \
            isinstance(args, dict) and args.get("op") == "write"

    def check_write(self, step):
        """Block a memory write that rests on blocked evidence or whose text breaks the rules of answers."""
        args, written = step.calls[0], step.node.args.get("provenance")
        provenance = self.find(args.get("provenance")) if is_reference(written) else None
        if provenance is None:
            return
        if self.terms is not None:
            step.written = provenance.origin | self.origin_of(step.node, step.node.args.get("value", ABSENT))
        if provenance.verdict.reasons:
            step.decide("blocked", block_message(provenance.verdict), block_kind(provenance.verdict), "blocked")
            return
        for call in step.calls:
            if step.outcome is None and self.writes_memory(step.node, call):
                self.check_remembered(step, provenance, call.get("value"))

    def check_remembered(self, step, provenance, value):
        """Block a call that would remember a text without its markers, with stray citations, or with bad sentences."""
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            return
        try:
            problems = marker_problems(value["text"], value.get("citations", ABSENT),
                                       provenance.verdict.needs_citation)
        except Broken:
            problems = True
        if problems:
            step.decide("blocked", "the text to be remembered does not have its citations' markers", "markers",
                        "blocked")
        elif stray_citation(provenance.view, provenance.sources, value.get("citations", ABSENT)) is not None:
            step.decide("blocked", "the text to be remembered cites what its evidence does not hold", "citations",
                        "blocked")
        else:
            kind, _, _ = self.text_status(value["text"], value.get("citations", ABSENT), provenance.view, provenance.sources)
            if kind in BAD_STATUSES:
                step.decide("blocked", UNKNOWN, kind, "blocked")

    def text_status(self, text, citations, view, sources):
        """(the first status that blocks or None, whether a sentence is not judged, the sentences or None) of a text.

        Texts that synth.answer made and texts of older documents are not checked.
        """
        rests_on, view, found = isinstance(view, dict), view if isinstance(view, dict) else {}, {}
        for i, (uri, _, _) in enumerate(read_citations(citations), 1):
            found.setdefault(uri, i)
        if self.scale is None:
            return None, False, None
        try:
            if view and synthesis(view)["text"] == text:
                return None, False, None
        except Broken:
            pass
        if len(found) > (MOST_CITED_BEFORE if self.texts_of_few else MOST_CITED) or not found and (self.texts_of_few or not rests_on):
            return None, True, None
        query = self.variables.get("query") if isinstance(self.variables.get("query"), str) else ""
        check = CitedText(list(cited_chunks(found, view, sources)), text, self.scale.rules, query)
        if found:
            check.take_judgements(asked_of_text(view, self.judgements), query)
        statuses = [one.status for one in check.sentences]
        return next((one for one in statuses if one in BAD_STATUSES), None), NOT_JUDGED in statuses, check.shown()

    def next(self):
        """The next step, or None."""
        one = None if self.is_over else self.schedule.next()
        if one is None:
            return None
        node = self.plan.by_id[one]
        step = Step(node, self.attempts + 1)
        step.price = self.forecast.prices[one]
        if self.breadth is not None:
            return step
        if node.op in ("assert", "branch"):
            self.resolve_condition(step)
            return step
        (self.resolve_map if node.op == "map" else self.resolve_call)(step)
        if step.outcome is not None or not step.calls:
            return step
        if self.writes_memory(node, step.calls[0]):
            self.check_write(step)
        elif node.op != "map" and makes_text(self.specs[node.tool]):
            verdict = self.evidence_of_text(step.calls[0])[0]
            if verdict and verdict.reasons:
                step.decide("blocked", block_message(verdict), block_kind(verdict), "blocked")
        return step

    # results

    def settle_result(self, value, policy, args, is_reported, origin, has_judgements):
        """Evidence from a tool, with its verdict; remembered for this trace."""
        verdict = judge_evidence(value, policy, self.scale)
        value = settle(value, policy, verdict, origin, has_judgements)
        if is_reported and origin is None:
            value["producer_reported"] = True
        sources = args.get("sources") if isinstance(args, dict) else None
        self.evidences.append(Settled(value, portable_digest(value), verdict, sources, origin or OBSERVED))
        return value

    def take(self, step, args, is_reported, result):
        """The result of one call, with verdict and origin set in each Evidence."""
        policy = self.policy_of(args)
        if not isinstance(result, dict):
            return result
        result = dict(result)
        if self.terms is not None and self.writes_memory(step.node, args):
            result.pop("reported_by", None)
            if step.written and result.get("ok") is True:
                result["reported_by"] = sorted(step.written)
        origin, is_verifier = self.origin_of_call(step.node, result), step.node.tool == "ground.verify"
        for key, declared in (properties_of(self.specs[step.node.tool], "output") or {}).items():
            value = result.get(key)
            if type_name(declared) == "Evidence" and isinstance(value, dict):
                result[key] = self.settle_result(value, policy, args, is_reported, origin, is_verifier)
            elif is_array_of_evidence(declared) and isinstance(value, list):
                result[key] = [self.settle_result(one, policy, args, is_reported, origin, is_verifier) for one in value]
        return result

    JUDGED = {"ok": (None, None), "refused": (None, None), "failed": ("tool", "failed"),
              "invalid": ("arguments", "failed"), "denied": ("denied", "blocked"),
              "rate_limited": ("rate_limited", "refused")}

    def follow_calls(self, step, event, inputs, outputs):
        """Take the recorded outcome, inputs and outputs of a step's calls."""
        node, spec = step.node, self.specs[step.node.tool]
        outcome, is_map = event.get("outcome"), step.node.op == "map"
        calls = step.calls[:len(inputs)] if is_map and isinstance(inputs, list) else [] if is_map else step.calls
        made = len(inputs) if is_map and isinstance(inputs, list) else 0 if is_map else len(step.calls)
        if not isinstance(outcome, str) or outcome not in self.JUDGED or made > len(step.calls) or \
                outcome == "ok" and made < len(step.calls):
            raise Differs("outcome", found=event.get("outcome", ABSENT))
        step.was_decided = False
        step.outcome, step.reason = outcome, event.get("reason")
        step.kind, step.verdict = self.JUDGED[outcome]
        if outcome == "refused" and not self.writes_memory(node, step.calls[0]):
            step.kind, step.verdict = "budget", "refused"
        step.inputs = ABSENT
        if step.kind is None or inputs is not ABSENT:
            filled = [completed(spec, one) for one in calls]
            step.inputs = filled if is_map else filled[0]
        step.outputs = ABSENT
        if outcome in ("ok", "refused") and outputs is not ABSENT:
            step.outputs = self.follow_results(step, event, inputs, outputs)

    def follow_results(self, step, event, inputs, outputs):
        """The results of a step, computed from the recorded ones."""
        is_reported = isinstance(event.get("by"), str)
        try:
            if step.node.op != "map":
                return self.take(step, inputs, is_reported, outputs)
            if not isinstance(inputs, list) or not isinstance(outputs, list) or len(outputs) < len(step.calls):
                raise Differs("outputs", found=outputs)
            return [self.take(step, *pair) for pair in zip(inputs, [is_reported] * len(step.calls), outputs)]
        except Broken:
            raise Differs("outputs") from None

    def follow(self, event, inputs, outputs):
        """Follow the step that an event records; raises Differs or LeftOut."""
        if self.breadth is not None and event.get("step") != self.schedule.next():
            self.leave_depth()      # there was no budget for a second verification
        step = self.next()
        if step is None or event.get("step") != step.node.id:
            raise Differs("step", step.node.id if step else None, event.get("step", ABSENT))
        # by op and tool the replay tells what to make again, so they are the plan's
        self.expect(event, "type", "step")
        self.expect(event, "op", step.node.op)
        self.expect(event, "tool", step.node.tool)
        self.expect(event, "attempt", number(step.attempt))
        if self.plan.basis(step.node) is not ABSENT:
            self.expect(event, "basis", self.plan.basis(step.node))
        for key, value in (("inputs_hash", inputs), ("outputs_hash", outputs)):
            if value is ABSENT and event.get(key, ABSENT) is not None:
                raise LeftOut()
        if self.breadth is not None:
            self.deepen(step, inputs)
        if step.outcome is not None:
            self.expect(event, "outcome", step.outcome)
            if step.reason is None or step.reason is UNKNOWN:
                # not reproduced here; take it from the event, which has its own signature
                step.reason = event["reason"] if isinstance(event.get("reason"), str) else UNKNOWN
        else:
            self.follow_calls(step, event, inputs, outputs)
        # what must be there, and what the reader is shown
        for key, value, shown in (("inputs_hash", step.inputs, inputs), ("outputs_hash", step.outputs, outputs)):
            self.expect(event, key, None if value is ABSENT else portable_digest(value))
            if shown is not ABSENT:
                self.expect(event, key, portable_digest(shown))
        self.advance(step)
        return step

    def deepen(self, step, inputs):
        """Prepare the second call of a verifier, with as many more sources as recorded."""
        first, sources = self.breadth["sources"], inputs.get("sources") if isinstance(inputs, dict) else None
        more = len(sources) - len(first) if isinstance(sources, list) else 0
        if not 1 <= more <= len(self.depth):
            raise Differs("inputs", found=inputs)
        step.calls = [{**self.breadth, "sources": first + self.depth[:more]}]
        step.inputs = step.calls[0]
        step.price = self.plan.scaled(step.node, self.plan.price(step.node), more, len(first) + more)

    def begins_depth(self, step):
        """Whether a verifier's first call may be followed by a second one with more sources."""
        if self.breadth is not None or step.kind or step.left_out is None or step.node.op not in ("call", "verify") or \
                not self.goes_by_depth(step.node) or step.outputs is ABSENT or not self.evidences or \
                self.specs[step.node.tool].get("external") is True:
            return False
        self.depth = depth_of(self.evidences[-1].view, step.left_out)
        return bool(self.depth)

    def leave_depth(self):
        """End a verifier that will get no second call."""
        if self.breadth is not None:
            self.breadth, self.attempts = None, 0
            self.schedule.finish(self.schedule.next())

    @staticmethod
    def expect(event, key, value):
        """Check a member of an event."""
        stated = event.get(key, ABSENT)
        if stated is ABSENT or canonical(stated) != canonical(value, portable=True):
            raise Differs(key, value, stated)

    def advance(self, step):
        """Finish a step; another attempt or a second call may follow."""
        if step.node.op == "retry" and step.attempt < MAX_ATTEMPTS and step.outcome == "failed":
            self.attempts = step.attempt
            return
        node = step.node
        if self.begins_depth(step):
            # the first result counts unless there is a second one
            self.bind_result(step)
            self.breadth, self.attempts = step.inputs, step.attempt
            return
        self.breadth, self.attempts = None, 0
        if step.kind:
            self.stop(step.verdict, step.kind, step.reason, node.id)
            return
        if step.outcome == "refused":
            self.caveat("not_remembered", 'node "%s": nothing was remembered: %s' % (
                node.id, step.reason if isinstance(step.reason, str) else "the write was refused"))
        self.bind_result(step)
        if node.tool and node.op != "map" and isinstance(step.outputs, dict) and \
                isinstance(step.outputs.get("text"), str):
            self.text_result = step.outputs
            self.text_origin = self.origins[node.id]
            self.text_verdict, self.text_view, self.text_sources, origin = self.evidence_of_text(step.inputs)
            if origin is None:
                origin = OBSERVED if self.terms is None else self.origin_of(node, node.args.get("evidence", ABSENT), True)
            self.text_evidence_origin = origin
        self.schedule.finish(node.id, step.taken if node.op == "branch" else None)

    def bind_result(self, step):
        """Bind the name of a node to its result."""
        node = step.node
        if step.outputs is ABSENT:
            return
        self.origins[node.id] = self.origin_of_step(step)
        if node.out is ABSENT:
            return
        if node.op == "mem.read":
            self.values[node.id] = step.outputs.get("value") if isinstance(step.outputs, dict) else None
            return
        spec = self.plan.tools[node.tool] if node.tool else {}
        self.values[node.id] = [bound_value(spec, one) for one in step.outputs] if node.op == "map" else \
            bound_value(spec, step.outputs)

    # the end

    def add_caveats(self):
        """Add the caveats of an answer."""
        steps = self.forecast.steps
        for i, (step, k) in enumerate(steps if not self.is_summary() else ()):
            if step == "depth":
                self.caveat("depth", "To keep to the budget, the best hit of each document was verified first.")
            elif step == "k" and (i + 1 == len(steps) or steps[i + 1][0] != "k"):
                self.caveat("k", "To keep to the budget, at most %d results were asked for." % k)
        evidence_origin = OBSERVED if self.text_verdict is None else self.text_evidence_origin
        if evidence_origin:
            self.caveat("reported_evidence", "The answer rests on %s." % origin_text(evidence_origin, "evidence"))
        if self.text_origin - evidence_origin:
            self.caveat("reported_text", "The answer is %s." % origin_text(self.text_origin, "text"))
        if self.text_verdict is None:
            return
        if self.text_verdict.contradictions > 0:
            self.caveat("contradicted", "A source contradicts the answer, with a weight of %s." %
                        decimal_text(self.text_verdict.contradictions))
        if self.text_verdict.unjudged:
            self.caveat(NOT_JUDGED_CODE, NOT_JUDGED_TEXT)
        if self.text_verdict.stale_days is not None:
            self.caveat(STALE_CODE, stale_text(self.text_verdict.stale_days))
        if self.terms is None and isinstance(self.text_view, dict) and "producer_reported" in self.text_view:
            self.caveat("reported_evidence", "The evidence was reported by its producer.")

    def is_summary(self):
        """Whether a summary replaces the execution of the plan."""
        return bool(self.forecast.steps) and self.forecast.steps[-1][0] == "summary"

    def summarize(self, summary):
        """Answer from remembered evidence, without executing the plan."""
        need(isinstance(summary, dict) and isinstance(summary.get("key"), str), "there is no summary")
        verdict = judge_evidence(summary.get("evidence"), self.policy, self.scale)
        need(not verdict.reasons, "the evidence is blocked")
        self.text_result = synthesis(summary["evidence"])
        self.text_verdict, self.text_view = verdict, summary["evidence"]
        self.text_origin = self.text_evidence_origin = origin_of_roles(summary.get("reported_by", []))
        self.caveat("summary", "To keep to the budget, the plan was not executed: this quotes the evidence that is "
                    'remembered under "%s".' % summary["key"])
        self.end()
        if self.response is not None:
            self.response["degraded"] = True

    def end(self):
        """End the plan after its last step: check the text and make the response."""
        self.leave_depth()
        verdict = self.text_verdict
        if self.is_over:
            return
        if self.text_result is not None:
            if verdict and verdict.reasons:
                self.stop("blocked", block_kind(verdict), block_message(verdict))
                return
            citations = self.text_result.get("citations", ABSENT)
            citations = ABSENT if citations is None else citations
            try:
                problems = marker_problems(self.text_result["text"], citations,
                                           verdict.needs_citation if verdict else self.policy.regulated)
            except Broken:
                problems = [malformed_citations(citations)]
            if problems:
                self.stop("blocked", "markers", problems[0])
                return
            stray = stray_citation(self.text_view, self.text_sources, citations) if verdict else None
            if stray is not None:
                self.stop("blocked", "citations",
                          "citations[%d] is no source of the evidence that the text rests on" % stray)
                return
            kind, unjudged, sentences = self.text_status(self.text_result["text"], citations, self.text_view, self.text_sources)
            if kind is None and unjudged and self.policy.requires_judge:
                kind = TEXT_NOT_JUDGED_CODE
            if kind is not None:
                self.stop("blocked", kind, UNKNOWN)
                return
            self.response = {"text": self.text_result["text"], "citations": [] if citations is ABSENT else citations,
                             "evidence": origin_verdict(verdict, self.text_evidence_origin) if verdict else None,
                             **({} if sentences is None else {"sentences": sentences})}
            self.unjudged_text = unjudged
        self.is_over, self.verdict = True, "answered"
        self.add_caveats()
        if self.unjudged_text:
            self.caveat(TEXT_NOT_JUDGED_CODE, TEXT_NOT_JUDGED_TEXT)
