/*-------------------------------------------------------------------------
 *
 * run_audit.c
 *		The audit of stored executions of plans.
 *
 * A finished execution has a signed document, which repeats what its row and its
 * reservation say.  An unfinished one has a signed state, and its rows are checked
 * against it as in resuming (stored_run.c).
 *
 * Promises: those of log/audit.c, because it is part of an audit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "plan/stored_run.h"
#include "plan/run_audit.h"

enum
{
	RUN_TENANT = 1,
	RUN_TRACE_ID,
	RUN_PLAN_ID,
	RUN_REQUEST_ID,
	RUN_REQUEST_DIGEST,
	RUN_ROLE,
	RUN_STATUS,
	RUN_EVALUATED_AT,
	RUN_STARTED_AT,
	RUN_EXPIRES_AT,
	RUN_STATE,
	RUN_STEPS
};

/* Reads the events of an execution with their stored inputs and outputs; false if they are malformed. */
static bool
ReadRecords(const AuditRow *row, FollowRecord **records, int *count)
{
	JsonView	steps;

	if (!RowView(row, RUN_STEPS, &steps))
		return false;
	*count = JsonViewCount(&steps);
	*records = palloc0(sizeof(FollowRecord) * (Size) Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		FollowRecord *record = &(*records)[i];
		JsonView	step = JsonViewAt(&steps, i);

		CHECK_FOR_INTERRUPTS();
		JsonViewGetMember(&step, "event", &record->event);
		/* missing values are absent */
		JsonViewGetMember(&step, "inputs", &record->inputs);
		JsonViewGetMember(&step, "outputs", &record->outputs);
	}
	return true;
}

/* Returns what is wrong with an unfinished execution, or NULL, and the kind of finding. */
static const char *
UnfinishedProblem(const AuditRow *row, const char **finding)
{
	const char *problem;
	StoredRun	run;
	char	   *status = RowString(row, RUN_STATUS);
	FollowRecord *records;
	int			count;

	memset(&run, 0, sizeof(run));
	run.tenant = cstring_to_text(RowString(row, RUN_TENANT));
	strlcpy(run.trace_id, RowString(row, RUN_TRACE_ID), sizeof(run.trace_id));
	run.plan_id = RowSpan(row, RUN_PLAN_ID);
	run.request_id = RowSpan(row, RUN_REQUEST_ID);
	run.request_digest = RowSpan(row, RUN_REQUEST_DIGEST);
	run.role = RowString(row, RUN_ROLE) ? RowString(row, RUN_ROLE) : "";
	run.status = strcmp(status, "pending") == 0 ? RUN_PENDING : RUN_RUNNING;
	(void) RowInstant(row, RUN_EVALUATED_AT, &run.evaluated_at);
	(void) RowInstant(row, RUN_STARTED_AT, &run.started_at);
	(void) RowInstant(row, RUN_EXPIRES_AT, &run.expires_at);
	if (!RowView(row, RUN_STATE, &run.state) || !ReadRecords(row, &records, &count))
		return "its state or its steps cannot be read";
	problem = RunKeptProblem(&run, records, count, false);
	if (problem && RunKeptProblem(&run, records, count, true) == NULL)
		*finding = "key";
	return problem;
}

static void
AuditUnfinished(Audit *audit, AuditRow *row)
{
	const char *finding = "changed";
	const char *problem = UnfinishedProblem(row, &finding);

	if (problem)
		AuditReport(audit, -1, NULL, finding,
					psprintf("trace %s: what is stored of it is not what was kept: %s", RowString(row, RUN_TRACE_ID), problem));
}

static const char *const queries[] = {
	"SELECT NULL, 'extra', format('step %s of trace %s is kept, of which there is no unfinished execution, or no event', s.seq, s.trace_id) FROM answer.plan_step s"
	" LEFT JOIN answer.plan_run p ON p.tenant = s.tenant AND p.trace_id = s.trace_id AND p.status <> 'done'"
	" LEFT JOIN answer.plan_event e ON e.tenant = s.tenant AND e.trace_id = s.trace_id AND e.seq = s.seq"
	" WHERE p.trace_id IS NULL OR e.trace_id IS NULL ORDER BY s.trace_id, s.seq",
	"SELECT NULL, 'changed', format('event %s of trace %s: its columns are not what it says', e.seq, e.trace_id) FROM answer.plan_event e"
	" WHERE e.event ->> 'seq' IS DISTINCT FROM e.seq::text"
	"  OR e.event ->> 'ts_end' IS DISTINCT FROM to_char(e.ts_end AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
	" ORDER BY e.trace_id, e.seq",
	/* finished executions against their documents; a forgotten one has no document */
	"SELECT r.receipt_id, 'changed', format('trace %s: column %s of its execution is not what its document tells', p.trace_id, c.name)"
	" FROM answer.plan_run p JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
	" CROSS JOIN LATERAL (VALUES ('request_id', r.body #>> '{request,request_id}' IS DISTINCT FROM p.request_id),"
	"  ('evaluated_at', r.body ->> 'evaluated_at' IS DISTINCT FROM to_char(p.evaluated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')),"
	"  ('started_at', p.started_at <> p.evaluated_at), ('status', p.status <> 'done')) AS c (name, is_wrong)"
	" WHERE r.schema = 'plan/v1' AND r.body ->> 'schema' = 'plan/v1' AND c.is_wrong ORDER BY p.started_at, p.trace_id, c.name",
	"SELECT NULL, 'extra', format('trace %s: its execution is done, and %s', p.trace_id,"
	"  CASE WHEN r.receipt_id IS NULL THEN 'its document is not there' ELSE 'there is another one of this document' END)"
	" FROM (SELECT *, count(*) OVER (PARTITION BY tenant, receipt_id) AS times FROM answer.plan_run WHERE status = 'done') p"
	" LEFT JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant AND r.schema = 'plan/v1'"
	" WHERE p.times > 1 OR (r.receipt_id IS NULL AND NOT EXISTS (SELECT FROM answer.log_leaf l WHERE l.receipt_id = p.receipt_id AND l.issued_at = p.issued_at))"
	" ORDER BY p.started_at, p.trace_id",
	/* what a plan holds or was charged; rows of past months may have been deleted */
	"SELECT NULL, CASE WHEN b.trace_id IS NULL THEN 'missing' WHEN p.trace_id IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('trace %s: %s', coalesce(p.trace_id, b.trace_id), CASE WHEN b.trace_id IS NULL THEN 'what it holds or was charged is gone'"
	"  WHEN p.trace_id IS NULL THEN 'something is reserved for it, and there is no execution'"
	"  WHEN (b.settled_at IS NULL) = (p.status = 'done') THEN 'its execution and its reservation do not agree whether it is done'"
	"  ELSE 'its reservation is not what its execution and its document tell' END)"
	" FROM answer.plan_run p FULL JOIN answer.budget_reservation b ON b.tenant = p.tenant AND b.trace_id = p.trace_id"
	" LEFT JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant AND r.body ->> 'schema' = 'plan/v1'"
	" WHERE p.trace_id IS NULL"
	"  OR b.trace_id IS NULL AND (p.status <> 'done' OR r.body ->> 'verdict' <> 'refused' AND p.evaluated_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')"
	"  OR b.trace_id IS NOT NULL AND ((b.settled_at IS NULL) = (p.status = 'done') OR b.day <> (p.evaluated_at AT TIME ZONE 'UTC')::date"
	"   OR (p.status = 'pending') <> (b.pending_since IS NOT NULL)"
	"   OR p.status = 'done' AND (b.step_usd <> 0 OR b.step_ms <> 0 OR r.body #>> '{budget_used,latency_ms}' <> trim_scale(b.charged_ms)::text))"
	" ORDER BY coalesce(p.trace_id, b.trace_id)",
	/* while a tenant has a cap, the current day and month have sums as soon as a plan is charged */
	"SELECT NULL, CASE WHEN p.period IS NULL THEN 'missing' ELSE 'extra' END, format('what plans of tenant \"%s\" hold and have cost in the present %s %s',"
	"  coalesce(c.tenant, p.tenant), coalesce(c.period, p.period), CASE WHEN p.period IS NULL THEN 'is not counted' ELSE 'is counted, and has no cap' END)"
	" FROM (SELECT * FROM answer.budget_period WHERE starts_on >= date_trunc(period, now() AT TIME ZONE 'UTC')::date) p"
	" FULL JOIN (SELECT c.tenant, c.period, date_trunc(c.period, now() AT TIME ZONE 'UTC')::date AS starts_on FROM answer.budget_cap c"
	"  WHERE c.period <> 'request') c ON c.tenant = p.tenant AND c.period = p.period AND c.starts_on = p.starts_on"
	" WHERE c.period IS NULL OR p.period IS NULL AND EXISTS (SELECT FROM answer.budget_reservation b WHERE b.tenant = c.tenant AND b.day >= c.starts_on)"
	" ORDER BY coalesce(c.tenant, p.tenant), coalesce(c.period, p.period)"
};

void
AuditPlans(Audit *audit, bool whole, bool functions_good)
{
	if (!whole)
		return;
	for (size_t i = 0; i < lengthof(queries); i++)
		AuditForEachRow(audit, queries[i], 0, NULL, AuditReportRow);
	AuditForEachRow(audit,
					"SELECT p.tenant, p.trace_id, p.plan_id, p.request_id, p.request_digest, p.role, p.status, p.evaluated_at, p.started_at, p.expires_at,"
					" p.state, coalesce((SELECT jsonb_agg(jsonb_build_object('event', e.event)"
					"  || CASE WHEN s.inputs IS NULL THEN '{}' ELSE jsonb_build_object('inputs', s.inputs) END"
					"  || CASE WHEN s.outputs IS NULL THEN '{}' ELSE jsonb_build_object('outputs', s.outputs) END ORDER BY e.seq)"
					"  FROM answer.plan_event e LEFT JOIN answer.plan_step s ON s.tenant = e.tenant AND s.trace_id = e.trace_id AND s.seq = e.seq"
					"  WHERE e.tenant = p.tenant AND e.trace_id = p.trace_id), '[]')"
					" FROM answer.plan_run p WHERE p.status <> 'done' ORDER BY p.started_at, p.trace_id",
					0, NULL, AuditUnfinished);
}
