/*-------------------------------------------------------------------------
 *
 * slot.c
 *		Near copies: two sentences that say the same but for a value or a negation.
 *
 * The rule is section 8 of the contract of reading.  Two sentences are compared
 * by their items that are no values: at least three are shared, which are most
 * of the items of both; and every name of each stands in the other.  Then either
 * they have different values of one unit, or one of them alone is negated, or
 * they say the same.  A paraphrase is never found.
 *
 * Promises: pure and exact; linear in the sentences' items, n log n in their
 * values.  Swapping the sentences swaps the values found, and changes nothing else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "reading/slot.h"

/* So many items are shared, and so many hundredths of the smaller and of the greater set. */
#define LEAST_SHARED	3
#define SHARE_OF_SMALLER	85
#define SHARE_OF_GREATER	60

/* A sentence with the reading that it is of. */
typedef struct Side
{
	const Reading *reading;
	const ReadSentence *sentence;
} Side;

static inline const int32 *
ItemsOf(Side side)
{
	return &side.reading->sentence_items[side.sentence->first_item];
}

/*
 * items
 */

/* Is an item of a sentence one of its values? */
static bool
IsValue(Side side, int32 item)
{
	const ReadValue *values = side.reading->values + side.sentence->first_value;

	for (int i = 0; i < side.sentence->nvalues; i++)
	{
		if (values[i].item == item)
			return true;
	}
	return false;
}

/* How many items of a sentence are no values. */
static int64
CountPlainItems(Side side)
{
	int64		count = 0;

	for (int i = 0; i < side.sentence->nitems; i++)
	{
		if (!IsValue(side, ItemsOf(side)[i]))
			count++;
	}
	return count;
}

/* How many of those both have. */
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
			if (!IsValue(a, of_a[i]) && !IsValue(b, of_a[i]))
				count++;
			i++;
			j++;
		}
	}
	return count;
}

static bool
AreClose(Side a, Side b)
{
	int64		shared = CountShared(a, b);
	int64		one;
	int64		other;

	if (shared < LEAST_SHARED)
		return false;
	one = CountPlainItems(a);
	other = CountPlainItems(b);
	return shared * 100 >= Min(one, other) * SHARE_OF_SMALLER &&
		shared * 100 >= Max(one, other) * SHARE_OF_GREATER;
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

static bool
SideHas(Side side, int item)
{
	ItemSet		all;

	all.count = side.sentence->nall;
	all.items = &side.reading->sentence_all[side.sentence->first_all];
	return ItemSetHas(&all, item);
}

static bool
SideHasName(Side side, const Reading *of, const ReadName *name)
{
	if (SideHas(side, name->item))
		return true;
	for (int i = 0; i < name->nparts; i++)
	{
		if (!SideHas(side, of->parts[name->first_part + i]))
			return false;
	}
	return name->nparts > 0;
}

/* Does every name of one sentence stand in the other? */
static bool
NamesStandIn(Side names, Side side)
{
	for (int i = 0; i < names.sentence->nnames; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!SideHasName(side, names.reading, &names.reading->names[names.sentence->first_name + i]))
			return false;
	}
	return true;
}

/*
 * values
 */

static int
CompareNumbers(const ReadValue *a, const ReadValue *b)
{
	const char *point_of_a = memchr(a->number.str, '.', a->number.len);
	const char *point_of_b = memchr(b->number.str, '.', b->number.len);
	int			whole_of_a = point_of_a != NULL ? (int) (point_of_a - a->number.str) : a->number.len;
	int			whole_of_b = point_of_b != NULL ? (int) (point_of_b - b->number.str) : b->number.len;

	if (whole_of_a != whole_of_b)
		return whole_of_a > whole_of_b ? 1 : -1;
	return SpanOrder(a->number, b->number);
}

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
		cmp = CompareNumbers(one, other);
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

/* How many values from the first on have its unit. */
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
		int			cmp = CompareNumbers(*a, *b);

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
	Side		one = {a, &a->sentences[sentence_a]};
	Side		other = {b, &b->sentences[sentence_b]};
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
