/*-------------------------------------------------------------------------
 *
 * freshness.c
 *		Decides whether the sources of an answer are too old.
 *
 * Rule: doc/spec/plan.md §10.3.  The maximum age depends on the risk.  At high risk
 * the stricter of the configuration's two limits counts, and a call can only lower
 * it.  The risk is the greatest of the plan's, the question's and the claims'.  A
 * source without a readable stamp is stale.  Stale sources block an answer if the
 * risk is not low or the plan is regulated; otherwise they cause a caveat.
 *
 * The clock is evaluated_at of the plan, for its tools, too.  It is not passed as an
 * argument, because then the digest of the same call would differ each time.
 *
 * Promises: pure, except for the clock and the rules in force.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "ground/chunk.h"
#include "ground/current_rules.h"
#include "ground/decision_types.h"
#include "ground/risk.h"
#include "plan/freshness.h"

static const char *const supersede_labels[] = {"never", "asked", "always"};

/*
 * the clock
 */

/* Of the plan whose step calls a tool now.  The tool is a function that asks in SQL; plans do not nest. */
static bool has_clock = false;
static TimestampTz clock_instant;

void
PlanClockSet(const TimestampTz *at)
{
	has_clock = at != NULL;
	if (at)
		clock_instant = *at;
}

TimestampTz
PlanClock(void)
{
	return has_clock ? clock_instant : GetCurrentStatementStartTimestamp();
}

/* answer.plan_instant() */
PG_FUNCTION_INFO_V1(answer_eval_plan_instant);
Datum
answer_eval_plan_instant(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(PlanClock());
}

/*
 * risk and days
 */

static RiskLevel
RiskOfText(const DecisionRules *rules, const JsonView *text)
{
	Query		query;

	if (text->type != JVIEW_STRING)
		return RISK_LOW;
	QueryRead(rules, SpanOf(text->str, text->len), &query);
	return QueryRisk(&query);
}

static RiskLevel
RiskOfWord(Span word)
{
	return SpanEqualCString(word, "high") ? RISK_HIGH : SpanEqualCString(word, "medium") ? RISK_MEDIUM : RISK_LOW;
}

void
FreshnessBegin(FreshnessScale *scale, const FreshnessTerms *terms, Span plan_risk, const JsonView *vars,
			   TimestampTz at, const DecisionRules *rules)
{
	JsonView	question = {.type = JVIEW_ABSENT};
	Query		query;

	*scale = (FreshnessScale) {.rules = terms->are_known ? rules : NULL,.at = at,.risk = RiskOfWord(plan_risk)};
	if (scale->rules == NULL)
		return;
	scale->supersedes = terms->supersede == SUPERSEDE_ALWAYS;
	if (vars->type != JVIEW_OBJECT || !JsonViewGetMember(vars, "query", &question) || question.type != JVIEW_STRING)
		return;
	QueryRead(rules, SpanOf(question.str, question.len), &query);
	scale->risk = Max(scale->risk, (int) QueryRisk(&query));
	scale->supersedes = scale->supersedes || (terms->supersede == SUPERSEDE_ASKED && QueryAsksForCurrent(&query));
}

static RiskLevel
RiskOfClaims(const FreshnessScale *scale, const JsonView *claims)
{
	RiskLevel	risk = (RiskLevel) scale->risk;
	int			count = claims->type == JVIEW_ARRAY ? JsonViewCount(claims) : 0;

	for (int i = 0; i < count && risk != RISK_HIGH; i++)
	{
		JsonView	claim = JsonViewAt(claims, i);

		CHECK_FOR_INTERRUPTS();
		risk = Max(risk, RiskOfText(scale->rules, &claim));
	}
	return risk;
}

static int
DaysAt(RiskLevel risk, const FreshnessTerms *terms)
{
	return StricterDays(risk == RISK_HIGH ? StricterDays(terms->days, terms->days_high_risk) : terms->days,
						terms->days_of_call);
}

int
FreshnessDays(const FreshnessScale *scale, const FreshnessTerms *terms, const JsonView *claims)
{
	if (scale->rules == NULL)
		return 0;
	return DaysAt(RiskOfClaims(scale, claims), terms);
}

/*
 * judging
 */

bool
InstantIsStale(bool has_instant, TimestampTz instant, int days, TimestampTz at)
{
	Chunk		chunk = {.has_instant = has_instant,.instant = instant};

	return ChunkIsStale(&chunk, days, at);
}

char *
StaleText(int days)
{
	return psprintf("A source of the answer is more than %d %s old, or has no date.", days, days == 1 ? "day" : "days");
}

/* Does the evidence give the age of its sources, or is it from a verifier that must? */
static bool
TellsAges(const JsonView *evidence, const JsonView *supports)
{
	JsonView	method;
	JsonView	support;
	JsonView	stamp;

	if (JsonViewGetMember(evidence, "method", &method) && JsonViewStringIs(&method, GROUND_VERIFY_METHOD))
		return true;
	for (int i = 0; JsonViewElement(supports, i, &support); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (support.type == JVIEW_OBJECT && JsonViewGetMember(&support, "stamp", &stamp))
			return true;
	}
	return false;
}

/* Returns the name and date of a source, for a reason. */
static const char *
SourceText(const JsonView *support, const JsonView *stamp, bool has_instant)
{
	JsonView	source = JsonViewUnder(support, "source");

	return psprintf("the source %s %s%s", source.type == JVIEW_ABSENT ? "without a name" : ShownValue(&source),
					has_instant ? "is from " : "has no date that can be read", has_instant ? ShownValue(stamp) : "");
}

void
FreshnessJudge(const FreshnessScale *scale, const EvidencePolicy *policy, const JsonView *evidence,
			   EvidenceVerdict *verdict)
{
	JsonView	supports;
	JsonView	claims = {.type = JVIEW_ABSENT};
	JsonView	support;
	RiskLevel	risk;
	bool		is_dated = true;
	TimestampTz oldest = 0;

	if (scale->rules == NULL || !JsonViewGetMember(evidence, "supports", &supports) || supports.type != JVIEW_ARRAY ||
		!TellsAges(evidence, &supports))
		return;
	(void) JsonViewGetMember(evidence, "claims", &claims);
	risk = RiskOfClaims(scale, &claims);
	verdict->freshness_days = DaysAt(risk, &policy->freshness);
	for (int i = 0; JsonViewElement(&supports, i, &support) && is_dated; i++)
	{
		JsonView	stamp = {.type = JVIEW_ABSENT};
		TimestampTz instant = 0;
		bool		has_instant;

		CHECK_FOR_INTERRUPTS();
		has_instant = support.type == JVIEW_OBJECT && JsonViewGetMember(&support, "stamp", &stamp) &&
			stamp.type == JVIEW_STRING && ChunkInstantParse(SpanOf(stamp.str, stamp.len), &instant);
		if (!InstantIsStale(has_instant, instant, verdict->freshness_days, scale->at) ||
			(has_instant && verdict->is_stale && instant >= oldest))
			continue;
		verdict->is_stale = true;
		is_dated = has_instant;
		oldest = instant;
		verdict->stale_source = SourceText(&support, &stamp, has_instant);
	}
	verdict->blocked_stale = verdict->is_stale && (risk != RISK_LOW || policy->is_regulated);
}

/*
 * documents
 */

void
FreshnessTermsSet(JsonView *policy, const FreshnessTerms *terms)
{
	JsonView	search = JsonViewNewObject(3);

	if (!terms->are_known)
		return;
	JsonViewSet(policy, "freshness_days", JsonViewInteger(terms->days));
	JsonViewSet(policy, "freshness_days_high_risk", JsonViewInteger(terms->days_high_risk));
	JsonViewSet(policy, "supersede", JsonViewCString(supersede_labels[terms->supersede]));
	JsonViewSet(policy, "rules", JsonViewString(terms->rules.str, terms->rules.len));
	JsonViewSet(&search, "top_k", JsonViewInteger(terms->top_k));
	JsonViewSet(&search, "rerank", JsonViewCString(terms->reranks ? "freshness" : "none"));
	JsonViewSet(&search, "freshness_bias", JsonViewOfNumeric(terms->bias));
	JsonViewSet(policy, "search", search);
}

static bool
ReadWhole(const JsonView *object, const char *name, int *number)
{
	JsonView	view;

	return JsonViewGetMember(object, name, &view) && WholeOfView(&view, number);
}

static bool
ReadSupersede(const JsonView *policy, int *supersede)
{
	JsonView	view;

	if (!JsonViewGetMember(policy, "supersede", &view))
		return false;
	for (*supersede = SUPERSEDE_NEVER; *supersede <= SUPERSEDE_ALWAYS; (*supersede)++)
	{
		if (JsonViewStringIs(&view, supersede_labels[*supersede]))
			return true;
	}
	return false;
}

bool
FreshnessTermsOfView(const JsonView *policy, FreshnessTerms *terms)
{
	JsonView	search;
	JsonView	view;

	memset(terms, 0, sizeof(*terms));
	if (!JsonViewGetMember(policy, "freshness_days", &view))
		return true;
	terms->are_known = true;
	if (!ReadWhole(policy, "freshness_days", &terms->days) ||
		!ReadWhole(policy, "freshness_days_high_risk", &terms->days_high_risk) ||
		!ReadSupersede(policy, &terms->supersede) ||
		!JsonViewGetString(policy, "rules", &terms->rules) ||
		!JsonViewGetMember(policy, "search", &search) || search.type != JVIEW_OBJECT ||
		!ReadWhole(&search, "top_k", &terms->top_k) ||
		!JsonViewGetMember(&search, "freshness_bias", &view) || !ShareOfView(&view, &terms->bias) ||
		!JsonViewGetMember(&search, "rerank", &view))
		return false;
	terms->reranks = JsonViewStringIs(&view, "freshness");
	return terms->reranks || JsonViewStringIs(&view, "none");
}

/* the rules in force */

/*
 * Shipped rules are used in full: a database whose encoding lacks the name of a
 * unit stores the rules without it, but must come to the same evidence as others.
 */
const DecisionRules *
PlanRulesInForce(char *digest, JsonView *document)
{
	const DecisionRules *rules = CurrentRules(document);

	CanonicalDigest(document, NULL, digest);
	if (!AreShippedDecisionRules(digest))
		return rules;
	strcpy(digest, ShippedDecisionRulesDigest());
	document->type = JVIEW_ABSENT;
	return ShippedDecisionRules();
}
