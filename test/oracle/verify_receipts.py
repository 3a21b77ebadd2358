#!/usr/bin/python3
"""Verify receipts offline with the oracle, mint samples, or mutate receipts.

    verify_receipts.py --keys KEYS.json [--jsonb] [RECEIPTS]
        one line {"line", "ok", "steps"} per receipt (one JSON text per line)
    verify_receipts.py --mutate N --seed S [--resign] [--label] [RECEIPTS]
        N mutated receipts per receipt, as JSON text lines; --label wraps each as
        {"mutation", "receipt"} with the receipt as a string; --resign also signs
        some mutations again with the sample key, so that later steps are reached
    verify_receipts.py --sample N --seed S [--keys-out FILE]
        N receipts minted by the oracle with the sample key

RECEIPTS defaults to standard input.
"""

import argparse
import base64
import copy
import hashlib
import json
import random
import sys

import generate
import oracle
from oracle import ABSENT, Num, Refused, canonical

SAMPLE_SECRET = hashlib.sha256(b"answer_eval oracle sample key, worth nothing").digest()
SAMPLE_PUBLIC = oracle.ed25519_public(SAMPLE_SECRET)
SAMPLE_KEY_ID = oracle.key_id(SAMPLE_PUBLIC)
NOW = "2026-06-09T04:40:24Z"


def sample_keys():
    """The keys document of the sample key."""
    return {SAMPLE_KEY_ID: base64.urlsafe_b64encode(SAMPLE_PUBLIC).decode()}


# --------------------------------------------------------------------------
# Minting samples
# --------------------------------------------------------------------------

def number(x):
    """A float as a portable number."""
    return oracle.portable(Num(repr(x)))


def sample_fact(rng, n):
    """A fact whose confidence follows from its signals."""
    names = ("signed", "source_present", "fresh", "corroborated", "conflict")
    checkable = {"signals": {s: rng.random() < 0.7 for s in names},
                 "basis": rng.choice(("observed", "forecast", "computed", "inferred"))}
    fact = {**generate.fact(rng), "id": "f%d" % n, "fact": rng.choice(("t", "u"))}
    fact["verification"] = {**checkable, "confidence": number(oracle.fact_confidence(checkable)),
                            "sources": Num("1"), "verified": False, "note": None}
    return oracle.portable(fact)


def sample_check(rng, fact, position):
    """A valid portable check about the fact."""
    while True:
        raw = {**generate.check(rng, fact), "id": "c%d" % position, "args": {}}
        try:
            return oracle.portable(oracle.normal_check(raw))
        except Refused:
            continue


def sample_member(rng, position, index, require_fresh):
    """One member of checks; its facts are added to the index."""
    facts = [sample_fact(rng, position * 10 + i) for i in range(rng.choice((0, 1, 1, 1, 2)))]
    facts = [] if position > oracle.CHECK_CAP else facts
    normal = sample_check(rng, facts[0] if facts else {}, position)
    found = oracle.judge(normal, facts, oracle.instant(NOW), require_fresh)
    if position > oracle.CHECK_CAP:
        found["verdict"] = "not_checked"
    names = [oracle.digest(oracle.without(f, "attestation", "raw")) for f in facts]
    index.update(zip(names, facts))
    member = {**normal, "verdict": found["verdict"], "confidence": number(found["confidence"]),
              "explain": {"summary": "sample", "expectations": found["entries"] or []}, "evidence": names}
    if found["observed"] is not ABSENT:
        member["observed"] = found["observed"]
    return member


def sample_receipt(rng):
    """A signed receipt."""
    index, size = {}, rng.choice((1, 1, 2, 3, 5, 22))
    demand = rng.choice(({}, {"require_fresh": False}, {"require_fresh": True}))
    checks = [sample_member(rng, i, index, demand.get("require_fresh", False)) for i in range(1, size + 1)]
    total = oracle.composite([(c["verdict"], float(c["confidence"].text), c["required"]) for c in checks])
    return signed({
        "schema": "answer/v1", "issuer": "sample", "issued_at": NOW, "evaluated_at": NOW, "mode": "checks", **demand,
        "verdict": total["verdict"], "confidence": number(total["confidence"]), "degraded": total["degraded"],
        "checks": checks, "evidence_index": index, "disclaimer": "Advisory.",
        **({"tenant": "sample:%d" % size} if size % 2 else {}),
        "reproduce": {"evaluator": {"engine_version": "1.0.0",
                                    "rules": ["answer-eval/1", "answer-conf/1", "fact-conf/1"]},
                      "calls": [{"tool": c["tool"], "args": c["args"]} for c in checks]}})


def identified(receipt):
    """The receipt with the id that follows from its body."""
    body = canonical(oracle.without(receipt, "receipt_id", "signature", "anchor"))
    kind = oracle.tool.kind_of(receipt)
    return {**receipt, "receipt_id": (kind.prefix if kind else "ans_") + oracle.sha256(body)[:16]}


def signed(receipt):
    """The receipt, identified and signed with the sample key."""
    out = identified(oracle.without(receipt, "signature", "anchor"))
    sig = oracle.ed25519_sign(SAMPLE_SECRET, canonical(out).encode())
    out["signature"] = {"alg": "Ed25519", "key_id": SAMPLE_KEY_ID,
                        "canonicalization": "json-sorted-compact",
                        "sig": base64.urlsafe_b64encode(sig).decode()}
    return out


# --------------------------------------------------------------------------
# Mutations: each edits a copy in place, or returns another document
# --------------------------------------------------------------------------

def places(value, found):
    """Every (container, key) of a document."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        places(value[key], found)
    return found


def any_place(rng, receipt, wanted=lambda v: True):
    """A random place whose value satisfies a condition, or None."""
    found = [(c, k) for c, k in places(receipt, []) if wanted(c[k])]
    return rng.choice(found) if found else None


def part(rng, receipt, key):
    """A member or element of one of the receipt's containers, or an empty dict."""
    box = receipt.get(key)
    items = list(box.values()) if isinstance(box, dict) else box if isinstance(box, list) else []
    items = [i for i in items if isinstance(i, dict)]
    return rng.choice(items) if items else {}


def other_scalar(rng, v):
    """A different value, of the same type or not."""
    if rng.random() < 0.25:
        return rng.choice([x for x in (None, True, Num("0"), "", [], {}, Num("0.5")) if x != v])
    if isinstance(v, bool):
        return not v
    if isinstance(v, Num):
        # a JSON number cannot begin with two zeros
        longer = "10" if v.text.lstrip("-") == "0" else v.text + "0"
        return Num(rng.choice(("0", "1", "0.5", "0.8", "-1", "0.81", longer)))
    if isinstance(v, str):
        i = rng.randrange(len(v) + 1)
        return rng.choice((v + "x", v[:i] + v[i + 1:] or "x", v.upper(), v[:i] + "0" + v[i:]))
    return rng.choice((Num("1"), "x", False))


def edit_leaf(rng, receipt):
    """Change one value anywhere."""
    container, key = any_place(rng, receipt, lambda v: not isinstance(v, (dict, list)))
    container[key] = other_scalar(rng, container[key])


def edit_top(rng, receipt):
    """Change one top-level member."""
    key = rng.choice(sorted(receipt))
    receipt[key] = other_scalar(rng, receipt[key])


def drop_member(rng, receipt):
    """Remove one member or element anywhere."""
    container, key = any_place(rng, receipt)
    del container[key]


def drop_top(rng, receipt):
    """Remove one top-level member."""
    del receipt[rng.choice(sorted(receipt))]


def drop_check_member(rng, receipt):
    """Remove one member of a check."""
    check = part(rng, receipt, "checks")
    check.pop(rng.choice(sorted(check) or [""]), None)


def add_member(rng, receipt):
    """Add a member somewhere."""
    box = rng.choice([receipt, part(rng, receipt, "checks"), part(rng, receipt, "evidence_index")])
    box[rng.choice(("x", "observed", "note", "attestation", "raw", "anchor"))] = rng.choice(
        (None, Num("1"), "x", {}, {"a": Num("1")}))


def respell_number(rng, receipt):
    """Spell one number differently."""
    place = any_place(rng, receipt, lambda v: isinstance(v, Num))
    if place:
        container, key = place
        text = container[key].text
        container[key] = Num(rng.choice((text + "e0", text + "E+0", text + ("0" if "." in text else ".0"))))


def swap_facts(rng, receipt):
    """Exchange the facts of two digests, or misfile one."""
    index = receipt.get("evidence_index", {})
    if len(index) > 1:
        a, b = rng.sample(sorted(index), 2)
        index[a], index[b] = index[b], index[a]
    elif index:
        name, fact = index.popitem()
        index[name[:-1] + ("0" if name[-1] != "0" else "1")] = fact


def swap_citations(rng, receipt):
    """Exchange what two checks cite, or reverse what one cites."""
    checks = receipt.get("checks", [])
    if len(checks) > 1:
        a, b = rng.sample(checks, 2)
        a["evidence"], b["evidence"] = b.get("evidence"), a.get("evidence")
    elif checks and isinstance(checks[0].get("evidence"), list):
        checks[0]["evidence"].reverse()


def edit_citation(rng, receipt):
    """Drop, repeat, invent or spoil a citation."""
    check = part(rng, receipt, "checks")
    check["evidence"] = rng.choice(([], (check.get("evidence") or []) * 2, ["sha256:" + "0" * 64],
                                    None, {}, [None], (check.get("evidence") or [])[:1], "x"))


def add_uncited(rng, receipt):
    """Index a fact that nothing cites."""
    fact = sample_fact(rng, 999)
    receipt.setdefault("evidence_index", {})[oracle.digest(oracle.without(fact, "raw"))] = fact


def edit_check_verdict(rng, receipt):
    """Another verdict for one check."""
    part(rng, receipt, "checks")["verdict"] = rng.choice((*oracle.VERDICTS, "maybe", None))


def edit_composite(rng, receipt):
    """Another composite verdict, confidence or degraded."""
    key = rng.choice(("verdict", "confidence", "degraded"))
    receipt[key] = {
        "verdict": rng.choice(("supported", "contradicted", "insufficient_evidence", "evidenced",
                               "outside_evidence_coverage")),
        "confidence": rng.choice((Num("0"), Num("1"), Num("0.8"), "0.8", None)),
        "degraded": rng.choice((True, False, None, "true"))}[key]


def edit_signature(rng, receipt):
    """Edit one member of the signature."""
    signature = receipt.get("signature")
    if not isinstance(signature, dict):
        return
    sig = signature.get("sig", "")
    i = rng.randrange(max(1, len(sig) - 4))
    key, new = rng.choice((
        ("alg", "ed25519"), ("alg", "RS256"), ("alg", None), ("canonicalization", "jcs"),
        ("canonicalization", None), ("key_id", "ae-ed25519-000000000000"), ("key_id", None),
        ("sig", sig.rstrip("=")), ("sig", sig[:i] + ("A" if sig[i:i + 1] != "A" else "B") + sig[i + 1:]),
        ("sig", sig[:-4]), ("sig", ""), ("sig", None), ("sig", sig + "AAAA"), ("sig", " " + sig), ("x", "y")))
    if rng.random() < 0.2:
        signature.pop(key, None)
    else:
        signature[key] = new


def edit_check(rng, receipt):
    """Edit one check's definition."""
    check = part(rng, receipt, "checks")
    key, new = rng.choice((
        ("required", rng.random() < 0.5), ("observe", rng.random() < 0.5), ("tool", "other"), ("expect", []),
        ("expect", [{"op": "exists"}]), ("expect", [{"op": "not_exists"}]), ("args", {"a": Num("1")}),
        ("expect", [{"op": "eq", "value": Num("1")}]), ("id", ""), ("expect", None), ("observed", Num("1")),
        ("expect", [{"op": "abs_within", "value": {"value": Num("1"), "tol": Num("1")}}]),
        ("expect", [{"op": "nope"}]), ("confidence", Num("0")), ("confidence", Num("1")), ("id", "c2")))
    check[key] = new


def edit_fact(rng, receipt):
    """Edit one fact."""
    fact = part(rng, receipt, "evidence_index")
    key = rng.choice(("value", "raw", "timestamp", "verification", "fact", "unit"))
    if key == "verification" and isinstance(fact.get(key), dict):
        inner = fact[key]
        name, new = rng.choice((("confidence", Num("0.95")), ("basis", "inferred"), ("signals", {}),
                                ("signals", None), ("confidence", "0.8"), ("note", "x")))
        inner[name] = new
    else:
        fact[key] = rng.choice((None, Num("1"), "x", {"a": Num("1")}, NOW))


def edit_times(rng, receipt):
    """Another evaluated_at or issued_at."""
    receipt[rng.choice(("evaluated_at", "issued_at"))] = rng.choice(
        ("2020-01-01T00:00:00Z", "2026-06-09T04:40:25Z", "2026-06-09T04:40:24.000000Z", "yesterday", None,
         "2026-06-09T06:40:24+02:00", "2026-06-09T04:40:24.0000001Z"))


def move_checks(rng, receipt):
    """Reorder, repeat or remove checks."""
    checks = receipt.get("checks")
    if isinstance(checks, list) and checks:
        kind = rng.randrange(3)
        if kind == 0:
            rng.shuffle(checks)
        elif kind == 1:
            checks.pop()
        else:
            checks.append(copy.deepcopy(rng.choice(checks)))


def other_schema(rng, receipt):
    """A document of another schema."""
    receipt["schema"] = rng.choice(("answer/v2", "awareness/v1", None, "", "Answer/v1"))


def not_object(rng, _receipt):
    """Something that is no object."""
    return rng.choice((None, [], "x", Num("1"), {}))


def nothing(_rng, _receipt):
    """No change of value: only the spelling of the text may differ."""


MUTATIONS = [nothing, edit_leaf, edit_leaf, edit_leaf, edit_top, drop_member, drop_top, drop_check_member,
             add_member, respell_number, swap_facts, swap_citations, edit_citation, add_uncited,
             edit_check_verdict, edit_composite, edit_signature, edit_signature, edit_check, edit_fact,
             edit_times, move_checks, other_schema, not_object]


def rekeyed(receipt):
    """The receipt with new digests for its facts."""
    index = receipt.get("evidence_index")
    if not isinstance(index, dict) or not all(isinstance(f, dict) for f in index.values()):
        return receipt
    names = {n: oracle.digest(oracle.without(f, "attestation", "raw")) for n, f in index.items()}
    receipt["evidence_index"] = {names[n]: f for n, f in index.items()}
    for check in receipt.get("checks") if isinstance(receipt.get("checks"), list) else []:
        if isinstance(check, dict) and isinstance(check.get("evidence"), list):
            check["evidence"] = [names.get(d, d) if isinstance(d, str) else d for d in check["evidence"]]
    return receipt


def reordered(rng, value):
    """The value with the members of its objects in another order."""
    if isinstance(value, dict):
        items = [(k, reordered(rng, v)) for k, v in value.items()]
        rng.shuffle(items)
        return dict(items)
    return [reordered(rng, v) for v in value] if isinstance(value, list) else value


def mutated(rng, receipt, resign):
    """(name, text) of one mutation."""
    mutation, made = rng.choice(MUTATIONS), copy.deepcopy(receipt)
    name = mutation.__name__
    other = mutation(rng, made)
    if mutation is not_object:
        return name, canonical(other)
    for label, repair, chance in (("rekeyed", rekeyed, 0.4), ("identified", identified, 0.4),
                                  ("signed", signed, 0.4 if resign else 0)):
        if rng.random() < chance and mutation is not nothing:
            made, name = repair(made), name + "+" + label
    return spelt(rng, name, made)


def spelt(rng, name, receipt):
    """Write a receipt: canonical, respelt, cut short, or with a late duplicate."""
    kind = rng.randrange(12)
    text = canonical(receipt)
    if kind < 4:
        text = generate.spell(rng, reordered(rng, receipt)).replace("\n", " ").replace("\r", " ")
        name += "+respelt"
    elif kind == 4 and rng.random() < 0.3:
        text, name = text[:rng.randrange(1, len(text))], name + "+cut"
    elif kind == 5 and rng.random() < 0.5:
        extra = rng.choice(('"verdict":"supported"', '"x":"\\ud800"', '"x":"\\u0000"', '"confidence":1'))
        text, name = text[:-1] + "," + extra + "}", name + "+duplicate"
    return name, text


# --------------------------------------------------------------------------
# The command
# --------------------------------------------------------------------------

def verify_lines(lines, keys, jsonb):
    """Print one verification per line."""
    for i, line in enumerate(lines, 1):
        result = oracle.verify_text(line.rstrip("\n"), keys, jsonb)
        print(canonical({"line": Num(str(i)), **result}))


def mutate_lines(lines, options):
    """Print mutated receipts."""
    rng = random.Random()
    for n, line in enumerate(lines):
        # the number of draws depends on the receipt; it must not change the next one
        rng.seed("%d %d" % (options.seed, n))
        receipt = oracle.parse(line)
        for _ in range(options.mutate):
            name, text = mutated(rng, receipt, options.resign)
            print(json.dumps({"mutation": name, "receipt": text}) if options.label else text)


def print_samples(options):
    """Print minted receipts and write their key."""
    rng = random.Random(options.seed)
    for _ in range(options.sample):
        print(canonical(sample_receipt(rng)))
    if options.keys_out:
        with open(options.keys_out, "w", encoding="ascii") as out:
            out.write(json.dumps(sample_keys()) + "\n")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("receipts", nargs="?", help="file of receipts, one JSON text a line")
    parser.add_argument("--keys", help="file with the keys document")
    parser.add_argument("--jsonb", action="store_true", help="read receipts as jsonb would")
    parser.add_argument("--mutate", type=int, metavar="N")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--label", action="store_true")
    parser.add_argument("--resign", action="store_true")
    parser.add_argument("--keys-out")
    return parser.parse_args()


def main():
    """Do what the command line says."""
    sys.stdout.reconfigure(encoding="utf-8")
    options = arguments()
    if options.sample is not None:
        return print_samples(options)
    source = open(options.receipts, encoding="utf-8", newline="\n") if options.receipts else sys.stdin
    with source:
        if options.mutate is not None:
            return mutate_lines(source, options)
        if not options.keys:
            sys.exit("--keys is needed to verify")
        with open(options.keys, encoding="utf-8") as keys:
            verify_lines(source, oracle.parse(keys.read()), options.jsonb)


if __name__ == "__main__":
    main()
