/*-------------------------------------------------------------------------
 *
 * text_score.h
 *		text-score/2: the share of a question that a text covers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TEXT_SCORE_H
#define ANSWER_EVAL_TEXT_SCORE_H

#include "reading/text.h"

#define SCORE_WHOLE		10000	/* similarity 1 */

/*
 * Returns the similarity in ten-thousandths, rounded half-even. title may be NULL.
 * *best_sentence, unless NULL, is set to the best sentence of the text, or of the
 * title if the text has no sentence, or -1.
 */
extern int	ScoreText(const Reading *question, const Reading *text, const Reading *title, int *best_sentence);

#endif							/* ANSWER_EVAL_TEXT_SCORE_H */
