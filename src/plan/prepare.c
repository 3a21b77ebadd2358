/*-------------------------------------------------------------------------
 *
 * prepare.c
 *		Prepares an execution: reads the request, the plan and the tools that it
 *		names, and reserves the budget.
 *
 * Rule: doc/spec/plan.md §7 to §9.  Stateful.
 *
 * Promises: nothing is called.  A plan that cannot be executed is refused before
 * anything is stored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/limits.h"
#include "base/settings.h"
#include "evidence/bound_function.h"
#include "ground/current_rules.h"
#include "judge/given_judgement.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/freshness.h"
#include "plan/invoke.h"
#include "plan/kernel.h"
#include "plan/kernel_step.h"
#include "plan/measure.h"
#include "plan/memory.h"
#include "plan/plan_cache.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/prepare.h"
#include "plan/trace.h"

/*
 * the request
 */

/* Is an intent in answer_eval.regulated_intents? */
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

/* Returns the thresholds of the active configuration. */
static EvidencePolicy
ActivePolicy(const text *tenant, const Pinning *pinning, const JsonView *vars, Span intent)
{
	EvidencePolicy policy;
	DecisionConfig config;
	Span		question;

	EvidencePolicyDefaults(&policy);
	CurrentDecisionConfig(tenant, pinning, QuestionOfVars(vars, &question) ? &question : NULL, &config);
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

/* Returns the specs of the tools that the nodes call, and no others. */
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

/* Refuses, before anything is done, a plan that is too deep for a document. */
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

/* Returns who registered each tool, and whether it belongs to the operator. */
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
void
KernelReadRequest(Kernel *kernel, const JsonView *view, const PlanRequest *request)
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
	policy = ActivePolicy(kernel->trace.tenant, kernel->pinning, &document->vars, document->intent);
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
	/* a caller that may not report judgements of a judge is refused before anything is done */
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
	KernelFindTools(kernel, &named);
	document->terms.tools = ToolsByRegistrar(kernel);
	kernel->course.terms = document->terms;
}

/*
 * the budget
 */

static void
StopBusy(Kernel *kernel)
{
	CourseStop(&kernel->course, PLAN_REFUSED, "budget_busy", "others hold the budget, and lock_timeout passed", -1);
}

/* Returns the memory key of a node, if it is known before execution. */
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

/* May the caller read memory? A summary from memory needs the same right. */
static bool
MayReadMemory(const SpecifiedTool *tool)
{
	Oid			handler = BoundFunction(tool->tool.handler, tool->tool.handler_owner, JSONBOID);

	return CompatFunctionAclcheck(handler, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * If the budget is too small for the plan, an entry of memory under a key that the
 * plan names can replace it, at the price of reading it.
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

/* Answers from memory, and charges the predicted price. */
static void
AnswerFromMemory(Kernel *kernel)
{
	const PlanPrice *price = &kernel->course.forecast.predicted;

	BudgetStep(&kernel->budget, price);
	KernelCharge(kernel, price);
	if (!PlanSummarize(&kernel->course, &kernel->document.summary))
		elog(ERROR, "what is remembered cannot be summarized any more");
}

/* Finds the measured latencies of the plan's tools, unless the request wants the declared ones. */
void
KernelMeasureTools(Kernel *kernel, const PlanRequest *request)
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

/* Forecasts the plan within limits. If it does not fit, a summary from memory may. */
void
KernelForecast(Kernel *kernel)
{
	CourseForecast(&kernel->course, &kernel->document.limits);
	if (!kernel->course.forecast.is_refused)
		return;
	FindSummary(kernel, &kernel->document.limits);
	CourseForecast(&kernel->course, &kernel->document.limits);
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
		KernelRecord(kernel, &event);
	}
}

/* Takes the budget, and reserves what the plan is predicted to need. */
void
KernelTakeBudget(Kernel *kernel, const PlanRequest *request)
{
	Course	   *course = &kernel->course;
	PlanLimits	limits = {0};
	BudgetOutcome outcome;
	Span	   *names;
	int			count;

	names = KernelLimitedTools(kernel, &count);
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
	KernelForecast(kernel);
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
