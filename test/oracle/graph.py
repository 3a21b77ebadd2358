"""Cases for text-score/2, veracity, evidence packets and their validation, with the results that doc/spec/packet.md demands.

Veracity, order, hash and schema are those of tools/verify. Added here are the parts that need the graph or SQL:
the score of a text, the search, the neighbours, a whole packet, and SQLSTATEs.
"""

import copy
import fractions
import functools
import json
import uuid

import decision
import oracle
import verify_receipts
from decision import as_sql, instant_of, json_of, required
from oracle import Num, tool

NOW = "2026-03-31T12:00:00Z"
NOW_UNIX = tool.unix_time(tool.instant(NOW))
DAY = 86400


# --------------------------------------------------------------------------
# text-score/2
# --------------------------------------------------------------------------

WHOLE = 10000
MOST_DAYS = 3650000


@functools.lru_cache(maxsize=4096)
def passage_of(text, title):
    """The readings of a passage by the shipped rules, cached because nodes are searched more than once."""
    return tool.read_passage(text, title, decision.rules_of(None).reading)


def text_score(query, text, title, rules=None):
    """The similarity in units of 1/10000; the query may be parsed already."""
    rules = rules or decision.rules_of(None).reading
    query = query if isinstance(query, tool.Question) else tool.Question(query, rules)
    shipped = rules is decision.rules_of(None).reading
    score, _ = tool.best_of(query, *(passage_of(text, title) if shipped else tool.read_passage(text, title, rules)))
    return int(score * WHOLE)


@as_sql
def expect_text_score(case):
    """The similarity of one text."""
    return text_score(required(case["query"]), required(case["text"]), case["title"] or "",
                      decision.rules_of(case["rules"]).reading)


# --------------------------------------------------------------------------
# Veracity and validation
# --------------------------------------------------------------------------

def limits_of(config):
    """(whether faults are extended, the limits) of a configuration."""
    tool.need(isinstance(config, dict) and set(config) <= {"extended", *tool.VERACITY}, "config")
    extended = config.get("extended", False)
    tool.need(isinstance(extended, bool), "extended")
    limits = {key: tool.count_of(value) for key, value in config.items() if key != "extended"}
    tool.need(all(value is not None and value <= (MOST_DAYS if key.endswith("_days") else tool.MAX_COUNT)
                  for key, value in limits.items()), "a limit")
    return extended, limits


@as_sql
def expect_veracity(case):
    """The score and the faults of records."""
    records, now = oracle.parse_jsonb(required(case["records"])), instant_of(case["now"])
    tool.need(isinstance(records, list), "records")
    nodes = [tool.read_record(one) for one in records]
    return tool.veracity(nodes, now, *limits_of({} if case["config"] is None else oracle.parse_jsonb(case["config"])))


def expect_packet_validate(case):
    """How many violations a packet has."""
    return tool.number(len(tool.packet_violations(json_of(required(case["packet"])))))


# --------------------------------------------------------------------------
# A packet of a graph
# --------------------------------------------------------------------------

OPTIONS = {"limit", "min_score", "now", "query_id", "labels", "paths", "embedding", "extended", "log"}
UNSHOWN = {"now", "query_id", "log"}
DEFAULT_LIMIT, MAX_LIMIT = 20, 1000
DEFAULT_LEAST, NEAR_BEST = Num("0.20"), fractions.Fraction(2, 3)
PROVENANCE = ("source_path", "content_hash", "extraction_method", "indexed_at")
def joined(*texts):
    """The texts that are not empty, separated by blank lines."""
    return "\n\n".join(one for one in texts if one is not None)


def searched_of(node):
    """(text, title) by which a node is found."""
    return joined(node.get("docstring"), node.get("text")), joined(node["name"], node["path"].rstrip("/").split("/")[-1])


def scored(nodes, question, least=DEFAULT_LEAST):
    """(score, node) of the nodes that a question finds, from the least score and two thirds of the best on."""
    question = tool.Question(question, decision.rules_of(None).reading)
    hits = [(text_score(question, *searched_of(node)), node) for node in nodes]
    best = max((score for score, _ in hits), default=0)
    floor = max(1, tool.fraction_of(least) * WHOLE, round(best * NEAR_BEST))
    return [hit for hit in hits if hit[0] >= floor]


def is_wanted(node, options):
    """Whether a node passes the filters."""
    labels, paths = options.get("labels"), options.get("paths")
    return (labels is None or bool(set(labels) & set(node["labels"]))) and \
        (paths is None or any(node["path"] == one or node["path"].startswith(one.rstrip("/") + "/") for one in paths))


def neighbours(node, by_id, edges):
    """The nodes at the other ends of a node's edges, in their order."""
    found = [by_id[b if a == node["id"] else a] for a, b, _ in edges if node["id"] in (a, b)]
    return sorted(found, key=lambda one: (one["name"], one["id"]))


def entry_of(score, node, by_id, edges):
    """The entry of a node."""
    beside, is_doc = neighbours(node, by_id, edges), "Document" in node["labels"]
    entry = {"id": node["id"], "name": node["name"], "type": node["labels"], "path": node["path"],
             "score": tool.rounded(fractions.Fraction(score, WHOLE)),
             "neighbors": [one["name"] for one in beside[:tool.MAX_NEIGHBORS]],
             "neighbor_count": tool.number(len(beside)), "provenance": {
                 **{key: node[key] for key in PROVENANCE}, "indexed_at": written(node["indexed_at"])}}
    if is_doc:
        return {**entry, "last_modified": tool.number(node["last_modified"]), "doc_type": node["doc_type"]}
    for key in ("start_line", "end_line"):
        if node.get(key) is not None:
            entry[key] = tool.number(node[key])
    if node.get("docstring") is not None:
        entry["docstring"] = node["docstring"]
    if node["last_modified"]:
        entry["last_modified"] = tool.number(node["last_modified"])
    return entry


def written(text):
    """An instant as the product writes it."""
    return tool.instant_text(tool.instant(text))


def shown(options):
    """Options as a packet shows them."""
    return oracle.portable({key: value for key, value in options.items() if key not in UNSHOWN and value is not None})


def packet_of(project, nodes, edges, question, options):
    """The packet of a question about a graph; edges are (from, to, type)."""
    by_id, edges = {node["id"]: node for node in nodes}, sorted(set(edges))
    hits = scored([node for node in nodes if is_wanted(node, options)], question, options.get("min_score", DEFAULT_LEAST))
    hits.sort(key=lambda hit: (-hit[0], hit[1]["path"], hit[1]["id"]))
    hits = hits[:tool.count_of(options.get("limit", tool.number(DEFAULT_LIMIT)))]
    entries = [(node, entry_of(score, node, by_id, edges)) for score, node in hits]
    inside = {node["id"] for _, node in hits}
    packet = {
        "meta": {"schema_version": tool.PACKET_SCHEMA, "query_id": "", "timestamp": written(options.get("now", NOW)),
                 "project": project, "question": question, "mode": tool.EVIDENCE_ONLY, "options": shown(options)},
        "code_truth": [entry for node, entry in entries if "Document" not in node["labels"]],
        "doc_claims": [entry for node, entry in entries if "Document" in node["labels"]],
        "graph_relationships": [
            {"from": by_id[a]["name"], "to": by_id[b]["name"], "type": kind, "from_id": a, "to_id": b}
            for a, b, kind in edges if a in inside and b in inside][:tool.MAX_RELATIONSHIPS]}
    packet.update(oracle.without(tool.packet_again(packet), "code_truth", "doc_claims", "graph_relationships",
                                 "content_hash"))
    packet["content_hash"] = tool.packet_hash(packet)
    packet["meta"]["query_id"] = options.get("query_id", uuid_of(packet["content_hash"]))
    return packet


def uuid_of(content_hash):
    """The UUID (version 8) of a query without an id of its own."""
    octets = bytearray.fromhex(content_hash.split(":")[1][:32])
    octets[6], octets[8] = octets[6] & 0x0F | 0x80, octets[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(octets)))


def checked_options(options):
    """Valid options, without those that are null."""
    tool.need(isinstance(options, dict) and set(options) <= OPTIONS, "an option")
    options = {key: value for key, value in options.items() if value is not None}
    limit = tool.count_of(options.get("limit", tool.number(1)))
    tool.need(limit is not None and 1 <= limit <= MAX_LIMIT, "limit")
    tool.need(tool.is_least(options.get("min_score", DEFAULT_LEAST)), "min_score")
    tool.need(all(isinstance(options.get(key, False), bool) for key in ("extended", "log")), "a flag")
    tool.need(all(tool.are_some_words(options.get(key, ["x"])) for key in ("labels", "paths")), "a filter")
    tool.need("now" not in options or tool.instant(options["now"]) is not None, "now")
    tool.need("query_id" not in options or tool.is_word(options["query_id"]), "query_id")
    return options


@as_sql
def expect_packet(case):
    """The packet of the graph that is loaded for a case."""
    nodes, edges = case["graph"]
    question, options = required(case["question"]), checked_options(oracle.parse_jsonb(case["options"]))
    return packet_of("oracle", nodes, edges, question, options)


# --------------------------------------------------------------------------
# Names, nodes, edges
# --------------------------------------------------------------------------

STEMS = ("merge", "merged", "merging", "leaf", "leaves", "tree", "note", "notes", "proof", "proofs", "verify",
         "verifier", "signature", "receipt", "receipts", "packet", "stale", "keyring", "the", "of", "in", "x", "ab",
         "na\u00efve", "\u00c9tude", "\u65e5\u672c", "\u017fum", "v2", "2026")
HOSTILE = ("<script>alert(1)</script>", "\" onload=\"x", "a'; DROP TABLE answer.graph_node; --", "..",
           "../../etc/passwd", "a\x01b", "tab\there", "line\nend", "\\", "%s %d", "{}", "\u202eevil", "\U0001f600",
           "e\u0301", "\u00e9", "\u00ad", "null", "true", "0", "[1]", "{\"id\": 1}", " leading", "trailing ", "\u2028",
           "\ufeff", "&amp;", "$1", "'quoted'", "x" * 300)
LABELS = (("Document",), ("Document",), ("Document", "Code"), ("Code",), ("Function", "Code"), ("Class",),
          ("Function",), ("File",), ("Capability",), ("Component", "Feature"), ("document",), ("Document ",))
TYPES = ("CALLS", "DEFINES", "DEPENDS_ON", "HAS_ASSET", "calls", "\u00e9", "<b>")
MOMENTS = (0, 1, NOW_UNIX, NOW_UNIX - 90 * DAY, NOW_UNIX - 90 * DAY - 1, NOW_UNIX - 90 * DAY + 1, NOW_UNIX - 120 * DAY,
           NOW_UNIX - 60 * DAY, NOW_UNIX - 60 * DAY - 1, NOW_UNIX - 91 * DAY, NOW_UNIX - 91 * DAY - 1, NOW_UNIX + DAY,
           NOW_UNIX - 400 * DAY, NOW_UNIX - 30 * DAY, 1704067200)


def some_name(rng):
    """A name, mostly an awkward one."""
    if rng.random() < 0.25:
        return rng.choice(HOSTILE)
    return rng.choice((" ", "_", ".", "/", "-", "::")).join(rng.choices(STEMS, k=rng.choice((1, 1, 2, 3))))


def some_text(rng):
    """A docstring or a text."""
    return " ".join(rng.choice((rng.choice(STEMS), some_name(rng))) for _ in range(rng.choice((0, 3, 8, 20)))) or None


def some_path(rng):
    """A path."""
    return "/".join(rng.choices(("src", "doc", "a", "b", "A", "\u00e9", "..", "x y"), k=rng.randrange(1, 4))) + \
        rng.choice((".c", ".md", "", ".C"))


def some_node(rng, ident):
    """A node that can be loaded."""
    labels = list(rng.choice(LABELS))
    node = {"id": ident, "name": some_name(rng), "labels": labels, "path": some_path(rng), "docstring": some_text(rng),
            "text": some_text(rng), "last_modified": rng.choice(MOMENTS), "source_path": some_path(rng),
            "content_hash": tool.text_digest(ident), "extraction_method": rng.choice(("ctags", "markdown", "<i>")),
            "indexed_at": rng.choice(("2026-01-02T03:04:05Z", "2026-03-30T00:00:00.5Z"))}
    if rng.random() < 0.5:
        node["start_line"] = rng.randrange(1, 99)
        node["end_line"] = node["start_line"] + rng.randrange(0, 99)
    if "Document" in labels or rng.random() < 0.1:
        node["doc_type"] = rng.choice(("markdown", "text", "<u>"))
    return {key: value for key, value in node.items() if value is not None}


def some_graph(rng):
    """Nodes and edges of a project; some nodes differ only in their id, some have very many edges."""
    size = rng.choice((0, 2, 5, 9, 30) * 10 + (300,))
    idents = rng.sample(HOSTILE, rng.randrange(3)) + ["n%d" % i for i in range(size)]
    nodes = [some_node(rng, one) for one in idents]
    for node in nodes:
        if rng.random() < 0.3:
            node.update({key: value for key, value in rng.choice(nodes).items() if key in (
                "name", "path", "docstring", "text")})
    hub = idents[:1] if rng.random() < 0.2 else idents
    edges = [(rng.choice(hub), rng.choice(idents), rng.choice(TYPES)) for _ in range(
        rng.choice((0, 5, 20, 90) * 10 + (1500,)) if idents else 0)]
    return nodes, list(dict.fromkeys(edges))


def some_question(rng, nodes):
    """A question, mostly one that finds something."""
    words = rng.choices(STEMS, k=rng.randrange(1, 4))
    if nodes and rng.random() < 0.5:
        words.append(rng.choice(nodes)["name"])
    return rng.choice((" ", ", ", "?")).join(words) + rng.choice(("", "?", " ", "\n"))


LEASTS = ("0", "0.0", "0.5", "0.50", "0.4167", "0.6667", "0.66670000000000000000001", "0.8333", "1", "1.0", "1e-5", "2e-1",
          "0.00000000000000000000000000000000000001")


def some_options(rng, nodes):
    """Valid options, as values."""
    options = {"now": rng.choice((NOW, "2026-03-31T14:00:00+02:00", "2026-03-31T12:00:00.000001Z"))}
    if rng.random() < 0.4:
        options["limit"] = Num(rng.choice(("1", "2", "5", "50", "20.0", "1000")))
    if rng.random() < 0.4:
        options["min_score"] = Num(rng.choice(LEASTS))
    if rng.random() < 0.4:
        options["extended"] = rng.random() < 0.8
    if rng.random() < 0.2:
        options["labels"] = rng.sample(("Document", "Code", "Function", "File", "None"), rng.randrange(1, 3))
    if nodes and rng.random() < 0.2:
        path = rng.choice(nodes)["path"]
        options["paths"] = [rng.choice((path, path.split("/")[0], path.split("/")[0] + "/", "nowhere"))]
    if rng.random() < 0.1:
        options["query_id"] = rng.choice(("q1", "\u00e9", "<id>"))
    return options


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

def text_score_case(rng):
    """A case for answer.text_score, with texts as in decisions or names as in graphs."""
    if rng.random() < 0.5:
        query = some_question(rng, [])
        text, title = " ".join(filter(None, (some_text(rng), rng.choice(("", query))))), some_name(rng)
    else:
        query, text, title = (decision.noise(rng, 0, most) for most in (6, 16, 4))
        if rng.random() < 0.5:
            text = rng.choice((text + " " + query, query + text, text + "\n\n" + query))
    return {"query": None if rng.random() < 0.005 else query, "text": None if rng.random() < 0.005 else text,
            "title": None if rng.random() < 0.1 else title, "rules": decision.some_rules(rng)}


WRONG_RECORDS = (None, Num("1"), "x", [], {}, {"id": "a"}, {"id": Num("1"), "name": "a"}, {"id": "a", "name": None},
                 {"id": "a", "name": "a", "labels": "Document"}, {"id": "a", "name": "a", "labels": [Num("1")]},
                 {"id": "a", "name": "a", "neighbors": {}}, {"id": "a", "name": "a", "neighbors": [None]},
                 {"id": "a", "name": "a", "last_modified": "2026-01-01"},
                 {"id": "a", "name": "a", "last_modified": True})
CONFIGS = {"staleness_days": ("0", "30", "90", "91", "90.0", "-1", "1.5", "3650000", "3650001"),
           "orphan_threshold": ("0", "1", "2", "3", "-1"), "contradiction_days": ("0", "30", "29", "31", '"30"'),
           "min_results": ("0", "1", "5", "6", "null")}


def some_config(rng):
    """A configuration of veracity as JSON text, sometimes malformed."""
    if rng.random() < 0.02:
        return rng.choice((None, "[]", "1", '{"other": 1}', '{"extended": 1}', '{"extended": null}'))
    values = {key: rng.choice(CONFIGS[key][:2] if rng.random() < 0.9 else CONFIGS[key])
              for key in CONFIGS if rng.random() < 0.2}
    if rng.random() < 0.7:
        values["extended"] = rng.choice(("true", "true", "false"))
    return "{%s}" % ", ".join('"%s": %s' % one for one in values.items())


TIMES = ("0.0", "-1", "-0.0000001", "0.0000001", "1.5e9", "1767182400.000001", "1767182399.999999",
         "1767182399.9999999", "-210866803200", "-210866803201", "9224318015999.999999", "9224318016000", "1e13",
         "1e300", "-1e300")


def some_record(rng, names):
    """A record of a node."""
    record = {"id": some_name(rng), "name": rng.choice(names), "labels": list(rng.choice(LABELS)),
              "neighbors": [rng.choice(names) for _ in range(rng.choice((0, 1, 2, 2, 3, 5)))],
              "last_modified": Num(str(rng.choice(MOMENTS) + rng.choice((0, 0, 0, DAY, -DAY, 1))))}
    for key in ("labels", "neighbors", "last_modified"):
        if rng.random() < 0.05:
            del record[key]
    if rng.random() < 0.02:
        record["last_modified"] = Num(rng.choice(TIMES))
    return record


NOWS = (NOW, NOW, "2026-03-31T12:00:00.000001Z", "2026-03-31T11:59:59.999999Z")


def veracity_case(rng):
    """A case for answer.veracity."""
    names = [some_name(rng) for _ in range(rng.choice((1, 2, 4)))]
    records = [some_record(rng, names) for _ in range(rng.choice((0, 1, 2, 4, 5, 8, 12)))]
    if rng.random() < 0.03:
        records.insert(rng.randrange(len(records) + 1), rng.choice(WRONG_RECORDS))
    text = oracle.canonical(records)
    return {"records": rng.choice((None, "{}", "1", "null", '"x"')) if rng.random() < 0.01 else text,
            "now": None if rng.random() < 0.005 else rng.choice(NOWS),
            "config": some_config(rng)}


def sample_packet(rng):
    """A packet of some graph."""
    nodes, edges = some_graph(rng)
    return copy.deepcopy(packet_of("sample", nodes, edges, some_question(rng, nodes), some_options(rng, nodes)))


def spoil_meta(rng, packet):
    """Remove or empty a field of meta."""
    key = rng.choice(sorted(tool.META_FORM))
    if rng.random() < 0.4:
        packet["meta"].pop(key, None)
    else:
        packet["meta"][key] = rng.choice(("", None, Num("1"), []))


def spoil_entry(rng, packet):
    """Remove something from an entry."""
    name = rng.choice([key for key in ("code_truth", "doc_claims") if packet[key]] or ["none"])
    if name == "none":
        return
    own = ("last_modified", "doc_type") if name == "doc_claims" else ("type",)
    key = rng.choice(("id", "path", "name", "score", *own))
    entry = rng.choice(packet[name])
    if rng.random() < 0.6:
        entry.pop(key, None)
    else:
        entry[key] = rng.choice((None, {}, True))


def spoil_veracity(rng, packet):
    """Remove a key of the veracity, or change its value."""
    key = rng.choice(sorted(tool.VERACITY_FORM))
    if rng.random() < 0.5:
        packet["context_veracity"].pop(key, None)
    else:
        packet["context_veracity"][key] = rng.choice((Num("100"), Num("101"), Num("0.5"), True, False, [], [{}], None))


PROSE = ("technical_brief", "summary", "brief", "explanation", "note", "now")


def spoil_prose(rng, packet):
    """Put prose into the packet."""
    box = rng.choice((packet, packet, packet["meta"], packet["meta"].get("options"), packet["context_veracity"],
                      *packet["code_truth"][:1], *packet["doc_claims"][:1], *packet["graph_relationships"][:1]))
    if isinstance(box, dict):
        box[rng.choice(PROSE)] = rng.choice(("It is so.", "", None, Num("1")))


def spoil_other(rng, packet):
    """Change the version, mode or status."""
    form = rng.randrange(6)
    if form == 0:
        packet["meta"]["schema_version"] = rng.choice(("1", "1.1", "2.0", "1.0 "))
    elif form == 1:
        packet["meta"]["mode"] = rng.choice(("synthesis", "other", "Evidence-only"))
    elif form == 2:
        packet["meta"]["timestamp"] = rng.choice(("2026-07-01T00:00:00Z", "2026-07-01", "0000-01-01T00:00:00Z",
                                                  "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59.999999-00:01"))
    elif form == 3:
        packet["content_hash"] = rng.choice((None, "", "sha256:" + "0" * 64, "sha256:" + "A" * 64))
    else:
        packet["status"] = rng.choice(("ok", "", None, "Success", Num("1"), []))


LEAST_SHOWN = (Num("1.0001"), Num("0.12345678901234567890123"), "0.12345678901234567890123", "1.12345678901234567890123", "0.5")


def spoil_options(rng, packet):
    """Make the options invalid, or set a limit below the number of entries."""
    entries = sum(len(packet[name]) for name in ("code_truth", "doc_claims") if isinstance(packet.get(name), list))
    options = packet["meta"].get("options")
    if isinstance(options, dict):
        options.update(rng.choice((
            {"limit": tool.number(max(entries - rng.randrange(2), 0))}, {"limit": rng.choice(VALUES)},
            {"min_score": rng.choice(VALUES + LEAST_SHOWN)},
            {"labels": rng.choice(VALUES)}, {"paths": rng.choice(VALUES)}, {"log": rng.choice(VALUES)},
            {"embedding": rng.choice(([Num("1")], ["0.1"], ["0.1000000014901161193847656"], [Num("0.1")], ["x"],
                                      Num("1")))})))


def spoil_order(rng, packet):
    """Reorder a list, or add, remove or move an element."""
    box = rng.choice([packet["code_truth"], packet["doc_claims"], packet["graph_relationships"],
                      *(entry.get("neighbors") for entry in packet["code_truth"] + packet["doc_claims"])])
    if not isinstance(box, list) or not box:
        return
    form, element = rng.randrange(4), rng.choice(box)
    if form == 0:
        rng.shuffle(box)
    elif form == 1:
        box.append(copy.deepcopy(element))
    else:
        box.remove(element)
        if form == 2 and isinstance(element, dict):
            rng.choice((packet["code_truth"], packet["doc_claims"])).append(element)


VALUES = (None, True, "x", "", Num("0"), Num("1"), Num("-1"), Num("0.5"), Num("0.50"), Num("0.12345"), Num("1e300"),
          Num("1e999"), Num("999999999999999999"), Num("9224318016000"), Num("2e0"), [], {}, [None], ["x"],
          ["Document"], "2026-03-31T12:00:00.500Z", "2026-03-31T12:00:00+00:00")


def spoil_place(rng, packet):
    """Change anything anywhere."""
    container, key = rng.choice(verify_receipts.places(packet, []))
    container[key] = rng.choice(VALUES)


def validate_case(rng):
    """A case for answer.packet_validate."""
    packet = sample_packet(rng)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        rng.choice((spoil_meta, spoil_entry, spoil_veracity, spoil_prose, spoil_other, spoil_options,
                    spoil_order))(rng, packet)
    for _ in range(rng.choice((0, 1))):
        spoil_place(rng, packet)
    if rng.random() < 0.5:
        rehashed({"packet": packet})
    return {"packet": None if rng.random() < 0.005 else oracle.canonical(packet)}


WRONG_OPTIONS = ({"limit": Num("0")}, {"min_score": Num("1.00000000001")}, {"min_score": Num("-0.1")}, {"min_score": "0.5"},
                  {"limit": "5"}, {"other": True}, {"extended": Num("1")}, {"now": "yesterday"},
                 {"query_id": ""}, {"labels": "Document"}, {"paths": [Num("1")]})


def packet_case(rng):
    """A case for answer_packet, with the graph to load for it."""
    nodes, edges = some_graph(rng)
    options = some_options(rng, nodes)
    if rng.random() < 0.03:
        options.update(rng.choice(WRONG_OPTIONS))
    return {"graph": (nodes, edges), "nodes": json.dumps(nodes),
            "edges": json.dumps([dict(zip(("from", "to", "type"), edge)) for edge in edges]),
            "question": None if rng.random() < 0.01 else some_question(rng, nodes),
            "options": oracle.canonical(options)}


# --------------------------------------------------------------------------
# Documents
# --------------------------------------------------------------------------

def document_of(packet):
    """A document with a packet, without id and signature."""
    return {"schema": "packet/v1", "issuer": "sample", "issued_at": NOW, "packet": packet, "disclaimer": "Advisory.",
            "reproduce": {"evaluator": {"engine_version": "1.0.0", "rules": ["packet/1", "veracity/1", "text-score/2"]}}}


def swap_places(rng, container, key):
    """Exchange a value with the one beside it."""
    other = rng.choice(list(container)) if isinstance(container, dict) else rng.randrange(len(container))
    container[key], container[other] = container[other], container[key]


def rehashed(document):
    """The document with a content_hash that fits its packet again."""
    try:
        document["packet"]["content_hash"] = tool.packet_hash(document["packet"])
    except (KeyError, TypeError, AttributeError, ValueError):
        pass
    return document


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"text_score": 10, "veracity": 20, "packet_validate": 8, "packet": 4}
GENERATORS = {"text_score": text_score_case, "veracity": veracity_case, "packet_validate": validate_case,
              "packet": packet_case}
COLUMNS = {"text_score": ("query", "text", "title", "rules"), "veracity": ("records", "now", "config"),
           "packet_validate": ("packet",), "packet": ("nodes", "edges", "question", "options")}
CALLS = {
    "text_score": "trunc(answer.text_score(a[1], a[2], a[3], %s) * 10000)::int::text" % decision.patched(4),
    "veracity": "answer.veracity(a[1]::jsonb, a[2]::timestamptz, a[3]::jsonb)::text",
    "packet_validate": "(SELECT count(v) FROM answer.packet_validate(a[1]::jsonb) AS v)::text",
    "packet": "pg_temp.packet_of(a[1]::jsonb, a[2]::jsonb, a[3], a[4]::jsonb)",
}
# The load for a packet is rolled back, so that each case has its own graph.
HELPERS = {"packet": """
CREATE FUNCTION pg_temp.packet_of(nodes jsonb, edges jsonb, question text, options jsonb) RETURNS text
LANGUAGE plpgsql AS $f$
DECLARE
    packet text;
BEGIN
    PERFORM answer_graph_load('oracle', nodes, edges);
    packet := answer_packet('oracle', question, options)::text;
    RAISE EXCEPTION USING ERRCODE = 'F0F0F', MESSAGE = packet;
EXCEPTION WHEN SQLSTATE 'F0F0F' THEN
    RETURN packet;
END $f$;
"""}
EXPECT = {"text_score": expect_text_score, "veracity": expect_veracity, "packet_validate": expect_packet_validate,
          "packet": expect_packet}


def value_agrees(want, text):
    """Compare JSON values, numbers by their value."""
    return tool.canonical(oracle.parse(text), portable=True) == tool.canonical(want, portable=True)


def packet_agrees(want, text):
    """Compare packets, their instants by their value."""
    packets = [oracle.parse(oracle.canonical(want)), oracle.parse(text)]
    moments = [tool.instant(packet["meta"].pop("timestamp")) for packet in packets]
    return moments[0] == moments[1] and value_agrees(packets[0], oracle.canonical(packets[1]))


AGREES = {"text_score": lambda want, text: int(text) == want, "veracity": value_agrees,
          "packet_validate": value_agrees, "packet": packet_agrees}
