/*-------------------------------------------------------------------------
 *
 * recorded_audit.h
 *		The audit of readings, judgements and entries of investigations.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECORDED_AUDIT_H
#define ANSWER_EVAL_RECORDED_AUDIT_H

#include "log/finding.h"

/* Compares such rows with the lists, and rows on no list with their codes. */
extern void AuditRecordedRows(Audit *audit);

#endif							/* ANSWER_EVAL_RECORDED_AUDIT_H */
