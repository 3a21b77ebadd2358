/*-------------------------------------------------------------------------
 *
 * stored.h
 *		The audit of the roll-up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DASHBOARD_STORED_H
#define ANSWER_EVAL_DASHBOARD_STORED_H

#include "log/part.h"

extern const AuditPart rollup_audit;

#endif							/* ANSWER_EVAL_DASHBOARD_STORED_H */
