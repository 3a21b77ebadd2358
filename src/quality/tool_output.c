/*-------------------------------------------------------------------------
 *
 * tool_output.c
 *		Parses the output of a tool into the observation that a grader takes.
 *
 * Pure.  Manual: doc/quality.md, which shows how meaningless output could satisfy each class: words
 * of a query that are far apart, the word "failed" in "0 tests failed", a build with nothing to
 * build, an empty list.
 *
 * A match is compared with the whole query.  If the words of a query occur only apart, or in
 * another case, it is matched only by tokens, however many lines there are.  White space counts as
 * one space.  In names of files case is ignored, and characters that join words count as spaces.
 *
 * Promises: it reads the English output of grep, find, git, cmake, ctest and gh; what it does not
 * recognise counts as little as possible.  Never raises an error over output.  Linear time: every
 * search is one pass (Knuth-Morris-Pratt) over every line.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "quality/tool_output.h"

#define NUMBER_MAX_DIGITS	15		/* of a count, so that every JSON reader keeps it exact */
#define NUMBER_GREATEST		INT64CONST(999999999999999)
#define PATH_MAX_MARKS		16		/* colons or dashes after which it is not a path */
#define EXTENSION_MAX		10
#define LOG_SENTENCE_WORDS	5		/* of a sentence that says how something ended */

/*
 * text
 */

/* Is it a letter of any script, a digit or an underscore? */
static bool
IsWordByte(char c)
{
	return IsAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		IS_HIGHBIT_SET(c);
}

static Span
Trim(Span text)
{
	while (text.len > 0 && IsAsciiSpace(text.str[0]))
	{
		text.str++;
		text.len--;
	}
	while (text.len > 0 && IsAsciiSpace(text.str[text.len - 1]))
		text.len--;
	return text;
}

static bool
Is(Span text, const char *literal)
{
	return (size_t) text.len == strlen(literal) && memcmp(text.str, literal, text.len) == 0;
}

/* Does the same, ignoring case. */
static bool
IsWord(Span text, const char *literal)
{
	return (size_t) text.len == strlen(literal) &&
		pg_strncasecmp(text.str, literal, text.len) == 0;
}

static bool
StartsWith(Span text, const char *literal)
{
	size_t		len = strlen(literal);

	return (size_t) text.len >= len && memcmp(text.str, literal, len) == 0;
}

static bool
EndsWith(Span text, const char *literal)
{
	size_t		len = strlen(literal);

	return (size_t) text.len >= len && memcmp(text.str + text.len - len, literal, len) == 0;
}

static Span
Skip(Span text, int bytes)
{
	return (Span) {text.str + bytes, text.len - bytes};
}

/* Returns the position of a short literal in a text, or -1. */
static int
FindLiteral(Span text, const char *literal)
{
	int			len = strlen(literal);

	for (int i = 0; i + len <= text.len; i++)
	{
		const char *at = memchr(text.str + i, literal[0], text.len - len + 1 - i);

		if (at == NULL)
			return -1;
		i = at - text.str;
		if (memcmp(at, literal, len) == 0)
			return i;
	}
	return -1;
}

static bool
HasLiteral(Span text, const char *literal)
{
	return FindLiteral(text, literal) >= 0;
}

/* Takes a line off a text; false at its end. */
static bool
NextLine(Span *text, Span *line)
{
	const char *end;

	CHECK_FOR_INTERRUPTS();
	if (text->len == 0)
		return false;
	end = memchr(text->str, '\n', text->len);
	line->str = text->str;
	line->len = end ? end - text->str : text->len;
	*text = Skip(*text, line->len + (end ? 1 : 0));
	if (line->len > 0 && line->str[line->len - 1] == '\r')
		line->len--;
	return true;
}

/* Does the same, but skips blank lines. */
static bool
NextFullLine(Span *text, Span *line)
{
	while (NextLine(text, line))
	{
		if (Trim(*line).len > 0)
			return true;
	}
	return false;
}

/* Takes a word off a text; false at its end. */
static bool
NextWord(Span *text, Span *word)
{
	*text = Trim(*text);
	word->str = text->str;
	word->len = 0;
	while (word->len < text->len && !IsAsciiSpace(text->str[word->len]))
		word->len++;
	*text = Skip(*text, word->len);
	return word->len > 0;
}

/* Takes a number off a text; false if there are no digits, or too many. */
static bool
NextNumber(Span *text, int64 *number)
{
	int			i = 0;

	*number = 0;
	for (; i < text->len && IsAsciiDigit(text->str[i]); i++)
	{
		if (i == NUMBER_MAX_DIGITS)
			return false;
		*number = *number * 10 + (text->str[i] - '0');
	}
	if (i == 0)
		return false;
	*text = Skip(*text, i);
	return true;
}

/* Is it a single name, as in programming languages? */
bool
IsIdentifier(Span text)
{
	if (text.len == 0 || IsAsciiDigit(text.str[0]))
		return false;
	for (int i = 0; i < text.len; i++)
	{
		if (!IsWordByte(text.str[i]) || IS_HIGHBIT_SET(text.str[i]))
			return false;
	}
	return true;
}

/*
 * searching
 */

/* How a text matches the whole of a query, best last. */
typedef enum Match
{
	MATCH_TOKEN,				/* only the tool says that it does */
	MATCH_SUBSTRING,
	MATCH_WHOLE					/* at word boundaries */
} Match;

/* A query, prepared for searching. */
typedef struct Needle
{
	StringInfoData text;		/* with white space squeezed */
	int		   *failure;		/* failure function of text */
	bool		is_name;		/* is it searched in names of files? */
	StringInfoData line;		/* the line being searched, squeezed likewise */
} Needle;

/* A line can be as long as the whole output. */
static inline void
CheckEvery(int i)
{
	if ((i & 0xFFFF) == 0)
		CHECK_FOR_INTERRUPTS();
}

/* Appends a text with one space for each run of white space, and, in names, of joining characters. */
static void
AppendSqueezed(StringInfo out, Span text, bool is_name)
{
	bool		gap = false;

	for (int i = 0; i < text.len; i++)
	{
		char		c = text.str[i];

		CheckEvery(i);
		if (IsAsciiSpace(c) || (is_name && (c == '_' || c == '-' || c == '.')))
		{
			gap = true;
			continue;
		}
		if (gap && out->len > 0)
			appendStringInfoChar(out, ' ');
		gap = false;
		appendStringInfoChar(out, is_name ? (char) pg_ascii_tolower((unsigned char) c) : c);
	}
}

/* Returns the failure function: the longest proper prefix that ends at each position. */
static int *
FailureOf(const StringInfoData *text)
{
	int		   *failure = palloc_extended(sizeof(int) * (Size) Max(text->len, 1), MCXT_ALLOC_HUGE);
	int			matched = 0;

	failure[0] = 0;
	for (int i = 1; i < text->len; i++)
	{
		CheckEvery(i);
		while (matched > 0 && text->data[i] != text->data[matched])
			matched = failure[matched - 1];
		if (text->data[i] == text->data[matched])
			matched++;
		failure[i] = matched;
	}
	return failure;
}

static void
NeedleInit(Needle *needle, Span query, bool is_name)
{
	initStringInfo(&needle->text);
	initStringInfo(&needle->line);
	AppendSqueezed(&needle->text, query, is_name);
	needle->failure = FailureOf(&needle->text);
	needle->is_name = is_name;
}

/* Is there a word boundary between these two bytes of a text? */
static bool
IsBoundary(const StringInfoData *text, int left, int right)
{
	return left < 0 || right >= text->len ||
		!IsWordByte(text->data[left]) || !IsWordByte(text->data[right]);
}

/* Finds the best occurrence in one pass. */
static Match
FindBest(const StringInfoData *line, const StringInfoData *text, const int *failure)
{
	Match		best = MATCH_TOKEN;
	int			matched = 0;

	if (text->len == 0)
		return MATCH_TOKEN;
	for (int i = 0; i < line->len; i++)
	{
		CheckEvery(i);
		while (matched > 0 && line->data[i] != text->data[matched])
			matched = failure[matched - 1];
		if (line->data[i] == text->data[matched])
			matched++;
		if (matched < text->len)
			continue;
		best = MATCH_SUBSTRING;
		if (IsBoundary(line, i - text->len, i - text->len + 1) && IsBoundary(line, i, i + 1))
			return MATCH_WHOLE;
		matched = failure[matched - 1];
	}
	return best;
}

/* Returns how a line matches. */
static Match
NeedleMatch(Needle *needle, Span line)
{
	resetStringInfo(&needle->line);
	AppendSqueezed(&needle->line, line, needle->is_name);
	return FindBest(&needle->line, &needle->text, needle->failure);
}

/* Does a tool say in words that there is nothing? */
static bool
SaysNothing(Span output)
{
	output = Trim(output);
	return IsWord(output, "no matches") || IsWord(output, "no matches found");
}

static JsonView
MatchObservation(const char *match, int64 count)
{
	JsonView	observation = JsonViewNewObject(3);

	JsonViewSet(&observation, "match", match ? JsonViewCString(match) : JsonViewNull());
	JsonViewSet(&observation, "match_count", JsonViewInteger(count));
	return observation;
}

/*
 * Returns the best kind of match, and its count.  A whole match is also a partial
 * one; whole ones are counted separately.
 */
static JsonView
BestMatch(const int64 *counts, const char *whole, const char *part, const char *token)
{
	JsonView	observation;

	if (counts[MATCH_WHOLE] > 0)
	{
		observation = MatchObservation(whole, counts[MATCH_WHOLE] + counts[MATCH_SUBSTRING]);
		JsonViewSet(&observation, "exact_match_count", JsonViewInteger(counts[MATCH_WHOLE]));
		return observation;
	}
	if (counts[MATCH_SUBSTRING] > 0)
		return MatchObservation(part, counts[MATCH_SUBSTRING]);
	return MatchObservation(counts[MATCH_TOKEN] > 0 ? token : NULL, counts[MATCH_TOKEN]);
}

/*
 * grep
 */

static bool
HasSpace(Span text)
{
	for (int i = 0; i < text.len; i++)
	{
		if (IsAsciiSpace(text.str[i]))
			return true;
	}
	return false;
}

/* Does it end with a dot and a few letters, like a file name? */
static bool
HasExtension(Span path)
{
	int			at = path.len;

	while (at > 0 && path.len - at < EXTENSION_MAX && IsWordByte(path.str[at - 1]))
		at--;
	return at < path.len && at > 1 && path.str[at - 1] == '.' && IsWordByte(path.str[at - 2]);
}

/* Is there a slash between names, unlike in a comment or in prose? */
static bool
HasInnerSlash(Span path)
{
	for (int i = 0; i + 1 < path.len; i++)
	{
		char		next = path.str[i + 1];

		if (path.str[i] == '/' && !IsAsciiSpace(next) && next != '/' && next != '*' &&
			(i == 0 || (!IsAsciiSpace(path.str[i - 1]) && path.str[i - 1] != '/' &&
						path.str[i - 1] != ':')))
			return true;
	}
	return false;
}

/*
 * Does it look like a path? grep -l prints only paths, so what may be a path does
 * not count as content.  A path with spaces needs more evidence.
 */
static bool
IsPath(Span text)
{
	if (!HasSpace(text))
		return HasLiteral(text, "/") || HasExtension(text);
	return HasExtension(text) && HasInnerSlash(text);
}

/* Takes a number between two such marks off a text; false if there is none. */
static bool
TakeLineNumber(Span *text, char mark)
{
	Span		rest = *text;
	int64		number;

	if (rest.len == 0 || rest.str[0] != mark)
		return false;
	rest = Skip(rest, 1);
	if (!NextNumber(&rest, &number) || rest.len == 0 || rest.str[0] != mark)
		return false;
	*text = Skip(rest, 1);
	return true;
}

/* length of C:\ at the beginning of a path */
static int
DriveLength(Span line)
{
	return line.len > 2 && line.str[1] == ':' && (line.str[2] == '\\' || line.str[2] == '/') &&
		isalpha((unsigned char) line.str[0]) ? 2 : 0;
}

/*
 * Takes "path:12:", or "path-12-" for a line of context, off a line.  If the number
 * does not follow the first mark, the path has such marks itself, or there is no
 * number.
 */
static bool
TakeLocation(Span *line, char mark)
{
	int			marks = 0;

	for (int i = DriveLength(*line); i < line->len && marks < PATH_MAX_MARKS; i++)
	{
		Span		rest = Skip(*line, i);
		Span		path = {line->str, i};

		if (line->str[i] != mark)
			continue;
		if (TakeLineNumber(&rest, mark) &&
			(IsPath(path) || (mark == ':' && (marks == 0 || !HasSpace(path)))))
		{
			*line = rest;
			return true;
		}
		if (marks++ == 0 && mark == ':' && IsPath(path))
			return false;
	}
	return false;
}

/* Returns the content of a line, without file and line number. */
static Span
WithoutLocation(Span line)
{
	int			drive = DriveLength(line);
	const char *colon;
	Span		path;

	if (TakeLocation(&line, ':') || TakeLocation(&line, '-'))
		return line;
	colon = memchr(line.str + drive, ':', line.len - drive);
	if (colon == NULL)
		return drive > 0 || IsPath(line) ? Skip(line, line.len) : line;
	/* without -n; if it does not look like a path, it is content with a colon */
	path = (Span) {line.str, colon - line.str};
	return drive > 0 || IsPath(path) || (HasLiteral(path, ".") && !HasSpace(path)) ?
		Skip(line, path.len + 1) : line;
}

/* Is it a match in a binary file, whose content is not shown? Old and new grep word it differently. */
static bool
IsBinaryMatch(Span line)
{
	return (StartsWith(line, "grep: ") && EndsWith(line, ": binary file matches")) ||
		(StartsWith(line, "Binary file ") && EndsWith(line, " matches"));
}

static JsonView
ObserveGrep(const ToolOutput *printed)
{
	Span		query = Trim(printed->query);
	Span		rest = printed->output;
	Span		line;
	Needle		needle;
	int64		counts[MATCH_WHOLE + 1] = {0};

	if (SaysNothing(rest))
		return MatchObservation(NULL, 0);
	NeedleInit(&needle, query, false);
	while (NextFullLine(&rest, &line))
	{
		Span		content;

		if (IsBinaryMatch(line))
		{
			counts[MATCH_TOKEN]++;
			continue;
		}
		if (Is(line, "--") || StartsWith(line, "grep: "))
			continue;
		content = WithoutLocation(line);
		/* grep -c also prints counts of 0 */
		if (Is(content, "0") && !Is(query, "0"))
			continue;
		counts[NeedleMatch(&needle, content)]++;
	}
	return BestMatch(counts, IsIdentifier(query) ? "identifier" : "phrase", "substring", "token");
}

/*
 * find
 */

static Span
FileName(Span path)
{
	int			at = path.len;

	if (at > 0 && path.str[at - 1] == '/')
		path.len = --at;
	while (at > 0 && path.str[at - 1] != '/')
		at--;
	return Skip(path, at);
}

/* Is the path the query, or does it end with it after a slash? */
static bool
IsPathOf(Span path, Span query)
{
	Span		end;

	if (query.len == 0 || path.len < query.len)
		return false;
	end = Skip(path, path.len - query.len);
	return memcmp(end.str, query.str, query.len) == 0 &&
		(path.len == query.len || end.str[-1] == '/');
}

static JsonView
ObserveFind(const ToolOutput *printed)
{
	Span		query = Trim(printed->query);
	Span		rest = printed->output;
	Span		line;
	Needle		needle;
	int64		counts[MATCH_WHOLE + 1] = {0};
	bool		is_pattern = false;

	if (SaysNothing(rest))
		return MatchObservation(NULL, 0);
	while (query.len > 0 && query.str[0] == '*')
	{
		query = Skip(query, 1);
		is_pattern = true;
	}
	while (query.len > 0 && query.str[query.len - 1] == '*')
	{
		query.len--;
		is_pattern = true;
	}
	NeedleInit(&needle, query, true);
	while (NextFullLine(&rest, &line))
	{
		if (StartsWith(line, "find: "))
			continue;
		if (!is_pattern && IsPathOf(line, query))
			counts[MATCH_WHOLE]++;
		else if (NeedleMatch(&needle, FileName(line)) != MATCH_TOKEN)
			counts[MATCH_SUBSTRING]++;
		else
			counts[MATCH_TOKEN]++;
	}
	return BestMatch(counts, "exact", "partial", "token");
}

/* Does a shell say that there is no such program? */
static bool
IsShellNotice(Span line, const char *tool)
{
	return EndsWith(line, psprintf("%s: command not found", tool)) ||
		EndsWith(line, psprintf("%s: not found", tool)) ||
		EndsWith(line, psprintf("command not found: %s", tool)) ||
		EndsWith(line, psprintf("%s: No such file or directory", tool));
}

/*
 * git
 */

static bool
IsAmong(Span word, const char *const *words)
{
	for (; *words; words++)
	{
		if (IsWord(word, *words))
			return true;
	}
	return false;
}

/* Does the same, but case-sensitive, as in git. */
static bool
IsCommandAmong(Span word, const char *const *commands)
{
	for (; *commands; commands++)
	{
		if (Is(word, *commands))
			return true;
	}
	return false;
}

static const char *const history_commands[] = {"log", "show", "blame", "shortlog",
"reflog", "rev-list", "describe", "tag", "whatchanged", NULL};
static const char *const tree_commands[] = {"status", "diff", "stash", "ls-files", NULL};
static const char *const other_commands[] = {"branch", "remote", "grep", "rev-parse",
"config", "cat-file", "ls-tree", "fetch", "merge-base", "worktree", NULL};

/*
 * Words with which people ask for history, and for the working tree.  Those of the
 * first list mean only the latter.
 */
static const char *const only_tree_words[] = {"uncommitted", "staged", "unstaged", "untracked",
"dirty", "worktree", "working", NULL};
static const char *const history_words[] = {"commit", "commits", "committed", "history",
"log", "last", "latest", "newest", "recent", "recently", "changed", "changes", "change",
"when", "who", "author", "authored", "introduced", "merged", "reverted", "since", "ago", NULL};
static const char *const tree_words[] = {"status", "modified", "clean", NULL};

/* Returns the kind of question; the first word that can mean either decides. */
static const char *
GitQuestion(Span text)
{
	const char *question = NULL;
	int			at = 0;

	while (at < text.len)
	{
		Span		word = Skip(text, at);
		int			len = 0;

		while (len < word.len && IsWordByte(word.str[len]))
			len++;
		word.len = len;
		if (IsAmong(word, only_tree_words))
			return "working_tree";
		if (question == NULL && IsAmong(word, tree_words))
			question = "working_tree";
		if (question == NULL && IsAmong(word, history_words))
			question = "history";
		at += Max(len, 1);
	}
	return question ? question : "other";
}

/* After these words a command's name is an English word. */
static const char *const prose_words[] = {"me", "us", "the", "a", "an", "all", "my", "our", "of",
"for", "this", "every", "recent", "last", "latest", "what", "which", "who", "when", "where", "how", NULL};

/* Is the query a subcommand? Sets it, and the rest as its options. */
static bool
GitCommand(Span query, Span *command, Span *options)
{
	Span		rest;
	Span		next;

	*options = query;
	if (!NextWord(options, command))
		return false;
	rest = *options;
	if (Is(*command, "git"))
	{
		if (!NextWord(options, command))
			return false;
	}
	else if (NextWord(&rest, &next) && IsAmong(next, prose_words))
		return false;
	return IsCommandAmong(*command, history_commands) ||
		IsCommandAmong(*command, tree_commands) || IsCommandAmong(*command, other_commands);
}

/* Does the line begin with a commit's hash, as printed by log? */
static bool
IsCommitLine(Span line)
{
	int			digits = 0;
	int			least = 7;

	/* skips the branches drawn by --graph */
	while (line.len > 0 && strchr("*|/\\ _", line.str[0]) != NULL)
		line = Skip(line, 1);
	if (StartsWith(line, "commit "))
		line = Skip(line, 7);
	while (digits < line.len && (IsAsciiDigit(line.str[digits]) ||
								 (line.str[digits] >= 'a' && line.str[digits] <= 'f')))
		digits++;
	/* a short hash without a digit may be a word */
	for (int i = 0; i < digits; i++)
		least = IsAsciiDigit(line.str[i]) ? 6 : least;
	return digits >= least && digits <= 64 && (digits == line.len || IsAsciiSpace(line.str[digits]));
}

/*
 * Can the line be one that log prints?  With a format of the user's any line can;
 * otherwise a commit begins with its hash, perhaps coloured.
 */
static bool
IsLogLine(Span line, Span options)
{
	bool		has_digit = false;
	int			letters = 0;

	if (HasLiteral(options, "--format") || HasLiteral(options, "--pretty") || HasLiteral(line, "\033["))
		return true;
	while (line.len > 0 && strchr("*|/\\ _", line.str[0]) != NULL)
		line = Skip(line, 1);
	if (StartsWith(line, "commit "))
		return true;
	for (; letters < line.len && IsWordByte(line.str[letters]); letters++)
		has_digit = has_digit || IsAsciiDigit(line.str[letters]);
	return IsCommitLine(line) ||
		(has_digit && letters >= 4 && (letters == line.len || IsAsciiSpace(line.str[letters])));
}

/* Is it a line of status, in long or short form? */
static bool
IsStatusLine(Span line)
{
	static const char marks[] = " MADRCUT?!";

	if (StartsWith(line, "On branch ") || StartsWith(line, "HEAD detached ") ||
		StartsWith(line, "## ") || StartsWith(line, "nothing to commit"))
		return true;
	return line.len > 3 && line.str[2] == ' ' && strchr(marks, line.str[0]) != NULL &&
		strchr(marks, line.str[1]) != NULL && (line.str[0] != ' ' || line.str[1] != ' ');
}

/* Do the options of log name what its commits must have? */
static bool
HasLogTerms(Span options)
{
	Span		word;

	while (NextWord(&options, &word))
	{
		if (StartsWith(word, "--grep") || StartsWith(word, "--author") ||
			StartsWith(word, "-S") || StartsWith(word, "-G") || StartsWith(word, "-L"))
			return true;
		if (Is(word, "--"))
			return Trim(options).len > 0;
	}
	return false;
}

static JsonView
ObserveGit(const ToolOutput *printed)
{
	JsonView	observation = JsonViewNewObject(6);
	Span		query = Trim(printed->query);
	Span		question = Trim(printed->question);
	Span		rest = printed->output;
	Span		command;
	Span		options;
	Span		line;
	Needle		needle;
	bool		is_command = GitCommand(query, &command, &options);
	bool		has_terms = is_command ? HasLogTerms(options) : query.len > 0;
	bool		is_log = is_command && Is(command, "log");
	bool		is_recognised = !is_log;
	bool		failed = false;
	int64		lines = 0;
	int64		matching = 0;
	const char *asked;

	NeedleInit(&needle, query, false);
	if (!is_command)
		command.len = 0;
	while (NextFullLine(&rest, &line))
	{
		bool		is_commit = IsCommitLine(line);

		if (lines++ == 0)
		{
			failed = StartsWith(line, "error: ") || StartsWith(line, "git: ") ||
				StartsWith(line, "usage: git") || (!is_commit && IsShellNotice(line, "git"));
			if (!is_command && (is_commit || IsStatusLine(line)))
				command = is_commit ? (Span) {"log", 3} : (Span) {"status", 6};
		}
		/* warnings may come first */
		failed = failed || StartsWith(line, "fatal: ");
		is_recognised = is_recognised || IsLogLine(line, options);
		if (is_command ? has_terms && is_commit :
			NeedleMatch(&needle, line) == MATCH_WHOLE)
			matching++;
	}
	if (question.len > 0 || !is_command)
		asked = GitQuestion(question.len > 0 ? question : query);
	else
		asked = IsCommandAmong(command, history_commands) ? "history" :
			IsCommandAmong(command, tree_commands) ? "working_tree" : "other";

	/* output without a commit is not a log, whatever was asked */
	if (!is_recognised && !failed && lines > 0)
		command.len = 0;
	if (command.len > 0)
		JsonViewSet(&observation, "command", JsonViewString(command.str, command.len));
	JsonViewSet(&observation, "question", JsonViewCString(asked));
	JsonViewSet(&observation, "has_query_terms", JsonViewBool(has_terms));
	JsonViewSet(&observation, "matching_commits", JsonViewInteger(matching));
	JsonViewSet(&observation, "output_lines", JsonViewInteger(lines));
	JsonViewSet(&observation, "failed", JsonViewBool(failed));
	return observation;
}

/*
 * cmake
 */

/* Returns the target that the query names, or an empty span. */
static Span
CmakeTarget(Span query)
{
	Span		rest = query;
	Span		word;
	int			words = 0;
	Span		only = {"", 0};

	while (NextWord(&rest, &word))
	{
		if ((Is(word, "--target") || Is(word, "-t")) && NextWord(&rest, &word))
			return word;
		if (StartsWith(word, "--target="))
			return Skip(word, 9);
		only = word;
		words++;
	}
	return words == 1 && only.str[0] != '-' && only.str[0] != '.' ? only : (Span) {"", 0};
}

/* Does the line say that a build failed? The word "error" alone may be part of a file name. */
static bool
IsBuildFailure(Span line)
{
	static const char *const anywhere[] = {"CMake Error", ": error:", ": fatal error:",
	": undefined reference to ", "collect2: error", "ld returned ", ": *** ", ": fatal error ",
	": error C", ": error LNK", ": error MSB", NULL};
	static const char *const begin[] = {"ninja: build stopped", "ninja: error:", "ninja: fatal:",
	"FAILED: ", "Error: ", "error: ", "make: *** ", "Build FAILED", "** BUILD FAILED **", NULL};

	for (int i = 0; anywhere[i]; i++)
	{
		if (HasLiteral(line, anywhere[i]))
			return true;
	}
	for (int i = 0; begin[i]; i++)
	{
		if (StartsWith(line, begin[i]))
			return true;
	}
	return false;
}

/* Returns a line without the progress in brackets. */
static Span
WithoutProgress(Span line)
{
	line = Trim(line);
	if (line.len > 0 && line.str[0] == '[')
	{
		const char *end = memchr(line.str, ']', line.len);

		if (end)
			line = Trim(Skip(line, end + 1 - line.str));
	}
	return line;
}

/* Is the line a step of ninja, such as "[3/3] Building ..."? And is it the last one? */
static bool
IsStep(Span line, bool *is_last)
{
	Span		rest = Trim(line);
	int64		step;
	int64		steps;

	if (!StartsWith(rest, "["))
		return false;
	rest = Skip(rest, 1);
	if (!NextNumber(&rest, &step) || !StartsWith(rest, "/"))
		return false;
	rest = Skip(rest, 1);
	if (!NextNumber(&rest, &steps) || !StartsWith(rest, "]"))
		return false;
	*is_last = step == steps;
	return true;
}

/* Is the file what linking the target makes: NAME, libNAME.a, NAME.exe, …? */
static bool
IsProductOf(Span file, Span target)
{
	Span		name = FileName(file);

	if (StartsWith(name, "lib") && name.len > target.len && name.len - 3 >= target.len &&
		memcmp(name.str + 3, target.str, target.len) == 0)
		name = Skip(name, 3);
	return name.len >= target.len && memcmp(name.str, target.str, target.len) == 0 &&
		(name.len == target.len || name.str[target.len] == '.');
}

/* Is the line about the target, and not about another one? */
static bool
IsWorkOn(Span line, Span target)
{
	int			at = FindLiteral(line, "CMakeFiles/");
	Span		rest;
	Span		word;
	Span		last = {"", 0};

	if (target.len == 0)
		return false;
	if (at >= 0)
	{
		rest = Skip(line, at + 11);
		return rest.len > target.len && memcmp(rest.str, target.str, target.len) == 0 &&
			StartsWith(Skip(rest, target.len), ".dir/");
	}
	rest = line;
	while (NextWord(&rest, &word))
		last = word;
	return StartsWith(line, "Linking ") && IsProductOf(last, target);
}

/*
 * Make says when a target is built.  Ninja does not: there the last step, or
 * linking the target, says so.  A build that was interrupted before has not built
 * it.
 */
static JsonView
ObserveCmake(const ToolOutput *printed)
{
	JsonView	observation = JsonViewNewObject(3);
	Span		target = CmakeTarget(printed->query);
	Span		rest = printed->output;
	Span		line;
	bool		failed = false;
	bool		worked = false;
	bool		worked_on = false;
	bool		tells_targets = false;
	bool		finished = false;
	bool		ended = false;
	bool		is_step;
	bool		is_last = false;
	int			lines = 0;

	while (NextFullLine(&rest, &line))
	{
		failed = failed || IsBuildFailure(line) || (lines == 0 && IsShellNotice(line, "cmake"));
		lines = 1;
		is_step = IsStep(line, &is_last);
		ended = ended || (is_step && is_last);
		line = WithoutProgress(line);
		/* ninja with -v shows the command instead */
		if (StartsWith(line, "Building ") || StartsWith(line, "Linking ") ||
			StartsWith(line, "Generating ") || (is_step && HasLiteral(line, "CMakeFiles/")))
		{
			worked = true;
			worked_on = worked_on || IsWorkOn(line, target);
			ended = ended || (StartsWith(line, "Linking ") && IsWorkOn(line, target));
		}
		if (StartsWith(line, "Built target "))
		{
			Span		name = Trim(Skip(line, 13));

			tells_targets = true;
			finished = finished || (name.len == target.len &&
									memcmp(name.str, target.str, name.len) == 0);
		}
	}
	JsonViewSet(&observation, "ok", JsonViewBool(lines > 0 && !failed));
	JsonViewSet(&observation, "noop", JsonViewBool(!worked));
	JsonViewSet(&observation, "target_built",
				JsonViewBool(!failed && worked_on && (tells_targets ? finished : ended)));
	return observation;
}

/*
 * ctest
 */

/*
 * Returns the number before a text, as in "3 tests failed"; false if there is none.
 * A number that is too large becomes the largest, so that it cannot count as none.
 */
static bool
NumberBefore(Span line, const char *text, int64 *number)
{
	int			at = FindLiteral(line, text);
	Span		digits;

	if (at <= 0)
		return false;
	digits.str = line.str + at;
	digits.len = 0;
	while (digits.str > line.str && IsAsciiDigit(digits.str[-1]))
	{
		digits.str--;
		digits.len++;
	}
	if (digits.len == 0)
		return false;
	if (!NextNumber(&digits, number))
		*number = NUMBER_GREATEST;
	return true;
}

/* "100% tests passed, 0 tests failed out of 12"; "out of" may be cut off */
static bool
IsCtestSummary(Span line, int64 *failed, int64 *total)
{
	int			at = FindLiteral(line, " out of ");
	Span		rest = Skip(line, at < 0 ? line.len : at + 8);

	if (!HasLiteral(line, "tests passed") ||
		!(NumberBefore(line, " tests failed", failed) || NumberBefore(line, " test failed", failed)))
		return false;
	if (!NextNumber(&rest, total))
		*total = *failed;
	return true;
}

static JsonView
ObserveCtest(const ToolOutput *printed)
{
	JsonView	observation = JsonViewNewObject(4);
	Span		rest = printed->output;
	Span		line;
	int64		run = 0;
	int64		failed = 0;
	int64		skipped = 0;
	int64		lines_passed = 0;
	int64		lines_failed = 0;
	bool		summed_up = false;

	while (NextFullLine(&rest, &line))
	{
		int64		a;
		int64		b;

		if (IsCtestSummary(line, &a, &b))
		{
			/* several runs in one output are added up */
			failed = Min(failed + a, NUMBER_GREATEST);
			run = Min(run + b, NUMBER_GREATEST);
			summed_up = true;
		}
		else if (!HasLiteral(line, " Test ") || !HasLiteral(line, "#"))
			continue;
		else if (HasLiteral(line, "***Skipped"))
			skipped++;
		else if (HasLiteral(line, "***"))
			lines_failed++;
		else if (HasLiteral(line, " Passed "))
			lines_passed++;
	}
	if (!summed_up)
	{
		failed = lines_failed;
		run = lines_passed + lines_failed + skipped;
	}
	JsonViewSet(&observation, "run", JsonViewInteger(run));
	JsonViewSet(&observation, "passed", JsonViewInteger(Max(run - failed - skipped, 0)));
	JsonViewSet(&observation, "failed", JsonViewInteger(failed));
	JsonViewSet(&observation, "relevant", JsonViewInteger(run));
	return observation;
}

/*
 * gh
 */

static const char *const gh_subjects[] = {"run", "workflow", "pr", "issue", "repo", "release",
"cache", "gist", "secret", "variable", "codespace", "project", "auth", "extension", "ruleset",
"label", "org", "search", NULL};
static const char *const gh_verbs[] = {"list", "view", "watch", "rerun", "cancel", "delete",
"download", "create", "checkout", "checks", "close", "comment", "diff", "edit", "merge", "ready",
"reopen", "review", "status", "clone", "fork", "sync", "upload", "login", "enable", "disable",
"run", "set", "get", "prs", "issues", "repos", "commits", "code", NULL};

/*
 * Returns the subcommand of the query, its first two words.  If the query does not
 * begin with gh, words that are no command make it a question.
 */
static const char *
GhCommand(Span query)
{
	Span		first;
	Span		second;
	bool		is_named;

	if (!NextWord(&query, &first))
		return NULL;
	is_named = Is(first, "gh");
	if ((is_named && !NextWord(&query, &first)) || !NextWord(&query, &second))
		return NULL;
	if (!is_named && !(IsCommandAmong(first, gh_subjects) && IsCommandAmong(second, gh_verbs)))
		return NULL;
	for (int i = 0; i < first.len + second.len; i++)
	{
		char		c = i < first.len ? first.str[i] : second.str[i - first.len];

		if (!(c >= 'a' && c <= 'z') && c != '-')
			return NULL;
	}
	if (first.len + second.len > 30)
		return NULL;
	return psprintf("%.*s %.*s", first.len, first.str, second.len, second.str);
}

/* Returns the workflow that the query asks for, or an empty span. */
static Span
GhWorkflow(Span query, bool is_command)
{
	Span		rest = query;
	Span		word;

	if (!is_command)
		return Trim(query);
	while (NextWord(&rest, &word))
	{
		if ((Is(word, "--workflow") || Is(word, "-w")) && NextWord(&rest, &word))
			return word;
		if (StartsWith(word, "--workflow="))
			return Skip(word, 11);
	}
	return (Span) {"", 0};
}

static bool
IsWorkflow(Span name, Span wanted)
{
	if (wanted.len > 1 && (wanted.str[0] == '"' || wanted.str[0] == '\''))
		wanted = (Span) {wanted.str + 1, wanted.len - 2};
	return wanted.len > 0 && name.len == wanted.len &&
		pg_strncasecmp(name.str, wanted.str, name.len) == 0;
}

/* Counts runs given as JSON, as by --json and the API. Elements that are no objects do not count. */
static void
CountRuns(const JsonView *runs, Span workflow, int64 *count, bool *matching)
{
	int			elements = runs->type == JVIEW_ARRAY ? JsonViewCount(runs) : 0;

	for (int i = 0; i < elements; i++)
	{
		static const char *const names[] = {"workflowName", "name", NULL};
		JsonView	run = JsonViewAt(runs, i);

		CHECK_FOR_INTERRUPTS();
		if (run.type != JVIEW_OBJECT)
			continue;
		(*count)++;
		for (int j = 0; names[j]; j++)
		{
			Span		name;

			if (JsonViewGetString(&run, names[j], &name))
				*matching = *matching || IsWorkflow(name, workflow);
		}
	}
}

/*
 * Is it a list of runs, if nothing says what it lists?  An empty list is; otherwise
 * one element must have members that only runs have.
 */
static bool
IsListOfRuns(const JsonView *list)
{
	static const char *const keys[] = {"workflowName", "workflowDatabaseId", "workflow_id",
	"conclusion", "run_number", NULL};
	int			count = JsonViewCount(list);

	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(list, i);
		JsonView	view;

		CHECK_FOR_INTERRUPTS();
		for (int j = 0; keys[j] && element.type == JVIEW_OBJECT; j++)
		{
			if (JsonViewGetMember(&element, keys[j], &view))
				return true;
		}
	}
	return count == 0;
}

/* Counts runs given as a table: status, conclusion, title, workflow, branch, event, id, … */
static void
CountRunLines(Span output, Span workflow, int64 *count, bool *matching)
{
	Span		line;

	while (NextFullLine(&output, &line))
	{
		int			field = 0;

		for (int i = 0, from = 0; i <= line.len; i++)
		{
			if (i < line.len && line.str[i] != '\t')
				continue;
			if (field++ == 3)
				*matching = *matching || IsWorkflow((Span) {line.str + from, i - from}, workflow);
			from = i + 1;
		}
		if (field >= 5)
			(*count)++;
	}
}

static bool
IsGhFailure(Span line)
{
	return StartsWith(line, "gh: ") || StartsWith(line, "HTTP ") || StartsWith(line, "error") ||
		StartsWith(line, "failed to ") || StartsWith(line, "could not ") ||
		StartsWith(line, "unknown ") || StartsWith(line, "To get started with GitHub CLI") ||
		StartsWith(line, "GraphQL: ") || StartsWith(line, "no git remotes found") ||
		StartsWith(line, "none of the git remotes") || IsShellNotice(line, "gh");
}

/* Does the query ask for a log, or only for that of failed steps? */
static bool
AsksForLog(Span query, bool *failed_only)
{
	bool		asks = false;
	Span		word;

	*failed_only = false;
	while (NextWord(&query, &word))
	{
		if (Is(word, "--log-failed"))
			*failed_only = true;
		asks = asks || *failed_only || Is(word, "--log");
	}
	return asks;
}

/* Is it a line of a log: job, step and message? Sets *line to the message. */
static bool
TakeLogPlace(Span *line)
{
	Span		rest = *line;
	Span		word;

	for (int tabs = 0; tabs < 2; tabs++)
	{
		const char *tab = memchr(rest.str, '\t', rest.len);

		if (tab == NULL)
			return false;
		rest = Skip(rest, tab - rest.str + 1);
	}
	*line = rest;
	/* a timestamp precedes the message */
	if (NextWord(&rest, &word) && IsAsciiDigit(word.str[0]) && EndsWith(word, "Z") && HasLiteral(word, "T"))
		*line = rest;
	return true;
}

static const char *const success_words[] = {"success", "succeeded", "successful", NULL};
static const char *const failure_words[] = {"failure", "failed", NULL};
/* words that change the meaning of such a word */
static const char *const denying_words[] = {"no", "not", "never", "without", "if", "on", "zero", "unless", NULL};

/*
 * Returns the conclusion that a short sentence states: "Job succeeded", "Result:
 * failure".  A sentence with a number, such as "0 tests failed", states none.
 */
static const char *
SaidConclusion(Span message)
{
	const char *conclusion = NULL;
	Span		word;

	for (int words = 0; NextWord(&message, &word); words++)
	{
		while (word.len > 0 && !IsWordByte(word.str[0]))
			word = Skip(word, 1);
		while (word.len > 0 && !IsWordByte(word.str[word.len - 1]))
			word.len--;
		if (words == LOG_SENTENCE_WORDS || (word.len > 0 && IsAsciiDigit(word.str[0])) ||
			IsAmong(word, denying_words))
			return NULL;
		conclusion = IsAmong(word, success_words) ? "success" :
			IsAmong(word, failure_words) ? "failure" : NULL;
	}
	return conclusion;
}

/* Returns the conclusion of a log: a failure takes precedence over earlier successes. */
static const char *
LogConclusion(Span output, bool failed_only)
{
	const char *conclusion = NULL;
	Span		line;

	while (NextFullLine(&output, &line))
	{
		bool		has_place = TakeLogPlace(&line);
		const char *said = failed_only && has_place ? "failure" : SaidConclusion(line);

		if (said && (conclusion == NULL || strcmp(said, "failure") == 0))
			conclusion = said;
	}
	return conclusion;
}

/* Returns the conclusion of a run, from the mark at its head or the end of its log. */
static const char *
FindConclusion(Span query, Span output)
{
	Span		rest = output;
	Span		line;
	bool		failed_only;
	bool		first = true;

	while (NextFullLine(&rest, &line))
	{
		if (first && StartsWith(line, "\xE2\x9C\x93 "))
			return "success";
		if (first && StartsWith(line, "X "))
			return "failure";
		if (first && StartsWith(line, "- "))
			return "cancelled";
		first = false;
		if (HasLiteral(line, "Process completed with exit code ") &&
			!EndsWith(line, "exit code 0."))
			return "failure";
	}
	return AsksForLog(query, &failed_only) ? LogConclusion(output, failed_only) : NULL;
}

static JsonView
ObserveGh(const ToolOutput *printed)
{
	JsonView	observation = JsonViewNewObject(4);
	Span		output = Trim(printed->output);
	Span		first = output;
	Span		line;
	JsonView	json;
	size_t		where;
	const char *command = GhCommand(printed->query);
	bool		is_command = command != NULL;
	Span		workflow = GhWorkflow(printed->query, is_command);
	bool		is_json = output.len > 0 && (output.str[0] == '[' || output.str[0] == '{') &&
		JsonViewOfText(output.str, output.len, &json, &where) == JSON_TEXT_OK;
	JsonView	conclusion = {.type = JVIEW_ABSENT};

	if (output.len == 0 || (NextFullLine(&first, &line) && IsGhFailure(line)))
		return observation;
	if (command == NULL && is_json && json.type == JVIEW_ARRAY)
		command = IsListOfRuns(&json) ? "run list" : NULL;
	else if (command == NULL && is_json)
		command = JsonViewGetMember(&json, "conclusion", &conclusion) ? "run view" : NULL;
	if (command == NULL)
		return observation;
	JsonViewSet(&observation, "command", JsonViewCString(command));
	if (strcmp(command, "run list") == 0)
	{
		int64		count = 0;
		bool		matching = false;

		if (is_json)
			CountRuns(&json, workflow, &count, &matching);
		else
			CountRunLines(output, workflow, &count, &matching);
		/* a list requested for one workflow has no other */
		if (is_command && workflow.len > 0)
			matching = count > 0;
		JsonViewSet(&observation, "runs", JsonViewInteger(count));
		JsonViewSet(&observation, "matching_workflow", JsonViewBool(matching));
	}
	else if (strcmp(command, "run view") == 0)
	{
		const char *mark = is_json ? NULL : FindConclusion(printed->query, output);

		if (is_json)
			JsonViewGetMember(&json, "conclusion", &conclusion);
		if (mark)
			conclusion = JsonViewCString(mark);
		JsonViewSet(&observation, "conclusion",
					conclusion.type == JVIEW_STRING ? conclusion : JsonViewNull());
	}
	return observation;
}

/* Parses the output of a tool; false if the tool is not known. */
bool
OutputObservation(Span tool, const ToolOutput *printed, JsonView *observation)
{
	static const struct
	{
		const char *tool;
		JsonView	(*observe) (const ToolOutput *printed);
	}			readers[] =
	{
		{"grep", ObserveGrep}, {"find", ObserveFind}, {"git", ObserveGit},
		{"cmake", ObserveCmake}, {"ctest", ObserveCtest}, {"gh", ObserveGh}
	};

	for (size_t i = 0; i < lengthof(readers); i++)
	{
		if (!Is(tool, readers[i].tool))
			continue;
		*observation = readers[i].observe(printed);
		return true;
	}
	return false;
}
