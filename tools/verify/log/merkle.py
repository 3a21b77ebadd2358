"""Merkle trees (RFC 6962, RFC 9162): doc/spec/document.md §7.1 to §7.3."""

import hashlib

MAX_PROOF = 64


def leaf_hash(data):
    """The hash of a leaf."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    """The hash of a node."""
    return hashlib.sha256(b"\1" + left + right).digest()


EMPTY_ROOT = hashlib.sha256(b"").digest()


def are_hashes(*hashes):
    """Whether all have the length of a hash."""
    return all(len(h) == len(EMPTY_ROOT) for h in hashes)


def inclusion_ok(leaf_index, tree_size, leaf, root, hashes):
    """Whether the hashes lead from the leaf to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= leaf_index < tree_size or len(hashes) > MAX_PROOF or not are_hashes(leaf, root, *hashes):
        return False
    node, last, found = leaf_index, tree_size - 1, leaf
    for sibling in hashes:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            # a last node without a sibling moves up unchanged
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def consistency_ok(from_size, to_size, from_root, to_root, hashes):
    """Whether one tree is the beginning of the other (RFC 9162, 2.1.4.2).

    Every tree begins with the empty tree, so a proof from size 0 to a larger size shows nothing and is refused.
    """
    if not 0 <= from_size <= to_size or len(hashes) > MAX_PROOF or not are_hashes(from_root, to_root, *hashes):
        return False
    if from_size == to_size:
        return not hashes and from_root == to_root and (from_size > 0 or from_root == EMPTY_ROOT)
    if from_size == 0 or not hashes:
        return False
    # if the old tree is complete, its root is a node of the new tree, and the proof leaves it out
    hashes = list(hashes) if from_size & (from_size - 1) else [from_root, *hashes]
    node, last = from_size - 1, to_size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and old == from_root and new == to_root
