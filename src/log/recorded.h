/*-------------------------------------------------------------------------
 *
 * recorded.h
 *		Signed lists of rows, made when the log is sealed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECORDED_H
#define ANSWER_EVAL_RECORDED_H

#include "access/htup.h"
#include "access/tupdesc.h"

#include "keys/row_mac.h"

#define RECORDED_ITEM_LENGTH	24

extern void SealRows(void);

extern RowMacStatus RecordedStatus(RowKeys *keys, HeapTuple tuple, TupleDesc desc, int column);

#endif							/* ANSWER_EVAL_RECORDED_H */
