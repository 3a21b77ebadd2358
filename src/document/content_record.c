/*-------------------------------------------------------------------------
 *
 * content_record.c
 *		Signed records of documents, graphs and memory.
 *
 * What decisions quote lies in tables that their owner can edit, triggers or not. So
 * whatever changes documents, a graph or memory signs a record of it (change/v1),
 * which the log takes in. For the documents of a tenant and the graph of a project,
 * the record has the sum of their rows (row_sum.h), which a load changes by the rows
 * that it adds and removes. In memory, each key has records of its own, for plans that
 * write different keys must not wait for each other: its name is the key's digest, and
 * its state the digest of the row, and when that expires.
 *
 * The functions that load and erase ask for a record.  What else changes rows, such as a
 * COPY by the owner, is recorded at the end of the transaction by a trigger of the row
 * that has the sum.  Before a function changes more, it has what is pending recorded
 * (answer.content_settle()), for its own record must follow upon that; afterwards it has
 * the triggers of its own changes fire, which find that these are told.  Where a constraint
 * trigger of somebody's calls it while these triggers fire, one that is about to fire
 * cannot be brought forward: then the function is refused, and nobody's edit is told of.
 *
 * A restore is not recorded: its records come with the receipts. For documents, it
 * inserts the row that has the sum, which no trigger looks at. For graphs, it is known
 * by what pg_dump and pg_restore set: check_function_bodies is off and search_path
 * empty, which counts for the operator alone. A session may go on like that after it
 * has read a dump, so answer_graph_embed() has itself recorded at once then. An
 * operator who sets both and changes rows of a graph himself leaves a change of which
 * no record tells.
 *
 * Promises: as change.c's.  Nothing that a caller states is signed but the sum that he
 * says he has found, and that only as one upon which the record does not follow.
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

/* The documents of suites have no tenant, and the signed digest of their suite. */
static bool
IsSuite(const text *tenant)
{
	return VARSIZE_ANY_EXHDR(tenant) > 0 && VARDATA_ANY(tenant)[0] == '#';
}

static Span
BytesOf(Datum bytes)
{
	bytea	   *value = DatumGetByteaPP(bytes);

	return SpanOf(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

/* answer.content_record_put(tenant, kind, name, found) */
PG_FUNCTION_INFO_V1(answer_eval_content_record_put);
Datum
answer_eval_content_record_put(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	char	   *kind = text_to_cstring(PG_GETARG_TEXT_PP(1));
	Span		found;
	Oid			user;
	int			context;

	if (IsSuite(tenant))
		PG_RETURN_VOID();
	RequireTenant(tenant);
	if (strcmp(kind, CHANGE_DOCUMENTS) != 0 && strcmp(kind, CHANGE_GRAPH) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is no kind of content", kind),
				 errdetail("It must be documents or graph.")));
	found = BytesOf(PG_GETARG_DATUM(3));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	(void) RecordContent(tenant, kind, TextArgument(fcinfo, 2), &found, NULL,
						 DatumGetInt32(DirectFunctionCall1(pg_trigger_depth, (Datum) 0)) > 0);
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_VOID();
}

/* The sum in a row of the trigger's table; false without a row. */
static bool
SumOfRow(HeapTuple row, TupleDesc desc, Span *sum)
{
	bool		isnull;
	Datum		datum;

	if (row == NULL)
		return false;
	datum = SPI_getbinval(row, desc, SPI_fnumber(desc, "sum"), &isnull);
	*sum = isnull ? SpanOf("", 0) : BytesOf(datum);
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
	Oid			user;
	int			context;

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
	AnswerAsOwner(&user, &context);
	(void) RecordContent(cstring_to_text(tenant), project > 0 ? CHANGE_GRAPH : CHANGE_DOCUMENTS, name,
						 has_found ? &found : NULL, has_next ? &next : NULL, false);
	AnswerAsCaller(user, context);
	SPI_finish();
	return PointerGetDatum(NULL);
}
