/*-------------------------------------------------------------------------
 *
 * run_receipt.h
 *		The document run/v1: what came of the cases of a suite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RUN_RECEIPT_H
#define ANSWER_EVAL_RUN_RECEIPT_H

#include "base/jsonview.h"
#include "document/kind.h"

/* All that a run is besides what minting adds; in portable form, but for the rows' scores. */
typedef struct RunContent
{
	JsonView	suite;			/* {name, version, digest, now, documents} */
	JsonView	config;			/* all keys */
	JsonView	evaluator;		/* {engine_version, rules, digests} */
	JsonView	insufficiency;	/* phrases */
	JsonView	cases;			/* rows with their scores */
} RunContent;

extern const DocumentKind run_kind;

/* Writes the digest of what judged, but for the configuration: the same engine gives the same. */
extern void EngineDigest(const JsonView *evaluator, char *digest);

/* Returns a row with its scores, as the document has it. */
extern JsonView RunRowScored(const JsonView *row, const JsonView *config, const JsonView *insufficiency);

/* Sets the members of this kind. */
extern void RunDocumentSet(JsonView *body, const RunContent *content);

#endif							/* ANSWER_EVAL_RUN_RECEIPT_H */
