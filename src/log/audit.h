/*-------------------------------------------------------------------------
 *
 * audit.h
 *		What the parts of an audit share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_AUDIT_H
#define ANSWER_EVAL_AUDIT_H

#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "utils/hsearch.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "base/spi_query.h"
#include "document/row_sum.h"

/* What may be done, as far as the catalog is what was shipped. */
typedef struct CatalogFindings
{
	bool		functions_good; /* call the extension's functions */
	bool		may_record;		/* write a row into answer.log_audit */
} CatalogFindings;

/* How many rows no sealing has listed. */
typedef struct UnlistedCount
{
	int64		rows;
	int64		older;			/* of these, so many say that they came before what the lists cover */
	int64		unproved;		/* nobody can tell here whether these were recorded */
} UnlistedCount;

typedef struct Audit Audit;
typedef struct DetachedLeaves DetachedLeaves;

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

/* audit.c */
extern void AuditReport(Audit *audit, int64 leaf_index, const char *receipt_id,
						const char *finding, const char *detail);
extern void AuditForEachRow(Audit *audit, const char *query, int nargs, Datum *values,
							AuditRowFunction function);
extern void AuditForEachRowOf(Audit *audit, const char *query, int nargs, Datum *values,
							  AuditRowFunction function, void *state);
extern void AuditNoteUnlisted(Audit *audit, const UnlistedCount *count);
extern uint64 AuditFrom(const Audit *audit);
extern const DetachedLeaves *AuditDetached(const Audit *audit);
extern HTAB *AuditWrites(Audit *audit);
extern const char *AuditKeyProblem(const JsonView *document);

/* catalog.c */
extern bool AuditCatalog(Audit *audit, CatalogFindings *findings);

/* detached.c */
extern DetachedLeaves *ReadDetached(Audit *audit);
extern int	CountDetached(const DetachedLeaves *detached);
extern bool IsDetached(const DetachedLeaves *detached, uint64 leaf_index);
extern void NoteDetached(DetachedLeaves *detached, uint64 leaf_index);
extern void ReportDetached(Audit *audit, const DetachedLeaves *detached);

/*
 * What directories above this one store: each looks at its own tables.  A walk that is not of a
 * whole audit looks at what has changed since the last clean one.  Functions of the
 * extension are called only if they are good.  Set by module.c; ends with NULL.
 */
typedef void (*AuditWalk) (Audit *audit, bool whole, bool functions_good);
extern const AuditWalk *audit_walks;

/* content_audit.c */
typedef struct ContentSum
{
	RowSum		sum;
	uint64		count;
} ContentSum;
extern void AuditSumRows(Audit *audit, const char *table, int nargs, Datum *values, ContentSum *sum);
extern bool AuditSumIs(const ContentSum *sum, Span stored);
extern QueryRows AuditContentSets(Audit *audit, bool whole, const char *kind, const char *name,
								  const char *sets);

/* state.c */
extern void AuditState(Audit *audit, bool whole, bool functions_good);

/* for a query that gives a receipt's id or NULL, a finding, and what is wrong */
extern void AuditReportRow(Audit *audit, AuditRow *row);
extern void AuditQueryAsOwner(Audit *audit, const char *query);

/* columns of a row of an audit's query, whatever bytes are stored there */
extern Span RowSpan(const AuditRow *row, int column);
extern char *RowString(const AuditRow *row, int column);
extern bool RowInstant(const AuditRow *row, int column, TimestampTz *instant);
extern bool RowView(const AuditRow *row, int column, JsonView *view);

#endif							/* ANSWER_EVAL_AUDIT_H */
