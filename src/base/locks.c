/*-------------------------------------------------------------------------
 *
 * locks.c
 *		Our own locks, which no SQL statement can take.
 *
 * They are advisory locks with a field value that pg_advisory_lock() and its
 * relatives never set.  So a role that may only connect cannot block others.
 * For the same reason a name goes into its tag as SHA-256: with a weaker hash, a
 * tenant could choose names whose locks are those of another tenant.
 *
 * Promises: the tags of all advisory locks that we take are made here
 * (test/tap/base_layers.pl).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"

#include "base/compat.h"
#include "base/locks.h"
#include "base/sha256.h"
#include "base/subtransaction.h"

void
AnswerLockTag(LOCKTAG *tag, AnswerLock lock, uint32 number)
{
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, 0, number, lock);
}

static void
AddPart(const char *bytes, int len)
{
	uint32		size = pg_hton32((uint32) len);

	Sha256Add(&size, sizeof(size));
	Sha256Add(bytes, len);
}

void
TenantLockTag(LOCKTAG *tag, AnswerLock lock, const text *tenant, Span kind, Span name)
{
	uint8		sha256[SHA256_LENGTH];
	uint32		fields[2];

	Sha256Begin();
	AddPart(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant));
	AddPart(kind.str, kind.len);
	AddPart(name.str, name.len);
	Sha256End(sha256);
	memcpy(fields, sha256, sizeof(fields));
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, fields[0], fields[1], lock);
}

typedef struct WantedLock
{
	const LOCKTAG *tag;
	LOCKMODE	mode;
} WantedLock;

static void
AcquireWanted(void *arg)
{
	const WantedLock *wanted = arg;

	(void) LockAcquire(wanted->tag, wanted->mode, false, false);
}

ErrorData *
LockContained(const LOCKTAG *tag, LOCKMODE mode)
{
	WantedLock	wanted = {tag, mode};

	return RunInSubtransaction(AcquireWanted, &wanted);
}

void
LockLoad(const text *tenant, Span kind, Span name)
{
	LOCKTAG		tag;

	TenantLockTag(&tag, LOCK_LOAD, tenant, kind, name);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/*
 * answer.load_lock(tenant, kind, name): makes concurrent loads of the same thing wait, so
 * that each sees the one before
 */
PG_FUNCTION_INFO_V1(answer_eval_load_lock);
Datum
answer_eval_load_lock(PG_FUNCTION_ARGS)
{
	text	   *kind = PG_GETARG_TEXT_PP(1);
	text	   *name = PG_GETARG_TEXT_PP(2);

	LockLoad(PG_GETARG_TEXT_PP(0), SpanOf(VARDATA_ANY(kind), VARSIZE_ANY_EXHDR(kind)),
			 SpanOf(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name)));
	PG_RETURN_VOID();
}
