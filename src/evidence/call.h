/*-------------------------------------------------------------------------
 *
 * call.h
 *		Calling tools: handlers and stored readings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CALL_H
#define ANSWER_EVAL_CALL_H

#include "base/deadline.h"
#include "evidence/fact.h"
#include "evidence/tool.h"

/* The fact for those who look at one place, and its digest. */
typedef struct PlacedFact
{
	Place		place;
	bool		made;
	JsonView	fact;
	char		digest[DIGEST_TEXT_LENGTH + 1];
} PlacedFact;

/* One tool to be called with one set of arguments, and what came of it. */
typedef struct ToolCall
{
	const Tool *tool;
	const JsonView *args;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	int			nreadings;		/* 0: nothing came */
	ToolReading *readings;	/* the first is the primary one */
	bool		done;			/* was what follows found out before? */
	bool		ok;
	int			nfacts;			/* that are wanted, one for each place; */
	PlacedFact *facts;			/* all are made if ok */
	CallFailure failure;		/* if not */
	int64		took;			/* of a handler, in microseconds; 0: nothing was called */
} ToolCall;

/*
 * Holds what the spec of a tool demands of a call by a check, a question or a fact.
 * Specs stand in a directory above, so module.c sets it. Each function is false, and
 * says why, if the call fails.
 */
typedef struct SpecDemands
{
	/* of the arguments, which it completes, and of how often the tool is called */
	bool		(*before) (const Tool *tool, JsonView *args, const CallTerms *terms, CallFailure *failure);
	/* of what the tool gave, from which it takes what is not a part of it */
	bool		(*after) (const Tool *tool, JsonView *raw, CallFailure *failure);
} SpecDemands;

extern SpecDemands spec_demands;

/*
 * SQL: the readings of DOCUMENT_FACT_TOOL, an item of a FROM clause: of the tenant $4, with the arguments q.args, as of
 * the instant $3. Documents stand in a directory above, so module.c sets it. It runs with the caller's rights.
 */
extern const char *document_fact_readings;

extern bool ToolCallRaw(ToolCall *call, CallTerms *terms);
extern void RefuseBadResult(const JsonView *raw, Size size);
extern void ToolsCall(ToolCall *calls, int count, CallTerms *terms);
extern Span ToolCallReading(const ToolCall *call);
extern _Noreturn void ToolRaiseUnknown(const text *tenant, Span name);

#endif							/* ANSWER_EVAL_CALL_H */
