/*-------------------------------------------------------------------------
 *
 * pinned.h
 *		Judgements that replace judges while a case of a suite is tried.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_PINNED_H
#define ANSWER_EVAL_JUDGE_PINNED_H

#include "judge/judgement.h"

/* Sets of earlier judgements: a large one, and a small one that grows. */
#define PINNING_EARLIER	2

/* What counts while a case is tried. */
typedef struct Pinning
{
	const Judgements *pinned;	/* those of the case */
	bool		asks;			/* do stored judgements count as well, and are judges asked? */
	const Judgements *earlier[PINNING_EARLIER];	/* judgements for earlier cases of the same call, or NULL */
	MemoryContext context;		/* for new judgements; used only if "asks" */
	Jsonb	  **came;			/* arrays of judgements that were read or made, in that order */
	int			ncame;
	int			capacity;
	JsonView	failed;			/* names of judges that failed, without duplicates; absent if none */
} Pinning;

/*
 * The state for the case that is tried now, or NULL.  Whoever sets it must restore it,
 * even after an error.
 */
extern Pinning *judgements_pinned;

/* Is a case tried for which nobody is asked? */
static inline bool
NobodyIsAsked(void)
{
	return judgements_pinned != NULL && !judgements_pinned->asks;
}

/* Returns judgements of these pairs by these judges that replace stored ones. */
extern JsonView PinnedFor(const Span *judges, int njudges, const Span *pairs, int npairs);

/* Is there one of a pair by a judge, so that a stored one does not count? */
extern bool IsPinned(Span pair, Span judge);

/* These note new judgements, as an array, and judges that failed, in the form of Asked. */
extern void PinningNote(const JsonView *judgements);
extern void PinningNoteFailures(const JsonView *failures);

#endif							/* ANSWER_EVAL_JUDGE_PINNED_H */
