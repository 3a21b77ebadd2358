/*-------------------------------------------------------------------------
 *
 * plan_locks.h
 *		The locks for budgets, rate limits and traces.
 *
 * The locks are advisory ones that pg_advisory_lock cannot name.  Whoever needs
 * several takes them in this order:
 *
 *	1. of a tenant's plans and calls that hold their locks to the end of the
 *	   caller's transaction
 *	2. of a tenant's budget: shared by every plan, exclusive for setting a cap
 *	3. of the sums of a tenant's caps, if it has caps by day or month
 *	4. of the buckets of tools, in the order of their hashes
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_LOCKS_H
#define ANSWER_EVAL_PLAN_LOCKS_H

#include "c.h"

#include "base/span.h"

/*
 * Wait for a lock, and hold it to the end of the transaction.  Return false,
 * without an error, if lock_timeout passed or waiting would be a deadlock.
 */
extern bool LockPlans(const text *tenant);
extern bool LockBudget(const text *tenant, bool is_exclusive);
extern bool LockCaps(const text *tenant);
extern bool LockBuckets(const text *tenant, const Span *tools, int count);

/*
 * Takes the lock of a trace for the session that executes its plan, across
 * transactions.  Call UnlockTrace before the end of the CALL.  The lock is also
 * released if a transaction of the session aborts, and then the plan has ended,
 * too.  Returns false if another session has the lock.
 */
extern bool LockTrace(const text *tenant, Span trace_id);
extern void UnlockTrace(const text *tenant, Span trace_id);

/*
 * Takes the same lock until the end of the transaction, for a session that
 * continues or settles what another one left.  Returns false if another session has
 * it. *was_ours is set to whether this session had it before.
 */
extern bool TakeOverTrace(const text *tenant, Span trace_id, bool *was_ours);

#endif							/* ANSWER_EVAL_PLAN_LOCKS_H */
