/*-------------------------------------------------------------------------
 *
 * mark.h
 *		What was cosigned last, beyond the reach of a rollback.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MARK_H
#define ANSWER_EVAL_MARK_H

#include "check/operator.h"
#include "keys/keyring.h"
#include "log/merkle.h"

/* What there is of a file. */
typedef enum MarkState
{
	WITNESS_MARK_NONE,
	WITNESS_MARK_READ,
	WITNESS_MARK_DAMAGED,
	WITNESS_MARK_UNREADABLE		/* errno says why */
} MarkState;

extern MarkState WitnessMarkLook(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root);
extern bool WitnessMarkRead(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root);
extern void WitnessMarkWrite(const SigningKey *key, Span origin, uint64 size,
							 const MerkleHash *root);
extern char *WitnessMarkFile(const SigningKey *key, Span origin);

#endif							/* ANSWER_EVAL_MARK_H */
