/*-------------------------------------------------------------------------
 *
 * plan_cache.c
 *		A cache of answers of plans.
 *
 * Manual: doc/plan.md, "Answers that are given again".  It uses the cache of grounded
 * answers (ground/receipt_cache.c).  The key contains everything that such an answer
 * depends on: the role, who reports what is not observed, the intent, the variables,
 * the plan, the specs of its tools, thresholds, configuration, rules, and the version
 * of the set of documents.  The variable named "query" is the question, and its case
 * is ignored.  Budgets are not part of the key, because a cached answer costs nothing.
 *
 * Only complete answers are cached: no refusals, nothing degraded, nothing that
 * depends on the caller's snapshot.  A plan is not cached if a tool has side effects,
 * as memory has, or if the application answers a step.
 *
 * Promises: answers are never shared between tenants or roles; a request cannot make
 * an answer live longer than the operator allows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "ground/receipt_cache.h"
#include "ground/current_rules.h"
#include "ground/decision_config.h"
#include "ground/environment.h"
#include "ground/retrieve.h"
#include "ground/portable_numbers.h"
#include "judge/judge.h"
#include "plan/plan_cache.h"

/* Does a plan only read? */
static bool
IsRepeatable(const Course *course)
{
	for (int i = 0; i < course->plan->nnodes; i++)
	{
		const ToolSpec *spec = course->spec[i];

		if (spec && (spec->has_side_effects || spec->is_external))
			return false;
	}
	return true;
}

/* Finds the question among the variables, which decides the share of a canary; false if there is none. */
bool
QuestionOfVars(const JsonView *vars, Span *question)
{
	return JsonViewGetString(vars, "query", question);
}

/* Returns the variables, with the question folded. */
static JsonView
FoldedVars(const JsonView *vars)
{
	int			count = JsonViewCount(vars);
	JsonView	folded = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		JsonMember	member;

		member.value = JsonViewMember(vars, i, &member.key);
		if (SpanEqualCString(member.key, "query") && member.value.type == JVIEW_STRING)
			member.value = FoldedQuery(SpanOf(member.value.str, member.value.len));
		JsonViewSetKey(&folded, member.key.str, member.key.len, member.value);
	}
	return folded;
}

/* Returns a value that changes with the versions of the judges of claims. */
static JsonView
JudgesOf(const text *tenant, const JsonView *config)
{
	JsonView	readable = NumbersOfPortable(config);
	DecisionConfig parsed;
	const Panel *panel = &parsed.panels[JUDGE_ENTAILMENT];

	DecisionConfigOfView(&readable, &parsed);
	return panel->count > 0 ? JudgesToken(JudgesFind(tenant, panel->judges, panel->count)) : JsonViewNull();
}

void
PlanCacheKeyMake(PlanCacheKey *key, const text *tenant, const Pinning *pinning, const PlanDocument *document,
				 const Course *course)
{
	Span		question;
	JsonView	config = ActiveConfig(tenant, pinning, QuestionOfVars(&document->vars, &question) ? &question : NULL, NULL);
	JsonView	parts = JsonViewNewArray(12);
	JsonView	rules;
	JsonView	judgements;
	JsonView	basis;
	char	   *rules_digest;

	key->life = IsRepeatable(course) ? CacheLifeOf(&config, pinning) : 0;
	if (key->life == 0)
		return;
	rules_digest = palloc(DIGEST_TEXT_LENGTH + 1);
	(void) CurrentRules(&rules);
	CanonicalDigest(&rules, NULL, rules_digest);
	/* so that it differs from every key of a decision */
	JsonViewAppend(&parts, JsonViewCString(PLAN_SCHEMA));
	JsonViewAppend(&parts, JsonViewInteger(GetUserId()));
	JsonViewAppend(&parts, JsonViewString(document->intent.str, document->intent.len));
	JsonViewAppend(&parts, FoldedVars(&document->vars));
	JsonViewAppend(&parts, JsonViewCString(document->plan_digest));
	JsonViewAppend(&parts, document->tools);
	JsonViewAppend(&parts, JudgesOf(tenant, &config));
	if (JsonViewGetMember(&document->request, "judgements", &judgements))
		JsonViewAppend(&parts, judgements);
	if (JsonViewGetMember(&document->request, "basis", &basis))
		JsonViewAppend(&parts, basis);
	JsonViewAppend(&parts, PlanPolicyView(&course->policy));
	JsonViewAppend(&parts, OriginTermsView(&document->terms));
	JsonViewAppend(&parts, config);
	JsonViewAppend(&parts, JsonViewCString(rules_digest));
	JsonViewAppend(&parts, JsonViewInteger(DocumentSetVersion(tenant)));
	CanonicalDigest(&parts, NULL, key->digest);
}

void
PlanCacheKeep(const PlanCacheKey *key, const text *tenant, const Course *course,
		  const JsonView *receipt, const SigningKey *signing, TimestampTz issued_at)
{
	if (key->life > 0 && course->verdict == PLAN_ANSWERED && course->response.type == JVIEW_OBJECT &&
		course->forecast.nsteps == 0)
		CachePut(tenant, key->digest, receipt, signing, issued_at, key->life);
}
