/*-------------------------------------------------------------------------
 *
 * answer_receipt.h
 *		The document answer/v1: closure and replay.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ANSWER_RECEIPT_H
#define ANSWER_EVAL_ANSWER_RECEIPT_H

#include "base/jsonview.h"

extern const char *AnswerClosureProblem(const JsonView *receipt);
extern JsonView AnswerVerifyReplay(const JsonView *receipt);
extern JsonView AnswerReplay(const JsonView *receipt, const JsonView *routing);

/*
 * Returns a value in a form that a report can hold in any database: the value itself if
 * it is a scalar that jsonb accepts here, else its canonical text, truncated.
 * "portable" is for recomputed values, which are reported in portable form; recorded
 * values are reported as they are.
 */
extern JsonView ReportableView(const JsonView *value, bool portable);

#endif							/* ANSWER_EVAL_ANSWER_RECEIPT_H */
