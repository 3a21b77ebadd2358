/*-------------------------------------------------------------------------
 *
 * decision_config.h
 *		The configuration of decisions as a JSON document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DECISION_CONFIG_H
#define ANSWER_EVAL_GROUND_DECISION_CONFIG_H

#include "ground/decision_types.h"

/*
 * Reads a configuration; an absent view means all defaults.  If it is malformed,
 * returns false and one sentence that names the key.
 */
extern bool DecisionConfigParse(const JsonView *object, DecisionConfig *config,
								const char **problem);
extern void DecisionConfigOfView(const JsonView *object, DecisionConfig *config);

/* Return a configuration as an object with all keys; and check that an object has all keys and no others. */
extern JsonView DecisionConfigView(const DecisionConfig *config);
extern bool DecisionConfigIsWhole(const JsonView *object);

/*
 * Remove default values from a configuration in portable form, as documents store
 * it, and add them again.  The two are inverse for a configuration with all keys.
 */
extern JsonView DecisionConfigWithoutDefaults(const JsonView *whole);
extern JsonView DecisionConfigWithDefaults(const JsonView *changed);

#endif							/* ANSWER_EVAL_GROUND_DECISION_CONFIG_H */
