/*-------------------------------------------------------------------------
 *
 * given_judgement.h
 *		Judgements that a caller gives.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GIVEN_JUDGEMENT_H
#define ANSWER_EVAL_GIVEN_JUDGEMENT_H

#include "judge/judge.h"

typedef struct GivenJudgements
{
	const Judgements *given;	/* never NULL */
	Judges	   *givers;			/* the judges that they name */
} GivenJudgements;

/*
 * Reads what the caller gave; an absent view means none.  Raises 22023 for a malformed
 * judgement or an unknown judge, 42501 for a judge that the caller may not speak for.
 * SPI must be connected.
 */
extern void GivenJudgementsRead(GivenJudgements *read, const text *tenant, const JsonView *array);

/*
 * Appends the judgement of a pair that was given for a judge to "known"; returns false
 * if there is none.  Raises 22023 if a pair of this kind cannot have that judgement.
 */
extern bool GivenJudgementTake(const GivenJudgements *read, JudgeKind kind, Span pair, Span judge, TimestampTz now,
							   JsonView *known);

#endif							/* ANSWER_EVAL_GIVEN_JUDGEMENT_H */
