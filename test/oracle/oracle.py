"""The oracle that the extension is compared with: doc/spec/answer-eval.md and doc/spec/document.md in plain Python.

Nothing here shares code with the extension. The rules of verification are those of tools/verify. Added here are the
parts that only SQL has (requests, how jsonb prints numbers, SQLSTATEs, explanations), and an Ed25519 that can also sign.
"""

import functools
import hashlib
import importlib
import os
import py_compile
import re
import subprocess
import sys
import types

TOOLS = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))


def load_tool():
    """All names that the modules of the verifier define, in one namespace; no two modules define the same name."""
    sys.path.insert(0, TOOLS)
    names = {}
    for folder, _, files in sorted(os.walk(os.path.join(TOOLS, "verify"))):
        for file in sorted(files):
            if file.endswith(".py") and file != "__init__.py":
                module = importlib.import_module("verify.%s.%s" % (os.path.basename(folder), file[:-3]))
                names.update(vars(module))
    return types.SimpleNamespace(**names)


def compile_tool(folder):
    """The command as one file, as it is installed, compiled into a folder once for all runs."""
    path = os.path.join(folder, "answer-verify")
    with open(path + ".py", "wb") as file:
        subprocess.run(["sh", os.path.join(TOOLS, "verify", "join.sh")], stdout=file, check=True)
    return py_compile.compile(path + ".py", cfile=path, doraise=True)


tool = load_tool()

ABSENT, AMBIGUOUS, Num = tool.ABSENT, tool.AMBIGUOUS, tool.Num
canonical, digest, sha256, without = tool.canonical, tool.digest, tool.sha256, tool.without
portable, portable_number = tool.portable, tool.portable_number
instant, base64url = tool.instant, tool.base64url
EQUALITY, ORDER, WITHIN, SEMVER, OPERATORS = tool.EQUALITY, tool.ORDER, tool.WITHIN, tool.SEMVER, tool.OPERATORS
VERDICTS, CHECK_CAP, QUALITIES = tool.VERDICTS, tool.CHECK_CAP, tool.QUALITIES


class Refused(Exception):
    """An SQL error; `code` is its SQLSTATE or the beginning of one."""

    def __init__(self, code, why=""):
        super().__init__("%s %s" % (code, why))
        self.code = code


def wrong(why):
    """The error for a wrong request."""
    return Refused("22023", why)


def as_sql(call):
    """Run a function; malformed input is an SQL error."""
    @functools.wraps(call)
    def called(*args):
        try:
            return call(*args)
        except tool.Malformed as e:
            raise wrong(str(e)) from None
    return called


# --------------------------------------------------------------------------
# JSON in, and jsonb
# --------------------------------------------------------------------------

def parse(text, unique=False):
    """Read JSON text; every string is checked, even one that a duplicate discards."""
    try:
        return tool.parse(text, unique)
    except tool.NotJson as e:
        raise Refused(FAULTS.get(e.faults, "22"), str(e)) from None


FAULTS = {frozenset([tool.REPEATED]): "22023", frozenset([tool.SYNTAX]): "22P02", frozenset([tool.NUL]): "22P05", frozenset([tool.DEPTH]): "54001"}


def jsonb_number(text):
    """The number as PostgreSQL's jsonb would print it."""
    sign, whole, frac, exponent = tool.split_number(text)
    if not (whole + frac).strip("0"):
        scale = max(0, len(frac) - (exponent or 0))
        if scale > 16383:
            raise Refused("22", "overflow")
        return "0" + ("." + "0" * scale if scale else "")
    if exponent is None or abs(exponent) > 400000:
        raise Refused("22", "exponent")
    whole, frac = tool.shift_point(whole, frac, exponent)
    whole = whole.lstrip("0")
    if len(frac) > 16383 or len(whole) > 131072:
        raise Refused("22", "overflow")
    return sign + (whole or "0") + ("." + frac if frac else "")


def as_jsonb(value):
    """What a JSON value looks like once it has been stored as jsonb."""
    if isinstance(value, Num):
        return Num(jsonb_number(value.text))
    if isinstance(value, list):
        return [as_jsonb(v) for v in value]
    if isinstance(value, dict):
        return {k: as_jsonb(v) for k, v in value.items()}
    return value


def parse_jsonb(text):
    """Read JSON text as jsonb reads it."""
    return as_jsonb(parse(text))


# --------------------------------------------------------------------------
# Operators, requests and checks
# --------------------------------------------------------------------------

REQUEST_KEYS = {"checks", "question", "deadline_ms", "evidence", "require_fresh"}


@as_sql
def operator(op, observed, value, tol=ABSENT):
    """answer.operator: ABSENT stands for SQL NULL; op None is SQL NULL too."""
    if op is None:
        raise Refused("22004", "op")
    value, tol = tool.operands(op, value, tol)
    if op == "fresh_within_s":
        return tool.NOT_EVALUABLE
    return tool.evaluate(op, observed, value, tol)


@as_sql
def normal_check(check_, position=1):
    """A check with its defaults filled in; numbers keep their spelling. Unknown members are refused."""
    if isinstance(check_, dict) and set(check_) - set(tool.CHECK_KEYS):
        raise wrong("check")
    return tool.normal_check(check_, position)


def normal_checks(checks):
    """All checks of a request, with unique ids."""
    if not isinstance(checks, list) or not 1 <= len(checks) <= 1000:
        raise wrong("checks")
    out = [normal_check(c, i) for i, c in enumerate(checks, 1)]
    if len({c["id"] for c in out}) != len(out):
        raise wrong("id")
    return out


def deadline(request):
    """deadline_ms, checked."""
    value = portable(request.get("deadline_ms", Num("6000")))
    if not isinstance(value, Num) or not re.fullmatch("[0-9]{1,5}", value.text):
        raise wrong("deadline_ms")
    if not 1 <= int(value.text) <= 60000:
        raise wrong("deadline_ms")
    return value


def validate(request):
    """answer_validate in checks mode: the normal form, portable."""
    if not isinstance(request, dict) or set(request) - REQUEST_KEYS:
        raise wrong("request")
    if "question" in request:
        if "checks" in request:
            raise wrong("question")
        raise NotImplementedError("question mode")
    out = {"checks": normal_checks(request.get("checks")), "deadline_ms": deadline(request)}
    if "evidence" in request:
        facts = request["evidence"]
        if not isinstance(facts, list) or not all(isinstance(f, dict) for f in facts):
            raise wrong("evidence")
        out["evidence"] = facts
    if "require_fresh" in request:
        if not isinstance(request["require_fresh"], bool):
            raise wrong("require_fresh")
        out["require_fresh"] = request["require_fresh"]
    return portable(out)


def facts_of(evidence):
    """The evidence argument as a list of facts."""
    if evidence is ABSENT:
        return []
    facts = evidence if isinstance(evidence, list) else [evidence]
    if not all(isinstance(f, dict) for f in facts):
        raise wrong("evidence")
    return facts


def check(raw_check, evidence, now):
    """answer_check; `now` in microseconds, None or ABSENT for SQL NULLs."""
    if raw_check is ABSENT or now is None:
        raise Refused("22004", "NULL")
    return judge(normal_check(raw_check), facts_of(evidence), now)


def judge(normal, facts, now, require_fresh=False):
    """Verdict, confidence, observed and explain entries of a normal check."""
    found = tool.judge(normal, facts, now, require_fresh)
    outcomes = found.pop("outcomes")
    found["observed"] = portable(found["observed"])
    found["entries"] = outcomes and [explained(e, o) for e, o in zip(normal["expect"], outcomes)]
    for n, entry in enumerate(found["entries"] or []):
        notes = [about_operands(normal["expect"][n], outcomes[n]), about_age(normal["expect"][n], facts[0], now)]
        notes += [about_freshness(facts, now)] if n == 0 else []
        if any(notes):
            entry["note"] = "; ".join(filter(None, notes))
    found["no_raw"] = outcomes and [o.operand.no_raw for o in outcomes]
    if found.get("gap"):
        found["entries"] = [unjudged(e) for e in normal["expect"]]
        found["no_raw"] = [False] * len(found["entries"])
    return found


def unjudged(expectation):
    """The explain entry of an expectation that was not evaluated because the evidence is not good enough."""
    return {**{k: expectation[k] for k in ("op", "path") if k in expectation}, "outcome": tool.NOT_EVALUABLE}


def json_type(value):
    """The JSON type of a value."""
    return "null" if value is None else "boolean" if isinstance(value, bool) else type(value).__name__


def is_mixed(elements, value):
    """Whether the element that decided `in` was of another type: the one found, or else any."""
    wanted = tool.compared(value)
    for element in elements:
        if tool.compared(element) == wanted:
            return json_type(element) != json_type(value)
    return any(json_type(element) != json_type(value) for element in elements)


VERSION_LIKE = re.compile(r"[0-9]+(\.[0-9]+)+")
NOTE_TYPES = "values of different JSON types were compared as text"
NOTE_SEMVER = "both sides look like versions and were compared as text; semver_eq compares versions"


def about_operands(expectation, outcome):
    """The note on a comparison of texts, or None."""
    op, value, observed = expectation["op"], expectation.get("value", ABSENT), outcome.operand.observed
    if outcome.outcome == tool.NOT_EVALUABLE:
        return None
    if op == "in" or (op == "contains" and isinstance(observed, list)):
        elements, sought = (value, observed) if op == "in" else (observed, value)
        return NOTE_TYPES if is_mixed(elements, sought) else None
    if op not in (*EQUALITY, "contains", *tool.AFFIX):
        return None
    notes = [NOTE_TYPES] if json_type(observed) != json_type(value) else []
    if op in EQUALITY and not (isinstance(observed, Num) and isinstance(value, Num)) and all(
            VERSION_LIKE.fullmatch(tool.compared(v)) for v in (observed, value)):
        notes.append(NOTE_SEMVER)
    return "; ".join(notes) or None


def words(seconds):
    """Whole seconds as text, in days, hours, minutes and seconds."""
    out = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            out.append("%d %s%s" % (count, name, "" if count == 1 else "s"))
    return " ".join(out) or "0 seconds"


def span(microseconds):
    """A span of time as text, rounded up to whole seconds."""
    return words(-(-abs(microseconds) // 1000000))


def about_age(expectation, fact, now):
    """The note of fresh_within_s, or None."""
    then = instant(fact.get("timestamp"))
    if expectation["op"] != "fresh_within_s" or then is None or tool.compared(expectation["value"]) is None:
        return None
    whole, part = divmod(abs(now - then), 1000000)
    age = ("%d.%06d" % (whole, part)).rstrip("0").rstrip(".")
    most = tool.compared(expectation["value"])
    return "the fact is %s seconds %s, at most %s%s are allowed" % (
        age, "old" if then <= now else "ahead of the evaluation", most[:40], "..." if len(most) > 40 else "")


def about_freshness(facts, now):
    """The note on the first cited fact that is not fresh, or None."""
    stale = [fact for fact in facts if tool.freshness(fact) is False]
    if not stale:
        return None
    fact = stale[0]
    then, expires = instant(fact.get("timestamp")), instant(fact.get("expires"))
    if then is None:
        return "a cited fact is not fresh: it has no timestamp"
    age = "%s %s" % (span(now - then), "old" if then <= now else "ahead of the evaluation")
    if expires is not None:
        why = ("expired %s ago" if expires < now else "expires in %s") % span(now - expires)
    else:
        why = "the tool declares %s" % declared(fact) if declared(fact) else "no freshness is declared"
    return "a cited fact is not fresh: %s, %s" % (age, why)


def declared(fact):
    """The freshness that a fact's tool declared, in words, or None."""
    value = fact["verification"].get("freshness_s")
    if not isinstance(value, (str, Num)):
        return None
    text = tool.compared(value)
    if isinstance(value, Num) and text and isinstance(portable(value), Num) and text.isdigit():
        return words(int(text))
    if not text or len(text) > 40 or not set(text) <= set("0123456789.") or "." in (text[0], text[-1]):
        return None
    return text + " seconds"


def explained(expectation, outcome):
    """The explain entry of one expectation, without its reason and notes."""
    entry = {"op": expectation["op"], "outcome": outcome.outcome}
    if outcome.operand.stop:
        entry.update(stopped(*outcome.operand.stop))
    if "path" in expectation:
        entry["path"] = expectation["path"]
    if outcome.operand.observed is not ABSENT:
        entry["observed"] = portable(outcome.operand.observed)
    return entry


def stopped(done, container):
    """Describe the last container that a path reached."""
    out = {"resolved": ".".join(done)}
    if isinstance(container, dict):
        keys = sorted(container)
        out["keys"] = keys[:50]
        if len(keys) > 50:
            out["more"] = Num(str(len(keys) - 50))
    elif isinstance(container, list):
        out["length"] = Num(str(len(container)))
    return out


# --------------------------------------------------------------------------
# Composite and fact confidence
# --------------------------------------------------------------------------

def composite(rows):
    """answer_composite over (verdict, confidence or None, required)."""
    for verdict, confidence, required in rows:
        if verdict is None or required is None:
            raise Refused("22004", "NULL")
        if confidence is not None and not 0 <= confidence <= 1:
            raise wrong("confidence")
    return tool.composite([(v, c or 0.0, required) for v, c, required in rows])


fact_confidence = as_sql(tool.fact_confidence)


# --------------------------------------------------------------------------
# Ed25519 (RFC 8032), slow and simple
# --------------------------------------------------------------------------

P = 2 ** 255 - 19
ORDER_L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, odd):
    """The x of a curve point, or None."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if odd else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != odd else x


def decode_point(data):
    """A point in extended coordinates, or None."""
    y = int.from_bytes(data, "little")
    x = recover_x(y & (2 ** 255 - 1), y >> 255)
    y &= 2 ** 255 - 1
    return None if x is None else (x, y, 1, x * y % P)


def encode_point(point):
    """The 32 bytes of a point."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def add(p, q):
    """Sum of two points."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


@functools.lru_cache(maxsize=16)
def multiples(point):
    """For each four bits of a scalar, the multiples of a point that they can stand for."""
    rows = []
    for _ in range(64):
        row = [(0, 1, 1, 0)]
        for _ in range(15):
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


def times(scalar, point):
    """Scalar multiple of a point, with a cached table, because tests use few keys for thousands of documents."""
    out = (0, 1, 1, 0)
    for row in multiples(point):
        if scalar & 15:
            out = add(out, row[scalar & 15])
        scalar >>= 4
    return out


def hash_int(*parts):
    """SHA-512 of the parts, as a scalar."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER_L


def ed25519_verify(public, message, signature):
    """Whether the signature is good: s in range, R compared as bytes."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, s = decode_point(public), int.from_bytes(signature[32:], "little")
    if key is None or s >= ORDER_L:
        return False
    minus = (P - key[0], key[1], 1, P - key[3])
    k = hash_int(signature[:32], public, message)
    return encode_point(add(times(s, BASE), times(k, minus))) == signature[:32]


def secret_parts(seed):
    """The clamped scalar and the prefix of a 32 byte secret."""
    hashed = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(hashed[:32], "little")
    return scalar & (2 ** 254 - 8) | 2 ** 254, hashed[32:]


@functools.lru_cache(maxsize=None)
def ed25519_public(seed):
    """The public key of a secret."""
    return encode_point(times(secret_parts(seed)[0], BASE))


def ed25519_sign(seed, message):
    """A signature; only tests and re-signed mutations need one."""
    scalar, prefix = secret_parts(seed)
    r, public = hash_int(prefix, message), ed25519_public(seed)
    start = encode_point(times(r, BASE))
    s = (r + hash_int(start, public, message) * scalar) % ORDER_L
    return start + s.to_bytes(32, "little")


def key_id(public):
    """The name of a key this extension made."""
    return "ae-ed25519-" + hashlib.sha256(public).hexdigest()[:12]


# --------------------------------------------------------------------------
# Receipts
# --------------------------------------------------------------------------

class Reference:
    """Cryptography for the verifier: the oracle's Ed25519, and the openssl command for time-stamps."""

    ed25519 = staticmethod(ed25519_verify)

    @functools.cached_property
    def openssl(self):
        """The command, looked for on first use."""
        return tool.OpenSSL()

    def __getattr__(self, name):
        return getattr(self.openssl, name)


REFERENCE = Reference()


def verify_receipt(receipt, keys):
    """Offline verification of a parsed receipt with parsed keys."""
    return tool.verify_receipt(receipt, keys, REFERENCE)


def verify_text(text, keys, jsonb=False):
    """Verification of receipt text, read as json or as jsonb."""
    try:
        receipt = parse_jsonb(text) if jsonb else parse(text, unique=True)
    except Refused as e:
        receipt = AMBIGUOUS if tool.REPEATED in str(e) else ABSENT
    return verify_receipt(receipt, keys)
