/*-------------------------------------------------------------------------
 *
 * text_score.h
 *		text-score/2: how much of a question a text holds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TEXT_SCORE_H
#define ANSWER_EVAL_TEXT_SCORE_H

#include "reading/text.h"

#define SCORE_WHOLE		10000	/* the similarity 1 */

/*
 * Returns the similarity in ten-thousandths, half-even; title is NULL where there is
 * none. best_sentence is that of the text (of the title where the text has none), -1
 * where neither has one; it may be NULL.
 */
extern int	ScoreText(const Reading *question, const Reading *text, const Reading *title, int *best_sentence);

#endif							/* ANSWER_EVAL_TEXT_SCORE_H */
