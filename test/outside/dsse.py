#!/usr/bin/python3
"""DSSE envelopes of receipts must verify with general tools: Python's json and base64, and the openssl command.

The pre-authentication encoding follows DSSE's protocol.md and is first tried on the example there.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile

import outside

sys.path.insert(0, os.path.join(outside.ROOT, "test", "oracle"))
import oracle  # noqa: E402

# the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), without the key itself
SPKI = bytes.fromhex("302a300506032b6570032100")
REQUESTS = ['{"checks": [{"tool": "postgres_server"}]}',
            '{"checks": [{"id": "\u00e9\U0001f600\\u0001\\"\\\\", "tool": "none", "args": {"n": [1.50, 1e2, null]}}]}',
            '{"checks": [{"tool": "postgres_setting", "args": {"name": "fsync"}, "expect": {"op": "eq", "value": true}}, '
            '{"tool": "postgres_database"}, {"tool": "postgres_replication", "required": false}]}']


def pae(kind, body):
    """DSSE's pre-authentication encoding."""
    return b" ".join([b"DSSEv1", b"%d" % len(kind), kind, b"%d" % len(body), body])


def openssl_verifies(folder, key, message, signature):
    """Whether the openssl command accepts an Ed25519 signature."""
    names = {}
    for name, data in (("key", SPKI + key), ("message", message), ("signature", signature)):
        names[name] = os.path.join(folder, name)
        with open(names[name], "wb") as file:
            file.write(data)
    done = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names["key"], "-rawin",
                           "-in", names["message"], "-sigfile", names["signature"]],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode == 0


def main():
    """Try all receipts."""
    tally = outside.Tally()
    tally.check(pae(b"http://example.com/HelloWorld", b"hello world") ==
                b"DSSEv1 29 http://example.com/HelloWorld 11 hello world", "DSSE's own example")
    minted = outside.ask([outside.exactly("SELECT answer_eval(%s)" % outside.literal(r)) for r in REQUESTS])
    receipts = [json.loads(answer.text, parse_float=oracle.Num, parse_int=oracle.Num) for answer in minted]
    # rotate the key after minting: envelopes are signed by the key that is active when they are made
    keys, *answers = outside.ask(
        ["SELECT answer_key_generate() IS NOT NULL", "SELECT answer_keys()"] +
        [outside.exactly("SELECT answer_dsse(%s)" % outside.literal(r["receipt_id"])) for r in receipts])[1:]
    keys = {name: base64.urlsafe_b64decode(key) for name, key in json.loads(keys.out).items()}
    with tempfile.TemporaryDirectory() as folder:
        for receipt, answer in zip(receipts, answers):
            what = receipt["receipt_id"]
            envelope = json.loads(answer.text)
            tally.check(sorted(envelope) == ["payload", "payloadType", "signatures"], what + ": members")
            payload = base64.b64decode(envelope["payload"], validate=True)
            statement = json.loads(payload, parse_float=oracle.Num, parse_int=oracle.Num)
            tally.check(envelope["payloadType"] == "application/vnd.in-toto+json", what + ": type")
            tally.check(payload.decode("ascii") == oracle.canonical(statement), what + ": the payload is canonical")
            tally.check(sorted(statement) == ["_type", "predicate", "predicateType", "subject"], what + ": statement")
            tally.check(statement["_type"] == "https://in-toto.io/Statement/v1", what + ": statement type")
            tally.check(oracle.canonical(statement["predicate"]) == oracle.canonical(receipt), what + ": predicate")
            digest = hashlib.sha256(oracle.canonical(receipt).encode("ascii")).hexdigest()
            tally.check(statement["subject"] == [{"name": what, "digest": {"sha256": digest}}], what + ": subject")
            signature, = envelope["signatures"]
            tally.check(signature["keyid"] != receipt["signature"]["key_id"], what + ": the key that is active now")
            key = keys[signature["keyid"]]
            signed = pae(envelope["payloadType"].encode(), payload)
            raw = base64.b64decode(signature["sig"], validate=True)
            tally.check(openssl_verifies(folder, key, signed, raw), what + ": openssl verifies")
            tally.check(not openssl_verifies(folder, key, payload, raw), what + ": not the payload alone")
            tally.check(not openssl_verifies(folder, key, signed[:-1] + b"]", raw), what + ": not another payload")
            tally.check(not openssl_verifies(folder, keys[receipt["signature"]["key_id"]], signed, raw),
                        what + ": not by the key of the receipt")
    tally.end()


main()
