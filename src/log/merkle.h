/*-------------------------------------------------------------------------
 *
 * merkle.h
 *		The Merkle tree of RFC 6962 and RFC 9162, with SHA-256.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MERKLE_H
#define ANSWER_EVAL_MERKLE_H

#include "base/canonical.h"

/* A tile holds the hashes of 32 neighbouring nodes, 5 levels above the tile below. */
#define MERKLE_TILE_HEIGHT	5
#define MERKLE_TILE_WIDTH	(1 << MERKLE_TILE_HEIGHT)
#define MERKLE_TILE_LEVELS	13	/* enough for 2^63 leaves */
#define MERKLE_MAX_PROOF	64

typedef struct MerkleHash
{
	uint8		bytes[SHA256_LENGTH];
} MerkleHash;

/*
 * A tree that grows at its right edge.  For each tile level it has the incomplete tile;
 * the tile's width follows from the size.
 */
typedef struct MerkleTree
{
	uint64		size;
	MerkleHash	edge[MERKLE_TILE_LEVELS][MERKLE_TILE_WIDTH];
} MerkleTree;

/* Called for each tile that an appended leaf completes. */
typedef void (*MerkleTileSink) (void *arg, int level, uint64 tile, const MerkleHash *hashes);

/* Reads the hashes of a complete tile. */
typedef const MerkleHash *(*MerkleTileSource) (void *arg, int level, uint64 tile);

typedef struct MerkleProof
{
	int			count;
	MerkleHash	hashes[MERKLE_MAX_PROOF];
} MerkleProof;

extern void MerkleLeafHash(const void *data, size_t len, MerkleHash *hash);
extern bool MerkleHashEqual(const MerkleHash *a, const MerkleHash *b);

/* growing */
extern int	MerkleEdgeWidth(uint64 size, int level);
extern int	MerkleEdgeCount(uint64 size);
extern void MerkleTreeInit(MerkleTree *tree);
extern void MerkleTreeAppend(MerkleTree *tree, const MerkleHash *leaf,
							 MerkleTileSink sink, void *arg);
extern void MerkleTreeAppendTile(MerkleTree *tree, const MerkleHash *root,
								 MerkleTileSink sink, void *arg);
extern void MerkleTreeRoot(const MerkleTree *tree, MerkleHash *root);
extern void MerkleTileRoot(const MerkleHash *hashes, int width, MerkleHash *root);
extern void MerkleEdgeWrite(const MerkleTree *tree, MerkleHash *hashes);
extern void MerkleEdgeRead(MerkleTree *tree, uint64 size, const MerkleHash *hashes);
extern void MerkleTreeAt(const MerkleTree *tree, uint64 size, MerkleTileSource source,
						 void *arg, MerkleTree *past);

/* proving */
extern void MerkleProveInclusion(const MerkleTree *tree, uint64 leaf_index,
								 MerkleTileSource source, void *arg, MerkleProof *proof);
extern void MerkleProveConsistency(const MerkleTree *tree, uint64 from_size,
								   MerkleTileSource source, void *arg, MerkleProof *proof);

/* verifying */
extern bool MerkleVerifyInclusion(uint64 leaf_index, uint64 tree_size,
								  const MerkleHash *leaf, const MerkleHash *root,
								  const MerkleHash *proof, int count);
extern bool MerkleVerifyConsistency(uint64 from_size, uint64 to_size,
									const MerkleHash *from_root, const MerkleHash *to_root,
									const MerkleHash *proof, int count);

#endif							/* ANSWER_EVAL_MERKLE_H */
