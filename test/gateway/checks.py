"""What the programs of this folder share: counting tests, waiting for a state, starting a gateway."""
import contextlib
import hashlib
import os
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GATEWAY = os.path.join(HERE, "..", "..", "tools", "gateway", "answer-gateway")
LONG = os.environ.get("ANSWER_EVAL_TIER") == "long"
counts = {"passed": 0, "failed": 0, "skipped": 0}


def ok(condition, what, shown=""):
    """One test."""
    counts["passed" if condition else "failed"] += 1
    if not condition:
        print(f"not ok: {what}\n    | {str(shown)[:800]}", flush=True)
    return condition


def skip(why):
    """One test that cannot run here."""
    counts["skipped"] += 1
    print(f"skipped: {why}", flush=True)


def equal(found, expected, what):
    """One test: two values must be equal."""
    return ok(found == expected, what, f"it is {found!r}; it should be {expected!r}")


def digest(token):
    """The digest of a token, as the settings have it."""
    return hashlib.sha256(token.encode()).hexdigest()


def bearer(token="desk"):
    """The headers for a token."""
    return {"Authorization": f"Bearer {token}"}


def is_problem(answer, status, sqlstate, what):
    """One test: an answer must be a problem document (RFC 9457) with this status and SQLSTATE."""
    body = answer.json() if "json" in answer.headers.get("content-type", "") else {}
    ok(answer.status_code == status and answer.headers.get("content-type") == "application/problem+json" and body.get("status") == status
       and body.get("sqlstate") == sqlstate and body.get("title") and body.get("detail"), what, (answer.status_code, answer.text))
    return body


def busy(connection):
    """How many sessions of the gateway are executing a statement."""
    return connection.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'answer_gateway' AND state = 'active'").fetchone()[0]


def wait_until(condition, seconds):
    """Wait for a condition; returns whether it became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def free_port():
    """A port that is not in use."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def is_listening(port):
    """Whether something listens on a port."""
    with socket.socket() as one:
        return not one.connect_ex(("127.0.0.1", port))


class Process:
    """A running program and its output."""

    def __init__(self, command, **more):
        # pylint: disable=consider-using-with
        self.file = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(command, stdout=self.file, stderr=self.file, **more)

    def said(self):
        """All output so far, read without moving the position at which the program writes."""
        return os.pread(self.file.fileno(), 1 << 24, 0).decode("utf-8", "replace")

    def end(self, seconds=60):
        """Tell the program to end. Returns its status, or None if it had to be killed."""
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def gateway(settings, folder, *arguments):
    """Run the gateway with settings."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".toml", delete=False, encoding="utf-8") as file:
        file.write(settings)
    return Process([sys.executable, GATEWAY, "--settings", file.name, *arguments])


@contextlib.contextmanager
def serving(settings, folder):
    """A running gateway; yields its port. At the end its log must have nothing unexpected."""
    port = free_port()
    server = gateway(settings, folder, "--port", str(port))
    try:
        up = wait_until(lambda: server.process.poll() is not None or is_listening(port), 120)
        ok(up and server.process.poll() is None, "the gateway starts", server.said())
        yield port
    finally:
        ok(server.end() is not None, "it ends when it is told to")
        ok("Traceback" not in server.said(), "nothing unexpected in its log", server.said()[-3000:])
        ok("\nERROR: forged" not in server.said(), "nor a line that somebody forged", server.said()[-3000:])
