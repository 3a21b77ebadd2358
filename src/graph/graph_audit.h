/*-------------------------------------------------------------------------
 *
 * graph_audit.h
 *		The audit of graphs and of their search terms.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_AUDIT_H
#define ANSWER_EVAL_GRAPH_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart graph_audit;

#endif							/* ANSWER_EVAL_GRAPH_AUDIT_H */
