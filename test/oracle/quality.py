"""A second implementation of doc/spec/quality.md, in plain Python.

Nothing here shares code with the extension: grading is a table of conditions, and Verified classes are found by
comparing all pairs of entries. JSON values are those of oracle.py.
"""

import functools
import os
import re

import oracle
from oracle import ABSENT, Num, tool as verifier, wrong

QUALITIES = ("None", "Weak", "Moderate", "Strong", "Verified")
NONE, WEAK, MODERATE, STRONG, VERIFIED = range(5)
STRENGTHS = ("None", "Low", "Medium", "High")
LEVELS = ("None", "Low", "Medium", "High", "Complete")
CLASSES = ("FileSearch", "FileContent", "GitLog", "Build", "Test", "Discovery", "CIWorkflow")
TOOLS = {"grep": "FileSearch", "find": "FileSearch", "references": "FileSearch", "read": "FileContent", "reader": "FileContent",
         "git": "GitLog",
         "cmake": "Build", "ctest": "Test", "discovery": "Discovery", "gh": "CIWorkflow"}
SEARCH = {"grep", "find", "references"}
SOUGHT = {"FileSearch": STRONG, "FileContent": MODERATE}
INTENTS = {"Locate": SOUGHT, "Navigate": SOUGHT, "Compare": SOUGHT,
           "Explain": {**SOUGHT, "Discovery": MODERATE}, "Review": {**SOUGHT, "Discovery": MODERATE},
           "Diagnose": {**SOUGHT, "CIWorkflow": STRONG}, "Status": {"GitLog": MODERATE},
           "Execute": {"Build": STRONG, "Test": STRONG}, "Chat": {},
           "Modify": {"FileSearch": STRONG, "FileContent": STRONG, "Discovery": MODERATE, "Build": VERIFIED,
                      "Test": VERIFIED}}


# --------------------------------------------------------------------------
# Grading
# --------------------------------------------------------------------------

def count(value):
    """A JSON integer that is not negative."""
    value = oracle.portable(value)
    if not isinstance(value, Num) or not re.fullmatch("[0-9]+", value.text):
        raise wrong("count")
    return int(value.text)


def flag(value):
    """A JSON boolean."""
    if not isinstance(value, bool):
        raise wrong("flag")
    return value


def text(value):
    """A JSON string."""
    if not isinstance(value, str):
        raise wrong("text")
    return value


def word(*words):
    """A function that reads one of these words."""
    def read(value):
        if not isinstance(value, str) or value not in words:
            raise wrong("word")
        return value
    return read


def command(words):
    """A function that reads a subcommand of at most so many words."""
    def read(value):
        value = text(value)
        if not re.fullmatch("|[a-z-]+( [a-z-]+){0,%d}" % (words - 1), value) or len(value) > 40:
            raise wrong("command")
        return value
    return read


KEYS = {
    "grep": {"match": word("phrase", "identifier", "substring", "token"), "match_count": count,
             "exact_match_count": count},
    "find": {"match": word("exact", "partial", "token"), "match_count": count, "exact_match_count": count},
    "references": {"match_count": count},
    "read": {"selection": word("highest_confidence", "ranked", "first_of_grep"), "files_read": count},
    "reader": {"agrees": flag, "passages": count},
    "git": {"command": command(1), "question": word("history", "working_tree", "other"), "has_query_terms": flag,
            "matching_commits": count, "output_lines": count, "failed": flag},
    "cmake": {"ok": flag, "noop": flag, "target_built": flag},
    "ctest": {"run": count, "passed": count, "failed": count, "relevant": count},
    "discovery": {"type": text, "source_count": count, "has_tests": flag},
    "gh": {"command": command(2), "runs": count, "matching_workflow": flag, "conclusion": text},
}


def grade_grep(o):
    """grep"""
    n = o.get("match_count", 0)
    worth = {"phrase": STRONG, "identifier": STRONG, "substring": MODERATE if n <= 10 else WEAK, "token": WEAK}
    return worth.get(o.get("match"), NONE) if n else NONE


def grade_find(o):
    """find"""
    worth = {"exact": STRONG, "partial": MODERATE, "token": WEAK}
    return worth.get(o.get("match"), NONE) if o.get("match_count") else NONE


def grade_references(o):
    """references"""
    n = o.get("match_count", 0)
    return STRONG if n > 5 else MODERATE if n else NONE


def grade_read(o):
    """read"""
    worth = {"highest_confidence": STRONG, "ranked": MODERATE, "first_of_grep": WEAK}
    return worth.get(o.get("selection"), NONE) if o.get("files_read") else NONE


def grade_reader(o):
    """reader"""
    if o.get("agrees") is not True:
        return NONE
    return STRONG if o.get("passages", 0) > 0 else WEAK


def grade_git(o):
    """git"""
    if o.get("failed") or not o.get("output_lines"):
        return NONE
    about = o.get("question"), o.get("command")
    if about == ("history", "log"):
        return STRONG if o.get("matching_commits") and o.get("has_query_terms", True) else MODERATE
    return STRONG if about == ("working_tree", "status") else WEAK


def grade_cmake(o):
    """cmake"""
    if not o.get("ok"):
        return NONE
    return WEAK if o.get("noop") else STRONG if o.get("target_built") else MODERATE


def grade_ctest(o):
    """ctest"""
    run = o.get("run", 0)
    if o.get("failed"):
        return NONE
    if not run:
        return WEAK
    return MODERATE if o.get("passed", 0) < o.get("relevant", run) else STRONG


def grade_discovery(o):
    """discovery"""
    if not o:
        return NONE
    if not o.get("type") or o["type"].lower() == "unknown":
        return WEAK
    return MODERATE if o.get("source_count") is None or o.get("has_tests") is None else STRONG


def grade_gh(o):
    """gh"""
    if o.get("command") == "run list":
        return WEAK if not o.get("runs") else STRONG if o.get("matching_workflow") else MODERATE
    if o.get("command") == "run view":
        return STRONG if o.get("conclusion") else MODERATE
    return NONE


GRADERS = {name[len("grade_"):]: f for name, f in list(globals().items()) if name.startswith("grade_")}


def strength_of(n):
    """The strength of a count of matches."""
    return 0 if not n else 1 if n <= 10 else 2 if n <= 50 else 3


def grade(tool, observation):
    """Class, quality and strength of an observation."""
    if tool is None or tool not in KEYS:
        raise wrong("tool")
    if observation is ABSENT:
        raise oracle.Refused("22004", "NULL")
    if not isinstance(observation, dict) or set(observation) - set(KEYS[tool]):
        raise wrong("observation")
    read = {key: KEYS[tool][key](value) for key, value in observation.items() if value is not None}
    if read.get("exact_match_count", 0) > read.get("match_count", 0):
        raise wrong("exact_match_count")
    return TOOLS[tool], GRADERS[tool](read), strength_of(read.get("match_count", 0))


# --------------------------------------------------------------------------
# Assessing
# --------------------------------------------------------------------------

class Entry:
    """An entry of an investigation."""

    def __init__(self, given):
        self.tool, self.query, self.target = given["tool"], given["query"], given["target"]
        self.places = {trimmed_path(place) for place in [given["target"], *given.get("sources", [])]} - {""}
        self.observation = given["observation"]
        self.address = oracle.digest({k: given[k] for k in ("tool", "query", "target", "run", "observation")})
        self.cls, self.quality, self.strength = grade(self.tool, self.observation)


def trimmed_path(path):
    """A path without ./ at its start."""
    return re.sub("^(\\./)+(?=.)", "", path, flags=re.S)


def lower(value):
    """A text with ASCII letters in lower case."""
    return "".join(c.lower() if c.isascii() else c for c in value)


@functools.lru_cache(maxsize=None)
def question_form():
    """The stems of the shipped words; older documents, without rows for them, use the same."""
    return verifier.stems_of_form(verifier.QUESTION_FORM.split())


def reading_rules():
    """The shipped rules for reading texts, from the offline verifier."""
    return verifier.reading_rules(oracle.parse(verifier_rules()))


def verifier_rules():
    """The text of the shipped rules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "reading", "shipped_rules.json")
    with open(path, encoding="utf-8") as file:
        return file.read()


def seeks(entry, question, subject):
    """Whether a search names the subject."""
    goal = verifier.Goal({"intent": "", "question": question, "subject": subject}, verifier.QUALITY_RULES, reading_rules(),
                         question_form())
    return goal.is_in(entry.query, entry.target)


def names_in(question):
    """The words of a question that can be names, without surrounding punctuation."""
    found = (re.sub(r"^[^0-9A-Za-z_\x80-\U0010ffff/.]+|[^0-9A-Za-z_\x80-\U0010ffff/]+$", "", run)
             for run in re.findall(r"[0-9A-Za-z_\x80-\U0010ffff:./~+@#$%-]+", question))
    return [name for name in found if name]


def asks_for(question, subject, target):
    """Whether the question names, or the subject is, the target or the end of its path."""
    ends = lower(trimmed_path(target)).split("/")
    tails = {"/".join(ends[i:]) for i in range(len(ends))} - {""}
    return bool(tails & ({trimmed_path(lower(name)) for name in names_in(question)} | {lower(subject)}))


def discount(entries, question, subject):
    """Make entries about something else Weak at most."""
    before = [(e, e.quality) for e in entries]
    for e in entries:
        about = True
        if e.cls == "FileSearch":
            about = not subject or seeks(e, question, subject)
        elif e.cls == "FileContent":
            found = any(level > NONE and independent(e, o) and trimmed_path(e.target) in o.places
                        for o, level in before)
            about = e.target != "" and (found or asks_for(question, subject, e.target))
        if not about:
            e.quality = min(e.quality, WEAK)
            e.query = (subject or question) if e.cls == "FileSearch" else e.query


def independent(a, b):
    """Whether two entries are of different signal families."""
    return not (a.tool == b.tool or a.tool in SEARCH and b.tool in SEARCH)


def corroborates(a, b):
    """Whether b makes a's class Verified."""
    if a.quality != STRONG:
        return False
    same_target = a.target != "" and a.target == b.target
    if {a.cls, b.cls} == {"Build", "Test"}:
        return b.quality == STRONG
    if (a.cls, b.cls) == ("FileSearch", "FileContent"):
        return same_target and b.quality >= MODERATE
    if (a.cls, b.cls) == ("FileContent", "FileSearch"):
        return same_target and b.quality == STRONG
    if a.cls == b.cls == "Discovery":
        return (b.quality == STRONG and a.target == b.target and a.address != b.address
                and oracle.canonical(a.observation) == oracle.canonical(b.observation))
    return a.cls == b.cls and independent(a, b) and same_target and b.quality == STRONG


def authoritative(e):
    """Whether the entry needs no corroboration."""
    o = e.observation
    if e.tool == "git":
        return o.get("command") == "log" and o.get("question") == "history" and e.quality == STRONG
    return e.tool == "gh" and o.get("command") == "run view" and bool(o.get("conclusion"))


def disputes(a, b, entries):
    """Whether b's tool found nothing where a is Strong."""
    if a.quality != STRONG or b.quality != NONE or not independent(a, b):
        return False
    if {a.cls, b.cls} == {"Build", "Test"}:
        return not any(e.tool == b.tool and e.quality > NONE for e in entries)
    if not (a.cls == b.cls or {a.cls, b.cls} == {"FileSearch", "FileContent"}):
        return False
    if a.target == "" or a.target != b.target:
        return False
    return not any(e.tool == b.tool and e.target == b.target and e.quality > NONE for e in entries)


def scans_differ(a, b):
    """Whether two Strong scans of one target differ."""
    return (a.cls == b.cls == "Discovery" and a.quality == b.quality == STRONG and a.target == b.target
            and oracle.canonical(a.observation) != oracle.canonical(b.observation))


def derive(entries):
    """{class: (quality, code)}, and the word for agreement."""
    held, corroborated = {}, set()
    for a in entries:
        for b in entries:
            if corroborates(a, b):
                corroborated.add(a.cls)
    for cls in {e.cls for e in entries}:
        own = [e for e in entries if e.cls == cls]
        best = max(e.quality for e in own)
        if cls in corroborated:
            held[cls] = VERIFIED, "corroborated"
        elif any(map(authoritative, own)):
            held[cls] = VERIFIED, "authoritative"
        else:
            held[cls] = best, "one_producer" if best else "nothing_found"
    pairs = [(a, b) for a in entries for b in entries]
    disagree = (any(disputes(a, b, entries) for a, b in pairs)
                or "Discovery" not in corroborated and any(scans_differ(a, b) for a, b in pairs))
    return held, "disagree" if disagree else "agree" if corroborated else "alone"


IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
CLOSERS = {"FileSearch": "find", "FileContent": "read", "GitLog": "git log --oneline -10", "Discovery": "discovery",
           "Build": "cmake", "Test": "ctest", "CIWorkflow": "gh"}


def closer(cls, kind, entries, question):
    """The tool that best closes a gap."""
    if kind == "unverified" and cls in ("Build", "Test"):
        return "ctest" if cls == "Build" else "cmake"
    own = [e for e in entries if e.cls == cls]
    if cls == "FileSearch":
        queries = [e.query for e in own if e.quality == max(e.quality for e in own)] or [question]
        if any(IDENTIFIER.fullmatch(q) for q in queries):
            return "references"
    return CLOSERS[cls]


KINDS = ("missing", "weak", "unverified")


def gaps(needs, held, entries, question):
    """[class, have, need, kind, tool] in order."""
    rows = []
    for cls in CLASSES:
        have = held.get(cls, (NONE,))[0]
        if cls in needs and have < needs[cls]:
            kind = "missing" if have == NONE else "unverified" if have == STRONG else "weak"
            rows.append([cls, QUALITIES[have], QUALITIES[needs[cls]], kind, closer(cls, kind, entries, question)])
    return sorted(rows, key=lambda row: KINDS.index(row[3]))


def because(needs, held, intent):
    """The beginning of the explanation."""
    if not needs:
        return "confidence is not rated because %s requires no evidence" % intent
    quality, cls = min((held.get(c, (NONE,))[0], CLASSES.index(c)) for c in needs)
    only = "only " if NONE < quality < needs[CLASSES[cls]] else ""
    return "confidence is %s because %s is %s%s: " % (LEVELS[quality], CLASSES[cls], only, QUALITIES[quality])


def assess(intent, question, subject, given):
    """The assessment of an investigation."""
    if intent not in INTENTS:
        raise wrong("intent")
    entries, needs = [Entry(one) for one in given], INTENTS[intent]
    discount(entries, question, subject)
    held, agreement = derive(entries)
    gap = gaps(needs, held, entries, subject or question)
    lowest = min((held.get(c, (NONE,))[0] for c in needs), default=None)
    classes = []
    for cls in CLASSES:
        own = [e for e in entries if e.cls == cls]
        if own or cls in needs:
            quality, code = held.get(cls, (NONE, "nothing_collected"))
            classes.append([cls, QUALITIES[quality], STRENGTHS[max((e.strength for e in own), default=0)],
                            QUALITIES[needs[cls]] if cls in needs else None, Num(str(len(own))), code,
                            QUALITIES[quality + 1] if quality < VERIFIED else None])
    return {"complete": not gap, "level": None if lowest is None else LEVELS[lowest],
            "quality": None if lowest is None else QUALITIES[lowest],
            "coverage": "%d/%d" % (len(needs) - len(gap), len(needs)), "agreement": agreement,
            "because": because(needs, held, intent), "gap": gap, "classes": classes}


# --------------------------------------------------------------------------
# Output of tools
# --------------------------------------------------------------------------

def squeezed(line, joined=False):
    """A line with single spaces; in file names, joining characters also become spaces."""
    return re.sub(r"[\s_.\-]+" if joined else r"\s+", " ", line).strip(" ")


def grep_text(query, output):
    """The observation of grep's output, with file and line number."""
    whole, part, other = 0, 0, 0
    pattern = squeezed(query)
    for line in output.split("\n"):
        if not line.strip():
            continue
        content = squeezed(line.split(":", 2)[2])
        if pattern and re.search(r"(?<!\w)%s(?!\w)" % re.escape(pattern) if pattern[0].isalnum() and pattern[-1].isalnum()
                                 else re.escape(pattern), content, re.A):
            whole += 1
        elif pattern and pattern in content:
            part += 1
        else:
            other += 1
    kind = "identifier" if IDENTIFIER.fullmatch(query.strip()) else "phrase"
    return best_of((kind, whole), ("substring", part), ("token", other))


def best_of(whole, part, token):
    """The observation by the best kind of match; whole matches are also counted separately."""
    if whole[1]:
        return {"match": whole[0], "match_count": Num(str(whole[1] + part[1])), "exact_match_count": Num(str(whole[1]))}
    for name, n in (part, token):
        if n:
            return {"match": name, "match_count": Num(str(n))}
    return {"match": None, "match_count": Num("0")}


def find_text(query, output):
    """The observation of find's output."""
    whole, part, other = 0, 0, 0
    for path in output.split("\n"):
        if not path.strip():
            continue
        if path == query or path.endswith("/" + query):
            whole += 1
        elif squeezed(query, True).lower() in squeezed(path.split("/")[-1], True).lower():
            part += 1
        else:
            other += 1
    return best_of(("exact", whole), ("partial", part), ("token", other))


def ctest_text(_query, output):
    """The observation of ctest's summary."""
    found = re.search(r"tests passed, (\d+) tests? failed out of (\d+)", output)
    failed, run = map(int, found.groups()) if found else (0, 0)
    passed = run - failed - len(re.findall(r"#\d+: .*\*\*\*Skipped", output))
    return {key: Num(str(n)) for key, n in (("run", run), ("passed", passed), ("failed", failed), ("relevant", run))}


QUOTES = (('"', '"'), ("'", "'"), ("`", "`"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("\xab", "\xbb"))
IN_WORD = r"[0-9A-Za-z_\x80-\U0010ffff]"


def quoted_in(question):
    """The phrases that a question quotes; an ASCII mark must not touch a word on its outer side."""
    phrases, at = [], 0
    patterns = [("(?<!%s)%s(.*?)%s(?!%s)" % (IN_WORD, a, b, IN_WORD) if a == b else "%s(.*?)%s" % (a, b))
                for a, b in QUOTES]
    while at < len(question):
        found = [m for m in (re.compile(p, re.S).match(question, at) for p in patterns) if m]
        phrase = " ".join(w for w in re.split("[ \t-\r]+", found[0][1]) if w) if found else ""
        if not phrase or len(found[0][1].encode()) > 256:
            at += 1
            continue
        phrases.append(phrase)
        at = found[0].end()
    return phrases


def is_identifier(name):
    """Whether a word looks like a name in a program."""
    if not name.isascii() or not re.search("[A-Za-z]", name) or len(name) > 256:
        return False
    return bool(re.search("[0-9A-Za-z]{2}(_+|::|[-./])[0-9A-Za-z]{2}", name)) or any(
        verifier.parts_of(run) for run in re.findall("[0-9A-Za-z]+", name))


def subject_of(question):
    """The subject of a question: what it names, else its items, or None."""
    found = set(quoted_in(question)) or {name for name in names_in(question) if is_identifier(name)}
    if len(found) == 1:
        return found.pop()
    return " ".join(verifier.subject_items(question, reading_rules(), question_form()) or ()) or None


READERS = {"grep": grep_text, "find": find_text, "ctest": ctest_text}


def grade_text(tool, query, output):
    """Observation and grade of what a tool printed."""
    observation = READERS[tool](query, output)
    cls, quality, strength = grade(tool, observation)
    return {"observation": observation, "class": cls, "quality": QUALITIES[quality], "strength": STRENGTHS[strength]}


# --------------------------------------------------------------------------
# Cases
# --------------------------------------------------------------------------

def one_of(rng, *values):
    """Any of them."""
    return rng.choice(values)


def some_count(rng):
    """A count, often at a limit of the rules."""
    return Num(one_of(rng, "0", "1", "2", "5", "6", "9", "10", "11", "49", "50", "51", "1000", "1e1", "5.0", "9007199254740991"))


GOOD = {count: some_count, flag: lambda rng: rng.random() < 0.6,
        text: lambda rng: one_of(rng, None, "", "cmake", "Unknown", "unknown", "success", "failure", "x")}
WORDS = {("grep", "match"): ("phrase", "identifier", "substring", "token", None),
         ("find", "match"): ("exact", "partial", "token", None),
         ("reader", "agrees"): (True, True, False, None),
         ("read", "selection"): ("highest_confidence", "ranked", "first_of_grep", None),
         ("git", "question"): ("history", "history", "working_tree", "other", None),
         ("git", "command"): ("log", "log", "status", "show", "diff", "", None, "rev-list"),
         ("gh", "command"): ("run list", "run list", "run view", "run view", "pr list", "run", "", None)}
BAD = (Num("-1"), Num("1.5"), Num("1e400"), Num("9007199254740992"), "1", "fuzzy", "Phrase", "log --oneline", "run  list", True, None,
       [], {}, "a b c", "é")


def member(rng, tool, key):
    """A good value for a key."""
    if (tool, key) in WORDS:
        return rng.choice(WORDS[tool, key])
    read = KEYS[tool][key]
    if (tool, key) == ("ctest", "failed") and rng.random() < 0.7:
        return Num("0")
    if rng.random() < 0.05:
        return None
    if key == "exact_match_count":
        return one_of(rng, None, None, Num("0"), Num("1"), some_count(rng))
    if tool == "discovery" and key != "type":
        return one_of(rng, None, some_count(rng) if key == "source_count" else rng.random() < 0.5)
    return GOOD[read](rng)


def observation_of(rng, tool, keep=0.9):
    """A valid observation, with some members left out."""
    return {key: member(rng, tool, key) for key in KEYS[tool] if rng.random() < keep}


def grade_case(rng):
    """A case for answer.grade."""
    tool = rng.choice(list(TOOLS))
    observation = observation_of(rng, tool)
    kind = rng.randrange(20)
    if kind < 4 and observation:
        observation[rng.choice(list(observation))] = rng.choice(BAD)
    elif kind == 4:
        observation[one_of(rng, "matches", "Match", "", "quality")] = Num("1")
    elif kind == 5:
        observation = one_of(rng, None, Num("1"), [], "x", ABSENT, [{}])
    elif kind == 6:
        tool = one_of(rng, None, "", "Grep", "awk", "grep ", "gitt")
    return {"tool": tool, "observation": None if observation is ABSENT else oracle.canonical(observation)}


def good_entry(rng, pool):
    """An entry whose observation is rarely empty."""
    tool = rng.choice(pool)
    observation = observation_of(rng, tool, 0.97)
    if tool == "discovery" and rng.random() < 0.6:
        observation = {"type": "cmake", "source_count": Num(one_of(rng, "3", "4")), "has_tests": True}
    if Num("0") != observation.get("match_count", Num("0")) and rng.random() < 0.9:
        observation.pop("exact_match_count", None)
    return {"tool": tool, "query": rng.choice(QUERIES), "target": rng.choice(TARGETS), "run": one_of(rng, "", "", "again"),
            "sources": rng.sample(("a.c", "b.c", "./src/a.c", "", "x"), rng.choice((0, 0, 1, 2))),
            "observation": observation}


QUERIES = ("Engine", "two words", "", "_x", "9x", "a.b", "two", "WORDS of two", "MyEngine", "the ENGINE", "x_two_words",
           "engine2")
TARGETS = ("a.c", "b.c", "", "src/a.c", "./a.c", "Engine", "./src/./b.c")
QUESTIONS = ("Engine", "where is it?", "", "two words", "what does src/a.c do?", "is (./B.C) \"two words\"?",
             "a.c, b.c.")
SUBJECTS = (None, None, None, "Engine", "two words", "", "words", " Two\t", "a.c", "a.b", "é two", "_x")


def exact_within(entry):
    """The entry, without exact_match_count if that makes its observation malformed."""
    try:
        grade(entry["tool"], entry["observation"])
    except oracle.Refused:
        entry["observation"].pop("exact_match_count", None)
    return entry


def assess_case(rng):
    """A case for answer_assess."""
    pool = rng.sample(list(TOOLS), rng.choice((1, 2, 3, 5, 10)))
    entries = [exact_within(good_entry(rng, pool)) for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 13)))]
    if entries and rng.random() < 0.2:
        entries += rng.choices(entries, k=2)
    # addresses and results are compared in portable form
    entries = oracle.portable(entries)
    intent = rng.choice(list(INTENTS)) if rng.random() < 0.98 else one_of(rng, "", "locate", "Guess")
    return {"intent": intent, "question": rng.choice(QUESTIONS), "subject": rng.choice(SUBJECTS),
            "entries": oracle.canonical(entries)}


PIECES = ("Engine", "ExecutionEngine", "evidence", "gating", "it's", "a_b", "std::vector<int>", "src/a.c", "./x.c", "e.g.",
          "CI", "PRs", "HTTPServer", "naïve_x", "x:y", "'", '"', "`", "“", "”", "‘", "’", "«", "»", "?", ".", ",", "(",
          "main()", "3.14", "v1.2", "and/or",
          "検査", "--log_file", "\t", "\n", "::", "iPhone", "X-Ray", "...", "a" * 255 + "_b", "two words " * 30)


def subject_case(rng):
    """A case: a question made of words and marks."""
    pieces = [rng.choice(PIECES) for _ in range(rng.randrange(9))]
    return {"question": "".join(piece + one_of(rng, " ", " ", "") for piece in pieces)}


def line_of(rng, query):
    """A line in which a query occurs in some way."""
    words = query.split() or ["x"]
    form = rng.randrange(8)
    if form < 2:
        return "int %s = 1;" % query
    if form == 2:
        return "my%sx" % query
    if form == 3:
        return query.upper()
    if form == 4:
        return "  ".join(words) + "\t;"
    if form == 5:
        return " and ".join(words)
    return one_of(rng, rng.choice(words), "nothing at all", "", query + "s", "_" + query, query + "(" + query + ")")


def grade_text_case(rng):
    """A case for answer.grade_text."""
    tool = rng.choice(list(READERS))
    query = one_of(rng, "Engine", "evidence gating", "startup model selection", "x", "a.b", "lens_2", "aa")
    n = rng.choice((0, 1, 2, 5, 10, 11, 12, 60))
    if tool == "grep":
        lines = ["src/%s.c:%d:%s" % (one_of(rng, "a", "Engine", "x"), i + 1, line_of(rng, query)) for i in range(n)]
    elif tool == "find":
        names = (query, query + ".c", "old_" + query, query.split(" ")[0] + ".cpp", "other.c", query.replace(" ", "_"),
                 query.upper())
        lines = ["./src/" + rng.choice(names) for _ in range(n)]
    else:
        skipped = rng.randrange(3) if n > 2 else 0
        failed = one_of(rng, 0, 0, 1, 2) if n > skipped + 2 else 0
        states = ["***Skipped"] * skipped + ["***Failed"] * failed + ["  Passed"] * (n - skipped - failed)
        lines = ["%d/%d Test #%d: %s .......%s    0.01 sec" % (i + 1, n, i + 1, query.replace(" ", "_"), state)
                 for i, state in enumerate(states)]
        lines.append("%d%% tests passed, %d tests failed out of %d" % (100 * (n - failed) // n, failed, n) if n else
                     "No tests were found!!!")
    return {"tool": tool, "query": query, "output": "\n".join(lines) + "\n"}


# --------------------------------------------------------------------------
# What compare.py needs
# --------------------------------------------------------------------------

SHARES = {"grade": 10, "assess": 10, "grade_text": 3, "subject": 3}
GENERATORS = {"grade": grade_case, "assess": assess_case, "grade_text": grade_text_case,
              "subject": subject_case}
COLUMNS = {"grade": ("tool", "observation"), "assess": ("intent", "question", "subject", "entries"),
           "grade_text": ("tool", "query", "output"), "subject": ("question",)}
CALLS = {
    "grade": "(SELECT to_jsonb(g) - 'reason' FROM answer.grade(a[1], a[2]::jsonb) AS g)::text",
    "grade_text": "(answer.grade_text(a[1], a[2], a[3]) - 'reason')::text",
    "subject": "coalesce(to_jsonb(answer.question_subject(a[1])), 'null')::text",
    "assess": """(SELECT jsonb_build_object('complete', x.complete, 'level', x.level, 'quality', x.quality,
        'coverage', x.coverage, 'agreement', x.agreement, 'because', substring(x.explanation FROM '^[^:]*(?:: )?'),
        'gap', (SELECT coalesce(jsonb_agg(jsonb_build_array(class, have, need, kind, tool) ORDER BY n), '[]')
            FROM unnest(x.gap) WITH ORDINALITY AS g (class, have, need, kind, tool, reason, n)),
        'classes', (SELECT coalesce(jsonb_agg(jsonb_build_array(class, quality, strength, need, entries, code, next) ORDER BY n), '[]')
            FROM unnest(x.classes) WITH ORDINALITY AS c (class, quality, strength, need, entries, code, reason, next, next_code,
                next_reason, n)))
        FROM (SELECT (answer_assess(r.rules, a[1], a[2], a[3], jsonb_build_object('class', (g).class, 'tool', e ->> 'tool', 'query', e ->> 'query', 'target', e ->> 'target', 'sources', ARRAY(SELECT jsonb_array_elements_text(e -> 'sources')), 'quality', (g).quality, 'strength', (g).strength, 'reason', (g).reason, 'observation', e -> 'observation', 'entry', sha256(convert_to(answer_canonical(e - 'sources'), 'UTF8'))))).*
            FROM answer.quality_rules r LEFT JOIN (SELECT e, answer.grade(e ->> 'tool', e -> 'observation') AS g
                FROM jsonb_array_elements(a[4]::jsonb) AS e OFFSET 0) AS y ON true) AS x)::text""",
}


def expect_grade(case):
    """Class, quality and strength."""
    observation = ABSENT if case["observation"] is None else oracle.parse_jsonb(case["observation"])
    cls, quality, strength = grade(case["tool"], observation)
    return {"class": cls, "quality": QUALITIES[quality], "strength": STRENGTHS[strength]}


def expect_assess(case):
    """The assessment."""
    return assess(case["intent"], case["question"], case["subject"] or "", oracle.parse_jsonb(case["entries"]))


def expect_subject(case):
    """The subject, or null."""
    return subject_of(case["question"])


def expect_grade_text(case):
    """Observation and grade."""
    return grade_text(case["tool"], case["query"], case["output"])


EXPECT = {"grade": expect_grade, "assess": expect_assess, "grade_text": expect_grade_text, "subject": expect_subject}
