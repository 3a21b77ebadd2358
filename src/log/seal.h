/*-------------------------------------------------------------------------
 *
 * seal.h
 *		Sealing the log.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SEAL_H
#define ANSWER_EVAL_SEAL_H

#include "log/last_signed.h"

extern LastSignedState LogLastSignedLook(uint64 *size, MerkleHash *root);

#endif							/* ANSWER_EVAL_SEAL_H */
