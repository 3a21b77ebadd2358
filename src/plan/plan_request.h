/*-------------------------------------------------------------------------
 *
 * plan_request.h
 *		Reads the request of a plan, and finds registered plans and their tools.
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

/* A request. It points into the JSON that it was read from. */
typedef struct PlanRequest
{
	JsonView	plan;			/* absent if there is a ref */
	Span		ref;			/* plan_id of a registered plan, or the digest of a version; or empty */
	JsonView	vars;			/* $INPUT: an object; empty if none was given */
	Numeric		latency_budget; /* ms; NULL: none, also cost_cap */
	Numeric		cost_cap;		/* USD */
	Span		intent;			/* or empty, as are the next two */
	Span		tenant;
	Span		request_id;
	Span		trace_id;		/* chosen by the caller to follow the plan; or empty */
	JsonView	judgements;		/* from the caller, or absent */
	bool		wants_declared; /* are measured latencies ignored? */
} PlanRequest;

/* Reads a request, or raises 22023. */
extern void PlanRequestRead(const JsonView *view, PlanRequest *request);

/*
 * Lowers limits to those of the plan's signals and the request's budgets.  On entry
 * limits are zeroed, or hold what caps leave.
 */
extern void PlanRequestLimits(const PlanRequest *request, const PlanIr *plan, PlanLimits *limits);

/*
 * Returns the tenant of a request: the one that it names, or the caller's.  Raises
 * 42501 if the role may not work for it.
 */
extern text *PlanRequestTenant(const PlanRequest *request);

/*
 * Returns the plan, from the request or from answer.plan. *digest, a text, is its
 * answer_digest. *registered_by is who registered it, as the table has it: NULL if
 * nobody did, empty if that is not known.  Raises P0002 for an unknown ref.  SPI
 * must be connected.
 */
extern JsonView PlanRequestPlan(const text *tenant, const PlanRequest *request, char *digest, char **registered_by);

/*
 * Returns {node: {if, ...}}: all conditions, with result and values for those that
 * can be evaluated before execution.
 */
extern JsonView PlanConditionsView(const PlanIr *plan, const JsonView *vars);

/* The tools that were found by the names in a plan. */
typedef struct PlanNamedTools
{
	int			count;			/* 0 if the plan names a capability, because then it may use further tools */
	Tool	   *tools;
} PlanNamedTools;

/*
 * Returns {name: ToolSpec} of the tenant's tools that a plan names, by name or
 * capability. *named, unless NULL, is set to the registry entries of those found by
 * name.  SPI must be connected.
 */
extern JsonView PlanSpecs(const text *tenant, const JsonView *plan, PlanNamedTools *named);

#endif							/* ANSWER_EVAL_PLAN_REQUEST_H */
