/*-------------------------------------------------------------------------
 *
 * run_receipt.h
 *		The document run/v1: the results of the cases of a suite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RUN_RECEIPT_H
#define ANSWER_EVAL_RUN_RECEIPT_H

#include "base/jsonview.h"
#include "document/kind.h"

/* The content of a run before it is minted; in portable form, except for the rows' scores. */
typedef struct RunContent
{
	JsonView	suite;			/* {name, version, digest, now, documents} */
	JsonView	config;			/* all keys */
	JsonView	evaluator;		/* {engine_version, rules, digests} */
	JsonView	insufficiency;	/* phrases */
	JsonView	cases;			/* rows with their scores */
} RunContent;

extern const DocumentKind run_kind;

/* Writes the digest of everything that judged, except the configuration. Equal engines have equal digests. */
extern void EngineDigest(const JsonView *evaluator, char *digest);

/* Returns a row with its scores, as in the document. */
extern JsonView RunRowScored(const JsonView *row, const JsonView *config, const JsonView *insufficiency);

/* Sets the members of this kind. */
extern void RunDocumentSet(JsonView *body, const RunContent *content);

#endif							/* ANSWER_EVAL_RUN_RECEIPT_H */
