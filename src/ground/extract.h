/*-------------------------------------------------------------------------
 *
 * extract.h
 *		An answer made of sentences of the chunks, and of nothing else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EXTRACT_H
#define ANSWER_EVAL_EXTRACT_H

#include "lib/stringinfo.h"

#include "ground/decision.h"

/*
 * A sentence as it stands in the text, from its first token to before another: from
 * what stands at its first token without a blank between, to what closes it.
 */
extern Span SentenceText(const Words *words, int first, int end);

extern bool ChunkIsSimilar(const JsonView *chunk, Numeric least);
extern void ExtractAppend(StringInfo answer, Span quote, int citation);
extern JsonView ExtractAnswer(Span query, const JsonView *chunks, const DecisionRules *rules,
							  const DecisionConfig *config);

#endif							/* ANSWER_EVAL_EXTRACT_H */
