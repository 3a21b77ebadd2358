/*-------------------------------------------------------------------------
 *
 * stored_run.c
 *		Stored executions of plans: answer.plan_run and answer.plan_step.
 *
 * Manual: doc/plan.md, "Executing plans".  Stateful.  An execution has a row from its
 * start.  Until it is done, this row, its events and the rows of its steps are enough
 * to continue it, or to end it after a crash.  After that its document has everything.
 *
 * Promises: a user who can write these rows cannot change how an execution continues.
 * The kernel signs the state, with the other columns and the last event; each event is
 * signed, and has the digests of its inputs and outputs.  One thing is not detected: a
 * complete older state that is put back with the events and the reservation of that
 * time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/chain.h"
#include "plan/stored_run.h"
#include "keys/keyring.h"

static const char *const status_labels[] = {"running", "pending", "done"};

#define RUN_COLUMNS "r.tenant, r.trace_id, r.plan_id, r.request_id, r.request_digest, r.role, r.status," \
	" r.evaluated_at, r.started_at, r.expires_at, r.state, r.receipt_id, r.issued_at"

bool
RunInsert(const StoredRun *run)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_id, request_digest, role, status,"
		" evaluated_at, started_at, state) VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8, '{}')"
		" ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	char		nulls[] = "        ";
	Datum		values[8];

	values[0] = PointerGetDatum(run->tenant);
	values[1] = CStringGetTextDatum(run->trace_id);
	values[2] = SpanDatum(run->plan_id);
	values[3] = run->request_id.len > 0 ? SpanDatum(run->request_id) : (Datum) 0;
	nulls[3] = run->request_id.len > 0 ? ' ' : 'n';
	values[4] = SpanDatum(run->request_digest);
	values[5] = CStringGetTextDatum(run->role);
	values[6] = TimestampTzGetDatum(run->evaluated_at);
	values[7] = TimestampTzGetDatum(run->started_at);
	return QueryFound(QueryRunForOurselves(&insert, values, nulls));
}

void
RunInsertDone(const StoredRun *run, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_digest, role, status,"
		" evaluated_at, started_at, finished_at, verdict, receipt_id, issued_at)"
		" VALUES ($1, $2, $3, $4, $5, 'done', $6, $7, pg_catalog.clock_timestamp(), $8, $9, $10)",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID, TEXTOID,
		TIMESTAMPTZOID}
	};
	Datum		values[10];

	values[0] = PointerGetDatum(run->tenant);
	values[1] = CStringGetTextDatum(run->trace_id);
	values[2] = SpanDatum(run->plan_id);
	values[3] = SpanDatum(run->request_digest);
	values[4] = CStringGetTextDatum(run->role);
	values[5] = TimestampTzGetDatum(run->evaluated_at);
	values[6] = TimestampTzGetDatum(run->started_at);
	values[7] = CStringGetTextDatum(plan_verdict_labels[verdict]);
	values[8] = SpanDatum(receipt_id);
	values[9] = TimestampTzGetDatum(issued_at);
	QueryRunForOurselves(&insert, values, NULL);
}

static void
ReadRun(SPITupleTable *table, int row, StoredRun *run)
{
	char	   *status = ColumnName(table, row, 7);
	Jsonb	   *state = ColumnJsonb(table, row, 11);

	memset(run, 0, sizeof(*run));
	run->tenant = TextOfUtf8(ColumnSpan(table, row, 1));
	strlcpy(run->trace_id, ColumnName(table, row, 2), sizeof(run->trace_id));
	run->plan_id = ColumnSpan(table, row, 3);
	run->request_id = ColumnSpan(table, row, 4);
	run->request_digest = ColumnSpan(table, row, 5);
	run->role = ColumnName(table, row, 6);
	run->status = strcmp(status, status_labels[RUN_DONE]) == 0 ? RUN_DONE :
		strcmp(status, status_labels[RUN_PENDING]) == 0 ? RUN_PENDING : RUN_RUNNING;
	(void) ColumnInstant(table, row, 8, &run->evaluated_at);
	(void) ColumnInstant(table, row, 9, &run->started_at);
	(void) ColumnInstant(table, row, 10, &run->expires_at);
	if (state)
		JsonViewOfJsonb(state, &run->state);
	run->receipt_id = ColumnSpan(table, row, 12);
	(void) ColumnInstant(table, row, 13, &run->issued_at);
}

static bool
TakeRun(QueryRows rows, StoredRun *run)
{
	bool		found = rows.count > 0;

	if (found)
		ReadRun(rows.table, 0, run);
	QueryFree(&rows);
	return found;
}

bool
RunFind(text *tenant, const char *trace_id, bool lock, StoredRun *run)
{
	static FixedQuery find = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	static FixedQuery find_locked = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2 FOR UPDATE",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), CStringGetTextDatum(trace_id)};

	return TakeRun(QueryRunForOurselves(lock ? &find_locked : &find, values, NULL), run);
}

bool
RunFindRequest(text *tenant, Span request_id, StoredRun *run)
{
	static FixedQuery find = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.request_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(request_id)};

	return TakeRun(QueryRunAsOwner(&find, values, NULL, false, 0), run);
}

/* Raises an error if the row is missing, because somebody, such as a tool, has deleted it. */
static void
RequireRow(const Trace *trace, uint64 count)
{
	if (count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the execution of trace \"%s\" is not stored any more", trace->id),
				 errdetail("Its row was deleted while the plan was executed."),
				 errhint("Only the kernel writes answer.plan_run: see who else can, and which tools do.")));
}

/* stored state of an unfinished execution */

/* Returns the columns that an execution depends on when it continues. */
static JsonView
RowView(const StoredRun *run)
{
	JsonView	view = JsonViewNewObject(12);

	JsonViewSet(&view, "tenant", HexView(VARDATA_ANY(run->tenant), VARSIZE_ANY_EXHDR(run->tenant)));
	JsonViewSet(&view, "trace_id", JsonViewCString(pstrdup(run->trace_id)));
	JsonViewSet(&view, "plan_id", JsonViewString(run->plan_id.str, run->plan_id.len));
	JsonViewSet(&view, "request_id", JsonViewString(run->request_id.str, run->request_id.len));
	JsonViewSet(&view, "request_digest", JsonViewString(run->request_digest.str, run->request_digest.len));
	JsonViewSet(&view, "role", HexView(run->role, strlen(run->role)));
	JsonViewSet(&view, "status", JsonViewCString(status_labels[run->status]));
	JsonViewSet(&view, "evaluated_at", InstantViewOrNull(run->evaluated_at));
	JsonViewSet(&view, "started_at", InstantViewOrNull(run->started_at));
	JsonViewSet(&view, "expires_at", run->status == RUN_PENDING ? InstantViewOrNull(run->expires_at) : JsonViewNull());
	return view;
}

/* Returns what is signed: a state, and in its member "run" the other columns, which are not stored there. */
static JsonView
SignedView(const StoredRun *run, const JsonView *state)
{
	static const char *const run_member[] = {"run"};
	JsonView	view = JsonViewCopyWithout(state, run_member, lengthof(run_member), 1);

	JsonViewSet(&view, "run", RowView(run));
	return view;
}

/* Returns the state as it is stored: with its instant and the signature. */
static Jsonb *
SignState(const StoredRun *run, const JsonView *state, const SigningKey *key, TimestampTz at)
{
	JsonView	kept = JsonViewCopyWithout(state, NULL, 0, 2);
	JsonView	view;
	StringInfoData text;
	char		signature[SIGNATURE_TEXT_LENGTH + 1];

	JsonViewSet(&kept, "kept_at", InstantView(at));
	view = SignedView(run, &kept);
	initStringInfo(&text);
	CanonicalWrite(&text, &view, NULL);
	SigningKeySign(key, text.data, text.len, signature);
	pfree(text.data);
	JsonViewSet(&kept, "sig", SignatureView(key, signature));
	return JsonViewToJsonb(&kept, false);
}

void
RunKeep(const Trace *trace, const StoredRun *run, const JsonView *state, const SigningKey *key, TimestampTz at)
{
	static FixedQuery update = {
		.text = "UPDATE answer.plan_run SET status = $3, expires_at = $4, state = $5"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, JSONBOID}
	};
	char		nulls[] = "     ";
	Datum		values[5];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = CStringGetTextDatum(status_labels[run->status]);
	values[3] = TimestampTzGetDatum(run->expires_at);
	nulls[3] = run->status == RUN_PENDING ? ' ' : 'n';
	values[4] = JsonbPGetDatum(SignState(run, state, key, at));
	RequireRow(trace, QueryRunForOurselves(&update, values, nulls).count);
}

static const char *
StateProblem(const StoredRun *run, KeptKeys *keys)
{
	JsonView	view;

	if (run->state.type != JVIEW_OBJECT)
		return "its state is no object";
	view = SignedView(run, &run->state);
	return MemberSignatureProblem(&view, "state", "kept_at", RegistryKeysOfSig(&view, keys));
}

/* Does a value have the digest that the event states? */
static bool
HashHolds(const JsonView *event, const char *name, const JsonView *value)
{
	JsonView	stated;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!JsonViewGetMember(event, name, &stated))
		return false;
	if (value->type == JVIEW_ABSENT)
		return stated.type == JVIEW_NULL;
	CanonicalDigestPortable(value, digest);
	return stated.type == JVIEW_STRING && SpanEqualCString(SpanOf(stated.str, stated.len), digest);
}

/* Returns why an event is not a signed event of this execution, or NULL. */
static const char *
RecordProblem(const StoredRun *run, const FollowRecord *record, KeptKeys *keys)
{
	JsonView	member;
	char	   *tenant = text_to_cstring(run->tenant);

	if (record->event.type != JVIEW_OBJECT)
		return "it is no object";
	if (!JsonViewGetMember(&record->event, "trace_id", &member) || !JsonViewStringIs(&member, run->trace_id) ||
		(JsonViewGetMember(&record->event, "tenant", &member) ? !JsonViewStringIs(&member, tenant) : tenant[0] != '\0'))
		return "it is of another trace";
	if (!HashHolds(&record->event, "inputs_hash", &record->inputs))
		return "its inputs are not those that it tells of";
	if (!HashHolds(&record->event, "outputs_hash", &record->outputs))
		return "its outputs are not those that it tells of";
	return TraceSignatureProblem(&record->event, RegistryKeysOfSig(&record->event, keys));
}

/*
 * Checks the last event against the one that the state names.  A running execution
 * may have more events since; a waiting one may not.
 */
static const char *
EndProblem(const StoredRun *run, const FollowRecord *records, int count)
{
	JsonView	member;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	int64		kept;

	if (!JsonViewGetMember(&run->state, "events", &member) || !NumberIntegerBetween(&member, 0, count, &kept) ||
		(run->status == RUN_PENDING && kept < count))
		return "it has not the events that it had";
	if (kept == 0)
		return NULL;
	CanonicalDigest(&records[kept - 1].event, NULL, digest);
	return JsonViewGetMember(&run->state, "last_event", &member) && JsonViewStringIs(&member, digest) ? NULL :
		"its last event is another one";
}

const char *
RunKeptProblem(const StoredRun *run, const FollowRecord *records, int count, bool key_at_any_time)
{
	JsonView	events = JsonViewNewArray(Max(count, 1));
	KeptKeys	keys = {.at_any_time = key_at_any_time};
	const char *problem = StateProblem(run, &keys);

	for (int i = 0; i < count && problem == NULL; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&events, records[i].event);
		problem = RecordProblem(run, &records[i], &keys);
		if (problem)
			return psprintf("event %d: %s", i + 1, problem);
	}
	if (problem == NULL)
		problem = TraceChainProblem(&events, NULL);
	return problem ? problem : EndProblem(run, records, count);
}

void
RunRequireKept(const StoredRun *run, const FollowRecord *records, int count)
{
	const char *problem;

	/* a user that resumes a plan need not be able to read keys */
	AS_OWNER(problem = RunKeptProblem(run, records, count, false));
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("what is stored of trace \"%s\" is not what was kept: %s", run->trace_id, problem),
				 errhint("Only the kernel writes answer.plan_run, answer.plan_step and answer.plan_event: see who else can.")));
}

void
RunFinish(const Trace *trace, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at)
{
	static FixedQuery update = {
		.text = "UPDATE answer.plan_run SET status = 'done', state = NULL, verdict = $3, receipt_id = $4, issued_at = $5,"
		" finished_at = pg_catalog.clock_timestamp()"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	static FixedQuery clear = {
		.text = "DELETE FROM answer.plan_step"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[5];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = CStringGetTextDatum(plan_verdict_labels[verdict]);
	values[3] = SpanDatum(receipt_id);
	values[4] = TimestampTzGetDatum(issued_at);
	RequireRow(trace, QueryRunForOurselves(&update, values, NULL).count);
	QueryRunForOurselves(&clear, values, NULL);
}

void
RunStepKeep(const Trace *trace, const FollowRecord *record, int seq)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_step (tenant, trace_id, seq, inputs, outputs) VALUES ($1, $2, $3, $4, $5)",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, JSONBOID, JSONBOID}
	};
	char		nulls[] = "     ";
	Datum		values[5];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = Int32GetDatum(seq);
	values[3] = values[4] = (Datum) 0;
	if (record->inputs.type != JVIEW_ABSENT)
		values[3] = JsonbPGetDatum(JsonViewToJsonb(&record->inputs, false));
	else
		nulls[3] = 'n';
	if (record->outputs.type != JVIEW_ABSENT)
		values[4] = JsonbPGetDatum(JsonViewToJsonb(&record->outputs, false));
	else
		nulls[4] = 'n';
	QueryRunForOurselves(&insert, values, nulls);
}

FollowRecord *
RunRecords(const Trace *trace, int *count)
{
	static FixedQuery find = {
		.text = "SELECT e.event, s.inputs, s.outputs FROM answer.plan_event e LEFT JOIN answer.plan_step s"
		" ON s.tenant OPERATOR(pg_catalog.=) e.tenant AND s.trace_id OPERATOR(pg_catalog.=) e.trace_id"
		" AND s.seq OPERATOR(pg_catalog.=) e.seq"
		" WHERE e.tenant OPERATOR(pg_catalog.=) $1 AND e.trace_id OPERATOR(pg_catalog.=) $2 ORDER BY e.seq",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(trace->tenant), CStringGetTextDatum(trace->id)};
	FollowRecord *records;
	QueryRows	rows = QueryRunAsOwner(&find, values, NULL, false, 0);

	*count = rows.count;
	records = palloc0(sizeof(FollowRecord) * (Size) Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		Jsonb	   *inputs = ColumnJsonb(rows.table, i, 2);
		Jsonb	   *outputs = ColumnJsonb(rows.table, i, 3);

		JsonViewOfJsonb(ColumnJsonb(rows.table, i, 1), &records[i].event);
		if (inputs)
			JsonViewOfJsonb(inputs, &records[i].inputs);
		if (outputs)
			JsonViewOfJsonb(outputs, &records[i].outputs);
	}
	QueryFree(&rows);
	return records;
}

Jsonb *
RunDocument(const StoredRun *run, bool *is_here)
{
	static FixedQuery find = {
		.text = "SELECT r.body, (r.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) 'plan/v1'"
		" FROM answer.receipt r WHERE r.receipt_id OPERATOR(pg_catalog.=) $1"
		" AND r.issued_at OPERATOR(pg_catalog.=) $2 AND r.tenant OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TIMESTAMPTZOID, TEXTOID}
	};
	Datum		values[3];
	Jsonb	   *body = NULL;
	QueryRows	rows;

	values[0] = SpanDatum(run->receipt_id);
	values[1] = TimestampTzGetDatum(run->issued_at);
	values[2] = PointerGetDatum(run->tenant);
	rows = QueryRunAsOwner(&find, values, NULL, false, 0);
	*is_here = rows.count > 0;
	if (*is_here && DatumGetBool(ColumnDatum(rows.table, 0, 2)))
		body = ColumnJsonb(rows.table, 0, 1);
	QueryFree(&rows);
	return body;
}

int
RunOrphans(Datum tenants, TimestampTz now, StoredRun **runs)
{
	static FixedQuery find = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r WHERE r.status OPERATOR(pg_catalog.<>) 'done'"
		" AND r.tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND (r.status OPERATOR(pg_catalog.=) 'running' OR r.expires_at OPERATOR(pg_catalog.<=) $2)"
		" ORDER BY r.started_at, r.trace_id",
		.argtypes = {TEXTARRAYOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {tenants, TimestampTzGetDatum(now)};
	int			count;
	QueryRows	rows = QueryRunAsOwner(&find, values, NULL, false, 0);

	count = rows.count;
	*runs = palloc(sizeof(StoredRun) * (Size) Max(count, 1));
	for (int i = 0; i < count; i++)
		ReadRun(rows.table, i, &(*runs)[i]);
	QueryFree(&rows);
	return count;
}

#define INSTANT_PATTERN "'^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9][.]?[0-9]*Z$'"

/* Rows of unfinished plans; what other plans have signed is older than their documents. */
const SignedRows run_signed = {
	.newest = "SELECT e.event OPERATOR(pg_catalog.#>>) '{sig,key_id}', e.ts_end"
	" FROM answer.plan_run p JOIN answer.plan_event e ON e.tenant OPERATOR(pg_catalog.=) p.tenant"
	" AND e.trace_id OPERATOR(pg_catalog.=) p.trace_id WHERE p.status OPERATOR(pg_catalog.<>) 'done'"
	" UNION ALL SELECT p.state OPERATOR(pg_catalog.#>>) '{sig,key_id}',"
	" CASE WHEN p.state OPERATOR(pg_catalog.->>) 'kept_at' OPERATOR(pg_catalog.~) " INSTANT_PATTERN
	" THEN (p.state OPERATOR(pg_catalog.->>) 'kept_at')::pg_catalog.timestamptz END"
	" FROM answer.plan_run p WHERE p.status OPERATOR(pg_catalog.<>) 'done'"
};
