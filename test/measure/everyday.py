#!/usr/bin/python3
"""Measures answers from ordinary prose: how often they are right, wrong, hedged or refused, with and without judges.

    everyday.py [--ask python|server] [--judge none,truth,0.9] [--goals] [--verbose] FOLDER...

A folder is a set: docs.json, questions.json, sentences.json and optionally pairs.json (for their form see growers/, a set
of our own). The sets are for measuring: no rule and no word of a list may be made for one of them.

Cases:
  question   answerable (A), answerable from the newer of two versions (C), not answerable (R). `plain` is ANSWER,
             `hedged` ANSWER_WITH_CAVEATS, `right` holds the gold text; of C, showing the conflict is right too
  sentence   what a model might write, true (T) or false (F), as an answer that cites what the document says
  pair       two passages that contradict each other, or agree

Judges: `none`; `truth` reads the labels; a number is a judge that is right that often, by a hash of the pair, so that
every run has the same judge. Passages and conflicts are judged for questions, sentences for sentences, conflicts for
pairs. Freshness is off; the rest of the configuration is the shipped one.

`python` asks tools/verify, the second implementation, and needs no server. `server` asks answer_eval in a database
`everyday`, which is created and dropped, on the server that the PG* variables name. --goals: exit status 1 if a goal is
missed. --goals-in FILE: the same with other goals, {judge: {row: [least or null, most or null]}}; then the last line is
`N passed, N failed`, for test/run.sh.
"""

import argparse
import collections
import hashlib
import importlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRESHNESS_OFF = {"freshness_days": 0, "freshness_days_high_risk": 0}
SEVERAL = 5     # chunks that are asked for, and that a sentence cites at most
GIVEN = {"ANSWER": "plain", "ANSWER_WITH_CAVEATS": "hedged"}
# The goals over all sets that earlier work measured: (row, least, most).
GOALS = {
    "none": (("question plain right", 35, None), ("question plain wrong", None, 4), ("unanswerable plain", None, 11),
             ("question hedged right", 25, None), ("sentence true plain", None, 0), ("sentence false plain", None, 0),
             ("sentence true stopped", None, 2), ("pair agreeing flagged", None, 1)),
    "truth": (("question plain right", 83, None), ("question plain wrong", None, 0), ("unanswerable plain", None, 0),
              ("sentence true plain", 78, None), ("sentence false stopped", 80, None), ("pair conflict found", 40, None),
              ("pair agreeing left", 40, None)),
    "0.9": (("question plain right", 66, None), ("question plain wrong", None, 2), ("sentence false plain", None, 14)),
}
ROWS = ("question plain right", "question plain wrong", "question hedged right", "question hedged wrong",
        "question refused", "version plain right", "version plain wrong", "version hedged right", "version hedged wrong",
        "version conflict shown", "version refused", "unanswerable plain", "unanswerable hedged", "unanswerable refused",
        "sentence true plain", "sentence true hedged", "sentence true stopped", "sentence false plain",
        "sentence false hedged", "sentence false stopped", "pair conflict found", "pair conflict missed",
        "pair agreeing left", "pair agreeing flagged")


def squeezed(text):
    """A text in lower case with single spaces."""
    return " ".join(text.lower().split())


def holds(text, gold):
    """Whether a text contains the gold text."""
    return bool(gold) and squeezed(gold) in squeezed(text or "")


# --------------------------------------------------------------------------
# Who is asked
# --------------------------------------------------------------------------

class Python:
    """tools/verify."""

    def __init__(self, rules):
        sys.dont_write_bytecode = True
        sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
        self.tool = importlib.import_module("oracle").tool
        with open(rules or os.path.join(ROOT, "src", "reading", "shipped_rules.json"), encoding="utf-8") as file:
            self.rules = self.tool.DecisionRules(self.tool.parse(file.read()))
        self.now = self.tool.instant("2026-11-28T12:00:00Z")
        self.chunks, self.settings = [], {}

    def load(self, documents, _judged):
        """Take documents."""
        self.chunks = []
        for one in documents:
            paragraphs = [part.strip() for part in one["text"].replace("\r\n", "\n").split("\n\n")]
            self.chunks += [{"chunk_id": "%s#p%d" % (one["doc_id"], i), "doc_id": one["doc_id"], "text": text,
                             "title": one["title"], "timestamp": one["date"]}
                            for i, text in enumerate(filter(None, paragraphs))]

    def chunks_of(self, doc_id):
        """What sentences on a document cite."""
        return [{**one, "similarity": 1} for one in sorted(self.chunks, key=lambda one: one["chunk_id"])
                if one["doc_id"] == doc_id][:SEVERAL]

    def search(self, query, _config):
        """What is found for a query."""
        question = self.tool.Question(query, self.rules.reading)
        scored = [(self.tool.reading_score(question, one["text"], one["title"], self.rules.reading)[0], one)
                  for one in self.chunks]
        best = sorted(((score, one) for score, one in scored if score), key=lambda found: (-found[0], found[1]["chunk_id"]))
        return [{**one, "similarity": round(float(score), 4)} for score, one in best[:SEVERAL]]

    def decision(self, query, chunks, citations, answer, config, judgements, without_clock=False):
        """The decision over something."""
        given = [self.tool.parse(json.dumps(value)) for value in (chunks, config, judgements)]
        return self.tool.Decision(query, self.tool.read_chunks(given[0]), citations, answer, self.tool.Settings(given[1]),
                                  None if without_clock else self.now, self.rules, given[2])

    def pairs(self, *terms):
        """What a decision needs judged."""
        return self.decision(*terms, without_clock=True).pending(True)

    def decide(self, *terms):
        """The decision."""
        return self.decision(*terms).result()

    def answer(self, query, chunks, citations, answer, config, judgements):
        """(decision, reasons, answer)."""
        found = self.decide(query, chunks, citations, answer, config, judgements)
        if found["decision"] not in GIVEN:
            return found["decision"], found["reasons"], found["user_message"]
        if answer is None:
            answer = " ".join('"%s" [%d]' % (one["text"].replace('"', "'"), i)
                              for i, one in enumerate(found["quotes"], 1))
        return found["decision"], found["reasons"], answer

    def close(self):
        """Nothing to clean up."""


class Server:
    """answer_eval in a database of its own, over psql."""

    DATABASE = "everyday"
    JUDGE = ("SELECT answer_judge_register('labels', jsonb_build_object('kinds', '[\"entailment\", \"answers\", "
             "\"conflict\"]'::jsonb, 'model', 'labels', 'version', '1', 'role', current_user))")
    CHUNKS = ("SELECT json_agg(json_build_object('chunk_id', chunk_id, 'doc_id', doc_id, 'text', text, 'title', title, "
              "'similarity', 1, 'timestamp', now()) ORDER BY chunk_id) FROM (SELECT * FROM answer.chunk "
              "WHERE doc_id = :'a' ORDER BY chunk_id LIMIT 5) c")

    END = "-- the end of an answer --"

    def __init__(self, _rules):
        self.session = None
        self.psql(["-d", "postgres"], "DROP DATABASE IF EXISTS everyday;\nCREATE DATABASE everyday;\n")
        self.session = subprocess.Popen(    # pylint: disable=consider-using-with
            self.command(["-d", self.DATABASE]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            encoding="utf-8", env=self.environment())
        self.ask("CREATE EXTENSION answer_eval CASCADE")

    @staticmethod
    def command(where):
        """psql, which reads statements and prints bare values."""
        return [os.environ.get("PSQL", "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *where, "-f", "-"]

    @staticmethod
    def environment():
        """The environment of psql."""
        return {**os.environ, "PGCLIENTENCODING": "UTF8", "PGOPTIONS": "-c client_min_messages=warning"}

    @classmethod
    def psql(cls, where, script):
        """What psql prints."""
        done = subprocess.run(cls.command(where), input=script, capture_output=True, text=True, encoding="utf-8",
                              env=cls.environment(), check=False)
        if done.returncode:
            raise RuntimeError("psql failed: " + done.stderr.strip()[-2000:])
        return done.stdout

    @staticmethod
    def quoted(text):
        """A text as an argument of \\set."""
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r") + "'"

    def ask(self, sql, *values):
        """One value; the arguments are :a, :b, … of the statement."""
        texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
        script = ["\\set %s %s\n" % (chr(ord("a") + i), self.quoted(text)) for i, text in enumerate(texts)]
        self.session.stdin.write("".join([*script, sql, ";\n\\echo ", self.quoted(self.END), "\n"]))
        self.session.stdin.flush()
        out = []
        for line in self.session.stdout:
            if line.rstrip("\n") == self.END:
                out = "".join(out).strip()
                return json.loads(out) if out[:1] in ("{", "[") else out or None
            out.append(line)
        raise RuntimeError("psql failed at: " + sql)

    @staticmethod
    def arguments(values):
        """The arguments of a function, NULL where there is none."""
        return ", ".join("NULL" if value is None else ":'%s'" % chr(ord("a") + i) for i, value in enumerate(values))

    def load(self, documents, judged):
        """Take documents; judges are registered."""
        if judged:
            self.ask(self.JUDGE)
        self.ask("SELECT answer_document_load(:'a')", [
            {"doc_id": one["doc_id"], "title": one["title"], "timestamp": one["date"], "text": one["text"]}
            for one in documents])

    def chunks_of(self, doc_id):
        """What sentences on a document cite."""
        return self.ask(self.CHUNKS, doc_id)

    def search(self, query, config):
        """What is found for a query."""
        return self.ask("SELECT answer_retrieve(:'a', :'b')", query, {"config": config})["retrieval"]["chunks"]

    def pairs(self, query, chunks, citations, answer, config, judgements):
        """What a decision needs judged."""
        terms = query, chunks, citations, answer, config
        return self.ask("SELECT answer_judge_pairs(%s, NULL, :'f')" % self.arguments(terms), *terms, judgements)

    def decide(self, query, chunks, citations, answer, config, judgements):
        """The decision."""
        terms = query, chunks, citations, answer, config
        return self.ask("SELECT answer_decide(%s, now(), NULL, :'f')" % self.arguments(terms), *terms, judgements)

    def answer(self, query, chunks, citations, answer, config, judgements):
        """(decision, reasons, answer)."""
        options = {"chunks": chunks, "citations": citations, "answer": answer, "config": config,
                   "judgements": judgements or None}
        options = {key: value for key, value in options.items() if value is not None}
        found = self.ask("SELECT answer_grounded(:'a', :'b')", query, options)
        return found["decision"], found["reasons"], found["answer"]

    def close(self):
        """Drop the database."""
        if self.session:
            self.session.stdin.close()
            self.session.wait()
        self.psql(["-d", "postgres"], "DROP DATABASE IF EXISTS everyday;\n")


# --------------------------------------------------------------------------
# What is asked
# --------------------------------------------------------------------------

OPPOSITE = {"supports": "contradicts", "contradicts": "supports", "answers": "does_not", "does_not": "answers"}
ROUNDS = 3


class Measure:
    """Measures one set with one judge."""

    def __init__(self, folder, asked, judge, verbose):
        self.folder, self.asked, self.judge, self.verbose = folder, asked, judge, verbose
        self.count = collections.Counter()
        self.asked.load(self.read("docs.json"), judge != "none")
        for one in self.read("questions.json"):
            self.question(*one)
        for one in self.read("sentences.json"):
            self.sentence(*one)
        for one in self.read("pairs.json"):
            self.pair(*one)

    def read(self, name):
        """A file of the set, [] where it has none."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def add(self, row, *shown):
        """Count a case, and print it with --verbose."""
        self.count[row] += 1
        if self.verbose:
            print(os.path.basename(self.folder.rstrip("/")), row, *shown, sep=" | ")

    def config(self, *kinds):
        """The configuration, with the judge for some kinds."""
        return {**FRESHNESS_OFF, **{"judge_" + kind: "labels" for kind in kinds if self.judge != "none"}}

    def is_wrong(self, pair):
        """Whether the judge is wrong about a pair."""
        if self.judge == "truth":
            return False
        share = int.from_bytes(hashlib.sha256(pair.encode()).digest()[:4], "big") / 2 ** 32
        return share >= float(self.judge)

    def judged(self, terms, truth):
        """Judgements of all pairs that a decision needs; `truth` gives the true relation of a pair."""
        out, rounds = [], 0
        while self.judge != "none":
            pairs = self.asked.pairs(*terms, out)
            if not pairs:
                break
            rounds += 1
            if rounds > ROUNDS:
                raise RuntimeError("more is to be judged after three rounds: %r" % (terms[0],))
            for one in pairs:
                relation = truth(one)
                if self.is_wrong(one["pair"]):
                    relation = {"contradicts": "neutral", "neutral": "contradicts"}[relation] \
                        if one["kind"] == "conflict" else OPPOSITE[relation]
                out.append({"pair": one["pair"], "judge": "labels", "relation": relation, "score": 0.99})
        return out

    def question(self, name, text, kind, _doc, gold):
        """A question."""
        def truth(pair):
            if pair["kind"] == "conflict":
                return "neutral"
            return "answers" if holds(pair["b"], gold) else "does_not"

        config = self.config("answers", "conflict")
        terms = text, self.asked.search(text, config), None, None, config
        decision, reasons, answer = self.asked.answer(*terms, self.judged(terms, truth))
        given = GIVEN.get(decision)
        row = "%s %s" % (given, "right" if holds(answer, gold) else "wrong") if given else "refused"
        if kind == "R":
            row = "unanswerable " + (given or "refused")
        elif kind == "C":
            row = "version " + ("conflict shown" if not given and "conflict_detected" in reasons else row)
        else:
            row = "question " + row
        self.add(row, name, text, gold, decision, reasons, answer)

    def sentence(self, name, kind, doc, text):
        """A sentence of a model."""
        chunks, config = self.asked.chunks_of(doc), self.config("entailment")
        terms = text, chunks, [one["chunk_id"] for one in chunks], text, config
        judgements = self.judged(terms, lambda _: "supports" if kind == "T" else "contradicts")
        decision, reasons, _ = self.asked.answer(*terms, judgements)
        self.add("sentence %s %s" % ("true" if kind == "T" else "false", GIVEN.get(decision, "stopped")),
                 name, text, decision, reasons)

    def pair(self, name, differs, one, other, why):
        """Two passages of different documents."""
        chunks = [{"chunk_id": doc + "#p0", "doc_id": doc, "text": text, "similarity": 0.9,
                   "timestamp": "2026-01-01T00:00:00Z"} for doc, text in (("a", one), ("b", other))]
        terms = one, chunks, None, None, self.config("conflict")
        found = self.asked.decide(*terms, self.judged(terms, lambda _: "contradicts" if differs else "neutral"))
        flagged = "conflict_detected" in found["reasons"]
        self.add("pair " + (("conflict found" if flagged else "conflict missed") if differs else
                            "agreeing flagged" if flagged else "agreeing left"), name, one, other, why)


def table(judges, counts):
    """Print the figures, one column per judge."""
    width = max(map(len, ROWS))
    print(" " * width, *("%7s" % judge for judge in judges))
    for row in ROWS:
        print(row.ljust(width), *("%7d" % counts[judge][row] for judge in judges))


def missed_goals(goals, judge, count):
    """The goals that a judge's figures miss."""
    missed = []
    for row, least, most in goals.get(judge, ()):
        if least is not None and count[row] < least:
            missed.append("%s: %s is %d, not at least %d" % (judge, row, count[row], least))
        elif most is not None and count[row] > most:
            missed.append("%s: %s is %d, not at most %d" % (judge, row, count[row], most))
    return missed


def read_goals(path):
    """The goals of a file."""
    with open(path, encoding="utf-8") as file:
        goals = json.load(file)
    goals = {judge: tuple((row, *bounds) for row, bounds in rows.items()) for judge, rows in goals.items()}
    unknown = {row for rows in goals.values() for row, _, _ in rows} - set(ROWS)
    if unknown:
        raise ValueError("%s: there is no row %s" % (path, ", ".join(sorted(unknown))))
    return goals


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="FOLDER", nargs="+")
    parser.add_argument("--ask", choices=("python", "server"), default="python")
    parser.add_argument("--judge", type=lambda text: text.split(","), default=["none", "truth", "0.7", "0.8", "0.9"])
    parser.add_argument("--rules", help="the rules that python reads by (default: those that ship)")
    parser.add_argument("--goals", action="store_true", help="exit with 1 where a goal is missed")
    parser.add_argument("--goals-in", metavar="FILE", help="the same with the goals of a file")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def main():
    """Ask, print, compare."""
    options = arguments()
    counts = {}
    for judge in options.judge:
        counts[judge] = collections.Counter()
        for folder in options.folders:
            asked = (Python if options.ask == "python" else Server)(options.rules)
            try:
                counts[judge] += Measure(folder, asked, judge, options.verbose).count
            finally:
                asked.close()
    table(options.judge, counts)
    goals = read_goals(options.goals_in) if options.goals_in else GOALS if options.goals else {}
    missed = [line for judge in options.judge for line in missed_goals(goals, judge, counts[judge])]
    print(*missed, sep="\n", end="\n" if missed else "")
    if options.goals_in:
        asked = sum(len(goals.get(judge, ())) for judge in options.judge)
        print("%d passed, %d failed" % (asked - len(missed), len(missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
