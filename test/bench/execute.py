"""The benchmark of executing plans, compared with the same steps and rows in PL/pgSQL.

    execute.py --signer PROGRAM

run.sh starts it and makes the server; the environment says where it is. Nothing is asserted. There are two plans. Each
should take at most twice as long as the same in PL/pgSQL, in one transaction and committing each step. One has five calls
of a tool that does almost nothing, so everything around the calls is measured. The other is that of examples/plan, over
its hits: it verifies, asserts, quotes and remembers, and the other side calls the same handlers. PL/pgSQL cannot sign, so
signatures are measured with OpenSSL alone and subtracted from ours. The CPU time of the backend decides. Both sides take
turns, on tables with the same number of rows.
"""

import argparse
import os

from bench import REPETITIONS, SCALE, SETTINGS, connect, in_turns, note, per, query, run, shown, signer, table

PLANS = max(100, 1_000 // SCALE)        # of one turn
COMMITTING = PLANS // 4                 # of one that commits, because the disk is slow
KEPT = max(500, 10_000 // SCALE)        # over which memory must not grow

STEP = """CREATE SCHEMA bench;
    CREATE FUNCTION bench.next(args jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN RETURN jsonb_build_object('n', (args ->> 'n')::int + 1); END $$"""
REQUEST = """'{"plan": {"ref": "bench.five"}}'"""
MEMORY = "SELECT sum(total_bytes)::bigint, sum(used_bytes)::bigint FROM pg_backend_memory_contexts"


def calls(what, count):
    """SQL of so many calls in one statement, so in one transaction."""
    return "SELECT count(%s) FROM generate_series(1, %d) AS i" % (what, count)


def commits(what, count):
    """SQL of so many calls of a procedure that commits."""
    return "DO $$ DECLARE result jsonb; BEGIN FOR i IN 1 .. %d LOOP CALL %s; END LOOP; END $$" % (count, what)


def performs(what, count):
    """SQL of so many calls in one block, so in one transaction."""
    return "DO $$ BEGIN FOR i IN 1 .. %d LOOP %s; END LOOP; END $$" % (count, what)


EXECUTE = "answer_plan_execute(%s)" % REQUEST
RUN = "answer_plan_run(%s, result)" % REQUEST
REFUND = """'{"plan": {"ref": "acme.refund.v1"}, "vars": {"query": "refund policy custom items"}}'"""
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "plan")


class Execute:
    def __init__(self, program):
        self.program = program
        self.connection = connect()
        self.rows = []
        run(self.connection, STEP)
        for name, path in (("plan", "plan.json"), ("plan_hits", "hits.json")):
            with open(os.path.join(EXAMPLE, path), encoding="utf-8") as file:
                run(self.connection, "SELECT set_config(%s, %s, false)", "bench." + name, file.read())
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "execute.sql"), encoding="utf-8") as file:
            run(self.connection, file.read())

    def signatures(self, constant):
        """The CPU time of the signatures of one plan: its five events and its document."""
        event, document = run(self.connection, """
            SELECT length(answer_canonical(trace -> 0 -> 'event' #- '{sig}')), length(answer_canonical(body || jsonb_build_object('trace', trace)))
            FROM bench.""" + constant)[0]
        of_event, of_document = in_turns(signer(self.program, "sign", event), signer(self.program, "sign", document))
        note("signatures: 5 of %d bytes, %s each, and one of %d bytes, %s" % (event, shown(of_event.cpu), document,
                                                                              shown(of_document.cpu)))
        return 5 * of_event.cpu + of_document.cpu

    def ratio(self, name, ours, theirs, signed, target):
        rest = ours.cpu - signed
        self.rows.append((name, shown(ours.cpu), shown(rest), shown(theirs.cpu), "%.2f" % (rest / theirs.cpu),
                          "<= %.1f" % target if target else "", "" if not target else "yes" if rest <= target * theirs.cpu else "no"))
        note("%s: by the wall clock ours %s (%s to %s), theirs %s (%s to %s)" % (
            name, shown(ours.wall), shown(ours.least), shown(ours.greatest), shown(theirs.wall), shown(theirs.least),
            shown(theirs.greatest)))

    def overhead(self):
        signed = self.signatures("constant")
        ours, made, given = in_turns(*(per(PLANS, query(self.connection, calls(call, PLANS))) for call in (
            EXECUTE, "bench.five()", "bench.five_given()")))
        self.ratio("in one transaction", ours, made, signed, 2)
        self.ratio("the same, their rows given", ours, given, signed, None)
        ours, theirs = in_turns(*(per(COMMITTING, query(self.connection, commits(call, COMMITTING))) for call in (
            RUN, "bench.five_committing()")))
        self.ratio("committing each step", ours, theirs, signed, 2)

    def refund(self):
        signed = self.signatures("seed")
        ours, theirs = in_turns(*(per(COMMITTING, query(self.connection, performs(call, COMMITTING))) for call in (
            "PERFORM answer_plan_execute(%s)" % REFUND, "CALL bench.refund(false)")))
        self.ratio("of examples/plan, in one transaction", ours, theirs, signed, 2)
        ours, theirs = in_turns(*(per(COMMITTING, query(self.connection, commits(call, COMMITTING))) for call in (
            "answer_plan_run(%s, result)" % REFUND, "bench.refund(true)")))
        self.ratio("of examples/plan, committing each step", ours, theirs, signed, 2)

    def memory(self):
        for name, sql in (("answer_plan_execute", calls), ("answer_plan_run", commits)):
            connection = connect()
            # the disk is not to be measured
            run(connection, "SET synchronous_commit = off")
            call = EXECUTE if sql is calls else RUN
            run(connection, sql(call, 100))
            before = run(connection, MEMORY)[0]
            # in several statements, like callers
            for _ in range(10):
                run(connection, sql(call, KEPT // 10))
            after = run(connection, MEMORY)[0]
            connection.close()
            note("memory of a backend after 100 and %d more %s: %d and %d bytes, of them used %d and %d: %s" % (
                KEPT, name, before[0], after[0], before[1], after[1],
                "flat" if after[1] <= before[1] + 16384 else "%+d bytes" % (after[1] - before[1])))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signer", required=True)
    execute = Execute(parser.parse_args().signer)
    print("%d cores, load %.2f before; medians of %d repetitions of %d plans%s" % (
        os.cpu_count(), os.getloadavg()[0], REPETITIONS, PLANS, "; SCALED DOWN by %d" % SCALE if SCALE > 1 else ""))
    print(", ".join("%s = %s" % (name, run(execute.connection, "SELECT current_setting(%s)", name)[0][0]) for name in SETTINGS))
    print("execute", flush=True)
    execute.overhead()
    execute.refund()
    table(("a plan of five steps, CPU time", "ours", "signatures apart", "theirs", "ratio", "target", "met"), execute.rows)
    execute.memory()
    print("\nload %.2f after" % os.getloadavg()[0])


if __name__ == "__main__":
    main()
