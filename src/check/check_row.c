/*-------------------------------------------------------------------------
 *
 * check_row.c
 *		answer_check(): takes a check and its evidence, returns a row.
 *
 * Rule: doc/spec/answer-eval.md §4.
 *
 * This is the SQL edge of check.c.  One call site usually has one check and
 * many facts.  So the check is parsed once, and a row that differs from an
 * earlier row only in its numbers is a copy of that row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "check/check_explain.h"

/*
 * A row that answer_check returned for an ordinary number.  If a check gives the same
 * answer for two facts, only the observed number and the confidence differ.  So the
 * next row is a copy of this one with those bytes replaced, which is much cheaper than
 * building it.
 */
typedef struct Rendered
{
	const char *reason;
	const char *note;
	Size		number_size;	/* 0 if nothing is cached yet */
	HeapTupleHeader row;
	Size		row_size;
	Size		confidence_at;	/* offsets in the row */
	Size		observed_at;
	Size		explain_at;
} Rendered;

#define RENDERED_SIZES	4		/* how many different sizes of numbers are cached */

/* What a call site of answer_check keeps between rows. */
typedef struct CheckCache
{
	MemoryContext context;		/* for source and check */
	Jsonb	   *source;
	Check		check;
	TupleDesc	tupdesc;
	Vocabulary	verdicts;
	Rendered	rendered[OUTCOME_NOT_EVALUABLE + 1][RENDERED_SIZES];
} CheckCache;

static CheckCache *
CheckCacheOf(FunctionCallInfo fcinfo)
{
	CheckCache *cache = fcinfo->flinfo->fn_extra;
	MemoryContext caller;

	if (cache)
		return cache;
	caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	cache = palloc0(sizeof(CheckCache));
	cache->tupdesc = ResultRowType(fcinfo);
	cache->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
										   "answer_eval check", ALLOCSET_SMALL_SIZES);
	VocabularyLookup(&cache->verdicts, TupleDescAttr(cache->tupdesc, 0)->atttypid,
					 verdict_labels);
	MemoryContextSwitchTo(caller);
	fcinfo->flinfo->fn_extra = cache;
	return cache;
}

/* Parses the check, unless it is the same as for the previous row. */
static const Check *
CachedPlan(CheckCache *cache, Jsonb *check)
{
	MemoryContext caller;
	JsonView	view;
	RequestError error;

	if (cache->source && VARSIZE(cache->source) == VARSIZE(check) &&
		memcmp(cache->source, check, VARSIZE(check)) == 0)
		return &cache->check;

	cache->source = NULL;
	memset(cache->rendered, 0, sizeof(cache->rendered));
	MemoryContextReset(cache->context);
	caller = MemoryContextSwitchTo(cache->context);
	check = memcpy(palloc(VARSIZE(check)), check, VARSIZE(check));
	memset(&error, 0, sizeof(error));
	JsonViewOfJsonb(check, &view);
	if (!CheckParse(&view, 1, false, &cache->check, &error))
		RequestRaise(&error);
	cache->source = check;
	MemoryContextSwitchTo(caller);
	return &cache->check;
}

/* Builds a new row. */
static HeapTupleHeader
RenderRow(CheckCache *cache, const CheckResult *result)
{
	JsonView	explain = CheckExplain(&cache->check, result);
	Datum		values[4];
	bool		nulls[4] = {false, false, false, false};

	values[0] = ObjectIdGetDatum(cache->verdicts.oids[result->verdict]);
	values[1] = Float8GetDatum(result->confidence);
	values[2] = (Datum) 0;
	nulls[2] = result->observed.type == JVIEW_ABSENT;
	if (!nulls[2])
		values[2] = JsonbPGetDatum(JsonViewToJsonb(&result->observed, true));
	values[3] = JsonbPGetDatum(JsonViewToJsonb(&explain, true));
	return heap_form_tuple(cache->tupdesc, values, nulls)->t_data;
}

/*
 * Returns the offset of a number in the row.  The jsonb in the row may have a short
 * header and no alignment; "aligned" is a copy that has both.
 */
static Size
NumberAt(HeapTupleHeader row, Datum stored, const Jsonb *aligned, Numeric number)
{
	return (VARDATA_ANY(DatumGetPointer(stored)) - (char *) row) +
		((char *) number - VARDATA(aligned));
}

/* Caches a row for later facts with the same answer. */
static void
FillRendered(CheckCache *cache, const CheckResult *result, Size number_size,
			 HeapTupleHeader row, Rendered *rendered)
{
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
	Jsonb	   *jsonb;
	Datum		values[4];
	bool		nulls[4];
	JsonView	view;
	JsonView	expectations;
	JsonView	expectation;

	if (rendered->number_size > 0)
		pfree(rendered->row);
	rendered->number_size = 0;
	rendered->row = MemoryContextAlloc(cache->context, tuple.t_len);
	rendered->row_size = tuple.t_len;
	memcpy(rendered->row, row, tuple.t_len);

	heap_deform_tuple(&tuple, cache->tupdesc, values, nulls);
	rendered->confidence_at = row->t_hoff + att_align_nominal(sizeof(Oid), TYPALIGN_DOUBLE);

	jsonb = DatumGetJsonbP(values[2]);
	JsonViewOfJsonb(jsonb, &view);
	rendered->observed_at = NumberAt(row, values[2], jsonb, view.u.numeric);

	jsonb = DatumGetJsonbP(values[3]);
	JsonViewOfJsonb(jsonb, &view);
	JsonViewGetMember(&view, "expectations", &expectations);
	JsonViewElement(&expectations, 0, &expectation);
	JsonViewGetMember(&expectation, "observed", &view);
	rendered->explain_at = NumberAt(row, values[3], jsonb, view.u.numeric);

	rendered->reason = result->expect[0].answer.reason;
	rendered->note = result->expect[0].answer.note;
	rendered->number_size = number_size;
}

/*
 * Gives the number that a row will show; returns false if the value is not a number or
 * becomes a string.
 */
static bool
PortableNumber(const JsonView *observed, Numeric *number)
{
	JsonView	portable;

	if (observed->type != JVIEW_NUMBER || !observed->is_jsonb)
		return false;
	*number = observed->u.numeric;
	if (observed->is_ordinary)
		return true;
	if (!JsonViewPortable(observed, &portable) || portable.type != JVIEW_NUMBER)
		return false;
	*number = portable.u.numeric;
	return true;
}

/* Returns the row for one fact, from the cache if possible. */
static HeapTupleHeader
ResultRow(CheckCache *cache, const CheckResult *result)
{
	const OperatorResult *answer = &result->expect[0].answer;
	Rendered   *rendered;
	HeapTupleHeader row;
	Numeric		number;
	Size		size;

	/* a fact that is not fresh has an explanation of its own */
	if (cache->check.nexpect != 1 || result->below || result->stale >= 0 || result->verdict == VERDICT_VALUE ||
		result->verdict == VERDICT_EVIDENCE_UNAVAILABLE ||
		!PortableNumber(&result->observed, &number))
		return RenderRow(cache, result);

	size = VARSIZE(number);
	rendered = &cache->rendered[answer->outcome][size / 2 % RENDERED_SIZES];
	if (rendered->number_size != size || rendered->reason != answer->reason ||
		rendered->note != answer->note)
	{
		row = RenderRow(cache, result);
		FillRendered(cache, result, size, row, rendered);
		return row;
	}
	row = memcpy(palloc(rendered->row_size), rendered->row, rendered->row_size);
	memcpy((char *) row + rendered->confidence_at, &result->confidence, sizeof(double));
	memcpy((char *) row + rendered->observed_at, number, size);
	memcpy((char *) row + rendered->explain_at, number, size);
	return row;
}

/* Reads the evidence argument: one fact, or an array of them. */
static JsonView *
FactsOf(FunctionCallInfo fcinfo, int n, JsonView *single, int *nfacts)
{
	JsonView   *facts;

	*nfacts = 0;
	if (PG_ARGISNULL(n))
		return NULL;
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), single);
	if (single->type == JVIEW_OBJECT)
	{
		*nfacts = 1;
		return single;
	}
	if (single->type != JVIEW_ARRAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("evidence must be a fact or an array of facts")));
	*nfacts = JsonViewCount(single);
	facts = palloc_extended(sizeof(JsonView) * (Size) Max(*nfacts, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *nfacts; i++)
	{
		JsonViewElement(single, i, &facts[i]);
		if (facts[i].type != JVIEW_OBJECT)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("evidence must be a fact or an array of facts"),
					 errdetail("Element %d is no object.", i)));
	}
	return facts;
}

PG_FUNCTION_INFO_V1(answer_eval_check);
Datum
answer_eval_check(PG_FUNCTION_ARGS)
{
	CheckCache *cache;
	const Check *check;
	CheckResult result;
	JsonView	single;
	JsonView   *facts;
	int			nfacts;
	TimestampTz evaluated_at;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", PG_ARGISNULL(0) ? "check" : "evaluated_at")));
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "check");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "evidence");
	evaluated_at = PG_GETARG_TIMESTAMPTZ(2);
	if (TIMESTAMP_NOT_FINITE(evaluated_at))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("evaluated_at must be finite")));
	cache = CheckCacheOf(fcinfo);
	check = CachedPlan(cache, PG_GETARG_JSONB_P(0));
	facts = FactsOf(fcinfo, 1, &single, &nfacts);
	CheckEvaluate(check, facts, nfacts, evaluated_at, &result);

	PG_RETURN_HEAPTUPLEHEADER(ResultRow(cache, &result));
}

