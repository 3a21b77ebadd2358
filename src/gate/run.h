/*-------------------------------------------------------------------------
 *
 * run.h
 *		A suite that is run, or judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_RUN_H
#define ANSWER_EVAL_GATE_RUN_H

#include "fmgr.h"

#include "base/canonical.h"
#include "base/jsonview.h"
#include "gate/receipt.h"
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
 * Looks up the suite of a call whose first arguments are its name and a configuration,
 * for a run whose tenant is set; the newest version where NULL.  Raises P0002 where there is none, XX001 where it is
 * not what was loaded, 23001 where a document of it was forgotten.  SPI must be
 * connected, and the newest snapshot be active.
 */
extern void SuiteOpen(SuiteRun *run, FunctionCallInfo fcinfo, const int *version);

/* A case as it is stored, in the current context, and its digest; and XX001 for another digest than when it was opened. */
extern void SuiteReadCase(const SuiteRun *run, int ordinal, JsonView *test_case, char *digest);
extern void SuiteRefuseChangedCase(const SuiteRun *run, int ordinal, const char *digest);

/* Its documents must be there still, and nobody forgets one before the transaction ends. */
extern void SuiteKeepDocuments(const SuiteRun *run);

#endif							/* ANSWER_EVAL_GATE_RUN_H */
