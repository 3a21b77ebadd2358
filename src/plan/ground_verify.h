/*-------------------------------------------------------------------------
 *
 * ground_verify.h
 *		ground-verify/1: what sources say for and against claims.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_VERIFY_H
#define ANSWER_EVAL_GROUND_VERIFY_H

#include "base/jsonview.h"
#include "reading/rules.h"

#define GROUND_VERIFY_METHOD	"ground-verify/1"

/* Evidence says by which revision of the rule it was made; without one, it was the first. */
#define GROUND_VERIFY_REVISION	2

/* One verification; made by GroundVerifyBegin, and everything borrows its arguments. */
typedef struct GroundVerification GroundVerification;

/*
 * Reads {claims: [text], sources: [Hit], min_confidence?, policy?, regulated?};
 * what else is there is not looked at.  NULL, and one sentence that names the
 * place, if it is malformed.
 */
extern GroundVerification *GroundVerifyBegin(const JsonView *args, const DecisionRules *rules,
											 const char **problem);

/* The distinct words whose stems are asked for: an array of texts by code point, folded. */
extern JsonView GroundVerifyWords(const GroundVerification *verification);

/*
 * Judges.  "stems" is {word: [stems]}, [] for a stop word; a word that it does not
 * have has none.  "detected" is absent, or what an earlier version's detectors found,
 * [{chunk_a, chunk_b, kind}]: claim n is "claim:n", sentence m of source n
 * "source:n:m", both counted from 0.  Both go into the evidence, so that it can be
 * made again from it.  False, and one sentence, if one of them is malformed.
 */
extern bool GroundVerify(GroundVerification *verification, const JsonView *stems, const JsonView *detected,
						 int revision, JsonView *evidence, const char **problem);

#endif							/* ANSWER_EVAL_GROUND_VERIFY_H */
