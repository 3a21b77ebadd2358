/*-------------------------------------------------------------------------
 *
 * tombstone.h
 *		Erasure, and what it may change in append-only tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOMBSTONE_H
#define ANSWER_EVAL_TOMBSTONE_H

#include "utils/jsonb.h"

extern void RefuseForgotten(const text *tenant, Datum *digests, int count);

/*
 * Keeps everything of a tenant from being forgotten until the transaction ends.  Who locks rows
 * that forgetting deletes, and stores something later, calls it first: else each waits for the other.
 */
extern void HoldOffForgetting(const text *tenant);

/* Does the same as a value: returns the first digest that the tenant forgot, or NULL. */
extern const char *FindForgotten(const text *tenant, Datum *digests, int count);

/*
 * Forgets evidence of one tenant by its digest, as answer_forget() does, for a
 * function that knows it by another name.  The function's name is for errors.  NULL
 * if there is none any more.
 */
extern Jsonb *ForgetForTenant(const char *function, const text *tenant, const char *digest, text *reason);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
