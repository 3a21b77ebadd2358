/*-------------------------------------------------------------------------
 *
 * index_probe.h
 *		Looks rows up by an index of one of our tables, without a plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_INDEX_PROBE_H
#define ANSWER_EVAL_INDEX_PROBE_H

#include "access/genam.h"
#include "access/skey.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#define PROBE_MAX_KEYS		6
#define PROBE_MAX_COLUMNS	20

/* Says how the last key is compared. */
typedef enum ProbeLast
{
	PROBE_EQUAL,				/* equal to the key, as for the others */
	PROBE_AFTER,				/* after the key */
	PROBE_UP_TO					/* at the instant or before it */
} ProbeLast;

/*
 * A table and the index that is probed.  "keys" names the index's leading columns.  The
 * first nkeys of them are compared for equality.  The columns after them say in which
 * order rows are found.  All are text and ascend, except an instant, which descends.
 * If nkeys is 0, the index may be partial: the caller must check the row that is found,
 * and run the query if it wanted another one.
 */
typedef struct ProbeSpec
{
	const char *table;
	const char *index;
	int			nkeys;
	const char *keys[PROBE_MAX_KEYS];	/* ends with NULL */
	int			instant;		/* index of the instant in keys, never the first; 0 if there is none */
	ProbeLast	last;
	bool		wants_entries;	/* the caller uses ProbeNextEntry */
	int			ncolumns;
	const char *columns[PROBE_MAX_COLUMNS];
} ProbeSpec;

typedef struct Probe
{
	const ProbeSpec *spec;
	Relation	table;
	Relation	index;
	IndexScanDesc scan;
	TupleTableSlot *slot;
	AttrNumber	columns[PROBE_MAX_COLUMNS];
	ScanKeyData keys[PROBE_MAX_KEYS];
} Probe;

extern bool TableIsPlain(Relation table);
extern bool ProbeMayRead(const char *name, Oid user);
extern bool ProbeOpen(Probe *probe, const ProbeSpec *spec, Oid user);
extern void ProbeOpenBeside(Probe *probe, const Probe *open, const ProbeSpec *spec);
extern void ProbeFind(Probe *probe, const Datum *values);
extern bool ProbeNext(Probe *probe);
extern bool ProbeNextEntry(Probe *probe);
extern Datum ProbeEntry(Probe *probe, int column, bool *isnull);
extern bool ProbeFetch(Probe *probe);
extern void ProbeClose(Probe *probe);

/*
 * Returns a column of the row that was found, by its place in the spec.  The value is
 * valid until the next row is looked for.
 */
static inline Datum
ProbeColumn(Probe *probe, int column, bool *isnull)
{
	return slot_getattr(probe->slot, probe->columns[column], isnull);
}

/* These collect rows that probes found into a table like the result of a query. */
extern TupleDesc FoundShape(const Oid *types, int ntypes);
extern SPITupleTable *FoundRows(TupleDesc tupdesc);
extern void FoundRow(SPITupleTable *rows, Datum *values, bool *nulls);

#endif							/* ANSWER_EVAL_INDEX_PROBE_H */
