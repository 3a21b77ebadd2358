/*-------------------------------------------------------------------------
 *
 * plan_request.h
 *		Reads what a plan is executed, run or explained with; registered plans.
 *
 * A request is {plan | {"plan": {"ref": id}}, vars, budgets, intent, tenant,
 * request_id, trace_id, judgements, basis}.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_REQUEST_H
#define ANSWER_EVAL_PLAN_REQUEST_H

#include "utils/numeric.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "evidence/tool.h"
#include "plan/forecast.h"
#include "plan/ir.h"

#define PLAN_REQUEST_ID_LENGTH	200 /* characters of request_id */

/* It borrows the JSON that it was read from. */
typedef struct PlanRequest
{
	JsonView	plan;			/* absent where a ref is given */
	Span		ref;			/* plan_id of a registered plan, or the digest of a version; or empty */
	JsonView	vars;			/* $INPUT: an object; without members where none was given */
	Numeric		latency_budget; /* ms; NULL: none, like the next */
	Numeric		cost_cap;		/* USD */
	Span		intent;			/* or empty, like the next two */
	Span		tenant;
	Span		request_id;
	Span		trace_id;		/* under which the caller wants to follow it, or empty */
	JsonView	judgements;		/* that the caller hands in, or absent */
	bool		wants_declared; /* is nothing to go by what was measured? */
} PlanRequest;

/* Reads one, or raises (22023). */
extern void PlanRequestRead(const JsonView *view, PlanRequest *request);

/*
 * Sets the least of what the plan's signals and the request's budgets say, into limits
 * that are zero, or hold what caps leave.
 */
extern void PlanRequestLimits(const PlanRequest *request, const PlanIr *plan, PlanLimits *limits);

/*
 * Returns the tenant that a request is for: the one that it names, or the caller's;
 * 42501 if the role may not work for it.
 */
extern text *PlanRequestTenant(const PlanRequest *request);

/*
 * Returns the plan itself, from the request or from answer.plan; *digest, a text, is
 * its answer_digest, *registered_by who registered it, as the table has it: NULL if
 * nobody did, empty if that is not known. Raises P0002 for an unknown ref. SPI must be
 * connected.
 */
extern JsonView PlanRequestPlan(const text *tenant, const PlanRequest *request, char *digest, char **registered_by);

/*
 * Returns {node: {if, ...}}: the conditions; of those that are known before anything
 * runs what comes of them, and their values.
 */
extern JsonView PlanConditionsView(const PlanIr *plan, const JsonView *vars);

/* The tools that were found for a plan by the names that it has. */
typedef struct PlanNamedTools
{
	int			count;			/* 0 where the plan names a capability: then more tools count than it names */
	Tool	   *tools;
} PlanNamedTools;

/*
 * Returns {name: ToolSpec} of the tools of a tenant that a plan names, by name or
 * capability; and what else the registry has of those that were looked up by name,
 * unless "named" is NULL. SPI must be connected.
 */
extern JsonView PlanSpecs(const text *tenant, const JsonView *plan, PlanNamedTools *named);

#endif							/* ANSWER_EVAL_PLAN_REQUEST_H */
