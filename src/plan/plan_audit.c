/*-------------------------------------------------------------------------
 *
 * plan_audit.c
 *		The audit of plans, traces, budgets, memory and measured calls.
 *
 * A plan is named by its digest, a trace is a chain of signed events, and each entry
 * of memory was written by a step of a trace.  Unfinished executions are audited by
 * run_audit.c.
 *
 * Promises: those of log/audit.c, because it is part of an audit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/hsearch.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "document/chain.h"
#include "document/stored_row.h"
#include "keys/keyring.h"
#include "log/log_table.h"
#include "plan/plan_audit.h"
#include "plan/run_audit.h"

/*
 * Makes the hash key of a memory write: its trace, and the digests of its arguments
 * and result as far as they are known.
 */
static void
WriteName(Span tenant, Span trace_id, const char *args_digest, const char *result_digest, uint8 *name)
{
	const Span	parts[] = {tenant, trace_id, SpanOfCString(args_digest), SpanOfCString(result_digest)};

	Sha256Begin();
	for (size_t i = 0; i < lengthof(parts); i++)
	{
		Sha256Add(&parts[i].len, sizeof(parts[i].len));
		Sha256Add(parts[i].str, parts[i].len);
	}
	Sha256End(name);
}

static void
NoteWrite(const AuditRow *row, const char *args_digest, const char *result_digest)
{
	uint8		name[SHA256_LENGTH];

	WriteName(RowSpan(row, 1), RowSpan(row, 2), args_digest, result_digest, name);
	hash_search(row->state, name, HASH_ENTER, NULL);
}

/* Notes the writes of a map. If its document leaves out what it was called with, they can be anything. */
static void
NoteMap(const AuditRow *row, const JsonView *step)
{
	JsonView	inputs;

	if (!JsonViewGetMember(step, "inputs", &inputs) || inputs.type != JVIEW_ARRAY)
	{
		NoteWrite(row, "", "");
		return;
	}
	for (int i = 0; i < JsonViewCount(&inputs); i++)
	{
		JsonView	args = JsonViewAt(&inputs, i);
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		CanonicalDigest(&args, NULL, digest);
		NoteWrite(row, digest, "");
	}
}

/* Notes what the steps of a trace have written, once for all entries of memory from it. */
static void
NoteWrites(Audit *audit, AuditRow *row)
{
	JsonView	steps;

	if (!RowView(row, 3, &steps))
		return;
	for (int i = 0; i < JsonViewCount(&steps); i++)
	{
		JsonView	step = JsonViewAt(&steps, i);
		Span		args;
		Span		result;

		CHECK_FOR_INTERRUPTS();
		if (JsonViewMemberIs(&step, "op", SpanOf("map", 3)))
			NoteMap(row, &step);
		else if (JsonViewGetString(&step, "inputs_hash", &args) && args.len == DIGEST_TEXT_LENGTH &&
				 JsonViewGetString(&step, "outputs_hash", &result) && result.len == DIGEST_TEXT_LENGTH)
			NoteWrite(row, pnstrdup(args.str, args.len), pnstrdup(result.str, result.len));
	}
}

/* Did a step of its trace write this? */
static bool
IsNoted(const AuditRow *row, const JsonView *args, const JsonView *result)
{
	Span		tenant = RowSpan(row, 8);
	Span		trace_id = RowSpan(row, 7);
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	char		result_digest[DIGEST_TEXT_LENGTH + 1];
	const char *const known[][2] = {{args_digest, result_digest}, {args_digest, ""}, {"", ""}};

	CanonicalDigest(args, NULL, args_digest);
	CanonicalDigest(result, NULL, result_digest);
	for (size_t i = 0; i < lengthof(known); i++)
	{
		uint8		name[SHA256_LENGTH];

		WriteName(tenant, trace_id, known[i][0], known[i][1], name);
		if (hash_search(row->state, name, HASH_FIND, NULL))
			return true;
	}
	return false;
}

static JsonView
WriteArguments(Span key, const JsonView *value, const JsonView *provenance)
{
	JsonView	args = JsonViewNewObject(5);

	JsonViewSet(&args, "op", JsonViewCString("write"));
	JsonViewSet(&args, "key", JsonViewString(key.str, key.len));
	JsonViewSet(&args, "value", *value);
	JsonViewSet(&args, "provenance", *provenance);
	return args;
}

/* Did a step of its trace write this entry of memory? */
static bool
IsWritten(const AuditRow *row, const JsonView *value)
{
	JsonView	args;
	JsonView	args_with_ttl;
	JsonView	result = JsonViewNewObject(3);
	JsonView	provenance;
	JsonView	reported_by;
	TimestampTz expires_at;
	Span		key = RowSpan(row, 1);
	Span		ttl = RowSpan(row, 5);
	char		instant[INSTANT_SIZE];

	if (!RowView(row, 4, &provenance))
		return false;
	args = WriteArguments(key, value, &provenance);
	/* without a ttl the default applies, and the result says when it expires */
	args_with_ttl = WriteArguments(key, value, &provenance);
	JsonViewSet(&args_with_ttl, "ttl", JsonViewString(ttl.str, ttl.len));
	JsonViewSet(&result, "ok", JsonViewBool(true));
	if (RowInstant(row, 6, &expires_at) && InstantIsWritable(expires_at))
	{
		InstantFormat(expires_at, instant);
		JsonViewSet(&result, "expires", JsonViewCString(instant));
	}
	if (RowView(row, 9, &reported_by))
		JsonViewSet(&result, "reported_by", reported_by);
	return IsNoted(row, &args_with_ttl, &result) || IsNoted(row, &args, &result);
}

/* Checks an entry of memory: its digest, by which it can be forgotten, and the trace that wrote it. */
static void
AuditMemory(Audit *audit, AuditRow *row)
{
	JsonView	value;
	char		digest[DIGEST_TEXT_LENGTH + 1] = "";
	bool		is_readable = RowView(row, 3, &value);

	if (is_readable)
		CanonicalDigest(&value, NULL, digest);
	if (!SpanEqualCString(RowSpan(row, 2), digest))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("what is remembered under \"%s\" is not what was written", RowString(row, 1)));
	else if (is_readable && !IsWritten(row, &value))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("what is remembered under \"%s\" is not what a step of trace %s has written",
							 RowString(row, 1), RowString(row, 7)));
}

/* Checks a version of a plan: its digest and its plan_id. */
static void
AuditPlan(Audit *audit, AuditRow *row)
{
	char		digest[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	plan;
	JsonView	id;
	Span		plan_id = RowSpan(row, 1);

	if (RowView(row, 4, &plan) && JsonViewGetMember(&plan, "plan_id", &id) && id.type == JVIEW_STRING &&
		SpanEqual(SpanOf(id.str, id.len), plan_id))
		CanonicalDigest(&plan, NULL, digest);
	if (!SpanEqualCString(RowSpan(row, 3), digest))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("plan %s, version %s, is not what was registered", RowString(row, 1), RowString(row, 2)));
}

/* Would an event verify if its key had always been valid? */
static bool
OnlyKeyIsBad(const JsonView *event)
{
	KeptKeys	keys = {.at_any_time = true};

	return TraceSignatureProblem(event, RegistryKeysOfSig(event, &keys)) == NULL;
}

/* Returns what is wrong with the signatures of events, or NULL, and the kind of finding. */
static const char *
SignaturesProblem(const JsonView *events, const char **finding)
{
	KeptKeys	keys = {0};

	for (int i = 0; i < JsonViewCount(events); i++)
	{
		JsonView	event = JsonViewAt(events, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = TraceSignatureProblem(&event, RegistryKeysOfSig(&event, &keys));
		if (problem == NULL)
			continue;
		/* as for receipts: the content is what was signed, but by a key that is no longer valid */
		if (OnlyKeyIsBad(&event))
			*finding = "key";
		return psprintf("event %d: %s", i + 1, problem);
	}
	return NULL;
}

/* Checks a trace: a chain of signed events, the last of which is named in the plan's document. */
static void
AuditTrace(Audit *audit, AuditRow *row)
{
	JsonView	events;
	char		last[DIGEST_TEXT_LENGTH + 1] = "";
	Span		stated = RowSpan(row, 3);
	const char *finding = "changed";
	const char *problem;

	if (!RowView(row, 2, &events))
		problem = "its events cannot be read";
	else
		problem = TraceChainProblem(&events, last);
	if (problem == NULL)
		problem = SignaturesProblem(&events, &finding);
	if (problem == NULL && stated.len > 0 && !SpanEqualCString(stated, last))
		problem = "its last event is not the one that its document names";
	if (problem)
		AuditReport(audit, -1, NULL, finding, psprintf("trace %s: %s", RowString(row, 1), problem));
}

static const char *const queries[] = {
	"SELECT NULL, 'extra', format('what is remembered under \"%s\" was forgotten, and has come back', m.key)"
	" FROM answer.memory_entry m JOIN answer.tombstone t ON t.tenant = m.tenant AND t.digest = m.digest ORDER BY m.key COLLATE \"C\"",
	"SELECT NULL, 'missing', format('plan %s: its version %s is gone', p.plan_id, p.version - 1) FROM answer.plan p"
	" LEFT JOIN answer.plan o ON o.tenant = p.tenant AND o.plan_id = p.plan_id AND o.version = p.version - 1"
	" WHERE p.version > 1 AND o.plan_id IS NULL ORDER BY p.plan_id COLLATE \"C\", p.version",
	/* sums that the caps count; rows of past months may have been deleted */
	"SELECT NULL, 'changed', format('what plans of tenant \"%s\" hold and have cost in the %s from %s on is not the sum of their reservations', p.tenant, p.period,"
	"  to_char(p.starts_on, 'YYYY-MM-DD'))"
	" FROM answer.budget_period p LEFT JOIN answer.budget_reservation r ON r.tenant = p.tenant AND r.day >= p.starts_on"
	"  AND r.day < CASE p.period WHEN 'day' THEN p.starts_on + 1 ELSE (p.starts_on + interval '1 month')::date END"
	" WHERE p.starts_on >= date_trunc('month', now() AT TIME ZONE 'UTC')::date GROUP BY p.tenant, p.period, p.starts_on"
	" HAVING p.reserved_usd <> coalesce(sum(r.reserved_usd) FILTER (WHERE r.settled_at IS NULL), 0)"
	"  OR p.spent_usd <> coalesce(sum(r.charged_usd) FILTER (WHERE r.settled_at IS NOT NULL), 0)"
	" ORDER BY p.tenant COLLATE \"C\", p.period COLLATE \"C\", p.starts_on",
	"SELECT NULL, 'extra', format('trace %s has events and no execution', e.trace_id) FROM answer.plan_event e"
	" LEFT JOIN answer.plan_run p ON p.tenant = e.tenant AND p.trace_id = e.trace_id WHERE p.trace_id IS NULL GROUP BY e.trace_id"
	" ORDER BY e.trace_id",
	/* a forgotten execution has no document that mentions it */
	"SELECT NULL, 'missing', format('the execution that document %s tells of is gone', r.receipt_id) FROM answer.receipt r"
	" LEFT JOIN answer.plan_run p ON p.receipt_id = r.receipt_id AND p.issued_at = r.issued_at AND p.tenant = r.tenant"
	" WHERE r.schema = 'plan/v1' AND r.body ->> 'schema' = 'plan/v1' AND p.trace_id IS NULL ORDER BY r.receipt_id",
	"SELECT NULL, 'changed', format('the execution of trace %s, or what it was charged, is not what its document tells', p.trace_id)"
	" FROM answer.plan_run p JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
	" LEFT JOIN answer.budget_reservation b ON b.tenant = p.tenant AND b.trace_id = p.trace_id AND b.settled_at IS NOT NULL"
	" WHERE r.schema = 'plan/v1' AND r.body ->> 'schema' = 'plan/v1' AND (r.body ->> 'verdict' IS DISTINCT FROM p.verdict"
	" OR r.body ->> 'trace_id' IS DISTINCT FROM p.trace_id OR r.body ->> 'plan_id' IS DISTINCT FROM p.plan_id"
	" OR r.body #>> '{budget_used,cost_usd}' <> trim_scale(b.charged_usd)::text) ORDER BY p.started_at, p.trace_id",
	"SELECT r.receipt_id, 'extra', format('trace %s was forgotten, and has come back', p.trace_id) FROM answer.plan_run p"
	" JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
	" WHERE r.body ->> 'schema' <> 'plan/v1' AND EXISTS (SELECT FROM answer.plan_event e WHERE e.tenant = p.tenant AND e.trace_id = p.trace_id)"
	" ORDER BY p.trace_id",
	NULL
};

static const char *const tenants[] = {
	"SELECT DISTINCT 'memories', tenant FROM answer.memory_entry",
	"SELECT DISTINCT 'plans', tenant FROM answer.plan",
	"SELECT DISTINCT 'traces', tenant FROM answer.plan_event",
	"SELECT DISTINCT 'budgets', tenant FROM answer.budget_cap",
	"SELECT DISTINCT 'policies of memory', tenant FROM answer.memory_policy",
	NULL
};

static const char *const shipped[] = {
	"SELECT 'plan', to_jsonb(t.plan_id), t.digest FROM answer.plan t WHERE t.seed",
	NULL
};

/* A hash table with the keys of WriteName. */
static HTAB *
NewWrites(const Audit *audit)
{
	HASHCTL		ctl = {.keysize = SHA256_LENGTH, .entrysize = SHA256_LENGTH, .hcxt = audit->context};

	return hash_create("answer_eval writes into memory", 256, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/*
 * Checks the code of a row about a tool's call, which only our functions can make.
 * Predictions ignore rows of keys that are missing or compromised (measure.c), so
 * those are not findings.  A missing row cannot be detected, because the oldest
 * rows are deleted every day.
 */
static void
AuditCall(Audit *audit, AuditRow *row)
{
	StoredCall	call = {.tenant = RowSpan(row, 1),.tool = RowSpan(row, 2)};
	RowMacStatus status = ROW_MAC_ABSENT;
	bool		isnull;

	(void) RowInstant(row, 3, &call.called_at);
	call.microseconds = TupleInt64(row->tuple, row->desc, 4);
	call.call = TupleInt64(row->tuple, row->desc, 5);
	(void) RowDatum(row, 6, &isnull);
	if (!isnull)
		status = StoredCallVerify(row->state, &call, TupleBytes(row->tuple, row->desc, 6));
	if (status != ROW_MAC_ABSENT && status != ROW_MAC_WRONG)
		return;
	AuditReport(audit, -1, NULL, isnull ? "extra" : "changed",
				psprintf("answer.tool_call: the call of %s at %s %s", RowString(row, 2), RowString(row, 3), isnull ?
						 "was written by hand: it has nothing that tells that it was recorded" :
						 "is not what was recorded, or was written by hand"));
}

static void
AuditPlanRows(Audit *audit, bool whole, bool functions_good)
{
	RowKeys		keys = {.context = audit->context};
	HTAB	   *writes;

	AuditPlans(audit, whole, functions_good);
	if (!whole)
		return;
	writes = NewWrites(audit);
	/* the document says what a map was called with, unless that was left out */
	AuditForEachRowOf(audit,
					"SELECT t.tenant, t.trace_id,"
					" (SELECT jsonb_agg(e.event || CASE WHEN e.event ->> 'op' IS DISTINCT FROM 'map' THEN '{}'"
					"   WHEN d.found THEN jsonb_build_object('inputs', d.records #> ARRAY[(e.seq - 1)::text, 'inputs']) END)"
					"  FROM answer.plan_event e WHERE e.tenant = t.tenant AND e.trace_id = t.trace_id AND e.event ->> 'tool' = 'mesh.mem'"
					"  AND (e.event ->> 'outcome' = 'ok' OR e.event ->> 'op' = 'map'))"
					" FROM (SELECT DISTINCT m.tenant, m.trace_id FROM answer.memory_entry m) t"
					/* reads the document once, not for each of its events */
					" LEFT JOIN (SELECT p.tenant, p.trace_id, true AS found, r.body -> 'trace' AS records"
					"  FROM answer.plan_run p JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
					"  WHERE (p.tenant, p.trace_id) IN (SELECT w.tenant, w.trace_id FROM answer.memory_entry w) OFFSET 0) d"
					" ON d.tenant = t.tenant AND d.trace_id = t.trace_id",
					0, NULL, NoteWrites, writes);
	AuditForEachRowOf(audit,
					"SELECT m.key, m.digest, m.value, m.provenance, m.ttl, m.expires_at, m.trace_id, m.tenant,"
					" nullif(to_jsonb(m.reported_by), '[]') FROM answer.memory_entry m ORDER BY m.tenant COLLATE \"C\", m.key COLLATE \"C\"",
					0, NULL, AuditMemory, writes);
	AuditForEachRow(audit, "SELECT plan_id, version::text, digest, plan FROM answer.plan ORDER BY plan_id COLLATE \"C\", version",
					0, NULL, AuditPlan);
	/* a forgotten trace has no document that names the last event */
	AuditForEachRow(audit,
					"SELECT p.trace_id, coalesce((SELECT jsonb_agg(CASE WHEN e.event ->> 'trace_id' = e.trace_id"
					"  AND e.event ->> 'plan_id' = e.plan_id AND e.event ->> 'step' = e.step"
					"  AND coalesce(e.event ->> 'tenant', '') = e.tenant THEN e.event ELSE 'null' END ORDER BY e.seq)"
					"  FROM answer.plan_event e WHERE e.tenant = p.tenant AND e.trace_id = p.trace_id), '[]'),"
					" (SELECT r.body ->> 'last_event' FROM answer.receipt r WHERE r.receipt_id = p.receipt_id"
					"  AND r.issued_at = p.issued_at AND r.tenant = p.tenant AND r.body ->> 'schema' = 'plan/v1')"
					" FROM answer.plan_run p ORDER BY p.started_at, p.trace_id",
					0, NULL, AuditTrace);
	AuditForEachRowOf(audit,
					"SELECT c.tenant, c.tool, c.called_at, c.microseconds, c.call, c.mac FROM answer.tool_call c"
					" ORDER BY c.tenant COLLATE \"C\", c.tool COLLATE \"C\", c.called_at, c.call",
					0, NULL, AuditCall, &keys);
	hash_destroy(writes);
}

const AuditPart plan_audit = {
	.queries = queries,
	.tenants = tenants,
	.shipped = shipped,
	.walk = AuditPlanRows
};
