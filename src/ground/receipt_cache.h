/*-------------------------------------------------------------------------
 *
 * receipt_cache.h
 *		A cache of receipts, by question.
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

/* Returns a question with its letters folded. What is between the words stays. */
extern JsonView FoldedQuery(Span query);

/*
 * Returns for how many seconds a configuration with all keys allows a receipt to be
 * cached; 0: not at all, as while a case of a suite is tried.
 */
extern int	CacheLifeOf(const JsonView *config, const Pinning *pinning);

/*
 * Returns the cached receipt of a key, marked as cached, in the given context, or
 * NULL.  SPI must be connected.
 */
extern Jsonb *CacheGet(const text *tenant, const char *key, TimestampTz now, MemoryContext context);

/* Would CacheGet return one? Does not count a hit. */
extern bool CacheHas(const text *tenant, const char *key, TimestampTz now);

/* Caches a stored receipt for "life" seconds. "signing" signed the receipt at that instant. */
extern void CachePut(const text *tenant, const char *key, const JsonView *receipt, const SigningKey *signing,
					 TimestampTz issued_at, int life);

#endif							/* ANSWER_EVAL_RECEIPT_CACHE_H */
