/*-------------------------------------------------------------------------
 *
 * judging.c
 *		Asks judges about the pairs that a decision needs judged.
 *
 * Rule: doc/spec/judgement.md §2 and §6.  A decision lists the pairs that it still needs
 * (judge_pairs.h).  The judgement of a pair comes from what the caller gave, then from what
 * is stored for the judge's present version, then from the judge itself, if it is a
 * function.  A judgement can make further pairs necessary, so this is repeated until no
 * pair is listed, at most CONSULT_MAX_ROUNDS times.  A judge is asked about a pair only
 * once.
 *
 * Promises: a caller can give judgements only for judges whose role it has.  A judge that
 * fails judges nothing and is named, and the question goes on.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/funcargs.h"
#include "ground/decision_config.h"
#include "ground/judging.h"
#include "judge/ask_judge.h"
#include "judge/given_judgement.h"

/* A sorted list of digests. */
typedef struct DigestList
{
	int			count;
	Span	   *digests;
} DigestList;

/* State of judging one question. */
typedef struct Asker
{
	Judging    *judging;
	Grounding  *grounding;
	GivenJudgements given;
	JsonView	known;			/* judgements so far, in the form of a document */
	int			nrounds;
	DigestList	asked[CONSULT_MAX_ROUNDS];	/* asked in earlier rounds */
} Asker;

/* judges */

/* Returns the names of the judges in a configuration, each once, in its order. */
static int
ConfiguredNames(const DecisionConfig *config, Span *names)
{
	int			count = 0;

	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		for (int i = 0; i < config->panels[kind].count; i++)
		{
			Span		name = config->panels[kind].judges[i];
			int			place = 0;

			while (place < count && !SpanEqual(names[place], name))
				place++;
			if (place == count)
				names[count++] = name;
		}
	}
	return count;
}

void
JudgingBegin(Judging *judging, const JsonView *config)
{
	JsonView	readable = NumbersOfPortable(config);
	Span		names[JUDGE_KINDS * PANEL_MAX_JUDGES];
	DecisionConfig parsed;

	DecisionConfigOfView(&readable, &parsed);
	judging->judges = JudgesFind(judging->tenant, names, ConfiguredNames(&parsed, names));
}

JsonView
JudgingToken(const Judging *judging)
{
	return JudgesToken(judging->judges);
}

/*
 * what is known and asked
 */

static const Judgements *
Known(const Asker *asker)
{
	const char *problem;
	const Judgements *known = ReadableJudgements(&asker->known, &problem);

	/* they were checked when they were stored or given */
	if (known == NULL)
		elog(ERROR, "judgements cannot be read: %s", problem);
	return known;
}

/* Returns the pairs that a decision lists. */
static const JudgePair **
ListedPairs(const DecisionResult *result, int *count)
{
	const JudgePairs *pairs = &result->consultation.pairs;
	const JudgePair **listed = palloc_extended(sizeof(JudgePair *) * (Size) Max(pairs->count, 1), MCXT_ALLOC_HUGE);

	*count = 0;
	for (int i = 0; i < pairs->count; i++)
	{
		if (pairs->pairs[i].says.is_needed)
			listed[(*count)++] = &pairs->pairs[i];
	}
	return listed;
}

/* Adds stored judgements of the panels' judges for pairs without one. */
static void
TakeStored(Asker *asker, const JudgePair *const *listed, int count, const Panel *panels)
{
	Span	   *digests = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	const Judgements *known = Known(asker);

	for (int i = 0; i < count; i++)
		digests[i] = PairSpan(&listed[i]->digest);
	AppendStoredJudgements(&asker->known, known, asker->judging->tenant, asker->judging->pinning,
						   asker->judging->judges, panels, digests, count);
}

static bool
WasAsked(const Asker *asker, Span digest)
{
	for (int i = 0; i < asker->nrounds; i++)
	{
		if (bsearch(&digest, asker->asked[i].digests, asker->asked[i].count, sizeof(Span), SpanCompareItems))
			return true;
	}
	return false;
}

static void
AppendAll(JsonView *array, const JsonView *more)
{
	for (int i = 0; more->type == JVIEW_ARRAY && i < JsonViewCount(more); i++)
	{
		JsonView	element = JsonViewAt(more, i);

		JsonViewAppend(array, element);
	}
}

/* Records that a judge failed, once. */
static void
NoteFailure(Grounding *grounding, Span name)
{
	for (int i = 0; i < JsonViewCount(&grounding->failed); i++)
	{
		JsonView	other = JsonViewAt(&grounding->failed, i);

		if (SpanEqual(SpanOf(other.str, other.len), name))
			return;
	}
	JsonViewAppend(&grounding->failed, JsonViewString(name.str, name.len));
}

/* Records which judges failed. */
static void
NoteFailures(Grounding *grounding, const JsonView *failures)
{
	for (int i = 0; failures->type == JVIEW_ARRAY && i < JsonViewCount(failures); i++)
	{
		JsonView	failure = JsonViewAt(failures, i);
		Span		name;

		if (JsonViewGetString(&failure, "name", &name))
			NoteFailure(grounding, name);
	}
}

/*
 * Records the judges that the caller reports as failed.  Those that the
 * configuration does not name do not count, nor do functions, because the database
 * itself knows whether they failed.
 */
static void
NoteFailuresOutside(const Judging *judging, Grounding *grounding)
{
	for (int i = 0; judging->failed.type == JVIEW_ARRAY && i < JsonViewCount(&judging->failed); i++)
	{
		JsonView	failed;
		const Judge *judge;

		JsonViewElement(&judging->failed, i, &failed);
		judge = JudgeOfName(judging->judges, SpanOf(failed.str, failed.len));
		if (judge && judge->registered && judge->handler == NULL)
			NoteFailure(grounding, judge->name);
	}
}

/* Asks the judges that are functions, about pairs that were not asked before. */
static void
AskJudges(Asker *asker, const JudgePair *const *listed, int count, const DecisionResult *result)
{
	const Judging *judging = asker->judging;
	AskTerms	terms = {.tenant = judging->tenant,.pinning = judging->pinning,.deadline = judging->deadline,
		.deadline_ms = judging->deadline_ms,.store = judging->stores,.sure = result->consultation.terms};
	AskPair    *pairs = palloc_extended(sizeof(AskPair) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	DigestList *asking = &asker->asked[asker->nrounds];
	Asked		asked;

	asking->digests = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		Span		digest = PairSpan(&listed[i]->digest);

		if (WasAsked(asker, digest))
			continue;
		pairs[asking->count] = (AskPair) {listed[i]->kind, digest, listed[i]->a, listed[i]->b};
		asking->digests[asking->count++] = digest;
	}
	if (asking->count > 0)
	{
		JudgesAsk(judging->judges, result->consultation.panels, Known(asker), pairs, asking->count, &terms, &asked);
		AppendAll(&asker->known, &asked.judgements);
		NoteFailures(asker->grounding, &asked.failures);
	}
	qsort(asking->digests, asking->count, sizeof(Span), SpanCompareItems);
	asker->nrounds++;
}

/* Makes one round. Returns false if there is nothing to judge, or nobody said anything. */
static bool
AskRound(Asker *asker)
{
	DecisionConfig config;
	DecisionInput input;
	DecisionResult result;
	const JudgePair **listed;
	const char *problem = NULL;
	int			before = JsonViewCount(&asker->known);
	int			count;

	asker->grounding->judgements = asker->known;
	if (!GroundingInput(asker->grounding, &config, &input, &problem) ||
		!DecisionPairs(&input, &result, &problem))
		return false;			/* the decision will give the reason */
	listed = ListedPairs(&result, &count);
	if (count == 0)
		return false;
	for (int i = 0; i < count; i++)
	{
		const Panel *panel = &config.panels[listed[i]->kind];
		const Judgements *known = input.judgements;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < panel->count; k++)
		{
			if (JudgementFind(known, PairSpan(&listed[i]->digest), panel->judges[k]) == NULL)
				GivenJudgementTake(&asker->given, listed[i]->kind, PairSpan(&listed[i]->digest), panel->judges[k],
								   asker->judging->now, &asker->known);
		}
	}
	TakeStored(asker, listed, count, config.panels);
	AskJudges(asker, listed, count, &result);
	return JsonViewCount(&asker->known) > before;
}

void
JudgingAsk(Judging *judging, Grounding *grounding)
{
	Asker		asker = {.judging = judging,.grounding = grounding};

	asker.known = JsonViewNewArray(8);
	AppendAll(&asker.known, &grounding->judgements);
	grounding->judges = JudgesPresent(judging->judges);
	grounding->failed = JsonViewNewArray(1);
	GivenJudgementsRead(&asker.given, judging->tenant, &judging->given);
	NoteFailuresOutside(judging, grounding);
	if (judging->judges->count > 0)
	{
		while (asker.nrounds < CONSULT_MAX_ROUNDS && AskRound(&asker))
			;
	}
	grounding->judgements = asker.known;
}
