"""Grades the observations of tools: doc/spec/quality.md §1 and §2."""

import re

from verify.document.json_text import Num
from verify.document.members import member_at
from verify.document.portable_number import portable_number
from verify.document.canonical import canonical, digest
from verify.df_verify_1.report import Broken, need
from verify.answer_eval.check import QUALITIES

NONE, WEAK, MODERATE, STRONG, VERIFIED = range(5)
STRENGTHS = ("None", "Low", "Medium", "High")
IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
# The newest rules (quality/3), which know the subject of a question.
QUALITY_RULES = 3
# from these rules on, a member that is null counts as missing, and the tool `reader` is known
RULES_OF_READER = 2


def a_count(value):
    """A portable JSON integer that is not negative."""
    number = portable_number(value.text) if isinstance(value, Num) else None
    need(isinstance(number, Num) and number.text.isdigit(), "malformed")
    return int(number.text)


def a_flag(value):
    """A JSON boolean."""
    need(isinstance(value, bool), "malformed")
    return value


def a_text(value):
    """A JSON string."""
    need(isinstance(value, str), "malformed")
    return value


def a_word(*words):
    """A function that reads one of these words."""
    def read(value):
        need(isinstance(value, str) and value in words, "malformed")
        return value
    return read


def a_command(words):
    """A function that reads a subcommand of at most so many words."""
    def read(value):
        value = a_text(value)
        need(len(value) <= 40 and re.fullmatch("|[a-z-]+( [a-z-]+){0,%d}" % (words - 1), value), "malformed")
        return value
    return read


def grade_grep(o):
    """The quality of an observation of grep."""
    n = o.get("match_count", 0)
    worth = {"phrase": STRONG, "identifier": STRONG, "substring": MODERATE if n <= 10 else WEAK, "token": WEAK}
    return worth.get(o.get("match"), NONE) if n else NONE


def grade_find(o):
    """The quality of an observation of find."""
    return {"exact": STRONG, "partial": MODERATE, "token": WEAK}.get(o.get("match"), NONE) if o.get("match_count") else NONE


def grade_references(o):
    """The quality of a search for uses."""
    n = o.get("match_count", 0)
    return STRONG if n > 5 else MODERATE if n else NONE


def grade_read(o):
    """The quality of a reading of files."""
    worth = {"highest_confidence": STRONG, "ranked": MODERATE, "first_of_grep": WEAK}
    return worth.get(o.get("selection"), NONE) if o.get("files_read") else NONE


def grade_reader(o):
    """The quality of a second reading of files."""
    return NONE if not o.get("agrees") else STRONG if o.get("passages") else WEAK


def grade_git(o):
    """The quality of an observation of git."""
    if o.get("failed") or not o.get("output_lines"):
        return NONE
    about = o.get("question") or "other", o.get("command", "")
    if about == ("history", "log"):
        return STRONG if o.get("matching_commits") and o.get("has_query_terms", True) else MODERATE
    return STRONG if about == ("working_tree", "status") else WEAK


def grade_cmake(o):
    """The quality of a build."""
    if not o.get("ok"):
        return NONE
    return WEAK if o.get("noop") else STRONG if o.get("target_built") else MODERATE


def grade_ctest(o):
    """The quality of a run of tests."""
    if o.get("failed"):
        return NONE
    if not o.get("run"):
        return WEAK
    return MODERATE if o.get("passed", 0) < o.get("relevant", o["run"]) else STRONG


def grade_discovery(o):
    """The quality of a scan of a project."""
    if not o:
        return NONE
    if not o.get("type") or o["type"].isascii() and o["type"].lower() == "unknown":
        return WEAK
    return MODERATE if o.get("source_count") is None or o.get("has_tests") is None else STRONG


def grade_gh(o):
    """The quality of an observation of gh."""
    if o.get("command") == "run list":
        return WEAK if not o.get("runs") else STRONG if o.get("matching_workflow") else MODERATE
    if o.get("command") == "run view":
        return STRONG if o.get("conclusion") else MODERATE
    return NONE


# tool: (class, the members of its observation, grader)
GRADERS = {
    "grep": ("FileSearch", {"match": a_word("phrase", "identifier", "substring", "token"), "match_count": a_count,
                            "exact_match_count": a_count}, grade_grep),
    "find": ("FileSearch", {"match": a_word("exact", "partial", "token"), "match_count": a_count,
                            "exact_match_count": a_count}, grade_find),
    "references": ("FileSearch", {"match_count": a_count}, grade_references),
    "read": ("FileContent", {"selection": a_word("highest_confidence", "ranked", "first_of_grep"), "files_read": a_count}, grade_read),
    "reader": ("FileContent", {"agrees": a_flag, "passages": a_count}, grade_reader),
    "git": ("GitLog", {"command": a_command(1), "question": a_word("history", "working_tree", "other"),
                       "has_query_terms": a_flag, "matching_commits": a_count, "output_lines": a_count, "failed": a_flag}, grade_git),
    "cmake": ("Build", {"ok": a_flag, "noop": a_flag, "target_built": a_flag}, grade_cmake),
    "ctest": ("Test", {"run": a_count, "passed": a_count, "failed": a_count, "relevant": a_count}, grade_ctest),
    "discovery": ("Discovery", {"type": a_text, "source_count": a_count, "has_tests": a_flag}, grade_discovery),
    "gh": ("CIWorkflow", {"command": a_command(2), "runs": a_count, "matching_workflow": a_flag, "conclusion": a_text}, grade_gh),
}


def grade(tool, observation, rules):
    """(class, quality, matches, exact, phrase) of an observation; None if these rules have no grader for it."""
    if tool not in GRADERS or tool == "reader" and rules < RULES_OF_READER:
        return None
    cls, members, judge_it = GRADERS[tool]
    need(isinstance(observation, dict) and set(observation) <= set(members), "malformed")
    read = {key: members[key](value) for key, value in observation.items() if value is not None}
    count, match = read.get("match_count", 0), read.get("match")
    exact = read.get("exact_match_count", count if match in ("phrase", "identifier", "exact") else 0)
    need(exact <= count, "malformed")
    quality = judge_it(read)
    if tool == "discovery" and rules < RULES_OF_READER and observation and not read:
        quality = WEAK
    return cls, quality, count, exact, match == "phrase"


def quality_rules_of(document):
    """The number N of the rules quality/N of a document."""
    names = member_at(document, "reproduce", "evaluator", "rules")
    return next((n for one in names if isinstance(one, str) for n in range(1, QUALITY_RULES) if one == "quality/%d" % n),
                QUALITY_RULES) if isinstance(names, list) else QUALITY_RULES


def grade_rules_of(document):
    """The number of the rules for grading in a document."""
    return min(quality_rules_of(document), RULES_OF_READER)


def strength_of(count):
    """The index in STRENGTHS of a count of matches."""
    return 0 if not count else 1 if count <= 10 else 2 if count <= 50 else 3


def regrade(document, note):
    """Grade again the entries of known tools, and check the digests of all; `note` gets the differences."""
    rules = grade_rules_of(document)
    for i, entry in enumerate(document["entries"]):
        if not isinstance(entry, dict) or "observation" not in entry:
            continue
        observation = entry["observation"]
        if entry.get("digest") != digest(observation):
            note("digest", "is not that of the observation", i)
        tool = entry.get("tool")
        try:
            found = grade(tool if isinstance(tool, str) else "", observation, rules)
        except Broken:
            note("observation", "is none of that tool", i)
            continue
        if found is None:
            continue
        cls, quality, count, exact, phrase = found
        if entry.get("class") != cls:
            note("class", "is not that of the tool", i)
        if entry.get("quality") != QUALITIES[quality]:
            note("quality", "its grader says %s" % QUALITIES[quality], i)
        if entry.get("strength") != STRENGTHS[strength_of(count)]:
            note("strength", "its grader says %s" % STRENGTHS[strength_of(count)], i)
        stated = [canonical(entry[k]) if k in entry else None for k in ("match_count", "exact_match_count", "phrase_match")]
        if stated != [str(count), str(exact), "true" if phrase else "false"]:
            note("match_count", "is not what the observation says of its matches", i)
