"""Seeds and mutations for time-stamps (RFC 3161): tokens, responses, the certificates that they are verified with, and
what is asked of them. The tokens are real ones, of a local authority made with the openssl command; without that
command there is nothing to fuzz here.
"""
import os
import shutil
import subprocess
import tempfile

ANCHORED = ("receipt::jsonb || jsonb_build_object('anchor', answer_anchor(%s, decode(substr(answer_digest(receipt), 8), 'hex'),"
            " '2026-01-01Z'))")
TARGETS = {
    # name: (SQL over the column "input", SQLSTATE classes that are fine), as in fuzz.py
    "anchor": ("answer_anchor_verify(input, roots) ->> 'outcome'", ("54",)),
    "anchor_jsonb": ("answer_anchor_verify(input::jsonb, roots) ->> 'outcome'", ("22", "54")),
    "token": ("answer_anchor_verify(%s, roots) ->> 'outcome'" % (ANCHORED % "decode(left(input, 131072), 'hex')"), ()),
    "response": ("(answer_anchor_attach(receipt::jsonb ->> 'receipt_id', decode(input, 'hex')) ->> 'hash_alg')", ("22", "54")),
    "roots": ("answer_anchor_verify(%s, input) ->> 'outcome'" % (ANCHORED % "token"), ()),
    "nonce": ("answer_anchor_verify('{}'::text, nonce => input) ->> 'outcome'", ("22",)),
    "policy": ("answer_anchor_verify('{}'::text, policy => input) ->> 'outcome'", ("22",)),
}
HEX = ("token", "response")     # inputs that are bytes, written in hex
CONF = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[stamping]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = plain
[plain]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_alg = sha256
"""


def stamp(query, directory):
    """The root's and the authority's certificates, and a response to a query."""
    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=directory, check=True, capture_output=True)

    def path(name):
        return os.path.join(directory, name)

    with open(path("conf"), "w", encoding="ascii") as file:
        file.write(CONF)
    with open(path("serial"), "w", encoding="ascii") as file:
        file.write("01\n")
    with open(path("query"), "wb") as file:
        file.write(query)
    for name in ("root", "tsa"):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name + ".key")
    openssl("req", "-x509", "-new", "-config", "conf", "-extensions", "root", "-subj", "/CN=Root", "-days", "3650",
            "-key", "root.key", "-out", "root.pem")
    openssl("req", "-new", "-config", "conf", "-subj", "/O=Test/CN=TSA", "-key", "tsa.key", "-out", "tsa.csr")
    openssl("x509", "-req", "-in", "tsa.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days", "3650",
            "-extfile", "conf", "-extensions", "stamping", "-out", "tsa.pem")
    openssl("ts", "-reply", "-config", "conf", "-queryfile", "query", "-signer", "tsa.pem", "-inkey", "tsa.key", "-out",
            "response")
    openssl("ts", "-reply", "-config", "conf", "-in", "response", "-token_out", "-out", "token")
    results = []
    for name in ("root.pem", "tsa.pem", "response", "token"):
        with open(path(name), "rb") as file:
            results.append(file.read())
    return results


def setup(psql):
    """Adds a token to fuzz.context and returns the seeds by target; none without openssl."""
    if shutil.which("openssl") is None:
        return {}
    query = psql("SELECT encode(answer_anchor_request(receipt::jsonb ->> 'receipt_id'), 'hex') FROM fuzz.context;")
    with tempfile.TemporaryDirectory() as directory:
        root, tsa, response, token = stamp(bytes.fromhex(query.stdout.decode().strip()), directory)
    root, tsa = root.decode(), tsa.decode()
    anchored = psql("ALTER TABLE fuzz.context ADD COLUMN roots text, ADD COLUMN token bytea;\n"
                    "UPDATE fuzz.context SET roots = $$%s$$, token = decode('%s', 'hex');\n"
                    "SELECT %s FROM fuzz.context;" % (root, token.hex(), ANCHORED % "token")).stdout.decode().strip()
    return {"anchor": [anchored], "anchor_jsonb": [anchored], "token": [token.hex()], "response": [response.hex(), token.hex()],
            "roots": [root, root + tsa, "a comment\n" + root], "nonce": ["0x7fffffffffffffff", "-12345678901234567890"],
            "policy": ["1.2.3.4.1", "2.999.123456789012345678901234567890"]}


def mutate_hex(rng, text):
    """A few edits of the bytes: single bits, lengths and tags of DER, blocks moved about, the end cut off."""
    out = bytearray.fromhex(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(out) + 1)
        kind = rng.randrange(7)
        if kind == 0 and out:
            out[at % len(out)] ^= 1 << rng.randrange(8)
        elif kind == 1 and out:
            out[at % len(out)] = rng.choice((0, 1, 2, 3, 4, 5, 6, 0x10, 0x17, 0x18, 0x1F, 0x30, 0x31, 0x7F, 0x80, 0x81, 0x84,
                                             0xA0, 0xA1, 0xBF, 0xFF))
        elif kind == 2 and out:
            del out[at % len(out):at % len(out) + rng.choice((1, 1, 2, 40, 400))]
        elif kind == 3 and out:
            begin = rng.randrange(len(out))
            out[at:at] = out[begin:begin + rng.randrange(1, 400)]
        elif kind == 4:
            out[at:at] = rng.choice((b"\x30\x80", b"\x30\x84\xff\xff\xff\xff", b"\x02\x81\x80", b"\x06\x81\xff", b"\x05\x00",
                                     b"\x30\x80" * 200, b"\0" * 3000))
        elif kind == 5 and out:
            begin = rng.randrange(len(out))
            block = out[begin:begin + rng.randrange(1, 60)]
            out[at:at + len(block)] = block
        else:
            out = out[:at]
    return out.hex()


def suspicious(target, answer, text, seeds):
    """Does a token, or an anchor, verify that is not the one that was made?"""
    if answer != "ok verified":
        return False
    return target == "token" and text not in seeds["token"]
