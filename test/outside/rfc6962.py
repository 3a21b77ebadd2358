#!/usr/bin/python3
"""RFC 6962: the valid and hostile inclusion and consistency proofs from the tests of transparency-dev/merkle.

Each file is tried twice: with the plain function (answer.merkle_inclusion, answer.merkle_consistency), and as a proof
document (answer_log_verify, whose step "proof" must agree). The folders subtreeinclusion and subtreeconsistency do not
apply: they are for Merkle Tree Certificates, whose subtrees begin anywhere, and no function here takes a beginning.

One valid file has roots that are not hashes ("don't care"). Here only roots of 32 bytes are accepted, so the file must
fail as it is, and pass with the hashes of its roots.
"""

import base64
import hashlib
import json
import os

import outside

FOLDER = os.path.join(outside.vectors("rfc6962"), "testdata")


def files(folder):
    """(name, content) of every file below a folder."""
    for path, _, names in sorted(os.walk(os.path.join(FOLDER, folder))):
        for name in sorted(names):
            full = os.path.join(path, name)
            with open(full, encoding="utf-8") as file:
                yield os.path.relpath(full, FOLDER), json.load(file)


def data(text):
    """The bytes of a hash."""
    return base64.b64decode(text or "")


def size(number):
    """A bigint; their sizes are unsigned, ours are not."""
    return "%d::bigint" % (number - (1 << 64) if number >= 1 << 63 else number)


def proof(hashes):
    """An array of hashes; an empty one may be missing in a file."""
    if hashes is None:
        return "NULL"
    return "ARRAY[%s]::bytea[]" % ", ".join(outside.bytea(data(h)) for h in hashes)


def sound(case):
    """Whether all hashes of a case have the right length."""
    hashes = [case[k] for k in ("root", "leafHash", "root1", "root2") if k in case] + (case["proof"] or [])
    return all(len(data(h)) == 32 for h in hashes)


def hashed(case):
    """The case with the hashes of its roots."""
    return {**case, **{k: base64.b64encode(hashlib.sha256(data(case[k])).digest()).decode() for k in ("root1", "root2")}}


def inclusion(case):
    """The bare rule, and the document."""
    return ("answer.merkle_inclusion(%s, %s, %s, %s, %s)" % (size(case["leafIdx"]), size(case["treeSize"]),
            outside.bytea(data(case["leafHash"])), outside.bytea(data(case["root"])), proof(case["proof"])),
            {"schema": "answer/inclusion/v1", "leaf_index": case["leafIdx"], "tree_size": case["treeSize"],
             "leaf_hash": case["leafHash"], "root_hash": case["root"], "hashes": case["proof"] or []})


def consistency(case):
    """The bare rule, and the document."""
    return ("answer.merkle_consistency(%s, %s, %s, %s, %s)" % (size(case["size1"]), size(case["size2"]),
            outside.bytea(data(case["root1"])), outside.bytea(data(case["root2"])), proof(case["proof"])),
            {"schema": "answer/consistency/v1", "from_size": case["size1"], "to_size": case["size2"],
             "from_root": case["root1"], "to_root": case["root2"], "hashes": case["proof"] or []})


def main():
    """Try every file."""
    cases = [(name, case, inclusion(case)) for name, case in files("inclusion")]
    for name, case in files("consistency"):
        cases.append((name, case, consistency(case)))
        if not case["wantErr"] and not sound(case):
            cases.append((name + " with hashes", hashed(case), consistency(hashed(case))))
    statements = []
    for _, _, (rule, document) in cases:
        statements.append("SELECT " + rule)
        statements.append("SELECT answer_log_verify(%s, NULL, '{}') #>> '{steps,proof,ok}'"
                          % outside.literal(json.dumps(document)))
    answers = outside.ask(statements)
    tally = outside.Tally()
    good = 0
    for i, (name, case, _) in enumerate(cases):
        rule, document = answers[2 * i:2 * i + 2]
        accepted = not case["wantErr"] and sound(case)
        good += accepted
        tally.check(rule.out == ("t" if accepted else "f"),
                    "%s (%s): %s %s" % (name, case["desc"], rule.state, rule.out))
        tally.check(document.out == ("true" if accepted else "false"),
                    "%s (%s), as a document: %s %s" % (name, case["desc"], document.state, document.out))
    tally.check(good >= 10, "only %d proofs are to be accepted" % good)
    print("%d proofs, %d of them good; the subtree folders are another specification's" % (len(cases), good))
    tally.end()


main()
