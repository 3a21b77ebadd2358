/*-------------------------------------------------------------------------
 *
 * kernel.c
 *		Executing plans: from their start to their document, in both forms.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.  What each step is called with, and
 * what follows from it, is for course.c to say; this module makes the calls
 * (invoke.c), pays for them (budget.c), keeps the trace (trace.c) and mints
 * the document (plan_receipt.c).
 *
 * The way of answer_plan_execute(), which this file has from its end to its top:
 *
 *	KernelExecute	reads the request
 *	Start			gives an answer that there is already, or enters the execution,
 *					and reserves what it is predicted to cost
 *	Go				takes steps until there are no more, or one waits for the application
 *	GoStep			takes the step that CourseNext has named: Perform makes its calls,
 *					RecordStep signs its event, CourseAdvance says what follows
 *	Invoke			makes one call: PlanInvoke (invoke.c) holds the tool to its spec, and
 *					the call runs in a subtransaction (evidence/call.c) until it comes
 *					back or its time is over (CallContained of base/deadline.c)
 *	Finish			mints the document, and settles
 *
 * One form runs in the caller's transaction.  The other is a procedure's: it
 * commits when a reservation is made and after each step, so that it holds no lock
 * while a tool runs.  A step's reservation is committed before its call and its
 * charge after it, with the next one's reservation: one commit a step.
 *
 * Promises: whatever is signed is signed by the key that was active at the instant
 * that it tells; no step is charged twice or is forgotten; tenant, role, and the
 * instant that decisions go by are those of the start; what a tool raises never
 * ends an execution without a document, while a cancel that somebody asked for
 * does.  What a crash leaves, KernelRecover ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
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
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/subtransaction.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "check/request.h"
#include "document/mint.h"
#include "document/tombstone.h"
#include "evidence/bound_function.h"
#include "ground/receipt_cache.h"
#include "ground/current_rules.h"
#include "plan/plan_cache.h"
#include "judge/given_judgement.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/invoke.h"
#include "plan/freshness.h"
#include "plan/measure.h"
#include "plan/memory.h"
#include "plan/rate.h"
#include "plan/plan_receipt.h"
#include "plan/tool_replay.h"
#include "plan/plan_request.h"
#include "plan/stored_run.h"
#include "plan/schedule.h"
#include "plan/tokens.h"
#include "plan/trace.h"
#include "plan/plan_locks.h"

/* A call gets what is left of the latency budget, but this many p50, and this long, at least. */
#define DEADLINE_P50S		4
#define DEADLINE_LEAST_MS	1000

/*
 * Room for a plan of some steps at once.  It is asked for and given back as a whole:
 * many small blocks would have the system take memory back after each plan.
 */
#define PLAN_CONTEXT_SIZES	0, 256 * 1024, ALLOCSET_DEFAULT_MAXSIZE

/* So many calls of one plan are measured: more would say no more of a tool. */
#define PLAN_MEASURED_CALLS	10000

/* What goes into calls and comes out of them is kept to the end of the plan: 32 MiB of a step, 256 MiB in all. */
#define STEP_MAX_TOKENS		(32 * 1024 * 1024 / 4)
#define PLAN_MAX_TOKENS		(256 * 1024 * 1024 / 4)

/* One execution on its way. */
typedef struct Kernel
{
	bool		commits;
	MemoryContext caller;
	MemoryContext context;		/* all that lasts to its end */
	MemoryContext transaction;	/* what lasts for one transaction: the key */
	Oid			role;
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
	PlanCacheKey cache_key;			/* under which its answer is kept to be given again */
	int			tokens;			/* of buckets, taken before the transaction of the calls */
	RateOutcome token_outcome;	/* and why there are no more */
} Kernel;

/*
 * transactions
 */

/* The start's tenant counts, whatever a step has set. */
static void
EnforceTenant(const text *tenant)
{
	char	   *name = text_to_cstring(tenant);

	if (answer_eval_tenant && strcmp(answer_eval_tenant, name) == 0)
		return;
	(void) set_config_option(TENANT_SETTING, name, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * Takes the key and the instant of what is signed next.  Tools run between one
 * signature and the next, and in that time keys may change: so no two signatures
 * share one taking.
 */
static void
TakeKey(Kernel *kernel)
{
	MemoryContext context = MemoryContextSwitchTo(kernel->transaction);

	MemoryContextReset(kernel->transaction);
	SigningKeyBegin(&kernel->key, &kernel->now);
	MemoryContextSwitchTo(context);
}

static void
TransactionBegin(Kernel *kernel)
{
	/* what is committed by now, whatever snapshot the caller has */
	PushActiveSnapshot(kernel->commits ? GetTransactionSnapshot() : GetLatestSnapshot());
	kernel->settings = NewGUCNestLevel();
	EnforceTenant(kernel->trace.tenant);
	kernel->transaction = AllocSetContextCreate(kernel->context, "answer_eval plan transaction",
												ALLOCSET_SMALL_SIZES);
	TakeKey(kernel);
	MemoryContextSwitchTo(kernel->context);
}

static void
TransactionEnd(Kernel *kernel)
{
	MemoryContextDelete(kernel->transaction);
	kernel->transaction = NULL;
	AtEOXact_GUC(false, kernel->settings);
	PopActiveSnapshot();
}

static JsonView StateView(const Kernel *kernel);

/* Others wait for a commit that changes the budget, and it need not wait for the disk. */
static void
CommitTransaction(Kernel *kernel)
{
	if (kernel->is_unflushed)
		BudgetCommitUnflushed();
	kernel->is_unflushed = false;
	SPI_commit();
}

/* Commits, in the form that does. */
static void
Commit(Kernel *kernel)
{
	if (!kernel->commits)
		return;
	if (kernel->is_reserved)
		BudgetSave(&kernel->budget);
	if (!kernel->is_kept)
	{
		JsonView	state = StateView(kernel);

		kernel->run.status = RUN_RUNNING;
		TakeKey(kernel);
		RunKeep(&kernel->trace, &kernel->run, &state, &kernel->key, kernel->now);
		kernel->is_kept = true;
	}
	TransactionEnd(kernel);
	CommitTransaction(kernel);
	MemoryContextSwitchTo(kernel->context);
	if (GetUserId() != kernel->role)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the role has changed since the plan was started"),
				 errhint("answer_plan_recover() ends the plan.")));
	TransactionBegin(kernel);
}

/*
 * what an unfinished execution needs to go on
 */

static JsonView
StateView(const Kernel *kernel)
{
	const PlanDocument *document = &kernel->document;
	JsonView	state = JsonViewNewObject(16);
	JsonView	limits = PlanLimitsView(&document->limits);
	JsonView	policy = PlanPolicyView(&kernel->course.policy);

	JsonViewSet(&state, "events", JsonViewInteger(kernel->trace.nevents));
	JsonViewSet(&state, "last_event", kernel->trace.last[0] ? JsonViewCString(pstrdup(kernel->trace.last)) :
				JsonViewNull());
	JsonViewSet(&state, "plan", document->plan);
	JsonViewSet(&state, "request", document->request);
	JsonViewSet(&state, "tools", document->tools);
	JsonViewSet(&state, "vars", document->vars);
	JsonViewSet(&state, "limits", limits);
	JsonViewSet(&state, "policy", policy);
	if (kernel->course.measured.type == JVIEW_OBJECT)
		JsonViewSet(&state, "measured", kernel->course.measured);
	if (document->rules.type == JVIEW_OBJECT)
		JsonViewSet(&state, "rules", document->rules);
	if (document->terms.are_known)
		JsonViewSet(&state, "origin", OriginTermsView(&document->terms));
	JsonViewSet(&state, "intent", JsonViewString(document->intent.str, document->intent.len));
	if (kernel->pending.type == JVIEW_ARRAY)
	{
		JsonViewSet(&state, "pending", kernel->pending);
		JsonViewSet(&state, "pending_since", InstantView(kernel->pending_since));
	}
	return state;
}

/* Returns what the application is told of an execution that waits. */
static JsonView
PendingView(Span plan_id, const char *trace_id, const JsonView *pending, TimestampTz expires_at)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "plan_id", JsonViewString(plan_id.str, plan_id.len));
	JsonViewSet(&view, "trace_id", JsonViewCString(pstrdup(trace_id)));
	JsonViewSet(&view, "pending", *pending);
	JsonViewSet(&view, "expires_at", InstantView(expires_at));
	return view;
}

static Jsonb *
ResultInCaller(const Kernel *kernel, const JsonView *view)
{
	MemoryContext current = MemoryContextSwitchTo(kernel->caller);
	Jsonb	   *result = JsonViewToJsonb(view, true);

	MemoryContextSwitchTo(current);
	return result;
}

static Jsonb *
CopyInCaller(const Kernel *kernel, const Jsonb *jsonb)
{
	Jsonb	   *copy = MemoryContextAllocHuge(kernel->caller, VARSIZE(jsonb));

	memcpy(copy, jsonb, VARSIZE(jsonb));
	return copy;
}

/*
 * the trace
 */

static FollowRecord *
AddRecord(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;

	if (document->nrecords == kernel->capacity)
	{
		kernel->capacity = Max(kernel->capacity * 2, 16);
		document->records = document->records == NULL ?
			palloc(sizeof(FollowRecord) * kernel->capacity) :
			repalloc_huge(document->records, sizeof(FollowRecord) * (Size) kernel->capacity);
	}
	memset(&document->records[document->nrecords], 0, sizeof(FollowRecord));
	return &document->records[document->nrecords++];
}

/* Adds an event to the trace, with what went in and came out. */
static void
Record(Kernel *kernel, const TraceEvent *event)
{
	FollowRecord *record = AddRecord(kernel);

	TakeKey(kernel);
	record->event = TraceAppend(&kernel->trace, event, &kernel->key, kernel->now);
	record->inputs = event->inputs;
	record->outputs = event->outputs;
	if (kernel->commits && event->type == TRACE_STEP)
		RunStepKeep(&kernel->trace, record, kernel->trace.nevents);
}

static void
RecordDegradations(Kernel *kernel)
{
	const PlanForecast *forecast = &kernel->course.forecast;

	for (int i = 0; i < forecast->nsteps; i++)
	{
		TraceEvent	event = {.type = TRACE_DEGRADATION,.k = forecast->steps[i].k};

		event.step = SpanOfCString(degradation_labels[forecast->steps[i].step]);
		event.ts_start = GetCurrentTimestamp();
		Record(kernel, &event);
	}
}

/*
 * calling
 */

/* Holds what a step's calls came to. */
typedef struct StepCalls
{
	TimestampTz started;
	int			ncalled;		/* calls that were made */
	PlanPrice	charged;
	ToolUsage	usage;
	int64		held;			/* tokens of arguments and results, whatever a tool says of them */
	JsonView	by;				/* who answered; absent: a tool */
	bool		is_pending;
} StepCalls;

/* In the form that commits, tokens were taken in a transaction of their own. */
static RateOutcome
TakeToken(void *arg, const SpecifiedTool *tool)
{
	Kernel	   *kernel = arg;

	if (!kernel->commits)
		return RateTake(kernel->trace.tenant, tool->tool.name, tool->spec.rate_limit_qps, true);
	if (kernel->tokens == 0)
		return kernel->token_outcome;
	kernel->tokens--;
	return RATE_TAKEN;
}

static int
DeadlineMs(const Kernel *kernel, const CourseStep *step)
{
	Numeric		left;
	Numeric		least = NumberCall(numeric_mul, step->price.latency, int64_to_numeric(DEADLINE_P50S));
	Numeric		most = int64_to_numeric(REQUEST_MAX_DEADLINE_MS);

	if (kernel->document.limits.latency == NULL)
		return REQUEST_MAX_DEADLINE_MS;
	left = NumberCall(numeric_sub, kernel->document.limits.latency, kernel->course.used.latency);
	left = NumberMax(NumberMax(left, least), int64_to_numeric(DEADLINE_LEAST_MS));
	return DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(NumberMin(left, most))));
}

/* Calls a tool, with the kernel's word for what memory may rest on. */
static void
Invoke(Kernel *kernel, const CourseStep *step, const JsonView *args, Invocation *invocation)
{
	const SpecifiedTool *tool = kernel->tools[step->node];
	InvokeTerms terms = {.tenant = kernel->trace.tenant,.evaluated_at = kernel->document.evaluated_at,
	.take_token = TakeToken,.take_token_arg = kernel,.commits = kernel->commits};
	MemoryGrant grant = {.trace_id = SpanOfCString(kernel->trace.id),.at = kernel->document.evaluated_at};

	terms.deadline_ms = DeadlineMs(kernel, step);
	terms.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), terms.deadline_ms);
	EnforceTenant(kernel->trace.tenant);
	grant.evidence = step->provenance ? &step->provenance->view : NULL;
	grant.origin = step->written;
	if (SpanEqualCString(tool->tool.name, TOOL_MEMORY))
		MemoryGrantSet(&grant);
	PlanClockSet(&kernel->document.evaluated_at);
	PG_TRY();
	{
		PlanInvoke(tool, args, &terms, invocation);
	}
	PG_FINALLY();
	{
		MemoryGrantSet(NULL);
		PlanClockSet(NULL);
	}
	PG_END_TRY();
}

static void
TakeAnswer(Kernel *kernel, const CourseStep *step, const JsonView *answer, int call, Invocation *invocation)
{
	bool		is_map = kernel->course.plan->nodes[step->node].op == PLAN_MAP;
	JsonView	raw;
	JsonView	latency;
	Numeric		took = NULL;

	(void) JsonViewGetMember(answer, "result", &raw);
	if (is_map)
	{
		JsonView	results = raw;

		JsonViewElement(&results, call, &raw);
	}
	/* to a picosecond: it is added up, and signed */
	if (JsonViewGetMember(answer, "latency_ms", &latency) && AmountOfView(&latency, &took))
		took = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(took), Int32GetDatum(9)));
	PlanInvokeAnswered(kernel->tools[step->node], &raw, took, invocation);
}

/* A call of a tool took its time.  Of what the application answers, no clock of ours has seen anything. */
static void
MeasureCall(Kernel *kernel, const CourseStep *step, const Invocation *invocation)
{
	if (!invocation->was_called || kernel->ncalls == PLAN_MEASURED_CALLS)
		return;
	if (kernel->ncalls == kernel->calls_capacity)
	{
		kernel->calls_capacity = Max(kernel->calls_capacity * 2, 16);
		kernel->calls = kernel->calls == NULL ?
			palloc(sizeof(MeasuredCall) * kernel->calls_capacity) :
			repalloc(kernel->calls, sizeof(MeasuredCall) * kernel->calls_capacity);
	}
	kernel->calls[kernel->ncalls++] = (MeasuredCall) {kernel->tools[step->node]->tool.name, invocation->ended,
		invocation->microseconds};
}

static void
StoreCalls(Kernel *kernel)
{
	MeasuresKeep(kernel->trace.tenant, &kernel->key, kernel->calls, kernel->ncalls);
	kernel->ncalls = 0;
}

/*
 * Tells what a made call is charged: the price as it is degraded, and the time that it
 * took; at least that of the price, where too few calls of the tool were measured
 * before.
 */
static void
AddCharge(const PlanTool *tool, const CourseStep *step, const Invocation *invocation, StepCalls *calls)
{
	Numeric		took;

	if (!invocation->was_called)
		return;
	calls->ncalled++;
	took = int64_div_fast_to_numeric(invocation->microseconds, 3);
	/* an answer says itself how long it took */
	if (calls->by.type == JVIEW_STRING)
		took = invocation->latency;
	if (tool->measured == NULL)
		took = NumberMax(took, step->price.latency);
	calls->charged.cost = NumberCall(numeric_add, calls->charged.cost, step->price.cost);
	calls->charged.latency = NumberCall(numeric_add, calls->charged.latency, took);
}

static const char *
FailureReason(const Kernel *kernel, const CourseStep *step, const Invocation *invocation)
{
	Span		id = kernel->course.plan->nodes[step->node].id;
	JsonView	message = CallFailureMessage(&invocation->failure);

	return psprintf("node \"%s\": %s", pnstrdup(id.str, id.len), pnstrdup(message.str, message.len));
}

/* A memory write that the gate refuses is no failure. */
static bool
IsRefusedWrite(const Kernel *kernel, const CourseStep *step, const JsonView *result)
{
	JsonView	ok;

	return SpanEqualCString(kernel->tools[step->node]->tool.name, TOOL_MEMORY) &&
		CourseWritesMemory(&kernel->course, step) &&
		JsonViewGetMember(result, "ok", &ok) && ok.type == JVIEW_BOOL && !ok.boolean;
}

static const char *
RefusalReason(const JsonView *result)
{
	JsonView	reason;

	return JsonViewGetMember(result, "reason", &reason) && reason.type == JVIEW_STRING ?
		pnstrdup(reason.str, reason.len) : "the gate of memory refused the write";
}

/* Is there room for what a call was given, or gave?  It is kept until the plan ends. */
static bool
HasRoom(Kernel *kernel, CourseStep *step, int64 tokens, StepCalls *calls)
{
	Span		id = kernel->course.plan->nodes[step->node].id;

	calls->held += tokens;
	kernel->held += tokens;
	if (calls->held <= STEP_MAX_TOKENS && kernel->held <= PLAN_MAX_TOKENS)
		return true;
	CourseJudge(step, STEP_FAILED);
	step->reason = psprintf("node \"%s\": arguments and results of %s have more than %d tokens together",
							pnstrdup(id.str, id.len), calls->held > STEP_MAX_TOKENS ? "its calls" : "the plan",
							calls->held > STEP_MAX_TOKENS ? STEP_MAX_TOKENS : PLAN_MAX_TOKENS);
	return false;
}

/* One of a step's calls; false if it is the last one that is made. */
static bool
PerformCall(Kernel *kernel, CourseStep *step, int call, JsonView *results, JsonView *inputs, StepCalls *calls)
{
	Invocation	invocation;
	JsonView	answer;
	Span		id = kernel->course.plan->nodes[step->node].id;
	bool		is_answered = kernel->answers.type == JVIEW_OBJECT &&
		JsonViewGet(&kernel->answers, id.str, id.len, &answer);
	const char *problem;
	JsonView	args;

	memset(&invocation, 0, sizeof(invocation));
	if (is_answered)
	{
		/* completed when the plan stopped here */
		args = step->calls[call];
		if (!ToolSpecArguments(&kernel->tools[step->node]->spec, &step->calls[call], &args, &problem))
			args = step->calls[call];
		invocation.args = args;
		invocation.started = kernel->pending_since;
		invocation.ended = GetCurrentTimestamp();
		invocation.usage.tokens_in = TokensOf(&args);
		TakeAnswer(kernel, step, &answer, call, &invocation);
		(void) JsonViewGetMember(&answer, "by", &calls->by);
	}
	else
	{
		Invoke(kernel, step, &step->calls[call], &invocation);
		MeasureCall(kernel, step, &invocation);
	}
	if (call == 0)
		calls->started = invocation.started;
	calls->usage.tokens_in += invocation.usage.tokens_in;
	AddCharge(kernel->course.plan->nodes[step->node].tool, step, &invocation, calls);
	JsonViewAppend(inputs, invocation.args);
	if (!HasRoom(kernel, step, invocation.usage.tokens_in, calls))
		return false;
	if (invocation.outcome == STEP_PENDING)
	{
		calls->is_pending = true;
		return true;
	}
	if (invocation.outcome == STEP_OK)
	{
		int64		counted = TokensOf(&invocation.result);

		if (!HasRoom(kernel, step, counted, calls))
			return false;
		if (IsRefusedWrite(kernel, step, &invocation.result))
		{
			CourseJudge(step, STEP_REFUSED);
			step->reason = RefusalReason(&invocation.result);
		}
		else
			CourseJudge(step, STEP_OK);
		if (!CourseTake(&kernel->course, step, &invocation.args, is_answered, &invocation.result, &problem))
		{
			CourseJudge(step, STEP_FAILED);
			step->reason = problem;
			return false;
		}
		/* where the tool has not counted, what the kernel made of its evidence counts */
		if (invocation.usage.tokens_out == counted)
			invocation.usage.tokens_out = TokensOf(&invocation.result);
		calls->usage.tokens_out += invocation.usage.tokens_out;
		JsonViewAppend(results, invocation.result);
		return true;
	}
	calls->usage.tokens_out += invocation.usage.tokens_out;
	CourseJudge(step, invocation.outcome);
	step->reason = FailureReason(kernel, step, &invocation);
	return false;
}

static PlanPrice
PriceOfCalls(const CourseStep *step, int64 n)
{
	return (PlanPrice) {
		NumberCall(numeric_mul, step->price.cost, int64_to_numeric(n)),
		NumberCall(numeric_mul, step->price.latency, int64_to_numeric(n))
	};
}

/* Makes the calls of a step, of which "paid" are reserved. */
static void
Perform(Kernel *kernel, CourseStep *step, int paid, BudgetOutcome unpaid, StepCalls *calls)
{
	bool		is_map = kernel->course.plan->nodes[step->node].op == PLAN_MAP;
	JsonView	results = JsonViewNewArray(Max(step->ncalls, 1));
	JsonView	inputs = JsonViewNewArray(Max(step->ncalls, 1));
	int			call = 0;

	memset(calls, 0, sizeof(*calls));
	calls->charged = (PlanPrice) {int64_to_numeric(0), int64_to_numeric(0)};
	calls->started = GetCurrentTimestamp();
	while (call < paid && PerformCall(kernel, step, call, &results, &inputs, calls))
	{
		CHECK_FOR_INTERRUPTS();
		call++;
	}
	if (call == paid && paid < step->ncalls)
	{
		step->outcome = step_outcome_labels[STEP_REFUSED];
		step->kind = unpaid == BUDGET_BUSY ? "budget_busy" : "budget";
		step->verdict = PLAN_REFUSED;
		step->reason = unpaid == BUDGET_BUSY ? "others hold the budget, and lock_timeout passed" :
			BudgetExceededBy(&kernel->budget, &step->price);
	}
	memset(&step->inputs, 0, sizeof(step->inputs));
	if (is_map)
		step->inputs = inputs;
	else if (JsonViewCount(&inputs) > 0)
		JsonViewElement(&inputs, 0, &step->inputs);
	if (calls->is_pending || step->kind)
		return;
	if (is_map)
		step->outputs = results;
	else
		JsonViewElement(&results, 0, &step->outputs);
}

/*
 * steps
 */

/* Reserves the calls that were not predicted.  How many may be made; *outcome says why not all. */
static int
ReserveCalls(Kernel *kernel, const CourseStep *step, BudgetOutcome *outcome)
{
	int			predicted = step->attempt > 1 ? 0 : (int) kernel->course.forecast.nodes[step->node].calls;
	int			more = step->ncalls - predicted;
	PlanPrice	price;

	*outcome = BUDGET_FITS;
	if (more <= 0)
		return step->ncalls;
	price = PriceOfCalls(step, more);
	*outcome = BudgetReserveMore(&kernel->budget, &price);
	if (*outcome != BUDGET_REFUSED || more == 1)
		return *outcome == BUDGET_FITS ? step->ncalls : predicted;
	/* not all of them: one after the other */
	price = PriceOfCalls(step, 1);
	for (int i = 0; i < more; i++)
	{
		CHECK_FOR_INTERRUPTS();
		*outcome = BudgetReserveMore(&kernel->budget, &price);
		if (*outcome != BUDGET_FITS)
			return predicted + i;
	}
	return step->ncalls;
}

/* In the form that commits: the tokens of a step's calls, before the transaction in which they are made. */
static void
TakeTokens(Kernel *kernel, const CourseStep *step, int count)
{
	const SpecifiedTool *tool = kernel->tools[step->node];

	kernel->tokens = 0;
	kernel->token_outcome = RATE_LIMITED;
	if (!kernel->commits || tool->spec.rate_limit_qps == NULL)
		return;
	while (kernel->tokens < count)
	{
		kernel->token_outcome = RateTake(kernel->trace.tenant, tool->tool.name, tool->spec.rate_limit_qps, false);
		if (kernel->token_outcome != RATE_TAKEN)
			return;
		kernel->tokens++;
	}
}

static void
RecordStep(Kernel *kernel, const CourseStep *step, const StepCalls *calls)
{
	const PlanNode *node = &kernel->course.plan->nodes[step->node];
	TraceEvent	event = {.type = TRACE_STEP,.step = node->id,.op = plan_op_labels[node->op],
		.attempt = step->attempt,.inputs = step->inputs,.outputs = step->outputs,
	.outcome = step->outcome,.reason = step->reason};

	if (node->tool)
		event.tool = node->tool->name;
	event.basis = CourseBasis(&kernel->course, step->node);
	if (calls)
	{
		event.ts_start = calls->started;
		event.cost = calls->charged.cost;
		event.latency = calls->charged.latency;
		event.tokens_in = calls->usage.tokens_in;
		event.tokens_out = calls->usage.tokens_out;
		event.by = calls->by;
	}
	else
	{
		event.ts_start = GetCurrentTimestamp();
		event.tokens_in = step->inputs.type == JVIEW_ABSENT ? 0 : TokensOf(&step->inputs);
		event.tokens_out = step->outputs.type == JVIEW_ABSENT ? 0 : TokensOf(&step->outputs);
	}
	event.citations = TraceCitations(&step->outputs);
	Record(kernel, &event);
}

static void
Charge(Kernel *kernel, const PlanPrice *charged)
{
	BudgetCharge(&kernel->budget, charged);
	kernel->course.used.cost = NumberCall(numeric_add, kernel->course.used.cost, charged->cost);
	kernel->course.used.latency = NumberCall(numeric_add, kernel->course.used.latency, charged->latency);
}

/* Leaves a step to the application. */
static void
WaitFor(Kernel *kernel, const CourseStep *step, const StepCalls *calls)
{
	const PlanNode *node = &kernel->course.plan->nodes[step->node];
	JsonView	entry = JsonViewNewObject(3);

	JsonViewSet(&entry, "node", JsonViewString(node->id.str, node->id.len));
	JsonViewSet(&entry, "tool", JsonViewString(node->tool->name.str, node->tool->name.len));
	JsonViewSet(&entry, "args", step->inputs);
	kernel->pending = JsonViewNewArray(1);
	JsonViewAppend(&kernel->pending, entry);
	kernel->pending_since = calls->started;
	kernel->expires_at = TimestampTzPlusMilliseconds(calls->started, (int64) answer_eval_pending_expiry * 1000);
}

/*
 * Reserves a look in depth, into as many sources as the budget allows.  False if it
 * allows none: then the step is over.
 */
static bool
ReserveDepth(Kernel *kernel, CourseStep *step)
{
	for (int count = step->ndepth; count > 0; count /= 2)
	{
		CourseDeepen(&kernel->course, step, count);
		if (BudgetReserveMore(&kernel->budget, &step->price) == BUDGET_FITS)
			return true;
	}
	CourseLeaveDepth(&kernel->course);
	return false;
}

/* Goes one step; false if it waits for the application. */
static bool
GoStep(Kernel *kernel, CourseStep *step)
{
	StepCalls	calls;
	BudgetOutcome unpaid;
	PlanPrice	price;
	int			paid;

	if (step->is_decided)
	{
		RecordStep(kernel, step, NULL);
		CourseAdvance(&kernel->course, step);
		Commit(kernel);
		return true;
	}
	if (step->ndepth > 0)
	{
		if (!ReserveDepth(kernel, step))
			return true;
		paid = 1;
		unpaid = BUDGET_FITS;
	}
	else
		paid = ReserveCalls(kernel, step, &unpaid);
	price = PriceOfCalls(step, paid);
	BudgetStep(&kernel->budget, &price);
	TakeTokens(kernel, step, paid);
	Commit(kernel);
	Perform(kernel, step, paid, unpaid, &calls);
	if (calls.is_pending && step->kind == NULL)
	{
		WaitFor(kernel, step, &calls);
		return false;
	}
	Charge(kernel, &calls.charged);
	RecordStep(kernel, step, &calls);
	CourseAdvance(&kernel->course, step);
	return true;
}

/*
 * ends
 */

/* Users' rules that claims were verified by go into the document, as far as they still are what they were. */
static void
KeepRules(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;
	JsonView	rules;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	for (int i = 0; i < document->nrecords && document->rules.type == JVIEW_ABSENT; i++)
	{
		Span		wanted = PlanRulesDigest(&document->records[i]);

		if (wanted.len == 0)
			continue;
		(void) CurrentRules(&rules);
		CanonicalDigest(&rules, NULL, digest);
		if (SpanEqualCString(wanted, digest))
			document->rules = rules;
	}
}

/* Adds the documents that hits are of: what stands before "#" in the id of a chunk. */
static void
AddDocuments(const JsonView *result, Datum **ids, int *count)
{
	JsonView	hits;

	if (result->type != JVIEW_OBJECT || !JsonViewGetMember(result, "hits", &hits) || hits.type != JVIEW_ARRAY ||
		JsonViewCount(&hits) == 0)
		return;
	*ids = *ids ? repalloc_huge(*ids, sizeof(Datum) * (Size) (*count + JsonViewCount(&hits))) :
		palloc_extended(sizeof(Datum) * (Size) JsonViewCount(&hits), MCXT_ALLOC_HUGE);
	for (int i = 0; i < JsonViewCount(&hits); i++)
	{
		JsonView	hit;
		Span		id = {"", 0};

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&hits, i, &hit);
		if (hit.type == JVIEW_OBJECT)
			(void) JsonViewGetString(&hit, "id", &id.str, &id.len);
		while (id.len > 0 && id.str[id.len - 1] != '#')
			id.len--;
		id.len = Max(id.len - 1, 0);
		if (id.len > 0)
			(*ids)[(*count)++] = SpanDatum(id);
	}
}

/* Was a document forgotten that a search of a step has found?  Documents are there until they are forgotten. */
static bool
HasFoundForgotten(const Kernel *kernel)
{
	static FixedQuery query = {
		.text = "SELECT FROM pg_catalog.unnest($2) AS f (doc_id) WHERE NOT EXISTS (SELECT FROM answer.document d"
		" WHERE d.tenant OPERATOR(pg_catalog.=) $1 AND d.doc_id OPERATOR(pg_catalog.=) f.doc_id)",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	const PlanDocument *document = &kernel->document;
	Datum	   *ids = NULL;
	int			count = 0;
	Datum		values[2] = {PointerGetDatum(kernel->trace.tenant)};
	Oid			user;
	int			rights;
	QueryRows	rows;

	for (int i = 0; i < document->nrecords; i++)
	{
		const JsonView *outputs = &document->records[i].outputs;
		JsonView	tool = {.type = JVIEW_ABSENT};
		JsonView	result;

		(void) JsonViewGetMember(&document->records[i].event, "tool", &tool);
		if (!JsonViewStringIs(&tool, TOOL_SEARCH))
			continue;
		AddDocuments(outputs, &ids, &count);
		for (int j = 0; outputs->type == JVIEW_ARRAY && j < JsonViewCount(outputs); j++)
		{
			JsonViewElement(outputs, j, &result);
			AddDocuments(&result, &ids, &count);
		}
	}
	if (count == 0)
		return false;
	/* nothing is forgotten from now on, until what is minted is there to be found */
	RefuseForgotten(kernel->trace.tenant, NULL, 0);
	values[1] = QueryTextArray(ids, count);
	AnswerAsOwner(&user, &rights);
	rows = QueryRunLatest(&query, values, NULL, 1);
	AnswerAsCaller(user, rights);
	return QueryFound(rows);
}

/*
 * What was forgotten since it was found is not signed.  Who executes the plan is told;
 * where nobody does, the document has the digests alone.
 */
static void
DropForgotten(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;

	if (!HasFoundForgotten(kernel))
		return;
	if (!kernel->is_recovering)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("documents that the plan of trace \"%s\" has found were forgotten meanwhile", kernel->trace.id),
				 errhint("Start the plan again. answer_plan_recover() ends this one, and erases what it found.")));
	for (int i = 0; i < document->nrecords; i++)
		document->records[i].inputs = document->records[i].outputs = (JsonView) {.type = JVIEW_ABSENT};
}

/* What is signed is a document's worth: inputs and outputs give way to the rest, and the answer to the trace. */
static JsonView
BodyOf(Kernel *kernel, TimestampTz issued_at)
{
	JsonView	body = {.type = JVIEW_ABSENT};
	Size		room = DOCUMENT_MAX_SIZE;
	Size		over = 0;

	for (int attempt = 0; attempt == 0 || (over > 0 && attempt < 3); attempt++)
	{
		if (attempt == 2)
			CourseStop(&kernel->course, PLAN_FAILED, "size", "the answer is larger than a document can be", -1);
		body = DocumentBegin(&plan_kind, kernel->trace.tenant, issued_at);
		over = PlanDocumentSet(&body, &kernel->document, &kernel->course, &kernel->trace, &room);
		room -= Min(room, over);
	}
	return body;
}

/* Mints the document of an execution that is over. */
static Jsonb *
Mint(Kernel *kernel)
{
	Minting		minting = {.kind = &plan_kind,.key = &kernel->key,.tenant = kernel->trace.tenant,
	.makes_portable = true,.begun_at = kernel->document.started_at};
	JsonView	view;
	Span		receipt_id;
	Jsonb	   *stored;

	DropForgotten(kernel);
	KeepRules(kernel);
	/* not before the events that it tells of */
	TakeKey(kernel);
	minting.issued_at = kernel->now;
	minting.body = BodyOf(kernel, minting.issued_at);
	stored = DocumentMint(&minting);
	JsonViewOfJsonb(stored, &view);
	if (!JsonViewGetString(&view, "receipt_id", &receipt_id.str, &receipt_id.len))
		elog(ERROR, "a document was minted without an id");
	TraceStore(&kernel->trace);
	StoreCalls(kernel);
	if (kernel->is_entered)
		RunFinish(&kernel->trace, kernel->course.verdict, receipt_id, minting.issued_at);
	else
		RunInsertDone(&kernel->run, kernel->course.verdict, receipt_id, minting.issued_at);
	PlanCacheKeep(&kernel->cache_key, kernel->trace.tenant, &kernel->course, &view, &kernel->key,
			  minting.issued_at);
	return stored;
}

/*
 * Mints and settles.  In the form that commits these are two transactions, so that
 * nobody waits for the budget while a document is signed and written to disk;
 * what is not settled then, recovering settles.
 */
static Jsonb *
Finish(Kernel *kernel)
{
	Jsonb	   *document;

	if (kernel->is_reserved && !kernel->commits)
		BudgetSettle(&kernel->budget);
	document = CopyInCaller(kernel, Mint(kernel));
	if (kernel->is_reserved && kernel->commits)
	{
		kernel->is_kept = true;
		Commit(kernel);
		BudgetSettle(&kernel->budget);
		kernel->is_unflushed = true;
	}
	return document;
}

/* Keeps what it needs to go on, and tells what it waits for. */
static Jsonb *
Suspend(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;
	JsonView	state = StateView(kernel);
	JsonView	view = PendingView(kernel->trace.plan_id, kernel->trace.id, &kernel->pending, kernel->expires_at);

	BudgetSuspend(&kernel->budget);
	TraceStore(&kernel->trace);
	if (!kernel->is_entered)
		(void) RunInsert(&kernel->run);
	kernel->is_entered = true;
	kernel->run.status = RUN_PENDING;
	kernel->run.expires_at = kernel->expires_at;
	TakeKey(kernel);
	StoreCalls(kernel);
	RunKeep(&kernel->trace, &kernel->run, &state, &kernel->key, kernel->now);
	/* the other form has kept them as it went; what an earlier half kept is there */
	for (int i = document->nkept; !kernel->commits && i < document->nrecords; i++)
		RunStepKeep(&kernel->trace, &document->records[i], i + 1);
	return ResultInCaller(kernel, &view);
}

/* Goes on until there is nothing more to do, or it waits. */
static Jsonb *
Go(Kernel *kernel)
{
	CourseStep	step;
	Jsonb	   *result = NULL;

	while (result == NULL && CourseNext(&kernel->course, &step))
	{
		CHECK_FOR_INTERRUPTS();
		if (kernel->document.base + kernel->trace.size > PLAN_TOLD_MAX_SIZE)
			CourseStop(&kernel->course, PLAN_FAILED, "size", "the trace is larger than a document can tell", step.node);
		else if (!GoStep(kernel, &step))
			result = Suspend(kernel);
	}
	if (result == NULL)
	{
		CourseEnd(&kernel->course);
		result = Finish(kernel);
	}
	return result;
}

/*
 * beginnings
 */

static void
KernelBegin(Kernel *kernel, bool commits)
{
	RequirePrimary("a plan");
	PlanRefuseNested();
	memset(kernel, 0, sizeof(*kernel));
	kernel->document.is_uncommitted = TransactionHasWritten(WritesEnter());
	kernel->commits = commits;
	kernel->trace.holds = !commits;
	kernel->role = GetUserId();
	kernel->caller = CurrentMemoryContext;
	kernel->context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval plan", PLAN_CONTEXT_SIZES);
	SPI_connect_ext(commits ? SPI_OPT_NONATOMIC : 0);
	MemoryContextSwitchTo(kernel->context);
}

static void
KernelEnd(Kernel *kernel)
{
	TransactionEnd(kernel);
	if (kernel->commits)
	{
		CommitTransaction(kernel);
		/* before it is committed, nobody else may take it up */
		if (kernel->trace.id[0])
			UnlockTrace(kernel->trace.tenant, SpanOfCString(kernel->trace.id));
	}
	SPI_finish();
	MemoryContextSwitchTo(kernel->caller);
	MemoryContextDelete(kernel->context);
}

/* Is an intent one of answer_eval.regulated_intents? */
static bool
IsRegulatedIntent(Span intent)
{
	Span		list;

	list.str = JsonServerToUtf8(answer_eval_regulated_intents, strlen(answer_eval_regulated_intents), &list.len);
	while (list.len > 0)
	{
		const char *comma = memchr(list.str, ',', list.len);
		Span		word = SpanOf(list.str, comma ? comma - list.str : list.len);

		list = SpanOf(list.str + word.len + (comma != NULL), list.len - word.len - (comma != NULL));
		while (word.len > 0 && word.str[0] == ' ')
			word = SpanOf(word.str + 1, word.len - 1);
		while (word.len > 0 && word.str[word.len - 1] == ' ')
			word.len--;
		if (word.len > 0 && SpanEqual(word, intent))
			return true;
	}
	return false;
}

/* The thresholds in force: the active configuration's. */
static EvidencePolicy
ActivePolicy(const text *tenant, const JsonView *vars, Span intent)
{
	EvidencePolicy policy;
	DecisionConfig config;
	Span		question;

	EvidencePolicyDefaults(&policy);
	CurrentDecisionConfig(tenant, QuestionOfVars(vars, &question) ? &question : NULL, &config);
	policy.min_confidence = config.min_confidence;
	policy.cite_if_confidence_below = config.citation_threshold;
	policy.block_if_conflict_over = config.contradiction_tolerance;
	policy.requires_judge = config.judge == 1;
	policy.is_regulated = intent.len > 0 && IsRegulatedIntent(intent);
	policy.freshness = (FreshnessTerms) {.are_known = true,.days = config.freshness_days,
		.days_high_risk = config.freshness_days_high_risk,.supersede = config.supersede,.top_k = config.top_k,
		.reranks = config.rerank_by_freshness == 1,.bias = config.freshness_bias};
	return policy;
}

/* The specs of the tools that the nodes call, and no others. */
static JsonView
SpecsOfNodes(const Course *course)
{
	JsonView	specs = JsonViewNewObject(course->plan->nnodes);

	for (int i = 0; i < course->plan->nnodes; i++)
	{
		const PlanTool *tool = course->plan->nodes[i].tool;
		JsonView	spec;

		if (tool && !JsonViewGet(&specs, tool->name.str, tool->name.len, &spec))
			JsonViewSetKey(&specs, tool->name.str, tool->name.len, course->spec[i]->view);
	}
	return specs;
}

/* The tools of the nodes, one by one, out of those that were found by name, or looked up now. */
static SpecifiedTool *
ToolsOfNodes(const Kernel *kernel, const PlanNamedTools *named, int *count)
{
	const PlanIr *plan = kernel->course.plan;
	SpecifiedTool *found = palloc0(sizeof(SpecifiedTool) * Max(plan->nnodes, named->count));
	Span	   *names;

	*count = named->count;
	if (*count > 0)
	{
		SpecifiedToolsOf(named->tools, *count, found);
		return found;
	}
	names = palloc(sizeof(Span) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		if (plan->nodes[i].tool && !SpanIsIn(plan->nodes[i].tool->name, names, *count))
			names[(*count)++] = plan->nodes[i].tool->name;
	}
	SpecifiedToolsFind(kernel->trace.tenant, names, *count, found);
	return found;
}

/* Are two values the same in portable form? */
static bool
IsSameValue(const JsonView *a, const JsonView *b)
{
	char		left[DIGEST_TEXT_LENGTH + 1];
	char		right[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigestPortable(a, left);
	CanonicalDigestPortable(b, right);
	return strcmp(left, right) == 0;
}

/*
 * A plan goes on with the tools that it was begun with: its document has their
 * specs, and is made again by these.  Their registrars must be the same, for a
 * registrar vouches for what comes of a tool.
 */
static void
RequireSameTool(const Kernel *kernel, const SpecifiedTool *tool)
{
	Span		name = tool->tool.name;
	JsonView	now = RegistrarView(&tool->tool);
	JsonView	spec;
	JsonView	registrar;

	(void) JsonViewGet(&kernel->document.tools, name.str, name.len, &spec);
	if (!IsSameValue(&spec, &tool->tool.spec))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" has another spec than when the plan was started",
						TextDatumGetCString(SpanDatum(name))),
				 errhint("Start the plan again, or register the tool as it was.")));
	if (kernel->document.terms.are_known && JsonViewGet(&kernel->document.terms.tools, name.str, name.len, &registrar) &&
		!IsSameValue(&registrar, &now))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" is somebody else's than when the plan was started",
						TextDatumGetCString(SpanDatum(name))),
				 errhint("Start the plan again.")));
}

/* Finds the tools of the nodes; tools whose price is paid outside need the form that commits. */
static void
FindTools(Kernel *kernel, const PlanNamedTools *named)
{
	const PlanIr *plan = kernel->course.plan;
	int			count;
	SpecifiedTool *found = ToolsOfNodes(kernel, named, &count);

	kernel->tools = palloc0(sizeof(SpecifiedTool *) * plan->nnodes);
	for (int i = 0; i < count; i++)
	{
		Span		name = found[i].tool.name;

		if (!found[i].tool.registered)
			SpecifiedToolRaise(kernel->trace.tenant, name);
		if (named->count == 0)
			RequireSameTool(kernel, &found[i]);
		if (found[i].spec.has_external_cost && !kernel->commits && !kernel->is_explaining)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("tool \"%s\" has an external cost, and a plan in a transaction cannot call it",
							TextDatumGetCString(SpanDatum(name))),
					 errdetail("A rollback would give the money back that was spent."),
					 errhint("CALL answer_plan_run(), which commits each step.")));
	}
	for (int i = 0; i < plan->nnodes; i++)
	{
		for (int j = 0; plan->nodes[i].tool && j < count; j++)
		{
			if (SpanEqual(found[j].tool.name, plan->nodes[i].tool->name))
				kernel->tools[i] = &found[j];
		}
	}
}

/* Names of the tools with a rate limit. */
static Span *
LimitedTools(const Kernel *kernel, int *count)
{
	const PlanIr *plan = kernel->course.plan;
	Span	   *names = palloc(sizeof(Span) * plan->nnodes);

	*count = 0;
	for (int i = 0; i < plan->nnodes; i++)
	{
		if (kernel->tools[i] && kernel->tools[i]->spec.rate_limit_qps &&
			!SpanIsIn(kernel->tools[i]->tool.name, names, *count))
			names[(*count)++] = kernel->tools[i]->tool.name;
	}
	return names;
}

static void
StopBusy(Kernel *kernel)
{
	CourseStop(&kernel->course, PLAN_REFUSED, "budget_busy", "others hold the budget, and lock_timeout passed", -1);
}

/* The key of a node's memory, if it is known before anything runs. */
static bool
KnownKey(const Kernel *kernel, const PlanNode *node, Span *key)
{
	JsonView	bindings = JsonViewNewObject(1);
	JsonView	value;
	JsonView	known;
	BindingProblem problem;

	if (node->tool == NULL || !SpanEqualCString(node->tool->name, TOOL_MEMORY) ||
		!JsonViewGetMember(&node->args, "key", &value))
		return false;
	JsonViewSet(&bindings, "INPUT", kernel->course.vars);
	if (!BindValue(&value, &bindings, &known, &problem) || known.type != JVIEW_STRING)
		return false;
	*key = SpanOf(known.str, known.len);
	return key->len > 0 && key->len <= MEMORY_MAX_KEY;
}

/* Has who asks the right to read memory?  Not by a summary either, without it. */
static bool
MayReadMemory(const SpecifiedTool *tool)
{
	Oid			handler = BoundFunction(tool->tool.handler, tool->tool.handler_owner, JSONBOID);

	return CompatFunctionAclcheck(handler, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * What is remembered under a key that the plan names can take its place, where the
 * budget is too small for it: at the price of reading it.
 */
static void
FindSummary(Kernel *kernel, PlanLimits *limits)
{
	const PlanIr *plan = kernel->course.plan;
	MemoryEntry entry;
	Course		trial = kernel->course;
	Span		key;

	for (int i = 0; i < plan->nnodes && !limits->has_summary; i++)
	{
		if (!KnownKey(kernel, &plan->nodes[i], &key) || !MayReadMemory(kernel->tools[i]))
			continue;
		MemoryRead(kernel->trace.tenant, key, kernel->document.evaluated_at, &entry);
		trial.caveats = JsonViewNewArray(0);
		if (!entry.exists || !CourseWouldTake(&kernel->course, &entry.provenance) ||
			!CourseSummarize(&trial, &entry.provenance, &entry.origin, "") ||
			trial.verdict != PLAN_ANSWERED)
			continue;
		limits->has_summary = true;
		limits->summary = NodePrice(&plan->nodes[i], 0, 0);
		kernel->document.summary = JsonViewNewObject(3);
		JsonViewSet(&kernel->document.summary, "key", JsonViewString(key.str, key.len));
		JsonViewSet(&kernel->document.summary, "evidence", entry.provenance);
		if (OriginIsReported(&entry.origin))
			JsonViewSet(&kernel->document.summary, "reported_by", OriginView(&entry.origin));
	}
}

/* The answer from memory, charged as it was predicted. */
static void
AnswerFromMemory(Kernel *kernel)
{
	const PlanPrice *price = &kernel->course.forecast.predicted;

	BudgetStep(&kernel->budget, price);
	Charge(kernel, price);
	if (!PlanSummarize(&kernel->course, &kernel->document.summary))
		elog(ERROR, "what is remembered cannot be summarized any more");
}

/* Tells what calls of the plan's tools have taken by now, unless the request wants what they declare. */
static void
MeasureTools(Kernel *kernel, const PlanRequest *request)
{
	const PlanIr *plan = kernel->course.plan;
	Span	   *names = palloc(sizeof(Span) * plan->nnodes);
	Measure    *measures = palloc0(sizeof(Measure) * plan->nnodes);
	JsonView	measured;
	int			count = 0;

	for (int i = 0; i < plan->nnodes && !request->wants_declared; i++)
	{
		const SpecifiedTool *tool = kernel->tools[i];

		if (tool && !tool->spec.is_external && !SpanIsIn(tool->tool.name, names, count))
			names[count++] = tool->tool.name;
	}
	MeasuresFind(kernel->trace.tenant, names, count, kernel->document.evaluated_at, measures);
	measured = MeasuresView(names, measures, count);
	if (!CourseMeasure(&kernel->course, &measured))
		elog(ERROR, "what was measured cannot be read");
}

/* Forecasts the plan within limits; where it does not fit, a summary of what is remembered may. */
static void
Forecast(Kernel *kernel)
{
	CourseForecast(&kernel->course, &kernel->document.limits);
	if (!kernel->course.forecast.is_refused)
		return;
	FindSummary(kernel, &kernel->document.limits);
	CourseForecast(&kernel->course, &kernel->document.limits);
}

/* Takes the budget, and what of it the plan is predicted to need. */
static void
TakeBudget(Kernel *kernel, const PlanRequest *request)
{
	Course	   *course = &kernel->course;
	PlanLimits	limits = {0};
	BudgetOutcome outcome;
	Span	   *names;
	int			count;

	names = LimitedTools(kernel, &count);
	PlanRequestLimits(request, course->plan, &limits);
	BudgetBegin(&kernel->budget, kernel->trace.tenant, SpanOfCString(kernel->trace.id), !kernel->commits, &limits);
	outcome = BudgetOpen(&kernel->budget, names, count, kernel->document.evaluated_at);
	kernel->document.limits = kernel->budget.limits;
	if (outcome == BUDGET_BUSY)
	{
		CourseForecast(course, &kernel->document.limits);
		StopBusy(kernel);
		return;
	}
	Forecast(kernel);
	if (!course->forecast.is_refused)
	{
		outcome = BudgetReserve(&kernel->budget, &course->forecast.predicted);
		kernel->is_reserved = outcome == BUDGET_FITS;
	}
	RecordDegradations(kernel);
	if (!course->forecast.is_summary)
		memset(&kernel->document.summary, 0, sizeof(kernel->document.summary));
	else if (kernel->is_reserved)
		AnswerFromMemory(kernel);
	if (outcome == BUDGET_BUSY)
		StopBusy(kernel);
	else if (!kernel->is_reserved)
		CourseStop(course, PLAN_REFUSED, "budget",
				   psprintf("the plan is predicted to cost %s USD and to take %s ms, and the budget is %s",
							numeric_normalize(course->forecast.predicted.cost),
							numeric_normalize(course->forecast.predicted.latency),
							BudgetExceeded(&kernel->budget, &course->forecast.predicted)), -1);
}

/*
 * requests that come again
 */

static _Noreturn void
RefuseOtherRequest(const PlanRequest *request)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("request_id \"%s\" was used for another request", TextDatumGetCString(SpanDatum(request->request_id))),
			 errdetail("Plan, vars, budgets or intent were not the same."),
			 errhint("Give each request an id of its own.")));
}

/* Is it the role in force that started an execution? */
static bool
IsOwnRun(const Kernel *kernel, const StoredRun *run)
{
	return strcmp(run->role, GetUserNameFromId(kernel->role, false)) == 0;
}

/* The document of a request that is done was forgotten, or went with its partition. */
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

/*
 * Returns what the same request was answered, or waits for. It is told to the role
 * that asked and to nobody else, whatever it asks: a request_id can be guessed, and
 * what its tools gave was given with the rights of that role.
 */
static Jsonb *
AnswerEarlierRequest(const Kernel *kernel, const PlanRequest *request, const StoredRun *run)
{
	JsonView	pending;
	JsonView	view;
	Jsonb	   *document;
	bool		is_here;

	if (!IsOwnRun(kernel, run))
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
		view = PendingView(run->plan_id, run->trace_id, &pending, run->expires_at);
		return ResultInCaller(kernel, &view);
	}
	document = RunDocument(run, &is_here);
	if (document == NULL)
		RefuseGone(request, run, is_here);
	return CopyInCaller(kernel, document);
}

/* Does the caller say under which name he will ask for it? */
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

/* Stores the new execution; false if the request has come before, with *answer, what that was answered. */
static bool
Enter(Kernel *kernel, const PlanRequest *request, Jsonb **answer)
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
	/* in one transaction nobody else sees it before it is done, and nobody asks for it again */
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

/* What no document can hold is refused before anything is done, and not when all of it is. */
static void
RefuseDeep(const PlanDocument *document)
{
	if (JsonViewIsDeeper(&document->plan, RAW_MAX_DEPTH) || JsonViewIsDeeper(&document->vars, RAW_MAX_DEPTH) ||
		JsonViewIsDeeper(&document->tools, RAW_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("the plan, its tools or its vars are nested more than %d levels deep", RAW_MAX_DEPTH),
				 errhint("Flatten them, or give the plan a reference to what is deep, which a tool reads.")));
}

/* Who registered each tool, and whether it is the operator's. */
static JsonView
ToolsByRegistrar(const Kernel *kernel)
{
	const PlanIr *plan = kernel->course.plan;
	JsonView	tools = JsonViewNewObject(plan->nnodes);
	JsonView	entry;

	for (int i = 0; i < plan->nnodes; i++)
	{
		const Tool *tool = kernel->tools[i] ? &kernel->tools[i]->tool : NULL;

		if (tool && !JsonViewGet(&tools, tool->name.str, tool->name.len, &entry))
			JsonViewSetKey(&tools, tool->name.str, tool->name.len, RegistrarView(tool));
	}
	return tools;
}

/* Reads a request, and the plan and the tools that it names. */
static void
ReadRequest(Kernel *kernel, const JsonView *view, const PlanRequest *request)
{
	PlanDocument *document = &kernel->document;
	EvidencePolicy policy;
	const PlanProblems *problems;
	PlanNamedTools named;
	GivenJudgements given;
	JsonView	intent;
	const DecisionRules *rules;
	char	   *rules_digest = palloc(DIGEST_TEXT_LENGTH + 1);
	char	   *registered_by;

	document->plan = PlanRequestPlan(kernel->trace.tenant, request, document->plan_digest, &registered_by);
	document->tools = PlanSpecs(kernel->trace.tenant, &document->plan, &named);
	document->vars = request->vars;
	document->intent = request->intent;
	if (document->intent.len == 0 && JsonViewGetMember(&document->plan, "intent", &intent) &&
		intent.type == JVIEW_STRING)
		document->intent = SpanOf(intent.str, intent.len);
	document->request = PlanRequestView(view, document->plan_digest);
	policy = ActivePolicy(kernel->trace.tenant, &document->vars, document->intent);
	/* the plan's own intent counts, too, whatever the request says */
	if (JsonViewGetMember(&document->plan, "intent", &intent) && intent.type == JVIEW_STRING)
		policy.is_regulated = policy.is_regulated || IsRegulatedIntent(SpanOf(intent.str, intent.len));
	rules = PlanRulesInForce(rules_digest, &document->rules);
	policy.freshness.rules = SpanOfCString(rules_digest);
	document->terms = (OriginTerms) {.are_known = true,.request = RoleName(GetUserNameFromId(kernel->role, false))};
	document->terms.plan = registered_by ? RoleName(registered_by) : document->terms.request;
	problems = CourseBegin(&kernel->course, &document->plan, &document->tools, &document->vars, &policy,
						   &document->terms);
	if (problems)
		PlanRaise(problems);
	CourseTakeClock(&kernel->course, document->evaluated_at, rules);
	/* who may not speak for a judge is refused before anything is done */
	if (request->judgements.type == JVIEW_ARRAY)
		GivenJudgementsRead(&given, kernel->trace.tenant, &request->judgements);
	CourseTakeRequest(&kernel->course, &document->request);
	document->tools = SpecsOfNodes(&kernel->course);
	RefuseDeep(document);
	kernel->document.base = PlanBaseSize(document);
	if (kernel->document.base > PLAN_BASE_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the plan, its tools and its vars have %zu bytes, and a document takes at most %d of them",
						kernel->document.base, PLAN_BASE_MAX_SIZE),
				 errhint("Give the plan a reference to what is large, which a tool reads.")));
	kernel->trace.plan_id = kernel->course.plan->plan_id;
	FindTools(kernel, &named);
	document->terms.tools = ToolsByRegistrar(kernel);
	kernel->course.terms = document->terms;
}

static Jsonb *
Start(Kernel *kernel, const JsonView *view, const PlanRequest *request)
{
	Jsonb	   *answer = NULL;
	StoredRun	earlier;

	CanonicalDigest(view, NULL, kernel->document.request_digest);
	if (request->request_id.len > 0 &&
		RunFindRequest(kernel->trace.tenant, request->request_id, &earlier))
		return AnswerEarlierRequest(kernel, request, &earlier);
	ReadRequest(kernel, view, request);
	/* what is asked for by an id of its own is answered under that id */
	if (!HasNameOfItsOwn(request))
	{
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, &kernel->document, &kernel->course);
		answer = kernel->cache_key.life > 0 ?
			CacheGet(kernel->trace.tenant, kernel->cache_key.digest, kernel->now, kernel->caller) : NULL;
		if (answer)
			return answer;
		/* what a user's tool sees at an old snapshot must not be given to who has none */
		if (!kernel->commits && IsolationUsesXactSnapshot())
			kernel->cache_key.life = 0;
	}
	if (request->trace_id.len > 0)
		strlcpy(kernel->trace.id, pnstrdup(request->trace_id.str, request->trace_id.len), sizeof(kernel->trace.id));
	else
		TraceIdMake(kernel->trace.id);
	if (kernel->commits && !LockTrace(kernel->trace.tenant, SpanOfCString(kernel->trace.id)))
		RefuseUsedTrace(kernel);
	if (!Enter(kernel, request, &answer))
		return answer;
	MeasureTools(kernel, request);
	TakeBudget(kernel, request);
	if (kernel->is_reserved && kernel->commits)
	{
		kernel->is_unflushed = true;
		Commit(kernel);
	}
	return Go(kernel);
}

/*
 * Executes the plan of a request.  The result, in the caller's memory, is its
 * document, or, where a step waits for the application, what it waits for.
 * With "commits" the transaction is committed after each step, which a procedure
 * alone may do.
 */
static Jsonb *
KernelExecute(Jsonb *given, bool commits)
{
	Kernel		kernel;
	JsonView	view;
	PlanRequest request;
	Jsonb	   *result;

	KernelBegin(&kernel, commits);
	JsonViewOfJsonb(given, &view);
	/* in portable form, as its document has it */
	JsonViewOfJsonb(JsonViewToJsonb(&view, true), &view);
	PlanRequestRead(&view, &request);
	/* before anything else runs: the role in force here is who asks */
	if (commits)
		PushActiveSnapshot(GetTransactionSnapshot());
	kernel.trace.tenant = PlanRequestTenant(&request);
	if (commits)
		PopActiveSnapshot();
	TransactionBegin(&kernel);
	kernel.document.evaluated_at = kernel.document.started_at = kernel.now;
	result = Start(&kernel, &view, &request);
	KernelEnd(&kernel);
	return result;
}

/*
 * explaining
 */

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

/* Goes the way of Start and TakeBudget, and takes, calls and stores nothing. */
static Jsonb *
Explain(Kernel *kernel, const JsonView *view, const PlanRequest *request)
{
	bool		is_cached = false;
	JsonView	explained;

	ReadRequest(kernel, view, request);
	if (!HasNameOfItsOwn(request))
	{
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, &kernel->document, &kernel->course);
		is_cached = kernel->cache_key.life > 0 &&
			CacheHas(kernel->trace.tenant, kernel->cache_key.digest, kernel->document.evaluated_at);
	}
	MeasureTools(kernel, request);
	PlanRequestLimits(request, kernel->course.plan, &kernel->document.limits);
	BudgetLook(kernel->trace.tenant, kernel->document.evaluated_at, &kernel->document.limits);
	Forecast(kernel);
	explained = ExplainView(kernel, is_cached);
	return ResultInCaller(kernel, &explained);
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
	kernel.role = GetUserId();
	kernel.caller = CurrentMemoryContext;
	SPI_connect();
	kernel.context = CurrentMemoryContext;
	JsonViewOfJsonb(given, &view);
	JsonViewOfJsonb(JsonViewToJsonb(&view, true), &view);
	PlanRequestRead(&view, &request);
	kernel.trace.tenant = PlanRequestTenant(&request);
	kernel.settings = NewGUCNestLevel();
	EnforceTenant(kernel.trace.tenant);
	kernel.document.evaluated_at = GetCurrentTimestamp();
	result = Explain(&kernel, &view, &request);
	AtEOXact_GUC(false, kernel.settings);
	SPI_finish();
	return result;
}

/*
 * going on
 */

static _Noreturn void
RefuseState(const StoredRun *run)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("what is stored of trace \"%s\" is not what was kept", run->trace_id)));
}

/* Takes up an execution where it was left. */
static void
Load(Kernel *kernel, const StoredRun *run)
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
	(void) JsonViewGetString(&run->state, "intent", &document->intent.str, &document->intent.len);
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
	/* its event tells it */
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

/* Results must be of the one step that waits. */
static void
CheckResults(const Kernel *kernel, const CourseStep *step)
{
	for (int i = 0; i < JsonViewCount(&kernel->answers); i++)
	{
		JsonMember	member;
		Span		name;
		int			node;

		JsonViewMember(&kernel->answers, i, &member.key, &member.keylen, &member.value);
		name = SpanOf(member.key, member.keylen);
		node = PlanFindNode(kernel->course.plan, name);
		if (node == step->node)
			CheckAnswer(kernel, step, &member.value);
		else if (node < 0)
			RefuseResults(psprintf("name %s, which is no node of the plan", ShownReference(name)));
		else
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("node %s does not wait for an answer", ShownReference(name)),
					 errhint("The answer says which nodes are pending; each is answered once.")));
	}
	if (JsonViewCount(&kernel->answers) == 0)
		RefuseResults("must not be empty");
}

/* Goes the step that was answered, then on. */
static Jsonb *
GoAnswered(Kernel *kernel)
{
	CourseStep	step;
	StepCalls	calls;

	if (!CourseNext(&kernel->course, &step) || step.is_decided)
		elog(ERROR, "a plan waits for no step");
	CheckResults(kernel, &step);
	Perform(kernel, &step, step.ncalls, BUDGET_FITS, &calls);
	memset(&kernel->answers, 0, sizeof(kernel->answers));
	memset(&kernel->pending, 0, sizeof(kernel->pending));
	kernel->is_kept = false;
	Charge(kernel, &calls.charged);
	RecordStep(kernel, &step, &calls);
	CourseAdvance(&kernel->course, &step);
	Commit(kernel);
	return Go(kernel);
}

/* The execution that waits, locked; raises if there is none for the caller to go on with. */
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
	if (!IsOwnRun(kernel, run))
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
	Span	   *names = LimitedTools(kernel, &count);

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

/* The lock of the trace: of the session in the form that commits, else of the transaction. */
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

/* Goes on with a plan that waits; results are {node: {result, by, latency_ms?}}. */
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
	TransactionBegin(&kernel);
	JsonViewOfJsonb(results, &kernel.answers);
	if (kernel.answers.type != JVIEW_OBJECT)
		RefuseResults("must be an object");
	FindPending(&kernel, trace_id, &run);
	Load(&kernel, &run);
	FindTools(&kernel, &none);
	(void) JsonViewGetMember(&run.state, "pending_since", &since);
	(void) InstantOfView(&since, &kernel.pending_since);
	DropForgotten(&kernel);
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
	Record(kernel, &event);
}

/* Ends one, unless a session executes it, or somebody has ended it meanwhile. */
static bool
EndOrphan(Kernel *kernel, const StoredRun *orphan)
{
	StoredRun	run;
	BudgetOrphan reservation = {orphan->tenant, SpanOfCString(orphan->trace_id)};
	PlanPrice	charged;
	BudgetRecovery recovery;
	bool		is_expired;
	CourseStep	step;

	/* takes the lock of the trace */
	recovery = BudgetRecover(&reservation, kernel->now, &charged);
	if (recovery == BUDGET_EXECUTED ||
		!RunFind(orphan->tenant, orphan->trace_id, true, &run) || run.status == RUN_DONE)
		return false;
	is_expired = run.status == RUN_PENDING;
	kernel->is_recovering = true;
	Load(kernel, &run);
	/* every execution that others see has a reservation, unless somebody deleted it */
	if (recovery == BUDGET_GONE)
		charged = kernel->course.used;
	if (!CourseNext(&kernel->course, &step))
		step.node = -1;
	RecordRecovery(kernel, &charged, is_expired ? "the plan has waited too long for an answer" :
				   "the session that executed the plan has ended");
	CourseStop(&kernel->course, PLAN_FAILED, is_expired ? "expired" : "recovered",
			   is_expired ? "the plan has waited too long for an answer" :
			   "the session that executed the plan has ended", step.node);
	(void) Mint(kernel);
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
	TakeKey(&kernel);
	recovery->is_ended = EndOrphan(&kernel, recovery->orphan);
	PopActiveSnapshot();
	MemoryContextSwitchTo(kernel.caller);
	MemoryContextDelete(kernel.context);
}

/* Is it an error of what is stored of one execution, which others need not wait for? */
static bool
IsOfOneOrphan(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_DATA_CORRUPTED || error->sqlerrcode == ERRCODE_PROGRAM_LIMIT_EXCEEDED ||
		error->sqlerrcode == ERRCODE_STATEMENT_TOO_COMPLEX;
}

/* One whose rows somebody has changed is told of, and keeps nobody from ending the others. */
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

/* Settles executions that are over, or whose row somebody deleted, and whose session ended before it could. */
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
 * Ends what nobody executes any more, of these tenants (text[]): charges the step
 * that was in flight, and mints the document.  How many there were.
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

static Jsonb *
JsonbArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	RequireArgument(fcinfo, n, name);
	LimitArgument(fcinfo, n, DOCUMENT_MAX_SIZE, name);
	return PG_GETARG_JSONB_P(n);
}

/* answer_plan_execute(request) */
PG_FUNCTION_INFO_V1(answer_eval_plan_execute);
Datum
answer_eval_plan_execute(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(KernelExecute(JsonbArgument(fcinfo, 0, "request"), false));
}

/* answer_plan_explain(request) */
PG_FUNCTION_INFO_V1(answer_eval_plan_explain);
Datum
answer_eval_plan_explain(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(KernelExplain(JsonbArgument(fcinfo, 0, "request")));
}

/* answer_plan_resume(trace_id, results) */
PG_FUNCTION_INFO_V1(answer_eval_plan_resume);
Datum
answer_eval_plan_resume(PG_FUNCTION_ARGS)
{
	RequireArgument(fcinfo, 0, "trace_id");
	PG_RETURN_JSONB_P(KernelResume(TextArgument(fcinfo, 0), JsonbArgument(fcinfo, 1, "results"), false));
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

/*
 * procedures
 */

/* A procedure that commits can do so nowhere but at the top. */
static void
RequireTop(FunctionCallInfo fcinfo, const char *procedure, const char *function)
{
	if (fcinfo->context && IsA(fcinfo->context, CallContext) && !((CallContext *) fcinfo->context)->atomic)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
			 errmsg("%s() commits each step, and cannot run within a transaction", procedure),
			 errhint("Call it outside of a transaction block and of functions, or use %s(), which does it all in the caller's transaction.",
					 function)));
}

/* The row that a procedure with one INOUT argument returns. */
static Datum
ProcedureResult(Jsonb *result)
{
	TupleDesc	desc = CreateTemplateTupleDesc(1);
	Datum		value = JsonbPGetDatum(result);
	bool		isnull = false;

	TupleDescInitEntry(desc, 1, "result", JSONBOID, -1, 0);
	desc = BlessTupleDesc(desc);
	return HeapTupleGetDatum(heap_form_tuple(desc, &value, &isnull));
}

/*
 * A copy of an argument that lasts, for what the caller's snapshot shows of it is
 * gone with the first commit.
 */
static Jsonb *
LastingArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	RequireArgument(fcinfo, n, name);
	LimitArgument(fcinfo, n, DOCUMENT_MAX_SIZE, name);
	return PG_GETARG_JSONB_P_COPY(n);
}

/* CALL answer_plan_run(request, result) */
PG_FUNCTION_INFO_V1(answer_eval_plan_run);
Datum
answer_eval_plan_run(PG_FUNCTION_ARGS)
{
	RequireTop(fcinfo, "answer_plan_run", "answer_plan_execute");
	return ProcedureResult(KernelExecute(LastingArgument(fcinfo, 0, "request"), true));
}

/* CALL answer_plan_resume(trace_id, results, result) */
PG_FUNCTION_INFO_V1(answer_eval_plan_resume_run);
Datum
answer_eval_plan_resume_run(PG_FUNCTION_ARGS)
{
	RequireTop(fcinfo, "answer_plan_resume", "answer_plan_resume");
	RequireArgument(fcinfo, 0, "trace_id");
	return ProcedureResult(KernelResume(TextArgument(fcinfo, 0), LastingArgument(fcinfo, 1, "results"), true));
}
