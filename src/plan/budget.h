/*-------------------------------------------------------------------------
 *
 * budget.h
 *		The money and the time of a plan: what it may take, has reserved, was charged.
 *
 * A plan that is executed goes through these calls in this order:
 *
 *	BudgetBegin		with the least of what its signals and its request say
 *	BudgetOpen		takes the locks, and narrows budget->limits by the caps
 *	BudgetReserve	the prediction that fits these limits
 *	per call:		BudgetReserveMore for what was not predicted, BudgetStep
 *					before it, BudgetCharge after it
 *	BudgetSettle	at its end; or BudgetSuspend, where it waits for an answer
 *
 * In the form that holds (is_held, in the caller's transaction) all of it is in
 * memory until BudgetSettle or BudgetSuspend, under locks that are kept to the
 * end of the transaction.  In the other form BudgetSave goes before each COMMIT
 * that follows a BudgetStep or BudgetCharge; all others save by themselves.
 * There the locks are those of one transaction, and others wait for its COMMIT.
 * So BudgetReserve, BudgetReserveMore and BudgetSettle are best each followed by
 * one, and BudgetCommitUnflushed goes before that, see there.
 *
 * SPI must be connected.  The numbers of a Budget are in the memory context of
 * the call that made them, so a caller with COMMITs calls in one that lasts.
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
	BUDGET_REFUSED,				/* it is over a limit */
	BUDGET_BUSY					/* others hold the budget, and lock_timeout passed */
} BudgetOutcome;

/* "fits", "refused", "busy" */
extern const char *const budget_outcome_labels[];

typedef struct Budget
{
	const text *tenant;
	Span		trace_id;
	bool		is_held;		/* are locks held to the end of the caller's transaction? */
	PlanLimits	own;			/* of plan and request */
	PlanLimits	limits;			/* the least of these and the caps */
	PlanPrice	reserved;		/* of all of the plan; what was charged is part of it */
	PlanPrice	charged;		/* of finished calls */
	PlanPrice	step;			/* of the call in flight */
	DateADT		day;			/* to which it is charged, in UTC, and to its month */
	bool		is_capped;		/* are there caps by day or month? */
	Numeric		counted;		/* USD that they count as reserved for it */
	bool		is_stored;		/* is there a row of it? */
} Budget;

/*
 * Narrows limits by what the caps of a tenant leave at an instant: for who looks,
 * and executes nothing.  No lock is taken.
 */
extern void BudgetLook(const text *tenant, TimestampTz at, PlanLimits *limits);

/* Begins.  The budget borrows tenant, trace_id and what limits refer to. */
extern void BudgetBegin(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits);

/*
 * Takes the tenant's budget, and in the form that holds the buckets of all
 * tools with a rate limit that the plan names.  "at" is evaluated_at: it
 * says which day and month are charged.  BUDGET_FITS or BUDGET_BUSY.  Raises
 * 40001 under REPEATABLE READ where others have changed the budget since.
 */
extern BudgetOutcome BudgetOpen(Budget *budget, const Span *tools, int count, TimestampTz at);

/* Reserves the prediction.  BUDGET_REFUSED, and nothing is reserved, if it does not fit the limits. */
extern BudgetOutcome BudgetReserve(Budget *budget, const PlanPrice *predicted);

/* Reserves a further item or attempt. */
extern BudgetOutcome BudgetReserveMore(Budget *budget, const PlanPrice *more);

/* Names for a reader the limits that a price is over, each with what sets it. */
extern const char *BudgetExceeded(const Budget *budget, const PlanPrice *price);

/* Says why a further item or attempt of that price was not reserved. */
extern const char *BudgetExceededBy(const Budget *budget, const PlanPrice *more);

/* Notes that a call of that price, which is reserved, is about to be made. */
extern void BudgetStep(Budget *budget, const PlanPrice *price);

/*
 * Charges the call that was made: at most the price of BudgetStep in cost, and as long
 * as it took. A call that was not made after all is charged nothing.
 */
extern void BudgetCharge(Budget *budget, const PlanPrice *charged);

extern void BudgetSave(Budget *budget);

/* Ends: what was charged is spent, the rest of the reservation is let go. */
extern void BudgetSettle(Budget *budget);

/*
 * Lets the COMMIT of this transaction not wait for the disk while others wait
 * for it.  For a transaction that does nothing but reserve, of which a crash
 * loses what was for calls that were not made, if another COMMIT comes before
 * them; or nothing but settle, after the COMMIT of the plan's document, for
 * answer_plan_recover() settles what was not.  It sets a setting for the
 * transaction, so it goes right before SPI_commit, outside of NewGUCNestLevel.
 */
extern void BudgetCommitUnflushed(void);

/* Keeps the reservation for a plan that waits for the application. */
extern void BudgetSuspend(Budget *budget);

/*
 * Goes on with what an earlier transaction has saved, perhaps another session's:
 * the reservation is this session's from now on, and does not wait any more.  The
 * caller holds the lock of the trace.  limits as for BudgetBegin.  False if there is no
 * reservation, or it is settled.  In the form that holds, BudgetReopen goes next.
 */
extern bool BudgetResume(Budget *budget, const text *tenant, Span trace_id, bool is_held, const PlanLimits *limits);

/* Takes the locks as BudgetOpen does. */
extern BudgetOutcome BudgetReopen(Budget *budget, const Span *tools, int count);

/*
 * Holds what a session that is gone may have left: not settled, and not waiting for
 * the application, or since before "pending_before". Of these tenants, a text[].
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
	BUDGET_WAS_SETTLED,			/* before, by somebody else */
	BUDGET_GONE,				/* there is no reservation of it */
	BUDGET_EXECUTED				/* a session executes the plan, this one perhaps: its lock is not ours */
} BudgetRecovery;

/*
 * Settles one: the call in flight is charged in full, the rest is let go, and
 * the lock of the trace is held to the end of the transaction.  *charged is what
 * the plan was charged in all, of one that is settled.
 */
extern BudgetRecovery BudgetRecover(const BudgetOrphan *orphan, TimestampTz pending_before, PlanPrice *charged);

/* Deletes what is settled and no cap will count again. */
extern void BudgetPrune(Datum tenants);

#endif							/* ANSWER_EVAL_BUDGET_H */
