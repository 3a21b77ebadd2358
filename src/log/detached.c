/*-------------------------------------------------------------------------
 *
 * detached.c
 *		Tells an audit which receipts are kept elsewhere.
 *
 * A detached partition of answer.receipt leaves behind its leaves in the log, and
 * a signed document (retention/v1, retention.c) that names them.  The audit
 * believes such a document if its signature holds, it is about this log, and its
 * ranges are consistent.  Then a missing receipt in one of the ranges counts as
 * detached.  The document itself is audited like any other receipt, and its
 * defects are reported there.
 *
 * Promises: those of audit.c, because it is part of an audit.  Memory for each
 * range of leaves, not for each leaf.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/grow.h"
#include "base/search.h"
#include "base/spi_query.h"
#include "document/kind.h"
#include "document/retention.h"
#include "document/store.h"
#include "log/detached.h"

/* Is a document about this database's log, as it was sealed then? */
static bool
IsOfThisLog(Jsonb *body)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.checkpoint"
		" WHERE tree_size OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.#>>) '{log,tree_size}')::pg_catalog.int8"
		" AND origin OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.#>>) '{log,origin}')"
		" AND pg_catalog.encode(root_hash, 'base64') OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.#>>) '{log,root_hash}')",
		.argtypes = {JSONBOID}
	};
	Datum		value = JsonbPGetDatum(body);

	return QueryFound(QueryRun(&query, &value, NULL, true, 1));
}

static void
AddRange(DetachedLeaves *detached, const DetachedRange *range)
{
	GROW_ARRAY(detached->ranges, detached->count, detached->allocated, 16);
	detached->ranges[detached->count++] = *range;
}

/* Adds the ranges of a document, if it can be trusted. */
static void
TakeDocument(DetachedLeaves *detached, SPITupleTable *table, uint64 row)
{
	Jsonb	   *body = ColumnJsonb(table, row, 2);
	DetachedRange range = {.found = 0};
	MemoryContext each = CurrentMemoryContext;
	JsonView	view;
	Span		kept_in = {"", 0};

	if (body == NULL || !JsonbIsReadable(body))
		return;
	JsonViewOfJsonb(body, &view);
	if (FindKindOfDocument(&view) != &retention_kind ||
		FindKindProblem(&retention_kind, &view) || AuditKeyProblem(&view) || !IsOfThisLog(body))
		return;
	(void) JsonViewGetString(&view, "kept_in", &kept_in);
	MemoryContextSwitchTo(detached->context);
	range.kept_in = pstrdup(JsonUtf8ToServer(kept_in.str, kept_in.len, &kept_in.len));
	range.document = SPI_getvalue(table->vals[row], table->tupdesc, 1);
	for (int i = 0; RetentionRange(&view, i, &range.leaves); i++)
		AddRange(detached, &range);
	MemoryContextSwitchTo(each);
}

static int
CompareRanges(const void *a, const void *b)
{
	const DetachedRange *left = a;
	const DetachedRange *right = b;

	return left->leaves.first < right->leaves.first ? -1 : left->leaves.first > right->leaves.first;
}

/* Reads which leaves were detached, into the current memory context. */
DetachedLeaves *
ReadDetached(void)
{
	static FixedQuery query = {
		.text = "SELECT receipt_id, body FROM answer.receipt"
		" WHERE schema OPERATOR(pg_catalog.=) '" RETENTION_SCHEMA "'"
	};
	DetachedLeaves *detached = palloc0(sizeof(DetachedLeaves));
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext,
											   "answer_eval audit of what was detached",
											   ALLOCSET_DEFAULT_SIZES);
	QueryRows	rows;

	detached->context = CurrentMemoryContext;
	detached->allocated = 16;
	detached->ranges = palloc(sizeof(DetachedRange) * detached->allocated);
	rows = QueryRun(&query, NULL, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(each);
		TakeDocument(detached, rows.table, i);
		MemoryContextSwitchTo(detached->context);
		MemoryContextReset(each);
	}
	QueryFree(&rows);
	MemoryContextDelete(each);
	qsort(detached->ranges, detached->count, sizeof(DetachedRange), CompareRanges);
	return detached;
}

static DetachedRange *
RangeOfLeaf(const DetachedLeaves *detached, uint64 leaf_index)
{
	int			low = 0;

	FIRST_PLACE(low, detached->count, at, detached->ranges[at].leaves.last < leaf_index);
	if (low < detached->count && detached->ranges[low].leaves.first <= leaf_index)
		return &detached->ranges[low];
	return NULL;
}

/* Does a trusted document name the leaf? */
bool
IsDetached(const DetachedLeaves *detached, uint64 leaf_index)
{
	return RangeOfLeaf(detached, leaf_index) != NULL;
}

/* Does the same for a leaf whose receipt is missing, and counts it. */
bool
NoteDetached(DetachedLeaves *detached, uint64 leaf_index)
{
	DetachedRange *range = RangeOfLeaf(detached, leaf_index);

	if (range)
		range->found++;
	return range != NULL;
}

/* Reports one row for each range, which may cover many millions of receipts. */
void
ReportDetached(Audit *audit, const DetachedLeaves *detached)
{
	for (int i = 0; i < detached->count; i++)
	{
		const DetachedRange *range = &detached->ranges[i];

		if (range->found > 0)
			AuditReport(audit, range->leaves.first, range->document, "detached",
						psprintf("the receipts of the leaves from " UINT64_FORMAT " to " UINT64_FORMAT ", " UINT64_FORMAT " of them audited, were kept in %s",
								 range->leaves.first, range->leaves.last, range->found, range->kept_in));
	}
}
