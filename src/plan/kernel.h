/*-------------------------------------------------------------------------
 *
 * kernel.h
 *		State of one execution of a plan: transactions, tools, trace.
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

/* One execution. */
typedef struct Kernel
{
	bool		commits;
	MemoryContext caller;
	MemoryContext context;		/* lives until the end of the execution */
	MemoryContext transaction;	/* lives for one transaction; holds the key */
	Oid			role;
	const Pinning *pinning;		/* NULL: no case of a suite is tried */
	int			settings;		/* nesting level of the settings in force */
	SigningKey	key;
	TimestampTz now;			/* when the key was taken; the instant of what it signs */

	PlanDocument document;		/* the request, and what the document says about it */
	Course		course;
	Trace		trace;
	Budget		budget;
	bool		is_reserved;
	SpecifiedTool **tools;		/* by node; NULL if the node has no tool */
	int			capacity;		/* of the document's records */
	int64		held;			/* tokens in the arguments and results of calls */
	JsonView	pending;		/* [{node, tool, args}] that it waits for; absent: nothing */
	TimestampTz pending_since;
	TimestampTz expires_at;
	int			ncalls;			/* measured calls that are not stored yet */
	int			calls_capacity;
	MeasuredCall *calls;
	JsonView	answers;		/* from the application; absent: none */
	StoredRun	run;			/* its row */
	bool		is_entered;		/* is that row stored? */
	bool		is_explaining;	/* does it only explain the plan? */
	bool		is_recovering;	/* is it being ended by another session than the one that executed it? */
	bool		is_kept;		/* is the state that it needs to go on stored? */
	bool		is_unflushed;	/* does the transaction only reserve, or only settle? */
	PlanCacheKey cache_key;	/* key under which its answer is cached */
	int			tokens;			/* tokens of buckets, taken before the transaction of the calls */
	RateOutcome token_outcome;	/* why there are no more */
} Kernel;

/* Begin and end an execution, with an SPI connection and a memory context of its own. */
extern void KernelBegin(Kernel *kernel, bool commits);
extern void KernelEnd(Kernel *kernel);

/* Restores the tenant that started the plan, in case a step has changed the setting. */
extern void KernelEnforceTenant(const text *tenant);

/* Begins a transaction of an execution, and takes its key. */
extern void KernelTransactionBegin(Kernel *kernel);

/* Takes the key and the instant for the next signature. Call it again for each signature. */
extern void KernelTakeKey(Kernel *kernel);

/* Commits, if the execution commits at all; else does nothing. */
extern void KernelCommit(Kernel *kernel);

/* Did the current role start this execution? */
extern bool KernelIsOwnRun(const Kernel *kernel, const StoredRun *run);

/* Finds the tools of the nodes. The second function returns the names of the rate-limited ones. */
extern void KernelFindTools(Kernel *kernel, const PlanNamedTools *named);
extern Span *KernelLimitedTools(const Kernel *kernel, int *count);

/* Adds an event with its inputs and outputs to the trace. */
extern void KernelRecord(Kernel *kernel, const TraceEvent *event);

/* Return the state that an execution needs to go on, and what the application is told when it has to answer. */
extern JsonView KernelStateView(const Kernel *kernel);
extern JsonView KernelPendingView(Span plan_id, const char *trace_id, const JsonView *pending,
								  TimestampTz expires_at);

/* Returns a copy in the caller's memory context. */
extern Jsonb *KernelCopyInCaller(const Kernel *kernel, const Jsonb *jsonb);

/*
 * Arguments and results of the functions and the procedures.  Procedures commit, so
 * they must be called at top level.
 */
extern Jsonb *KernelJsonbArgument(FunctionCallInfo fcinfo, int n, const char *name);
extern Jsonb *KernelLastingArgument(FunctionCallInfo fcinfo, int n, const char *name);
extern void KernelRequireTop(FunctionCallInfo fcinfo, const char *procedure, const char *function);
extern Datum KernelProcedureResult(Jsonb *result);

#endif							/* ANSWER_EVAL_PLAN_KERNEL_H */
