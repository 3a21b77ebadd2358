"""Cases for the decisions of grounded answers, with the results that doc/spec/decision.md demands.

The rules are those of tools/verify. Added here are the parts that only SQL has, and texts at the edges of the
rules: the shipped phrases, altered in many ways, between ordinary words.
"""

import functools
import json
import os

import oracle
from oracle import Num, Refused, tool, wrong

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOW = "2026-03-31T12:00:00Z"


def shipped_text():
    """The text of the shipped rules."""
    with open(os.path.join(ROOT, "src", "reading", "shipped_rules.json"), encoding="utf-8") as file:
        return file.read()


SHIPPED_TEXT = shipped_text()
SHIPPED = json.loads(SHIPPED_TEXT)


# --------------------------------------------------------------------------
# What SQL says
# --------------------------------------------------------------------------

def as_sql(call):
    """Run a function; malformed input is an SQL error."""
    @functools.wraps(call)
    def called(case):
        try:
            return call(case)
        except tool.Broken as e:
            raise wrong(str(e)) from None
    return called


def required(value):
    """An argument that may not be NULL."""
    if value is None:
        raise Refused("22004")
    return value


@functools.lru_cache(maxsize=64)
def rules_of(patch):
    """The shipped rules with some members replaced, parsed once."""
    document = oracle.parse_jsonb(SHIPPED_TEXT)
    if patch is not None:
        document = {**document, **oracle.parse_jsonb(patch)}
        document = {key: value for key, value in document.items() if value != "absent"}
    return tool.DecisionRules(document)


def json_of(text):
    """A JSON argument, None for NULL."""
    return None if text is None else oracle.parse_jsonb(text)


def chunks_of(text):
    """Chunks, none for NULL."""
    return [] if text is None else tool.read_chunks(oracle.parse_jsonb(text))


def citations_of(text):
    """Citations, None for NULL."""
    value = json_of(text)
    tool.need(text is None or tool.is_texts(value), "citations")
    return value


def instant_of(text):
    """The clock."""
    return tool.instant(required(text))


@as_sql
def expect_risk(case):
    """The level and its words."""
    return tool.risk_of(tool.Text(required(case["query"])), rules_of(case["rules"]))


@as_sql
def expect_ambiguity(case):
    """The question, or null."""
    return tool.ambiguity_of(tool.Text(required(case["query"])), rules_of(case["rules"]))


@as_sql
def expect_retrieval_quality(case):
    """The signals."""
    now, days = instant_of(case["now"]), 90 if case["days"] is None else int(case["days"])
    tool.need(days >= 0, "days")
    return tool.retrieval_quality(chunks_of(case["chunks"]), days, now)


@as_sql
def expect_reading(case):
    """The reading of a text."""
    return tool.reading_explain(required(case["text"]), rules_of(case["rules"]).reading)


@as_sql
def expect_citations(case):
    """The check of an answer's citations."""
    return tool.check_citations(citations_of(case["citations"]), chunks_of(case["chunks"]), case["answer"],
                                rules_of(case["rules"]), case["query"])


@as_sql
def expect_conflicts(case):
    """The conflicts of chunks."""
    return tool.find_conflicts(chunks_of(case["chunks"]), rules_of(case["rules"]))


def settings_of(text):
    """A configuration."""
    config = json_of(text)
    tool.need(config is None or isinstance(config, dict), "config")
    return tool.Settings(config or {})


@as_sql
def expect_judge_pairs(case):
    """The pairs that a decision needs judged."""
    query = required(case["query"])
    return tool.judge_pairs(query, chunks_of(case["chunks"]), citations_of(case["citations"]), case["answer"],
                            settings_of(case["config"]), rules_of(case["rules"]), json_of(case["judgements"]))


@as_sql
def expect_decide(case):
    """The decision."""
    query, now = required(case["query"]), instant_of(case["now"])
    return tool.decide(query, chunks_of(case["chunks"]), citations_of(case["citations"]), case["answer"],
                       settings_of(case["config"]), now, rules_of(case["rules"]), json_of(case["judgements"]))


# --------------------------------------------------------------------------
# Texts
# --------------------------------------------------------------------------

def phrases():
    """Every phrase of every list."""
    found = {one["entry"] for one in SHIPPED["topics"]}
    for value in (*SHIPPED.values(), *SHIPPED["units"].values(), *SHIPPED["risk"].values()):
        found.update(one for one in value if isinstance(value, list) and isinstance(one, str))
    for row in SHIPPED["ambiguity"]:
        for key in ("opens", "holds", "unless"):
            found.update(row.get(key, ()))
    return sorted(found)


PHRASES = phrases()
FEW = ("not", "no", "never", "without", "nor", "isn't", "can't", "don\u2019t", "may", "May", "MAY", "can", "must not",
       "plaintext", "encrypted", "encryption", "refundable", "non-refundable", "no refunds", "optional", "not required",
       "unless", "except", "not only", "no longer", "allowed", "not allowed", "cannot", "forbidden", "SSN",
       "API rate limit")
PLAIN = ("the", "a", "is", "are", "be", "to", "of", "in", "store", "stored", "shared", "partners", "region", "export",
         "archive", "logs", "customer", "team", "request", "report", "within", "at", "rest", "per", "for", "we", "What",
         "How", "do", "our", "I", "it", "t", "n", "version", "approved", "manager", "quarterly", "invoice", "data")
ODD = ("\u017f\u017fn", "\u212aey", "\uff33\uff33\uff2e", "ssn\u0301", "na\u00efve", "\u00c9NCRYPT", "stra\u00dfe",
       "\u1e9e", "\u0130", "I\u0307", "\u01c5", "\u03a3\u03c2", "\u13a0\uab70", "\u65e5\u672c\u8a9e",
       "\u0661\u0662\u0663", "\u096b", "e\u0301", "\u0345", "\U00010400", "\U0001d7d8", "\u2460", "\u00bd", "\u2167",
       "\u00aa", "a\u00adllowed", "re\u200bfund", "\u200d", "\ufeff", "\u2060may", "\U0001f600", "_", "foo_bar",
       "x\u00b7y", "\u0e01\u0e33", "\u05d0\u05f4\u05d1", "\u3007", "\u02bc", "can\u02bct")
JOINS = (" ",) * 30 + (", ", ". ", ".", "; ", ";", ": ", ":", "! ", "? ", "\u2026", "\u2026 ", "\n", "\r\n", "\n\n",
                       "\n \t\n", "\r", "\n- ", "\n* ", "\n+ ", "\n\u2022 ", "\n1. ", "\n12) ", "\n1.", "\n-", "\n# ",
                       "\n##", "\n  - ", "\n\u00a0- ", "\n-\t", " - ", "-", "/", "'", "\u2019", "\u2018", "\u3002",
                       "\uff01", "\uff1f", "\uff1b", "\uff1a", "\u061f", "\u061b", "\u0964", "\u0589", "\u037e",
                       "\u0387", "\u203d", "\u1362", "\ufe52", "\u1364", " (", ") ", "\"", "\u201c", "\u201d", "[", "]",
                       "&", "\t", "\u00a0", "\u2028", "\x0b", "\x85", "\u00ad", "\u200b", "", "\u00b7", "\u2014",
                       " \u2013 ")
YEARS = ("1999", "2000", "2024", "2099", "2100", "20240")
MONTHS = ("January", "may", "May", "MAY", "march", "December")


def some_number(rng):
    """A number, or nearly one."""
    n = str(rng.choice((0, 1, 5, 7, 10, 30, 90, 100, 300, 999, 1000, 12345, rng.randrange(10 ** rng.randrange(1, 9)))))
    form = rng.randrange(14)
    if form < 4:
        return n
    if form < 7:
        return "{:,}".format(int(n)) + rng.choice(("", "", ".5", ".50", ".", ",", ".05"))
    if form == 7:
        return n + rng.choice((".0", ".25", ".500", "."))
    return rng.choice(("1,00", "1,0000", "12,34,567", "1.2.3", "v2", "2nd", "5x", "x5", "1,234,56", "00" + n, "." + n,
                       "1.", "1,", "1..5", "1.,5", "+" + n, "-" + n, "\u0663", "5\u0301", n + "\u00ad", "1,\u00ad000",
                       "1e5", "1_000", n + "\u00e9", "\u00b5" + n, "1000,000", "1,000,000.00", "2024", "1999", "2100",
                       "20240"))


def some_unit(rng):
    """An entry of a unit, in some spelling."""
    return cased(rng, rng.choice(rng.choice(list(SHIPPED["units"].values()))))


def quantity(rng):
    """A number with a unit, or nearly."""
    n, form = some_number(rng), rng.randrange(12)
    if form < 5:
        return n + rng.choice((" ", " ", " ", "-", "  ", "\n", "", ". ", ", ", " (")) + some_unit(rng)
    if form < 8:
        return rng.choice("$\u20ac\u00a3\u00a5") + rng.choice(("", "", " ", "  ", "\u00a0")) + n
    if form < 10:
        return n + rng.choice(("", "", " ", "  ", "\u00a0")) + "%"
    return n


def cased(rng, phrase):
    """A phrase in some case."""
    return rng.choice((str, str, str, str.upper, str.capitalize, str.title, str.swapcase))(phrase)


def broken(rng, phrase):
    """A phrase, unchanged or with something between, in or instead of its words."""
    words = cased(rng, phrase).split(" ")
    form = rng.randrange(14)
    if form < 7 or not words:
        return " ".join(words)
    if form < 9:
        return rng.choice(("-", "  ", "\n", ", ", ". ", "; ", "/", " the ", "'", "\u00ad", "\n- ",
                           "\u2026")).join(words)
    text = " ".join(words)
    if form == 9:
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(("\u00ad", "\u200b", "-", "'", "\u0301", "s", " ", ".")) + text[at:]
    if form == 10:
        return text.replace("'", rng.choice(("\u2019", "'", "", " ", "\u02bc", "\u2018")))
    if form == 11:
        return text + rng.choice(("s", "ed", "n't", "'s", ".", "!", "?", ":"))
    return rng.choice(("un", "non-", "not ", "no ", "re")) + text if form == 12 else text[:-1]


def reading_piece(rng):
    """A piece of a text that is hard to read."""
    kind = rng.randrange(12)
    if kind < 2:
        return rng.choice(CLOCKS).format(h=rng.randrange(0, 26), m=rng.randrange(0, 62))
    if kind < 4:
        return rng.choice(("", "", "$", "\u20ac ")) + rng.choice(NUMBER_WORDS) + rng.choice((" ", " ", "-", "  ", "\n", " of ")) + \
            rng.choice((*NUMBER_WORDS, "days", "day", "%", "pm", "a.m.", "percent", "thousand", "hundred"))
    if kind < 6:
        return some_number(rng) + rng.choice(("MB", "GB", "am", "pm", "s", "days", "th", "x", "req/hr", "Kb", "h", "m"))
    if kind < 8:
        return rng.choice(SHORTENED) + rng.choice((" ", " ", " ", "", "\n", ") ")) + rng.choice(
            (*PLAIN, "Smith", "5", "17", "The", "Mr.", "", "\u00c9lan"))
    return rng.choice(TOKENS)


CLOCKS = ("{h}:{m:02d}", "{h}:{m:02d} pm", "{h}:{m:02d} a.m.", "{h}:{m:02d}am", "{h} am", "{h} p.m.", "{h}pm", "{h}.{m:02d} am",
          "{h}:{m:02d}:{m:02d}", "{h}:{m}", "{h}:{m:02d}h", "{h} P.M.", "{h} a.m", "{h}\u00a0pm", "{h}, am", "{h} (pm)")
NUMBER_WORDS = tuple(SHIPPED["reading"]["number_words"]) + ("Thirty", "a", "One", "12", "2.5", "1,000")
SHORTENED = ("approx.", "etc.", "e.g.", "i.e.", "Mr.", "Dr.", "No.", "no.", "Nos.", "J.", "B.", "p.m.", "St.", "vs.", "max.",
             "U.S.", "Plan B.", "x.", "\u00c9.", "inc.", ".env", "?id=3", "a.", "ETC.", "1.", "no.5", "No. 7")
TOKENS = ("camelCase", "HTTPServer", "SSNs", "userIDs", "foo_bar", "snake-case", "iPhone12Pro", "XMLHttpRequests", "ABs", "As",
          "\u00c9coleNormale", "B2B", "v2", "don't", "isn\u2019t", "cannot", "Cannot", "can't", "I'll", "we've", "John's", "'s",
          "No,", "no;", "No:", "not only", "no later", "nor", "running", "Policies", "generously", "universities", "dying",
          "the HTTP API", "New York", "# Heading Two", "Keys And Values", "a)", "iv) x", "\u25aa x", "\u2014 x", "| x", "5\u0301)",
          "\"Foo bar baz\"", "(Then", ": Then", "\u201cThen", "[1]", "[2].", "SSNs\u00ad", "e\u0301tude", "na\u00efveTe", "\u0130stanbul")


def piece(rng):
    """A piece of a text."""
    if rng.random() < 0.15:
        return reading_piece(rng)
    kind = rng.randrange(20)
    if kind < 6:
        return rng.choice(PLAIN)
    if kind < 11:
        return broken(rng, rng.choice(PHRASES))
    if kind < 15:
        return broken(rng, rng.choice(FEW))
    if kind < 17:
        return quantity(rng)
    if kind == 17:
        return rng.choice(MONTHS) + rng.choice((" ", " ", ", ")) + some_number(rng)
    return rng.choice(ODD) if kind == 18 else rng.choice(MONTHS)


def noise(rng, least=0, most=12):
    """Pieces, joined in all ways."""
    out = []
    for _ in range(rng.randint(least, most)):
        out += [piece(rng), rng.choice(JOINS)]
    if out and rng.random() < 0.6:
        out[-1] = rng.choice((".", "?", "", "!"))
    return "".join(out)


SUBJECTS = ("SSNs", "Customer data", "The API rate limit", "Refunds", "All purchases", "Backups", "Access to reports",
            "Passwords", "Sensitive data", "Social security numbers", "Promotional purchases", "Gift cards",
            "Free trial refunds", "The price", "Retention of logs", "Encrypted backups", "Data storage",
            "Enterprise discounts", "The fee for exports", "Encryption", "Reports")
VERBS = ("may be", "can be", "must not be", "cannot be", "may not be", "can't be", "are allowed to be",
         "are not allowed to be", "should never be", "are never", "must be", "may also be", "can not only be",
         "no longer may be", "isn't allowed to be", "need not be", "shall not be", "are permitted to be",
         "are forbidden to be")
ACTS = ("stored in plaintext", "stored unencrypted", "encrypted", "encrypted at rest", "stored without encryption",
        "kept in plain text", "shared with partners", "exported to the archive", "deleted by the team",
        "retained for reports", "kept with encryption", "stored without any encryption at all", "not encrypted",
        "refundable", "approved by a manager")
NEGATIVE = ("not", "never", "no", "without", "nor", "nobody", "not only", "no later", "no longer", "don't",
            "isn\u2019t", "not required", "optional", "not optional", "it is forbidden", "must not", "can\u00ad't",
            "not the", "without any", "never is", "not really", "it't", "don t")
OTHERS = ("Encryption is optional.", "Encryption is not required.", "Encryption is required.",
          "Encryption is forbidden.", "Nobody may disable encryption.", "It must not be stored without encryption.",
          "Never use plaintext.", "Plaintext is allowed.", "No refunds.",
          "No refunds are allowed, except for the enterprise plan.", "Refunds are allowed.", "Not refundable.",
          "Purchases are refundable unless opened.", "In May 2024 customer data was shared.",
          "On 5 May access to reports changed.", "Encryption at rest is not only allowed.", "SSNs are not plaintext.",
          "There's no encryption of backups.")
SHAPES = ("{s} {v} {a}.", "{s} {v} {a}.", "{s} {v} {a}; {o}", "{s}: {v} {a}.", "{s} is {q}.",
          "{s} is limited to {q} for the team.", "{s} {v} {a} within {q}.", "{o}", "{s} {v} {a} in {m} {n}.",
          "{s} {v} {a}, except reports.", "- {s} {v} {a}\n- {o}", "# {s}\n{o} {s} is {q}.",
          "{s} {v} {a} and {v2} {a2}.", "In section {n} {V} {s} {a}.", "{s} {V} {n} {a}.", "{s} {v} {a} ({m} {n}).",
          "{s} {v} {a}, {neg} {a2}.", "{neg} {s} {v} {a}.", "{a} {neg} {s} {a2}", "{o} {o}",
          "{s} is {q} or {n} users for the team.", "{s} is {n} days or {q}, {n} times.")
QUANTITIES = ("{} requests per hour", "{} requests per hour", "{} days", "{}-day", "${}", "{} %", "$ {}", "$\u00a0{}",
              "$\t{}", "{}\u00a0%", "{}  %", "\u20ac{}", "US$ {} dollars", "{}% days", "{} (days)", "{}. Days",
              "$\u200b{}")


def sentence_on(rng, subject, fixed):
    """A sentence on a subject, with some of its slots given."""
    slots = {"s": subject, "v": rng.choice(VERBS), "a": rng.choice(ACTS), "v2": rng.choice(VERBS),
             "a2": rng.choice(ACTS), "V": rng.choice(VERBS).capitalize(), "neg": rng.choice(NEGATIVE),
             "o": rng.choice(OTHERS), "q": quantity(rng), "m": rng.choice(MONTHS), "n": some_number(rng)}
    slots.update({key: value for key, value in fixed.items() if rng.random() < 0.7})
    return fixed.get("shape", rng.choice(SHAPES)).format(**slots)


COPIES = ("The {n1} garden gate of the old mill closes at {q} in summer",
          "Members of the {n1} club borrow up to {q} from the shelf near the door",
          "Every visitor receives {q} of warm soup behind the {n1} kitchen window",
          "The crew of {n1} repairs broken lamps within {q} after a report arrives")
COPY_VALUES = ("5 days", "five days", "10 days", "10:30", "9 am", "nine pm", "$5", "20 %", "twenty percent", "25MB", "3 hours",
               "180 minutes", "12", "a hundred users", "1,000 users", "7 weeks and 2 days")


def copied_texts(rng, count):
    """Texts whose sentences are near copies of one another."""
    shape, out = rng.choice(COPIES), []
    names = [rng.choice(("northern", "Northern", "McKay", "B2", "HTTPServer"))] * 3 + ["southern", "Riverside"]
    for _ in range(count):
        sentences = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            text = shape.format(n1=rng.choice(names), q=rng.choice(COPY_VALUES))
            words = text.split(" ")
            for _ in range(rng.choice((0, 0, 0, 1, 2))):
                at = rng.randrange(1, len(words))
                words[at:at + rng.choice((0, 1))] = rng.choice((["not"], ["never"], ["really"], [], ["no"], ["gate"], ["isn't"]))
            sentences.append(" ".join(words) + rng.choice((".", ".", ".", "!", "?", "")))
        if rng.random() < 0.3:
            sentences.insert(rng.randrange(len(sentences) + 1), noise(rng, 1, 5))
        out.append(rng.choice((" ", " ", "\n", "\n\n", "\n- ")).join(sentences))
    return out


def like_texts(rng, count):
    """Texts on one subject, which often contradict each other."""
    if rng.random() < 0.35:
        return copied_texts(rng, count)
    subject, texts = rng.choice(SUBJECTS), []
    fixed = {"a": rng.choice(ACTS), "a2": rng.choice(ACTS), "q": rng.choice(QUANTITIES)}
    if rng.random() < 0.7:
        fixed["shape"] = rng.choice(SHAPES)
    for _ in range(count):
        own = {**fixed, "q": fixed["q"].format(some_number(rng))}
        body = [sentence_on(rng, subject if rng.random() < 0.85 else rng.choice(SUBJECTS), own)
                for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        if rng.random() < 0.3:
            body.insert(rng.randrange(len(body) + 1), noise(rng, 1, 6))
        if rng.random() < 0.15:
            body.insert(0, "Lorem ipsum dolor sit amet. " * rng.randrange(1, 5))
        text = rng.choice((" ", " ", "\n", "\n\n")).join(body)
        text = rng.choice((str, str, str, str.upper, str.lower))(text)
        text = text.ljust(rng.choice((149, 150, 151)), "x") if rng.random() < 0.05 else text
        texts.append(spoken(rng, text) if rng.random() < 0.2 else text)
    return texts


SPECKS = (*"\u00ad\u200b\u2060.,;:!?-'\u2019 \n0M", "\n\n", "\n- ", "", "\u2026", "\u0301", "\u3002")


def spoken(rng, text):
    """A text with some characters added, removed or replaced."""
    out = list(text.replace(" ", "\u200b " if rng.random() < 0.3 else " "))
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(out) + 1)
        out[at:at + rng.choice((0, 0, 1))] = rng.choice(SPECKS)
    return "".join(out)


# --------------------------------------------------------------------------
# Chunks and the rest
# --------------------------------------------------------------------------

SIMILARITIES = ("0", "1", "0.4", "0.39999", "0.40", "0.6", "0.59995", "0.59994", "0.599949999999999999999", "0.6000",
                "0.7", "0.69995", "0.69994999", "0.70005", "0.00005", "0.00015", "1e-5", "0.1234567890123456789", "0.9",
                "0.85", "0.85", "0.9", "0.8", "1.0", "0.99995", "0.00000000000000000000000000001")
STAMPS = ("2026-03-31T12:00:00Z", "2026-03-01T12:00:00Z", "2026-03-01T11:59:59.999999Z", "2026-03-01T12:00:00.000001Z",
          "2025-12-31T12:00:00Z", "2025-12-31T11:59:59Z", "2025-12-31T12:00:00", "2026-03-01T12:00:00", "2026-03-01",
          "2026-03-02", "2025-12-31", "2026-01-01", "2026-03-01T14:00:00+02:00", "2026-03-01T13:59:59+02:00",
          "2030-01-01T00:00:00Z", "1999-01-01", "2026-02-29", "2026-02-29T00:00:00Z", "2026-03-01T12:00:60Z",
          "2026-03-01T24:00:00Z", "2026-03-01 12:00:00Z", "2026-03-01t12:00:00z", "2026-03-01T12:00Z", "2026-3-1", "",
          "yesterday", "2026-03-01T12:00:00.1234567Z", "2026-03-01T12:00:00+16:00", "2026-03-01T12:00:00-15:59",
          "20260301", "0001-01-01", "0000-01-01", "9999-12-31T23:59:59.999999Z", "2026-03-01T12:00:00.5", "2026-03-01Z",
          "2026-03-01T12:00:00+0200", " 2026-03-01")


def some_chunks(rng, texts=None):
    """Chunks, mostly well formed."""
    if texts is None:
        count = rng.choice((0, 1, 2, 2, 3, 3, 5))
        texts = like_texts(rng, count) if rng.random() < 0.7 else [noise(rng) for _ in range(count)]
    fresh = rng.random() < 0.5
    chunks = []
    for i, text in enumerate(texts):
        doc = rng.choice(("a", "b", "d%d" % i, "d%d" % i, "d%d" % i, "d\u00e9"))
        name = rng.choice(("%s#p%d" % (doc, i),) * 30 + ("#" * (i + 1), str(i + 1), "\u00ad%d. x" % i))
        chunk = {"chunk_id": name, "doc_id": doc, "text": text,
                 "similarity": Num(rng.choice((*SIMILARITIES, *["0.%d" % rng.randrange(7000, 9999)] * 20)))}
        if rng.random() < 0.9:
            chunk["timestamp"] = "2026-03-30" if fresh else rng.choice(STAMPS) if rng.random() < 0.97 else None
        if rng.random() < 0.2:
            chunk["title"] = rng.choice(("more", "", "Garden Gates", "The Northern club: 5 days", noise(rng, 1, 3)))
        if rng.random() < 0.1:
            chunk["facts"] = [some_fact(rng) for _ in range(rng.choice((1, 1, 2)))]
        chunks.append(chunk)
    return chunks


def some_fact(rng):
    """A fact of a document."""
    fact = {"subject": rng.choice(("API", "api", "Gate")), "attribute": rng.choice(("limit", "Limit ", "limit")),
            "value": rng.choice(("5", "five", "10 days", "5 days", "240 hours", "open", "Open ", Num("5"), Num("5.0"), Num("10"))),
            "quote": rng.choice(("garden gate", "is", "closes at", "nowhere to be found"))}
    if rng.random() < 0.3:
        fact["unit"] = rng.choice(("days", "day", "widgets"))
    if rng.random() < 0.2:
        fact["scope"] = rng.choice(("eu", "EU", "us"))
    return fact


def spoilt(rng, chunks):
    """A value as JSON text; sometimes malformed, or NULL."""
    if rng.random() < 0.02:
        return None
    if chunks and rng.random() < 0.04:
        one = rng.choice(chunks)
        key = rng.choice(("chunk_id", "doc_id", "text", "similarity"))
        form = rng.randrange(4)
        if form == 0:
            del one[key]
        elif form == 1:
            one[key] = rng.choice((None, True, [], {}, "0.5" if key == "similarity" else Num("1")))
        elif form == 2:
            one["similarity"] = Num(rng.choice(("-0.1", "1.00001", "2", "-1e-9")))
        else:
            chunks.append(dict(one))
    return oracle.canonical(chunks)


def some_rules(rng):
    """Members of the rules that replace the shipped ones; None for none."""
    if rng.random() < 0.93:
        return None
    return rng.choice(RULES)


def without_family(family):
    """The topics without one family."""
    return json.dumps({"topics": [one for one in SHIPPED["topics"] if one["family"] != family]})


def added(name, *entries):
    """A list with more entries."""
    return oracle.canonical({name: [*oracle.parse_jsonb(SHIPPED_TEXT)[name], *entries]})


GOOD_RULES = (without_family("encryption"), without_family("refund"), added("allow", "is fine"),
              added("stop_words", "customer", "reports"), added("negators", "by no means"),
              added("topics", {"entry": "reports", "family": "reports"},
                    {"entry": "team", "family": "team", "kind": "qualifier"}), added("exceptions", "for the team"),
              added("months", "janvier"), '{"topics": []}', '{"stop_words": []}', '{"ambiguity": []}',
              '{"risk": {"high": [], "medium": ["data"]}}', '{"units": {"u": ["units of data", "units"]}}',
              '{"insufficiency": ["we do"]}',
              '{"ambiguity": [{"holds": ["report", "data"], "question": "Which?"},'
              ' {"question": "Always?", "holds": ["the"]}]}')
RULES = (*GOOD_RULES, '{"allow": "may"}', '{"allow": [1]}', '{"more": []}', '{"allow": "absent"}',
         '{"topics": [{"entry": "x"}]}', '{"units": []}', '{"units": {"x": "y"}}', '{"risk": {"high": []}}',
         '{"risk": {"high": [], "medium": [], "low": []}}', '{"ambiguity": [{}]}',
         '{"topics": [{"entry": "x", "family": "y", "kind": "z"}]}',
         '{"ambiguity": [{"question": "x", "other": true}]}', '{"ambiguity": [{"question": "x", "unless_topic": 1}]}',
         '{"ambiguity": [{"question": "x", "or_after_opens_of": 1}]}', '{"topics": {"a": 1}}', '{"months": null}')


QUERIES = ("Where do members of the northern club borrow soup now?", "What does the team currently do?",
           "When does the garden gate of the old mill close in summer?", "What is the API rate limit?", "Can we downgrade without penalties?", "Can we store SSNs in plaintext?",
           "What is our current refund policy?", "How do I change my password?", "What is the latest?",
           "How do I cancel?", "Can I upgrade my plan?", "May we renew now?", "What changed today?", "What is current?",
           "Is it allowed to switch?", "Show the latest in May 2024", "Latest may do", "change", "What is the SLA now?",
           "Can we cancel", "cancel it for us")


def some_query(rng):
    """A query."""
    form = rng.randrange(10)
    if form < 2:
        return rng.choice(QUERIES)
    if form < 4:
        words = rng.choice(QUERIES).split(" ")
        words.insert(rng.randrange(len(words) + 1), piece(rng))
        return rng.choice((" ", " ", " ", "\n", ". ")).join(words)
    if form < 6:
        row = rng.choice(SHIPPED["ambiguity"])
        parts = [rng.choice(row["opens"])] if "opens" in row and rng.random() < 0.8 else []
        parts += [rng.choice(PLAIN) for _ in range(rng.randrange(3))] + [rng.choice(row["holds"])]
        parts += [rng.choice((*PLAIN, rng.choice(row["unless"]), rng.choice(MONTHS), rng.choice(YEARS), piece(rng)))
                  for _ in range(rng.randrange(4))]
        return cased(rng, " ".join(parts)) + rng.choice(("?", "", "!"))
    return noise(rng)


QUOTING = ("{}", '"{}"', "\u201c{}\u201d", '"{}', "\u201c{}", '\u201c"{}"\u201d', '"\u201c{}\u201d"', "\u00ab{}\u00bb")


def some_answer(rng, chunks, citations):
    """An answer, with markers and quotations."""
    out = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        form = rng.randrange(8)
        if form < 2 and chunks:
            sentences = tool.TextReading(rng.choice(chunks)["text"], rules_of(None).reading).sentences or [None]
            at = rng.randrange(len(sentences))
            some = sentences[at:at + rng.choice((1, 1, 1, 2, 3))]
            part = rng.choice((" ", " ", "\n", " [1] ")).join(one.text if one else "" for one in some)
            out.append(rng.choice(("{}",) * 5 + QUOTING).replace("{}", part))
        elif form < 3 and chunks:
            words = rng.choice(chunks)["text"].split(" ")
            at = rng.randrange(len(words))
            part = " ".join(words[at:at + rng.randrange(1, 8)])
            out.append(rng.choice(QUOTING).replace("{}", part))
        elif form < 5:
            out.append(broken(rng, rng.choice(SHIPPED["insufficiency"])))
        else:
            out.append(noise(rng, 1, 6))
        if rng.random() < 0.4:
            out.append(rng.choice(("[1]", "[2]", "[6]", "[0]", "[01]", "[ 1 ]", "[1", "[x]",
                                   *("[%s]" % one for one in citations))))
        out.append(rng.choice((".", ". ", " ", "! ", "\n", "; ", "", ".\u201d ")))
    return "".join(" " + one if one and one[0].isalnum() else one for one in out)


def some_citations(rng, chunks):
    """Citations, mostly of the chunks."""
    ids = [one["chunk_id"] for one in chunks]
    form = rng.randrange(20)
    if form == 0:
        return None
    if form < 3:
        return []
    found = rng.sample(ids, min(len(ids), rng.choice((1, 1, 1, 2, 2, 3, 5, 6))))
    if form == 3:
        found += rng.choices(ids or ["x"], k=rng.randrange(1, 4))
    if form == 4:
        found.insert(rng.randrange(len(found) + 1), rng.choice(("x", "a", "a#p", "A#p0", "", "it's")))
        found += ["x"] * rng.randrange(2)
    return found


def citations_text(rng, citations):
    """Citations as JSON text, or malformed."""
    if citations is None:
        return None
    if rng.random() < 0.02:
        return rng.choice(('{}', '"a"', '[1]', '[null]', '[["a"]]', '1'))
    return oracle.canonical(citations)


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

DAYS = (None, "0", "1", "30", "30", "90", "90", "36500", "213503982", "213503983", "300000000", "2147483647", "-1")


def query_case(rng):
    """A case for answer.risk and answer.ambiguity."""
    return {"query": None if rng.random() < 0.005 else some_query(rng), "rules": some_rules(rng)}


def quality_case(rng):
    """A case for answer.retrieval_quality."""
    texts = ["x"] * rng.choice((0, 1, 2, 3, 3, 7))
    return {"chunks": spoilt(rng, some_chunks(rng, texts)), "days": rng.choice(DAYS),
            "now": None if rng.random() < 0.01 else rng.choice((NOW, NOW, NOW, "2026-03-31T12:00:00.000001Z"))}


def citations_case(rng):
    """A case for answer_citations_check."""
    chunks = some_chunks(rng)
    if rng.random() < 0.15:
        chunks += some_chunks(rng, [noise(rng, 1, 4) for _ in range(6)])
        chunks = list({one["chunk_id"]: one for one in chunks}.values())
    citations = some_citations(rng, chunks)
    answer = None if rng.random() < 0.03 else some_answer(rng, chunks, citations or [])
    return {"citations": citations_text(rng, citations), "chunks": spoilt(rng, chunks), "answer": answer,
            "rules": some_rules(rng), "query": rng.choice((None, some_query(rng), "Is the garden gate of the old mill open?"))}


def reading_case(rng):
    """A case for answer_reading."""
    form = rng.randrange(4)
    if form == 0:
        text = copied_texts(rng, 1)[0]
    elif form == 1:
        text = like_texts(rng, 1)[0]
    else:
        out = []
        for _ in range(rng.randint(0, 10)):
            out += [reading_piece(rng) if rng.random() < 0.6 else piece(rng), rng.choice(JOINS)]
        text = "".join(out)
    return {"text": None if rng.random() < 0.005 else spoken(rng, text) if rng.random() < 0.1 else text,
            "rules": some_rules(rng)}


def conflicts_case(rng):
    """A case for answer_conflicts."""
    chunks = some_chunks(rng, like_texts(rng, rng.choice((2, 2, 2, 3, 4))) if rng.random() < 0.85 else None)
    return {"chunks": spoilt(rng, chunks), "rules": some_rules(rng)}


CONFIGS = {"top_k": ("1", "5", "50", "0", "51", "5.0"), "freshness_days": ("0", "30", "90", "1", "-1", "365", "1.5"),
           "freshness_days_high_risk": ("0", "30", "90", "7"),
           "confidence_threshold": ("0", "0.6", "0.60", "0.85", "1", "1.1", "-0.1", "0.00001"),
           "confidence_threshold_high_risk": ("0.7", "0.9", "0.70005", "0.7001", "1"),
           "min_confidence": ("0.9", "0.8", "0.79"), "min_chunks": ("0", "1", "2", "3", "-1"),
           "floor": ("0", "0.2", "0.75", "1", "2"), "caveats": ("true", "true", "true", "false", "1", "null"),
           "unjudged_passages": ('"plain"', '"caveat"', '"x"'), "judge": ('"optional"', '"required"', '"x"', "true"),
           "judge_entailment": ('"j"', '["j", "k"]', "null", "[]", '["j", "j"]', "1", '""'),
           "judge_answers": ('"j"', '["k", "j"]', "null"), "judge_conflict": ('"j"', '["j", "k"]', "null"),
           "judge_passages": ("1", "2", "5", "0", "51"), "support_min": ("0.5", "0.9", "1", "2"),
           "contradict_min": ("0.5", "0.9", "0", "-1"), "supersede": ('"never"', '"asked"', '"always"', '"x"'),
           "conflict_min_similarity": ("0.4",),
           "rerank": ('"none"', '"freshness"', '"x"'),
           "freshness_bias": ("0", "0.5", "1", "1.5"), "citation_threshold": ("0.95", "2"),
           "contradiction_tolerance": ("0.3",), "cache_ttl_s": ("0", "60", "-1")}
GOOD_CONFIGS = {"freshness_days": ("0", "30", "365"), "freshness_days_high_risk": ("0", "30", "7"),
                "top_k": ("1", "50"), "confidence_threshold": ("0", "0.6", "0.85", "0.00001"),
                "confidence_threshold_high_risk": ("0.7", "0.9", "0.7001"), "min_chunks": ("0", "1", "3"),
                "min_confidence": ("0.8", "1"), "floor": ("0", "0.2", "0.75"), "caveats": ("true", "false"),
                "unjudged_passages": ('"caveat"',), "judge": ('"required"',), "judge_entailment": ('"j"', '["j", "k"]'),
                "judge_answers": ('"j"', '["k", "j"]'), "judge_conflict": ('"j"', '["j", "k"]'), "judge_passages": ("1", "2"),
                "support_min": ("0.5", "0.9"), "contradict_min": ("0.5", "0.9", "0"), "supersede": ('"never"', '"always"'),
                "rerank": ('"freshness"',), "freshness_bias": ("0.5", "1")}
JUDGED = ("judge_entailment", "judge_answers", "judge_conflict")


def some_config(rng):
    """A configuration as JSON text, or NULL."""
    if rng.random() < 0.3:
        return None
    keys = [key for key in rng.sample(list(CONFIGS), rng.choice((0, 1, 2, 3)))
            if key != "conflict_min_similarity" or rng.random() < 0.1]
    keys += ["min_chunks"] * (rng.random() < 0.3) + [key for key in JUDGED if rng.random() < 0.4]
    values = {key: rng.choice(CONFIGS[key] if rng.random() < 0.05 else GOOD_CONFIGS.get(key, CONFIGS[key]))
              for key in keys}
    if rng.random() < 0.02:
        values["other"] = "1"
    if rng.random() < 0.02:
        return rng.choice(("[]", "1", '"x"'))
    return "{%s}" % ", ".join('"%s": %s' % one for one in values.items())


def decide_case(rng):
    """A case for answer_decide."""
    case = citations_case(rng)
    if rng.random() < 0.5:
        case["citations"] = None
        case["answer"] = None if rng.random() < 0.9 else case["answer"]
    if rng.random() < 0.5:
        calm = some_chunks(rng, [noise(rng, 1, 5) for _ in range(3)])
        for one in calm:
            one["similarity"] = Num("0.9")
        case["chunks"] = spoilt(rng, calm)
    if rng.random() < 0.3:
        case.update(lively_case(rng))
    case = {"query": None if rng.random() < 0.005 else some_query(rng), "chunks": case["chunks"],
            "citations": case["citations"], "answer": case["answer"], "config": some_config(rng),
            "now": None if rng.random() < 0.005 else NOW, "rules": some_rules(rng)}
    return {**case, "judgements": some_judgements(rng, case)}


def lively_case(rng):
    """Chunks of several documents that matter to a query, and mostly an answer made of them."""
    chunks = some_chunks(rng, like_texts(rng, rng.choice((2, 3, 4))))
    for i, one in enumerate(chunks):
        one.update(chunk_id="d%d#p0" % i, doc_id="d%d" % i, similarity=Num(rng.choice(("0.9", "0.85", "0.7", "0.62", "0.6"))),
                   timestamp=rng.choice(("2026-03-30", "2026-03-20", "2026-03-02", "2026-01-05", "2025-06-01", "2026-04-02")))
    ids = [one["chunk_id"] for one in chunks]
    citations = rng.sample(ids, rng.choice((1, 1, 2)))
    answer = some_answer(rng, [one for one in chunks if one["chunk_id"] in citations or rng.random() < 0.2], citations)
    form = rng.randrange(5)
    return {"chunks": oracle.canonical(chunks), "citations": None if form < 2 else oracle.canonical(citations),
            "answer": answer if form > 2 else None}


def some_judgements(rng, case):
    """Judgements of some of what a decision needs, and malformed ones."""
    if rng.random() < 0.01:
        return rng.choice(('{}', '[1]', '[{}]', '"x"', '[{"pair": "x", "relation": "supports", "score": 1, "judge": "j"}]'))
    out, names = [], [name for name in ("j", "k") if '"%s"' % name in (case["config"] or "")]
    try:
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            pairs = expect_judge_pairs({**case, "judgements": oracle.canonical(out)})
            out += [judged(rng, one, name) for one in pairs for name in names if rng.random() < 0.85
                    and not any((one["pair"], name) == (old["pair"], old["judge"]) for old in out)]
    except Refused:
        return None
    if out and rng.random() < 0.03:
        one = dict(rng.choice(out))
        out.append({**one, **rng.choice(({}, {"judge": "stranger"}, {"score": Num("1.5")}, {"relation": "maybe"}, {"other": True},
                                         {"kind": "answers"}, {"pair": "sha256:" + "0" * 64}, {"relation": "answers"}))})
    rng.shuffle(out)
    return oracle.canonical(out) if out or rng.random() < 0.3 else None


def judged(rng, pair, name):
    """What a judge says of a pair."""
    likely = {"entailment": ("supports", "supports", "supports", "contradicts", "neutral", "no_claim", "no_claim"),
              "answers": ("answers", "answers", "does_not"), "conflict": ("neutral", "neutral", "contradicts")}
    one = {"pair": pair["pair"], "judge": name, "relation": rng.choice(likely[pair["kind"]]),
           "score": Num(rng.choice(("0.99", "0.99", "0.9", "0.7", "0.5", "0.49995", "0.4", "0", "1")))}
    return {**one, "kind": pair["kind"]} if rng.random() < 0.2 else one


def judge_pairs_case(rng):
    """A case for answer_judge_pairs."""
    return {key: value for key, value in decide_case(rng).items() if key != "now"}


# --------------------------------------------------------------------------
# Documents
# --------------------------------------------------------------------------

def completed(document):
    """A document with the given members and all that follows from them, without id and signature."""
    document = oracle.portable({"proposed": None, "judgements": [], "config_changed": [], **document})
    decided = tool.decision_of(document)
    answers = decided.result()["decision"] in (tool.ANSWER, tool.CAVEATS)
    if document["proposed"] is None and answers:
        quotes = oracle.portable(decided.result()["quotes"])
        answer, citations = tool.quotes_as_extract(quotes)
        document["proposed"] = {"by": "extract", "answer": answer, "citations": citations}
    document.update(oracle.portable(tool.decision_again(document)))
    answer, citations, _ = tool.checked_proposal(document)
    document["answer"] = answer if document["decision"] in (tool.ANSWER, tool.CAVEATS) else document["user_message"]
    document["citations"] = tool.expected_citations(document, citations)
    settings = tool.Settings(document["config"], True)
    names = sorted({name for panel in settings.judges.values() for name in panel})
    document["judges"] = [{"name": name, "model": "m", "version": "1", "assessed": None} for name in names]
    document["reproduce"] = {"evaluator": {
        "engine_version": "1.0.0", "rules": ["decision/2", "reading/1", "judgement/1"],
        "digests": {"decision_rules": tool.digest(document["rules"]), "decision_config": tool.digest(document["config"])}}}
    return {"schema": "decision/v1", "issuer": "sample", "issued_at": NOW, **document, "disclaimer": "Advisory."}


def signed_judgements(document, text):
    """The judgements that a document needs, with who made them."""
    found = [] if text is None else oracle.parse(text)
    decided = tool.decision_of({**document, "judgements": found})
    kinds = {pair: kind for kind, pair in decided.needed}
    return [{**one, "kind": kinds[one["pair"]], "version": "1", "origin": "reported", "by": "worker", "judged_at": NOW}
            for one in found if one["pair"] in kinds and one["judge"] in decided.settings.judges[kinds[one["pair"]]]]


def difference(base, rules):
    """The entries of `base` that rules lack, list by list; lists that lack none are left out."""
    if isinstance(base, list):
        return [one for one in base if one not in (rules or ())]
    found = {key: difference(value, (rules or {}).get(key)) for key, value in base.items() if isinstance(value, (dict, list))}
    return {key: value for key, value in found.items() if value}


def pinned(rng, document):
    """The document with its rules as a difference, as the extension has them, or whole, as before; rarely by digest only."""
    shipped, rules = oracle.parse(SHIPPED_TEXT), document["rules"]
    removed, added_ = difference(shipped, rules), difference(rules, shipped)
    bare = {key: value for key, value in document.items() if key != "rules"}
    if rng.random() < 0.2:
        return document
    if rules == shipped or rng.random() < 0.05:
        return bare
    if tool.rules_with(shipped, removed, added_) != rules:
        return document
    sides = (("removed", removed), ("added", added_))
    return {**bare, "rules": {"base": tool.digest(shipped), **{key: value for key, value in sides if value}}}


def without_defaults(rng, document):
    """The document with only the keys of its config that differ from the defaults, as the extension has it; or with all, as before."""
    changed = {key: value for key, value in document["config"].items() if value != tool.CONFIG[key] or rng.random() < 0.1}
    return document if rng.random() < 0.2 else {**document, "config": changed}


def sample_document(rng):
    """A document that the extension could have issued."""
    chunks = some_chunks(rng)
    chunks = [one for one in {one["chunk_id"]: one for one in chunks}.values() if one["text"].strip()]
    if rng.random() < 0.3:
        for one in chunks:
            one["content_hash"] = tool.text_digest(one["text"])
    config = dict(tool.CONFIG)
    for key in rng.sample(list(GOOD_CONFIGS), rng.choice((0, 1, 2, 4))) + [key for key in JUDGED if rng.random() < 0.3]:
        config[key] = oracle.parse(rng.choice(GOOD_CONFIGS[key]))
    citations = some_citations(rng, chunks)
    given = {"by": "caller", "answer": some_answer(rng, chunks, citations or []), "citations": citations}
    rules = oracle.parse(SHIPPED_TEXT)
    if rng.random() < 0.2:
        rules.update(oracle.parse(rng.choice(GOOD_RULES)))
    document = {"query": some_query(rng), "evaluated_at": NOW, "proposed": rng.choice((None, given)), "config": config,
                "rules": rules, "retrieval": {"top_k": Num("5"), "by": "caller", "chunks": chunks}}
    asked = {"query": document["query"], "chunks": oracle.canonical(chunks), "config": oracle.canonical(config), "rules": None,
             "citations": None, "answer": None}
    if document["proposed"]:
        asked.update(citations=None if citations is None else oracle.canonical(citations), answer=given["answer"])
    try:
        document["judgements"] = signed_judgements(oracle.portable(document), some_judgements(rng, asked))
        document = without_defaults(rng, pinned(rng, completed(document)))
    except (tool.Broken, Refused):
        return sample_document(rng)
    return document if document["answer"] is not None else sample_document(rng)


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"risk": 8, "ambiguity": 10, "retrieval_quality": 6, "reading": 12, "citations": 16, "conflicts": 24, "judge_pairs": 12,
          "decide": 24}
GENERATORS = {"risk": query_case, "ambiguity": query_case, "retrieval_quality": quality_case, "reading": reading_case,
              "citations": citations_case, "conflicts": conflicts_case, "judge_pairs": judge_pairs_case, "decide": decide_case}
COLUMNS = {"risk": ("query", "rules"), "ambiguity": ("query", "rules"), "retrieval_quality": ("chunks", "days", "now"),
           "reading": ("text", "rules"), "citations": ("citations", "chunks", "answer", "rules", "query"),
           "conflicts": ("chunks", "rules"),
           "judge_pairs": ("query", "chunks", "citations", "answer", "config", "rules", "judgements"),
           "decide": ("query", "chunks", "citations", "answer", "config", "now", "rules", "judgements")}
# A member that is "absent" is removed; without a patch the argument is NULL, which means the shipped rules.
PATCHED = """(SELECT jsonb_object_agg(key, value) FROM jsonb_each($rules${}$rules$::jsonb || a[n]::jsonb)
    WHERE value <> '"absent"' AND a[n] IS NOT NULL)""".replace("{}", SHIPPED_TEXT, 1)


def patched(n):
    """The rules of argument n."""
    return PATCHED.replace("a[n]", "a[%d]" % n)


CALLS = {
    "risk": "answer.risk(a[1], %s)::text" % patched(2),
    "ambiguity": "coalesce(to_jsonb(answer.ambiguity(a[1], %s)), 'null')::text" % patched(2),
    "retrieval_quality": "answer.retrieval_quality(a[1]::jsonb, a[2]::int, a[3]::timestamptz)::text",
    "reading": "answer_reading(a[1], %s)::text" % patched(2),
    "citations": "answer_citations_check(a[1]::jsonb, a[2]::jsonb, a[3], %s, a[5])::text" % patched(4),
    "conflicts": "answer_conflicts(a[1]::jsonb, %s)::text" % patched(2),
    "judge_pairs": "answer_judge_pairs(a[1], a[2]::jsonb, a[3]::jsonb, a[4], a[5]::jsonb, %s, a[7]::jsonb)::text" % patched(6),
    "decide": "answer_decide(a[1], a[2]::jsonb, a[3]::jsonb, a[4], a[5]::jsonb, a[6]::timestamptz, %s, a[8]::jsonb)::text" % (
        patched(7).replace(" AND a[7] IS NOT NULL", "").replace("a[7]::jsonb", "coalesce(a[7], '{}')::jsonb")),
}
EXPECT = {"risk": expect_risk, "ambiguity": expect_ambiguity, "retrieval_quality": expect_retrieval_quality,
          "reading": expect_reading, "citations": expect_citations, "conflicts": expect_conflicts,
          "judge_pairs": expect_judge_pairs, "decide": expect_decide}


def told(value):
    """A result without the reasons of sentences, which the rules leave open."""
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items() if key != "reason" or "status" not in value}
    return list(map(told, value)) if isinstance(value, list) else value


def agrees(want, text):
    """Compare JSON values, numbers by value."""
    return tool.canonical(told(oracle.parse(text)), portable=True) == tool.canonical(told(want), portable=True)


AGREES = dict.fromkeys(SHARES, agrees)
