/*-------------------------------------------------------------------------
 *
 * tenant_plan.h
 *		By which index a tenant's rows are read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TENANT_PLAN_H
#define ANSWER_EVAL_TENANT_PLAN_H

extern void TenantPlanWatch(void);

#endif							/* ANSWER_EVAL_TENANT_PLAN_H */
