/*-------------------------------------------------------------------------
 *
 * verifier.c
 *		ground.verify: the tool, and the same judgement from what evidence keeps.
 *
 * The edge of ground_verify.c, which judges.  What it judges by comes from here:
 * the rules of decisions that are in force, stems by the dictionaries of
 * pg_catalog.english: all of that is the database's, and nothing of it is the
 * caller's to choose.  The evidence keeps the stems and the digest of the rules, so
 * that answer.ground_verify makes it again without a dictionary; evidence of earlier
 * versions has what users' detectors found, too, and is judged by it still.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/tenant.h"
#include "check/request.h"
#include "ground/current.h"
#include "plan/evidence.h"
#include "plan/ground_verify.h"
#include "plan/stems.h"

static const char arguments_hint[] =
"The arguments are {claims: [text], sources: [{uri, title?, snippet, score, stamp?}], min_confidence?, policy?, regulated?}.";

static void
ReadArguments(FunctionCallInfo fcinfo, JsonView *args)
{
	RequireArgument(fcinfo, 0, "args");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "args");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), args);
}

static GroundVerification *
BeginOrRaise(const JsonView *args, const DecisionRules *rules)
{
	const char *problem;
	GroundVerification *verification = GroundVerifyBegin(args, rules, &problem);

	if (verification == NULL)
		MalformedArgument(problem, arguments_hint);
	return verification;
}

/* What the verdict is held against, as the arguments say. */
static void
ReadPolicy(const JsonView *args, EvidencePolicy *policy)
{
	JsonView	view;
	const char *problem;

	EvidencePolicyDefaults(policy);
	if (!EvidencePolicyRead(args, policy, &problem))
		MalformedArgument(problem, arguments_hint);
	if (JsonViewGetMember(args, "min_confidence", &view) && !ShareOfView(&view, &policy->min_confidence))
		MalformedArgument(psprintf("min_confidence must be a number from 0 to 1, and is %s", ShownValue(&view)),
						  arguments_hint);
	EvidencePolicyFloor(policy);
	if (!JsonViewGetMember(args, "regulated", &view))
		return;
	if (view.type != JVIEW_BOOL)
		MalformedArgument(psprintf("regulated must be true or false, and is %s", ShownValue(&view)), arguments_hint);
	policy->is_regulated = view.boolean;
}

/* The evidence, with what it was made by, its policy and its verdict. */
static JsonView
EvidenceOf(GroundVerification *verification, const JsonView *args, const JsonView *stems,
		   const JsonView *detected, const char *rules_digest)
{
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	JsonView	evidence;
	const char *problem;

	ReadPolicy(args, &policy);
	if (!GroundVerify(verification, stems, detected, GROUND_VERIFY_REVISION, &evidence, &problem) ||
		!EvidenceJudge(&evidence, &policy, &verdict, &problem))
		MalformedArgument(problem, arguments_hint);
	JsonViewSet(&evidence, "rules", JsonViewCString(rules_digest));
	return EvidenceSettle(&evidence, &policy, &verdict);
}

/*
 * the tool
 */

/*
 * The rules in force, and their digest.  Shipped rules are judged by in full: a
 * database whose encoding lacks the name of a unit stores them without it, and
 * must come to the same evidence as others.
 */
static const DecisionRules *
RulesInForce(char *digest)
{
	JsonView	document;
	const DecisionRules *rules = CurrentRules(&document);

	CanonicalDigest(&document, NULL, digest);
	if (!AreShippedDecisionRules(digest))
		return rules;
	strcpy(digest, ShippedDecisionRulesDigest());
	return ShippedDecisionRules();
}

/* answer_tool_ground_verify(args) */
PG_FUNCTION_INFO_V1(answer_eval_tool_ground_verify);
Datum
answer_eval_tool_ground_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	GroundVerification *verification;
	static const JsonView nothing_detected = {.type = JVIEW_ABSENT};
	JsonView	result = JsonViewNewObject(1);
	char		rules_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	args;
	JsonView	words;
	JsonView	stems;
	JsonView	evidence;

	ReadArguments(fcinfo, &args);
	/* whoever has no tenant has no rules, either */
	(void) CurrentTenant();
	SPI_connect();
	MemoryContextSwitchTo(caller);
	verification = BeginOrRaise(&args, RulesInForce(rules_digest));
	words = GroundVerifyWords(verification);
	stems = StemsOfWords(&words);
	evidence = EvidenceOf(verification, &args, &stems, &nothing_detected, rules_digest);
	SPI_finish();
	JsonViewSet(&result, "evidence", evidence);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

/*
 * the judgement alone
 */

/* answer.ground_verify(args, stems, detected, rules) */
PG_FUNCTION_INFO_V1(answer_eval_ground_verify);
Datum
answer_eval_ground_verify(PG_FUNCTION_ARGS)
{
	const DecisionRules *rules = DecisionRulesArgument(fcinfo, 3);
	JsonView	args;
	JsonView	stems;
	JsonView	detected = {.type = JVIEW_ABSENT};
	JsonView	document;
	JsonView	evidence;
	char		rules_digest[DIGEST_TEXT_LENGTH + 1];

	ReadArguments(fcinfo, &args);
	RequireArgument(fcinfo, 1, "stems");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "stems");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "detected");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &stems);
	if (!PG_ARGISNULL(2))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &detected);
	if (PG_ARGISNULL(3))
		strcpy(rules_digest, ShippedDecisionRulesDigest());
	else
	{
		JsonViewOfJsonb(PG_GETARG_JSONB_P(3), &document);
		CanonicalDigest(&document, NULL, rules_digest);
	}
	evidence = EvidenceOf(BeginOrRaise(&args, rules), &args, &stems, &detected, rules_digest);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&evidence, false));
}
