#!/usr/bin/python3
"""Compares English stems for every word of real lists: the extension's, those of tools/verify, and the server's own.

The lists are the files of /usr/share/dict, from Debian's packages of words (wamerican, wbritish, ...), and those that
ANSWER_EVAL_WORDS names, separated by colons, such as Snowball's vocabulary (english/voc.txt of snowball-data). Servers
from 18 on have a later version of the stemmer; there only the first two are compared.
"""

import json
import os
import re
import sys

import outside

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(outside.ROOT, "tools"))
from verify.reading.stem import stem_of     # noqa: E402

LISTS = "/usr/share/dict"
AT_ONCE = 20000
# Stop words, negators and number words: not items, or values.
FEW = 400

SERVER = """SELECT jsonb_object_agg(w, (ts_lexize('pg_temp.no_stop_words', w))[1])
    FROM jsonb_array_elements_text(%s) AS w WHERE current_setting('server_version_num')::int < 180000"""
# each word is a sentence, and its stem the only item
OURS = """SELECT jsonb_object_agg(s ->> 'text', s #>> '{items,0}') FROM jsonb_array_elements(answer_reading((
    SELECT string_agg(w, E'\\n\\n') FROM jsonb_array_elements_text(%s) AS w)) -> 'sentences') AS s
    WHERE s -> 'values' = '[]' AND jsonb_array_length(s -> 'items') = 1"""
SETUP = ["CREATE TEXT SEARCH DICTIONARY pg_temp.no_stop_words (TEMPLATE = pg_catalog.snowball, Language = english)"]


def words_of(path):
    """The words of a list that have only the letters a to z, in lower case."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return {word for word in re.findall(r"[^\W\d_]+", file.read().lower()) if word.isascii()}


def lists():
    """The lists that are installed or named."""
    named = [path for path in os.environ.get("ANSWER_EVAL_WORDS", "").split(":") if path]
    here = [os.path.join(LISTS, name) for name in sorted(os.listdir(LISTS))] if os.path.isdir(LISTS) else []
    here = [path for path in here if os.path.isfile(path) and not os.path.basename(path).startswith("README")]
    return sorted({os.path.realpath(path) for path in [*here, *named]})


def main():
    """Compare them."""
    paths = lists()
    words = sorted(set().union(*map(words_of, paths))) if paths else []
    if len(words) < AT_ONCE:
        outside.skip("no lists of words here; Debian's wamerican has one, and ANSWER_EVAL_WORDS can name some")
    tally, left_out, by_server = outside.Tally(), 0, 0
    batches = [words[i:i + AT_ONCE] for i in range(0, len(words), AT_ONCE)]
    statements = [form % (outside.literal(json.dumps(batch)) + "::jsonb") for batch in batches for form in (OURS, SERVER)]
    answers = outside.ask(statements, SETUP)
    for number, batch in enumerate(batches):
        for answer in answers[2 * number:2 * number + 2]:
            if not answer.ok:
                raise SystemExit("%s: %s" % (answer.state, answer.out[:500]))
        ours, server = (json.loads(answer.out or "{}") for answer in answers[2 * number:2 * number + 2])
        left_out += len(batch) - len(ours)
        by_server += len(server)
        for word in batch:
            stem = stem_of(word)
            seen = {"ours": ours.get(word, stem), "server": server.get(word, stem)}
            tally.check(set(seen.values()) == {stem}, "%s: answer-verify %s, %s" % (word, stem, seen))
    tally.check(left_out < FEW, "%d words give no stem, fewer than %d are expected" % (left_out, FEW))
    print("%d words of %s; %d of them asked of the server" % (len(words), ", ".join(paths), by_server))
    tally.end()


if __name__ == "__main__":
    main()
