/*-------------------------------------------------------------------------
 *
 * weighing.h
 *		Finds what an answer would rest on: used, compared and superseded chunks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_WEIGHING_H
#define ANSWER_EVAL_WEIGHING_H

#include "ground/decision_types.h"
#include "ground/risk.h"

/* All that the decision looks at. */
typedef struct Weighing
{
	const DecisionInput *input;
	DecisionResult *result;
	Query		query;
	RiskLevel	risk;
	Numeric		conf_max;
	int			freshness_days;
	RetrievalQuality quality;
	bool		has_answer;		/* one that is not blank */
	bool		is_refused;		/* did the check of citations fail? */

	/* by number in the set */
	const int  *ranked;			/* the chunks in the order of quotes */
	PanelSays  *passages;		/* what is known of those that are judged; others not judged */
	bool	   *is_superseded;
	bool	   *is_used;

	int			nused;
	int		   *used;
	CitedBits	protected;		/* citations that count for a sentence, and so never give way */
	int			npassages;		/* that are asked about in this pass */
	int		   *asked;			/* the chunks of them, by rank */
	bool		any_passage_judged;

	Numeric		max;			/* similarity of the used, as it is shown */
	Numeric		confidence;		/* that a used passage answers; NULL: none does, or nobody judged */
	bool		is_stale;		/* is one of the used? */
} Weighing;

/* Is a score near the greatest, of what is not superseded, so that the chunk is compared? */
static inline bool
IsNearGreatest(int score, int greatest)
{
	return 10 * score >= 7 * greatest;
}

/* Weighs. False, and one sentence, as those of Decide tell. */
extern bool Weigh(Weighing *weighing, const char **problem);

/*
 * Returns how similar what is used is; where nothing is, and no chunk reaches the
 * floor, the most similar chunk.
 */
extern Numeric WeighedMostSimilar(const Weighing *weighing);

/* Is the chunk too old for what hangs on the question? */
extern bool WeighedIsStale(const Weighing *weighing, int chunk);

#endif							/* ANSWER_EVAL_WEIGHING_H */
