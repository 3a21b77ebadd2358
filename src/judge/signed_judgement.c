/*-------------------------------------------------------------------------
 *
 * signed_judgement.c
 *		Signs judgements when they are stored.
 *
 * A stored judgement influences later decisions.  Only members of a judge's role speak in
 * its name, and nobody does for a function, so the owner of the tables must not be able
 * to either.  So each row is signed when it is stored, and the audit verifies the
 * signature.  A decision does not verify it: that would cost more than the rest of the
 * decision.
 *
 * What is signed is an object of the columns and the table's name, so that a row of one
 * table is not valid in another.  If a row is inserted again later, as if it had been
 * said again, its instant gives it away.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/chain.h"
#include "judge/signed_judgement.h"
#include "keys/keyring.h"

#define MEMBERS				15

JsonView
StoredJudgementView(const StoredJudgement *row)
{
	JsonView	view = JsonViewNewObject(MEMBERS);

	JsonViewSet(&view, "table", JsonViewCString("judgement"));
	JsonViewSet(&view, "tenant", SpanView(row->tenant));
	JsonViewSet(&view, "pair", SpanView(row->pair));
	JsonViewSet(&view, "judge", SpanView(row->judge));
	JsonViewSet(&view, "judge_tenant", SpanView(row->judge_tenant));
	JsonViewSet(&view, "revision", JsonViewInteger(row->revision));
	JsonViewSet(&view, "judged_at", InstantViewOrNull(row->judged_at));
	JsonViewSet(&view, "kind", SpanView(row->kind));
	JsonViewSet(&view, "version", SpanView(row->version));
	JsonViewSet(&view, "relation", SpanView(row->relation));
	JsonViewSet(&view, "score", SpanView(row->score));
	JsonViewSet(&view, "origin", SpanView(row->origin));
	JsonViewSet(&view, "by", SpanView(row->by));
	JsonViewSet(&view, "passages", row->passages);
	return view;
}

/* Returns, for each row, when the same version of the same judge last judged the pair; null if never. */
static QueryRows
NewestOf(const text *tenant, const JsonView *rows)
{
	static FixedQuery query = {
		.text = "SELECT (SELECT pg_catalog.max(o.judged_at) FROM answer.judgement o WHERE o.tenant OPERATOR(pg_catalog.=) $1"
		"  AND o.pair OPERATOR(pg_catalog.=) r.pair AND o.judge OPERATOR(pg_catalog.=) r.judge"
		"  AND o.judge_tenant OPERATOR(pg_catalog.=) r.judge_tenant AND o.revision OPERATOR(pg_catalog.=) r.revision)"
		" FROM ROWS FROM (pg_catalog.jsonb_to_recordset($2) AS (pair pg_catalog.text, judge pg_catalog.text,"
		"  judge_tenant pg_catalog.text, revision pg_catalog.int4)) WITH ORDINALITY"
		"  AS r (pair, judge, judge_tenant, revision, n) ORDER BY r.n",
		.argtypes = {TEXTOID, JSONBOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), JsonbPGetDatum(JsonViewToJsonb(rows, false))};

	return QueryRunAsOwner(&query, values, NULL, false, 0);
}

static Span
ScoreText(const JsonView *row)
{
	JsonView	score;
	Numeric		number;

	if (!JsonViewGetMember(row, "score", &score) || !JsonViewNumeric(&score, &number))
		elog(ERROR, "a judgement has no score");
	return SpanOfCString(DatumGetCString(DirectFunctionCall1(numeric_out,
															 DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(number)))));
}

JsonView
JudgementsSign(const text *tenant, Span by, const char *origin, const SigningKey *key, TimestampTz judged_at,
			   const JsonView *rows)
{
	QueryRows	newest = NewestOf(tenant, rows);
	JsonView	signed_rows = JsonViewNewArray(JsonViewCount(rows));
	StoredJudgement stored = {.tenant = Utf8OfText(unconstify(text *, tenant)),.origin = SpanOfCString(origin),.by = by};

	for (int i = 0; i < JsonViewCount(rows); i++)
	{
		JsonView	row = JsonViewAt(rows, i);
		JsonView	member;
		int64		revision;
		JsonView	view;
		JsonView	sig;
		TimestampTz last;

		CHECK_FOR_INTERRUPTS();
		stored.pair = JsonViewMemberText(&row, "pair");
		stored.judge = JsonViewMemberText(&row, "judge");
		stored.judge_tenant = JsonViewMemberText(&row, "judge_tenant");
		stored.kind = JsonViewMemberText(&row, "kind");
		stored.version = JsonViewMemberText(&row, "version");
		stored.relation = JsonViewMemberText(&row, "relation");
		stored.score = ScoreText(&row);
		if (!JsonViewGetMember(&row, "revision", &member) ||
			!NumberIntegerBetween(&member, 1, PG_INT32_MAX, &revision))
			elog(ERROR, "a judgement has no revision");
		stored.revision = (int32) revision;
		if (!JsonViewGetMember(&row, "passages", &stored.passages))
			elog(ERROR, "a judgement has no passages");
		stored.judged_at = judged_at;
		if (ColumnInstant(newest.table, i, 1, &last) && InstantIsWritable(last + 1))
			stored.judged_at = Max(judged_at, last + 1);
		view = StoredJudgementView(&stored);
		MemberSign(&view, key);
		JsonViewGetMember(&view, "sig", &sig);
		JsonViewSet(&row, "judged_at", InstantViewOrNull(stored.judged_at));
		JsonViewSet(&row, "sig", sig);
		JsonViewAppend(&signed_rows, row);
	}
	QueryFree(&newest);
	return signed_rows;
}

const SignedRows judgement_signed = {
	.newest = "SELECT g.sig OPERATOR(pg_catalog.->>) 'key_id', g.judged_at FROM answer.judgement g"
	" WHERE g.judged_at OPERATOR(pg_catalog.>) $2"
};
