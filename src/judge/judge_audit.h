/*-------------------------------------------------------------------------
 *
 * judge_audit.h
 *		The audit of judges and their judgements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_AUDIT_H
#define ANSWER_EVAL_JUDGE_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart judge_audit;

#endif							/* ANSWER_EVAL_JUDGE_AUDIT_H */
