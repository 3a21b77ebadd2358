#!/usr/bin/python3
"""DF-VERIFY/1: its canonical vectors, and its signed document with the tampered twin."""

import json
import os

import outside

FOLDER = os.path.join(outside.vectors("df-verify"), "tests", "vectors")


def load(name):
    """A file of vectors; texts and numbers keep their spelling."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


def signature_cases(suite):
    """(what, document, keys, expected) of all signed documents."""
    keys = suite["public_keys"]
    name, key = next(iter(keys.items()))
    registry = [{"key_id": name, "public_key": key, "status": "active", "active_from": "2020-01-01T00:00:00Z"}]
    authentic, tampered = (suite[n]["envelope_text"] for n in ("authentic", "tampered"))
    cases = [("authentic", authentic, keys, suite["authentic"]["expect"]["ok"]),
             ("tampered", tampered, keys, suite["tampered"]["expect"]["ok"]),
             ("authentic, spread over lines", json.dumps(json.loads(authentic), indent=1), keys, True),
             ("authentic, raw UTF-8", json.dumps(json.loads(authentic), ensure_ascii=False), keys, True),
             ("authentic, a number spelt differently", authentic.replace(":14.0,", ":14,", 1), keys, False),
             ("authentic, a registry as keys", authentic, registry, True),
             ("authentic, signed too early", authentic,
              [{**registry[0], "active_from": "2026-06-09T04:40:25Z"}], False),
             ("authentic, a key retired before", authentic,
              [{**registry[0], "status": "retired", "retired_at": "2026-06-09T04:40:23Z"}], False),
             ("authentic, a compromised key", authentic, [{**registry[0], "status": "compromised"}], False),
             ("authentic, another key", authentic, {name: key[:-3] + "AA="}, False),
             ("authentic, no keys", authentic, {}, False),
             ("authentic, an unpadded key", authentic, {name: key.rstrip("=")}, True),
             ("authentic, an unpadded signature", authentic.replace("BA==\"", "BA\"", 1), keys, True),
             ("authentic, another alg", authentic.replace('"alg":"Ed25519"', '"alg":"EdDSA"', 1), keys, False),
             ("authentic, with an anchor", authentic[:-1] + ',"anchor":{}}', keys, False)]
    # one character of the document at a time
    for i in range(0, len(authentic), 97):
        other = "1" if authentic[i] != "1" else "2"
        cases.append(("authentic, character %d" % i, authentic[:i] + other + authentic[i + 1:], keys, False))
    return cases


def main():
    """Try all vectors."""
    tally = outside.Tally()
    vectors = load("canonicalization.json")["vectors"]
    payloads = [{k: v for k, v in x["payload"].items() if k != "signature"} for x in vectors]
    for spelling in ({}, {"ensure_ascii": False}, {"indent": 2}):
        answers = outside.ask(["SELECT answer_canonical(%s::text)" % outside.literal(json.dumps(p,
            **spelling)) for p in payloads])
        for vector, answer in zip(vectors, answers):
            tally.check(answer.out == vector["canonical"], "%s: %s %s" % (vector["name"], answer.state, answer.out))
    cases = signature_cases(load("signed-awareness.json"))
    answers = outside.ask(["SELECT answer_verify(%s::text, %s) ->> 'ok'" % (
        outside.literal(document), outside.literal(json.dumps(keys))) for _, document, keys, _ in cases])
    for (what, _, _, expected), answer in zip(cases, answers):
        tally.check(answer.out == str(expected).lower(), "%s: %s %s" % (what, answer.state, answer.out))
    tally.end()


main()
