/*-------------------------------------------------------------------------
 *
 * ask_judge.h
 *		Asks judges that are functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ASK_JUDGE_H
#define ANSWER_EVAL_ASK_JUDGE_H

#include "judge/judge.h"
#include "judge/panel.h"

/* What all calls for one question share. */
typedef struct AskTerms
{
	const text *tenant;			/* the tenant for whom it is judged */
	Pinning    *pinning;		/* NULL if no case of a suite is tried */
	TimestampTz deadline;
	int			deadline_ms;
	bool		store;			/* store the results in answer.judgement? Not possible in a read-only transaction */
	JudgeTerms	sure;			/* for JudgesAsk: once a judge of a panel has contradicted, the others are not asked */
} AskTerms;

/* The results, in the caller's memory context. */
typedef struct Asked
{
	JsonView	judgements;		/* an array in the form of documents, with origin observed */
	JsonView	failures;		/* [{name, kind, pairs, sqlstate, message}]; absent if none */
} Asked;

/*
 * Asks each judge of the panels that is a function about the pairs that it has not
 * judged and that are still needed.  There are JUDGE_KINDS panels, one for each kind.
 * "have" has the judgements that exist already.  SPI must be connected.
 */
extern void JudgesAsk(const Judges *judges, const Panel *panels, const Judgements *have, const AskPair *pairs,
					  int npairs, const AskTerms *terms, Asked *asked);

/*
 * Asks one judge that is a function about all of these pairs, which are of one kind.
 * Adds to "asked".
 */
extern void JudgeAsk(const Judge *judge, JudgeKind kind, const AskPair *const *pairs, int npairs,
					 const AskTerms *terms, Asked *asked);
extern void AskedInit(Asked *asked);

/*
 * Appends the stored judgements of these pairs by judges of the panels that are not known
 * yet.  There are JUDGE_KINDS panels, one for each kind.  SPI must be connected.
 */
extern void AppendStoredJudgements(JsonView *found, const Judgements *known, const text *tenant, Pinning *pinning,
								   const Judges *judges, const Panel *panels, const Span *pairs, int count);

#endif							/* ANSWER_EVAL_ASK_JUDGE_H */
