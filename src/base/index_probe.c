/*-------------------------------------------------------------------------
 *
 * index_probe.c
 *		Looks rows up by an index of one of our tables, without a plan.
 *
 * Executing a plan of a few index probes costs several times as much as the
 * probes.  So rows that every request needs are read from the index directly,
 * with the active snapshot, which the caller has set.
 *
 * Promises: a probe finds the rows that a query would read.  If a query would
 * do more than read rows of the table, or could be refused, there is no probe,
 * and the caller runs the query.  This holds if the role that reads has no
 * right to the whole table, or row-level security filters for it; if the table
 * is not an ordinary one, has children, is distributed by Citus, or has an
 * index that differs from the install script's; and if an extension checks
 * permissions in its own way.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/distributed.h"
#include "base/grow.h"
#include "base/owner.h"
#include "base/index_probe.h"

/* Does a table hold its rows itself? A distributed table of Citus does not. */
bool
TableIsPlain(Relation table)
{
	return table->rd_rel->relkind == RELKIND_RELATION && !table->rd_rel->relhassubclass &&
		!IsDistributed(RelationGetRelid(table));
}

/* May a role read all rows and columns of a table? */
static bool
MayReadAll(Relation table, Oid user)
{
	return ExecutorCheckPerms_hook == NULL &&
		CompatSchemaAclcheck(RelationGetNamespace(table), user, ACL_USAGE) == ACLCHECK_OK &&
		(user == table->rd_rel->relowner ||
		 pg_class_aclcheck(RelationGetRelid(table), user, ACL_SELECT) == ACLCHECK_OK) &&
		(!table->rd_rel->relrowsecurity ||
		 check_enable_rls(RelationGetRelid(table), user, true) != RLS_ENABLED);
}

/* Does the same for another table that a query would read. */
bool
ProbeMayRead(const char *name, Oid user)
{
	Relation	table = try_relation_open(AnswerRelation(name), AccessShareLock);
	bool		may = table && MayReadAll(table, user);

	if (table)
		relation_close(table, AccessShareLock);
	return may;
}

static AttrNumber
FindColumn(Relation table, const char *name)
{
	TupleDesc	tupdesc = RelationGetDescr(table);

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(tupdesc, i);

		if (!column->attisdropped && strcmp(NameStr(column->attname), name) == 0)
			return column->attnum;
	}
	return InvalidAttrNumber;
}

/* Does an index have the wanted column in this place, sorted as the install script sorts it? */
static bool
ColumnServes(const Probe *probe, int place)
{
	Relation	index = probe->index;
	bool		is_instant = place > 0 && place == probe->spec->instant;
	AttrNumber	column = FindColumn(probe->table, probe->spec->keys[place]);
	Oid			collation = index->rd_indcollation[place];

	return column != InvalidAttrNumber && index->rd_index->indkey.values[place] == column &&
		index->rd_opcintype[place] == (is_instant ? TIMESTAMPTZOID : TEXTOID) &&
		index->rd_indoption[place] == (is_instant ? INDOPTION_DESC | INDOPTION_NULLS_FIRST : 0) &&
		collation == TupleDescAttr(RelationGetDescr(probe->table), column - 1)->attcollation &&
		(is_instant || (index->rd_opfamily[place] == TEXT_BTREE_FAM_OID && get_collation_isdeterministic(collation)));
}

/* Sets the scan keys, except their values. */
static void
SetKeys(Probe *probe)
{
	const ProbeSpec *spec = probe->spec;

	for (int i = 0; i < spec->nkeys; i++)
	{
		ProbeLast	how = i == spec->nkeys - 1 ? spec->last : PROBE_EQUAL;

		ScanKeyEntryInitialize(&probe->keys[i], 0, i + 1,
							   how == PROBE_UP_TO ? BTLessEqualStrategyNumber :
							   how == PROBE_AFTER ? BTGreaterStrategyNumber : BTEqualStrategyNumber,
							   InvalidOid, probe->index->rd_indcollation[i],
							   how == PROBE_UP_TO ? F_TIMESTAMPTZ_LE : how == PROBE_AFTER ? F_TEXT_GT : F_TEXTEQ,
							   (Datum) 0);
	}
}

/* Is an index the one that a probe wants? */
static bool
IndexServes(const Probe *probe)
{
	const ProbeSpec *spec = probe->spec;
	Form_pg_index form = probe->index->rd_index;

	if (probe->index->rd_rel->relkind != RELKIND_INDEX || probe->index->rd_rel->relam != BTREE_AM_OID ||
		form->indrelid != RelationGetRelid(probe->table) ||
		!form->indisvalid || form->indcheckxmin ||
		(spec->nkeys > 0 && !heap_attisnull(probe->index->rd_indextuple, Anum_pg_index_indpred, NULL)))
		return false;
	for (int i = 0; i < PROBE_MAX_KEYS && spec->keys[i] != NULL; i++)
	{
		if (i >= form->indnkeyatts || !ColumnServes(probe, i))
			return false;
	}
	return true;
}

static bool
FindColumns(Probe *probe)
{
	for (int i = 0; i < probe->spec->ncolumns; i++)
	{
		probe->columns[i] = FindColumn(probe->table, probe->spec->columns[i]);
		if (probe->columns[i] == InvalidAttrNumber)
			return false;
	}
	return true;
}

/*
 * Prepares probes of what a role may read.  Returns false if a query must be run
 * instead.  The probe must be closed in the subtransaction that opened it.
 */
bool
ProbeOpen(Probe *probe, const ProbeSpec *spec, Oid user)
{
	Oid			table = AnswerRelation(spec->table);
	Oid			index = AnswerRelation(spec->index);

	memset(probe, 0, sizeof(*probe));
	if (!OidIsValid(table) || !OidIsValid(index))
		return false;
	probe->spec = spec;
	probe->table = try_relation_open(table, AccessShareLock);
	if (probe->table && TableIsPlain(probe->table) && MayReadAll(probe->table, user) && FindColumns(probe))
	{
		probe->index = try_relation_open(index, AccessShareLock);
		if (probe->index && IndexServes(probe))
		{
			SetKeys(probe);
			probe->slot = table_slot_create(probe->table, NULL);
			return true;
		}
	}
	ProbeClose(probe);
	return false;
}

/*
 * Prepares probes with other keys of an index that another probe has open.  Nothing is
 * checked again: DROP INDEX CONCURRENTLY may have marked the index meanwhile, but
 * others maintain it as long as we have it locked.
 */
void
ProbeOpenBeside(Probe *probe, const Probe *open, const ProbeSpec *spec)
{
	Assert(strcmp(spec->index, open->spec->index) == 0 && spec->ncolumns == open->spec->ncolumns);
	memset(probe, 0, sizeof(*probe));
	probe->spec = spec;
	probe->table = relation_open(RelationGetRelid(open->table), AccessShareLock);
	probe->index = relation_open(RelationGetRelid(open->index), AccessShareLock);
	memcpy(probe->columns, open->columns, sizeof(probe->columns));
	SetKeys(probe);
	probe->slot = table_slot_create(probe->table, NULL);
}

/* Looks for the rows of these keys, in the order of the index. */
void
ProbeFind(Probe *probe, const Datum *values)
{
	const ProbeSpec *spec = probe->spec;
	int			nkeys = spec->nkeys;

	for (int i = 0; i < nkeys; i++)
		probe->keys[i].sk_argument = values[i];
	if (probe->scan == NULL)
	{
		probe->scan = CompatIndexBeginScan(probe->table, probe->index, GetActiveSnapshot(), nkeys);
		probe->scan->xs_want_itup = spec->wants_entries;
	}
	index_rescan(probe->scan, probe->keys, nkeys, NULL, 0);
}

/* Finds the next of these rows; returns false if there is none. */
bool
ProbeNext(Probe *probe)
{
	CHECK_FOR_INTERRUPTS();
	return index_getnext_slot(probe->scan, ForwardScanDirection, probe->slot);
}

/* Finds the next index entry with these keys, without its row; returns false if there is none. */
bool
ProbeNextEntry(Probe *probe)
{
	CHECK_FOR_INTERRUPTS();
	return index_getnext_tid(probe->scan, ForwardScanDirection) != NULL;
}

/* Returns a column of that entry, by its place in the index; valid until the next one is found. */
Datum
ProbeEntry(Probe *probe, int column, bool *isnull)
{
	return index_getattr(probe->scan->xs_itup, column + 1, probe->scan->xs_itupdesc, isnull);
}

/* Fetches the row of that entry; returns false if the snapshot does not show it. */
bool
ProbeFetch(Probe *probe)
{
	return index_fetch_heap(probe->scan, probe->slot);
}

void
ProbeClose(Probe *probe)
{
	if (probe->scan)
		index_endscan(probe->scan);
	if (probe->slot)
		ExecDropSingleTupleTableSlot(probe->slot);
	if (probe->index)
		relation_close(probe->index, AccessShareLock);
	if (probe->table)
		relation_close(probe->table, AccessShareLock);
	memset(probe, 0, sizeof(*probe));
}

/*
 * rows
 */

/* Returns a tuple descriptor with columns of these types.  It lives as long as the session. */
TupleDesc
FoundShape(const Oid *types, int ntypes)
{
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);
	TupleDesc	tupdesc = CreateTemplateTupleDesc(ntypes);

	for (int i = 0; i < ntypes; i++)
		TupleDescInitEntry(tupdesc, i + 1, NULL, types[i], -1, 0);
	MemoryContextSwitchTo(caller);
	return tupdesc;
}

SPITupleTable *
FoundRows(TupleDesc tupdesc)
{
	SPITupleTable *rows = palloc0(sizeof(SPITupleTable));

	rows->tupdesc = tupdesc;
	rows->alloced = 16;
	rows->vals = palloc(sizeof(HeapTuple) * rows->alloced);
	return rows;
}

void
FoundRow(SPITupleTable *rows, Datum *values, bool *nulls)
{
	GROW_ARRAY(rows->vals, rows->numvals, rows->alloced, 16);
	rows->vals[rows->numvals++] = heap_form_tuple(rows->tupdesc, values, nulls);
}
