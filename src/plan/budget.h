/*-------------------------------------------------------------------------
 *
 * budget.h
 *		The money and time of a plan: its limits, what is reserved, what was charged.
 *
 * An executed plan makes these calls in this order:
 *
 *	BudgetBegin		with the lower of the limits in its signals and its request
 *	BudgetOpen		takes the locks, and lowers budget->limits to what the caps leave
 *	BudgetReserve	reserves the prediction that fits these limits
 *	per call:		BudgetReserveMore for what was not predicted, BudgetStep
 *					before the call, BudgetCharge after it
 *	BudgetSettle	at the end; or BudgetSuspend while the plan waits for an answer
 *
 * With is_held, the whole plan runs in the caller's transaction: everything stays
 * in memory until BudgetSettle or BudgetSuspend, and the locks are kept to the end
 * of the transaction.
 *
 * Without is_held, the caller commits on the way.  It calls BudgetSave before each
 * COMMIT that follows a BudgetStep or BudgetCharge; the other calls save by
 * themselves.  The locks last for one transaction, and other sessions wait for its
 * COMMIT.  So the caller should commit right after BudgetReserve, BudgetReserveMore
 * and BudgetSettle; see also BudgetCommitUnflushed.
 *
 * SPI must be connected.  The numbers of a Budget are allocated in the memory
 * context of the call that made them, so a caller that commits must use a context
 * that survives the COMMIT.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_BUDGET_H
#define ANSWER_EVAL_BUDGET_H

#include "datatype/timestamp.h"
#include "utils/date.h"

#include "base/span.h"
#include "plan/forecast.h"

typedef enum BudgetOutcome
{
	BUDGET_FITS,
	BUDGET_REFUSED,				/* a limit would be exceeded */
	BUDGET_BUSY					/* other sessions hold the budget, and lock_timeout passed */
} BudgetOutcome;

/* "fits", "refused", "busy" */
extern const char *const budget_outcome_labels[];

typedef struct Budget
{
	const text *tenant;
	Span		trace_id;
	bool		is_held;		/* are locks held to the end of the caller's transaction? */
	PlanLimits	own;			/* from plan and request */
	PlanLimits	limits;			/* the lower of these and the caps */
	PlanPrice	reserved;		/* for the whole plan, including what was charged */
	PlanPrice	charged;		/* of finished calls */
	PlanPrice	step;			/* of the call in flight */
	DateADT		day;			/* day in UTC that is charged, and with it its month */
	bool		is_capped;		/* are there caps by day or month? */
	Numeric		counted;		/* USD that the caps count as reserved for this plan */
	bool		is_stored;		/* is its row stored? */
} Budget;

/*
 * Lowers limits to what a tenant's caps leave at an instant.  For callers that
 * execute nothing; takes no lock.
 */
extern void BudgetLook(const text *tenant, TimestampTz at, PlanLimits *limits);

/* Begins a budget. It keeps pointers to tenant, trace_id and the numbers of limits. */
extern void BudgetBegin(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits);

/*
 * Locks the tenant's budget; with is_held also the buckets of all rate-limited
 * tools that the plan names. "at" is evaluated_at, which decides the day and month
 * that are charged.  Returns BUDGET_FITS or BUDGET_BUSY.  Raises 40001 under
 * REPEATABLE READ if others have changed the budget since the snapshot.
 */
extern BudgetOutcome BudgetOpen(Budget *budget, const Span *tools, int count, TimestampTz at);

/* Reserves the prediction. If it does not fit the limits, reserves nothing and returns BUDGET_REFUSED. */
extern BudgetOutcome BudgetReserve(Budget *budget, const PlanPrice *predicted);

/* Reserves one more item or attempt. */
extern BudgetOutcome BudgetReserveMore(Budget *budget, const PlanPrice *more);

/* Returns text that names each limit that a price exceeds, and what sets that limit. */
extern const char *BudgetExceeded(const Budget *budget, const PlanPrice *price);

/* Returns text that says why one more item or attempt at that price was not reserved. */
extern const char *BudgetExceededBy(const Budget *budget, const PlanPrice *more);

/* Records that a call with this price, which is already reserved, is about to be made. */
extern void BudgetStep(Budget *budget, const PlanPrice *price);

/*
 * Charges the call that was made: its cost, at most that given to BudgetStep, and
 * the time that it took.  A call that was not made after all is charged nothing.
 */
extern void BudgetCharge(Budget *budget, const PlanPrice *charged);

extern void BudgetSave(Budget *budget);

/* Ends the budget: keeps what was charged as spent, and releases the rest of the reservation. */
extern void BudgetSettle(Budget *budget);

/*
 * Lets the COMMIT of this transaction return before it is on disk, because other
 * sessions wait for it.  It is safe in two cases.  A transaction that only
 * reserves: a crash loses a reservation for calls that were not made yet, as long
 * as another COMMIT comes before the calls.  A transaction that only settles, after
 * the COMMIT of the plan's document: answer_plan_recover() settles what was lost.
 *
 * This sets a setting for the transaction, so call it right before SPI_commit and
 * outside of NewGUCNestLevel.
 */
extern void BudgetCommitUnflushed(void);

/* Keeps the reservation while the plan waits for the application. */
extern void BudgetSuspend(Budget *budget);

/*
 * Continues with a budget that an earlier transaction saved, perhaps in another
 * session.  From now on this session holds the reservation, and it no longer counts
 * as waiting.  The caller holds the lock of the trace. limits are as for
 * BudgetBegin.  Returns false if there is no reservation, or it is settled.  With
 * is_held, call BudgetReopen next.
 */
extern bool BudgetResume(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits);

/* Takes the locks as BudgetOpen does. */
extern BudgetOutcome BudgetReopen(Budget *budget, const Span *tools, int count);

/*
 * A reservation whose session may be gone: it is not settled, and either does not
 * wait for the application or has waited since before "pending_before".
 * BudgetOrphans returns those of the given tenants (text[]).
 */
typedef struct BudgetOrphan
{
	text	   *tenant;
	Span		trace_id;
} BudgetOrphan;

extern BudgetOrphan *BudgetOrphans(Datum tenants, TimestampTz pending_before, int *count);

typedef enum BudgetRecovery
{
	BUDGET_SETTLED,
	BUDGET_WAS_SETTLED,			/* somebody else settled it before */
	BUDGET_GONE,				/* there is no such reservation */
	BUDGET_EXECUTED				/* a session, perhaps this one, executes the plan and holds its lock */
} BudgetRecovery;

/*
 * Settles one: charges the call in flight in full, releases the rest, and holds the
 * lock of the trace to the end of the transaction.  If it is settled, *charged is
 * set to the total that the plan was charged.
 */
extern BudgetRecovery BudgetRecover(const BudgetOrphan *orphan, TimestampTz pending_before, PlanPrice *charged);

/* Deletes reservations that are settled and that no cap counts any more. */
extern void BudgetPrune(Datum tenants);

#endif							/* ANSWER_EVAL_BUDGET_H */
