/*-------------------------------------------------------------------------
 *
 * schedule.h
 *		Decides which step of a plan comes next, and which steps are skipped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SCHEDULE_H
#define ANSWER_EVAL_SCHEDULE_H

#include "plan/forecast.h"

typedef struct PlanSchedule PlanSchedule;

/*
 * Begins a schedule.  Among several ready nodes, the declared prices in the
 * forecast decide which is cheapest.
 */
extern PlanSchedule *PlanScheduleBegin(const PlanIr *plan, const PlanForecast *forecast);

/*
 * Returns the next node to execute, or -1.  Takes it from the nodes whose
 * predecessors are all finished or skipped: the cheapest, then the fastest, then
 * the first in the plan.  The caller may finish a node before or after it asks for
 * the next one; -1 before all are finished only means that none is ready.
 */
extern int	PlanScheduleNext(PlanSchedule *schedule);

/*
 * Records that a node was executed. "taken" is the side of a branch; PLAN_SIDE_NONE
 * means both, to list all nodes.
 */
extern void PlanScheduleFinish(PlanSchedule *schedule, int node, PlanSide taken);

/* Returns all nodes in order of execution, as if no branch skipped any. */
extern int *PlanOrder(const PlanIr *plan, const PlanForecast *forecast);

/* Returns {name: [ids of the nodes that bind it]}. */
extern JsonView PlanBindingsView(const PlanIr *plan);

#endif							/* ANSWER_EVAL_SCHEDULE_H */
