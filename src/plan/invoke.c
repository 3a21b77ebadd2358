/*-------------------------------------------------------------------------
 *
 * invoke.c
 *		One call of a tool by a plan, under the constraints of the tool's spec.
 *
 * Stateful.  Rule: doc/spec/plan.md §6.
 *
 * A call proceeds in this order: the arguments are completed and checked, also
 * against input_tokens_max; deny_if is checked; a token is taken from the bucket; the
 * tool is called as for checks (evidence/call.c); the result is checked.  What stops
 * a call before it is made costs nothing.  A call that was made is charged the
 * declared cost, whatever its outcome, and the time that it took; that is at least
 * latency_p50_ms if too few calls of the tool were measured (measure.c).
 *
 * A check, a question or a fact that uses a tool with a spec is held to it in the
 * same way (SpecBefore, SpecAfter), so that nobody can bypass a spec.
 *
 * Promises: an error of a tool is returned as a value.  Only a query cancel, or an
 * error of the server itself, is raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "check/request.h"
#include "document/store.h"
#include "evidence/call.h"
#include "plan/ground_conf.h"
#include "plan/invoke.h"
#include "plan/measure.h"
#include "plan/origin.h"
#include "plan/reference.h"

/*
 * Maximum tokens of arguments, whatever the spec says, because their canonical form
 * is written and the portable form is larger.
 */
#define INVOKE_MAX_TOKENS	(WRITTEN_MAX_SIZE / 8)

const char *const step_outcome_labels[] = {
	"ok", "failed", "invalid", "denied", "rate_limited", "pending", "refused"
};

/*
 * the registry
 */

/* Reads a registered spec. It is malformed if somebody has changed it by hand. */
static void
ReadSpec(const Tool *tool, ToolSpec *spec)
{
	const char *problem;

	if (!ToolSpecParse(&tool->spec, tool->name, spec, &problem))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the spec of tool \"%s\" %s", TextDatumGetCString(SpanDatum(tool->name)), problem),
				 errdetail("It is not what answer_tool_register() took."),
				 errhint("Register the tool again with replace => true.")));
}

void
SpecifiedToolsFind(const text *tenant, const Span *names, int count, SpecifiedTool *tools)
{
	Tool	   *found = palloc(sizeof(Tool) * (Size) Max(count, 1));

	for (int i = 0; i < count; i++)
		found[i].name = names[i];
	if (count > 0)
		ToolsFindToCall(tenant, found, count);
	SpecifiedToolsOf(found, count, tools);
}

void
SpecifiedToolsOf(const Tool *found, int count, SpecifiedTool *tools)
{
	for (int i = 0; i < count; i++)
	{
		tools[i].tool = found[i];
		tools[i].tool.registered = found[i].registered && found[i].spec.type == JVIEW_OBJECT;
		if (tools[i].tool.registered)
			ReadSpec(&tools[i].tool, &tools[i].spec);
	}
}

void
SpecifiedToolRaise(const text *tenant, Span name)
{
	Tool		tool = {.name = name};

	ToolsFind(tenant, &tool, 1);
	if (!tool.registered)
		ToolRaiseUnknown(tenant, name);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("tool \"%s\" has no spec", TextDatumGetCString(SpanDatum(name))),
			 errhint("Register it with a spec; answer_fact() calls tools that have none.")));
}

void
PlanRefuseNested(void)
{
	if (ContainedCallIsUnderWay())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a tool cannot start a plan: plans do not nest"),
				 errhint("Make what the tool needs of it steps of its own plan.")));
}

Span
RoleName(const char *name)
{
	int			len = strlen(name);
	Span		role;
	char	   *hex;

	if (len == 0)
		return SpanOfCString(ORIGIN_UNKNOWN);
	if (IsReadable(name, len))
	{
		role.str = JsonServerToUtf8(name, len, &role.len);
		return role;
	}
	hex = palloc(2 * len + 1);
	HexEncode((const uint8 *) name, len, hex);
	return SpanOf(hex, 2 * len);
}

JsonView
RegistrarView(const Tool *tool)
{
	JsonView	view = JsonViewNewObject(2);
	Span		role = RoleName(tool->registered_by ? tool->registered_by : "");

	JsonViewSet(&view, "registered_by", tool->builtin ? JsonViewNull() : JsonViewString(role.str, role.len));
	JsonViewSet(&view, "shared", JsonViewBool(VARSIZE_ANY_EXHDR(tool->tenant) == 0));
	return view;
}

/*
 * before a call
 */

static void
SetFailure(CallFailure *failure, int sqlerrcode, const char *message)
{
	strlcpy(failure->sqlstate, unpack_sql_state(sqlerrcode), sizeof(failure->sqlstate));
	failure->message = pstrdup(message);
}

/* Completes and checks arguments. If the spec declares none, the registration does. */
static bool
CompleteArguments(const SpecifiedTool *tool, const JsonView *args, JsonView *completed, CallFailure *failure)
{
	Span		argument;
	const char *problem;

	if (ToolSpecArguments(&tool->spec, args, completed, &problem))
	{
		problem = tool->spec.input.type == JVIEW_OBJECT ? NULL :
			ToolArgumentProblem(&tool->tool, completed, &argument);
		if (problem == NULL)
			return true;
		problem = psprintf("argument %s: %s", ShownText(argument), problem);
	}
	SetFailure(failure, ERRCODE_INVALID_PARAMETER_VALUE, problem);
	return false;
}

/* Takes a token for a call in the transaction of its caller. */
static RateOutcome
TakeInTransaction(void *tenant, const SpecifiedTool *tool)
{
	return RateTake(tenant, tool->tool.name, tool->spec.rate_limit_qps, true);
}

static StepOutcome
TakeToken(const SpecifiedTool *tool, TokenTaker take_token, void *take_token_arg, CallFailure *failure)
{
	switch (take_token(take_token_arg, tool))
	{
		case RATE_TAKEN:
			return STEP_OK;
		case RATE_LIMITED:
			SetFailure(failure, ERRCODE_CONFIGURATION_LIMIT_EXCEEDED,
					   psprintf("the tool is called more than %s times a second (rate_limit_qps)",
								numeric_normalize(tool->spec.rate_limit_qps)));
			break;
		case RATE_BUSY:
			SetFailure(failure, ERRCODE_LOCK_NOT_AVAILABLE,
					   "others hold the rate limit of the tool, and lock_timeout passed");
			break;
	}
	return STEP_RATE_LIMITED;
}

/* Checks everything that can stop a call before it is made. Completes *args; *tokens is set to their length. */
static StepOutcome
MayCall(const SpecifiedTool *tool, JsonView *args, int64 *tokens, TokenTaker take_token,
		void *take_token_arg, CallFailure *failure)
{
	JsonView	completed;
	Span		word;

	if (!CompleteArguments(tool, args, &completed, failure))
		return STEP_INVALID;
	*args = completed;
	if (JsonViewIsDeeper(args, RAW_MAX_DEPTH))
	{
		SetFailure(failure, ERRCODE_STATEMENT_TOO_COMPLEX,
				   psprintf("the arguments are nested more than %d levels deep", RAW_MAX_DEPTH));
		return STEP_INVALID;
	}
	if (ToolSpecIsTooLong(&tool->spec, args, tokens) || *tokens > INVOKE_MAX_TOKENS)
	{
		bool		is_of_tool = tool->spec.has_input_tokens_max && tool->spec.input_tokens_max <= INVOKE_MAX_TOKENS;

		SetFailure(failure, ERRCODE_PROGRAM_LIMIT_EXCEEDED, is_of_tool ?
				   psprintf("the arguments have " INT64_FORMAT " tokens, and the tool takes at most " INT64_FORMAT " (input_tokens_max)",
							*tokens, tool->spec.input_tokens_max) :
				   psprintf("the arguments have " INT64_FORMAT " tokens, and a tool takes at most %d", *tokens, INVOKE_MAX_TOKENS));
		return STEP_INVALID;
	}
	if (ToolSpecDenies(&tool->spec, args, &word))
	{
		SetFailure(failure, ERRCODE_INSUFFICIENT_PRIVILEGE,
				   psprintf("the arguments contain %s, which the tool denies", ShownText(word)));
		return STEP_DENIED;
	}
	return tool->spec.rate_limit_qps && take_token ?
		TakeToken(tool, take_token, take_token_arg, failure) : STEP_OK;
}

/*
 * a call
 */

/* Checks the result, and sets what the call is charged. */
static void
TakeResult(const SpecifiedTool *tool, const JsonView *raw, Numeric latency, Invocation *invocation)
{
	const char *problem;

	invocation->was_called = true;
	invocation->cost = tool->spec.cost;
	invocation->latency = latency ? NumberMax(latency, tool->spec.latency) : tool->spec.latency;
	if (raw == NULL)
		invocation->outcome = STEP_FAILED;
	else if (ToolSpecResult(&tool->spec, raw, &invocation->result, &invocation->usage, &problem))
		invocation->outcome = STEP_OK;
	else
	{
		invocation->outcome = STEP_FAILED;
		invocation->result.type = JVIEW_ABSENT;
		SetFailure(&invocation->failure, ERRCODE_INVALID_PARAMETER_VALUE, problem);
	}
}

static void
CallTool(const SpecifiedTool *tool, const InvokeTerms *terms, Invocation *invocation)
{
	CallTerms	call_terms = {.evaluated_at = terms->evaluated_at, .deadline = terms->deadline,
		.deadline_ms = terms->deadline_ms, .tenant = terms->tenant, .commits = terms->commits};
	ToolCall	call = {.tool = &tool->tool, .args = &invocation->args};
	bool		came;
	instr_time	begun;
	instr_time	took;

	call_terms.now = invocation->started = GetCurrentTimestamp();
	INSTR_TIME_SET_CURRENT(begun);
	came = ToolCallRaw(&call, &call_terms);
	INSTR_TIME_SET_CURRENT(took);
	INSTR_TIME_SUBTRACT(took, begun);
	invocation->microseconds = (int64) INSTR_TIME_GET_MICROSEC(took);
	/* the clock can be set back */
	invocation->ended = Max(GetCurrentTimestamp(), invocation->started);
	invocation->failure = call.failure;
	TakeResult(tool, came ? &call.readings[0].raw : NULL,
			   int64_div_fast_to_numeric(invocation->microseconds, 3), invocation);
}

void
PlanInvoke(const SpecifiedTool *tool, const JsonView *args, const InvokeTerms *terms, Invocation *invocation)
{
	memset(invocation, 0, sizeof(*invocation));
	invocation->args = *args;
	invocation->started = invocation->ended = GetCurrentTimestamp();
	invocation->latency = invocation->cost = int64_to_numeric(0);
	invocation->outcome = MayCall(tool, &invocation->args, &invocation->usage.tokens_in,
								  terms->take_token, terms->take_token_arg, &invocation->failure);
	if (invocation->outcome != STEP_OK)
		return;
	if (tool->spec.is_external)
		invocation->outcome = STEP_PENDING;
	else
		CallTool(tool, terms, invocation);
}

void
PlanInvokeAnswered(const SpecifiedTool *tool, const JsonView *raw, Numeric latency, Invocation *invocation)
{
	bool		is_deep = JsonViewIsDeeper(raw, RAW_MAX_DEPTH);

	/* a result that is too deep is refused as if there were none */
	TakeResult(tool, is_deep ? NULL : raw, latency, invocation);
	if (is_deep)
		SetFailure(&invocation->failure, ERRCODE_STATEMENT_TOO_COMPLEX,
				   psprintf("result is nested more than %d levels deep", RAW_MAX_DEPTH));
}

/*
 * checks, questions and facts
 */

static SpecifiedTool
SpecifiedToolOf(const Tool *tool)
{
	SpecifiedTool specified = {.tool = *tool};

	ReadSpec(tool, &specified.spec);
	return specified;
}

bool
SpecBefore(const Tool *tool, JsonView *args, const CallTerms *terms, CallFailure *failure)
{
	SpecifiedTool specified = SpecifiedToolOf(tool);
	int64		tokens;

	return MayCall(&specified, args, &tokens, TakeInTransaction, unconstify(text *, terms->tenant), failure) == STEP_OK;
}

bool
SpecAfter(const Tool *tool, JsonView *raw, CallFailure *failure)
{
	SpecifiedTool specified = SpecifiedToolOf(tool);
	ToolUsage	usage;
	JsonView	result;
	const char *problem;

	if (ToolSpecResult(&specified.spec, raw, &result, &usage, &problem))
	{
		*raw = result;
		return true;
	}
	SetFailure(failure, ERRCODE_INVALID_PARAMETER_VALUE, problem);
	return false;
}

/*
 * SQL
 */

/* Finds one tool, or raises. */
static SpecifiedTool
RequireTool(const text *tenant, Span name)
{
	SpecifiedTool tool;

	SpecifiedToolsFind(tenant, &name, 1, &tool);
	if (!tool.tool.registered)
		SpecifiedToolRaise(tenant, name);
	return tool;
}

/* answer_tool_spec(name) */
PG_FUNCTION_INFO_V1(answer_eval_tool_spec);
Datum
answer_eval_tool_spec(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Span		name = Utf8OfText(PG_GETARG_TEXT_PP(0));
	const text *tenant;
	Tool		tool = {.name = name};
	Jsonb	   *result = NULL;

	SPI_connect();
	tenant = CurrentTenant();
	ToolsFind(tenant, &tool, 1);
	if (!tool.registered)
		ToolRaiseUnknown(tenant, name);
	if (tool.spec.type == JVIEW_OBJECT)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		result = JsonViewToJsonb(&tool.spec, false);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result);
}

/*
 * Refuses tools that act, inside the call of a tool, a grader or anything else that
 * a check may call: only a plan or a person may call them.  Refuses tools that the
 * application answers in every call.
 */
static void
RefuseInvocation(const SpecifiedTool *tool)
{
	char	   *name = TextDatumGetCString(SpanDatum(tool->tool.name));

	if (tool->spec.is_external)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" is external: the application answers in its place", name),
				 errhint("Make it a step of a plan, and answer that with answer_plan_resume().")));
	if (tool->spec.has_side_effects && ContainedCallIsUnderWay())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" has side effects, and a tool cannot call it", name),
				 errhint("Make it a step of a plan.")));
}

/*
 * Returns an evidence in a call's result with a new verdict: as in a plan, what it
 * states itself does not count.
 */
static JsonView
SettledEvidence(const Origin *origin, const JsonView *args, const JsonView *evidence)
{
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	JsonView	settled;
	const char *problem;

	CHECK_FOR_INTERRUPTS();
	EvidencePolicyDefaults(&policy);
	policy.is_regulated = JsonViewMemberIsTrue(args, "regulated");
	/* a malformed one was refused before, except in old memory */
	if (!EvidencePolicyRead(evidence, &policy, &problem) || !EvidenceJudge(evidence, &policy, &verdict, &problem))
		return evidence->type == JVIEW_OBJECT ? OriginOnEvidence(origin, evidence) : *evidence;
	settled = EvidenceSettle(evidence, &policy, &verdict);
	return OriginOnEvidence(origin, &settled);
}

/* Does the same for a value that is declared as evidence, or as an array of it. */
static JsonView
SettledEvidences(const Origin *origin, const JsonView *args, const JsonView *value)
{
	int			count = JsonViewCount(value);
	JsonView	told;

	if (value->type != JVIEW_ARRAY)
		return SettledEvidence(origin, args, value);
	told = JsonViewNewArray(Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(value, i);

		JsonViewAppend(&told, SettledEvidence(origin, args, &element));
	}
	return told;
}

/* Returns the result of a call with the caller's arguments, in which each Evidence states its origin. */
static JsonView
WithOrigins(const SpecifiedTool *tool, const JsonView *args, const JsonView *result)
{
	OriginTerms terms = {.are_known = true,.request = RoleName(GetUserNameFromId(GetUserId(), false))};
	JsonView	told;
	Origin		origin;

	if (result->type != JVIEW_OBJECT || tool->spec.output.type != JVIEW_OBJECT)
		return *result;
	terms.tools = JsonViewNewObject(1);
	JsonViewSetKey(&terms.tools, tool->tool.name.str, tool->tool.name.len, RegistrarView(&tool->tool));
	origin = OriginOfCalled(&terms, tool->tool.name, &tool->spec, args, result);
	told = *result;
	for (int i = 0; i < JsonViewCount(&tool->spec.output); i++)
	{
		JsonMember	property;
		JsonView	value;

		property.value = JsonViewMember(&tool->spec.output, i, &property.key);
		if ((PropertyIsOf(&property.value, "Evidence") || PropertyIsArrayOf(&property.value, "Evidence")) &&
			JsonViewGet(result, property.key.str, property.key.len, &value))
		{
			const char *name = pnstrdup(property.key.str, property.key.len);

			told = JsonViewCopyWithout(&told, &name, 1, 1);
			JsonViewSet(&told, name, SettledEvidences(&origin, args, &value));
		}
	}
	return told;
}

/*
 * If enough calls of the tool were measured before, sets the latency to what this
 * call took, instead of what the tool declares.  Stores the measurement, unless
 * another tool made the call, because that one is measured with everything it
 * calls.
 */
static void
MeasureInvocation(const SpecifiedTool *tool, const InvokeTerms *terms, Invocation *invocation)
{
	MeasuredCall call = {tool->tool.name, invocation->ended, invocation->microseconds};
	Measure		measure;

	if (!invocation->was_called)
		return;
	MeasuresFind(terms->tenant, &tool->tool.name, 1, terms->evaluated_at, &measure);
	if (measure.calls > 0)
		invocation->latency = int64_div_fast_to_numeric(invocation->microseconds, 3);
	if (!ContainedCallIsUnderWay())
		MeasuresKeep(terms->tenant, NULL, &call, 1);
}

static JsonView
InvocationView(const Invocation *invocation)
{
	JsonView	view = JsonViewNewObject(6);

	JsonViewSet(&view, "result", invocation->outcome == STEP_OK ? invocation->result : JsonViewNull());
	JsonViewSet(&view, "cost_usd", JsonViewOfNumeric(invocation->cost));
	JsonViewSet(&view, "latency_ms", JsonViewOfNumeric(invocation->latency));
	JsonViewSet(&view, "outcome", JsonViewCString(step_outcome_labels[invocation->outcome]));
	if (invocation->outcome != STEP_OK)
	{
		JsonViewSet(&view, "sqlstate", JsonViewCString(invocation->failure.sqlstate));
		JsonViewSet(&view, "reason", CallFailureMessage(&invocation->failure));
	}
	return view;
}

/* answer_tool_invoke(name, args) */
PG_FUNCTION_INFO_V1(answer_eval_tool_invoke);
Datum
answer_eval_tool_invoke(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	args;
	JsonView	view;
	SpecifiedTool tool;
	InvokeTerms terms = {.deadline_ms = REQUEST_DEFAULT_DEADLINE_MS, .take_token = TakeInTransaction};
	Invocation	invocation;

	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "args");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &args);
	if (args.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("args must be an object, and is %s", ShownValue(&args))));
	SPI_connect();
	terms.take_token_arg = CurrentTenant();
	terms.tenant = terms.take_token_arg;
	tool = RequireTool(terms.tenant, Utf8OfText(PG_GETARG_TEXT_PP(0)));
	RefuseInvocation(&tool);
	terms.evaluated_at = GetCurrentTimestamp();
	terms.deadline = TimestampTzPlusMilliseconds(terms.evaluated_at, terms.deadline_ms);
	PlanInvoke(&tool, &args, &terms, &invocation);
	MeasureInvocation(&tool, &terms, &invocation);
	if (invocation.outcome == STEP_OK)
		invocation.result = WithOrigins(&tool, &args, &invocation.result);
	view = InvocationView(&invocation);
	return FinishWithView(&view, false, caller);
}
