/*-------------------------------------------------------------------------
 *
 * tune.h
 *		Finds which thresholds answer the most cases of a suite and keep goals.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_TUNE_H
#define ANSWER_EVAL_GATE_TUNE_H

#include "gate/suite_run.h"

/* Says how thresholds are searched for. */
typedef struct TuneTerms
{
	JsonView	goals;			/* {goal: number or null}; others have their preset */
	const JsonView *config;		/* whole and in portable form, to begin with; NULL: that of the trials */
	bool		halves;			/* does one half of the cases tune, and the other judge? */
	bool		only_stricter;	/* may no threshold become looser? */
	bool		with_judges;	/* are support_min and contradict_min among the thresholds? */
} TuneTerms;

/*
 * Searches.  The result is what answer_suite_tune() tells; its members "proposed" and
 * "change" are null where no thresholds keep the goals.
 */
extern JsonView TuneThresholds(SuiteTrials *trials, const TuneTerms *terms);

#endif							/* ANSWER_EVAL_GATE_TUNE_H */
