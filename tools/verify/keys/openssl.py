"""The openssl command, which verifies Ed25519 signatures and time-stamps: doc/spec/df-verify-1.md §3.4 and §4.3."""

import base64
import os
import re
import shutil
import subprocess
import tempfile

from verify.document.small_text import printable
from verify.df_verify_1.report import Unusable
from verify.keys.ed25519 import has_small_order, NoOpenSSL, SPKI_ED25519


def cryptography(command):
    """The openssl command; a NoOpenSSL if none was named and none is installed."""
    if command is None and shutil.which("openssl") is None:
        return NoOpenSSL()
    return OpenSSL(command or "openssl")


class OpenSSL:
    """Runs the openssl command. Its input is in a private directory that is removed after each run."""

    TIMEOUT = 120
    homes = []      # private directories to remove on a signal

    def __init__(self, command="openssl"):
        self.home = tempfile.TemporaryDirectory(prefix="answer-verify.")    # pylint: disable=consider-using-with
        self.homes.append(self.home.name)
        self.command = shutil.which(command)
        if self.command is None:
            raise Unusable("there is no command %s; OpenSSL 3 is needed" % printable(command))
        found = self.run({}, "version")
        if found.returncode or not re.match(rb"OpenSSL ([3-9]|[1-9][0-9])\.", found.stdout):
            raise Unusable("%s is not the command of OpenSSL 3" % printable(self.command))

    def run(self, files, *arguments, read=()):
        """Run openssl with files {name: bytes}; an argument @name becomes the path. `read` names files to return."""
        with tempfile.TemporaryDirectory(dir=self.home.name) as folder:
            for name, data in files.items():
                with open(os.path.join(folder, name), "xb") as file:
                    file.write(data)
            arguments = [os.path.join(folder, a[1:]) if a[:1] == "@" else a for a in arguments]
            try:
                done = subprocess.run([self.command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=self.TIMEOUT, check=False)
            except (OSError, subprocess.SubprocessError) as e:
                raise Unusable("openssl cannot be run: %s" % e) from None
            done.files = {}
            for name in read:
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    with open(path, "rb") as file:
                        done.files[name] = file.read()
        return done

    def ed25519(self, public, message, signature):
        """Whether an Ed25519 signature (RFC 8032) is good."""
        if len(public) != 32 or len(signature) != 64 or has_small_order(public):
            return False
        done = self.run({"key": SPKI_ED25519 + public, "message": message, "signature": signature},
                        "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "@key", "-rawin",
                        "-in", "@message", "-sigfile", "@signature")
        if done.returncode and b"Signature Verification Failure" not in done.stdout:
            raise Unusable("openssl does not verify Ed25519: %s" % last_line(done.stderr))
        return done.returncode == 0

    def reread_token(self, token):
        """A time-stamp token as OpenSSL writes it back; None if it cannot read it."""
        done = self.run({"token": token}, "ts", "-reply", "-token_in", "-in", "@token", "-token_out", "-out", "@out",
                        read=["out"])
        return done.files.get("out") if done.returncode == 0 else None

    def signed_content(self, token, certificates):
        """The content of a CMS message if a certificate in it or given verifies its signature; None otherwise."""
        files, more = {"token": token}, []
        if certificates:
            files["more"], more = pem_of(certificates), ["-certfile", "@more"]
        done = self.run(files, "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in", "@token",
                        "-out", "@content", *more, read=["content"])
        return done.files.get("content") if done.returncode == 0 else None

    def may_stamp(self, certificate, seconds):
        """Why a certificate by itself is not valid for time-stamping at a time; None if it is."""
        done = self.run({"certificate": pem_of([certificate])}, "verify", "-partial_chain", "-trusted", "@certificate",
                        "-purpose", "timestampsign", "-auth_level", "2", "-attime", str(seconds), "@certificate")
        return None if done.returncode == 0 else verify_error(done.stderr)

    def chain_problem(self, token, imprint, certificates, seconds):
        """Why no chain leads from a token to the certificates given; None if one does."""
        done = self.run({"token": token, "roots": pem_of(certificates)}, "ts", "-verify", "-digest", imprint, "-in",
                        "@token", "-token_in", "-CAfile", "@roots", "-untrusted", "@roots", "-auth_level", "2",
                        "-verify_depth", "16", "-attime", str(seconds))
        return None if done.returncode == 0 else verify_error(done.stderr)


def pem_of(certificates):
    """Certificates as PEM."""
    return b"".join(b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"
                    for der in certificates)


def last_line(output):
    """The last line that a command printed, safe to print."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return printable(lines[-1])[:200] if lines else "no reason given"


def verify_error(output):
    """The reason in OpenSSL's messages why a certificate is refused."""
    text = output.decode("utf-8", "replace")
    match = re.search(r"Verify error:([^\n]*)|error [0-9]+ at [0-9]+ depth lookup: ([^\n]*)", text)
    return printable((match[1] or match[2]).strip())[:200] if match else "it is not accepted"
