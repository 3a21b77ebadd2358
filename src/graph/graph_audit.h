/*-------------------------------------------------------------------------
 *
 * graph_audit.h
 *		The audit of graphs and of what finds their nodes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_AUDIT_H
#define ANSWER_EVAL_GRAPH_AUDIT_H

#include "log/audit.h"

extern void AuditGraphs(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_GRAPH_AUDIT_H */
