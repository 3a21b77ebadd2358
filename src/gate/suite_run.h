/*-------------------------------------------------------------------------
 *
 * suite_run.h
 *		Runs a suite, or tries single cases of one without keeping a run.
 *
 * A run is signed and stored.  A search for a configuration would leave many runs,
 * so it tries cases alone.  They are tried and scored as in answer_suite_run().
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUITE_RUN_H
#define ANSWER_EVAL_SUITE_RUN_H

#include "fmgr.h"
#include "utils/jsonb.h"

#include "base/canonical.h"
#include "base/jsonview.h"
#include "document/tombstone.h"
#include "gate/run_receipt.h"
#include "gate/trial.h"

/* An unfinished run. */
typedef struct SuiteRun
{
	text	   *tenant;			/* who runs it */
	const Pinning *pinning;		/* of a case whose tool runs this suite; NULL if there is none */
	text	   *owner;			/* owner of the suite: the tenant, or the operator */
	text	   *suite;
	int			version;
	bool		ships;			/* does it ship with the extension? */
	int			cases;
	char		suite_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	documents;		/* digests, ordered by doc_id */
	JsonView	now;			/* the clock, as text */
	TrialTerms	terms;
	RunContent	content;
	char		(*digests)[DIGEST_TEXT_LENGTH + 1]; /* of the cases */
	bool		asks_routes;	/* is any case a question? */
	MemoryContext context;		/* lives as long as the run */
	MemoryContext each;			/* reset for each case */
	size_t		size;			/* bytes of the rows so far, in the document */
	Datum	   *took;			/* by case, microseconds */
	TimestampTz started_at;
} SuiteRun;

/*
 * Looks up the suite of a run whose tenant, pinning and name are set.  The configuration is
 * the one in force, overridden by the given keys (NULL: none).  A NULL version
 * means the newest.  The schema is that of the extension's functions.  Raises P0002
 * if there is no such suite, XX001 if it is not what was loaded, 23001 if one of
 * its documents was forgotten.  SPI must be connected, and the newest snapshot
 * active.
 */
extern void SuiteOpen(SuiteRun *run, Oid schema, Jsonb *config, const int *version);

/* Returns the second argument of a call, or NULL. */
extern Jsonb *ConfigArgument(FunctionCallInfo fcinfo);

/*
 * Reads a stored case and its digest, into the current context.  The second
 * function raises XX001 if the digest has changed since the suite was opened.
 */
extern void SuiteReadCase(const SuiteRun *run, int ordinal, JsonView *test_case, char *digest);
extern void SuiteRefuseChangedCase(const SuiteRun *run, int ordinal, const char *digest);

/* Raises an error if a document of the suite is missing. Nobody can forget one before the transaction ends. */
extern void SuiteKeepDocuments(const SuiteRun *run);

/*
 * Runs a suite of the current tenant as answer_suite_run() does, as the caller.
 * Returns a copy of the id of the signed run.  Configuration and version are as for
 * SuiteOpen.
 */
extern text *SuiteRunSigned(Oid schema, text *suite, Jsonb *config, const int *version);

typedef struct SuiteTrials SuiteTrials;

/*
 * Opens a suite of a tenant, with the same checks as before a run.  The
 * configuration is the one in force, overridden by the given keys (NULL: none).  A
 * NULL version means the newest.  The schema is that of the extension's functions.
 * SPI must be connected, and a snapshot active.
 */
extern SuiteTrials *SuiteTrialsBegin(Oid schema, text *tenant, text *suite, Jsonb *config, const int *version);

extern int	SuiteTrialsCount(const SuiteTrials *trials);
extern JsonView SuiteTrialsSuite(const SuiteTrials *trials);	/* {name, version, digest, now, documents} */
extern JsonView SuiteTrialsConfig(const SuiteTrials *trials);	/* all keys, in portable form */
extern const char *SuiteTrialsDigest(const SuiteTrials *trials, int ordinal);
extern void SuiteTrialsCase(const SuiteTrials *trials, int ordinal, JsonView *test_case);

/*
 * Tries one case, counted from 1, with a complete configuration in portable form.
 * Returns the row with its scores in the current context. *found, unless found is
 * NULL, is set to the chunks that were found for it (NULL: none).
 */
extern Jsonb *SuiteTrialsTry(SuiteTrials *trials, int ordinal, const JsonView *config, Jsonb **found);

/* Returns how long the case took, in microseconds. */
extern int64 SuiteTrialsTook(const SuiteTrials *trials, int ordinal);

/* Of a document: what unfinished runs have of it, and the copies that suites have. */
extern const EraseQueries run_erasing;

#endif							/* ANSWER_EVAL_SUITE_RUN_H */
