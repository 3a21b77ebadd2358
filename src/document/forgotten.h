/*-------------------------------------------------------------------------
 *
 * forgotten.h
 *		Makes sure that forgotten content is not stored again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FORGOTTEN_H
#define ANSWER_EVAL_FORGOTTEN_H

#include "utils/array.h"

/*
 * Prevents forgetting for a tenant until the transaction ends.  Code that locks rows which
 * forgetting deletes, and stores something later, must call this first, to avoid a
 * deadlock.
 */
extern void HoldOffForgetting(const text *tenant);

/*
 * Does the same, and returns the first of these digests that the tenant forgot, or NULL.
 * What is stored afterwards will be found by a later forgetting.  SPI must be connected.
 */
extern const char *FindForgotten(const text *tenant, Datum *digests, int count);

/* Does the same, and raises an error if the tenant forgot one of them. */
extern void RefuseForgotten(const text *tenant, Datum *digests, int count);

/*
 * After this returns, nobody stores anything of these tenants until the transaction
 * ends.  The operator, who forgets for all tenants, locks the table of tombstones,
 * which everybody who stores has locked in a weaker mode.  Whoever forgets for some
 * tenants locks the table in that weaker mode too, and takes the locks of those
 * tenants, in order.  So a tenant's uncommitted forgetting does not block other
 * tenants.
 */
extern void LockOutWriters(ArrayType *tenants, bool is_all);

#endif							/* ANSWER_EVAL_FORGOTTEN_H */
