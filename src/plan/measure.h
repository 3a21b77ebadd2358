/*-------------------------------------------------------------------------
 *
 * measure.h
 *		Keeps what calls of tools have taken, by the clock.
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

/* Fewer calls say nothing of a tool. */
#define MEASURE_LEAST_CALLS	30

/* So many of its newest calls do, none of which is older than that. */
#define MEASURE_MOST_CALLS	10000
#define MEASURE_DAYS		7

/* One call that was made. */
typedef struct MeasuredCall
{
	Span		tool;
	TimestampTz called_at;		/* when it ended, by the server's clock */
	int64		microseconds;	/* how long it took, by one that nobody sets back */
} MeasuredCall;

/* Holds what a tenant's calls of a tool come to. */
typedef struct Measure
{
	int			calls;			/* 0: too few */
	int64		p50;			/* exact, in hundredths of a microsecond */
} Measure;

/*
 * Looks at the calls of a tenant before an instant, tool by tool: at those that were stored
 * here.  Where there are many, a session looks once a second.
 */
extern void MeasuresFind(const text *tenant, const Span *tools, int count, TimestampTz at, Measure *measures);

/* Returns {tool: {p50_ms, calls}} of those that have enough. */
extern JsonView MeasuresView(const Span *tools, const Measure *measures, int count);

/*
 * Keeps calls, in one statement and without a lock that anybody waits for.  Nothing
 * where the transaction can write nothing, or is SERIALIZABLE.  Rows get their code under
 * the key that the caller holds; NULL: under the one that signs, and nothing is kept if none can be used.
 */
extern void MeasuresKeep(const text *tenant, const SigningKey *key, const MeasuredCall *calls, int count);

/* Deletes calls of these tenants, a text[], that count no more. */
extern void MeasuresPrune(Datum tenants);

#endif							/* ANSWER_EVAL_MEASURE_H */
