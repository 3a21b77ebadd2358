/*-------------------------------------------------------------------------
 *
 * forecast.c
 *		Predicts what a plan will cost and how long it will take, and how it is
 *		degraded to fit its limits.
 *
 * Pure.  Rule: doc/spec/plan.md §9.
 *
 * The latency of a call is the median of the tool's measured calls, or else what its
 * spec declares.  The cost of a call is what the spec declares.
 *
 * The price of a plan is the sum of its calls.  Of a branch the more expensive side
 * counts, separately for cost and for time.  Sides nest: each node adds to the
 * innermost side that it lies on, and each branch adds the greater of its sides to
 * the side that it lies on itself.  A map counts as many calls as it has items, if
 * that is known; a retry counts as one.
 *
 * A plan over budget is degraded in this order until it fits.  Every k is halved,
 * again and again, down to 1.  Then the verifier goes breadth first, priced as if it
 * had one source.  Then a cited summary of remembered evidence replaces the plan.
 * Then the plan is refused.
 *
 * Promises: pure and exact; a degraded call never costs more than a declared one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/numbers.h"
#include "plan/forecast.h"

/* Scaled prices are rounded up to so many decimals. */
#define PRICE_DECIMALS		"12"

const char *const degradation_labels[] = {"k", "depth", "summary", "refused"};

static PlanPrice
TimesPrice(PlanPrice price, int64 n)
{
	if (n == 1)
		return price;
	return (PlanPrice) {
		NumberCall(numeric_mul, price.cost, int64_to_numeric(n)),
		NumberCall(numeric_mul, price.latency, int64_to_numeric(n))
	};
}

/*
 * Returns p * ((1 - share) * whole + share * part) / whole.  The numerator is
 * exact; only the division rounds.
 */
static Numeric
PriceScaled(Numeric p, Numeric share, int64 part, int64 whole)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		divisor = int64_to_numeric(whole);
	Numeric		kept = NumberCall(numeric_mul, NumberCall(numeric_sub, one, share), divisor);
	Numeric		weight = NumberCall(numeric_add, kept, NumberCall(numeric_mul, share, int64_to_numeric(part)));
	Numeric		scaled = NumberCall(numeric_mul, NumberCall(numeric_mul, p, weight),
									NumberOfLiteral("1e" PRICE_DECIMALS));
	Numeric		quotient;

	if (part >= whole)
		return p;
	quotient = NumberCall(numeric_div_trunc, scaled, divisor);
	if (NumberCompare(NumberCall(numeric_mul, quotient, divisor), scaled) != 0)
		quotient = NumberCall(numeric_add, quotient, one);
	return NumberMin(p, NumberCall(numeric_mul, quotient, NumberOfLiteral("1e-" PRICE_DECIMALS)));
}

PlanPrice
NodePrice(const PlanNode *node, int64 k, int64 declared_k)
{
	PlanPrice	price = NoPrice();

	if (node->tool == NULL)
		return price;
	price.cost = node->tool->cost;
	price.latency = node->tool->measured ? node->tool->measured : node->tool->latency;
	if (declared_k == 0 || k >= declared_k)
		return price;
	price.cost = PriceScaled(price.cost, node->tool->share, k, declared_k);
	price.latency = PriceScaled(price.latency, node->tool->share, k, declared_k);
	return price;
}

/* Returns the price in the spec of the node's tool. */
static PlanPrice
DeclaredPrice(const PlanNode *node)
{
	return node->tool ? (PlanPrice) {node->tool->cost, node->tool->latency} : NoPrice();
}

/* what is known before execution */

/* Returns the value of an argument if it is known: a literal, or a value of $INPUT; absent otherwise. */
static JsonView
KnownValue(const JsonView *value, const JsonView *bindings)
{
	JsonView	known = {.type = JVIEW_ABSENT};
	Reference	reference;
	const char *problem;

	if (value->type != JVIEW_STRING)
		return *value;
	if (ReferenceParse(SpanOf(value->str, value->len), &reference, &problem) != REFERENCE_VALUE)
		return *value;
	ReferenceResolve(&reference, bindings, &known);
	return known;
}

static JsonView
KnownArgument(const PlanNode *node, const char *name, const JsonView *bindings)
{
	JsonView	value = JsonViewUnder(&node->args, name);

	return KnownValue(&value, bindings);
}

static int64
CallsOf(const PlanNode *node, const JsonView *bindings)
{
	JsonView	items;

	if (node->tool == NULL)
		return 0;
	if (node->op != PLAN_MAP)
		return 1;
	items = KnownArgument(node, "items", bindings);
	return items.type == JVIEW_ARRAY ? JsonViewCount(&items) : 1;
}

/* Returns a whole number of 1 or more, or 0. */
static int64
WholeOf(const JsonView *view)
{
	Numeric		number;
	int32		whole;
	bool		is_larger;

	if (!JsonViewNumeric(view, &number))
		return 0;
	whole = numeric_int4_opt_error(number, &is_larger);
	if (is_larger || whole < 1 || NumberCompare(int64_to_numeric(whole), number) != 0)
		return 0;
	return whole;
}

/* Returns the k of a node; 0 if it has none, or it is not known. */
static int64
DeclaredK(const PlanNode *node, const JsonView *bindings)
{
	JsonView	k;

	if (node->tool == NULL || !node->tool->takes_k)
		return 0;
	if (!JsonViewGetMember(&node->args, "k", &k))
		return WholeOf(&node->tool->default_k);
	k = KnownValue(&k, bindings);
	return WholeOf(&k);
}

/* Returns how many sources a verifier gets: the number that is given, or the k of the node that finds them. */
static int64
DeclaredSources(const PlanNode *node, const NodeForecast *nodes, const JsonView *bindings)
{
	JsonView	sources;
	JsonView	known;
	Reference	reference;
	const char *problem;

	if (node->tool == NULL || !node->tool->is_verifier)
		return 0;
	JsonViewGetMember(&node->args, "sources", &sources);
	known = KnownValue(&sources, bindings);
	if (known.type == JVIEW_ARRAY)
		return JsonViewCount(&known);
	if (sources.type != JVIEW_STRING ||
		ReferenceParse(SpanOf(sources.str, sources.len), &reference, &problem) != REFERENCE_VALUE)
		return 0;
	for (int i = 0; i < node->nreads; i++)
	{
		int64		most = 0;

		if (!SpanEqual(node->reads[i].name, reference.name))
			continue;
		for (int j = 0; j < node->reads[i].nbinders; j++)
			most = Max(most, nodes[node->reads[i].binders[j]].declared_k);
		return most;
	}
	return 0;
}

/*
 * sums
 */

/* Returns the price of the plan, with the degraded or the declared price of each node. */
static PlanPrice
SumPrices(const PlanIr *plan, const NodeForecast *nodes)
{
	PlanPrice  *sides = palloc(sizeof(PlanPrice) * 2 * plan->nnodes);	/* by branch: then, else */
	PlanPrice	all = NoPrice();

	for (int i = 0; i < 2 * plan->nnodes; i++)
		sides[i] = NoPrice();
	/* backwards, so that both sides of a branch are complete when it is reached */
	for (int i = plan->nnodes - 1; i >= 0; i--)
	{
		int			node = plan->topological[i];
		PlanSide	side;
		int			branch = PlanInnermostBranch(plan, node, &side);
		PlanPrice  *sum = branch < 0 ? &all : &sides[2 * branch + (side == PLAN_SIDE_ELSE)];

		if (nodes[node].calls > 0)
			*sum = AddPrices(*sum, TimesPrice(nodes[node].price, nodes[node].calls));
		if (plan->nodes[node].op == PLAN_BRANCH)
			*sum = AddPrices(*sum, (PlanPrice) {
								NumberMax(sides[2 * node].cost, sides[2 * node + 1].cost),
								NumberMax(sides[2 * node].latency, sides[2 * node + 1].latency)
							});
	}
	pfree(sides);
	return all;
}

static bool
Fits(const PlanPrice *price, const PlanLimits *limits)
{
	return (limits->cost == NULL || NumberCompare(price->cost, limits->cost) <= 0) &&
		(limits->latency == NULL || NumberCompare(price->latency, limits->latency) <= 0);
}

/*
 * degradation
 */

static void
AddStep(PlanForecast *forecast, DegradationStep step, int64 k)
{
	/* at most 31 halvings of a k, and three more */
	if (forecast->steps == NULL)
		forecast->steps = palloc(sizeof(Degradation) * 40);
	forecast->steps[forecast->nsteps++] = (Degradation) {step, k, forecast->predicted};
}

/* Halves every k that is more than 1. Returns the greatest k after that, or 0 if there was none to halve. */
static int64
HalveAll(const PlanIr *plan, PlanForecast *forecast)
{
	int64		greatest = 0;
	bool		is_halved = false;

	for (int i = 0; i < plan->nnodes; i++)
	{
		NodeForecast *node = &forecast->nodes[i];

		if (node->k > 1)
		{
			node->k /= 2;
			node->price = NodePrice(&plan->nodes[i], node->k, node->declared_k);
			is_halved = true;
		}
		greatest = Max(greatest, node->k);
	}
	return is_halved ? greatest : 0;
}

/* Prices every verifier as if it had one source.  False if there is none. */
static bool
GoBreadthFirst(const PlanIr *plan, PlanForecast *forecast, const JsonView *bindings)
{
	for (int i = 0; i < plan->nnodes; i++)
	{
		const PlanNode *node = &plan->nodes[i];
		NodeForecast *of = &forecast->nodes[i];

		if (node->tool == NULL || !node->tool->is_verifier)
			continue;
		forecast->is_by_depth = true;
		of->price = NodePrice(node, 1, DeclaredSources(node, forecast->nodes, bindings));
	}
	return forecast->is_by_depth;
}

static void
Degrade(const PlanIr *plan, const PlanLimits *limits, const JsonView *bindings, PlanForecast *forecast)
{
	int64		k;

	while (!Fits(&forecast->predicted, limits) && (k = HalveAll(plan, forecast)) > 0)
	{
		forecast->predicted = SumPrices(plan, forecast->nodes);
		AddStep(forecast, DEGRADE_K, k);
	}
	if (!Fits(&forecast->predicted, limits) && GoBreadthFirst(plan, forecast, bindings))
	{
		forecast->predicted = SumPrices(plan, forecast->nodes);
		AddStep(forecast, DEGRADE_DEPTH, 1);
	}
	if (Fits(&forecast->predicted, limits))
		return;
	if (limits->has_summary && Fits(&limits->summary, limits))
	{
		forecast->is_summary = true;
		forecast->predicted = limits->summary;
		AddStep(forecast, DEGRADE_SUMMARY, 0);
		return;
	}
	forecast->is_refused = true;
	AddStep(forecast, DEGRADE_REFUSED, 0);
}

void
PlanForecastMake(const PlanIr *plan, const JsonView *vars, const PlanLimits *limits, PlanForecast *forecast)
{
	JsonView	bindings = JsonViewNewObject(1);

	memset(forecast, 0, sizeof(*forecast));
	if (vars->type != JVIEW_ABSENT)
		JsonViewSet(&bindings, "INPUT", *vars);
	forecast->nodes = palloc0(sizeof(NodeForecast) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		NodeForecast *node = &forecast->nodes[i];

		node->calls = CallsOf(&plan->nodes[i], &bindings);
		node->declared_k = node->k = DeclaredK(&plan->nodes[i], &bindings);
		node->declared = DeclaredPrice(&plan->nodes[i]);
		node->price = NodePrice(&plan->nodes[i], 0, 0);
	}
	forecast->predicted = SumPrices(plan, forecast->nodes);
	Degrade(plan, limits, &bindings, forecast);
}

/*
 * results
 */

JsonView
DegradationView(const PlanForecast *forecast)
{
	JsonView	view = JsonViewNewArray(forecast->nsteps);

	for (int i = 0; i < forecast->nsteps; i++)
	{
		const Degradation *step = &forecast->steps[i];
		JsonView	entry = JsonViewNewObject(2);

		JsonViewSet(&entry, "step", JsonViewCString(degradation_labels[step->step]));
		JsonViewSet(&entry, "k", step->k > 0 ? JsonViewInteger(step->k) : JsonViewNull());
		JsonViewAppend(&view, entry);
	}
	return view;
}

JsonView
PriceView(const PlanPrice *price)
{
	JsonView	view = JsonViewNewObject(2);

	JsonViewSet(&view, "latency_ms", JsonViewOfNumeric(price->latency));
	JsonViewSet(&view, "cost_usd", JsonViewOfNumeric(price->cost));
	return view;
}
