/*-------------------------------------------------------------------------
 *
 * tokens.h
 *		Counts how many tokens a value is taken for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOKENS_H
#define ANSWER_EVAL_TOKENS_H

#include "base/jsonview.h"

/* Returns a fourth of the characters of the canonical form, rounded down; the form is never held. */
extern int64 TokensOf(const JsonView *view);

#endif							/* ANSWER_EVAL_TOKENS_H */
