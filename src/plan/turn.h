/*-------------------------------------------------------------------------
 *
 * turn.h
 *		Whose turn it is: the locks that budgets, rate limits and traces need.
 *
 * The locks are advisory ones that no caller of pg_advisory_lock can name.  In
 * this order they are taken, and whoever needs several keeps to it:
 *
 *	1. of a tenant's budget: shared by who counts against no cap; exclusive by
 *	   who counts against one, or sets one
 *	2. of a tenant's plans that hold their locks to the end of the caller's
 *	   transaction
 *	3. of the buckets of tools, in the order of their hashes
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TURN_H
#define ANSWER_EVAL_TURN_H

#include "c.h"

#include "base/span.h"

/*
 * They wait, and hold the lock to the end of the transaction.  False if
 * lock_timeout passed, or another session waited in turn for what this one
 * holds: then nothing was taken, and the transaction goes on.
 */
extern bool TurnTakeBudget(const text *tenant, bool is_exclusive);
extern bool TurnTakePlans(const text *tenant);
extern bool TurnTakeBuckets(const text *tenant, const Span *tools, int count);

/*
 * The lock of a trace, held by the session that executes its plan, from one
 * transaction to the next.  It is let go by TraceTurnEnd, with the session, and
 * where a transaction of the session aborts: then the plan has ended, too.
 * False if another session has it.
 */
extern bool TraceTurnTake(const text *tenant, Span trace_id);
extern void TraceTurnEnd(const text *tenant, Span trace_id);

/* The same until the end of the transaction, for who settles what others left.  False if any session has it. */
extern bool TraceTurnTakeOver(const text *tenant, Span trace_id);

#endif							/* ANSWER_EVAL_TURN_H */
