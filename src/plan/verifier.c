/*-------------------------------------------------------------------------
 *
 * verifier.c
 *		ground.verify: the tool, and its verification repeated from stored evidence.
 *
 * ground_verify.c does the verification.  This module supplies what it depends on: the
 * decision rules and the judges of the configuration in force, and the clock of the plan
 * that calls it.  The database sets all of these; the caller cannot choose them.  The
 * evidence keeps the digest of the rules, the judges and their judgements, so the
 * verification can be repeated without asking anybody; tests do that by calling
 * answer_eval_ground_verify.
 *
 * A judgement of a claim and a source comes from what the caller gave, if it has the
 * roles of the judges, then from what is stored, then from the judge itself, if it is a
 * function.
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
#include "ground/current_rules.h"
#include "ground/decision_config.h"
#include "judge/ask_judge.h"
#include "judge/given_judgement.h"
#include "plan/ground_conf.h"
#include "plan/freshness.h"
#include "plan/ground_verify.h"

/* Time limit for judges; a plan ends them with its step, if that is earlier. */
#define JUDGING_DEADLINE_MS	10000

static const char arguments_hint[] =
"The arguments are {claims: [text], sources: [{uri, title?, snippet, score, stamp?}], min_confidence?, policy?, regulated?, judgements?, supersede?, reported?}.";

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

/* Reads the thresholds for the verdict from the arguments. */
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

/* Returns the evidence, with what it was made by, its policy and its verdict. */
static JsonView
EvidenceOf(GroundVerification *verification, const JsonView *args, const GroundJudges *judges,
		   const TimestampTz *at, const char *rules_digest)
{
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	JsonView	evidence;
	const char *problem;

	ReadPolicy(args, &policy);
	evidence = GroundVerify(verification, judges, at);
	if (!EvidenceJudge(&evidence, &policy, &verdict, &problem))
		MalformedArgument(problem, arguments_hint);
	JsonViewSet(&evidence, "rules", JsonViewCString(rules_digest));
	return EvidenceSettle(&evidence, &policy, &verdict);
}

/*
 * judges
 */

/* State of asking judges about one verification. */
typedef struct Questioning
{
	const text *tenant;
	Pinning    *pinning;
	const DecisionConfig *config;
	Judges	   *judges;
	GivenJudgements given;
	int			npairs;
	const GroundPair *pairs;
	JsonView	known;			/* in the form of a document */
} Questioning;

static const Judgements *
Readable(const JsonView *known)
{
	const char *problem;
	const Judgements *judgements = JudgementsParse(known, &problem);

	/* these were read before, or are our own */
	if (judgements == NULL)
		elog(ERROR, "judgements cannot be read: %s", problem);
	return judgements;
}

static const Panel *
Entailment(const Questioning *asking)
{
	return &asking->config->panels[JUDGE_ENTAILMENT];
}

/* Takes the judgements that the caller gave for the pairs, each of which occurs once. */
static void
TakeGiven(Questioning *asking)
{
	const Panel *panel = Entailment(asking);

	for (int i = 0; i < asking->npairs; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < panel->count && asking->pairs[i].first == i; k++)
			(void) GivenJudgementTake(&asking->given, JUDGE_ENTAILMENT, PairSpan(&asking->pairs[i].digest),
									  panel->judges[k], GetCurrentStatementStartTimestamp(), &asking->known);
	}
}

/* Adds stored judgements of this kind and panel for pairs without a judgement. */
static void
TakeStored(Questioning *asking)
{
	const Judgements *known = Readable(&asking->known);
	Span	   *digests = palloc_extended(sizeof(Span) * (Size) Max(asking->npairs, 1), MCXT_ALLOC_HUGE);
	Panel		panels[JUDGE_KINDS] = {[JUDGE_ENTAILMENT] = *Entailment(asking)};

	for (int i = 0; i < asking->npairs; i++)
		digests[i] = PairSpan(&asking->pairs[i].digest);
	AppendStoredJudgements(&asking->known, known, asking->tenant, asking->pinning, asking->judges, panels, digests, asking->npairs);
}

/* Asks the judges that are functions; stores their judgements if the transaction can write. */
static void
AskJudges(Questioning *asking, const JudgeTerms *sure)
{
	Panel		panels[JUDGE_KINDS] = {{0}};
	AskPair    *pairs = palloc_extended(sizeof(AskPair) * (Size) Max(asking->npairs, 1), MCXT_ALLOC_HUGE);
	AskTerms	terms = {.tenant = asking->tenant,.pinning = asking->pinning,.deadline_ms = JUDGING_DEADLINE_MS,
	.store = true,.sure = *sure};
	Asked		asked;
	int			count = 0;

	terms.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), JUDGING_DEADLINE_MS);
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
		panels[kind].kind = kind;
	panels[JUDGE_ENTAILMENT] = *Entailment(asking);
	for (int i = 0; i < asking->npairs; i++)
	{
		const GroundPair *pair = &asking->pairs[i];

		if (pair->first == i)
			pairs[count++] = (AskPair) {JUDGE_ENTAILMENT, PairSpan(&pair->digest), pair->a, pair->b};
	}
	JudgesAsk(asking->judges, panels, Readable(&asking->known), pairs, count, &terms, &asked);
	for (int i = 0; i < JsonViewCount(&asked.judgements); i++)
	{
		JsonView	judgement = JsonViewAt(&asked.judgements, i);

		JsonViewAppend(&asking->known, judgement);
	}
}

/* Has the pairs judged by the judges of the configuration; *present is how a document shows these. */
static void
HaveJudged(GroundVerification *verification, const JsonView *args, const text *tenant, Pinning *pinning,
		   const DecisionConfig *config, GroundJudges *judges, JsonView *present)
{
	Questioning		asking = {.tenant = tenant,.pinning = pinning,.config = config,.known = JsonViewNewArray(8)};
	JsonView	given = JsonViewUnder(args, "judgements");

	GivenJudgementsRead(&asking.given, tenant, &given);
	*judges = (GroundJudges) {Entailment(&asking), Readable(&asking.known), {config->support_min, config->contradict_min}};
	if (judges->panel->count == 0)
		return;
	asking.judges = JudgesFind(tenant, judges->panel->judges, judges->panel->count);
	asking.pairs = GroundVerifyPairs(verification, &asking.npairs);
	TakeGiven(&asking);
	TakeStored(&asking);
	AskJudges(&asking, &judges->terms);
	judges->judgements = Readable(&asking.known);
	*present = JudgesPresent(asking.judges);
}

/*
 * the tool
 */

/* answer.tool_ground_verify(args) */
PG_FUNCTION_INFO_V1(answer_eval_tool_ground_verify);
Datum
answer_eval_tool_ground_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	GroundVerification *verification;
	GroundJudges judges;
	DecisionConfig config;
	JsonView	present = {.type = JVIEW_ABSENT};
	JsonView	result = JsonViewNewObject(1);
	TimestampTz at = PlanClock();
	JsonView	document;
	char		rules_digest[DIGEST_TEXT_LENGTH + 1];
	const text *tenant;
	Pinning    *pinning = CurrentPinning();
	JsonView	args;
	JsonView	evidence;

	ReadArguments(fcinfo, &args);
	/* without a tenant there are no rules, either */
	tenant = CurrentTenant();
	SPI_connect();
	MemoryContextSwitchTo(caller);
	verification = BeginOrRaise(&args, PlanRulesInForce(rules_digest, &document));
	CurrentDecisionConfig(tenant, pinning, NULL, &config);
	HaveJudged(verification, &args, tenant, pinning, &config, &judges, &present);
	evidence = EvidenceOf(verification, &args, &judges, &at, rules_digest);
	SPI_finish();
	if (present.type != JVIEW_ABSENT)
		JsonViewSet(&evidence, "judges", present);
	JsonViewSet(&result, "evidence", evidence);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

/* the verification alone */

/* answer_test.ground_verify(args, judging, judgements, rules, at), for tests: test/lib/answer_test.sql */
PG_FUNCTION_INFO_V1(answer_eval_ground_verify);
Datum
answer_eval_ground_verify(PG_FUNCTION_ARGS)
{
	const DecisionRules *rules = DecisionRulesArgument(fcinfo, 3);
	JsonView	args;
	JsonView	judging = {.type = JVIEW_ABSENT};
	JsonView	judgements = {.type = JVIEW_ABSENT};
	JsonView	document;
	JsonView	evidence;
	DecisionConfig config;
	GroundJudges judges;
	TimestampTz at = PG_ARGISNULL(4) ? 0 : PG_GETARG_TIMESTAMPTZ(4);
	const char *problem;
	char		rules_digest[DIGEST_TEXT_LENGTH + 1];

	ReadArguments(fcinfo, &args);
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "judging");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "judgements");
	if (!PG_ARGISNULL(1))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &judging);
	if (!PG_ARGISNULL(2))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &judgements);
	if (PG_ARGISNULL(3))
		strcpy(rules_digest, ShippedDecisionRulesDigest());
	else
	{
		JsonViewOfJsonb(PG_GETARG_JSONB_P(3), &document);
		CanonicalDigest(&document, NULL, rules_digest);
	}
	DecisionConfigOfView(&judging, &config);
	judges = (GroundJudges) {&config.panels[JUDGE_ENTAILMENT], JudgementsParse(&judgements, &problem),
		{config.support_min, config.contradict_min}};
	if (judges.judgements == NULL)
		MalformedArgument(problem, "Judgements are [{pair, relation, score, judge}], each pair and judge once.");
	evidence = EvidenceOf(BeginOrRaise(&args, rules), &args, &judges, PG_ARGISNULL(4) ? NULL : &at, rules_digest);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&evidence, false));
}
