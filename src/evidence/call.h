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

/* The fact for checks that look at one place, and its digest. */
typedef struct PlacedFact
{
	Place		place;
	bool		made;
	JsonView	fact;
	char		digest[DIGEST_TEXT_LENGTH + 1];
} PlacedFact;

/* A call of one tool with one set of arguments, and its result. */
typedef struct ToolCall
{
	const Tool *tool;
	const JsonView *args;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	int			nreadings;		/* 0 if there is no result */
	ToolReading *readings;	/* the first is the primary one */
	bool		done;			/* are the fields below already known? */
	bool		ok;
	int			nfacts;			/* number of places that are wanted; */
	PlacedFact *facts;			/* each has one fact, made if ok */
	CallFailure failure;		/* if not ok */
	int64		took;			/* duration of the handler, in microseconds; 0 if none was called */
} ToolCall;

/*
 * What the spec of a tool demands of a call by a check, a question or a fact.  Specs
 * are in a higher directory, so module.c sets this.  Each function returns false, and
 * says why, if the call fails.
 */
typedef struct SpecDemands
{
	/* checks and completes the arguments, and checks how often the tool is called */
	bool		(*before) (const Tool *tool, JsonView *args, const CallTerms *terms, CallFailure *failure);
	/* checks the result, and removes from it what is not a part of it */
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
