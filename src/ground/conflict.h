/*-------------------------------------------------------------------------
 *
 * conflict.h
 *		Finds where retrieved chunks contradict each other.
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
	int			a;				/* numbers in the set of chunks */
	int			b;
	ConflictType type;
	JsonView	entry;			/* as the result shows it */
} ConflictPair;

typedef struct Conflicts
{
	int			compared;		/* chunks that were looked at */
	size_t		size;			/* bytes of the entries, at the least */
	size_t		most;			/* what they may take */
	int			npairs;
	int			capacity;
	ConflictPair *pairs;		/* in order of a and then of b */
} Conflicts;

/*
 * Holds what is to be compared with what: "which" are the numbers of chunks,
 * ascending; NULL means all of them, and count is ignored. Two are compared where one
 * is used; without "is_used" all are. A consultation is asked of each pair that the
 * rule "fact" does not hold; where its panel has not judged, or there is none, rules 1
 * to 5 decide.
 */
typedef struct Comparing
{
	const int  *which;
	int			count;
	const bool *is_used;		/* by number in the set */
	Consultation *consultation;
	size_t		most;			/* bytes that the entries may take as JSON */
} Comparing;

/*
 * Holds what was read of a set's chunks, and which pairs were compared: for comparing
 * some of them repeatedly.
 */
typedef struct ConflictFinder ConflictFinder;

extern ConflictFinder *ConflictFinderBegin(ChunkSet *set);

/* Ends where the entries take more than they may: then they are too large, and not all. */
extern void ConflictsFindWith(ConflictFinder *finder, const Comparing *comparing, Conflicts *conflicts);
extern bool ConflictsAreTooLarge(const Conflicts *conflicts);

/* Raises 54000 if they are. */
extern void ConflictsRefuseLarge(const Conflicts *conflicts);

/*
 * Terms on which single texts are held against each other, for whoever has other
 * grounds to compare them than answer_conflicts: what exceptions say takes no
 * stance away, and documents are not looked at.  Qualifiers count as always.
 */
typedef enum ConflictTerms
{
	CONFLICT_WITH_CLAIM,		/* no shared topic, no further keyword: all sentences count */
	CONFLICT_WITH_SOURCE		/* a shared topic; one further keyword is enough for policy and numbers */
} ConflictTerms;

typedef struct ConflictJudge ConflictJudge;

/* Reads all chunks of a set; it must have rules. */
extern ConflictJudge *ConflictJudgeBegin(ChunkSet *set);

/* Does one of the rules hold between two chunks?  a and b can be exchanged. */
extern bool ConflictJudgeHolds(ConflictJudge *judge, int a, int b, ConflictTerms terms);

/* Returns the result of answer_conflicts. */
extern JsonView ConflictsView(const Conflicts *conflicts);

#endif							/* ANSWER_EVAL_CONFLICT_H */
