/*-------------------------------------------------------------------------
 *
 * tool_output.h
 *		Reads what a tool printed, as the observation that a grader takes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_OUTPUT_H
#define ANSWER_EVAL_TOOL_OUTPUT_H

#include "base/jsonview.h"
#include "check/operator.h"

/* Holds what a tool was asked, and what it printed; all of it UTF-8. */
typedef struct ToolOutput
{
	Span		query;			/* the text that the tool was given */
	Span		question;		/* what is to be found out; empty: not said */
	Span		output;
} ToolOutput;

extern bool OutputObservation(Span tool, const ToolOutput *printed, JsonView *observation);
extern bool IsIdentifier(Span text);

#endif							/* ANSWER_EVAL_TOOL_OUTPUT_H */
