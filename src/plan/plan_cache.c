/*-------------------------------------------------------------------------
 *
 * plan_cache.c
 *		Answers of plans that are given again.
 *
 * Rule: doc/plan.md, "Answers that are given again", by the cache of grounded answers
 * (ground/receipt_cache.c). The key has all that such an answer follows from: role,
 * whoever reports what is not observed, intent, variables, plan, specs of its tools,
 * thresholds, configuration, rules and the version of the set of documents. The
 * variable named "query" is the question, in which case makes no difference. Budgets
 * are no part of it: what is at hand costs nothing, and fits each of them.
 *
 * Given again is an answer in full: no refusal, nothing degraded, nothing that
 * comes from a snapshot of the caller's.  A plan whose tools have side effects is
 * executed each time, and memory is such a tool; so is one that the application
 * takes part in.
 *
 * Promises: never across tenants or roles; no request can make an answer live
 * longer than the operator has it.
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

/* Does a plan do nothing but read? */
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

/* The question among the variables, by which a canary has its share; false if there is none. */
bool
QuestionOfVars(const JsonView *vars, Span *question)
{
	return JsonViewGetString(vars, "query", question);
}

/* The variables, with the question folded. */
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

/* Another value whenever another version of a judge counts that claims are judged by. */
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
	/* other than any key of a decision */
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
