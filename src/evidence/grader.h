/*-------------------------------------------------------------------------
 *
 * grader.h
 *		Calls graders, which say how good a raw result is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRADER_H
#define ANSWER_EVAL_GRADER_H

#include "base/enums.h"
#include "base/span.h"
#include "evidence/tool.h"

/* A user's grader. */
typedef struct Grader
{
	const char *name;			/* qualified function name */
	const char *owner;			/* its owner at the time of registration */
	const text *tenant;			/* the registration's tenant; empty for the operator */
	const char *registered_by;	/* the role whose rights a tenant's grader has */
} Grader;

/* What a user's grader says about an observation. */
typedef struct Graded
{
	Span		class_name;		/* empty if not given */
	Quality		quality;
	Strength	strength;
	Span		reason;
} Graded;

extern void GraderCall(const Grader *registered, Jsonb *observation, Graded *graded);
extern bool FactQuality(const Tool *tool, const JsonView *raw, const CallTerms *terms,
						Quality *quality);

#endif							/* ANSWER_EVAL_GRADER_H */
