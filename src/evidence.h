/*-------------------------------------------------------------------------
 *
 * evidence.h
 *		Tools, readings and the facts they become.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EVIDENCE_H
#define ANSWER_EVAL_EVIDENCE_H

#include "datatype/timestamp.h"

#include "confidence.h"
#include "deadline.h"
#include "jsonview.h"
#include "operator.h"

/* A registered tool, as the registry describes it. */
typedef struct Tool
{
	Span		name;
	char	   *handler;		/* qualified function name, NULL: stored readings */
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
	Span		unit;			/* the rest may be empty */
	Span		category;
	Span		country;
	Span		basis;
} Tool;

struct SigningKey;

extern bool ToolFind(Span name, Tool *tool);
extern const char *ToolArgumentProblem(const Tool *tool, const JsonView *args,
									   Span *argument);
extern bool ToolFact(const Tool *tool, const JsonView *args,
					 TimestampTz evaluated_at, TimestampTz deadline,
					 int deadline_ms, const struct SigningKey *key,
					 JsonView *fact, CallFailure *failure);
extern void FactDigest(const JsonView *fact, char *digest);
extern void SuppliedFacts(JsonView *facts, int count, TimestampTz evaluated_at);

extern void AnswerAsOwner(Oid *user, int *context);
extern void AnswerAsCaller(Oid user, int context);

#endif							/* ANSWER_EVAL_EVIDENCE_H */
