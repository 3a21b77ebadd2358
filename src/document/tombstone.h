/*-------------------------------------------------------------------------
 *
 * tombstone.h
 *		Erasure, and what it may change in append-only tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOMBSTONE_H
#define ANSWER_EVAL_TOMBSTONE_H

extern void RefuseForgotten(const text *tenant, Datum *digests, int count);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
