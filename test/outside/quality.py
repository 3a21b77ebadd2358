#!/usr/bin/python3
"""Evidence quality on the real output of tools about a small real project.

The project in ../corpus/quality becomes a git repository in a temporary folder, is built with cmake and tested with ctest.
The output of grep, find, git, cmake and ctest there goes through answer.grade_text and answer_investigation_record_output.
Six false positives of an agent's search are repeated as the agent searched: the whole query first, then its words, then
the first file found. They must end with InsufficientEvidence, although something was found and read each time; questions
whose answer exists must end with success. gh is not run, because it needs an account: its output is recorded here, in the
formats of gh 2.x.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile

import outside

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus", "quality")
GH = os.path.join(CORPUS, "gh")
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1",
               "GIT_AUTHOR_NAME": "Keeper", "GIT_AUTHOR_EMAIL": "keeper@lighthouse.example",
               "GIT_COMMITTER_NAME": "Keeper", "GIT_COMMITTER_EMAIL": "keeper@lighthouse.example"}
PLACES = ["CMakeLists.txt", "doc", "src", "test"]

FALSE_POSITIVES = ["evidence gating", "startup model selection", "provider credentials configured",
                   "xqkz_2024_nonexistent_class", "retry backoff policy", "search for xqkz_2024_missing_function"]
TRUE_QUESTIONS = ["ExecutionEngine", "ExecutionEngineTurn", "lamp is lit", "the lens turns", "SessionOpen",
                  "nothing is wrong"]

TALLY = outside.Tally()


def check(good, what):
    """One test."""
    TALLY.check(bool(good), what)


def sql(statement):
    """The value of a statement that must not fail."""
    answer = outside.ask([statement])[0]
    if not answer.ok:
        raise SystemExit("%s: %s" % (answer.state, statement[:500]))
    return answer.out


def record(investigation, tool, query, target, output):
    """Record what a tool printed; its grade."""
    return json.loads(sql("SELECT to_jsonb(answer_investigation_record_output(%d, %s, %s, %s, %s))" % (
        investigation, *map(outside.literal, (tool, query, target, output)))))


def record_read(investigation, path, selection):
    """Record that a file was read, and how it was chosen."""
    observation = json.dumps({"selection": selection, "files_read": 1 if path else 0})
    return json.loads(sql("SELECT to_jsonb(answer_investigation_record(%d, 'read', %s, %s, %s, ARRAY[%s]))" % (
        investigation, *map(outside.literal, (path, path, observation, path)))))


def opened(intent, question):
    """A new investigation."""
    return int(sql("SELECT answer_investigation_open(%s, %s)" % (outside.literal(intent), outside.literal(question))))


def closed(investigation):
    """Close an investigation; returns how it ends."""
    return sql("SELECT answer_investigation_close(%d)" % investigation)


def grade(tool, query, output, question=None):
    """The grade of a tool's output."""
    return json.loads(sql("SELECT answer.grade_text(%s, %s, %s, %s)" % (
        *map(outside.literal, (tool, query, output)), "NULL" if question is None else outside.literal(question))))


class Project:
    """The project, and the tools that look at it."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "lighthouse")
        shutil.copytree(CORPUS, self.folder, ignore=shutil.ignore_patterns("gh"))
        self.run("git", "init", "-q", "-b", "main")
        self.commit("Build the tower")
        with open(os.path.join(self.folder, "doc", "keeper.md"), "a", encoding="utf-8") as book:
            book.write("\nThe oil came late.\n")
        self.commit("Write the book of the keeper")

    def run(self, *command):
        """The output of a tool, with its errors."""
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.stdout.decode("utf-8")

    def commit(self, message):
        """A commit of everything."""
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", message)

    def grep(self, query):
        """Search for the whole query, or else for its words, which causes false positives."""
        found = self.run("grep", "-rnF", "--", query, *PLACES)
        return found or self.run("grep", "-rniE", "--", "|".join(words(query)), *PLACES)

    def find(self, query):
        """Files by name: the whole query, or else its words."""
        test = "-ipath" if "/" in query else "-iname"
        found = self.run("find", ".", "-not", "-path", "*/.git*", "-type", "f", test, "*%s*" % query)
        names = [argument for word in words(query) for argument in ("-o", "-iname", "*%s*" % word)]
        return found or self.run("find", ".", "-not", "-path", "*/.git*", "-type", "f", "(", *names[1:], ")")


def words(query):
    """The words into which an agent splits a query."""
    return [word for word in re.split(r"[\s_]+", query) if word]


def locate(project, query):
    """Look for something as an agent does; returns the outcome, and what was found and read."""
    investigation = opened("Locate", query)
    grepped = project.grep(query)
    path = grepped.split(":", 1)[0]
    searched = record(investigation, "grep", query, path, grepped)
    found = project.find(query)
    record(investigation, "find", query, found.split("\n", 1)[0], found)
    precise = searched["quality"] == "Strong"
    read = record_read(investigation, path, "highest_confidence" if precise else "first_of_grep")
    gap = sql("SELECT string_agg(class || ' ' || kind || ' ' || tool, ', ') FROM answer_gap(%d)" % investigation)
    return closed(investigation), searched, read, gap


def false_positives(project):
    """For each of these something is found, but not what was asked for."""
    for query in FALSE_POSITIVES:
        outcome, searched, read, gap = locate(project, query)
        check(searched["strength"] != "None" and read["quality"] != "None",
              "%s: the old model had evidence of both classes: %s %s" % (query, searched, read))
        check(searched["quality"] == "Weak", "%s: it is weak: %s" % (query, searched))
        check(outcome == "InsufficientEvidence", "%s: %s" % (query, outcome))
        check("FileSearch weak " + ("references" if re.fullmatch(r"\w+", query) else "find") in gap, "%s: gap %s" % (query, gap))


def words_apart(project):
    """Each word is searched for alone, so that it matches as a phrase, and the first file is read as the best."""
    for query in FALSE_POSITIVES:
        subject = query.rsplit(" ", 1)[-1] if "_" in query else query
        investigation = opened("Locate", "where is \"%s\"?" % subject)
        grades = []
        for word in words(subject):
            lines = project.run("grep", "-rnwi", "--", word, *PLACES)
            path = lines.split(":", 1)[0]
            grades.append(record(investigation, "grep", word, path, lines)["quality"])
            if path:
                record_read(investigation, path, "highest_confidence")
        held = sql("SELECT quality FROM answer_quality(%d) WHERE class = 'FileSearch'" % investigation)
        check(held == ("Weak" if set(grades) != {"None"} else "None"),
              "%s: words alone: %s, held %s" % (subject, grades, held))
        ended = closed(investigation)
        check(ended == "InsufficientEvidence", "%s, word by word: %s" % (subject, ended))
    alone = [grade("grep", word, project.run("grep", "-rnw", "--", word, *PLACES)) for word in words(" ".join(FALSE_POSITIVES))]
    check("Strong" in [one["quality"] for one in alone], "some of the words alone are matched as they are")


def true_questions(project):
    """Questions whose answer exists."""
    for query in TRUE_QUESTIONS:
        outcome, searched, _, gap = locate(project, query)
        check(searched["quality"] == "Strong", "%s: %s" % (query, searched))
        check(outcome == "success", "%s: %s, %s" % (query, outcome, gap))


def one_step(project, investigation, subject, advice, file):
    """Do literally what answer.next_tool says; returns the file that the search led to."""
    if advice == "find":
        output = project.find(subject)
        file = output.split("\n", 1)[0] or file
        record(investigation, "find", subject, file, output)
    elif advice == "references":
        lines = project.run("grep", "-rnw", "--", subject, *PLACES).splitlines()
        file = lines[0].split(":", 1)[0] if lines else file
        sql("SELECT answer_investigation_record(%d, 'references', %s, %s, '{\"match_count\": %d}')" % (
            investigation, *map(outside.literal, (subject, file)), len(lines)))
    elif advice == "read":
        record_read(investigation, file, "ranked")
    elif advice.startswith("git "):
        record(investigation, "git", advice[len("git "):], "", project.run(*advice.split()))
    else:
        check(False, "an agent is told to run %s" % advice)
    return file


def advised(project, intent, question, subject, outcome):
    """An agent that only follows the advice comes to an end, without contradictory advice."""
    investigation, held, file = opened(intent, question), {}, ""
    for _ in range(10):
        step = json.loads(sql("SELECT jsonb_build_object('next', to_jsonb(n), 'complete', answer_complete(%d), 'classes',"
                              " (SELECT jsonb_object_agg(class, to_jsonb(q)) FROM answer_quality(%d) AS q))"
                              " FROM (SELECT) AS one LEFT JOIN answer.next_tool(%d) AS n ON true" % ((investigation,) * 3)))
        check(step["complete"] == (step["next"] is None), "%s: complete, or told what to do next: %s" % (question, step))
        if step["complete"]:
            break
        cls, advice = step["next"]["class"], step["next"]["tool"]
        shown = step["classes"][cls]
        check(shown["quality"] == step["next"]["have"] and shown["need"] == step["next"]["need"], "%s: %s" % (question, step))
        check(shown["next_code"] != "no_better_entry" or shown["next_reason"].endswith("; %s can give it" % advice),
              "%s: %s here, and there %s" % (question, advice, shown["next_reason"]))
        if held.get((cls, advice)) == shown["quality"]:
            break
        held[cls, advice] = shown["quality"]
        file = one_step(project, investigation, subject, advice, file)
    else:
        check(False, "%s: told the same for ever" % question)
    ended = closed(investigation)
    check(ended == outcome, "%s, as advised: %s" % (question, ended))


def advice(project):
    """Follow answer.next_tool for several questions."""
    for query in FALSE_POSITIVES:
        advised(project, "Locate", query, query, "InsufficientEvidence")
    for question, subject in (("ExecutionEngine", "ExecutionEngine"), ("where is ExecutionEngine?", "ExecutionEngine"),
                              ("where is session.c?", "session.c")):
        advised(project, "Locate", question, subject, "success")
    advised(project, "Status", "what is the last commit?", "", "success")
    advised(project, "Chat", "good evening", "", "success")


def search_grades(project):
    """Single outputs of grep and find."""
    for query, quality in (("ExecutionEngine", "Strong"), ("ExecutionEng", "Moderate"), ("executionengine", "Weak"),
                           ("engine", "Strong"), ("lens turn", "Moderate"), ("zebra", "None")):
        output = project.run("grep", "-rnF", "--", query, *PLACES) or (
            project.run("grep", "-rniF", "--", query, *PLACES))
        got = grade("grep", query, output)["quality"]
        # more than ten imprecise matches are Weak, so count them like the rule
        if quality == "Moderate" and got in ("Moderate", "Weak"):
            lines = len(output.splitlines())
            quality = "Moderate" if lines <= 10 else "Weak"
        check(got == quality, "grep %s: %s, not %s: %s" % (query, got, quality, output[:200]))
    # -l shows only names of files, -c only counts
    check(grade("grep", "ExecutionEngine", project.run("grep", "-rl", "ExecutionEngine", "src"))["quality"] == "Weak", "grep -l")
    check(grade("grep", "zebra", project.run("grep", "-rc", "zebra", "src"))["quality"] == "None", "grep -c")
    check(grade("grep", "lamp", project.run("grep", "-r", "lamp", "no_such_folder"))["quality"] == "None", "grep of nothing")
    for query, quality in (("session.c", "Strong"), ("src/session.c", "Strong"), ("session", "Moderate"),
                           ("execution engine", "Moderate"), ("engine session", "Weak"), ("zebra", "None")):
        got = grade("find", query, project.find(query))["quality"]
        check(got == quality, "find %s: %s" % (query, got))
    check(grade("find", "lamp", project.run("find", "no_such_folder"))["quality"] == "None", "find of nothing")


def git(project):
    """Questions about the history and about the working tree."""
    log = project.run("git", "log", "--oneline", "-10")
    status = project.run("git", "status")
    for output, query, question, quality in (
            (log, "log --oneline -10", "what is the last commit?", "Moderate"),
            (project.run("git", "log"), "log", "what is the last commit?", "Moderate"),
            (project.run("git", "log", "--grep=tower"), "log --grep=tower", "when was the tower built?", "Strong"),
            (project.run("git", "log", "--grep=zebra"), "log --grep=zebra", "when did the zebra come?", "None"),
            (status, "status", "what is the last commit?", "Weak"),
            (status, "status", "is the working tree clean?", "Strong"),
            (project.run("git", "status", "--short", "--branch"), "status --short --branch", "is it clean?", "Strong"),
            (project.run("git", "log", "nowhere"), "log nowhere", "what is the last commit?", "None"),
            (project.run("git", "lag"), "log", "what is the last commit?", "None")):
        got = grade("git", query, output, question)
        check(got["quality"] == quality, "git %s for %r: %s" % (query, question, got))
    for query, output, outcome in (("status", status, "InsufficientEvidence"), ("log --oneline -10", log, "success")):
        investigation = opened("Status", "what is the last commit?")
        record(investigation, "git", query, "", output)
        level = sql("SELECT level FROM answer.confidence_level(%d)" % investigation)
        check(level == ("Medium" if outcome == "success" else "Low"), "git %s: %s" % (query, level))
        check(closed(investigation) == outcome, "Status by git %s" % query)
    with open(os.path.join(project.folder, "src", "session.c"), "a", encoding="utf-8") as file:
        file.write("\n")
    got = grade("git", "status --short", project.run("git", "status", "--short"), "which files are modified?")
    check(got["quality"] == "Strong", "git status after a change: %s" % got)
    project.run("git", "checkout", "-q", "src/session.c")


def build(project, generator):
    """Builds and tests; the outcomes of the intent Execute, one after the other."""
    folder = "build-" + generator.split()[-1].lower()
    configured = project.run("cmake", "-S", ".", "-B", folder, "-G", generator)
    check(grade("cmake", "lighthouse", configured)["quality"] == "Weak", "%s, configured: %s" % (generator, configured[-500:]))
    if not os.path.exists(os.path.join(project.folder, folder, "CMakeCache.txt")):
        return
    command = ["cmake", "--build", folder, "--target", "lighthouse"]
    query = " ".join(command[1:])
    built = project.run(*command)
    got = grade("cmake", query, built)
    check(got["quality"] == "Strong", "%s, built: %s %s" % (generator, got, built[-800:]))
    again = project.run(*command)
    got = grade("cmake", query, again)
    check(got["quality"] == "Weak", "%s, nothing to build: %s %s" % (generator, got, again[-800:]))
    everything = project.run("cmake", "--build", folder)
    got = grade("cmake", "--build " + folder, everything)
    check(got["quality"] == "Moderate", "%s, no target named: %s %s" % (generator, got, everything[-800:]))
    got = grade("cmake", "--build %s --target zebra" % folder, project.run("cmake", "--build", folder, "--target", "zebra"))
    check(got["quality"] == "None", "%s, no such target: %s" % (generator, got))
    tested = project.run("ctest", "--test-dir", folder)
    got = grade("ctest", "", tested)
    check(got["quality"] == "Strong" and got["observation"]["run"] == 2, "%s, tested: %s %s" % (generator, got, tested[-800:]))
    empty = project.run("ctest", "--test-dir", folder, "-R", "zebra")
    got = grade("ctest", "-R zebra", empty)
    check(got["quality"] == "Weak" and got["observation"]["run"] == 0, "%s, no tests: %s %s" % (generator, got, empty[-800:]))
    for cmake_output, ctest_output, outcome in ((again, tested, "InsufficientEvidence"), (built, empty, "InsufficientEvidence"),
                                               (built, tested, "success")):
        investigation = opened("Execute", "does it build, and do its tests pass?")
        record(investigation, "cmake", query, "lighthouse", cmake_output)
        record(investigation, "ctest", "", "lighthouse", ctest_output)
        if outcome == "success":
            level = sql("SELECT level || ' ' || agreement FROM answer.confidence_level(%d)" % investigation)
            check(level == "Complete agree", "%s, build and test: %s" % (generator, level))
        check(closed(investigation) == outcome, "%s, Execute: not %s" % (generator, outcome))
    project.run("cmake", "-S", ".", "-B", folder, "-DBROKEN=ON")
    broken = project.run("ctest", "--test-dir", folder)
    got = grade("ctest", "", broken)
    check(got["quality"] == "None" and got["observation"]["failed"] == 1, "%s, a failing test: %s %s" % (generator, got, broken[-800:]))
    source = os.path.join(project.folder, "src", "startup.c")
    with open(source, "a", encoding="utf-8") as file:
        file.write("this is no C\n")
    failed = project.run(*command)
    got = grade("cmake", query, failed)
    check(got["quality"] == "None", "%s, a failing build: %s %s" % (generator, got, failed[-800:]))
    investigation = opened("Execute", "does it build, and do its tests pass?")
    record(investigation, "cmake", query, "lighthouse", failed)
    record(investigation, "ctest", "", "lighthouse", broken)
    check(closed(investigation) == "InsufficientEvidence", "%s, Execute of what is broken" % generator)
    project.run("git", "checkout", "-q", "src/startup.c")


def gh_output(name):
    """Recorded output of gh."""
    with open(os.path.join(GH, name), encoding="utf-8") as file:
        return file.read()


def gh(project):
    """Why does continuous integration fail?  Not because of a list of pull requests."""
    for name, query, quality in (("run-list-empty.json", "run list --json conclusion,workflowName", "Weak"),
                                 ("run-list.tsv", "run list", "Moderate"), ("run-list.tsv", "run list --workflow CI", "Strong"),
                                 ("run-list.json", "run list --json conclusion,workflowName", "Moderate"),
                                 ("run-list.json", "Nightly", "Strong"), ("run-view-failure.txt", "run view 9162034517", "Strong"),
                                 ("run-view-running.txt", "run view 9162034518", "Moderate"),
                                 ("run-view.json", "run view 9162034517 --json conclusion,status", "Strong"),
                                 ("run-view-log.txt", "run view 9162034517 --log-failed", "Strong"),
                                 ("pr-list.tsv", "pr list", "None"), ("not-found.txt", "run list", "None")):
        got = grade("gh", query, gh_output(name))
        check(got["quality"] == quality, "gh %s (%s): %s" % (query, name, got))
    for name, query, outcome in (("run-list-empty.json", "run list", "InsufficientEvidence"), ("pr-list.tsv", "pr list",
                                 "InsufficientEvidence"), ("run-view-failure.txt", "run view 9162034517", "success")):
        investigation = opened("Diagnose", "why does engine_flies fail?")
        record(investigation, "grep", "engine_flies", "CMakeLists.txt", project.grep("engine_flies"))
        record_read(investigation, "CMakeLists.txt", "highest_confidence")
        record(investigation, "gh", query, "9162034517", gh_output(name))
        check(closed(investigation) == outcome, "Diagnose by gh %s" % name)


def discovery(project):
    """A scan of the project by this program; two equal ones corroborate each other."""
    sources = [name for name in os.listdir(os.path.join(project.folder, "src")) if name.endswith(".c")]
    with open(os.path.join(project.folder, "CMakeLists.txt"), encoding="utf-8") as file:
        observation = json.dumps({"type": "cmake", "source_count": len(sources), "has_tests": "enable_testing" in file.read()})
    investigation = opened("Explain", "ExecutionEngine")
    record(investigation, "grep", "ExecutionEngine", "src/execution_engine.h", project.grep("ExecutionEngine"))
    record_read(investigation, "src/execution_engine.h", "ranked")
    check(sql("SELECT tool FROM answer.next_tool(%d)" % investigation) == "discovery", "discovery closes the gap")
    for run in ("first", "second"):
        sql("SELECT answer_investigation_record(%d, 'discovery', 'scan', '.', %s, run => '%s')" % (
            investigation, outside.literal(observation), run))
    check(sql("SELECT quality FROM answer_quality(%d) WHERE class = 'Discovery'" % investigation) == "Verified", "two scans alike")
    check(closed(investigation) == "success", "Explain")
    receipt = sql("SELECT answer_quality_receipt(%d)" % investigation)
    check(sql("SELECT (answer_verify(%s::jsonb) -> 'ok')::text || (answer_replay(%s::jsonb) -> 'ok')::text" % (
        outside.literal(receipt), outside.literal(receipt))) == "truetrue", "its receipt")


def main():
    """Try everything on one project."""
    for tool in ("grep", "find", "git"):
        if not shutil.which(tool):
            outside.skip("%s is not installed" % tool)
    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder)
        false_positives(project)
        words_apart(project)
        true_questions(project)
        advice(project)
        search_grades(project)
        git(project)
        gh(project)
        discovery(project)
        generators = [name for name, tool in (("Unix Makefiles", "make"), ("Ninja", "ninja")) if shutil.which(tool)]
        if not (shutil.which("cmake") and shutil.which("ctest") and shutil.which("cc")) or not generators:
            print("skipped: cmake, ctest, a compiler or make is not installed; builds and tests were not graded")
            generators = []
        for generator in generators:
            build(project, generator)
    TALLY.end()


main()
