/*-------------------------------------------------------------------------
 *
 * pattern.c
 *		The pattern of a route.
 *
 * Rule: doc/spec/route.md §2 and §3.
 *
 * Pure.  A pattern is:
 *
 *		pattern      = sequence *( "|" sequence )
 *		sequence     = item *( white-space item )
 *		item         = word / slot / "[" pattern "]" / "(" pattern ")"
 *		slot         = "{" name [ ":" type ] "}"
 *
 * "[" "]" enclose an optional part, "(" ")" a choice.  A backslash makes the
 * next character an ordinary one.  A slot takes one word; with the type
 * "words" one or more words; with "text" one quoted text; with "list" the
 * words of one of the values that its route lists under the slot's name.
 *
 * A pattern is stored as its elements, which are words and slots in the order
 * in which they are written, with the sets of elements that can come first,
 * last and after each one (Glushkov's automaton: each state is an element, and
 * there are no empty transitions).  Matching a question follows the set of
 * elements that the words so far can have ended at.  Each word costs at most
 * elements * elements / 64 steps, with at most 256 elements, and matching
 * never backtracks.
 *
 * If a question can be read in two ways, each word belongs to the leftmost
 * element that lets the rest match, and a list takes its longest value.
 * Patterns for which such a question exists are not registered.
 * PatternAmbiguity decides this exactly, by following the pairs of elements
 * that the same text can have ended at.
 *
 * Promises: pure; never raises an error because of a pattern or a question.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/grow.h"
#include "base/search.h"
#include "route/pattern.h"

/* Limits on the search for an ambiguity. */
#define AMBIGUITY_MAX_PAIRS		500000
#define AMBIGUITY_MAX_STEPS		50000000
#define AMBIGUITY_MAX_ENTRIES	5000000
#define TOO_LARGE				"is too large to be proved unambiguous"

const char *const slot_type_names[] = {
	"word", "words", "text", "number", "integer", "amount", "count", "semver",
	"date", "instant", "boolean", "list", NULL
};

static const uint16 slot_kinds[] = {
	KIND_WORD, KIND_WORD, KIND_TEXT, KIND_NUMBER, KIND_INTEGER, KIND_AMOUNT,
	KIND_COUNT, KIND_SEMVER, KIND_DATE, KIND_INSTANT, KIND_BOOLEAN, 0
};

/*
 * sets of elements
 */

static inline void
BitsAdd(Bits *bits, int element)
{
	bits->w[element / 64] |= UINT64CONST(1) << (element % 64);
}

static inline bool
BitsHas(const Bits *bits, int element)
{
	return (bits->w[element / 64] >> (element % 64)) & 1;
}

static inline void
BitsJoin(Bits *bits, const Bits *more)
{
	for (int i = 0; i < BITS_WORDS; i++)
		bits->w[i] |= more->w[i];
}

/* Returns the next element in the set; -1 if there is none. */
int
BitsNext(const Bits *bits, int after)
{
	int			from = after + 1;

	for (int i = from / 64; i < BITS_WORDS; i++)
	{
		uint64		w = bits->w[i];

		if (i == from / 64)
			w &= ~UINT64CONST(0) << (from % 64);
		if (w != 0)
			return i * 64 + pg_rightmost_one_pos64(w);
	}
	return -1;
}

static inline bool
BitsMeet(const uint64 *a, const uint64 *b, int nwords)
{
	for (int i = 0; i < nwords; i++)
	{
		if (a[i] & b[i])
			return true;
	}
	return false;
}

/*
 * parsing
 */

typedef struct Parser
{
	const char *begin;
	const char *cur;
	const char *end;
	int			depth;
	Element		elements[PATTERN_MAX_ELEMENTS];
	int			nelements;
	Bits		follow[PATTERN_MAX_ELEMENTS];
	Slot		slots[PATTERN_MAX_SLOTS];
	int			nslots;
	const char *problem;
} Parser;

/* A part of a pattern, and the elements that it can begin and end with. */
typedef struct Fragment
{
	bool		nullable;
	Bits		first;
	Bits		last;
	uint32		may;			/* slots that it may fill */
	uint32		always;			/* slots that it always fills */
} Fragment;

static bool ParseAlternatives(Parser *parser, Fragment *fragment);

static bool
FailParse(Parser *parser, const char *problem)
{
	parser->problem = psprintf("%s at byte %d", problem, (int) (parser->cur - parser->begin) + 1);
	return false;
}

static bool
IsSpecial(char c)
{
	return c != '\0' && strchr("[]()|{}\\", c) != NULL;
}

static int
CharacterLength(const Parser *parser)
{
	return Min(pg_utf_mblen((const unsigned char *) parser->cur), (int) (parser->end - parser->cur));
}

static int
SpaceLength(const Parser *parser)
{
	int			len;

	if (parser->cur >= parser->end)
		return 0;
	len = CharacterLength(parser);
	return IsWhiteSpace(len == 1 ? (unsigned char) *parser->cur :
						utf8_to_unicode((const unsigned char *) parser->cur)) ? len : 0;
}

static void
SkipWhiteSpace(Parser *parser)
{
	int			len;

	while ((len = SpaceLength(parser)) > 0)
		parser->cur += len;
}

static bool
AddElement(Parser *parser, Element element, bool repeats, Fragment *fragment)
{
	int			n = parser->nelements;

	if (n == PATTERN_MAX_ELEMENTS)
		return FailParse(parser, "has more than 256 words and slots");
	parser->nelements++;
	element.end = parser->cur - parser->begin;
	parser->elements[n] = element;
	memset(&parser->follow[n], 0, sizeof(Bits));
	if (repeats)
		BitsAdd(&parser->follow[n], n);
	memset(fragment, 0, sizeof(*fragment));
	BitsAdd(&fragment->first, n);
	BitsAdd(&fragment->last, n);
	if (element.slot >= 0)
		fragment->may = fragment->always = UINT64CONST(1) << element.slot;
	return true;
}

static bool
ParseLiteral(Parser *parser, Fragment *fragment)
{
	const char *begin = parser->cur;
	Element		element = {.slot = -1, .begin = begin - parser->begin};
	StringInfoData text;
	Question	question;

	initStringInfo(&text);
	while (parser->cur < parser->end && SpaceLength(parser) == 0)
	{
		int			len;

		if (*parser->cur == '\\' && parser->cur + 1 < parser->end && IsSpecial(parser->cur[1]))
			parser->cur++;
		else if (IsSpecial(*parser->cur))
			break;
		/* whole characters, because a byte inside one can look like white space */
		len = CharacterLength(parser);
		appendBinaryStringInfo(&text, parser->cur, len);
		parser->cur += len;
	}
	if (text.len == 0)
		return FailParse(parser, parser->cur < parser->end && *parser->cur == '\\' ?
						 "has a backslash before an ordinary character" : "has nothing where a word is wanted");
	QuestionRead((Span) {text.data, text.len}, &question);
	parser->cur = question.nwords == 1 && question.words[0].text.len == text.len ? parser->cur : begin;
	if (question.nwords != 1 || question.words[0].text.len != text.len)
		return FailParse(parser, "has final punctuation or a quoted text, which no word keeps,");
	if (question.words[0].defect)
		return FailParse(parser, psprintf("has a word that %s", question.words[0].defect));
	element.folded.str = pnstrdup(question.words[0].folded.str, question.words[0].folded.len);
	element.folded.len = question.words[0].folded.len;
	element.word_kinds = question.words[0].kinds;
	QuestionFree(&question);
	pfree(text.data);
	return AddElement(parser, element, false, fragment);
}

static bool
IsNameCharacter(char c, bool first)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(!first && c >= '0' && c <= '9');
}

static Span
ParseName(Parser *parser)
{
	Span		name = {parser->cur, 0};

	while (parser->cur < parser->end && IsNameCharacter(*parser->cur, name.len == 0))
	{
		parser->cur++;
		name.len++;
	}
	return name;
}

static bool
ParseType(Parser *parser, SlotType *type)
{
	Span		name;

	*type = SLOT_WORD;
	if (parser->cur >= parser->end || *parser->cur != ':')
		return true;
	parser->cur++;
	name = ParseName(parser);
	for (int i = 0; slot_type_names[i]; i++)
	{
		if ((size_t) name.len == strlen(slot_type_names[i]) &&
			memcmp(name.str, slot_type_names[i], name.len) == 0)
		{
			*type = i;
			return true;
		}
	}
	parser->cur = name.str;
	return FailParse(parser, "has a slot of an unknown type");
}

/* Reads a slot, after its opening brace. */
static bool
ParseSlot(Parser *parser, Fragment *fragment)
{
	Element		element = {.begin = parser->cur - 1 - parser->begin};
	Span		name = ParseName(parser);
	SlotType	type;
	int			slot;

	if (name.len == 0 || name.len > 63)
		return FailParse(parser, "has a slot without a name of letters, digits and _");
	if (!ParseType(parser, &type))
		return false;
	if (parser->cur >= parser->end || *parser->cur != '}')
		return FailParse(parser, "has a slot that is not closed");
	parser->cur++;
	for (slot = 0; slot < parser->nslots; slot++)
	{
		if (parser->slots[slot].name.len == name.len &&
			memcmp(parser->slots[slot].name.str, name.str, name.len) == 0)
			break;
	}
	if (slot == PATTERN_MAX_SLOTS)
		return FailParse(parser, "has more than 16 slots");
	if (slot == parser->nslots)
	{
		memset(&parser->slots[slot], 0, sizeof(Slot));
		parser->slots[slot].name = name;
		parser->slots[slot].type = type;
		parser->nslots++;
	}
	else if (parser->slots[slot].type != type)
		return FailParse(parser, "has a slot of two types");
	element.slot = slot;
	element.literal = -1;
	element.kinds = slot_kinds[type];
	return AddElement(parser, element, type == SLOT_WORDS, fragment);
}

static bool
ParseItem(Parser *parser, Fragment *fragment)
{
	char		open = *parser->cur;
	char		close = open == '[' ? ']' : ')';

	if (open == '{')
	{
		parser->cur++;
		return ParseSlot(parser, fragment);
	}
	if (open != '[' && open != '(')
		return ParseLiteral(parser, fragment);
	if (parser->depth == PATTERN_MAX_DEPTH)
		return FailParse(parser, "is nested more than 16 levels deep");
	parser->depth++;
	parser->cur++;
	if (!ParseAlternatives(parser, fragment))
		return false;
	if (parser->cur >= parser->end || *parser->cur != close)
		return FailParse(parser, open == '[' ? "lacks a ]" : "lacks a )");
	parser->cur++;
	parser->depth--;
	if (open == '[')
	{
		fragment->nullable = true;
		fragment->always = 0;
	}
	return true;
}

/* Appends one part to another. */
static bool
AppendFragment(Parser *parser, Fragment *fragment, const Fragment *next)
{
	if (fragment->may & next->may)
		return FailParse(parser, "can fill a slot twice");
	for (int e = BitsNext(&fragment->last, -1); e >= 0; e = BitsNext(&fragment->last, e))
		BitsJoin(&parser->follow[e], &next->first);
	if (fragment->nullable)
		BitsJoin(&fragment->first, &next->first);
	if (next->nullable)
		BitsJoin(&fragment->last, &next->last);
	else
		fragment->last = next->last;
	fragment->nullable = fragment->nullable && next->nullable;
	fragment->may |= next->may;
	fragment->always |= next->always;
	return true;
}

static bool
EndsSequence(const Parser *parser)
{
	return parser->cur >= parser->end || strchr("])|", *parser->cur) != NULL;
}

static bool
ParseSequence(Parser *parser, Fragment *fragment)
{
	Fragment	next;

	SkipWhiteSpace(parser);
	if (EndsSequence(parser))
		return FailParse(parser, "has nothing where a word is wanted");
	if (!ParseItem(parser, fragment))
		return false;
	for (;;)
	{
		bool		apart = SpaceLength(parser) > 0;

		SkipWhiteSpace(parser);
		if (EndsSequence(parser))
			return true;
		if (!apart)
			return FailParse(parser, "has a slot or a bracket that no white space sets apart");
		if (!ParseItem(parser, &next) || !AppendFragment(parser, fragment, &next))
			return false;
	}
}

static bool
ParseAlternatives(Parser *parser, Fragment *fragment)
{
	Fragment	next;

	if (!ParseSequence(parser, fragment))
		return false;
	while (parser->cur < parser->end && *parser->cur == '|')
	{
		parser->cur++;
		if (!ParseSequence(parser, &next))
			return false;
		BitsJoin(&fragment->first, &next.first);
		BitsJoin(&fragment->last, &next.last);
		fragment->nullable = fragment->nullable || next.nullable;
		fragment->may |= next.may;
		fragment->always &= next.always;
	}
	return true;
}

/* Copies what was parsed into memory of the exact size. */
static void
PackPattern(const Parser *parser, const Fragment *whole, Pattern *pattern)
{
	int			n = parser->nelements;

	pattern->nelements = n;
	pattern->elements = palloc(sizeof(Element) * n);
	memcpy(pattern->elements, parser->elements, sizeof(Element) * n);
	pattern->nwords = (n + 63) / 64;
	pattern->first = whole->first;
	pattern->last = whole->last;
	pattern->follow = palloc(sizeof(uint64) * n * pattern->nwords);
	for (int i = 0; i < n; i++)
		memcpy(pattern->follow + (size_t) i * pattern->nwords, parser->follow[i].w,
			   sizeof(uint64) * pattern->nwords);
	pattern->nslots = parser->nslots;
	pattern->slots = palloc(sizeof(Slot) * Max(parser->nslots, 1));
	memcpy(pattern->slots, parser->slots, sizeof(Slot) * parser->nslots);
	pattern->always = whole->always;
	for (int i = 0; i < parser->nslots; i++)
		pattern->has_list = pattern->has_list || parser->slots[i].type == SLOT_LIST;
}

/*
 * Parses a pattern, whose text must outlive it.  Returns NULL, or what is wrong, in
 * ASCII.
 */
const char *
PatternParse(Span text, Pattern *pattern)
{
	Parser	   *parser;
	Fragment	whole;
	const char *problem;

	memset(pattern, 0, sizeof(*pattern));
	pattern->text = text;
	if (text.len > PATTERN_MAX_LENGTH)
		return "is longer than 4000 bytes";
	parser = palloc(sizeof(Parser));
	parser->begin = parser->cur = text.str;
	parser->end = text.str + text.len;
	parser->depth = parser->nelements = parser->nslots = 0;
	parser->problem = NULL;
	if (ParseAlternatives(parser, &whole))
	{
		if (parser->cur < parser->end)
			FailParse(parser, "has a bracket that closes nothing");
		else if (whole.nullable)
			parser->problem = "matches a question without words";
		else
			PackPattern(parser, &whole, pattern);
	}
	problem = parser->problem;
	pfree(parser);
	return problem;
}

/*
 * lists of values
 */

/* Returns why words cannot be a value, or NULL. */
static const char *
PhraseProblem(const Question *question)
{
	if (question->nsentences != 1 || question->sentences[0].mark != MARK_NONE)
		return "is not words without final punctuation";
	if (question->nwords > LIST_MAX_WORDS)
		return "has more than 8 words";
	for (int i = 0; i < question->nwords; i++)
	{
		if (question->words[i].quoted)
			return "has a quoted text";
		if (question->words[i].defect)
			return question->words[i].defect;
	}
	return NULL;
}

/* Reads one value.  There may be many, so only what matching needs is kept. */
static const char *
PhraseInit(Phrase *phrase, const JsonView *value)
{
	Question	question;
	const char *problem;

	if (value->type != JVIEW_STRING || value->len == 0)
		return "is no text";
	if (value->len > LIST_MAX_LENGTH)
		return "is longer than 1000 bytes";
	phrase->value = (Span) {value->str, value->len};
	phrase->plural = false;
	QuestionRead(phrase->value, &question);
	problem = PhraseProblem(&question);
	if (problem == NULL)
	{
		const Word *last = &question.words[question.nwords - 1];
		int			len = last->folded.str + last->folded.len - question.words[0].folded.str;

		phrase->nwords = question.nwords;
		phrase->folded = (Span) {pnstrdup(question.words[0].folded.str, len), len};
	}
	QuestionFree(&question);
	return problem;
}

/*
 * Returns the length of a letter that forms its plural with s: ASCII, and U+00C0 to
 * U+024F without the two signs among them.
 */
static int
LatinLetterLength(const char *p, const char *end)
{
	unsigned char c = (unsigned char) p[0];
	unsigned char next;

	if (c >= 'a' && c <= 'z')
		return 1;
	if (c < 0xC3 || c > 0xC9 || end - p < 2)
		return 0;
	next = (unsigned char) p[1];
	if ((c == 0xC3 && (next == 0x97 || next == 0xB7)) || (c == 0xC9 && next > 0x8F))
		return 0;
	return 2;
}

/*
 * Returns the start of a value's last word, if that has at least two letters and
 * nothing else; NULL otherwise.
 */
static const char *
LettersAtEnd(Span folded)
{
	const char *end = folded.str + folded.len;
	const char *begin = end;
	int			count = 0;

	while (begin > folded.str && begin[-1] != ' ')
		begin--;
	for (const char *p = begin; p < end; count++)
	{
		int			len = LatinLetterLength(p, end);

		if (len == 0)
			return NULL;
		p += len;
	}
	return count >= 2 ? begin : NULL;
}

static bool
EndsWithOneOf(Span word, const char *const *endings)
{
	for (int i = 0; endings[i]; i++)
	{
		int			len = strlen(endings[i]);

		if (word.len >= len && memcmp(word.str + word.len - len, endings[i], len) == 0)
			return true;
	}
	return false;
}

/*
 * Returns the plural of a value, formed from its last word: "es" after s, x, z, ch and
 * sh, "ies" instead of a y after a consonant, else "s".  Empty if the last word does
 * not consist of letters.
 */
static Span
PluralOf(Span folded)
{
	static const char *const hissing[] = {"s", "x", "z", "ch", "sh", NULL};
	static const char *const vowel_y[] = {"ay", "ey", "iy", "oy", "uy", NULL};
	static const char *const y[] = {"y", NULL};
	const char *last = LettersAtEnd(folded);
	Span		word;
	char	   *plural;

	if (last == NULL)
		return (Span) {"", 0};
	word = (Span) {last, folded.len - (int) (last - folded.str)};
	if (EndsWithOneOf(word, hissing))
		plural = psprintf("%.*ses", folded.len, folded.str);
	else if (EndsWithOneOf(word, y) && !EndsWithOneOf(word, vowel_y))
		plural = psprintf("%.*sies", folded.len - 1, folded.str);
	else
		plural = psprintf("%.*ss", folded.len, folded.str);
	return (Span) {plural, strlen(plural)};
}

/*
 * Adds the plurals of values, except those that equal another value, or are the plural of
 * two values.
 */
static void
AddPlurals(PhraseList *list)
{
	int			nvalues = list->count;
	Phrase	   *plurals = palloc(sizeof(Phrase) * nvalues);
	int			count = 0;

	for (int i = 0; i < nvalues; i++)
	{
		Phrase		plural = list->phrases[i];

		CHECK_FOR_INTERRUPTS();
		plural.folded = PluralOf(plural.folded);
		plural.plural = true;
		if (plural.folded.len > 0 &&
			bsearch(&plural, list->phrases, nvalues, sizeof(Phrase), SpanCompareItems) == NULL)
			plurals[count++] = plural;
	}
	qsort(plurals, count, sizeof(Phrase), SpanCompareItems);
	for (int i = 0; i < count; i++)
	{
		if ((i > 0 && SpanCompareItems(&plurals[i - 1], &plurals[i]) == 0) ||
			(i + 1 < count && SpanCompareItems(&plurals[i], &plurals[i + 1]) == 0))
			continue;
		list->phrases[list->count++] = plurals[i];
	}
	qsort(list->phrases, list->count, sizeof(Phrase), SpanCompareItems);
	pfree(plurals);
}

/*
 * Reads an array of values, which must outlive the list, and their plurals if asked.
 * Returns NULL, or what is wrong.
 */
const char *
PhraseListInit(PhraseList *list, const JsonView *values, Span name, bool with_plurals)
{
	memset(list, 0, sizeof(*list));
	if (values->type != JVIEW_ARRAY || JsonViewCount(values) == 0)
		return psprintf("has no values for the list \"%.*s\"", name.len, name.str);
	if (JsonViewCount(values) > LIST_MAX_VALUES)
		return psprintf("has more than %d values in the list \"%.*s\"", LIST_MAX_VALUES,
						name.len, name.str);
	list->phrases = palloc(sizeof(Phrase) * JsonViewCount(values) * (with_plurals ? 2 : 1));
	for (int i = 0; i < JsonViewCount(values); i++)
	{
		JsonView	value = JsonViewAt(values, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = PhraseInit(&list->phrases[i], &value);
		if (problem)
			return psprintf("has a list \"%.*s\" whose value %d %s", name.len, name.str,
							i + 1, problem);
		list->count++;
		list->max_words = Max(list->max_words, list->phrases[i].nwords);
	}
	qsort(list->phrases, list->count, sizeof(Phrase), SpanCompareItems);
	for (int i = 1; i < list->count; i++)
	{
		if (SpanCompareItems(&list->phrases[i - 1], &list->phrases[i]) == 0)
			return psprintf("has a list \"%.*s\" with two values that read alike", name.len,
							name.str);
	}
	if (with_plurals)
		AddPlurals(list);
	return NULL;
}

/* Returns the value made of the next "count" words, or NULL. */
static const Phrase *
PhraseAt(const PhraseList *list, const Word *words, int count)
{
	const Span *last = &words[count - 1].folded;
	Span		folded = SpanOf(words[0].folded.str, last->str + last->len - words[0].folded.str);

	return bsearch(&folded, list->phrases, list->count, sizeof(Phrase), SpanCompareItems);
}

/* Returns how many of the next words can belong to a value at all. */
static int
PhraseReach(const PhraseList *list, const Word *words, int nwords)
{
	int			reach = 0;

	while (reach < nwords && reach < list->max_words &&
		   !words[reach].quoted && words[reach].defect == NULL)
		reach++;
	return reach;
}

/* Returns which values begin with this word: bit n - 1 stands for a value of n words. */
uint32
PhrasesAt(const PhraseList *list, const Word *words, int nwords)
{
	int			most = PhraseReach(list, words, nwords);
	uint32		lengths = 0;

	for (int n = 1; n <= most; n++)
	{
		if (PhraseAt(list, words, n))
			lengths |= 1U << (n - 1);
	}
	return lengths;
}

/*
 * matching
 */

static inline bool
AcceptsWord(const Element *element, const Word *word)
{
	return element->slot < 0 ? element->literal == word->literal && word->literal >= 0 :
		(element->kinds & word->kinds) != 0;
}

/* Gives all elements that can follow those in a set. */
static void
FollowOf(const Pattern *pattern, const Bits *done, Bits *next)
{
	memset(next, 0, sizeof(*next));
	for (int e = BitsNext(done, -1); e >= 0; e = BitsNext(done, e))
	{
		const uint64 *follow = pattern->follow + (size_t) e * pattern->nwords;

		for (int i = 0; i < pattern->nwords; i++)
			next->w[i] |= follow[i];
	}
}

/*
 * Does PatternMatches for most patterns: those of up to 64 elements, each of which
 * reads one word.
 */
static bool
NarrowMatches(const Pattern *pattern, const Word *words, int nwords, Stop *stop)
{
	uint64		next = pattern->first.w[0];
	uint64		done = 0;

	for (int at = 0; at < nwords; at++)
	{
		if ((at & 0xFFF) == 0xFFF)
			CHECK_FOR_INTERRUPTS();
		done = 0;
		for (uint64 left = next; left != 0; left &= left - 1)
		{
			if (AcceptsWord(&pattern->elements[pg_rightmost_one_pos64(left)], &words[at]))
				done |= left & -left;
		}
		if (done == 0)
		{
			stop->word = at;
			break;
		}
		next = 0;
		for (uint64 left = done; left != 0; left &= left - 1)
			next |= pattern->follow[pg_rightmost_one_pos64(left)];
		stop->word = at + 1;
	}
	if (done & pattern->last.w[0])
		return true;
	memset(&stop->expected, 0, sizeof(stop->expected));
	stop->expected.w[0] = next;
	return false;
}

/*
 * Does a sentence match? If not, "stop" says at which word, counted from 0, and what
 * could have come there.
 */
bool
PatternMatches(const Pattern *pattern, const Word *words, int nwords, Stop *stop)
{
	/* indexed by the number of words read, as far ahead as one value of a list goes */
	Bits		done[LIST_MAX_WORDS + 1];
	int			reach = 0;		/* the most words that any element has read */

	if (pattern->nwords == 1 && !pattern->has_list)
		return NarrowMatches(pattern, words, nwords, stop);
	memset(done, 0, sizeof(done));
	for (int at = 0; at <= nwords; at++)
	{
		Bits	   *here = &done[at % (LIST_MAX_WORDS + 1)];
		Bits		next;

		if ((at & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (at == nwords && BitsMeet(here->w, pattern->last.w, pattern->nwords))
			return true;
		if (at == 0)
			next = pattern->first;
		else
			FollowOf(pattern, here, &next);
		memset(here, 0, sizeof(*here));
		if (at < nwords)
		{
			for (int e = BitsNext(&next, -1); e >= 0; e = BitsNext(&next, e))
			{
				const Element *element = &pattern->elements[e];
				uint32		lengths;

				if (element->slot < 0 || element->kinds != 0)
				{
					if (!AcceptsWord(element, &words[at]))
						continue;
					BitsAdd(&done[(at + 1) % (LIST_MAX_WORDS + 1)], e);
					reach = Max(reach, at + 1);
					continue;
				}
				lengths = PhrasesAt(pattern->slots[element->slot].list, words + at, nwords - at);
				for (int n = 1; n <= LIST_MAX_WORDS; n++)
				{
					if (!((lengths >> (n - 1)) & 1))
						continue;
					BitsAdd(&done[(at + n) % (LIST_MAX_WORDS + 1)], e);
					reach = Max(reach, at + n);
				}
			}
		}
		if (reach <= at)
		{
			stop->word = at;
			stop->expected = next;
			return false;
		}
	}
	return false;
}

/* Can the rest of a sentence match after this element has read up to "at"? */
static bool
RestMatches(const Pattern *pattern, int e, int at, int nwords, const uint64 *rest)
{
	if (at == nwords)
		return BitsHas(&pattern->last, e);
	return BitsMeet(rest + (size_t) at * pattern->nwords,
					pattern->follow + (size_t) e * pattern->nwords, pattern->nwords);
}

/* Returns how many words an element reads here so that the rest matches; 0 if it cannot. */
static int
ReadsHere(const Pattern *pattern, int e, const Word *words, int at, int nwords,
		  const uint64 *rest, const Phrase **phrase)
{
	const Element *element = &pattern->elements[e];
	const PhraseList *list;

	*phrase = NULL;
	if (element->slot < 0 || element->kinds != 0)
		return AcceptsWord(element, &words[at]) &&
			RestMatches(pattern, e, at + 1, nwords, rest) ? 1 : 0;
	list = pattern->slots[element->slot].list;
	for (int n = PhraseReach(list, words + at, nwords - at); n > 0; n--)
	{
		if (!RestMatches(pattern, e, at + n, nwords, rest))
			continue;
		*phrase = PhraseAt(list, words + at, n);
		if (*phrase)
			return n;
	}
	return 0;
}

/*
 * Finds which words the slots of a pattern took, in a sentence that matches.  First
 * goes backward to find which elements can read the rest, then forward, choosing the
 * leftmost of them.  A slot that took none has a count of 0.
 */
void
PatternCapture(const Pattern *pattern, const Word *words, int nwords, Capture *captures)
{
	Size		size = sizeof(uint64) * pattern->nwords * ((Size) nwords + 1);
	uint64	   *rest = palloc_extended(size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	const uint64 *candidates = pattern->first.w;
	int			at = 0;

	memset(captures, 0, sizeof(Capture) * pattern->nslots);
	for (int i = nwords - 1; i >= 0; i--)
	{
		const Phrase *phrase;

		if ((i & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		for (int e = 0; e < pattern->nelements; e++)
		{
			if (ReadsHere(pattern, e, words, i, nwords, rest, &phrase) > 0)
				rest[(size_t) i * pattern->nwords + e / 64] |= UINT64CONST(1) << (e % 64);
		}
	}
	while (at < nwords)
	{
		const uint64 *here = rest + (size_t) at * pattern->nwords;
		Bits		both;
		int			e;
		const Phrase *phrase;
		int			n;

		memset(&both, 0, sizeof(both));
		for (int i = 0; i < pattern->nwords; i++)
			both.w[i] = here[i] & candidates[i];
		e = BitsNext(&both, -1);
		if (e < 0)
			elog(ERROR, "a sentence that matched does not match");
		n = ReadsHere(pattern, e, words, at, nwords, rest, &phrase);
		if (pattern->elements[e].slot >= 0)
		{
			Capture    *capture = &captures[pattern->elements[e].slot];

			if (capture->count == 0)
				capture->first = at;
			capture->count += n;
			capture->phrase = phrase;
		}
		at += n;
		candidates = pattern->follow + (size_t) e * pattern->nwords;
	}
	pfree(rest);
}

/*
 * ambiguity
 */

/*
 * A state of an automaton over words: an element or, for a list, a node of the tree of
 * its values' words.
 */
typedef struct State
{
	int			element;
	int			word;			/* in Machine.words, or -1 */
	uint16		kinds;			/* if it is not a specific word */
	bool		terminal;		/* can the element end here? */
	int			nchildren;		/* next words of values */
	int		   *children;
} State;

typedef struct Machine
{
	const Pattern *pattern;
	Word	   *words;			/* every literal word, sorted */
	int			nwords;
	State	   *states;
	int			nstates;
	int			allocated;
	int		  **entries;		/* for each element, the states that it begins with */
	int		   *nentries;
} Machine;

/* Two states that the same text can reach. */
typedef struct Pair
{
	int			a;
	int			b;
	bool		differ;			/* have the slots taken different words? */
	int			parent;
	Span		word;			/* a word that leads here */
} Pair;

typedef struct PairKey
{
	int			a;
	int			b;
	int			differ;
} PairKey;

typedef struct Search
{
	const Machine *machine;
	HTAB	   *seen;
	Pair	   *pairs;
	int			count;
	int			allocated;
	int64		steps;
	bool		exhausted;		/* was a limit exceeded? */
	int			ambiguous;		/* a pair that proves the ambiguity, or -1 */
} Search;

/* Example words for every combination of kinds that a word can have. */
static const struct
{
	uint16		kinds;
	const char *word;
}			samples[] = {
	{KIND_WORD, "x"},
	{KIND_WORD | KIND_NUMBER | KIND_INTEGER | KIND_AMOUNT | KIND_COUNT | KIND_SEMVER, "1"},
	{KIND_WORD | KIND_NUMBER | KIND_INTEGER, "-1"},
	{KIND_WORD | KIND_NUMBER | KIND_AMOUNT | KIND_SEMVER, "1.5"},
	{KIND_WORD | KIND_NUMBER, "-1.5"},
	{KIND_WORD | KIND_SEMVER, "1.2.3"},
	{KIND_WORD | KIND_DATE, "2026-01-31"},
	{KIND_WORD | KIND_INSTANT, "2026-01-31T00:00:00Z"},
	{KIND_WORD | KIND_BOOLEAN, "on"},
	{KIND_TEXT, "\"x\""}
};

static int
CompareWords(const void *a, const void *b)
{
	return SpanCompare(((const Word *) a)->folded, ((const Word *) b)->folded);
}

static int
MachineWord(const Machine *machine, Span folded)
{
	Word		wanted = {.folded = folded};

	return (Word *) bsearch(&wanted, machine->words, machine->nwords, sizeof(Word), CompareWords) -
		machine->words;
}

/* Splits a value into words, which borrow from it; returns how many. */
static int
PhraseWords(const Phrase *phrase, Word *words)
{
	Question	question;

	QuestionRead(phrase->plural ? phrase->folded : phrase->value, &question);
	for (int i = 0; i < phrase->nwords; i++)
	{
		words[i] = question.words[i];
		words[i].folded.str = phrase->folded.str +
			(question.words[i].folded.str - question.words[0].folded.str);
	}
	QuestionFree(&question);
	return phrase->nwords;
}

/* Collects all words that some element takes literally. */
static void
GatherWords(Machine *machine)
{
	const Pattern *pattern = machine->pattern;
	int			count = pattern->nelements;
	int			distinct = 0;

	for (int i = 0; i < pattern->nslots; i++)
	{
		for (int j = 0; pattern->slots[i].list && j < pattern->slots[i].list->count; j++)
			count += pattern->slots[i].list->phrases[j].nwords;
	}
	machine->words = palloc_extended(sizeof(Word) * (Size) count, MCXT_ALLOC_HUGE);
	count = 0;
	for (int i = 0; i < pattern->nelements; i++)
	{
		if (pattern->elements[i].slot >= 0)
			continue;
		memset(&machine->words[count], 0, sizeof(Word));
		machine->words[count].folded = pattern->elements[i].folded;
		machine->words[count++].kinds = pattern->elements[i].word_kinds;
	}
	for (int i = 0; i < pattern->nslots; i++)
	{
		for (int j = 0; pattern->slots[i].list && j < pattern->slots[i].list->count; j++)
			count += PhraseWords(&pattern->slots[i].list->phrases[j], machine->words + count);
	}
	qsort(machine->words, count, sizeof(Word), CompareWords);
	for (int i = 0; i < count; i++)
	{
		/* an instant is one only in capitals, so spellings can differ in kind */
		if (distinct > 0 && CompareWords(&machine->words[distinct - 1], &machine->words[i]) == 0)
			machine->words[distinct - 1].kinds |= machine->words[i].kinds;
		else
			machine->words[distinct++] = machine->words[i];
	}
	machine->nwords = distinct;
	for (int i = 0; i < distinct; i++)
	{
		Word	   *word = &machine->words[i];

		/* folded like an instant, so another spelling of it is one */
		if (word->folded.len >= 20 && word->folded.str[10] == 't')
			word->kinds |= KIND_INSTANT;
	}
}

static int
AddState(Machine *machine, State state)
{
	GROW_ARRAY(machine->states, machine->nstates, machine->allocated, 64);
	machine->states[machine->nstates] = state;
	return machine->nstates++;
}

/* A value as numbers of the machine's words, by which values are sorted. */
typedef struct ValuePath
{
	int			words[LIST_MAX_WORDS];
	int			count;
} ValuePath;

static int
ComparePaths(const void *a, const void *b)
{
	const ValuePath *left = a;
	const ValuePath *right = b;

	for (int i = 0; i < left->count && i < right->count; i++)
	{
		if (left->words[i] != right->words[i])
			return left->words[i] > right->words[i] ? 1 : -1;
	}
	return left->count - right->count;
}

/*
 * Makes the states of values that agree in their first "depth" words; returns the
 * states that come next, sorted by word.
 */
static int *
AddBranches(Machine *machine, int element, const ValuePath *paths, int count, int depth, int *n)
{
	int		   *children = palloc(sizeof(int) * Max(count, 1));

	*n = 0;
	for (int i = 0; i < count;)
	{
		int			same = i;
		State		state = {.element = element};
		int			at;
		int		   *grandchildren;
		int			ngrandchildren;

		if (paths[i].count <= depth)
		{
			i++;				/* the value that ends here */
			continue;
		}
		while (same < count && paths[same].words[depth] == paths[i].words[depth])
			same++;
		state.word = paths[i].words[depth];
		state.terminal = paths[i].count == depth + 1;
		at = AddState(machine, state);
		grandchildren = AddBranches(machine, element, paths + i, same - i, depth + 1,
									&ngrandchildren);
		machine->states[at].children = grandchildren;
		machine->states[at].nchildren = ngrandchildren;
		children[(*n)++] = at;
		i = same;
	}
	return children;
}

/* Finds the numbers of a value's words. */
static void
SplitPhrase(const Machine *machine, const Phrase *phrase, int *words)
{
	const char *p = phrase->folded.str;
	const char *end = p + phrase->folded.len;

	for (int i = 0; i < phrase->nwords; i++)
	{
		const char *space = memchr(p, ' ', end - p);
		Span		word = {p, (int) ((space ? space : end) - p)};

		words[i] = MachineWord(machine, word);
		p += word.len + 1;
	}
}

static int *
ListEntries(Machine *machine, int element, const PhraseList *list, int *n)
{
	ValuePath  *paths = palloc(sizeof(ValuePath) * list->count);

	for (int i = 0; i < list->count; i++)
	{
		paths[i].count = list->phrases[i].nwords;
		SplitPhrase(machine, &list->phrases[i], paths[i].words);
	}
	qsort(paths, list->count, sizeof(ValuePath), ComparePaths);
	return AddBranches(machine, element, paths, list->count, 0, n);
}

/* Sorts kinds before words, and words by number. */
static int
CompareStates(const void *a, const void *b, void *arg)
{
	const Machine *machine = arg;
	int			left = machine->states[*(const int *) a].word;
	int			right = machine->states[*(const int *) b].word;

	return left > right ? 1 : left < right ? -1 : 0;
}

/* Returns the states that a set of elements begins with. */
static int *
EntriesOf(const Machine *machine, const uint64 *elements, int *n)
{
	Bits		set;
	int		   *list;
	int			total = 0;

	memset(&set, 0, sizeof(set));
	memcpy(set.w, elements, sizeof(uint64) * machine->pattern->nwords);
	for (int e = BitsNext(&set, -1); e >= 0; e = BitsNext(&set, e))
		total += machine->nentries[e];
	list = palloc(sizeof(int) * Max(total, 1));
	*n = 0;
	for (int e = BitsNext(&set, -1); e >= 0; e = BitsNext(&set, e))
	{
		memcpy(list + *n, machine->entries[e], sizeof(int) * machine->nentries[e]);
		*n += machine->nentries[e];
	}
	qsort_arg(list, *n, sizeof(int), CompareStates, unconstify(Machine *, machine));
	return list;
}

/* Builds the machine; returns false if it has too many states to examine. */
static bool
MachineInit(Machine *machine, const Pattern *pattern)
{
	memset(machine, 0, sizeof(*machine));
	machine->pattern = pattern;
	GatherWords(machine);
	machine->allocated = 64;
	machine->states = palloc(sizeof(State) * machine->allocated);
	machine->entries = palloc(sizeof(int *) * pattern->nelements);
	machine->nentries = palloc(sizeof(int) * pattern->nelements);
	for (int e = 0; e < pattern->nelements; e++)
	{
		const Element *element = &pattern->elements[e];

		if (element->slot >= 0 && element->kinds == 0)
			machine->entries[e] = ListEntries(machine, e, pattern->slots[element->slot].list,
												  &machine->nentries[e]);
		else
		{
			State		state = {.element = e, .word = -1, .kinds = element->kinds, .terminal = true};

			if (element->slot < 0)
				state.word = MachineWord(machine, element->folded);
			machine->entries[e] = palloc(sizeof(int));
			machine->entries[e][0] = AddState(machine, state);
			machine->nentries[e] = 1;
		}
		/* every state makes at least one pair, with itself */
		if (machine->nstates > AMBIGUITY_MAX_PAIRS)
			return false;
	}
	return true;
}

/* Finds a word that both states can read; returns false if there is none. */
static bool
CommonWord(const Machine *machine, const State *a, const State *b, Span *word)
{
	if (a->word >= 0 || b->word >= 0)
	{
		int			w = Max(a->word, b->word);
		const Word *text = &machine->words[w];

		*word = text->folded;
		return (a->word == w || (a->word < 0 && (a->kinds & text->kinds))) &&
			(b->word == w || (b->word < 0 && (b->kinds & text->kinds)));
	}
	for (size_t i = 0; i < lengthof(samples); i++)
	{
		if ((a->kinds & samples[i].kinds) && (b->kinds & samples[i].kinds))
		{
			word->str = samples[i].word;
			word->len = strlen(samples[i].word);
			return true;
		}
	}
	return false;
}

static void
ReachPair(Search *search, int a, int b, bool differ, int parent)
{
	const Machine *machine = search->machine;
	const Pattern *pattern = machine->pattern;
	PairKey		key;
	Pair	   *pair;
	Span		word;
	bool		found;

	if ((++search->steps & 0xFFFF) == 0)
		CHECK_FOR_INTERRUPTS();
	search->exhausted = search->steps > AMBIGUITY_MAX_STEPS || search->count > AMBIGUITY_MAX_PAIRS;
	if (search->exhausted)
		return;
	if (!CommonWord(machine, &machine->states[a], &machine->states[b], &word))
		return;
	differ = differ || pattern->elements[machine->states[a].element].slot !=
		pattern->elements[machine->states[b].element].slot;
	key.a = Min(a, b);
	key.b = Max(a, b);
	key.differ = differ;
	(void) hash_search(search->seen, &key, HASH_ENTER, &found);
	if (found)
		return;
	GROW_ARRAY(search->pairs, search->count, search->allocated, 256);
	pair = &search->pairs[search->count];
	pair->a = a;
	pair->b = b;
	pair->differ = differ;
	pair->parent = parent;
	pair->word = word;
	if (differ && machine->states[a].terminal && machine->states[b].terminal &&
		BitsHas(&pattern->last, machine->states[a].element) &&
		BitsHas(&pattern->last, machine->states[b].element))
		search->ambiguous = search->count;
	search->count++;
}

/* Returns where the states that read a word begin, in a sorted list. */
static int
FirstOfWord(const State *states, const int *list, int from, int count, int word)
{
	FIRST_PLACE(from, count, at, states[list[at]].word < word);
	return from;
}

/*
 * Reaches every pair of states from two sorted lists that can have a word in common.
 * For specific words, these are only equal ones.
 */
static void
ReachPairs(Search *search, const int *a, int na, const int *b, int nb, bool differ, int parent)
{
	const State *states = search->machine->states;
	int			ka = 0;
	int			kb = 0;

	/* each of the shorter list is looked up in the longer one; pairs have no order */
	if (na > nb)
	{
		ReachPairs(search, b, nb, a, na, differ, parent);
		return;
	}
	while (ka < na && states[a[ka]].word < 0)
		ka++;
	while (kb < nb && states[b[kb]].word < 0)
		kb++;
	for (int i = 0; i < ka; i++)
	{
		for (int j = 0; j < nb && !search->exhausted; j++)
			ReachPair(search, a[i], b[j], differ, parent);
	}
	for (int i = ka; i < na; i++)
	{
		for (int j = 0; j < kb && !search->exhausted; j++)
			ReachPair(search, a[i], b[j], differ, parent);
	}
	for (int i = ka; i < na && !search->exhausted; i++)
	{
		int			word = states[a[i]].word;

		for (int j = FirstOfWord(states, b, kb, nb, word); j < nb && states[b[j]].word == word &&
			 !search->exhausted; j++)
			ReachPair(search, a[i], b[j], differ, parent);
	}
}

/* Returns the words that lead to a pair, as a text. */
static const char *
WriteWitness(const Search *search, int pair)
{
	int			count = 0;
	StringInfoData text;

	for (int p = pair; p >= 0; p = search->pairs[p].parent)
		count++;
	initStringInfo(&text);
	for (int i = 1; i <= count; i++)
	{
		int			p = pair;

		for (int back = count; back > i; back--)
			p = search->pairs[p].parent;
		if (i > 1)
			appendStringInfoChar(&text, ' ');
		for (int k = 0; k < search->pairs[p].word.len; k++)
		{
			char		c = search->pairs[p].word.str[k];

			/* a report must be possible in any encoding */
			appendStringInfoChar(&text, IS_HIGHBIT_SET(c) ? '?' : c);
		}
	}
	return psprintf("is ambiguous: it can read \"%s\" in two ways", text.data);
}

/* Finds what can be reached from a pair: along values of lists, and after their ends. */
static void
ExpandPair(Search *search, int parent, int *const *follow, const int *nfollow, bool *past)
{
	Pair		pair = search->pairs[parent];
	const State a = search->machine->states[pair.a];
	const State b = search->machine->states[pair.b];
	int			elements = Min(a.element, b.element) * search->machine->pattern->nelements +
		Max(a.element, b.element);

	ReachPairs(search, a.children, a.nchildren, b.children, b.nchildren, pair.differ, parent);
	if (b.terminal)
		ReachPairs(search, a.children, a.nchildren, follow[b.element], nfollow[b.element],
				   pair.differ, parent);
	if (a.terminal)
		ReachPairs(search, follow[a.element], nfollow[a.element], b.children, b.nchildren,
				   pair.differ, parent);
	/* whichever values two lists have read, the same follows after both */
	if (!a.terminal || !b.terminal || past[elements * 2 + pair.differ])
		return;
	past[elements * 2 + pair.differ] = true;
	ReachPairs(search, follow[a.element], nfollow[a.element],
			   follow[b.element], nfollow[b.element], pair.differ, parent);
}

/* Finds a question that can be read in two ways.  The caller frees the memory. */
static const char *
FindAmbiguity(const Pattern *pattern)
{
	Machine		machine;
	Search		search = {.machine = &machine, .allocated = 256, .ambiguous = -1};
	HASHCTL		ctl = {.keysize = sizeof(PairKey), .entrysize = sizeof(PairKey),
		.hcxt = CurrentMemoryContext};
	int		   *first;
	int			nfirst;
	int		  **follow;
	int		   *nfollow;
	bool	   *past;
	int64		entries = 0;

	if (!MachineInit(&machine, pattern))
		return TOO_LARGE;
	search.seen = hash_create("answer_eval pairs", 1024, &ctl,
							  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	search.pairs = palloc(sizeof(Pair) * search.allocated);
	follow = palloc(sizeof(int *) * pattern->nelements);
	nfollow = palloc(sizeof(int) * pattern->nelements);
	past = palloc0(sizeof(bool) * 2 * pattern->nelements * pattern->nelements);
	for (int e = 0; e < pattern->nelements; e++)
	{
		CHECK_FOR_INTERRUPTS();
		follow[e] = EntriesOf(&machine, pattern->follow + (size_t) e * pattern->nwords, &nfollow[e]);
		entries += nfollow[e];
		if (entries > AMBIGUITY_MAX_ENTRIES)
			return TOO_LARGE;
	}
	first = EntriesOf(&machine, pattern->first.w, &nfirst);
	ReachPairs(&search, first, nfirst, first, nfirst, false, -1);
	for (int i = 0; i < search.count && search.ambiguous < 0 && !search.exhausted; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ExpandPair(&search, i, follow, nfollow, past);
	}
	if (search.ambiguous >= 0)
		return WriteWitness(&search, search.ambiguous);
	return search.exhausted ? TOO_LARGE : NULL;
}

/*
 * Can the slots of this pattern take the words of some question in two ways? Returns
 * NULL if not, else what is wrong, with such a question.
 */
const char *
PatternAmbiguity(const Pattern *pattern)
{
	MemoryContext scratch;
	MemoryContext caller;
	const char *problem;

	if (pattern->nslots == 0)
		return NULL;
	scratch = AllocSetContextCreate(CurrentMemoryContext, "answer_eval ambiguity",
									ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(scratch);
	problem = FindAmbiguity(pattern);
	MemoryContextSwitchTo(caller);
	if (problem)
		problem = pstrdup(problem);
	MemoryContextDelete(scratch);
	return problem;
}
