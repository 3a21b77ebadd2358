/*-------------------------------------------------------------------------
 *
 * forget.h
 *		Erasure, and what it may change in append-only tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FORGET_H
#define ANSWER_EVAL_FORGET_H

#define TOMBSTONE_SCHEMA	"answer/tombstone/v1"

extern void RefuseForgotten(Datum *digests, int count);

#endif							/* ANSWER_EVAL_FORGET_H */
