/*-------------------------------------------------------------------------
 *
 * answer.h
 *		The document answer/v1: do its parts belong together, and replay.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ANSWER_H
#define ANSWER_EVAL_ANSWER_H

#include "base/jsonview.h"

extern const char *AnswerClosureProblem(const JsonView *receipt);
extern JsonView AnswerVerifyReplay(const JsonView *receipt);
extern JsonView AnswerReplay(const JsonView *receipt, const JsonView *routing);

#endif							/* ANSWER_EVAL_ANSWER_H */
