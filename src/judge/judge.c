/*-------------------------------------------------------------------------
 *
 * judge.c
 *		The registry of judges, and their stored judgements.
 *
 * Rule: doc/spec/judgement.md §6.  A judge is a function, which the database calls
 * (ask_judge.c), or external: members of its role record what they judged
 * (external_judgement.c).  Its present version has a number.  The number grows whenever
 * another model, version, weights, handler or source of the handler is registered, and
 * a judgement counts only for the number that it was made under.  A tenant's judge is
 * the tenant's alone.  Judgements of a shared judge are stored and looked up separately
 * for each tenant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/change.h"
#include "evidence/bound_function.h"
#include "judge/judge.h"
#include "judge/pinned.h"
#include "judge/signed_judgement.h"

/*
 * the registry
 */

/* Returns NULL if the column is empty. */
static char *
NameOrNull(SPITupleTable *table, int row, int column)
{
	char	   *name = ColumnName(table, row, column);

	return name && *name ? name : NULL;
}

static void
ReadJudge(SPITupleTable *table, int row, Judge *judge)
{
	int			nkinds;
	Span	   *kinds = ColumnSpans(table, row, 4, &nkinds);
	Jsonb	   *assessed = ColumnJsonb(table, row, 16);

	judge->registered = true;
	judge->tenant = DatumGetTextPCopy(ColumnDatum(table, row, 2));
	judge->revision = ColumnInt(table, row, 3);
	for (int i = 0; i < nkinds; i++)
	{
		JudgeKind	kind;

		if (JudgeKindOf(kinds[i], &kind))
			judge->kinds[kind] = true;
	}
	judge->model = ColumnSpan(table, row, 5);
	judge->version = ColumnSpan(table, row, 6);
	judge->handler = NameOrNull(table, row, 7);
	judge->handler_owner = NameOrNull(table, row, 8);
	judge->handler_digest = NameOrNull(table, row, 9);
	judge->role = NameOrNull(table, row, 10);
	judge->weights_digest = ColumnSpan(table, row, 11);
	judge->max_pairs = ColumnInt(table, row, 12);
	judge->max_chars = ColumnInt(table, row, 13);
	judge->deadline_ms = ColumnInt(table, row, 14);
	judge->registered_by = ColumnName(table, row, 15);
	if (assessed)
		JsonViewOfJsonb(assessed, &judge->assessed);
}

/*
 * If a shared judge has the same name as one of the tenant's own, the shared one
 * counts.
 */
Judges *
JudgesFind(const text *tenant, const Span *names, int count)
{
	static FixedQuery query = {
		.text = "SELECT DISTINCT ON (j.name) j.name, j.tenant, j.revision, j.kinds, j.model, j.version,"
		" COALESCE(j.handler, ''), COALESCE(j.handler_owner, ''), COALESCE(j.handler_digest, ''), COALESCE(j.role, ''),"
		" COALESCE(j.weights_digest, ''), j.max_pairs, j.max_chars, COALESCE(j.deadline_ms, 0), j.registered_by,"
		" answer.judge_assessed(j.tenant, j.name, j.revision)"
		" FROM answer.judge j WHERE j.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $1])"
		" AND j.name OPERATOR(pg_catalog.=) ANY ($2) ORDER BY j.name, j.tenant",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Judges	   *judges = palloc0(sizeof(Judges));
	Datum	   *wanted = palloc(sizeof(Datum) * Max(count, 1));
	Datum		values[2];
	QueryRows	rows;

	judges->judges = palloc0(sizeof(Judge) * Max(count, 1));
	judges->count = count;
	for (int i = 0; i < count; i++)
	{
		judges->judges[i].name = names[i];
		judges->judges[i].assessed = JsonViewNull();
		wanted[i] = SpanDatum(names[i]);
	}
	if (count == 0)
		return judges;
	values[0] = PointerGetDatum(tenant);
	values[1] = QueryTextArray(wanted, count);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	for (uint64 row = 0; row < rows.count; row++)
	{
		Judge	   *judge = (Judge *) JudgeOfName(judges, ColumnSpan(rows.table, row, 1));

		if (judge)
			ReadJudge(rows.table, row, judge);
	}
	QueryFree(&rows);
	return judges;
}

const Judge *
JudgeOfName(const Judges *judges, Span name)
{
	for (int i = 0; i < judges->count; i++)
	{
		if (SpanEqual(judges->judges[i].name, name))
			return &judges->judges[i];
	}
	return NULL;
}

JsonView
JudgesPresent(const Judges *judges)
{
	JsonView	present = JsonViewNewArray(judges->count);

	for (int i = 0; i < judges->count; i++)
	{
		const Judge *judge = &judges->judges[i];
		JsonView	entry = JsonViewNewObject(5);

		JsonViewSet(&entry, "name", SpanView(judge->name));
		JsonViewSet(&entry, "model", judge->registered ? SpanView(judge->model) : JsonViewNull());
		JsonViewSet(&entry, "version", judge->registered ? SpanView(judge->version) : JsonViewNull());
		if (judge->weights_digest.len > 0)
			JsonViewSet(&entry, "weights_digest", SpanView(judge->weights_digest));
		JsonViewSet(&entry, "assessed", judge->assessed);
		JsonViewAppend(&present, entry);
	}
	return present;
}

JsonView
JudgesToken(const Judges *judges)
{
	JsonView	token = JsonViewNewArray(judges->count);

	for (int i = 0; i < judges->count; i++)
	{
		const Judge *judge = &judges->judges[i];
		JsonView	entry = JsonViewNewArray(4);

		JsonViewAppend(&entry, SpanView(judge->name));
		JsonViewAppend(&entry, JsonViewBool(judge->registered && VARSIZE_ANY_EXHDR(judge->tenant) > 0));
		JsonViewAppend(&entry, JsonViewInteger(judge->revision));
		JsonViewAppend(&entry, judge->assessed);
		JsonViewAppend(&token, entry);
	}
	return token;
}

/* Superusers are members of all roles, as in the server. */
bool
JudgeMayBe(const Judge *judge, Oid role)
{
	Oid			members = judge->role ? get_role_oid(judge->role, true) : InvalidOid;

	return OidIsValid(members) && is_member_of_role(role, members);
}

/*
 * judgements
 */

JsonView
JudgementView(const Judge *judge, JudgeKind kind, Span pair, JudgeRelation relation, Numeric score,
			  const char *origin, Span by, TimestampTz judged_at)
{
	JsonView	view = JsonViewNewObject(9);

	JsonViewSet(&view, "kind", JsonViewCString(JudgeKindName(kind)));
	JsonViewSet(&view, "pair", SpanView(pair));
	JsonViewSet(&view, "relation", JsonViewCString(JudgeRelationName(relation)));
	JsonViewSet(&view, "score", JsonViewOfNumeric(score));
	JsonViewSet(&view, "judge", SpanView(judge->name));
	JsonViewSet(&view, "version", SpanView(judge->version));
	JsonViewSet(&view, "origin", JsonViewCString(origin));
	JsonViewSet(&view, "by", SpanView(by));
	JsonViewSet(&view, "judged_at", InstantView(judged_at));
	return view;
}

/* Adds the digests of a text's passages, which are separated by blank lines. */
static void
AddPassages(JsonView *passages, Span text)
{
	uint8		sha256[SHA256_LENGTH];

	for (int from = 0, to; from < text.len; from = to + 2)
	{
		char	   *hex = palloc(2 * SHA256_LENGTH + 1);

		CHECK_FOR_INTERRUPTS();
		for (to = from; to < text.len && !(text.str[to] == '\n' && to + 1 < text.len && text.str[to + 1] == '\n');)
			to++;
		Sha256(text.str + from, to - from, sha256);
		hex[hex_encode((const char *) sha256, SHA256_LENGTH, hex)] = '\0';
		JsonViewAppend(passages, JsonViewCString(hex));
	}
}

JsonView
JudgementRow(const Judge *judge, const AskPair *pair, JudgeRelation relation, Numeric score)
{
	JsonView	row = JsonViewNewObject(9);
	JsonView	passages = JsonViewNewArray(2);

	if (pair->kind == JUDGE_CONFLICT)
		AddPassages(&passages, pair->a);
	AddPassages(&passages, pair->b);
	JsonViewSet(&row, "passages", passages);
	JsonViewSet(&row, "pair", SpanView(pair->pair));
	JsonViewSet(&row, "judge", SpanView(judge->name));
	JsonViewSet(&row, "judge_tenant", SpanView(Utf8OfText(judge->tenant)));
	JsonViewSet(&row, "revision", JsonViewInteger(judge->revision));
	JsonViewSet(&row, "kind", JsonViewCString(JudgeKindName(pair->kind)));
	JsonViewSet(&row, "version", SpanView(judge->version));
	JsonViewSet(&row, "relation", JsonViewCString(JudgeRelationName(relation)));
	JsonViewSet(&row, "score", JsonViewOfNumeric(score));
	return row;
}

FixedQuery *after_judging = NULL;

int
JudgementsWrite(const text *tenant, Span by, const char *origin, const SigningKey *key, TimestampTz judged_at,
				const JsonView *rows)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, JSONBOID};
	NullableDatum args[4] = {{0}};
	JsonView	signed_rows = JudgementsSign(tenant, by, origin, key, judged_at, rows);
	bool		had_written = OwnWritesBegin();
	Datum		values[2];
	QueryRows	corrected;
	int			count;

	args[0].value = PointerGetDatum(tenant);
	args[1].value = SpanDatum(by);
	args[2].value = CStringGetTextDatum(origin);
	args[3].value = JsonbPGetDatum(JsonViewToJsonb(&signed_rows, false));
	count = DatumGetInt32(AnswerCall(AnswerSchema(), "judgement_put", lengthof(types), types, args));
	values[0] = args[0].value;
	values[1] = args[3].value;
	corrected = QueryRunAsOwner(after_judging, values, NULL, false, 0);
	QueryFree(&corrected);
	OwnWritesEnd(had_written);
	return count;
}

/* Makes three arrays of the registered judges: names, tenants, numbers of their versions. */
static int
RegisteredArrays(const Judges *judges, Datum *arrays)
{
	Datum	   *names = palloc(sizeof(Datum) * Max(judges->count, 1));
	Datum	   *tenants = palloc(sizeof(Datum) * Max(judges->count, 1));
	Datum	   *revisions = palloc(sizeof(Datum) * Max(judges->count, 1));
	int			count = 0;

	for (int i = 0; i < judges->count; i++)
	{
		const Judge *judge = &judges->judges[i];

		if (!judge->registered)
			continue;
		names[count] = SpanDatum(judge->name);
		tenants[count] = PointerGetDatum(judge->tenant);
		revisions[count++] = Int32GetDatum(judge->revision);
	}
	arrays[0] = QueryTextArray(names, count);
	arrays[1] = QueryTextArray(tenants, count);
	arrays[2] = PointerGetDatum(construct_array(revisions, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
	return count;
}

static JsonView
StoredView(const Judges *judges, SPITupleTable *table, int row)
{
	const Judge *judge = JudgeOfName(judges, ColumnSpan(table, row, 2));
	JudgeKind	kind = JUDGE_ENTAILMENT;
	JudgeRelation relation = RELATION_NEUTRAL;
	TimestampTz judged_at = 0;
	Datum		score = ColumnDatum(table, row, 5);

	(void) JudgeKindOf(ColumnSpan(table, row, 3), &kind);
	(void) JudgeRelationOf(ColumnSpan(table, row, 4), &relation);
	(void) ColumnInstant(table, row, 8, &judged_at);
	return JudgementView(judge, kind, ColumnSpan(table, row, 1), relation, DatumGetNumericCopy(score),
						 ColumnName(table, row, 6), ColumnSpan(table, row, 7), judged_at);
}

/*
 * Returns what a suite pins for these pairs, or what was said earlier; nothing unless a
 * case of a suite is being tried.
 */
static JsonView
Pinned(Pinning *pinning, const Judges *judges, const Span *pairs, int npairs)
{
	Span	   *names;

	if (pinning == NULL)
		return JsonViewNewArray(0);
	names = palloc_array(Span, Max(judges->count, 1));
	for (int i = 0; i < judges->count; i++)
		names[i] = judges->judges[i].name;
	return PinnedFor(pinning, names, judges->count, pairs, npairs);
}

JsonView
JudgementsStored(const text *tenant, Pinning *pinning, const Judges *judges, const Span *pairs, int npairs)
{
	static FixedQuery query = {
		.text = "SELECT DISTINCT ON (g.pair, g.judge) g.pair, g.judge, g.kind, g.relation, g.score, g.origin, g.by, g.judged_at"
		" FROM ROWS FROM (pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4)) AS j (name, tenant, revision)"
		" JOIN answer.judgement g ON g.judge OPERATOR(pg_catalog.=) j.name AND g.judge_tenant OPERATOR(pg_catalog.=) j.tenant"
		"  AND g.revision OPERATOR(pg_catalog.=) j.revision"
		" WHERE g.tenant OPERATOR(pg_catalog.=) $1 AND g.pair OPERATOR(pg_catalog.=) ANY ($5)"
		" ORDER BY g.pair, g.judge, g.judged_at DESC",
		.argtypes = {TEXTOID, TEXTARRAYOID, TEXTARRAYOID, INT4ARRAYOID, TEXTARRAYOID}
	};
	JsonView	found = Pinned(pinning, judges, pairs, npairs);
	JsonView	stored;
	Datum	   *wanted;
	Datum		values[5];
	QueryRows	rows;

	values[0] = PointerGetDatum(tenant);
	if (npairs == 0 || NobodyIsAsked(pinning) || RegisteredArrays(judges, &values[1]) == 0)
		return found;
	wanted = palloc_extended(sizeof(Datum) * npairs, MCXT_ALLOC_HUGE);
	for (int i = 0; i < npairs; i++)
		wanted[i] = SpanDatum(pairs[i]);
	values[4] = QueryTextArray(wanted, npairs);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	stored = JsonViewNewArray(rows.count);
	for (uint64 row = 0; row < rows.count; row++)
	{
		JsonView	judgement;

		CHECK_FOR_INTERRUPTS();
		if (pinning && IsPinned(pinning, ColumnSpan(rows.table, row, 1), ColumnSpan(rows.table, row, 2)))
			continue;
		judgement = StoredView(judges, rows.table, row);
		JsonViewAppend(&stored, judgement);
		JsonViewAppend(&found, judgement);
	}
	QueryFree(&rows);
	PinningNote(pinning, &stored);
	return found;
}

/* the source of a handler */

static void
SetServerText(JsonView *object, const char *key, const char *value)
{
	int			len;
	char	   *utf8;

	if (value == NULL)
	{
		JsonViewSet(object, key, JsonViewNull());
		return;
	}
	utf8 = JsonServerToUtf8(value, strlen(value), &len);
	JsonViewSet(object, key, JsonViewString(utf8, len));
}

static char *
ProcText(HeapTuple tuple, int column)
{
	bool		isnull;
	Datum		datum = SysCacheGetAttr(PROCOID, tuple, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(datum);
}

/*
 * Returns the body of a SQL function that was parsed when it was created.  A setting
 * decides how its names are written.
 */
static char *
ParsedBody(HeapTuple tuple, Oid function)
{
	bool		isnull;
	int			level;
	char	   *body;

	(void) SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosqlbody, &isnull);
	if (isnull)
		return NULL;
	level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	body = TextDatumGetCString(DirectFunctionCall1(pg_get_function_sqlbody, ObjectIdGetDatum(function)));
	AtEOXact_GUC(false, level);
	return body;
}

static JsonView
ProcSettings(HeapTuple tuple)
{
	bool		isnull;
	Datum		datum = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proconfig, &isnull);
	JsonView	settings = JsonViewNewArray(0);
	Datum	   *elements;
	int			count;

	if (isnull)
		return settings;
	deconstruct_array(DatumGetArrayTypeP(datum), TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		JsonViewAppend(&settings, SpanView(Utf8OfText(DatumGetTextPP(elements[i]))));
	return settings;
}

/* Other functions that it calls, and the code in its library, are not covered. */
void
JudgeHandlerDigest(Oid function, char *digest)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	JsonView	source = JsonViewNewObject(7);
	Form_pg_proc form;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function with OID %u does not exist", function)));
	form = (Form_pg_proc) GETSTRUCT(tuple);
	SetServerText(&source, "language", get_language_name(form->prolang, false));
	SetServerText(&source, "source", ProcText(tuple, Anum_pg_proc_prosrc));
	SetServerText(&source, "library", ProcText(tuple, Anum_pg_proc_probin));
	SetServerText(&source, "body", ParsedBody(tuple, function));
	JsonViewSet(&source, "settings", ProcSettings(tuple));
	JsonViewSet(&source, "security_definer", JsonViewBool(form->prosecdef));
	JsonViewSet(&source, "strict", JsonViewBool(form->proisstrict));
	ReleaseSysCache(tuple);
	CanonicalDigest(&source, NULL, digest);
}

/*
 * SQL
 */

/* answer.judge_handler_digest(handler) */
PG_FUNCTION_INFO_V1(answer_eval_judge_handler_digest);
Datum
answer_eval_judge_handler_digest(PG_FUNCTION_ARGS)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	JudgeHandlerDigest(PG_GETARG_OID(0), digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/*
 * answer_judge_register(name, options)
 *
 * Registrations of the same name wait for each other before they read the number of the
 * newest version.  So each sees what the other has made.
 */
PG_FUNCTION_INFO_V1(answer_eval_judge_register);
Datum
answer_eval_judge_register(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {REGPROCEDUREOID};
	NullableDatum handler = {.isnull = true};

	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "options");
	if (!PG_ARGISNULL(1))
	{
		JsonView	options;
		JsonView	view;

		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &options);
		if (options.type == JVIEW_OBJECT && JsonViewGetMember(&options, "handler", &view) &&
			view.type != JVIEW_NULL && view.type != JVIEW_STRING)
			MalformedArgument("option \"handler\" of a judge must be the name of a function", NULL);
		handler = FunctionMember(&options, "handler");
	}
	if (!PG_ARGISNULL(0))
		LockChange(RegistrantTenant(), "judge", TextArgument(fcinfo, 0));
	TenantRegister(fcinfo, "judge_register_put", lengthof(types), types, &handler);
	PG_RETURN_VOID();
}

/*
 * forgetting judgements
 */

static FixedQuery erase_judgements = {
	.text = "WITH gone AS (DELETE FROM answer.judgement j WHERE j.tenant OPERATOR(pg_catalog.=) $1"
	"  AND j.pair OPERATOR(pg_catalog.=) ANY ($2) RETURNING j.*)"
	" SELECT COALESCE(pg_catalog.array_agg(pg_catalog.encode(answer.recorded_item(2, g.pair,"
	"  answer.row_digest('judgement', g)), 'hex') ORDER BY g.pair, g.judged_at), '{}') FROM gone g",
	.argtypes = {TEXTOID, TEXTARRAYOID}
};

const EraseQueries judge_erasing = {
	.judgements = &erase_judgements
};
