"""The step `signature`: the key, the time of its validity, and the signature. doc/spec/df-verify-1.md §4."""

from verify.document.small_text import base64url, instant
from verify.df_verify_1.report import is_ascii, need
from verify.df_verify_1.kinds import kind_of

SIGNATURE_KEYS = {"alg", "key_id", "canonicalization", "sig"}


def find_key(keys, name):
    """The key of that name: (public key, registry entry or None)."""
    need(isinstance(keys, (dict, list)), "the keys given are neither an object nor an array")
    found = []
    if isinstance(keys, dict):
        found = [(keys[name], None)] if name in keys else []
    else:
        found = [(k.get("public_key"), k) for k in keys if isinstance(k, dict) and k.get("key_id") == name]
    need(found and is_ascii(name), "the key is not among the keys given")
    need(len(found) == 1, "the key is given more than once")
    public = base64url(found[0][0])
    need(public is not None and len(public) == 32, "the key given is malformed")
    return public, found[0][1]


def key_instant(entry, name):
    """An instant of a registry entry, None when it is not given."""
    if entry.get(name) is None:
        return None
    found = instant(entry[name])
    need(found is not None, "the key given is malformed")
    return found


def check_lifecycle(entry, issued_at):
    """The key must have been valid at the document's issued_at; both ends are included."""
    need(entry.get("status") in ("active", "retired", "compromised"), "the key given is malformed")
    begin, retired, compromised = (key_instant(entry, n) for n in ("active_from", "retired_at", "compromised_after"))
    need(entry["status"] != "compromised" or compromised is not None, "the key is compromised")
    issued = instant(issued_at)
    need(issued is not None, "issued_at is missing or no instant")
    need(begin is None or issued >= begin, "issued before the key was active")
    need(retired is None or issued <= retired, "issued after the key was retired")
    need(compromised is None or issued <= compromised, "issued after the key was compromised")


def signing_key_id(document):
    """The key_id that the signature names, or None."""
    signature = document.get("signature")
    key_id = signature.get("key_id") if isinstance(signature, dict) else None
    return key_id if is_ascii(key_id) else None


def verify_signature(signed, _terms, keys, crypto):
    """Algorithm, key, lifecycle, and the signature itself."""
    document, ours = signed.document, kind_of(signed.document) is not None
    signature = document.get("signature")
    need(isinstance(signature, dict), "signature is missing")
    need(signature.get("alg") == "Ed25519", "alg is not Ed25519")
    need(signature.get("canonicalization") == "json-sorted-compact", "canonicalization is not json-sorted-compact")
    name = signature.get("key_id")
    need(isinstance(name, str), "key_id is missing")
    need(not ours or set(signature) <= SIGNATURE_KEYS, "signature has a member that nothing protects")
    sig = base64url(signature.get("sig"))
    need(sig is not None and len(sig) == 64, "sig is not the base64url of 64 bytes")
    public, entry = find_key(keys, name)
    if entry is not None:
        check_lifecycle(entry, document.get("issued_at"))
    # the anchor of a receipt is added after signing; in a document of another schema everything is signed
    text = signed.text("signature", "anchor") if ours else signed.text("signature")
    need(crypto.ed25519(public, text.encode("ascii"), sig), "the signature does not match the content")
