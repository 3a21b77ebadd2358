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
#include "judge/pinned.h"

/* Holds what all cases of a run share. */
typedef struct TrialTerms
{
	const text *tenant;			/* who runs */
	const text *documents;		/* the tenant under which the suite's documents stand */
	TimestampTz now;			/* the suite's clock */
	JsonView	config;			/* all keys, numbers as numbers */
	Oid			schema;			/* of the functions that answer_eval() is one of */
	Jsonb	  **found;			/* set to the chunks that a question found, in the current context; NULL: nobody asks */
} TrialTerms;

/*
 * Returns the row of a case, in portable form and without scores, in the current
 * context. No judge is asked.
 */
extern Jsonb *TrialRun(const TrialTerms *terms, int ordinal, const JsonView *test_case, const char *digest);

/*
 * Tries a case as a run does, and has judged what it does not pin: an array of
 * judgements in the current context.  "earlier" is what came for earlier cases; the
 * keys of "failed" are the names of judges that failed; absent: none has.
 */
extern JsonView TrialJudge(const TrialTerms *terms, const JsonView *test_case,
						   const Judgements *const earlier[PINNING_EARLIER], JsonView *failed);

#endif							/* ANSWER_EVAL_GATE_TRIAL_H */
