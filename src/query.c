/*-------------------------------------------------------------------------
 *
 * query.c
 *		Fixed queries, planned once a session.
 *
 * The stateful rooms run a handful of fixed statements.  Each is prepared on
 * its first run and kept; PostgreSQL replans it when what it depends on
 * changes, and checks the privileges of the current user at every run.  The plans
 * are generic: each is the same few index probes whatever the parameters, and an
 * array parameter would otherwise have every run planned anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/snapmgr.h"

#include "query.h"

/*
 * Sets the type of an argument whose type is not built in.  It changes when
 * the extension is dropped and created again, and then the plan is void.  The
 * plan is not being run further out: nobody can drop a table that a query of
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

static void
QueryPrepare(FixedQuery *query)
{
	SPIPlanPtr	plan;

	if (query->plan)
		return;
	plan = SPI_prepare_cursor(query->text, query->nargs, query->argtypes,
							  CURSOR_OPT_GENERIC_PLAN | query->options);
	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", query->text,
			 SPI_result_code_string(SPI_result));
	SPI_keepplan(plan);
	query->plan = plan;
}

/* SPI would leave us in its own memory, which lives as long as the connection. */
static void
QueryDone(const FixedQuery *query, int rc, MemoryContext caller)
{
	MemoryContextSwitchTo(caller);
	if (rc < 0)
		elog(ERROR, "could not run \"%s\": %s", query->text, SPI_result_code_string(rc));
}

/* Runs a query; SPI must be connected.  The result is in SPI_tuptable. */
void
QueryRun(FixedQuery *query, Datum *values, const char *nulls, bool read_only, long limit)
{
	MemoryContext caller = CurrentMemoryContext;

	QueryPrepare(query);
	QueryDone(query, SPI_execute_plan(query->plan, values, nulls, read_only, limit), caller);
}

/*
 * The same for a query that may write and must see what is committed by now,
 * whatever snapshot the transaction has.
 */
void
QueryRunLatest(FixedQuery *query, Datum *values, const char *nulls, long limit)
{
	MemoryContext caller = CurrentMemoryContext;

	QueryPrepare(query);
	QueryDone(query,
			  SPI_execute_snapshot(query->plan, values, nulls, GetLatestSnapshot(),
								   InvalidSnapshot, false, true, limit),
			  caller);
}

/* Runs a query without arguments whose rows are too many to have all at once. */
void
QueryRunInto(FixedQuery *query, DestReceiver *receiver)
{
	SPIExecuteOptions options = {.dest = receiver};
	MemoryContext caller = CurrentMemoryContext;

	Assert(query->nargs == 0);
	QueryPrepare(query);
	QueryDone(query, SPI_execute_plan_extended(query->plan, &options), caller);
}
