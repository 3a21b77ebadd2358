/*-------------------------------------------------------------------------
 *
 * tenant_plan.c
 *		By which index a tenant's rows are read.
 *
 * The views answer.tenant_... and the policies of row-level security select by
 * tenant = ANY ((SELECT answer_tenant_reads())::text[]).  A plan that reads more
 * of a table than that and removes the rest is told by EXPLAIN ANALYZE how many
 * rows it removed, and by pg_stat_xact_all_tables how many it read: rows of others,
 * which the role can have counted by conditions of its own.
 *
 * Promises: a scan of a table of ours with such a condition is one of a B-tree that
 * begins with the tenant, with the condition in its key, whatever the settings of
 * the planner and the sizes of the tables are.  Such a scan meets no row of others.
 * A bitmap is none: it removes rows again where it is short of memory.  A table
 * without such an index is read as the planner likes.
 *
 * It is found by its form, an array from a sub-select, and not by the role that
 * plans: a plan is kept when the role changes.  The library is there in time,
 * because the planner asks the support function of answer_tenant_reads(), and
 * evaluates answer.tenant_shared(), before it looks for paths.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/primnodes.h"
#include "optimizer/paths.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "base/tenant_plan.h"

static set_rel_pathlist_hook_type previous_hook = NULL;

/* The column that a condition compares with an array of a sub-select, or 0. */
static AttrNumber
ColumnOfArray(const Expr *clause, Index rti)
{
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) clause;
	const Node *column;
	const Node *array;

	if (!IsA(clause, ScalarArrayOpExpr) || !any->useOr || get_opcode(any->opno) != F_TEXTEQ)
		return InvalidAttrNumber;
	column = linitial(any->args);
	array = lsecond(any->args);
	if (!IsA(column, Var) || ((const Var *) column)->varno != (int) rti ||
		!IsA(array, Param) || ((const Param *) array)->paramkind != PARAM_EXEC)
		return InvalidAttrNumber;
	return ((const Var *) column)->varattno;
}

/* The condition by which a tenant's rows are read, and its column; NULL if there is none. */
static const RestrictInfo *
TenantCondition(const RelOptInfo *rel, Index rti, const RangeTblEntry *rte, AttrNumber *tenant)
{
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		const RestrictInfo *condition = lfirst_node(RestrictInfo, cell);

		*tenant = ColumnOfArray(condition->clause, rti);
		if (*tenant != InvalidAttrNumber &&
			get_rel_namespace(rte->relid) == get_namespace_oid("answer", true) &&
			*tenant == get_attnum(rte->relid, "tenant"))
			return condition;
	}
	return NULL;
}

/* The indexes that begin with a column, to be scanned and not to be made a bitmap of. */
static List *
IndexesBeginningWith(const RelOptInfo *rel, AttrNumber tenant)
{
	List	   *indexes = NIL;
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);

		if (index->relam != BTREE_AM_OID || index->indexkeys[0] != tenant)
			continue;
		index->amhasgetbitmap = false;
		indexes = lappend(indexes, index);
	}
	return indexes;
}

/* Of paths through these indexes, those that have the condition in the first column of the key. */
static List *
PathsByCondition(const List *paths, const RestrictInfo *condition)
{
	List	   *found = NIL;
	ListCell   *cell;

	foreach(cell, paths)
	{
		const IndexPath *path = lfirst_node(IndexPath, cell);
		ListCell   *part;

		foreach(part, path->indexclauses)
		{
			const IndexClause *clause = lfirst_node(IndexClause, part);

			if (clause->indexcol == 0 && clause->rinfo == condition)
			{
				found = lappend(found, lfirst(cell));
				break;
			}
		}
	}
	return found;
}

static void
ReadByTenant(PlannerInfo *root, RelOptInfo *rel, const RestrictInfo *condition, AttrNumber tenant)
{
	List	   *paths = rel->pathlist;
	List	   *partial = rel->partial_pathlist;
	List	   *indexes = rel->indexlist;

	rel->indexlist = IndexesBeginningWith(rel, tenant);
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	create_index_paths(root, rel);
	rel->indexlist = indexes;
	rel->pathlist = PathsByCondition(rel->pathlist, condition);
	rel->partial_pathlist = PathsByCondition(rel->partial_pathlist, condition);
	if (rel->pathlist == NIL)
	{
		rel->pathlist = paths;
		rel->partial_pathlist = partial;
	}
}

static void
SetPathlist(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	const RestrictInfo *condition;
	AttrNumber	tenant;

	if (previous_hook)
		previous_hook(root, rel, rti, rte);
	/* of a partitioned table the partitions are asked about */
	if (rte->rtekind != RTE_RELATION || rte->relkind != RELKIND_RELATION || rte->inh ||
		rte->tablesample != NULL || IS_DUMMY_REL(rel))
		return;
	condition = TenantCondition(rel, rti, rte, &tenant);
	if (condition != NULL)
		ReadByTenant(root, rel, condition, tenant);
}

void
TenantPlanWatch(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = SetPathlist;
}

/* answer.tenant_plan_support(internal): knows nothing of its function, but that the library is needed. */
PG_FUNCTION_INFO_V1(answer_eval_tenant_plan_support);
Datum
answer_eval_tenant_plan_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(NULL);
}

/* answer.tenant_shared(): whose things all tenants read, which are the operator's */
PG_FUNCTION_INFO_V1(answer_eval_tenant_shared);
Datum
answer_eval_tenant_shared(PG_FUNCTION_ARGS)
{
	Datum		tenant = CStringGetTextDatum("");

	PG_RETURN_ARRAYTYPE_P(construct_array(&tenant, 1, TEXTOID, -1, false, TYPALIGN_INT));
}
