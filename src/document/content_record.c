/*-------------------------------------------------------------------------
 *
 * content_record.c
 *		Signed records of documents, graphs and memory.
 *
 * Decisions quote content from tables that their owner can edit, despite triggers.  So
 * whatever changes documents, a graph or memory signs a record of it (change/v1), which
 * goes into the log.  For the documents of a tenant and the graph of a project, the
 * record has the sum of their rows (row_sum.h).  A load changes the sum by the rows that
 * it adds and removes.  In memory each key has records of its own, because plans that
 * write different keys must not wait for each other.  Such a record's name is the digest
 * of the key.  Its state is the digest of the row and the time when the row expires.
 *
 * The functions that load and erase request a record.  Other changes, such as a COPY by
 * the owner, are recorded at the end of the transaction by a trigger on the row that has
 * the sum.  Before a function makes a change, it has pending changes recorded
 * (answer.content_settle()), because its own record must follow theirs.  Afterwards it
 * has the triggers of its own changes fire, which find these changes recorded.  If a
 * user's constraint trigger calls the function while these triggers fire, a trigger that
 * is about to fire cannot be brought forward.  Then the function is refused, and nobody's
 * edit is recorded.
 *
 * A restore makes no records, because its records come with the receipts.  For documents
 * it inserts the row that has the sum, and no trigger fires on that.  For graphs it is
 * recognized by the settings of pg_dump and pg_restore: check_function_bodies is off and
 * search_path is empty.  This counts for the operator only.  A session may keep these
 * settings after it has read a dump, so answer_graph_embed() then has its change recorded
 * at once.  An operator who sets both and changes rows of a graph by hand leaves a change
 * without a record.
 *
 * Promises: those of change.c.  Nothing that a caller states is signed, except the sum
 * that the caller claims to have found, and that only as a sum that the record does not
 * follow from.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/rel.h"

#include "base/funcargs.h"
#include "base/jsonview.h"
#include "base/owner.h"
#include "base/tenant.h"
#include "document/change.h"

/*
 * The documents of suites belong to no real tenant; the signed digest of their suite
 * covers them.
 */
static bool
IsSuite(const text *tenant)
{
	return VARSIZE_ANY_EXHDR(tenant) > 0 && VARDATA_ANY(tenant)[0] == '#';
}

/* answer.content_record_put(tenant, kind, name, found) */
PG_FUNCTION_INFO_V1(answer_eval_content_record_put);
Datum
answer_eval_content_record_put(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	char	   *kind = text_to_cstring(PG_GETARG_TEXT_PP(1));
	Span		found;

	if (IsSuite(tenant))
		PG_RETURN_VOID();
	RequireTenant(tenant);
	if (strcmp(kind, CHANGE_DOCUMENTS) != 0 && strcmp(kind, CHANGE_GRAPH) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is no kind of content", kind),
				 errdetail("It must be documents or graph.")));
	found = ByteaSpan(PG_GETARG_DATUM(3));
	SPI_connect();
	AS_OWNER((void) RecordContent(tenant, kind, TextArgument(fcinfo, 2), &found, NULL,
								  DatumGetInt32(DirectFunctionCall1(pg_trigger_depth, (Datum) 0)) > 0));
	SPI_finish();
	PG_RETURN_VOID();
}

/* Gives the sum in a row of the trigger's table; returns false if there is no row. */
static bool
SumOfRow(HeapTuple row, TupleDesc desc, Span *sum)
{
	bool		isnull;
	Datum		datum;

	if (row == NULL)
		return false;
	datum = SPI_getbinval(row, desc, SPI_fnumber(desc, "sum"), &isnull);
	*sum = isnull ? SpanOf("", 0) : ByteaSpan(datum);
	return true;
}

/* Is a dump being restored? */
static bool
IsRestore(void)
{
	return !check_function_bodies && namespace_search_path[0] == '\0' && SessionIsOperator();
}

/* Trigger answer.content_changed() */
PG_FUNCTION_INFO_V1(answer_eval_content_changed);
Datum
answer_eval_content_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	TupleDesc	desc;
	HeapTuple	old;
	HeapTuple	new;
	HeapTuple	row;
	Span		found;
	Span		next;
	bool		has_found;
	bool		has_next;
	int			project;
	char	   *tenant;
	Span		name = SpanOfCString(CHANGE_DOCUMENTS);

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) || TRIGGER_FIRED_BEFORE(trigger->tg_event))
		elog(ERROR, "answer.content_changed() is a trigger after each row");
	desc = RelationGetDescr(trigger->tg_relation);
	project = SPI_fnumber(desc, "project");
	if (project > 0 && IsRestore())
		return PointerGetDatum(NULL);
	old = TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ? NULL : trigger->tg_trigtuple;
	new = TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ? trigger->tg_trigtuple :
		TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : NULL;
	row = new ? new : old;
	has_found = SumOfRow(old, desc, &found);
	has_next = SumOfRow(new, desc, &next);
	tenant = SPI_getvalue(row, desc, SPI_fnumber(desc, "tenant"));
	if (IsSuite(cstring_to_text(tenant)))
		return PointerGetDatum(NULL);
	SPI_connect();
	if (project > 0)
	{
		char	   *value = SPI_getvalue(row, desc, project);

		name.str = JsonServerToUtf8(value, strlen(value), &name.len);
	}
	AS_OWNER((void) RecordContent(cstring_to_text(tenant), project > 0 ? CHANGE_GRAPH : CHANGE_DOCUMENTS, name,
								  has_found ? &found : NULL, has_next ? &next : NULL, false));
	SPI_finish();
	return PointerGetDatum(NULL);
}
