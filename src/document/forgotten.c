/*-------------------------------------------------------------------------
 *
 * forgotten.c
 *		Makes sure that forgotten content is not stored again.
 *
 * Manual: doc/answer_eval.md, "Forget".  Whoever stores something of a tenant first
 * takes a lock until the end of the transaction, and then looks for tombstones among
 * all that is committed by now.  Whoever forgets takes a conflicting lock.  So
 * content that was read before a forgetting cannot be stored after it.
 *
 * Promises: tenants do not wait for another tenant's forgetting.  Everybody waits for
 * the operator, who forgets for all.  Nobody waits long behind a forgetting that is
 * itself waiting.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "utils/array.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/distributed.h"
#include "base/locks.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/forgotten.h"

#define QUEUE_MS			200		/* how long writers may wait behind a waiting forgetting */

/*
 * who stores
 */

/* Makes the tag of a tenant's lock.  Those who store and those who forget take it in conflicting modes. */
static void
ForgettingTag(LOCKTAG *tag, const text *tenant)
{
	TenantLockTag(tag, LOCK_FORGET, tenant, (Span) {"", 0}, (Span) {"", 0});
}

/*
 * Takes the two locks that everybody who stores something of a tenant holds; see
 * LockOutWriters.  Returns the open table.
 */
static Relation
KeepUnforgotten(const text *tenant)
{
	Relation	tombstones = table_open(AnswerTable("tombstone"), RowExclusiveLock);
	LOCKTAG		tag;

	ForgettingTag(&tag, tenant);
	(void) LockAcquire(&tag, RowExclusiveLock, false, false);
	return tombstones;
}

void
HoldOffForgetting(const text *tenant)
{
	table_close(KeepUnforgotten(tenant), NoLock);
}

const char *
FindForgotten(const text *tenant, Datum *digests, int count)
{
	static FixedQuery query = {
		.text = "SELECT digest FROM answer.tombstone"
		" WHERE digest OPERATOR(pg_catalog.=) ANY ($1) AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	Relation	tombstones = KeepUnforgotten(tenant);
	/* if distributed by Citus, this is only the empty shell */
	bool		none = RelationGetNumberOfBlocks(tombstones) == 0 &&
		!IsDistributed(RelationGetRelid(tombstones));
	const char *forgotten = NULL;
	Datum		values[2];
	QueryRows	rows;

	table_close(tombstones, NoLock);
	if (none)					/* nobody ever forgot anything, which is the common case */
		return NULL;
	values[0] = PointerGetDatum(construct_array(digests, count, TEXTOID, -1, false, TYPALIGN_INT));
	values[1] = PointerGetDatum(tenant);
	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	PopActiveSnapshot();
	if (rows.count > 0)
		forgotten = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 1);
	QueryFree(&rows);
	return forgotten;
}

void
RefuseForgotten(const text *tenant, Datum *digests, int count)
{
	const char *forgotten = FindForgotten(tenant, digests, count);

	if (forgotten)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("evidence \"%s\" was forgotten", forgotten),
				 errhint("It must not be stored again; answer.tombstone tells the reason. If it was forgotten while the request ran, ask again.")));
}

/*
 * who forgets
 */

/* Takes a lock, waiting in its queue for at most QUEUE_MS; returns false if that was too short. */
static bool
QueueForLock(const LOCKTAG *tag, LOCKMODE mode)
{
	int			lock_timeout = LockTimeout;
	ErrorData  *volatile error = NULL;

	LockTimeout = QUEUE_MS;
	PG_TRY();
	{
		error = LockContained(tag, mode);
	}
	PG_FINALLY();
	{
		LockTimeout = lock_timeout;
	}
	PG_END_TRY();
	if (error && error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ReThrowError(error);
	return error == NULL;
}

static int
CompareTenants(const void *a, const void *b)
{
	const text *left = DatumGetTextPP(*(const Datum *) a);
	const text *right = DatumGetTextPP(*(const Datum *) b);

	return SpanCompare(SpanOf(VARDATA_ANY(left), VARSIZE_ANY_EXHDR(left)),
					   SpanOf(VARDATA_ANY(right), VARSIZE_ANY_EXHDR(right)));
}

/*
 * Takes the lock that excludes all who store.  A transaction that has stored something
 * may hold it for hours, and whoever waits in the lock's queue blocks everybody who
 * comes later.  So we wait for the end of the holders' transactions outside the queue.
 * Those who came meanwhile get QUEUE_MS to finish, while we are in the queue.  Without
 * that, a forgetting might never find a moment without a writer.
 */
static void
LockOut(const LOCKTAG *tag, LOCKMODE mode)
{
	while (LockAcquire(tag, mode, false, true) == LOCKACQUIRE_NOT_AVAIL)
	{
		CHECK_FOR_INTERRUPTS();
		WaitForLockers(*tag, mode, false);
		if (LockTimeout > 0 && LockTimeout <= QUEUE_MS)
		{
			(void) LockAcquire(tag, mode, false, false);
			break;
		}
		if (QueueForLock(tag, mode))
			break;
	}
}

void
LockOutWriters(ArrayType *tenants, bool is_all)
{
	Oid			table = AnswerTable("tombstone");
	LOCKTAG		tag;
	Datum	   *each;
	int			count;

	if (is_all)
	{
		SET_LOCKTAG_RELATION(tag, MyDatabaseId, table);
		LockOut(&tag, ShareRowExclusiveLock);
		return;
	}
	LockRelationOid(table, RowExclusiveLock);
	deconstruct_array(tenants, TEXTOID, -1, false, TYPALIGN_INT, &each, NULL, &count);
	qsort(each, count, sizeof(Datum), CompareTenants);
	for (int i = 0; i < count; i++)
	{
		ForgettingTag(&tag, DatumGetTextPP(each[i]));
		LockOut(&tag, ShareRowExclusiveLock);
	}
}

/*
 * SQL
 */

/* answer.refuse_forgotten(tenant, digest): for SQL functions that store evidence */
PG_FUNCTION_INFO_V1(answer_eval_refuse_forgotten);
Datum
answer_eval_refuse_forgotten(PG_FUNCTION_ARGS)
{
	Datum		digest = PG_GETARG_DATUM(1);

	RequireTenant(PG_GETARG_TEXT_PP(0));
	SPI_connect();
	RefuseForgotten(PG_GETARG_TEXT_PP(0), &digest, 1);
	SPI_finish();
	PG_RETURN_VOID();
}

/* answer.keep_unforgotten(tenant): for SQL functions that lock rows before they store */
PG_FUNCTION_INFO_V1(answer_eval_keep_unforgotten);
Datum
answer_eval_keep_unforgotten(PG_FUNCTION_ARGS)
{
	HoldOffForgetting(PG_GETARG_TEXT_PP(0));
	PG_RETURN_VOID();
}
