/*-------------------------------------------------------------------------
 *
 * row_writer.h
 *		Writes the rows of documents without a plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ROW_WRITER_H
#define ANSWER_EVAL_ROW_WRITER_H

#include "datatype/timestamp.h"

/* A column to be written: its name, its type, and the index of its value. */
typedef struct RowColumn
{
	const char *name;
	Oid			type;
	int			value;
} RowColumn;

/* One of our tables that gets a row. */
typedef struct RowTable
{
	const char *name;
	const RowColumn *columns;
	int			ncolumns;
} RowTable;

typedef struct RowWriter RowWriter;

/* The keys of documents that one statement stores at one instant. */
typedef struct StoredKeys StoredKeys;

extern StoredKeys *StoredKeysCreate(void);

extern RowWriter *RowWriterOpen(const RowTable *tables, int ntables, int place, TimestampTz issued_at, int room,
								StoredKeys *keys);
extern bool RowWriterPut(RowWriter *writer, Datum *values, const char *nulls);
extern int	RowWriterWaiting(const RowWriter *writer);
extern bool RowWriterMightHold(const RowWriter *writer, const char *key);
extern void RowWriterDropWaiting(RowWriter *writer);
extern void RowWriterFlush(RowWriter *writer, volatile int *at);
extern void RowWriterClose(RowWriter *writer);

#endif							/* ANSWER_EVAL_ROW_WRITER_H */
