/*-------------------------------------------------------------------------
 *
 * execute.h
 *		Starts plans, and executes them step by step.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_EXECUTE_H
#define ANSWER_EVAL_PLAN_EXECUTE_H

#include "judge/pinned.h"
#include "plan/kernel.h"

/*
 * Does what answer_plan_execute(request) does, for a case of a suite (NULL: none).
 * Returns the result in the current memory context.
 */
extern Jsonb *PlanExecute(Jsonb *request, const Pinning *pinning);

/* Executes steps until the plan ends or waits. Returns the document, or what the plan waits for. */
extern Jsonb *KernelGo(Kernel *kernel);

#endif							/* ANSWER_EVAL_PLAN_EXECUTE_H */
