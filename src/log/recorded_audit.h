/*-------------------------------------------------------------------------
 *
 * recorded_audit.h
 *		The audit of readings, judgements and what investigations have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECORDED_AUDIT_H
#define ANSWER_EVAL_RECORDED_AUDIT_H

#include "log/finding.h"

/* Holds such rows against the lists, and what is on none against its code. */
extern void AuditRecordedRows(Audit *audit);

#endif							/* ANSWER_EVAL_RECORDED_AUDIT_H */
