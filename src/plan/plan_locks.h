/*-------------------------------------------------------------------------
 *
 * plan_locks.h
 *		Takes the locks that budgets, rate limits and traces need, one after the
 *		other.
 *
 * The locks are advisory ones that no caller of pg_advisory_lock can name.  In
 * this order they are taken, and whoever needs several keeps to it:
 *
 *	1. of a tenant's plans and calls that hold what they take to the end of
 *	   the caller's transaction
 *	2. of a tenant's budget: shared by every plan, exclusive by who sets a cap
 *	3. of what a tenant's caps count, where it has caps by day or month
 *	4. of the buckets of tools, in the order of their hashes
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_LOCKS_H
#define ANSWER_EVAL_PLAN_LOCKS_H

#include "c.h"

#include "base/span.h"

/*
 * They wait, and hold the lock to the end of the transaction.  False if
 * lock_timeout passed, or another session waits in turn for what this one
 * holds; the transaction goes on.
 */
extern bool LockPlans(const text *tenant);
extern bool LockBudget(const text *tenant, bool is_exclusive);
extern bool LockCaps(const text *tenant);
extern bool LockBuckets(const text *tenant, const Span *tools, int count);

/*
 * Takes the lock of a trace, held by the session that executes its plan, from one
 * transaction to the next. It is let go by UnlockTrace, which goes before the end of
 * the CALL, and where a transaction of the session aborts: then the plan has ended,
 * too. False if another session has it.
 */
extern bool LockTrace(const text *tenant, Span trace_id);
extern void UnlockTrace(const text *tenant, Span trace_id);

/*
 * Takes the same lock until the end of the transaction, for a session that goes on
 * with what another one left, or settles it. False if another session has it;
 * *was_ours says whether this one had it before.
 */
extern bool TakeOverTrace(const text *tenant, Span trace_id, bool *was_ours);

#endif							/* ANSWER_EVAL_PLAN_LOCKS_H */
