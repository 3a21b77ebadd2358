/*-------------------------------------------------------------------------
 *
 * tool_help.h
 *		Fills in default arguments of a tool and suggests names for a misspelt
 *		one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_HELP_H
#define ANSWER_EVAL_TOOL_HELP_H

#include "evidence/tool.h"

#define CLOSEST_TOOLS	3

extern bool ToolDefaults(const Tool *tool, JsonView *args, JsonView *defaulted);
extern int	ToolsClosest(const text *tenant, Span name, Span *closest);

#endif							/* ANSWER_EVAL_TOOL_HELP_H */
