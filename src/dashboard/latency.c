/*-------------------------------------------------------------------------
 *
 * latency.c
 *		Stores many durations in few bytes, for percentiles over any time window.
 *
 * Manual: doc/dashboard.md, "How exact it is".  A bag of durations in microseconds is
 * stored as its distinct values with their counts.  With up to EXACT_MOST distinct values
 * it is exact.  A larger one stores the middle of the bin of each value.  Each octave has
 * KEPT_STEPS bins, so no value is off by more than one part in 2 * KEPT_STEPS.  A rounded
 * bag stays rounded, and if one bag of a union is rounded, all are.  So the order in which
 * bags are united does not matter.
 *
 * The stored form is a byte, 1 if the bag is rounded, and then pairs in ascending order of
 * values: the difference to the previous value, and the count.  Numbers are in bytes of 7
 * bits, lowest first; all but the last byte have the high bit set.
 *
 * Promises: pure; memory is bounded, whatever is added; malformed bags are refused.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "common/int.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "base/grow.h"

#define EXACT_MOST		1000	/* distinct values */
#define FIRST_ROOM		4
#define EXACT_ROOM		4096	/* values before they are sorted */
#define KEPT_BITS		8
#define KEPT_STEPS		(1 << KEPT_BITS)
#define MOST_BITS		43		/* about three months; longer durations count as that */
#define MOST_VALUE		((UINT64CONST(1) << MOST_BITS) - 1)
#define BINS			((MOST_BITS - KEPT_BITS + 1) * KEPT_STEPS)

typedef struct LatencyPair
{
	uint64		value;
	int64		count;
} LatencyPair;

/* A bag under construction. */
typedef struct LatencyBag
{
	MemoryContext context;
	int64	   *bins;			/* NULL while it is exact */
	int			npairs;
	int			room;			/* capacity, at most EXACT_ROOM */
	LatencyPair *pairs;
} LatencyBag;

static LatencyBag *
BagNew(MemoryContext context)
{
	LatencyBag *bag = MemoryContextAllocZero(context, sizeof(LatencyBag));

	bag->context = context;
	/* most bags are small; there are many for each minute, filled at the same time */
	bag->room = FIRST_ROOM;
	bag->pairs = MemoryContextAlloc(context, sizeof(LatencyPair) * FIRST_ROOM);
	return bag;
}

/*
 * bins
 */

/*
 * Returns the bin of a value.  Values below 2 * KEPT_STEPS have a bin each; above,
 * each octave has KEPT_STEPS bins.
 */
static int
BinOf(uint64 value)
{
	int			shift;

	if (value < 2 * KEPT_STEPS)
		return (int) value;
	shift = pg_leftmost_one_pos64(value) - KEPT_BITS;
	return shift * KEPT_STEPS + (int) (value >> shift);
}

/* Returns the middle of a bin. */
static uint64
ValueOfBin(int bin)
{
	int			shift;

	if (bin < 2 * KEPT_STEPS)
		return bin;
	shift = bin / KEPT_STEPS - 1;
	return ((uint64) (bin - shift * KEPT_STEPS) << shift) + (UINT64CONST(1) << (shift - 1));
}

static _Noreturn void
RefuseBag(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("this is no bag of latencies"),
			 errhint("Rebuild the roll-up with answer_rollup_rebuild().")));
}

static void
AddCount(int64 *sum, int64 count)
{
	if (pg_add_s64_overflow(*sum, count, sum))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("too many latencies")));
}

/*
 * filling
 */

static int
ComparePairs(const void *a, const void *b)
{
	uint64		left = ((const LatencyPair *) a)->value;
	uint64		right = ((const LatencyPair *) b)->value;

	return left < right ? -1 : left > right;
}

/* Sorts the pairs, and joins those with the same value. */
static void
BagSettle(LatencyBag *bag)
{
	int			kept = 0;

	qsort(bag->pairs, bag->npairs, sizeof(LatencyPair), ComparePairs);
	for (int i = 0; i < bag->npairs; i++)
	{
		if (kept > 0 && bag->pairs[kept - 1].value == bag->pairs[i].value)
			AddCount(&bag->pairs[kept - 1].count, bag->pairs[i].count);
		else
			bag->pairs[kept++] = bag->pairs[i];
	}
	bag->npairs = kept;
}

static void
BagRound(LatencyBag *bag)
{
	if (bag->bins)
		return;
	bag->bins = MemoryContextAllocZero(bag->context, sizeof(int64) * BINS);
	for (int i = 0; i < bag->npairs; i++)
		AddCount(&bag->bins[BinOf(bag->pairs[i].value)], bag->pairs[i].count);
	bag->npairs = 0;
}

static void
BagAdd(LatencyBag *bag, uint64 value, int64 count)
{
	value = Min(value, MOST_VALUE);
	if (bag->bins == NULL && bag->npairs == EXACT_ROOM)
	{
		BagSettle(bag);
		if (bag->npairs > EXACT_MOST)
			BagRound(bag);
	}
	else if (bag->bins == NULL)
		GROW_ARRAY(bag->pairs, bag->npairs, bag->room, FIRST_ROOM);
	if (bag->bins)
		AddCount(&bag->bins[BinOf(value)], count);
	else
		bag->pairs[bag->npairs++] = (LatencyPair) {value, count};
}

/*
 * the stored form
 */

static uint64
ReadNumber(const uint8 **at, const uint8 *end)
{
	uint64		number = 0;

	for (int shift = 0; *at < end && shift < 63; shift += 7)
	{
		uint8		byte = *(*at)++;

		number |= (uint64) (byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	RefuseBag();
}

static uint8 *
WriteNumber(uint8 *at, uint64 number)
{
	while (number >= 0x80)
	{
		*at++ = (uint8) (number | 0x80);
		number >>= 7;
	}
	*at++ = (uint8) number;
	return at;
}

/* Reads a pair; on entry *value is the previous value. */
static void
ReadPair(const uint8 **at, const uint8 *end, uint64 *value, int64 *count)
{
	uint64		distance = ReadNumber(at, end);

	*count = (int64) ReadNumber(at, end);
	if (distance > MOST_VALUE || *value + distance > MOST_VALUE || *count <= 0)
		RefuseBag();
	*value += distance;
}

static void
BagAddStored(LatencyBag *bag, const bytea *stored)
{
	const uint8 *at = (const uint8 *) VARDATA_ANY(stored);
	const uint8 *end = at + VARSIZE_ANY_EXHDR(stored);
	uint64		value = 0;
	int64		count;

	if (at == end || *at > 1)
		RefuseBag();
	if (*at++ == 1)
		BagRound(bag);
	while (at < end)
	{
		ReadPair(&at, end, &value, &count);
		BagAdd(bag, value, count);
	}
}

static bytea *
BagStore(LatencyBag *bag)
{
	bytea	   *stored;
	uint8	   *at;
	uint64		before = 0;
	int			most;

	if (bag->bins == NULL)
	{
		BagSettle(bag);
		if (bag->npairs > EXACT_MOST)
			BagRound(bag);
	}
	most = bag->bins ? BINS : bag->npairs;
	/* each number has at most 10 bytes */
	stored = palloc(VARHDRSZ + 1 + (Size) most * 20);
	at = (uint8 *) VARDATA(stored);
	*at++ = bag->bins != NULL;
	for (int i = 0; i < most; i++)
	{
		LatencyPair pair = bag->bins ? (LatencyPair) {bag->bins[i] > 0 ? ValueOfBin(i) : 0, bag->bins[i]} : bag->pairs[i];

		if (pair.count == 0)
			continue;
		at = WriteNumber(at, pair.value - before);
		at = WriteNumber(at, pair.count);
		before = pair.value;
	}
	SET_VARSIZE(stored, (char *) at - (char *) stored);
	return stored;
}

/*
 * SQL
 */

/* answer.latency_bag(microseconds): a bag of one value; NULL for NULL */
PG_FUNCTION_INFO_V1(answer_eval_latency_bag);
Datum
answer_eval_latency_bag(PG_FUNCTION_ARGS)
{
	int64		microseconds = PG_GETARG_INT64(0);
	bytea	   *stored = palloc(VARHDRSZ + 21);
	uint8	   *at = (uint8 *) VARDATA(stored);

	*at++ = 0;
	at = WriteNumber(at, Min((uint64) Max(microseconds, 0), MOST_VALUE));
	at = WriteNumber(at, 1);
	SET_VARSIZE(stored, (char *) at - (char *) stored);
	PG_RETURN_BYTEA_P(stored);
}

/* transition function of the aggregate answer.latency_union(bytea) */
PG_FUNCTION_INFO_V1(answer_eval_latency_add);
Datum
answer_eval_latency_add(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	LatencyBag *bag;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "answer.latency_add() was called outside an aggregate");
	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_POINTER(PG_GETARG_POINTER(0));
	}
	bag = PG_ARGISNULL(0) ? BagNew(context) : (LatencyBag *) PG_GETARG_POINTER(0);
	BagAddStored(bag, PG_GETARG_BYTEA_PP(1));
	PG_RETURN_POINTER(bag);
}

PG_FUNCTION_INFO_V1(answer_eval_latency_final);
Datum
answer_eval_latency_final(PG_FUNCTION_ARGS)
{
	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "answer.latency_final() was called outside an aggregate");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(BagStore((LatencyBag *) PG_GETARG_POINTER(0)));
}

/* answer.latency_union(a, b): the union of two bags; NULL counts as empty */
PG_FUNCTION_INFO_V1(answer_eval_latency_union);
Datum
answer_eval_latency_union(PG_FUNCTION_ARGS)
{
	LatencyBag *bag = NULL;

	for (int i = 0; i < 2; i++)
	{
		if (PG_ARGISNULL(i))
			continue;
		if (bag == NULL)
			bag = BagNew(CurrentMemoryContext);
		BagAddStored(bag, PG_GETARG_BYTEA_PP(i));
	}
	if (bag == NULL)
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(BagStore(bag));
}

/*
 * answer.latency_percentile(bag, fraction): percentile_cont(fraction) over the
 * values of the bag, in microseconds
 */
PG_FUNCTION_INFO_V1(answer_eval_latency_percentile);
Datum
answer_eval_latency_percentile(PG_FUNCTION_ARGS)
{
	bytea	   *stored = PG_GETARG_BYTEA_PP(0);
	double		fraction = PG_GETARG_FLOAT8(1);
	const uint8 *begin = (const uint8 *) VARDATA_ANY(stored);
	const uint8 *end = begin + VARSIZE_ANY_EXHDR(stored);
	const uint8 *at = begin + 1;
	uint64		value = 0;
	int64		count;
	int64		total = 0;
	int64		seen = 0;
	double		row;
	double		below;
	double		lower = -1;

	if (!(fraction >= 0 && fraction <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("percentile value %g is not between 0 and 1", fraction)));
	if (begin == end || *begin > 1)
		RefuseBag();
	while (at < end)
	{
		ReadPair(&at, end, &value, &count);
		AddCount(&total, count);
	}
	if (total == 0)
		PG_RETURN_NULL();
	row = fraction * (double) (total - 1);
	below = floor(row);
	at = begin + 1;
	value = 0;
	while (at < end)
	{
		ReadPair(&at, end, &value, &count);
		seen += count;
		if (lower < 0 && (double) seen > below)
			lower = (double) value;
		if ((double) seen > ceil(row))
			break;
	}
	/* as the server's own percentile_cont() */
	PG_RETURN_FLOAT8(lower + (row - below) * ((double) value - lower));
}
