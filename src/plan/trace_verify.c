/*-------------------------------------------------------------------------
 *
 * trace_verify.c
 *		Verifies stored traces of plans, for SQL.
 *
 * Rule: doc/spec/plan.md §8 and §16.  trace.c defines events and their chain; this
 * module reads stored events, and reports on them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/signed.h"
#include "plan/plan_receipt.h"
#include "plan/trace.h"

/* Returns the events of a trace of these tenants, in order. */
static QueryRows
FindEvents(Datum tenants, Datum trace_id)
{
	static FixedQuery query = {
		.text = "SELECT e.event, e.seq FROM answer.plan_event e WHERE e.tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND e.trace_id OPERATOR(pg_catalog.=) $2 ORDER BY e.seq",
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	Datum		values[2] = {tenants, trace_id};

	return QueryRun(&query, values, NULL, true, 0);
}

/* Finds the last event that the document of a trace names; false if there is no document. */
static bool
FindLastEvent(Datum tenants, Datum trace_id, Span *receipt_id, Span *last)
{
	static FixedQuery query = {
		.text = "SELECT r.receipt_id, r.body OPERATOR(pg_catalog.->>) 'last_event' FROM answer.plan_run p"
		" JOIN answer.receipt r ON r.receipt_id OPERATOR(pg_catalog.=) p.receipt_id"
		" AND r.issued_at OPERATOR(pg_catalog.=) p.issued_at AND r.tenant OPERATOR(pg_catalog.=) p.tenant"
		" WHERE p.tenant OPERATOR(pg_catalog.=) ANY ($1) AND p.trace_id OPERATOR(pg_catalog.=) $2"
		" AND r.schema OPERATOR(pg_catalog.=) 'plan/v1'",
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	Datum		values[2] = {tenants, trace_id};
	bool		found;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	found = rows.count > 0;
	if (found)
	{
		*receipt_id = ColumnSpan(rows.table, 0, 1);
		*last = ColumnSpan(rows.table, 0, 2);
	}
	QueryFree(&rows);
	return found;
}

/*
 * Finds the nodes for whose answers a plan waits, [{node, tool}], and until when;
 * false if it waits for none.  Their arguments are not returned, because more roles
 * may read a trace than may answer.
 */
static bool
FindPendingNodes(Datum tenants, Datum trace_id, JsonView *pending, JsonView *expires_at)
{
	static FixedQuery query = {
		.text = "SELECT (SELECT COALESCE(pg_catalog.jsonb_agg(CASE WHEN pg_catalog.jsonb_typeof(n.node) OPERATOR(pg_catalog.=) 'object'"
		" THEN n.node OPERATOR(pg_catalog.-) 'args' END ORDER BY n.place), '[]')"
		" FROM pg_catalog.jsonb_array_elements(p.state OPERATOR(pg_catalog.->) 'pending') WITH ORDINALITY AS n (node, place)),"
		" p.expires_at FROM answer.plan_run p WHERE p.tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND p.trace_id OPERATOR(pg_catalog.=) $2 AND p.status OPERATOR(pg_catalog.=) 'pending'"
		" AND pg_catalog.jsonb_typeof(p.state OPERATOR(pg_catalog.->) 'pending') OPERATOR(pg_catalog.=) 'array'",
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	Datum		values[2] = {tenants, trace_id};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);
	bool		found = rows.count > 0;

	if (found)
	{
		TimestampTz instant = 0;

		JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), pending);
		(void) ColumnInstant(rows.table, 0, 2, &instant);
		/* a row that was edited by hand must not prevent verifying the trace */
		*expires_at = InstantViewOrNull(instant);
	}
	QueryFree(&rows);
	return found;
}

/* Raises an error unless these tenants have the trace, the role may read it, and it was not forgotten. */
static void
RequireTrace(Datum tenants, Oid reader, Datum trace_id)
{
	static FixedQuery query = {
		.text = "SELECT r.body OPERATOR(pg_catalog.->>) 'schema' OPERATOR(pg_catalog.<>) 'plan/v1' FROM answer.plan_run p"
		" LEFT JOIN answer.receipt r ON r.receipt_id OPERATOR(pg_catalog.=) p.receipt_id"
		" AND r.issued_at OPERATOR(pg_catalog.=) p.issued_at AND r.tenant OPERATOR(pg_catalog.=) p.tenant"
		" WHERE p.tenant OPERATOR(pg_catalog.=) ANY ($1) AND p.trace_id OPERATOR(pg_catalog.=) $2"
		" AND answer.trace_readable($1, $3, p.role)",
		.argtypes = {TEXTARRAYOID, TEXTOID, OIDOID}
	};
	Datum		values[3] = {tenants, trace_id, ObjectIdGetDatum(reader)};
	bool		isnull;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no trace \"%s\"", TextDatumGetCString(trace_id))));
	if (DatumGetBool(SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &isnull)) && !isnull)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("trace \"%s\" was forgotten, with the document of its plan", TextDatumGetCString(trace_id)),
				 errhint("answer.tombstone tells when and why.")));
	QueryFree(&rows);
}

static void
AddProblem(JsonView *problems, int seq, const char *reason)
{
	JsonView	problem = JsonViewNewObject(2);

	JsonViewSet(&problem, "seq", seq > 0 ? JsonViewInteger(seq) : JsonViewNull());
	JsonViewSet(&problem, "reason", JsonViewCString(reason));
	JsonViewAppend(problems, problem);
}

/* Checks the signatures of events. */
static void
CheckSignatures(const JsonView *events, JsonView *problems)
{
	KeptKeys	keys = {0};

	for (int i = 0; i < JsonViewCount(events); i++)
	{
		JsonView	event = JsonViewAt(events, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = TraceSignatureProblem(&event, RegistryKeysOfSig(&event, &keys));
		if (problem)
			AddProblem(problems, i + 1, problem);
	}
}

static JsonView
VerifyTrace(Datum tenants, Datum trace_id)
{
	JsonView	report = JsonViewNewObject(8);
	JsonView	problems = JsonViewNewArray(0);
	JsonView	events;
	QueryRows	rows = FindEvents(tenants, trace_id);
	char		last[DIGEST_TEXT_LENGTH + 1] = "";
	Span		receipt_id = {"", 0};
	Span		stated;
	JsonView	pending;
	JsonView	expires_at;
	const char *problem;

	events = JsonViewNewArray((int) Max(rows.count, 1));
	for (uint64 i = 0; i < rows.count; i++)
	{
		JsonView	event;

		JsonViewOfJsonb(ColumnJsonb(rows.table, (int) i, 1), &event);
		JsonViewAppend(&events, event);
	}
	QueryFree(&rows);
	problem = TraceChainProblem(&events, last);
	if (problem)
		AddProblem(&problems, 0, problem);
	CheckSignatures(&events, &problems);
	if (FindLastEvent(tenants, trace_id, &receipt_id, &stated) && !SpanEqualCString(stated, last))
		AddProblem(&problems, 0, "the last event is not the one that the document names");
	JsonViewSet(&report, "ok", JsonViewBool(JsonViewCount(&problems) == 0));
	JsonViewSet(&report, "events", JsonViewInteger((int64) rows.count));
	JsonViewSet(&report, "last_event", last[0] ? JsonViewCString(pstrdup(last)) : JsonViewNull());
	JsonViewSet(&report, "receipt_id", receipt_id.len > 0 ? JsonViewString(receipt_id.str, receipt_id.len) : JsonViewNull());
	JsonViewSet(&report, "problems", problems);
	if (FindPendingNodes(tenants, trace_id, &pending, &expires_at))
	{
		JsonViewSet(&report, "pending", pending);
		JsonViewSet(&report, "expires_at", expires_at);
	}
	return report;
}

/* answer_trace_verify(trace_id) */
PG_FUNCTION_INFO_V1(answer_eval_trace_verify);
Datum
answer_eval_trace_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Datum		tenants = PointerGetDatum(ReadableTenants());
	JsonView	report;
	Oid			user;
	int			context;

	SPI_connect();
	AnswerAsOwner(&user, &context);
	RequireTrace(tenants, user, PG_GETARG_DATUM(0));
	report = VerifyTrace(tenants, PG_GETARG_DATUM(0));
	AnswerAsCaller(user, context);
	return FinishWithView(&report, false, caller);
}
