/*-------------------------------------------------------------------------
 *
 * rollup_audit.h
 *		The audit of the roll-up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DASHBOARD_ROLLUP_AUDIT_H
#define ANSWER_EVAL_DASHBOARD_ROLLUP_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart rollup_audit;

#endif							/* ANSWER_EVAL_DASHBOARD_ROLLUP_AUDIT_H */
