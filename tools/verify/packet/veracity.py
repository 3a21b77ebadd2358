"""Veracity of the nodes of a graph: doc/spec/packet.md §1."""

import collections
import decimal
import fractions
import math

from verify.document.json_text import Num
from verify.document.members import is_texts
from verify.document.portable_number import plain, written
from verify.document.small_text import UNIX_EPOCH_DAY
from verify.df_verify_1.report import need
from verify.decision.chunk import DAY, number

VERACITY = {"staleness_days": 90, "orphan_threshold": 2, "contradiction_days": 30, "min_results": 5}
PENALTIES = {"STALE_DOC": 15, "ORPHANED_NODE": 5, "CONTRADICTION": 20, "LOW_COVERAGE": 10}
CODE_LABELS = {"Code", "Function", "Class"}
UNIX_EPOCH = UNIX_EPOCH_DAY * DAY
# The range of PostgreSQL's timestamps, in seconds since 1970.
FIRST_SECOND, END_SECOND = -210866803200, 9224318016000

# The parts of a node that are judged. last_modified is in seconds since 1970, 0 if unknown.
Node = collections.namedtuple("Node", "id name labels neighbors neighbor_count last_modified")


def seconds_of(value):
    """Seconds since 1970, rounded down to microseconds; 0 for null; None for anything that is not an instant."""
    if value is None:
        return 0
    parts = plain(value.text) if isinstance(value, Num) else None
    if not parts or len(parts[1]) > 13:
        return None
    seconds = fractions.Fraction(math.floor(fractions.Fraction(decimal.Decimal(written(*parts))) * 10 ** 6), 10 ** 6)
    return seconds if FIRST_SECOND <= seconds < END_SECOND else None


def read_record(given):
    """A node from a record that lists all its neighbours."""
    need(isinstance(given, dict), "a record is malformed")
    labels, neighbors, modified = given.get("labels"), given.get("neighbors"), seconds_of(given.get("last_modified"))
    labels, neighbors = [] if labels is None else labels, [] if neighbors is None else neighbors
    need(isinstance(given.get("id"), str) and isinstance(given.get("name"), str), "a record is malformed")
    need(is_texts(labels) and is_texts(neighbors) and modified is not None, "a record is malformed")
    return Node(given["id"], given["name"], labels, neighbors, len(neighbors), modified)


def fault(kind, message, **evidence):
    """A fault; integers in its evidence become JSON numbers."""
    return {"type": kind, "message": message,
            "evidence": {key: number(value) if isinstance(value, int) else value for key, value in evidence.items()}}


def stale_faults(nodes, now, days):
    """Faults of documents that are older than so many days, to the microsecond."""
    for node in nodes:
        age = now - UNIX_EPOCH - node.last_modified * 10 ** 6
        if "Document" in node.labels and node.last_modified and age > days * DAY:
            old = int(age // DAY)
            yield fault("STALE_DOC", "'%s' is %d days old (threshold: %d)" % (node.name, old, days),
                        node_id=node.id, days_old=old, threshold_days=days)


def orphan_faults(nodes, least):
    """Faults of nodes with too few neighbours."""
    for node in nodes:
        if node.neighbor_count < least:
            yield fault("ORPHANED_NODE", "'%s' has only %d connection(s) (threshold: %d)" % (
                node.name, node.neighbor_count, least), node_id=node.id, neighbor_count=node.neighbor_count,
                threshold=least)


def contradiction_faults(nodes, days):
    """Faults of documents whose linked code changed long after them. Of several nodes of code with one name the last counts."""
    changed = {node.name: node.last_modified for node in nodes
               if CODE_LABELS.intersection(node.labels) and "Document" not in node.labels}
    for node in nodes:
        if "Document" not in node.labels or not node.last_modified:
            continue
        for name in node.neighbors:
            newer = changed.get(name, 0) and changed[name] - node.last_modified
            if newer > days * 86400:
                newer = int(newer // 86400)
                yield fault("CONTRADICTION", "'%s' may be outdated: linked code '%s' is %d days newer" % (
                    node.name, name, newer), doc_id=node.id, doc_name=node.name, code_name=name, days_difference=newer,
                    threshold_days=days)


def coverage_faults(nodes, least):
    """The fault of too few nodes."""
    if len(nodes) < least:
        yield fault("LOW_COVERAGE", "Only %d result(s) found (recommended: %d+)" % (len(nodes), least),
                    result_count=len(nodes), min_results=least)


def veracity(nodes, now, extended=False, config=None):
    """The score and faults of nodes, from their age and neighbours alone."""
    limits = {**VERACITY, **(config or {})}
    stale = list(stale_faults(nodes, now, limits["staleness_days"]))
    faults = stale + list(orphan_faults(nodes, limits["orphan_threshold"]))
    if extended:
        faults += contradiction_faults(nodes, limits["contradiction_days"])
        faults += coverage_faults(nodes, limits["min_results"])
    return {"confidence_score": number(max(0, 100 - sum(PENALTIES[one["type"]] for one in faults))),
            "is_stale": bool(stale), "faults": faults}
