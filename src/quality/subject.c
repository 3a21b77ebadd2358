/*-------------------------------------------------------------------------
 *
 * subject.c
 *		What a question seeks, and what is about it.
 *
 * Pure.  Rule: the contract of evidence quality, after parts I and III of the
 * seed (001_413250fa9c4f2d2f): a search for "evidence" is no search for
 * "evidence gating", and a file that nobody found is the wrong one, whatever
 * a tool says of its own result.
 *
 * The subject of a question is its one quoted phrase; where it has none, its
 * one word that looks like a name in a program: one with an underscore, "::",
 * a dot or a slash, or with a capital inside.  Two of a kind make it
 * ambiguous, and it has none.
 *
 * Texts are compared in lower case as far as ASCII goes; nothing depends on a
 * locale or on the server.
 *
 * Promises: pure; never raises over what a text holds.  Linear time in each
 * text, times SUBJECT_MAX_SIZE at most.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "quality/subject.h"

/*
 * characters
 */

static bool
IsSpace(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
IsUpper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
IsLower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
IsAlphanumeric(char c)
{
	return IsUpper(c) || IsLower(c) || (c >= '0' && c <= '9');
}

/* What a word is made of, in any script. */
static bool
IsWordByte(char c)
{
	return IsAlphanumeric(c) || c == '_' || IS_HIGHBIT_SET(c);
}

/* What can stand between them in a name: of a file, of something in a program. */
static bool
IsNameByte(char c)
{
	return IsWordByte(c) || (c != '\0' && strchr(":./-~+@#$%", c) != NULL);
}

static Span
CutPart(Span text, int from, int to)
{
	return SpanOf(text.str + from, to - from);
}

static Span
FoldedCopy(Span text)
{
	char	   *folded = palloc_extended(Max(text.len, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < text.len; i++)
	{
		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		folded[i] = (char) pg_ascii_tolower((unsigned char) text.str[i]);
	}
	return SpanOf(folded, text.len);
}

/* A copy without white space at its ends, and with one space for any inside. */
Span
SubjectSqueeze(Span text)
{
	char	   *squeezed = palloc_extended(Max(text.len, 1), MCXT_ALLOC_HUGE);
	int			len = 0;
	bool		gap = false;

	for (int i = 0; i < text.len; i++)
	{
		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (IsSpace(text.str[i]))
		{
			gap = len > 0;
			continue;
		}
		if (gap)
			squeezed[len++] = ' ';
		gap = false;
		squeezed[len++] = text.str[i];
	}
	return SpanOf(squeezed, len);
}

/* Takes the next of the runs of such bytes off a text; false at its end. */
static bool
NextRun(Span *text, bool (*belongs) (char c), Span *run)
{
	int			from = 0;
	int			to;

	while (from < text->len && !belongs(text->str[from]))
		from++;
	to = from;
	while (to < text->len && belongs(text->str[to]))
		to++;
	CHECK_FOR_INTERRUPTS();
	*run = CutPart(*text, from, to);
	*text = CutPart(*text, to, text->len);
	return run->len > 0;
}

/*
 * the subject of a question
 */

/* What is found, unless two unlike ones are. */
typedef struct Only
{
	Span		text;
	bool		is_ambiguous;
} Only;

static void
FindAnother(Only *only, Span text)
{
	if (only->text.len == 0)
		only->text = text;
	else if (!SpanEqual(only->text, text))
		only->is_ambiguous = true;
}

/* Quotation marks; those of ASCII look the same at both ends. */
static const struct
{
	const char *opens;
	const char *closes;
}			quotes[] = {
	{"\"", "\""}, {"'", "'"}, {"`", "`"},
	{"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x98", "\xE2\x80\x99"}, {"\xC2\xAB", "\xC2\xBB"}
};

/*
 * Is there a quoted phrase from here on?  A mark of ASCII opens where no word
 * ends, and closes where none goes on: others are apostrophes.  A phrase that
 * is too long for a subject is none.
 */
static bool
QuotedAt(Span text, int at, Span *phrase, int *end)
{
	for (size_t i = 0; i < lengthof(quotes); i++)
	{
		Span		rest = CutPart(text, at, text.len);
		Span		opens = SpanOfCString(quotes[i].opens);
		Span		closes = SpanOfCString(quotes[i].closes);
		bool		is_ascii = opens.len == 1;

		if (!SpanStartsWith(rest, opens) || (is_ascii && at > 0 && IsWordByte(text.str[at - 1])))
			continue;
		for (int j = opens.len; j < rest.len && j <= opens.len + SUBJECT_MAX_SIZE; j++)
		{
			int			after = j + closes.len;

			if (!SpanStartsWith(CutPart(rest, j, rest.len), closes) ||
				(is_ascii && after < rest.len && IsWordByte(rest.str[after])))
				continue;
			*phrase = SubjectSqueeze(CutPart(rest, opens.len, j));
			*end = at + after;
			return phrase->len > 0;
		}
	}
	return false;
}

/* Letters with dots between them, as in "e.g". */
static bool
IsAbbreviation(Span word)
{
	for (int i = 0; i < word.len; i++)
	{
		if (i % 2 == 0 ? !IsUpper(word.str[i]) && !IsLower(word.str[i]) : word.str[i] != '.')
			return false;
	}
	return true;
}

/* Has it a capital inside, and is it no plural of an acronym? */
static bool
HasInnerCapital(Span word)
{
	bool		has_inner = false;
	bool		has_small = false;

	for (int i = 0; i < word.len; i++)
	{
		if (IsUpper(word.str[i]) && i > 0 && IsAlphanumeric(word.str[i - 1]))
			has_inner = true;
		if (IsLower(word.str[i]) && !(word.str[i] == 's' && i == word.len - 1))
			has_small = true;
	}
	return has_inner && has_small;
}

/* Does a word look like a name in a program?  One with letters outside ASCII does not. */
static bool
LooksLikeIdentifier(Span word)
{
	bool		has_letter = false;
	bool		has_mark = false;

	for (int i = 0; i < word.len; i++)
	{
		char		c = word.str[i];

		if (IS_HIGHBIT_SET(c))
			return false;
		has_letter = has_letter || IsUpper(c) || IsLower(c);
		has_mark = has_mark || c == '_' || c == '.' || c == '/' ||
			(c == ':' && i > 0 && word.str[i - 1] == ':');
	}
	return has_letter && word.len <= SUBJECT_MAX_SIZE &&
		(has_mark ? !IsAbbreviation(word) : HasInnerCapital(word));
}

/* Takes the next name off a text, without the punctuation around it. */
static bool
NextName(Span *text, Span *name)
{
	while (NextRun(text, IsNameByte, name))
	{
		while (name->len > 0 && !IsWordByte(name->str[0]) && name->str[0] != '/' && name->str[0] != '.')
			*name = CutPart(*name, 1, name->len);
		while (name->len > 0 && !IsWordByte(name->str[name->len - 1]) && name->str[name->len - 1] != '/')
			name->len--;
		if (name->len > 0)
			return true;
	}
	return false;
}

/* What a question seeks by name, or empty. */
Span
SubjectOfQuestion(Span question)
{
	static const Span none = {"", 0};
	Only		quoted = {none, false};
	Only		named = {none, false};
	Span		rest = question;
	Span		found;

	for (int at = 0, end; at < question.len; at++)
	{
		if ((at & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (!QuotedAt(question, at, &found, &end))
			continue;
		FindAnother(&quoted, found);
		at = end - 1;
	}
	if (quoted.text.len > 0)
		return quoted.is_ambiguous ? none : quoted.text;
	while (NextName(&rest, &found))
	{
		if (LooksLikeIdentifier(found))
			FindAnother(&named, found);
	}
	return named.is_ambiguous ? none : named.text;
}

/*
 * what is about it
 */

static bool
IsNoSpace(char c)
{
	return !IsSpace(c);
}

/* Makes a subject ready; everything is copied. */
void
SubjectInit(Subject *subject, Span text)
{
	Span		rest = FoldedCopy(text);
	Span		word;

	subject->text = SubjectSqueeze(text);
	subject->nwords = 0;
	subject->words = palloc(sizeof(Span) * (rest.len / 2 + 1));
	while (NextRun(&rest, IsNoSpace, &word))
		subject->words[subject->nwords++] = word;
}

/* Do letters or digits of ASCII meet between these two places of a text? */
static bool
IsInsideWord(Span text, int left, int right)
{
	return left >= 0 && right < text.len &&
		IsAlphanumeric(text.str[left]) && IsAlphanumeric(text.str[right]);
}

static bool
ContainsWord(Span text, Span word)
{
	for (int i = 0; i + word.len <= text.len; i++)
	{
		const char *at = memchr(text.str + i, word.str[0], text.len - word.len + 1 - i);

		if (at == NULL)
			return false;
		i = at - text.str;
		if ((i & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (memcmp(at, word.str, word.len) == 0 && !IsInsideWord(text, i - 1, i) &&
			!IsInsideWord(text, i + word.len - 1, i + word.len))
			return true;
	}
	return false;
}

/* Does a query have every word of the subject, in any order? */
bool
SubjectIsIn(const Subject *subject, Span query)
{
	Span		folded;
	bool		is_in = true;

	if (subject->nwords == 0)
		return true;
	folded = FoldedCopy(query);
	for (int i = 0; i < subject->nwords && is_in; i++)
		is_in = ContainsWord(folded, subject->words[i]);
	pfree(unconstify(char *, folded.str));
	return is_in;
}

static int
CompareNames(const void *a, const void *b)
{
	return SpanCompare(*(const Span *) a, *(const Span *) b);
}

/* A path as it is compared: "./a" is "a". */
Span
PathWithoutDot(Span path)
{
	while (path.len > 2 && path.str[0] == '.' && path.str[1] == '/')
		path = CutPart(path, 2, path.len);
	return path;
}

/* Reads the words of a question, and its subject as one more; everything is copied. */
void
QuestionNamesInit(QuestionNames *names, Span question, Span subject)
{
	Span		rest = FoldedCopy(question);
	Span		name;
	int			capacity = 16;

	names->names = palloc(sizeof(Span) * capacity);
	names->names[0] = FoldedCopy(subject);
	names->count = 1;
	while (NextName(&rest, &name))
	{
		if (names->count == capacity)
		{
			capacity *= 2;
			names->names = repalloc_huge(names->names, sizeof(Span) * (Size) capacity);
		}
		names->names[names->count++] = PathWithoutDot(name);
	}
	qsort(names->names, names->count, sizeof(Span), CompareNames);
}

/* Does the question name this path, or the end of it from a slash on? */
bool
QuestionNamesPath(const QuestionNames *names, Span path)
{
	Span		folded = FoldedCopy(PathWithoutDot(path));
	bool		is_named = false;

	for (int i = 0; i < folded.len && !is_named; i++)
	{
		Span		end = CutPart(folded, i, folded.len);

		if ((i & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (i == 0 || folded.str[i - 1] == '/')
			is_named = bsearch(&end, names->names, names->count, sizeof(Span), CompareNames) != NULL;
	}
	pfree(unconstify(char *, folded.str));
	return is_named;
}
