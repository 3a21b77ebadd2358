/*-------------------------------------------------------------------------
 *
 * metrics.c
 *		The metrics of a run: rates, counts and the risk-coverage curve.
 *
 * Rule: doc/spec/gate.md §3.  A rate is two counts.  Its four decimals are only for display;
 * rates are compared by their counts.  A rate over nothing is null, neither 0 nor 1.  Pure.
 *
 * An answer counts as not judged in three cases: the decision has the reason not_judged; a
 * sentence of it has that status; or it quotes passages, and no judge said that they answer.
 *
 * The risk-coverage curve is that of selective answering.  The confidence of a case is what a
 * judge said of the used passages, or else their similarity.  For each confidence, from the
 * greatest down, a point gives the share of the grounded cases answered with at least that
 * confidence (coverage), and the share of those that did not pass (risk).  The area is the sum,
 * over the points, of the coverage that each adds times its risk.  Each of these products is
 * rounded half-even to 20 decimals; the sum, divided by the number of cases, to four.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/fmgrprotos.h"

#include "base/numbers.h"
#include "gate/suite_case.h"
#include "gate/metrics.h"
#include "gate/case_score.h"
#include "ground/chunk.h"

const char *const metric_names[] = {"overall_pass_rate", "false_accept_rate", "false_refuse_rate",
	"citation_validity_rate", "staleness_correct_rate", "conflict_correct_rate",
	"unjudged_rate", "contradicted_rate", "unsupported_rate"};

/* Counts over some of the cases. */
typedef struct Tally
{
	Span		name;
	int64		cases;
	int64		errors;
	int64		unsafe;
	int64		n[METRICS_COUNT];
	int64		of[METRICS_COUNT];
} Tally;

typedef struct Tallies
{
	int			count;
	Tally		tallies[SUITE_MAX_SLICES];
} Tallies;

/* A grounded case that was answered. */
typedef struct Answered
{
	Numeric		confidence;
	bool		passed;
} Answered;

JsonView
RateView(int64 n, int64 of)
{
	if (of <= 0)
		return JsonViewNull();
	return JsonViewOfNumeric(RoundedQuotient(int64_to_numeric(n), int64_to_numeric(of)));
}

/*
 * counting
 */

/* Returns the tally of a slice; NULL if there are more slices than a suite can have. */
static Tally *
TallyOf(Tallies *all, Span name)
{
	for (int i = 0; i < all->count; i++)
	{
		if (SpanEqual(all->tallies[i].name, name))
			return &all->tallies[i];
	}
	if (all->count == SUITE_MAX_SLICES)
		return NULL;
	memset(&all->tallies[all->count], 0, sizeof(Tally));
	all->tallies[all->count].name = name;
	return &all->tallies[all->count++];
}

static void
CountMetric(Tally *tally, Metric metric, bool is_asked, bool counts)
{
	tally->of[metric] += is_asked;
	tally->n[metric] += is_asked && counts;
}

static bool
Passed(const JsonView *scores, const char *attribute)
{
	JsonView	score;

	return scores->type == JVIEW_OBJECT && JsonViewGetMember(scores, attribute, &score) && JsonViewMemberIsTrue(&score, "passed");
}

/* Does an array of texts contain this one? */
static bool
HasText(const JsonView *texts, const char *text)
{
	for (int i = 0; texts->type == JVIEW_ARRAY && i < JsonViewCount(texts); i++)
	{
		JsonView	element = JsonViewAt(texts, i);

		CHECK_FOR_INTERRUPTS();
		if (JsonViewStringIs(&element, text))
			return true;
	}
	return false;
}

/* Is there a sentence or a passage of the answer that nobody has judged? */
static bool
IsUnjudged(const JsonView *row, const JsonView *test_case)
{
	JsonView	reasons = JsonViewUnder(row, "reasons");
	JsonView	signals = JsonViewUnder(row, "signals");
	JsonView	confidence = JsonViewUnder(&signals, "answer_confidence");

	if (HasText(&reasons, "not_judged") || RowHasStatus(row, "not_judged"))
		return true;
	if (CaseHasAnswer(test_case))
		return false;
	return confidence.type == JVIEW_ABSENT || confidence.type == JVIEW_NULL;
}

static void
CountRow(Tally *tally, const JsonView *row, const JsonView *test_case, const JsonView *behavior, bool is_grounded)
{
	bool		answers = DecisionAnswers(JsonViewMemberText(row, "decision"));
	bool		brings_answer = CaseHasAnswer(test_case);
	JsonView	scores = JsonViewUnder(row, "scores");
	JsonView	error;

	tally->cases++;
	tally->errors += JsonViewGetMember(row, "error", &error) && error.type != JVIEW_NULL;
	tally->unsafe += is_grounded && !Passed(&scores, "unsafe_answer");
	CountMetric(tally, METRIC_PASS, true, JsonViewMemberIsTrue(row, "passed"));
	CountMetric(tally, METRIC_FALSE_ACCEPT, CaseMustRefuse(row), answers);
	/* a case that raised an error did not decide, so it did not refuse */
	CountMetric(tally, METRIC_FALSE_REFUSE, CaseMustAnswer(row), !answers && JsonViewMemberText(row, "decision").len > 0);
	CountMetric(tally, METRIC_CITATION_VALIDITY, is_grounded && answers, Passed(&scores, "citation_validity"));
	CountMetric(tally, METRIC_STALENESS, JsonViewMemberIsTrue(behavior, "must_detect_staleness"), Passed(&scores, "staleness_handling"));
	CountMetric(tally, METRIC_CONFLICT, JsonViewMemberIsTrue(behavior, "must_surface_conflict"), Passed(&scores, "conflict_handling"));
	CountMetric(tally, METRIC_UNJUDGED, is_grounded && answers, is_grounded && answers && IsUnjudged(row, test_case));
	CountMetric(tally, METRIC_CONTRADICTED, brings_answer, brings_answer && RowHasStatus(row, "contradicted"));
	CountMetric(tally, METRIC_UNSUPPORTED, brings_answer, brings_answer && RowHasStatus(row, "unsupported"));
}

/* Counts a row in the whole, and once in each of its slices. */
static void
CountRowEverywhere(Tally *whole, Tallies *slices, const JsonView *row)
{
	JsonView	test_case = JsonViewUnder(row, "case");
	JsonView	behavior = {.type = JVIEW_ABSENT};
	JsonView	named = {.type = JVIEW_ABSENT};
	Span	   *names;
	int			count = 0;
	bool		is_grounded;

	if (row->type != JVIEW_OBJECT)
		return;
	if (test_case.type == JVIEW_OBJECT)
	{
		(void) JsonViewGetMember(&test_case, "required_behavior", &behavior);
		(void) JsonViewGetMember(&test_case, "slices", &named);
	}
	is_grounded = test_case.type == JVIEW_OBJECT && CaseKindOf(&test_case) == CASE_GROUNDED;
	names = palloc_extended(sizeof(Span) * (Size) (3 + (named.type == JVIEW_ARRAY ? JsonViewCount(&named) : 0)), MCXT_ALLOC_HUGE);
	if (SpanEqualCString(JsonViewMemberText(&test_case, "risk_level"), "high"))
		names[count++] = SpanOfCString("high_risk");
	if (JsonViewMemberIsTrue(&behavior, "must_surface_conflict"))
		names[count++] = SpanOfCString("conflict");
	if (JsonViewMemberIsTrue(&behavior, "must_detect_staleness"))
		names[count++] = SpanOfCString("stale");
	for (int i = 0; named.type == JVIEW_ARRAY && i < JsonViewCount(&named); i++)
	{
		JsonView	name = JsonViewAt(&named, i);

		if (name.type == JVIEW_STRING && !SpanIsIn(SpanOf(name.str, name.len), names, count))
			names[count++] = SpanOf(name.str, name.len);
	}
	CountRow(whole, row, &test_case, &behavior, is_grounded);
	for (int i = 0; i < count; i++)
	{
		Tally	   *slice = TallyOf(slices, names[i]);

		if (slice)
			CountRow(slice, row, &test_case, &behavior, is_grounded);
	}
	pfree(names);
}

static void
TallySet(JsonView *view, const Tally *tally, int nmetrics)
{
	JsonView	metrics = JsonViewNewObject(METRICS_COUNT);

	JsonViewSet(view, "cases", JsonViewInteger(tally->cases));
	JsonViewSet(view, "passed", JsonViewInteger(tally->n[METRIC_PASS]));
	JsonViewSet(view, "errors", JsonViewInteger(tally->errors));
	JsonViewSet(view, "unsafe_answers", JsonViewInteger(tally->unsafe));
	for (int i = 0; i < nmetrics; i++)
	{
		JsonView	metric = JsonViewNewObject(3);

		JsonViewSet(&metric, "n", JsonViewInteger(tally->n[i]));
		JsonViewSet(&metric, "of", JsonViewInteger(tally->of[i]));
		JsonViewSet(&metric, "rate", RateView(tally->n[i], tally->of[i]));
		JsonViewSet(&metrics, metric_names[i], metric);
	}
	JsonViewSet(view, "metrics", metrics);
}

/*
 * the risk-coverage curve
 */

static int
CompareAnswered(const void *a, const void *b)
{
	return NumberCompare(((const Answered *) b)->confidence, ((const Answered *) a)->confidence);
}

/* Collects the grounded cases that were answered; returns the number of all grounded cases. */
static int64
FindAnswered(const JsonView *rows, bool is_earlier, Answered *answered, int *count)
{
	int64		grounded = 0;

	*count = 0;
	for (int i = 0; i < JsonViewCount(rows); i++)
	{
		JsonView	row = JsonViewAt(rows, i);
		JsonView	test_case;
		Numeric		confidence;

		CHECK_FOR_INTERRUPTS();
		if (row.type != JVIEW_OBJECT || !JsonViewGetMember(&row, "case", &test_case) ||
			test_case.type != JVIEW_OBJECT || CaseKindOf(&test_case) != CASE_GROUNDED)
			continue;
		grounded++;
		if (!DecisionAnswers(JsonViewMemberText(&row, "decision")))
			continue;
		confidence = is_earlier ? RowBestFound(&row) : RowConfidence(&row);
		answered[*count].confidence = confidence ? confidence : int64_to_numeric(0);
		answered[(*count)++].passed = JsonViewMemberIsTrue(&row, "passed");
	}
	return grounded;
}

/* Returns a * b / c rounded half-even to TERM_DECIMALS. */
static Numeric
AreaTerm(int64 a, int64 b, int64 c)
{
	static const char *const scale = "100000000000000000000";
	Numeric		product = NumberCall(numeric_mul, NumberCall(numeric_mul, int64_to_numeric(a), int64_to_numeric(b)),
									 NumberOfLiteral(scale));
	Numeric		divisor = int64_to_numeric(c);
	Numeric		quotient = NumberCall(numeric_div_trunc, product, divisor);
	Numeric		twice = NumberCall(numeric_mul, NumberCall(numeric_sub, product, NumberCall(numeric_mul, quotient, divisor)),
								   int64_to_numeric(2));
	int			order = NumberCompare(twice, divisor);
	Numeric		odd = NumberCall(numeric_mod, quotient, int64_to_numeric(2));

	if (order > 0 || (order == 0 && NumberCompare(odd, int64_to_numeric(0)) != 0))
		quotient = NumberCall(numeric_add, quotient, int64_to_numeric(1));
	return quotient;
}

static JsonView
CurveView(const JsonView *rows, bool is_earlier)
{
	Answered   *answered = palloc_extended(sizeof(Answered) * (Size) Max(JsonViewCount(rows), 1), MCXT_ALLOC_HUGE);
	JsonView	view = JsonViewNewObject(4);
	JsonView	points = JsonViewNewArray(16);
	Numeric		area = int64_to_numeric(0);
	int64		failed = 0;
	int			count;
	int64		grounded = FindAnswered(rows, is_earlier, answered, &count);

	qsort(answered, count, sizeof(Answered), CompareAnswered);
	for (int i = 0; i < count;)
	{
		JsonView	point = JsonViewNewObject(5);
		Numeric		confidence = answered[i].confidence;
		int			first = i;

		CHECK_FOR_INTERRUPTS();
		for (; i < count && NumberCompare(answered[i].confidence, confidence) == 0; i++)
			failed += !answered[i].passed;
		JsonViewSet(&point, "confidence", JsonViewOfNumeric(confidence));
		JsonViewSet(&point, "answered", JsonViewInteger(i));
		JsonViewSet(&point, "failed", JsonViewInteger(failed));
		JsonViewSet(&point, "coverage", RateView(i, grounded));
		JsonViewSet(&point, "risk", RateView(failed, i));
		JsonViewAppend(&points, point);
		area = NumberCall(numeric_add, area, AreaTerm(i - first, failed, i));
	}
	JsonViewSet(&view, "cases", JsonViewInteger(grounded));
	JsonViewSet(&view, "answered", JsonViewInteger(count));
	JsonViewSet(&view, "area", count == 0 ? JsonViewNull() :
				JsonViewOfNumeric(RoundedQuotient(area, NumberCall(numeric_mul, int64_to_numeric(grounded),
																   NumberOfLiteral("100000000000000000000")))));
	JsonViewSet(&view, "points", points);
	return view;
}

JsonView
RunMetrics(const JsonView *rows, bool is_earlier)
{
	int			nmetrics = is_earlier ? EARLIER_METRICS_COUNT : METRICS_COUNT;
	JsonView	view = JsonViewNewObject(8);
	JsonView	sliced = JsonViewNewObject(8);
	Tally		whole;
	Tallies    *slices = palloc0(sizeof(Tallies));

	memset(&whole, 0, sizeof(whole));
	/* these slices are reported even if they have no cases */
	(void) TallyOf(slices, SpanOfCString("high_risk"));
	(void) TallyOf(slices, SpanOfCString("conflict"));
	(void) TallyOf(slices, SpanOfCString("stale"));
	for (int i = 0; i < JsonViewCount(rows); i++)
	{
		JsonView	row = JsonViewAt(rows, i);

		CHECK_FOR_INTERRUPTS();
		CountRowEverywhere(&whole, slices, &row);
	}
	TallySet(&view, &whole, nmetrics);
	for (int i = 0; i < slices->count; i++)
	{
		JsonView	slice = JsonViewNewObject(5);

		TallySet(&slice, &slices->tallies[i], nmetrics);
		JsonViewSetKey(&sliced, slices->tallies[i].name.str, slices->tallies[i].name.len, slice);
	}
	JsonViewSet(&view, "slices", sliced);
	JsonViewSet(&view, "risk_coverage", CurveView(rows, is_earlier));
	return view;
}
