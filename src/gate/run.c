/*-------------------------------------------------------------------------
 *
 * run.c
 *		Running a suite: from its cases to a signed run.
 *
 * Rule: the contract of suites.  A run has a suite in one version, a whole
 * configuration, and the engine that judges; the same three give the same content
 * digest.  Before it starts, what is stored of the suite must be what its digest
 * says.  One case is tried at a time (trial.c), scored (score.c), and kept as a row;
 * the rows become the document (receipt.c), and nothing that a table holds does.
 *
 * Promises: the tenant is that of the role in force where the call comes in; a
 * suite of another tenant is not there.  A row in answer.run is written by this
 * room alone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/mint.h"
#include "gate/case.h"
#include "gate/metrics.h"
#include "gate/receipt.h"
#include "gate/score.h"
#include "gate/trial.h"
#include "ground/current.h"
#include "ground/detector.h"
#include "ground/environment.h"
#include "ground/receipt.h"

/* A run on its way. */
typedef struct SuiteRun
{
	text	   *tenant;			/* who runs */
	text	   *owner;			/* whose suite it is: the tenant, or the operator's seed */
	text	   *suite;
	int			version;
	int			cases;
	char		suite_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	documents;		/* digests, in the order of doc_id */
	JsonView	now;			/* the clock, as text */
	TrialTerms	terms;
	RunContent	content;
	char		(*digests)[DIGEST_TEXT_LENGTH + 1]; /* of the cases */
	bool		asks_routes;	/* is any case a question? */
	MemoryContext context;		/* for what lasts as long as the run */
	MemoryContext each;			/* for one case */
	Datum	   *took;			/* microseconds, a case */
	TimestampTz started_at;
} SuiteRun;

/* Is this room writing at this moment? */
static bool is_writing = false;

/*
 * guards
 */

/* answer.run_guard(): refuses rows that are not this room's */
PG_FUNCTION_INFO_V1(answer_eval_run_guard);
Datum
answer_eval_run_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.run_guard() must be called as a trigger")));
	if (!is_writing)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("table %s is written by running a suite alone",
						quote_qualified_identifier(SPI_getnspname(trigger->tg_relation),
												   SPI_getrelname(trigger->tg_relation))),
				 errhint("answer_suite_run() runs one.")));
	return PointerGetDatum(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : trigger->tg_trigtuple);
}

/* Calls a function of the schema answer that writes what the guards keep. */
static Datum
WriteCall(const char *name, int nargs, const Oid *types, const NullableDatum *args)
{
	Datum		result = (Datum) 0;

	is_writing = true;
	PG_TRY();
	{
		result = AnswerCall(AnswerSchema(), name, nargs, types, args);
	}
	PG_FINALLY();
	{
		is_writing = false;
	}
	PG_END_TRY();
	return result;
}

/*
 * the suite
 */

static void
FindSuite(SuiteRun *run, FunctionCallInfo fcinfo)
{
	static FixedQuery query = {
		.text = "SELECT s.tenant, s.version, s.digest, s.now, s.cases, s.document_set, s.documents FROM answer.suite s"
		" WHERE s.name OPERATOR(pg_catalog.=) $1 AND (s.tenant OPERATOR(pg_catalog.=) $2"
		" OR (s.tenant OPERATOR(pg_catalog.=) '' AND s.seed)) AND ($3 IS NULL OR s.version OPERATOR(pg_catalog.=) $3)"
		" ORDER BY s.tenant OPERATOR(pg_catalog.=) $2 DESC, s.version DESC",
		.nargs = 3,
		.argtypes = {TEXTOID, TEXTOID, INT4OID}
	};
	char		nulls[] = "   ";
	Datum		values[3];
	bool		isnull;

	values[0] = PointerGetDatum(run->suite);
	values[1] = PointerGetDatum(run->tenant);
	values[2] = PG_ARGISNULL(2) ? (Datum) 0 : PG_GETARG_DATUM(2);
	nulls[2] = PG_ARGISNULL(2) ? 'n' : ' ';
	QueryRunAsOwner(&query, values, nulls, true, 1);
	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 PG_ARGISNULL(2) ? errmsg("there is no suite \"%s\"", text_to_cstring(run->suite)) :
				 errmsg("there is no suite \"%s\" of version %d", text_to_cstring(run->suite), PG_GETARG_INT32(2)),
				 errhint("answer_suite_load() loads one.")));
	run->owner = DatumGetTextPCopy(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	run->version = ColumnInt(SPI_tuptable, 0, 2);
	strlcpy(run->suite_digest, ColumnSpan(SPI_tuptable, 0, 3).str, sizeof(run->suite_digest));
	(void) ColumnInstant(SPI_tuptable, 0, 4, &run->terms.now);
	run->cases = ColumnInt(SPI_tuptable, 0, 5);
	run->terms.documents = DatumGetTextPCopy(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 6, &isnull));
	JsonViewOfJsonb(ColumnJsonb(SPI_tuptable, 0, 7), &run->documents);
	SPI_freetuptable(SPI_tuptable);
}

static _Noreturn void
RefuseTampered(const SuiteRun *run, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("suite \"%s\" of version %d is not what was loaded", text_to_cstring(run->suite), run->version),
			 errdetail("%s", what),
			 errhint("Load it again with answer_suite_load(): that makes a new version.")));
}

/* A case as it is stored, in the current context, and its digest. */
static void
ReadCase(const SuiteRun *run, int ordinal, JsonView *test_case, char *digest)
{
	static FixedQuery query = {
		.text = "SELECT c.body FROM answer.suite_case c WHERE c.tenant OPERATOR(pg_catalog.=) $1"
		" AND c.suite OPERATOR(pg_catalog.=) $2 AND c.version OPERATOR(pg_catalog.=) $3 AND c.ordinal OPERATOR(pg_catalog.=) $4",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTOID, INT4OID, INT4OID}
	};
	Datum		values[4] = {PointerGetDatum(run->owner), PointerGetDatum(run->suite), Int32GetDatum(run->version),
	Int32GetDatum(ordinal)};

	QueryRunAsOwner(&query, values, NULL, true, 1);
	if (SPI_processed == 0)
		RefuseTampered(run, psprintf("Case %d is missing.", ordinal));
	JsonViewOfJsonb(ColumnJsonb(SPI_tuptable, 0, 1), test_case);
	SPI_freetuptable(SPI_tuptable);
	if (CaseProblem(test_case) != NULL)
		RefuseTampered(run, psprintf("Case %d is malformed.", ordinal));
	CaseDigest(test_case, digest);
}

/* Must be what the digest says: the cases, and the documents. */
static void
RefuseChanged(SuiteRun *run)
{
	static FixedQuery query = {
		.text = "SELECT COALESCE(pg_catalog.jsonb_agg(d.content_hash ORDER BY d.doc_id COLLATE \"C\", d.version), '[]')"
		" FROM answer.document d WHERE d.tenant OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(run->terms.documents);
	JsonView	digests = JsonViewNewArray(Max(run->cases, 1));
	JsonView	stored;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char		other[DIGEST_TEXT_LENGTH + 1];

	run->digests = palloc_extended((Size) Max(run->cases, 1) * sizeof(*run->digests), MCXT_ALLOC_HUGE);
	for (int i = 0; i < run->cases; i++)
	{
		MemoryContext context = MemoryContextSwitchTo(run->each);
		JsonView	test_case;

		CHECK_FOR_INTERRUPTS();
		ReadCase(run, i + 1, &test_case, run->digests[i]);
		run->asks_routes |= CaseKindOf(&test_case) == CASE_QUESTION;
		MemoryContextSwitchTo(context);
		MemoryContextReset(run->each);
		JsonViewAppend(&digests, JsonViewCString(run->digests[i]));
	}
	SuiteDigest(&digests, &run->documents, &run->now, digest);
	if (strcmp(digest, run->suite_digest) != 0)
		RefuseTampered(run, "Its cases, documents and clock do not hash to its digest.");
	QueryRunAsOwner(&query, &value, NULL, true, 1);
	JsonViewOfJsonb(ColumnJsonb(SPI_tuptable, 0, 1), &stored);
	SPI_freetuptable(SPI_tuptable);
	CanonicalDigest(&run->documents, NULL, digest);
	CanonicalDigest(&stored, NULL, other);
	if (strcmp(digest, other) != 0)
		RefuseTampered(run, "The documents that are stored for it are others.");
}

/*
 * the terms
 */

/* A whole configuration: the one in force, with the keys that are given over it. */
static JsonView
RunConfig(FunctionCallInfo fcinfo, const text *tenant)
{
	JsonView	active = ActiveConfig(tenant, NULL, NULL);
	JsonView	config = JsonViewNewObject(JsonViewCount(&active));
	JsonView	given = {.type = JVIEW_ABSENT};
	DecisionConfig checked;
	JsonView	portable;

	if (!PG_ARGISNULL(1))
	{
		LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "config");
		JsonViewOfJsonb(PG_GETARG_JSONB_P_COPY(1), &given);
		given = given.type == JVIEW_OBJECT ? NumbersOfPortable(&given) : given;
		DecisionConfigOfView(&given, &checked);
	}
	for (int i = 0; i < JsonViewCount(&active); i++)
	{
		const char *key;
		int			len;
		JsonView	value;
		JsonView	over;

		JsonViewMember(&active, i, &key, &len, &value);
		if (given.type == JVIEW_OBJECT && JsonViewGet(&given, key, len, &over))
			value = over;
		JsonViewSetKey(&config, key, len, value);
	}
	JsonViewOfJsonb(JsonViewToJsonb(&config, true), &portable);
	return portable;
}

static JsonView
DigestOf(const JsonView *view)
{
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigestPortable(view, digest);
	return JsonViewCString(digest);
}

/* The digest of the routes, for who may read them; questions are compiled by these. */
static JsonView
RoutesDigest(const SuiteRun *run)
{
	char	   *query = psprintf("SELECT %s.answer_digest(%s.answer_route_table())", run->terms.schema, run->terms.schema);
	Span		digest;

	if (SPI_execute(query, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "could not run \"%s\"", query);
	digest = ColumnSpan(SPI_tuptable, 0, 1);
	return JsonViewString(digest.str, digest.len);
}

/* What judges: its version, the rules by name, and those that are data by digest. */
static JsonView
EvaluatorView(const SuiteRun *run, const JsonView *rules_document)
{
	static const char *const rules[] = {SCORE_RULE, METRICS_RULE, "gate/1", "decision/1", "text-score/1"};
	JsonView	evaluator = JsonViewNewObject(3);
	JsonView	names = JsonViewNewArray(lengthof(rules) + 1);
	JsonView	digests = JsonViewNewObject(4);
	JsonView	detectors = DetectorsRegistered(run->tenant);
	JsonView	portable;

	for (size_t i = 0; i < lengthof(rules); i++)
		JsonViewAppend(&names, JsonViewCString(rules[i]));
	JsonViewSet(&digests, "decision_rules", DigestOf(rules_document));
	JsonViewSet(&digests, "decision_config", DigestOf(&run->content.config));
	JsonViewSet(&digests, "conflict_detectors", DigestOf(&detectors));
	if (run->asks_routes)
	{
		JsonViewAppend(&names, JsonViewCString("route/1"));
		JsonViewSet(&digests, "route_table", RoutesDigest(run));
	}
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", names);
	JsonViewSet(&evaluator, "digests", digests);
	JsonViewOfJsonb(JsonViewToJsonb(&evaluator, true), &portable);
	return portable;
}

/* The phrases of the rules that say that the evidence does not do. */
static JsonView
InsufficiencyOf(const JsonView *rules_document)
{
	JsonView	phrases = JsonViewNewArray(0);
	JsonView	copy;

	(void) JsonViewGetMember(rules_document, "insufficiency", &phrases);
	JsonViewOfJsonb(JsonViewToJsonb(&phrases, true), &copy);
	return copy;
}

static JsonView
SuiteView(const SuiteRun *run)
{
	JsonView	suite = JsonViewNewObject(5);
	Span		name = Utf8OfText(run->suite);
	JsonView	portable;

	JsonViewSet(&suite, "name", JsonViewString(name.str, name.len));
	JsonViewSet(&suite, "version", JsonViewInteger(run->version));
	JsonViewSet(&suite, "digest", JsonViewCString(run->suite_digest));
	JsonViewSet(&suite, "now", run->now);
	JsonViewSet(&suite, "documents", run->documents);
	JsonViewOfJsonb(JsonViewToJsonb(&suite, true), &portable);
	return portable;
}

/*
 * running
 */

/* Looks up all that a run goes by. */
static void
RunBegin(SuiteRun *run, FunctionCallInfo fcinfo)
{
	char	   *instant = palloc(INSTANT_SIZE);
	JsonView	rules_document;

	run->context = CurrentMemoryContext;
	run->each = AllocSetContextCreate(CurrentMemoryContext, "answer_eval case", ALLOCSET_DEFAULT_SIZES);
	run->suite = PG_GETARG_TEXT_P_COPY(0);
	run->terms.tenant = run->tenant;
	run->terms.schema = quote_identifier(get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)));
	FindSuite(run, fcinfo);
	InstantFormat(run->terms.now, instant);
	run->now = JsonViewCString(instant);
	run->content.config = RunConfig(fcinfo, run->tenant);
	run->terms.config = NumbersOfPortable(&run->content.config);
	RefuseChanged(run);
	(void) CurrentRules(&rules_document);
	run->content.evaluator = EvaluatorView(run, &rules_document);
	run->content.insufficiency = InsufficiencyOf(&rules_document);
	run->content.suite = SuiteView(run);
	run->content.cases = JsonViewNewArray(Max(run->cases, 1));
	run->took = palloc_extended(sizeof(Datum) * (Size) Max(run->cases, 1), MCXT_ALLOC_HUGE);
}

/* Tries one case and scores it; the row is in the run's memory. */
static Jsonb *
RunCase(SuiteRun *run, int ordinal)
{
	MemoryContext context = MemoryContextSwitchTo(run->each);
	TimestampTz begun_at = GetCurrentTimestamp();
	char		digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	test_case;
	JsonView	row;
	Jsonb	   *scored;

	ReadCase(run, ordinal, &test_case, digest);
	if (strcmp(digest, run->digests[ordinal - 1]) != 0)
		RefuseTampered(run, psprintf("Case %d has changed since the run was started.", ordinal));
	JsonViewOfJsonb(TrialRun(&run->terms, ordinal, &test_case, digest), &row);
	row = RunRowScored(&row, &run->content.config, &run->content.insufficiency);
	MemoryContextSwitchTo(run->context);
	scored = JsonViewToJsonb(&row, true);
	run->took[ordinal - 1] = Int64GetDatum(Max(GetCurrentTimestamp() - begun_at, 0));
	MemoryContextSwitchTo(context);
	MemoryContextReset(run->each);
	return scored;
}

static void
RunKeepRow(SuiteRun *run, Jsonb *row)
{
	JsonView	view;

	JsonViewOfJsonb(row, &view);
	JsonViewAppend(&run->content.cases, view);
}

/* Writes the row of a run, as the owner. */
static void
StoreRun(const SuiteRun *run, const JsonView *body, TimestampTz finished_at)
{
	static const Oid types[] = {TEXTOID, JSONBOID, TIMESTAMPTZOID, TIMESTAMPTZOID, INT8ARRAYOID};
	NullableDatum args[5] = {{0}};
	static const char *const large[] = {"cases"};
	JsonView	brief = JsonViewCopyWithout(body, large, 1, 1);

	args[0].value = PointerGetDatum(run->tenant);
	args[1].value = JsonbPGetDatum(JsonViewToJsonb(&brief, false));
	args[2].value = TimestampTzGetDatum(run->started_at);
	args[3].value = TimestampTzGetDatum(finished_at);
	args[4].value = PointerGetDatum(construct_array(run->took, run->cases, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	(void) WriteCall("run_put", lengthof(types), types, args);
}

/* Signs the run and stores it; its id is in the current context. */
static text *
RunFinish(SuiteRun *run)
{
	Minting		minting = {.kind = &run_kind,.tenant = run->tenant,.begun_at = run->started_at};
	SigningKey	key;
	Jsonb	   *stored;
	JsonView	body;
	JsonView	id;

	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	minting.body = DocumentBegin(&run_kind, run->tenant, minting.issued_at);
	RunDocumentSet(&minting.body, &run->content);
	stored = DocumentMint(&minting);
	JsonViewOfJsonb(stored, &body);
	StoreRun(run, &body, minting.issued_at);
	(void) JsonViewGetMember(&body, "receipt_id", &id);
	return TextOfUtf8(SpanOf(id.str, id.len));
}

/* answer_suite_run(suite, config, version) */
PG_FUNCTION_INFO_V1(answer_eval_suite_run);
Datum
answer_eval_suite_run(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	SuiteRun	run;
	SigningKey	key;
	text	   *id;

	RequireArgument(fcinfo, 0, "suite");
	PreventCommandIfReadOnly("answer_suite_run()");
	PreventCommandDuringRecovery("answer_suite_run()");
	memset(&run, 0, sizeof(run));
	run.tenant = CurrentTenant();
	SPI_connect();
	/* what is committed by now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	/* without a key there is no run; and what cases mint and undo must not be the first to need one */
	SigningKeyBegin(&key, &run.started_at);
	RunBegin(&run, fcinfo);
	for (int i = 1; i <= run.cases; i++)
	{
		CHECK_FOR_INTERRUPTS();
		RunKeepRow(&run, RunCase(&run, i));
	}
	id = RunFinish(&run);
	MemoryContextSwitchTo(caller);
	id = DatumGetTextPCopy(PointerGetDatum(id));
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_TEXT_P(id);
}

/*
 * loading
 */

/* answer.suite_read(cases) */
PG_FUNCTION_INFO_V1(answer_eval_suite_read);
Datum
answer_eval_suite_read(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	JsonView	cases;
	int			count;

	RequireArgument(fcinfo, 0, "cases");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "cases");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &cases);
	if (cases.type != JVIEW_ARRAY)
		MalformedArgument(psprintf("cases must be an array, and is %s", ShownValue(&cases)), NULL);
	InitMaterializedSRF(fcinfo, 0);
	count = JsonViewCount(&cases);
	for (int i = 0; i < count; i++)
	{
		JsonView	test_case;
		JsonView	reduced;
		const char *problem;
		char		digest[DIGEST_TEXT_LENGTH + 1];
		Datum		values[5];
		bool		nulls[5] = {false};

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&cases, i, &test_case);
		problem = CaseProblem(&test_case);
		if (problem)
		{
			Span		id = CaseText(&test_case, "id");

			MalformedArgument(psprintf("cases[%d]%s: %s", i, id.len > 0 ? psprintf(" (%.*s)", Min(id.len, 200), id.str) : "", problem), NULL);
		}
		CaseDigest(&test_case, digest);
		reduced = CaseReduced(&test_case);
		values[0] = Int32GetDatum(i + 1);
		values[1] = SpanDatum(CaseText(&test_case, "id"));
		values[2] = JsonbPGetDatum(JsonViewToJsonb(&test_case, false));
		values[3] = CStringGetTextDatum(digest);
		values[4] = Int32GetDatum((int32) CanonicalSizePortable(&reduced));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* answer.suite_digest(cases, documents, now) */
PG_FUNCTION_INFO_V1(answer_eval_suite_digest);
Datum
answer_eval_suite_digest(PG_FUNCTION_ARGS)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char	   *instant = palloc(INSTANT_SIZE);
	JsonView	cases;
	JsonView	documents;
	JsonView	now;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &cases);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &documents);
	InstantFormat(PG_GETARG_TIMESTAMPTZ(2), instant);
	now = JsonViewCString(instant);
	SuiteDigest(&cases, &documents, &now, digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}
