/*-------------------------------------------------------------------------
 *
 * origin.h
 *		The origin of a value in a plan: it was observed, or certain roles reported
 *		it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_ORIGIN_H
#define ANSWER_EVAL_PLAN_ORIGIN_H

#include "base/jsonview.h"
#include "base/span.h"
#include "plan/reference.h"
#include "plan/ir.h"
#include "plan/tool_spec.h"

/* The roles that reported a value, each once, by code point. No role: it was observed. */
typedef struct Origin
{
	int			count;
	Span	   *roles;
} Origin;

/* Who vouches for values that were not observed in an execution, and for which tools. */
typedef struct OriginTerms
{
	bool		are_known;		/* false for documents from before origins were kept */
	Span		request;		/* role that sent the request: reports the variables and the application's answers */
	Span		plan;			/* role that registered or sent the plan: reports its literals */
	JsonView	tools;			/* {name: {registered_by, shared}} */
} OriginTerms;

/* Stands for the role in rows from before origins were kept. */
#define ORIGIN_UNKNOWN		"unknown"

/* Maximum number of roles that are read from a document. */
#define ORIGIN_MAX_ROLES	1000

/*
 * Returns the origin of what a reference of a node refers to. "as_evidence" says
 * that an Evidence is passed on whole, and stays one.
 */
typedef Origin (*OriginLookup) (const void *arg, const PlanNode *node, const Reference *reference, bool as_evidence);

static inline bool
OriginIsReported(const Origin *origin)
{
	return origin->count > 0;
}

extern Origin OriginOfRole(Span role);

/* Returns the union: whoever reported either part. */
extern Origin OriginOfBoth(const Origin *a, const Origin *b);

/* Write the roles as an array, and read it. Anything malformed is read as the role "unknown". */
extern JsonView OriginView(const Origin *origin);
extern Origin OriginOfView(const JsonView *view);

/* Returns text such as "reported evidence (by a, b)", where "what" is the word "evidence". */
extern char *OriginText(const Origin *origin, const char *what);

/* Return the evidence, or the verdict, with its member "origin" replaced by this one. */
extern JsonView OriginOnEvidence(const Origin *origin, const JsonView *evidence);
extern JsonView OriginOnVerdict(const Origin *origin, const JsonView *verdict);

/* Write the terms as a member of a document, and read it; reading returns false if it is malformed. */
extern JsonView OriginTermsView(const OriginTerms *terms);
extern bool OriginTermsOfView(const JsonView *view, OriginTerms *terms);

/* Does a value contain, at any depth, parts of an evidence that the requester chose: claims, or their words? */
extern bool OriginHoldsClaims(const JsonView *value);

/* Returns the origin plus those who state claims. */
extern Origin OriginOfClaims(const OriginTerms *terms, Origin origin);

/* Returns the origin of a part of a node's arguments, as written in the plan. */
extern Origin OriginOfArgument(const OriginTerms *terms, const PlanNode *node, const JsonView *value,
							   bool as_evidence, OriginLookup lookup, const void *arg);

/* Returns the origin of the result of a tool that the caller calls alone, with its own arguments. */
extern Origin OriginOfCalled(const OriginTerms *terms, Span tool, const ToolSpec *spec, const JsonView *args,
							 const JsonView *result);

/* Returns who reported the judgements that a result of ground.verify rests on; nobody for other tools. */
extern Origin OriginOfJudgements(Span tool, const JsonView *result);

/* Returns the origin of a result of mesh.mem, which states it itself. */
extern Origin OriginOfMemory(const JsonView *result);

/* Returns the origin of the result of a node's tool, other than mesh.mem. */
extern Origin OriginOfResult(const OriginTerms *terms, const PlanNode *node, const ToolSpec *spec,
							 OriginLookup lookup, const void *arg);

#endif							/* ANSWER_EVAL_PLAN_ORIGIN_H */
