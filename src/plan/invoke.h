/*-------------------------------------------------------------------------
 *
 * invoke.h
 *		One call of a tool by a plan, under the constraints of the tool's spec.
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

/* The outcome of a step. */
typedef enum StepOutcome
{
	STEP_OK,
	STEP_FAILED,				/* the tool failed or exceeded the deadline, or its result is not as declared */
	STEP_INVALID,				/* not called: the arguments are not as declared, or too long */
	STEP_DENIED,				/* not called: the arguments contain a word of deny_if */
	STEP_RATE_LIMITED,			/* not called: the bucket is empty */
	STEP_PENDING,				/* not called: the application answers */
	STEP_REFUSED				/* never set here: the gate refuses a memory write */
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

/* What all calls of one plan share. */
typedef struct InvokeTerms
{
	const text *tenant;
	TimestampTz evaluated_at;	/* of the plan; used only as the clock of decisions */
	bool		commits;		/* is each call committed when it is over? */
	TimestampTz deadline;		/* wall clock, for each call */
	int			deadline_ms;	/* named in the error about an overrun */
	TokenTaker	take_token;		/* called only for rate-limited tools; NULL: the caller has taken the token */
	void	   *take_token_arg;
} InvokeTerms;

/* One call and its result, allocated in the current memory context. */
typedef struct Invocation
{
	StepOutcome outcome;
	CallFailure failure;		/* unless ok or pending: the reason, with its SQLSTATE */
	JsonView	args;			/* completed; as given, if they are not as declared */
	JsonView	result;			/* if ok: without _usage, and with the tool's own numbers */
	bool		was_called;		/* did the call begin? then it is charged */
	ToolUsage	usage;
	TimestampTz started;		/* wall clock, as is "ended"; both are equal if it was not called */
	TimestampTz ended;
	int64		microseconds;	/* duration by a monotonic clock; 0 if it was not called */
	Numeric		latency;		/* ms that it took, or that its answer states, at least p50; 0 if it was not called */
	Numeric		cost;			/* as declared; 0 if it was not called */
} Invocation;

/*
 * Finds tools by name for a tenant, in one query.  A tool that is not registered,
 * or has no spec, gets tool.registered false.  SPI must be connected.
 */
extern void SpecifiedToolsFind(const text *tenant, const Span *names, int count, SpecifiedTool *tools);

/* Does the same for tools that ToolsFind() has found. */
extern void SpecifiedToolsOf(const Tool *found, int count, SpecifiedTool *tools);

/* Raises that there is no such tool (P0002), with the closest names, or that it has no spec (55000). */
extern _Noreturn void SpecifiedToolRaise(const text *tenant, Span name);

/*
 * Calls a tool with resolved arguments.  Completes and checks them, checks deny_if
 * and takes a token, runs the call in a subtransaction (transaction_read_only for a
 * tool without side effects), and checks the result.  An error of the tool is never
 * raised, except that a query cancel passes through.  SPI must be connected.
 */
extern void PlanInvoke(const SpecifiedTool *tool, const JsonView *args, const InvokeTerms *terms,
					   Invocation *invocation);

/*
 * Takes the application's result of a pending step in place of a call, with the
 * same checks and usage. "latency" is what the application states, or NULL; at
 * least p50 is charged.
 */
extern void PlanInvokeAnswered(const SpecifiedTool *tool, const JsonView *raw, Numeric latency,
							   Invocation *invocation);

/* Enforce a spec on the calls of checks, questions and facts; used by evidence/call.h. */
extern bool SpecBefore(const Tool *tool, JsonView *args, const CallTerms *terms, CallFailure *failure);
extern bool SpecAfter(const Tool *tool, JsonView *raw, CallFailure *failure);

/*
 * Raises 55000 inside a call of a tool or grader, because plans do not nest.
 * Everything that starts or resumes a plan calls it.
 */
extern void PlanRefuseNested(void);

/*
 * Returns the name of a role in UTF-8 for documents, because the server does not
 * know the encoding of a role name.  Returns "unknown" for an empty name.
 */
extern Span RoleName(const char *name);

/*
 * Returns {registered_by, shared}: who registered a tool, null if it comes with the
 * extension; and whether it belongs to the operator.
 */
extern JsonView RegistrarView(const Tool *tool);

#endif							/* ANSWER_EVAL_INVOKE_H */
