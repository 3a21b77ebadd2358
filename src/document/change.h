/*-------------------------------------------------------------------------
 *
 * change.h
 *		Signed records of what changed in keys and configuration.
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

/* Kinds whose records are what is so, and not a copy of it: those who move them mint each step. */
#define CHANGE_ENVIRONMENT	"environment"
#define CHANGE_CONFIG		"config"
#define CHANGE_PROPOSAL		"proposal"

/* Kinds of what is stored and changes often: documents and graphs as sums of rows, memory by key. */
#define CHANGE_DOCUMENTS	"documents"
#define CHANGE_GRAPH		"graph"
#define CHANGE_MEMORY		"memory"

/* Of lists of rows that are signed when the log is sealed (log/recorded.c). */
#define CHANGE_RECORDED		"recorded"

/* A step that is minted as it was made. */
typedef struct ChangeStep
{
	const text *tenant;
	const char *kind;
	Span		name;
	int			revision;
	const char *action;
	const char *before;			/* digest of the state before; NULL: there was none */
	JsonView	after;			/* null: it is removed */
	JsonView	step;			/* what was done, and why; absent: it is told by the states */
	JsonView	configs;		/* of an environment; absent otherwise */
} ChangeStep;

extern const DocumentKind change_kind;
extern void LockChange(const text *tenant, const char *kind, Span name);
extern Jsonb *MintChangeStep(const ChangeStep *step, const SigningKey *key, TimestampTz issued_at);

/*
 * Steps of environments and of proposals follow from the gate, which stands above:
 * set by module.c.  The first looks at the document alone; the second may read, with the
 * caller's rights, the runs that it names.  Both give a report.
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
