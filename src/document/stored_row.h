/*-------------------------------------------------------------------------
 *
 * stored_row.h
 *		Rows with what tells that our functions have stored them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STORED_ROW_H
#define ANSWER_EVAL_STORED_ROW_H

#include "keys/ed25519.h"

/* A column of a row that is about to be stored. */
typedef struct StoredColumn
{
	const char *name;
	Datum		value;
	bool		isnull;
} StoredColumn;

/* The value of a column "mac" for these columns of a row: bytea. */
extern Datum StoredRowMac(const SigningKey *key, const char *table, const StoredColumn *columns, int count);

#endif							/* ANSWER_EVAL_STORED_ROW_H */
