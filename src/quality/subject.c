/*-------------------------------------------------------------------------
 *
 * subject.c
 *		Finds the subject of a question, and decides what is about it.
 *
 * Pure.  Rule: doc/spec/quality.md §3.  A search for "evidence" is not a search for "evidence
 * gating", and a file that no search found is not about the subject, whatever a tool says of its
 * own result.
 *
 * The subject of a question is its only quoted phrase; without a quoted phrase, its only word
 * that looks like a name in a program; otherwise its items, without those that only name the kind
 * of thing that is sought (rows of question_form).  If there are two phrases, or two names, the
 * items are used.
 *
 * A phrase or a name must be found with all of its words.  Of items most are enough, because a
 * question in plain English has more words than a search: all but one, and at least two.  A word
 * of the target may supply the missing ones.
 *
 * Receipts of quality/1 and quality/2 split words at white space and compare them as text, in
 * lower case for ASCII.  This is kept, in order to replay them.
 *
 * Promises: pure; never raises an error, whatever a text contains.  Linear time in each text,
 * times at most SUBJECT_MAX_SIZE.  The reading of a text is freed after use.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/grow.h"
#include "quality/subject.h"
#include "reading/text.h"

/* A word of at least so many characters matches an item if one is the beginning of the other. */
#define BEGINNING_CHARACTERS	4

/*
 * characters
 */

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

/* Is it a byte of a word, in any script? */
static bool
IsWordByte(char c)
{
	return IsAlphanumeric(c) || c == '_' || IS_HIGHBIT_SET(c);
}

/* Can it be between words in a name, of a file or in a program? */
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

/* Returns a copy without white space at its ends, and with one space for any white space inside. */
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
		if (IsAsciiSpace(text.str[i]))
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

/* Takes the next run of such bytes off a text; false at its end. */
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

/* The result of a search, unless two different ones are found. */
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

/* Quotation marks; those of ASCII are the same at both ends. */
static const struct
{
	const char *opens;
	const char *closes;
}			quotes[] = {
	{"\"", "\""}, {"'", "'"}, {"`", "`"},
	{"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x98", "\xE2\x80\x99"}, {"\xC2\xAB", "\xC2\xBB"}
};

/*
 * Is there a quoted phrase from here on?  An ASCII mark opens only if no word ends
 * there, and closes only if no word continues; otherwise it is an apostrophe.  A
 * phrase that is too long for a subject does not count.
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

/* Returns the length of the separator of names that is here, or 0. There may be several underscores. */
static int
SeparatorAt(Span text, int at)
{
	int			len = 0;

	if (text.str[at] == '-' || text.str[at] == '.' || text.str[at] == '/')
		return 1;
	if (text.str[at] == ':')
		return at + 1 < text.len && text.str[at + 1] == ':' ? 2 : 0;
	while (at + len < text.len && text.str[at + len] == '_')
		len++;
	return len;
}

/* Are there letters or digits, at least two, on both sides of the bytes between these positions? */
static bool
IsBetweenParts(Span text, int left, int right)
{
	return left >= 2 && right + 2 <= text.len &&
		IsAlphanumeric(text.str[left - 1]) && IsAlphanumeric(text.str[left - 2]) &&
		IsAlphanumeric(text.str[right]) && IsAlphanumeric(text.str[right + 1]);
}

/* Does a capital inside a run of letters and digits separate words? */
static bool
HasInnerCapital(Span word)
{
	Span		run;

	while (NextRun(&word, IsAlphanumeric, &run))
	{
		Span		parts[SUBJECT_MAX_SIZE / 2 + 1];

		if (TokenParts(run, parts) > 1)
			return true;
	}
	return false;
}

/* Does a word look like a name in a program? Never with letters outside ASCII. */
static bool
LooksLikeIdentifier(Span word)
{
	bool		has_letter = false;
	bool		has_separator = false;

	if (word.len > SUBJECT_MAX_SIZE)
		return false;
	for (int i = 0; i < word.len; i++)
	{
		char		c = word.str[i];
		int			len = SeparatorAt(word, i);

		if (IS_HIGHBIT_SET(c))
			return false;
		has_letter = has_letter || IsUpper(c) || IsLower(c);
		if (len == 0)
			continue;
		has_separator = has_separator || IsBetweenParts(word, i, i + len);
		i += len - 1;
	}
	return has_letter && (has_separator || HasInnerCapital(word));
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

/* Returns the only quoted phrase of a question, or its only name; empty if there is none, or more than one. */
static Span
NamedByQuestion(Span question)
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

/* Returns the items of a question that say what is sought, in order, as many as a subject can hold. */
static QuestionSubject
ItemsOfQuestion(const DecisionRules *rules, const QuestionForm *form, Span question)
{
	Reading    *reading = ReadQuestion(ReaderBegin(rules), question);
	Span	   *items = palloc_extended(sizeof(Span) * (Size) Max(reading->items.count, 1), MCXT_ALLOC_HUGE);
	char	   *text = palloc(SUBJECT_MAX_SIZE);
	int			len = 0;
	int			count = 0;
	int			kept = 0;

	for (int i = 0; i < reading->items.count; i++)
	{
		Span		item = ReaderItem(reading->reader, reading->items.items[i]).text;

		CHECK_FOR_INTERRUPTS();
		if (item.len <= SUBJECT_MAX_SIZE &&
			bsearch(&item, form->stems, form->count, sizeof(Span), SpanOrderItems) == NULL)
			items[count++] = item;
	}
	qsort(items, count, sizeof(Span), SpanOrderItems);
	for (int i = 0; i < count; i++)
	{
		int			gap = kept > 0;

		if (len + gap + items[i].len > SUBJECT_MAX_SIZE)
			continue;
		if (gap)
			text[len++] = ' ';
		memcpy(text + len, items[i].str, items[i].len);
		items[kept++] = SpanOf(text + len, items[i].len);
		len += items[i].len;
	}
	return (QuestionSubject) {SpanOf(text, len), kept, items};
}

/* Returns the subject of a question, in the current context. */
QuestionSubject
SubjectOfQuestion(const DecisionRules *reading, const QuestionForm *form, Span question)
{
	Span		named = NamedByQuestion(question);

	if (named.len > 0)
		return (QuestionSubject) {named, 0, NULL};
	return ItemsOfQuestion(reading, form, question);
}

/* what is about a subject */

static bool
IsNoSpace(char c)
{
	return !IsAsciiSpace(c);
}

/* Returns the folded words of a text: its tokens, or the parts of tokens that have parts. */
static Span *
FoldedWords(Span text, int *count)
{
	int			capacity = 16;
	Span	   *words = palloc(sizeof(Span) * capacity);
	Words		read;

	text = TextWithoutFormat(text);
	WordsRead(LexiconCreate(NULL), text, &read);
	*count = 0;
	for (int i = 0; i < read.ntokens; i++)
	{
		Span		token = CutPart(text, read.tokens[i].begin, read.tokens[i].end);
		Span	   *parts = palloc_extended(sizeof(Span) * TOKEN_MOST_PARTS(token), MCXT_ALLOC_HUGE);
		int			nparts = TokenParts(token, parts);

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < nparts; k++)
		{
			GROW_ARRAY(words, *count, capacity, 16);
			words[(*count)++] = FoldedAsWritten(parts[k]);
		}
		pfree(parts);
	}
	return words;
}

/* Splits a text at white space. */
static void
SplitWritten(Subject *subject, Span text)
{
	Span		rest = FoldedCopy(text);
	Span		word;

	subject->words = palloc(sizeof(Span) * (rest.len / 2 + 1));
	while (NextRun(&rest, IsNoSpace, &word))
		subject->words[subject->nwords++] = word;
	subject->kind = subject->nwords > 0 ? SUBJECT_WRITTEN : SUBJECT_NONE;
}

/*
 * Initializes a subject; everything is copied.  It is made of items if these are
 * what the question gives; never without rules of reading.  A subject without words
 * is searched as it is written.
 */
void
SubjectInit(Subject *subject, Span text, Span question, const DecisionRules *reading, const QuestionForm *form,
			int rules)
{
	memset(subject, 0, sizeof(Subject));
	subject->text = SubjectSqueeze(text);
	subject->reading = reading;
	if (subject->text.len > 0 && rules > FIRST_SUBJECT_RULES)
	{
		QuestionSubject asked = {0};

		if (reading)
			asked = SubjectOfQuestion(reading, form, question);
		if (asked.items && SpanEqual(asked.text, subject->text))
		{
			subject->kind = SUBJECT_ITEMS;
			subject->nwords = asked.nitems;
			subject->words = asked.items;
			return;
		}
		subject->kind = SUBJECT_WORDS;
		subject->words = FoldedWords(subject->text, &subject->nwords);
	}
	if (subject->nwords == 0)
		SplitWritten(subject, text);
}

/* Are the bytes at two positions both ASCII letters or digits? */
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

/* Is each word in the query, as a text? */
static bool
IsWrittenIn(const Subject *subject, Span query)
{
	Span		folded = FoldedCopy(query);

	for (int i = 0; i < subject->nwords; i++)
	{
		if (!ContainsWord(folded, subject->words[i]))
			return false;
	}
	return true;
}

static bool
HasWord(const Span *words, int count, Span wanted)
{
	for (int i = 0; i < count; i++)
	{
		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (SpanEqual(words[i], wanted))
			return true;
	}
	return false;
}

static bool
AreWordsIn(const Subject *subject, Span query)
{
	int			count;
	Span	   *words = FoldedWords(query, &count);

	for (int i = 0; i < subject->nwords; i++)
	{
		if (!HasWord(words, count, subject->words[i]))
			return false;
	}
	return true;
}

/* Does a word have enough characters? */
static bool
IsLongEnough(Span word)
{
	int			characters = 0;

	for (int i = 0; i < word.len && characters < BEGINNING_CHARACTERS; i++)
		characters += ((unsigned char) word.str[i] & 0xC0) != 0x80;
	return characters >= BEGINNING_CHARACTERS;
}

/* A text in which items are searched. */
typedef struct SoughtText
{
	Reading    *reading;
	int			nwords;
	Span	   *words;
} SoughtText;

static SoughtText
ReadSought(const DecisionRules *rules, Span text)
{
	SoughtText	sought = {.reading = ReadText(ReaderBegin(rules), text)};

	sought.words = FoldedWords(text, &sought.nwords);
	return sought;
}

/* Does a text have an item: its stem, or a word of which one is the beginning of the other? */
static bool
TextCounts(const SoughtText *text, Span item)
{
	const Reading *reading = text->reading;

	for (int i = 0; i < reading->all.count; i++)
	{
		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (SpanEqual(ReaderItem(reading->reader, reading->all.items[i]).text, item))
			return true;
	}
	for (int i = 0; i < text->nwords; i++)
	{
		Span		word = text->words[i];

		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if ((SpanStartsWith(item, word) || SpanStartsWith(word, item)) && IsLongEnough(word))
			return true;
	}
	return false;
}

/* Are all items but one in query and target, at least two if there are so many, and two in the query? */
static bool
AreItemsIn(const Subject *subject, Span query, Span target)
{
	SoughtText	in_query = ReadSought(subject->reading, query);
	SoughtText	in_target = ReadSought(subject->reading, target);
	int			least = Min(subject->nwords, 2);
	int			of_query = 0;
	int			of_both = 0;

	for (int i = 0; i < subject->nwords; i++)
	{
		bool		is_queried = TextCounts(&in_query, subject->words[i]);

		of_query += is_queried;
		of_both += is_queried || TextCounts(&in_target, subject->words[i]);
	}
	return of_query >= least && of_both >= Max(least, subject->nwords - 1);
}

/* Does the query of a search that found the target name the subject? */
bool
SubjectIsIn(const Subject *subject, Span query, Span target)
{
	MemoryContext reading;
	MemoryContext caller;
	bool		is_in;

	if (subject->kind == SUBJECT_NONE)
		return true;
	reading = AllocSetContextCreate(CurrentMemoryContext, "answer_eval subject", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(reading);
	if (subject->kind == SUBJECT_ITEMS)
		is_in = AreItemsIn(subject, query, target);
	else if (subject->kind == SUBJECT_WORDS)
		is_in = AreWordsIn(subject, query);
	else
		is_in = IsWrittenIn(subject, query);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(reading);
	return is_in;
}

/* Returns a path for comparison: "./a" is "a". */
Span
PathWithoutDot(Span path)
{
	while (path.len > 2 && path.str[0] == '.' && path.str[1] == '/')
		path = CutPart(path, 2, path.len);
	return path;
}

/* Collects the words of a question, and its subject as one more; everything is copied. */
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
		GROW_ARRAY(names->names, names->count, capacity, 16);
		names->names[names->count++] = PathWithoutDot(name);
	}
	qsort(names->names, names->count, sizeof(Span), SpanCompareItems);
}

/* Does the question name this path, or the end of it after a slash? */
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
			is_named = bsearch(&end, names->names, names->count, sizeof(Span), SpanCompareItems) != NULL;
	}
	pfree(unconstify(char *, folded.str));
	return is_named;
}
