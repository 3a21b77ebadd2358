/*-------------------------------------------------------------------------
 *
 * investigation.c
 *		The SQL functions that grade, record and close investigations.
 *
 * The rules are pure and elsewhere: grade.c grades an observation, tool_output.c parses a tool's
 * output into one, subject.c decides whether it is about the subject, and quality_assess.c
 * assesses the entries.  quality_tables.c reads rules and entries, quality_receipt.c signs the
 * assessment.
 *
 * Rights: an observation is graded with the caller's rights, because its grader may be a user's
 * function.  The entry is written as the owner of our tables, so that a role that may record
 * cannot change what is recorded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/sequence.h"
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
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/closest.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/tenant.h"
#include "document/stored_row.h"
#include "evidence/grade.h"
#include "evidence/grader.h"
#include "keys/keyring.h"
#include "quality/investigation.h"
#include "quality/quality_tables.h"
#include "quality/subject.h"
#include "quality/tool_output.h"

/*
 * values
 */

/* Returns an observation in the form in which it is stored. */
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

/* A grade, with what a user's grader may add, in UTF-8. */
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

/* Grades with a grader that a user registered: a shared one, or the tenant's. SPI must be connected. */
static void
GradeRegistered(const text *tenant, Span tool, Jsonb *observation, FullGrade *full)
{
	static FixedQuery query = {
		.text = "SELECT class, grader, grader_owner, tenant, registered_by FROM answer.quality_tool"
		" WHERE tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2]) AND tool OPERATOR(pg_catalog.=) $1"
		" AND grader IS NOT NULL ORDER BY tenant USING OPERATOR(pg_catalog.<)",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {SpanDatum(tool), PointerGetDatum(tenant)};
	JsonView	view;
	Graded		graded;
	Grader		grader;
	QueryRows	rows = QueryRunAsOwner(&query, values, NULL, true, 1);

	if (rows.count == 0)
		UnknownTool(tool);
	full->class_name = Utf8OfText(DatumGetTextPCopy(ColumnDatum(rows.table, 0, 1)));
	grader.name = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 2);
	grader.owner = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 3);
	grader.owner = grader.owner ? grader.owner : "";
	grader.tenant = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 4));
	grader.registered_by = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 5);
	QueryFree(&rows);

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

/* Grades with a shipped grader; false if the tool has none. */
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
				 error.seen.type != JVIEW_ABSENT ?
				 errdetail("The value is %s.", ShownValue(&error.seen)) : 0,
				 error.choice ?
				 errhint("Use one of these, the closest ones first: %s.",
						 WordsClosestFirst(ServerText(error.word), error.choice)) : 0));
	if (status != GRADE_OK)
		return false;
	full->class_name = (Span) {full->grade.class_name, strlen(full->grade.class_name)};
	full->reason = (Span) {full->grade.reason, strlen(full->grade.reason)};
	return true;
}

/* What is cached between calls of answer.grade. */
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

/* Sets class, quality, strength and reason, the first columns of the result. */
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

/* Copies a span out of SPI's memory, which is freed by SPI_finish. */
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
	TenantRegister(fcinfo, "quality_grader_put", 0, NULL, NULL);
	PG_RETURN_VOID();
}

/* answer.grade(tool, observation) */
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

/* Parses a tool's output into an observation; raises an error if that is not possible. */
static JsonView
ReadOutput(Span tool, const ToolOutput *printed)
{
	JsonView	observation;

	if (!OutputObservation(tool, printed, &observation))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the output of tool \"%s\" cannot be read", ServerText(tool)),
				 errdetail("It can be of grep, find, git, cmake, ctest and gh."),
				 errhint("Make an observation of it, and give that to answer.grade().")));
	return observation;
}

/* answer.grade_text(tool, query, output, question) */
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

/*
 * Raises an error unless "user" has the rights of the role that opened an
 * investigation, or of the owner of our tables.  An investigation belongs to the
 * role that opened it, and its receipt shows what that role found.  Roles are
 * stored by name; if the role was dropped, only the owner remains.
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
 * Locks an investigation with the given query, so that nobody closes it, or records
 * into it, meanwhile.  Raises an error if it belongs to another role.  Returns
 * whether it is open; if not, sets its outcome.  Runs as the owner of our tables.
 */
bool
LockInvestigation(FixedQuery *query, const text *tenant, int64 investigation, Oid user, Datum *outcome)
{
	Datum		values[2] = {Int64GetDatum(investigation), PointerGetDatum(tenant)};
	bool		is_open;
	QueryRows	rows = QueryRun(query, values, NULL, false, 1);

	if (rows.count == 0)
		UnknownInvestigation(investigation);
	RefuseOthers(investigation, user,
				 SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 2));
	*outcome = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &is_open);
	QueryFree(&rows);
	return is_open;
}

/* Locks it for recording; several sessions may record. */
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

/* Raises an error unless an intent is registered. Runs as the owner of our tables. */
static void
RefuseUnknownIntent(Datum intent)
{
	static FixedQuery query = {
		.text = "SELECT EXISTS (SELECT FROM answer.quality_intent q WHERE q.intent OPERATOR(pg_catalog.=) $1),"
		" pg_catalog.string_agg(q.intent, ', ' ORDER BY q.intent COLLATE \"C\") FROM answer.quality_intent q",
		.argtypes = {TEXTOID}
	};
	QueryRows	rows;

	rows = QueryRun(&query, &intent, NULL, false, 1);	/* sees what this statement has registered */
	if (DatumGetBool(ColumnDatum(rows.table, 0, 1)))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("unknown intent \"%s\"", TextDatumGetCString(intent)),
			 errhint("Known are %s; more are registered with answer_quality_intent_register().",
					 SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 2))));
}

/* Returns the subject of a question, by the rules in force. Runs as the owner; SPI must be connected. */
static Span
SubjectInForce(Span question)
{
	QuestionForm form = QuestionFormInForce();

	return SubjectOfQuestion(ShippedDecisionRules(), &form, question).text;
}

/* answer.question_subject(question) */
PG_FUNCTION_INFO_V1(answer_eval_question_subject);
Datum
answer_eval_question_subject(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Datum		result = (Datum) 0;
	Span		question;
	Span		subject;

	LimitArgument(fcinfo, 0, ENTRY_MAX_SIZE, "question");
	question = TextArgument(fcinfo, 0);
	SPI_connect();
	AS_OWNER(subject = SubjectInForce(question));
	MemoryContextSwitchTo(caller);
	if (subject.len > 0)
		result = SpanDatum(subject);
	SPI_finish();
	if (result == (Datum) 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(result);
}

/*
 * Returns the number of a new investigation.  Tenants get random numbers that JSON
 * keeps exact, because consecutive ones would tell how many others open.
 */
static int64
NextNumber(const text *tenant)
{
	uint64		number;

	if (VARSIZE_ANY_EXHDR(tenant) == 0)
		return nextval_internal(AnswerTable("investigation_investigation_seq"), true);
	if (!pg_strong_random(&number, sizeof(number)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random number")));
	return (int64) (number >> 12) + 1;
}

/* A new investigation. */
typedef struct Opening
{
	Datum		tenant;
	int64		number;
	Datum		intent;
	Datum		question;
	bool		has_subject;
	Datum		subject;
	Datum		by;
} Opening;

/* Stores it. Runs as the owner of our tables; SPI must be connected. */
static void
StoreOpening(const Opening *opening)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.investigation (tenant, investigation, intent, question, subject, opened_at, opened_by, mac)"
		" OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		.argtypes = {TEXTOID, INT8OID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID, BYTEAOID}
	};
	SigningKey	key;
	TimestampTz opened_at;
	Datum		values[8];
	char		nulls[] = "        ";

	SigningKeyBeginForRow(&key, &opened_at);
	{
		const StoredColumn columns[] = {
			{"tenant", opening->tenant, false}, {"investigation", Int64GetDatum(opening->number), false},
			{"intent", opening->intent, false},
			{"question", opening->question, false}, {"subject", opening->subject, !opening->has_subject},
			{"opened_at", TimestampTzGetDatum(opened_at), false}, {"opened_by", opening->by, false}
		};

		for (size_t i = 0; i < lengthof(columns); i++)
			values[i] = columns[i].value;
		values[7] = StoredRowMac(&key, "investigation", columns, lengthof(columns));
	}
	if (!opening->has_subject)
		nulls[4] = 'n';
	(void) QueryRun(&insert, values, nulls, false, 0);
}

/* answer_investigation_open(intent, question, subject) */
PG_FUNCTION_INFO_V1(answer_eval_investigation_open);
Datum
answer_eval_investigation_open(PG_FUNCTION_ARGS)
{
	text	   *tenant = CurrentTenant();
	Opening		opening = {.tenant = PointerGetDatum(tenant)};
	Span		question;
	Span		subject = {"", 0};
	Oid			user;
	int			context;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("intent and question must not be null")));
	RequirePrimary("answer_investigation_open()");
	LimitArgument(fcinfo, 0, ENTRY_MAX_SIZE, "intent");
	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "question");
	/* bytes that an assessment cannot read would prevent reading any */
	question = TextArgument(fcinfo, 1);
	if (!PG_ARGISNULL(2))
		subject = SubjectSqueeze(SubjectArgument(fcinfo, 2));
	opening.intent = PG_GETARG_DATUM(0);
	opening.question = PG_GETARG_DATUM(1);
	opening.by = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	RefuseUnknownIntent(opening.intent);
	if (PG_ARGISNULL(2))
		subject = SubjectInForce(question);
	opening.has_subject = subject.len > 0;
	if (opening.has_subject)
		opening.subject = SpanDatum(subject);
	opening.number = NextNumber(tenant);
	StoreOpening(&opening);
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_INT64(opening.number);
}

/* Computes the address of an entry. */
void
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

/* An entry to be stored. */
typedef struct Recorded
{
	text	   *tenant;			/* tenant of the investigation */
	int64		investigation;
	EntryContent entry;
	Datum		sources;
	Jsonb	   *observation;
	FullGrade	full;
	char		digest[DIGEST_TEXT_LENGTH + 1];
} Recorded;

/* Returns the type of a column, in whatever schema the extension was created. */
static Oid
ColumnTypeOf(const char *name, const char *column)
{
	Oid			table = AnswerTable(name);

	return get_atttype(table, get_attnum(table, column));
}

/* Returns the code that proves that an entry was recorded, over its columns in the order of StoreEntry. */
static Datum
EntryMac(const SigningKey *key, const Datum *values)
{
	static const char *const names[] = {"investigation", "entry", "class", "tool", "query", "target", "run", "quality",
		"strength", "sources", "match_count", "exact_match_count", "phrase_match", "reason", "digest", "observation", "tenant",
	"recorded_at"};
	StoredColumn columns[lengthof(names)];

	for (size_t i = 0; i < lengthof(names); i++)
		columns[i] = (StoredColumn) {names[i], values[i], false};
	return StoredRowMac(key, "quality_entry", columns, lengthof(names));
}

/* Stores the entry as the owner; false if it was there already. */
static bool
StoreEntry(Recorded *recorded)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.quality_entry (investigation, entry, class, tool, query, target,"
		" run, quality, strength, sources, match_count, exact_match_count, phrase_match, reason,"
		" digest, observation, tenant, recorded_at, mac) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
		" $14, $15, $16, $17, $18, $19) ON CONFLICT DO NOTHING",
		.argtypes = {INT8OID, BYTEAOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, InvalidOid,
			InvalidOid, TEXTARRAYOID, INT8OID, INT8OID, BOOLOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID,
			TIMESTAMPTZOID, BYTEAOID}
	};
	static Vocabulary qualities;
	static Vocabulary strengths;
	const Grade *grade = &recorded->full.grade;
	JsonView	observation;
	uint8		address[SHA256_LENGTH];
	Datum		values[19];
	SigningKey	key;
	TimestampTz recorded_at;
	Oid			user;
	int			context;
	uint64		added;
	QueryRows	rows;

	VocabularyLookup(&qualities, ColumnTypeOf("quality_entry", "quality"), quality_labels);
	VocabularyLookup(&strengths, ColumnTypeOf("quality_entry", "strength"), strength_labels);
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
	values[11] = Int64GetDatum(grade->exact_match_count);
	values[12] = BoolGetDatum(grade->is_phrase);
	values[13] = SpanDatum(recorded->full.reason);
	values[14] = CStringGetTextDatum(recorded->digest);
	values[15] = JsonbPGetDatum(recorded->observation);
	values[16] = PointerGetDatum(recorded->tenant);

	AnswerAsOwner(&user, &context);
	LockToRecord(recorded->tenant, recorded->investigation, user);
	SigningKeyBeginForRow(&key, &recorded_at);
	values[17] = TimestampTzGetDatum(recorded_at);
	values[18] = EntryMac(&key, values);
	rows = QueryRun(&insert, values, NULL, false, 0);
	added = rows.count;
	AnswerAsCaller(user, context);
	return added > 0;
}

/* Returns the sources as they are stored; a receipt must be able to hold each. */
static Datum
SourcesArgument(FunctionCallInfo fcinfo, int n)
{
	int			count;

	if (PG_ARGISNULL(n))
		return PointerGetDatum(construct_empty_array(TEXTOID));
	(void) SpansOfArray(PG_GETARG_ARRAYTYPE_P(n), &count);
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

	RequirePrimary("answer_investigation_record()");
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

/* Returns the question of an investigation, read with the caller's rights; empty if there is none. */
static Span
QuestionOf(int64 investigation, MemoryContext context)
{
	static FixedQuery query = {
		.text = "SELECT question FROM answer.investigation WHERE tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND investigation OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTARRAYOID, INT8OID}
	};
	TenantReading reading;
	Datum		values[2];
	Span		question = {"", 0};
	QueryRows	rows;

	SPI_connect();
	TenantReadBegin(&reading);
	values[0] = reading.tenants;
	values[1] = Int64GetDatum(investigation);
	rows = QueryRun(&query, values, NULL, true, 1);
	TenantReadEnd(&reading);
	if (rows.count > 0)
	{
		question = ColumnSpan(rows.table, 0, 1);
		KeepSpan(&question, context);
	}
	SPI_finish();
	return question;
}

/*
 * answer_investigation_record_output(investigation, tool, query, target, output,
 * sources, run): the same with the tool's output instead of the observation.
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
 * closing
 */

/* Is the investigation complete in this snapshot? */
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
 * Does the same when nobody can record any more.  A transaction with an old
 * snapshot does not see what was recorded since, and closing is final.  So it may
 * close only if that makes no difference.
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

/* Stores and returns the outcome. */
static Datum
StoreOutcome(Datum tenant, int64 investigation, bool is_complete)
{
	static FixedQuery update = {
		.text = "UPDATE answer.investigation SET closed_at = $3, outcome = $4, closed_mac = $5"
		" WHERE investigation OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {INT8OID, TEXTOID, TIMESTAMPTZOID, InvalidOid, BYTEAOID}
	};
	static Vocabulary outcomes;
	SigningKey	key;
	TimestampTz closed_at;
	Datum		values[5] = {Int64GetDatum(investigation), tenant};
	QueryRows	rows;

	VocabularyLookup(&outcomes, ColumnTypeOf("investigation", "outcome"), investigation_outcome_labels);
	QuerySetArgtype(&update, 3, outcomes.type);
	SigningKeyBeginForRow(&key, &closed_at);
	values[2] = TimestampTzGetDatum(closed_at);
	values[3] = ObjectIdGetDatum(outcomes.oids[is_complete ? 0 : 1]);
	{
		const StoredColumn columns[] = {
			{"tenant", tenant, false}, {"investigation", values[0], false},
			{"closed_at", values[2], false}, {"outcome", values[3], false}
		};

		values[4] = StoredRowMac(&key, "investigation", columns, lengthof(columns));
	}
	rows = QueryRun(&update, values, NULL, false, 0);
	if (rows.count != 1)
		elog(ERROR, "investigation " INT64_FORMAT " was not closed", investigation);
	return values[3];
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
	RequirePrimary("answer_investigation_close()");
	investigation = PG_GETARG_INT64(0);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	if (LockInvestigation(&lock, tenant, investigation, user, &outcome))
		outcome = StoreOutcome(PointerGetDatum(tenant), investigation, IsCompleteForGood(tenant, investigation));
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_DATUM(outcome);	/* an enum's, by value */
}
