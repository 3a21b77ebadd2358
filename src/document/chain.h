/*-------------------------------------------------------------------------
 *
 * chain.h
 *		Events that are signed one by one and chained by their digests.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHAIN_H
#define ANSWER_EVAL_CHAIN_H

#include "base/jsonview.h"
#include "keys/ed25519.h"

/*
 * Checks that events, an array of objects, form a chain.  Returns NULL if they do,
 * otherwise one sentence that names the event.  "last", if not NULL, receives the
 * digest of the last event.
 */
extern const char *TraceChainProblem(const JsonView *events, char *last);

/* Signs an object.  Its member "sig" becomes the signature of all other members. */
extern void MemberSign(JsonView *object, const SigningKey *key);

/*
 * Verifies the signature in the member "sig" over the rest of an object.  Returns NULL
 * if it holds, otherwise one sentence, which calls the object "what".  "instant" is the
 * member with the time of signing.  The keys have the form that RegistryKeys returns.
 */
extern const char *MemberSignatureProblem(const JsonView *object, const char *what, const char *instant,
										  const JsonView *keys);

/* Does the same for an event. */
extern const char *TraceSignatureProblem(const JsonView *event, const JsonView *keys);

#endif							/* ANSWER_EVAL_CHAIN_H */
