/*-------------------------------------------------------------------------
 *
 * folded_text.h
 *		A whole text as it is compared: folded, white space collapsed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FOLDED_TEXT_H
#define ANSWER_EVAL_FOLDED_TEXT_H

#include "base/span.h"

/*
 * Returns a text trimmed, each run of white space as one blank, and each letter folded
 * as those of tokens are.
 */
extern Span FoldedText(Span text);

#endif							/* ANSWER_EVAL_FOLDED_TEXT_H */
