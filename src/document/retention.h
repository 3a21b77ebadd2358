/*-------------------------------------------------------------------------
 *
 * retention.h
 *		Detached partitions, and the signed documents about them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RETENTION_H
#define ANSWER_EVAL_RETENTION_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/spi_query.h"
#include "document/kind.h"

#define RETENTION_SCHEMA	"retention/v1"

/* A range of consecutive leaves of the log. */
typedef struct LeafRange
{
	uint64		first;
	uint64		last;
} LeafRange;

/* A receipt whose partition was detached. */
typedef struct DetachedReceipt
{
	TimestampTz issued_at;
	char	   *kept_in;		/* in the server's encoding */
	char	   *document;		/* id of the document that says so */
} DetachedReceipt;

/*
 * Returns the leaves of a receipt ($3) that was issued between two instants:
 * leaf_index, issued_at. module.c sets it, because the log is in a higher directory.
 */
extern FixedQuery *leaves_of_receipt;

extern const DocumentKind retention_kind;
extern bool RetentionRange(const JsonView *document, int index, LeafRange *range);
extern bool FindDetached(Datum tenants, text *receipt_id, const TimestampTz *issued_at, DetachedReceipt *found);
extern void RefuseDetached(Datum tenants, text *receipt_id, const TimestampTz *issued_at, const char *hint);
extern void WarnOfDetached(Datum tenants);

#endif							/* ANSWER_EVAL_RETENTION_H */
