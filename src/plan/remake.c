/*-------------------------------------------------------------------------
 *
 * remake.c
 *		What the shipped tools gave a plan, made again from what they were given.
 *
 * Rule: a replay verifies again, says the contract of plans.  The evidence of
 * ground.verify keeps the stems and what detectors found, and names the rules by
 * their digest; synth.answer has nothing but its evidence.  Both are made again
 * by the rooms that made them.  A result that does not say that it was made by
 * ground-verify/1 is somebody else's, under the same name.
 *
 * Promises: pure; what cannot be made again is reported, never raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "document/signed.h"
#include "reading/rules.h"
#include "plan/ground_verify.h"
#include "plan/ir.h"
#include "plan/remake.h"
#include "plan/synth.h"

/* Members of evidence that the kernel sets, or that say how it was made. */
static const char *const set_apart[] = {"type", "policy", "verdict", "producer_reported", "origin", "reported_by",
"ts_config", "rules", "detectors"};

/* The evidence of a result, if ground-verify/1 has made it. */
static bool
VerifiedEvidence(Span tool, const JsonView *result, JsonView *evidence)
{
	JsonView	method;

	return SpanEqualCString(tool, TOOL_VERIFY) && result->type == JVIEW_OBJECT &&
		JsonViewGetMember(result, "evidence", evidence) && evidence->type == JVIEW_OBJECT &&
		JsonViewGetMember(evidence, "method", &method) && JsonViewStringIs(&method, GROUND_VERIFY_METHOD);
}

Span
RemakeRulesDigest(Span tool, const JsonView *result)
{
	Span		digest = {"", 0};
	JsonView	evidence;

	if (VerifiedEvidence(tool, result, &evidence) &&
		JsonViewGetString(&evidence, "rules", &digest.str, &digest.len) &&
		ShippedDecisionRulesOf(digest))
		digest.len = 0;
	return digest;
}

static JsonView
WithoutSetApart(const JsonView *evidence)
{
	return JsonViewCopyWithout(evidence, set_apart, lengthof(set_apart), 1);
}

static RemakeOutcome
Compare(const JsonView *recorded, const JsonView *again)
{
	return ReportIsSame(recorded, again) ? REMAKE_SAME : REMAKE_DIFFERS;
}

/* The rules that have a digest; NULL if they are not at hand, or none. */
static const DecisionRules *
FindRules(Span digest, const JsonView *rules)
{
	const DecisionRules *shipped = ShippedDecisionRulesOf(digest);
	char		of_rules[DIGEST_TEXT_LENGTH + 1];
	const char *problem;

	if (shipped)
		return shipped;
	if (rules->type != JVIEW_OBJECT)
		return NULL;
	CanonicalDigest(rules, NULL, of_rules);
	return SpanEqualCString(digest, of_rules) ? EarlierDecisionRulesParse(rules, &problem) : NULL;
}

/* By which revision of its rule evidence was made; 0: by none that we know. */
static int
RevisionOf(const JsonView *evidence)
{
	JsonView	member;
	int64		revision;

	if (!JsonViewGetMember(evidence, "revision", &member))
		return 1;
	return NumberIntegerBetween(&member, 2, GROUND_VERIFY_REVISION, &revision) ? (int) revision : 0;
}

static RemakeOutcome
RemakeEvidence(const JsonView *args, const JsonView *evidence, const JsonView *given_rules, JsonView *again)
{
	GroundVerification *verification;
	Span		digest = {"", 0};
	JsonView	stems = {.type = JVIEW_ABSENT};
	JsonView	detected = {.type = JVIEW_ABSENT};
	int			revision = RevisionOf(evidence);
	const DecisionRules *rules;
	JsonView	made;
	JsonView	rest = WithoutSetApart(evidence);
	const char *problem;

	(void) JsonViewGetString(evidence, "rules", &digest.str, &digest.len);
	rules = FindRules(digest, given_rules);
	if (rules == NULL)
		return REMAKE_INCOMPLETE;
	(void) JsonViewGetMember(evidence, "stems", &stems);
	(void) JsonViewGetMember(evidence, "detected", &detected);
	verification = GroundVerifyBegin(args, rules, &problem);
	if (revision == 0 || verification == NULL || !GroundVerify(verification, &stems, &detected, revision, &made, &problem))
		return REMAKE_DIFFERS;
	*again = WithoutSetApart(&made);
	return Compare(&rest, again);
}

RemakeOutcome
RemakeResult(Span tool, const JsonView *args, const JsonView *result, const JsonView *rules, JsonView *again)
{
	JsonView	evidence;
	const char *problem;

	if (VerifiedEvidence(tool, result, &evidence))
		return RemakeEvidence(args, &evidence, rules, again);
	if (!SpanEqualCString(tool, TOOL_SYNTH) || args->type != JVIEW_OBJECT ||
		!JsonViewGetMember(args, "evidence", &evidence))
		return REMAKE_SAME;
	return SynthAnswer(&evidence, again, &problem) ? Compare(result, again) : REMAKE_DIFFERS;
}
