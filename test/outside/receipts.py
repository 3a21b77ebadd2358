#!/usr/bin/python3
"""Receipts of this extension and mutations of them: the extension and the oracle must agree on every step.

    receipts.py [--receipts N] [--mutations N] [--seed S]

The requests are random, over built-in tools, stored readings and supplied facts. The mutations are those of
test/oracle/verify_receipts.py.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import outside

ORACLE = os.path.join(outside.ROOT, "test", "oracle")
sys.path.insert(0, ORACLE)
import generate  # noqa: E402
import oracle  # noqa: E402

BUILT_IN = [("postgres_server", {}), ("postgres_database", {}), ("postgres_replication", {}),
            ("postgres_setting", {"name": "work_mem"}), ("postgres_setting", {"name": "fsync"}),
            ("postgres_setting", {"name": "no such setting"}), ("postgres_setting", {}),
            ("postgres_extension", {"name": "answer_eval"}), ("postgres_relation", {"relation": "answer.receipt"}),
            ("postgres_relation", {"relation": "pg_catalog.pg_class"}), ("postgres_database", {"name": "none"}),
            ("postgres_server", {"surplus": oracle.Num("1")})]
PATHS = ["version", "version_num", "uptime_s", "name", "setting", "unit", "size_bytes", "encoding", "role",
    "standbys.0.name",
         "default_version", "kind", "nothing.at.all", "in_recovery", "i", "v", "list.1", "list.7", "text"]
READINGS = 12
SETUP = [
    "SELECT answer_source_register(s, CASE WHEN s IN ('b', 'c') THEN 'same' END) FROM unnest('{a,b,c}'::text[]) s",
    "SELECT answer_tool_register('reading', options => jsonb_build_object('optional_args', '{n}'::text[], 'unit', 'm'), value_path => 'v', freshness => '1 day')",
    "SELECT answer_tool_register('forecast', options => jsonb_build_object('optional_args', '{n}'::text[], 'basis', 'forecast'), value_path => 'v')",
    "SELECT answer_tool_register('stamped', options => jsonb_build_object('optional_args', '{n}'::text[], 'timestamp_path', 'at'), value_path => 'text',"
    " freshness => '1 hour')",
    # one source, two that agree, two that do not, two that are not independent, one that has expired
    "SELECT answer_evidence_add(t, jsonb_build_object('n', i), jsonb_build_object('i', i, 'v', i * 1.25 + CASE WHEN i %% 4 = 2"
    " AND s = 'b' THEN 1 ELSE 0 END, 'text', repeat('\u00e9x\U0001f600', i), 'list', jsonb_build_array(i, 'a', null, 1e-7 * i),"
    " 'at', '2026-0' || i %% 9 + 1 || '-01T00:00:00Z', 'secret', 'password=hunter2'), s, now() - interval '1 minute' * i,"
    " CASE WHEN i %% 5 = 0 THEN now() - interval '1 second' WHEN i %% 5 = 1 THEN now() + interval '1 day' END)"
    " FROM unnest('{reading,forecast,stamped}'::text[]) t, generate_series(1, %d) i, unnest('{a,b,c}'::text[]) s"
    " WHERE s = 'a' OR (s = 'b' AND i %% 4 > 0) OR (s = 'c' AND i %% 3 = 0)" % READINGS,
]


def expectation(rng):
    """An expectation about a built-in tool or a reading."""
    op = rng.choice(oracle.OPERATORS if hasattr(oracle, "OPERATORS") else generate.OPERATORS)
    out = {"op": op}
    if rng.random() < 0.7:
        out["path"] = rng.choice(PATHS)
    number = oracle.Num(rng.choice(("0", "1", "5", "6.25", "100", "1e5", "-3", "15", "0.1")))
    text = rng.choice(("a", "15", "x", "UTF8", "primary", "0.1.0", "17", ""))
    if op == "in":
        out["value"] = [number, text, None]
    elif op == "between":
        out["value"] = [oracle.Num("0"), number]
    elif op in ("abs_within", "pct_within"):
        out["value"], out["tol"] = number, oracle.Num(rng.choice(("0", "1", "50", "1e3")))
    elif op == "fresh_within_s":
        out["value"] = oracle.Num(rng.choice(("0", "60", "3600", "1e9")))
    elif op.startswith("semver"):
        out["value"] = rng.choice(("15", "0.1", "0.1.0", "17.2", "1"))
    elif op not in ("exists", "not_exists"):
        out["value"] = rng.choice((number, text, True, None))
    return out


def request(rng):
    """A random request."""
    checks, facts = [], []
    for i in range(rng.choice((1, 1, 2, 3, 3, 5, 23))):
        kind = rng.random()
        if kind < 0.35:
            tool, args = rng.choice(BUILT_IN)
            check = {"tool": tool, "args": args}
        elif kind < 0.7:
            check = {"tool": rng.choice(("reading", "forecast", "stamped")),
                "args": {"n": oracle.Num(str(rng.randrange(1, READINGS + 2)))}}
        elif kind < 0.95:
            fact = {**generate.fact(rng), "fact": rng.choice(("t", "u")), "args": {"k": oracle.Num(str(i))}}
            if rng.random() < 0.3:
                fact["expires"] = rng.choice(("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "never"))
            facts += [fact] if rng.random() < 0.8 else [fact, {**fact, "value": oracle.Num("7"), "id": "again"}]
            checks.append({**generate.check(rng, fact), "tool": fact["fact"], "args": fact["args"], "id": "k%d" % i})
            continue
        else:
            check = {"tool": "unknown"}
        check["expect"] = [expectation(rng) for _ in range(rng.choice((0, 1, 1, 2)))]
        if rng.random() < 0.2:
            check["required"] = False
        if rng.random() < 0.1:
            check["observe"] = True
        checks.append({**check, "id": "k%d" % i})
    return generate.compact({"checks": checks, "evidence": facts})


def mint(rng, wanted):
    """(so many receipts, the keys); requests that happen to be invalid are dropped."""
    requests = [request(rng) for _ in range(3 * wanted)]
    half = len(requests) // 2
    answers = outside.ask([outside.exactly("answer_eval(%s)" % outside.literal(r)) for r in requests[:half]]
                          + ["SELECT answer_key_generate()"]
                          + [outside.exactly("answer_eval(%s)" % outside.literal(r)) for r in requests[half:]]
                          + ["SELECT answer_keys()", "SELECT answer_key_registry()"], SETUP)
    registry, keys = answers.pop().out, answers.pop().out
    del answers[half]
    states = collections.Counter(a.state for a in answers)
    receipts = [a.text for a in answers if a.ok]
    rng.shuffle(receipts)
    return receipts[:wanted], keys, registry, states


def run_oracle(*arguments, text):
    """The lines that verify_receipts.py prints."""
    done = subprocess.run([sys.executable, os.path.join(ORACLE, "verify_receipts.py"), *arguments],
        input=text.encode("utf-8"),
                          stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8").split("\n")[:-1]


def oks(result):
    """The parts of a report that must agree."""
    return result["ok"], {name: step["ok"] for name, step in result["steps"].items()}


def compare(tally, what, documents, keys, jsonb=False, good=None):
    """Verify documents both ways; `good` is the expected result for all, if it is known."""
    lines = [text for _, text in documents]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(keys)
        file.flush()
        options = ["--keys", file.name] + (["--jsonb"] if jsonb else [])
        # the oracle computes in Python, so it uses all processors
        size = -(-len(lines) // (os.cpu_count() or 1))
        jobs = []
        for i in range(0, len(lines), size):
            source, out = tempfile.TemporaryFile(), tempfile.TemporaryFile()
            source.write("".join(line + "\n" for line in lines[i:i + size]).encode("utf-8"))
            source.seek(0)
            jobs.append((subprocess.Popen([sys.executable, os.path.join(ORACLE, "verify_receipts.py"), *options],
                                          stdin=source, stdout=out), out))
        kind = "jsonb" if jsonb else "text"
        answers = outside.ask(["SELECT answer_verify(%s::%s, %s)" % (outside.literal(t), kind,
            outside.literal(keys)) for t in lines])
        expected = []
        for job, out in jobs:
            if job.wait():
                raise SystemExit("the oracle failed")
            out.seek(0)
            expected += [json.loads(line) for line in out.read().decode("utf-8").split("\n")[:-1]]
    agreed = collections.Counter()
    for (name, text), theirs, answer in zip(documents, expected, answers):
        if jsonb and not answer.ok:
            # a text that is not valid jsonb is not a receipt
            tally.check(not theirs["ok"] and answer.state[:3] == "22P", "%s, %s: %s" % (what, name, answer.state))
            continue
        ours = json.loads(answer.out) if answer.ok else {"ok": answer.state, "steps": {}}
        tally.check(oks(ours) == oks(theirs), "%s, %s:\n  here   %s\n  oracle %s\n  keys %s\n  %s" % (
            what, name, json.dumps(ours), json.dumps({k: theirs[k] for k in ("ok", "steps")}), keys[:200], text[:3000]))
        if good is not None:
            tally.check(ours["ok"] is good, "%s, %s: %s\n  %s" % (what, name, answer.out, text[:4000]))
        agreed["good" if theirs["ok"] else "bad"] += 1
    print("%s: %d verify, %d do not" % (what, agreed["good"], agreed["bad"]))


def main():
    """Mint, mutate, verify."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--receipts", type=int, default=100)
    parser.add_argument("--mutations", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    options = parser.parse_args()
    print("seed %d" % options.seed)
    tally = outside.Tally()
    rng = random.Random(options.seed)
    receipts, keys, registry, states = mint(rng, options.receipts)
    tally.check(len(receipts) == options.receipts, "only %d receipts" % len(receipts))
    # 23514: a fact that calls itself Verified
    tally.check(not set(states) - {"00000", "22023", "23514"}, "minting: %s" % dict(states))
    checks = [c for r in receipts for c in json.loads(r)["checks"]]
    print("%d receipts: %s" % (len(receipts), dict(collections.Counter(c["verdict"] for c in checks))))
    tally.check("hunter2" not in "".join(json.dumps(c["explain"]) for c in checks),
        "explain tells what nobody asked for")

    originals = [("receipt %d" % i, r) for i, r in enumerate(receipts)]
    compare(tally, "receipts under keys", originals, keys, good=True)
    compare(tally, "receipts under the registry", originals[::4], registry, good=True)
    for what, text in originals:
        tally.check(json.loads(text)["receipt_id"].startswith("ans_"), what)
    lines = run_oracle("--mutate", str(options.mutations), "--seed", str(options.seed), "--label",
        text="".join(r + "\n" for r in receipts))
    mutated = [(m["mutation"], m["receipt"]) for m in map(json.loads, lines)]
    compare(tally, "mutations under keys", mutated, keys)
    compare(tally, "mutations under the registry", mutated[::5], registry)
    compare(tally, "mutations as jsonb", mutated[1::5], keys, jsonb=True)
    broken = json.loads(registry)
    broken[0]["retired_at"], broken[1]["status"] = "2020-01-01T00:00:00Z", "compromised"
    compare(tally, "receipts under keys out of use", originals[::10], json.dumps(broken), good=False)
    tally.end()


main()
