/*-------------------------------------------------------------------------
 *
 * suite_run.c
 *		Runs a suite: from its cases to a signed run.
 *
 * Rule: doc/spec/gate.md §1 and §5.  A run has one version of a suite, a complete configuration,
 * and the engine that judges; the same three give the same content digest.  Before it starts,
 * the stored suite is checked against its digest.  Cases are tried one at a time (trial.c), scored
 * (case_score.c), and kept as rows.  The document is made from these rows (run_receipt.c), and not
 * from any table.
 *
 * Promises: the tenant is that of the role in force when the call begins; suites of other tenants
 * do not exist for it.  A run is its signed document: answer.run is a view of documents, and only
 * the durations are stored elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "access/htup_details.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/compat.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/mint.h"
#include "document/forgotten.h"
#include "gate/suite_case.h"
#include "gate/metrics.h"
#include "gate/run_receipt.h"
#include "gate/suite_run.h"
#include "gate/case_score.h"
#include "gate/gate_audit.h"
#include "gate/trial.h"
#include "ground/current_rules.h"
#include "ground/decision_config.h"
#include "ground/environment.h"
#include "ground/decision_receipt.h"
#include "plan/plan_locks.h"
#include "route/route_table.h"

/* Is this module writing now? */
static bool is_writing = false;

/*
 * guards
 */

/* answer.run_guard(): refuses rows that are not this module's */
PG_FUNCTION_INFO_V1(answer_eval_run_guard);
Datum
answer_eval_run_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.run_guard() must be called as a trigger")));
	/* a run whose rows were deleted starts anew */
	if (!is_writing && !TRIGGER_FIRED_BY_DELETE(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("table %s is written by running a suite alone",
						quote_qualified_identifier(SPI_getnspname(trigger->tg_relation),
												   SPI_getrelname(trigger->tg_relation))),
				 errhint("answer_suite_run() runs one.")));
	return PointerGetDatum(TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : trigger->tg_trigtuple);
}

/* Calls a function of the schema answer that writes guarded rows. */
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

/* Finds a suite, in its newest version unless another one is asked for. */
static void
FindSuite(SuiteRun *run, const int *version)
{
	static FixedQuery query = {
		.text = "SELECT s.tenant, s.version, s.digest, s.now, s.cases, s.document_set, s.documents, s.seed::pg_catalog.text FROM answer.suite s"
		" WHERE s.name OPERATOR(pg_catalog.=) $1 AND (s.tenant OPERATOR(pg_catalog.=) $2"
		" OR (s.tenant OPERATOR(pg_catalog.=) '' AND s.seed)) AND ($3 IS NULL OR s.version OPERATOR(pg_catalog.=) $3)"
		" ORDER BY s.tenant OPERATOR(pg_catalog.=) $2 DESC, s.version DESC",
		.argtypes = {TEXTOID, TEXTOID, INT4OID}
	};
	char		nulls[] = "   ";
	Datum		values[3];
	QueryRows	rows;

	values[0] = PointerGetDatum(run->suite);
	values[1] = PointerGetDatum(run->tenant);
	values[2] = version ? Int32GetDatum(*version) : (Datum) 0;
	nulls[2] = version ? ' ' : 'n';
	rows = QueryRunAsOwner(&query, values, nulls, true, 1);
	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 version ? errmsg("there is no suite \"%s\" of version %d", text_to_cstring(run->suite), *version) :
				 errmsg("there is no suite \"%s\"", text_to_cstring(run->suite)),
				 errhint("answer_suite_load() loads one.")));
	run->owner = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 1));
	run->version = ColumnInt(rows.table, 0, 2);
	strlcpy(run->suite_digest, ColumnSpan(rows.table, 0, 3).str, sizeof(run->suite_digest));
	(void) ColumnInstant(rows.table, 0, 4, &run->terms.now);
	run->cases = ColumnInt(rows.table, 0, 5);
	run->terms.documents = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 6));
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 7), &run->documents);
	run->ships = SpanEqualCString(ColumnSpan(rows.table, 0, 8), "true");
	QueryFree(&rows);
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

/* Raises an error, because its documents have changed: somebody forgot one, or they were tampered with. */
static _Noreturn void
RefuseDocuments(const SuiteRun *run)
{
	static FixedQuery query = {
		.text = "SELECT h.hash FROM answer.suite s, pg_catalog.jsonb_array_elements_text(s.documents) AS h (hash)"
		" JOIN answer.tombstone t ON t.digest OPERATOR(pg_catalog.=) h.hash"
		" WHERE s.tenant OPERATOR(pg_catalog.=) $1 AND s.name OPERATOR(pg_catalog.=) $2"
		" AND s.version OPERATOR(pg_catalog.=) $3 AND t.tenant OPERATOR(pg_catalog.=) s.tenant"
		" ORDER BY h.hash COLLATE \"C\"",
		.argtypes = {TEXTOID, TEXTOID, INT4OID}
	};
	Datum		values[3] = {PointerGetDatum(run->owner), PointerGetDatum(run->suite), Int32GetDatum(run->version)};
	Span		digest;
	QueryRows	rows;

	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	if (rows.count == 0)
		RefuseTampered(run, "The documents that are stored for it are others.");
	digest = ColumnSpan(rows.table, 0, 1);
	ereport(ERROR,
			(errcode(ERRCODE_RESTRICT_VIOLATION),
			 errmsg("document \"%.*s\" of suite \"%s\" of version %d was forgotten",
					digest.len, digest.str, text_to_cstring(run->suite), run->version),
			 errdetail("What came of its cases would be something else without it."),
			 errhint("answer.tombstone tells when and why. Load the suite without it, with answer_suite_load(): that makes a new version.")));
}

/* Checks that its documents exist, with the stated digests. */
static void
RefuseOtherDocuments(const SuiteRun *run)
{
	static FixedQuery query = {
		.text = "SELECT COALESCE(pg_catalog.jsonb_agg(d.content_hash ORDER BY d.doc_id COLLATE \"C\", d.version), '[]')"
		" FROM answer.document d WHERE d.tenant OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(run->terms.documents);
	JsonView	stored;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char		other[DIGEST_TEXT_LENGTH + 1];
	QueryRows	rows;

	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), &stored);
	QueryFree(&rows);
	CanonicalDigest(&run->documents, NULL, digest);
	CanonicalDigest(&stored, NULL, other);
	if (strcmp(digest, other) != 0)
		RefuseDocuments(run);
}

/* Does the same at the end, and prevents forgetting of these documents until the run is committed. */
void
SuiteKeepDocuments(const SuiteRun *run)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval suite documents",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	RefuseForgotten(run->tenant, NULL, 0);
	PushActiveSnapshot(GetLatestSnapshot());
	RefuseOtherDocuments(run);
	PopActiveSnapshot();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Reads a stored case and its digest, into the current context. */
void
SuiteReadCase(const SuiteRun *run, int ordinal, JsonView *test_case, char *digest)
{
	static FixedQuery query = {
		.text = "SELECT c.body FROM answer.suite_case c WHERE c.tenant OPERATOR(pg_catalog.=) $1"
		" AND c.suite OPERATOR(pg_catalog.=) $2 AND c.version OPERATOR(pg_catalog.=) $3 AND c.ordinal OPERATOR(pg_catalog.=) $4",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, INT4OID}
	};
	Datum		values[4] = {PointerGetDatum(run->owner), PointerGetDatum(run->suite), Int32GetDatum(run->version),
	Int32GetDatum(ordinal)};
	QueryRows	rows;

	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	if (rows.count == 0)
		RefuseTampered(run, psprintf("Case %d is missing.", ordinal));
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), test_case);
	QueryFree(&rows);
	if (CaseProblem(test_case) != NULL)
		RefuseTampered(run, psprintf("Case %d is malformed.", ordinal));
	CaseDigest(test_case, digest);
}

/* Checks cases and documents against the suite's digest. */
static void
RefuseChanged(SuiteRun *run)
{
	JsonView	digests = JsonViewNewArray(Max(run->cases, 1));
	char		digest[DIGEST_TEXT_LENGTH + 1];

	run->digests = palloc_extended((Size) Max(run->cases, 1) * sizeof(*run->digests), MCXT_ALLOC_HUGE);
	for (int i = 0; i < run->cases; i++)
	{
		MemoryContext context = MemoryContextSwitchTo(run->each);
		JsonView	test_case;

		CHECK_FOR_INTERRUPTS();
		SuiteReadCase(run, i + 1, &test_case, run->digests[i]);
		run->asks_routes |= CaseKindOf(&test_case) == CASE_QUESTION;
		MemoryContextSwitchTo(context);
		MemoryContextReset(run->each);
		JsonViewAppend(&digests, JsonViewCString(run->digests[i]));
	}
	SuiteDigest(&digests, &run->documents, &run->now, digest);
	if (strcmp(digest, run->suite_digest) != 0)
		RefuseTampered(run, "Its cases, documents and clock do not hash to its digest.");
	RefuseOtherDocuments(run);
}

void
SuiteRefuseChangedCase(const SuiteRun *run, int ordinal, const char *digest)
{
	if (strcmp(digest, run->digests[ordinal - 1]) != 0)
		RefuseTampered(run, psprintf("Case %d has changed since the run was started.", ordinal));
}

/*
 * Checks that earlier runs of this version had the same content.  Who can change
 * the rows of a suite can change its digest, too, but not what was signed.
 */
static void
RefuseOtherContent(const SuiteRun *run)
{
	QueryRows	rows;

#define RUNS_OF_OTHERS(comparison) \
"(SELECT r.receipt_id FROM answer.receipt r WHERE r.schema OPERATOR(pg_catalog.=) 'run/v1'" \
" AND r.tenant OPERATOR(pg_catalog.=) ANY (ARRAY[$1, $2]) AND (r.body OPERATOR(pg_catalog.#>>) '{suite,name}') OPERATOR(pg_catalog.=) $3" \
" AND ((r.body OPERATOR(pg_catalog.#>>) '{suite,version}')::pg_catalog.int4) OPERATOR(pg_catalog.=) $4" \
" AND (r.body OPERATOR(pg_catalog.#>>) '{suite,digest}') OPERATOR(pg_catalog." comparison ") $5 LIMIT 1)"
	static FixedQuery query = {
		/* not <>, which cannot use an index */
		.text = RUNS_OF_OTHERS("<") " UNION ALL " RUNS_OF_OTHERS(">"),
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, INT4OID, TEXTOID}
	};
	Datum		values[5] = {PointerGetDatum(run->owner), PointerGetDatum(run->tenant), PointerGetDatum(run->suite),
	Int32GetDatum(run->version), CStringGetTextDatum(run->suite_digest)};

	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	if (rows.count > 0)
		RefuseTampered(run, psprintf("Run \"%s\" was signed of this version with another digest.",
									 SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 1)));
	QueryFree(&rows);
}

/*
 * the terms
 */

/* Returns the configuration in force, overridden by the given keys. */
static JsonView
RunConfig(const text *tenant, const Pinning *pinning, Jsonb *over_it)
{
	JsonView	active = ActiveConfig(tenant, pinning, NULL, NULL);
	JsonView	config = JsonViewNewObject(JsonViewCount(&active));
	JsonView	given = {.type = JVIEW_ABSENT};
	DecisionConfig checked;

	if (over_it)
	{
		JsonViewOfJsonb(over_it, &given);
		given = given.type == JVIEW_OBJECT ? NumbersOfPortable(&given) : given;
		DecisionConfigOfView(&given, &checked);
	}
	for (int i = 0; i < JsonViewCount(&active); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(&active, i, &key);
		JsonView	over;

		if (given.type == JVIEW_OBJECT && JsonViewGet(&given, key.str, key.len, &over))
			value = over;
		JsonViewSetKey(&config, key.str, key.len, value);
	}
	return PortableCopy(&config);
}

static JsonView
DigestOf(const JsonView *view)
{
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigestPortable(view, digest);
	return JsonViewCString(digest);
}

/* Returns the digest of the routes that compile questions.  The caller needs the right to call both functions. */
static JsonView
RoutesDigest(const SuiteRun *run)
{
	static const Oid type = JSONBOID;
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);
	JsonView	routes;

	RequireExecute(run->terms.schema, "answer_digest", 1, &type);
	RequireExecute(run->terms.schema, "answer_route_table", 0, NULL);
	JsonViewOfJsonb(RouterContent(), &routes);
	CanonicalDigest(&routes, NULL, digest);
	return JsonViewCString(digest);
}

/* Returns what judges: the engine's version, the rules by name, and rules that are data by digest. */
static JsonView
EvaluatorView(const SuiteRun *run, const JsonView *rules_document)
{
	static const char *const rules[] = {SCORE_RULE, METRICS_RULE, "gate/1", "decision/2", "reading/1", "judgement/1"};
	JsonView	evaluator = JsonViewNewObject(3);
	JsonView	names = JsonViewNewArray(lengthof(rules) + 1);
	JsonView	digests = JsonViewNewObject(4);

	for (size_t i = 0; i < lengthof(rules); i++)
		JsonViewAppend(&names, JsonViewCString(rules[i]));
	JsonViewSet(&digests, "decision_rules", DigestOf(rules_document));
	JsonViewSet(&digests, "decision_config", DigestOf(&run->content.config));
	if (run->asks_routes)
	{
		JsonViewAppend(&names, JsonViewCString("route/1"));
		JsonViewSet(&digests, "route_table", RoutesDigest(run));
	}
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", names);
	JsonViewSet(&evaluator, "digests", digests);
	return PortableCopy(&evaluator);
}

/* Returns the phrases of the rules that say that the evidence is insufficient. */
static JsonView
InsufficiencyOf(const JsonView *rules_document)
{
	JsonView	phrases = JsonViewNewArray(0);

	(void) JsonViewGetMember(rules_document, "insufficiency", &phrases);
	return PortableCopy(&phrases);
}

static JsonView
SuiteView(const SuiteRun *run)
{
	JsonView	suite = JsonViewNewObject(5);
	Span		name = Utf8OfText(run->suite);

	JsonViewSet(&suite, "name", JsonViewString(name.str, name.len));
	JsonViewSet(&suite, "version", JsonViewInteger(run->version));
	JsonViewSet(&suite, "digest", JsonViewCString(run->suite_digest));
	JsonViewSet(&suite, "now", run->now);
	JsonViewSet(&suite, "documents", run->documents);
	return PortableCopy(&suite);
}

/*
 * running
 */

/* Returns the configuration among the arguments of a call, or NULL. */
Jsonb *
ConfigArgument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(1))
		return NULL;
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "config");
	return PG_GETARG_JSONB_P_COPY(1);
}

void
SuiteOpen(SuiteRun *run, Oid schema, Jsonb *config, const int *version)
{
	run->context = CurrentMemoryContext;
	run->each = AllocSetContextCreate(CurrentMemoryContext, "answer_eval case", ALLOCSET_DEFAULT_SIZES);
	run->terms.tenant = run->tenant;
	run->terms.schema = schema;
	FindSuite(run, version);
	run->now = InstantView(run->terms.now);
	run->content.config = RunConfig(run->tenant, run->pinning, config);
	run->terms.config = NumbersOfPortable(&run->content.config);
	RefuseChanged(run);
	RefuseOtherContent(run);
}

/* Looks up everything that a run depends on. */
static void
RunPrepare(SuiteRun *run, Oid schema, Jsonb *config, const int *version)
{
	JsonView	rules_document;

	SuiteOpen(run, schema, config, version);
	(void) CurrentRules(&rules_document);
	run->content.insufficiency = InsufficiencyOf(&rules_document);
	run->content.suite = SuiteView(run);
	run->content.cases = JsonViewNewArray(Max(run->cases, 1));
	run->took = palloc_extended(sizeof(Datum) * (Size) Max(run->cases, 1), MCXT_ALLOC_HUGE);
}

/* Does the same, and sets what judges. */
static void
RunBegin(SuiteRun *run, Oid schema, Jsonb *config, const int *version)
{
	JsonView	rules_document;

	RunPrepare(run, schema, config, version);
	(void) CurrentRules(&rules_document);
	run->content.evaluator = EvaluatorView(run, &rules_document);
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

	SuiteReadCase(run, ordinal, &test_case, digest);
	SuiteRefuseChangedCase(run, ordinal, digest);
	JsonViewOfJsonb(TrialRun(&run->terms, ordinal, &test_case, digest), &row);
	row = RunRowScored(&row, &run->content.config, &run->content.insufficiency);
	MemoryContextSwitchTo(run->context);
	scored = JsonViewToJsonb(&row, true);
	if (run->terms.found && *run->terms.found)
		*run->terms.found = DatumGetJsonbPCopy(JsonbPGetDatum(*run->terms.found));
	run->took[ordinal - 1] = Int64GetDatum(Max(GetCurrentTimestamp() - begun_at, 0));
	MemoryContextSwitchTo(context);
	MemoryContextReset(run->each);
	return scored;
}

/* Adds a row's size. Raises an error now if the run will be too large for a document, instead of at the end. */
static void
CountRow(SuiteRun *run, const JsonView *row, int ordinal)
{
	run->size += CanonicalSizePortable(row);
	if (run->size > DOCUMENT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the run would be too large"),
				 errdetail("What came of the first %d of the %d cases of suite \"%s\" has %zu bytes; a run is one document of at most %d.",
						   ordinal, run->cases, text_to_cstring(run->suite), run->size, DOCUMENT_MAX_SIZE),
				 errhint("Make several suites of it.")));
}

static void
RunKeepRow(SuiteRun *run, Jsonb *row, int ordinal)
{
	JsonView	view;

	JsonViewOfJsonb(row, &view);
	CountRow(run, &view, ordinal);
	JsonViewAppend(&run->content.cases, view);
}

/* Stores how long a run took, as the owner. */
static void
StoreTiming(const SuiteRun *run, const JsonView *run_id)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TIMESTAMPTZOID, INT8ARRAYOID};
	NullableDatum args[4] = {{0}};

	args[0].value = PointerGetDatum(run->tenant);
	args[1].value = SpanDatum(SpanOf(run_id->str, run_id->len));
	args[2].value = TimestampTzGetDatum(run->started_at);
	args[3].value = PointerGetDatum(construct_array(run->took, run->cases, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	(void) WriteCall("run_put", lengthof(types), types, args);
}

/* Signs and stores the run; its id is in the current context. */
static text *
RunFinish(SuiteRun *run)
{
	Minting		minting = {.kind = &run_kind,.tenant = run->tenant,.begun_at = run->started_at};
	SigningKey	key;
	Jsonb	   *stored;
	JsonView	body;
	JsonView	id;

	SuiteKeepDocuments(run);
	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	minting.body = DocumentBegin(&run_kind, run->tenant, minting.issued_at);
	RunDocumentSet(&minting.body, &run->content);
	stored = DocumentMint(&minting);
	JsonViewOfJsonb(stored, &body);
	(void) JsonViewGetMember(&body, "receipt_id", &id);
	StoreTiming(run, &id);
	return TextOfUtf8(SpanOf(id.str, id.len));
}

text *
SuiteRunSigned(Oid schema, text *suite, Jsonb *config, const int *version)
{
	MemoryContext caller = CurrentMemoryContext;
	SuiteRun	run;
	SigningKey	key;
	text	   *id;

	RequirePrimary("answer_suite_run()");
	memset(&run, 0, sizeof(run));
	run.tenant = CurrentTenant();
	run.pinning = CurrentPinning();
	run.suite = suite;
	SPI_connect();
	/* sees what is committed now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	/* a run needs a key; and a case, which is undone, must not be the first to need it */
	SigningKeyBegin(&key, &run.started_at);
	RunBegin(&run, schema, config, version);
	for (int i = 1; i <= run.cases; i++)
	{
		CHECK_FOR_INTERRUPTS();
		RunKeepRow(&run, RunCase(&run, i), i);
	}
	id = RunFinish(&run);
	MemoryContextSwitchTo(caller);
	id = DatumGetTextPCopy(PointerGetDatum(id));
	PopActiveSnapshot();
	SPI_finish();
	return id;
}

/* answer_suite_run(suite, config, version) */
PG_FUNCTION_INFO_V1(answer_eval_suite_run);
Datum
answer_eval_suite_run(PG_FUNCTION_ARGS)
{
	int			version = PG_ARGISNULL(2) ? 0 : PG_GETARG_INT32(2);

	RequireArgument(fcinfo, 0, "suite");
	PG_RETURN_TEXT_P(SuiteRunSigned(get_func_namespace(fcinfo->flinfo->fn_oid), PG_GETARG_TEXT_P_COPY(0),
									ConfigArgument(fcinfo), PG_ARGISNULL(2) ? NULL : &version));
}

/*
 * runs that commit
 */

#define WORK_ID_PREFIX	"wrk_"
#define WORK_ID_BYTES	8

typedef struct RunWork
{
	const char *role;			/* role that runs it, with whose rights its cases were tried */
	char		id[sizeof(WORK_ID_PREFIX) + 2 * WORK_ID_BYTES];
	char		chain[DIGEST_TEXT_LENGTH + 1];	/* hash chain of the rows so far */
	int			done;
	JsonView	pending;		/* rows that are not stored yet */
	int			npending;
	SigningKey	key;
} RunWork;

/* Writes what is signed of an unfinished run. */
static void
WorkStatement(const SuiteRun *run, const RunWork *work, StringInfo text)
{
	WorkTerms	terms = {.tenant = Utf8OfText(run->tenant),.id = SpanOfCString(work->id),
	.suite_digest = SpanOfCString(run->suite_digest),.done = work->done,.chain = SpanOfCString(work->chain)};
	char		config_digest[DIGEST_TEXT_LENGTH + 1];
	char		engine_digest[DIGEST_TEXT_LENGTH + 1];
	char		role[2 * NAMEDATALEN + 1] = "";

	/* the encoding of role names is not known */
	HexEncode((const uint8 *) work->role, strlen(work->role), role);
	terms.role = SpanOfCString(role);
	CanonicalDigest(&run->content.config, NULL, config_digest);
	EngineDigest(&run->content.evaluator, engine_digest);
	terms.config_digest = SpanOfCString(config_digest);
	terms.engine_digest = SpanOfCString(engine_digest);
	WorkTermsWrite(&terms, text);
}

/* Stores the pending rows, with a signature that they belong to this run. */
static void
WorkSave(SuiteRun *run, RunWork *work)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, JSONBOID};
	NullableDatum args[5] = {{0}};
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	state = JsonViewNewObject(12);
	JsonView	took = JsonViewNewArray(Max(work->npending, 1));
	StringInfoData text;

	WorkStatement(run, work, &text);
	SigningKeySign(&work->key, text.data, text.len, signature);
	for (int i = work->done - work->npending; i < work->done; i++)
		JsonViewAppend(&took, JsonViewInteger(DatumGetInt64(run->took[i])));
	JsonViewSet(&state, "suite", run->content.suite);
	JsonViewSet(&state, "suite_digest", JsonViewCString(run->suite_digest));
	CanonicalDigest(&run->content.config, NULL, digest);
	JsonViewSet(&state, "config_digest", JsonViewCString(pstrdup(digest)));
	EngineDigest(&run->content.evaluator, digest);
	JsonViewSet(&state, "engine_digest", JsonViewCString(pstrdup(digest)));
	JsonViewSet(&state, "cases", JsonViewInteger(run->cases));
	JsonViewSet(&state, "done", JsonViewInteger(work->done));
	JsonViewSet(&state, "chain", JsonViewCString(work->chain));
	JsonViewSet(&state, "key_id", JsonViewCString(work->key.key_id));
	JsonViewSet(&state, "sig", JsonViewCString(signature));
	JsonViewSet(&state, "took", took);
	args[0].value = PointerGetDatum(run->tenant);
	args[1].value = CStringGetTextDatum(work->id);
	args[2].value = CStringGetTextDatum(work->role);
	args[3].value = JsonbPGetDatum(JsonViewToJsonb(&state, false));
	args[4].value = JsonbPGetDatum(JsonViewToJsonb(&work->pending, false));
	(void) WriteCall("run_work_put", lengthof(types), types, args);
	work->pending = JsonViewNewArray(16);
	work->npending = 0;
}

/* Restores the rows of an unfinished run; false if they are not what was signed. */
static bool
WorkTakeUp(SuiteRun *run, RunWork *work, int done, Span key_id, Span sig)
{
	static FixedQuery query = {
		.text = "SELECT c.body, c.took FROM answer.run_work_case c WHERE c.tenant OPERATOR(pg_catalog.=) $1"
		" AND c.work_id OPERATOR(pg_catalog.=) $2 ORDER BY c.ordinal",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(run->tenant), CStringGetTextDatum(work->id)};
	JsonView	cases = JsonViewNewArray(Max(run->cases, 1));
	uint8		public_key[ED25519_KEY_LENGTH];
	uint8		signature[ED25519_SIGNATURE_LENGTH];
	StringInfoData text;
	uint64		rows;
	bool		is_known;
	Oid			user;
	int			context;
	QueryRows	given;

	strlcpy(work->chain, run->suite_digest, sizeof(work->chain));
	given = QueryRunAsOwner(&query, values, NULL, true, 0);
	rows = given.count;
	for (uint64 i = 0; i < rows && i < (uint64) run->cases; i++)
	{
		JsonView	row;

		CHECK_FOR_INTERRUPTS();
		JsonViewOfJsonb(ColumnJsonb(given.table, (int) i, 1), &row);
		run->took[i] = ColumnDatum(given.table, i, 2);
		WorkChain(work->chain, &row);
		JsonViewAppend(&cases, row);
	}
	QueryFree(&given);
	work->done = done;
	WorkStatement(run, work, &text);
	AnswerAsOwner(&user, &context);
	is_known = RegistryPublicKey(pnstrdup(key_id.str, key_id.len), public_key);
	AnswerAsCaller(user, context);
	if (rows != (uint64) done || done > run->cases || !is_known ||
		Base64UrlDecode(sig, signature, sizeof(signature)) != sizeof(signature) ||
		!SignatureVerify(public_key, text.data, text.len, signature))
		return false;
	run->content.cases = cases;
	for (int i = 0; i < done; i++)
	{
		JsonView	row = JsonViewAt(&cases, i);

		CountRow(run, &row, i + 1);
	}
	return true;
}

/*
 * Resumes what an earlier call of the same role left of the same run, unless
 * another session is working on it.  The results of another role's cases are not
 * used, because its tools were called with other rights.
 */
static bool
WorkFind(SuiteRun *run, RunWork *work)
{
	static FixedQuery query = {
		.text = "SELECT w.work_id, w.done, w.key_id, w.sig FROM answer.run_work w WHERE w.tenant OPERATOR(pg_catalog.=) $1"
		" AND w.suite_digest OPERATOR(pg_catalog.=) $2 AND w.config_digest OPERATOR(pg_catalog.=) $3"
		" AND w.engine_digest OPERATOR(pg_catalog.=) $4 AND w.suite OPERATOR(pg_catalog.=) $5"
		" AND w.version OPERATOR(pg_catalog.=) $6 AND w.role OPERATOR(pg_catalog.=) $7 ORDER BY w.started_at, w.work_id",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT4OID, TEXTOID}
	};
	char		config_digest[DIGEST_TEXT_LENGTH + 1];
	char		engine_digest[DIGEST_TEXT_LENGTH + 1];
	Datum		values[7];
	bool		found = false;
	QueryRows	rows;

	CanonicalDigest(&run->content.config, NULL, config_digest);
	EngineDigest(&run->content.evaluator, engine_digest);
	values[0] = PointerGetDatum(run->tenant);
	values[1] = CStringGetTextDatum(run->suite_digest);
	values[2] = CStringGetTextDatum(config_digest);
	values[3] = CStringGetTextDatum(engine_digest);
	values[4] = PointerGetDatum(run->suite);
	values[5] = Int32GetDatum(run->version);
	values[6] = CStringGetTextDatum(work->role);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	for (uint64 i = 0; i < rows.count && !found; i++)
	{
		Span		id = ColumnSpan(rows.table, (int) i, 1);
		bool		was_ours;

		if (id.len != sizeof(work->id) - 1 || !TakeOverTrace(run->tenant, id, &was_ours) || was_ours ||
			!LockTrace(run->tenant, id))
			continue;
		memcpy(work->id, id.str, id.len);
		work->id[id.len] = '\0';
		found = WorkTakeUp(run, work, ColumnInt(rows.table, (int) i, 2), ColumnSpan(rows.table, (int) i, 3), ColumnSpan(rows.table, (int) i, 4));
		if (!found)
		{
			UnlockTrace(run->tenant, id);
			ereport(WARNING,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("what is stored of the unfinished run \"%s\" is not what was kept", work->id),
					 errdetail("The suite is run from its beginning.")));
		}
	}
	QueryFree(&rows);
	return found;
}

static void
WorkBegin(SuiteRun *run, RunWork *work)
{
	uint8		random[WORK_ID_BYTES];

	work->pending = JsonViewNewArray(16);
	if (WorkFind(run, work))
		return;
	if (!pg_strong_random(random, sizeof(random)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random number")));
	strcpy(work->id, WORK_ID_PREFIX);
	HexEncode(random, sizeof(random), work->id + strlen(WORK_ID_PREFIX));
	strlcpy(work->chain, run->suite_digest, sizeof(work->chain));
	work->done = 0;
	run->content.cases = JsonViewNewArray(Max(run->cases, 1));
	if (!LockTrace(run->tenant, SpanOfCString(work->id)))
		elog(ERROR, "the lock of the run \"%s\" is taken", work->id);
	WorkSave(run, work);
}

/* Does the session still work for the run's tenant? */
static bool
IsTenantOfRun(const SuiteRun *run)
{
	text	   *tenant = CurrentTenant();

	return VARSIZE_ANY_EXHDR(tenant) == VARSIZE_ANY_EXHDR(run->tenant) &&
		memcmp(VARDATA_ANY(tenant), VARDATA_ANY(run->tenant), VARSIZE_ANY_EXHDR(tenant)) == 0;
}

/* Commits, and begins the next transaction in the run's memory. */
static void
WorkCommit(SuiteRun *run, RunWork *work, Oid role)
{
	TimestampTz now;

	PopActiveSnapshot();
	SPI_commit();
	MemoryContextSwitchTo(run->context);
	PushActiveSnapshot(GetTransactionSnapshot());
	if (GetUserId() != role || !IsTenantOfRun(run))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the role or its tenant has changed since the run was started"),
				 errhint("Call answer_suite_run_resume() again: it goes on where the run stopped.")));
	SigningKeyBegin(&work->key, &now);
}

/* Raises an error unless the procedure is called at top level, where it can commit. */
static void
RequireTop(FunctionCallInfo fcinfo)
{
	if (fcinfo->context && IsA(fcinfo->context, CallContext) && !((CallContext *) fcinfo->context)->atomic)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
			 errmsg("answer_suite_run_resume() commits as it goes, and cannot run within a transaction"),
			 errhint("Call it outside of a transaction block and of functions, or use answer_suite_run(), which does it all in the caller's transaction.")));
}

/* Returns the row of the procedure. */
static Datum
ProcedureResult(text *id)
{
	TupleDesc	desc = CreateTemplateTupleDesc(1);
	Datum		value = PointerGetDatum(id);
	bool		isnull = false;

	TupleDescInitEntry(desc, 1, "run_id", TEXTOID, -1, 0);
	desc = BlessTupleDesc(desc);
	return HeapTupleGetDatum(heap_form_tuple(desc, &value, &isnull));
}

/* CALL answer_suite_run_resume(suite, config, version, batch, run_id) */
PG_FUNCTION_INFO_V1(answer_eval_suite_run_resume);
Datum
answer_eval_suite_run_resume(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID, TEXTOID};
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	NullableDatum args[2] = {{0}};
	Oid			role = GetUserId();
	RunWork		work;
	SuiteRun	run;
	TimestampTz now;
	int			version = PG_ARGISNULL(2) ? 0 : PG_GETARG_INT32(2);
	int			batch;
	text	   *id;

	RequireTop(fcinfo);
	RequireArgument(fcinfo, 0, "suite");
	RequireArgument(fcinfo, 3, "batch");
	batch = PG_GETARG_INT32(3);
	if (batch < 1 || batch > 100000)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("batch is %d", batch),
				 errdetail("It must be from 1 to 100000.")));
	RequirePrimary("answer_suite_run_resume()");
	memset(&work, 0, sizeof(work));
	memset(&run, 0, sizeof(run));
	context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval suite run", ALLOCSET_DEFAULT_SIZES);
	SPI_connect_ext(SPI_OPT_NONATOMIC);
	MemoryContextSwitchTo(context);
	PushActiveSnapshot(GetLatestSnapshot());
	run.tenant = CurrentTenant();
	run.pinning = CurrentPinning();
	work.role = GetUserNameFromId(role, false);
	SigningKeyBegin(&work.key, &run.started_at);
	run.suite = PG_GETARG_TEXT_P_COPY(0);
	RunBegin(&run, get_func_namespace(fcinfo->flinfo->fn_oid), ConfigArgument(fcinfo), PG_ARGISNULL(2) ? NULL : &version);
	WorkBegin(&run, &work);
	WorkCommit(&run, &work, role);
	while (work.done < run.cases)
	{
		Jsonb	   *row;
		JsonView	view;

		CHECK_FOR_INTERRUPTS();
		row = RunCase(&run, work.done + 1);
		RunKeepRow(&run, row, work.done + 1);
		JsonViewOfJsonb(row, &view);
		WorkChain(work.chain, &view);
		JsonViewAppend(&work.pending, view);
		work.npending++;
		work.done++;
		if (work.npending == batch && work.done < run.cases)
		{
			SuiteKeepDocuments(&run);
			WorkSave(&run, &work);
			WorkCommit(&run, &work, role);
		}
	}
	SigningKeyBegin(&work.key, &now);
	id = RunFinish(&run);
	args[0].value = PointerGetDatum(run.tenant);
	args[1].value = CStringGetTextDatum(work.id);
	(void) WriteCall("run_work_end", lengthof(types), types, args);
	PopActiveSnapshot();
	SPI_commit();
	UnlockTrace(run.tenant, SpanOfCString(work.id));
	MemoryContextSwitchTo(caller);
	id = DatumGetTextPCopy(PointerGetDatum(id));
	SPI_finish();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return ProcedureResult(id);
}

/* trials without a run */

struct SuiteTrials
{
	SuiteRun	run;
	JsonView	as_given;		/* the configuration with which the trials began */
};

SuiteTrials *
SuiteTrialsBegin(Oid schema, text *tenant, text *suite, Jsonb *config, const int *version)
{
	SuiteTrials *trials = palloc0(sizeof(SuiteTrials));

	trials->run.tenant = tenant;
	trials->run.pinning = CurrentPinning();
	trials->run.suite = suite;
	RunPrepare(&trials->run, schema, config, version);
	trials->as_given = trials->run.content.config;
	return trials;
}

int
SuiteTrialsCount(const SuiteTrials *trials)
{
	return trials->run.cases;
}

JsonView
SuiteTrialsSuite(const SuiteTrials *trials)
{
	return trials->run.content.suite;
}

JsonView
SuiteTrialsConfig(const SuiteTrials *trials)
{
	return trials->as_given;
}

const char *
SuiteTrialsDigest(const SuiteTrials *trials, int ordinal)
{
	return trials->run.digests[ordinal - 1];
}

void
SuiteTrialsCase(const SuiteTrials *trials, int ordinal, JsonView *test_case)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	SuiteReadCase(&trials->run, ordinal, test_case, digest);
}

Jsonb *
SuiteTrialsTry(SuiteTrials *trials, int ordinal, const JsonView *config, Jsonb **found)
{
	SuiteRun   *run = &trials->run;
	Jsonb	   *row;

	run->content.config = *config;
	run->terms.config = NumbersOfPortable(config);
	run->terms.found = found;
	if (found)
		*found = NULL;
	run->context = CurrentMemoryContext;
	row = RunCase(run, ordinal);
	run->terms.found = NULL;
	return row;
}

int64
SuiteTrialsTook(const SuiteTrials *trials, int ordinal)
{
	return DatumGetInt64(trials->run.took[ordinal - 1]);
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
		JsonView	test_case = JsonViewAt(&cases, i);
		JsonView	reduced;
		const char *problem;
		char		digest[DIGEST_TEXT_LENGTH + 1];
		Datum		values[5];
		bool		nulls[5] = {false};

		CHECK_FOR_INTERRUPTS();
		problem = CaseProblem(&test_case);
		if (problem)
		{
			Span		id = JsonViewMemberText(&test_case, "id");

			MalformedArgument(psprintf("cases[%d]%s: %s", i, id.len > 0 ? psprintf(" (%.*s)", Min(id.len, 200), id.str) : "", problem), NULL);
		}
		CaseDigest(&test_case, digest);
		reduced = CaseReduced(&test_case);
		values[0] = Int32GetDatum(i + 1);
		values[1] = SpanDatum(JsonViewMemberText(&test_case, "id"));
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
	JsonView	cases;
	JsonView	documents;
	JsonView	now;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &cases);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &documents);
	now = InstantView(PG_GETARG_TIMESTAMPTZ(2));
	SuiteDigest(&cases, &documents, &now, digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/* answer.run_score(rows, config, insufficiency) */
PG_FUNCTION_INFO_V1(answer_eval_run_score);
Datum
answer_eval_run_score(PG_FUNCTION_ARGS)
{
	JsonView	result = JsonViewNewObject(2);
	JsonView	rows;
	JsonView	config;
	JsonView	insufficiency;
	JsonView	scored;
	ScoreTerms	terms;

	for (int i = 0; i < 3; i++)
		LimitArgument(fcinfo, i, ARGUMENT_MAX_SIZE, i == 0 ? "rows" : i == 1 ? "config" : "insufficiency");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &rows);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &config);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &insufficiency);
	if (rows.type != JVIEW_ARRAY)
		MalformedArgument(psprintf("rows must be an array, and is %s", ShownValue(&rows)), NULL);
	if (!ScoreTermsRead(&config, &insufficiency, &terms))
		MalformedArgument("config must have both thresholds of confidence, and insufficiency must be an array of texts", NULL);
	scored = JsonViewNewArray(Max(JsonViewCount(&rows), 1));
	for (int i = 0; i < JsonViewCount(&rows); i++)
	{
		JsonView	row = JsonViewAt(&rows, i);

		CHECK_FOR_INTERRUPTS();
		if (row.type != JVIEW_OBJECT)
			MalformedArgument(psprintf("rows[%d] must be an object, and is %s", i, ShownValue(&row)), NULL);
		JsonViewAppend(&scored, RunRowScored(&row, &config, &insufficiency));
	}
	JsonViewSet(&result, "cases", scored);
	JsonViewSet(&result, "summary", RunMetrics(&scored, false));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

/*
 * forgetting documents
 */

/* Another content under the same id is another document: the digest covers the id, and a suite has each id once. */
static FixedQuery erase_copies = {
	.text = "WITH work AS (DELETE FROM answer.run_work w USING answer.suite s"
	"  WHERE w.tenant OPERATOR(pg_catalog.=) $1 AND s.tenant OPERATOR(pg_catalog.=) ANY (ARRAY[w.tenant, ''])"
	"  AND s.name OPERATOR(pg_catalog.=) w.suite AND s.version OPERATOR(pg_catalog.=) w.version"
	"  AND s.documents OPERATOR(pg_catalog.?|) $3 RETURNING w.work_id),"
	" cases AS (DELETE FROM answer.run_work_case c USING work g"
	"  WHERE c.tenant OPERATOR(pg_catalog.=) $1 AND c.work_id OPERATOR(pg_catalog.=) g.work_id)"
	" SELECT COALESCE(pg_catalog.array_agg(s.document_set), '{}') FROM answer.suite s"
	" JOIN answer.document d ON d.tenant OPERATOR(pg_catalog.=) s.document_set AND d.doc_id OPERATOR(pg_catalog.=) $2"
	"  AND d.content_hash OPERATOR(pg_catalog.=) ANY ($3)"
	" WHERE s.tenant OPERATOR(pg_catalog.=) $1 AND NOT s.seed",
	.argtypes = {TEXTOID, TEXTOID, TEXTARRAYOID}
};

const EraseQueries run_erasing = {
	.copies = &erase_copies
};
