/*-------------------------------------------------------------------------
 *
 * finding.h
 *		What an audit is for its parts: rows of queries go in, findings come out.
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

/* An audit that is under way, as far as its parts know of it. */
typedef struct Audit
{
	Tuplestorestate *store;
	AttInMetadata *attributes;
	uint64		defects;
	uint64		from;			/* the first leaf that is audited: what is logged before it was clean */
	struct DetachedLeaves *detached;	/* whose receipts are kept elsewhere */
	int64		unlisted;		/* rows that no sealing has listed, -1: not counted */
	int64		unlisted_older; /* of them, older than what the lists cover */
	int64		unlisted_unproved;	/* of them, those whose key is not here, so that nobody can tell who wrote them */
	Datum		tenants;		/* all of them, as text[] */
	MemoryContext context;		/* lives as long as the audit */
	MemoryContext row_context;
} Audit;

/* A row of an audit's query, which is a leaf or what is to become one, and the receipt that it names. */
typedef struct AuditRow
{
	HeapTuple	tuple;
	TupleDesc	desc;
	Datum		tenants;		/* all of them */
	SPITupleTable *receipts;	/* NULL: not looked up */
	uint64		nreceipts;		/* one, unless something is wrong */
	void	   *state;			/* as given to AuditForEachRowOf */
} AuditRow;

/* Takes one row of a query, in a context of its own. */
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

/* for a query that gives a receipt's id or NULL, a finding, and what is wrong */
extern void AuditReportRow(Audit *audit, AuditRow *row);
extern void AuditQueryAsOwner(Audit *audit, const char *query);

/* columns of a row of an audit's query, whatever bytes are stored there */
extern Span RowSpan(const AuditRow *row, int column);
extern char *RowString(const AuditRow *row, int column);
extern bool RowInstant(const AuditRow *row, int column, TimestampTz *instant);
extern bool RowView(const AuditRow *row, int column, JsonView *view);

#endif							/* ANSWER_EVAL_FINDING_H */
