/*-------------------------------------------------------------------------
 *
 * sentence_text.h
 *		A sentence as it stands in the text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_SENTENCE_TEXT_H
#define ANSWER_EVAL_PLAN_SENTENCE_TEXT_H

#include "reading/words.h"

/*
 * A sentence from its first token to before another: from what stands at its first
 * token without a blank between, to what closes it.
 */
extern Span SentenceText(const Words *words, int first, int end);

#endif							/* ANSWER_EVAL_PLAN_SENTENCE_TEXT_H */
