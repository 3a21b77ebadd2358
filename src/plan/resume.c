/*-------------------------------------------------------------------------
 *
 * resume.c
 *		Resumes plans that wait for an answer, and ends plans whose session is gone.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.  An interrupted execution is restored by
 * following its own events (course.c).
 *
 * Promises: it continues with the tools, the role and the instant of its start.  A plan
 * that a crash interrupted gets a document, too.  An execution whose rows somebody has
 * changed does not prevent the others from being ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/option.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/subtransaction.h"
#include "base/tenant.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/execute.h"
#include "plan/kernel.h"
#include "plan/kernel_end.h"
#include "plan/kernel_step.h"
#include "plan/measure.h"
#include "plan/plan_locks.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/stored_run.h"
#include "plan/tool_replay.h"
#include "plan/trace.h"

/* resuming */

static _Noreturn void
RefuseState(const StoredRun *run)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("what is stored of trace \"%s\" is not what was kept", run->trace_id)));
}

/* Restores an interrupted execution. */
static void
LoadRun(Kernel *kernel, const StoredRun *run)
{
	PlanDocument *document = &kernel->document;
	EvidencePolicy policy;
	JsonView	member;
	JsonView	origin;
	JsonView	measured;
	FollowReport report;

	strlcpy(kernel->trace.id, run->trace_id, sizeof(kernel->trace.id));
	document->records = RunRecords(&kernel->trace, &document->nrecords);
	document->nkept = kernel->capacity = document->nrecords;
	RunRequireKept(run, document->records, document->nrecords);
	kernel->run = *run;
	document->evaluated_at = run->evaluated_at;
	document->started_at = run->started_at;
	(void) JsonViewGetMember(&run->state, "plan", &document->plan);
	(void) JsonViewGetMember(&run->state, "request", &document->request);
	(void) JsonViewGetMember(&run->state, "tools", &document->tools);
	(void) JsonViewGetMember(&run->state, "vars", &document->vars);
	(void) JsonViewGetString(&run->state, "intent", &document->intent);
	(void) JsonViewGetMember(&run->state, "limits", &member);
	(void) JsonViewGetMember(&run->state, "origin", &origin);
	if (!PlanLimitsOfView(&member, &document->limits) || !OriginTermsOfView(&origin, &document->terms) ||
		!JsonViewGetMember(&run->state, "policy", &member) || !PlanPolicyOfView(&member, &policy) ||
		CourseBegin(&kernel->course, &document->plan, &document->tools, &document->vars, &policy,
					&document->terms) != NULL)
		RefuseState(run);
	CourseTakeRequest(&kernel->course, &document->request);
	(void) JsonViewGetMember(&run->state, "measured", &measured);
	if (!CourseMeasure(&kernel->course, &measured))
		RefuseState(run);
	(void) JsonViewGetMember(&run->state, "rules", &document->rules);
	if (policy.freshness.are_known)
		CourseTakeClock(&kernel->course, document->evaluated_at,
						FindRulesOfResult(policy.freshness.rules, &document->rules));
	CourseForecast(&kernel->course, &document->limits);
	kernel->document.base = PlanBaseSize(document);
	kernel->trace.plan_id = kernel->course.plan->plan_id;
	kernel->is_kept = kernel->is_entered = true;
	for (int i = 0; i < document->nrecords; i++)
	{
		const JsonView *event = &document->records[i].event;

		CanonicalDigest(event, NULL, kernel->trace.last);
		kernel->trace.nevents++;
		kernel->trace.size += CanonicalSize(event);
		PlanAddCharge(event, &kernel->course.used);
		if (JsonViewGetMember(event, "type", &member) && JsonViewStringIs(&member, "step") &&
			!CourseFollow(&kernel->course, &document->records[i], &report))
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("event %d of trace \"%s\" is not what the plan comes to", i + 1, run->trace_id)));
	}
}

static void
RefuseResults(const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("results %s", problem),
			 errhint("Results are {node: {\"result\": ..., \"by\": ..., \"latency_ms\"?: ...}}, of the nodes that are pending.")));
}

static void
CheckAnswer(const Kernel *kernel, const CourseStep *step, const JsonView *answer)
{
	static const char *const keys[] = {"result", "by", "latency_ms", NULL};
	JsonView	member;
	Span		unknown;
	Numeric		latency;

	if (answer->type != JVIEW_OBJECT || !HasOnlyKeys(answer, keys, &unknown))
		RefuseResults("must have objects with result, by and latency_ms alone");
	if (!JsonViewGetMember(answer, "by", &member) || member.type != JVIEW_STRING || member.len == 0)
		RefuseResults("must name who answered in \"by\", as a text that is not empty");
	/* its event contains it */
	if (member.len > FAILURE_MAX_SIZE)
		RefuseResults(psprintf("must name who answered in \"by\" in at most %d bytes", FAILURE_MAX_SIZE));
	if (JsonViewGetMember(answer, "latency_ms", &member) &&
		(!AmountOfView(&member, &latency) || NumberCompare(latency, int64_to_numeric(SPEC_MAX_LATENCY)) > 0))
		RefuseResults(psprintf("must have a latency_ms from 0 to %d, and has %s", SPEC_MAX_LATENCY, ShownValue(&member)));
	if (!JsonViewGetMember(answer, "result", &member))
		RefuseResults("must have a result for each node");
	if (kernel->course.plan->nodes[step->node].op == PLAN_MAP &&
		(member.type != JVIEW_ARRAY || JsonViewCount(&member) != step->ncalls))
		RefuseResults(psprintf("must be an array of %d, one a call, for a map", step->ncalls));
}

/* Checks that the results are for the one step that waits. */
static void
CheckResults(const Kernel *kernel, const CourseStep *step)
{
	for (int i = 0; i < JsonViewCount(&kernel->answers); i++)
	{
		JsonMember	member;
		Span		name;
		int			node;

		member.value = JsonViewMember(&kernel->answers, i, &member.key);
		name = member.key;
		node = PlanFindNode(kernel->course.plan, name);
		if (node == step->node)
			CheckAnswer(kernel, step, &member.value);
		else if (node < 0)
			RefuseResults(psprintf("name %s, which is no node of the plan", ShownText(name)));
		else
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("node %s does not wait for an answer", ShownText(name)),
					 errhint("The answer says which nodes are pending; each is answered once.")));
	}
	if (JsonViewCount(&kernel->answers) == 0)
		RefuseResults("must not be empty");
}

/* Finishes the step that was answered, then continues. */
static Jsonb *
GoAnswered(Kernel *kernel)
{
	CourseStep	step;
	StepCalls	calls;

	if (!CourseNext(&kernel->course, &step) || step.is_decided)
		elog(ERROR, "a plan waits for no step");
	CheckResults(kernel, &step);
	KernelPerform(kernel, &step, step.ncalls, BUDGET_FITS, &calls);
	memset(&kernel->answers, 0, sizeof(kernel->answers));
	memset(&kernel->pending, 0, sizeof(kernel->pending));
	kernel->is_kept = false;
	KernelCharge(kernel, &calls.charged);
	KernelRecordStep(kernel, &step, &calls);
	CourseAdvance(&kernel->course, &step);
	KernelCommit(kernel);
	return KernelGo(kernel);
}

/* Finds and locks a waiting execution; raises an error if there is none that the caller may resume. */
static void
FindPending(Kernel *kernel, Span trace_id, StoredRun *run)
{
	char	   *id = TextDatumGetCString(SpanDatum(trace_id));

	if (!RunFind(kernel->trace.tenant, id, true, run))
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no trace \"%s\"", id)));
	if (run->status != RUN_PENDING)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 run->status == RUN_DONE ?
				 errmsg("the plan of trace \"%s\" is done", id) :
				 errmsg("the plan of trace \"%s\" is being executed", id),
				 errdetail("It waits for no answer.")));
	if (!KernelIsOwnRun(kernel, run))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("another role has started the plan of trace \"%s\"", id),
				 errdetail("Its tools are called with the rights of the role that goes on.")));
	if (run->expires_at <= kernel->now)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the plan of trace \"%s\" has waited too long", id),
				 errhint("answer_plan_recover() ends it; answer_eval.pending_expiry says how long plans wait.")));
}

static void
ResumeBudget(Kernel *kernel)
{
	BudgetOutcome outcome = BUDGET_FITS;
	int			count;
	Span	   *names = KernelLimitedTools(kernel, &count);

	if (!BudgetResume(&kernel->budget, kernel->trace.tenant, SpanOfCString(kernel->trace.id), !kernel->commits,
					  &kernel->document.limits))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the plan of trace \"%s\" has no reservation any more", kernel->trace.id),
				 errhint("answer_plan_recover() ends it.")));
	kernel->is_reserved = true;
	if (!kernel->commits)
		outcome = BudgetReopen(&kernel->budget, names, count);
	if (outcome == BUDGET_BUSY)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("others hold the budget, and lock_timeout passed"),
				 errhint("Answer the step again later.")));
}

/* Takes the lock of the trace: for the session if the execution commits, else for the transaction. */
static void
TakeLock(const Kernel *kernel)
{
	Span		trace_id = SpanOfCString(kernel->trace.id);
	bool		was_ours;

	if (kernel->commits ? LockTrace(kernel->trace.tenant, trace_id) :
		TakeOverTrace(kernel->trace.tenant, trace_id, &was_ours))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the plan of trace \"%s\" is being executed", kernel->trace.id)));
}

/* Resumes a plan that waits. The results are {node: {result, by, latency_ms?}}. */
static Jsonb *
KernelResume(Span trace_id, Jsonb *results, bool commits)
{
	Kernel		kernel;
	StoredRun	run;
	PlanNamedTools none = {0};
	JsonView	since;
	Jsonb	   *result;

	KernelBegin(&kernel, commits);
	if (commits)
		PushActiveSnapshot(GetTransactionSnapshot());
	kernel.trace.tenant = CurrentTenant();
	if (commits)
		PopActiveSnapshot();
	KernelTransactionBegin(&kernel);
	JsonViewOfJsonb(results, &kernel.answers);
	if (kernel.answers.type != JVIEW_OBJECT)
		RefuseResults("must be an object");
	FindPending(&kernel, trace_id, &run);
	LoadRun(&kernel, &run);
	KernelFindTools(&kernel, &none);
	(void) JsonViewGetMember(&run.state, "pending_since", &since);
	(void) InstantOfView(&since, &kernel.pending_since);
	KernelDropForgotten(&kernel);
	TakeLock(&kernel);
	ResumeBudget(&kernel);
	result = GoAnswered(&kernel);
	KernelEnd(&kernel);
	return result;
}

/*
 * recovering
 */

static void
RecordRecovery(Kernel *kernel, const PlanPrice *charged, const char *reason)
{
	TraceEvent	event = {.type = TRACE_RECOVERED,.step = SpanOfCString("recovered"),.reason = reason};

	event.ts_start = GetCurrentTimestamp();
	event.cost = NumberCall(numeric_sub, charged->cost, kernel->course.used.cost);
	event.latency = NumberCall(numeric_sub, charged->latency, kernel->course.used.latency);
	kernel->course.used = *charged;
	KernelRecord(kernel, &event);
}

/* Ends an execution, unless a session executes it or somebody has ended it meanwhile. */
static bool
EndOrphan(Kernel *kernel, const StoredRun *orphan)
{
	StoredRun	run;
	BudgetOrphan reservation = {orphan->tenant, SpanOfCString(orphan->trace_id)};
	PlanPrice	charged;
	BudgetRecovery recovery;
	bool		is_expired;
	CourseStep	step;

	/* this takes the lock of the trace */
	recovery = BudgetRecover(&reservation, kernel->now, &charged);
	if (recovery == BUDGET_EXECUTED ||
		!RunFind(orphan->tenant, orphan->trace_id, true, &run) || run.status == RUN_DONE)
		return false;
	is_expired = run.status == RUN_PENDING;
	kernel->is_recovering = true;
	LoadRun(kernel, &run);
	/* every execution that others can see has a reservation, unless somebody deleted it */
	if (recovery == BUDGET_GONE)
		charged = kernel->course.used;
	if (!CourseNext(&kernel->course, &step))
		step.node = -1;
	RecordRecovery(kernel, &charged, is_expired ? "the plan has waited too long for an answer" :
				   "the session that executed the plan has ended");
	CourseStop(&kernel->course, PLAN_FAILED, is_expired ? "expired" : "recovered",
			   is_expired ? "the plan has waited too long for an answer" :
			   "the session that executed the plan has ended", step.node);
	(void) KernelMint(kernel);
	return true;
}

typedef struct Recovery
{
	const StoredRun *orphan;
	bool		is_ended;
} Recovery;

static void
RecoverOne(void *arg)
{
	Recovery   *recovery = arg;
	Kernel		kernel;

	memset(&kernel, 0, sizeof(kernel));
	kernel.role = GetUserId();
	kernel.caller = CurrentMemoryContext;
	kernel.context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval plan", ALLOCSET_DEFAULT_SIZES);
	kernel.trace.tenant = recovery->orphan->tenant;
	MemoryContextSwitchTo(kernel.context);
	PushActiveSnapshot(GetLatestSnapshot());
	kernel.transaction = AllocSetContextCreate(kernel.context, "answer_eval plan transaction", ALLOCSET_SMALL_SIZES);
	KernelTakeKey(&kernel);
	recovery->is_ended = EndOrphan(&kernel, recovery->orphan);
	PopActiveSnapshot();
	MemoryContextSwitchTo(kernel.caller);
	MemoryContextDelete(kernel.context);
}

/* Does an error concern the stored rows of one execution only, so that recovery can go on with the others? */
static bool
IsOfOneOrphan(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_DATA_CORRUPTED || error->sqlerrcode == ERRCODE_PROGRAM_LIMIT_EXCEEDED ||
		error->sqlerrcode == ERRCODE_STATEMENT_TOO_COMPLEX;
}

/* Ends an execution. If somebody has changed its rows, reports that and goes on with the others. */
static bool
RecoverContained(const StoredRun *orphan)
{
	Recovery	recovery = {orphan, false};
	ErrorData  *error = RunInSubtransaction(RecoverOne, &recovery);

	if (error && !IsOfOneOrphan(error))
		ReThrowError(error);
	if (error)
		ereport(WARNING,
				(errcode(error->sqlerrcode),
				 errmsg("the plan of trace \"%s\" cannot be ended: %s", orphan->trace_id, error->message),
				 errhint("What it has reserved stays reserved; answer_log_audit() tells what was changed.")));
	return error == NULL && recovery.is_ended;
}

/* Settles executions that are done, or whose row somebody deleted, if their session ended before it could. */
static void
SettleFinished(Datum tenants)
{
	int			count;
	BudgetOrphan *orphans = BudgetOrphans(tenants, DT_NOBEGIN, &count);

	for (int i = 0; i < count; i++)
	{
		char	   *trace_id = text_to_cstring(TextOfUtf8(orphans[i].trace_id));
		StoredRun	run;
		PlanPrice	charged;

		CHECK_FOR_INTERRUPTS();
		if (!RunFind(orphans[i].tenant, trace_id, false, &run) || run.status == RUN_DONE)
			(void) BudgetRecover(&orphans[i], DT_NOBEGIN, &charged);
	}
}

/*
 * Ends the executions of these tenants (text[]) that no session executes any more:
 * charges the step in flight, and mints the document.  Returns how many there were.
 */
static int
KernelRecover(Datum tenants)
{
	StoredRun  *orphans;
	int			count = RunOrphans(tenants, GetCurrentTimestamp(), &orphans);
	int			ended = 0;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ended += RecoverContained(&orphans[i]) ? 1 : 0;
	}
	SettleFinished(tenants);
	BudgetPrune(tenants);
	MeasuresPrune(tenants);
	return ended;
}

/*
 * SQL
 */

/* answer_plan_resume(trace_id, results) */
PG_FUNCTION_INFO_V1(answer_eval_plan_resume);
Datum
answer_eval_plan_resume(PG_FUNCTION_ARGS)
{
	RequireArgument(fcinfo, 0, "trace_id");
	PG_RETURN_JSONB_P(KernelResume(TextArgument(fcinfo, 0), KernelJsonbArgument(fcinfo, 1, "results"), false));
}

/* CALL answer_plan_resume(trace_id, results, result) */
PG_FUNCTION_INFO_V1(answer_eval_plan_resume_run);
Datum
answer_eval_plan_resume_run(PG_FUNCTION_ARGS)
{
	KernelRequireTop(fcinfo, "answer_plan_resume", "answer_plan_resume");
	RequireArgument(fcinfo, 0, "trace_id");
	return KernelProcedureResult(KernelResume(TextArgument(fcinfo, 0), KernelLastingArgument(fcinfo, 1, "results"), true));
}

/* answer_plan_recover() */
PG_FUNCTION_INFO_V1(answer_eval_plan_recover);
Datum
answer_eval_plan_recover(PG_FUNCTION_ARGS)
{
	Datum		tenants;
	int			ended;

	RequirePrimary("answer_plan_recover()");
	if (IsOperatorForAll())
		tenants = PointerGetDatum(AllTenants());
	else
	{
		Datum		tenant = PointerGetDatum(CurrentTenant());

		tenants = QueryTextArray(&tenant, 1);
	}
	SPI_connect();
	ended = KernelRecover(tenants);
	SPI_finish();
	PG_RETURN_INT32(ended);
}
