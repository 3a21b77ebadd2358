/*-------------------------------------------------------------------------
 *
 * plan_locks.c
 *		The locks for budgets, rate limits and traces.
 *
 * Manual: doc/plan.md, "Budgets".  Stateful: these are the server's advisory locks, with
 * a field that pg_advisory_lock cannot set.  Two names with the same hash only wait for
 * each other.
 *
 * Why not row locks: a row that is locked in a subtransaction, which is needed to
 * handle lock_timeout, and changed outside of it costs a multixact each time.  A lock
 * that is free is taken here without a subtransaction.
 *
 * Why plans cannot deadlock: all take the locks in one order.  Of plans that hold their
 * locks to the end of the caller's transaction, only one per tenant runs at a time, so
 * two transactions with several plans each cannot block each other either.  A caller
 * that works for several tenants in one transaction can still cause a deadlock, as
 * with its own locks.  PostgreSQL detects it, and here it counts as a lock that could
 * not be taken.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/ipc.h"
#include "storage/lock.h"

#include "base/compat.h"
#include "base/locks.h"
#include "plan/plan_locks.h"

/* Returns the tag of a tenant's lock. */
static LOCKTAG
TagOf(const text *tenant, Span name, AnswerLock lock)
{
	LOCKTAG		tag;

	TenantLockTag(&tag, lock, tenant, (Span) {"", 0}, name);
	return tag;
}

/*
 * waiting
 */

/* Takes a lock, and waits for it. Returns false if lock_timeout passed, or if waiting would be a deadlock. */
static bool
TakeLock(const LOCKTAG *tag, LOCKMODE mode)
{
	ErrorData  *error;

	if (LockAcquire(tag, mode, false, true) != LOCKACQUIRE_NOT_AVAIL)
		return true;
	error = LockContained(tag, mode);
	if (error && error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE && error->sqlerrcode != ERRCODE_T_R_DEADLOCK_DETECTED)
		ReThrowError(error);
	return error == NULL;
}

static bool
TakeTenantLock(const text *tenant, AnswerLock lock, LOCKMODE mode)
{
	LOCKTAG		tag = TagOf(tenant, (Span) {"", 0}, lock);

	return TakeLock(&tag, mode);
}

bool
LockPlans(const text *tenant)
{
	return TakeTenantLock(tenant, LOCK_PLANS, ExclusiveLock);
}

bool
LockBudget(const text *tenant, bool is_exclusive)
{
	return TakeTenantLock(tenant, LOCK_BUDGET, is_exclusive ? ExclusiveLock : ShareLock);
}

bool
LockCaps(const text *tenant)
{
	return TakeTenantLock(tenant, LOCK_CAPS, ExclusiveLock);
}

static int
CompareTags(const void *a, const void *b)
{
	const LOCKTAG *one = a;
	const LOCKTAG *other = b;

	if (one->locktag_field2 != other->locktag_field2)
		return one->locktag_field2 < other->locktag_field2 ? -1 : 1;
	return (one->locktag_field3 > other->locktag_field3) - (one->locktag_field3 < other->locktag_field3);
}

bool
LockBuckets(const text *tenant, const Span *tools, int count)
{
	LOCKTAG    *tags = palloc(sizeof(LOCKTAG) * Max(count, 1));
	bool		are_taken = true;

	for (int i = 0; i < count; i++)
		tags[i] = TagOf(tenant, tools[i], LOCK_BUCKET);
	qsort(tags, count, sizeof(LOCKTAG), CompareTags);
	for (int i = 0; i < count && are_taken; i++)
		are_taken = TakeLock(&tags[i], ExclusiveLock);
	pfree(tags);
	return are_taken;
}

/*
 * traces
 */

/*
 * Uses the server's own lock method, unlike the other locks: the session's locks of
 * this method are released if a transaction aborts, and pg_advisory_unlock_all(),
 * which a tool may call, does not release them.
 */
static LOCKTAG
TraceTag(const text *tenant, Span trace_id)
{
	LOCKTAG		tag = TagOf(tenant, trace_id, LOCK_TRACE);

	tag.locktag_lockmethodid = DEFAULT_LOCKMETHOD;
	return tag;
}

/* Releases the lock of a trace when a session exits outside of a transaction, because the server does not. */
static void
ReleaseAtExit(int code, Datum arg)
{
	(void) code;
	(void) arg;
	LockReleaseAll(DEFAULT_LOCKMETHOD, true);
}

bool
LockTrace(const text *tenant, Span trace_id)
{
	static bool is_watching = false;
	LOCKTAG		tag = TraceTag(tenant, trace_id);

	if (!is_watching)
		on_shmem_exit(ReleaseAtExit, (Datum) 0);
	is_watching = true;
	return LockAcquire(&tag, ExclusiveLock, true, true) != LOCKACQUIRE_NOT_AVAIL;
}

void
UnlockTrace(const text *tenant, Span trace_id)
{
	LOCKTAG		tag = TraceTag(tenant, trace_id);

	(void) LockRelease(&tag, ExclusiveLock, true);
}

bool
TakeOverTrace(const text *tenant, Span trace_id, bool *was_ours)
{
	LOCKTAG		tag = TraceTag(tenant, trace_id);
	LockAcquireResult result = LockAcquire(&tag, ExclusiveLock, false, true);

	*was_ours = result == LOCKACQUIRE_ALREADY_HELD || result == LOCKACQUIRE_ALREADY_CLEAR;
	return result != LOCKACQUIRE_NOT_AVAIL;
}
