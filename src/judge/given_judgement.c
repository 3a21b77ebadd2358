/*-------------------------------------------------------------------------
 *
 * given_judgement.c
 *		Judgements that a caller gives.
 *
 * Rule: doc/spec/judgement.md §4.
 *
 * Promises: a caller speaks only for judges whose role the caller has, and only
 * for their present version.  A malformed judgement, or one of an unknown judge,
 * is refused.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "judge/given_judgement.h"

static void
RefuseGiven(int sqlstate, int place, const char *problem, const char *hint)
{
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("option \"judgements\": judgements[%d] %s", place, problem),
			 hint ? errhint("%s", hint) : 0));
}

/*
 * Raises an error for a judgement in the name of an unknown judge, or of one that the
 * caller may not speak for.
 */
static void
RefuseGiver(const Judgement *judgement, const Judge *judge)
{
	char	   *name = TextDatumGetCString(SpanDatum(judgement->judge));

	if (judge == NULL || !judge->registered)
		RefuseGiven(ERRCODE_INVALID_PARAMETER_VALUE, judgement->place,
					psprintf("is of judge \"%s\", which is not registered", name),
					"answer_judges() lists those that are.");
	if (!JudgeMayBe(judge, GetUserId()))
		RefuseGiven(ERRCODE_INSUFFICIENT_PRIVILEGE, judgement->place,
					psprintf("is of judge \"%s\", in whose name you may not speak", name),
					"Members of its role do; nobody does for a judge that is a function.");
	if (judgement->version.len > 0 && !SpanEqual(judgement->version, judge->version))
		RefuseGiven(ERRCODE_INVALID_PARAMETER_VALUE, judgement->place,
					psprintf("is of another version of judge \"%s\" than the present one", name), NULL);
	if (judgement->has_kind && !judge->kinds[judgement->kind])
		RefuseGiven(ERRCODE_INVALID_PARAMETER_VALUE, judgement->place,
					psprintf("is of the kind %s, which judge \"%s\" does not judge",
							 JudgeKindName(judgement->kind), name), NULL);
}

void
GivenJudgementsRead(GivenJudgements *read, const text *tenant, const JsonView *array)
{
	const char *problem;
	const Judgements *given = JudgementsParse(array, &problem);
	Span	   *names;
	int			count = 0;

	if (given == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("option \"judgements\": %s", problem)));
	read->given = given;
	names = palloc_extended(sizeof(Span) * (Size) Max(given->count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < given->count; i++)
		names[i] = given->items[i].judge;
	qsort(names, given->count, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < given->count; i++)
	{
		if (count == 0 || !SpanEqual(names[i], names[count - 1]))
			names[count++] = names[i];
	}
	read->givers = count > 0 ? JudgesFind(tenant, names, count) : palloc0(sizeof(Judges));
	for (int i = 0; i < given->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		RefuseGiver(&given->items[i], JudgeOfName(read->givers, given->items[i].judge));
	}
}

bool
GivenJudgementTake(const GivenJudgements *read, JudgeKind kind, Span pair, Span judge, TimestampTz now, JsonView *known)
{
	const Judgement *judgement = JudgementFind(read->given, pair, judge);
	const char *role;
	Span		by;

	if (judgement == NULL)
		return false;
	if (!JudgeRelationIsOf(judgement->relation, kind) ||
		(judgement->has_kind && judgement->kind != kind))
		RefuseGiven(ERRCODE_INVALID_PARAMETER_VALUE, judgement->place,
					psprintf("is no judgement of its pair, which is of the kind %s", JudgeKindName(kind)),
					psprintf("Of that kind are %s.", JudgeRelationsList(kind)));
	role = GetUserNameFromId(GetUserId(), false);
	by.str = JsonServerToUtf8(role, strlen(role), &by.len);
	JsonViewAppend(known,
				   JudgementView(JudgeOfName(read->givers, judge), kind, pair,
								 judgement->relation, judgement->score, "reported", by, now));
	return true;
}
