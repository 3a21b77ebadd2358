/*-------------------------------------------------------------------------
 *
 * finding.c
 *		The tools of all parts of an audit: walk the rows of a query, and report
 *		findings.
 *
 * The parts of an audit (catalog.c, reference_audit.c, and those of higher directories)
 * use this module, and audit.c uses them.
 *
 * Promises: each row is processed in a memory context of its own.  Names in queries are
 * looked up in pg_catalog.  Reading a column never raises an error because of its bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/verify.h"
#include "keys/keyring.h"
#include "log/finding.h"

#define ROWS_A_FETCH		64

void
AuditBegin(Audit *audit, ReturnSetInfo *result)
{
	audit->store = result->setResult;
	audit->attributes = TupleDescGetAttInMetadata(result->setDesc);
	audit->context = CurrentMemoryContext;
	audit->tenants = PointerGetDatum(AllTenants());
	audit->unlisted = -1;
	audit->row_context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval audit of a row",
											   ALLOCSET_DEFAULT_SIZES);
}

void
AuditReport(Audit *audit, int64 leaf_index, const char *receipt_id, const char *finding,
			const char *detail)
{
	char		number[24];
	char	   *values[4];
	HeapTuple	tuple;

	snprintf(number, sizeof(number), INT64_FORMAT, leaf_index);
	values[0] = leaf_index < 0 ? NULL : number;
	values[1] = (char *) receipt_id;
	values[2] = (char *) finding;
	values[3] = (char *) detail;
	tuple = BuildTupleFromCStrings(audit->attributes, values);
	tuplestore_puttuple(audit->store, tuple);
	heap_freetuple(tuple);
	if (strcmp(finding, "forgotten") != 0 && strcmp(finding, "detached") != 0)
		audit->defects++;
}

/*
 * queries
 */

/*
 * Opens a query.  It must not be planned with nested loops, which the planner would
 * choose if statistics say that the tables are empty.  Usually they are not.
 */
static Portal
OpenQueryOf(const char *query, int nargs, const Oid *argtypes, Datum *values)
{
	int			nest_level = NewGUCNestLevel();
	Portal		portal;

	/* names are looked up in pg_catalog, whatever the session's search_path is */
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	(void) set_config_option("enable_nestloop", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	/* disabling nested loops makes the estimated cost of some plans high enough for compilation */
	(void) set_config_option("jit", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	portal = SPI_cursor_open_with_args(NULL, query, nargs, (Oid *) argtypes, values, NULL, true,
									   CURSOR_OPT_FAST_PLAN);
	AtEOXact_GUC(true, nest_level);
	return portal;
}

Portal
AuditOpenQuery(const char *query, int nargs, Datum *values)
{
	static const Oid argtypes[2] = {INT8OID, INT8OID};

	return OpenQueryOf(query, nargs, argtypes, values);
}

/* Calls a function with each row of a query, in a memory context of its own. */
static void
ForEachRow(Audit *audit, Portal portal, AuditRowFunction function, void *state)
{
	QueryRows	rows;

	do
	{
		rows = QueryFetch(portal, ROWS_A_FETCH);
		for (uint64 i = 0; i < rows.count; i++)
		{
			MemoryContext old = MemoryContextSwitchTo(audit->row_context);
			AuditRow	row = {.tuple = rows.table->vals[i], .desc = rows.table->tupdesc, .tenants = audit->tenants, .state = state};

			CHECK_FOR_INTERRUPTS();
			function(audit, &row);
			MemoryContextSwitchTo(old);
			MemoryContextReset(audit->row_context);
		}
		QueryFree(&rows);
	} while (rows.count > 0);
	SPI_cursor_close(portal);
}

void
AuditForEachRow(Audit *audit, const char *query, int nargs, Datum *values,
				AuditRowFunction function)
{
	ForEachRow(audit, AuditOpenQuery(query, nargs, values), function, NULL);
}

/* Does the same with text arguments, and with a state that the function finds in each row. */
void
AuditForEachRowOf(Audit *audit, const char *query, int nargs, Datum *values,
				  AuditRowFunction function, void *state)
{
	static const Oid argtypes[2] = {TEXTOID, TEXTOID};

	ForEachRow(audit, OpenQueryOf(query, nargs, argtypes, values), function, state);
}

void
AuditReportRow(Audit *audit, AuditRow *row)
{
	AuditReport(audit, -1, RowString(row, 1), RowString(row, 2), RowString(row, 3));
}

/*
 * For a query that calls functions of ours, or reads views that do.  Although they were
 * compared with the manifest before, they run with the owner's rights in a
 * security-restricted operation.
 */
void
AuditForEachRowAsOwner(Audit *audit, const char *query, AuditRowFunction function, void *state)
{
	Oid			user;
	Oid			owner;
	int			context;
	int			restricted;

	AnswerAsOwner(&user, &context);
	GetUserIdAndSecContext(&owner, &restricted);
	SetUserIdAndSecContext(owner, restricted | SECURITY_RESTRICTED_OPERATION);
	AuditForEachRowOf(audit, query, 0, NULL, function, state);
	AnswerAsCaller(user, context);
}

void
AuditQueryAsOwner(Audit *audit, const char *query)
{
	AuditForEachRowAsOwner(audit, query, AuditReportRow, NULL);
}

/*
 * columns
 */

Datum
RowDatum(const AuditRow *row, int column, bool *isnull)
{
	return SPI_getbinval(row->tuple, row->desc, column, isnull);
}

Span
RowSpan(const AuditRow *row, int column)
{
	bool		isnull;
	Datum		datum = RowDatum(row, column, &isnull);

	return isnull ? (Span) {"", 0} : UncheckedUtf8(DatumGetTextPP(datum));
}

char *
RowString(const AuditRow *row, int column)
{
	return SPI_getvalue(row->tuple, row->desc, column);
}

bool
RowInstant(const AuditRow *row, int column, TimestampTz *instant)
{
	bool		isnull;
	Datum		datum = RowDatum(row, column, &isnull);

	*instant = isnull ? 0 : DatumGetTimestampTz(datum);
	return !isnull;
}

/* Gives a column of jsonb; returns false if it is null or cannot be hashed. */
bool
RowView(const AuditRow *row, int column, JsonView *view)
{
	bool		isnull;
	Datum		datum = RowDatum(row, column, &isnull);

	memset(view, 0, sizeof(*view));
	if (isnull || !JsonbIsReadable(DatumGetJsonbP(datum)))
		return false;
	JsonViewOfJsonb(DatumGetJsonbP(datum), view);
	return !JsonViewIsDeeper(view, RECEIPT_MAX_DEPTH);
}

/*
 * Returns why the registry's key does not verify it, or was not good at that time; NULL
 * if all is well.
 */
const char *
AuditKeyProblem(const JsonView *body)
{
	JsonView	keys;
	Span		key_id;

	keys = JsonViewNewArray(0);
	if (ReceiptKeyId(body, &key_id))
		RegistryKeys(key_id, &keys);
	return DocumentSignatureProblem(body, &keys);
}
