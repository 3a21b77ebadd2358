"""A time-stamping authority for tests, made with the openssl command: good tokens, and every kind of bad one."""

import os
import subprocess

CONFIG = """
[ ca ]
default_ca = default
[ default ]
dir = .
database = index.txt
new_certs_dir = .
rand_serial = yes
policy = anything
default_md = sha256
unique_subject = no
[ anything ]
commonName = supplied
[ req ]
distinguished_name = names
prompt = no
string_mask = utf8only
[ names ]
commonName = nobody
[ root ]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[ stamping ]
extendedKeyUsage = critical, timeStamping
keyUsage = critical, digitalSignature
[ bare ]
basicConstraints = CA:false
[ lax ]
extendedKeyUsage = timeStamping
[ both ]
extendedKeyUsage = critical, timeStamping, codeSigning
[ other ]
extendedKeyUsage = critical, codeSigning
[ agreeing ]
extendedKeyUsage = critical, timeStamping
keyUsage = critical, keyAgreement
[ tsa ]
default_tsa = plain
%(tsas)s
"""

TSA = """
[ %(name)s ]
serial = serial
default_policy = 1.3.6.1.4.1.99999.1
other_policies = 1.3.6.1.4.1.99999.2
digests = sha256, sha512, sha1
signer_digest = %(digest)s
%(more)s
"""
TSAS = [("plain", "sha256", "accuracy = secs:1, millisecs:500, microsecs:100\nordering = yes"),
        ("named", "sha384", "tsa_name = yes\nclock_precision_digits = 6"), ("chained", "sha512", "ess_cert_id_chain = yes"),
        ("sha1ess", "sha256", "ess_cert_id_alg = sha1"), ("weak", "sha1", "")]


class Authority:
    """Certificates and keys in a folder. `roots` is the PEM of the root that verifiers may trust."""

    def __init__(self, folder):
        self.folder = folder
        tsas = "".join(TSA % {"name": n, "digest": d, "more": m} for n, d, m in TSAS)
        self.write("ca.cnf", CONFIG % {"tsas": tsas})
        self.write("index.txt", "")
        self.write("serial", "01\n")
        for name in ("root", "stranger"):
            self.key(name, "RSA")
            self.openssl("req", "-x509", "-config", "ca.cnf", "-key", name + ".key", "-subj", "/CN=" + name, "-days",
                         "20000", "-extensions", "root", "-out", name + ".pem")
        self.roots = self.read("root.pem").decode("ascii")
        for name, kind in (("rsa", "RSA"), ("ec", "EC"), ("small", "SMALL")):
            self.key(name, kind)
        for extension in ("stamping", "bare", "lax", "both", "other", "agreeing"):
            self.certify("rsa-" + extension, "rsa", extension)
        self.certify("ec-stamping", "ec", "stamping")
        self.certify("small-stamping", "small", "stamping")
        self.certify("past", "rsa", "stamping", "20100101000000Z", "20200101000000Z")
        self.certify("future", "rsa", "stamping", "20800101000000Z", "20900101000000Z")
        self.certify("strange", "rsa", "stamping", issuer="stranger")

    def path(self, name):
        """A file's path."""
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Write a text file."""
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def read(self, name):
        """A file's bytes."""
        with open(self.path(name), "rb") as file:
            return file.read()

    def openssl(self, *arguments):
        """Run the command in the folder."""
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise RuntimeError("openssl %s: %s" % (" ".join(arguments), done.stderr.decode(errors="replace")))
        return done.stdout

    def key(self, name, kind):
        """Make a private key."""
        options = {"RSA": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                   "SMALL": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
                   "EC": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]}[kind]
        self.openssl("genpkey", *options, "-out", name + ".key")

    def certify(self, name, key, extension, begin="20000101000000Z", end="20491231235959Z", issuer="root"):
        """Make a certificate."""
        self.openssl("req", "-new", "-config", "ca.cnf", "-key", key + ".key", "-subj", "/CN=" + name, "-out", "request")
        self.openssl("ca", "-batch", "-config", "ca.cnf", "-cert", issuer + ".pem", "-keyfile", issuer + ".key", "-in",
                     "request", "-out", name + ".pem", "-notext", "-startdate", begin, "-enddate", end, "-extensions",
                     extension)

    def token(self, imprint, signer="rsa-stamping", key="rsa", tsa="plain", digest="sha256", embed=True, more=()):
        """A TimeStampToken over a digest in hex. OpenSSL's authority refuses to use most of the doubtful certificates."""
        self.openssl("ts", "-query", "-digest", imprint, "-" + digest, *(["-cert"] if embed else []), *more, "-out", "query")
        self.openssl("ts", "-reply", "-config", "ca.cnf", "-section", tsa, "-queryfile", "query", "-signer", signer + ".pem",
                     "-inkey", key + ".key", "-chain", "root.pem", "-token_out", "-out", "token")
        return self.read("token")

    def signed_anyhow(self, info, signer, key="rsa", *more):
        """A TSTInfo signed as CMS with any certificate, with the attributes that a time-stamp needs."""
        with open(self.path("info"), "wb") as file:
            file.write(info)
        self.openssl("cms", "-sign", "-binary", "-nodetach", "-cades", "-in", "info", "-signer", signer + ".pem", "-inkey",
                     key + ".key", "-econtent_type", "1.2.840.113549.1.9.16.1.4", "-outform", "DER", "-out", "token", *more)
        return self.read("token")

    def catalogue(self, imprint):
        """(name, token, PEM of roots) of every token to test. The first two are good."""
        good = self.token(imprint)
        yield "good", good, self.roots
        yield "good, EC", self.token(imprint, "ec-stamping", "ec", "named"), self.roots
        for tsa in ("named", "chained", "sha1ess", "weak"):
            yield "tsa " + tsa, self.token(imprint, tsa=tsa), self.roots
        yield "no certificate", self.token(imprint, embed=False), self.roots
        both = self.roots + self.read("rsa-stamping.pem").decode("ascii")
        yield "its certificate among the roots", self.token(imprint, embed=False), both
        yield "without a nonce", self.token(imprint, more=["-no_nonce"]), self.roots
        yield "another policy", self.token(imprint, more=["-tspolicy", "1.3.6.1.4.1.99999.2"]), self.roots
        yield "another imprint", self.token("00" * 32), self.roots
        yield "another algorithm", self.token(imprint * 2, digest="sha512"), self.roots
        yield "a response", self.response(imprint), self.roots
        stranger = self.read("stranger.pem").decode("ascii")
        yield "a stranger's roots", good, stranger
        yield "both roots", good, stranger + self.roots
        yield "a stranger's", self.token(imprint, "strange"), self.roots
        yield "no root", good, self.read("rsa-stamping.pem").decode("ascii")
        info = self.openssl("cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", self.saved(good))
        for name in ("rsa-stamping", "rsa-bare", "rsa-lax", "rsa-both", "rsa-other", "rsa-agreeing", "past", "future"):
            yield "signed with " + name, self.signed_anyhow(info, name), self.roots
        yield "signed with small-stamping", self.signed_anyhow(info, "small-stamping", "small"), self.roots
        yield "signed twice", self.signed_anyhow(info, "rsa-stamping", "rsa", "-signer", "ec-stamping.pem", "-inkey",
                                                 "ec.key"), self.roots
        yield "named by key id", self.signed_anyhow(info, "rsa-stamping", "rsa", "-keyid"), self.roots
        yield "no TSTInfo", self.signed_anyhow(b"\x30\x00", "rsa-stamping"), self.roots
        for name, changed in tampered_infos(info):
            yield name, self.signed_anyhow(changed, "rsa-stamping"), self.roots

    def saved(self, token):
        """Write a token to a file; returns the name."""
        with open(self.path("saved"), "wb") as file:
            file.write(token)
        return "saved"

    def response(self, imprint):
        """A whole TimeStampResp, which is not a token."""
        self.openssl("ts", "-query", "-digest", imprint, "-sha256", "-cert", "-out", "query")
        self.openssl("ts", "-reply", "-config", "ca.cnf", "-section", "plain", "-queryfile", "query", "-signer",
                     "rsa-stamping.pem", "-inkey", "rsa.key", "-out", "response")
        return self.read("response")


def tampered_infos(info):
    """TSTInfos with one significant byte changed and all lengths kept, to be signed again."""
    yield "version 2", info.replace(b"\x02\x01\x01\x06", b"\x02\x01\x02\x06", 1)
    at = info.index(b"\x18\x0f2")
    for name, text in (("no Z", b"20260101000000+"), ("month 13", b"20261301000000Z"), ("second 60", b"20260101000060Z"),
                       ("year 0", b"00000101000000Z"), ("a point", b"2026010100000.Z"), ("before", b"19990101000000Z"),
                       ("after", b"20600101000000Z"), ("letters", b"2026o101000000Z")):
        yield "genTime: " + name, info[:at + 2] + text + info[at + 17:]
    # accuracy: SEQUENCE { INTEGER 1, [0] 500, [1] 100 }
    accuracy = bytes.fromhex("300a02010180020" + "1f4810164")
    if accuracy in info:
        for name, changed in (("1000 thousandths", "300a0201018002" + "03e8810164"), ("0 millionths", "300a0201018002" + "01f4810100"),
                              ("negative", "300a0201ff8002" + "01f4810164"), ("unordered", "300a810101800201f4020164")):
            yield "accuracy: " + name, info.replace(accuracy, bytes.fromhex(changed))
