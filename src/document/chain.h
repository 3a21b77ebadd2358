/*-------------------------------------------------------------------------
 *
 * chain.h
 *		Events that are signed one by one, and chained by their digests.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHAIN_H
#define ANSWER_EVAL_CHAIN_H

#include "base/jsonview.h"

/*
 * Do events, an array of objects, make up a chain?  NULL, or one sentence that
 * names the event.  "last", if given, gets the digest of the last one.
 */
extern const char *TraceChainProblem(const JsonView *events, char *last);

/* Does the signature of an event hold?  NULL, or one sentence.  The keys are as RegistryKeys gives them. */
extern const char *TraceSignatureProblem(const JsonView *event, const JsonView *keys);

#endif							/* ANSWER_EVAL_CHAIN_H */
