/*-------------------------------------------------------------------------
 *
 * run_audit.h
 *		The audit of stored executions of plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_RUN_AUDIT_H
#define ANSWER_EVAL_PLAN_RUN_AUDIT_H

#include "log/finding.h"

extern void AuditPlans(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_PLAN_RUN_AUDIT_H */
