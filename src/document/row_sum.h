/*-------------------------------------------------------------------------
 *
 * row_sum.h
 *		Digests of rows, and sums of many digests.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROW_SUM_H
#define ANSWER_EVAL_ROW_SUM_H

#include "access/htup.h"

#include "base/sha256.h"

#define ROW_SUM_SIZE	2048

/* The sum of no rows is all zero. */
typedef struct RowSum
{
	uint8		bytes[ROW_SUM_SIZE];
} RowSum;

extern void RowDigest(const char *table, HeapTupleHeader row, uint8 *sha256);
extern void RowSumChange(RowSum *sum, const uint8 *sha256, bool is_added);
extern bool RowSumOfBytes(const void *bytes, int len, RowSum *sum);

#endif							/* ANSWER_EVAL_ROW_SUM_H */
