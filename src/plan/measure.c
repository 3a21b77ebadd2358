/*-------------------------------------------------------------------------
 *
 * measure.c
 *		Keeps what calls of tools have taken, by the clock.
 *
 * Rule: doc/spec/plan.md §9.2.  Stateful.
 *
 * Each call of a plan or of answer_tool_invoke() is a row of answer.tool_call, which
 * is added and never changed: nobody waits for anybody, and what is rolled back has
 * left nothing.  What a tool's calls come to is computed where it is asked for, over
 * the newest MEASURE_MOST_CALLS of one tenant within MEASURE_DAYS days before an
 * instant, as percentile_cont has it and exactly: so many that a bad hour does not
 * outweigh the week, for a plan that is refused makes no call that could show that it is
 * over.  Reading hundreds of rows takes a part of what a plan takes, so a session that
 * has read them goes by that for some seconds; fewer are read each time.  answer_rollup() and answer_plan_recover() delete
 * what counts no more.
 *
 * Calls of checks leave nothing here, nor do steps that the application answers: of
 * those no clock of ours has seen anything.
 *
 * Promises: a tenant's figures follow from its own calls alone.  They are of use for
 * predictions of time, never for what something costs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/spi_query.h"
#include "plan/measure.h"

/* So many are known at once; others take their places. */
#define KNOWN_MEASURES		64

/* From so many calls on, what they come to is known for a while: a second, and of more than 1000 a millisecond a call. */
#define KNOWN_LEAST_CALLS	500
#define KNOWN_FOR(calls)	Max(USECS_PER_SEC, (int64) (calls) * 1000)

/* Holds what a tenant's calls of a tool came to, a moment ago. */
typedef struct KnownMeasure
{
	char	   *key;			/* tenant and tool; NULL: nothing is known here */
	int			tenant_len;
	int			tool_len;
	TimestampTz at;
	Measure		measure;
} KnownMeasure;

static KnownMeasure known_measures[KNOWN_MEASURES];

static int
CompareMicroseconds(const void *a, const void *b)
{
	int64		left = DatumGetInt64(*(const Datum *) a);
	int64		right = DatumGetInt64(*(const Datum *) b);

	return left < right ? -1 : left > right;
}

/* percentile_cont(0.5) of values: the one in the middle, or what lies between the two. */
static Measure
MeasureOf(ArrayType *microseconds)
{
	Measure		measure = {0};
	Datum	   *values;
	int			count;

	deconstruct_array(microseconds, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &values, NULL, &count);
	if (count < MEASURE_LEAST_CALLS)
		return measure;
	qsort(values, count, sizeof(Datum), CompareMicroseconds);
	measure.calls = count;
	measure.p50 = (DatumGetInt64(values[(count - 1) / 2]) + DatumGetInt64(values[count / 2])) * 50;
	pfree(values);
	return measure;
}

/*
 * what a session knows
 */

/* The place where a tenant's calls of a tool are known, whatever is there. */
static KnownMeasure *
PlaceOf(const text *tenant, Span tool)
{
	uint32		hash = hash_combine(hash_bytes((const unsigned char *) VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant)),
									hash_bytes((const unsigned char *) tool.str, tool.len));

	return &known_measures[hash % KNOWN_MEASURES];
}

static bool
IsOf(const KnownMeasure *known, const text *tenant, Span tool)
{
	return known->key && SpanEqual(SpanOf(known->key, known->tenant_len),
								   SpanOf(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant))) &&
		SpanEqual(SpanOf(known->key + known->tenant_len, known->tool_len), tool);
}

/* Finds what was found a moment before an instant; false if nothing was. */
static bool
Recall(const text *tenant, Span tool, TimestampTz at, Measure *measure)
{
	const KnownMeasure *known = PlaceOf(tenant, tool);

	if (!IsOf(known, tenant, tool) || at < known->at || at - known->at >= KNOWN_FOR(known->measure.calls))
		return false;
	*measure = known->measure;
	return true;
}

/* One call more says next to nothing of a tool with so many; of one with fewer it does. */
static void
Remember(const text *tenant, Span tool, TimestampTz at, const Measure *measure)
{
	KnownMeasure *known = PlaceOf(tenant, tool);
	int			tenant_len = VARSIZE_ANY_EXHDR(tenant);
	char	   *key;

	if (measure->calls < KNOWN_LEAST_CALLS)
		return;
	if (!IsOf(known, tenant, tool))
	{
		key = MemoryContextAlloc(TopMemoryContext, tenant_len + tool.len + 1);
		memcpy(key, VARDATA_ANY(tenant), tenant_len);
		memcpy(key + tenant_len, tool.str, tool.len);
		if (known->key)
			pfree(known->key);
		known->key = key;
		known->tenant_len = tenant_len;
		known->tool_len = tool.len;
	}
	known->at = at;
	known->measure = *measure;
}

/*
 * finding and keeping
 */

void
MeasuresFind(const text *tenant, const Span *tools, int count, TimestampTz at, Measure *measures)
{
	static FixedQuery query = {
		.text = "SELECT ARRAY(SELECT c.microseconds FROM answer.tool_call c"
		"  WHERE c.tenant OPERATOR(pg_catalog.=) $1 AND c.tool OPERATOR(pg_catalog.=) t.tool"
		"  AND c.called_at OPERATOR(pg_catalog.<) $3 AND c.called_at OPERATOR(pg_catalog.>=) $4"
		"  ORDER BY c.called_at DESC LIMIT $5)"
		" FROM pg_catalog.unnest($2) WITH ORDINALITY AS t (tool, n) ORDER BY t.n",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTARRAYOID, TIMESTAMPTZOID, TIMESTAMPTZOID, INT8OID}
	};
	Datum		values[5] = {PointerGetDatum(tenant)};
	Datum	   *names = palloc(sizeof(Datum) * Max(count, 1));
	int		   *asked = palloc(sizeof(int) * Max(count, 1));
	int			nasked = 0;
	TimestampTz since = MEASURE_DAYS * USECS_PER_DAY;
	QueryRows	rows;

	for (int i = 0; i < count; i++)
	{
		if (Recall(tenant, tools[i], at, &measures[i]))
			continue;
		names[nasked] = SpanDatum(tools[i]);
		asked[nasked++] = i;
	}
	if (nasked == 0)
		return;
	values[1] = QueryTextArray(names, nasked);
	values[2] = TimestampTzGetDatum(at);
	values[3] = TimestampTzGetDatum(at > MIN_TIMESTAMP + since ? at - since : MIN_TIMESTAMP);
	values[4] = Int64GetDatum(MEASURE_MOST_CALLS);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	for (int i = 0; i < nasked; i++)
	{
		bool		isnull;
		Datum		array = SPI_getbinval(rows.table->vals[i], rows.table->tupdesc, 1, &isnull);

		measures[asked[i]] = MeasureOf(DatumGetArrayTypeP(array));
		Remember(tenant, tools[asked[i]], at, &measures[asked[i]]);
	}
	QueryFree(&rows);
}

JsonView
MeasuresView(const Span *tools, const Measure *measures, int count)
{
	JsonView	view = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		JsonView	entry;

		if (measures[i].calls == 0)
			continue;
		entry = JsonViewNewObject(2);
		JsonViewSet(&entry, "p50_ms", JsonViewOfNumeric(int64_div_fast_to_numeric(measures[i].p50, 5)));
		JsonViewSet(&entry, "calls", JsonViewInteger(measures[i].calls));
		JsonViewSetKey(&view, tools[i].str, tools[i].len, entry);
	}
	return view;
}

void
MeasuresKeep(const text *tenant, const MeasuredCall *calls, int count)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.tool_call (tenant, tool, called_at, microseconds)"
		" SELECT $1, c.tool, c.called_at, c.microseconds"
		" FROM ROWS FROM (pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4))"
		" AS c (tool, called_at, microseconds)",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTARRAYOID, TIMESTAMPTZARRAYOID, INT8ARRAYOID}
	};
	Datum	   *tools = palloc(sizeof(Datum) * Max(count, 1));
	Datum	   *instants = palloc(sizeof(Datum) * Max(count, 1));
	Datum	   *took = palloc(sizeof(Datum) * Max(count, 1));
	Datum		values[4] = {PointerGetDatum(tenant)};

	/* who reads these and adds to them would conflict with all that do, and they are worth no error */
	if (count == 0 || XactReadOnly || IsolationIsSerializable() || RecoveryInProgress())
		return;
	for (int i = 0; i < count; i++)
	{
		tools[i] = SpanDatum(calls[i].tool);
		instants[i] = TimestampTzGetDatum(calls[i].called_at);
		took[i] = Int64GetDatum(calls[i].microseconds);
	}
	values[1] = QueryTextArray(tools, count);
	values[2] = PointerGetDatum(construct_array(instants, count, TIMESTAMPTZOID, sizeof(TimestampTz), FLOAT8PASSBYVAL,
												TYPALIGN_DOUBLE));
	values[3] = PointerGetDatum(construct_array(took, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	QueryRunForOurselves(&insert, values, NULL);
}

void
MeasuresPrune(Datum tenants)
{
	static FixedQuery query = {
		.text = "SELECT answer.tool_call_prune($1)",
		.nargs = 1,
		.argtypes = {TEXTARRAYOID}
	};
	QueryRows	rows;

	/* another transaction can delete them later */
	if (IsolationUsesXactSnapshot())
		return;
	rows = QueryRunForOurselves(&query, &tenants, NULL);
	QueryFree(&rows);
}
