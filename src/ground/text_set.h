/*-------------------------------------------------------------------------
 *
 * text_set.h
 *		Finds which of many short texts occur in a long one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TEXT_SET_H
#define ANSWER_EVAL_TEXT_SET_H

#include "base/span.h"

typedef struct TextSet TextSet;

/* Called when text number "which" was found; it ends before byte "end". */
typedef void (*TextFound) (void *receiver, int which, int end);

/* Makes a set; none of the texts may be empty. */
extern TextSet *TextSetCreate(const Span *texts, int count);

/* Sets found[i] if text i occurs in the text; leaves the others unchanged. */
extern void TextSetFind(TextSet *set, Span text, bool *found);

/* Reports each occurrence of each text; among equal texts, only for the last one. */
extern void TextSetEach(const TextSet *set, Span text, TextFound report, void *receiver);

#endif							/* ANSWER_EVAL_TEXT_SET_H */
