/*-------------------------------------------------------------------------
 *
 * call.h
 *		Tools, readings and the facts they become.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CALL_H
#define ANSWER_EVAL_CALL_H

#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "fmgr.h"

#include "base/canonical.h"
#include "base/deadline.h"
#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"
#include "evidence/confidence.h"
#include "keys/keyring.h"

/* A registered tool, as the registry describes it. */
typedef struct Tool
{
	Span		name;
	bool		registered;		/* if not, the rest is empty */
	bool		builtin;		/* comes with the extension */
	bool		graded;			/* its results are observations that are graded */
	text	   *tenant;			/* whose it is; empty: the operator's */
	char	   *registered_by;	/* with whose rights a tenant's runs */
	text	   *grader_tenant;	/* likewise of its grader */
	char	   *grader_by;
	char	   *grader;			/* qualified function name, NULL: a shipped one */
	char	   *grader_owner;	/* whose it was when it was registered */
	char	   *handler;		/* qualified function name, NULL: stored readings */
	char	   *handler_owner;	/* likewise, NULL: one of ours */
	int			nrequired;
	Span	   *required;
	int			noptional;
	Span	   *optional;
	bool		has_freshness;
	int64		freshness;		/* microseconds */
	bool		has_value_path;
	Path		value_path;
	bool		has_entity_path;
	Path		entity_path;
	bool		has_timestamp_path;
	Path		timestamp_path;
	bool		has_source_path;
	Path		source_path;
	Span		source;			/* of a handler's results, or empty */
	Span		group;			/* of that source, like the next two */
	Span		source_url;
	Span		licence;
	Span		unit;			/* the rest may be empty */
	Span		category;
	Span		country;
	Span		basis;
} Tool;

/* One tool to be called with one set of arguments, and what came of it. */
typedef struct ToolCall
{
	const Tool *tool;
	const JsonView *args;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	int			nreadings;		/* 0: nothing came */
	struct Reading *readings;	/* the first is the primary one */
	bool		ok;
	JsonView	fact;			/* if ok, and its digest */
	char		digest[DIGEST_TEXT_LENGTH + 1];
	CallFailure failure;		/* if not */
} ToolCall;

/* What all calls of one request share. */
typedef struct CallTerms
{
	TimestampTz now;			/* when the request came */
	TimestampTz evaluated_at;	/* and the instant it is judged at */
	TimestampTz deadline;
	int			deadline_ms;
	const SigningKey *key;
	const text *tenant;			/* whose readings count */
	bool		has_known_at;	/* set by ToolsCall: */
	TimestampTz known_at;		/* nothing that a handler sees is later */
} CallTerms;

/* A user's grader. */
typedef struct Grader
{
	const char *name;			/* qualified function name */
	const char *owner;			/* whose it was when it was registered */
	const text *tenant;			/* whose the registration is; empty: the operator's */
	const char *registered_by;	/* with whose rights a tenant's runs */
} Grader;

/* What a user's grader says of an observation. */
typedef struct Graded
{
	Span		class_name;		/* empty: not said */
	Quality		quality;
	Strength	strength;
	Span		reason;
} Graded;

extern void GraderCall(const Grader *grader, Jsonb *observation, Graded *graded);
extern void ToolsFind(const text *tenant, Tool *tools, int count);
extern const char *ToolArgumentProblem(const Tool *tool, const JsonView *args,
									   Span *argument);
extern void ToolsCall(ToolCall *calls, int count, CallTerms *terms);
extern Span ToolCallReading(const ToolCall *call);
extern void ReadingDigest(Span tool, const JsonView *args, const JsonView *raw, Span source,
						  TimestampTz observed_at, const TimestampTz *expires, char *digest);
extern void FactDigest(const JsonView *fact, char *digest);
extern void SuppliedFacts(const Tool *tool, JsonView *facts, int count,
						  const CallTerms *terms);

#endif							/* ANSWER_EVAL_CALL_H */
