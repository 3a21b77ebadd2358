/*-------------------------------------------------------------------------
 *
 * stored.h
 *		The audit of the roll-up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DASHBOARD_STORED_H
#define ANSWER_EVAL_DASHBOARD_STORED_H

#include "log/audit.h"

/* A WingAudit. */
extern void AuditRollup(Audit *audit, bool functions_good);

#endif							/* ANSWER_EVAL_DASHBOARD_STORED_H */
