"""The form of an evidence packet: doc/spec/packet.md §2."""

import datetime
import re

from verify.document.json_text import Num
from verify.document.portable_number import count_of, NUMERIC_STRING, portable_number
from verify.document.small_text import instant
from verify.decision.chunk import DAY, fraction_of, number
from verify.decision.decision_settings import MAX_COUNT

PACKET_SCHEMA, EVIDENCE_ONLY, SYNTHESIS = "1.0", "evidence-only", "synthesis"
FOUND, NOT_FOUND = "success", "insufficient_evidence"
BRIEF = "technical_brief"
MAX_NEIGHBORS, MAX_RELATIONSHIPS = 50, 500
DEFAULT_LIMIT, MAX_LIMIT = 20, 1000
FIRST_MOMENT, END_MOMENT = DAY, (datetime.date.max.toordinal() + 1) * DAY


def is_word(value):
    """Whether a value is a text that is not empty."""
    return isinstance(value, str) and value != ""


def are_words(value):
    """Whether a value is an array of words."""
    return isinstance(value, list) and all(map(is_word, value))


def are_some_words(value):
    """Whether a value is an array of at least one word."""
    return are_words(value) and value != []


def are_neighbors(value):
    """Whether a value is a sorted array of at most MAX_NEIGHBORS names."""
    return are_words(value) and value == sorted(value) and len(value) <= MAX_NEIGHBORS


def is_moment(value):
    """Whether a value is an instant of the years 1 to 9999."""
    found = instant(value)
    return found is not None and FIRST_MOMENT <= found < END_MOMENT


def is_digest(value):
    """Whether a value is the text of a digest."""
    return isinstance(value, str) and re.fullmatch("sha256:[0-9a-f]{64}", value) is not None


def is_similarity(value):
    """Whether a value is a number from 0 to 1 with at most four decimals."""
    found = fraction_of(value)
    return found is not None and 0 <= found <= 1 and (found * 10 ** 4).denominator == 1


def is_percent(value):
    """Whether a value is an integer from 0 to 100."""
    found = count_of(value)
    return found is not None and found <= 100


def is_count(value):
    """Whether a value is a non-negative integer."""
    return count_of(value) is not None


def is_line(value):
    """Whether a value is the number of a line, from 1."""
    return 1 <= (count_of(value) or 0) <= MAX_COUNT


def is_limit(value):
    """Whether a value is an integer from 1 to MAX_LIMIT."""
    return 1 <= (count_of(value) or 0) <= MAX_LIMIT


def is_least(value):
    """Whether a value is a number from 0 to 1, also as the string of its portable form."""
    found = fraction_of(value, True)
    return found is not None and 0 <= found <= 1


def are_numbers(value):
    """Whether a value is an array of at least one number, some as the strings of their portable form."""
    return isinstance(value, list) and value != [] and all(
        isinstance(one, Num) or isinstance(one, str) and len(one) <= 1000 and NUMERIC_STRING.fullmatch(one) is not None
        and portable_number(one) == one for one in value)


def of_type(kind):
    """A function that tells whether a value has a type."""
    return lambda value: isinstance(value, kind)


# {member: test of its value}. A member with a question mark may be missing; others are not allowed.
PACKET_FORM = {"meta": of_type(dict), "context_veracity": of_type(dict), "code_truth": of_type(list),
               "doc_claims": of_type(list), "graph_relationships": of_type(list), "suggested_actions": are_words,
               "status": is_word, "content_hash": is_digest, "?signature": of_type(dict)}
META_FORM = {"schema_version": is_word, "query_id": is_word, "timestamp": is_moment, "project": is_word,
             "question": is_word, "mode": is_word, "options": of_type(dict)}
VERACITY_FORM = {"confidence_score": is_percent, "is_stale": of_type(bool), "faults": of_type(list)}
FAULT_FORM = {"type": is_word, "message": is_word, "evidence": of_type(dict)}
ENTRY_FORM = {"id": is_word, "name": is_word, "type": are_some_words, "path": is_word, "score": is_similarity,
              "neighbors": are_neighbors, "neighbor_count": is_count, "provenance": of_type(dict)}
CODE_FORM = {**ENTRY_FORM, "?start_line": is_line, "?end_line": is_line, "?docstring": of_type(str),
             "?last_modified": is_count}
CLAIM_FORM = {**ENTRY_FORM, "last_modified": is_count, "doc_type": is_word}
PROVENANCE_FORM = {"source_path": is_word, "content_hash": is_digest, "extraction_method": is_word,
                   "indexed_at": is_moment}
RELATIONSHIP_FORM = dict.fromkeys(("from", "to", "type", "from_id", "to_id"), is_word)
OPTIONS_FORM = {"?limit": is_limit, "?min_score": is_least, "?labels": are_some_words, "?paths": are_some_words,
                "?embedding": are_numbers, "?extended": of_type(bool), "?log": of_type(bool)}
SIGNATURE_FORM = dict.fromkeys(("?alg", "?key_id", "?canonicalization", "?sig"), is_word)


def object_violations(place, value, form):
    """The missing, wrong and unknown members of an object."""
    if not isinstance(value, dict):
        return ["%s is no object" % place]
    found, known = [], set()
    for member, holds in form.items():
        name = member.lstrip("?")
        known.add(name)
        if name in value and not holds(value[name]):
            found.append("%s.%s is not what it must be" % (place, name))
        elif name not in value and name == member:
            found.append("%s.%s is missing" % (place, name))
    return found + ["%s has an unknown member" % place for name in value if name not in known]


def list_violations(place, values, form):
    """The missing, wrong and unknown members of the objects in a list."""
    return [one for i, value in enumerate(values) for one in object_violations("%s[%d]" % (place, i), value, form)]


def part(value, name, kind):
    """A member if it has a type, or else an empty value of that type."""
    found = value.get(name)
    return found if isinstance(found, kind) else kind()


def choice_violations(place, value, name, *words):
    """Complain of a word that is not one of the choices."""
    return ["%s.%s is unknown" % (place, name)] * (is_word(value.get(name)) and value[name] not in words)


def entries_violations(packet, name, form):
    """Everything that is wrong with the entries under a name."""
    entries = part(packet, name, list)
    found = list_violations(name, entries, form)
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        place = "%s[%d]" % (name, i)
        if isinstance(entry.get("provenance"), dict):
            found += object_violations(place + ".provenance", entry["provenance"], PROVENANCE_FORM)
        count, neighbors = count_of(entry.get("neighbor_count")), entry.get("neighbors")
        if count is not None and are_neighbors(neighbors) and len(neighbors) != min(count, MAX_NEIGHBORS):
            found.append(place + " lists not as many neighbors as it has")
    return found


def limit_violations(packet, options):
    """Complain of more entries than the limit."""
    limit = options.get("limit", number(DEFAULT_LIMIT)) if isinstance(options, dict) else None
    entries = len(part(packet, "code_truth", list)) + len(part(packet, "doc_claims", list))
    return ["packet has more entries than its limit"] * (is_limit(limit) and entries > count_of(limit))


def form_violations(packet):
    """Everything in which a packet breaks the form of the schema."""
    if not isinstance(packet, dict):
        return ["packet is no object"]
    meta, context, relationships = (part(packet, name, kind) for name, kind in (
        ("meta", dict), ("context_veracity", dict), ("graph_relationships", list)))
    synthesis = meta.get("mode") == SYNTHESIS
    found = object_violations("packet", packet, {**PACKET_FORM, BRIEF: is_word} if synthesis else PACKET_FORM)
    if isinstance(packet.get("meta"), dict):
        found += object_violations("meta", meta, META_FORM)
        found += choice_violations("meta", meta, "schema_version", PACKET_SCHEMA)
        found += choice_violations("meta", meta, "mode", EVIDENCE_ONLY, SYNTHESIS)
        found += object_violations("meta.options", part(meta, "options", dict), OPTIONS_FORM)
        found += limit_violations(packet, meta.get("options"))
    if isinstance(packet.get("context_veracity"), dict):
        found += object_violations("context_veracity", context, VERACITY_FORM)
        found += list_violations("context_veracity.faults", part(context, "faults", list), FAULT_FORM)
    found += entries_violations(packet, "code_truth", CODE_FORM) + entries_violations(packet, "doc_claims", CLAIM_FORM)
    found += list_violations("graph_relationships", relationships, RELATIONSHIP_FORM)
    found += ["graph_relationships has too many"] * (len(relationships) > MAX_RELATIONSHIPS)
    found += object_violations("signature", part(packet, "signature", dict), SIGNATURE_FORM)
    return found + choice_violations("packet", packet, "status", FOUND, NOT_FOUND)
