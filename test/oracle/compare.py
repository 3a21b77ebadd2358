#!/usr/bin/python3
# tiers: check test long
"""Compare the extension with the oracle on generated cases.

    compare.py [--cases N] [--seed S] [--batch N] [--only area,...]

psql is found through PATH or $PSQL and connects as the PG* variables say, to a
database in which the extension exists.  Only temporary objects are created,
except for one unlogged table per composite batch (parallel workers cannot see
temporary ones), which the batch drops again.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import decision
import evidence
import gate
import graph
import oracle
import plan
import quality
import spec
from generate import GENERATORS
from oracle import ABSENT, Num, Refused

SHARES = {"canonical": 20, "digest": 5, "portable": 15, "operator": 30, "check": 15,
          "composite": 5, "validate": 8, "fact_confidence": 2, **quality.SHARES, **decision.SHARES, **graph.SHARES, **plan.SHARES,
          **evidence.SHARES, **spec.SHARES, **gate.SHARES}
GENERATORS = {**GENERATORS, **quality.GENERATORS, **decision.GENERATORS, **graph.GENERATORS, **plan.GENERATORS,
              **evidence.GENERATORS, **spec.GENERATORS, **gate.GENERATORS}
SHOWN = 20
SHOWN_CHARS = 6000


# --------------------------------------------------------------------------
# What the oracle expects: ("ok", value) or ("error", code)
# --------------------------------------------------------------------------

def optional(text):
    """A JSON argument for the oracle; ABSENT for NULL."""
    return ABSENT if text is None else oracle.parse_jsonb(text)


def expect_canonical(case):
    """Canonical text."""
    read = oracle.parse_jsonb if case["kind"] == "jsonb" else oracle.parse
    return oracle.canonical(read(case["doc"]))


def expect_digest(case):
    """Digest text."""
    return "sha256:" + oracle.sha256(expect_canonical(case))


def expect_portable(case):
    """A JSON value."""
    return oracle.portable(oracle.parse_jsonb(case["doc"]))


def expect_operator(case):
    """An outcome."""
    args = (optional(case[k]) for k in ("observed", "value", "tol"))
    return oracle.operator(case["op"], *args)


def expect_check(case):
    """The whole result of answer_check."""
    now = case["now"] and oracle.instant(case["now"])
    return oracle.check(optional(case["check"]), optional(case["evidence"]), now)


def expect_validate(case):
    """A normal form."""
    return oracle.validate(optional(case["request"]))


def expect_fact_confidence(case):
    """A float."""
    return oracle.fact_confidence(optional(case["verification"]))


def expect_composite(case):
    """The composite result."""
    return oracle.composite([(v, None if c is None else float(c), None if r is None else r == "t")
                             for v, c, r in case["rows"]])


def expected(area, case):
    """Run the oracle."""
    try:
        return "ok", EXPECT[area](case)
    except Refused as e:
        return "error", e.code


EXPECT = {name[len("expect_"):]: f for name, f in list(globals().items())
          if name.startswith("expect_")}
EXPECT.update(quality.EXPECT)
EXPECT.update(decision.EXPECT)
EXPECT.update(graph.EXPECT)
EXPECT.update(plan.EXPECT)
EXPECT.update(evidence.EXPECT)
EXPECT.update(spec.EXPECT)
EXPECT.update(gate.EXPECT)


# --------------------------------------------------------------------------
# Agreement
# --------------------------------------------------------------------------

FREE_TEXT = {"reason"}
WHERE = {"resolved", "keys", "more", "length"}


def number_of(value):
    """A JSON number as a float, or None."""
    return float(value.text) if isinstance(value, Num) else None


def trimmed(entry, no_raw):
    """An explain entry without the parts that are not compared."""
    drop = FREE_TEXT | (WHERE if no_raw else set())
    return {k: v for k, v in entry.items() if k not in drop}


def explain_agrees(want, explain):
    """Compare the shape of explain, and its entries if something was adjudicated."""
    if not isinstance(explain, dict) or not isinstance(explain.get("summary"), str):
        return False
    if explain.get("gap") != want.get("gap"):
        return False
    if want["entries"] is None:
        return True
    got = explain.get("expectations")
    if not isinstance(got, list) or len(got) != len(want["entries"]):
        return False
    return all(isinstance(g, dict) and trimmed(w, n) == trimmed(g, n)
               for w, g, n in zip(want["entries"], got, want["no_raw"]))


def check_agrees(want, text):
    """Compare an answer_check result."""
    got = oracle.parse(text)
    observed = got["observed"] if got["has"] else ABSENT
    return (got["verdict"] == want["verdict"]
            and number_of(got["confidence"]) == want["confidence"]
            and observed == want["observed"]
            and explain_agrees(want, got["explain"]))


def composite_agrees(want, text):
    """Compare a composite result."""
    got = oracle.parse(text)
    return (got.keys() == want.keys() and got["verdict"] == want["verdict"]
            and number_of(got["confidence"]) == want["confidence"]
            and got["degraded"] is want["degraded"]
            and got["checks"] == Num(str(want["checks"])))


def value_agrees(want, text):
    """Compare JSON values; numbers must be spelt the same."""
    return oracle.parse(text) == want


def agrees(area, want, got):
    """Whether (status, text) from SQL is what the oracle expects."""
    (status, value), (got_status, text) = want, got
    if status != got_status:
        return False
    if status == "error":
        return text.startswith(value)
    if text is None:
        return False
    if area in ("canonical", "digest", "operator"):
        return text == value
    if area == "fact_confidence":
        return float(text) == value
    special = {"check": check_agrees, "composite": composite_agrees, **decision.AGREES, **graph.AGREES, **plan.AGREES,
               **evidence.AGREES, **spec.AGREES, **gate.AGREES}
    return special.get(area, value_agrees)(value, text)


def readable(want):
    """An expectation as text, for a report."""
    status, value = want
    if isinstance(value, dict) and "entries" in value:
        value = {**value, "no_raw": value.get("no_raw")}
        return "%s: %r" % (status, value)
    return "%s: %s" % (status, value if isinstance(value, str) else show(value))


def show(value):
    """A value as JSON text if possible."""
    try:
        return oracle.canonical(value)
    except (TypeError, ValueError):
        return repr(value)


# --------------------------------------------------------------------------
# SQL
# --------------------------------------------------------------------------

COLUMNS = {"canonical": ("kind", "doc"), "digest": ("kind", "doc"), "portable": ("doc",),
           "operator": ("op", "observed", "value", "tol"), "check": ("check", "evidence", "now"),
           "validate": ("request",), "fact_confidence": ("verification",), **quality.COLUMNS,
           **decision.COLUMNS, **graph.COLUMNS, **plan.COLUMNS, **evidence.COLUMNS, **spec.COLUMNS, **gate.COLUMNS}

BY_KIND = """CASE a[1] WHEN 'json' THEN {0}(a[2]::json::text) WHEN 'jsonb' THEN {0}(a[2]::jsonb)
             ELSE {0}(a[2]) END"""

CALLS = {
    "canonical": BY_KIND.format("answer_canonical"),
    "digest": BY_KIND.format("answer_digest"),
    "portable": "pg_temp.stable_portable(a[1]::jsonb)::text",
    "operator": "answer.operator(a[1], a[2]::jsonb, a[3]::jsonb, a[4]::jsonb)::text",
    "check": """(SELECT jsonb_build_object('verdict', r.verdict, 'confidence', r.confidence,
                 'has', r.observed IS NOT NULL, 'observed', r.observed, 'explain', r.explain)::text
                 FROM answer_check(a[1]::jsonb, a[2]::jsonb, a[3]::timestamptz) AS r)""",
    "validate": "answer_validate(a[1]::jsonb)::text",
    "fact_confidence": "answer.fact_confidence(a[1]::jsonb)::text",
    "composite": """(SELECT to_jsonb(answer_composite(verdict::answer_verdict, confidence, required))::text
                 FROM rows_0 WHERE n = a[1]::int)""",
    **quality.CALLS, **decision.CALLS, **graph.CALLS, **plan.CALLS, **evidence.CALLS, **spec.CALLS, **gate.CALLS,
}

HELPERS = """
SET client_min_messages = error;
CREATE FUNCTION pg_temp.stable_portable(v jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
DECLARE once jsonb := answer.portable(v);
BEGIN
    IF answer.portable(once)::text IS DISTINCT FROM once::text THEN
        RAISE 'answer.portable is not idempotent' USING ERRCODE = 'XX001';
    END IF;
    RETURN once;
END $f$;
CREATE FUNCTION pg_temp.attempt(a text[], OUT status text, OUT result text) LANGUAGE plpgsql AS $f$
BEGIN
    result := %s;
    status := 'ok';
EXCEPTION WHEN OTHERS THEN
    result := SQLSTATE || ' ' || SQLERRM;
    status := 'error';
END $f$;
"""

COPY_OUT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
COPY_OUT_TABLE = str.maketrans(COPY_OUT)
COPY_IN = {escape[1]: c for c, escape in COPY_OUT.items()}
COPY_ESCAPE = re.compile(r"\\(.)", re.S)


def copy_field(text):
    """A value in COPY text format."""
    return "\\N" if text is None else text.translate(COPY_OUT_TABLE)


def copy_line(fields):
    """A row in COPY text format."""
    return "\t".join(map(copy_field, fields)) + "\n"


def uncopy(field):
    """Read a COPY text field back."""
    if field == "\\N":
        return None
    return COPY_ESCAPE.sub(lambda m: COPY_IN.get(m[1], m[1]), field)


def copy_in(table, rows):
    """A COPY command with its data."""
    return "COPY %s FROM STDIN;\n%s\\.\n" % (table, "".join(map(copy_line, rows)))


def run_psql(script):
    """Run a script; return the rows it copied out."""
    command = [os.environ.get("PSQL", "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-"]
    environment = {**os.environ, "PGCLIENTENCODING": "UTF8"}
    done = subprocess.run(command, input=script.encode(), env=environment, capture_output=True)
    if done.returncode:
        raise RuntimeError("psql failed: " + done.stderr.decode(errors="replace").strip()[-3000:])
    sys.stderr.write(done.stderr.decode(errors="replace"))
    lines = done.stdout.decode().split("\n")[:-1]
    return [tuple(map(uncopy, line.split("\t"))) for line in lines]


def plain_script(area, cases):
    """The script for an area whose cases are rows of text arguments."""
    names = COLUMNS[area]
    rows = ((str(i), *(case[name] for name in names)) for i, case in enumerate(cases))
    columns = ", ".join("a%d text" % i for i in range(len(names)))
    args = ", ".join("a%d" % i for i in range(len(names)))
    return (graph.HELPERS.get(area, "") + HELPERS % CALLS[area]
            + "CREATE TEMP TABLE cases (n int, %s);\n" % columns + copy_in("cases", rows)
            + "COPY (SELECT n, r.status, r.result FROM cases,"
              " LATERAL pg_temp.attempt(ARRAY[%s]) AS r) TO STDOUT;\n" % args)


def run_plain(area, cases):
    """One batch of an ordinary area: {(case number, variant): (status, text)}."""
    rows = run_psql(plain_script(area, cases))
    return {(int(n), ""): (status, result) for n, status, result in rows}


# --------------------------------------------------------------------------
# Composite: also by partial aggregation
# --------------------------------------------------------------------------

CHUNKINGS = 3
CHUNKS = 4

COMPOSITE_ROWS = """
CREATE TEMP TABLE cases (n int);
CREATE TEMP TABLE rows_0 (n int, verdict text, confidence float8, required boolean, {chunks});
"""

PARTITIONED = """
CREATE TEMP TABLE rows_{k} (n int, verdict answer_verdict, confidence float8, required boolean, chunk int)
    PARTITION BY LIST (chunk);
{partitions}
INSERT INTO rows_{k} SELECT n, verdict::answer_verdict, confidence, required, c{k} FROM rows_0
    WHERE n IN (SELECT n FROM good) ORDER BY c{k}, random();
"""

GROUPED = "SELECT n, answer_composite(verdict, confidence, required) AS c FROM {table} GROUP BY n"

PARALLEL = """
RESET cpu_tuple_cost;
CREATE UNLOGGED TABLE {table} AS SELECT n, verdict::answer_verdict AS verdict, confidence, required
    FROM rows_0 WHERE n IN (SELECT n FROM good) ORDER BY random();
ALTER TABLE {table} SET (parallel_workers = 3);
"""

SETTINGS = """
SET enable_partitionwise_aggregate = on;
SET cpu_tuple_cost = 100;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 3;
"""

PLAN_OF = """
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE line text; plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP plan := plan || line; END LOOP;
    RETURN CASE WHEN plan LIKE '%Partial%' THEN 'partial' ELSE 'plain' END;
END $f$;
"""


def composite_rows(cases, rng):
    """All rows of all cases, shuffled, each with a chunk per chunking."""
    rows = [(str(n), *row, *(str(rng.randrange(CHUNKS)) for _ in range(CHUNKINGS)))
            for n, case in enumerate(cases) for row in case["rows"]]
    rng.shuffle(rows)
    return rows


def grouped_copy(table, variant):
    """A script that copies out the grouped results of one table, and its query plan."""
    query = GROUPED.format(table=table)
    return ("COPY (SELECT n, '%s', 'ok', to_jsonb(c)::text FROM (%s) AS g) TO STDOUT;\n"
            "COPY (SELECT -1, '%s', 'plan', pg_temp.plan_of('%s')) TO STDOUT;\n"
            % (variant, query, variant, query))


def composite_script(cases, rng, table):
    """The script of a composite batch."""
    out = [HELPERS % "NULL", COMPOSITE_ROWS.format(
        chunks=", ".join("c%d int" % k for k in range(1, CHUNKINGS + 1)))]
    out += [copy_in("cases", ([str(n)] for n in range(len(cases)))),
            copy_in("rows_0", composite_rows(cases, rng)), "CREATE INDEX ON rows_0 (n);\nANALYZE rows_0;\n",
            (HELPERS % CALLS["composite"]).replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"), PLAN_OF,
            "CREATE TEMP TABLE results AS SELECT n, r.* FROM cases,"
            " LATERAL pg_temp.attempt(ARRAY[n::text]) AS r;\n",
            "CREATE TEMP TABLE good AS SELECT n FROM results WHERE status = 'ok';\n",
            "COPY (SELECT n, '', status, result FROM results) TO STDOUT;\n", SETTINGS]
    for k in range(1, CHUNKINGS + 1):
        parts = ["CREATE TEMP TABLE rows_%d_%d PARTITION OF rows_%d FOR VALUES IN (%d);" % (k, c, k, c)
                 for c in range(CHUNKS)]
        out += [PARTITIONED.format(k=k, partitions="\n".join(parts)),
                grouped_copy("rows_%d" % k, "chunks %d" % k)]
    out += [PARALLEL.format(table=table), grouped_copy(table, "parallel"), "DROP TABLE %s;\n" % table]
    return "".join(out)


def run_composite(cases, seed, label):
    """One composite batch: results of every variant."""
    table = "answer_oracle_%d_%s" % (os.getpid(), label)
    results = {}
    try:
        rows = run_psql("DO $$ BEGIN PERFORM setseed(%.4f); END $$;\n" % (seed % 10000 / 10000)
                        + composite_script(cases, random.Random(seed), table))
    except RuntimeError:
        subprocess.run([os.environ.get("PSQL", "psql"), "-X", "-q", "-c", "DROP TABLE IF EXISTS " + table],
                       capture_output=True)
        raise
    for n, variant, status, result in rows:
        if status == "plan":
            if result != "partial":
                sys.stderr.write("note: composite %s was not planned as a partial aggregate\n" % variant)
        else:
            results[int(n), variant] = status, result
    return results


# --------------------------------------------------------------------------
# The run
# --------------------------------------------------------------------------

class Report:
    """Counts cases and prints the first disagreements of each area."""

    def __init__(self):
        self.cases = self.disagreements = 0
        self.per_area = {}
        self.cases_in = {}

    def disagree(self, area, case, want, got, variant=""):
        """Record one disagreement."""
        self.disagreements += 1
        self.per_area[area] = self.per_area.get(area, 0) + 1
        if self.per_area[area] > SHOWN:
            return
        print("%s%s" % (area, " (%s)" % variant if variant else ""))
        for name, text in case.items():
            print("  %s: %s" % (name, clip(text if isinstance(text, str) else repr(text))))
        print("  expected %s" % clip(readable(want)))
        print("  got      %s" % clip("nothing" if got is None else "%s: %s" % got))


def clip(text):
    """Shorten a long line of a report."""
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "… (%d characters)" % len(text)


def run_batch(area, cases, seed, label):
    """Ask the database about one batch."""
    if area == "composite":
        return run_composite(cases, seed, label)
    return run_plain(area, cases)


def compare_batch(report, area, cases, wants, results):
    """Compare one batch of results."""
    report.cases += len(cases)
    for i, (case, want) in enumerate(zip(cases, wants)):
        got = results.get((i, ""))
        if got is None or not agrees(area, want, got):
            report.disagree(area, case, want, got)
    for (i, variant), got in results.items():
        if variant and not agrees(area, wants[i], got):
            report.disagree(area, cases[i], wants[i], got, variant)


def make_batches(areas, total, batch, seed):
    """(area, cases, seed, label) for every batch, sized by the areas' shares."""
    whole = sum(SHARES[a] for a in areas)
    for area in areas:
        count, rng = max(1, total * SHARES[area] // whole), random.Random("%d %s" % (seed, area))
        for start in range(0, count, batch):
            cases = [GENERATORS[area](rng) for _ in range(min(batch, count - start))]
            yield area, cases, seed + start, "%s_%d" % (area, start)


def run(options):
    """Generate, ask, compare, report."""
    report, pending = Report(), []
    # once, before parallel sessions would create it at the same time
    run_psql("SET client_min_messages = warning;\n" + plan.TEST_FUNCTIONS)
    with ThreadPoolExecutor(options.jobs) as pool:
        def finish(entry):
            area, cases, wants, future = entry
            report.cases_in[area] = report.cases_in.get(area, 0) + len(cases)
            try:
                results = future.result()
            except RuntimeError as e:
                print("%s: batch of %d cases lost: %s" % (area, len(cases), e))
                results = {}
            compare_batch(report, area, cases, wants, results)
        for area, cases, seed, label in make_batches(options.only, options.cases, options.batch, options.seed):
            future = pool.submit(run_batch, area, cases, seed, label)
            pending.append((area, cases, [expected(area, c) for c in cases], future))
            while len(pending) > options.jobs:
                finish(pending.pop(0))
        for entry in pending:
            finish(entry)
    return report


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=int(os.environ.get("ORACLE_CASES", "40000")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    parser.add_argument("--batch", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=lambda s: s.split(","), default=list(SHARES))
    options = parser.parse_args()
    unknown = set(options.only) - set(SHARES)
    if unknown:
        parser.error("unknown area: " + ", ".join(sorted(unknown)))
    return options


def main():
    """Run and exit with 1 when anything disagreed."""
    start, options = time.time(), arguments()
    print("seed %d" % options.seed)
    report = run(options)
    for area, count in report.cases_in.items():
        print("%s: %d cases, %d disagreements" % (area, count, report.per_area.get(area, 0)))
    print("%.1f s" % (time.time() - start))
    print("%d cases, %d disagreements" % (report.cases, report.disagreements))
    sys.exit(1 if report.disagreements else 0)


if __name__ == "__main__":
    main()
