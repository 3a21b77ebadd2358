/*-------------------------------------------------------------------------
 *
 * near_copy.c
 *		Near copies: two sentences that differ only in a value or a negation.
 *
 * Rule: doc/spec/reading.md §10.  Two sentences are compared by their items other than values.
 * They must share at least three of these, and most of the items of both.  Every name of each must
 * be in the other.  Then they have different values of one unit, or exactly one of them is negated,
 * or they say the same.  Paraphrases are never found.
 *
 * Promises: pure and exact; n log n in the items, values and names of the two sentences.  Swapping
 * the sentences swaps the values found, and changes nothing else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "reading/near_copy.h"

/* The least number of shared items, and the least shares, in hundredths, of the smaller and the greater set. */
#define LEAST_SHARED	3
#define SHARE_OF_SMALLER	85
#define SHARE_OF_GREATER	60

/* A sentence, with its reading. */
typedef struct Side
{
	const Reading *reading;
	const ReadSentence *sentence;
	ItemSet		values;			/* items that are values, ascending; repeated values are repeated */
} Side;

static inline const int32 *
ItemsOf(Side side)
{
	return &side.reading->sentence_items[side.sentence->first_item];
}

/*
 * items
 */

static int
OrderItems(const void *a, const void *b)
{
	int32		one = *(const int32 *) a;
	int32		other = *(const int32 *) b;

	return (one > other) - (one < other);
}

static void
FindValueItems(Side *side)
{
	int			count = side->sentence->nvalues;

	if (count == 0)
		return;
	side->values.items = palloc_extended((Size) count * sizeof(int32), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
		side->values.items[i] = side->reading->values[side->sentence->first_value + i].item;
	side->values.count = count;
	qsort(side->values.items, count, sizeof(int32), OrderItems);
}

static void
ForgetValueItems(Side *side)
{
	if (side->values.count > 0)
		pfree(side->values.items);
	side->values.count = 0;
}

/* Returns the number of items of a sentence that are no values. */
static int64
CountPlainItems(Side side)
{
	int64		count = 0;

	for (int i = 0; i < side.sentence->nitems; i++)
	{
		if (!ItemSetHas(&side.values, ItemsOf(side)[i]))
			count++;
	}
	return count;
}

/* Returns the number of these that both have; before values are set, of all items. */
static int64
CountShared(Side a, Side b)
{
	const int32 *of_a = ItemsOf(a);
	const int32 *of_b = ItemsOf(b);
	int64		count = 0;
	int			i = 0;
	int			j = 0;

	while (i < a.sentence->nitems && j < b.sentence->nitems)
	{
		if (of_a[i] < of_b[j])
			i++;
		else if (of_a[i] > of_b[j])
			j++;
		else
		{
			if (!ItemSetHas(&a.values, of_a[i]) && !ItemSetHas(&b.values, of_a[i]))
				count++;
			i++;
			j++;
		}
	}
	return count;
}

static bool
HaveMostItems(Side a, Side b)
{
	int64		shared = CountShared(a, b);
	int64		one = CountPlainItems(a);
	int64		other = CountPlainItems(b);

	return shared >= LEAST_SHARED &&
		shared * 100 >= Min(one, other) * SHARE_OF_SMALLER &&
		shared * 100 >= Max(one, other) * SHARE_OF_GREATER;
}

/* Do the sentences share enough? Most pairs share too little even with values, so these are looked at last. */
static bool
AreClose(Side a, Side b)
{
	bool		close;

	if (CountShared(a, b) < LEAST_SHARED)
		return false;
	FindValueItems(&a);
	FindValueItems(&b);
	close = HaveMostItems(a, b);
	ForgetValueItems(&a);
	ForgetValueItems(&b);
	return close;
}

static bool
HaveSameItems(Side a, Side b)
{
	return a.sentence->nitems == b.sentence->nitems &&
		(a.sentence->nitems == 0 ||
		 memcmp(ItemsOf(a), ItemsOf(b), a.sentence->nitems * sizeof(int32)) == 0);
}

/*
 * names
 */

/* Is every name of one sentence in the other? */
static bool
NamesStandIn(Side names, Side side)
{
	const ReadName *all = names.reading->names + names.sentence->first_name;
	ItemSet		had = ReadSentenceAll(side.reading, (int) (side.sentence - side.reading->sentences));

	for (int i = 0; i < names.sentence->nnames; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!ItemSetHasName(&had, names.reading, &all[i]))
			return false;
	}
	return true;
}

/*
 * values
 */

static int
CompareUnits(const Reader *reader, int a, int b)
{
	int			cmp = a == b ? 0 : SpanOrder(ReaderUnitName(reader, a), ReaderUnitName(reader, b));

	return cmp != 0 ? cmp : (a > b) - (a < b);
}

/* Compares by unit, then by number, then by position. */
static int
OrderValues(const void *a, const void *b, void *reader)
{
	const ReadValue *one = *(const ReadValue *const *) a;
	const ReadValue *other = *(const ReadValue *const *) b;
	int			cmp = CompareUnits(reader, one->unit, other->unit);

	if (cmp == 0)
		cmp = ReadValueCompare(one, other);
	return cmp != 0 ? cmp : (one->begin > other->begin) - (one->begin < other->begin);
}

/* Returns a sentence's values with a unit, in that order. */
static const ReadValue **
SortedValues(Side side, int *count)
{
	const ReadValue **values = palloc_extended(Max((Size) side.sentence->nvalues, 1) * sizeof(ReadValue *),
											   MCXT_ALLOC_HUGE);
	int			n = 0;

	for (int i = 0; i < side.sentence->nvalues; i++)
	{
		const ReadValue *value = &side.reading->values[side.sentence->first_value + i];

		if (value->unit != VALUE_NO_UNIT)
			values[n++] = value;
	}
	if (n > 1)
		qsort_arg(values, n, sizeof(ReadValue *), OrderValues, unconstify(Reader *, side.reading->reader));
	*count = n;
	return values;
}

/* Returns the number of values that have the unit of the first. */
static int
CountOfUnit(const ReadValue *const *values, int count)
{
	int			n = 1;

	while (n < count && values[n]->unit == values[0]->unit)
		n++;
	return n;
}

/* Do two sorted lists with the same unit share a number? */
static bool
HaveCommonNumber(const ReadValue *const *a, int count_a, const ReadValue *const *b, int count_b)
{
	while (count_a > 0 && count_b > 0)
	{
		int			cmp = ReadValueCompare(*a, *b);

		if (cmp == 0)
			return true;
		if (cmp < 0)
			a++, count_a--;
		else
			b++, count_b--;
	}
	return false;
}

/* Finds the first unit of which both have values, but none in common. */
static bool
FindUnitApart(const Reader *reader, const ReadValue *const *a, int count_a,
			  const ReadValue *const *b, int count_b, SlotFound *found)
{
	while (count_a > 0 && count_b > 0)
	{
		int			cmp = CompareUnits(reader, (*a)->unit, (*b)->unit);
		int			of_a = cmp <= 0 ? CountOfUnit(a, count_a) : 0;
		int			of_b = cmp >= 0 ? CountOfUnit(b, count_b) : 0;

		CHECK_FOR_INTERRUPTS();
		if (cmp == 0 && !HaveCommonNumber(a, of_a, b, of_b))
		{
			*found = (SlotFound) {(*a)->unit, *a, *b};
			return true;
		}
		a += of_a;
		count_a -= of_a;
		b += of_b;
		count_b -= of_b;
	}
	return false;
}

static bool
HaveOtherValues(Side a, Side b, SlotFound *found)
{
	int			count_a;
	int			count_b;
	const ReadValue **of_a;
	const ReadValue **of_b;
	bool		apart;

	if (a.sentence->nvalues == 0 || b.sentence->nvalues == 0)
		return false;
	of_a = SortedValues(a, &count_a);
	of_b = SortedValues(b, &count_b);
	apart = FindUnitApart(a.reading->reader, of_a, count_a, of_b, count_b, found);
	pfree(of_a);
	pfree(of_b);
	return apart;
}

Slot
SlotOf(const Reading *a, int sentence_a, const Reading *b, int sentence_b, SlotFound *found)
{
	Side		one = {a, &a->sentences[sentence_a], {0, NULL}};
	Side		other = {b, &b->sentences[sentence_b], {0, NULL}};
	SlotFound	unit = {VALUE_NO_UNIT, NULL, NULL};
	Slot		slot;

	if (!AreClose(one, other) || !NamesStandIn(one, other) || !NamesStandIn(other, one))
		slot = SLOT_NONE;
	else if (HaveOtherValues(one, other, &unit))
		slot = SLOT_VALUE;
	else if (one.sentence->negated != other.sentence->negated && HaveSameItems(one, other))
		slot = SLOT_NEGATION;
	else
		slot = SLOT_SAME;
	if (found != NULL)
		*found = unit;
	return slot;
}
