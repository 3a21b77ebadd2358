#!/usr/bin/python3
# tiers: long
"""Compares the page of answer_receipt_html() with the extension, in a real browser: both must give the same outcome on the
good and tampered documents of offline.py.

    page.py [--cases N] [--seed S] [--only area,...] [--share N]

With --share, only one in N cases of a large area is tried; the seed chooses which.

One page is opened, and its own function verifies one document after the other. Each step that it judges must come out as
in answer_verify. It must say which steps it leaves to answer-verify, and must never accept a document that fails in a
step that it judges. psql connects as the PG* variables say, to a database in which the extension exists.
"""

import argparse
import json
import os
import sys
import tempfile
import time

import browser
import offline
import oracle
from compare import clip, copy_in, run_psql
from oracle import canonical

# The size of a message to the browser, in characters.
CHUNK = 4000000

VERIFY = """async (cases) => {
    const found = [];
    for (const [text, keys, proof, vkeys] of cases) {
        const inclusion = vkeys === undefined ? null : {proof: proof === null ? null : answerReceipt.parse(proof), vkeys, absent: 'none'};
        const report = await answerReceipt.verify(text, answerReceipt.parse(keys), answerReceipt.kinds, inclusion);
        found.push([report.ok, Object.fromEntries(Object.entries(report.steps).map(([name, step]) => [name, [step.ok, step.reason]]))]);
    }
    return found;
}"""

INCLUSIONS = """
CREATE TEMP TABLE cases (n int, receipt text, keys jsonb, proof jsonb);
%s
COPY (SELECT n, answer_verify(receipt, keys, proof, '{%s}')::text FROM cases) TO STDOUT;
"""


def chunks(cases):
    """Cases, grouped into messages."""
    begin, size = 0, 0
    for i, case in enumerate(cases):
        size += sum(len(part) for part in case if isinstance(part, str))
        if size > CHUNK:
            yield cases[begin:i + 1]
            begin, size = i + 1, 0
    if begin < len(cases):
        yield cases[begin:]


def ask_page(page, cases):
    """The reports of the page, in order."""
    return [report for chunk in chunks(cases) for report in page.call(VERIFY, *[chunk])]


def differences(theirs, ours):
    """Where the page's report differs from the extension's."""
    ok, steps = ours
    found = []
    if set(steps) != set(theirs["steps"]):
        found.append("steps %s" % sorted(steps))
    judged = {name: step[0] for name, step in steps.items() if step[0] is not None}
    for name, good in judged.items():
        there = theirs["steps"].get(name, {}).get("ok")
        # allowed: the extension lacks the rules and leaves a replay open, but the page finds numbers that do not add up
        # allowed: the page has no rules to apply a difference to, so it does not check their digest, and decides nothing by them
        unread = name == "closure" and good and theirs["steps"]["closure"].get("reason") == "the rules do not hash to their digest"
        if there != good and not unread and not (name == "replay" and there is None and not good):
            found.append("%s: %s (%s)" % (name, good, steps[name][1]))
    if any(not step[1] for name, step in steps.items() if not step[0]):
        found.append("a step without a reason")
    if ok != (False if False in judged.values() else True if "signature" in judged else None):
        found.append("ok %s" % ok)
    left_open = {name for name, step in steps.items() if step[0] is None}
    if left_open - {"replay", "anchor"}:
        found.append("not judged: %s" % sorted(left_open))
    return found


def compare(tally, page, name, cases, theirs):
    """One area."""
    ours = ask_page(page, cases)
    compared = [(canonical([part for part in case if part is not None])[:2000], [], differences(theirs[i], ours[i]))
                for i, case in enumerate(cases)]
    tally.area(name, compared, sum(1 for report in ours if report[0]))


def compare_inclusions(tally, page, world, count):
    """Proofs of receipts of this database, unchanged and with anything in them changed."""
    offline.ask("SELECT answer_log_seal()::text")
    vkeys = [offline.ask("SELECT answer_log_vkey()")[0][0],
             offline.vkey_text("witness.example/w", 4, oracle.ed25519_public(offline.WITNESS_SECRET))]
    proofs = [(oracle.parse(offline.ask("SELECT answer_log_inclusion('%s')::text" % r["receipt_id"])[0][0]), r)
              for r in world.minted]
    cases = [(canonical(receipt), world.all_keys, canonical(proof), vkeys)
             for proof, receipt in offline.tampered_proofs(world.rng, proofs, count) if isinstance(receipt, dict)]
    rows = copy_in("cases", ((str(i), *case[:3]) for i, case in enumerate(cases)))
    theirs = {int(n): json.loads(report) for n, report in run_psql(INCLUSIONS % (rows, ",".join(vkeys)))}
    compare(tally, page, "inclusions", cases, theirs)


def main():
    """Generate, ask both, compare."""
    start = time.time()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ANSWER_EVAL_SEED", "1")))
    parser.add_argument("--only", type=lambda s: s.split(","), default=["issued", *offline.RECEIPTS, "inclusions"])
    parser.add_argument("--share", type=int, default=1)
    options = parser.parse_args()
    tally = offline.Tally(options.seed, options.share)
    print("seed %d" % options.seed)
    if browser.command() is None:
        print("skipped: there is no chromium; Debian has it as chromium-headless-shell")
        print("1 cases, 0 disagreements")
        return
    world = offline.World(options.seed)
    with tempfile.TemporaryDirectory() as folder, browser.Browser(folder) as chromium:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="ascii") as file:
            file.write(oracle_page(world))
        page = chromium.open(path)
        for name in (name.replace("_", " ") for name in options.only):
            world.rng.begin(options.seed, name)
            if name == "inclusions":
                compare_inclusions(tally, page, world, options.cases)
                continue
            if name == "issued":
                documents = [*world.minted, *world.asked, *world.changes, world.retention, *world.decisions, *world.packets,
                             *world.plans]
                cases = [(canonical(document), keys) for document in documents for keys in (world.keys, world.registry)]
            else:
                cases = list(offline.RECEIPTS[name](world, options.cases // offline.SHARES.get(name, 1)))
            cases = tally.chosen([case for case in cases if "\n" not in case[0]])
            compare(tally, page, name, cases, offline.ask_extension(cases))
    print("%.1f s" % (time.time() - start))
    print("%d cases, %d disagreements" % (tally.cases, tally.disagreements))
    sys.exit(1 if tally.disagreements else 0)


def oracle_page(world):
    """The page of one of this database's receipts, as text in one line of COPY's output."""
    hexed, = offline.ask("SELECT encode(convert_to(answer_receipt_html('%s'), 'UTF8'), 'hex')" % world.minted[0]["receipt_id"])[0]
    return bytes.fromhex(hexed).decode("ascii")


if __name__ == "__main__":
    main()
