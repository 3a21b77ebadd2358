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
 * Claims and judged sentences as chunks, for users' detectors: claim n is "claim:n",
 * of the document "claim:n"; sentence m of source n is "source:n:m", and its document
 * the uri before "#".  Both are counted from 0.
 */
extern JsonView GroundVerifyChunks(const GroundVerification *verification);

/*
 * Judges.  "stems" is {word: [stems]}, [] for a stop word; a word that it does not
 * have has none.  "detected" is absent, or what the detectors found, [{chunk_a,
 * chunk_b, kind}] by chunk_id; both go into the evidence, so that the judgement can
 * be made again from it.  False, and one sentence, if one of them is malformed.
 */
extern bool GroundVerify(GroundVerification *verification, const JsonView *stems, const JsonView *detected,
						 int revision, JsonView *evidence, const char **problem);

#endif							/* ANSWER_EVAL_GROUND_VERIFY_H */
