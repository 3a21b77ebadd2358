"""A second implementation of specs of tools: how a spec checks arguments and results, with generated cases.

Written from doc/spec/plan.md §6 and the manual; nothing here uses the extension.
"""

import json

import oracle
import plan
from oracle import ABSENT, Num, tool, wrong

SPEC_KEYS = {"type", "id", "io", "constraints", "provenance", "capabilities", "deny_if", "external"}
PROPERTY_KEYS = {"type", "required", "default", "enum", "items", "description"}
MOST = {"latency_p50_ms": 86400000, "cost_per_call_usd": 1000000, "per_item_share": 1, "rate_limit_qps": 1000000}
NAME = "tool"


# --------------------------------------------------------------------------
# Values and their properties
# --------------------------------------------------------------------------

class Unfit(Exception):
    """A value does not match its property."""


def fit(truth):
    """Refuse the value unless `truth`."""
    if not truth:
        raise Unfit


def need(truth):
    """Refuse the spec unless `truth`."""
    if not truth:
        raise wrong("spec")


def whole(value, least=None):
    """Whether a value is an integer."""
    number = tool.exact(value) if isinstance(value, Num) else None
    return number is not None and number.denominator == 1 and (least is None or number >= least)


def same(a, b):
    """Whether JSON values are equal: numbers by value at the top, everything else by type and canonical form."""
    if isinstance(a, Num) and isinstance(b, Num):
        return tool.exact(a) == tool.exact(b)
    kinds = (bool, str, list, dict, type(None), Num)
    kind = next(k for k in kinds if isinstance(a, k))
    return isinstance(b, kind) and isinstance(a, bool) == isinstance(b, bool) and oracle.canonical(a) == oracle.canonical(b)


def type_of(declared):
    """The type of a property; None for any value."""
    name = declared.get("type") if isinstance(declared, dict) else declared
    return name if isinstance(name, str) else None


def share(value):
    """A number from 0 to 1."""
    number = tool.exact(value)
    fit(number is not None and 0 <= number <= 1)


def fits_evidence(value):
    """Check the named members of Evidence."""
    policy = value.get("policy", {})
    fit(isinstance(policy, dict))
    for key in ("cite_if_confidence_below", "block_if_conflict_over"):
        if key in policy:
            share(policy[key])
    claims = value.get("claims")
    fit(isinstance(claims, list) and all(isinstance(claim, str) for claim in claims))
    for key, number in (("supports", "confidence"), ("contradicts", "weight")):
        fit(isinstance(value.get(key, []), list))
        for entry in value.get(key, []):
            fit(isinstance(entry, dict) and isinstance(entry.get("claim"), str) and entry["claim"] in claims)
            share(entry.get(number))
    fit(isinstance(value.get("related", []), list))


def fits_hit(value):
    """Check the named members of a Hit."""
    fit(all(isinstance(value.get(key), str) for key in ("uri", "snippet")) and "score" in value
        and tool.exact(value["score"]) is not None)
    fit(all(isinstance(value[key], str) for key in ("id", "title", "stamp") if key in value))


def fits(declared, value):
    """Check a value against its property."""
    kind = type_of(declared)
    number = tool.exact(value)
    if kind == "string":
        fit(isinstance(value, str))
    elif kind in ("number", "integer"):
        fit(number is not None and (kind == "number" or number.denominator == 1))
    elif kind == "boolean":
        fit(isinstance(value, bool))
    elif kind == "array":
        fit(isinstance(value, list))
        fits_items(declared, value)
    elif kind is not None:
        fit(isinstance(value, dict))
        if kind == "Evidence":
            fits_evidence(value)
        elif kind == "Hit":
            fits_hit(value)
    if isinstance(declared, dict) and "enum" in declared:
        fit(any(same(one, value) for one in declared["enum"]))


def are_members(items):
    """Whether the items of an array are named members."""
    return isinstance(items, dict) and items and type_of(items) is None


def fits_items(declared, value):
    """Check the elements of an array."""
    items = declared.get("items", ABSENT) if isinstance(declared, dict) else ABSENT
    for one in value if items is not ABSENT else ():
        if not are_members(items):
            fits(items, one)
            continue
        fit(isinstance(one, dict))
        for key, member in items.items():
            if key in one:
                fits(member, one[key])
            else:
                fit(not is_required(member))


def is_required(declared):
    """Whether a property must be there."""
    return isinstance(declared, dict) and declared.get("required", False)


def fits_all(properties, value):
    """Check an object; all its members must be declared."""
    fit(isinstance(value, dict) and set(value) <= set(properties))
    fit(all(key in value for key, declared in properties.items() if is_required(declared)))
    for key, one in value.items():
        fits(properties[key], one)


# --------------------------------------------------------------------------
# Specs
# --------------------------------------------------------------------------

def check_property(declared):
    """Check the declaration of a property."""
    if isinstance(declared, str):
        need(declared)
        return
    need(isinstance(declared, dict) and set(declared) <= PROPERTY_KEYS)
    need(isinstance(declared.get("type", "x"), str) and declared.get("type", "x"))
    need(isinstance(declared.get("required", True), bool))
    need(isinstance(declared.get("description", ""), str))
    need(isinstance(declared.get("enum", [1]), list) and declared.get("enum", [1]))
    if "items" in declared:
        need(type_of(declared) == "array")
        items = declared["items"]
        if are_members(items):
            check_properties(items)
        else:
            check_property(items)
    if "default" in declared:
        try:
            fits(declared, declared["default"])
        except Unfit as e:
            raise wrong("default") from e


def check_properties(properties):
    """Check the declarations of properties."""
    need(isinstance(properties, dict) and "" not in properties and "_usage" not in properties)
    for declared in properties.values():
        check_property(declared)


def check_words(words):
    """Check the words of deny_if or capabilities."""
    need(isinstance(words, list) and len(words) <= 1000)
    need(all(isinstance(word, str) and word.strip() for word in words))


def check_constraints(constraints):
    """Check limits and prices."""
    flags = ("side_effects", "external_cost")
    need(isinstance(constraints, dict) and set(constraints) <= {*MOST, *flags, "input_tokens_max"})
    if "input_tokens_max" in constraints:
        most = constraints["input_tokens_max"]
        need(whole(most, 0) and tool.exact(most) < 2 ** 31)
    for key, most in MOST.items():
        if key in constraints:
            number = tool.exact(constraints[key])
            need(number is not None and 0 <= number <= most and (number * 10 ** 12).denominator == 1)
            need(number > 0 or key != "rate_limit_qps")
    need(all(isinstance(constraints.get(key, True), bool) for key in flags))


def check_spec(spec):
    """Check a whole spec."""
    need(isinstance(spec, dict) and set(spec) <= SPEC_KEYS)
    need(spec.get("type", "ToolSpec") == "ToolSpec" and spec.get("id", NAME) == NAME)
    need(isinstance(spec.get("external", True), bool))
    io = spec.get("io", {})
    need(isinstance(io, dict) and set(io) <= {"input", "output"})
    for properties in io.values():
        check_properties(properties)
    check_constraints(spec.get("constraints", {}))
    provenance = spec.get("provenance", {})
    need(isinstance(provenance, dict) and set(provenance) <= {"attribution_required"})
    need(isinstance(provenance.get("attribution_required", True), bool))
    check_words(spec.get("capabilities", []))
    check_words(spec.get("deny_if", []))
    need(all(folded(word).strip() for word in spec.get("deny_if", [])))


# --------------------------------------------------------------------------
# Calls
# --------------------------------------------------------------------------

def folded(text):
    """A text as deny_if compares it."""
    return "".join(tool.folded_letter(letter) if letter >= "\x80" else letter.lower()
                   for letter in text if not tool.is_format_character(letter))


def texts_of(value):
    """All strings and keys of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from texts_of(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from texts_of(one)


def denies(words, args):
    """Whether a word of deny_if occurs anywhere in the arguments."""
    places = [folded(text) for text in (tool.canonical(args, portable=True), *texts_of(args))]
    return any(folded(word) in place for word in words for place in places)


def tokens(value):
    """The tokens of a value: a fourth of the size of its canonical form."""
    return len(oracle.canonical(value)) // 4


def take_usage(result, told):
    """A result without _usage."""
    if not isinstance(result, dict) or "_usage" not in result:
        return result
    usage = result["_usage"]
    fit(isinstance(usage, dict) and set(usage) <= {"tokens_in", "tokens_out"})
    for key, value in usage.items():
        fit(whole(value, 0) and tool.exact(value) < 2 ** 53)
        told[key] = int(tool.exact(value))
    return {key: value for key, value in result.items() if key != "_usage"}


def fits_attribution(result):
    """Check that each object in an array names a uri."""
    arrays = [result] if isinstance(result, list) else list(result.values()) if isinstance(result, dict) else []
    for array in arrays:
        if isinstance(array, list) and any(isinstance(one, dict) for one in array):
            fit(all(isinstance(one, dict) and isinstance(one.get("uri"), str) and one["uri"].strip() for one in array))


def outcome(name, args, count, **more):
    """A result of answer_test.tool_spec_apply, without its reason."""
    return {"outcome": name, "args": args, "tokens_in": Num(str(count)), **more}


def expect_tool_spec(case):
    """answer_test.tool_spec_apply."""
    spec, args = (plan.required_json(case[key]) for key in ("spec", "args"))
    result = plan.json_of(case["result"])
    check_spec(spec)
    io = spec.get("io", {})
    if not isinstance(args, dict):
        return outcome("invalid", args, 0)
    completed = args
    if "input" in io:
        completed = {**{key: declared["default"] for key, declared in io["input"].items()
                        if isinstance(declared, dict) and "default" in declared}, **args}
        try:
            fits_all(io["input"], completed)
        except Unfit:
            return outcome("invalid", args, 0)
    count = tokens(completed)
    most = spec.get("constraints", {}).get("input_tokens_max")
    if most is not None and count > tool.exact(most):
        return outcome("invalid", completed, count)
    if denies(spec.get("deny_if", []), completed):
        return outcome("denied", completed, count)
    if result is ABSENT:
        return outcome("ok", completed, count)
    told = {}
    try:
        result = take_usage(result, told)
        if "output" in io:
            fits_all(io["output"], result)
        if spec.get("provenance", {}).get("attribution_required"):
            fits_attribution(result)
    except Unfit:
        return outcome("failed", completed, count)
    return outcome("ok", completed, told.get("tokens_in", count), result=result, tokens_out=Num(str(told.get("tokens_out", tokens(result)))))


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

HIT = '{"uri": "u", "snippet": "s", "score": 0.5}'
EVIDENCE = '{"claims": ["c"], "supports": [{"claim": "c", "confidence": 0.9, "source": "s"}]}'
VALUES = ('"a"', '"b"', '""', '"Secret"', '"12345678901234567890"', '"0.1"', "1", "1.0", "-3", "0.5", "1e3", "true", "false",
          "null", "[]", '["a"]', '["a", 1]', "{}", '{"uri": "u"}', '{"uri": " "}', '[{"uri": "u"}]', '[{"uri": "u"}, {"n": 1}]',
          '[{"uri": ""}]', '{"n": 1}', '{"n": "1"}', '{"secret": 1}', "12345678901234567890", HIT, "[%s]" % HIT,
          HIT.replace("0.5", '"x"'), HIT.replace('"s"', "null"), EVIDENCE, EVIDENCE.replace("0.9", "1.1"),
          EVIDENCE.replace('"claim": "c"', '"claim": "d"'), '{"claims": [1]}', '{"claims": []}',
          '{"claims": [], "policy": {"block_if_conflict_over": 2}}', '"\\u00c4rger"', '"se\\u200bcret"', '"a\\"b"')
TYPES = ("string", "number", "integer", "boolean", "array", "object", "Hit", "Evidence", "Policy")
KEYS = ("a", "b", "k", "hits", "text")


def some_value(rng, declared, wrong_share=0.1):
    """A value as JSON text, mostly one that matches its property."""
    def is_fit(text):
        try:
            fits(declared, oracle.parse_jsonb(text))
        except Unfit:
            return False
        return True
    good = [text for text in VALUES if is_fit(text)] if rng.random() >= wrong_share else []
    return rng.choice(good or VALUES)


def some_members(rng, properties, keys, share_of_keys):
    """An object as JSON text, with members for some of the keys."""
    return ['"%s": %s' % (key, some_value(rng, properties.get(key, {}))) for key in keys
            if rng.random() < (0.9 if is_required(properties.get(key)) else share_of_keys if key in properties else 0.02)]


def some_property(rng, depth=0):
    """A property as JSON text."""
    if rng.random() < 0.4:
        return json.dumps(rng.choice(TYPES))
    kind = rng.choice((*TYPES, "array", None))
    parts = [] if kind is None else ['"type": %s' % json.dumps(kind)]
    if rng.random() < 0.3:
        parts.append('"required": %s' % rng.choice(("true", "false")))
    if rng.random() < 0.15:
        parts.append('"enum": [%s]' % ", ".join(some_value(rng, kind or {}) for _ in range(rng.randint(1, 6))))
    if kind == "array" and rng.random() < 0.7:
        parts.append('"items": %s' % (some_property(rng, depth + 1) if depth > 2 or rng.random() < 0.6
                                      else some_properties(rng, ("uri", "n"), depth + 1)))
    if rng.random() < 0.25:
        parts.append('"default": %s' % some_value(rng, oracle.parse_jsonb("{%s}" % ", ".join(parts)), 0.02))
    if rng.random() < 0.01:
        parts.append(rng.choice(('"minimum": 1', '"items": 1', '"description": 1', '"type": 1')))
    return "{%s}" % ", ".join(parts)


def some_properties(rng, keys=KEYS, depth=0):
    """Properties by name."""
    return "{%s}" % ", ".join('"%s": %s' % (key, some_property(rng, depth))
                              for key in rng.sample(keys, rng.randint(0, min(3, len(keys)))))


def some_constraints(rng):
    """Limits and prices, few of which are wrong."""
    pool = {"input_tokens_max": ("5", "10", "100"), "latency_p50_ms": ("0", "120.5"), "cost_per_call_usd": ("0.0001", "1"),
            "per_item_share": ("0", "0.5", "1"), "rate_limit_qps": ("0.5", "50"), "side_effects": ("true", "false"),
            "external_cost": ("false",)}
    bad = {"input_tokens_max": ("-1", "1.5", '"5"'), "latency_p50_ms": ("-1", "1e9"), "per_item_share": ("1.1",),
           "cost_per_call_usd": ("1e-13", '"free"'), "rate_limit_qps": ("0",), "side_effects": ("1",), "cost": ("1",)}
    chosen = {key: rng.choice(pool[key]) for key in pool if rng.random() < 0.25}
    if rng.random() < 0.05:
        key = rng.choice(sorted(bad))
        chosen[key] = rng.choice(bad[key])
    return "{%s}" % ", ".join('"%s": %s' % one for one in chosen.items())


def tool_spec_case(rng):
    """A spec, arguments and perhaps a result."""
    io = {side: some_properties(rng) for side in ("input", "output") if rng.random() < 0.85}
    sides = {side: oracle.parse_jsonb(text) for side, text in io.items()}
    parts = ['"io": {%s}' % ", ".join('"%s": %s' % one for one in io.items()), '"constraints": ' + some_constraints(rng)]
    if rng.random() < 0.4:
        parts.append('"provenance": {"attribution_required": %s}' % rng.choice(("true", "true", "false")))
    if rng.random() < 0.4:
        parts.append('"deny_if": [%s]' % ", ".join(rng.sample(
            ('"SECRET"', '"\\u00e4"', '"a\\"b"', '":1"', '"0.5"', '"zzz"', '"\\"a\\""'), rng.randint(1, 3))))
    if rng.random() < 0.05:
        parts.append(rng.choice(('"type": "Tool"', '"id": "x"', '"more": 1', '"deny_if": [""]', '"deny_if": ["\\u200b"]',
                                 '"external": 1', '"capabilities": "x"', '"id": "tool"', '"type": "ToolSpec"')))
    args = "{%s}" % ", ".join(some_members(rng, sides.get("input", {}), KEYS, 0.6))
    members = some_members(rng, sides.get("output", dict.fromkeys(KEYS, {})), KEYS, 0.6)
    if rng.random() < 0.2:
        members.append('"_usage": %s' % rng.choice(('{"tokens_in": 5}', '{"tokens_out": 7}', "{}", "1", '{"x": 1}',
                                                    '{"tokens_in": -1}', '{"tokens_out": 1.5}')))
    result = None if rng.random() < 0.1 else "{%s}" % ", ".join(members) if rng.random() < 0.9 else rng.choice(VALUES)
    return {"spec": "{%s}" % ", ".join(parts), "args": rng.choice(VALUES) if rng.random() < 0.03 else args,
            "result": result}


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"tool_spec": 8}
GENERATORS = {"tool_spec": tool_spec_case}
COLUMNS = {"tool_spec": ("spec", "args", "result")}
CALLS = {"tool_spec": "(answer_test.tool_spec_apply('%s', a[1]::jsonb, a[2]::jsonb, a[3]::jsonb) - 'reason')::text" % NAME}
EXPECT = {"tool_spec": expect_tool_spec}
AGREES = {"tool_spec": plan.value_agrees}
