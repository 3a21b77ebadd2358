"""What the tests with public data share: finding the data, and running SQL.

The data is in the folder that ANSWER_EVAL_VECTORS names, else in ../shared/vectors beside this repository. psql comes
from PATH or $PSQL and connects as the PG* variables say, to a database in which the extension exists.
"""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def skip(why):
    """End the program with the message `skipped: ...`."""
    print("skipped: " + why)
    sys.exit(0)


def vectors(name):
    """The folder of one test's data."""
    base = os.environ.get("ANSWER_EVAL_VECTORS") or os.path.join(ROOT, "..", "shared", "vectors")
    path = os.path.join(base, name)
    if not os.path.isdir(path):
        skip("the data of %s is not there; ANSWER_EVAL_VECTORS can name its folder" % name)
    return path


def literal(text):
    """A text literal; statements are sent in UTF-8."""
    return "'" + text.replace("'", "''") + "'"


def bytea(data):
    """A bytea literal."""
    return "'\\x" + data.hex() + "'::bytea"


def exactly(expression):
    """A statement that returns the text of an expression in hex, because psql drops U+10FFFF when it prints."""
    return "SELECT encode(convert_to((%s)::text, 'UTF8'), 'hex')" % expression


class Answer:
    """The SQLSTATE and the output of one statement."""

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


class Session:
    """A psql that stays open, because starting one takes longer than most statements."""

    def __init__(self, setup=()):
        self.errors = tempfile.TemporaryFile()  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [os.environ.get("PSQL", "psql"), "-X", "-q", "-A", "-t", "-P", "pager=off", "-f", "-"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, env={**os.environ, "PGCLIENTENCODING": "UTF8"})
        self.begun = 0
        for statement in setup:
            if not self.ask(statement).ok:
                self.fail(statement)

    def fail(self, statement):
        """End the program with the errors of psql."""
        self.errors.seek(0)
        raise SystemExit("%s\n%s" % (statement[:500], self.errors.read().decode("utf-8", "replace")[-2000:]))

    def end(self):
        """Close the session."""
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait()

    def ask(self, statement):
        """Run a statement; returns an Answer. The session goes on after an error."""
        self.begun += 1
        try:
            self.process.stdin.write(("%s\n;\n\\echo @@end %d :SQLSTATE\n" % (statement, self.begun)).encode("utf-8"))
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail(statement)
        lines, end = [], ("@@end %d " % self.begun).encode()
        for line in self.process.stdout:
            if line.startswith(end):
                return Answer(line[len(end):].decode().strip(), b"".join(lines).decode("utf-8").removesuffix("\n"))
            lines.append(line)
        return self.fail(statement)


KEPT = []


def ask(statements, setup=()):
    """Run statements in one session; returns an Answer for each. An error does not stop the others. All calls without setup
    share one session."""
    if setup:
        session = Session(setup)
        answers = [session.ask(s) for s in statements]
        session.end()
        return answers
    if not KEPT:
        KEPT.append(Session())
    return [KEPT[0].ask(s) for s in statements]


class Tally:
    """Counts tests, and prints those that fail."""

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
        """Print the last line, and exit with the status."""
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed or not self.passed else 0)
