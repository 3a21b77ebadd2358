/*-------------------------------------------------------------------------
 *
 * text_score.c
 *		text-score/2: the share of a question that a text covers.
 *
 * Rule: doc/spec/reading.md §9.  A cover is the weight of the question's items that a text has,
 * divided by the weight of all of them.  For each sentence three covers are added up: of the whole
 * text with its title, of the sentence with the previous one and the title, and of the sentence
 * alone.  A third of the sum is multiplied by (1 + need) / 2, where need is the share of the
 * question's names and values that the text has.
 *
 * With W the weight of the question, m the number of its names and values, and k the number of those
 * in the text, the score of a sentence is (n1 + n2 + n3) (m + k) / 6 W m.  This fraction of integers
 * is rounded half-even to ten-thousandths before sentences are compared.
 *
 * The best sentence is the first one with the best score.  If it is a question, the best of the
 * other sentences takes its place, if that has at least 0.85 of its score.
 *
 * Promises: pure and exact.  Time is linear in the distinct items of the text's sentences, times the
 * logarithm of those of the question; the names and values of a question are looked up in the text's
 * sorted values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/compat.h"
#include "base/search.h"
#include "reading/text_score.h"

/* A sentence that is no question is taken instead of one from so many hundredths of its score. */
#define INSTEAD_OF_QUESTION	85

/* The items of the question that a text has, as indexes in the question's items. */
typedef struct Hits
{
	int			count;
	int32	   *places;
} Hits;

typedef struct Scoring
{
	const Reading *question;
	const Reading *text;
	const Reading *title;		/* or NULL */
	int64		whole;			/* weight of the question */
	int64		needed;			/* number of its names and values; 1 if it has none */
	int64		found;			/* number of those that are in the text */
	int64		text_weight;	/* weight of its items that the text with its title has */
	int64		title_weight;
	bool	   *in_title;		/* by index of the item */
	int32	   *seen_in;		/* by index of the item: the last sentence that has it */
} Scoring;

static void *
AllocateHuge(Size count, Size size)
{
	return palloc_extended(Max(count, 1) * size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

/*
 * weights
 */

static int64
WeightOf(const Reading *question, int place)
{
	return ReaderItem(question->reader, question->items.items[place]).weight;
}

/* Returns the weight of all items of a question. */
static int64
QuestionWeight(const Reading *question)
{
	int64		weight = 0;

	for (int i = 0; i < question->items.count; i++)
		weight += WeightOf(question, i);
	return weight;
}

static void
FindHits(const Reading *question, const int32 *items, int count, Hits *hits)
{
	hits->count = 0;
	for (int i = 0; i < count; i++)
	{
		int			place = ItemSetPlace(&question->items, items[i]);

		if (place >= 0)
			hits->places[hits->count++] = place;
	}
}

/* Computes the weight of the items in the text with its title, and marks those in the title. */
static void
WeighText(Scoring *scoring, Hits *hits)
{
	const Reading *question = scoring->question;

	if (scoring->title != NULL)
	{
		FindHits(question, scoring->title->all.items, scoring->title->all.count, hits);
		for (int i = 0; i < hits->count; i++)
		{
			scoring->in_title[hits->places[i]] = true;
			scoring->title_weight += WeightOf(question, hits->places[i]);
		}
	}
	scoring->text_weight = scoring->title_weight;
	FindHits(question, scoring->text->all.items, scoring->text->all.count, hits);
	for (int i = 0; i < hits->count; i++)
	{
		if (!scoring->in_title[hits->places[i]])
			scoring->text_weight += WeightOf(question, hits->places[i]);
	}
}

/*
 * names and values
 */

/* Compares by number, then by unit; a value without a unit comes first. */
static int
CompareValues(const ReadValue *a, const ReadValue *b)
{
	int			cmp = SpanCompare(a->number, b->number);

	return cmp != 0 ? cmp : (a->unit > b->unit) - (a->unit < b->unit);
}

static int
OrderValues(const void *a, const void *b)
{
	return CompareValues(*(const ReadValue *const *) a, *(const ReadValue *const *) b);
}

/* Returns the values of a reading and of another one, which may be NULL, in that order. */
static const ReadValue **
SortedValues(const Reading *one, const Reading *other, int *count)
{
	int			others = other != NULL ? other->nvalues : 0;
	const ReadValue **values = AllocateHuge((Size) one->nvalues + others, sizeof(ReadValue *));

	for (int i = 0; i < one->nvalues; i++)
		values[i] = &one->values[i];
	for (int i = 0; i < others; i++)
		values[one->nvalues + i] = &other->values[i];
	*count = one->nvalues + others;
	if (*count > 1)
		qsort(values, *count, sizeof(ReadValue *), OrderValues);
	return values;
}

/* Returns the first of the sorted values that is not before the key. */
static int
FirstNotBefore(const ReadValue *const *values, int count, const ReadValue *key)
{
	int			low = 0;

	FIRST_PLACE(low, count, at, CompareValues(values[at], key) < 0);
	return low;
}

/* Is there an equal value among the sorted ones: the same number, and the same unit unless one has none? */
static bool
HasEqualValue(const ReadValue *const *values, int count, const ReadValue *value)
{
	ReadValue	key = *value;
	int			at;

	key.unit = VALUE_NO_UNIT;
	at = FirstNotBefore(values, count, &key);
	if (at == count || !SpanEqual(values[at]->number, value->number))
		return false;
	if (value->unit == VALUE_NO_UNIT || values[at]->unit == VALUE_NO_UNIT)
		return true;
	at = FirstNotBefore(values, count, value);
	return at < count && CompareValues(values[at], value) == 0;
}

static void
CountValues(Scoring *scoring)
{
	int			nasked;
	int			nthere;
	const ReadValue **asked;
	const ReadValue **there;

	if (scoring->question->nvalues == 0)
		return;
	asked = SortedValues(scoring->question, NULL, &nasked);
	there = SortedValues(scoring->text, scoring->title, &nthere);
	for (int i = 0; i < nasked; i++)
	{
		if (i > 0 && CompareValues(asked[i - 1], asked[i]) == 0)
			continue;
		scoring->needed++;
		if (HasEqualValue(there, nthere, asked[i]))
			scoring->found++;
	}
	pfree(asked);
	pfree(there);
}

static bool
TextHas(const Scoring *scoring, int item)
{
	return ItemSetHas(&scoring->text->all, item) ||
		(scoring->title != NULL && ItemSetHas(&scoring->title->all, item));
}

/* Does the text have a name: its stem, or all its parts, of which some may be in the title? */
static bool
TextHasName(const Scoring *scoring, const ReadName *name)
{
	if (TextHas(scoring, name->item))
		return true;
	for (int i = 0; i < name->nparts; i++)
	{
		if (!TextHas(scoring, scoring->question->parts[name->first_part + i]))
			return false;
	}
	return name->nparts > 0;
}

/* Compares by stem, then by position. */
static int
OrderNames(const void *a, const void *b)
{
	const ReadName *one = *(const ReadName *const *) a;
	const ReadName *other = *(const ReadName *const *) b;

	if (one->item != other->item)
		return one->item > other->item ? 1 : -1;
	return (one->token > other->token) - (one->token < other->token);
}

static void
CountNames(Scoring *scoring)
{
	int			count = scoring->question->nnames;
	const ReadName **names;

	if (count == 0)
		return;
	names = AllocateHuge(count, sizeof(ReadName *));
	for (int i = 0; i < count; i++)
		names[i] = &scoring->question->names[i];
	qsort(names, count, sizeof(ReadName *), OrderNames);
	for (int i = 0; i < count; i++)
	{
		if (i > 0 && names[i - 1]->item == names[i]->item)
			continue;
		scoring->needed++;
		if (TextHasName(scoring, names[i]))
			scoring->found++;
	}
	pfree(names);
}

static void
CountNeeds(Scoring *scoring)
{
	CountNames(scoring);
	CountValues(scoring);
	if (scoring->needed == 0)
		scoring->needed = scoring->found = 1;
}

/*
 * scores
 */

/*
 * Returns a fraction from 0 to 1 in ten-thousandths, half-even.  It is computed
 * digit by digit, so that nothing overflows: a text of DOCUMENT_MAX_SIZE makes
 * denominators below 2^50.
 */
static int
TenThousandths(uint64 numerator, uint64 denominator)
{
	int			rounded = (int) (numerator / denominator);

	numerator %= denominator;
	for (int unit = 1; unit < SCORE_WHOLE; unit *= 10)
	{
		numerator *= 10;
		rounded = rounded * 10 + (int) (numerator / denominator);
		numerator %= denominator;
	}
	if (numerator * 2 > denominator || (numerator * 2 == denominator && rounded % 2 != 0))
		rounded++;
	return rounded;
}

static int
ScoreOf(const Scoring *scoring, int64 covered)
{
	if (scoring->whole == 0)
		return 0;
	return TenThousandths((uint64) covered * (scoring->needed + scoring->found),
						  (uint64) 6 * scoring->whole * scoring->needed);
}

/* Returns the sum of the three covers of a sentence; "before" are the hits of the previous sentence. */
static int64
CoveredBy(Scoring *scoring, int sentence, const Hits *hits, const Hits *before)
{
	int64		alone = 0;
	int64		around = scoring->title_weight;

	for (int i = 0; i < hits->count; i++)
	{
		int			place = hits->places[i];

		alone += WeightOf(scoring->question, place);
		if (!scoring->in_title[place])
			around += WeightOf(scoring->question, place);
		scoring->seen_in[place] = sentence;
	}
	for (int i = 0; i < before->count; i++)
	{
		int			place = before->places[i];

		if (!scoring->in_title[place] && scoring->seen_in[place] != sentence)
			around += WeightOf(scoring->question, place);
	}
	return scoring->text_weight + around + alone;
}

/* The best score so far, and the first sentence with it. */
typedef struct Best
{
	int			score;
	int			sentence;
} Best;

static inline void
KeepBetter(Best *best, int score, int sentence)
{
	if (score > best->score)
		*best = (Best) {score, sentence};
}

/* Finds the best sentence, and the best of those that are no questions. */
static void
ScoreSentences(Scoring *scoring, Hits *hits, Best *best, Best *telling)
{
	const Reading *text = scoring->text;
	Hits		before = {0, AllocateHuge(scoring->question->items.count, sizeof(int32))};

	for (int i = 0; i < text->nsentences; i++)
	{
		const ReadSentence *sentence = &text->sentences[i];
		Hits		last;
		int			score;

		CHECK_FOR_INTERRUPTS();
		FindHits(scoring->question, &text->sentence_all[sentence->first_all], sentence->nall, hits);
		score = ScoreOf(scoring, CoveredBy(scoring, i, hits, &before));
		KeepBetter(best, score, i);
		if (!sentence->asks)
			KeepBetter(telling, score, i);
		last = before;
		before = *hits;
		*hits = last;
	}
	pfree(before.places);		/* or that of "hits": the two are swapped, and the caller frees the other */
}

static void
ScoringBegin(Scoring *scoring, const Reading *question, const Reading *text, const Reading *title)
{
	int			count = question->items.count;

	memset(scoring, 0, sizeof(*scoring));
	scoring->question = question;
	scoring->text = text->nsentences > 0 || title == NULL ? text : title;
	scoring->title = title;
	scoring->whole = QuestionWeight(question);
	scoring->in_title = AllocateHuge(count, sizeof(bool));
	scoring->seen_in = AllocateHuge(count, sizeof(int32));
	for (int i = 0; i < count; i++)
		scoring->seen_in[i] = -1;
}

int
ScoreText(const Reading *question, const Reading *text, const Reading *title, int *best_sentence)
{
	Scoring		scoring;
	Hits		hits = {0, AllocateHuge(question->items.count, sizeof(int32))};
	Best		best = {-1, -1};
	Best		telling = {-1, -1};

	ScoringBegin(&scoring, question, text, title);
	WeighText(&scoring, &hits);
	CountNeeds(&scoring);
	ScoreSentences(&scoring, &hits, &best, &telling);
	pfree(hits.places);
	pfree(scoring.in_title);
	pfree(scoring.seen_in);

	if (best_sentence != NULL)
	{
		*best_sentence = best.sentence;
		if (telling.sentence >= 0 && telling.score * 100 >= best.score * INSTEAD_OF_QUESTION &&
			best.sentence >= 0 && scoring.text->sentences[best.sentence].asks)
			*best_sentence = telling.sentence;
	}
	return Max(best.score, 0);
}
