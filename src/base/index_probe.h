/*-------------------------------------------------------------------------
 *
 * index_probe.h
 *		Looking rows up by an index of a table of ours, without a plan.
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
	PROBE_EQUAL,				/* like the others */
	PROBE_AFTER,				/* what comes after it */
	PROBE_UP_TO					/* an instant, and what was before it */
} ProbeLast;

/*
 * A table and the index that is probed.  The names are those of the index's
 * leading columns, as many as matter: the first nkeys are compared, for equality,
 * and those after them say in which order rows are found.  They are text and
 * ascend, but for an instant, of which the latest comes first.  Without a key the
 * index may hold only some of the rows: the caller looks at what is found, and runs
 * the query if it wants another one.
 */
typedef struct ProbeSpec
{
	const char *table;
	const char *index;
	int			nkeys;
	const char *keys[PROBE_MAX_KEYS];	/* NULL: no more */
	int			instant;		/* place of the instant, which is not the first; 0: there is none */
	ProbeLast	last;
	bool		wants_entries;	/* for ProbeNextEntry */
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
 * Returns a column of the row that was found, by its place in the spec; it lasts until
 * the next one is looked for.
 */
static inline Datum
ProbeColumn(Probe *probe, int column, bool *isnull)
{
	return slot_getattr(probe->slot, probe->columns[column], isnull);
}

/* They put rows together of what probes found, which read as those of a query do. */
extern TupleDesc FoundShape(const Oid *types, int ntypes);
extern SPITupleTable *FoundRows(TupleDesc tupdesc);
extern void FoundRow(SPITupleTable *rows, Datum *values, bool *nulls);

#endif							/* ANSWER_EVAL_INDEX_PROBE_H */
