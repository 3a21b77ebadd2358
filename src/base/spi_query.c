/*-------------------------------------------------------------------------
 *
 * spi_query.c
 *		Fixed queries, planned once per session, and their rows.
 *
 * The stateful modules run a handful of fixed statements.  Each is prepared on its
 * first run and kept.  PostgreSQL replans it when an object it depends on changes, and
 * checks the privileges of the current user at every run.  The plans are generic: each
 * does the same few index probes whatever the parameters are, and otherwise an array
 * parameter would cause a new plan for every run.  A query over a table of Citus has
 * no generic plan, because its shards depend on the values.
 *
 * Rows are allocated in the caller's memory context.  SPI would keep them until the
 * connection ends, so a loop would use more and more memory.  So no other module looks
 * at SPI_tuptable or SPI_processed (test/tap/base_layers.pl).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/plancache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/distributed.h"
#include "base/funcargs.h"
#include "base/jsonview.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/writes.h"

/*
 * Sets the type of an argument whose type is not built in.  The type's OID changes when
 * the extension is dropped and created again, and the plan is then invalid.  The plan
 * cannot be running in an outer call, because nobody can drop a table that a query of
 * the same session has open.
 */
void
QuerySetArgtype(FixedQuery *query, int n, Oid type)
{
	SPIPlanPtr	plan = query->plan;

	if (query->argtypes[n] == type)
		return;
	query->plan = NULL;
	query->argtypes[n] = type;
	if (plan)
		SPI_freeplan(plan);
}

/* Does a plan depend on a table of Citus? */
static bool
PlanIsDistributed(SPIPlanPtr plan)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));

	return AnyDistributed(source->relationOids);
}

static SPIPlanPtr
PrepareAs(FixedQuery *query, bool custom)
{
	SPIPlanPtr	plan;

	while (query->nargs < QUERY_MAX_ARGS && OidIsValid(query->argtypes[query->nargs]))
		query->nargs++;
	plan = SPI_prepare_cursor(query->text, query->nargs, query->argtypes,
							  (custom ? CURSOR_OPT_CUSTOM_PLAN : CURSOR_OPT_GENERIC_PLAN) | query->options);
	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", query->text,
			 SPI_result_code_string(SPI_result));
	return plan;
}

/*
 * Prepares a query, unless that is done.  A plan that is replaced may be running in an
 * outer call, so it is leaked, which happens once in a session.
 */
static void
QueryPrepare(FixedQuery *query)
{
	SPIPlanPtr	plan;
	bool		custom;

	if (query->plan && PlanIsDistributed(query->plan) == query->custom)
		return;
	plan = PrepareAs(query, false);
	custom = PlanIsDistributed(plan);
	if (custom)
	{
		SPI_freeplan(plan);
		plan = PrepareAs(query, true);
	}
	SPI_keepplan(plan);
	query->plan = plan;
	query->custom = custom;
}

/*
 * Copies rows into one piece of the current memory context.  So they live as long as
 * the caller's other data there, and one pfree() frees them.
 */
static SPITupleTable *
CopyTable(const SPITupleTable *from)
{
	Size		desc_at = MAXALIGN(sizeof(SPITupleTable));
	Size		vals_at = desc_at + MAXALIGN(TupleDescSize(from->tupdesc));
	Size		size = vals_at + MAXALIGN(sizeof(HeapTuple) * from->numvals);
	SPITupleTable *table;
	char	   *next;

	for (uint64 i = 0; i < from->numvals; i++)
		size += HEAPTUPLESIZE + MAXALIGN(from->vals[i]->t_len);
	table = palloc_extended(size, MCXT_ALLOC_HUGE);
	memset(table, 0, sizeof(SPITupleTable));
	table->tupdesc = (TupleDesc) ((char *) table + desc_at);
	TupleDescCopy(table->tupdesc, from->tupdesc);
	table->vals = (HeapTuple *) ((char *) table + vals_at);
	table->numvals = table->alloced = from->numvals;
	next = (char *) table + vals_at + MAXALIGN(sizeof(HeapTuple) * from->numvals);
	for (uint64 i = 0; i < from->numvals; i++)
	{
		HeapTuple	tuple = (HeapTuple) next;

		*tuple = *from->vals[i];
		tuple->t_data = (HeapTupleHeader) (next + HEAPTUPLESIZE);
		memcpy(tuple->t_data, from->vals[i]->t_data, tuple->t_len);
		table->vals[i] = tuple;
		next += HEAPTUPLESIZE + MAXALIGN(tuple->t_len);
	}
	return table;
}

/*
 * Takes the result from SPI, which would leave us in its own memory context, and keep
 * the rows there until the connection ends: in a loop, all of them.
 */
static QueryRows
TakeRows(MemoryContext caller)
{
	SPITupleTable *given = SPI_tuptable;
	QueryRows	rows = {.count = SPI_processed};

	MemoryContextSwitchTo(caller);
	if (given)
	{
		rows.table = CopyTable(given);
		SPI_freetuptable(given);
	}
	return rows;
}

static QueryRows
QueryDone(const char *text, int rc, MemoryContext caller)
{
	if (rc < 0)
		elog(ERROR, "could not run \"%s\": %s", text, SPI_result_code_string(rc));
	return TakeRows(caller);
}

/* Runs a query; SPI must be connected. */
QueryRows
QueryRun(FixedQuery *query, Datum *values, const char *nulls, bool read_only, long limit)
{
	MemoryContext caller = CurrentMemoryContext;

	QueryPrepare(query);
	return QueryDone(query->text, SPI_execute_plan(query->plan, values, nulls, read_only, limit), caller);
}

/* Runs a text that varies, so its plan is not kept. */
QueryRows
QueryRunText(const char *text, int nargs, Oid *argtypes, Datum *values, bool read_only, long limit)
{
	MemoryContext caller = CurrentMemoryContext;

	return QueryDone(text, SPI_execute_with_args(text, nargs, argtypes, values, NULL, read_only, limit), caller);
}

/* Runs a text without arguments with the latest snapshot. */
QueryRows
QueryRunTextLatest(const char *text)
{
	MemoryContext caller = CurrentMemoryContext;
	SPIPlanPtr	plan = SPI_prepare(text, 0, NULL);
	QueryRows	rows;

	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", text, SPI_result_code_string(SPI_result));
	rows = QueryDone(text, SPI_execute_snapshot(plan, NULL, NULL, GetLatestSnapshot(), InvalidSnapshot, true, false, 0),
					 caller);
	SPI_freeplan(plan);
	return rows;
}

/* Does what QueryRun does, with the rights of the owner of our tables. */
QueryRows
QueryRunAsOwner(FixedQuery *query, Datum *values, const char *nulls, bool read_only, long limit)
{
	QueryRows	rows;

	AS_OWNER(rows = QueryRun(query, values, nulls, read_only, limit));
	return rows;
}

/* Does the same for our own writes, see writes.c. */
QueryRows
QueryRunForOurselves(FixedQuery *query, Datum *values, const char *nulls)
{
	bool		had_written = OwnWritesBegin();
	QueryRows	rows = QueryRunAsOwner(query, values, nulls, false, 0);

	OwnWritesEnd(had_written);
	return rows;
}

/*
 * Does the same for a query that may write and must see everything that is committed by
 * now, whatever snapshot the transaction has.
 */
QueryRows
QueryRunLatest(FixedQuery *query, Datum *values, const char *nulls, long limit)
{
	MemoryContext caller = CurrentMemoryContext;

	QueryPrepare(query);
	return QueryDone(query->text,
					 SPI_execute_snapshot(query->plan, values, nulls, GetLatestSnapshot(),
										  InvalidSnapshot, false, true, limit),
					 caller);
}

/* Does the same for our own writes, as the owner of our tables. */
QueryRows
QueryRunLatestForOurselves(FixedQuery *query, Datum *values, const char *nulls)
{
	bool		had_written = OwnWritesBegin();
	QueryRows	rows;

	AS_OWNER(rows = QueryRunLatest(query, values, nulls, 0));
	OwnWritesEnd(had_written);
	return rows;
}

/* Runs a query without arguments whose rows are too many to hold them all at once. */
void
QueryRunInto(FixedQuery *query, DestReceiver *receiver)
{
	SPIExecuteOptions options = {.dest = receiver};
	MemoryContext caller = CurrentMemoryContext;

	Assert(!OidIsValid(query->argtypes[0]));
	QueryPrepare(query);
	(void) QueryDone(query->text, SPI_execute_plan_extended(query->plan, &options), caller);
}

/* Opens a read-only query whose rows are fetched in parts.  To be closed with SPI_cursor_close(). */
Portal
QueryOpen(FixedQuery *query, Datum *values, const char *nulls)
{
	MemoryContext caller = CurrentMemoryContext;
	Portal		portal;

	QueryPrepare(query);
	portal = SPI_cursor_open(NULL, query->plan, values, nulls, true);
	MemoryContextSwitchTo(caller);
	return portal;
}

/* Fetches the next rows. */
QueryRows
QueryFetch(Portal portal, long count)
{
	MemoryContext caller = CurrentMemoryContext;

	SPI_cursor_fetch(portal, true, count);
	return TakeRows(caller);
}

/* Frees rows before their memory context is reset. */
void
QueryFree(QueryRows *rows)
{
	if (rows->table)
		pfree(rows->table);
	rows->table = NULL;
}

/* Did a query find anything? For callers that do not need the rows, which are freed. */
bool
QueryFound(QueryRows rows)
{
	QueryFree(&rows);
	return rows.count > 0;
}

/* Makes an array of text for a query. */
Datum
QueryTextArray(Datum *elements, int count)
{
	return PointerGetDatum(construct_array(elements, count, TEXTOID, -1, false,
										   TYPALIGN_INT));
}

/* columns of a row of a result */

/* Returns a column that is not null, without copying it. */
Datum
ColumnDatum(SPITupleTable *table, int row, int column)
{
	bool		isnull;

	return SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);
}

/*
 * Returns a column as a C string in the server's encoding, in the current context; NULL
 * if it is null or empty.
 */
char *
ColumnName(SPITupleTable *table, int row, int column)
{
	char	   *name = SPI_getvalue(table->vals[row], table->tupdesc, column);

	return name && name[0] ? name : NULL;
}

/* Returns a column in UTF-8, in the current context; empty if it is null. */
Span
ColumnSpan(SPITupleTable *table, int row, int column)
{
	Span		span = {"", 0};
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);
	text	   *value;
	char	   *copy;

	if (isnull)
		return span;
	value = DatumGetTextPP(datum);
	copy = pnstrdup(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	span.str = JsonServerToUtf8(copy, VARSIZE_ANY_EXHDR(value), &span.len);
	return span;
}

Jsonb *
ColumnJsonb(SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetJsonbPCopy(datum);
}

/* Returns false if the column is null. */
bool
ColumnInstant(SPITupleTable *table, int row, int column, TimestampTz *instant)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	if (!isnull)
		*instant = DatumGetTimestampTz(datum);
	return !isnull;
}

bool
ColumnBool(SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return !isnull && DatumGetBool(datum);
}

int32
ColumnInt(SPITupleTable *table, int row, int column)
{
	return DatumGetInt32(ColumnDatum(table, row, column));
}

Span *
ColumnSpans(SPITupleTable *table, int row, int column, int *count)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);
	Datum	   *elements;
	Span	   *spans;

	*count = 0;
	if (isnull)
		return NULL;
	deconstruct_array(DatumGetArrayTypePCopy(datum), TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, NULL, count);
	spans = palloc(sizeof(Span) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		spans[i] = Utf8OfText(DatumGetTextPP(elements[i]));
	}
	return spans;
}

/* Ends SPI, and returns a view, or its portable form, as a result in the caller's memory context. */
Datum
FinishWithView(const JsonView *view, bool portable, MemoryContext caller)
{
	MemoryContext spi = MemoryContextSwitchTo(caller);
	Jsonb	   *result = JsonViewToJsonb(view, portable);

	MemoryContextSwitchTo(spi);
	SPI_finish();
	return JsonbPGetDatum(result);
}
