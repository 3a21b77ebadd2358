/*-------------------------------------------------------------------------
 *
 * quality_audit.h
 *		The audit of investigations and of the rules of evidence quality.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUALITY_AUDIT_H
#define ANSWER_EVAL_QUALITY_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart quality_audit;

#endif							/* ANSWER_EVAL_QUALITY_AUDIT_H */
