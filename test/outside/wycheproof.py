#!/usr/bin/python3
"""Wycheproof: Ed25519 verification, with forgeries that other implementations have accepted."""

import json
import os

import outside

FOLDER = outside.vectors("wycheproof")


def main():
    """Try every case."""
    with open(os.path.join(FOLDER, "testvectors_v1", "ed25519_test.json"), encoding="utf-8") as file:
        suite = json.load(file)
    cases = [(group["publicKey"]["pk"], test) for group in suite["testGroups"] for test in group["tests"]]
    answers = outside.ask(["SELECT answer.ed25519_verify(%s, %s, %s)" % tuple(
        outside.bytea(bytes.fromhex(x)) for x in (key, test["msg"], test["sig"])) for key, test in cases])
    tally = outside.Tally()
    for (_, test), answer in zip(cases, answers):
        expected = {"valid": "t", "invalid": "f"}[test["result"]]
        tally.check(answer.out == expected, "case %d (%s): %s %s" % (test["tcId"], test["comment"], answer.state,
            answer.out))
    if len(cases) != suite["numberOfTests"]:
        tally.check(False, "%d cases instead of %d" % (len(cases), suite["numberOfTests"]))
    tally.end()


main()
