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

/* A tool, as registered. */
typedef struct Tool
{
	Span		name;			/* first, for SpanCompareItems() */
	bool		registered;		/* if not, the rest is empty */
	bool		builtin;		/* is it shipped with the extension? */
	bool		graded;			/* are its results observations to be graded? */
	text	   *tenant;			/* its tenant; empty for the operator */
	char	   *registered_by;	/* the role whose rights a tenant's tool has */
	text	   *grader_tenant;	/* the same for its grader */
	char	   *grader_by;
	char	   *grader;			/* qualified function name; NULL means a shipped grader */
	char	   *grader_owner;	/* its owner at the time of registration */
	char	   *handler;		/* qualified function name; NULL means stored readings */
	char	   *handler_owner;	/* its owner at registration; NULL if it is one of ours */
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
	Span		source;			/* source of a handler's results, or empty */
	Span		group;			/* this and the next two belong to that source */
	Span		source_url;
	Span		licence;
	Span		unit;			/* this and the next three may be empty */
	Span		category;
	Span		country;
	Span		basis;
	Span		row;			/* the bytes of its whole registration; empty if unknown */
	JsonView	spec;			/* what plans must know of it; absent if plans cannot call it */
	bool		has_side_effects;	/* this and the next are from its spec */
	bool		is_external;	/* does the application answer instead of the tool? */
} Tool;

/* What all calls of one request share. */
typedef struct CallTerms
{
	TimestampTz now;			/* when the request came */
	TimestampTz evaluated_at;	/* the instant as of which it is judged */
	TimestampTz deadline;
	int			deadline_ms;
	const SigningKey *key;
	const text *tenant;			/* whose readings count */
	int64		entered;		/* from WritesEnter */
	bool		commits;		/* does the transaction commit after each call? */
	bool		had_written;	/* set by ToolsCall: had it written when stored readings were looked up? */
	bool		has_known_at;	/* set by ToolsCall */
	TimestampTz known_at;		/* a handler sees nothing later than this */
} CallTerms;

/* A source, as registered. */
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
