/*-------------------------------------------------------------------------
 *
 * pinned.h
 *		The configuration of a case of a suite, and the judgements that replace judges
 *		while it is tried.
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
	const JsonView *config;		/* decides in place of the one in force: all keys, numbers as numbers */
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
 * Returns the Pinning of the case that is tried now, or NULL.  A function that SQL calls
 * reads it once, and passes it on as an argument, like the tenant.
 */
extern Pinning *CurrentPinning(void);

/*
 * Sets it for functions that SQL calls from now on.  Returns the previous value, which the
 * caller must restore, even after an error.
 */
extern Pinning *PinningPut(Pinning *pinning);

/* Is a case tried for which nobody is asked? */
static inline bool
NobodyIsAsked(const Pinning *pinning)
{
	return pinning != NULL && !pinning->asks;
}

/* Returns judgements of these pairs by these judges that replace stored ones. */
extern JsonView PinnedFor(Pinning *pinning, const Span *judges, int njudges, const Span *pairs, int npairs);

/* Is there one of a pair by a judge, so that a stored one does not count? */
extern bool IsPinned(const Pinning *pinning, Span pair, Span judge);

/* These note new judgements, as an array, and judges that failed, in the form of Asked. Without a pinning they do nothing. */
extern void PinningNote(Pinning *pinning, const JsonView *judgements);
extern void PinningNoteFailures(Pinning *pinning, const JsonView *failures);

#endif							/* ANSWER_EVAL_JUDGE_PINNED_H */
