/*-------------------------------------------------------------------------
 *
 * seal.h
 *		Seals the log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SEAL_H
#define ANSWER_EVAL_SEAL_H

#include "log/last_signed.h"
#include "keys/keyring.h"

extern LastSignedState LogLastSignedLook(uint64 *size, MerkleHash *root);

extern const SignedRows log_signed;

#endif							/* ANSWER_EVAL_SEAL_H */
