/*-------------------------------------------------------------------------
 *
 * tool.h
 *		The registry of tools and sources.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_H
#define ANSWER_EVAL_TOOL_H

#include "datatype/timestamp.h"

#include "base/canonical.h"
#include "base/deadline.h"
#include "base/span.h"
#include "check/operator.h"
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
	Span		row;			/* the bytes of all that is registered of it; empty: not known */
	JsonView	spec;			/* what plans must know of it; absent: they cannot call it */
	bool		has_side_effects;	/* as its spec says, like the next */
	bool		is_external;	/* the application answers in its place */
} Tool;

/* Holds what all calls of one request share. */
typedef struct CallTerms
{
	TimestampTz now;			/* when the request came */
	TimestampTz evaluated_at;	/* and the instant it is judged at */
	TimestampTz deadline;
	int			deadline_ms;
	const SigningKey *key;
	const text *tenant;			/* whose readings count */
	int64		entered;		/* of WritesEnter */
	bool		commits;		/* is the transaction committed when a call is over? */
	bool		had_written;	/* set by ToolsCall: had it, when stored readings were looked for? */
	bool		has_known_at;	/* set by ToolsCall: */
	TimestampTz known_at;		/* nothing that a handler sees is later */
} CallTerms;

/* Holds what is registered of a source. */
typedef struct Source
{
	Span		group;
	Span		url;
	Span		licence;
} Source;

extern void ToolsFind(const text *tenant, Tool *tools, int count);
extern void ToolsFindToCall(const text *tenant, Tool *tools, int count);
extern const char *ToolWhyUnaskable(const Tool *tool);
extern const char *ToolArgumentProblem(const Tool *tool, const JsonView *args,
									   Span *argument);
extern void ToolLogFailure(const Tool *tool, const char *what, const CallFailure *failure);
extern void SourceFind(Span name, Source *source);

#endif							/* ANSWER_EVAL_TOOL_H */
