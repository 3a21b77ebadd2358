/*-------------------------------------------------------------------------
 *
 * composite.c
 *		The verdict of a batch of checks, and its confidence.
 *
 * Rule: doc/spec/answer-eval.md §5.  The weakest premise caps a conjunction.
 * The best evidenced counterexample sets a contradiction.  Nothing is
 * multiplied.
 *
 * The whole state is one 64-bit integer, passed by value:
 *
 *		bits 0-4	which kinds of row were seen (SEEN_*)
 *		bits 5-11	greatest confidence, in hundredths, of a required
 *					contradicted check
 *		bits 12-18	least confidence, in hundredths, of a required check
 *		bits 19-62	number of rows
 *
 * Rounding to hundredths is monotone: the rounded minimum is the minimum of
 * the rounded values.  So confidences are rounded on arrival and compared as
 * integers.  That makes the state exact: any order and any partition of the
 * rows, in parallel workers or on the shards of a cluster, gives the same
 * bits.  SQL sees the state as bigint, which every node can send to every
 * other.  Nothing is allocated per row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#include "base/funcargs.h"
#include "check/composite.h"

#define SEEN_CONTRADICTED	UINT64CONST(1)	/* required */
#define SEEN_INSUFFICIENT	UINT64CONST(2)	/* required */
#define SEEN_SUPPORTED		UINT64CONST(4)	/* required */
#define SEEN_REQUIRED		UINT64CONST(8)
#define SEEN_DEGRADED		UINT64CONST(16)	/* required or not */
#define SEEN_MASK			UINT64CONST(31)

#define GREATEST_SHIFT		5
#define LEAST_SHIFT			12
#define COUNT_SHIFT			19
#define HUNDREDTHS_MASK		UINT64CONST(127)
#define COUNT_ONE			(UINT64CONST(1) << COUNT_SHIFT)
#define COUNT_MAX			((UINT64CONST(1) << 44) - 1)

#define FULL_CONFIDENCE		100

/*
 * Rounds a confidence from 0 to 1 to hundredths as Python's round(x, 2) does: to the
 * nearest hundredth of the binary double, ties to even.  The fused multiply-add rounds
 * only once, so the sign of "100 x minus the midpoint" is exact.
 */
int
ConfidenceHundredths(double confidence)
{
	double		floor_ = floor(confidence * 100);
	double		above = fma(confidence, 100, -(floor_ + 0.5));
	int			whole = (int) floor_;

	if (above > 0 || (above == 0 && whole % 2 != 0))
		whole++;
	return whole;
}

CompositeState
CompositeInit(void)
{
	return (CompositeState) FULL_CONFIDENCE << LEAST_SHIFT;
}

static inline int
GetGreatest(CompositeState state)
{
	return (state >> GREATEST_SHIFT) & HUNDREDTHS_MASK;
}

static inline int
GetLeast(CompositeState state)
{
	return (state >> LEAST_SHIFT) & HUNDREDTHS_MASK;
}

static inline CompositeState
MakeState(CompositeState seen, int greatest, int least, uint64 count)
{
	return seen | (CompositeState) greatest << GREATEST_SHIFT |
		(CompositeState) least << LEAST_SHIFT | count << COUNT_SHIFT;
}

/* Can our own functions have made this state? */
static inline bool
IsState(CompositeState state)
{
	return GetGreatest(state) <= FULL_CONFIDENCE && GetLeast(state) <= FULL_CONFIDENCE &&
		state >> COUNT_SHIFT <= COUNT_MAX;
}

/*
 * Adds a check.  Returns false if the confidence is not from 0 to 1, or if there are too
 * many rows.
 */
bool
CompositeAdd(CompositeState *state, Verdict verdict, double confidence, bool required)
{
	CompositeState seen = *state & SEEN_MASK;
	uint64		count = *state >> COUNT_SHIFT;
	int			hundredths;

	if (!(confidence >= 0 && confidence <= 1) || count == COUNT_MAX)
		return false;
	if (verdict == VERDICT_EVIDENCE_UNAVAILABLE ||
		verdict == VERDICT_OUTSIDE_EVIDENCE_COVERAGE ||
		verdict == VERDICT_NOT_CHECKED)
		seen |= SEEN_DEGRADED;
	if (!required)
	{
		*state = (*state + COUNT_ONE) | seen;
		return true;
	}

	hundredths = ConfidenceHundredths(confidence);
	seen |= SEEN_REQUIRED;
	switch (verdict)
	{
		case VERDICT_CONTRADICTED:
			*state = MakeState(seen | SEEN_CONTRADICTED,
							   Max(GetGreatest(*state), hundredths),
							   Min(GetLeast(*state), hundredths), count + 1);
			return true;
		case VERDICT_SUPPORTED:
			seen |= SEEN_SUPPORTED;
			break;
		case VERDICT_VALUE:
			break;
		default:
			seen |= SEEN_INSUFFICIENT;
			break;
	}
	*state = MakeState(seen, GetGreatest(*state), Min(GetLeast(*state), hundredths), count + 1);
	return true;
}

/* Adds another state.  Returns false if there are too many rows. */
static bool
CompositeCombine(CompositeState *state, CompositeState other)
{
	uint64		count = (*state >> COUNT_SHIFT) + (other >> COUNT_SHIFT);

	if (count > COUNT_MAX)
		return false;
	*state = MakeState((*state | other) & SEEN_MASK,
					   Max(GetGreatest(*state), GetGreatest(other)),
					   Min(GetLeast(*state), GetLeast(other)), count);
	return true;
}

Composite
CompositeResult(CompositeState state)
{
	Composite	composite;

	composite.checks = state >> COUNT_SHIFT;
	composite.degraded = (state & SEEN_DEGRADED) != 0;
	composite.hundredths = (state & SEEN_REQUIRED) ? GetLeast(state) : 0;
	if (state & SEEN_CONTRADICTED)
	{
		composite.verdict = COMPOSITE_CONTRADICTED;
		composite.hundredths = GetGreatest(state);
	}
	else if (state & SEEN_INSUFFICIENT)
	{
		composite.verdict = COMPOSITE_INSUFFICIENT_EVIDENCE;
		composite.hundredths = 0;
	}
	else
		composite.verdict = (state & SEEN_SUPPORTED) ?
			COMPOSITE_SUPPORTED : COMPOSITE_EVIDENCED;
	return composite;
}

/* Returns a number of hundredths as a JSON number in its portable form. */
JsonView
HundredthsView(int hundredths)
{
	Numeric		numeric = int64_div_fast_to_numeric(hundredths, 2);

	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale,
																 NumericGetDatum(numeric))));
}

/*
 * SQL
 */

static CompositeState
StateOfArgument(FunctionCallInfo fcinfo, int n)
{
	CompositeState state;

	if (PG_ARGISNULL(n))
		return CompositeInit();
	state = (CompositeState) PG_GETARG_INT64(n);
	if (!IsState(state))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid state of aggregate answer_composite")));
	return state;
}

static void
RefuseMoreRows(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("too many rows for aggregate answer_composite")));
}

PG_FUNCTION_INFO_V1(answer_eval_composite_add);
Datum
answer_eval_composite_add(PG_FUNCTION_ARGS)
{
	CompositeState state = StateOfArgument(fcinfo, 0);
	Vocabulary *verdicts = fcinfo->flinfo->fn_extra;
	double		confidence = PG_ARGISNULL(2) ? 0 : PG_GETARG_FLOAT8(2);

	if (PG_ARGISNULL(1) || PG_ARGISNULL(3))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", PG_ARGISNULL(1) ? "verdict" : "required")));
	if (verdicts == NULL)
	{
		Oid		   *argtypes;
		int			nargs;

		/* from the catalog, because not every caller gives us an expression to look at */
		(void) get_func_signature(fcinfo->flinfo->fn_oid, &argtypes, &nargs);
		verdicts = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Vocabulary));
		VocabularyLookup(verdicts, argtypes[1], verdict_labels);
		fcinfo->flinfo->fn_extra = verdicts;
	}
	if (!(confidence >= 0 && confidence <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("confidence must be from 0 to 1"),
				 errdetail("It is %g.", confidence)));
	if (!CompositeAdd(&state, (Verdict) VocabularyIndex(verdicts, PG_GETARG_OID(1)),
					  confidence, PG_GETARG_BOOL(3)))
		RefuseMoreRows();
	PG_RETURN_INT64((int64) state);
}

PG_FUNCTION_INFO_V1(answer_eval_composite_combine);
Datum
answer_eval_composite_combine(PG_FUNCTION_ARGS)
{
	CompositeState state = StateOfArgument(fcinfo, 0);

	if (!CompositeCombine(&state, StateOfArgument(fcinfo, 1)))
		RefuseMoreRows();
	PG_RETURN_INT64((int64) state);
}

/* What a call site of the final function caches. */
typedef struct FinalCache
{
	TupleDesc	tupdesc;
	Vocabulary	verdicts;
} FinalCache;

PG_FUNCTION_INFO_V1(answer_eval_composite_final);
Datum
answer_eval_composite_final(PG_FUNCTION_ARGS)
{
	Composite	composite = CompositeResult(StateOfArgument(fcinfo, 0));
	FinalCache *cache = fcinfo->flinfo->fn_extra;
	Datum		values[4];
	bool		nulls[4] = {false, false, false, false};

	if (cache == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		cache = palloc0(sizeof(FinalCache));
		cache->tupdesc = ResultRowType(fcinfo);
		VocabularyLookup(&cache->verdicts, TupleDescAttr(cache->tupdesc, 0)->atttypid,
						 composite_labels);
		MemoryContextSwitchTo(caller);
		fcinfo->flinfo->fn_extra = cache;
	}
	values[0] = ObjectIdGetDatum(cache->verdicts.oids[composite.verdict]);
	values[1] = Float8GetDatum(composite.hundredths / 100.0);
	values[2] = BoolGetDatum(composite.degraded);
	values[3] = Int64GetDatum(composite.checks);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(cache->tupdesc, values, nulls)));
}
