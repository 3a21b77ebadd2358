/*-------------------------------------------------------------------------
 *
 * tokens.h
 *		Estimates the number of tokens of a value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOKENS_H
#define ANSWER_EVAL_TOKENS_H

#include "base/jsonview.h"

/* Returns a quarter of the characters of the canonical form, rounded down. The form itself is not built. */
extern int64 TokensOf(const JsonView *view);

#endif							/* ANSWER_EVAL_TOKENS_H */
