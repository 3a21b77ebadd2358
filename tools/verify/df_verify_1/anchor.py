"""The step `anchor`: the time-stamp in a document is over this document. doc/spec/df-verify-1.md §3.1 and §3.2."""

import hashlib

from verify.document.small_text import base64std, instant
from verify.df_verify_1.report import Broken, need
from verify.timestamp.token import check_token, TOKEN_MAX_SIZE

ANCHOR_KEYS = {"token", "imprint", "hash_alg", "attached_at"}


def read_anchor(anchor, imprint):
    """The token of an anchor, which must be over this digest."""
    need(isinstance(anchor, dict), "the anchor is no object")
    need(set(anchor) <= ANCHOR_KEYS, "the anchor has an unknown member")
    need(anchor.get("hash_alg") == "sha256", "the anchor's hash_alg is not sha256")
    need(anchor.get("imprint") == imprint.hex(), "the anchor's imprint is not that of this receipt")
    need(instant(anchor.get("attached_at")) is not None, "the anchor's attached_at is no instant")
    token = anchor.get("token")
    need(isinstance(token, str), "the anchor has no token")
    need(len(token) <= (TOKEN_MAX_SIZE + 2) // 3 * 4, "the token is too large")
    token = base64std(token, TOKEN_MAX_SIZE + 2)
    need(token, "the anchor's token is not base64")
    need(len(token) <= TOKEN_MAX_SIZE, "the token is too large")
    return token


def verify_anchor(signed, terms, _keys, crypto):
    """Check the time-stamp: its state is declared without trusted roots, verified with them."""
    if "anchor" not in signed.document:
        return {"state": "absent"}
    try:
        imprint = hashlib.sha256(signed.text("anchor").encode("ascii")).digest()
        return check_token(read_anchor(signed.document["anchor"], imprint), imprint, terms, crypto)
    except Broken as e:
        raise Broken(str(e), state="mismatch") from None
