/*-------------------------------------------------------------------------
 *
 * spi_query.h
 *		Fixed queries, planned once per session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SPI_QUERY_H
#define ANSWER_EVAL_SPI_QUERY_H

#include "executor/spi.h"
#include "utils/jsonb.h"

#include "base/jsonview.h"
#include "base/span.h"

#define QUERY_MAX_ARGS	26

/*
 * A query's text must qualify all objects and operators with their schema, because it
 * may run with the owner's rights under the caller's search_path.
 */
typedef struct FixedQuery
{
	const char *text;
	int			nargs;			/* computed when the query is planned */
	Oid			argtypes[QUERY_MAX_ARGS];
	int			options;		/* additional cursor options for the planner */
	SPIPlanPtr	plan;			/* NULL before the first run */
	bool		custom;			/* planned anew for each run; see spi_query.c */
} FixedQuery;

/*
 * The result of a query: its rows, in the memory context of the call, and their number.
 * For a statement that returns no rows, "table" is NULL and "count" is the number of
 * rows that it changed.
 */
typedef struct QueryRows
{
	uint64		count;
	SPITupleTable *table;
} QueryRows;

extern void QuerySetArgtype(FixedQuery *query, int n, Oid type);
extern QueryRows QueryRun(FixedQuery *query, Datum *values, const char *nulls,
						  bool read_only, long limit);
extern QueryRows QueryRunText(const char *text, int nargs, Oid *argtypes, Datum *values,
							  bool read_only, long limit);
extern QueryRows QueryRunTextLatest(const char *text);
extern QueryRows QueryRunAsOwner(FixedQuery *query, Datum *values, const char *nulls,
								 bool read_only, long limit);
extern QueryRows QueryRunForOurselves(FixedQuery *query, Datum *values, const char *nulls);
extern QueryRows QueryRunLatest(FixedQuery *query, Datum *values, const char *nulls,
								long limit);
extern QueryRows QueryRunLatestForOurselves(FixedQuery *query, Datum *values, const char *nulls);
extern void QueryRunInto(FixedQuery *query, DestReceiver *receiver);
extern Portal QueryOpen(FixedQuery *query, Datum *values, const char *nulls);
extern QueryRows QueryFetch(Portal portal, long count);
extern void QueryFree(QueryRows *rows);
extern bool QueryFound(QueryRows rows);
extern Datum QueryTextArray(Datum *elements, int count);

/* columns of a row of a result, in the current memory context */
extern Datum ColumnDatum(SPITupleTable *table, int row, int column);
extern char *ColumnName(SPITupleTable *table, int row, int column);
extern Span ColumnSpan(SPITupleTable *table, int row, int column);
extern Span *ColumnSpans(SPITupleTable *table, int row, int column, int *count);
extern Jsonb *ColumnJsonb(SPITupleTable *table, int row, int column);
extern bool ColumnInstant(SPITupleTable *table, int row, int column, TimestampTz *instant);
extern bool ColumnBool(SPITupleTable *table, int row, int column);
extern int32 ColumnInt(SPITupleTable *table, int row, int column);

extern Datum FinishWithView(const JsonView *view, bool portable, MemoryContext caller);

#endif							/* ANSWER_EVAL_SPI_QUERY_H */
