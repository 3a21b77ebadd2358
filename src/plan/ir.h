/*-------------------------------------------------------------------------
 *
 * ir.h
 *		A parsed and validated plan.
 *
 * The plan points into the JSON that it was read from.  Nodes keep their numbers
 * from the plan; these numbers index every array of this header.
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
#define PLAN_MAX_PROBLEMS	1000	/* reported for one plan */
#define PLAN_RETRY_ATTEMPTS 3

/* Where a latency comes from: measured calls, or the tool's spec. */
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

/* Labels in the order of the enum, ended by NULL: "call" and so on. */
extern const char *const plan_op_labels[];

/* A side of a branch; PLAN_SIDE_NONE on edges from other nodes. */
typedef enum PlanSide
{
	PLAN_SIDE_NONE,
	PLAN_SIDE_THEN,
	PLAN_SIDE_ELSE
} PlanSide;

/* What a plan needs to know of a tool. Made by PlanToolsOfSpecs, or by a caller that has the specs. */
typedef struct PlanTool
{
	Span		name;
	int			ncapabilities;
	Span	   *capabilities;
	Numeric		cost;			/* cost_per_call_usd, 0 or more */
	Numeric		latency;		/* latency_p50_ms, 0 or more */
	Numeric		share;			/* per_item_share, 0 to 1 */
	Numeric		measured;		/* ms, p50 of its measured calls, set by PlanMeasure; NULL: use latency */
	bool		takes_k;		/* does its input declare k? */
	JsonView	default_k;		/* the value of k if the argument is missing; absent: none */
	bool		is_verifier;	/* does it take sources and return one Evidence? */
	Span		output;			/* its only declared output property; empty: it has none or several */
	bool		is_external;
	bool		has_side_effects;
} PlanTool;

/* Sorted by name, by code point. */
typedef struct PlanTools
{
	int			count;
	PlanTool   *tools;
} PlanTools;

/* Ancestors and sides of branches; private to ir.c. */
typedef struct PlanShape PlanShape;

typedef struct PlanEdge
{
	int			from;
	int			to;
	PlanSide	side;			/* set if "from" is a branch */
} PlanEdge;

/*
 * A name that a node reads, and those of its ancestors that bind it.  At most one
 * of them is executed in a run; if none is, the name is null.  INPUT, item and
 * index have no binders.
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
	const PlanTool *tool;		/* named, the default, or the best of a capability; NULL for assert and branch */
	JsonView	args;			/* an object; empty if none was given */
	Span		out;			/* the name that the node binds, or empty */
	Span		condition_text;
	Condition  *condition;		/* of assert and branch, else NULL */
	int			nreads;
	PlanRead   *reads;			/* each name once, by code point */
	int			nin;
	int		   *in;				/* incoming edges, as indexes into the plan's edges */
	int			nout;
	int		   *onward;			/* outgoing edges, likewise */
} PlanNode;

typedef struct PlanIr
{
	JsonView	view;			/* as given */
	Span		plan_id;
	Span		intent;			/* or empty */
	Numeric		latency_budget; /* ms; NULL: none, also cost_cap */
	Numeric		cost_cap;		/* USD */
	Span		risk;			/* low, medium, high, or empty */
	bool		is_regulated;
	int			nnodes;
	PlanNode   *nodes;
	int			nedges;
	PlanEdge   *edges;
	int		   *topological;	/* all nodes, each after its predecessors */
	PlanShape  *shape;
} PlanIr;

typedef struct PlanProblem
{
	Span		node;			/* its id; empty if the problem is in the plan itself, or in a node without an id */
	const char *problem;		/* one sentence in ASCII that names the place and what is allowed */
} PlanProblem;

typedef struct PlanProblems
{
	int			count;			/* at most PLAN_MAX_PROBLEMS; validation stops there */
	PlanProblem *problems;		/* ordered: the plan itself, nodes, edges, then problems of the whole */
} PlanProblems;

/*
 * Reads {name: ToolSpec} as PlanTools.  The specs were validated when they were
 * registered; a malformed member counts as missing.
 */
extern PlanTools *PlanToolsOfSpecs(const JsonView *specs);

/*
 * Parses and validates a plan.  Returns NULL if there are problems.  Takes linear
 * time in nodes and edges, apart from sets of PLAN_MAX_NODES bits; conditions and
 * references are read once.  Raises only 54001, for args nested deeper than the
 * stack allows.
 */
extern PlanIr *PlanParse(const JsonView *plan, const PlanTools *tools, PlanProblems *problems);

/* Sets the k for those calls of a tool that give none. It overrides the default in the tool's spec. */
extern void PlanTakeK(const PlanIr *plan, const char *tool, int k);

/* Raises the first problem (22023); there must be at least one. */
extern _Noreturn void PlanRaise(const PlanProblems *problems);

/* Adds the problems as rows (node, problem) to the prepared result of a set-returning function. */
extern void PlanProblemsReturn(FunctionCallInfo fcinfo, const PlanProblems *problems);

/*
 * Returns the innermost branch on whose side a node lies, and that side.  Returns
 * -1 if no branch decides whether the node is executed.  Sides nest: a node on a
 * side of an inner branch is also on that side of the outer branch on which the
 * inner branch lies.
 */
extern int	PlanInnermostBranch(const PlanIr *plan, int node, PlanSide *side);

/* Returns the node with an id, or -1. */
extern int	PlanFindNode(const PlanIr *plan, Span id);

/* Reads a number of 0 or more, also from the text of its portable form. Returns false if it is none. */
extern bool AmountOfView(const JsonView *view, Numeric *amount);

/*
 * Replaces the declared latencies of a plan's tools by measured ones, {tool:
 * {p50_ms, calls}}.  Tools that the object does not name keep theirs.  Returns
 * false if it is malformed.
 */
extern bool PlanMeasure(PlanIr *plan, const JsonView *measured);

/* Was each tool of the plan measured? False for a plan without tools. */
extern bool PlanIsMeasured(const PlanIr *plan);

/* Returns BASIS_MEASURED or BASIS_DECLARED. */
extern const char *BasisLabel(bool is_measured);

/* Returns the value that a call's result binds: its only declared output property, else the whole result. */
extern JsonView PlanBoundValue(const PlanNode *node, const JsonView *result);

#endif							/* ANSWER_EVAL_IR_H */
