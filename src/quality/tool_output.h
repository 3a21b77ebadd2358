/*-------------------------------------------------------------------------
 *
 * tool_output.h
 *		Parses the output of a tool into the observation that a grader takes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_OUTPUT_H
#define ANSWER_EVAL_TOOL_OUTPUT_H

#include "base/jsonview.h"
#include "check/operator.h"

/* What a tool was asked, and what it printed, in UTF-8. */
typedef struct ToolOutput
{
	Span		query;			/* the text that the tool was given */
	Span		question;		/* what is to be found out; empty: not given */
	Span		output;
} ToolOutput;

extern bool OutputObservation(Span tool, const ToolOutput *printed, JsonView *observation);
extern bool IsIdentifier(Span text);

#endif							/* ANSWER_EVAL_TOOL_OUTPUT_H */
