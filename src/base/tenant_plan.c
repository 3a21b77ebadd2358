/*-------------------------------------------------------------------------
 *
 * tenant_plan.c
 *		Makes the planner read a tenant's rows by the right index.
 *
 * The views answer.tenant_... and the row-level security policies for reading select by
 * tenant = ANY ((SELECT answer.tenant_reads())::text[]).  The policies for changes select
 * by tenant = (SELECT answer_tenant()).  A plan may read more of a table and remove the
 * other rows.  EXPLAIN ANALYZE then shows how many rows it removed, and
 * pg_stat_xact_all_tables shows how many it read.  These are rows of other tenants, and a
 * role could count them under conditions of its own choice.
 *
 * Promises: a scan of one of our tables with such a condition uses a B-tree that begins
 * with the tenant, with the condition in its key, whatever the planner's settings and the
 * tables' sizes are.  Such a scan meets no row of another tenant.  A bitmap scan is not
 * used: it rechecks and removes rows if it runs short of memory.  A table without such an
 * index is planned as usual.  TABLESAMPLE reads whole pages, so it is refused if a policy
 * adds such a condition.
 *
 * The condition is recognized by its form, a value or an array from a sub-select of the
 * same query.  The role that plans does not matter, because a plan is kept when the role
 * changes.  The library is loaded in time: before the planner looks for paths, it calls
 * the support function of answer.tenant_reads() and evaluates answer.tenant_shared().
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

/*
 * Is it the result of a sub-select that is the same for all rows of the query? The query
 * that the planner makes for min() or max() has the sub-selects of its parent.
 */
static bool
IsSubSelect(const PlannerInfo *root, const Node *node)
{
	const Param *param = (const Param *) node;
	ListCell   *cell;

	if (!IsA(node, Param) || param->paramkind != PARAM_EXEC)
		return false;
	for (; root; root = root->parent_root)
	{
		foreach(cell, root->init_plans)
		{
			if (list_member_int(lfirst_node(SubPlan, cell)->setParam, param->paramid))
				return true;
		}
	}
	return false;
}

/* Returns the column that a condition compares with the result of a sub-select, or 0. */
static AttrNumber
ColumnCompared(const PlannerInfo *root, const Expr *clause, Index rti)
{
	const List *args;
	Oid			operator;
	const Node *column;
	const Node *value;

	if (IsA(clause, ScalarArrayOpExpr) && ((const ScalarArrayOpExpr *) clause)->useOr)
	{
		args = ((const ScalarArrayOpExpr *) clause)->args;
		operator = ((const ScalarArrayOpExpr *) clause)->opno;
	}
	else if (IsA(clause, OpExpr) && list_length(((const OpExpr *) clause)->args) == 2)
	{
		args = ((const OpExpr *) clause)->args;
		operator = ((const OpExpr *) clause)->opno;
	}
	else
		return InvalidAttrNumber;
	if (get_opcode(operator) != F_TEXTEQ)
		return InvalidAttrNumber;
	column = linitial(args);
	value = lsecond(args);
	if (IsA(clause, OpExpr) && IsA(value, Var))
	{
		column = lsecond(args);
		value = linitial(args);
	}
	if (!IsA(column, Var) || ((const Var *) column)->varno != (int) rti || !IsSubSelect(root, value))
		return InvalidAttrNumber;
	return ((const Var *) column)->varattno;
}

/* Is it one of our tables, or a partition of one in any schema? */
static bool
IsOurTable(const PlannerInfo *root, Index rti, Oid table)
{
	const AppendRelInfo *child = root->append_rel_array ? root->append_rel_array[rti] : NULL;

	if (get_rel_namespace(table) == get_namespace_oid("answer", true))
		return true;
	return child && OidIsValid(child->parent_reloid) && IsOurTable(root, child->parent_relid, child->parent_reloid);
}

/*
 * Returns the condition by which a tenant's rows are read, and its column; NULL if there
 * is none.
 */
static const RestrictInfo *
TenantCondition(const PlannerInfo *root, const RelOptInfo *rel, Index rti, const RangeTblEntry *rte, AttrNumber *tenant)
{
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		const RestrictInfo *condition = lfirst_node(RestrictInfo, cell);

		*tenant = ColumnCompared(root, condition->clause, rti);
		if (*tenant != InvalidAttrNumber && IsOurTable(root, rti, rte->relid) &&
			*tenant == get_attnum(rte->relid, "tenant"))
			return condition;
	}
	return NULL;
}

/* TABLESAMPLE counts rows of other tenants, which no index can prevent. */
static void
RefuseSample(const RangeTblEntry *rte)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("TABLESAMPLE of table \"%s\" is not for tenants", get_rel_name(rte->relid)),
			 errdetail("It reads pages, in which others have rows."),
			 errhint("ORDER BY random() LIMIT takes some of the rows that the role may read.")));
}

/* Returns the indexes that begin with a column, for plain index scans only. */
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

/* Of paths over these indexes, returns those with the condition on the first key column. */
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
	/* for a partitioned table, this is called for each partition */
	if (rte->rtekind != RTE_RELATION || rte->relkind != RELKIND_RELATION || rte->inh || IS_DUMMY_REL(rel))
		return;
	condition = TenantCondition(root, rel, rti, rte, &tenant);
	if (condition == NULL)
		return;
	if (rte->tablesample == NULL)
		ReadByTenant(root, rel, condition, tenant);
	/* a condition of a policy or of a view has a lower level than those of the query */
	else if (condition->security_level < root->qual_security_level)
		RefuseSample(rte);
}

void
TenantPlanWatch(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = SetPathlist;
}

/* answer.tenant_plan_support(internal): does nothing, but makes the planner load the library */
PG_FUNCTION_INFO_V1(answer_eval_tenant_plan_support);
Datum
answer_eval_tenant_plan_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(NULL);
}

/* answer.tenant_shared(): returns the operator's tenant, whose shared data all tenants read */
PG_FUNCTION_INFO_V1(answer_eval_tenant_shared);
Datum
answer_eval_tenant_shared(PG_FUNCTION_ARGS)
{
	Datum		tenant = CStringGetTextDatum("");

	PG_RETURN_ARRAYTYPE_P(construct_array(&tenant, 1, TEXTOID, -1, false, TYPALIGN_INT));
}
