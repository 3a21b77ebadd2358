/*-------------------------------------------------------------------------
 *
 * tool_replay.h
 *		Recomputes the results that shipped tools gave a plan, from their arguments.
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
	TOOL_SAME,				/* or the tool's result cannot be recomputed */
	TOOL_DIFFERS,
	TOOL_INCOMPLETE,			/* the rules that it was made by are not available */
	TOOL_EARLIER				/* made by ground-verify/1, which is not recomputed any more */
} ToolReplay;

/*
 * Recomputes a result of ground.verify or synth.answer. "rules" are the decision
 * rules in the plan's document; absent: the shipped ones. "at" is the instant by
 * which the plan decides.  If the result differs, *expected is set to the right
 * one, as far as it can be computed: for ground.verify without the members that the
 * kernel sets.
 */
extern ToolReplay ReplayTool(Span tool, const JsonView *args, const JsonView *result, const JsonView *rules,
								  TimestampTz at, JsonView *expected);

/*
 * Returns the rules with a digest, from the shipped ones or from a document.
 * Returns NULL if they are not available or malformed.
 */
extern const DecisionRules *FindRulesOfResult(Span digest, const JsonView *rules);

/*
 * Returns the digest of the rules by which a result was made.  Empty for the
 * shipped ones, or if no rules were used.
 */
extern Span RulesDigestOfResult(Span tool, const JsonView *result);

#endif							/* ANSWER_EVAL_TOOL_REPLAY_H */
