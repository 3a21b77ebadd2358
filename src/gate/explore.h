/*-------------------------------------------------------------------------
 *
 * explore.h
 *		Finds which changes of a configuration help on a suite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_EXPLORE_H
#define ANSWER_EVAL_GATE_EXPLORE_H

#include "base/jsonview.h"

/*
 * Tries the changes of answer.evolve_changes(), thresholds along the suite's curve, and
 * what helps together, with the suite of an environment's state.  The result is an array
 * of {change, reason}, the best first; of each change some case of the suite came out
 * otherwise, and not fewer passed.  The base is whole and in portable form; the schema is
 * that of our functions; SPI must be connected.
 */
extern JsonView ExploreChanges(Oid schema, text *tenant, const JsonView *state, const JsonView *base);

#endif							/* ANSWER_EVAL_GATE_EXPLORE_H */
