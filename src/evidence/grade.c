/*-------------------------------------------------------------------------
 *
 * grade.c
 *		Grades observations of shipped tools.
 *
 * Pure.  It is in this directory because a fact carries its quality.  Rule:
 * doc/spec/quality.md §2.  A tool says what it found and how it matched.  The
 * rules here turn that into words for quality and strength.
 *
 * Promises: quality and strength are independent.  Quality depends on how the
 * observation answers, strength only on its match_count, so that quantity does
 * not make up for precision.  No grader gives Verified, which is a relation
 * between producers.  A value that an observation lacks counts as the least: a
 * count as 0, a boolean as false.  A null counts as lacking.  A wrong value is
 * an error; nothing is guessed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "base/option.h"
#include "evidence/grade.h"

#define FEW_MATCHES			10	/* a few imprecise matches still say something */
#define MANY_REFERENCES		5	/* this many uses of a symbol are conclusive */
#define STRENGTH_LOW_MAX	10
#define STRENGTH_MEDIUM_MAX	50
#define GRADE_MAX_KEYS		7
/* since these rules, null counts as missing, and reader is a tool */
#define RULES_OF_READER		2
#define COMMAND_MAX_LENGTH	40

/* An observation being read.  The first problem found is kept. */
typedef struct Observation
{
	const JsonView *view;
	GradeError *error;
	int			rules;			/* the rules to grade by */
	bool		is_malformed;
} Observation;

typedef struct Grader
{
	const char *tool;
	const char *class_name;
	int			since;			/* the first rules that know the tool */
	const char *keys[GRADE_MAX_KEYS];
	void		(*grade) (Observation *observation, Grade *grade);
} Grader;

/*
 * reading
 */

static void
NoteProblem(Observation *observation, const char *key, const char *problem)
{
	if (observation->is_malformed)
		return;
	observation->is_malformed = true;
	observation->error->field.str = key;
	observation->error->field.len = strlen(key);
	observation->error->problem = problem;
}

/* Finds a member of an observation; null counts as missing. */
static bool
FindMember(const JsonView *observation, const char *key, JsonView *said)
{
	return JsonViewGetMember(observation, key, said) && said->type != JVIEW_NULL;
}

static bool
Has(const Observation *observation, const char *key)
{
	JsonView	said;

	return FindMember(observation->view, key, &said);
}

static bool
HasAnything(const Observation *observation)
{
	for (int i = 0; i < JsonViewCount(observation->view); i++)
	{
		Span		key;
		JsonView	said = JsonViewMember(observation->view, i, &key);

		if (said.type != JVIEW_NULL || observation->rules < RULES_OF_READER)
			return true;
	}
	return false;
}

/* Gives the value of a JSON number that is an integer, not negative and portable. */
static bool
CountOfView(const JsonView *view, int64 *count)
{
	PlainNumber plain;
	bool		good;

	if (view->type != JVIEW_NUMBER || !NumberPlain(view, &plain))
		return false;
	good = plain.is_integer && plain.is_portable && plain.text[0] != '-';
	if (good)
		*count = strtoll(plain.text, NULL, 10);
	pfree(unconstify(char *, plain.text));
	return good;
}

/* Reads a count; 0 if it is missing. */
static int64
ReadObservedCount(Observation *observation, const char *key)
{
	JsonView	view;
	int64		count = 0;

	if (FindMember(observation->view, key, &view) && !CountOfView(&view, &count))
		NoteProblem(observation, key, "must be an integer that is not negative");
	return count;
}

static bool
ReadObservedFlag(Observation *observation, const char *key)
{
	JsonView	view;

	if (!FindMember(observation->view, key, &view))
		return false;
	if (view.type != JVIEW_BOOL)
		NoteProblem(observation, key, "must be true or false");
	return view.type == JVIEW_BOOL && view.boolean;
}

/* Returns the index of one of some words; "missing" if it is missing. */
static int
ReadLabel(Observation *observation, const char *key, VocabularyLabels words, int missing)
{
	JsonView	view;
	int			index;

	if (!FindMember(observation->view, key, &view))
		return missing;
	index = view.type == JVIEW_STRING ? VocabularyByLabel(words, view.str, view.len) : -1;
	if (index >= 0)
		return index;
	if (!observation->is_malformed)
	{
		observation->error->seen = view;
		observation->error->word = view.type == JVIEW_STRING ? SpanOf(view.str, view.len) : SpanOf("", 0);
		observation->error->choice = words;
	}
	NoteProblem(observation, key, "is not one of the allowed values");
	return missing;
}

/* Reads a text; empty if it is missing. */
static Span
ReadObservedText(Observation *observation, const char *key)
{
	JsonView	view;
	Span		text = {"", 0};

	if (!FindMember(observation->view, key, &view))
		return text;
	if (view.type != JVIEW_STRING)
		NoteProblem(observation, key, "must be a string");
	else
	{
		text.str = view.str;
		text.len = view.len;
	}
	return text;
}

/*
 * Reads a subcommand: as many lower-case words as the tool has, separated by single
 * spaces, without options.
 */
static const char *
ReadCommand(Observation *observation, int words)
{
	Span		text = ReadObservedText(observation, "command");

	for (int i = 0; i < text.len; i++)
	{
		char		c = text.str[i];

		if ((c >= 'a' && c <= 'z') || c == '-')
			continue;
		if (c == ' ' && i > 0 && i < text.len - 1 && text.str[i - 1] != ' ' && --words > 0)
			continue;
		words = 0;
		break;
	}
	if (words > 0 && text.len <= COMMAND_MAX_LENGTH)
		return pnstrdup(text.str, text.len);
	NoteProblem(observation, "command", "must be a subcommand without its options");
	return "";
}

/*
 * strength
 */

static Strength
StrengthOfCount(int64 count)
{
	if (count <= 0)
		return STRENGTH_NONE;
	if (count <= STRENGTH_LOW_MAX)
		return STRENGTH_LOW;
	return count <= STRENGTH_MEDIUM_MAX ? STRENGTH_MEDIUM : STRENGTH_HIGH;
}

/*
 * Reads the matches of an observation of any tool.  Errors are ignored here, because
 * the grader reports them.  The number of exact matches may be given; otherwise all are
 * exact, or none.
 */
void
GradeMatches(const JsonView *observation, Grade *grade)
{
	JsonView	match = JsonViewUnder(observation, "match");
	JsonView	count;

	grade->match_count = 0;
	if (FindMember(observation, "match_count", &count))
		(void) CountOfView(&count, &grade->match_count);
	grade->is_phrase = JsonViewStringIs(&match, "phrase");
	grade->exact_match_count = grade->is_phrase || JsonViewStringIs(&match, "identifier") ||
		JsonViewStringIs(&match, "exact") ? grade->match_count : 0;
	if (FindMember(observation, "exact_match_count", &count))
		(void) CountOfView(&count, &grade->exact_match_count);
	grade->exact_match_count = Min(grade->exact_match_count, grade->match_count);
}

/*
 * graders
 */

static void
Set(Grade *grade, Quality quality, const char *reason)
{
	grade->quality = quality;
	grade->reason = reason;
}

static const char *
Counted(const char *before, int64 count, const char *one, const char *several)
{
	return psprintf("%s " INT64_FORMAT " %s", before, count, count == 1 ? one : several);
}

/* Returns the number of exact matches, if given; else the number of matches. */
static int64
CountExact(Observation *observation, int64 count)
{
	int64		exact = ReadObservedCount(observation, "exact_match_count");

	if (exact > count)
		NoteProblem(observation, "exact_match_count", "is greater than match_count");
	return exact > 0 ? exact : count;
}

static void
GradeGrep(Observation *observation, Grade *grade)
{
	static VocabularyLabels words = {"phrase", "identifier", "substring", "token", NULL};
	int			match = ReadLabel(observation, "match", words, -1);
	int64		count = ReadObservedCount(observation, "match_count");
	int64		exact = CountExact(observation, count);

	if (match < 0 || count == 0)
		Set(grade, QUALITY_NONE, "grep found nothing");
	else if (match == 0)
		Set(grade, QUALITY_STRONG, Counted("grep matched the phrase in", exact, "place", "places"));
	else if (match == 1)
		Set(grade, QUALITY_STRONG, Counted("grep matched the identifier in", exact, "place", "places"));
	else if (match == 2)
		Set(grade, count <= FEW_MATCHES ? QUALITY_MODERATE : QUALITY_WEAK,
			Counted("grep matched a substring in", count, "place", "places"));
	else
		Set(grade, QUALITY_WEAK,
			Counted("grep matched only words of the query, in", count, "place", "places"));
}

static void
GradeFind(Observation *observation, Grade *grade)
{
	static VocabularyLabels words = {"exact", "partial", "token", NULL};
	int			match = ReadLabel(observation, "match", words, -1);
	int64		count = ReadObservedCount(observation, "match_count");
	int64		exact = CountExact(observation, count);

	if (match < 0 || count == 0)
		Set(grade, QUALITY_NONE, "find found nothing");
	else if (match == 0)
		Set(grade, QUALITY_STRONG, Counted("find matched the whole name of", exact, "file", "files"));
	else if (match == 1)
		Set(grade, QUALITY_MODERATE, Counted("find matched part of the name of", count, "file", "files"));
	else
		Set(grade, QUALITY_WEAK,
			Counted("find matched only words of the query, in the names of", count, "file", "files"));
}

static void
GradeReferences(Observation *observation, Grade *grade)
{
	int64		count = ReadObservedCount(observation, "match_count");

	if (count == 0)
		Set(grade, QUALITY_NONE, "references found no use of the symbol");
	else
		Set(grade, count > MANY_REFERENCES ? QUALITY_STRONG : QUALITY_MODERATE,
			Counted("references found", count, "use of the symbol", "uses of the symbol"));
}

static void
GradeRead(Observation *observation, Grade *grade)
{
	static VocabularyLabels words = {"highest_confidence", "ranked", "first_of_grep", NULL};
	int			selection = ReadLabel(observation, "selection", words, -1);
	int64		files = ReadObservedCount(observation, "files_read");

	if (selection < 0 || files == 0)
		Set(grade, QUALITY_NONE, "read opened nothing");
	else if (selection == 0)
		Set(grade, QUALITY_STRONG, "read opened the candidate of highest confidence");
	else if (selection == 1)
		Set(grade, QUALITY_MODERATE, "read opened a ranked candidate");
	else
		Set(grade, QUALITY_WEAK, "read opened the first file of a grep list");
}

/* A second producer of a file's content: it agrees about something, or does not. */
static void
GradeReader(Observation *observation, Grade *grade)
{
	bool		agrees = ReadObservedFlag(observation, "agrees");
	int64		passages = ReadObservedCount(observation, "passages");

	if (!agrees)
		Set(grade, QUALITY_NONE, Has(observation, "agrees") ? "reader does not agree" :
			"reader does not say whether it agrees");
	else if (passages == 0)
		Set(grade, QUALITY_WEAK, "reader agrees, but about no passage");
	else
		Set(grade, QUALITY_STRONG, Counted("reader agrees about", passages, "passage", "passages"));
}

/*
 * A log that was not asked for a term does not show a matching commit, whatever it
 * counts. has_query_terms says whether it was.
 */
static void
GradeGit(Observation *observation, Grade *grade)
{
	static VocabularyLabels questions = {"history", "working_tree", "other", NULL};
	const char *command = ReadCommand(observation, 1);
	int			question = ReadLabel(observation, "question", questions, 2);
	bool		has_terms = ReadObservedFlag(observation, "has_query_terms");
	int64		commits = ReadObservedCount(observation, "matching_commits");
	int64		lines = ReadObservedCount(observation, "output_lines");

	if (ReadObservedFlag(observation, "failed"))
		Set(grade, QUALITY_NONE, "git failed");
	else if (lines == 0)
		Set(grade, QUALITY_NONE, "git printed nothing");
	else if (question == 0 && strcmp(command, "log") == 0)
	{
		if (commits > 0 && (has_terms || !Has(observation, "has_query_terms")))
			Set(grade, QUALITY_STRONG, Counted("git log shows", commits, "matching commit", "matching commits"));
		else
			Set(grade, QUALITY_MODERATE, has_terms ? "git log shows no matching commit" :
				"git log shows the history, whatever the query");
	}
	else if (question == 1 && strcmp(command, "status") == 0)
		Set(grade, QUALITY_STRONG, "git status shows the working tree");
	else
		Set(grade, QUALITY_WEAK, *command == '\0' ? "git does not answer the question" :
			psprintf("git %s does not answer %s question", command,
					 question == 0 ? "a history" : question == 1 ? "a working-tree" : "the"));
}

static void
GradeCmake(Observation *observation, Grade *grade)
{
	bool		ok = ReadObservedFlag(observation, "ok");
	bool		noop = ReadObservedFlag(observation, "noop");
	bool		target = ReadObservedFlag(observation, "target_built");

	if (!ok)
		Set(grade, QUALITY_NONE, "cmake failed");
	else if (noop)
		Set(grade, QUALITY_WEAK, "cmake had nothing to build");
	else if (!target)
		Set(grade, QUALITY_MODERATE, "cmake built something, but not the target");
	else
		Set(grade, QUALITY_STRONG, "cmake built the target");
}

/* If the relevant tests are not given, all tests that were run are relevant. */
static void
GradeCtest(Observation *observation, Grade *grade)
{
	int64		run = ReadObservedCount(observation, "run");
	int64		passed = ReadObservedCount(observation, "passed");
	int64		failed = ReadObservedCount(observation, "failed");
	int64		relevant = Has(observation, "relevant") ? ReadObservedCount(observation, "relevant") : run;

	if (failed > 0)
		Set(grade, QUALITY_NONE, Counted("ctest saw", failed, "test fail", "tests fail"));
	else if (run == 0)
		Set(grade, QUALITY_WEAK, "ctest ran no test");
	else
		Set(grade, passed < relevant ? QUALITY_MODERATE : QUALITY_STRONG,
			psprintf("ctest passed " INT64_FORMAT " of " INT64_FORMAT " relevant tests",
					 passed, relevant));
}

/* False and 0 count as known; null and the type Unknown do not. */
static void
GradeDiscovery(Observation *observation, Grade *grade)
{
	static const char unknown[] = "unknown";
	Span		type = ReadObservedText(observation, "type");
	bool		knows_count = Has(observation, "source_count");
	bool		knows_tests = Has(observation, "has_tests");

	if (knows_count)
		(void) ReadObservedCount(observation, "source_count");
	if (knows_tests)
		(void) ReadObservedFlag(observation, "has_tests");
	if (!HasAnything(observation))
		Set(grade, QUALITY_NONE, "discovery printed nothing");
	else if (type.len == 0 ||
			 ((size_t) type.len == strlen(unknown) && pg_strncasecmp(type.str, unknown, type.len) == 0))
		Set(grade, QUALITY_WEAK, "discovery does not know the type of project");
	else if (knows_count && knows_tests)
		Set(grade, QUALITY_STRONG, "discovery knows the type, the sources and the tests of the project");
	else
		Set(grade, QUALITY_MODERATE, "discovery knows the type of project, but not all of its sources and tests");
}

static void
GradeGh(Observation *observation, Grade *grade)
{
	const char *command = ReadCommand(observation, 2);
	int64		runs = ReadObservedCount(observation, "runs");
	bool		matching = ReadObservedFlag(observation, "matching_workflow");
	Span		conclusion = ReadObservedText(observation, "conclusion");

	if (*command == '\0')
		Set(grade, QUALITY_NONE, "gh printed nothing");
	else if (strcmp(command, "run list") == 0)
	{
		if (runs == 0)
			Set(grade, QUALITY_WEAK, "gh run list is empty");
		else if (!matching)
			Set(grade, QUALITY_MODERATE, Counted("gh run list shows", runs, "run, not of the workflow", "runs, none of the workflow"));
		else
			Set(grade, QUALITY_STRONG, Counted("gh run list shows", runs, "run, with the workflow", "runs, with the workflow"));
	}
	else if (strcmp(command, "run view") == 0)
		Set(grade, conclusion.len > 0 ? QUALITY_STRONG : QUALITY_MODERATE,
			conclusion.len > 0 ? "gh run view shows the conclusion of the run" :
			"gh run view shows a run without a conclusion");
	else
		Set(grade, QUALITY_NONE, psprintf("gh %s is about something else", command));
}

static const Grader graders[] = {
	{"grep", "FileSearch", 1, {"match", "match_count", "exact_match_count", NULL}, GradeGrep},
	{"find", "FileSearch", 1, {"match", "match_count", "exact_match_count", NULL}, GradeFind},
	{"references", "FileSearch", 1, {"match_count", NULL}, GradeReferences},
	{"read", "FileContent", 1, {"selection", "files_read", NULL}, GradeRead},
	{"reader", "FileContent", RULES_OF_READER, {"agrees", "passages", NULL}, GradeReader},
	{"git", "GitLog", 1, {"command", "question", "has_query_terms", "matching_commits",
	"output_lines", "failed", NULL}, GradeGit},
	{"cmake", "Build", 1, {"ok", "noop", "target_built", NULL}, GradeCmake},
	{"ctest", "Test", 1, {"run", "passed", "failed", "relevant", NULL}, GradeCtest},
	{"discovery", "Discovery", 1, {"type", "source_count", "has_tests", NULL}, GradeDiscovery},
	{"gh", "CIWorkflow", 1, {"command", "runs", "matching_workflow", "conclusion", NULL}, GradeGh},
};

static const Grader *
FindGrader(Span tool, int rules)
{
	for (size_t i = 0; i < lengthof(graders); i++)
	{
		if (SpanEqualCString(tool, graders[i].tool))
			return graders[i].since <= rules ? &graders[i] : NULL;
	}
	return NULL;
}

bool
GradeIsShipped(Span tool)
{
	return FindGrader(tool, GRADE_RULES) != NULL;
}

/* Grades an observation of a shipped tool. */
GradeStatus
GradeObservation(Span tool, const JsonView *observation, Grade *grade, GradeError *error)
{
	return GradeObservationBy(GRADE_RULES, tool, observation, grade, error);
}

/* Does the same by the rules with this number, for an older document. */
GradeStatus
GradeObservationBy(int rules, Span tool, const JsonView *observation, Grade *grade,
				   GradeError *error)
{
	const Grader *grader = FindGrader(tool, rules);
	Observation reader = {observation, error, rules, false};

	memset(grade, 0, sizeof(*grade));
	memset(error, 0, sizeof(*error));
	if (grader == NULL)
		return GRADE_UNKNOWN_TOOL;
	if (observation->type != JVIEW_OBJECT)
		NoteProblem(&reader, "observation", "must be an object");
	else if (!HasOnlyKeys(observation, grader->keys, &error->field))
	{
		error->problem = "is not one of the allowed keys";
		error->word = error->field;
		error->choice = grader->keys;
		return GRADE_MALFORMED;
	}
	else
		grader->grade(&reader, grade);
	if (reader.is_malformed)
		return GRADE_MALFORMED;
	GradeMatches(observation, grade);
	grade->class_name = grader->class_name;
	grade->strength = StrengthOfCount(grade->match_count);
	return GRADE_OK;
}
