"""Parses plans, predicts their cost, and orders their nodes: doc/spec/plan.md §7, §8.1 and §9."""

import collections
import fractions
import heapq
import itertools
import math
import re

from verify.document.json_text import ABSENT, Num
from verify.document.portable_number import exact
from verify.df_verify_1.report import need
from verify.decision.chunk import number
from verify.plan.condition import BINDING_NAME, Condition, Erring, read_argument, resolve
from verify.plan.marker import ttl_seconds

OPS = ("call", "map", "reduce", "assert", "mem.read", "mem.write", "verify", "retry", "branch")
DEFAULT_TOOLS = {"mem.read": "mesh.mem", "mem.write": "mesh.mem", "verify": "ground.verify"}
PLAN_KEYS = {"plan_id", "intent", "signals", "nodes", "edges", "stop_conditions"}
NODE_KEYS = {"id", "op", "tool", "capability", "args", "out", "if"}
SIDES = ("then", "else")
MAX_NODES, MAX_EDGES, MAX_ITEMS, MAX_ATTEMPTS = 1000, 10000, 10000, 3
ZERO = fractions.Fraction(0)


def amount(value):
    """A non-negative number as a fraction."""
    found = exact(value)
    need(found is not None and found >= 0, "an amount is malformed")
    return found


def is_reference(value):
    """Whether a value is a reference."""
    return isinstance(value, str) and read_argument(value)[0] == "value"


def names_in(value):
    """All names that a value refers to."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (list, dict)):
            waiting += item.values() if isinstance(item, dict) else item
        elif isinstance(item, str):
            kind, name, _ = read_argument(item)
            need(kind != "malformed", "a reference is malformed")
            if kind == "value":
                yield name


def names_in_condition(text):
    """The names that a condition refers to; None if it does not parse."""
    names = set()

    def look_up(_whole, name, _steps):
        names.add(name)
        return ABSENT
    reading = Condition(text, look_up)
    try:
        reading.evaluate()
    except Erring:
        pass
    return names if reading.is_read else None


def price_of(spec):
    """(cost, latency) of a call, as declared."""
    limits = spec.get("constraints", {}) if isinstance(spec, dict) else {}
    found = (exact(limits.get(key, ABSENT)) if isinstance(limits, dict) else None
             for key in ("cost_per_call_usd", "latency_p50_ms"))
    return tuple(ZERO if one is None or one < 0 else one for one in found)


MEASURE_LEAST = 30      # from so many calls on, the measured latency of a tool replaces the declared one


def measured_of(view):
    """{tool: ms} of the measured latencies; None if the document has none."""
    if view is ABSENT:
        return None
    need(isinstance(view, dict) and all(isinstance(one, dict) and set(one) == {"p50_ms", "calls"} and
                                        amount(one["calls"]) >= MEASURE_LEAST for one in view.values()),
         "measured is malformed")
    return {name: amount(one["p50_ms"]) for name, one in view.items()}


def properties_of(spec, direction):
    """The declared properties of the input or output; None if there are none."""
    io = spec.get("io") if isinstance(spec, dict) else None
    found = io.get(direction) if isinstance(io, dict) else None
    return found if isinstance(found, dict) else None


def type_name(declared):
    """The name of a property's type, or None."""
    name = declared.get("type") if isinstance(declared, dict) else declared
    return name if isinstance(name, str) else None


class PlanNode:
    """One node, parsed and checked by itself."""

    def __init__(self, raw, index, tools):
        need(isinstance(raw, dict) and set(raw) <= NODE_KEYS, "a node of the plan is malformed")
        self.index, self.id, self.op = index, raw.get("id"), raw.get("op")
        self.args, self.out, self.condition = raw.get("args", {}), raw.get("out", ABSENT), raw.get("if")
        need(isinstance(self.id, str) and 1 <= len(self.id) <= 200 and self.op in OPS and isinstance(self.args, dict),
             "a node of the plan is malformed")
        self.tool, self.names = self.choose(raw, tools), set()
        self.check_out()
        self.check_condition(raw)
        self.check_args()

    def choose(self, raw, tools):
        """The tool that the node calls, or None."""
        if self.op in ("assert", "branch"):
            need("tool" not in raw and "capability" not in raw and not self.args, "a condition calls no tool")
            return None
        need(not ("tool" in raw and "capability" in raw), "a node names a tool and a capability")
        if "capability" not in raw:
            found = raw.get("tool", DEFAULT_TOOLS.get(self.op))
            need(isinstance(found, str) and found in tools, "a node names no tool that there is")
            return found
        able = [name for name, spec in tools.items()
                if isinstance(spec, dict) and raw["capability"] in spec.get("capabilities", [])]
        need(isinstance(raw["capability"], str) and able, "a node names no capability that there is")
        return min(able, key=lambda name: (*price_of(tools[name]), name))

    def check_out(self):
        """Check the name that the node binds."""
        if self.out is ABSENT:
            need(self.op in ("assert", "branch", "mem.write"), "a node binds no name")
        else:
            need(isinstance(self.out, str) and re.fullmatch(BINDING_NAME, self.out)
                 and self.out not in ("INPUT", "item", "index"), "a node binds what is no name")

    def check_condition(self, raw):
        """Check the condition, and collect the names in it."""
        need(("if" in raw) == (self.op in ("assert", "branch")), "a node has no condition, or must have none")
        if "if" in raw:
            found = names_in_condition(self.condition) if isinstance(self.condition, str) else None
            need(found is not None, "a condition does not parse")
            self.names |= found

    def check_args(self):
        """Check what the op demands of the arguments, and collect the names in them."""
        for key, value in self.args.items():
            names = set(names_in(value))
            self.names |= names - ({"item", "index"} if self.op == "map" and key != "items" else set())
        if self.op in ("map", "reduce"):
            items = self.args.get("items", ABSENT)
            need(is_reference(items) or isinstance(items, list) and len(items) <= MAX_ITEMS, "items is malformed")
        need(self.op != "mem.write" or self.args.get("provenance") is not None, "a memory write has no provenance")
        ttl = self.args.get("ttl") if self.op in ("mem.read", "mem.write") else None
        need(ttl is None or is_reference(ttl) or ttl_seconds(ttl) is not None, "a ttl is malformed")


SEARCH_TOOL = "doc.search"


class Plan:
    """A valid plan."""

    def __init__(self, raw, tools, measured=ABSENT):
        self.tools, self.measured = tools, measured_of(measured)
        self.top_k = None     # default of k for a search
        need(isinstance(raw, dict) and set(raw) <= PLAN_KEYS, "the plan has unknown members")
        need(isinstance(raw.get("plan_id"), str) and 1 <= len(raw["plan_id"]) <= 200, "plan_id is malformed")
        need("intent" not in raw or isinstance(raw["intent"], str) and raw["intent"], "intent is malformed")
        self.check_signals(raw.get("signals", {}))
        self.is_regulated = raw.get("signals", {}).get("regulated", False)
        self.risk = raw.get("signals", {}).get("risk")
        nodes = raw.get("nodes")
        need(isinstance(nodes, list) and 1 <= len(nodes) <= MAX_NODES, "nodes is malformed")
        self.check_stop(raw.get("stop_conditions", {}), len(nodes))
        self.nodes = [PlanNode(node, i, tools) for i, node in enumerate(nodes)]
        self.by_id = {node.id: node for node in self.nodes}
        need(len(self.by_id) == len(self.nodes), "an id stands twice in the plan")
        self.coming, self.leaving = ({node.id: [] for node in self.nodes} for _ in range(2))
        self.read_edges(raw.get("edges", []))
        self.order = self.sort()
        self.place = {one: i for i, one in enumerate(self.order)}
        self.above = self.ancestors()
        self.lies = self.find_sides()
        self.check_names()

    @staticmethod
    def check_signals(signals):
        """Check the member `signals`."""
        need(isinstance(signals, dict) and set(signals) <= {"latency_budget_ms", "cost_cap_usd", "risk", "regulated"},
             "signals is malformed")
        for key in ("latency_budget_ms", "cost_cap_usd"):
            if key in signals:
                amount(signals[key])
        need(signals.get("risk", "low") in ("low", "medium", "high")
             and isinstance(signals.get("regulated", False), bool), "signals is malformed")

    @staticmethod
    def check_stop(stop, count):
        """Check the member `stop_conditions`."""
        need(isinstance(stop, dict) and set(stop) <= {"max_nodes"}, "stop_conditions is malformed")
        if "max_nodes" in stop:
            most = exact(stop["max_nodes"]) if isinstance(stop["max_nodes"], Num) else None
            need(most is not None and most.denominator == 1 and most >= 0 and count <= most,
                 "the plan has more nodes than max_nodes")

    def read_edges(self, edges):
        """Read the edges that lead to each node and those that leave it."""
        need(isinstance(edges, list) and len(edges) <= MAX_EDGES, "edges is malformed")
        seen = set()
        for edge in edges:
            if isinstance(edge, list):
                need(len(edge) == 2, "an edge is malformed")
                edge = {"from": edge[0], "to": edge[1]}
            need(isinstance(edge, dict) and set(edge) <= {"from", "to", "label"}, "an edge is malformed")
            begin, end, label = edge.get("from"), edge.get("to"), edge.get("label")
            need(all(isinstance(one, str) and one in self.by_id for one in (begin, end)) and begin != end,
                 "an edge has an end that is no node")
            need(label in SIDES if self.by_id[begin].op == "branch" else "label" not in edge, "a label is malformed")
            need((begin, end, label) not in seen, "an edge stands twice in the plan")
            seen.add((begin, end, label))
            self.coming[end].append((begin, label))
            self.leaving[begin].append((end, label))

    def sort(self):
        """The nodes in a topological order."""
        waiting = {one: len(edges) for one, edges in self.coming.items()}
        order = [one for one, count in waiting.items() if not count]
        for one in order:
            for end, _ in self.leaving[one]:
                waiting[end] -= 1
                if not waiting[end]:
                    order.append(end)
        need(len(order) == len(self.nodes), "the plan has a cycle")
        return order

    def ancestors(self):
        """The ancestors of each node."""
        above = {}
        for one in self.order:
            direct = {begin for begin, _ in self.coming[one]}
            above[one] = direct.union(*(above[begin] for begin in direct))
        return above

    def find_sides(self):
        """For each node, the sides of branches that must be taken for it to be executed."""
        lies = {}
        for one in self.order:
            ways = [lies[begin] | ({(begin, label)} if label else set()) for begin, label in self.coming[one]]
            lies[one] = frozenset(set.intersection(*map(set, ways))) if ways else frozenset()
        return lies

    def are_together(self, a, b):
        """Whether some outcome of the branches executes both nodes: two paths that take no branch by different sides."""
        waiting, seen = [(a, None, b, None)], set()
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            one, side, other, other_side = state
            if one == other:
                if side is None or other_side is None or side == other_side:
                    return True
                continue
            if self.place[one] < self.place[other]:
                one, side, other, other_side = other, other_side, one, side
            if not self.coming[one]:
                return True     # the rest of the other path cannot meet this one
            waiting += ((begin, label, other, other_side) for begin, label in self.coming[one])
        return False

    def check_names(self):
        """Check that an ancestor binds each name that is read, and that no run binds a name twice."""
        binders = {}
        for node in self.nodes:
            if node.out is not ABSENT:
                binders.setdefault(node.out, []).append(node.id)
        for node in self.nodes:
            need(all(any(one in self.above[node.id] for one in binders.get(name, ()))
                     for name in node.names - {"INPUT"}), "a name is read that no ancestor binds")
        for ids in binders.values():
            need(not any(self.are_together(a, b) for a, b in itertools.combinations(ids, 2)), "a name is bound twice")
        self.binders = binders

    def known(self, value, variables):
        """A value as far as it is known before the plan runs, or ABSENT."""
        if not is_reference(value):
            return value
        _, name, steps = read_argument(value)
        return resolve(name, steps, {"INPUT": variables}) if name == "INPUT" and variables is not ABSENT else ABSENT

    def declared_k(self, node, variables):
        """The k that a node asks for, or None."""
        declared = (properties_of(self.tools[node.tool], "input") or {}).get("k", ABSENT) if node.tool else ABSENT
        if declared is ABSENT:
            return None
        default = declared.get("default", ABSENT) if isinstance(declared, dict) else ABSENT
        if node.tool == SEARCH_TOOL and self.top_k is not None:
            default = number(self.top_k)
        value = self.known(node.args["k"], variables) if "k" in node.args else default
        found = exact(value) if isinstance(value, Num) else None
        return int(found) if found is not None and found.denominator == 1 and 1 <= found < 2 ** 31 else None

    def verifies(self, node):
        """Whether a node's tool makes Evidence from sources."""
        spec = self.tools[node.tool] if node.tool else None
        out = list((properties_of(spec, "output") or {}).values())
        return len(out) == 1 and type_name(out[0]) == "Evidence" and "sources" in (properties_of(spec, "input") or {})

    def calls(self, node, variables):
        """How often a node calls its tool; 1 for a map whose items are not known yet."""
        if node.tool is None:
            return 0
        items = self.known(node.args["items"], variables) if node.op == "map" else None
        return len(items) if isinstance(items, list) else 1

    def sources(self, node, variables, ks):
        """How many sources a verifier gets at most; None if unknown."""
        raw = node.args.get("sources", ABSENT)
        found = self.known(raw, variables)
        if isinstance(found, list):
            return len(found)
        if not is_reference(raw):
            return None
        name = read_argument(raw)[1]
        return max((ks[one] or 0 for one in self.above[node.id] if self.by_id[one].out == name), default=None)

    def scaled(self, node, prices, part, whole):
        """The price of a call with `part` of `whole` results."""
        if not node.tool or not whole or part >= whole:
            return prices
        limits = self.tools[node.tool].get("constraints", {})
        share = exact(limits.get("per_item_share", Num("0"))) if isinstance(limits, dict) else None
        share = ZERO if share is None or share < 0 else min(share, 1)
        up = 10 ** 12
        return tuple(min(price, fractions.Fraction(math.ceil(
            price * (1 - share + share * fractions.Fraction(part, whole)) * up), up)) for price in prices)

    def innermost(self, one):
        """The innermost side on which a node lies, or None."""
        return max(self.lies[one], key=lambda side: self.place[side[0]], default=None)

    def price(self, node):
        """(cost, latency) of a call; the latency is the measured median, or else as declared."""
        if node.tool is None:
            return ZERO, ZERO
        cost, latency = price_of(self.tools[node.tool])
        return cost, (self.measured or {}).get(node.tool, latency)

    def basis(self, node):
        """Whether the latency of a node is "measured" or "declared"; ABSENT if it calls no tool, or in older documents."""
        if node.tool is None or self.measured is None:
            return ABSENT
        return "measured" if node.tool in self.measured else "declared"

    def whole_basis(self):
        """Whether the latency of the plan is "measured" (all its tools are) or "declared"."""
        tools = [node.tool for node in self.nodes if node.tool is not None]
        return "measured" if tools and all(one in self.measured for one in tools) else "declared"

    def summed(self, prices, which):
        """The sum over the plan, with the more expensive side of each branch."""
        sums = collections.defaultdict(fractions.Fraction)
        for one in reversed(self.order):
            more = max(sums[one, side] for side in SIDES) if self.by_id[one].op == "branch" else 0
            sums[self.innermost(one)] += prices[one][which] + more
        return sums[None]


Forecast = collections.namedtuple("Forecast", "predicted steps prices ks declared_ks rank by_depth")
Limits = collections.namedtuple("Limits", "cost latency summary")


def forecast_of(plan, variables, limits):
    """Prices, degradation and order of execution of a plan within limits; a limit of None is no limit."""
    declared_ks = {node.id: plan.declared_k(node, variables) for node in plan.nodes}
    calls = {node.id: plan.calls(node, variables) for node in plan.nodes}
    declared_prices = {node.id: price_of(plan.tools[node.tool]) if node.tool else (ZERO, ZERO) for node in plan.nodes}
    plain_prices = {node.id: plan.price(node) for node in plan.nodes}
    ks, steps, by_depth = dict(declared_ks), [], False

    def prices():
        found = {}
        for node in plan.nodes:
            part, whole = ks[node.id], declared_ks[node.id]
            if by_depth and plan.verifies(node):
                part, whole = 1, plan.sources(node, variables, declared_ks)
            found[node.id] = plan.scaled(node, plain_prices[node.id], part, whole)
        return found

    def total():
        found = {one: tuple(calls[one] * price for price in pair) for one, pair in prices().items()}
        return tuple(plan.summed(found, i) for i in (0, 1))

    def fits(sums):
        return all(limit is None or one <= limit for one, limit in zip(sums, limits[:2]))

    sums = total()
    while not fits(sums) and any(k and k > 1 for k in ks.values()):
        ks = {one: k and max(k // 2, 1) for one, k in ks.items()}
        sums = total()
        steps.append(("k", max(k for k in ks.values() if k)))
    if not fits(sums) and any(plan.verifies(node) for node in plan.nodes):
        by_depth = True
        sums = total()
        steps.append(("depth", 1))
    if not fits(sums):
        if limits.summary is not None and fits(limits.summary):
            sums = limits.summary
            steps.append(("summary", None))
        else:
            steps.append(("refused", None))
    rank = {node.id: (*(calls[node.id] * price for price in declared_prices[node.id]), node.index) for node in plan.nodes}
    return Forecast(sums, steps, prices(), ks, declared_ks, rank, by_depth)


class Schedule:
    """Tells which node is next: of the ready ones the cheapest, then the fastest, then the first in the plan."""

    def __init__(self, plan, rank):
        self.plan, self.rank = plan, rank
        self.waiting = {one: len(edges) for one, edges in plan.coming.items()}
        self.reached = {one: not edges for one, edges in plan.coming.items()}
        self.ready = sorted((rank[one], one) for one, edges in plan.coming.items() if not edges)

    def next(self):
        """The next node, or None."""
        return self.ready[0][1] if self.ready else None

    def finish(self, one, taken=None):
        """Note that the next node was executed; for a branch, `taken` is the side, or None for both."""
        heapq.heappop(self.ready)
        settled_nodes = [(one, True)]
        for done, was_executed in settled_nodes:
            for end, label in self.plan.leaving[done]:
                self.waiting[end] -= 1
                if was_executed and (label is None or taken is None or label == taken):
                    self.reached[end] = True
                if self.waiting[end]:
                    continue
                if self.reached[end]:
                    heapq.heappush(self.ready, (self.rank[end], end))
                else:
                    settled_nodes.append((end, False))
