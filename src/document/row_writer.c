/*-------------------------------------------------------------------------
 *
 * row_writer.c
 *		Writes the rows of documents without a plan.
 *
 * Storing a document means a row in answer.receipt, in the partition of its instant, with
 * index entries, and a row in each of two tables without indexes: answer.unsealed and
 * answer.rollup_new.  The executor would need more time to start up than to insert these
 * rows.
 *
 * Promises: what is stored is what INSERT ... ON CONFLICT DO NOTHING would store.  If
 * INSERT would do anything else, nothing is written here, and the caller runs INSERT.
 * This is so if a trigger or a rule fires, row-level security applies to the owner, a
 * CHECK was added, a column has a default, is generated or has another type, the table is
 * partitioned differently, a partition is not an ordinary table, or the key exists
 * already.  Columns are found by name, and NOT NULL is checked.  The tables stay locked
 * until the transaction ends, the parent first.
 *
 * Rows may wait for each other and be written together, a page at a time.  If somebody
 * else stores a row with the same key at that very moment, the error is that of a
 * duplicate key.  The index is searched for a key only if the key can be in it (StoredKeys).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heaptoast.h"
#include "access/relation.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/owner.h"
#include "base/index_probe.h"
#include "document/row_writer.h"

/*
 * The hash of a key.  If two keys have the same hash, the second counts as seen, and the
 * index is searched.
 */
typedef struct KeyEntry
{
	uint64		hash;
	char		status;
} KeyEntry;

#define SH_PREFIX		keyset
#define SH_ELEMENT_TYPE	KeyEntry
#define SH_KEY_TYPE		uint64
#define SH_KEY			hash
#define SH_HASH_KEY(table, key)	((uint32) (key))
#define SH_EQUAL(table, a, b)	((a) == (b))
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/*
 * The id of a document contains a digest of the instant.  So if the instant had no row
 * when the statement began, only the statement's own rows can have the same keys, and
 * the index need not be searched for each.  This does not hold for a future instant:
 * after the clock was set back, everything that is signed gets the instant at which the
 * key begins, including what a handler of the statement signs.  If somebody else does
 * store the very same document meanwhile, the unique index refuses the second one.
 */
struct StoredKeys
{
	bool		looked;
	bool		alone;			/* has only this statement rows of the instant? */
	keyset_hash *seen;
};

#define ROW_MAX_COLUMNS		40
#define ROW_MAX_BESIDE		2

/* A table other than that of receipts, open. */
typedef struct TableBeside
{
	Relation	table;
	TupleTableSlot **slots;
	AttrNumber	places[ROW_MAX_COLUMNS];
} TableBeside;

struct RowWriter
{
	const RowTable *tables;		/* receipts first */
	int			nbeside;
	int			issued_at;		/* index of the value that determines the partition */
	EState	   *estate;
	Relation	receipts;
	Relation	partition;		/* that of the latest row, or NULL */
	ResultRelInfo *result;
	TupleTableSlot **slots;
	AttrNumber	places[ROW_MAX_COLUMNS];
	TableBeside beside[ROW_MAX_BESIDE];
	int			nslots;
	int			room;			/* how many rows may wait; 0 if none may */
	int			waiting;
	StoredKeys *keys;			/* NULL if no row may wait */
};

static uint64
HashKey(const char *key, Size len)
{
	return hash_bytes_extended((const unsigned char *) key, (int) len, 0);
}

/* Allocates in the current memory context. */
StoredKeys *
StoredKeysCreate(void)
{
	StoredKeys *keys = palloc0(sizeof(StoredKeys));

	keys->seen = keyset_create(CurrentMemoryContext, 256, NULL);
	return keys;
}

/* Does a trigger or rule of a user fire on INSERT? */
static bool
FiresOnInsert(Relation table)
{
	TriggerDesc *triggers = table->trigdesc;

	return table->rd_rules != NULL ||
		(triggers &&
		 (triggers->trig_insert_before_row || triggers->trig_insert_after_row ||
		  triggers->trig_insert_instead_row || triggers->trig_insert_before_statement ||
		  triggers->trig_insert_after_statement || triggers->trig_insert_new_table));
}

/* Did a user add a CHECK, which may run functions of theirs? */
static bool
HasChecks(Relation table)
{
	return RelationGetDescr(table)->constr && RelationGetDescr(table)->constr->num_check > 0;
}

/* May the current user, who is the owner, store rows without further checks? */
static bool
MayStore(Relation table)
{
	return ExecutorCheckPerms_hook == NULL && !FiresOnInsert(table) &&
		pg_class_aclcheck(RelationGetRelid(table), GetUserId(), ACL_INSERT) == ACLCHECK_OK &&
		(!table->rd_rel->relrowsecurity ||
		 check_enable_rls(RelationGetRelid(table), GetUserId(), true) != RLS_ENABLED);
}

/* Finds the columns to be written; returns false unless all others are NULL by default. */
static bool
FindPlaces(Relation table, const RowTable *written, AttrNumber *places)
{
	const RowColumn *columns = written->columns;
	int			ncolumns = written->ncolumns;
	TupleDesc	tupdesc = RelationGetDescr(table);
	int			found = 0;

	if (tupdesc->constr && tupdesc->constr->has_generated_stored)
		return false;
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(tupdesc, i);
		int			n = found;

		if (column->attisdropped)
			continue;
		/* usually it is the one after the previous one */
		if (n == ncolumns || strcmp(columns[n].name, NameStr(column->attname)) != 0)
			n = 0;
		while (n < ncolumns && strcmp(columns[n].name, NameStr(column->attname)) != 0)
			n++;
		if (n < ncolumns)
		{
			if (column->atttypid != columns[n].type || column->atttypmod != -1 ||
				column->attidentity != '\0' || column->attgenerated != '\0')
				return false;
			places[n] = column->attnum;
			found++;
		}
		else if (column->atthasdef || column->attidentity != '\0' || column->attgenerated != '\0' ||
				 get_typtype(column->atttypid) == TYPTYPE_DOMAIN)
			return false;
	}
	return found == ncolumns;
}

/*
 * Makes a slot for each row that may wait, or one if none may.  A subtransaction may
 * begin and end between this and their use.
 */
static TupleTableSlot **
MakeSlots(const RowWriter *writer, Relation table)
{
	TupleTableSlot **slots = palloc(sizeof(TupleTableSlot *) * writer->nslots);
	/*
	 * a copy is not reference-counted: the table's own would be noted with the resource
	 * owner for each slot
	 */
	TupleDesc	tupdesc = CreateTupleDescCopy(RelationGetDescr(table));

	for (int i = 0; i < writer->nslots; i++)
	{
		slots[i] = MakeSingleTupleTableSlot(tupdesc, &TTSOpsVirtual);
		slots[i]->tts_tableOid = RelationGetRelid(table);
	}
	return slots;
}

static void
DropSlots(const RowWriter *writer, TupleTableSlot **slots)
{
	for (int i = 0; slots && i < writer->nslots; i++)
		ExecDropSingleTupleTableSlot(slots[i]);
}

/* Opens a table other than that of receipts; returns false if a query must write it. */
static bool
OpenBeside(RowWriter *writer, TableBeside *beside, const RowTable *written)
{
	beside->table = table_open(AnswerTable(written->name), RowExclusiveLock);
	if (!TableIsPlain(beside->table) || beside->table->rd_rel->relhasindex ||
		!MayStore(beside->table) || HasChecks(beside->table) ||
		!FindPlaces(beside->table, written, beside->places))
		return false;
	beside->slots = MakeSlots(writer, beside->table);
	return true;
}

static bool
OpenAllBeside(RowWriter *writer)
{
	for (int i = 0; i < writer->nbeside; i++)
	{
		if (!OpenBeside(writer, &writer->beside[i], &writer->tables[i + 1]))
			return false;
	}
	return true;
}

/* Is the table partitioned by its instant, as in the install script? */
static bool
IsPartitionedByInstant(Relation receipts)
{
	PartitionKey key = receipts->rd_rel->relkind == RELKIND_PARTITIONED_TABLE ?
		RelationGetPartitionKey(receipts) : NULL;

	return key && key->strategy == PARTITION_STRATEGY_RANGE && key->partnatts == 1 &&
		key->partattrs[0] != InvalidAttrNumber && key->parttypid[0] == TIMESTAMPTZOID &&
		strcmp(NameStr(TupleDescAttr(RelationGetDescr(receipts), key->partattrs[0] - 1)->attname),
			   "issued_at") == 0;
}

static void
ClosePartition(RowWriter *writer)
{
	Assert(writer->waiting == 0);
	DropSlots(writer, writer->slots);
	if (writer->result)
	{
		ExecCloseIndices(writer->result);
		pfree(writer->result);
	}
	if (writer->partition)
		relation_close(writer->partition, NoLock);
	writer->slots = NULL;
	writer->result = NULL;
	writer->partition = NULL;
}

/* Returns the partition for an instant; InvalidOid if there is none. */
static Oid
FindPartition(RowWriter *writer, Datum issued_at)
{
	PartitionKey key = RelationGetPartitionKey(writer->receipts);
	PartitionDesc partitions = RelationGetPartitionDesc(writer->receipts, !IsolationUsesXactSnapshot());
	bool		is_equal;
	int			bound;
	int			place;

	if (partitions->nparts == 0)
		return InvalidOid;
	bound = partition_range_datum_bsearch(key->partsupfunc, key->partcollation, partitions->boundinfo,
										  1, &issued_at, &is_equal);
	place = partitions->boundinfo->indexes[bound + 1];
	if (place < 0)
		place = partitions->boundinfo->default_index;
	return place < 0 ? InvalidOid : partitions->oids[place];
}

/* Opens an index of the open partition by the instant that has all rows; NULL if there is none. */
static Relation
FindIndexByInstant(RowWriter *writer)
{
	AttrNumber	instant = InvalidAttrNumber;

	for (int i = 0; i < writer->tables[0].ncolumns; i++)
	{
		if (writer->tables[0].columns[i].value == writer->issued_at)
			instant = writer->places[i];
	}
	for (int i = 0; i < writer->result->ri_NumIndices; i++)
	{
		IndexInfo  *info = writer->result->ri_IndexRelationInfo[i];
		Relation	index = writer->result->ri_IndexRelationDescs[i];

		if (index->rd_rel->relam == BTREE_AM_OID && index->rd_index->indisvalid && info->ii_ReadyForInserts &&
			info->ii_Predicate == NIL && info->ii_IndexAttrNumbers[0] == instant)
			return index;
	}
	return NULL;
}

/*
 * Has the instant no row, not even an uncommitted one? Returns false also if there is no
 * index to look in.
 */
static bool
HasNoRowOf(RowWriter *writer, Datum issued_at)
{
	Relation	index = FindIndexByInstant(writer);
	SnapshotData dirty;
	ScanKeyData key;
	IndexScanDesc scan;
	TupleTableSlot *slot;
	bool		found;

	if (index == NULL)
		return false;
	InitDirtySnapshot(dirty);
	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_TIMESTAMPTZ_EQ, issued_at);
	slot = table_slot_create(writer->partition, NULL);
	scan = CompatIndexBeginScan(writer->partition, index, &dirty, 1);
	index_rescan(scan, &key, 1, NULL, 0);
	found = index_getnext_slot(scan, ForwardScanDirection, slot);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	return !found;
}

/* Opens the partition of an instant, unless it is open; returns false if a query must write it. */
static bool
OpenPartition(RowWriter *writer, Datum issued_at)
{
	Oid			partition = FindPartition(writer, issued_at);
	MemoryContext caller;

	if (!OidIsValid(partition))
		return false;
	if (writer->partition && RelationGetRelid(writer->partition) == partition)
		return true;
	RowWriterFlush(writer, NULL);
	ClosePartition(writer);
	caller = MemoryContextSwitchTo(writer->estate->es_query_cxt);
	writer->partition = relation_open(partition, RowExclusiveLock);
	MemoryContextSwitchTo(caller);
	/*
	 * while we waited for the lock, a partition may have been attached that takes rows
	 * from the DEFAULT one
	 */
	if (FindPartition(writer, issued_at) != partition ||
		!TableIsPlain(writer->partition) || FiresOnInsert(writer->partition) ||
		HasChecks(writer->partition) || !FindPlaces(writer->partition, &writer->tables[0], writer->places))
	{
		ClosePartition(writer);
		return false;
	}
	caller = MemoryContextSwitchTo(writer->estate->es_query_cxt);
	writer->result = makeNode(ResultRelInfo);
	InitResultRelInfo(writer->result, writer->partition, 0, NULL, 0);
	ExecOpenIndices(writer->result, true);
	writer->slots = MakeSlots(writer, writer->partition);
	if (writer->room > 0 && !writer->keys->looked)
	{
		writer->keys->alone = DatumGetTimestampTz(issued_at) < GetCurrentTimestamp() &&
			HasNoRowOf(writer, issued_at);
		writer->keys->looked = true;
	}
	MemoryContextSwitchTo(caller);
	return true;
}

/* Makes the stored rows visible to what follows, also in the same statement. */
void
RowWriterClose(RowWriter *writer)
{
	ClosePartition(writer);
	for (int i = 0; i < writer->nbeside; i++)
	{
		DropSlots(writer, writer->beside[i].slots);
		if (writer->beside[i].table)
			table_close(writer->beside[i].table, NoLock);
	}
	table_close(writer->receipts, NoLock);
	if (writer->estate)
	{
		FreeExecutorState(writer->estate);
		CommandCounterIncrement();
	}
	pfree(writer);
}

/*
 * Prepares to store documents, as the current user, who is the owner of our tables.
 * Returns NULL if queries must do it.  The first table is that of receipts.  "place" is
 * the index of the value issued_at; the argument issued_at is that of the first
 * document.  "room" is how many rows may wait to be stored together.  These are all of
 * that instant, and "keys" has the keys of those of the statement so far.
 */
RowWriter *
RowWriterOpen(const RowTable *tables, int ntables, int place, TimestampTz issued_at, int room,
			  StoredKeys *keys)
{
	RowWriter  *writer;

	Assert(ntables <= 1 + ROW_MAX_BESIDE && (room == 0 || keys));
	if (XactReadOnly || IsInParallelMode())
		return NULL;			/* the query will raise the error */
	writer = palloc0(sizeof(RowWriter));
	writer->tables = tables;
	writer->nbeside = ntables - 1;
	writer->issued_at = place;
	writer->room = room;
	writer->nslots = Max(room, 1);
	writer->keys = keys;
	writer->receipts = table_open(AnswerTable(tables[0].name), RowExclusiveLock);
	if (IsPartitionedByInstant(writer->receipts) && MayStore(writer->receipts) && OpenAllBeside(writer))
	{
		writer->estate = CreateExecutorState();
		if (OpenPartition(writer, TimestampTzGetDatum(issued_at)))
			return writer;
	}
	RowWriterClose(writer);
	return NULL;
}

/* Puts the values of a row into a slot.  Columns without a value are NULL. */
static void
FillSlot(TupleTableSlot *slot, const RowTable *written, const AttrNumber *places, const Datum *values,
		 const char *nulls)
{
	ExecClearTuple(slot);
	memset(slot->tts_isnull, true, sizeof(bool) * slot->tts_tupleDescriptor->natts);
	for (int i = 0; i < written->ncolumns; i++)
	{
		int			value = written->columns[i].value;

		if (nulls[value] == 'n')
			continue;
		slot->tts_values[places[i] - 1] = values[value];
		slot->tts_isnull[places[i] - 1] = false;
	}
	ExecStoreVirtualTuple(slot);
}

/*
 * Inserts the row in the slot, with its index entries; returns false if the key exists.
 * The row is inserted first, because a key hardly ever exists.  If a unique index has
 * the key, the row is deleted again, which leaves a dead tuple.  Then the index is
 * checked, as the executor does first for ON CONFLICT, which waits for whoever is
 * storing the key.  If it then finds no conflict, we try again.  No index is
 * deferrable: such an index has a trigger, so the query would have to insert the row.
 */
static bool
InsertUnlessThere(RowWriter *writer, TupleTableSlot *slot)
{
	ItemPointerData there;
	CommandId	command = GetCurrentCommandId(true);

	for (bool lost = false;; )
	{
		uint32		token;

		CHECK_FOR_INTERRUPTS();
		if (lost && !CompatCheckIndexConstraints(writer->result, slot, writer->estate, &there))
			return false;
		lost = false;
		token = SpeculativeInsertionLockAcquire(GetCurrentTransactionId());
		table_tuple_insert_speculative(writer->partition, slot, command, 0, NULL, token);
		(void) CompatInsertIndexTuples(writer->result, slot, writer->estate, &lost);
		table_tuple_complete_speculative(writer->partition, slot, token, !lost);
		SpeculativeInsertionLockRelease(GetCurrentTransactionId());
		if (!lost)
			return true;
	}
}

/*
 * Puts the values of a row into slots of the other tables.  The rows wait there, or are
 * inserted.
 */
static void
PutBeside(RowWriter *writer, const Datum *values, const char *nulls)
{
	for (int i = 0; i < writer->nbeside; i++)
	{
		TableBeside *beside = &writer->beside[i];
		TupleTableSlot *slot = beside->slots[writer->waiting];

		FillSlot(slot, &writer->tables[i + 1], beside->places, values, nulls);
		if (writer->room > 0)
			ExecMaterializeSlot(slot);
		else
			table_tuple_insert(beside->table, slot, GetCurrentCommandId(true), 0, NULL);
	}
}

/*
 * Compresses the large values of a document as storing them would.  Then forming the
 * row, and keeping it while it waits, copies less, and a batch returns the value that
 * is stored.
 */
static void
CompressLarge(const RowWriter *writer, Datum *values, const char *nulls)
{
	const RowTable *written = &writer->tables[0];
	Size		small = Max(TOAST_TUPLE_THRESHOLD, (Size) RelationGetToastTupleTarget(writer->partition, 0));

	for (int i = 0; i < written->ncolumns; i++)
	{
		Form_pg_attribute column = TupleDescAttr(RelationGetDescr(writer->partition), writer->places[i] - 1);
		int			value = written->columns[i].value;
		Datum		compressed;

		if (nulls[value] == 'n' || column->attlen != -1 || column->attstorage != TYPSTORAGE_EXTENDED ||
			VARATT_IS_EXTENDED(DatumGetPointer(values[value])) ||
			VARSIZE(DatumGetPointer(values[value])) <= small)
			continue;
		compressed = toast_compress_datum(values[value], column->attcompression);
		if (DatumGetPointer(compressed) != NULL)
			values[value] = compressed;
	}
}

/* Is it certain that no row has a document's key yet? From now on the key counts as seen. */
static bool
IsNewKey(RowWriter *writer, const Datum *values)
{
	struct varlena *key = (struct varlena *) DatumGetPointer(values[writer->tables[0].columns[0].value]);
	bool		seen;

	keyset_insert(writer->keys->seen, HashKey(VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)), &seen);
	return writer->keys->alone && !seen;
}

/*
 * Stores a document, and the rows of the other tables.  Returns false, with nothing
 * stored, if queries must do it.  The command counter is incremented later, by
 * RowWriterClose.  If rows may wait, this one does, and the caller may free the values.
 * Large values are replaced by what is stored.
 */
bool
RowWriterPut(RowWriter *writer, Datum *values, const char *nulls)
{
	ItemPointerData there;
	TupleTableSlot *slot;
	bool		is_new;
	bool		stored;

	Assert(writer->waiting < writer->nslots);
	if (!OpenPartition(writer, values[writer->issued_at]))
		return false;
	slot = writer->slots[writer->waiting];
	CompressLarge(writer, values, nulls);
	FillSlot(slot, &writer->tables[0], writer->places, values, nulls);
	if (RelationGetDescr(writer->partition)->constr)
		ExecConstraints(writer->result, slot, writer->estate);
	/* also for a row that does not wait, because the statement may have the same one again */
	is_new = writer->keys && IsNewKey(writer, values);
	stored = writer->room > 0 ? is_new ||
		CompatCheckIndexConstraints(writer->result, slot, writer->estate, &there) :
		InsertUnlessThere(writer, slot);
	if (stored)
		PutBeside(writer, values, nulls);
	if (stored && writer->room > 0)
	{
		ExecMaterializeSlot(slot);
		writer->waiting++;
	}
	ResetPerTupleExprContext(writer->estate);
	return stored;
}

/* Returns how many rows wait. */
int
RowWriterWaiting(const RowWriter *writer)
{
	return writer->waiting;
}

/* May a waiting row have this text in its first column, which is the key? */
bool
RowWriterMightHold(const RowWriter *writer, const char *key)
{
	return writer->waiting > 0 && keyset_lookup(writer->keys->seen, HashKey(key, strlen(key))) != NULL;
}

/* Drops the waiting rows, because their subtransaction was rolled back.  From now on no row waits. */
void
RowWriterDropWaiting(RowWriter *writer)
{
	ResetPerTupleExprContext(writer->estate);
	writer->waiting = 0;
	writer->room = 0;
}

/* Stores the waiting rows.  "at" says, even after an error, which row it is about, or -1. */
void
RowWriterFlush(RowWriter *writer, volatile int *at)
{
	CommandId	command;

	if (writer->waiting == 0)
		return;
	command = GetCurrentCommandId(true);
	table_multi_insert(writer->partition, writer->slots, writer->waiting, command, 0, NULL);
	for (int i = 0; i < writer->waiting; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (at)
			*at = i;
		(void) CompatInsertIndexTuples(writer->result, writer->slots[i], writer->estate, NULL);
		ResetPerTupleExprContext(writer->estate);
	}
	if (at)
		*at = -1;
	for (int i = 0; i < writer->nbeside; i++)
		table_multi_insert(writer->beside[i].table, writer->beside[i].slots, writer->waiting, command, 0, NULL);
	writer->waiting = 0;
}
