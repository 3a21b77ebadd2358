/*-------------------------------------------------------------------------
 *
 * kernel_step.c
 *		One step of a plan: makes its calls, charges them, and adds its event.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.  course.c decides how a step is called, and
 * what follows from it.  This module makes the calls (invoke.c), keeps them within
 * deadlines and limits, and pays for them (budget.c).
 *
 * Promises: no step is charged twice or lost; an error of a tool is the outcome of
 * its step, but a query cancel is raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/grow.h"
#include "base/numbers.h"
#include "base/settings.h"
#include "check/request.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/freshness.h"
#include "plan/invoke.h"
#include "plan/kernel.h"
#include "plan/kernel_step.h"
#include "plan/measure.h"
#include "plan/memory.h"
#include "plan/rate.h"
#include "plan/tokens.h"
#include "plan/trace.h"

/* A call gets what is left of the latency budget, but at least so many times its p50, and at least so long. */
#define DEADLINE_P50S		4
#define DEADLINE_LEAST_MS	1000

/* Maximum number of measured calls per plan. More would add no information about a tool. */
#define PLAN_MEASURED_CALLS	10000

/* Arguments and results of calls are kept until the plan ends: at most 32 MiB per step, 256 MiB in all. */
#define STEP_MAX_TOKENS		(32 * 1024 * 1024 / 4)
#define PLAN_MAX_TOKENS		(256 * 1024 * 1024 / 4)

/*
 * calling
 */

/* Takes a token. In the form that commits, tokens were taken before, in a transaction of their own. */
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

/* Calls a tool, with the kernel's permission for what memory may rest on. */
static void
Invoke(Kernel *kernel, const CourseStep *step, const JsonView *args, Invocation *invocation)
{
	const SpecifiedTool *tool = kernel->tools[step->node];
	InvokeTerms terms = {.tenant = kernel->trace.tenant,.evaluated_at = kernel->document.evaluated_at,
	.take_token = TakeToken,.take_token_arg = kernel,.commits = kernel->commits};
	MemoryGrant grant = {.trace_id = SpanOfCString(kernel->trace.id),.at = kernel->document.evaluated_at};

	terms.deadline_ms = DeadlineMs(kernel, step);
	terms.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), terms.deadline_ms);
	KernelEnforceTenant(kernel->trace.tenant);
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
	/* to a picosecond, because it is added up and signed */
	if (JsonViewGetMember(answer, "latency_ms", &latency) && AmountOfView(&latency, &took))
		took = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(took), Int32GetDatum(9)));
	PlanInvokeAnswered(kernel->tools[step->node], &raw, took, invocation);
}

/* Notes how long a tool's call took. Answers of the application are not measured by us. */
static void
MeasureCall(Kernel *kernel, const CourseStep *step, const Invocation *invocation)
{
	if (!invocation->was_called || kernel->ncalls == PLAN_MEASURED_CALLS)
		return;
	GROW_ARRAY(kernel->calls, kernel->ncalls, kernel->calls_capacity, 16);
	kernel->calls[kernel->ncalls++] = (MeasuredCall) {kernel->tools[step->node]->tool.name, invocation->ended,
		invocation->microseconds};
}

void
KernelStoreCalls(Kernel *kernel)
{
	MeasuresKeep(kernel->trace.tenant, &kernel->key, kernel->calls, kernel->ncalls);
	kernel->ncalls = 0;
}

/*
 * Adds the charge of a call: the degraded price, and the time that it took.  If too
 * few calls of the tool were measured before, the time is at least that of the
 * price.
 */
static void
AddCharge(const PlanTool *tool, const CourseStep *step, const Invocation *invocation, StepCalls *calls)
{
	Numeric		took;

	if (!invocation->was_called)
		return;
	calls->ncalled++;
	took = int64_div_fast_to_numeric(invocation->microseconds, 3);
	/* the application's answer states how long it took */
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

/* Did the gate refuse a memory write? That is not a failure. */
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

/* Is there room to keep a call's arguments or result until the plan ends? */
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

/* Makes one call of a step; false if no more are to be made. */
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
		/* as completed when the plan stopped here */
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
		/* if the tool did not count its tokens, count the settled result */
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

/* Makes the calls of a step, of which the first "paid" are reserved. */
void
KernelPerform(Kernel *kernel, CourseStep *step, int paid, BudgetOutcome unpaid, StepCalls *calls)
{
	bool		is_map = kernel->course.plan->nodes[step->node].op == PLAN_MAP;
	JsonView	results = JsonViewNewArray(Max(step->ncalls, 1));
	JsonView	inputs = JsonViewNewArray(Max(step->ncalls, 1));
	int			call = 0;

	memset(calls, 0, sizeof(*calls));
	calls->charged = NoPrice();
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

/* Reserves calls that were not predicted. Returns how many may be made; *outcome says why not all. */
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
	/* if not all fit, reserve one after the other */
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

/* In the form that commits: takes the tokens for a step's calls, before the transaction that makes them. */
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

void
KernelRecordStep(Kernel *kernel, const CourseStep *step, const StepCalls *calls)
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
	KernelRecord(kernel, &event);
}

void
KernelCharge(Kernel *kernel, const PlanPrice *charged)
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
 * Reserves a call in depth, for as many sources as the budget allows.  Returns
 * false if it allows none; then the step is over.
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

/* Executes one step. Returns false if it waits for the application. */
bool
KernelGoStep(Kernel *kernel, CourseStep *step)
{
	StepCalls	calls;
	BudgetOutcome unpaid;
	PlanPrice	price;
	int			paid;

	if (step->is_decided)
	{
		KernelRecordStep(kernel, step, NULL);
		CourseAdvance(&kernel->course, step);
		KernelCommit(kernel);
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
	KernelCommit(kernel);
	KernelPerform(kernel, step, paid, unpaid, &calls);
	if (calls.is_pending && step->kind == NULL)
	{
		WaitFor(kernel, step, &calls);
		return false;
	}
	KernelCharge(kernel, &calls.charged);
	KernelRecordStep(kernel, step, &calls);
	CourseAdvance(&kernel->course, step);
	return true;
}
