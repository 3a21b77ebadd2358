/*-------------------------------------------------------------------------
 *
 * stored_run.h
 *		Executions of plans as they are stored: answer.plan_run, answer.plan_step.
 *
 * All of it is read and written as the owner of our tables.  SPI must be
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
	Span		receipt_id;		/* once it is done, like the next */
	TimestampTz issued_at;
} StoredRun;

/* Stores a new one; false if its request_id is taken. */
extern bool RunInsert(const StoredRun *run);

/* Stores one that was begun and is done in one transaction, and has no request_id: nobody has missed it before. */
extern void RunInsertDone(const StoredRun *run, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at);

/* Finds one, by its trace or by its request; false if there is none.  "lock" waits for whoever changes it. */
extern bool RunFind(text *tenant, const char *trace_id, bool lock, StoredRun *run);
extern bool RunFindRequest(text *tenant, Span request_id, StoredRun *run);

/*
 * Keeps what an unfinished one needs to go on, signed with its row: with status, and
 * expires_at where that is pending. The instant was taken with the key. Raises if the
 * row is gone, as the next does.
 */
extern void RunKeep(const Trace *trace, const StoredRun *run, const JsonView *state, const SigningKey *key,
					TimestampTz at);

/* Raises if the row, the events or what is kept of them are not what the kernel has stored. */
extern void RunRequireKept(const StoredRun *run, const FollowRecord *records, int count);

/*
 * Returns what makes the one before raise, or NULL. Reads keys with the rights of
 * whoever calls; at any time, as if each had always been good.
 */
extern const char *RunKeptProblem(const StoredRun *run, const FollowRecord *records, int count, bool key_at_any_time);

/* Stores that an execution that is stored is done. */
extern void RunFinish(const Trace *trace, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at);

/* Keeps what went into a finished step of an unfinished execution. */
extern void RunStepKeep(const Trace *trace, const FollowRecord *record, int seq);

/* Returns the events of a trace with what is kept of them, in the order of the trace. */
extern FollowRecord *RunRecords(const Trace *trace, int *count);

/*
 * Returns its document as it is stored, in the current context; NULL if it was
 * forgotten, or is not here: *is_here.
 */
extern Jsonb *RunDocument(const StoredRun *run, bool *is_here);

/*
 * Finds the executions of these tenants (text[]) that are not done, and do not wait
 * for answers in time: the caller sees whether a session has their lock.
 */
extern int	RunOrphans(Datum tenants, TimestampTz now, StoredRun **runs);

extern const SignedRows run_signed;

#endif							/* ANSWER_EVAL_STORED_RUN_H */
