#!/usr/bin/python3
"""Published signed notes and checkpoints, and hostile ones made from them.

The published ones, with their sources:

- C2SP signed-note, tlog-checkpoint, tlog-cosignature and tlog-witness (github.com/C2SP/C2SP, CC BY 4.0). The only example
  with a verifier key is a note that is not a checkpoint. Its key must parse and its signature verify, but
  answer_checkpoint_verify must refuse the text. The example of a checkpoint has no key. It is one of sum.golang.org with
  another origin: its signature verifies over the original text, not over the text in the example.
- The examples of golang.org/x/mod/sumdb/note (Go, BSD 3-Clause), also notes, by two keys.
- A checkpoint of Sigstore's public log, Rekor v2, with the cosignatures and keys of three public witnesses, which these
  logs publish for everybody to verify.

Hostile notes are signed with test keys, by the Ed25519 of test/oracle, so they are never refused for a bad signature.
"""

import base64
import hashlib
import json
import os
import sys

import outside

sys.path.insert(0, os.path.join(outside.ROOT, "test", "oracle"))
import oracle  # noqa: E402

DASH = "\u2014 "

FOO_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOO_TEXT = "This is an example message.\n"
FOO_LINE = (DASH + "example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72"
            "IneyaQM=\n")

SOFA = ("example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        DASH + "example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zy"
        "WE+xeMcTOAYQ8=\n",
        DASH + "witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo"
        "0xUe+mbIUBkBIfZ+qnA==\n")
SUMDB_KEY = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
SUMDB_TEXT = SOFA[0].replace("example.com/behind-the-sofa", "go.sum database tree")

WITNESS_REQUEST = """old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

""" + SOFA[0] + "\n" + SOFA[1] + (
    DASH + "example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv"
    "++qbSzm9Q=\n")

GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETER_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_LINE = (DASH + "PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6Ryy"
              "BwJnAM=\n")
ENOCH_KEY = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
ENOCH_LINE = (DASH + "EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc"
              "+QQ=\n")

REKOR_KEY = "log2025-1.rekor.sigstore.dev+cf119915+AbfK5adZJxsI323FwGD2AJJ9F4i89cfDuLdGJBIYntuO"
WITNESS_KEYS = (
    "witness.navigli.sunlight.geomys.org+a3e00fe2+BNy/co4C1Hn1p+INwJrfUlgz7W55dSZReusH/GhUhJ/G",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
    "staging.witness.transparency.goog/ring-any-bells+2e1a8dc9+BG5JTpLc3FJtwzgh1Uv+Qelz9qeOH2bfWjS1s0s+y4rL")
REKOR = """log2025-1.rekor.sigstore.dev
114068855
uXmV5jkyZgXN2o6QMPYIPpTwzaAdL+3IFw0SMp4JmGI=

— log2025-1.rekor.sigstore.dev zxGZFazjmbNyzy8EePBwh61DpCvLn/pkXQhgwGayQKZeQ7BxDrs3XQPZTCridH/VjPk5eL36dtHVyLyKbtQ08lT51QA=
— witness.navigli.sunlight.geomys.org o+AP4gAAAABqrBYQPMdDRNVwMGPQD9N5E3AIrptPZ6/6OcsZY1+xNfGu0CsxNM0BsXvltbFkMsY/pjOaNT0Oz8ZBHN510YN+vn8lBg==
— witness.stagemole.eu Z/euoAAAAABqrBYQ+q67WRizVAmFq6sUXpfA+eMyO+dQ7i5Ce9WBkqPvq4RZTZLR/sU1hHl/NDSzJ4mLzhmQULr0HdTJoOVl/5BACg==
— staging.witness.transparency.goog/ring-any-bells LhqNyQAAAABqrBYQ3tiCPy63VE7DlWh6263nnhFXaEodX50PL9nB7QQ+3PGAlTajdyo/D+UWY9+pAlJF6PIVmSCYfbo71E6kuj5yAw==
"""


def key_material(vkey):
    """The raw public key of a vkey."""
    return base64.b64decode(vkey.split("+", 2)[2])[1:]


def b64(data):
    """Standard base64."""
    return base64.b64encode(data).decode()


def raw_line(name, data):
    """A signature line with any bytes."""
    return (DASH + name + " " + b64(data) + "\n").encode()


class Signer:
    """A test key with a name."""

    def __init__(self, name, alg=1, seed=b"answer_eval notes"):
        self.name = name.encode() if isinstance(name, str) else name
        self.alg = alg
        self.seed = hashlib.sha256(seed).digest()
        self.public = oracle.ed25519_public(self.seed)
        self.hash = hashlib.sha256(self.name + b"\n" + bytes([alg]) + self.public).digest()[:4]

    @property
    def vkey(self):
        """name+hash+key."""
        return "%s+%s+%s" % (self.name.decode(), self.hash.hex(), b64(bytes([self.alg]) + self.public))

    def signature(self, text, time=1700000000):
        """The bytes after the name in a signature line."""
        if self.alg == 1:
            return self.hash + oracle.ed25519_sign(self.seed, text)
        message = b"cosignature/v1\ntime %d\n" % time + text
        return self.hash + time.to_bytes(8, "big") + oracle.ed25519_sign(self.seed, message)

    def line(self, text, **more):
        """A signature line."""
        return DASH.encode() + self.name + b" " + base64.b64encode(self.signature(text, **more)) + b"\n"

    def sign(self, text):
        """A whole note."""
        text = text if isinstance(text, bytes) else text.encode()
        return text + b"\n" + self.line(text)


TALLY = outside.Tally()
LOG = Signer("log.example/1")
OTHER = Signer("other.example", seed=b"another key")
COSIGNER = Signer("witness.example", alg=4, seed=b"a witness")
ROOT = base64.b64encode(hashlib.sha256(b"root").digest()).decode()
TEXT = ("log.example/1\n42\n%s\n" % ROOT).encode()
INVALID = "a signature by a known key does not match"
NOBODY = "no known key of the log has signed the checkpoint"


def verify(note, *vkeys):
    """SQL that verifies a note, given as bytes of UTF-8."""
    return "SELECT answer_checkpoint_verify(convert_from(%s, 'UTF8'), ARRAY[%s]::text[])" % (
        outside.bytea(note if isinstance(note, bytes) else note.encode()), ", ".join(outside.literal(k) for k in vkeys))


def expect(cases, setup=()):
    """Try cases of (what, statement, expected): a text, a dictionary that the jsonb must contain, or an SQLSTATE."""
    answers = outside.ask([statement for _, statement, _ in cases], setup)
    for (what, _, expected), answer in zip(cases, answers):
        if isinstance(expected, dict) and answer.ok:
            report = json.loads(answer.out)
            good = all(report.get(k) == v if not callable(v) else v(report.get(k)) for k, v in expected.items())
        else:
            good = answer.out == expected if answer.ok else answer.state == expected
        TALLY.check(good, "%s: %s %s" % (what, answer.state, answer.out))


def states(*wanted):
    """The states of a report's signatures."""
    return lambda signatures: signatures is not None and tuple(s["state"] for s in signatures) == wanted


def math(vkey, text, line):
    """SQL that verifies only the signature of a line."""
    signature = base64.b64decode(line.rstrip("\n").rsplit(" ", 1)[1])[4:]
    return "SELECT answer.ed25519_verify(%s, %s, %s)" % tuple(
        outside.bytea(x) for x in (key_material(vkey), text.encode(), signature))


def published():
    """Try the published notes."""
    cases = [
        ("C2SP's signed note, the signature", math(FOO_KEY, FOO_TEXT, FOO_LINE), "t"),
        ("C2SP's signed note, another text", math(FOO_KEY, FOO_TEXT + " ", FOO_LINE), "f"),
        ("C2SP's signed note is no checkpoint", verify(FOO_TEXT + "\n" + FOO_LINE, FOO_KEY),
         {"ok": False, "reason": "the checkpoint has no tree size"}),
        ("C2SP's checkpoint, its signature as it was made", math(SUMDB_KEY, SUMDB_TEXT, SOFA[1]), "t"),
        ("C2SP's checkpoint, its signature as it is shown", math(SUMDB_KEY, SOFA[0], SOFA[1]), "f"),
        ("C2SP's checkpoint parses", verify(SOFA[0] + "\n" + SOFA[1], SUMDB_KEY),
         {"ok": False, "origin": "example.com/behind-the-sofa", "tree_size": 20852163,
          "root_hash": "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", "signatures": states("unknown"),
          "reason": "no known key of the log has signed the checkpoint"}),
        ("C2SP's cosigned checkpoint parses", verify("".join((SOFA[0], "\n") + SOFA[1:]), SUMDB_KEY),
         {"ok": False, "signatures": states("unknown", "unknown")}),
        ("C2SP's request parses", "SELECT answer_checkpoint_cosign(%s)" % outside.literal(WITNESS_REQUEST), "55000"),
        # its key name is not its origin: the signature is good, but we do not accept the checkpoint
        ("sum.golang.org's checkpoint",
         verify(SUMDB_TEXT + "\n" + SOFA[1].replace("example.com/behind-the-sofa", "sum.golang.org"), SUMDB_KEY),
         {"ok": False, "signatures": states("verified"), "origin": "go.sum database tree", "reason": NOBODY}),
    ]
    for name, vkey, line in (("Peter", PETER_KEY, PETER_LINE), ("Enoch", ENOCH_KEY, ENOCH_LINE)):
        cases += [
            ("Go's note, %s's signature" % name, math(vkey, GO_TEXT, line), "t"),
            ("Go's note, %s's key is taken" % name, "SELECT answer_witness_trust(%s)" % outside.literal(vkey),
             vkey.split("+")[0]),
            ("Go's note by %s is no checkpoint" % name, verify(GO_TEXT + "\n" + PETER_LINE + ENOCH_LINE, vkey),
             {"ok": False, "reason": "the checkpoint has no tree size"})]
    # as in Go's own tests: no part of a key is a key, nor is a key with one byte changed
    parts = {PETER_KEY[i:j] for i in range(len(PETER_KEY)) for j in range(i + 1, len(PETER_KEY) + 1)} - {PETER_KEY}
    parts |= {PETER_KEY[:i] + chr(ord(PETER_KEY[i]) + 1) + PETER_KEY[i + 1:] for i in range(len(PETER_KEY))}
    parts |= {"PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
              "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"}
    cases.append(("Go's key in %d manglings" % len(parts),
                  "SELECT count(*) FROM unnest(ARRAY[%s]) k WHERE mangled(k) = '22023'"
                  % ", ".join(map(outside.literal, sorted(parts))), str(len(parts))))
    root = "uXmV5jkyZgXN2o6QMPYIPpTwzaAdL+3IFw0SMp4JmGI="
    lines = REKOR.splitlines(True)
    cases += [
        ("Rekor's checkpoint", verify(REKOR, REKOR_KEY, *WITNESS_KEYS),
         {"ok": True, "origin": "log2025-1.rekor.sigstore.dev", "tree_size": 114068855, "root_hash": root,
          "signatures": lambda s: [(x["state"], x["kind"], x.get("time")) for x in s] ==
          [("verified", "signature", None)] + [("verified", "cosignature", 1789662736)] * 3}),
        ("Rekor's checkpoint by its own key", verify(REKOR, REKOR_KEY),
         {"ok": True, "signatures": states("verified", "unknown", "unknown", "unknown")}),
        ("Rekor's checkpoint by its witnesses alone", verify(REKOR, *WITNESS_KEYS),
         {"ok": False, "signatures": states("unknown", "verified", "verified", "verified")}),
        ("Rekor's checkpoint without keys", verify(REKOR), {"ok": False}),
        ("Rekor's checkpoint with another size", verify(REKOR.replace("114068855", "114068856"), REKOR_KEY, *WITNESS_KEYS),
         {"ok": False, "signatures": states("invalid", "invalid", "invalid", "invalid")}),
        ("Rekor's checkpoint with a witness's time changed",
         verify(REKOR.replace("o+AP4gAAAABqrBYQ", "o+AP4gAAAABqrBYR"), REKOR_KEY, *WITNESS_KEYS),
         {"ok": False, "signatures": states("verified", "invalid", "verified", "verified"), "reason": INVALID}),
        ("Rekor's checkpoint, the witnesses first", verify("".join(lines[:4] + lines[:3:-1]), REKOR_KEY, *WITNESS_KEYS),
         {"ok": True, "signatures": states("verified", "verified", "verified", "verified")}),
    ]
    expect(cases, ["CREATE OR REPLACE FUNCTION mangled(k text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
                   " PERFORM answer_witness_trust(k); RETURN '00000';"
                   " EXCEPTION WHEN OTHERS THEN RETURN sqlstate; END $$"])


def refusals():
    """Notes that are almost good: (what, the note, the reason to refuse it)."""
    good, line = LOG.sign(TEXT), LOG.line(TEXT)
    end = "the note does not end with a newline"
    plain = "the note is not plain UTF-8 text"
    empty = "the note has no empty line before its signatures"
    unsigned = "the note has no signature"
    gap = "the checkpoint has an empty line"
    malformed = "a signature line is malformed"
    return [
        ("nothing", b"", empty),
        ("a newline", b"\n", empty),
        ("two newlines", b"\n\n", unsigned),
        ("no signature", TEXT + b"\n", unsigned),
        ("no empty line", TEXT + line, empty),
        ("no text", b"\n" + LOG.line(b""), empty),
        ("only an empty line", b"\n\n" + LOG.line(b"\n"), "the checkpoint has no origin"),
        ("no final newline", good[:-1], end),
        ("two final newlines", good + b"\n", unsigned),
        ("two empty lines", TEXT + b"\n\n" + line, gap),
        ("two empty lines, signed", LOG.sign(TEXT + b"\n"), gap),
        ("an empty line between signatures", good + b"\n" + line, gap),
        ("CRLF", good.replace(b"\n", b"\r\n"), plain),
        ("CRLF in the text alone, signed", LOG.sign(TEXT.replace(b"\n", b"\r\n")), plain),
        ("a carriage return at the end", good[:-1] + b"\r\n", plain),
        ("a byte-order mark", b"\xef\xbb\xbf" + good, INVALID),
        ("a blank before", b" " + good, INVALID),
        ("text after", good + b"more\n", malformed),
        ("text after without a newline", good + b"more", end),
        ("a tab in the text", LOG.sign(TEXT + b"a\tb\n"), plain),
        ("an escape in the text", LOG.sign(TEXT + b"\x1b[m\n"), plain),
        ("a form feed in a name", good + raw_line("log\x0c.example", bytes(68)), plain),
        ("a megabyte and more", LOG.sign(TEXT + b"x" * (1 << 20) + b"\n"), "the note is too long"),
        ("an empty origin", LOG.sign(b"\n42\n%s\n" % ROOT.encode()), "the checkpoint has no origin"),
        ("no size", LOG.sign(b"log.example/1\n"), "the checkpoint has no tree size"),
        ("no root", LOG.sign(b"log.example/1\n42\n"), "the checkpoint has no root hash"),
        ("an empty extension line", LOG.sign(TEXT + b"one\n\ntwo\n"), gap),
        ("an empty extension line at once", LOG.sign(TEXT + b"\ntwo\n"), gap),
        ("an extension line changed", LOG.sign(TEXT + b"one\n").replace(b"one\n", b"two\n"), INVALID),
        ("an extension line taken away", LOG.sign(TEXT + b"one\n").replace(b"one\n", b""), INVALID),
        ("an origin that no key's name is", LOG.sign(TEXT.replace(b"log.example/1", b"log example")), NOBODY),
        ("101 signatures", TEXT + b"\n" + line * 101, "the note has too many signatures"),
        ("a signature of 63 bytes", TEXT + b"\n" + raw_line("log.example/1", LOG.signature(TEXT)[:67]), INVALID),
        ("a signature of 65 bytes", TEXT + b"\n" + raw_line("log.example/1", LOG.signature(TEXT) + b"x"), INVALID),
        ("a signature of one byte", TEXT + b"\n" + raw_line("log.example/1", LOG.hash + b"x"), INVALID),
        ("a wrong key hash", TEXT + b"\n" + raw_line("log.example/1", bytes(4) + LOG.signature(TEXT)[4:]), NOBODY),
        ("a wrong name", TEXT + b"\n" + raw_line("log.example/2", LOG.signature(TEXT)), NOBODY),
    ]


def sizes_and_roots():
    """Second and third lines of checkpoints, all signed, good and bad."""
    cases = []
    for size in ("042", "+42", "-42", "42 ", " 42", "4_2", "0x2a", "42.0", "4e1", "", "9223372036854775808",
                 "18446744073709551658", "99999999999999999999999", "\u0664\u0662", "00"):
        cases.append(("size %r" % size, LOG.sign(TEXT.replace(b"42", size.encode(), 1)), "the checkpoint has no tree size"))
    for what, root in (
            ("31 bytes", b64(bytes(31))),
            ("33 bytes", b64(bytes(33))),
            ("no padding", ROOT.rstrip("=")),
            ("too much padding", ROOT + "="),
            ("base64url", "-" * 43 + "="),
            ("stray bits", ROOT[:42] + chr(ord(ROOT[42]) + 1) + "="),
            ("a blank", ROOT + " "),
            ("hexadecimal", "00" * 32),
            ("nothing", ""),
            ("padding within", "=" + ROOT[1:]),
            ("no base64", "!" * 43 + "=")):
        cases.append(("a root of " + what, LOG.sign(TEXT.replace(ROOT.encode(), root.encode())),
                      "the checkpoint has no root hash"))
    return cases


def lines():
    """Signature lines that are malformed."""
    encoded = b64(LOG.signature(TEXT))
    return [(what, text + "\n") for what, text in (
        ("a hyphen", "- log.example/1 " + encoded),
        ("an en dash", "\u2013 log.example/1 " + encoded),
        ("no dash", "log.example/1 " + encoded),
        ("no blank after the dash", "\u2014log.example/1 " + encoded),
        ("two blanks", DASH + " log.example/1 " + encoded),
        ("two blanks within", DASH + "log.example/1  " + encoded),
        ("a blank at the end", DASH + "log.example/1 " + encoded + " "),
        ("a blank before", " " + DASH + "log.example/1 " + encoded),
        ("no name", DASH + encoded),
        ("an empty name", DASH + " " + encoded),
        ("no signature", DASH + "log.example/1"),
        ("an empty signature", DASH + "log.example/1 "),
        ("base64 of three bytes", DASH + "log.example/1 AAAA"),
        ("base64 of the hash alone", DASH + "log.example/1 " + b64(LOG.hash)),
        ("no base64", DASH + "log.example/1 " + "!" * 92),
        ("base64url", DASH + "log.example/1 " + "_" * 92),
        ("no padding", DASH + "log.example/1 " + encoded.rstrip("=")),
        ("padding within", DASH + "log.example/1 " + encoded[:40] + "=" + encoded[41:]),
        ("stray bits", DASH + "log.example/1 " + encoded[:-2] + chr(ord(encoded[-2]) + 1) + "="))]


def acceptances():
    """Notes that look odd but are good."""
    good, line = LOG.sign(TEXT), LOG.line(TEXT)
    accented = Signer("log.example/é€😀")
    known, unknown = states("verified"), states("verified", "unknown")
    cases = [("size %d" % n, verify(LOG.sign(TEXT.replace(b"\n42\n", b"\n%d\n" % n)), LOG.vkey), {"ok": True, "tree_size": n})
             for n in (0, 1, 9223372036854775807)]
    return cases + [
        ("a good one", verify(good, LOG.vkey),
         {"ok": True, "tree_size": 42, "root_hash": ROOT, "origin": "log.example/1", "signatures": known}),
        ("the key given twice", verify(good, LOG.vkey, LOG.vkey), {"ok": True}),
        ("a delete character", verify(LOG.sign(TEXT + b"\x7f\n"), LOG.vkey), {"ok": True}),
        ("a long text", verify(LOG.sign(TEXT + b"x" * 1_000_000 + b"\n"), LOG.vkey), {"ok": True}),
        ("extension lines", verify(LOG.sign(TEXT + b"one\ntwo\n"), LOG.vkey), {"ok": True}),
        ("an extension line like a signature", verify(LOG.sign(TEXT + line), LOG.vkey), {"ok": True, "signatures": known}),
        ("a name beyond ASCII", verify(accented.sign("log.example/é€😀\n42\n%s\n" % ROOT), accented.vkey),
         {"ok": True, "origin": "log.example/é€😀"}),
        ("a zero-width space in a name", verify(good + Signer("log\u200b1").line(TEXT), LOG.vkey),
         {"ok": True, "signatures": unknown}),
        ("one by an unknown key before", verify(TEXT + b"\n" + OTHER.line(TEXT) + line, LOG.vkey),
         {"ok": True, "signatures": states("unknown", "verified")}),
        ("one by an unknown key of our name", verify(good + Signer("log.example/1", seed=b"x").line(TEXT), LOG.vkey),
         {"ok": True, "signatures": unknown}),
        ("one of an unknown algorithm", verify(good + raw_line("log.example/1", b"\xff" * 3000), LOG.vkey),
         {"ok": True, "signatures": unknown}),
        ("the same line twice", verify(good + line, LOG.vkey), {"ok": True, "signatures": states("verified", "verified")}),
        ("100 signatures", verify(TEXT + b"\n" + line * 100, LOG.vkey), {"ok": True}),
        ("99 by nobody and a good one", verify(TEXT + b"\n" + OTHER.line(TEXT) * 99 + line, LOG.vkey), {"ok": True}),
    ]


def known_keys():
    """Signatures by given keys: one that does not verify makes the note fail."""
    good, line = LOG.sign(TEXT), LOG.line(TEXT)
    bad = raw_line("log.example/1", LOG.hash + bytes(64))
    namesake = Signer("log.example/1", alg=4)
    plain = Signer("witness.example", seed=b"a witness")
    first, second = states("invalid", "verified"), states("verified", "invalid")

    def cosigned(signature):
        return verify(good + signature, LOG.vkey, COSIGNER.vkey)

    def at(time):
        return {"ok": True, "signatures": lambda s: s[1].get("kind") == "cosignature" and s[1].get("time") == time}

    spoiled = {"ok": False, "reason": INVALID, "signatures": second}
    return [
        ("a bad one before a good one", verify(TEXT + b"\n" + bad + line, LOG.vkey),
         {"ok": False, "reason": INVALID, "signatures": first}),
        ("a bad one behind a good one", verify(good + bad, LOG.vkey), spoiled),
        ("a bad one by another known key", verify(good + OTHER.line(b"another text\n"), LOG.vkey, OTHER.vkey), spoiled),
        ("one by a known key of another name alone", verify(OTHER.sign(TEXT), LOG.vkey, OTHER.vkey),
         {"ok": False, "reason": NOBODY}),
        ("a cosignature", cosigned(COSIGNER.line(TEXT)), at(1700000000)),
        ("a cosignature at 0", cosigned(COSIGNER.line(TEXT, time=0)), at(0)),
        ("a cosignature at 2^63 - 1", cosigned(COSIGNER.line(TEXT, time=(1 << 63) - 1)), at((1 << 63) - 1)),
        ("a cosignature at 2^63", cosigned(COSIGNER.line(TEXT, time=1 << 63)), spoiled),
        ("a cosignature of other text", cosigned(COSIGNER.line(TEXT + b"x\n")), spoiled),
        ("a cosignature without its time",
         cosigned(raw_line("witness.example", COSIGNER.hash + COSIGNER.signature(TEXT)[12:])), spoiled),
        ("a plain signature under a cosigner's hash",
         cosigned(raw_line("witness.example", COSIGNER.hash + oracle.ed25519_sign(COSIGNER.seed, TEXT))), spoiled),
        ("a plain signature by the cosigner's key", cosigned(plain.line(TEXT)),
         {"ok": True, "signatures": states("verified", "unknown")}),
        ("a cosignature alone", verify(TEXT + b"\n" + COSIGNER.line(TEXT), LOG.vkey, COSIGNER.vkey),
         {"ok": False, "reason": NOBODY}),
        ("a cosignature alone, by the log's name", verify(TEXT + b"\n" + namesake.line(TEXT), LOG.vkey, namesake.vkey),
         {"ok": False, "reason": NOBODY}),
    ]


def names():
    """Names that no key may have."""
    cases = []
    for what, name in (("a no-break space", "log.example\u00a01"), ("an em space", "log.example\u20031"),
                       ("an ideographic space", "log\u30001"), ("a line separator", "log\u20281"),
                       ("a next line", "log\u00851"), ("an ogham space", "log\u16801"), ("a plus sign", "log+1"),
                       ("nothing", "")):
        signer = Signer(name)
        cases += [("a name with " + what, verify(LOG.sign(TEXT) + signer.line(TEXT), LOG.vkey),
                   {"ok": False, "reason": "a signature line is malformed"}),
                  ("a key of a name with " + what, "SELECT answer_witness_trust(%s)" % outside.literal(signer.vkey), "22023")]
    return cases + [("a vkey of algorithm %d" % alg,
                     "SELECT answer_witness_trust(%s)" % outside.literal(Signer("x", alg=alg).vkey), "22023")
                    for alg in (0, 2, 3, 5, 6, 255)]


def turned():
    """A good note with each bit flipped: none is accepted."""
    good = LOG.sign(TEXT)
    flips = [good[:i] + bytes([good[i] ^ 1 << bit]) + good[i + 1:] for i in range(len(good)) for bit in range(8)]
    answer, = outside.ask(
        ["SELECT count(*) FILTER (WHERE (v -> 'ok')::bool), count(v) FROM"
         " (SELECT answer_checkpoint_verify(readable(n), ARRAY[%s]) v FROM unnest(ARRAY[%s]) n"
         " WHERE readable(n) IS NOT NULL OFFSET 0) q"
         % (outside.literal(LOG.vkey), ", ".join(outside.bytea(f) for f in flips if b"\0" not in f))],
        ["CREATE OR REPLACE FUNCTION readable(n bytea) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
         " RETURN convert_from(n, 'UTF8'); EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$"])
    accepted, tried = answer.out.split("|") if answer.ok else ("?", "0")
    TALLY.check(accepted == "0" and int(tried) > 1000, "%s of %s notes with a bit turned are accepted" % (accepted, tried))


def hostile():
    """Try notes that are almost good, and some that are good."""
    cases = [(what, verify(note, LOG.vkey), {"ok": False, "reason": reason})
             for what, note, reason in refusals() + sizes_and_roots()]
    for what, line in lines():
        cases += [("a line with " + what, verify(TEXT + b"\n" + line.encode(), LOG.vkey), {"ok": False}),
                  ("behind a good one, a line with " + what, verify(LOG.sign(TEXT) + line.encode(), LOG.vkey),
                   {"ok": False, "reason": "a signature line is malformed"})]
    expect(cases + acceptances() + known_keys() + names())
    turned()


def cosigning():
    """Try cosignature lines that would break the checkpoint."""
    vkey, note = (answer.out for answer in outside.ask([
        "SELECT answer_log_vkey()",
        "SELECT replace(encode(note, 'base64'), E'\\n', '') FROM answer.checkpoint WHERE tree_size = 0"]))
    note = base64.b64decode(note)
    text, ours = note[:note.index(b"\n\n") + 1], note[note.index(b"\n\n") + 2:]
    forger = Signer("forger.example", seed=b"forger")
    namesake = Signer(text.split(b"\n")[0], seed=b"forger")

    def add(line, key):
        return "SELECT answer_cosignature_add(0, convert_from(%s, 'UTF8'), %s)" % (
            outside.bytea(line), outside.literal(key))

    good = ("the checkpoint is as good as before", "SELECT answer_checkpoint_verify(answer_checkpoint(0))", {"ok": True})
    cases = [good]
    for what, line, signer in (
            ("with a newline before, signed so", b"\n" + forger.line(text + b"\n"), forger),
            ("with text before, signed so", b"more\n\n" + forger.line(text + b"\nmore\n"), forger),
            ("with a second line", COSIGNER.line(text) + forger.line(text), COSIGNER),
            ("without a newline", COSIGNER.line(text)[:-1], COSIGNER),
            ("with text behind", COSIGNER.line(text) + b"x", COSIGNER),
            ("of another text", COSIGNER.line(text + b"x\n"), COSIGNER),
            ("that is empty", b"", COSIGNER)):
        cases += [("a cosignature " + what, add(line, signer.vkey), "22023"), good]
    cases += [
        ("our own line again", add(ours, vkey), "22023"),
        ("a cosignature", add(COSIGNER.line(text), COSIGNER.vkey), "t"),
        ("the same again", add(COSIGNER.line(text), COSIGNER.vkey), "f"), good,
        ("one by a key with our name", add(namesake.line(text), namesake.vkey), "t"), good,
        ("they are under the checkpoint", "SELECT answer_checkpoint_verify(answer_checkpoint(0), ARRAY[%s, %s])"
         % (outside.literal(vkey), outside.literal(COSIGNER.vkey)),
         {"ok": True, "signatures": states("verified", "verified", "unknown")})]
    # more than a note may have: only the first are shown
    cases += [("cosignature %d" % i, add(COSIGNER.line(text, time=i), COSIGNER.vkey), "t") for i in range(1, 105)]
    cases += [good, ("a hundred lines at the most", "SELECT jsonb_array_length("
                     "answer_checkpoint_verify(answer_checkpoint(0)) -> 'signatures')", "100")]
    expect(cases)


def sql_ascii():
    """A database whose encoding checks no bytes: verifiers report bad bytes and never raise."""
    good = LOG.sign(TEXT)
    cases = []

    def case(what, call, note, expected):
        text = "convert_from(%s, 'SQL_ASCII')" % outside.bytea(note)
        cases.append(("SQL_ASCII: " + what, "SELECT " + call.replace("NOTE", text), expected))

    verified = "answer_checkpoint_verify(NOTE, ARRAY[%s])" % outside.literal(LOG.vkey)
    case("a good one", verified, good, {"ok": True})
    for what, note in (
            ("invalid UTF-8", LOG.sign(TEXT + b"\xff\n")),
            ("a lone continuation byte", LOG.sign(TEXT + b"\x80\n")),
            ("an overlong slash", LOG.sign(TEXT + b"\xc0\xaf\n")),
            ("a surrogate", LOG.sign(TEXT + b"\xed\xa0\x80\n")),
            ("beyond Unicode", LOG.sign(TEXT + b"\xf4\x90\x80\x80\n")),
            ("a torn character at the end", good[:-1] + b"\xe2\x80"),
            ("a torn character in a name", good + DASH.encode() + b"x\xe2 AAAAAAAA\n"),
            ("LATIN1", LOG.sign(TEXT.replace(b"log.example/1", b"log.example/\xe9")))):
        case(what, verified, note, {"ok": False})
        case(what + " to compare", "answer_log_compare(NOTE)", note, {"ok": False, "state": "malformed"})
        case(what + " to cosign", "answer_checkpoint_cosign(NOTE)", note, "22023")
        case(what + " in a proof", "answer_log_verify(jsonb_build_object('schema', 'answer/consistency/v1',"
             " 'checkpoint', NOTE), NULL, '{}')", note, {"ok": False})
        case(what + " for a receipt", "answer_log_verify('{\"schema\": \"answer/inclusion/v1\"}',"
             " jsonb_build_object('x', NOTE), '{}')", note, {"ok": False})
    case("a vkey of bad bytes", "answer_witness_trust(NOTE)", b"x\xff+00000000+AAAA", "22023")
    case("a cosignature of bad bytes", "answer_cosignature_add(0, NOTE, %s)" % outside.literal(COSIGNER.vkey), b"\xff\n",
         "22023")
    # an error that quotes bad bytes cannot be sent to a client with UTF-8
    expect(cases, ["CREATE EXTENSION IF NOT EXISTS answer_eval", "SET client_encoding = 'SQL_ASCII'"])


def latin1():
    """A database whose encoding lacks the em dash, which every note has."""
    one = "(SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1')"
    accented = outside.bytea(Signer("log.example/é").vkey.encode())
    cases = [
        ("a receipt", "answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}') IS NOT NULL", "t"),
        ("sealing it and the record of its key", "answer_log_seal() ->> 'sealed'", "2"),
        ("no checkpoint", "answer_checkpoint()", "22P05"),
        ("nor one of a size", "answer_checkpoint(2)", "22P05"),
        ("nor a request", "answer_checkpoint_request(0)", "22P05"),
        ("a proof leaves it out", "answer_log_inclusion(%s) ? 'checkpoint'" % one, "f"),
        ("and is good", "answer_log_verify(answer_log_inclusion(%s), answer_receipt(%s))" % (one, one), {"ok": True}),
        ("the bytes are there", "position(convert_to(origin || E'\\n2\\n', 'UTF8') IN note) = 1"
         " AND position('\\xe28094'::bytea IN note) > 0 FROM answer.checkpoint", "t"),
        ("the audit", "count(*) FROM answer_log_audit()", "0"),
        ("verifying what it can be given", "answer_checkpoint_verify('x')", {"ok": False}),
        ("our vkey is plain", "answer_log_vkey() ~ '^[!-~]+$'", "t"),
        ("another's is not", "answer_witness_trust(convert_from(%s, 'UTF8'))" % accented, "log.example/é"),
        ("a proof from elsewhere", "answer_log_verify('{\"schema\": \"answer/consistency/v1\","
         " \"checkpoint\": \"\\u00e9\"}', NULL, '{}')", {"ok": False}),
    ]
    expect([("LATIN1: " + what, "SELECT " + call, expected) for what, call, expected in cases],
           ["CREATE EXTENSION IF NOT EXISTS answer_eval", "SET answer_eval.issuer = 'é'"])


def in_database(encoding, test):
    """Run a test in a database of another encoding."""
    home, name = os.environ.get("PGDATABASE", "postgres"), "outside_notes_" + encoding.lower()
    outside.ask(["CREATE DATABASE %s ENCODING %s LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0" % (name, encoding)])
    try:
        os.environ["PGDATABASE"] = name
        test()
    finally:
        os.environ["PGDATABASE"] = home
        outside.ask(["DROP DATABASE IF EXISTS " + name])


# Seal while the tree is empty: from now on the records of trusted witnesses go into the log.
outside.ask(["SELECT answer_log_seal()"])
published()
hostile()
cosigning()
in_database("SQL_ASCII", sql_ascii)
in_database("LATIN1", latin1)
TALLY.check(outside.ask(["SELECT 'up'"])[0].out == "up", "the server is not up")
TALLY.end()
