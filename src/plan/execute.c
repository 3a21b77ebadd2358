/*-------------------------------------------------------------------------
 *
 * execute.c
 *		Starts plans, in both forms, and explains how one would be executed.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.
 *
 * How answer_plan_execute() proceeds, from top to bottom:
 *
 *	KernelExecute	begins the execution, and finds its tenant
 *	Start			returns the answer of an earlier request, or stores the execution
 *	KernelReadRequest, KernelTakeBudget
 *					read the plan, and reserve its predicted cost (prepare.c)
 *	KernelGo		executes steps until the plan ends, or one waits for the
 *					application; then mints the document, and settles (kernel_end.c)
 *	KernelGoStep	executes one step: makes its calls and signs its event
 *					(kernel_step.c); course.c decides how it is called and what follows
 *	PlanInvoke		makes one call under the tool's spec (invoke.c), in a subtransaction
 *					(evidence/call.c), until it returns or its time is over
 *
 * Promises: all decisions use the instant of the start; explaining calls, charges
 * and stores nothing.
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
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "ground/receipt_cache.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/execute.h"
#include "plan/kernel.h"
#include "plan/kernel_end.h"
#include "plan/kernel_step.h"
#include "plan/plan_cache.h"
#include "plan/plan_locks.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/prepare.h"
#include "plan/schedule.h"
#include "plan/stored_run.h"
#include "plan/trace.h"

static Jsonb *KernelExecute(Jsonb *given, const Pinning *pinning, bool commits);
static Jsonb *StartRun(Kernel *kernel, const JsonView *view, const PlanRequest *request);
static Jsonb *AnswerEarlierRequest(const Kernel *kernel, const PlanRequest *request, const StoredRun *run);
static _Noreturn void RefuseOtherRequest(const PlanRequest *request);
static _Noreturn void RefuseGone(const PlanRequest *request, const StoredRun *run, bool is_here);
static bool EnterRun(Kernel *kernel, const PlanRequest *request, Jsonb **answer);
static bool HasNameOfItsOwn(const PlanRequest *request);
static void RefuseUsedTrace(const Kernel *kernel);
static Jsonb *KernelExplain(Jsonb *given);
static Jsonb *ExplainRun(Kernel *kernel, const JsonView *view, const PlanRequest *request);
static JsonView ExplainView(Kernel *kernel, bool is_cached);

/*
 * executing
 */

Jsonb *
PlanExecute(Jsonb *request, const Pinning *pinning)
{
	LimitDatum(JsonbPGetDatum(request), DOCUMENT_MAX_SIZE, "request");
	return KernelExecute(request, pinning, false);
}

/* answer_plan_execute(request) */
PG_FUNCTION_INFO_V1(answer_eval_plan_execute);
Datum
answer_eval_plan_execute(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(KernelExecute(KernelJsonbArgument(fcinfo, 0, "request"), CurrentPinning(), false));
}

/* CALL answer_plan_run(request, result) */
PG_FUNCTION_INFO_V1(answer_eval_plan_run);
Datum
answer_eval_plan_run(PG_FUNCTION_ARGS)
{
	KernelRequireTop(fcinfo, "answer_plan_run", "answer_plan_execute");
	return KernelProcedureResult(KernelExecute(KernelLastingArgument(fcinfo, 0, "request"), CurrentPinning(), true));
}

/*
 * Executes the plan of a request.  Returns, in the caller's memory, the document,
 * or what the plan waits for if the application must answer a step.  With "commits"
 * it commits after each step; only a procedure can do that.
 */
static Jsonb *
KernelExecute(Jsonb *given, const Pinning *pinning, bool commits)
{
	Kernel		kernel;
	JsonView	view;
	PlanRequest request;
	Jsonb	   *result;

	KernelBegin(&kernel, commits);
	kernel.pinning = pinning;
	JsonViewOfJsonb(given, &view);
	/* in portable form, as in the document */
	view = PortableCopy(&view);
	PlanRequestRead(&view, &request);
	/* before anything else runs: the role that is in force here is the one that asks */
	if (commits)
		PushActiveSnapshot(GetTransactionSnapshot());
	kernel.trace.tenant = PlanRequestTenant(&request);
	if (commits)
		PopActiveSnapshot();
	KernelTransactionBegin(&kernel);
	kernel.document.evaluated_at = kernel.document.started_at = kernel.now;
	result = StartRun(&kernel, &view, &request);
	KernelEnd(&kernel);
	return result;
}

static Jsonb *
StartRun(Kernel *kernel, const JsonView *view, const PlanRequest *request)
{
	Jsonb	   *answer = NULL;
	StoredRun	earlier;

	CanonicalDigest(view, NULL, kernel->document.request_digest);
	if (request->request_id.len > 0 &&
		RunFindRequest(kernel->trace.tenant, request->request_id, &earlier))
		return AnswerEarlierRequest(kernel, request, &earlier);
	KernelReadRequest(kernel, view, request);
	/* a request with an id of its own must be answered under that id, and not from the cache */
	if (!HasNameOfItsOwn(request))
	{
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, kernel->pinning, &kernel->document, &kernel->course);
		answer = kernel->cache_key.life > 0 ?
			CacheGet(kernel->trace.tenant, kernel->cache_key.digest, kernel->now, kernel->caller) : NULL;
		if (answer)
			return answer;
		/* what a tool sees at an old snapshot must not be given to others from the cache */
		if (!kernel->commits && IsolationUsesXactSnapshot())
			kernel->cache_key.life = 0;
	}
	if (request->trace_id.len > 0)
		strlcpy(kernel->trace.id, pnstrdup(request->trace_id.str, request->trace_id.len), sizeof(kernel->trace.id));
	else
		TraceIdMake(kernel->trace.id);
	if (kernel->commits && !LockTrace(kernel->trace.tenant, SpanOfCString(kernel->trace.id)))
		RefuseUsedTrace(kernel);
	if (!EnterRun(kernel, request, &answer))
		return answer;
	KernelMeasureTools(kernel, request);
	KernelTakeBudget(kernel, request);
	if (kernel->is_reserved && kernel->commits)
	{
		kernel->is_unflushed = true;
		KernelCommit(kernel);
	}
	return KernelGo(kernel);
}

/*
 * requests that came before
 */

/*
 * Returns the answer of the same request, or what it waits for.  Only the role that
 * sent the request gets it, whatever the tenant: a request_id can be guessed, and
 * the plan's tools ran with the rights of that role.
 */
static Jsonb *
AnswerEarlierRequest(const Kernel *kernel, const PlanRequest *request, const StoredRun *run)
{
	JsonView	pending;
	JsonView	view;
	Jsonb	   *document;
	bool		is_here;

	if (!KernelIsOwnRun(kernel, run))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("another role has used the request_id \"%s\"", TextDatumGetCString(SpanDatum(request->request_id))),
				 errdetail("An answer is given again to the role that got it."),
				 errhint("Give each request an id of its own.")));
	if (!SpanEqual(run->request_digest, SpanOfCString(kernel->document.request_digest)))
		RefuseOtherRequest(request);
	if (run->status == RUN_RUNNING)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the request \"%s\" is being executed", TextDatumGetCString(SpanDatum(request->request_id))),
				 errhint("Ask again when it is done. What a crash has left, answer_plan_recover() ends.")));
	if (run->status == RUN_PENDING)
	{
		(void) JsonViewGetMember(&run->state, "pending", &pending);
		view = KernelPendingView(run->plan_id, run->trace_id, &pending, run->expires_at);
		return DatumGetJsonbP(ResultIn(kernel->caller, &view));
	}
	document = RunDocument(run, &is_here);
	if (document == NULL)
		RefuseGone(request, run, is_here);
	return KernelCopyInCaller(kernel, document);
}

static _Noreturn void
RefuseOtherRequest(const PlanRequest *request)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("request_id \"%s\" was used for another request", TextDatumGetCString(SpanDatum(request->request_id))),
			 errdetail("Plan, vars, budgets or intent were not the same."),
			 errhint("Give each request an id of its own.")));
}

/* Raises an error, because the document of a finished request was forgotten, or detached with its partition. */
static _Noreturn void
RefuseGone(const PlanRequest *request, const StoredRun *run, bool is_here)
{
	char	   *id = TextDatumGetCString(SpanDatum(request->request_id));

	if (is_here)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("the answer to the request \"%s\" was forgotten", id),
				 errhint("answer.tombstone tells when and why. Ask with another request_id to execute the plan again.")));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the answer to the request \"%s\" is not in answer.receipt any more", id),
			 errdetail("It is document \"%s\", which goes where its partition does when that is detached.",
					   TextDatumGetCString(SpanDatum(run->receipt_id))),
			 errhint("answer.retention tells the operator what was detached. Ask with another request_id to execute the plan again.")));
}

/* Stores the new execution. If the request has come before, returns false and its *answer. */
static bool
EnterRun(Kernel *kernel, const PlanRequest *request, Jsonb **answer)
{
	StoredRun	run;
	StoredRun	earlier;

	memset(&run, 0, sizeof(run));
	run.tenant = kernel->trace.tenant;
	strlcpy(run.trace_id, kernel->trace.id, sizeof(run.trace_id));
	run.plan_id = kernel->trace.plan_id;
	run.request_id = request->request_id;
	run.request_digest = SpanOfCString(kernel->document.request_digest);
	run.role = GetUserNameFromId(kernel->role, false);
	run.evaluated_at = kernel->document.evaluated_at;
	run.started_at = kernel->document.started_at;
	/* within one transaction nobody sees it before it is done, and without an id nobody asks for it again */
	kernel->is_entered = kernel->commits || HasNameOfItsOwn(request);
	kernel->run = run;
	if (!kernel->is_entered || RunInsert(&run))
		return true;
	if (request->request_id.len == 0 || !RunFindRequest(kernel->trace.tenant, request->request_id, &earlier))
	{
		if (request->trace_id.len > 0)
			RefuseUsedTrace(kernel);
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("the request \"%s\" came twice at once", TextDatumGetCString(SpanDatum(request->request_id)))));
	}
	*answer = AnswerEarlierRequest(kernel, request, &earlier);
	return false;
}

/* Does the request have an id of its own, by which the caller can ask for it again? */
static bool
HasNameOfItsOwn(const PlanRequest *request)
{
	return request->request_id.len > 0 || request->trace_id.len > 0;
}

static void
RefuseUsedTrace(const Kernel *kernel)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("there is a trace \"%s\" already", kernel->trace.id),
			 errhint("Take 32 new random hex digits for each request, or leave trace_id out.")));
}

/*
 * steps
 */

/* Executes steps until the plan ends or waits. */
Jsonb *
KernelGo(Kernel *kernel)
{
	CourseStep	step;
	Jsonb	   *result = NULL;

	while (result == NULL && CourseNext(&kernel->course, &step))
	{
		CHECK_FOR_INTERRUPTS();
		if (kernel->document.base + kernel->trace.size > PLAN_TOLD_MAX_SIZE)
			CourseStop(&kernel->course, PLAN_FAILED, "size", "the trace is larger than a document can tell", step.node);
		else if (!KernelGoStep(kernel, &step))
			result = KernelSuspend(kernel);
	}
	if (result == NULL)
	{
		CourseEnd(&kernel->course);
		result = KernelFinish(kernel);
	}
	return result;
}

/*
 * explaining
 */

/* answer_plan_explain(request) */
PG_FUNCTION_INFO_V1(answer_eval_plan_explain);
Datum
answer_eval_plan_explain(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(KernelExplain(KernelJsonbArgument(fcinfo, 0, "request")));
}

/* Returns how the plan of a request would be executed now. Nothing is called, charged or stored. */
static Jsonb *
KernelExplain(Jsonb *given)
{
	Kernel		kernel;
	JsonView	view;
	PlanRequest request;
	Jsonb	   *result;

	memset(&kernel, 0, sizeof(kernel));
	kernel.is_explaining = true;
	kernel.pinning = CurrentPinning();
	kernel.role = GetUserId();
	kernel.caller = CurrentMemoryContext;
	SPI_connect();
	kernel.context = CurrentMemoryContext;
	JsonViewOfJsonb(given, &view);
	view = PortableCopy(&view);
	PlanRequestRead(&view, &request);
	kernel.trace.tenant = PlanRequestTenant(&request);
	kernel.settings = NewGUCNestLevel();
	KernelEnforceTenant(kernel.trace.tenant);
	kernel.document.evaluated_at = GetCurrentTimestamp();
	result = ExplainRun(&kernel, &view, &request);
	AtEOXact_GUC(false, kernel.settings);
	SPI_finish();
	return result;
}

/* Does the same as Start and KernelTakeBudget, but takes, calls and stores nothing. */
static Jsonb *
ExplainRun(Kernel *kernel, const JsonView *view, const PlanRequest *request)
{
	bool		is_cached = false;
	JsonView	explained;

	KernelReadRequest(kernel, view, request);
	if (!HasNameOfItsOwn(request))
	{
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, kernel->pinning, &kernel->document, &kernel->course);
		is_cached = kernel->cache_key.life > 0 &&
			CacheHas(kernel->trace.tenant, kernel->cache_key.digest, kernel->document.evaluated_at);
	}
	KernelMeasureTools(kernel, request);
	PlanRequestLimits(request, kernel->course.plan, &kernel->document.limits);
	BudgetLook(kernel->trace.tenant, kernel->document.evaluated_at, &kernel->document.limits);
	KernelForecast(kernel);
	explained = ExplainView(kernel, is_cached);
	return DatumGetJsonbP(ResultIn(kernel->caller, &explained));
}

static JsonView
ExplainView(Kernel *kernel, bool is_cached)
{
	const Course *course = &kernel->course;
	const PlanPrice nothing = {int64_to_numeric(0), int64_to_numeric(0)};
	JsonView	view = JsonViewNewObject(8);
	JsonView	order = JsonViewNewArray(course->plan->nnodes);
	int		   *nodes = PlanOrder(course->plan, &course->forecast);

	for (int i = 0; i < course->plan->nnodes; i++)
	{
		Span		id = course->plan->nodes[nodes[i]].id;

		JsonViewAppend(&order, JsonViewString(id.str, id.len));
	}
	JsonViewSet(&view, "order", order);
	JsonViewSet(&view, "predicted", PriceView(is_cached ? &nothing : &course->forecast.predicted));
	JsonViewSet(&view, "basis", JsonViewCString(BasisLabel(PlanIsMeasured(course->plan))));
	JsonViewSet(&view, "measured", course->measured);
	JsonViewSet(&view, "degradation", is_cached ? JsonViewNewArray(0) : DegradationView(&course->forecast));
	JsonViewSet(&view, "bindings", PlanBindingsView(course->plan));
	JsonViewSet(&view, "limits", PlanLimitsView(&kernel->document.limits));
	JsonViewSet(&view, "conditions", PlanConditionsView(course->plan, &kernel->document.vars));
	if (is_cached)
		JsonViewSet(&view, "cached", JsonViewBool(true));
	return view;
}
