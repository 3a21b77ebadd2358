"""The command line: arguments, exit status, and verifying in parallel. doc/offline.md."""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import os
import re
import shutil
import signal
import sys

from verify.document.json_text import ABSENT, AMBIGUOUS, NotJson, parse_bytes, REPEATED
from verify.document.canonical import canonical, portable
from verify.document.small_text import base64url, encode64, instant, printable
from verify.df_verify_1.report import Terms, Unusable
from verify.keys.openssl import cryptography, OpenSSL
from verify.keys.given import read_keys, read_roots
from verify.df_verify_1.receipt import verify_receipt
from verify.plan.bundle import bundle_report
from verify.log.merkle import leaf_hash
from verify.log.note import checkpoint_report, read_vkey
from verify.log.proof import (
    consistency_report, CONSISTENCY_SCHEMA, document_digest, final_report, inclusion_report, INCLUSION_SCHEMA, no_proof,
    proof_schema)
from verify.command.files import Document, read_documents, read_file
from verify.command.output import guarded, left_undone, print_report


def verify_all(documents, verify, options):
    """Verify documents in parallel and report in order; returns the exit status."""
    counts = collections.Counter()

    def finish(entry):
        document, future = entry
        report = future.result()
        counts[report["ok"]] += 1
        counts["page"] += "keys" in report
        counts["incomplete"] += report["ok"] and left_undone(report) is not None
        print_report(document, report, options)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = collections.deque()
        try:
            for document in documents:
                pending.append((document, pool.submit(guarded, verify, document)))
                if len(pending) > 4 * options.jobs:
                    finish(pending.popleft())
            while pending:
                finish(pending.popleft())
        finally:
            for _, future in pending:
                future.cancel()
    if not counts:
        raise Unusable("there is no document to verify")
    if counts[True] + counts[False] > 1 and not options.json:
        print("%d verify, %d do not%s" % (counts[True], counts[False],
                                          "; %d incomplete" % counts["incomplete"] if counts["incomplete"] else ""))
    return 1 if counts[False] else 3 if counts["page"] else 4 if counts["incomplete"] else 0


def all_documents(paths, as_lines):
    """The documents of several files."""
    for path in paths:
        yield from read_documents(path, as_lines)


def keys_argument(path):
    """The keys in a file."""
    try:
        return read_keys(parse_bytes(read_file(path)))
    except NotJson as e:
        raise Unusable("%s holds %s" % (printable(path), "a member twice in one object" if REPEATED in e.faults else "no JSON")) from None


def rules_argument(path):
    """The rules of decisions in a file."""
    try:
        return portable(parse_bytes(read_file(path)))
    except NotJson:
        raise Unusable("%s holds no JSON" % printable(path)) from None


def vkeys_argument(texts):
    """Parsed vkeys."""
    vkeys = [read_vkey(text) for text in texts]
    for text, vkey in zip(texts, vkeys):
        if vkey is None:
            raise Unusable("malformed vkey: %s" % printable(text[:200]))
    return vkeys


def note_argument(path):
    """The text of a note in a file; bytes that are not UTF-8 give a text that is not a note."""
    try:
        text = read_file(path).decode("utf-8")
    except UnicodeDecodeError:
        return "\0"
    # psql adds a newline to what it prints; no note ends with two
    return text[:-1] if text.endswith("\n\n") else text


def at_argument(text):
    """An instant on the command line."""
    found = instant(text)
    if found is None:
        raise argparse.ArgumentTypeError("an instant is written as 2026-01-31T08:00:00Z")
    return found


def jobs_argument(text):
    """A number of threads."""
    if not re.fullmatch("[1-9][0-9]{0,2}", text):
        raise argparse.ArgumentTypeError("a number from 1 to 999")
    return int(text)


def run_receipt(options, openssl):
    """answer-verify receipt."""
    if options.at is not None and not options.roots:
        raise Unusable("--at needs --roots")
    vkeys = vkeys_argument(options.vkey)
    keys = None if options.keys is None else keys_argument(options.keys)
    terms = Terms(read_roots(read_file(options.roots)) if options.roots else None, options.at,
                  tuple(rules_argument(path) for path in options.rules))
    proofs = None if options.inclusion is None else proofs_by_id(options)

    def verify(document):
        page, known = document.page, keys
        if options.keys is None:
            if page is None:
                raise Unusable("--keys is needed: %s brings no keys" % printable(document.name))
            known = read_keys(page.value("keys"))
        report = verify_receipt(document.value, known, openssl, terms)
        found = proofs
        if found is None and vkeys:
            if page is None:
                raise Unusable("--vkey needs --inclusion: %s brings no proof" % printable(document.name))
            found = proofs_of([page.value("inclusion")])
        if found is not None:
            report = final_report(report, document.value, found, vkeys, openssl)
        return report if options.keys is not None else {**report, "keys": "page", **fingerprint_of(report, known)}

    return verify_all(all_documents(options.files, options.lines), verify, options)


def fingerprint_of(report, keys):
    """The fingerprint of the signing key, as the page shows it."""
    key_id = report["steps"]["signature"].get("key_id") if report["ok"] else None
    entries = keys if isinstance(keys, list) else [{"key_id": k, "public_key": v} for k, v in keys.items()] \
        if isinstance(keys, dict) else []
    for entry in entries:
        if key_id is not None and isinstance(entry, dict) and entry.get("key_id") == key_id:
            return {"fingerprint": hashlib.sha256(base64url(entry["public_key"])).hexdigest()}
    return {}


def proofs_by_id(options):
    """Inclusion proofs in a file, each under the id of its receipt."""
    return proofs_of(document.value for document in read_documents(options.inclusion, options.lines))


def proofs_of(values):
    """The inclusion proofs among some values, each under the id of its receipt."""
    return {value["receipt_id"]: value for value in values
            if proof_schema(value) == INCLUSION_SCHEMA and isinstance(value.get("receipt_id"), str)}


def run_inclusion(options, openssl):
    """answer-verify inclusion."""
    vkeys = vkeys_argument(options.vkey)
    note = ABSENT if options.checkpoint is None else note_argument(options.checkpoint)

    def verify(document):
        proof, receipt = document.value
        if proof_schema(proof) != INCLUSION_SCHEMA:
            return no_proof("the document is no inclusion proof")
        return inclusion_report(proof, receipt, vkeys, openssl, note)

    return verify_all(proofs_and_receipts(options), verify, options)


def proofs_and_receipts(options):
    """The proofs, each with the receipt at the same position."""
    if options.receipt is None:
        yield from (Document(d.name, (d.value, ABSENT)) for d in read_documents(options.proof, options.lines))
        return
    both = itertools.zip_longest(read_documents(options.proof, options.lines),
                                 read_documents(options.receipt, options.lines))
    for proof, receipt in both:
        if proof is None or receipt is None:
            raise Unusable("there are not as many receipts as proofs")
        # a receipt that cannot be read must not count as one that was not given
        yield Document(proof.name, (proof.value, None if receipt.value in (ABSENT, AMBIGUOUS) else receipt.value))


def run_consistency(options, openssl):
    """answer-verify consistency."""
    vkeys = vkeys_argument(options.vkey)
    notes = [ABSENT if path is None else note_argument(path)
             for path in (options.from_checkpoint, options.to_checkpoint)]

    def verify(document):
        if proof_schema(document.value) != CONSISTENCY_SCHEMA:
            return no_proof("the document is no consistency proof")
        return consistency_report(document.value, vkeys, openssl, *notes)

    return verify_all(read_documents(options.proof, options.lines), verify, options)


def run_checkpoint(options, openssl):
    """answer-verify checkpoint."""
    vkeys = vkeys_argument(options.vkey)
    notes = (Document("standard input" if path == "-" else path, note_argument(path)) for path in options.files)
    return verify_all(notes, lambda d: checkpoint_report(d.value, vkeys, openssl), options)


def run_bundle(options, openssl):
    """answer-verify bundle."""
    keys = keys_argument(options.keys)
    terms = Terms(rules=tuple(rules_argument(path) for path in options.rules))
    bundles = (Document("standard input" if path == "-" else path, read_file(path)) for path in options.files)
    return verify_all(bundles, lambda d: bundle_report(d.value, keys, openssl, terms), options)


def run_digest(options, _openssl):
    """answer-verify digest."""
    status, count = 0, 0
    for document in all_documents(options.files, options.lines):
        count += 1
        found = document_digest(document.value)
        if found is None:
            status = 1
            print("%s: no receipt" % printable(document.name), file=sys.stderr)
        elif options.json:
            print(canonical({"document": document.name, "digest": "sha256:" + found.hex(),
                             "leaf_hash": encode64(leaf_hash(found))}))
        else:
            print("sha256:%s  %s  %s" % (found.hex(), encode64(leaf_hash(found)), printable(document.name)))
    if not count:
        raise Unusable("there is no document")
    return status


DESCRIPTION = "Verify receipts, log proofs and checkpoints of answer_eval offline, without PostgreSQL."

EPILOG = """\
documents
  A FILE holds one JSON document, an array of them, or one per line (NDJSON); - is standard input. With --lines every
  line is a document, whatever it holds. A FILE may also be the page that answer_receipt_html() makes: the document in
  it is verified, not what its script shows. The default command is receipt.

keys
  KEYS is a file with the public keys that you trust, from a source that you trust: {key_id: base64url} as
  answer_keys() gives it, the array of answer_key_registry(), whose instants are then enforced, or the JWK Set of
  answer_keys('jwk'). Without --keys a page is verified by the keys in it. Only a fingerprint from the issuer tells
  whose keys they are. A vkey is the text that answer_log_vkey() or answer_witness_vkey() gives; --vkey can be repeated.

steps
  receipt      anchor      the time-stamp, if there is one, is over this receipt: "declared" without --roots, checked
                           only by the certificate in it; "verified" with a chain up to one of the roots
               receipt_id  the id follows from the content
               signature   a key of KEYS, valid when the receipt was issued, has signed exactly this content
               closure     its parts belong together: of answer/v1, the facts are the ones that were cited, unchanged,
                           with the confidence that follows from their signals; of quality/v1, observations hash to
                           their digests; of decision/v1, what is cited and quoted is in the chunks, and shown as decided, and
                           every judgement is of a judge that was to judge
               replay      recomputing gives what is recorded: of answer/v1, every check and the composite; of
                           quality/v1, grades and assessment; of decision/v1, the decision and all that led
                           to it, and who judged each sentence (incomplete by the rules decision/1); of plan/v1,
                           its course and its answer; of run/v1, scores and metrics; of change/v1, the action;
                           of retention/v1, how many receipts were detached
               inclusion   with --inclusion: the receipt is in a tree that the log has signed; until then, the
                           transaction that it came from could be rolled back
  inclusion    leaf        the leaf is the receipt's       proof  the leaf is in the tree
               checkpoint  the log has signed the tree
  bundle       all files of the bundle follow from its document; events and document are signed; the course of the plan
               comes out again: identical, diverged, or incomplete
  consistency  proof       one tree is the beginning of the other
               checkpoint  the log has signed the later tree; with files, both

exit status
  0  everything verifies      1  a document does not      2  usage, or something that cannot be read
  3  everything verifies, but pages by no other keys than those in them
  4  everything verifies, but something was not recomputed: its rules are not known here or are of an earlier version, or
     the input of a step is not in the document

examples
  answer-verify receipt.html
  psql -XAtc "SELECT answer_canonical(body) FROM answer.receipt" | answer-verify receipt - --keys keys.json
  answer-verify receipt receipt.json --keys keys.json --roots tsa-roots.pem
  answer-verify receipt receipt.json --keys keys.json --inclusion proof.json --vkey "$VKEY"
  answer-verify inclusion proof.json --receipt receipt.json --vkey "$VKEY"
  answer-verify consistency proof.json --from-checkpoint old.txt --to-checkpoint new.txt --vkey "$VKEY"
"""


COMMANDS = ("receipt", "inclusion", "consistency", "checkpoint", "bundle", "digest")


def command_line():
    """The parser."""
    parser = argparse.ArgumentParser(prog="answer-verify", description=DESCRIPTION, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        found = commands.add_parser(name, help=text, description=text, epilog="See also: answer-verify --help")
        found.set_defaults(run=run)
        found.add_argument("--json", action="store_true", help="print one report per line, as JSON")
        return found

    def verifier(name, run, text):
        found = command(name, run, text)
        found.add_argument("-q", "--quiet", action="store_true", help="print only what does not verify or is incomplete")
        found.add_argument("--jobs", type=jobs_argument, metavar="N", default=min(os.cpu_count() or 1, 32),
                           help="documents verified at a time (default: one per processor)")
        found.add_argument("--openssl", metavar="COMMAND",
                           help="the OpenSSL 3 command (default: openssl; without it no time-stamp is verified)")
        return found

    def add_lines(found):
        found.add_argument("--lines", action="store_true", help="every line is a document, whatever it holds")

    def add_vkey(found, required=False):
        found.add_argument("--vkey", metavar="VKEY", action="append", default=None if required else [],
                           required=required, help="key of the log or of a witness; can be repeated")

    def add_rules(found):
        found.add_argument("--rules", metavar="RULES", action="append", default=[],
                           help="file with the rules of decisions, as answer.decision_rules() gives them, if a decision or a plan "
                           "names others than those that come with the extension; can be repeated")

    receipt = verifier("receipt", run_receipt, "verify receipts, all five steps")
    receipt.add_argument("files", metavar="FILE", nargs="+")
    receipt.add_argument("--keys", metavar="KEYS", help="file with public keys; optional only for a page, which brings its own")
    receipt.add_argument("--roots", metavar="PEM", help="file with the root certificates that are trusted for time-stamps")
    receipt.add_argument("--at", metavar="INSTANT", type=at_argument,
                         help="when the chain of certificates must be valid (default: the time in the time-stamp)")
    add_rules(receipt)
    receipt.add_argument("--inclusion", metavar="PROOFS",
                         help="file with inclusion proofs; every receipt must have one, signed by the log of a --vkey")
    add_vkey(receipt)
    add_lines(receipt)

    inclusion = verifier("inclusion", run_inclusion, "verify that a receipt is in the log")
    inclusion.add_argument("proof", metavar="PROOF")
    inclusion.add_argument("--receipt", metavar="RECEIPT", help="the receipt, or its tombstone, that the leaf must belong to")
    inclusion.add_argument("--checkpoint", metavar="FILE", help="signed note that the tree must match")
    add_vkey(inclusion)
    add_lines(inclusion)

    consistency = verifier("consistency", run_consistency, "verify that the log has only grown")
    consistency.add_argument("proof", metavar="PROOF")
    consistency.add_argument("--from-checkpoint", metavar="FILE", help="signed note of the earlier tree")
    consistency.add_argument("--to-checkpoint", metavar="FILE", help="signed note of the later tree")
    add_vkey(consistency)
    add_lines(consistency)

    checkpoint = verifier("checkpoint", run_checkpoint, "verify signed checkpoints (C2SP tlog-checkpoint)")
    checkpoint.add_argument("files", metavar="FILE", nargs="+")
    add_vkey(checkpoint, required=True)

    bundle = verifier("bundle", run_bundle, "verify replay bundles of plans (answer_replay_bundle)")
    bundle.add_argument("files", metavar="FILE", nargs="+")
    bundle.add_argument("--keys", metavar="KEYS", required=True, help="file with public keys")
    add_rules(bundle)

    digest_ = command("digest", run_digest, "print digests of receipts, and their leaf hashes in the log")
    digest_.add_argument("files", metavar="FILE", nargs="+")
    add_lines(digest_)
    return parser


def interrupted(number, _frame):
    """End the run on a signal and remove its files. An exception could get lost, or leave a lock of the pool held."""
    for home in OpenSSL.homes:
        gone = home + ".gone"
        try:
            os.rename(home, gone)       # so that no thread can add another file
        except OSError:
            continue
        shutil.rmtree(gone, ignore_errors=True)
    os._exit(128 + number)              # pylint: disable=protected-access


def with_command(arguments, parser):
    """The arguments; the command receipt is added if they name no command and begin with a file or an option."""
    first = arguments[0] if arguments else None
    if first in ("-h", "--help") or not set(arguments).isdisjoint(COMMANDS):
        return arguments
    if first is not None and (first.startswith("-") or os.path.isfile(first)):
        return ["receipt", *arguments]
    parser.error("%s: name a file to verify, or one of %s; answer-verify --help explains them" % (
        "there is no argument" if first is None else "%s is no file and no command" % printable(first), ", ".join(COMMANDS)))


def main(arguments=None):
    """Run the command line; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        signal.signal(number, interrupted)
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    parser = command_line()
    options = parser.parse_args(with_command(arguments, parser))
    try:
        openssl = cryptography(options.openssl) if hasattr(options, "openssl") else None
        status = options.run(options, openssl)
        sys.stdout.flush()
        return status
    except Unusable as e:
        print("answer-verify: %s" % e, file=sys.stderr)
    except MemoryError:
        print("answer-verify: out of memory", file=sys.stderr)
    except BrokenPipeError:
        # the reader stopped early, so nothing counts as verified
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


if __name__ == "__main__":
    sys.exit(main())
