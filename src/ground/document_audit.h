/*-------------------------------------------------------------------------
 *
 * document_audit.h
 *		The audit of documents and of what finds them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H

#include "ground/decision.h"
#include "log/audit.h"

extern const DecisionRules *RulesForAudit(Audit *audit, const char *of_what);
extern void AuditDocuments(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H */
