/*-------------------------------------------------------------------------
 *
 * forecast.h
 *		Predicts what a plan will cost and how long it will take, and how it is
 *		degraded to fit its limits.
 *
 * Nothing is called.  The arithmetic is exact, over the plan, its request and the
 * measured latencies of its tools (PlanMeasure).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FORECAST_H
#define ANSWER_EVAL_FORECAST_H

#include "base/numbers.h"
#include "plan/ir.h"

typedef struct PlanPrice
{
	Numeric		cost;			/* USD, exact */
	Numeric		latency;		/* ms, exact */
} PlanPrice;

static inline PlanPrice
NoPrice(void)
{
	return (PlanPrice) {int64_to_numeric(0), int64_to_numeric(0)};
}

static inline PlanPrice
AddPrices(PlanPrice a, PlanPrice b)
{
	return (PlanPrice) {NumberCall(numeric_add, a.cost, b.cost), NumberCall(numeric_add, a.latency, b.latency)};
}

/* The caller sets these to the lowest of what the plan, the request and the tenant's caps allow. */
typedef struct PlanLimits
{
	Numeric		cost;			/* NULL: no limit, also below */
	Numeric		latency;
	bool		has_summary;	/* is there remembered evidence for a cited summary? */
	PlanPrice	summary;		/* price of that summary */
} PlanLimits;

typedef enum DegradationStep
{
	DEGRADE_K,					/* halve every k */
	DEGRADE_DEPTH,				/* verify breadth first, then in depth */
	DEGRADE_SUMMARY,			/* a cited summary of remembered evidence instead of the plan */
	DEGRADE_REFUSED
} DegradationStep;

/* "k", "depth", "summary", "refused" */
extern const char *const degradation_labels[];

/* One degradation that was applied. */
typedef struct Degradation
{
	DegradationStep step;
	int64		k;				/* the greatest k after a halving; 1 for depth; 0: none */
	PlanPrice	predicted;		/* after this degradation */
} Degradation;

/* Per node: the maximum charge of one call, and the predicted number of calls. */
typedef struct NodeForecast
{
	PlanPrice	declared;		/* of one call, from the tool's spec; steps are ordered by it */
	PlanPrice	price;			/* of one call, as measured or else declared, after degradation */
	int64		calls;			/* 1; for a map the number of items if it is known; 0 for assert and branch */
	int64		declared_k;		/* 0: none, or not known */
	int64		k;				/* after degradation */
} NodeForecast;

typedef struct PlanForecast
{
	NodeForecast *nodes;
	PlanPrice	predicted;		/* the amount reserved; if the plan is refused, the lowest that was tried */
	int			nsteps;
	Degradation *steps;
	bool		is_by_depth;	/* does the verifier go breadth first? */
	bool		is_summary;
	bool		is_refused;
} PlanForecast;

/* Forecasts a plan for the variables of a request ($INPUT; an object or absent). */
extern void PlanForecastMake(const PlanIr *plan, const JsonView *vars, const PlanLimits *limits,
							 PlanForecast *forecast);

/* Returns the price of a node's next call: that of one call, at k results instead of the declared k. */
extern PlanPrice NodePrice(const PlanNode *node, int64 k, int64 declared_k);

/* Returns [{step, k}], as answer_plan_explain shows it. */
extern JsonView DegradationView(const PlanForecast *forecast);

/* Returns {latency_ms, cost_usd}. */
extern JsonView PriceView(const PlanPrice *price);

#endif							/* ANSWER_EVAL_FORECAST_H */
