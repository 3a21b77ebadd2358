#!/usr/bin/python3
# tiers: long
"""Tests of decisions in tools/verify; the expected results were worked out by hand from doc/spec/decision.md.

compare.py and offline.py compare it with the extension.
"""

import contextlib
import copy
import io
import json
import os
import random
import time
import unittest

import decision
import oracle
from oracle import Num, Refused, tool

RULES = decision.rules_of(None)
NOW = "2026-03-31T12:00:00Z"


def plain(value):
    """A JSON value of the tool as a plain Python value."""
    return json.loads(oracle.canonical(value))


def chunk(text, doc="a", similarity="0.9", **more):
    """A chunk of a document."""
    return {"chunk_id": doc + "#p0", "doc_id": doc, "text": text, "similarity": Num(similarity),
            "timestamp": "2026-03-30", **more}


def two(a, b):
    """The conflicts of two documents of one paragraph."""
    return plain(tool.find_conflicts(tool.read_chunks([chunk(a), chunk(b, "b")]), RULES))


def kind(a, b):
    """The kind of their conflict, or None."""
    found, turned = two(a, b)["pairs"], two(b, a)["pairs"]
    if bool(found) != bool(turned) or two(a, a)["pairs"] or two(b, b)["pairs"]:
        raise AssertionError("not symmetric: %r, %r" % (a, b))
    return found[0]["kind"] if found else None


def texts(text):
    """The clauses of a text, as lists of words; None separates sentences."""
    out, last = [], None
    for word in tool.Text(text).words:
        if last is None or word.clause != last.clause:
            out += [None] * (last is not None and word.sentence != last.sentence) + [[]]
        out[-1].append(word.text)
        last = word
    return out


class Words(unittest.TestCase):
    """Tokens, clauses and sentences."""

    def test_tokens(self):
        for text, want in (("non-refundable and/or can't", ["non", "refundable", "and", "or", "can", "t"]),
                           ("a\u00adllowed re\u200bfund\ufeff", ["allowed", "refund"]), ("SSNs_x", ["ssns", "x"]),
                           ("\u017fsn \u212a \uff33", ["\u017fsn", "\u212a", "\uff53"]),
                           ("STRASSE \u1e9e \u00c9", ["strasse", "\u00df", "\u00e9"]),
                           ("\u0661\u0662 \u00bd \u2460 e\u0301", ["\u0661\u0662", "e\u0301"]),
                           ("\u03a3\u03c2", ["\u03c3\u03c3"]), ("...", [])):
            self.assertEqual([word.text for word in tool.Text(text).words], want, text)

    def test_clauses_and_sentences(self):
        for text, want in (("a; b: c. d", [["a"], ["b"], ["c"], None, ["d"]]),
                           ("v2.1 a:b x\u2026y", [["v2", "1", "a", "b", "x", "y"]]), ("a.\u200bb", [["a", "b"]]),
                           ("a .b", [["a"], None, ["b"]]), ("a\u3002b\uff1bc", [["a"], None, ["b"], ["c"]]),
                           ("a\nb", [["a", "b"]]), ("a\n \t\nb", [["a"], None, ["b"]]),
                           ("a\r\n\r\nb", [["a"], None, ["b"]]),
                           ("a\n- b\n2) c\n# d", [["a"], None, ["b"], None, ["2", "c"], None, ["d"]]),
                           ("a\n1. b", [["a"], None, ["1"], None, ["b"]]), ("a\n-b\n1.5", [["a", "b", "1", "5"]]),
                           ("a - b", [["a", "b"]])):
            self.assertEqual(texts(text), want, text)

    def test_the_longest_that_starts_earliest_wins(self):
        for text, want in (("it may not", ["prohibit"]), ("may may not", ["allow", "prohibit"]),
                           ("may. Not", ["allow"]), ("non-refundable", ["prohibit"]), ("can not only", ["allow"]),
                           ("can\u2019t", ["prohibit"])):
            self.assertEqual([one.label for one in RULES.groups["allow", "prohibit"].competing(tool.Text(text))], want,
                             text)

    def test_folding_is_that_of_questions(self):
        with open(os.path.join(decision.ROOT, "src", "base", "casefold.h"), encoding="ascii") as file:
            ranges = [line.strip(" \t{},\n").split(", ") for line in file if line.startswith("\t{0x")]
        folds = {}
        for first, last, step, delta in ranges:
            folds.update({code: code + int(delta) for code in range(int(first, 16), int(last, 16) + 1, int(step))})
        self.assertGreater(len(folds), 1000)
        for code in (*range(0x80, 0xD800), *range(0xE000, 0x20000)):
            self.assertEqual(ord(tool.folded_letter(chr(code))), folds.get(code, code), hex(code))


class Report(unittest.TestCase):
    """The output for people about a decision that does not verify."""

    def test_a_difference_without_values(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tool.print_step("replay", {"ok": False, "reason": "recomputing gives something else",
                                       "differences": [{"field": "decision", "reason": "recomputing gives something else"}]})
        self.assertIn("    decision: recomputing gives something else\n", out.getvalue())
        self.assertNotIn("absent", out.getvalue())


class Signals(unittest.TestCase):
    """The quality of a retrieval."""

    def quality(self, *similarities, days=30, stamps=()):
        chunks = [chunk("x", "d%d" % i, one) for i, one in enumerate(similarities)]
        for one, stamp in zip(chunks, stamps):
            one["timestamp"] = stamp
        return plain(tool.retrieval_quality(tool.read_chunks(chunks), days, tool.instant(NOW)))

    def test_confidence(self):
        self.assertEqual(self.quality()["confidence"], {"max": 0, "mean": 0, "gap": None, "hit_count": 0})
        self.assertEqual(self.quality("0.5", "0.85005")["confidence"],
                         {"max": 0.85, "mean": 0.675, "gap": -0.35, "hit_count": 2})
        self.assertEqual(self.quality("0.00015")["confidence"],
                         {"max": 0.0002, "mean": 0.0002, "gap": None, "hit_count": 1})
        self.assertEqual(self.quality("0.00025", "0.0003")["confidence"]["gap"], 0)
        self.assertEqual(self.quality("1", "0", "0")["confidence"]["mean"], 0.3333)

    def test_freshness(self):
        for stamp, old in (("2026-03-01T12:00:00Z", False), ("2026-03-01T11:59:59.999999Z", True),
                           ("2026-03-01T12:00:00", False), ("2026-03-01", True), ("2026-03-02", False),
                           ("2030-01-01", False), (None, True), ("soon", True), ("2026-02-29", True),
                           ("2026-03-01T13:00:00+01:00", False)):
            self.assertEqual(self.quality("1", stamps=[stamp])["freshness"]["freshness_violation"], old, stamp)
            self.assertFalse(self.quality("1", days=0, stamps=[stamp])["freshness"]["freshness_violation"])
        found = self.quality("1", "1", "1", stamps=["2026-01-01", None, "2026-01-01T00:00:00-01:00"])
        self.assertEqual(found["freshness"], {"oldest_timestamp": "2026-01-01",
                                              "newest_timestamp": "2026-01-01T00:00:00-01:00",
                                              "freshness_violation_count": 3, "freshness_violation": True,
                                              "freshness_days": 30})
        self.assertEqual(found["top_doc_ids"], ["d0", "d1", "d2"])

    def test_malformed_chunks(self):
        good = chunk("x")
        for bad in ([{**good, "similarity": "0.5"}], [{**good, "similarity": Num("1.01")}], [{**good, "text": None}],
                    [good, good], {}, [1], [{k: v for k, v in good.items() if k != "doc_id"}],
                    *([{**good, key: value}] for key in ("title", "facts") for value in (Num("0.5"), False, True, {})),
                    [{**good, "title": []}], [{**good, "facts": ""}]):
            with self.assertRaises(tool.Broken):
                tool.read_chunks(bad)
        for fine in ({"title": None}, {"title": ""}, {"facts": None}, {"facts": []}):
            self.assertEqual(len(tool.read_chunks([{**good, **fine}])), 1)
        self.assertEqual(len(tool.read_chunks([{**good, "similarity": "0.00001"}], True)), 1)
        with self.assertRaises(tool.Broken):
            tool.read_chunks([{**good, "similarity": "0.5"}], True)


class Queries(unittest.TestCase):
    """Risk and ambiguity."""

    def test_risk(self):
        for query, level, words in (("What is the API rate limit?", "medium", ["rate limit"]),
                                    ("Which limits are there?", "high", ["limits"]),
                                    ("rate limits", "medium", ["rate limits"]),
                                    ("Is the SLA in the refund policy?", "high", ["policy", "refund"]),
                                    ("SOC-2?", "high", ["soc 2"]), ("How are you?", "low", []), ("", "low", [])):
            self.assertEqual(tool.risk_of(tool.Text(query), RULES), {"risk_level": level, "matched_keywords": words},
                             query)

    def test_ambiguity(self):
        plan, when, what = (row["question"] for row in RULES.rows)
        for query, want in (("Can we downgrade without penalties?", plan), ("Can we store SSNs in plaintext?", None),
                            ("What is our current refund policy?", None), ("How do I change my password?", None),
                            ("Can we downgrade our plan?", None), ("We can downgrade", what),
                            ("What is the latest?", when), ("What is the latest in May 2024?", None),
                            ("Latest in may?", when), ("Latest of May 5?", None), ("What is current in Q3?", None),
                            ("Is it the current one now?", None), ("What is current?", when),
                            ("What is current in Q5?", when), ("What is the current version?", None),
                            ("What changed today?", None), ("How do I cancel?", what),
                            ("How do I cancel the order?", None), ("May I cancel the order?", plan),
                            ("Cancel it now", what), ("", None)):
            self.assertEqual(tool.ambiguity_of(tool.Text(query), RULES), want, query)


class Citations(unittest.TestCase):
    """Citations of answers."""

    def check(self, citations, answer, *chunks):
        chunks = chunks or (chunk("SSNs must be encrypted at rest."), chunk("Invoices are sent by mail.", "b"))
        return plain(tool.check_citations(citations, tool.read_chunks(list(chunks)), answer, RULES))

    def test_errors(self):
        for citations, answer, errors in ((["x", "a#p0", "y", "x"], "a",
                                           ["Citation '%s' does not match any retrieved chunk" % x for x in "xyx"]),
                                          (["b#p0", "a#p0", "a#p0", "b#p0"], "a",
                                           ["Duplicate citations found: {'a#p0', 'b#p0'}"]),
                                          ([], "SSNs are fine.",
                                           ["Citations are empty but answer does not indicate insufficient context"]),
                                          ([], "It is unclear. SSNs are fine.",
                                           ["Citations are empty but answer does not indicate insufficient context"]),
                                          (None, None,
                                           ["Citations are empty but answer does not indicate insufficient context"]),
                                          (None, " ",
                                           ["Citations are empty but answer does not indicate insufficient context"]),
                                          ([], "Not sure.", []), ([], "Unclear; I don\u2019t know. I do not know", [])):
            found = self.check(citations, answer)
            self.assertEqual((found["citation_valid"], found["errors"]), (not errors, errors))
            if errors:
                self.assertEqual((found["recall"], found["precision"], found["spans"], found["warnings"]),
                                 (None, None, [], []))
        many = [chunk("x", "d%d" % i) for i in range(6)]
        ids = [one["chunk_id"] for one in many]
        self.assertEqual(self.check(ids, "x", *many)["errors"], ["Too many citations (6), maximum is 5"])
        self.assertTrue(self.check(ids[:5], "x", *many)["citation_valid"])

    def test_warning(self):
        for answer, warns in (("Cats sleep.", True), ("Encrypted.", False), ("It must be so, at last.", True),
                              ("", False), ("Unclear.", False), ("??", True)):
            self.assertEqual(bool(self.check(["a#p0"], answer)["warnings"]), warns, answer)

    def test_recall_precision_spans(self):
        answer = ('They say \u201cmust be encrypted\u201d. Cats sleep. Dogs [1] bark. \u201cInvoices are lost now\u201d'
                  ' "at rest"')
        found = self.check(["b#p0", "a#p0"], answer)
        self.assertEqual((found["recall"], found["precision"]), (0.25, 0.5))
        self.assertEqual(found["spans"], [
            {"chunk_id": "a#p0", "start": 12, "end": 29, "text": "must be encrypted"},
            {"chunk_id": None, "start": 64, "end": 85, "text": "Invoices are lost now"}])
        found = self.check(["b#p0", "a#p0"], "Cats [a#p0] sleep; dogs bark. Birds sing.")
        self.assertEqual((found["recall"], found["precision"]), (0.5, 0.5))
        found = self.check([], "Not sure.")
        self.assertEqual((found["recall"], found["precision"]), (0, None))

    def statuses(self, answer, *texts, query=None):
        chunks = [chunk(text, "abc"[i]) for i, text in enumerate(texts)]
        found = tool.check_citations([one["chunk_id"] for one in chunks], tool.read_chunks(chunks), answer, RULES, query)
        return [one["status"] for one in found["sentences"]]

    def test_statuses(self):
        text = "The garden gate closes at 9 pm in summer. It opens at dawn. Bring your own spade and gloves."
        for answer, want in (
                ("The garden gate closes at 9 pm in summer.", ["quoted"]),
                ('"The garden gate closes at 9 pm in summer. It opens at dawn." [1]', ["quoted", "quoted"]),
                ("The garden gate closes at 9 pm in summer! It opens at dawn.", ["not_judged", "quoted"]),
                ("It opens at dawn. The garden gate closes at 9 pm in summer.", ["not_judged", "not_judged"]),
                ("The garden gate closes at 9 pm in summer. Bring your own spade and gloves.", ["not_judged"] * 2),
                ("The garden gate closes at 8 pm in summer.", ["contradicted"]),
                ("The garden gate closes at nine p.m. in summer, they say.", ["not_judged"]),
                ("The garden gate never closes at 9 pm in summer.", ["contradicted"]),
                ("They say \u201cit opens at noon\u201d here.", ["misquoted"]),
                ("They say \u201cit opens at dawn\u201d here.", ["not_judged"]), ("I don't know.", ["insufficient"]),
                ("- It opens at dawn. It opens at dawn.", ["not_judged"] * 2), ("??", ["not_judged"]), (" ", [])):
            self.assertEqual(self.statuses(answer, text), want, answer)
        self.assertEqual(self.statuses('You ask "may I dig here"?', text, query="May I dig here?"), ["not_judged"])

    def test_markers(self):
        chunks = [chunk("Cats sleep a lot.", "a"), chunk("Dogs bark at night.", "b")]
        found = self.check(["a#p0", "b#p0"], "Cats rest. [1] Dogs\u00e9 [2][9] bark. Birds.", *chunks)["sentences"]
        self.assertEqual([one["citations"] for one in found], [["a#p0"], ["b#p0"], ["a#p0", "b#p0"]])
        self.assertEqual([(one["start"], one["end"]) for one in found], [(0, 10), (15, 34), (35, 41)])

    def test_missing(self):
        found = self.check(["a#p0"], "The NHS pays 5 days and 7 GB.", chunk("It pays five days."))["sentences"]
        self.assertEqual(found[0]["missing"], {"values": ["7 GB"], "names": ["NHS", "GB"]})


class Readings(unittest.TestCase):
    """How texts are read (reading/1)."""

    def read(self, text):
        return plain(tool.reading_explain(text, RULES.reading))["sentences"]

    def test_sentences(self):
        for text, want in (
                ("Open .env now. Ask ?id=3 twice.", ["Open .env now.", "Ask ?id=3 twice."]),
                ("1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]),
                ("# Big heading\nThen text", ["# Big heading", "Then text"]),
                ("See Mr. Smith, No. 5. No. Yes.", ["See Mr. Smith, No. 5.", "No.", "Yes."]),
                ("Ask J. Doe. Come at 5 p.m. today, etc. and so on. At 6 a.m. We eat.",
                 ["Ask J. Doe.", "Come at 5 p.m. today, etc. and so on.", "At 6 a.m.", "We eat."]),
                ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]), ("a) one\nb) two", ["a) one", "b) two"]),
                ("He said \u201cno.\u201d Then", ["He said \u201cno.\u201d", "Then"])):
            self.assertEqual([one["text"] for one in self.read(text)], want, text)

    def test_items_and_values(self):
        for text, items, values in (
                ("Thirty-one days", ["31", "day"], [[31, "days"]]), ("a hundred thousand", ["100000"], [[100000, None]]),
                ("2.5 million, 2.5GB, 1990s", ["1990", "2.5", "2500000", "gb"], [[2500000, None], [2.5, "GB"], [1990, None]]),
                ("one of 10:30 pm", ["clock 1350", "one"], [[1350, "clock"]]),
                ("12 a.m. or one pm", ["clock 0", "clock 780"], [[0, "clock"], [780, "clock"]]),
                ("$ 4.50 or 20 %", ["20", "4.5"], [[4.5, "$"], [20, "%"]]),
                ("We don't use HTTPServer's SSNs", ["http", "httpserver", "server", "ssn", "use"], []),
                ("25:00 and 1:2", ["0", "1", "2", "25"], [[25, None], [0, None], [1, None], [2, None]])):
            found = self.read(text)[0]
            self.assertEqual((found["items"], [[one["value"], one["unit"]] for one in found["values"]]), (items, values), text)

    def test_names_and_negation(self):
        for text, names, negated in (
                ("Ask Ines about Tarn, not Bob.", ["Ines", "Tarn", "Bob"], True), ("Use B2B at: Home", ["B2B"], False),
                ("No, opened goods can't go.", [], True), ("Not without it", [], False), ("You cannot.", [], True),
                ("Our Big Garden", [], False), ("It is not only here.", [], False), ("See No. 5 there.", ["No"], False)):
            found = self.read(text)[0]
            self.assertEqual((found["names"], found["negated"]), (names, negated), text)

    def test_score(self):
        text = "When does it close? The gate closes at nine. Dogs bark."
        score, best = tool.reading_score("When does the gate close?", text, None, RULES.reading)
        self.assertEqual((score, best), (1, "The gate closes at nine."))
        self.assertEqual(tool.reading_score("Penguins?", text, "Gate", RULES.reading)[0], 0)

    def test_slot(self):
        for a, b, want in (("The old gate closes at 9 pm.", "The old gate closes at 8 pm.", "value"),
                           ("The old gate closes early.", "The old gate never closes early.", "negation"),
                           ("The old gate closes early.", "The old gates close early!", "same"),
                           ("The old gate of Tarn closes.", "The old gate of Bob closes.", None)):
            self.assertEqual(tool.reading_slot(a, b, RULES.reading), want, (a, b))


class Conflicts(unittest.TestCase):
    """Two texts."""

    def test_encryption(self):
        for a, b, want in (("SSNs must not be stored in plaintext; encrypt at rest.",
                            "SSNs may be stored in plaintext.", "encryption"),
                           ("SSNs must be encrypted.", "SSNs must not be stored without encryption.", None),
                           ("SSNs must be encrypted.", "SSNs are never encrypted.", "encryption"),
                           ("SSNs must be encrypted.", "For SSNs, encryption is optional.", "encryption"),
                           ("SSNs must be encrypted.", "For SSNs, encryption is not required.", "encryption"),
                           ("SSNs must be encrypted.", "For SSNs, encryption is not optional.", None),
                           ("SSNs must be encrypted.", "SSNs are kept in plain text.", "encryption"),
                           ("SSNs must be encrypted.", "SSNs are kept here. Logs are kept in plain text.",
                            "encryption"), ("Passwords must be encrypted.", "SSNs are kept in plaintext.", None)):
            self.assertEqual(kind(a, b), want, (a, b))

    def test_refund(self):
        for a, b, want in (
                ("Purchases are refundable within 30 days.", "Purchases are non-refundable.", "refund"),
                ("All purchases are refundable.", "Promotional purchases are non-refundable.", None),
                ("Purchases are refundable.", "No refunds, except for broken goods.", None),
                ("Refunds are allowed.", "Refunds are not allowed.", "refund")):
            self.assertEqual(kind(a, b), want, (a, b))

    def test_policy(self):
        for a, b, want in (("Customer data may be shared with partners.",
                            "Customer data must not be shared with partners.", "policy"),
                           ("Customer data may be shared with partners.",
                            "Nobody may share customer data with partners.", "policy"),
                           ("Customer data may be sold to partners.", "No customer data can be sold to partners.",
                            "policy"), ("Customer data may be sold to partners.",
                                        "Customer data isn't allowed to be sold to partners.", "policy"),
                           ("Customer data may be sold to partners.", "Customer data can not only be sold to partners.",
                            None), ("In May 2024 customer data went to partners.",
                                    "Customer data must not go to partners.", None),
                           ("Customer data may be sold to partners.",
                            "Customer data must not be sold to partners unless they ask.", None),
                           ("Customer data may be sold to partners.", "Customer data must not be burned or eaten.",
                            None)):
            self.assertEqual(kind(a, b), want, (a, b))

    def test_numeric(self):
        for a, b, reason in (("The API rate limit is 1,000 requests per hour.", "The API rate limit is 300 req/hr.",
                              "1000 vs 300 req/hr"),
                             ("The API rate limit is 300 requests per hour.", "The API rate limit is 300.0 req/hr.",
                              None), ("The API rate limit is 300 requests per hour.",
                                      "The API rate limit is 400 per day.", None),
                             ("The price of exports is $ 5.50 in euro zones.",
                              "The price of exports is 6 dollars in euro zones.", "5.5 vs 6 $"),
                             ("The price of exports rises 5 %.", "The price of exports rises 7 percent.", "5 vs 7 %"),
                             ("The API rate limit is 9 users, 5 days.", "The API rate limit is 7 users, 6 days.",
                              "5 vs 6 days"),
                             ("The API rate limit is 5 days or 9 days.", "The API rate limit is 9 days.", None),
                             ("The API rate limit is 1,00 days.", "The API rate limit is 7 days.", None),
                             ("The API rate limit is v5 days.", "The API rate limit is 7 days.", None)):
            found = two(a, b)["pairs"]
            self.assertEqual(found[0]["reason"] if found else None, reason and "numeric conflict: " + reason, (a, b))
            self.assertEqual(kind(a, b), reason and "numeric")

    def test_snippets(self):
        far = "word " * 20
        found = two(far + "Customer data may be shared with partners" + far,
                    "Customer data must not be shared with partners.")
        pair = found["pairs"][0]
        self.assertEqual(pair["evidence_snippets"]["b"], "Customer data must not be shared with partners.")
        left, right = pair["evidence_snippets"]["a"].split("may")
        self.assertTrue(left.startswith("...") and right.endswith("..."))
        self.assertEqual((len(left.strip(".").lstrip()) <= 50, len(right.strip(".").rstrip()) <= 50), (True, True))

    def test_results(self):
        self.assertEqual(two("x", "y")["summary"], "No conflicts detected")
        self.assertEqual(plain(tool.find_conflicts([], RULES)), {
            "conflict_detected": False, "conflict_type": None, "pairs": [], "compared": 0,
            "summary": "No conflicts detected (insufficient chunks for comparison)"})
        same = [chunk("SSNs must be encrypted."), {**chunk("SSNs are kept in plaintext."), "chunk_id": "a#p1"}]
        self.assertEqual(tool.find_conflicts(tool.read_chunks(same), RULES)["pairs"], [])
        found = two("Refunds are allowed.", "Refunds are not allowed.")
        self.assertEqual((found["summary"], found["conflict_type"]),
                         ("Policy conflict detected: 1 conflicting pair(s) found", "policy"))


class Decisions(unittest.TestCase):
    """The order of the rules."""

    def decide(self, query="What is this?", chunks=None, citations=None, answer=None, **config):
        chunks = [chunk("SSNs must be encrypted."), chunk("Invoices are sent.", "b")] if chunks is None else chunks
        settings = tool.Settings(oracle.parse(json.dumps(config)))
        found = tool.decide(query, tool.read_chunks(chunks), citations, answer, settings, tool.instant(NOW), RULES)
        return plain(found)

    def outcome(self, *args, **more):
        found = self.decide(*args, **more)
        return found["decision"], found["reasons"]

    def test_order(self):
        old = [chunk("SSNs must be encrypted.", timestamp="2026-01-31"),
               chunk("SSNs are sent.", "b", timestamp="2026-03-30")]
        bad = [chunk("SSNs must be encrypted."), chunk("SSNs are kept in plaintext.", "b")]
        self.assertEqual(self.outcome(), ("ANSWER", []))
        self.assertEqual(self.outcome(citations=["x"]), ("BLOCK", ["invalid_citations"]))
        self.assertEqual(self.outcome(answer="Yes."), ("BLOCK", ["invalid_citations"]))
        self.assertEqual(self.outcome(chunks=bad), ("ABSTAIN", ["conflict_detected", "policy"]))
        self.assertEqual(self.outcome(chunks=[]),
                         ("ABSTAIN", ["low_retrieval_confidence", "insufficient_retrieval_hits"]))
        self.assertEqual(self.outcome(confidence_threshold=0.95), ("ANSWER_WITH_CAVEATS", ["low_retrieval_confidence"]))
        self.assertEqual(self.outcome(floor=0.95), ("ABSTAIN", ["low_retrieval_confidence"]))
        self.assertEqual(self.outcome(confidence_threshold=0.9), ("ANSWER", []))
        self.assertEqual(self.outcome(min_chunks=3), ("ABSTAIN", ["insufficient_retrieval_hits"]))
        self.assertEqual(self.outcome("Which policy?", old[:1] * 1, min_chunks=1), ("ABSTAIN", ["stale_documents"]))
        self.assertEqual(self.decide("Which policy?", old)["stale"], ["a#p0"])
        self.assertEqual(self.outcome("Which quota?", old), ("ANSWER", []))
        self.assertEqual(self.outcome("How do I cancel?", old), ("CLARIFY", ["ambiguous_query"]))
        self.assertEqual(self.outcome(chunks=old, freshness_days=30, caveats=True),
                         ("ANSWER_WITH_CAVEATS", ["stale_documents"]))
        self.assertEqual(self.outcome(chunks=old, freshness_days=30, caveats=False), ("ANSWER", []))
        self.assertEqual(self.outcome(citations=["a#p0"], answer="Cats."),
                         ("ANSWER_WITH_CAVEATS", ["not_judged", "weak_citation_support"]))
        self.assertEqual(self.outcome(citations=["a#p0"], answer="Cats.", judge="required"), ("ABSTAIN", ["not_judged"]))
        self.assertEqual(self.outcome(citations=["a#p0"], answer="SSNs must be encrypted."), ("ANSWER", []))
        self.assertEqual(self.outcome(citations=["a#p0"], answer="Not sure."), ("ABSTAIN", ["answer_abstains"]))
        self.assertEqual(self.outcome(citations=["a#p0"], answer="They say \u201call SSNs are fine\u201d."),
                         ("BLOCK", ["misquoted"]))

    def judged(self, relations, score=0.9, query="What is this?", **more):
        """The decision and its judged pairs, if the judges of the config give these verdicts for each kind."""
        out, judge = [], {"judge_" + one: "j" for one in relations}
        chunks = more.pop("chunks", [chunk("SSNs must be encrypted."), chunk("Invoices are sent.", "b")])
        citations, answer = more.pop("citations", None), more.pop("answer", None)
        settings = tool.Settings(oracle.parse(json.dumps({**judge, **more})))
        for _ in range(4):
            pairs = tool.judge_pairs(query, tool.read_chunks(chunks), citations, answer, settings, RULES, out)
            out += [{"pair": one["pair"], "relation": relations[one["kind"]], "score": Num(str(score)), "judge": "j"}
                    for one in pairs]
        found = plain(tool.decide(query, tool.read_chunks(chunks), citations, answer, settings, tool.instant(NOW), RULES, out))
        return found["decision"], found["reasons"], found

    def test_judges(self):
        cats = {"citations": ["a#p0"], "answer": "Cats sleep well."}
        for relations, more, want in (
                ({"entailment": "supports"}, cats, ("ANSWER", [])), ({"entailment": "neutral"}, cats, ("BLOCK", ["unsupported"])),
                ({"entailment": "contradicts"}, cats, ("BLOCK", ["contradicted"])),
                ({"entailment": "no_claim"}, cats, ("ABSTAIN", ["low_retrieval_confidence"])),
                ({"answers": "does_not"}, {}, ("ABSTAIN", ["no_passage_answers"])), ({"answers": "answers"}, {}, ("ANSWER", [])),
                ({"answers": "answers"}, {"score": 0.5}, ("ABSTAIN", ["no_passage_answers"])),
                ({"conflict": "contradicts"}, {}, ("ABSTAIN", ["conflict_detected", "policy"])),
                ({"conflict": "neutral"}, {"chunks": [chunk("SSNs must be encrypted."),
                                                      chunk("SSNs are kept in plaintext.", "b")]}, ("ANSWER", []))):
            self.assertEqual(self.judged(relations, **more)[:2], want, relations)
        found = self.judged({"conflict": "contradicts"})[2]["conflicts"]["pairs"][0]
        self.assertEqual((found["kind"], found["reason"]), ("j", "judged by j"))
        self.assertEqual(self.judged({"answers": "answers"})[2]["signals"]["answer_confidence"], 0.9)

    def test_supersede(self):
        chunks = [chunk("SSNs must be encrypted.", timestamp="2026-03-01"), chunk("SSNs are kept in plaintext.", "b")]
        found = self.decide("What is this?", chunks, supersede="always")
        self.assertEqual((found["decision"], found["superseded"]), ("ANSWER", [{"chunk_id": "a#p0", "by": "b#p0"}]))
        self.assertEqual(self.outcome("Which encryption is used now?", chunks)[0], "ANSWER")
        self.assertEqual(self.outcome("What is this?", chunks)[0], "ABSTAIN")
        self.assertEqual(self.outcome("Which encryption is used now?", chunks, supersede="never")[0], "ABSTAIN")

    def test_thresholds(self):
        def days(query, **config):
            return self.decide(query, **config)["thresholds"]
        self.assertEqual(days("Which policy?"), {"conf_max": 0.7, "freshness_days": 30, "min_chunks": 2, "floor": 0.2})
        self.assertEqual(days("What?"), {"conf_max": 0.6, "freshness_days": 90, "min_chunks": 2, "floor": 0.2})
        self.assertEqual(days("Which policy?", freshness_days=7)["freshness_days"], 7)
        self.assertEqual(days("Which policy?", freshness_days=0)["freshness_days"], 30)
        self.assertEqual(days("Which policy?", freshness_days_high_risk=0)["freshness_days"], 90)
        self.assertEqual(days("What?", freshness_days=0)["freshness_days"], 0)

    def test_messages(self):
        long = "SSNs must be encrypted. " + "x" * 200
        found = self.decide(chunks=[chunk(long), chunk("SSNs are kept in plaintext.", "b")])
        self.assertEqual(found["user_message"], (
            "I can't answer definitively because the retrieved sources conflict. Source A (a) says: %s... While Source B"
            " (b) says: SSNs are kept in plaintext. Please confirm the authoritative policy or escalate to an owner.") % (
                long[:150]))
        self.assertIsNone(self.decide()["user_message"])
        self.assertIsNone(self.decide()["validation"])

    def test_malformed_config(self):
        for config in ({"x": 1}, {"judge": "x"}, {"judge_answers": []}, {"min_confidence": 0.5}, {"top_k": 0}, {"top_k": 51}, {"min_chunks": -1}, {"caveats": 1}, {"rerank": "x"},
                       {"freshness_bias": 1.5}):
            with self.assertRaises(tool.Broken):
                self.decide(**config)


class Limits(unittest.TestCase):
    """Hostile input must not take long."""

    def cost(self, text):
        """The seconds that a text takes, in each place of a decision."""
        start = time.process_time()
        chunks = tool.read_chunks([chunk(text), chunk(text + "SSN", "b")])
        tool.find_conflicts(chunks, RULES)
        tool.check_citations(["a#p0"], chunks, text, RULES)
        tool.ambiguity_of(tool.Text(text), RULES)
        return time.process_time() - start

    def test_cost_grows_with_the_length(self):
        for text in ("may ", "not may ", "encrypt a a ", "no refunds ", "1,234", "1 day ", "\u201c", '"a b c" ', "[1]",
                     "\n", "- \n", "SSN. ", "9", "don't ", "plaintext not ", "\u00ad.", "cancel of "):
            short, long = self.cost(text * 1000), self.cost(text * 4000)
            self.assertLess(long, 10 * short + 0.2, text)


class Documents(unittest.TestCase):
    """decision/v1: closure and replay."""

    def document(self, proposed=None, config=None, query="Which policy holds for SSNs?", chunks=None, **more):
        """A document that is valid, except for its signature."""
        chunks = chunks or [chunk("SSNs must be encrypted at rest."), chunk("Invoices are sent by mail.", "b")]
        config = {**tool.CONFIG, **(config or {})}
        return decision.completed({
            "query": query, "evaluated_at": NOW, "retrieval": {"top_k": Num("5"), "chunks": chunks}, "config": config,
            "rules": oracle.parse(decision.SHIPPED_TEXT), "proposed": proposed, **more})

    def given(self, answer="SSNs must be encrypted at rest.", citations=("a#p0",)):
        """A proposal by the caller."""
        return {"by": "caller", "answer": answer, "citations": citations and list(citations)}

    def good(self, document):
        tool.decision_closure(document)
        tool.decision_replay(document)

    def reason(self, check, document):
        with self.assertRaises(tool.Broken) as caught:
            check(document)
        return str(caught.exception)

    def test_good(self):
        conflict = [chunk("SSNs must be encrypted."), chunk("SSNs are kept in plaintext.", "b")]
        for document, outcome in ((self.document(), "ANSWER"), (self.document(self.given()), "ANSWER"),
                                  (self.document(query="What is it?", config={"min_chunks": Num("9")}), "ABSTAIN"),
                                  (self.document(query="How do I cancel?"), "CLARIFY"),
                                  (self.document(chunks=conflict), "ABSTAIN"),
                                  (self.document(self.given("Unclear.", None)), "ABSTAIN"),
                                  (self.document(self.given("x", ["y"])), "BLOCK")):
            self.assertEqual(document["decision"], outcome)
            self.good(document)
        self.assertEqual(self.document(chunks=conflict)["citations"], ["a#p0", "b#p0"])
        self.assertEqual(self.document()["answer"], '"SSNs must be encrypted at rest." [1] "Invoices are sent by mail." [2]')

    def test_judges(self):
        given = {"config": {"judge_entailment": "j"}, "proposed": self.given("Cats sleep well.")}
        bare = self.document(**given)
        self.assertEqual(bare["reasons"], ["not_judged", "weak_citation_support"])
        self.good(bare)
        said = {"pair": bare["to_judge"][0]["pair"], "kind": "entailment", "relation": "supports", "score": Num("0.9"),
                "judge": "j", "version": "1", "origin": "reported", "by": "worker", "judged_at": NOW}
        document = self.document(judgements=[said], **given)
        self.assertEqual((document["decision"], document["to_judge"]), ("ANSWER", []))
        self.good(document)
        self.assertEqual(tool.decision_replay(document)["judged"],
                         ["sentence 0: supported, judged by j (m, 1), measured never, reported by worker"])
        self.assertEqual(tool.decision_replay(bare)["judged"], ["sentence 0: not_judged, not judged"])
        stray = {**said, "pair": "sha256:" + "0" * 64}
        self.assertEqual(self.reason(tool.decision_replay, {**document, "judgements": [said, stray]}),
                         "recomputing gives something else")
        for change in ({"judgements": []}, {"judgements": [{**said, "relation": "neutral"}]}):
            self.assertEqual(self.reason(tool.decision_replay, {**document, **change}), "recomputing gives something else")
        for change, reason in (({"judgements": [{**said, "version": "2"}]}, "a judgement is of no judge"),
                               ({"judges": []}, "judges are not those of the config"),
                               ({"judges": 1}, "judges is malformed"), ({"stale": ["x"]}, "a chunk is none of the document"),
                               ({"quotes": [{"chunk_id": "a#p0", "text": "x"}]}, "a quote is no part of its chunk"),
                               ({"reasons": ["judge_failed: x"]}, "a judge failed that was not to judge")):
            self.assertEqual(self.reason(tool.decision_closure, {**document, **change}), reason)

    def test_earlier(self):
        evaluator = {"rules": ["decision/1"]}
        self.assertEqual(tool.decision_replay({"reproduce": {"evaluator": evaluator}}), {"incomplete": "rules decision/1"})

    def test_rules(self):
        shipped, whole = oracle.parse(decision.SHIPPED_TEXT), self.document()
        bare, other = oracle.without(whole, "rules"), "sha256:" + "7" * 64
        self.good(bare)
        own = {**shipped, "topics": [*shipped["topics"][1:], {"entry": "mail", "family": "mail"}],
               "units": {**shipped["units"], "letters": ["letter", "letters"]}}
        made = decision.completed({key: whole[key] for key in ("query", "evaluated_at", "retrieval", "config")} | {"rules": own})
        differs = {"base": tool.digest(shipped), "removed": {"topics": shipped["topics"][:1]},
                   "added": {"topics": own["topics"][-1:], "units": {"letters": own["units"]["letters"]}}}
        made = {**made, "rules": differs}
        self.good(made)
        self.assertEqual(tool.rules_of_decision(made, ()), own)
        named = {"evaluator": {"digests": {**bare["reproduce"]["evaluator"]["digests"], "decision_rules": other}}}
        for document in ({**bare, "reproduce": named}, {**made, "rules": {**differs, "base": other}}):
            tool.decision_closure(document)
            digest = document["reproduce"]["evaluator"]["digests"]["decision_rules"]
            self.assertEqual(tool.decision_replay(document), {"incomplete": "rules " + digest})
        bare_unknown = {**bare, "rules": {**differs, "base": other}}
        self.good(bare_unknown)
        self.assertEqual(self.reason(tool.decision_replay, {**bare_unknown, "risk": None}), "recomputing gives something else")
        # with the rules it can be decided again
        self.assertIsNone(tool.decision_replay({**made, "rules": {**differs, "base": other}}, tool.Terms(rules=(own,))))
        for rules, reason in (({**differs, "added": {}}, "the rules do not hash to their digest"),
                              ({**differs, "more": {}}, "the rules are malformed"), ({**differs, "base": "x"}, "the rules are malformed"),
                              ({**differs, "removed": []}, "the rules are malformed")):
            for check in (tool.decision_closure, tool.decision_replay):
                self.assertEqual(self.reason(check, {**made, "rules": rules}), reason)
        self.assertEqual(self.reason(tool.decision_closure, {**bare, "reproduce": None}), "the rules do not hash to their digest")

    def test_config(self):
        whole = self.document(config={"min_chunks": Num("1")})
        self.assertEqual(set(whole["config"]), set(tool.CONFIG))
        short = {**whole, "config": {"min_chunks": Num("1")}}
        self.good(short)
        self.assertEqual(tool.config_of(short), whole["config"])
        for config, reason in (({}, "the config does not hash to its digest"), (None, "the config does not hash to its digest"),
                               ({**short["config"], "colour": True}, "the config does not hash to its digest")):
            self.assertEqual(self.reason(tool.decision_closure, {**short, "config": config}), reason)

    def test_closure(self):
        document = self.document(self.given())
        chunks = document["retrieval"]["chunks"]
        for change, reason in (({"answer": "x"}, "answer is not what was decided"),
                               ({"citations": []}, "citations are not what was decided"),
                               ({"citations": ["x"]}, "a citation names no chunk"),
                               ({"decision": "MAYBE"},
                                "decision is none of ANSWER, ANSWER_WITH_" "CAVEATS, CLARIFY, ABSTAIN and BLOCK"),
                               ({"query": None}, "query is no text"),
                               ({"retrieval": {"chunks": chunks[:1] * 2}}, "retrieval.chunks is malformed"),
                               ({"retrieval": {"chunks": [{**chunks[0], "content_hash": "x"}, chunks[1]]}},
                                "a chunk does not hash to its content_hash"),
                               ({"conflicts": {"pairs": [{}]}}, "a conflict is not between two of the chunks"),
                               ({"proposed": {**self.given("x"), "by": "extract"}}, "the extract is not made of the quotes"),
                               ({"proposed": {**self.given(), "by": "x"}}, "proposed is malformed"),
                               ({"rules": {**document["rules"], "allow": []}}, "the rules do not hash to their digest"),
                               ({"config": {**document["config"], "caveats": False}},
                                "the config does not hash to its digest"),
                               ({"reproduce": None}, "the rules do not hash to their digest")):
            self.assertEqual(self.reason(tool.decision_closure, {**document, **change}), reason)
        for key in (*tool.DECISION_MEMBERS, *tool.DECISION_2_MEMBERS):
            self.assertEqual(self.reason(tool.decision_closure, {k: v for k, v in document.items() if k != key}),
                             key + " is missing")
        own = tool.text_digest(chunks[0]["text"])
        self.good(self.document(self.given(), chunks=[{**chunks[0], "content_hash": own}, chunks[1]]))

    def test_replay(self):
        document = self.document(self.given())
        for field in tool.DECISION_REPLAYED:
            for value in (None, "x", {}, [], True, Num("7")):
                changed = {**document, field: value}
                if changed[field] == document[field]:
                    continue
                with self.assertRaises(tool.Broken) as caught:
                    tool.decision_replay(changed)
                if field == "reasons" and not (value is not None and isinstance(value, list)):
                    continue        # if it is not a list of texts, it is malformed, and nothing is compared
                self.assertIn(field, [one["field"] for one in caught.exception.more["differences"]])
        for change, reason in (
                ({"evaluated_at": "x"}, "evaluated_at is missing or no instant"), ({"query": None}, "query is no text"),
                ({"rules": {}}, "the rules are malformed"), ({"config": []}, "the config is malformed"),
                ({"config": {"colour": Num("1")}}, "the config is malformed"),
                ({"retrieval": None}, "retrieval.chunks is malformed"), ({"proposed": 1}, "proposed is malformed"),
                ({"judgements": 1}, "judgements is malformed"), ({"judgements": [1]}, "judgements is malformed")):
            self.assertEqual(self.reason(tool.decision_replay, {**document, **change}), reason)
        later = {**document, "evaluated_at": "2026-06-01T00:00:00Z"}
        self.assertEqual(self.reason(tool.decision_replay, later), "recomputing gives something else")

    def test_nothing_makes_it_fail(self):
        rng = random.Random(1)
        for _ in range(100):
            document = decision.sample_document(rng)
            self.good(document)
            changed = copy.deepcopy(document)
            for _ in range(rng.randrange(1, 4)):
                self.spoil(rng, changed)
            for check in (tool.decision_closure, tool.decision_replay):
                try:
                    check(changed)
                except tool.Broken:
                    pass

    def spoil(self, rng, value):
        """Replace a value somewhere."""
        while True:
            places = list(value) if isinstance(value, dict) else list(range(len(value)))
            if not places:
                return
            place = rng.choice(places)
            if isinstance(value[place], (dict, list)) and rng.random() < 0.8:
                value = value[place]
                continue
            value[place] = rng.choice((None, True, "x", "", Num("1"), Num("-1"), Num("1e300"), [], {}, [None],
                                       ["a#p0"]))
            return


if __name__ == "__main__":
    unittest.main()
