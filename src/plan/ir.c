/*-------------------------------------------------------------------------
 *
 * ir.c
 *		Parses and validates plans.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §7.
 *
 * A plan is read in three passes: the plan itself and its nodes; its edges; and, if
 * these are sound, the properties of the whole: no cycle, which names a node can
 * read, and which nodes exclude each other.  All problems are reported, each with its
 * node.
 *
 * A node lies on a side of a branch if it is executed only when that side is taken.
 * Each node has two sets of branches: those under which it can be executed if they
 * say "then", and those if they say "else", whatever all other branches say.  Both
 * are computed from the sets of its predecessors, so all branches are handled at
 * once.
 *
 * Two nodes that bind the same name must lie on different sides, so that no run
 * executes both.  Two nodes can be executed together if some way to one and some way
 * to the other never leave a branch by different sides.  This is computed for a pair
 * from the pairs of the later node's predecessors with the earlier node.
 *
 * Promises: pure; linear in nodes and edges, times a set of PLAN_MAX_NODES bits;
 * problems are returned as values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/search.h"
#include "plan/ir.h"
#include "plan/measure.h"
#include "plan/reference.h"
#include "plan/ttl.h"

const char *const plan_op_labels[] = {
	"call", "map", "reduce", "assert", "mem.read", "mem.write", "verify", "retry", "branch", NULL
};

/* What each op requires of its node. */
static const struct
{
	const char *default_tool;	/* NULL: the node must name one; "": it takes none */
	bool		needs_out;
	bool		needs_items;
}			op_rules[] =
{
	[PLAN_CALL] = {NULL, true, false},
	[PLAN_MAP] = {NULL, true, true},
	[PLAN_REDUCE] = {NULL, true, true},
	[PLAN_ASSERT] = {"", false, false},
	[PLAN_MEM_READ] = {TOOL_MEMORY, true, false},
	[PLAN_MEM_WRITE] = {TOOL_MEMORY, false, false},
	[PLAN_VERIFY] = {TOOL_VERIFY, true, false},
	[PLAN_RETRY] = {NULL, true, false},
	[PLAN_BRANCH] = {"", false, false},
};

/* Does the op take a condition, and no tool? */
#define IS_CONDITIONAL(op)	((op) == PLAN_ASSERT || (op) == PLAN_BRANCH)

/* A name with the index of what it names, for lookups in sorted arrays. */
typedef struct Named
{
	Span		name;
	int			number;
} Named;

struct PlanShape
{
	int			nids;
	Named	   *ids;			/* nodes by id */
	int			words;			/* words in a set of nodes */
	uint64	   *ancestors;		/* set by node */
	int			nbranches;
	int		   *branches;		/* by branch, in topological order: its node */
	int		   *branch_of;		/* by node: the branch that it is, or -1 */
	int			branch_words;	/* words in a set of branches */
	uint64	   *then_only;		/* by node: set of branches on whose "then" side it lies */
	uint64	   *else_only;
};

typedef struct Reader
{
	PlanIr	   *plan;
	const PlanTools *tools;
	PlanProblems *problems;
} Reader;

#define NO_NODE		((Span) {"", 0})

/*
 * sets of bits
 */

#define BITS_PER_WORD		64
#define WORDS_OF(bits)		(((bits) + BITS_PER_WORD - 1) / BITS_PER_WORD)

static inline void
AddBit(uint64 *set, int bit)
{
	set[bit / BITS_PER_WORD] |= UINT64CONST(1) << (bit % BITS_PER_WORD);
}

static inline void
RemoveBit(uint64 *set, int bit)
{
	set[bit / BITS_PER_WORD] &= ~(UINT64CONST(1) << (bit % BITS_PER_WORD));
}

static inline bool
HasBit(const uint64 *set, int bit)
{
	return (set[bit / BITS_PER_WORD] >> (bit % BITS_PER_WORD)) & 1;
}

static uint64 *
NewSets(int count, int words)
{
	return palloc0(sizeof(uint64) * (Size) Max(count, 1) * Max(words, 1));
}

/*
 * problems
 */

static void AddProblem(Reader *reader, Span node, const char *format,...) pg_attribute_printf(3, 4);

static void
AddProblem(Reader *reader, Span node, const char *format,...)
{
	PlanProblems *problems = reader->problems;
	StringInfoData text;
	va_list		args;
	int			needed;

	if (problems->count == PLAN_MAX_PROBLEMS)
		return;
	if (problems->problems == NULL)
		problems->problems = palloc(sizeof(PlanProblem) * PLAN_MAX_PROBLEMS);
	initStringInfo(&text);
	do
	{
		va_start(args, format);
		needed = appendStringInfoVA(&text, format, args);
		va_end(args);
		if (needed > 0)
			enlargeStringInfo(&text, needed);
	} while (needed > 0);
	problems->problems[problems->count++] = (PlanProblem) {node, text.data};
}

/* Adds a problem for each key of an object that is not in the list. */
static void
CheckKeys(Reader *reader, Span node, const char *where, const JsonView *object, const char *const *keys)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(object, &count);
	StringInfoData known;

	for (int i = 0; i < count; i++)
	{
		Span		key = members[i].key;

		if (SpanIsOneOf(key, keys))
			continue;
		initStringInfo(&known);
		for (int j = 0; keys[j]; j++)
			appendStringInfo(&known, "%s%s", j > 0 ? ", " : "", keys[j]);
		AddProblem(reader, node, "%s has an unknown key %s; there are %s", where, ShownText(key), known.data);
		pfree(known.data);
	}
}

static int
CompareNamed(const void *a, const void *b)
{
	int			cmp = SpanOrder(((const Named *) a)->name, ((const Named *) b)->name);

	return cmp != 0 ? cmp : ((const Named *) a)->number - ((const Named *) b)->number;
}

/* Returns the first index in a sorted array whose name is not before this one. */
static int
FindNamed(const Named *names, int count, Span name)
{
	int			low = 0;

	FIRST_PLACE(low, count, at, SpanOrder(names[at].name, name) < 0);
	return low;
}

/*
 * tools
 */

bool
AmountOfView(const JsonView *view, Numeric *amount)
{
	JsonView	number = *view;

	if (view->type == JVIEW_STRING && !JsonViewNumberOfPortable(view, &number))
		return false;
	return JsonViewNumeric(&number, amount) && NumberCompare(*amount, int64_to_numeric(0)) >= 0;
}

static Numeric
AmountOf(const JsonView *object, const char *key)
{
	JsonView	view;
	Numeric		amount;

	if (JsonViewGetMember(object, key, &view) && AmountOfView(&view, &amount))
		return amount;
	return int64_to_numeric(0);
}

/* Is a property of a type? It is a type itself, or has a member "type". */
static bool
IsOfType(const JsonView *property, const char *type)
{
	JsonView	view;

	if (property->type == JVIEW_STRING)
		return JsonViewStringIs(property, type);
	return JsonViewGetMember(property, "type", &view) && JsonViewStringIs(&view, type);
}

static void
ReadInterface(const JsonView *spec, PlanTool *tool)
{
	JsonView	io = JsonViewUnder(spec, "io");
	JsonView	input = JsonViewUnder(&io, "input");
	JsonView	output = JsonViewUnder(&io, "output");
	JsonView	view;

	tool->takes_k = JsonViewGetMember(&input, "k", &view);
	JsonViewGetMember(&view, "default", &tool->default_k);
	if (output.type != JVIEW_OBJECT || JsonViewCount(&output) != 1)
		return;
	view = JsonViewMember(&output, 0, &tool->output);
	tool->is_verifier = IsOfType(&view, "Evidence") && JsonViewGetMember(&input, "sources", &view);
}

static void
ReadCapabilities(const JsonView *spec, PlanTool *tool)
{
	JsonView	array = JsonViewUnder(spec, "capabilities");
	int			count;

	count = array.type == JVIEW_ARRAY ? JsonViewCount(&array) : 0;
	tool->capabilities = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		JsonView	view = JsonViewAt(&array, i);

		if (view.type == JVIEW_STRING)
			tool->capabilities[tool->ncapabilities++] = SpanOf(view.str, view.len);
	}
}

PlanTools *
PlanToolsOfSpecs(const JsonView *specs)
{
	PlanTools  *tools = palloc0(sizeof(PlanTools));
	JsonMember *members;

	if (specs->type != JVIEW_OBJECT)
		return tools;
	members = JsonViewSortedMembers(specs, &tools->count);
	tools->tools = palloc0(sizeof(PlanTool) * (Size) Max(tools->count, 1));
	for (int i = 0; i < tools->count; i++)
	{
		const JsonView *spec = &members[i].value;
		PlanTool   *tool = &tools->tools[i];
		JsonView	constraints = JsonViewUnder(spec, "constraints");

		CHECK_FOR_INTERRUPTS();
		tool->name = members[i].key;
		tool->cost = AmountOf(&constraints, "cost_per_call_usd");
		tool->latency = AmountOf(&constraints, "latency_p50_ms");
		tool->share = NumberMin(AmountOf(&constraints, "per_item_share"), int64_to_numeric(1));
		tool->is_external = JsonViewMemberIsTrue(spec, "external");
		tool->has_side_effects = JsonViewMemberIsTrue(&constraints, "side_effects");
		ReadInterface(spec, tool);
		ReadCapabilities(spec, tool);
	}
	return tools;
}

static const PlanTool *
FindTool(const PlanTools *tools, Span name)
{
	int			low = 0;

	FIRST_PLACE(low, tools->count, at, SpanOrder(tools->tools[at].name, name) < 0);
	return low < tools->count && SpanEqual(tools->tools[low].name, name) ? &tools->tools[low] : NULL;
}

/* Returns the tool with a capability that is the cheapest, then the fastest, then the first by name. */
static const PlanTool *
FindCapable(const PlanTools *tools, Span capability)
{
	const PlanTool *best = NULL;

	for (int i = 0; i < tools->count; i++)
	{
		const PlanTool *tool = &tools->tools[i];
		int			cmp;

		if (!SpanIsIn(capability, tool->capabilities, tool->ncapabilities))
			continue;
		cmp = best ? NumberCompare(tool->cost, best->cost) : -1;
		if (cmp < 0 || (cmp == 0 && NumberCompare(tool->latency, best->latency) < 0))
			best = tool;
	}
	return best;
}

/*
 * the plan itself
 */

static void
ReadBudget(Reader *reader, const JsonView *signals, const char *key, Numeric *budget)
{
	JsonView	view;

	if (JsonViewGetMember(signals, key, &view) && !AmountOfView(&view, budget))
		AddProblem(reader, NO_NODE, "signals.%s must be a number of 0 or more, and is %s", key, ShownValue(&view));
}

static void
ReadSignals(Reader *reader, const JsonView *view)
{
	static const char *const keys[] = {"latency_budget_ms", "cost_cap_usd", "risk", "regulated", NULL};
	PlanIr	   *plan = reader->plan;
	JsonView	signals;
	JsonView	member;

	if (!JsonViewGetMember(view, "signals", &signals))
		return;
	if (signals.type != JVIEW_OBJECT)
	{
		AddProblem(reader, NO_NODE, "signals must be an object, and is %s", ShownValue(&signals));
		return;
	}
	CheckKeys(reader, NO_NODE, "signals", &signals, keys);
	ReadBudget(reader, &signals, "latency_budget_ms", &plan->latency_budget);
	ReadBudget(reader, &signals, "cost_cap_usd", &plan->cost_cap);
	if (JsonViewGetMember(&signals, "risk", &member))
	{
		if (!JsonViewStringIs(&member, "low") && !JsonViewStringIs(&member, "medium") &&
			!JsonViewStringIs(&member, "high"))
			AddProblem(reader, NO_NODE, "signals.risk must be low, medium or high, and is %s", ShownValue(&member));
		else
			plan->risk = SpanOf(member.str, member.len);
	}
	if (JsonViewGetMember(&signals, "regulated", &member))
	{
		if (member.type != JVIEW_BOOL)
			AddProblem(reader, NO_NODE, "signals.regulated must be true or false, and is %s", ShownValue(&member));
		plan->is_regulated = member.type == JVIEW_BOOL && member.boolean;
	}
}

/* Reads a whole number of 0 or more. A number beyond an int becomes one that is too large for any plan. */
static bool
CountOfView(const JsonView *view, int *count)
{
	Numeric		number;
	bool		is_larger;

	if (!JsonViewNumeric(view, &number) || NumberCompare(number, int64_to_numeric(0)) < 0 ||
		NumberCompare(NumberCall(numeric_mod, number, int64_to_numeric(1)), int64_to_numeric(0)) != 0)
		return false;
	*count = numeric_int4_opt_error(number, &is_larger);
	if (is_larger)
		*count = PG_INT32_MAX;
	return true;
}

static void
ReadStopConditions(Reader *reader, const JsonView *view)
{
	static const char *const keys[] = {"max_nodes", NULL};
	JsonView	object;
	JsonView	member;
	int			most;

	if (!JsonViewGetMember(view, "stop_conditions", &object))
		return;
	if (object.type != JVIEW_OBJECT)
	{
		AddProblem(reader, NO_NODE, "stop_conditions must be an object, and is %s", ShownValue(&object));
		return;
	}
	CheckKeys(reader, NO_NODE, "stop_conditions", &object, keys);
	if (!JsonViewGetMember(&object, "max_nodes", &member))
		return;
	if (!CountOfView(&member, &most))
		AddProblem(reader, NO_NODE, "stop_conditions.max_nodes must be a whole number of 0 or more, and is %s",
				   ShownValue(&member));
	else if (JsonViewGetMember(view, "nodes", &member) && member.type == JVIEW_ARRAY &&
			 JsonViewCount(&member) > most)
		AddProblem(reader, NO_NODE, "there are %d nodes, and stop_conditions.max_nodes is %d",
				   JsonViewCount(&member), most);
}

static void
ReadHead(Reader *reader, const JsonView *view)
{
	static const char *const keys[] = {
		"plan_id", "intent", "signals", "nodes", "edges", "stop_conditions", NULL
	};
	PlanIr	   *plan = reader->plan;
	JsonView	member = JsonViewUnder(view, "plan_id");

	CheckKeys(reader, NO_NODE, "the plan", view, keys);
	if (member.type != JVIEW_STRING || member.len == 0 ||
		SpanCharacters(SpanOf(member.str, member.len)) > PLAN_MAX_ID_LENGTH)
		AddProblem(reader, NO_NODE, "plan_id must be a string of 1 to %d characters, and is %s",
				   PLAN_MAX_ID_LENGTH, ShownValue(&member));
	else
		plan->plan_id = SpanOf(member.str, member.len);
	if (JsonViewGetMember(view, "intent", &member))
	{
		if (member.type != JVIEW_STRING || member.len == 0)
			AddProblem(reader, NO_NODE, "intent must be a string that is not empty, and is %s", ShownValue(&member));
		else
			plan->intent = SpanOf(member.str, member.len);
	}
	ReadSignals(reader, view);
	ReadStopConditions(reader, view);
}

/*
 * nodes
 */

/* Reads the op; false if it is not valid in a plan. */
static bool
ReadOp(Reader *reader, const JsonView *view, PlanNode *node)
{
	JsonView	member = JsonViewUnder(view, "op");

	for (int op = 0; plan_op_labels[op]; op++)
	{
		node->op = (PlanOp) op;
		if (JsonViewStringIs(&member, plan_op_labels[op]))
			return true;
	}
	node->op = PLAN_CALL;
	if (JsonViewStringIs(&member, "spawn"))
		AddProblem(reader, node->id, "op spawn is not supported: a plan starts no other plan; register it and execute it with a request of its own");
	else
		AddProblem(reader, node->id, "op must be one of call, map, reduce, assert, mem.read, mem.write, verify, retry and branch, and is %s",
				   ShownValue(&member));
	return false;
}

/*
 * Reads the tool that a node names by "tool" or "capability"; absent if it names
 * none.  Returns false after a problem.
 */
static bool
ReadToolName(Reader *reader, const JsonView *view, PlanNode *node, JsonView *tool, JsonView *capability)
{
	bool		has_tool = JsonViewGetMember(view, "tool", tool);
	bool		has_capability = JsonViewGetMember(view, "capability", capability);

	if (has_tool && has_capability)
		AddProblem(reader, node->id, "tool and capability exclude each other");
	else if (has_tool && tool->type != JVIEW_STRING)
		AddProblem(reader, node->id, "tool must be a string, and is %s", ShownValue(tool));
	else if (has_capability && capability->type != JVIEW_STRING)
		AddProblem(reader, node->id, "capability must be a string, and is %s", ShownValue(capability));
	else
		return true;
	return false;
}

static void
ReadTool(Reader *reader, const JsonView *view, PlanNode *node)
{
	const char *by_default = op_rules[node->op].default_tool;
	const char *op = plan_op_labels[node->op];
	JsonView	tool;
	JsonView	capability;

	if (!ReadToolName(reader, view, node, &tool, &capability))
		return;
	if (IS_CONDITIONAL(node->op))
	{
		if (tool.type != JVIEW_ABSENT || capability.type != JVIEW_ABSENT)
			AddProblem(reader, node->id, "op %s takes no tool and no capability", op);
		return;
	}
	if (capability.type == JVIEW_STRING)
	{
		node->tool = FindCapable(reader->tools, SpanOf(capability.str, capability.len));
		if (node->tool == NULL)
			AddProblem(reader, node->id, "no tool has the capability %s", ShownValue(&capability));
		return;
	}
	if (tool.type == JVIEW_ABSENT && by_default == NULL)
	{
		AddProblem(reader, node->id, "op %s needs a tool or a capability", op);
		return;
	}
	if (tool.type == JVIEW_ABSENT)
		tool = JsonViewCString(by_default);
	node->tool = FindTool(reader->tools, SpanOf(tool.str, tool.len));
	if (node->tool == NULL)
		AddProblem(reader, node->id, "there is no tool %s", ShownValue(&tool));
}

static void
ReadOut(Reader *reader, const JsonView *view, PlanNode *node)
{
	JsonView	out;
	Span		name;

	if (!JsonViewGetMember(view, "out", &out))
	{
		if (op_rules[node->op].needs_out)
			AddProblem(reader, node->id, "op %s needs out, the name that its result is bound to",
					   plan_op_labels[node->op]);
		return;
	}
	name = out.type == JVIEW_STRING ? SpanOf(out.str, out.len) : NO_NODE;
	if (!IsBindingName(name))
		AddProblem(reader, node->id, "out must be a name of letters, digits and _ that begins with no digit, and is %s",
				   ShownValue(&out));
	else if (IsReservedBinding(name))
		AddProblem(reader, node->id, "out must not be INPUT, item or index, and is %s", ShownValue(&out));
	else
		node->out = name;
}

static void
ReadCondition(Reader *reader, const JsonView *view, PlanNode *node)
{
	JsonView	text;
	const char *problem;
	bool		is_there = JsonViewGetMember(view, "if", &text);

	if (!IS_CONDITIONAL(node->op))
	{
		if (is_there)
			AddProblem(reader, node->id, "only assert and branch take if, and the op is %s",
					   plan_op_labels[node->op]);
		return;
	}
	if (text.type != JVIEW_STRING)
	{
		AddProblem(reader, node->id, "op %s needs if, a condition, which is %s", plan_op_labels[node->op],
				   ShownValue(&text));
		return;
	}
	node->condition_text = SpanOf(text.str, text.len);
	node->condition = ConditionParse(node->condition_text, &problem);
	if (node->condition == NULL)
		AddProblem(reader, node->id, "if %s", problem);
}

/* Is this string a reference, whose value is not known yet? */
static bool
IsReference(const JsonView *view)
{
	Reference	reference;
	const char *problem;

	return view->type == JVIEW_STRING &&
		ReferenceParse(SpanOf(view->str, view->len), &reference, &problem) == REFERENCE_VALUE;
}

static void
CheckItems(Reader *reader, const PlanNode *node)
{
	JsonView	items = JsonViewUnder(&node->args, "items");

	if (items.type == JVIEW_ARRAY && JsonViewCount(&items) > PLAN_MAX_ITEMS)
		AddProblem(reader, node->id, "args.items has %d items, and at most %d are allowed",
				   JsonViewCount(&items), PLAN_MAX_ITEMS);
	else if (items.type != JVIEW_ARRAY && !IsReference(&items))
		AddProblem(reader, node->id, "args.items must be an array or a reference to one, and is %s", ShownValue(&items));
}

static void
CheckMemory(Reader *reader, const PlanNode *node)
{
	JsonView	member = JsonViewUnder(&node->args, "provenance");
	const char *problem;
	int64		seconds;

	if (node->op == PLAN_MEM_WRITE && (member.type == JVIEW_ABSENT || member.type == JVIEW_NULL))
		AddProblem(reader, node->id, "args.provenance must be a reference to evidence, and is %s", ShownValue(&member));
	if (!JsonViewGetMember(&node->args, "ttl", &member) || member.type == JVIEW_NULL || IsReference(&member))
		return;
	if (member.type != JVIEW_STRING)
		problem = "must be a string";
	else
		problem = TtlParse(SpanOf(member.str, member.len), &seconds);
	if (problem)
		AddProblem(reader, node->id, "args.ttl %s, and is %s", problem, ShownValue(&member));
}

static void
ReadArgs(Reader *reader, const JsonView *view, PlanNode *node)
{
	JsonView	args;

	node->args = JsonViewNewObject(0);
	if (JsonViewGetMember(view, "args", &args) && args.type != JVIEW_OBJECT)
	{
		AddProblem(reader, node->id, "args must be an object, and is %s", ShownValue(&args));
		return;
	}
	if (args.type == JVIEW_OBJECT)
		node->args = args;
	if (IS_CONDITIONAL(node->op) && JsonViewCount(&node->args) > 0)
		AddProblem(reader, node->id, "op %s takes no args", plan_op_labels[node->op]);
	if (op_rules[node->op].needs_items)
		CheckItems(reader, node);
	if (node->op == PLAN_MEM_READ || node->op == PLAN_MEM_WRITE)
		CheckMemory(reader, node);
}

static void
ReadNode(Reader *reader, const JsonView *view, int index)
{
	static const char *const keys[] = {"id", "op", "tool", "capability", "args", "out", "if", NULL};
	PlanNode   *node = &reader->plan->nodes[index];
	JsonView	id;

	node->id = NO_NODE;
	node->args = JsonViewNewObject(0);
	if (view->type != JVIEW_OBJECT)
	{
		AddProblem(reader, NO_NODE, "nodes[%d] must be an object, and is %s", index, ShownValue(view));
		return;
	}
	JsonViewGetMember(view, "id", &id);
	if (id.type != JVIEW_STRING || id.len == 0)
		AddProblem(reader, NO_NODE, "nodes[%d].id must be a string that is not empty, and is %s", index, ShownValue(&id));
	/* each event contains it */
	else if (SpanCharacters(SpanOf(id.str, id.len)) > PLAN_MAX_ID_LENGTH)
		AddProblem(reader, NO_NODE, "nodes[%d].id must be a string of 1 to %d characters, and is %s", index,
				   PLAN_MAX_ID_LENGTH, ShownValue(&id));
	else
		node->id = SpanOf(id.str, id.len);
	CheckKeys(reader, node->id, "the node", view, keys);
	if (!ReadOp(reader, view, node))
		return;
	ReadTool(reader, view, node);
	ReadArgs(reader, view, node);
	ReadOut(reader, view, node);
	ReadCondition(reader, view, node);
}

/* Sorts the nodes by id. Adds a problem for each id that an earlier node has. */
static void
IndexNodes(Reader *reader)
{
	PlanIr	   *plan = reader->plan;
	PlanShape  *shape = plan->shape;

	shape->ids = palloc(sizeof(Named) * Max(plan->nnodes, 1));
	for (int i = 0; i < plan->nnodes; i++)
	{
		if (plan->nodes[i].id.len > 0)
			shape->ids[shape->nids++] = (Named) {plan->nodes[i].id, i};
	}
	qsort(shape->ids, shape->nids, sizeof(Named), CompareNamed);
	for (int i = 1; i < shape->nids; i++)
	{
		if (SpanEqual(shape->ids[i].name, shape->ids[i - 1].name))
			AddProblem(reader, shape->ids[i].name, "nodes[%d].id is that of an earlier node", shape->ids[i].number);
	}
}

static void
ReadNodes(Reader *reader, const JsonView *view)
{
	PlanIr	   *plan = reader->plan;
	JsonView	nodes = JsonViewUnder(view, "nodes");
	JsonView	node;

	if (nodes.type != JVIEW_ARRAY || JsonViewCount(&nodes) == 0 || JsonViewCount(&nodes) > PLAN_MAX_NODES)
	{
		AddProblem(reader, NO_NODE, "nodes must be an array of 1 to %d nodes, and is %s", PLAN_MAX_NODES, ShownValue(&nodes));
		return;
	}
	plan->nnodes = JsonViewCount(&nodes);
	plan->nodes = palloc0(sizeof(PlanNode) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&nodes, i, &node);
		ReadNode(reader, &node, i);
	}
	IndexNodes(reader);
}

/*
 * edges
 */

int
PlanFindNode(const PlanIr *plan, Span id)
{
	const PlanShape *shape = plan->shape;
	int			at = FindNamed(shape->ids, shape->nids, id);

	return at < shape->nids && SpanEqual(shape->ids[at].name, id) ? shape->ids[at].number : -1;
}

/* Returns the node at one end of an edge, or -1 after a problem. */
static int
ReadEnd(Reader *reader, int index, const char *end, const JsonView *view)
{
	int			node = -1;

	if (view->type == JVIEW_STRING)
		node = PlanFindNode(reader->plan, SpanOf(view->str, view->len));
	if (node < 0)
		AddProblem(reader, NO_NODE, "edges[%d].%s must be the id of a node, and is %s", index, end, ShownValue(view));
	return node;
}

static void
ReadLabel(Reader *reader, int index, const JsonView *label, PlanEdge *edge)
{
	const PlanNode *from = &reader->plan->nodes[edge->from];

	edge->side = PLAN_SIDE_NONE;
	if (JsonViewStringIs(label, "then"))
		edge->side = PLAN_SIDE_THEN;
	else if (JsonViewStringIs(label, "else"))
		edge->side = PLAN_SIDE_ELSE;
	if (from->op == PLAN_BRANCH && edge->side == PLAN_SIDE_NONE)
		AddProblem(reader, from->id, "edges[%d] leaves a branch; its label must be then or else, and is %s",
				   index, ShownValue(label));
	if (from->op != PLAN_BRANCH && label->type != JVIEW_ABSENT)
		AddProblem(reader, from->id, "edges[%d] leaves no branch, and has a label", index);
}

/* Reads [a, b] or {from, to, label}. Returns false if it does not join two nodes. */
static bool
ReadEdge(Reader *reader, const JsonView *view, int index, PlanEdge *edge)
{
	static const char *const keys[] = {"from", "to", "label", NULL};
	JsonView	from;
	JsonView	to;
	JsonView	label = {.type = JVIEW_ABSENT};

	if (view->type == JVIEW_ARRAY && JsonViewCount(view) == 2)
	{
		JsonViewElement(view, 0, &from);
		JsonViewElement(view, 1, &to);
	}
	else if (view->type == JVIEW_OBJECT)
	{
		CheckKeys(reader, NO_NODE, psprintf("edges[%d]", index), view, keys);
		JsonViewGetMember(view, "from", &from);
		JsonViewGetMember(view, "to", &to);
		JsonViewGetMember(view, "label", &label);
	}
	else
	{
		AddProblem(reader, NO_NODE, "edges[%d] must be [from, to] or {from, to, label}, and is %s", index, ShownValue(view));
		return false;
	}
	edge->from = ReadEnd(reader, index, "from", &from);
	edge->to = ReadEnd(reader, index, "to", &to);
	if (edge->from < 0 || edge->to < 0)
		return false;
	ReadLabel(reader, index, &label, edge);
	if (edge->from == edge->to)
		AddProblem(reader, reader->plan->nodes[edge->from].id, "edges[%d] leads from a node to itself", index);
	return edge->from != edge->to;
}

static int
CompareEdges(const void *a, const void *b)
{
	const PlanEdge *left = *(const PlanEdge *const *) a;
	const PlanEdge *right = *(const PlanEdge *const *) b;

	if (left->from != right->from)
		return left->from - right->from;
	if (left->to != right->to)
		return left->to - right->to;
	if (left->side != right->side)
		return (int) left->side - (int) right->side;
	return (left > right) - (left < right);
}

static void
FindRepeatedEdges(Reader *reader)
{
	PlanIr	   *plan = reader->plan;
	const PlanEdge **sorted = palloc(sizeof(PlanEdge *) * Max(plan->nedges, 1));

	for (int i = 0; i < plan->nedges; i++)
		sorted[i] = &plan->edges[i];
	qsort(sorted, plan->nedges, sizeof(PlanEdge *), CompareEdges);
	for (int i = 1; i < plan->nedges; i++)
	{
		const PlanEdge *edge = sorted[i];

		if (edge->from == sorted[i - 1]->from && edge->to == sorted[i - 1]->to &&
			edge->side == sorted[i - 1]->side)
			AddProblem(reader, plan->nodes[edge->from].id, "there is more than one edge to %s",
					   ShownText(plan->nodes[edge->to].id));
	}
	pfree(sorted);
}

/* Sets the edges of each node. */
static void
JoinEdges(PlanIr *plan)
{
	int		   *room = palloc(sizeof(int) * 2 * Max(plan->nedges, 1));

	for (int i = 0; i < plan->nedges; i++)
	{
		plan->nodes[plan->edges[i].from].nout++;
		plan->nodes[plan->edges[i].to].nin++;
	}
	for (int i = 0; i < plan->nnodes; i++)
	{
		PlanNode   *node = &plan->nodes[i];

		node->in = room;
		node->onward = room + node->nin;
		room += node->nin + node->nout;
		node->nin = node->nout = 0;
	}
	for (int i = 0; i < plan->nedges; i++)
	{
		PlanNode   *from = &plan->nodes[plan->edges[i].from];
		PlanNode   *to = &plan->nodes[plan->edges[i].to];

		from->onward[from->nout++] = i;
		to->in[to->nin++] = i;
	}
}

static void
ReadEdges(Reader *reader, const JsonView *view)
{
	PlanIr	   *plan = reader->plan;
	JsonView	edges;
	JsonView	edge;
	int			count;

	if (JsonViewGetMember(view, "edges", &edges) &&
		(edges.type != JVIEW_ARRAY || JsonViewCount(&edges) > PLAN_MAX_EDGES))
	{
		AddProblem(reader, NO_NODE, "edges must be an array of at most %d edges, and is %s", PLAN_MAX_EDGES, ShownValue(&edges));
		return;
	}
	count = JsonViewCount(&edges);
	plan->edges = palloc(sizeof(PlanEdge) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&edges, i, &edge);
		if (ReadEdge(reader, &edge, i, &plan->edges[plan->nedges]))
			plan->nedges++;
	}
	FindRepeatedEdges(reader);
	JoinEdges(plan);
}

/*
 * order and ancestors
 */

/* Reports one cycle: walks back from a node that still waits, always to a predecessor that still waits. */
static void
ReportCycle(Reader *reader, const int *waits)
{
	PlanIr	   *plan = reader->plan;
	int		   *place = palloc0(sizeof(int) * plan->nnodes);	/* position on the way back, from 1 */
	int		   *way = palloc(sizeof(int) * (plan->nnodes + 1));
	int			length = 0;
	int			node = 0;
	StringInfoData text;

	while (waits[node] == 0)
		node++;
	while (place[node] == 0)
	{
		way[length++] = node;
		place[node] = length;
		for (int i = 0; i < plan->nodes[node].nin; i++)
		{
			int			from = plan->edges[plan->nodes[node].in[i]].from;

			if (waits[from] == 0)
				continue;
			node = from;
			break;
		}
	}
	initStringInfo(&text);
	appendStringInfoString(&text, ShownText(plan->nodes[node].id));
	for (int i = length; i >= place[node]; i--)
		appendStringInfo(&text, ", %s", ShownText(plan->nodes[way[i - 1]].id));
	AddProblem(reader, plan->nodes[node].id, "the edges form a cycle: %s", text.data);
}

/* Sorts the nodes topologically. Returns false and adds a problem if there is a cycle. */
static bool
OrderNodes(Reader *reader)
{
	PlanIr	   *plan = reader->plan;
	int		   *waits = palloc(sizeof(int) * plan->nnodes);	/* number of predecessors that are not sorted yet */
	int			ordered = 0;

	plan->topological = palloc(sizeof(int) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		waits[i] = plan->nodes[i].nin;
		if (waits[i] == 0)
			plan->topological[ordered++] = i;
	}
	for (int i = 0; i < ordered; i++)
	{
		const PlanNode *node = &plan->nodes[plan->topological[i]];

		for (int j = 0; j < node->nout; j++)
		{
			int			to = plan->edges[node->onward[j]].to;

			if (--waits[to] == 0)
				plan->topological[ordered++] = to;
		}
	}
	if (ordered == plan->nnodes)
		return true;
	ReportCycle(reader, waits);
	return false;
}

static void
FindAncestors(PlanIr *plan)
{
	PlanShape  *shape = plan->shape;

	shape->words = WORDS_OF(plan->nnodes);
	shape->ancestors = NewSets(plan->nnodes, shape->words);
	for (int i = 0; i < plan->nnodes; i++)
	{
		int			to = plan->topological[i];
		const PlanNode *node = &plan->nodes[to];
		uint64	   *set = shape->ancestors + (Size) to * shape->words;

		for (int j = 0; j < node->nin; j++)
		{
			int			from = plan->edges[node->in[j]].from;
			const uint64 *theirs = shape->ancestors + (Size) from * shape->words;

			for (int w = 0; w < shape->words; w++)
				set[w] |= theirs[w];
			AddBit(set, from);
		}
	}
}

/*
 * sides of branches
 */

static void
NumberBranches(PlanIr *plan)
{
	PlanShape  *shape = plan->shape;

	shape->branches = palloc(sizeof(int) * plan->nnodes);
	shape->branch_of = palloc(sizeof(int) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		int			node = plan->topological[i];

		shape->branch_of[node] = -1;
		if (plan->nodes[node].op != PLAN_BRANCH)
			continue;
		shape->branch_of[node] = shape->nbranches;
		shape->branches[shape->nbranches++] = node;
	}
	shape->branch_words = WORDS_OF(shape->nbranches);
}

/* Adds to a node's set what reaches it over an edge; "shut" is the side that its branch does not take. */
static void
ComeOver(const PlanIr *plan, const PlanEdge *edge, uint64 *sets, PlanSide shut)
{
	const PlanShape *shape = plan->shape;
	uint64	   *to = sets + (Size) edge->to * shape->branch_words;
	const uint64 *from = sets + (Size) edge->from * shape->branch_words;
	int			branch = shape->branch_of[edge->from];
	bool		had = branch >= 0 && HasBit(to, branch);

	for (int w = 0; w < shape->branch_words; w++)
		to[w] |= from[w];
	if (branch >= 0 && edge->side == shut && !had)
		RemoveBit(to, branch);
}

/*
 * Finds, for each node, the branches under which it can be executed if all of them
 * say "then", and likewise "else".  A branch in only one of the two sets has the
 * node on that side.
 */
static void
FindSides(PlanIr *plan)
{
	PlanShape  *shape = plan->shape;
	Size		words = (Size) plan->nnodes * shape->branch_words;
	uint64	   *on_then = NewSets(plan->nnodes, shape->branch_words);
	uint64	   *on_else = NewSets(plan->nnodes, shape->branch_words);

	for (int i = 0; i < plan->nnodes; i++)
	{
		int			to = plan->topological[i];
		const PlanNode *node = &plan->nodes[to];

		for (int j = 0; j < node->nin; j++)
		{
			ComeOver(plan, &plan->edges[node->in[j]], on_then, PLAN_SIDE_ELSE);
			ComeOver(plan, &plan->edges[node->in[j]], on_else, PLAN_SIDE_THEN);
		}
		for (int w = 0; node->nin == 0 && w < shape->branch_words; w++)
			on_then[(Size) to * shape->branch_words + w] =
				on_else[(Size) to * shape->branch_words + w] = ~UINT64CONST(0);
	}
	shape->then_only = on_then;
	shape->else_only = on_else;
	for (Size w = 0; w < words; w++)
	{
		uint64		both = on_then[w] & on_else[w];

		on_then[w] &= ~both;
		on_else[w] &= ~both;
	}
}

/*
 * Branches are numbered in topological order.  Every way to a node passes all
 * branches on whose sides it lies, so the last of them is the innermost.
 */
int
PlanInnermostBranch(const PlanIr *plan, int node, PlanSide *side)
{
	const PlanShape *shape = plan->shape;
	Size		at = (Size) node * shape->branch_words;

	*side = PLAN_SIDE_NONE;
	for (int w = shape->branch_words - 1; w >= 0; w--)
	{
		uint64		set = shape->then_only[at + w] | shape->else_only[at + w];
		int			bit;

		if (set == 0)
			continue;
		bit = pg_leftmost_one_pos64(set);
		*side = (shape->then_only[at + w] >> bit) & 1 ? PLAN_SIDE_THEN : PLAN_SIDE_ELSE;
		return shape->branches[w * BITS_PER_WORD + bit];
	}
	return -1;
}

/*
 * names
 */

/* The names that a node reads, in order of appearance. */
typedef struct Names
{
	int			count;
	int			capacity;
	Span	   *names;
	bool		has_item;		/* are item and index bound here? */
} Names;

static void
AddName(void *receiver, const Reference *reference)
{
	Names	   *names = receiver;

	if (names->has_item && IsReservedBinding(reference->name))
		return;
	GROW_ARRAY(names->names, names->count, names->capacity, 8);
	names->names[names->count++] = reference->name;
}

/* Collects the names that a node reads, each once, by code point. */
static void
CollectNames(Reader *reader, const PlanNode *node, Names *names)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(&node->args, &count);
	const Reference *references;
	BindingProblem problem;
	int			kept = 0;

	for (int i = 0; i < count; i++)
	{
		names->has_item = node->op == PLAN_MAP &&
			!SpanEqualCString(members[i].key, "items");
		if (!ReferencesEach(&members[i].value, AddName, names, &problem))
			AddProblem(reader, node->id, "args: reference %s %s", ShownText(problem.reference), problem.problem);
	}
	names->has_item = false;
	references = node->condition ? ConditionReferences(node->condition, &count) : NULL;
	for (int i = 0; references && i < count; i++)
		AddName(names, &references[i]);
	if (names->count > 0)
		qsort(names->names, names->count, sizeof(Span), SpanOrderItems);
	for (int i = 0; i < names->count; i++)
	{
		if (i == 0 || !SpanEqual(names->names[i], names->names[kept - 1]))
			names->names[kept++] = names->names[i];
	}
	names->count = kept;
}

/* All names that nodes bind, sorted, with their nodes. */
typedef struct Binders
{
	int			count;
	Named	   *names;
} Binders;

static Binders
CollectBinders(const PlanIr *plan)
{
	Binders		binders = {.names = palloc(sizeof(Named) * plan->nnodes)};

	for (int i = 0; i < plan->nnodes; i++)
	{
		if (plan->nodes[i].out.len > 0)
			binders.names[binders.count++] = (Named) {plan->nodes[i].out, i};
	}
	qsort(binders.names, binders.count, sizeof(Named), CompareNamed);
	return binders;
}

/* Finds the nodes that bind a name for a node, and reports a problem if there are none. */
static void
ResolveName(Reader *reader, int at, Span name, const Binders *binders, PlanRead *read)
{
	const PlanIr *plan = reader->plan;
	const uint64 *ancestors = plan->shape->ancestors + (Size) at * plan->shape->words;
	int			first = FindNamed(binders->names, binders->count, name);
	int			end = first;

	read->name = name;
	while (end < binders->count && SpanEqual(binders->names[end].name, name))
		end++;
	read->binders = palloc(sizeof(int) * Max(end - first, 1));
	for (int i = first; i < end; i++)
	{
		if (HasBit(ancestors, binders->names[i].number))
			read->binders[read->nbinders++] = binders->names[i].number;
	}
	if (read->nbinders > 0 || SpanEqualCString(name, "INPUT"))
		return;
	if (IsReservedBinding(name))
		AddProblem(reader, plan->nodes[at].id, "$%.*s is bound only within a map, beside items", name.len, name.str);
	else if (first == end)
		AddProblem(reader, plan->nodes[at].id, "no node binds $%.*s", name.len, name.str);
	else
		AddProblem(reader, plan->nodes[at].id, "$%.*s is bound by %s, from which no edge leads here",
				   name.len, name.str, ShownText(plan->nodes[binders->names[first].number].id));
}

static void
ResolveNames(Reader *reader, const Binders *binders)
{
	PlanIr	   *plan = reader->plan;

	for (int i = 0; i < plan->nnodes; i++)
	{
		PlanNode   *node = &plan->nodes[i];
		Names		names = {0};

		CHECK_FOR_INTERRUPTS();
		CollectNames(reader, node, &names);
		node->nreads = names.count;
		node->reads = palloc0(sizeof(PlanRead) * (Size) Max(names.count, 1));
		for (int j = 0; j < names.count; j++)
			ResolveName(reader, i, names.names[j], binders, &node->reads[j]);
		if (names.names)
			pfree(names.names);
	}
}

/*
 * Which nodes can be executed together.  A place is a node, or a side of a branch.
 * Places are numbered in topological order, with the two sides right after their
 * branch.
 */
typedef struct Together
{
	int			nplaces;
	int			words;			/* words in a set of places */
	uint64	   *sets;			/* by place */
	int		   *place_of;		/* by node; the sides of a branch are the next two places */
} Together;

/* Adds to place number nplaces everything that a predecessor can be executed with. */
static void
AddPlaceBehind(Together *together, int predecessor)
{
	uint64	   *set = together->sets + (Size) together->nplaces * together->words;
	const uint64 *theirs = together->sets + (Size) predecessor * together->words;

	for (int w = 0; w < together->words; w++)
		set[w] |= theirs[w];
	AddBit(set, predecessor);
}

/* Completes place number nplaces: adds it to the sets of the others. */
static void
EndPlace(Together *together)
{
	int			place = together->nplaces++;
	const uint64 *set = together->sets + (Size) place * together->words;

	for (int other = 0; other < place; other++)
	{
		if (HasBit(set, other))
			AddBit(together->sets + (Size) other * together->words, place);
	}
}

/* Returns the place from which an edge comes. */
static int
PlaceBefore(const PlanIr *plan, const Together *together, const PlanEdge *edge)
{
	int			place = together->place_of[edge->from];

	if (plan->nodes[edge->from].op != PLAN_BRANCH)
		return place;
	return edge->side == PLAN_SIDE_THEN ? place + 1 : place + 2;
}

/* Fills the set of a node without predecessors with all earlier places. */
static void
AddPlaceAtStart(Together *together)
{
	uint64	   *set = together->sets + (Size) together->nplaces * together->words;

	for (int place = 0; place < together->nplaces; place++)
		AddBit(set, place);
}

static Together
FindTogether(const PlanIr *plan)
{
	Together	together = {.words = WORDS_OF(plan->nnodes + 2 * plan->shape->nbranches)};

	together.sets = NewSets(plan->nnodes + 2 * plan->shape->nbranches, together.words);
	together.place_of = palloc(sizeof(int) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		int			at = plan->topological[i];
		const PlanNode *node = &plan->nodes[at];
		int			place = together.nplaces;

		CHECK_FOR_INTERRUPTS();
		together.place_of[at] = place;
		if (node->nin == 0)
			AddPlaceAtStart(&together);
		for (int j = 0; j < node->nin; j++)
			AddPlaceBehind(&together, PlaceBefore(plan, &together, &plan->edges[node->in[j]]));
		EndPlace(&together);
		for (int side = 1; node->op == PLAN_BRANCH && side <= 2; side++)
		{
			AddPlaceBehind(&together, place);
			/* never together with the other side */
			RemoveBit(together.sets + (Size) together.nplaces * together.words, place + 1);
			EndPlace(&together);
		}
	}
	return together;
}

/*
 * Adds a problem for each node that binds a name which an earlier node binds, if
 * both can be executed together.
 */
static void
FindReboundNames(Reader *reader, const Binders *binders)
{
	const PlanIr *plan = reader->plan;
	Together	together = {0};

	for (int i = 1; i < binders->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int j = i - 1; j >= 0 && SpanEqual(binders->names[j].name, binders->names[i].name); j--)
		{
			int			later = binders->names[i].number;
			int			earlier = binders->names[j].number;

			if (together.sets == NULL && plan->shape->nbranches > 0)
				together = FindTogether(plan);
			if (together.sets && !HasBit(together.sets + (Size) together.place_of[earlier] * together.words,
										together.place_of[later]))
				continue;
			AddProblem(reader, plan->nodes[later].id,
					   "out %s is bound by %s too, and no branch parts the two",
					   ShownText(plan->nodes[later].out), ShownText(plan->nodes[earlier].id));
			break;
		}
	}
}

/*
 * the whole
 */

void
PlanTakeK(const PlanIr *plan, const char *name, int k)
{
	for (int i = 0; i < plan->nnodes; i++)
	{
		const PlanTool *tool = plan->nodes[i].tool;

		/* the specs were read for this plan alone */
		if (tool && tool->takes_k && SpanEqualCString(tool->name, name))
			unconstify(PlanTool *, tool)->default_k = JsonViewInteger(k);
	}
}

PlanIr *
PlanParse(const JsonView *view, const PlanTools *tools, PlanProblems *problems)
{
	Reader		reader = {.tools = tools, .problems = problems};
	PlanIr	   *plan = palloc0(sizeof(PlanIr));
	Binders		binders;
	int			known;			/* number of problems before the edges */

	reader.plan = plan;
	plan->view = *view;
	plan->shape = palloc0(sizeof(PlanShape));
	memset(problems, 0, sizeof(*problems));
	if (view->type != JVIEW_OBJECT)
	{
		AddProblem(&reader, NO_NODE, "the plan must be an object, and is %s", ShownValue(view));
		return NULL;
	}
	ReadHead(&reader, view);
	ReadNodes(&reader, view);
	if (plan->nnodes == 0)
		return NULL;
	known = problems->count;
	ReadEdges(&reader, view);
	/* problems of the whole make no sense if nodes or edges are missing */
	if (plan->shape->nids < plan->nnodes || problems->count > known || !OrderNodes(&reader))
		return NULL;
	FindAncestors(plan);
	NumberBranches(plan);
	FindSides(plan);
	binders = CollectBinders(plan);
	ResolveNames(&reader, &binders);
	FindReboundNames(&reader, &binders);
	return problems->count == 0 ? plan : NULL;
}

void
PlanRaise(const PlanProblems *problems)
{
	const PlanProblem *first = &problems->problems[0];
	const char *what = first->node.len == 0 ? first->problem :
		psprintf("node %s: %s", ShownText(first->node), first->problem);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid plan: %s", what),
			 problems->count == 1 ? 0 :
			 errdetail_plural("There is %d problem more.", "There are %d problems more.",
							  problems->count - 1, problems->count - 1),
			 errhint("answer_plan_validate lists all problems.")));
}

/* Reads the p50 of one tool's calls; false if it is malformed, or of too few calls. */
static bool
ReadMeasured(const JsonView *entry, Numeric *p50)
{
	JsonView	view;
	Numeric		calls;

	return entry->type == JVIEW_OBJECT && JsonViewCount(entry) == 2 &&
		JsonViewGetMember(entry, "p50_ms", &view) && AmountOfView(&view, p50) &&
		JsonViewGetMember(entry, "calls", &view) && AmountOfView(&view, &calls) &&
		NumberCompare(calls, int64_to_numeric(MEASURE_LEAST_CALLS)) >= 0;
}

bool
PlanMeasure(PlanIr *plan, const JsonView *measured)
{
	int			count = measured->type == JVIEW_OBJECT ? JsonViewCount(measured) : 0;

	for (int i = 0; i < count; i++)
	{
		JsonMember	member;
		Numeric		p50;

		member.value = JsonViewMember(measured, i, &member.key);
		if (!ReadMeasured(&member.value, &p50))
			return false;
	}
	for (int i = 0; count > 0 && i < plan->nnodes; i++)
	{
		PlanTool   *tool = unconstify(PlanTool *, plan->nodes[i].tool);
		JsonView	entry;

		if (tool && JsonViewGet(measured, tool->name.str, tool->name.len, &entry))
			(void) ReadMeasured(&entry, &tool->measured);
	}
	return measured->type == JVIEW_OBJECT;
}

bool
PlanIsMeasured(const PlanIr *plan)
{
	bool		has_tools = false;

	for (int i = 0; i < plan->nnodes; i++)
	{
		if (plan->nodes[i].tool == NULL)
			continue;
		if (plan->nodes[i].tool->measured == NULL)
			return false;
		has_tools = true;
	}
	return has_tools;
}

const char *
BasisLabel(bool is_measured)
{
	return is_measured ? BASIS_MEASURED : BASIS_DECLARED;
}

JsonView
PlanBoundValue(const PlanNode *node, const JsonView *result)
{
	JsonView	value;

	if (node->op == PLAN_MEM_READ)
		return JsonViewGetMember(result, "value", &value) ? value : JsonViewNull();
	if (node->tool && node->tool->output.len > 0 &&
		JsonViewGet(result, node->tool->output.str, node->tool->output.len, &value))
		return value;
	return *result;
}

/*
 * SQL
 */

void
PlanProblemsReturn(FunctionCallInfo fcinfo, const PlanProblems *problems)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int i = 0; i < problems->count; i++)
	{
		Span		node = problems->problems[i].node;
		Datum		values[2] = {0};
		bool		nulls[2] = {node.len == 0, false};

		if (node.len > 0)
			values[0] = SpanDatum(node);
		values[1] = PointerGetDatum(cstring_to_text(problems->problems[i].problem));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

PG_FUNCTION_INFO_V1(answer_eval_plan_problems);

Datum
answer_eval_plan_problems(PG_FUNCTION_ARGS)
{
	JsonView	view;
	JsonView	specs;
	PlanProblems problems;

	RequireArgument(fcinfo, 0, "plan");
	RequireArgument(fcinfo, 1, "tools");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "plan");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "tools");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &specs);
	(void) PlanParse(&view, PlanToolsOfSpecs(&specs), &problems);
	InitMaterializedSRF(fcinfo, 0);
	PlanProblemsReturn(fcinfo, &problems);
	return (Datum) 0;
}
