/*-------------------------------------------------------------------------
 *
 * explore.h
 *		Finds changes of a configuration that help on a suite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_EXPLORE_H
#define ANSWER_EVAL_GATE_EXPLORE_H

#include "base/jsonview.h"

/*
 * Tries the changes of answer.evolve_changes(), thresholds along the suite's curve,
 * and combinations of changes that help, with the suite of an environment's state.
 * Returns an array of {change, reason}, best first.  With each of these changes
 * some case of the suite came out differently, and no fewer passed.  The base is
 * complete and in portable form.  The schema is that of the extension's functions.
 * SPI must be connected.
 */
extern JsonView ExploreChanges(Oid schema, text *tenant, const JsonView *state, const JsonView *base);

#endif							/* ANSWER_EVAL_GATE_EXPLORE_H */
