/*-------------------------------------------------------------------------
 *
 * ir.h
 *		A plan as it was parsed and validated.
 *
 * The plan borrows the JSON that it was read from.  Nodes keep the numbers that
 * they have in plan order; node numbers index every array of this header.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_IR_H
#define ANSWER_EVAL_IR_H

#include "fmgr.h"
#include "utils/numeric.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "plan/reference.h"
#include "plan/condition.h"

#define PLAN_MAX_ID_LENGTH	200 /* characters of plan_id */
#define PLAN_MAX_NODES		1000
#define PLAN_MAX_EDGES		10000
#define PLAN_MAX_ITEMS		10000	/* of a map or reduce */
#define PLAN_MAX_PROBLEMS	1000	/* that are told of one plan */
#define PLAN_RETRY_ATTEMPTS 3

/* By what a latency goes: calls that were measured, or what the tool's spec says. */
#define BASIS_MEASURED		"measured"
#define BASIS_DECLARED		"declared"

#define TOOL_VERIFY			"ground.verify"
#define TOOL_MEMORY			"mesh.mem"
#define TOOL_SEARCH			"doc.search"

typedef enum PlanOp
{
	PLAN_CALL,
	PLAN_MAP,
	PLAN_REDUCE,
	PLAN_ASSERT,
	PLAN_MEM_READ,
	PLAN_MEM_WRITE,
	PLAN_VERIFY,
	PLAN_RETRY,
	PLAN_BRANCH
} PlanOp;

/* "call" and so on, in the order of the enum, up to a NULL. */
extern const char *const plan_op_labels[];

/* Says which side of a branch; PLAN_SIDE_NONE on edges from all other nodes. */
typedef enum PlanSide
{
	PLAN_SIDE_NONE,
	PLAN_SIDE_THEN,
	PLAN_SIDE_ELSE
} PlanSide;

/* Holds what a plan must know of a tool; made by PlanToolsOfSpecs or by whoever has the specs. */
typedef struct PlanTool
{
	Span		name;
	int			ncapabilities;
	Span	   *capabilities;
	Numeric		cost;			/* cost_per_call_usd, 0 or more */
	Numeric		latency;		/* latency_p50_ms, 0 or more */
	Numeric		share;			/* per_item_share, 0 to 1 */
	Numeric		measured;		/* ms, the p50 of its own calls, by PlanMeasure; NULL: latency counts */
	bool		takes_k;		/* does its input declare k? */
	JsonView	default_k;		/* what the input's k is without an argument; absent: nothing */
	bool		is_verifier;	/* sources in, one Evidence out */
	Span		output;			/* its single declared output property; empty: there is not exactly one */
	bool		is_external;
	bool		has_side_effects;
} PlanTool;

/* In the order of their names by code point. */
typedef struct PlanTools
{
	int			count;
	PlanTool   *tools;
} PlanTools;

/* Ancestors and sides of branches; of ir.c. */
typedef struct PlanShape PlanShape;

typedef struct PlanEdge
{
	int			from;
	int			to;
	PlanSide	side;			/* of "from", if that is a branch */
} PlanEdge;

/*
 * A name that a node reads, and the nodes among its ancestors that bind it.  At
 * most one of them is executed in a run; where none is, the name is null.  No
 * binders: INPUT, item or index.
 */
typedef struct PlanRead
{
	Span		name;
	int			nbinders;
	int		   *binders;
} PlanRead;

typedef struct PlanNode
{
	Span		id;
	PlanOp		op;
	const PlanTool *tool;		/* named, by default, or the best of a capability; NULL for assert and branch */
	JsonView	args;			/* an object; without members where none was given */
	Span		out;			/* the name that it binds, or empty */
	Span		condition_text;
	Condition  *condition;		/* of assert and branch, else NULL */
	int			nreads;
	PlanRead   *reads;			/* each name once, by code point */
	int			nin;
	int		   *in;				/* its edges, as numbers of the plan's */
	int			nout;
	int		   *onward;			/* likewise those that leave it */
} PlanNode;

typedef struct PlanIr
{
	JsonView	view;			/* as it was given */
	Span		plan_id;
	Span		intent;			/* or empty */
	Numeric		latency_budget; /* ms; NULL: none, like the next */
	Numeric		cost_cap;		/* USD */
	Span		risk;			/* low, medium, high, or empty */
	bool		is_regulated;
	int			nnodes;
	PlanNode   *nodes;
	int			nedges;
	PlanEdge   *edges;
	int		   *topological;	/* all nodes, each behind its predecessors */
	PlanShape  *shape;
} PlanIr;

typedef struct PlanProblem
{
	Span		node;			/* its id; empty where it is about the plan, or a node without one */
	const char *problem;		/* one sentence in ASCII, that names the place and what is allowed */
} PlanProblem;

typedef struct PlanProblems
{
	int			count;			/* at most PLAN_MAX_PROBLEMS; then it ends */
	PlanProblem *problems;		/* in the order of the plan: itself, nodes, edges, then what follows from all */
} PlanProblems;

/*
 * Reads {name: ToolSpec} as PlanTools.  The specs were validated when they were
 * registered; a member that is missing or is none counts as not given.
 */
extern PlanTools *PlanToolsOfSpecs(const JsonView *specs);

/*
 * Parses and validates.  NULL if there are problems.  Linear in nodes and
 * edges but for sets of PLAN_MAX_NODES bits; conditions and references are
 * read once.  Raises nothing but 54001 for args nested beyond the stack.
 */
extern PlanIr *PlanParse(const JsonView *plan, const PlanTools *tools, PlanProblems *problems);

/* Sets the k of a tool's calls that ask for none, whatever its spec says. */
extern void PlanTakeK(const PlanIr *plan, const char *tool, int k);

/* Raises the first of the problems, of which there is one at least (22023). */
extern _Noreturn void PlanRaise(const PlanProblems *problems);

/* Adds the problems to the rows (node, problem) of a function that returns a set and has made ready for that. */
extern void PlanProblemsReturn(FunctionCallInfo fcinfo, const PlanProblems *problems);

/*
 * Returns the branch and the side on which a node lies, of several the innermost; -1
 * if it can be executed whatever every branch says. Sides nest: what lies on a side
 * lies with all of its branch.
 */
extern int	PlanInnermostBranch(const PlanIr *plan, int node, PlanSide *side);

/* Returns the node of an id, or -1. */
extern int	PlanFindNode(const PlanIr *plan, Span id);

/*
 * Finds the number that a view is, of 0 or more, also as the text of its portable
 * form; false if it is none.
 */
extern bool AmountOfView(const JsonView *view, Numeric *amount);

/*
 * Puts what calls of a plan's tools have taken, {tool: {p50_ms, calls}}, in the place
 * of what they declare; an object, that names the tools which were measured. False if
 * it is none.
 */
extern bool PlanMeasure(PlanIr *plan, const JsonView *measured);

/* Was each tool of a plan measured?  Not so of one that calls none. */
extern bool PlanIsMeasured(const PlanIr *plan);

/* Returns the word for that, of a tool or of a plan: BASIS_MEASURED or BASIS_DECLARED. */
extern const char *BasisLabel(bool is_measured);

/* Returns what the result of one call binds: the tool's single declared output property, else all of it. */
extern JsonView PlanBoundValue(const PlanNode *node, const JsonView *result);

#endif							/* ANSWER_EVAL_IR_H */
