/*-------------------------------------------------------------------------
 *
 * kernel.h
 *		One execution of a plan on its way: its transactions, tools, trace and state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_KERNEL_H
#define ANSWER_EVAL_PLAN_KERNEL_H

#include "fmgr.h"
#include "keys/keyring.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/measure.h"
#include "plan/plan_cache.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/rate.h"
#include "plan/stored_run.h"
#include "plan/tool_spec.h"
#include "plan/trace.h"

/* One execution on its way. */
typedef struct Kernel
{
	bool		commits;
	MemoryContext caller;
	MemoryContext context;		/* all that lasts to its end */
	MemoryContext transaction;	/* what lasts for one transaction: the key */
	Oid			role;
	const Pinning *pinning;		/* NULL: no case of a suite is tried */
	int			settings;		/* nesting level of the settings in force */
	SigningKey	key;
	TimestampTz now;			/* when the key was taken: the instant of what it signs */

	PlanDocument document;		/* what it is asked, and what is told of it */
	Course		course;
	Trace		trace;
	Budget		budget;
	bool		is_reserved;
	SpecifiedTool **tools;		/* node by node; NULL without one */
	int			capacity;		/* of the document's records */
	int64		held;			/* tokens of what went into calls and came out */
	JsonView	pending;		/* [{node, tool, args}] that it waits for; absent: nothing */
	TimestampTz pending_since;
	TimestampTz expires_at;
	int			ncalls;			/* that were measured, and are not stored yet */
	int			calls_capacity;
	MeasuredCall *calls;
	JsonView	answers;		/* of the application; absent: none */
	StoredRun	run;			/* its row */
	bool		is_entered;		/* is it stored? */
	bool		is_explaining;	/* does it only look? */
	bool		is_recovering;	/* is it ended by who did not execute it? */
	bool		is_kept;		/* is what it needs to go on stored? */
	bool		is_unflushed;	/* does the transaction do nothing but reserve, or settle? */
	PlanCacheKey cache_key;	/* under which its answer is kept to be given again */
	int			tokens;			/* of buckets, taken before the transaction of the calls */
	RateOutcome token_outcome;	/* and why there are no more */
} Kernel;

/* Begin and end an execution; it connects to SPI, and works in a memory context of its own. */
extern void KernelBegin(Kernel *kernel, bool commits);
extern void KernelEnd(Kernel *kernel);

/* Makes the start's tenant count, whatever a step has set. */
extern void KernelEnforceTenant(const text *tenant);

/* Begins a transaction of an execution, and takes its key. */
extern void KernelTransactionBegin(Kernel *kernel);

/* Takes the key and the instant of what is signed next; no two signatures share one taking. */
extern void KernelTakeKey(Kernel *kernel);

/* Commits, in the form that does; in the other one it does nothing. */
extern void KernelCommit(Kernel *kernel);

/* Is it the role in force that started an execution? */
extern bool KernelIsOwnRun(const Kernel *kernel, const StoredRun *run);

/* Finds the tools of the nodes, and returns the names of those with a rate limit. */
extern void KernelFindTools(Kernel *kernel, const PlanNamedTools *named);
extern Span *KernelLimitedTools(const Kernel *kernel, int *count);

/* Adds an event to the trace, with what went in and came out. */
extern void KernelRecord(Kernel *kernel, const TraceEvent *event);

/* Returns what it needs to go on, and what the application is told of one that waits. */
extern JsonView KernelStateView(const Kernel *kernel);
extern JsonView KernelPendingView(Span plan_id, const char *trace_id, const JsonView *pending,
								  TimestampTz expires_at);

/* Return a result in the memory of the caller. */
extern Jsonb *KernelResultInCaller(const Kernel *kernel, const JsonView *view);
extern Jsonb *KernelCopyInCaller(const Kernel *kernel, const Jsonb *jsonb);

/* Arguments and results of the functions, and of the procedures, which commit and so run at the top alone. */
extern Jsonb *KernelJsonbArgument(FunctionCallInfo fcinfo, int n, const char *name);
extern Jsonb *KernelLastingArgument(FunctionCallInfo fcinfo, int n, const char *name);
extern void KernelRequireTop(FunctionCallInfo fcinfo, const char *procedure, const char *function);
extern Datum KernelProcedureResult(Jsonb *result);

#endif							/* ANSWER_EVAL_PLAN_KERNEL_H */
