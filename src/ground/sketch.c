/*-------------------------------------------------------------------------
 *
 * sketch.c
 *		What a text has, in short: how similar to a question it can be at most.
 *
 * Rule: text-score/2, section 6 of the contract of reading.  A sketch is stored
 * beside the text that it is of: the items of its title and then of each sentence,
 * each in two bytes, its mark.  Different items may have the same mark, so a sketch
 * says of an item that it is there, or that it may be: what it makes of a question
 * is never less than the score of the text, for the score only grows with what a
 * text has.  Where it says that a text can be one of the best, the text is read.
 *
 * Promises: pure; the same bytes on any machine, so that an audit can make them
 * again.  A sketch takes a few hundred nanoseconds to judge.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "ground/sketch.h"

#define MARK_COUNT		65536

/*
 * marks
 */

/* FNV-1a, folded to 16 bits. */
uint16
SketchMark(Span item)
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

/* Takes marks into a question, each once; those that are too many are left out. */
void
SketchSetMarks(SketchQuery *query, uint16 *marks, int count)
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
	query->weights = palloc0(sizeof(int) * Max(n, 1));
	query->filter = palloc0(MARK_COUNT / 8);
	for (int i = 0; i < n; i++)
		query->filter[marks[i] / 64] |= UINT64CONST(1) << (marks[i] % 64);
}

/* The place of a mark among those of a question, or -1. */
int
SketchMarkPlace(const SketchQuery *query, uint16 mark)
{
	const uint16 *found;

	if ((query->filter[mark / 64] & (UINT64CONST(1) << (mark % 64))) == 0)
		return -1;
	found = bsearch(&mark, query->marks, query->nmarks, sizeof(uint16), CompareMarks);
	return found ? (int) (found - query->marks) : -1;
}

/*
 * sets of marks
 */

static void
Unite(MarkSet *set, const MarkSet *other)
{
	for (int i = 0; i < SKETCH_BITS; i++)
		set->bits[i] |= other->bits[i];
}

static bool
IsWithin(const MarkSet *part, const MarkSet *whole)
{
	for (int i = 0; i < SKETCH_BITS; i++)
	{
		if (part->bits[i] & ~whole->bits[i])
			return false;
	}
	return true;
}

static int
WeightOf(const SketchQuery *query, const MarkSet *set)
{
	int			weight = 0;

	for (int i = 0; i < SKETCH_BITS; i++)
	{
		for (uint64 bits = set->bits[i]; bits; bits &= bits - 1)
			weight += query->weights[64 * i + pg_rightmost_one_pos64(bits)];
	}
	return weight;
}

/*
 * what can come of it
 */

/* covers / 3 * (1 + need) / 2, of SCORE_WHOLE, half-even; "covers" is the sum of three weights. */
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

/* The most that can come of a text that has no more than this of the items' weight and of names and values. */
int
SketchMostOfWeight(const SketchQuery *query, int weight, int needs)
{
	return ScoreOfCovers(query, 3 * weight, Min(needs, query->nneeds));
}

/* What a text is known to have while its sketch is read. */
typedef struct Reading
{
	MarkSet		title;
	MarkSet		before;			/* the sentence before this one */
	MarkSet		sentence;
	MarkSet		all;
	int			best;			/* the most of two covers */
} Reading;

static void
EndSentence(const SketchQuery *query, Reading *reading)
{
	MarkSet		around = reading->title;
	int			covers;

	Unite(&around, &reading->before);
	Unite(&around, &reading->sentence);
	covers = WeightOf(query, &around) + WeightOf(query, &reading->sentence);
	reading->best = Max(reading->best, covers);
	Unite(&reading->all, &reading->sentence);
	reading->before = reading->sentence;
	memset(&reading->sentence, 0, sizeof(MarkSet));
}

static int
NeedsMet(const SketchQuery *query, const MarkSet *all)
{
	int			met = query->nneeds - query->nasked;

	for (int i = 0; i < query->nasked; i++)
		met += IsWithin(&query->needs[i].ways[0], all) || IsWithin(&query->needs[i].ways[1], all);
	return met;
}

/* The most that can come of the text of a sketch. */
int
SketchMost(const SketchQuery *query, const uint8 *sketch, int len)
{
	Reading		reading = {0};
	int			sentences = -1;

	for (int i = 0; i + 1 < len; i += 2)
	{
		uint16		mark = (uint16) (sketch[i] | sketch[i + 1] << 8);
		int			place;

		if (mark != 0)
		{
			place = SketchMarkPlace(query, mark);
			if (place >= 0)
				reading.sentence.bits[place / 64] |= UINT64CONST(1) << (place % 64);
			continue;
		}
		/* the title is first, and beside every sentence */
		if (++sentences == 0)
		{
			reading.title = reading.all = reading.sentence;
			memset(&reading.sentence, 0, sizeof(MarkSet));
		}
		else
			EndSentence(query, &reading);
	}
	return ScoreOfCovers(query, WeightOf(query, &reading.all) + reading.best, NeedsMet(query, &reading.all));
}
