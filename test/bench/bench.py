"""The benchmarks of answer_eval: each is a ratio "ours / theirs", measured in one run on one server.

    bench.py --signer PROGRAM [NAME...]                                     measures, and prints one table
    bench.py --signer PROGRAM --profile NAME --seconds N --pid-file FILE    repeats ours, for a profiler

run.sh and profile.sh start it and make the server; the environment says where it is. Nothing is asserted.

Both sides take turns, in reversed order every other time, after one turn of each that does not count. The figures are
medians of the wall clock. If both sides run in single processes, the ratio of their CPU times is shown, too: it hardly
depends on other work of the machine.
"""

import argparse
import io
import json
import os
import random
import statistics
import subprocess
import threading
import time

import psycopg2

import service

REPETITIONS = max(5, int(os.environ.get("BENCH_REPETITIONS", "7")))
# Divides the numbers of rows, for a quick look. Published figures use 1.
SCALE = max(1, int(os.environ.get("BENCH_SCALE", "1")))

DOCUMENTS = 20_000 // SCALE
FACTS = 1_000_000 // SCALE
VERDICTS = 10_000_000 // SCALE
CALLS = 1_000
SERVICE_CALLS = CALLS // 4
EVALS = max(CALLS, 20_000 // SCALE)
WARM_HOSTS = 20
COLD_HOSTS = 1_000
SIGNATURES = 5_000
INVESTIGATIONS = 100_000 // SCALE
ENTRIES_EACH = 10

SETTINGS = ["server_version", "shared_buffers", "work_mem", "jit", "fsync", "synchronous_commit", "full_page_writes",
            "wal_level", "max_wal_size", "autovacuum", "max_parallel_workers_per_gather", "server_encoding"]

WORDS = ("measure Überprüfung évidence claim source régime price größe stock delivery Wert temperature naïve reading "
         "release świadectwo station 証拠 report outage latency правда quota region tenant invoice — 12 µs").split()


def connect(dbname=None):
    connection = psycopg2.connect(dbname=dbname) if dbname else psycopg2.connect("")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
    return connection


def run(connection, sql, *parameters):
    """Run SQL; returns the rows of its last statement, or none."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters or None)
        return cursor.fetchall() if cursor.description else []


def cpu_seconds(pid):
    """CPU time of a single-threaded process."""
    try:
        with open("/proc/%d/schedstat" % pid) as file:
            return int(file.read().split()[0]) / 1e9
    except OSError:
        with open("/proc/%d/stat" % pid) as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Time:
    """Wall and CPU seconds of one turn, or medians; cpu is None if it would mislead."""

    def __init__(self, wall, cpu):
        self.wall = wall
        self.cpu = cpu


def clocked(connection, work, own=False):
    """The time of one turn, in the backend and, if `own`, also in this process."""
    pid = connection.get_backend_pid()
    cpu = cpu_seconds(pid) + (time.process_time() if own else 0)
    wall = time.perf_counter()
    work()
    wall = time.perf_counter() - wall
    return Time(wall, cpu_seconds(pid) + (time.process_time() if own else 0) - cpu)


def query(connection, sql):
    return lambda: clocked(connection, lambda: run(connection, sql))


def signer(program, what, size):
    """OpenSSL alone as one side: the time of one operation."""
    def turn():
        done = subprocess.run([program, what, str(size), str(SIGNATURES)], check=True, capture_output=True, text=True)
        wall, cpu = map(float, done.stdout.split())
        return Time(wall / 1e9, cpu / 1e9)
    return turn


def per(count, turn):
    """A turn whose time is divided by its number of operations."""
    def one():
        took = turn()
        return Time(took.wall / count, took.cpu / count)
    return one


def in_turns(*sides):
    """Run the sides in turns; returns the medians of their times. See above."""
    times = [[] for _ in sides]
    for side in sides:
        side()
    for repetition in range(REPETITIONS):
        order = range(len(sides)) if repetition % 2 == 0 else reversed(range(len(sides)))
        for i in order:
            times[i].append(sides[i]())
    medians = []
    for taken in times:
        walls = [one.wall for one in taken]
        medians.append(Time(statistics.median(walls), statistics.median(one.cpu for one in taken)))
        medians[-1].least = min(walls)
        medians[-1].greatest = max(walls)
    return medians


def shown(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1 or unit == "us":
            return "%.3g %s" % (seconds * factor, unit) if seconds * factor < 1000 else "%.0f %s" % (seconds * factor, unit)


def note(text):
    print("    " + text, flush=True)


def table(head, rows):
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    print()
    for i, row in enumerate([head, *rows]):
        print("  ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                        for at, (cell, width) in enumerate(zip(row, widths))))
        if i == 0:
            print("  ".join("-" * width for width in widths))


class Bench:
    def __init__(self, program):
        self.program = program
        self.connection = connect()
        self.rows = []
        self.made = set()

    # --- results ---------------------------------------------------------------------------------------------

    def row(self, name, ours, theirs, ratio, cpu, target, met):
        self.rows.append((name, ours, theirs, ratio, cpu, target, "yes" if met else "no"))

    def at_most(self, name, ours, theirs, target):
        """A row for two times; ours should be at most `target` times theirs."""
        ratio = ours.wall / theirs.wall
        self.row(name, shown(ours.wall), shown(theirs.wall), "%.2f" % ratio, "%.2f" % (ours.cpu / theirs.cpu),
                 "<= %.1f" % target, ratio <= target)
        note("%s: ours %s (%s to %s), theirs %s (%s to %s); CPU %s and %s" % (
            name, shown(ours.wall), shown(ours.least), shown(ours.greatest), shown(theirs.wall), shown(theirs.least),
            shown(theirs.greatest), shown(ours.cpu), shown(theirs.cpu)))

    def table(self):
        table(("benchmark", "ours", "theirs", "ratio", "CPU ratio", "target", "met"), self.rows)

    # --- data ------------------------------------------------------------------------------------------------

    def once(self, name):
        """Make a set of data on its first use."""
        if name not in self.made:
            self.made.add(name)
            getattr(self, "make_" + name)()

    def ask(self, sql, *parameters):
        return run(self.connection, sql, *parameters)

    def make_documents(self):
        rng = random.Random(1)
        text = io.StringIO()
        for i in range(DOCUMENTS):
            document = json.dumps(random_document(rng, i), ensure_ascii=False).replace("\\", "\\\\")
            text.write("%d\t%s\n" % (i, document))
        text.seek(0)
        # EXTERNAL, so that neither side has to decompress, which would hide what is measured.
        self.ask("CREATE UNLOGGED TABLE bench.document (n int, doc jsonb);"
                 "ALTER TABLE bench.document ALTER doc SET STORAGE EXTERNAL")
        with self.connection.cursor() as cursor:
            cursor.copy_expert("COPY bench.document FROM STDIN", text)
        self.ask("VACUUM (FREEZE, ANALYZE) bench.document")
        size, = self.ask("SELECT avg(octet_length(doc::text)) FROM bench.document")[0]
        keys, = self.ask("SELECT count(*)::float8 / %s FROM bench.document,"
                         " jsonb_path_query(doc, 'strict $.** ? (@.type() == \"object\").keyvalue()')", DOCUMENTS)[0]
        note("%d documents of %d bytes as text and %.0f keys on average, random but always the same; jsonb, STORAGE"
             " EXTERNAL" % (DOCUMENTS, size, keys))

    def make_facts(self):
        self.ask("""
            CREATE UNLOGGED TABLE bench.fact AS
            SELECT jsonb_build_object('id', 'fact_' || i, 'fact', 't', 'args', '{"station": "Zürich"}'::jsonb,
                'value', v, 'unit', 'ms', 'timestamp', '2026-06-09T04:40:24Z',
                'verification', '{"confidence": 0.8, "sources": 1, "verified": false, "basis": "live-source",
                    "signals": {"signed": true, "source_present": true, "fresh": true, "corroborated": false,
                    "conflict": false}, "note": "stored reading"}'::jsonb,
                'raw', jsonb_build_object('results', jsonb_build_array(jsonb_build_object('value', v, 'unit', 'ms')),
                    'station', 'Zürich')) AS fact
            FROM generate_series(1, %s) AS i, LATERAL (
                SELECT trim_scale((i::bigint * 7919 %% 10000) / 100.0) AS v) AS w""", FACTS)
        self.ask("VACUUM (FREEZE, ANALYZE) bench.fact")
        size, supported = self.ask("SELECT avg(pg_column_size(fact)), avg(((fact #>> '{raw,results,0,value}')::numeric"
                                   " >= 50)::int) FROM bench.fact")[0]
        note("%d facts of %d bytes of jsonb, in line, numbers in portable form as facts have them; %.0f %% of them support"
             " the check" % (
            FACTS, size, supported * 100))

    def make_verdicts(self):
        self.ask("SELECT setseed(0.5)")
        self.ask("""
            CREATE UNLOGGED TABLE bench.verdict AS
            SELECT round(random()::numeric, 3)::float8 AS confidence,
                (ARRAY['supported', 'supported', 'supported', 'supported', 'supported', 'value', 'contradicted',
                    'not_evaluable', 'evidence_unavailable', 'not_checked']::answer_verdict[])[1 + i %% 10] AS verdict,
                i %% 5 <> 0 AS required
            FROM generate_series(1, %s) AS i""", VERDICTS)
        self.ask("ALTER TABLE bench.verdict SET (parallel_workers = 2)")
        self.ask("VACUUM (FREEZE, ANALYZE) bench.verdict")
        note("%d rows of (float8, answer_verdict, boolean), %s" % (
            VERDICTS, self.ask("SELECT pg_size_pretty(pg_table_size('bench.verdict'))")[0][0]))

    def make_requests(self):
        self.ask("""
            SELECT answer_source_register('observatory', 'north', 'https://observatory.example/', 'CC-BY-4.0');
            SELECT answer_source_register('registry', 'south', 'https://registry.example/', 'CC0-1.0');
            SELECT answer_tool_register('release', required_args => '{host}', freshness => '30 days',
                value_path => 'version', options => jsonb_build_object('entity_path', 'package', 'category', 'software'));
            SELECT answer_tool_register('latency', required_args => '{host}', freshness => '30 days',
                value_path => 'results.0.value', options => jsonb_build_object('unit', 'ms', 'entity_path', 'host', 'category', 'network'));
            SELECT answer_tool_register('status', required_args => '{host}', freshness => '30 days',
                value_path => 'status', options => jsonb_build_object('entity_path', 'host', 'category', 'network'));
            SELECT answer_tool_register('stock', required_args => '{host}', freshness => '30 days',
                value_path => 'quantity', options => jsonb_build_object('unit', 'pieces', 'entity_path', 'sku', 'category', 'trade', 'country', 'CH'));
            SELECT answer_tool_register('price', required_args => '{host}', freshness => '30 days',
                value_path => 'amount', options => jsonb_build_object('unit', 'EUR', 'entity_path', 'sku', 'category', 'trade', 'country', 'DE'))""")
        with self.connection.cursor() as cursor:
            readings = [(tool, json.dumps({"host": host_name(host)}), json.dumps(raw), source)
                        for host in range(COLD_HOSTS) for tool, raw in raw_results(host)
                        for source in ("observatory", "registry")]
            cursor.execute("CREATE TEMP TABLE loaded (tool text, args jsonb, raw jsonb, source text)")
            cursor.copy_expert("COPY loaded FROM STDIN", io.StringIO(
                "".join("\t".join(part.replace("\\", "\\\\") for part in reading) + "\n" for reading in readings)))
        self.ask("SELECT count(answer_evidence_add(tool, args, raw, source, now() - interval '1 hour')) FROM loaded")
        # _apart: all requests of a batch differ, because equal ones would give one receipt
        self.ask("""
            CREATE TABLE bench.request (n int PRIMARY KEY, warm jsonb, cold jsonb,
                warm_apart jsonb GENERATED ALWAYS AS (jsonb_set(warm, '{checks,0,id}', ('"release ' || n::text || '"')::jsonb)) STORED,
                cold_apart jsonb GENERATED ALWAYS AS (jsonb_set(cold, '{checks,0,id}', ('"release ' || n::text || '"')::jsonb)) STORED)""")
        with self.connection.cursor() as cursor:
            for n in range(CALLS):
                cursor.execute("INSERT INTO bench.request (n, warm, cold) VALUES (%s, %s, %s)", (
                    n, request(host_name(n % WARM_HOSTS)), request(host_name(n % COLD_HOSTS))))
        self.ask("VACUUM ANALYZE answer.evidence")
        self.ask("ANALYZE answer.evidence_series")
        self.ask("ANALYZE bench.request")
        note("%d readings: %d hosts, 5 tools with 2 independent sources that agree; a request has 5 checks, one of each"
             " tool, with 8 expectations in all" % (len(readings), COLD_HOSTS))
        note("warm: requests about %d hosts in turn, so that both sides remember the attestations of their facts;"
             " cold: about %d, so that neither does" % (WARM_HOSTS, COLD_HOSTS))

    def make_investigations(self):
        """Load investigations in bulk as recording would store them: one entry of each shipped tool, and a second search."""
        self.ask("""
            INSERT INTO answer.investigation (intent, question, subject)
            SELECT (ARRAY['Locate', 'Explain', 'Diagnose', 'Modify', 'Status', 'Execute'])[1 + i %% 6],
                'where is symbol_' || i, 'symbol_' || i FROM generate_series(1, %s) AS i ORDER BY i""", INVESTIGATIONS)
        self.ask("""
            CREATE UNLOGGED TABLE bench.observation AS
            SELECT i, k, (ARRAY['grep', 'find', 'read', 'references', 'git', 'cmake', 'ctest', 'discovery', 'gh', 'grep'])[k] AS tool,
                CASE k WHEN 1 THEN jsonb_build_object('match', (ARRAY['phrase', 'identifier', 'substring', 'token'])[1 + i %% 4],
                        'match_count', 1 + i %% 60)
                    WHEN 2 THEN jsonb_build_object('match', (ARRAY['exact', 'partial', 'token'])[1 + i %% 3], 'match_count', 1 + i %% 5)
                    WHEN 3 THEN jsonb_build_object('selection', (ARRAY['highest_confidence', 'ranked', 'first_of_grep'])[1 + i %% 3],
                        'files_read', 1)
                    WHEN 4 THEN jsonb_build_object('match_count', i %% 9)
                    WHEN 5 THEN jsonb_build_object('command', 'log', 'question', 'history', 'has_query_terms', true,
                        'matching_commits', i %% 3, 'output_lines', 10, 'failed', false)
                    WHEN 6 THEN jsonb_build_object('ok', i %% 10 > 0, 'noop', i %% 7 = 0, 'target_built', i %% 2 = 0)
                    WHEN 7 THEN jsonb_build_object('run', 12, 'passed', 12 - i %% 2, 'failed', i %% 2, 'relevant', 12)
                    WHEN 8 THEN jsonb_build_object('type', 'cmake', 'source_count', i %% 100, 'has_tests', true)
                    WHEN 9 THEN jsonb_build_object('command', 'run view', 'conclusion', 'success')
                    ELSE jsonb_build_object('match', 'substring', 'match_count', 1 + i %% 7) END AS o
            FROM generate_series(1, %s) AS i, generate_series(1, %s) AS k""", INVESTIGATIONS, ENTRIES_EACH)
        self.ask("""
            INSERT INTO answer.quality_entry (investigation, entry, class, tool, query, target, quality, strength, sources,
                match_count, reason, digest, observation)
            SELECT i, sha256(convert_to(i || ' ' || k, 'UTF8')), (g).class, tool,
                CASE k WHEN 10 THEN 'symbol of ' || i ELSE 'symbol_' || i END, 'src/module_' || i % 977 || '/file_' || i % 3 || '.c',
                (g).quality, (g).strength, ARRAY['src/module_' || i % 977 || '/file_' || k % 3 || '.c'],
                coalesce((o ->> 'match_count')::bigint, 0), (g).reason, answer_digest(o), o
            FROM (SELECT *, answer.grade(tool, o) AS g FROM bench.observation OFFSET 0) AS x""")
        self.ask("VACUUM (FREEZE, ANALYZE) answer.investigation, answer.quality_entry")
        note("%d investigations with %d entries each, %s" % (INVESTIGATIONS, ENTRIES_EACH, self.ask(
            "SELECT pg_size_pretty(pg_total_relation_size('answer.quality_entry'))")[0][0]))

    # --- benchmarks ------------------------------------------------------------------------------------------

    CHECK = ("""SELECT count(*) FILTER (WHERE (answer_check('{"tool": "t", "expect": {"path": "results.0.value",
             "op": "gte", "value": 50}}', fact, '2026-06-09T04:40:24Z')).verdict = 'supported') FROM bench.fact""")
    DIGEST = "SELECT count(answer_digest(doc)) FROM bench.document"
    COMPOSITE = "SELECT answer_composite(verdict, confidence, required) FROM bench.verdict"
    EVAL = "SELECT count(answer_eval(warm)) FROM bench.request"
    EACH = "SELECT count(*) FROM answer_eval_each((SELECT array_agg(warm_apart) FROM bench.request WHERE true))"
    # the bodies of answer.receipt unchanged, with new ids
    PLAIN = ("INSERT INTO bench.plain (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, body, tenant)"
             " SELECT gen_random_uuid(), 'answer/v1', clock_timestamp(), 'supported', 0.9, false, 'ae-ed25519-0123456789ab', body, ''"
             " FROM bench.body")

    def check(self):
        self.once("facts")
        theirs = ("SELECT count(*) FILTER (WHERE (fact #>> '{raw,results,0,value}')::numeric >= 50) FROM bench.fact")
        if self.ask(self.CHECK) != self.ask(theirs):
            note("the two sides count differently")
        ours, others = in_turns(query(self.connection, self.CHECK), query(self.connection, theirs))
        self.at_most("check", ours, others, 1.0)
        rate = FACTS / ours.cpu
        self.row("check, per second and core", "%.0f/s" % rate, "", "", "", ">= 500000/s", rate >= 500_000)

    def digest(self):
        self.once("documents")
        ours, others = in_turns(query(self.connection, self.DIGEST), query(
            self.connection, "SELECT count(sha256(convert_to(doc::text, 'UTF8'))) FROM bench.document"))
        self.at_most("digest", ours, others, 1.0)

    def composite(self):
        self.once("verdicts")
        ours, others = in_turns(query(self.connection, self.COMPOSITE), query(
            self.connection, "SELECT min(confidence), bool_or(verdict = 'contradicted') FROM bench.verdict"))
        self.at_most("composite", ours, others, 1.5)
        for leader in ("on", "off"):
            parallel = connect()
            run(parallel, "SET max_parallel_workers_per_gather = 2")
            run(parallel, "SET parallel_leader_participation = " + leader)
            several, one = in_turns(query(parallel, self.COMPOSITE), query(self.connection, self.COMPOSITE))
            speedup = one.wall / several.wall
            self.row("composite, 2 workers, leader " + leader, shown(several.wall), shown(one.wall),
                     "%.2fx faster" % speedup, "", ">= 1.7x", speedup >= 1.7)
            note("2 workers, leader %s: %s (%s to %s), serial %s (%s to %s)" % (
                leader, shown(several.wall), shown(several.least), shown(several.greatest), shown(one.wall),
                shown(one.least), shown(one.greatest)))
            if run(parallel, self.COMPOSITE) != self.ask(self.COMPOSITE):
                note("parallel and serial differ")
            if leader == "on":
                for line, in run(parallel, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + self.COMPOSITE):
                    note("    " + line)
            parallel.close()

    def client_calls(self, connection, call, requests, one_transaction):
        """A turn: a client makes one call per request, all in one transaction or each in its own."""
        def work():
            connection.autocommit = not one_transaction
            for one in requests:
                call(one)
            if one_transaction:
                connection.commit()
            connection.autocommit = True
        return per(len(requests), lambda: clocked(connection, work, own=True))

    def calls_of_ours(self, connection):
        cursor = connection.cursor()

        def call(one):
            cursor.execute("SELECT answer_eval(%s::jsonb)::text", (one,))
            return cursor.fetchone()[0]
        return call

    def service_commits(self, connection, call):
        """One transaction per request. The service runs several statements, so it commits itself."""
        def committing(text):
            connection.autocommit = False
            call(text)
            connection.commit()
        return committing

    def eval(self):
        self.once("requests")
        warm = [text for text, in self.ask("SELECT warm::text FROM bench.request ORDER BY n")]
        cold = [text for text, in self.ask("SELECT cold::text FROM bench.request ORDER BY n")]
        receipt = json.loads(self.calls_of_ours(self.connection)(warm[0]))
        size = len(service.canonical(receipt))
        self.ask(service.SCHEMA)
        minted = {}
        for one_query in (False, True):
            connection = connect()
            one = service.Service(connection, receipt["issuer"], one_query)
            minted[one_query] = (connection, one.eval)
            text = one.eval(warm[0])
            report, = run(connection, "SELECT answer_verify(%s::text, %s)", text, json.dumps(one.keys))[0]
            same = all(json.loads(text)[key] == receipt[key] for key in ("verdict", "confidence", "degraded"))
            note("service%s: its receipt (%d bytes; ours %d) %s by answer_verify and %s ours in verdict and confidence"
                 % (" with one query for all readings" if one_query else "", len(text), size,
                    "is verified" if report["ok"] else "IS REFUSED", "equals" if same else "DIFFERS FROM"))
        note("ours, per request: request validated, key, tools and readings looked up under a deadline, 5 facts attested,"
             " one receipt signed and inserted; it goes to the client as text where there is one")
        note("service, per request: 1 query for the tools, 5 for the readings (or 1 for all), operators, facts,"
             " attestations, receipt and signature in Python, 1 insert of the same columns; key loaded beforehand")
        note("both: one connection over a Unix socket, psycopg2; a client's CPU time is counted in; attestations of up"
             " to 1,024 facts are remembered by either")

        statement = per(CALLS, query(self.connection, self.EVAL))
        statement_cold = per(CALLS, query(self.connection, self.EVAL.replace("warm", "cold")))
        ours = self.connection
        call = self.calls_of_ours(ours)
        each = per(CALLS, query(self.connection, self.EACH))
        each_cold = per(CALLS, query(self.connection, self.EACH.replace("warm", "cold")))
        together, alone, batch, bare, bare_same_size = in_turns(
            statement, self.client_calls(ours, call, warm, False), each,
            signer(self.program, "sign", 4096), signer(self.program, "sign", size))
        # separately, because cold requests make a session forget the attestations of warm ones
        together_cold, batch_cold, bare_cold = in_turns(statement_cold, each_cold, signer(self.program, "sign", 4096))
        note("a bare signature of 4096 bytes takes %s, of a receipt's %d bytes %s" % (
            shown(bare.wall), size, shown(bare_same_size.wall)))
        self.at_most("eval, one transaction / Ed25519", together, bare, 5)
        self.at_most("eval, the same, cold / Ed25519", together_cold, bare_cold, 9)
        self.at_most("eval, a transaction each / Ed25519", alone, bare, 12)
        self.at_most("eval_each, a receipt / Ed25519", batch, bare, 3)
        self.at_most("eval_each, the same, cold / Ed25519", batch_cold, bare_cold, 9)
        self.batch_floor()
        self.commit_floor(alone, bare)
        self.disk()
        self.two_sessions()
        self.cancels()

        for one_query in (False, True):
            connection, theirs = minted[one_query]
            for requests, temperature in ((warm, ""), (cold, ", cold")):
                if one_query and temperature:
                    continue
                committing = self.service_commits(connection, theirs)
                sides = in_turns(
                    self.client_calls(ours, call, requests, True),
                    self.client_calls(connection, theirs, requests[:SERVICE_CALLS], True),
                    self.client_calls(ours, call, requests, False),
                    self.client_calls(connection, committing, requests[:SERVICE_CALLS], False))
                kind = ("service, one query" if one_query else "service") + temperature
                if one_query:
                    self.rates("eval_each / %s, one transaction" % kind, batch, sides[1])
                self.rates("eval / %s, one transaction" % kind, sides[0], sides[1])
                self.rates("eval / %s, a transaction each" % kind, sides[2], sides[3])

    def batch_floor(self):
        """A batch compared with its minimum: for each receipt a signature, an insert, its text and its digest."""
        # EXTERNAL, so that reading them costs almost nothing
        self.ask("""
            CREATE TABLE bench.plain (LIKE answer.receipt_default INCLUDING ALL);
            CREATE UNLOGGED TABLE bench.body (n int PRIMARY KEY, body jsonb);
            ALTER TABLE bench.body ALTER body SET STORAGE EXTERNAL;
            INSERT INTO bench.body SELECT ordinal, receipt || '{}' -- not compressed, as a batch returns it
            FROM answer_eval_each((SELECT array_agg(warm) FROM bench.request));
            ANALYZE bench.body""")
        size, = self.ask("SELECT avg(octet_length(answer_canonical(body)))::int FROM bench.body")[0]
        batch, plain, text, bare, bare_4096 = in_turns(
            per(CALLS, query(self.connection, self.EACH)), per(CALLS, query(self.connection, self.PLAIN)),
            per(CALLS, query(self.connection, "SELECT count(answer_digest(body)) FROM bench.body")),
            signer(self.program, "sign", size), signer(self.program, "sign", 4096))
        ratio = plain.wall / batch.wall
        floor = bare.cpu + plain.cpu + text.cpu
        self.row("eval_each / plain insert of the same bodies", "%.0f/s" % (1 / batch.wall), "%.0f/s" % (1 / plain.wall),
                 "%.2f" % ratio, "%.2f" % (plain.cpu / batch.cpu), ">= 0.5", ratio >= 0.5)
        note("a receipt of %d bytes in a batch: %s of CPU. Floor %s: signature %s, insert of the body %s, canonical text and"
             " digest %s. That is %.2f signatures of 4096 bytes; signature and insert alone are %.2f of the plain insert" % (
                 size, shown(batch.cpu), shown(floor), shown(bare.cpu), shown(plain.cpu), shown(text.cpu),
                 floor / bare_4096.cpu, plain.cpu / (bare.cpu + plain.cpu)))

    def commit_floor(self, alone, bare):
        """One transaction per receipt, compared with a plain insert by the same client, which also returns the body as text."""
        cursor = self.connection.cursor()

        def call(n):
            cursor.execute(self.PLAIN + " WHERE n = %s RETURNING body::text", (n,))
            return cursor.fetchone()[0]
        plain, = in_turns(self.client_calls(self.connection, call, range(1, CALLS + 1), False))
        note("a transaction each: %s, of CPU %s. A plain insert of the body that returns it as text: %s, of CPU %s; with"
             " the signature that is %.2f signatures of 4096 bytes, of CPU %.2f" % (
                 shown(alone.wall), shown(alone.cpu), shown(plain.wall), shown(plain.cpu),
                 plain.wall / bare.wall + 1, plain.cpu / bare.cpu + 1))

    def bytes_each(self, table):
        """The size of a row on disk, with its share of TOAST and other files of the table."""
        return self.ask("SELECT pg_table_size('%s') / count(*) FROM %s" % (table, table))[0][0]

    def disk(self):
        """The size of a receipt of two checks, compared with its text as the server compresses it."""
        receipt_id, = self.ask("""
            SELECT answer_eval('{"checks": [
                {"id": "modern", "tool": "postgres_server", "expect": {"op": "semver_gte", "value": "15"}},
                {"id": "durable", "tool": "postgres_setting", "args": {"name": "fsync"}, "expect": {"op": "eq", "value": true}}
            ]}') ->> 'receipt_id'""")[0]
        columns = [name for name, in self.ask("SELECT attname FROM pg_attribute WHERE attrelid = 'answer.receipt'::regclass"
                                              " AND attnum > 0 AND NOT attisdropped ORDER BY attnum")]
        self.ask("""
            CREATE TABLE bench.kept (LIKE answer.receipt_default INCLUDING ALL);
            CREATE TABLE bench.text (LIKE answer.receipt_default);
            ALTER TABLE bench.text ALTER body TYPE text, ALTER body SET COMPRESSION pglz""")
        # the same receipt with many ids, each body compressed again
        for table, body in (("kept", "body || '{}'"), ("text", "answer_canonical(body)")):
            values = [{"receipt_id": "'ans_' || left(md5(generate_series::text), 16)", "body": body}.get(name, name) for name in columns]
            self.ask("INSERT INTO bench.%s (%s) SELECT %s FROM answer.receipt, generate_series(1, %d) WHERE receipt_id = '%s'" % (
                table, ", ".join(columns), ", ".join(values), CALLS, receipt_id))
        kept, text = map(self.bytes_each, ("bench.kept", "bench.text"))
        self.row("receipt of two checks, on disk", "%d bytes" % kept, "", "", "", "<= 2200", kept <= 2200)
        note("a receipt of two checks takes %d bytes on disk; with the body as canonical text, compressed by pglz, it would"
             " take %d" % (kept, text))

    def each_of_many(self, times):
        """A batch of so many times the requests, all different."""
        return self.EACH.replace("warm_apart", "jsonb_set(warm_apart, '{checks,1,id}', to_jsonb('latency ' || i))").replace(
            "bench.request", "bench.request, generate_series(1, %d) AS i" % times)

    def two_sessions(self):
        """One session with all requests, compared with two concurrent ones with half of them each."""
        sessions = [connect(), connect()]
        # long enough that the WAL is written on the way, and not at the end, when one session waits for the other
        all_of_them = self.each_of_many(5)

        def half(n):
            return all_of_them.replace("WHERE true", "WHERE n %% 2 = %d" % n)

        def together():
            begun = [cpu_seconds(one.get_backend_pid()) for one in sessions]
            wall = time.perf_counter()
            threads = [threading.Thread(target=run, args=(one, half(n))) for n, one in enumerate(sessions)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return Time(time.perf_counter() - wall, sum(cpu_seconds(one.get_backend_pid()) for one in sessions) - sum(begun))
        two, one = in_turns(together, query(self.connection, all_of_them))
        speedup = one.wall / two.wall
        # on two processors of their own the time would be that of the session that works longer
        self.row("eval_each, two sessions", shown(two.wall), shown(one.wall), "%.2fx faster" % speedup,
                 "%.2fx" % (2 * one.cpu / two.cpu), ">= 1.7x", speedup >= 1.7)
        note("two sessions: %s of CPU together, one alone %s; load %.2f" % (shown(two.cpu), shown(one.cpu), os.getloadavg()[0]))
        for session in sessions:
            session.close()

    def cancels(self):
        """The time from a cancel request, in the middle of a long batch, until the client has the error."""
        session = connect()
        pid = session.get_backend_pid()
        long = self.each_of_many(10)
        waits = []

        def work():
            try:
                run(session, long)
            except psycopg2.errors.QueryCanceled:
                waits.append(time.perf_counter())
        for _ in range(REPETITIONS):
            thread = threading.Thread(target=work)
            thread.start()
            while not self.ask("SELECT 1 FROM answer.eval_progress WHERE pid = %s AND done > %s", pid, CALLS // 4):
                time.sleep(0.01)
            time.sleep(random.random() / 20)
            begun = time.perf_counter()
            self.ask("SELECT pg_cancel_backend(%s)", pid)
            thread.join()
            waits[-1] -= begun
        session.close()
        self.row("eval_each, cancel", shown(max(waits)), "", "", "", "<= 100 ms", max(waits) <= 0.1)
        note("%d cancels: %s in the middle, %s the longest" % (len(waits), shown(statistics.median(waits)), shown(max(waits))))

    def rates(self, name, ours, theirs):
        ratio = theirs.wall / ours.wall
        self.row(name, "%.0f/s" % (1 / ours.wall), "%.0f/s" % (1 / theirs.wall), "%.1fx" % ratio,
                 "%.1fx" % (theirs.cpu / ours.cpu), ">= 10x", ratio >= 10)
        note("%s: ours %s (%s to %s) a receipt, theirs %s (%s to %s)" % (
            name, shown(ours.wall), shown(ours.least), shown(ours.greatest), shown(theirs.wall), shown(theirs.least),
            shown(theirs.greatest)))

    def make_receipts(self):
        self.once("requests")
        # the text as a caller would pass it: not made for the call, and not compressed
        self.ask("CREATE UNLOGGED TABLE bench.receipt (body jsonb, given text)")
        self.ask("ALTER TABLE bench.receipt ALTER given SET STORAGE EXTERNAL")
        self.ask("INSERT INTO bench.receipt SELECT r, r::text FROM (SELECT answer_eval(cold) AS r FROM bench.request OFFSET 0) AS x")
        self.ask("VACUUM (FREEZE, ANALYZE) bench.receipt")
        self.keys = json.dumps(self.ask("SELECT answer_keys()")[0][0])

    def verify_sql(self, document):
        return ("SELECT count(*) FILTER (WHERE (answer_verify(%s, '%s') -> 'ok')::boolean) FROM bench.receipt"
                % (document, self.keys))

    def verify(self):
        self.once("receipts")
        size, stored, of_text = self.ask(
            "SELECT avg(octet_length(answer_canonical(body))), avg(pg_column_size(body)), count(*) FROM bench.receipt")[0]
        for document in ("body", "given"):
            good, = self.ask(self.verify_sql(document))[0]
            note("answer_verify(%s): %d of %d receipts are good" % (document, good, of_text))
        binary, text, bare, bare_same_size = in_turns(
            per(CALLS, query(self.connection, self.verify_sql("body"))),
            per(CALLS, query(self.connection, self.verify_sql("given"))),
            signer(self.program, "verify", 4096), signer(self.program, "verify", int(size)))
        note("receipts of %d canonical bytes, stored as jsonb (%d bytes, compressed); keys given as a constant" % (
            size, stored))
        note("a bare verification of 4096 bytes takes %s, of %d bytes %s" % (
            shown(bare.wall), size, shown(bare_same_size.wall)))
        self.at_most("verify, jsonb / Ed25519", binary, bare, 2)
        self.at_most("verify, text / Ed25519", text, bare, 2)
        self.at_most("verify, text / Ed25519 of its size", text, bare_same_size, 2)

    def memory(self):
        self.once("facts")
        self.once("verdicts")
        self.once("requests")
        evals = self.EVAL + ", generate_series(1, %d)" % (EVALS // CALLS)
        for name, sql in (("%d checks" % FACTS, self.CHECK), ("composite of %d rows" % VERDICTS, self.COMPOSITE),
                          ("%d evals in one transaction" % (EVALS // CALLS * CALLS), evals)):
            connection = connect()
            # fill the caches of the session before the first measurement
            run(connection, sql.replace("bench.fact", "(SELECT * FROM bench.fact LIMIT 100) f")
                .replace("bench.verdict", "(SELECT * FROM bench.verdict LIMIT 100) v")
                .replace("bench.request", "(SELECT * FROM bench.request LIMIT 20) r"))
            start, middle, end = watched(connection, sql)
            connection.close()
            growth = end[1] - middle[1]
            self.row("memory, " + name, "%d kB" % end[1], "%d kB" % middle[1], "%.2f" % (end[1] / middle[1]), "",
                     "<= 1.05", end[1] <= middle[1] * 1.05)
            note("%s: VmRSS %d, %d, %d kB at start, middle and end; of it private (RssAnon) %d, %d, %d kB (%+d kB in"
                 " the second half); the rest is shared buffers and files as they are touched" % (
                     name, start[0], middle[0], end[0], start[1], middle[1], end[1], growth))

    GAPS = "SELECT kind, count(*) FROM answer.open_investigation, unnest(gap) GROUP BY kind ORDER BY kind"
    COMPLETE = "SELECT count(*), count(*) FILTER (WHERE complete) FROM answer.open_investigation"

    def one_by_one(self, call):
        """A turn: a client asks about investigations one by one."""
        numbers = [1 + n * 7919 % INVESTIGATIONS for n in range(CALLS)]
        return per(CALLS, lambda: clocked(self.connection, lambda: [self.ask(call, n) for n in numbers]))

    def quality(self):
        self.once("investigations")
        one, complete = in_turns(self.one_by_one("SELECT * FROM answer_gap(%s)"), self.one_by_one("SELECT answer_complete(%s)"))
        self.row("quality, gap of one", shown(one.wall), "", "", "", "<= 1 ms", one.wall <= 1e-3)
        self.row("quality, completion of one", shown(complete.wall), "", "", "", "<= 1 ms", complete.wall <= 1e-3)
        parallel = connect()
        run(parallel, "RESET max_parallel_workers_per_gather")
        for name, sql in (("gaps", self.GAPS), ("completion", self.COMPLETE)):
            several, serial = in_turns(query(parallel, sql), query(self.connection, sql))
            self.row("quality, %s of all, parallel" % name, shown(several.wall), shown(serial.wall),
                     "%.2fx faster" % (serial.wall / several.wall), "", "<= 5 s", several.wall <= 5)
            note("%s of all: %s (%s to %s) in parallel, %s (%s to %s) serially, CPU %s" % (
                name, shown(several.wall), shown(several.least), shown(several.greatest), shown(serial.wall),
                shown(serial.least), shown(serial.greatest), shown(serial.cpu)))
            if run(parallel, sql) != self.ask(sql):
                note("parallel and serial differ")
        for line, in run(parallel, "EXPLAIN (COSTS OFF) " + self.GAPS):
            note("    " + line)
        parallel.close()
        investigation, = self.ask("SELECT answer_investigation_open('Locate', 'bench')")[0]
        rows = [json.dumps({"match": "phrase", "match_count": n}) for n in range(CALLS)]
        recorded, = in_turns(per(CALLS, lambda: clocked(self.connection, lambda: [self.ask(
            "SELECT answer_investigation_record(%s, 'grep', 'bench', %s, %s)", investigation, str(time.perf_counter_ns()), o)
            for o in rows])))
        self.row("quality, recording one", shown(recorded.wall), "", "", "", "", True)

    # --- profiling -------------------------------------------------------------------------------------------

    def profile(self, name, seconds, pid_file):
        data, sql = {"check": ("facts", lambda: self.CHECK), "digest": ("documents", lambda: self.DIGEST),
                     "composite": ("verdicts", lambda: self.COMPOSITE), "eval": ("requests", lambda: self.EVAL),
                     "eval-cold": ("requests", lambda: self.EVAL.replace("warm", "cold")),
                     "verify": ("receipts", lambda: self.verify_sql("body")),
                     "verify-text": ("receipts", lambda: self.verify_sql("given"))}[name]
        self.once(data)
        self.ask(sql())
        with open(pid_file + ".new", "w") as file:
            file.write("%d\n" % self.connection.get_backend_pid())
        os.rename(pid_file + ".new", pid_file)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.ask(sql())


def memory_of(pid):
    """VmRSS and RssAnon in kB."""
    with open("/proc/%d/status" % pid) as file:
        fields = dict(line.split(":", 1) for line in file)
    return tuple(int(fields[name].split()[0]) for name in ("VmRSS", "RssAnon"))


def watched(connection, sql):
    """A backend's memory before a statement, in the middle of it and just before its end."""
    pid = connection.get_backend_pid()
    start = memory_of(pid)
    seen = []
    done = threading.Event()

    def watch():
        while not done.wait(0.02):
            seen.append(memory_of(pid))
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        run(connection, sql)
    finally:
        done.set()
        watcher.join()
    return start, seen[len(seen) // 2], seen[-1]


def phrase(rng, words):
    return " ".join(rng.choice(WORDS) for _ in range(words))


def random_document(rng, i):
    """A nested document of about 50 keys, as from an API."""
    return {
        "id": "%032x" % rng.getrandbits(128), "sequence": i, "title": phrase(rng, 9), "active": rng.random() < 0.5,
        "created_at": "2026-%02d-%02dT%02d:17:42.%06dZ" % (rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), i),
        "parent": None, "tags": [rng.choice(WORDS) for _ in range(6)],
        "owner": {"name": "Zoë " + phrase(rng, 1), "mail": "user%d@example.org" % i, "roles": ["editor", "reviewer"],
                  "address": {"street": phrase(rng, 3), "zip": str(rng.randint(1000, 9999)), "country": "CH"}},
        "metrics": {name: round(rng.uniform(-1e4, 1e4), 3) for name in (
            "mean", "median", "p95", "p99", "stddev", "least", "greatest", "total")},
        "counts": {name: rng.randint(0, 10 ** 9) for name in ("seen", "kept", "dropped", "retried")},
        "history": [{"at": "2026-0%d-11T08:00:00Z" % (k + 1), "by": "user%d" % rng.randint(1, 999),
                     "note": phrase(rng, 14), "score": round(rng.random(), 4)} for k in range(4)],
        "source": {"url": "https://data.example.org/v2/items/%d?view=\"full\"&lang=de" % i, "licence": "CC-BY-4.0",
                   "etag": "%016x" % rng.getrandbits(64)},
        "text": phrase(rng, 120),
    }


def host_name(n):
    return "host-%04d.example.org" % n


def raw_results(n):
    """The results of the five tools for a host."""
    host = host_name(n)
    return [
        ("release", {"host": host, "package": "postgresql", "version": "17.%d" % (n % 9 + 1), "channel": "stable",
                     "released_at": "2026-05-14", "supported": ["14.%d" % n, "15", "16", "17"],
                     "notes": "Fixes for wrong results and for crashes; « mise à jour » advised."}),
        ("latency", {"host": host, "results": [{"value": 12.5 + n % 20, "percentile": 50},
                                               {"value": 40.25 + n % 30, "percentile": 99}],
                     "unit": "ms", "samples": 3600 + n, "vantage": ["fra", "zrh", "ams"]}),
        ("status", {"host": host, "status": "operational", "incidents": [], "region": "eu-central",
                    "components": {"api": "operational", "queue": "operational", "storage": "degraded"}}),
        ("stock", {"host": host, "sku": "SKU-%06d" % n, "quantity": 100 + n, "reserved": 7, "warehouse": "Zürich",
                   "by_colour": {"red": 40 + n, "green": 50, "blue": 10}}),
        ("price", {"host": host, "sku": "SKU-%06d" % n, "currency": "EUR", "amount": 19.99, "list": 24.5,
                   "valid_from": "2026-01-01", "tiers": [{"from": 10, "amount": 18.49}, {"from": 100, "amount": 16.9}]}),
    ]


def request(host):
    args = {"host": host}
    return json.dumps({"checks": [
        {"id": "release", "tool": "release", "args": args, "expect": [
            {"path": "version", "op": "semver_gte", "value": "17.1"},
            {"path": "supported", "op": "contains", "value": "16"}]},
        {"id": "latency", "tool": "latency", "args": args, "expect": [
            {"path": "results.0.value", "op": "between", "value": [0, 50]},
            {"op": "fresh_within_s", "value": 86400}]},
        {"id": "status", "tool": "status", "args": args, "expect": {
            "op": "in", "value": ["operational", "degraded"]}},
        {"id": "stock", "tool": "stock", "args": args, "expect": {"path": "quantity", "op": "gte", "value": 25}},
        {"id": "price", "tool": "price", "args": args, "expect": [
            {"path": "amount", "op": "pct_within", "value": 20, "tol": 5},
            {"path": "currency", "op": "eq", "value": "EUR"}], "required": False}]})


NAMES = ("check", "digest", "eval", "composite", "verify", "memory", "quality")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signer", required=True)
    parser.add_argument("--profile")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pid-file")
    parser.add_argument("names", nargs="*", default=NAMES)
    arguments = parser.parse_args()
    bench = Bench(arguments.signer)
    bench.ask("CREATE SCHEMA bench")
    if arguments.profile:
        bench.profile(arguments.profile, arguments.seconds, arguments.pid_file)
        return
    print("%d cores, load %.2f before; medians of %d repetitions%s" % (
        os.cpu_count(), os.getloadavg()[0], REPETITIONS, "; SCALED DOWN by %d" % SCALE if SCALE > 1 else ""))
    print(", ".join("%s = %s" % (name, bench.ask("SELECT current_setting(%s)", name)[0][0]) for name in SETTINGS))
    for name in arguments.names:
        print(name, flush=True)
        getattr(bench, name)()
    bench.table()
    print("\nload %.2f after; ratio by the wall clock; CPU ratio: by the CPU time of the processes that work" %
          os.getloadavg()[0])


if __name__ == "__main__":
    main()
