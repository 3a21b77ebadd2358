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
 * A prediction can have a plan cut down or refused.  So a row has a code that only our
 * functions can make (document/stored_row.c), and what was written, altered or copied by hand
 * counts nothing.  Only rows of the key that signs now count: others would have to be loaded
 * from files, and may have a passphrase.  So whoever changes the key, or restores a dump, measures anew.
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

/* So many are known at once; others take their places. */
#define KNOWN_MEASURES		64

/* From so many calls on, what they come to is known for a while: a second, and of more than 1000 a millisecond a call. */
#define KNOWN_LEAST_CALLS	100
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
	int64		left = *(const int64 *) a;
	int64		right = *(const int64 *) b;

	return left < right ? -1 : left > right;
}

/* percentile_cont(0.5) of values: the one in the middle, or what lies between the two. */
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

/* The values of an array in a column; returns how many. */
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

/* What calls of a tool come to, of a row with arrays of their columns; "call" tells whose they are. */
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
 * The key that signs; false if there is none that can be used, or if somebody changes it just now, for which the call
 * of a tool need neither fail nor wait.
 */
static bool
ChooseKey(SigningKey *key)
{
	Choice		choice = {.key = key};
	bool		had_written;
	ErrorData  *error;

	if (!SigningKeyExists())
		return false;
	/* this gives the transaction an id, which is no sign that anybody has written */
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

/* An array of eight-byte values. */
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

	/* who reads these and adds to them would conflict with all that do, and they are worth no error */
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

	/* another transaction can delete them later */
	if (IsolationUsesXactSnapshot())
		return;
	rows = QueryRunForOurselves(&query, &tenants, NULL);
	QueryFree(&rows);
}
