/*-------------------------------------------------------------------------
 *
 * seal.h
 *		The transparency log as it is stored.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SEAL_H
#define ANSWER_EVAL_SEAL_H

#include "datatype/timestamp.h"

#include "check/operator.h"
#include "log/mark.h"
#include "log/merkle.h"

/* A stored checkpoint, and the tree that it is of. */
typedef struct LogState
{
	char	   *origin;
	bool		has_edge;		/* is the tree's edge as long as its size wants it? */
	MerkleTree	tree;
	MerkleHash	root;
	char	   *key_id;
	TimestampTz sealed_at;
	Span		note;			/* as it was signed, in UTF-8 */
} LogState;

/* Reads tiles; keeps the last one of each level. */
typedef struct TileReader
{
	bool		present[MERKLE_TILE_LEVELS];
	uint64		tile[MERKLE_TILE_LEVELS];
	MerkleHash	hashes[MERKLE_TILE_LEVELS][MERKLE_TILE_WIDTH];
} TileReader;

extern MarkState LogMarkLook(uint64 *size, MerkleHash *root);
extern bool LogStateNewest(LogState *state);
extern bool LogStateOfTuple(HeapTuple tuple, TupleDesc desc, LogState *state);
extern bool TileRead(int level, uint64 tile, MerkleHash *hashes);
extern const MerkleHash *TileReaderSource(void *arg, int level, uint64 tile);
extern Span ByteaSpan(Datum datum);
extern Span TupleBytes(HeapTuple tuple, TupleDesc desc, int column);
extern int64 TupleInt64(HeapTuple tuple, TupleDesc desc, int column);
extern char *TupleText(HeapTuple tuple, TupleDesc desc, int column);

/* What LogStateOfTuple reads, for queries to select in this order. */
#define LOG_STATE_COLUMNS \
	"origin, tree_size, root_hash, edge, key_id, sealed_at, note"

#endif							/* ANSWER_EVAL_SEAL_H */
