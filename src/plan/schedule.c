/*-------------------------------------------------------------------------
 *
 * schedule.c
 *		Decides which step of a plan comes next, and which steps are skipped.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §8.1 and §8.2.
 *
 * A node is ready when all its predecessors are finished or skipped.  Of the ready
 * nodes the cheapest comes first, then the fastest, then the first in the plan.  Prices
 * are those predicted before any degradation, so that a budget does not change the
 * order.  A node is skipped if it has incoming edges, and each comes from a skipped node
 * or from the side of a branch that was not taken.  Skipping is applied at once, and
 * propagates.
 *
 * Promises: pure; the order depends only on plan, variables and outcomes; linear in
 * nodes and edges, except for sorting the nodes and for a set of PLAN_MAX_NODES bits
 * per step.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "plan/schedule.h"

#define READY_WORDS		((PLAN_MAX_NODES + 63) / 64)

typedef struct Ranked
{
	int			node;
	Numeric		cost;
	Numeric		latency;
} Ranked;

struct PlanSchedule
{
	const PlanIr *plan;
	int		   *rank;			/* by node: its rank by price */
	int		   *node;			/* by rank */
	uint64		ready[READY_WORDS];	/* set of ranks */
	int		   *waits;			/* by node: number of predecessors that are not settled */
	bool	   *is_reached;		/* by node: did a predecessor lead here? */
	bool	   *is_skipped;
	int		   *skipped;		/* stack of skipped nodes whose edges are still to be followed */
};

static int
CompareRanked(const void *a, const void *b)
{
	const Ranked *left = a;
	const Ranked *right = b;
	int			cmp = NumberCompare(left->cost, right->cost);

	if (cmp == 0)
		cmp = NumberCompare(left->latency, right->latency);
	return cmp != 0 ? cmp : left->node - right->node;
}

static void
RankNodes(PlanSchedule *schedule, const PlanForecast *forecast)
{
	int			count = schedule->plan->nnodes;
	Ranked	   *ranked = palloc(sizeof(Ranked) * count);

	for (int i = 0; i < count; i++)
	{
		const NodeForecast *node = &forecast->nodes[i];
		Numeric		calls = int64_to_numeric(node->calls);

		ranked[i].node = i;
		ranked[i].cost = NumberCall(numeric_mul, node->declared.cost, calls);
		ranked[i].latency = NumberCall(numeric_mul, node->declared.latency, calls);
	}
	qsort(ranked, count, sizeof(Ranked), CompareRanked);
	for (int i = 0; i < count; i++)
	{
		schedule->node[i] = ranked[i].node;
		schedule->rank[ranked[i].node] = i;
	}
	pfree(ranked);
}

static void
MakeReady(PlanSchedule *schedule, int node)
{
	int			rank = schedule->rank[node];

	schedule->ready[rank / 64] |= UINT64CONST(1) << (rank % 64);
}

PlanSchedule *
PlanScheduleBegin(const PlanIr *plan, const PlanForecast *forecast)
{
	PlanSchedule *schedule = palloc0(sizeof(PlanSchedule));

	schedule->plan = plan;
	schedule->rank = palloc(sizeof(int) * plan->nnodes);
	schedule->node = palloc(sizeof(int) * plan->nnodes);
	schedule->waits = palloc(sizeof(int) * plan->nnodes);
	schedule->is_reached = palloc0(plan->nnodes);
	schedule->is_skipped = palloc0(plan->nnodes);
	schedule->skipped = palloc(sizeof(int) * plan->nnodes);
	RankNodes(schedule, forecast);
	for (int i = 0; i < plan->nnodes; i++)
	{
		schedule->waits[i] = plan->nodes[i].nin;
		if (schedule->waits[i] == 0)
			MakeReady(schedule, i);
	}
	return schedule;
}

int
PlanScheduleNext(PlanSchedule *schedule)
{
	for (int w = 0; w < READY_WORDS; w++)
	{
		int			bit;

		if (schedule->ready[w] == 0)
			continue;
		bit = pg_rightmost_one_pos64(schedule->ready[w]);
		schedule->ready[w] &= ~(UINT64CONST(1) << bit);
		return schedule->node[w * 64 + bit];
	}
	return -1;
}

/* Follows the edges of a node, and pushes nodes that become skipped onto the stack. Returns how many. */
static int
FollowEdges(PlanSchedule *schedule, int node, bool is_executed, PlanSide taken)
{
	const PlanIr *plan = schedule->plan;
	int			nskipped = 0;

	for (int i = 0; i < plan->nodes[node].nout; i++)
	{
		const PlanEdge *edge = &plan->edges[plan->nodes[node].onward[i]];

		if (is_executed && (taken == PLAN_SIDE_NONE || edge->side == taken))
			schedule->is_reached[edge->to] = true;
		if (--schedule->waits[edge->to] > 0)
			continue;
		if (schedule->is_reached[edge->to])
			MakeReady(schedule, edge->to);
		else
		{
			schedule->is_skipped[edge->to] = true;
			schedule->skipped[nskipped++] = edge->to;
		}
	}
	return nskipped;
}

void
PlanScheduleFinish(PlanSchedule *schedule, int node, PlanSide taken)
{
	int			count = FollowEdges(schedule, node, true, taken);
	int		   *room = schedule->skipped;

	/* nodes that follow from the last one lie above the others */
	while (count > 0)
	{
		int			skipped = room[--count];

		schedule->skipped = room + count;
		count += FollowEdges(schedule, skipped, false, PLAN_SIDE_NONE);
	}
	schedule->skipped = room;
}

int *
PlanOrder(const PlanIr *plan, const PlanForecast *forecast)
{
	PlanSchedule *schedule = PlanScheduleBegin(plan, forecast);
	int		   *order = palloc(sizeof(int) * plan->nnodes);

	for (int i = 0; i < plan->nnodes; i++)
	{
		order[i] = PlanScheduleNext(schedule);
		PlanScheduleFinish(schedule, order[i], PLAN_SIDE_NONE);
	}
	return order;
}

/* SQL: outlines of plans, for answer_plan_explain and tests */

/* Returns the plan in arguments 0 and 1 of a function; raises the first problem. */
static PlanIr *
PlanArgument(FunctionCallInfo fcinfo)
{
	JsonView	view;
	JsonView	specs;
	PlanProblems problems;
	PlanIr	   *plan;

	RequireArgument(fcinfo, 0, "plan");
	RequireArgument(fcinfo, 1, "tools");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "plan");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "tools");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &specs);
	plan = PlanParse(&view, PlanToolsOfSpecs(&specs), &problems);
	if (plan == NULL)
		PlanRaise(&problems);
	return plan;
}

static JsonView
ObjectArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	JsonView	view = {.type = JVIEW_ABSENT};

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, name);
	if (PG_ARGISNULL(n))
		return view;
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	if (view.type != JVIEW_OBJECT)
		MalformedArgument(psprintf("%s must be an object, and is %s", name, ShownValue(&view)), NULL);
	return view;
}

static Numeric
LimitOf(const JsonView *limits, const char *key)
{
	JsonView	view;
	Numeric		limit;

	if (!JsonViewGetMember(limits, key, &view))
		return NULL;
	if (!JsonViewNumeric(&view, &limit))
		MalformedArgument(psprintf("limits.%s must be a number, and is %s", key, ShownValue(&view)), NULL);
	return limit;
}

static PlanLimits
LimitsOfView(const JsonView *view)
{
	PlanLimits	limits = {0};
	JsonView	summary;

	limits.cost = LimitOf(view, "cost_cap_usd");
	limits.latency = LimitOf(view, "latency_budget_ms");
	if (JsonViewGetMember(view, "summary", &summary))
	{
		limits.summary.cost = LimitOf(&summary, "cost_usd");
		limits.summary.latency = LimitOf(&summary, "latency_ms");
		limits.has_summary = limits.summary.cost && limits.summary.latency;
	}
	return limits;
}

static JsonView
IdView(const PlanIr *plan, int node)
{
	return JsonViewString(plan->nodes[node].id.str, plan->nodes[node].id.len);
}

/* Returns the side of a branch in {branch: true | false}; both sides if it is not there. */
static PlanSide
SideOf(const PlanIr *plan, int node, const JsonView *sides)
{
	Span		id = plan->nodes[node].id;
	JsonView	side;

	if (plan->nodes[node].op != PLAN_BRANCH || !JsonViewGet(sides, id.str, id.len, &side) ||
		side.type != JVIEW_BOOL)
		return PLAN_SIDE_NONE;
	return side.boolean ? PLAN_SIDE_THEN : PLAN_SIDE_ELSE;
}

static JsonView
OrderView(const PlanIr *plan, const PlanForecast *forecast, const JsonView *sides)
{
	PlanSchedule *schedule = PlanScheduleBegin(plan, forecast);
	JsonView	order = JsonViewNewArray(plan->nnodes);
	int			node;

	while ((node = PlanScheduleNext(schedule)) >= 0)
	{
		JsonViewAppend(&order, IdView(plan, node));
		PlanScheduleFinish(schedule, node, SideOf(plan, node, sides));
	}
	return order;
}

JsonView
PlanBindingsView(const PlanIr *plan)
{
	JsonView	view = JsonViewNewObject(plan->nnodes);

	for (int i = 0; i < plan->nnodes; i++)
	{
		Span		out = plan->nodes[i].out;
		JsonView	nodes;

		if (out.len == 0)
			continue;
		if (!JsonViewGet(&view, out.str, out.len, &nodes))
		{
			nodes = JsonViewNewArray(1);
			JsonViewSetKey(&view, out.str, out.len, nodes);
		}
		JsonViewAppend(&nodes, IdView(plan, i));
	}
	return view;
}

PG_FUNCTION_INFO_V1(answer_eval_plan_outline);

Datum
answer_eval_plan_outline(PG_FUNCTION_ARGS)
{
	PlanIr	   *plan = PlanArgument(fcinfo);
	JsonView	vars = ObjectArgument(fcinfo, 2, "vars");
	JsonView	given = ObjectArgument(fcinfo, 3, "limits");
	JsonView	sides = ObjectArgument(fcinfo, 4, "sides");
	PlanLimits	limits = LimitsOfView(&given);
	JsonView	measured;
	PlanForecast forecast;
	JsonView	view = JsonViewNewObject(4);

	if (JsonViewGetMember(&given, "measured", &measured) && !PlanMeasure(plan, &measured))
		MalformedArgument("limits.measured must be {tool: {p50_ms, calls}} of numbers", NULL);
	PlanForecastMake(plan, &vars, &limits, &forecast);
	JsonViewSet(&view, "order", OrderView(plan, &forecast, &sides));
	JsonViewSet(&view, "predicted", PriceView(&forecast.predicted));
	JsonViewSet(&view, "degradation", DegradationView(&forecast));
	JsonViewSet(&view, "bindings", PlanBindingsView(plan));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, true));
}
