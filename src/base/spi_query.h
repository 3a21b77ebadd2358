/*-------------------------------------------------------------------------
 *
 * spi_query.h
 *		Fixed queries, planned once a session.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SPI_QUERY_H
#define ANSWER_EVAL_SPI_QUERY_H

#include "executor/spi.h"
#include "utils/jsonb.h"

#include "base/span.h"

#define QUERY_MAX_ARGS	26

/*
 * Objects in a query's text are named with their schema, and so are its
 * operators, because it may run with the owner's rights under whatever
 * search_path the caller has.
 */
typedef struct FixedQuery
{
	const char *text;
	int			nargs;			/* counted when it is planned */
	Oid			argtypes[QUERY_MAX_ARGS];
	int			options;		/* more cursor options for the planner */
	SPIPlanPtr	plan;			/* NULL until first run */
	bool		custom;			/* planned anew for each run, see below */
} FixedQuery;

/*
 * Holds what a query gave: its rows, in the memory that was the current one, and how
 * many there are; of a statement that gives no rows, NULL and how many it changed.
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
extern void QueryRunInto(FixedQuery *query, DestReceiver *receiver);
extern Portal QueryOpen(FixedQuery *query, Datum *values, const char *nulls);
extern QueryRows QueryFetch(Portal portal, long count);
extern void QueryFree(QueryRows *rows);
extern bool QueryFound(QueryRows rows);
extern Datum QueryTextArray(Datum *elements, int count);

/* columns of a row that a query gave, in the current context */
extern Datum ColumnDatum(SPITupleTable *table, int row, int column);
extern char *ColumnName(SPITupleTable *table, int row, int column);
extern Span ColumnSpan(SPITupleTable *table, int row, int column);
extern Span *ColumnSpans(SPITupleTable *table, int row, int column, int *count);
extern Jsonb *ColumnJsonb(SPITupleTable *table, int row, int column);
extern bool ColumnInstant(SPITupleTable *table, int row, int column, TimestampTz *instant);
extern bool ColumnBool(SPITupleTable *table, int row, int column);
extern int32 ColumnInt(SPITupleTable *table, int row, int column);

#endif							/* ANSWER_EVAL_SPI_QUERY_H */
