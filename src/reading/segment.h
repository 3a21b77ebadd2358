/*-------------------------------------------------------------------------
 *
 * segment.h
 *		Splits a text into sentences and clauses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_SEGMENT_H
#define ANSWER_EVAL_READING_SEGMENT_H

#include "reading/draft_reading.h"

/* Reads sentences, and sets the clause and sentence of each token. The tokens must have been read. */
extern void SegmentsRead(Draft *draft);

/* Returns the character at a position of the plain text; 0 after its end. */
extern uint32 DraftCharacter(const Draft *draft, int place, int *len);

/* Is the folded token this word? */
extern bool DraftTokenIs(const Draft *draft, const Lexicon *lexicon, int token, const char *word);

/* Is there a full stop after the title `no` or `nos`, and then a digit? */
extern bool IsTitleOfNumber(const Draft *draft, const Lexicon *lexicon, int token);

#endif							/* ANSWER_EVAL_READING_SEGMENT_H */
