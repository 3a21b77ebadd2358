#!/usr/bin/python3
"""Measures how well ground.verify tells whether a source supports a claim, with and without a judge.

    verify.py [--judge none,truth,0.8] [--goals-in FILE] [--verbose] FILE...

A file has one JSON object per line: {claim, source, label}. `label` is true if the source supports the claim, and false
otherwise. Public sets are converted to that form outside of the repository. In a folder as everyday.py describes it, the
sentences are claims about their documents.

For each file and judge:
  claims, true     how many claims, and how many of them have the label true
  verdict          balanced accuracy of "it has a support, and none of its contradictions blocks"
  answered         balanced accuracy of "its confidence is 0.90 or more", which an answer needs
  score            area under the ROC curve of the verdict's confidence (0.5 is chance)
  half             balanced accuracy of plain overlap: "the source has half of the claim's words or more"
  overlap          area under the ROC curve of that share
  score/2, overlap/2  balanced accuracy on each half of the claims, with the best threshold of the other half; a hash of
                   the claim chooses its half
  asked            how many pairs the judge was asked about: all except those that share no item
  judge            balanced accuracy of the judge; a pair that it was not asked about counts as not supported

A source is one hit, with the score of answer.text_score() for claim and source, as in a search.
Judges: `none`; `truth` reads the labels; a number is a judge that is right that often, by a hash of the pair.
They are functions that the active configuration names, and are called like a user's judges.

The server is the one that the PG* variables name; the database `verify` is created and dropped. --goals-in: {judge:
{figure: [least or null, most or null]}}; a bound is a number, or the name of another figure. The last line is then
`N passed, N failed`, for test/run.sh.
"""

import argparse
import hashlib
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import everyday    # pylint: disable=wrong-import-position

DATABASE = "verify"
ANSWERED = 0.9      # min_confidence, as shipped
BLOCKED = 0.3       # block_if_conflict_over, as shipped
FIGURES = ("claims", "true", "verdict", "answered", "half", "score", "overlap", "score/2", "overlap/2", "asked", "judge")

SETUP = """
CREATE EXTENSION answer_eval CASCADE;
CREATE TABLE claim (n int PRIMARY KEY, claim text, source text, says boolean);
CREATE INDEX ON claim USING hash (claim);
CREATE FUNCTION said(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.99, 'relation',
		(SELECT CASE WHEN says THEN 'supports' ELSE 'contradicts' END FROM claim
		WHERE claim = p ->> 'a' AND source = p ->> 'b' LIMIT 1))))
	FROM jsonb_array_elements(args -> 'pairs') AS p $$;
SELECT answer_judge_register('labels', '{"kinds": ["entailment"], "model": "labels", "version": "none",
	"handler": "said(jsonb)"}') IS NOT NULL;
SELECT answer_suite_load('one', '[{"id": "a", "query": "Who mends kites?", "expected_outcome": "ABSTAIN", "risk_level": "low"},
	{"id": "b", "query": "When does the workshop open?", "expected_outcome": "ANSWER", "risk_level": "low"}]', '[
	{"doc_id": "a", "title": "Desk", "timestamp": "2026-01-01T00:00:00Z", "text": "The workshop will open at nine."},
	{"doc_id": "b", "title": "Sign", "timestamp": "2026-01-01T00:00:00Z", "text": "When the workshop opens, tea is free."}]',
	'2026-01-02T00:00:00Z') IS NOT NULL;
SELECT answer_environment_set('judged', options => '{"suite": "one", "rules": {"min_overall_pass_rate": 0, "max_false_accept_rate": 1,
	"min_citation_validity_rate": 0, "no_regression_slices": []}, "shadow_samples": 0, "canary_samples": 0, "canary_percent": 100}') IS NOT NULL;
SELECT answer_config_promote('judged', id) ->> 'moved'
FROM answer_config_create('{"judge_entailment": "labels"}', 'labels') AS id, generate_series(1, 3);
"""
JUDGE = """
SELECT answer_judge_register('labels', '{"kinds": ["entailment"], "model": "labels", "version": "%s",
	"handler": "said(jsonb)", "max_chars": 1000000}') IS NOT NULL \\g /dev/null
"""
VERIFIED = """
SELECT jsonb_build_array(e #> '{verdict,confidence}', e #> '{verdict,contradictions}', jsonb_array_length(e -> 'supports'),
	COALESCE(jsonb_array_length(e -> 'judgements'), 0))
FROM claim, LATERAL (SELECT answer.tool_ground_verify(jsonb_build_object('claims', jsonb_build_array(claim), 'sources',
	jsonb_build_array(jsonb_build_object('uri', 'source', 'snippet', source, 'score', answer.text_score(claim, source)))))
	-> 'evidence') AS v (e) ORDER BY n;
"""


def psql(script, database=DATABASE):
    """The lines that statements print."""
    return everyday.Server.psql(["-d", database], script).splitlines()


def share_of(text):
    """A number from 0 to 1 that depends only on a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2 ** 32


def words(text):
    """The words of a text."""
    return set(re.findall(r"\w+", text.casefold()))


def overlap(claim, source):
    """The share of the claim's words in the source."""
    asked = words(claim)
    return len(asked & words(source)) / len(asked) if asked else 0


def mean(values):
    """The mean of some values; None if there are none."""
    values = list(values)
    return sum(values) / len(values) if values else None


def balanced(said, labels):
    """Balanced accuracy: the mean of the shares of true and of false claims that were recognized."""
    shares = [mean(one == label for one, label in zip(said, labels) if label == which) for which in (True, False)]
    return None if None in shares else mean(shares)


def area(scores, labels):
    """The area under the ROC curve: how often a true claim scores more than a false one; ties count half."""
    ranks, ordered = {}, sorted(scores)
    for i, score in enumerate(ordered, 1):
        ranks.setdefault(score, []).append(i)
    true = [score for score, label in zip(scores, labels) if label]
    false = len(scores) - len(true)
    if not true or not false:
        return None
    return (sum(mean(ranks[score]) for score in true) - len(true) * (len(true) + 1) / 2) / (len(true) * false)


def halves(claims, scores, labels):
    """Balanced accuracy of each half of the claims, with the best threshold of the other half."""
    of_half = [[i for i, claim in enumerate(claims) if (share_of(claim) < 0.5) == which] for which in (True, False)]
    found = []
    for tuned, asked in (of_half, of_half[::-1]):
        def at(least, where):
            return balanced([scores[i] >= least for i in where], [labels[i] for i in where])
        tried = [(at(least, tuned), least) for least in sorted({scores[i] for i in tuned})]
        if not tried or tried[0][0] is None:
            return None
        found.append(at(max(tried)[1], asked))
    return None if None in found else mean(found)


def read_rows(path):
    """[(claim, source, label)] of a file, or of the sentences of a folder."""
    if os.path.isdir(path):
        with open(os.path.join(path, "docs.json"), encoding="utf-8") as file:
            texts = {one["doc_id"]: one["text"] for one in json.load(file)}
        with open(os.path.join(path, "sentences.json"), encoding="utf-8") as file:
            return [(sentence, texts[doc], kind == "T") for _, kind, doc, sentence in json.load(file)]
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    return [(one["claim"], one["source"], bool(one["label"])) for one in rows]


def says(judge, row):
    """What a judge says of a claim and a source."""
    claim, source, label = row
    return label if judge == "truth" or share_of(claim + "\n" + source) < float(judge) else not label


def ask(rows, judge):
    """(confidence, contradictions, supports, judgements) of each claim, and the judge's verdict."""
    said = [None if judge == "none" else says(judge, row) for row in rows]
    lines = [JUDGE % judge, "TRUNCATE claim;", "COPY claim FROM STDIN;"]
    for i, ((claim, source, _), one) in enumerate(zip(rows, said)):
        texts = [text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
                 for text in (claim, source)]
        lines.append("\t".join([str(i), *texts, "\\N" if one is None else str(one).lower()]))
    lines += ["\\.", "SET answer_eval.environment = judged;" if said[0] is not None else "", VERIFIED]
    return [json.loads(line) for line in psql("\n".join(lines))], said


def measure(rows, judge):
    """The figures of a file and a judge."""
    found, said = ask(rows, judge)
    claims, labels = [row[0] for row in rows], [row[2] for row in rows]
    scores, shares = [one[0] for one in found], [overlap(claim, source) for claim, source, _ in rows]
    return {"claims": len(rows), "true": sum(labels),
            "verdict": balanced([one[2] > 0 and one[1] <= BLOCKED for one in found], labels),
            "answered": balanced([score >= ANSWERED and one[1] <= BLOCKED for score, one in zip(scores, found)], labels),
            "half": balanced([share >= 0.5 for share in shares], labels), "score": area(scores, labels), "overlap": area(shares, labels),
            "score/2": halves(claims, scores, labels), "overlap/2": halves(claims, shares, labels),
            "asked": sum(one[3] for one in found), "judge": None if judge == "none" else
            balanced([one[3] > 0 and answer for one, answer in zip(found, said)], labels)}, found


def shown(value):
    """A figure in a table."""
    return "-" if value is None else "%d" % value if isinstance(value, int) else "%.3f" % value


def missed_goals(goals, figures):
    """The goals that figures miss."""
    missed = []
    for name, bounds in goals.items():
        least, most = (figures[bound] if isinstance(bound, str) else bound for bound in bounds)
        if figures[name] is None or least is not None and figures[name] < least or most is not None and figures[name] > most:
            missed.append("%s is %s, not from %s to %s" % (name, shown(figures[name]), *map(shown, (least, most))))
    return missed


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("--judge", type=lambda text: text.split(","), default=["none", "truth", "0.8"])
    parser.add_argument("--goals-in", metavar="FILE", help="exit with 1 where a goal of the file is missed")
    parser.add_argument("--verbose", action="store_true", help="print each claim with what was said of it")
    return parser.parse_args()


def main():
    """Ask, print, compare."""
    options = arguments()
    goals = {}
    if options.goals_in:
        with open(options.goals_in, encoding="utf-8") as file:
            goals = json.load(file)
    missed, asked = [], 0
    psql("DROP DATABASE IF EXISTS verify;\nCREATE DATABASE verify;\n", "postgres")
    try:
        psql(SETUP)
        print("%-24s %-6s" % ("", "judge"), *("%9s" % name for name in FIGURES))
        for path in options.files:
            rows = read_rows(path)
            name = os.path.splitext(os.path.basename(path.rstrip("/")))[0]
            for judge in options.judge:
                figures, found = measure(rows, judge)
                print("%-24s %-6s" % (name, judge), *("%9s" % shown(figures[figure]) for figure in FIGURES), flush=True)
                asked += len(goals.get(judge, {}))
                missed += ["%s, judge %s: %s" % (name, judge, line) for line in missed_goals(goals.get(judge, {}), figures)]
                for row, one in zip(rows, found) if options.verbose else ():
                    print(judge, *one, *row, sep=" | ")
    finally:
        psql("DROP DATABASE IF EXISTS verify;\n", "postgres")
    print(*missed, sep="\n", end="\n" if missed else "")
    if options.goals_in:
        print("%d passed, %d failed" % (asked - len(missed), len(missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
