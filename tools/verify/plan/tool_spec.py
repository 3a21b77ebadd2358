"""The spec of a tool, and whether values match it: doc/spec/plan.md §6."""

from verify.document.json_text import is_deeper, Num
from verify.document.portable_number import exact
from verify.document.canonical import canonical
from verify.df_verify_1.report import Broken
from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import is_format_character
from verify.plan.confidence import judge_evidence, policy_in
from verify.plan.plan import properties_of, type_name

TYPES = {"string": lambda value: isinstance(value, str), "boolean": lambda value: isinstance(value, bool),
         "number": lambda value: exact(value) is not None, "array": lambda value: isinstance(value, list),
         "integer": lambda value: exact(value) is not None and exact(value).denominator == 1}
HIT_MEMBERS = (("uri", "string", True), ("snippet", "string", True), ("score", "number", True), ("id", "string", False),
               ("title", "string", False), ("stamp", "string", False))


def is_required(declared):
    """Whether a property must be there."""
    return isinstance(declared, dict) and declared.get("required") is True


def is_hit(value):
    """Whether a value has the named members of a hit."""
    return isinstance(value, dict) and all(TYPES[kind](value[key]) if key in value else not needed
                                           for key, kind, needed in HIT_MEMBERS)


def is_evidence(value):
    """Whether a value has the named members of an Evidence."""
    try:
        judge_evidence(value, policy_in(value))
    except Broken:
        return False
    return True


def same_number_or_value(a, b):
    """Whether two values are equal, numbers by value."""
    if isinstance(a, Num) and isinstance(b, Num):
        return exact(a) == exact(b)
    return type(a) is type(b) and canonical(a) == canonical(b)


def is_as_declared(declared, value):
    """Whether a value matches the declaration of its property."""
    kind = type_name(declared)
    good = True if kind is None else is_hit(value) if kind == "Hit" else is_evidence(value) if kind == "Evidence" else \
        TYPES.get(kind, lambda one: isinstance(one, dict))(value)
    if not good or not isinstance(declared, dict):
        return good
    if kind == "array" and "items" in declared:
        items = declared["items"]
        named = isinstance(items, dict) and items and type_name(items) is None
        good = all(has_members(items, one) if named else is_as_declared(items, one) for one in value)
    return good and ("enum" not in declared or any(same_number_or_value(one, value) for one in declared["enum"]))


def has_members(properties, value):
    """Whether the members of an object match their declarations; it may have others."""
    return isinstance(value, dict) and all(
        is_as_declared(declared, value[key]) if key in value else not is_required(declared)
        for key, declared in properties.items())


def completed(spec, args):
    """Arguments with defaults filled in; unchanged if they do not match their declarations."""
    properties = properties_of(spec, "input")
    if properties is None:
        return args
    filled = {**{key: declared["default"] for key, declared in properties.items()
                 if isinstance(declared, dict) and "default" in declared}, **args}
    good = set(filled) <= set(properties) and has_members(properties, filled)
    return filled if good else args


SPEC_KEYS = {"type", "id", "io", "constraints", "provenance", "capabilities", "deny_if", "external"}
PROPERTY_KEYS = {"type", "required", "default", "enum", "items", "description"}
CONSTRAINT_KEYS = {"input_tokens_max", "latency_p50_ms", "cost_per_call_usd", "per_item_share", "rate_limit_qps",
                   "side_effects", "external_cost"}
AMOUNTS_MOST = {"latency_p50_ms": 86400000, "cost_per_call_usd": 1000000, "per_item_share": 1, "rate_limit_qps": 1000000}
SPEC_MAX_DEPTH, SPEC_MAX_WORDS = 32, 1000


def is_property(declared):
    """Whether the declaration of a property is valid."""
    if isinstance(declared, str):
        return declared != ""
    if not isinstance(declared, dict) or not set(declared) <= PROPERTY_KEYS:
        return False
    good = all(isinstance(declared.get(key, default), type(default)) for key, default in (
        ("type", "x"), ("required", True), ("description", ""), ("enum", [])))
    if not good or declared.get("type") == "" or declared.get("enum") == []:
        return False
    if "items" in declared:
        items = declared["items"]
        named = isinstance(items, dict) and items and type_name(items) is None
        if type_name(declared) != "array" or not (are_properties(items) if named else is_property(items)):
            return False
    return "default" not in declared or is_as_declared(declared, declared["default"])


def are_properties(properties):
    """Whether an object is a valid declaration of properties."""
    return isinstance(properties, dict) and all(
        key not in ("", "_usage") and is_property(one) for key, one in properties.items())


def is_amount(key, value):
    """Whether the value of a constraint is a valid amount."""
    found = exact(value)
    return found is not None and 0 <= found <= AMOUNTS_MOST[key] and (found * 10 ** 12).denominator == 1 and \
        (key != "rate_limit_qps" or found > 0)


def are_constraints(limits):
    """Whether the constraints of a tool are valid."""
    if not isinstance(limits, dict) or not set(limits) <= CONSTRAINT_KEYS:
        return False
    most = limits.get("input_tokens_max", Num("0"))
    tokens = exact(most) if isinstance(most, Num) else None
    return tokens is not None and tokens.denominator == 1 and 0 <= tokens < 2 ** 31 and \
        all(is_amount(key, limits[key]) for key in AMOUNTS_MOST if key in limits) and \
        all(isinstance(limits.get(key, True), bool) for key in ("side_effects", "external_cost"))


def are_spec_words(words, fold):
    """Whether a value is an array of texts that are not blank."""
    return isinstance(words, list) and len(words) <= SPEC_MAX_WORDS and all(
        isinstance(one, str) and "".join(c for c in one if not fold or not is_format_character(c)).strip(WHITE_SPACE)
        for one in words)


def is_provenance(provenance, declared):
    """Whether the member `provenance` of a spec is valid."""
    flags, rests_on = ("attribution_required", "observes"), "rests_on"
    if not isinstance(provenance, dict) or not set(provenance) <= {*flags, rests_on} or \
            not all(isinstance(provenance.get(key, True), bool) for key in flags):
        return False
    names = provenance.get(rests_on, [])
    return are_spec_words(names, False) and (not isinstance(declared, dict) or set(names) <= set(declared))


def is_spec(spec, name):
    """Whether a tool can be registered with a ToolSpec."""
    if not isinstance(spec, dict) or not set(spec) <= SPEC_KEYS or is_deeper(spec, SPEC_MAX_DEPTH):
        return False
    io, provenance = spec.get("io", {}), spec.get("provenance", {})
    return spec.get("type", "ToolSpec") == "ToolSpec" and spec.get("id", name) == name and \
        isinstance(spec.get("external", True), bool) and isinstance(io, dict) and set(io) <= {"input", "output"} and \
        all(map(are_properties, io.values())) and are_constraints(spec.get("constraints", {})) and \
        is_provenance(provenance, io.get("input")) and \
        are_spec_words(spec.get("capabilities", []), False) and are_spec_words(spec.get("deny_if", []), True)
