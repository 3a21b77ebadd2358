"""Judges whether an altered artefact was rightly accepted.

A mutation may change nothing that matters: another spelling of the same JSON, or a certificate that is only enclosed. So
accepted input is read again here, by code that shares nothing with the extension (test/oracle/oracle.py, tools/verify,
and this file), and compared with the seeds in what the rules protect. Each function returns None, or what is wrong.
"""
import base64
import binascii
import hashlib
import json
import os
import re
import sys

import mutate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import oracle                                   # pylint: disable=wrong-import-position


SIGNATURES = oracle.tool.OpenSSL()


def strict_base64(text):
    """The bytes of a text of standard base64 with padding, or None."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


# --------------------------------------------------------------------------
# bundles
# --------------------------------------------------------------------------

def bundle(art, _n, text, answer):
    """Each document has only one valid archive; both verifiers must agree on what is wrong with any other."""
    data, told = bytes.fromhex(text), json.loads(answer[3:])
    if told["result"] != "diverged" and data not in art.bundles:
        return "a bundle that was altered is accepted"
    report = oracle.tool.bundle_report(data, art.keys, SIGNATURES, oracle.tool.Terms())
    mine, theirs = ([r["result"], r.get("field"), r.get("step"), r.get("receipt_id")] for r in (report, told))
    # for a broken archive, one names the place where it stops reading, the other what it misses then
    if mine[0] == theirs[0] == "diverged" and not mine[3] and not theirs[3]:
        return None
    return None if mine == theirs else "answer-verify says %r" % report


# --------------------------------------------------------------------------
# tokens
# --------------------------------------------------------------------------

def children(data, node, found):
    return [n for n in found if n.parent is node]


# for the signer, the algorithm of the key may replace that of the signature (RFC 5652, RFC 3370)
FAMILIES = {bytes.fromhex(oid): family for family, oids in (
    (b"rsa", ("06092a864886f70d010101", "06092a864886f70d01010b", "06092a864886f70d01010c", "06092a864886f70d01010d")),
    (b"curve", ("06072a8648ce3d0201", "06082a8648ce3d040302", "06082a8648ce3d040303", "06082a8648ce3d040304")))
            for oid in oids}


def algorithm(data):
    """An algorithm without parameters or with NULL (RFC 5754, 2: both must be accepted)."""
    found = mutate.nodes(data)
    inner = children(data, found[0], found) if found else []
    if len(inner) == 2 and data[inner[1].begin:inner[1].end] == b"\x05\0" or len(inner) == 1:
        oid = data[inner[0].begin:inner[0].end]
        return FAMILIES.get(oid, oid)
    return data


def token_core(token):
    """What a token says and who signed it, without the parts that are only enclosed: certificates, revocation lists and
    unsigned attributes. None if it is not a token."""
    found = mutate.nodes(token)
    tops = [n for n in found if n.parent is None]
    if len(tops) != 1:
        return None
    parts = children(token, tops[0], found)
    if len(parts) != 2:
        return None
    signed = children(token, parts[1], found)
    if len(signed) != 1:
        return None
    core = []
    for part in children(token, signed[0], found):
        tag = token[part.begin]
        if tag in (0xA0, 0xA1):
            continue
        inner = children(token, part, found)
        if part.end != signed[0].end:
            core.append([algorithm(token[n.begin:n.end]) for n in inner] if tag == 0x31 else token[part.begin:part.end])
            continue
        for signer in inner:
            parts = [token[n.begin:n.end] for n in children(token, signer, found) if token[n.begin] != 0xA1]
            core.append(parts[:2] + [algorithm(p) if p[0] == 0x30 else p for p in parts[2:]])
    return core


def has_signer(data):
    """Whether the signer's certificate is in the token. If not, and there are no roots, its signature is not checked and
    the anchor is only declared, which promises nothing."""
    found = mutate.nodes(data)
    core = token_core(data)
    if not core or not core[-1]:
        return False
    signer = core[-1][1]
    names = mutate.nodes(signer)
    inner = [signer[n.begin:n.end] for n in names if n.parent is names[0]]
    if len(inner) != 2:
        return False
    issuer, serial = inner
    top = found[0]
    explicit = children(data, top, found)[1]
    for enclosed in children(data, children(data, explicit, found)[0], found):
        for certificate in children(data, enclosed, found) if data[enclosed.begin] == 0xA0 else ():
            signed = children(data, certificate, found)[:1]
            parts = [data[n.begin:n.end] for part in signed for n in children(data, part, found)]
            if serial in parts and issuer in parts[:4]:
                return True
    return False


def token(art, n, text, answer):
    if answer == "ok mismatch unchecked":
        return "has it the signer or not?" if has_signer(bytes.fromhex(text)) else None
    core = token_core(bytes.fromhex(text))
    return None if core and core == token_core(art.tokens[n - 10]) else "a token that was altered is accepted"


def response(art, n, _text, answer):
    """Only the stored token counts: it is written again, so BER has become DER."""
    stored = token_core(base64.b64decode(json.loads(answer[3:])["token"]))
    return None if stored and stored == token_core(art.tokens[n - 10]) else "a token that was altered is attached"


# --------------------------------------------------------------------------
# receipts
# --------------------------------------------------------------------------

def essence(document):
    """What a document says and its signature, without its anchor."""
    ours = document.get("schema") in oracle.tool.KINDS
    signature = document["signature"]
    return (oracle.canonical(oracle.without(document, "signature", *(["anchor"] if ours else []))),
            signature["key_id"], oracle.base64url(signature["sig"]))


def known_essences(art):
    if not hasattr(art, "essences"):
        art.essences = {essence(oracle.parse(text)) for text in art.receipts}
        art.cores = [token_core(t) for t in art.tokens]
    return art.essences


def document(art, value):
    if essence(value) not in known_essences(art):
        return "a receipt that was altered is accepted"
    if value.get("schema") in oracle.tool.KINDS and "anchor" in value:
        data = strict_base64(value["anchor"]["token"])
        if data is None or token_core(data) not in art.cores and has_signer(data):
            return "an anchor that was altered is accepted"
    return None


def receipt(art, _n, text):
    return document(art, oracle.parse(text))


def receipt_jsonb(art, _n, text):
    return document(art, oracle.parse_jsonb(text))


def keys(art, n, text):
    """Whether the keys still have the signing key exactly once."""
    given = oracle.parse_jsonb(text)
    key_id = json.loads(art.receipts[n])["signature"]["key_id"]
    if isinstance(given, dict):
        found = [given.get(key_id)]
    else:
        found = [e.get("public_key") for e in given if isinstance(e, dict) and e.get("key_id") == key_id]
    right = oracle.base64url(art.keys[key_id])
    return None if len(found) == 1 and oracle.base64url(found[0]) == right else "another key is taken for the one that signed"


def replay(art, _n, text):
    """A replay looks at no signature: the oracle recomputes."""
    given = oracle.parse(text)
    for check in given["checks"][oracle.CHECK_CAP:]:
        check["evidence"] = []                  # its citations are checked by the closure
    index = given["evidence_index"]             # and so are facts that nothing cites
    given["evidence_index"] = {k: v for k, v in index.items() if isinstance(v, dict)}
    found = oracle.tool.run_step(oracle.tool.verify_replay, oracle.tool.Signed(given), None, None, None)
    return None if found["ok"] else "the oracle's replay is not ok: %s" % found["reason"]


def records(_art, _n, text, answer):
    """The oracle must judge the records the same."""
    tool = oracle.tool
    nodes = [tool.read_record(one) for one in oracle.parse_jsonb(text)]
    found = tool.veracity(nodes, tool.instant("2026-03-31T12:00:00Z"), True)
    same = tool.canonical(oracle.parse(answer[3:]), portable=True) == tool.canonical(found, portable=True)
    return None if same else "the oracle says %s" % tool.canonical(found)


def packet(_art, _n, text):
    """The oracle must find no violation either."""
    found = oracle.tool.packet_violations(oracle.parse_jsonb(text))
    return "the oracle says: " + found[0] if found else None


def packet_replay(_art, _n, text):
    """A replay looks at no signature: the oracle recomputes."""
    signed = oracle.tool.Signed(oracle.parse_jsonb(text))
    found = oracle.tool.run_step(oracle.tool.verify_replay, signed, None, None, None)
    return None if found["ok"] else "the oracle's replay is not ok: %s" % found["reason"]


def identified(art, _n, text):
    return None if text in art.ids or any('"digest": "%s"' % text in r or '"%s"' % text in r for r in art.receipts) else \
        "something was found under a name that nothing has"


# --------------------------------------------------------------------------
# notes
# --------------------------------------------------------------------------

def body(note):
    """The signed text: everything before the last empty line."""
    at = note.rfind("\n\n")
    return note[:at + 1] if at >= 0 else None


def checkpoint(art, _n, text):
    return None if body(text) in {body(n) for n in art.notes} else "a checkpoint that was altered is accepted"


def cosign(art, _n, text):
    if text.startswith("old "):
        text = text.split("\n\n", 1)[1]
    return checkpoint(art, _n, text)


def vkey(art, _n, text):
    """A vkey, parsed by the rule: name, hash, key."""
    name, digest, encoded = text.split("+", 2)
    data = strict_base64(encoded)
    if data is None or len(data) != 33 or data[0] not in (1, 4) or not name or re.search(r"[\s+]", name):
        return "a malformed vkey is accepted"
    return None if hashlib.sha256(name.encode() + b"\n" + data).hexdigest()[:8] == digest else "a vkey's hash is not its own"


def same_vkey(art, _n, text):
    return None if text in art.vkeys else "the checkpoint verifies with another key"


def cosignature(art, _n, text):
    return None if text.rstrip("\n") == art.line.rstrip("\n") else "a cosignature that was altered is accepted"


# --------------------------------------------------------------------------
# proofs (RFC 9162, 2.1.3.2 and 2.1.4.2)
# --------------------------------------------------------------------------

def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def inclusion(index, size, leaf, root, proof):
    if not 0 <= index < size:
        return False
    fn, sn, r = index, size - 1, leaf
    for p in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = node_hash(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node_hash(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == root


def consistency(first, second, first_root, second_root, proof):
    if first < 0 or second < first:
        return False
    if first == second:
        return not proof and first_root == second_root and (first > 0 or first_root == hashlib.sha256(b"").digest())
    if first == 0 or not proof:
        return False
    proof = list(proof)
    if first & (first - 1) == 0:
        proof.insert(0, first_root)
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = proof[0]
    for c in proof[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(c, fr), node_hash(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node_hash(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == first_root and sr == second_root


def whole(value):
    """A non-negative integer, with any number of zeros after the point, which jsonb keeps; else -1."""
    found = isinstance(value, oracle.Num) and re.fullmatch(r"(0|[1-9][0-9]*)(\.0*)?", value.text)
    return int(found.group(1)) if found else -1


def proof_shows(given):
    """Whether the hashes in the document prove what it says."""
    hashes = [strict_base64(h) for h in given["hashes"]]
    if any(h is None or len(h) != 32 for h in hashes):
        return False
    if given["schema"] == "answer/inclusion/v1":
        leaf, root = strict_base64(given["leaf_hash"]), strict_base64(given["root_hash"])
        digest = given["digest"]
        return re.fullmatch("sha256:[0-9a-f]{64}", digest) is not None and \
            hashlib.sha256(b"\0" + bytes.fromhex(digest[7:])).digest() == leaf and \
            inclusion(whole(given["leaf_index"]), whole(given["tree_size"]), leaf, root, hashes)
    return consistency(whole(given["from_size"]), whole(given["to_size"]), strict_base64(given["from_root"]),
                       strict_base64(given["to_root"]), hashes)


def proof(art, n, text):
    given = oracle.parse_jsonb(text)
    if not proof_shows(given):
        return "a proof that shows nothing is accepted"
    if n <= 5 and given["schema"] == "answer/inclusion/v1" and given["digest"] != art.digests[n]:
        return "a proof of another receipt is accepted"
    if "checkpoint" not in given:
        return None
    note = given["checkpoint"].split("\n")
    size, root = ("tree_size", "root_hash") if given["schema"] == "answer/inclusion/v1" else ("to_size", "to_root")
    if note[:3] != [given["origin"], str(whole(given[size])), given[root]]:
        return "a proof with another tree's checkpoint is accepted"
    return checkpoint(art, n, given["checkpoint"])


def merkle(given):
    """The right result of the pure functions for arguments of fuzz.merkle; None if either is right."""
    proof_hashes = given["proof"] or []
    if None in (given["a"], given["b"], given["x"], given["y"]) or None in proof_hashes:
        return False
    x, y, hashes = bytes.fromhex(given["x"]), bytes.fromhex(given["y"]), [bytes.fromhex(h) for h in proof_hashes]
    if any(len(h) != 32 for h in [x, y] + hashes):
        return False
    if "square" in given and hashes:
        return None                             # either result is right, but not an error
    return (consistency if "consistency" in given else inclusion)(given["a"], given["b"], x, y, hashes)


# --------------------------------------------------------------------------
# keys and certificates
# --------------------------------------------------------------------------

PREFIX = bytes.fromhex("302a300506032b6570032100")


def pem_blocks(text):
    """(label, bytes) of each block. Characters outside of the alphabet are skipped (RFC 7468, 2); a hyphen ends the data."""
    blocks = []
    for block in text.split("-----BEGIN ")[1:]:
        label, _, rest = block.partition("-----")
        digits = re.sub("[^A-Za-z0-9+/]", "", rest.partition("-")[0])
        blocks.append((label, base64.b64decode(digits + "=" * (-len(digits) % 4)) if len(digits) % 4 != 1 else b""))
    return blocks


def raw_key(text):
    """The 32 bytes of a public key in any of the forms, read leniently, or None."""
    text = text.strip(" \t\r\n")
    if text.startswith("{"):
        jwk = oracle.parse(text)
        return oracle.base64url(jwk["x"]) if "d" not in jwk and jwk["kty"] == "OKP" and jwk["crv"] == "Ed25519" else None
    if not text.startswith("-----BEGIN "):
        return oracle.base64url(text)
    blocks = pem_blocks(text)
    if len(blocks) != 1 or blocks[0][0] != "PUBLIC KEY":
        return None
    data = blocks[0][1]
    return data[len(PREFIX):] if data.startswith(PREFIX) and len(data) == 44 else None


def public_key(_art, _n, text, answer):
    raw = raw_key(text)
    return None if raw and len(raw) == 32 and "PRIVATE KEY" not in text and answer == "ok " + oracle.key_id(raw) else \
        "what is no public key, or another one, is imported: " + answer


def roots(art, n, text):
    """Whether the true root is still there, with all signed bytes unchanged."""
    def to_be_signed(data):
        found = mutate.nodes(data)
        tops = [node for node in found if node.parent is None]
        inner = children(data, tops[0], found) if tops else []
        return data[inner[0].begin:inner[0].end] if inner else None

    true = to_be_signed(pem_blocks(art.roots[1])[0][1])
    return None if true in [to_be_signed(data) for _, data in pem_blocks(text)] else "an altered root is trusted"
