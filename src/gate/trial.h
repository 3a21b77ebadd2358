/*-------------------------------------------------------------------------
 *
 * trial.h
 *		Tries one case, and leaves nothing behind in the database.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_TRIAL_H
#define ANSWER_EVAL_GATE_TRIAL_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"

#include "base/jsonview.h"
#include "judge/pinned.h"

/* What all cases of a run share. */
typedef struct TrialTerms
{
	const text *tenant;			/* who runs it */
	const text *documents;		/* tenant that holds the suite's documents */
	TimestampTz now;			/* the suite's clock */
	JsonView	config;			/* all keys, numbers as numbers */
	Oid			schema;			/* schema of the extension's functions */
	Jsonb	  **found;			/* if not NULL: set to the chunks that a question found, in the current context */
} TrialTerms;

/* Returns the row of a case, in portable form and without scores, in the current context. No judge is asked. */
extern Jsonb *TrialRun(const TrialTerms *terms, int ordinal, const JsonView *test_case, const char *digest);

/*
 * Tries a case as a run does, and asks judges about the pairs that it does not pin.
 * Returns an array of judgements in the current context. "earlier" are judgements
 * from earlier cases.  The keys of "failed" are the names of judges that failed;
 * absent: none.
 */
extern JsonView TrialJudge(const TrialTerms *terms, const JsonView *test_case,
						   const Judgements *const earlier[PINNING_EARLIER], JsonView *failed);

#endif							/* ANSWER_EVAL_GATE_TRIAL_H */
