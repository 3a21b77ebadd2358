/*-------------------------------------------------------------------------
 *
 * judging.h
 *		Asks judges about the pairs that a decision needs judged.
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
	Pinning    *pinning;		/* NULL if no case of a suite is tried */
	TimestampTz now;			/* time of the judgements that the caller gave */
	TimestampTz deadline;
	int			deadline_ms;
	bool		stores;			/* are judgements stored? */
	JsonView	given;			/* the option judgements, or absent */
	JsonView	failed;			/* the option judges_failed, or absent */
	Judges	   *judges;			/* named by the configuration; set by JudgingBegin */
} Judging;

/* Finds the judges named by a configuration with all keys. SPI must be connected. */
extern void JudgingBegin(Judging *judging, const JsonView *config);

/* Returns what a cache, and the second half of an answer, must know of the judges. */
extern JsonView JudgingToken(const Judging *judging);

/*
 * Fills the grounding's judges, judgements and failed, from what the caller gave,
 * what is stored, and what judges that are functions say.  A judge that the caller
 * reports as failed counts if the configuration names it and it is external.
 * Judgements that the grounding already has take precedence.  Raises 22023 and
 * 42501 for input that is not allowed.
 */
extern void JudgingAsk(Judging *judging, Grounding *grounding);

#endif							/* ANSWER_EVAL_GROUND_JUDGING_H */
