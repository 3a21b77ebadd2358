/*-------------------------------------------------------------------------
 *
 * execute.h
 *		Starting plans, in both forms, and explaining how one would be executed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_EXECUTE_H
#define ANSWER_EVAL_PLAN_EXECUTE_H

#include "utils/jsonb.h"

#include "judge/pinned.h"

/*
 * Does what answer_plan_execute(request) does, by what a case of a suite goes by; NULL: no
 * case is tried.  The result is in the current context.
 */
extern Jsonb *PlanExecute(Jsonb *request, const Pinning *pinning);

#endif							/* ANSWER_EVAL_PLAN_EXECUTE_H */
