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

/* One tool to be called with one set of arguments, and what came of it. */
typedef struct ToolCall
{
	const Tool *tool;
	const JsonView *args;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	int			nreadings;		/* 0: nothing came */
	Reading    *readings;	/* the first is the primary one */
	bool		ok;
	JsonView	fact;			/* if ok, and its digest */
	char		digest[DIGEST_TEXT_LENGTH + 1];
	CallFailure failure;		/* if not */
} ToolCall;

extern void RefuseBadResult(const JsonView *raw, Size size);
extern void ToolsCall(ToolCall *calls, int count, CallTerms *terms);
extern Span ToolCallReading(const ToolCall *call);

#endif							/* ANSWER_EVAL_CALL_H */
