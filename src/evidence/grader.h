/*-------------------------------------------------------------------------
 *
 * grader.h
 *		Graders: how good a raw result is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRADER_H
#define ANSWER_EVAL_GRADER_H

#include "base/enums.h"
#include "base/span.h"
#include "evidence/tool.h"

/* What a user's grader says of an observation. */
typedef struct Graded
{
	Span		class_name;		/* empty: not said */
	Quality		quality;
	Strength	strength;
	Span		reason;
} Graded;

extern void GraderCall(const char *grader, const char *owner, Jsonb *observation, Graded *graded);
extern bool FactQuality(const Tool *tool, const JsonView *raw, const CallTerms *terms,
						Quality *quality);

#endif							/* ANSWER_EVAL_GRADER_H */
