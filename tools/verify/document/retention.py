"""Closure and replay of records of detached partitions (retention/v1): doc/spec/document.md §8."""

from verify.document.portable_number import count_of
from verify.document.small_text import instant
from verify.df_verify_1.report import need


def leaf_ranges(document):
    """The ranges of leaves as pairs of numbers, up to the first that is malformed."""
    for leaves in document["leaves"] if isinstance(document.get("leaves"), list) else ():
        if not isinstance(leaves, dict):
            return
        first, last = count_of(leaves.get("first")), count_of(leaves.get("last"))
        if first is None or last is None or first > last:
            return
        yield first, last


def retention_closure(document):
    """The members have their types, and the ranges of leaves are in order and within the log."""
    for key in ("partition", "kept_in", "receipts", "first_issued_at", "last_issued_at", "leaves", "log"):
        need(key in document, "%s is missing" % key)
    log, leaves = document["log"], document["leaves"]
    need(isinstance(document["partition"], str) and isinstance(document["kept_in"], str),
         "partition or kept_in is no text")
    need(count_of(document["receipts"]) is not None, "receipts is no integer from 0 on")
    need(isinstance(leaves, list), "leaves is no array")
    size = 0 if log is None else count_of(log.get("tree_size")) if isinstance(log, dict) else None
    need(size is not None, "log has no tree_size")
    ranges, end = list(leaf_ranges(document)), None
    for first, last in ranges:
        need(end is None or first > end, "the ranges of leaves are not in order")
        end = last + 1
    need(len(ranges) == len(leaves), "a range of leaves is malformed")
    need((end or 0) <= size, "a leaf is beyond the log")
    bounds = document["first_issued_at"], document["last_issued_at"]
    begin, finish = map(instant, bounds)
    need(begin is not None and finish is not None and begin <= finish if ranges else bounds == (None, None),
         "first_issued_at and last_issued_at are not the ends of a period")


def retention_replay(document, _terms=None):
    """The number of receipts follows from the leaves."""
    leaves = sum(last - first + 1 for first, last in leaf_ranges(document))
    need(count_of(document.get("receipts")) == leaves, "receipts is not the number of leaves")
