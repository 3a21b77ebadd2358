/*-------------------------------------------------------------------------
 *
 * reference_audit.h
 *		The audit of everything that receipts and the log refer to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REFERENCE_AUDIT_H
#define ANSWER_EVAL_REFERENCE_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart reference_audit;

#endif							/* ANSWER_EVAL_REFERENCE_AUDIT_H */
