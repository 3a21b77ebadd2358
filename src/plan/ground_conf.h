/*-------------------------------------------------------------------------
 *
 * ground_conf.h
 *		ground-conf/1: computes the verdict of an Evidence.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_CONF_H
#define ANSWER_EVAL_GROUND_CONF_H

#include "utils/numeric.h"

#include "base/jsonview.h"

/* The method that ground.verify uses: see ground_verify.h. */
#define GROUND_VERIFY_METHOD	"ground-verify/2"

/* The caveat of evidence that was matched by words only, with its text. */
#define NOT_JUDGED_CODE		"not_judged"
#define NOT_JUDGED_TEXT		"Nobody has checked that the cited documents say this."

/* The caveat, and the reason, of evidence from old sources; see freshness.h. */
#define STALE_CODE			"stale_documents"

/*
 * The part of the configuration that decides how old sources may be, which of two
 * sources replaces the other, and how sources are searched.
 */
typedef struct FreshnessTerms
{
	bool		are_known;		/* false for documents from before these terms were kept; then nothing is stale */
	int			days;			/* maximum age; 0: no limit, also below */
	int			days_high_risk;
	int			days_of_call;	/* requested by the call itself */
	int			supersede;		/* a Supersede */
	int			top_k;
	bool		reranks;		/* is the search ranked by freshness, too? */
	Numeric		bias;
	Span		rules;			/* digest of the rules that determine the risk */
} FreshnessTerms;

/* What a verdict is judged by; thresholds are from 0 to 1. */
typedef struct EvidencePolicy
{
	Numeric		cite_if_confidence_below;
	Numeric		block_if_conflict_over;
	Numeric		min_confidence; /* at least MIN_CONFIDENCE_FLOOR */
	bool		is_regulated;
	bool		requires_judge; /* block evidence that nobody has judged? */
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
	bool		is_unjudged;	/* does the evidence itself say that nobody has judged it? */
	bool		blocked_unjudged;
	Numeric		block_if_conflict_over; /* the thresholds that were applied */
	Numeric		min_confidence;
	bool		tells_thresholds;	/* do the reasons name the thresholds? */
	bool		is_stale;		/* set by FreshnessJudge, as are the next three */
	bool		blocked_stale;
	int			freshness_days;
	const char *stale_source;	/* the oldest one, worded for a reason */
} EvidenceVerdict;

static inline bool
EvidenceIsBlocked(const EvidenceVerdict *verdict)
{
	return verdict->blocked_by_conflict || verdict->blocked_by_confidence ||
		verdict->blocked_stale || verdict->blocked_unjudged;
}

/* Reads a number from 0 to 1, also from the text of its portable form. Returns false if it is none. */
extern bool ShareOfView(const JsonView *view, Numeric *share);

/*
 * Reads a whole number of 0 or more, also from the text of its portable form.
 * Returns INT_MAX for larger ones, and false if it is none.
 */
extern bool WholeOfView(const JsonView *view, int *number);

/*
 * Returns n / d, from 0 to 1, in hundredths.  The double nearest to the exact
 * fraction is rounded as in answer-conf/1.
 */
extern int	QuotientHundredths(Numeric n, Numeric d);

/* Sets the thresholds 0.95, 0.30 and 0.90, not regulated, and no terms of freshness. */
extern void EvidencePolicyDefaults(EvidencePolicy *policy);

/*
 * Replaces thresholds in *policy by those in the evidence's own member "policy".
 * If that is malformed, returns false and one sentence.
 */
extern bool EvidencePolicyRead(const JsonView *evidence, EvidencePolicy *policy, const char **problem);

/* Raises min_confidence to the floor of 0.80 if it is lower. */
extern void EvidencePolicyFloor(EvidencePolicy *policy);

/*
 * Judges an Evidence.  If it is malformed, returns false and one sentence that
 * names the place.  Claims must be strings; each support has one of these claims
 * and a confidence from 0 to 1; each contradiction has one of these claims and a
 * weight; "related" is an array.  Other members are ignored.
 */
extern bool EvidenceJudge(const JsonView *evidence, const EvidencePolicy *policy,
						  EvidenceVerdict *verdict, const char **problem);

/* Returns {confidence, contradictions, needs_citation}. */
extern JsonView EvidenceVerdictView(const EvidenceVerdict *verdict);

/* Returns the evidence with its type, policy and verdict replaced by ours. */
extern JsonView EvidenceSettle(const JsonView *evidence, const EvidencePolicy *policy,
							   const EvidenceVerdict *verdict);

/*
 * Returns the index of the first citation whose uri is not a source of the
 * evidence, or -1.  Its sources are those of its entries, and those that it was
 * made from: "given", an array of {uri}, or absent. "citations" is well-formed, as
 * for MarkersCheck.
 */
extern int	EvidenceStrayCitation(const JsonView *evidence, const JsonView *given, const JsonView *citations);

#endif							/* ANSWER_EVAL_GROUND_CONF_H */
