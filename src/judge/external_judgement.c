/*-------------------------------------------------------------------------
 *
 * external_judgement.c
 *		Stores judgements of external judges.
 *
 * Rule: doc/spec/judgement.md §6.1.  Only members of a judge's role may
 * record in its name, and nobody in that of a judge that is a function.  The
 * role that counts is the one in force where the call enters.  The texts are
 * not stored.  A pair is given with its texts, or alone if a signed decision
 * needs it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "judge/judge.h"
#include "keys/keyring.h"

/* The judgements that were handed in, in the order of Judgements. */
typedef struct Report
{
	Judgements *judgements;
	Judges	   *judges;
	Span		by;
} Report;

static Span
ShownSpan(Span text)
{
	int			len;
	char	   *server = JsonUtf8ToServer(text.str, text.len, &len);

	return SpanOf(pnstrdup(server, len), len);
}

/*
 * Returns an entry with its pair, which is computed from kind, a and b.  If the entry
 * has the pair as well, they must be equal.
 */
static JsonView
WithPair(const JsonView *entry, int index)
{
	static const char *const without[] = {"pair"};
	JsonView	kind_view = JsonViewUnder(entry, "kind");
	JsonView	a = JsonViewUnder(entry, "a");
	JsonView	b = JsonViewUnder(entry, "b");
	JsonView	pair;
	JsonView	copy;
	JudgeKind	kind;
	PairDigest *digest = palloc(sizeof(PairDigest));

	if (entry->type != JVIEW_OBJECT)
		return *entry;
	if (a.type == JVIEW_ABSENT && b.type == JVIEW_ABSENT)
		return *entry;
	if (kind_view.type != JVIEW_STRING || !JudgeKindOf(SpanOf(kind_view.str, kind_view.len), &kind))
		MalformedArgument(psprintf("judgements[%d].kind must be entailment, answers or conflict", index), NULL);
	if (a.type != JVIEW_STRING || b.type != JVIEW_STRING)
		MalformedArgument(psprintf("judgements[%d] must have the texts a and b, or a pair alone", index), NULL);
	*digest = JudgementPair(kind, SpanOf(a.str, a.len), SpanOf(b.str, b.len));
	if (JsonViewGetMember(entry, "pair", &pair) && !JsonViewStringIs(&pair, digest->text))
		MalformedArgument(psprintf("judgements[%d].pair must be that of its texts, %s", index, digest->text), NULL);
	copy = JsonViewCopyWithout(entry, without, lengthof(without), 1);
	JsonViewSet(&copy, "pair", JsonViewString(digest->text, DIGEST_TEXT_LENGTH));
	return copy;
}

static Judgements *
ReadReport(const JsonView *given)
{
	JsonView	array = *given;
	const char *problem;
	Judgements *judgements;

	if (given->type == JVIEW_ARRAY)
	{
		array = JsonViewNewArray(JsonViewCount(given));
		for (int i = 0; i < JsonViewCount(given); i++)
		{
			JsonView	entry = JsonViewAt(given, i);

			CHECK_FOR_INTERRUPTS();
			JsonViewAppend(&array, WithPair(&entry, i));
		}
	}
	else if (given->type == JVIEW_NULL)
		MalformedArgument("judgements must be an array, and is null", NULL);
	judgements = JudgementsParse(&array, &problem);
	if (judgements == NULL)
	{
		int			len;

		MalformedArgument(JsonUtf8ToServer(problem, strlen(problem), &len), NULL);
	}
	return judgements;
}

/* Returns the judges that are named, each once. */
static Judges *
ReportedJudges(const text *tenant, const Judgements *judgements)
{
	Span	   *names = palloc_extended(sizeof(Span) * Max(judgements->count, 1), MCXT_ALLOC_HUGE);
	int			count = 0;

	for (int i = 0; i < judgements->count; i++)
	{
		/*
		 * the search is limited, because an array with many judges is refused at the
		 * first unknown one
		 */
		if (!SpanIsIn(judgements->items[i].judge, names, Min(count, 1000)))
			names[count++] = judgements->items[i].judge;
	}
	return JudgesFind(tenant, names, count);
}

static const Judge *
RequireJudge(const Report *report, const Judgement *item)
{
	const Judge *judge = JudgeOfName(report->judges, item->judge);
	Span		name = ShownSpan(item->judge);

	if (judge == NULL || !judge->registered)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("judgements[%d].judge is \"%s\", which is no judge", item->place, name.str),
				 errhint("answer_judges() lists those that are registered.")));
	if (judge->handler)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("nobody records in the name of judge \"%s\"", name.str),
				 errdetail("It is a function, which the database calls.")));
	if (!JudgeMayBe(judge, GetUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" may not record in the name of judge \"%s\"",
						GetUserNameFromId(GetUserId(), false), name.str),
				 errdetail("Members of \"%s\" may.", judge->role)));
	if (item->version.len > 0 && !SpanEqual(item->version, judge->version))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("judgements[%d].version is \"%s\", and judge \"%s\" is at version \"%s\"", item->place,
						ShownSpan(item->version).str, name.str, ShownSpan(judge->version).str),
				 errhint("What another version said is used no more.")));
	return judge;
}

static void
RequireKind(const Judge *judge, const Judgement *item)
{
	if (!judge->kinds[item->kind])
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("judge \"%s\" does not judge pairs of the kind %s", ShownSpan(judge->name).str,
						JudgeKindName(item->kind)),
				 errdetail("judgements[%d] is of that kind.", item->place)));
	if (!JudgeRelationIsOf(item->relation, item->kind))
		MalformedArgument(psprintf("judgements[%d].relation must be %s, for its pair is one of the kind %s",
								   item->place, JudgeRelationsList(item->kind), JudgeKindName(item->kind)), NULL);
}

static bool
HasTexts(const Judgement *item)
{
	JsonView	a;

	return JsonViewGetMember(&item->view, "a", &a);
}

/* A pair that a signed decision needs. */
typedef struct Need
{
	Span		pair;			/* first, for SpanCompareItems() */
	JudgeKind	kind;
	Span		a;				/* its texts; empty if the decision does not have them */
	Span		b;
} Need;

/*
 * Returns what signed decisions of the tenant need of the pairs that were given without
 * texts, sorted.
 */
static Need *
FindNeeds(const text *tenant, const Judgements *judgements, int *count)
{
	static FixedQuery query = {
		.text = "SELECT n.pair, n.kind, COALESCE(n.a, ''), COALESCE(n.b, '') FROM answer.judge_needs($1, $2) n",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum	   *alone = palloc_extended(sizeof(Datum) * Max(judgements->count, 1), MCXT_ALLOC_HUGE);
	Datum		values[2];
	Need	   *needs;
	int			nalone = 0;
	QueryRows	rows;

	*count = 0;
	for (int i = 0; i < judgements->count; i++)
	{
		if (!HasTexts(&judgements->items[i]))
			alone[nalone++] = SpanDatum(judgements->items[i].pair);
	}
	if (nalone == 0)
		return NULL;
	values[0] = PointerGetDatum(tenant);
	values[1] = QueryTextArray(alone, nalone);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	needs = palloc0(sizeof(Need) * Max(rows.count, 1));
	for (uint64 i = 0; i < rows.count; i++)
	{
		needs[*count].pair = ColumnSpan(rows.table, i, 1);
		needs[*count].a = ColumnSpan(rows.table, i, 3);
		needs[*count].b = ColumnSpan(rows.table, i, 4);
		if (JudgeKindOf(ColumnSpan(rows.table, i, 2), &needs[*count].kind))
			(*count)++;
	}
	QueryFree(&rows);
	qsort(needs, *count, sizeof(Need), SpanCompareItems);
	return needs;
}

/* Returns the rows to store. */
static JsonView
ReportRows(const Report *report, const text *tenant)
{
	JsonView	rows = JsonViewNewArray(report->judgements->count);
	int			nneeds;
	Need	   *needs = FindNeeds(tenant, report->judgements, &nneeds);

	for (int i = 0; i < report->judgements->count; i++)
	{
		Judgement  *item = &report->judgements->items[i];
		const Judge *judge = JudgeOfName(report->judges, item->judge);
		AskPair		pair = {.pair = item->pair};

		CHECK_FOR_INTERRUPTS();
		if (HasTexts(item))
		{
			pair.a = JsonViewMemberText(&item->view, "a");
			pair.b = JsonViewMemberText(&item->view, "b");
		}
		else
		{
			const Need *need = nneeds == 0 ? NULL : bsearch(&item->pair, needs, nneeds, sizeof(Need), SpanCompareItems);

			if (need == NULL)
				continue;
			if (item->has_kind && item->kind != need->kind)
				MalformedArgument(psprintf("judgements[%d].kind must be %s, as that of its pair", item->place,
										   JudgeKindName(need->kind)), NULL);
			item->kind = need->kind;
			pair.a = need->a;
			pair.b = need->b;
		}
		RequireKind(judge, item);
		pair.kind = item->kind;
		JsonViewAppend(&rows, JudgementRow(judge, &pair, item->relation, item->score));
	}
	return rows;
}

static int
CompareGivenPlaces(const void *a, const void *b)
{
	const Judgement *left = *(const Judgement *const *) a;
	const Judgement *right = *(const Judgement *const *) b;

	return (left->place > right->place) - (left->place < right->place);
}

/* Checks all judges; the error names the first that is wrong. */
static void
RequireJudges(const Report *report)
{
	int			count = report->judgements->count;
	const Judgement **given = palloc_extended(sizeof(Judgement *) * Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
		given[i] = &report->judgements->items[i];
	qsort(given, count, sizeof(Judgement *), CompareGivenPlaces);
	for (int i = 0; i < count; i++)
		(void) RequireJudge(report, given[i]);
}

/* answer_judgement_add(judgements) */
PG_FUNCTION_INFO_V1(answer_eval_judgement_add);
Datum
answer_eval_judgement_add(PG_FUNCTION_ARGS)
{
	Report		report = {0};
	JsonView	given;
	JsonView	rows;
	text	   *tenant;
	char	   *role = GetUserNameFromId(GetUserId(), false);
	SigningKey	key;
	TimestampTz now;
	int			count = 0;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	RequireArgument(fcinfo, 0, "judgements");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "judgements");
	tenant = CurrentTenant();
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &given);
	SPI_connect();
	report.judgements = ReadReport(&given);
	report.judges = ReportedJudges(tenant, report.judgements);
	report.by.str = JsonServerToUtf8(role, strlen(role), &report.by.len);
	RequireJudges(&report);
	rows = ReportRows(&report, tenant);
	if (JsonViewCount(&rows) > 0)
	{
		SigningKeyBegin(&key, &now);
		count = JudgementsWrite(tenant, report.by, "reported", &key, now, &rows);
	}
	SPI_finish();
	PG_RETURN_INT32(count);
}
