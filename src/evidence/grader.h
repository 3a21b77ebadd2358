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

/* A user's grader. */
typedef struct Grader
{
	const char *name;			/* qualified function name */
	const char *owner;			/* whose it was when it was registered */
	const text *tenant;			/* whose the registration is; empty: the operator's */
	const char *registered_by;	/* with whose rights a tenant's runs */
} Grader;

/* Holds what a user's grader says of an observation. */
typedef struct Graded
{
	Span		class_name;		/* empty: not said */
	Quality		quality;
	Strength	strength;
	Span		reason;
} Graded;

extern void GraderCall(const Grader *registered, Jsonb *observation, Graded *graded);
extern bool FactQuality(const Tool *tool, const JsonView *raw, const CallTerms *terms,
						Quality *quality);

#endif							/* ANSWER_EVAL_GRADER_H */
