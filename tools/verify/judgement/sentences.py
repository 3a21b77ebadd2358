"""Citations, and the status of each sentence of an answer: doc/spec/decision.md §3, doc/spec/judgement.md §5."""

import bisect
import collections
import fractions
import functools
import itertools
import re

from verify.answer_eval.operators import WHITE_SPACE
from verify.reading.characters import characters, folded_letter, is_digit
from verify.reading.tokens import Text
from verify.reading.names import stands_in
from verify.reading.text import TextReading
from verify.reading.near_copies import COPY_SENTENCES, SAME, slot
from verify.decision.chunk import number, rounded

MAX_CITATIONS = 5
NO_OVERLAP = ("Citation keyword overlap heuristic: No keywords from answer found in cited chunks. "
              "Citations may not directly support the answer.")
NOTHING_CHECKED = {"citation_valid": True, "errors": [], "warnings": [], "recall": None, "precision": None, "spans": [],
                   "sentences": []}
QUOTES = {'"': '"', "\u201c": "\u201d"}


def is_insufficient(text, rules):
    """Whether every sentence of an answer has a phrase that says that too little is known."""
    saying = {text.words[one.first].sentence for one in rules.alone["insufficiency"].competing(text)}
    return bool(text.sentences) and saying >= set(text.sentences)


def citation_errors(citations, chunks, answer, rules):
    """The errors of the first rule that citations break."""
    known = {chunk.chunk_id for chunk in chunks}
    strange = [one for one in citations if one not in known]
    if strange:
        return ["Citation '%s' does not match any retrieved chunk" % one for one in strange]
    repeated = sorted(one for one, times in collections.Counter(citations).items() if times > 1)
    if repeated:
        return ["Duplicate citations found: {%s}" % ", ".join("'%s'" % one for one in repeated)]
    if len(citations) > MAX_CITATIONS:
        return ["Too many citations (%d), maximum is %d" % (len(citations), MAX_CITATIONS)]
    if not citations and not is_insufficient(answer, rules):
        return ["Citations are empty but answer does not indicate insufficient context"]
    return []


def quotations(answer, strict=False):
    """(begin, end) of each quotation in an answer. If strict, a straight mark after a digit means inches."""
    at, unclosed = 0, set()
    while at < len(answer):
        mark, at = answer[at], at + 1
        if strict and mark == '"' and at > 1 and is_digit(answer[at - 2]):
            continue
        end = answer.find(QUOTES[mark], at) if mark in QUOTES and mark not in unclosed else -1
        if end >= 0:
            yield at, end
            at = end + 1
        elif mark in QUOTES:
            unclosed.add(mark)


def byte_length(text):
    """The length of a text in bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def quoted_spans(answer, cited):
    """The quotations of three words or more in an answer, each with the chunk it is from, or None."""
    spans, at, offset = [], 0, 0
    for begin, end in quotations(answer):
        text = answer[begin:end]
        start = offset + byte_length(answer[at:begin])
        at, offset = end, start + byte_length(text)
        if len(Text(text).words) >= 3:
            spans.append({"chunk_id": next((chunk.chunk_id for chunk in cited if text in chunk.written), None),
                          "start": number(start), "end": number(offset), "text": text})
    return spans


INSUFFICIENT, MISQUOTED, QUOTED, CONTRADICTED_STATUS = "insufficient", "misquoted", "quoted", "contradicted"
SUPPORTED, NO_CLAIM, UNSUPPORTED, NOT_JUDGED = "supported", "no_claim", "unsupported", "not_judged"
BIDIRECTIONAL = set(characters("61C 200E-200F 202A-202E 2066-2069"))
MARKS_AROUND = '"\u201c\u201d'
LEAST_QUOTATION = 3


def without_markers(answer, citations):
    """(the answer without its markers, where each character was, [(place in the new text, index of the citation)])."""
    # if the id of a chunk is a number, [n] still means the nth citation
    markers = {**{"[%s]" % chunk_id: i for i, chunk_id in enumerate(citations)},
               **{"[%d]" % (i + 1): i for i in range(len(citations))}}
    longest = sorted(markers, key=len, reverse=True)
    out, at, found, i = [], [], [], 0
    while i < len(answer):
        mark = next((one for one in longest if answer.startswith(one, i)), None) if answer[i] == "[" else None
        if mark is None:
            out.append(answer[i])
            at.append(i)
            i += 1
            continue
        while out and out[-1] in WHITE_SPACE:
            out.pop()
            at.pop()
        found.append((len(out), markers[mark]))
        i += len(mark)
    return "".join(out), at, found


def whole_form(sentence):
    """The form in which whole sentences are compared: no outer quotes, single spaces, folded, closed by a mark."""
    span, plain_ = sentence.span, sentence.reading.plain
    text = plain_[span.begin:span.end]
    text = text[1:] if text[:1] in tuple(MARKS_AROUND) else text
    text = text[:-1] if text[-1:] in tuple(MARKS_AROUND) else text
    text = " ".join(re.split("[%s]+" % WHITE_SPACE, text.strip(WHITE_SPACE)))
    return "".join(one.lower() if one.isascii() else folded_letter(one) for one in text) + ("" if span.marked else ".")


def has_run(words, run):
    """Whether a text's words contain a run of tokens."""
    texts = [word.text for word in words]
    return any(texts[i:i + len(run)] == run for i, one in enumerate(texts) if one == run[0])


class AnswerSentence:
    """A sentence of an answer and its status."""

    def __init__(self, text, begin, end, sentence):
        self.text, self.begin, self.end, self.sentence = text, begin, end, sentence
        self.counting, self.is_marked, self.quoted_from = [], False, []
        self.status, self.source = NOT_JUDGED, None
        self.check_status = NOT_JUDGED      # the status without judges

    @property
    def counts(self):
        """The chunks that the sentence rests on."""
        return [] if self.status == NO_CLAIM else self.counting

    @property
    def uses(self):
        """The chunks that an answer would cite for it."""
        return self.quoted_from[:1] if self.status == QUOTED else self.counts


class Check:
    """The check of an answer's citations."""

    def __init__(self, citations, chunks, answer, rules, query=None):
        self.citations, self.answer, self.rules = citations or [], answer or "", rules
        self.query = None if query is None else Text(query, rules.reading)
        self.bare, self.at, self.markers = without_markers(self.answer, self.citations)
        self.reading = TextReading(self.bare, rules.reading)
        self.text = self.reading.text
        self.insufficient = is_insufficient(self.text, rules)
        self.errors = citation_errors(self.citations, chunks, self.text, rules)
        by_id = {chunk.chunk_id: chunk for chunk in chunks}
        self.cited = [] if self.errors else [by_id[one] for one in self.citations]
        self.sentences, self.counted_as = [], {}
        if not self.errors:
            self.read_sentences()
            self.judge_sentences()

    @property
    def is_given(self):
        """Whether the answer is not blank."""
        return bool(self.bare.strip(WHITE_SPACE))

    def read_sentences(self):
        """Read the sentences, and the chunks that count for each."""
        for one in self.reading.sentences:
            begin, end = self.text.origin(one.span.begin, one.span.end)
            self.sentences.append(AnswerSentence(one.text, begin, end, one))
        if not self.sentences and self.is_given:
            text = self.bare.strip(WHITE_SPACE)
            begin = self.bare.index(text)
            self.sentences.append(AnswerSentence(text, begin, begin + len(text), None))
        marks = {}
        ends = [one.end for one in self.sentences]
        for place, i in self.markers if self.sentences else ():
            one = min(bisect.bisect_left(ends, place), len(ends) - 1)
            marks.setdefault(one, set()).add(i)
        for k, one in enumerate(self.sentences):
            one.is_marked = k in marks
            one.counting = [self.cited[i] for i in sorted(marks[k])] if k in marks else list(self.cited)

    @functools.cached_property
    def saying_little(self):
        """The numbers of the sentences that have a phrase saying that too little is known."""
        return {self.text.words[found.first].sentence
                for found in self.rules.alone["insufficiency"].competing(self.text)}

    def holds_insufficiency(self, one):
        """Whether a sentence is one of them."""
        return one.sentence is not None and one.sentence.number in self.saying_little

    def judge_sentences(self):
        """Set the status of each sentence, as far as no judge is needed."""
        for chunk in self.cited:
            self.find_quoted(chunk)
        wholly = self.insufficient and not any(one.quoted_from for one in self.sentences)
        parts = list(self.read_quotations())
        ends = [end for _, end, _ in parts]
        for one in self.sentences:
            if wholly:
                one.status = INSUFFICIENT
            elif any(not self.is_said(one, run) for _, _, run in itertools.takewhile(
                    lambda part, end=one.end: part[0] < end, parts[bisect.bisect_right(ends, one.begin):])):
                one.status = MISQUOTED
            elif one.quoted_from:
                one.status = QUOTED
            elif one.sentence is not None:
                self.find_contradiction(one)
            one.check_status = one.status

    def find_quoted(self, chunk):
        """Mark the sentences that are whole sentences of a chunk, if they follow each other there too."""
        forms, places = [], {}
        for i, one in enumerate(chunk.read_by(self.rules.reading)[0].sentences):
            span = one.span
            whole = len(one.places) >= LEAST_QUOTATION and not (span.heading or span.asks or span.entry)
            forms.append(whole_form(one) if whole else None)
            if whole:
                places.setdefault(forms[i], []).append(i)
        found = [(form, one) for form, one in self.whole_sentences if chunk in one.counting and form in places]
        run = [form for form, _ in found]
        if run and any(forms[place:place + len(run)] == run for place in places[run[0]]):
            for _, one in found:
                one.quoted_from.append(chunk)

    @functools.cached_property
    def whole_sentences(self):
        """(form, sentence) of those that may be quoted whole."""
        return [(whole_form(one.sentence), one) for k, one in enumerate(self.sentences)
                if one.sentence is not None and not one.sentence.span.entry and self.is_clear_behind(k)
                and not BIDIRECTIONAL & set(one.text)]

    def is_clear_behind(self, k):
        """Whether there is only white space between a sentence and the next."""
        behind = self.sentences[k + 1].begin if k + 1 < len(self.sentences) else len(self.bare)
        return not self.bare[self.sentences[k].end:behind].strip(WHITE_SPACE)

    def read_quotations(self):
        """(begin, end, tokens) of the quotations in the answer that are checked."""
        for begin, end in quotations(self.bare, True):
            text = self.bare[begin:end]
            run = [word.text for word in Text(text).words]
            if len(run) >= LEAST_QUOTATION and not any(one in text for one in ("\u2026", "...", "[")):
                yield begin, end, run

    def is_said(self, one, run):
        """Whether a quotation is in the query or in a chunk that counts for its sentence."""
        texts = [self.query] if self.query is not None else []
        texts += [reading.text for chunk in one.counting for reading in chunk.read_by(self.rules.reading)]
        return any(has_run(text.words, run) for text in texts)

    def take_verdict(self, one, verdict):
        """Set the status of a sentence by the verdict of the judges."""
        if verdict == "contradicts":
            one.status, one.source = CONTRADICTED_STATUS, (one.counting[0], one.counting[0].written)
        elif verdict == "supports":
            one.status = SUPPORTED
        elif verdict == "no_claim":
            one.status = NO_CLAIM
        elif verdict == "neutral":
            one.status = NOT_JUDGED if self.holds_insufficiency(one) else UNSUPPORTED

    def find_contradiction(self, one):
        """Mark a sentence as contradicted if a chunk has it with another value or negation, and none has it the same."""
        if one.sentence.place >= COPY_SENTENCES:
            return
        for chunk in one.counting:
            for other in chunk.read_by(self.rules.reading)[0].sentences[:COPY_SENTENCES]:
                found = slot(one.sentence, other)
                if found == SAME:
                    one.status, one.source = NOT_JUDGED, None
                    return
                if found and one.source is None:
                    one.status, one.source = CONTRADICTED_STATUS, (chunk, other.text)

    def shown(self):
        """The sentences as a report shows them."""
        ends = [end for one in self.sentences for end in (self.at[one.begin], self.at[one.end - 1] + 1)]
        sizes = [byte_length(self.answer[begin:end]) for begin, end in zip([0, *ends], ends)]
        offsets = list(itertools.accumulate(sizes))
        return [self.shown_sentence(one, *offsets[2 * k:2 * k + 2]) for k, one in enumerate(self.sentences)]

    def counted(self, chunks):
        """(all readings, the stems of each chunk)."""
        key = tuple(chunk.chunk_id for chunk in chunks)
        if key not in self.counted_as:
            read = [chunk.read_by(self.rules.reading) for chunk in chunks]
            self.counted_as[key] = [reading for pair_ in read for reading in pair_], [
                set().union(*(reading.has for reading in pair_)) for pair_ in read]
        return self.counted_as[key]

    def shown_sentence(self, one, start, end):
        """One sentence as a report shows it."""
        readings, stems = self.counted(one.counts)
        values = [] if one.sentence is None else one.sentence.values
        names = [] if one.sentence is None else one.sentence.names
        return {"start": number(start), "end": number(end), "status": one.status,
                "citations": [chunk.chunk_id for chunk in one.counts],
                "missing": {"values": list(dict.fromkeys(self.text.part(value.begin, value.end) for value in values if not any(
                    reading.has_value(value) for reading in readings))),
                            "names": list(dict.fromkeys(name.text for name in names if not any(
                                stands_in(name, one_) for one_ in stems)))}}

    def result(self):
        """The result of answer_citations_check."""
        if self.errors:
            return {**NOTHING_CHECKED, "citation_valid": False, "errors": self.errors}
        unlike = self.cited and self.is_given and not self.insufficient and not any(
            self.reading.items & chunk.read_by(self.rules.reading)[0].items for chunk in self.cited)
        held = [one for one in self.sentences if one.is_marked or one.check_status == QUOTED]
        used = {chunk.chunk_id for one in self.sentences for chunk in (
            (one.counting if one.is_marked else []) + (one.quoted_from[:1] if one.check_status == QUOTED else []))}
        return {"citation_valid": True, "errors": [], "warnings": [NO_OVERLAP] if unlike else [],
                "recall": rounded(fractions.Fraction(len(held), len(self.sentences))) if self.sentences else None,
                "precision": rounded(fractions.Fraction(len(used), len(self.cited))) if self.cited else None,
                "spans": quoted_spans(self.answer, self.cited), "sentences": self.shown()}


def check_citations(citations, chunks, answer, rules, query=None):
    """Whether an answer's citations hold (answer_citations_check)."""
    return Check(citations, chunks, answer, rules, query).result()
