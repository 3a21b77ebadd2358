"""Answers made of the quotes in evidence (synth.answer): doc/spec/plan.md §12.1."""

import re

from verify.df_verify_1.report import need
from verify.answer_eval.operators import WHITE_SPACE
from verify.plan.confidence import list_of

BRACKETED = re.compile(r"\[([0-9]+)\]")


def synthesis(evidence):
    """The text and citations of synth.answer: each snippet once, one citation per uri."""
    need(isinstance(evidence, dict), "the evidence is no object")
    quotes, citations, numbers, parts = set(), [], {}, []
    for entry in list_of(evidence, "supports") + list_of(evidence, "related"):
        need(isinstance(entry, dict) and isinstance(entry.get("source"), str) and entry["source"] and all(
            entry.get(key) is None or isinstance(entry[key], str) for key in ("snippet", "title", "stamp")),
            "an entry of the evidence has no source, or no text")
        quote = (entry.get("snippet") or "").strip(WHITE_SPACE)
        if not quote or quote in quotes:
            continue
        quotes.add(quote)
        uri = entry["source"]
        if uri not in numbers:
            numbers[uri] = len(numbers) + 1
            citations.append({"uri": uri, **{key: entry[key] for key in ("title", "stamp")
                                             if entry.get(key) is not None}})
        parts.append("%s [%d]" % (BRACKETED.sub(r"(\1)", quote), numbers[uri]))
    return {"text": " ".join(parts), "citations": citations}
