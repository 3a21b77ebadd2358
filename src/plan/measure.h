/*-------------------------------------------------------------------------
 *
 * measure.h
 *		Stores how long calls of tools took, and finds their median.
 *
 * SPI must be connected.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MEASURE_H
#define ANSWER_EVAL_MEASURE_H

#include "datatype/timestamp.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "keys/ed25519.h"

/* A median needs at least so many calls. */
#define MEASURE_LEAST_CALLS	30

/* It is taken over at most so many of the newest calls, none older than so many days. */
#define MEASURE_MOST_CALLS	10000
#define MEASURE_DAYS		7

/* One call that was made. */
typedef struct MeasuredCall
{
	Span		tool;
	TimestampTz called_at;		/* end of the call, by the server's clock */
	int64		microseconds;	/* duration, by a monotonic clock */
} MeasuredCall;

/* The median of a tenant's calls of a tool. */
typedef struct Measure
{
	int			calls;			/* 0: too few calls */
	int64		p50;			/* exact, in hundredths of a microsecond */
} Measure;

/*
 * Finds, for each tool, the median of a tenant's calls before an instant.  Only
 * calls that were stored on this server count.  For tools with many calls, a
 * session reads them at most once a second.
 */
extern void MeasuresFind(const text *tenant, const Span *tools, int count, TimestampTz at, Measure *measures);

/* Returns {tool: {p50_ms, calls}} for the tools with enough calls. */
extern JsonView MeasuresView(const Span *tools, const Measure *measures, int count);

/*
 * Stores calls, in one statement and without a lock that others wait for.  Stores
 * nothing if the transaction is read-only or SERIALIZABLE.  The rows get a code
 * under the caller's key.  If key is NULL, the signing key is used, and nothing is
 * stored if there is none.
 */
extern void MeasuresKeep(const text *tenant, const SigningKey *key, const MeasuredCall *calls, int count);

/* Deletes calls of these tenants (text[]) that no longer count. */
extern void MeasuresPrune(Datum tenants);

#endif							/* ANSWER_EVAL_MEASURE_H */
