/*-------------------------------------------------------------------------
 *
 * segment.h
 *		Sentences and clauses of a text that is being read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_SEGMENT_H
#define ANSWER_EVAL_READING_SEGMENT_H

#include "reading/draft_reading.h"

/* Reads sentences, and the clauses and sentences of the tokens; the tokens are read. */
extern void SegmentsRead(Draft *draft);

/* Returns the character at a place of the plain text, 0 behind its end. */
extern uint32 DraftCharacter(const Draft *draft, int place, int *len);

/* Is a token one of these, as it is folded? */
extern bool DraftTokenIs(const Draft *draft, const Lexicon *lexicon, int token, const char *word);

/* Does a full stop stand behind a title `no` or `nos`, and a digit behind that? */
extern bool IsTitleOfNumber(const Draft *draft, const Lexicon *lexicon, int token);

#endif							/* ANSWER_EVAL_READING_SEGMENT_H */
