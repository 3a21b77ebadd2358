/*-------------------------------------------------------------------------
 *
 * progress.c
 *		Reports the progress of a batch of requests to other sessions.
 *
 * The server has a place in shared memory for each session, where commands such
 * as VACUUM report their progress.  A batch reports there, under a command number
 * that the server does not use, so that no view of the server takes it for one of
 * its own commands.  The end of a subtransaction clears the place, so each report
 * is complete.  If another command of the session uses the place, such as COPY,
 * nothing is reported.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/acl.h"
#include "utils/backend_progress.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "eval/progress.h"

#define BATCH_COMMAND	((ProgressCommandType) 0xAE)

/* The parameters that are reported. */
enum
{
	BATCH_STARTED_AT, BATCH_REQUESTS, BATCH_DONE, BATCH_REFUSED, BATCH_PARAMETERS
};

static int	batches_under_way = 0;	/* nested batches; only the outermost reports */
static int64 started_at;
static int64 requests;

static bool
PlaceIsFree(void)
{
	return MyBEEntry && (MyBEEntry->st_progress_command == PROGRESS_COMMAND_INVALID ||
						 MyBEEntry->st_progress_command == BATCH_COMMAND);
}

/* Must be followed by ProgressEnd, even after an error. */
void
ProgressBegin(int count)
{
	if (batches_under_way++ > 0)
		return;
	started_at = GetCurrentTimestamp();
	requests = count;
	ProgressReport(0, 0);
}

void
ProgressReport(int done, int refused)
{
	static const int places[BATCH_PARAMETERS] = {BATCH_STARTED_AT, BATCH_REQUESTS, BATCH_DONE, BATCH_REFUSED};
	int64		values[BATCH_PARAMETERS] = {started_at, requests, done, refused};

	if (batches_under_way != 1 || !PlaceIsFree())
		return;
	if (MyBEEntry->st_progress_command != BATCH_COMMAND)
		pgstat_progress_start_command(BATCH_COMMAND, InvalidOid);
	pgstat_progress_update_multi_param(BATCH_PARAMETERS, places, values);
}

void
ProgressEnd(void)
{
	if (--batches_under_way == 0 && MyBEEntry && MyBEEntry->st_progress_command == BATCH_COMMAND)
		pgstat_progress_end_command();
}

/* May the current role see what a session does, by the rules of pg_stat_activity? */
static bool
MayLookAt(Oid role)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) || has_privs_of_role(GetUserId(), role);
}

/* answer.eval_progress_rows(): a row for each running batch of this database */
PG_FUNCTION_INFO_V1(answer_eval_progress_rows);
Datum
answer_eval_progress_rows(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int			sessions = pgstat_fetch_stat_numbackends();

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 1; i <= sessions; i++)
	{
		PgBackendStatus *session = &CompatLocalBackend(i)->backendStatus;
		int64	   *said = session->st_progress_param;
		bool		nulls[6] = {false};
		Datum		values[6];

		if (session->st_procpid == 0 || session->st_progress_command != BATCH_COMMAND ||
			session->st_databaseid != MyDatabaseId || !MayLookAt(session->st_userid))
			continue;
		values[0] = Int32GetDatum(session->st_procpid);
		values[1] = CStringGetTextDatum(GetUserNameFromId(session->st_userid, true) ?
										GetUserNameFromId(session->st_userid, true) : "");
		values[2] = TimestampTzGetDatum(said[BATCH_STARTED_AT]);
		values[3] = Int64GetDatum(said[BATCH_REQUESTS]);
		values[4] = Int64GetDatum(said[BATCH_DONE]);
		values[5] = Int64GetDatum(said[BATCH_REFUSED]);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
