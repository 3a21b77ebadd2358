/*-------------------------------------------------------------------------
 *
 * plan_receipt.c
 *		The document plan/v1: mints it, and replays it.
 *
 * Rule: doc/spec/plan.md §16.  A document contains the plan, its variables, the specs of
 * its tools, its limits and thresholds, and the trace with the inputs and outputs of
 * each step.  Everything else follows from these, and a replay recomputes it with the
 * module that computed it first (course.c): the order of the steps, the arguments of
 * each, conditions, verdicts of evidence, charges, verdict, response and caveats.
 *
 * Promises: problems of a document are reported, never raised.  Nothing is called.
 * Inputs and outputs that were left out for their size make a replay incomplete, but
 * not wrong.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "check/operator.h"
#include "document/kind.h"
#include "document/mint.h"
#include "document/signed.h"
#include "eval/answer_receipt.h"
#include "ground/decision_receipt.h"
#include "ground/document.h"
#include "ground/pinned_rules.h"
#include "plan/ground_conf.h"
#include "plan/ground_verify.h"
#include "plan/plan_receipt.h"
#include "plan/text_status.h"
#include "plan/tool_replay.h"

/* The dashboard counts an answer as contradicted if a contradiction weighs more than this, in hundredths. */
#define CONTRADICTED_HUNDREDTHS	30

#define PLAN_RULE			"plan/1"
#define CONFIDENCE_RULE		"ground-conf/1"

/*
 * Maximum depth of inputs and outputs.  Maps and conditions nest the values of a
 * call deeper, and so does the document.
 */
#define IO_MAX_DEPTH		(RECEIPT_MAX_DEPTH - 8)

/* Bytes that minting adds to a body, for id and signature. */
#define DOCUMENT_FRAME_SIZE	4096

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that sources and tools are right. A receipt is never a certification.";

/*
 * members
 */

static JsonView
NumberOrNull(Numeric number)
{
	return number ? JsonViewOfNumeric(number) : JsonViewNull();
}

JsonView
PlanLimitsView(const PlanLimits *limits)
{
	JsonView	view = JsonViewNewObject(3);

	JsonViewSet(&view, "cost_usd", NumberOrNull(limits->cost));
	JsonViewSet(&view, "latency_ms", NumberOrNull(limits->latency));
	if (limits->has_summary)
		JsonViewSet(&view, "summary", PriceView(&limits->summary));
	return view;
}

static bool
LimitOfView(const JsonView *view, const char *name, Numeric *limit)
{
	JsonView	member;

	*limit = NULL;
	return JsonViewGetMember(view, name, &member) &&
		(member.type == JVIEW_NULL || AmountOfView(&member, limit));
}

bool
PlanLimitsOfView(const JsonView *view, PlanLimits *limits)
{
	JsonView	summary;

	memset(limits, 0, sizeof(*limits));
	if (view->type != JVIEW_OBJECT || !LimitOfView(view, "cost_usd", &limits->cost) ||
		!LimitOfView(view, "latency_ms", &limits->latency))
		return false;
	if (!JsonViewGetMember(view, "summary", &summary))
		return true;
	limits->has_summary = true;
	return LimitOfView(&summary, "cost_usd", &limits->summary.cost) && limits->summary.cost &&
		LimitOfView(&summary, "latency_ms", &limits->summary.latency) && limits->summary.latency;
}

JsonView
PlanPolicyView(const EvidencePolicy *policy)
{
	JsonView	view = JsonViewNewObject(10);

	JsonViewSet(&view, "min_confidence", JsonViewOfNumeric(policy->min_confidence));
	JsonViewSet(&view, "cite_if_confidence_below", JsonViewOfNumeric(policy->cite_if_confidence_below));
	JsonViewSet(&view, "block_if_conflict_over", JsonViewOfNumeric(policy->block_if_conflict_over));
	JsonViewSet(&view, "regulated", JsonViewBool(policy->is_regulated));
	if (policy->requires_judge)
		JsonViewSet(&view, "judge", JsonViewCString("required"));
	FreshnessTermsSet(&view, &policy->freshness);
	return view;
}

bool
PlanPolicyOfView(const JsonView *view, EvidencePolicy *policy)
{
	JsonView	regulated;
	JsonView	judge;

	if (view->type != JVIEW_OBJECT || !LimitOfView(view, "min_confidence", &policy->min_confidence) ||
		!LimitOfView(view, "cite_if_confidence_below", &policy->cite_if_confidence_below) ||
		!LimitOfView(view, "block_if_conflict_over", &policy->block_if_conflict_over) ||
		!JsonViewGetMember(view, "regulated", &regulated) || regulated.type != JVIEW_BOOL ||
		!FreshnessTermsOfView(view, &policy->freshness))
		return false;
	policy->is_regulated = regulated.boolean;
	policy->requires_judge = JsonViewGetMember(view, "judge", &judge);
	if (policy->requires_judge && !JsonViewStringIs(&judge, "required"))
		return false;
	return policy->min_confidence && policy->cite_if_confidence_below && policy->block_if_conflict_over;
}

JsonView
PlanRequestView(const JsonView *request, const char *plan_digest)
{
	static const char *const copied[] = {"budgets", "request_id", "judgements", "basis"};
	JsonView	view = JsonViewNewObject(6);
	JsonView	member;
	JsonView	ref;

	JsonViewSet(&view, "plan_digest", JsonViewCString(plan_digest));
	if (JsonViewGetMember(request, "plan", &member) && member.type == JVIEW_OBJECT &&
		JsonViewGetMember(&member, "ref", &ref))
		JsonViewSet(&view, "ref", ref);
	for (size_t i = 0; i < lengthof(copied); i++)
	{
		if (JsonViewGetMember(request, copied[i], &member) && member.type != JVIEW_NULL)
			JsonViewSet(&view, copied[i], member);
	}
	return view;
}

bool
PlanSummarize(Course *course, const JsonView *summary)
{
	JsonView	key;
	JsonView	evidence;
	JsonView	roles;
	Origin		origin = {0};

	if (summary->type != JVIEW_OBJECT || !JsonViewGetMember(summary, "key", &key) || key.type != JVIEW_STRING ||
		!JsonViewGetMember(summary, "evidence", &evidence))
		return false;
	if (JsonViewGetMember(summary, "reported_by", &roles))
		origin = OriginOfView(&roles);
	return CourseSummarize(course, &evidence, &origin,
						   psprintf("To keep to the budget, the plan was not executed: this quotes the evidence that is remembered under \"%s\".",
									pnstrdup(key.str, key.len)));
}

static bool
AddAmount(const JsonView *event, const char *name, Numeric *sum)
{
	JsonView	member;
	Numeric		amount;

	if (!JsonViewGetMember(event, name, &member) || !AmountOfView(&member, &amount))
		return false;
	*sum = NumberCall(numeric_add, *sum, amount);
	return true;
}

void
PlanAddCharge(const JsonView *event, PlanPrice *used)
{
	(void) AddAmount(event, "cost_usd", &used->cost);
	(void) AddAmount(event, "latency_ms", &used->latency);
}

/*
 * the document
 */

/* Returns the digest of the rules by which a step verified claims; empty for the shipped ones. */
Span
PlanRulesDigest(const FollowRecord *record)
{
	JsonView	tool = JsonViewUnder(&record->event, "tool");
	JsonView	result = record->outputs;

	if (tool.type != JVIEW_STRING)
		return SpanOf("", 0);
	/* all calls of a map have the same */
	if (record->outputs.type == JVIEW_ARRAY)
		JsonViewElement(&record->outputs, 0, &result);
	return RulesDigestOfResult(SpanOf(tool.str, tool.len), &result);
}

Size
PlanBaseSize(const PlanDocument *document)
{
	JsonView	intent = JsonViewString(document->intent.str, document->intent.len);

	return CanonicalSize(&document->plan) + CanonicalSize(&document->tools) + CanonicalSize(&document->vars) +
		CanonicalSize(&intent);
}

/* Is a value small and flat enough to be in the document? If so, takes room for it. */
static bool
TakesRoom(const JsonView *value, Size *room)
{
	Size		size;

	if (value->type == JVIEW_ABSENT || JsonViewIsDeeper(value, IO_MAX_DEPTH))
		return false;
	size = CanonicalSize(value);
	if (size > (Size) answer_eval_plan_io_limit * 1024 || size > *room)
		return false;
	*room -= size;
	return true;
}

static JsonView
TraceView(const PlanDocument *document, Size *room)
{
	Size		left = *room;
	JsonView	view = JsonViewNewArray(document->nrecords);

	for (int i = 0; i < document->nrecords; i++)
	{
		const FollowRecord *record = &document->records[i];
		JsonView	entry = JsonViewNewObject(3);

		CHECK_FOR_INTERRUPTS();
		JsonViewSet(&entry, "event", record->event);
		if (TakesRoom(&record->inputs, &left))
			JsonViewSet(&entry, "inputs", record->inputs);
		if (TakesRoom(&record->outputs, &left))
			JsonViewSet(&entry, "outputs", record->outputs);
		JsonViewAppend(&view, entry);
	}
	*room -= left;
	return view;
}

static JsonView
ReasonView(const Course *course)
{
	JsonView	view = JsonViewNewObject(3);
	Span		id;

	if (course->reason.kind == NULL)
		return JsonViewNull();
	JsonViewSet(&view, "kind", JsonViewCString(course->reason.kind));
	JsonViewSet(&view, "message", course->reason.message ? JsonViewCString(course->reason.message) : JsonViewNull());
	if (course->reason.node >= 0)
	{
		id = course->plan->nodes[course->reason.node].id;
		JsonViewSet(&view, "node", JsonViewString(id.str, id.len));
	}
	return view;
}

static JsonView
ResponseView(const Course *course, JsonView trace_id)
{
	JsonView	view;

	if (course->response.type != JVIEW_OBJECT)
		return JsonViewNull();
	view = JsonViewCopyWithout(&course->response, NULL, 0, 2);
	JsonViewSet(&view, "budget_used", CourseUsedView(course));
	JsonViewSet(&view, "trace_id", trace_id);
	return view;
}

static bool
NamesTool(const Course *course, const char *name)
{
	for (int i = 0; i < course->plan->nnodes; i++)
	{
		if (course->plan->nodes[i].tool && SpanEqualCString(course->plan->nodes[i].tool->name, name))
			return true;
	}
	return false;
}

/* Adds the digest of the rules by which claims were verified. */
static void
AddRulesDigest(const PlanDocument *document, JsonView *digests)
{
	for (int i = 0; i < document->nrecords; i++)
	{
		Span		digest = PlanRulesDigest(&document->records[i]);

		if (digest.len == 0)
			continue;
		JsonViewSet(digests, "decision_rules", JsonViewString(digest.str, digest.len));
		return;
	}
}

static JsonView
PlanReproducedBy(const PlanDocument *document, const Course *course)
{
	JsonView	rules = JsonViewNewArray(4);
	JsonView	digests = JsonViewNewObject(1);
	JsonView	digest;

	JsonViewAppend(&rules, JsonViewCString(PLAN_RULE));
	JsonViewAppend(&rules, JsonViewCString(CONFIDENCE_RULE));
	if (NamesTool(course, TOOL_VERIFY))
		JsonViewAppend(&rules, JsonViewCString(GROUND_VERIFY_METHOD));
	JsonViewAppend(&rules, JsonViewCString(TEXT_RULE));
	AddRulesDigest(document, &digests);
	if (JsonViewGetMember(&document->request, "plan_digest", &digest))
		JsonViewSet(&digests, "plan", digest);
	return ReproduceView(rules, digests, document->is_uncommitted);
}

/* The members that follow from the rest of a document, in the order in which a replay compares them. */
static const char *const recomputed_members[] = {"predicted", "degradation", "verdict", "reason", "response",
	"caveats", "budget_used"};

static void
SetRecomputed(JsonView *body, const Course *course, JsonView trace_id)
{
	JsonViewSet(body, "predicted", PriceView(&course->forecast.predicted));
	JsonViewSet(body, "degradation", DegradationView(&course->forecast));
	JsonViewSet(body, "verdict", JsonViewCString(plan_verdict_labels[course->verdict]));
	JsonViewSet(body, "reason", ReasonView(course));
	JsonViewSet(body, "response", ResponseView(course, trace_id));
	JsonViewSet(body, "caveats", course->caveats);
	JsonViewSet(body, "budget_used", CourseUsedView(course));
}

/*
 * Returns by how much the canonical form of a body exceeds what can be minted.  The
 * plan, its events, inputs and outputs were counted when they came.  The rest is
 * counted here, and everything is counted only if the sum is near the limit.
 */
static Size
OversizeOf(const JsonView *body, Size told)
{
	static const char *const others[] = {"request", "origin", "summary", "rules", "reason", "response", "caveats"};
	Size		most = DOCUMENT_MAX_SIZE - DOCUMENT_FRAME_SIZE;
	Size		size;

	for (Size i = 0; i < lengthof(others); i++)
	{
		JsonView	member;

		if (JsonViewGetMember(body, others[i], &member))
			told += CanonicalSizePortable(&member);
	}
	if (told <= DOCUMENT_MAX_SIZE / 2)
		return 0;
	size = CanonicalSizePortable(body);
	return size > most ? size - most : 0;
}

/* Adds rules that are not shipped, as the differences from shipped ones. */
static void
AddRules(JsonView *body, const JsonView *rules)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	pinned;

	CanonicalDigest(rules, NULL, digest);
	pinned = PinnedRulesView(rules, digest);
	if (pinned.type != JVIEW_ABSENT)
		JsonViewSet(body, "rules", pinned);
}

Size
PlanDocumentSet(JsonView *body, const PlanDocument *document, const Course *course, const Trace *trace,
				Size *room)
{
	JsonView	trace_id = JsonViewCString(trace->id);

	if (document->intent.len > 0)
		JsonViewSet(body, "intent", JsonViewString(document->intent.str, document->intent.len));
	JsonViewSet(body, "plan_id", JsonViewString(trace->plan_id.str, trace->plan_id.len));
	JsonViewSet(body, "trace_id", trace_id);
	JsonViewSet(body, "evaluated_at", InstantView(document->evaluated_at));
	JsonViewSet(body, "plan", document->plan);
	JsonViewSet(body, "vars", document->vars);
	JsonViewSet(body, "request", document->request);
	JsonViewSet(body, "tools", document->tools);
	JsonViewSet(body, "limits", PlanLimitsView(&document->limits));
	JsonViewSet(body, "policy", PlanPolicyView(&course->policy));
	if (course->measured.type == JVIEW_OBJECT)
		JsonViewSet(body, "measured", course->measured);
	if (document->terms.are_known)
		JsonViewSet(body, "origin", OriginTermsView(&document->terms));
	if (document->summary.type == JVIEW_OBJECT)
		JsonViewSet(body, "summary", document->summary);
	if (document->rules.type == JVIEW_OBJECT)
		AddRules(body, &document->rules);
	JsonViewSet(body, "trace", TraceView(document, room));
	JsonViewSet(body, "last_event", trace->nevents > 0 ? JsonViewCString(trace->last) : JsonViewNull());
	SetRecomputed(body, course, trace_id);
	JsonViewSet(body, "reproduce", PlanReproducedBy(document, course));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
	return OversizeOf(body, document->base + trace->size + *room);
}

/*
 * closure
 */

/* Returns the events of a document, an array; absent if it is malformed. */
static JsonView
EventsOf(const JsonView *document)
{
	JsonView	trace;
	JsonView	events = {.type = JVIEW_ABSENT};

	if (!JsonViewGetMember(document, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return events;
	events = JsonViewNewArray(JsonViewCount(&trace));
	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);
		JsonView	event = JsonViewUnder(&entry, "event");

		JsonViewAppend(&events, event.type == JVIEW_ABSENT ? JsonViewNull() : event);
	}
	return events;
}

static const char *
PlanClosureProblem(const JsonView *document)
{
	static const char *const same[] = {"plan_id", "trace_id", "tenant"};
	char		last[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	events = EventsOf(document);
	JsonView	plan;
	JsonView	stated;
	JsonView	first;
	JsonView	last_event;
	const char *problem;

	if (events.type == JVIEW_ABSENT)
		return "trace is missing or no array";
	if (!JsonViewGetMember(document, "plan", &plan) || plan.type != JVIEW_OBJECT)
		return "plan is missing or no object";
	problem = TraceChainProblem(&events, last);
	if (problem)
		return problem;
	for (size_t i = 0; i < lengthof(same) && JsonViewCount(&events) > 0; i++)
	{
		JsonView	of_event = {.type = JVIEW_ABSENT};
		JsonView	of_document = JsonViewUnder(document, same[i]);

		JsonViewElement(&events, 0, &first);
		(void) JsonViewGetMember(&first, same[i], &of_event);
		if (!ReportIsSame(&of_document, &of_event))
			return psprintf("the trace has another %s", same[i]);
	}
	last_event = last[0] ? JsonViewCString(last) : JsonViewNull();
	(void) JsonViewGetMember(document, "last_event", &stated);
	if (!ReportIsSame(&stated, &last_event))
		return "last_event is not the digest of the last event";
	(void) JsonViewGetMember(&plan, "plan_id", &first);
	(void) JsonViewGetMember(document, "plan_id", &stated);
	if (!ReportIsSame(&stated, &first))
		return "plan_id is not that of the plan";
	return NULL;
}

/*
 * replay
 */

/* State of a replay. */
typedef struct Replay
{
	const JsonView *document;
	Course		course;
	JsonView	differences;
	bool		is_incomplete;
	JsonView	rules;			/* rules of the document, completed; absent: none */
	const char *lacking;		/* digest of rules that are not available, or NULL */
	TimestampTz evaluated_at;
	bool		is_earlier;		/* were claims verified by the earlier rule? */
	int			event;			/* index of the current event */
} Replay;

static JsonView
DocumentMember(const Replay *replay, const char *name)
{
	JsonView	member = JsonViewUnder(replay->document, name);

	return member;
}

/* Is "measured" empty if the request asks for declared latencies? */
static bool
BasisHolds(const JsonView *request, const JsonView *measured)
{
	JsonView	basis;

	return request->type != JVIEW_OBJECT || !JsonViewGetMember(request, "basis", &basis) ||
		measured->type != JVIEW_OBJECT || JsonViewCount(measured) == 0;
}

/* Returns a digest as text; a malformed one names nothing. */
static const char *
DigestOrNone(Span digest)
{
	return IsDigestText(digest.str, digest.len) ? pnstrdup(digest.str, digest.len) : "without a digest";
}

/* Recomputes plan, forecast and thresholds. Returns NULL, or why that is not possible. */
static const char *
ReplayBegin(Replay *replay)
{
	JsonView	plan = DocumentMember(replay, "plan");
	JsonView	tools = DocumentMember(replay, "tools");
	JsonView	vars = DocumentMember(replay, "vars");
	JsonView	limits_view = DocumentMember(replay, "limits");
	JsonView	policy_view = DocumentMember(replay, "policy");
	JsonView	origin_view = DocumentMember(replay, "origin");
	JsonView	request = DocumentMember(replay, "request");
	JsonView	measured = DocumentMember(replay, "measured");
	JsonView	rules = DocumentMember(replay, "rules");
	JsonView	instant = DocumentMember(replay, "evaluated_at");
	PlanLimits	limits;
	EvidencePolicy policy;
	OriginTerms terms;

	if (!PlanLimitsOfView(&limits_view, &limits))
		return "limits are missing or malformed";
	if (!PlanPolicyOfView(&policy_view, &policy))
		return "policy is missing or malformed";
	if (!OriginTermsOfView(&origin_view, &terms))
		return "origin is malformed";
	if (tools.type != JVIEW_OBJECT)
		return "tools is missing or no object";
	if (CourseBegin(&replay->course, &plan, &tools, &vars, &policy, &terms) != NULL)
		return "the plan is not valid for its tools";
	replay->course.texts_of_few = !DocumentNamesRule(replay->document, TEXT_RULE);
	CourseTakeRequest(&replay->course, &request);
	if (replay->course.policy.is_regulated != policy.is_regulated ||
		NumberCompare(replay->course.policy.min_confidence, policy.min_confidence) != 0)
		return "the policy is laxer than the plan";
	if (!CourseMeasure(&replay->course, &measured) || !BasisHolds(&request, &measured))
		return "measured is malformed";
	if (!InstantOfView(&instant, &replay->evaluated_at))
		return "evaluated_at is missing or no instant";
	replay->rules = PinnedRulesWhole(&rules);
	if (policy.freshness.are_known)
	{
		const DecisionRules *found = FindRulesOfResult(policy.freshness.rules, &replay->rules);

		/* without the rules even the arguments of a step are unknown */
		if (found == NULL && CourseNeedsRules(&replay->course))
			replay->lacking = DigestOrNone(policy.freshness.rules);
		CourseTakeClock(&replay->course, replay->evaluated_at, found);
	}
	CourseForecast(&replay->course, &limits);
	return NULL;
}

static JsonView
NewDifference(const char *field, const char *reason)
{
	JsonView	difference = JsonViewNewObject(4);

	JsonViewSet(&difference, "field", JsonViewCString(field));
	JsonViewSet(&difference, "reason", JsonViewCString(reason));
	return difference;
}

static void
AddDifference(Replay *replay, const char *field, const char *reason)
{
	JsonViewAppend(&replay->differences, NewDifference(field, reason));
}

/* Adds a difference, with the expected and the stated value; absent: there is no single value. */
static void
AddDifferenceOf(Replay *replay, const char *field, const JsonView *expected, const JsonView *found)
{
	JsonView	difference = NewDifference(field, REPORT_DIFFERS);

	if (expected->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "expected", ReportableView(expected, true));
	if (found->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "found", ReportableView(found, false));
	JsonViewAppend(&replay->differences, difference);
}

/* Checks that an event is the next degradation. Otherwise returns false and adds the difference. */
static bool
FollowDegradation(Replay *replay, const JsonView *event, int *ndegraded)
{
	const PlanForecast *forecast = &replay->course.forecast;
	JsonView	step = JsonViewUnder(event, "step");
	JsonView	k = JsonViewUnder(event, "k");
	JsonView	expected = JsonViewNull();
	JsonView	expected_k = JsonViewNull();
	bool		is_one = *ndegraded < forecast->nsteps;

	if (is_one)
	{
		expected = JsonViewCString(degradation_labels[forecast->steps[*ndegraded].step]);
		if (forecast->steps[*ndegraded].k > 0)
			expected_k = JsonViewInteger(forecast->steps[*ndegraded].k);
		(*ndegraded)++;
	}
	if (is_one && ReportIsSame(&step, &expected) && ReportIsSame(&k, &expected_k))
		return true;
	if (is_one && ReportIsSame(&step, &expected))
		AddDifferenceOf(replay, psprintf("trace[%d].event.k", replay->event), &expected_k, &k);
	else
		AddDifferenceOf(replay, psprintf("trace[%d].event.step", replay->event), &expected, &step);
	return false;
}

/*
 * Checks the charge of a step.  The cost must be that of its calls.  Unless the
 * tool was measured, the latency must be at least theirs.
 */
static bool
ChargeHolds(const FollowRecord *record, const FollowReport *report)
{
	JsonView	outcome;
	PlanPrice	charged = {int64_to_numeric(0), int64_to_numeric(0)};
	Numeric		ncalls = int64_to_numeric(report->ncalls);

	if (!AddAmount(&record->event, "cost_usd", &charged.cost) ||
		!AddAmount(&record->event, "latency_ms", &charged.latency))
		return false;
	(void) JsonViewGetMember(&record->event, "outcome", &outcome);
	/* a successful step made all of its calls; another one perhaps not */
	if (JsonViewStringIs(&outcome, step_outcome_labels[STEP_OK]))
		return NumberCompare(charged.cost, NumberCall(numeric_mul, report->price.cost, ncalls)) == 0 &&
			(report->is_measured ||
			 NumberCompare(charged.latency, NumberCall(numeric_mul, report->price.latency, ncalls)) >= 0);
	return NumberCompare(charged.cost, NumberCall(numeric_mul, report->price.cost, ncalls)) <= 0;
}

/*
 * Adds the difference between the charge of a step and the price of its calls,
 * which is the maximum if the step failed.
 */
static void
AddChargeDifference(Replay *replay, const FollowRecord *record, const FollowReport *report)
{
	Numeric		ncalls = int64_to_numeric(report->ncalls);
	JsonView	cost = JsonViewOfNumeric(NumberCall(numeric_mul, report->price.cost, ncalls));
	JsonView	latency = JsonViewOfNumeric(NumberCall(numeric_mul, report->price.latency, ncalls));
	JsonView	found_cost = JsonViewUnder(&record->event, "cost_usd");
	JsonView	found_latency = JsonViewUnder(&record->event, "latency_ms");

	if (ReportIsSame(&found_cost, &cost))
		AddDifferenceOf(replay, psprintf("trace[%d].event.latency_ms", replay->event), &latency, &found_latency);
	else
		AddDifferenceOf(replay, psprintf("trace[%d].event.cost_usd", replay->event), &cost, &found_cost);
}

static ToolReplay
ReplayCall(const Replay *replay, Span tool, const JsonView *args, const JsonView *result, JsonView *again)
{
	return ReplayTool(tool, args, result, &replay->rules, replay->evaluated_at, again);
}

/* Recomputes the results of a shipped tool; false if one differs. */
static bool
ReplayCallsOfStep(Replay *replay, const FollowRecord *record)
{
	JsonView	tool = JsonViewUnder(&record->event, "tool");
	JsonView	outcome = JsonViewUnder(&record->event, "outcome");
	JsonView	op = JsonViewUnder(&record->event, "op");
	JsonView	expected = {.type = JVIEW_ABSENT};
	ToolReplay again = TOOL_SAME;
	bool		is_map;

	is_map = JsonViewStringIs(&op, plan_op_labels[PLAN_MAP]);
	if (tool.type != JVIEW_STRING || !JsonViewStringIs(&outcome, step_outcome_labels[STEP_OK]))
		return true;
	for (int i = 0; i < (is_map ? JsonViewCount(&record->inputs) : 1) && again == TOOL_SAME; i++)
	{
		JsonView	args = record->inputs;
		JsonView	result = record->outputs;

		if (is_map)
		{
			JsonViewElement(&record->inputs, i, &args);
			JsonViewElement(&record->outputs, i, &result);
		}
		again = ReplayCall(replay, SpanOf(tool.str, tool.len), &args, &result, &expected);
	}
	if (again == TOOL_INCOMPLETE && replay->lacking == NULL)
		replay->lacking = DigestOrNone(PlanRulesDigest(record));
	if (again == TOOL_EARLIER)
		replay->is_earlier = true;
	if (again == TOOL_DIFFERS)
		AddDifferenceOf(replay, psprintf("trace[%d].outputs", replay->event), &expected, &record->outputs);
	return again != TOOL_DIFFERS;
}

/* Follows one record; false if the following ones cannot be followed. */
static bool
FollowRecordOf(Replay *replay, const FollowRecord *record, int *ndegraded)
{
	JsonView	type = JsonViewUnder(&record->event, "type");
	FollowReport report;

	PlanAddCharge(&record->event, &replay->course.used);
	if (JsonViewStringIs(&type, "recovered"))
		return true;
	if (JsonViewStringIs(&type, "degradation"))
		return FollowDegradation(replay, &record->event, ndegraded);

	if (CourseFollow(&replay->course, record, &report))
	{
		if (ChargeHolds(record, &report))
			return ReplayCallsOfStep(replay, record);
		AddChargeDifference(replay, record, &report);
		return false;
	}
	if (report.is_incomplete)
		replay->is_incomplete = true;
	else
		AddDifferenceOf(replay, psprintf("trace[%d].event.%s", replay->event, report.field),
						&report.expected, &report.found);
	return false;
}

/* Follows the trace, event by event; false if the end was not reached. */
static bool
ReplayTrace(Replay *replay)
{
	JsonView	trace = DocumentMember(replay, "trace");
	int			ndegraded = 0;

	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);
		FollowRecord record;

		CHECK_FOR_INTERRUPTS();
		memset(&record, 0, sizeof(record));
		if (entry.type != JVIEW_OBJECT || !JsonViewGetMember(&entry, "event", &record.event) ||
			record.event.type != JVIEW_OBJECT)
		{
			AddDifference(replay, psprintf("trace[%d]", i), "is no object with an event");
			return false;
		}
		(void) JsonViewGetMember(&entry, "inputs", &record.inputs);
		(void) JsonViewGetMember(&entry, "outputs", &record.outputs);
		replay->event = i;
		if (!FollowRecordOf(replay, &record, &ndegraded))
			return false;
	}
	return true;
}

/* Accepts reasons that do not follow from the document: others' budgets, the end of a session. */
static bool
TakeOutsideReason(Replay *replay)
{
	static const char *const refused[] = {"budget", "budget_busy"};
	static const char *const failed[] = {"recovered", "expired", "size"};
	JsonView	reason = DocumentMember(replay, "reason");
	JsonView	kind;
	JsonView	message = {.type = JVIEW_ABSENT};
	JsonView	node;
	int			number = -1;

	if (reason.type != JVIEW_OBJECT || !JsonViewGetMember(&reason, "kind", &kind))
		return false;
	(void) JsonViewGetMember(&reason, "message", &message);
	if (JsonViewGetMember(&reason, "node", &node) && node.type == JVIEW_STRING)
		number = PlanFindNode(replay->course.plan, SpanOf(node.str, node.len));
	for (size_t i = 0; i < lengthof(failed); i++)
	{
		bool		is_refused = i < lengthof(refused) && JsonViewStringIs(&kind, refused[i]);

		if (!is_refused && !JsonViewStringIs(&kind, failed[i]))
			continue;
		CourseStop(&replay->course, is_refused ? PLAN_REFUSED : PLAN_FAILED, is_refused ? refused[i] : failed[i],
				   message.type == JVIEW_STRING ? pnstrdup(message.str, message.len) : NULL, number);
		return true;
	}
	return false;
}

/* Compares what was recomputed with what is stated. */
static void
CompareRecomputed(Replay *replay)
{
	JsonView	recomputed = JsonViewNewObject(lengthof(recomputed_members));

	SetRecomputed(&recomputed, &replay->course, DocumentMember(replay, "trace_id"));
	for (size_t i = 0; i < lengthof(recomputed_members); i++)
	{
		JsonView	stated = DocumentMember(replay, recomputed_members[i]);
		JsonView	again = JsonViewUnder(&recomputed, recomputed_members[i]);

		if (!ReportIsSame(&stated, &again))
			AddDifferenceOf(replay, recomputed_members[i], &again, &stated);
	}
}

/* Recomputes a summary that replaced the plan. */
static void
Summarize(Replay *replay)
{
	JsonView	summary = DocumentMember(replay, "summary");

	if (!replay->course.forecast.is_summary || replay->course.is_over)
		return;
	if (!PlanSummarize(&replay->course, &summary))
		AddDifference(replay, "summary", "is missing, or no evidence to answer from");
	replay->course.used = replay->course.forecast.predicted;
}

/* Replays a document. Returns NULL, or what is wrong. */
static const char *
PlanReplayProblem(Replay *replay)
{
	const char *problem = PlanClosureProblem(replay->document);
	CourseStep	step;

	replay->differences = JsonViewNewArray(0);
	if (problem == NULL)
		problem = ReplayBegin(replay);
	if (problem)
		return psprintf("nothing can be made again: %s", problem);
	if (replay->lacking)
		return NULL;
	if (ReplayTrace(replay))
	{
		/* it ran to its end, or something outside ended it */
		CourseLeaveDepth(&replay->course);
		Summarize(replay);
		if (!replay->course.is_over && !TakeOutsideReason(replay))
		{
			if (CourseNext(&replay->course, &step))
				AddDifference(replay, "trace", "the plan goes on after it");
			CourseEnd(&replay->course);
		}
		CompareRecomputed(replay);
	}
	return JsonViewCount(&replay->differences) > 0 ? REPORT_DIFFERS : NULL;
}

/* Returns the report. A full replay also says whether it is incomplete. */
static JsonView
ReplayPlan(const JsonView *document)
{
	Replay		replay = {.document = document};
	JsonView	report = ReportStep(PlanReplayProblem(&replay));

	if (JsonViewCount(&replay.differences) > 0)
		JsonViewSet(&report, "differences", replay.differences);
	if (replay.is_earlier && !replay.is_incomplete)
		JsonViewSet(&report, "incomplete", JsonViewCString("rules " GROUND_VERIFY_EARLIER));
	else if (replay.lacking && !replay.is_incomplete)
		JsonViewSet(&report, "incomplete", JsonViewCString(psprintf("rules %s", replay.lacking)));
	if (replay.is_incomplete)
		JsonViewSet(&report, "incomplete", JsonViewCString("inputs or outputs were left out of the document for their size"));
	return report;
}

/*
 * the kind
 */

/* Returns the greatest of the given weight and those of an evidence's contradictions. */
static Numeric
GreatestWeight(const JsonView *value, Numeric greatest)
{
	JsonView	evidence;
	JsonView	contradicts;
	Numeric		weight;

	if (value->type == JVIEW_ARRAY)
	{
		/* a map has one result per call */
		for (int i = 0; i < JsonViewCount(value); i++)
		{
			JsonView	result = JsonViewAt(value, i);

			if (result.type == JVIEW_OBJECT)
				greatest = GreatestWeight(&result, greatest);
		}
		return greatest;
	}
	if (value->type != JVIEW_OBJECT)
		return greatest;
	if (!JsonViewGetMember(value, "evidence", &evidence) || evidence.type != JVIEW_OBJECT)
		evidence = *value;
	if (!JsonViewGetMember(&evidence, "contradicts", &contradicts) || contradicts.type != JVIEW_ARRAY)
		return greatest;
	for (int i = 0; i < JsonViewCount(&contradicts); i++)
	{
		JsonView	entry = JsonViewAt(&contradicts, i);
		JsonView	number;

		if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "weight", &number) &&
			AmountOfView(&number, &weight) && NumberCompare(weight, greatest) > 0)
			greatest = weight;
	}
	return greatest;
}

/*
 * Returns the weight of what contradicts a plan's evidence: for an answer, of the
 * evidence that its text rests on, else the greatest among its steps.
 */
static Numeric
WeightOf(const JsonView *body, const JsonView *response)
{
	Numeric		greatest = int64_to_numeric(0);
	JsonView	member;
	JsonView	number;
	JsonView	trace;

	if (response->type == JVIEW_OBJECT)
	{
		if (JsonViewGetMember(response, "evidence", &member) && member.type == JVIEW_OBJECT &&
			JsonViewGetMember(&member, "contradictions", &number))
			(void) AmountOfView(&number, &greatest);
		return greatest;
	}
	if (!JsonViewGetMember(body, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return greatest;
	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);

		if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "outputs", &member))
			greatest = GreatestWeight(&member, greatest);
	}
	return greatest;
}

/* Counts the calls of tools, their outcomes, and how long they took. */
static void
CountSteps(const JsonView *body, KindColumns *columns)
{
	JsonView	trace;

	if (!JsonViewGetMember(body, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	entry = JsonViewAt(&trace, i);
		JsonView	event;
		JsonView	member;
		Span		tool;
		Span		outcome;
		Numeric		latency;
		char	   *text;
		Span		word;

		if (entry.type != JVIEW_OBJECT || !JsonViewGetMember(&entry, "event", &event) || event.type != JVIEW_OBJECT ||
			!JsonViewGetString(&event, "tool", &tool) ||
			!JsonViewGetString(&event, "outcome", &outcome))
			continue;
		text = psprintf("%.*s %.*s", tool.len, tool.str, outcome.len, outcome.str);
		word = SpanOf(text, strlen(text));
		KindCountWord(columns, "call", word, 1);
		if (JsonViewGetMember(&event, "latency_ms", &member) && AmountOfView(&member, &latency) &&
			NumberCompare(latency, int64_to_numeric(PG_INT32_MAX)) < 0)
		{
			KindCountWord(columns, "ms", word, DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(latency))));
			KindCountWord(columns, "timed", word, 1);
		}
	}
}

static bool
HasCaveat(const JsonView *body, const char *code)
{
	JsonView	caveats;

	if (!JsonViewGetMember(body, "caveats", &caveats) || caveats.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&caveats); i++)
	{
		JsonView	caveat = JsonViewAt(&caveats, i);
		JsonView	member;

		if (caveat.type == JVIEW_OBJECT && JsonViewGetMember(&caveat, "code", &member) && JsonViewStringIs(&member, code))
			return true;
	}
	return false;
}

/*
 * Is a text from a step that quotes?  If the document judges texts, any other text
 * has the statuses of its sentences, or the caveat that nobody has judged it.
 */
static bool
TextIsQuoted(const JsonView *body, Span text)
{
	JsonView	trace;
	JsonView	policy;

	if (JsonViewGetMember(body, "policy", &policy) && policy.type == JVIEW_OBJECT &&
		JsonViewGetMember(&policy, "freshness_days", &trace))
		return !HasCaveat(body, TEXT_NOT_JUDGED_CODE);
	if (!JsonViewGetMember(body, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return false;
	for (int i = JsonViewCount(&trace) - 1; i >= 0; i--)
	{
		JsonView	entry = JsonViewAt(&trace, i);
		JsonView	event;
		JsonView	outputs;
		JsonView	tool;
		Span		said;

		CHECK_FOR_INTERRUPTS();
		if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "event", &event) && event.type == JVIEW_OBJECT &&
			JsonViewGetMember(&event, "tool", &tool) && JsonViewStringIs(&tool, TOOL_SYNTH) &&
			JsonViewGetMember(&entry, "outputs", &outputs) && outputs.type == JVIEW_OBJECT &&
			JsonViewGetString(&outputs, "text", &said) && SpanEqual(said, text))
			return true;
	}
	return false;
}

/* Returns the number of markers such as "[1]" in a text. */
static int
CountMarkers(Span text)
{
	int			count = 0;

	for (int i = 0; i < text.len; i++)
	{
		int			end = i + 1;

		if (text.str[i] != '[')
			continue;
		while (end < text.len && text.str[end] >= '0' && text.str[end] <= '9')
			end++;
		count += end > i + 1 && end < text.len && text.str[end] == ']';
		i = end - 1;
	}
	return count;
}

/*
 * Counts the sentences of a text.  Text that we quoted has exactly one marker after
 * each quote, because bracketed numbers in quotes are put in parentheses.  A text
 * without statuses counts as one sentence that nobody has judged.  So does a text
 * without words: it answers nothing.
 */
static void
CountText(const JsonView *body, const JsonView *response, KindColumns *columns)
{
	JsonView	sentences;
	Span		text;

	if (!JsonViewGetString(response, "text", &text))
		return;
	if (JsonViewGetMember(response, "sentences", &sentences) && sentences.type == JVIEW_ARRAY && JsonViewCount(&sentences) > 0)
	{
		KindCountSentences(columns, &sentences);
		return;
	}
	columns->sentences = 1;
	if (TrimWhiteSpace(text).len == 0 || !TextIsQuoted(body, text))
		return;
	columns->sentences = Max(CountMarkers(text), 1);
	columns->grounded = columns->sentences;
}

/* Adds the pairs in an array of needs or judgements. */
static void
AddPairs(const JsonView *evidence, const char *member, KindColumns *columns)
{
	JsonView	list;

	if (!JsonViewGetMember(evidence, member, &list) || list.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&list); i++)
	{
		JsonView	entry = JsonViewAt(&list, i);
		Span		pair;

		CHECK_FOR_INTERRUPTS();
		if (entry.type == JVIEW_OBJECT && JsonViewGetString(&entry, "pair", &pair))
			KindAddPair(columns, pair);
	}
}

/* Finds the evidence that a step of a trace returned; false if there is none. */
static bool
EvidenceOfStep(const JsonView *trace, int i, JsonView *evidence)
{
	JsonView	entry = JsonViewAt(trace, i);
	JsonView	outputs;

	return entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "outputs", &outputs) && outputs.type == JVIEW_OBJECT &&
		JsonViewGetMember(&outputs, "evidence", evidence) && evidence->type == JVIEW_OBJECT;
}

/* Adds the pairs of all evidence: a claim of the plan, and a snippet that was found for it. */
static void
AddPairsOfSteps(const JsonView *body, KindColumns *columns)
{
	JsonView	trace;

	if (!JsonViewGetMember(body, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	evidence;

		if (!EvidenceOfStep(&trace, i, &evidence))
			continue;
		AddPairs(&evidence, "to_judge", columns);
		AddPairs(&evidence, "judgements", columns);
	}
}

/* Counts a plan that gives an answer. */
static void
CountGiven(const JsonView *body, const JsonView *response, KindColumns *columns)
{
	JsonView	member;
	JsonView	value;

	columns->contradicted = NumberCompare(WeightOf(body, response), int64_div_fast_to_numeric(CONTRADICTED_HUNDREDTHS, 2)) > 0;
	columns->unjudged = HasCaveat(body, NOT_JUDGED_CODE) || HasCaveat(body, TEXT_NOT_JUDGED_CODE);
	if (response->type == JVIEW_OBJECT)
	{
		columns->citation_given = JsonViewGetMember(response, "citations", &member) &&
			member.type == JVIEW_ARRAY && JsonViewCount(&member) > 0;
		CountText(body, response, columns);
		if (JsonViewGetMember(response, "evidence", &member) && member.type == JVIEW_OBJECT)
			columns->citation_required = JsonViewGetMember(&member, "needs_citation", &value) &&
				value.type == JVIEW_BOOL && value.boolean;
		else
			columns->citation_required = JsonViewGetMember(body, "policy", &member) && member.type == JVIEW_OBJECT &&
				JsonViewGetMember(&member, "regulated", &value) && value.type == JVIEW_BOOL && value.boolean;
	}
	columns->supported = KindIsSupported(columns);
	AddPairsOfSteps(body, columns);
}

/*
 * Fills what the dashboard counts of a plan.  A failed plan is not an answer.  A
 * plan that was blocked because of a contradiction has prevented a contradicted
 * answer, and nobody was given one.
 */
static void
CountPlan(const JsonView *body, KindColumns *columns)
{
	JsonView	response = JsonViewUnder(body, "response");
	JsonView	member;
	JsonView	value;
	Span		reason = {NULL, 0};

	if (JsonViewGetMember(body, "budget_used", &member) && member.type == JVIEW_OBJECT &&
		JsonViewGetMember(&member, "cost_usd", &value))
		(void) AmountOfView(&value, &columns->cost);
	if (JsonViewGetMember(body, "reason", &member) && member.type == JVIEW_OBJECT &&
		JsonViewGetString(&member, "kind", &reason))
		KindCountWord(columns, "reason", reason, 1);
	CountSteps(body, columns);
	if (SpanEqualCString(columns->verdict, plan_verdict_labels[PLAN_FAILED]))
		return;
	columns->is_answer = true;
	columns->given = SpanEqualCString(columns->verdict, plan_verdict_labels[PLAN_ANSWERED]);
	if (columns->given)
	{
		CountGiven(body, &response, columns);
		return;
	}
	KindSetRefusal(columns, reason.len > 0 ? reason : columns->verdict);
	columns->prevented = SpanEqualCString(reason, "conflict") || SpanEqualCString(reason, "misquoted") ||
		SpanEqualCString(reason, "contradicted");
}

static bool
ReadPlanColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	response;
	JsonView	evidence;
	JsonView	confidence;
	JsonView	degradation;
	Numeric		number;

	if (!JsonViewGetString(body, "verdict", &columns->verdict) ||
		!JsonViewGetMember(body, "degradation", &degradation) || degradation.type != JVIEW_ARRAY)
		return false;
	columns->has_degraded = true;
	columns->degraded = JsonViewCount(&degradation) > 0;
	(void) JsonViewGetString(body, "intent", &columns->intent);
	if (JsonViewGetMember(body, "response", &response) && response.type == JVIEW_OBJECT &&
		JsonViewGetMember(&response, "evidence", &evidence) && evidence.type == JVIEW_OBJECT &&
		JsonViewGetMember(&evidence, "confidence", &confidence) && AmountOfView(&confidence, &number))
	{
		columns->has_confidence = true;
		columns->confidence = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(number)));
	}
	CountPlan(body, columns);
	return true;
}

/* The evidence of the steps. */
static void
VisitJudged(const JsonView *document, KindVisitor visit, void *arg)
{
	JsonView	trace;

	if (!JsonViewGetMember(document, "trace", &trace) || trace.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&trace); i++)
	{
		JsonView	evidence;

		CHECK_FOR_INTERRUPTS();
		if (EvidenceOfStep(&trace, i, &evidence))
			DecisionVisitJudged(&evidence, visit, arg);
	}
}

static const char *const plan_members[] = {"plan_id", "trace_id", "evaluated_at", "plan", "vars", "request",
	"tools", "limits", "predicted", "degradation", "policy", "trace", "last_event", "verdict", "reason",
	"response", "caveats", "budget_used", "reproduce", NULL};

const DocumentKind plan_kind = {
	.schema = PLAN_SCHEMA,
	.prefix = PLAN_ID_PREFIX,
	.members = plan_members,
	.closure_problem = PlanClosureProblem,
	.verify_replay = ReplayPlan,
	.replay = ReplayPlan,
	.read_columns = ReadPlanColumns,
	.may_be_cached = true,
	.quotes = "CASE WHEN r.schema OPERATOR(pg_catalog.=) '" PLAN_SCHEMA "' THEN answer.quotes_document(r.body, $1, " QUOTED_URLS ") END",
	.erasure = &trace_erasure,
	.visit_judged = VisitJudged
};
