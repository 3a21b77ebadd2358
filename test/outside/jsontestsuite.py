#!/usr/bin/python3
"""JSONTestSuite: valid JSON has a canonical form, anything else an error, and nothing crashes the server.

U+0000 is valid JSON, but not valid text in PostgreSQL, so it has an error of its own.
"""

import collections
import os
import re

import outside

FOLDER = os.path.join(outside.vectors("jsontestsuite"), "test_parsing")


def is_text(data):
    """Whether a UTF-8 database can store the bytes as text."""
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def main():
    """Try every file."""
    names = sorted(os.listdir(FOLDER))
    files = [open(os.path.join(FOLDER, name), "rb").read() for name in names]
    statements = []
    for data in files:
        text = "convert_from(%s, 'UTF8')" % outside.bytea(data)
        statements.append("SELECT length(answer_canonical(%s)) > 0" % text)
        # the result is JSON and its own canonical form, and its digest is its SHA-256
        statements.append("SELECT answer_canonical(c) = c AND answer_canonical(c::json::text) = c AND answer_digest(c) ="
                          " 'sha256:' || encode(sha256(convert_to(c, 'UTF8')), 'hex')"
                          " FROM (SELECT answer_canonical(%s) c OFFSET 0) q" % text)
        statements.append("SELECT length(answer_canonical((%s)::json::text)) > 0" % text)
        statements.append("SELECT answer_verify(%s, '{}') ->> 'ok'" % text)
    answers = outside.ask(statements + ["SELECT 'up'"])
    tally = outside.Tally()
    counts = collections.Counter()
    for i, name in enumerate(names):
        as_text, fixed, as_json, verified = answers[4 * i:4 * i + 4]
        kind, refused = name[0], as_text.state[:2] in ("22", "54")
        if kind == "y" and re.search(rb"(?<!\\)\\u0000", files[i]):
            tally.check(as_text.state == "22P05", "%s: U+0000, but %s" % (name, as_text.state))
        elif kind == "y":
            tally.check(is_text(files[i]) and as_text.out == "t", "%s is refused: %s" % (name, as_text.state))
        elif kind == "n":
            tally.check(refused, "%s is not refused: %s" % (name, as_text.state))
        else:
            tally.check(as_text.ok or refused, "%s: neither accepted nor refused: %s" % (name, as_text.state))
        if refused and not is_text(files[i]):
            tally.check(as_text.state == "22021", "%s: no text, but %s" % (name, as_text.state))
            continue
        counts[kind + (" accepted" if as_text.ok else " refused")] += 1
        if as_text.ok:
            tally.check(fixed.out == "t", "%s: its canonical form is not canonical" % name)
        tally.check(as_json.ok == as_text.ok, "%s: %s as text, %s as json" % (name, as_text.state, as_json.state))
        tally.check(verified.out == "false", "%s: answer_verify: %s %s" % (name, verified.state, verified.out))
    tally.check(answers[-1].out == "up", "the server is not up")
    print(", ".join("%d %s" % (n, what) for what, n in sorted(counts.items())))
    tally.end()


main()
