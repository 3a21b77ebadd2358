/*-------------------------------------------------------------------------
 *
 * suite_case.h
 *		A case of an evaluation suite: what is asked, and what must come of it.
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

/* Bytes of all cases of a suite, as a run tells of them; answer.suite_digests() has the same. */
#define SUITE_MAX_SIZE	8388608

/* Returns what is wrong with a case, in one sentence; NULL: nothing. */
extern const char *CaseProblem(const JsonView *view);

/* Returns the kind of a case without a problem. */
extern CaseKind CaseKindOf(const JsonView *view);

/* Does a grounded case bring an answer? */
extern bool CaseHasAnswer(const JsonView *view);

/* Returns what it pins; none where they are malformed. */
extern const Judgements *CaseJudgements(const JsonView *view);

/* Returns the case as a run tells of it: of chunks that it brings their digest alone. */
extern JsonView CaseReduced(const JsonView *view);

/* Writes the digest of the reduced case. */
extern void CaseDigest(const JsonView *view, char *digest);

/* Writes the digest of a suite, made of the digests of its cases and documents, and of its clock. */
extern void SuiteDigest(const JsonView *cases, const JsonView *documents, const JsonView *now, char *digest);

/* small questions that those who score ask, too */

#endif							/* ANSWER_EVAL_SUITE_CASE_H */
