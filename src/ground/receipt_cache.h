/*-------------------------------------------------------------------------
 *
 * receipt_cache.h
 *		Receipts that are given again for the same question.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECEIPT_CACHE_H
#define ANSWER_EVAL_RECEIPT_CACHE_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "judge/pinned.h"
#include "keys/ed25519.h"

/* Returns a question without a difference of case: what stands between words stays. */
extern JsonView FoldedQuery(Span query);

/*
 * Returns how long a receipt may be given again by a configuration that has all keys,
 * in seconds; 0: not at all, as while a case of a suite is tried.
 */
extern int	CacheLifeOf(const JsonView *config, const Pinning *pinning);

/*
 * Returns the receipt of a key, told to be cached, in the given context; NULL if there
 * is none. SPI must be connected.
 */
extern Jsonb *CacheGet(const text *tenant, const char *key, TimestampTz now, MemoryContext context);

/* Would CacheGet give one?  For who only looks: no hit is counted. */
extern bool CacheHas(const text *tenant, const char *key, TimestampTz now);

/* Keeps a stored receipt under its key, for "life" seconds.  "signing" has signed the receipt at that instant. */
extern void CachePut(const text *tenant, const char *key, const JsonView *receipt, const SigningKey *signing,
					 TimestampTz issued_at, int life);

#endif							/* ANSWER_EVAL_RECEIPT_CACHE_H */
