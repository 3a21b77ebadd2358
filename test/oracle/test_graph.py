#!/usr/bin/python3
# tiers: test
"""Tests of evidence packets in tools/verify; the expected results were worked out by hand from doc/spec/packet.md.

compare.py and offline.py compare it with the extension.
"""

import copy
import hashlib
import json
import random
import time
import unittest
import uuid

import graph
import oracle
import verify_receipts
from graph import DAY, NOW, NOW_UNIX
from oracle import Num, tool


def plain(value):
    """A JSON value of the tool as a plain Python value."""
    return json.loads(oracle.canonical(value))


def record(name="a", labels=("Code",), neighbors=("x", "y"), modified=0, **more):
    """A record of a node."""
    return {"id": "id-" + name, "name": name, "labels": list(labels), "neighbors": list(neighbors),
            "last_modified": Num(str(modified)), **more}


def judged(*records, extended=False, now=NOW, **limits):
    """The veracity of records."""
    nodes = [tool.read_record(one) for one in records]
    return plain(tool.veracity(nodes, tool.instant(now), extended, limits))


def messages(*records, **more):
    """The messages of the faults of records."""
    return [one["message"] for one in judged(*records, **more)["faults"]]


OLD = NOW_UNIX - 90 * DAY


class Veracity(unittest.TestCase):
    """Staleness, orphans, contradictions, coverage."""

    def test_nothing(self):
        self.assertEqual(judged(), {"confidence_score": 100, "is_stale": False, "faults": []})
        self.assertEqual(judged(record()), {"confidence_score": 100, "is_stale": False, "faults": []})

    def test_stale(self):
        found = judged(record("guide", ["Document"], modified=OLD - 1))
        self.assertEqual(found, {"confidence_score": 85, "is_stale": True, "faults": [
            {"type": "STALE_DOC", "message": "'guide' is 90 days old (threshold: 90)",
             "evidence": {"node_id": "id-guide", "days_old": 90, "threshold_days": 90}}]})
        for modified, is_stale in ((OLD, False), (OLD + 1, False), (OLD - 1, True), (1, True), (0, False),
                                   (NOW_UNIX + 10 ** 9, False)):
            self.assertEqual(judged(record(labels=["Document"], modified=modified))["is_stale"], is_stale, modified)
        later = "2026-03-31T12:00:00.000001Z"
        self.assertTrue(judged(record(labels=["Document"], modified=OLD), now=later)["is_stale"])
        for labels in (["Code"], ["document"], ["Document "], ["Documents"], []):
            self.assertFalse(judged(record(labels=labels, modified=1))["is_stale"], labels)
        self.assertTrue(judged(record(labels=["Code", "Document"], modified=1))["is_stale"])
        self.assertTrue(judged(record(labels=["Document"], modified=NOW_UNIX - 1), staleness_days=0)["is_stale"])

    def test_unknown_age_is_not_guessed(self):
        for change in ({"last_modified": None}, {"last_modified": Num("0")}, {"last_modified": Num("0.0")}):
            self.assertFalse(judged({**record(labels=["Document"]), **change})["is_stale"])
        self.assertFalse(judged(oracle.without(record(labels=["Document"]), "last_modified"))["is_stale"])

    def test_orphans(self):
        self.assertEqual(judged(record(neighbors=["x"]))["faults"], [
            {"type": "ORPHANED_NODE", "message": "'a' has only 1 connection(s) (threshold: 2)",
             "evidence": {"node_id": "id-a", "neighbor_count": 1, "threshold": 2}}])
        self.assertEqual(judged(record(neighbors=[]))["confidence_score"], 95)
        alone = oracle.without(record(), "neighbors")
        self.assertEqual(messages(alone), ["'a' has only 0 connection(s) (threshold: 2)"])
        self.assertEqual(messages(record(neighbors=["a", "a"])), [])
        self.assertEqual(messages(record(neighbors=[]), orphan_threshold=0), [])
        self.assertEqual(len(messages(record(neighbors=["x"], neighbor_count=Num("2")))), 1)

    def test_contradictions(self):
        doc = record("doc", ["Document"], ["f", "f", "g"], NOW_UNIX - 40 * DAY)
        code = record("f", ["Function"], modified=NOW_UNIX - 9 * DAY)
        self.assertEqual(judged(doc, code), judged())
        found = judged(doc, code, extended=True, min_results=0)
        self.assertEqual(found["confidence_score"], 60)
        self.assertEqual(found["faults"], [
            {"type": "CONTRADICTION", "message": "'doc' may be outdated: linked code 'f' is 31 days newer",
             "evidence": {"doc_id": "id-doc", "doc_name": "doc", "code_name": "f", "days_difference": 31,
                          "threshold_days": 30}}] * 2)

        def count(*records):
            return len(messages(*records, extended=True, min_results=0))
        day = {"last_modified": Num(str(NOW_UNIX - 10 * DAY))}
        self.assertEqual(count(doc, {**code, **day}), 0)
        self.assertEqual(count(doc, {**code, "last_modified": Num(str(NOW_UNIX - 10 * DAY + 1))}), 2)
        self.assertEqual(count({**doc, "last_modified": Num("0")}, code), 0)
        self.assertEqual(count(doc, {**code, "last_modified": None}), 0)
        for labels, number in ((["Code"], 2), (["Class"], 2), (["File"], 0), (["Document"], 0),
                               (["Function", "Document"], 0)):
            self.assertEqual(count(doc, {**code, "labels": labels}), number, labels)
        # of several nodes with one name the age of the last counts, wherever the document is
        self.assertEqual(count(code, {**code, **day}, doc), 0)
        self.assertEqual(count({**code, **day}, code, doc), 2)
        self.assertEqual(count({**code, **day}, doc, code), 2)

    def test_coverage(self):
        self.assertEqual(judged(record(), extended=True), {"confidence_score": 90, "is_stale": False, "faults": [
            {"type": "LOW_COVERAGE", "message": "Only 1 result(s) found (recommended: 5+)",
             "evidence": {"result_count": 1, "min_results": 5}}]})
        self.assertEqual(judged(*[record()] * 5, extended=True)["faults"], [])

    def test_order_and_limits(self):
        doc = record("d", ["Document"], ["f"], OLD - DAY)
        code = record("f", neighbors=[], modified=NOW_UNIX)
        found = judged(doc, code, {**doc, "name": "e"}, extended=True)
        self.assertEqual([one["type"] for one in found["faults"]],
                         ["STALE_DOC"] * 2 + ["ORPHANED_NODE"] * 3 + ["CONTRADICTION"] * 2 + ["LOW_COVERAGE"])
        self.assertEqual([one["message"].split("'")[1] for one in found["faults"][:-1]],
                         ["d", "e", "d", "f", "e", "d", "e"])
        self.assertEqual(found["confidence_score"], 5)
        self.assertEqual(judged(*[doc] * 6)["confidence_score"], 0)

    def test_malformed_records(self):
        for one in graph.WRONG_RECORDS:
            with self.assertRaises(tool.Broken):
                judged(one)

    def test_many_records(self):
        nodes = [tool.read_record(record(str(i), ["Document"], [str(i + 1)], 1 + i)) for i in range(20000)]
        start = time.process_time()
        tool.veracity(nodes, tool.instant(NOW), True)
        self.assertLess(time.process_time() - start, 5)


class Scores(unittest.TestCase):
    """text-score/2, worked out by hand."""

    def test_covers(self):
        # lamp and oil weigh 1 each; the sentence before and the title may have what a sentence lacks
        self.assertEqual(graph.text_score("lamp oil", "lamp oil", ""), 10000)
        self.assertEqual(graph.text_score("lamp oil", "lamp", ""), 5000)
        self.assertEqual(graph.text_score("lamp oil", "Lamp. Oil.", ""), 8333)
        self.assertEqual(graph.text_score("lamp oil", "lamp", "oil"), 8333)
        self.assertEqual(graph.text_score("lamp oil", "", "oil lamp"), 10000)
        # stems of more than four characters weigh 2: bright is 2, lamp is 1
        self.assertEqual(graph.text_score("the bright lamps", "Lamp.", ""), 3333)
        self.assertEqual(graph.text_score("the bright lamps", "Bright!", ""), 6667)

    def test_need(self):
        self.assertEqual(graph.text_score("lamp v2", "lamp", ""), 2500)
        self.assertEqual(graph.text_score("lamp 30 m", "lamp 30 m", ""), 10000)
        self.assertEqual(graph.text_score("lamp", "...", "..."), 0)
        self.assertEqual(graph.text_score("...", "x", ""), 0)


def node(ident, **more):
    """A node of a graph."""
    return {"id": ident, "name": ident, "labels": ["Code"], "path": "src/" + ident, "last_modified": 0,
            "source_path": "src/" + ident, "content_hash": tool.text_digest(ident), "extraction_method": "ctags",
            "indexed_at": "2026-01-02T03:04:05Z", **more}


def packet(nodes, edges=(), question="lamp", **options):
    """The packet of a graph."""
    return copy.deepcopy(graph.packet_of("p", nodes, list(edges), question, {"now": NOW, **options}))


def ids(entries):
    """The ids of entries."""
    return [one["id"] for one in entries]


class Packets(unittest.TestCase):
    """The contents of packets."""

    def test_whole(self):
        nodes = [node("lamp", labels=["Function", "Code"], start_line=3, end_line=9, docstring="Lights."),
                 node("guide", labels=["Document"], text="The lamp.", doc_type="markdown", last_modified=OLD - 1),
                 node("other", name="oil", path="z")]
        found = packet(nodes, [("guide", "lamp", "DEFINES"), ("lamp", "lamp", "CALLS"), ("lamp", "other", "CALLS")])
        self.assertEqual(found["code_truth"], [
            {"id": "lamp", "name": "lamp", "type": ["Function", "Code"], "path": "src/lamp", "score": Num("0.6667"),
             "start_line": Num("3"), "end_line": Num("9"), "docstring": "Lights.",
             "neighbors": ["guide", "lamp", "oil"], "neighbor_count": Num("3"), "provenance": {
                 "source_path": "src/lamp", "content_hash": tool.text_digest("lamp"), "extraction_method": "ctags",
                 "indexed_at": "2026-01-02T03:04:05Z"}}])
        self.assertEqual(found["doc_claims"][0]["last_modified"], Num(str(OLD - 1)))
        self.assertEqual(found["graph_relationships"], [
            {"from": "guide", "to": "lamp", "type": "DEFINES", "from_id": "guide", "to_id": "lamp"},
            {"from": "lamp", "to": "lamp", "type": "CALLS", "from_id": "lamp", "to_id": "lamp"}])
        self.assertEqual((found["status"], found["suggested_actions"]), ("success", []))
        self.assertEqual(plain(found["context_veracity"])["confidence_score"], 80)
        self.assertEqual(tool.packet_violations(found), [])

    def test_no_match(self):
        for found in (packet([]), packet([node("a")], question="zebra"), packet([node("a")], question="?")):
            self.assertEqual(found["status"], "insufficient_evidence")
            self.assertEqual(plain(found["context_veracity"]), {"confidence_score": 0, "is_stale": False, "faults": [
                {"type": "NO_MATCH", "message": "No relevant context found in knowledge graph.", "evidence": {}}]})
            self.assertEqual(found["suggested_actions"], [
                "Load the project with answer_graph_load().",
                "Check that the project name is spelled as in answer.graph_project.",
                "Ask more specifically: name a file, class, function or document."])
            self.assertEqual(tool.packet_violations(found), [])

    def test_order(self):
        alike = {"name": "lamp", "labels": ["Code"]}
        nodes = [node(ident, path=path, **alike) for ident, path in (
            ("b", "a"), ("a", "a"), ("c", "Z"), ("d", "\uff5e"), ("e", "\U0001f600"), ("g", "a/b"), ("h", "a b"))]
        random.Random(1).shuffle(nodes)
        found = packet(nodes)
        self.assertEqual(ids(found["code_truth"]), ["c", "a", "b", "h", "g", "d", "e"])

    def test_limit_and_neighbours(self):
        nodes = [node("n%03d" % i, name="lamp", path="p%03d" % i) for i in range(60)] + [node("hub")]
        edges = [("n%03d" % i, "hub", "CALLS") for i in range(60)] + [("hub", "n000", "CALLS")]
        found = packet(nodes, edges)
        self.assertEqual(len(found["code_truth"]), 20)
        found = packet(nodes, edges, question="hub", limit=Num("1"))
        self.assertEqual((found["code_truth"][0]["neighbors"], found["code_truth"][0]["neighbor_count"]),
                         (["lamp"] * 50, Num("61")))
        self.assertEqual(packet(nodes[:2] + nodes[-1:], edges[:2])["graph_relationships"], [])

    def test_floor(self):
        # the nodes have 3, 2 and 1 of the 3 words
        nodes = [node("n3", name="lamp oil wick"), node("n2", name="lamp oil"), node("n1", name="lamp")]
        question = "lamp oil wick"

        def found(kept=nodes, **options):
            return ids(packet(kept, (), question, **options)["code_truth"])
        self.assertEqual(found(), ["n3", "n2"])
        self.assertEqual(found(min_score=Num("0.6667")), ["n3", "n2"])
        self.assertEqual(found(min_score=Num("0.66670000001")), ["n3"])
        self.assertEqual(found(min_score=Num("0")), ["n3", "n2"])
        self.assertEqual(found(limit=Num("1")), ["n3"])
        # "best" means the best of the nodes that pass the filter of paths
        self.assertEqual(found(paths=["src/n1"]), ["n1"])
        self.assertEqual(found(paths=["src/n1"], min_score=Num("0.3334")), [])
        self.assertEqual(found(nodes[1:]), ["n2"])
        # 1 of weight 5 reaches the default least score, 1 of weight 7 does not
        question = "lamp bronze copper"
        self.assertEqual(found(), ["n1", "n2", "n3"])
        question = "lamp bronze copper silver"
        self.assertEqual((found(), found(min_score=Num("0.1"))), ([], ["n1", "n2", "n3"]))

    def test_least_score_of_a_packet(self):
        good = packet([node("lamp")], min_score=Num("0.5"))
        self.assertEqual(tool.packet_violations(good), [])
        for value in (Num("1.0001"), Num("-0.5"), "0.5", True):
            good["meta"]["options"]["min_score"] = value
            good["content_hash"] = tool.packet_hash(good)
            self.assertEqual(len(tool.packet_violations(good)), 1, value)

    def test_query_id(self):
        # the example of RFC 9562, appendix B.2
        digest = hashlib.sha256(uuid.NAMESPACE_DNS.bytes + b"www.example.com").hexdigest()
        self.assertEqual(graph.uuid_of("sha256:" + digest), "5c146b14-3c52-8afd-938a-375d0df1fbf6")

    def test_hash(self):
        nodes, edges = [node("lamp"), node("lamps")], [("lamp", "lamps", "CALLS")]
        first = packet(nodes, edges)
        later = [{**one, "indexed_at": "2027-01-01T00:00:00Z"} for one in reversed(nodes)]
        again = packet(later, edges, now="2026-03-31T12:00:01Z", query_id="mine")
        self.assertEqual(first["content_hash"], again["content_hash"])
        self.assertNotEqual(first["content_hash"], packet(nodes, edges, "lamp?")["content_hash"])
        self.assertNotEqual(first["content_hash"], packet(nodes)["content_hash"])
        self.assertNotEqual(first["content_hash"], packet(nodes, edges, extended=True)["content_hash"])


class Validation(unittest.TestCase):
    """Every violation is listed."""

    def setUp(self):
        self.good = packet([node("lamp"), node("guide", labels=["Document"], text="lamp", doc_type="md")])

    def count(self, change):
        made = copy.deepcopy(self.good)
        change(made)
        return len(tool.packet_violations(made))

    def test_each(self):
        self.assertEqual(self.count(lambda p: None), 0)
        for key in tool.META_FORM:
            self.assertEqual(self.count(lambda p, k=key: p["meta"].pop(k)), 1, key)
            self.assertEqual(self.count(lambda p, k=key: p["meta"].update({k: ""})), 1, key)
        self.assertEqual(self.count(lambda p: p.pop("meta")), 1)
        self.assertEqual(self.count(lambda p: p["meta"].update(schema_version="1.1")), 1)
        for key in ("id", "path", "name", "score", "type"):
            self.assertEqual(self.count(lambda p, k=key: p["code_truth"][0].pop(k)), 1, key)
        for key in ("id", "path", "name", "score", "last_modified", "doc_type"):
            self.assertEqual(self.count(lambda p, k=key: p["doc_claims"][0].pop(k)), 1, key)
        for key in ("confidence_score", "is_stale", "faults"):
            self.assertEqual(self.count(lambda p, k=key: p["context_veracity"].pop(k)), 1, key)
        self.assertEqual(self.count(lambda p: p.update(status="ok")), 1)
        self.assertEqual(self.count(lambda p: p["code_truth"][0].update(score=Num("1.0001"))), 1)

    def test_prose(self):
        for key in ("technical_brief", "summary", "brief", "explanation"):
            self.assertEqual(self.count(lambda p, k=key: p.update({k: "It is so."})), 1, key)
            self.assertEqual(self.count(lambda p, k=key: p["code_truth"][0].update({k: ""})), 1, key)
        self.good["meta"]["mode"] = "synthesis"
        self.good["content_hash"] = tool.packet_hash({**self.good, "technical_brief": "It is so."})
        self.assertEqual(self.count(lambda p: p.update(technical_brief="It is so.")), 0)
        self.assertEqual(self.count(lambda p: p.update(summary="It is so.")), 2)
        self.assertEqual(self.count(lambda p: p.update(technical_brief="")), 1)

    def test_all_at_once(self):
        self.assertEqual(self.count(lambda p: (p["meta"].pop("project"), p["code_truth"][0].pop("id"),
                                               p["doc_claims"][0].pop("doc_type"), p.pop("status"))), 4)

    def test_no_packet(self):
        for value in (None, [], "x", Num("1")):
            self.assertEqual(len(tool.packet_violations(value)), 1)
        self.assertEqual(len(tool.packet_violations({})), 8)

    def test_limit(self):
        alike = [node("n%02d" % i, name="lamp") for i in range(21)]
        whole = packet(alike, limit=Num("21"))
        self.assertEqual(tool.packet_violations(whole), [])
        for options, count in (({}, 1), ({"limit": Num("20")}, 1), ({"limit": Num("21")}, 0), ({"limit": None}, 1)):
            whole["meta"]["options"] = options
            whole["content_hash"] = tool.packet_hash(whole)
            self.assertEqual(len(tool.packet_violations(whole)), count, options)

    def test_options(self):
        for options in ({"limit": Num("0")}, {"limit": Num("1001")}, {"limit": "2"}, {"labels": "It is so."},
                        {"paths": []}, {"paths": [[]]}, {"extended": Num("1")}, {"log": None}, {"embedding": []},
                        {"embedding": ["It is so."]}, {"embedding": ["1"]}):
            self.assertEqual(self.count(lambda p, o=options: p["meta"].update(options=o)), 1, options)
        self.good["meta"]["options"] = {"embedding": [Num("1"), "0.1000000014901161193847656"], "labels": ["Code"]}
        self.good["content_hash"] = tool.packet_hash(self.good)
        self.assertEqual(self.count(lambda p: None), 0)

    def test_signature(self):
        self.assertEqual(self.count(lambda p: p.update(signature={"sig": "x"})), 0)
        self.assertEqual(self.count(lambda p: p.update(signature={"sig": "", "summary": "It is so."})), 2)

    def test_what_does_not_follow(self):
        self.assertEqual(self.count(lambda p: p.update(content_hash="sha256:" + "0" * 64)), 1)
        self.assertEqual(self.count(lambda p: p["meta"].update(question="x")), 1)
        self.assertEqual(self.count(lambda p: p["context_veracity"].update(confidence_score=Num("1"))), 2)
        self.assertEqual(self.count(lambda p: p["code_truth"].append(p["code_truth"][0])), 1)
        self.assertEqual(self.count(lambda p: p["code_truth"][0].update(type=["Document"])), 1)
        self.assertEqual(self.count(lambda p: p["code_truth"][0].update(neighbor_count=Num("3"))), 1)
        self.assertEqual(self.count(lambda p: p["code_truth"][0].update(score=Num("1.0"))), 1)


class Documents(unittest.TestCase):
    """packet/v1: closure and replay."""

    def setUp(self):
        nodes = [node("lamp", labels=["Function"], last_modified=NOW_UNIX),
                 node("lamps", last_modified=NOW_UNIX),
                 node("guide", labels=["Document"], text="lamp", doc_type="md", last_modified=OLD - DAY)]
        edges = [("guide", "lamp", "DEFINES"), ("lamp", "lamps", "CALLS"), ("guide", "lamps", "DEFINES")]
        self.packet = packet(nodes, edges, extended=True)

    def good(self, made):
        tool.packet_closure({"packet": made})
        tool.packet_replay({"packet": made})

    def reason(self, check, made):
        with self.assertRaises(tool.Broken) as caught:
            check({"packet": made})
        return str(caught.exception), [one["field"] for one in caught.exception.more.get("differences", ())]

    def test_good(self):
        self.good(self.packet)
        self.good(packet([]))

    def test_replay(self):
        def differs(expected, change, rehash=True):
            made = copy.deepcopy(self.packet)
            change(made)
            if rehash:
                made["content_hash"] = tool.packet_hash(made)
            # the recomputed packet is hashed, so the hash differs if anything else does
            more = ["content_hash"] * (rehash and expected not in ([], ["content_hash"]))
            self.assertEqual(self.reason(tool.packet_replay, made)[1], expected + more)
        differs([], lambda p: p.update(content_hash="x"), False)
        differs(["content_hash"], lambda p: p.update(content_hash="sha256:" + "0" * 64), False)
        differs(["content_hash"], lambda p: p["meta"].update(question="x"), False)
        differs(["code_truth"], lambda p: p["code_truth"].reverse())
        differs(["graph_relationships"], lambda p: p["graph_relationships"].reverse())
        differs(["graph_relationships"], lambda p: p["graph_relationships"].append(p["graph_relationships"][-1]))
        differs(["graph_relationships"], lambda p: p["graph_relationships"][0].update({"from": "lamp"}))
        differs(["context_veracity"], lambda p: p["context_veracity"].update(confidence_score=Num("100")))
        differs(["context_veracity"], lambda p: p["context_veracity"]["faults"].pop())
        differs(["context_veracity"], lambda p: p["context_veracity"]["faults"].reverse())
        differs(["context_veracity"], lambda p: p["doc_claims"][0].update(last_modified=Num("0")))
        differs([], lambda p: p["doc_claims"][0]["neighbors"].reverse())
        differs([], lambda p: p["code_truth"][0].update(neighbor_count=Num("0")))
        differs(["code_truth"], lambda p: p["code_truth"][0].update(score=Num("0.50")))
        differs(["context_veracity", "code_truth", "doc_claims"], lambda p: p["doc_claims"][0].update(type=["File"]))
        differs(["graph_relationships"], lambda p: p["graph_relationships"][0].update(to_id="none"))
        differs(["suggested_actions"], lambda p: p["suggested_actions"].append("Rest."))
        differs(["status"], lambda p: p.update(status="insufficient_evidence"))
        differs(["context_veracity"], lambda p: p["meta"].update(timestamp="2026-07-01T00:00:00Z"))
        differs(["context_veracity"], lambda p: p["meta"]["options"].update(extended=False))

    def test_nothing_else_is_hashed(self):
        made = copy.deepcopy(self.packet)
        made["meta"]["query_id"] = "other"
        made["code_truth"][0]["provenance"]["indexed_at"] = "2027-01-01T00:00:00Z"
        self.good(made)

    def test_closure(self):
        meta, code = self.packet["meta"], self.packet["code_truth"]
        for change, reason in (
                ({"status": "ok"}, "packet.status is unknown"),
                ({"code_truth": Num("1")}, "packet.code_truth is not what it must be"),
                ({"meta": {**meta, "mode": "synthesis"}, "technical_brief": "x"},
                 "the packet has another mode than evidence-only"),
                ({"doc_claims": self.packet["doc_claims"] * 2}, "an id stands twice in the packet"),
                ({"code_truth": [{**code[0], "type": ["Document"]}]}, "a Document has no doc_type"),
                ({"summary": "x"}, "packet has an unknown member")):
            self.assertEqual(self.reason(tool.packet_closure, {**self.packet, **change})[0], reason)
        for value in (None, [], "x"):
            self.assertEqual(self.reason(tool.packet_closure, value)[0], "packet is missing")

    def test_nothing_makes_it_fail(self):
        rng = random.Random(1)
        for _ in range(300):
            made = graph.sample_packet(rng)
            self.good(made)
            for _ in range(rng.randrange(1, 4)):
                places = verify_receipts.places(made, [])
                container, key = rng.choice(places)
                container[key] = rng.choice((None, True, "x", "", Num("1"), Num("-1"), Num("1e300"), Num("1e999999"),
                                             [], {}, [None], ["x"], Num("0.5")))
            for check in (tool.packet_closure, tool.packet_replay):
                try:
                    check({"packet": made})
                except tool.Broken:
                    pass


if __name__ == "__main__":
    unittest.main()
