/*-------------------------------------------------------------------------
 *
 * execute.c
 *		Starting plans, in both forms, and explaining how one would be executed.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.  What each step is called with, and
 * what follows from it, is for course.c to say.
 *
 * The way of answer_plan_execute(), which this file has from its end to its top:
 *
 *	KernelExecute	reads the request
 *	Start			gives an answer that there is already, or enters the execution,
 *					and reserves what it is predicted to cost
 *	KernelGo		takes steps until there are no more, or one waits for the application;
 *					mints the document, and settles (kernel_end.c)
 *	KernelGoStep	takes the step that CourseNext has named: makes its calls, signs its
 *					event; CourseAdvance says what follows (kernel_step.c)
 *	PlanInvoke		makes one call, and holds the tool to its spec (invoke.c); the call runs
 *					in a subtransaction (evidence/call.c) until it comes back or its time
 *					is over (CallContained of base/deadline.c)
 *
 * Promises: the instant that decisions go by is that of the start; explaining calls,
 * charges and stores nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/settings.h"
#include "base/subtransaction.h"
#include "evidence/bound_function.h"
#include "ground/current_rules.h"
#include "ground/receipt_cache.h"
#include "judge/given_judgement.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/execute.h"
#include "plan/freshness.h"
#include "plan/invoke.h"
#include "plan/kernel.h"
#include "plan/kernel_end.h"
#include "plan/kernel_step.h"
#include "plan/measure.h"
#include "plan/memory.h"
#include "plan/plan_cache.h"
#include "plan/plan_locks.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/schedule.h"
#include "plan/stored_run.h"
#include "plan/trace.h"

/*
 * the request
 */

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
	KernelCharge(kernel, price);
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

/* Takes the budget, and what of it the plan is predicted to need. */
static void
TakeBudget(Kernel *kernel, const PlanRequest *request)
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
		return KernelResultInCaller(kernel, &view);
	}
	document = RunDocument(run, &is_here);
	if (document == NULL)
		RefuseGone(request, run, is_here);
	return KernelCopyInCaller(kernel, document);
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

/*
 * executing
 */

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
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, kernel->pinning, &kernel->document, &kernel->course);
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
		KernelCommit(kernel);
	}
	return KernelGo(kernel);
}

/*
 * Executes the plan of a request.  The result, in the caller's memory, is its
 * document, or, where a step waits for the application, what it waits for.
 * With "commits" the transaction is committed after each step, which a procedure
 * alone may do.
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
	/* in portable form, as its document has it */
	view = PortableCopy(&view);
	PlanRequestRead(&view, &request);
	/* before anything else runs: the role in force here is who asks */
	if (commits)
		PushActiveSnapshot(GetTransactionSnapshot());
	kernel.trace.tenant = PlanRequestTenant(&request);
	if (commits)
		PopActiveSnapshot();
	KernelTransactionBegin(&kernel);
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
		PlanCacheKeyMake(&kernel->cache_key, kernel->trace.tenant, kernel->pinning, &kernel->document, &kernel->course);
		is_cached = kernel->cache_key.life > 0 &&
			CacheHas(kernel->trace.tenant, kernel->cache_key.digest, kernel->document.evaluated_at);
	}
	MeasureTools(kernel, request);
	PlanRequestLimits(request, kernel->course.plan, &kernel->document.limits);
	BudgetLook(kernel->trace.tenant, kernel->document.evaluated_at, &kernel->document.limits);
	Forecast(kernel);
	explained = ExplainView(kernel, is_cached);
	return KernelResultInCaller(kernel, &explained);
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
	kernel.pinning = CurrentPinning();
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
	result = Explain(&kernel, &view, &request);
	AtEOXact_GUC(false, kernel.settings);
	SPI_finish();
	return result;
}

/*
 * SQL
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

/* answer_plan_explain(request) */
PG_FUNCTION_INFO_V1(answer_eval_plan_explain);
Datum
answer_eval_plan_explain(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(KernelExplain(KernelJsonbArgument(fcinfo, 0, "request")));
}

/* CALL answer_plan_run(request, result) */
PG_FUNCTION_INFO_V1(answer_eval_plan_run);
Datum
answer_eval_plan_run(PG_FUNCTION_ARGS)
{
	KernelRequireTop(fcinfo, "answer_plan_run", "answer_plan_execute");
	return KernelProcedureResult(KernelExecute(KernelLastingArgument(fcinfo, 0, "request"), CurrentPinning(), true));
}
