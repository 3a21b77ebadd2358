/*-------------------------------------------------------------------------
 *
 * receipt_parts.h
 *		Parts of a document decision/v1, for decision/1 and decision/2 alike.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECEIPT_PARTS_H
#define ANSWER_EVAL_RECEIPT_PARTS_H

#include "ground/chunk.h"
#include "ground/portable_numbers.h"

/* values */
extern bool PartIsOneOf(const JsonView *text, const char *const *words, size_t count);
extern bool PartIsArrayOf(JsonViewType type, const JsonView *array);
extern bool DecisionIsAnswer(const JsonView *decision);
extern JsonView DecisionCitations(const JsonView *body);
extern JsonView DecisionAnswerText(const JsonView *body);
extern ChunkSet *PartChunks(const JsonView *document, JsonView *chunks);
extern const Chunk *PartChunk(const ChunkSet *chunks, const JsonView *chunk_id);
extern bool PartCitationsAreChunks(const JsonView *citations, const ChunkSet *chunks);
extern bool PartDigestIs(const JsonView *document, const char *name, const JsonView *value);
extern bool PartDigestNames(const JsonView *document, const char *name, const char *key);

/*
 * Returns the configuration with the defaults that a document leaves out.  Returns
 * it unchanged if it is no object.
 */
extern JsonView PartConfig(const JsonView *document);

/*
 * Checks the question, the label, the chunks, the citations and the conflicts of a
 * document, whichever rules decided it.  Returns the problem, or NULL, and sets
 * what was read.
 */
extern const char *DecisionPartsProblem(const JsonView *document, const ChunkSet **chunks, JsonView *citations,
										JsonView *pairs);

/* Checks what was answered against the decision. Returns the problem, or NULL. */
extern const char *DecisionOutcomeProblem(const JsonView *document, const JsonView *citations);

#endif							/* ANSWER_EVAL_RECEIPT_PARTS_H */
