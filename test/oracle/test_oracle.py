#!/usr/bin/python3
# tiers: test
"""Tests of the oracle; the expected results were worked out by hand from doc/spec/answer-eval.md.

Run with: python3 -m unittest test_oracle   (in this directory), or directly.
"""

import copy
import hashlib
import json
import os
import random
import unittest

import oracle
import verify_receipts
from oracle import ABSENT, Num, Refused

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VECTORS = os.environ.get("ANSWER_EVAL_VECTORS") or os.path.join(os.path.dirname(ROOT), "shared", "vectors")


def vectors(*path):
    """Public test data, parsed; without it the test is skipped."""
    name = os.path.join(VECTORS, *path)
    if not os.path.exists(name):
        raise unittest.SkipTest("skipped: no " + name)
    with open(name, encoding="utf-8") as f:
        return json.load(f)


def j(text):
    """JSON text as a jsonb value, None as absent."""
    return ABSENT if text is None else oracle.parse_jsonb(text)


class Cases(unittest.TestCase):
    """Helpers."""

    def refused(self, code, call, *args):
        with self.assertRaises(Refused) as caught:
            call(*args)
        self.assertEqual(caught.exception.code, code)


class Canonical(Cases):
    """Section 1."""

    def test_json_is_verbatim(self):
        for text, want in (
                ('{"b":1.0e2,"a":-0,"b":14.0}', '{"a":-0,"b":14.0}'),
                ('{"\\uffff":1,"\\ud83d\\ude00":2}', '{"\\uffff":1,"\\ud83d\\ude00":2}'),
                ('"\\/\\u007F\\u0009\\u001F\\u00e9"', '"/\\u007f\\t\\u001f\\u00e9"'),
                (' [ 1E+5 , null ] ', "[1E+5,null]"),
                ('{"\\u0061":1,"a":2}', '{"a":2}')):
            self.assertEqual(oracle.canonical(oracle.parse(text)), want)

    def test_key_order_is_by_code_point_not_utf16(self):
        self.assertEqual(oracle.canonical({"\U00010000": 1 == 1, "\uffff": None}),
                         '{"\\uffff":null,"\\ud800\\udc00":true}')

    def test_jsonb_numbers(self):
        for text, want in (("1e2", "100"), ("14.0", "14.0"), ("-0", "0"), ("-0.00", "0.00"), ("1.50e1", "15.0"),
                           ("0e-5", "0.00000"), ("1.2e-3", "0.0012"), ("123.456e1", "1234.56"), ("0.0e3", "0")):
            self.assertEqual(oracle.jsonb_number(text), want)

    def test_errors(self):
        for text in ('"\\ud83d"', '{"a":"\\ude00","a":1}', '{"\\ud800":1}', '["\\ud800\\u0000"]'):
            self.refused("22", oracle.parse, text)
        for text in ('"\\u0000"', '{"a":"\\u0000","a":1}', '{"\\u0000":1}'):
            self.refused("22P05", oracle.parse, text)
        for text in ("", "01", "NaN", "[1,]", "\ufeff1", "\xa01", '"\t"', "1 2"):
            self.refused("22P02", oracle.parse, text)
        self.refused("22", oracle.parse_jsonb, "1e131073")

    def test_digest(self):
        self.assertEqual(oracle.digest({}), "sha256:" + hashlib.sha256(b"{}").hexdigest())

    def test_df_verify(self):
        for case in vectors("df-verify", "tests", "vectors", "canonicalization.json")["vectors"]:
            payload = oracle.parse(json.dumps(case["payload"]))
            self.assertEqual(oracle.canonical(oracle.without(payload, "signature")), case["canonical"], case["name"])

    def test_df_signed_document(self):
        data = vectors("df-verify", "tests", "vectors", "signed-awareness.json")
        for name, want in (("authentic", True), ("tampered", False)):
            got = oracle.verify_text(data[name]["envelope_text"], data["public_keys"])
            self.assertEqual((got["ok"], list(got["steps"])), (want, ["signature"]))


class Portable(Cases):
    """Portable numbers."""

    def test_numbers(self):
        for text in ("0", "14", "-1", "9007199254740991", "-9007199254740991", "0.8", "-0.0001", "0.1",
                     "4503599627370495.5"):
            self.assertEqual(oracle.portable_number(text), Num(text))
        for text, want in (("14.0", "14"), ("1e2", "100"), ("0.10", "0.1"), ("-0.00", "0"), ("1.50e1", "15"),
                           ("8e-1", "0.8"), ("9007199254740991.000", "9007199254740991")):
            self.assertEqual(oracle.portable_number(text), Num(want))

    def test_strings(self):
        for text, want in (("12345678901234567890", None), ("9007199254740992", None), ("1e-5", "0.00001"),
                           ("0.1234567890123456789", None), ("1e16", "10000000000000000"),
                           ("-9007199254740992.0", "-9007199254740992"), ("0.00009999", None),
                           ("0.30000000000000000", "0.3")):
            got = oracle.portable_number(text)
            self.assertEqual(got.text if isinstance(got, Num) else got, want or text)
        self.assertIsInstance(oracle.portable_number("9007199254740992"), str)

    def test_idempotent(self):
        value = j('{"a":[1e-7,1.0,{"b":1e30}],"c":"1.0"}')
        once = oracle.portable(value)
        self.assertEqual(once, oracle.portable(once))
        self.assertEqual(oracle.canonical(once),
                         '{"a":["0.0000001",1,{"b":"1000000000000000000000000000000"}],"c":"1.0"}')


TABLE = """
eq 1 1.0 holds
eq "3.10" "3.1" fails
eq 3.10 3.1 holds
eq "1" 1 holds
eq "1.0" 1 fails
eq " a\\u00a0" "a" holds
eq "a\\u200b" "a" fails
eq "a\\u001c" "a" fails
eq "A" "a" fails
eq true "true" holds
eq null "null" holds
eq null null holds
eq - 1 not_evaluable
eq {"b":1.0,"a":2} {"a":2,"b":1} holds
eq {"a":1} "{\\"a\\":1}" holds
eq 12345678901234567890 "12345678901234567890" holds
eq 1e-5 "0.00001" holds
ne "3.10" "3.1" holds
ne 1 1.00 fails
lt 1 2 holds
lt "1" 2 holds
lt "1.5" "01.6" holds
lt " 1" 2 not_evaluable
lt "1\\n" 2 not_evaluable
lt true 2 not_evaluable
lt "+1" 2 not_evaluable
lt ".5" 2 not_evaluable
lt "1e0" 2 not_evaluable
lt "\\u0661" 2 not_evaluable
lt 9007199254740992 9007199254740993 holds
gt 0.1000000000000000000001 0.1 holds
lte "-0" 0 holds
gte 1 1.0 holds
gt 1 1 fails
between 5 [5,5] holds
between 4 [5,3] fails
between 4 ["1","x"] not_evaluable
abs_within 1.1 {"value":1,"tol":0.1} holds
abs_within 1.10000001 {"value":1,"tol":"0.1"} fails
abs_within "x" {"value":1,"tol":1} not_evaluable
pct_within 110 {"value":100,"tol":10} holds
pct_within 110.0000000001 {"value":100,"tol":10} fails
pct_within -110 {"value":-100,"tol":10} holds
pct_within 0 {"value":0,"tol":10} not_evaluable
in 1 ["1.0",1.0] holds
in 1 [] fails
in - [1] not_evaluable
in null [null] holds
contains [1,2] 2.0 holds
contains [1,2] "3" fails
contains [null] null holds
contains "abc" "b" holds
contains "abc" " b" fails
contains "abc" "" holds
contains 123 23 holds
contains true "ru" holds
contains "x" null not_evaluable
contains "x" [] not_evaluable
contains null "x" not_evaluable
contains {"a":1} "a" not_evaluable
starts_with "3.10" 3.1 holds
starts_with 3.10 "3.10" fails
starts_with null "n" not_evaluable
ends_with "abc" "bc" holds
ends_with ["a"] "]" not_evaluable
semver_eq "3.13" "3.13.0" holds
semver_gte "3.10" "3.9" holds
semver_lt "3.9" "3.10" holds
semver_eq "03.1" "3.01" holds
semver_eq 3 "3.0" holds
semver_eq 3.1 "3.1" not_evaluable
semver_eq 12345678901234567.5 "1" not_evaluable
semver_eq -1 "1" not_evaluable
semver_eq "1." "1" not_evaluable
semver_eq " 1" "1" not_evaluable
semver_gte "100000000000000000000" "99999999999999999999" holds
semver_prefix "3.13.1" "3.13" holds
semver_prefix "3.13" "3.1" fails
semver_prefix "3.1" "3.1.0" fails
exists null - holds
exists - - fails
not_exists - 1 holds
not_exists 0 - fails
fresh_within_s 1 60 not_evaluable
"""


class Operators(Cases):
    """Section 3."""

    def test_table(self):
        for line in TABLE.strip().splitlines():
            op, rest = line.split(" ", 1)
            rest, outcome = rest.rsplit(" ", 1)
            observed, value = self.two(rest)
            self.assertEqual(oracle.operator(op, j(observed), j(value)), outcome, line)

    @staticmethod
    def two(text):
        """Split two JSON texts; - is absent."""
        decoder = json.JSONDecoder()
        end = 1 if text[0] == "-" and text[1] == " " else decoder.raw_decode(text)[1]
        parts = text[:end], text[end:].strip()
        return [None if p == "-" else p for p in parts]

    def test_tolerance_beside_value(self):
        self.assertEqual(oracle.operator("abs_within", j("5"), j("4"), j("1")), "holds")
        self.assertEqual(oracle.operator("pct_within", j("5"), j("4"), j("24.9")), "fails")

    def test_digit_cap(self):
        for text, want in (("9" * 1000, "holds"), ("9" * 1001, "not_evaluable"), ("0." + "1" * 1000, "holds"),
                           ("0." + "1" * 1001, "not_evaluable"), ("1e1000", "not_evaluable"), ("1e999", "holds"),
                           ("1." + "0" * 1500, "holds")):
            self.assertEqual(oracle.operator("gt", j(text), j("0")), want)
        self.assertEqual(oracle.operator("gt", "0" * 2000 + "1", j("0")), "holds")
        self.assertEqual(oracle.operator("abs_within", j("1"), j("1"), j("1e1000")), "not_evaluable")

    def test_refusals(self):
        for args in (("regex", "1", "1", None), ("eq", "1", None, None), ("eq", "1", "1", "1"), ("in", "1", "1", None),
                     ("between", "1", "[1]", None), ("abs_within", "1", "1", None), ("abs_within", "1", "1", "-1"),
                     ("abs_within", "1", '{"value":1,"tol":1}', "1"), ("abs_within", "1", '{"value":1}', None),
                     ("pct_within", "1", '{"value":1,"tol":1,"x":1}', None), ("pct_within", "1", "1", "null"),
                     ("fresh_within_s", "1", "-1", None), ("fresh_within_s", "1", '"x"', None),
                     ("exists", "1", None, "1")):
            self.refused("22023", oracle.operator, args[0], *map(j, args[1:]))
        self.refused("22004", oracle.operator, None, j("1"), j("1"))


class Requests(Cases):
    """Section 2."""

    def test_defaults(self):
        got = oracle.validate(j('{"checks":[{"tool":"t","expect":{"op":"abs_within","value":{"value":1.0,"tol":1e-7}}}]}'))
        self.assertEqual(oracle.canonical(got), (
            '{"checks":[{"args":{},"expect":[{"op":"abs_within","tol":"0.0000001","value":1}],"id":"c1",'
            '"observe":false,"required":true,"tool":"t"}],"deadline_ms":6000}'))

    def test_good(self):
        for text in ('{"checks":[{"tool":"t","expect":[]}],"deadline_ms":60000}',
                     '{"checks":[{"tool":"t","observe":true,"expect":{"path":"a.b.c.d.e.f.g.h"}}]}',
                     '{"checks":[{"tool":"t","expect":{"op":"exists","value":[1]}}],"evidence":[]}',
                     '{"checks":[{"tool":"t","expect":{"op":"eq","value":null,"path":"[0].*"}}],"deadline_ms":1}',
                     json.dumps({"checks": [{"tool": "t", "id": "😀" * 200}] + [{"tool": "t"}] * 999})):
            oracle.validate(j(text))

    def test_wrong(self):
        check = '{"checks":[%s]}'
        expect = check % '{"tool":"t","expect":%s}'
        for text in ("[]", "null", "{}", '{"checks":[]}', '{"checks":{}}', '{"checks":[{"tool":"t"}],"x":1}',
                     '{"checks":[{"tool":"t"}],"question":"q"}', '{"checks":[{"tool":"t"}],"deadline_ms":0}',
                     '{"checks":[{"tool":"t"}],"deadline_ms":"1"}', '{"checks":[{"tool":"t"}],"evidence":{}}',
                     check % "null", check % "{}", check % '{"tool":""}', check % '{"tool":1}',
                     check % '{"tool":"t","id":""}', check % '{"tool":"t","id":null}',
                     check % '{"tool":"t","id":"c2"},{"tool":"t"}', check % '{"tool":"t","required":null}',
                     check % '{"tool":"t","observe":1}', check % '{"tool":"t","args":[]}',
                     check % '{"tool":"t","x":1}', expect % "null", expect % '"eq"', expect % "{}",
                     expect % '{"op":"EQ","value":1}', expect % '{"op":"eq"}', expect % '{"op":"eq","value":1,"x":1}',
                     expect % '{"op":"eq","value":1,"path":""}', expect % '{"op":"eq","value":1,"path":"a..b"}',
                     expect % '{"op":"eq","value":1,"path":"a.b.c.d.e.f.g.h.i"}',
                     expect % '{"op":"eq","value":1,"tol":1}', expect % '{"op":"in","value":"x"}',
                     expect % ("[" + ",".join(['{"op":"exists"}'] * 9) + "]"),
                     check % '{"tool":"t","observe":true,"expect":{"tol":1}}',
                     check % '{"tool":"t","observe":true,"expect":{"op":"eq"}}',
                     json.dumps({"checks": [{"tool": "t"}] * 1001})):
            self.refused("22023", oracle.validate, j(text))


FACT = """{"fact":"t","value":7,"timestamp":"2026-06-09T04:40:24Z","verification":{"confidence":0.8},
"raw":{"results":[{"v":"3.13"},null],"0":"zero","n":null}}"""
NOW = oracle.instant("2026-06-09T04:41:24Z")


class Checks(Cases):
    """Sections 2 to 4 together."""

    def run_check(self, expect, fact=FACT, **members):
        """answer_check with one expectation."""
        check = {"tool": "t", "expect": j(expect), **members}
        return oracle.check(check, j(fact), NOW)

    def test_verdicts(self):
        for expect, verdict, observed in (
                ('{"op":"eq","value":7}', "supported", "7"), ('{"op":"lt","value":7}', "contradicted", "7"),
                ('{"op":"lt","value":"x"}', "not_evaluable", "7"), ("[]", "value", "7"),
                ('[{"op":"lt","value":"x"},{"op":"eq","value":8}]', "contradicted", "7"),
                ('{"path":"results.0.v","op":"semver_gte","value":"3.9"}', "supported", '"3.13"'),
                ('{"path":"0","op":"eq","value":"zero"}', "supported", '"zero"'),
                ('{"path":"results.00","op":"exists"}', "contradicted", None),
                ('{"path":"results.2","op":"eq","value":1}', "not_evaluable", None),
                ('{"path":"n","op":"exists"}', "supported", "null"),
                ('{"path":"n.x","op":"not_exists"}', "supported", None),
                ('{"op":"fresh_within_s","value":60}', "supported", '"2026-06-09T04:40:24Z"'),
                ('{"op":"fresh_within_s","value":59.999999}', "contradicted", '"2026-06-09T04:40:24Z"')):
            got = self.run_check(expect)
            self.assertEqual((got["verdict"], got["observed"], got["confidence"]), (verdict, j(observed), 0.8), expect)

    def test_no_raw(self):
        for op in ("exists", "not_exists"):
            self.assertEqual(self.run_check('{"path":"a","op":"%s"}' % op, "{}")["verdict"], "not_evaluable")
            self.assertEqual(self.run_check('{"path":"a","op":"%s"}' % op, '{"raw":null}')["verdict"],
                             "supported" if op == "not_exists" else "contradicted")

    def test_explain(self):
        for path, want in (("x", {"resolved": "", "keys": ["0", "n", "results"]}),
                           ("results.7.a", {"resolved": "results", "length": Num("2")}),
                           ("results.0.w", {"resolved": "results.0", "keys": ["v"]}),
                           ("n.a", {"resolved": "n"})):
            entry = self.run_check('{"path":"%s","op":"exists"}' % path)["entries"][0]
            self.assertEqual(entry, {"op": "exists", "path": path, "outcome": "fails", **want})
        fact = json.dumps({"raw": {"k%02d" % i: 1 for i in range(51)}})
        entry = self.run_check('{"path":"x","op":"exists"}', fact)["entries"][0]
        self.assertEqual((len(entry["keys"]), entry["more"]), (50, Num("1")))

    def test_evidence(self):
        for evidence in (None, "[]"):
            got = self.run_check('{"op":"exists"}', evidence)
            self.assertEqual((got["verdict"], got["confidence"]), ("evidence_unavailable", 0.0))
        for evidence in ("null", "1", "[1]", "[[]]"):
            self.refused("22023", self.run_check, '{"op":"exists"}', evidence)
        self.refused("22004", oracle.check, ABSENT, {}, NOW)
        self.refused("22004", oracle.check, {"tool": "t"}, {}, None)

    def test_confidence(self):
        for text, want in (("1.0", 1.0), ("1.1", 0.0), ('"0.5"', 0.0), ("0.12345678901234567890", 0.0),
                           ("0.5", 0.5), ("null", 0.0)):
            second = '{"verification":{"confidence":%s}}' % text
            got = self.run_check("[]", '[{"value":1,"verification":{"confidence":1}},%s]' % second)
            self.assertEqual(got["confidence"], want)
        self.assertEqual(self.run_check("[]", "{}")["confidence"], 0.0)

    def test_instants(self):
        self.assertEqual(oracle.instant("0001-01-01T00:00:00Z"), 86400 * 10 ** 6)
        self.assertEqual(oracle.instant("2026-06-09T06:40:24+02:00"), oracle.instant("2026-06-09T04:40:24.0Z"))
        self.assertEqual(oracle.instant("2026-06-08T23:10:24-05:30"), oracle.instant("2026-06-09T04:40:24Z"))
        for text in ("0000-01-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-06-09T24:00:00Z", "2026-06-09T23:59:60Z",
                     "2026-06-09T04:40:24.1234567Z", "2026-06-09T04:40:24.Z", "2026-06-09T04:40:24",
                     "2026-06-09T04:40:24+16:00", "2026-06-09T04:40:24Z\n", "2026-06-09t04:40:24z"):
            self.assertIsNone(oracle.instant(text), text)


class Scores(Cases):
    """Sections 5 and 6."""

    def test_composite(self):
        for rows, want in (
                ([], ("evidenced", 0.0, False)),
                ([("supported", 0.8, True), ("value", 0.5, True)], ("supported", 0.5, False)),
                ([("value", 2.675 / 10, True)], ("evidenced", 0.27, False)),
                ([("value", 0.125, True)], ("evidenced", 0.12, False)),
                ([("contradicted", 0.3, True), ("contradicted", 0.6, True), ("not_checked", None, True)],
                 ("contradicted", 0.6, True)),
                ([("contradicted", 0.9, False), ("supported", 0.7, True)], ("supported", 0.7, False)),
                ([("not_evaluable", 0.9, True)], ("insufficient_evidence", 0.0, False)),
                ([("evidence_unavailable", 0.0, False)], ("evidenced", 0.0, True)),
                ([("supported", None, True)], ("supported", 0.0, False))):
            got = oracle.composite(rows)
            self.assertEqual((got["verdict"], got["confidence"], got["degraded"], got["checks"]),
                             (*want, len(rows)))
        self.refused("22004", oracle.composite, [(None, 0.5, True)])
        self.refused("22004", oracle.composite, [("value", 0.5, None)])
        self.refused("22023", oracle.composite, [("value", float("nan"), False)])

    def test_fact_confidence(self):
        def score(basis=None, **signals):
            return oracle.fact_confidence({"signals": signals, "basis": basis})
        full = {"source_present": True, "signed": True, "fresh": True}
        self.assertEqual(score(**full), 0.8)
        self.assertEqual(score(**full, corroborated=True), 0.95)
        self.assertEqual(score(**full, conflict=True), 0.4)
        self.assertEqual(score("forecast", **full), 0.7)
        self.assertEqual(score("inferred", **full), 0.5)
        self.assertEqual(score("inferred", fresh=True, conflict=True), 0.3)
        self.assertEqual(score(), 0.0)
        self.refused("22023", oracle.fact_confidence, {"signals": {"fresh": None}})


class Receipts(Cases):
    """Section 7."""

    def setUp(self):
        self.keys = verify_receipts.sample_keys()
        self.receipt = verify_receipts.sample_receipt(random.Random(11))

    def failing(self, receipt, keys=None):
        """The names of the steps that fail."""
        got = oracle.verify_receipt(receipt, self.keys if keys is None else keys)
        return [name for name, s in got["steps"].items() if not s["ok"]]

    def test_samples_verify(self):
        rng = random.Random(5)
        for _ in range(5):
            self.assertEqual(self.failing(verify_receipts.sample_receipt(rng)), [])

    def test_tampering(self):
        made = {**self.receipt, "issuer": "other"}
        self.assertEqual(self.failing(made), ["receipt_id", "signature"])
        self.assertEqual(self.failing(verify_receipts.identified(made)), ["signature"])
        made = verify_receipts.signed({**self.receipt, "verdict": "nonsense"})
        self.assertEqual(self.failing(made), ["replay"])
        for tenant, steps in (("acme", []), ("", ["closure"]), (".a", ["closure"]), ("a\n", ["closure"]),
                              ("a" * 64, ["closure"]), (None, ["closure"]), (["acme"], ["closure"])):
            made = verify_receipts.signed({**self.receipt, "tenant": tenant})
            self.assertEqual(self.failing(made), steps)
        made = copy.deepcopy(self.receipt)
        made["evidence_index"]["sha256:" + "0" * 64] = {}
        self.assertEqual(self.failing(verify_receipts.signed(made)), ["closure"])

    def test_signature_spelling(self):
        made = copy.deepcopy(self.receipt)
        made["signature"]["sig"] = made["signature"]["sig"].rstrip("=")
        self.assertEqual(self.failing(made), [])
        for key, value in (("alg", "RS256"), ("canonicalization", None), ("key_id", "x"), ("sig", "AAAA")):
            made = copy.deepcopy(self.receipt)
            made["signature"][key] = value
            self.assertEqual(self.failing(made), ["signature"])

    def test_anchor_is_left_out(self):
        for anchor in (None, {}, {"token": "MAA=", "hash_alg": "sha256", "attached_at": verify_receipts.NOW,
                                  "imprint": oracle.sha256(oracle.canonical(self.receipt))}):
            self.assertEqual(self.failing({**self.receipt, "anchor": anchor}), ["anchor"])

    def test_lifecycle(self):
        (name, public), = self.keys.items()
        issued = self.receipt["issued_at"]
        entry = {"key_id": name, "public_key": public, "status": "active", "active_from": issued,
                 "retired_at": None, "compromised_after": None}
        for change, ok in (({}, True), ({"retired_at": issued}, True), ({"retired_at": "2026-06-09T04:40:23Z"}, False),
                           ({"active_from": "2026-06-09T04:40:24.000001Z"}, False), ({"status": "compromised"}, False),
                           ({"status": "compromised", "compromised_after": issued}, True),
                           ({"compromised_after": "2020-01-01T00:00:00Z"}, False), ({"public_key": "AAAA"}, False),
                           ({"active_from": "soon"}, False)):
            self.assertEqual(self.failing(self.receipt, [{**entry, **change}]), [] if ok else ["signature"], change)

    def test_malformed(self):
        for text in ("", "nonsense", "null", "[]", '{"schema":"answer/v1"}', '"\\ud800"', "{}"):
            self.assertFalse(oracle.verify_text(text, self.keys)["ok"])

    def test_question_refusal(self):
        body = {"schema": "answer/v1", "mode": "question", "checks": [], "evidence_index": {}, "degraded": False,
                "verdict": "outside_evidence_coverage", "confidence": Num("0"), "issued_at": verify_receipts.NOW,
                "evaluated_at": verify_receipts.NOW}
        self.assertEqual(self.failing(verify_receipts.signed(body)), [])
        self.assertEqual(self.failing(verify_receipts.signed({**body, "mode": "checks"})), ["replay"])


class Ed25519(Cases):
    """RFC 8032."""

    def test_rfc8032_first_vector(self):
        secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        public = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        self.assertEqual(oracle.ed25519_public(secret), public)
        signature = oracle.ed25519_sign(secret, b"")
        self.assertEqual(signature.hex()[:16], "e5564300c360ac72")
        self.assertTrue(oracle.ed25519_verify(public, b"", signature))
        self.assertFalse(oracle.ed25519_verify(public, b"x", signature))

    def test_base64url(self):
        self.assertEqual(oracle.base64url("-_8="), b"\xfb\xff")
        self.assertEqual(oracle.base64url("-_8"), b"\xfb\xff")
        for text in ("+/8=", "-_9", "-_8==", "A", "-_8 ", None):
            self.assertIsNone(oracle.base64url(text))

    def test_wycheproof(self):
        for group in vectors("wycheproof", "testvectors_v1", "ed25519_test.json")["testGroups"]:
            public = bytes.fromhex(group["publicKey"]["pk"])
            for case in group["tests"]:
                got = oracle.ed25519_verify(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
                self.assertEqual(got, case["result"] == "valid", case["tcId"])


class ParsingSuite(Cases):
    """JSONTestSuite: which texts must be accepted and which not."""

    def test_suite(self):
        folder = os.path.join(VECTORS, "jsontestsuite", "test_parsing")
        if not os.path.isdir(folder):
            self.skipTest("skipped: no " + folder)
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as f:
                self.one(name, f.read())

    def one(self, name, data):
        """Check one file. A NUL escape is valid JSON, but refused here."""
        try:
            oracle.parse(data.decode("utf-8"))
            read = True
        except Refused as e:
            read = e.code == "22P05"
        except (UnicodeDecodeError, RecursionError):
            read = False
        if name[0] in "yn":
            self.assertEqual(read, name[0] == "y", name)


if __name__ == "__main__":
    unittest.main()
