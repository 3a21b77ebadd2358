/*-------------------------------------------------------------------------
 *
 * writes.c
 *		Says what a transaction has written, beside what we write for ourselves.
 *
 * What a transaction has written may never be committed, so what is signed in it
 * says that it had written.  What we write for ourselves (receipts and what
 * belongs to them, the first key, tables of routes, buckets, events of plans,
 * caches) is no reason to say so: nothing that is signed rests on it, and it would
 * tell one tenant what another has asked for.
 *
 * The server tells only whether a transaction has an id, which the first write
 * gives it, whosever that is.  But it also counts commands: the number goes up, and
 * only then, at the end of a command that may write a row (INSERT, UPDATE, DELETE,
 * MERGE, COPY, a lock on a row, a change of the catalog).  It never goes back, not
 * even where a savepoint is rolled back.  So whoever writes for us says when he
 * begins and when he ends; a number that went up otherwise was others'.
 *
 * A statement that may write is counted when it begins.  One that was there before
 * the transaction had an id has written nothing yet, but it may do so when the
 * function that it calls has returned: INSERT INTO t SELECT answer_eval(...).  So
 * such statements are counted, and the next function of ours that is entered takes
 * them for writers.  Until it has returned, those that were there before it cannot
 * go on; others may come and go, in code of others that it calls.
 *
 * Promises: never says that nothing was written where something was that a later
 * statement of the transaction can see and a rollback takes back.  It may say that
 * something was written where a savepoint took it back, where a statement that may
 * write found nothing to write, and where our own writing failed half-way and the
 * error was caught.  A number of a sequence is not taken back and does not count,
 * unless it gave the transaction its id.  Evidence that somebody adds is his, even
 * if a function of ours writes it: only what is between the two calls here is ours,
 * and no code of others runs there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "storage/proc.h"

#include "base/compat.h"
#include "base/writes.h"

/* Returns what is known of a transaction up to a command. */
static struct
{
	LocalTransactionId transaction;
	CommandId	command;		/* all that was written before it is accounted for, */
	bool		has_id;			/* and so is that the transaction has an id */
	int64		may_write;		/* times that statements came while it had none, which may write yet */
	bool		by_others;		/* have others written? */
} known;

static bool
HasId(void)
{
	return TransactionIdIsValid(GetTopTransactionIdIfAny());
}

/* Ends the command at hand, and tells whether the number of commands went up, or the transaction got its id. */
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

/* Accounts for all that has been written up to now, by others. */
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

/* A function of ours is entered that will ask; the result is for asking. */
int64
WritesEnter(void)
{
	/* no command can be ended there, and nothing of ours is written */
	if (IsInParallelMode())
		return 0;
	Account();
	if (known.may_write > 0 && known.has_id)
		known.by_others = true;
	return known.may_write;
}

/* Has this transaction written what may never be committed, beside what is ours? */
bool
TransactionHasWritten(int64 entered)
{
	if (IsInParallelMode())
		return HasId();
	Account();
	return known.by_others || (known.has_id && known.may_write > entered);
}

/*
 * From here on we write for ourselves.  The result is for OwnWritesEnd.  One part
 * may be within another; if an error leaves it, what was written counts as others'.
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
