/*-------------------------------------------------------------------------
 *
 * gate.c
 *		The gate: decides whether a run is good enough.
 *
 * Rule: doc/spec/gate.md §4.  Pure, except for the SQL interface at the end: the record of a
 * promotion contains its runs and rules, and is judged again by this function.
 *
 * Promises: rates are compared by their exact counts, not by their displayed values; equality
 * passes.  What cannot be judged is inconclusive, which is not a pass; a failure takes
 * precedence over it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "gate/suite_case.h"
#include "gate/gate.h"
#include "gate/metrics.h"
#include "ground/decision_receipt.h"

#define MOST_NAMES	10000

typedef struct Gate
{
	JsonView	run;			/* briefs */
	JsonView	baseline;		/* absent: none */
	JsonView	failures;
	JsonView	inconclusive;
} Gate;

/* A count or rate that a rule can bound. */
typedef struct Measure
{
	const char *name;
	int64		n;
	int64		of;				/* 0: null */
	bool		is_count;		/* n is the value */
	bool		has_value;		/* the value is given directly */
	Numeric		value;
} Measure;

/*
 * briefs
 */

JsonView
RunBrief(const JsonView *run)
{
	static const char *const members[] = {"schema", "run_id", "suite", "config_digest", "engine_digest", "digest", "summary"};
	JsonView	brief = JsonViewNewObject(8);
	JsonView	outcomes;
	JsonView	member;
	int			count;

	for (size_t i = 0; i < lengthof(members); i++)
	{
		if (JsonViewGetMember(run, members[i], &member))
			JsonViewSet(&brief, members[i], member);
	}
	if (JsonViewGetMember(run, "receipt_id", &member))
		JsonViewSet(&brief, "run_id", member);
	if (!JsonViewGetMember(run, "cases", &member) || member.type != JVIEW_ARRAY)
		return *run;
	outcomes = JsonViewNewObject(JsonViewCount(&member));
	for (int i = 0; i < JsonViewCount(&member); i++)
	{
		JsonView	row = JsonViewAt(&member, i);
		Span		id;

		CHECK_FOR_INTERRUPTS();
		id = JsonViewMemberText(&row, "id");
		if (id.len > 0)
			JsonViewSetKey(&outcomes, id.str, id.len, JsonViewBool(JsonViewMemberIsTrue(&row, "passed")));
	}
	/* each case of another run is looked up in it */
	(void) JsonViewSortedMembers(&outcomes, &count);
	JsonViewSet(&brief, "outcomes", outcomes);
	return brief;
}

/* Returns the name of a run's suite. */
static Span
SuiteOf(const JsonView *brief)
{
	JsonView	suite;

	if (!JsonViewGetMember(brief, "suite", &suite))
		return SpanOfCString("");
	return JsonViewMemberText(&suite, "name");
}

static const char *
BriefProblem(const JsonView *brief, const char *what)
{
	JsonView	summary;
	JsonView	member;

	if (brief->type != JVIEW_OBJECT || !JsonViewGetMember(brief, "summary", &summary) ||
		summary.type != JVIEW_OBJECT || !JsonViewGetMember(&summary, "metrics", &member) ||
		member.type != JVIEW_OBJECT || !JsonViewGetMember(&summary, "slices", &member) ||
		member.type != JVIEW_OBJECT || !JsonViewGetMember(brief, "outcomes", &member) || member.type != JVIEW_OBJECT)
		return psprintf("%s is no run: it has no summary, or no cases", what);
	return NULL;
}

/*
 * measures
 */

static bool
CountOf(const JsonView *object, const char *key, int64 *count)
{
	JsonView	value;

	*count = 0;
	return object->type == JVIEW_OBJECT && JsonViewGetMember(object, key, &value) &&
		value.type == JVIEW_NUMBER && NumberIntegerBetween(&value, 0, PG_INT32_MAX, count);
}

static Measure
RateOf(const JsonView *summary, const char *name)
{
	Measure		measure = {.name = name};
	JsonView	metrics;
	JsonView	metric;

	if (JsonViewGetMember(summary, "metrics", &metrics) && metrics.type == JVIEW_OBJECT &&
		JsonViewGetMember(&metrics, name, &metric) && CountOf(&metric, "n", &measure.n))
		(void) CountOf(&metric, "of", &measure.of);
	return measure;
}

static Measure
CountMeasure(const JsonView *summary, const char *name)
{
	Measure		measure = {.name = name,.is_count = true};

	measure.of = CountOf(summary, name, &measure.n);
	return measure;
}

static Measure
AreaMeasure(const JsonView *summary)
{
	Measure		measure = {.name = "risk_coverage_area",.has_value = true};
	JsonView	curve;
	JsonView	area = {.type = JVIEW_ABSENT};

	if (JsonViewGetMember(summary, "risk_coverage", &curve) && curve.type == JVIEW_OBJECT &&
		JsonViewGetMember(&curve, "area", &area))
		area = NumberOfPortable(&area);
	measure.of = area.type == JVIEW_NUMBER && JsonViewNumeric(&area, &measure.value);
	return measure;
}

/* Returns a rate with four decimals, or a count, as text. */
static const char *
ShownMeasure(const Measure *measure)
{
	Numeric		shown;

	if (measure->is_count)
		return psprintf(INT64_FORMAT, measure->n);
	if (measure->has_value)
		shown = measure->value;
	else
		shown = RoundedQuotient(int64_to_numeric(measure->n), int64_to_numeric(measure->of));
	return DatumGetCString(DirectFunctionCall1(numeric_out,
											   DirectFunctionCall2(numeric_round, NumericGetDatum(shown), Int32GetDatum(4))));
}

static const char *
ShownBound(const JsonView *bound)
{
	PlainNumber plain;

	return NumberPlain(bound, &plain) ? pnstrdup(plain.text, plain.len) : "?";
}

/* Compares a measure with a bound: less than, equal to or greater than 0. */
static int
CompareMeasure(const Measure *measure, Numeric bound)
{
	if (measure->has_value)
		return NumberCompare(measure->value, bound);
	if (measure->is_count)
		return NumberCompare(int64_to_numeric(measure->n), bound);
	return NumberCompare(int64_to_numeric(measure->n), NumberCall(numeric_mul, bound, int64_to_numeric(measure->of)));
}

/*
 * judging
 */

static void
Tell(JsonView *list, const char *text)
{
	JsonViewAppend(list, JsonViewCString(text));
}

/* Judges one rule about a measure. */
static void
JudgeBound(Gate *gate, const char *where, const Measure *measure, const JsonView *given, bool is_min)
{
	JsonView	bound = NumberOfPortable(given);
	Numeric		value;
	int			order;

	if (bound.type != JVIEW_NUMBER || !JsonViewNumeric(&bound, &value))
		return;
	if (measure->of == 0)
	{
		Tell(&gate->inconclusive, psprintf("%s%s is null, %s %s cannot be judged", where, measure->name,
										   is_min ? "min" : "max", ShownBound(&bound)));
		return;
	}
	order = CompareMeasure(measure, value);
	if (is_min ? order < 0 : order > 0)
		Tell(&gate->failures, psprintf("%s%s %s %s %s %s", where, measure->name, ShownMeasure(measure),
									   is_min ? "<" : ">", is_min ? "min" : "max", ShownBound(&bound)));
}

/* Judges the bounds that the rules have for a measure. */
static void
JudgeMeasure(Gate *gate, const char *where, const JsonView *rules, Measure measure)
{
	JsonView	bound;

	if (JsonViewGetMember(rules, psprintf("min_%s", measure.name), &bound))
		JudgeBound(gate, where, &measure, &bound, true);
	if (JsonViewGetMember(rules, psprintf("max_%s", measure.name), &bound))
		JudgeBound(gate, where, &measure, &bound, false);
}

/* Judges the rules for the whole run, or for a slice. */
static void
JudgeSummary(Gate *gate, const char *where, const JsonView *rules, const JsonView *summary)
{
	JsonView	least;
	int64		cases = 0;
	int64		wanted;

	(void) CountOf(summary, "cases", &cases);
	if (JsonViewGetMember(rules, "min_cases", &least) && NumberIntegerBetween(&least, 0, PG_INT32_MAX, &wanted) &&
		cases < wanted)
		Tell(&gate->inconclusive, psprintf("%scases " INT64_FORMAT " < min " INT64_FORMAT, where, cases, wanted));
	for (int i = 0; i < METRICS_COUNT; i++)
		JudgeMeasure(gate, where, rules, RateOf(summary, metric_names[i]));
	JudgeMeasure(gate, where, rules, CountMeasure(summary, "unsafe_answers"));
	JudgeMeasure(gate, where, rules, CountMeasure(summary, "errors"));
}

static bool
SliceOf(const JsonView *brief, Span name, JsonView *slice)
{
	JsonView	summary;
	JsonView	slices;

	return brief->type == JVIEW_OBJECT && JsonViewGetMember(brief, "summary", &summary) &&
		JsonViewGetMember(&summary, "slices", &slices) && slices.type == JVIEW_OBJECT &&
		JsonViewGet(&slices, name.str, name.len, slice) && slice->type == JVIEW_OBJECT;
}

static void
JudgeSlices(Gate *gate, const JsonView *rules)
{
	JsonView	slices;
	JsonMember *members;
	int			count;

	if (!JsonViewGetMember(rules, "slices", &slices) || slices.type != JVIEW_OBJECT)
		return;
	members = JsonViewSortedMembers(&slices, &count);
	for (int i = 0; i < count; i++)
	{
		Span		name = members[i].key;
		JsonView	slice;

		CHECK_FOR_INTERRUPTS();
		if (!SliceOf(&gate->run, name, &slice))
			Tell(&gate->inconclusive, psprintf("slice %.*s is not in the run", name.len, name.str));
		else
			JudgeSummary(gate, psprintf("slice %.*s: ", name.len, name.str), &members[i].value, &slice);
	}
}

/* Checks that a slice is not worse than in the baseline. */
static void
JudgeRegression(Gate *gate, Span name)
{
	JsonView	slice;
	Measure		before = {0};
	Measure		now = {0};
	bool		was_there = SliceOf(&gate->baseline, name, &slice);
	bool		is_there;

	if (was_there)
		before = RateOf(&slice, metric_names[METRIC_PASS]);
	is_there = SliceOf(&gate->run, name, &slice);
	if (is_there)
		now = RateOf(&slice, metric_names[METRIC_PASS]);
	/* an unknown name would check nothing; a slice that is not in the baseline cannot get worse */
	if (!was_there && !is_there)
		Tell(&gate->inconclusive, psprintf("slice %.*s is neither in the baseline nor in the run", name.len, name.str));
	if (before.of == 0)
		return;
	if (now.of == 0)
		Tell(&gate->inconclusive, psprintf("slice %.*s has cases in the baseline and none in the run", name.len, name.str));
	else if (now.n * before.of < before.n * now.of)
		Tell(&gate->failures, psprintf("regression in %.*s: %s < baseline %s", name.len, name.str,
									   ShownMeasure(&now), ShownMeasure(&before)));
}

static void
JudgeCase(Gate *gate, Span id)
{
	JsonView	outcomes = JsonViewUnder(&gate->run, "outcomes");
	JsonView	passed;

	if (!JsonViewGet(&outcomes, id.str, id.len, &passed) || passed.type != JVIEW_BOOL)
		Tell(&gate->inconclusive, psprintf("case %.*s is not in the run", id.len, id.str));
	else if (!passed.boolean)
		Tell(&gate->failures, psprintf("case %.*s did not pass", id.len, id.str));
}

/* Judges each name in a list of the rules. */
static void
JudgeEach(Gate *gate, const JsonView *rules, const char *member, void (*judge) (Gate *, Span))
{
	JsonView	names;

	if (!JsonViewGetMember(rules, member, &names) || names.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&names); i++)
	{
		JsonView	name = JsonViewAt(&names, i);

		CHECK_FOR_INTERRUPTS();
		judge(gate, SpanOf(name.str, name.len));
	}
}

/*
 * rules
 */

/* Does a key bound a measure? Slices have no area. */
static bool
IsBound(Span key, bool of_slice, bool *is_rate)
{
	static const char *const counts[] = {"unsafe_answers", "errors"};
	Span		name = SpanOf(key.str + 4, key.len - 4);

	if (key.len <= 4 || (memcmp(key.str, "min_", 4) != 0 && memcmp(key.str, "max_", 4) != 0))
		return false;
	*is_rate = true;
	for (int i = 0; i < METRICS_COUNT; i++)
	{
		if (SpanEqualCString(name, metric_names[i]))
			return true;
	}
	if (!of_slice && SpanEqualCString(name, "risk_coverage_area"))
		return true;
	*is_rate = false;
	return SpanEqualCString(name, counts[0]) || SpanEqualCString(name, counts[1]);
}

static const char *
BoundProblem(Span key, const JsonView *given, bool is_rate)
{
	JsonView	bound = NumberOfPortable(given);
	Numeric		value;
	int64		count;

	if (is_rate && bound.type == JVIEW_NUMBER && JsonViewNumeric(&bound, &value) && NumberIsShare(value))
		return NULL;
	if (!is_rate && bound.type == JVIEW_NUMBER && NumberIntegerBetween(&bound, 0, PG_INT32_MAX, &count))
		return NULL;
	return psprintf("rule \"%.*s\" must be %s, and is %s", key.len, key.str,
					is_rate ? "a number from 0 to 1" : "a whole number from 0 up", ShownValue(given));
}

static const char *
NamesProblem(Span key, const JsonView *names)
{
	if (names->type != JVIEW_ARRAY || JsonViewCount(names) > MOST_NAMES)
		return psprintf("rule \"%.*s\" must be an array of at most %d texts", key.len, key.str, MOST_NAMES);
	for (int i = 0; i < JsonViewCount(names); i++)
	{
		JsonView	name = JsonViewAt(names, i);

		if (name.type != JVIEW_STRING || name.len == 0)
			return psprintf("rule \"%.*s\" must be an array of texts, and element %d is %s", key.len, key.str, i, ShownValue(&name));
	}
	return NULL;
}

/* Returns the names of all metrics for a sentence. */
static const char *
MetricNames(void)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < METRICS_COUNT; i++)
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "", metric_names[i]);
	return names.data;
}

static const char *
RulesProblem(const JsonView *rules, bool of_slice)
{
	if (rules->type != JVIEW_OBJECT)
		return of_slice ? "the rules of a slice must be an object" : psprintf("rules must be an object, and is %s", ShownValue(rules));
	for (int i = 0; i < JsonViewCount(rules); i++)
	{
		JsonView	value;
		Span		key;
		bool		is_rate;
		const char *problem = NULL;

		CHECK_FOR_INTERRUPTS();
		value = JsonViewMember(rules, i, &key);
		if (IsBound(key, of_slice, &is_rate))
			problem = BoundProblem(key, &value, is_rate);
		else if (SpanEqualCString(key, "min_cases"))
			problem = BoundProblem(key, &value, false);
		else if (!of_slice && (SpanEqualCString(key, "no_regression_slices") || SpanEqualCString(key, "must_pass")))
			problem = NamesProblem(key, &value);
		else if (!of_slice && SpanEqualCString(key, "slices"))
		{
			if (value.type != JVIEW_OBJECT)
				problem = psprintf("rule \"slices\" must be an object of rules by slice, and is %s", ShownValue(&value));
			for (int j = 0; problem == NULL && j < JsonViewCount(&value); j++)
			{
				JsonView	slice;
				Span		name;

				slice = JsonViewMember(&value, j, &name);
				problem = RulesProblem(&slice, true);
			}
		}
		else
			problem = psprintf("there is no rule \"%.*s\"%s: rules are min_ and max_ with a metric (%s, unsafe_answers, errors%s), min_cases%s",
							   key.len, key.str, of_slice ? " of a slice" : "", MetricNames(),
							   of_slice ? "" : ", risk_coverage_area",
							   of_slice ? "" : ", no_regression_slices, slices and must_pass");
		if (problem)
			return problem;
	}
	return NULL;
}

/* Returns the rules, completed by the shipped ones. */
static JsonView
WholeRules(const JsonView *given)
{
	static const char *const names[] = {"max_false_accept_rate", "min_overall_pass_rate", "min_citation_validity_rate"};
	static const char *const values[] = {"0.0", "0.85", "0.99"};
	static const char *const slices[] = {"high_risk", "conflict", "stale"};
	JsonView	rules = JsonViewNewObject(8);
	JsonView	list = JsonViewNewArray(3);
	JsonView	value;

	for (size_t i = 0; i < lengthof(names); i++)
		JsonViewSet(&rules, names[i], JsonViewOfNumeric(NumberOfLiteral(values[i])));
	for (size_t i = 0; i < lengthof(slices); i++)
		JsonViewAppend(&list, JsonViewCString(slices[i]));
	JsonViewSet(&rules, "no_regression_slices", list);
	if (given->type != JVIEW_OBJECT)
		return rules;
	for (size_t i = 0; i < lengthof(names); i++)
	{
		if (JsonViewGetMember(given, names[i], &value))
			rules = JsonViewCopyWithout(&rules, &names[i], 1, JsonViewCount(given));
	}
	if (JsonViewGetMember(given, "no_regression_slices", &value))
	{
		static const char *const regression[] = {"no_regression_slices"};

		rules = JsonViewCopyWithout(&rules, regression, 1, JsonViewCount(given));
	}
	for (int i = 0; i < JsonViewCount(given); i++)
	{
		Span		key;

		value = JsonViewMember(given, i, &key);
		JsonViewSetKey(&rules, key.str, key.len, value);
	}
	return rules;
}

bool
GateJudge(const JsonView *run, const JsonView *rules, const JsonView *baseline, JsonView *result, const char **problem)
{
	Gate		gate = {.failures = JsonViewNewArray(4),.inconclusive = JsonViewNewArray(4)};
	JsonView	whole;
	JsonView	summary;
	JsonView	id;
	bool		has_baseline = baseline->type != JVIEW_ABSENT && baseline->type != JVIEW_NULL;
	bool		failed;
	bool		unsure;

	if (rules->type != JVIEW_ABSENT && rules->type != JVIEW_NULL && (*problem = RulesProblem(rules, false)) != NULL)
		return false;
	gate.run = run->type == JVIEW_OBJECT ? RunBrief(run) : *run;
	if ((*problem = BriefProblem(&gate.run, "run")) != NULL)
		return false;
	if (has_baseline)
	{
		gate.baseline = baseline->type == JVIEW_OBJECT ? RunBrief(baseline) : *baseline;
		if ((*problem = BriefProblem(&gate.baseline, "baseline")) != NULL)
			return false;
		if (!SpanEqual(SuiteOf(&gate.run), SuiteOf(&gate.baseline)))
		{
			*problem = "the baseline is a run of another suite";
			return false;
		}
	}
	whole = WholeRules(rules);
	(void) JsonViewGetMember(&gate.run, "summary", &summary);
	JudgeSummary(&gate, "", &whole, &summary);
	JudgeMeasure(&gate, "", &whole, AreaMeasure(&summary));
	JudgeSlices(&gate, &whole);
	if (has_baseline)
		JudgeEach(&gate, &whole, "no_regression_slices", JudgeRegression);
	JudgeEach(&gate, &whole, "must_pass", JudgeCase);
	failed = JsonViewCount(&gate.failures) > 0;
	unsure = JsonViewCount(&gate.inconclusive) > 0;
	*result = JsonViewNewObject(8);
	JsonViewSet(result, "passed", JsonViewBool(!failed && !unsure));
	JsonViewSet(result, "outcome", JsonViewCString(failed ? "fail" : unsure ? "inconclusive" : "pass"));
	JsonViewSet(result, "failures", gate.failures);
	JsonViewSet(result, "inconclusive", gate.inconclusive);
	JsonViewSet(result, "rules", whole);
	JsonViewSet(result, "rule", JsonViewCString(GATE_RULE));
	JsonViewSet(result, "run", JsonViewGetMember(&gate.run, "run_id", &id) ? id : JsonViewNull());
	JsonViewSet(result, "baseline", has_baseline && JsonViewGetMember(&gate.baseline, "run_id", &id) ? id : JsonViewNull());
	return true;
}

/*
 * SQL
 */

static void
ViewArgument(FunctionCallInfo fcinfo, int n, const char *name, JsonView *view)
{
	view->type = JVIEW_ABSENT;
	if (PG_ARGISNULL(n))
		return;
	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, name);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), view);
}

/* answer.gate_judge(run, rules, baseline) */
PG_FUNCTION_INFO_V1(answer_eval_gate_judge);
Datum
answer_eval_gate_judge(PG_FUNCTION_ARGS)
{
	JsonView	run;
	JsonView	rules;
	JsonView	baseline;
	JsonView	result;
	const char *problem;

	RequireArgument(fcinfo, 0, "run");
	ViewArgument(fcinfo, 0, "run", &run);
	ViewArgument(fcinfo, 1, "rules", &rules);
	ViewArgument(fcinfo, 2, "baseline", &baseline);
	if (!GateJudge(&run, &rules, &baseline, &result, &problem))
		MalformedArgument(problem, NULL);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

/* answer_test.run_brief(run), for tests: test/lib/answer_test.sql */
PG_FUNCTION_INFO_V1(answer_eval_run_brief);
Datum
answer_eval_run_brief(PG_FUNCTION_ARGS)
{
	JsonView	run;
	JsonView	brief;
	const char *problem;

	RequireArgument(fcinfo, 0, "run");
	ViewArgument(fcinfo, 0, "run", &run);
	brief = run.type == JVIEW_OBJECT ? RunBrief(&run) : run;
	problem = BriefProblem(&brief, "run");
	if (problem)
		MalformedArgument(problem, NULL);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&brief, false));
}
