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

extern bool ChunkIsSimilar(const JsonView *chunk, Numeric least);
extern void ExtractAppend(StringInfo answer, Span quote, int citation);
extern JsonView ExtractAnswer(Span query, const JsonView *chunks, const DecisionRules *rules,
							  const DecisionConfig *config);

#endif							/* ANSWER_EVAL_EXTRACT_H */
