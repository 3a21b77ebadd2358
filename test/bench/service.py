"""The comparison of the benchmark "eval": the same pipeline as a Python service beside the database.

It is a simple service on psycopg2 and cryptography. For a request it reads the registry and the readings from the
extension's tables with SQL, applies the operators in Python, builds facts with the same fields as answer_eval,
attestation included, mints the receipt, signs it and inserts it into a table of its own with the columns and indexes of
answer.receipt. Its receipts pass answer_verify, which the benchmark shows before it measures.

All choices favour the service: its key is loaded once instead of looked up per request, it remembers the attestations of
recently signed facts, as answer_eval does, it validates nothing, and it knows only the operators of the benchmark.
"""

import base64
import datetime
import decimal
import functools
import hashlib
import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SCHEMA = """
CREATE SCHEMA service;
CREATE TABLE service.receipt (
    receipt_id text PRIMARY KEY, issued_at timestamptz NOT NULL, verdict text NOT NULL, confidence float8 NOT NULL,
    degraded boolean NOT NULL, checks integer NOT NULL, key_id text NOT NULL, body jsonb NOT NULL);
CREATE INDEX ON service.receipt (issued_at);
"""
TOOLS = """
SELECT tool, extract(epoch FROM freshness)::float8, value_path, entity_path, unit, category, country, basis
FROM answer.tool WHERE tenant = '' AND tool = ANY (%s)"""
READINGS = """
SELECT DISTINCT ON (e.source) e.raw, e.source, s.independence_group, s.url, s.licence, e.observed_at, e.expires, e.digest
FROM answer.evidence e JOIN answer.source s ON s.source = e.source
WHERE e.tenant = '' AND e.tool = %s AND e.args_digest = %s AND e.observed_at <= %s
ORDER BY e.source, e.observed_at DESC, e.digest"""
ALL_READINGS = """
SELECT q.n, e.raw, e.source, s.independence_group, s.url, s.licence, e.observed_at, e.expires, e.digest
FROM unnest(%s, %s) WITH ORDINALITY AS q (tool, args_digest, n)
CROSS JOIN LATERAL (SELECT DISTINCT ON (r.source) r.* FROM answer.evidence r
    WHERE r.tenant = '' AND r.tool = q.tool AND r.args_digest = q.args_digest AND r.observed_at <= %s
    ORDER BY r.source, r.observed_at DESC, r.digest) e
JOIN answer.source s ON s.source = e.source"""
STORE = "INSERT INTO service.receipt VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"

DISCLAIMER = ("The signature proves that these bytes are unchanged since they were issued, not that the evidence is "
              "true. Evidence is advisory.")
ABSENT = object()
INSUFFICIENT = {"evidence_unavailable", "outside_evidence_coverage", "not_evaluable", "not_checked"}


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def digest(value):
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def instant(when):
    return when.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def at_path(value, path):
    for segment in path.split("."):
        if isinstance(value, list) and segment.isdigit() and int(segment) < len(value):
            value = value[int(segment)]
        elif isinstance(value, dict) and segment in value:
            value = value[segment]
        else:
            return ABSENT
    return value


def number(value):
    return decimal.Decimal(str(value))


def version(value):
    return [int(part) for part in value.split(".")]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def equal(a, b):
    if is_number(a) and is_number(b):
        return number(a) == number(b)
    return str(a).strip() == str(b).strip()


OPERATORS = {
    "eq": lambda seen, value, tol: equal(seen, value),
    "gte": lambda seen, value, tol: number(seen) >= number(value),
    "lte": lambda seen, value, tol: number(seen) <= number(value),
    "between": lambda seen, value, tol: number(value[0]) <= number(seen) <= number(value[1]),
    "pct_within": lambda seen, value, tol: abs(number(seen) - number(value)) * 100 <= number(tol) * abs(number(value)),
    "in": lambda seen, value, tol: any(equal(seen, one) for one in value),
    "contains": lambda seen, value, tol: any(equal(one, value) for one in seen) if isinstance(seen, list)
    else str(value) in str(seen),
    "semver_gte": lambda seen, value, tol: version(seen) >= version(value),
}


class Service:
    """One connection; eval(request) returns one signed and stored receipt. The caller handles transactions."""

    def __init__(self, connection, issuer, one_query):
        self.cursor = connection.cursor()
        self.issuer = issuer
        self.one_query = one_query
        self.key = Ed25519PrivateKey.generate()
        public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key_id = "ae-ed25519-" + hashlib.sha256(public).hexdigest()[:12]
        self.keys = {self.key_id: base64.urlsafe_b64encode(public).decode()}
        self.sign = functools.lru_cache(maxsize=1024)(self.sign_text)

    def sign_text(self, text):
        return base64.urlsafe_b64encode(self.key.sign(text)).decode()

    def signature(self, sig):
        return {"alg": "Ed25519", "key_id": self.key_id, "canonicalization": "json-sorted-compact", "sig": sig}

    def readings(self, checks, now):
        """The newest reading of each source for each check, newest first."""
        digests = [digest(check["args"]) for check in checks]
        found = [[] for _ in checks]
        if self.one_query:
            self.cursor.execute(ALL_READINGS, ([check["tool"] for check in checks], digests, now))
            for row in self.cursor:
                found[row[0] - 1].append(row[1:])
        else:
            for check, args_digest, rows in zip(checks, digests, found):
                self.cursor.execute(READINGS, (check["tool"], args_digest, now))
                rows.extend(self.cursor.fetchall())
        for rows in found:
            rows.sort(key=lambda row: row[7])
            rows.sort(key=lambda row: row[5], reverse=True)
        return found

    def verification(self, tool, rows, values, now):
        fresh = [now <= row[6] if row[6] else tool[1] is not None and (now - row[5]).total_seconds() <= tool[1]
                 for row in rows]
        groups = [row[2] or row[1] for row in rows]
        corroborated = conflict = False
        for i, one in enumerate(values):
            for j in range(i):
                if fresh[i] and fresh[j] and groups[i] != groups[j] and ABSENT not in (one, values[j]):
                    if equal(one, values[j]):
                        corroborated = True
                    else:
                        conflict = True
        hundredths = 30 + 20 + 30 * fresh[0] + 15 * corroborated
        if conflict:
            hundredths = min(hundredths, 40)
        if tool[7] in ("forecast", "computed"):
            hundredths = min(hundredths, 70)
        if tool[7] == "inferred":
            hundredths = min(hundredths, 50)
        return {"confidence": hundredths / 100, "sources": len(set(groups)),
                "verified": corroborated and fresh[0] and not conflict, "basis": tool[7],
                "signals": {"signed": True, "source_present": True, "fresh": fresh[0], "corroborated": corroborated,
                            "conflict": conflict},
                "note": "stored reading, attested by the service with its key"}

    def fact(self, check, tool, rows, now):
        raw, source, _, url, licence, observed_at, expires, reading = rows[0]
        values = [at_path(row[0], tool[2]) for row in rows]
        fact = {"id": "fact_" + reading[7:23], "category": tool[5],
                "entity": at_path(raw, tool[3]) if tool[3] else None, "fact": check["tool"], "args": check["args"],
                "value": values[0], "unit": tool[4], "timestamp": instant(observed_at),
                "expires": instant(expires) if expires else None, "country": tool[6],
                "provenance": {"source": source, "source_url": url, "licence": licence},
                "verification": self.verification(tool, rows, values, now)}
        fact_digest = digest(fact)
        fact["attestation"] = self.signature(self.sign(fact_digest.encode()))
        fact["raw"] = raw
        return fact_digest, fact

    def adjudicate(self, check, position, fact_digest, fact, now):
        expect = check.get("expect", [])
        expect = [expect] if isinstance(expect, dict) else expect
        explained = []
        for one in expect:
            if one["op"] == "fresh_within_s":
                seen = fact["timestamp"]
                then = datetime.datetime.fromisoformat(seen.replace("Z", "+00:00"))
                holds = abs((now - then).total_seconds()) <= one["value"]
            else:
                seen = at_path(fact["raw"], one["path"]) if "path" in one else fact["value"]
                holds = seen is not ABSENT and OPERATORS[one["op"]](seen, one["value"], one.get("tol"))
            line = {"op": one["op"], "outcome": "holds" if holds else "fails", "observed": seen}
            if "path" in one:
                line["path"] = one["path"]
            explained.append(line)
        failed = [i for i, line in enumerate(explained) if line["outcome"] == "fails"]
        if failed:
            verdict = "contradicted"
            summary = "expectation %d of %d (%s) does not hold" % (failed[0] + 1, len(expect), expect[failed[0]]["op"])
        else:
            verdict = "supported" if expect else "value"
            summary = "the expectation holds" if len(expect) == 1 else "all %d expectations hold" % len(expect)
        return {"id": check.get("id", "c%d" % position), "tool": check["tool"], "args": check["args"],
                "expect": expect, "observe": False, "required": check.get("required", True), "verdict": verdict,
                "confidence": fact["verification"]["confidence"],
                "observed": explained[0]["observed"] if explained else fact["value"],
                "explain": {"summary": summary, "expectations": explained}, "evidence": [fact_digest]}

    def composite(self, checks):
        required = [check for check in checks if check["required"]]
        verdicts = {check["verdict"] for check in required}
        confidences = [check["confidence"] for check in required]
        if "contradicted" in verdicts:
            return "contradicted", max(check["confidence"] for check in required if check["verdict"] == "contradicted")
        if verdicts & INSUFFICIENT:
            return "insufficient_evidence", 0
        return ("supported" if "supported" in verdicts else "evidenced"), min(confidences, default=0)

    def eval(self, request):
        checks = json.loads(request)["checks"]
        now = datetime.datetime.now(datetime.timezone.utc)
        self.cursor.execute(TOOLS, ([check["tool"] for check in checks],))
        tools = {row[0]: row for row in self.cursor}
        results = []
        index = {}
        for i, (check, rows) in enumerate(zip(checks, self.readings(checks, now))):
            fact_digest, fact = self.fact(check, tools[check["tool"]], rows, now)
            index[fact_digest] = fact
            results.append(self.adjudicate(check, i + 1, fact_digest, fact, now))
        verdict, confidence = self.composite(results)
        body = {"schema": "answer/v1", "issuer": self.issuer, "issued_at": instant(now), "evaluated_at": instant(now),
                "mode": "checks", "verdict": verdict, "confidence": confidence, "degraded": False, "checks": results,
                "evidence_index": index,
                "reproduce": {"evaluator": {"engine_version": "service",
                                            "rules": ["answer-eval/1", "answer-conf/1", "fact-conf/1"]},
                              "calls": [{"tool": check["tool"], "args": check["args"]} for check in checks]},
                "disclaimer": DISCLAIMER}
        body["receipt_id"] = "ans_" + hashlib.sha256(canonical(body)).hexdigest()[:16]
        body["signature"] = self.signature(self.sign_text(canonical(body)))
        text = canonical(body).decode()
        self.cursor.execute(STORE, (body["receipt_id"], now, verdict, confidence, False, len(results), self.key_id, text))
        return text
