/*-------------------------------------------------------------------------
 *
 * schedule.h
 *		Says which step of a plan comes next, and which ones are skipped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SCHEDULE_H
#define ANSWER_EVAL_SCHEDULE_H

#include "plan/forecast.h"

typedef struct PlanSchedule PlanSchedule;

/*
 * Begins a schedule. The forecast tells which of several ready nodes is cheapest; its
 * declared prices count.
 */
extern PlanSchedule *PlanScheduleBegin(const PlanIr *plan, const PlanForecast *forecast);

/*
 * Returns the next node to execute, or -1: of those whose predecessors are all
 * finished or skipped the cheapest, then the fastest, then the first in the plan. The
 * caller finishes it before or after it asks for another one; -1 before all are
 * finished only says that none is ready.
 */
extern int	PlanScheduleNext(PlanSchedule *schedule);

/*
 * Notes that a node was executed. For a branch "taken" is its side; PLAN_SIDE_NONE:
 * both, as where all is to be listed.
 */
extern void PlanScheduleFinish(PlanSchedule *schedule, int node, PlanSide taken);

/* Returns all nodes in the order in which they would be executed if no branch skipped any. */
extern int *PlanOrder(const PlanIr *plan, const PlanForecast *forecast);

/* Returns {name: [ids of the nodes that bind it]} */
extern JsonView PlanBindingsView(const PlanIr *plan);

#endif							/* ANSWER_EVAL_SCHEDULE_H */
