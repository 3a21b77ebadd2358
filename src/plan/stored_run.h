/*-------------------------------------------------------------------------
 *
 * stored_run.h
 *		Stored executions of plans: answer.plan_run and answer.plan_step.
 *
 * Everything is read and written as the owner of these tables.  SPI must be
 * connected.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STORED_RUN_H
#define ANSWER_EVAL_STORED_RUN_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "plan/course.h"
#include "plan/trace.h"
#include "keys/keyring.h"

typedef enum RunStatus
{
	RUN_RUNNING,
	RUN_PENDING,
	RUN_DONE
} RunStatus;

/* One execution. */
typedef struct StoredRun
{
	text	   *tenant;
	char		trace_id[TRACE_ID_LENGTH + 1];
	Span		plan_id;
	Span		request_id;		/* or empty */
	Span		request_digest;
	char	   *role;
	RunStatus	status;
	TimestampTz evaluated_at;
	TimestampTz started_at;
	TimestampTz expires_at;		/* of a pending one */
	JsonView	state;			/* absent once it is done */
	Span		receipt_id;		/* once it is done, as is issued_at */
	TimestampTz issued_at;
} StoredRun;

/* Stores a new execution. Returns false if its request_id is taken. */
extern bool RunInsert(const StoredRun *run);

/*
 * Stores an execution that begins and ends in one transaction and has no
 * request_id, so nobody looked for it before.
 */
extern void RunInsertDone(const StoredRun *run, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at);

/*
 * Find an execution by its trace or by its request; false if there is none. "lock"
 * locks the row, and waits for whoever changes it.
 */
extern bool RunFind(text *tenant, const char *trace_id, bool lock, StoredRun *run);
extern bool RunFindRequest(text *tenant, Span request_id, StoredRun *run);

/*
 * Stores the state that an unfinished execution needs to go on, signed together
 * with its row: status, and expires_at if it is pending. "at" was taken with the
 * key.  This and RunRequireKept raise an error if the row is gone.
 */
extern void RunKeep(const Trace *trace, const StoredRun *run, const JsonView *state, const SigningKey *key,
					TimestampTz at);

/* Raises an error if the row, the events or the stored state are not what the kernel has stored. */
extern void RunRequireKept(const StoredRun *run, const FollowRecord *records, int count);

/*
 * Returns the problem for which RunRequireKept raises an error, or NULL.  Reads
 * keys with the rights of the caller.  With key_at_any_time it ignores the validity
 * periods of keys.
 */
extern const char *RunKeptProblem(const StoredRun *run, const FollowRecord *records, int count, bool key_at_any_time);

/* Marks a stored execution as done. */
extern void RunFinish(const Trace *trace, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at);

/* Stores the inputs of a finished step of an unfinished execution. */
extern void RunStepKeep(const Trace *trace, const FollowRecord *record, int seq);

/* Returns the events of a trace with their stored inputs and outputs, in order. */
extern FollowRecord *RunRecords(const Trace *trace, int *count);

/*
 * Returns the stored document, in the current memory context.  Returns NULL if it
 * was forgotten or is not stored here; *is_here tells which.
 */
extern Jsonb *RunDocument(const StoredRun *run, bool *is_here);

/*
 * Finds the executions of these tenants (text[]) that are not done and are not
 * waiting for an answer that can still come.  The caller checks whether a session
 * holds their lock.
 */
extern int	RunOrphans(Datum tenants, TimestampTz now, StoredRun **runs);

extern const SignedRows run_signed;

#endif							/* ANSWER_EVAL_STORED_RUN_H */
