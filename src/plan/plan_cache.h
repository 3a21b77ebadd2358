/*-------------------------------------------------------------------------
 *
 * plan_cache.h
 *		A cache of answers of plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_CACHE_H
#define ANSWER_EVAL_PLAN_CACHE_H

#include "datatype/timestamp.h"

#include "judge/pinned.h"
#include "plan/plan_receipt.h"

/* The key of a cached answer. */
typedef struct PlanCacheKey
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	int			life;			/* seconds; 0: do not cache */
} PlanCacheKey;

extern bool QuestionOfVars(const JsonView *vars, Span *question);

/* Makes the cache key of a plan, before it is executed. SPI must be connected. */
extern void PlanCacheKeyMake(PlanCacheKey *key, const text *tenant, const Pinning *pinning,
							 const PlanDocument *document, const Course *course);

/* Caches the document of a plan, if it is an answer without reservations. */
extern void PlanCacheKeep(const PlanCacheKey *key, const text *tenant, const Course *course,
					  const JsonView *receipt, const SigningKey *signing, TimestampTz issued_at);

#endif							/* ANSWER_EVAL_PLAN_CACHE_H */
