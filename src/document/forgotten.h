/*-------------------------------------------------------------------------
 *
 * forgotten.h
 *		What was forgotten is not stored again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FORGOTTEN_H
#define ANSWER_EVAL_FORGOTTEN_H

#include "utils/array.h"

/*
 * Keeps everything of a tenant from being forgotten until the transaction ends.  Who locks rows
 * that forgetting deletes, and stores something later, calls it first: else each waits for the other.
 */
extern void HoldOffForgetting(const text *tenant);

/*
 * Does the same, and returns the first of these digests that the tenant forgot, or NULL:
 * what is stored now is there for the forgetting that follows to find.  SPI must be connected.
 */
extern const char *FindForgotten(const text *tenant, Datum *digests, int count);

/* Does the same, and raises if the tenant forgot one of them. */
extern void RefuseForgotten(const text *tenant, Datum *digests, int count);

/*
 * From when this returns nobody stores anything of these tenants, until the
 * transaction ends.  Who forgets for all tenants, the operator, takes the table of
 * tombstones, which all who store hold; who forgets for some holds the table as
 * they do, and takes the locks of those tenants, in their order.  So what one
 * tenant forgets, and leaves uncommitted, is in no other one's way.
 */
extern void LockOutWriters(ArrayType *tenants, bool is_all);

#endif							/* ANSWER_EVAL_FORGOTTEN_H */
