/*-------------------------------------------------------------------------
 *
 * conflict.h
 *		Finds contradictions between retrieved chunks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONFLICT_H
#define ANSWER_EVAL_CONFLICT_H

#include "ground/chunk.h"
#include "ground/judge_pairs.h"

typedef enum ConflictType
{
	CONFLICT_POLICY,
	CONFLICT_NUMERIC
} ConflictType;

extern const char *const conflict_type_labels[];

typedef struct ConflictPair
{
	int			a;				/* indexes in the set of chunks */
	int			b;
	ConflictType type;
	JsonView	entry;			/* as shown in the result */
} ConflictPair;

typedef struct Conflicts
{
	int			compared;		/* number of chunks compared */
	size_t		size;			/* lower bound of the bytes of all entries */
	size_t		most;			/* limit of size */
	int			npairs;
	int			capacity;
	ConflictPair *pairs;		/* ordered by a, then b */
} Conflicts;

/*
 * What to compare. "which" holds the indexes of chunks, ascending; NULL means all
 * chunks, and count is ignored.  Two chunks are compared if at least one of them is
 * used, or always if is_used is NULL.  The consultation asks judges about each pair
 * that the rule "fact" does not decide.  Rules 1 to 5 decide a pair that the panel
 * has not judged, or if there is no panel.
 */
typedef struct Comparing
{
	const int  *which;
	int			count;
	const bool *is_used;		/* by index in the set */
	Consultation *consultation;
	size_t		most;			/* limit for the bytes of all entries as JSON */
} Comparing;

/*
 * What was read of a set's chunks, and which pairs were compared.  Kept so that
 * chunks can be compared repeatedly.
 */
typedef struct ConflictFinder ConflictFinder;

extern ConflictFinder *ConflictFinderBegin(ChunkSet *set);

/* Stops once the entries exceed their size limit; the result is then too large and incomplete. */
extern void ConflictsFindWith(ConflictFinder *finder, const Comparing *comparing, Conflicts *conflicts);
extern bool ConflictsAreTooLarge(const Conflicts *conflicts);

/* Raises 54000 if they are. */
extern void ConflictsRefuseLarge(const Conflicts *conflicts);

/*
 * Terms for comparing single texts by callers other than answer_conflicts.
 * Exceptions do not cancel a stance, and it does not matter which documents the
 * texts are from.  Qualifiers count as always.
 */
typedef enum ConflictTerms
{
	CONFLICT_WITH_CLAIM,		/* needs no shared topic and no further keyword; all sentences count */
	CONFLICT_WITH_SOURCE		/* needs a shared topic; one further keyword is enough for policy and numbers */
} ConflictTerms;

typedef struct ConflictJudge ConflictJudge;

/* Reads all chunks of a set; it must have rules. */
extern ConflictJudge *ConflictJudgeBegin(ChunkSet *set);

/* Does one of the rules find a contradiction between two chunks? The order of a and b does not matter. */
extern bool ConflictJudgeHolds(ConflictJudge *judge, int a, int b, ConflictTerms terms);

/* Returns the result of answer_conflicts. */
extern JsonView ConflictsView(const Conflicts *conflicts);

#endif							/* ANSWER_EVAL_CONFLICT_H */
