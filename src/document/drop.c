/*-------------------------------------------------------------------------
 *
 * drop.c
 *		Receipts are not dropped by accident.
 *
 * Rule: doc/operations.md.  A command that would drop a partition of
 * answer.receipt with rows in it is refused, whatever takes the partition
 * along: DROP EXTENSION, DROP SCHEMA … CASCADE of the schema that the
 * extension is in, DROP OWNED BY its owner, DROP TABLE of the partition. DROP
 * DATABASE drops no object in the database, and stays possible.
 *
 * How: the server tells a library of each object before it is dropped
 * (object_access_hook), but only a library that the session has loaded.  So the
 * extension has an event trigger on the commands that drop (ddl_command_start),
 * whose function is here: calling it loads the library, and then the hook is
 * there for the rest of that very command.  The trigger itself cannot know what
 * CASCADE will reach.  One on sql_drop could, but runs when the objects are gone,
 * and is gone itself if it belongs to the extension; outside of the extension
 * nobody would restore, upgrade or audit it.
 *
 * Promises: refuses before anything is lost, for the transaction rolls back;
 * nothing is refused in a database without receipts.  Whoever may disable the
 * event trigger or load another library is a superuser, and so is whoever may set
 * answer_eval.allow_drop.
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
 * Is it a table that the extension made for receipts?  It is known by what it
 * is, for a table can be renamed, moved to a schema, or detached by hand.
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

/* Is it a table that has rows of the table of receipts, which goes after its parts? */
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

/* The command has locked the table, so there is nobody else whose rows could come. */
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

/* Called by the server with each object that is made, changed or dropped. */
static void
OnObjectAccess(ObjectAccessType access, Oid class, Oid object, int sub_object, void *arg)
{
	if (next_hook)
		next_hook(access, class, object, sub_object, arg);
	if (access == OAT_DROP && class == RelationRelationId && sub_object == 0 && !answer_eval_allow_drop &&
		IsPartOfReceipts(object) && HasRows(object))
		RefuseDrop(object);
}

/* To be called when the library is loaded. */
void
DropGuardWatch(void)
{
	next_hook = object_access_hook;
	object_access_hook = OnObjectAccess;
}

/*
 * SQL
 */

/* answer.drop_guard(): that it was called is all that is wanted. */
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
