/*-------------------------------------------------------------------------
 *
 * decision.h
 *		Decides whether a question can be answered from the retrieved chunks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_H
#define ANSWER_EVAL_DECISION_H

#include "ground/decision_types.h"

/*
 * Decides.  Pure.  Returns false and one sentence if citations or judgements are
 * malformed, or if the conflicts are larger than conflicts_most.
 */
extern bool Decide(const DecisionInput *input, DecisionResult *result, const char **problem);

/*
 * Finds the pairs that this decision still needs judged, and adds them to the
 * result's consultation (ConsultationView, JudgePair.says.is_needed).  The caller
 * has them judged and calls again until there are none, at most CONSULT_MAX_ROUNDS
 * times.  Decide fills the consultation, too; this function stops before the
 * decision itself.  To list pairs ahead of time, give no clock.
 */
extern bool DecisionPairs(const DecisionInput *input, DecisionResult *result, const char **problem);

/* Returns the member to_judge[], or the result of answer_judge_pairs. */
extern JsonView DecisionPairsView(const DecisionInput *input, const DecisionResult *result, bool with_texts);

/* Returns the member explain[]. */
extern JsonView DecisionNumbersView(const DecisionResult *result);

extern const char *const decision_labels[];

#endif							/* ANSWER_EVAL_DECISION_H */
