/*-------------------------------------------------------------------------
 *
 * weighing.h
 *		Finds the chunks that an answer would rest on: used, compared or superseded.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_WEIGHING_H
#define ANSWER_EVAL_WEIGHING_H

#include "ground/decision_types.h"
#include "ground/risk.h"

/* The state of a decision. */
typedef struct Weighing
{
	const DecisionInput *input;
	DecisionResult *result;
	Query		query;
	RiskLevel	risk;
	Numeric		conf_max;
	int			freshness_days;
	RetrievalQuality quality;
	bool		has_answer;		/* is there an answer that is not blank? */
	bool		is_refused;		/* did the check of citations fail? */

	/* by index in the set */
	const int  *ranked;			/* the chunks in the order of quotes */
	PanelSays  *passages;		/* judgements of passages; not judged if there are none */
	bool	   *is_superseded;
	bool	   *is_used;

	int			nused;
	int		   *used;
	CitedBits	protected;		/* citations that count for a sentence, and so are never superseded */
	int			npassages;		/* passages to be judged in this pass */
	int		   *asked;			/* their chunks, ranked */
	bool		any_passage_judged;

	Numeric		max;			/* greatest similarity of the used chunks, rounded for display */
	Numeric		confidence;		/* that a used passage answers; NULL: none does, or nobody judged */
	bool		is_stale;		/* is any used chunk stale? */
} Weighing;

/*
 * Is a score close enough to the greatest among chunks that are not superseded, so
 * that the chunk is compared?
 */
static inline bool
IsNearGreatest(int score, int greatest)
{
	return 10 * score >= 7 * greatest;
}

/* Weighs. Returns false and one sentence in the same cases as Decide. */
extern bool Weigh(Weighing *weighing, const char **problem);

/*
 * Returns the greatest similarity of the used chunks.  If none is used and no chunk
 * reaches the floor, returns the greatest similarity of all chunks.
 */
extern Numeric WeighedMostSimilar(const Weighing *weighing);

/* Is the chunk too old for the risk of the question? */
extern bool WeighedIsStale(const Weighing *weighing, int chunk);

#endif							/* ANSWER_EVAL_WEIGHING_H */
