/*-------------------------------------------------------------------------
 *
 * given_judgement.h
 *		Judgements that a caller hands in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GIVEN_JUDGEMENT_H
#define ANSWER_EVAL_GIVEN_JUDGEMENT_H

#include "judge/judge.h"

typedef struct GivenJudgements
{
	const Judgements *given;	/* never NULL */
	Judges	   *givers;			/* who are said to have judged that */
} GivenJudgements;

/*
 * Reads what the caller gave; an absent view is none.  Raises 22023 for what is
 * malformed or of a judge that is not there, 42501 for one that the caller is not.
 * SPI must be connected.
 */
extern void GivenJudgementsRead(GivenJudgements *read, const text *tenant, const JsonView *array);

/*
 * Appends what was given of a pair by a judge to what is known; false if nothing was.
 * Raises 22023 where that cannot be said of a pair of this kind.
 */
extern bool GivenJudgementTake(const GivenJudgements *read, JudgeKind kind, Span pair, Span judge, TimestampTz now,
							   JsonView *known);

#endif							/* ANSWER_EVAL_GIVEN_JUDGEMENT_H */
