"""Signed notes, checkpoints and cosignatures of witnesses (C2SP signed-note, tlog-checkpoint, tlog-cosignature):
doc/spec/document.md §7.4 to §7.6.
"""

import collections
import hashlib
import re

from verify.document.json_text import Num
from verify.document.small_text import base64std, encode64
from verify.df_verify_1.report import Broken, need
from verify.answer_eval.operators import WHITE_SPACE

NOTE_MAX_SIZE, NOTE_MAX_SIGNATURES = 1024 * 1024, 100
ALG_ED25519, ALG_COSIGNATURE = 1, 4
SIZE_LIMIT = 2 ** 63

Vkey = collections.namedtuple("Vkey", "name hash alg public")
NoteSignature = collections.namedtuple("NoteSignature", "name hash bytes")
Note = collections.namedtuple("Note", "text signatures")
Checkpoint = collections.namedtuple("Checkpoint", "note origin tree_size root")


def is_key_name(name):
    """Whether a name is not empty and has no white space and no plus sign."""
    return bool(name) and "+" not in name and not any(c in WHITE_SPACE for c in name)


def key_hash(name, alg, public):
    """The four bytes that identify a name, an algorithm and a key."""
    return hashlib.sha256(name.encode("utf-8") + b"\n" + bytes([alg]) + public).digest()[:4]


def read_vkey(text):
    """Read name+hash+base64(algorithm || public key), the hash in hex; None if it is malformed."""
    name, _, rest = text.partition("+")
    hexed, _, encoded = rest.partition("+")
    key = base64std(encoded, 33)
    if not is_key_name(name) or key is None or len(key) != 33 or key[0] not in (ALG_ED25519, ALG_COSIGNATURE):
        return None
    vkey = Vkey(name, key_hash(name, key[0], key[1:]), key[0], key[1:])
    return vkey if vkey.hash.hex() == hexed else None


def read_note(text):
    """Read a note: a text, an empty line, and signature lines. Raises Broken."""
    need(len(text.encode("utf-8")) <= NOTE_MAX_SIZE, "the note is too long")
    need(not re.search("[\0-\x09\x0b-\x1f]", text), "the note is not plain UTF-8 text")
    end = text.rfind("\n\n")
    need(end >= 0, "the note has no empty line before its signatures")
    need(text.endswith("\n"), "the note does not end with a newline")
    lines = text[end + 2:].split("\n")[:-1]
    need(len(lines) <= NOTE_MAX_SIGNATURES, "the note has too many signatures")
    signatures = [read_signature_line(line) for line in lines]
    need(signatures, "the note has no signature")
    return Note(text[:end + 1], signatures)


def read_signature_line(line):
    """Read a signature line: an em dash, a name, and base64 of key hash and signature."""
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    data = base64std(encoded, NOTE_MAX_SIZE)
    need(dash == "\u2014" and is_key_name(name) and data is not None and len(data) > 4,
         "a signature line is malformed")
    return NoteSignature(name, data[:4], data[4:])


DECIMAL = re.compile("0|[1-9][0-9]{0,18}")


def decimal_size(text):
    """A number of leaves in plain digits, below 2^63; None otherwise."""
    return int(text) if DECIMAL.fullmatch(text) and int(text) < SIZE_LIMIT else None


def hash_bytes(text):
    """The 32 bytes of a hash in standard base64, or None."""
    data = base64std(text, 32)
    return data if data is not None and len(data) == 32 else None


def read_checkpoint(text):
    """Read the origin, number of leaves and root hash of a signed note. Raises Broken."""
    note = read_note(text)
    lines = note.text.split("\n")[:-1]
    need(lines[0], "the checkpoint has no origin")
    size = decimal_size(lines[1]) if len(lines) > 1 else None
    need(size is not None, "the checkpoint has no tree size")
    root = hash_bytes(lines[2]) if len(lines) > 2 else None
    need(root is not None, "the checkpoint has no root hash")
    need(all(lines[3:]), "the checkpoint has an empty line")
    return Checkpoint(note, lines[0], size, root)


def verify_with(vkey, note, signature, crypto):
    """(whether a signature is good under a key, the time of a cosignature or None)."""
    text = note.text.encode("utf-8")
    if vkey.alg == ALG_ED25519:
        return len(signature.bytes) == 64 and crypto.ed25519(vkey.public, text, signature.bytes), None
    time = int.from_bytes(signature.bytes[:8], "big")
    if len(signature.bytes) != 72 or time >= SIZE_LIMIT:
        return False, None
    message = b"cosignature/v1\ntime %d\n" % time + text
    return crypto.ed25519(vkey.public, message, signature.bytes[8:]), time


def check_note_signature(note, signature, vkeys, crypto):
    """(the entry of one signature in a report, the key that verified it or None)."""
    entry = {"name": signature.name, "key_hash": signature.hash.hex(), "state": "unknown"}
    for vkey in vkeys:
        if (vkey.name, vkey.hash) != (signature.name, signature.hash):
            continue
        good, time = verify_with(vkey, note, signature, crypto)
        if good:
            entry.update(state="verified", kind="signature" if time is None else "cosignature")
            if time is not None:
                entry["time"] = Num(str(time))
            return entry, vkey
        entry["state"] = "invalid"
    return entry, None


def check_checkpoint(checkpoint, vkeys, crypto):
    """A signature by the log, whose name is the origin, must verify, and no signature by a given key may fail.

    Returns (the entries of the signatures, what is wrong or None).
    """
    found = [check_note_signature(checkpoint.note, s, vkeys, crypto) for s in checkpoint.note.signatures]
    entries = [entry for entry, _ in found]
    if any(entry["state"] == "invalid" for entry in entries):
        return entries, "a signature by a known key does not match"
    own = any(key is not None and key.alg == ALG_ED25519 and key.name == checkpoint.origin for _, key in found)
    return entries, None if own else "no known key of the log has signed the checkpoint"


def checkpoint_report(text, vkeys, crypto):
    """The report of answer_checkpoint_verify on a signed note's text."""
    try:
        checkpoint = read_checkpoint(text)
    except Broken as e:
        return {"ok": False, "reason": str(e)}
    entries, problem = check_checkpoint(checkpoint, vkeys, crypto)
    report = {"ok": problem is None, "origin": checkpoint.origin, "tree_size": Num(str(checkpoint.tree_size)),
              "root_hash": encode64(checkpoint.root), "signatures": entries}
    return report if problem is None else {**report, "reason": problem}
