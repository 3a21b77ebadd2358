/*-------------------------------------------------------------------------
 *
 * run.h
 *		Trying the cases of a suite without keeping a run.
 *
 * For who looks for a configuration: a run is signed and stored, and a search would
 * leave many.  Cases are tried and scored as answer_suite_run() does it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_RUN_H
#define ANSWER_EVAL_GATE_RUN_H

#include "utils/jsonb.h"

#include "base/jsonview.h"

typedef struct SuiteTrials SuiteTrials;

/*
 * A suite of a tenant, verified as before a run.  The configuration is the one in
 * force, with the given keys (NULL: none) over it; the version NULL: the newest.  The
 * schema is that of our functions; SPI must be connected, and a snapshot active.
 */
extern SuiteTrials *SuiteTrialsBegin(Oid schema, text *tenant, text *suite, Jsonb *config, const int *version);

extern int	SuiteTrialsCount(const SuiteTrials *trials);
extern JsonView SuiteTrialsSuite(const SuiteTrials *trials);	/* {name, version, digest, now, documents} */
extern JsonView SuiteTrialsConfig(const SuiteTrials *trials);	/* all keys, in portable form */
extern const char *SuiteTrialsDigest(const SuiteTrials *trials, int ordinal);
extern void SuiteTrialsCase(const SuiteTrials *trials, int ordinal, JsonView *test_case);

/*
 * Tries one case, from 1 on, with a whole configuration of portable form.  The row, with
 * its scores, is in the current context; so are the chunks that were found for it, where
 * they are wanted (NULL: it found none).
 */
extern Jsonb *SuiteTrialsTry(SuiteTrials *trials, int ordinal, const JsonView *config, Jsonb **found);

/* How long that took, in microseconds. */
extern int64 SuiteTrialsTook(const SuiteTrials *trials, int ordinal);

#endif							/* ANSWER_EVAL_GATE_RUN_H */
