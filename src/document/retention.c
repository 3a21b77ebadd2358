/*-------------------------------------------------------------------------
 *
 * retention.c
 *		Detached partitions, and the signed documents about them.
 *
 * Rule: doc/spec/document.md §8. detach.c mints documents of the kind retention/v1.
 * They name the leaves of the log whose receipts were detached, so that the audit can
 * tell these from receipts that were lost.
 *
 * To find out whether a missing receipt was detached, these documents are read with
 * the rights of whoever asks for it (tenant.c).  Then the leaves of that time are
 * searched, because their index begins with the instant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/retention.h"
#include "document/signed.h"

#define RETENTION_ID_PREFIX	"ret_"
#define MOST_DIGITS			18		/* of a number of leaves; any such number fits */

/*
 * the kind retention/v1
 */

/* Reads an integer of at least 0. */
static bool
GetCount(const JsonView *object, const char *key, uint64 *count)
{
	JsonView	view;
	PlainNumber plain;

	if (!JsonViewGetMember(object, key, &view) || view.type != JVIEW_NUMBER ||
		!NumberPlain(&view, &plain) || !plain.is_integer || plain.len > MOST_DIGITS ||
		plain.text[0] == '-')
		return false;
	*count = strtou64(pnstrdup(plain.text, plain.len), NULL, 10);
	return true;
}

/*
 * Reads one of the ranges of leaves that a document names; returns false if it does not
 * exist or is malformed.
 */
bool
RetentionRange(const JsonView *document, int index, LeafRange *range)
{
	JsonView	leaves;
	JsonView	element;

	return JsonViewGetMember(document, "leaves", &leaves) && leaves.type == JVIEW_ARRAY &&
		JsonViewElement(&leaves, index, &element) && element.type == JVIEW_OBJECT &&
		GetCount(&element, "first", &range->first) && GetCount(&element, "last", &range->last) &&
		range->first <= range->last;
}

static const char *
LeavesProblem(const JsonView *document, int count)
{
	JsonView	log = JsonViewUnder(document, "log");
	uint64		tree_size = 0;
	uint64		end = 0;		/* of the range before */

	if (log.type != JVIEW_NULL &&
		(log.type != JVIEW_OBJECT || !GetCount(&log, "tree_size", &tree_size)))
		return "log has no tree_size";
	for (int i = 0; i < count; i++)
	{
		LeafRange	range;

		if (!RetentionRange(document, i, &range))
			return "a range of leaves is malformed";
		/* a range that begins where the previous one ends would be part of that */
		if (i > 0 && range.first <= end)
			return "the ranges of leaves are not in order";
		end = range.last + 1;
	}
	return end > tree_size ? "a leaf is beyond the log" : NULL;
}

static const char *
PeriodProblem(const JsonView *document, bool has_leaves)
{
	JsonView	first = JsonViewUnder(document, "first_issued_at");
	JsonView	last = JsonViewUnder(document, "last_issued_at");
	TimestampTz from;
	TimestampTz to;
	bool		good;

	if (has_leaves)
		good = InstantOfView(&first, &from) && InstantOfView(&last, &to) && from <= to;
	else
		good = first.type == JVIEW_NULL && last.type == JVIEW_NULL;
	return good ? NULL : "first_issued_at and last_issued_at are not the ends of a period";
}

/* Are the members valid, and do the ranges fit the log? */
static const char *
RetentionClosureProblem(const JsonView *document)
{
	JsonView	partition = JsonViewUnder(document, "partition");
	JsonView	kept_in = JsonViewUnder(document, "kept_in");
	JsonView	leaves = JsonViewUnder(document, "leaves");
	uint64		receipts;
	const char *problem;

	if (partition.type != JVIEW_STRING || kept_in.type != JVIEW_STRING)
		return "partition or kept_in is no text";
	if (!GetCount(document, "receipts", &receipts))
		return "receipts is no integer from 0 on";
	if (leaves.type != JVIEW_ARRAY)
		return "leaves is no array";
	problem = LeavesProblem(document, JsonViewCount(&leaves));
	return problem ? problem : PeriodProblem(document, JsonViewCount(&leaves) > 0);
}

/* The number of receipts must follow from the leaves. */
static JsonView
ReplayRetention(const JsonView *document)
{
	uint64		receipts;
	uint64		leaves = 0;
	LeafRange	range;

	for (int i = 0; RetentionRange(document, i, &range); i++)
		leaves += range.last - range.first + 1;
	return ReportStep(GetCount(document, "receipts", &receipts) && receipts == leaves ?
					  NULL : "receipts is not the number of leaves");
}

static bool
ReadRetentionColumns(const JsonView *body, KindColumns *columns)
{
	static const char verdict[] = "detached";

	columns->verdict = (Span) {verdict, strlen(verdict)};
	return true;
}

static const char *const retention_members[] = {
	"partition", "kept_in", "receipts", "first_issued_at", "last_issued_at", "leaves", "log", NULL
};

const DocumentKind retention_kind = {
	.schema = RETENTION_SCHEMA,
	.prefix = RETENTION_ID_PREFIX,
	.members = retention_members,
	.closure_problem = RetentionClosureProblem,
	.verify_replay = ReplayRetention,
	.replay = ReplayRetention,
	.read_columns = ReadRetentionColumns,
	.keep_hint = "The audit tells by them receipts that were detached from receipts that are gone. They have no content of receipts in them."
};

/*
 * receipts that were detached
 */

/* Runs a query with the latest snapshot; a parallel worker has only the one of the query. */
static QueryRows
AskNow(FixedQuery *query, Datum *values)
{
	if (IsInParallelMode())
		return QueryRun(query, values, NULL, true, 0);
	return QueryRunLatest(query, values, NULL, 0);
}

/* Reads the documents about detached partitions that the current user may see. */
static QueryRows
ReadRetentions(void)
{
	static FixedQuery query = {
		.text = "SELECT receipt_id, body FROM answer.receipt"
		" WHERE schema OPERATOR(pg_catalog.=) '" RETENTION_SCHEMA "' ORDER BY issued_at"
	};

	return AskNow(&query, NULL);
}

static bool
NamesLeaf(const JsonView *document, uint64 leaf_index)
{
	LeafRange	range;

	for (int i = 0; RetentionRange(document, i, &range); i++)
	{
		if (leaf_index >= range.first && leaf_index <= range.last)
			return true;
	}
	return false;
}

FixedQuery *leaves_of_receipt;

/* Does a document name a leaf of the receipt? If so, gives the time of issue. */
static bool
NamesReceipt(const JsonView *document, text *receipt_id, const TimestampTz *issued_at,
			 TimestampTz *found_at)
{
	JsonView	first;
	JsonView	last;
	TimestampTz from;
	TimestampTz to;
	Datum		values[3];
	bool		found = false;
	QueryRows	rows;

	if (!JsonViewGetMember(document, "first_issued_at", &first) || !InstantOfView(&first, &from) ||
		!JsonViewGetMember(document, "last_issued_at", &last) || !InstantOfView(&last, &to) ||
		(issued_at && (*issued_at < from || *issued_at > to)))
		return false;
	values[0] = TimestampTzGetDatum(issued_at ? *issued_at : from);
	values[1] = TimestampTzGetDatum(issued_at ? *issued_at : to);
	values[2] = PointerGetDatum(receipt_id);
	AS_OWNER(rows = AskNow(leaves_of_receipt, values));
	for (uint64 i = 0; i < rows.count && !found; i++)
	{
		found = NamesLeaf(document, DatumGetInt64(ColumnDatum(rows.table, i, 1)));
		(void) ColumnInstant(rows.table, i, 2, found_at);
	}
	QueryFree(&rows);
	return found;
}

/*
 * Finds out whether a receipt was detached, as far as the current user may know.
 * issued_at, if given, must be that of the receipt.  The log does not say to which
 * tenant a missing receipt belonged.  So only those who may read the operator's data
 * are told; for tenants such a receipt does not exist.  SPI must be connected.
 */
bool
FindDetached(Datum tenants, text *receipt_id, const TimestampTz *issued_at, DetachedReceipt *found)
{
	TenantReading reading;
	bool		is_detached = false;
	QueryRows	rows;

	if (!ReadsOperators(tenants) ||
		!FindKindOfId(VARDATA_ANY(receipt_id), VARSIZE_ANY_EXHDR(receipt_id)))
		return false;
	TenantReadBegin(&reading);
	rows = ReadRetentions();
	TenantReadEnd(&reading);
	for (uint64 i = 0; i < rows.count && !is_detached; i++)
	{
		JsonView	view;
		Span		kept_in = {"", 0};

		CHECK_FOR_INTERRUPTS();
		JsonViewOfJsonb(ColumnJsonb(rows.table, i, 2), &view);
		is_detached = NamesReceipt(&view, receipt_id, issued_at, &found->issued_at);
		if (!is_detached)
			continue;
		(void) JsonViewGetString(&view, "kept_in", &kept_in);
		kept_in.str = JsonUtf8ToServer(kept_in.str, kept_in.len, &kept_in.len);
		found->kept_in = pnstrdup(kept_in.str, kept_in.len);
		found->document = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 1);
	}
	QueryFree(&rows);
	return is_detached;
}

/* Raises an error if a missing receipt was detached.  SPI must be connected. */
void
RefuseDetached(Datum tenants, text *receipt_id, const TimestampTz *issued_at, const char *hint)
{
	DetachedReceipt found;

	if (!FindDetached(tenants, receipt_id, issued_at, &found))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("receipt \"%s\" is kept in %s", text_to_cstring(receipt_id), found.kept_in),
			 errdetail("Its partition was detached, as document \"%s\" says.", found.document),
			 errhint("%s", hint)));
}

/*
 * Warns a function that searches all receipts that some are elsewhere.  Only the
 * operator is told where; a tenant is told whom to ask.  SPI must be connected.
 */
void
WarnOfDetached(Datum tenants)
{
	StringInfoData tables;
	QueryRows	rows;

	rows = ReadRetentions();
	if (rows.count == 0)
		return;
	if (!ReadsOperators(tenants))
	{
		QueryFree(&rows);
		ereport(WARNING,
				(errmsg("receipts that were detached are not searched"),
				 errhint("The operator keeps them, if there are any of yours, and erases what is in them.")));
		return;
	}
	initStringInfo(&tables);
	for (uint64 i = 0; i < rows.count; i++)
	{
		JsonView	view;
		Span		kept_in = {"", 0};

		JsonViewOfJsonb(ColumnJsonb(rows.table, i, 2), &view);
		(void) JsonViewGetString(&view, "kept_in", &kept_in);
		kept_in.str = JsonUtf8ToServer(kept_in.str, kept_in.len, &kept_in.len);
		appendStringInfo(&tables, "%s%.*s", i > 0 ? ", " : "", kept_in.len, kept_in.str);
	}
	QueryFree(&rows);
	ereport(WARNING,
			(errmsg("receipts that were detached are not searched"),
			 errdetail("They were kept in: %s.", tables.data),
			 errhint("Search these tables, wherever they are now, and erase what is in them.")));
}

/*
 * SQL
 */

/* answer.refuse_detached(receipt_id, issued_at): for answer_receipt, which is in SQL */
PG_FUNCTION_INFO_V1(answer_eval_refuse_detached);
Datum
answer_eval_refuse_detached(PG_FUNCTION_ARGS)
{
	TimestampTz issued_at = PG_ARGISNULL(1) ? 0 : PG_GETARG_TIMESTAMPTZ(1);

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	SPI_connect();
	RefuseDetached(PointerGetDatum(ReadableTenants()), PG_GETARG_TEXT_PP(0), PG_ARGISNULL(1) ? NULL : &issued_at,
				   "Read it there, in column body; answer_verify() verifies it as before.");
	SPI_finish();
	PG_RETURN_NULL();
}
