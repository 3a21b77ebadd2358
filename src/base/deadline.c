/*-------------------------------------------------------------------------
 *
 * deadline.c
 *		Calls a function under a deadline and contains its failure.
 *
 * A tool is somebody else's code: it may fail, and it may never return.  It
 * runs in a subtransaction, so its failure undoes what it did and nothing
 * else.  It runs under a timer, which cancels it the way statement_timeout
 * would.
 *
 * The hard part is to tell our own cancel from a real one.  Both arrive as
 * "query canceled".  A real one (a client's cancel request, pg_cancel_backend,
 * statement_timeout) always comes as SIGINT; ours never does.  So during the
 * call a handler in front of the server's own notes whether a SIGINT came.  If
 * one did, the error is passed on whatever our timer says.  A lock timeout has
 * its own error and counts as the tool's failure.
 *
 * A tool may call answer_eval, which may call a tool.  The earlier deadline
 * then ends both calls, and counts as the failure of the call that set it.
 *
 * This cannot end a tool that catches every cancel and starts again.
 * pg_terminate_backend can.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <signal.h>

#include "access/xact.h"
#include "catalog/namespace.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "base/deadline.h"
#include "base/limits.h"

/* The timer fires again after this time, in case the tool has swallowed the cancel. */
#define REPEAT_MS	100

static volatile sig_atomic_t deadline_passed = false;
static volatile sig_atomic_t interrupted = false;	/* a real cancel came */
static struct sigaction server_sigint;
static bool noting_sigint = false;	/* is our handler in place? */
static bool sigints_noted = false;	/* was it in place during the latest call? */
static TimeoutId timeout = MAX_TIMEOUTS;
static TimestampTz armed_for = DT_NOEND;	/* DT_NOEND if no call is running */
static int	calls_under_way = 0;	/* nested calls */

/* Runs in the SIGALRM handler. */
static void
DeadlinePassed(void)
{
	deadline_passed = true;
	InterruptPending = true;
	QueryCancelPending = true;
}

/*
 * Runs before the server's own handler.  A lock timeout is also delivered as SIGINT,
 * but counts as the tool's own failure.
 */
static void
NoteSigint(int signal_number)
{
	if (!get_timeout_indicator(LOCK_TIMEOUT, false))
		interrupted = true;
	server_sigint.sa_handler(signal_number);
}

static void
NoteSigints(void)
{
	struct sigaction note;

	sigints_noted = false;
	if (sigaction(SIGINT, NULL, &server_sigint) != 0 ||
		(server_sigint.sa_flags & SA_SIGINFO) != 0 ||
		server_sigint.sa_handler == SIG_IGN || server_sigint.sa_handler == SIG_DFL)
		return;
	note = server_sigint;
	note.sa_handler = NoteSigint;
	noting_sigint = sigints_noted = sigaction(SIGINT, &note, NULL) == 0;
}

/* Starts the timer for a call inside a call whose deadline is "outer". */
static void
ArmTimer(TimestampTz deadline, TimestampTz outer)
{
	if (timeout == MAX_TIMEOUTS)
		timeout = RegisterTimeout(USER_TIMEOUT, DeadlinePassed);
	deadline_passed = false;
	if (outer == DT_NOEND)
	{
		interrupted = false;
		NoteSigints();
	}
	armed_for = Min(deadline, outer);
	enable_timeout_every(timeout, armed_for, REPEAT_MS);
}

/*
 * Gives the timer back to the surrounding call, if there is one; otherwise removes the
 * handler.  If our cancel fired too late to be noticed, it must not hit what comes
 * next, but a real one must.  Returns whether our timer fired.
 */
static bool
DisarmTimer(TimestampTz outer)
{
	bool		passed;

	disable_timeout(timeout, false);
	passed = deadline_passed;	/* from here on it cannot fire */
	deadline_passed = false;
	armed_for = outer;
	if (passed)
	{
		QueryCancelPending = false;
		if (interrupted)
		{
			InterruptPending = true;
			QueryCancelPending = true;
		}
	}
	if (outer == DT_NOEND && noting_sigint)
	{
		noting_sigint = false;
		sigaction(SIGINT, &server_sigint, NULL);	/* last, because the handler notes signals until here */
	}
	if (outer != DT_NOEND)
		enable_timeout_every(timeout, outer, REPEAT_MS);
	return passed;
}

/*
 * A message is foreign text that goes into receipts.  So a long one is truncated,
 * between two characters, and marked.
 */
static char *
BoundedMessage(const char *message)
{
	int			len = strlen(message);
	int			cut;

	if (len <= FAILURE_MAX_SIZE)
		return pstrdup(message);
	cut = pg_mbcliplen(message, len, FAILURE_MAX_SIZE);
	return psprintf("%.*s... (cut: %d bytes in all)", cut, message, len);
}

static void
SetFailure(CallFailure *failure, int sqlerrcode, const char *message)
{
	strlcpy(failure->sqlstate, unpack_sql_state(sqlerrcode), sizeof(failure->sqlstate));
	failure->message = BoundedMessage(message);
}

static void
SetOverrun(CallFailure *failure, int deadline_ms)
{
	char		message[64];

	snprintf(message, sizeof(message), "the deadline of %d ms passed", deadline_ms);
	SetFailure(failure, ERRCODE_QUERY_CANCELED, message);
}

/*
 * Contains a caught error, or passes it on.  A cancel that somebody requested, or the
 * deadline of the surrounding call, is not the tool's failure.  A cancel that the tool
 * raises itself, perhaps because its own remote query was cancelled, is.
 */
static void
ContainError(ErrorData *error, bool passed, TimestampTz outer, int deadline_ms,
			 CallFailure *failure)
{
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED &&
		(interrupted || !sigints_noted || GetCurrentTimestamp() >= outer))
		ReThrowError(error);
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED && passed)
		SetOverrun(failure, deadline_ms);
	else
		SetFailure(failure, error->sqlerrcode,
				   error->message ? error->message : "no message");
	FreeErrorData(error);
}

/* Returns the SQLSTATE of a failure in the form of ereport. */
int
CallFailureCode(const CallFailure *failure)
{
	const char *s = failure->sqlstate;

	return MAKE_SQLSTATE(s[0], s[1], s[2], s[3], s[4]);
}

/*
 * Appends a character of the database's encoding in UTF-8; returns false if it has no
 * equivalent.
 */
static bool
AppendAsUtf8(StringInfo utf8, Oid conversion, const char *character, int len)
{
	char		converted[MAX_CONVERSION_GROWTH * (MAX_MULTIBYTE_CHAR_LEN + 1)];

	if (GetDatabaseEncoding() != PG_UTF8)
	{
		if (!OidIsValid(conversion) ||
			pg_do_encoding_conversion_buf(conversion, GetDatabaseEncoding(), PG_UTF8,
										  (unsigned char *) unconstify(char *, character), len,
										  (unsigned char *) converted, sizeof(converted), true) != len)
			return false;
		character = converted;
		len = strlen(converted);
	}
	appendBinaryStringInfo(utf8, character, len);
	return true;
}

/*
 * Returns the message of a failure in UTF-8.  The bytes of a message may be invalid,
 * and not every character of every encoding exists in Unicode.  Those become question
 * marks, because raising an error here would make the failure one of the request.
 */
JsonView
CallFailureMessage(const CallFailure *failure)
{
	const char *p = failure->message;
	const char *end = p + strlen(p);
	int			encoding = GetDatabaseEncoding();
	Oid			conversion = InvalidOid;
	StringInfoData utf8;

	if (encoding != PG_UTF8 && encoding != PG_SQL_ASCII)
		conversion = FindDefaultConversionProc(encoding, PG_UTF8);
	initStringInfo(&utf8);
	while (p < end)
	{
		int			len = IS_HIGHBIT_SET(*p) ? pg_encoding_verifymbchar(encoding, p, end - p) : 1;

		if (!IS_HIGHBIT_SET(*p))
			appendStringInfoChar(&utf8, *p);
		else if (len < 1 || !AppendAsUtf8(&utf8, conversion, p, len))
			appendStringInfoChar(&utf8, '?');
		p += Max(len, 1);
	}
	return JsonViewString(utf8.data, utf8.len);
}

/* Is a tool, a grader or other contained code running now? */
bool
ContainedCallIsUnderWay(void)
{
	return calls_under_way > 0;
}

/*
 * Calls call(arg) in a subtransaction.  Returns true if it returned in time.  Otherwise
 * everything it did is undone, and *failure, in the caller's memory context, says why.
 * The user is restored explicitly, because undoing a change of role restores the role
 * of the session, which may be another one.
 *
 * The call has a memory context of its own, which is deleted afterwards.  Its results
 * must be in another one.
 */
static bool
Contain(ContainedCall call, void *arg, bool is_trial, TimestampTz deadline, int deadline_ms,
		CallFailure *failure)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext scratch;
	ResourceOwner owner = CurrentResourceOwner;
	TimestampTz outer = armed_for;
	volatile bool armed = false;
	volatile bool passed = false;
	Oid			user;
	int			rights;

	CHECK_FOR_INTERRUPTS();
	if (GetCurrentTimestamp() >= deadline)
	{
		SetOverrun(failure, deadline_ms);
		return false;
	}

	GetUserIdAndSecContext(&user, &rights);
	scratch = AllocSetContextCreate(context, "answer_eval contained call", ALLOCSET_DEFAULT_SIZES);
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(scratch);
	if (!is_trial)
		calls_under_way++;
	PG_TRY();
	{
		armed = true;
		ArmTimer(deadline, outer);
		call(arg);
		armed = false;
		passed = DisarmTimer(outer);
		if (!is_trial)
			calls_under_way--;
		if (passed || is_trial)
			RollbackAndReleaseCurrentSubTransaction();
		else
			ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		if (armed)
		{
			passed = DisarmTimer(outer);
			if (!is_trial)
				calls_under_way--;
		}
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		SetUserIdAndSecContext(user, rights);
		MemoryContextSwitchTo(context);
		MemoryContextDelete(scratch);
		CurrentResourceOwner = owner;
		ContainError(error, passed, outer, deadline_ms, failure);
		return false;
	}
	PG_END_TRY();

	SetUserIdAndSecContext(user, rights);
	MemoryContextSwitchTo(context);
	MemoryContextDelete(scratch);
	CurrentResourceOwner = owner;
	if (passed)
		SetOverrun(failure, deadline_ms);
	return !passed;
}

/* Contains a call, and keeps its changes if it returned in time. */
bool
CallContained(ContainedCall call, void *arg, TimestampTz deadline, int deadline_ms,
			  CallFailure *failure)
{
	return Contain(call, arg, false, deadline, deadline_ms, failure);
}

/*
 * Does the same, but always undoes the call's changes, for a caller that only wants to
 * know the result.  The call is not a tool, so it may do what tools may not.
 */
bool
CallTried(ContainedCall call, void *arg, TimestampTz deadline, int deadline_ms,
		  CallFailure *failure)
{
	return Contain(call, arg, true, deadline, deadline_ms, failure);
}
