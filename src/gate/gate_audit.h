/*-------------------------------------------------------------------------
 *
 * gate_audit.h
 *		The audit of suites, baselines and runs as they are stored.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_AUDIT_H
#define ANSWER_EVAL_GATE_AUDIT_H

#include "base/jsonview.h"
#include "base/span.h"
#include "log/audit_part.h"

/* Of a run that is under way: whose it is, what of, and how far it came with which rows. */
typedef struct WorkTerms
{
	Span		tenant;
	Span		role;			/* the bytes of its name, in hexadecimal digits */
	Span		id;
	Span		suite_digest;
	Span		config_digest;
	Span		engine_digest;
	int			done;
	Span		chain;			/* of the rows so far */
} WorkTerms;

/* Writes what is signed of that. */
extern void WorkTermsWrite(const WorkTerms *terms, StringInfo text);

/* Adds a row to a chain, which begins with the digest of the suite. */
extern void WorkChain(char *chain, const JsonView *row);

extern const AuditPart gate_audit;

#endif							/* ANSWER_EVAL_GATE_AUDIT_H */
