/*-------------------------------------------------------------------------
 *
 * drop.c
 *		Protects receipts from being dropped by accident.
 *
 * Manual: doc/operations.md.  A command that would drop a partition of
 * answer.receipt with rows in it is refused, whichever way it reaches the
 * partition: DROP EXTENSION, DROP SCHEMA … CASCADE of the extension's schema,
 * DROP OWNED BY its owner, or DROP TABLE of the partition.  DROP DATABASE drops
 * no object in the database, and remains possible.
 *
 * The server calls a hook before each object is dropped (object_access_hook), but
 * only in a library that the session has loaded.  So the extension has an event
 * trigger on the commands that drop (ddl_command_start), whose function is here.
 * Calling the function loads the library, and the hook then works for the rest of
 * that very command.  The event trigger itself cannot know what CASCADE will
 * reach.  A trigger on sql_drop could know, but it runs when the objects are
 * gone.  If it belonged to the extension it would be gone too; if it did not,
 * nobody would restore, upgrade or audit it.
 *
 * Promises: refuses before anything is lost, because the transaction rolls back.
 * Nothing is refused in a database without receipts.  Only a superuser can
 * disable the event trigger, load another library, or set answer_eval.allow_drop.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "commands/event_trigger.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/settings.h"
#include "document/drop.h"

static object_access_hook_type next_hook = NULL;

/*
 * Is it a table that the extension made for receipts? It is recognized by its
 * structure, because a table can be renamed, moved to another schema, or detached by
 * hand.
 */
static bool
IsTableOfReceipts(Oid relation)
{
	Oid			extension = get_extension_oid("answer_eval", true);

	return OidIsValid(extension) &&
		getExtensionOfObject(RelationRelationId, relation) == extension &&
		get_attnum(relation, "receipt_id") != InvalidAttrNumber &&
		get_attnum(relation, "key_id") != InvalidAttrNumber &&
		get_attnum(relation, "body") != InvalidAttrNumber;
}

/*
 * Is it a table with rows of receipts, such as a partition? The partitioned table is
 * dropped after its partitions.
 */
static bool
IsPartOfReceipts(Oid relation)
{
	ListCell   *ancestor;

	if (get_rel_relkind(relation) != RELKIND_RELATION)
		return false;
	if (IsTableOfReceipts(relation))
		return true;
	if (!get_rel_relispartition(relation))
		return false;
	foreach(ancestor, get_partition_ancestors(relation))
	{
		if (IsTableOfReceipts(lfirst_oid(ancestor)))
			return true;
	}
	return false;
}

/* Has a table rows? The command has locked it, so nobody else can add any. */
static bool
HasRows(Oid relation)
{
	Relation	table = table_open(relation, NoLock);
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	TableScanDesc scan = table_beginscan(table, snapshot, 0, NULL);
	TupleTableSlot *slot = table_slot_create(table, NULL);
	bool		found = table_scan_getnextslot(scan, ForwardScanDirection, slot);

	ExecDropSingleTupleTableSlot(slot);
	table_endscan(scan);
	UnregisterSnapshot(snapshot);
	table_close(table, NoLock);
	return found;
}

static void
RefuseDrop(Oid relation)
{
	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("cannot drop table %s because it has receipts",
					quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)),
											   get_rel_name(relation))),
			 errdetail("Signed documents would be lost, and what others hold of them could not be proved any more."),
			 errhint("Take a partition out with answer_receipt_detach(). To drop the extension with all receipts, a superuser sets answer_eval.allow_drop to on for the session.")));
}

/* Hook that the server calls for each object that is created, altered or dropped. */
static void
OnObjectAccess(ObjectAccessType access, Oid class, Oid object, int sub_object, void *arg)
{
	if (next_hook)
		next_hook(access, class, object, sub_object, arg);
	if (access == OAT_DROP && class == RelationRelationId && sub_object == 0 && !answer_eval_allow_drop &&
		IsPartOfReceipts(object) && HasRows(object))
		RefuseDrop(object);
}

/* Called when the library is loaded. */
void
DropGuardWatch(void)
{
	next_hook = object_access_hook;
	object_access_hook = OnObjectAccess;
}

/*
 * SQL
 */

/* answer.drop_guard(): does nothing; calling it loads the library */
PG_FUNCTION_INFO_V1(answer_eval_drop_guard);
Datum
answer_eval_drop_guard(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.drop_guard() must be called as an event trigger")));
	PG_RETURN_NULL();
}
