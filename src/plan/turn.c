/*-------------------------------------------------------------------------
 *
 * turn.c
 *		Whose turn it is: the locks that budgets, rate limits and traces need.
 *
 * Rule: "Execution and transactions" of the contract of plans.  Stateful: these
 * are the server's advisory locks, with a field that no caller of
 * pg_advisory_lock can set.  Two names with the same hash only wait for each
 * other.
 *
 * Why not rows: a row that is locked in a subtransaction, which containing
 * lock_timeout needs, and changed outside of it costs a multixact each time.  A
 * lock that is free is taken here without a subtransaction.
 *
 * Why plans cannot deadlock: the locks are taken in one order, and among plans
 * that hold theirs to the end of the caller's transaction one of a tenant has
 * its turn at a time, so that two transactions with several plans each cannot
 * meet either.  A caller who works for several tenants in one transaction can
 * still close a circle, as with any locks of his own; PostgreSQL finds it,
 * and here it is a lock that was not to be had.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "base/compat.h"
#include "plan/turn.h"

/* Which lock it is: field 4 of the tags; that of changes is before them. */
#define PLANS_LOCK_FIELD4	0xB1
#define BUDGET_LOCK_FIELD4	0xB2
#define CAPS_LOCK_FIELD4	0xB3
#define BUCKET_LOCK_FIELD4	0xB4
#define TRACE_LOCK_FIELD4	0xB5

/* The tag of something of a tenant's. */
static LOCKTAG
TagOf(const text *tenant, Span name, uint16 field4)
{
	LOCKTAG		tag;
	uint64		hash = hash_bytes_extended((const unsigned char *) VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant), 0);

	if (name.len > 0)
		hash = hash_bytes_extended((const unsigned char *) name.str, name.len, hash);
	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) (hash >> 32), (uint32) hash, field4);
	return tag;
}

/*
 * waiting
 */

/* Another one of these two was first, and did not come to an end. */
static bool
IsBusyError(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE || error->sqlerrcode == ERRCODE_T_R_DEADLOCK_DETECTED;
}

/* Waits for a lock.  False if it is not to be had. */
static bool
WaitForTurn(const LOCKTAG *tag, LOCKMODE mode)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool is_taken = true;
	Oid			user;
	int			rights;

	GetUserIdAndSecContext(&user, &rights);
	BeginInternalSubTransaction(NULL);
	PG_TRY();
	{
		(void) LockAcquire(tag, mode, false, false);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		SetUserIdAndSecContext(user, rights);
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		/* nobody above would end the subtransaction, and the session would be of no more use */
		if (!IsBusyError(error))
			ReThrowError(error);
		FreeErrorData(error);
		is_taken = false;
	}
	PG_END_TRY();
	SetUserIdAndSecContext(user, rights);
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return is_taken;
}

static bool
TakeTurn(const LOCKTAG *tag, LOCKMODE mode)
{
	return LockAcquire(tag, mode, false, true) != LOCKACQUIRE_NOT_AVAIL || WaitForTurn(tag, mode);
}

static bool
TakeTenantTurn(const text *tenant, uint16 field4, LOCKMODE mode)
{
	LOCKTAG		tag = TagOf(tenant, (Span) {"", 0}, field4);

	return TakeTurn(&tag, mode);
}

bool
TurnTakePlans(const text *tenant)
{
	return TakeTenantTurn(tenant, PLANS_LOCK_FIELD4, ExclusiveLock);
}

bool
TurnTakeBudget(const text *tenant, bool is_exclusive)
{
	return TakeTenantTurn(tenant, BUDGET_LOCK_FIELD4, is_exclusive ? ExclusiveLock : ShareLock);
}

bool
TurnTakeCaps(const text *tenant)
{
	return TakeTenantTurn(tenant, CAPS_LOCK_FIELD4, ExclusiveLock);
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
TurnTakeBuckets(const text *tenant, const Span *tools, int count)
{
	LOCKTAG    *tags = palloc(sizeof(LOCKTAG) * Max(count, 1));
	bool		are_taken = true;

	for (int i = 0; i < count; i++)
		tags[i] = TagOf(tenant, tools[i], BUCKET_LOCK_FIELD4);
	qsort(tags, count, sizeof(LOCKTAG), CompareTags);
	for (int i = 0; i < count && are_taken; i++)
		are_taken = TakeTurn(&tags[i], ExclusiveLock);
	pfree(tags);
	return are_taken;
}

/*
 * traces
 */

/*
 * Of the server's own lock method, unlike the others: a session's locks of it are
 * let go where a transaction aborts, and pg_advisory_unlock_all(), which a tool
 * may call, does not reach them.
 */
static LOCKTAG
TraceTag(const text *tenant, Span trace_id)
{
	LOCKTAG		tag = TagOf(tenant, trace_id, TRACE_LOCK_FIELD4);

	tag.locktag_lockmethodid = DEFAULT_LOCKMETHOD;
	return tag;
}

/* Where a session ends with the lock of a trace, outside of any transaction, the server does not let it go itself. */
static void
ReleaseAtExit(int code, Datum arg)
{
	(void) code;
	(void) arg;
	LockReleaseAll(DEFAULT_LOCKMETHOD, true);
}

bool
TraceTurnTake(const text *tenant, Span trace_id)
{
	static bool is_watching = false;
	LOCKTAG		tag = TraceTag(tenant, trace_id);

	if (!is_watching)
		on_shmem_exit(ReleaseAtExit, (Datum) 0);
	is_watching = true;
	return LockAcquire(&tag, ExclusiveLock, true, true) != LOCKACQUIRE_NOT_AVAIL;
}

void
TraceTurnEnd(const text *tenant, Span trace_id)
{
	LOCKTAG		tag = TraceTag(tenant, trace_id);

	(void) LockRelease(&tag, ExclusiveLock, true);
}

bool
TraceTurnTakeOver(const text *tenant, Span trace_id, bool *was_ours)
{
	LOCKTAG		tag = TraceTag(tenant, trace_id);
	LockAcquireResult result = LockAcquire(&tag, ExclusiveLock, false, true);

	*was_ours = result == LOCKACQUIRE_ALREADY_HELD || result == LOCKACQUIRE_ALREADY_CLEAR;
	return result != LOCKACQUIRE_NOT_AVAIL;
}
