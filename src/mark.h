/*-------------------------------------------------------------------------
 *
 * mark.h
 *		What was cosigned last, beyond the reach of a rollback.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MARK_H
#define ANSWER_EVAL_MARK_H

#include "merkle.h"
#include "operator.h"

extern bool WitnessMarkRead(Span origin, uint64 *size, MerkleHash *root);
extern char *WitnessMarkFile(Span origin);
extern void WitnessMarkWrite(Span origin, uint64 size, const MerkleHash *root);

#endif							/* ANSWER_EVAL_MARK_H */
