/*-------------------------------------------------------------------------
 *
 * call.c
 *		Tools, readings and the facts they become.
 *
 * A tool answers with a raw JSON result: either a SQL function f(args jsonb)
 * returns jsonb, or readings that were stored before.  The result becomes a
 * fact (fact/v1): the raw result, its primary value, where it came from, and a
 * verification whose every signal is computed here.  Rule: the contract of
 * facts in answer-eval/1 and fact-conf/1 (confidence.c).
 *
 * Rights: the registry of tools is read as the extension's owner, for it is
 * configuration.  Tools, handlers and stored readings alike, run with the
 * rights of the caller, in a subtransaction, under a deadline (deadline.c).  Once
 * there are tenants (tenant.c), a tenant's own handlers and graders run with the
 * rights of the role that registered them, and readings are the tenant's.
 *
 * Among stored readings the newest of each source counts, as of the instant of
 * evaluation: what was observed later is not known yet.  The newest of all is
 * the fact; the others corroborate it or conflict with it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "check/request.h"
#include "document/kind.h"
#include "evidence/binding.h"
#include "evidence/call.h"
#include "evidence/grade.h"
#include "evidence/settle.h"

/*
 * the registry
 */

static bool
ColumnPath(SPITupleTable *table, int row, int column, Path *path)
{
	Span		text = ColumnSpan(table, row, column);

	if (text.len == 0)
		return false;
	if (PathParse(text.str, text.len, path) != NULL)
		elog(ERROR, "registered path is malformed");
	return true;
}

/* An array of text for a query. */
static Datum
TextArray(Datum *elements, int count)
{
	return PointerGetDatum(construct_array(elements, count, TEXTOID, -1, false,
										   TYPALIGN_INT));
}

/*
 * the registry
 */

static text *
ColumnText(SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetTextPCopy(value);
}

static void
ReadTool(SPITupleTable *table, int row, Tool *tool)
{
	bool		isnull;

	tool->grader_tenant = ColumnText(table, row, 26);
	tool->grader_by = ColumnName(table, row, 27);
	tool->graded = ColumnInt(table, row, 19) != 0;
	tool->grader = ColumnName(table, row, 20);
	tool->grader_owner = ColumnName(table, row, 22);
	tool->registered = ColumnInt(table, row, 21) != 0;
	if (!tool->registered)
		return;
	tool->tenant = ColumnText(table, row, 24);
	tool->registered_by = ColumnName(table, row, 25);
	tool->handler = ColumnName(table, row, 2);
	tool->handler_owner = ColumnName(table, row, 23);
	tool->required = ColumnSpans(table, row, 3, &tool->nrequired);
	tool->optional = ColumnSpans(table, row, 4, &tool->noptional);
	tool->freshness = DatumGetInt64(SPI_getbinval(table->vals[row], table->tupdesc, 5,
												  &isnull));
	tool->has_freshness = !isnull;
	tool->has_value_path = ColumnPath(table, row, 6, &tool->value_path);
	tool->has_entity_path = ColumnPath(table, row, 7, &tool->entity_path);
	tool->has_timestamp_path = ColumnPath(table, row, 8, &tool->timestamp_path);
	tool->has_source_path = ColumnPath(table, row, 9, &tool->source_path);
	tool->source = ColumnSpan(table, row, 10);
	tool->unit = ColumnSpan(table, row, 11);
	tool->category = ColumnSpan(table, row, 12);
	tool->country = ColumnSpan(table, row, 13);
	tool->basis = ColumnSpan(table, row, 14);
	tool->group = ColumnSpan(table, row, 15);
	tool->source_url = ColumnSpan(table, row, 16);
	tool->licence = ColumnSpan(table, row, 17);
	tool->builtin = ColumnInt(table, row, 18) != 0;
}

/*
 * Tools by their names, of two tables: those of the operator, or those and a
 * tenant's own.  Should a shared one have come to have the name of a tenant's own,
 * it is the one.  Each is one index probe, which a planner that knows nothing of
 * the tables yet would not choose by itself.
 */
#define TOOLS_SQL(tool, quality_tool) \
	"SELECT q.n::pg_catalog.int4, t.handler, t.required_args, t.optional_args," \
	" (pg_catalog.date_part('epoch', t.freshness) OPERATOR(pg_catalog.*) 1000000)::pg_catalog.int8," \
	" t.value_path, t.entity_path, t.timestamp_path, t.source_path," \
	" t.source, t.unit, t.category, t.country, t.basis," \
	" s.independence_group, s.url, s.licence, t.seed::pg_catalog.int4," \
	" (g.tool IS NOT NULL)::pg_catalog.int4, g.grader, (t.tool IS NOT NULL)::pg_catalog.int4," \
	" g.grader_owner, t.handler_owner, t.tenant, t.registered_by, g.tenant, g.registered_by" \
	" FROM pg_catalog.unnest($1) WITH ORDINALITY q (tool, n)" \
	" LEFT JOIN " tool \
	" LEFT JOIN answer.source s ON s.source OPERATOR(pg_catalog.=) t.source" \
	" LEFT JOIN " quality_tool \
	" WHERE t.tool IS NOT NULL OR g.tool IS NOT NULL"
#define SHARED_SQL(table, t) \
	"LATERAL (SELECT * FROM answer." table " o WHERE o.tenant OPERATOR(pg_catalog.=) ''" \
	" AND o.tool OPERATOR(pg_catalog.=) q.tool OFFSET 0) " t " ON true"
#define SHARED_OR_OWN_SQL(table, t) \
	"LATERAL (SELECT * FROM answer." table " o WHERE o.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2]) AND o.tool OPERATOR(pg_catalog.=) q.tool" \
	" ORDER BY o.tenant USING OPERATOR(pg_catalog.<) LIMIT 1) " t " ON true"

/*
 * Looks tools up by the names they hold, all in one query, for a tenant.  SPI must
 * be connected; what is found is in the caller's context.
 */
void
ToolsFind(const text *tenant, Tool *tools, int count)
{
	static FixedQuery shared = {
		.text = TOOLS_SQL(SHARED_SQL("tool", "t"), SHARED_SQL("quality_tool", "g")),
		.nargs = 1,
		.argtypes = {TEXTARRAYOID}
	};
	static FixedQuery shared_or_own = {
		.text = TOOLS_SQL(SHARED_OR_OWN_SQL("tool", "t"), SHARED_OR_OWN_SQL("quality_tool", "g")),
		.nargs = 2,
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	FixedQuery *query = VARSIZE_ANY_EXHDR(tenant) == 0 ? &shared : &shared_or_own;
	Datum		values[2];
	Datum	   *names = palloc(sizeof(Datum) * (Size) count);
	Oid			user;
	int			context;

	for (int i = 0; i < count; i++)
	{
		Span		name = tools[i].name;

		memset(&tools[i], 0, sizeof(Tool));
		tools[i].name = name;
		names[i] = SpanDatum(name);
	}
	values[0] = TextArray(names, count);
	values[1] = PointerGetDatum(tenant);
	if (query->plan == NULL)
		(void) AnswerTable("quality_tool");
	AnswerAsOwner(&user, &context);
	QueryRun(query, values, NULL, true, 0);
	AnswerAsCaller(user, context);
	for (uint64 i = 0; i < SPI_processed; i++)
		ReadTool(SPI_tuptable, i, &tools[ColumnInt(SPI_tuptable, i, 1) - 1]);
	SPI_freetuptable(SPI_tuptable);
}

typedef struct Source
{
	Span		group;
	Span		url;
	Span		licence;
} Source;

/* Looks a source up; an unknown one is its own group and has no address. */
static void
SourceFind(Span name, Source *source)
{
	static FixedQuery query = {
		.text = "SELECT independence_group, url, licence FROM answer.source"
		" WHERE source OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value;
	Oid			user;
	int			context;

	memset(source, 0, sizeof(*source));
	if (name.len == 0)
		return;
	value = SpanDatum(name);
	AnswerAsOwner(&user, &context);
	QueryRun(&query, &value, NULL, true, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed > 0)
	{
		source->group = ColumnSpan(SPI_tuptable, 0, 1);
		source->url = ColumnSpan(SPI_tuptable, 0, 2);
		source->licence = ColumnSpan(SPI_tuptable, 0, 3);
	}
	SPI_freetuptable(SPI_tuptable);
}

static bool
SpanIn(Span span, const Span *spans, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (SpanEqual(spans[i], span))
			return true;
	}
	return false;
}

/*
 * Tells what is wrong with a check's arguments: a required one missing or
 * null, or one that the tool does not declare.  NULL if nothing is.
 */
const char *
ToolArgumentProblem(const Tool *tool, const JsonView *args, Span *argument)
{
	int			count;
	JsonMember *members;

	for (int i = 0; i < tool->nrequired; i++)
	{
		JsonView	value;

		if (JsonViewGet(args, tool->required[i].str, tool->required[i].len, &value) &&
			value.type != JVIEW_NULL)
			continue;
		*argument = tool->required[i];
		return "a required argument is missing";
	}
	members = JsonViewSortedMembers(args, &count);
	for (int i = 0; i < count; i++)
	{
		Span		key = {members[i].key, members[i].keylen};

		if (SpanIn(key, tool->required, tool->nrequired) ||
			SpanIn(key, tool->optional, tool->noptional))
			continue;
		*argument = key;
		return "the tool declares no such argument";
	}
	return NULL;
}

/*
 * raw results
 */

/* One raw result and what is known about it. */
typedef struct Reading
{
	int			call;			/* which it answers, among those of a query */
	JsonView	raw;
	Span		source;
	bool		names_source;	/* does the raw result itself name it? */
	Span		group;
	Span		url;
	Span		licence;
	bool		has_observed_at;
	TimestampTz observed_at;
	bool		has_expires;
	TimestampTz expires;
	Span		digest;			/* of a stored reading */
	JsonView	value;			/* absent if there is none */
	bool		fresh;
} Reading;

/* What a contained call is given. */
typedef struct Contained
{
	ToolCall   *calls;
	int			count;
	const CallTerms *terms;
	MemoryContext context;		/* where results go */
} Contained;

/*
 * Settles what is a handler's own: the names it looks up are found in its own
 * schema, never in the caller's temporary one, and nobody knows its random
 * numbers beforehand.  The built-in ones see to their names themselves.
 * Returns the level at which everything, what the handler itself sets included,
 * is undone.  SettleSettings settles what is the same for all.
 */
static int
SettleHandler(const char *handler, bool builtin)
{
	int			level = NewGUCNestLevel();
	List	   *names;
	char	   *path;

	SettleRandom();
	if (builtin)
		return level;
	names = stringToQualifiedNameList(handler COMPAT_NAME_LIST_CONTEXT);
	path = psprintf("pg_catalog, %s, pg_temp", quote_identifier(strVal(linitial(names))));
	(void) set_config_option("search_path", path, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	return level;
}

/*
 * A raw result nested too deeply could not be verified everywhere, once it is
 * in a receipt, and a huge one would be all that is in it: it is its tool's
 * failure.
 */
static void
RefuseBadResult(const JsonView *raw, Size size)
{
	if (size > RESULT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("result has %zu bytes; the most are %d", size, RESULT_MAX_SIZE)));
	if (JsonViewIsDeeper(raw, RAW_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("result is nested more than %d levels deep", RAW_MAX_DEPTH)));
}

/* Calls one handler; contained. */
static void
CallHandler(void *arg)
{
	Contained  *contained = arg;
	ToolCall   *call = contained->calls;
	Datum		value = JsonbPGetDatum(JsonViewToJsonb(call->args, false));
	Oid			handler;
	MemoryContext caller;
	MemoryContext scratch;
	JsonView	raw;
	Datum		result;
	bool		isnull;
	Oid			user;
	int			rights;
	int			level = SettleHandler(call->tool->handler, call->tool->builtin);

	handler = BoundFunction(call->tool->handler, call->tool->handler_owner, JSONBOID);
	/* what the function leaves behind, and a snapshot as a statement of its own has it */
	scratch = AllocSetContextCreate(CurrentMemoryContext, "answer_eval handler",
									ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(scratch);
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	BoundRightsTake(call->tool->tenant, call->tool->registered_by, &user, &rights);
	result = BoundCall(handler, value, &isnull);
	SetUserIdAndSecContext(user, rights);
	PopActiveSnapshot();
	AtEOXact_GUC(false, level);
	MemoryContextSwitchTo(contained->context);
	if (!isnull)
	{
		Jsonb	   *jsonb = DatumGetJsonbPCopy(result);

		JsonViewOfJsonb(jsonb, &raw);
		RefuseBadResult(&raw, VARSIZE(jsonb));
		JsonViewOfJsonb(JsonViewToJsonb(&raw, true), &raw);
		call->readings = palloc0(sizeof(Reading));
		call->readings->raw = raw;
		call->readings->source = call->tool->source;
		call->readings->has_observed_at = contained->terms->has_known_at;
		call->readings->observed_at = contained->terms->known_at;
		call->nreadings = 1;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}

static void
ReadReading(SPITupleTable *table, int row, Reading *reading)
{
	Jsonb	   *raw;

	memset(reading, 0, sizeof(*reading));
	raw = ColumnJsonb(table, row, 2);
	JsonViewOfJsonb(raw, &reading->raw);
	RefuseBadResult(&reading->raw, VARSIZE(raw));
	reading->source = ColumnSpan(table, row, 3);
	reading->group = ColumnSpan(table, row, 4);
	reading->url = ColumnSpan(table, row, 5);
	reading->licence = ColumnSpan(table, row, 6);
	reading->has_observed_at = ColumnInstant(table, row, 7, &reading->observed_at);
	reading->has_expires = ColumnInstant(table, row, 8, &reading->expires);
	reading->digest = ColumnSpan(table, row, 9);
}

/*
 * By call; then the newest first, and of equally new ones the one with the
 * least digest.  Sorting a few readings here is cheaper than a sort in the plan.
 */
static int
CompareReadingOrder(const void *a, const void *b)
{
	const Reading *left = a;
	const Reading *right = b;

	if (left->call != right->call)
		return left->call > right->call ? 1 : -1;
	if (left->observed_at != right->observed_at)
		return left->observed_at < right->observed_at ? 1 : -1;
	return memcmp(left->digest.str, right->digest.str,
				  Min(left->digest.len, right->digest.len));
}

/*
 * A reading's name is the digest of what it says.  Whoever can go behind the
 * functions can change the row, but then it is not what was recorded, and
 * nothing must rest on it: the call fails.  The arguments were found by their
 * digest, so they are the call's.
 */
static bool
IsAsRecorded(const ToolCall *call, const Reading *reading)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!InstantIsWritable(reading->observed_at) ||
		(reading->has_expires && !InstantIsWritable(reading->expires)))
		return false;
	ReadingDigest(call->tool->name, call->args, &reading->raw, reading->source,
				  reading->observed_at, reading->has_expires ? &reading->expires : NULL, digest);
	return reading->digest.len == DIGEST_TEXT_LENGTH &&
		memcmp(reading->digest.str, digest, DIGEST_TEXT_LENGTH) == 0;
}

static void
RefuseChangedReading(ToolCall *call, const Reading *reading)
{
	Span		digest = reading->digest;
	int			len;

	strlcpy(call->failure.sqlstate, "XX001", sizeof(call->failure.sqlstate));
	call->failure.message = digest.len == DIGEST_TEXT_LENGTH ?
		psprintf("the stored reading %s is not what was recorded",
				 JsonUtf8ToServer(digest.str, digest.len, &len)) :
		pstrdup("a stored reading is not what was recorded");
	call->nreadings = 0;
}

/*
 * Reads the newest stored reading of each source, for all calls; contained.  What
 * is newest is not for the caller's snapshot to say, who could take one, of a
 * transaction or a cursor, and wait until another reading says otherwise.
 */
static void
ReadStored(void *arg)
{
	static FixedQuery query = {
		.text = "SELECT q.n::pg_catalog.int4, e.raw, e.source, s.independence_group, s.url, s.licence,"
		" e.observed_at, e.expires, e.digest"
		" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2)) WITH ORDINALITY q (tool, args_digest, n)"
		" CROSS JOIN LATERAL (SELECT x.source FROM answer.evidence_series x"
		"  WHERE x.tenant OPERATOR(pg_catalog.=) $4 AND x.tool OPERATOR(pg_catalog.=) q.tool"
		"  AND x.args_digest OPERATOR(pg_catalog.=) q.args_digest OFFSET 0) i"
		" JOIN answer.source s ON s.source OPERATOR(pg_catalog.=) i.source"
		" CROSS JOIN LATERAL (SELECT * FROM answer.evidence r"
		"  WHERE r.tenant OPERATOR(pg_catalog.=) $4 AND r.tool OPERATOR(pg_catalog.=) q.tool"
		"  AND r.args_digest OPERATOR(pg_catalog.=) q.args_digest"
		"  AND r.source OPERATOR(pg_catalog.=) i.source"
		"  AND r.observed_at OPERATOR(pg_catalog.<=) $3"
		"  ORDER BY r.observed_at DESC, r.digest LIMIT 1) e",
		.nargs = 4,
		.argtypes = {TEXTARRAYOID, TEXTARRAYOID, TIMESTAMPTZOID, TEXTOID}
	};
	Contained  *contained = arg;
	Datum	   *tools = palloc(sizeof(Datum) * contained->count);
	Datum	   *digests = palloc(sizeof(Datum) * contained->count);
	Datum		values[4];
	Reading    *readings;
	MemoryContext caller;
	bool		as_owner = VARSIZE_ANY_EXHDR(contained->terms->tenant) > 0;
	Oid			user;
	int			context;
	uint64		nreadings;

	for (int i = 0; i < contained->count; i++)
	{
		tools[i] = SpanDatum(contained->calls[i].tool->name);
		digests[i] = CStringGetTextDatum(contained->calls[i].args_digest);
	}
	values[0] = TextArray(tools, contained->count);
	values[1] = TextArray(digests, contained->count);
	values[2] = TimestampTzGetDatum(contained->terms->evaluated_at);
	values[3] = PointerGetDatum(contained->terms->tenant);
	PushActiveSnapshot(GetLatestSnapshot());
	/* a tenant's roles have no right on the table, for the tenant is the right; the operator has all */
	if (as_owner)
		AnswerAsOwner(&user, &context);
	QueryRun(&query, values, NULL, true, 0);
	if (as_owner)
		AnswerAsCaller(user, context);
	PopActiveSnapshot();
	nreadings = SPI_processed;

	caller = MemoryContextSwitchTo(contained->context);
	readings = palloc_extended(sizeof(Reading) * Max(nreadings, 1), MCXT_ALLOC_HUGE);
	for (uint64 i = 0; i < nreadings; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ReadReading(SPI_tuptable, i, &readings[i]);
		readings[i].call = ColumnInt(SPI_tuptable, i, 1) - 1;
	}
	qsort(readings, nreadings, sizeof(Reading), CompareReadingOrder);
	for (uint64 i = 0; i < nreadings; i++)
	{
		ToolCall   *call = &contained->calls[readings[i].call];

		CHECK_FOR_INTERRUPTS();
		if (call->failure.message)
			continue;			/* another source's reading was changed */
		if (!IsAsRecorded(call, &readings[i]))
			RefuseChangedReading(call, &readings[i]);
		else if (call->nreadings++ == 0)
			call->readings = &readings[i];
	}
	MemoryContextSwitchTo(caller);
	SPI_freetuptable(SPI_tuptable);
}

/*
 * graders
 */

static _Noreturn void
BadGrade(const char *grader, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("grader %s returned %s", grader, what)));
}

/* What graders return, wherever the extension was created: it stands beside its enums. */
static Oid
GradedType(Oid *quality, Oid *strength)
{
	Oid			table = AnswerTable("quality_entry");
	HeapTuple	tuple;
	Oid			schema;

	*quality = get_atttype(table, get_attnum(table, "quality"));
	*strength = get_atttype(table, get_attnum(table, "strength"));
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(*quality));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "answer.quality_entry has no quality");
	schema = ((Form_pg_type) GETSTRUCT(tuple))->typnamespace;
	ReleaseSysCache(tuple);
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("answer_graded"),
						   ObjectIdGetDatum(schema));
}

/* A value of a SQL enum as that of the C enum; -1 if it is null. */
static int
GradedWord(Datum value, bool isnull, Oid type, VocabularyLabels labels)
{
	Vocabulary	vocabulary = {0};

	if (isnull)
		return -1;
	VocabularyLookup(&vocabulary, type, labels);
	return VocabularyIndex(&vocabulary, DatumGetObjectId(value));
}

static Span
GradedText(Datum value, bool isnull)
{
	return isnull ? (Span) {"", 0} : Utf8OfText(DatumGetTextPCopy(value));
}

/*
 * Has a user's grader judge an observation, with the rights of the caller, or,
 * if it is a tenant's, with those of the role that registered it.  What it gives is in the caller's memory.
 */
void
GraderCall(const Grader *registered, Jsonb *observation, Graded *graded)
{
	Oid			quality_type;
	Oid			strength_type;
	Oid			type = GradedType(&quality_type, &strength_type);
	const char *grader = registered->name;
	Oid			function = BoundFunction(grader, registered->owner, type);
	int			level = SettleSettings();
	HeapTupleData tuple;
	TupleDesc	desc;
	Datum		row;
	Datum		values[4];
	bool		nulls[4];
	bool		isnull;
	Oid			user;
	int			rights;
	int			quality;
	int			strength;

	(void) SettleHandler(grader, false);
	BoundRightsTake(registered->tenant, registered->registered_by, &user, &rights);
	row = BoundCall(function, JsonbPGetDatum(observation), &isnull);
	AtEOXact_GUC(false, level);
	SetUserIdAndSecContext(user, rights);	/* whatever role it took: see deadline.c */
	if (isnull)
		BadGrade(grader, "no quality");
	tuple.t_data = DatumGetHeapTupleHeader(row);
	tuple.t_len = HeapTupleHeaderGetDatumLength(tuple.t_data);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(tuple.t_data),
								  HeapTupleHeaderGetTypMod(tuple.t_data));
	if (HeapTupleHeaderGetTypeId(tuple.t_data) != type || desc->natts != 4 ||
		TupleDescAttr(desc, 0)->atttypid != TEXTOID ||
		TupleDescAttr(desc, 1)->atttypid != quality_type ||
		TupleDescAttr(desc, 2)->atttypid != strength_type ||
		TupleDescAttr(desc, 3)->atttypid != TEXTOID)
		BadGrade(grader, "something else than answer_graded");
	heap_deform_tuple(&tuple, desc, values, nulls);
	ReleaseTupleDesc(desc);
	graded->class_name = GradedText(values[0], nulls[0]);
	graded->reason = GradedText(values[3], nulls[3]);
	quality = GradedWord(values[1], nulls[1], quality_type, quality_labels);
	strength = GradedWord(values[2], nulls[2], strength_type, strength_labels);
	if (quality < 0)
		BadGrade(grader, "no quality");
	if (quality == QUALITY_VERIFIED)
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("grader %s returned Verified", grader),
				 errdetail("A tool reaches Strong at most; Verified is derived from several entries.")));
	graded->quality = (Quality) quality;
	graded->strength = (Strength) Max(strength, 0);
}

/* A grader's call whose failure is contained. */
typedef struct ContainedGrade
{
	Grader		grader;
	Jsonb	   *observation;
	Graded		graded;
} ContainedGrade;

static void
GradeContained(void *arg)
{
	ContainedGrade *contained = arg;

	GraderCall(&contained->grader, contained->observation, &contained->graded);
}

/*
 * How good a raw result is.  False if nobody grades it.  One that its grader
 * does not take for an observation is worth nothing.  Tools of our own say it
 * themselves: what they tell of is graded, or derived, already.
 */
static bool
FactQuality(const Tool *tool, const JsonView *raw, const CallTerms *terms, Quality *quality)
{
	Grade		grade;
	GradeError	error;
	Span		word;
	int			index;

	*quality = QUALITY_NONE;
	if (tool->builtin)
	{
		if (!JsonViewGetString(raw, "quality", &word.str, &word.len))
			return false;
		index = VocabularyByLabel(quality_labels, word.str, word.len);
		*quality = (Quality) Max(index, 0);
		return index >= 0;
	}
	if (!tool->graded)
		return false;
	if (raw->type == JVIEW_ABSENT)
		return true;
	if (tool->grader)
	{
		ContainedGrade contained = {.grader = {tool->grader, tool->grader_owner, tool->grader_tenant, tool->grader_by},
			.observation = JsonViewToJsonb(raw, false)};
		CallFailure failure;

		if (CallContained(GradeContained, &contained, terms->deadline, terms->deadline_ms,
						  &failure))
			*quality = contained.graded.quality;
	}
	else if (GradeObservation(tool->name, raw, &grade, &error) == GRADE_OK)
		*quality = grade.quality;
	return true;
}

/*
 * facts
 */

/* Follows a path into a raw result; an absent view if it does not resolve. */
static JsonView
AtPath(const JsonView *raw, const Path *path)
{
	JsonView	value;

	if (PathResolve(path, raw, &value) < path->count)
		value.type = JVIEW_ABSENT;
	return value;
}

/*
 * Fills in what the tool's paths find in a raw result.  What a handler says was
 * observed later than it can know was not.
 */
static void
ReadPaths(const Tool *tool, Reading *reading, const CallTerms *terms)
{
	JsonView	view;

	if (tool->has_value_path)
		reading->value = AtPath(&reading->raw, &tool->value_path);
	else if (!JVIEW_IS_CONTAINER(&reading->raw))
		reading->value = reading->raw;	/* a scalar result is its own value */
	if (tool->has_timestamp_path)
	{
		view = AtPath(&reading->raw, &tool->timestamp_path);
		reading->has_observed_at = InstantOfView(&view, &reading->observed_at) &&
			InstantIsWritable(reading->observed_at);
		if (tool->handler)
		{
			reading->has_observed_at &= terms->has_known_at;
			reading->observed_at = Min(reading->observed_at, terms->known_at);
		}
	}
	if (tool->has_source_path)
	{
		view = AtPath(&reading->raw, &tool->source_path);
		if (view.type == JVIEW_STRING)
		{
			reading->source.str = view.str;
			reading->source.len = view.len;
			reading->names_source = true;
		}
	}
}

/* Not past its expiry; or, with none, not older than the tool allows. */
static bool
IsFresh(const Tool *tool, const Reading *reading, TimestampTz evaluated_at)
{
	if (!reading->has_observed_at)
		return false;
	if (reading->has_expires)
		return evaluated_at <= reading->expires;
	return tool->has_freshness &&
		(evaluated_at <= reading->observed_at ||
		 (uint64) evaluated_at - (uint64) reading->observed_at <= (uint64) tool->freshness);
}

static JsonView
SpanOrNull(Span span)
{
	return span.len > 0 ? JsonViewString(span.str, span.len) : JsonViewNull();
}

static JsonView
InstantOrNull(bool present, TimestampTz instant)
{
	char	   *text;

	if (!present)
		return JsonViewNull();
	text = palloc(INSTANT_SIZE);
	InstantFormat(instant, text);
	return JsonViewCString(text);
}

/* What a reading is, as the object whose digest addresses it. */
static JsonView
ReadingContent(Span tool, const JsonView *args, const Reading *reading)
{
	JsonView	content = JsonViewNewObject(6);

	JsonViewSet(&content, "tool", JsonViewString(tool.str, tool.len));
	JsonViewSet(&content, "args", *args);
	JsonViewSet(&content, "raw", reading->raw);
	JsonViewSet(&content, "source", SpanOrNull(reading->source));
	JsonViewSet(&content, "observed_at",
				InstantOrNull(reading->has_observed_at, reading->observed_at));
	JsonViewSet(&content, "expires",
				InstantOrNull(reading->has_expires, reading->expires));
	return content;
}

/* The digest of a reading, which is its name; all of it must be portable. */
void
ReadingDigest(Span tool, const JsonView *args, const JsonView *raw, Span source,
			  TimestampTz observed_at, const TimestampTz *expires, char *digest)
{
	Reading		reading = {
		.raw = *raw,
		.source = source,
		.has_observed_at = true,
		.observed_at = observed_at,
		.has_expires = expires != NULL,
		.expires = expires ? *expires : 0
	};
	JsonView	content = ReadingContent(tool, args, &reading);

	CanonicalDigest(&content, NULL, digest);
}

static JsonView
FactId(const Tool *tool, const JsonView *args, const Reading *reading)
{
	char	   *id = palloc(FACT_ID_LENGTH + 1);
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (reading->digest.len > 0)
		memcpy(digest, reading->digest.str, DIGEST_TEXT_LENGTH);
	else
	{
		JsonView	content = ReadingContent(tool->name, args, reading);

		CanonicalDigest(&content, NULL, digest);
	}
	FactIdOfReading(digest, id);
	return JsonViewCString(id);
}

/* The digest of a fact: of everything but its attestation and its raw result. */
void
FactDigest(const JsonView *fact, char *digest)
{
	static const CanonicalOmit omit = {2, {"attestation", "raw"}};

	CanonicalDigest(fact, &omit, digest);
}

/*
 * Tells how a fact came about.  Where somebody chose the instant at which it
 * was judged, or can still undo what it rests on, the attested fact says so.
 */
static const char *
Note(const Tool *tool, const CallTerms *terms)
{
	const char *how = tool->handler ? "called by answer_eval" : "stored reading";
	char		instant[INSTANT_SIZE];

	if (TransactionHasWritten())
		how = psprintf("%s in a transaction that had written", how);
	if (terms->evaluated_at == terms->now)
		return psprintf("%s, attested with its key", how);
	InstantFormat(terms->evaluated_at, instant);
	return psprintf("%s, judged as of %s, attested with its key", how, instant);
}

static JsonView
BuildFact(const Tool *tool, const JsonView *args, const Reading *primary,
		  const FactSignals *signals, int sources, const CallTerms *terms, char *digest)
{
	JsonView	fact = JsonViewNewObject(16);
	JsonView	provenance = JsonViewNewObject(3);
	JsonView	entity = JsonViewNull();
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	Quality		quality;

	if (tool->has_entity_path)
	{
		entity = AtPath(&primary->raw, &tool->entity_path);
		if (entity.type == JVIEW_ABSENT)
			entity = JsonViewNull();
	}
	JsonViewSet(&provenance, "source", SpanOrNull(primary->source));
	JsonViewSet(&provenance, "source_url", SpanOrNull(primary->url));
	JsonViewSet(&provenance, "licence", SpanOrNull(primary->licence));

	JsonViewSet(&fact, "id", FactId(tool, args, primary));
	JsonViewSet(&fact, "category", SpanOrNull(tool->category));
	JsonViewSet(&fact, "entity", entity);
	JsonViewSet(&fact, "fact", JsonViewString(tool->name.str, tool->name.len));
	JsonViewSet(&fact, "args", *args);
	if (primary->value.type != JVIEW_ABSENT)
		JsonViewSet(&fact, "value", primary->value);
	if (FactQuality(tool, &primary->raw, terms, &quality))
		JsonViewSet(&fact, "quality", JsonViewCString(quality_labels[quality]));
	JsonViewSet(&fact, "unit", SpanOrNull(tool->unit));
	JsonViewSet(&fact, "timestamp",
				InstantOrNull(primary->has_observed_at, primary->observed_at));
	JsonViewSet(&fact, "expires", InstantOrNull(primary->has_expires, primary->expires));
	JsonViewSet(&fact, "country", SpanOrNull(tool->country));
	JsonViewSet(&fact, "provenance", provenance);
	JsonViewSet(&fact, "verification",
				VerificationView(signals, tool->basis, sources, NULL, Note(tool, terms)));
	FactDigest(&fact, digest);
	SigningKeyAttest(terms->key, digest, signature);
	JsonViewSet(&fact, "attestation", SignatureView(terms->key, signature));
	JsonViewSet(&fact, "raw", primary->raw);
	return fact;
}

/* Compares the readings of all sources with each other. */
static int
CompareReadings(const Reading *readings, int count, FactSignals *signals)
{
	SourceReading *compared = palloc(sizeof(SourceReading) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		compared[i].source = readings[i].source;
		compared[i].group = readings[i].group;
		compared[i].value = readings[i].value;
		compared[i].fresh = readings[i].fresh;
	}
	return SourcesCompare(compared, count, signals);
}

/*
 * What is registered about the source of a reading.  A stored reading knows
 * that of the source it was recorded under, a tool that of its own.
 */
static void
DescribeSource(const Tool *tool, Reading *reading)
{
	Source		source = {tool->group, tool->source_url, tool->licence};

	if (!reading->names_source && !tool->handler)
		return;
	if (reading->names_source)
		SourceFind(reading->source, &source);
	reading->group = source.group;
	reading->url = source.url;
	reading->licence = source.licence;
}

/* Makes the fact that a call's readings come to. */
static void
MakeFact(ToolCall *call, const CallTerms *terms)
{
	const Tool *tool = call->tool;
	FactSignals signals;
	int			sources;

	for (int i = 0; i < call->nreadings; i++)
	{
		Reading    *reading = &call->readings[i];

		ReadPaths(tool, reading, terms);
		reading->fresh = IsFresh(tool, reading, terms->evaluated_at);
		DescribeSource(tool, reading);
	}
	sources = CompareReadings(call->readings, call->nreadings, &signals);
	signals.is_signed = true;
	signals.source_present = call->readings[0].source.len > 0;
	signals.fresh = call->readings[0].fresh;
	call->fact = BuildFact(tool, call->args, &call->readings[0], &signals, sources,
						   terms, call->digest);
	call->ok = true;
}

static void
NothingCame(ToolCall *call)
{
	strlcpy(call->failure.sqlstate, "02000", sizeof(call->failure.sqlstate));
	call->failure.message = pstrdup(call->tool->handler ? "the tool returned nothing" :
									"there is no reading for these arguments");
}

/* Reads what is stored, for all calls that want it, in one query. */
static void
CallStored(ToolCall *calls, int count, const CallTerms *terms)
{
	ToolCall   *stored = palloc(sizeof(ToolCall) * count);
	ToolCall  **origin = palloc(sizeof(ToolCall *) * count);
	Contained	contained = {stored, 0, terms, CurrentMemoryContext};
	CallFailure failure;
	bool		came;

	for (int i = 0; i < count; i++)
	{
		if (calls[i].tool->handler)
			continue;
		origin[contained.count] = &calls[i];
		stored[contained.count++] = calls[i];
	}
	if (contained.count == 0)
		return;
	came = CallContained(ReadStored, &contained, terms->deadline, terms->deadline_ms,
						 &failure);
	for (int i = 0; i < contained.count; i++)
	{
		*origin[i] = stored[i];
		if (!came)
		{
			origin[i]->nreadings = 0;
			origin[i]->failure = failure;
		}
		else if (stored[i].nreadings == 0 && stored[i].failure.message == NULL)
			NothingCame(origin[i]);
	}
}

static void
CallOneHandler(ToolCall *call, const CallTerms *terms)
{
	Contained	contained = {call, 1, terms, CurrentMemoryContext};

	if (!CallContained(CallHandler, &contained, terms->deadline, terms->deadline_ms,
					   &call->failure))
		call->nreadings = 0;	/* what came too late does not count */
	else if (call->nreadings == 0)
		NothingCame(call);
}

/*
 * Calls tools and makes their facts.  A call that fails, overruns the deadline
 * or gives nothing is not ok, and says why.  The calls' results must be zero
 * on entry.  SPI must be connected.
 */
void
ToolsCall(ToolCall *calls, int count, CallTerms *terms)
{
	int			level;
	bool		handlers = false;

	if (count == 0)
		return;
	for (int i = 0; i < count; i++)
		handlers = handlers || calls[i].tool->handler;
	/* before the snapshots that the handlers get */
	terms->has_known_at = SnapshotInstant(terms->now, &terms->known_at);
	CallStored(calls, count, terms);
	level = handlers ? SettleSettings() : NewGUCNestLevel();
	for (int i = 0; i < count; i++)
	{
		if (calls[i].tool->handler)
			CallOneHandler(&calls[i], terms);
		if (calls[i].nreadings > 0)
			MakeFact(&calls[i], terms);
	}
	AtEOXact_GUC(false, level);
}

/* The digest of the stored reading that a call's fact tells; empty if it is none. */
Span
ToolCallReading(const ToolCall *call)
{
	Span		none = {"", 0};

	return call->nreadings > 0 ? call->readings[0].digest : none;
}

/*
 * facts supplied by a caller
 */

/* What a supplied fact says, as a reading; nothing in it is taken on trust. */
static void
SuppliedReading(const JsonView *fact, TimestampTz evaluated_at, Reading *reading)
{
	JsonView	view;
	JsonView	provenance;
	Source		source;

	memset(reading, 0, sizeof(*reading));
	JsonViewGet(fact, "value", 5, &reading->value);
	if (JsonViewGet(fact, "timestamp", 9, &view))
		reading->has_observed_at = InstantOfView(&view, &reading->observed_at);
	if (JsonViewGet(fact, "expires", 7, &view))
		reading->has_expires = InstantOfView(&view, &reading->expires);
	reading->fresh = reading->has_observed_at && reading->has_expires &&
		evaluated_at <= reading->expires;
	if (JsonViewGet(fact, "provenance", 10, &provenance))
		JsonViewGetString(&provenance, "source", &reading->source.str, &reading->source.len);
	SourceFind(reading->source, &source);
	reading->group = source.group;
}

/*
 * The fact with its verification replaced and any attestation left out.  Where
 * somebody grades the tool, its quality is replaced likewise; else it is what
 * the producer says of it.
 */
static JsonView
WithVerification(const Tool *tool, const JsonView *fact, JsonView verification,
				 const CallTerms *terms)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(fact, &count);
	JsonView	result = JsonViewNewObject(count + 2);
	JsonView	raw;
	Quality		quality;
	Span		omitted[] = {{"verification", 12}, {"attestation", 11}, {"quality", 7}};

	for (int i = 0; i < count; i++)
	{
		Span		key = {members[i].key, members[i].keylen};

		if (!SpanIn(key, omitted, tool->graded ? 3 : 2))
			JsonViewSetKey(&result, members[i].key, members[i].keylen, members[i].value);
	}
	JsonViewSet(&result, "verification", verification);
	JsonViewGet(fact, "raw", 3, &raw);
	if (tool->graded && FactQuality(tool, &raw, terms, &quality))
		JsonViewSet(&result, "quality", JsonViewCString(quality_labels[quality]));
	return result;
}

/*
 * Computes the verification of facts that a caller supplied, all for one tool
 * and one set of arguments.  They are never signed.  SPI must be connected.
 */
void
SuppliedFacts(const Tool *tool, JsonView *facts, int count, const CallTerms *terms)
{
	static const Span basis = {"producer-reported", 17};
	Reading    *readings = palloc(sizeof(Reading) * (Size) Max(count, 1));
	FactSignals signals;
	int			sources;

	memset(&signals, 0, sizeof(signals));
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		SuppliedReading(&facts[i], terms->evaluated_at, &readings[i]);
	}
	sources = CompareReadings(readings, count, &signals);
	for (int i = 0; i < count; i++)
	{
		signals.source_present = readings[i].source.len > 0;
		signals.fresh = readings[i].fresh;
		facts[i] = WithVerification(tool, &facts[i],
									VerificationView(&signals, basis, sources,
													 "producer-reported",
													 "supplied with the request; not attested"),
									terms);
	}
}

/*
 * SQL
 */

/* answer_tool_register(name, handler, ...) */
PG_FUNCTION_INFO_V1(answer_eval_tool_register);
Datum
answer_eval_tool_register(PG_FUNCTION_ARGS)
{
	TenantRegister(fcinfo, "answer_tool_put");
	PG_RETURN_VOID();
}

/*
 * Tells the operator that a tool is a tenant's, which does not run for anybody
 * else: not even for a superuser, who has not chosen that tenant.
 */
static void
RefuseTenantsTool(text *name)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.tool WHERE tool OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(name)};
	Oid			user;
	int			context;

	if (!IsOperatorForAll())
		return;
	values[1] = PointerGetDatum(AllTenants());
	AnswerAsOwner(&user, &context);
	QueryRun(&query, values, NULL, true, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("tool \"%s\" is a tenant's", text_to_cstring(name)),
				 errhint("Set answer_eval.tenant to that tenant.")));
}

/* answer_fact(tool, args, evaluated_at) */
PG_FUNCTION_INFO_V1(answer_eval_fact);
Datum
answer_eval_fact(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	text	   *name = PG_GETARG_TEXT_PP(0);
	Tool		tool;
	JsonView	args;
	ToolCall	call;
	SigningKey	key;
	CallTerms	terms = {.evaluated_at = PG_GETARG_TIMESTAMPTZ(2),
		.deadline_ms = REQUEST_DEFAULT_DEADLINE_MS, .key = &key};
	Span		argument;
	const char *problem;
	Jsonb	   *result = NULL;

	tool.name = Utf8OfText(name);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &args);
	if (args.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("args must be an object")));
	JsonViewOfJsonb(JsonViewToJsonb(&args, true), &args);
	SPI_connect();
	terms.tenant = CurrentTenant();
	ToolsFind(terms.tenant, &tool, 1);
	if (!tool.registered)
	{
		RefuseTenantsTool(name);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown tool \"%s\"", text_to_cstring(name)),
				 errhint("Tools are registered with answer_tool_register().")));
	}
	problem = ToolArgumentProblem(&tool, &args, &argument);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("tool \"%s\", argument \"%s\": %s", text_to_cstring(name),
						TextDatumGetCString(SpanDatum(argument)), problem)));
	SigningKeyBegin(&key, &terms.now);
	/* the default is an instant of this statement, which is as good as now */
	if (terms.evaluated_at >= GetCurrentStatementStartTimestamp() &&
		terms.evaluated_at <= terms.now)
		terms.evaluated_at = terms.now;
	terms.deadline = TimestampTzPlusMilliseconds(terms.now, terms.deadline_ms);
	memset(&call, 0, sizeof(call));
	call.tool = &tool;
	call.args = &args;
	CanonicalDigest(&args, NULL, call.args_digest);
	ToolsCall(&call, 1, &terms);
	if (call.ok)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		result = JsonViewToJsonb(&call.fact, false);
		MemoryContextSwitchTo(spi);
	}
	else if (strcmp(call.failure.sqlstate, "02000") != 0)
		ereport(ERROR,
				(errcode(MAKE_SQLSTATE(call.failure.sqlstate[0], call.failure.sqlstate[1],
									   call.failure.sqlstate[2], call.failure.sqlstate[3],
									   call.failure.sqlstate[4])),
				 errmsg("tool \"%s\" failed: %s", text_to_cstring(name),
						call.failure.message)));
	SPI_finish();
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result);
}

/*
 * answer_evidence_digest(tool, args, raw, source, observed_at, expires): the
 * address of a reading.  Its arguments are portable already.
 */
PG_FUNCTION_INFO_V1(answer_eval_evidence_digest);
Datum
answer_eval_evidence_digest(PG_FUNCTION_ARGS)
{
	text	   *tool;
	text	   *source;
	JsonView	args;
	JsonView	raw;
	TimestampTz expires = 0;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	for (int i = 0; i < 5; i++)
	{
		if (PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("only expires may be null")));
	}
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "tool");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "args");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "raw");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "source");
	tool = PG_GETARG_TEXT_PP(0);
	source = PG_GETARG_TEXT_PP(3);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &args);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &raw);
	if (!PG_ARGISNULL(5))
		expires = PG_GETARG_TIMESTAMPTZ(5);
	ReadingDigest(Utf8OfText(tool), &args, &raw, Utf8OfText(source), PG_GETARG_TIMESTAMPTZ(4),
				  PG_ARGISNULL(5) ? NULL : &expires, digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/* answer_path_problem(path): what is wrong with a dotted path, or NULL. */
PG_FUNCTION_INFO_V1(answer_eval_path_problem);
Datum
answer_eval_path_problem(PG_FUNCTION_ARGS)
{
	text	   *text_ = PG_GETARG_TEXT_PP(0);
	Path		path;
	const char *problem = PathParse(VARDATA_ANY(text_), VARSIZE_ANY_EXHDR(text_), &path);

	if (problem == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(problem));
}
