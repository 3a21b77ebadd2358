/*-------------------------------------------------------------------------
 *
 * text_set.h
 *		Finds which of many short texts stand in a long one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TEXT_SET_H
#define ANSWER_EVAL_TEXT_SET_H

#include "base/span.h"

typedef struct TextSet TextSet;

/* Is told that text number "which" ends before byte "end". */
typedef void (*TextFound) (void *receiver, int which, int end);

/* Makes a set; none of the texts may be empty. */
extern TextSet *TextSetCreate(const Span *texts, int count);

/* Sets "found" of each text that stands in the text; leaves the others. */
extern void TextSetFind(TextSet *set, Span text, bool *found);

/* Reports each place of each text; of equal ones, the last. */
extern void TextSetEach(const TextSet *set, Span text, TextFound report, void *receiver);

#endif							/* ANSWER_EVAL_TEXT_SET_H */
