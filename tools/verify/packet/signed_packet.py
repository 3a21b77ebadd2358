"""Closure and replay of evidence packets (packet/v1): doc/spec/packet.md §2.5 to §2.7 and §4."""

import datetime

from verify.document.json_text import Num
from verify.document.portable_number import count_of
from verify.document.canonical import canonical, digest, without
from verify.document.small_text import instant
from verify.df_verify_1.report import Broken, member_of, need
from verify.decision.chunk import DAY, fraction_of, number, rounded
from verify.packet.veracity import END_SECOND, Node, veracity
from verify.packet.form import BRIEF, EVIDENCE_ONLY, form_violations, FOUND, MAX_RELATIONSHIPS, NOT_FOUND

PACKET_REPLAYED = ("context_veracity", "code_truth", "doc_claims", "graph_relationships", "suggested_actions", "status",
                   "content_hash")
NO_MATCH = {"confidence_score": Num("0"), "is_stale": False, "faults": [
    {"type": "NO_MATCH", "message": "No relevant context found in knowledge graph.", "evidence": {}}]}
ACTIONS = ["Load the project with answer_graph_load().",
           "Check that the project name is spelled as in answer.graph_project.",
           "Ask more specifically: name a file, class, function or document."]


def instant_text(moment):
    """The text of an instant of the years 1 to 9999."""
    days, rest = divmod(moment, DAY)
    seconds, micros = divmod(rest, 10 ** 6)
    return "%sT%02d:%02d:%02d%sZ" % (datetime.date.fromordinal(days).isoformat(), seconds // 3600, seconds // 60 % 60,
                                     seconds % 60, ".%06d" % micros if micros else "")


def is_claim(entry):
    """Whether an entry is for a document."""
    return "Document" in entry["type"]


def rank_of(entry):
    """A sort key for entries: the best first, then by path, then by id, by code point."""
    return -fraction_of(entry["score"]), entry["path"], entry["id"]


def node_of(entry):
    """The node of an entry; without last_modified if that is beyond any instant."""
    modified = count_of(entry.get("last_modified")) or 0
    return Node(entry["id"], entry["name"], entry["type"], entry["neighbors"], count_of(entry["neighbor_count"]),
                modified if modified < END_SECOND else 0)


def entry_again(entry):
    """An entry, written again as the extension writes it."""
    made = {key: entry[key] for key in ("id", "name", "type", "path", "neighbors")}
    made["score"] = rounded(fraction_of(entry["score"]))
    made["neighbor_count"] = number(count_of(entry["neighbor_count"]))
    made["provenance"] = {**entry["provenance"], "indexed_at": instant_text(instant(entry["provenance"]["indexed_at"]))}
    modified = count_of(entry.get("last_modified")) or 0
    if is_claim(entry):
        need("doc_type" in entry, "a Document has no doc_type")
        return {**made, "last_modified": number(modified), "doc_type": entry["doc_type"]}
    made.update({key: number(count_of(entry[key])) for key in ("start_line", "end_line") if key in entry})
    made.update({"docstring": entry["docstring"]} if "docstring" in entry else {})
    return {**made, "last_modified": number(modified)} if modified else made


def relationships_again(packet, by_id):
    """The relationships among the entries, sorted, each once, with the names of their nodes."""
    once = {(one["from_id"], one["to_id"], one["type"]): one for one in packet["graph_relationships"]
            if one["from_id"] in by_id and one["to_id"] in by_id}
    return [{"from": by_id[from_id]["name"], "to": by_id[to_id]["name"], "type": kind, "from_id": from_id,
             "to_id": to_id} for from_id, to_id, kind in sorted(once)][:MAX_RELATIONSHIPS]


def packet_hash(packet):
    """The digest of what follows from graph and question: without query_id, timestamp and the indexed_at of nodes."""
    bare = without(packet, "content_hash", "signature")
    bare["meta"] = without(packet["meta"], "query_id", "timestamp")
    for name in ("code_truth", "doc_claims"):
        bare[name] = [{**entry, "provenance": without(entry["provenance"], "indexed_at")} for entry in packet[name]]
    return digest(bare)


def packet_again(packet):
    """The packet, made again from its own entries, relationships, options and timestamp."""
    entries = sorted(packet["code_truth"] + packet["doc_claims"], key=rank_of)
    by_id = {entry["id"]: entry for entry in entries}
    need(len(by_id) == len(entries), "an id stands twice in the packet")
    nodes, meta = [node_of(entry) for entry in entries], packet["meta"]
    extended = meta["options"].get("extended") is True
    again = {
        "meta": meta, "context_veracity": veracity(nodes, instant(meta["timestamp"]), extended) if nodes else NO_MATCH,
        "code_truth": [entry_again(entry) for entry in entries if not is_claim(entry)],
        "doc_claims": [entry_again(entry) for entry in entries if is_claim(entry)],
        "graph_relationships": relationships_again(packet, by_id), "suggested_actions": [] if nodes else ACTIONS,
        "status": FOUND if nodes else NOT_FOUND, **({BRIEF: packet[BRIEF]} if BRIEF in packet else {})}
    again["content_hash"] = packet_hash(again)
    return again


def packet_violations(packet):
    """Everything in which a packet breaks the form of the schema; if nothing, what does not follow from its entries."""
    found = form_violations(packet)
    if found:
        return found
    try:
        again = packet_again(packet)
    except Broken as e:
        return [str(e)]
    again["content_hash"] = packet_hash(packet)
    return ["%s does not follow from the packet" % key for key in PACKET_REPLAYED
            if canonical(packet[key], portable=True) != canonical(again[key], portable=True)]


def sound_packet(document):
    """The packet of a document; its form must be valid."""
    packet = member_of(document, "packet", dict)
    found = form_violations(packet)
    need(not found, "".join(found[:1]))
    return packet


def packet_closure(document):
    """The packet has the form of its schema and the mode evidence-only."""
    packet = sound_packet(document)
    packet_again(packet)
    need(packet["meta"]["mode"] == EVIDENCE_ONLY, "the packet has another mode than evidence-only")


def packet_replay(document, _terms=None):
    """Score, faults, order and hash follow from the packet itself, without the graph."""
    packet = sound_packet(document)
    again = packet_again(packet)
    differences = [{"field": field, "reason": "recomputing gives something else"} for field in PACKET_REPLAYED
                   if canonical(packet[field]) != canonical(again[field], portable=True)]
    if differences:
        raise Broken("recomputing gives something else", differences=differences)
