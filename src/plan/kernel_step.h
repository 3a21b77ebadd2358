/*-------------------------------------------------------------------------
 *
 * kernel_step.h
 *		One step of a plan: its calls, what they cost, and its event.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_STEP_H
#define ANSWER_EVAL_KERNEL_STEP_H

#include "plan/invoke.h"
#include "plan/kernel.h"

/* Holds what a step's calls came to. */
typedef struct StepCalls
{
	TimestampTz started;
	int			ncalled;		/* calls that were made */
	PlanPrice	charged;
	ToolUsage	usage;
	int64		held;			/* tokens of arguments and results, whatever a tool says of them */
	JsonView	by;				/* who answered; absent: a tool */
	bool		is_pending;
} StepCalls;

/* Goes one step; false if it waits for the application. */
extern bool KernelGoStep(Kernel *kernel, CourseStep *step);

/* Its parts, for a step whose answer has come: makes the calls that are paid, charges them, adds the event. */
extern void KernelPerform(Kernel *kernel, CourseStep *step, int paid, BudgetOutcome unpaid, StepCalls *calls);
extern void KernelCharge(Kernel *kernel, const PlanPrice *charged);
extern void KernelRecordStep(Kernel *kernel, const CourseStep *step, const StepCalls *calls);

/* Stores what calls have taken, once their document is stored. */
extern void KernelStoreCalls(Kernel *kernel);

#endif							/* ANSWER_EVAL_KERNEL_STEP_H */
