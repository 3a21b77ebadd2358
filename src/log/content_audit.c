/*-------------------------------------------------------------------------
 *
 * content_audit.c
 *		What audits of stored content share: sums of rows, and the choice of
 *		sets.
 *
 * A set is the documents of a tenant, or the graph of a project.  The sum of its rows
 * (document/row_sum.c) is in a row of its own, and in the newest signed record about the
 * set (document/content_record.c). reference_audit.c compares these two.  The directories
 * that own the tables compare the rows with the stored sum; they use the functions here.
 *
 * An audit that is not whole skips the sets whose newest record an earlier audit has
 * covered.
 *
 * Promises: those of audit.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "base/spi_query.h"
#include "log/content_audit.h"

typedef struct Adding
{
	const char *table;
	ContentSum *sum;
} Adding;

static void
AddRow(Audit *audit, AuditRow *row)
{
	const Adding *adding = row->state;
	uint8		sha256[SHA256_LENGTH];
	bool		isnull;
	Datum		stored = RowDatum(row, 1, &isnull);

	RowDigest(adding->table, DatumGetHeapTupleHeader(stored), sha256);
	RowSumChange(&adding->sum->sum, sha256, true);
	adding->sum->count++;
}

/* Adds the rows of a table that belong to a tenant, and to a project if there is a second value. */
void
AuditSumRows(Audit *audit, const char *table, int nargs, Datum *values, ContentSum *sum)
{
	Adding		adding = {.table = table,.sum = sum};

	AuditForEachRowOf(audit, psprintf("SELECT t FROM answer.%s t WHERE t.tenant = $1%s", table,
									  nargs > 1 ? " AND t.project = $2" : ""), nargs, values, AddRow, &adding);
}

/* Is it equal to the stored sum? */
bool
AuditSumIs(const ContentSum *sum, Span stored)
{
	RowSum		read;

	return RowSumOfBytes(stored.str, stored.len, &read) && memcmp(&read, &sum->sum, sizeof(read)) == 0;
}

/*
 * Returns the sets to audit.  "sets" is a query for the tenant and name of each,
 * followed by other columns.  "kind" is the kind of their records.
 */
QueryRows
AuditContentSets(Audit *audit, bool whole, const char *kind, const char *name, const char *sets)
{
	Oid			argtypes[3] = {BOOLOID, INT8OID, TEXTOID};
	Datum		values[3] = {BoolGetDatum(whole), Int64GetDatum(audit->from), CStringGetTextDatum(kind)};
	char	   *query = psprintf("SELECT s.* FROM (%s) s WHERE $1 OR EXISTS (SELECT FROM answer.receipt r"
								 " WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND r.tenant OPERATOR(pg_catalog.=) s.tenant"
								 " AND r.body OPERATOR(pg_catalog.->>) 'kind' OPERATOR(pg_catalog.=) $3"
								 " AND r.body OPERATOR(pg_catalog.->>) 'name' OPERATOR(pg_catalog.=) %s"
								 " AND NOT EXISTS (SELECT FROM answer.log_leaf l"
								 "  WHERE l.receipt_id OPERATOR(pg_catalog.=) r.receipt_id AND l.leaf_index OPERATOR(pg_catalog.<) $2))",
								 sets, name);

	return QueryRunText(query, lengthof(argtypes), argtypes, values, true, 0);
}
