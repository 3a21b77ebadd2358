/*-------------------------------------------------------------------------
 *
 * subtransaction.c
 *		Runs a function so that an error undoes only what it did.
 *
 * Promises: memory context, resource owner and user are afterwards as they were
 * before.  This must be done here, because undoing a change of role restores the
 * role of the session, which need not be the one that was in force.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "base/subtransaction.h"

ErrorData *
RunInSubtransaction(void (*run) (void *arg), void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;
	Oid			user;
	int			rights;

	GetUserIdAndSecContext(&user, &rights);
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		run(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	SetUserIdAndSecContext(user, rights);
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return error;
}
