"""Verifies a document in five steps: doc/spec/df-verify-1.md §2 to §6.

verify_receipt() gives the same report as the SQL function answer_verify, for any document.
"""

import hashlib
import json
import re

from verify.document.json_text import ABSENT, AMBIGUOUS, is_deeper, MAX_DEPTH
from verify.document.canonical import canonical, sha256, without
from verify.df_verify_1.report import Broken, need, Terms
from verify.df_verify_1.kinds import kind_of, KINDS
from verify.df_verify_1.anchor import verify_anchor
from verify.df_verify_1.signature import signing_key_id, verify_signature


class Signed:
    """The canonical text of a document, member by member, from which every digest follows."""

    def __init__(self, document):
        self.document = as_minted(document)
        self.members = {key: json.dumps(key) + ":" + canonical(value) for key, value in self.document.items()}

    def text(self, *omit):
        """The canonical document without some members."""
        return "{" + ",".join(self.members[k] for k in sorted(self.members) if k not in omit) + "}"


def as_minted(document):
    """The document without the member `cached`, which is added after signing."""
    if document.get("schema") in ("decision/v1", "plan/v1") and document.get("cached") is True:
        return without(document, "cached")
    return document


def receipt_digest(document):
    """SHA-256 of the canonical receipt without its anchor: what is time-stamped, and the data of the leaf in the log."""
    return hashlib.sha256(canonical(without(as_minted(document), "anchor")).encode("ascii")).digest()


def verify_id(signed, _terms, _keys, _crypto):
    """The receipt id follows from the content."""
    receipt = signed.document
    need("receipt_id" in receipt, "receipt_id is missing")
    need(receipt["receipt_id"] == expected_id(signed), "receipt_id does not follow from the content")


def expected_id(signed):
    """The id that follows from the content."""
    return kind_of(signed.document).prefix + sha256(signed.text("receipt_id", "signature", "anchor"))[:16]


def verify_closure(signed, _terms, _keys, _crypto):
    """The parts of the document belong together."""
    tenant = signed.document.get("tenant", ABSENT)
    need(tenant is ABSENT or (isinstance(tenant, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}", tenant)),
         "tenant is no name of a tenant")
    kind_of(signed.document).closure(signed.document)


def verify_replay(signed, terms, _keys, _crypto):
    """Recomputing from the parts of the document gives what is recorded."""
    return kind_of(signed.document).replay(signed.document, terms)


STEPS = {"anchor": verify_anchor, "receipt_id": verify_id, "signature": verify_signature,
         "closure": verify_closure, "replay": verify_replay}


def run_step(step, *arguments):
    """The report of one step: {ok, …}."""
    try:
        return {"ok": True, **(step(*arguments) or {})}
    except Broken as e:
        return {"ok": False, "reason": str(e), **e.more}


def summed(steps):
    """The report over the steps. `incomplete` of the replay is repeated at the top, beside `ok`, so that nobody misses it."""
    told = {key: value for key, value in steps.get("replay", {}).items() if key == "incomplete"}
    return {"ok": all(s["ok"] for s in steps.values()), **told, "steps": steps}


def verify_receipt(document, keys, crypto, terms=Terms()):
    """Verify a parsed document; returns the report {ok, incomplete?, steps} of answer_verify.

    `keys` are as read_keys() gives them; with any other JSON value nothing verifies. `crypto` is an OpenSSL or a
    NoOpenSSL. A document whose schema is not in KINDS gets the signature step alone.
    """
    problem = None
    if document is AMBIGUOUS:
        problem = "the document has a member twice in one object"
    elif isinstance(document, str) and re.fullmatch("[0-9a-f]{16}", document[4:]) and \
            document[:4] in (kind.prefix for kind in KINDS.values()):
        problem = ("this is the id of a receipt, not the receipt: verify what answer_receipt('%s') returns" % document)
    elif not isinstance(document, dict):
        problem = "the document is no JSON object"
    elif is_deeper(document, MAX_DEPTH):
        problem = "the document is nested too deeply"
    if problem:
        return summed({name: {"ok": False, "reason": problem} for name in STEPS})
    signed = Signed(document)
    names = STEPS if kind_of(document) else ["signature"]
    steps = {name: run_step(STEPS[name], signed, terms, keys, crypto) for name in names}
    key_id = signing_key_id(document)
    if key_id is not None:
        steps["signature"]["key_id"] = key_id
    return summed(steps)
