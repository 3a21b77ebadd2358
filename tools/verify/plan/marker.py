"""Markers, citations and times to live: doc/spec/plan.md §4, §12.2 and §14.1."""

import re

from verify.document.json_text import ABSENT
from verify.document.canonical import canonical
from verify.df_verify_1.report import need

TTL = re.compile(r"P(?:([0-9]+)D)?(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?")
TTL_MOST = 3650000 * 86400
MARKER = re.compile(r"\[(0|[1-9][0-9]*)\]")


def ttl_seconds(text):
    """A time to live in seconds; None if it is malformed."""
    match = TTL.fullmatch(text) if isinstance(text, str) else None
    # more digits exceed TTL_MOST
    if not match or any(len((digits or "").lstrip("0")) > 12 for digits in match.groups()):
        return None
    seconds = sum(int(digits or "0") * size for digits, size in zip(match.groups(), (86400, 3600, 60, 1)))
    return seconds if 0 < seconds <= TTL_MOST else None


def read_citations(array):
    """(uri, title, stamp) of each citation; [] if the array is absent."""
    if array is ABSENT:
        return []
    need(isinstance(array, list), "citations is no array")
    found = []
    for one in array:
        need(isinstance(one, dict) and isinstance(one.get("uri"), str) and one["uri"] and all(
            one.get(key) is None or isinstance(one[key], str) for key in ("title", "stamp")), "a citation is malformed")
        found.append((one["uri"], one.get("title") or "", one.get("stamp")))
    return found


MOST_TOLD = 64


def told_value(value):
    """A value for a message; long text is cut, but not within an escape."""
    if isinstance(value, list):
        return "an array of length %d" % len(value)
    if isinstance(value, dict):
        return "an object"
    if value is ABSENT:
        return "missing"
    text = canonical(value)
    if len(text) <= MOST_TOLD:
        return text
    escape = text.rfind("\\", MOST_TOLD - 5, MOST_TOLD)
    return text[:MOST_TOLD if escape < 0 else escape] + "..."


def malformed_citations(array):
    """Why citations are malformed, as text for a reason; None if they are not."""
    if not isinstance(array, list):
        return "citations must be an array, and is %s" % told_value(array)
    for i, one in enumerate(array):
        if not isinstance(one, dict):
            return "citations[%d] must be an object, and is %s" % (i, told_value(one))
        for key, demand in (("uri", "a string that is not empty"), ("title", "a string or null"), ("stamp", "a string or null")):
            found = one.get(key, ABSENT)
            if isinstance(found, str) and (found or key != "uri") or key != "uri" and found in (None, ABSENT):
                continue
            return "citations[%d].%s must be %s, and is %s" % (i, key, demand, told_value(found))
    return None


def marker_problems(text, citations, needs_citation):
    """Sentences about every way in which the markers of a text do not match its citations."""
    count, used, strays, ordered = len(read_citations(citations)), set(), set(), True
    problems = ["citations are mandatory, and there are none"] if needs_citation and not count else []
    for digits in MARKER.findall(text):
        n = int(digits) if len(digits) <= len(str(count)) else 0
        if not 1 <= n <= count:
            strays.add(digits)
        elif n not in used:
            if ordered and n != len(used) + 1:
                ordered = False
                problems.append("marker [%d] is used first where [%d] must be; markers count from 1 in the order of "
                                "their first use" % (n, len(used) + 1))
            used.add(n)
    problems += ["marker [%s%s] refers to no citation; there %s %d" % (
        digits[:20], "..." if len(digits) > 20 else "", "is" if count == 1 else "are", count)
        for digits in sorted(strays, key=lambda one: (len(one), one))]
    return problems + ["citation %d has no marker [%d] in the text" % (n, n) for n in range(1, count + 1)
                       if n not in used]


def stray_citation(evidence, given, citations):
    """The index of the first citation that is neither in the evidence nor in the sources it was made from; else None."""
    held = {one["source"] for key in ("supports", "contradicts", "related") if isinstance(evidence.get(key), list)
            for one in evidence[key] if isinstance(one, dict) and isinstance(one.get("source"), str)}
    held |= {one["uri"] for one in given if isinstance(one, dict) and isinstance(one.get("uri"), str)} \
        if isinstance(given, list) else set()
    return next((i for i, (uri, _, _) in enumerate(read_citations(citations)) if uri not in held), None)
