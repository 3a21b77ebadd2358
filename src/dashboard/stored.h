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

/* An AuditWalk. */
extern void AuditRollup(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_DASHBOARD_STORED_H */
