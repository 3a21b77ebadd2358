/*-------------------------------------------------------------------------
 *
 * suite_case.h
 *		A case of an evaluation suite: what is asked, and the expected result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUITE_CASE_H
#define ANSWER_EVAL_SUITE_CASE_H

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "judge/judgement.h"

typedef enum CaseKind
{
	CASE_GROUNDED,
	CASE_CHECK,
	CASE_QUESTION,
	CASE_PLAN
} CaseKind;

extern const char *const case_kinds[];

/* Maximum bytes of all cases of a suite as a run shows them; answer.suite_digests() has the same limit. */
#define SUITE_MAX_SIZE	8388608

/* Returns what is wrong with a case, in one sentence, or NULL. */
extern const char *CaseProblem(const JsonView *view);

/* Returns the kind of a valid case. */
extern CaseKind CaseKindOf(const JsonView *view);

/* Does a grounded case have an answer? */
extern bool CaseHasAnswer(const JsonView *view);

/* Returns the judgements that a case pins; none if they are malformed. */
extern const Judgements *CaseJudgements(const JsonView *view);

/* Returns the case as a run shows it: with the digest of its chunks instead of the chunks. */
extern JsonView CaseReduced(const JsonView *view);

/* Writes the digest of the reduced case. */
extern void CaseDigest(const JsonView *view, char *digest);

/* Writes the digest of a suite, made from the digests of its cases and documents, and its clock. */
extern void SuiteDigest(const JsonView *cases, const JsonView *documents, const JsonView *now, char *digest);


#endif							/* ANSWER_EVAL_SUITE_CASE_H */
