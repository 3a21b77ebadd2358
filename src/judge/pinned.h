/*-------------------------------------------------------------------------
 *
 * pinned.h
 *		What a case of a suite is tried by: a configuration, and judgements in place of judges.
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
	const JsonView *config;		/* decides in place of the one in force: all keys, numbers as numbers */
	const Judgements *pinned;	/* those of the case */
	bool		asks;			/* does what is stored count as well, and are judges asked? */
	const Judgements *earlier[PINNING_EARLIER];	/* what came for earlier cases of the same call; NULL: nothing */
	MemoryContext context;		/* for what comes; only where judges are asked */
	Jsonb	  **came;			/* arrays of what was stored or said, as they came */
	int			ncame;
	int			capacity;
	JsonView	failed;			/* names of judges that failed, each once; absent: none */
} Pinning;

/*
 * Returns what the case goes by that is tried now; NULL: none is.  A function that SQL
 * calls asks for it once, and hands it on as an argument, as it does with the tenant.
 */
extern Pinning *CurrentPinning(void);

/*
 * Puts it for the functions that SQL calls from now on.  Returns what was put before, which
 * is to be put back, also after an error.
 */
extern Pinning *PinningPut(Pinning *pinning);

/* Is a case tried that asks nobody? */
static inline bool
NobodyIsAsked(const Pinning *pinning)
{
	return pinning != NULL && !pinning->asks;
}

/* Returns judgements of these pairs by these judges that stand in for what is stored. */
extern JsonView PinnedFor(Pinning *pinning, const Span *judges, int njudges, const Span *pairs, int npairs);

/* Is there one of a pair by a judge, so that what is stored does not count? */
extern bool IsPinned(const Pinning *pinning, Span pair, Span judge);

/* Notes what came, an array of judgements; and which judges failed, as Asked has them.  NULL: nothing. */
extern void PinningNote(Pinning *pinning, const JsonView *judgements);
extern void PinningNoteFailures(Pinning *pinning, const JsonView *failures);

#endif							/* ANSWER_EVAL_JUDGE_PINNED_H */
