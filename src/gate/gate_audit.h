/*-------------------------------------------------------------------------
 *
 * gate_audit.h
 *		The audit of stored suites, baselines and runs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_AUDIT_H
#define ANSWER_EVAL_GATE_AUDIT_H

#include "base/jsonview.h"
#include "base/span.h"
#include "log/audit_part.h"

/* What is signed of an unfinished run: whose it is, of what, how many cases are done, and their rows. */
typedef struct WorkTerms
{
	Span		tenant;
	Span		role;			/* bytes of the role's name, in hexadecimal */
	Span		id;
	Span		suite_digest;
	Span		config_digest;
	Span		engine_digest;
	int			done;
	Span		chain;			/* hash chain of the rows so far */
} WorkTerms;

/* Writes the bytes that are signed. */
extern void WorkTermsWrite(const WorkTerms *terms, StringInfo text);

/* Adds a row to a chain, which begins with the digest of the suite. */
extern void WorkChain(char *chain, const JsonView *row);

extern const AuditPart gate_audit;

#endif							/* ANSWER_EVAL_GATE_AUDIT_H */
