/*-------------------------------------------------------------------------
 *
 * plan_audit.h
 *		The audit of plans, their traces, their budgets and their memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_AUDIT_H
#define ANSWER_EVAL_PLAN_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart plan_audit;

#endif							/* ANSWER_EVAL_PLAN_AUDIT_H */
