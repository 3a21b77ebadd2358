/*-------------------------------------------------------------------------
 *
 * suite_run.h
 *		A suite that is run or judged, and cases of one that are tried without keeping a run.
 *
 * A run is signed and stored; who looks for a configuration would leave many, and so
 * tries cases alone.  They are tried and scored as answer_suite_run() does it.
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

/* A run on its way. */
typedef struct SuiteRun
{
	text	   *tenant;			/* who runs */
	text	   *owner;			/* whose suite it is: the tenant, or the operator's seed */
	text	   *suite;
	int			version;
	bool		ships;			/* does it come with the extension? */
	int			cases;
	char		suite_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	documents;		/* digests, in the order of doc_id */
	JsonView	now;			/* the clock, as text */
	TrialTerms	terms;
	RunContent	content;
	char		(*digests)[DIGEST_TEXT_LENGTH + 1]; /* of the cases */
	bool		asks_routes;	/* is any case a question? */
	MemoryContext context;		/* for what lasts as long as the run */
	MemoryContext each;			/* for one case */
	size_t		size;			/* of the rows so far, in bytes of a document */
	Datum	   *took;			/* microseconds, a case */
	TimestampTz started_at;
} SuiteRun;

/*
 * Looks up the suite of a run whose tenant and name are set.  The configuration is the
 * one in force, with the given keys (NULL: none) over it; the version NULL: the newest.
 * The schema is that of our functions.  Raises P0002 where there is none, XX001 where it is
 * not what was loaded, 23001 where a document of it was forgotten.  SPI must be
 * connected, and the newest snapshot be active.
 */
extern void SuiteOpen(SuiteRun *run, Oid schema, Jsonb *config, const int *version);

/* Returns the second argument of a call, or NULL. */
extern Jsonb *ConfigArgument(FunctionCallInfo fcinfo);

/*
 * Reads a case as it is stored, into the current context, and its digest; raises XX001
 * for another digest than when it was opened.
 */
extern void SuiteReadCase(const SuiteRun *run, int ordinal, JsonView *test_case, char *digest);
extern void SuiteRefuseChangedCase(const SuiteRun *run, int ordinal, const char *digest);

/* Raises unless its documents are there still; nobody forgets one of them before the transaction ends. */
extern void SuiteKeepDocuments(const SuiteRun *run);

/*
 * Runs a suite of the current tenant as answer_suite_run() does, as the caller: a copy of
 * the id of the signed run.  The configuration and the version are as before.
 */
extern text *SuiteRunSigned(Oid schema, text *suite, Jsonb *config, const int *version);

typedef struct SuiteTrials SuiteTrials;

/*
 * Opens a suite of a tenant, verified as before a run. The configuration is the one in
 * force, with the given keys (NULL: none) over it; the version NULL: the newest. The
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

/* Returns how long that took, in microseconds. */
extern int64 SuiteTrialsTook(const SuiteTrials *trials, int ordinal);

/* Of a document: what unfinished runs have of it, and the copies that suites have. */
extern const EraseQueries run_erasing;

#endif							/* ANSWER_EVAL_SUITE_RUN_H */
