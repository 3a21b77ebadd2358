/*-------------------------------------------------------------------------
 *
 * rate.c
 *		Rate limits of tools: a token bucket per tenant and tool.
 *
 * Manual: doc/plan.md, "Budgets".  Stateful.  A bucket holds qps tokens, and at least
 * one.  A call takes one, which is back 1 / qps seconds later.  Only one instant is
 * stored: when the bucket is full again.  Each call moves it on by the time of one
 * token, and is refused if it is so late that no token is left.
 *
 * Promises: there are never more calls than that, however many sessions call, because
 * a session that takes a token holds the lock of the bucket until its transaction
 * ends.  The time of a token is rounded up to a microsecond.  If the clock is set back,
 * the bucket is empty at worst.  The table is unlogged: after a crash the buckets are
 * full.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "plan/rate.h"
#include "plan/plan_locks.h"

/* Longest time, in microseconds: about 3,000 years, which timestamps can still hold. */
#define RATE_MAX_TIME	"1e17"

const char *const rate_outcome_labels[] = {"taken", "limited", "busy"};

/* Converts to microseconds, limited to the longest time. */
static int64
TimeOf(Numeric microseconds)
{
	Numeric		time = NumberMin(microseconds, NumberOfLiteral(RATE_MAX_TIME));

	return DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_ceil, NumericGetDatum(time))));
}

/* Limits how empty a bucket is, because the clock may have been set back, or the rate raised. */
static void
BoundBucket(const text *tenant, Span tool, TimestampTz empty)
{
	static FixedQuery query = {
		.text = "UPDATE answer.tool_bucket SET full_at = $3 WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND tool OPERATOR(pg_catalog.=) $2 AND full_at OPERATOR(pg_catalog.>) $3",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[] = {PointerGetDatum(tenant), SpanDatum(tool), TimestampTzGetDatum(empty)};

	(void) QueryRunLatestForOurselves(&query, values, NULL);
}

/* Takes a token, unless the bucket is full again later than "tolerance" after now. */
static bool
TakeToken(const text *tenant, Span tool, int64 token, int64 tolerance)
{
	static FixedQuery query = {
		.text = "INSERT INTO answer.tool_bucket AS b (tenant, tool, full_at) VALUES ($1, $2, $3 OPERATOR(pg_catalog.+) $4)"
		" ON CONFLICT (tenant, tool) DO UPDATE SET full_at = GREATEST(b.full_at, $3) OPERATOR(pg_catalog.+) $4"
		" WHERE b.full_at OPERATOR(pg_catalog.<=) $5",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID, INTERVALOID, TIMESTAMPTZOID}
	};
	TimestampTz now = GetCurrentTimestamp();
	Interval	one = {.time = token};	/* no days, whose length would depend on a time zone */
	Datum		values[] = {
		PointerGetDatum(tenant), SpanDatum(tool), TimestampTzGetDatum(now), IntervalPGetDatum(&one),
		TimestampTzGetDatum(now + tolerance)
	};

	if (QueryRunLatestForOurselves(&query, values, NULL).count > 0)
		return true;
	BoundBucket(tenant, tool, now + tolerance + token);
	return false;
}

RateOutcome
RateTake(const text *tenant, Span tool, Numeric qps, bool is_held)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		token = NumberCall(numeric_div, NumberOfLiteral("1e6"), qps);
	Numeric		spare = NumberCall(numeric_sub, NumberMax(qps, one), one);
	int64		time = Max(TimeOf(token), 1);

	RequirePrimary("a call of a tool that has a rate limit");
	if ((is_held && !LockPlans(tenant)) || !LockBuckets(tenant, &tool, 1))
		return RATE_BUSY;
	if (!TakeToken(tenant, tool, time, TimeOf(NumberCall(numeric_mul, spare, int64_to_numeric(time)))))
		return RATE_LIMITED;
	return RATE_TAKEN;
}

/*
 * SQL
 */

/* answer.rate_take(tenant, tool, qps, is_held) */
PG_FUNCTION_INFO_V1(answer_eval_rate_take);
Datum
answer_eval_rate_take(PG_FUNCTION_ARGS)
{
	Numeric		qps = PG_GETARG_NUMERIC(2);
	RateOutcome outcome;

	RequireOperator("answer.rate_take");
	if (NumberCompare(qps, int64_to_numeric(0)) <= 0 || numeric_is_nan(qps) || numeric_is_inf(qps))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a rate limit must be a number above 0")));
	SPI_connect();
	outcome = RateTake(PG_GETARG_TEXT_PP(0), TextArgument(fcinfo, 1), qps, PG_GETARG_BOOL(3));
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(rate_outcome_labels[outcome]));
}
