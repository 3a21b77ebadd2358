/*-------------------------------------------------------------------------
 *
 * plan_request.c
 *		Reads the request of a plan, and finds registered plans and their tools.
 *
 * Reading a request is pure; finding what it names is not.  Manual: doc/plan.md,
 * "Registered plans".
 *
 * Each version of a registered plan is named by its digest.  A ref is the digest of a
 * version, or a plan_id, which means the newest version.  Digests are looked up first,
 * so nobody can register a plan under the digest of another.  A shared plan takes
 * precedence over a tenant's own, as with tools.
 *
 * Promises: the plan of a tenant uses only that tenant's tools and shared ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/option.h"
#include "base/settings.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "judge/judgement.h"
#include "plan/condition.h"
#include "plan/plan_request.h"
#include "plan/trace.h"

/* Maximum bytes of the canonical form of a registered plan. */
#define PLAN_MAX_SIZE		4194304

/*
 * reading
 */

static bool
KnowsKeys(const JsonView *object, const char *where, const char *const *keys, const char **problem)
{
	Span		unknown;
	JsonView	shown;
	StringInfoData list;

	if (HasOnlyKeys(object, keys, &unknown))
		return true;
	initStringInfo(&list);
	for (int i = 0; keys[i]; i++)
		appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", keys[i]);
	shown = JsonViewString(unknown.str, unknown.len);
	*problem = psprintf("%s has an unknown key %s; there are %s", where, ShownValue(&shown), list.data);
	return false;
}

/* Reads a text that is not empty, and has at most so many characters (0: any number). */
static bool
ReadRequestText(const JsonView *request, const char *key, int most, Span *text, const char **problem)
{
	JsonView	view;

	if (!JsonViewGetMember(request, key, &view))
		return true;
	*text = SpanOf(view.str, view.len);
	if (view.type == JVIEW_STRING && view.len > 0 && (most == 0 || SpanCharacters(*text) <= most))
		return true;
	*problem = most == 0 ?
		psprintf("request.%s must be a string that is not empty, and is %s", key, ShownValue(&view)) :
		psprintf("request.%s must be a string of 1 to %d characters, and is %s", key, most, ShownValue(&view));
	return false;
}

/* Reads a plan, or {"ref": id}. */
static bool
ReadPlan(const JsonView *request, PlanRequest *read, const char **problem)
{
	static const char *const keys[] = {"ref", NULL};
	JsonView	view = JsonViewUnder(request, "plan");
	JsonView	ref;

	if (view.type != JVIEW_OBJECT)
	{
		*problem = psprintf("request.plan must be a plan or {\"ref\": plan_id}, and is %s", ShownValue(&view));
		return false;
	}
	if (!JsonViewGetMember(&view, "ref", &ref))
	{
		read->plan = view;
		return true;
	}
	if (ref.type != JVIEW_STRING || ref.len == 0)
	{
		*problem = psprintf("request.plan.ref must be a plan_id or the digest of a plan, and is %s", ShownValue(&ref));
		return false;
	}
	read->ref = SpanOf(ref.str, ref.len);
	return KnowsKeys(&view, "request.plan with a ref", keys, problem);
}

static bool
ReadBudgets(const JsonView *request, PlanRequest *read, const char **problem)
{
	static const char *const keys[] = {"latency_budget_ms", "cost_cap_usd", NULL};
	Numeric    *amounts[] = {&read->latency_budget, &read->cost_cap};
	JsonView	budgets;
	JsonView	view;

	if (!JsonViewGetMember(request, "budgets", &budgets))
		return true;
	if (budgets.type != JVIEW_OBJECT)
	{
		*problem = psprintf("request.budgets must be an object, and is %s", ShownValue(&budgets));
		return false;
	}
	for (int i = 0; keys[i]; i++)
	{
		if (!JsonViewGetMember(&budgets, keys[i], &view) || AmountOfView(&view, amounts[i]))
			continue;
		*problem = psprintf("request.budgets.%s must be a number of 0 or more, and is %s", keys[i], ShownValue(&view));
		return false;
	}
	return KnowsKeys(&budgets, "request.budgets", keys, problem);
}

/* Reads the variables; an empty object if there are none. */
static bool
ReadVars(const JsonView *request, PlanRequest *read, const char **problem)
{
	if (!JsonViewGetMember(request, "vars", &read->vars))
		read->vars = JsonViewNewObject(0);
	if (read->vars.type == JVIEW_OBJECT)
		return true;
	*problem = psprintf("request.vars must be an object, and is %s", ShownValue(&read->vars));
	return false;
}

/* Reads judgements of the caller. Whether it may give them is checked where they are used. */
static bool
ReadJudgements(const JsonView *request, PlanRequest *read, const char **problem)
{
	const char *malformed;

	if (!JsonViewGetMember(request, "judgements", &read->judgements) ||
		JudgementsParse(&read->judgements, &malformed) != NULL)
		return true;
	*problem = psprintf("request.%s", malformed);
	return false;
}

/* Reads which latencies count: measured ones, unless it says "declared". */
static bool
ReadBasis(const JsonView *request, PlanRequest *read, const char **problem)
{
	JsonView	view;

	if (!JsonViewGetMember(request, "basis", &view))
		return true;
	read->wants_declared = JsonViewStringIs(&view, BASIS_DECLARED);
	if (!read->wants_declared)
		*problem = psprintf("request.basis must be \"" BASIS_DECLARED "\", or left out for what was measured, and is %s",
							ShownValue(&view));
	return read->wants_declared;
}

/* Reads the id for the trace. */
static bool
ReadTraceId(const JsonView *request, PlanRequest *read, const char **problem)
{
	JsonView	view;

	if (!JsonViewGetMember(request, "trace_id", &view))
		return true;
	read->trace_id = SpanOf(view.str, view.len);
	if (view.type == JVIEW_STRING && IsTraceId(read->trace_id))
		return true;
	*problem = psprintf("request.trace_id must be \"t_\" and 32 hex digits in lower case, and is %s", ShownValue(&view));
	return false;
}

/*
 * Reads a request.  If it is malformed, returns false and sets *problem, one
 * sentence in ASCII that names the member.
 */
static bool
PlanRequestParse(const JsonView *view, PlanRequest *request, const char **problem)
{
	static const char *const keys[] = {"plan", "vars", "budgets", "intent", "tenant", "request_id", "trace_id", "judgements", "basis", NULL};

	memset(request, 0, sizeof(*request));
	if (view->type != JVIEW_OBJECT)
	{
		*problem = psprintf("the request must be an object, and is %s", ShownValue(view));
		return false;
	}
	return KnowsKeys(view, "the request", keys, problem) &&
		ReadPlan(view, request, problem) &&
		ReadVars(view, request, problem) &&
		ReadBudgets(view, request, problem) &&
		ReadJudgements(view, request, problem) &&
		ReadBasis(view, request, problem) &&
		ReadRequestText(view, "intent", 0, &request->intent, problem) &&
		ReadRequestText(view, "tenant", 0, &request->tenant, problem) &&
		ReadRequestText(view, "request_id", PLAN_REQUEST_ID_LENGTH, &request->request_id, problem) &&
		ReadTraceId(view, request, problem);
}

void
PlanRequestRead(const JsonView *view, PlanRequest *request)
{
	const char *problem;

	if (!PlanRequestParse(view, request, &problem))
		MalformedArgument(problem, NULL);
}

void
PlanRequestLimits(const PlanRequest *request, const PlanIr *plan, PlanLimits *limits)
{
	limits->cost = NumberLeast(limits->cost, NumberLeast(request->cost_cap, plan->cost_cap));
	limits->latency = NumberLeast(limits->latency, NumberLeast(request->latency_budget, plan->latency_budget));
}

/*
 * finding
 */

/* Takes a plan from the first row, with who registered it. */
static void
TakePlan(const QueryRows *rows, JsonView *plan, char **registered_by)
{
	JsonViewOfJsonb(ColumnJsonb(rows->table, 0, 1), plan);
	*registered_by = ColumnName(rows->table, 0, 2);
	if (*registered_by == NULL)
		*registered_by = pstrdup("");
}

/* Finds the newest version of a shared plan by its id. */
static bool
FindNewest(Span plan_id, JsonView *plan, char **registered_by)
{
	static FixedQuery query = {
		.text = "SELECT p.plan, p.registered_by FROM answer.plan p WHERE p.tenant OPERATOR(pg_catalog.=) ''"
		" AND p.plan_id OPERATOR(pg_catalog.=) $1 ORDER BY p.version DESC LIMIT 1",
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(plan_id);
	bool		is_found;
	QueryRows	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);

	is_found = rows.count > 0;
	if (is_found)
		TakePlan(&rows, plan, registered_by);
	QueryFree(&rows);
	return is_found;
}

static _Noreturn void
RaiseUnknownPlan(Span ref)
{
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("unknown plan \"%s\"", TextDatumGetCString(SpanDatum(ref))),
			 errhint("answer_plan_register() registers one; answer.tenant_plan lists those that are.")));
}

static JsonView
RegisteredPlan(const text *tenant, Span ref, char **registered_by)
{
	static FixedQuery query = {
		.text = "SELECT p.plan, p.registered_by FROM answer.plan p"
		" WHERE p.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $1])"
		" AND (p.digest OPERATOR(pg_catalog.=) $2 OR p.plan_id OPERATOR(pg_catalog.=) $2)"
		" ORDER BY p.digest OPERATOR(pg_catalog.=) $2 DESC, p.tenant, p.version DESC"
		" LIMIT 1",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(ref)};
	JsonView	plan;
	QueryRows	rows;

	/* for a request without a tenant, one index probe finds the plan */
	if (VARSIZE_ANY_EXHDR(tenant) == 0 && !IsDigestText(ref.str, ref.len) && FindNewest(ref, &plan, registered_by))
		return plan;
	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	if (rows.count == 0)
		RaiseUnknownPlan(ref);
	TakePlan(&rows, &plan, registered_by);
	QueryFree(&rows);
	return plan;
}

JsonView
PlanRequestPlan(const text *tenant, const PlanRequest *request, char *digest, char **registered_by)
{
	JsonView	plan = request->plan;

	*registered_by = NULL;
	if (plan.type == JVIEW_ABSENT)
		plan = RegisteredPlan(tenant, request->ref, registered_by);
	else
		plan = PortableCopy(&plan);
	CanonicalDigest(&plan, NULL, digest);
	return plan;
}

/* Adds a name if it is new. */
static void
AddName(Span *names, int *count, Span name)
{
	if (!SpanIsIn(name, names, *count))
		names[(*count)++] = name;
}

/* Adds the tool that a node names, or the default of its op. Returns false if it asks for a capability. */
static bool
AddToolOfNode(const JsonView *node, Span *names, int *count)
{
	JsonView	view;

	if (node->type != JVIEW_OBJECT)
		return true;
	if (JsonViewGetMember(node, "capability", &view))
		return false;
	if (JsonViewGetMember(node, "tool", &view))
	{
		if (view.type == JVIEW_STRING)
			AddName(names, count, SpanOf(view.str, view.len));
		return true;
	}
	JsonViewGetMember(node, "op", &view);
	if (JsonViewStringIs(&view, plan_op_labels[PLAN_VERIFY]))
		AddName(names, count, SpanOfCString(TOOL_VERIFY));
	else if (JsonViewStringIs(&view, plan_op_labels[PLAN_MEM_READ]) ||
			 JsonViewStringIs(&view, plan_op_labels[PLAN_MEM_WRITE]))
		AddName(names, count, SpanOfCString(TOOL_MEMORY));
	return true;
}

/*
 * Returns the names of the tools of a plan that may not be valid.  Returns NULL if
 * the plan may call other tools, too, or is too large.
 */
static Span *
ToolNames(const JsonView *plan, int *count)
{
	JsonView	nodes = JsonViewUnder(plan, "nodes");
	JsonView	node;
	Span	   *names = palloc(sizeof(Span) * PLAN_MAX_NODES);

	*count = 0;
	if (nodes.type != JVIEW_ARRAY)
		return names;
	if (JsonViewCount(&nodes) > PLAN_MAX_NODES)
		return NULL;
	for (int i = 0; i < JsonViewCount(&nodes); i++)
	{
		JsonViewElement(&nodes, i, &node);
		if (!AddToolOfNode(&node, names, count))
			return NULL;
	}
	return names;
}

/* Does the same by names alone. */
static JsonView
SpecsByName(const text *tenant, const Span *names, PlanNamedTools *named)
{
	JsonView	specs = JsonViewNewObject(named->count);

	named->tools = palloc(sizeof(Tool) * (Size) Max(named->count, 1));
	for (int i = 0; i < named->count; i++)
		named->tools[i].name = names[i];
	if (named->count > 0)
		ToolsFindToCall(tenant, named->tools, named->count);
	for (int i = 0; i < named->count; i++)
	{
		if (named->tools[i].registered && named->tools[i].spec.type == JVIEW_OBJECT)
			JsonViewSetKey(&specs, names[i].str, names[i].len, named->tools[i].spec);
	}
	return specs;
}

JsonView
PlanSpecs(const text *tenant, const JsonView *plan, PlanNamedTools *named)
{
	static FixedQuery query = {
		.text = "SELECT answer.plan_tools($1, $2)",
		.argtypes = {TEXTOID, JSONBOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant)};
	PlanNamedTools unwanted;
	JsonView	specs;
	Span	   *names;
	QueryRows	rows;

	named = named ? named : &unwanted;
	memset(named, 0, sizeof(*named));
	names = ToolNames(plan, &named->count);
	if (names)
		return SpecsByName(tenant, names, named);
	named->count = 0;
	values[1] = JsonbPGetDatum(JsonViewToJsonb(plan, false));
	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), &specs);
	QueryFree(&rows);
	return specs;
}

text *
PlanRequestTenant(const PlanRequest *request)
{
	text	   *tenant;
	int			level;

	if (request->tenant.len == 0)
		return CurrentTenant();
	level = NewGUCNestLevel();
	(void) set_config_option(TENANT_SETTING, TextDatumGetCString(SpanDatum(request->tenant)),
							 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	tenant = CurrentTenant();
	AtEOXact_GUC(false, level);
	return tenant;
}

/*
 * SQL
 */

static PlanIr *
RequirePlan(const text *tenant, const JsonView *view)
{
	JsonView	specs = PlanSpecs(tenant, view, NULL);
	PlanProblems problems;
	PlanIr	   *plan = PlanParse(view, PlanToolsOfSpecs(&specs), &problems);

	if (plan == NULL)
		PlanRaise(&problems);
	return plan;
}

/* answer_plan_validate(plan) */
PG_FUNCTION_INFO_V1(answer_eval_plan_validate);
Datum
answer_eval_plan_validate(PG_FUNCTION_ARGS)
{
	JsonView	view;
	JsonView	specs;
	PlanProblems problems;

	RequireArgument(fcinfo, 0, "plan");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "plan");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	specs = PlanSpecs(CurrentTenant(), &view, NULL);
	(void) PlanParse(&view, PlanToolsOfSpecs(&specs), &problems);
	PlanProblemsReturn(fcinfo, &problems);
	SPI_finish();
	return (Datum) 0;
}

/* Stores a valid plan. */
static void
StorePlan(const text *tenant, const PlanIr *plan, Datum digest)
{
	static FixedQuery query = {
		.text = "SELECT answer.plan_put($1, $2, $3, $4, $5)",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID}
	};
	Datum		values[5] = {PointerGetDatum(tenant), SpanDatum(plan->plan_id), digest};
	QueryRows	rows;

	values[3] = JsonbPGetDatum(JsonViewToJsonb(&plan->view, true));
	values[4] = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	rows = QueryRunAsOwner(&query, values, NULL, false, 1);
	QueryFree(&rows);
}

static void
LimitPlan(const JsonView *view)
{
	Size		size = CanonicalSize(view);

	if (size > PLAN_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("plan is too large to be registered"),
				 errdetail("Its canonical form has %zu bytes; the most are %d.", size, PLAN_MAX_SIZE),
				 errhint("Let requests bring large values among their variables.")));
}

/* answer_plan_register(plan) */
PG_FUNCTION_INFO_V1(answer_eval_plan_register);
Datum
answer_eval_plan_register(PG_FUNCTION_ARGS)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	const text *tenant;
	JsonView	view;
	text	   *result;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	RequireArgument(fcinfo, 0, "plan");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "plan");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	view = PortableCopy(&view);
	LimitPlan(&view);
	CanonicalDigest(&view, NULL, digest);
	result = cstring_to_text(digest);
	SPI_connect();
	tenant = CurrentTenant();
	StorePlan(tenant, RequirePlan(tenant, &view), PointerGetDatum(result));
	SPI_finish();
	PG_RETURN_TEXT_P(result);
}

/* Does a condition depend only on the variables of the request? */
static bool
IsKnown(const PlanNode *node)
{
	for (int i = 0; i < node->nreads; i++)
	{
		if (!SpanEqualCString(node->reads[i].name, "INPUT"))
			return false;
	}
	return true;
}

/* Returns the conditions, with result and values for those that can be evaluated before execution. */
JsonView
PlanConditionsView(const PlanIr *plan, const JsonView *vars)
{
	JsonView	conditions = JsonViewNewObject(4);
	JsonView	bindings = JsonViewNewObject(1);

	JsonViewSet(&bindings, "INPUT", vars->type == JVIEW_OBJECT ? *vars : JsonViewNewObject(0));
	for (int i = 0; i < plan->nnodes; i++)
	{
		const PlanNode *node = &plan->nodes[i];
		JsonView	entry = JsonViewNewObject(4);
		JsonView	seen;
		ConditionResult result;

		CHECK_FOR_INTERRUPTS();
		if (node->op != PLAN_ASSERT && node->op != PLAN_BRANCH)
			continue;
		JsonViewSet(&entry, "if", JsonViewString(node->condition_text.str, node->condition_text.len));
		if (IsKnown(node))
		{
			seen = ConditionBindings(node->condition, &bindings);
			ConditionEvaluate(node->condition, &seen, true, &result);
			JsonViewSet(&entry, "bindings", seen);
			JsonViewSet(&entry, "holds", result.outcome == CONDITION_ERROR ? JsonViewNull() :
						JsonViewBool(result.outcome == CONDITION_HOLDS));
			if (result.reason)
				JsonViewSet(&entry, "reason", JsonViewCString(result.reason));
		}
		JsonViewSetKey(&conditions, node->id.str, node->id.len, entry);
	}
	return conditions;
}
