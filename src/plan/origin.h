/*-------------------------------------------------------------------------
 *
 * origin.h
 *		Says where a value of a plan comes from: it was observed, or roles reported
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

/* Who reported a value: each role once, by code point.  None: it was observed. */
typedef struct Origin
{
	int			count;
	Span	   *roles;
} Origin;

/* Says whose word what is not observed in an execution is, and of which tools that counts. */
typedef struct OriginTerms
{
	bool		are_known;		/* false: of a document made before origins were kept */
	Span		request;		/* who asked: reports the variables, and what the application answers */
	Span		plan;			/* who registered the plan or sent it: reports its literals */
	JsonView	tools;			/* {name: {registered_by, shared}} */
} OriginTerms;

/* A role that nobody knows: of rows that were written before origins were kept. */
#define ORIGIN_UNKNOWN		"unknown"

/* Roles that are read from a document, at most. */
#define ORIGIN_MAX_ROLES	1000

/*
 * Holds what a reference of a node means came from; "as_evidence": an Evidence that is
 * passed on whole, and stays one.
 */
typedef Origin (*OriginLookup) (const void *arg, const PlanNode *node, const Reference *reference, bool as_evidence);

static inline bool
OriginIsReported(const Origin *origin)
{
	return origin->count > 0;
}

extern Origin OriginOfRole(Span role);

/* Returns the least of both: whoever reported a part. */
extern Origin OriginOfBoth(const Origin *a, const Origin *b);

/* They give the roles as an array, and read that again; anything else is a role that nobody knows. */
extern JsonView OriginView(const Origin *origin);
extern Origin OriginOfView(const JsonView *view);

/* Returns "reported evidence (by a, b)": "what" is the word between. */
extern char *OriginText(const Origin *origin, const char *what);

/* Returns an evidence, or a verdict, that says where it comes from, whatever it said of that. */
extern JsonView OriginOnEvidence(const Origin *origin, const JsonView *evidence);
extern JsonView OriginOnVerdict(const Origin *origin, const JsonView *verdict);

/* They give the terms as a member of a document, and read that again; false if it is none. */
extern JsonView OriginTermsView(const OriginTerms *terms);
extern bool OriginTermsOfView(const JsonView *view, OriginTerms *terms);

/* Does a value hold, at any depth, what of an evidence the requester chose: claims, or their words? */
extern bool OriginHoldsClaims(const JsonView *value);

/* Returns an origin, and those who state claims. */
extern Origin OriginOfClaims(const OriginTerms *terms, Origin origin);

/* Returns what a part of a node's arguments, as the plan has it, comes from. */
extern Origin OriginOfArgument(const OriginTerms *terms, const PlanNode *node, const JsonView *value,
							   bool as_evidence, OriginLookup lookup, const void *arg);

/* Returns what the result of a tool comes from that is called alone, with arguments of the caller's. */
extern Origin OriginOfCalled(const OriginTerms *terms, Span tool, const ToolSpec *spec, const JsonView *args,
							 const JsonView *result);

/* Returns who reported the judgements that the result of ground.verify rests on; of another tool nobody. */
extern Origin OriginOfJudgements(Span tool, const JsonView *result);

/* Returns what the result of mesh.mem comes from, which says so itself. */
extern Origin OriginOfMemory(const JsonView *result);

/* Returns what the result of a node's tool comes from; not of mesh.mem. */
extern Origin OriginOfResult(const OriginTerms *terms, const PlanNode *node, const ToolSpec *spec,
							 OriginLookup lookup, const void *arg);

#endif							/* ANSWER_EVAL_PLAN_ORIGIN_H */
