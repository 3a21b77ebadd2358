/*-------------------------------------------------------------------------
 *
 * ground_verify.h
 *		ground-verify/2: finds what sources say for and against claims.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_VERIFY_H
#define ANSWER_EVAL_GROUND_VERIFY_H

#include "base/jsonview.h"
#include "judge/panel.h"
#include "reading/decision_rules.h"

/* The former rule. No new evidence is made by it. */
#define GROUND_VERIFY_EARLIER	"ground-verify/1"

/* One verification. It keeps pointers to all arguments of its functions. */
typedef struct GroundVerification GroundVerification;

/* A pair for judges of the kind entailment: does this hit say what this claim says? */
typedef struct GroundPair
{
	int			claim;
	int			hit;
	int			first;			/* the first pair with the same texts, perhaps this one */
	PairDigest	digest;
	Span		a;				/* the claim */
	Span		b;				/* title, line feed, snippet */
	bool		is_told;		/* for a first pair: was it added to "judgements" or "to_judge"? */
} GroundPair;

/* The judges that were asked, and their judgements. */
typedef struct GroundJudges
{
	const Panel *panel;			/* of the kind entailment; may be empty */
	const Judgements *judgements;
	JudgeTerms	terms;
} GroundJudges;

/*
 * Reads {claims: [text], sources: [Hit], policy: {freshness_days?}, supersede?,
 * reported?}; other members are ignored.  If it is malformed, returns NULL and one
 * sentence that names the place.
 */
extern GroundVerification *GroundVerifyBegin(const JsonView *args, const DecisionRules *rules,
											 const char **problem);

/* Returns the pairs to be judged, ordered by claim and hit. */
extern const GroundPair *GroundVerifyPairs(GroundVerification *verification, int *count);

/*
 * Returns the evidence without policy and verdict: claims, supports, contradicts,
 * related and caveats.  With judges it also has "judging" (who is asked, and the
 * required confidence), the judgements that it rests on, and "to_judge", the pairs
 * without a judgement.  If the arguments have "supersede", it also has
 * "superseded".  Ages are judged at the instant "at"; if it is NULL, no source
 * counts as stale or as later than now.
 */
extern JsonView GroundVerify(GroundVerification *verification, const GroundJudges *judges, const TimestampTz *at);

#endif							/* ANSWER_EVAL_GROUND_VERIFY_H */
