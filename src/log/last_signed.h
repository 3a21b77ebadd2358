/*-------------------------------------------------------------------------
 *
 * last_signed.h
 *		Remembers the last cosigned checkpoint where no rollback can undo it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LAST_SIGNED_H
#define ANSWER_EVAL_LAST_SIGNED_H

#include "check/operator.h"
#include "keys/keyring.h"
#include "log/merkle.h"

/* The state of the file. */
typedef enum LastSignedState
{
	LAST_SIGNED_NONE,
	LAST_SIGNED_READ,
	LAST_SIGNED_DAMAGED,
	LAST_SIGNED_UNREADABLE		/* errno says why */
} LastSignedState;

extern LastSignedState LastSignedLook(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root);
extern bool LastSignedRead(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root);
extern void LastSignedWrite(const SigningKey *key, Span origin, uint64 size,
							 const MerkleHash *root);
extern char *LastSignedFile(const SigningKey *key, Span origin);

#endif							/* ANSWER_EVAL_LAST_SIGNED_H */
