/*-------------------------------------------------------------------------
 *
 * writes.c
 *		What a transaction has written, beside what we write for ourselves.
 *
 * What a transaction has written may never be committed, so what is signed in it
 * says that it had written.  What we write for ourselves (receipts and what
 * belongs to them, the first key, tables of routes, buckets, events of plans,
 * caches) is no reason to say so: nothing that is signed rests on it, and it would
 * tell one tenant what another has asked for.
 *
 * The server tells only whether a transaction has an id, which the first write
 * gives it, whosever that is.  But it also counts commands: the number goes up, and
 * only then, at the end of a command that may have written a row (INSERT, UPDATE,
 * DELETE, MERGE, COPY, a lock on a row, a change of the catalog).  It never goes
 * back, not even where a savepoint is rolled back.  So whoever writes for us says
 * when he begins and when he ends; a number that went up otherwise was others'.
 *
 * Promises: never says that nothing was written where something was that a later
 * statement of the transaction can see and a rollback takes back.  It may say that
 * something was written where a savepoint took it back, where the statement that
 * asks is one that writes, or where our own writing failed half-way and the error
 * was caught.  A number of a sequence is not taken back and does not count, unless
 * it gave the transaction its id.  Evidence that somebody adds is his, even if a
 * function of ours writes it: only what is between the two calls here is ours, and
 * no code of others runs there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "storage/proc.h"

#include "base/compat.h"
#include "base/writes.h"

/* What is known of a transaction up to a command. */
static struct
{
	LocalTransactionId transaction;
	CommandId	command;		/* whose commands before this one are accounted for */
	bool		has_id;			/* and so is that it has an id */
	bool		by_others;		/* have others written, or begun to? */
} known = {InvalidLocalTransactionId, FirstCommandId, false, false};

static bool
HasId(void)
{
	return TransactionIdIsValid(GetTopTransactionIdIfAny());
}

/* Accounts for all that has been written up to now, as others' or not; ends the command at hand. */
static void
Account(bool by_others)
{
	if (known.transaction != CompatLocalTransactionId())
	{
		known.transaction = CompatLocalTransactionId();
		known.command = FirstCommandId;
		known.has_id = false;
		known.by_others = false;
	}
	CommandCounterIncrement();
	if (by_others && (known.command != GetCurrentCommandId(false) || known.has_id != HasId()))
		known.by_others = true;
	known.command = GetCurrentCommandId(false);
	known.has_id = HasId();
}

/* Has this transaction written what may never be committed, beside what is ours? */
bool
TransactionHasWritten(void)
{
	/* no command can be ended there, and nothing of ours is written */
	if (IsInParallelMode())
		return HasId();
	Account(true);
	return known.by_others && known.has_id;
}

/*
 * From here on we write for ourselves.  The result is for OwnWritesEnd.  One part
 * may be within another; if an error leaves it, what was written counts as others'.
 */
bool
OwnWritesBegin(void)
{
	Account(true);
	return known.by_others;
}

void
OwnWritesEnd(bool had_written)
{
	Account(false);
	known.by_others = had_written;
}
