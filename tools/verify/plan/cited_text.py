"""Checks the sentences of a plan's text against what they cite: doc/spec/plan.md §12.2 and §12.3."""

from verify.document.json_text import Num
from verify.df_verify_1.report import Broken
from verify.decision.chunk import Chunk
from verify.judgement.judgements import pair_digest
from verify.judgement.sentences import Check, NOT_JUDGED, QUOTED
from verify.plan.ground_verify import panel_of

TEXT_NOT_JUDGED_CODE = "text_not_judged"
TEXT_NOT_JUDGED_TEXT = "Nobody has checked that the sentences of the answer say what the cited documents say."
MOST_CITED = 64
# the rule for reading texts; older documents do not name it, and read MOST_CITED_BEFORE sources at most
TEXT_RULE = "plan-text/2"
MOST_CITED_BEFORE = 5


class CitedText(Check):
    """The check of a plan's text against the chunks that it cites."""

    def __init__(self, chunks, text, rules, query):
        super().__init__([chunk.chunk_id for chunk in chunks], chunks, text, rules, query)
        if self.errors:
            self.errors, self.cited = [], chunks
            self.read_sentences()
            self.judge_sentences()

    def take_judgements(self, panel, query):
        """Apply the judges' verdicts to the sentences."""
        for one in self.sentences if panel else ():
            if one.status in (NOT_JUDGED, QUOTED):
                a = one.text if one.sentence and len(one.sentence.places) >= 3 else query + " " + one.text
                b = "\n\n".join(chunk.passage for chunk in one.counting if chunk.passage)
                self.take_verdict(one, panel.judgements.verdict("entailment", pair_digest("entailment", a, b)))


def cited_chunks(citations, evidence, sources):
    """The sources that a text cites as chunks, one per uri, from the sources or else from the entries of the evidence."""
    lists = [("uri", sources), *(("source", evidence.get(key)) for key in ("supports", "contradicts", "related"))]
    for uri, i in citations.items():
        found = next(filter(None, ([one for one in entries if isinstance(one, dict) and one.get(key) == uri
                                    and isinstance(one.get("snippet"), str) and one["snippet"]] if isinstance(entries, list) else []
                                   for key, entries in lists)), [])
        title = found[0].get("title") if found else None
        given = {"chunk_id": str(i), "doc_id": str(i), "text": "\n".join(one["snippet"] for one in found), "similarity": Num("1")}
        yield Chunk({**given, **({"title": title} if isinstance(title, str) and title else {})}, False)


def asked_of_text(evidence, judgements):
    """The panel that evidence names, with its own judgements and those of the request; None if it names none."""
    own = evidence.get("judgements", [])
    try:
        if not isinstance(evidence.get("judging"), dict) or panel_of(evidence["judging"], own) is None:
            return None
        known = {(one["pair"], one["judge"]) for one in own}
        more = [one for one in judgements if isinstance(one, dict) and (one.get("pair"), one.get("judge")) not in known] \
            if isinstance(judgements, list) else []
        return panel_of(evidence["judging"], own + more)
    except Broken:
        return None
