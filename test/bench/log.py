"""The benchmarks of storing receipts and of the log over them.

    log.py [NAME...]        measures, and prints one table: insert seal proof parallel audit

run.sh starts it and makes the server; the environment says where it is. Nothing is asserted. Figures by the wall clock
depend on other work of the machine, so the load is shown beside them, and the best of the repetitions beside the median.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import time

from bench import REPETITIONS, SCALE, SETTINGS, clocked, connect, note, run, shown, table

CLIENTS = 8
SECONDS = float(os.environ.get("BENCH_SECONDS", "4"))
LEAVES = 1_000_000 // SCALE             # per sealing
SEALINGS = 10                           # so many sealings make the tree for proofs
PROOFS = 5_000 // min(SCALE, 10)
RECEIPTS = 20_000 // SCALE

SETUP = """
    CREATE EXTENSION answer_eval;
    SELECT answer_source_register('observatory');
    SELECT answer_tool_register('release', required_args => '{host}', freshness => '30 days', value_path => 'version');
    SELECT answer_evidence_add('release', '{"host": "a.example"}', '{"host": "a.example", "package": "postgresql",
        "version": "17.4", "channel": "stable", "released_at": "2026-05-14", "notes": "Fixes for wrong results."}',
        'observatory')"""
# One check, against a stored reading: the request with the greatest share of signing.
REQUEST = json.dumps({"checks": [{"id": "client CLIENT", "tool": "release", "args": {"host": "a.example"},
                                  "expect": {"path": "version", "op": "semver_gte", "value": "17.1"}}]})

# A row like those of answer.receipt, as a client sends it, with the body as text. Ids are as random as ours.
COLUMNS = "receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, took, body"
VALUES = ("'ans_' || lpad(to_hex(:n::bigint), 16, '0'), 'answer/v1', clock_timestamp(), 'supported', 0.8, false, 'ae-ed25519-0123456789ab', interval '1 ms',"
          " :body::jsonb")
N = "\\set n random(1, 9223372036854775807)\n"
SCRIPTS = {
    "plain": N + "INSERT INTO bench.receipt (%s) VALUES (%s);\n" % (COLUMNS, VALUES),
    # the statement of DocumentPut in document/mint.c
    "unsigned": N + ("WITH stored AS (INSERT INTO answer.receipt (%s) VALUES (%s) ON CONFLICT DO NOTHING RETURNING receipt_id,"
                     " issued_at) INSERT INTO answer.unsealed (receipt_id, issued_at, digest) SELECT receipt_id, issued_at,"
                     " sha256(int8send(:n::bigint)) FROM stored;\n" % (COLUMNS, VALUES)),
    "signed": "SELECT answer_eval(replace(:request, 'CLIENT', :client_id::text)::jsonb) ->> 'receipt_id';\n",
}


def stat_fields(pid):
    with open("/proc/%d/stat" % pid) as file:
        return file.read().rpartition(")")[2].split()


def children(parent):
    """The children of a process, including those that have ended and were not reaped yet."""
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(stat_fields(int(pid))[1]) == parent:
                found.add(pid)
        except OSError:
            pass                        # it has ended meanwhile
    return found


def ended_cpu_seconds(parent):
    """The CPU time of all children that have ended."""
    fields = stat_fields(parent)
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def wal_bytes(connection):
    return run(connection, "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8")[0][0]


class Log:
    def __init__(self):
        self.postgres = connect()
        self.directory = os.environ["WORK"]
        self.rows = []

    def row(self, name, ours, theirs="", ratio="", target="", met=None):
        self.rows.append((name, ours, theirs, ratio, target, "" if met is None else "yes" if met else "no"))

    def rate(self, name, rates, target=None):
        """A row for a rate: the median decides, the best is shown."""
        middle = statistics.median(rates)
        self.row(name, "%.0f/s" % middle, "", "best %.0f/s" % max(rates), ">= %d/s" % target if target else "",
                 middle >= target if target else None)

    def latency(self, name, seconds, target=None):
        seconds = sorted(seconds)
        middle = statistics.median(seconds)
        self.row(name, shown(middle), "", "99 %%: %s" % shown(seconds[len(seconds) * 99 // 100]),
                 "<= %s" % shown(target) if target else "", middle <= target if target else None)

    def database(self, name):
        """A connection to a new database that is set up."""
        run(self.postgres, "DROP DATABASE IF EXISTS " + name)
        run(self.postgres, "CREATE DATABASE " + name)
        connection = connect(name)
        run(connection, SETUP)
        return connection

    def answer(self, connection, receipts):
        """That many receipts."""
        run(connection, "SELECT count(answer_eval(replace(%s, 'CLIENT', i::text)::jsonb)) FROM generate_series(1, %s) i",
            REQUEST, receipts)

    # --- inserts ---------------------------------------------------------------------------------------------

    def pgbench(self, name, body, seconds=SECONDS):
        """(transactions per second of 8 clients, the server's CPU seconds and the bytes of WAL of each)."""
        script = os.path.join(self.directory, name + ".pgbench")
        with open(script, "w") as file:
            file.write(SCRIPTS[name])
        postmaster = int(run(self.postgres, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")[0][0])
        before = children(postmaster)
        cpu = ended_cpu_seconds(postmaster)
        wal = wal_bytes(self.postgres)
        done = subprocess.run(["pgbench", "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(max(1, round(seconds))),
                               "-D", "body=" + body, "-D", "request=" + REQUEST, "-f", script, "insert"],
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        failed = re.search(r"number of failed transactions: ([1-9]\d*)", done.stdout)
        if failed:
            note("%s: %s transactions failed" % (name, failed.group(1)))
        while children(postmaster) - before:
            time.sleep(0.05)
        count = int(re.search(r"transactions actually processed: (\d+)", done.stdout).group(1))
        return (float(re.search(r"tps = ([\d.]+) \(without", done.stdout).group(1)),
                (ended_cpu_seconds(postmaster) - cpu) / count, (wal_bytes(self.postgres) - wal) / count)

    def insert(self):
        connection = self.database("insert")
        body, = run(connection, "SELECT answer_eval(%s)::text", REQUEST)[0]
        run(connection, """
            CREATE SCHEMA bench;
            CREATE TABLE bench.receipt (LIKE answer.receipt_default INCLUDING ALL)""")
        size, = run(connection, "SELECT pg_column_size(body) FROM answer.receipt")[0]
        note("8 clients, one row a transaction, %d cores; bodies of %d bytes, stored in %d" % (os.cpu_count(), len(body), size))
        note("plain: INSERT of all columns with the body sent as text, into a table with the same columns, indexes and"
             " compression: %s" % ", ".join(index for index, in run(
                 connection, "SELECT regexp_replace(indexdef, '.* USING ', '') FROM pg_indexes WHERE schemaname = 'bench'")))
        note("unsigned: the same row into answer.receipt and its digest into answer.unsealed, in one statement")
        note("signed: answer_eval of a request with one check against a stored reading: request read and validated, key and tool"
             " looked up, reading found and attested, check, composite, receipt written, hashed and signed, both rows")
        for fsync in ("on", "off"):
            run(self.postgres, "ALTER SYSTEM SET fsync = " + fsync)
            run(self.postgres, "SELECT pg_reload_conf()")
            run(self.postgres, "CHECKPOINT")
            turns = {name: [] for name in SCRIPTS}
            for repetition in range(-1, REPETITIONS):
                for name in list(SCRIPTS) if repetition % 2 else reversed(SCRIPTS):
                    turn = self.pgbench(name, body, SECONDS if repetition >= 0 else 1)
                    if repetition >= 0:
                        turns[name].append(turn)
            rate, cpu, wal = ({name: statistics.median(turn[i] for turn in taken) for name, taken in turns.items()}
                              for i in range(3))
            for name, taken in turns.items():
                rates = [turn[0] for turn in taken]
                note("fsync %s: %s %.0f/s (%.0f to %.0f); of each, %s of CPU time in the server, %.0f bytes of WAL" % (
                    fsync, name, rate[name], min(rates), max(rates), shown(cpu[name]), wal[name]))
            for name, target in (("unsigned", 0.8), ("signed", 0.5)):
                ratio = rate[name] / rate["plain"]
                note("fsync %s: %s / plain, turn by turn: %s; by CPU time %.2f" % (fsync, name, " ".join(
                    "%.2f" % (ours[0] / theirs[0]) for ours, theirs in zip(turns[name], turns["plain"])),
                    cpu["plain"] / cpu[name]))
                self.row("insert, %s / plain, fsync %s" % (name, fsync), "%.0f/s" % rate[name], "%.0f/s" % rate["plain"],
                         "%.2f" % ratio, ">= %.1f" % target if fsync == "on" else "", ratio >= target if fsync == "on" else None)
        run(self.postgres, "ALTER SYSTEM RESET fsync")
        run(self.postgres, "SELECT pg_reload_conf()")
        connection.close()
        run(self.postgres, "DROP DATABASE insert")

    # --- sealing and proving ---------------------------------------------------------------------------------

    def seal(self):
        self.connection = self.database("sealed")
        walls, cpus = [], []
        for sealing in range(SEALINGS):
            # in order of time from sealing to sealing, in random order within one, like that of writers
            run(self.connection, """
                INSERT INTO answer.unsealed
                SELECT 'ans_' || left(encode(sha256(int8send(i)), 'hex'), 16),
                    '2026-01-01Z'::timestamptz + i * interval '100 us' + random() * interval '10 ms', sha256(int8send(-i))
                FROM generate_series(%s::bigint, %s::bigint) i""", sealing * LEAVES + 1, (sealing + 1) * LEAVES)
            run(self.postgres, "CHECKPOINT")
            before = wal_bytes(self.connection)
            took = clocked(self.connection, lambda: run(self.connection, "SELECT answer_log_seal()"))
            walls.append(LEAVES / took.wall)
            cpus.append(LEAVES / took.cpu)
            note("sealing %d: %d leaves in %s, %s of CPU time, %d bytes of WAL a leaf; load %.2f" % (
                sealing + 1, LEAVES, shown(took.wall), shown(took.cpu), (wal_bytes(self.connection) - before) / LEAVES,
                os.getloadavg()[0]))
            run(self.connection, "TRUNCATE answer.unsealed")
        self.rate("seal, leaves", walls, 100_000)
        self.rate("seal, leaves a second of CPU time", cpus)

    def each(self, expression, over):
        """The seconds that an expression takes in the server for each row of a query."""
        rows = run(self.connection, """
            CREATE OR REPLACE FUNCTION pg_temp.each() RETURNS SETOF float8 LANGUAGE plpgsql AS $body$
            DECLARE t record; started timestamptz;
            BEGIN
                FOR t IN %s LOOP
                    started := clock_timestamp();
                    PERFORM %s;
                    RETURN NEXT extract(epoch FROM clock_timestamp() - started);
                END LOOP;
            END $body$; SELECT * FROM pg_temp.each()""" % (over.replace("%", "%%"), expression))
        return [seconds for seconds, in rows]

    def proof(self):
        if not hasattr(self, "connection"):
            self.seal()
        run(self.connection, "VACUUM ANALYZE answer.log_leaf")
        run(self.connection, "SELECT answer_eval(%s)", REQUEST)
        size, = run(self.connection, "SELECT max(tree_size) FROM answer.checkpoint")[0]
        # a proof needs the stored receipt: give a sample of the leaves one, with a body of the usual size
        run(self.connection, """
            SELECT setseed(0.5);
            CREATE TEMP TABLE sample AS SELECT (random() * (%s - 1))::bigint AS leaf_index FROM generate_series(1, %s);
            INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, took, body)
            SELECT l.receipt_id, r.schema, l.issued_at, r.verdict, r.confidence, r.degraded, r.key_id, r.took, r.body
            FROM (SELECT * FROM answer.receipt LIMIT 1) r, answer.log_leaf l WHERE leaf_index IN (SELECT leaf_index FROM sample);
            ANALYZE answer.receipt""", size, PROOFS)
        leaves = "SELECT l.* FROM sample JOIN answer.log_leaf l USING (leaf_index) ORDER BY random()"
        for name, expression, over, target in (
                ("inclusion", "answer_log_inclusion(t.receipt_id)", leaves, 1e-3),
                ("inclusion in an older tree", "answer_log_inclusion(t.receipt_id, t.leaf_index + 1 + (random() * (%d - t.leaf_index - 1))::bigint)"
                 % size, leaves, None),
                ("consistency to the newest", "answer_log_consistency(t.leaf_index + 1)", leaves, 1e-3),
                ("consistency of two older trees", "answer_log_consistency(1 + (random() * t.leaf_index)::bigint, t.leaf_index + 1)",
                 leaves, None),
                ("verifying an inclusion proof", "answer_log_verify(t.proof)",
                 "SELECT answer_log_inclusion(receipt_id) AS proof FROM (%s LIMIT 500) l" % leaves, None)):
            self.latency("proof at %d leaves, %s" % (size, name), self.each(expression, over), target)
        for line, in run(self.connection, """
                SELECT format('%s: %s, indexes %s', c.relname, pg_size_pretty(pg_table_size(c.oid)), pg_size_pretty(pg_indexes_size(c.oid)))
                FROM pg_class c WHERE c.oid IN ('answer.log_leaf'::regclass, 'answer.log_tile'::regclass)"""):
            note(line)
        self.connection.close()
        del self.connection
        run(self.postgres, "DROP DATABASE sealed")

    # --- verifying many --------------------------------------------------------------------------------------

    def parallel(self):
        connection = self.database("verified")
        self.answer(connection, RECEIPTS)
        run(connection, "VACUUM ANALYZE answer.receipt")
        keys, = run(connection, "SELECT answer_keys()::text")[0]
        for name, call in (("keys given", "answer_verify_ok(body, %s)"), ("keys of the registry", "answer_verify_ok(body)")):
            sql = "SELECT count(*) FROM answer.receipt WHERE " + call
            arguments = [keys] if "%" in call else []
            walls = {workers: [] for workers in range(3)}
            for _ in range(max(3, REPETITIONS // 2)):
                for workers in walls:
                    run(connection, "SET max_parallel_workers_per_gather = %d" % workers)
                    started = time.perf_counter()
                    good, = run(connection, sql, *arguments)[0]
                    walls[workers].append(time.perf_counter() - started)
                    if good != RECEIPTS:
                        note("%d of %d receipts are good" % (good, RECEIPTS))
            for workers, seconds in walls.items():
                middle = statistics.median(seconds)
                serial = statistics.median(walls[0])
                self.row("verify %d receipts, %s, %d workers" % (RECEIPTS, name, workers), "%.0f/s" % (RECEIPTS / middle),
                         "%.0f/s" % (RECEIPTS / serial) if workers else "", "%.2fx" % (serial / middle) if workers else
                         "best %.0f/s" % (RECEIPTS / min(seconds)), "")
            plan = run(connection, "EXPLAIN (COSTS OFF) " + sql, *arguments)
            note("%s: %s" % (name, " ".join(line.strip() for line, in plan)[:150]))
        connection.close()
        run(self.postgres, "DROP DATABASE verified")

    def audit(self):
        connection = self.database("audited")
        whole, rest = [], []
        self.answer(connection, RECEIPTS)
        run(connection, "SELECT answer_log_seal()")
        run(connection, "SELECT count(*) FROM answer_log_audit()")
        for _ in range(3):
            more = RECEIPTS // 4
            self.answer(connection, more)
            run(connection, "SELECT answer_log_seal()")
            for rates, sql, receipts in ((rest, "SELECT * FROM answer_log_audit(incremental => true)", more),
                                         (whole, "SELECT * FROM answer_log_audit()", None)):
                took = clocked(connection, lambda: note("the audit finds %s" % found) if (found := run(connection, sql)) else None)
                receipts = receipts or run(connection, "SELECT max(tree_size) FROM answer.checkpoint")[0][0]
                rates.append((receipts / took.wall, receipts / took.cpu))
        for name, rates in (("all", whole), ("what is new", rest)):
            self.rate("audit of %s, receipts" % name, [wall for wall, _ in rates])
            self.rate("audit of %s, receipts a second of CPU time" % name, [cpu for _, cpu in rates])
        connection.close()
        run(self.postgres, "DROP DATABASE audited")


NAMES = ("insert", "seal", "proof", "parallel", "audit")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES)
    arguments = parser.parse_args()
    log = Log()
    print("%d cores, load %.2f before%s" % (os.cpu_count(), os.getloadavg()[0],
                                           "; SCALED DOWN by %d" % SCALE if SCALE > 1 else ""))
    print(", ".join("%s = %s" % (name, run(log.postgres, "SELECT current_setting(%s)", name)[0][0]) for name in SETTINGS))
    for name in arguments.names:
        print(name, flush=True)
        getattr(log, name)()
    table(("benchmark", "ours", "theirs", "ratio or spread", "target", "met"), log.rows)
    print("\nload %.2f after; medians, by the wall clock where nothing else is said" % os.getloadavg()[0])


if __name__ == "__main__":
    main()
