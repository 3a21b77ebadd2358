/*-------------------------------------------------------------------------
 *
 * stem.h
 *		Stems English words.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_STEM_H
#define ANSWER_EVAL_READING_STEM_H

#include "base/span.h"

/*
 * Replaces a word of lower-case ASCII letters by its stem.  Returns the length,
 * which is never more than the word's.
 */
extern int	StemEnglish(char *word, int len);

#endif							/* ANSWER_EVAL_READING_STEM_H */
