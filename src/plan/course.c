/*-------------------------------------------------------------------------
 *
 * course.c
 *		The course of a plan: how each step is called, and what follows from its
 *		result.
 *
 * Rule: doc/spec/plan.md §8, §10, §12, §13 and §15.
 *
 * Promises: pure; the same plan, variables and results give the same course, so a
 * replay of a document uses the same code.  Verdicts are computed here, for each
 * Evidence that a step returns or is given, and never taken from a tool.  A text
 * that rests on blocked evidence, or that cites what is not in its evidence, never
 * becomes a response, and is not remembered.  Origins are not taken from a tool
 * either: origin.c determines the origin of each value that a step binds, and
 * each Evidence states its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/grow.h"
#include "base/numbers.h"
#include "document/signed.h"
#include "plan/reference.h"
#include "plan/course.h"
#include "plan/marker.h"
#include "plan/synth_answer.h"
#include "plan/text_status.h"
#include "plan/trace.h"

static const char *const reported_name[] = {"reported"};

#define INVALID_EVIDENCE	"the evidence that it gave is invalid: %s"

const char *const plan_verdict_labels[] = {"answered", "blocked", "refused", "failed"};

/*
 * specs
 */

static bool
IsDeclared(const JsonView *properties, const char *name)
{
	JsonView	property;

	return properties->type == JVIEW_OBJECT && JsonViewGetMember(properties, name, &property);
}

/* Does the spec declare a text in the output, which can become the response? */
static bool
MakesText(const ToolSpec *spec)
{
	JsonView	property;

	return spec->output.type == JVIEW_OBJECT && JsonViewGetMember(&spec->output, "text", &property) &&
		PropertyIsOf(&property, "string");
}

/* Is any of these properties declared as evidence? */
static bool
DeclaresEvidence(const JsonView *properties)
{
	int			count = properties->type == JVIEW_OBJECT ? JsonViewCount(properties) : 0;

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	property = JsonViewMember(properties, i, &key);

		if (PropertyIsOf(&property, "Evidence") || PropertyIsArrayOf(&property, "Evidence"))
			return true;
	}
	return false;
}

/* Does the spec declare evidence in the output? */
static bool
MakesEvidence(const ToolSpec *spec)
{
	return DeclaresEvidence(&spec->output);
}

/*
 * beginning
 */

/* Reads the spec of each node's tool; nodes with the same tool share it. */
static void
ReadSpecs(Course *course)
{
	const PlanIr *plan = course->plan;

	course->spec = palloc0(sizeof(ToolSpec *) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		const PlanTool *tool = plan->nodes[i].tool;
		JsonView	view;
		const char *problem;

		if (tool == NULL)
			continue;
		for (int j = 0; j < i && course->spec[i] == NULL; j++)
		{
			if (plan->nodes[j].tool == tool)
				course->spec[i] = course->spec[j];
		}
		if (course->spec[i])
			continue;
		course->spec[i] = palloc0(sizeof(ToolSpec));
		(void) JsonViewGet(&course->specs, tool->name.str, tool->name.len, &view);
		/* specs were checked at registration, but one in a document may be malformed */
		if (!ToolSpecParse(&view, tool->name, course->spec[i], &problem))
			memset(course->spec[i], 0, sizeof(ToolSpec));
	}
}

const PlanProblems *
CourseBegin(Course *course, const JsonView *plan, const JsonView *specs, const JsonView *vars,
			const EvidencePolicy *policy, const OriginTerms *terms)
{
	PlanProblems *problems = palloc0(sizeof(PlanProblems));

	memset(course, 0, sizeof(*course));
	course->specs = *specs;
	course->vars = vars->type == JVIEW_OBJECT ? *vars : JsonViewNewObject(0);
	course->terms = *terms;
	course->plan = PlanParse(plan, PlanToolsOfSpecs(specs), problems);
	if (course->plan == NULL)
		return problems;
	ReadSpecs(course);
	course->policy = *policy;
	if (policy->freshness.are_known)
		PlanTakeK(course->plan, TOOL_SEARCH, policy->freshness.top_k);
	course->policy.is_regulated = policy->is_regulated || course->plan->is_regulated;
	EvidencePolicyFloor(&course->policy);
	course->is_bound = palloc0(sizeof(bool) * course->plan->nnodes);
	course->values = palloc0(sizeof(JsonView) * course->plan->nnodes);
	course->origins = palloc0(sizeof(Origin) * course->plan->nnodes);
	course->given = palloc0(sizeof(Origin *) * course->plan->nnodes);
	course->items = palloc0(sizeof(Origin *) * 2 * (Size) course->plan->nnodes);
	course->capacity = 8;
	course->evidences = palloc(sizeof(CourseEvidence *) * course->capacity);
	course->used = NoPrice();
	course->caveats = JsonViewNewArray(0);
	course->response = JsonViewNull();
	course->reason.node = -1;
	course->waiting = -1;
	return NULL;
}

void
CourseTakeClock(Course *course, TimestampTz evaluated_at, const DecisionRules *rules)
{
	FreshnessBegin(&course->scale, &course->policy.freshness, course->plan->risk, &course->vars, evaluated_at, rules);
}

/* Does a tool take or give evidence, or make a text that can be the response? Their results depend on rules. */
bool
CourseNeedsRules(const Course *course)
{
	for (int i = 0; i < course->plan->nnodes; i++)
	{
		const ToolSpec *spec = course->spec[i];

		if (spec && (MakesText(spec) || MakesEvidence(spec) || DeclaresEvidence(&spec->input)))
			return true;
	}
	return false;
}

void
CourseTakeRequest(Course *course, const JsonView *request)
{
	if (request->type == JVIEW_OBJECT)
		(void) JsonViewGetMember(request, "judgements", &course->judgements);
}

bool
CourseMeasure(Course *course, const JsonView *measured)
{
	course->measured = *measured;
	return measured->type == JVIEW_ABSENT || PlanMeasure(course->plan, measured);
}

const char *
CourseBasis(const Course *course, int node)
{
	const PlanTool *tool = course->plan->nodes[node].tool;

	return tool && course->measured.type == JVIEW_OBJECT ? BasisLabel(tool->measured != NULL) : NULL;
}

JsonView
CourseUsedView(const Course *course)
{
	JsonView	view = PriceView(&course->used);

	if (course->measured.type == JVIEW_OBJECT)
		JsonViewSet(&view, "basis", JsonViewCString(BasisLabel(PlanIsMeasured(course->plan))));
	return view;
}

void
CourseForecast(Course *course, const PlanLimits *limits)
{
	PlanForecastMake(course->plan, &course->vars, limits, &course->forecast);
	course->schedule = PlanScheduleBegin(course->plan, &course->forecast);
}

void
CourseStop(Course *course, PlanVerdict verdict, const char *kind, const char *message, int node)
{
	course->is_over = true;
	course->verdict = verdict;
	course->reason = (PlanReason) {kind, message, node};
	course->response = JsonViewNull();
}

static JsonView
With(const JsonView *object, const char *name, JsonView value)
{
	JsonView	copy = JsonViewCopyWithout(object, &name, 1, 1);

	JsonViewSet(&copy, name, value);
	return copy;
}

/* Adds a caveat. Documents from before origins were kept have only its sentence. */
static void
AddCaveat(Course *course, const char *code, const char *text)
{
	JsonView	caveat = JsonViewNewObject(2);

	JsonViewSet(&caveat, "code", JsonViewCString(code));
	JsonViewSet(&caveat, "text", JsonViewCString(text));
	JsonViewAppend(&course->caveats, course->terms.are_known ? caveat : JsonViewCString(text));
}

/*
 * origins
 */

/* Does a reference to a bound value refer to something with claims in it? */
static bool
MeansClaims(const Reference *reference, const JsonView *value)
{
	JsonView	bindings = JsonViewNewObject(1);
	JsonView	meant;

	JsonViewSetKey(&bindings, reference->name.str, reference->name.len, *value);
	return ReferenceResolve(reference, &bindings, &meant) && OriginHoldsClaims(&meant);
}

/* Returns the origin of a value that an earlier step bound. */
static Origin
OriginOfBound(const void *arg, const PlanNode *node, const Reference *reference, bool as_evidence)
{
	const Course *course = arg;
	int			binder = -1;

	for (int i = 0; i < node->nreads; i++)
	{
		const PlanRead *read = &node->reads[i];

		for (int j = 0; SpanEqual(read->name, reference->name) && j < read->nbinders; j++)
		{
			if (course->is_bound[read->binders[j]])
				binder = read->binders[j];
		}
	}
	if (binder < 0)
		return (Origin) {0};
	if (!as_evidence && MeansClaims(reference, &course->values[binder]))
		return OriginOfClaims(&course->terms, course->origins[binder]);
	return course->origins[binder];
}

/* Copies an origin into lasting memory. */
static const Origin *
KeptOrigin(Origin origin)
{
	Origin	   *kept = palloc(sizeof(Origin));

	*kept = origin;
	return kept;
}

/*
 * Does the same for every name that a node reads.  For the item of a map it returns
 * the origin of all items, which is computed once for all calls.
 */
static Origin
OriginOfName(const void *arg, const PlanNode *node, const Reference *reference, bool as_evidence)
{
	const Course *course = arg;
	const Origin **known = &course->items[2 * (node - course->plan->nodes) + as_evidence];
	JsonView	items;

	if (node->op != PLAN_MAP || !SpanEqualCString(reference->name, "item") || !JsonViewGetMember(&node->args, "items", &items))
		return OriginOfBound(arg, node, reference, as_evidence);
	if (*known == NULL)
		*known = KeptOrigin(OriginOfArgument(&course->terms, node, &items, as_evidence, OriginOfBound, course));
	return **known;
}

static Origin
OriginOfMember(const Course *course, const PlanNode *node, const char *name, int len, bool as_evidence)
{
	JsonView	value;

	if (!JsonViewGet(&node->args, name, len, &value))
		return (Origin) {0};
	return OriginOfArgument(&course->terms, node, &value, as_evidence, OriginOfName, course);
}

/* Returns the origin of a call's result; memory states one for each entry. */
static Origin
OriginOfCall(const Course *course, int node_number, const JsonView *result)
{
	const PlanNode *node = &course->plan->nodes[node_number];
	const Origin **known = &course->given[node_number];
	Origin		judged;

	if (!course->terms.are_known)
		return (Origin) {0};
	if (SpanEqualCString(node->tool->name, TOOL_MEMORY))
		return OriginOfMemory(result);
	/* the same for all calls of a map */
	if (*known == NULL)
		*known = KeptOrigin(OriginOfResult(&course->terms, node, course->spec[node_number], OriginOfName, course));
	judged = OriginOfJudgements(node->tool->name, result);
	return judged.count > 0 ? OriginOfBoth(*known, &judged) : **known;
}

/*
 * evidence
 */

/* Returns the Evidence of this trace that equals a value, or NULL. */
static const CourseEvidence *
FindEvidence(const Course *course, const JsonView *view)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (view->type != JVIEW_OBJECT || course->nevidences == 0)
		return NULL;
	CanonicalDigestPortable(view, digest);
	for (int i = course->nevidences - 1; i >= 0; i--)
	{
		if (strcmp(course->evidences[i]->digest, digest) == 0)
			return course->evidences[i];
	}
	return NULL;
}

static const CourseEvidence *
NewestEvidence(const Course *course)
{
	return course->nevidences > 0 ? course->evidences[course->nevidences - 1] : NULL;
}

static void
KeepEvidence(Course *course, const JsonView *view, const EvidenceVerdict *verdict, const Origin *origin,
			 const JsonView *args)
{
	CourseEvidence *evidence = palloc0(sizeof(CourseEvidence));

	evidence->view = *view;
	if (args->type == JVIEW_OBJECT)
		(void) JsonViewGetMember(args, "sources", &evidence->sources);
	evidence->verdict = *verdict;
	evidence->origin = *origin;
	CanonicalDigestPortable(view, evidence->digest);
	GROW_ARRAY(course->evidences, course->nevidences, course->capacity, 8);
	course->evidences[course->nevidences++] = evidence;
}

/* Returns an evidence with our verdict and origin, whatever it stated itself. */
static JsonView
EvidenceAsJudged(const Course *course, const JsonView *evidence, const EvidencePolicy *policy, const EvidenceVerdict *verdict,
	   const Origin *origin, bool has_judgements)
{
	static const char *const stated[] = {"judging", "judges", "judgements", "to_judge"};
	JsonView	settled = EvidenceSettle(evidence, policy, verdict);

	/* only ground.verify asks judges */
	if (!has_judgements)
		settled = JsonViewCopyWithout(&settled, stated, lengthof(stated), 0);

	return course->terms.are_known ? OriginOnEvidence(origin, &settled) : settled;
}

/* "conflict", "confidence", "stale_documents", "not_judged", or NULL */
static const char *
EvidenceBlockKind(const EvidenceVerdict *verdict)
{
	return verdict->blocked_by_conflict ? "conflict" : verdict->blocked_by_confidence ? "confidence" :
		verdict->blocked_stale ? STALE_CODE : verdict->blocked_unjudged ? NOT_JUDGED_CODE : NULL;
}

/* Judges an evidence by the thresholds and the clock of this plan. */
static bool
JudgeEvidence(const Course *course, const JsonView *evidence, const EvidencePolicy *policy, EvidenceVerdict *verdict,
			  const char **problem)
{
	if (!EvidenceJudge(evidence, policy, verdict, problem))
		return false;
	FreshnessJudge(&course->scale, policy, evidence, verdict);
	return true;
}

/* Returns text with the threshold that was applied, if documents of this kind state it. */
static const char *
Threshold(const EvidenceVerdict *verdict, const char *words, Numeric threshold)
{
	return verdict->tells_thresholds ? psprintf(words, numeric_normalize(threshold)) : "";
}

static const char *
BlockMessage(const EvidenceVerdict *verdict)
{
	if (verdict->blocked_by_conflict)
		return psprintf("the evidence is contradicted with a weight of %s%s", numeric_normalize(verdict->contradictions),
						Threshold(verdict, ", and at most %s is allowed", verdict->block_if_conflict_over));
	if (verdict->blocked_by_confidence)
		return psprintf("the confidence of the evidence is %d.%02d%s", verdict->confidence / 100, verdict->confidence % 100,
						Threshold(verdict, ", and at least %s is required", verdict->min_confidence));
	if (verdict->blocked_stale)
		return psprintf("%s, and what is more than %d days old is stale here", verdict->stale_source, verdict->freshness_days);
	return "nobody has judged the evidence, and a judge is required";
}

/* Reads a number from 0 to 1 in the arguments, also from its portable text; false if there is none. */
static bool
ShareArgument(const JsonView *args, const char *name, Numeric *share)
{
	JsonView	view;
	JsonView	number;

	if (!JsonViewGetMember(args, name, &view))
		return false;
	number = view;
	if (view.type == JVIEW_STRING && !JsonViewNumberOfPortable(&view, &number))
		return false;
	return JsonViewNumeric(&number, share);
}

/* Returns the thresholds of the plan, or those of the call where they are stricter. */
static EvidencePolicy
PolicyOfArgs(const Course *course, const JsonView *args)
{
	EvidencePolicy policy = course->policy;
	JsonView	given;
	JsonView	days;
	Numeric		share;

	if (args->type != JVIEW_OBJECT)
		return policy;
	if (ShareArgument(args, "min_confidence", &share))
		policy.min_confidence = NumberMax(policy.min_confidence, share);
	if (JsonViewGetMember(args, "policy", &given) && given.type == JVIEW_OBJECT)
	{
		if (ShareArgument(&given, "cite_if_confidence_below", &share))
			policy.cite_if_confidence_below = NumberMax(policy.cite_if_confidence_below, share);
		if (ShareArgument(&given, "block_if_conflict_over", &share))
			policy.block_if_conflict_over = NumberMin(policy.block_if_conflict_over, share);
		if (JsonViewGetMember(&given, "freshness_days", &days) && !WholeOfView(&days, &policy.freshness.days_of_call))
			policy.freshness.days_of_call = 0;
	}
	if (JsonViewGetMember(args, "regulated", &given) && given.type == JVIEW_BOOL)
		policy.is_regulated = policy.is_regulated || given.boolean;
	return policy;
}

/*
 * arguments
 */

/*
 * Returns the values of the names that a node reads; null if the binder of a name
 * was skipped.  For a call of a map, includes its item.
 */
static JsonView
BindingsOf(const Course *course, const PlanNode *node, const JsonView *item, int index)
{
	JsonView	bindings = JsonViewNewObject(node->nreads + 3);

	JsonViewSet(&bindings, "INPUT", course->vars);
	if (item)
	{
		JsonViewSet(&bindings, "item", *item);
		JsonViewSet(&bindings, "index", JsonViewInteger(index));
	}
	for (int i = 0; i < node->nreads; i++)
	{
		const PlanRead *read = &node->reads[i];
		JsonView	value = JsonViewNull();

		if (read->nbinders == 0)
			continue;
		for (int j = 0; j < read->nbinders; j++)
		{
			if (course->is_bound[read->binders[j]])
				value = course->values[read->binders[j]];
		}
		JsonViewSetKey(&bindings, read->name.str, read->name.len, value);
	}
	return bindings;
}

static char *
NodeName(const PlanNode *node)
{
	return psprintf("node \"%s\"", pnstrdup(node->id.str, node->id.len));
}

/* Ends a step without a call. */
static void
Decide(CourseStep *step, const char *outcome, const char *reason, const char *kind, PlanVerdict verdict)
{
	step->is_decided = true;
	step->outcome = outcome;
	step->reason = reason;
	step->kind = kind;
	step->verdict = verdict;
}

static bool
Bind(const PlanNode *node, const JsonView *args, const JsonView *bindings, JsonView *bound, CourseStep *step)
{
	BindingProblem problem;

	if (BindValue(args, bindings, bound, &problem))
		return true;
	Decide(step, step_outcome_labels[STEP_INVALID],
		   psprintf("%s: reference %s %s", NodeName(node), ShownText(problem.reference), problem.problem),
		   "reference", PLAN_FAILED);
	return false;
}

static bool GoesByDepth(const Course *course, int node);

/*
 * Finds which of the sources in the arguments were reported while others were not.
 * Returns false if that is not known, because the call gets the sources in another
 * order.
 */
static bool
FindReported(const Course *course, int node_number, JsonView *reported)
{
	const PlanNode *node = &course->plan->nodes[node_number];
	JsonView	sources;
	int			count;

	*reported = JsonViewNewArray(0);
	if (!JsonViewGetMember(&node->args, "sources", &sources) || sources.type != JVIEW_ARRAY)
		return true;
	count = JsonViewCount(&sources);
	for (int i = 0; i < count; i++)
	{
		JsonView	source = JsonViewAt(&sources, i);
		Origin		origin;

		CHECK_FOR_INTERRUPTS();
		origin = OriginOfArgument(&course->terms, node, &source, false, OriginOfName, course);
		if (OriginIsReported(&origin))
			JsonViewAppend(reported, JsonViewInteger(i));
	}
	if (JsonViewCount(reported) == count)
		*reported = JsonViewNewArray(0);
	return JsonViewCount(reported) == 0 || !GoesByDepth(course, node_number);
}

/*
 * The configuration decides whether newer sources replace older ones.  A reported
 * source never replaces an observed one.
 */
static JsonView
FillSupersede(const Course *course, int node, const JsonView *args)
{
	const ToolSpec *spec = course->spec[node];
	JsonView	reported = {.type = JVIEW_ABSENT};
	bool		supersedes = course->scale.supersedes && FindReported(course, node, &reported);
	JsonView	filled;

	if (!IsDeclared(&spec->input, "supersede"))
		return *args;
	filled = With(args, "supersede", JsonViewBool(supersedes));
	if (!IsDeclared(&spec->input, "reported"))
		return filled;
	if (supersedes && JsonViewCount(&reported) > 0)
		return With(&filled, "reported", reported);
	return JsonViewCopyWithout(&filled, reported_name, 1, 0);
}

/*
 * A verifier that declares thresholds and judgements always gets them.  Its
 * thresholds are never less strict than the plan's.
 */
static JsonView
FillThresholds(const Course *course, int node, const JsonView *args)
{
	const ToolSpec *spec = course->spec[node];
	static const char *const names[] = {"min_confidence", "policy", "regulated", "judgements"};
	EvidencePolicy policy = PolicyOfArgs(course, args);
	JsonView	filled;
	JsonView	thresholds;
	JsonView	claims = {.type = JVIEW_ABSENT};
	int			days;

	if (!MakesEvidence(spec))
		return *args;
	filled = *args;
	if (IsDeclared(&spec->input, names[0]))
		filled = With(&filled, names[0], JsonViewOfNumeric(policy.min_confidence));
	if (IsDeclared(&spec->input, names[1]))
	{
		thresholds = JsonViewNewObject(2);
		JsonViewSet(&thresholds, "cite_if_confidence_below", JsonViewOfNumeric(policy.cite_if_confidence_below));
		JsonViewSet(&thresholds, "block_if_conflict_over", JsonViewOfNumeric(policy.block_if_conflict_over));
		(void) JsonViewGetMember(args, "claims", &claims);
		days = FreshnessDays(&course->scale, &policy.freshness, &claims);
		if (days > 0)
			JsonViewSet(&thresholds, "freshness_days", JsonViewInteger(days));
		filled = With(&filled, names[1], thresholds);
	}
	if (IsDeclared(&spec->input, names[2]))
		filled = With(&filled, names[2], JsonViewBool(policy.is_regulated));
	if (course->judgements.type == JVIEW_ARRAY && IsDeclared(&spec->input, names[3]))
		filled = With(&filled, names[3], course->judgements);
	return course->policy.freshness.are_known ? FillSupersede(course, node, &filled) : filled;
}

/* Fills in search arguments from the configuration that the plan does not give. */
static JsonView
FillSearch(const Course *course, int node, const JsonView *args)
{
	const FreshnessTerms *terms = &course->policy.freshness;
	const JsonView *input = &course->spec[node]->input;
	JsonView	filled = *args;

	if (!terms->are_known || !SpanEqualCString(course->plan->nodes[node].tool->name, TOOL_SEARCH))
		return filled;
	if (IsDeclared(input, "k") && !IsDeclared(args, "k"))
		filled = With(&filled, "k", JsonViewInteger(terms->top_k));
	if (!terms->reranks)
		return filled;
	if (IsDeclared(input, "rerank") && !IsDeclared(args, "rerank"))
		filled = With(&filled, "rerank", JsonViewCString("freshness"));
	if (IsDeclared(input, "freshness_bias") && !IsDeclared(args, "freshness_bias"))
		filled = With(&filled, "freshness_bias", JsonViewOfNumeric(terms->bias));
	if (IsDeclared(input, "freshness_days") && !IsDeclared(args, "freshness_days"))
		filled = With(&filled, "freshness_days", JsonViewInteger(terms->days));
	return filled;
}

/* Judges each Evidence in the arguments, unless this trace has settled it. */
static JsonView
SettleArguments(const Course *course, int node, const JsonView *args)
{
	const ToolSpec *spec = course->spec[node];
	JsonView	settled = *args;
	int			count = spec->input.type == JVIEW_OBJECT ? JsonViewCount(&spec->input) : 0;

	for (int i = 0; i < count; i++)
	{
		JsonMember	property;
		JsonView	value;
		EvidenceVerdict verdict;
		Origin		origin;
		const char *problem;
		char	   *name;

		property.value = JsonViewMember(&spec->input, i, &property.key);
		if (!PropertyIsOf(&property.value, "Evidence") ||
			!JsonViewGet(args, property.key.str, property.key.len, &value) ||
			FindEvidence(course, &value) != NULL ||
			/* the check of arguments refuses it if it is malformed */
			!JudgeEvidence(course, &value, &course->policy, &verdict, &problem))
			continue;
		name = pnstrdup(property.key.str, property.key.len);
		origin = OriginOfMember(course, &course->plan->nodes[node], property.key.str, property.key.len, true);
		settled = With(&settled, name, EvidenceAsJudged(course, &value, &course->policy, &verdict, &origin, false));
	}
	return settled;
}

/* Lowers k to what the budget allows. */
static JsonView
DegradeK(const Course *course, int node, const JsonView *args)
{
	const NodeForecast *forecast = &course->forecast.nodes[node];

	if (forecast->declared_k == 0 || forecast->k >= forecast->declared_k)
		return *args;
	return With(args, "k", JsonViewInteger(forecast->k));
}

/*
 * breadth and depth
 */

/* Returns the document of a source: its uri before "#". */
static Span
DocumentOf(const JsonView *source, const char *key)
{
	Span		uri = {"", 0};
	const char *hash;

	if (source->type != JVIEW_OBJECT || !JsonViewGetString(source, key, &uri))
		return uri;
	hash = memchr(uri.str, '#', uri.len);
	return hash ? SpanOf(uri.str, hash - uri.str) : uri;
}

static Numeric
ScoreOf(const JsonView *source)
{
	Numeric		score;

	return source->type == JVIEW_OBJECT && ShareArgument(source, "score", &score) ? score : int64_to_numeric(0);
}

/*
 * Returns the best source of each document, at the position of the document's first
 * source; *rest are the others.
 */
static JsonView
BestOfEach(const JsonView *sources, JsonView *rest)
{
	int			count = JsonViewCount(sources);
	JsonView	best = JsonViewNewArray(Max(count, 1));
	int		   *chosen = palloc(sizeof(int) * (Size) Max(count, 1));
	int			ndocuments = 0;

	*rest = JsonViewNewArray(Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		JsonView	source = JsonViewAt(sources, i);
		JsonView	other;
		int			same = 0;

		CHECK_FOR_INTERRUPTS();
		while (same < ndocuments)
		{
			JsonViewElement(sources, chosen[same], &other);
			if (SpanEqual(DocumentOf(&other, "uri"), DocumentOf(&source, "uri")))
				break;
			same++;
		}
		if (same == ndocuments)
			chosen[ndocuments++] = i;
		else if (NumberCompare(ScoreOf(&source), ScoreOf(&other)) > 0)
			chosen[same] = i;
	}
	for (int i = 0; i < count; i++)
	{
		JsonView	source = JsonViewAt(sources, i);
		bool		is_best = false;

		for (int j = 0; j < ndocuments && !is_best; j++)
			is_best = chosen[j] == i;
		JsonViewAppend(is_best ? &best : rest, source);
	}
	return best;
}

/* Is a source from a document that supported a claim? */
static bool
HasSupported(const JsonView *evidence, const JsonView *source)
{
	JsonView	supports;
	JsonView	support;

	if (!JsonViewGetMember(evidence, "supports", &supports) || supports.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&supports); i++)
	{
		JsonViewElement(&supports, i, &support);
		if (SpanEqual(DocumentOf(&support, "source"), DocumentOf(source, "uri")))
			return true;
	}
	return false;
}

/* Returns the sources that a second call may read, best first. */
static JsonView
DepthOf(const JsonView *evidence, const JsonView *left_out)
{
	JsonView	depth = JsonViewNewArray(Max(JsonViewCount(left_out), 1));
	int			count = JsonViewCount(left_out);
	bool	   *taken = palloc0(sizeof(bool) * (Size) Max(count, 1));

	for (int n = 0; n < count; n++)
	{
		int			best = -1;
		JsonView	source;
		JsonView	other;

		for (int i = 0; i < count; i++)
		{
			JsonViewElement(left_out, i, &source);
			if (taken[i] || !HasSupported(evidence, &source))
				continue;
			if (best >= 0)
				JsonViewElement(left_out, best, &other);
			if (best < 0 || NumberCompare(ScoreOf(&source), ScoreOf(&other)) > 0)
				best = i;
		}
		if (best < 0)
			break;
		taken[best] = true;
		JsonViewElement(left_out, best, &source);
		JsonViewAppend(&depth, source);
	}
	return depth;
}

/* Does the node's verifier go breadth first? */
static bool
GoesByDepth(const Course *course, int node)
{
	const PlanTool *tool = course->plan->nodes[node].tool;

	return course->forecast.is_by_depth && tool && tool->is_verifier;
}

/* Keeps only the best source of each document; the others are left for a second call. */
static JsonView
GoBreadthFirst(const JsonView *args, JsonView *left_out)
{
	JsonView	sources;

	memset(left_out, 0, sizeof(*left_out));
	if (!JsonViewGetMember(args, "sources", &sources) || sources.type != JVIEW_ARRAY)
		return *args;
	return With(args, "sources", BestOfEach(&sources, left_out));
}

void
CourseDeepen(Course *course, CourseStep *step, int count)
{
	const PlanNode *node = &course->plan->nodes[step->node];
	JsonView	first = JsonViewUnder(&course->breadth, "sources");
	JsonView	sources;

	sources = JsonViewNewArray(JsonViewCount(&first) + count + 1);
	for (int i = 0; i < JsonViewCount(&first); i++)
	{
		JsonView	source = JsonViewAt(&first, i);

		JsonViewAppend(&sources, source);
	}
	for (int i = 0; i < count; i++)
	{
		JsonView	source = JsonViewAt(&course->depth, i);

		JsonViewAppend(&sources, source);
	}
	step->calls = palloc(sizeof(JsonView));
	step->calls[0] = step->inputs = With(&course->breadth, "sources", sources);
	step->ncalls = 1;
	step->price = NodePrice(node, count, JsonViewCount(&sources));
}

/*
 * calls
 */

/* Returns the final arguments of a call. */
static JsonView
CallArguments(const Course *course, int node, const JsonView *bound, JsonView *left_out)
{
	const ToolSpec *spec = course->spec[node];
	PlanOp		op = course->plan->nodes[node].op;
	JsonView	args = DegradeK(course, node, bound);

	memset(left_out, 0, sizeof(*left_out));
	if (GoesByDepth(course, node))
		args = GoBreadthFirst(&args, left_out);
	if ((op == PLAN_MEM_READ || op == PLAN_MEM_WRITE) && IsDeclared(&spec->input, "op"))
		args = With(&args, "op", JsonViewCString(op == PLAN_MEM_READ ? "read" : "write"));
	args = SettleArguments(course, node, &args);
	args = FillSearch(course, node, &args);
	return FillThresholds(course, node, &args);
}

/*
 * resolving
 */

/* Returns why a condition ends the plan: the condition and its values. */
static char *
ConditionMessage(const Course *course, const PlanNode *node, const char *reason)
{
	JsonView	text = JsonViewString(node->condition_text.str, node->condition_text.len);

	if (!course->policy.freshness.are_known)
		return psprintf("%s: %s", NodeName(node), reason);
	return psprintf("%s: %s (the condition is %s)", NodeName(node), reason, ShownValue(&text));
}

static void
ResolveCondition(const Course *course, const PlanNode *node, CourseStep *step)
{
	JsonView	bindings = BindingsOf(course, node, NULL, 0);
	JsonView	seen = ConditionBindings(node->condition, &bindings);
	ConditionResult result;

	step->inputs = JsonViewNewObject(2);
	JsonViewSet(&step->inputs, "if", JsonViewString(node->condition_text.str, node->condition_text.len));
	JsonViewSet(&step->inputs, "bindings", seen);
	ConditionEvaluate(node->condition, &seen, true, &result);
	if (result.outcome != CONDITION_ERROR)
		step->outputs = JsonViewBool(result.outcome == CONDITION_HOLDS);
	step->taken = result.outcome == CONDITION_HOLDS ? PLAN_SIDE_THEN : PLAN_SIDE_ELSE;
	if (result.outcome == CONDITION_ERROR ||
		(result.outcome == CONDITION_FAILS && node->op == PLAN_ASSERT))
		Decide(step, OUTCOME_BLOCKED, ConditionMessage(course, node, result.reason), "condition", PLAN_BLOCKED);
	else
		Decide(step, step_outcome_labels[STEP_OK], NULL, NULL, PLAN_ANSWERED);
}

/* Resolves the items of a map or a reduce; false if that is not possible. */
static bool
ResolveItems(const Course *course, const PlanNode *node, CourseStep *step, JsonView *items)
{
	JsonView	bindings = BindingsOf(course, node, NULL, 0);
	JsonView	given = JsonViewUnder(&node->args, "items");

	if (!Bind(node, &given, &bindings, items, step))
		return false;
	if (items->type == JVIEW_ARRAY && JsonViewCount(items) <= PLAN_MAX_ITEMS)
		return true;
	Decide(step, step_outcome_labels[STEP_INVALID],
		   items->type != JVIEW_ARRAY ?
		   psprintf("%s: args.items must be an array, and is %s", NodeName(node), ShownValue(items)) :
		   psprintf("%s: args.items has %d items, and at most %d are allowed", NodeName(node),
					JsonViewCount(items), PLAN_MAX_ITEMS),
		   "items", PLAN_FAILED);
	return false;
}

/* Returns the items as canonical JSON, one per line, without a final newline. */
static JsonView
LinesOf(const JsonView *items)
{
	StringInfoData lines;

	initStringInfo(&lines);
	for (int i = 0; i < JsonViewCount(items); i++)
	{
		JsonView	item = JsonViewAt(items, i);

		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			appendStringInfoChar(&lines, '\n');
		CanonicalWritePortable(&lines, &item);
	}
	return JsonViewString(lines.data, lines.len);
}

static void
ResolveMap(const Course *course, const PlanNode *node, CourseStep *step)
{
	static const char *const items_name[] = {"items"};
	JsonView	args = JsonViewCopyWithout(&node->args, items_name, 1, 0);
	JsonView	items;

	if (!ResolveItems(course, node, step, &items))
		return;
	step->ncalls = JsonViewCount(&items);
	step->calls = palloc(sizeof(JsonView) * (Size) Max(step->ncalls, 1));
	step->inputs = JsonViewNewArray(step->ncalls);
	for (int i = 0; i < step->ncalls; i++)
	{
		JsonView	item = JsonViewAt(&items, i);
		JsonView	bindings;
		JsonView	bound;
		JsonView	left_out;

		CHECK_FOR_INTERRUPTS();
		bindings = BindingsOf(course, node, &item, i);
		if (!Bind(node, &args, &bindings, &bound, step))
		{
			memset(&step->inputs, 0, sizeof(step->inputs));
			return;
		}
		step->calls[i] = CallArguments(course, step->node, &bound, &left_out);
		JsonViewAppend(&step->inputs, step->calls[i]);
	}
	if (step->ncalls > 0)
		return;
	step->outputs = JsonViewNewArray(0);
	Decide(step, step_outcome_labels[STEP_OK], NULL, NULL, PLAN_ANSWERED);
}

static void
ResolveCall(const Course *course, const PlanNode *node, CourseStep *step)
{
	JsonView	bindings = BindingsOf(course, node, NULL, 0);
	JsonView	args = node->args;
	JsonView	items;
	JsonView	bound;

	if (node->op == PLAN_REDUCE)
	{
		if (!ResolveItems(course, node, step, &items))
			return;
		/* bound separately, because references in the text of items are not resolved */
		args = With(&args, "items", JsonViewCString(""));
	}
	if (!Bind(node, &args, &bindings, &bound, step))
		return;
	if (node->op == PLAN_REDUCE)
		bound = With(&bound, "items", LinesOf(&items));
	step->ncalls = 1;
	step->calls = palloc(sizeof(JsonView));
	step->calls[0] = CallArguments(course, step->node, &bound, &step->left_out);
	step->inputs = step->calls[0];
}

static bool
WritesMemory(const PlanNode *node, const JsonView *args)
{
	JsonView	op;

	if (node->op == PLAN_MEM_WRITE)
		return true;
	return SpanEqualCString(node->tool->name, TOOL_MEMORY) && node->op != PLAN_MEM_READ &&
		JsonViewGetMember(args, "op", &op) && JsonViewStringIs(&op, "write");
}

bool
CourseWritesMemory(const Course *course, const CourseStep *step)
{
	const PlanNode *node = &course->plan->nodes[step->node];

	return node->tool && step->ncalls > 0 && WritesMemory(node, &step->calls[0]);
}

/* Checks that all citations are sources of the evidence. Returns NULL, or what is wrong. */
static const char *
CitationProblem(const CourseEvidence *evidence, const JsonView *citations)
{
	int			stray = EvidenceStrayCitation(&evidence->view, &evidence->sources, citations);

	return stray < 0 ? NULL :
		psprintf("citations[%d] is no source of the evidence that the text rests on", stray);
}

/*
 * Finds how a text relates to what it cites.  For older documents, which did not
 * check this, the text counts as quoted.
 */
static void
FindTextStatus(const Course *course, const CourseEvidence *evidence, const JsonView *text, const JsonView *citations,
			   TextStatus *status)
{
	static const JsonView none = {.type = JVIEW_ABSENT};
	TextBasis	basis = {.rules = course->scale.rules,.evidence = evidence ? &evidence->view : &none,
		.sources = evidence ? &evidence->sources : &none,.judgements = &course->judgements,.question = {"", 0},.of_few = course->texts_of_few};

	memset(status, 0, sizeof(*status));
	status->is_quoted = true;
	if (course->scale.rules == NULL)
		return;
	(void) JsonViewGetString(&course->vars, "query", &basis.question);
	TextStatusFind(&basis, SpanOf(text->str, text->len), citations, status);
}

/* Refuses to remember a text whose markers do not match its citations. */
static void
CheckRemembered(const Course *course, const JsonView *args, CourseStep *step)
{
	TextStatus	status;
	JsonView	value;
	JsonView	text;
	JsonView	citations = {.type = JVIEW_ABSENT};
	JsonView	problems;
	const char *problem;

	if (!JsonViewGetMember(args, "value", &value) || value.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&value, "text", &text) || text.type != JVIEW_STRING)
		return;
	(void) JsonViewGetMember(&value, "citations", &citations);
	if (!MarkersCheck(SpanOf(text.str, text.len), &citations, step->provenance->verdict.needs_citation,
					  &problems, &problem) || JsonViewCount(&problems) > 0)
		Decide(step, OUTCOME_BLOCKED, "the text to be remembered does not have its citations' markers",
			   "markers", PLAN_BLOCKED);
	else if (CitationProblem(step->provenance, &citations))
		Decide(step, OUTCOME_BLOCKED, "the text to be remembered cites what its evidence does not hold",
			   "citations", PLAN_BLOCKED);
	if (step->is_decided)
		return;
	FindTextStatus(course, step->provenance, &text, &citations, &status);
	if (status.blocked)
		Decide(step, OUTCOME_BLOCKED, status.message, status.blocked, PLAN_BLOCKED);
}

/* Returns the origin of what a write would remember: that of the value and of the evidence that it rests on. */
static Origin
OriginOfWrite(const Course *course, const PlanNode *node, const CourseEvidence *provenance)
{
	Origin		value;

	if (!course->terms.are_known)
		return OriginOfRole(SpanOfCString(ORIGIN_UNKNOWN));
	value = OriginOfMember(course, node, "value", strlen("value"), false);
	return OriginOfBoth(&value, &provenance->origin);
}

/* Refuses a memory write that would rest on blocked evidence, in a map each such call. */
static void
CheckWrite(const Course *course, const PlanNode *node, CourseStep *step)
{
	JsonView	written = JsonViewUnder(&node->args, "provenance");
	JsonView	provenance = JsonViewUnder(&step->calls[0], "provenance");
	Reference	reference;
	const char *problem;

	if (written.type == JVIEW_STRING &&
		ReferenceParse(SpanOf(written.str, written.len), &reference, &problem) == REFERENCE_VALUE)
		step->provenance = FindEvidence(course, &provenance);
	if (step->provenance == NULL)
		return;
	step->written = OriginOfWrite(course, node, step->provenance);
	if (EvidenceIsBlocked(&step->provenance->verdict))
	{
		Decide(step, OUTCOME_BLOCKED, BlockMessage(&step->provenance->verdict),
			   EvidenceBlockKind(&step->provenance->verdict), PLAN_BLOCKED);
		return;
	}
	for (int i = 0; i < step->ncalls && !step->is_decided; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (WritesMemory(node, &step->calls[i]))
			CheckRemembered(course, &step->calls[i], step);
	}
}

/* Returns what a step's text rests on: the evidence in its arguments, else the newest evidence. */
static const CourseEvidence *
EvidenceOfText(const Course *course, const JsonView *args, bool *is_judged, EvidenceVerdict *verdict)
{
	const CourseEvidence *evidence;
	JsonView	given;
	const char *problem;

	*is_judged = false;
	if (args->type != JVIEW_OBJECT || !JsonViewGetMember(args, "evidence", &given) || given.type != JVIEW_OBJECT)
		evidence = NewestEvidence(course);
	else
	{
		evidence = FindEvidence(course, &given);
		/* evidence from outside this trace is judged like any other */
		if (evidence == NULL)
		{
			*is_judged = JudgeEvidence(course, &given, &course->policy, verdict, &problem);
			return NULL;
		}
	}
	if (evidence)
	{
		*is_judged = true;
		*verdict = evidence->verdict;
	}
	return evidence;
}

/* Refuses to make a text from blocked evidence. */
static void
CheckText(const Course *course, CourseStep *step)
{
	EvidenceVerdict verdict;
	bool		is_judged;

	(void) EvidenceOfText(course, &step->calls[0], &is_judged, &verdict);
	if (is_judged && EvidenceIsBlocked(&verdict))
		Decide(step, OUTCOME_BLOCKED, BlockMessage(&verdict), EvidenceBlockKind(&verdict), PLAN_BLOCKED);
}

static void
Resolve(Course *course, int node_number, int attempt, CourseStep *step)
{
	const PlanNode *node = &course->plan->nodes[node_number];

	memset(step, 0, sizeof(*step));
	step->node = node_number;
	step->attempt = attempt;
	step->price = course->forecast.nodes[node_number].price;
	if (course->is_deepening)
	{
		step->ndepth = JsonViewCount(&course->depth);
		return;
	}
	if (node->op == PLAN_ASSERT || node->op == PLAN_BRANCH)
	{
		ResolveCondition(course, node, step);
		return;
	}
	if (node->op == PLAN_MAP)
		ResolveMap(course, node, step);
	else
		ResolveCall(course, node, step);
	if (step->is_decided || step->ncalls == 0)
		return;
	if (WritesMemory(node, &step->calls[0]))
		CheckWrite(course, node, step);
	else if (node->op != PLAN_MAP && MakesText(course->spec[node_number]))
		CheckText(course, step);
}

bool
CourseNext(Course *course, CourseStep *step)
{
	if (course->is_over)
		return false;
	if (course->waiting < 0)
		course->waiting = PlanScheduleNext(course->schedule);
	if (course->waiting < 0)
		return false;
	Resolve(course, course->waiting, course->attempts + 1, step);
	return true;
}

/*
 * results
 */

/* Does a step with this outcome get another attempt? */
static bool
CourseRetries(const Course *course, const CourseStep *step)
{
	return course->plan->nodes[step->node].op == PLAN_RETRY && step->attempt < PLAN_RETRY_ATTEMPTS &&
		strcmp(step->outcome, step_outcome_labels[STEP_FAILED]) == 0;
}

/* State for settling the result of one call. */
typedef struct Settling
{
	EvidencePolicy policy;
	const JsonView *args;
	bool		is_reported;	/* by the application */
	bool		has_judgements; /* from judges that the database asked */
	Origin		origin;
} Settling;

static bool
SettleEvidence(Course *course, const Settling *settling, JsonView *view, const char **problem)
{
	EvidenceVerdict verdict;

	if (!JudgeEvidence(course, view, &settling->policy, &verdict, problem))
	{
		*problem = psprintf(INVALID_EVIDENCE, *problem);
		return false;
	}
	*view = EvidenceAsJudged(course, view, &settling->policy, &verdict, &settling->origin, settling->has_judgements);
	/* documents from before origins were kept stated it in this way */
	if (settling->is_reported && !course->terms.are_known)
		*view = With(view, "producer_reported", JsonViewBool(true));
	KeepEvidence(course, view, &verdict, &settling->origin, settling->args);
	return true;
}

static bool
SettleArray(Course *course, const Settling *settling, JsonView *view, const char **problem)
{
	JsonView	settled = JsonViewNewArray(JsonViewCount(view));

	for (int i = 0; i < JsonViewCount(view); i++)
	{
		JsonView	element = JsonViewAt(view, i);

		if (!SettleEvidence(course, settling, &element, problem))
			return false;
		JsonViewAppend(&settled, element);
	}
	*view = settled;
	return true;
}

/* Adds to the result of a write who reported it, as the kernel determined. */
static JsonView
WrittenResult(const CourseStep *step, const JsonView *result)
{
	static const char *const stated[] = {"reported_by"};
	JsonView	written;

	if (result->type != JVIEW_OBJECT)
		return *result;
	written = JsonViewCopyWithout(result, stated, lengthof(stated), 1);
	if (OriginIsReported(&step->written) && JsonViewMemberIsTrue(&written, "ok"))
		JsonViewSet(&written, "reported_by", OriginView(&step->written));
	return written;
}

bool
CourseTake(Course *course, const CourseStep *step, const JsonView *args, bool is_reported, JsonView *result,
		   const char **problem)
{
	const ToolSpec *spec = course->spec[step->node];
	Settling	settling = {.policy = PolicyOfArgs(course, args),.args = args,.is_reported = is_reported};
	int			count = spec->output.type == JVIEW_OBJECT ? JsonViewCount(&spec->output) : 0;

	if (course->terms.are_known && WritesMemory(&course->plan->nodes[step->node], args))
		*result = WrittenResult(step, result);
	settling.origin = OriginOfCall(course, step->node, result);
	settling.has_judgements = SpanEqualCString(course->plan->nodes[step->node].tool->name, TOOL_VERIFY);
	for (int i = 0; i < count && result->type == JVIEW_OBJECT; i++)
	{
		JsonMember	property;
		JsonView	value;

		property.value = JsonViewMember(&spec->output, i, &property.key);
		if (!JsonViewGet(result, property.key.str, property.key.len, &value))
			continue;
		if (PropertyIsOf(&property.value, "Evidence") && value.type == JVIEW_OBJECT)
		{
			if (!SettleEvidence(course, &settling, &value, problem))
				return false;
		}
		else if (PropertyIsArrayOf(&property.value, "Evidence") && value.type == JVIEW_ARRAY)
		{
			if (!SettleArray(course, &settling, &value, problem))
				return false;
		}
		else
			continue;
		*result = With(result, pnstrdup(property.key.str, property.key.len), value);
	}
	return true;
}

void
CourseJudge(CourseStep *step, StepOutcome outcome)
{
	step->outcome = step_outcome_labels[outcome];
	switch (outcome)
	{
		case STEP_FAILED:
			step->kind = "tool";
			step->verdict = PLAN_FAILED;
			break;
		case STEP_INVALID:
			step->kind = "arguments";
			step->verdict = PLAN_FAILED;
			break;
		case STEP_DENIED:
			step->kind = "denied";
			step->verdict = PLAN_BLOCKED;
			break;
		case STEP_RATE_LIMITED:
			step->kind = "rate_limited";
			step->verdict = PLAN_REFUSED;
			break;
		case STEP_OK:
		case STEP_PENDING:
		case STEP_REFUSED:
			step->kind = NULL;
			break;
	}
}

/* Returns the value that a map binds: an array of what each call would bind. */
static JsonView
BoundOfMap(const PlanNode *node, const JsonView *results)
{
	JsonView	bound = JsonViewNewArray(JsonViewCount(results));

	for (int i = 0; i < JsonViewCount(results); i++)
	{
		JsonView	result = JsonViewAt(results, i);

		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&bound, PlanBoundValue(node, &result));
	}
	return bound;
}

/* Returns the origin of a step's result; for a map, that of all calls together. */
static Origin
OriginOfStep(const Course *course, const CourseStep *step)
{
	const PlanNode *node = &course->plan->nodes[step->node];
	JsonView	result;
	Origin		origin = {0};

	if (node->tool == NULL)
		return origin;
	/* only for memory does the origin depend on the result */
	if (node->op != PLAN_MAP || !SpanEqualCString(node->tool->name, TOOL_MEMORY))
		return OriginOfCall(course, step->node, &step->outputs);
	for (int i = 0; JsonViewElement(&step->outputs, i, &result); i++)
	{
		Origin		of_call = OriginOfCall(course, step->node, &result);

		CHECK_FOR_INTERRUPTS();
		origin = OriginOfBoth(&origin, &of_call);
	}
	return origin;
}

static void
BindResult(Course *course, const PlanNode *node, const CourseStep *step)
{
	if (step->outputs.type == JVIEW_ABSENT)
		return;
	course->origins[step->node] = OriginOfStep(course, step);
	if (node->out.len == 0)
		return;
	course->is_bound[step->node] = true;
	course->values[step->node] = node->op == PLAN_MAP ? BoundOfMap(node, &step->outputs) :
		PlanBoundValue(node, &step->outputs);
}

/* Notes a result with a text, which may become the response. */
static void
NoteText(Course *course, const CourseStep *step)
{
	JsonView	text;
	EvidenceVerdict verdict;
	CourseEvidence *judged;
	bool		is_judged;

	if (step->outputs.type != JVIEW_OBJECT || !JsonViewGetMember(&step->outputs, "text", &text) ||
		text.type != JVIEW_STRING)
		return;
	course->text_result = step->outputs;
	course->text_origin = course->origins[step->node];
	course->text_evidence = EvidenceOfText(course, &step->inputs, &is_judged, &verdict);
	if (course->text_evidence || !is_judged)
		return;
	judged = palloc0(sizeof(CourseEvidence));
	judged->verdict = verdict;
	if (course->terms.are_known)
		judged->origin = OriginOfMember(course, &course->plan->nodes[step->node], "evidence", strlen("evidence"), true);
	(void) JsonViewGetMember(&step->inputs, "evidence", &judged->view);
	course->text_evidence = judged;
}

/* May the step be followed by a call in depth, after one breadth first? */
static bool
BeginsDepth(Course *course, const CourseStep *step)
{
	const PlanNode *node = &course->plan->nodes[step->node];

	/* the application is asked only once */
	if (course->is_deepening || step->kind || course->spec[step->node] == NULL || course->spec[step->node]->is_external || (node->op != PLAN_CALL && node->op != PLAN_VERIFY) ||
		!GoesByDepth(course, step->node) || step->left_out.type != JVIEW_ARRAY ||
		step->outputs.type == JVIEW_ABSENT || course->nevidences == 0)
		return false;
	course->depth = DepthOf(&NewestEvidence(course)->view, &step->left_out);
	course->breadth = step->inputs;
	return JsonViewCount(&course->depth) > 0;
}

void
CourseLeaveDepth(Course *course)
{
	if (!course->is_deepening)
		return;
	PlanScheduleFinish(course->schedule, course->waiting, PLAN_SIDE_NONE);
	course->is_deepening = false;
	course->waiting = -1;
	course->attempts = 0;
}

/* Finishes a step; another attempt follows unless it is the last one. */
static void
CourseFinish(Course *course, CourseStep *step, bool is_last)
{
	const PlanNode *node = &course->plan->nodes[step->node];

	if (!is_last)
		return;
	if (step->kind)
	{
		CourseStop(course, step->verdict, step->kind, step->reason, step->node);
		return;
	}
	if (strcmp(step->outcome, step_outcome_labels[STEP_REFUSED]) == 0)
		AddCaveat(course, "not_remembered", psprintf("%s: nothing was remembered: %s", NodeName(node),
													 step->reason ? step->reason : "the write was refused"));
	BindResult(course, node, step);
	if (node->tool && node->op != PLAN_MAP)
		NoteText(course, step);
	PlanScheduleFinish(course->schedule, step->node, node->op == PLAN_BRANCH ? step->taken : PLAN_SIDE_NONE);
}

/* following a record */

static bool
Differs(FollowReport *report, const char *field, const JsonView *expected, const JsonView *found)
{
	report->field = field;
	report->expected = *expected;
	report->found = *found;
	return false;
}

static bool
MemberIs(FollowReport *report, const JsonView *event, const char *name, JsonView expected)
{
	JsonView	found = JsonViewUnder(event, name);

	return ReportIsSame(&found, &expected) || Differs(report, name, &expected, &found);
}

static bool
HashIs(FollowReport *report, const JsonView *event, const char *name, const JsonView *value)
{
	return MemberIs(report, event, name, TraceDigest(value));
}

/* Does a value that the document shows for a step have the digest in its event? */
static bool
ShownHashIs(FollowReport *report, const JsonView *event, const char *name, const JsonView *value)
{
	return value->type == JVIEW_ABSENT || HashIs(report, event, name, value);
}

/* Reads the outcome of an event; false if it is unknown. */
static bool
OutcomeOf(const JsonView *event, StepOutcome *outcome)
{
	JsonView	view = JsonViewUnder(event, "outcome");

	for (int i = STEP_OK; i <= STEP_REFUSED; i++)
	{
		*outcome = (StepOutcome) i;
		if (i != STEP_PENDING && JsonViewStringIs(&view, step_outcome_labels[i]))
			return true;
	}
	return false;
}

/* Returns the completed arguments of the first calls; as given, if they are not as declared. */
static JsonView
CompletedInputs(const Course *course, const CourseStep *step, int ncalls)
{
	bool		is_map = course->plan->nodes[step->node].op == PLAN_MAP;
	JsonView	inputs = JsonViewNewArray(Max(ncalls, 1));
	JsonView	completed = {.type = JVIEW_ABSENT};

	for (int i = 0; i < ncalls; i++)
	{
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		if (!ToolSpecArguments(course->spec[step->node], &step->calls[i], &completed, &problem))
			completed = step->calls[i];
		if (is_map)
			JsonViewAppend(&inputs, completed);
	}
	return is_map ? inputs : completed;
}

/* Takes the recorded results of a step. If they are not as they must be, returns false and the difference. */
static bool
FollowResults(Course *course, CourseStep *step, const FollowRecord *record, FollowReport *report)
{
	bool		is_map = course->plan->nodes[step->node].op == PLAN_MAP;
	JsonView	by = JsonViewUnder(&record->event, "by");
	JsonView	results = JsonViewNewArray(Max(step->ncalls, 1));

	step->outputs = record->outputs;
	if (is_map && (record->outputs.type != JVIEW_ARRAY || JsonViewCount(&record->outputs) != step->ncalls))
	{
		JsonView	expected = {.type = JVIEW_ABSENT};

		return Differs(report, "outputs", &expected, &record->outputs);
	}
	for (int i = 0; i < step->ncalls; i++)
	{
		JsonView	args = record->inputs;
		JsonView	result = record->outputs;
		const char *problem;

		if (is_map)
		{
			JsonViewElement(&record->inputs, i, &args);
			JsonViewElement(&record->outputs, i, &result);
		}
		if (!CourseTake(course, step, &args, by.type == JVIEW_STRING, &result, &problem))
		{
			JsonView	expected = {.type = JVIEW_ABSENT};
			JsonView	found = JsonViewCString(problem);

			return Differs(report, "outputs", &expected, &found);
		}
		JsonViewAppend(&results, result);
		if (!is_map)
			step->outputs = result;
	}
	if (is_map)
		step->outputs = results;
	return true;
}

static bool
FollowCalls(Course *course, CourseStep *step, const FollowRecord *record, FollowReport *report)
{
	const PlanNode *node = &course->plan->nodes[step->node];
	int			ncalls = node->op == PLAN_MAP ? JsonViewCount(&record->inputs) : step->ncalls;
	StepOutcome outcome;
	JsonView	seen = JsonViewUnder(&record->event, "outcome");
	JsonView	expected = {.type = JVIEW_ABSENT};
	JsonView	reason = JsonViewUnder(&record->event, "reason");

	/* a successful map made all of its calls */
	if (!OutcomeOf(&record->event, &outcome) || ncalls > step->ncalls ||
		(outcome == STEP_OK && ncalls < step->ncalls))
		return Differs(report, "outcome", &expected, &seen);
	CourseJudge(step, outcome);
	step->reason = reason.type == JVIEW_STRING ? pnstrdup(reason.str, reason.len) : NULL;
	if (outcome == STEP_REFUSED && !WritesMemory(node, &step->calls[0]))
	{
		step->kind = "budget";
		step->verdict = PLAN_REFUSED;
	}
	/* there are none for a further attempt that was not paid for */
	if (step->kind == NULL || record->inputs.type != JVIEW_ABSENT)
		step->inputs = CompletedInputs(course, step, ncalls);
	else
		memset(&step->inputs, 0, sizeof(step->inputs));
	if ((outcome == STEP_OK || outcome == STEP_REFUSED) && record->outputs.type != JVIEW_ABSENT)
		return FollowResults(course, step, record, report);
	memset(&step->outputs, 0, sizeof(step->outputs));
	return true;
}

/* Does the record have the values of all digests in the event? */
static bool
IsWhole(const JsonView *event, const char *hash, const JsonView *value)
{
	JsonView	stated = JsonViewUnder(event, hash);

	return stated.type == JVIEW_NULL || value->type != JVIEW_ABSENT;
}

/*
 * Ends the step if the next event is not its call in depth: without a budget for
 * that call there is no event.
 */
static void
LeaveUnlessFollowed(Course *course, const JsonView *event)
{
	JsonView	step = JsonViewUnder(event, "step");
	Span		id;

	if (!course->is_deepening)
		return;
	id = course->plan->nodes[course->waiting].id;
	if (step.type != JVIEW_STRING || !SpanEqual(SpanOf(step.str, step.len), id))
		CourseLeaveDepth(course);
}

/* Finds how many sources a call in depth read; false if the record does not fit any. */
static bool
DeepenAsRecorded(Course *course, CourseStep *step, const FollowRecord *record)
{
	JsonView	sources;
	JsonView	first = JsonViewUnder(&course->breadth, "sources");
	int			count;

	if (record->inputs.type != JVIEW_OBJECT || !JsonViewGetMember(&record->inputs, "sources", &sources) ||
		sources.type != JVIEW_ARRAY)
		return false;
	count = JsonViewCount(&sources) - JsonViewCount(&first);
	if (count < 1 || count > step->ndepth)
		return false;
	CourseDeepen(course, step, count);
	return true;
}

bool
CourseFollow(Course *course, const FollowRecord *record, FollowReport *report)
{
	const JsonView *event = &record->event;
	CourseStep	step;
	const char *basis;
	const PlanNode *node;

	memset(report, 0, sizeof(*report));
	LeaveUnlessFollowed(course, event);
	if (!CourseNext(course, &step))
	{
		JsonView	none = JsonViewNull();
		JsonView	seen = JsonViewUnder(event, "step");

		return Differs(report, "step", &none, &seen);
	}
	node = &course->plan->nodes[step.node];
	basis = CourseBasis(course, step.node);
	/* the replay chooses by op and tool what to make again, so they must be the plan's */
	if (!MemberIs(report, event, "step", JsonViewString(node->id.str, node->id.len)) ||
		!MemberIs(report, event, "type", JsonViewCString("step")) ||
		!MemberIs(report, event, "op", JsonViewCString(plan_op_labels[node->op])) ||
		!MemberIs(report, event, "tool", node->tool ? JsonViewString(node->tool->name.str, node->tool->name.len) : JsonViewNull()) ||
		!MemberIs(report, event, "attempt", JsonViewInteger(step.attempt)) ||
		(basis && !MemberIs(report, event, "basis", JsonViewCString(basis))))
		return false;
	if (!IsWhole(event, "inputs_hash", &record->inputs) || !IsWhole(event, "outputs_hash", &record->outputs))
	{
		report->is_incomplete = true;
		return false;
	}
	if (step.ndepth > 0 && !DeepenAsRecorded(course, &step, record))
	{
		JsonView	none = {.type = JVIEW_ABSENT};

		return Differs(report, "inputs", &none, &record->inputs);
	}
	report->price = step.price;
	report->is_measured = course->plan->nodes[step.node].tool && course->plan->nodes[step.node].tool->measured;
	if (step.is_decided)
	{
		if (!MemberIs(report, event, "outcome", JsonViewCString(step.outcome)))
			return false;
	}
	else if (!FollowCalls(course, &step, record, report))
		return false;
	report->ncalls = step.is_decided ? 0 : step.ncalls;
	/* the digests of what must be there, and of what the document shows */
	if (!HashIs(report, event, "inputs_hash", &step.inputs) || !ShownHashIs(report, event, "inputs_hash", &record->inputs) ||
		!HashIs(report, event, "outputs_hash", &step.outputs) || !ShownHashIs(report, event, "outputs_hash", &record->outputs))
		return false;
	CourseAdvance(course, &step);
	return true;
}

void
CourseAdvance(Course *course, CourseStep *step)
{
	if (CourseRetries(course, step))
	{
		course->attempts = step->attempt;
		course->waiting = step->node;
		CourseFinish(course, step, false);
		return;
	}
	if (BeginsDepth(course, step))
	{
		/* the result of the first call stands unless there is a second one */
		BindResult(course, &course->plan->nodes[step->node], step);
		course->is_deepening = true;
		course->attempts = step->attempt;
		course->waiting = step->node;
		return;
	}
	course->is_deepening = false;
	course->attempts = 0;
	course->waiting = -1;
	CourseFinish(course, step, true);
}

/*
 * the end
 */

/*
 * Adds caveats about who reported the evidence of an answer, and its text if that
 * is not made from the evidence alone.
 */
static void
AddOriginCaveats(Course *course)
{
	const CourseEvidence *evidence = course->text_evidence;
	Origin		both;

	if (evidence && OriginIsReported(&evidence->origin))
		AddCaveat(course, "reported_evidence",
				  psprintf("The answer rests on %s.", OriginText(&evidence->origin, "evidence")));
	if (!OriginIsReported(&course->text_origin))
		return;
	both = evidence ? OriginOfBoth(&evidence->origin, &course->text_origin) : course->text_origin;
	if (evidence == NULL || both.count > evidence->origin.count)
		AddCaveat(course, "reported_text",
				  psprintf("The answer is %s.", OriginText(&course->text_origin, "text")));
}

static void
AddCaveats(Course *course)
{
	const PlanForecast *forecast = &course->forecast;
	const CourseEvidence *evidence = course->text_evidence;
	JsonView	reported;

	for (int i = 0; i < forecast->nsteps && !forecast->is_summary; i++)
	{
		if (forecast->steps[i].step == DEGRADE_DEPTH)
			AddCaveat(course, "depth", "To keep to the budget, the best hit of each document was verified first.");
		else if (forecast->steps[i].step == DEGRADE_K &&
				 (i + 1 == forecast->nsteps || forecast->steps[i + 1].step != DEGRADE_K))
			AddCaveat(course, "k", psprintf("To keep to the budget, at most " INT64_FORMAT " results were asked for.",
											forecast->steps[i].k));
	}
	AddOriginCaveats(course);
	if (evidence == NULL)
		return;
	if (NumberCompare(evidence->verdict.contradictions, int64_to_numeric(0)) > 0)
		AddCaveat(course, "contradicted", psprintf("A source contradicts the answer, with a weight of %s.",
												   numeric_normalize(evidence->verdict.contradictions)));
	if (evidence->verdict.is_unjudged)
		AddCaveat(course, NOT_JUDGED_CODE, NOT_JUDGED_TEXT);
	if (evidence->verdict.is_stale)
		AddCaveat(course, STALE_CODE, StaleText(evidence->verdict.freshness_days));
	if (!course->terms.are_known && evidence->view.type == JVIEW_OBJECT &&
		JsonViewGetMember(&evidence->view, "producer_reported", &reported))
		AddCaveat(course, "reported_evidence", "The evidence was reported by its producer.");
}

void
CourseEnd(Course *course)
{
	const CourseEvidence *evidence = course->text_evidence;
	JsonView	text;
	JsonView	citations = {.type = JVIEW_ABSENT};
	JsonView	problems;
	JsonView	first;
	JsonView	verdict;
	TextStatus	status;
	const char *malformed;
	const char *problem;

	CourseLeaveDepth(course);
	if (course->is_over)
		return;
	if (course->text_result.type == JVIEW_ABSENT)
	{
		course->is_over = true;
		course->verdict = PLAN_ANSWERED;
		AddCaveats(course);
		return;
	}
	if (evidence && EvidenceIsBlocked(&evidence->verdict))
	{
		CourseStop(course, PLAN_BLOCKED, EvidenceBlockKind(&evidence->verdict), BlockMessage(&evidence->verdict), -1);
		return;
	}
	(void) JsonViewGetMember(&course->text_result, "text", &text);
	(void) JsonViewGetMember(&course->text_result, "citations", &citations);
	if (citations.type == JVIEW_NULL)
		citations.type = JVIEW_ABSENT;
	if (!MarkersCheck(SpanOf(text.str, text.len), &citations,
					  evidence ? evidence->verdict.needs_citation : course->policy.is_regulated,
					  &problems, &malformed))
	{
		CourseStop(course, PLAN_BLOCKED, "markers", malformed, -1);
		return;
	}
	if (JsonViewCount(&problems) > 0)
	{
		JsonViewElement(&problems, 0, &first);
		CourseStop(course, PLAN_BLOCKED, "markers", pnstrdup(first.str, first.len), -1);
		return;
	}
	problem = evidence ? CitationProblem(evidence, &citations) : NULL;
	if (problem)
	{
		CourseStop(course, PLAN_BLOCKED, "citations", problem, -1);
		return;
	}
	FindTextStatus(course, evidence, &text, &citations, &status);
	if (status.blocked)
	{
		CourseStop(course, PLAN_BLOCKED, status.blocked, status.message, -1);
		return;
	}
	if (status.is_unjudged && course->policy.requires_judge)
	{
		CourseStop(course, PLAN_BLOCKED, TEXT_NOT_JUDGED_CODE, "nobody has judged the text, and a judge is required", -1);
		return;
	}
	course->is_over = true;
	course->verdict = PLAN_ANSWERED;
	course->response = JsonViewNewObject(8);
	JsonViewSet(&course->response, "text", text);
	JsonViewSet(&course->response, "citations", citations.type == JVIEW_ARRAY ? citations : JsonViewNewArray(0));
	if (evidence)
		verdict = EvidenceVerdictView(&evidence->verdict);
	JsonViewSet(&course->response, "evidence", evidence ? OriginOnVerdict(&evidence->origin, &verdict) : JsonViewNull());
	if (status.sentences.type == JVIEW_ARRAY)
		JsonViewSet(&course->response, "sentences", status.sentences);
	AddCaveats(course);
	if (status.is_unjudged)
		AddCaveat(course, TEXT_NOT_JUDGED_CODE, TEXT_NOT_JUDGED_TEXT);
}

/*
 * Resolves a member of a node's arguments with what is known before execution;
 * absent if there is none.  Returns false if it is not known.
 */
static bool
KnownArgument(const PlanNode *node, const char *name, const JsonView *known, JsonView *args)
{
	JsonView	given;
	JsonView	value;
	BindingProblem problem;

	if (!JsonViewGetMember(&node->args, name, &given))
		return true;
	if (!BindValue(&given, known, &value, &problem))
		return false;
	JsonViewSet(args, name, value);
	return true;
}

/* Would a verifying node give this evidence, and would the plan go on with it? */
static bool
VerifiesSo(const Course *course, const PlanNode *node, const JsonView *known, const JsonView *evidence)
{
	static const char *const names[] = {"claims", "min_confidence", "policy", "regulated"};
	JsonView	args = JsonViewNewObject(lengthof(names));
	JsonView	claims = {.type = JVIEW_ABSENT};
	JsonView	has = {.type = JVIEW_ABSENT};
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	const char *problem;

	for (size_t i = 0; i < lengthof(names); i++)
	{
		if (!KnownArgument(node, names[i], known, &args))
			return false;
	}
	if (!JsonViewGetMember(&args, "claims", &claims) || !JsonViewGetMember(evidence, "claims", &has) ||
		!ReportIsSame(&claims, &has))
		return false;
	policy = PolicyOfArgs(course, &args);
	return JudgeEvidence(course, evidence, &policy, &verdict, &problem) && !EvidenceIsBlocked(&verdict);
}

static bool
IsVerifying(const PlanNode *node)
{
	return node->op == PLAN_VERIFY || (node->tool && SpanEqualCString(node->tool->name, TOOL_VERIFY));
}

bool
CourseWouldTake(const Course *course, const JsonView *evidence)
{
	JsonView	known = JsonViewNewObject(8);
	const PlanIr *plan = course->plan;

	JsonViewSet(&known, "INPUT", course->vars);
	for (int i = 0; i < plan->nnodes; i++)
	{
		const PlanNode *node = &plan->nodes[plan->topological[i]];
		ConditionResult result;
		JsonView	seen;

		CHECK_FOR_INTERRUPTS();
		if (node->op == PLAN_BRANCH || (IsVerifying(node) && !VerifiesSo(course, node, &known, evidence)))
			return false;
		if (IsVerifying(node) && node->out.len > 0)
			JsonViewSetKey(&known, node->out.str, node->out.len, *evidence);
		if (node->op != PLAN_ASSERT)
			continue;
		seen = ConditionBindings(node->condition, &known);
		ConditionEvaluate(node->condition, &seen, true, &result);
		if (result.outcome != CONDITION_HOLDS)
			return false;
	}
	return true;
}

bool
CourseSummarize(Course *course, const JsonView *evidence, const Origin *origin, const char *caveat)
{
	CourseEvidence *judged = palloc0(sizeof(CourseEvidence));
	JsonView	result;
	const char *problem;

	if (!JudgeEvidence(course, evidence, &course->policy, &judged->verdict, &problem) ||
		EvidenceIsBlocked(&judged->verdict) || !SynthAnswer(evidence, &result, &problem))
		return false;
	judged->view = *evidence;
	judged->origin = *origin;
	course->text_result = result;
	course->text_origin = *origin;
	course->text_evidence = judged;
	AddCaveat(course, "summary", caveat);
	CourseEnd(course);
	if (course->response.type == JVIEW_OBJECT)
		JsonViewSet(&course->response, "degraded", JsonViewBool(true));
	return true;
}
