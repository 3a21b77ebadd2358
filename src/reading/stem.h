/*-------------------------------------------------------------------------
 *
 * stem.h
 *		English stems.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_STEM_H
#define ANSWER_EVAL_READING_STEM_H

#include "base/span.h"

/*
 * Returns the stem of a word of lower-case ASCII letters, written over it; its length,
 * which is never more than the word's.
 */
extern int	StemEnglish(char *word, int len);

#endif							/* ANSWER_EVAL_READING_STEM_H */
