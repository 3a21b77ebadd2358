/*-------------------------------------------------------------------------
 *
 * ground_conf.h
 *		ground-conf/1: what evidence amounts to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_CONF_H
#define ANSWER_EVAL_GROUND_CONF_H

#include "utils/numeric.h"

#include "base/jsonview.h"

/* The rule that evidence of ground.verify is made by: see ground_verify.h. */
#define GROUND_VERIFY_METHOD	"ground-verify/2"

/* The caveat of evidence that rests on words alone, and its text. */
#define NOT_JUDGED_CODE		"not_judged"
#define NOT_JUDGED_TEXT		"Nobody has checked that the cited documents say this."

/* The caveat, and the reason, of evidence that rests on old sources; see freshness.h. */
#define STALE_CODE			"stale_documents"

/*
 * Holds what of the configuration decides how old sources may be, which of them gives
 * way, and how they are searched.
 */
typedef struct FreshnessTerms
{
	bool		are_known;		/* false: of a document made before they were kept, by which nothing is stale */
	int			days;			/* 0: any age will do, like the next */
	int			days_high_risk;
	int			days_of_call;	/* that a call asks for itself */
	int			supersede;		/* a Supersede */
	int			top_k;
	bool		reranks;		/* by freshness */
	Numeric		bias;
	Span		rules;			/* digest of the rules that risk is told by */
} FreshnessTerms;

/* Holds what the verdict is held against; thresholds from 0 to 1. */
typedef struct EvidencePolicy
{
	Numeric		cite_if_confidence_below;
	Numeric		block_if_conflict_over;
	Numeric		min_confidence; /* at least MIN_CONFIDENCE_FLOOR */
	bool		is_regulated;
	bool		requires_judge; /* what nobody has judged is blocked */
	FreshnessTerms freshness;
} EvidencePolicy;

typedef struct EvidenceVerdict
{
	int			confidence;		/* hundredths */
	Numeric		contradictions; /* the greatest weight, exact; 0 without a contradiction */
	int			nsupports;
	bool		needs_citation;
	bool		blocked_by_conflict;
	bool		blocked_by_confidence;
	bool		is_unjudged;	/* it says itself that nobody has judged it */
	bool		blocked_unjudged;
	Numeric		block_if_conflict_over; /* what it was held against */
	Numeric		min_confidence;
	bool		tells_thresholds;	/* does a reason name them? */
	bool		is_stale;		/* see FreshnessJudge, like the rest */
	bool		blocked_stale;
	int			freshness_days;
	const char *stale_source;	/* the oldest one, as a reason names it */
} EvidenceVerdict;

static inline bool
EvidenceIsBlocked(const EvidenceVerdict *verdict)
{
	return verdict->blocked_by_conflict || verdict->blocked_by_confidence ||
		verdict->blocked_stale || verdict->blocked_unjudged;
}

/* Finds the number from 0 to 1 that a view is, also as the text of its portable form. False if it is none. */
extern bool ShareOfView(const JsonView *view, Numeric *share);

/*
 * Finds the whole number from 0 up that a view is, also as the text of its portable
 * form; a larger one is the largest int.
 */
extern bool WholeOfView(const JsonView *view, int *number);

/*
 * Returns n / d, from 0 to 1, in hundredths: the double nearest to the exact fraction,
 * rounded as answer-conf/1 does.
 */
extern int	QuotientHundredths(Numeric n, Numeric d);

/* Sets 0.95, 0.30 and 0.90, not regulated; of freshness nothing. */
extern void EvidencePolicyDefaults(EvidencePolicy *policy);

/*
 * Takes the thresholds of an evidence's own member "policy" where it has them,
 * in place of those in *policy.  False, and one sentence, if it is malformed.
 */
extern bool EvidencePolicyRead(const JsonView *evidence, EvidencePolicy *policy, const char **problem);

/* Raises the least confidence to the floor of 0.80, where it lies below. */
extern void EvidencePolicyFloor(EvidencePolicy *policy);

/*
 * Judges.  False, and one sentence that names the place, if it is no evidence:
 * claims are strings; each support has a claim of these and a confidence from
 * 0 to 1, each contradiction a claim and a weight; "related" is an array.
 * What else an evidence has is not looked at.
 */
extern bool EvidenceJudge(const JsonView *evidence, const EvidencePolicy *policy,
						  EvidenceVerdict *verdict, const char **problem);

/* Returns {confidence, contradictions, needs_citation} */
extern JsonView EvidenceVerdictView(const EvidenceVerdict *verdict);

/* Returns the evidence with type, policy and verdict set, whatever it said of these. */
extern JsonView EvidenceSettle(const JsonView *evidence, const EvidencePolicy *policy,
							   const EvidenceVerdict *verdict);

/*
 * Returns the first of some citations whose uri is no source of the evidence, counted
 * from 0; -1: there is none. Sources are those of its entries, and those that it was
 * made of: "given" is an array of {uri}, or absent. "citations" is as MarkersCheck
 * takes it, and well-formed.
 */
extern int	EvidenceStrayCitation(const JsonView *evidence, const JsonView *given, const JsonView *citations);

#endif							/* ANSWER_EVAL_GROUND_CONF_H */
