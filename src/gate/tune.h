/*-------------------------------------------------------------------------
 *
 * tune.h
 *		Finds thresholds that meet goals and answer the most cases of a suite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_TUNE_H
#define ANSWER_EVAL_GATE_TUNE_H

#include "gate/suite_run.h"

/* How thresholds are searched. */
typedef struct TuneTerms
{
	JsonView	goals;			/* {goal: number or null}; goals not given have their preset */
	const JsonView *config;		/* complete and in portable form, to start from; NULL: that of the trials */
	bool		halves;			/* is one half of the cases used to tune, and the other half to judge? */
	bool		only_stricter;	/* may no threshold become looser? */
	bool		with_judges;	/* are support_min and contradict_min tuned, too? */
} TuneTerms;

/*
 * Searches.  Returns the result of answer_suite_tune(); its members "proposed" and
 * "change" are null if no thresholds meet the goals.
 */
extern JsonView TuneThresholds(SuiteTrials *trials, const TuneTerms *terms);

#endif							/* ANSWER_EVAL_GATE_TUNE_H */
