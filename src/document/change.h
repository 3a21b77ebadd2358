/*-------------------------------------------------------------------------
 *
 * change.h
 *		Signed records of changes of keys and configuration.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHANGE_H
#define ANSWER_EVAL_CHANGE_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "document/kind.h"
#include "keys/keyring.h"

/*
 * For these kinds, the records themselves are the state, not a copy of it.  The functions
 * that change the state mint a record of each step.
 */
#define CHANGE_ENVIRONMENT	"environment"
#define CHANGE_CONFIG		"config"
#define CHANGE_PROPOSAL		"proposal"

/*
 * For these kinds, the state is stored rows that change often: a record has the sum of
 * the rows of documents or a graph, or the digest of one key of memory.
 */
#define CHANGE_DOCUMENTS	"documents"
#define CHANGE_GRAPH		"graph"
#define CHANGE_MEMORY		"memory"

/* Lists of rows, which are signed when the log is sealed (log/recorded.c). */
#define CHANGE_RECORDED		"recorded"

/* A step to be minted. */
typedef struct ChangeStep
{
	const text *tenant;
	const char *kind;
	Span		name;
	int			revision;
	const char *action;
	const char *before;			/* digest of the state before, or NULL if there was none */
	JsonView	after;			/* the state afterwards; JSON null if it was removed */
	JsonView	step;			/* what was done and why; absent if the states say it */
	JsonView	configs;		/* for an environment, else absent */
} ChangeStep;

extern const DocumentKind change_kind;
extern void LockChange(const text *tenant, const char *kind, Span name);
extern Jsonb *MintChangeStep(const ChangeStep *step, const SigningKey *key, TimestampTz issued_at);

/*
 * The gate checks steps of environments and of proposals.  It is in a higher directory,
 * so module.c sets these.  "verify" reads only the document.  "replay" may also read the
 * runs that the document names, with the caller's rights.  Both return a report.
 */
typedef struct ChangeStepReplay
{
	JsonView	(*verify) (const JsonView *document);
	JsonView	(*replay) (const JsonView *document);
} ChangeStepReplay;
extern ChangeStepReplay environment_steps;
extern ChangeStepReplay proposal_steps;

extern bool RecordContent(const text *tenant, const char *kind, Span name, const Span *found, const Span *next,
						  bool refuse_gap);
extern bool RecordState(const text *tenant, const char *kind, Span name, const JsonView *state);
extern bool RecordChange(const text *tenant, Span kind, Span name);
extern void RecordKeyChanges(const SigningKey *key, TimestampTz at);

#endif							/* ANSWER_EVAL_CHANGE_H */
