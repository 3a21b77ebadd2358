"""Replay bundles of plans, BagIt (RFC 8493) in a ustar archive: doc/spec/plan.md §16.6."""

import base64
import hashlib
import re

from verify.document.json_text import is_deeper, MAX_DEPTH, NotJson, parse_bytes
from verify.document.canonical import canonical, without
from verify.document.small_text import base64std, base64url, instant
from verify.df_verify_1.report import Broken, member_of, need
from verify.keys.ed25519 import SPKI_ED25519
from verify.df_verify_1.signature import check_lifecycle, find_key, SIGNATURE_KEYS
from verify.df_verify_1.receipt import Signed, verify_receipt

TAR_BLOCK = 512
MAX_PATH = 100
BAG_DECLARATION = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
PAYLOAD = "data/"
BUNDLE_PATH = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+")
OCTAL = re.compile(rb"[0-7]{11}")
PEM_HEAD, PEM_TAIL = b"-----BEGIN PUBLIC KEY-----\n", b"\n-----END PUBLIC KEY-----\n"
KEY_FILE = re.compile(r"data/keys/(ae-ed25519-[0-9a-f]{12})\.pem")
FIRST_SIGNATURE = re.compile(rb"data/document\.json data/document\.sig data/keys/(ae-ed25519-[0-9a-f]{12})\.pem\n")


def ustar_header(path, size):
    """The only valid header for a file in a bundle."""
    fields = (path.encode("ascii").ljust(MAX_PATH, b"\0"), b"0000644\0", b"0000000\0", b"0000000\0",
              b"%011o\0" % size, b"%011o\0" % 0, b" " * 8, b"0", b"\0" * 100, b"ustar\0", b"00", b"\0" * 64,
              b"0000000\0", b"0000000\0")
    header = b"".join(fields).ljust(TAR_BLOCK, b"\0")
    return header[:148] + b"%06o\0 " % sum(header) + header[156:]


def manifest_of(files):
    """A manifest: for each file a line with its SHA-256 and path."""
    return "".join("%s  %s\n" % (hashlib.sha256(files[path]).hexdigest(), path) for path in sorted(files)).encode()


def bag_of(payload):
    """The files of a bag: its payload and its tag files."""
    info = "Payload-Oxum: %d.%d\n" % (sum(map(len, payload.values())), len(payload))
    tags = {"bag-info.txt": info.encode(), "bagit.txt": BAG_DECLARATION, "manifest-sha256.txt": manifest_of(payload)}
    return {**payload, **tags, "tagmanifest-sha256.txt": manifest_of(tags)}


def write_bundle(top, payload):
    """A bag as an archive; the same files give the same bytes."""
    out, bag = [], bag_of(payload)
    for path in sorted(bag):
        data = bag[path]
        out += ustar_header("%s/%s" % (top, path), len(data)), data, b"\0" * (-len(data) % TAR_BLOCK)
    return b"".join(out) + b"\0" * 2 * TAR_BLOCK


def read_archive(data):
    """(top directory, {path: bytes}) of an archive. The caller compares it with what write_bundle() makes of the files."""
    need(len(data) >= 2 * TAR_BLOCK and len(data) % TAR_BLOCK == 0, "the archive does not end with two blocks of zeros")
    at, end, top, files = 0, len(data) - 2 * TAR_BLOCK, None, {}
    while at < end:
        header = data[at:at + TAR_BLOCK]
        name, size = header[:MAX_PATH].rstrip(b"\0"), OCTAL.match(header, 124)
        need(size and BUNDLE_PATH.fullmatch(name), "the header at byte %d is not one that the product writes" % at)
        size, (first, _, path) = int(size[0], 8), name.decode("ascii").partition("/")
        need(at + TAR_BLOCK + size <= end, "the archive ends within %s" % path)
        need(path not in files and top in (None, first), "%s stands twice, or in another directory" % path)
        top, files[path] = first, data[at + TAR_BLOCK:at + TAR_BLOCK + size]
        at += TAR_BLOCK + size + -size % TAR_BLOCK
    return top, files


def read_bundle(data):
    """(top directory, payload) of a bundle, which must be exactly what write_bundle() makes of the payload."""
    top, files = read_archive(data)
    payload = {path: content for path, content in files.items() if path.startswith(PAYLOAD)}
    bag = bag_of(payload)
    for path in sorted(bag.keys() | files.keys()):
        need(path in files, "%s is missing" % path)
        need(path in bag, "%s is no file of a bundle" % path)
        need(files[path] == bag[path], "%s does not say what the files below data/ are" % path)
    need(top is not None and write_bundle(top, payload) == data, "the archive is not one that the product writes")
    return top, payload


class BundleFault(Exception):
    """A file of a bundle is wrong."""

    def __init__(self, path, reason):
        super().__init__(reason)
        self.path, self.reason = path, reason


class BundleFiles:
    """The files that follow from a plan's document."""

    def __init__(self, document, keys):
        self.files, self.lines, self.keys, self.key_ids = {}, [], keys, []
        self.signed("data/document", Signed(document).text("signature", "anchor"), document.get("signature"))
        for name in ("plan", "vars"):
            if name in document:
                self.json("data/%s.json" % name, document[name])
        for i, tool in enumerate(sorted(member_of(document, "tools", dict)), 1):
            self.json("data/tools/%06d.json" % i, {"spec": document["tools"][tool], "tool": tool})
        for i, entry in enumerate(member_of(document, "trace", list), 1):
            self.event(i, entry)
        self.files["data/signatures.txt"] = "".join(self.lines).encode("ascii")

    def json(self, path, value):
        """Add a JSON value as a file."""
        self.files[path] = canonical(value).encode("ascii")

    def event(self, i, entry):
        """Add an event, the inputs and outputs of its step, and what it wrote to memory."""
        need(isinstance(entry, dict) and isinstance(entry.get("event"), dict), "event %d is no object" % i)
        event = entry["event"]
        for name in ("inputs", "outputs"):
            if name in entry:
                self.json("data/%s/%06d.json" % (name, i), entry[name])
        if event.get("op") == "mem.write" and event.get("outcome") == "ok" and isinstance(entry.get("inputs"), dict):
            written = {key: entry["inputs"][key] for key in ("key", "value", "provenance", "ttl")
                       if key in entry["inputs"]}
            if isinstance(entry.get("outputs"), dict) and "expires" in entry["outputs"]:
                written["expires"] = entry["outputs"]["expires"]
            self.json("data/memory/%06d.json" % i, written)
        self.signed("data/trace/%06d" % i, canonical(without(event, "sig")), event.get("sig"))

    def signed(self, path, text, signature):
        """Add a signed text, its signature, and its public key."""
        signature = signature if isinstance(signature, dict) else {}
        key_id, sig = signature.get("key_id"), base64url(signature.get("sig"))
        need(isinstance(key_id, str) and KEY_FILE.fullmatch("data/keys/%s.pem" % key_id) and sig is not None
             and len(sig) == 64, "%s.json has no signature of a key of the product" % path)
        self.files[path + ".json"], self.files[path + ".sig"] = text.encode("ascii"), sig
        self.lines.append("%s.json %s.sig data/keys/%s.pem\n" % (path, path, key_id))
        if key_id in self.key_ids:
            return
        public = base64url(self.keys.get(key_id), 32)
        need(public is not None and len(public) == 32, "there is no public key of %s" % key_id)
        self.key_ids.append(key_id)
        self.files["data/keys/%s.pem" % key_id] = PEM_HEAD + base64.b64encode(SPKI_ED25519 + public) + PEM_TAIL


def keys_inside(payload):
    """The public keys in a bundle: {key_id: base64url}. They are not trusted."""
    keys = {}
    for path, data in payload.items():
        match = KEY_FILE.fullmatch(path)
        der = base64std(data[len(PEM_HEAD):len(PEM_HEAD) + 60].decode("ascii", "replace"), 44) if match else None
        if der:
            keys[match[1]] = base64.urlsafe_b64encode(der[len(SPKI_ED25519):]).decode("ascii")
    return keys


def bundled_document(payload):
    """The document of a bundle with its signature."""
    path = "data/document.json"
    first = FIRST_SIGNATURE.match(payload.get("data/signatures.txt", b""))
    try:
        document = parse_bytes(payload.get(path, b""))
    except NotJson:
        document = None
    sig = payload.get("data/document.sig", b"")
    if not isinstance(document, dict) or "signature" in document or is_deeper(document, MAX_DEPTH):
        raise BundleFault(path, "it is no document without a signature")
    if not first or len(sig) != 64:
        raise BundleFault(path, "its signature is not there")
    return {**document, "signature": {
        "alg": "Ed25519", "canonicalization": "json-sorted-compact", "key_id": first[1].decode("ascii"),
        "sig": base64.urlsafe_b64encode(sig).decode("ascii")}}


def check_files(top, payload):
    """(the document of a bundle, its BundleFiles); every file must follow from the document."""
    document = bundled_document(payload)
    try:
        need(document.get("schema") == "plan/v1", "the document is no plan/v1")
        made = BundleFiles(document, keys_inside(payload))
        need(document.get("receipt_id") == top, "the directory has another name than the document's id")
    except Broken as e:
        raise BundleFault("data/document.json", str(e)) from None
    for path in sorted(payload.keys() | made.files.keys()):
        if payload.get(path) != made.files.get(path):
            raise BundleFault(path, "it is missing" if path not in payload else "it does not belong there"
                              if path not in made.files else "it is not what the document says")
    return document, made


def event_problem(event, keys, crypto):
    """Why the signature of an event is not valid, or None."""
    signature = event.get("sig")
    try:
        need(isinstance(signature, dict) and set(signature) <= SIGNATURE_KEYS and signature.get("alg") == "Ed25519"
             and signature.get("canonicalization") == "json-sorted-compact", "sig is no signature object")
        sig = base64url(signature.get("sig"))
        need(isinstance(signature.get("key_id"), str), "key_id is missing")
        need(sig is not None and len(sig) == 64, "sig is not the base64url of 64 bytes")
        public, entry = find_key(keys, signature["key_id"])
        need(instant(event.get("ts_end")) is not None, "ts_end is missing or no instant")
        if entry is not None:
            check_lifecycle(entry, event["ts_end"])
        need(crypto.ed25519(public, canonical(without(event, "sig")).encode("ascii"), sig),
             "the signature does not match the event")
    except Broken as e:
        return str(e)
    return None


def diverged(field, found, step=None, expected=None):
    """The report on a bundle that diverges."""
    return {"ok": False, "result": "diverged", "step": step, "field": field, "expected": expected, "found": found}


PLACE_IN_TRACE = re.compile(r"trace\[([0-9]+)\]\.(?:event\.)?(.+)", re.S)


def diverged_step(name, report, document):
    """The report on the first difference in a failed step of the document's verification."""
    first = report["differences"][0] if report.get("differences") else {"field": name, "reason": report["reason"]}
    match = PLACE_IN_TRACE.fullmatch(first["field"])
    expected, found = first.get("expected"), first.get("found", first["reason"])
    if not match:
        return diverged(first["field"], found, expected=expected)
    return diverged(match[2], found, document["trace"][int(match[1])]["event"].get("step"), expected)


def bundle_report(data, keys, crypto, terms):
    """Verify a bundle: {ok, result: identical, diverged or incomplete, ...}."""
    try:
        document, made = check_files(*read_bundle(data))
    except Broken as e:
        return diverged("archive", str(e))
    except BundleFault as e:
        return diverged(e.path, e.reason)
    named = {key: document.get(key) for key in ("receipt_id", "trace_id")}
    for entry in document["trace"]:
        problem = event_problem(entry["event"], keys, crypto)
        if problem:
            return {**diverged("sig", problem, entry["event"].get("step")), **named}
    steps = verify_receipt(document, keys, crypto, terms)["steps"]
    for name in ("receipt_id", "signature", "closure", "replay"):
        if not steps[name]["ok"]:
            return {**diverged_step(name, steps[name], document), **named}
    for key_id in made.key_ids:
        if find_key(keys, key_id)[0] != base64url(made.keys[key_id]):
            return {**diverged("data/keys/%s.pem" % key_id, "it is another key than the one that is trusted"), **named}
    if "incomplete" in steps["replay"]:
        return {"ok": True, "result": "incomplete", "what": steps["replay"]["incomplete"], **named}
    return {"ok": True, "result": "identical", **named}
