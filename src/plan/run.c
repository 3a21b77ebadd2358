/*-------------------------------------------------------------------------
 *
 * run.c
 *		Executions of plans as they are stored: answer.plan_run, answer.plan_step.
 *
 * Rule: "Execution and transactions" of the contract of plans.  Stateful.  An
 * execution has a row from its start on.  Until it is done the row, its events
 * and the rows of its steps are all that is needed to go on with it, or to end
 * it after a crash; from then on its document has everything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "plan/run.h"

static const char *const status_labels[] = {"running", "pending", "done"};

#define RUN_COLUMNS "r.tenant, r.trace_id, r.plan_id, r.request_id, r.request_digest, r.role, r.status," \
	" r.evaluated_at, r.started_at, r.expires_at, r.state, r.receipt_id, r.issued_at"

bool
RunInsert(const StoredRun *run)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_id, request_digest, role, status,"
		" evaluated_at, started_at, state) VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $8, '{}')"
		" ON CONFLICT (tenant, request_id) WHERE request_id IS NOT NULL DO NOTHING",
		.nargs = 8,
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
	QueryRunAsOwner(&insert, values, nulls, false, 0);
	return SPI_processed > 0;
}

static void
ReadRun(int row, StoredRun *run)
{
	SPITupleTable *table = SPI_tuptable;
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
TakeRun(StoredRun *run)
{
	bool		found = SPI_processed > 0;

	if (found)
		ReadRun(0, run);
	SPI_freetuptable(SPI_tuptable);
	return found;
}

bool
RunFind(text *tenant, const char *trace_id, bool lock, StoredRun *run)
{
	static FixedQuery find = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	static FixedQuery find_locked = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2 FOR UPDATE",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), CStringGetTextDatum(trace_id)};

	QueryRunAsOwner(lock ? &find_locked : &find, values, NULL, false, 0);
	return TakeRun(run);
}

bool
RunFindRequest(text *tenant, Span request_id, StoredRun *run)
{
	static FixedQuery find = {
		.text = "SELECT " RUN_COLUMNS " FROM answer.plan_run r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.request_id OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(request_id)};

	QueryRunAsOwner(&find, values, NULL, false, 0);
	return TakeRun(run);
}

void
RunKeep(const Trace *trace, RunStatus status, TimestampTz expires_at, const JsonView *state)
{
	static FixedQuery update = {
		.text = "UPDATE answer.plan_run SET status = $3, expires_at = $4, state = $5"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, JSONBOID}
	};
	char		nulls[] = "     ";
	Datum		values[5];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = CStringGetTextDatum(status_labels[status]);
	values[3] = TimestampTzGetDatum(expires_at);
	nulls[3] = status == RUN_PENDING ? ' ' : 'n';
	values[4] = JsonbPGetDatum(JsonViewToJsonb(state, false));
	QueryRunAsOwner(&update, values, nulls, false, 0);
}

void
RunFinish(const Trace *trace, PlanVerdict verdict, Span receipt_id, TimestampTz issued_at)
{
	static FixedQuery update = {
		.text = "UPDATE answer.plan_run SET status = 'done', state = NULL, verdict = $3, receipt_id = $4, issued_at = $5,"
		" finished_at = pg_catalog.clock_timestamp()"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	static FixedQuery clear = {
		.text = "DELETE FROM answer.plan_step"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND trace_id OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[5];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = CStringGetTextDatum(plan_verdict_labels[verdict]);
	values[3] = SpanDatum(receipt_id);
	values[4] = TimestampTzGetDatum(issued_at);
	QueryRunAsOwner(&update, values, NULL, false, 0);
	QueryRunAsOwner(&clear, values, NULL, false, 0);
}

void
RunStepKeep(const Trace *trace, const FollowRecord *record, int seq)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_step (tenant, trace_id, seq, inputs, outputs) VALUES ($1, $2, $3, $4, $5)",
		.nargs = 5,
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
	QueryRunAsOwner(&insert, values, nulls, false, 0);
}

FollowRecord *
RunRecords(const Trace *trace, int *count)
{
	static FixedQuery find = {
		.text = "SELECT e.event, s.inputs, s.outputs FROM answer.plan_event e LEFT JOIN answer.plan_step s"
		" ON s.tenant OPERATOR(pg_catalog.=) e.tenant AND s.trace_id OPERATOR(pg_catalog.=) e.trace_id"
		" AND s.seq OPERATOR(pg_catalog.=) e.seq"
		" WHERE e.tenant OPERATOR(pg_catalog.=) $1 AND e.trace_id OPERATOR(pg_catalog.=) $2 ORDER BY e.seq",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(trace->tenant), CStringGetTextDatum(trace->id)};
	FollowRecord *records;

	QueryRunAsOwner(&find, values, NULL, false, 0);
	*count = SPI_processed;
	records = palloc0(sizeof(FollowRecord) * (Size) Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		Jsonb	   *inputs = ColumnJsonb(SPI_tuptable, i, 2);
		Jsonb	   *outputs = ColumnJsonb(SPI_tuptable, i, 3);

		JsonViewOfJsonb(ColumnJsonb(SPI_tuptable, i, 1), &records[i].event);
		if (inputs)
			JsonViewOfJsonb(inputs, &records[i].inputs);
		if (outputs)
			JsonViewOfJsonb(outputs, &records[i].outputs);
	}
	SPI_freetuptable(SPI_tuptable);
	return records;
}

Jsonb *
RunDocument(const StoredRun *run)
{
	static FixedQuery find = {
		.text = "SELECT r.body FROM answer.receipt r WHERE r.receipt_id OPERATOR(pg_catalog.=) $1"
		" AND r.issued_at OPERATOR(pg_catalog.=) $2 AND r.tenant OPERATOR(pg_catalog.=) $3"
		" AND (r.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) 'plan/v1'",
		.nargs = 3,
		.argtypes = {TEXTOID, TIMESTAMPTZOID, TEXTOID}
	};
	Datum		values[3];
	Jsonb	   *body = NULL;

	values[0] = SpanDatum(run->receipt_id);
	values[1] = TimestampTzGetDatum(run->issued_at);
	values[2] = PointerGetDatum(run->tenant);
	QueryRunAsOwner(&find, values, NULL, false, 0);
	if (SPI_processed > 0)
		body = ColumnJsonb(SPI_tuptable, 0, 1);
	SPI_freetuptable(SPI_tuptable);
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
		.nargs = 2,
		.argtypes = {TEXTARRAYOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {tenants, TimestampTzGetDatum(now)};
	int			count;

	QueryRunAsOwner(&find, values, NULL, false, 0);
	count = SPI_processed;
	*runs = palloc(sizeof(StoredRun) * (Size) Max(count, 1));
	for (int i = 0; i < count; i++)
		ReadRun(i, &(*runs)[i]);
	SPI_freetuptable(SPI_tuptable);
	return count;
}
