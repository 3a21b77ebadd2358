/*-------------------------------------------------------------------------
 *
 * near_copy.c
 *		Near copies: two sentences that say the same but for a value or a negation.
 *
 * Rule: doc/spec/reading.md §10.  Two sentences are compared by their items
 * that are no values: at least three are shared, which are most of the items
 * of both; and every name of each stands in the other.  Then either they have
 * different values of one unit, or one of them alone is negated, or they say
 * the same.  A paraphrase is never found.
 *
 * Promises: pure and exact; n log n in the items, values and names of the two
 * sentences.  Swapping these swaps the values found, and changes nothing else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "reading/near_copy.h"

/* So many items are shared, and so many hundredths of the smaller and of the greater set. */
#define LEAST_SHARED	3
#define SHARE_OF_SMALLER	85
#define SHARE_OF_GREATER	60

/* A sentence with the reading that it is of. */
typedef struct Side
{
	const Reading *reading;
	const ReadSentence *sentence;
	ItemSet		values;			/* those of its items that are values, ascending, a value said twice there twice */
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

/* Returns how many items of a sentence are no values. */
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

/* Returns how many of those both have; as long as values are not looked at, of all items. */
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

/* Most pairs share too little even with their values, and are done without looking at these. */
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

/* Does every name of one sentence stand in the other? */
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

/* By unit, then by number, then as they stand in the text. */
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

/* A sentence's values that have a unit, in that order. */
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

/* Returns how many values from the first on have its unit. */
static int
CountOfUnit(const ReadValue *const *values, int count)
{
	int			n = 1;

	while (n < count && values[n]->unit == values[0]->unit)
		n++;
	return n;
}

/* Of one unit, sorted. */
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

/* The first unit of which both have values and none in common. */
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
