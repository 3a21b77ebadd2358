/*-------------------------------------------------------------------------
 *
 * detector.c
 *		Users' detectors of conflicts: the registry, and calling them.
 *
 * Rule: the contract of grounded answers, "Rules are one document".  A detector
 * is a function (chunks jsonb) RETURNS jsonb; it gives pairs of chunks that
 * contradict each other, a model behind it or not.
 *
 * Rights: as of tools (call.c).  The operator's run with the rights of the
 * caller, a tenant's for that tenant alone, with those of the role that
 * registered it; each in a subtransaction, under the deadline, under the
 * settings of the database (settle.c), and only while its owner is the same
 * (binding.c).
 *
 * Promises: a failure is a result that says why, never an error of the question.
 * What a detector returns is read before anything rests on it: pairs that are
 * none are its failure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/deadline.h"
#include "base/funcargs.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "evidence/binding.h"
#include "evidence/call.h"
#include "evidence/settle.h"
#include "evidence/tool.h"
#include "ground/detector.h"

typedef struct Detector
{
	Span		name;
	char	   *handler;
	char	   *handler_owner;
	text	   *tenant;
	char	   *registered_by;
} Detector;

/* One call. */
typedef struct Detecting
{
	const Detector *detector;
	const JsonView *chunks;
	Jsonb	   *argument;
	bool		read_only;
	MemoryContext context;		/* where the result goes */
	JsonView	pairs;
} Detecting;

/*
 * The detectors that count for a tenant: those of the operator, and its own.
 * Should a shared one have come to have the name of its own, it is the one.
 */
static Detector *
FindDetectors(const text *tenant, int *count)
{
	static FixedQuery query = {
		.text = "SELECT DISTINCT ON (d.name) d.name, d.handler, d.handler_owner, d.tenant, d.registered_by"
		" FROM answer.conflict_detector d WHERE d.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $1])"
		" ORDER BY d.name, d.tenant",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	Detector   *detectors;
	bool		isnull;
	QueryRows	rows;

	rows = QueryRunAsOwner(&query, &value, NULL, true, 0);
	*count = rows.count;
	detectors = palloc0(sizeof(Detector) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		detectors[i].name = ColumnSpan(rows.table, i, 1);
		detectors[i].handler = ColumnName(rows.table, i, 2);
		detectors[i].handler_owner = ColumnName(rows.table, i, 3);
		detectors[i].tenant = DatumGetTextPCopy(SPI_getbinval(rows.table->vals[i],
															  rows.table->tupdesc, 4, &isnull));
		detectors[i].registered_by = ColumnName(rows.table, i, 5);
	}
	QueryFree(&rows);
	return detectors;
}

/* What is registered, as a value that tells one state from another. */
JsonView
DetectorsRegistered(const text *tenant)
{
	int			count;
	Detector   *detectors = FindDetectors(tenant, &count);
	JsonView	registered = JsonViewNewArray(count);

	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewNewArray(3);
		Span		handler;

		handler.str = JsonServerToUtf8(detectors[i].handler, strlen(detectors[i].handler), &handler.len);
		JsonViewAppend(&entry, JsonViewString(detectors[i].name.str, detectors[i].name.len));
		JsonViewAppend(&entry, JsonViewString(handler.str, handler.len));
		JsonViewAppend(&entry, JsonViewBool(VARSIZE_ANY_EXHDR(detectors[i].tenant) > 0));
		JsonViewAppend(&registered, entry);
	}
	return registered;
}

/* Did any detector fail?  Outcomes are read without trust. */
bool
DetectorsFailed(const JsonView *outcomes)
{
	if (outcomes->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(outcomes); i++)
	{
		JsonView	detector;
		JsonView	outcome;

		JsonViewElement(outcomes, i, &detector);
		if (!JsonViewGetMember(&detector, "outcome", &outcome) || !JsonViewStringIs(&outcome, "ok"))
			return true;
	}
	return false;
}

/* Raises unless a result is pairs of these chunks, which is the detector's failure. */
static void
RefuseBadPairs(const Detecting *detecting)
{
	Conflicts	conflicts = {0};
	const char *problem = NULL;
	ChunkSet   *set;

	set = ChunksParse(detecting->chunks, NULL, &problem);
	if (set == NULL ||
		!ConflictsAddDetected(&conflicts, set, detecting->detector->name, &detecting->pairs, &problem))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s", problem)));
}

/* Whether a detector is running; one that asks a question must not be asked about that in turn. */
static bool is_detecting = false;

static Datum
RunDetector(Oid handler, Datum argument, bool *isnull)
{
	Datum		result;

	if (is_detecting)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a conflict detector was called within a conflict detector"),
				 errhint("Let the detector compare the chunks itself, without answer_grounded() and answer_retrieve().")));
	is_detecting = true;
	PG_TRY();
	{
		result = BoundCall(handler, argument, isnull);
	}
	PG_FINALLY();
	{
		is_detecting = false;
	}
	PG_END_TRY();
	return result;
}

/* Calls one detector; contained. */
static void
CallDetector(void *arg)
{
	Detecting  *detecting = arg;
	const Detector *detector = detecting->detector;
	MemoryContext caller;
	Datum		result;
	Oid			handler;
	bool		isnull;
	Oid			user;
	int			rights;
	int			level = SettleHandler(detector->handler, false);

	/* ends with the subtransaction */
	if (detecting->read_only)
		XactReadOnly = true;
	/* a snapshot as a statement of its own has it */
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	BoundRightsTake(detector->tenant, detector->registered_by, &user, &rights);
	handler = BoundFunction(detector->handler, detector->handler_owner, JSONBOID);
	result = RunDetector(handler, JsonbPGetDatum(detecting->argument), &isnull);
	SetUserIdAndSecContext(user, rights);
	PopActiveSnapshot();
	AtEOXact_GUC(false, level);
	detecting->pairs = JsonViewNewArray(0);
	if (!isnull)
	{
		Jsonb	   *jsonb = DatumGetJsonbP(result);

		JsonViewOfJsonb(jsonb, &detecting->pairs);
		RefuseBadResult(&detecting->pairs, VARSIZE(jsonb));
		RefuseBadPairs(detecting);
	}
	caller = MemoryContextSwitchTo(detecting->context);
	JsonViewOfJsonb(JsonViewToJsonb(&detecting->pairs, true), &detecting->pairs);
	MemoryContextSwitchTo(caller);
}

/* Calls one; adds what it found, and what became of it. */
static void
DetectWith(const Detector *detector, Detecting *detecting, const DetectorTerms *terms, Detection *detection)
{
	JsonView	outcome = JsonViewNewObject(4);
	Tool		tool = {.name = detector->name};
	CallFailure failure;
	bool		came;

	detecting->detector = detector;
	came = CallContained(CallDetector, detecting, terms->deadline, terms->deadline_ms, &failure);
	JsonViewSet(&outcome, "name", JsonViewString(detector->name.str, detector->name.len));
	JsonViewSet(&outcome, "outcome", JsonViewCString(came ? "ok" : "failed"));
	if (came)
		detection->detected[detection->ndetected++] = (DetectedPairs) {detector->name, detecting->pairs};
	else
	{
		JsonViewSet(&outcome, "sqlstate", JsonViewCString(pstrdup(failure.sqlstate)));
		JsonViewSet(&outcome, "message", CallFailureMessage(&failure));
		ToolLogFailure(&tool, "conflict detector", &failure);
	}
	JsonViewAppend(&detection->outcomes, outcome);
}

/*
 * Has the detectors of a tenant look at chunks, such as can be read.  SPI must be
 * connected; what is found is in the caller's memory.
 */
void
DetectConflicts(const JsonView *chunks, const DetectorTerms *terms, Detection *detection)
{
	int			count;
	Detector   *detectors = FindDetectors(terms->tenant, &count);
	Detecting	detecting = {.chunks = chunks,.read_only = terms->read_only,.context = CurrentMemoryContext};
	int			level;

	memset(detection, 0, sizeof(*detection));
	if (count == 0)
		return;
	detection->outcomes = JsonViewNewArray(count);
	detection->detected = palloc0(sizeof(DetectedPairs) * count);
	detecting.argument = JsonViewToJsonb(chunks, false);
	level = SettleSettings();
	for (int i = 0; i < count; i++)
		DetectWith(&detectors[i], &detecting, terms, detection);
	AtEOXact_GUC(false, level);
}

/*
 * SQL
 */

/* answer_conflict_detector_register(name, handler, description, replace) */
PG_FUNCTION_INFO_V1(answer_eval_conflict_detector_register);
Datum
answer_eval_conflict_detector_register(PG_FUNCTION_ARGS)
{
	TenantRegister(fcinfo, "conflict_detector_put", 0, NULL, NULL);
	PG_RETURN_VOID();
}
