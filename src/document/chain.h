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
#include "keys/ed25519.h"

/*
 * Do events, an array of objects, make up a chain?  NULL, or one sentence that
 * names the event.  "last", if given, gets the digest of the last one.
 */
extern const char *TraceChainProblem(const JsonView *events, char *last);

/* Signs an object: its member sig is the signature of all the others. */
extern void MemberSign(JsonView *object, const SigningKey *key);

/*
 * Does the signature in the member sig hold over the rest of an object?  NULL, or
 * one sentence, which names the object by "what".  "instant" is the member that
 * says when it was signed.  The keys are as RegistryKeys gives them.
 */
extern const char *MemberSignatureProblem(const JsonView *object, const char *what, const char *instant,
										  const JsonView *keys);

/* Does the signature of an event hold?  NULL, or one sentence.  The keys are as RegistryKeys gives them. */
extern const char *TraceSignatureProblem(const JsonView *event, const JsonView *keys);

#endif							/* ANSWER_EVAL_CHAIN_H */
