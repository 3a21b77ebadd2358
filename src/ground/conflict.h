/*-------------------------------------------------------------------------
 *
 * conflict.h
 *		Where retrieved chunks contradict each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONFLICT_H
#define ANSWER_EVAL_CONFLICT_H

#include "ground/chunk.h"

typedef enum ConflictType
{
	CONFLICT_POLICY,
	CONFLICT_NUMERIC
} ConflictType;

extern const char *const conflict_type_labels[];

typedef struct ConflictPair
{
	int			a;				/* numbers in the set of chunks */
	int			b;
	ConflictType type;
	JsonView	entry;			/* as the result shows it */
} ConflictPair;

typedef struct Conflicts
{
	int			compared;		/* chunks that were looked at */
	size_t		size;			/* bytes of built-in entries, at the least */
	size_t		most;			/* what they may take */
	int			npairs;
	int			capacity;
	ConflictPair *pairs;		/* built-in ones first, in order of a and then of b */
} Conflicts;

/*
 * Compares some chunks of a set with each other: "which" are their numbers,
 * ascending; NULL means all of them, and count is ignored.  Ends where the entries
 * take more than so many bytes as JSON: then they are too large, and not all.
 */
extern void ConflictsFind(ChunkSet *set, const int *which, int count, size_t most, Conflicts *conflicts);
extern bool ConflictsAreTooLarge(const Conflicts *conflicts);

/* Raises 54000 if they are. */
extern void ConflictsRefuseLarge(const Conflicts *conflicts);

/*
 * Adds what a user's detector found: an array of {chunk_a, chunk_b, reason, …}
 * whose chunks are in the set.  False, and one sentence that names the place,
 * if it is none; then some may have been added.  "name" becomes the kind of each.
 */
extern bool ConflictsAddDetected(Conflicts *conflicts, const ChunkSet *set, Span name,
								 const JsonView *pairs, const char **problem);

/* The result of answer_conflicts. */
extern JsonView ConflictsView(const Conflicts *conflicts);

#endif							/* ANSWER_EVAL_CONFLICT_H */
