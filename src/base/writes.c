/*-------------------------------------------------------------------------
 *
 * writes.c
 *		Says whether a transaction has written anything other than our own rows.
 *
 * What a transaction has written may never be committed.  So a document that is
 * signed in it says whether the transaction had written.  What we write for
 * ourselves (receipts and what belongs to them, the first key, tables of routes,
 * buckets, events of plans, caches) does not count: nothing that is signed depends
 * on it, and counting it would tell one tenant what another has asked for.
 *
 * The server only says whether a transaction has an id, which the first write of
 * anybody gives it.  But it also counts commands.  The number goes up only at the
 * end of a command that may write a row (INSERT, UPDATE, DELETE, MERGE, COPY, a
 * lock on a row, a change of the catalog).  It never goes back, not even when a
 * savepoint is rolled back.  So our code says where its own writing begins and
 * ends.  If the number went up anywhere else, others have written.
 *
 * A statement that may write is counted when it begins.  If the transaction had no
 * id then, the statement has written nothing yet.  But it may still write when the
 * function that it calls has returned: INSERT INTO t SELECT answer_eval(...).  So
 * we count such statements, and the next of our functions that is entered treats
 * them as writers.  Until it has returned, the statements that were there before it
 * cannot go on.  Others may start and end, in code of others that it calls.
 *
 * Promises: this never says that nothing was written if something was written that
 * a later statement of the transaction can see and a rollback takes back.  It may
 * say that something was written if a savepoint took it back, if a statement that
 * may write found nothing to write, or if our own writing failed half-way and the
 * error was caught.  A sequence value is not taken back and does not count, unless
 * it gave the transaction its id.  Evidence that a user adds counts as the user's
 * own, even if one of our functions writes it.  Only what is between the two calls
 * here counts as ours, and no code of others runs there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "storage/proc.h"

#include "base/compat.h"
#include "base/writes.h"

/* What is known about the current transaction, up to a command. */
static struct
{
	LocalTransactionId transaction;
	CommandId	command;		/* everything written before it is accounted for, */
	bool		has_id;			/* as is the fact that the transaction has an id */
	int64		may_write;		/* how often statements that may still write began before it had an id */
	bool		by_others;		/* have others written? */
} known;

static bool
HasId(void)
{
	return TransactionIdIsValid(GetTopTransactionIdIfAny());
}

/* Ends the current command.  Returns whether the command number grew or the transaction got its id. */
static bool
TakeNote(void)
{
	CommandId	command = known.command;
	bool		had_id = known.has_id;

	CommandCounterIncrement();
	known.command = GetCurrentCommandId(false);
	known.has_id = HasId();
	return command != known.command || had_id != known.has_id;
}

/* Attributes everything written up to now to others. */
static void
Account(void)
{
	if (known.transaction != CompatLocalTransactionId())
	{
		memset(&known, 0, sizeof(known));
		known.transaction = CompatLocalTransactionId();
	}
	if (!TakeNote())
		return;
	if (known.has_id)
		known.by_others = true;
	else
		known.may_write++;
}

/*
 * Called when a function of ours begins that will call TransactionHasWritten(); the
 * result is its argument.
 */
int64
WritesEnter(void)
{
	/* in parallel mode no command can be ended, and we write nothing */
	if (IsInParallelMode())
		return 0;
	Account();
	if (known.may_write > 0 && known.has_id)
		known.by_others = true;
	return known.may_write;
}

/* Has this transaction written anything, other than our own rows, that may never be committed? */
bool
TransactionHasWritten(int64 entered)
{
	if (IsInParallelMode())
		return HasId();
	Account();
	return known.by_others || (known.has_id && known.may_write > entered);
}

/*
 * What is written from here on is our own.  The result is for OwnWritesEnd.  Such parts
 * may be nested.  If an error leaves one, what was written in it counts as others'.
 */
bool
OwnWritesBegin(void)
{
	Account();
	return known.by_others;
}

void
OwnWritesEnd(bool had_written)
{
	(void) TakeNote();
	known.by_others = had_written;
}
