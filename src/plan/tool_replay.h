/*-------------------------------------------------------------------------
 *
 * tool_replay.h
 *		Makes again what the shipped tools gave a plan, from what they were given.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOOL_REPLAY_H
#define ANSWER_EVAL_TOOL_REPLAY_H

#include "base/jsonview.h"
#include "base/span.h"

#define TOOL_SYNTH			"synth.answer"

typedef enum ToolReplay
{
	TOOL_SAME,				/* or nothing that can be made again */
	TOOL_DIFFERS,
	TOOL_INCOMPLETE,			/* the rules that it was made by are not at hand */
	TOOL_EARLIER				/* it was made by ground-verify/1, by which nothing is made any more */
} ToolReplay;

/*
 * Makes a result of ground.verify or synth.answer again.  "rules" is the document
 * of decision rules that a plan's document has, or absent: then they are the
 * shipped ones; "at" is the instant that the plan goes by.  Where the result differs, *expected is what it must be, as far as it
 * can be made: of ground.verify the members that the kernel does not set.
 */
extern ToolReplay ReplayTool(Span tool, const JsonView *args, const JsonView *result, const JsonView *rules,
								  TimestampTz at, JsonView *expected);

/*
 * Returns the rules that have a digest: shipped ones, or those of a document; NULL if
 * they are not at hand, or none.
 */
extern const DecisionRules *FindRulesOfResult(Span digest, const JsonView *rules);

/*
 * Returns the digest of the rules by which a result was made; empty if it was made by
 * none, or by the shipped ones.
 */
extern Span RulesDigestOfResult(Span tool, const JsonView *result);

#endif							/* ANSWER_EVAL_TOOL_REPLAY_H */
