/*-------------------------------------------------------------------------
 *
 * judging.h
 *		Has judged what a decision needs judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_JUDGING_H
#define ANSWER_EVAL_GROUND_JUDGING_H

#include "ground/decision_receipt.h"
#include "judge/judge.h"

/* Who judges a question, and on which terms. */
typedef struct Judging
{
	const text *tenant;
	Pinning    *pinning;		/* NULL: no case of a suite is tried */
	TimestampTz now;			/* when what the caller gave was judged */
	TimestampTz deadline;
	int			deadline_ms;
	bool		stores;			/* is what judges say kept? */
	JsonView	given;			/* the option judgements; absent without one */
	JsonView	failed;			/* the option judges_failed; absent without one */
	Judges	   *judges;			/* that the configuration names; JudgingBegin finds them */
} Judging;

/* Finds the judges that a configuration, which has all keys, names.  SPI must be connected. */
extern void JudgingBegin(Judging *judging, const JsonView *config);

/* Returns what of them a cache and the second half of an answer go by. */
extern JsonView JudgingToken(const Judging *judging);

/*
 * Fills the grounding's judges, judgements and failed: what the caller gave, what is
 * stored, and what judges that are functions say.  Judges that the caller says have
 * failed count where the configuration names them and they are external.  What the grounding has as
 * judgements already counts first.  Raises 22023 and 42501 for what cannot be given.
 */
extern void JudgingAsk(Judging *judging, Grounding *grounding);

#endif							/* ANSWER_EVAL_GROUND_JUDGING_H */
