/*-------------------------------------------------------------------------
 *
 * stored.h
 *		Rules and entries of evidence quality, as the tables have them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STORED_H
#define ANSWER_EVAL_STORED_H

#include "base/jsonview.h"
#include "quality/assess.h"
#include "quality/rules.h"

extern QuestionForm QuestionFormInForce(void);
extern JsonView RulesDocument(const text *tenant);
extern void AssessInvestigation(const QualityRules *rules, const text *tenant,
								Datum investigation, Assessment *assessment);
extern _Noreturn void UnknownInvestigation(int64 investigation);

#endif							/* ANSWER_EVAL_STORED_H */
