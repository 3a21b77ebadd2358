/*-------------------------------------------------------------------------
 *
 * rate.h
 *		Rate limits of tools: a token bucket per tenant and tool.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RATE_H
#define ANSWER_EVAL_RATE_H

#include "utils/numeric.h"

#include "base/span.h"

typedef enum RateOutcome
{
	RATE_TAKEN,
	RATE_LIMITED,				/* the bucket is empty */
	RATE_BUSY					/* another transaction holds the bucket, and lock_timeout passed */
} RateOutcome;

/* "taken", "limited", "busy" */
extern const char *const rate_outcome_labels[];

/*
 * Takes one token from a tool's bucket, by the server's clock. qps is
 * rate_limit_qps of its spec; the bucket holds that many tokens, and at least one.
 * The bucket is locked until the transaction ends.  So a caller with several
 * transactions takes the token in one and calls the tool in the next; a caller that
 * stays in one transaction sets is_held.  SPI must be connected.
 */
extern RateOutcome RateTake(const text *tenant, Span tool, Numeric qps, bool is_held);

#endif							/* ANSWER_EVAL_RATE_H */
