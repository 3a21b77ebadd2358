/*-------------------------------------------------------------------------
 *
 * recorded_audit.h
 *		The audit of rows that sealings list.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECORDED_AUDIT_H
#define ANSWER_EVAL_RECORDED_AUDIT_H

#include "log/finding.h"

/* Holds readings, judgements and what investigations have against the lists, and what is on none against its code. */
extern void AuditRecordedRows(Audit *audit);

#endif							/* ANSWER_EVAL_RECORDED_AUDIT_H */
