/*-------------------------------------------------------------------------
 *
 * content_audit.h
 *		What audits of stored content share: sums of rows, and the choice of
 *		sets.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONTENT_AUDIT_H
#define ANSWER_EVAL_CONTENT_AUDIT_H

#include "base/spi_query.h"
#include "document/row_sum.h"
#include "log/finding.h"

/* The sum of the rows of a set, and their number. */
typedef struct ContentSum
{
	RowSum		sum;
	uint64		count;
} ContentSum;

extern void AuditSumRows(Audit *audit, const char *table, int nargs, Datum *values, ContentSum *sum);
extern bool AuditSumIs(const ContentSum *sum, Span stored);
extern QueryRows AuditContentSets(Audit *audit, bool whole, const char *kind, const char *name,
								  const char *sets);

#endif							/* ANSWER_EVAL_CONTENT_AUDIT_H */
