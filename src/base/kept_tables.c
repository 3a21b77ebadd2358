/*-------------------------------------------------------------------------
 *
 * kept_tables.c
 *		Caches what a session reads of small tables of ours, until one of them
 *		changes.
 *
 * Every request reads the registry of tools, which changes perhaps once a week.  So
 * each session caches what it reads of it.  A row-level trigger announces each
 * change to all sessions, with the invalidation message that the server sends when
 * a table's definition changes.  Other sessions get the message when the change is
 * committed.  The session that made the change gets it on rollback too.
 *
 * Promises: the cache gives out what the active snapshot shows.  If that is not
 * certain, nothing is cached or given out, and the caller reads the tables:
 *
 * - if this transaction has changed one of the tables;
 * - if the snapshot is older than the last change that we were told of;
 * - while another session is changing a table, or has committed a change but not
 *   sent its message yet;
 * - under SERIALIZABLE, where the server must see each read;
 * - in parallel mode, where no newer snapshot may be taken;
 * - if a trigger is missing, can be disabled, or has another function;
 * - if a table is not a plain one.
 *
 * Disabling a trigger changes the table's definition, so it sends a message too.
 * Replacing the trigger's function also sends one: it ends what is cached, and the
 * new function is not accepted.  Before that message is sent, CREATE OR REPLACE
 * FUNCTION holds a lock on the function (15.20 does).  We test that lock, so
 * nothing is given out in between.  A server that takes no such lock, or an edit of
 * pg_proc by hand, leaves a gap between commit and message.  In that gap we can
 * miss a change of a row that the new function did not announce.  Only the owner of
 * the extension, or a superuser, can cause this.
 *
 * Values that were given out stay valid as long as the caller's memory context,
 * whatever is called meanwhile.  The size of the cache is bounded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/kept_tables.h"
#include "base/owner.h"
#include "base/index_probe.h"

/* The name of the trigger, and the size limit of a cache. */
#define KEPT_TRIGGER	"tells_of_changes"
#define KEPT_MAX_SIZE	(1024 * 1024)

/* Limit for the number of comparisons between two lists of running transactions. */
#define COMPARED_TRANSACTIONS	4096

typedef struct KeptEntry
{
	struct KeptEntry *next;
	Span		key;
	void	   *value;
} KeptEntry;

/* What was read since the last change, and the latest snapshot at the time when it was begun. */
struct KeptContent
{
	MemoryContext context;
	int			holders;
	bool		is_dropped;		/* the last holder must free it */
	TransactionId xmax;
	int			running;
	TransactionId *xids;
	KeptEntry  *buckets[KEPT_BUCKETS];
};

/* Somebody who was given a part of a content. */
typedef struct KeptHolder
{
	MemoryContextCallback callback;
	KeptContent *content;
} KeptHolder;

static Kept *watched = NULL;

/* The transaction of this session that has changed such a table. */
static TransactionId changed_in = InvalidTransactionId;

PG_FUNCTION_INFO_V1(answer_eval_tells_of_changes);

/* Invalidation callback for tables.  Nothing may be freed here. */
static void
NoteChange(Datum arg, Oid table)
{
	for (Kept *kept = watched; kept; kept = kept->next)
	{
		for (int i = 0; i < KEPT_TABLES; i++)
			kept->changed |= !OidIsValid(table) || table == kept->tables[i];
	}
}

/* Invalidation callback for functions: the trigger's function may be the one that changed. */
static void
NoteFunction(Datum arg, int cache, uint32 hash)
{
	for (Kept *kept = watched; kept; kept = kept->next)
		kept->changed = true;
}

static void
Watch(Kept *kept)
{
	if (kept->is_watched)
		return;
	if (watched == NULL)
	{
		CacheRegisterRelcacheCallback(NoteChange, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, NoteFunction, (Datum) 0);
	}
	kept->next = watched;
	watched = kept;
	kept->is_watched = true;
}

/* Is it the trigger's function, as it was installed? */
static bool
IsTeller(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr == answer_eval_tells_of_changes;
}

/*
 * Does a trigger announce each change of a row before it happens, whatever the session
 * sets? Afterwards would be too late: other triggers, and functions of the same
 * statement, see changed rows before an AFTER trigger has fired for them.
 */
static bool
TellsOfChanges(Relation table, Oid *teller)
{
	TriggerDesc *triggers = table->trigdesc;

	for (int i = 0; triggers && i < triggers->numtriggers; i++)
	{
		const Trigger *trigger = &triggers->triggers[i];

		if (strcmp(trigger->tgname, KEPT_TRIGGER) == 0 && trigger->tgenabled == TRIGGER_FIRES_ALWAYS &&
			trigger->tgqual == NULL && trigger->tgnattr == 0 && TRIGGER_FOR_ROW(trigger->tgtype) &&
			TRIGGER_FOR_BEFORE(trigger->tgtype) && TRIGGER_FOR_INSERT(trigger->tgtype) &&
			TRIGGER_FOR_UPDATE(trigger->tgtype) && TRIGGER_FOR_DELETE(trigger->tgtype))
		{
			*teller = trigger->tgfoid;
			return IsTeller(*teller);
		}
	}
	return false;
}

/* Looks the tables up.  Are all their changes announced? */
static bool
TablesTell(Kept *kept)
{
	for (int i = 0; i < KEPT_TABLES && kept->names[i]; i++)
	{
		Relation	table;
		bool		tells;

		kept->tables[i] = AnswerRelation(kept->names[i]);
		table = try_table_open(kept->tables[i], AccessShareLock);
		tells = table && TableIsPlain(table) && TellsOfChanges(table, &kept->teller);
		if (table)
			table_close(table, AccessShareLock);
		if (!tells)
			return false;
	}
	return true;
}

/*
 * Whoever changes a row holds this lock until the invalidation message is sent, which
 * is after the commit becomes visible.  So if nobody holds it, every change that an
 * earlier snapshot shows has been announced.  The lock is on the trigger's function,
 * for all tables.  Whoever changes a definition, or truncates a table, holds a lock on
 * the table itself.
 */
static LOCKTAG
ChangeLock(Oid teller)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, ProcedureRelationId, teller, 0);
	return tag;
}

/* Is somebody changing a table, or has somebody whose message may not have arrived yet? */
static bool
SomebodyChanges(const Kept *kept)
{
	LOCKTAG		tag = ChangeLock(kept->teller);

	for (int i = 0; i < KEPT_TABLES && kept->names[i]; i++)
	{
		if (!ConditionalLockRelationOid(kept->tables[i], RowExclusiveLock))
			return true;
		UnlockRelationOid(kept->tables[i], RowExclusiveLock);
	}
	if (LockAcquire(&tag, ShareLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		return true;
	LockRelease(&tag, ShareLock, false);
	return false;
}

static void
FreeContent(KeptContent *content)
{
	MemoryContextDelete(content->context);
}

static void
Release(void *arg)
{
	KeptContent *content = ((KeptHolder *) arg)->content;

	content->holders--;
	if (content->is_dropped && content->holders == 0)
		FreeContent(content);
}

static void
DropContent(Kept *kept)
{
	KeptContent *content = kept->content;

	kept->content = NULL;
	if (content == NULL)
		return;
	content->is_dropped = true;
	if (content->holders == 0)
		FreeContent(content);
}

/* Starts a new content, with what is committed now. */
static void
BeginContent(Kept *kept)
{
	MemoryContext context;
	KeptContent *content;
	Snapshot	latest;

	Watch(kept);
	kept->changed = false;		/* first, so that later changes are noticed */
	if (!TablesTell(kept))
		return;
	latest = GetLatestSnapshot();
	if (latest->takenDuringRecovery)
		return;
	context = AllocSetContextCreate(TopMemoryContext, "answer_eval registry", ALLOCSET_SMALL_SIZES);
	content = MemoryContextAllocZero(context, sizeof(KeptContent));
	content->context = context;
	content->xmax = latest->xmax;
	content->running = latest->xcnt;
	content->xids = MemoryContextAlloc(context, sizeof(TransactionId) * Max(latest->xcnt, 1));
	if (latest->xcnt > 0)
		memcpy(content->xids, latest->xip, sizeof(TransactionId) * latest->xcnt);
	kept->content = content;
}

static bool
WasRunning(const KeptContent *content, TransactionId xid)
{
	for (int i = 0; i < content->running; i++)
	{
		if (TransactionIdEquals(content->xids[i], xid))
			return true;
	}
	return false;
}

/* Does a snapshot include all that was committed when a content was begun? */
static bool
IsAsNew(Snapshot snapshot, const KeptContent *content)
{
	if (snapshot->snapshot_type != SNAPSHOT_MVCC || snapshot->takenDuringRecovery ||
		TransactionIdPrecedes(snapshot->xmax, content->xmax))
		return false;
	if (TransactionIdFollowsOrEquals(snapshot->xmin, content->xmax))
		return true;
	if ((uint64) snapshot->xcnt * content->running > COMPARED_TRANSACTIONS)
		return false;
	for (uint32 i = 0; i < snapshot->xcnt; i++)
	{
		TransactionId xid = snapshot->xip[i];

		if (TransactionIdPrecedes(xid, content->xmax) && !WasRunning(content, xid))
			return false;
	}
	return true;
}

/* May what is cached be given out, and added to, for the active snapshot? */
bool
KeptServes(Kept *kept)
{
	if (IsolationIsSerializable() || IsInParallelMode() ||
		(TransactionIdIsValid(changed_in) && TransactionIdEquals(changed_in, GetTopTransactionIdIfAny())) ||
		(kept->content && SomebodyChanges(kept)))
		return false;
	AcceptInvalidationMessages();	/* after the lock was tested */
	if (kept->content && (kept->changed || MemoryContextMemAllocated(kept->content->context, true) > KEPT_MAX_SIZE))
		DropContent(kept);
	if (kept->content == NULL)
		BeginContent(kept);
	return kept->content != NULL && !kept->changed && IsAsNew(GetActiveSnapshot(), kept->content);
}

static KeptEntry **
BucketOf(KeptContent *content, Span key)
{
	uint32		hash = hash_bytes((const unsigned char *) key.str, key.len);

	return &content->buckets[hash % KEPT_BUCKETS];
}

/* Returns the value that was added under a key, or NULL. */
void *
KeptFind(Kept *kept, Span key)
{
	for (KeptEntry *entry = *BucketOf(kept->content, key); entry; entry = entry->next)
	{
		if (SpanEqual(entry->key, key))
			return entry->value;
	}
	return NULL;
}

/* Returns the memory context for values to be added. */
MemoryContext
KeptMemory(Kept *kept)
{
	return kept->content->context;
}

void
KeptAdd(Kept *kept, Span key, void *value)
{
	MemoryContext caller = MemoryContextSwitchTo(kept->content->context);
	KeptEntry **bucket = BucketOf(kept->content, key);
	KeptEntry  *entry = palloc(sizeof(KeptEntry));

	entry->key = SpanOf(memcpy(palloc(Max(key.len, 1)), key.str, key.len), key.len);
	entry->value = value;
	entry->next = *bucket;
	*bucket = entry;
	MemoryContextSwitchTo(caller);
}

/* Keeps what was given out until the current memory context is reset. */
void
KeptHold(Kept *kept)
{
	KeptHolder *holder = palloc(sizeof(KeptHolder));

	holder->content = kept->content;
	holder->callback.func = Release;
	holder->callback.arg = holder;
	holder->content->holders++;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &holder->callback);
}

/*
 * SQL
 */

/* answer.tells_of_changes(): BEFORE trigger, for each row */
Datum
answer_eval_tells_of_changes(PG_FUNCTION_ARGS)
{
	TriggerData *change = (TriggerData *) fcinfo->context;
	LOCKTAG		tag;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_FOR_ROW(change->tg_event) ||
		!TRIGGER_FIRED_BEFORE(change->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.tells_of_changes() can only be called as a trigger before each row")));
	tag = ChangeLock(fcinfo->flinfo->fn_oid);
	(void) LockAcquire(&tag, RowExclusiveLock, false, false);
	changed_in = GetTopTransactionId();
	CacheInvalidateRelcache(change->tg_relation);
	return PointerGetDatum(TRIGGER_FIRED_BY_UPDATE(change->tg_event) ? change->tg_newtuple : change->tg_trigtuple);
}
