/*-------------------------------------------------------------------------
 *
 * audit.h
 *		What the parts of an audit share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_AUDIT_H
#define ANSWER_EVAL_AUDIT_H

#include "executor/spi.h"
#include "utils/hsearch.h"

#include "base/jsonview.h"

/* What may be done, as far as the catalog is what was shipped. */
typedef struct CatalogFindings
{
	bool		functions_good; /* call the extension's functions */
	bool		may_record;		/* write a row into answer.log_audit */
} CatalogFindings;

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
} AuditRow;

/* Takes one row of a query, in a context of its own. */
typedef void (*AuditRowFunction) (Audit *audit, AuditRow *row);

/* audit.c */
extern void AuditReport(Audit *audit, int64 leaf_index, const char *receipt_id,
						const char *finding, const char *detail);
extern void AuditForEachRow(Audit *audit, const char *query, int nargs, Datum *values,
							AuditRowFunction function);
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

/* state.c */
extern void AuditState(Audit *audit, bool whole, bool functions_good);

#endif							/* ANSWER_EVAL_AUDIT_H */
