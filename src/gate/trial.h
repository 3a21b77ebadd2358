/*-------------------------------------------------------------------------
 *
 * trial.h
 *		Trying one case: what comes of it, and nothing left behind.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_TRIAL_H
#define ANSWER_EVAL_GATE_TRIAL_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"

#include "base/jsonview.h"

/* What all cases of a run share. */
typedef struct TrialTerms
{
	const text *tenant;			/* who runs */
	const text *documents;		/* the tenant under which the suite's documents stand */
	TimestampTz now;			/* the suite's clock */
	JsonView	config;			/* all keys, numbers as numbers */
	const char *schema;			/* where our functions are, quoted */
	Jsonb	  **found;			/* set to the chunks that a question found, in the current context; NULL: nobody asks */
} TrialTerms;

/* The row of a case, in portable form and without scores, in the current context. */
extern Jsonb *TrialRun(const TrialTerms *terms, int ordinal, const JsonView *test_case, const char *digest);

#endif							/* ANSWER_EVAL_GATE_TRIAL_H */
