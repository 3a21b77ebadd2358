"""What the judges from outside share: where their data is, and how SQL is asked.

The data is in the folder that ANSWER_EVAL_VECTORS names, else in ../shared/vectors beside this repository. psql comes
from PATH or $PSQL and connects as the PG* variables say, to a database in which the extension exists.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def skip(why):
    """End with the message that says so."""
    print("skipped: " + why)
    sys.exit(0)


def vectors(name):
    """The folder of one judge's data."""
    base = os.environ.get("ANSWER_EVAL_VECTORS") or os.path.join(ROOT, "..", "shared", "vectors")
    path = os.path.join(base, name)
    if not os.path.isdir(path):
        skip("the data of %s is not there; ANSWER_EVAL_VECTORS can name its folder" % name)
    return path


def literal(text):
    """A text literal; what is sent is UTF-8."""
    return "'" + text.replace("'", "''") + "'"


def bytea(data):
    """A bytea literal."""
    return "'\\x" + data.hex() + "'::bytea"


def exactly(expression):
    """A statement whose answer has the expression's text in hex: psql itself drops U+10FFFF from what it prints."""
    return "SELECT encode(convert_to((%s)::text, 'UTF8'), 'hex')" % expression


class Answer:
    """What one statement gave: its SQLSTATE, and its output."""

    def __init__(self, state, out):
        self.state, self.out = state, out

    @property
    def ok(self):
        """Whether there was no error."""
        return self.state == "00000"

    @property
    def text(self):
        """The output of a statement made by exactly()."""
        return bytes.fromhex(self.out).decode("utf-8")


def ask(statements, setup=()):
    """Run statements in one session, an error of one being nothing to the others; an Answer for each."""
    lines = ["\\set ON_ERROR_STOP 1"] + [s + ";" for s in setup] + ["\\set ON_ERROR_STOP 0"]
    for i, statement in enumerate(statements):
        lines.append("\\echo @@begin %d\n%s\n;\n\\echo @@end %d :SQLSTATE" % (i, statement, i))
    done = subprocess.run([os.environ.get("PSQL", "psql"), "-X", "-q", "-A", "-t", "-P", "pager=off", "-f", "-"],
                          input="\n".join(lines).encode("utf-8") + b"\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env={**os.environ, "PGCLIENTENCODING": "UTF8"}, check=False)
    out = done.stdout.decode("utf-8")
    found = re.findall(r"^@@begin (\d+)\n(.*?)^@@end \1 (\S+)$", out, re.M | re.S)
    if done.returncode or len(found) != len(statements):
        raise SystemExit("psql ended early, after %d of %d statements: %s"
                         % (len(found), len(statements), done.stderr.decode("utf-8", "replace")[-2000:]))
    return [Answer(state, text[:-1] if text.endswith("\n") else text) for _, text, state in found]


class Tally:
    """Counts, and says what failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what):
        """One test."""
        if good:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= 20:
            print("FAILED: " + what[:6000])

    def end(self):
        """The last line, and the exit status."""
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed or not self.passed else 0)
