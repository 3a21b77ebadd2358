/*-------------------------------------------------------------------------
 *
 * folded_text.h
 *		Folds a whole text for comparison.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FOLDED_TEXT_H
#define ANSWER_EVAL_FOLDED_TEXT_H

#include "base/span.h"

/*
 * Returns a text trimmed, with each run of white space replaced by one blank, and
 * with letters folded as in tokens.
 */
extern Span FoldedText(Span text);

#endif							/* ANSWER_EVAL_FOLDED_TEXT_H */
