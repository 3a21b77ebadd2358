"""Proofs of the log, and the step `inclusion`: doc/spec/document.md §7.7."""

from verify.document.json_text import ABSENT, is_deeper, MAX_DEPTH, Num, RECEIPT_MAX_DEPTH
from verify.document.portable_number import plain_text
from verify.document.small_text import digest_bytes
from verify.df_verify_1.report import Broken, need
from verify.df_verify_1.receipt import receipt_digest, run_step, summed
from verify.log.merkle import consistency_ok, inclusion_ok, leaf_hash, MAX_PROOF
from verify.log.note import check_checkpoint, decimal_size, hash_bytes, read_checkpoint

TOMBSTONE_SCHEMA = "answer/tombstone/v1"
INCLUSION_SCHEMA, CONSISTENCY_SCHEMA = "answer/inclusion/v1", "answer/consistency/v1"


def size_of(proof, name):
    """A member that is a number of leaves, or None."""
    value = proof.get(name)
    text = plain_text(value.text) if isinstance(value, Num) else None
    return decimal_size(text) if text is not None else None


def hash_of(proof, name):
    """A member that is a hash, or None."""
    return hash_bytes(proof.get(name))


def hashes_of(proof):
    """The member `hashes` of a proof, decoded."""
    hashes = proof.get("hashes")
    good = isinstance(hashes, list) and len(hashes) <= MAX_PROOF
    hashes = [hash_bytes(h) for h in hashes] if good else [None]
    need(None not in hashes, "hashes is missing or malformed")
    return hashes


def document_digest(document):
    """The digest of a receipt, or the one in a tombstone; None if there is none."""
    if not isinstance(document, dict) or is_deeper(document, RECEIPT_MAX_DEPTH):
        return None
    if document.get("schema") == TOMBSTONE_SCHEMA:
        return digest_bytes(document.get("digest"))
    return receipt_digest(document)


def verify_leaf(proof, receipt):
    """The leaf hash follows from the digest, and the digest from the receipt, if it is given."""
    data, stated = digest_bytes(proof.get("digest")), hash_of(proof, "leaf_hash")
    need(data is not None, "digest is missing or malformed")
    need(stated is not None, "leaf_hash is missing or malformed")
    need(leaf_hash(data) == stated, "leaf_hash does not follow from the digest")
    if receipt is ABSENT:
        return
    found = document_digest(receipt)
    need(found is not None, "the receipt is no JSON object, or nested too deeply")
    need(found == data, "the digest is not that of the receipt")


def verify_inclusion(proof):
    """The leaf is in the tree."""
    index, size = size_of(proof, "leaf_index"), size_of(proof, "tree_size")
    need(index is not None and size is not None, "leaf_index or tree_size is missing or malformed")
    leaf, root = hash_of(proof, "leaf_hash"), hash_of(proof, "root_hash")
    need(leaf is not None and root is not None, "leaf_hash or root_hash is missing or malformed")
    need(inclusion_ok(index, size, leaf, root, hashes_of(proof)),
         "the hashes do not lead from the leaf to the root")


def verify_consistency(proof):
    """One tree is the beginning of the other."""
    sizes = [size_of(proof, n) for n in ("from_size", "to_size")]
    need(None not in sizes, "from_size or to_size is missing or malformed")
    roots = [hash_of(proof, n) for n in ("from_root", "to_root")]
    need(None not in roots, "from_root or to_root is missing or malformed")
    need(consistency_ok(*sizes, *roots, hashes_of(proof)),
         "the hashes do not show one tree to be the beginning of the other")


def verify_carried(proof, size_key, root_key, note, vkeys, crypto):
    """The checkpoint names the tree of the proof, and the log has signed it."""
    if note is ABSENT:
        return {"state": "absent"}
    entries = None
    try:
        need(isinstance(note, str), "the checkpoint is no text")
        checkpoint = read_checkpoint(note)
        need(proof.get("origin") == checkpoint.origin, "the checkpoint is of another log")
        need(size_of(proof, size_key) == checkpoint.tree_size, "the checkpoint is of another size")
        need(hash_of(proof, root_key) == checkpoint.root, "the checkpoint has another root hash")
        entries, problem = check_checkpoint(checkpoint, vkeys, crypto)
        need(problem is None, problem)
    except Broken as e:
        more = {} if entries is None else {"signatures": entries}
        raise Broken(str(e), state="invalid", **more) from None
    return {"state": "verified", "signatures": entries}


def proof_schema(proof):
    """The schema of a proof, or None."""
    return proof.get("schema") if isinstance(proof, dict) and not is_deeper(proof, MAX_DEPTH) else None


def no_proof(reason):
    """The report on a document that is not a proof."""
    return summed({"proof": {"ok": False, "reason": reason}})


def inclusion_report(proof, receipt, vkeys, crypto, note=ABSENT):
    """Verify an inclusion proof, and that it is of the receipt or tombstone, if one is given.

    A checkpoint that is given beside the proof gets a step of its own.
    """
    steps = {"leaf": run_step(verify_leaf, proof, receipt), "proof": run_step(verify_inclusion, proof)}
    for name, found in (("checkpoint", proof.get("checkpoint", ABSENT)), ("given_checkpoint", note)):
        if name == "checkpoint" or found is not ABSENT:
            steps[name] = run_step(verify_carried, proof, "tree_size", "root_hash", found, vkeys, crypto)
    return summed(steps)


def verify_required(proof, receipt, vkeys, crypto):
    """The receipt is in a log that one of the keys has signed; fails without a proof."""
    if proof is ABSENT:
        raise Broken("there is no inclusion proof", state="absent")
    try:
        need(proof_schema(proof) == INCLUSION_SCHEMA, "the document is no inclusion proof")
        verify_leaf(proof, receipt)
        verify_inclusion(proof)
        need("checkpoint" in proof, "the proof carries no checkpoint, which the log would have signed")
        verify_carried(proof, "tree_size", "root_hash", proof["checkpoint"], vkeys, crypto)
    except Broken as e:
        raise Broken(str(e), state="invalid") from None
    return {"state": "verified"}


def final_report(report, document, proofs, vkeys, crypto):
    """The report of a receipt with the step `inclusion`: the proof for its id shows that it is in the log."""
    name = document.get("receipt_id") if isinstance(document, dict) else None
    proof = proofs.get(name, ABSENT) if isinstance(name, str) else ABSENT
    return summed({**report["steps"], "inclusion": run_step(verify_required, proof, document, vkeys, crypto)})


def consistency_report(proof, vkeys, crypto, from_note=ABSENT, to_note=ABSENT):
    """Verify a consistency proof. Checkpoints that are given for its two ends get steps of their own."""
    steps = {"proof": run_step(verify_consistency, proof)}
    for name, end, found in (("checkpoint", "to", proof.get("checkpoint", ABSENT)),
                             ("from_checkpoint", "from", from_note), ("to_checkpoint", "to", to_note)):
        if name == "checkpoint" or found is not ABSENT:
            steps[name] = run_step(verify_carried, proof, end + "_size", end + "_root", found, vkeys, crypto)
    return summed(steps)


def verify_proof(proof, receipt, vkeys, crypto):
    """Verify a proof of either kind; returns the report {ok, steps} of answer_log_verify."""
    schema = proof_schema(proof)
    if schema == INCLUSION_SCHEMA:
        return inclusion_report(proof, receipt, vkeys, crypto)
    if schema == CONSISTENCY_SCHEMA:
        return consistency_report(proof, vkeys, crypto)
    return no_proof("the document is no proof of a log")
