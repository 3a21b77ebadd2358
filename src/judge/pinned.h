/*-------------------------------------------------------------------------
 *
 * pinned.h
 *		Judgements that stand in for judges while a case of a suite is tried.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_PINNED_H
#define ANSWER_EVAL_JUDGE_PINNED_H

#include "judge/judgement.h"

/* Sets of what came before: a large one, and a small one that grows. */
#define PINNING_EARLIER	2

/* Holds what counts while a case is tried. */
typedef struct Pinning
{
	const Judgements *pinned;	/* those of the case */
	bool		asks;			/* does what is stored count as well, and are judges asked? */
	const Judgements *earlier[PINNING_EARLIER];	/* what came for earlier cases of the same call; NULL: nothing */
	MemoryContext context;		/* for what comes; only where judges are asked */
	Jsonb	  **came;			/* arrays of what was stored or said, as they came */
	int			ncame;
	int			capacity;
	JsonView	failed;			/* names of judges that failed, each once; absent: none */
} Pinning;

/* Of the case that is tried now; NULL: none is.  Whoever sets it sets it back, also after an error. */
extern Pinning *judgements_pinned;

/* Is a case tried that asks nobody? */
static inline bool
NobodyIsAsked(void)
{
	return judgements_pinned != NULL && !judgements_pinned->asks;
}

/* Returns judgements of these pairs by these judges that stand in for what is stored. */
extern JsonView PinnedFor(const Span *judges, int njudges, const Span *pairs, int npairs);

/* Is there one of a pair by a judge, so that what is stored does not count? */
extern bool IsPinned(Span pair, Span judge);

/* Notes what came, an array of judgements; and which judges failed, as Asked has them. */
extern void PinningNote(const JsonView *judgements);
extern void PinningNoteFailures(const JsonView *failures);

#endif							/* ANSWER_EVAL_JUDGE_PINNED_H */
