/*-------------------------------------------------------------------------
 *
 * document_audit.h
 *		The audit of documents and of their search terms.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H

#include "ground/decision.h"
#include "log/audit_part.h"

extern const DecisionRules *RulesForAudit(Audit *audit, const char *of_what);
extern const AuditPart document_audit;

/* Does a column of a row hold exactly these recomputed bytes? */
extern bool AuditRowHolds(const AuditRow *row, int column, Datum made);

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_AUDIT_H */
