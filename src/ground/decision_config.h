/*-------------------------------------------------------------------------
 *
 * decision_config.h
 *		The configuration of decisions as a document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DECISION_CONFIG_H
#define ANSWER_EVAL_GROUND_DECISION_CONFIG_H

#include "ground/decision_types.h"

/*
 * Reads a configuration; an absent view is all defaults.  False, and one
 * sentence that names the key, if it is none.
 */
extern bool DecisionConfigParse(const JsonView *object, DecisionConfig *config,
								const char **problem);
extern void DecisionConfigOfView(const JsonView *object, DecisionConfig *config);

/*
 * Returns a configuration as an object that has all keys; and says whether an object
 * has all, and no other.
 */
extern JsonView DecisionConfigView(const DecisionConfig *config);
extern bool DecisionConfigIsWhole(const JsonView *object);

/*
 * Leaves out of a configuration in portable form what is the default, as a document has it;
 * and puts it in again.  Of a whole one the second gives back what the first was given.
 */
extern JsonView DecisionConfigWithoutDefaults(const JsonView *whole);
extern JsonView DecisionConfigWithDefaults(const JsonView *changed);

#endif							/* ANSWER_EVAL_GROUND_DECISION_CONFIG_H */
