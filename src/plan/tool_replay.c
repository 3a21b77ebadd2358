/*-------------------------------------------------------------------------
 *
 * tool_replay.c
 *		Recomputes the results that shipped tools gave a plan, from their arguments.
 *
 * Rule: doc/spec/plan.md §16.4.  The evidence of ground.verify states its judges and
 * their judgements, and the digest of its rules; synth.answer depends only on its
 * evidence.  Both are recomputed by the modules that made them.  Anybody can register a
 * tool under these names, so a result is taken for ours only if it states that it was
 * made by ground-verify/2.  A result of ground-verify/1 is ours, too, but cannot be
 * recomputed: that rule used stems of the server's dictionaries and is gone
 * (TOOL_EARLIER).
 *
 * Promises: pure; what cannot be recomputed is reported, never raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "document/signed.h"
#include "ground/decision_config.h"
#include "ground/portable_numbers.h"
#include "ground/decision_receipt.h"
#include "reading/decision_rules.h"
#include "plan/ground_conf.h"
#include "plan/ground_verify.h"
#include "plan/ir.h"
#include "plan/tool_replay.h"
#include "plan/synth_answer.h"

/* Members of an evidence that the kernel sets, or that say how it was made. */
static const char *const set_apart[] = {"type", "policy", "verdict", "producer_reported", "origin", "reported_by",
"rules", "judges"};

/* Finds the evidence in a result, if this rule of ground.verify has made it. */
static bool
EvidenceBy(const char *rule, Span tool, const JsonView *result, JsonView *evidence)
{
	JsonView	method;

	return SpanEqualCString(tool, TOOL_VERIFY) && result->type == JVIEW_OBJECT &&
		JsonViewGetMember(result, "evidence", evidence) && evidence->type == JVIEW_OBJECT &&
		JsonViewGetMember(evidence, "method", &method) && JsonViewStringIs(&method, rule);
}

/* Finds the evidence in a result, if ground-verify/2 has made it. */
static bool
VerifiedEvidence(Span tool, const JsonView *result, JsonView *evidence)
{
	return EvidenceBy(GROUND_VERIFY_METHOD, tool, result, evidence);
}

Span
RulesDigestOfResult(Span tool, const JsonView *result)
{
	Span		digest = {"", 0};
	JsonView	evidence;

	if (VerifiedEvidence(tool, result, &evidence) &&
		JsonViewGetString(&evidence, "rules", &digest) &&
		ShippedDecisionRulesOf(digest))
		digest.len = 0;
	return digest;
}

static JsonView
WithoutSetApart(const JsonView *evidence)
{
	return JsonViewCopyWithout(evidence, set_apart, lengthof(set_apart), 1);
}

static ToolReplay
CompareReplayed(const JsonView *recorded, const JsonView *expected)
{
	return ReportIsSame(recorded, expected) ? TOOL_SAME : TOOL_DIFFERS;
}

/* Returns the rules with a digest; NULL if they are not available or malformed. */
const DecisionRules *
FindRulesOfResult(Span digest, const JsonView *rules)
{
	const DecisionRules *shipped = ShippedDecisionRulesOf(digest);
	char		of_rules[DIGEST_TEXT_LENGTH + 1];
	const char *problem;

	if (shipped)
		return shipped;
	if (rules->type != JVIEW_OBJECT)
		return NULL;
	CanonicalDigest(rules, NULL, of_rules);
	return SpanEqualCString(digest, of_rules) ? DecisionRulesParse(rules, &problem) : NULL;
}

/* Reads the judges and their judgements; false if they are malformed. */
static bool
ReadJudges(const JsonView *evidence, DecisionConfig *config, GroundJudges *judges)
{
	JsonView	judging = JsonViewUnder(evidence, "judging");
	JsonView	judgements = JsonViewUnder(evidence, "judgements");
	const char *problem;

	if (judging.type == JVIEW_OBJECT)
		judging = NumbersOfPortable(&judging);
	if (!DecisionConfigParse(&judging, config, &problem))
		return false;
	*judges = (GroundJudges) {&config->panels[JUDGE_ENTAILMENT], ReadableJudgements(&judgements, &problem),
		{config->support_min, config->contradict_min}};
	return judges->judgements != NULL;
}

static ToolReplay
ReplayEvidence(const JsonView *args, const JsonView *evidence, const JsonView *given_rules, TimestampTz at,
			   JsonView *expected)
{
	GroundVerification *verification;
	Span		digest = {"", 0};
	const DecisionRules *rules;
	DecisionConfig config;
	GroundJudges judges;
	JsonView	made;
	JsonView	rest = WithoutSetApart(evidence);
	const char *problem;

	(void) JsonViewGetString(evidence, "rules", &digest);
	rules = FindRulesOfResult(digest, given_rules);
	if (rules == NULL)
		return TOOL_INCOMPLETE;
	verification = GroundVerifyBegin(args, rules, &problem);
	if (verification == NULL || !ReadJudges(evidence, &config, &judges))
		return TOOL_DIFFERS;
	made = GroundVerify(verification, &judges, &at);
	*expected = WithoutSetApart(&made);
	return CompareReplayed(&rest, expected);
}

ToolReplay
ReplayTool(Span tool, const JsonView *args, const JsonView *result, const JsonView *rules, TimestampTz at,
			 JsonView *expected)
{
	JsonView	evidence;
	const char *problem;

	if (VerifiedEvidence(tool, result, &evidence))
		return ReplayEvidence(args, &evidence, rules, at, expected);
	if (EvidenceBy(GROUND_VERIFY_EARLIER, tool, result, &evidence))
		return TOOL_EARLIER;
	if (!SpanEqualCString(tool, TOOL_SYNTH) || args->type != JVIEW_OBJECT ||
		!JsonViewGetMember(args, "evidence", &evidence))
		return TOOL_SAME;
	return SynthAnswer(&evidence, expected, &problem) ? CompareReplayed(result, expected) : TOOL_DIFFERS;
}
