/*-------------------------------------------------------------------------
 *
 * tenant_plan.h
 *		Makes the planner read a tenant's rows by the right index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TENANT_PLAN_H
#define ANSWER_EVAL_TENANT_PLAN_H

extern void TenantPlanWatch(void);

#endif							/* ANSWER_EVAL_TENANT_PLAN_H */
