/*-------------------------------------------------------------------------
 *
 * budget.c
 *		The money and time of a plan: its limits, what is reserved, what was charged.
 *
 * Manual: doc/plan.md, "Budgets". Stateful; the pure arithmetic over a plan is in
 * forecast.c.
 *
 * A plan's reservation is its row of answer.budget_reservation.  The sums of a
 * tenant's caps by day and month are rows of answer.budget_period.  They add up
 * those reservations: reserved_usd of plans that are not settled, charged_usd of
 * settled ones.  A tenant without such caps has no sums, so its plans do not wait
 * for each other.  The first plan of a period with a cap computes the sums.  A
 * plan is charged to the day and month of its evaluated_at, however long it
 * takes.
 *
 * Promises: what settled plans were charged and other plans have reserved never
 * exceeds a cap, at any isolation level, because the sums are read at the latest
 * snapshot and changed under one lock (plan_locks.c).  Under REPEATABLE READ it
 * raises 40001 if others have changed the sums since the transaction's snapshot.
 * Each cent is counted once: in one transaction a plan's row is written and the
 * sums are changed by the difference.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "plan/budget.h"
#include "plan/plan_locks.h"

const char *const budget_outcome_labels[] = {"fits", "refused", "busy"};

/* The caps of a tenant at an instant. */
typedef struct Caps
{
	int			ncounted;		/* number of caps by day and month */
	int			nmissing;		/* number of those without a row of sums */
	Numeric		left;			/* the least that they leave, at least 0; NULL: no cap, also below */
	Numeric		request;		/* what each plan may cost */
} Caps;

static Numeric
Zero(void)
{
	return int64_to_numeric(0);
}

static bool
IsWithin(Numeric amount, Numeric limit)
{
	return limit == NULL || NumberCompare(amount, limit) <= 0;
}

/*
 * days and months
 */

/* Returns the day of an instant in UTC. */
static DateADT
DayOf(TimestampTz at)
{
	TimestampTz day = at / USECS_PER_DAY;

	return (DateADT) (at % USECS_PER_DAY < 0 ? day - 1 : day);
}

/* Returns the first day of the month of a day, or of a later month. */
static DateADT
MonthOf(DateADT day, int later)
{
	int			year;
	int			month;
	int			of_month;

	j2date(day + POSTGRES_EPOCH_JDATE, &year, &month, &of_month);
	month += later;
	return date2j(month > MONTHS_PER_YEAR ? year + 1 : year, month > MONTHS_PER_YEAR ? 1 : month, 1) - POSTGRES_EPOCH_JDATE;
}

/*
 * rows
 */

static Numeric
ColumnNumeric(const SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetNumericCopy(datum);
}

/* Reads the caps at the latest snapshot; with is_look at the snapshot of the statement. */
static void
ReadCaps(const text *tenant, DateADT day, bool is_look, Caps *caps)
{
	static FixedQuery query = {
		.text = "SELECT c.period, c.cost_cap_usd, p.reserved_usd OPERATOR(pg_catalog.+) p.spent_usd"
		" FROM answer.budget_cap c LEFT JOIN answer.budget_period p ON p.tenant OPERATOR(pg_catalog.=) c.tenant"
		"  AND p.period OPERATOR(pg_catalog.=) c.period AND p.starts_on OPERATOR(pg_catalog.=)"
		"  CASE WHEN c.period OPERATOR(pg_catalog.=) 'day' THEN $2 ELSE $3 END"
		" WHERE c.tenant OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID, DATEOID, DATEOID}
	};
	Datum		values[] = {PointerGetDatum(tenant), DateADTGetDatum(day), DateADTGetDatum(MonthOf(day, 0))};
	QueryRows	rows;

	memset(caps, 0, sizeof(*caps));
	if (is_look)
		rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	else
		rows = QueryRunLatestForOurselves(&query, values, NULL);
	for (uint64 i = 0; i < rows.count; i++)
	{
		Numeric		cap = ColumnNumeric(rows.table, i, 2);
		Numeric		taken = ColumnNumeric(rows.table, i, 3);

		if (SpanEqualCString(ColumnSpan(rows.table, i, 1), "request"))
		{
			caps->request = cap;
			continue;
		}
		caps->ncounted++;
		caps->nmissing += taken == NULL;
		/* a cap may have been set below what was already taken */
		caps->left = NumberLeast(caps->left, taken ? NumberMax(Zero(), NumberCall(numeric_sub, cap, taken)) : cap);
	}
	QueryFree(&rows);
}

/* Computes the missing sums of a tenant's caps. */
static void
CountPeriods(const text *tenant, DateADT day)
{
	static FixedQuery query = {
		.text = "INSERT INTO answer.budget_period (tenant, period, starts_on, reserved_usd, spent_usd)"
		" SELECT c.tenant, c.period, p.starts_on,"
		"  COALESCE(pg_catalog.sum(r.reserved_usd) FILTER (WHERE r.settled_at IS NULL), 0),"
		"  COALESCE(pg_catalog.sum(r.charged_usd) FILTER (WHERE r.settled_at IS NOT NULL), 0)"
		" FROM answer.budget_cap c"
		" JOIN (VALUES ('day', $2, $2 OPERATOR(pg_catalog.+) 1), ('month', $3, $4)) AS p (period, starts_on, ends_before)"
		"  ON p.period OPERATOR(pg_catalog.=) c.period"
		" LEFT JOIN answer.budget_reservation r ON r.tenant OPERATOR(pg_catalog.=) c.tenant"
		"  AND r.day OPERATOR(pg_catalog.>=) p.starts_on AND r.day OPERATOR(pg_catalog.<) p.ends_before"
		" WHERE c.tenant OPERATOR(pg_catalog.=) $1 GROUP BY c.tenant, c.period, p.starts_on"
		" ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, DATEOID, DATEOID, DATEOID}
	};
	Datum		values[] = {
		PointerGetDatum(tenant), DateADTGetDatum(day),
		DateADTGetDatum(MonthOf(day, 0)), DateADTGetDatum(MonthOf(day, 1))
	};

	QueryRunLatestForOurselves(&query, values, NULL);
}

/* Changes the sums of the caps. */
static void
MoveSums(const Budget *budget, Numeric reserved, Numeric spent)
{
	static FixedQuery query = {
		.text = "UPDATE answer.budget_period SET reserved_usd = reserved_usd OPERATOR(pg_catalog.+) $4,"
		"  spent_usd = spent_usd OPERATOR(pg_catalog.+) $5"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND ((period OPERATOR(pg_catalog.=) 'day' AND starts_on OPERATOR(pg_catalog.=) $2)"
		"  OR (period OPERATOR(pg_catalog.=) 'month' AND starts_on OPERATOR(pg_catalog.=) $3))",
		.argtypes = {TEXTOID, DATEOID, DATEOID, NUMERICOID, NUMERICOID}
	};
	Datum		values[] = {
		PointerGetDatum(budget->tenant), DateADTGetDatum(budget->day),
		DateADTGetDatum(MonthOf(budget->day, 0)), NumericGetDatum(reserved), NumericGetDatum(spent)
	};

	QueryRunLatestForOurselves(&query, values, NULL);
}

typedef enum RowState
{
	ROW_RUNNING,
	ROW_PENDING,
	ROW_SETTLED
} RowState;

/* Raises an error, because a trace has one reservation, and a settled one does not change. */
static _Noreturn void
RefuseRow(const Budget *budget)
{
	char	   *trace_id = text_to_cstring(TextOfUtf8(budget->trace_id));

	if (!budget->is_stored)
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("there is a reservation of trace \"%s\" already", trace_id)));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the reservation of trace \"%s\" is settled", trace_id),
			 errdetail("Nothing more can be charged to it."),
			 errhint("answer_plan_recover() settles what it finds without a session; start the plan again.")));
}

/* Writes the row of a plan. */
static void
WriteRow(Budget *budget, RowState state)
{
	static FixedQuery query = {
		.text = "INSERT INTO answer.budget_reservation AS r (tenant, trace_id, day, reserved_usd, reserved_ms, charged_usd,"
		"  charged_ms, step_usd, step_ms, pid, backend_start, pending_since, settled_at)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
		" ON CONFLICT (tenant, trace_id) DO UPDATE SET reserved_usd = excluded.reserved_usd, reserved_ms = excluded.reserved_ms,"
		"  charged_usd = excluded.charged_usd, charged_ms = excluded.charged_ms, step_usd = excluded.step_usd,"
		"  step_ms = excluded.step_ms, pid = excluded.pid, backend_start = excluded.backend_start,"
		"  pending_since = excluded.pending_since, settled_at = excluded.settled_at"
		" WHERE r.settled_at IS NULL AND $14",
		.argtypes = {TEXTOID, TEXTOID, DATEOID, NUMERICOID, NUMERICOID, NUMERICOID, NUMERICOID, NUMERICOID,
		NUMERICOID, INT4OID, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID, BOOLOID}
	};
	/* a plan in one transaction writes its row only here: no other row has its trace */
	static FixedQuery insert = {
		.text = "INSERT INTO answer.budget_reservation (tenant, trace_id, day, reserved_usd, reserved_ms, charged_usd,"
		"  charged_ms, step_usd, step_ms, pid, backend_start, pending_since, settled_at)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
		.argtypes = {TEXTOID, TEXTOID, DATEOID, NUMERICOID, NUMERICOID, NUMERICOID, NUMERICOID, NUMERICOID,
		NUMERICOID, INT4OID, TIMESTAMPTZOID, TIMESTAMPTZOID, TIMESTAMPTZOID}
	};
	bool		is_only = !budget->is_stored && state == ROW_SETTLED;
	TimestampTz now = GetCurrentTimestamp();
	char		nulls[] = "              ";
	Datum		values[] = {
		PointerGetDatum(budget->tenant), SpanDatum(budget->trace_id), DateADTGetDatum(budget->day),
		NumericGetDatum(budget->reserved.cost), NumericGetDatum(budget->reserved.latency),
		NumericGetDatum(budget->charged.cost), NumericGetDatum(budget->charged.latency),
		NumericGetDatum(budget->step.cost), NumericGetDatum(budget->step.latency),
		Int32GetDatum(MyProcPid), TimestampTzGetDatum(MyStartTimestamp),
		TimestampTzGetDatum(now), TimestampTzGetDatum(now), BoolGetDatum(budget->is_stored)
	};
	QueryRows	rows;

	nulls[11] = state == ROW_PENDING ? ' ' : 'n';
	nulls[12] = state == ROW_SETTLED ? ' ' : 'n';
	rows = QueryRunLatestForOurselves(is_only ? &insert : &query, values, nulls);
	if (rows.count == 0)
		RefuseRow(budget);
	budget->is_stored = true;
}

/* Reads the row of a plan, unless the plan is settled. */
static bool
ReadRow(Budget *budget, TimestampTz pending_before)
{
	static FixedQuery query = {
		.text = "SELECT r.day, r.reserved_usd, r.reserved_ms, r.charged_usd, r.charged_ms, r.step_usd, r.step_ms"
		" FROM answer.budget_reservation r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2 AND r.settled_at IS NULL"
		"  AND (r.pending_since IS NULL OR r.pending_since OPERATOR(pg_catalog.<) $3)",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[] = {PointerGetDatum(budget->tenant), SpanDatum(budget->trace_id), TimestampTzGetDatum(pending_before)};
	bool		is_found;
	QueryRows	rows = QueryRunLatestForOurselves(&query, values, NULL);

	is_found = rows.count > 0;
	if (is_found)
	{
		budget->day = DatumGetDateADT(ColumnDatum(rows.table, 0, 1));
		budget->reserved = (PlanPrice) {ColumnNumeric(rows.table, 0, 2), ColumnNumeric(rows.table, 0, 3)};
		budget->charged = (PlanPrice) {ColumnNumeric(rows.table, 0, 4), ColumnNumeric(rows.table, 0, 5)};
		budget->step = (PlanPrice) {ColumnNumeric(rows.table, 0, 6), ColumnNumeric(rows.table, 0, 7)};
		budget->counted = budget->reserved.cost;
		budget->is_stored = true;
	}
	QueryFree(&rows);
	return is_found;
}

/*
 * limits
 */

/* Lowers limits to what the caps leave. What they already count for this plan is added to that. */
static void
NarrowLimits(Numeric counted, const Caps *caps, PlanLimits *limits)
{
	limits->cost = NumberLeast(limits->cost, caps->request);
	if (caps->left)
		limits->cost = NumberLeast(limits->cost, NumberCall(numeric_add, caps->left, counted));
}

void
BudgetLook(const text *tenant, TimestampTz at, PlanLimits *limits)
{
	Caps		caps;

	ReadCaps(tenant, DayOf(at), true, &caps);
	NarrowLimits(Zero(), &caps, limits);
}

/*
 * Under REPEATABLE READ the transaction does not see what others have done since
 * its snapshot.  If others changed the sums of the caps, the server raises 40001 in
 * this query.  If they added sums, the rows are missing here.
 */
static void
RefuseChanged(const Budget *budget, const Caps *caps)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.budget_period"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND ((period OPERATOR(pg_catalog.=) 'day' AND starts_on OPERATOR(pg_catalog.=) $2)"
		"  OR (period OPERATOR(pg_catalog.=) 'month' AND starts_on OPERATOR(pg_catalog.=) $3)) FOR UPDATE",
		.argtypes = {TEXTOID, DATEOID, DATEOID}
	};
	Datum		values[] = {
		PointerGetDatum(budget->tenant), DateADTGetDatum(budget->day), DateADTGetDatum(MonthOf(budget->day, 0))
	};
	QueryRows	rows;

	if (!budget->is_held || !IsolationUsesXactSnapshot() || caps->ncounted == 0)
		return;
	rows = QueryRunForOurselves(&query, values, NULL);
	if (rows.count != (uint64) caps->ncounted)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access due to concurrent update of a budget"),
				 errhint("Retry the transaction.")));
}

/* Takes the locks on the sums of the caps, and lowers the limits. Returns false if they are busy. */
static bool
TakeBudget(Budget *budget)
{
	Caps		caps;

	if (!LockBudget(budget->tenant, false))
		return false;
	ReadCaps(budget->tenant, budget->day, false, &caps);
	budget->is_capped = caps.ncounted > 0;
	if (budget->is_capped)
	{
		if (!LockCaps(budget->tenant))
			return false;
		if (caps.nmissing > 0)
			CountPeriods(budget->tenant, budget->day);
		RefuseChanged(budget, &caps);
		ReadCaps(budget->tenant, budget->day, false, &caps);
	}
	budget->limits = budget->own;
	NarrowLimits(budget->counted, &caps, &budget->limits);
	return true;
}

/* Does the same without lock_timeout, for what must not fail: the timeout is for callers that can turn back. */
static void
AwaitBudget(Budget *budget)
{
	int			level = NewGUCNestLevel();

	(void) set_config_option("lock_timeout", "0", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	if (!TakeBudget(budget))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("deadlock over a budget where the plan of trace \"%s\" was to be settled",
						text_to_cstring(TextOfUtf8(budget->trace_id))),
				 errhint("Call answer_plan_recover() once this transaction has ended.")));
	AtEOXact_GUC(false, level);
}

/* the life of a budget */

void
BudgetBegin(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits)
{
	memset(budget, 0, sizeof(*budget));
	budget->tenant = tenant;
	budget->trace_id = trace_id;
	budget->is_held = is_held;
	budget->own = budget->limits = *limits;
	budget->reserved = budget->charged = budget->step = NoPrice();
	budget->counted = Zero();
}

BudgetOutcome
BudgetReopen(Budget *budget, const Span *tools, int count)
{
	Caps		caps;

	if (budget->is_held)
	{
		ReadCaps(budget->tenant, budget->day, false, &caps);
		if ((caps.ncounted > 0 || count > 0) && !LockPlans(budget->tenant))
			return BUDGET_BUSY;
	}
	if (!TakeBudget(budget))
		return BUDGET_BUSY;
	if (budget->is_held && !LockBuckets(budget->tenant, tools, count))
		return BUDGET_BUSY;
	return BUDGET_FITS;
}

BudgetOutcome
BudgetOpen(Budget *budget, const Span *tools, int count, TimestampTz at)
{
	budget->day = DayOf(at);
	return BudgetReopen(budget, tools, count);
}

/* Writes the current state of a plan, and adds to the sums what is new. */
static void
Write(Budget *budget, RowState state)
{
	Numeric		counts = state == ROW_SETTLED ? Zero() : budget->reserved.cost;
	Numeric		spent = state == ROW_SETTLED ? budget->charged.cost : Zero();

	WriteRow(budget, state);
	if (budget->is_capped && (NumberCompare(counts, budget->counted) != 0 || NumberCompare(spent, Zero()) != 0))
		MoveSums(budget, NumberCall(numeric_sub, counts, budget->counted), spent);
	budget->counted = counts;
}

void
BudgetCommitUnflushed(void)
{
	if (synchronous_commit != SYNCHRONOUS_COMMIT_OFF)
		(void) set_config_option("synchronous_commit", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
}

/* the text of a refusal */

/*
 * Adds text about a limit that an amount exceeds, and what sets it: the caps, if
 * they leave less than plan and request allow.
 */
static void
TellLimit(StringInfo text, Numeric amount, Numeric limit, Numeric own, const char *unit, const char *key)
{
	bool		is_of_caps = own == NULL || (limit != NULL && NumberCompare(limit, own) < 0);
	JsonView	view;

	if (IsWithin(amount, limit))
		return;
	/* shortened like other values, because it can have thousands of digits */
	view = JsonViewCString(numeric_normalize(limit));
	view.type = JVIEW_NUMBER;
	appendStringInfo(text, "%s%s %s (%s)", text->len > 0 ? " and " : "", ShownValue(&view), unit,
					 is_of_caps ? "what the caps of answer_budget_set leave" : key);
}

const char *
BudgetExceeded(const Budget *budget, const PlanPrice *price)
{
	StringInfoData text;

	initStringInfo(&text);
	TellLimit(&text, price->cost, budget->limits.cost, budget->own.cost, "USD", "cost_cap_usd");
	TellLimit(&text, price->latency, budget->limits.latency, budget->own.latency, "ms", "latency_budget_ms");
	return text.data;
}

const char *
BudgetExceededBy(const Budget *budget, const PlanPrice *more)
{
	PlanPrice	reserved = AddPrices(budget->reserved, *more);

	return psprintf("with a further call the plan costs %s USD and takes %s ms, and the budget is %s",
					numeric_normalize(reserved.cost), numeric_normalize(reserved.latency),
					BudgetExceeded(budget, &reserved));
}

/* Adds a price to the reservation, if the total is within the limits. */
static BudgetOutcome
Reserve(Budget *budget, const PlanPrice *price)
{
	PlanPrice	reserved = AddPrices(budget->reserved, *price);

	if (!IsWithin(reserved.cost, budget->limits.cost) || !IsWithin(reserved.latency, budget->limits.latency))
		return BUDGET_REFUSED;
	budget->reserved = reserved;
	if (!budget->is_held)
		Write(budget, ROW_RUNNING);
	return BUDGET_FITS;
}

BudgetOutcome
BudgetReserve(Budget *budget, const PlanPrice *predicted)
{
	return Reserve(budget, predicted);
}

BudgetOutcome
BudgetReserveMore(Budget *budget, const PlanPrice *more)
{
	if (!budget->is_held && !TakeBudget(budget))
		return BUDGET_BUSY;
	return Reserve(budget, more);
}

void
BudgetStep(Budget *budget, const PlanPrice *price)
{
	budget->step = *price;
}

void
BudgetCharge(Budget *budget, const PlanPrice *charged)
{
	if (!IsWithin(charged->cost, budget->step.cost))
		elog(ERROR, "a call was charged more than was reserved for it");
	budget->charged = AddPrices(budget->charged, *charged);
	if (!IsWithin(budget->charged.cost, budget->reserved.cost))
		elog(ERROR, "a plan was charged more than was reserved for it");
	/* time beyond the prediction is missing for the other calls */
	if (!IsWithin(charged->latency, budget->step.latency))
		budget->reserved.latency = NumberCall(numeric_add, budget->reserved.latency,
											  NumberCall(numeric_sub, charged->latency, budget->step.latency));
	budget->step = NoPrice();
}

void
BudgetSave(Budget *budget)
{
	WriteRow(budget, ROW_RUNNING);
}

void
BudgetSettle(Budget *budget)
{
	if (!budget->is_held)
		AwaitBudget(budget);
	budget->step = NoPrice();
	Write(budget, ROW_SETTLED);
}

void
BudgetSuspend(Budget *budget)
{
	Write(budget, ROW_PENDING);
}

bool
BudgetResume(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits)
{
	BudgetBegin(budget, tenant, trace_id, is_held, limits);
	return ReadRow(budget, DT_NOEND);
}

/* reservations that others left */

BudgetOrphan *
BudgetOrphans(Datum tenants, TimestampTz pending_before, int *count)
{
	static FixedQuery query = {
		.text = "SELECT r.tenant, r.trace_id FROM answer.budget_reservation r"
		" WHERE r.settled_at IS NULL AND r.tenant OPERATOR(pg_catalog.=) ANY ($1)"
		"  AND (r.pending_since IS NULL OR r.pending_since OPERATOR(pg_catalog.<) $2)"
		" ORDER BY r.tenant, r.trace_id",
		.argtypes = {TEXTARRAYOID, TIMESTAMPTZOID}
	};
	Datum		values[] = {tenants, TimestampTzGetDatum(pending_before)};
	BudgetOrphan *orphans;
	QueryRows	rows = QueryRunLatestForOurselves(&query, values, NULL);

	*count = rows.count;
	orphans = palloc(sizeof(BudgetOrphan) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		orphans[i] = (BudgetOrphan) {TextOfUtf8(ColumnSpan(rows.table, i, 1)), ColumnSpan(rows.table, i, 2)};
	QueryFree(&rows);
	return orphans;
}

/* Reads what a settled plan was charged; false if there is no settled reservation. */
static bool
ReadSettled(const Budget *budget, PlanPrice *charged)
{
	static FixedQuery query = {
		.text = "SELECT r.charged_usd, r.charged_ms FROM answer.budget_reservation r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.trace_id OPERATOR(pg_catalog.=) $2 AND r.settled_at IS NOT NULL",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[] = {PointerGetDatum(budget->tenant), SpanDatum(budget->trace_id)};
	bool		is_found;
	QueryRows	rows = QueryRunLatestForOurselves(&query, values, NULL);

	is_found = rows.count > 0;
	if (is_found)
		*charged = (PlanPrice) {ColumnNumeric(rows.table, 0, 1), ColumnNumeric(rows.table, 0, 2)};
	QueryFree(&rows);
	return is_found;
}

BudgetRecovery
BudgetRecover(const BudgetOrphan *orphan, TimestampTz pending_before, PlanPrice *charged)
{
	PlanLimits	none = {0};
	Budget		budget;
	bool		was_ours;

	if (!TakeOverTrace(orphan->tenant, orphan->trace_id, &was_ours) || was_ours)
		return BUDGET_EXECUTED;
	BudgetBegin(&budget, orphan->tenant, orphan->trace_id, false, &none);
	if (!ReadRow(&budget, pending_before))
		return ReadSettled(&budget, charged) ? BUDGET_WAS_SETTLED : BUDGET_GONE;
	/* nobody can tell whether the call was made */
	budget.charged = AddPrices(budget.charged, budget.step);
	BudgetSettle(&budget);
	*charged = budget.charged;
	return BUDGET_SETTLED;
}

void
BudgetPrune(Datum tenants)
{
	static FixedQuery query = {
		.text = "SELECT answer.budget_prune($1)",
		.argtypes = {TEXTARRAYOID}
	};
	QueryRows	rows;

	/* a later transaction can delete them */
	if (IsolationUsesXactSnapshot())
		return;
	rows = QueryRunLatestForOurselves(&query, &tenants, NULL);
	QueryFree(&rows);
}

/*
 * SQL
 */

/* answer.budget_lock(tenant): called before a cap is set. */
PG_FUNCTION_INFO_V1(answer_eval_budget_lock);
Datum
answer_eval_budget_lock(PG_FUNCTION_ARGS)
{
	RequireOperator("answer.budget_lock");
	if (!LockBudget(PG_GETARG_TEXT_PP(0), true))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("plans of tenant \"%s\" are being executed, and hold its budget", text_to_cstring(PG_GETARG_TEXT_PP(0))),
				 errhint("Try again when their transactions have ended, or with a longer lock_timeout.")));
	PG_RETURN_VOID();
}

/* answer.budget_count(tenant): computes the sums of its caps. */
PG_FUNCTION_INFO_V1(answer_eval_budget_count);
Datum
answer_eval_budget_count(PG_FUNCTION_ARGS)
{
	RequireOperator("answer.budget_count");
	SPI_connect();
	CountPeriods(PG_GETARG_TEXT_PP(0), DayOf(GetCurrentTimestamp()));
	SPI_finish();
	PG_RETURN_VOID();
}

/* Returns a member of {cost_usd, latency_ms}, or NULL if it is missing. */
static Numeric
AmountOf(const JsonView *price, const char *name)
{
	JsonView	value;
	Numeric		amount;

	if (price->type != JVIEW_OBJECT || !JsonViewGetMember(price, name, &value) || !JsonViewNumeric(&value, &amount))
		return NULL;
	return amount;
}

static PlanPrice
PriceArgument(FunctionCallInfo fcinfo, int n)
{
	JsonView	view = {.type = JVIEW_ABSENT};
	PlanPrice	price;

	if (!PG_ARGISNULL(n))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	price.cost = AmountOf(&view, "cost_usd");
	price.latency = AmountOf(&view, "latency_ms");
	return price;
}

static Span *
NamesArgument(FunctionCallInfo fcinfo, int n, int *count)
{
	Datum	   *elements;
	Span	   *names;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(n), TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, count);
	names = palloc(sizeof(Span) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		names[i] = Utf8OfText(DatumGetTextPP(elements[i]));
	return names;
}

/* Runs an operation, given by name, on an open budget. */
static BudgetOutcome
Operate(Budget *budget, const char *operation, const PlanPrice *price)
{
	BudgetOutcome outcome = BUDGET_FITS;

	if (strcmp(operation, "more") == 0)
		outcome = BudgetReserveMore(budget, price);
	else if (strcmp(operation, "step") == 0)
		BudgetStep(budget, price);
	else if (strcmp(operation, "charge") == 0)
		BudgetCharge(budget, price);
	else if (strcmp(operation, "suspend") == 0)
		BudgetSuspend(budget);
	else if (strcmp(operation, "settle") == 0)
		BudgetSettle(budget);
	else
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a budget has no operation \"%s\"", operation),
				 errdetail("It has open, more, step, charge, suspend and settle.")));
	/* without is_held this is a transaction of its own */
	if (!budget->is_held && (strcmp(operation, "more") == 0 || strcmp(operation, "settle") == 0))
		BudgetCommitUnflushed();
	/* with is_held the next call reads the row */
	if (strcmp(operation, "step") == 0 || strcmp(operation, "charge") == 0)
		BudgetSave(budget);
	else if (budget->is_held && strcmp(operation, "more") == 0)
		Write(budget, ROW_RUNNING);
	return outcome;
}

/* answer.budget_operate(tenant, trace_id, operation, price, limits, tools, is_held, at) */
PG_FUNCTION_INFO_V1(answer_eval_budget_operate);
Datum
answer_eval_budget_operate(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	Span		trace_id = TextArgument(fcinfo, 1);
	char	   *operation = text_to_cstring(PG_GETARG_TEXT_PP(2));
	PlanPrice	price = PriceArgument(fcinfo, 3);
	PlanPrice	most = PriceArgument(fcinfo, 4);
	PlanLimits	limits = {.cost = most.cost,.latency = most.latency};
	int			count;
	Span	   *tools = NamesArgument(fcinfo, 5, &count);
	bool		is_held = PG_GETARG_BOOL(6);
	TimestampTz at = PG_GETARG_TIMESTAMPTZ(7);
	BudgetOutcome outcome;
	Budget		budget;

	RequireOperator("answer.budget_operate");
	price.cost = price.cost ? price.cost : Zero();
	price.latency = price.latency ? price.latency : Zero();
	SPI_connect();
	if (strcmp(operation, "open") == 0)
	{
		BudgetBegin(&budget, tenant, trace_id, is_held, &limits);
		outcome = BudgetOpen(&budget, tools, count, at);
		outcome = outcome == BUDGET_FITS ? BudgetReserve(&budget, &price) : outcome;
		if (outcome == BUDGET_FITS && is_held)
			Write(&budget, ROW_RUNNING);
		else if (outcome == BUDGET_FITS)
			BudgetCommitUnflushed();
	}
	else if (!BudgetResume(&budget, tenant, trace_id, is_held, &limits))
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no open reservation of trace \"%s\"", text_to_cstring(PG_GETARG_TEXT_PP(1)))));
	else
	{
		outcome = is_held ? BudgetReopen(&budget, tools, count) : BUDGET_FITS;
		outcome = outcome == BUDGET_FITS ? Operate(&budget, operation, &price) : outcome;
	}
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(budget_outcome_labels[outcome]));
}

/* answer.budget_recover(tenant, trace_id, pending_before): what it was charged, or NULL. */
PG_FUNCTION_INFO_V1(answer_eval_budget_recover);
Datum
answer_eval_budget_recover(PG_FUNCTION_ARGS)
{
	BudgetOrphan orphan = {PG_GETARG_TEXT_PP(0), TextArgument(fcinfo, 1)};
	MemoryContext caller = CurrentMemoryContext;
	PlanPrice	charged;
	bool		is_settled;

	RequireOperator("answer.budget_recover");
	SPI_connect();
	MemoryContextSwitchTo(caller);
	is_settled = BudgetRecover(&orphan, PG_GETARG_TIMESTAMPTZ(2), &charged) == BUDGET_SETTLED;
	SPI_finish();
	if (!is_settled)
		PG_RETURN_NULL();
	PG_RETURN_NUMERIC(charged.cost);
}

/* answer.trace_lock(tenant, trace_id, is_wanted) */
PG_FUNCTION_INFO_V1(answer_eval_trace_lock);
Datum
answer_eval_trace_lock(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	Span		trace_id = TextArgument(fcinfo, 1);

	RequireOperator("answer.trace_lock");
	if (PG_GETARG_BOOL(2))
		PG_RETURN_BOOL(LockTrace(tenant, trace_id));
	UnlockTrace(tenant, trace_id);
	PG_RETURN_BOOL(true);
}
