/*-------------------------------------------------------------------------
 *
 * ask_judge.h
 *		Asking judges that are functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ASK_JUDGE_H
#define ANSWER_EVAL_ASK_JUDGE_H

#include "judge/judge.h"
#include "judge/panel.h"

/* Holds what all calls of one question share. */
typedef struct AskTerms
{
	const text *tenant;			/* for whom it is judged */
	Pinning    *pinning;		/* NULL: no case of a suite is tried */
	TimestampTz deadline;
	int			deadline_ms;
	bool		store;			/* is what they say kept in answer.judgement? Never in a read-only transaction */
	JudgeTerms	sure;			/* of JudgesAsk: when one of a panel has contradicted, the others are not asked */
} AskTerms;

/* Holds what came of it, in the caller's memory. */
typedef struct Asked
{
	JsonView	judgements;		/* an array, as a document has them: origin observed */
	JsonView	failures;		/* [{name, kind, pairs, sqlstate, message}]; absent: none */
} Asked;

/*
 * Asks each judge of the panels that is a function for what it has not judged and
 * is needed yet.  The panels are by kind, JUDGE_KINDS of them; what is there already
 * says "have".  SPI must be connected.
 */
extern void JudgesAsk(const Judges *judges, const Panel *panels, const Judgements *have, const AskPair *pairs,
					  int npairs, const AskTerms *terms, Asked *asked);

/* Asks one judge that is a function for all of these, which are of one kind.  Adds to what there is. */
extern void JudgeAsk(const Judge *judge, JudgeKind kind, const AskPair *const *pairs, int npairs,
					 const AskTerms *terms, Asked *asked);
extern void AskedInit(Asked *asked);

/*
 * Appends to an array what is stored of these pairs, by judges of the panels, as far as
 * it is not known yet.  The panels are by kind, JUDGE_KINDS of them.  SPI must be connected.
 */
extern void AppendStoredJudgements(JsonView *found, const Judgements *known, const text *tenant, Pinning *pinning,
								   const Judges *judges, const Panel *panels, const Span *pairs, int count);

#endif							/* ANSWER_EVAL_ASK_JUDGE_H */
