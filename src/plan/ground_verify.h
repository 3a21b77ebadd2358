/*-------------------------------------------------------------------------
 *
 * ground_verify.h
 *		ground-verify/2: what sources say for and against claims.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_VERIFY_H
#define ANSWER_EVAL_GROUND_VERIFY_H

#include "base/jsonview.h"
#include "judge/panel.h"
#include "reading/decision_rules.h"

/* The rule before the one in force, by which nothing is made any more. */
#define GROUND_VERIFY_EARLIER	"ground-verify/1"

/* One verification; made by GroundVerifyBegin, and everything borrows its arguments. */
typedef struct GroundVerification GroundVerification;

/* Asks whether a hit says what a claim says: a pair of the kind entailment. */
typedef struct GroundPair
{
	int			claim;
	int			hit;
	int			first;			/* the first pair of the same texts, which may be this one */
	PairDigest	digest;
	Span		a;				/* the claim */
	Span		b;				/* title, line feed, snippet */
	bool		is_told;		/* of a first one: is it among what was judged, or is missing? */
} GroundPair;

/* Who was asked, and what they said. */
typedef struct GroundJudges
{
	const Panel *panel;			/* of the kind entailment; it may be empty */
	const Judgements *judgements;
	JudgeTerms	terms;
} GroundJudges;

/*
 * Reads {claims: [text], sources: [Hit], policy: {freshness_days?}, supersede?, reported?};
 * what else is there is not looked at.  NULL, and one sentence that names the
 * place, if it is malformed.
 */
extern GroundVerification *GroundVerifyBegin(const JsonView *args, const DecisionRules *rules,
											 const char **problem);

/* Returns the pairs that are to be judged, by claim and hit. */
extern const GroundPair *GroundVerifyPairs(GroundVerification *verification, int *count);

/*
 * Returns the evidence, without policy and verdict: claims, supports, contradicts,
 * related and caveats; under a judge also "judging" (who is asked, and how sure he has
 * to be), the judgements that it rests on and "to_judge", the pairs that are not
 * judged; where the arguments say whether older sources give way also "superseded".
 * Ages are judged at the instant; NULL: nothing is stale, or after now.
 */
extern JsonView GroundVerify(GroundVerification *verification, const GroundJudges *judges, const TimestampTz *at);

#endif							/* ANSWER_EVAL_GROUND_VERIFY_H */
