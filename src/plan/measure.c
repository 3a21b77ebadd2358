/*-------------------------------------------------------------------------
 *
 * measure.c
 *		Stores how long calls of tools took, and finds their median.
 *
 * Rule: doc/spec/plan.md §9.2.  Stateful.
 *
 * Each call of a plan or of answer_tool_invoke() adds a row to answer.tool_call.  Rows
 * are never changed, so nobody waits for a lock, and a rollback leaves no row.  The
 * median of a tool's calls is computed when it is needed, exactly, as by
 * percentile_cont.  It is taken over the newest MEASURE_MOST_CALLS calls of one tenant
 * within MEASURE_DAYS days before an instant.  These are enough calls that a bad hour
 * does not outweigh the week: a plan that is refused makes no calls, so they could not
 * show that the bad hour is over.
 *
 * Reading hundreds of rows takes a noticeable part of a plan's time, so a session
 * reuses the result for some seconds.  Fewer rows are read each time.  answer_rollup()
 * and answer_plan_recover() delete rows that no longer count.
 *
 * Calls of checks are not stored, nor are answers of the application, which our clock
 * does not measure.
 *
 * A prediction can cause a plan to be degraded or refused.  So each row has a code
 * that only our functions can make (document/stored_row.c), and rows that were
 * written, changed or copied by hand are ignored.  Only rows under the current signing
 * key count, because other keys would have to be loaded from files and may have a
 * passphrase.  So measuring starts anew after a change of the key or a restored dump.
 *
 * Promises: a tenant's medians depend on its own calls alone.  They are used to
 * predict time, never cost.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/spi_query.h"
#include "base/subtransaction.h"
#include "base/writes.h"
#include "document/stored_row.h"
#include "keys/keyring.h"
#include "plan/measure.h"

/* Number of medians that a session keeps; new ones replace old ones. */
#define KNOWN_MEASURES		64

/* Medians of at least so many calls are kept: for a second, and above 1000 calls for a millisecond per call. */
#define KNOWN_LEAST_CALLS	100
#define KNOWN_FOR(calls)	Max(USECS_PER_SEC, (int64) (calls) * 1000)

/* The median of a tenant's calls of a tool, found a short time ago. */
typedef struct KnownMeasure
{
	char	   *key;			/* tenant and tool; NULL: unused */
	int			tenant_len;
	int			tool_len;
	TimestampTz at;
	Measure		measure;
} KnownMeasure;

static KnownMeasure known_measures[KNOWN_MEASURES];

static int
CompareMicroseconds(const void *a, const void *b)
{
	int64		left = *(const int64 *) a;
	int64		right = *(const int64 *) b;

	return left < right ? -1 : left > right;
}

/* Returns percentile_cont(0.5): the middle value, or the mean of the middle two. */
static Measure
MeasureOf(int64 *microseconds, int count)
{
	Measure		measure = {0};

	if (count < MEASURE_LEAST_CALLS)
		return measure;
	qsort(microseconds, count, sizeof(int64), CompareMicroseconds);
	measure.calls = count;
	measure.p50 = (microseconds[(count - 1) / 2] + microseconds[count / 2]) * 50;
	return measure;
}

/* medians that a session keeps */

/* Returns the slot for a tenant's calls of a tool, whatever it holds. */
static KnownMeasure *
SlotOfTool(const text *tenant, Span tool)
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

/* Finds a median that was found a short time before an instant; false if there is none. */
static bool
Recall(const text *tenant, Span tool, TimestampTz at, Measure *measure)
{
	const KnownMeasure *known = SlotOfTool(tenant, tool);

	if (!IsOf(known, tenant, tool) || at < known->at || at - known->at >= KNOWN_FOR(known->measure.calls))
		return false;
	*measure = known->measure;
	return true;
}

/* Keeps the median of a tool with many calls. With few calls, one more call could change it. */
static void
Remember(const text *tenant, Span tool, TimestampTz at, const Measure *measure)
{
	KnownMeasure *known = SlotOfTool(tenant, tool);
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

/* Deconstructs an array in a column; returns the number of values. */
static int
ColumnValues(const QueryRows *rows, uint64 row, int column, Datum **values, bool **nulls)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(rows->table->vals[row], rows->table->tupdesc, column, &isnull);
	ArrayType  *array;
	int16		len;
	bool		by_value;
	char		align;
	int			count;

	if (isnull)
		return 0;
	array = DatumGetArrayTypeP(datum);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &len, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), len, by_value, align, values, nulls, &count);
	return count;
}

/* Returns the median from a row with arrays of the calls' columns; "call" has their tenant and tool. */
static Measure
MeasureOfRow(const QueryRows *rows, uint64 row, RowKeys *keys, StoredCall call)
{
	Datum	   *columns[4] = {NULL};
	bool	   *nulls[4] = {NULL};
	int64	   *microseconds;
	int			count = 0;
	int			good = 0;

	for (int i = 0; i < 4; i++)
		count = ColumnValues(rows, row, i + 1, &columns[i], &nulls[i]);
	microseconds = palloc(sizeof(int64) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		bytea	   *mac = nulls[3][i] ? NULL : DatumGetByteaPP(columns[3][i]);

		CHECK_FOR_INTERRUPTS();
		call.called_at = DatumGetTimestampTz(columns[0][i]);
		call.microseconds = DatumGetInt64(columns[1][i]);
		call.call = DatumGetInt64(columns[2][i]);
		if (mac && StoredCallVerify(keys, &call, SpanOf(VARDATA_ANY(mac), VARSIZE_ANY_EXHDR(mac))) == ROW_MAC_GOOD)
			microseconds[good++] = call.microseconds;
	}
	return MeasureOf(microseconds, good);
}

void
MeasuresFind(const text *tenant, const Span *tools, int count, TimestampTz at, Measure *measures)
{
	static FixedQuery query = {
		.text = "SELECT a.* FROM pg_catalog.unnest($2) WITH ORDINALITY AS t (tool, n), LATERAL ("
		"  SELECT pg_catalog.array_agg(l.called_at), pg_catalog.array_agg(l.microseconds), pg_catalog.array_agg(l.call),"
		"  pg_catalog.array_agg(l.mac) FROM (SELECT c.called_at, c.microseconds, c.call, c.mac FROM answer.tool_call c"
		"   WHERE c.tenant OPERATOR(pg_catalog.=) $1 AND c.tool OPERATOR(pg_catalog.=) t.tool"
		"   AND c.called_at OPERATOR(pg_catalog.<) $3 AND c.called_at OPERATOR(pg_catalog.>=) $4"
		"   ORDER BY c.called_at DESC LIMIT $5) l) a ORDER BY t.n",
		.argtypes = {TEXTOID, TEXTARRAYOID, TIMESTAMPTZOID, TIMESTAMPTZOID, INT8OID}
	};
	Datum		values[5] = {PointerGetDatum(tenant)};
	Datum	   *names = palloc(sizeof(Datum) * Max(count, 1));
	int		   *asked = palloc(sizeof(int) * Max(count, 1));
	int			nasked = 0;
	TimestampTz since = MEASURE_DAYS * USECS_PER_DAY;
	RowKeys		keys = {.context = CurrentMemoryContext};
	SigningKey	active;
	QueryRows	rows;

	for (int i = 0; i < count; i++)
	{
		if (Recall(tenant, tools[i], at, &measures[i]))
			continue;
		names[nasked] = SpanDatum(tools[i]);
		asked[nasked++] = i;
	}
	for (int i = 0; i < nasked; i++)
		measures[asked[i]] = (Measure) {0};
	if (nasked == 0 || !SigningKeyFind(&active))
		return;
	keys.only = active.key_id;
	values[1] = QueryTextArray(names, nasked);
	values[2] = TimestampTzGetDatum(at);
	values[3] = TimestampTzGetDatum(at > MIN_TIMESTAMP + since ? at - since : MIN_TIMESTAMP);
	values[4] = Int64GetDatum(MEASURE_MOST_CALLS);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	for (int i = 0; i < nasked; i++)
	{
		const StoredCall call = {.tenant = Utf8OfText(unconstify(text *, tenant)),.tool = tools[asked[i]]};

		measures[asked[i]] = MeasureOfRow(&rows, i, &keys, call);
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

typedef struct Choice
{
	SigningKey *key;
	bool		is_made;
} Choice;

static void
TryToChoose(void *arg)
{
	Choice	   *choice = arg;
	TimestampTz now;

	choice->is_made = SigningKeyTryForRow(choice->key, &now);
}

/*
 * Finds the signing key.  Returns false if none can be used, or if the key is being
 * changed right now: a tool call should neither fail nor wait because of that.
 */
static bool
ChooseKey(SigningKey *key)
{
	Choice		choice = {.key = key};
	bool		had_written;
	ErrorData  *error;

	if (!SigningKeyExists())
		return false;
	/* this assigns a transaction id, which must not count as somebody's write */
	had_written = OwnWritesBegin();
	error = RunInSubtransaction(TryToChoose, &choice);
	OwnWritesEnd(had_written);
	if (error && error->sqlerrcode != ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE)
		ReThrowError(error);
	return error == NULL && choice.is_made;
}

static int64
NumberByChance(void)
{
	int64		number;

	if (!pg_strong_random(&number, sizeof(number)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random number")));
	return number;
}

/* Makes an array of eight-byte values. */
static Datum
ArrayOf(Datum *values, int count, Oid type)
{
	return PointerGetDatum(construct_array(values, count, type, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

void
MeasuresKeep(const text *tenant, const SigningKey *key, const MeasuredCall *calls, int count)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.tool_call (tenant, tool, called_at, microseconds, call, mac)"
		" SELECT $1, c.tool, c.called_at, c.microseconds, c.call, c.mac FROM ROWS FROM (pg_catalog.unnest($2),"
		" pg_catalog.unnest($3), pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6))"
		" AS c (tool, called_at, microseconds, call, mac)",
		.argtypes = {TEXTOID, TEXTARRAYOID, TIMESTAMPTZARRAYOID, INT8ARRAYOID, INT8ARRAYOID, BYTEAARRAYOID}
	};
	Datum	   *columns[5];
	Datum		values[6] = {PointerGetDatum(tenant)};
	SigningKey	chosen;

	/*
	 * serializable transactions that read and add rows would conflict with each
	 * other; the rows are not worth that
	 */
	if (count == 0 || XactReadOnly || IsolationIsSerializable() || RecoveryInProgress())
		return;
	if (key == NULL && !ChooseKey(&chosen))
		return;
	for (int i = 0; i < 5; i++)
		columns[i] = palloc(sizeof(Datum) * count);
	for (int i = 0; i < count; i++)
	{
		const StoredCall call = {
			.tenant = Utf8OfText(unconstify(text *, tenant)),.tool = calls[i].tool,.called_at = calls[i].called_at,
			.microseconds = calls[i].microseconds,.call = NumberByChance()
		};

		columns[0][i] = SpanDatum(call.tool);
		columns[1][i] = TimestampTzGetDatum(call.called_at);
		columns[2][i] = Int64GetDatum(call.microseconds);
		columns[3][i] = Int64GetDatum(call.call);
		columns[4][i] = StoredCallMac(key ? key : &chosen, &call);
	}
	values[1] = QueryTextArray(columns[0], count);
	values[2] = ArrayOf(columns[1], count, TIMESTAMPTZOID);
	values[3] = ArrayOf(columns[2], count, INT8OID);
	values[4] = ArrayOf(columns[3], count, INT8OID);
	values[5] = PointerGetDatum(construct_array(columns[4], count, BYTEAOID, -1, false, TYPALIGN_INT));
	QueryRunForOurselves(&insert, values, NULL);
}

void
MeasuresPrune(Datum tenants)
{
	static FixedQuery query = {
		.text = "SELECT answer.tool_call_prune($1)",
		.argtypes = {TEXTARRAYOID}
	};
	QueryRows	rows;

	/* a later transaction can delete them */
	if (IsolationUsesXactSnapshot())
		return;
	rows = QueryRunForOurselves(&query, &tenants, NULL);
	QueryFree(&rows);
}
