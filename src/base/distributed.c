/*-------------------------------------------------------------------------
 *
 * distributed.c
 *		Knows which tables Citus distributes, and which statements it sends to
 *		shards.
 *
 * The extension citus spreads a database over several servers.  A table that it
 * distributes is an empty shell here; its rows are in shards.  Code that reads
 * files or pages would find it empty, and a statement over it can only be
 * planned when its parameters are known. pg_catalog.pg_dist_partition lists
 * these tables, and only a superuser can create or change it.  If it does not
 * exist, nothing is distributed.  The result is cached until the server
 * invalidates the table's cache entry, which Citus makes it do.
 *
 * A query over shards outside a transaction block is a separate transaction on
 * each shard.  If one shard failed, what was signed and stored on the others
 * would stay.  So nothing is signed or stored in such a query.
 *
 * Compiling and loading this needs no part of Citus.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_namespace.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/portal.h"
#include "utils/rel.h"

#include "base/distributed.h"

#define PARTITIONS	"pg_dist_partition"
#define BY_TABLE	"pg_dist_partition_logical_relid_index"

/*
 * The application_name of Citus's sessions on other nodes, except those of
 * run_command_on_workers() and similar functions.
 */
#define SHARD_SESSION	"citus_internal gpid="

/* What is known about a table. */
typedef struct KnownTable
{
	Oid			table;			/* the key */
	bool		distributed;
} KnownTable;

static HTAB *known_tables = NULL;

/* Invalidation callback for a table, or, with InvalidOid, for all of them. */
static void
ForgetTable(Datum arg, Oid table)
{
	HASH_SEQ_STATUS all;
	KnownTable *known;

	if (OidIsValid(table))
	{
		(void) hash_search(known_tables, &table, HASH_REMOVE, NULL);
		return;
	}
	hash_seq_init(&all, known_tables);
	while ((known = hash_seq_search(&all)) != NULL)
		(void) hash_search(known_tables, &known->table, HASH_REMOVE, NULL);
}

static void
MakeKnownTables(void)
{
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = sizeof(KnownTable)};

	known_tables = hash_create("answer_eval tables of Citus", 64, &control, HASH_ELEM | HASH_BLOBS);
	CacheRegisterRelcacheCallback(ForgetTable, (Datum) 0);
}

/* Looks a table up among those of Citus. */
static bool
FindPartitions(Oid partitions, Oid table)
{
	Relation	relation = table_open(partitions, AccessShareLock);
	Oid			index = get_relname_relid(BY_TABLE, PG_CATALOG_NAMESPACE);
	AttrNumber	column = get_attnum(partitions, "logicalrelid");
	ScanKeyData key;
	SysScanDesc scan;
	bool		found;

	if (column == InvalidAttrNumber)
		elog(ERROR, "pg_catalog.%s has no column logicalrelid", PARTITIONS);
	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(table));
	scan = systable_beginscan(relation, index, OidIsValid(index), NULL, 1, &key);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return found;
}

/* Is it a Citus table: distributed, a reference table, or a local one that Citus manages? */
bool
IsDistributed(Oid table)
{
	Oid			partitions = get_relname_relid(PARTITIONS, PG_CATALOG_NAMESPACE);
	KnownTable *known;
	bool		distributed;

	if (!OidIsValid(partitions))
		return false;
	if (known_tables == NULL)
		MakeKnownTables();
	known = hash_search(known_tables, &table, HASH_FIND, NULL);
	if (known)
		return known->distributed;
	distributed = FindPartitions(partitions, table);
	/* it may have been entered meanwhile, or have changed again; then the next call looks it up again */
	known = hash_search(known_tables, &table, HASH_ENTER, NULL);
	known->distributed = distributed;
	return distributed;
}

bool
AnyDistributed(const List *tables)
{
	ListCell   *cell;

	if (!OidIsValid(get_relname_relid(PARTITIONS, PG_CATALOG_NAMESPACE)))
		return false;
	foreach(cell, tables)
	{
		if (IsDistributed(lfirst_oid(cell)))
			return true;
	}
	return false;
}

/* Raises an error if a table of ours that must be local to each node is a Citus table. */
void
RequireLocal(Oid table, const char *problem)
{
	const char *name;

	if (!IsDistributed(table))
		return;
	name = get_rel_name(table);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("table answer.%s is a table of Citus", name),
			 errdetail("%s", problem),
			 errhint("Take it back with undistribute_table('answer.%s'), as doc/citus.md tells under \"What is refused\".",
					 name)));
}

/*
 * Is a query SELECT ... FROM function(...), with a function that is neither the server's
 * nor Citus's?
 */
static bool
IsCallInFrom(const PlannedStmt *query)
{
	ListCell   *cell;

	if (!IsA(query->planTree, FunctionScan))
		return false;
	foreach(cell, ((FunctionScan *) query->planTree)->functions)
	{
		Node	   *call = lfirst_node(RangeTblFunction, cell)->funcexpr;

		if (!IsA(call, FuncExpr) || get_func_namespace(((FuncExpr *) call)->funcid) == PG_CATALOG_NAMESPACE)
			return false;
	}
	return true;
}

/*
 * Does a query that was sent to us read rows, rather than only make a call? Results
 * that the parts of a query leave for each other are read by functions of Citus.
 */
static bool
ReadsRows(const PlannedStmt *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *entry = lfirst_node(RangeTblEntry, cell);

		if ((entry->rtekind == RTE_RELATION && entry->relid >= FirstNormalObjectId) ||
			(entry->rtekind == RTE_FUNCTION && !IsCallInFrom(query)))
			return true;
	}
	return false;
}

/*
 * Raises an error if we are one of several transactions of a query over shards.  A
 * delegated function is a query that is only a call.  A write that is sent outside a
 * transaction block is the whole of its statement.
 */
void
RefuseScattered(void)
{
	Portal		sent;
	ListCell   *cell;

	if (strncmp(application_name, SHARD_SESSION, strlen(SHARD_SESSION)) != 0 || IsTransactionBlock())
		return;
	sent = GetPortalByName("");
	if (!PortalIsValid(sent) || sent->status != PORTAL_ACTIVE)
		return;
	foreach(cell, sent->stmts)
	{
		const PlannedStmt *query = lfirst_node(PlannedStmt, cell);

		if (query->commandType == CMD_SELECT && ReadsRows(query))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("nothing is signed by a query over a distributed table outside of a transaction block"),
					 errdetail("Each shard would commit by itself: what one has signed would stay if another one failed."),
					 errhint("Use INSERT ... SELECT into a table that is colocated with it, or call a function that create_distributed_function() delegates.")));
	}
}
