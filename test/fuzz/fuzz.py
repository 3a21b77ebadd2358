"""Mutational fuzzing of everything that reads bytes from strangers, through SQL.

Seeds are real documents: a receipt minted by the server under test, checks, facts, requests, keys.  Each round mutates
them at the level of bytes and of JSON, feeds a batch to the server, and asks of every call that it either answers or
raises an error of an expected class.  A dead backend, an internal error (XX...) or an answer where none is due stops the
run with the input printed and kept.

    fuzz.py [--seconds N] [--seed S] [--keep DIR]        connection: the usual PG* variables
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

TARGETS = {
    # name: (SQL over the column "input", SQLSTATE classes that are fine)
    "canonical": ("length(answer_canonical(input))::text", ("22", "54")),
    "digest": ("answer_digest(input)", ("22", "54")),
    "verify": ("answer_verify(input, keys) ->> 'ok'", ("54",)),
    "verify_jsonb": ("answer_verify(input::jsonb, keys) ->> 'ok'", ("22", "54")),
    "keys": ("answer_verify(receipt, input::jsonb) ->> 'ok'", ("22", "54")),
    # these two must agree with the report; a disagreement divides by zero, which is no class that is fine
    "verify_ok": ("(1 / (answer_verify_ok(input, keys) = (answer_verify(input, keys) -> 'ok')::boolean)::int)::text",
                  ("54",)),
    "replay": ("(1 / ((answer_replay(input) -> 'ok')::boolean ="
               " coalesce(answer_verify(input, keys) #> '{steps,replay,ok}', 'false')::boolean)::int)::text", ("54",)),
    "portable": ("length(answer_portable(input::jsonb)::text)::text", ("22", "54")),
    "check": ("(answer_check(input::jsonb, fact, '2026-01-01Z')).verdict::text", ("22", "54")),
    "fact": ("(answer_check(checks, input::jsonb, '2026-01-01Z')).verdict::text", ("22", "54")),
    "validate": ("length(answer_validate(input::jsonb)::text)::text", ("22", "54")),
    "confidence": ("answer_fact_confidence(input::jsonb)::text", ("22", "54")),
    "path": ("answer_path_problem(input)", ()),
    "operator": ("answer_operator(op, input::jsonb, input::jsonb)::text", ("22", "54")),
    "public_key": ("answer_key_import_public(input)", ("22",)),
    # quality: what tools print is anything, and a receipt's rules and entries are a stranger's
    "output": ("(SELECT string_agg(answer_grade_text(t, 'Engine x', input, 'what is the last commit?') ->> 'quality', ' ')"
               " FROM unnest('{grep,find,git,cmake,ctest,gh}'::text[]) AS t)", ("54",)),
    "query": ("(SELECT string_agg(answer_grade_text(t, input, output, input) ->> 'quality', ' ')"
              " FROM unnest('{grep,find,git,cmake,ctest,gh}'::text[]) AS t)", ("54",)),
    "observation": ("(answer_grade((ARRAY['grep', 'git', 'ctest', 'discovery', 'gh', 'read'])[1 + length(input) % 6],"
                    " input::jsonb)).reason", ("22", "54")),
    "quality_replay": ("answer_quality_replay(input::jsonb) ->> 'ok'", ("22", "54")),
    "rules": ("(SELECT (answer_assess(input::jsonb, 'Modify', '', e.class, e.tool, e.query, e.target, e.quality, e.strength,"
              " e.reason, e.observation, e.entry)).explanation FROM answer.quality_entry e)", ("22", "54")),
}

OUTPUTS = [
    "src/a.c:1:struct Engine x {\nsrc/b.c-2-Engine\n--\ngrep: c: Is a directory\n", "./src/Engine x.c\nfind: y: no\n",
    "commit 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d\n    Engine x\n", "On branch main\n M a.c\n",
    "[ 50%] Building C object CMakeFiles/x.dir/a.c.o\n[100%] Linking C executable x\n[100%] Built target x\n",
    "1/2 Test #1: a ...   Passed\n2/2 Test #2: b ***Failed\n50% tests passed, 1 tests failed out of 2\n",
    '[{"conclusion": "success", "workflowName": "Engine x"}]', "X main CI \u00b7 9\n", "completed\tfailure\ta\tb\tc\td\te\n",
]
QUERIES = ["Engine x", "--build . --target x", "log --grep=x -- a", "run list -w x", "gh run view 9", "*x*", "src/a.c"]
OBSERVATIONS = ['{"match": "phrase", "match_count": 3}', '{"command": "log", "question": "history", "output_lines": 1}',
                '{"run": 3, "passed": 2, "failed": 1, "relevant": 2}', '{"type": "c", "source_count": 1, "has_tests": true}']

PUBLIC_KEYS = [
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
    '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "use": "sig", "alg": "EdDSA"}',
    "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
]

TOKENS = ['"', "\\", "\\u0000", "\\ud800", "\\ud83d\\ude00", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0",
          "1e400", "1e-400", "9007199254740993", "0." + "3" * 40, "9" * 1001, "\u00e9", "\U0001f600", "\u0085", " ", "\n",
          '"expect"', '"op"', '"value"', '"tol"', '"path"', '"raw"', '"evidence"', "a.b.0", ".", "=", "_", "-"]


def psql(script, *args):
    return subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *args],
                          input=script.encode("utf-8", "surrogatepass"), capture_output=True)


def setup():
    """Makes the seeds and the function that runs one call; returns the seeds by target."""
    script = r"""
        DROP SCHEMA IF EXISTS fuzz CASCADE;
        CREATE SCHEMA fuzz;
        SELECT answer_key_generate();
        CREATE TABLE fuzz.context AS SELECT answer_keys() AS keys, r::text AS receipt,
            (SELECT value FROM jsonb_each(r -> 'evidence_index') LIMIT 1) AS fact,
            E'src/a.c:1:Engine x\nBuilt target x\n0 tests failed out of 2\n' AS output,
            '{"tool": "t", "expect": [{"path": "version", "op": "semver_gte", "value": "15"}, {"op": "between",
              "path": "uptime_s", "value": [0, "1e9"]}, {"op": "fresh_within_s", "value": 60.5}]}'::jsonb AS checks
            FROM answer_eval('{"checks": [{"tool": "postgres_server", "expect": [{"op": "semver_gte", "value": "9"},
              {"path": "uptime_s", "op": "abs_within", "value": {"value": 1, "tol": 1e9}}]}, {"tool": "none"},
              {"tool": "supplied", "required": false, "expect": {"op": "contains", "value": "\u00e9"}}],
              "evidence": [{"fact": "supplied", "value": "caf\u00e9", "timestamp": "2026-01-01T00:00:00Z"}]}') AS r;
        SELECT answer_investigation_open('Modify', 'x') AS i \gset
        SELECT answer_investigation_record(:i, 'grep', 'x', 'a.c', '{"match": "phrase", "match_count": 1}'),
            answer_investigation_record(:i, 'read', 'x', 'a.c', '{"selection": "ranked", "files_read": 1}'),
            answer_investigation_record(:i, 'discovery', 'x', '.', '{"type": "c", "source_count": 1, "has_tests": true}'),
            answer_investigation_record(:i, 'gh', 'x', '', '{"command": "run view", "conclusion": "success"}'),
            answer_investigation_record(:i, 'cmake', 'x', '', '{"ok": true}');
        ALTER TABLE fuzz.context ADD quality text;
        UPDATE fuzz.context SET quality = answer_quality_receipt(:i);
        CREATE FUNCTION fuzz.call(target text, expression text, input text, op text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE result text;
        BEGIN
            EXECUTE format('SELECT %s FROM fuzz.context, (VALUES ($1, $2)) AS v (input, op)', expression)
                INTO result USING input, op;
            RETURN 'ok ' || coalesce(result, 'null');
        EXCEPTION WHEN others THEN
            RETURN SQLSTATE;
        END $$;
        SELECT json_build_object('quality', quality, 'rules', (SELECT rules::text FROM answer.quality_rules), 'receipt', receipt, 'fact', fact::text, 'check', checks::text, 'keys',
            answer_key_registry()::text, 'request', '{"checks": [{"tool": "t", "args": {"a": 1}, "expect": {"op": "eq",
            "value": 3.10}}], "deadline_ms": 10, "evidence": [{"fact": "x", "value": [1]}]}') FROM fuzz.context;
    """
    done = psql(script)
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    seeds = json.loads(done.stdout.decode().strip().splitlines()[-1])
    verification = json.dumps(json.loads(seeds["fact"])["verification"])
    return {
        "canonical": [seeds["receipt"], seeds["fact"], seeds["request"]], "digest": [seeds["fact"]],
        "verify": [seeds["receipt"]], "verify_jsonb": [seeds["receipt"]], "keys": [seeds["keys"]],
        "verify_ok": [seeds["receipt"]], "replay": [seeds["receipt"]],
        "portable": [seeds["request"], '[14.0, 1e2, 0.1234567890123456, 1e-5]'], "check": [seeds["check"]],
        "fact": [seeds["fact"]], "validate": [seeds["request"]], "confidence": [verification],
        "path": ["results.0.latest", "a.b.c.d.e.f.g.h"], "operator": ['"3.10"', "14.0", "[1, \"a\"]", '{"value": 1, "tol": 2}'],
        "public_key": PUBLIC_KEYS, "output": OUTPUTS, "query": QUERIES, "observation": OBSERVATIONS,
        "quality_replay": [seeds["quality"]], "rules": [seeds["rules"]],
    }


def mutate_bytes(rng, text):
    """A few edits of characters and tokens, anywhere."""
    out = list(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(out) + 1)
        kind = rng.randrange(6)
        if kind == 0 and out:
            out[at % len(out)] = chr(rng.choice((rng.randrange(1, 128), rng.randrange(0x80, 0xD800))))
        elif kind == 1 and out:
            del out[at % len(out):at % len(out) + rng.choice((1, 1, 2, 20))]
        elif kind == 2:
            out[at:at] = list(rng.choice(TOKENS))
        elif kind == 3 and out:
            begin = rng.randrange(len(out))
            out[at:at] = out[begin:begin + rng.randrange(1, 60)]
        elif kind == 4:
            out[at:at] = list(rng.choice("[{") * rng.choice((1, 50, 3000)))
        else:
            out = out[:at]
    return "".join(out).replace("\0", "")


def mutate_json(rng, text):
    """One or more edits of the parsed document, so that it stays JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return mutate_bytes(rng, text)
    for _ in range(rng.choice((1, 1, 2, 5))):
        value = edit(rng, value)
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def edit(rng, value):
    leaf = rng.choice((None, True, 0, -1, 1e300, 0.1, 9007199254740993, "", "x" * 300, "3.10", "sha256:0", [], {}, [[]],
                       {"value": 1, "tol": 1}, "2026-02-30T00:00:00Z", "\U0001f600", "0" * 1200))
    if rng.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return leaf
    if isinstance(value, list):
        at = rng.randrange(len(value))
        kind = rng.randrange(4)
        if kind == 0:
            return value[:at] + value[at + 1:]
        if kind == 1:
            return value[:at] + [value[at]] + value[at:]
        return value[:at] + [edit(rng, value[at])] + value[at + 1:]
    key = rng.choice(list(value))
    kind = rng.randrange(5)
    result = dict(value)
    if kind == 0:
        del result[key]
    elif kind == 1:
        result[rng.choice(("", "extra", "raw", "value", key + "x", "\u00e9"))] = leaf
    else:
        result[key] = edit(rng, value[key])
    return result


def copy_escape(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def run_batch(cases):
    rows = "".join("%d\t%s\t%s\t%s\t%s\n" % (i, target, copy_escape(TARGETS[target][0]), copy_escape(text), op)
                   for i, (target, text, op) in enumerate(cases))
    return psql("CREATE TEMP TABLE c (i int, target text, expression text, input text, op text);\nCOPY c FROM STDIN;\n"
                + rows + "\\.\nSELECT i || E'\\t' || fuzz.call(target, expression, input, op) FROM c ORDER BY i;\n")


def same_receipt(text, receipt):
    """Is it the same document?  The padding of the signature is the one thing that may vary."""
    documents = [json.loads(text), json.loads(receipt)]
    for document in documents:
        document["signature"]["sig"] = document["signature"]["sig"].rstrip("=")
    return documents[0] == documents[1]


def suspicious(target, answer, receipt, text):
    if answer.startswith("ok "):
        if target in ("verify", "verify_jsonb") and answer == "ok true":
            try:
                return not same_receipt(text, receipt)
            except ValueError:
                return True
        return False
    return answer[:2] not in TARGETS[target][1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("FUZZ_SECONDS", "60")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FUZZ_SEED", str(time.time_ns() % 1000000))))
    parser.add_argument("--keep", default=".", help="where to write an input that found something")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    seeds = setup()
    receipt = seeds["verify"][0]
    operators = ("eq ne lt between abs_within in contains starts_with semver_eq semver_prefix exists").split()
    print("seed", options.seed)
    end = time.monotonic() + options.seconds
    calls = answered = 0
    while time.monotonic() < end:
        cases = []
        for _ in range(500):
            target = rng.choice(list(TARGETS))
            text = rng.choice(seeds[target])
            mutate = rng.choice((mutate_bytes, mutate_json))
            cases.append((target, mutate(rng, text), rng.choice(operators)))
        done = run_batch(cases)
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        calls += len(cases)
        answers = dict(line.split("\t", 1) for line in lines if "\t" in line)
        bad = [c + (answers.get(str(i), "no answer"),) for i, c in enumerate(cases)
               if suspicious(c[0], answers.get(str(i), "no answer"), receipt, c[1])]
        answered += sum(a.startswith("ok ") for a in answers.values())
        if bad or done.returncode != 0:
            path = os.path.join(options.keep, "fuzz-finding-%d.json" % options.seed)
            with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
                json.dump(bad or cases, file)
            for target, text, op, answer in bad[:5]:
                print("%s gave %s for: %.500s" % (target, answer, text))
            print(done.stderr.decode("utf-8", "replace")[-2000:])
            print("the inputs are in", path)
            return 1
    print("%d calls, %d of them answered, nothing found" % (calls, answered))
    psql("DROP SCHEMA fuzz CASCADE")
    return 0


if __name__ == "__main__":
    sys.exit(main())
