/*-------------------------------------------------------------------------
 *
 * finding.h
 *		The tools of all parts of an audit: walk the rows of a query, and report
 *		findings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FINDING_H
#define ANSWER_EVAL_FINDING_H

#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/portal.h"

#include "base/jsonview.h"
#include "base/span.h"

struct DetachedLeaves;

/* The state of an audit, as far as its parts need it. */
typedef struct Audit
{
	Tuplestorestate *store;
	AttInMetadata *attributes;
	uint64		defects;
	uint64		from;			/* the first leaf to audit; an earlier audit found those before it clean */
	struct DetachedLeaves *detached;	/* leaves whose receipts are kept elsewhere */
	int64		unlisted;		/* rows that no sealing has listed; -1 if not counted */
	int64		unlisted_older; /* of these, older than what the lists cover */
	int64		unlisted_unproved;	/* of these, rows whose key is not here, so that nobody can tell who wrote them */
	Datum		tenants;		/* all tenants, as text[] */
	MemoryContext context;		/* lives as long as the audit */
	MemoryContext row_context;
} Audit;

/* A row of an audit's query, which is a leaf or will become one, and the receipt that it names. */
typedef struct AuditRow
{
	HeapTuple	tuple;
	TupleDesc	desc;
	Datum		tenants;		/* all tenants, as text[] */
	SPITupleTable *receipts;	/* NULL if not looked up */
	uint64		nreceipts;		/* one, unless there is a defect */
	void	   *state;			/* from AuditForEachRowOf */
} AuditRow;

/* Processes one row of a query, in a memory context of its own. */
typedef void (*AuditRowFunction) (Audit *audit, AuditRow *row);

extern void AuditBegin(Audit *audit, ReturnSetInfo *result);
extern void AuditReport(Audit *audit, int64 leaf_index, const char *receipt_id,
						const char *finding, const char *detail);
extern Portal AuditOpenQuery(const char *query, int nargs, Datum *values);
extern void AuditForEachRow(Audit *audit, const char *query, int nargs, Datum *values,
							AuditRowFunction function);
extern void AuditForEachRowOf(Audit *audit, const char *query, int nargs, Datum *values,
							  AuditRowFunction function, void *state);
extern void AuditForEachRowAsOwner(Audit *audit, const char *query, AuditRowFunction function, void *state);
extern const char *AuditKeyProblem(const JsonView *document);

/* for a query that returns a receipt's id or NULL, a finding, and what is wrong */
extern void AuditReportRow(Audit *audit, AuditRow *row);
extern void AuditQueryAsOwner(Audit *audit, const char *query);

/* columns of a row of an audit's query, whatever bytes they contain */
extern Datum RowDatum(const AuditRow *row, int column, bool *isnull);
extern Span RowSpan(const AuditRow *row, int column);
extern char *RowString(const AuditRow *row, int column);
extern bool RowInstant(const AuditRow *row, int column, TimestampTz *instant);
extern bool RowView(const AuditRow *row, int column, JsonView *view);

#endif							/* ANSWER_EVAL_FINDING_H */
