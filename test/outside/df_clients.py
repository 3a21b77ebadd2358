#!/usr/bin/python3
"""Public clients of DF-VERIFY/1 must verify receipts of this extension, also after re-serializing them.

DF_VERIFY_CLIENTS names the folder `clients` of the repository dynamicfeed/df-verify, with python/dynamicfeed_verify,
which needs the Python package cryptography, and js, which needs node and its dependency @noble/ed25519.
"""

import importlib
import json
import os
import subprocess
import sys

import outside

RAW = ('{"v": 14.0, "small": 0.00001, "tiny": 1e-7, "long": 12345678901234567890, "big": 1e22, "third": 0.1234567890123456789,'
       ' "neg": -0.0, "e": 1e2, "half": 0.5, "text": "caf\u00e9 \u65e5\u672c \U0001f600 \u007f \\u0001 \\"\\\\/", "\u00e9": [true, null, {}]}')
SETUP = [
    "SELECT answer_source_register('gauge')",
    "SELECT answer_tool_register('gauge', options => jsonb_build_object('optional_args', '{n}'::text[]), value_path => 'v', freshness => '1 day')",
    "SELECT answer_evidence_add('gauge', jsonb_build_object('n', i), jsonb_build_object('i', i) || %s::jsonb, 'gauge')"
    " FROM generate_series(1, 20) i" % outside.literal(RAW),
]


def request(i):
    """One of twenty requests."""
    checks = [{"tool": "gauge", "args": {"n": i}, "expect": [{"op": "eq", "value": 14}, {"path": "text",
        "op": "contains", "value": "日"}]},
              {"tool": "postgres_server", "expect": {"path": "version_num", "op": "gt", "value": 1e5}},
              {"tool": "gauge", "args": {"n": 1000 + i}, "required": False},
              {"tool": "supplied", "args": {"x": i / 8}, "expect": {"op": "pct_within", "value": 1.05, "tol": 10}},
              {"tool": "none", "required": i % 2 == 0}]
    evidence = [{"fact": "supplied", "args": {"x": i / 8}, "value": 1 + i / 100, "raw": {"ünï": [i * 1e20]}}]
    return json.dumps({"checks": checks[:1 + i % 5] + checks[3:4 if i % 5 < 3 else 3], "evidence": evidence},
        ensure_ascii=False)


def tampered(text):
    """The receipt with one digit of its data changed."""
    at = text.index('"issued_at"') + 18
    return text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1:]


def python_client(folder, texts, keys, tally):
    """The Python client."""
    sys.path.insert(0, os.path.join(folder, "python"))
    try:
        client = importlib.import_module("dynamicfeed_verify")
    except ImportError as e:
        print("skipped: the Python client does not load: %s" % e)
        return
    for what, text in texts:
        expected = not what.startswith("tampered")
        for how, document in (("", json.loads(text)), (", read and written again",
            json.loads(json.dumps(json.loads(text))))):
            result = client.verify(document, jwks=keys)
            tally.check(result["ok"] is expected, "Python client, %s%s: %s" % (what, how, result))


def js_client(folder, texts, keys, tally):
    """The JavaScript client; also returns each receipt as JavaScript writes it."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "df_clients.mjs")
    try:
        done = subprocess.run(["node", script, os.path.join(folder, "js", "index.js")], check=False,
            stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, input=json.dumps({"keys": keys, "texts": [t for _,
                                  t in texts]}).encode())
    except FileNotFoundError:
        print("skipped: the JavaScript client: there is no node")
        return []
    if done.returncode:
        print("skipped: the JavaScript client does not load: %s" % done.stderr.decode("utf-8",
            "replace").strip()[:300].replace("\n", " "))
        return []
    results = json.loads(done.stdout)
    for (what, _), result in zip(texts, results):
        expected = not what.startswith("tampered")
        for how in ("text", "parsed", "rewritten"):
            tally.check(result[how]["ok"] is expected, "JavaScript client, %s, %s: %s" % (what, how, result[how]))
    return [("receipt %d written by JavaScript" % i, r["json"]) for i,
        r in enumerate(results) if not texts[i][0].startswith("tampered")]


def main():
    """Mint and verify."""
    folder = os.environ.get("DF_VERIFY_CLIENTS")
    if not folder:
        outside.skip("DF_VERIFY_CLIENTS names no folder of DF-VERIFY/1 clients")
    tally = outside.Tally()
    answers = outside.ask([outside.exactly("answer_eval(%s)" % outside.literal(request(i))) for i in range(1, 21)]
                          + ["SELECT answer_keys()"], SETUP)
    for answer in answers:
        tally.check(answer.ok, "minting: %s" % answer.state)
    keys = json.loads(answers.pop().out)
    receipts = [a.text for a in answers]
    texts = [("receipt %d" % i, t) for i, t in enumerate(receipts)] + [("tampered %d" % i, tampered(t)) for i,
        t in enumerate(receipts)]
    python_client(folder, texts, keys, tally)
    written = js_client(folder, texts, keys, tally)
    python_client(folder, written, keys, tally)
    written += [("receipt %d written by Python" % i, json.dumps(json.loads(t))) for i, t in enumerate(receipts)]
    for kind in ("text", "jsonb"):
        answers = outside.ask(["SELECT answer_verify(%s::%s) ->> 'ok'" % (outside.literal(t), kind) for _,
            t in written])
        for (what, _), answer in zip(written, answers):
            tally.check(answer.out == "true", "%s, as %s: %s %s" % (what, kind, answer.state, answer.out))
    tally.end()


main()
