/*-------------------------------------------------------------------------
 *
 * invoke.h
 *		One call of a tool by a plan, with all that its spec demands.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_INVOKE_H
#define ANSWER_EVAL_INVOKE_H

#include "utils/numeric.h"

#include "base/deadline.h"
#include "evidence/tool.h"
#include "plan/rate.h"
#include "plan/tool_spec.h"

/* Says what came of a step. */
typedef enum StepOutcome
{
	STEP_OK,
	STEP_FAILED,				/* the tool failed or overran the deadline, or its result is not as declared */
	STEP_INVALID,				/* not called: the arguments are not as declared, or too long */
	STEP_DENIED,				/* not called: a word of deny_if */
	STEP_RATE_LIMITED,			/* not called: its bucket is empty */
	STEP_PENDING,				/* not called: the application answers */
	STEP_REFUSED				/* no call of this module gives it: a memory write that the gate refuses */
} StepOutcome;

/* "ok", "failed", "invalid", "denied", "rate_limited", "pending", "refused" */
extern const char *const step_outcome_labels[];

/* A registered tool that has a spec. */
typedef struct SpecifiedTool
{
	Tool		tool;			/* as the registry has it */
	ToolSpec	spec;
} SpecifiedTool;

/* Takes a token from a tool's bucket. */
typedef RateOutcome (*TokenTaker) (void *arg, const SpecifiedTool *tool);

/* Holds what all calls of one plan share. */
typedef struct InvokeTerms
{
	const text *tenant;
	TimestampTz evaluated_at;	/* of the plan: nothing but the clock of decisions */
	bool		commits;		/* is what a call does committed when it is over? */
	TimestampTz deadline;		/* wall clock, of each call */
	int			deadline_ms;	/* what an overrun names */
	TokenTaker	take_token;		/* asked only for a tool with a rate limit; NULL: the caller has taken it */
	void	   *take_token_arg;
} InvokeTerms;

/* One call, and what came of it.  All of it is in the context in which it was made. */
typedef struct Invocation
{
	StepOutcome outcome;
	CallFailure failure;		/* unless ok or pending: why, with its SQLSTATE */
	JsonView	args;			/* completed; as they were given where they are not as declared */
	JsonView	result;			/* if ok: without _usage, with its numbers as the tool gave them */
	bool		was_called;		/* did the call begin, so that it is charged? */
	ToolUsage	usage;
	TimestampTz started;		/* wall clock, like the next; equal if it was not called */
	TimestampTz ended;
	int64		microseconds;	/* that the tool took, by a clock that nobody sets back; 0 if it was not called */
	Numeric		latency;		/* ms that it took, or that its answer says, at least p50; 0 if it was not called */
	Numeric		cost;			/* as declared; 0 if it was not called */
} Invocation;

/*
 * Looks tools up by name for a tenant, all in one query.  A tool that is not
 * registered, or has no spec, is left with tool.registered false.  SPI must be
 * connected.
 */
extern void SpecifiedToolsFind(const text *tenant, const Span *names, int count, SpecifiedTool *tools);

/* Does the same for tools that ToolsFind() has found. */
extern void SpecifiedToolsOf(const Tool *found, int count, SpecifiedTool *tools);

/* Raises that there is no such tool (P0002), with the closest names, or that it has no spec (55000). */
extern _Noreturn void SpecifiedToolRaise(const text *tenant, Span name);

/*
 * Calls a tool with resolved arguments: completes and checks them, deny_if and
 * the bucket, the call itself in a subtransaction (transaction_read_only for a
 * tool without side effects), then the result.  Never raises for what a tool
 * does; a cancel that somebody asked for passes through, as everywhere.  SPI
 * must be connected.
 */
extern void PlanInvoke(const SpecifiedTool *tool, const JsonView *args, const InvokeTerms *terms,
					   Invocation *invocation);

/*
 * Takes the application's result of a pending step in place of a call: the same
 * checks of the result, the same usage.  latency is what the application says,
 * or NULL; at least p50 is charged.
 */
extern void PlanInvokeAnswered(const SpecifiedTool *tool, const JsonView *raw, Numeric latency,
							   Invocation *invocation);

/* They hold what a spec demands of the calls of checks, questions and facts; for evidence/call.h. */
extern bool SpecBefore(const Tool *tool, JsonView *args, const CallTerms *terms, CallFailure *failure);
extern bool SpecAfter(const Tool *tool, JsonView *raw, CallFailure *failure);

/* Raises 55000 within the call of a tool, a grader and the like: plans do not nest.  For whatever starts or resumes a plan. */
extern void PlanRefuseNested(void);

/*
 * Returns a role as documents name it: the bytes of a name are in no certain encoding.
 * "unknown" for an empty one.
 */
extern Span RoleName(const char *name);

/*
 * Returns {registered_by, shared}: who registered a tool, null if it comes with the
 * extension; is it the operator's?
 */
extern JsonView RegistrarView(const Tool *tool);

#endif							/* ANSWER_EVAL_INVOKE_H */
