/*-------------------------------------------------------------------------
 *
 * stored_row.h
 *		Rows with a code that proves that our functions have stored them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STORED_ROW_H
#define ANSWER_EVAL_STORED_ROW_H

#include "datatype/timestamp.h"

#include "base/span.h"
#include "keys/row_mac.h"

/* A column of a row to be stored. */
typedef struct StoredColumn
{
	const char *name;
	Datum		value;
	bool		isnull;
} StoredColumn;

/* Returns the value of the column "mac", bytea, for these columns of a row. */
extern Datum StoredRowMac(const SigningKey *key, const char *table, const StoredColumn *columns, int count);

/* A row of answer.tool_call, with texts in UTF-8. */
typedef struct StoredCall
{
	Span		tenant;
	Span		tool;
	TimestampTz called_at;
	int64		microseconds;
	int64		call;			/* random, so that no other row has it */
} StoredCall;

/*
 * Does the same for such a row.  Thousands are read at once, so its digest is made
 * without the catalog.
 */
extern Datum StoredCallMac(const SigningKey *key, const StoredCall *call);
extern RowMacStatus StoredCallVerify(RowKeys *keys, const StoredCall *call, Span mac);

#endif							/* ANSWER_EVAL_STORED_ROW_H */
