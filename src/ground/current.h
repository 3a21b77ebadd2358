/*-------------------------------------------------------------------------
 *
 * current.h
 *		Deciding by the rules and the configuration that are in force.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CURRENT_H
#define ANSWER_EVAL_CURRENT_H

#include "ground/decision.h"

/* For a function whose caller gives no rules, or no configuration. */
extern const DecisionRules *CurrentDecisionRules(void);
extern void CurrentDecisionConfig(DecisionConfig *config);

#endif							/* ANSWER_EVAL_CURRENT_H */
