/*-------------------------------------------------------------------------
 *
 * log_table.h
 *		Reads the stored log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LOG_TABLE_H
#define ANSWER_EVAL_LOG_TABLE_H

#include "access/htup.h"
#include "access/tupdesc.h"
#include "datatype/timestamp.h"

#include "base/funcargs.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "base/spi_query.h"
#include "log/merkle.h"

/* A stored checkpoint, and its tree. */
typedef struct LogState
{
	char	   *origin;
	bool		has_edge;		/* does the edge's length fit the tree's size? */
	MerkleTree	tree;
	MerkleHash	root;
	char	   *key_id;
	TimestampTz sealed_at;
	Span		note;			/* as signed, in UTF-8 */
} LogState;

/* Reads tiles, and caches the last one of each level. */
typedef struct TileReader
{
	bool		present[MERKLE_TILE_LEVELS];
	uint64		tile[MERKLE_TILE_LEVELS];
	MerkleHash	hashes[MERKLE_TILE_LEVELS][MERKLE_TILE_WIDTH];
} TileReader;

extern bool LogStateNewest(LogState *state);
extern bool LogStateOfTuple(HeapTuple tuple, TupleDesc desc, LogState *state);
extern bool TileRead(int level, uint64 tile, MerkleHash *hashes);
extern const MerkleHash *TileReaderSource(void *arg, int level, uint64 tile);
extern Span TupleBytes(HeapTuple tuple, TupleDesc desc, int column);
extern int64 TupleInt64(HeapTuple tuple, TupleDesc desc, int column);
extern char *TupleText(HeapTuple tuple, TupleDesc desc, int column);

/* The columns that LogStateOfTuple reads, in this order. */
#define LOG_STATE_COLUMNS \
	"origin, tree_size, root_hash, edge, key_id, sealed_at, note"

extern Datum ByteaDatum(const void *bytes, int len);
extern Span FoundBytes(const QueryRows *rows, int column);
extern Datum FinishWithText(Span utf8, MemoryContext caller);
extern void RaiseLogDamaged(const char *what);
extern bool FindNewestCheckpoint(LogState *state, bool *is_good);
extern void RequireSealed(LogState *state);
extern bool NoteOfSize(uint64 size, Span *note);
extern Span WithCosignatures(uint64 size, Span note);
extern bool IsRepresentable(Span utf8);
extern void RaiseNothingSealed(void);
extern void LogLock(void);
extern char *DefaultLogOrigin(void);
extern char *LogOrigin(void);

extern FixedQuery log_leaves_of_receipt;

#endif							/* ANSWER_EVAL_LOG_TABLE_H */
