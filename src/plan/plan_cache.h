/*-------------------------------------------------------------------------
 *
 * plan_cache.h
 *		Answers of plans that are given again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_CACHE_H
#define ANSWER_EVAL_PLAN_CACHE_H

#include "datatype/timestamp.h"

#include "judge/pinned.h"
#include "plan/plan_receipt.h"

/* An answer that may be given again. */
typedef struct PlanCacheKey
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	int			life;			/* seconds; 0: it is not given again */
} PlanCacheKey;

extern bool QuestionOfVars(const JsonView *vars, Span *question);

/* Makes the key of a plan that is to be executed, before it is.  SPI must be connected. */
extern void PlanCacheKeyMake(PlanCacheKey *key, const text *tenant, const Pinning *pinning,
							 const PlanDocument *document, const Course *course);

/* Keeps the document of a plan under its key, if it is an answer as good as any. */
extern void PlanCacheKeep(const PlanCacheKey *key, const text *tenant, const Course *course,
					  const JsonView *receipt, const SigningKey *signing, TimestampTz issued_at);

#endif							/* ANSWER_EVAL_PLAN_CACHE_H */
