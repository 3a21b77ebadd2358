"""The keys and the root certificates that a verifier is given: doc/spec/df-verify-1.md §1.2, §1.3 and §3.4."""

import base64
import re

from verify.document.small_text import base64std
from verify.df_verify_1.report import Unusable
from verify.timestamp.der import NotDer
from verify.timestamp.token import Certificate
from verify.keys.ed25519 import SPKI_ED25519


def read_keys(value):
    """The keys in a parsed file: a map or a registry as it is, a JWK Set or a map of PEM keys converted to one."""
    if not isinstance(value, dict) or not isinstance(value.get("keys"), (list, dict)):
        return value
    if isinstance(value["keys"], list):
        return [registry_entry(k) for k in value["keys"] if is_ed25519_jwk(k)]
    return {name: key_of_pem(pem) for name, pem in value["keys"].items()}


def is_ed25519_jwk(key):
    """Whether a JWK is an Ed25519 key; others are ignored (RFC 7517, section 5)."""
    return isinstance(key, dict) and key.get("kty") == "OKP" and key.get("crv") == "Ed25519"


def registry_entry(key):
    """A JWK (RFC 8037) as an entry of a registry; its status is active unless it says otherwise."""
    life = {n: key[n] for n in ("status", "active_from", "retired_at", "compromised_after") if n in key}
    return {"key_id": key.get("kid"), "public_key": key.get("x"), "status": "active", **life}


PEM_KEY = re.compile("-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END PUBLIC KEY-----(?:\r?\n)?")


def key_of_pem(pem):
    """The base64url of a PEM key, or None."""
    match = PEM_KEY.fullmatch(pem) if isinstance(pem, str) and len(pem) < 500 else None
    der = base64std(re.sub("\r?\n", "", match[1]), 100) if match else None
    if der is None or len(der) != 44 or not der.startswith(SPKI_ED25519):
        return None
    return base64.urlsafe_b64encode(der[12:]).decode("ascii")


PEM_CERTIFICATES = re.compile(rb"(?:-----BEGIN (?:X509 )?CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)"
                              rb"-----END (?:X509 )?CERTIFICATE-----\s*|[^\n-][^\n]*(?:\n|\Z)|\n)")


def read_roots(data):
    """The certificates in a PEM file; lines between them are comments."""
    roots, at = [], 0
    while at < len(data):
        match = PEM_CERTIFICATES.match(data, at)
        if not match:
            raise Unusable("the roots are not certificates in PEM")
        if match[1]:
            try:
                roots.append(Certificate(base64.b64decode(match[1])))
            except (ValueError, NotDer):
                raise Unusable("the roots hold something that is no certificate") from None
        at = match.end()
    if not roots:
        raise Unusable("the roots hold no certificate")
    return roots
