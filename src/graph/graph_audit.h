/*-------------------------------------------------------------------------
 *
 * graph_audit.h
 *		The audit of graphs and of what finds their nodes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_AUDIT_H
#define ANSWER_EVAL_GRAPH_AUDIT_H

#include "log/audit_part.h"

extern const AuditPart graph_audit;

#endif							/* ANSWER_EVAL_GRAPH_AUDIT_H */
