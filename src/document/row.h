/*-------------------------------------------------------------------------
 *
 * row.h
 *		The rows of documents, written without a plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROW_H
#define ANSWER_EVAL_ROW_H

#include "datatype/timestamp.h"

/* A column that is written, or, without a name, a value that is for another table. */
typedef struct RowColumn
{
	const char *name;
	Oid			type;
} RowColumn;

typedef struct RowWriter RowWriter;

extern RowWriter *RowWriterOpen(const RowColumn *columns, int ncolumns, int place,
								TimestampTz issued_at);
extern bool RowWriterPut(RowWriter *writer, const Datum *values, const char *nulls,
						 Datum receipt_id, Datum digest);
extern void RowWriterClose(RowWriter *writer);

#endif							/* ANSWER_EVAL_ROW_H */
