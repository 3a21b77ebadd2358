/*-------------------------------------------------------------------------
 *
 * answer_receipt.h
 *		The document answer/v1: do its parts belong together, and replay.
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
 * Returns a value as a report can hold it in any database: itself if it is a scalar
 * that jsonb takes here, else its canonical text, cut short. What is recomputed is
 * told in its portable form, what is recorded as it stands.
 */
extern JsonView ReportableView(const JsonView *value, bool portable);

#endif							/* ANSWER_EVAL_ANSWER_RECEIPT_H */
