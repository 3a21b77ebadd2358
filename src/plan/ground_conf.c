/*-------------------------------------------------------------------------
 *
 * ground_conf.c
 *		ground-conf/1: computes the verdict of an Evidence.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §3.
 *
 * For each claim, let s be the confidence of its best support and w the weight of
 * its worst contradiction.  The confidence of the claim is 1 - (1 - s) / (1 - w),
 * which is (s - w) / (1 - w), and not below 0; it is 0 without a support, or if w is
 * 1.  The confidence of the evidence is that of its weakest claim, and 0 without a
 * claim.  The fraction is exact; the double nearest to it is rounded to hundredths
 * as in answer-conf/1, and thresholds are compared with the rounded value.
 * Contradictions are compared with their threshold as given.
 *
 * A verdict that an evidence states itself is ignored.
 *
 * Promises: pure; n log n in claims, supports and contradictions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/search.h"
#include "base/span.h"
#include "check/composite.h"
#include "plan/ground_conf.h"

#define CITE_DEFAULT			95
#define CONFLICT_DEFAULT		30
#define CONFIDENCE_DEFAULT		90
#define CONFIDENCE_FLOOR		80

/*
 * Number of decimals that determine the nearest double.  Below 1/256 every
 * confidence rounds to 0; above, the midpoint between two doubles has at most 61
 * decimals.
 */
#define QUOTIENT_DECIMALS		64

/* A claim, with its best support and worst contradiction; exact numbers. */
typedef struct Claim
{
	Span		text;			/* first, for SpanCompareItems() */
	bool		has_support;
	Numeric		support;
	Numeric		contradiction;	/* NULL: none */
} Claim;

typedef struct Judge
{
	int			nclaims;
	Claim	   *claims;			/* sorted by text */
	EvidenceVerdict *verdict;
	const char *problem;
} Judge;

/*
 * numbers
 */

static Numeric
Hundredths(int n)
{
	return int64_div_fast_to_numeric(n, 2);
}

bool
ShareOfView(const JsonView *view, Numeric *share)
{
	JsonView	number = *view;

	if (view->type == JVIEW_STRING && !JsonViewNumberOfPortable(view, &number))
		return false;
	return JsonViewNumeric(&number, share) && NumberIsShare(*share);
}

bool
WholeOfView(const JsonView *view, int *number)
{
	JsonView	given = *view;
	Numeric		value;

	if ((view->type == JVIEW_STRING && !JsonViewNumberOfPortable(view, &given)) || !JsonViewNumeric(&given, &value) ||
		NumberCompare(value, int64_to_numeric(0)) < 0 ||
		NumberCompare(NumberCall(numeric_mod, value, int64_to_numeric(1)), int64_to_numeric(0)) != 0)
		return false;
	*number = NumberCompare(value, int64_to_numeric(PG_INT32_MAX)) > 0 ? PG_INT32_MAX :
		DatumGetInt32(DirectFunctionCall1(numeric_int4, NumericGetDatum(value)));
	return true;
}

int
QuotientHundredths(Numeric n, Numeric d)
{
	Numeric		shift = NumberOfLiteral("1e" CppAsString2(QUOTIENT_DECIMALS));
	Numeric		scaled = NumberCall(numeric_mul, n, shift);
	Numeric		quotient = NumberCall(numeric_div_trunc, scaled, d);
	bool		is_exact = NumberCompare(NumberCall(numeric_mul, quotient, d), scaled) == 0;
	/* a final digit 1 says that the quotient has further digits */
	char	   *text = psprintf("%s%se-%d", numeric_normalize(quotient), is_exact ? "0" : "1",
								QUOTIENT_DECIMALS + 1);

	return ConfidenceHundredths(strtod(text, NULL));
}

static int
ClaimHundredths(const Claim *claim)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		w = claim->contradiction ? claim->contradiction : int64_to_numeric(0);

	if (!claim->has_support || NumberCompare(w, one) == 0 || NumberCompare(claim->support, w) <= 0)
		return 0;
	return QuotientHundredths(NumberCall(numeric_sub, claim->support, w), NumberCall(numeric_sub, one, w));
}

/*
 * policy
 */

void
EvidencePolicyDefaults(EvidencePolicy *policy)
{
	policy->cite_if_confidence_below = Hundredths(CITE_DEFAULT);
	policy->block_if_conflict_over = Hundredths(CONFLICT_DEFAULT);
	policy->min_confidence = Hundredths(CONFIDENCE_DEFAULT);
	policy->is_regulated = false;
	policy->requires_judge = false;
	memset(&policy->freshness, 0, sizeof(policy->freshness));
}

static bool
ReadThreshold(const JsonView *object, const char *key, Numeric *threshold, const char **problem)
{
	JsonView	view;

	if (!JsonViewGetMember(object, key, &view) || ShareOfView(&view, threshold))
		return true;
	*problem = psprintf("evidence.policy.%s must be a number from 0 to 1, and is %s", key, ShownValue(&view));
	return false;
}

bool
EvidencePolicyRead(const JsonView *evidence, EvidencePolicy *policy, const char **problem)
{
	JsonView	object;

	if (!JsonViewGetMember(evidence, "policy", &object))
		return true;
	if (object.type != JVIEW_OBJECT)
	{
		*problem = psprintf("evidence.policy must be an object, and is %s", ShownValue(&object));
		return false;
	}
	return ReadThreshold(&object, "cite_if_confidence_below", &policy->cite_if_confidence_below, problem) &&
		ReadThreshold(&object, "block_if_conflict_over", &policy->block_if_conflict_over, problem);
}

void
EvidencePolicyFloor(EvidencePolicy *policy)
{
	Numeric		floor_ = Hundredths(CONFIDENCE_FLOOR);

	if (NumberCompare(policy->min_confidence, floor_) < 0)
		policy->min_confidence = floor_;
}

/*
 * judging
 */

/* Reads an array in the evidence; if it is missing, returns an empty one. */
static bool
ReadArray(Judge *judge, const JsonView *evidence, const char *key, bool is_required, JsonView *array)
{
	if (!JsonViewGetMember(evidence, key, array) && !is_required)
	{
		*array = JsonViewNewArray(0);
		return true;
	}
	if (array->type == JVIEW_ARRAY)
		return true;
	judge->problem = psprintf("evidence.%s must be an array, and is %s", key, ShownValue(array));
	return false;
}

static bool
ReadClaims(Judge *judge, const JsonView *evidence)
{
	JsonView	array;

	if (!ReadArray(judge, evidence, "claims", true, &array))
		return false;
	judge->nclaims = JsonViewCount(&array);
	judge->claims = palloc_extended(sizeof(Claim) * (Size) Max(judge->nclaims, 1),
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < judge->nclaims; i++)
	{
		JsonView	view = JsonViewAt(&array, i);

		CHECK_FOR_INTERRUPTS();
		if (view.type != JVIEW_STRING)
		{
			judge->problem = psprintf("evidence.claims[%d] must be a string, and is %s", i, ShownValue(&view));
			return false;
		}
		judge->claims[i].text = SpanOf(view.str, view.len);
	}
	qsort(judge->claims, judge->nclaims, sizeof(Claim), SpanCompareItems);
	return true;
}

/* Returns the first of the claims with a text, or NULL. It also stands for the others with that text. */
static Claim *
FindClaim(const Judge *judge, Span text)
{
	int			low = 0;

	FIRST_PLACE(low, judge->nclaims, at, SpanCompare(judge->claims[at].text, text) < 0);
	return low < judge->nclaims && SpanEqual(judge->claims[low].text, text) ? &judge->claims[low] : NULL;
}

/* Reads one support or contradiction: its claim and its number. */
static bool
ReadEntry(Judge *judge, const JsonView *entry, const char *array, const char *key, int i,
		  Claim **claim, Numeric *number)
{
	JsonView	view;

	*claim = NULL;
	if (entry->type != JVIEW_OBJECT)
		judge->problem = psprintf("evidence.%s[%d] must be an object, and is %s", array, i, ShownValue(entry));
	else if (!JsonViewGetMember(entry, "claim", &view) || view.type != JVIEW_STRING ||
			 (*claim = FindClaim(judge, SpanOf(view.str, view.len))) == NULL)
		judge->problem = psprintf("evidence.%s[%d].claim must be one of evidence.claims, and is %s", array, i,
								  ShownValue(&view));
	else if (!JsonViewGetMember(entry, key, &view) || !ShareOfView(&view, number))
		judge->problem = psprintf("evidence.%s[%d].%s must be a number from 0 to 1, and is %s", array, i, key,
								  ShownValue(&view));
	return judge->problem == NULL;
}

static bool
ReadSupports(Judge *judge, const JsonView *evidence)
{
	JsonView	array;
	int			count;

	if (!ReadArray(judge, evidence, "supports", false, &array))
		return false;
	count = JsonViewCount(&array);
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(&array, i);
		Claim	   *claim;
		Numeric		confidence;

		CHECK_FOR_INTERRUPTS();
		if (!ReadEntry(judge, &entry, "supports", "confidence", i, &claim, &confidence))
			return false;
		if (!claim->has_support || NumberCompare(confidence, claim->support) > 0)
			claim->support = confidence;
		claim->has_support = true;
	}
	judge->verdict->nsupports = count;
	return true;
}

static bool
ReadContradictions(Judge *judge, const JsonView *evidence)
{
	EvidenceVerdict *verdict = judge->verdict;
	JsonView	array;
	int			count;

	if (!ReadArray(judge, evidence, "contradicts", false, &array))
		return false;
	count = JsonViewCount(&array);
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(&array, i);
		Claim	   *claim;
		Numeric		weight;

		CHECK_FOR_INTERRUPTS();
		if (!ReadEntry(judge, &entry, "contradicts", "weight", i, &claim, &weight))
			return false;
		if (claim->contradiction == NULL || NumberCompare(weight, claim->contradiction) > 0)
			claim->contradiction = weight;
		if (NumberCompare(weight, verdict->contradictions) > 0)
			verdict->contradictions = weight;
	}
	return true;
}

/* Returns the lowest confidence of the claims; 0 without a claim. Rounding keeps their order. */
static int
LeastHundredths(const Judge *judge)
{
	int			least = judge->nclaims > 0 ? 100 : 0;

	for (int i = 0; i < judge->nclaims && least > 0; i++)
	{
		CHECK_FOR_INTERRUPTS();
		/* among claims with the same text, the first has all entries */
		if (i == 0 || !SpanEqual(judge->claims[i].text, judge->claims[i - 1].text))
			least = Min(least, ClaimHundredths(&judge->claims[i]));
	}
	return least;
}

/* Does the evidence itself say that nobody has judged it? */
static bool
IsUnjudged(const JsonView *evidence)
{
	JsonView	caveats;
	JsonView	caveat;
	JsonView	code;

	if (!JsonViewGetMember(evidence, "caveats", &caveats) || caveats.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&caveats); i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&caveats, i, &caveat);
		if (caveat.type == JVIEW_OBJECT && JsonViewGetMember(&caveat, "code", &code) &&
			code.type == JVIEW_STRING && JsonViewStringIs(&code, NOT_JUDGED_CODE))
			return true;
	}
	return false;
}

bool
EvidenceJudge(const JsonView *evidence, const EvidencePolicy *policy, EvidenceVerdict *verdict,
			  const char **problem)
{
	Judge		judge = {.verdict = verdict};
	Numeric		confidence;
	JsonView	related;

	memset(verdict, 0, sizeof(*verdict));
	verdict->contradictions = int64_to_numeric(0);
	if (evidence->type != JVIEW_OBJECT)
		judge.problem = psprintf("evidence must be an object, and is %s", ShownValue(evidence));
	else if (ReadClaims(&judge, evidence) && ReadSupports(&judge, evidence) &&
			 ReadContradictions(&judge, evidence))
		(void) ReadArray(&judge, evidence, "related", false, &related);
	*problem = judge.problem;
	if (judge.problem)
		return false;
	verdict->confidence = LeastHundredths(&judge);
	confidence = Hundredths(verdict->confidence);
	verdict->needs_citation = policy->is_regulated ||
		NumberCompare(confidence, policy->cite_if_confidence_below) < 0;
	verdict->blocked_by_conflict =
		NumberCompare(verdict->contradictions, policy->block_if_conflict_over) > 0;
	verdict->blocked_by_confidence = NumberCompare(confidence, policy->min_confidence) < 0;
	verdict->is_unjudged = IsUnjudged(evidence);
	verdict->blocked_unjudged = policy->requires_judge && verdict->is_unjudged;
	verdict->block_if_conflict_over = policy->block_if_conflict_over;
	verdict->min_confidence = policy->min_confidence;
	verdict->tells_thresholds = policy->freshness.are_known;
	return true;
}

/*
 * results
 */

JsonView
EvidenceVerdictView(const EvidenceVerdict *verdict)
{
	JsonView	view = JsonViewNewObject(8);

	JsonViewSet(&view, "confidence", HundredthsView(verdict->confidence));
	JsonViewSet(&view, "contradictions", JsonViewOfNumeric(verdict->contradictions));
	JsonViewSet(&view, "needs_citation", JsonViewBool(verdict->needs_citation));
	return view;
}

/*
 * Returns the reasons why it is blocked, in this order: "conflict", "confidence",
 * "stale_documents", "not_judged".
 */
static JsonView
EvidenceReasons(const EvidenceVerdict *verdict)
{
	JsonView	reasons = JsonViewNewArray(4);

	if (verdict->blocked_by_conflict)
		JsonViewAppend(&reasons, JsonViewCString("conflict"));
	if (verdict->blocked_by_confidence)
		JsonViewAppend(&reasons, JsonViewCString("confidence"));
	if (verdict->blocked_stale)
		JsonViewAppend(&reasons, JsonViewCString(STALE_CODE));
	if (verdict->blocked_unjudged)
		JsonViewAppend(&reasons, JsonViewCString(NOT_JUDGED_CODE));
	return reasons;
}

static JsonView
PolicyView(const EvidencePolicy *policy)
{
	JsonView	view = JsonViewNewObject(2);

	JsonViewSet(&view, "cite_if_confidence_below", JsonViewOfNumeric(policy->cite_if_confidence_below));
	JsonViewSet(&view, "block_if_conflict_over", JsonViewOfNumeric(policy->block_if_conflict_over));
	return view;
}

JsonView
EvidenceSettle(const JsonView *evidence, const EvidencePolicy *policy, const EvidenceVerdict *verdict)
{
	int			count = JsonViewCount(evidence);
	JsonView	settled = JsonViewNewObject(count + 3);

	for (int i = 0; i < count; i++)
	{
		JsonMember	member;
		Span		key;

		member.value = JsonViewMember(evidence, i, &member.key);
		key = member.key;
		if (!SpanEqualCString(key, "type") && !SpanEqualCString(key, "policy") &&
			!SpanEqualCString(key, "verdict"))
			JsonViewSetKey(&settled, member.key.str, member.key.len, member.value);
	}
	JsonViewSet(&settled, "type", JsonViewCString("Evidence"));
	JsonViewSet(&settled, "policy", PolicyView(policy));
	JsonViewSet(&settled, "verdict", EvidenceVerdictView(verdict));
	return settled;
}

/*
 * citations
 */

typedef struct SourceList
{
	int			count;
	Span	   *uris;
} SourceList;

/* Adds the member "key" of each entry of an array; adds nothing if it is no array. */
static void
AddSources(SourceList *list, const JsonView *entries, const char *key)
{
	int			count = entries->type == JVIEW_ARRAY ? JsonViewCount(entries) : 0;

	list->uris = list->uris == NULL ?
		palloc_extended(sizeof(Span) * ((Size) count + 1), MCXT_ALLOC_HUGE) :
		repalloc_huge(list->uris, sizeof(Span) * ((Size) list->count + count + 1));
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(entries, i);
		JsonView	uri;

		CHECK_FOR_INTERRUPTS();
		if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, key, &uri) && uri.type == JVIEW_STRING)
			list->uris[list->count++] = SpanOf(uri.str, uri.len);
	}
}

int
EvidenceStrayCitation(const JsonView *evidence, const JsonView *given, const JsonView *citations)
{
	static const char *const arrays[] = {"supports", "contradicts", "related"};
	int			count = citations->type == JVIEW_ARRAY ? JsonViewCount(citations) : 0;
	SourceList	list = {0};
	int			stray = -1;

	if (count == 0)
		return -1;
	for (size_t i = 0; i < lengthof(arrays) && evidence->type == JVIEW_OBJECT; i++)
	{
		JsonView	entries;

		if (JsonViewGetMember(evidence, arrays[i], &entries))
			AddSources(&list, &entries, "source");
	}
	AddSources(&list, given, "uri");
	qsort(list.uris, list.count, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < count && stray < 0; i++)
	{
		JsonView	citation = JsonViewAt(citations, i);
		JsonView	uri = JsonViewUnder(&citation, "uri");
		Span		wanted;

		CHECK_FOR_INTERRUPTS();
		wanted = SpanOf(uri.str, uri.len);
		if (bsearch(&wanted, list.uris, list.count, sizeof(Span), SpanCompareItems) == NULL)
			stray = i;
	}
	pfree(list.uris);
	return stray;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_evidence_verdict);

Datum
answer_eval_evidence_verdict(PG_FUNCTION_ARGS)
{
	static const char hint[] = "Evidence is {claims[], supports[{claim, source, confidence}], contradicts[{claim, source, weight}], related[], policy?}.";
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	JsonView	evidence;
	JsonView	view;
	const char *problem;

	RequireArgument(fcinfo, 0, "evidence");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "evidence");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &evidence);
	EvidencePolicyDefaults(&policy);
	if (!PG_ARGISNULL(1))
	{
		view = JsonViewOfNumeric(PG_GETARG_NUMERIC(1));
		if (!ShareOfView(&view, &policy.min_confidence))
			MalformedArgument("min_confidence must be a number from 0 to 1",
							  "NULL is 0.90; below 0.80 counts as 0.80.");
		EvidencePolicyFloor(&policy);
	}
	policy.is_regulated = !PG_ARGISNULL(2) && PG_GETARG_BOOL(2);
	if (!EvidencePolicyRead(&evidence, &policy, &problem) ||
		!EvidenceJudge(&evidence, &policy, &verdict, &problem))
		MalformedArgument(problem, hint);
	view = EvidenceVerdictView(&verdict);
	JsonViewSet(&view, "blocked", JsonViewBool(EvidenceIsBlocked(&verdict)));
	JsonViewSet(&view, "reasons", EvidenceReasons(&verdict));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, true));
}
