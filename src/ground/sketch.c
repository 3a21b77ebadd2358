/*-------------------------------------------------------------------------
 *
 * sketch.c
 *		Sketches of texts: an upper bound of a text's similarity to a question.
 *
 * Rule: doc/spec/reading.md §9.  A sketch is stored with its text.  It has the items of the
 * title and then of each sentence, as marks of two bytes.  Different items may have the
 * same mark, so a sketch can only say that an item may be there.  The score that follows
 * from a sketch is never less than that of the text, because a score only grows with the
 * items of a text.  The text is read if the sketch says that it can be one of the best.
 *
 * Promises: pure; the same bytes on any machine, so that an audit can recompute them.
 * Judging a sketch takes a few hundred nanoseconds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"

#include "ground/sketch.h"

#define MARK_COUNT		65536

/*
 * marks
 */

/* Returns a mark: FNV-1a, folded to 16 bits. 0 is reserved as the separator of sentences. */
static uint16
MarkOf(Span item)
{
	uint32		hash = 2166136261u;
	uint16		mark;

	for (int i = 0; i < item.len; i++)
	{
		hash ^= (uint8) item.str[i];
		hash *= 16777619u;
	}
	mark = (uint16) (hash ^ (hash >> 16));
	return mark == 0 ? 1 : mark;
}

static int
CompareMarks(const void *a, const void *b)
{
	return (int) *(const uint16 *) a - (int) *(const uint16 *) b;
}

/* Adds marks to a question, each once; those beyond the limit are left out. */
static void
SetMarks(SketchQuery *query, uint16 *marks, int count)
{
	int			n = 0;

	qsort(marks, count, sizeof(uint16), CompareMarks);
	for (int i = 0; i < count; i++)
	{
		if (n == 0 || marks[n - 1] != marks[i])
			marks[n++] = marks[i];
	}
	query->marks = marks;
	query->nmarks = n;
	query->nwords = (n + 63) / 64;
	query->weights = palloc0(sizeof(int) * Max(n, 1));
	query->filter = palloc0(MARK_COUNT / 8);
	for (int i = 0; i < n; i++)
		query->filter[marks[i] / 64] |= UINT64CONST(1) << (marks[i] % 64);
}

/* Returns the index of a mark among those of a question, or -1. */
static int
PlaceOfMark(const SketchQuery *query, uint16 mark)
{
	const uint16 *found;

	if ((query->filter[mark / 64] & (UINT64CONST(1) << (mark % 64))) == 0)
		return -1;
	found = bsearch(&mark, query->marks, query->nmarks, sizeof(uint16), CompareMarks);
	return found ? (int) (found - query->marks) : -1;
}

/*
 * a text
 */

static void
PutMark(StringInfo out, uint16 mark)
{
	appendStringInfoChar(out, (char) (mark & 0xFF));
	appendStringInfoChar(out, (char) (mark >> 8));
}

static void
PutMarks(StringInfo out, const Reader *reader, const int32 *items, int count)
{
	for (int i = 0; i < count; i++)
		PutMark(out, MarkOf(ReaderItem(reader, items[i]).text));
	PutMark(out, 0);
}

/* Returns the items of two sets of one reader, each once. */
static ItemList
ListItems(const Reader *reader, const ItemSet *one, const ItemSet *other)
{
	ItemList	list = {0, palloc_extended(sizeof(Span) * Max((Size) one->count + other->count, 1), MCXT_ALLOC_HUGE)};

	for (int i = 0; i < one->count; i++)
		list.items[list.count++] = ReaderItem(reader, one->items[i]).text;
	for (int i = 0; i < other->count; i++)
	{
		if (!ItemSetHas(one, other->items[i]))
			list.items[list.count++] = ReaderItem(reader, other->items[i]).text;
	}
	return list;
}

bytea *
SketchMake(const DecisionRules *rules, Span content, Span title, ItemList *items, ItemList *title_items)
{
	Reader	   *reader = ReaderBegin(rules);
	const Reading *text = ReadText(reader, content);
	const Reading *head = ReadText(reader, title);
	ItemSet		none = {0, NULL};
	const Reading *sentences = text->nsentences > 0 ? text : head;
	StringInfoData out;

	initStringInfo(&out);
	PutMarks(&out, reader, head->all.items, head->all.count);
	for (int i = 0; i < sentences->nsentences; i++)
	{
		const ReadSentence *sentence = &sentences->sentences[i];

		CHECK_FOR_INTERRUPTS();
		PutMarks(&out, reader, &sentences->sentence_all[sentence->first_all], sentence->nall);
	}
	*items = ListItems(reader, &text->all, &head->all);
	*title_items = ListItems(reader, &head->all, &none);
	return (bytea *) cstring_to_text_with_len(out.data, out.len);
}

int
TextScore(const DecisionRules *rules, Span question, Span content, Span title)
{
	Reader	   *reader = ReaderBegin(rules);
	const Reading *asked = ReadQuestion(reader, question);
	const Reading *text = ReadText(reader, content);

	return ScoreText(asked, text, ReadText(reader, title), NULL);
}

/*
 * sets of marks
 */

static void
AddMark(const SketchQuery *query, MarkSet *set, Span item)
{
	int			place = PlaceOfMark(query, MarkOf(item));

	Assert(place >= 0);
	set->bits[place / 64] |= UINT64CONST(1) << (place % 64);
}

static inline void
Unite(const SketchQuery *query, MarkSet *set, const MarkSet *other)
{
	for (int i = 0; i < query->nwords; i++)
		set->bits[i] |= other->bits[i];
}

static bool
IsWithin(const SketchQuery *query, const MarkSet *part, const MarkSet *whole)
{
	for (int i = 0; i < query->nwords; i++)
	{
		if (part->bits[i] & ~whole->bits[i])
			return false;
	}
	return true;
}

static inline int
WeightOf(const SketchQuery *query, const MarkSet *set)
{
	int			weight = 0;

	for (int i = 0; i < query->nwords; i++)
	{
		for (uint64 bits = set->bits[i]; bits; bits &= bits - 1)
			weight += query->weights[64 * i + pg_rightmost_one_pos64(bits)];
	}
	return weight;
}

/* upper bounds */

/* Returns covers / 3 * (1 + need) / 2, out of SCORE_WHOLE, half-even; "covers" is the sum of three weights. */
static int
ScoreOfCovers(const SketchQuery *query, int covers, int needs)
{
	int64		numerator = covers;
	int64		denominator = 3 * (int64) query->weight;
	int64		quotient;
	int64		rest;

	if (query->weight == 0)
		return 0;
	if (query->nneeds > 0)
	{
		numerator *= query->nneeds + needs;
		denominator *= 2 * query->nneeds;
	}
	numerator *= SCORE_WHOLE;
	quotient = numerator / denominator;
	rest = numerator % denominator;
	if (2 * rest > denominator || (2 * rest == denominator && quotient % 2 == 1))
		quotient++;
	return (int) quotient;
}

/*
 * Returns the highest possible score of a text with at most this weight of items,
 * and this many names and values.
 */
int
SketchMostOfWeight(const SketchQuery *query, int weight, int needs)
{
	return ScoreOfCovers(query, 3 * weight, Min(needs, query->nneeds));
}

/* What a text is known to have while its sketch is read. */
typedef struct SketchState
{
	MarkSet		title;
	MarkSet		before;			/* of the previous sentence */
	MarkSet		sentence;
	MarkSet		all;
	int			best;			/* highest sum of two covers */
} SketchState;

static void
EndSentence(const SketchQuery *query, SketchState *state)
{
	MarkSet		around;
	int			covers;

	for (int i = 0; i < query->nwords; i++)
		around.bits[i] = state->title.bits[i];
	Unite(query, &around, &state->before);
	Unite(query, &around, &state->sentence);
	covers = WeightOf(query, &around) + WeightOf(query, &state->sentence);
	state->best = Max(state->best, covers);
	Unite(query, &state->all, &state->sentence);
	for (int i = 0; i < query->nwords; i++)
	{
		state->before.bits[i] = state->sentence.bits[i];
		state->sentence.bits[i] = 0;
	}
}

static int
NeedsMet(const SketchQuery *query, const MarkSet *all)
{
	int			met = query->nneeds - query->nasked;

	for (int i = 0; i < query->nasked; i++)
		met += IsWithin(query, &query->needs[i].ways[0], all) || IsWithin(query, &query->needs[i].ways[1], all) ||
			IsWithin(query, &query->needs[i].ways[2], all);
	return met;
}

/* Returns the highest possible score of the text of a sketch. */
int
SketchMost(const SketchQuery *query, const uint8 *sketch, int len)
{
	SketchState state = {0};
	int			sentences = -1;

	for (int i = 0; i + 1 < len; i += 2)
	{
		uint16		mark = (uint16) (sketch[i] | sketch[i + 1] << 8);
		int			place;

		if (mark != 0)
		{
			place = PlaceOfMark(query, mark);
			if (place >= 0)
				state.sentence.bits[place / 64] |= UINT64CONST(1) << (place % 64);
			continue;
		}
		/* the title comes first, and counts with every sentence */
		if (++sentences == 0)
		{
			state.title = state.all = state.sentence;
			memset(&state.sentence, 0, sizeof(MarkSet));
		}
		else
			EndSentence(query, &state);
	}
	return ScoreOfCovers(query, WeightOf(query, &state.all) + state.best, NeedsMet(query, &state.all));
}

/*
 * a question
 */

/*
 * Returns the item of a time of day with this number of minutes.  A text with that
 * item has the number, and a text with the number has the time.
 */
static Span
ClockItem(const ReadValue *value)
{
	char	   *item = psprintf("clock %.*s", value->number.len, value->number.str);

	return SpanOf(item, strlen(item));
}

static bool
IsRepeatedName(const Reading *question, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (question->names[i].item == question->names[n].item)
			return true;
	}
	return false;
}

static bool
IsRepeatedValue(const Reading *question, int n)
{
	const ReadValue *value = &question->values[n];

	for (int i = 0; i < n; i++)
	{
		const ReadValue *other = &question->values[i];

		if (other->unit == value->unit && SpanEqual(other->number, value->number))
			return true;
	}
	return false;
}

/* Collects the marks of a question: of its items, then of as many names and values as there is room for. */
static void
CollectMarks(SketchQuery *query, const Reading *question)
{
	uint16	   *marks = palloc(sizeof(uint16) * SKETCH_MAX_MARKS);
	int			count = 0;

	for (int i = 0; i < query->nitems; i++)
		marks[count++] = MarkOf(query->items[i].item);
	for (int i = 0; i < question->nnames; i++)
	{
		const ReadName *name = &question->names[i];

		if (IsRepeatedName(question, i))
			continue;
		query->nneeds++;
		if (query->nasked + 1 < query->nneeds || count + 1 + name->nparts > SKETCH_MAX_MARKS)
			continue;
		query->nasked++;
		marks[count++] = MarkOf(ReaderItem(question->reader, name->item).text);
		for (int j = 0; j < name->nparts; j++)
			marks[count++] = MarkOf(ReaderItem(question->reader, question->parts[name->first_part + j]).text);
	}
	for (int i = 0; i < question->nvalues; i++)
	{
		if (IsRepeatedValue(question, i))
			continue;
		query->nneeds++;
		if (query->nasked + 1 < query->nneeds || count + 3 > SKETCH_MAX_MARKS)
			continue;
		query->nasked++;
		marks[count++] = MarkOf(ReaderItem(question->reader, question->values[i].item).text);
		marks[count++] = MarkOf(question->values[i].number);
		marks[count++] = MarkOf(ClockItem(&question->values[i]));
	}
	SetMarks(query, marks, count);
}

/* Sets the required marks of the first "nasked" names and values. */
static void
CollectNeeds(SketchQuery *query, const Reading *question)
{
	int			n = 0;

	query->needs = palloc0(sizeof(SketchNeed) * Max(query->nasked, 1));
	for (int i = 0; i < question->nnames && n < query->nasked; i++)
	{
		const ReadName *name = &question->names[i];
		SketchNeed *need = &query->needs[n];

		if (IsRepeatedName(question, i))
			continue;
		n++;
		AddMark(query, &need->ways[0], ReaderItem(question->reader, name->item).text);
		for (int j = 0; j < name->nparts; j++)
			AddMark(query, &need->ways[1], ReaderItem(question->reader, question->parts[name->first_part + j]).text);
		if (name->nparts == 0)
			need->ways[1] = need->ways[0];
		need->ways[2] = need->ways[0];
	}
	for (int i = 0; i < question->nvalues && n < query->nasked; i++)
	{
		SketchNeed *need = &query->needs[n];

		if (IsRepeatedValue(question, i))
			continue;
		n++;
		AddMark(query, &need->ways[0], ReaderItem(question->reader, question->values[i].item).text);
		AddMark(query, &need->ways[1], question->values[i].number);
		AddMark(query, &need->ways[2], ClockItem(&question->values[i]));
	}
}

/* Links names without parts to their item: a text without the item does not have the name. */
static void
TellNames(SketchQuery *query, const Reading *question)
{
	query->nuntold = query->nneeds;
	for (int i = 0; i < question->nnames; i++)
	{
		const ReadName *name = &question->names[i];

		if (name->nparts > 0 || IsRepeatedName(question, i))
			continue;
		for (int j = 0; j < query->nitems; j++)
		{
			if (question->items.items[j] == name->item)
			{
				query->items[j].needs++;
				query->nuntold--;
			}
		}
	}
}

void
SketchQuestion(SketchQuery *query, const DecisionRules *rules, Span text)
{
	Reader	   *reader = ReaderBegin(rules);
	const Reading *question = ReadQuestion(reader, text);

	memset(query, 0, sizeof(*query));
	query->nitems = question->items.count;
	if (query->nitems > SKETCH_MAX_ITEMS)
		return;
	query->items = palloc0(sizeof(SketchItem) * Max(query->nitems, 1));
	for (int i = 0; i < query->nitems; i++)
	{
		ReadItem	item = ReaderItem(reader, question->items.items[i]);

		query->items[i].item = item.text;
		query->items[i].weight = item.weight;
		query->weight += item.weight;
	}
	CollectMarks(query, question);
	for (int i = 0; i < query->nitems; i++)
		query->weights[PlaceOfMark(query, MarkOf(query->items[i].item))] += query->items[i].weight;
	CollectNeeds(query, question);
	TellNames(query, question);
}
