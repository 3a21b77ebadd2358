/*-------------------------------------------------------------------------
 *
 * prepare.h
 *		Prepares an execution: reads the request, the plan and the tools that it
 *		names, and reserves the budget.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PREPARE_H
#define ANSWER_EVAL_PREPARE_H

#include "plan/kernel.h"
#include "plan/plan_request.h"

/* Reads a request, and the plan and the tools that it names. */
extern void KernelReadRequest(Kernel *kernel, const JsonView *view, const PlanRequest *request);

/* Finds the measured latencies of the plan's tools, unless the request wants the declared ones. */
extern void KernelMeasureTools(Kernel *kernel, const PlanRequest *request);

/* Forecasts the plan within limits. If it does not fit, a summary from memory may. */
extern void KernelForecast(Kernel *kernel);

/*
 * Takes the budget, and reserves what the plan is predicted to need.  If that is too much,
 * the plan ends as refused.
 */
extern void KernelTakeBudget(Kernel *kernel, const PlanRequest *request);

#endif							/* ANSWER_EVAL_PREPARE_H */
