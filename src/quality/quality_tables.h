/*-------------------------------------------------------------------------
 *
 * quality_tables.h
 *		Reads the rules and entries of evidence quality from the tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUALITY_TABLES_H
#define ANSWER_EVAL_QUALITY_TABLES_H

#include "base/jsonview.h"
#include "quality/quality_assess.h"
#include "quality/quality_rules.h"

extern QuestionForm QuestionFormInForce(void);
extern JsonView RulesDocument(const text *tenant);
extern void AssessInvestigation(const QualityRules *rules, const text *tenant,
								Datum investigation, Assessment *assessment);
extern _Noreturn void UnknownInvestigation(int64 investigation);

#endif							/* ANSWER_EVAL_QUALITY_TABLES_H */
