/*-------------------------------------------------------------------------
 *
 * judgement.c
 *		Judgements of pairs of texts: kinds, relations, and reading them.
 *
 * Pure.  Rule: doc/spec/judgement.md §1 and §4.
 *
 * A judgement names a pair of texts by its digest.  It says which relation the
 * texts have, and how sure its judge is.  Other members of the object are the
 * caller's own.  The kind may be missing, because it is a part of the pair.
 *
 * A score is a number from 0 to 1.  In a signed document, a number with more
 * digits than every reader of JSON keeps is written as a string; it is read as a
 * number here.
 *
 * Promises: pure.  A malformed judgement is reported as a value with its place.  A
 * set has each pair and judge once.  The cost is n log n in the number of
 * judgements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

#include "base/canonical.h"
#include "base/numbers.h"
#include "base/search.h"
#include "judge/judgement.h"

/* Most characters of a score, in plain decimal. */
#define SCORE_MAX_SIZE	1000

typedef struct KindEntry
{
	const char *name;
	int			nrelations;
	JudgeRelation relations[4];
	const char *list;			/* for messages */
} KindEntry;

static const KindEntry kinds[JUDGE_KINDS] = {
	[JUDGE_ENTAILMENT] = {"entailment", 4,
		{RELATION_SUPPORTS, RELATION_CONTRADICTS, RELATION_NEUTRAL, RELATION_NO_CLAIM},
	"supports, contradicts, neutral or no_claim"},
	[JUDGE_ANSWERS] = {"answers", 2, {RELATION_ANSWERS, RELATION_DOES_NOT}, "answers or does_not"},
	[JUDGE_CONFLICT] = {"conflict", 2, {RELATION_CONTRADICTS, RELATION_NEUTRAL}, "contradicts or neutral"}
};

static const char *const relation_names[JUDGE_RELATIONS] = {
	[RELATION_SUPPORTS] = "supports",
	[RELATION_CONTRADICTS] = "contradicts",
	[RELATION_NEUTRAL] = "neutral",
	[RELATION_NO_CLAIM] = "no_claim",
	[RELATION_ANSWERS] = "answers",
	[RELATION_DOES_NOT] = "does_not"
};

/*
 * names
 */

const char *
JudgeKindName(JudgeKind kind)
{
	return kinds[kind].name;
}

const char *
JudgeRelationName(JudgeRelation relation)
{
	return relation_names[relation];
}

/* Lists the relations of a kind, for a sentence. */
const char *
JudgeRelationsList(JudgeKind kind)
{
	return kinds[kind].list;
}

bool
JudgeKindOf(Span name, JudgeKind *kind)
{
	for (int i = 0; i < JUDGE_KINDS; i++)
	{
		if (SpanEqualCString(name, kinds[i].name))
		{
			*kind = (JudgeKind) i;
			return true;
		}
	}
	return false;
}

bool
JudgeRelationOf(Span name, JudgeRelation *relation)
{
	for (int i = 0; i < JUDGE_RELATIONS; i++)
	{
		if (SpanEqualCString(name, relation_names[i]))
		{
			*relation = (JudgeRelation) i;
			return true;
		}
	}
	return false;
}

/* Can a pair of this kind have that relation? */
bool
JudgeRelationIsOf(JudgeRelation relation, JudgeKind kind)
{
	for (int i = 0; i < kinds[kind].nrelations; i++)
	{
		if (kinds[kind].relations[i] == relation)
			return true;
	}
	return false;
}

/*
 * pairs
 */

/* A conflict has no first text, so the lesser one comes first. */
void
JudgementOrder(JudgeKind kind, Span *a, Span *b)
{
	if (kind == JUDGE_CONFLICT && SpanOrder(*a, *b) > 0)
	{
		Span		lesser = *b;

		*b = *a;
		*a = lesser;
	}
}

PairDigest
JudgementPair(JudgeKind kind, Span a, Span b)
{
	JsonView	pair = JsonViewNewObject(3);
	PairDigest	digest;

	JudgementOrder(kind, &a, &b);
	JsonViewSet(&pair, "kind", JsonViewCString(kinds[kind].name));
	JsonViewSet(&pair, "a", JsonViewString(a.str, a.len));
	JsonViewSet(&pair, "b", JsonViewString(b.str, b.len));
	CanonicalDigest(&pair, NULL, digest.text);
	return digest;
}

/*
 * reading
 */

/* Has a score too many characters? A document with it could not be read again. */
static bool
IsLong(Numeric score)
{
	Datum		trimmed = DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(score));

	return strlen(DatumGetCString(DirectFunctionCall1(numeric_out, trimmed))) > SCORE_MAX_SIZE;
}

bool
JudgeScoreOf(const JsonView *view, Numeric *score)
{
	JsonView	number = *view;

	if (view->type == JVIEW_STRING &&
		(view->len > SCORE_MAX_SIZE || !JsonViewNumberOfPortable(view, &number)))
		return false;
	if (number.type != JVIEW_NUMBER || !JsonViewNumeric(&number, score) ||
		numeric_is_nan(*score) || numeric_is_inf(*score) || IsLong(*score))
		return false;
	return NumberIsShare(*score);
}

static const char *
ReadNames(const JsonView *object, int index, Judgement *judgement)
{
	JsonView	view = JsonViewUnder(object, "pair");

	if (view.type != JVIEW_STRING || !IsDigestText(view.str, view.len))
		return ElementProblem("judgements", index, "pair", "must be a digest, \"sha256:\" and 64 hex digits", &view);
	judgement->pair = SpanOf(view.str, view.len);
	JsonViewGetMember(object, "judge", &view);
	if (view.type != JVIEW_STRING || view.len == 0)
		return ElementProblem("judgements", index, "judge", "must be the name of a judge", &view);
	judgement->judge = SpanOf(view.str, view.len);
	if (JsonViewGetMember(object, "version", &view) && view.type != JVIEW_NULL)
	{
		if (view.type != JVIEW_STRING)
			return ElementProblem("judgements", index, "version", "must be a string", &view);
		judgement->version = SpanOf(view.str, view.len);
	}
	return NULL;
}

static const char *
ReadRelation(const JsonView *object, int index, Judgement *judgement)
{
	JsonView	view;

	if (JsonViewGetMember(object, "kind", &view) && view.type != JVIEW_NULL)
	{
		if (view.type != JVIEW_STRING || !JudgeKindOf(SpanOf(view.str, view.len), &judgement->kind))
			return ElementProblem("judgements", index, "kind", "must be entailment, answers or conflict", &view);
		judgement->has_kind = true;
	}
	JsonViewGetMember(object, "relation", &view);
	if (view.type != JVIEW_STRING || !JudgeRelationOf(SpanOf(view.str, view.len), &judgement->relation))
		return ElementProblem("judgements", index, "relation",
						 "must be supports, contradicts, neutral, no_claim, answers or does_not", &view);
	if (judgement->has_kind && !JudgeRelationIsOf(judgement->relation, judgement->kind))
		return ElementProblem("judgements", index, "relation",
						 psprintf("must be %s, for the kind is %s", JudgeRelationsList(judgement->kind),
								  JudgeKindName(judgement->kind)), &view);
	return NULL;
}

static const char *
ReadJudgement(const JsonView *object, int index, Judgement *judgement)
{
	const char *problem;
	JsonView	view;

	if (object->type != JVIEW_OBJECT)
		return psprintf("judgements[%d] must be an object, and is %s", index, ShownValue(object));
	memset(judgement, 0, sizeof(*judgement));
	judgement->view = *object;
	judgement->place = index;
	if ((problem = ReadNames(object, index, judgement)) || (problem = ReadRelation(object, index, judgement)))
		return problem;
	JsonViewGetMember(object, "score", &view);
	if (!JudgeScoreOf(&view, &judgement->score))
		return ElementProblem("judgements", index, "score", "must be a number from 0 to 1", &view);
	return NULL;
}

static int
CompareKeys(const Judgement *left, const Judgement *right)
{
	int			cmp = SpanCompare(left->pair, right->pair);

	return cmp != 0 ? cmp : SpanCompare(left->judge, right->judge);
}

/* Compares judgements of the same pair and judge by their index in the array. */
static int
CompareJudgementPlaces(const void *a, const void *b)
{
	const Judgement *left = a;
	const Judgement *right = b;
	int			cmp = CompareKeys(left, right);

	return cmp != 0 ? cmp : (left->place > right->place) - (left->place < right->place);
}

static Judgements *
NewJudgements(int room)
{
	Judgements *judgements = palloc0(sizeof(Judgements));

	judgements->items = palloc_extended(sizeof(Judgement) * Max(room, 1), MCXT_ALLOC_HUGE);
	return judgements;
}

/* Reports the first judgement in the array that repeats a pair and judge. */
static const char *
TwiceProblem(const Judgements *judgements)
{
	const Judgement *first = NULL;
	const Judgement *again = NULL;

	for (int i = 1; i < judgements->count; i++)
	{
		const Judgement *item = &judgements->items[i];

		if (CompareKeys(&item[-1], item) == 0 && (again == NULL || item->place < again->place))
		{
			again = item;
			first = &item[-1];
		}
	}
	if (again == NULL)
		return NULL;
	return psprintf("judgements[%d] must be of another pair or judge than judgements[%d]: its pair is %s, its judge %s",
					again->place, first->place,
					ShownValue(&(JsonView) {.type = JVIEW_STRING,.str = again->pair.str,.len = again->pair.len}),
					ShownValue(&(JsonView) {.type = JVIEW_STRING,.str = again->judge.str,.len = again->judge.len}));
}

Judgements *
JudgementsParse(const JsonView *array, const char **problem)
{
	int			count = array->type == JVIEW_ARRAY ? JsonViewCount(array) : 0;
	Judgements *judgements = NewJudgements(count);

	*problem = NULL;
	if (array->type == JVIEW_ABSENT || array->type == JVIEW_NULL)
		return judgements;
	if (array->type != JVIEW_ARRAY)
	{
		*problem = psprintf("judgements must be an array, and is %s", ShownValue(array));
		return NULL;
	}
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		if ((*problem = ReadJudgement(&element, i, &judgements->items[i])) != NULL)
			return NULL;
	}
	judgements->count = count;
	qsort(judgements->items, count, sizeof(Judgement), CompareJudgementPlaces);
	*problem = TwiceProblem(judgements);
	return *problem ? NULL : judgements;
}

/*
 * finding
 */

/* Returns where the judgements of a pair by this judge, or by later ones, begin. */
static int
FirstOf(const Judgements *judgements, Span pair, Span judge)
{
	Judgement	wanted = {.pair = pair,.judge = judge};
	int			low = 0;

	FIRST_PLACE(low, judgements->count, at, CompareKeys(&judgements->items[at], &wanted) < 0);
	return low;
}

const Judgement *
JudgementFind(const Judgements *judgements, Span pair, Span judge)
{
	int			i = FirstOf(judgements, pair, judge);

	if (i == judgements->count || !SpanEqual(judgements->items[i].pair, pair) ||
		!SpanEqual(judgements->items[i].judge, judge))
		return NULL;
	return &judgements->items[i];
}

const char *
JudgementsKindProblem(const Judgements *judgements, JudgeKind kind, Span pair)
{
	for (int i = FirstOf(judgements, pair, SpanOf("", 0));
		 i < judgements->count && SpanEqual(judgements->items[i].pair, pair); i++)
	{
		const Judgement *item = &judgements->items[i];

		if (item->has_kind && item->kind != kind)
			return psprintf("judgements[%d].kind must be %s, as that of its pair, and is \"%s\"", item->place,
							JudgeKindName(kind), JudgeKindName(item->kind));
		if (!JudgeRelationIsOf(item->relation, kind))
			return psprintf("judgements[%d].relation must be %s, for its pair is one of the kind %s, and is \"%s\"",
							item->place, JudgeRelationsList(kind), JudgeKindName(kind),
							JudgeRelationName(item->relation));
	}
	return NULL;
}

Judgements *
JudgementsJoin(const Judgements *first, const Judgements *second)
{
	Judgements *joined = NewJudgements(first->count + second->count);
	int			i = 0;
	int			j = 0;

	while (i < first->count || j < second->count)
	{
		int			cmp = i == first->count ? 1 : j == second->count ? -1 :
			CompareKeys(&first->items[i], &second->items[j]);

		if (cmp <= 0)
			joined->items[joined->count++] = first->items[i++];
		else
		{
			joined->items[joined->count] = second->items[j];
			joined->items[joined->count++].place = -1;
		}
		/* if both have one, the first's is taken */
		if (cmp >= 0)
			j++;
	}
	return joined;
}
