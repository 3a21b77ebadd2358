/*-------------------------------------------------------------------------
 *
 * current.h
 *		The rules and the configuration that decisions have now.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_CURRENT_H
#define ANSWER_EVAL_GROUND_CURRENT_H

#include "ground/decision.h"

extern const DecisionRules *CurrentRules(JsonView *document);
extern JsonView ActiveConfig(void);

#endif							/* ANSWER_EVAL_GROUND_CURRENT_H */
