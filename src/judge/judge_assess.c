/*-------------------------------------------------------------------------
 *
 * judge_assess.c
 *		Measures how good a judge is, over pairs whose true relation is known.
 *
 * Rule: doc/spec/judgement.md §6.3.  A function is asked.  The judgements of an
 * external judge are given with the pairs, or are stored.  For each kind the report
 * has: how often each relation was said, for each true relation; the mean, over the
 * relations that occur, of the share judged right; and, for each score, the share of
 * pairs that the judge accepts at that score or above, and the share of these that is
 * wrong.  To accept means supports, answers, or, for conflicts, neutral.
 *
 * A pair that the judge did not judge (it failed, or the text was too long) is not a
 * mistake, because what is not judged decides nothing.  The report has the number of
 * these pairs.
 *
 * Promises: exact; rounded half-even to four decimals; n is always reported.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "judge/ask_judge.h"
#include "judge/judge.h"

/*
 * Time limits for the whole assessment, and for a call of a judge without a deadline of
 * its own, in milliseconds.
 */
#define ASSESS_MS		3600000
#define ASSESS_CALL_MS	60000

/*
 * The scores at which the report says what a judge accepts: enough to choose one, and few
 * enough for every document.
 */
static const char *const told_scores[] = {"0", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.99"};

/* A pair, its true relation, and what the judge said. */
typedef struct Trial
{
	AskPair	pair;
	PairDigest	digest;
	JudgeRelation truth;
	int			place;
	bool		is_judged;
	JudgeRelation said;
	Numeric		score;
} Trial;

/* The state of one call. */
typedef struct Assessment
{
	const text *tenant;
	Pinning    *pinning;
	const Judges *judges;
	const Judge *judge;
	int			count;
	Trial	   *trials;			/* sorted by pair */
	Asked		asked;			/* for a function */
	JsonView	at;
} Assessment;

/*
 * reading
 */

static _Noreturn void
Malformed(int index, const char *key, const char *demand, const JsonView *seen)
{
	int			len;
	char	   *shown = ShownValue(seen);

	MalformedArgument(psprintf("pairs[%d].%s %s, and is %s", index, key, demand,
							   JsonUtf8ToServer(shown, strlen(shown), &len)), NULL);
}

static Span
ReadCaseText(const JsonView *object, int index, const char *key)
{
	JsonView	view = JsonViewUnder(object, key);

	if (view.type != JVIEW_STRING)
		Malformed(index, key, "must be a string", &view);
	return SpanOf(view.str, view.len);
}

static JudgeRelation
ReadRelation(const JsonView *view, int index, const char *key, JudgeKind kind)
{
	JudgeRelation relation;

	if (view->type != JVIEW_STRING || !JudgeRelationOf(SpanOf(view->str, view->len), &relation) ||
		!JudgeRelationIsOf(relation, kind))
		Malformed(index, key, psprintf("must be %s", JudgeRelationsList(kind)), view);
	return relation;
}

static void
ReadTrial(const Assessment *assessment, const JsonView *object, int index, Trial *trial)
{
	JsonView	view = JsonViewUnder(object, "kind");

	if (object->type != JVIEW_OBJECT)
		MalformedArgument(psprintf("pairs[%d] must be an object", index), NULL);
	if (view.type != JVIEW_STRING || !JudgeKindOf(SpanOf(view.str, view.len), &trial->pair.kind))
		Malformed(index, "kind", "must be entailment, answers or conflict", &view);
	if (!assessment->judge->kinds[trial->pair.kind])
		Malformed(index, "kind", "must be one that the judge judges", &view);
	trial->place = index;
	trial->pair.a = ReadCaseText(object, index, "a");
	trial->pair.b = ReadCaseText(object, index, "b");
	JudgementOrder(trial->pair.kind, &trial->pair.a, &trial->pair.b);
	trial->digest = JudgementPair(trial->pair.kind, trial->pair.a, trial->pair.b);
	JsonViewGetMember(object, "truth", &view);
	trial->truth = ReadRelation(&view, index, "truth", trial->pair.kind);
	if (!JsonViewGetMember(object, "relation", &view) || view.type == JVIEW_NULL)
		return;
	if (assessment->judge->handler)
		MalformedArgument(psprintf("pairs[%d] must have no relation: the judge is a function, which is asked", index), NULL);
	trial->said = ReadRelation(&view, index, "relation", trial->pair.kind);
	JsonViewGetMember(object, "score", &view);
	if (!JudgeScoreOf(&view, &trial->score))
		Malformed(index, "score", "must be a number from 0 to 1", &view);
	trial->is_judged = true;
}

static int
CompareTrials(const void *a, const void *b)
{
	const Trial *left = a;
	const Trial *right = b;
	int			cmp = memcmp(left->digest.text, right->digest.text, DIGEST_TEXT_LENGTH);

	return cmp != 0 ? cmp : (left->place > right->place) - (left->place < right->place);
}

static void
ReadTrials(Assessment *assessment, const JsonView *pairs)
{
	int			count = pairs->type == JVIEW_ARRAY ? JsonViewCount(pairs) : 0;

	if (count == 0)
		MalformedArgument("pairs must be an array of one pair or more", NULL);
	assessment->trials = palloc_extended(sizeof(Trial) * count, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	assessment->count = count;
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(pairs, i);

		CHECK_FOR_INTERRUPTS();
		ReadTrial(assessment, &entry, i, &assessment->trials[i]);
	}
	qsort(assessment->trials, count, sizeof(Trial), CompareTrials);
	for (int i = 0; i < count; i++)
	{
		Trial	   *trial = &assessment->trials[i];

		trial->pair.pair = PairSpan(&trial->digest);
		if (i > 0 && memcmp(trial->digest.text, trial[-1].digest.text, DIGEST_TEXT_LENGTH) == 0)
			MalformedArgument(psprintf("pairs[%d] must not be the pair of pairs[%d] again", trial->place,
									   trial[-1].place), NULL);
	}
}

/*
 * asking
 */

static void
AskJudge(Assessment *assessment)
{
	Judge		judge = *assessment->judge;
	AskTerms	terms = {.tenant = assessment->tenant,.pinning = assessment->pinning,.deadline_ms = ASSESS_MS,
	.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), ASSESS_MS)};
	const AskPair **pairs = palloc_extended(sizeof(AskPair *) * assessment->count, MCXT_ALLOC_HUGE);

	if (judge.deadline_ms == 0)
		judge.deadline_ms = ASSESS_CALL_MS;
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		int			count = 0;

		for (int i = 0; i < assessment->count; i++)
		{
			if (assessment->trials[i].pair.kind == (JudgeKind) kind)
				pairs[count++] = &assessment->trials[i].pair;
		}
		JudgeAsk(&judge, kind, pairs, count, &terms, &assessment->asked);
	}
}

/* Returns the stored judgements of an external judge. */
static JsonView
LookUp(const Assessment *assessment)
{
	Span	   *pairs = palloc_extended(sizeof(Span) * assessment->count, MCXT_ALLOC_HUGE);

	for (int i = 0; i < assessment->count; i++)
		pairs[i] = assessment->trials[i].pair.pair;
	return JudgementsStored(assessment->tenant, assessment->pinning, assessment->judges, pairs, assessment->count);
}

static void
TakeJudgements(Assessment *assessment)
{
	JsonView	said;
	const char *problem;
	Judgements *judgements;

	AskedInit(&assessment->asked);
	if (assessment->judge->handler)
	{
		AskJudge(assessment);
		said = assessment->asked.judgements;
	}
	else
		said = LookUp(assessment);
	judgements = JudgementsParse(&said, &problem);
	if (judgements == NULL)
		elog(ERROR, "judgements of a judge are malformed: %s", problem);
	for (int i = 0; i < assessment->count; i++)
	{
		Trial	   *trial = &assessment->trials[i];
		const Judgement *judgement = JudgementFind(judgements, trial->pair.pair, assessment->judge->name);

		if (judgement == NULL || trial->is_judged)
			continue;
		trial->is_judged = true;
		trial->said = judgement->relation;
		trial->score = judgement->score;
	}
}

/*
 * figures
 */

/*
 * Returns n / d, rounded half-even to four decimals, without trailing zeros.  Both are
 * integers, and d is not 0.
 */
static Numeric
Share(Numeric n, Numeric d)
{
	Numeric		shifted = NumberCall(numeric_mul, n, int64_to_numeric(10000));
	Numeric		whole = NumberCall(numeric_div_trunc, shifted, d);
	Numeric		rest = NumberCall(numeric_mod, shifted, d);
	int			cmp = NumberCompare(NumberCall(numeric_mul, rest, int64_to_numeric(2)), d);
	Numeric		odd = NumberCall(numeric_mod, whole, int64_to_numeric(2));

	if (cmp > 0 || (cmp == 0 && NumberCompare(odd, int64_to_numeric(0)) != 0))
		whole = NumberCall(numeric_add, whole, int64_to_numeric(1));
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale,
											   NumericGetDatum(NumberCall(numeric_mul, whole, NumberOfLiteral("0.0001")))));
}

static JsonView
ShareView(int64 n, int64 d)
{
	return d == 0 ? JsonViewNull() : JsonViewOfNumeric(Share(int64_to_numeric(n), int64_to_numeric(d)));
}

/* How often the judge said each relation, for each true relation. */
typedef struct Confusion
{
	int64		counts[JUDGE_RELATIONS][JUDGE_RELATIONS];
	int64		n;
	int64		not_judged;
} Confusion;

static void
CountConfusion(const Assessment *assessment, JudgeKind kind, Confusion *confusion)
{
	memset(confusion, 0, sizeof(*confusion));
	for (int i = 0; i < assessment->count; i++)
	{
		const Trial *trial = &assessment->trials[i];

		if (trial->pair.kind != kind)
			continue;
		if (!trial->is_judged)
		{
			confusion->not_judged++;
			continue;
		}
		confusion->n++;
		confusion->counts[trial->truth][trial->said]++;
	}
}

static int64
RowSum(const Confusion *confusion, int truth)
{
	int64		sum = 0;

	for (int said = 0; said < JUDGE_RELATIONS; said++)
		sum += confusion->counts[truth][said];
	return sum;
}

static JsonView
ConfusionView(const Confusion *confusion)
{
	JsonView	view = JsonViewNewObject(JUDGE_RELATIONS);

	for (int truth = 0; truth < JUDGE_RELATIONS; truth++)
	{
		JsonView	row = JsonViewNewObject(JUDGE_RELATIONS);

		if (RowSum(confusion, truth) == 0)
			continue;
		for (int said = 0; said < JUDGE_RELATIONS; said++)
		{
			if (confusion->counts[truth][said] > 0)
				JsonViewSet(&row, JudgeRelationName(said), JsonViewInteger(confusion->counts[truth][said]));
		}
		JsonViewSet(&view, JudgeRelationName(truth), row);
	}
	return view;
}

/*
 * Returns the mean of the shares judged right, computed as one fraction so that it is
 * rounded once.
 */
static JsonView
BalancedAccuracy(const Confusion *confusion)
{
	Numeric		n = int64_to_numeric(0);
	Numeric		d = int64_to_numeric(1);
	int64		occurring = 0;

	for (int truth = 0; truth < JUDGE_RELATIONS; truth++)
	{
		int64		sum = RowSum(confusion, truth);

		if (sum == 0)
			continue;
		occurring++;
		n = NumberCall(numeric_add, NumberCall(numeric_mul, n, int64_to_numeric(sum)),
					   NumberCall(numeric_mul, d, int64_to_numeric(confusion->counts[truth][truth])));
		d = NumberCall(numeric_mul, d, int64_to_numeric(sum));
	}
	if (occurring == 0)
		return JsonViewNull();
	return JsonViewOfNumeric(Share(n, NumberCall(numeric_mul, d, int64_to_numeric(occurring))));
}

static JudgeRelation
Accepting(JudgeKind kind)
{
	return kind == JUDGE_ENTAILMENT ? RELATION_SUPPORTS : kind == JUDGE_ANSWERS ? RELATION_ANSWERS : RELATION_NEUTRAL;
}

static JsonView
AcceptsAt(const Assessment *assessment, JudgeKind kind, int64 n)
{
	JsonView	view = JsonViewNewArray(lengthof(told_scores));

	for (size_t i = 0; i < lengthof(told_scores); i++)
	{
		Numeric		least = NumberOfLiteral(told_scores[i]);
		JsonView	entry = JsonViewNewObject(3);
		int64		accepted = 0;
		int64		wrong = 0;

		for (int j = 0; j < assessment->count; j++)
		{
			const Trial *trial = &assessment->trials[j];

			if (trial->pair.kind != kind || !trial->is_judged || trial->said != Accepting(kind) ||
				NumberCompare(trial->score, least) < 0)
				continue;
			accepted++;
			wrong += trial->truth != trial->said;
		}
		JsonViewSet(&entry, "score", JsonViewOfNumeric(least));
		JsonViewSet(&entry, "coverage", ShareView(accepted, n));
		JsonViewSet(&entry, "risk", ShareView(wrong, accepted));
		JsonViewAppend(&view, entry);
	}
	return view;
}

/*
 * Returns the digest of the given pairs of a kind with their true relations, independent
 * of their order.
 */
static JsonView
PairsDigest(const Assessment *assessment, JudgeKind kind)
{
	JsonView	pairs = JsonViewNewArray(assessment->count);
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	for (int i = 0; i < assessment->count; i++)
	{
		const Trial *trial = &assessment->trials[i];
		JsonView	entry = JsonViewNewObject(2);

		if (trial->pair.kind != kind)
			continue;
		JsonViewSet(&entry, "pair", JsonViewString(trial->digest.text, DIGEST_TEXT_LENGTH));
		JsonViewSet(&entry, "truth", JsonViewCString(JudgeRelationName(trial->truth)));
		JsonViewAppend(&pairs, entry);
	}
	CanonicalDigest(&pairs, NULL, digest);
	return JsonViewCString(digest);
}

/* Returns the failures of a kind; absent if there are none. */
static JsonView
FailuresOf(const Assessment *assessment, JudgeKind kind)
{
	static const char *const without[] = {"name"};
	JsonView	failures = {.type = JVIEW_ABSENT};
	int			count = assessment->asked.failures.type == JVIEW_ARRAY ?
		JsonViewCount(&assessment->asked.failures) : 0;

	for (int i = 0; i < count; i++)
	{
		JsonView	failure = JsonViewAt(&assessment->asked.failures, i);
		JsonView	of = JsonViewUnder(&failure, "kind");

		if (!JsonViewStringIs(&of, JudgeKindName(kind)))
			continue;
		if (failures.type == JVIEW_ABSENT)
			failures = JsonViewNewArray(1);
		JsonViewAppend(&failures, JsonViewCopyWithout(&failure, without, lengthof(without), 0));
	}
	return failures;
}

static JsonView
KindView(const Assessment *assessment, JudgeKind kind, const Confusion *confusion)
{
	JsonView	view = JsonViewNewObject(8);
	JsonView	failures = FailuresOf(assessment, kind);

	JsonViewSet(&view, "pairs", PairsDigest(assessment, kind));
	JsonViewSet(&view, "n", JsonViewInteger(confusion->n));
	JsonViewSet(&view, "not_judged", JsonViewInteger(confusion->not_judged));
	JsonViewSet(&view, "confusion", ConfusionView(confusion));
	JsonViewSet(&view, "balanced_accuracy", BalancedAccuracy(confusion));
	JsonViewSet(&view, "accepts_at", AcceptsAt(assessment, kind, confusion->n));
	if (failures.type == JVIEW_ARRAY)
		JsonViewSet(&view, "failures", failures);
	JsonViewSet(&view, "at", assessment->at);
	return view;
}

static JsonView
AssessmentView(const Assessment *assessment)
{
	JsonView	view = JsonViewNewObject(JUDGE_KINDS);

	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		Confusion	confusion;

		CountConfusion(assessment, kind, &confusion);
		if (confusion.n + confusion.not_judged > 0)
			JsonViewSet(&view, JudgeKindName(kind), KindView(assessment, kind, &confusion));
	}
	return view;
}

/*
 * SQL
 */

/*
 * The assessment is shown to everybody whom the judge judges for, so only its owner may
 * make one.
 */
static void
RequireOwner(const Assessment *assessment)
{
	const Judge *judge = assessment->judge;
	char	   *name = TextDatumGetCString(SpanDatum(judge->name));
	Oid			registrant;

	if (!judge->registered)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown judge \"%s\"", name),
				 errhint("answer_judges() lists those that are registered.")));
	registrant = get_role_oid(judge->registered_by, true);
	if (VARSIZE_ANY_EXHDR(judge->tenant) != VARSIZE_ANY_EXHDR(assessment->tenant) ||
		!((OidIsValid(registrant) && is_member_of_role(GetUserId(), registrant)) || SessionIsOperator()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("judge \"%s\" is not yours to assess", name),
				 errdetail("\"%s\" registered it%s.", judge->registered_by,
						   VARSIZE_ANY_EXHDR(judge->tenant) == 0 ? ", for all tenants" : "")));
}

static void
StoreAssessment(const Assessment *assessment, TimestampTz now, const JsonView *view)
{
	static const Oid types[] = {TEXTOID, TEXTOID, INT4OID, TEXTOID, TEXTOID, TIMESTAMPTZOID, JSONBOID};
	NullableDatum args[7] = {{0}};

	args[0].value = PointerGetDatum(assessment->judge->tenant);
	args[1].value = SpanDatum(assessment->judge->name);
	args[2].value = Int32GetDatum(assessment->judge->revision);
	args[3].value = SpanDatum(assessment->judge->version);
	args[4].value = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	args[5].value = TimestampTzGetDatum(now);
	args[6].value = JsonbPGetDatum(JsonViewToJsonb(view, false));
	(void) AnswerCall(AnswerSchema(), "judge_assessment_put", lengthof(types), types, args);
}

/* answer_judge_assess(judge, pairs) */
PG_FUNCTION_INFO_V1(answer_eval_judge_assess);
Datum
answer_eval_judge_assess(PG_FUNCTION_ARGS)
{
	Assessment	assessment = {0};
	MemoryContext caller = CurrentMemoryContext;
	TimestampTz now;
	JsonView	pairs;
	JsonView	view;
	Span		name;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	RequireArgument(fcinfo, 0, "judge");
	RequireArgument(fcinfo, 1, "pairs");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "pairs");
	assessment.tenant = CurrentTenant();
	assessment.pinning = CurrentPinning();
	name = TextArgument(fcinfo, 0);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &pairs);
	SPI_connect();
	assessment.judges = JudgesFind(assessment.tenant, &name, 1);
	assessment.judge = &assessment.judges->judges[0];
	RequireOwner(&assessment);
	ReadTrials(&assessment, &pairs);
	TakeJudgements(&assessment);
	now = GetCurrentTimestamp();
	assessment.at = InstantView(now);
	view = AssessmentView(&assessment);
	StoreAssessment(&assessment, now, &view);
	return FinishWithView(&view, false, caller);
}
