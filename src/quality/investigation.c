/*-------------------------------------------------------------------------
 *
 * investigation.c
 *		Evidence quality as SQL sees it: grading, recording, receipts.
 *
 * The rules are elsewhere and pure: grade.c says what an observation is worth,
 * tool_output.c what a tool's output observes, assess.c what an investigation's
 * entries come to.  Here are the calls that need a table or a key.
 *
 * Rights: an observation is graded with the caller's rights, for its grader
 * may be a user's function; the entry is written as the owner of our tables,
 * so that whoever may record cannot change what is recorded.  What is read for
 * a receipt is read as the caller.
 *
 * A receipt (quality/v1) holds the rules, the entries with their observations,
 * and what they come to.  It is signed like any document of DF-VERIFY/1, and
 * whoever holds it can assess it again: answer_verify and answer_replay do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/mint.h"
#include "document/signed.h"
#include "evidence/call.h"
#include "evidence/grade.h"
#include "quality/assess.h"
#include "quality/tool_output.h"

#define QUALITY_SCHEMA			"quality/v1"
#define QUALITY_ID_PREFIX		"qua_"
#define QUALITY_RULE			"quality/1"
#define REPLAY_MAX_DIFFERENCES	100

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the observations are true.";

/*
 * values
 */

static JsonView
SpanView(Span span)
{
	return JsonViewString(span.str, span.len);
}

static char *
ServerText(Span utf8)
{
	return TextDatumGetCString(SpanDatum(utf8));
}

/* Words as a sentence names them. */
static char *
ChoiceText(const char *const *words)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; words[i]; i++)
	{
		if (i > 0)
			appendStringInfoString(&text, words[i + 1] ? ", " : " or ");
		appendStringInfoString(&text, words[i]);
	}
	return text.data;
}

/* An observation in the form in which it is kept. */
static Jsonb *
PortableObservation(Jsonb *observation)
{
	JsonView	view;

	JsonViewOfJsonb(observation, &view);
	if (JsonViewIsDeeper(&view, RAW_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("observation is nested more than %d levels deep", RAW_MAX_DEPTH)));
	return JsonViewToJsonb(&view, true);
}

/*
 * grading
 */

/* A grade with what a user's grader may say, all of it UTF-8. */
typedef struct FullGrade
{
	Span		class_name;
	Span		reason;
	Grade		grade;
} FullGrade;

static _Noreturn void
UnknownTool(Span tool)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("no grader for tool \"%s\"", ServerText(tool)),
			 errhint("Tools that grade are registered with answer_quality_grader_register().")));
}

/* Has the grader that a user registered judge: a shared one, or the tenant's.  SPI must be connected. */
static void
GradeRegistered(const text *tenant, Span tool, Jsonb *observation, FullGrade *full)
{
	static FixedQuery query = {
		.text = "SELECT class, grader, grader_owner, tenant, registered_by FROM answer.quality_tool"
		" WHERE tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2]) AND tool OPERATOR(pg_catalog.=) $1"
		" AND grader IS NOT NULL ORDER BY tenant USING OPERATOR(pg_catalog.<)",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {SpanDatum(tool), PointerGetDatum(tenant)};
	JsonView	view;
	Graded		graded;
	Grader		grader;
	bool		isnull;
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	QueryRun(&query, values, NULL, true, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0)
		UnknownTool(tool);
	full->class_name = Utf8OfText(DatumGetTextPCopy(SPI_getbinval(SPI_tuptable->vals[0],
																  SPI_tuptable->tupdesc, 1, &isnull)));
	grader.name = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2);
	grader.owner = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 3);
	grader.owner = grader.owner ? grader.owner : "";
	grader.tenant = DatumGetTextPCopy(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 4, &isnull));
	grader.registered_by = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 5);
	SPI_freetuptable(SPI_tuptable);

	GraderCall(&grader, observation, &graded);
	if (graded.class_name.len > 0 &&
		(graded.class_name.len != full->class_name.len ||
		 memcmp(graded.class_name.str, full->class_name.str, graded.class_name.len) != 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("grader %s returned class \"%s\"", grader.name, ServerText(graded.class_name)),
				 errdetail("Tool \"%s\" is of class \"%s\".", ServerText(tool),
						   ServerText(full->class_name))));
	memset(&full->grade, 0, sizeof(full->grade));
	JsonViewOfJsonb(observation, &view);
	GradeMatches(&view, &full->grade);
	full->grade.quality = graded.quality;
	full->grade.strength = graded.strength;
	full->reason = graded.reason;
	if (full->reason.len > FAILURE_MAX_SIZE)
		full->reason.len = pg_encoding_mbcliplen(PG_UTF8, full->reason.str, full->reason.len,
												 FAILURE_MAX_SIZE);
}

/* Grades by a shipped grader; false if the tool has none. */
static bool
GradeShipped(Span tool, const JsonView *observation, FullGrade *full)
{
	GradeError	error;
	GradeStatus status = GradeObservation(tool, observation, &full->grade, &error);

	if (status == GRADE_MALFORMED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("observation of \"%s\": %s %s", ServerText(tool),
						ServerText(error.field), error.problem),
				 error.choice ? errdetail("It can be %s.", ChoiceText(error.choice)) : 0));
	if (status != GRADE_OK)
		return false;
	full->class_name = (Span) {full->grade.class_name, strlen(full->grade.class_name)};
	full->reason = (Span) {full->grade.reason, strlen(full->grade.reason)};
	return true;
}

/* What a call site of answer_grade keeps. */
typedef struct GradeCache
{
	TupleDesc	tupdesc;
	Vocabulary	qualities;
	Vocabulary	strengths;
} GradeCache;

static GradeCache *
GradeCacheOf(FunctionCallInfo fcinfo)
{
	GradeCache *cache = fcinfo->flinfo->fn_extra;
	MemoryContext caller;

	if (cache)
		return cache;
	caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	cache = palloc0(sizeof(GradeCache));
	cache->tupdesc = ResultRowType(fcinfo);
	VocabularyLookup(&cache->qualities, TupleDescAttr(cache->tupdesc, 1)->atttypid, quality_labels);
	VocabularyLookup(&cache->strengths, TupleDescAttr(cache->tupdesc, 2)->atttypid, strength_labels);
	MemoryContextSwitchTo(caller);
	fcinfo->flinfo->fn_extra = cache;
	return cache;
}

/* Class, quality, strength and reason, the first columns of what is returned. */
static void
GradeColumns(const GradeCache *cache, const FullGrade *full, Datum *values)
{
	values[0] = SpanDatum(full->class_name);
	values[1] = ObjectIdGetDatum(cache->qualities.oids[full->grade.quality]);
	values[2] = ObjectIdGetDatum(cache->strengths.oids[full->grade.strength]);
	values[3] = SpanDatum(full->reason);
}

static Span
ToolArgument(FunctionCallInfo fcinfo, int n)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("tool is missing")));
	return Utf8OfText(PG_GETARG_TEXT_PP(n));
}

/* Moves spans out of SPI's memory, which goes with SPI_finish. */
static void
KeepSpan(Span *span, MemoryContext context)
{
	MemoryContext spi = MemoryContextSwitchTo(context);

	span->str = pnstrdup(span->str, span->len);
	MemoryContextSwitchTo(spi);
}

/* answer_quality_grader_register(tool, class, grader, family, description) */
PG_FUNCTION_INFO_V1(answer_eval_quality_grader_register);
Datum
answer_eval_quality_grader_register(PG_FUNCTION_ARGS)
{
	TenantRegister(fcinfo, "answer_quality_grader_put");
	PG_RETURN_VOID();
}

/* answer_grade(tool, observation) */
PG_FUNCTION_INFO_V1(answer_eval_grade);
Datum
answer_eval_grade(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	GradeCache *cache = GradeCacheOf(fcinfo);
	Span		tool = ToolArgument(fcinfo, 0);
	Jsonb	   *observation;
	JsonView	view;
	FullGrade	full;
	Datum		values[4];
	bool		nulls[4] = {false};

	RequireArgument(fcinfo, 1, "observation");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "observation");
	observation = PG_GETARG_JSONB_P(1);
	JsonViewOfJsonb(observation, &view);
	if (!GradeShipped(tool, &view, &full))
	{
		SPI_connect();
		GradeRegistered(CurrentTenant(), tool, observation, &full);
		KeepSpan(&full.class_name, caller);
		KeepSpan(&full.reason, caller);
		SPI_finish();
	}
	GradeColumns(cache, &full, values);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(cache->tupdesc, values, nulls)));
}

/* The observation that a tool's output is read as; raises if it cannot be. */
static JsonView
ReadOutput(Span tool, const ToolOutput *printed)
{
	JsonView	observation;

	if (!OutputObservation(tool, printed, &observation))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the output of tool \"%s\" cannot be read", ServerText(tool)),
				 errdetail("It can be of grep, find, git, cmake, ctest and gh."),
				 errhint("Make an observation of it, and give that to answer_grade().")));
	return observation;
}

/* answer_grade_text(tool, query, output, question) */
PG_FUNCTION_INFO_V1(answer_eval_grade_text);
Datum
answer_eval_grade_text(PG_FUNCTION_ARGS)
{
	Span		tool = ToolArgument(fcinfo, 0);
	ToolOutput	printed;
	JsonView	observation;
	JsonView	result = JsonViewNewObject(5);
	FullGrade	full;

	RequireArgument(fcinfo, 2, "output");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "query");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "output");
	LimitArgument(fcinfo, 3, ARGUMENT_MAX_SIZE, "question");
	printed.query = TextArgument(fcinfo, 1);
	printed.output = TextArgument(fcinfo, 2);
	printed.question = TextArgument(fcinfo, 3);
	observation = ReadOutput(tool, &printed);
	if (!GradeShipped(tool, &observation, &full))
		UnknownTool(tool);
	JsonViewSet(&result, "observation", observation);
	JsonViewSet(&result, "class", SpanView(full.class_name));
	JsonViewSet(&result, "quality", JsonViewCString(quality_labels[full.grade.quality]));
	JsonViewSet(&result, "strength", JsonViewCString(strength_labels[full.grade.strength]));
	JsonViewSet(&result, "reason", SpanView(full.reason));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, true));
}

/*
 * recording
 */

static _Noreturn void
UnknownInvestigation(int64 investigation)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown investigation " INT64_FORMAT, investigation),
			 errhint("Investigations are opened with answer_investigation_open().")));
}

/*
 * An investigation belongs to the role that opened it, and its receipt tells
 * what that role found.  So "user" must have that role's rights, or those of
 * the owner of our tables, whose rights are the ones in force.  Roles are
 * stored by name: of one that was dropped only the owner is left.
 */
static void
RefuseOthers(int64 investigation, Oid user, const char *opened_by)
{
	Oid			role = get_role_oid(opened_by, true);

	if (has_privs_of_role(user, GetUserId()) ||
		(OidIsValid(role) && has_privs_of_role(user, role)))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("investigation " INT64_FORMAT " belongs to another role", investigation),
			 errhint("Become the role that opened it, or a member of it; answer.investigation tells which that is.")));
}

/*
 * Locks an investigation as the query says, so that it is not closed, or not
 * recorded into, meanwhile, unless it is somebody else's.  Is it open?  If
 * not, its outcome is told.  Runs as the owner of our tables.
 */
static bool
LockInvestigation(FixedQuery *query, const text *tenant, int64 investigation, Oid user, Datum *outcome)
{
	Datum		values[2] = {Int64GetDatum(investigation), PointerGetDatum(tenant)};
	bool		is_open;

	QueryRun(query, values, NULL, false, 1);
	if (SPI_processed == 0)
		UnknownInvestigation(investigation);
	RefuseOthers(investigation, user,
				 SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2));
	*outcome = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &is_open);
	SPI_freetuptable(SPI_tuptable);
	return is_open;
}

#define INVESTIGATION_QUERY(locking) \
	{ \
		.text = "SELECT outcome, opened_by FROM answer.investigation" \
		" WHERE investigation OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $2" locking, \
		.nargs = 2, \
		.argtypes = {INT8OID, TEXTOID} \
	}

/* For whoever records: several may. */
static void
LockToRecord(const text *tenant, int64 investigation, Oid user)
{
	static FixedQuery query = INVESTIGATION_QUERY(" FOR KEY SHARE");
	Datum		outcome;

	if (!LockInvestigation(&query, tenant, investigation, user, &outcome))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("investigation " INT64_FORMAT " is closed", investigation),
				 errhint("Open another one for what is found out later.")));
}

/* Raises unless an intent is registered.  Runs as the owner of our tables. */
static void
RefuseUnknownIntent(Datum intent)
{
	static FixedQuery query = {
		.text = "SELECT EXISTS (SELECT FROM answer.quality_intent q WHERE q.intent OPERATOR(pg_catalog.=) $1),"
		" pg_catalog.string_agg(q.intent, ', ' ORDER BY q.intent COLLATE \"C\") FROM answer.quality_intent q",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	bool		isnull;

	QueryRun(&query, &intent, NULL, false, 1);	/* sees what this statement registered */
	if (DatumGetBool(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull)))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown intent \"%s\"", TextDatumGetCString(intent)),
			 errhint("Known are %s; more are registered with answer_quality_intent_register().",
					 SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2))));
}

/* answer_investigation_open(intent, question) */
PG_FUNCTION_INFO_V1(answer_eval_investigation_open);
Datum
answer_eval_investigation_open(PG_FUNCTION_ARGS)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.investigation (intent, question, opened_by) VALUES ($1, $2, $3)"
		" RETURNING investigation",
		.nargs = 3,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};

	/*
	 * A tenant's have random numbers, of those that JSON keeps exact: how many
	 * others open is not to be told by counting.
	 */
	static FixedQuery insert_own = {
		.text = "INSERT INTO answer.investigation (intent, question, opened_by, tenant, investigation)"
		" OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5) RETURNING investigation",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT8OID}
	};
	text	   *tenant = CurrentTenant();
	bool		own = VARSIZE_ANY_EXHDR(tenant) > 0;
	uint64		number = 0;
	Datum		values[5];
	Datum		opened;
	bool		isnull;
	Oid			user;
	int			context;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("intent and question must not be null")));
	PreventCommandIfReadOnly("answer_investigation_open()");
	PreventCommandDuringRecovery("answer_investigation_open()");
	LimitArgument(fcinfo, 0, ENTRY_MAX_SIZE, "intent");
	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "question");
	/* bytes that no assessment could read would keep everybody from reading any */
	(void) TextArgument(fcinfo, 1);
	values[0] = PG_GETARG_DATUM(0);
	values[1] = PG_GETARG_DATUM(1);
	values[2] = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	values[3] = PointerGetDatum(tenant);
	if (own && !pg_strong_random(&number, sizeof(number)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random number")));
	values[4] = Int64GetDatum((int64) (number >> 12) + 1);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	RefuseUnknownIntent(values[0]);
	QueryRun(own ? &insert_own : &insert, values, NULL, false, 0);
	AnswerAsCaller(user, context);
	opened = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	SPI_finish();
	PG_RETURN_DATUM(opened);
}

/* What an entry is, all of it UTF-8 and portable: what was observed, about what. */
typedef struct EntryContent
{
	Span		tool;
	Span		query;
	Span		target;
	Span		run;
} EntryContent;

/* The address of an entry. */
static void
EntryAddress(const EntryContent *entry, const JsonView *observation, uint8 *address)
{
	JsonView	content = JsonViewNewObject(5);

	JsonViewSet(&content, "tool", SpanView(entry->tool));
	JsonViewSet(&content, "query", SpanView(entry->query));
	JsonViewSet(&content, "target", SpanView(entry->target));
	JsonViewSet(&content, "run", SpanView(entry->run));
	JsonViewSet(&content, "observation", *observation);
	CanonicalSha256(&content, NULL, address);
}

/* What is recorded. */
typedef struct Recorded
{
	text	   *tenant;			/* whose it is */
	int64		investigation;
	EntryContent entry;
	Datum		sources;
	Jsonb	   *observation;
	FullGrade	full;
	char		digest[DIGEST_TEXT_LENGTH + 1];
} Recorded;

/* The types of the entries' columns, wherever the extension was created. */
static Oid
EntryColumnType(const char *column)
{
	Oid			table = AnswerTable("quality_entry");

	return get_atttype(table, get_attnum(table, column));
}

/* Writes the entry as the owner; false if it was there. */
static bool
StoreEntry(Recorded *recorded)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.quality_entry (investigation, entry, class, tool, query, target,"
		" run, quality, strength, sources, match_count, exact_match_count, phrase_match, reason,"
		" digest, observation, tenant) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
		" $14, $15, $16, $17) ON CONFLICT DO NOTHING",
		.nargs = 17,
		.argtypes = {INT8OID, BYTEAOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, InvalidOid,
			InvalidOid, TEXTARRAYOID, INT8OID, INT8OID, BOOLOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID}
	};
	static Vocabulary qualities;
	static Vocabulary strengths;
	const Grade *grade = &recorded->full.grade;
	JsonView	observation;
	uint8		address[SHA256_LENGTH];
	Datum		values[17];
	Oid			user;
	int			context;
	uint64		added;

	VocabularyLookup(&qualities, EntryColumnType("quality"), quality_labels);
	VocabularyLookup(&strengths, EntryColumnType("strength"), strength_labels);
	QuerySetArgtype(&insert, 7, qualities.type);
	QuerySetArgtype(&insert, 8, strengths.type);
	JsonViewOfJsonb(recorded->observation, &observation);
	CanonicalDigest(&observation, NULL, recorded->digest);

	values[0] = Int64GetDatum(recorded->investigation);
	EntryAddress(&recorded->entry, &observation, address);
	values[1] = PointerGetDatum(cstring_to_text_with_len((const char *) address, SHA256_LENGTH));
	values[2] = SpanDatum(recorded->full.class_name);
	values[3] = SpanDatum(recorded->entry.tool);
	values[4] = SpanDatum(recorded->entry.query);
	values[5] = SpanDatum(recorded->entry.target);
	values[6] = SpanDatum(recorded->entry.run);
	values[7] = ObjectIdGetDatum(qualities.oids[grade->quality]);
	values[8] = ObjectIdGetDatum(strengths.oids[grade->strength]);
	values[9] = recorded->sources;
	values[10] = Int64GetDatum(grade->match_count);
	values[11] = Int64GetDatum(grade->is_exact ? grade->match_count : 0);
	values[12] = BoolGetDatum(grade->is_phrase);
	values[13] = SpanDatum(recorded->full.reason);
	values[14] = CStringGetTextDatum(recorded->digest);
	values[15] = JsonbPGetDatum(recorded->observation);
	values[16] = PointerGetDatum(recorded->tenant);

	AnswerAsOwner(&user, &context);
	LockToRecord(recorded->tenant, recorded->investigation, user);
	QueryRun(&insert, values, NULL, false, 0);
	added = SPI_processed;
	AnswerAsCaller(user, context);
	return added > 0;
}

/* The sources, as they are stored; each must be a text that a receipt can hold. */
static Datum
SourcesArgument(FunctionCallInfo fcinfo, int n)
{
	Datum	   *sources;
	bool	   *nulls;
	int			count;

	if (PG_ARGISNULL(n))
		return PointerGetDatum(construct_empty_array(TEXTOID));
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(n), TEXTOID, -1, false, TYPALIGN_INT,
					  &sources, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			(void) Utf8OfText(DatumGetTextPP(sources[i]));
	}
	return PG_GETARG_DATUM(n);
}

/* answer_investigation_record(investigation, tool, query, target, observation, sources, run) */
PG_FUNCTION_INFO_V1(answer_eval_investigation_record);
Datum
answer_eval_investigation_record(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"tool", "query", "target", "observation", "sources", "run"};
	MemoryContext caller = CurrentMemoryContext;
	GradeCache *cache = GradeCacheOf(fcinfo);
	Recorded	recorded;
	JsonView	view;
	Datum		values[6];
	bool		nulls[6] = {false};
	bool		is_new;

	PreventCommandIfReadOnly("answer_investigation_record()");
	PreventCommandDuringRecovery("answer_investigation_record()");
	RequireArgument(fcinfo, 0, "investigation");
	RequireArgument(fcinfo, 4, "observation");
	for (size_t i = 0; i < lengthof(names); i++)
		LimitArgument(fcinfo, i + 1, ENTRY_MAX_SIZE, names[i]);
	memset(&recorded, 0, sizeof(recorded));
	recorded.tenant = CurrentTenant();
	recorded.investigation = PG_GETARG_INT64(0);
	recorded.entry.tool = ToolArgument(fcinfo, 1);
	recorded.entry.query = TextArgument(fcinfo, 2);
	recorded.entry.target = TextArgument(fcinfo, 3);
	recorded.entry.run = TextArgument(fcinfo, 6);
	recorded.sources = SourcesArgument(fcinfo, 5);
	recorded.observation = PortableObservation(PG_GETARG_JSONB_P(4));
	JsonViewOfJsonb(recorded.observation, &view);

	SPI_connect();
	if (!GradeShipped(recorded.entry.tool, &view, &recorded.full))
		GradeRegistered(recorded.tenant, recorded.entry.tool, recorded.observation, &recorded.full);
	is_new = StoreEntry(&recorded);
	KeepSpan(&recorded.full.class_name, caller);
	KeepSpan(&recorded.full.reason, caller);
	SPI_finish();

	GradeColumns(cache, &recorded.full, values);
	values[4] = CStringGetTextDatum(recorded.digest);
	values[5] = BoolGetDatum(is_new);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(cache->tupdesc, values, nulls)));
}

/* The question of an investigation, read with the rights of whoever may; empty if there is none. */
static Span
QuestionOf(int64 investigation, MemoryContext context)
{
	static FixedQuery query = {
		.text = "SELECT question FROM answer.investigation WHERE tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND investigation OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTARRAYOID, INT8OID}
	};
	TenantReading reading;
	Datum		values[2];
	Span		question = {"", 0};

	SPI_connect();
	TenantReadBegin(&reading);
	values[0] = reading.tenants;
	values[1] = Int64GetDatum(investigation);
	QueryRun(&query, values, NULL, true, 1);
	TenantReadEnd(&reading);
	if (SPI_processed > 0)
	{
		question = ColumnSpan(SPI_tuptable, 0, 1);
		KeepSpan(&question, context);
	}
	SPI_finish();
	return question;
}

/*
 * answer_investigation_record_output(investigation, tool, query, target, output, sources, run):
 * the same with what the tool printed in the place of the observation.
 */
PG_FUNCTION_INFO_V1(answer_eval_investigation_record_output);
Datum
answer_eval_investigation_record_output(PG_FUNCTION_ARGS)
{
	Span		tool = ToolArgument(fcinfo, 1);
	ToolOutput	printed;
	JsonView	observation;

	RequireArgument(fcinfo, 4, "output");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "query");
	LimitArgument(fcinfo, 4, ARGUMENT_MAX_SIZE, "output");
	printed.query = TextArgument(fcinfo, 2);
	printed.output = TextArgument(fcinfo, 4);
	printed.question = PG_ARGISNULL(0) ? (Span) {"", 0} : QuestionOf(PG_GETARG_INT64(0), CurrentMemoryContext);
	observation = ReadOutput(tool, &printed);
	fcinfo->args[4].value = JsonbPGetDatum(JsonViewToJsonb(&observation, true));
	return answer_eval_investigation_record(fcinfo);
}

/*
 * assessing
 */

/*
 * Which rules a snapshot sees.  A call site may live longer than a query: that
 * of an expression in PL/pgSQL lives as long as the transaction, which can
 * change the rules meanwhile, take a change back, or see another one's.
 */
typedef struct RulesMoment
{
	TransactionId xmin;
	TransactionId xmax;
	uint32		running;
	int32		running_sub;	/* on a standby, all that run */
	CommandId	command;
	SubTransactionId subtransaction;
} RulesMoment;

/* What a call site of answer_assessment_of keeps. */
typedef struct AssessCache
{
	AssessmentRows *rows;
	QualityRules *rules;
	MemoryContext context;		/* of the rules */
	text	   *tenant;			/* whose tools are among them */
	RulesMoment moment;			/* as of which they are */
} AssessCache;

/* What a row of answer.quality_rule is. */
enum
{
	RULE_CLASS = 1, RULE_TOOL, RULE_AUTHORITY, RULE_COMPATIBILITY, RULE_INTENT, RULE_REQUIREMENT,
	RULE_LISTS = RULE_REQUIREMENT
};

/* Such a row, as UTF-8; an absent text has no address. */
typedef struct RuleRow
{
	int			kind;
	int			place;
	Span		name;
	Span		a;
	Span		b;
	Span		c;
	const char *quality;
	const char *with_quality;
	bool		same_target;
	bool		same_tool;
	Jsonb	   *observation;	/* or NULL */
} RuleRow;

static Span
TextOrNone(Datum datum, bool isnull)
{
	return isnull ? (Span) {NULL, 0} : Utf8OfText(DatumGetTextPP(datum));
}

static const char *
QualityOrNone(const Vocabulary *qualities, Datum datum, bool isnull)
{
	return isnull ? NULL : quality_labels[VocabularyIndex(qualities, DatumGetObjectId(datum))];
}

static RuleRow
RuleOfTuple(HeapTuple tuple, TupleDesc desc, const Vocabulary *qualities)
{
	Datum		values[11];
	bool		nulls[11];

	heap_deform_tuple(tuple, desc, values, nulls);
	return (RuleRow) {
		.kind = DatumGetInt32(values[0]),
		.place = DatumGetInt32(values[1]),
		.name = TextOrNone(values[2], nulls[2]),
		.a = TextOrNone(values[3], nulls[3]),
		.b = TextOrNone(values[4], nulls[4]),
		.c = TextOrNone(values[5], nulls[5]),
		.quality = QualityOrNone(qualities, values[6], nulls[6]),
		.with_quality = QualityOrNone(qualities, values[7], nulls[7]),
		.same_target = !nulls[8] && DatumGetBool(values[8]),
		.same_tool = !nulls[9] && DatumGetBool(values[9]),
		.observation = nulls[10] ? NULL : DatumGetJsonbP(values[10])
	};
}

/* The order of answer.quality_rules; a requirement comes after its intent. */
static int
CompareRules(const void *left, const void *right)
{
	const RuleRow *l = left;
	const RuleRow *r = right;
	int			l_list = Min(l->kind, RULE_INTENT);
	int			r_list = Min(r->kind, RULE_INTENT);
	int			cmp;

	if (l_list != r_list)
		return l_list > r_list ? 1 : -1;
	if (l->place != r->place)
		return l->place > r->place ? 1 : -1;
	if ((cmp = SpanOrder(l->name, r->name)) != 0)
		return cmp;
	if (l->kind != r->kind)
		return l->kind > r->kind ? 1 : -1;
	if (l->observation && r->observation)
		return compareJsonbContainers(&l->observation->root, &r->observation->root);
	if ((cmp = SpanOrder(l->a, r->a)) != 0)
		return cmp;
	return (int) l->same_tool - (int) r->same_tool;
}

static void
SetSpan(JsonView *object, const char *key, Span text)
{
	if (text.str)
		JsonViewSet(object, key, SpanView(text));
}

static JsonView
RuleView(const RuleRow *row)
{
	JsonView	rule = JsonViewNewObject(6);
	JsonView	observation;

	switch (row->kind)
	{
		case RULE_CLASS:
			SetSpan(&rule, "class", row->name);
			SetSpan(&rule, "tool", row->a);
			SetSpan(&rule, "identifier_tool", row->b);
			SetSpan(&rule, "verify_tool", row->c);
			break;
		case RULE_TOOL:
			SetSpan(&rule, "tool", row->name);
			SetSpan(&rule, "class", row->a);
			SetSpan(&rule, "family", row->b);
			break;
		case RULE_AUTHORITY:
			SetSpan(&rule, "tool", row->name);
			SetSpan(&rule, "class", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			JsonViewOfJsonb(row->observation, &observation);
			JsonViewSet(&rule, "observation", observation);
			break;
		case RULE_COMPATIBILITY:
			SetSpan(&rule, "class", row->name);
			SetSpan(&rule, "with", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			JsonViewSet(&rule, "with_quality", JsonViewCString(row->with_quality));
			JsonViewSet(&rule, "same_target", JsonViewBool(row->same_target));
			JsonViewSet(&rule, "same_tool", JsonViewBool(row->same_tool));
			break;
		case RULE_INTENT:
			SetSpan(&rule, "intent", row->name);
			break;
		default:
			SetSpan(&rule, "class", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			break;
	}
	return rule;
}

/* An intent with the requirements that follow it. */
static JsonView
IntentView(const RuleRow *rows, uint64 count)
{
	JsonView	intent = RuleView(rows);
	JsonView	requires = JsonViewNewArray(4);

	for (uint64 i = 1; i < count && rows[i].kind == RULE_REQUIREMENT; i++)
	{
		/* one of no intent is of no use */
		if (SpanEqual(rows[i].name, rows->name))
			JsonViewAppend(&requires, RuleView(&rows[i]));
	}
	JsonViewSet(&intent, "requires", requires);
	return intent;
}

/*
 * The rules, as answer.quality_rules has them: but read as rows, for making
 * jsonb of them takes the server several times as long.  In SPI's memory.
 */
static JsonView
RulesDocument(const text *tenant)
{
#define RULE_COLUMNS "kind, place, name, a, b, c, quality, with_quality, same_target, same_tool, observation"
	static FixedQuery shared = {
		.text = "SELECT " RULE_COLUMNS " FROM answer.quality_rule",
		.nargs = 0
	};
	static FixedQuery shared_and_own = {
		.text = "SELECT " RULE_COLUMNS " FROM answer.quality_rule UNION ALL"
		" SELECT 2, 0, t.tool, t.class, t.family, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_tool t"
		" WHERE t.tenant OPERATOR(pg_catalog.=) $1 AND NOT EXISTS (SELECT FROM answer.quality_tool s"
		"  WHERE s.tenant OPERATOR(pg_catalog.=) '' AND s.tool OPERATOR(pg_catalog.=) t.tool)",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	static const char *const keys[] = {NULL, "classes", "tools", "authorities", "compatibilities", "intents"};
	Vocabulary	qualities = {0};
	JsonView	document = JsonViewNewObject(RULE_LISTS);
	JsonView	lists[RULE_LISTS];
	RuleRow    *rows;
	uint64		count;

	QueryRun(VARSIZE_ANY_EXHDR(tenant) > 0 ? &shared_and_own : &shared, &value, NULL, true, 0);
	count = SPI_processed;
	rows = palloc_extended(sizeof(RuleRow) * Max(count, 1), MCXT_ALLOC_HUGE);
	VocabularyLookup(&qualities, SPI_gettypeid(SPI_tuptable->tupdesc, 7), quality_labels);
	for (uint64 i = 0; i < count; i++)
		rows[i] = RuleOfTuple(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, &qualities);
	qsort(rows, count, sizeof(RuleRow), CompareRules);

	for (int i = RULE_CLASS; i < RULE_LISTS; i++)
		lists[i] = JsonViewNewArray(16);
	for (uint64 i = 0; i < count; i++)
	{
		if (rows[i].kind == RULE_INTENT)
			JsonViewAppend(&lists[RULE_INTENT], IntentView(&rows[i], count - i));
		else if (rows[i].kind < RULE_INTENT)
			JsonViewAppend(&lists[rows[i].kind], RuleView(&rows[i]));
	}
	for (int i = RULE_CLASS; i < RULE_LISTS; i++)
		JsonViewSet(&document, keys[i], lists[i]);
	return document;
}

static RulesMoment
MomentOfRules(void)
{
	Snapshot	snapshot = GetActiveSnapshot();

	return (RulesMoment) {
		.xmin = snapshot->xmin,
		.xmax = snapshot->xmax,
		.running = snapshot->xcnt,
		.running_sub = snapshot->subxcnt,
		.command = snapshot->curcid,
		.subtransaction = GetCurrentSubTransactionId()
	};
}

static bool
SameMoment(const RulesMoment *a, const RulesMoment *b)
{
	return a->xmin == b->xmin && a->xmax == b->xmax && a->running == b->running &&
		a->running_sub == b->running_sub && a->command == b->command && a->subtransaction == b->subtransaction;
}

/* Reads the rules again. */
static void
ReadCachedRules(AssessCache *cache, const text *tenant, const RulesMoment *moment)
{
	JsonView	rules = RulesDocument(tenant);
	MemoryContext spi;

	cache->rules = NULL;
	MemoryContextReset(cache->context);
	spi = MemoryContextSwitchTo(cache->context);
	cache->rules = RulesOfView(&rules);
	cache->moment = *moment;
	cache->tenant = DatumGetTextPCopy(PointerGetDatum(tenant));
	MemoryContextSwitchTo(spi);
	SPI_freetuptable(SPI_tuptable);
}

static bool
SameTenant(const text *a, const text *b)
{
	return VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
}

/* The rules are read once a query, for one tenant.  SPI must be connected. */
static AssessCache *
AssessCacheOf(FunctionCallInfo fcinfo, const text *tenant)
{
	AssessCache *cache = fcinfo->flinfo->fn_extra;
	RulesMoment moment = MomentOfRules();

	if (cache == NULL)
	{
		MemoryContext context = fcinfo->flinfo->fn_mcxt;

		cache = MemoryContextAllocZero(context, sizeof(AssessCache));
		cache->context = AllocSetContextCreate(context, "answer_eval rules", ALLOCSET_SMALL_SIZES);
		cache->rows = AssessmentRowsInit(fcinfo);
		fcinfo->flinfo->fn_extra = cache;
	}
	if (cache->rules == NULL || !SameMoment(&cache->moment, &moment) || !SameTenant(cache->tenant, tenant))
		ReadCachedRules(cache, tenant, &moment);
	return cache;
}

/* Columns of the queries for entries. */
enum
{
	COL_CLASS, COL_TOOL, COL_QUERY, COL_TARGET, COL_REASON, COL_QUALITY, COL_STRENGTH,
	COL_OBSERVATION, COL_ENTRY, NUM_ENTRY_COLS,
	COL_INTENT = NUM_ENTRY_COLS, COL_QUESTION, NUM_COLS
};

#define ENTRY_COLUMNS \
	"e.class, e.tool, e.query, e.target, e.reason, e.quality, e.strength, e.observation, e.entry"

/* The entry in a row of such a query. */
static AssessInput
EntryOfRow(const Datum *values, const Vocabulary *qualities, const Vocabulary *strengths)
{
	AssessInput input;
	bytea	   *address = DatumGetByteaPP(values[COL_ENTRY]);

	input.address = (Span) {VARDATA_ANY(address), VARSIZE_ANY_EXHDR(address)};
	input.class_name = Utf8OfText(DatumGetTextPP(values[COL_CLASS]));
	input.tool = Utf8OfText(DatumGetTextPP(values[COL_TOOL]));
	input.query = Utf8OfText(DatumGetTextPP(values[COL_QUERY]));
	input.target = Utf8OfText(DatumGetTextPP(values[COL_TARGET]));
	input.reason = Utf8OfText(DatumGetTextPP(values[COL_REASON]));
	input.quality = VocabularyIndex(qualities, DatumGetObjectId(values[COL_QUALITY]));
	input.strength = VocabularyIndex(strengths, DatumGetObjectId(values[COL_STRENGTH]));
	JsonViewOfJsonb(DatumGetJsonbP(values[COL_OBSERVATION]), &input.observation);
	return input;
}

/* Adds what such a query has read; a row without a class holds no entry. */
static void
AddRows(AssessState *state)
{
	TupleDesc	desc = SPI_tuptable->tupdesc;
	Vocabulary	qualities = {0};
	Vocabulary	strengths = {0};
	Datum		values[NUM_COLS];
	bool		nulls[NUM_COLS];

	Assert(desc->natts <= NUM_COLS);
	if (SPI_processed == 0)
		return;
	VocabularyLookup(&qualities, TupleDescAttr(desc, COL_QUALITY)->atttypid, quality_labels);
	VocabularyLookup(&strengths, TupleDescAttr(desc, COL_STRENGTH)->atttypid, strength_labels);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		AssessInput input;

		CHECK_FOR_INTERRUPTS();
		heap_deform_tuple(SPI_tuptable->vals[i], desc, values, nulls);
		if (nulls[COL_CLASS])
			continue;
		input = EntryOfRow(values, &qualities, &strengths);
		AssessAdd(state, &input);
	}
}

static AssessState *
BeginAssessment(const QualityRules *rules, Span intent, Span question)
{
	AssessState *state = AssessBegin(rules, intent, question);

	if (state == NULL)
		UnknownIntent(ServerText(intent));
	return state;
}

/* The investigation's goal and its entries, assessed. */
static void
AssessInvestigation(const QualityRules *rules, const text *tenant, Datum investigation, Assessment *assessment)
{
	static FixedQuery query = {
		.text = "SELECT " ENTRY_COLUMNS ", i.intent, i.question FROM answer.investigation i"
		" LEFT JOIN answer.quality_entry e ON e.investigation OPERATOR(pg_catalog.=) i.investigation"
		" AND e.tenant OPERATOR(pg_catalog.=) i.tenant"
		" WHERE i.investigation OPERATOR(pg_catalog.=) $1 AND i.tenant OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {INT8OID, TEXTOID}
	};
	Datum		values[2] = {investigation, PointerGetDatum(tenant)};
	TupleDesc	desc;
	AssessState *state;
	bool		isnull;
	Datum		intent;
	Datum		question;

	QueryRun(&query, values, NULL, true, 0);
	if (SPI_processed == 0)
		UnknownInvestigation(DatumGetInt64(investigation));
	desc = SPI_tuptable->tupdesc;
	intent = SPI_getbinval(SPI_tuptable->vals[0], desc, COL_INTENT + 1, &isnull);
	question = SPI_getbinval(SPI_tuptable->vals[0], desc, COL_QUESTION + 1, &isnull);
	state = BeginAssessment(rules, Utf8OfText(DatumGetTextPP(intent)),
							Utf8OfText(DatumGetTextPP(question)));
	AddRows(state);
	AssessFinish(state, assessment);
}

/* The entries alone, for whoever knows the goal. */
static void
AssessEntries(const QualityRules *rules, const text *tenant, Datum investigation, Span intent, Span question,
			  Assessment *assessment)
{
	static FixedQuery query = {
		.text = "SELECT " ENTRY_COLUMNS " FROM answer.quality_entry e"
		" WHERE e.investigation OPERATOR(pg_catalog.=) $1 AND e.tenant OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {INT8OID, TEXTOID}
	};
	Datum		values[2] = {investigation, PointerGetDatum(tenant)};
	AssessState *state = BeginAssessment(rules, intent, question);

	QueryRun(&query, values, NULL, true, 0);
	AddRows(state);
	AssessFinish(state, assessment);
}

/*
 * Whose investigation of that number it is that may be read.  While there are no
 * tenants nothing is looked up.  SPI must be connected.
 */
static text *
TenantOfInvestigation(const TenantReading *reading, Datum investigation)
{
	static FixedQuery query = {
		.text = "SELECT tenant FROM answer.investigation WHERE tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND investigation OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTARRAYOID, INT8OID}
	};
	Datum		values[2] = {reading->tenants, investigation};
	text	   *tenant;
	bool		isnull;

	if (!TenantsExist())
		return cstring_to_text("");
	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed == 0)
		UnknownInvestigation(DatumGetInt64(investigation));
	tenant = DatumGetTextPCopy(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
	return tenant;
}

/* answer_assessment_of(investigation) */
PG_FUNCTION_INFO_V1(answer_eval_assessment_of);
Datum
answer_eval_assessment_of(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	AssessCache *cache;
	TenantReading reading;
	text	   *tenant;
	Assessment	assessment;
	Datum		result;

	RequireArgument(fcinfo, 0, "investigation");
	SPI_connect();
	TenantReadBegin(&reading);
	tenant = TenantOfInvestigation(&reading, PG_GETARG_DATUM(0));
	cache = AssessCacheOf(fcinfo, tenant);
	AssessInvestigation(cache->rules, tenant, PG_GETARG_DATUM(0), &assessment);
	TenantReadEnd(&reading);
	MemoryContextSwitchTo(caller);
	result = AssessmentRow(cache->rows, &assessment, true);
	SPI_finish();
	PG_RETURN_DATUM(result);
}

/*
 * answer_assessment_of(investigation, intent, question): the same without its
 * classes, for a query that has many investigations at hand.
 */
PG_FUNCTION_INFO_V1(answer_eval_assessment_of_goal);
Datum
answer_eval_assessment_of_goal(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	AssessCache *cache;
	TenantReading reading;
	text	   *tenant;
	Assessment	assessment;
	Datum		result;

	RequireArgument(fcinfo, 0, "investigation");
	RequireArgument(fcinfo, 1, "intent");
	SPI_connect();
	TenantReadBegin(&reading);
	tenant = TenantOfInvestigation(&reading, PG_GETARG_DATUM(0));
	cache = AssessCacheOf(fcinfo, tenant);
	AssessEntries(cache->rules, tenant, PG_GETARG_DATUM(0), TextArgument(fcinfo, 1),
				  TextArgument(fcinfo, 2), &assessment);
	TenantReadEnd(&reading);
	MemoryContextSwitchTo(caller);
	result = AssessmentRow(cache->rows, &assessment, false);
	SPI_finish();
	PG_RETURN_DATUM(result);
}

/*
 * closing
 */

/* Is the investigation complete, as this snapshot has it? */
static bool
IsComplete(const text *tenant, int64 investigation, Snapshot snapshot)
{
	Assessment	assessment;
	JsonView	rules;

	PushActiveSnapshot(snapshot);
	rules = RulesDocument(tenant);
	AssessInvestigation(RulesOfView(&rules), tenant, Int64GetDatum(investigation), &assessment);
	PopActiveSnapshot();
	return assessment.is_complete;
}

/*
 * The same, now that nobody can record any more.  A transaction with a
 * snapshot of its own does not see what was recorded since, and what it
 * closes stays closed: it may do so only if that makes no difference.
 */
static bool
IsCompleteForGood(const text *tenant, int64 investigation)
{
	bool		is_complete;

	CommandCounterIncrement();
	is_complete = IsComplete(tenant, investigation, GetTransactionSnapshot());
	if (IsolationUsesXactSnapshot() &&
		IsComplete(tenant, investigation, GetLatestSnapshot()) != is_complete)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access due to concurrent recording"),
				 errdetail("What this transaction does not see decides whether investigation "
						   INT64_FORMAT " is complete.", investigation),
				 errhint("The transaction might succeed if retried.")));
	return is_complete;
}

/* Writes the outcome, which is returned. */
static Datum
StoreOutcome(const text *tenant, int64 investigation, bool is_complete)
{
#define CLOSE_SQL(outcome) \
	"UPDATE answer.investigation SET closed_at = pg_catalog.clock_timestamp(), outcome = " outcome \
	" WHERE investigation OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $2 RETURNING outcome"
	static FixedQuery success = {.text = CLOSE_SQL("'success'"), .nargs = 2, .argtypes = {INT8OID, TEXTOID}};
	static FixedQuery failure = {.text = CLOSE_SQL("'InsufficientEvidence'"), .nargs = 2, .argtypes = {INT8OID, TEXTOID}};
	Datum		values[2] = {Int64GetDatum(investigation), PointerGetDatum(tenant)};
	Datum		outcome;
	bool		isnull;

	QueryRun(is_complete ? &success : &failure, values, NULL, false, 0);
	if (SPI_processed != 1)
		elog(ERROR, "investigation " INT64_FORMAT " was not closed", investigation);
	outcome = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	SPI_freetuptable(SPI_tuptable);
	return outcome;
}

/* answer_investigation_close(investigation) */
PG_FUNCTION_INFO_V1(answer_eval_investigation_close);
Datum
answer_eval_investigation_close(PG_FUNCTION_ARGS)
{
	static FixedQuery lock = INVESTIGATION_QUERY(" FOR UPDATE");
	text	   *tenant = CurrentTenant();
	int64		investigation;
	Datum		outcome;
	Oid			user;
	int			context;

	RequireArgument(fcinfo, 0, "investigation");
	PreventCommandIfReadOnly("answer_investigation_close()");
	PreventCommandDuringRecovery("answer_investigation_close()");
	investigation = PG_GETARG_INT64(0);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	if (LockInvestigation(&lock, tenant, investigation, user, &outcome))
		outcome = StoreOutcome(tenant, investigation, IsCompleteForGood(tenant, investigation));
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_DATUM(outcome);	/* an enum's, by value */
}

/*
 * receipts
 */

/* Runs a query about the investigation of a tenant. */
static void
ReadAbout(FixedQuery *query, const text *tenant, int64 investigation)
{
	Datum		values[2] = {Int64GetDatum(investigation), PointerGetDatum(tenant)};

	QueryRun(query, values, NULL, true, 0);
}

/* A column that a query has as jsonb already, made portable. */
static JsonView
ColumnView(uint64 row, int column)
{
	JsonView	view;
	bool		isnull;
	Datum		datum = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, &isnull);

	if (isnull)
		elog(ERROR, "an investigation has a column that is null");
	JsonViewOfJsonb(DatumGetJsonbP(datum), &view);
	JsonViewOfJsonb(JsonViewToJsonb(&view, true), &view);
	return view;
}

/* An instant as receipts write them, in a query. */
#define INSTANT_SQL(column) \
	"pg_catalog.to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"

/* The rules, as they are now. */
static JsonView
ReadRules(const text *tenant)
{
	JsonView	rules = RulesDocument(tenant);
	JsonView	view;

	JsonViewOfJsonb(JsonViewToJsonb(&rules, true), &view);
	return view;
}

/* The investigation itself. */
static JsonView
ReadInvestigation(const text *tenant, int64 investigation)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object("
		"'id', i.investigation, 'intent', i.intent, 'question', i.question,"
		" 'opened_at', " INSTANT_SQL("i.opened_at") ", 'closed_at', " INSTANT_SQL("i.closed_at") ","
		" 'closed_as', i.outcome)) FROM answer.investigation i"
		" WHERE i.investigation OPERATOR(pg_catalog.=) $1 AND i.tenant OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {INT8OID, TEXTOID}
	};

	ReadAbout(&query, tenant, investigation);
	if (SPI_processed == 0)
		UnknownInvestigation(investigation);
	return ColumnView(0, 1);
}

/* Its entries, in an order that follows from what they are. */
static JsonView
ReadEntries(const text *tenant, int64 investigation)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.jsonb_build_object('class', e.class, 'tool', e.tool, 'query', e.query,"
		" 'target', e.target, 'run', e.run, 'quality', e.quality, 'strength', e.strength,"
		" 'sources', e.sources, 'match_count', e.match_count, 'exact_match_count', e.exact_match_count,"
		" 'phrase_match', e.phrase_match, 'reason', e.reason, 'recorded_at', " INSTANT_SQL("e.recorded_at") ","
		" 'digest', e.digest, 'observation', e.observation) FROM answer.quality_entry e"
		" WHERE e.investigation OPERATOR(pg_catalog.=) $1 AND e.tenant OPERATOR(pg_catalog.=) $2"
		" ORDER BY e.entry",
		.nargs = 2,
		.argtypes = {INT8OID, TEXTOID}
	};
	JsonView	entries;

	ReadAbout(&query, tenant, investigation);
	entries = JsonViewNewArray(SPI_processed);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&entries, ColumnView(i, 1));
	}
	return entries;
}

/* A word of a vocabulary under a key, or -1. */
static int
WordOf(const JsonView *object, const char *key, VocabularyLabels labels)
{
	Span		word;

	if (!JsonViewGetString(object, key, &word.str, &word.len))
		return -1;
	return VocabularyByLabel(labels, word.str, word.len);
}

static Span
MemberSpan(const JsonView *object, const char *key)
{
	Span		span = {"", 0};

	(void) JsonViewGetString(object, key, &span.str, &span.len);
	return span;
}

/* Reads an entry of a receipt; NULL, or what is wrong with it. */
static const char *
EntryOfView(const JsonView *view, AssessInput *input)
{
	int			quality = WordOf(view, "quality", quality_labels);
	int			strength = WordOf(view, "strength", strength_labels);
	uint8	   *address;

	memset(input, 0, sizeof(*input));
	if (view->type != JVIEW_OBJECT)
		return "an entry is no object";
	if (quality < 0 || strength < 0)
		return "an entry has no quality or no strength";
	if (quality == QUALITY_VERIFIED)
		return "an entry says it is Verified";
	input->class_name = MemberSpan(view, "class");
	input->tool = MemberSpan(view, "tool");
	input->query = MemberSpan(view, "query");
	input->target = MemberSpan(view, "target");
	input->reason = MemberSpan(view, "reason");
	input->quality = (Quality) quality;
	input->strength = (Strength) strength;
	if (!JsonViewGet(view, "observation", 11, &input->observation))
		return "an entry has no observation";
	address = palloc(SHA256_LENGTH);
	EntryAddress(&(EntryContent) {input->tool, input->query, input->target, MemberSpan(view, "run")},
				 &input->observation, address);
	input->address = (Span) {(const char *) address, SHA256_LENGTH};
	return NULL;
}

/*
 * Assesses a document's entries by its rules, and sets what they come to in
 * "result".  Returns NULL, or why that cannot be done.
 */
static const char *
AssessDocument(const JsonView *document, JsonView *result)
{
	JsonView	rules_view;
	JsonView	investigation;
	JsonView	entries;
	QualityRules *rules;
	AssessState *state;
	Assessment	assessment;
	const char *problem;

	if (!JsonViewGet(document, "rules", 5, &rules_view) ||
		!JsonViewGet(document, "investigation", 13, &investigation) ||
		!JsonViewGet(document, "entries", 7, &entries) || entries.type != JVIEW_ARRAY)
		return "rules, investigation or entries are missing";
	rules = RulesParse(&rules_view, &problem);
	if (rules == NULL)
		return psprintf("the rules are malformed: %s", problem);
	state = AssessBegin(rules, MemberSpan(&investigation, "intent"), MemberSpan(&investigation, "question"));
	if (state == NULL)
		return "the rules do not know the intent";
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry;
		AssessInput input;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&entries, i, &entry);
		problem = EntryOfView(&entry, &input);
		if (problem)
			return problem;
		AssessAdd(state, &input);
	}
	AssessFinish(state, &assessment);
	AssessmentSet(result, &assessment);
	return NULL;
}

static JsonView
ReproduceView(const JsonView *rules_document)
{
	JsonView	reproduce = JsonViewNewObject(1);
	JsonView	evaluator = JsonViewNewObject(3);
	JsonView	rules = JsonViewNewArray(1);
	JsonView	digests = JsonViewNewObject(1);
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	JsonViewAppend(&rules, JsonViewCString(QUALITY_RULE));
	CanonicalDigest(rules_document, NULL, digest);
	JsonViewSet(&digests, "quality_rules", JsonViewCString(digest));
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", rules);
	JsonViewSet(&evaluator, "digests", digests);
	JsonViewSet(&reproduce, "evaluator", evaluator);
	return reproduce;
}

/* answer_quality_receipt(investigation) */
PG_FUNCTION_INFO_V1(answer_eval_quality_receipt);
Datum
answer_eval_quality_receipt(PG_FUNCTION_ARGS)
{
	static FixedQuery look = INVESTIGATION_QUERY("");
	MemoryContext caller = CurrentMemoryContext;
	Minting		minting = {.kind = &quality_kind};
	JsonView   *body = &minting.body;
	JsonView	rules;
	Datum		outcome;
	text	   *tenant = CurrentTenant();
	TenantReading reading;
	Oid			user;
	int			context;
	SigningKey	key;
	int64		investigation;
	const char *problem;
	Jsonb	   *stored;
	Jsonb	   *result;

	RequireArgument(fcinfo, 0, "investigation");
	PreventCommandIfReadOnly("answer_quality_receipt()");
	PreventCommandDuringRecovery("answer_quality_receipt()");
	investigation = PG_GETARG_INT64(0);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	(void) LockInvestigation(&look, tenant, investigation, user, &outcome);
	AnswerAsCaller(user, context);
	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	minting.begun_at = minting.issued_at;
	minting.tenant = tenant;
	minting.body = DocumentBegin(&quality_kind, tenant, minting.issued_at);
	/* one snapshot for all, which sees what this statement has recorded or closed */
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	TenantReadBegin(&reading);
	JsonViewSet(body, "investigation", ReadInvestigation(tenant, investigation));
	rules = ReadRules(tenant);
	JsonViewSet(body, "rules", rules);
	JsonViewSet(body, "entries", ReadEntries(tenant, investigation));
	TenantReadEnd(&reading);
	PopActiveSnapshot();
	JsonViewSet(body, "reproduce", ReproduceView(&rules));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
	problem = AssessDocument(body, body);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("investigation " INT64_FORMAT " cannot be assessed: %s", investigation, problem)));
	stored = DocumentMint(&minting);
	result = MemoryContextAllocHuge(caller, VARSIZE(stored));
	memcpy(result, stored, VARSIZE(stored));
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}

/*
 * replay
 */

static void
Differ(JsonView *differences, const char *field, int entry, const char *reason)
{
	JsonView	difference;

	if (JsonViewCount(differences) >= REPLAY_MAX_DIFFERENCES)
		return;
	difference = JsonViewNewObject(3);
	JsonViewSet(&difference, "field", JsonViewCString(field));
	if (entry >= 0)
		JsonViewSet(&difference, "entry", JsonViewInteger(entry));
	JsonViewSet(&difference, "reason", JsonViewCString(reason));
	JsonViewAppend(differences, difference);
}

static bool
SameText(const JsonView *a, const JsonView *b)
{
	StringInfoData left;
	StringInfoData right;

	initStringInfo(&left);
	initStringInfo(&right);
	CanonicalWrite(&left, a, NULL);
	CanonicalWritePortable(&right, b);
	return left.len == right.len && memcmp(left.data, right.data, left.len) == 0;
}

/* Does an entry say of its matches what its observation says? */
static bool
SaysMatches(const JsonView *entry, const Grade *grade)
{
	JsonView	count = JsonViewInteger(grade->match_count);
	JsonView	exact = JsonViewInteger(grade->is_exact ? grade->match_count : 0);
	JsonView	phrase = JsonViewBool(grade->is_phrase);
	JsonView	stated;

	return JsonViewGet(entry, "match_count", 11, &stated) && SameText(&stated, &count) &&
		JsonViewGet(entry, "exact_match_count", 17, &stated) && SameText(&stated, &exact) &&
		JsonViewGet(entry, "phrase_match", 12, &stated) && SameText(&stated, &phrase);
}

/* Grades the entries of shipped tools again, and digests all. */
static void
ReplayEntries(const JsonView *document, JsonView *differences)
{
	JsonView	entries;

	if (!JsonViewGet(document, "entries", 7, &entries) || entries.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry;
		JsonView	observation;
		JsonView	stated;
		Grade		grade;
		GradeError	error;
		GradeStatus status;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&entries, i, &entry);
		if (!JsonViewGet(&entry, "observation", 11, &observation))
			continue;
		CanonicalDigest(&observation, NULL, digest);
		JsonViewGet(&entry, "digest", 6, &stated);
		if (!JsonViewStringIs(&stated, digest))
			Differ(differences, "digest", i, "is not that of the observation");
		status = GradeObservation(MemberSpan(&entry, "tool"), &observation, &grade, &error);
		if (status == GRADE_MALFORMED)
			Differ(differences, "observation", i, "is none of that tool");
		if (status != GRADE_OK)
			continue;
		JsonViewGet(&entry, "class", 5, &stated);
		if (!JsonViewStringIs(&stated, grade.class_name))
			Differ(differences, "class", i, "is not that of the tool");
		if (WordOf(&entry, "quality", quality_labels) != (int) grade.quality)
			Differ(differences, "quality", i, psprintf("its grader says %s", quality_labels[grade.quality]));
		if (WordOf(&entry, "strength", strength_labels) != (int) grade.strength)
			Differ(differences, "strength", i, psprintf("its grader says %s", strength_labels[grade.strength]));
		if (!SaysMatches(&entry, &grade))
			Differ(differences, "match_count", i, "is not what the observation says of its matches");
	}
}

/*
 * Assesses a document again.  Returns NULL, or what is wrong with it, with what
 * came out differently.
 */
static const char *
ReplayAssessment(const JsonView *document, JsonView *differences)
{
	static const char *const fields[] = {"outcome", "complete", "confidence", "classes", "gap"};
	JsonView	again = JsonViewNewObject(5);
	const char *problem = AssessDocument(document, &again);

	if (problem)
		return problem;
	ReplayEntries(document, differences);
	for (size_t i = 0; i < lengthof(fields); i++)
	{
		JsonView	stated;
		JsonView	recomputed;

		JsonViewGet(&again, fields[i], strlen(fields[i]), &recomputed);
		if (!JsonViewGet(document, fields[i], strlen(fields[i]), &stated) ||
			!SameText(&stated, &recomputed))
			Differ(differences, fields[i], -1, "recomputing gives something else");
	}
	return JsonViewCount(differences) > 0 ? "recomputing gives something else" : NULL;
}

/* The report of a replay, and the step of verification, which is the same. */
static JsonView
ReplayQuality(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	report = ReportStep(ReplayAssessment(document, &differences));

	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

/* Is every entry an observation under the digest that names it? */
static const char *
QualityClosureProblem(const JsonView *document)
{
	JsonView	entries;

	if (!JsonViewGet(document, "entries", 7, &entries) || entries.type != JVIEW_ARRAY)
		return "entries is no array";
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry;
		JsonView	observation;
		JsonView	stated;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&entries, i, &entry);
		if (!JsonViewGet(&entry, "observation", 11, &observation))
			return "an entry has no observation";
		CanonicalDigest(&observation, NULL, digest);
		JsonViewGet(&entry, "digest", 6, &stated);
		if (!JsonViewStringIs(&stated, digest))
			return "an observation does not hash to its digest";
	}
	return NULL;
}

static bool
ReadQualityColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	investigation;

	JsonViewGet(body, "investigation", 13, &investigation);
	(void) JsonViewGetString(&investigation, "intent", &columns->intent.str, &columns->intent.len);
	return JsonViewGetString(body, "outcome", &columns->verdict.str, &columns->verdict.len);
}

static const char *const quality_members[] = {"investigation", "rules", "entries", "outcome", NULL};

const DocumentKind quality_kind = {
	.schema = QUALITY_SCHEMA,
	.prefix = QUALITY_ID_PREFIX,
	.members = quality_members,
	.closure_problem = QualityClosureProblem,
	.verify_replay = ReplayQuality,
	.replay = ReplayQuality,
	.read_columns = ReadQualityColumns
};
