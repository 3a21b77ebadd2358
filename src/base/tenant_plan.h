/*-------------------------------------------------------------------------
 *
 * tenant_plan.h
 *		Has a tenant's rows read by the right index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TENANT_PLAN_H
#define ANSWER_EVAL_TENANT_PLAN_H

extern void TenantPlanWatch(void);

#endif							/* ANSWER_EVAL_TENANT_PLAN_H */
