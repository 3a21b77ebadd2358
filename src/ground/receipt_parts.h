/*-------------------------------------------------------------------------
 *
 * receipt_parts.h
 *		Parts of a document decision/v1, whichever rules it was decided by.
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

/* Returns the configuration with all keys, of which a document leaves out the defaults; what is no object as it is. */
extern JsonView PartConfig(const JsonView *document);

/*
 * Returns what is wrong with the question, the label, the chunks, the citations and
 * the conflicts of a document, of whichever rules; NULL: nothing. Gives what was read.
 */
extern const char *DecisionPartsProblem(const JsonView *document, const ChunkSet **chunks, JsonView *citations,
										JsonView *pairs);

/* Returns what is wrong with what was answered, beside the decision; NULL: nothing. */
extern const char *DecisionOutcomeProblem(const JsonView *document, const JsonView *citations);

#endif							/* ANSWER_EVAL_RECEIPT_PARTS_H */
