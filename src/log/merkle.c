/*-------------------------------------------------------------------------
 *
 * merkle.c
 *		The Merkle tree of RFC 6962 and RFC 9162, with SHA-256.
 *
 * Pure.  Rule: RFC 6962 section 2.1 (the tree, and what proofs consist of) and
 * RFC 9162 sections 2.1.3 and 2.1.4 (how they are verified).
 *
 * How a tree is stored: a node whose subtree is complete never changes again.
 * The hashes of 32 such neighbours form a tile.  A tile of level 0 has leaf
 * hashes, one of level 1 the roots of 32 tiles of level 0, and so on.  Complete
 * tiles are written once.  The rest is the right edge, at most 31 hashes per
 * level, which is stored with each checkpoint.  So appending writes one tile of
 * level 0 per 32 leaves, and a proof reads at most two tiles per level.
 *
 * Promises: memory only; no recursion.  Verification reads no more hashes than
 * a tree of the claimed size can need, and accepts sizes up to 2^63 - 1.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "log/merkle.h"

/*
 * hashing
 */

/* The prefix makes sure that a leaf cannot be taken for a node, nor a node for a leaf. */
#define LEAF_PREFIX	0x00
#define NODE_PREFIX	0x01

void
MerkleLeafHash(const void *data, size_t len, MerkleHash *hash)
{
	uint8		buffer[1 + SHA256_LENGTH];
	uint8	   *input = len <= SHA256_LENGTH ? buffer : palloc(1 + len);

	input[0] = LEAF_PREFIX;
	memcpy(input + 1, data, len);
	Sha256(input, 1 + len, hash->bytes);
	if (input != buffer)
		pfree(input);
}

static void
NodeHash(const MerkleHash *left, const MerkleHash *right, MerkleHash *hash)
{
	uint8		buffer[1 + 2 * SHA256_LENGTH];

	buffer[0] = NODE_PREFIX;
	memcpy(buffer + 1, left->bytes, SHA256_LENGTH);
	memcpy(buffer + 1 + SHA256_LENGTH, right->bytes, SHA256_LENGTH);
	Sha256(buffer, sizeof(buffer), hash->bytes);
}

bool
MerkleHashEqual(const MerkleHash *a, const MerkleHash *b)
{
	return memcmp(a->bytes, b->bytes, SHA256_LENGTH) == 0;
}

/* Computes the root of a complete subtree from the hashes of its 2^n nodes of some level. */
void
MerkleTileRoot(const MerkleHash *hashes, int width, MerkleHash *root)
{
	MerkleHash	nodes[MERKLE_TILE_WIDTH];

	Assert(width >= 1 && width <= MERKLE_TILE_WIDTH && (width & (width - 1)) == 0);
	memcpy(nodes, hashes, sizeof(MerkleHash) * width);
	for (; width > 1; width /= 2)
	{
		for (int i = 0; i < width; i += 2)
			NodeHash(&nodes[i], &nodes[i + 1], &nodes[i / 2]);
	}
	*root = nodes[0];
}

/*
 * growing
 */

/* Returns how many complete nodes the incomplete tile of a level has. */
int
MerkleEdgeWidth(uint64 size, int level)
{
	return (size >> (level * MERKLE_TILE_HEIGHT)) & (MERKLE_TILE_WIDTH - 1);
}

/* Returns how many hashes the edge of a tree has, over all levels. */
int
MerkleEdgeCount(uint64 size)
{
	int			count = 0;

	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
		count += MerkleEdgeWidth(size, level);
	return count;
}

void
MerkleTreeInit(MerkleTree *tree)
{
	tree->size = 0;
}

/* Adds a complete node, and the nodes above that it completes. */
static void
AppendNode(MerkleTree *tree, int level, uint64 position, const MerkleHash *node,
		   MerkleTileSink sink, void *arg)
{
	MerkleHash	hash = *node;

	for (; level < MERKLE_TILE_LEVELS; level++)
	{
		int			slot = position & (MERKLE_TILE_WIDTH - 1);

		tree->edge[level][slot] = hash;
		if (slot < MERKLE_TILE_WIDTH - 1)
			return;
		position >>= MERKLE_TILE_HEIGHT;
		if (sink)
			sink(arg, level, position, tree->edge[level]);
		MerkleTileRoot(tree->edge[level], MERKLE_TILE_WIDTH, &hash);
	}
}

void
MerkleTreeAppend(MerkleTree *tree, const MerkleHash *leaf, MerkleTileSink sink, void *arg)
{
	uint64		position = tree->size++;

	AppendNode(tree, 0, position, leaf, sink, arg);
}

/* Appends a tile of leaves of which only the root is known. */
void
MerkleTreeAppendTile(MerkleTree *tree, const MerkleHash *root, MerkleTileSink sink, void *arg)
{
	uint64		position = tree->size >> MERKLE_TILE_HEIGHT;

	Assert(tree->size % MERKLE_TILE_WIDTH == 0);
	tree->size += MERKLE_TILE_WIDTH;
	AppendNode(tree, 1, position, root, sink, arg);
}

/*
 * Combines the complete subtrees of an edge, the smallest first.  To the right of a
 * complete subtree there are only smaller ones.
 */
void
MerkleTreeRoot(const MerkleTree *tree, MerkleHash *root)
{
	bool		started = false;

	if (tree->size == 0)
	{
		Sha256("", 0, root->bytes);
		return;
	}
	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
	{
		int			end = MerkleEdgeWidth(tree->size, level);

		for (int width = 1; end > 0; width *= 2)
		{
			MerkleHash	subtree;

			if ((end & width) == 0)
				continue;
			end -= width;
			MerkleTileRoot(&tree->edge[level][end], width, &subtree);
			if (started)
				NodeHash(&subtree, root, root);
			else
				*root = subtree;
			started = true;
		}
	}
}

/* Writes the MerkleEdgeCount hashes of the edge, level by level. */
void
MerkleEdgeWrite(const MerkleTree *tree, MerkleHash *hashes)
{
	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
	{
		int			width = MerkleEdgeWidth(tree->size, level);

		memcpy(hashes, tree->edge[level], sizeof(MerkleHash) * width);
		hashes += width;
	}
}

void
MerkleEdgeRead(MerkleTree *tree, uint64 size, const MerkleHash *hashes)
{
	tree->size = size;
	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
	{
		int			width = MerkleEdgeWidth(size, level);

		memcpy(tree->edge[level], hashes, sizeof(MerkleHash) * width);
		hashes += width;
	}
}

/*
 * proving
 */

/* Returns the hashes of a tile, complete or at the edge. */
static const MerkleHash *
TileHashes(const MerkleTree *tree, int level, uint64 tile, MerkleTileSource source, void *arg)
{
	uint64		complete = tree->size >> (level * MERKLE_TILE_HEIGHT) >> MERKLE_TILE_HEIGHT;

	return tile < complete ? source(arg, level, tile) : tree->edge[level];
}

/* Builds the tree as it was when it had fewer leaves. */
void
MerkleTreeAt(const MerkleTree *tree, uint64 size, MerkleTileSource source, void *arg,
			 MerkleTree *past)
{
	Assert(size <= tree->size);
	past->size = size;
	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
	{
		int			width = MerkleEdgeWidth(size, level);
		uint64		tile = size >> (level * MERKLE_TILE_HEIGHT) >> MERKLE_TILE_HEIGHT;

		if (width > 0)
			memcpy(past->edge[level], TileHashes(tree, level, tile, source, arg),
				   sizeof(MerkleHash) * width);
	}
}

/* Computes the root of the complete subtree over 2^height leaves from begin on. */
static void
SubtreeRoot(const MerkleTree *tree, uint64 begin, int height, MerkleTileSource source,
			void *arg, MerkleHash *root)
{
	int			level = height / MERKLE_TILE_HEIGHT;
	uint64		position = begin >> (level * MERKLE_TILE_HEIGHT);
	const MerkleHash *hashes = TileHashes(tree, level, position >> MERKLE_TILE_HEIGHT,
										  source, arg);

	MerkleTileRoot(hashes + (position & (MERKLE_TILE_WIDTH - 1)),
				   1 << (height % MERKLE_TILE_HEIGHT), root);
}

/* Computes the hash of the leaves from begin to end, split as in RFC 6962. */
static void
RangeRoot(const MerkleTree *tree, uint64 begin, uint64 end, MerkleTileSource source,
		  void *arg, MerkleHash *root)
{
	MerkleHash	parts[64];
	int			count = 0;

	for (; begin < end; count++)
	{
		int			height = pg_leftmost_one_pos64(end - begin);

		SubtreeRoot(tree, begin, height, source, arg, &parts[count]);
		begin += UINT64CONST(1) << height;
	}
	*root = parts[--count];
	while (count > 0)
		NodeHash(&parts[--count], root, root);
}

/* Returns the greatest power of two less than a number of leaves, which is at least two. */
static uint64
SplitAt(uint64 leaves)
{
	return UINT64CONST(1) << pg_leftmost_one_pos64(leaves - 1);
}

static void
ReverseProof(MerkleProof *proof)
{
	for (int i = 0, j = proof->count - 1; i < j; i++, j--)
	{
		MerkleHash	hash = proof->hashes[i];

		proof->hashes[i] = proof->hashes[j];
		proof->hashes[j] = hash;
	}
}

/* RFC 6962 section 2.1.1, from the root down. */
void
MerkleProveInclusion(const MerkleTree *tree, uint64 leaf_index, MerkleTileSource source,
					 void *arg, MerkleProof *proof)
{
	uint64		begin = 0;
	uint64		end = tree->size;

	Assert(leaf_index < tree->size);
	proof->count = 0;
	while (end - begin > 1)
	{
		uint64		middle = begin + SplitAt(end - begin);
		MerkleHash *sibling = &proof->hashes[proof->count++];

		if (leaf_index < middle)
		{
			RangeRoot(tree, middle, end, source, arg, sibling);
			end = middle;
		}
		else
		{
			RangeRoot(tree, begin, middle, source, arg, sibling);
			begin = middle;
		}
	}
	ReverseProof(proof);
}

/* RFC 6962 section 2.1.2, from the root down. */
void
MerkleProveConsistency(const MerkleTree *tree, uint64 from_size, MerkleTileSource source,
					   void *arg, MerkleProof *proof)
{
	uint64		begin = 0;
	uint64		end = tree->size;

	Assert(from_size > 0 && from_size <= tree->size);
	proof->count = 0;
	while (from_size != end)
	{
		uint64		middle = begin + SplitAt(end - begin);
		MerkleHash *sibling = &proof->hashes[proof->count++];

		if (from_size <= middle)
		{
			RangeRoot(tree, middle, end, source, arg, sibling);
			end = middle;
		}
		else
		{
			RangeRoot(tree, begin, middle, source, arg, sibling);
			begin = middle;
		}
	}
	/* the last part of the old tree, unless it is the whole old tree, whose root is known */
	if (begin > 0)
		RangeRoot(tree, begin, end, source, arg, &proof->hashes[proof->count++]);
	ReverseProof(proof);
}

/*
 * verifying
 */

/* RFC 9162 section 2.1.3.2. */
bool
MerkleVerifyInclusion(uint64 leaf_index, uint64 tree_size, const MerkleHash *leaf,
					  const MerkleHash *root, const MerkleHash *proof, int count)
{
	uint64		node = leaf_index;
	uint64		last;
	MerkleHash	hash = *leaf;

	if (leaf_index >= tree_size || count > MERKLE_MAX_PROOF)
		return false;
	last = tree_size - 1;
	for (int i = 0; i < count; i++)
	{
		if (last == 0)
			return false;
		if ((node & 1) != 0 || node == last)
		{
			NodeHash(&proof[i], &hash, &hash);
			/* a level's last node without a sibling moves up unchanged */
			while ((node & 1) == 0 && node != 0)
			{
				node >>= 1;
				last >>= 1;
			}
		}
		else
			NodeHash(&hash, &proof[i], &hash);
		node >>= 1;
		last >>= 1;
	}
	return last == 0 && MerkleHashEqual(&hash, root);
}

/* Trees of the same size are consistent if they are the same. */
static bool
SameTree(uint64 size, const MerkleHash *from_root, const MerkleHash *to_root, int count)
{
	MerkleTree	empty;
	MerkleHash	root;

	if (count > 0 || !MerkleHashEqual(from_root, to_root))
		return false;
	if (size > 0)
		return true;
	MerkleTreeInit(&empty);
	MerkleTreeRoot(&empty, &root);
	return MerkleHashEqual(from_root, &root);
}

/*
 * RFC 9162 section 2.1.4.2.  Every tree is consistent with the empty one.  A proof from
 * the empty one would show nothing, so none is accepted.
 */
bool
MerkleVerifyConsistency(uint64 from_size, uint64 to_size, const MerkleHash *from_root,
						const MerkleHash *to_root, const MerkleHash *proof, int count)
{
	uint64		node;
	uint64		last;
	MerkleHash	from_hash;
	MerkleHash	to_hash;
	int			next = 0;

	if (from_size > to_size || count > MERKLE_MAX_PROOF)
		return false;
	if (from_size == to_size)
		return SameTree(from_size, from_root, to_root, count);
	if (from_size == 0 || count == 0)
		return false;

	/* a complete old tree is a node of the new one, so the proof may omit it */
	if ((from_size & (from_size - 1)) == 0)
		from_hash = *from_root;
	else
		from_hash = proof[next++];
	to_hash = from_hash;
	node = from_size - 1;
	last = to_size - 1;
	while ((node & 1) != 0)
	{
		node >>= 1;
		last >>= 1;
	}
	for (; next < count; next++)
	{
		if (last == 0)
			return false;
		if ((node & 1) != 0 || node == last)
		{
			NodeHash(&proof[next], &from_hash, &from_hash);
			NodeHash(&proof[next], &to_hash, &to_hash);
			while ((node & 1) == 0 && node != 0)
			{
				node >>= 1;
				last >>= 1;
			}
		}
		else
			NodeHash(&to_hash, &proof[next], &to_hash);
		node >>= 1;
		last >>= 1;
	}
	return last == 0 && MerkleHashEqual(&from_hash, from_root) &&
		MerkleHashEqual(&to_hash, to_root);
}
