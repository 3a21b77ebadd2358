/*-------------------------------------------------------------------------
 *
 * proof.h
 *		JSON documents with proofs of the log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PROOF_H
#define ANSWER_EVAL_PROOF_H

#include "base/jsonview.h"
#include "log/merkle.h"
#include "log/note.h"

#define INCLUSION_SCHEMA	"answer/inclusion/v1"
#define CONSISTENCY_SCHEMA	"answer/consistency/v1"
#define TOMBSTONE_SCHEMA	"answer/tombstone/v1"

extern JsonView HashView(const MerkleHash *hash);
extern JsonView HashesView(const MerkleProof *proof);
extern bool DigestParse(Span text, uint8 *sha256);
extern bool DocumentDigest(const JsonView *document, uint8 *sha256);
extern JsonView InclusionStep(const JsonView *proof, const JsonView *receipt,
							  const NoteKey *keys, int nkeys);
extern JsonView ProofVerify(const JsonView *proof, const JsonView *receipt,
							const NoteKey *keys, int nkeys);

#endif							/* ANSWER_EVAL_PROOF_H */
