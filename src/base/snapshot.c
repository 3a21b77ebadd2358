/*-------------------------------------------------------------------------
 *
 * snapshot.c
 *		Finds the latest date that can be given to what a transaction sees.
 *
 * A handler reads what its snapshot shows, and a snapshot can be old:
 *
 * - Under READ COMMITTED a handler gets a new snapshot when it is called, so an
 *   instant that was taken before the call is safe.
 * - Under REPEATABLE READ and SERIALIZABLE the snapshot is that of the
 *   transaction's first query, which is not earlier than the transaction's start.
 * - A snapshot can be imported from another transaction (SET TRANSACTION
 *   SNAPSHOT).  It may be of any age, and nothing in it says which.  So we watch
 *   for imports, and give no date to what such a transaction sees.  The same holds
 *   for a transaction that may have imported one before we were loaded.
 * - A standby shows what has been replayed, so nothing is later than the last
 *   commit that was replayed.  For an older snapshot nobody knows how much had
 *   been replayed when it was taken, so there is no date.
 *
 * The server's statistics and settings do not depend on a snapshot.  This date
 * may be too early for them, never too late.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "base/snapshot.h"

static ProcessUtility_hook_type next_utility = NULL;

/*
 * Start times of transactions: of the latest that imported a snapshot, and of the one in
 * which we were loaded.
 */
static TimestampTz imported_in = 0;
static TimestampTz loaded_in = 0;

static bool
IsImport(Node *statement)
{
	return IsA(statement, VariableSetStmt) &&
		((VariableSetStmt *) statement)->kind == VAR_SET_MULTI &&
		strcmp(((VariableSetStmt *) statement)->name, "TRANSACTION SNAPSHOT") == 0;
}

static void
WatchUtility(PlannedStmt *statement, const char *text, bool keep_tree,
			 ProcessUtilityContext context, ParamListInfo parameters,
			 QueryEnvironment *environment, DestReceiver *receiver,
			 QueryCompletion *completion)
{
	if (IsImport(statement->utilityStmt))
		imported_in = GetCurrentTransactionStartTimestamp();
	(next_utility ? next_utility : standard_ProcessUtility)
		(statement, text, keep_tree, context, parameters, environment, receiver, completion);
}

/* Called once, when the library is loaded. */
void
SnapshotWatch(void)
{
	if (IsTransactionState())
		loaded_in = GetCurrentTransactionStartTimestamp();
	next_utility = ProcessUtility_hook;
	ProcessUtility_hook = WatchUtility;
}

/*
 * May the transaction have imported a snapshot?  If it began with the statement and is
 * not in a block, it has had no opportunity.  One that a procedure began has.
 */
static bool
MayBeImported(void)
{
	TimestampTz start = GetCurrentTransactionStartTimestamp();

	return start == imported_in ||
		(start == loaded_in &&
		 (IsTransactionBlock() || start != GetCurrentStatementStartTimestamp()));
}

/*
 * Gives the latest instant, at most "now", that can be the date of what is read from
 * now on.  Returns false if it is unknown.
 */
bool
SnapshotInstant(TimestampTz now, TimestampTz *instant)
{
	TimestampTz bound = now;

	if (RecoveryInProgress())
	{
		if (IsolationUsesXactSnapshot())
			return false;
		bound = GetLatestXTime();
		if (bound == 0)
			return false;
	}
	else if (IsolationUsesXactSnapshot())
	{
		if (MayBeImported() || GetTransactionSnapshot()->takenDuringRecovery)
			return false;
		bound = GetCurrentTransactionStartTimestamp();
	}
	*instant = Min(bound, now);
	return true;
}

/*
 * Functions that sign call this first, because the server's own error has no hint, and a
 * standby has no key of its own.
 */
void
RequireNoStandby(const char *what)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s on a standby", what),
				 errhint("Ask the primary, which signs and stores. Receipts are read, verified, replayed and audited here as there.")));
}

/* Functions that store, too, call this first. */
void
RequirePrimary(const char *what)
{
	RequireNoStandby(what);
	if (XactReadOnly)
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s in a read-only transaction", what),
				 errhint("Begin the transaction with BEGIN READ WRITE; default_transaction_read_only may be on.")));
}

/* Does the same for a SQL function; one that is not volatile stores nothing. */
void
RequirePrimaryFor(Oid function)
{
	if (XactReadOnly && func_volatile(function) == PROVOLATILE_VOLATILE)
		RequirePrimary(psprintf("%s%s()", get_func_namespace(function) == get_namespace_oid("answer", true) ? "answer." : "",
								get_func_name(function)));
}
