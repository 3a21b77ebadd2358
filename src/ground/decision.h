/*-------------------------------------------------------------------------
 *
 * decision.h
 *		Decides whether a question is answered, from what was retrieved for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_H
#define ANSWER_EVAL_DECISION_H

#include "ground/decision_types.h"

/*
 * Decides.  Pure.  False, and one sentence, if citations or judgements are
 * malformed, or conflicts too large, as those of the result tell.
 */
extern bool Decide(const DecisionInput *input, DecisionResult *result, const char **problem);

/*
 * Finds the pairs that this decision needs and has not, in the result's consultation
 * (ConsultationView, JudgePair.says.is_needed): it is asked again with what was
 * judged, until there is none, at most CONSULT_MAX_ROUNDS times. Decide fills the
 * consultation too; this function stops before anything is decided. Give it no clock
 * where pairs are listed ahead of time.
 */
extern bool DecisionPairs(const DecisionInput *input, DecisionResult *result, const char **problem);

/* Returns the member to_judge[], or the result of answer_judge_pairs. */
extern JsonView DecisionPairsView(const DecisionInput *input, const DecisionResult *result, bool with_texts);

/* Returns the member explain[]. */
extern JsonView DecisionNumbersView(const DecisionResult *result);

extern const char *const decision_labels[];

#endif							/* ANSWER_EVAL_DECISION_H */
