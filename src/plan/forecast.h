/*-------------------------------------------------------------------------
 *
 * forecast.h
 *		Predicts what a plan will cost and take, and says what is given up to make
 *		it fit.
 *
 * All of it is exact arithmetic over what the plan and its request say, and over what
 * calls of its tools have taken (PlanMeasure); nothing is called.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FORECAST_H
#define ANSWER_EVAL_FORECAST_H

#include "plan/ir.h"

typedef struct PlanPrice
{
	Numeric		cost;			/* USD, exact */
	Numeric		latency;		/* ms, exact */
} PlanPrice;

/* Limits are the least of what the plan, the request and the tenant's caps say; the caller takes it. */
typedef struct PlanLimits
{
	Numeric		cost;			/* NULL: none, like the next */
	Numeric		latency;
	bool		has_summary;	/* is there memory or evidence to make a cited summary of? */
	PlanPrice	summary;		/* and its price */
} PlanLimits;

typedef enum DegradationStep
{
	DEGRADE_K,					/* every k is halved */
	DEGRADE_DEPTH,				/* breadth, then depth */
	DEGRADE_SUMMARY,			/* a cited summary of what is at hand, no plan */
	DEGRADE_REFUSED
} DegradationStep;

/* "k", "depth", "summary", "refused" */
extern const char *const degradation_labels[];

/* One entry and one event. */
typedef struct Degradation
{
	DegradationStep step;
	int64		k;				/* the greatest k after a halving; 1 for depth; 0: none */
	PlanPrice	predicted;		/* after it */
} Degradation;

/* By node; what one call of it is charged at most, and how many are predicted. */
typedef struct NodeForecast
{
	PlanPrice	declared;		/* of one call, by its tool's spec: steps are ordered by it */
	PlanPrice	price;			/* of one call as it is measured, or else declared, and as it is degraded */
	int64		calls;			/* 1, but for a map whose items are known; 0 for assert and branch */
	int64		declared_k;		/* 0: has none that is known */
	int64		k;				/* as it is degraded */
} NodeForecast;

typedef struct PlanForecast
{
	NodeForecast *nodes;
	PlanPrice	predicted;		/* what is reserved; where it was refused, the least that was tried */
	int			nsteps;
	Degradation *steps;
	bool		is_by_depth;	/* is the verifier to go breadth first? */
	bool		is_summary;
	bool		is_refused;
} PlanForecast;

/* Forecasts a plan for the variables of a request ($INPUT; an object or absent). */
extern void PlanForecastMake(const PlanIr *plan, const JsonView *vars, const PlanLimits *limits,
							 PlanForecast *forecast);

/* Returns what a node's next call is charged: the price of one, at k results rather than the declared k. */
extern PlanPrice NodePrice(const PlanNode *node, int64 k, int64 declared_k);

/* Returns [{step, k}], as answer_plan_explain shows it */
extern JsonView DegradationView(const PlanForecast *forecast);

/* Returns {latency_ms, cost_usd} */
extern JsonView PriceView(const PlanPrice *price);

#endif							/* ANSWER_EVAL_FORECAST_H */
