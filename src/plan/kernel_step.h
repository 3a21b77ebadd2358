/*-------------------------------------------------------------------------
 *
 * kernel_step.h
 *		One step of a plan: makes its calls, charges them, and adds its event.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_STEP_H
#define ANSWER_EVAL_KERNEL_STEP_H

#include "plan/invoke.h"
#include "plan/kernel.h"

/* The result of a step's calls. */
typedef struct StepCalls
{
	TimestampTz started;
	int			ncalled;		/* calls that were made */
	PlanPrice	charged;
	ToolUsage	usage;
	int64		held;			/* tokens of arguments and results, counted by us */
	JsonView	by;				/* who answered; absent: a tool */
	bool		is_pending;
} StepCalls;

/* Executes one step. Returns false if it waits for the application. */
extern bool KernelGoStep(Kernel *kernel, CourseStep *step);

/*
 * The parts of a step, also used for a step that the application answered.
 * KernelPerform makes the calls that are paid for, KernelCharge charges them,
 * KernelRecordStep adds the event.
 */
extern void KernelPerform(Kernel *kernel, CourseStep *step, int paid, BudgetOutcome unpaid, StepCalls *calls);
extern void KernelCharge(Kernel *kernel, const PlanPrice *charged);
extern void KernelRecordStep(Kernel *kernel, const CourseStep *step, const StepCalls *calls);

/* Stores how long calls took, after the document is stored. */
extern void KernelStoreCalls(Kernel *kernel);

#endif							/* ANSWER_EVAL_KERNEL_STEP_H */
